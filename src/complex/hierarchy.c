// SPDX-License-Identifier: MIT
// hierarchy.c: the sphere-cone hierarchy over the simplices of a complex
//
// Every node has a ball around its simplices, a cone around their polar cones, one bit for each class among them, and
// where they begin and end along the axis of the cone: the ball of a piece of a sheet is much thicker than the piece.
// Balls are smallest enclosing balls of the simplices themselves; cones enclose the cones of the two children. Nodes
// are cut at the median along the first principal axis, seven times of the positions and once of the cones' axes. A node of m
// simplices has 2 m - 2 nodes below it, so the place of every node is known in advance, and threads build their parts
// of the same array.
//
// Source:  Merlhiot 2007, section 6.4 ("5D+1").
// Differs: simplices of class 7 are left out, since nothing is compatible with them. Cones may be two-sided, which
//          shells need. One cut in eight is by orientation, where the paper has one in two: on the
//          assembly of `abut bench lmd` that takes a third of the pairs of nodes. If the axes do not spread, the cut is by position.
#include "complex/hierarchy.h"

#include "base/context.h"
#include "complex/ball.h"
#include "math/eigen.h"

static const double pi = 3.14159265358979323846;
static const double least_spread = 1e-3; ///< variance of axes below which orientation is no help
static const double angle_slack = 2e-6;  ///< radians, for the rounding of cones to float at every level

enum {
    PART_COUNT = 64, ///< about as many parts are built in parallel
    DEEPEST = 48,    ///< levels; medians leave half on each side
    CYCLE = 8        ///< one cut in so many is by orientation
};

typedef struct build_part {
    int begin, end; ///< in `order`
    int node;       ///< its node
    int below;      ///< the first node below it
    int depth;
} build_part;

/// Memory of one thread.
typedef struct build_room {
    abut_vec3 *points; ///< as many as there are vertices
    int *stamps;       ///< by vertex: the last node that has it
    int stamp;
} build_room;

typedef struct builder {
    const abut_complex *complex;
    abut_lmd_node *nodes;
    int *order;
    abut_vec3 *middles, *axes; ///< by simplex
    build_part parts[2 * PART_COUNT];
    int part_count;
    int is_plain;
    build_room *rooms; ///< by worker
} builder;

static int corner_count(const abut_complex *c, int simplex)
{
    return simplex < c->vertex_count ? 1 : simplex < c->vertex_count + c->info.edge_count ? 2 : 3;
}

int abut_complex_corners(const abut_complex *complex, int simplex, int corners[3])
{
    const abut_complex *c = complex;
    int count = corner_count(c, simplex);
    size_t edge = (size_t)(simplex - c->vertex_count);
    const int *from = count == 2 ? c->edges + 2 * edge : c->triangles + 3 * (edge - (size_t)c->info.edge_count);
    corners[0] = simplex;
    for (int k = 0; count > 1 && k < count; ++k) {
        corners[k] = from[k];
    }
    return count;
}

static abut_vec3 middle_of(const abut_complex *c, int simplex)
{
    int corners[3];
    int count = abut_complex_corners(c, simplex, corners);
    abut_vec3 sum = c->vertices[corners[0]];
    for (int k = 1; k < count; ++k) {
        sum = abut_add(sum, c->vertices[corners[k]]);
    }
    return abut_scale(1.0 / count, sum);
}

// ---- balls

/// Collects the vertices of the simplices of a part, each once.
static int gather_points(const builder *b, const build_part *part, build_room *room)
{
    int count = 0;
    ++room->stamp;
    for (int i = part->begin; i < part->end; ++i) {
        int corners[3], corner_total = abut_complex_corners(b->complex, b->order[i], corners);
        for (int k = 0; k < corner_total; ++k) {
            if (room->stamps[corners[k]] != room->stamp) {
                room->stamps[corners[k]] = room->stamp;
                room->points[count++] = b->complex->vertices[corners[k]];
            }
        }
    }
    return count;
}

/// Rounds the center to float and the radius up, so that the ball still encloses.
static void set_ball(abut_lmd_node *node, abut_ball ball)
{
    abut_vec3 rounded = {(float)ball.center.x, (float)ball.center.y, (float)ball.center.z};
    double radius = ball.radius + abut_norm(abut_sub(rounded, ball.center));
    node->center[0] = (float)ball.center.x;
    node->center[1] = (float)ball.center.y;
    node->center[2] = (float)ball.center.z;
    node->radius = (float)(radius * (1.0 + 1e-6));
}

// ---- cones

static void set_cone(abut_lmd_node *node, abut_vec3 axis, double half, int is_two_sided)
{
    half = fmin(half + angle_slack, pi);
    node->axis[0] = (float)axis.x;
    node->axis[1] = (float)axis.y;
    node->axis[2] = (float)axis.z;
    node->cosine = (float)cos(half);
    node->sine = half < pi ? (float)sin(half) : 0.0f;
    node->is_two_sided = (unsigned char)is_two_sided;
}

static abut_vec3 axis_of(const abut_lmd_node *node)
{
    return abut_vec3_make(node->axis[0], node->axis[1], node->axis[2]);
}

static double half_of(const abut_lmd_node *node)
{
    return atan2(node->sine, node->cosine);
}

/// The smallest cone that encloses the cones of the children.
static void join_cones(abut_lmd_node *node, const abut_lmd_node *a, const abut_lmd_node *b)
{
    abut_vec3 p = axis_of(a), q = axis_of(b);
    double first = half_of(a), second = half_of(b);
    int is_two_sided = a->is_two_sided || b->is_two_sided;
    node->classes = (unsigned char)(a->classes | b->classes);
    if (is_two_sided && abut_dot(p, q) < 0.0) { // the opposite directions belong to one of them, so to both
        q = abut_negate(q);
    }
    double between = atan2(abut_norm(abut_cross(p, q)), abut_dot(p, q));
    double half = 0.5 * (first + second + between);
    if (between + second <= first || half >= pi) {
        set_cone(node, p, half >= pi ? pi : first, is_two_sided);
    } else if (between + first <= second) {
        set_cone(node, q, second, is_two_sided);
    } else {
        double turn = half - first;
        abut_vec3 across = abut_sub(q, abut_scale(abut_dot(p, q), p));
        across = abut_norm(across) > 1e-6 ? abut_unit(across) : abut_any_perpendicular(abut_unit(p));
        set_cone(node, abut_unit(abut_add(abut_scale(cos(turn), p), abut_scale(sin(turn), across))), half + 1e-6,
                 is_two_sided);
    }
}

// ---- slabs

/// Rounds outward.
static void set_slab(abut_lmd_node *node, double low, double high)
{
    double slack = 2e-6 * node->radius;
    node->low = (float)fmax(low - slack, -(double)node->radius);
    node->high = (float)fmin(high + slack, node->radius);
}

static abut_vec3 center_of(const abut_lmd_node *node)
{
    return abut_vec3_make(node->center[0], node->center[1], node->center[2]);
}

/// Where the corners of a leaf are along its axis.
static void measure_leaf(const abut_complex *c, abut_lmd_node *leaf)
{
    int corners[3], count = abut_complex_corners(c, ~leaf->child, corners);
    double low = leaf->radius, high = -(double)leaf->radius;
    for (int k = 0; k < count; ++k) {
        double along = abut_dot(abut_sub(c->vertices[corners[k]], center_of(leaf)), axis_of(leaf));
        low = fmin(low, along);
        high = fmax(high, along);
    }
    set_slab(leaf, low, high);
}

/// How far a node reaches from its center in a direction: the farthest point of its ball within its slab.
static double reach_of(const abut_lmd_node *node, abut_vec3 direction)
{
    double radius = node->radius, cosine = abut_dot(axis_of(node), direction);
    double end = cosine >= 0.0 ? node->high : -(double)node->low;
    cosine = fmin(fabs(cosine), 1.0);
    return radius * cosine <= end
               ? radius
               : end * cosine + sqrt(fmax(radius * radius - end * end, 0.0) * (1.0 - cosine * cosine));
}

static void join_slabs(abut_lmd_node *node, const abut_lmd_node *children)
{
    abut_vec3 axis = axis_of(node);
    double low = node->radius, high = -(double)node->radius;
    for (int k = 0; k < 2; ++k) {
        double along = abut_dot(abut_sub(center_of(&children[k]), center_of(node)), axis);
        low = fmin(low, along - reach_of(&children[k], abut_negate(axis)));
        high = fmax(high, along + reach_of(&children[k], axis));
    }
    set_slab(node, low, high);
}

// ---- cuts

/// The direction in which the keys of a range spread most, and their variance there.
static abut_vec3 principal_axis(const abut_vec3 *keys, const int *order, int begin, int end, double *variance)
{
    abut_vec3 mean = {0.0, 0.0, 0.0};
    for (int i = begin; i < end; ++i) {
        mean = abut_add(mean, keys[order[i]]);
    }
    mean = abut_scale(1.0 / (end - begin), mean);
    abut_mat3 spread = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = begin; i < end; ++i) {
        abut_vec3 d = abut_sub(keys[order[i]], mean);
        spread.x = abut_add_scaled(spread.x, d.x, d);
        spread.y = abut_add_scaled(spread.y, d.y, d);
        spread.z = abut_add_scaled(spread.z, d.z, d);
    }
    abut_eigen eigen = abut_eigen_symmetric(spread);
    *variance = eigen.values.z / (end - begin);
    return eigen.vectors.z;
}

static int is_lower(double value, int simplex, double other_value, int other)
{
    return value != other_value ? value < other_value : simplex < other;
}

/// Puts the lower half of a range, by the product of the keys with an axis, first. Ties go by simplex. Quickselect with
/// the median of three.
static void cut_at_median(const abut_vec3 *keys, abut_vec3 axis, int *order, int begin, int end)
{
    int low = begin, high = end - 1, middle = begin + (end - begin) / 2;
    while (low < high) {
        int samples[3] = {order[low], order[low + (high - low) / 2], order[high]};
        double values[3];
        for (int k = 0; k < 3; ++k) {
            values[k] = abut_dot(keys[samples[k]], axis);
        }
        int m = is_lower(values[0], samples[0], values[1], samples[1])
                    ? (is_lower(values[1], samples[1], values[2], samples[2])   ? 1
                       : is_lower(values[0], samples[0], values[2], samples[2]) ? 2
                                                                                : 0)
                    : (is_lower(values[0], samples[0], values[2], samples[2])   ? 0
                       : is_lower(values[1], samples[1], values[2], samples[2]) ? 2
                                                                                : 1);
        double pivot = values[m];
        int pivot_simplex = samples[m], i = low, k = high;
        while (i <= k) {
            while (is_lower(abut_dot(keys[order[i]], axis), order[i], pivot, pivot_simplex)) {
                ++i;
            }
            while (is_lower(pivot, pivot_simplex, abut_dot(keys[order[k]], axis), order[k])) {
                --k;
            }
            if (i <= k) {
                int swapped = order[i];
                order[i++] = order[k];
                order[k--] = swapped;
            }
        }
        if (middle <= k) {
            high = k;
        } else if (middle >= i) {
            low = i;
        } else {
            break;
        }
    }
}

/// Fills in the ball of a node, and cuts its range in two.
static void open_node(const builder *b, const build_part *part, build_room *room)
{
    abut_lmd_node *node = &b->nodes[part->node];
    int count = part->end - part->begin;
    set_ball(node, abut_ball_of_points(room->points, gather_points(b, part, room)));
    if (count == 1) {
        int simplex = b->order[part->begin];
        const abut_polar_cone *cone = &b->complex->cones[simplex];
        node->child = ~simplex;
        node->classes = (unsigned char)(b->is_plain ? 0xffu : 1u << b->complex->classes[simplex]);
        set_cone(node, cone->axis, cone->half_angle, cone->is_two_sided);
        return;
    }
    node->child = part->below;
    double variance = 0.0;
    abut_vec3 axis;
    const abut_vec3 *keys = b->axes;
    if (!b->is_plain && part->depth % CYCLE == CYCLE - 1) {
        axis = principal_axis(keys, b->order, part->begin, part->end, &variance);
    }
    if (!(variance > least_spread)) {
        keys = b->middles;
        axis = principal_axis(keys, b->order, part->begin, part->end, &variance);
    }
    cut_at_median(keys, axis, b->order, part->begin, part->end);
}

/// The two parts of a node that was cut.
static void children_of(const build_part *part, build_part children[2])
{
    int middle = part->begin + (part->end - part->begin) / 2;
    children[0] = (build_part){part->begin, middle, part->below, part->below + 2, part->depth + 1};
    children[1] = (build_part){middle, part->end, part->below + 1, part->below + 2 + 2 * (middle - part->begin) - 2,
                               part->depth + 1};
}

/// Builds a part and all below it.
static void build_part_nodes(const builder *b, const build_part *part, build_room *room)
{
    build_part stack[DEEPEST];
    int count = 0;
    stack[count++] = *part;
    while (count > 0) {
        build_part top = stack[--count], children[2];
        open_node(b, &top, room);
        if (top.end - top.begin > 1) {
            children_of(&top, children);
            stack[count++] = children[1];
            stack[count++] = children[0];
        }
    }
}

static void build_parts(void *data, int begin, int end, int worker)
{
    const builder *b = data;
    for (int i = begin; i < end; ++i) {
        build_part_nodes(b, &b->parts[i], &b->rooms[worker]);
    }
}

/// Cuts the largest parts until there are enough for all threads.
static void cut_first_parts(builder *b, int leaf_count)
{
    b->parts[b->part_count++] = (build_part){0, leaf_count, 0, 1, 0};
    for (int first = 0; b->part_count < PART_COUNT; first = 0) {
        for (int i = 1; i < b->part_count; ++i) {
            const build_part *largest = &b->parts[first], *other = &b->parts[i];
            first = other->end - other->begin > largest->end - largest->begin ? i : first;
        }
        build_part top = b->parts[first], children[2];
        if (top.end - top.begin < PART_COUNT) {
            break;
        }
        open_node(b, &top, &b->rooms[0]);
        children_of(&top, children);
        b->parts[first] = children[0];
        b->parts[b->part_count++] = children[1];
    }
}

static void list_simplices(builder *b)
{
    const abut_complex *c = b->complex;
    int count = c->vertex_count + c->info.edge_count + c->info.triangle_count, listed = 0;
    for (int i = 0; i < count; ++i) {
        if (c->classes[i] != ABUT_NO_CLASS) {
            b->order[listed++] = i;
            b->middles[i] = middle_of(c, i);
            b->axes[i] = c->cones[i].axis;
        }
    }
}

static void release_builder(builder *b, const abut_context *context, int workers)
{
    for (int i = 0; b != NULL && b->rooms != NULL && i < workers; ++i) {
        abut_free(context, b->rooms[i].points);
        abut_free(context, b->rooms[i].stamps);
    }
    if (b != NULL) {
        abut_free(context, b->rooms);
        abut_free(context, b->order);
        abut_free(context, b->middles);
        abut_free(context, b->axes);
    }
    abut_free(context, b);
}

/// NULL if memory ran out.
static builder *make_builder(const abut_complex *c, int leaf_count, int workers)
{
    const abut_context *context = &c->context;
    size_t count = (size_t)c->vertex_count + (size_t)c->info.edge_count + (size_t)c->info.triangle_count;
    builder *b = abut_allocate_zeroed(context, 1, sizeof *b);
    if (b == NULL) {
        return NULL;
    }
    b->complex = c;
    b->order = abut_allocate(context, (size_t)leaf_count, sizeof(int));
    b->middles = abut_allocate(context, count, sizeof(abut_vec3));
    b->axes = abut_allocate(context, count, sizeof(abut_vec3));
    b->rooms = abut_allocate_zeroed(context, (size_t)workers, sizeof *b->rooms);
    int is_good = b->order != NULL && b->middles != NULL && b->axes != NULL && b->rooms != NULL;
    for (int i = 0; is_good && i < workers; ++i) {
        b->rooms[i].points = abut_allocate(context, (size_t)c->vertex_count, sizeof(abut_vec3));
        b->rooms[i].stamps = abut_allocate_zeroed(context, (size_t)c->vertex_count, sizeof(int));
        is_good = b->rooms[i].points != NULL && b->rooms[i].stamps != NULL;
    }
    if (!is_good) {
        release_builder(b, context, workers);
        return NULL;
    }
    return b;
}

abut_status abut_complex_make_hierarchy(abut_complex *complex, int is_plain, abut_error *error)
{
    abut_complex *c = complex;
    const abut_context *context = &c->context;
    int workers = context->worker_count > 0 ? context->worker_count : 1;
    int leaf_count =
        c->vertex_count + c->info.edge_count + c->info.triangle_count - c->info.class_counts[ABUT_NO_CLASS];
    c->node_count = leaf_count > 0 ? 2 * leaf_count - 1 : 0;
    c->nodes = abut_allocate_zeroed(context, (size_t)c->node_count, sizeof *c->nodes);
    builder *b = make_builder(c, leaf_count, workers);
    if (c->nodes == NULL || b == NULL) {
        release_builder(b, context, workers);
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a hierarchy of %d simplices", leaf_count);
    }
    if (leaf_count > 0) {
        b->nodes = c->nodes;
        b->is_plain = is_plain;
        list_simplices(b);
        cut_first_parts(b, leaf_count);
        abut_parallel_for(context, b->part_count, 1, build_parts, b);
    }
    for (int i = c->node_count - 1; i >= 0; --i) { // children come after their parents
        if (c->nodes[i].child >= 0) {
            join_cones(&c->nodes[i], &c->nodes[c->nodes[i].child], &c->nodes[c->nodes[i].child + 1]);
            join_slabs(&c->nodes[i], &c->nodes[c->nodes[i].child]);
        } else {
            measure_leaf(c, &c->nodes[i]);
        }
    }
    release_builder(b, context, workers);
    return ABUT_OK;
}
