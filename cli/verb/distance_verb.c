// SPDX-License-Identifier: MIT
// distance_verb.c: abut distance A B
#include "shared/contact_layout.h"
#include "shared/files.h"
#include "shared/placement.h"
#include "shared/selection.h"
#include "verb/file_pairs.h"
#include "verb/verbs.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 2 };

typedef struct distance_request {
    abut_cli_format format;
    int takes_hull;
    const char *paths[BODIES];
    abut_mesh *meshes[BODIES];
    abut_convex *shapes[BODIES]; ///< NULL for a mesh that is not convex
    int is_convex;               ///< both have one; without it the result has no proof
    abut_cli_placement placements[BODIES];
    abut_convex_result result;
} distance_request;

static abut_cli_exit read_placements(const abut_cli_arguments *arguments, distance_request *request)
{
    abut_cli_exit code = abut_cli_placements_of(arguments, request->placements, BODIES);
    for (int i = 0; i < BODIES && code == ABUT_CLI_DONE; ++i) {
        if (abut_max_component(abut_abs(request->placements[i].pose.position)) > ABUT_LARGEST_COORDINATE) {
            code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --pose-%c: a coordinate of the position is beyond %g",
                                 'a' + i, ABUT_LARGEST_COORDINATE);
        }
    }
    return code;
}

static abut_cli_exit load(distance_request *request, int i)
{
    abut_error error = {0};
    abut_convex_params params = abut_convex_params_default();
    params.takes_hull = request->takes_hull;
    abut_status status = abut_cli_read_mesh(request->paths[i], &request->meshes[i], &error);
    if (status != ABUT_OK) {
        return abut_cli_refuse_mesh(request->paths[i], NULL, status, &error, "");
    }
    if (abut_mesh_get_elements(request->meshes[i]).triangle_count == 0 && !request->takes_hull) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "%s: the mesh has no faces; --hull takes the convex hull of its vertices",
                             request->paths[i]);
    }
    if (!request->takes_hull) {
        abut_cli_mesh_note(request->paths[i], request->paths[i], request->meshes[i]);
    }
    status = abut_convex_create(NULL, request->meshes[i], &params, &request->shapes[i], &error);
    int is_other = (status == ABUT_UNSUPPORTED || status == ABUT_LIMIT) && !request->takes_hull;
    request->is_convex &= status == ABUT_OK;
    return status == ABUT_OK || is_other
               ? ABUT_CLI_DONE
               : abut_cli_refuse_mesh(request->paths[i], request->meshes[i], status, &error, "");
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes that are not convex

/// What the search of two meshes needs.
typedef struct mesh_search {
    abut_tree *trees[BODIES];
    abut_shape *shapes[BODIES];
    abut_workspace *workspace;
    abut_result contacts;
} mesh_search;

static abut_cli_exit prepare_search(const distance_request *request, mesh_search *search)
{
    const abut_method *method = abut_method_find(ABUT_CLI_DEFAULT_METHOD);
    abut_error error = {0};
    abut_status status = abut_workspace_create(NULL, &search->workspace);
    if (status != ABUT_OK) {
        return abut_cli_fail_status(status, NULL);
    }
    for (int i = 0; i < BODIES; ++i) {
        abut_shape_def def = abut_shape_def_default();
        def.mesh = request->meshes[i];
        status = abut_shape_create(NULL, &def, &search->shapes[i], &error);
        if (status == ABUT_OK) {
            status = abut_shape_prepare(search->shapes[i], method, NULL, &error);
        }
        if (status == ABUT_OK) {
            status = abut_tree_create(NULL, def.mesh, ABUT_ELEMENT_TRIANGLE, &search->trees[i], &error);
        }
        if (status != ABUT_OK) {
            return abut_cli_refuse_mesh(request->paths[i], request->meshes[i], status, &error, "");
        }
    }
    return ABUT_CLI_DONE;
}

/// The contact with the least gap, or NULL.
static const abut_contact *deepest_of(const abut_result *contacts)
{
    const abut_contact *deepest = NULL;
    for (int i = 0; i < contacts->contacts.count; ++i) {
        const abut_contact *c = &contacts->contacts.items[i];
        deepest = deepest == NULL || c->gap < deepest->gap ? c : deepest;
    }
    return deepest;
}

static abut_convex_result result_of(const abut_contact *contact, double distance, abut_vec3 normal)
{
    return (abut_convex_result){.distance = distance,
                                .normal = normal,
                                .point_a = contact->position_a,
                                .point_b = contact->position_b,
                                .feature_a = contact->feature_a,
                                .feature_b = contact->feature_b,
                                .rule = contact->rule};
}

/// Meshes that overlap, by their contacts: the least translation that opens all of them, and the deepest one. Returns 0 if
/// they do not overlap.
static int take_depth(const abut_result *contacts, abut_convex_result *result)
{
    int count = contacts->contacts.count;
    const abut_contact *deepest = deepest_of(contacts);
    if (deepest == NULL || !(deepest->gap < 0.0)) {
        return 0;
    }
    abut_half_space *sides = abut_cli_resize(NULL, (size_t)count, sizeof *sides);
    for (int i = 0; i < count; ++i) {
        sides[i] = (abut_half_space){contacts->contacts.items[i].normal, -contacts->contacts.items[i].gap};
    }
    abut_vec3 t;
    int is_deep = abut_least_translation(sides, count, &t);
    free(sides);
    if (is_deep) {
        *result = result_of(deepest, -abut_norm(t), abut_unit(t));
    }
    return is_deep;
}

static abut_feature face_of(const abut_mesh *mesh, int triangle)
{
    return abut_feature_face(abut_mesh_get_elements(mesh).triangle_faces[triangle]);
}

static void take_gap(const distance_request *request, const mesh_search *search, abut_convex_result *result)
{
    abut_pose a = request->placements[0].pose, b = request->placements[1].pose;
    abut_tree_gap gap = abut_tree_distance(search->trees[0], search->trees[1], abut_pose_relative(a, b), HUGE_VAL);
    *result = (abut_convex_result){.distance = gap.distance,
                                   .point_a = abut_pose_apply(a, gap.point_a),
                                   .point_b = abut_pose_apply(a, gap.point_b),
                                   .feature_a = face_of(request->meshes[0], gap.element_a),
                                   .feature_b = face_of(request->meshes[1], gap.element_b)};
    result->normal = abut_unit(abut_sub(result->point_b, result->point_a));
    const abut_contact *touch = deepest_of(&search->contacts);
    if (touch != NULL && !(abut_norm_squared(result->normal) > 0.5)) {
        *result = result_of(touch, gap.distance, touch->normal);
    }
}

static abut_cli_exit find_any(distance_request *request)
{
    mesh_search search = {.contacts = abut_result_default()};
    abut_cli_exit code = prepare_search(request, &search);
    if (code == ABUT_CLI_DONE) {
        abut_pair pair = abut_pair_default(search.shapes[0], search.shapes[1]);
        pair.a.pose = request->placements[0].pose;
        pair.b.pose = request->placements[1].pose;
        pair.a.key = 1;
        pair.b.key = 2;
        abut_status status = abut_find_contacts(&pair, abut_method_find(ABUT_CLI_DEFAULT_METHOD), NULL,
                                                search.workspace, &search.contacts);
        if (status != ABUT_OK) {
            code = abut_cli_fail_status(status, &search.contacts.error);
        } else if (!take_depth(&search.contacts, &request->result)) {
            take_gap(request, &search, &request->result);
        }
    }
    for (int i = 0; i < BODIES; ++i) {
        abut_tree_destroy(search.trees[i]);
        abut_shape_destroy(search.shapes[i]);
    }
    abut_workspace_destroy(search.workspace);
    return code;
}

static abut_cli_exit find(distance_request *request)
{
    if (!request->is_convex) {
        return find_any(request);
    }
    abut_convex_pair pair = abut_convex_pair_default(request->shapes[0], request->shapes[1]);
    pair.pose_a = request->placements[0].pose;
    pair.pose_b = request->placements[1].pose;
    abut_status status = abut_convex_distance(&pair, NULL, NULL, &request->result);
    return status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_fail_status(status, NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Output

static int is_proven(const void *row)
{
    return ((const distance_request *)row)->is_convex;
}

static const char *const proofs[] = {"plane", "facet", "cap", "full", NULL};

/// The vertex of the file, counted from 0, for a vertex of the convex shape.
static double support_vertex(const abut_convex *shape, int support)
{
    int vertex;
    (void)abut_convex_vertex(shape, support, &vertex);
    return vertex;
}

static double support_a(const void *row)
{
    const distance_request *request = row;
    return support_vertex(request->shapes[0], request->result.certificate.support_a);
}

static double support_b(const void *row)
{
    const distance_request *request = row;
    return support_vertex(request->shapes[1], request->result.certificate.support_b);
}

static int has_cap(const void *row)
{
    return ((const distance_request *)row)->result.certificate.proof == ABUT_PROOF_CAP;
}

#define RESULT(member) ABUT_CLI_AT(distance_request, result.member)

static const abut_cli_member certificate_members[] = {
    {"proof", "proof", ABUT_CLI_WORD_AT(distance_request, result.certificate.proof, proofs)},
    {"lower", NULL, RESULT(certificate.lower), .place = ABUT_CLI_JSON_ONLY},
    {"upper", NULL, RESULT(certificate.upper), .place = ABUT_CLI_JSON_ONLY},
    {"support_a", NULL, ABUT_CLI_COUNT_BY(support_a), .place = ABUT_CLI_JSON_ONLY},
    {"support_b", NULL, ABUT_CLI_COUNT_BY(support_b), .place = ABUT_CLI_JSON_ONLY},
    {"cap_axis", NULL, RESULT(certificate.cap_axis), .applies = has_cap, .place = ABUT_CLI_JSON_ONLY},
    {"cap_cosine", NULL, RESULT(certificate.cap_cosine), .applies = has_cap, .place = ABUT_CLI_JSON_ONLY},
};
static const abut_cli_layout certificate_layout = ABUT_CLI_LAYOUT(certificate_members);

static json_t *json_directions(const void *row)
{
    const abut_convex_result *result = &((const distance_request *)row)->result;
    return abut_cli_json_points(result->directions, result->direction_count);
}

// clang-format off
#define FEATURE(name, member)                                                                                      \
    {name, NULL, ABUT_CLI_OBJECT_AT(distance_request, result.member, abut_cli_feature_layout),                     \
     .place = ABUT_CLI_JSON_ONLY}
#define FEATURE_COLUMNS(side, heading, member)                                                                     \
    {"kind_" side, heading, ABUT_CLI_WORD_AT(distance_request, result.member.kind, abut_cli_feature_words),        \
     .place = ABUT_CLI_COLUMNS_ONLY},                                                                              \
    {"index_" side, "index", RESULT(member.index), .place = ABUT_CLI_COLUMNS_ONLY}
// clang-format on

static const abut_cli_member distance_members[] = {
    {"a", NULL, ABUT_CLI_AT(distance_request, paths[0])},
    {"b", NULL, ABUT_CLI_AT(distance_request, paths[1])},
    {"hull", NULL, ABUT_CLI_FLAG_AT(distance_request, takes_hull), .place = ABUT_CLI_JSON_ONLY},
    {"distance", "distance", RESULT(distance)},
    {"direction", "direction x", RESULT(normal)},
    {"point_a", "point A x", RESULT(point_a)},
    {"point_b", "point B x", RESULT(point_b)},
    FEATURE("feature_a", feature_a),
    FEATURE("feature_b", feature_b),
    FEATURE_COLUMNS("a", "on A", feature_a),
    FEATURE_COLUMNS("b", "on B", feature_b),
    {"plane_offset", NULL, RESULT(plane_offset), .applies = is_proven, .place = ABUT_CLI_JSON_ONLY},
    {"rule", NULL, ABUT_CLI_WORD_AT(distance_request, result.rule, abut_cli_rule_words),
     .place = ABUT_CLI_JSON_ONLY},
    {"directions", NULL, ABUT_CLI_JSON_BY(json_directions), .applies = is_proven},
    {"directions", "ties", RESULT(direction_count), .applies = is_proven, .place = ABUT_CLI_COLUMNS_ONLY},
    {"certificate", NULL, ABUT_CLI_OBJECT_OF(certificate_layout), .applies = is_proven},
};
static const abut_cli_layout distance_layout = ABUT_CLI_LAYOUT(distance_members);

/// What rounding can change of a distance: some units in the last place of the largest coordinate.
static double rounding_of(const distance_request *request)
{
    double largest = 0.0;
    for (int i = 0; i < BODIES; ++i) {
        abut_box bounds = abut_mesh_get_elements(request->meshes[i]).bounds;
        double radius = abut_norm(abut_max(abut_abs(bounds.lower), abut_abs(bounds.upper)));
        largest = fmax(largest, abut_norm(request->placements[i].pose.position) + radius);
    }
    return 16.0 * DBL_EPSILON * largest;
}

static void write_distance(const void *data, const abut_cli_table *table, FILE *out)
{
    const distance_request *request = data;
    double distance = request->result.distance, rounding = rounding_of(request);
    (void)fprintf(
        out, "A %s, B %s%s: %s\n\n", request->paths[0], request->paths[1],
        request->takes_hull ? ", their convex hulls" : "",
        distance > rounding     ? "apart"
        : distance >= -rounding ? "touching"
        : request->is_convex
            ? "overlapping; the distance is minus the length of the shortest motion that separates them"
            : "overlapping; the distance is minus the length of a motion that separates them, the shortest "
              "one found");
    abut_cli_table_print(table, 0, 1, out);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    distance_request request = {.takes_hull = abut_cli_value_of(arguments, "hull") != NULL, .is_convex = 1};
    abut_cli_exit code = abut_cli_format_of(arguments, &request.format);
    code = code != ABUT_CLI_DONE ? code : read_placements(arguments, &request);
    for (int i = 0; i < BODIES; ++i) {
        request.paths[i] = arguments->operands[i];
        code = code != ABUT_CLI_DONE ? code : load(&request, i);
    }
    code = code != ABUT_CLI_DONE ? code : find(&request);
    if (code == ABUT_CLI_DONE) {
        abut_cli_report report = {
            &distance_layout, &request, {&distance_layout, &request, 1, sizeof request}, write_distance};
        code = abut_cli_report_print(&report, request.format);
    }
    for (int i = 0; i < BODIES; ++i) {
        abut_convex_destroy(request.shapes[i]);
        abut_mesh_destroy(request.meshes[i]);
    }
    return code;
}

static const abut_cli_option options[] = {
    {"pose-a", "\"X Y Z [QW QX QY QZ]\"", "pose of the first file; --pose-b for the second", 0, 1},
    {"hull", NULL, "use the convex hulls of both files", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_distance_verb = {
    .name = "distance",
    .summary = "Compute the signed distance between two meshes, with direction and closest points.",
    .usage = "A B [options]",
    .details =
        "Reads two mesh files and prints their distance, the direction from A to B, and the closest points. If "
        "they\n"
        "overlap, the distance is negative: minus the length of the shortest motion of B, along the direction, "
        "that\n"
        "leaves them just touching; the points are those of the deepest contact. If both are convex, the answer\n"
        "comes with a certificate. Of other meshes the shortest motion that was found is taken, see\n"
        "docs/methods/auto.md.\n",
    .example = "  abut distance crate.obj ramp.stl --pose-b \"0 0.72 0 1 0 0 0\" --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 2,
    .operand_maximum = 2,
    .run = run,
};
