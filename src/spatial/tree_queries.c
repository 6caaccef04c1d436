// SPDX-License-Identifier: MIT
// tree_queries.c: the element nearest to a point, and the first triangle on a ray
//
// A box is skipped only if it is further away than the best element so far by more than rounding can explain. So the
// answer, including ties, is the same as by brute force. All lengths are scaled by a power of two, which is exact, so
// that squares neither overflow nor underflow.
#include "spatial/tree.h"

#include "prim/point_segment.h"
#include "prim/point_tet.h"
#include "prim/point_triangle.h"
#include "prim/ray_triangle.h"

#include <float.h>

static const abut_tree_hit no_hit = {-1, HUGE_VAL, {0.0, 0.0, 0.0}};

// The query's point in common units, and the scale from the tree's units.
typedef struct view {
    int exponent;     // of the common units
    double scale;     // 2^-exponent
    double box_scale; // from the tree's units
    double point[3];  // relative to the tree's origin
    double slack;     // rounding error of a length
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
    // The sum bounds every number that goes into a distance; there are fewer than 64 roundings of half a DBL_EPSILON.
    v.slack = 32.0 * DBL_EPSILON * (abut_tree_sum_abs(from) + abut_tree_sum_abs(origin) + v.box_scale);
    return v;
}

// A child that is still to be visited.
typedef struct visit {
    int child;       // as in the node
    double distance; // lower bound; HUGE_VAL: never visited
} visit;

// Pushes both children on the stack, the nearer one on top. Returns the new size of the stack.
static int push_children(visit *stack, int count, const abut_tree_node *node, const double distances[2])
{
    int first = distances[0] <= distances[1] ? 0 : 1;
    stack[count++] = (visit){node->child[!first], distances[!first]};
    stack[count++] = (visit){node->child[first], distances[first]};
    return count;
}

// Returns 1 if no element below has finite coordinates.
static int is_empty(const abut_tree_node *node, int side)
{
    return !(node->lower[0][side] <= node->upper[0][side]);
}

static void scale_corners(const abut_vec3 corners[4], int count, double scale, abut_vec3 scaled[4])
{
    for (int i = 0; i < count; ++i) {
        scaled[i] = abut_scale(scale, corners[i]);
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

static abut_vec3 weighted_point(const abut_vec3 corners[4], int count, const double weights[4])
{
    abut_vec3 point = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        point = abut_add_scaled(point, weights[i], corners[i]);
    }
    return point;
}

// The best element so far of a query, with its distance or its parameter on the ray.
typedef struct search {
    const abut_tree *tree;
    view v;
    const void *query;
    double limit; // the caller's
    double least; // of the best, scaled
    double reach; // elements further away cannot be as near as the best
    abut_tree_hit best;
} search;

// Returns 1 if an element is better than the best so far. Of equally near elements the lowest number wins.
static int is_better(const search *s, int element, double distance, double unscaled)
{
    return unscaled <= s->limit && (distance < s->least || (distance == s->least && element < s->best.element));
}

typedef double box_function(const search *s, const abut_tree_node *node, int side);
typedef void element_function(search *s, int element);

// Visits the elements that may be as near as the best, nearer boxes first. Inline, so that both calls are direct.
static inline abut_tree_hit walk(search *s, box_function *distance_of, element_function *look_at)
{
    const abut_tree *tree = s->tree;
    visit stack[ABUT_TREE_LEVELS + 2];
    int count = 0;
    stack[count++] = (visit){0, 0.0};
    while (count > 0) {
        visit next = stack[--count];
        if (!(next.distance <= s->reach) || next.distance == HUGE_VAL) {
            continue;
        }
        if (!abut_tree_is_leaf(next.child)) {
            const abut_tree_node *node = &tree->nodes[next.child];
            const double distances[2] = {distance_of(s, node, 0), distance_of(s, node, 1)};
            count = push_children(stack, count, node, distances);
            continue;
        }
        abut_tree_range range = abut_tree_leaf_range(tree, next.child);
        for (int i = range.begin; i < range.end; ++i) {
            look_at(s, tree->order[i]);
        }
    }
    return s->best;
}

// ---------------------------------------------------------------------------------------------------------------
// The nearest element

// Lower bound of the distance from the point to the elements in the box and slab: the larger of the distance to the
// box and the distance to box and slab along the direction to the box's center. tree_fit.c explains how a slab and a
// box bound another direction.
static double box_distance(const search *s, const abut_tree_node *node, int side)
{
    const view *v = &s->v;
    if (is_empty(node, side)) {
        return HUGE_VAL;
    }
    double squared = 0.0, center[3], half[3], normal[3], far = 0.0, along = 0.0;
    for (int i = 0; i < 3; ++i) {
        double lower = v->box_scale * (double)node->lower[i][side] - v->point[i];
        double upper = v->box_scale * (double)node->upper[i][side] - v->point[i];
        double outside = lower > -upper ? lower : -upper;
        squared += outside > 0.0 ? outside * outside : 0.0;
        center[i] = 0.5 * (lower + upper);
        half[i] = 0.5 * (upper - lower);
        normal[i] = (double)node->normal[i][side];
        far += center[i] * center[i];
        along += center[i] * normal[i];
    }
    if (!(along != 0.0)) { // no slab, or a slab seen edge-on
        return sqrt(squared);
    }
    // With d = center (the direction times `length`) and c = along, d . x = c (n . x) + (d - c n) . x.
    double length = sqrt(far), height = 0.0, rest_center = 0.0, rest_half = 0.0;
    for (int i = 0; i < 3; ++i) {
        double rest = center[i] - along * normal[i];
        height += normal[i] * v->point[i];
        rest_center += rest * center[i];
        rest_half += fabs(rest) * half[i];
    }
    double slab_center = 0.5 * v->box_scale * ((double)node->slab_lower[side] + (double)node->slab_upper[side]);
    double slab_half = 0.5 * v->box_scale * ((double)node->slab_upper[side] - (double)node->slab_lower[side]);
    double way = along * (slab_center - height) + rest_center - fabs(along) * slab_half - rest_half;
    return way > 0.0 && way * way > squared * far ? way / length : sqrt(squared);
}

// The query is the point, scaled.
static void try_nearest(search *s, int element)
{
    const abut_vec3 *point = s->query;
    abut_vec3 corners[4], scaled[4];
    double weights[4];
    if (!abut_tree_get_corners(s->tree, element, corners)) {
        return;
    }
    scale_corners(corners, s->tree->corner_count, s->v.scale, scaled);
    double distance = element_distance(s->tree, *point, scaled, weights);
    double unscaled = ldexp(distance, s->v.exponent);
    if (is_better(s, element, distance, unscaled)) {
        s->least = distance;
        s->reach = distance * (1.0 + 8.0 * DBL_EPSILON) + s->v.slack;
        s->best = (abut_tree_hit){element, unscaled, weighted_point(corners, s->tree->corner_count, weights)};
    }
}

abut_tree_hit abut_tree_nearest(const abut_tree *tree, abut_vec3 point, double limit)
{
    if (tree->node_count == 0 || !abut_is_finite(point) || !(limit >= 0.0)) {
        return no_hit;
    }
    search s = {.tree = tree, .v = make_view(tree, point), .limit = limit, .least = HUGE_VAL, .best = no_hit};
    abut_vec3 scaled = abut_scale(s.v.scale, point);
    s.query = &scaled;
    s.reach = s.v.scale * limit + s.v.slack;
    return walk(&s, box_distance, try_nearest);
}

// ---------------------------------------------------------------------------------------------------------------
// All elements near a point

typedef struct near_query {
    abut_element_function *function;
    void *user;
} near_query;

static void give_element(search *s, int element)
{
    const near_query *query = s->query;
    query->function(query->user, element);
}

void abut_tree_near(const abut_tree *tree, abut_vec3 point, double reach, abut_element_function *function,
                    void *user)
{
    if (tree->node_count == 0 || !abut_is_finite(point) || !(reach >= 0.0)) {
        return;
    }
    near_query query = {function, user};
    search s = {.tree = tree, .v = make_view(tree, point), .query = &query, .best = no_hit};
    s.reach = s.v.scale * reach + s.v.slack;
    (void)walk(&s, box_distance, give_element);
}

// ---------------------------------------------------------------------------------------------------------------
// The first triangle on a ray

typedef struct ray_query {
    abut_ray ray;        // scaled
    int exponent;        // the direction is scaled by 2^-exponent
    double direction[3]; // scaled so that the largest component is between 1/2 and 1
    double largest;
    const unsigned char *chosen; // by element, or NULL
} ray_query;

// The parameter at which the ray enters the box, grown by the slack, or HUGE_VAL if it misses. 8 DBL_EPSILON cover the
// rounding of the quotients.
static double box_entry(const search *s, const abut_tree_node *node, int side)
{
    const ray_query *q = s->query;
    const view *v = &s->v;
    if (is_empty(node, side)) {
        return HUGE_VAL;
    }
    double enter = 0.0, leave = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        double lower = v->box_scale * (double)node->lower[i][side] - v->slack - v->point[i];
        double upper = v->box_scale * (double)node->upper[i][side] + v->slack - v->point[i];
        double d = q->direction[i];
        if (fabs(d) < 1e-290) { // moves the ray by less than the slack, however far it goes
            if (!(lower <= 0.0 && upper >= 0.0)) {
                return HUGE_VAL;
            }
            continue;
        }
        enter = fmax(enter, (d > 0.0 ? lower : upper) / d);
        leave = fmin(leave, (d > 0.0 ? upper : lower) / d);
    }
    // The parameter of a triangle has the rounding error of a length divided by the largest component of the
    // direction.
    double slack = v->slack / q->largest;
    return enter * (1.0 - 8.0 * DBL_EPSILON) <= leave * (1.0 + 8.0 * DBL_EPSILON) + slack
               ? enter * (1.0 - 8.0 * DBL_EPSILON) - slack
               : HUGE_VAL;
}

static void try_ray(search *s, int element)
{
    const ray_query *q = s->query;
    abut_vec3 corners[4], scaled[4];
    double weights[4], t;
    if ((q->chosen != NULL && !q->chosen[element]) || !abut_tree_get_corners(s->tree, element, corners)) {
        return;
    }
    scale_corners(corners, 3, s->v.scale, scaled);
    if (!abut_ray_triangle(&q->ray, scaled, &t, weights)) {
        return;
    }
    double unscaled = ldexp(t, s->v.exponent - q->exponent);
    if (is_better(s, element, t, unscaled)) {
        s->least = s->reach = t;
        s->best = (abut_tree_hit){element, unscaled, weighted_point(corners, 3, weights)};
    }
}

abut_tree_hit abut_tree_ray(const abut_tree *tree, abut_vec3 origin, abut_vec3 direction, double limit)
{
    return abut_tree_ray_among(tree, origin, direction, limit, NULL);
}

abut_tree_hit abut_tree_ray_among(const abut_tree *tree, abut_vec3 origin, abut_vec3 direction, double limit,
                                  const unsigned char *chosen)
{
    if (tree->node_count == 0 || tree->kind != ABUT_ELEMENT_TRIANGLE || !abut_is_finite(origin) ||
        !abut_is_finite(direction) || !(limit >= 0.0)) {
        return no_hit;
    }
    search s = {.tree = tree, .v = make_view(tree, origin), .limit = limit, .least = HUGE_VAL, .best = no_hit};
    int exponent = abut_tree_exponent_of_vec3(direction);
    abut_vec3 d = abut_scale(ldexp(1.0, -exponent), direction);
    ray_query q = {.exponent = exponent,
                   .direction = {d.x, d.y, d.z},
                   .largest = abut_max_component(abut_abs(d)),
                   .chosen = chosen};
    if (!abut_ray_make(abut_scale(s.v.scale, origin), d, &q.ray)) {
        return no_hit;
    }
    s.query = &q;
    s.reach = ldexp(limit, exponent - s.v.exponent);
    return walk(&s, box_entry, try_ray);
}
