// SPDX-License-Identifier: MIT
// contact_json.c: contacts, regions and stats in words and JSON
#include "shared/contact_json.h"

#include "shared/output.h"

#include <inttypes.h>
#include <stdio.h>

const char *abut_cli_feature_word(abut_feature_kind kind)
{
    static const char *const words[] = {"none", "vertex", "edge", "face", "tet"};
    return words[kind];
}

const char *abut_cli_rule_word(abut_rule rule)
{
    static const char *const words[] = {"geometry", "history", "velocity", "none"};
    return words[rule];
}

const char *abut_cli_flag_words(uint32_t flags)
{
    return (flags & ABUT_CONTACT_ARBITRARY_SIGN) != 0 ? "arbitrary-sign" : "";
}

void abut_cli_id_print(uint64_t id, char text[ABUT_CLI_ID_SIZE])
{
    (void)snprintf(text, ABUT_CLI_ID_SIZE, "%016" PRIx64, id);
}

static json_t *json_id(uint64_t id)
{
    char text[ABUT_CLI_ID_SIZE];
    abut_cli_id_print(id, text);
    return json_string(text);
}

json_t *abut_cli_json_feature(abut_feature feature)
{
    json_t *object = json_object();
    json_object_set_new(object, "kind", json_string(abut_cli_feature_word(feature.kind)));
    json_object_set_new(object, "index", json_integer(feature.index));
    if (feature.kind == ABUT_FEATURE_EDGE) {
        json_object_set_new(object, "vertices", json_pack("[ii]", feature.vertices[0], feature.vertices[1]));
    }
    json_object_set_new(object, "merged", json_boolean(feature.is_merged));
    return object;
}

static json_t *json_anchor(const abut_anchor *anchor)
{
    json_t *vertices = json_array(), *weights = json_array();
    for (int i = 0; i < 4; ++i) {
        if (anchor->vertices[i] >= 0) {
            json_array_append_new(vertices, json_integer(anchor->vertices[i]));
            json_array_append_new(weights, abut_cli_json_number(anchor->weights[i]));
        }
    }
    json_t *object = json_object();
    json_object_set_new(object, "vertices", vertices);
    json_object_set_new(object, "weights", weights);
    return object;
}

static json_t *json_contact(const abut_contact *contact)
{
    static const char *const sides[] = {"both", "a", "b"};
    json_t *object = json_object(), *flags = json_array();
    json_object_set_new(object, "position", abut_cli_json_vec3(contact->position));
    json_object_set_new(object, "position_a", abut_cli_json_vec3(contact->position_a));
    json_object_set_new(object, "position_b", abut_cli_json_vec3(contact->position_b));
    json_object_set_new(object, "normal", abut_cli_json_vec3(contact->normal));
    json_object_set_new(object, "gap", abut_cli_json_number(contact->gap));
    json_object_set_new(object, "normal_speed", abut_cli_json_number(contact->normal_speed));
    json_object_set_new(object, "time", abut_cli_json_number(contact->time));
    json_object_set_new(object, "feature_a", abut_cli_json_feature(contact->feature_a));
    json_object_set_new(object, "feature_b", abut_cli_json_feature(contact->feature_b));
    json_object_set_new(object, "normal_feature", abut_cli_json_feature(contact->normal_feature));
    json_object_set_new(object, "normal_side", json_string(sides[contact->normal_side]));
    json_object_set_new(object, "weights_a", json_anchor(&contact->anchor_a));
    json_object_set_new(object, "weights_b", json_anchor(&contact->anchor_b));
    json_object_set_new(object, "rule", json_string(abut_cli_rule_word(contact->rule)));
    json_object_set_new(object, "region", json_integer(contact->region));
    json_object_set_new(object, "id", json_id(contact->id));
    if ((contact->flags & ABUT_CONTACT_ARBITRARY_SIGN) != 0) {
        json_array_append_new(flags, json_string(abut_cli_flag_words(contact->flags)));
    }
    json_object_set_new(object, "flags", flags);
    return object;
}

static json_t *json_points(const abut_vec3 *points, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; ++i) {
        json_array_append_new(array, abut_cli_json_vec3(points[i]));
    }
    return array;
}

const char *abut_cli_region_word(abut_region_kind kind)
{
    static const char *const kinds[] = {"point", "segment", "polygon"};
    return kinds[kind];
}

static json_t *json_region(const abut_result *result, const abut_region *region)
{
    json_t *object = json_object(), *loops = json_array(), *cones = json_array();
    for (int i = 0; i < region->loop_count; ++i) {
        const abut_region_loop *loop = &result->loops.items[region->loop_begin + i];
        json_t *item = json_object();
        json_object_set_new(item, "hole", json_boolean(loop->is_hole));
        json_object_set_new(item, "points",
                            json_points(&result->points.items[loop->point_begin], loop->point_count));
        json_array_append_new(loops, item);
    }
    for (int i = 0; i < region->cone_count; ++i) {
        const abut_region_cone *cone = &result->cones.items[region->cone_begin + i];
        json_array_append_new(cones,
                              json_points(&result->directions.items[cone->direction_begin], cone->direction_count));
    }
    json_object_set_new(object, "kind", json_string(abut_cli_region_word(region->kind)));
    json_object_set_new(object, "feature_a", abut_cli_json_feature(region->feature_a));
    json_object_set_new(object, "feature_b", abut_cli_json_feature(region->feature_b));
    json_object_set_new(object, "loops", loops);
    json_object_set_new(object, "normals",
                        json_points(&result->directions.items[region->normal_begin], region->normal_count));
    json_object_set_new(object, "cones", cones);
    json_object_set_new(object, "measure", abut_cli_json_number(region->measure));
    json_object_set_new(object, "rule", json_string(abut_cli_rule_word(region->rule)));
    json_object_set_new(object, "id", json_id(region->id));
    return object;
}

static json_t *json_stats(const abut_stats *stats, int has_stats)
{
    const struct {
        const char *name;
        int64_t value;
    } rows[] = {
        {"candidate_pairs", stats->candidate_pairs},
        {"tested_pairs", stats->tested_pairs},
        {"raw_contacts", stats->raw_contacts},
        {"filtered_contacts", stats->filtered_contacts},
        {"degenerate_elements", stats->degenerate_elements},
        {"arbitrary_normals", stats->arbitrary_normals},
        {"fallbacks", stats->fallbacks},
        {"caps", stats->caps},
        {"repairs", stats->repairs},
        {"data_bytes", stats->data_bytes},
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        json_object_set_new(object, rows[i].name, has_stats ? json_integer(rows[i].value) : json_null());
    }
    return object;
}

void abut_cli_json_result(json_t *object, const abut_result *result, int has_stats)
{
    json_t *contacts = json_array(), *regions = json_array();
    for (int i = 0; i < result->contacts.count; ++i) {
        json_array_append_new(contacts, json_contact(&result->contacts.items[i]));
    }
    for (int i = 0; i < result->regions.count; ++i) {
        json_array_append_new(regions, json_region(result, &result->regions.items[i]));
    }
    json_object_set_new(object, "contacts", contacts);
    json_object_set_new(object, "regions", regions);
    json_object_set_new(object, "stats", json_stats(&result->stats, has_stats));
}
