// SPDX-License-Identifier: MIT
// node_test_kernel.h: the test of node_test.h, compiled for every machine and for AVX2
//
// From a point of the child to a point of the probe goes a way d, no longer than the reach. It must be in the cone of
// the child, widened by theta, and -d in that of the probe: condition (6) of Merlhiot 2007. What follows from this, in
// this order: the classes are compatible and the balls are near; along both axes, the slabs are not farther apart than
// the reach, and d does not go backward; across an axis, d is at most the reach times a sine, if the cone is narrower
// than a half-space; the axes are nearly opposite; a direction from one ball to the other is in each cone.
//
// Every comparison has room for the rounding of floats: `relative` times the lengths it is about, and `slack` for the
// positions.
#include "complex/node_test.h"
#include "math/eight.h"

static const float relative = 2e-6f; ///< some roundings of floats near 1
static const float narrow = 1e-3f;   ///< cosine of cones that are called narrow

/// The bodies along the axis of one of them, the first: `along` is how far the center of the second is along it, `up` and
/// `down` how far the second reaches from there. Whether d can be short enough, and forward.
static inline eight_bits is_near_along(eight along, eight up, eight down, eight low, eight high, eight farthest,
                                       eight least)
{
    return (along - down - high <= farthest) & (along + up - low >= least);
}

/// Whether a direction from ball to ball can be in a cone, where `apart` squared is the squared distance of the centers
/// less that of the radii, `radius`, and `along` the way of the centers along the axis.
static inline eight_bits is_toward(eight along, eight cosine, eight sine, eight apart, eight radius, eight limit,
                                   eight room)
{
    // a larger root is on the safe side if the cosine is negative; a root of differences is wrong by 1e-3 at most
    eight root = eight_pick(cosine < 0.0f, apart + 1.5e-3f * limit, apart);
    return (along >= cosine * root - sine * radius - room) | (sine * apart + cosine * radius < 0.0f);
}

unsigned ABUT_NODE_TEST_CODE(const abut_lmd_node *node, const abut_lmd_probe *probe)
{
    const abut_lmd_probe *q = probe;
    eight x = q->center[0] - eight_load(node->center[0]);
    eight y = q->center[1] - eight_load(node->center[1]);
    eight z = q->center[2] - eight_load(node->center[2]);
    eight own_radius = eight_load(node->radius), radius = own_radius + q->radius;
    eight squared = x * x + y * y + z * z, limit = radius + (q->reach + q->slack);
    eight_bits is_possible =
        (squared <= limit * limit * (1.0f + relative)) & ((eight_from_bytes(node->classes) & q->classes) != 0);
    if (eight_mask(is_possible) == 0) {
        return 0;
    }
    eight axis_x = eight_load(node->axis[0]), axis_y = eight_load(node->axis[1]),
          axis_z = eight_load(node->axis[2]);
    eight own_low = eight_load(node->low), own_high = eight_load(node->high);
    eight half_cosine = eight_load(node->cosine), half_sine = eight_load(node->sine);
    eight cosine = half_cosine * q->theta_cosine - half_sine * q->theta_sine;
    eight sine = half_sine * q->theta_cosine + half_cosine * q->theta_sine;
    eight_bits two_sided = eight_from_bytes(node->is_two_sided) != 0,
               probe_two_sided = (eight_bits){0} - q->is_two_sided;
    eight room = q->slack + relative * limit, farthest = q->reach + room;

    // slabs, along both axes
    eight along = x * axis_x + y * axis_y + z * axis_z;
    eight probe_along = -(x * q->axis[0] + y * q->axis[1] + z * q->axis[2]);
    eight product = axis_x * q->axis[0] + axis_y * q->axis[1] + axis_z * q->axis[2];
    eight across = eight_sqrt(eight_max(1.0f - product * product, eight_all(0.0f)) + 4e-7f);
    eight_bits is_narrow = cosine > narrow, is_probe_narrow = (eight_bits){0} - (q->cosine > narrow);
    eight a = product * q->high, b = product * q->low, most = q->radius * across;
    eight up = eight_min(eight_max(a, b) + most, eight_all(q->radius));
    eight down = eight_min(most - eight_min(a, b), eight_all(q->radius));
    is_possible &= is_near_along(along, up, down, own_low, own_high, farthest,
                                 eight_pick(is_narrow & ~two_sided, -room, -farthest));
    a = product * own_high;
    b = product * own_low;
    most = own_radius * across;
    up = eight_min(eight_max(a, b) + most, own_radius);
    down = eight_min(most - eight_min(a, b), own_radius);
    is_possible &= is_near_along(probe_along, up, down, eight_all(q->low), eight_all(q->high), farthest,
                                 eight_pick(is_probe_narrow & ~probe_two_sided, -room, -farthest));

    // across both axes
    eight own_width = radius + q->reach * eight_pick(is_narrow, sine, eight_all(1.0f)) + room;
    eight probe_width = radius + q->reach * (q->cosine > narrow ? q->sine : 1.0f) + room;
    eight rounded = squared * (1.0f - 2.0f * relative);
    is_possible &= (rounded - along * along <= own_width * own_width) &
                   (rounded - probe_along * probe_along <= probe_width * probe_width);

    // directions
    eight_bits is_any = (sine <= 0.0f) & (cosine < 0.0f);
    eight_bits is_probe_any = (eight_bits){0} - (q->sine <= 0.0f && q->cosine < 0.0f);
    eight opposite = eight_pick(two_sided | probe_two_sided, eight_abs(product), -product);
    is_possible &= is_any | is_probe_any | (sine * q->cosine + cosine * q->sine < 0.0f) |
                   (opposite >= cosine * q->cosine - sine * q->sine - relative);
    eight apart = eight_sqrt(eight_max(rounded - radius * radius, eight_all(0.0f)));
    along = eight_pick(two_sided, eight_abs(along), along);
    probe_along = eight_pick(probe_two_sided, eight_abs(probe_along), probe_along);
    is_possible &= (apart <= 0.0f) | ((is_any | is_toward(along, cosine, sine, apart, radius, limit, room)) &
                                      (is_probe_any | is_toward(probe_along, eight_all(q->cosine),
                                                                eight_all(q->sine), apart, radius, limit, room)));
    return eight_mask(is_possible);
}
