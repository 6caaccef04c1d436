// SPDX-License-Identifier: MIT
// contact_layout.c: how contacts, regions and stats are printed
#include "shared/contact_layout.h"

const char *const abut_cli_feature_words[] = {"none", "vertex", "edge", "face", "tet", NULL};
const char *const abut_cli_rule_words[] = {"geometry",    "history",     "velocity", "none",
                                           "translation", "orientation", NULL};
const char *const abut_cli_life_words[] = {"new", "temporary", "collision", NULL};
const char *const abut_cli_event_words[] = {"collision", "begin", "release", "end", NULL};
const char *const abut_cli_region_words[] = {"point", "segment", "polygon", NULL};

const char *abut_cli_solve_words(const void *outcome)
{
    return abut_solve_outcome_text(*(const abut_solve_outcome *)outcome);
}

// ---------------------------------------------------------------------------------------------------------------
// Features

static int is_edge(const void *value)
{
    return ((const abut_feature *)value)->kind == ABUT_FEATURE_EDGE;
}

static json_t *json_vertices(const void *value)
{
    return abut_cli_json_integers(((const abut_feature *)value)->vertices, 2);
}

static const abut_cli_member feature_members[] = {
    {"kind", NULL, ABUT_CLI_WORD_AT(abut_feature, kind, abut_cli_feature_words)},
    {"index", NULL, ABUT_CLI_AT(abut_feature, index)},
    {"vertices", NULL, ABUT_CLI_JSON_BY(json_vertices), .applies = is_edge},
    {"merged", NULL, ABUT_CLI_FLAG_AT(abut_feature, is_merged)},
};
const abut_cli_layout abut_cli_feature_layout = ABUT_CLI_LAYOUT(feature_members);

char *abut_cli_feature_text(const void *value)
{
    const abut_feature *feature = value;
    const char *mark = feature->is_merged ? "*" : "";
    return feature->kind == ABUT_FEATURE_NONE ? abut_cli_copy("-")
           : is_edge(feature)
               ? abut_cli_print("edge %d-%d%s", feature->vertices[0], feature->vertices[1], mark)
               : abut_cli_print("%s %d%s", abut_cli_feature_words[feature->kind], feature->index, mark);
}

char *abut_cli_vertices_text(const void *value)
{
    const abut_feature *feature = value;
    return is_edge(feature) ? abut_cli_print("%d %d", feature->vertices[0], feature->vertices[1])
                            : abut_cli_copy("");
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

const char *abut_cli_flag_words(const void *flags)
{
    return (*(const uint32_t *)flags & ABUT_CONTACT_ARBITRARY_SIGN) != 0 ? "arbitrary-sign" : "";
}

static json_t *json_flags(const void *value)
{
    const char *words = abut_cli_flag_words(value);
    json_t *flags = json_array();
    if (words[0] != '\0') {
        json_array_append_new(flags, json_string(words));
    }
    return flags;
}

/// The vertices that an anchor uses, or their weights.
static json_t *json_anchor(const abut_anchor *anchor, int has_weights)
{
    json_t *array = json_array();
    for (int i = 0; i < 4; ++i) {
        if (anchor->vertices[i] >= 0) {
            json_array_append_new(array, has_weights ? abut_cli_json_number(anchor->weights[i])
                                                     : json_integer(anchor->vertices[i]));
        }
    }
    return array;
}

static json_t *json_anchor_vertices(const void *anchor)
{
    return json_anchor(anchor, 0);
}

static json_t *json_anchor_weights(const void *anchor)
{
    return json_anchor(anchor, 1);
}

static const abut_cli_member anchor_members[] = {
    {"vertices", NULL, ABUT_CLI_JSON_BY(json_anchor_vertices)},
    {"weights", NULL, ABUT_CLI_JSON_BY(json_anchor_weights)},
};
static const abut_cli_layout anchor_layout = ABUT_CLI_LAYOUT(anchor_members);

static const char *const side_words[] = {"both", "a", "b", NULL};

// clang-format off
#define FEATURE(name, member)                                                                                      \
    {name, NULL, ABUT_CLI_OBJECT_AT(abut_contact, member, abut_cli_feature_layout), .place = ABUT_CLI_JSON_ONLY}
#define COLUMN(name, value) {name, NULL, value, .place = ABUT_CLI_COLUMNS_ONLY}
#define FEATURE_COLUMNS(side, member)                                                                              \
    COLUMN("kind_" side, ABUT_CLI_WORD_AT(abut_contact, member.kind, abut_cli_feature_words)),                     \
    COLUMN("index_" side, ABUT_CLI_AT(abut_contact, member.index)),                                                \
    COLUMN("vertices_" side, ABUT_CLI_NEW_TEXT_OF(abut_contact, member, abut_cli_vertices_text)),                           \
    COLUMN("merged_" side, ABUT_CLI_FLAG_AT(abut_contact, member.is_merged))
// clang-format on

static const abut_cli_member contact_members[] = {
    {"position", "x", ABUT_CLI_AT(abut_contact, position)},
    {"position_a", NULL, ABUT_CLI_AT(abut_contact, position_a)},
    {"position_b", NULL, ABUT_CLI_AT(abut_contact, position_b)},
    {"normal", "normal x", ABUT_CLI_AT(abut_contact, normal)},
    {"gap", "gap", ABUT_CLI_AT(abut_contact, gap)},
    {"normal_speed", "speed", ABUT_CLI_AT(abut_contact, normal_speed)},
    {"time", NULL, ABUT_CLI_AT(abut_contact, time)},
    FEATURE("feature_a", feature_a),
    FEATURE("feature_b", feature_b),
    FEATURE("normal_feature", normal_feature),
    {"normal_side", NULL, ABUT_CLI_WORD_AT(abut_contact, normal_side, side_words), .place = ABUT_CLI_JSON_ONLY},
    {"weights_a", NULL, ABUT_CLI_OBJECT_AT(abut_contact, anchor_a, anchor_layout)},
    {"weights_b", NULL, ABUT_CLI_OBJECT_AT(abut_contact, anchor_b, anchor_layout)},
    {NULL, "on A", ABUT_CLI_NEW_TEXT_OF(abut_contact, feature_a, abut_cli_feature_text)},
    {NULL, "on B", ABUT_CLI_NEW_TEXT_OF(abut_contact, feature_b, abut_cli_feature_text)},
    FEATURE_COLUMNS("a", feature_a),
    FEATURE_COLUMNS("b", feature_b),
    {"rule", "rule", ABUT_CLI_WORD_AT(abut_contact, rule, abut_cli_rule_words)},
    {"region", NULL, ABUT_CLI_AT(abut_contact, region)},
    {"flags", "flags", ABUT_CLI_TEXT_OF(abut_contact, flags, abut_cli_flag_words), .place = ABUT_CLI_COLUMNS_ONLY},
    {"id", NULL, ABUT_CLI_AT(abut_contact, id)},
    {"flags", NULL, ABUT_CLI_JSON_OF(abut_contact, flags, json_flags)},
};
const abut_cli_layout abut_cli_contact_layout = ABUT_CLI_LAYOUT(contact_members);

// ---------------------------------------------------------------------------------------------------------------
// Regions. Their ranges refer to arrays of the result.

typedef struct loop_row {
    const abut_result *result;
    abut_region_loop loop;
} loop_row;

static json_t *json_loop_points(const void *row)
{
    const loop_row *from = row;
    return abut_cli_json_points(&from->result->points.items[from->loop.point_begin], from->loop.point_count);
}

static const abut_cli_member loop_members[] = {
    {"hole", NULL, ABUT_CLI_FLAG_AT(loop_row, loop.is_hole)},
    {"points", NULL, ABUT_CLI_JSON_BY(json_loop_points)},
};
static const abut_cli_layout loop_layout = ABUT_CLI_LAYOUT(loop_members);

typedef struct region_row {
    const abut_result *result;
    abut_region region;
} region_row;

static json_t *json_loops(const void *row)
{
    const region_row *from = row;
    json_t *loops = json_array();
    for (int i = 0; i < from->region.loop_count; ++i) {
        loop_row loop = {from->result, from->result->loops.items[from->region.loop_begin + i]};
        json_array_append_new(loops, abut_cli_json_of(&loop_layout, &loop));
    }
    return loops;
}

static json_t *json_normals(const void *row)
{
    const region_row *from = row;
    return abut_cli_json_points(&from->result->directions.items[from->region.normal_begin],
                                from->region.normal_count);
}

static json_t *json_cones(const void *row)
{
    const region_row *from = row;
    json_t *cones = json_array();
    for (int i = 0; i < from->region.cone_count; ++i) {
        const abut_region_cone *cone = &from->result->cones.items[from->region.cone_begin + i];
        json_array_append_new(cones, abut_cli_json_points(&from->result->directions.items[cone->direction_begin],
                                                          cone->direction_count));
    }
    return cones;
}

static const abut_cli_member region_members[] = {
    {"kind", NULL, ABUT_CLI_WORD_AT(region_row, region.kind, abut_cli_region_words)},
    {"feature_a", NULL, ABUT_CLI_OBJECT_AT(region_row, region.feature_a, abut_cli_feature_layout)},
    {"feature_b", NULL, ABUT_CLI_OBJECT_AT(region_row, region.feature_b, abut_cli_feature_layout)},
    {"loops", NULL, ABUT_CLI_JSON_BY(json_loops)},
    {"normals", NULL, ABUT_CLI_JSON_BY(json_normals)},
    {"cones", NULL, ABUT_CLI_JSON_BY(json_cones)},
    {"measure", NULL, ABUT_CLI_AT(region_row, region.measure)},
    {"rule", NULL, ABUT_CLI_WORD_AT(region_row, region.rule, abut_cli_rule_words)},
    {"id", NULL, ABUT_CLI_AT(region_row, region.id)},
};
static const abut_cli_layout region_layout = ABUT_CLI_LAYOUT(region_members);

json_t *abut_cli_json_regions(const void *result)
{
    const abut_result *from = result;
    json_t *regions = json_array();
    for (int i = 0; i < from->regions.count; ++i) {
        region_row row = {from, from->regions.items[i]};
        json_array_append_new(regions, abut_cli_json_of(&region_layout, &row));
    }
    return regions;
}

// ---------------------------------------------------------------------------------------------------------------
// Stats, and contact counts over many steps

static const abut_cli_member stats_members[] = {
    {"candidate_pairs", NULL, ABUT_CLI_AT(abut_stats, candidate_pairs)},
    {"tested_pairs", NULL, ABUT_CLI_AT(abut_stats, tested_pairs)},
    {"raw_contacts", NULL, ABUT_CLI_AT(abut_stats, raw_contacts)},
    {"filtered_contacts", NULL, ABUT_CLI_AT(abut_stats, filtered_contacts)},
    {"degenerate_elements", NULL, ABUT_CLI_AT(abut_stats, degenerate_elements)},
    {"arbitrary_normals", NULL, ABUT_CLI_AT(abut_stats, arbitrary_normals)},
    {"fallbacks", NULL, ABUT_CLI_AT(abut_stats, fallbacks)},
    {"caps", NULL, ABUT_CLI_AT(abut_stats, caps)},
    {"repairs", NULL, ABUT_CLI_AT(abut_stats, repairs)},
    {"data_bytes", NULL, ABUT_CLI_AT(abut_stats, data_bytes)},
};
const abut_cli_layout abut_cli_stats_layout = ABUT_CLI_LAYOUT(stats_members);

static const abut_cli_member count_members[] = {
    {"mean", NULL, ABUT_CLI_AT(abut_count_summary, mean)},
    {"least", NULL, ABUT_CLI_AT(abut_count_summary, least)},
    {"most", NULL, ABUT_CLI_AT(abut_count_summary, most)},
    {"deviation", NULL, ABUT_CLI_AT(abut_count_summary, deviation)},
};
const abut_cli_layout abut_cli_count_layout = ABUT_CLI_LAYOUT(count_members);
