// SPDX-License-Identifier: MIT
// convex_paths.c: long motions of two convex polyhedra, with memory from step to step and without
//
// B moves around A in steps of 0.001 of the radius, and rotates by 0.001 radians in each step; both directions drift
// slowly, with noise. Every answer with memory is compared with the one without, and verified with all vertices and
// faces. Every tenth answer of overlapping bodies is compared with the truth.
#include "convex_scene.h"

#include <stdlib.h>

enum { STEP_COUNT = 10000, TRUTH_STRIDE = 10 };

typedef struct path {
    convex_scene *scene;
    const char *name;
    abut_pose poses[STEP_COUNT];
    abut_convex_pair pair; // allocated before the time starts, like the answer
    abut_convex_result result;
    abut_convex_memory memory;
    int uses_memory;
    uint64_t hash;
} path;

// Results over the steps of a path.
typedef struct path_check {
    double error;      // the largest difference from the truth
    int truth_count;   // steps that were compared with the truth
    double difference; // the largest between answers with and without memory
    int differing;     // answers that differ by more than 1e-12
    int uncertified;   // answers whose bounds are not tight or do not hold
    int changes;       // steps in which the pair of features changed
} path_check;

// A slowly drifting direction, with half as much noise.
static abut_vec3 next_direction(convex_scene *s, abut_vec3 *drift)
{
    *drift = abut_unit(abut_add_scaled(*drift, 0.02, convex_next_vec3(s)));
    return abut_unit(abut_add_scaled(*drift, 0.5, abut_unit(convex_next_vec3(s))));
}

static void make_path(path *p, double distance)
{
    convex_scene *s = p->scene;
    const double step = 1e-3;
    abut_pose pose = {abut_vec3_make(1.9, 0.3, 0.2), convex_next_rotation(s)};
    pose = convex_move_to(s, pose, distance);
    abut_vec3 drift = abut_unit(convex_next_vec3(s)), spin = abut_unit(convex_next_vec3(s));
    for (int i = 0; i < STEP_COUNT; ++i) {
        abut_convex_result r = convex_distance_at(s, pose);
        abut_vec3 way = next_direction(s, &drift), axis = next_direction(s, &spin);
        double lift = fmax(-1.0, fmin(1.0, (distance - r.distance) / step));
        way = abut_add_scaled(way, lift - abut_dot(way, r.normal), r.normal);
        pose.position = abut_add_scaled(pose.position, step, abut_unit(way));
        pose.rotation = abut_quat_unit(abut_quat_multiply(abut_quat_from_axis(axis, step), pose.rotation));
        p->poses[i] = pose;
    }
}

static void take_step(void *data, int i)
{
    path *p = data;
    if (i == 0) {
        p->memory = (abut_convex_memory){{0}, {0.0, 0.0, 0.0}};
        p->hash = 0;
    }
    abut_convex_memory *memory = p->uses_memory ? &p->memory : NULL;
    p->pair.pose_b = p->poses[i];
    (void)abut_convex_distance(&p->pair, memory, memory, &p->result);
    p->hash = convex_hash_double(p->hash, p->result.distance);
}

static uint64_t take_steps(void *data)
{
    path *p = data;
    for (int i = 0; i < STEP_COUNT; ++i) {
        take_step(p, i);
    }
    return p->hash;
}

static int is_same(abut_feature a, abut_feature b)
{
    return a.kind == b.kind && a.index == b.index;
}

static path_check check_path(const path *p)
{
    convex_scene *s = p->scene;
    path_check check = {.error = 0.0};
    abut_convex_memory memory = {{0}, {0.0, 0.0, 0.0}};
    abut_feature a = {.index = -1}, b = a;
    for (int i = 0; i < STEP_COUNT; ++i) {
        abut_convex_pair pair = convex_pair_of(s, p->poses[i]);
        abut_convex_result r = {.distance = 0.0};
        (void)abut_convex_distance(&pair, &memory, &memory, &r);
        double difference = fabs(r.distance - convex_distance_at(s, p->poses[i]).distance);
        check.difference = fmax(check.difference, difference);
        check.differing += !(difference <= 1e-12);
        convex_truth_place(s->truth, p->poses[i]);
        check.uncertified +=
            !(r.certificate.upper - r.certificate.lower <= 1e-12) || !convex_truth_agrees(s->truth, &r);
        if (r.distance < 0.0 && i % TRUTH_STRIDE == 0) {
            ++check.truth_count;
            check.error = fmax(check.error, fabs(r.distance - convex_truth_distance(s->truth)));
        }
        check.changes += i > 0 && !(is_same(a, r.feature_a) && is_same(b, r.feature_b));
        a = r.feature_a;
        b = r.feature_b;
    }
    return check;
}

static int measure_path(bench_report *report, const bench_options *options, path *p, const char *subject,
                        const path_check *check)
{
    bench_spread spread;
    bench_row row = {.scene = p->name, .subject = subject, .calls = STEP_COUNT};
    if (!bench_measure_calls(options, STEP_COUNT, take_step, p, &spread)) {
        return 0;
    }
    convex_add_spread(&row, &spread);
    bench_add_value(&row, "call_max_ns", spread.max_ns);
    bench_add_value(&row, "timer_ns", bench_timer().median_ns);
    if (p->uses_memory) {
        bench_add_value(&row, "changes", check->changes);
        if (check->truth_count > 0) {
            bench_add_value(&row, "error", check->error);
        }
        bench_add_value(&row, "uncertified", check->uncertified);
        bench_add_value(&row, "differing", check->differing);
        bench_add_value(&row, "difference", check->difference);
    }
    return bench_measure(report, options, &row, take_steps, p);
}

// The slowest case: two copies in one place. All facets are about equally near, so that all must be tried.
static uint64_t ask_in_one_place(void *data)
{
    const path *p = data;
    return convex_hash_double(0, convex_distance_at(p->scene, abut_pose_identity()).distance);
}

int convex_measure_paths(bench_report *report, const bench_options *options, convex_scene *scene, const char *name)
{
    static const struct {
        const char *cold, *warm;
        double distance;
    } kinds[] = {{"overlapping, cold", "overlapping, memory", -0.03}, {"apart, cold", "apart, memory", 0.05}};
    path *p = calloc(1, sizeof *p);
    int is_done = p != NULL;
    if (!is_done) {
        (void)bench_fail("out of memory");
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && is_done; ++i) {
        p->scene = scene;
        p->name = name;
        p->pair = abut_convex_pair_default(scene->convex, scene->convex);
        make_path(p, kinds[i].distance);
        path_check check = check_path(p);
        p->uses_memory = 0;
        is_done = measure_path(report, options, p, kinds[i].cold, &check);
        p->uses_memory = 1;
        is_done = is_done && measure_path(report, options, p, kinds[i].warm, &check);
    }
    if (is_done) {
        bench_row row = {.scene = name, .subject = "in one place, cold", .calls = 1};
        is_done = bench_measure(report, options, &row, ask_in_one_place, p);
    }
    free(p);
    return is_done;
}
