// SPDX-License-Identifier: MIT
// contacts_verb.c: abut contacts A B [C ...]
#include "shared/contact_layout.h"
#include "shared/files.h"
#include "shared/placement.h"
#include "shared/query_options.h"
#include "verb/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct loaded_body {
    const char *path;
    char
        *label; ///< names the body in the output: the path, with the letter of its options if the path occurs twice
    abut_mesh *mesh;
    abut_shape *shape;
    abut_tree *tree; ///< for --sweep only
} loaded_body;

/// The contacts of one pair of bodies.
typedef struct pair_result {
    const char *label_a, *label_b;
    /// Keeps the result, with the scratch memory of its query: copying the contacts and regions of every pair out of one
    /// workspace would need six arrays per pair.
    abut_workspace *workspace;
    abut_result result;
    const abut_stats *stats; ///< of `result`; NULL for plug-ins, which have none
    int is_swept, has_touch; ///< with --sweep; whether there is a first touch
    double time;             ///< of the first touch
} pair_result;

typedef struct contact_request {
    abut_cli_format format;
    abut_cli_methods methods;
    abut_cli_query query;
    double dt;
    int has_sweep;
    loaded_body *bodies;
    abut_cli_placement *placements; ///< of the bodies
    int body_count;
    pair_result *pairs;
    int pair_count;
} contact_request;

// If the method needs a closed mesh and this one is open, recommends a method that does not.
static abut_cli_exit refuse_body(const contact_request *request, const loaded_body *body, abut_status status,
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

// Of three or more files, those with equal names could not be told apart.
static void name_bodies(contact_request *request)
{
    for (int i = 0; i < request->body_count; ++i) {
        loaded_body *body = &request->bodies[i];
        int is_repeated = 0;
        for (int j = 0; j < request->body_count && request->body_count > 2; ++j) {
            is_repeated |= j != i && strcmp(request->bodies[j].path, body->path) == 0;
        }
        body->label = !is_repeated           ? abut_cli_copy(body->path)
                      : i < ABUT_CLI_LETTERS ? abut_cli_print("%s (%c)", body->path, 'a' + i)
                                             : abut_cli_print("%s (file %d)", body->path, i + 1);
    }
}

static abut_cli_exit load_bodies(const abut_cli_arguments *arguments, contact_request *request)
{
    abut_shape_def def = abut_shape_def_default();
    abut_cli_exit code = abut_cli_number_of(arguments, "dilation", 0.0, &def.dilation);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "offset", -HUGE_VAL, &def.offset);
    for (int i = 0; i < request->body_count && code == ABUT_CLI_DONE; ++i) {
        loaded_body *body = &request->bodies[i];
        abut_error error = {0};
        abut_status status = abut_mesh_read(NULL, body->path, ABUT_FORMAT_AUTO, &body->mesh, &error);
        if (status == ABUT_OK) {
            def.mesh = body->mesh;
            status = abut_shape_create(NULL, &def, &body->shape, &error);
        }
        if (status == ABUT_OK && !request->query.method->is_plugin) {
            status = abut_shape_prepare(body->shape, request->query.method->row, &request->query.params, &error);
        }
        if (status == ABUT_OK && request->has_sweep) {
            status = abut_tree_create(NULL, body->mesh, ABUT_ELEMENT_TRIANGLE, &body->tree, &error);
        }
        if (status != ABUT_OK) {
            code = refuse_body(request, body, status, &error);
        }
    }
    return code;
}

static const char *method_name(const void *row)
{
    return ((const contact_request *)row)->query.method->row->name;
}

static abut_side side_of(const contact_request *request, int body)
{
    const abut_cli_placement *placement = &request->placements[body];
    abut_side side = abut_side_default(request->bodies[body].shape);
    side.pose = placement->pose;
    side.linear_velocity = placement->linear_velocity;
    side.angular_velocity = placement->angular_velocity;
    side.key = (uint64_t)body + 1;
    return side;
}

static abut_motion motion_of(const abut_side *side)
{
    abut_motion motion = {
        .pose = side->pose, .linear_velocity = side->linear_velocity, .angular_velocity = side->angular_velocity};
    return motion;
}

// Moves a pair to its first touch within the step. Leaves it alone if there is none.
static abut_status sweep_pair(const contact_request *request, int i, int j, abut_pair *query, pair_result *pair)
{
    abut_sweep_def def = abut_sweep_def_default(request->bodies[i].tree, request->bodies[j].tree);
    def.motion_a = motion_of(&query->a);
    def.motion_b = motion_of(&query->b);
    def.duration = request->dt;
    abut_sweep_hit hit;
    abut_status status = abut_sweep(&def, &hit, &pair->result.error);
    if (status == ABUT_OK && hit.is_hit) {
        pair->has_touch = 1;
        pair->time = hit.time;
        query->a.pose = abut_motion_pose(&def.motion_a, hit.time);
        query->b.pose = abut_motion_pose(&def.motion_b, hit.time);
    }
    return status;
}

// Methods of plug-ins prepare and run in a child process; for the others load_bodies() has prepared the shapes.
static abut_status find_contacts(const abut_cli_query *query, const abut_pair *pair, abut_workspace *workspace,
                                 abut_result *result)
{
    const abut_method *method = query->method->row;
    return query->method->is_plugin
               ? abut_find_contacts_isolated(pair, method, &query->params, query->seconds, workspace, result)
               : abut_find_contacts(pair, method, &query->params, workspace, result);
}

static int is_convex(const contact_request *request, int body)
{
    return abut_shape_prepare(request->bodies[body].shape, abut_method_find("convex"), &request->query.params,
                              NULL) == ABUT_OK;
}

// If the bodies overlap too much for the method, recommends one that takes overlaps of such bodies.
static abut_cli_exit refuse_pair(const contact_request *request, int i, int j, abut_status status,
                                 const abut_error *error)
{
    const char *a = request->bodies[i].label, *b = request->bodies[j].label;
    if (status != ABUT_OVERLAP || request->query.method->is_plugin) {
        return abut_cli_fail(abut_cli_query_exit(status), "%s and %s: %s", a, b, abut_cli_message(status, error));
    }
    const char *method = is_convex(request, i) && is_convex(request, j) ? "convex" : "intersection";
    char velocities[80] = "";
    if (j < ABUT_CLI_LETTERS) {
        (void)snprintf(velocities, sizeof velocities,
                       ", or give the velocities that led there: --velocity-%c, --velocity-%c", 'a' + i, 'a' + j);
    }
    return abut_cli_fail(
        ABUT_CLI_BAD_INPUT,
        "%s and %s: they overlap by more than a thousandth of the smaller one's size, even if moved back by "
        "one time step (--dt): use --method %s%s",
        a, b, method, velocities);
}

static abut_cli_exit find_pairs(contact_request *request)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    size_t count = (size_t)request->body_count;
    request->pairs = abut_cli_resize(NULL, count * (count - 1) / 2, sizeof *request->pairs);
    for (int i = 0; i < request->body_count && code == ABUT_CLI_DONE; ++i) {
        for (int j = i + 1; j < request->body_count && code == ABUT_CLI_DONE; ++j) {
            const loaded_body *a = &request->bodies[i], *b = &request->bodies[j];
            pair_result *pair = &request->pairs[request->pair_count++];
            *pair = (pair_result){.label_a = a->label,
                                  .label_b = b->label,
                                  .result = abut_result_default(),
                                  .is_swept = request->has_sweep};
            pair->stats = request->query.method->is_plugin ? NULL : &pair->result.stats;
            abut_pair query = abut_pair_default(a->shape, b->shape);
            query.a = side_of(request, i);
            query.b = side_of(request, j);
            query.dt = request->dt;
            abut_status status = abut_workspace_create(NULL, &pair->workspace);
            if (status == ABUT_OK && request->has_sweep) {
                status = sweep_pair(request, i, j, &query, pair);
            }
            if (status == ABUT_OK && pair->has_touch == request->has_sweep) {
                status = find_contacts(&request->query, &query, pair->workspace, &pair->result);
            }
            if (status != ABUT_OK) {
                code = refuse_pair(request, i, j, status, &pair->result.error);
            }
        }
    }
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Notes on stderr about doubtful contacts

static void note_bodies(const contact_request *request)
{
    for (int i = 0; i < request->body_count; ++i) {
        abut_mesh_info info = abut_mesh_get_info(request->bodies[i].mesh);
        const loaded_body *body = &request->bodies[i];
        if (info.is_closed && info.is_oriented && info.volume < 0.0) {
            abut_cli_note(
                "%s is inside out (volume %g): its normals point inward, and those of the contacts may too; "
                "abut mesh convert %s OUT --repair turns its faces",
                body->label, info.volume, body->path);
        }
        if (info.irregular_polygon_count > 0) {
            abut_cli_note("%s: %d polygon%s: contacts there may be wrong; see abut mesh check %s", body->label,
                          info.irregular_polygon_count,
                          info.irregular_polygon_count == 1 ? " crosses itself or has no area"
                                                            : "s cross themselves or have no area",
                          body->path);
        }
    }
}

static void note_pair(const pair_result *pair, const char *method)
{
    const abut_stats *stats = &pair->result.stats;
    const struct {
        int64_t count;
        const char *noun, *text;
    } notes[] = {
        {stats->degenerate_elements, "element", " without area or volume skipped"},
        {stats->arbitrary_normals, "arbitrary normal",
         ": several directions are equally correct (see rule and flags), --velocity-a or --velocity-b may decide"},
        {stats->fallbacks, "fallback", " to a slower or less exact computation (stats.fallbacks)"},
        {stats->caps, "limit", " of the method reached: contacts or normals may be missing (stats.caps)"},
        {stats->repairs, "repair", " of features that do not meet exactly (stats.repairs)"},
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; ++i) {
        if (notes[i].count > 0) {
            abut_cli_note("%s and %s: %" PRId64 " %s%s%s; see docs/methods/%s.md", pair->label_a, pair->label_b,
                          notes[i].count, notes[i].noun, abut_cli_plural(notes[i].count), notes[i].text, method);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Output

static abut_cli_rows contact_rows(const void *row)
{
    const abut_result *result = &((const pair_result *)row)->result;
    return (abut_cli_rows){&abut_cli_contact_layout, result->contacts.items, result->contacts.count,
                           sizeof *result->contacts.items};
}

static const abut_cli_member counter_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(pair_result, stats, abut_cli_stats_layout)},
};
static const abut_cli_layout counter_layout = ABUT_CLI_LAYOUT(counter_members);

static int is_swept(const void *row)
{
    return ((const pair_result *)row)->is_swept;
}

static double touch_time(const void *row)
{
    const pair_result *pair = row;
    return pair->has_touch ? pair->time : NAN;
}

static const abut_cli_member pair_members[] = {
    {"a", NULL, ABUT_CLI_AT(pair_result, label_a)},
    {"b", NULL, ABUT_CLI_AT(pair_result, label_b)},
    {"touch_time", NULL, ABUT_CLI_REAL_BY(touch_time), .applies = is_swept},
    {"contacts", NULL, ABUT_CLI_ROWS_BY(contact_rows)},
    {"regions", NULL, ABUT_CLI_JSON_OF(pair_result, result, abut_cli_json_regions)},
    {"stats", NULL, ABUT_CLI_OBJECT_OF(counter_layout), .place = ABUT_CLI_JSON_ONLY},
};
static const abut_cli_layout pair_layout = ABUT_CLI_LAYOUT(pair_members);

/// A line of the table.
typedef struct contact_row {
    const pair_result *pair;
    const abut_contact *contact;
} contact_row;

static const abut_cli_member row_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(contact_row, pair, pair_layout)},
    {NULL, NULL, ABUT_CLI_PART_TO(contact_row, contact, abut_cli_contact_layout)},
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

/// The lines of all pairs. Release them with free().
static contact_row *list_rows(const contact_request *request, int *count)
{
    *count = 0;
    for (int i = 0; i < request->pair_count; ++i) {
        *count += request->pairs[i].result.contacts.count;
    }
    contact_row *rows = abut_cli_resize(NULL, (size_t)*count, sizeof *rows), *next = rows;
    for (int i = 0; i < request->pair_count; ++i) {
        const pair_result *pair = &request->pairs[i];
        for (int j = 0; j < pair->result.contacts.count; ++j) {
            *next++ = (contact_row){pair, &pair->result.contacts.items[j]};
        }
    }
    return rows;
}

static int has_one_pair(const void *row)
{
    return ((const contact_request *)row)->pair_count == 1;
}

static int has_many_pairs(const void *row)
{
    return !has_one_pair(row);
}

static abut_cli_rows pair_rows(const void *row)
{
    const contact_request *request = row;
    return (abut_cli_rows){&pair_layout, request->pairs, request->pair_count, sizeof *request->pairs};
}

static const abut_cli_member document_members[] = {
    {"method", NULL, ABUT_CLI_TEXT_BY(method_name)},
    {NULL, NULL, ABUT_CLI_PART_TO(contact_request, pairs, pair_layout), .applies = has_one_pair},
    {"pairs", NULL, ABUT_CLI_ROWS_BY(pair_rows), .applies = has_many_pairs},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

static void write_pairs(const void *data, const abut_cli_table *table, FILE *out)
{
    const contact_request *request = data;
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
        (void)fprintf(out, "\nA %s, B %s: ", pair->label_a, pair->label_b);
        if (pair->has_touch) {
            (void)fprintf(out, "first touch at time %.9g, ", pair->time);
        } else if (pair->is_swept) {
            (void)fprintf(out, "no touch up to time %.9g, ", request->dt);
        }
        (void)fprintf(out, "%d contact%s\n", count, abut_cli_plural(count));
        if (count > 0) {
            abut_cli_table_print(table, begin, begin + (size_t)count, out);
        }
        begin += (size_t)count;
    }
}

static abut_cli_exit print_request(const contact_request *request)
{
    note_bodies(request);
    for (int i = 0; i < request->pair_count; ++i) {
        note_pair(&request->pairs[i], method_name(request));
    }
    contact_row *rows = NULL;
    int count = 0;
    if (request->format != ABUT_CLI_JSON) { // JSON lists the pairs
        rows = list_rows(request, &count);
    }
    abut_cli_report report = {&document_layout, request, {&row_layout, rows, count, sizeof *rows}, write_pairs};
    abut_cli_exit code = abut_cli_report_print(&report, request->format);
    free(rows);
    return code;
}

static void release_request(contact_request *request)
{
    for (int i = 0; i < request->pair_count; ++i) {
        abut_workspace_destroy(request->pairs[i].workspace);
    }
    for (int i = 0; i < request->body_count; ++i) {
        abut_tree_destroy(request->bodies[i].tree);
        abut_shape_destroy(request->bodies[i].shape);
        abut_mesh_destroy(request->bodies[i].mesh);
        free(request->bodies[i].label);
    }
    free(request->pairs);
    free(request->bodies);
    free(request->placements);
    abut_cli_query_release(&request->query);
    abut_cli_methods_release(&request->methods);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    contact_request request = {.dt = 0.01, .body_count = arguments->operand_count};
    size_t count = (size_t)request.body_count;
    request.bodies = abut_cli_resize(NULL, count, sizeof *request.bodies);
    request.placements = abut_cli_resize(NULL, count, sizeof *request.placements);
    for (int i = 0; i < request.body_count; ++i) {
        request.bodies[i] = (loaded_body){.path = arguments->operands[i]};
    }
    request.has_sweep = abut_cli_value_of(arguments, "sweep") != NULL;
    name_bodies(&request);
    abut_cli_exit code = abut_cli_format_of(arguments, &request.format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "dt", 0.0, &request.dt);
    code = code != ABUT_CLI_DONE ? code : abut_cli_method_select(arguments, &request.methods);
    code =
        code != ABUT_CLI_DONE ? code : abut_cli_query_of(arguments, &request.methods.items[0], 0, &request.query);
    code = code != ABUT_CLI_DONE ? code : abut_cli_placements_of(arguments, request.placements, request.body_count);
    code = code != ABUT_CLI_DONE ? code : load_bodies(arguments, &request);
    code = code != ABUT_CLI_DONE ? code : find_pairs(&request);
    code = code != ABUT_CLI_DONE ? code : print_request(&request);
    release_request(&request);
    return code;
}

static const abut_cli_option options[] = {
    {"method", "NAME", "contact method, see abut methods (default: " ABUT_CLI_DEFAULT_METHOD ")", 0, 0},
    {"pose-a", "\"X Y Z [QW QX QY QZ]\"", "pose of the first file; --pose-b, --pose-c, ... for the others", 0, 1},
    {"velocity-a", "\"VX VY VZ WX WY WZ\"", "its linear and angular velocity; --velocity-b, ...", 0, 1},
    {"dt", "S", "length of the time step for the velocities (default 0.01)", 0, 0},
    {"sweep", NULL, "move the bodies for the time step, up to where they first touch, and print contacts there", 0,
     0},
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
        "Reads two or more mesh files and prints the contacts of every pair; of files with equal names, the "
        "output\n"
        "also gives the letter: part.obj (b) is that of --pose-b. A normal is a unit vector from the\n"
        "first to the second body of a pair; a negative gap is an overlap. Quaternions are normalised. The\n"
        "default method is for closed solids that touch; for open meshes and deep overlaps use --method\n"
        "intersection. Methods that need tetrahedra read .node files, which abut mesh tetrahedralize writes.\n",
    .example = "  abut contacts table.obj cup.obj --pose-b \"0 0.72 0 1 0 0 0\" --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 2,
    .operand_maximum = -1,
    .run = run,
};
