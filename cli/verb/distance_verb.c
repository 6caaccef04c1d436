// SPDX-License-Identifier: MIT
// distance_verb.c: abut distance A B
#include "shared/contact_json.h"
#include "shared/files.h"
#include "shared/output.h"
#include "shared/parse.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>

enum { BODIES = 2 };

typedef struct distance_request {
    abut_cli_format format;
    int takes_hull;
    const char *paths[BODIES];
    abut_mesh *meshes[BODIES];
    abut_convex *shapes[BODIES];
    abut_pose poses[BODIES];
    abut_convex_result result;
} distance_request;

static abut_cli_exit read_poses(const abut_cli_arguments *arguments, distance_request *request)
{
    for (int i = 0; i < arguments->value_count; ++i) {
        const abut_cli_value *value = &arguments->values[i];
        if (!value->option->is_lettered) {
            continue;
        }
        int index = value->letter - 'a';
        if (index >= BODIES) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --pose-%c: there are only %d files", value->letter,
                                 BODIES);
        }
        const char *wrong = abut_cli_parse_pose(value->text, &request->poses[index]);
        if (wrong != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --pose-%c '%s': %s", value->letter, value->text,
                                 wrong);
        }
        abut_vec3 position = request->poses[index].position;
        if (abut_max_component(abut_abs(position)) > ABUT_LARGEST_COORDINATE) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --pose-%c '%s': the position of %c is beyond %g in one coordinate",
                                 value->letter, value->text, 'A' + index, ABUT_LARGEST_COORDINATE);
        }
    }
    return ABUT_CLI_DONE;
}

// Whether the file would be taken with --hull.
static int has_hull(const abut_mesh *mesh)
{
    abut_convex *hull = NULL;
    abut_convex_params params = abut_convex_params_default();
    params.takes_hull = 1;
    int is_made = abut_convex_create(NULL, mesh, &params, &hull, NULL) == ABUT_OK;
    abut_convex_destroy(hull);
    return is_made;
}

static abut_cli_exit load(distance_request *request, int i)
{
    abut_error error = {0};
    abut_convex_params params = abut_convex_params_default();
    params.takes_hull = request->takes_hull;
    abut_status status = abut_mesh_read(NULL, request->paths[i], ABUT_FORMAT_AUTO, &request->meshes[i], &error);
    if (status != ABUT_OK) {
        return abut_cli_refuse_mesh(request->paths[i], NULL, status, &error, "");
    }
    status = abut_convex_create(NULL, request->meshes[i], &params, &request->shapes[i], &error);
    int serves_hull = (status == ABUT_UNSUPPORTED || status == ABUT_LIMIT) && !request->takes_hull &&
                      has_hull(request->meshes[i]);
    return status == ABUT_OK
               ? ABUT_CLI_DONE
               : abut_cli_refuse_mesh(request->paths[i], request->meshes[i], status, &error,
                                      serves_hull ? "; --hull takes the convex hull of both files" : "");
}

static abut_cli_exit find(distance_request *request)
{
    abut_convex_pair pair = abut_convex_pair_default(request->shapes[0], request->shapes[1]);
    pair.pose_a = request->poses[0];
    pair.pose_b = request->poses[1];
    abut_status status = abut_convex_distance(&pair, NULL, NULL, &request->result);
    return status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_fail_status(status, NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Output

static const char *proof_word(abut_convex_proof proof)
{
    static const char *const words[] = {"plane", "facet", "cap", "full"};
    return words[proof];
}

// Supports are vertices of the files, counted from 0.
static json_t *json_of_certificate(const distance_request *request)
{
    const abut_convex_certificate *c = &request->result.certificate;
    json_t *certificate = json_object();
    int support_a, support_b;
    (void)abut_convex_vertex(request->shapes[0], c->support_a, &support_a);
    (void)abut_convex_vertex(request->shapes[1], c->support_b, &support_b);
    json_object_set_new(certificate, "proof", json_string(proof_word(c->proof)));
    json_object_set_new(certificate, "lower", abut_cli_json_number(c->lower));
    json_object_set_new(certificate, "upper", abut_cli_json_number(c->upper));
    json_object_set_new(certificate, "support_a", json_integer(support_a));
    json_object_set_new(certificate, "support_b", json_integer(support_b));
    if (c->proof == ABUT_PROOF_CAP) {
        json_object_set_new(certificate, "cap_axis", abut_cli_json_vec3(c->cap_axis));
        json_object_set_new(certificate, "cap_cosine", abut_cli_json_number(c->cap_cosine));
    }
    return certificate;
}

static json_t *json_of(const distance_request *request)
{
    const abut_convex_result *r = &request->result;
    json_t *document = abut_cli_json_document(), *directions = json_array();
    for (int i = 0; i < r->direction_count; ++i) {
        json_array_append_new(directions, abut_cli_json_vec3(r->directions[i]));
    }
    json_object_set_new(document, "a", abut_cli_json_text(request->paths[0]));
    json_object_set_new(document, "b", abut_cli_json_text(request->paths[1]));
    json_object_set_new(document, "hull", json_boolean(request->takes_hull));
    json_object_set_new(document, "distance", abut_cli_json_number(r->distance));
    json_object_set_new(document, "direction", abut_cli_json_vec3(r->normal));
    json_object_set_new(document, "point_a", abut_cli_json_vec3(r->point_a));
    json_object_set_new(document, "point_b", abut_cli_json_vec3(r->point_b));
    json_object_set_new(document, "feature_a", abut_cli_json_feature(r->feature_a));
    json_object_set_new(document, "feature_b", abut_cli_json_feature(r->feature_b));
    json_object_set_new(document, "plane_offset", abut_cli_json_number(r->plane_offset));
    json_object_set_new(document, "rule", json_string(abut_cli_rule_word(r->rule)));
    json_object_set_new(document, "directions", directions);
    json_object_set_new(document, "certificate", json_of_certificate(request));
    return document;
}

static const abut_cli_column columns[] = {
    {"a", NULL, 1},
    {"b", NULL, 1},
    {"distance", "distance", 0},
    {"direction_x", "direction x", 0},
    {"direction_y", "y", 0},
    {"direction_z", "z", 0},
    {"point_a_x", "point A x", 0},
    {"point_a_y", "y", 0},
    {"point_a_z", "z", 0},
    {"point_b_x", "point B x", 0},
    {"point_b_y", "y", 0},
    {"point_b_z", "z", 0},
    {"kind_a", "on A", 1},
    {"index_a", "index", 0},
    {"kind_b", "on B", 1},
    {"index_b", "index", 0},
    {"directions", "ties", 0},
    {"proof", "proof", 1},
};

static void fill_table(const distance_request *request, abut_cli_table *table)
{
    const abut_convex_result *r = &request->result;
    abut_cli_add_text(table, request->paths[0]);
    abut_cli_add_text(table, request->paths[1]);
    abut_cli_add_number(table, r->distance);
    abut_cli_add_vec3(table, r->normal);
    abut_cli_add_vec3(table, r->point_a);
    abut_cli_add_vec3(table, r->point_b);
    abut_cli_add_text(table, abut_cli_feature_word(r->feature_a.kind));
    abut_cli_add_number(table, r->feature_a.index);
    abut_cli_add_text(table, abut_cli_feature_word(r->feature_b.kind));
    abut_cli_add_number(table, r->feature_b.index);
    abut_cli_add_number(table, r->direction_count);
    abut_cli_add_text(table, proof_word(r->certificate.proof));
}

static abut_cli_exit print_request(const distance_request *request)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (request->format == ABUT_CLI_JSON) {
        abut_cli_json_print(json_of(request), text.stream);
        return abut_cli_text_finish(&text);
    }
    abut_cli_table table;
    abut_cli_table_open(&table, columns, (int)(sizeof columns / sizeof columns[0]));
    fill_table(request, &table);
    if (request->format == ABUT_CLI_CSV) {
        abut_cli_csv_print(&table, text.stream);
    } else {
        const abut_convex_result *r = &request->result;
        (void)fprintf(text.stream, "A %s, B %s%s: %s\n\n", request->paths[0], request->paths[1],
                      request->takes_hull ? ", their convex hulls" : "",
                      r->distance > 0.0 ? "apart"
                      : r->distance == 0.0
                          ? "touching"
                          : "overlapping; the distance is minus the shortest motion that parts them");
        abut_cli_table_print(&table, 0, 1, text.stream);
    }
    abut_cli_table_release(&table);
    return abut_cli_text_finish(&text);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    distance_request request = {.takes_hull = abut_cli_value_of(arguments, "hull") != NULL,
                                .poses = {abut_pose_identity(), abut_pose_identity()}};
    abut_cli_exit code = abut_cli_format_of(arguments, &request.format);
    code = code != ABUT_CLI_DONE ? code : read_poses(arguments, &request);
    for (int i = 0; i < BODIES; ++i) {
        request.paths[i] = arguments->operands[i];
        code = code != ABUT_CLI_DONE ? code : load(&request, i);
    }
    code = code != ABUT_CLI_DONE ? code : find(&request);
    code = code != ABUT_CLI_DONE ? code : print_request(&request);
    for (int i = 0; i < BODIES; ++i) {
        abut_convex_destroy(request.shapes[i]);
        abut_mesh_destroy(request.meshes[i]);
    }
    return code;
}

static const abut_cli_option options[] = {
    {"pose-a", "\"X Y Z [QW QX QY QZ]\"", "pose of the first file; --pose-b for the second", 0, 1},
    {"hull", NULL, "take the convex hulls of the files instead of refusing meshes that are not convex", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_distance_verb = {
    .name = "distance",
    .summary = "Compute the signed distance of two convex meshes, with direction and closest points.",
    .usage = "A B [options]",
    .details =
        "Reads two closed convex mesh files and prints their distance, the direction from A to B, and the closest\n"
        "points. If they overlap, the distance is negative: minus the length of the shortest motion of B, along\n"
        "the direction, that leaves them touching. Every answer comes with a proof. A mesh that is not convex is\n"
        "refused, and the message names a vertex.\n",
    .example = "  abut distance crate.obj ramp.stl --pose-b \"0 0.72 0 1 0 0 0\" --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 2,
    .operand_maximum = 2,
    .run = run,
};
