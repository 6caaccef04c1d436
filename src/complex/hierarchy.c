// SPDX-License-Identifier: MIT
// hierarchy.c: the sphere-cone hierarchy over the simplices of a complex
//
// A node has up to eight children, and for each of them a ball around its simplices, a cone around their polar cones, one
// bit for each class among them, and where they begin and end along the axis of the cone: the ball of a piece of a sheet
// is much thicker than the piece. Balls are smallest enclosing balls of the simplices themselves; cones enclose the
// cones of the children. Simplices are cut near the median along the first principal axis, three times for a node: twice
// of their positions, and then of their cones' axes if most of these are opposite, as on the two sides of a wall. All
// children but the last one have a power of eight simplices, so that nearly all nodes are full. The place of every node
// is known in advance, and threads build their parts of the same array.
//
// Source:  Merlhiot 2007, section 6.4 ("5D+1").
// Differs: eight children instead of two: a processor tests them at once. Simplices of class 7 are left out, since
//          nothing is compatible with them. Cones may be two-sided, which shells need. The paper cuts every second time
//          by orientation. On the assembly of `abut bench lmd` that takes four times as many tests of nodes as no such
//          cut: where a surface is smooth, cuts by position tell directions apart too.
#include "complex/hierarchy.h"

#include "base/context.h"
#include "complex/ball.h"
#include "math/eigen.h"

static const double pi = 3.14159265358979323846;
static const double least_spread = 0.8; ///< variance of axes, 1 at most: above it they are opposite
static const double angle_slack = 2e-6; ///< radians, for the rounding of cones to float at every level

enum {
    PART_COUNT = 64, ///< about as many parts are built in parallel
    CUTS = 3         ///< levels of cuts in a node; the last one may be by orientation
};

/// A range of simplices. Its node, if there is more than one.
typedef struct build_part {
    int begin, end; ///< in `order`
    int node;       ///< its node
    int below;      ///< the first node below it
    int depth;      ///< cuts above it
} build_part;

/// A node near the root, whose children are parts.
typedef struct build_top {
    int node, child_count;
    build_part children[ABUT_LMD_CHILDREN];
} build_top;

/// Memory of one thread.
typedef struct build_room {
    abut_vec3 *points; ///< as many as there are vertices
    int *stamps;       ///< by vertex: the last range that has it
    int stamp;
} build_room;

typedef struct builder {
    const abut_complex *complex;
    abut_lmd_node *nodes;
    int *order;
    abut_vec3 *middles, *axes; ///< by simplex
    build_part parts[PART_COUNT + ABUT_LMD_CHILDREN];
    int part_count;
    build_top tops[PART_COUNT];
    int top_count;
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

// ---- balls, cones and slabs of children

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

/// Sets the ball and the slab along the axis, both rounded outward.
static void set_ball(abut_lmd_node *node, int k, const abut_vec3 *points, int count)
{
    abut_ball ball = abut_ball_of_points(points, count);
    abut_vec3 center = {(float)ball.center.x, (float)ball.center.y, (float)ball.center.z};
    abut_vec3 axis = {node->axis[0][k], node->axis[1][k], node->axis[2][k]};
    double radius = (ball.radius + abut_norm(abut_sub(center, ball.center))) * (1.0 + 1e-6);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        double along = abut_dot(abut_sub(points[i], center), axis);
        low = fmin(low, along);
        high = fmax(high, along);
    }
    node->center[0][k] = (float)center.x;
    node->center[1][k] = (float)center.y;
    node->center[2][k] = (float)center.z;
    node->radius[k] = (float)radius;
    node->low[k] = (float)(low - 2e-6 * radius);
    node->high[k] = (float)(high + 2e-6 * radius);
}

typedef struct build_cone {
    abut_vec3 axis;
    double half;
    int is_two_sided;
} build_cone;

static void set_cone(abut_lmd_node *node, int k, build_cone cone)
{
    double half = fmin(cone.half + angle_slack, pi);
    node->axis[0][k] = (float)cone.axis.x;
    node->axis[1][k] = (float)cone.axis.y;
    node->axis[2][k] = (float)cone.axis.z;
    node->cosine[k] = (float)cos(half);
    node->sine[k] = half < pi ? (float)sin(half) : 0.0f;
    node->is_two_sided[k] = (unsigned char)cone.is_two_sided;
}

/// The smallest cone that encloses two.
static build_cone join_cones(build_cone a, build_cone b)
{
    build_cone joined = {a.axis, a.half, a.is_two_sided || b.is_two_sided};
    if (joined.is_two_sided && abut_dot(a.axis, b.axis) < 0.0) { // the opposite directions belong to both
        b.axis = abut_negate(b.axis);
    }
    double between = atan2(abut_norm(abut_cross(a.axis, b.axis)), abut_dot(a.axis, b.axis));
    double half = 0.5 * (a.half + b.half + between);
    if (between + b.half <= a.half || half >= pi) {
        joined.half = half >= pi ? pi : a.half;
    } else if (between + a.half <= b.half) {
        joined.axis = b.axis;
        joined.half = b.half;
    } else {
        double turn = half - a.half;
        abut_vec3 across = abut_sub(b.axis, abut_scale(abut_dot(a.axis, b.axis), a.axis));
        across = abut_norm(across) > 1e-6 ? abut_unit(across) : abut_any_perpendicular(abut_unit(a.axis));
        joined.axis = abut_unit(abut_add(abut_scale(cos(turn), a.axis), abut_scale(sin(turn), across)));
        joined.half = half + 1e-6;
    }
    return joined;
}

/// The cone around those of all children of a node.
static build_cone cone_of_node(const abut_lmd_node *node, int *classes)
{
    build_cone cones[ABUT_LMD_CHILDREN];
    int count = 0;
    *classes = 0;
    for (int k = 0; k < ABUT_LMD_CHILDREN && node->classes[k] != 0; ++k) {
        *classes |= node->classes[k];
        cones[count++] = (build_cone){{node->axis[0][k], node->axis[1][k], node->axis[2][k]},
                                      atan2(node->sine[k], node->cosine[k]),
                                      node->is_two_sided[k]};
    }
    for (; count > 1; count = (count + 1) / 2) { // neighbours first, as they were cut
        for (int i = 0; i < count / 2; ++i) {
            cones[i] = join_cones(cones[2 * i], cones[2 * i + 1]);
        }
        cones[count / 2] = cones[count - 1]; // of an odd number; else it is not used
    }
    return cones[0];
}

/// Sets bounds and classes of child k of a node; what is below it is finished.
static void fill_child(const builder *b, int node, int k, const build_part *child, build_room *room)
{
    abut_lmd_node *n = &b->nodes[node];
    if (child->end - child->begin == 1) {
        int simplex = b->order[child->begin];
        const abut_polar_cone *cone = &b->complex->cones[simplex];
        n->child[k] = ~simplex;
        n->classes[k] = (unsigned char)(b->is_plain ? 0xffu : 1u << b->complex->classes[simplex]);
        set_cone(n, k, (build_cone){cone->axis, cone->half_angle, cone->is_two_sided});
    } else {
        int classes;
        n->child[k] = child->node;
        set_cone(n, k, cone_of_node(&b->nodes[child->node], &classes));
        n->classes[k] = (unsigned char)classes;
    }
    set_ball(n, k, room->points, gather_points(b, child, room));
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

/// Puts those of a range that are lowest, by the product of the keys with an axis, before the place `middle`. Ties go by
/// simplex. Quickselect with the median of three.
static void cut_at(const abut_vec3 *keys, abut_vec3 axis, int *order, int begin, int middle, int end)
{
    int low = begin, high = end - 1;
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

/// Cuts a range in two.
static void cut_range(const builder *b, int begin, int middle, int end, int depth)
{
    double variance = 0.0;
    abut_vec3 axis;
    const abut_vec3 *keys = b->axes;
    if (!b->is_plain && depth % CUTS == CUTS - 1) {
        axis = principal_axis(keys, b->order, begin, end, &variance);
    }
    if (!(variance > least_spread)) {
        keys = b->middles;
        axis = principal_axis(keys, b->order, begin, end, &variance);
    }
    cut_at(keys, axis, b->order, begin, middle, end);
}

/// The simplices of all children of a node of so many but the last one.
static int child_size(int count)
{
    int size = 1;
    while (size < (count + ABUT_LMD_CHILDREN - 1) / ABUT_LMD_CHILDREN) {
        size *= ABUT_LMD_CHILDREN;
    }
    return size;
}

/// The nodes over so many simplices, at least one.
static int node_total(int count)
{
    int total = 1, size = child_size(count), last = count - (count - 1) / size * size;
    total += (count - 1) / size * ((size - 1) / (ABUT_LMD_CHILDREN - 1));
    return last > 1 ? total + node_total(last) : total;
}

/// Cuts a part into the children of its node, and says where theirs are. Returns their number.
static int cut_part(const builder *b, const build_part *part, build_part children[ABUT_LMD_CHILDREN])
{
    int count = part->end - part->begin, size = child_size(count), child_count = (count + size - 1) / size;
    for (int width = ABUT_LMD_CHILDREN, depth = part->depth; width > 1; width /= 2, ++depth) {
        for (int first = 0; first + width / 2 < child_count; first += width) {
            int last = first + width < child_count ? first + width : child_count;
            int end = part->begin + last * size < part->end ? part->begin + last * size : part->end;
            cut_range(b, part->begin + first * size, part->begin + (first + width / 2) * size, end, depth);
        }
    }
    int node = part->below, inner = 0;
    for (int k = 0; k < child_count; ++k) {
        int begin = part->begin + k * size, end = k + 1 < child_count ? begin + size : part->end;
        children[k] = (build_part){begin, end, end - begin > 1 ? node + inner : -1, 0, part->depth + CUTS};
        inner += end - begin > 1;
    }
    int below = node + inner;
    for (int k = 0; k < child_count; ++k) {
        children[k].below = below;
        below += children[k].node >= 0 ? node_total(children[k].end - children[k].begin) - 1 : 0;
    }
    return child_count;
}

/// Builds the node of a part and all below it.
static void build_below(const builder *b, const build_part *part, build_room *room)
{
    build_part children[ABUT_LMD_CHILDREN];
    int count = cut_part(b, part, children);
    for (int k = 0; k < count; ++k) {
        if (children[k].node >= 0) {
            build_below(b, &children[k], room); // as deep as there are levels, ABUT_LMD_DEEPEST at most
        }
        fill_child(b, part->node, k, &children[k], room);
    }
}

static void build_parts(void *data, int begin, int end, int worker)
{
    const builder *b = data;
    for (int i = begin; i < end; ++i) {
        build_below(b, &b->parts[i], &b->rooms[worker]);
    }
}

/// Cuts the largest parts until there are enough for all threads.
static void cut_first_parts(builder *b, int leaf_count)
{
    b->parts[b->part_count++] = (build_part){0, leaf_count, 0, 1, 0};
    while (b->part_count < PART_COUNT && b->top_count < PART_COUNT) {
        int largest = 0;
        for (int i = 1; i < b->part_count; ++i) {
            const build_part *other = &b->parts[i];
            largest = other->end - other->begin > b->parts[largest].end - b->parts[largest].begin ? i : largest;
        }
        build_part part = b->parts[largest];
        if (part.end - part.begin < PART_COUNT) {
            break;
        }
        build_top *top = &b->tops[b->top_count++];
        top->node = part.node;
        top->child_count = cut_part(b, &part, top->children);
        b->parts[largest] = b->parts[--b->part_count];
        for (int k = 0; k < top->child_count; ++k) {
            if (top->children[k].node >= 0) {
                b->parts[b->part_count++] = top->children[k];
            }
        }
    }
}

static void fill_top(void *data, int begin, int end, int worker)
{
    const builder *b = data;
    const build_top *top = &b->tops[b->top_count];
    for (int k = begin; k < end; ++k) {
        fill_child(b, top->node, k, &top->children[k], &b->rooms[worker]);
    }
}

static void list_simplices(builder *b)
{
    const abut_complex *c = b->complex;
    int count = abut_complex_simplex_count(c), listed = 0;
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
    size_t count = (size_t)abut_complex_simplex_count(c);
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
    int leaf_count = abut_complex_simplex_count(c) - c->info.class_counts[ABUT_NO_CLASS];
    c->node_count = leaf_count > 0 ? node_total(leaf_count) : 0;
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
        while (b->top_count-- > 0) { // those below come after those above
            abut_parallel_for(context, b->tops[b->top_count].child_count, 1, fill_top, b);
        }
    }
    release_builder(b, context, workers);
    return ABUT_OK;
}
