// SPDX-License-Identifier: MIT
// regions_preparation.c: time and memory to prepare a shape for method regions
//
// Closed surfaces of triangles of about the same size: a sphere, and one with bumps, on which no two triangles are in
// one plane. A row has the time to create a shape of the mesh and to prepare it, and the bytes that the shape then holds
// for each triangle, beside the mesh.
#include "regions_scene.h"
#include "torus.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>

enum { MOST_SIZES = 4 };

/// Each block is preceded by its size.
typedef union block_head {
    size_t size;
    max_align_t align;
} block_head;

typedef struct preparation {
    abut_context context;
    abut_mesh *mesh;
    size_t live, held; ///< bytes now, and of the last shape
    int is_done;
} preparation;

static void *counting_resize(void *user, void *block, size_t size)
{
    preparation *p = user;
    block_head *head = block != NULL ? (block_head *)block - 1 : NULL;
    size_t before = head != NULL ? head->size : 0;
    if (size == 0) {
        free(head);
        p->live -= before;
        return NULL;
    }
    head = realloc(head, sizeof *head + size);
    if (head == NULL) {
        return NULL;
    }
    head->size = size;
    p->live += size - before;
    return head + 1;
}

static uint64_t run_preparation(void *data)
{
    preparation *p = data;
    abut_shape_def def = abut_shape_def_default();
    abut_shape *shape = NULL;
    abut_error error;
    def.mesh = p->mesh;
    p->is_done = abut_shape_create(&p->context, &def, &shape, &error) == ABUT_OK &&
                 abut_shape_prepare(shape, abut_method_find("regions"), NULL, &error) == ABUT_OK;
    p->held = p->live;
    abut_shape_destroy(shape);
    return bench_hash(bench_hash(0, p->held), (uint64_t)abut_mesh_get_elements(p->mesh).triangle_count);
}

static int measure(bench_report *report, const bench_options *options, const char *name, bench_shape *shape,
                   int count, double *size)
{
    preparation p = {.context = bench_context(0)};
    abut_error error;
    if (bench_make_cube(count, shape, &p.mesh, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    p.context.resize = counting_resize;
    p.context.user = &p;
    (void)run_preparation(&p);
    int triangles = abut_mesh_get_elements(p.mesh).triangle_count;
    *size = triangles;
    bench_row row = {.scene = name,
                     .subject = "preparation for regions",
                     .calls = 1,
                     .values = {{"triangles", triangles}, {"bytes_a_triangle", (double)p.held / triangles}}};
    int done = p.is_done ? bench_measure(report, options, &row, run_preparation, &p) : bench_fail("no preparation");
    abut_mesh_destroy(p.mesh);
    return done;
}

int bench_regions_preparation(bench_report *report, const bench_options *options)
{
    static const struct {
        const char *series, *names[MOST_SIZES];
        bench_shape *shape;
    } surfaces[] = {{"preparing a rough ball", {"rough 1k", "rough 10k", "rough 100k", "rough 1m"}, bench_rough},
                    {"preparing a sphere", {"smooth 1k", "smooth 10k", "smooth 100k", "smooth 1m"}, bench_sphere}};
    int sizes = options->is_large ? MOST_SIZES : MOST_SIZES - 1;
    for (size_t i = 0; i < sizeof surfaces / sizeof surfaces[0]; ++i) {
        double x[MOST_SIZES], y[MOST_SIZES];
        int measured = 0;
        for (int k = 0, count = 1000; k < sizes; ++k, count *= 10) {
            if (!bench_wants(options, surfaces[i].names[k], NULL)) {
                continue;
            }
            if (!measure(report, options, surfaces[i].names[k], surfaces[i].shape, count, &x[measured])) {
                return 0;
            }
            x[measured] = log(x[measured]);
            y[measured++] = log(report->rows[report->count - 1].min_ns);
        }
        if (measured < 2) {
            continue;
        }
        bench_note(report, "%s: time grows as size^%.2f, from size %.0f to %.0f", surfaces[i].series,
                   regions_slope(x, y, measured), exp(x[0]), exp(x[measured - 1]));
    }
    return 1;
}
