// SPDX-License-Identifier: MIT
// gltf.c: glTF 2.0, text (.gltf) and binary (.glb): the meshes of the scene, where their nodes are
//
// Exporters split vertices at seams of normals and colours, so vertices of a node at the same place are welded, as those
// of STL are. Skins, morph targets and animations are ignored: bodies are as at the beginning.
#include "io/gltf.h"

#include "base/memory.h"
#include "io/formats.h"
#include "io/weld.h"

#include <limits.h>
#include <string.h>

enum { POINTS = 0, LINES = 1, LOOP = 2, LINE_STRIP = 3, TRIANGLES = 4, STRIP = 5, FAN = 6 };

/// A linear map and a translation.
typedef struct gltf_frame {
    abut_mat3 axes;
    abut_vec3 origin;
} gltf_frame;

/// A node to be visited, in the frame of its parent.
typedef struct gltf_visit {
    int node;
    gltf_frame frame;
} gltf_visit;

/// The scene while it is read.
typedef struct gltf_scene {
    abut_gltf *gltf;
    abut_parts *parts;
    abut_weld weld;
    gltf_visit *stack;
    int stack_count, stack_capacity;
    unsigned char *is_visited; ///< by node
    int *vertices;             ///< of the primitive: from its own numbers to those of the mesh
    int vertex_capacity;
} gltf_scene;

static abut_vec3 apply(const gltf_frame *frame, abut_vec3 p)
{
    abut_vec3 sum = abut_add_scaled(frame->origin, p.x, frame->axes.x);
    return abut_add_scaled(abut_add_scaled(sum, p.y, frame->axes.y), p.z, frame->axes.z);
}

static gltf_frame compose(const gltf_frame *outer, const gltf_frame *inner)
{
    const gltf_frame linear = {outer->axes, {0.0, 0.0, 0.0}};
    gltf_frame frame = {
        {apply(&linear, inner->axes.x), apply(&linear, inner->axes.y), apply(&linear, inner->axes.z)},
        apply(outer, inner->origin)};
    return frame;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

/// Reads `count` numbers of a member into `numbers`. Returns 0 if it is there and not such an array.
static int read_array(const abut_json *json, int value, const char *name, double *numbers, int count)
{
    int array = abut_json_member(json, value, name), i = 0;
    if (array < 0) {
        return 1;
    }
    for (int item = abut_json_first(json, array); item >= 0; item = abut_json_after(json, array, item)) {
        if (i == count || json->values[item].kind != ABUT_JSON_NUMBER) {
            return 0;
        }
        numbers[i++] = json->values[item].number;
    }
    return i == count;
}

static abut_status read_frame(const abut_gltf *gltf, int index, gltf_frame *frame)
{
    int node = gltf->nodes.values[index];
    double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, move[3] = {0}, turn[4] = {0, 0, 0, 1};
    double scale[3] = {1, 1, 1};
    if (!read_array(&gltf->json, node, "matrix", m, 16) || !read_array(&gltf->json, node, "translation", move, 3) ||
        !read_array(&gltf->json, node, "rotation", turn, 4) || !read_array(&gltf->json, node, "scale", scale, 3)) {
        return abut_file_fail_element(gltf->file, ABUT_BAD_DATA, index,
                                      "node %d has a transformation that is not valid", index);
    }
    const gltf_frame matrix = {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}},
                               {m[12], m[13], m[14]}};
    abut_quat q = abut_quat_unit((abut_quat){turn[3], turn[0], turn[1], turn[2]});
    const gltf_frame parts = {{abut_scale(scale[0], abut_quat_rotate(q, abut_vec3_make(1.0, 0.0, 0.0))),
                               abut_scale(scale[1], abut_quat_rotate(q, abut_vec3_make(0.0, 1.0, 0.0))),
                               abut_scale(scale[2], abut_quat_rotate(q, abut_vec3_make(0.0, 0.0, 1.0)))},
                              {move[0], move[1], move[2]}};
    *frame = compose(&matrix, &parts); // a node has one of the two; the other is the identity
    return ABUT_OK;
}

static abut_status push_nodes(gltf_scene *scene, int array, const gltf_frame *frame)
{
    abut_gltf *gltf = scene->gltf;
    for (int item = abut_json_first(&gltf->json, array); item >= 0;
         item = abut_json_after(&gltf->json, array, item)) {
        int node = abut_json_index(&gltf->json, item, -1);
        if (abut_gltf_at(&gltf->nodes, node) < 0 || scene->is_visited[node]) {
            return abut_file_fail_element(gltf->file, ABUT_BAD_DATA, node,
                                          node < 0 || node >= gltf->nodes.count
                                              ? "a scene or node refers to node %d, which does not exist"
                                              : "node %d is in the scene twice",
                                          node);
        }
        scene->is_visited[node] = 1;
        if (!abut_grow(&gltf->json.context, &scene->stack, &scene->stack_capacity, scene->stack_count + 1,
                       sizeof *scene->stack)) {
            return abut_file_fail_growth(gltf->file, ABUT_NO_MEMORY, 0, "nodes");
        }
        scene->stack[scene->stack_count++] = (gltf_visit){node, *frame};
    }
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Primitives

/// The vertices of a primitive, placed and welded.
static abut_status add_vertices(gltf_scene *scene, const abut_gltf_numbers *places, const gltf_frame *frame)
{
    abut_gltf *gltf = scene->gltf;
    if (!abut_grow(&gltf->json.context, &scene->vertices, &scene->vertex_capacity, places->count,
                   sizeof *scene->vertices)) {
        return abut_file_fail_growth(gltf->file, ABUT_NO_MEMORY, 0, "vertices");
    }
    for (int i = 0; i < places->count; i += ABUT_WELD_BATCH) {
        abut_vec3 batch[ABUT_WELD_BATCH];
        int count = places->count - i < ABUT_WELD_BATCH ? places->count - i : ABUT_WELD_BATCH;
        for (int k = 0; k < count; ++k) {
            batch[k] = apply(frame, abut_gltf_vec3(places, i + k));
            if (!abut_is_finite(batch[k]) && !gltf->file->is_lenient) {
                return abut_file_fail_element(gltf->file, ABUT_BAD_DATA, i + k, "vertex %d of a mesh is not finite",
                                              i + k);
            }
        }
        abut_status status = abut_weld_find(&scene->weld, batch, count, scene->vertices + i);
        if (status != ABUT_OK) {
            return abut_file_fail_growth(gltf->file, status, 0, "vertices");
        }
    }
    return ABUT_OK;
}

/// The corners of a primitive, in order.
typedef struct gltf_corners {
    const abut_gltf_numbers *indices; ///< or NULL: 0, 1, 2, ...
    const int *vertices;
    int count;
} gltf_corners;

static int corner(const gltf_corners *corners, int i)
{
    return corners->vertices[corners->indices != NULL ? (int)abut_gltf_integer(corners->indices, i) : i];
}

/// Adds elements of `size` corners: 1 point, 2 segment, 3 triangle.
static abut_status add_element(abut_parts *parts, const int *vertices, int size)
{
    abut_ints *array = size == 1 ? &parts->points : size == 2 ? &parts->segments : &parts->face_vertices;
    // welding makes elements that have no extent: they only join others
    int is_flat = (size > 1 && vertices[0] == vertices[1]) ||
                  (size > 2 && (vertices[1] == vertices[2] || vertices[2] == vertices[0]));
    abut_status status = ABUT_OK;
    for (int k = 0; k < size && status == ABUT_OK && !is_flat; ++k) {
        status = abut_ints_add(&parts->context, array, vertices[k]);
    }
    return status == ABUT_OK && size == 3 && !is_flat ? abut_parts_end_face(parts) : status;
}

static abut_status add_elements(abut_parts *parts, const gltf_corners *corners, int mode)
{
    static const int sizes[] = {1, 2, 2, 2, 3, 3, 3};
    int size = sizes[mode], is_chain = mode == LOOP || mode == LINE_STRIP || mode == STRIP || mode == FAN;
    int step = is_chain ? 1 : size, last = mode == LOOP ? corners->count : corners->count - size + 1;
    abut_status status = ABUT_OK;
    for (int i = 0; i < last && status == ABUT_OK; i += step) {
        int v[3] = {0};
        for (int k = 0; k < size; ++k) {
            v[k] = corner(corners, mode == FAN && k == 0 ? 0 : (i + k) % corners->count);
        }
        if (mode == STRIP && i % 2 == 1) {
            int swapped = v[0];
            v[0] = v[1];
            v[1] = swapped;
        }
        status = add_element(parts, v, size);
    }
    return status;
}

static abut_status add_primitive(gltf_scene *scene, int value, const gltf_frame *frame)
{
    abut_gltf *gltf = scene->gltf;
    const abut_json *json = &gltf->json;
    abut_gltf_numbers places, indices;
    int positions = abut_json_member(json, abut_json_member(json, value, "attributes"), "POSITION");
    int index_list = abut_json_member(json, value, "indices");
    int mode = abut_json_index(json, abut_json_member(json, value, "mode"), TRIANGLES);
    if (mode < POINTS || mode > FAN) {
        return abut_file_fail(gltf->file, ABUT_BAD_DATA, 0, "a primitive has a mode that is not valid");
    }
    if (positions < 0) {
        return ABUT_OK; // the standard: nothing to draw
    }
    abut_status status = abut_gltf_find_numbers(gltf, abut_json_index(json, positions, -1), "VEC3", 3, &places);
    if (status == ABUT_OK && places.type != 5126) {
        status = abut_file_fail(gltf->file, ABUT_UNSUPPORTED, 0, "positions that are not floats are not supported");
    }
    if (status == ABUT_OK && index_list >= 0) {
        status = abut_gltf_find_numbers(gltf, abut_json_index(json, index_list, -1), "SCALAR", 1, &indices);
    }
    status = status == ABUT_OK ? add_vertices(scene, &places, frame) : status;
    if (status != ABUT_OK) {
        return status;
    }
    gltf_corners corners = {index_list >= 0 ? &indices : NULL, scene->vertices,
                            index_list >= 0 ? indices.count : places.count};
    for (int i = 0; i < corners.count && index_list >= 0; ++i) {
        if (indices.type == 5126 || abut_gltf_integer(&indices, i) >= (uint32_t)places.count) {
            return abut_file_fail_element(gltf->file, ABUT_BAD_DATA, i,
                                          "index %d of a mesh is not that of a vertex", i);
        }
    }
    status = add_elements(scene->parts, &corners, mode);
    return status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(gltf->file, status, 0, "elements");
}

static abut_status visit_node(gltf_scene *scene, gltf_visit visit)
{
    abut_gltf *gltf = scene->gltf;
    const abut_json *json = &gltf->json;
    gltf_frame own;
    abut_status status = read_frame(gltf, visit.node, &own);
    if (status != ABUT_OK) {
        return status;
    }
    gltf_frame frame = compose(&visit.frame, &own);
    int node = gltf->nodes.values[visit.node], mesh = abut_json_member(json, node, "mesh");
    if (mesh >= 0) {
        int value = abut_gltf_at(&gltf->meshes, abut_json_index(json, mesh, -1));
        if (value < 0) {
            return abut_file_fail_element(gltf->file, ABUT_BAD_DATA, visit.node,
                                          "node %d refers to a mesh that does not exist", visit.node);
        }
        if (abut_weld_restart(&scene->weld) != ABUT_OK) { // bodies that touch stay apart
            return abut_file_fail_growth(gltf->file, ABUT_NO_MEMORY, 0, "vertices");
        }
        int list = abut_json_member(json, value, "primitives");
        for (int item = abut_json_first(json, list); item >= 0 && status == ABUT_OK;
             item = abut_json_after(json, list, item)) {
            status = add_primitive(scene, item, &frame);
        }
    }
    return status == ABUT_OK ? push_nodes(scene, abut_json_member(json, node, "children"), &frame) : status;
}

static abut_status read_scene(abut_gltf *gltf, gltf_scene *scene)
{
    static const gltf_frame identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    const abut_json *json = &gltf->json;
    int scenes = abut_json_member(json, 0, "scenes"), item = abut_json_first(json, scenes);
    int wanted = abut_json_index(json, abut_json_member(json, 0, "scene"), 0);
    for (int i = 0; i < wanted && item >= 0; ++i) {
        item = abut_json_after(json, scenes, item);
    }
    if (item < 0 || wanted < 0) {
        return abut_file_fail(gltf->file, ABUT_BAD_DATA, 0, "the file has no scene to show");
    }
    abut_status status = push_nodes(scene, abut_json_member(json, item, "nodes"), &identity);
    while (status == ABUT_OK && scene->stack_count > 0) {
        status = visit_node(scene, scene->stack[--scene->stack_count]);
    }
    if (status == ABUT_OK && scene->parts->vertex_count == 0) {
        status = abut_file_fail(gltf->file, ABUT_BAD_DATA, 0, "the scene has no vertices");
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The file

static uint32_t word_at(const abut_file *file, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)file->data + at;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/// Finds the text and the binary part of a .glb file: chunks after a header of 12 bytes.
static abut_status find_chunks(abut_gltf *gltf, const char **start, const char **end)
{
    const abut_file *file = gltf->file;
    enum { HEADER = 12, CHUNK = 8 };
    if (file->size < HEADER + CHUNK || word_at(file, 4) != 2) {
        return abut_file_fail(file, ABUT_UNSUPPORTED, 0, "not version 2 of binary glTF");
    }
    size_t at = HEADER;
    *start = NULL;
    while (file->size - at >= CHUNK) {
        size_t length = word_at(file, at);
        uint32_t kind = word_at(file, at + 4);
        at += CHUNK;
        if (length > file->size - at) {
            return abut_file_fail(file, ABUT_BAD_DATA, 0, "a part of the file is cut off at byte %llu",
                                  (unsigned long long)file->size);
        }
        if (kind == 0x4e4f534au && *start == NULL) { // "JSON"
            *start = file->data + at;
            *end = *start + length;
        } else if (kind == 0x004e4942u && gltf->binary.start == NULL) { // "BIN"
            gltf->binary = (abut_gltf_bytes){(const unsigned char *)file->data + at, length, NULL};
        }
        at += length;
    }
    return *start != NULL ? ABUT_OK : abut_file_fail(file, ABUT_BAD_DATA, 0, "the file has no JSON part");
}

/// Extensions that a reader must know: only those of materials, lights and textures do not affect the shape.
static abut_status check_extensions(const abut_gltf *gltf)
{
    static const char *const harmless[] = {"KHR_materials_", "KHR_texture_", "KHR_lights_", "EXT_texture_"};
    const abut_json *json = &gltf->json;
    int list = abut_json_member(json, 0, "extensionsRequired");
    for (int item = abut_json_first(json, list); item >= 0; item = abut_json_after(json, list, item)) {
        const abut_json_value *name = &json->values[item];
        size_t length = name->kind == ABUT_JSON_STRING ? (size_t)(name->end - name->start) : 0;
        int is_harmless = 0;
        for (size_t i = 0; i < sizeof harmless / sizeof *harmless; ++i) {
            size_t size = strlen(harmless[i]);
            is_harmless |= length > size && memcmp(name->start, harmless[i], size) == 0;
        }
        if (!is_harmless) {
            return abut_file_fail(gltf->file, ABUT_UNSUPPORTED, 0,
                                  "the extension %.*s is not supported; export without compression",
                                  (int)(length < 60 ? length : 60), length > 0 ? name->start : "");
        }
    }
    return ABUT_OK;
}

abut_status abut_gltf_read(const abut_file *file, abut_parts *parts)
{
    abut_gltf gltf = {.file = file, .json = {.context = parts->context}};
    gltf_scene scene = {.gltf = &gltf, .parts = parts};
    const char *start = file->data, *end = file->data + file->size;
    parts->precision = ABUT_PRECISION_FLOAT;
    int is_binary = file->size >= 4 && memcmp(file->data, "glTF", 4) == 0;
    abut_status status = is_binary ? find_chunks(&gltf, &start, &end) : ABUT_OK;
    status = status == ABUT_OK ? abut_json_parse(&gltf.json, file, start, end) : status;
    if (status == ABUT_OK &&
        abut_json_member(&gltf.json, abut_json_member(&gltf.json, 0, "asset"), "version") < 0) {
        status = abut_file_fail(file, ABUT_BAD_DATA, 0, "not a glTF file: it has no `asset.version`");
    }
    status = status == ABUT_OK ? check_extensions(&gltf) : status;
    status = status == ABUT_OK ? abut_gltf_load_buffers(&gltf) : status;
    if (status == ABUT_OK) {
        status = abut_weld_init(&scene.weld, parts, file->data, file->size, 64);
        scene.is_visited = abut_allocate_zeroed(&parts->context, (size_t)gltf.nodes.count, 1);
        status = status == ABUT_OK && scene.is_visited != NULL
                     ? read_scene(&gltf, &scene)
                     : abut_file_fail_growth(file, ABUT_NO_MEMORY, 0, "vertices");
        abut_weld_release(&scene.weld);
    }
    abut_free(&parts->context, scene.is_visited);
    abut_free(&parts->context, scene.stack);
    abut_free(&parts->context, scene.vertices);
    abut_gltf_release(&gltf);
    return status;
}
