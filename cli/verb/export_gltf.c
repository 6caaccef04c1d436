// SPDX-License-Identifier: MIT
// export_gltf.c: a recording as a glTF 2.0 file: meshes, a node for each body, and one animation
//
// Bodies that never move are not animated. glTF has single precision.
#include "shared/base64.h"
#include "shared/files.h"
#include "verb/export.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { FLOATS = 5126, UNSIGNED = 5125, VERTICES = 34962, INDICES = 34963 }; ///< constants of the standard

/// The buffer with all arrays, and the parts of the JSON document.
typedef struct gltf {
    const abut_recording *recording;
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
                          json_pack("{s:o, s:[{s:{s:i}, s:i}]}", "name", abut_cli_json_text(mesh->name),
                                    "primitives", "attributes", "POSITION", positions, "indices", indices));
}

static const abut_pose *pose_of(const gltf *g, int k, int body)
{
    return &g->recording->states[(size_t)k * (size_t)g->recording->body_count + (size_t)body].pose;
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

static void add_channel(gltf *g, int body, const char *path, int output)
{
    int sampler = (int)json_array_size(g->samplers);
    json_array_append_new(
        g->samplers, json_pack("{s:i, s:i, s:s}", "input", g->times, "output", output, "interpolation", "LINEAR"));
    json_array_append_new(
        g->channels, json_pack("{s:i, s:{s:i, s:s}}", "sampler", sampler, "target", "node", body, "path", path));
}

static void add_motion(gltf *g, int body)
{
    int count = g->recording->step_count + 1;
    size_t begin = g->size;
    for (int k = 0; k < count; ++k) {
        put_vector(g, pose_of(g, k, body)->position);
    }
    add_channel(g, body, "translation", add_accessor(g, begin, "VEC3", FLOATS, count, 0));
    begin = g->size;
    for (int k = 0; k < count; ++k) {
        abut_quat q = pose_of(g, k, body)->rotation;
        put_vector(g, abut_vec3_make(q.x, q.y, q.z));
        put_float(g, q.w);
    }
    add_channel(g, body, "rotation", add_accessor(g, begin, "VEC4", FLOATS, count, 0));
}

static void add_node(gltf *g, int body)
{
    const abut_recording_body *from = &g->recording->bodies[body];
    const abut_pose *pose = pose_of(g, 0, body);
    abut_quat q = pose->rotation;
    int mesh = g->mesh_indices[from->mesh];
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
        double time = k == 0 ? 0.0 : g->recording->steps[k - 1].time;
        if (!(time <= (double)FLT_MAX && (float)time > last)) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "step %d at time %.17g: glTF has single precision, which cannot tell this time "
                                 "from the one before; use --vtk or --csv",
                                 k, time);
        }
        last = (float)time;
        put_float(g, time);
    }
    g->times = add_accessor(g, begin, "SCALAR", FLOATS, g->recording->step_count + 1, 0);
    set_bounds(g, g->times, begin, 1);
    return ABUT_CLI_DONE;
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
    for (int i = 0; i < g->recording->body_count; ++i) {
        json_array_append_new(scene, json_integer(i));
    }
    if (json_array_size(g->channels) > 0) {
        animations = json_pack("[{s:O, s:O}]", "samplers", g->samplers, "channels", g->channels);
    }
    // The standard forbids empty arrays: "*" omits a member that is NULL.
    return json_pack("{s:{s:s, s:s}, s:i, s:[{s:o}], s:O, s:O, s:O, s:[{s:I, s:s*}], s:O*, s:o*}", //
                     "asset", "version", "2.0", "generator", "abut",                               //
                     "scene", 0, "scenes", "nodes", scene,                                         //
                     "nodes", g->nodes, "accessors", g->accessors, "bufferViews", g->views,        //
                     "buffers", "byteLength", (json_int_t)g->size, "uri", uri,                     //
                     "meshes", json_array_size(g->meshes) > 0 ? g->meshes : NULL,                  //
                     "animations", animations);
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
    return code == ABUT_CLI_DONE && g->is_out_of_range
               ? abut_cli_fail(ABUT_CLI_BAD_INPUT,
                               "a position is too large for the single precision of glTF; use --vtk or --csv")
               : code;
}

abut_cli_exit abut_cli_export_gltf(const abut_recording *recording, const char *path, abut_cli_list *files)
{
    gltf g = {.recording = recording,
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
