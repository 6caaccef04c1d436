// SPDX-License-Identifier: MIT
// overlap_volume.c: the volume that two closed meshes have in common
//
// A point is in a solid if the triangles above it, counted +1 if they face up and -1 if they face down, sum to 1. So
// the volume of the intersection is a sum over pairs of triangles: the product of their signs times the integral of
// the lower one of the two heights, over the part of the plane z = 0 that both are above. No pair needs to be decided
// exactly: triangles that are level, upright or touch in any way contribute what they should up to rounding.
#include "common/lab_support.h"

#include <abut-lab/overlap.h>

#include <stdlib.h>

enum { MOST_CORNERS = 10 }; // a triangle that is cut by three lines has six corners, and by one more seven

/// A triangle over the plane z = 0, counter-clockwise seen from above.
typedef struct flat_triangle {
    abut_vec3 corners[3];
    double lower[2], upper[2]; ///< of x and y
    double sign;               ///< -1 if it faced down
    double doubled_area;       ///< of its projection
} flat_triangle;

typedef struct flat_polygon {
    abut_vec3 corners[MOST_CORNERS]; ///< z: the function to be integrated
    int count;
} flat_polygon;

static double doubled_area(abut_vec3 a, abut_vec3 b, abut_vec3 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Keeps the part of a polygon where a linear function, given at its corners, is positive.
static void cut(flat_polygon *polygon, const double *values)
{
    flat_polygon kept = {.count = 0};
    for (int i = 0; i < polygon->count; ++i) {
        int next = i + 1 < polygon->count ? i + 1 : 0;
        double here = values[i], there = values[next];
        if (here >= 0.0) {
            kept.corners[kept.count++] = polygon->corners[i];
        }
        if ((here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0)) {
            kept.corners[kept.count++] =
                abut_lerp(polygon->corners[i], polygon->corners[next], here / (here - there));
        }
    }
    *polygon = kept;
}

/// The integral of z over a convex polygon.
static double integrate(const flat_polygon *polygon)
{
    double sum = 0.0;
    const abut_vec3 *p = polygon->corners;
    for (int i = 1; i + 1 < polygon->count; ++i) {
        sum += doubled_area(p[0], p[i], p[i + 1]) * (p[0].z + p[i].z + p[i + 1].z);
    }
    return sum / 6.0;
}

/// The height of a triangle above a point, which is within it up to rounding.
static double height_at(const flat_triangle *triangle, abut_vec3 p)
{
    const abut_vec3 *c = triangle->corners;
    double a = doubled_area(p, c[1], c[2]), b = doubled_area(p, c[2], c[0]);
    double z =
        c[2].z + (a * (c[0].z - c[2].z) + b * (c[1].z - c[2].z)) / triangle->doubled_area; // steep: off by a lot
    return fmin(fmax(z, fmin(c[0].z, fmin(c[1].z, c[2].z))), fmax(c[0].z, fmax(c[1].z, c[2].z)));
}

/// The integral of the lower one of two heights over the plane under both triangles.
static double common_prism(const flat_triangle *a, const flat_triangle *b)
{
    flat_polygon polygon = {.corners = {a->corners[0], a->corners[1], a->corners[2]}, .count = 3};
    double values[MOST_CORNERS];
    for (int i = 0; i < 3 && polygon.count > 2; ++i) {
        for (int k = 0; k < polygon.count; ++k) {
            values[k] = doubled_area(b->corners[i], b->corners[(i + 1) % 3], polygon.corners[k]);
        }
        cut(&polygon, values);
    }
    if (polygon.count < 3) {
        return 0.0;
    }
    // min(a, b) = a - max(a - b, 0)
    for (int k = 0; k < polygon.count; ++k) {
        polygon.corners[k].z = height_at(a, polygon.corners[k]);
    }
    double integral = integrate(&polygon);
    for (int k = 0; k < polygon.count; ++k) {
        values[k] = polygon.corners[k].z -= height_at(b, polygon.corners[k]);
    }
    cut(&polygon, values);
    return integral - integrate(&polygon);
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs of triangles

/// The triangles of a mesh whose projection has an area and meets the rectangle of `box`, ordered by their least x.
typedef struct flat_mesh {
    flat_triangle *triangles;
    int count;
} flat_mesh;

static int compare_triangles(const void *a, const void *b)
{
    double x = ((const flat_triangle *)a)->lower[0], y = ((const flat_triangle *)b)->lower[0];
    return (x > y) - (x < y);
}

static abut_box box_of(const abut_mesh *mesh, abut_pose pose)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_box box = abut_box_empty();
    for (int i = 0; i < elements.vertex_count; ++i) {
        box = abut_box_add(box, abut_pose_apply(pose, elements.vertices[i]));
    }
    return box;
}

static int flatten(const abut_vec3 corners[3], abut_box box, flat_triangle *flat)
{
    double area = doubled_area(corners[0], corners[1], corners[2]);
    if (area == 0.0) {
        return 0;
    }
    int is_down = area < 0.0;
    *flat = (flat_triangle){.sign = is_down ? -1.0 : 1.0, .doubled_area = fabs(area)};
    for (int i = 0; i < 3; ++i) {
        flat->corners[i] = corners[is_down ? 2 - i : i];
    }
    abut_vec3 lower = abut_min(corners[0], abut_min(corners[1], corners[2]));
    abut_vec3 upper = abut_max(corners[0], abut_max(corners[1], corners[2]));
    flat->lower[0] = lower.x;
    flat->lower[1] = lower.y;
    flat->upper[0] = upper.x;
    flat->upper[1] = upper.y;
    return lower.x <= box.upper.x && upper.x >= box.lower.x && lower.y <= box.upper.y && upper.y >= box.lower.y;
}

/// Returns 0 if memory ran out. The plane z = 0 is put into the middle of the box: the sum does not depend on it,
/// and rounding is least so.
static int flatten_mesh(const abut_context *context, const abut_mesh *mesh, abut_pose pose, abut_box box,
                        flat_mesh *flat)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_vec3 middle = abut_box_center(box);
    *flat = (flat_mesh){abut_allocate(context, (size_t)elements.triangle_count, sizeof *flat->triangles), 0};
    if (flat->triangles == NULL) {
        return 0;
    }
    abut_box moved = {abut_sub(box.lower, middle), abut_sub(box.upper, middle)};
    for (int i = 0; i < elements.triangle_count; ++i) {
        abut_vec3 corners[3];
        for (int k = 0; k < 3; ++k) {
            abut_vec3 vertex = elements.vertices[elements.triangles[3 * i + k]];
            corners[k] = abut_sub(abut_pose_apply(pose, vertex), middle);
        }
        flat->count += flatten(corners, moved, &flat->triangles[flat->count]);
    }
    qsort(flat->triangles, (size_t)flat->count, sizeof *flat->triangles, compare_triangles);
    return 1;
}

/// Sums over all pairs whose rectangles meet. `active` has room for the triangles of B.
static double sum_pairs(const flat_mesh *a, const flat_mesh *b, int *active)
{
    double sum = 0.0;
    int active_count = 0, next = 0;
    for (int i = 0; i < a->count; ++i) {
        const flat_triangle *t = &a->triangles[i];
        while (next < b->count && b->triangles[next].lower[0] <= t->upper[0]) {
            active[active_count++] = next++;
        }
        int kept = 0;
        for (int k = 0; k < active_count; ++k) {
            const flat_triangle *u = &b->triangles[active[k]];
            if (u->upper[0] < t->lower[0]) {
                continue; // left of all that follow
            }
            active[kept++] = active[k];
            if (u->lower[0] <= t->upper[0] && u->lower[1] <= t->upper[1] && u->upper[1] >= t->lower[1]) {
                sum += t->sign * u->sign * common_prism(t, u);
            }
        }
        active_count = kept;
    }
    return sum;
}

static int is_solid(const abut_mesh *mesh)
{
    abut_mesh_info info = abut_mesh_get_info(mesh);
    return info.is_closed && info.is_oriented;
}

abut_status abut_overlap_volume(const abut_context *context, const abut_mesh *a, abut_pose pose_a,
                                const abut_mesh *b, abut_pose pose_b, double *volume, abut_error *error)
{
    abut_context kept = abut_context_or_default(context);
    *volume = 0.0;
    if (!is_solid(a) || !is_solid(b)) {
        return abut_fail(error, ABUT_UNSUPPORTED, "mesh %s is not closed and oriented, so it has no volume",
                         is_solid(a) ? "B" : "A");
    }
    abut_pose b_to_a = abut_pose_relative(pose_a, pose_b);
    abut_box box_a = box_of(a, abut_pose_identity()), box_b = box_of(b, b_to_a);
    abut_box box = {abut_max(box_a.lower, box_b.lower), abut_min(box_a.upper, box_b.upper)};
    if (box.lower.x > box.upper.x || box.lower.y > box.upper.y || box.lower.z > box.upper.z) {
        return ABUT_OK;
    }
    flat_mesh flat_a = {0}, flat_b = {0};
    int is_done =
        flatten_mesh(&kept, a, abut_pose_identity(), box, &flat_a) && flatten_mesh(&kept, b, b_to_a, box, &flat_b);
    int *active = is_done ? abut_allocate(&kept, (size_t)flat_b.count, sizeof *active) : NULL;
    if (active != NULL) {
        *volume = fmax(sum_pairs(&flat_a, &flat_b, active), 0.0);
    }
    abut_free(&kept, active);
    abut_free(&kept, flat_a.triangles);
    abut_free(&kept, flat_b.triangles);
    return active != NULL ? ABUT_OK : abut_fail(error, ABUT_NO_MEMORY, "out of memory for an overlap");
}
