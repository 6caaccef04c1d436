// SPDX-License-Identifier: MIT
// io.c: reading and writing mesh files of any format
#include <abut/io.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/formats.h"
#include "io/number.h"
#include "io/text.h"
#include "mesh/mesh.h"

#include <string.h>

typedef struct format_name {
    const char *extension;
    abut_format format;
} format_name;

static const format_name format_names[] = {
    {"obj", ABUT_FORMAT_OBJ},    {"stl", ABUT_FORMAT_STL},     {"ply", ABUT_FORMAT_PLY},
    {"off", ABUT_FORMAT_OFF},    {"msh", ABUT_FORMAT_MSH},     {"node", ABUT_FORMAT_TETGEN},
    {"ele", ABUT_FORMAT_TETGEN}, {"face", ABUT_FORMAT_TETGEN}, {"edge", ABUT_FORMAT_TETGEN},
    {"vtu", ABUT_FORMAT_VTU},    {"mesh", ABUT_FORMAT_MEDIT},  {"gltf", ABUT_FORMAT_GLTF},
    {"glb", ABUT_FORMAT_GLTF},
};

// The extension of a path: the text after the last dot of its last part. Empty if there is none.
static abut_word extension_of(const char *path)
{
    const char *end = path + strlen(path);
    for (const char *at = end; at > path && at[-1] != '/'; --at) {
        if (at[-1] == '.') {
            const abut_word extension = {at, end};
            return extension;
        }
    }
    const abut_word none = {end, end};
    return none;
}

// Finds the format by the extension if `format` is ABUT_FORMAT_AUTO. `more` lists the extensions that are only
// written, for the message.
static abut_status find_format(const abut_file *file, const char *more, abut_format *format)
{
    if (*format < ABUT_FORMAT_AUTO || *format > ABUT_FORMAT_GLTF) {
        return abut_file_fail(file, ABUT_BAD_ARGUMENT, 0, "unknown format %d", (int)*format);
    }
    if (*format != ABUT_FORMAT_AUTO) {
        return ABUT_OK;
    }
    abut_word extension = extension_of(file->name);
    for (size_t i = 0; i < sizeof format_names / sizeof *format_names; ++i) {
        if (abut_word_is(extension, format_names[i].extension)) {
            *format = format_names[i].format;
            return ABUT_OK;
        }
    }
    return abut_file_fail(file, ABUT_UNSUPPORTED, 0,
                          "unknown file format; the supported extensions are .obj, .stl, .ply, .off, .msh, .node%s",
                          more);
}

// Finds the format of a file to be read. A known but unsupported format is rejected with advice.
static abut_status find_read_format(const abut_file *file, abut_format *format)
{
    abut_status status = *format == ABUT_FORMAT_AUTO ? abut_refuse_foreign_name(file) : ABUT_OK;
    if (status == ABUT_OK) {
        status = find_format(file, ", .mesh, .gltf, .glb", format);
    }
    if (status == ABUT_OK && *format == ABUT_FORMAT_VTU) {
        status =
            abut_file_fail(file, ABUT_UNSUPPORTED, 0, "VTU files can only be written (for ParaView), not read");
    }
    return status;
}

// Text files have no zero bytes; almost every binary file has one in its first 1024 bytes.
static abut_status refuse_binary(const abut_file *file, const char *format)
{
    abut_status status = abut_refuse_foreign_content(file);
    if (status == ABUT_OK && memchr(file->data, 0, file->size < 1024 ? file->size : 1024) != NULL) {
        status = abut_file_fail(file, ABUT_BAD_DATA, 0, "this is binary data, not %s text", format);
    }
    return status;
}

// Builds the mesh. Error messages of the mesh are prefixed with the name of the file.
static abut_status build(const abut_file *file, const abut_parts *parts, abut_mesh **mesh)
{
    abut_error inner;
    abut_status status = abut_parts_build(parts, mesh, &inner);
    return status == ABUT_OK ? ABUT_OK : abut_file_fail_element(file, status, inner.element, "%s", inner.text);
}

// Builds the mesh. Boundary triangles that face the tetrahedron beside them are reversed.
static abut_status build_outward(const abut_file *file, abut_parts *parts, abut_mesh **mesh)
{
    abut_mesh *built = NULL;
    abut_status status = build(file, parts, &built);
    if (status == ABUT_OK && parts->face_vertices.count > 0 && abut_turn_faces_outward(built, parts) > 0) {
        abut_mesh_destroy(built);
        built = NULL;
        status = build(file, parts, &built);
    }
    *mesh = built;
    return status;
}

// Reads a loaded file that needs no other files, and releases it.
static abut_status read_single(abut_file *file, abut_format format, abut_parts *parts)
{
    abut_status status = ABUT_OK;
    int base = 0;
    switch (format) {
    case ABUT_FORMAT_OBJ:
        status = refuse_binary(file, "OBJ");
        status = status == ABUT_OK ? abut_obj_read(file, parts) : status;
        break;
    case ABUT_FORMAT_TETGEN:
        status = refuse_binary(file, "TetGen");
        status = status == ABUT_OK ? abut_node_read(file, parts, &base) : status;
        break;
    case ABUT_FORMAT_PLY:
    case ABUT_FORMAT_PLY_TEXT: status = abut_ply_read(file, parts); break;
    case ABUT_FORMAT_OFF: status = abut_off_read(file, parts); break;
    case ABUT_FORMAT_MSH: status = abut_msh_read(file, parts); break;
    case ABUT_FORMAT_MEDIT: status = abut_medit_read(file, parts); break;
    case ABUT_FORMAT_GLTF: status = abut_gltf_read(file, parts); break;
    default: status = abut_stl_read(file, parts); break;
    }
    abut_file_release(file);
    return status;
}

typedef abut_status list_reader(const abut_file *file, abut_parts *parts, int base);

typedef struct sibling {
    const char *extension;
    list_reader *read; // NULL for the nodes
} sibling;

static const sibling siblings[] = {
    {"node", NULL}, {"ele", abut_ele_read}, {"face", abut_face_read}, {"edge", abut_edge_read}};

// A set of TetGen files being read.
typedef struct tetgen_set {
    abut_context context;
    char *path;         // path of the current file
    size_t stem_length; // length of the path up to and including the dot
    abut_word named;    // the extension in the path of the user, if any
    abut_parts *parts;
    int base;
    int is_lenient;
    abut_error *error;
} tetgen_set;

// Reads one of the files. It may be missing, unless it is the .node file or the file that the user named.
static abut_status read_sibling(tetgen_set *set, const sibling *which)
{
    memcpy(set->path + set->stem_length, which->extension, strlen(which->extension) + 1);
    int needed = which->read == NULL || abut_word_is(set->named, which->extension);
    if (!needed && abut_file_is_missing(set->path)) {
        return ABUT_OK;
    }
    abut_file file;
    abut_status status = abut_file_load(&file, &set->context, set->path, set->error);
    if (status != ABUT_OK) {
        return status;
    }
    file.is_lenient = set->is_lenient;
    status = refuse_binary(&file, "TetGen");
    if (status == ABUT_OK) {
        status = which->read == NULL ? abut_node_read(&file, set->parts, &set->base)
                                     : which->read(&file, set->parts, set->base);
    }
    abut_file_release(&file);
    return status;
}

// The length of a path up to and including the dot before a TetGen extension; the whole length if it has none.
static size_t stem_length_of(const char *path)
{
    abut_word extension = extension_of(path);
    for (size_t i = 0; i < sizeof siblings / sizeof *siblings; ++i) {
        if (abut_word_is(extension, siblings[i].extension)) {
            return (size_t)(extension.start - path);
        }
    }
    return strlen(path);
}

static abut_status read_tetgen(const abut_file *file, abut_parts *parts)
{
    const abut_context *context = &parts->context;
    const char *path = file->name;
    tetgen_set set;
    memset(&set, 0, sizeof set);
    set.context = *context;
    set.parts = parts;
    set.is_lenient = file->is_lenient;
    set.error = file->error;
    set.path = abut_allocate(context, strlen(path) + sizeof ".node", 1);
    if (set.path == NULL) {
        return abut_fail(file->error, ABUT_NO_MEMORY, "out of memory");
    }
    set.stem_length = stem_length_of(path);
    set.named.start = path + set.stem_length;
    set.named.end = path + strlen(path);
    memcpy(set.path, path, set.stem_length);
    if (set.named.start == set.named.end) {
        set.path[set.stem_length++] = '.';
    }
    abut_status status = ABUT_OK;
    for (size_t i = 0; i < sizeof siblings / sizeof *siblings && status == ABUT_OK; ++i) {
        status = read_sibling(&set, &siblings[i]);
    }
    abut_free(context, set.path);
    return status;
}

// Reads the file `file->name`. Releases its data before the mesh is built, to save memory.
static abut_status read_parts(abut_file *file, abut_format format, abut_parts *parts)
{
    abut_status status = find_read_format(file, &format);
    if (status != ABUT_OK) { // "no such file" or "this is a folder" helps more than "unknown extension"
        return abut_file_probe(file) == ABUT_IO ? ABUT_IO : find_read_format(file, &format);
    }
    if (format == ABUT_FORMAT_TETGEN) {
        return read_tetgen(file, parts);
    }
    int is_lenient = file->is_lenient;
    status = abut_file_load(file, &parts->context, file->name, file->error);
    file->is_lenient = is_lenient;
    return status == ABUT_OK ? read_single(file, format, parts) : status;
}

// Reads a file whose data is in memory.
static abut_status parse_parts(abut_file *file, abut_format format, abut_parts *parts)
{
    if (file->size == 0) {
        return abut_file_fail(file, ABUT_BAD_DATA, 0, "the file is empty");
    }
    int by_name = format == ABUT_FORMAT_AUTO;
    abut_status status = find_read_format(file, &format);
    if (status == ABUT_OK && by_name && format == ABUT_FORMAT_TETGEN &&
        !abut_word_is(extension_of(file->name), "node")) {
        status = abut_file_fail(
            file, ABUT_UNSUPPORTED, 0,
            "only the .node file of TetGen can be read from memory; read the other files by their path");
    }
    return status == ABUT_OK ? read_single(file, format, parts) : status;
}

static abut_file file_of_buffer(const abut_context *context, const abut_buffer *buffer, abut_error *error)
{
    const abut_file file = {.context = *context,
                            .name = buffer->name != NULL ? buffer->name : "memory",
                            .data = buffer->data,
                            .size = buffer->size,
                            .is_borrowed = 1,
                            .error = error};
    return file;
}

typedef abut_status parts_reader(abut_file *file, abut_format format, abut_parts *parts);

static abut_status read_mesh(abut_file *file, const abut_context *context, abut_format format, parts_reader *read,
                             abut_mesh **mesh)
{
    *mesh = NULL;
    abut_parts parts;
    abut_parts_init(&parts, context);
    abut_status status = read(file, format, &parts);
    if (status == ABUT_OK) {
        status = build_outward(file, &parts, mesh);
    }
    abut_parts_release(&parts);
    return status;
}

abut_status abut_mesh_read(const abut_context *context, const char *path, abut_format format, abut_mesh **mesh,
                           abut_error *error)
{
    if (path == NULL || mesh == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "read: `path` or `mesh` is NULL");
    }
    const abut_context own = abut_context_or_default(context);
    abut_file file = {.name = path, .error = error};
    return read_mesh(&file, &own, format, read_parts, mesh);
}

abut_status abut_mesh_parse(const abut_context *context, const abut_buffer *buffer, abut_format format,
                            abut_mesh **mesh, abut_error *error)
{
    if (buffer == NULL || mesh == NULL || (buffer->data == NULL && buffer->size > 0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "parse: `file`, its data or `mesh` is NULL");
    }
    const abut_context own = abut_context_or_default(context);
    abut_file file = file_of_buffer(&own, buffer, error);
    return read_mesh(&file, &own, format, parse_parts, mesh);
}

struct abut_soup {
    abut_parts parts;
};

static abut_soup *make_soup(const abut_context *context)
{
    abut_soup *soup = abut_allocate(context, 1, sizeof *soup);
    if (soup != NULL) {
        abut_parts_init(&soup->parts, context);
    }
    return soup;
}

void abut_soup_destroy(abut_soup *soup)
{
    if (soup == NULL) {
        return;
    }
    abut_context context = soup->parts.context;
    abut_parts_release(&soup->parts);
    abut_free(&context, soup);
}

void abut_soup_def_init(const abut_soup *soup, abut_mesh_def *out, size_t size)
{
    static const int nothing = 0;
    abut_mesh_def def = abut_parts_def(&soup->parts);
    def.face_vertices =
        def.face_vertices != NULL ? def.face_vertices : &nothing; // all faces may be without corners
    abut_write_versioned(out, size, &def, sizeof def);
}

// Reverses boundary faces that face a tetrahedron, as build_outward() does. If the parts are not a valid mesh, does
// nothing.
static abut_status turn_faces(abut_parts *parts)
{
    if (parts->face_vertices.count == 0 || parts->tets.count == 0) {
        return ABUT_OK;
    }
    abut_mesh *mesh = NULL;
    abut_status status = abut_parts_build(parts, &mesh, NULL);
    if (status == ABUT_OK) {
        (void)abut_turn_faces_outward(mesh, parts);
    }
    abut_mesh_destroy(mesh);
    return status == ABUT_NO_MEMORY ? status : ABUT_OK;
}

static abut_status read_soup(abut_file *file, const abut_context *context, abut_format format, parts_reader *read,
                             abut_soup **soup)
{
    *soup = NULL;
    abut_soup *made = make_soup(context);
    if (made == NULL) {
        return abut_fail(file->error, ABUT_NO_MEMORY, "out of memory");
    }
    file->is_lenient = 1;
    abut_status status = read(file, format, &made->parts);
    if (status == ABUT_OK && turn_faces(&made->parts) != ABUT_OK) {
        status = abut_fail(file->error, ABUT_NO_MEMORY, "out of memory");
    }
    if (status != ABUT_OK) {
        abut_soup_destroy(made);
        return status;
    }
    *soup = made;
    return ABUT_OK;
}

abut_status abut_soup_read(const abut_context *context, const char *path, abut_format format, abut_soup **soup,
                           abut_error *error)
{
    if (path == NULL || soup == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "read: `path` or `soup` is NULL");
    }
    const abut_context own = abut_context_or_default(context);
    abut_file file = {.name = path, .error = error};
    return read_soup(&file, &own, format, read_parts, soup);
}

abut_status abut_soup_parse(const abut_context *context, const abut_buffer *buffer, abut_format format,
                            abut_soup **soup, abut_error *error)
{
    if (buffer == NULL || soup == NULL || (buffer->data == NULL && buffer->size > 0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "parse: `file`, its data or `soup` is NULL");
    }
    const abut_context own = abut_context_or_default(context);
    abut_file file = file_of_buffer(&own, buffer, error);
    return read_soup(&file, &own, format, parse_parts, soup);
}

void abut_write_vec3(FILE *stream, abut_vec3 v)
{
    char x[ABUT_NUMBER_SIZE], y[ABUT_NUMBER_SIZE], z[ABUT_NUMBER_SIZE];
    (void)abut_number_print(v.x, x);
    (void)abut_number_print(v.y, y);
    (void)abut_number_print(v.z, z);
    (void)fprintf(stream, "%s %s %s", x, y, z);
}

abut_status abut_write_content(const abut_mesh_elements *elements, const char *path, abut_content_writer *write,
                               abut_error *error)
{
    abut_output output;
    abut_status status = abut_output_open(&output, path, error);
    if (status != ABUT_OK) {
        return status;
    }
    write(output.stream, elements);
    status = abut_output_close(&output);
    return status == ABUT_OK ? abut_output_publish(&output) : status;
}

static abut_status write_tetgen(const abut_mesh *mesh, const char *path, abut_error *error)
{
    size_t length = stem_length_of(path);
    size_t dot = length < strlen(path);
    return abut_tetgen_write(&mesh->context, &mesh->elements, path, length - dot, error);
}

abut_status abut_mesh_write(const abut_mesh *mesh, const char *path, abut_format format, abut_error *error)
{
    if (mesh == NULL || path == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "write: `mesh` or `path` is NULL");
    }
    const abut_file file = {.name = path, .error = error};
    abut_status status = find_format(&file, ", .vtu", &format);
    if (status != ABUT_OK) {
        return status;
    }
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    if (elements.vertex_count == 0) {
        return abut_file_fail(&file, ABUT_UNSUPPORTED, 0, "a mesh without vertices cannot be written");
    }
    switch (format) {
    case ABUT_FORMAT_OBJ: return abut_obj_write(&elements, path, error);
    case ABUT_FORMAT_STL: return abut_stl_write(&elements, path, error);
    case ABUT_FORMAT_STL_TEXT: return abut_stl_write_text(&elements, path, error);
    case ABUT_FORMAT_PLY: return abut_ply_write(&elements, path, error);
    case ABUT_FORMAT_PLY_TEXT: return abut_ply_write_text(&elements, path, error);
    case ABUT_FORMAT_OFF: return abut_off_write(&elements, path, error);
    case ABUT_FORMAT_MSH: return abut_msh_write(&elements, path, error);
    case ABUT_FORMAT_VTU: return abut_vtu_write(&elements, path, error);
    case ABUT_FORMAT_MEDIT:
    case ABUT_FORMAT_GLTF:
        return abut_file_fail(&file, ABUT_UNSUPPORTED, 0, "%s files can only be read; write .obj, .ply or .msh",
                              format == ABUT_FORMAT_GLTF ? "glTF" : "Medit");
    default: return write_tetgen(mesh, path, error);
    }
}
