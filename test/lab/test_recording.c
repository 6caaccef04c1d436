// SPDX-License-Identifier: MIT
// test_recording.c: recordings read back as they were written, and other files are refused
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "failing.h"

#include <abut-lab/recording.h>

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

/// A simulation with its recorder.
typedef struct run {
    abut_setup *setup;
    abut_scene *scene;
    abut_case *known;
    abut_world_def def;
    abut_simulation *simulation;
    abut_recorder *recorder;
} run;

static char folder[64];

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/// A world of a scene or a case, or if `is_scene` is -1 of any other setup, and its recorder.
static run begin_run(const abut_context *context, const char *name, int is_scene, const char *path)
{
    run r = {0};
    abut_error error;
    assert_int_equal(abut_setup_create(context, name, &r.setup, &error), ABUT_OK);
    if (is_scene > 0) {
        assert_int_equal(abut_scene_create(context, name, NULL, &r.scene, &error), ABUT_OK);
    } else if (is_scene == 0) {
        assert_int_equal(abut_case_create(context, name, NULL, &r.known, &error), ABUT_OK);
    }
    r.def = abut_setup_world_def(r.setup);
    r.def.method = abut_method_find("regions");
    assert_int_equal(abut_simulation_create(context, r.setup, &r.def, &r.simulation, &error), ABUT_OK);
    abut_recorder_def def = abut_recorder_def_default();
    def.path = path;
    def.setup = r.setup;
    def.simulation = r.simulation;
    def.known_case = r.known;
    def.known_scene = r.scene;
    def.piece_rows = 8;
    abut_status status = abut_recorder_create(context, &def, &r.recorder, &error);
    assert_int_equal(status, ABUT_OK);
    return r;
}

static void do_step(run *r, const abut_recording_timing *timing)
{
    abut_error error = {.text = ""};
    CHECK(abut_world_step(r->simulation->world, &error) == ABUT_OK, "%s", error.text);
    CHECK(abut_recorder_add(r->recorder, timing, &error) == ABUT_OK, "%s", error.text);
}

static void end_run(run *r)
{
    abut_recorder_destroy(r->recorder);
    abut_simulation_destroy(r->simulation);
    abut_setup_destroy(r->setup);
    abut_scene_destroy(r->scene);
    abut_case_destroy(r->known);
}

static void make_recording(const abut_context *context, const char *name, int is_scene, int steps, const char *path)
{
    run r = begin_run(context, name, is_scene, path);
    for (int i = 0; i < steps; ++i) {
        do_step(&r, NULL);
    }
    abut_error error;
    CHECK_STATUS(abut_recorder_finish(r.recorder, ABUT_RECORDING_DONE, NULL, &error), ABUT_OK, "finish");
    end_run(&r);
}

static abut_recording *read_whole(const char *path)
{
    abut_recording *recording = NULL;
    abut_error error = {.text = ""};
    abut_status status = abut_recording_read(NULL, path, &recording, &error);
    CHECK(status == ABUT_OK, "%s", error.text);
    assert_non_null(recording);
    return recording;
}

/// All bytes of a file; release with free().
static char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    (void)fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/// Checks that the file is refused, with one line that contains these words.
static void is_refused(const char *path, const char *words)
{
    abut_recording *recording = NULL;
    abut_error error = {.text = ""};
    abut_status status = abut_recording_read(NULL, path, &recording, &error);
    CHECK(status == ABUT_BAD_DATA && error.status == status && recording == NULL, "%s: was %s", words,
          abut_status_text(status));
    CHECK(strstr(error.text, words) != NULL && strpbrk(error.text, "\r\n") == NULL, "'%s' is not in: %s", words,
          error.text);
    abut_recording_destroy(recording);
}

// ---------------------------------------------------------------------------------------------------------------
// Recordings read back as they were written

#define SAME(a, b, member) CHECK(memcmp(&(a)->member, &(b)->member, sizeof(a)->member) == 0, "contact %d", i)

static void check_contact(const abut_recording_contact *read, const abut_world_contact *w, int i)
{
    const abut_world_contact *c = &read->item;
    CHECK(c->body_a == w->body_a && c->body_b == w->body_b, "contact %d", i);
    SAME(&c->contact, &w->contact, position);
    SAME(&c->contact, &w->contact, position_a);
    SAME(&c->contact, &w->contact, position_b);
    SAME(&c->contact, &w->contact, normal);
    SAME(&c->contact, &w->contact, gap);
    SAME(&c->contact, &w->contact, normal_speed);
    SAME(&c->contact, &w->contact, time);
    SAME(&c->contact, &w->contact, feature_a);
    SAME(&c->contact, &w->contact, feature_b);
    SAME(&c->contact, &w->contact, normal_feature);
    SAME(&c->contact, &w->contact, normal_side);
    SAME(&c->contact, &w->contact, anchor_a);
    SAME(&c->contact, &w->contact, anchor_b);
    SAME(&c->contact, &w->contact, rule);
    SAME(&c->contact, &w->contact, region);
    SAME(&c->contact, &w->contact, flags);
    SAME(&c->contact, &w->contact, id);
    SAME(c, w, friction);
    SAME(c, w, restitution);
    SAME(c, w, impulse);
}

static void check_vectors(const abut_vec3 *read, const abut_vec3 *w, int count, const char *what)
{
    CHECK(count == 0 || memcmp(read, w, (size_t)count * sizeof *w) == 0, "%s", what);
}

/// Checks that two regions are equal, with all that belongs to them, wherever it is stored.
static void check_region(const abut_recording *recording, int index, const abut_world_regions *now, int i)
{
    const abut_world_regions *all = &recording->regions;
    const abut_world_region *read = &all->items[index], *w = &now->items[i];
    const abut_region *r = &read->region, *s = &w->region;
    CHECK(read->body_a == w->body_a && read->body_b == w->body_b && r->kind == s->kind && r->rule == s->rule &&
              r->id == s->id && r->measure == s->measure && r->loop_count == s->loop_count &&
              r->normal_count == s->normal_count && r->cone_count == s->cone_count,
          "region %d", i);
    SAME(r, s, feature_a);
    SAME(r, s, feature_b);
    check_vectors(all->directions + r->normal_begin, now->directions + s->normal_begin, s->normal_count, "normals");
    for (int k = 0; k < s->loop_count; ++k) {
        const abut_region_loop *a = &all->loops[r->loop_begin + k], *b = &now->loops[s->loop_begin + k];
        CHECK(a->point_count == b->point_count && a->is_hole == b->is_hole, "loop %d of region %d", k, i);
        check_vectors(all->points + a->point_begin, now->points + b->point_begin, b->point_count, "points");
    }
    for (int k = 0; k < s->cone_count; ++k) {
        const abut_region_cone *a = &all->cones[r->cone_begin + k], *b = &now->cones[s->cone_begin + k];
        CHECK_INT(a->direction_count, b->direction_count, "directions of a cone");
        check_vectors(all->directions + a->direction_begin, now->directions + b->direction_begin,
                      b->direction_count, "directions");
    }
}

/// A second simulation of the same setup gives the numbers of the recording, bit by bit. The pillar has 40 contacts,
/// and all normals are right.
static void a_recording_has_what_the_world_had(void **state)
{
    (void)state;
    enum { STEPS = 20 };
    const char *path = path_of("pillar.h5");
    make_recording(NULL, "pillar", 1, STEPS, path);
    abut_recording *recording = read_whole(path);
    run again = begin_run(NULL, "pillar", 1, path_of("again.h5"));
    CHECK(strcmp(recording->about.scene, "pillar") == 0 && strcmp(recording->about.method, "regions") == 0 &&
              recording->about.end == ABUT_RECORDING_DONE && recording->about.dt == again.def.dt,
          "about");
    CHECK_INT(recording->step_count, STEPS, "steps");
    CHECK_INT(recording->contact_count, 40 * STEPS, "contacts");
    CHECK_INT(recording->mesh_count, again.setup->mesh_count, "meshes");
    CHECK_INT(recording->body_count, again.setup->body_count, "bodies");
    for (int i = 0; i < recording->mesh_count; ++i) {
        CHECK(abut_mesh_hash(recording->meshes[i].mesh) == abut_mesh_hash(again.setup->meshes[i].mesh), "mesh %d",
              i);
    }
    int residual = 0;
    for (int k = 0; k <= STEPS; ++k) {
        abut_world *world = again.simulation->world;
        for (int i = 0; i < recording->body_count; ++i) {
            abut_body_state now = abut_world_get_body(world, i);
            const abut_recording_state *read = &recording->states[k * recording->body_count + i];
            CHECK(memcmp(&read->pose, &now.pose, sizeof now.pose) == 0 &&
                      memcmp(&read->linear_velocity, &now.linear_velocity, sizeof now.linear_velocity) == 0 &&
                      memcmp(&read->angular_velocity, &now.angular_velocity, sizeof now.angular_velocity) == 0,
                  "step %d, body %d", k, i);
        }
        if (k > 0) {
            abut_world_report report = abut_world_get_report(world);
            const abut_recording_step *step = &recording->steps[k - 1];
            CHECK(step->step == k && step->time == report.time && step->residual == report.residual &&
                      step->iterations == report.iterations && step->residual_count == report.history_count &&
                      step->kinetic_energy == abut_world_get_energy(world).kinetic,
                  "step %d", k);
            CHECK_NEAR(step->quality, 100.0, 0.0, "quality");
            CHECK(report.history_count == 0 || memcmp(recording->residuals + residual, report.history,
                                                      (size_t)report.history_count * sizeof(double)) == 0,
                  "residuals of step %d", k);
            residual += report.history_count;
            for (int i = 0; i < report.contact_count; ++i) {
                const abut_recording_contact *read = &recording->contacts[recording->contact_begins[k - 1] + i];
                check_contact(read, &report.contacts[i], i);
                CHECK_INT(read->truth, ABUT_TRUTH_RIGHT, "truth");
            }
            CHECK(report.regions.count > 0, "no regions");
            CHECK_INT(step->region_count, report.regions.count, "regions");
            for (int i = 0; i < report.regions.count; ++i) {
                check_region(recording, recording->region_begins[k - 1] + i, &report.regions, i);
            }
        }
        do_step(&again, NULL);
    }
    CHECK_INT(recording->residual_count, residual, "residuals");
    CHECK(recording->timings == NULL, "no timings");
    abut_recording_destroy(recording);
    end_run(&again);
    CHECK_DONE();
}

/// The right normals of a case are known too. They apply as long as its bodies have hardly moved.
static void a_case_has_truth(void **state)
{
    (void)state;
    make_recording(NULL, "cliff-edges", 0, 3, path_of("cliff.h5"));
    abut_recording *recording = read_whole(path_of("cliff.h5"));
    CHECK(recording->contact_count > 0, "contacts");
    for (int i = 0; i < recording->contact_count; ++i) {
        CHECK_INT(recording->contacts[i].truth, ABUT_TRUTH_RIGHT, "truth");
    }
    abut_recording_destroy(recording);
    CHECK_DONE();
}

/// One thread and all threads give the same bytes, also a second later, because no object has a time stamp. Timings
/// change the file, but not the hash.
static void the_same_bytes(void **state)
{
    (void)state;
    abut_context serial = abut_context_default();
    serial.worker_count = 1;
    const char *paths[] = {path_of("serial.h5"), path_of("parallel.h5"), path_of("timed.h5")};
    make_recording(&serial, "wall", 1, 3, paths[0]);
    (void)sleep(1);
    make_recording(NULL, "wall", 1, 3, paths[1]);
    size_t sizes[2];
    char *bytes[2] = {bytes_of(paths[0], &sizes[0]), bytes_of(paths[1], &sizes[1])};
    CHECK(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0, "bytes");
    free(bytes[0]);
    free(bytes[1]);

    run timed = begin_run(NULL, "wall", 1, paths[2]);
    abut_error error;
    for (int i = 0; i < 3; ++i) {
        abut_recording_timing timing = {i, 1.0, 2.0, 3.0};
        do_step(&timed, &timing);
    }
    CHECK_STATUS(abut_recorder_finish(timed.recorder, ABUT_RECORDING_DONE, NULL, &error), ABUT_OK, "finish");
    end_run(&timed);
    abut_recording *a = read_whole(paths[0]), *b = read_whole(paths[2]);
    CHECK(a->hash == b->hash, "hash");
    CHECK(b->timings != NULL && b->timings[2].move == 2.0 && b->timings[2].solve == 3.0, "timings");
    abut_recording_destroy(a);
    abut_recording_destroy(b);
    CHECK_DONE();
}

/// Each phase of the clock takes some time, and together they take less than the whole step.
static void a_clock_measures_phases(void **state)
{
    (void)state;
    abut_setup *setup = NULL;
    abut_simulation *simulation = NULL;
    abut_error error;
    assert_int_equal(abut_setup_create(NULL, "pillar", &setup, &error), ABUT_OK);
    abut_world_def def = abut_setup_world_def(setup);
    abut_step_clock clock = abut_step_clock_default();
    def.callbacks = abut_step_clock_callbacks(&clock);
    assert_int_equal(abut_simulation_create(NULL, setup, &def, &simulation, &error), ABUT_OK);
    for (int i = 0; i < 2; ++i) {
        CHECK_STATUS(abut_world_step(simulation->world, &error), ABUT_OK, "step");
        CHECK(clock.timing.broad > 0.0 && clock.timing.narrow > 0.0 && clock.timing.solve > 0.0 &&
                  clock.timing.move >= 0.0,
              "%g %g %g", clock.timing.broad, clock.timing.narrow, clock.timing.solve);
        CHECK_INT(clock.phase, ABUT_PHASE_END, "phase");
    }
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

/// An unfinished recording and one of a failed run can be read. A recorder refuses invalid arguments.
static void every_end_is_readable(void **state)
{
    (void)state;
    run r = begin_run(NULL, "cliff-edges", 0, path_of("left.h5"));
    abut_error error;
    abut_recording_timing timing = {0};
    do_step(&r, NULL);
    CHECK_STATUS(abut_recorder_add(r.recorder, NULL, &error), ABUT_BAD_ARGUMENT, "the same step again");
    CHECK_STATUS(abut_world_step(r.simulation->world, &error), ABUT_OK, "step");
    CHECK_STATUS(abut_recorder_add(r.recorder, &timing, &error), ABUT_BAD_ARGUMENT, "timings from now on");
    end_run(&r);
    abut_recording *recording = read_whole(path_of("left.h5"));
    CHECK_INT(recording->about.end, ABUT_RECORDING_UNFINISHED, "end");
    CHECK_INT(recording->step_count, 1, "steps");
    abut_recording_destroy(recording);

    r = begin_run(NULL, "cliff-edges", 0, path_of("failed.h5"));
    CHECK_STATUS(abut_recorder_finish(r.recorder, ABUT_RECORDING_FAILED, "step 1: body 0", &error), ABUT_OK, "end");
    CHECK_STATUS(abut_recorder_add(r.recorder, NULL, &error), ABUT_BAD_ARGUMENT, "after the end");
    CHECK_STATUS(abut_recorder_finish(r.recorder, ABUT_RECORDING_DONE, NULL, &error), ABUT_BAD_ARGUMENT, "twice");
    end_run(&r);
    recording = read_whole(path_of("failed.h5"));
    CHECK(recording->about.end == ABUT_RECORDING_FAILED && strcmp(recording->about.reason, "step 1: body 0") == 0,
          "reason");
    CHECK_INT(recording->step_count, 0, "steps");
    abut_recording_destroy(recording);

    abut_recorder_def def = abut_recorder_def_default();
    abut_recorder *none = NULL;
    CHECK_STATUS(abut_recorder_create(NULL, &def, &none, &error), ABUT_BAD_ARGUMENT, "nothing given");
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Other files are refused

static void prefixes_are_refused(void **state)
{
    (void)state;
    const char *path = path_of("whole.h5"), *cut = path_of("cut.h5");
    make_recording(NULL, "cliff-edges", 0, 2, path);
    size_t size;
    char *bytes = bytes_of(path, &size);
    for (int i = 0; i < 40; ++i) {
        write_bytes(cut, bytes, size * (size_t)i / 40);
        is_refused(cut, "");
    }
    free(bytes);
    abut_recording *recording = NULL;
    abut_error error;
    CHECK_STATUS(abut_recording_read(NULL, path_of("none.h5"), &recording, &error), ABUT_IO, "no file");
    CHECK_STATUS(abut_recording_read(NULL, folder, &recording, &error), ABUT_IO, "a folder");
    CHECK_DONE();
}

/// Opens a copy of a good file without the table `states`.
static hid_t without_states(const char *path)
{
    size_t size;
    char *bytes = bytes_of(path_of("good.h5"), &size);
    write_bytes(path, bytes, size);
    free(bytes);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_true(H5Ldelete(file, "states", H5P_DEFAULT) >= 0);
    return file;
}

/// Writes a dataset of any type, shape and storage as `states`.
static void put_states(hid_t file, hid_t type, hid_t space, hid_t creation)
{
    hid_t data = H5Dcreate2(file, "states", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(data >= 0);
    (void)H5Dclose(data);
}

/// Soft and external links, cycles, and storage outside of the file are refused.
static void odd_storage_is_refused(void **state)
{
    (void)state;
    make_recording(NULL, "cliff-edges", 0, 2, path_of("good.h5"));
    hid_t good = H5Fopen(path_of("good.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t original = H5Dopen2(good, "states", H5P_DEFAULT), type = H5Dget_type(original);
    hsize_t rows = 6, rows_2[2] = {6, 1}, huge = (hsize_t)1 << 40, piece = 8;
    (void)H5Dclose(original);
    (void)H5Fclose(good);
    for (int kind = 0; kind < 12; ++kind) {
        char name[32];
        (void)snprintf(name, sizeof name, "odd-%d.h5", kind);
        const char *path = path_of(name);
        hid_t file = without_states(path);
        hid_t space = H5Screate_simple(1, &rows, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
        const char *says = "states: ";
        switch (kind) {
        case 0: break; // the table is missing
        case 1: assert_true(H5Lcreate_soft("/states", file, "states", H5P_DEFAULT, H5P_DEFAULT) >= 0); break;
        case 2:
            assert_true(H5Lcreate_external("good.h5", "/states", file, "states", H5P_DEFAULT, H5P_DEFAULT) >= 0);
            break;
        case 3: // a cycle of groups
            assert_true(H5Lcreate_hard(file, "/", file, "states", H5P_DEFAULT, H5P_DEFAULT) >= 0);
            break;
        case 4: // another dataset
            assert_true(H5Lcreate_hard(file, "steps", file, "states", H5P_DEFAULT, H5P_DEFAULT) >= 0);
            break;
        case 5:
            assert_true(H5Pset_external(creation, "/etc/hostname", 0, 6 * 104) >= 0);
            put_states(file, type, space, creation);
            break;
        case 6:
            assert_true(H5Pset_chunk(creation, 1, &rows) >= 0 && H5Pset_shuffle(creation) >= 0);
            put_states(file, type, space, creation);
            break;
        case 7:
            assert_true(H5Pset_virtual(creation, space, "good.h5", "states", space) >= 0);
            put_states(file, type, space, creation);
            break;
        case 8: put_states(file, H5T_IEEE_F64LE, space, creation); break;
        case 9:
            (void)H5Sclose(space);
            space = H5Screate_simple(2, rows_2, NULL);
            put_states(file, type, space, creation);
            break;
        case 10: // many rows without storage
            (void)H5Sclose(space);
            space = H5Screate_simple(1, &huge, NULL);
            assert_true(H5Pset_chunk(creation, 1, &piece) >= 0);
            put_states(file, type, space, creation);
            says = "states: has more rows than the file has room for";
            break;
        default: // the group of meshes is the root
            assert_true(H5Ldelete(file, "meshes", H5P_DEFAULT) >= 0);
            assert_true(H5Lcreate_hard(file, "/", file, "meshes", H5P_DEFAULT, H5P_DEFAULT) >= 0);
            says = "meshes/table: ";
            break;
        }
        (void)H5Pclose(creation);
        (void)H5Sclose(space);
        assert_true(H5Fclose(file) >= 0);
        is_refused(path, says);
    }
    (void)H5Tclose(type);
    CHECK_DONE();
}

/// Changes one number of a row, in a copy of a good file.
static void change(const char *path, const char *table, const char *field, hsize_t row, hid_t type,
                   const void *value)
{
    size_t size;
    char *bytes = bytes_of(path_of("good.h5"), &size);
    write_bytes(path, bytes, size);
    free(bytes);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), data = H5Dopen2(file, table, H5P_DEFAULT);
    hid_t compound = type;
    if (field != NULL) {
        compound = H5Tcreate(H5T_COMPOUND, H5Tget_size(type));
        assert_true(H5Tinsert(compound, field, 0, type) >= 0);
    }
    hsize_t one = 1;
    hid_t to = H5Dget_space(data), from = H5Screate_simple(1, &one, NULL);
    assert_true(H5Sselect_hyperslab(to, H5S_SELECT_SET, &row, NULL, &one, NULL) >= 0);
    assert_true(H5Dwrite(data, compound, from, to, H5P_DEFAULT, value) >= 0);
    if (field != NULL) {
        (void)H5Tclose(compound);
    }
    (void)H5Sclose(to);
    (void)H5Sclose(from);
    (void)H5Dclose(data);
    assert_true(H5Fclose(file) >= 0);
}

/// A recording has all settings of its run, so that the run can be repeated. Friction of ice on rock is the geometric
/// mean of 0.04 and 0.64: 0.16.
static void settings_are_recorded(void **state)
{
    (void)state;
    static const char text[] =
        "{\"schema\": 1, \"damping\": {\"linear\": 0.25, \"angular\": 0.5}, \"stabilisation\": {\"share\": 0.75},\n"
        "\"materials\": {\"ice\": {\"friction\": 0.04, \"density\": 917}, \"rock\": {\"friction\": 0.64}},\n"
        "\"pairs\": [{\"materials\": [\"ice\", \"rock\"], \"restitution\": 0.125, \"method\": \"convex\"}],\n"
        "\"meshes\": {\"b\": {\"box\": [1, 1, 1]}},\n"
        "\"bodies\": [{\"mesh\": \"b\", \"material\": \"rock\", \"mass\": 3}]}";
    abut_setup *setup = NULL;
    abut_simulation *simulation = NULL;
    abut_recorder *recorder = NULL;
    assert_int_equal(abut_setup_parse(NULL, text, sizeof text - 1, NULL, &setup, NULL), ABUT_OK);
    abut_world_def def = abut_setup_world_def(setup);
    abut_prox_params prox = abut_prox_params_default();
    prox.iteration_limit = 77;
    prox.relative_tolerance = 1e-5;
    prox.sweep = ABUT_SWEEP_FORWARD;
    def.prox = &prox;
    def.has_warm_start = 0;
    def.torsion_radius = 0.5;
    abut_params params = abut_params_default();
    params.tolerance = abut_relative(0.0625);
    def.params = &params;
    assert_int_equal(abut_simulation_create(NULL, setup, &def, &simulation, NULL), ABUT_OK);
    abut_recorder_def writing = abut_recorder_def_default();
    writing.path = path_of("settings.h5");
    writing.setup = setup;
    writing.simulation = simulation;
    assert_int_equal(abut_recorder_create(NULL, &writing, &recorder, NULL), ABUT_OK);
    assert_int_equal(abut_recorder_finish(recorder, ABUT_RECORDING_DONE, NULL, NULL), ABUT_OK);
    abut_recorder_destroy(recorder);
    abut_recording *recording = read_whole(path_of("settings.h5"));
    const abut_recording_about *about = &recording->about;
    CHECK(about->iteration_limit == 77 && about->relative_tolerance == 1e-5 && about->sweep == ABUT_SWEEP_FORWARD &&
              !about->has_warm_start && about->factor == prox.factor &&
              about->directions == abut_mcp_params_default().directions,
          "solver");
    CHECK(about->linear_damping == 0.25 && about->angular_damping == 0.5 && about->torsion_radius == 0.5 &&
              about->speed_limit == HUGE_VAL,
          "damping");
    CHECK(about->stabilisation.is_on && about->stabilisation.share == 0.75, "stabilisation");
    CHECK(strcmp(about->params, "tolerance=0.0625r") == 0, "%s", about->params);
    CHECK(recording->material_count == 2 && strcmp(recording->materials[0].name, "ice") == 0 &&
              recording->materials[0].density == 917.0 && recording->materials[1].friction == 0.64,
          "materials");
    assert_int_equal(recording->pair_count, 1);
    const abut_recording_pair *pair = &recording->pairs[0];
    CHECK_NEAR(pair->friction, 0.16, 1e-15, "friction");
    CHECK(pair->a == 0 && pair->b == 1 && pair->restitution == 0.125 && strcmp(pair->method, "convex") == 0,
          "pair");
    CHECK(recording->bodies[0].material == 1 && fabs(recording->bodies[0].mass - 3.0) < 1e-12, "body");
    abut_recording_destroy(recording);
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

static void odd_numbers_are_refused(void **state)
{
    (void)state;
    make_recording(NULL, "cliff-edges", 0, 2, path_of("good.h5"));
    static const int numbers[] = {2, 7, -1, 0, 1 << 30};
    double infinite = (double)INFINITY;
    const struct {
        const char *table, *field;
        hsize_t row;
        const int *number; ///< NULL: infinite
        const char *says;
    } rows[] = {
        {"about", "version", 0, &numbers[1], "about[0]: has another version"},
        {"about", "end", 0, &numbers[1], "about[0]: has an unknown"},
        {"about", "dt", 0, NULL, "about[0]: dt"},
        {"about", "iteration_limit", 0, &numbers[2], "about[0]: has an invalid setting"},
        {"about", "sweep", 0, &numbers[1], "about[0]: has an invalid setting"},
        {"about", "gap_rule", 0, &numbers[2], "about[0]: has an invalid setting"},
        {"about", "warm_start", 0, &numbers[0], "about[0]: has an invalid setting"},
        {"about", "relative_tolerance", 0, NULL, "about[0]: has an invalid setting"},
        {"about", "share", 0, NULL, "about[0]: has an invalid setting"},
        {"about", "linear_damping", 0, NULL, "about[0]: has an invalid setting"},
        {"about", "speed_limit", 0, NULL, NULL},
        {"materials", "density", 1, NULL, "materials[1]: "},
        {"materials", "restitution", 0, NULL, "materials[0]: "},
        {"materials", "friction", 0, NULL, NULL},
        {"bodies", "material", 1, &numbers[0], "bodies[1]: has a material that does not exist"},
        {"meshes/table", "vertices", 1, &numbers[4], "meshes/vertices[18]: there are 18 rows"},
        {"meshes/table", "tets", 0, &numbers[2], "meshes/table[0]: "},
        {"meshes/face_sizes", NULL, 2, &numbers[1], "meshes/table[0]: has faces whose sizes"},
        {"meshes/face_vertices", NULL, 0, &numbers[4], "meshes/table[0]: "},
        {"bodies", "mesh", 1, &numbers[0], "bodies[1]: has a mesh that does not exist"},
        {"bodies", "mass", 1, NULL, "bodies[1]: "},
        {"steps", "contacts", 0, &numbers[4], "steps[0]: has more contacts"},
        {"steps", "contacts", 1, &numbers[3], "contacts["},
        {"steps", "residuals", 1, &numbers[4], "residuals["},
        {"steps", "outcome", 1, &numbers[1], "steps[1]: has an unknown outcome"},
        {"steps", "time", 1, NULL, "steps[1]: "},
        {"steps", "regions", 0, &numbers[4], "steps[0]: has more regions"},
        {"steps", "regions", 1, &numbers[3], "regions/table["},
        {"regions/table", "body_a", 1, &numbers[1], "regions/table[1]: has bodies"},
        {"regions/table", "kind", 1, &numbers[1], "regions/table[1]: an unknown kind"},
        {"regions/table", "rule", 0, &numbers[1], "regions/table[0]: an unknown kind, rule or life"},
        {"regions/table", "measure", 1, NULL, "regions/table[1]: a measure"},
        {"regions/table", "loops", 0, &numbers[4], "regions/table[0]: has loops"},
        {"regions/table", "loops", 0, &numbers[3], "regions/loops["},
        {"regions/table", "normals", 0, &numbers[2], "regions/table[0]: has loops, cones or normals"},
        {"regions/table", "cones", 0, &numbers[4], "regions/table[0]: has loops, cones"},
        {"regions/loops", "points", 0, &numbers[4], "regions/loops[0]: has points"},
        {"regions/loops", "points", 0, &numbers[3], "regions/points["},
        {"regions/loops", "hole", 0, &numbers[0], "regions/loops[0]: "},
        {"regions/cones", NULL, 0, &numbers[4], "regions/cones[0]: has directions"},
        {"regions/cones", NULL, 0, &numbers[3], "regions/directions["},
        {"contacts", "region", 1, &numbers[1], "contacts[1]: has a region"},
        {"contacts", "body_a", 2, &numbers[1], "contacts[2]: has bodies"},
        {"contacts", "body_b", 2, &numbers[4], "contacts[2]: has bodies"},
        {"contacts", "rule", 1, &numbers[1], "contacts[1]: an unknown rule"},
        {"contacts", "region", 1, &numbers[2], NULL},
        {"contacts", "truth", 1, &numbers[1], "contacts[1]: has an invalid truth"},
        {"contacts", "gap", 1, NULL, "contacts[1]: a gap"},
        {"contacts", "normal_impulse", 1, NULL,
         "contacts[1]: has a negative friction, or a restitution or impulse"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const char *path = path_of("number.h5");
        change(path, rows[i].table, rows[i].field, rows[i].row,
               rows[i].number != NULL ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE,
               rows[i].number != NULL ? (const void *)rows[i].number : &infinite);
        if (rows[i].says != NULL) {
            is_refused(path, rows[i].says);
        } else { // no region, no limit, no slip: these values are valid
            abut_recording_destroy(read_whole(path));
        }
    }
    make_recording(NULL, "stop", -1, 40, path_of("good.h5")); // it has events
    const struct {
        const char *table, *field;
        const int *number; ///< NULL: infinite
        const char *says;
    } events[] = {
        {"steps", "events", &numbers[4], "steps[0]: has more events"},
        {"steps", "events", &numbers[2], "steps[0]: has a negative count"},
        {"steps", "stepped_time", NULL, "steps[0]: has an invalid stepped_time"},
        {"events", "kind", &numbers[1], "events[0]: has bodies that do not exist"},
        {"events", "body_a", &numbers[1], "events[0]: has bodies that do not exist"},
        {"events", "contacts", &numbers[2], "events[0]: has bodies that do not exist"},
        {"events", "time", NULL, "events[0]: has a time or speed"},
        {"events", "speed", NULL, "events[0]: has a time or speed"},
    };
    for (size_t i = 0; i < sizeof events / sizeof events[0]; ++i) {
        change(path_of("number.h5"), events[i].table, events[i].field, 0,
               events[i].number != NULL ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE,
               events[i].number != NULL ? (const void *)events[i].number : &infinite);
        is_refused(path_of("number.h5"), events[i].says);
    }
    make_recording(NULL, "cliff-edges", 0, 2, path_of("good.h5"));
    static const char *const vectors[] = {"regions/points", "regions/normals", "regions/directions"};
    const double nowhere[3] = {0.0, infinite, 0.0};
    const hsize_t three = 3;
    hid_t vector = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        char says[64];
        (void)snprintf(says, sizeof says, "%s[1]: is not finite", vectors[i]);
        change(path_of("number.h5"), vectors[i], NULL, 1, vector, nowhere);
        is_refused(path_of("number.h5"), says);
    }
    (void)H5Tclose(vector);
    CHECK_DONE();
}

/// Each allocation fails in turn: ABUT_NO_MEMORY, and nothing leaks.
static void memory_may_run_out(void **state)
{
    (void)state;
    make_recording(NULL, "cliff-edges", 0, 1, path_of("small.h5"));
    int calls = 0;
    for (int at = 0; at <= calls; ++at) {
        failing_heap heap = {.fail_at = at};
        abut_context context = failing_context(&heap);
        abut_recording *recording = NULL;
        abut_error error;
        abut_status status = abut_recording_read(&context, path_of("small.h5"), &recording, &error);
        CHECK(status == (at == 0 ? ABUT_OK : ABUT_NO_MEMORY), "allocation %d: %s", at, abut_status_text(status));
        abut_recording_destroy(recording);
        CHECK_INT(heap.live, 0, "blocks left");
        calls = at == 0 ? heap.calls : calls;
    }
    CHECK(calls > 10, "%d allocations", calls);
    CHECK_DONE();
}

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "abut-recording-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"pillar.h5", "again.h5",  "cliff.h5",  "serial.h5",  "parallel.h5",
                                        "timed.h5",  "left.h5",   "failed.h5", "whole.h5",   "cut.h5",
                                        "good.h5",   "number.h5", "small.h5",  "settings.h5"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        (void)remove(path_of(names[i]));
    }
    for (int i = 0; i < 12; ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "odd-%d.h5", i);
        (void)remove(path_of(name));
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_has_what_the_world_had),
        cmocka_unit_test(a_case_has_truth),
        cmocka_unit_test(the_same_bytes),
        cmocka_unit_test(a_clock_measures_phases),
        cmocka_unit_test(every_end_is_readable),
        cmocka_unit_test(prefixes_are_refused),
        cmocka_unit_test(odd_storage_is_refused),
        cmocka_unit_test(settings_are_recorded),
        cmocka_unit_test(odd_numbers_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("recording", tests, make_folder, remove_folder);
}
