// SPDX-License-Identifier: MIT
// fuzz_tetgen.c: any bytes as the TetGen files .node, .ele, .face and .edge, separated by '%'
#include "fuzz.h"

#include "io/formats.h"

enum { PIECE_COUNT = 4 };

// Cuts the input at the first three '%'. Missing pieces are empty.
static void cut(const uint8_t *data, size_t size, abut_file files[PIECE_COUNT], abut_error *error)
{
    const char *at = (const char *)data, *end = at + size;
    for (int i = 0; i < PIECE_COUNT; ++i) {
        const char *stop = i < PIECE_COUNT - 1 && at < end ? memchr(at, '%', (size_t)(end - at)) : NULL;
        stop = stop != NULL ? stop : end;
        files[i].context = abut_context_default();
        files[i].name = "fuzz";
        files[i].data = at;
        files[i].size = (size_t)(stop - at);
        files[i].error = error;
        at = stop < end ? stop + 1 : end;
    }
}

static abut_status read_all(const abut_file files[PIECE_COUNT], abut_parts *parts)
{
    int base = 0;
    abut_status status = abut_node_read(&files[0], parts, &base);
    if (status == ABUT_OK && files[1].size > 0) {
        status = abut_ele_read(&files[1], parts, base);
    }
    if (status == ABUT_OK && files[2].size > 0) {
        status = abut_face_read(&files[2], parts, base);
    }
    if (status == ABUT_OK && files[3].size > 0) {
        status = abut_edge_read(&files[3], parts, base);
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(data, size, ABUT_FORMAT_TETGEN);
    if (size == 0) {
        return 0;
    }
    abut_file files[PIECE_COUNT] = {{.name = NULL}};
    abut_error error = {.text = ""};
    abut_parts parts;
    abut_mesh *mesh = NULL;
    cut(data, size, files, &error);
    abut_parts_init(&parts, &files[0].context);
    abut_status status = read_all(files, &parts);
    if (status == ABUT_OK) {
        status = abut_parts_build(&parts, &mesh, &error);
    }
    check_answer(status, mesh, &error);
    // a face that was reversed points outward and is not reversed again
    if (status == ABUT_OK && parts.face_vertices.count > 0 && abut_turn_faces_outward(mesh, &parts) > 0) {
        abut_mesh_destroy(mesh);
        mesh = NULL;
        status = abut_parts_build(&parts, &mesh, &error);
        check_answer(status, mesh, &error);
        if (abut_turn_faces_outward(mesh, &parts) != 0) {
            abort();
        }
    }
    abut_mesh_destroy(mesh);
    abut_parts_release(&parts);
    return 0;
}
