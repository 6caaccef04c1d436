// SPDX-License-Identifier: MIT
// crossings.c: pairs of faces that intersect, found with a tree and exact tests
//
// Two triangles with a common edge intersect outside it only if they are coplanar and on the same side of the edge.
// Two triangles with a common vertex intersect outside it only if the side opposite the vertex of one intersects the
// other: a ray from the vertex through a common point leaves one of the triangles first, through that side, at a
// point of the other. Plain arithmetic with a margin for rounding rejects most pairs before any exact test.
#include "check/crossings.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "prim/compare.h"
#include "prim/segment_triangle.h"
#include "prim/triangle_triangle.h"

#include <abut/predicates.h>
#include <string.h>

// Relative error bound of sums and products of up to three coordinate differences, with a wide margin: a few dozen
// roundings of 1.1e-16 are below 1e-14.
static const double doubt = 1e-13;

static int orient3d(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d)
{
    int sign;
    (void)abut_orient3d(a, b, c, d, &sign); // the sign is 0 if the input is out of range
    return sign;
}

// Whether the coplanar points c and d are on different sides of the line a b. Projects along an axis for which a, b,
// c are not collinear.
static int are_on_different_sides(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d)
{
    const abut_vec2 views[3][4] = {{{a.y, a.z}, {b.y, b.z}, {c.y, c.z}, {d.y, d.z}},
                                   {{a.z, a.x}, {b.z, b.x}, {c.z, c.x}, {d.z, d.x}},
                                   {{a.x, a.y}, {b.x, b.y}, {c.x, c.y}, {d.x, d.y}}};
    for (int i = 0; i < 3; ++i) {
        int side_c, side_d;
        (void)abut_orient2d(views[i][0], views[i][1], views[i][2], &side_c);
        (void)abut_orient2d(views[i][0], views[i][1], views[i][3], &side_d);
        if (side_c != 0) {
            return side_c != side_d;
        }
    }
    return 0;
}

// Whether the triangles a, b, c and a, b, d intersect outside the edge a b.
static int cross_at_edge(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d)
{
    abut_vec3 edge = abut_sub(b, a), to_c = abut_sub(c, a), to_d = abut_sub(d, a);
    // squared length of the edge times the dot product of the heights of c and d over it; negative if these point
    // apart
    double length = abut_norm_squared(edge);
    double apart = length * abut_dot(to_c, to_d) - abut_dot(edge, to_c) * abut_dot(edge, to_d);
    double size = length * (abut_norm_squared(to_c) + abut_norm_squared(to_d));
    if (apart < -doubt * size) {
        return 0;
    }
    return orient3d(a, b, c, d) == 0 && !are_on_different_sides(a, b, c, d);
}

// Whether a plane through the common vertex (the origin) separates the two triangles.
static int are_parted(abut_vec3 a1, abut_vec3 a2, abut_vec3 b1, abut_vec3 b2)
{
    abut_vec3 middle_a = abut_add(a1, a2), middle_b = abut_add(b1, b2);
    double length_a = abut_norm(middle_a), length_b = abut_norm(middle_b);
    abut_vec3 normal = abut_sub(abut_scale(length_b, middle_a), abut_scale(length_a, middle_b));
    double size = doubt * length_a * length_b;
    return abut_dot(normal, a1) > size * abut_norm(a1) && abut_dot(normal, a2) > size * abut_norm(a2) &&
           abut_dot(normal, b1) < -size * abut_norm(b1) && abut_dot(normal, b2) < -size * abut_norm(b2);
}

// Whether two triangles whose first corner is the same intersect elsewhere.
static int cross_at_vertex(const abut_vec3 a[3], const abut_vec3 b[3])
{
    abut_vec3 o = a[0];
    if (are_parted(abut_sub(a[1], o), abut_sub(a[2], o), abut_sub(b[1], o), abut_sub(b[2], o))) {
        return 0;
    }
    return abut_segment_triangle_intersect(a[1], a[2], b) || abut_segment_triangle_intersect(b[1], b[2], a);
}

// Whether an axis (the normal of a, or the normal of one of its sides in its plane) clearly separates a and b.
static int is_beyond(const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 axis, double size)
{
    double low_a = HUGE_VAL, high_a = -HUGE_VAL, low_b = HUGE_VAL, high_b = -HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        double on_a = abut_dot(axis, abut_sub(a[k], a[0])), on_b = abut_dot(axis, abut_sub(b[k], a[0]));
        low_a = fmin(low_a, on_a);
        high_a = fmax(high_a, on_a);
        low_b = fmin(low_b, on_b);
        high_b = fmax(high_b, on_b);
    }
    double margin = doubt * size * abut_norm(axis);
    return low_b - high_a > margin || low_a - high_b > margin;
}

static int are_clearly_apart(const abut_vec3 a[3], const abut_vec3 b[3])
{
    abut_vec3 u = abut_sub(a[1], a[0]), v = abut_sub(a[2], a[0]), w = abut_sub(a[2], a[1]);
    double size = abut_norm(u) + abut_norm(v) + abut_norm(abut_sub(b[0], a[0])) + abut_norm(abut_sub(b[1], a[0])) +
                  abut_norm(abut_sub(b[2], a[0]));
    abut_vec3 normal = abut_cross(u, v);
    return is_beyond(a, b, normal, size) || is_beyond(a, b, abut_cross(normal, u), size) ||
           is_beyond(a, b, abut_cross(normal, w), size) || is_beyond(a, b, abut_cross(normal, v), size);
}

int abut_triangles_cross(const abut_vec3 *vertices, const int a[3], const int b[3])
{
    int shared_a[3], shared_b[3], count = 0;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (a[i] == b[k]) {
                shared_a[count] = i;
                shared_b[count++] = k;
            }
        }
    }
    if (count == 3) {
        return 1;
    }
    if (count == 2) {
        int rest_a = 3 - shared_a[0] - shared_a[1], rest_b = 3 - shared_b[0] - shared_b[1];
        return cross_at_edge(vertices[a[shared_a[0]]], vertices[a[shared_a[1]]], vertices[a[rest_a]],
                             vertices[b[rest_b]]);
    }
    int first_a = count == 1 ? shared_a[0] : 0, first_b = count == 1 ? shared_b[0] : 0;
    abut_vec3 corners_a[3], corners_b[3];
    for (int k = 0; k < 3; ++k) {
        corners_a[k] = vertices[a[(first_a + k) % 3]];
        corners_b[k] = vertices[b[(first_b + k) % 3]];
    }
    if (count == 1) {
        return cross_at_vertex(corners_a, corners_b);
    }
    return abut_boxes_overlap(abut_box_of(corners_a, 3), abut_box_of(corners_b, 3)) &&
           !are_clearly_apart(corners_a, corners_b) && !are_clearly_apart(corners_b, corners_a) &&
           abut_triangles_intersect(corners_a, corners_b);
}

typedef struct search {
    const abut_context *context;
    const abut_vec3 *vertices;
    const int *triangles;
    const int *triangle_faces;
    const abut_junctions *junctions;
    int64_t work_left;
    int *pairs; // two faces each
    int count, capacity;
} search;

// Limits of the work, so that the time stays linear even if everything overlaps everything. A sound mesh needs about
// 15 visits per triangle (its neighbours at edges and vertices); WORK_EACH is twice that. WORK_BASE is for fans of
// many triangles. A pair without a common vertex takes the longer tests and counts WORK_STRANGERS more.
enum { WORK_EACH = 30, WORK_BASE = 4000000, WORK_VISIT = 1, WORK_STRANGERS = 4, PAIRS_LIMIT = 1000000 };

enum { SEARCH_LIMIT = 1, SEARCH_FAILED = 2 };

static int have_common(const int a[3], const int b[3])
{
    for (int i = 0; i < 3; ++i) {
        if (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) {
            return 1;
        }
    }
    return 0;
}

static int visit(void *user, int a, int b)
{
    search *s = user;
    const int *corners_a = s->triangles + 3 * (size_t)a, *corners_b = s->triangles + 3 * (size_t)b;
    s->work_left -= WORK_VISIT;
    if (!have_common(corners_a, corners_b)) {
        s->work_left -= WORK_STRANGERS;
    }
    if (s->work_left < 0) {
        return SEARCH_LIMIT;
    }
    if (s->triangle_faces[a] == s->triangle_faces[b] || !abut_triangles_cross(s->vertices, corners_a, corners_b) ||
        abut_junctions_join(s->junctions, s->triangles, a, b)) {
        return 0;
    }
    if (s->count == PAIRS_LIMIT) {
        return SEARCH_LIMIT;
    }
    if (!abut_grow(s->context, &s->pairs, &s->capacity, s->count + 1, 2 * sizeof(int))) {
        return SEARCH_FAILED;
    }
    int *pair = s->pairs + 2 * (size_t)s->count++;
    pair[0] = s->triangle_faces[a];
    pair[1] = s->triangle_faces[b];
    return 0;
}

static int compare_pairs(const void *user, int a, int b)
{
    const int *x = (const int *)user + 2 * (size_t)a, *y = (const int *)user + 2 * (size_t)b;
    if (x[0] != y[0]) {
        return x[0] < y[0] ? -1 : 1;
    }
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

// Reports the pairs in the order of the faces. A pair of polygons whose triangles cross several times counts once.
static abut_status report(const search *s, const abut_surface *surface, abut_check *check)
{
    int *order = abut_allocate(s->context, 2 * (size_t)s->count, sizeof(int));
    if (order == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < s->count; ++i) {
        order[i] = i;
    }
    abut_sort_indices(order, order + s->count, s->count, compare_pairs, s->pairs);
    for (int i = 0; i < s->count; ++i) {
        if (i == 0 || compare_pairs(s->pairs, order[i - 1], order[i]) != 0) {
            const int *pair = s->pairs + 2 * (size_t)order[i];
            abut_findings_add_two(check, ABUT_FINDING_SELF_INTERSECTION, surface->face_sources.items[pair[0]],
                                  surface->face_sources.items[pair[1]]);
        }
    }
    abut_free(s->context, order);
    return ABUT_OK;
}

abut_status abut_crossings_find(abut_check *check, const abut_surface *surface, const abut_mesh *mesh,
                                const abut_tree *tree, const abut_junctions *junctions, abut_error *error)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    search s = {.context = &check->context,
                .vertices = elements.vertices,
                .triangles = elements.triangles,
                .triangle_faces = elements.triangle_faces,
                .junctions = junctions,
                .work_left = WORK_BASE + (int64_t)WORK_EACH * elements.triangle_count};
    int result = abut_tree_self_pairs(tree, 0.0, visit, &s);
    if (result == SEARCH_LIMIT) {
        abut_findings_end_early(check, ABUT_FINDING_SELF_INTERSECTION);
    }
    abut_status status = result == SEARCH_FAILED ? ABUT_NO_MEMORY : report(&s, surface, check);
    abut_free(s.context, s.pairs);
    return status == ABUT_OK ? ABUT_OK : abut_surface_fail(error, status);
}
