// SPDX-License-Identifier: MIT
// file_pairs.c: reads mesh files, places them, and finds the contacts of every pair
#include "verb/file_pairs.h"

#include "shared/files.h"
#include "shared/repairs.h"

#include <stdlib.h>
#include <string.h>

// If the method needs a closed mesh and this one is not, says whether a repair would help, or recommends a method that
// does not need it.
static abut_cli_exit refuse_body(const abut_cli_file_pairs *request, const abut_cli_file_body *body,
                                 abut_status status, const abut_error *error)
{
    int is_open = 0, helps = 0;
    if (body->shape != NULL && (request->query.method->row->needs & ABUT_NEEDS_CLOSED) != 0) {
        abut_mesh_info info = abut_mesh_get_info(body->mesh);
        is_open = abut_mesh_get_elements(body->mesh).triangle_count > 0 && !(info.is_closed && info.is_oriented);
    }
    if (!request->is_repaired && !abut_is_primitive(body->path) &&
        (is_open || (body->shape == NULL && status == ABUT_BAD_DATA))) {
        helps = abut_cli_repair_helps(body->path);
    }
    return abut_cli_refuse_mesh(body->path, body->mesh, status, error,
                                helps     ? ", or give --repair, which makes a solid of it"
                                : is_open ? ", or for an open surface --method auto; --repair does not close it"
                                          : "");
}

// Of three or more files, those with equal names could not be told apart.
static void name_bodies(abut_cli_file_pairs *request)
{
    for (int i = 0; i < request->body_count; ++i) {
        abut_cli_file_body *body = &request->bodies[i];
        int is_repeated = 0;
        for (int j = 0; j < request->body_count && request->body_count > 2; ++j) {
            is_repeated |= j != i && strcmp(request->bodies[j].path, body->path) == 0;
        }
        body->label = !is_repeated           ? abut_cli_copy(body->path)
                      : i < ABUT_CLI_LETTERS ? abut_cli_print("%s (%c)", body->path, 'a' + i)
                                             : abut_cli_print("%s (file %d)", body->path, i + 1);
    }
}

/// A plane without a size is as wide as the other bodies need, wherever they are.
static void size_planes(abut_cli_file_pairs *request)
{
    for (int i = 0; i < request->body_count; ++i) {
        abut_cli_file_body *body = &request->bodies[i];
        double reach = 0.0;
        for (int j = 0; j < request->body_count && strcmp(body->path, "plane") == 0; ++j) {
            if (request->bodies[j].mesh != NULL) {
                abut_vec3 way =
                    abut_sub(request->placements[j].pose.position, request->placements[i].pose.position);
                abut_box bounds = abut_mesh_get_elements(request->bodies[j].mesh).bounds;
                double farthest = abut_norm(abut_max(abut_abs(bounds.lower), abut_abs(bounds.upper)));
                reach = fmax(reach, abut_norm(way) + farthest);
            }
        }
        if (reach > 0.0) {
            body->made_name = abut_cli_print("plane:%.6g", 4.0 * reach);
        }
    }
}

/// Whether primitives are exact: a core and a radius. Other methods, and sweeps, need facets.
static int takes_cores(const abut_cli_file_pairs *request)
{
    const char *method = request->query.method->row->name;
    return !request->has_sweep && (strcmp(method, "auto") == 0 || strcmp(method, "quasi-lmd") == 0);
}

/// Reads the mesh of a body. `dilation` becomes the radius of an exact primitive.
static abut_status read_body(const abut_cli_file_pairs *request, abut_cli_file_body *body, double *dilation,
                             abut_error *error)
{
    const char *name = body->made_name != NULL ? body->made_name : body->path;
    if (!abut_is_primitive(name)) {
        return request->is_repaired ? abut_cli_read_repaired(name, -1.0, &body->mesh, error)
                                    : abut_cli_read_mesh(name, &body->mesh, error);
    }
    if (!takes_cores(request)) {
        return abut_cli_read_mesh(name, &body->mesh, error);
    }
    double radius;
    abut_status status = abut_primitive_core(NULL, name, &body->mesh, &radius, error);
    *dilation = radius > 0.0 ? radius : *dilation;
    return status;
}

// Multiplies the coordinates of a file. Primitives have the size that their names say.
static abut_status scale_body(const abut_cli_file_pairs *request, abut_cli_file_body *body, abut_error *error)
{
    if (request->scale == 1.0 || abut_is_primitive(body->path)) {
        return ABUT_OK;
    }
    abut_mesh_def def = abut_mesh_get_def(body->mesh);
    abut_vec3 *vertices = abut_cli_resize(NULL, (size_t)def.vertex_count, sizeof *vertices);
    for (int i = 0; i < def.vertex_count; ++i) {
        vertices[i] = abut_scale(request->scale, def.vertices[i]);
    }
    def.vertices = vertices;
    abut_mesh *scaled = NULL;
    abut_status status = abut_mesh_create(NULL, &def, &scaled, error);
    if (status == ABUT_OK) {
        abut_mesh_destroy(body->mesh);
        body->mesh = scaled;
    }
    free(vertices);
    return status;
}

static abut_cli_exit load_body(abut_cli_file_pairs *request, int index, const abut_shape_def *chosen)
{
    abut_cli_file_body *body = &request->bodies[index];
    abut_shape_def def = *chosen;
    abut_error error = {0};
    def.chord = abut_is_primitive(body->path) ? 0.0 : def.chord; // of the files
    abut_status status = read_body(request, body, &def.dilation, &error);
    status = status == ABUT_OK ? scale_body(request, body, &error) : status;
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
    return status == ABUT_OK ? ABUT_CLI_DONE : refuse_body(request, body, status, &error);
}

static abut_cli_exit load_bodies(const abut_cli_arguments *arguments, abut_cli_file_pairs *request)
{
    abut_shape_def def = abut_shape_def_default();
    abut_cli_exit code = abut_cli_number_of(arguments, "dilation", 0.0, &def.dilation);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "offset", -HUGE_VAL, &def.offset);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "chord", 0.0, &def.chord);
    for (int planes = 0; planes < 2; ++planes) { // a plane without a size needs those of the others
        if (planes) {
            size_planes(request);
        }
        for (int i = 0; i < request->body_count && code == ABUT_CLI_DONE; ++i) {
            if ((strcmp(request->bodies[i].path, "plane") == 0) == planes) {
                code = load_body(request, i, &def);
            }
        }
    }
    return code;
}

static abut_side side_of(const abut_cli_file_pairs *request, int body)
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
static abut_status sweep_pair(const abut_cli_file_pairs *request, int i, int j, abut_pair *query,
                              abut_cli_pair_result *pair)
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

abut_status abut_cli_find_contacts(const abut_cli_query *query, const abut_pair *pair, abut_workspace *workspace,
                                   abut_result *result)
{
    const abut_method *method = query->method->row;
    return query->method->is_plugin
               ? abut_find_contacts_isolated(pair, method, &query->params, query->seconds, workspace, result)
               : abut_find_contacts(pair, method, &query->params, workspace, result);
}

static abut_cli_exit refuse_pair(const abut_cli_file_pairs *request, int i, int j, abut_status status,
                                 const abut_error *error)
{
    return abut_cli_fail(abut_cli_query_exit(status), "%s and %s: %s", request->bodies[i].label,
                         request->bodies[j].label, abut_cli_message(status, error));
}

static abut_cli_exit find_pairs(abut_cli_file_pairs *request)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    size_t count = (size_t)request->body_count;
    request->pairs = abut_cli_resize(NULL, count * (count + 1) / 2, sizeof *request->pairs);
    for (int i = 0; i < request->body_count && code == ABUT_CLI_DONE; ++i) {
        for (int j = request->has_self ? i : i + 1; j < request->body_count && code == ABUT_CLI_DONE; ++j) {
            const abut_cli_file_body *a = &request->bodies[i], *b = &request->bodies[j];
            abut_cli_pair_result *pair = &request->pairs[request->pair_count++];
            *pair = (abut_cli_pair_result){.label_a = a->label,
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
            pair->poses[0] = query.a.pose;
            pair->poses[1] = query.b.pose;
            if (status == ABUT_OK && pair->has_touch == request->has_sweep) {
                status = abut_cli_find_contacts(&request->query, &query, pair->workspace, &pair->result);
            }
            if (status != ABUT_OK) {
                code = refuse_pair(request, i, j, status, &pair->result.error);
            }
        }
    }
    return code;
}

/// `method` is NULL if the options name it.
static abut_cli_exit find(const abut_cli_arguments *arguments, const abut_cli_method *method,
                          abut_cli_file_pairs *request)
{
    *request = (abut_cli_file_pairs){.dt = 0.01, .body_count = arguments->operand_count};
    size_t count = (size_t)request->body_count;
    request->bodies = abut_cli_resize(NULL, count, sizeof *request->bodies);
    request->placements = abut_cli_resize(NULL, count, sizeof *request->placements);
    for (int i = 0; i < request->body_count; ++i) {
        request->bodies[i] = (abut_cli_file_body){.path = arguments->operands[i]};
    }
    request->has_sweep = abut_cli_value_of(arguments, "sweep") != NULL;
    request->is_repaired = abut_cli_value_of(arguments, "repair") != NULL;
    request->has_self = abut_cli_value_of(arguments, "self") != NULL;
    request->scale = 1.0;
    name_bodies(request);
    abut_cli_exit code = abut_cli_number_of(arguments, "dt", 0.0, &request->dt);
    if (request->body_count < 2 && !request->has_self) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "give two files or more, or --self for the contacts of one with itself");
    } else if (request->has_self && request->has_sweep) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "--self and --sweep exclude each other: a body does not move relative to "
                             "itself");
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "scale", 0.0, &request->scale);
    if (code == ABUT_CLI_DONE && !(request->scale > 0.0)) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --scale must be above 0");
    }
    if (code == ABUT_CLI_DONE && method == NULL) {
        code = abut_cli_method_select(arguments, &request->methods);
    }
    if (code == ABUT_CLI_DONE) {
        code = abut_cli_query_of(arguments, method != NULL ? method : &request->methods.items[0], method != NULL,
                                 &request->query);
    }
    code =
        code != ABUT_CLI_DONE ? code : abut_cli_placements_of(arguments, request->placements, request->body_count);
    code = code != ABUT_CLI_DONE ? code : load_bodies(arguments, request);
    return code != ABUT_CLI_DONE ? code : find_pairs(request);
}

abut_cli_exit abut_cli_file_pairs_find(const abut_cli_arguments *arguments, abut_cli_file_pairs *request)
{
    return find(arguments, NULL, request);
}

abut_cli_exit abut_cli_file_pairs_find_by(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                          abut_cli_file_pairs *request)
{
    return find(arguments, method, request);
}

// ---------------------------------------------------------------------------------------------------------------
// Notes on stderr about doubtful contacts

static void note_bodies(const abut_cli_file_pairs *request)
{
    for (int i = 0; i < request->body_count; ++i) {
        const abut_cli_file_body *body = &request->bodies[i];
        abut_cli_mesh_note(body->label, body->path, body->mesh);
    }
}

// Whether method quasi-lmd answered for a body.
static int is_complex(const abut_cli_file_pairs *request, const abut_cli_file_body *body)
{
    for (int i = 0; i < request->pair_count; ++i) {
        const abut_cli_pair_result *pair = &request->pairs[i];
        if ((pair->label_a == body->label || pair->label_b == body->label) && pair->result.method != NULL &&
            strcmp(pair->result.method, "quasi-lmd") == 0) {
            return 1;
        }
    }
    return 0;
}

// What method quasi-lmd made of the files: by how much it moved their surfaces, and what it took as shells.
static void note_bases(const abut_cli_file_pairs *request)
{
    for (int i = 0; i < request->body_count; ++i) {
        const abut_cli_file_body *body = &request->bodies[i];
        abut_base_info base;
        int is_chosen = strcmp(request->query.method->row->name, "auto") == 0; // with the default options
        if (!is_complex(request, body) ||
            abut_shape_get_base(body->shape, is_chosen ? NULL : &request->query.params, &base) != ABUT_OK) {
            continue; // another method
        }
        const abut_complex_info *info = &base.info;
        if (base.is_default) {
            abut_cli_note(
                "%s: solids are inset by %.3g and dilated by as much, so that bodies which touch have a normal; "
                "the surface differs by at most %.3g from the file's (--dilation and --offset change this)",
                body->label, base.dilation, base.error - base.chord);
        } else if (base.error > base.chord && !abut_is_primitive(body->path)) {
            abut_cli_note(
                "%s: with dilation %.3g and offset %.3g, the surface differs by at most %.3g from the file's",
                body->label, base.dilation, base.offset, base.error - base.chord);
        }
        if (base.chord > 0.0) {
            abut_cli_note(
                "%s: with chord errors of up to %.3g, the surface in contact is within %.3g of the exact one",
                body->label, base.chord, base.error);
        }
        if (base.thin_part_count > 0) {
            abut_cli_note(
                "%s: %d closed part%s too thin for the offset and taken as shell%s, the first at vertex %d",
                body->label, base.thin_part_count, base.thin_part_count == 1 ? " is" : "s are",
                abut_cli_plural(base.thin_part_count), base.thin_vertex);
        }
        int open_count = info->shell_part_count - base.thin_part_count;
        if (open_count > 0) {
            abut_cli_note(
                "%s: %d surface%s not closed, not manifold or inside out: taken as shell%s, with contacts on "
                "both sides; see abut mesh check %s%s",
                body->label, open_count, open_count == 1 ? " is" : "s are", abut_cli_plural(open_count), body->path,
                !request->is_repaired && abut_cli_repair_helps(body->path) ? "; --repair makes a solid of it" : "");
        }
        if (base.dilation == 0.0) {
            abut_cli_note("%s: shells, lines and points have no thickness: --dilation L gives them one",
                          body->label);
        }
    }
}

void abut_cli_file_pairs_note(const abut_cli_file_pairs *request)
{
    note_bodies(request);
    note_bases(request);
    for (int i = 0; i < request->pair_count; ++i) {
        const char *method = request->pairs[i].result.method;
        abut_cli_pair_note(&request->pairs[i], method != NULL ? method : request->query.method->row->name);
    }
}

void abut_cli_file_pairs_release(abut_cli_file_pairs *request)
{
    for (int i = 0; i < request->pair_count; ++i) {
        abut_workspace_destroy(request->pairs[i].workspace);
    }
    for (int i = 0; i < request->body_count; ++i) {
        abut_tree_destroy(request->bodies[i].tree);
        abut_shape_destroy(request->bodies[i].shape);
        abut_mesh_destroy(request->bodies[i].mesh);
        free(request->bodies[i].label);
        free(request->bodies[i].made_name);
    }
    free(request->pairs);
    free(request->bodies);
    free(request->placements);
    abut_cli_query_release(&request->query);
    abut_cli_methods_release(&request->methods);
}
