// SPDX-License-Identifier: MIT
// erosion.c: moving the surface of a mesh inward
//
// Mitred: a vertex moves by d with n . d = -epsilon for the normal n of every face at it. Weights by corner angle make
// the result independent of how a plane is cut into triangles. Up to three planes have solutions, of which the
// shortest is taken; more planes have a least-squares solution. Both come from the eigenvectors of the sum of w n n^T.
// Directions along which no normal has a part get no move. Along each eigenvector a vertex moves by at most
// `most_steps` epsilons, which limits very sharp vertices only. If a triangle would turn inside out, its corners move
// half as far, until it does not. Both limits are counted.
#include "method/erosion.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/eigen.h"

static const double most_steps = 8.0;  ///< epsilons; the tip of a cone of half angle asin(1 / 8) = 7 degrees has 8
static const double flat_limit = 1e-8; ///< ratio of eigenvalues: normals that differ by less than 1e-4 are one
static const double scale_factor = 0.99; ///< as in the author's program

enum { HALVING_ROUNDS = 30 }; ///< after these a vertex does not move at all

typedef struct work {
    abut_mesh_elements mesh;
    abut_mesh_topology topology;
    double epsilon;
    abut_vec3 *moves;
    unsigned char *is_capped;
} work;

static abut_vec3 corner_of(const work *w, int triangle, int k)
{
    return w->mesh.vertices[w->mesh.triangles[3 * (size_t)triangle + (size_t)(k % 3)]];
}

/// Unit, or zero if the triangle has no area.
static abut_vec3 normal_of(const work *w, int triangle)
{
    abut_vec3 p = corner_of(w, triangle, 0);
    return abut_unit(abut_cross(abut_sub(corner_of(w, triangle, 1), p), abut_sub(corner_of(w, triangle, 2), p)));
}

static double angle_at(const work *w, int triangle, int vertex)
{
    int k = 0;
    while (k < 2 && w->mesh.triangles[3 * (size_t)triangle + (size_t)k] != vertex) {
        ++k;
    }
    abut_vec3 p = corner_of(w, triangle, k);
    abut_vec3 u = abut_sub(corner_of(w, triangle, k + 1), p), v = abut_sub(corner_of(w, triangle, k + 2), p);
    return atan2(abut_norm(abut_cross(u, v)), abut_dot(u, v));
}

static void add_outer(abut_mat3 *m, double weight, abut_vec3 n)
{
    m->x = abut_add_scaled(m->x, weight * n.x, n);
    m->y = abut_add_scaled(m->y, weight * n.y, n);
    m->z = abut_add_scaled(m->z, weight * n.z, n);
}

/// The eigenvectors of the sum of w n n^T over the triangles at a vertex, and the sum of w n. w is the angle of the
/// triangle there.
static abut_eigen spread_at(const work *w, int vertex, abut_vec3 *sum)
{
    abut_vec3 zero = {0.0, 0.0, 0.0};
    abut_mat3 matrix = {zero, zero, zero};
    *sum = zero;
    for (int i = w->topology.vertex_triangle_offsets[vertex]; i < w->topology.vertex_triangle_offsets[vertex + 1];
         ++i) {
        int triangle = w->topology.vertex_triangles[i];
        abut_vec3 n = normal_of(w, triangle);
        double weight = angle_at(w, triangle, vertex);
        *sum = abut_add_scaled(*sum, weight, n);
        add_outer(&matrix, weight, n);
    }
    return abut_eigen_symmetric(matrix);
}

/// The move of a vertex, in units of epsilon.
static abut_vec3 mitre(work *w, int vertex)
{
    abut_vec3 sum, way = {0.0, 0.0, 0.0};
    abut_eigen eigen = spread_at(w, vertex, &sum);
    const double values[3] = {eigen.values.x, eigen.values.y, eigen.values.z};
    const abut_vec3 axes[3] = {eigen.vectors.x, eigen.vectors.y, eigen.vectors.z};
    for (int k = 0; k < 3; ++k) {
        if (values[k] > flat_limit * values[2]) {
            double step = -abut_dot(axes[k], sum) / values[k];
            w->is_capped[vertex] |= fabs(step) > most_steps;
            way = abut_add_scaled(way, fmin(fmax(step, -most_steps), most_steps), axes[k]);
        }
    }
    return way;
}

static abut_vec3 against_normal(const work *w, int vertex)
{
    abut_vec3 sum;
    (void)spread_at(w, vertex, &sum);
    return abut_negate(abut_unit(sum));
}

static void move_to_mean(work *w)
{
    abut_vec3 mean = {0.0, 0.0, 0.0};
    for (int i = 0; i < w->mesh.vertex_count; ++i) {
        mean = abut_add_scaled(mean, 1.0 / w->mesh.vertex_count, w->mesh.vertices[i]);
    }
    for (int i = 0; i < w->mesh.vertex_count; ++i) {
        w->moves[i] = abut_scale(1.0 - scale_factor, abut_sub(mean, w->mesh.vertices[i]));
    }
}

/// Whether the author's program would make the mesh as a box or a convex hull: closed, convex at every edge, and every
/// vertex a corner. Its other convex bodies, the drums of columns, have vertices in the middle of their flat ends.
static int is_hull(const work *w)
{
    for (int i = 0; i < w->mesh.vertex_count; ++i) {
        abut_vec3 sum;
        abut_vec3 values = spread_at(w, i, &sum).values;
        if (values.z > 0.0 && !(values.x > flat_limit * values.z)) { // not of inner vertices
            return 0;
        }
    }
    double slack = 1e-9 * abut_box_diagonal(w->mesh.bounds);
    for (int i = 0; i < 3 * w->mesh.triangle_count; ++i) {
        int next = w->topology.triangle_neighbours[i];
        if (next < 0) {
            return 0;
        }
        abut_vec3 n = normal_of(w, i / 3);
        for (int k = 0; k < 3; ++k) {
            if (abut_dot(n, abut_sub(corner_of(w, next, k), corner_of(w, i / 3, 0))) > slack) {
                return 0;
            }
        }
    }
    return 1;
}

/// Whether the moved triangle has no area or faces the other way, while the unmoved one has area.
static int is_turned(const work *w, int triangle)
{
    abut_vec3 before[3], after[3];
    for (int k = 0; k < 3; ++k) {
        before[k] = corner_of(w, triangle, k);
        after[k] = abut_add(before[k], w->moves[w->mesh.triangles[3 * (size_t)triangle + (size_t)k]]);
    }
    abut_vec3 n = abut_cross(abut_sub(before[1], before[0]), abut_sub(before[2], before[0]));
    abut_vec3 m = abut_cross(abut_sub(after[1], after[0]), abut_sub(after[2], after[0]));
    return abut_norm_squared(n) > 0.0 && !(abut_dot(abut_unit(n), m) > 0.0);
}

/// Halves the moves at triangles that turn inside out until none does. `marks` has room for a byte for each vertex.
static void shorten_turned(work *w, unsigned char *marks)
{
    int turned = 1;
    for (int round = 0; turned > 0 && round <= HALVING_ROUNDS; ++round) {
        turned = 0;
        for (int i = 0; i < w->mesh.vertex_count; ++i) {
            marks[i] = 0;
        }
        for (int i = 0; i < w->mesh.triangle_count; ++i) {
            if (is_turned(w, i)) {
                ++turned;
                for (int k = 0; k < 3; ++k) {
                    marks[w->mesh.triangles[3 * (size_t)i + (size_t)k]] = 1;
                }
            }
        }
        for (int i = 0; i < w->mesh.vertex_count; ++i) {
            if (marks[i]) {
                w->moves[i] = abut_scale(round < HALVING_ROUNDS ? 0.5 : 0.0, w->moves[i]);
                w->is_capped[i] = 1;
            }
        }
    }
}

static double recession_of(const work *w, int vertex)
{
    double least = w->epsilon;
    for (int i = w->topology.vertex_triangle_offsets[vertex]; i < w->topology.vertex_triangle_offsets[vertex + 1];
         ++i) {
        abut_vec3 n = normal_of(w, w->topology.vertex_triangles[i]);
        if (abut_norm_squared(n) > 0.0) {
            least = fmin(least, -abut_dot(n, w->moves[vertex]));
        }
    }
    return fmax(least, 0.0);
}

/// Fills in the moves, and how far each vertex recedes.
static void fill(work *w, abut_erosion_kind kind, abut_erosion *e, unsigned char *marks)
{
    int count = w->mesh.vertex_count;
    if (kind == ABUT_EROSION_PROGRAM) {
        kind = is_hull(w) ? ABUT_EROSION_VERTEX_NORMAL : ABUT_EROSION_SCALE;
    }
    if (kind == ABUT_EROSION_SCALE) {
        move_to_mean(w);
    }
    if (kind == ABUT_EROSION_MITRED || kind == ABUT_EROSION_VERTEX_NORMAL) {
        for (int i = 0; i < count; ++i) {
            w->moves[i] = abut_scale(w->epsilon, kind == ABUT_EROSION_MITRED ? mitre(w, i) : against_normal(w, i));
        }
        shorten_turned(w, marks);
    }
    e->overreach = kind == ABUT_EROSION_MITRED ? 0.0 : w->epsilon;
    for (int i = 0; i < count; ++i) {
        e->vertices[i] = abut_add(w->mesh.vertices[i], w->moves[i]);
        e->recessions[i] = kind == ABUT_EROSION_MITRED ? recession_of(w, i) : w->epsilon;
        e->farthest = fmax(e->farthest, fmax(e->recessions[i], abut_norm(w->moves[i])));
        e->cap_count += w->is_capped[i];
    }
}

abut_status abut_mitred_moves(const abut_context *context, const abut_mesh *mesh, double epsilon, abut_vec3 *moves,
                              int *cap_count, abut_error *error)
{
    work w = {.mesh = abut_mesh_get_elements(mesh), .topology = abut_mesh_get_topology(mesh), .epsilon = epsilon};
    size_t count = (size_t)w.mesh.vertex_count;
    w.moves = moves;
    w.is_capped = abut_allocate_zeroed(context, count, 2);
    if (w.is_capped == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to move the surface of a mesh");
    }
    for (int i = 0; i < w.mesh.vertex_count; ++i) {
        moves[i] = abut_scale(epsilon, mitre(&w, i));
    }
    shorten_turned(&w, w.is_capped + count);
    *cap_count = 0;
    for (int i = 0; i < w.mesh.vertex_count; ++i) {
        *cap_count += w.is_capped[i];
    }
    abut_free(context, w.is_capped);
    return ABUT_OK;
}

abut_status abut_erosion_create(const abut_context *context, const abut_mesh *mesh, abut_erosion_kind kind,
                                double epsilon, abut_element_kind tree_kind, abut_erosion **erosion,
                                abut_error *error)
{
    work w = {.mesh = abut_mesh_get_elements(mesh), .topology = abut_mesh_get_topology(mesh), .epsilon = epsilon};
    size_t count = (size_t)w.mesh.vertex_count;
    abut_erosion *made = abut_allocate_zeroed(context, 1, sizeof *made);
    *erosion = NULL;
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to erode a mesh");
    }
    made->epsilon = epsilon;
    made->vertex_count = w.mesh.vertex_count;
    made->vertices = abut_allocate(context, count, sizeof *made->vertices);
    made->recessions = abut_allocate(context, count, sizeof *made->recessions);
    w.moves = abut_allocate_zeroed(context, count, sizeof *w.moves);
    w.is_capped = abut_allocate_zeroed(context, count, 2);
    abut_status status = ABUT_OK;
    if (made->vertices == NULL || made->recessions == NULL || w.moves == NULL || w.is_capped == NULL) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory to erode a mesh of %d vertices", w.mesh.vertex_count);
    } else {
        fill(&w, kind, made, w.is_capped + count);
        status = abut_tree_create(context, mesh, tree_kind, &made->tree, error);
    }
    abut_free(context, w.moves);
    abut_free(context, w.is_capped);
    if (status != ABUT_OK) {
        abut_erosion_destroy(made, context);
        return status;
    }
    abut_tree_refit(made->tree, made->vertices, NULL);
    *erosion = made;
    return ABUT_OK;
}

void abut_erosion_destroy(abut_erosion *erosion, const abut_context *context)
{
    if (erosion == NULL) {
        return;
    }
    abut_tree_destroy(erosion->tree);
    abut_free(context, erosion->vertices);
    abut_free(context, erosion->recessions);
    abut_free(context, erosion);
}

size_t abut_erosion_bytes(const abut_erosion *erosion)
{
    size_t of_vertex = sizeof *erosion->vertices + sizeof *erosion->recessions;
    return sizeof *erosion + (size_t)erosion->vertex_count * of_vertex + abut_tree_get_info(erosion->tree).bytes;
}
