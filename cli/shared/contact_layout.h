// SPDX-License-Identifier: MIT
// contact_layout.h: how contacts, regions and stats are printed
#ifndef ABUT_CLI_CONTACT_LAYOUT_H
#define ABUT_CLI_CONTACT_LAYOUT_H

#include "shared/layout.h"

#include <abut-lab/measure.h>
#include <abut/abut.h>

/// The words for the enums, ended by NULL.
extern const char *const abut_cli_feature_words[];
extern const char *const abut_cli_rule_words[];
extern const char *const abut_cli_life_words[];
extern const char *const abut_cli_event_words[]; ///< of abut_world_event_kind
extern const char *const abut_cli_region_words[];

/// The flags of a contact (uint32_t) in words, "" if there are none.
const char *abut_cli_flag_words(const void *flags);

/// A feature (abut_feature) as "edge 3-5*" for tables, and the vertices of an edge as "3 5" for CSV, else "". Release with
/// free().
char *abut_cli_feature_text(const void *feature);
char *abut_cli_vertices_text(const void *feature);

/// The outcome of a solver (abut_solve_outcome) in words.
const char *abut_cli_solve_words(const void *outcome);

extern const abut_cli_layout abut_cli_feature_layout; ///< of abut_feature, for JSON only
extern const abut_cli_layout abut_cli_contact_layout; ///< of abut_contact
extern const abut_cli_layout abut_cli_stats_layout;   ///< of abut_stats, for JSON only
extern const abut_cli_layout abut_cli_count_layout;   ///< of abut_count_summary, for JSON only

/// The regions of an abut_result.
json_t *abut_cli_json_regions(const void *result);

#endif
