// SPDX-License-Identifier: MIT
// medit.c: text files of Medit (.mesh): vertices, edges, triangles, quadrilaterals and tetrahedra
//
// A file is a sequence of words, whatever its lines are: a keyword, mostly a count, and so many rows. Rows end with a
// reference number, which is skipped, and so are tables that do not affect the shape. Vertices count from 1. The counts
// are compared with the size of the file and not trusted otherwise.
#include "io/formats.h"
#include "io/text.h"

/// A table of the file.
typedef enum medit_table {
    SKIPPED,
    VERTICES,
    EDGES,
    TRIANGLES,
    QUADRILATERALS,
    TETRAHEDRA,
    REFUSED ///< it affects the shape, and a mesh cannot hold it
} medit_table;

typedef struct medit_name {
    const char *name;
    medit_table table;
    int words; ///< in a row
} medit_name;

static const medit_name names[] = {
    {"Vertices", VERTICES, 4},
    {"Edges", EDGES, 3},
    {"Triangles", TRIANGLES, 4},
    {"Quadrilaterals", QUADRILATERALS, 5},
    {"Tetrahedra", TETRAHEDRA, 5},
    {"Hexahedra", REFUSED, 9},
    {"Prisms", REFUSED, 7},
    {"Pyramids", REFUSED, 6},
    {"Corners", SKIPPED, 1},
    {"Ridges", SKIPPED, 1},
    {"RequiredVertices", SKIPPED, 1},
    {"RequiredEdges", SKIPPED, 1},
    {"RequiredTriangles", SKIPPED, 1},
    {"RequiredQuadrilaterals", SKIPPED, 1},
    {"Normals", SKIPPED, 3},
    {"NormalAtVertices", SKIPPED, 2},
    {"NormalAtTriangleVertices", SKIPPED, 3},
    {"NormalAtQuadrilateralVertices", SKIPPED, 3},
    {"Tangents", SKIPPED, 3},
    {"TangentAtVertices", SKIPPED, 2},
    {"TangentAtEdges", SKIPPED, 3},
};

static abut_status number_below(abut_text *text, const char *what, double *value)
{
    (void)abut_text_find_line(text); // at the end of the file the number is missing
    return abut_text_number(text, what, value);
}

static abut_status integer_below(abut_text *text, const char *what, int *value)
{
    (void)abut_text_find_line(text);
    return abut_text_integer(text, what, value);
}

static abut_status read_vertex(abut_text *text, abut_parts *parts)
{
    abut_vec3 vertex = {0.0, 0.0, 0.0};
    int reference = 0;
    abut_status status = number_below(text, "vertex coordinate", &vertex.x);
    status = status == ABUT_OK ? number_below(text, "vertex coordinate", &vertex.y) : status;
    status = status == ABUT_OK ? number_below(text, "vertex coordinate", &vertex.z) : status;
    status = status == ABUT_OK ? integer_below(text, "reference of a vertex", &reference) : status;
    if (status != ABUT_OK) {
        return status;
    }
    status = abut_parts_add_vertex(parts, vertex);
    return status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(text->file, status, text->line, "vertices");
}

/// Reads a row of vertices and a reference.
static abut_status read_corners(abut_text *text, abut_parts *parts, medit_table table, int count)
{
    abut_ints *array = table == EDGES        ? &parts->segments
                       : table == TETRAHEDRA ? &parts->tets
                                             : &parts->face_vertices;
    abut_status status = ABUT_OK;
    for (int k = 0; k < count && status == ABUT_OK; ++k) {
        int vertex = 0;
        status = integer_below(text, "vertex of an element", &vertex);
        if (status == ABUT_OK && (vertex < 1 || vertex > parts->vertex_count) && !text->file->is_lenient) {
            return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                                  "an element refers to vertex %d, but vertices are numbered from 1 to %d", vertex,
                                  parts->vertex_count);
        }
        if (status == ABUT_OK) { // INT_MIN + 1 is the least that is read
            status = abut_ints_add(&parts->context, array, vertex - 1);
            status = status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(text->file, status, text->line, "corners");
        }
    }
    if (status == ABUT_OK && (table == TRIANGLES || table == QUADRILATERALS)) {
        status = abut_parts_end_face(parts);
        status = status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(text->file, status, text->line, "faces");
    }
    int reference = 0;
    return status == ABUT_OK ? integer_below(text, "reference of an element", &reference) : status;
}

static abut_status read_row(abut_text *text, abut_parts *parts, const medit_name *name)
{
    if (name->table == VERTICES) {
        return read_vertex(text, parts);
    }
    if (name->table != SKIPPED) {
        return read_corners(text, parts, name->table, name->words - 1);
    }
    abut_status status = ABUT_OK;
    for (int k = 0; k < name->words && status == ABUT_OK; ++k) {
        double ignored;
        status = number_below(text, name->name, &ignored);
    }
    return status;
}

static abut_status read_table(abut_text *text, abut_parts *parts, const medit_name *name)
{
    int count = 0;
    abut_status status = integer_below(text, "number of rows", &count);
    if (status != ABUT_OK) {
        return status;
    }
    if (count > 0 && name->table == REFUSED) {
        return abut_file_fail(text->file, ABUT_UNSUPPORTED, text->line,
                              "%s are not supported; cut them into tetrahedra", name->name);
    }
    if (name->table == VERTICES && parts->vertex_count > 0) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "there are two tables of vertices");
    }
    // a word takes at least two bytes: a digit and a blank
    if (count < 0 || 2 * (uint64_t)count * (uint64_t)name->words > (uint64_t)(text->end - text->at) + 1) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                              "%d %s are announced, but only %llu bytes follow", count, name->name,
                              (unsigned long long)(text->end - text->at));
    }
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        status = read_row(text, parts, name);
    }
    return status;
}

static abut_status read_keyword(abut_text *text, abut_parts *parts, abut_word word)
{
    int value = 0;
    if (abut_word_is(word, "Dimension")) {
        abut_status status = integer_below(text, "the dimension", &value);
        return status != ABUT_OK || value == 3 ? status
                                               : abut_file_fail(text->file, ABUT_UNSUPPORTED, text->line,
                                                                "dimension %d is not supported, only 3", value);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (abut_word_is(word, names[i].name)) {
            return read_table(text, parts, &names[i]);
        }
    }
    char quote[ABUT_QUOTE_SIZE];
    return abut_file_fail(text->file, ABUT_UNSUPPORTED, text->line, "%s is not a table of Medit that can be read",
                          abut_word_quote(word, quote));
}

abut_status abut_medit_read(const abut_file *file, abut_parts *parts)
{
    abut_text text = abut_text_open(file);
    abut_word word;
    int version = 0;
    text.comment = '#';
    if (!abut_text_word_below(&text, &word) || !abut_word_is(word, "MeshVersionFormatted")) {
        abut_status foreign = abut_refuse_foreign_content(file);
        return foreign != ABUT_OK
                   ? foreign
                   : abut_file_fail(file, ABUT_BAD_DATA, 0,
                                    "not a Medit file: it does not start with 'MeshVersionFormatted'");
    }
    abut_status status = integer_below(&text, "the version", &version);
    // version 1 has single precision
    parts->precision = version == 1 ? ABUT_PRECISION_FLOAT : ABUT_PRECISION_DOUBLE;
    int has_end = 0;
    while (status == ABUT_OK && !has_end && abut_text_word_below(&text, &word)) {
        has_end = abut_word_is(word, "End");
        status = has_end ? ABUT_OK : read_keyword(&text, parts, word);
    }
    if (status == ABUT_OK && !has_end) {
        status = abut_file_fail(file, ABUT_BAD_DATA, text.line, "the file ends without 'End'");
    }
    if (status == ABUT_OK && parts->vertex_count == 0) {
        status = abut_file_fail(file, ABUT_BAD_DATA, 0, "this Medit file has no vertices");
    }
    return status;
}
