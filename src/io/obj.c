// SPDX-License-Identifier: MIT
// obj.c: Wavefront OBJ: vertices, faces, lines and points
//
// Texture coordinates, normals, groups and materials are skipped. Free-form curves and surfaces are rejected,
// because the mesh would be incomplete without them.
#include "io/formats.h"
#include "io/number.h"
#include "io/text.h"

#include <limits.h>
#include <string.h>

// Statements that do not affect the shape.
static const char *const skipped_statements[] = {
    "vn",     "vt", "vp",  "o",     "g",        "s",        "usemtl",     "mtllib",    "usemap",
    "maplib", "mg", "lod", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj",
};

static const char *const free_form_statements[] = {
    "cstype", "deg", "bmat",  "step",  "curv", "curv2", "surf", "parm", "trim", "hole", "scrv", "sp",
    "end",    "con", "ctech", "stech", "bzp",  "bsp",   "cdc",  "cdp",  "res",  "call", "csh",
};

// Statements of OBJ are case-sensitive.
static int is_one_of(abut_word word, const char *const *names, size_t count)
{
    size_t length = (size_t)(word.end - word.start);
    for (size_t i = 0; i < count; ++i) {
        if (strlen(names[i]) == length && memcmp(names[i], word.start, length) == 0) {
            return 1;
        }
    }
    return 0;
}

static abut_status read_vertex(abut_text *text, abut_parts *parts)
{
    abut_vec3 vertex = {0.0, 0.0, 0.0};
    abut_status status = abut_text_vec3(text, "vertex coordinate", &vertex);
    if (status != ABUT_OK) {
        return status;
    }
    int extra = 0; // a weight, a colour, or both
    abut_word word;
    while (abut_text_word(text, &word)) {
        double ignored;
        if (abut_number_parse(word.start, word.end, &ignored) == ABUT_NUMBER_MALFORMED) {
            char quote[ABUT_QUOTE_SIZE];
            return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "%s after the vertex is not a number",
                                  abut_word_quote(word, quote));
        }
        ++extra;
    }
    if (extra == 2 || extra > 4) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                              "vertex has %d numbers; expected 3, then a weight, a colour or both", extra + 3);
    }
    status = abut_parts_add_vertex(parts, vertex);
    return status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(text->file, status, text->line, "vertices");
}

// A kind of element, and its name in messages.
typedef struct element_kind {
    const char *name;
    int least; // least number of vertices
} element_kind;

static abut_status fail_corner(const abut_text *text, const element_kind *kind, abut_word word)
{
    char quote[ABUT_QUOTE_SIZE];
    return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                          "%s of a %s is not of the form v, v/vt, v//vn or v/vt/vn", abut_word_quote(word, quote),
                          kind->name);
}

// Whether the rest of v/vt/vn, after v, is well-formed. Its values do not affect the shape.
static int are_references(const char *at, const char *end)
{
    for (int field = 0; at < end; ++field) {
        const char *start = ++at; // after the slash
        while (at < end && *at != '/') {
            ++at;
        }
        int64_t ignored;
        int may_be_empty = field == 0 && at < end;
        if (field > 1 ||
            (start == at ? !may_be_empty : abut_integer_parse(start, at, &ignored) != ABUT_NUMBER_OK)) {
            return 0;
        }
    }
    return 1;
}

static abut_status read_corner(const abut_text *text, const element_kind *kind, abut_word word, int vertex_count,
                               int *vertex)
{
    const char *slash = word.start;
    while (slash < word.end && *slash != '/') {
        ++slash;
    }
    int64_t number = 0;
    if (abut_integer_parse(word.start, slash, &number) != ABUT_NUMBER_OK || !are_references(slash, word.end)) {
        return fail_corner(text, kind, word);
    }
    int64_t index = number > 0 ? number - 1 : vertex_count + number;
    if (text->file->is_lenient) {
        *vertex = number == 0 || index < -INT_MAX ? -INT_MAX : index > INT_MAX ? INT_MAX : (int)index;
        return ABUT_OK;
    }
    if (number == 0) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                              "%s refers to vertex 0, but vertices are numbered from 1", kind->name);
    }
    if (index < 0 || index >= vertex_count) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                              "%s refers to vertex %lld, but only %d %s defined so far", kind->name,
                              (long long)number, vertex_count, vertex_count == 1 ? "is" : "are");
    }
    *vertex = (int)index;
    return ABUT_OK;
}

// Reads the corners of an element into `array`. A polyline becomes segments, so its inner vertices are stored twice.
static abut_status read_corners(abut_text *text, const element_kind *kind, abut_parts *parts, abut_ints *array)
{
    int is_line = array == &parts->segments;
    int count = 0, vertex = 0, previous = 0;
    abut_word word;
    while (abut_text_word(text, &word)) {
        abut_status status = read_corner(text, kind, word, parts->vertex_count, &vertex);
        if (status != ABUT_OK) {
            return status;
        }
        if (is_line && count > 1) {
            status = abut_ints_add(&parts->context, array, previous);
        }
        if (status == ABUT_OK) {
            status = abut_ints_add(&parts->context, array, vertex);
        }
        if (status != ABUT_OK) {
            return abut_file_fail_growth(text->file, status, text->line, "corners");
        }
        previous = vertex;
        ++count;
    }
    if (count < (text->file->is_lenient && !is_line ? 1 : kind->least)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "%s has %d %s, but needs at least %d",
                              kind->name, count, count == 1 ? "vertex" : "vertices", kind->least);
    }
    return ABUT_OK;
}

static abut_status read_face(abut_text *text, abut_parts *parts)
{
    static const element_kind kind = {"face", 3};
    abut_status status = read_corners(text, &kind, parts, &parts->face_vertices);
    if (status != ABUT_OK) {
        return status;
    }
    status = abut_parts_end_face(parts);
    return status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(text->file, status, text->line, "faces");
}

static abut_status read_statement(abut_text *text, abut_word word, abut_parts *parts)
{
    static const element_kind line = {"line", 2}, point = {"point", 1};
    if (word.end - word.start == 1) {
        switch (*word.start) {
        case 'v': return read_vertex(text, parts);
        case 'f': return read_face(text, parts);
        case 'l': return read_corners(text, &line, parts, &parts->segments);
        case 'p': return read_corners(text, &point, parts, &parts->points);
        default: break;
        }
    }
    if (is_one_of(word, skipped_statements, sizeof skipped_statements / sizeof *skipped_statements)) {
        return ABUT_OK;
    }
    char quote[ABUT_QUOTE_SIZE];
    (void)abut_word_quote(word, quote);
    if (is_one_of(word, free_form_statements, sizeof free_form_statements / sizeof *free_form_statements)) {
        return abut_file_fail(text->file, ABUT_UNSUPPORTED, text->line,
                              "%s: free-form curves and surfaces are not supported; export polygons", quote);
    }
    return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "unknown statement %s", quote);
}

abut_status abut_obj_read(const abut_file *file, abut_parts *parts)
{
    abut_text text = abut_text_open(file);
    text.comment = '#';
    text.joins_backslashes = 1;
    parts->precision = ABUT_PRECISION_DOUBLE;
    do {
        abut_word word;
        if (abut_text_word(&text, &word)) {
            abut_status status = read_statement(&text, word, parts);
            if (status != ABUT_OK) {
                return status;
            }
        }
    } while (abut_text_next_line(&text));
    if (parts->vertex_count == 0) {
        return abut_file_fail(file, ABUT_BAD_DATA, 0, "this OBJ file has no vertices");
    }
    return ABUT_OK;
}

static void write_elements(FILE *stream, const abut_mesh_elements *elements)
{
    for (int i = 0; i < elements->vertex_count; ++i) {
        (void)fputs("v ", stream);
        abut_write_vec3(stream, elements->vertices[i]);
        (void)fputc('\n', stream);
    }
    for (int i = 0; i < elements->point_count; ++i) {
        (void)fprintf(stream, "p %d\n", elements->points[i] + 1);
    }
    for (int i = 0; i < elements->segment_count; ++i) {
        (void)fprintf(stream, "l %d %d\n", elements->segments[2 * i] + 1, elements->segments[2 * i + 1] + 1);
    }
    for (int i = 0; i < elements->face_count; ++i) {
        (void)fputc('f', stream);
        for (int k = elements->face_offsets[i]; k < elements->face_offsets[i + 1]; ++k) {
            (void)fprintf(stream, " %d", elements->face_vertices[k] + 1);
        }
        (void)fputc('\n', stream);
    }
}

abut_status abut_obj_write(const abut_mesh_elements *elements, const char *path, abut_error *error)
{
    const abut_file file = {.name = path, .error = error};
    if (elements->tet_count > 0) {
        return abut_file_fail(&file, ABUT_UNSUPPORTED, 0,
                              "OBJ cannot hold the mesh's %d tetrahedra; write TetGen files or MSH",
                              elements->tet_count);
    }
    return abut_write_content(elements, path, write_elements, error);
}
