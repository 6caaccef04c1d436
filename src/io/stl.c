// SPDX-License-Identifier: MIT
// stl.c: STL, text and binary
//
// Triangle i of the file is face i. Corners at the same position become one vertex; vertices are numbered in order
// of appearance. The normals in the file are ignored, because the corners determine them and are more often right.
#include "io/formats.h"
#include "io/text.h"
#include "io/weld.h"

#include <limits.h>
#include <string.h>

// Binary STL: 80 bytes of any text, the number of triangles; then for each the normal and the corners (12 floats)
// and two bytes, which are ignored.
enum { HEADER_SIZE = 80, PREFIX_SIZE = HEADER_SIZE + 4, RECORD_SIZE = 50, NORMAL_SIZE = 12 };

static uint32_t read_word(const char *at)
{
    const unsigned char *bytes = (const unsigned char *)at;
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static double read_float(const char *at)
{
    uint32_t word = read_word(at);
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static uint64_t binary_size(uint64_t triangle_count)
{
    return PREFIX_SIZE + RECORD_SIZE * triangle_count;
}

// Whether the size of the file is exactly the one that its count implies. This is never true for text: its bytes,
// read as a count, imply gigabytes.
static int is_binary(const abut_file *file)
{
    return file->size >= PREFIX_SIZE && binary_size(read_word(file->data + HEADER_SIZE)) == file->size;
}

// A truncated binary file may begin with "solid" too; its zero bytes tell it from text.
static int is_text(const abut_file *file)
{
    if (memchr(file->data, 0, file->size < 1024 ? file->size : 1024) != NULL) {
        return 0;
    }
    abut_text text = abut_text_open(file);
    abut_word word;
    return abut_text_word_below(&text, &word) && abut_word_is(word, "solid");
}

static abut_status add_corners(const abut_file *file, abut_weld *weld, const abut_vec3 *places, int count,
                               int64_t line)
{
    abut_parts *parts = weld->parts;
    int vertices[ABUT_WELD_BATCH];
    abut_status status = abut_weld_find(weld, places, count, vertices);
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        status = abut_ints_add(&parts->context, &parts->face_vertices, vertices[i]);
    }
    return status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(file, status, line, "corners");
}

// Reads the three corners of a record. Returns 0 if a coordinate is not finite.
static int read_record(const char *record, abut_vec3 *places)
{
    int holds = 1;
    for (int k = 0; k < 3; ++k) {
        const char *corner = record + NORMAL_SIZE + 12 * k;
        places[k] = abut_vec3_make(read_float(corner), read_float(corner + 4), read_float(corner + 8));
        holds &= isfinite(places[k].x) && isfinite(places[k].y) && isfinite(places[k].z);
    }
    return holds;
}

static abut_status read_binary(const abut_file *file, abut_weld *weld)
{
    uint32_t count = read_word(file->data + HEADER_SIZE);
    if (count > INT_MAX / 3) {
        return abut_file_fail_growth(file, ABUT_LIMIT, 0, "corners");
    }
    weld->parts->precision = ABUT_PRECISION_FLOAT;
    const char *at = file->data + PREFIX_SIZE;
    abut_vec3 places[ABUT_WELD_BATCH];
    int used = 0;
    for (uint32_t i = 0; i < count; ++i, at += RECORD_SIZE) {
        if (!read_record(at, places + used) && !file->is_lenient) {
            return abut_file_fail_element(file, ABUT_BAD_DATA, i,
                                          "triangle %lu has a coordinate that is not a finite number",
                                          (unsigned long)i);
        }
        used += 3;
        if (used == ABUT_WELD_BATCH || i + 1 == count) {
            abut_status status = add_corners(file, weld, places, used, 0);
            if (status != ABUT_OK) {
                return status;
            }
            used = 0;
        }
    }
    return ABUT_OK;
}

static abut_status expect(abut_text *text, const char *name, const char *where)
{
    abut_word word;
    if (!abut_text_word_below(text, &word)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the file ends %s; '%s' is expected", where,
                              name);
    }
    if (!abut_word_is(word, name)) {
        char quote[ABUT_QUOTE_SIZE];
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "%s %s; '%s' is expected",
                              abut_word_quote(word, quote), where, name);
    }
    return ABUT_OK;
}

// Reads a facet, after the word "facet".
static abut_status read_facet(abut_text *text, abut_weld *weld)
{
    static const char where[] = "inside a facet";
    abut_status status = expect(text, "normal", where);
    abut_word word;
    for (int k = 0; k < 3 && status == ABUT_OK; ++k) {
        if (!abut_text_word(text, &word)) {
            status = abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                                    "the normal has %d numbers; it must have 3", k);
        }
    }
    if (status == ABUT_OK) {
        status = expect(text, "outer", where);
    }
    if (status == ABUT_OK) {
        status = expect(text, "loop", where);
    }
    for (int k = 0; k < 3 && status == ABUT_OK; ++k) {
        abut_vec3 place = {0.0, 0.0, 0.0};
        status = expect(text, "vertex", where);
        if (status == ABUT_OK) {
            status = abut_text_vec3(text, "vertex coordinate", &place);
        }
        if (status == ABUT_OK) {
            status = add_corners(text->file, weld, &place, 1, text->line);
        }
    }
    if (status == ABUT_OK) {
        status = expect(text, "endloop", "after the third vertex of a facet");
    }
    return status == ABUT_OK ? expect(text, "endfacet", where) : status;
}

// Reads a solid, after the word "solid": its name, which is ignored, and its facets.
static abut_status read_solid(abut_text *text, abut_weld *weld)
{
    (void)abut_text_next_line(text);
    abut_word word;
    while (abut_text_word_below(text, &word)) {
        if (abut_word_is(word, "endsolid")) {
            (void)abut_text_next_line(text);
            return ABUT_OK;
        }
        if (!abut_word_is(word, "facet")) {
            char quote[ABUT_QUOTE_SIZE];
            return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                                  "%s inside a solid; 'facet' or 'endsolid' is expected",
                                  abut_word_quote(word, quote));
        }
        abut_status status = read_facet(text, weld);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                          "the file ends inside a solid; 'endsolid' is missing");
}

static abut_status read_text(const abut_file *file, abut_weld *weld)
{
    abut_text text = abut_text_open(file);
    weld->parts->precision = ABUT_PRECISION_DOUBLE;
    abut_word word;
    while (abut_text_word_below(&text, &word)) {
        if (!abut_word_is(word, "solid")) {
            char quote[ABUT_QUOTE_SIZE];
            return abut_file_fail(file, ABUT_BAD_DATA, text.line, "%s between solids; 'solid' is expected",
                                  abut_word_quote(word, quote));
        }
        abut_status status = read_solid(&text, weld);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

static abut_status refuse(const abut_file *file)
{
    abut_status status = abut_refuse_foreign_content(file);
    if (status != ABUT_OK) {
        return status;
    }
    if (file->size < PREFIX_SIZE) {
        return abut_file_fail(file, ABUT_BAD_DATA, 0,
                              "not an STL file: it does not start with 'solid' and is too short for binary STL");
    }
    if (memchr(file->data, '\0', PREFIX_SIZE) == NULL) {
        return abut_file_fail(
            file, ABUT_BAD_DATA, 0,
            "this is neither text STL, which starts with 'solid', nor binary STL; if it is an OBJ "
            "file, rename it to .obj");
    }
    uint32_t count = read_word(file->data + HEADER_SIZE);
    return abut_file_fail(
        file, ABUT_BAD_DATA, 0,
        "not a complete STL file: the %lu triangles of its binary header need %llu bytes, but it has %llu",
        (unsigned long)count, (unsigned long long)binary_size(count), (unsigned long long)file->size);
}

abut_status abut_stl_read(const abut_file *file, abut_parts *parts)
{
    int binary = is_binary(file);
    if (!binary && !is_text(file)) {
        return refuse(file);
    }
    // a closed surface has half as many vertices as triangles; a triangle is about 250 bytes of text
    size_t triangles = file->size / (binary ? RECORD_SIZE : 250);
    abut_weld weld;
    abut_status status = abut_weld_init(&weld, parts, file->data, file->size, triangles / 2);
    if (status != ABUT_OK) {
        return abut_file_fail_growth(file, status, 0, "vertices");
    }
    status = binary ? read_binary(file, &weld) : read_text(file, &weld);
    abut_weld_release(&weld);
    if (status == ABUT_OK && parts->vertex_count == 0) {
        status = abut_file_fail(file, ABUT_BAD_DATA, 0, "this STL file has no triangles");
    }
    return status;
}
