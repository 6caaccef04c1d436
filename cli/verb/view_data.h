// SPDX-License-Identifier: MIT
// view_data.h: the data of the viewer: an index in JSON, and binary pieces
#ifndef ABUT_CLI_VIEW_DATA_H
#define ABUT_CLI_VIEW_DATA_H

#include "shared/bytes.h"
#include "verb/view_track.h"

typedef struct abut_cli_view {
    abut_cli_track *tracks;
    int track_count;
    abut_vec3 up; ///< in the picture
} abut_cli_view;

/// What the viewer loads. docs/viewer.md describes the pieces, which have numbers in little-endian order.
typedef enum abut_cli_view_kind {
    ABUT_CLI_VIEW_INDEX,  ///< index.json: names, settings and counts of all tracks
    ABUT_CLI_VIEW_MESH,   ///< T/mesh/M: mesh M of track T
    ABUT_CLI_VIEW_SERIES, ///< T/series: numbers of each state, for the charts
    ABUT_CLI_VIEW_PIECE   ///< T/piece/P: poses, contacts and regions of some states
} abut_cli_view_kind;

typedef struct abut_cli_view_item {
    abut_cli_view_kind kind;
    int track, index;
} abut_cli_view_item;

enum { ABUT_CLI_VIEW_PATH_ROOM = 64 };

/// The path of an item.
void abut_cli_view_path(abut_cli_view_item item, char path[ABUT_CLI_VIEW_PATH_ROOM]);
/// Finds the item of a path. Returns 0 if there is none.
int abut_cli_view_find(const abut_cli_view *view, const char *path, abut_cli_view_item *item);
/// All items in a row: the next one, or 0 after the last one. Begin with the index.
int abut_cli_view_next(const abut_cli_view *view, abut_cli_view_item *item);

/// Appends an item's bytes.
void abut_cli_view_put(const abut_cli_view *view, abut_cli_view_item item, abut_cli_bytes *bytes);

/// The bytes of all states of a track, and of everything else but the index.
size_t abut_cli_view_states_size(const abut_cli_track *track);
size_t abut_cli_view_rest_size(const abut_cli_track *track);

int abut_cli_view_piece_count(const abut_cli_track *track);

#endif
