// SPDX-License-Identifier: MIT
// bench_read.c: time and memory of reading mesh files: parsing, welding of STL corners, adjacency
//
// Scenes: a torus of about 100,000 triangles as binary STL and as OBJ, and with --large of 1,000,000, in a temporary
// folder. Times are per triangle. The peer assimp reads the same files and joins equal corners, but builds no
// adjacency. It must find the same number of vertices.
#define _POSIX_C_SOURCE 200809L // mkdtemp, rmdir

#include "groups.h"
#include "torus.h"
#ifdef ABUT_PEER_ASSIMP
#include "peers.h"
#endif

#include <abut/io.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct scene {
    const char *name;
    const char *extension;
    int triangles; // about as many
    int is_large;
} scene;

static const scene scenes[] = {{"torus 100k, stl", "stl", 100000, 0},
                               {"torus 100k, obj", "obj", 100000, 0},
                               {"torus 1m, stl", "stl", 1000000, 1},
                               {"torus 1m, obj", "obj", 1000000, 1}};

typedef struct mesh_file {
    char path[256];
    int vertex_count, triangle_count; // as abut reads it
} mesh_file;

// An allocator that tracks current and peak use.
typedef struct counting_heap {
    size_t used, peak;
} counting_heap;

enum { SIZE_ROOM = alignof(max_align_t) }; // in front of each block, for its size

static void *counting_resize(void *user, void *block, size_t size)
{
    counting_heap *heap = user;
    size_t old_size = 0;
    char *start = block != NULL ? (char *)block - SIZE_ROOM : NULL;
    if (start != NULL) {
        memcpy(&old_size, start, sizeof old_size);
    }
    if (size == 0) {
        heap->used -= old_size;
        free(start);
        return NULL;
    }
    // while a block is moved, both copies exist
    size_t during = heap->used + size;
    char *grown = realloc(start, SIZE_ROOM + size);
    if (grown == NULL) {
        return NULL;
    }
    memcpy(grown, &size, sizeof size);
    heap->peak = during > heap->peak ? during : heap->peak;
    heap->used = during - old_size;
    return grown + SIZE_ROOM;
}

static uint64_t run_abut(void *data)
{
    const mesh_file *file = data;
    abut_mesh *mesh;
    if (abut_mesh_read(NULL, file->path, ABUT_FORMAT_AUTO, &mesh, NULL) != ABUT_OK) {
        return 0;
    }
    uint64_t hash = bench_hash(bench_hash(0, (uint64_t)abut_mesh_get_elements(mesh).vertex_count),
                               (uint64_t)abut_mesh_get_topology(mesh).edge_count);
    abut_mesh_destroy(mesh);
    return hash;
}

static int measure_abut(bench_report *report, const bench_options *options, const scene *s, mesh_file *file)
{
    counting_heap heap = {0, 0};
    abut_context context = abut_context_default();
    context.resize = counting_resize;
    context.user = &heap;
    abut_mesh *mesh;
    abut_error error = {.text = ""};
    if (abut_mesh_read(&context, file->path, ABUT_FORMAT_AUTO, &mesh, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    file->vertex_count = abut_mesh_get_elements(mesh).vertex_count;
    file->triangle_count = abut_mesh_get_elements(mesh).triangle_count;
    double per_triangle = 1.0 / file->triangle_count;
    bench_row row = {.scene = s->name,
                     .subject = "abut",
                     .calls = file->triangle_count,
                     .values = {{"vertices", file->vertex_count},
                                {"peak_bytes_a_triangle", (double)heap.peak * per_triangle},
                                {"mesh_bytes_a_triangle", (double)heap.used * per_triangle}}};
    abut_mesh_destroy(mesh);
    return bench_measure(report, options, &row, run_abut, file);
}

#ifdef ABUT_PEER_ASSIMP
static uint64_t run_assimp(void *data)
{
    const mesh_file *file = data;
    peer_mesh_counts counts;
    return peer_assimp_read(file->path, &counts)
               ? bench_hash(bench_hash(0, (uint64_t)counts.vertices), (uint64_t)counts.triangles)
               : 0;
}

static int measure_assimp(bench_report *report, const bench_options *options, const scene *s, mesh_file *file)
{
    peer_mesh_counts counts = {0, 0};
    if (!peer_assimp_read(file->path, &counts) || counts.vertices != file->vertex_count ||
        counts.triangles != file->triangle_count) {
        return bench_fail("%s: assimp finds %d vertices and %d triangles, abut %d and %d", s->name, counts.vertices,
                          counts.triangles, file->vertex_count, file->triangle_count);
    }
    bench_row row = {.scene = s->name,
                     .subject = "assimp",
                     .calls = file->triangle_count,
                     .values = {{"vertices", counts.vertices}}};
    return bench_measure(report, options, &row, run_assimp, file);
}
#endif

static int measure_scene(bench_report *report, const bench_options *options, const scene *s, const char *folder)
{
    mesh_file file = {.path = ""};
    (void)snprintf(file.path, sizeof file.path, "%s/torus.%s", folder, s->extension);
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    abut_status status = bench_make_torus(s->triangles, &mesh, &error);
    if (status == ABUT_OK) {
        status = abut_mesh_write(mesh, file.path, ABUT_FORMAT_AUTO, &error);
    }
    abut_mesh_destroy(mesh);
    if (status != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    int done = measure_abut(report, options, s, &file);
#ifdef ABUT_PEER_ASSIMP
    done = done && measure_assimp(report, options, s, &file);
#endif
    (void)remove(file.path);
    return done;
}

int bench_read(bench_report *report, const bench_options *options)
{
    const char *place = getenv("TMPDIR");
    char folder[200];
    int length = snprintf(folder, sizeof folder, "%s/abut-bench-XXXXXX", place != NULL ? place : "/tmp");
    if (length >= (int)sizeof folder || mkdtemp(folder) == NULL) {
        return bench_fail("no temporary folder can be made: see TMPDIR");
    }
    int done = 1;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes && done; ++i) {
        if (!scenes[i].is_large || options->is_large) {
            done = measure_scene(report, options, &scenes[i], folder);
        }
    }
    (void)rmdir(folder);
    return done;
}
