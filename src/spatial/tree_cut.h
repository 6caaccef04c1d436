// SPDX-License-Identifier: MIT
// tree_cut.h: where a range of elements is cut in two
#ifndef ABUT_SPATIAL_TREE_CUT_H
#define ABUT_SPATIAL_TREE_CUT_H

/// An element's box, in units of the tree. The fourth of `upper` holds the bits of its index.
typedef struct abut_tree_item {
    float lower[4], upper[4];
} abut_tree_item;

/// Cuts items where it costs least, and brings those of the left side to the front. `box` is about the box of all,
/// and `sides` gets about those of both sides; the fourths mean nothing. Returns how many items are on the left:
/// whole leaves.
int abut_tree_cut_items(abut_tree_item *items, int count, const abut_tree_item *box, abut_tree_item sides[2]);

/// The same for picked items, at most ABUT_TREE_BLOCK and of more than one leaf: they stay where they are, and the
/// picks are moved.
int abut_tree_cut_picks(const abut_tree_item **picks, int count, const abut_tree_item *box,
                        abut_tree_item sides[2]);

/// Half of so many items, in whole leaves.
int abut_tree_halve(int count);

#endif
