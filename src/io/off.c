// SPDX-License-Identifier: MIT
// off.c: text OFF: vertices, then faces; faces of one or two vertices are points and segments
//
// A face may take several lines. Normals, colours and texture coordinates are skipped. The counts are checked but not trusted: arrays grow line by
// line.
#include "io/formats.h"
#include "io/number.h"
#include "io/text.h"

#include <string.h>

// Whether a word is OFF, with or without a prefix that declares more numbers for each vertex.
static int is_keyword(abut_word word)
{
    static const char *const prefixes[] = {"", "C", "N", "CN", "ST", "STC", "STN", "STCN"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i) {
        char name[8];
        (void)snprintf(name, sizeof name, "%sOFF", prefixes[i]);
        if (abut_word_is(word, name)) {
            return 1;
        }
    }
    return 0;
}

static int ends_with_off(abut_word word)
{
    const abut_word tail = {word.end - 3, word.end};
    return word.end - word.start > 3 && abut_word_is(tail, "OFF");
}

static abut_status read_keyword(abut_text *text)
{
    abut_word word, next;
    if (!abut_text_word_below(text, &word)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, 0, "this OFF file has no content");
    }
    const abut_word start = {word.start, word.start + 3};
    if (word.end - word.start > 3 && abut_word_is(start, "OFF") && word.start[3] >= '0' && word.start[3] <= '9') {
        text->at = start.end; // some programs omit the line end before the counts
        return ABUT_OK;
    }
    if (!is_keyword(word)) {
        if (ends_with_off(word)) {
            char quote[ABUT_QUOTE_SIZE];
            return abut_file_fail(text->file, ABUT_UNSUPPORTED, text->line,
                                  "%s: only OFF with three coordinates is supported", abut_word_quote(word, quote));
        }
        abut_status status = abut_refuse_foreign_content(text->file);
        return status != ABUT_OK
                   ? status
                   : abut_file_fail(text->file, ABUT_BAD_DATA, 0, "not an OFF file: it does not start with 'OFF'");
    }
    abut_text ahead = *text;
    if (abut_text_word(&ahead, &next) && abut_word_is(next, "BINARY")) {
        return abut_file_fail(text->file, ABUT_UNSUPPORTED, text->line,
                              "binary OFF is not supported; export text OFF");
    }
    return ABUT_OK;
}

// Reads the numbers of vertices, faces and edges. The number of edges is ignored: it is often wrong or missing.
static abut_status read_counts(abut_text *text, int *vertex_count, int *face_count)
{
    if (!abut_text_find_line(text)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the line with the counts is missing");
    }
    abut_status status = abut_text_integer(text, "number of vertices", vertex_count);
    if (status == ABUT_OK) {
        status = abut_text_integer(text, "number of faces", face_count);
    }
    abut_text ahead = *text;
    abut_word word;
    int ignored;
    if (status == ABUT_OK && abut_text_word(&ahead, &word)) {
        status = abut_text_integer(text, "number of edges", &ignored);
    }
    if (status == ABUT_OK && abut_text_word(text, &word)) {
        status =
            abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                           "there are more than three counts; expected the numbers of vertices, faces and edges");
    }
    if (status != ABUT_OK) {
        return status;
    }
    if (*vertex_count < 0 || *face_count < 0) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the number of %s is negative",
                              *vertex_count < 0 ? "vertices" : "faces");
    }
    if (*vertex_count == 0) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, 0, "this OFF file has no vertices");
    }
    // the shortest lines are "0 0 0" and "1 0"; the last line may lack its line end
    uint64_t least = 6 * (uint64_t)*vertex_count + 4 * (uint64_t)*face_count - 1;
    if (least > (uint64_t)(text->end - text->at)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                              "%d vertices and %d faces are announced, but only %llu bytes follow", *vertex_count,
                              *face_count, (unsigned long long)(text->end - text->at));
    }
    return ABUT_OK;
}

static abut_status begin_item(abut_text *text, const char *items, int i, int count)
{
    return abut_text_find_line(text) ? ABUT_OK
                                     : abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                                                      "the file ends after %d of %d %s", i, count, items);
}

// Skips colours and the like, which must be numbers.
static abut_status skip_numbers(abut_text *text, const char *item)
{
    abut_word word;
    while (abut_text_word(text, &word)) {
        double ignored;
        if (abut_number_parse(word.start, word.end, &ignored) == ABUT_NUMBER_MALFORMED) {
            char quote[ABUT_QUOTE_SIZE];
            return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "%s after the %s is not a number",
                                  abut_word_quote(word, quote), item);
        }
    }
    return ABUT_OK;
}

static abut_status read_vertex(abut_text *text, abut_parts *parts)
{
    abut_vec3 vertex = {0.0, 0.0, 0.0};
    abut_status status = abut_text_vec3(text, "vertex coordinate", &vertex);
    if (status == ABUT_OK) {
        status = skip_numbers(text, "vertex");
    }
    if (status != ABUT_OK) {
        return status;
    }
    status = abut_parts_add_vertex(parts, vertex);
    return status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(text->file, status, text->line, "vertices");
}

static abut_status read_face(abut_text *text, abut_parts *parts)
{
    int corner_count = 0;
    abut_status status = abut_text_integer(text, "number of corners", &corner_count);
    if (status == ABUT_OK && corner_count < 1) {
        status = abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                                "face has %d corners; it must have at least 1", corner_count);
    }
    abut_ints *array = corner_count == 1   ? &parts->points
                       : corner_count == 2 ? &parts->segments
                                           : &parts->face_vertices;
    for (int k = 0; k < corner_count && status == ABUT_OK; ++k) {
        int vertex = 0;
        (void)abut_text_find_line(text); // a face may go on in the next lines
        status = abut_text_integer(text, "vertex of a face", &vertex);
        if (status == ABUT_OK && (vertex < 0 || vertex >= parts->vertex_count) && !text->file->is_lenient) {
            return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                                  "face refers to vertex %d, but vertices are numbered from 0 to %d", vertex,
                                  parts->vertex_count - 1);
        }
        if (status == ABUT_OK) {
            status = abut_ints_add(&parts->context, array, vertex);
            status = status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(text->file, status, text->line, "corners");
        }
    }
    if (status == ABUT_OK && corner_count > 2) {
        status = abut_parts_end_face(parts);
        status = status == ABUT_OK ? ABUT_OK : abut_file_fail_growth(text->file, status, text->line, "faces");
    }
    return status == ABUT_OK ? skip_numbers(text, "face") : status;
}

abut_status abut_off_read(const abut_file *file, abut_parts *parts)
{
    abut_text text = abut_text_open(file);
    text.comment = '#';
    parts->precision = ABUT_PRECISION_DOUBLE;
    int vertex_count = 0, face_count = 0;
    abut_status status = read_keyword(&text);
    if (status == ABUT_OK) {
        status = read_counts(&text, &vertex_count, &face_count);
    }
    for (int i = 0; i < vertex_count && status == ABUT_OK; ++i) {
        status = begin_item(&text, "vertices", i, vertex_count);
        status = status == ABUT_OK ? read_vertex(&text, parts) : status;
    }
    for (int i = 0; i < face_count && status == ABUT_OK; ++i) {
        status = begin_item(&text, "faces", i, face_count);
        status = status == ABUT_OK ? read_face(&text, parts) : status;
    }
    if (status == ABUT_OK && abut_text_find_line(&text)) {
        status = abut_file_fail(file, ABUT_BAD_DATA, text.line, "there is data after the %d faces", face_count);
    }
    return status;
}

static void write_face(FILE *stream, const int *vertices, int count)
{
    (void)fprintf(stream, "%d", count);
    for (int k = 0; k < count; ++k) {
        (void)fprintf(stream, " %d", vertices[k]);
    }
    (void)fputc('\n', stream);
}

static void write_elements(FILE *stream, const abut_mesh_elements *elements)
{
    (void)fprintf(stream, "OFF\n%d %lld 0\n", elements->vertex_count,
                  (long long)elements->point_count + elements->segment_count + elements->face_count);
    for (int i = 0; i < elements->vertex_count; ++i) {
        abut_write_vec3(stream, elements->vertices[i]);
        (void)fputc('\n', stream);
    }
    for (int i = 0; i < elements->point_count; ++i) {
        write_face(stream, elements->points + i, 1);
    }
    for (int i = 0; i < elements->segment_count; ++i) {
        write_face(stream, elements->segments + 2 * (size_t)i, 2);
    }
    for (int i = 0; i < elements->face_count; ++i) {
        int begin = elements->face_offsets[i];
        write_face(stream, elements->face_vertices + begin, elements->face_offsets[i + 1] - begin);
    }
}

abut_status abut_off_write(const abut_mesh_elements *elements, const char *path, abut_error *error)
{
    const abut_file file = {.name = path, .error = error};
    if (elements->tet_count > 0) {
        return abut_file_fail(&file, ABUT_UNSUPPORTED, 0,
                              "OFF cannot hold the mesh's %d tetrahedra; write TetGen files or MSH",
                              elements->tet_count);
    }
    return abut_write_content(elements, path, write_elements, error);
}
