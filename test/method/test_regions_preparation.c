// SPDX-License-Identifier: MIT
// test_regions_preparation.c: what method regions prepares takes little memory, in few pieces, for any surface
#include "check.h"
#include "random.h"
#include "shapes.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/// A heap that counts its bytes: each block is preceded by its size.
typedef struct counting_heap {
    size_t live, most;
    int calls;
} counting_heap;

typedef union block_head {
    size_t size;
    max_align_t align;
} block_head;

static void *counting_resize(void *user, void *block, size_t size)
{
    counting_heap *heap = user;
    block_head *head = block != NULL ? (block_head *)block - 1 : NULL;
    heap->live -= head != NULL ? head->size : 0;
    if (size == 0) {
        free(head);
        return NULL;
    }
    head = realloc(head, sizeof *head + size);
    assert_non_null(head);
    head->size = size;
    heap->live += size;
    heap->most = heap->live > heap->most ? heap->live : heap->most;
    ++heap->calls;
    return head + 1;
}

/// A ball of `rows` rings of twice as many quadrilaterals, or a box with as many on its sides. With `noise`, in units
/// of a row, no two triangles are in one plane; without, both halves of a quadrilateral of the ball are.
static abut_mesh *make_round(int rows, int is_box, double noise)
{
    test_random random = {12};
    int columns = 2 * rows, vertex_count = 2 + (rows - 1) * columns, count = 0;
    abut_vec3 *vertices = malloc((size_t)vertex_count * sizeof *vertices);
    int *triangles = malloc((size_t)(rows - 1) * (size_t)columns * 6 * sizeof *triangles);
    assert_true(vertices != NULL && triangles != NULL);
    for (int i = 0; i < vertex_count; ++i) {
        int row = i < 2 ? i * rows : 1 + (i - 2) / columns, column = i < 2 ? 0 : (i - 2) % columns;
        double angle = PI * row / rows, turn = 2.0 * PI * column / columns;
        abut_vec3 p = abut_vec3_make(sin(angle) * cos(turn), sin(angle) * sin(turn), cos(angle));
        p = is_box ? abut_scale(1.0 / abut_max_component(abut_abs(p)), p) : p;
        vertices[i] = abut_scale(1.0 + random_in(&random, 0.0, noise) / rows, p);
    }
    for (int column = 0; column < columns; ++column) {
        int next = (column + 1) % columns, last = 2 + (rows - 2) * columns;
        const int caps[6] = {0, 2 + column, 2 + next, 1, last + next, last + column};
        memcpy(triangles + count, caps, sizeof caps);
        count += 6;
        for (int row = 0; row + 2 < rows; ++row) {
            int a = 2 + row * columns + column, b = 2 + row * columns + next;
            const int quad[6] = {a, a + columns, b + columns, a, b + columns, b};
            memcpy(triangles + count, quad, sizeof quad);
            count += 6;
        }
    }
    abut_mesh *mesh = make_triangles(NULL, vertices, vertex_count, triangles, count / 3);
    free(triangles);
    free(vertices);
    return mesh;
}

// On paper, for each triangle of a rough ball: a face of the B-rep (64 bytes) with a loop (16) and three coedges (12),
// 1.5 edges (60), half a vertex (6), the same again by index for triangles, mesh edges and vertices (34), and flags and
// parts (4): 196. With the box hierarchy, about 50, it is below 250. The larger the mesh, the less the rest counts. The
// number of allocations does not grow with the mesh, except for arrays that grow by halves: four times the triangles
// take at most half as many allocations more.
static void preparation_takes_little_memory(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("regions");
    abut_params params = abut_params_default();
    for (int kind = 0; kind < 3; ++kind) {
        int calls[2];
        for (int is_large = 0; is_large < 2; ++is_large) {
            abut_mesh *mesh = make_round(is_large ? 80 : 40, kind == 2, kind == 0 ? 0.2 : 0.0);
            counting_heap heap = {.calls = 0};
            abut_context context = abut_context_default();
            context.resize = counting_resize;
            context.user = &heap;
            context.worker_count = 1;
            abut_shape *shape = make_shape(&context, mesh, method, &params);
            double triangles = abut_mesh_get_elements(mesh).triangle_count;
            CHECK((double)heap.live <= 250.0 * triangles, "kind %d: %g bytes a triangle", kind,
                  (double)heap.live / triangles);
            CHECK((double)heap.most <= 350.0 * triangles, "kind %d: at most %g bytes a triangle", kind,
                  (double)heap.most / triangles);
            CHECK(kind != 0 || (double)heap.live > 200.0 * triangles, "every triangle is a face");
            calls[is_large] = heap.calls;
            abut_shape_destroy(shape);
            CHECK(heap.live == 0, "%zu bytes left", heap.live);
            abut_mesh_destroy(mesh);
        }
        CHECK(2 * calls[1] <= 3 * calls[0], "kind %d: %d allocations for 4 times the triangles, %d before", kind,
              calls[1], calls[0]);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(preparation_takes_little_memory)};
    return cmocka_run_group_tests_name("preparation for regions", tests, NULL, NULL);
}
