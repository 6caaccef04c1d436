// SPDX-License-Identifier: MIT
// tree_place.h: two trees in common units, and up to four pairs of their boxes at once
//
// The common frame has the axes and origin of tree A. Its unit is that of the larger tree, or of the distance between
// them if that is larger, so nothing overflows. Boxes are disjoint if an axis of A, an axis of B or the normal of a
// slab separates them.
#ifndef ABUT_SPATIAL_TREE_PLACE_H
#define ABUT_SPATIAL_TREE_PLACE_H

#include "math/float4.h"
#include "spatial/tree.h"

typedef struct abut_tree_placement {
    double rotation[3][3]; ///< from B's axes to A's
    double offset[3];      ///< from A's origin to B's, in common units
    double scale;          ///< from the caller's lengths to common units
    double scale_a;        ///< from A's units to common units
    double scale_b;
    double slack;        ///< rounding error of a length in double, starting from the vertices
    float float_slack;   ///< rounding error of a length in float, starting from the boxes; includes `slack`
    int is_rigid;        ///< 1: B's axes are orthonormal, as in every proper pose
    float rows[3][3];    ///< `rotation` in float
    float lengths[3][3]; ///< absolute values of `rows`
    float offsets[3];
    float half_scale_a, half_scale_b;
} abut_tree_placement;

/// Places two trees in common units. Returns 0 if the pose is not finite.
int abut_tree_place(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double margin,
                    abut_tree_placement *placement);

/// Up to four pairs of boxes: one or both children of a node of A with one or both of a node of B. Lane 2 i + k is
/// child i of A and child k of B.
typedef struct abut_tree_lanes {
    int mask;                           ///< the lanes in use
    abut_float4 center_a[3], half_a[3]; ///< in common units
    abut_float4 center_b[3], half_b[3]; ///< center in A's axes, half lengths along B's axes
    const abut_tree_node *node_a, *node_b;
    int side_a, side_b; ///< the child, or -1 for both
} abut_tree_lanes;

static inline abut_float4 abut_tree_lanes_a(const float p[2], int side)
{
    return side < 0 ? abut_float4_load_twice_each(p) : abut_float4_all(p[side]);
}

static inline abut_float4 abut_tree_lanes_b(const float p[2], int side)
{
    return side < 0 ? abut_float4_load_twice_both(p) : abut_float4_all(p[side]);
}

/// a b + c d + e f
static inline abut_float4 abut_float4_dot(abut_float4 a, abut_float4 b, abut_float4 c, abut_float4 d, abut_float4 e,
                                          abut_float4 f)
{
    return abut_float4_add(abut_float4_add(abut_float4_mul(a, b), abut_float4_mul(c, d)), abut_float4_mul(e, f));
}

/// m[0] v[0] + m[1] v[1] + m[2] v[2] with one row or column, `step` apart, of a matrix
static inline abut_float4 abut_float4_row(const float *m, int step, const abut_float4 v[3])
{
    return abut_float4_dot(abut_float4_all(m[0]), v[0], abut_float4_all(m[step]), v[1],
                           abut_float4_all(m[2 * step]), v[2]);
}

static inline void abut_tree_load_lanes(const abut_tree_placement *p, const abut_tree_node *node_a, int side_a,
                                        const abut_tree_node *node_b, int side_b, abut_tree_lanes *lanes)
{
    abut_float4 half_scale_a = abut_float4_all(p->half_scale_a), half_scale_b = abut_float4_all(p->half_scale_b);
    abut_float4 center[3];
    lanes->mask = (side_a < 0 ? 0xf : 0x3) & (side_b < 0 ? 0xf : 0x5);
    lanes->node_a = node_a;
    lanes->node_b = node_b;
    lanes->side_a = side_a;
    lanes->side_b = side_b;
    for (int i = 0; i < 3; ++i) {
        abut_float4 lower = abut_tree_lanes_a(node_a->lower[i], side_a);
        abut_float4 upper = abut_tree_lanes_a(node_a->upper[i], side_a);
        lanes->center_a[i] = abut_float4_mul(half_scale_a, abut_float4_add(lower, upper));
        lanes->half_a[i] = abut_float4_mul(half_scale_a, abut_float4_sub(upper, lower));
        lower = abut_tree_lanes_b(node_b->lower[i], side_b);
        upper = abut_tree_lanes_b(node_b->upper[i], side_b);
        center[i] = abut_float4_mul(half_scale_b, abut_float4_add(lower, upper));
        lanes->half_b[i] = abut_float4_mul(half_scale_b, abut_float4_sub(upper, lower));
    }
    for (int i = 0; i < 3; ++i) {
        lanes->center_b[i] =
            abut_float4_add(abut_float4_row(p->rows[i], 1, center), abut_float4_all(p->offsets[i]));
    }
}

/// A child of each tree: 2 node + side, or ABUT_TREE_ROOT.
typedef struct abut_tree_child_pair {
    int a, b;
} abut_tree_child_pair;

/// Pairs on the stack of a search: opening a pair adds at most three, along a path of at most ABUT_TREE_LEVELS
/// openings in each tree.
enum { ABUT_TREE_ROOT = -1, ABUT_TREE_PAIR_STACK = 6 * ABUT_TREE_LEVELS + 4 };

/// The node or leaf below a child, as in abut_tree_node.
static inline int abut_tree_below(const abut_tree *tree, int child)
{
    return child == ABUT_TREE_ROOT ? 0 : tree->nodes[child / 2].child[child % 2];
}

/// Sum of the three side lengths of a child's box, in units of the tree.
static inline float abut_tree_child_size(const abut_tree *tree, int child)
{
    const abut_tree_node *n = &tree->nodes[child / 2];
    int side = child % 2;
    return (n->upper[0][side] - n->lower[0][side]) + (n->upper[1][side] - n->lower[1][side]) +
           (n->upper[2][side] - n->lower[2][side]);
}

/// Opens the node of A, of B, or both. If one is more than twice as large as the other, only that one is opened, which
/// keeps the boxes of a pair similar in size. Lane i is the pair (result.a + (i >> 1), result.b + (i & 1)). At least
/// one of the pair must be a node.
static inline abut_tree_child_pair abut_tree_open(const abut_tree *a, const abut_tree *b,
                                                  const abut_tree_placement *p, abut_tree_child_pair pair,
                                                  abut_tree_lanes *lanes)
{
    int below_a = abut_tree_below(a, pair.a), below_b = abut_tree_below(b, pair.b);
    int opens_a = !abut_tree_is_leaf(below_a), opens_b = !abut_tree_is_leaf(below_b);
    if (opens_a && opens_b && pair.a != ABUT_TREE_ROOT && pair.b != ABUT_TREE_ROOT) {
        float size_a = p->half_scale_a * abut_tree_child_size(a, pair.a);
        float size_b = p->half_scale_b * abut_tree_child_size(b, pair.b);
        opens_a = !(size_b > 2.0f * size_a);
        opens_b = !(size_a > 2.0f * size_b);
    }
    abut_tree_child_pair first = {opens_a ? 2 * below_a : pair.a, opens_b ? 2 * below_b : pair.b};
    abut_tree_load_lanes(p, &a->nodes[first.a / 2], opens_a ? -1 : first.a % 2, &b->nodes[first.b / 2],
                         opens_b ? -1 : first.b % 2, lanes);
    return first;
}

/// Gap between the boxes along axis i of A: negative if they overlap, NaN if one is empty.
static inline abut_float4 abut_tree_gap_along_a(const abut_tree_placement *p, const abut_tree_lanes *lanes, int i)
{
    abut_float4 between = abut_float4_abs(abut_float4_sub(lanes->center_b[i], lanes->center_a[i]));
    abut_float4 half = abut_float4_add(lanes->half_a[i], abut_float4_row(p->lengths[i], 1, lanes->half_b));
    return abut_float4_sub(between, half);
}

/// Gap between the boxes along axis i of B. The placement must be rigid.
static inline abut_float4 abut_tree_gap_along_b(const abut_tree_placement *p, const abut_tree_lanes *lanes, int i)
{
    abut_float4 between[3];
    for (int k = 0; k < 3; ++k) {
        between[k] = abut_float4_sub(lanes->center_b[k], lanes->center_a[k]);
    }
    abut_float4 half = abut_float4_add(lanes->half_b[i], abut_float4_row(&p->lengths[0][i], 3, lanes->half_a));
    return abut_float4_sub(abut_float4_abs(abut_float4_row(&p->rows[0][i], 3, between)), half);
}

/// Lower bound of the gap between the contents of the boxes along a direction from A to B: `in_a` in A's axes, `in_b`
/// in B's. The placement must be rigid.
abut_float4 abut_tree_gap_along(const abut_tree_placement *p, const abut_tree_lanes *lanes, const float in_a[3],
                                const float in_b[3]);

/// The larger of the gaps between the contents of the boxes along the normals of both slabs. The placement must be
/// rigid.
abut_float4 abut_tree_gap_along_normals(const abut_tree_placement *p, const abut_tree_lanes *lanes);

#endif
