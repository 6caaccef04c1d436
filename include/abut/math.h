// SPDX-License-Identifier: MIT
/// @file math.h
/// Vectors, matrices, quaternions, poses and boxes: plain values, passed by value.
#ifndef ABUT_MATH_H
#define ABUT_MATH_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_vec2 {
    double x, y;
} abut_vec2;

typedef struct abut_vec3 {
    double x, y, z;
} abut_vec3;

/// A 3x3 matrix by columns: `x` is the image of (1,0,0).
typedef struct abut_mat3 {
    abut_vec3 x, y, z;
} abut_mat3;

/// w + xi + yj + zk; rotations are unit quaternions.
typedef struct abut_quat {
    double w, x, y, z;
} abut_quat;

/// A rigid motion: p -> rotation p + position.
typedef struct abut_pose {
    abut_vec3 position;
    abut_quat rotation;
} abut_pose;

/// An axis-aligned box; empty if lower > upper.
typedef struct abut_box {
    abut_vec3 lower, upper;
} abut_box;

static inline abut_vec2 abut_vec2_make(double x, double y)
{
    abut_vec2 v = {x, y};
    return v;
}

static inline abut_vec3 abut_vec3_make(double x, double y, double z)
{
    abut_vec3 v = {x, y, z};
    return v;
}

/// a + b
static inline abut_vec3 abut_add(abut_vec3 a, abut_vec3 b)
{
    return abut_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

/// a - b
static inline abut_vec3 abut_sub(abut_vec3 a, abut_vec3 b)
{
    return abut_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// s v
static inline abut_vec3 abut_scale(double s, abut_vec3 v)
{
    return abut_vec3_make(s * v.x, s * v.y, s * v.z);
}

/// -v
static inline abut_vec3 abut_negate(abut_vec3 v)
{
    return abut_vec3_make(-v.x, -v.y, -v.z);
}

/// a + s b
static inline abut_vec3 abut_add_scaled(abut_vec3 a, double s, abut_vec3 b)
{
    return abut_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/// (1 - t) a + t b
static inline abut_vec3 abut_lerp(abut_vec3 a, abut_vec3 b, double t)
{
    return abut_add(abut_scale(1.0 - t, a), abut_scale(t, b));
}

/// a . b
static inline double abut_dot(abut_vec3 a, abut_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// a x b
static inline abut_vec3 abut_cross(abut_vec3 a, abut_vec3 b)
{
    return abut_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double abut_norm_squared(abut_vec3 v)
{
    return abut_dot(v, v);
}

static inline double abut_norm(abut_vec3 v)
{
    return sqrt(abut_norm_squared(v));
}

static inline double abut_max_component(abut_vec3 v)
{
    return fmax(fmax(v.x, v.y), v.z);
}

static inline abut_vec3 abut_abs(abut_vec3 v)
{
    return abut_vec3_make(fabs(v.x), fabs(v.y), fabs(v.z));
}

/// The lesser of each component, or that of a if one is NaN. Comparing is much faster than calling fmin.
static inline abut_vec3 abut_min(abut_vec3 a, abut_vec3 b)
{
    return abut_vec3_make(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z);
}

/// The greater of each component, or that of a if one is NaN.
static inline abut_vec3 abut_max(abut_vec3 a, abut_vec3 b)
{
    return abut_vec3_make(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z);
}

static inline int abut_is_finite(abut_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/// v / |v|, safe from overflow and underflow; the zero vector if v is zero or not finite.
static inline abut_vec3 abut_unit(abut_vec3 v)
{
    double squared = abut_norm_squared(v);
    if (squared > 1e-30 && squared < 1e30) { // no square of a component that counts over- or underflows
        return abut_scale(1.0 / sqrt(squared), v);
    }
    double largest = abut_max_component(abut_abs(v));
    if (!(largest > 0.0) || !abut_is_finite(v)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    int exponent;
    (void)frexp(largest, &exponent);
    abut_vec3 w = abut_vec3_make(ldexp(v.x, -exponent), ldexp(v.y, -exponent), ldexp(v.z, -exponent));
    return abut_scale(1.0 / abut_norm(w), w);
}

/// A unit vector at right angles to the unit vector n.
static inline abut_vec3 abut_any_perpendicular(abut_vec3 n)
{
    abut_vec3 a = abut_abs(n);
    abut_vec3 axis = abut_vec3_make(0.0, 0.0, 1.0);
    if (a.x <= a.y && a.x <= a.z) {
        axis = abut_vec3_make(1.0, 0.0, 0.0);
    } else if (a.y <= a.z) {
        axis = abut_vec3_make(0.0, 1.0, 0.0);
    }
    return abut_unit(abut_cross(n, axis));
}

static inline abut_mat3 abut_mat3_make(abut_vec3 x, abut_vec3 y, abut_vec3 z)
{
    abut_mat3 m = {x, y, z};
    return m;
}

static inline abut_mat3 abut_mat3_identity(void)
{
    return abut_mat3_make(abut_vec3_make(1, 0, 0), abut_vec3_make(0, 1, 0), abut_vec3_make(0, 0, 1));
}

/// m v
static inline abut_vec3 abut_mat3_apply(abut_mat3 m, abut_vec3 v)
{
    return abut_vec3_make(m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                          m.x.z * v.x + m.y.z * v.y + m.z.z * v.z);
}

/// transpose(m) v; the inverse of a rotation
static inline abut_vec3 abut_mat3_apply_transposed(abut_mat3 m, abut_vec3 v)
{
    return abut_vec3_make(abut_dot(m.x, v), abut_dot(m.y, v), abut_dot(m.z, v));
}

/// a b
static inline abut_mat3 abut_mat3_multiply(abut_mat3 a, abut_mat3 b)
{
    return abut_mat3_make(abut_mat3_apply(a, b.x), abut_mat3_apply(a, b.y), abut_mat3_apply(a, b.z));
}

static inline abut_mat3 abut_mat3_transpose(abut_mat3 m)
{
    return abut_mat3_make(abut_vec3_make(m.x.x, m.y.x, m.z.x), abut_vec3_make(m.x.y, m.y.y, m.z.y),
                          abut_vec3_make(m.x.z, m.y.z, m.z.z));
}

static inline double abut_mat3_determinant(abut_mat3 m)
{
    return abut_dot(m.x, abut_cross(m.y, m.z));
}

static inline abut_quat abut_quat_make(double w, double x, double y, double z)
{
    abut_quat q = {w, x, y, z};
    return q;
}

static inline abut_quat abut_quat_identity(void)
{
    return abut_quat_make(1.0, 0.0, 0.0, 0.0);
}

/// Rotation by `angle` radians about the unit vector `axis`.
static inline abut_quat abut_quat_from_axis(abut_vec3 axis, double angle)
{
    double s = sin(0.5 * angle);
    return abut_quat_make(cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z);
}

/// a b: rotates by b first
static inline abut_quat abut_quat_multiply(abut_quat a, abut_quat b)
{
    return abut_quat_make(
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

static inline abut_quat abut_quat_conjugate(abut_quat q)
{
    return abut_quat_make(q.w, -q.x, -q.y, -q.z);
}

/// q / |q|, safe from overflow and underflow; the identity if q is zero or not finite.
static inline abut_quat abut_quat_unit(abut_quat q)
{
    double squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (squared > 1e-30 && squared < 1e30) { // as in abut_unit()
        double share = 1.0 / sqrt(squared);
        return abut_quat_make(share * q.w, share * q.x, share * q.y, share * q.z);
    }
    double largest = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
    if (!(largest > 0.0) || !isfinite(q.w) || !isfinite(q.x) || !isfinite(q.y) || !isfinite(q.z)) {
        return abut_quat_identity();
    }
    int exponent;
    (void)frexp(largest, &exponent);
    q = abut_quat_make(ldexp(q.w, -exponent), ldexp(q.x, -exponent), ldexp(q.y, -exponent), ldexp(q.z, -exponent));
    double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return abut_quat_make(s * q.w, s * q.x, s * q.y, s * q.z);
}

/// The rotation matrix of a unit quaternion; exact for the identity and for half turns about the axes.
static inline abut_mat3 abut_quat_matrix(abut_quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return abut_mat3_make(abut_vec3_make(1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy)),
                          abut_vec3_make(2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx)),
                          abut_vec3_make(2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy)));
}

/// q v conjugate(q) for a unit quaternion
static inline abut_vec3 abut_quat_rotate(abut_quat q, abut_vec3 v)
{
    return abut_mat3_apply(abut_quat_matrix(q), v);
}

static inline abut_pose abut_pose_make(abut_vec3 position, abut_quat rotation)
{
    abut_pose pose = {position, rotation};
    return pose;
}

static inline abut_pose abut_pose_identity(void)
{
    return abut_pose_make(abut_vec3_make(0.0, 0.0, 0.0), abut_quat_identity());
}

/// Where the pose puts the body's point p.
static inline abut_vec3 abut_pose_apply(abut_pose pose, abut_vec3 p)
{
    return abut_add(abut_quat_rotate(pose.rotation, p), pose.position);
}

/// The body's point that the pose puts at p.
static inline abut_vec3 abut_pose_apply_inverse(abut_pose pose, abut_vec3 p)
{
    return abut_mat3_apply_transposed(abut_quat_matrix(pose.rotation), abut_sub(p, pose.position));
}

/// a b: b first
static inline abut_pose abut_pose_multiply(abut_pose a, abut_pose b)
{
    return abut_pose_make(abut_pose_apply(a, b.position), abut_quat_multiply(a.rotation, b.rotation));
}

/// inverse(a) b: with the poses of two bodies, the map from B's frame to A's
static inline abut_pose abut_pose_relative(abut_pose a, abut_pose b)
{
    return abut_pose_make(abut_pose_apply_inverse(a, b.position),
                          abut_quat_multiply(abut_quat_conjugate(a.rotation), b.rotation));
}

static inline abut_box abut_box_empty(void)
{
    abut_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    return box;
}

static inline abut_box abut_box_add(abut_box box, abut_vec3 p)
{
    box.lower = abut_min(box.lower, p);
    box.upper = abut_max(box.upper, p);
    return box;
}

static inline abut_box abut_box_union(abut_box a, abut_box b)
{
    a.lower = abut_min(a.lower, b.lower);
    a.upper = abut_max(a.upper, b.upper);
    return a;
}

static inline abut_vec3 abut_box_center(abut_box box)
{
    return abut_add(abut_scale(0.5, box.lower), abut_scale(0.5, box.upper));
}

/// Length of the diagonal; 0 for an empty box. The size that relative tolerances refer to.
static inline double abut_box_diagonal(abut_box box)
{
    return box.lower.x <= box.upper.x ? abut_norm(abut_sub(box.upper, box.lower)) : 0.0;
}

#ifdef __cplusplus
}
#endif
#endif
