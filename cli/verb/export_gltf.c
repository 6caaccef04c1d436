// SPDX-License-Identifier: MIT
// export_gltf.c: a recording as a glTF 2.0 file: meshes, a node for each rigid body, for each soft body at each state and for
// the contacts of each state, and one animation
//
// Bodies that never move are not animated. The contacts of a state are points and lines along the normals. They and soft
// bodies have the size zero at all other times. glTF has single precision.
#include "shared/base64.h"
#include "shared/files.h"
#include "verb/export.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/// Constants of the standard.
enum { FLOATS = 5126, UNSIGNED = 5125, BYTES = 5121, VERTICES = 34962, INDICES = 34963, POINTS = 0, LINES = 1 };

/// Colours of the bodies: stones. The contacts' material comes after them.
static const double stones[][3] = {{0.80, 0.76, 0.71}, {0.71, 0.75, 0.77}, {0.78, 0.71, 0.62}, {0.66, 0.71, 0.67}};
enum { STONE_COUNT = sizeof stones / sizeof stones[0], CONTACT_MATERIAL = STONE_COUNT };

/// The buffer with all arrays, and the parts of the JSON document.
typedef struct gltf {
    const abut_recording *recording;
    int every;
    double arrow; ///< the length of normals
    char *bytes;
    size_t size, capacity;
    json_t *views, *accessors, *meshes, *nodes, *samplers, *channels;
    int *mesh_indices;   ///< in the file, of each mesh; -1 if it has no triangles
    int times;           ///< the accessor of all times
    int is_out_of_range; ///< a number was too large for single precision
} gltf;

static void put_bytes(gltf *g, const void *bytes, size_t size)
{
    if (size > g->capacity - g->size) {
        g->capacity = 2 * (g->size + size);
        g->bytes = abut_cli_resize(g->bytes, g->capacity, 1);
    }
    memcpy(g->bytes + g->size, bytes, size);
    g->size += size;
}

static void put_float(gltf *g, double value)
{
    float narrow = 0.0f;
    if (fabs(value) <= (double)FLT_MAX) {
        narrow = (float)value;
    } else {
        g->is_out_of_range = 1;
    }
    put_bytes(g, &narrow, sizeof narrow);
}

static void put_vector(gltf *g, abut_vec3 v)
{
    put_float(g, v.x);
    put_float(g, v.y);
    put_float(g, v.z);
}

/// Adds an accessor of the last `count` items, which begin at byte `begin` of the buffer. Returns its index.
static int add_accessor(gltf *g, size_t begin, const char *type, int component, int count, int target)
{
    // "o*" omits the member if it is NULL.
    json_t *view = json_pack("{s:i, s:I, s:I, s:o*}", "buffer", 0, "byteOffset", (json_int_t)begin, "byteLength",
                             (json_int_t)(g->size - begin), "target", target != 0 ? json_integer(target) : NULL);
    json_t *accessor = json_pack("{s:I, s:i, s:i, s:s}", "bufferView", (json_int_t)json_array_size(g->views),
                                 "componentType", component, "count", count, "type", type);
    json_array_append_new(g->views, view);
    json_array_append_new(g->accessors, accessor);
    return (int)json_array_size(g->accessors) - 1;
}

/// Sets the least and largest value of each component, in single precision.
static void set_bounds(gltf *g, int accessor, size_t begin, int components)
{
    json_t *lower = json_array(), *upper = json_array(), *item = json_array_get(g->accessors, (size_t)accessor);
    size_t count = (g->size - begin) / sizeof(float);
    for (size_t c = 0; c < (size_t)components; ++c) {
        float least = FLT_MAX, most = -FLT_MAX, value;
        for (size_t i = c; i < count; i += (size_t)components) {
            memcpy(&value, g->bytes + begin + i * sizeof value, sizeof value);
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        json_array_append_new(lower, abut_cli_json_number((double)least));
        json_array_append_new(upper, abut_cli_json_number((double)most));
    }
    json_object_set_new(item, "min", lower);
    json_object_set_new(item, "max", upper);
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes and nodes

static void add_mesh(gltf *g, int index)
{
    const abut_setup_mesh *mesh = &g->recording->meshes[index];
    abut_mesh_elements e = abut_mesh_get_elements(mesh->mesh);
    g->mesh_indices[index] = -1;
    if (e.triangle_count == 0) {
        return;
    }
    size_t begin = g->size;
    for (int i = 0; i < e.vertex_count; ++i) {
        put_vector(g, e.vertices[i]);
    }
    int positions = add_accessor(g, begin, "VEC3", FLOATS, e.vertex_count, VERTICES);
    set_bounds(g, positions, begin, 3);
    begin = g->size;
    for (int i = 0; i < 3 * e.triangle_count; ++i) {
        uint32_t vertex = (uint32_t)e.triangles[i];
        put_bytes(g, &vertex, sizeof vertex);
    }
    int indices = add_accessor(g, begin, "SCALAR", UNSIGNED, 3 * e.triangle_count, INDICES);
    g->mesh_indices[index] = (int)json_array_size(g->meshes);
    json_array_append_new(g->meshes,
                          json_pack("{s:o, s:[{s:{s:i}, s:i, s:i}]}", "name", abut_cli_json_text(mesh->name),
                                    "primitives", "attributes", "POSITION", positions, "indices", indices,
                                    "material", index % STONE_COUNT));
}

static const abut_pose *pose_of(const gltf *g, int k, int body)
{
    return &g->recording->states[(size_t)k * (size_t)g->recording->body_count + (size_t)body].pose;
}

static double time_of(const gltf *g, int k)
{
    return k == 0 ? 0.0 : g->recording->steps[k - 1].time;
}

static int moves(const gltf *g, int body)
{
    for (int k = 1; k <= g->recording->step_count; ++k) {
        if (memcmp(pose_of(g, k, body), pose_of(g, 0, body), sizeof(abut_pose)) != 0) {
            return 1;
        }
    }
    return 0;
}

/// Whose numbers change with time, and how.
typedef struct channel {
    int node;
    const char *path, *interpolation;
    int input, output; ///< accessors of times and values
} channel;

static void add_channel(gltf *g, channel c)
{
    int sampler = (int)json_array_size(g->samplers);
    json_array_append_new(g->samplers, json_pack("{s:i, s:i, s:s}", "input", c.input, "output", c.output,
                                                 "interpolation", c.interpolation));
    json_array_append_new(g->channels, json_pack("{s:i, s:{s:i, s:s}}", "sampler", sampler, "target", "node",
                                                 c.node, "path", c.path));
}

static void add_motion(gltf *g, int body)
{
    int count = 0;
    size_t begin = g->size;
    for (int k = 0; k <= g->recording->step_count; ++k) {
        if (abut_cli_export_has(g->recording, k, g->every)) {
            put_vector(g, pose_of(g, k, body)->position);
            ++count;
        }
    }
    int output = add_accessor(g, begin, "VEC3", FLOATS, count, 0);
    add_channel(g, (channel){body, "translation", "LINEAR", g->times, output});
    begin = g->size;
    for (int k = 0; k <= g->recording->step_count; ++k) {
        if (abut_cli_export_has(g->recording, k, g->every)) {
            abut_quat q = pose_of(g, k, body)->rotation;
            put_vector(g, abut_vec3_make(q.x, q.y, q.z));
            put_float(g, q.w);
        }
    }
    output = add_accessor(g, begin, "VEC4", FLOATS, count, 0);
    add_channel(g, (channel){body, "rotation", "LINEAR", g->times, output});
}

static void add_node(gltf *g, int body)
{
    const abut_recording_body *from = &g->recording->bodies[body];
    const abut_pose *pose = pose_of(g, 0, body);
    abut_quat q = pose->rotation;
    int mesh = from->is_soft ? -1 : g->mesh_indices[from->mesh];
    json_array_append_new(g->nodes, json_pack("{s:o, s:o*, s:o, s:o}", "name", abut_cli_json_text(from->name),
                                              "mesh", mesh >= 0 ? json_integer(mesh) : NULL, "translation",
                                              abut_cli_json_vec3(pose->position), "rotation",
                                              abut_cli_json_numbers((double[]){q.x, q.y, q.z, q.w}, 4)));
}

/// Adds the times of all states. They must increase in single precision.
static abut_cli_exit add_times(gltf *g)
{
    size_t begin = g->size;
    float last = -1.0f;
    for (int k = 0; k <= g->recording->step_count; ++k) {
        if (!abut_cli_export_has(g->recording, k, g->every)) {
            continue;
        }
        double time = time_of(g, k);
        if (!(time <= (double)FLT_MAX && (float)time > last)) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "step %d at time %.17g: glTF has single precision, which cannot tell this time "
                                 "from the one before; use --vtk or --csv",
                                 k, time);
        }
        last = (float)time;
        put_float(g, time);
    }
    g->times = add_accessor(g, begin, "SCALAR", FLOATS, (int)((g->size - begin) / sizeof(float)), 0);
    set_bounds(g, g->times, begin, 1);
    return ABUT_CLI_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

static void put_colour(gltf *g, abut_recording_truth truth)
{
    static const unsigned char unknown[4] = {138, 147, 160, 255}, wrong[4] = {213, 94, 0, 255},
                               right[4] = {0, 114, 178, 255};
    put_bytes(g, truth == ABUT_TRUTH_RIGHT ? right : truth == ABUT_TRUTH_WRONG ? wrong : unknown, 4);
}

/// Points, or lines along the normals, with a colour for each vertex.
static json_t *contact_primitive(gltf *g, const abut_recording_contact *contacts, int count, int mode)
{
    size_t begin = g->size;
    int corners = mode == LINES ? 2 : 1;
    for (int i = 0; i < count; ++i) {
        const abut_contact *contact = &contacts[i].item.contact;
        put_vector(g, contact->position);
        if (mode == LINES) {
            put_vector(g, abut_add_scaled(contact->position, g->arrow, contact->normal));
        }
    }
    int positions = add_accessor(g, begin, "VEC3", FLOATS, corners * count, VERTICES);
    set_bounds(g, positions, begin, 3);
    begin = g->size;
    for (int i = 0; i < corners * count; ++i) {
        put_colour(g, contacts[i / corners].truth);
    }
    int colours = add_accessor(g, begin, "VEC4", BYTES, corners * count, VERTICES);
    json_object_set_new(json_array_get(g->accessors, (size_t)colours), "normalized", json_true());
    return json_pack("{s:{s:i, s:i}, s:i, s:i}", "attributes", "POSITION", positions, "COLOR_0", colours, "mode",
                     mode, "material", CONTACT_MATERIAL);
}

/// Adds a node for a mesh that is seen from state k until state `next`; 0: to the end. If it `is_first`, it is also seen
/// where nothing is animated.
static void add_moment(gltf *g, json_t *name, int mesh, int k, int next, int is_first)
{
    int node = (int)json_array_size(g->nodes);
    double size = is_first ? 1.0 : 0.0;
    json_array_append_new(
        g->nodes, json_pack("{s:o, s:i, s:[f, f, f]}", "name", name, "mesh", mesh, "scale", size, size, size));
    double times[3] = {0.0}, sizes[3] = {0.0};
    int keys = 0;
    if (k > 0) {
        ++keys; // unseen at first
    }
    times[keys] = time_of(g, k);
    sizes[keys++] = 1.0;
    if (next > 0) {
        times[keys++] = time_of(g, next);
    }
    size_t at = g->size;
    for (int i = 0; i < keys; ++i) {
        put_float(g, times[i]);
    }
    int input = add_accessor(g, at, "SCALAR", FLOATS, keys, 0);
    set_bounds(g, input, at, 1);
    at = g->size;
    for (int i = 0; i < keys; ++i) {
        put_vector(g, abut_vec3_make(sizes[i], sizes[i], sizes[i]));
    }
    add_channel(g, (channel){node, "scale", "STEP", input, add_accessor(g, at, "VEC3", FLOATS, keys, 0)});
}

/// Adds a soft body: a mesh for each state, with common triangles.
static void add_soft(gltf *g, int body)
{
    const abut_recording *recording = g->recording;
    const abut_recording_body *from = &recording->bodies[body];
    abut_mesh_elements e = abut_mesh_get_elements(recording->meshes[from->mesh].mesh);
    size_t begin = g->size;
    for (int i = 0; i < 3 * e.triangle_count; ++i) {
        uint32_t vertex = (uint32_t)e.triangles[i];
        put_bytes(g, &vertex, sizeof vertex);
    }
    int indices = add_accessor(g, begin, "SCALAR", UNSIGNED, 3 * e.triangle_count, INDICES);
    for (int k = 0, next; k <= recording->step_count && e.triangle_count > 0; k = next) {
        for (next = k + 1; next <= recording->step_count && !abut_cli_export_has(recording, next, g->every);
             ++next) {
        }
        const abut_vec3 *vertices = abut_recording_get_vertices(recording, k, body);
        begin = g->size;
        for (int i = 0; i < e.vertex_count; ++i) {
            put_vector(g, vertices[i]);
        }
        int positions = add_accessor(g, begin, "VEC3", FLOATS, e.vertex_count, VERTICES);
        set_bounds(g, positions, begin, 3);
        int mesh = (int)json_array_size(g->meshes);
        json_array_append_new(g->meshes,
                              json_pack("{s:[{s:{s:i}, s:i, s:i}]}", "primitives", "attributes", "POSITION",
                                        positions, "indices", indices, "material", body % STONE_COUNT));
        add_moment(g, json_sprintf("%s, step %d", from->name, k), mesh, k, next <= recording->step_count ? next : 0,
                   k == 0);
    }
}

/// Adds the contacts of state k, which are seen until the time of state `next`; 0: to the end.
static void add_contacts(gltf *g, int k, int next, int is_first)
{
    int begin = g->recording->contact_begins[k - 1], count = g->recording->contact_begins[k] - begin;
    if (count == 0) {
        return;
    }
    const abut_recording_contact *contacts = g->recording->contacts + begin;
    json_t *points = contact_primitive(g, contacts, count, POINTS);
    json_t *lines = contact_primitive(g, contacts, count, LINES);
    int mesh = (int)json_array_size(g->meshes);
    json_array_append_new(g->meshes, json_pack("{s:[o, o]}", "primitives", points, lines));
    add_moment(g, json_sprintf("contacts of step %d", k), mesh, k, next, is_first);
}

/// Normals have a sixth of the mean size of the meshes.
static double arrow_length(const abut_recording *recording)
{
    double sum = 0.0;
    for (int i = 0; i < recording->mesh_count; ++i) {
        abut_box box = abut_mesh_get_elements(recording->meshes[i].mesh).bounds;
        sum += abut_norm(abut_sub(box.upper, box.lower));
    }
    return recording->mesh_count > 0 ? sum / recording->mesh_count / 6.0 : 1.0;
}

static void add_all_contacts(gltf *g)
{
    int last = 0, is_first = 1;
    g->arrow = arrow_length(g->recording);
    for (int k = 1; k <= g->recording->step_count; ++k) {
        if (!abut_cli_export_has(g->recording, k, g->every)) {
            continue;
        }
        if (last > 0) {
            add_contacts(g, last, k, is_first);
            is_first = is_first && g->recording->contact_begins[last - 1] == g->recording->contact_begins[last];
        }
        last = k;
    }
    if (last > 0) {
        add_contacts(g, last, 0, is_first);
    }
}

static json_t *json_materials(void)
{
    json_t *list = json_array();
    for (int i = 0; i < STONE_COUNT; ++i) {
        const double *c = stones[i];
        json_array_append_new(list, json_pack("{s:{s:[f, f, f, f], s:f, s:f}, s:b}", "pbrMetallicRoughness",
                                              "baseColorFactor", c[0], c[1], c[2], 1.0, "metallicFactor", 0.0,
                                              "roughnessFactor", 0.9, "doubleSided", 1));
    }
    json_array_append_new(list,
                          json_pack("{s:s, s:{s:{}}}", "name", "contacts", "extensions", "KHR_materials_unlit"));
    return list;
}

// ---------------------------------------------------------------------------------------------------------------
// The file

static char *base64_of(const char *bytes, size_t size)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fputs("data:application/octet-stream;base64,", text.stream);
    abut_cli_base64_print(bytes, size, text.stream);
    return abut_cli_text_take(&text);
}

/// The JSON document. `uri` is the buffer; NULL: the buffer follows in the same file.
static json_t *document_of(const gltf *g, const char *uri)
{
    json_t *scene = json_array(), *animations = NULL;
    for (size_t i = 0; i < json_array_size(g->nodes); ++i) {
        json_array_append_new(scene, json_integer((json_int_t)i));
    }
    if (json_array_size(g->channels) > 0) {
        animations = json_pack("[{s:O, s:O}]", "samplers", g->samplers, "channels", g->channels);
    }
    // The standard forbids empty arrays: "*" omits a member that is NULL.
    return json_pack("{s:{s:s, s:s}, s:[s], s:i, s:[{s:o}], s:O, s:O, s:O, s:[{s:I, s:s*}], s:O*, s:o, s:o*}", //
                     "asset", "version", "2.0", "generator", "abut",                                           //
                     "extensionsUsed", "KHR_materials_unlit", "scene", 0, "scenes", "nodes", scene,            //
                     "nodes", g->nodes, "accessors", g->accessors, "bufferViews", g->views,                    //
                     "buffers", "byteLength", (json_int_t)g->size, "uri", uri,                                 //
                     "meshes", json_array_size(g->meshes) > 0 ? g->meshes : NULL,                              //
                     "materials", json_materials(), "animations", animations);
}

static void put_word(FILE *out, size_t value)
{
    for (int i = 0; i < 4; ++i) {
        (void)fputc((int)(value >> (8 * i) & 0xffu), out);
    }
}

/// The header and the two chunks of a binary file; all sizes are multiples of four.
static abut_cli_exit print_binary(const gltf *g, const char *path, FILE *out)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    abut_cli_json_print(document_of(g, NULL), text.stream);
    char *json = abut_cli_text_take(&text);
    size_t padding = (4 - text.size % 4) % 4, total = 28 + text.size + padding + g->size;
    abut_cli_exit code =
        total <= UINT32_MAX
            ? ABUT_CLI_DONE
            : abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: a .glb file can have at most 4 GB; use --vtk", path);
    (void)fwrite("glTF", 1, 4, out);
    put_word(out, 2);
    put_word(out, total);
    put_word(out, text.size + padding);
    (void)fwrite("JSON", 1, 4, out);
    (void)fwrite(json, 1, text.size, out);
    (void)fwrite("   ", 1, padding, out);
    put_word(out, g->size);
    (void)fwrite("BIN\0", 1, 4, out);
    (void)fwrite(g->bytes, 1, g->size, out);
    free(json);
    return code;
}

static abut_cli_exit write_file(const gltf *g, const char *path)
{
    size_t length = strlen(path);
    abut_cli_exit code = ABUT_CLI_DONE;
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (length > 4 && strcmp(path + length - 4, ".glb") == 0) {
        code = print_binary(g, path, text.stream);
    } else {
        char *uri = base64_of(g->bytes, g->size);
        abut_cli_json_print(document_of(g, uri), text.stream);
        free(uri);
    }
    if (code == ABUT_CLI_DONE) {
        return abut_cli_write_printed(path, &text);
    }
    free(abut_cli_text_take(&text));
    return code;
}

static abut_cli_exit fill(gltf *g)
{
    abut_cli_exit code = add_times(g);
    for (int i = 0; i < g->recording->mesh_count; ++i) {
        add_mesh(g, i);
    }
    for (int i = 0; i < g->recording->body_count && code == ABUT_CLI_DONE; ++i) {
        add_node(g, i);
        if (moves(g, i)) {
            add_motion(g, i);
        }
    }
    for (int i = 0; i < g->recording->body_count && code == ABUT_CLI_DONE; ++i) { // after the nodes of all bodies
        if (g->recording->bodies[i].is_soft) {
            add_soft(g, i);
        }
    }
    if (code == ABUT_CLI_DONE) {
        add_all_contacts(g);
    }
    return code == ABUT_CLI_DONE && g->is_out_of_range
               ? abut_cli_fail(ABUT_CLI_BAD_INPUT,
                               "a position is too large for the single precision of glTF; use --vtk or --csv")
               : code;
}

abut_cli_exit abut_cli_export_gltf(const abut_recording *recording, const char *path, int every,
                                   abut_cli_list *files)
{
    gltf g = {.recording = recording,
              .every = every,
              .views = json_array(),
              .accessors = json_array(),
              .meshes = json_array(),
              .nodes = json_array(),
              .samplers = json_array(),
              .channels = json_array(),
              .mesh_indices = abut_cli_resize(NULL, (size_t)recording->mesh_count, sizeof(int))};
    abut_cli_exit code = fill(&g);
    code = code != ABUT_CLI_DONE ? code : write_file(&g, path);
    abut_cli_list_add(files, path);
    json_decref(g.views);
    json_decref(g.accessors);
    json_decref(g.meshes);
    json_decref(g.nodes);
    json_decref(g.samplers);
    json_decref(g.channels);
    free(g.mesh_indices);
    free(g.bytes);
    return code;
}
