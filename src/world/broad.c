// SPDX-License-Identifier: MIT
// broad.c: a tree of boxes by halves, and the pairs of its leaves whose boxes touch
//
// The boxes are halved at the median of their centres along the axis in which these spread most. The depth of the tree
// is log2 of the count for any boxes, so that stacks have a fixed size.
//
// The tree is one of widened boxes. As long as all boxes stay within these, only the pairs that it gave can touch, and
// no tree is built.
#include "world/broad.h"

#include "base/memory.h"
#include "prim/compare.h"

#include <limits.h>
#include <string.h>

/// Of the shortest side of a box: how far it is widened. More means more pairs to test in every step, less means more
/// steps that build a tree.
static const double widening = 0.05;

enum {
    LEAF = 4,  ///< boxes
    STACK = 64 ///< a walk keeps at most one entry a level, and two at the last, of 31 levels
};

struct abut_broad_node {
    abut_box box;
    int begin, end; ///< range of `order`
    int left;       ///< index of the left child, the right one follows; 0: a leaf
};

typedef struct abut_broad_node node;

void abut_broad_init(abut_broad *broad, const abut_context *context)
{
    memset(broad, 0, sizeof *broad);
    broad->context = *context;
}

void abut_broad_release(abut_broad *broad)
{
    abut_free(&broad->context, broad->nodes);
    abut_free(&broad->context, broad->order);
    abut_free(&broad->context, broad->pairs);
    abut_free(&broad->context, broad->sorted);
    abut_free(&broad->context, broad->near);
    abut_free(&broad->context, broad->wide);
    abut_free(&broad->context, broad->is_passive);
}

static double center_along(const abut_box *box, int axis)
{
    const double lower[3] = {box->lower.x, box->lower.y, box->lower.z};
    const double upper[3] = {box->upper.x, box->upper.y, box->upper.z};
    return 0.5 * (lower[axis] + upper[axis]);
}

/// Puts the boxes with the lower centres before `middle`; ties go by index, so that the result is one.
static void split_at(int *order, int begin, int middle, int end, const abut_box *boxes, int axis)
{
    while (end - begin > 1) {
        int pivot = order[begin + (end - begin) / 2];
        double center = center_along(&boxes[pivot], axis);
        int low = begin, high = end - 1;
        while (low <= high) {
            for (;; ++low) {
                double other = center_along(&boxes[order[low]], axis);
                if (!(other < center || (other == center && order[low] < pivot))) {
                    break;
                }
            }
            for (;; --high) {
                double other = center_along(&boxes[order[high]], axis);
                if (!(other > center || (other == center && order[high] > pivot))) {
                    break;
                }
            }
            if (low <= high) {
                int swap = order[low];
                order[low++] = order[high];
                order[high--] = swap;
            }
        }
        if (middle <= high) {
            end = high + 1;
        } else if (middle >= low) {
            begin = low;
        } else {
            return;
        }
    }
}

static int widest_axis(const int *order, int begin, int end, const abut_box *boxes)
{
    abut_box centers = abut_box_empty();
    for (int i = begin; i < end; ++i) {
        centers = abut_box_add(centers, abut_box_center(boxes[order[i]]));
    }
    abut_vec3 size = abut_sub(centers.upper, centers.lower);
    if (size.x >= size.y && size.x >= size.z) {
        return 0;
    }
    return size.y >= size.z ? 1 : 2;
}

static void build(abut_broad *broad, const abut_box *boxes, int count)
{
    node *nodes = broad->nodes;
    int node_count = 1;
    nodes[0].begin = 0;
    nodes[0].end = count;
    for (int i = 0; i < node_count; ++i) { // children come after their parent
        node *n = &nodes[i];
        n->left = 0;
        n->box = abut_box_empty();
        for (int k = n->begin; k < n->end; ++k) {
            n->box = abut_box_union(n->box, boxes[broad->order[k]]);
        }
        if (n->end - n->begin > LEAF) {
            int middle = n->begin + (n->end - n->begin) / 2;
            split_at(broad->order, n->begin, middle, n->end, boxes,
                     widest_axis(broad->order, n->begin, n->end, boxes));
            n->left = node_count;
            nodes[node_count].begin = n->begin;
            nodes[node_count].end = middle;
            nodes[node_count + 1].begin = middle;
            nodes[node_count + 1].end = n->end;
            node_count += 2;
        }
    }
}

/// Pairs of box `index` with boxes of a higher number.
static int find_partners(abut_broad *broad, int index)
{
    const abut_box *boxes = broad->wide;
    const unsigned char *is_passive = broad->is_passive;
    int stack[STACK];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const node *n = &broad->nodes[stack[--depth]];
        if (!abut_boxes_overlap(n->box, boxes[index])) {
            continue;
        }
        if (n->left != 0) {
            stack[depth++] = n->left + 1;
            stack[depth++] = n->left;
            continue;
        }
        for (int k = n->begin; k < n->end; ++k) {
            int other = broad->order[k];
            if (other <= index || (is_passive[index] && is_passive[other]) ||
                !abut_boxes_overlap(boxes[index], boxes[other])) {
                continue;
            }
            if (broad->near_count == INT_MAX || !abut_grow(&broad->context, &broad->near, &broad->near_capacity,
                                                           broad->near_count + 1, sizeof *broad->near)) {
                return 0;
            }
            abut_body_pair pair = {index, other};
            broad->near[broad->near_count++] = pair;
        }
    }
    return 1;
}

/// Stable, by the number that `is_by_b` names, from `from` to `to`; `counts` has room for `body_count` + 1.
static void sort_pairs(const abut_body_pair *from, abut_body_pair *to, int pair_count, int *counts, int body_count,
                       int is_by_b)
{
    memset(counts, 0, ((size_t)body_count + 1) * sizeof *counts);
    for (int i = 0; i < pair_count; ++i) {
        ++counts[(is_by_b ? from[i].b : from[i].a) + 1];
    }
    for (int i = 0; i < body_count; ++i) {
        counts[i + 1] += counts[i];
    }
    for (int i = 0; i < pair_count; ++i) {
        to[counts[is_by_b ? from[i].b : from[i].a]++] = from[i];
    }
}

static abut_box widened(abut_box box)
{
    abut_vec3 size = abut_sub(box.upper, box.lower);
    double margin = widening * fmin(fmin(size.x, size.y), size.z);
    abut_vec3 by = {margin, margin, margin};
    return (abut_box){abut_sub(box.lower, by), abut_add(box.upper, by)};
}

static int is_within(const abut_box *box, const abut_box *wide)
{
    return box->lower.x >= wide->lower.x && box->lower.y >= wide->lower.y && box->lower.z >= wide->lower.z &&
           box->upper.x <= wide->upper.x && box->upper.y <= wide->upper.y && box->upper.z <= wide->upper.z;
}

/// Whether the pairs of the widened boxes have all pairs that touch now.
static int is_current(const abut_broad *broad, const abut_box *boxes, const unsigned char *is_passive, int count)
{
    if (broad->count != count) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        int passive = is_passive != NULL && is_passive[i];
        if (passive != broad->is_passive[i] || !is_within(&boxes[i], &broad->wide[i])) {
            return 0;
        }
    }
    return 1;
}

/// Finds the pairs of widened boxes.
static int find_near(abut_broad *broad, const abut_box *boxes, const unsigned char *is_passive, int count)
{
    const abut_context *context = &broad->context;
    broad->count = -1; // until it is done
    broad->near_count = 0;
    if (count == INT_MAX ||
        !abut_grow(context, &broad->order, &broad->order_capacity, count + 1, sizeof *broad->order) ||
        !abut_grow(context, &broad->nodes, &broad->node_capacity, count, sizeof *broad->nodes) ||
        !abut_grow(context, &broad->wide, &broad->wide_capacity, count, sizeof *broad->wide) ||
        !abut_grow(context, &broad->is_passive, &broad->passive_capacity, count, 1)) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        broad->order[i] = i;
        broad->wide[i] = widened(boxes[i]);
        broad->is_passive[i] = (unsigned char)(is_passive != NULL && is_passive[i]);
    }
    build(broad, broad->wide, count);
    ++broad->build_count;
    for (int i = 0; i < count; ++i) {
        if (!find_partners(broad, i)) {
            return 0;
        }
    }
    if (!abut_grow(context, &broad->sorted, &broad->sorted_capacity, broad->near_count, sizeof *broad->sorted)) {
        return 0;
    }
    sort_pairs(broad->near, broad->sorted, broad->near_count, broad->order, count, 1);
    sort_pairs(broad->sorted, broad->near, broad->near_count, broad->order, count, 0);
    broad->count = count;
    return 1;
}

abut_status abut_broad_find(abut_broad *broad, const abut_box *boxes, const unsigned char *is_passive, int count)
{
    broad->pair_count = 0;
    if (count < 2) {
        return ABUT_OK;
    }
    if ((!is_current(broad, boxes, is_passive, count) && !find_near(broad, boxes, is_passive, count)) ||
        !abut_grow(&broad->context, &broad->pairs, &broad->pair_capacity, broad->near_count,
                   sizeof *broad->pairs)) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < broad->near_count; ++i) {
        abut_body_pair pair = broad->near[i];
        if (abut_boxes_overlap(boxes[pair.a], boxes[pair.b])) {
            broad->pairs[broad->pair_count++] = pair;
        }
    }
    return ABUT_OK;
}

abut_status abut_broad_build(abut_broad *broad, const abut_box *boxes, int count)
{
    const abut_context *context = &broad->context;
    broad->count = -1; // its pairs are not found
    broad->near_count = 0;
    if (count == INT_MAX ||
        !abut_grow(context, &broad->order, &broad->order_capacity, count + 1, sizeof *broad->order) ||
        !abut_grow(context, &broad->nodes, &broad->node_capacity, count + 1, sizeof *broad->nodes) ||
        !abut_grow(context, &broad->wide, &broad->wide_capacity, count, sizeof *broad->wide)) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        broad->order[i] = i;
        broad->wide[i] = boxes[i];
    }
    build(broad, broad->wide, count);
    ++broad->build_count;
    return ABUT_OK;
}

/// Narrows the range of t in which origin + t direction is between lower and upper.
static void clip(double origin, double direction, double lower, double upper, double *begin, double *end)
{
    if (direction == 0.0) {
        *end = origin >= lower && origin <= upper ? *end : -1.0;
        return;
    }
    double t = (lower - origin) / direction, u = (upper - origin) / direction;
    *begin = fmax(*begin, fmin(t, u));
    *end = fmin(*end, fmax(t, u));
}

/// When a box of the given half sides on its way meets another one, or infinity: not up to the limit. Rounding makes it
/// a little early.
static double entry_of(const abut_box *box, abut_vec3 origin, abut_vec3 direction, abut_vec3 half, double limit)
{
    // 1e-12: a bound of the rounding of the few operations here, relative to the largest number in them
    abut_vec3 size = abut_max(abut_max(abut_abs(box->lower), abut_abs(box->upper)), abut_abs(origin));
    abut_vec3 by = abut_add_scaled(half, 1e-12, size);
    double begin = 0.0, end = limit;
    clip(origin.x, direction.x, box->lower.x - by.x, box->upper.x + by.x, &begin, &end);
    clip(origin.y, direction.y, box->lower.y - by.y, box->upper.y + by.y, &begin, &end);
    clip(origin.z, direction.z, box->lower.z - by.z, box->upper.z + by.z, &begin, &end);
    return begin <= end * (1.0 + 1e-12) ? begin : HUGE_VAL;
}

void abut_broad_cast(const abut_broad *broad, abut_vec3 origin, abut_vec3 direction, abut_vec3 half, double limit,
                     abut_broad_visit *visit, void *user)
{
    const node *nodes = broad->nodes;
    int stack[STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const node *n = &nodes[stack[--depth]];
        if (entry_of(&n->box, origin, direction, half, limit) == HUGE_VAL) {
            continue;
        }
        if (n->left != 0) {
            double left = entry_of(&nodes[n->left].box, origin, direction, half, limit);
            double right = entry_of(&nodes[n->left + 1].box, origin, direction, half, limit);
            int near = right < left;
            stack[depth++] = n->left + !near;
            stack[depth++] = n->left + near;
            continue;
        }
        for (int k = n->begin; k < n->end; ++k) {
            int box = broad->order[k];
            if (entry_of(&broad->wide[box], origin, direction, half, limit) < HUGE_VAL) {
                limit = visit(user, box, limit);
            }
        }
    }
}
