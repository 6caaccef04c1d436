// SPDX-License-Identifier: MIT
// contacts_verb.c: abut contacts A B [C ...]
#include "shared/contact_json.h"
#include "shared/files.h"
#include "shared/output.h"
#include "shared/parse.h"
#include "shared/query_options.h"
#include "verb/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct placed_body {
    const char *path;
    abut_mesh *mesh;
    abut_shape *shape;
    abut_pose pose;
    abut_vec3 linear_velocity;
    abut_vec3 angular_velocity;
} placed_body;

/// The contacts of one pair of bodies.
typedef struct pair_result {
    const placed_body *a, *b;
    abut_workspace *workspace; ///< keeps the result
    abut_result result;
} pair_result;

typedef struct contact_request {
    abut_cli_format format;
    abut_cli_methods methods;
    abut_cli_query query;
    double dt;
    placed_body *bodies;
    int body_count;
    pair_result *pairs;
    int pair_count;
} contact_request;

static abut_cli_exit place_bodies(const abut_cli_arguments *arguments, contact_request *request)
{
    for (int i = 0; i < arguments->value_count; ++i) {
        const abut_cli_value *value = &arguments->values[i];
        if (!value->option->is_lettered) {
            continue;
        }
        int is_pose = strcmp(value->option->name, "pose-a") == 0;
        const char *word = is_pose ? "pose" : "velocity";
        int index = value->letter - 'a';
        if (index >= request->body_count) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s-%c: there are only %d files", word, value->letter,
                                 request->body_count);
        }
        placed_body *body = &request->bodies[index];
        const char *wrong =
            is_pose ? abut_cli_parse_pose(value->text, &body->pose)
                    : abut_cli_parse_velocity(value->text, &body->linear_velocity, &body->angular_velocity);
        if (wrong != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s-%c '%s': %s", word, value->letter, value->text,
                                 wrong);
        }
    }
    return ABUT_CLI_DONE;
}

// A surface that is meant to be open is for another method.
static abut_cli_exit refuse_body(const contact_request *request, const placed_body *body, abut_status status,
                                 const abut_error *error)
{
    int is_open = 0;
    if (body->shape != NULL && (request->query.method->row->needs & ABUT_NEEDS_CLOSED) != 0) {
        abut_mesh_info info = abut_mesh_get_info(body->mesh);
        is_open = abut_mesh_get_elements(body->mesh).triangle_count > 0 && !(info.is_closed && info.is_oriented);
    }
    return abut_cli_refuse_mesh(body->path, body->mesh, status, error,
                                is_open ? ", or for an open surface --method intersection" : "");
}

static abut_cli_exit load_bodies(const abut_cli_arguments *arguments, contact_request *request)
{
    abut_shape_def def = abut_shape_def_default();
    abut_cli_exit code = abut_cli_number_of(arguments, "dilation", 0.0, &def.dilation);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "offset", -HUGE_VAL, &def.offset);
    code = code != ABUT_CLI_DONE ? code : place_bodies(arguments, request);
    for (int i = 0; i < request->body_count && code == ABUT_CLI_DONE; ++i) {
        placed_body *body = &request->bodies[i];
        abut_error error = {0};
        abut_status status = abut_mesh_read(NULL, body->path, ABUT_FORMAT_AUTO, &body->mesh, &error);
        if (status == ABUT_OK) {
            def.mesh = body->mesh;
            status = abut_shape_create(NULL, &def, &body->shape, &error);
        }
        if (status == ABUT_OK && !request->query.method->is_plugin) {
            status = abut_shape_prepare(body->shape, request->query.method->row, &request->query.params, &error);
        }
        if (status != ABUT_OK) {
            code = refuse_body(request, body, status, &error);
        }
    }
    return code;
}

static abut_side side_of(const contact_request *request, const placed_body *body)
{
    abut_side side = abut_side_default(body->shape);
    side.pose = body->pose;
    side.linear_velocity = body->linear_velocity;
    side.angular_velocity = body->angular_velocity;
    side.key = (uint64_t)(body - request->bodies) + 1;
    return side;
}

static abut_cli_exit find_pairs(contact_request *request)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    size_t count = (size_t)request->body_count;
    request->pairs = abut_cli_resize(NULL, count * (count - 1) / 2, sizeof *request->pairs);
    for (int i = 0; i < request->body_count && code == ABUT_CLI_DONE; ++i) {
        for (int j = i + 1; j < request->body_count && code == ABUT_CLI_DONE; ++j) {
            const placed_body *a = &request->bodies[i], *b = &request->bodies[j];
            pair_result *pair = &request->pairs[request->pair_count++];
            *pair = (pair_result){a, b, NULL, abut_result_default()};
            abut_pair query = abut_pair_default(a->shape, b->shape);
            query.a = side_of(request, a);
            query.b = side_of(request, b);
            query.dt = request->dt;
            abut_status status = abut_workspace_create(NULL, &pair->workspace);
            if (status == ABUT_OK) {
                status =
                    abut_cli_query_run(&request->query, &query, a->shape, b->shape, pair->workspace, &pair->result);
            }
            if (status != ABUT_OK) {
                code = abut_cli_fail(abut_cli_query_exit(status), "%s and %s: %s", a->path, b->path,
                                     abut_cli_message(status, &pair->result.error));
            }
        }
    }
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Notes: what the user should know about the contacts

static void note_bodies(const contact_request *request)
{
    for (int i = 0; i < request->body_count; ++i) {
        abut_mesh_info info = abut_mesh_get_info(request->bodies[i].mesh);
        if (info.is_closed && info.is_oriented && info.volume < 0.0) {
            abut_cli_note(
                "%s is inside out (volume %g): its normals point inward, and so may the contacts'; turn its "
                "faces round",
                request->bodies[i].path, info.volume);
        }
    }
}

static void note_pair(const pair_result *pair)
{
    const abut_stats *stats = &pair->result.stats;
    const struct {
        int64_t count;
        const char *text;
    } notes[] = {
        {stats->degenerate_elements, "triangles or tetrahedra without area or volume were skipped"},
        {stats->arbitrary_normals,
         "normals are one of several equally right ones: geometry and velocity leave them "
         "open (see rule and flags); --velocity-a or --velocity-b may decide"},
        {stats->fallbacks, "times a slower or less exact way was taken (stats.fallbacks)"},
        {stats->caps, "times a limit of the method cut something short"},
        {stats->repairs, "times numbers were repaired"},
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; ++i) {
        if (notes[i].count > 0) {
            abut_cli_note("%s and %s: %" PRId64 " %s", pair->a->path, pair->b->path, notes[i].count, notes[i].text);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Output

static const abut_cli_column columns[] = {
    {"a", NULL, ABUT_CLI_WORDS},
    {"b", NULL, ABUT_CLI_WORDS},
    {"position_x", "x", ABUT_CLI_NUMBER},
    {"position_y", "y", ABUT_CLI_NUMBER},
    {"position_z", "z", ABUT_CLI_NUMBER},
    {"position_a_x", NULL, ABUT_CLI_NUMBER},
    {"position_a_y", NULL, ABUT_CLI_NUMBER},
    {"position_a_z", NULL, ABUT_CLI_NUMBER},
    {"position_b_x", NULL, ABUT_CLI_NUMBER},
    {"position_b_y", NULL, ABUT_CLI_NUMBER},
    {"position_b_z", NULL, ABUT_CLI_NUMBER},
    {"normal_x", "normal x", ABUT_CLI_NUMBER},
    {"normal_y", "y", ABUT_CLI_NUMBER},
    {"normal_z", "z", ABUT_CLI_NUMBER},
    {"gap", "gap", ABUT_CLI_NUMBER},
    {"normal_speed", "speed", ABUT_CLI_NUMBER},
    {"time", NULL, ABUT_CLI_NUMBER},
    {NULL, "on A", ABUT_CLI_WORDS},
    {NULL, "on B", ABUT_CLI_WORDS},
    {"kind_a", NULL, ABUT_CLI_WORDS},
    {"index_a", NULL, ABUT_CLI_NUMBER},
    {"vertices_a", NULL, ABUT_CLI_WORDS},
    {"merged_a", NULL, ABUT_CLI_WORDS},
    {"kind_b", NULL, ABUT_CLI_WORDS},
    {"index_b", NULL, ABUT_CLI_NUMBER},
    {"vertices_b", NULL, ABUT_CLI_WORDS},
    {"merged_b", NULL, ABUT_CLI_WORDS},
    {"rule", "rule", ABUT_CLI_WORDS},
    {"region", NULL, ABUT_CLI_NUMBER},
    {"flags", "flags", ABUT_CLI_WORDS},
    {"id", NULL, ABUT_CLI_WORDS},
};

static void add_feature(abut_cli_table *table, abut_feature feature)
{
    const char *word = abut_cli_feature_word(feature.kind);
    const char *mark = feature.is_merged ? "*" : "";
    char *text = feature.kind == ABUT_FEATURE_EDGE
                     ? abut_cli_print("edge %d-%d%s", feature.vertices[0], feature.vertices[1], mark)
                     : abut_cli_print("%s %d%s", word, feature.index, mark);
    abut_cli_add_text(table, feature.kind == ABUT_FEATURE_NONE ? "-" : text);
    free(text);
}

// The same in columns of its own.
static void add_feature_columns(abut_cli_table *table, abut_feature feature)
{
    int is_edge = feature.kind == ABUT_FEATURE_EDGE;
    char *vertices =
        is_edge ? abut_cli_print("%d %d", feature.vertices[0], feature.vertices[1]) : abut_cli_copy("");
    abut_cli_add_text(table, abut_cli_feature_word(feature.kind));
    abut_cli_add_number(table, feature.index);
    abut_cli_add_text(table, vertices);
    abut_cli_add_text(table, feature.is_merged ? "yes" : "no");
    free(vertices);
}

static void add_contact(abut_cli_table *table, const pair_result *pair, const abut_contact *contact)
{
    char id[ABUT_CLI_ID_SIZE];
    abut_cli_id_print(contact->id, id);
    abut_cli_add_text(table, pair->a->path);
    abut_cli_add_text(table, pair->b->path);
    abut_cli_add_vec3(table, contact->position);
    abut_cli_add_vec3(table, contact->position_a);
    abut_cli_add_vec3(table, contact->position_b);
    abut_cli_add_vec3(table, contact->normal);
    abut_cli_add_number(table, contact->gap);
    abut_cli_add_number(table, contact->normal_speed);
    abut_cli_add_number(table, contact->time);
    add_feature(table, contact->feature_a);
    add_feature(table, contact->feature_b);
    add_feature_columns(table, contact->feature_a);
    add_feature_columns(table, contact->feature_b);
    abut_cli_add_text(table, abut_cli_rule_word(contact->rule));
    abut_cli_add_number(table, contact->region);
    abut_cli_add_text(table, abut_cli_flag_words(contact->flags));
    abut_cli_add_text(table, id);
}

static void print_pairs(const contact_request *request, const abut_cli_table *table, FILE *out)
{
    const abut_method *row = request->query.method->row;
    (void)fprintf(out, "Method %s%s. Lengths in the unit of the files, world frame. Normals point from A to B; a\n",
                  row->name, strcmp(row->name, ABUT_CLI_DEFAULT_METHOD) == 0 ? " (the default)" : "");
    (void)fputs(
        "negative gap is an overlap. speed: of B relative to A along the normal, negative while approaching.\n"
        "Vertices and faces count from 0, * marks merged ones. rule: what decided the normal (geometry,\n"
        "velocity, history, or none if several are equally correct). flags: arbitrary-sign, if the normal could\n"
        "just as well point the other way.\n",
        out);
    size_t begin = 0;
    for (int i = 0; i < request->pair_count; ++i) {
        const pair_result *pair = &request->pairs[i];
        int count = pair->result.contacts.count;
        (void)fprintf(out, "\nA %s, B %s: %d contact%s\n", pair->a->path, pair->b->path, count,
                      count == 1 ? "" : "s");
        if (count > 0) {
            abut_cli_table_print(table, begin, begin + (size_t)count, out);
        }
        begin += (size_t)count;
    }
}

static void set_pair(json_t *object, const pair_result *pair, int has_stats)
{
    json_object_set_new(object, "a", abut_cli_json_text(pair->a->path));
    json_object_set_new(object, "b", abut_cli_json_text(pair->b->path));
    abut_cli_json_result(object, &pair->result, has_stats);
}

static json_t *json_of(const contact_request *request)
{
    json_t *document = abut_cli_json_document();
    json_object_set_new(document, "method", json_string(request->query.method->row->name));
    int has_stats = !request->query.method->is_plugin;
    if (request->pair_count == 1) {
        set_pair(document, &request->pairs[0], has_stats);
        return document;
    }
    json_t *pairs = json_array();
    for (int i = 0; i < request->pair_count; ++i) {
        json_t *object = json_object();
        set_pair(object, &request->pairs[i], has_stats);
        json_array_append_new(pairs, object);
    }
    json_object_set_new(document, "pairs", pairs);
    return document;
}

static abut_cli_exit print_request(const contact_request *request)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (request->format == ABUT_CLI_JSON) {
        abut_cli_json_print(json_of(request), text.stream);
        return abut_cli_text_finish(&text);
    }
    abut_cli_table table;
    abut_cli_table_open(&table, columns, (int)(sizeof columns / sizeof columns[0]));
    for (int i = 0; i < request->pair_count; ++i) {
        const pair_result *pair = &request->pairs[i];
        for (int j = 0; j < pair->result.contacts.count; ++j) {
            add_contact(&table, pair, &pair->result.contacts.items[j]);
        }
    }
    if (request->format == ABUT_CLI_CSV) {
        abut_cli_csv_print(&table, text.stream);
    } else {
        print_pairs(request, &table, text.stream);
    }
    abut_cli_table_release(&table);
    return abut_cli_text_finish(&text);
}

static void release_request(contact_request *request)
{
    for (int i = 0; i < request->pair_count; ++i) {
        abut_workspace_destroy(request->pairs[i].workspace);
    }
    for (int i = 0; i < request->body_count; ++i) {
        abut_shape_destroy(request->bodies[i].shape);
        abut_mesh_destroy(request->bodies[i].mesh);
    }
    free(request->pairs);
    free(request->bodies);
    abut_cli_query_release(&request->query);
    abut_cli_methods_release(&request->methods);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    contact_request request = {.dt = 0.01, .body_count = arguments->operand_count};
    request.bodies = abut_cli_resize(NULL, (size_t)request.body_count, sizeof *request.bodies);
    for (int i = 0; i < request.body_count; ++i) {
        request.bodies[i] = (placed_body){.path = arguments->operands[i], .pose = abut_pose_identity()};
    }
    abut_cli_exit code = abut_cli_format_of(arguments, &request.format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "dt", 0.0, &request.dt);
    code = code != ABUT_CLI_DONE ? code : abut_cli_method_select(arguments, &request.methods);
    code =
        code != ABUT_CLI_DONE ? code : abut_cli_query_of(arguments, &request.methods.items[0], 0, &request.query);
    code = code != ABUT_CLI_DONE ? code : load_bodies(arguments, &request);
    code = code != ABUT_CLI_DONE ? code : find_pairs(&request);
    if (code == ABUT_CLI_DONE) {
        note_bodies(&request);
        for (int i = 0; i < request.pair_count; ++i) {
            note_pair(&request.pairs[i]);
        }
        code = print_request(&request);
    }
    release_request(&request);
    return code;
}

static const abut_cli_option options[] = {
    {"method", "NAME", "contact method, see abut methods (default: " ABUT_CLI_DEFAULT_METHOD ")", 0, 0},
    {"pose-a", "\"X Y Z [QW QX QY QZ]\"", "pose of the first file; --pose-b, --pose-c, ... for the others", 0, 1},
    {"velocity-a", "\"VX VY VZ WX WY WZ\"", "its linear and angular velocity; --velocity-b, ...", 0, 1},
    {"dt", "S", "length of the time step for the velocities (default 0.01)", 0, 0},
    {"dilation", "L", "sweep all bodies by a ball of this radius (default 0)", 0, 0},
    {"offset", "L", "move all surfaces outward by this length (default 0)", 0, 0},
    ABUT_CLI_PAIR_OPTIONS,
    {"seconds", "N", "time limit for a query of a plug-in (default 60)", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_contacts_verb = {
    .name = "contacts",
    .summary = "Find where meshes touch, with normals and gaps.",
    .usage = "A B [C ...] [options]",
    .details =
        "Reads two or more mesh files and prints the contacts of every pair. A normal is a unit vector from the\n"
        "first to the second body of a pair; a negative gap is an overlap. Quaternions are normalised. The\n"
        "default method takes closed solids that touch; for open meshes and deep overlaps use --method\n"
        "intersection. Methods that need tetrahedra take .node files, which abut mesh tetrahedralize makes.\n",
    .example = "  abut contacts table.obj cup.obj --pose-b \"0 0.72 0 1 0 0 0\" --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 2,
    .operand_maximum = -1,
    .run = run,
};
