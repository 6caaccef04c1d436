// SPDX-License-Identifier: MIT
// polar_cone.c: the polar cone of the tangent cone at a vertex or an edge, and a cone about an axis that encloses it
//
// Equation (3): the polar cone is the set of z at right angles to the simplex with z . u <= 0 for the directions u from
// the simplex into the simplices of one dimension more. For a solid that is known by its boundary, u runs over the
// boundary only. All z of that set are then either outside the solid or inside it. The sign of z . N tells which, where
// N is the pseudonormal, the sum of the boundary normals weighted by their angles: by the divergence theorem N is
// minus the integral of the directions into the solid, up to a positive factor. If z is inside, the polar cone of the
// solid is empty.
//
// The set is found up to an angle tau, the rounding of the directions. Where it contains a line (shell faces, straight
// segments, isolated points), the enclosing cone is two-sided or holds all directions.
//
// Source:  Merlhiot 2007, equation (3), Table 1, section 6.3.
// Differs: the enclosing cone contains the polar cone of equation (3), as condition (6) needs it. The paper's U* is not
//          cut with the directions at right angles to the simplex. The paper's axis is the mean of the rays; at sharp
//          vertices, where a ray is more than a right angle from it, the cone is a half-space instead.
#include "complex/complex.h"

#include "math/eigen.h"

static const double pi = 3.14159265358979323846;
static const double same = 8.0;   ///< directions within this many tau are one
static const double twins = 64.0; ///< rays within this many tau may be one that was cut in two

static abut_polar_cone empty_cone(void)
{
    abut_polar_cone cone = {{0.0, 0.0, 1.0}, 0.0, 0, 0};
    return cone;
}

static abut_polar_cone make_cone(abut_vec3 axis, double half_angle, int dimension)
{
    abut_polar_cone cone = {axis, half_angle, 0, dimension};
    return cone;
}

/// Empty if the axis points into the solid.
static abut_polar_cone outside_only(abut_polar_cone cone, abut_vec3 outward)
{
    return abut_norm_squared(outward) > 0.0 && abut_dot(cone.axis, outward) <= 0.0 ? empty_cone() : cone;
}

/// The line through `n`, or its half that points out of the solid.
static abut_polar_cone line_cone(abut_vec3 n, double tau, abut_vec3 outward)
{
    int is_solid = abut_norm_squared(outward) > 0.0;
    abut_polar_cone cone = make_cone(is_solid && abut_dot(n, outward) < 0.0 ? abut_negate(n) : n, same * tau, 1);
    cone.is_two_sided = !is_solid;
    return cone;
}

/// Sorts numbers, mostly a few, by Shell's method: it needs no memory.
static void sort_numbers(double *x, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < count; ++i) {
            double value = x[i];
            int k = i;
            for (; k >= gap && x[k - gap] > value; k -= gap) {
                x[k] = x[k - gap];
            }
            x[k] = value;
        }
    }
}

/// The widest gap between angles, which get sorted, and the angle of its middle.
static double widest_gap(double *angles, int count, double *middle)
{
    sort_numbers(angles, count);
    double gap = angles[0] + 2.0 * pi - angles[count - 1];
    *middle = angles[count - 1] + 0.5 * gap;
    for (int i = 1; i < count; ++i) {
        if (angles[i] - angles[i - 1] > gap) {
            gap = angles[i] - angles[i - 1];
            *middle = angles[i - 1] + 0.5 * gap;
        }
    }
    return gap;
}

static double angle_in(abut_vec3 u, abut_vec3 x, abut_vec3 y)
{
    return atan2(abut_dot(u, y), abut_dot(u, x));
}

abut_polar_cone abut_polar_of_edge(abut_vec3 along, const abut_vec3 *u, int count, double tau, abut_vec3 outward,
                                   double *room)
{
    if (count == 0) { // a bare segment: the plane at right angles to it
        return make_cone(abut_any_perpendicular(along), pi, 2);
    }
    abut_vec3 x = u[0], y = abut_cross(along, x);
    int is_line = count > 1;
    for (int i = 0; i < count; ++i) {
        room[i] = angle_in(u[i], x, y);
        is_line = is_line && fabs(abut_dot(u[i], y)) <= tau;
    }
    double middle, gap = widest_gap(room, count, &middle);
    abut_vec3 axis = abut_add(abut_scale(cos(middle), x), abut_scale(sin(middle), y));
    if (is_line && gap <= pi + tau) { // flat
        return line_cone(y, tau, outward);
    }
    if (gap > pi + tau) {
        return outside_only(make_cone(axis, 0.5 * (gap - pi) + same * tau, 2), outward);
    }
    return gap >= pi - tau ? outside_only(make_cone(axis, same * tau, 1), outward) : empty_cone();
}

/// Directions in a plane with normal m: the polar cone in the plane, and the line through m.
static abut_polar_cone planar_polar(const abut_vec3 *u, int count, double tau, abut_mat3 frame, abut_vec3 outward,
                                    double *room)
{
    for (int i = 0; i < count; ++i) {
        room[i] = angle_in(u[i], frame.z, frame.y);
    }
    double middle, gap = widest_gap(room, count, &middle);
    if (gap < pi - tau) {
        return line_cone(frame.x, tau, outward);
    }
    abut_vec3 axis = abut_add(abut_scale(cos(middle), frame.z), abut_scale(sin(middle), frame.y));
    return outside_only(make_cone(axis, 0.5 * pi + same * tau, gap <= pi + tau ? 2 : 3), outward);
}

/// Cuts a cone, given by its rays in order, with the half-space r . u <= tau. Returns the number of rays left.
static int cut_rays(const abut_vec3 *in, int count, abut_vec3 u, double tau, abut_vec3 *out)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        abut_vec3 p = in[i], q = in[(i + 1) % count];
        double s = abut_dot(p, u) - tau, t = abut_dot(q, u) - tau;
        if (s <= 0.0) {
            out[kept++] = p;
        }
        if ((s < 0.0 && t > 0.0) || (s > 0.0 && t < 0.0)) {
            out[kept++] = abut_unit(abut_lerp(p, q, s / (s - t)));
        }
    }
    return kept;
}

static double angle_between(abut_vec3 a, abut_vec3 b)
{
    return atan2(abut_norm(abut_cross(a, b)), abut_dot(a, b));
}

/// The ray that is farthest from `ray`, and its angle.
static abut_vec3 farthest_ray(const abut_vec3 *rays, int count, abut_vec3 ray, double *angle)
{
    abut_vec3 farthest = ray;
    *angle = 0.0;
    for (int i = 0; i < count; ++i) {
        double between = angle_between(ray, rays[i]);
        farthest = between > *angle ? rays[i] : farthest;
        *angle = fmax(*angle, between);
    }
    return farthest;
}

/// The cone about the mean of some rays in order. A cut at a plane through a ray leaves two where there is one: they count
/// once, or the axis would depend on how flat faces are cut into triangles.
static abut_polar_cone cone_of_rays(const abut_vec3 *rays, int count, double tau)
{
    abut_vec3 mean = {0.0, 0.0, 0.0}, last = rays[count - 1];
    for (int i = 0; i < count; ++i) {
        if (angle_between(rays[i], last) > twins * tau) {
            mean = abut_add(mean, rays[i]);
            last = rays[i];
        }
    }
    mean = abut_norm_squared(mean) > 0.0 ? mean : last; // all of them are one
    abut_vec3 axis = abut_unit(mean);
    double half, diameter, off = 0.0;
    abut_vec3 one = farthest_ray(rays, count, axis, &half);
    abut_vec3 other = farthest_ray(rays, count, one, &diameter);
    abut_vec3 normal = abut_unit(abut_cross(one, other));
    for (int i = 0; i < count; ++i) {
        off = fmax(off, fabs(abut_dot(normal, rays[i])));
    }
    return make_cone(axis, half, diameter <= same * tau ? 1 : off <= same * tau ? 2 : 3);
}

/// Whether the polar cone of directions is a single ray near the axis of `cone`, which becomes that ray: some of them lie in
/// a plane, and no half of the plane is free of them. The rays of a cone that was cut with room for rounding do not tell
/// this if the free part is nearly a half, as at the rim of a hole of many sides.
static int is_ray(const abut_vec3 *u, int count, double tau, abut_polar_cone *cone, double *room)
{
    const double near = 0.2; // radians: how far from a right angle to the axis the directions of the plane can be
    int first = 0, second = 0, in_plane = 0;
    for (int i = 0; i < count; ++i) {
        first = fabs(abut_dot(u[i], cone->axis)) < fabs(abut_dot(u[first], cone->axis)) ? i : first;
    }
    abut_vec3 n = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        abut_vec3 other = abut_cross(u[first], u[i]);
        if (fabs(abut_dot(u[i], cone->axis)) < near && abut_norm_squared(other) > abut_norm_squared(n)) {
            n = other;
            second = i;
        }
    }
    if (second == first || !(abut_norm(n) > 0.01)) {
        return 0;
    }
    n = abut_scale(abut_dot(n, cone->axis) < 0.0 ? -1.0 : 1.0, abut_unit(n));
    abut_vec3 x = u[first], y = abut_cross(n, x);
    for (int i = 0; i < count; ++i) {
        if (fabs(abut_dot(u[i], n)) <= 2.0 * tau) {
            room[in_plane++] = angle_in(u[i], x, y);
        }
    }
    double middle;
    if (in_plane < 3 || widest_gap(room, in_plane, &middle) >= pi - tau) {
        return 0;
    }
    *cone = make_cone(n, same * tau, 1);
    return 1;
}

/// A cone that holds all convex combinations of the rays, too: one wider than a half-space need not. All of them are in the
/// half-space away from the sum of the directions.
static abut_polar_cone at_most_half(abut_polar_cone cone, const abut_vec3 *u, int count, double tau)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        sum = abut_add(sum, u[i]);
    }
    if (cone.half_angle > 0.5 * pi && abut_norm(sum) > 1e-6) {
        cone.axis = abut_negate(abut_unit(sum));
        cone.half_angle = 0.5 * pi + same * tau;
    } else if (cone.half_angle > 0.5 * pi) {
        cone.half_angle = pi;
    }
    return cone;
}

/// Three directions that span space as well as may be: the first one, the one most at right angles to it, and the one
/// farthest from their plane. Writes the three rays of their polar cone.
static void first_rays(const abut_vec3 *u, int count, abut_vec3 rays[3])
{
    int b = 0, c = 0;
    for (int i = 0; i < count; ++i) {
        b = abut_norm_squared(abut_cross(u[0], u[i])) > abut_norm_squared(abut_cross(u[0], u[b])) ? i : b;
    }
    abut_vec3 normal = abut_cross(u[0], u[b]);
    for (int i = 0; i < count; ++i) {
        c = fabs(abut_dot(normal, u[i])) > fabs(abut_dot(normal, u[c])) ? i : c;
    }
    double sign = abut_dot(normal, u[c]) > 0.0 ? -1.0 : 1.0;
    rays[0] = abut_scale(sign, abut_unit(normal));
    rays[1] = abut_scale(sign, abut_unit(abut_cross(u[b], u[c])));
    rays[2] = abut_scale(sign, abut_unit(abut_cross(u[c], u[0])));
}

/// Directions that span space: the polar cone has no lines.
static abut_polar_cone pointed_polar(const abut_vec3 *u, int count, double tau, abut_vec3 outward, abut_vec3 *room)
{
    abut_vec3 *rays = room, *others = room + count + 4;
    int kept = 3;
    first_rays(u, count, rays);
    for (int i = 0; i < count && kept > 0; ++i) {
        kept = cut_rays(rays, kept, u[i], tau, others);
        abut_vec3 *swapped = rays;
        rays = others;
        others = swapped;
    }
    if (kept == 0) {
        return empty_cone();
    }
    abut_polar_cone cone = cone_of_rays(rays, kept, tau);
    if (cone.dimension == 1 || !is_ray(u, count, tau, &cone, (double *)others)) {
        cone = at_most_half(cone, u, count, tau);
    }
    return outside_only(cone, outward);
}

abut_polar_cone abut_polar_of_vertex(const abut_vec3 *u, int count, double tau, abut_vec3 outward, abut_vec3 *room)
{
    if (count == 0) { // an isolated point
        return make_cone(abut_vec3_make(0.0, 0.0, 1.0), pi, 3);
    }
    abut_vec3 zero = {0.0, 0.0, 0.0};
    abut_mat3 spread = {zero, zero, zero};
    for (int i = 0; i < count; ++i) {
        spread.x = abut_add_scaled(spread.x, u[i].x, u[i]);
        spread.y = abut_add_scaled(spread.y, u[i].y, u[i]);
        spread.z = abut_add_scaled(spread.z, u[i].z, u[i]);
    }
    abut_mat3 frame = abut_eigen_symmetric(spread).vectors;
    double off_plane = 0.0, off_line = 0.0;
    int ahead = 0;
    for (int i = 0; i < count; ++i) {
        double across = abut_dot(u[i], frame.y), up = abut_dot(u[i], frame.x);
        off_plane = fmax(off_plane, fabs(up));
        off_line = fmax(off_line, fmax(fabs(up), fabs(across)));
        ahead += abut_dot(u[i], frame.z) > 0.0;
    }
    if (off_line <= 2.0 * tau) { // along one line: a plane if it runs both ways, else a half-space
        int is_end = ahead == 0 || ahead == count;
        return is_end ? make_cone(ahead > 0 ? abut_negate(frame.z) : frame.z, 0.5 * pi, 3)
                      : make_cone(frame.x, pi, 2);
    }
    return off_plane <= 2.0 * tau ? planar_polar(u, count, tau, frame, outward, (double *)room)
                                  : pointed_polar(u, count, tau, outward, room);
}
