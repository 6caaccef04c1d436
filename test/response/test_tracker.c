// SPDX-License-Identifier: MIT
// test_tracker.c: penalty impulses of two meshes: on paper, over steps, over tessellations, and against single pairs
#include "../mesh/tessellate.h"
#include "check.h"
#include "failing.h"
#include "shapes.h"

#include <abut/response.h>
#include <stdlib.h>

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

/// Two bodies and a tracker. B moves; A stays unless a test moves it.
typedef struct tracked_scene {
    abut_context context;
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_tracker *tracker;
    abut_response_params params;
    abut_response response;
    abut_pair pair;
    abut_pose ends[2];
} tracked_scene;

static void begin_scene(tracked_scene *s, const abut_context *context, abut_mesh *a, abut_mesh *b)
{
    s->context = context != NULL ? *context : abut_context_default();
    s->meshes[0] = a;
    s->meshes[1] = b;
    const abut_method *method = abut_method_find("continuous");
    for (int i = 0; i < 2; ++i) {
        s->shapes[i] = make_shape(&s->context, s->meshes[i], method, NULL);
        s->ends[i] = abut_pose_identity();
    }
    abut_error error;
    assert_int_equal(abut_tracker_create(&s->context, &s->tracker, &error), ABUT_OK);
    s->params = abut_response_params_default();
    s->pair = abut_pair_default(s->shapes[0], s->shapes[1]);
    s->pair.dt = 1.0;
    s->pair.a.end_pose = &s->ends[0];
    s->pair.b.end_pose = &s->ends[1];
}

static void end_scene(tracked_scene *s)
{
    abut_tracker_destroy(s->tracker);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(s->shapes[i]);
        abut_mesh_destroy(s->meshes[i]);
    }
}

/// A step in which B moves on to a place; A stays. Both in a common frame.
static void step_to(tracked_scene *s, abut_pose frame, abut_vec3 place)
{
    abut_error error;
    s->pair.a.pose = s->ends[0] = frame;
    s->ends[1] = abut_pose_make(abut_pose_apply(frame, place), frame.rotation);
    CHECK_STATUS(abut_tracker_step(s->tracker, &s->pair, &s->params, &s->response, &error), ABUT_OK, "step");
    abut_tracker_commit(s->tracker);
    s->pair.b.pose = s->ends[1];
}

static void start_at(tracked_scene *s, abut_pose frame, abut_vec3 place)
{
    s->pair.b.pose = abut_pose_make(abut_pose_apply(frame, place), frame.rotation);
}

static void check_vector(abut_vec3 actual, abut_vec3 expected, double tolerance, const char *label)
{
    CHECK(abut_norm(abut_sub(actual, expected)) <= tolerance, "%s: %.15g %.15g %.15g, expected %.15g %.15g %.15g",
          label, actual.x, actual.y, actual.z, expected.x, expected.y, expected.z);
}

/// One large triangle in the plane z = 0.
static abut_mesh *make_floor(void)
{
    const abut_vec3 corners[3] = {{-20, -20, 0}, {20, -20, 0}, {0, 30, 0}};
    const int triangle[3] = {0, 1, 2};
    return make_triangles(NULL, corners, 3, triangle, 1);
}

/// A tetrahedron on its tip, at the origin.
static abut_mesh *make_tip(void)
{
    const abut_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 2}, {-1, 1, 2}, {-1, -1, 2}};
    return make_tetrahedron(NULL, vertices);
}

// A tip falls from z = 1 to -1, -2, and rises to -1, 1. Its depth is 2 t - 1 from t = 1/2 on, then 1 + t, 2 - t, and
// 1 - 2 t up to t = 1/2. With stiffness 4 and steps of 1/2 the impulses are 2 times the integrals 1/4, 3/2, 3/2, 1/4.
// It is tracked from the first step to the third. The same from below, turned, far away, and with the floor as B.
static void tip_on_floor(void **state)
{
    (void)state;
    test_random random = {3};
    const double heights[5] = {1, -1, -2, -1, 1}, integrals[4] = {0.25, 1.5, 1.5, 0.25};
    for (int turn = 0; turn < 12; ++turn) {
        abut_pose frame =
            turn < 4 ? abut_pose_identity() : abut_pose_make(random_vec3(&random, 1e3), random_rotation(&random));
        double sign = turn & 1 ? -1.0 : 1.0;
        tracked_scene s;
        begin_scene(&s, NULL, make_floor(), make_tip());
        s.params.weights = ABUT_WEIGHTS_PAIR;
        s.params.stiffness = 4.0;
        s.params.has_sliding = turn & 2 ? 1 : 0;
        s.params.rule = (abut_penalty_rule)(turn % 3);
        s.pair.dt = 0.5;
        double scale = 0.125;
        abut_quat flip = sign > 0 ? abut_quat_identity() : abut_quat_make(0, 1, 0, 0);
        s.pair.b.pose = abut_pose_multiply(frame, abut_pose_make(v3(0, 0, sign * scale * heights[0]), flip));
        s.pair.a.pose = s.ends[0] = frame;
        for (int step = 0; step < 4; ++step) {
            abut_error error;
            s.ends[1] = abut_pose_multiply(frame, abut_pose_make(v3(0, 0, sign * scale * heights[step + 1]), flip));
            CHECK_STATUS(abut_tracker_step(s.tracker, &s.pair, &s.params, &s.response, &error), ABUT_OK, "step");
            abut_vec3 up = abut_quat_rotate(frame.rotation, v3(0, 0, sign));
            check_vector(s.response.impulse, abut_scale(2.0 * scale * integrals[step], up), 1e-10, "impulse");
            CHECK_INT(s.response.count, 1, "pairs");
            CHECK_INT(s.response.tracked_count, step < 3, "tracked");
            CHECK_INT(s.response.pairs[0].is_flipped, 1, "the vertex is B's");
            CHECK_INT(s.response.pairs[0].vertices[0], 0, "vertex");
            check_vector(s.response.pairs[0].point_b, s.pair.b.pose.position, 1e-9, "the tip");
            // swapped: the opposite
            abut_pair swapped = s.pair;
            swapped.a = s.pair.b;
            swapped.b = s.pair.a;
            if (step == 0) {
                abut_tracker *other;
                abut_response mirrored;
                assert_int_equal(abut_tracker_create(NULL, &other, &error), ABUT_OK);
                CHECK_STATUS(abut_tracker_step(other, &swapped, &s.params, &mirrored, &error), ABUT_OK, "swapped");
                check_vector(abut_negate(mirrored.impulse), s.response.impulse, 1e-12, "swapped");
                abut_tracker_destroy(other);
                CHECK_STATUS(abut_tracker_step(s.tracker, &s.pair, &s.params, &s.response, &error), ABUT_OK,
                             "without a commit the step begins anew");
                check_vector(s.response.impulse, abut_scale(2.0 * scale * integrals[step], up), 1e-10, "again");
            }
            abut_tracker_commit(s.tracker);
            s.pair.b.pose = s.ends[1];
        }
        CHECK_INT(abut_tracker_count(s.tracker), 0, "free");
        end_scene(&s);
    }
    CHECK_DONE();
}

/// A unit cube at the origin, or a slab below z = 0, with more or fewer triangles.
static abut_mesh *make_block(int is_slab, int vertex_count, uint64_t seed, double scale)
{
    test_random random = {seed};
    test_solid solid = solid_from_voxels("#", 1, 1, 1);
    solid_tessellate(&solid, &random, vertex_count, 4 * vertex_count);
    for (int i = 0; i < solid.vertex_count; ++i) {
        abut_vec3 *v = &solid.vertices[i];
        *v = is_slab ? v3(4.0 * v->x - 1.5, 4.0 * v->y - 1.5, v->z - 1.0) : *v;
        *v = abut_scale(scale, *v);
    }
    abut_mesh *mesh =
        make_triangles(NULL, solid.vertices, solid.vertex_count, solid.triangles, solid.triangle_count);
    solid_free(&solid);
    return mesh;
}

// A cube of side 1 goes down flat from 0.1 above a slab to 0.1 below its top. The force is stiffness times area times
// depth: with stiffness 8 per area, 8 x 1 x the integral 0.1 / 4. It does not depend on the triangles, and neither
// does the moment about the middle, which is zero. The next step stays there: 8 x 0.1. The points where vertices meet
// edges or vertices (equal grids) count once. Every pair counts in the paper, so that the force grows with the mesh.
static void same_on_any_tessellation(void **state)
{
    (void)state;
    test_random random = {11};
    const int fineness[5] = {0, 8, 30, 80, 200};
    double counted[2] = {0.0, 0.0};
    for (int i = 0; i < 5; ++i) {
        for (int k = 0; k < 5; ++k) {
            double scale = k == 1 ? 1e-3 : k == 2 ? 1e3 : 1.0;
            abut_pose frame = k == 0
                                  ? abut_pose_identity()
                                  : abut_pose_make(random_vec3(&random, 100.0 * scale), random_rotation(&random));
            tracked_scene s;
            begin_scene(&s, NULL, make_block(1, fineness[k], 7 + (uint64_t)k, scale),
                        make_block(0, fineness[i], 1 + (uint64_t)i, scale));
            s.params.stiffness = 8.0;
            abut_vec3 at = abut_scale(scale, v3(k == 3 ? 0.5 : 0.0, k == 4 ? 0.25 : 0.0, 0.1));
            start_at(&s, frame, at);
            at.z = -0.1 * scale;
            step_to(&s, frame, at);
            abut_vec3 up = abut_quat_rotate(frame.rotation, v3(0, 0, 8.0 * scale * scale * scale));
            check_vector(s.response.impulse, abut_scale(0.025, up), 1e-6 * abut_norm(up), "falls");
            step_to(&s, frame, at);
            check_vector(s.response.impulse, abut_scale(0.1, up), 1e-6 * abut_norm(up), "rests");
            abut_vec3 middle = abut_add_scaled(at, 0.5 * scale, v3(1, 1, 0)), moment = v3(0, 0, 0);
            for (int p = 0; p < s.response.count; ++p) {
                const abut_response_pair *pair = &s.response.pairs[p];
                abut_vec3 arm = abut_sub(pair->point_b, abut_pose_apply(frame, middle));
                moment = abut_add(moment, abut_cross(arm, pair->impulse));
            }
            CHECK_NEAR(abut_norm(moment), 0.0, 1e-6 * scale * abut_norm(up), "moment");
            end_scene(&s);
        }
        tracked_scene s;
        begin_scene(&s, NULL, make_block(1, 0, 7, 1.0), make_block(0, fineness[i], 1 + (uint64_t)i, 1.0));
        s.params.weights = ABUT_WEIGHTS_PAIR;
        start_at(&s, abut_pose_identity(), v3(0, 0, 0.1));
        step_to(&s, abut_pose_identity(), v3(0, 0, -0.1));
        counted[i > 0] = s.response.impulse.z;
        end_scene(&s);
    }
    CHECK(counted[1] > 5.0 * counted[0], "paper: %g and %g", counted[0], counted[1]);
    CHECK_DONE();
}

// A cube that lies 0.1 deep in a table slides towards its rim, and over it. Pairs go on to the crossings of its edges
// with the rim, so the table carries it as before until its last part is beyond the rim. Then nothing is left, also
// no pair that passed the side of the table from inside. Without sliding the pairs stay tied to the plane of the
// table top.
static void off_the_rim(void **state)
{
    (void)state;
    for (int has_sliding = 0; has_sliding < 2; ++has_sliding) {
        for (int fine = 0; fine < 3; ++fine) {
            tracked_scene s;
            begin_scene(&s, NULL, make_block(1, 20 * fine, 5, 1.0), make_block(0, 15 * fine, 6, 1.0));
            s.params.has_sliding = has_sliding;
            abut_pose frame = abut_pose_identity();
            start_at(&s, frame, v3(0.1, 0.05, 0.1));
            step_to(&s, frame, v3(0.1, 0.05, -0.1));
            double least = 1.0, largest = 0.0;
            for (int step = 0; step < 40; ++step) {
                double x = 0.1 + 0.1 * (step + 1);
                step_to(&s, frame, v3(x, 0.05, -0.1));
                double up = x < 2.45 ? s.response.impulse.z : 0.1,
                       side = hypot(s.response.impulse.x, s.response.impulse.y);
                least = fmin(least, up);
                largest = fmax(largest, fmax(up, side));
            }
            CHECK_NEAR(least, 0.1, has_sliding ? 0.003 : 1e-6, "least force");
            CHECK_NEAR(largest, 0.1, has_sliding ? 0.003 : 1e-6, "largest force");
            CHECK_NEAR(abut_norm(s.response.impulse), has_sliding ? 0.0 : 0.1, 1e-6, "in the end");
            CHECK(!has_sliding || abut_tracker_count(s.tracker) == 0, "%d are tracked",
                  abut_tracker_count(s.tracker));
            end_scene(&s);
        }
    }
    CHECK_DONE();
}

// Figure 4: a tip passes through a sheet and is beyond it at the end: the discrete force is zero. Within the
// tolerance 0.5 of the sheet at the end, at 0.1 above it, the force is 0.4 times the stiffness, for the whole step.
// The force at the end of a tracked pair is stiffness times depth.
static void baselines(void **state)
{
    (void)state;
    tracked_scene s;
    begin_scene(&s, NULL, make_floor(), make_tip());
    abut_pose frame = abut_pose_identity();
    s.params.weights = ABUT_WEIGHTS_PAIR;
    s.params.stiffness = 3.0;
    s.params.tolerance = 0.5;
    s.params.kind = ABUT_RESPONSE_DISCRETE;
    start_at(&s, frame, v3(0, 0, 1));
    step_to(&s, frame, v3(0, 0, -4));
    CHECK_NEAR(abut_norm(s.response.impulse), 0.0, 0.0, "passes");
    start_at(&s, frame, v3(0, 0, 1));
    s.params.kind = ABUT_RESPONSE_CPF;
    step_to(&s, frame, v3(0, 0, -4));
    CHECK(s.response.impulse.z > 0.0, "%g", s.response.impulse.z);
    abut_tracker_clear(s.tracker);
    s.params.kind = ABUT_RESPONSE_DISCRETE;
    start_at(&s, frame, v3(0, 0, 1));
    step_to(&s, frame, v3(0, 0, 0.1));
    check_vector(s.response.impulse, v3(0, 0, 1.2), 1e-12, "near");
    CHECK_INT(s.response.count, 1, "pairs");
    CHECK_INT(s.response.tracked_count, 0, "tracked");
    s.params.kind = ABUT_RESPONSE_DISCRETE_CCD;
    step_to(&s, frame, v3(0, 0, -0.25));
    check_vector(s.response.impulse, v3(0, 0, 2.25), 1e-12, "end: 3 x (0.5 + 0.25)");
    CHECK_INT(s.response.tracked_count, 1, "tracked");
    end_scene(&s);
    // A cube 0.1 above a slab, with area weights: stiffness 3 x area 1 x (0.5 - 0.1).
    begin_scene(&s, NULL, make_block(1, 60, 2, 1.0), make_block(0, 40, 3, 1.0));
    s.params.stiffness = 3.0;
    s.params.tolerance = 0.5;
    s.params.kind = ABUT_RESPONSE_DISCRETE;
    start_at(&s, frame, v3(0, 0, 0.1));
    step_to(&s, frame, v3(0, 0, 0.1));
    check_vector(s.response.impulse, v3(0, 0, 1.2), 1e-6, "flat");
    end_scene(&s);
    CHECK_DONE();
}

// A tip that is in the floor from the start has no side: no force, but a flag. A tip that the tracker knows and whose
// mesh is replaced by another one has features that are gone: the pair is dropped and counted.
static void without_history(void **state)
{
    (void)state;
    tracked_scene s;
    begin_scene(&s, NULL, make_floor(), make_block(0, 0, 1, 1.0));
    abut_pose frame = abut_pose_identity();
    start_at(&s, frame, v3(0, 0, -0.5));
    step_to(&s, frame, v3(0, 0, -0.6));
    CHECK(s.response.without_side_count == 0 && s.response.count == 0, "no feature touches another one");
    start_at(&s, frame, v3(0, 0, 0)); // the bottom is in the plane
    step_to(&s, frame, v3(0, 0, -0.6));
    CHECK_INT(s.response.without_side_count, 4, "corners");
    CHECK_INT(s.response.count, 4, "pairs");
    CHECK_INT(s.response.pairs[0].is_without_side, 1, "flag");
    CHECK_NEAR(abut_norm(s.response.impulse), 0.0, 0.0, "force");
    end_scene(&s);

    begin_scene(&s, NULL, make_block(1, 0, 1, 1.0), make_block(0, 60, 2, 1.0));
    start_at(&s, frame, v3(0, 0, 0.1));
    step_to(&s, frame, v3(0, 0, -0.1));
    int tracked = s.response.tracked_count;
    abut_mesh *coarse = make_block(0, 0, 3, 1.0);
    abut_shape *other = make_shape(NULL, coarse, abut_method_find("continuous"), NULL);
    s.pair.b.shape = other;
    step_to(&s, frame, v3(0, 0, -0.1));
    CHECK(s.response.gone_count > 0 && s.response.gone_count <= tracked, "%d of %d", s.response.gone_count,
          tracked);
    abut_shape_destroy(other);
    abut_mesh_destroy(coarse);
    end_scene(&s);
    CHECK_DONE();
}

/// A soft body that moves at random.
static void move_at_random(abut_instance *instance, int count, double motion, test_random *random)
{
    abut_vec3 *ends = malloc((size_t)count * sizeof *ends);
    assert_true(ends != NULL);
    for (int i = 0; i < count; ++i) {
        ends[i] = abut_add(abut_instance_end(instance)[i], random_vec3(random, motion));
    }
    abut_vec3 *starts = malloc((size_t)count * sizeof *starts);
    assert_true(starts != NULL);
    memcpy(starts, abut_instance_end(instance), (size_t)count * sizeof *starts);
    abut_error error;
    assert_int_equal(abut_instance_move(instance, starts, ends, &error), ABUT_OK);
    free(starts);
    free(ends);
}

/// The moment of all impulses on the vertices at a time of the step, about the origin; `sum` gets their sum.
static abut_vec3 moment_of(const abut_response *r, abut_instance *const bodies[2], abut_vec3 *sum)
{
    abut_vec3 moment = v3(0, 0, 0);
    *sum = v3(0, 0, 0);
    for (int p = 0; p < r->count; ++p) {
        const abut_response_pair *pair = &r->pairs[p];
        int first = pair->kind == ABUT_VERTEX_FACE ? 1 : 2;
        for (int i = 0; i < 4 && !pair->is_without_side; ++i) {
            int body = (i >= first) != pair->is_flipped;
            abut_vec3 impulse = abut_scale(body ? pair->weights[i] : -pair->weights[i], pair->impulse);
            abut_vec3 at =
                abut_lerp(abut_instance_start(bodies[body])[pair->vertices[i]],
                          abut_instance_end(bodies[body])[pair->vertices[i]], 0.5 * (pair->begin + pair->end));
            *sum = abut_add(*sum, impulse);
            moment = abut_add(moment, abut_cross(at, impulse));
        }
    }
    return moment;
}

// Two soft blocks whose vertices move at random, and one that runs into itself: what the vertices get adds up to
// zero, and their moments to the defect that is reported.
static void momentum(void **state)
{
    (void)state;
    test_random random = {21};
    for (int is_self = 0; is_self < 2; ++is_self) {
        failing_heap heap = {0};
        abut_context context = failing_context(&heap);
        tracked_scene s;
        begin_scene(&s, &context, make_block(0, 40, 1, 1.0), make_block(0, 40, 2, 1.0));
        abut_instance *bodies[2];
        abut_error error;
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(abut_instance_create(&context, s.shapes[i], &bodies[i], &error), ABUT_OK);
        }
        abut_instance *second = bodies[1];
        bodies[1] = is_self ? bodies[0] : bodies[1];
        s.pair.a.instance = bodies[0];
        s.pair.b.instance = bodies[1];
        int pairs = 0, moves = 0;
        double defects = 0.0;
        for (int step = 0; step < 30; ++step) {
            for (int i = 0; i < 2 - is_self; ++i) {
                int count = abut_mesh_get_elements(s.meshes[i]).vertex_count;
                move_at_random(bodies[i], count, 0.1, &random);
            }
            CHECK_STATUS(abut_tracker_step(s.tracker, &s.pair, &s.params, &s.response, &error), ABUT_OK, "step");
            abut_vec3 sum, moment = moment_of(&s.response, bodies, &sum);
            double size = 0.0;
            for (int p = 0; p < s.response.count; ++p) {
                size += abut_norm(s.response.pairs[p].impulse);
            }
            CHECK_NEAR(abut_norm(sum), 0.0, 1e-14 * size, "momentum");
            CHECK_NEAR(abut_norm(abut_sub(moment, s.response.angular_defect)), 0.0, 1e-12 * size, "defect");
            defects = fmax(defects, abut_norm(s.response.angular_defect));
            pairs += s.response.count;
            moves += s.response.moved_count;
            abut_tracker_commit(s.tracker);
        }
        CHECK(pairs > 300 && moves > 0 && defects > 0.0, "%d pairs, %d moved, defect %g", pairs, moves, defects);
        abut_instance_destroy(bodies[0]);
        abut_instance_destroy(second);
        end_scene(&s);
        CHECK_INT(heap.live, 0, "leaks");
    }
    CHECK_DONE();
}

// Every allocation fails once: the step says so, nothing is lost, and the next one gives the same answer. A cube at
// rest in the slab makes no heap calls from the third step on.
static void out_of_memory(void **state)
{
    (void)state;
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    tracked_scene s;
    begin_scene(&s, NULL, make_block(1, 20, 1, 1.0), make_block(0, 20, 2, 1.0));
    abut_pose frame = abut_pose_identity();
    start_at(&s, frame, v3(0, 0, 0.1));
    s.pair.a.pose = s.ends[0] = frame;
    s.ends[1] = abut_pose_make(v3(0, 0, -0.1), frame.rotation);
    int failures = 0;
    for (int at = 1; at < 200; ++at) {
        abut_tracker *tracker = NULL;
        abut_error error;
        abut_response response = {0};
        heap = (failing_heap){.fail_at = at};
        abut_status status = abut_tracker_create(&context, &tracker, &error);
        status = status == ABUT_OK ? abut_tracker_step(tracker, &s.pair, &s.params, &response, &error) : status;
        if (status == ABUT_OK) {
            abut_tracker_destroy(tracker);
            break;
        }
        ++failures;
        CHECK_STATUS(status, ABUT_NO_MEMORY, "fails");
        if (tracker != NULL) {
            CHECK_STATUS(abut_tracker_step(tracker, &s.pair, &s.params, &response, &error), ABUT_OK, "again");
            CHECK_NEAR(response.impulse.z, 0.025, 1e-9, "again");
        }
        abut_tracker_destroy(tracker);
        CHECK_INT(heap.live, 0, "leaks");
    }
    CHECK(failures > 5, "%d", failures);
    heap = (failing_heap){0};
    abut_tracker *tracker = NULL;
    abut_error error;
    assert_int_equal(abut_tracker_create(&context, &tracker, &error), ABUT_OK);
    int calls = 0;
    for (int step = 0; step < 8; ++step) {
        CHECK_STATUS(abut_tracker_step(tracker, &s.pair, &s.params, &s.response, &error), ABUT_OK, "rest");
        CHECK(s.response.impulse.z > 0.02, "%g", s.response.impulse.z);
        abut_tracker_commit(tracker);
        s.pair.b.pose = s.ends[1];
        calls = step == 1 ? heap.calls : calls;
    }
    CHECK_INT(heap.calls, calls, "heap calls at rest");
    abut_tracker_destroy(tracker);
    end_scene(&s);
    CHECK_DONE();
}

// Statuses for what a caller can get wrong.
static void bad_input(void **state)
{
    (void)state;
    tracked_scene s;
    begin_scene(&s, NULL, make_floor(), make_tip());
    abut_error error;
    abut_response response;
    abut_response_params params = s.params;
    params.stiffness = NAN;
    CHECK_STATUS(abut_tracker_step(s.tracker, &s.pair, &params, &response, &error), ABUT_BAD_ARGUMENT, "stiffness");
    params = s.params;
    params.rule = ABUT_PENALTY_END;
    CHECK_STATUS(abut_tracker_step(s.tracker, &s.pair, &params, &response, &error), ABUT_BAD_ARGUMENT, "rule");
    params = s.params;
    params.struct_size = 3;
    CHECK_STATUS(abut_tracker_step(s.tracker, &s.pair, &params, &response, &error), ABUT_BAD_ARGUMENT, "size");
    abut_pair pair = s.pair;
    pair.b.end_pose = NULL;
    pair.b.linear_velocity = v3(0, NAN, 0);
    CHECK_STATUS(abut_tracker_step(s.tracker, &pair, &s.params, &response, &error), ABUT_BAD_ARGUMENT, "velocity");
    pair.b.linear_velocity = v3(0, 0, -1e150);
    CHECK_STATUS(abut_tracker_step(s.tracker, &pair, &s.params, &response, &error), ABUT_BAD_DATA, "too far");
    CHECK(error.element >= 0 && strstr(error.text, "vertex") != NULL, "%s", error.text);
    pair = s.pair;
    abut_shape_def def = abut_shape_def_default();
    def.mesh = s.meshes[0];
    abut_shape *bare = NULL;
    assert_int_equal(abut_shape_create(NULL, &def, &bare, &error), ABUT_OK);
    pair.a.shape = bare;
    CHECK_STATUS(abut_tracker_step(s.tracker, &pair, &s.params, &response, &error), ABUT_UNPREPARED, "unprepared");
    CHECK_INT(response.count, 0, "empty");
    abut_shape_destroy(bare);
    end_scene(&s);
    CHECK_DONE();
}

// A tip comes down with the tolerance 1/8. At 1/8 + 1/64 nothing has begun. On the way to 1/8 - 1/64 the pair begins at the
// half. It stays one pair through the floor and back, and is gone once it is above the tolerance, also after it slid off the
// rim below it.
static void begins_at_the_tolerance(void **state)
{
    (void)state;
    for (int kind = ABUT_RESPONSE_CPF; kind <= ABUT_RESPONSE_DISCRETE_CCD; kind += 2) {
        const double heights[7] = {9.0 / 64, 7.0 / 64, 4.0 / 64, -2.0 / 64, 3.0 / 64, 1.0, 2.0};
        const double means[7] = {0.0, 0.25 / 64, 2.5 / 64, 7.0 / 64, 7.5 / 64, -1.0, 0.0};
        tracked_scene s;
        begin_scene(&s, NULL, make_floor(), make_tip());
        s.params.kind = (abut_response_kind)kind;
        s.params.weights = ABUT_WEIGHTS_PAIR;
        s.params.tolerance = 0.125;
        start_at(&s, abut_pose_identity(), v3(0, 0, 1));
        for (int i = 0; i < 7; ++i) {
            step_to(&s, abut_pose_identity(), v3(0, 0, heights[i]));
            int is_near = heights[i] < 0.125;
            CHECK_INT(s.response.tracked_count, is_near, "tracked");
            CHECK_INT(abut_tracker_count(s.tracker), is_near, "pairs");
            if (kind == ABUT_RESPONSE_CPF && means[i] >= 0.0) {
                check_vector(s.response.impulse, v3(0, 0, means[i]), 1e-14, "mean depth");
            } else if (kind != ABUT_RESPONSE_CPF) {
                check_vector(s.response.impulse, v3(0, 0, is_near ? 0.125 - heights[i] : 0.0), 1e-14, "depth");
            }
            if (i == 1) {
                CHECK_NEAR(s.response.pairs[0].begin, 0.5, 1e-12, "begin");
            }
        }
        step_to(&s, abut_pose_identity(), v3(0, 0, 0.0625));
        CHECK_INT(abut_tracker_count(s.tracker), 1, "again");
        step_to(&s, abut_pose_identity(), v3(40, 0, 0.0625)); // beyond the rim
        step_to(&s, abut_pose_identity(), v3(41, 0, 0.0625));
        CHECK_INT(abut_tracker_count(s.tracker), 0, "slid off");
        CHECK_INT(s.response.left_count, 1, "left");
        end_scene(&s);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tip_on_floor),
        cmocka_unit_test(same_on_any_tessellation),
        cmocka_unit_test(off_the_rim),
        cmocka_unit_test(baselines),
        cmocka_unit_test(without_history),
        cmocka_unit_test(momentum),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(begins_at_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
