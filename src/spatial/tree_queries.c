// SPDX-License-Identifier: MIT
// tree_queries.c: the element nearest to a point, and the first triangle on a ray
//
// A box is passed over only if it is further than the best so far by more than rounding can explain, so that the answer,
// ties included, is the one of looking at every element. All lengths are scaled by a power of two, which changes no
// bit of a result, to where squares neither overflow nor underflow.
#include "spatial/tree.h"

#include "prim/point_segment.h"
#include "prim/point_tet.h"
#include "prim/point_triangle.h"
#include "prim/ray_triangle.h"

#include <float.h>

static const abut_tree_hit no_hit = {-1, HUGE_VAL, {0.0, 0.0, 0.0}};

// A point of the query in common units, and how boxes get there.
typedef struct view {
    int exponent;     // of the common units
    double scale;     // 2^-exponent
    double box_scale; // from the tree's units
    double point[3];  // relative to the tree's origin
    double slack;     // what rounding may lose of a length
} view;

static view make_view(const abut_tree *tree, abut_vec3 point)
{
    view v;
    v.exponent = abut_tree_max_int(abut_tree_exponent_of_vec3(point), abut_tree_exponent_of_vec3(tree->origin));
    v.exponent = abut_tree_max_int(v.exponent, tree->exponent);
    v.scale = ldexp(1.0, -v.exponent);
    v.box_scale = ldexp(1.0, tree->exponent - v.exponent);
    abut_vec3 from = abut_scale(v.scale, point), origin = abut_scale(v.scale, tree->origin);
    abut_vec3 relative = abut_sub(from, origin);
    v.point[0] = relative.x;
    v.point[1] = relative.y;
    v.point[2] = relative.z;
    // Every number that goes into a distance is below this sum, and fewer than 64 roundings are between.
    v.slack = 32.0 * DBL_EPSILON * (abut_tree_sum_abs(from) + abut_tree_sum_abs(origin) + v.box_scale);
    return v;
}

typedef struct visit {
    int node;
    double distance; // at least that far
} visit;

// Puts the children on the stack, the nearer one on top.
static int push_children(visit *stack, int count, visit left, visit right)
{
    int left_first = left.distance <= right.distance;
    stack[count++] = left_first ? right : left;
    stack[count++] = left_first ? left : right;
    return count;
}

// Whether no element below has finite coordinates. Its distance is HUGE_VAL, which is never visited.
static int is_empty(const abut_tree_node *node)
{
    return node->lower[0] > node->upper[0];
}

static double box_distance(const view *v, const abut_tree_node *node)
{
    if (is_empty(node)) {
        return HUGE_VAL;
    }
    double squared = 0.0;
    for (int i = 0; i < 3; ++i) {
        double below = v->box_scale * (double)node->lower[i] - v->point[i];
        double above = v->point[i] - v->box_scale * (double)node->upper[i];
        double outside = fmax(fmax(below, above), 0.0);
        squared += outside * outside;
    }
    return sqrt(squared);
}

static void element_corners(const abut_tree *tree, int element, double scale, abut_vec3 corners[4])
{
    const int *vertices = tree->elements + (size_t)element * (size_t)tree->corner_count;
    for (int i = 0; i < tree->corner_count; ++i) {
        corners[i] = abut_scale(scale, tree->start[vertices[i]]);
    }
}

static double element_distance(const abut_tree *tree, abut_vec3 point, const abut_vec3 corners[4],
                               double weights[4])
{
    double squared = 0.0, t;
    switch (tree->kind) {
    case ABUT_ELEMENT_POINT:
        weights[0] = 1.0;
        squared = abut_norm_squared(abut_sub(point, corners[0]));
        break;
    case ABUT_ELEMENT_SEGMENT:
        squared = abut_point_segment_distance_squared(point, corners[0], corners[1], &t);
        weights[0] = 1.0 - t;
        weights[1] = t;
        break;
    case ABUT_ELEMENT_TRIANGLE: squared = abut_point_triangle_distance_squared(point, corners, weights); break;
    case ABUT_ELEMENT_TET: squared = abut_point_tet_distance_squared(point, corners, weights); break;
    }
    return sqrt(squared);
}

static abut_vec3 weighted_point(const abut_tree *tree, int element, const double weights[4])
{
    abut_vec3 corners[4], point = {0.0, 0.0, 0.0};
    element_corners(tree, element, 1.0, corners);
    for (int i = 0; i < tree->corner_count; ++i) {
        point = abut_add_scaled(point, weights[i], corners[i]);
    }
    return point;
}

abut_tree_hit abut_tree_nearest(const abut_tree *tree, abut_vec3 point, double limit)
{
    abut_tree_hit best = no_hit;
    if (tree->node_count == 0 || !abut_is_finite(point) || !(limit >= 0.0)) {
        return best;
    }
    view v = make_view(tree, point);
    abut_vec3 scaled_point = abut_scale(v.scale, point);
    double reach = v.scale * limit + v.slack, least = HUGE_VAL;
    visit stack[ABUT_TREE_LEVELS + 1];
    int count = 0;
    stack[count++] = (visit){0, box_distance(&v, &tree->nodes[0])};
    while (count > 0) {
        visit next = stack[--count];
        const abut_tree_node *node = &tree->nodes[next.node];
        if (!(next.distance <= reach) || next.distance == HUGE_VAL) {
            continue;
        }
        if (!abut_tree_is_leaf(node)) {
            count = push_children(stack, count, (visit){next.node + 1, box_distance(&v, node + 1)},
                                  (visit){node->link, box_distance(&v, &tree->nodes[node->link])});
            continue;
        }
        abut_vec3 corners[4];
        double weights[4];
        int element = ~node->link;
        element_corners(tree, element, v.scale, corners);
        double distance = element_distance(tree, scaled_point, corners, weights);
        double unscaled = ldexp(distance, v.exponent);
        if (unscaled <= limit && (distance < least || (distance == least && element < best.element))) {
            least = distance;
            reach = distance * (1.0 + 8.0 * DBL_EPSILON) + v.slack;
            best = (abut_tree_hit){element, unscaled, weighted_point(tree, element, weights)};
        }
    }
    return best;
}

// The direction of a ray in common units, the largest part between 1/2 and 1.
typedef struct heading {
    double direction[3];
    double largest;
} heading;

// Where the ray enters the box, grown by the slack; HUGE_VAL where it passes by.
static double box_entry(const view *v, const heading *h, const abut_tree_node *node)
{
    if (is_empty(node)) {
        return HUGE_VAL;
    }
    double enter = 0.0, leave = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        double lower = v->box_scale * (double)node->lower[i] - v->slack - v->point[i];
        double upper = v->box_scale * (double)node->upper[i] + v->slack - v->point[i];
        double d = h->direction[i];
        if (fabs(d) < 1e-290) { // less than the slack, however far the ray goes
            if (!(lower <= 0.0 && upper >= 0.0)) {
                return HUGE_VAL;
            }
            continue;
        }
        enter = fmax(enter, (d > 0.0 ? lower : upper) / d);
        leave = fmin(leave, (d > 0.0 ? upper : lower) / d);
    }
    // The parameter of a triangle is rounded like a length along the largest part of the direction.
    double slack = v->slack / h->largest;
    return enter * (1.0 - 8.0 * DBL_EPSILON) <= leave * (1.0 + 8.0 * DBL_EPSILON) + slack
               ? enter * (1.0 - 8.0 * DBL_EPSILON) - slack
               : HUGE_VAL;
}

abut_tree_hit abut_tree_ray(const abut_tree *tree, abut_vec3 origin, abut_vec3 direction, double limit)
{
    abut_tree_hit best = no_hit;
    abut_ray ray;
    if (tree->node_count == 0 || tree->kind != ABUT_ELEMENT_TRIANGLE || !abut_is_finite(origin) ||
        !abut_is_finite(direction) || !(limit >= 0.0)) {
        return best;
    }
    view v = make_view(tree, origin);
    int exponent = abut_tree_exponent_of_vec3(direction);
    abut_vec3 d = abut_scale(ldexp(1.0, -exponent), direction);
    heading h = {{d.x, d.y, d.z}, abut_max_component(abut_abs(d))};
    if (!abut_ray_make(abut_scale(v.scale, origin), d, &ray)) {
        return best;
    }
    double reach = ldexp(limit, exponent - v.exponent), least = HUGE_VAL;
    visit stack[ABUT_TREE_LEVELS + 1];
    int count = 0;
    stack[count++] = (visit){0, box_entry(&v, &h, &tree->nodes[0])};
    while (count > 0) {
        visit next = stack[--count];
        const abut_tree_node *node = &tree->nodes[next.node];
        if (!(next.distance <= reach) || next.distance == HUGE_VAL) {
            continue;
        }
        if (!abut_tree_is_leaf(node)) {
            count = push_children(stack, count, (visit){next.node + 1, box_entry(&v, &h, node + 1)},
                                  (visit){node->link, box_entry(&v, &h, &tree->nodes[node->link])});
            continue;
        }
        abut_vec3 corners[4];
        double weights[4], t;
        int element = ~node->link;
        element_corners(tree, element, v.scale, corners);
        if (!abut_ray_triangle(&ray, corners, &t, weights)) {
            continue;
        }
        double unscaled = ldexp(t, v.exponent - exponent);
        if (unscaled <= limit && (t < least || (t == least && element < best.element))) {
            least = reach = t;
            best = (abut_tree_hit){element, unscaled, weighted_point(tree, element, weights)};
        }
    }
    return best;
}
