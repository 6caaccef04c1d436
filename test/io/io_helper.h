// SPDX-License-Identifier: MIT
// io_helper.h: files in memory and on disk for the tests of readers and writers
#ifndef ABUT_TEST_IO_HELPER_H
#define ABUT_TEST_IO_HELPER_H

#include "check.h"
#include "failing.h"

#include <abut/io.h>
#include <ctype.h>
#include <stdlib.h>

static inline abut_status parse_bytes(const void *data, size_t size, const char *name, abut_mesh **mesh,
                                      abut_error *error)
{
    const abut_buffer file = {data, size, name};
    return abut_mesh_parse(NULL, &file, ABUT_FORMAT_AUTO, mesh, error);
}

/// Parses a text that must be valid.
static inline abut_mesh *parse_text(const char *text, const char *name)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    abut_status status = parse_bytes(text, strlen(text), name, &mesh, &error);
    CHECK(status == ABUT_OK, "%s: %s", name, error.text);
    assert_non_null(mesh);
    return mesh;
}

/// Whether a text contains a word that is not part of a longer word or number.
static inline int has_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; *at != '\0'; ++at) {
        if (strncmp(at, word, length) == 0 && (at == text || !isalnum((unsigned char)at[-1])) &&
            !isalnum((unsigned char)at[length])) {
            return 1;
        }
    }
    return 0;
}

/// Checks an error: its status, its line (0 if there is none), and its text, which must be one line, begin with the
/// name of the file and contain all words of `words` (separated by spaces).
static inline void check_error(const abut_error *error, const char *name, abut_status expected, int line,
                               const char *words)
{
    CHECK_STATUS(error->status, expected, words);
    CHECK_INT(error->line, line, words);
    CHECK(strchr(error->text, '\n') == NULL, "'%s' is more than one line", error->text);
    char place[64];
    int length = line > 0 ? snprintf(place, sizeof place, "%s:%d: ", name, line)
                          : snprintf(place, sizeof place, "%s: ", name);
    if (!CHECK(strncmp(error->text, place, (size_t)length) == 0, "'%s' begins with '%s'", error->text, place)) {
        return;
    }
    for (const char *word = words; *word != '\0'; word += *word == ' ') {
        size_t size = strcspn(word, " ");
        CHECK(has_word(error->text + length, word, size), "'%s' has the words '%s'", error->text, words);
        word += size;
    }
}

/// Checks that a file is rejected with this status and line and these words, see check_error().
static inline void check_bytes_refused(const void *data, size_t size, const char *name, abut_status expected,
                                       int line, const char *words)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    CHECK_STATUS(parse_bytes(data, size, name, &mesh, &error), expected, words);
    CHECK(mesh == NULL, "%s", words);
    check_error(&error, name, expected, line, words);
    abut_mesh_destroy(mesh);
}

/// A text that a reader rejects, with the expected error.
typedef struct refused_text {
    const char *text;
    abut_status status;
    int line;
    const char *words;
} refused_text;

static inline void check_refused(const refused_text *cases, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i) {
        check_bytes_refused(cases[i].text, strlen(cases[i].text), name, cases[i].status, cases[i].line,
                            cases[i].words);
    }
}

static inline int same_ints(const int *a, const int *b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/// Checks that two meshes are equal, with coordinates bit for bit.
static inline void check_same(const abut_mesh *a, const abut_mesh *b, const char *label)
{
    abut_mesh_elements x = abut_mesh_get_elements(a), y = abut_mesh_get_elements(b);
    CHECK_INT(y.vertex_count, x.vertex_count, label);
    CHECK_INT(y.point_count, x.point_count, label);
    CHECK_INT(y.segment_count, x.segment_count, label);
    CHECK_INT(y.face_count, x.face_count, label);
    CHECK_INT(y.tet_count, x.tet_count, label);
    if (check_failures > 0) {
        return;
    }
    CHECK(memcmp(x.vertices, y.vertices, (size_t)x.vertex_count * sizeof *x.vertices) == 0, "vertices: %s", label);
    CHECK(same_ints(x.points, y.points, x.point_count), "points: %s", label);
    CHECK(same_ints(x.segments, y.segments, 2 * x.segment_count), "segments: %s", label);
    CHECK(same_ints(x.tets, y.tets, 4 * x.tet_count), "tets: %s", label);
    if (x.face_count > 0) {
        CHECK(same_ints(x.face_offsets, y.face_offsets, x.face_count + 1), "offsets: %s", label);
        CHECK(same_ints(x.face_vertices, y.face_vertices, x.face_offsets[x.face_count]), "faces: %s", label);
    }
}

/// Parses every truncation of a file. Each must give a mesh, or an error of one line that names the file. Returns
/// how many gave a mesh.
static inline int check_beginnings(const char *data, size_t size, const char *name)
{
    int accepted = 0;
    for (size_t length = 0; length < size; ++length) {
        char *copy = malloc(length + 1); // of exactly this size, so that a sanitizer detects reads beyond it
        assert_non_null(copy);
        memcpy(copy, data, length);
        char *exact = realloc(copy, length > 0 ? length : 1);
        abut_mesh *mesh = NULL;
        abut_error error = {.text = ""};
        abut_status status = parse_bytes(exact, length, name, &mesh, &error);
        if (status == ABUT_OK) {
            ++accepted;
        } else {
            CHECK(mesh == NULL && strncmp(error.text, name, strlen(name)) == 0, "'%s' at %zu", error.text, length);
            CHECK(strchr(error.text, '\n') == NULL, "one line at %zu", length);
        }
        abut_mesh_destroy(mesh);
        free(exact);
    }
    return accepted;
}

/// Reads with each allocation failing in turn, until it succeeds. Each failure must give ABUT_NO_MEMORY and leak
/// nothing.
static inline void check_allocation_failures(const char *path)
{
    for (int calls = 0;; ++calls) {
        failing_heap heap = {.fail_at = calls + 1};
        abut_context context = failing_context(&heap);
        abut_mesh *mesh = NULL;
        abut_error error = {.text = ""};
        abut_status status = abut_mesh_read(&context, path, ABUT_FORMAT_AUTO, &mesh, &error);
        abut_mesh_destroy(mesh);
        CHECK_INT(heap.live, 0, path);
        if (status == ABUT_OK) {
            CHECK(calls > 3, "%s was read with %d allocations", path, calls);
            return;
        }
        CHECK_STATUS(status, ABUT_NO_MEMORY, path);
        CHECK(strlen(error.text) > 0, "message");
        if (calls > 10000 || check_failures > 0) {
            CHECK(0, "%s is never read", path);
            return;
        }
    }
}

static inline void write_file(const char *path, const void *data, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(data, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

#endif
