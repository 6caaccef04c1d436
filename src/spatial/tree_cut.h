// SPDX-License-Identifier: MIT
// tree_cut.h: chooses where a range of elements is cut in two
#ifndef ABUT_SPATIAL_TREE_CUT_H
#define ABUT_SPATIAL_TREE_CUT_H

/// An element's box, in units of the tree. upper[3] holds the bits of the element's index.
typedef struct abut_tree_item {
    float lower[4], upper[4];
} abut_tree_item;

/// Cuts items where the cost is least and moves those of the left side to the front. `box` is the approximate box of
/// all items, and `sides` receives those of both sides; their fourth components are unused. Returns the number of
/// items on the left, a multiple of ABUT_TREE_LEAF.
int abut_tree_cut_items(abut_tree_item *items, int count, const abut_tree_item *box, abut_tree_item sides[2]);

/// abut_tree_cut_items() for items that stay in place; only the pointers in `picks` are moved. There must be more than
/// one leaf and at most ABUT_TREE_BLOCK items.
int abut_tree_cut_picks(const abut_tree_item **picks, int count, const abut_tree_item *box,
                        abut_tree_item sides[2]);

/// About half of `count` items, a multiple of ABUT_TREE_LEAF.
int abut_tree_halve(int count);

#endif
