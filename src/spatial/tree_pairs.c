// SPDX-License-Identifier: MIT
// tree_pairs.c: the pairs of elements of two placed trees whose boxes overlap
//
// A box of B, as middle and half lengths, goes to A's frame by its middle and by the absolute values of the rotation. Both trees
// are brought to the units of the larger one (or of the distance between them), which cannot overflow.
#include "spatial/tree.h"

#include <float.h>

typedef struct placement {
    double rotation[3][3]; // from B's units to common units in A's frame
    double lengths[3][3];  // its absolute values
    double offset[3];
    double scale_a; // from A's units to common units
    double scale_b; // from B's units, for comparing sizes
    double margin;  // with what rounding may lose
} placement;

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

static placement place(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double margin)
{
    int exponent = common_exponent(a, b, b_to_a.position, margin);
    double scale = ldexp(1.0, -exponent);
    abut_mat3 m = abut_quat_matrix(b_to_a.rotation);
    abut_vec3 origin_a = abut_scale(scale, a->origin), origin_b = abut_scale(scale, b->origin);
    abut_vec3 position = abut_scale(scale, b_to_a.position);
    abut_vec3 offset = abut_sub(abut_add(abut_mat3_apply(m, origin_b), position), origin_a);
    placement p = {.rotation = {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}},
                   .offset = {offset.x, offset.y, offset.z},
                   .scale_a = ldexp(1.0, a->exponent - exponent),
                   .scale_b = ldexp(1.0, b->exponent - exponent)};
    double largest = 1.0;
    for (int i = 0; i < 9; ++i) {
        largest = fmax(largest, fabs(p.rotation[i / 3][i % 3]));
        p.rotation[i / 3][i % 3] *= p.scale_b;
        p.lengths[i / 3][i % 3] = fabs(p.rotation[i / 3][i % 3]);
    }
    // All numbers that are added up here and in overlap(), and in placing the vertices themselves, are below this sum, and
    // there are fewer than 64 roundings of half an epsilon.
    double sum = p.scale_a + 3.0 * largest * (p.scale_b + abut_tree_sum_abs(origin_b)) +
                 abut_tree_sum_abs(origin_a) + abut_tree_sum_abs(position);
    p.margin = scale * margin + 32.0 * DBL_EPSILON * (sum + fabs(scale * margin));
    return p;
}

// Comparisons with NaN are false: empty boxes and broken poses meet nothing.
static int overlap(const placement *p, const abut_tree_node *a, const abut_tree_node *b)
{
    double middle[3], half[3];
    for (int i = 0; i < 3; ++i) {
        middle[i] = 0.5 * ((double)b->lower[i] + (double)b->upper[i]);
        half[i] = 0.5 * ((double)b->upper[i] - (double)b->lower[i]);
    }
    for (int i = 0; i < 3; ++i) {
        const double *r = p->rotation[i], *l = p->lengths[i];
        double middle_a = 0.5 * p->scale_a * ((double)a->lower[i] + (double)a->upper[i]);
        double half_a = 0.5 * p->scale_a * ((double)a->upper[i] - (double)a->lower[i]);
        double middle_b = r[0] * middle[0] + r[1] * middle[1] + r[2] * middle[2] + p->offset[i];
        double half_b = l[0] * half[0] + l[1] * half[1] + l[2] * half[2];
        if (!(fabs(middle_a - middle_b) <= half_a + half_b + p->margin)) {
            return 0;
        }
    }
    return 1;
}

static double size(const abut_tree_node *node)
{
    return ((double)node->upper[0] - (double)node->lower[0]) + ((double)node->upper[1] - (double)node->lower[1]) +
           ((double)node->upper[2] - (double)node->lower[2]);
}

typedef struct node_pair {
    int a, b;
} node_pair;

// The two pairs below this one: the larger of two inner nodes is opened.
static void open_pair(const placement *p, const abut_tree_node *nodes_a, const abut_tree_node *nodes_b,
                      node_pair pair, node_pair below[2])
{
    const abut_tree_node *a = &nodes_a[pair.a], *b = &nodes_b[pair.b];
    int opens_a = !abut_tree_is_leaf(a) && (abut_tree_is_leaf(b) || p->scale_a * size(a) >= p->scale_b * size(b));
    below[0] = below[1] = pair;
    if (opens_a) {
        below[0].a = pair.a + 1;
        below[1].a = a->link;
    } else {
        below[0].b = pair.b + 1;
        below[1].b = b->link;
    }
}

int abut_tree_pairs(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double margin,
                    abut_pair_function *function, void *user)
{
    if (a->node_count == 0 || b->node_count == 0 || !is_finite_pose(b_to_a) || isnan(margin)) {
        return 0;
    }
    placement p = place(a, b, b_to_a, margin);
    node_pair stack[2 * ABUT_TREE_LEVELS + 1];
    int count = 0, result = 0;
    if (overlap(&p, &a->nodes[0], &b->nodes[0])) {
        stack[count++] = (node_pair){0, 0};
    }
    while (count > 0 && result == 0) {
        node_pair pair = stack[--count];
        const abut_tree_node *node_a = &a->nodes[pair.a], *node_b = &b->nodes[pair.b];
        if (abut_tree_is_leaf(node_a) && abut_tree_is_leaf(node_b)) {
            result = function(user, ~node_a->link, ~node_b->link);
            continue;
        }
        node_pair below[2];
        open_pair(&p, a->nodes, b->nodes, pair, below);
        for (int i = 1; i >= 0; --i) {
            if (overlap(&p, &a->nodes[below[i].a], &b->nodes[below[i].b])) {
                stack[count++] = below[i];
            }
        }
    }
    return result;
}
