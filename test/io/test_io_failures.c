// SPDX-License-Identifier: MIT
// test_io_failures.c: readers when a single allocation fails and all later ones succeed
#include "check.h"
#include "failing.h"

#include <abut/io.h>

// A tetrahedron in each format that is read from memory.
typedef struct sample {
    const char *name;
    const char *text;
} sample;

static const sample samples[] = {
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"},
    {"a.off", "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n"},
    {"a.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
              "element face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
              "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n"},
    {"a.stl", "solid s\n"
              "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
              "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
              "facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n"
              "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
              "endsolid s\n"},
    {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
              "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n"},
};

// Reads a sample as a mesh or as a soup, and frees it.
static abut_status read_sample(const sample *s, int is_soup, failing_heap *heap)
{
    abut_context context = failing_context(heap);
    const abut_buffer file = {s->text, strlen(s->text), s->name};
    abut_mesh *mesh = NULL;
    abut_soup *soup = NULL;
    abut_status status = is_soup ? abut_soup_parse(&context, &file, ABUT_FORMAT_AUTO, &soup, NULL)
                                 : abut_mesh_parse(&context, &file, ABUT_FORMAT_AUTO, &mesh, NULL);
    CHECK((status == ABUT_OK) == (mesh != NULL || soup != NULL), "%s: result and status", s->name);
    abut_mesh_destroy(mesh);
    abut_soup_destroy(soup);
    return status;
}

// One allocation fails, and later ones succeed. A reader that overlooks the failure would deliver an incomplete
// mesh. Nothing leaks, even after success.
static void one_failed_allocation_is_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; ++i) {
        for (int is_soup = 0; is_soup < 2; ++is_soup) {
            failing_heap heap = {0};
            CHECK_STATUS(read_sample(&samples[i], is_soup, &heap), ABUT_OK, samples[i].name);
            CHECK_INT(heap.live, 0, samples[i].name);
            int calls = heap.calls;
            CHECK(calls > 2, "%s: %d allocations", samples[i].name, calls);
            for (int k = 1; k <= calls; ++k) {
                failing_heap failing = {.fail_at = k};
                CHECK_STATUS(read_sample(&samples[i], is_soup, &failing), ABUT_NO_MEMORY, samples[i].name);
                CHECK_INT(failing.live, 0, samples[i].name);
            }
        }
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_failed_allocation_is_noticed),
    };
    return cmocka_run_group_tests_name("failures of readers", tests, NULL, NULL);
}
