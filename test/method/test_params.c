// SPDX-License-Identifier: MIT
// test_params.c: structs of older versions of the library, and the numbers of options
#include "base/context.h"
#include "method/params.h"
#include "shapes.h"

#include <locale.h>
#include <stdlib.h>

// What a program has that was built when the struct ended at `size`: a block of just that size, so that the address
// sanitizer sees who reads further.
static void *older(const void *current, size_t size)
{
    void *block = malloc(size);
    assert_non_null(block);
    memcpy(block, current, size);
    memcpy(block, &size, sizeof size);
    return block;
}

static void *own_resize(void *user, void *block, size_t size)
{
    (void)user;
    return abut_context_default().resize(NULL, block, size);
}

static void own_parallel_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    (void)grain;
    task(data, 0, count, 0);
}

// A context that ended after `resize` gets the rest from the default one; a whole one is taken as it is; functions that
// are missing are the default ones.
static void older_contexts_are_completed(void **state)
{
    (void)state;
    const abut_context standard = abut_context_default();
    abut_context own = standard;
    int user = 0;
    own.resize = own_resize;
    own.parallel_for = own_parallel_for;
    own.worker_count = 77;
    own.user = &user;
    abut_context *old = older(&own, offsetof(abut_context, parallel_for));
    abut_context read = abut_context_or_default(old);
    CHECK(read.resize == own_resize && read.parallel_for == standard.parallel_for && read.user == NULL, "older");
    CHECK_INT(read.worker_count, standard.worker_count, "older");
    CHECK_INT(read.struct_size, sizeof read, "as large as what it is now");
    abut_mesh *mesh = make_box(old, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1));
    free(old);
    abut_mesh_destroy(mesh);
    read = abut_context_or_default(&own);
    CHECK(read.resize == own_resize && read.parallel_for == own_parallel_for && read.user == &user, "whole");
    CHECK_INT(read.worker_count, 77, "whole");
    own.resize = NULL;
    own.parallel_for = NULL;
    read = abut_context_or_default(&own);
    CHECK(read.resize == standard.resize && read.parallel_for == standard.parallel_for, "none");
    CHECK_INT(read.worker_count, standard.worker_count, "goes with the loops");
    CHECK_DONE();
}

// Parameters that ended before `merge` keep what they have, and the rest is as by default.
static void older_params_are_completed(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("intersection");
    abut_params params = abut_params_default();
    params.envelope = abut_absolute(0.25);
    params.merge = abut_absolute(NAN); // not there for a program that is older
    params.option_count = -5;
    abut_params *old = older(&params, offsetof(abut_params, merge));
    abut_params read;
    CHECK_STATUS(abut_params_read(old, method, &read, NULL), ABUT_OK, "older");
    CHECK_NEAR(read.envelope.value, 0.25, 0.0, "its own");
    CHECK_NEAR(read.merge.value, abut_params_default().merge.value, 0.0, "the default");
    CHECK_INT(read.option_count, 0, "the default");
    free(old);
    CHECK_DONE();
}

// The whole way to a query with definitions, parameters and a pair that all are older.
static void older_structs_go_all_the_way(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("intersection");
    const abut_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = corners;
    def.vertex_count = 4;
    def.face_vertices = faces;
    def.face_count = 4;
    abut_mesh_def *old_def = older(&def, offsetof(abut_mesh_def, precision));
    abut_mesh *mesh = NULL;
    CHECK_STATUS(abut_mesh_create(NULL, old_def, &mesh, NULL), ABUT_OK, "mesh");
    abut_shape_def shape_def = abut_shape_def_default();
    shape_def.mesh = mesh;
    abut_shape_def *old_shape_def = older(&shape_def, offsetof(abut_shape_def, dilation));
    abut_shape *shape = NULL;
    CHECK_STATUS(abut_shape_create(NULL, old_shape_def, &shape, NULL), ABUT_OK, "shape");
    CHECK_NEAR(abut_shape_dilation(shape), 0.0, 0.0, "the default");
    const abut_params params = abut_params_default();
    abut_params *old_params = older(&params, offsetof(abut_params, angle));
    CHECK_STATUS(abut_shape_prepare(shape, method, old_params, NULL), ABUT_OK, "prepare");
    abut_pair pair = abut_pair_default(shape, shape);
    pair.b.pose.position = abut_vec3_make(0.25, 0.25, 0.125);
    abut_pair *old_pair = older(&pair, offsetof(abut_pair, dt));
    abut_workspace *work;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    int counts[2];
    for (int i = 0; i < 2; ++i) {
        abut_result result = abut_result_default();
        abut_status status =
            abut_find_contacts(i == 0 ? old_pair : &pair, method, i == 0 ? old_params : &params, work, &result);
        CHECK_STATUS(status, ABUT_OK, "query");
        counts[i] = result.contacts.count;
    }
    CHECK_INT(counts[0], counts[1], "older and new");
    abut_brep_params brep_params = abut_brep_params_default();
    abut_brep_params *old_brep_params = older(&brep_params, offsetof(abut_brep_params, planarity));
    abut_brep *brep = NULL;
    CHECK_STATUS(abut_brep_create(NULL, mesh, old_brep_params, &brep, NULL), ABUT_OK, "B-rep");
    abut_brep_destroy(brep);
    free(old_brep_params);
    abut_workspace_destroy(work);
    free(old_pair);
    free(old_params);
    abut_shape_destroy(shape);
    free(old_shape_def);
    abut_mesh_destroy(mesh);
    free(old_def);
    CHECK_DONE();
}

// A point is a point in every locale; a number is decimal and all there is.
static void option_numbers_are_the_same_in_every_locale(void **state)
{
    (void)state;
    static const abut_option_info info[] = {{.name = "theta", .lower = -1e9, .upper = 1e9}};
    const abut_method row = {.name = "test", .options = info, .option_count = 1};
    static const char *const locales[] = {"C", "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"};
    for (size_t k = 0; k < sizeof locales / sizeof locales[0]; ++k) {
        if (setlocale(LC_NUMERIC, locales[k]) == NULL) {
            continue; // not installed
        }
        abut_option option;
        abut_error error;
        CHECK_STATUS(abut_option_parse(&row, "theta=2.5", &option, &error), ABUT_OK, locales[k]);
        CHECK_NEAR(option.value, 2.5, 0.0, locales[k]);
        CHECK_STATUS(abut_option_parse(&row, "theta=-1e-3", &option, &error), ABUT_OK, locales[k]);
        CHECK_NEAR(option.value, -0.001, 0.0, locales[k]);
        static const char *const wrong[] = {"theta=2,5", "theta=0x10",  "theta= 2", "theta=2 ",  "theta=inf",
                                            "theta=nan", "theta=1e999", "theta=",   "theta=1e+", "theta=2.5x"};
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
            CHECK_STATUS(abut_option_parse(&row, wrong[i], &option, &error), ABUT_BAD_ARGUMENT, wrong[i]);
        }
    }
    (void)setlocale(LC_NUMERIC, "C");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_contexts_are_completed),
        cmocka_unit_test(older_params_are_completed),
        cmocka_unit_test(older_structs_go_all_the_way),
        cmocka_unit_test(option_numbers_are_the_same_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
