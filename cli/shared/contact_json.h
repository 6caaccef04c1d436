// SPDX-License-Identifier: MIT
// contact_json.h: contacts, regions and stats in words and JSON
#ifndef ABUT_CLI_CONTACT_JSON_H
#define ABUT_CLI_CONTACT_JSON_H

#include <abut/abut.h>
#include <jansson.h>

const char *abut_cli_feature_word(abut_feature_kind kind);
const char *abut_cli_rule_word(abut_rule rule);
const char *abut_cli_region_word(abut_region_kind kind);
/// The flags of a contact in words, "" where there are none.
const char *abut_cli_flag_words(uint32_t flags);

enum { ABUT_CLI_ID_SIZE = 17 };
/// The id of a contact or region in hexadecimal.
void abut_cli_id_print(uint64_t id, char text[ABUT_CLI_ID_SIZE]);

/// Kind, index and, of an edge, its vertices.
json_t *abut_cli_json_feature(abut_feature feature);

/// Adds "contacts", "regions" and "stats"; the numbers of `stats` are null where `has_stats` is 0.
void abut_cli_json_result(json_t *object, const abut_result *result, int has_stats);

#endif
