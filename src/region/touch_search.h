// SPDX-License-Identifier: MIT
// touch_search.h: the state of a search for touching points, which its steps share
//
// touch.c runs the steps: touch_candidates.c finds corners near the other solid and edges that cross (hits) by the
// tests of touch_tests.c, touch_nodes.c merges the hits of a place into one node, touch_intervals.c finds the segments between nodes.
#ifndef ABUT_REGION_TOUCH_SEARCH_H
#define ABUT_REGION_TOUCH_SEARCH_H

#include "base/arena_list.h"
#include "region/touch.h"

/// A vertex of one side near the other's surface.
typedef struct abut_vertex_hit {
    int vertex;
    abut_entity other;
    int triangle; ///< of the other side, at which it was found
    double squared;
    abut_vec3 point; ///< on the other side
} abut_vertex_hit;

/// Two edges that are near each other in their interiors.
typedef struct abut_edge_hit {
    int edges[2];
    double squared;
    abut_vec3 points[2];
} abut_edge_hit;

typedef struct abut_touch_search {
    abut_touch *touch;
    const abut_touch_limits *limits;
    double squared;  ///< the square of the tolerance
    abut_box common; ///< the intersection of both boxes, grown by twice the tolerance: nothing touches outside
    int can_overlap; ///< the boxes of the sides allow an overlap of more than the tolerance
    abut_arena_list vertex_hits[2];
    abut_arena_list loose[2]; ///< int: vertices just below a triangle that do not touch it, once for each triangle
    abut_arena_list edge_hits;
    int is_out_of_memory;
} abut_touch_search;

/// Room for one more item; NULL if memory ran out, which the search remembers.
void *abut_search_add(abut_touch_search *s, abut_arena_list *list, size_t item_size);

/// The sorted order of some items; NULL if memory ran out, which the search remembers.
int *abut_search_order(abut_touch_search *s, int count, abut_index_compare *compare, const void *items);

/// Fills the hits. Sets `overlaps` if an edge of one solid runs through a face of the other.
void abut_search_candidates(abut_touch_search *s);

/// Makes nodes of the hits. Sets `overlaps` if a vertex or a whole part of one solid is inside the other.
void abut_search_nodes(abut_touch_search *s);

/// Finds the intervals between the nodes.
void abut_search_intervals(abut_touch_search *s);

#endif
