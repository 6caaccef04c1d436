// SPDX-License-Identifier: MIT
// io_helper.h: files in memory and on disk for the tests of readers and writers
#ifndef ABUT_TEST_IO_HELPER_H
#define ABUT_TEST_IO_HELPER_H

#include "check.h"

#include <abut/io.h>
#include <stdlib.h>

static inline abut_status parse_bytes(const void *data, size_t size, const char *name, abut_mesh **mesh,
                                      abut_error *error)
{
    const abut_buffer file = {data, size, name};
    return abut_mesh_parse(NULL, &file, ABUT_FORMAT_AUTO, mesh, error);
}

/// A mesh of a text that must be right.
static inline abut_mesh *parse_text(const char *text, const char *name)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    abut_status status = parse_bytes(text, strlen(text), name, &mesh, &error);
    CHECK(status == ABUT_OK, "%s: %s", name, error.text);
    assert_non_null(mesh);
    return mesh;
}

/// Checks that a text is refused with this status, line and message.
static inline void check_refused(const char *text, const char *name, abut_status expected, int line,
                                 const char *message)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    abut_status status = parse_bytes(text, strlen(text), name, &mesh, &error);
    CHECK_STATUS(status, expected, message);
    CHECK(mesh == NULL, "%s", message);
    CHECK_INT(error.line, line, message);
    CHECK_STATUS(error.status, expected, message);
    CHECK(strcmp(error.text, message) == 0, "got '%s', expected '%s'", error.text, message);
    abut_mesh_destroy(mesh);
}

static inline int same_ints(const int *a, const int *b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/// Checks that two meshes are the same, coordinates bit by bit.
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

/// Parses every beginning of a file: each must give an error of one line that names the file, or a mesh.
/// Returns how many gave a mesh.
static inline int check_beginnings(const char *data, size_t size, const char *name)
{
    int accepted = 0;
    for (size_t length = 0; length < size; ++length) {
        char *copy = malloc(length + 1); // of its own size, so that a sanitizer sees a read beyond it
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

/// A context whose allocations fail from the n-th on, and that counts what is not freed.
typedef struct failing_memory {
    int calls_left;
    int blocks;
} failing_memory;

static inline void *failing_resize(void *user, void *block, size_t size)
{
    failing_memory *memory = user;
    if (size == 0) {
        memory->blocks -= block != NULL;
        return abut_context_default().resize(NULL, block, 0);
    }
    if (memory->calls_left-- <= 0) {
        return NULL;
    }
    memory->blocks += block == NULL;
    return abut_context_default().resize(NULL, block, size);
}

/// Reads with every allocation failing in turn: ABUT_NO_MEMORY and nothing left over, until it succeeds.
static inline void check_allocation_failures(const char *path)
{
    for (int calls = 0;; ++calls) {
        failing_memory memory = {calls, 0};
        abut_context context = abut_context_default();
        context.resize = failing_resize;
        context.user = &memory;
        abut_mesh *mesh = NULL;
        abut_error error = {.text = ""};
        abut_status status = abut_mesh_read(&context, path, ABUT_FORMAT_AUTO, &mesh, &error);
        abut_mesh_destroy(mesh);
        CHECK_INT(memory.blocks, 0, path);
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
