// SPDX-License-Identifier: MIT
// shells.c: edge-connected shells of a surface, and their orientation
#include "check/shells.h"

#include "base/memory.h"
#include "mesh/sides.h"

#include <string.h>

enum { NO_SHELL = -1 };

typedef struct walk {
    abut_shells *shells;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    int *queue;
} walk;

// Whether the two triangles at an edge run along it in the same direction.
static int is_misoriented(const walk *w, int side, int neighbour)
{
    int other = abut_side_at_edge(&w->topology, neighbour, w->topology.triangle_edges[side]);
    return w->elements.triangles[other] == w->elements.triangles[side];
}

// Adds the neighbour of a triangle to its shell. `opposed` tells whether the two have opposite orientations.
static void join(walk *w, abut_shell *shell, int triangle, int neighbour, int opposed, int *queued)
{
    abut_shells *shells = w->shells;
    unsigned char turned = (unsigned char)(shells->is_turned[triangle] ^ opposed);
    if (shells->triangle_shells[neighbour] == NO_SHELL) {
        shells->triangle_shells[neighbour] = shells->triangle_shells[triangle];
        shells->is_turned[neighbour] = turned;
        w->queue[(*queued)++] = neighbour;
    } else if (shells->is_turned[neighbour] != turned) {
        shell->is_orientable = 0;
    }
}

static void visit_neighbour(walk *w, abut_shell *shell, int side, int *queued)
{
    int triangle = side / 3, neighbour = w->topology.triangle_neighbours[side];
    if (neighbour < 0) {
        shell->is_closed = 0;
        return;
    }
    join(w, shell, triangle, neighbour, is_misoriented(w, side, neighbour), queued);
}

// Adds the other triangles of a polygon, which can only be reversed together, even if other faces meet at the sides
// between them.
static void visit_polygon(walk *w, abut_shell *shell, int triangle, int *queued)
{
    const int *faces = w->elements.triangle_faces;
    if (triangle > 0 && faces[triangle - 1] == faces[triangle]) {
        join(w, shell, triangle, triangle - 1, 0, queued);
    }
    if (triangle + 1 < w->elements.triangle_count && faces[triangle + 1] == faces[triangle]) {
        join(w, shell, triangle, triangle + 1, 0, queued);
    }
}

// Adds a triangle to the volume and the bounds. The volume is relative to the first vertex, so that a small shell
// far from the origin loses no digits.
static void measure(walk *w, abut_shell *shell, int triangle, abut_vec3 origin)
{
    const abut_vec3 *vertices = w->elements.vertices;
    const int *corners = w->elements.triangles + 3 * (size_t)triangle;
    abut_vec3 a = abut_sub(vertices[corners[0]], origin), b = abut_sub(vertices[corners[1]], origin);
    abut_vec3 c = abut_sub(vertices[corners[2]], origin);
    double volume = abut_dot(a, abut_cross(b, c)) / 6.0;
    shell->volume += w->shells->is_turned[triangle] ? -volume : volume;
    for (int k = 0; k < 3; ++k) {
        abut_vec3 v = vertices[corners[k]];
        shell->bounds = abut_box_add(shell->bounds, v);
        if (abut_shell_height(v) >= abut_shell_height(shell->summit)) {
            shell->summit = v;
            shell->slope = abut_scale(1.0 / 3.0, abut_add(abut_sub(vertices[corners[(k + 1) % 3]], v),
                                                          abut_sub(vertices[corners[(k + 2) % 3]], v)));
        }
    }
}

static void grow_shell(walk *w, int first)
{
    abut_shells *shells = w->shells;
    abut_vec3 origin = w->elements.vertices[w->elements.triangles[3 * (size_t)first]];
    abut_shell shell = {.first = first,
                        .is_closed = 1,
                        .is_orientable = 1,
                        .summit = origin,
                        .bounds = abut_box_empty(),
                        .parent = NO_SHELL};
    int queued = 0;
    w->queue[queued++] = first;
    shells->triangle_shells[first] = shells->count;
    for (int i = 0; i < queued; ++i) {
        int triangle = w->queue[i];
        for (int k = 0; k < 3; ++k) {
            visit_neighbour(w, &shell, 3 * triangle + k, &queued);
        }
        visit_polygon(w, &shell, triangle, &queued);
        measure(w, &shell, triangle, origin);
        shell.turned_count += shells->is_turned[triangle];
    }
    shell.triangle_count = queued;
    // assume that the minority is wrong
    if (2 * (int64_t)shell.turned_count > queued) {
        for (int i = 0; i < queued; ++i) {
            shells->is_turned[w->queue[i]] ^= 1;
        }
        shell.turned_count = queued - shell.turned_count;
        shell.volume = -shell.volume;
    }
    if (!shell.is_orientable) {
        for (int i = 0; i < queued; ++i) {
            shells->is_turned[w->queue[i]] = 0;
        }
        shell.turned_count = 0;
    }
    shells->shells[shells->count++] = shell;
}

abut_status abut_shells_find(abut_shells *shells, const abut_context *context, const abut_mesh *mesh)
{
    memset(shells, 0, sizeof *shells);
    shells->context = *context;
    walk w = {.shells = shells, .elements = abut_mesh_get_elements(mesh), .topology = abut_mesh_get_topology(mesh)};
    size_t count = (size_t)w.elements.triangle_count;
    shells->triangle_shells = abut_allocate(context, count, sizeof(int));
    shells->is_turned = abut_allocate_zeroed(context, count, 1);
    w.queue = abut_allocate(context, count, sizeof(int));
    int capacity = 0;
    int have_memory = shells->triangle_shells != NULL && shells->is_turned != NULL && w.queue != NULL;
    for (size_t i = 0; i < count && have_memory; ++i) {
        shells->triangle_shells[i] = NO_SHELL;
    }
    for (int i = 0; i < w.elements.triangle_count && have_memory; ++i) {
        if (shells->triangle_shells[i] != NO_SHELL) {
            continue;
        }
        have_memory = abut_grow(context, &shells->shells, &capacity, shells->count + 1, sizeof *shells->shells);
        if (have_memory) {
            grow_shell(&w, i);
        }
    }
    abut_free(context, w.queue);
    return have_memory ? ABUT_OK : ABUT_NO_MEMORY;
}

void abut_shells_release(abut_shells *shells)
{
    abut_free(&shells->context, shells->shells);
    abut_free(&shells->context, shells->triangle_shells);
    abut_free(&shells->context, shells->is_turned);
}
