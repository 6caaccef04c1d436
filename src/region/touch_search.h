// SPDX-License-Identifier: MIT
// touch_search.h: what the steps of the search for touching points hand on to each other
//
// touch_candidates.c finds corners near the other solid and edges that cross (hits), touch_nodes.c makes one node
// of all hits of a place, touch_intervals.c finds what lies between nodes, touch.c leads.
#ifndef ABUT_REGION_TOUCH_SEARCH_H
#define ABUT_REGION_TOUCH_SEARCH_H

#include "base/arena_list.h"
#include "region/touch.h"

/// A vertex of one side near the other's surface.
typedef struct abut_vertex_hit {
    int vertex;
    abut_entity other;
    int triangle; ///< of the other side, that it was found at
    double squared;
    abut_vec3 point; ///< on the other side
} abut_vertex_hit;

/// Two edges near each other, inside both.
typedef struct abut_edge_hit {
    int edges[2];
    double squared;
    abut_vec3 points[2];
} abut_edge_hit;

typedef struct abut_touch_search {
    abut_touch *touch;
    const abut_touch_limits *limits;
    double squared;  ///< of the tolerance
    abut_box common; ///< of both sides, grown by the tolerance: nothing touches outside
    int can_overlap; ///< by more than the tolerance, as far as the boxes of the sides tell
    abut_arena_list vertex_hits[2];
    abut_arena_list loose[2]; ///< vertices that came near a triangle without touching it, as int, once for each
    abut_arena_list edge_hits;
    int is_out_of_memory;
} abut_touch_search;

/// Room for one more item; NULL if memory ran out, which the search remembers.
void *abut_search_add(abut_touch_search *s, abut_arena_list *list, size_t item_size);

/// The sorted order of some items; NULL if memory ran out, which the search remembers.
int *abut_search_order(abut_touch_search *s, int count, abut_index_compare *compare, const void *items);

/// Fills the hits, and sets `overlaps` where an edge of one solid runs through a face of the other.
void abut_search_candidates(abut_touch_search *s);

/// Makes nodes of the hits, and sets `overlaps` where a vertex or a whole solid is inside the other.
void abut_search_nodes(abut_touch_search *s);

/// Finds the intervals between the nodes.
void abut_search_intervals(abut_touch_search *s);

#endif
