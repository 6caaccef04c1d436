// SPDX-License-Identifier: MIT
// tree_build.c: splitting the elements of a tree in halves
//
// The elements are sorted once along each axis, by the middles of their boxes and then by index. A range of elements is the
// same range of all three orders; it is cut in the middle of the order in which it is longest, and the other two orders
// are parted to match, keeping their order. So every level costs linear time, whatever the data.
#include "spatial/tree.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

typedef struct builder {
    abut_tree *tree;
    float *middles;             // along each axis, one axis after the other; twice the middle, to save a rounding
    int *orders[3];             // elements sorted along each axis
    int *scratch;               // room for one order
    unsigned char *is_in_right; // of each element, in the cut at hand
} builder;

static int compare_middles(const void *user, int a, int b)
{
    const float *middles = user;
    return (middles[a] > middles[b]) - (middles[a] < middles[b]);
}

static void sort_elements(builder *b)
{
    int count = b->tree->element_count;
    for (int i = 0; i < count; ++i) {
        float lower[3], upper[3];
        abut_tree_element_box(b->tree, i, lower, upper);
        for (int axis = 0; axis < 3; ++axis) {
            b->middles[(size_t)axis * (size_t)count + (size_t)i] = lower[axis] + upper[axis];
            b->orders[axis][i] = i;
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        abut_sort_indices(b->orders[axis], b->scratch, count, compare_middles,
                          b->middles + (size_t)axis * (size_t)count);
    }
}

static int longest_axis(const builder *b, int begin, int end)
{
    int longest = 0;
    float length = -1.0f;
    for (int axis = 0; axis < 3; ++axis) {
        const float *middles = b->middles + (size_t)axis * (size_t)b->tree->element_count;
        float axis_length = middles[b->orders[axis][end - 1]] - middles[b->orders[axis][begin]];
        if (axis_length > length) {
            length = axis_length;
            longest = axis;
        }
    }
    return longest;
}

// Brings those on the left to the front, keeping the order on each side.
static void part(const builder *b, int *order, int begin, int end)
{
    int left = begin, right = 0;
    for (int i = begin; i < end; ++i) {
        if (b->is_in_right[order[i]]) {
            b->scratch[right++] = order[i];
        } else {
            order[left++] = order[i];
        }
    }
    memcpy(order + left, b->scratch, (size_t)right * sizeof *order);
}

static void cut(builder *b, int begin, int middle, int end)
{
    int axis = longest_axis(b, begin, end);
    for (int i = begin; i < end; ++i) {
        b->is_in_right[b->orders[axis][i]] = i >= middle;
    }
    part(b, b->orders[(axis + 1) % 3], begin, end);
    part(b, b->orders[(axis + 2) % 3], begin, end);
}

static void link_nodes(builder *b)
{
    struct range {
        int node, begin, end, level;
    } stack[ABUT_TREE_LEVELS + 1];
    int count = 0;
    stack[count++] = (struct range){0, 0, b->tree->element_count, 1};
    while (count > 0) {
        struct range range = stack[--count];
        abut_tree_node *node = &b->tree->nodes[range.node];
        b->tree->depth = abut_tree_max_int(b->tree->depth, range.level);
        if (range.end - range.begin == 1) {
            node->link = ~b->orders[0][range.begin];
            continue;
        }
        int middle = range.begin + (range.end - range.begin) / 2;
        cut(b, range.begin, middle, range.end);
        // The left half has one node less than twice its elements, and they follow this one.
        node->link = range.node + 2 * (middle - range.begin);
        stack[count++] = (struct range){node->link, middle, range.end, range.level + 1};
        stack[count++] = (struct range){range.node + 1, range.begin, middle, range.level + 1};
    }
}

int abut_tree_link(abut_tree *tree)
{
    if (tree->element_count == 0) {
        return 1;
    }
    const abut_context *context = &tree->context;
    size_t count = (size_t)tree->element_count;
    int *indices = abut_allocate(context, 4 * count, sizeof *indices);
    float *middles = abut_allocate(context, 3 * count, sizeof *middles);
    unsigned char *is_in_right = abut_allocate(context, count, sizeof *is_in_right);
    int done = indices != NULL && middles != NULL && is_in_right != NULL;
    if (done) {
        builder b = {
            tree, middles, {indices, indices + count, indices + 2 * count}, indices + 3 * count, is_in_right};
        sort_elements(&b);
        link_nodes(&b);
    }
    abut_free(context, is_in_right);
    abut_free(context, middles);
    abut_free(context, indices);
    return done;
}
