// SPDX-License-Identifier: MIT
// tree_build.c: splits the elements of a tree down to its leaves
//
// All cuts leave whole leaves on the left, so every range knows its nodes before it is split. Threads can split ranges
// in any order and get the same tree. In large ranges, items are moved in memory. In a block they stay in place, in
// the nearest cache, and only pointers are moved. A block is fitted as soon as it is split.
//
// Cost: linear per level. The number of levels is bounded, since deep ranges are cut in halves.
#include "spatial/tree.h"

#include "base/context.h"
#include "base/memory.h"
#include "spatial/tree_corners.h"
#include "spatial/tree_cut.h"

#include <string.h>

enum {
    JOB_SHARE = 32, // one thread splits ranges of at most 1/32 of all elements: enough jobs for many threads
    JOB_COUNT_LEAST = 4096, // elements: smaller ranges are not worth a job of their own
};

// A range to split: at least two leaves.
typedef struct job {
    int begin, end;
    int node, level;    // level 1 is the root
    int depth;          // result: the deepest level below
    abut_tree_item box; // approximate box of its elements
} job;

typedef struct builder {
    abut_tree *tree;
    abut_tree_item *items;
    job *jobs;
} builder;

// Cuts a range. In a block, `picks` points to the picks of the range, and only these are moved; else it is NULL.
static int cut(const builder *b, const job *j, const abut_tree_item **picks, abut_tree_item sides[2])
{
    int count = j->end - j->begin;
    if (j->level > ABUT_TREE_FREE_LEVELS) {
        return abut_tree_halve(count);
    }
    return picks != NULL ? abut_tree_cut_picks(picks, count, &j->box, sides)
                         : abut_tree_cut_items(b->items + j->begin, count, &j->box, sides);
}

// Links the node of a range and gives the ranges below it that are not leaves. Returns their number. `below` may
// overlap `j`.
static int split(const builder *b, const job *j, const abut_tree_item **picks, job below[2])
{
    abut_tree_item sides[2] = {j->box, j->box};
    int node = j->node, level = j->level, middle = j->begin + cut(b, j, picks, sides), count = 0;
    int begins[3] = {j->begin, middle, j->end};
    int nodes[2] = {node + 1, node + (middle - begins[0]) / ABUT_TREE_LEAF};
    for (int i = 0; i < 2; ++i) {
        int is_leaf = begins[i + 1] - begins[i] <= ABUT_TREE_LEAF;
        b->tree->nodes[node].child[i] = is_leaf ? ~begins[i] : nodes[i];
        if (!is_leaf) {
            job *side = &below[count++];
            side->begin = begins[i];
            side->end = begins[i + 1];
            side->node = nodes[i];
            side->level = level + 1;
            side->box = sides[i];
        }
    }
    return count;
}

// The index of the element that an item stands for.
static int element_of(const abut_tree_item *i)
{
    int element;
    memcpy(&element, &i->upper[3], sizeof element);
    return element;
}

// Splits a range of at most a block down to its leaves and fits it. Returns the deepest level.
static int finish_block(const builder *b, const job *j)
{
    const abut_tree_item *picks[ABUT_TREE_BLOCK];
    int count = 0, depth = j->level;
    job stack[ABUT_TREE_LEVELS + 2];
    for (int i = j->begin; i < j->end; ++i) {
        picks[i - j->begin] = &b->items[i];
    }
    stack[count++] = *j;
    while (count > 0) {
        const job *next = &stack[--count];
        depth = abut_tree_max_int(depth, next->level + 1);
        count += split(b, next, picks + (next->begin - j->begin), stack + count);
    }
    for (int i = j->begin; i < j->end; ++i) {
        b->tree->order[i] = element_of(picks[i - j->begin]);
    }
    abut_tree_fit_block(b->tree, j->node, (abut_tree_range){j->begin, j->end});
    return depth;
}

// Splits a range larger than a block. Sets the order of leaves directly below it, since no block does.
static int split_large(const builder *b, const job *j, job below[2])
{
    int count = split(b, j, NULL, below);
    for (int side = 0; side < 2; ++side) {
        int child = b->tree->nodes[j->node].child[side];
        abut_tree_range leaf =
            abut_tree_is_leaf(child) ? abut_tree_leaf_range(b->tree, child) : (abut_tree_range){0, 0};
        for (int i = leaf.begin; i < leaf.end; ++i) {
            b->tree->order[i] = element_of(&b->items[i]);
        }
    }
    return count;
}

static void finish_job(const builder *b, job *j)
{
    job stack[ABUT_TREE_LEVELS + 2];
    int count = 0;
    stack[count++] = *j;
    j->depth = j->level + 1;
    while (count > 0) {
        job next = stack[--count];
        if (next.end - next.begin <= ABUT_TREE_BLOCK) {
            j->depth = abut_tree_max_int(j->depth, finish_block(b, &next));
        } else {
            j->depth = abut_tree_max_int(j->depth, next.level + 1);
            count += split_large(b, &next, stack + count);
        }
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

// Splits ranges from the top until they are small, then splits the small ones in parallel.
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
        int below_count = split_large(b, &j, below);
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
    abut_tree_item *items;
    double scale;
} item_task;

// Elements that are not finite become points at the origin. They only influence cuts; boxes are fitted without them.
static inline void make_items_of(const item_task *task, int begin, int end, int corner_count)
{
    for (int i = begin; i < end; ++i) {
        abut_float4 corners[ABUT_TREE_CORNERS], lower = abut_float4_all(0.0f), upper = lower;
        if (abut_tree_place_corners(task->tree, corner_count, task->scale, i, corners)) {
            lower = upper = corners[0];
            for (int k = 1; k < corner_count; ++k) {
                lower = abut_float4_min(lower, corners[k]);
                upper = abut_float4_max(upper, corners[k]);
            }
        }
        abut_tree_item *made = &task->items[i];
        abut_float4_store(made->lower, lower);
        abut_float4_store(made->upper, upper);
        memcpy(&made->upper[3], &i, sizeof i);
    }
}

static void make_items(void *data, int begin, int end, int worker)
{
    const item_task *task = data;
    (void)worker;
    if (abut_tree_has_still_triangles(task->tree)) {
        make_items_of(task, begin, end, 3);
    } else {
        make_items_of(task, begin, end, abut_tree_count_corners(task->tree));
    }
}

// The box of everything, in units of the tree.
static job make_root(const abut_tree *tree, double scale)
{
    abut_vec3 half = abut_scale(scale, abut_sub(tree->bounds.upper, tree->origin));
    job root = {.end = tree->element_count, .level = 1};
    const float size[3] = {(float)half.x, (float)half.y, (float)half.z};
    for (int axis = 0; axis < 3; ++axis) {
        root.box.upper[axis] = size[axis] > 0.0f ? size[axis] : 0.0f; // 0 if no element is finite
        root.box.lower[axis] = -root.box.upper[axis];
    }
    return root;
}

// Links a tree of one leaf: a node with an empty second child.
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
            abut_tree_fit(tree);
        }
        return 1;
    }
    // On each level, at most JOB_SHARE ranges have more than 1 / JOB_SHARE of all elements.
    int job_count = count > JOB_COUNT_LEAST ? JOB_SHARE * ABUT_TREE_LEVELS + 2 : 1;
    const abut_context *context = &tree->context;
    abut_tree_item *items = abut_allocate(context, (size_t)count, sizeof *items);
    job *jobs = abut_allocate(context, (size_t)job_count, sizeof *jobs);
    int done = items != NULL && jobs != NULL;
    if (done) {
        item_task task = {tree, items, ldexp(1.0, -tree->exponent)};
        abut_parallel_for(context, count, JOB_COUNT_LEAST, make_items, &task);
        builder b = {tree, items, jobs};
        link_nodes(&b, make_root(tree, task.scale));
        abut_tree_fit_above(tree);
    }
    abut_free(context, jobs);
    abut_free(context, items);
    return done;
}
