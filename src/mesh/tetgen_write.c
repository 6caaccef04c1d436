// SPDX-License-Identifier: MIT
// tetgen_write.c: writes .node, .ele, .face and .edge files, numbered from 0
#include "mesh/formats.h"

#include <errno.h>
#include <string.h>

enum { NODE, ELE, FACE, EDGE, FILE_COUNT };
static const char *const extensions[FILE_COUNT] = {".node", ".ele", ".face", ".edge"};

static abut_status check(const abut_file *file, const abut_mesh_elements *elements)
{
    if (elements->point_count > 0) {
        return abut_file_fail(file, ABUT_UNSUPPORTED, 0, "TetGen files cannot hold points; write OBJ");
    }
    for (int i = 0; i < elements->face_count; ++i) {
        int corner_count = elements->face_offsets[i + 1] - elements->face_offsets[i];
        if (corner_count != 3) {
            return abut_file_fail_element(file, ABUT_UNSUPPORTED, i,
                                          "TetGen's faces are triangles; face %d has %d corners", i, corner_count);
        }
    }
    return ABUT_OK;
}

static void write_nodes(FILE *stream, const abut_mesh_elements *elements)
{
    (void)fprintf(stream, "%d 3 0 0\n", elements->vertex_count);
    for (int i = 0; i < elements->vertex_count; ++i) {
        (void)fprintf(stream, "%d ", i);
        abut_write_vec3(stream, elements->vertices[i]);
        (void)fputc('\n', stream);
    }
}

// A first line of the count and `rest`, then items of `corner_count` vertices.
static void write_items(FILE *stream, const char *rest, const int *items, int count, int corner_count)
{
    (void)fprintf(stream, "%d %s\n", count, rest);
    for (int i = 0; i < count; ++i) {
        (void)fprintf(stream, "%d", i);
        for (int k = 0; k < corner_count; ++k) {
            (void)fprintf(stream, " %d", items[(size_t)i * (size_t)corner_count + (size_t)k]);
        }
        (void)fputc('\n', stream);
    }
}

static void write_content(FILE *stream, const abut_mesh_elements *elements, int which)
{
    switch (which) {
    case NODE: write_nodes(stream, elements); break;
    case ELE: write_items(stream, "4 0", elements->tets, elements->tet_count, 4); break;
    case FACE: write_items(stream, "0", elements->face_vertices, elements->face_count, 3); break;
    default: write_items(stream, "0", elements->segments, elements->segment_count, 2); break;
    }
}

static abut_status write_one(abut_output *output, const char *path, int which, const abut_mesh_elements *elements,
                             abut_error *error)
{
    char name[ABUT_PATH_SIZE];
    if (snprintf(name, sizeof name, "%s%s", path, extensions[which]) >= (int)sizeof name) {
        const abut_file file = {.name = path, .error = error};
        return abut_file_fail(&file, ABUT_IO, 0, "cannot be written: its name is too long");
    }
    abut_status status = abut_output_open(output, name, error);
    if (status != ABUT_OK) {
        return status;
    }
    write_content(output->stream, elements, which);
    return abut_output_close(output);
}

// A file of an earlier mesh under this name would be read as part of the new one.
static abut_status remove_stale(const char *path, int which, abut_error *error)
{
    char name[ABUT_PATH_SIZE];
    (void)snprintf(name, sizeof name, "%s%s", path, extensions[which]);
    if (remove(name) != 0 && errno != ENOENT) {
        const abut_file file = {.name = name, .error = error};
        return abut_file_fail(&file, ABUT_IO, 0, "this old file cannot be removed");
    }
    return ABUT_OK;
}

abut_status abut_tetgen_write(const abut_mesh_elements *elements, const char *path, abut_error *error)
{
    const abut_file file = {.name = path, .error = error};
    abut_status status = check(&file, elements);
    if (status != ABUT_OK) {
        return status;
    }
    const int counts[FILE_COUNT] = {elements->vertex_count, elements->tet_count, elements->face_count,
                                    elements->segment_count};
    abut_output outputs[FILE_COUNT];
    memset(outputs, 0, sizeof outputs);
    for (int i = 0; i < FILE_COUNT && status == ABUT_OK; ++i) {
        if (counts[i] > 0) {
            status = write_one(&outputs[i], path, i, elements, error);
        }
    }
    for (int i = 0; i < FILE_COUNT && status == ABUT_OK; ++i) {
        status = counts[i] > 0 ? abut_output_publish(&outputs[i]) : remove_stale(path, i, error);
    }
    for (int i = 0; i < FILE_COUNT; ++i) {
        abut_output_discard(&outputs[i]);
    }
    return status;
}
