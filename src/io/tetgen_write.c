// SPDX-License-Identifier: MIT
// tetgen_write.c: writes .node, .ele, .face and .edge files, numbered from 0
#include "io/formats.h"

#include "base/memory.h"

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
            return abut_file_fail_element(
                file, ABUT_UNSUPPORTED, i,
                "TetGen files can hold triangles only, but face %d has %d corners; triangulate with "
                "abut mesh convert --triangles",
                i, corner_count);
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

// Writes a first line with the count and `rest`, then items of `corner_count` vertices each.
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

// The elements to write, and the path.
typedef struct job {
    const abut_mesh_elements *elements;
    abut_file file; // the path as the user gave it
    size_t stem_length;
} job;

static abut_status make_name(const job *it, int which, char name[ABUT_PATH_SIZE])
{
    size_t extension_size = strlen(extensions[which]) + 1;
    if (it->stem_length + extension_size > ABUT_PATH_SIZE) {
        return abut_file_fail(&it->file, ABUT_IO, 0, "cannot be written: the name is too long");
    }
    memcpy(name, it->file.name, it->stem_length);
    memcpy(name + it->stem_length, extensions[which], extension_size);
    return ABUT_OK;
}

static abut_status write_one(const job *it, int which, abut_output *output)
{
    char name[ABUT_PATH_SIZE];
    abut_status status = make_name(it, which, name);
    if (status == ABUT_OK) {
        status = abut_output_open(output, name, it->file.error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    write_content(output->stream, it->elements, which);
    return abut_output_close(output);
}

// Removes a file of an earlier mesh with this name, which would be read as part of the new mesh.
static abut_status remove_stale(const job *it, int which)
{
    char name[ABUT_PATH_SIZE];
    abut_status status = make_name(it, which, name);
    if (status == ABUT_OK && remove(name) != 0 && errno != ENOENT) {
        return abut_file_fail(&it->file, ABUT_IO, 0, "the old %s file beside it cannot be removed",
                              extensions[which]);
    }
    return status;
}

// Renames the files only when all are written, so that a failure leaves the old files as they were.
static abut_status write_all(const job *it, abut_output outputs[FILE_COUNT])
{
    const abut_mesh_elements *elements = it->elements;
    const int counts[FILE_COUNT] = {elements->vertex_count, elements->tet_count, elements->face_count,
                                    elements->segment_count};
    abut_status status = ABUT_OK;
    for (int i = 0; i < FILE_COUNT && status == ABUT_OK; ++i) {
        if (counts[i] > 0) {
            status = write_one(it, i, &outputs[i]);
        }
    }
    for (int i = 0; i < FILE_COUNT && status == ABUT_OK; ++i) {
        status = counts[i] > 0 ? abut_output_publish(&outputs[i]) : remove_stale(it, i);
    }
    for (int i = 0; i < FILE_COUNT; ++i) {
        abut_output_discard(&outputs[i]);
    }
    return status;
}

abut_status abut_tetgen_write(const abut_context *context, const abut_mesh_elements *elements, const char *path,
                              size_t stem_length, abut_error *error)
{
    const job it = {elements, {.name = path, .error = error}, stem_length};
    abut_status status = check(&it.file, elements);
    if (status != ABUT_OK) {
        return status;
    }
    abut_output *outputs = abut_allocate_zeroed(context, FILE_COUNT, sizeof *outputs); // 12 KB each
    if (outputs == NULL) {
        return abut_file_fail(&it.file, ABUT_NO_MEMORY, 0, "cannot be written: out of memory");
    }
    status = write_all(&it, outputs);
    abut_free(context, outputs);
    return status;
}
