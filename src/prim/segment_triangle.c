// SPDX-License-Identifier: MIT
// segment_triangle.c: exact intersection tests of segments and triangles
//
// The signs of orient3d and orient2d, and comparisons of coordinates, decide everything. Coplanar points are
// projected along a coordinate axis that is not parallel to their plane. This projection is one-to-one and rounds
// nothing.
#include "prim/segment_triangle.h"
#include "prim/compare.h"
#include <abut/predicates.h>

static int orient3d(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d)
{
    int sign;
    (void)abut_orient3d(a, b, c, d, &sign); // the sign is 0 if the input is out of range
    return sign;
}

static int orient2d(abut_vec2 a, abut_vec2 b, abut_vec2 c)
{
    int sign;
    (void)abut_orient2d(a, b, c, &sign);
    return sign;
}

// The projection along coordinate axis 0, 1 or 2.
static abut_vec2 view(abut_vec3 p, int axis)
{
    return axis == 0 ? abut_vec2_make(p.y, p.z) : axis == 1 ? abut_vec2_make(p.z, p.x) : abut_vec2_make(p.x, p.y);
}

// An axis along which the projections of a, b, c are not collinear, or -1 if a, b, c are collinear.
static int view_axis(abut_vec3 a, abut_vec3 b, abut_vec3 c)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (orient2d(view(a, axis), view(b, axis), view(c, axis)) != 0) {
            return axis;
        }
    }
    return -1;
}

static int ranges_overlap(double a0, double a1, double b0, double b1)
{
    return fmin(a0, a1) <= fmax(b0, b1) && fmin(b0, b1) <= fmax(a0, a1);
}

static abut_box segment_box(abut_vec3 p0, abut_vec3 p1)
{
    return abut_box_add(abut_box_add(abut_box_empty(), p0), p1);
}

static int is_finite_segment(abut_vec3 p0, abut_vec3 p1)
{
    return abut_is_finite(p0) && abut_is_finite(p1);
}

// Two segments in a plane intersect if their boxes overlap and neither is strictly on one side of the other's line.
static int flat_segments_intersect(abut_vec2 p0, abut_vec2 p1, abut_vec2 q0, abut_vec2 q1)
{
    return ranges_overlap(p0.x, p1.x, q0.x, q1.x) && ranges_overlap(p0.y, p1.y, q0.y, q1.y) &&
           orient2d(p0, p1, q0) * orient2d(p0, p1, q1) <= 0 && orient2d(q0, q1, p0) * orient2d(q0, q1, p1) <= 0;
}

static int is_in_flat_triangle(abut_vec2 p, const abut_vec2 t[3])
{
    int turn = orient2d(t[0], t[1], t[2]);
    return orient2d(t[0], t[1], p) * turn >= 0 && orient2d(t[1], t[2], p) * turn >= 0 &&
           orient2d(t[2], t[0], p) * turn >= 0;
}

int abut_segments_intersect(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1)
{
    if (!is_finite_segment(p0, p1) || !is_finite_segment(q0, q1) ||
        !abut_boxes_overlap(segment_box(p0, p1), segment_box(q0, q1)) || orient3d(p0, p1, q0, q1) != 0) {
        return 0;
    }
    // The four points are coplanar. Any three of them that are not collinear determine the plane.
    int axis = view_axis(p0, p1, q0);
    axis = axis >= 0 ? axis : view_axis(p0, p1, q1);
    axis = axis >= 0 ? axis : view_axis(p0, q0, q1);
    axis = axis >= 0 ? axis : view_axis(p1, q0, q1);
    if (axis < 0) {
        return 1; // collinear, with overlapping boxes
    }
    return flat_segments_intersect(view(p0, axis), view(p1, axis), view(q0, axis), view(q1, axis));
}

// The segment lies in the plane of the triangle, which has a nonzero area.
static int flat_segment_triangle_intersect(abut_vec3 p0, abut_vec3 p1, const abut_vec3 triangle[3])
{
    int axis = view_axis(triangle[0], triangle[1], triangle[2]);
    if (axis < 0) {
        return 1; // only if the coordinates are out of the predicates' range
    }
    abut_vec2 a = view(p0, axis), b = view(p1, axis);
    abut_vec2 t[3] = {view(triangle[0], axis), view(triangle[1], axis), view(triangle[2], axis)};
    return is_in_flat_triangle(a, t) || flat_segments_intersect(a, b, t[0], t[1]) ||
           flat_segments_intersect(a, b, t[1], t[2]) || flat_segments_intersect(a, b, t[2], t[0]);
}

int abut_triangle_is_segment(const abut_vec3 triangle[3], abut_vec3 ends[2])
{
    if (view_axis(triangle[0], triangle[1], triangle[2]) >= 0) {
        return 0;
    }
    // Collinear points have the order of their coordinates.
    ends[0] = ends[1] = triangle[0];
    for (int i = 1; i < 3; ++i) {
        ends[0] = abut_vec3_is_before(triangle[i], ends[0]) ? triangle[i] : ends[0];
        ends[1] = abut_vec3_is_before(ends[1], triangle[i]) ? triangle[i] : ends[1];
    }
    return 1;
}

int abut_segment_triangle_intersect(abut_vec3 p0, abut_vec3 p1, const abut_vec3 triangle[3])
{
    abut_vec3 ends[2];
    abut_vec3 a = triangle[0], b = triangle[1], c = triangle[2];
    if (!is_finite_segment(p0, p1) || !is_finite_segment(a, b) || !abut_is_finite(c)) {
        return 0;
    }
    int side0 = orient3d(a, b, c, p0), side1 = orient3d(a, b, c, p1);
    if (side0 * side1 > 0) {
        return 0;
    }
    if (side0 == 0 && side1 == 0) {
        return abut_triangle_is_segment(triangle, ends) ? abut_segments_intersect(p0, p1, ends[0], ends[1])
                                                        : flat_segment_triangle_intersect(p0, p1, triangle);
    }
    // The line of the segment crosses the plane in one point. It is in the triangle if all edges turn around it in
    // the same sense.
    int ab = orient3d(p0, p1, a, b), bc = orient3d(p0, p1, b, c), ca = orient3d(p0, p1, c, a);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}
