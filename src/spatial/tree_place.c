// SPDX-License-Identifier: MIT
// tree_place.c: two trees in common units
#include "spatial/tree_place.h"

#include <float.h>

static int is_finite_pose(abut_pose pose)
{
    abut_quat q = pose.rotation;
    return abut_is_finite(pose.position) && isfinite(q.w) && isfinite(q.x) && isfinite(q.y) && isfinite(q.z);
}

static int common_exponent(const abut_tree *a, const abut_tree *b, abut_vec3 position, double margin)
{
    int exponent = abut_tree_max_int(a->exponent, b->exponent);
    exponent = abut_tree_max_int(exponent, abut_tree_exponent_of_vec3(a->origin));
    exponent = abut_tree_max_int(exponent, abut_tree_exponent_of_vec3(b->origin));
    exponent = abut_tree_max_int(exponent, abut_tree_exponent_of_vec3(position));
    return isfinite(margin) ? abut_tree_max_int(exponent, abut_tree_exponent_of(fabs(margin))) : exponent;
}

// Returns 1 if the axes are orthonormal. The tolerance of 1e-10 is a thousandth of FLT_EPSILON, so it does not affect
// tests in float.
static int is_rotation(double m[3][3])
{
    for (int i = 0; i < 3; ++i) {
        for (int k = i; k < 3; ++k) {
            double product = m[0][i] * m[0][k] + m[1][i] * m[1][k] + m[2][i] * m[2][k];
            if (!(fabs(product - (i == k)) < 1e-10)) {
                return 0;
            }
        }
    }
    return 1;
}

static void make_floats(abut_tree_placement *p)
{
    for (int i = 0; i < 3; ++i) {
        p->offsets[i] = (float)p->offset[i];
        for (int k = 0; k < 3; ++k) {
            p->rows[i][k] = (float)p->rotation[i][k];
            p->lengths[i][k] = fabsf(p->rows[i][k]);
        }
    }
    p->half_scale_a = (float)(0.5 * p->scale_a);
    p->half_scale_b = (float)(0.5 * p->scale_b);
}

int abut_tree_place(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double margin,
                    abut_tree_placement *placement)
{
    if (!is_finite_pose(b_to_a)) {
        return 0;
    }
    int exponent = common_exponent(a, b, b_to_a.position, margin);
    double scale = ldexp(1.0, -exponent), largest = 1.0;
    abut_mat3 m = abut_quat_matrix(b_to_a.rotation);
    abut_vec3 origin_a = abut_scale(scale, a->origin), origin_b = abut_scale(scale, b->origin);
    abut_vec3 position = abut_scale(scale, b_to_a.position);
    abut_vec3 offset = abut_sub(abut_add(abut_mat3_apply(m, origin_b), position), origin_a);
    abut_tree_placement p = {.rotation = {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}},
                             .offset = {offset.x, offset.y, offset.z},
                             .scale = scale,
                             .scale_a = ldexp(1.0, a->exponent - exponent),
                             .scale_b = ldexp(1.0, b->exponent - exponent)};
    for (int i = 0; i < 9; ++i) {
        largest = fmax(largest, fabs(p.rotation[i / 3][i % 3]));
    }
    p.is_rigid = is_rotation(p.rotation);
    make_floats(&p);
    // Bound of the rounding error in double. `sum` bounds all numbers added here, in tests of boxes and in moving the
    // vertices themselves; there are fewer than 64 roundings of half a DBL_EPSILON each.
    double sum = p.scale_a + 3.0 * largest * (p.scale_b + abut_tree_sum_abs(origin_b)) +
                 abut_tree_sum_abs(origin_a) + abut_tree_sum_abs(position);
    double margin_size = isfinite(margin) ? fabs(scale * margin) : 0.0;
    p.slack = 32.0 * DBL_EPSILON * (sum + margin_size);
    // Bound of the rounding error in float. Tests start from boxes and the offset and have fewer than 32 roundings of
    // half a FLT_EPSILON each. Denormal results may be flushed to zero, which costs up to FLT_MIN each.
    double float_sum = 2.0 * p.scale_a + 3.0 * largest * p.scale_b + abut_tree_sum_abs(offset) + margin_size;
    p.float_slack = (float)(p.slack + 16.0 * FLT_EPSILON * float_sum + 16.0 * FLT_MIN);
    *placement = p;
    return 1;
}

abut_float4 abut_tree_gap_along_normals(const abut_tree_placement *p, const abut_tree_lanes *lanes)
{
    const abut_tree_node *a = lanes->node_a, *b = lanes->node_b;
    abut_float4 normal_a[3], own_normal_b[3], normal_b[3]; // in A's axes, in B's, and in A's
    for (int i = 0; i < 3; ++i) {
        normal_a[i] = abut_tree_lanes_a(a->normal[i], lanes->side_a);
        own_normal_b[i] = abut_tree_lanes_b(b->normal[i], lanes->side_b);
    }
    for (int i = 0; i < 3; ++i) {
        normal_b[i] = abut_float4_row(p->rows[i], 1, own_normal_b);
    }
    // With c = na . nb, the extent of B along na is within c (B's slab) + (na - c nb) . (B's box). The extent of A
    // along nb follows with A and B swapped.
    abut_float4 c = abut_float4_dot(normal_a[0], normal_b[0], normal_a[1], normal_b[1], normal_a[2], normal_b[2]);
    abut_float4 c_size = abut_float4_abs(c), zero = abut_float4_all(0.0f);
    abut_float4 rest_center_a = zero, rest_center_b = zero, rest_half_a = zero, rest_half_b = zero, shift = zero;
    for (int i = 0; i < 3; ++i) {
        abut_float4 rest_of_b = abut_float4_sub(normal_b[i], abut_float4_mul(c, normal_a[i]));
        abut_float4 rest_of_a = abut_float4_sub(normal_a[i], abut_float4_mul(c, normal_b[i]));
        abut_float4 own_rest_of_a =
            abut_float4_sub(abut_float4_row(&p->rows[0][i], 3, normal_a), abut_float4_mul(c, own_normal_b[i]));
        rest_center_a = abut_float4_add(rest_center_a, abut_float4_mul(rest_of_b, lanes->center_a[i]));
        rest_half_a = abut_float4_add(rest_half_a, abut_float4_mul(abut_float4_abs(rest_of_b), lanes->half_a[i]));
        rest_center_b = abut_float4_add(rest_center_b, abut_float4_mul(rest_of_a, lanes->center_b[i]));
        rest_half_b =
            abut_float4_add(rest_half_b, abut_float4_mul(abut_float4_abs(own_rest_of_a), lanes->half_b[i]));
        shift = abut_float4_add(shift, abut_float4_mul(normal_b[i], abut_float4_all(p->offsets[i])));
    }
    abut_float4 half_scale_a = abut_float4_all(p->half_scale_a), half_scale_b = abut_float4_all(p->half_scale_b);
    abut_float4 lower = abut_tree_lanes_a(a->slab_lower, lanes->side_a);
    abut_float4 upper = abut_tree_lanes_a(a->slab_upper, lanes->side_a);
    abut_float4 center_a = abut_float4_mul(half_scale_a, abut_float4_add(lower, upper));
    abut_float4 half_a = abut_float4_mul(half_scale_a, abut_float4_sub(upper, lower));
    lower = abut_tree_lanes_b(b->slab_lower, lanes->side_b);
    upper = abut_tree_lanes_b(b->slab_upper, lanes->side_b);
    abut_float4 center_b = abut_float4_add(abut_float4_mul(half_scale_b, abut_float4_add(lower, upper)), shift);
    abut_float4 half_b = abut_float4_mul(half_scale_b, abut_float4_sub(upper, lower));
    // gap along na, where A's extent is its slab; then along nb, where B's extent is its slab
    abut_float4 between = abut_float4_sub(abut_float4_add(abut_float4_mul(c, center_b), rest_center_b), center_a);
    abut_float4 half = abut_float4_add(abut_float4_add(abut_float4_mul(c_size, half_b), rest_half_b), half_a);
    abut_float4 along_a = abut_float4_sub(abut_float4_abs(between), half);
    between = abut_float4_sub(abut_float4_add(abut_float4_mul(c, center_a), rest_center_a), center_b);
    half = abut_float4_add(abut_float4_add(abut_float4_mul(c_size, half_a), rest_half_a), half_b);
    return abut_float4_max(along_a, abut_float4_sub(abut_float4_abs(between), half));
}

// The larger of center - half along a direction of the box, and of slab and box together. With n the normal of the
// slab and c = direction . n, direction . x = c (n . x) + (direction - c n) . x.
static abut_float4 least_along(const abut_float4 direction[3], const abut_float4 normal[3], abut_float4 slab_center,
                               abut_float4 slab_half, const abut_float4 center[3], const abut_float4 half[3])
{
    abut_float4 c = abut_float4_dot(direction[0], normal[0], direction[1], normal[1], direction[2], normal[2]);
    abut_float4 both =
        abut_float4_sub(abut_float4_mul(c, slab_center), abut_float4_mul(abut_float4_abs(c), slab_half));
    abut_float4 box = abut_float4_all(0.0f);
    for (int i = 0; i < 3; ++i) {
        abut_float4 rest = abut_float4_sub(direction[i], abut_float4_mul(c, normal[i]));
        both = abut_float4_add(both, abut_float4_sub(abut_float4_mul(rest, center[i]),
                                                     abut_float4_mul(abut_float4_abs(rest), half[i])));
        box = abut_float4_add(box, abut_float4_sub(abut_float4_mul(direction[i], center[i]),
                                                   abut_float4_mul(abut_float4_abs(direction[i]), half[i])));
    }
    return abut_float4_max(both, box);
}

abut_float4 abut_tree_gap_along(const abut_tree_placement *p, const abut_tree_lanes *lanes, const float in_a[3],
                                const float in_b[3])
{
    const abut_tree_node *a = lanes->node_a, *b = lanes->node_b;
    abut_float4 against_a[3], along_b[3], normal_a[3], normal_b[3], center_b[3];
    abut_float4 half_scale_a = abut_float4_all(p->half_scale_a), half_scale_b = abut_float4_all(p->half_scale_b);
    for (int i = 0; i < 3; ++i) {
        abut_float4 lower = abut_tree_lanes_b(b->lower[i], lanes->side_b);
        abut_float4 upper = abut_tree_lanes_b(b->upper[i], lanes->side_b);
        against_a[i] = abut_float4_all(-in_a[i]);
        along_b[i] = abut_float4_all(in_b[i]);
        normal_a[i] = abut_tree_lanes_a(a->normal[i], lanes->side_a);
        normal_b[i] = abut_tree_lanes_b(b->normal[i], lanes->side_b);
        center_b[i] = abut_float4_mul(half_scale_b, abut_float4_add(lower, upper));
    }
    abut_float4 lower = abut_tree_lanes_a(a->slab_lower, lanes->side_a);
    abut_float4 upper = abut_tree_lanes_a(a->slab_upper, lanes->side_a);
    abut_float4 least_a =
        least_along(against_a, normal_a, abut_float4_mul(half_scale_a, abut_float4_add(lower, upper)),
                    abut_float4_mul(half_scale_a, abut_float4_sub(upper, lower)), lanes->center_a, lanes->half_a);
    lower = abut_tree_lanes_b(b->slab_lower, lanes->side_b);
    upper = abut_tree_lanes_b(b->slab_upper, lanes->side_b);
    abut_float4 least_b =
        least_along(along_b, normal_b, abut_float4_mul(half_scale_b, abut_float4_add(lower, upper)),
                    abut_float4_mul(half_scale_b, abut_float4_sub(upper, lower)), center_b, lanes->half_b);
    float shift = in_a[0] * p->offsets[0] + in_a[1] * p->offsets[1] + in_a[2] * p->offsets[2];
    return abut_float4_add(abut_float4_add(least_a, least_b), abut_float4_all(shift));
}
