// SPDX-License-Identifier: MIT
// tree_build.c: splitting the elements of a tree where boxes become small
//
// A range of elements is cut across the longest side of its box, at the one of 15 (or 7) places where the counts on both sides times
// the surfaces of their boxes are least in sum: what a search expects to pay. Small ranges are sorted, and every place
// is looked at. All cuts leave whole leaves on the left, so that every range knows its nodes before it is split, and
// ranges can be split by different threads, with the same tree in the end.
//
// Cost: linear for each level; levels are bounded because deep ranges are cut in halves.
#include "spatial/tree.h"

#include "base/context.h"
#include "base/memory.h"
#include "math/float4.h"

#include <assert.h>
#include <float.h>
#include <string.h>

enum {
    BINS = 16,
    FEW_BINS = 8, // for ranges of fewer than FEW_COUNT
    FEW_COUNT = 64,
    SAMPLE_COUNT = 256,     // items of a large range that are put in bins
    SORTED_COUNT = 8,       // ranges of so many are sorted
    JOB_SHARE = 32,         // ranges of this part of all elements are split by one thread
    JOB_COUNT_LEAST = 4096, // and ranges of so few
};

// Middles that differ by less, in units of the tree, count as the same.
static const float LEAST_WIDTH = 1e-30f;

// An element's box. The fourth of `upper` holds the bits of its index.
typedef struct item {
    float lower[4], upper[4];
} item;

typedef struct bounds {
    abut_float4 lower, upper;
} bounds;

// A range to split: at least two leaves.
typedef struct job {
    int begin, end;
    int node, level; // level 1 is the root
    int depth;       // result: the lowest level below
    float lower[4], upper[4];
} job;

typedef struct builder {
    abut_tree *tree;
    item *items;
    job *jobs;
} builder;

static bounds no_bounds(void)
{
    bounds b = {abut_float4_all(FLT_MAX), abut_float4_all(-FLT_MAX)};
    return b;
}

static bounds join(bounds a, bounds b)
{
    bounds joined = {abut_float4_min(a.lower, b.lower), abut_float4_max(a.upper, b.upper)};
    return joined;
}

static bounds item_bounds(const item *i)
{
    bounds b = {abut_float4_load(i->lower), abut_float4_load(i->upper)};
    return b;
}

// Half the surface of a box.
static float surface(bounds b)
{
    float d[4];
    abut_float4_store(d, abut_float4_sub(b.upper, b.lower));
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

// Twice the middle of an element's box along an axis.
static float middle_of(const item *i, int axis)
{
    return i->lower[axis] + i->upper[axis];
}

static int longest_axis(const float lower[4], const float upper[4])
{
    float x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

// ---- bins

// Where middles go: bin = (middle - lower) * factor, from the first to the last bin.
typedef struct bin_scale {
    int axis, count;
    float lower, factor;
} bin_scale;

static bin_scale make_scale(int axis, int item_count, float lower, float width)
{
    int count = item_count < FEW_COUNT ? FEW_BINS : BINS;
    bin_scale scale = {axis, count, lower, (float)count / width};
    return scale;
}

// In bins, before rounding down.
static float place_of(const bin_scale *scale, const item *i)
{
    return (middle_of(i, scale->axis) - scale->lower) * scale->factor;
}

static int bin_of(const bin_scale *scale, const item *i)
{
    int bin = (int)place_of(scale, i);
    return bin < 0 ? 0 : bin < scale->count ? bin : scale->count - 1;
}

// Along the longest side of the box of all middles. Returns 0 where all middles are the same.
static int scale_by_middles(const item *items, int count, bin_scale *scale)
{
    bounds b = no_bounds();
    for (int i = 0; i < count; ++i) {
        bounds box = item_bounds(&items[i]);
        abut_float4 middle = abut_float4_add(box.lower, box.upper);
        b = join(b, (bounds){middle, middle});
    }
    float lower[4], upper[4];
    abut_float4_store(lower, b.lower);
    abut_float4_store(upper, b.upper);
    int axis = longest_axis(lower, upper);
    float width = upper[axis] - lower[axis];
    *scale = make_scale(axis, count, lower[axis], width);
    return width > LEAST_WIDTH;
}

// The bin after which to cut, or -1 where all are in one bin; and about the boxes of both sides. In large ranges a sample tells.
static int find_cut(const item *items, int count, const bin_scale *scale, bounds sides[2])
{
    int counts[BINS] = {0}, step = count / SAMPLE_COUNT | 1, all = 0, last = scale->count - 1;
    bounds boxes[BINS], rights[BINS];
    for (int i = 0; i <= last; ++i) {
        boxes[i] = no_bounds();
    }
    for (int i = 0; i < count; i += step) {
        int bin = bin_of(scale, &items[i]);
        ++counts[bin];
        ++all;
        boxes[bin] = join(boxes[bin], item_bounds(&items[i]));
    }
    rights[last] = boxes[last];
    for (int i = last - 1; i > 0; --i) {
        rights[i] = join(boxes[i], rights[i + 1]);
    }
    bounds left = no_bounds();
    int best = -1, left_count = 0;
    float least = FLT_MAX;
    for (int i = 0; i < last; ++i) {
        left = join(left, boxes[i]);
        left_count += counts[i];
        if (left_count == 0 || left_count == all) {
            continue;
        }
        float cost = (float)left_count * surface(left) + (float)(all - left_count) * surface(rights[i + 1]);
        if (cost < least) {
            least = cost;
            best = i;
            sides[0] = left;
            sides[1] = rights[i + 1];
        }
    }
    return best;
}

static void swap_items(item *a, item *b)
{
    item kept = *a;
    *a = *b;
    *b = kept;
}

// Brings the items of the bins up to `cut` to the front and returns how many they are; and where the nearest of the others is.
static int part(item *items, int count, const bin_scale *scale, int cut, int *nearest)
{
    float limit = (float)(cut + 1), least = HUGE_VALF, place_left = 0.0f;
    int left = 0, right = count;
    *nearest = count - 1;
    for (;;) {
        while (left < right && (place_left = place_of(scale, &items[left])) < limit) {
            ++left;
        }
        while (left < right) {
            float place = place_of(scale, &items[right - 1]);
            if (place < limit) {
                break;
            }
            --right;
            *nearest = place < least ? right : *nearest;
            least = place < least ? place : least;
        }
        if (left >= right) {
            return left;
        }
        swap_items(&items[left++], &items[--right]);
        *nearest = place_left < least ? right : *nearest;
        least = place_left < least ? place_left : least;
    }
}

static_assert(ABUT_TREE_LEAF == 2, "one item at most is between two leaves");

// Moves an item across the cut where half a leaf is on the left. Returns how many items are there. `nearest` is the one on the
// right that is nearest to the cut.
static int fill_leaves(item *items, int count, int left, int nearest, int axis, bounds sides[2])
{
    if (left % ABUT_TREE_LEAF == 0) {
        return left;
    }
    if (left + 1 < count) {
        sides[0] = join(sides[0], item_bounds(&items[nearest]));
        swap_items(&items[left], &items[nearest]);
        return left + 1;
    }
    // The right side would be empty: it gets its neighbour.
    nearest = 0;
    for (int i = 1; i < left; ++i) {
        nearest = middle_of(&items[i], axis) > middle_of(&items[nearest], axis) ? i : nearest;
    }
    sides[1] = join(sides[1], item_bounds(&items[nearest]));
    swap_items(&items[left - 1], &items[nearest]);
    return left - 1;
}

// ---- cutting a range

static int cut_in_halves(const item *items, int count, bounds sides[2])
{
    int leaves = (count + ABUT_TREE_LEAF - 1) / ABUT_TREE_LEAF, left = leaves / 2 * ABUT_TREE_LEAF;
    sides[0] = sides[1] = no_bounds();
    for (int i = 0; i < count; ++i) {
        sides[i >= left] = join(sides[i >= left], item_bounds(&items[i]));
    }
    return left;
}

static void sort_items(item *items, int count, int axis)
{
    for (int i = 1; i < count; ++i) {
        item moved = items[i];
        float middle = middle_of(&moved, axis);
        int k = i;
        for (; k > 0 && middle_of(&items[k - 1], axis) > middle; --k) {
            items[k] = items[k - 1];
        }
        items[k] = moved;
    }
}

// Sorts along the longest side and cuts between the leaves where it costs least.
static int cut_sorted(item *items, int count, int axis, bounds sides[2])
{
    bounds rights[SORTED_COUNT], left = no_bounds();
    sort_items(items, count, axis);
    rights[count - 1] = item_bounds(&items[count - 1]);
    for (int i = count - 2; i > 0; --i) {
        rights[i] = join(item_bounds(&items[i]), rights[i + 1]);
    }
    int best = 0;
    float least = FLT_MAX;
    for (int i = 1; i < count; ++i) {
        left = join(left, item_bounds(&items[i - 1]));
        if (i % ABUT_TREE_LEAF != 0) {
            continue;
        }
        float cost = (float)i * surface(left) + (float)(count - i) * surface(rights[i]);
        if (cost < least) {
            least = cost;
            best = i;
            sides[0] = left;
            sides[1] = rights[i];
        }
    }
    return best;
}

// Cuts a range and returns how many items are on the left.
static int cut(item *items, const job *j, bounds sides[2])
{
    int count = j->end - j->begin, axis = longest_axis(j->lower, j->upper);
    items += j->begin;
    if (j->level > ABUT_TREE_FREE_LEVELS) {
        return cut_in_halves(items, count, sides);
    }
    if (count <= SORTED_COUNT) {
        return cut_sorted(items, count, axis, sides);
    }
    float width = 2.0f * (j->upper[axis] - j->lower[axis]);
    bin_scale scale = make_scale(axis, count, 2.0f * j->lower[axis], width);
    int best = width > LEAST_WIDTH ? find_cut(items, count, &scale, sides) : -1;
    if (best < 0 && scale_by_middles(items, count, &scale)) {
        best = find_cut(items, count, &scale, sides);
    }
    if (best < 0) { // all middles, or those of the sample, are about the same
        return cut_in_halves(items, count, sides);
    }
    int nearest, left = part(items, count, &scale, best, &nearest);
    return fill_leaves(items, count, left, nearest, scale.axis, sides);
}

static int count_leaves(const job *j)
{
    return (j->end - j->begin + ABUT_TREE_LEAF - 1) / ABUT_TREE_LEAF;
}

// Links the node of a range and says which ranges are below it; those of one leaf need no splitting.
static int split(const builder *b, const job *j, job below[2])
{
    bounds sides[2];
    int middle = j->begin + cut(b->items, j, sides), count = 0;
    int begins[3] = {j->begin, middle, j->end};
    int nodes[2] = {j->node + 1, j->node + (middle - j->begin) / ABUT_TREE_LEAF};
    for (int i = 0; i < 2; ++i) {
        job side = {.begin = begins[i], .end = begins[i + 1], .node = nodes[i], .level = j->level + 1};
        int is_leaf = count_leaves(&side) == 1;
        b->tree->nodes[j->node].child[i] = is_leaf ? ~side.begin : side.node;
        if (!is_leaf) {
            abut_float4_store(side.lower, sides[i].lower);
            abut_float4_store(side.upper, sides[i].upper);
            below[count++] = side;
        }
    }
    return count;
}

static void finish_job(const builder *b, job *j)
{
    job stack[ABUT_TREE_LEVELS + 2];
    int count = 0;
    stack[count++] = *j;
    j->depth = j->level;
    while (count > 0) {
        job next = stack[--count];
        j->depth = abut_tree_max_int(j->depth, next.level + 1);
        count += split(b, &next, stack + count);
    }
}

static void finish_jobs(void *data, int begin, int end, int worker)
{
    const builder *b = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        finish_job(b, &b->jobs[i]);
    }
}

// Splits from the top until the ranges are small, and those in parallel.
static void link_nodes(builder *b, job root)
{
    abut_tree *tree = b->tree;
    int least = abut_tree_max_int(tree->element_count / JOB_SHARE, JOB_COUNT_LEAST), count = 1, ready = 0;
    b->jobs[0] = root;
    // All jobs before `ready` are small.
    while (ready < count) {
        job j = b->jobs[ready], below[2];
        if (j.end - j.begin <= least) {
            ++ready;
            continue;
        }
        int below_count = split(b, &j, below);
        b->jobs[ready] = b->jobs[--count];
        for (int i = 0; i < below_count; ++i) {
            b->jobs[count++] = below[i];
        }
    }
    abut_parallel_for(&tree->context, count, 1, finish_jobs, b);
    for (int i = 0; i < count; ++i) {
        tree->depth = abut_tree_max_int(tree->depth, b->jobs[i].depth);
    }
}

// ---- the elements

typedef struct item_task {
    const abut_tree *tree;
    item *items;
    double scale;
} item_task;

// Adds the corners at one end of an element's way to its box, in units of the tree.
static void add_corners(const item_task *task, const abut_vec3 *vertices, const int *corners, item *made)
{
    const abut_vec3 origin = task->tree->origin;
    for (int k = 0; k < task->tree->corner_count; ++k) {
        abut_vec3 p = abut_scale(task->scale, abut_sub(vertices[corners[k]], origin));
        const float x[3] = {(float)p.x, (float)p.y, (float)p.z};
        for (int axis = 0; axis < 3; ++axis) {
            made->lower[axis] = x[axis] < made->lower[axis] ? x[axis] : made->lower[axis];
            made->upper[axis] = x[axis] > made->upper[axis] ? x[axis] : made->upper[axis];
        }
    }
}

// Elements that are not finite are put in the middle, where they harm nobody.
static void make_items(void *data, int begin, int end, int worker)
{
    const item_task *task = data;
    const abut_tree *tree = task->tree;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const int *corners = tree->elements + (size_t)i * (size_t)tree->corner_count;
        item made = {{2.0f, 2.0f, 2.0f, 0.0f}, {-2.0f, -2.0f, -2.0f, 0.0f}}; // outside all that is finite
        add_corners(task, tree->start, corners, &made);
        if (tree->end != tree->start) {
            add_corners(task, tree->end, corners, &made);
        }
        for (int axis = 0; axis < 3; ++axis) {
            int is_inside = made.lower[axis] >= -2.0f && made.upper[axis] <= 2.0f && made.lower[axis] < 2.0f;
            made.lower[axis] = is_inside ? made.lower[axis] : 0.0f;
            made.upper[axis] = is_inside ? made.upper[axis] : 0.0f;
        }
        memcpy(&made.upper[3], &i, sizeof i);
        task->items[i] = made;
    }
}

// The box of everything, in units of the tree.
static job make_root(const abut_tree *tree, double scale)
{
    abut_vec3 half = abut_scale(scale, abut_sub(tree->bounds.upper, tree->origin));
    job root = {.end = tree->element_count, .level = 1};
    const float size[3] = {(float)half.x, (float)half.y, (float)half.z};
    for (int axis = 0; axis < 3; ++axis) {
        root.upper[axis] = size[axis] > 0.0f ? size[axis] : 0.0f; // not where nothing is finite
        root.lower[axis] = -root.upper[axis];
    }
    return root;
}

static void read_order(abut_tree *tree, const item *items)
{
    for (int i = 0; i < tree->element_count; ++i) {
        memcpy(&tree->order[i], &items[i].upper[3], sizeof tree->order[i]);
    }
}

// The tree of one leaf: a node with an empty second child.
static void link_one_leaf(abut_tree *tree)
{
    tree->nodes[0].child[0] = ~0;
    tree->nodes[0].child[1] = ~tree->element_count;
    tree->depth = 2;
    for (int i = 0; i < tree->element_count; ++i) {
        tree->order[i] = i;
    }
}

int abut_tree_link(abut_tree *tree)
{
    int count = tree->element_count;
    if (count <= ABUT_TREE_LEAF) {
        if (count > 0) {
            link_one_leaf(tree);
        }
        return 1;
    }
    // More than 1 / JOB_SHARE of all elements are in at most JOB_SHARE ranges of a level.
    int job_count = count > JOB_COUNT_LEAST ? JOB_SHARE * ABUT_TREE_LEVELS + 2 : 1;
    const abut_context *context = &tree->context;
    item *items = abut_allocate(context, (size_t)count, sizeof *items);
    job *jobs = abut_allocate(context, (size_t)job_count, sizeof *jobs);
    int done = items != NULL && jobs != NULL;
    if (done) {
        item_task task = {tree, items, ldexp(1.0, -tree->exponent)};
        abut_parallel_for(context, count, JOB_COUNT_LEAST, make_items, &task);
        builder b = {tree, items, jobs};
        link_nodes(&b, make_root(tree, task.scale));
        read_order(tree, items);
    }
    abut_free(context, jobs);
    abut_free(context, items);
    return done;
}
