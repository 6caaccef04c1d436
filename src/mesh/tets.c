// SPDX-License-Identifier: MIT
// tets.c: neighbours of tetrahedra, and the triangles at their boundary
//
// The four faces of each tetrahedron, followed by the triangles of the surface, are sorted by their three vertices
// with three passes of a counting sort. Equal ones are then adjacent, those of tetrahedra first.
#include "base/error.h"
#include "base/memory.h"
#include "mesh/mesh.h"
#include "prim/tet_tet.h"

#include <abut/predicates.h>
#include <string.h>

typedef struct sides {
    const int *tets;
    int tet_side_count;
    const int *triangles;
    int count; // tetrahedron faces and triangles together
} sides;

typedef struct side_key {
    int vertices[3]; // ascending
    int is_odd;      // whether sorting took an odd number of swaps
} side_key;

static void get_vertices(const sides *all, int side, int vertices[3])
{
    for (int k = 0; k < 3; ++k) {
        vertices[k] = side < all->tet_side_count
                          ? all->tets[4 * (size_t)(side / 4) + (size_t)abut_tet_faces[side % 4][k]]
                          : all->triangles[3 * (size_t)(side - all->tet_side_count) + (size_t)k];
    }
}

static void order_pair(side_key *key, int i, int k)
{
    int a = key->vertices[i], b = key->vertices[k];
    if (a > b) {
        key->vertices[i] = b;
        key->vertices[k] = a;
        key->is_odd = !key->is_odd;
    }
}

static side_key key_of(const sides *all, int side)
{
    side_key key;
    key.is_odd = 0;
    get_vertices(all, side, key.vertices);
    order_pair(&key, 0, 1);
    order_pair(&key, 1, 2);
    order_pair(&key, 0, 1);
    return key;
}

static int is_same_key(const side_key *a, const side_key *b)
{
    return memcmp(a->vertices, b->vertices, sizeof a->vertices) == 0;
}

// One pass of counting sort by vertex `digit` of the key.
static void sort_pass(const sides *all, int digit, const int *from, int *to, int *starts, int vertex_count)
{
    memset(starts, 0, ((size_t)vertex_count + 1) * sizeof(int));
    for (int i = 0; i < all->count; ++i) {
        ++starts[key_of(all, i).vertices[digit] + 1];
    }
    abut_offsets_from_counts(starts, vertex_count);
    for (int i = 0; i < all->count; ++i) {
        to[starts[key_of(all, from[i]).vertices[digit]]++] = from[i];
    }
}

// All sides, sorted by key, then by index. NULL if out of memory. The caller frees it.
static int *sort_sides(const abut_mesh *mesh, const sides *all)
{
    const abut_context *context = &mesh->context;
    int vertex_count = mesh->elements.vertex_count;
    int *order = abut_allocate(context, (size_t)all->count, sizeof(int));
    int *scratch = abut_allocate(context, (size_t)all->count, sizeof(int));
    int *starts = abut_allocate(context, (size_t)vertex_count + 1, sizeof(int));
    int have_memory = order != NULL && scratch != NULL && starts != NULL;
    if (have_memory) {
        for (int i = 0; i < all->count; ++i) {
            scratch[i] = i;
        }
        sort_pass(all, 2, scratch, order, starts, vertex_count);
        sort_pass(all, 1, order, scratch, starts, vertex_count);
        sort_pass(all, 0, scratch, order, starts, vertex_count);
    }
    abut_free(context, starts);
    abut_free(context, scratch);
    if (!have_memory) {
        abut_free(context, order);
        return NULL;
    }
    return order;
}

void abut_mesh_orient_tets(const abut_vec3 *vertices, int *tets, int tet_count)
{
    for (int i = 0; i < tet_count; ++i) {
        int *tet = tets + 4 * (size_t)i;
        int sign;
        // if the coordinates are out of range for the test, the sign is 0 and the tetrahedron stays as it is
        (void)abut_orient3d(vertices[tet[0]], vertices[tet[1]], vertices[tet[2]], vertices[tet[3]], &sign);
        if (sign < 0) {
            int swapped = tet[2];
            tet[2] = tet[3];
            tet[3] = swapped;
        }
    }
}

// A group of equal sides: the first two tetrahedra, and for each direction (even, odd) the lowest triangle and
// tetrahedron.
typedef struct meeting {
    int tet_count;
    int first_tets[2];
    int triangles[2], tets[2];
} meeting;

enum { NONE = -1 };

static meeting meet(const sides *all, const int *group, int count)
{
    meeting found = {0, {NONE, NONE}, {NONE, NONE}, {NONE, NONE}};
    for (int i = 0; i < count; ++i) {
        int direction = key_of(all, group[i]).is_odd;
        if (group[i] >= all->tet_side_count) {
            int triangle = group[i] - all->tet_side_count;
            found.triangles[direction] = found.triangles[direction] == NONE ? triangle : found.triangles[direction];
            continue;
        }
        if (found.tet_count < 2) {
            found.first_tets[found.tet_count] = group[i] / 4;
        }
        ++found.tet_count;
        found.tets[direction] = found.tets[direction] == NONE ? group[i] / 4 : found.tets[direction];
    }
    return found;
}

// The entry of the given direction or, if it has none, of the other one.
static int pick(const int items[2], int direction)
{
    return items[direction] != NONE ? items[direction] : items[!direction];
}

typedef struct tet_arrays {
    int *neighbours, *tet_triangles, *triangle_tets;
} tet_arrays;

static void link_group(const sides *all, const int *group, int count, const tet_arrays *arrays)
{
    meeting found = meet(all, group, count);
    for (int i = 0; i < count; ++i) {
        int side = group[i];
        int direction = key_of(all, side).is_odd;
        if (side >= all->tet_side_count) {
            arrays->triangle_tets[side - all->tet_side_count] = pick(found.tets, direction);
            continue;
        }
        arrays->tet_triangles[side] = pick(found.triangles, direction);
        arrays->neighbours[side] = found.tet_count == 1              ? ABUT_BOUNDARY
                                   : found.tet_count > 2             ? ABUT_NON_MANIFOLD
                                   : found.first_tets[0] == side / 4 ? found.first_tets[1]
                                                                     : found.first_tets[0];
    }
}

static void link_all(const sides *all, const int *order, const tet_arrays *arrays)
{
    int begin = 0;
    while (begin < all->count) {
        side_key key = key_of(all, order[begin]);
        int end = begin + 1;
        for (; end < all->count; ++end) {
            side_key next = key_of(all, order[end]);
            if (!is_same_key(&key, &next)) {
                break;
            }
        }
        link_group(all, order + begin, end - begin, arrays);
        begin = end;
    }
}

// Makes the boundary faces of the tetrahedra the faces and triangles of the mesh.
static abut_status derive_faces(abut_mesh *mesh, const tet_arrays *arrays)
{
    abut_mesh_elements *elements = &mesh->elements;
    const sides all = {elements->tets, 4 * elements->tet_count, NULL, 4 * elements->tet_count};
    int count = 0;
    for (int i = 0; i < all.count; ++i) {
        count += arrays->neighbours[i] == ABUT_BOUNDARY;
    }
    int *offsets = abut_mesh_own(mesh, (size_t)count + 1, sizeof(int));
    int *vertices = abut_mesh_own(mesh, (size_t)count, 3 * sizeof(int));
    int *triangle_faces = abut_mesh_own(mesh, (size_t)count, sizeof(int));
    int *triangle_tets = abut_mesh_own(mesh, (size_t)count, sizeof(int));
    if (offsets == NULL || vertices == NULL || triangle_faces == NULL || triangle_tets == NULL) {
        return ABUT_NO_MEMORY;
    }
    int made = 0;
    for (int i = 0; i < all.count; ++i) {
        if (arrays->neighbours[i] == ABUT_BOUNDARY) {
            get_vertices(&all, i, vertices + 3 * (size_t)made);
            offsets[made] = 3 * made;
            triangle_faces[made] = made;
            triangle_tets[made] = i / 4;
            arrays->tet_triangles[i] = made++;
        }
    }
    offsets[made] = 3 * made;
    elements->face_offsets = offsets;
    elements->face_vertices = vertices;
    elements->face_count = made;
    elements->triangles = vertices;
    elements->triangle_faces = triangle_faces;
    elements->triangle_count = made;
    mesh->topology.triangle_tets = triangle_tets;
    return ABUT_OK;
}

static abut_status make(abut_mesh *mesh)
{
    abut_mesh_elements *elements = &mesh->elements;
    size_t tet_count = (size_t)elements->tet_count;
    tet_arrays arrays;
    arrays.neighbours = abut_mesh_own(mesh, tet_count, 4 * sizeof(int));
    arrays.tet_triangles = abut_mesh_own(mesh, tet_count, 4 * sizeof(int));
    arrays.triangle_tets = abut_mesh_own(mesh, (size_t)elements->triangle_count, sizeof(int));
    if (arrays.neighbours == NULL || arrays.tet_triangles == NULL || arrays.triangle_tets == NULL) {
        return ABUT_NO_MEMORY;
    }
    mesh->topology.tet_neighbours = arrays.neighbours;
    mesh->topology.tet_triangles = arrays.tet_triangles;
    mesh->topology.triangle_tets = arrays.triangle_tets;
    if (tet_count == 0) {
        for (int i = 0; i < elements->triangle_count; ++i) {
            arrays.triangle_tets[i] = NONE;
        }
        return ABUT_OK;
    }
    sides all = {elements->tets, 4 * elements->tet_count, elements->triangles,
                 4 * elements->tet_count + elements->triangle_count};
    int *order = sort_sides(mesh, &all);
    if (order == NULL) {
        return ABUT_NO_MEMORY;
    }
    link_all(&all, order, &arrays);
    abut_free(&mesh->context, order);
    return elements->face_count == 0 ? derive_faces(mesh, &arrays) : ABUT_OK;
}

abut_status abut_mesh_make_tet_topology(abut_mesh *mesh, abut_error *error)
{
    abut_status status = make(mesh);
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "out of memory for the tetrahedra of a mesh");
}
