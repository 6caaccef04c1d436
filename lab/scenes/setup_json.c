// SPDX-License-Identifier: MIT
// setup_json.c: setups from JSON text (docs/scene-format.md)
#include "common/json_words.h"
#include "common/lab_support.h"
#include "scenes/scene_meshes.h"
#include "scenes/setup_reader.h"
#include "scenes/setup_soft.h"

#include <abut-lab/tetgen.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_LIMIT = 256 * 1024 * 1024, ///< bytes
    STEP_LIMIT = 1000000000
};

typedef abut_setup_reader reader;

// ---------------------------------------------------------------------------------------------------------------
// Materials and pairs of them

static void read_materials(reader *r, json_t *root)
{
    static const char *const keys[] = {"density", "friction", "restitution", NULL};
    const char *name;
    json_t *value;
    json_t *materials = abut_reader_enter_table(r, root, "materials", "material");
    json_object_foreach(materials, name, value)
    {
        abut_reader_enter(r, name);
        abut_material law = abut_material_default();
        if (abut_reader_is_fine(r) && abut_reader_check_name(r, name) && abut_reader_check_object(r, value, keys)) {
            law.density = abut_reader_number(r, value, "density", law.density, 1e-30, 1e30);
            law.friction = abut_reader_friction(r, value, law.friction);
            law.restitution = abut_reader_number(r, value, "restitution", law.restitution, 0.0, 1.0);
            (void)abut_setup_add_material(&r->builder, name, &law);
        }
        abut_reader_leave(r);
    }
    abut_reader_leave(r);
}

/// NULL if no method is named.
static const abut_method *read_method(reader *r, json_t *object)
{
    json_t *value = json_object_get(object, "method");
    if (value == NULL) {
        return NULL;
    }
    const char *name = json_string_value(value);
    const abut_method *method = name != NULL ? abut_method_find(name) : NULL;
    if (method == NULL) {
        abut_reader_enter(r, "method");
        abut_reader_complain(r, ABUT_BAD_DATA, "there is no method \"%.64s\"", name == NULL ? "" : name);
        abut_reader_leave(r);
    }
    return method;
}

static void read_pair(reader *r, json_t *value)
{
    static const char *const keys[] = {"materials", "friction", "restitution", "method", NULL};
    if (!abut_reader_check_object(r, value, keys)) {
        return;
    }
    json_t *names = json_object_get(value, "materials");
    abut_reader_enter(r, "materials");
    int indices[2] = {-1, -1};
    if (!json_is_array(names) || json_array_size(names) != 2) {
        abut_reader_complain(r, ABUT_BAD_DATA, "must name two materials");
    }
    for (size_t i = 0; abut_reader_is_fine(r) && i < 2; ++i) {
        const char *name = json_string_value(json_array_get(names, i));
        indices[i] = name == NULL ? -1 : abut_setup_find_material(r->builder.setup, name);
        if (indices[i] < 0) {
            abut_reader_enter_item(r, i);
            abut_reader_complain(r, ABUT_BAD_DATA, "there is no material \"%.64s\"", name == NULL ? "" : name);
            abut_reader_leave(r);
        }
    }
    if (abut_reader_is_fine(r)) {
        char both[32];
        int is_ordered = indices[0] < indices[1];
        (void)snprintf(both, sizeof both, "%d %d", indices[!is_ordered], indices[is_ordered]);
        if (abut_reader_is_repeated(r, "pair", both)) {
            abut_reader_complain(r, ABUT_BAD_DATA,
                                 "this pair of materials is already listed: put all about them into one pair");
        }
    }
    abut_reader_leave(r);
    if (abut_reader_is_fine(r)) {
        abut_setup_pair pair = {.a = indices[0], .b = indices[1]};
        pair.friction = abut_reader_friction(r, value, (double)NAN);
        pair.restitution = abut_reader_number(r, value, "restitution", (double)NAN, 0.0, 1.0);
        pair.method = read_method(r, value);
        (void)abut_setup_add_pair(&r->builder, &pair);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

static abut_mesh *scaled_mesh(reader *r, abut_mesh *mesh, double scale)
{
    abut_mesh *made = NULL;
    abut_error reason;
    abut_status status = abut_setup_copy_mesh(&r->builder.context, mesh, scale, &made, &reason);
    if (status != ABUT_OK) {
        abut_reader_complain(r, status, "%s", reason.text);
    }
    abut_mesh_destroy(mesh);
    return made;
}

/// Reads a mesh file and repairs it. Keeps what was done in the reader.
static abut_status read_repaired(reader *r, const char *path, abut_mesh **mesh, abut_error *error)
{
    const abut_context *context = &r->builder.context;
    abut_soup *soup = NULL;
    abut_remade remade = {0};
    abut_status status = abut_soup_read(context, path, ABUT_FORMAT_AUTO, &soup, error);
    if (status == ABUT_OK) {
        abut_mesh_def def = abut_soup_get_def(soup);
        status = abut_repair(context, &def, NULL, &remade, error);
    }
    if (status == ABUT_OK) {
        *mesh = remade.mesh;
        remade.mesh = NULL;
        r->repair_counts = remade.counts;
    }
    abut_remade_release(context, &remade);
    abut_soup_destroy(soup);
    return status;
}

static abut_mesh *read_file_mesh(reader *r, json_t *value)
{
    const char *name = json_string_value(value);
    if (name == NULL || name[0] == '\0') {
        abut_reader_complain(r, ABUT_BAD_DATA, "must be the name of a mesh file");
        return NULL;
    }
    if (r->folder == NULL) {
        abut_reader_complain(r, ABUT_UNSUPPORTED, "there is no folder to read it from");
        return NULL;
    }
    int is_absolute = name[0] == '/';
    size_t room = strlen(r->folder) + strlen(name) + 2;
    char *path = abut_allocate_zeroed(&r->builder.context, room, 1);
    abut_mesh *mesh = NULL;
    if (path == NULL) {
        abut_reader_complain(r, ABUT_NO_MEMORY, "out of memory for a path");
        return NULL;
    }
    (void)snprintf(path, room, "%s%s%s", is_absolute ? "" : r->folder, is_absolute ? "" : "/", name);
    abut_error reason;
    abut_status status = r->is_repaired
                             ? read_repaired(r, path, &mesh, &reason)
                             : abut_mesh_read(&r->builder.context, path, ABUT_FORMAT_AUTO, &mesh, &reason);
    if (status != ABUT_OK) {
        abut_reader_complain(r, status, "%s", reason.text);
    }
    abut_free(&r->builder.context, path);
    return mesh;
}

static abut_mesh *read_box(reader *r, json_t *value)
{
    double size[3];
    if (!abut_reader_numbers(r, value, size, 3)) {
        return NULL;
    }
    if (!(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0)) {
        abut_reader_complain(r, ABUT_BAD_DATA, "a box needs three sizes above 0");
        return NULL;
    }
    abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS];
    static const int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < ABUT_SCENE_CUBOID_CORNERS; ++i) {
        corners[i] = abut_vec3_make(0.5 * size[0] * signs[i % 4][0], 0.5 * size[1] * signs[i % 4][1],
                                    i < 4 ? 0.5 * size[2] : -0.5 * size[2]);
    }
    abut_scene_solid solid = abut_scene_cuboid(corners);
    abut_scene_mesh_params params = {.scale = 1.0};
    abut_mesh *mesh = NULL;
    abut_error reason;
    abut_status status = abut_scene_mesh_create(&r->builder.context, &solid, &params, &mesh, &reason);
    if (status != ABUT_OK) {
        abut_reader_complain(r, status, "%s", reason.text);
    }
    return mesh;
}

static abut_mesh *read_hull(reader *r, json_t *value)
{
    size_t count = json_array_size(value);
    if (count < 4 || count > 1000000) {
        abut_reader_complain(r, ABUT_BAD_DATA, "must be an array of 4 to 1000000 points");
        return NULL;
    }
    abut_vec3 *points = abut_allocate_zeroed(&r->builder.context, count, sizeof *points);
    abut_mesh *mesh = NULL;
    if (points == NULL) {
        abut_reader_complain(r, ABUT_NO_MEMORY, "out of memory for %zu points", count);
        return NULL;
    }
    for (size_t i = 0; abut_reader_is_fine(r) && i < count; ++i) {
        double numbers[3] = {0.0, 0.0, 0.0};
        abut_reader_enter_item(r, i);
        (void)abut_reader_numbers(r, json_array_get(value, i), numbers, 3);
        abut_reader_leave(r);
        points[i] = abut_vec3_make(numbers[0], numbers[1], numbers[2]);
    }
    if (abut_reader_is_fine(r)) {
        abut_error reason;
        abut_status status = abut_hull_create(&r->builder.context, points, (int)count, &mesh, NULL, &reason);
        if (status != ABUT_OK) {
            abut_reader_complain(r, status, "%s", reason.text);
        }
    }
    abut_free(&r->builder.context, points);
    return mesh;
}

static abut_mesh *read_primitive(reader *r, json_t *value)
{
    const char *name = json_string_value(value);
    abut_mesh *mesh = NULL;
    abut_error reason;
    if (name == NULL || !abut_is_primitive(name)) {
        abut_reader_complain(r, ABUT_BAD_DATA,
                             "must be a primitive, such as \"sphere:0.5\" (see docs/formats.md, Primitives)");
        return NULL;
    }
    abut_status status = abut_primitive_facets(&r->builder.context, name, &mesh, NULL, &reason);
    if (status != ABUT_OK) {
        abut_reader_complain(r, status, "%s", reason.text);
    }
    return mesh;
}

/// Adds the core of a primitive to the last mesh.
static void add_core(reader *r, const char *name, double scale)
{
    abut_setup_mesh *mesh = &r->builder.setup->meshes[r->builder.setup->mesh_count - 1];
    abut_error reason;
    abut_status status = abut_primitive_core(&r->builder.context, name, &mesh->core, &mesh->radius, &reason);
    if (status != ABUT_OK) {
        abut_reader_complain(r, status, "%s", reason.text);
    } else if (scale != 1.0) {
        mesh->core = scaled_mesh(r, mesh->core, scale);
        mesh->radius *= scale;
    }
}

static abut_mesh *with_tets(reader *r, abut_mesh *mesh)
{
    abut_tetgen_params params = abut_tetgen_params_default();
    abut_mesh *made = NULL;
    abut_error reason;
    abut_status status = abut_tetrahedralize(&r->builder.context, mesh, &params, &made, &reason);
    if (status != ABUT_OK) {
        abut_reader_complain(r, status, "%s", reason.text);
    }
    abut_mesh_destroy(mesh);
    return made;
}

static void read_mesh(reader *r, const char *name, json_t *value)
{
    static const char *const keys[] = {"file", "box", "hull", "primitive", "scale", "tetrahedra", "repair", NULL};
    static const struct {
        const char *key;
        abut_mesh *(*read)(reader *, json_t *);
    } kinds[] = {{"file", read_file_mesh}, {"box", read_box}, {"hull", read_hull}, {"primitive", read_primitive}};
    enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };
    if (!abut_reader_check_name(r, name) || !abut_reader_check_object(r, value, keys)) {
        return;
    }
    int kind = -1, kind_count = 0;
    for (int i = 0; i < KIND_COUNT; ++i) {
        if (json_object_get(value, kinds[i].key) != NULL) {
            kind = i;
            ++kind_count;
        }
    }
    if (kind_count != 1) {
        abut_reader_complain(r, ABUT_BAD_DATA, "must have one of \"file\", \"box\", \"hull\" and \"primitive\"");
        return;
    }
    int is_file = kinds[kind].read == read_file_mesh;
    r->is_repaired = abut_reader_switch(r, value, "repair", r->repairs && is_file);
    if (r->is_repaired && !is_file) {
        abut_reader_enter(r, "repair");
        abut_reader_complain(r, ABUT_BAD_DATA, "is for meshes from a file");
        abut_reader_leave(r);
        return;
    }
    abut_reader_enter(r, kinds[kind].key);
    abut_mesh *mesh = kinds[kind].read(r, json_object_get(value, kinds[kind].key));
    abut_reader_leave(r);
    double scale = abut_reader_number(r, value, "scale", 1.0, 1e-12, 1e12);
    json_t *tets = json_object_get(value, "tetrahedra");
    if (mesh != NULL && abut_reader_is_fine(r) && scale != 1.0) {
        mesh = scaled_mesh(r, mesh, scale);
    }
    if (tets != NULL) {
        abut_reader_enter(r, "tetrahedra");
        if (!json_is_boolean(tets)) {
            abut_reader_complain(r, ABUT_BAD_DATA, "must be true or false");
        } else if (json_is_true(tets) && mesh != NULL && abut_reader_is_fine(r) &&
                   abut_mesh_get_elements(mesh).tet_count == 0) {
            mesh = with_tets(r, mesh);
        }
        abut_reader_leave(r);
    }
    if (!abut_reader_is_fine(r)) {
        abut_mesh_destroy(mesh);
        return;
    }
    int added = abut_setup_add_mesh(&r->builder, name, mesh), is_added = added >= 0;
    if (is_added) {
        r->builder.setup->meshes[added].is_repaired = r->is_repaired;
        r->builder.setup->meshes[added].repairs = r->repair_counts;
    }
    const char *primitive = json_string_value(json_object_get(value, "primitive"));
    if (is_added && primitive != NULL) {
        add_core(r, primitive, scale);
    }
}

static void read_meshes(reader *r, json_t *root)
{
    const char *name;
    json_t *value;
    json_t *meshes = abut_reader_enter_table(r, root, "meshes", "mesh");
    json_object_foreach(meshes, name, value)
    {
        abut_reader_enter(r, name);
        if (abut_reader_is_fine(r)) {
            read_mesh(r, name, value);
        }
        abut_reader_leave(r);
    }
    abut_reader_leave(r);
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies

static abut_quat read_rotation(reader *r, json_t *object)
{
    json_t *value = json_object_get(object, "rotation");
    double numbers[4] = {1.0, 0.0, 0.0, 0.0};
    if (value != NULL) {
        abut_reader_enter(r, "rotation");
        if (abut_reader_numbers(r, value, numbers, 4)) {
            double squared = numbers[0] * numbers[0] + numbers[1] * numbers[1] + numbers[2] * numbers[2] +
                             numbers[3] * numbers[3];
            if (!(fabs(squared - 1.0) <= 1e-2)) { // some digits of it are enough
                abut_reader_complain(r, ABUT_BAD_DATA, "must be a unit quaternion w x y z; its length is %g",
                                     sqrt(squared));
            }
        }
        abut_reader_leave(r);
    }
    return abut_quat_unit(abut_quat_make(numbers[0], numbers[1], numbers[2], numbers[3]));
}

/// The index of the item that a key of a body names; a function finds it.
static int read_reference(reader *r, json_t *object, const char *body, const char *key,
                          int (*find)(const abut_setup *, const char *))
{
    json_t *value = json_object_get(object, key);
    const char *name = json_string_value(value);
    int index = name == NULL ? -1 : find(r->builder.setup, name);
    if (index < 0) {
        abut_reader_enter(r, key);
        if (value == NULL) {
            abut_reader_complain(r, ABUT_BAD_DATA, "is missing: body \"%s\" needs a %s", body, key);
        } else if (name == NULL) {
            abut_reader_complain(r, ABUT_BAD_DATA, "body \"%s\" must give its %s by name, in quotes", body, key);
        } else {
            abut_reader_complain(r, ABUT_BAD_DATA, "body \"%s\": there is no %s \"%.64s\"", body, key, name);
        }
        abut_reader_leave(r);
    }
    return index;
}

static void read_body(reader *r, json_t *value)
{
    static const char *const keys[] = {"name",     "mesh", "material", "mass", "position", "rotation",
                                       "velocity", "spin", "fixed",    "soft", NULL};
    if (!abut_reader_check_object(r, value, keys)) {
        return;
    }
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    abut_setup_body body = {.material = 0};
    const char *name = abut_reader_text(r, value, "name");
    if (name != NULL) {
        (void)snprintf(body.name, sizeof body.name, "%s", name);
    } else {
        (void)snprintf(body.name, sizeof body.name, "body-%d", r->builder.setup->body_count);
    }
    if (abut_reader_is_fine(r) && abut_reader_is_repeated(r, "body", body.name)) {
        abut_reader_enter(r, "name");
        abut_reader_complain(r, ABUT_BAD_DATA, "another body is already named \"%s\"", body.name);
        abut_reader_leave(r);
    }
    body.mesh = read_reference(r, value, body.name, "mesh", abut_setup_find_mesh);
    body.material = read_reference(r, value, body.name, "material", abut_setup_find_material);
    body.mass = abut_reader_number(r, value, "mass", 0.0, 1e-30, 1e30);
    body.pose = abut_pose_make(abut_reader_vector(r, value, "position", zero), read_rotation(r, value));
    body.linear_velocity = abut_reader_vector(r, value, "velocity", zero);
    body.angular_velocity = abut_reader_vector(r, value, "spin", zero);
    body.is_fixed = abut_reader_switch(r, value, "fixed", 0);
    abut_read_soft(r, value, &body);
    if (abut_reader_is_fine(r)) {
        (void)abut_setup_add_body(&r->builder, &body);
    }
}

/// Reads each item of an array with a function. `is_needed`: the array must exist and not be empty.
static void read_array(reader *r, json_t *root, const char *key, int is_needed, void (*read)(reader *, json_t *))
{
    json_t *array = json_object_get(root, key);
    abut_reader_enter(r, key);
    if ((array != NULL && !json_is_array(array)) || (is_needed && json_array_size(array) == 0)) {
        abut_reader_complain(r, ABUT_BAD_DATA, "%smust be an array%s", array == NULL ? "is missing: " : "",
                             is_needed ? " with at least one item" : "");
    }
    for (size_t i = 0; abut_reader_is_fine(r) && i < json_array_size(array); ++i) {
        abut_reader_enter_item(r, i);
        read(r, json_array_get(array, i));
        abut_reader_leave(r);
    }
    abut_reader_leave(r);
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

/// Stabilisation is on, with or without this key.
static void read_stabilisation(reader *r, json_t *root)
{
    static const char *const keys[] = {"slop", "share", "speed_limit", NULL};
    json_t *value = json_object_get(root, "stabilisation");
    abut_stabilisation *s = &r->builder.setup->stabilisation;
    s->is_on = 1;
    if (value == NULL) {
        return;
    }
    abut_reader_enter(r, "stabilisation");
    if (abut_reader_check_object(r, value, keys)) {
        s->slop = abut_reader_number(r, value, "slop", s->slop, 0.0, 1e30);
        s->share = abut_reader_number(r, value, "share", s->share, 0.0, 1.0);
        s->speed_limit = abut_reader_number(r, value, "speed_limit", s->speed_limit, 0.0, 1e30);
    }
    abut_reader_leave(r);
}

/// Keeps the lines of meshes and bodies: some errors show only when a world is made of them.
static void keep_lines(reader *r)
{
    abut_setup *s = r->builder.setup;
    int count = s->mesh_count > s->body_count ? s->mesh_count : s->body_count;
    int *lines = abut_allocate_zeroed(&r->builder.context, (size_t)count, sizeof *lines);
    if (lines == NULL) {
        abut_reader_complain(r, ABUT_NO_MEMORY, "out of memory for %d lines", count);
        return;
    }
    abut_json_lines(r->text, r->length, "meshes", lines, s->mesh_count);
    for (int i = 0; i < s->mesh_count; ++i) {
        s->meshes[i].line = lines[i];
    }
    abut_json_lines(r->text, r->length, "bodies", lines, s->body_count);
    for (int i = 0; i < s->body_count; ++i) {
        s->bodies[i].line = lines[i];
    }
    abut_free(&r->builder.context, lines);
}

static void read_root(reader *r, json_t *root)
{
    static const char *const keys[] = {
        "schema",    "name",  "gravity", "dt",     "steps",  "damping", "stabilisation", "sleep",         "stepper",
        "materials", "pairs", "meshes",  "bodies", "sweeps", "impacts", "response",      "soft_response", NULL};
    static const char *const steppers[3] = {"moreau", "semi-implicit", "events"};
    static const char *const impacts[3] = {"simultaneous", "sequential", NULL};
    static const char *const damping_keys[] = {"linear", "angular", NULL};
    if (!abut_reader_check_object(r, root, keys)) {
        return;
    }
    json_t *schema = json_object_get(root, "schema");
    if (schema == NULL) {
        abut_reader_complain(r, ABUT_BAD_DATA, "the key \"schema\" is missing: add \"schema\": 1");
    } else if (json_integer_value(schema) != 1) {
        abut_reader_enter(r, "schema");
        abut_reader_complain(r, ABUT_BAD_DATA, "must be 1");
        abut_reader_leave(r);
    }
    abut_setup *s = r->builder.setup;
    const char *name = abut_reader_text(r, root, "name");
    (void)snprintf(s->name, sizeof s->name, "%s", name != NULL ? name : "scene");
    s->gravity = abut_reader_vector(r, root, "gravity", s->gravity);
    s->dt = abut_reader_number(r, root, "dt", s->dt, 1e-12, 1e12);
    s->steps = abut_reader_count(r, root, "steps", s->steps, STEP_LIMIT);
    json_t *damping = json_object_get(root, "damping");
    if (damping != NULL) {
        abut_reader_enter(r, "damping");
        if (abut_reader_check_object(r, damping, damping_keys)) {
            s->linear_damping = abut_reader_number(r, damping, "linear", 0.0, 0.0, 1e30);
            s->angular_damping = abut_reader_number(r, damping, "angular", 0.0, 0.0, 1e30);
        }
        abut_reader_leave(r);
    }
    r->builder.setup->gap_rule = abut_world_def_default().gap_rule;
    s->has_sleep = abut_reader_switch(r, root, "sleep", 1);
    s->stepper = (abut_stepper)abut_reader_word(r, root, "stepper", steppers);
    s->has_sweeps = abut_reader_switch(r, root, "sweeps", 1);
    s->impact_rule = (abut_impact_rule)abut_reader_word(r, root, "impacts", impacts);
    read_stabilisation(r, root);
    abut_read_response(r, root, "response", &s->response);
    abut_read_response(r, root, "soft_response", &s->soft_response);
    read_materials(r, root);
    read_array(r, root, "pairs", 0, read_pair);
    if (abut_reader_is_fine(r)) {
        read_meshes(r, root);
    }
    read_array(r, root, "bodies", 1, read_body);
    if (abut_reader_is_fine(r)) {
        keep_lines(r);
    }
}

/// The line of the first zero byte, or 0. jansson accepts a zero byte after a number.
static int line_of_zero(const char *text, size_t length)
{
    const char *zero = length > 0 ? memchr(text, '\0', length) : NULL;
    int line = zero != NULL;
    for (const char *c = text; zero != NULL && c < zero; ++c) {
        line += *c == '\n';
    }
    return line;
}

static abut_status parse(const abut_context *context, const char *text, size_t length, const char *folder,
                         int repairs, abut_setup **setup, abut_error *error)
{
    reader r = {.text = text, .length = length, .folder = folder, .repairs = repairs};
    *setup = NULL;
    int zero_line = line_of_zero(text, length);
    if (zero_line > 0) {
        abut_status status = abut_fail(error, ABUT_BAD_DATA, "line %d: there is a zero byte", zero_line);
        if (error != NULL) {
            error->line = zero_line;
        }
        return status;
    }
    json_error_t problem;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL) {
        char words[ABUT_JSON_WORDS_ROOM];
        abut_json_explain(text, length, &problem, words);
        abut_status status = abut_fail(error, ABUT_BAD_DATA, "line %d: %s", problem.line, words);
        if (error != NULL) {
            error->line = problem.line;
        }
        return status;
    }
    r.builder = abut_setup_begin(context, "scene", error);
    r.seen = json_object();
    if (abut_reader_is_fine(&r)) {
        read_root(&r, root);
    }
    json_decref(r.seen);
    json_decref(root);
    return abut_setup_end(&r.builder, setup);
}

abut_status abut_setup_parse(const abut_context *context, const char *text, size_t length, const char *folder,
                             abut_setup **setup, abut_error *error)
{
    return parse(context, text, length, folder, 0, setup, error);
}

static char *read_file(const abut_context *context, const char *path, size_t *length, abut_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        (void)abut_fail(error, ABUT_IO, "cannot be read: %s", abut_errno_text(errno));
        return NULL;
    }
    char *text = NULL;
    size_t size = 0, capacity = 0;
    for (;;) {
        if (size == capacity) {
            size_t grown = capacity == 0 ? 65536 : 2 * capacity;
            char *block = grown > FILE_LIMIT ? NULL : context->resize(context->user, text, grown);
            if (block == NULL) {
                (void)abut_fail(error, grown > FILE_LIMIT ? ABUT_LIMIT : ABUT_NO_MEMORY,
                                grown > FILE_LIMIT ? "is larger than 256 MiB" : "no memory for its text");
                break;
            }
            text = block;
            capacity = grown;
        }
        size_t got = fread(text + size, 1, capacity - size, file);
        size += got;
        if (got == 0) {
            if (ferror(file)) {
                (void)abut_fail(error, ABUT_IO, "cannot be read: %s", abut_errno_text(errno));
                break;
            }
            (void)fclose(file);
            *length = size;
            return text;
        }
    }
    (void)fclose(file);
    abut_free(context, text);
    return NULL;
}

static abut_status read_setup(const abut_context *context, const char *path, int repairs, abut_setup **setup,
                              abut_error *error)
{
    *setup = NULL;
    abut_context kept = abut_context_or_default(context);
    abut_error reason = {.element = -1};
    size_t length = 0;
    char *text = read_file(&kept, path, &length, &reason);
    abut_status status = reason.status;
    if (text != NULL) {
        const char *slash = strrchr(path, '/');
        size_t folder_length = slash == NULL ? 1 : (size_t)(slash - path) + (slash == path);
        char *folder = abut_allocate_zeroed(&kept, folder_length + 1, 1);
        if (folder == NULL) {
            status = abut_fail(&reason, ABUT_NO_MEMORY, "out of memory for a path");
        } else {
            memcpy(folder, slash == NULL ? "." : path, folder_length);
            status = parse(&kept, text, length, folder, repairs, setup, &reason);
        }
        abut_free(&kept, folder);
    }
    abut_free(&kept, text);
    if (error != NULL) {
        *error = reason;
    }
    return status;
}

abut_status abut_setup_read(const abut_context *context, const char *path, abut_setup **setup, abut_error *error)
{
    return read_setup(context, path, 0, setup, error);
}

abut_status abut_setup_read_repaired(const abut_context *context, const char *path, abut_setup **setup,
                                     abut_error *error)
{
    return read_setup(context, path, 1, setup, error);
}
