// SPDX-License-Identifier: MIT
// test_complex_file.c: saving and loading complexes; damaged and forged ones are refused
#include "complex/hierarchy.h"
#include "effort.h"
#include "failing.h"
#include "random_bodies.h"

/// Searches a complex against itself, moved aside. Returns a hash-like sum of what was found.
static double search(const abut_complex *complex, int *count)
{
    abut_lmd_set *set = NULL;
    assert_int_equal(abut_lmd_set_create(NULL, &set), ABUT_OK);
    abut_lmd_def def = abut_lmd_def_default();
    def.a = def.b = complex;
    def.reach = 1.0;
    def.b_to_a.position = v3(1.2, 0.3, 0.1);
    CHECK_STATUS(abut_find_lmds(&def, set, NULL), ABUT_OK, "search");
    abut_lmd_view view = abut_lmd_set_get(set);
    double sum = 0.0;
    for (int i = 0; i < view.count; ++i) {
        sum += (i + 1) * view.items[i].distance;
    }
    *count = view.count;
    abut_lmd_set_destroy(set);
    return sum;
}

// What is loaded is what was saved: the same bytes when saved again, and the same answers.
static void round_trip(void **state)
{
    (void)state;
    test_random random = {81};
    for (int i = 0; i < 8; ++i) {
        abut_mesh *mesh = make_random_body(&random, i % 4);
        abut_complex *complex = make_complex(NULL, mesh), *loaded = NULL;
        size_t size = abut_complex_saved_size(complex);
        unsigned char *bytes = malloc(size), *again = malloc(size);
        abut_complex_save(complex, bytes);
        abut_error error;
        abut_status status = abut_complex_load(NULL, bytes, size, &loaded, &error);
        CHECK(status == ABUT_OK, "load: %s", error.text);
        CHECK_INT((int)abut_complex_saved_size(loaded), (int)size, "size");
        abut_complex_save(loaded, again);
        CHECK(memcmp(bytes, again, size) == 0, "bytes");
        int count, loaded_count;
        double sum = search(complex, &count), loaded_sum = search(loaded, &loaded_count);
        CHECK(sum == loaded_sum && count == loaded_count && count > 0, "answers");
        abut_complex_destroy(complex);
        abut_complex_destroy(loaded);
        abut_mesh_destroy(mesh);
        free(bytes);
        free(again);
    }
    CHECK_DONE();
}

// Cut short, or with one bit changed anywhere: refused. Changed and sealed again, as by a forger: refused, or a complex
// that can be searched.
static void damaged(void **state)
{
    (void)state;
    test_random random = {91};
    abut_mesh *mesh = make_scraps(&random, 0.1);
    abut_complex *complex = make_complex(NULL, mesh), *loaded = NULL;
    size_t size = abut_complex_saved_size(complex);
    unsigned char *bytes = malloc(size);
    abut_complex_save(complex, bytes);
    abut_error error;
    for (size_t cut = 0; cut < size; cut += 1 + cut / 7) {
        CHECK_STATUS(abut_complex_load(NULL, bytes, cut, &loaded, &error), ABUT_BAD_DATA, "cut short");
    }
    int refused = 0, count = sample_count(3000, 100000);
    for (int i = 0; i < count; ++i) {
        size_t at = (size_t)(random_bits(&random) % size);
        unsigned char bit = (unsigned char)(1u << random_below(&random, 8)), before = bytes[at];
        bytes[at] ^= bit;
        abut_status status = abut_complex_load(NULL, bytes, size, &loaded, &error);
        CHECK(status == ABUT_BAD_DATA, "a changed bit at %d", (int)at);
        abut_complex_destroy(loaded);
        abut_complex_seal(bytes, size);
        status = abut_complex_load(NULL, bytes, size, &loaded, &error);
        CHECK(status == ABUT_OK || status == ABUT_BAD_DATA, "status %d", (int)status);
        refused += status != ABUT_OK;
        if (status == ABUT_OK) {
            int found;
            (void)search(loaded, &found);
        }
        abut_complex_destroy(loaded);
        bytes[at] = before;
        abut_complex_seal(bytes, size);
    }
    CHECK(refused > count / 10, "only %d of %d refused", refused, count);
    abut_complex_destroy(complex);
    abut_mesh_destroy(mesh);
    free(bytes);
    CHECK_DONE();
}

/// Loads a saved complex with one number changed, sealed again; then puts the number back.
static abut_status load_with(unsigned char *bytes, size_t size, size_t at, int value)
{
    abut_complex *loaded = NULL;
    int before;
    memcpy(&before, bytes + at, sizeof before);
    memcpy(bytes + at, &value, sizeof value);
    abut_complex_seal(bytes, size);
    abut_status status = abut_complex_load(NULL, bytes, size, &loaded, NULL);
    abut_complex_destroy(loaded);
    memcpy(bytes + at, &before, sizeof before);
    return status;
}

// Every index of every array, set to -1000000, to 1000000 and to INT_MAX: refused. The arrays of indices lie between the
// nodes and the classes.
static void every_index(void **state)
{
    (void)state;
    test_random random = {95};
    abut_mesh *mesh = make_cells(&random, 0.1);
    abut_complex *complex = make_complex(NULL, mesh);
    size_t size = abut_complex_saved_size(complex);
    unsigned char *bytes = malloc(size);
    abut_complex_save(complex, bytes);
    size_t triangles = (size_t)complex->info.triangle_count, edges = (size_t)complex->info.edge_count;
    size_t indices = 3 * triangles + 2 * triangles + 2 * edges + edges + 1 + 3 * triangles +
                     (size_t)complex->vertex_count + 1 + 2 * edges;
    size_t classes = (size_t)complex->vertex_count + edges + triangles;
    size_t first = size - triangles - classes - indices * sizeof(int);
    const int values[3] = {-1000000, 1000000, INT32_MAX};
    for (size_t i = 0; i < indices; ++i) {
        for (int k = 0; k < 3; ++k) {
            abut_status status = load_with(bytes, size, first + i * sizeof(int), values[k]);
            CHECK(status == ABUT_BAD_DATA, "index %zu of %zu: %d was taken", i, indices, values[k]);
        }
    }
    for (size_t i = 0; i < classes; ++i) { // and every class, with each one that its simplex cannot have
        size_t at = size - triangles - classes + i, vertices = (size_t)complex->vertex_count;
        const char *wrong = i < vertices ? "\2\5\6\10" : i < vertices + edges ? "\1\3\4\6" : "\1\4\5\7";
        unsigned char before = bytes[at];
        for (int k = 0; k < 4; ++k) {
            abut_complex *loaded = NULL;
            bytes[at] = (unsigned char)wrong[k];
            abut_complex_seal(bytes, size);
            CHECK(abut_complex_load(NULL, bytes, size, &loaded, NULL) == ABUT_BAD_DATA, "class of %zu: %d", i,
                  wrong[k]);
            abut_complex_destroy(loaded);
        }
        bytes[at] = before;
    }
    for (int i = 0; i < complex->node_count; ++i) { // and every child of a node
        size_t nodes = first - (size_t)complex->node_count * sizeof(abut_lmd_node);
        for (size_t k = 0; k < ABUT_LMD_CHILDREN; ++k) {
            size_t at =
                nodes + (size_t)i * sizeof(abut_lmd_node) + offsetof(abut_lmd_node, child) + k * sizeof(int);
            CHECK(load_with(bytes, size, at, 1000000) == ABUT_BAD_DATA, "node %d, child %zu", i, k);
            CHECK(load_with(bytes, size, at, ~1000000) == ABUT_BAD_DATA, "node %d, child %zu", i, k);
        }
    }
    CHECK_STATUS(load_with(bytes, size, first, complex->triangles[0]), ABUT_OK, "unchanged");
    abut_complex_destroy(complex);
    abut_mesh_destroy(mesh);
    free(bytes);
    CHECK_DONE();
}

static void no_memory(void **state)
{
    (void)state;
    abut_mesh *mesh = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    abut_complex *complex = make_complex(NULL, mesh);
    size_t size = abut_complex_saved_size(complex);
    void *bytes = malloc(size);
    abut_complex_save(complex, bytes);
    int fail_at = 0;
    for (abut_status status = ABUT_NO_MEMORY; status == ABUT_NO_MEMORY; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at + 1};
        abut_context context = failing_context(&heap);
        abut_complex *loaded = NULL;
        abut_error error;
        status = abut_complex_load(&context, bytes, size, &loaded, &error);
        abut_complex_destroy(loaded);
        CHECK_INT(heap.live, 0, "leak");
    }
    CHECK(fail_at > 10, "only %d allocations", fail_at);
    free(bytes);
    abut_complex_destroy(complex);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(damaged),
        cmocka_unit_test(every_index),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
