// SPDX-License-Identifier: MIT
// nest.c: nesting of closed shells
//
// A ray goes up from a triangle at the summit of a shell, its highest vertex. If the first triangle of another shell that
// it hits is hit from inside, that triangle belongs to the shell around this one. If it is hit from outside, it belongs to
// a neighbour, which has the same parent as this one. Shells are visited by the heights of their summits, so the
// neighbour's parent is nearly always known; if it is not, the ray goes on through the neighbour.
//
// The ray does not start at the summit, because shells may touch there: in a vertex or an edge that was split (seams.c).
#include "base/memory.h"
#include "base/sort.h"
#include "check/shells.h"
#include "check/surface.h"

static int is_solid(const abut_shell *shell)
{
    return shell->is_closed && shell->is_orientable && shell->volume != 0.0;
}

static int compare_summits(const void *user, int a, int b)
{
    const abut_shell *shells = user;
    double height_a = abut_shell_height(shells[a].summit), height_b = abut_shell_height(shells[b].summit);
    if (height_a != height_b) {
        return height_a > height_b ? -1 : 1;
    }
    // at a common summit, the shell around another one comes first
    double volume_a = fabs(shells[a].volume), volume_b = fabs(shells[b].volume);
    return volume_a > volume_b ? -1 : volume_a < volume_b ? 1 : a < b ? -1 : a > b;
}

// A mesh of only the triangles of solid shells. Needed if there are other shells, which would stop the rays.
typedef struct walls {
    abut_mesh *mesh;
    abut_tree *tree;
    int *sources; // for each triangle: its number in the whole mesh
} walls;

static abut_status make_walls(walls *made, const abut_shells *shells, const abut_mesh *mesh, abut_error *error)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    size_t count = (size_t)elements.triangle_count;
    int *triangles = abut_allocate(&shells->context, count, 3 * sizeof(int));
    made->sources = abut_allocate(&shells->context, count, sizeof(int));
    abut_status status = ABUT_NO_MEMORY;
    if (triangles != NULL && made->sources != NULL) {
        int used = 0;
        for (int i = 0; i < elements.triangle_count; ++i) {
            if (is_solid(&shells->shells[shells->triangle_shells[i]])) {
                for (int k = 0; k < 3; ++k) {
                    triangles[3 * (size_t)used + (size_t)k] = elements.triangles[3 * (size_t)i + (size_t)k];
                }
                made->sources[used++] = i;
            }
        }
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = elements.vertices;
        def.vertex_count = elements.vertex_count;
        def.face_vertices = triangles;
        def.face_count = used;
        status = abut_mesh_create(&shells->context, &def, &made->mesh, error);
    } else {
        (void)abut_surface_fail(error, status);
    }
    abut_free(&shells->context, triangles);
    return status == ABUT_OK
               ? abut_tree_create(&shells->context, made->mesh, ABUT_ELEMENT_TRIANGLE, &made->tree, error)
               : status;
}

// Whether the ray hits a triangle from inside its shell.
static int comes_from_inside(const abut_shells *shells, const abut_mesh_elements *elements, int triangle)
{
    const int *corners = elements->triangles + 3 * (size_t)triangle;
    const abut_vec3 *v = elements->vertices;
    abut_vec3 normal = abut_cross(abut_sub(v[corners[1]], v[corners[0]]), abut_sub(v[corners[2]], v[corners[0]]));
    const abut_shell *shell = &shells->shells[shells->triangle_shells[triangle]];
    int looks_outward = (shell->volume > 0.0) != shells->is_turned[triangle];
    return (abut_shell_height(normal) > 0.0) == looks_outward;
}

// Whether the bounds of the outer shell contain those of the inner one. If shells intersect, a summit may be inside
// another shell although its shell is not.
static int can_hold(const abut_shell *outer, const abut_shell *inner)
{
    const abut_box *out = &outer->bounds, *in = &inner->bounds;
    return out->lower.x <= in->lower.x && out->lower.y <= in->lower.y && out->lower.z <= in->lower.z &&
           in->upper.x <= out->upper.x && in->upper.y <= out->upper.y && in->upper.z <= out->upper.z;
}

/// Shells that a ray may be in at once. With more, the innermost ones are forgotten.
enum { MOST_NEIGHBOURS = 16 };

// The shell around the one that the ray starts from, or -1. `is_known` tells for each shell whether its parent is known.
static int find_around(const abut_shells *shells, const abut_mesh_elements *elements, const abut_tree *tree,
                       const int *sources, int index, const unsigned char *is_known)
{
    // start slightly above the triangle, so that rounding does not make the ray hit it
    abut_vec3 far = abut_max(abut_abs(elements->bounds.lower), abut_abs(elements->bounds.upper));
    double step = fmax(1e-10 * abut_box_diagonal(elements->bounds), 1e-14 * abut_norm(far));
    const double share = 1e-3; // so near the summit, little of the shell is above
    const abut_shell *shell = &shells->shells[index];
    abut_vec3 at = abut_add_scaled(shell->summit, share, shell->slope);
    int neighbours[MOST_NEIGHBOURS], count = 0;
    for (int i = 0; i < elements->triangle_count; ++i) {
        at = abut_add_scaled(at, step, abut_shell_ray);
        abut_tree_hit hit = abut_tree_ray(tree, at, abut_shell_ray, HUGE_VAL);
        if (hit.element < 0) {
            break;
        }
        int triangle = sources != NULL ? sources[hit.element] : hit.element;
        int other = shells->triangle_shells[triangle];
        int is_inside = comes_from_inside(shells, elements, triangle);
        at = abut_add_scaled(at, hit.distance, abut_shell_ray);
        if (other == index) {
            continue;
        }
        if (count > 0 && neighbours[count - 1] == other && is_inside) {
            --count;
        } else if (count == 0 && (is_inside || is_known[other])) {
            return is_inside ? other : shells->shells[other].parent;
        } else if (count < MOST_NEIGHBOURS && !is_inside) {
            neighbours[count++] = other;
        }
    }
    return -1;
}

static void find_parent(abut_shells *shells, const abut_mesh_elements *elements, const abut_tree *tree,
                        const int *sources, int index, unsigned char *is_known)
{
    abut_shell *shell = &shells->shells[index];
    int parent = find_around(shells, elements, tree, sources, index, is_known);
    while (parent >= 0 && !can_hold(&shells->shells[parent], shell)) {
        parent = shells->shells[parent].parent;
    }
    shell->parent = parent;
    shell->depth = shell->parent >= 0 ? shells->shells[shell->parent].depth + 1 : 0;
    is_known[index] = 1;
}

static void find_parents(abut_shells *shells, const abut_mesh *mesh, const abut_tree *tree, const int *sources,
                         int *order, int solid_count, unsigned char *is_known)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    int used = 0;
    for (int i = 0; i < shells->count; ++i) {
        if (is_solid(&shells->shells[i])) {
            order[used++] = i;
        }
    }
    abut_sort_indices(order, order + solid_count, solid_count, compare_summits, shells->shells);
    for (int i = 0; i < solid_count; ++i) {
        find_parent(shells, &elements, tree, sources, order[i], is_known);
    }
}

abut_status abut_shells_nest(abut_shells *shells, const abut_mesh *mesh, const abut_tree *tree, abut_error *error)
{
    int solid_count = 0;
    for (int i = 0; i < shells->count; ++i) {
        solid_count += is_solid(&shells->shells[i]);
    }
    if (solid_count < 2) {
        return ABUT_OK;
    }
    walls made = {NULL, NULL, NULL};
    abut_status status = ABUT_OK;
    if (solid_count < shells->count) {
        status = make_walls(&made, shells, mesh, error);
        tree = made.tree;
    }
    int *order = abut_allocate(&shells->context, 2 * (size_t)solid_count, sizeof(int));
    unsigned char *is_known = abut_allocate_zeroed(&shells->context, (size_t)shells->count, 1);
    if (status == ABUT_OK && order != NULL && is_known != NULL) {
        find_parents(shells, mesh, tree, made.sources, order, solid_count, is_known);
    } else if (status == ABUT_OK) {
        status = abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    abut_free(&shells->context, order);
    abut_free(&shells->context, is_known);
    abut_tree_destroy(made.tree);
    abut_mesh_destroy(made.mesh);
    abut_free(&shells->context, made.sources);
    return status;
}
