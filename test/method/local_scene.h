// SPDX-License-Identifier: MIT
// local_scene.h: two meshes and a method, and checks that every local method must pass
#ifndef ABUT_TEST_METHOD_LOCAL_SCENE_H
#define ABUT_TEST_METHOD_LOCAL_SCENE_H

#include "failing.h"
#include "random.h"
#include "shapes.h"

#include <pthread.h>
#include <stdlib.h>

static inline abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

// ---- meshes

static inline abut_mesh *make_tet_mesh(const abut_context *context, const abut_vec3 *vertices, int vertex_count,
                                       const int *tets, int tet_count)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.tets = tets;
    def.tet_count = tet_count;
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(context, &def, &mesh, &error), ABUT_OK);
    return mesh;
}

/// A block of cells of side 1, each cut into six tetrahedra, from the origin on. Its vertices are moved at random by
/// up to `jitter`, and everything is scaled then.
static inline abut_mesh *make_tet_block(const abut_context *context, const int cells[3], double jitter,
                                        uint64_t seed, double scale)
{
    static const int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}}; // from corner 0 to corner 7
    int nx = cells[0] + 1, ny = cells[1] + 1, nz = cells[2] + 1;
    int vertex_count = nx * ny * nz, tet_count = 0;
    abut_vec3 *vertices = malloc((size_t)vertex_count * sizeof *vertices);
    int *tets = malloc((size_t)vertex_count * 24 * sizeof *tets);
    assert_true(vertices != NULL && tets != NULL);
    test_random random = {seed};
    for (int i = 0; i < vertex_count; ++i) {
        int at[3] = {i % nx, i / nx % ny, i / nx / ny};
        abut_vec3 moved = abut_add(v3(at[0], at[1], at[2]), random_vec3(&random, jitter));
        vertices[i] = abut_scale(scale, moved);
        for (int t = 0; t < 6 && at[0] < cells[0] && at[1] < cells[1] && at[2] < cells[2]; ++t) {
            const int corners[4] = {0, paths[t][0], paths[t][1], 7};
            for (int k = 0; k < 4; ++k) {
                int c = corners[k];
                tets[4 * tet_count + k] = i + (c & 1) + nx * ((c >> 1 & 1) + ny * (c >> 2));
            }
            ++tet_count;
        }
    }
    abut_mesh *mesh = make_tet_mesh(context, vertices, vertex_count, tets, tet_count);
    free(vertices);
    free(tets);
    return mesh;
}

// ---- queries

/// Everything that a query needs. Start from local_begin(), end with local_end(), which destroys the meshes too.
typedef struct local_scene {
    const abut_method *method;
    abut_option option;
    abut_params params;
    abut_context context;
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_workspace *workspace;
    abut_result result;
    abut_pair pair;
} local_scene;

/// `option` is a text such as "reading=program", or NULL. The scene must not be moved in memory.
static inline void local_begin(local_scene *s, const abut_context *context, const char *method, const char *option,
                               abut_mesh *a, abut_mesh *b)
{
    memset(s, 0, sizeof *s);
    s->context = context != NULL ? *context : abut_context_default();
    s->method = abut_method_find(method);
    assert_non_null(s->method);
    s->params = abut_params_default();
    if (option != NULL) {
        abut_error error;
        assert_int_equal(abut_option_parse(s->method, option, &s->option, &error), ABUT_OK);
        s->params.options = &s->option;
        s->params.option_count = 1;
    }
    s->meshes[0] = a;
    s->meshes[1] = b;
    for (int i = 0; i < 2; ++i) {
        s->shapes[i] = make_shape(&s->context, s->meshes[i], s->method, &s->params);
    }
    assert_int_equal(abut_workspace_create(&s->context, &s->workspace), ABUT_OK);
    s->result = abut_result_default();
    s->pair = abut_pair_default(s->shapes[0], s->shapes[1]);
    s->pair.a.key = 1; // which is the first body must not depend on the shapes, as it decides in reading=program
    s->pair.b.key = 2;
}

/// Finds all contacts.
static inline void local_find(local_scene *s)
{
    abut_status status = abut_find_contacts(&s->pair, s->method, &s->params, s->workspace, &s->result);
    CHECK_STATUS(status, ABUT_OK, s->result.error.text);
}

static inline void local_end(local_scene *s)
{
    abut_workspace_destroy(s->workspace);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(s->shapes[i]);
        abut_mesh_destroy(s->meshes[i]);
    }
}

typedef struct local_expected {
    abut_vec3 position; ///< the midpoint
    abut_vec3 normal;   ///< from A to B
    double gap;
} local_expected;

/// Every expected contact is there once, and nothing else is.
static inline void local_check(const local_scene *s, const local_expected *expected, int count, const char *label)
{
    CHECK_INT(s->result.contacts.count, count, label);
    for (int i = 0; i < count; ++i) {
        int matches = 0;
        for (int k = 0; k < s->result.contacts.count; ++k) {
            const abut_contact *c = &s->result.contacts.items[k];
            matches += abut_norm(abut_sub(c->position, expected[i].position)) <= 1e-12 &&
                       abut_norm(abut_sub(c->normal, expected[i].normal)) <= 1e-12 &&
                       fabs(c->gap - expected[i].gap) <= 1e-12;
        }
        CHECK(matches == 1, "%s: contact %d is there %d times", label, i, matches);
    }
}

// ---- what must hold of every local method

static inline int local_is_same_feature(const abut_feature *p, const abut_feature *q)
{
    return p->kind == q->kind && p->index == q->index;
}

/// Features and normal features are the same; with `is_swapped`, those of q's sides exchanged.
static inline int local_has_same_features(const abut_contact *p, const abut_contact *q, int is_swapped)
{
    const abut_feature *a = is_swapped ? &q->feature_b : &q->feature_a,
                       *b = is_swapped ? &q->feature_a : &q->feature_b;
    return local_is_same_feature(&p->feature_a, a) && local_is_same_feature(&p->feature_b, b) &&
           local_is_same_feature(&p->normal_feature, &q->normal_feature);
}

/// The contacts of `moved` are those of `s`, scaled and then moved, within 1e-9 of the size, with the same features.
/// Scaling changes the shapes and with them the ids, so ids are compared only if the scale is 1.
static inline void local_check_moved(const local_scene *s, const local_scene *moved, abut_pose motion, double scale,
                                     double size)
{
    CHECK_INT(moved->result.contacts.count, s->result.contacts.count, "moved and scaled");
    for (int i = 0; i < s->result.contacts.count; ++i) {
        const abut_contact *c = &s->result.contacts.items[i];
        double nearest = HUGE_VAL;
        for (int k = 0; k < moved->result.contacts.count; ++k) {
            const abut_contact *m = &moved->result.contacts.items[k];
            if ((scale != 1.0 || c->id == m->id) && local_has_same_features(c, m, 0)) {
                abut_vec3 a = abut_pose_apply(motion, abut_scale(scale, c->position_a));
                abut_vec3 b = abut_pose_apply(motion, abut_scale(scale, c->position_b));
                double off = fmax(abut_norm(abut_sub(a, m->position_a)), abut_norm(abut_sub(b, m->position_b)));
                off = fmax(off, fabs(scale * c->gap - m->gap)) / (scale * size);
                off = fmax(off, abut_norm(abut_sub(abut_quat_rotate(motion.rotation, c->normal), m->normal)));
                nearest = fmin(nearest, off);
            }
        }
        CHECK(nearest <= 1e-9, "scale %g, contact %d of %d is off by %g", scale, i, s->result.contacts.count,
              nearest);
    }
}

/// Swapped sides give the same contacts, seen from the other side.
static inline void local_check_swapped(local_scene *s)
{
    int count = s->result.contacts.count;
    abut_contact *found = malloc(((size_t)count + 1) * sizeof *found);
    assert_non_null(found);
    if (count > 0) {
        memcpy(found, s->result.contacts.items, (size_t)count * sizeof *found);
    }
    abut_side a = s->pair.a;
    s->pair.a = s->pair.b;
    s->pair.b = a;
    local_find(s);
    CHECK_INT(s->result.contacts.count, count, "swapped");
    for (int i = 0; i < count && i < s->result.contacts.count; ++i) {
        const abut_contact *c = &s->result.contacts.items[i];
        CHECK(c->id == found[i].id && local_has_same_features(&found[i], c, 1), "swapped: contact %d", i);
        CHECK_NEAR(abut_norm(abut_add(c->normal, found[i].normal)), 0.0, 0.0, "swapped normal");
        CHECK_NEAR(c->gap, found[i].gap, 0.0, "swapped gap");
    }
    free(found);
}

/// Unit normals, gaps that agree with the positions, and anchors and features that exist.
static inline void local_check_sane(const local_scene *s)
{
    for (int i = 0; i < s->result.contacts.count; ++i) {
        const abut_contact *c = &s->result.contacts.items[i];
        const char *fault = abut_contact_fault(c, s->meshes[0], s->meshes[1]);
        CHECK(fault == NULL, "contact %d: %s", i, fault != NULL ? fault : "");
        CHECK_NEAR(abut_norm(c->normal), 1.0, 1e-14, "unit");
        CHECK_NEAR(abut_dot(c->normal, abut_sub(c->position_b, c->position_a)), c->gap, 1e-13, "gap");
    }
}

/// A scene, and the same scaled and moved. The two shapes differ, so that scaling changes which of them the library
/// takes first; the keys stay. Redundant contacts are kept: which of several equal ones the filter removes depends on
/// the first shape.
static inline void local_check_motion(const char *method, const char *option)
{
    static const int cells[3] = {2, 2, 1};
    test_random random = {11};
    int found = 0;
    for (int round = 0; round < 42; ++round) {
        double scale = pow(10.0, round % 7 - 3), size = 3.0;
        abut_pose place = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        abut_pose motion = abut_pose_make(random_vec3(&random, 2.0 * scale), random_rotation(&random));
        local_scene s[2];
        for (int i = 0; i < 2; ++i) {
            double by = i == 0 ? 1.0 : scale;
            local_begin(&s[i], NULL, method, option, make_tet_block(NULL, cells, 0.2, 3, by),
                        make_tet_block(NULL, cells, 0.2, 4, by));
            s[i].params.flags = ABUT_PARAMS_KEEP_REDUNDANT;
            s[i].pair.b.pose = abut_pose_make(abut_scale(by, place.position), place.rotation);
            if (i == 1) {
                s[i].pair.a.pose = motion;
                s[i].pair.b.pose = abut_pose_multiply(motion, s[i].pair.b.pose);
            }
            local_find(&s[i]);
        }
        local_check_sane(&s[0]);
        found += s[0].result.contacts.count;
        local_check_moved(&s[0], &s[1], motion, scale, size);
        local_check_swapped(&s[0]);
        local_end(&s[0]);
        local_end(&s[1]);
    }
    CHECK(found > 50, "%s: there was something to compare: %d", method, found);
}

typedef struct local_range {
    abut_range_task *task;
    void *data;
    int begin, end, worker;
} local_range;

static inline void *local_run_range(void *data)
{
    const local_range *r = data;
    r->task(r->data, r->begin, r->end, r->worker);
    return NULL;
}

/// The second half on another thread.
static inline void local_two_threads(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    (void)grain;
    local_range half = {task, data, count / 2, count, 1};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, local_run_range, &half), 0);
    task(data, 0, count / 2, 0);
    (void)pthread_join(thread, NULL);
}

static inline void local_one_thread(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    (void)grain;
    task(data, 0, count, 0);
}

/// Makes a scene whose shapes come from a context.
typedef void local_begin_function(local_scene *s, const abut_context *context, const char *method,
                                  const char *option);

/// One thread and two give the same bytes, and a repeated query makes no heap calls. The scene has at least
/// `least_pairs` pairs of elements.
static inline void local_check_threads_of(local_begin_function *begin, const char *method, const char *option,
                                          int least_pairs)
{
    abut_contact *found = NULL;
    int count = 0;
    for (int i = 0; i < 2; ++i) {
        failing_heap heap = {0};
        abut_context context = failing_context(&heap);
        context.parallel_for = i == 0 ? local_one_thread : local_two_threads;
        context.worker_count = 2;
        local_scene s;
        begin(&s, &context, method, option);
        local_find(&s);
        CHECK(s.result.stats.candidate_pairs >= least_pairs, "enough pairs: %lld",
              (long long)s.result.stats.candidate_pairs);
        local_find(&s); // the second query makes one block of the arena's pieces
        int calls = heap.calls;
        local_find(&s);
        CHECK_INT(heap.calls, calls, "no heap calls in a repeated query");
        if (i == 0) {
            count = s.result.contacts.count;
            found = calloc((size_t)count + 1, sizeof *found);
            assert_non_null(found);
            memcpy(found, s.result.contacts.items, (size_t)count * sizeof *found);
        }
        CHECK(count > 20, "something to compare: %d", count);
        CHECK_INT(s.result.contacts.count, count, "by two threads");
        for (int k = 0; k < count && k < s.result.contacts.count; ++k) {
            const abut_contact *c = &s.result.contacts.items[k];
            CHECK(memcmp(c, &found[k], offsetof(abut_contact, flags)) == 0 && c->flags == found[k].flags &&
                      c->id == found[k].id,
                  "contact %d by two threads", k);
        }
        local_end(&s);
        CHECK_INT(heap.live, 0, "nothing left");
    }
    free(found);
}

/// Two blocks that overlap in several hundred pairs of tetrahedra.
static inline void local_begin_blocks(local_scene *s, const abut_context *context, const char *method,
                                      const char *option)
{
    static const int cells[3] = {12, 12, 2};
    local_begin(s, context, method, option, make_tet_block(context, cells, 0.2, 5, 1.0),
                make_tet_block(context, cells, 0.2, 6, 1.0));
    s->pair.b.pose.position = v3(0.3, 0.4, 1.7);
}

/// On enough pairs for threads.
static inline void local_check_threads(const char *method, const char *option)
{
    local_check_threads_of(local_begin_blocks, method, option, 601);
}

/// Prepares both shapes and finds contacts, and releases everything; returns the first status that is not ABUT_OK.
static inline abut_status local_try(const abut_context *context, const abut_method *method,
                                    const abut_params *params, abut_mesh *const meshes[2])
{
    abut_shape *shapes[2] = {NULL, NULL};
    abut_workspace *workspace = NULL;
    abut_result result = abut_result_default();
    abut_status status = ABUT_OK;
    for (int i = 0; i < 2 && status == ABUT_OK; ++i) {
        abut_shape_def def = abut_shape_def_default();
        def.mesh = meshes[i];
        status = abut_shape_create(context, &def, &shapes[i], NULL);
        status = status == ABUT_OK ? abut_shape_prepare(shapes[i], method, params, NULL) : status;
    }
    status = status == ABUT_OK ? abut_workspace_create(context, &workspace) : status;
    if (status == ABUT_OK) {
        abut_pair pair = abut_pair_default(shapes[0], shapes[1]);
        pair.b.pose.position = v3(0.3, 0.4, 0.2);
        status = abut_find_contacts(&pair, method, params, workspace, &result);
    }
    abut_workspace_destroy(workspace);
    abut_shape_destroy(shapes[0]);
    abut_shape_destroy(shapes[1]);
    return status;
}

/// Each allocation that fails ends in ABUT_NO_MEMORY, and leaves nothing behind.
static inline void local_check_memory(const char *name, const char *text)
{
    static const int cells[3] = {2, 1, 1};
    const abut_method *method = abut_method_find(name);
    abut_params params = abut_params_default();
    abut_option option;
    if (text != NULL) {
        assert_int_equal(abut_option_parse(method, text, &option, NULL), ABUT_OK);
        params.options = &option;
        params.option_count = 1;
    }
    abut_mesh *meshes[2] = {make_tet_block(NULL, cells, 0.2, 7, 1.0), make_tet_block(NULL, cells, 0.2, 8, 1.0)};
    int fail_at = 0, is_done = 0;
    while (!is_done) {
        failing_heap heap = {.fail_at = ++fail_at};
        abut_context context = failing_context(&heap);
        abut_status status = local_try(&context, method, &params, meshes);
        is_done = heap.calls < fail_at;
        CHECK_STATUS(status, is_done ? ABUT_OK : ABUT_NO_MEMORY, "out of memory");
        CHECK_INT(heap.live, 0, "nothing left");
    }
    CHECK(fail_at > 5, "%d allocations", fail_at);
    abut_mesh_destroy(meshes[0]);
    abut_mesh_destroy(meshes[1]);
}

/// Meshes that are apart by `least` to `most` have no contacts.
static inline void local_check_apart_by(const char *method, const char *option, abut_length tolerance, double least,
                                        double most)
{
    static const int cells[3] = {2, 1, 1};
    test_random random = {13};
    local_scene s;
    local_begin(&s, NULL, method, option, make_tet_block(NULL, cells, 0.2, 7, 1.0),
                make_tet_block(NULL, cells, 0.2, 8, 1.0));
    abut_tree *trees[2];
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(abut_tree_create(NULL, s.meshes[i], ABUT_ELEMENT_TRIANGLE, &trees[i], NULL), ABUT_OK);
    }
    s.params.tolerance = tolerance;
    int tested = 0;
    for (int round = 0; round < 60; ++round) {
        double wanted = least * pow(most / least, random_in(&random, 0.005, 1.0));
        abut_pose pose = abut_pose_make(abut_scale(6.0, random_unit(&random)), random_rotation(&random));
        abut_tree_gap gap = abut_tree_distance(trees[0], trees[1], pose, HUGE_VAL);
        double step = 1.0 - wanted / gap.distance;
        pose.position = abut_add_scaled(pose.position, step, abut_sub(gap.point_a, gap.point_b));
        if (abut_tree_distance(trees[0], trees[1], pose, HUGE_VAL).distance <= least) {
            continue; // not convex: another part came nearer
        }
        ++tested;
        s.pair.b.pose = pose;
        local_find(&s);
        CHECK_INT(s.result.contacts.count, 0, "apart");
    }
    CHECK(tested > 30, "%d were apart", tested);
    for (int i = 0; i < 2; ++i) {
        abut_tree_destroy(trees[i]);
    }
    local_end(&s);
}

/// Meshes that are apart by more than the tolerance, a little or much, have no contacts.
static inline void local_check_apart(const char *method, const char *option)
{
    local_check_apart_by(method, option, abut_absolute(1e-4), 1e-4, 0.1);
}

/// What must hold of every method that takes triangles or tetrahedra, with an option.
static inline void local_check_invariants(const char *method, const char *option)
{
    local_check_motion(method, option);
    local_check_threads(method, option);
    local_check_apart(method, option);
    local_check_memory(method, option);
}

#endif
