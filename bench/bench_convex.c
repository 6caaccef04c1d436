// SPDX-License-Identifier: MIT
// bench_convex.c: time and error of the signed distance of convex polyhedra, beside other libraries
//
// Scenes: two cubes of side 2 at random deep overlaps, at overlaps of 0.001 to 0.1, and stacked with such overlaps;
// hulls of 50, 200 and 1,000 points, evenly distributed on the unit sphere, at overlaps of 0.001 to 0.1; and the
// errors of Yi and Drumwright 2016, table I, on cubes. Errors are differences from convex_truth.h. A peer is exact
// if it misses nothing in all scenes and its errors are below 1e-12. Times of single calls include one reading of
// the timer. Motions: convex_paths.c. Creation of shapes: convex_create.c.
#include "convex_scene.h"
#include "groups.h"

#include <abut/convex.h>
#include <stdlib.h>
#include <string.h>

enum { SPHERE_POINTS = 1000, MANIFOLD_POINTS = 64 };

// splitmix64: the same numbers on every machine
double convex_next(convex_scene *scene)
{
    uint64_t z = (scene->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

abut_vec3 convex_next_vec3(convex_scene *scene)
{
    double x = convex_next(scene), y = convex_next(scene), z = convex_next(scene);
    return abut_vec3_make(x, y, z);
}

abut_quat convex_next_rotation(convex_scene *scene)
{
    abut_vec3 axis = abut_unit(convex_next_vec3(scene));
    return abut_quat_from_axis(axis, 3.14159 * convex_next(scene));
}

uint64_t convex_hash_double(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bench_hash(hash, bits);
}

abut_convex_pair convex_pair_of(const convex_scene *scene, abut_pose pose)
{
    abut_convex_pair pair = abut_convex_pair_default(scene->convex, scene->convex);
    pair.pose_b = pose;
    return pair;
}

abut_convex_result convex_distance_at(const convex_scene *scene, abut_pose pose)
{
    abut_convex_pair pair = convex_pair_of(scene, pose);
    abut_convex_result result = {.distance = 0.0};
    (void)abut_convex_distance(&pair, NULL, NULL, &result);
    return result;
}

abut_pose convex_move_to(const convex_scene *scene, abut_pose pose, double distance)
{
    abut_convex_result r = convex_distance_at(scene, pose);
    pose.position = abut_add_scaled(pose.position, distance - r.distance, r.normal);
    return pose;
}

// ---- poses of B

static double next_depth(convex_scene *s)
{
    return pow(10.0, -2.0 + convex_next(s)); // 0.001 to 0.1
}

static abut_pose place_random(convex_scene *s)
{
    abut_vec3 position = convex_next_vec3(s);
    return abut_pose_make(position, convex_next_rotation(s));
}

static abut_pose place_shallow(convex_scene *s)
{
    abut_vec3 way = abut_unit(convex_next_vec3(s));
    abut_pose pose = {abut_scale(2.2, way), convex_next_rotation(s)};
    return convex_move_to(s, pose, -next_depth(s));
}

static abut_pose place_stacked(convex_scene *s)
{
    const abut_vec3 up = {0.0, 0.0, 1.0};
    double x = convex_next(s), y = convex_next(s), depth = next_depth(s);
    abut_pose pose = {abut_vec3_make(x, y, 2.0 - depth), abut_quat_from_axis(up, 3.14159 * convex_next(s))};
    return pose;
}

// ---- scenes

static const struct {
    const char *name;
    int sphere_points; // 0: a cube
    abut_pose (*place)(convex_scene *s);
    int is_table;       // reports errors as in the paper's table
    const char *motion; // the name of its motions, or NULL
} kinds[] = {{"cubes, random", 0, place_random, 0, NULL},
             {"cubes, shallow", 0, place_shallow, 0, "cubes, moving"},
             {"cubes, stacked", 0, place_stacked, 0, NULL},
             {"sphere 50", 50, place_shallow, 0, "sphere 50, moving"},
             {"sphere 200", 200, place_shallow, 0, "sphere 200, moving"},
             {"sphere 1000", 1000, place_shallow, 0, "sphere 1000, moving"},
             {"table I", 0, place_random, 1, NULL}};
enum { SCENE_COUNT = sizeof kinds / sizeof kinds[0] };

// Corners of a cube of side 2.
static int make_cube(abut_vec3 *points)
{
    for (int i = 0; i < 8; ++i) {
        points[i] = abut_vec3_make(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
    }
    return 8;
}

// Points on the unit sphere along a spiral of the golden angle.
static int make_sphere(int count, abut_vec3 *points)
{
    const double golden_angle = 2.3999632297286533;
    for (int i = 0; i < count; ++i) {
        double z = (2 * i + 1) / (double)count - 1.0, radius = sqrt(1.0 - z * z);
        points[i] = abut_vec3_make(radius * cos(golden_angle * i), radius * sin(golden_angle * i), z);
    }
    return count;
}

static int create_scene(int kind, convex_scene *s)
{
    static const double half_sides[3] = {1.0, 1.0, 1.0};
    abut_vec3 points[SPHERE_POINTS];
    int sphere = kinds[kind].sphere_points;
    int count = sphere > 0 ? make_sphere(sphere, points) : make_cube(points);
    abut_error error = {.text = "out of memory"};
    if (abut_hull_create(NULL, points, count, &s->mesh, NULL, &error) == ABUT_OK &&
        abut_convex_create(NULL, s->mesh, NULL, &s->convex, &error) == ABUT_OK) {
        s->truth = convex_truth_create(s->mesh);
    }
    if (s->truth == NULL) {
        return bench_fail("%s", error.text);
    }
    abut_mesh_elements e = abut_mesh_get_elements(s->mesh);
    s->hull = (peer_hull){&e.vertices[0].x, e.vertex_count, e.triangles, e.triangle_count,
                          sphere > 0 ? NULL : half_sides};
    s->name = kinds[kind].name;
    s->random = 20160508u + (uint64_t)kind;
    for (int i = 0; i < CONVEX_PAIRS; ++i) {
        s->poses[i] = kinds[kind].place(s);
        convex_truth_place(s->truth, s->poses[i]);
        s->distances[i] = convex_truth_distance(s->truth);
    }
    return 1;
}

static void destroy_scene(convex_scene *s)
{
    convex_truth_destroy(s->truth);
    abut_convex_destroy(s->convex);
    abut_mesh_destroy(s->mesh);
}

// ---- measuring

typedef struct convex_bench {
    convex_scene scenes[SCENE_COUNT];
    convex_answer answers[SCENE_COUNT][CONVEX_PEERS][CONVEX_PAIRS];
    int is_exact[CONVEX_PEERS];
} convex_bench;

// Asks the peers before measuring: each of their rows says whether the peer is exact.
static int ask_peers(convex_bench *bench)
{
    for (int i = 0; i < CONVEX_PEERS; ++i) {
        const peer_convex *peer = convex_peers()[i].peer;
        bench->is_exact[i] = peer != NULL;
        for (int k = 0; k < SCENE_COUNT && peer != NULL; ++k) {
            if (!convex_ask(&bench->scenes[k], peer, bench->answers[k][i])) {
                return 0;
            }
            convex_errors errors = convex_compare(&bench->scenes[k], bench->answers[k][i]);
            bench->is_exact[i] = bench->is_exact[i] && convex_is_exact(&errors);
        }
    }
    return 1;
}

static void add_errors(bench_row *row, const convex_errors *errors, int is_table)
{
    if (is_table) {
        bench_add_value(row, "error_min", errors->least);
        bench_add_value(row, "error_max", errors->largest);
        bench_add_value(row, "error_mean", errors->mean);
        bench_add_value(row, "error_deviation", errors->deviation);
    } else {
        bench_add_value(row, "error", errors->largest);
        bench_add_value(row, "wrong", errors->wrong);
    }
    bench_add_value(row, "missed", errors->missed);
    bench_add_value(row, "aborted", errors->aborted);
}

// Pair and result are allocated before the time starts, as for the peers.
typedef struct cold_run {
    const convex_scene *scene;
    abut_convex_pair pair;
    abut_convex_result result;
    abut_convex_point points[MANIFOLD_POINTS];
    uint64_t hash;
} cold_run;

static void find_distance(void *data, int i)
{
    cold_run *run = data;
    run->pair.pose_b = run->scene->poses[i];
    (void)abut_convex_distance(&run->pair, NULL, NULL, &run->result);
    run->hash = convex_hash_double(run->hash, run->result.distance);
}

static void find_manifold(void *data, int i)
{
    cold_run *run = data;
    abut_convex_manifold manifold = {.points = run->points, .capacity = MANIFOLD_POINTS};
    run->pair.pose_b = run->scene->poses[i];
    (void)abut_convex_contact(&run->pair, NULL, NULL, &run->result, &manifold);
    run->hash = bench_hash(convex_hash_double(run->hash, run->result.distance), (uint64_t)manifold.required);
}

static uint64_t find_distances(void *data)
{
    ((cold_run *)data)->hash = 0;
    for (int i = 0; i < CONVEX_PAIRS; ++i) {
        find_distance(data, i);
    }
    return ((cold_run *)data)->hash;
}

static uint64_t find_manifolds(void *data)
{
    ((cold_run *)data)->hash = 0;
    for (int i = 0; i < CONVEX_PAIRS; ++i) {
        find_manifold(data, i);
    }
    return ((cold_run *)data)->hash;
}

// Our errors, answers without a tight certificate, and proofs that used all facets.
static void add_own_errors(bench_row *row, const convex_scene *s, int is_table)
{
    convex_answer answers[CONVEX_PAIRS];
    double full = 0.0, uncertified = 0.0;
    for (int i = 0; i < CONVEX_PAIRS; ++i) {
        abut_convex_result r = convex_distance_at(s, s->poses[i]);
        answers[i] = (convex_answer){r.distance, r.distance < 0.0 ? ANSWER_FOUND : ANSWER_MISSED};
        full += r.certificate.proof == ABUT_PROOF_FULL;
        uncertified += !(r.certificate.upper - r.certificate.lower <= 1e-12);
    }
    convex_errors errors = convex_compare(s, answers);
    add_errors(row, &errors, is_table);
    bench_add_value(row, "uncertified", uncertified);
    bench_add_value(row, "full", full);
}

#ifdef ABUT_PEER_BOXES
typedef struct boxes_run {
    const convex_scene *scene;
    void *box;
    uint64_t hash;
    double error; // largest so far
} boxes_run;

static void find_box_contacts(void *data, int i)
{
    boxes_run *run = data;
    const abut_pose *pose = &run->scene->poses[i];
    peer_pose b_to_a = {{pose->position.x, pose->position.y, pose->position.z},
                        {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z}};
    double distance;
    int count = peer_boxes_contacts(run->box, run->box, &b_to_a, &distance);
    run->error = fmax(run->error, count > 0 ? fabs(distance - run->scene->distances[i]) : HUGE_VAL);
    run->hash = bench_hash(convex_hash_double(run->hash, distance), (uint64_t)count);
}

static uint64_t find_all_box_contacts(void *data)
{
    ((boxes_run *)data)->hash = 0;
    for (int i = 0; i < CONVEX_PAIRS; ++i) {
        find_box_contacts(data, i);
    }
    return ((boxes_run *)data)->hash;
}

// Bullet's detector for boxes, beside abut with the manifold, whose time per pair is `min_ns`.
static int measure_boxes(bench_report *report, const bench_options *options, const convex_scene *s, double min_ns)
{
    boxes_run run = {.scene = s, .box = peer_boxes_make(s->hull.half_sides)};
    bench_row row = {
        .scene = s->name, .subject = "bullet boxes, with manifold", .calls = CONVEX_PAIRS, .baseline_ns = min_ns};
    bench_spread spread;
    int is_done = bench_measure_calls(options, CONVEX_PAIRS, find_box_contacts, &run, &spread);
    convex_add_spread(&row, &spread);
    bench_add_value(&row, "error", run.error);
    is_done = is_done && bench_measure(report, options, &row, find_all_box_contacts, &run);
    peer_boxes_release(run.box);
    return is_done;
}
#endif

// Measures abut, and abut with the manifold, except for the table. Returns the mean time of a query, or 0 on failure.
static double measure_abut(bench_report *report, const bench_options *options, const convex_scene *s, int is_table)
{
    cold_run run = {.scene = s, .pair = abut_convex_pair_default(s->convex, s->convex)};
    bench_spread cold, manifold;
    if (!bench_measure_calls(options, CONVEX_PAIRS, find_distance, &run, &cold)) {
        return 0.0;
    }
    bench_row row = {.scene = s->name, .subject = "abut", .calls = CONVEX_PAIRS};
    add_own_errors(&row, s, is_table);
    convex_add_spread(&row, &cold);
    int is_done = bench_measure(report, options, &row, find_distances, &run);
    if (is_done && !is_table) {
        bench_row with = {.scene = s->name, .subject = "abut, with manifold", .calls = CONVEX_PAIRS};
        is_done = bench_measure_calls(options, CONVEX_PAIRS, find_manifold, &run, &manifold);
        convex_add_spread(&with, &manifold);
        bench_add_value(&with, "times_distance", manifold.mean_ns / cold.mean_ns);
        is_done = is_done && bench_measure(report, options, &with, find_manifolds, &run);
#ifdef ABUT_PEER_BOXES
        is_done = is_done && (s->hull.half_sides == NULL || measure_boxes(report, options, s, with.min_ns));
#endif
    }
    return is_done ? cold.mean_ns : 0.0;
}

static int measure_scene(bench_report *report, const bench_options *options, const convex_bench *bench, int index)
{
    const convex_scene *s = &bench->scenes[index];
    if (!bench_wants(options, s->name, NULL)) {
        return 1;
    }
    double abut_ns = measure_abut(report, options, s, kinds[index].is_table), fastest_ns = INFINITY;
    int is_done = abut_ns > 0.0, fastest = -1;
    for (int i = 0; i < CONVEX_PEERS && is_done; ++i) {
        const convex_peer *peer = &convex_peers()[i];
        if (peer->peer == NULL) {
            continue;
        }
        convex_subject subject = {s, peer->peer, bench->answers[index][i], abut_ns};
        convex_errors errors = convex_compare(s, subject.answers);
        if (errors.aborted == CONVEX_PAIRS) {
            bench_note(report, "%s: %s ends the process for every pair", s->name, peer->name);
            continue;
        }
        bench_row row = {.scene = s->name, .subject = peer->name};
        add_errors(&row, &errors, kinds[index].is_table);
        bench_add_value(&row, "exact", bench->is_exact[i]);
        double ns = convex_measure_peer(report, options, &subject, &row);
        is_done = ns > 0.0;
        if (bench->is_exact[i] && ns < fastest_ns) {
            fastest = i;
            fastest_ns = ns;
        }
    }
    if (fastest < 0) {
        bench_note(report, "%s: no exact peer", s->name);
    } else {
        bench_note(report, "%s: the fastest exact peer, %s, takes %.2f times as long as abut", s->name,
                   convex_peers()[fastest].name, fastest_ns / abut_ns);
    }
    return is_done;
}

int bench_convex(bench_report *report, const bench_options *options)
{
    convex_bench *bench = calloc(1, sizeof *bench);
    int is_done = bench != NULL;
    if (!is_done) {
        (void)bench_fail("out of memory");
    }
    for (int i = 0; i < SCENE_COUNT && is_done; ++i) {
        is_done = create_scene(i, &bench->scenes[i]);
    }
    is_done = is_done && ask_peers(bench);
    for (int i = 0; i < SCENE_COUNT && is_done; ++i) {
        is_done = measure_scene(report, options, bench, i);
    }
    for (int i = 0; i < SCENE_COUNT && is_done; ++i) {
        is_done = kinds[i].motion == NULL || !bench_wants(options, kinds[i].motion, NULL) ||
                  convex_measure_paths(report, options, &bench->scenes[i], kinds[i].motion);
    }
    is_done = is_done && convex_measure_creation(report, options);
    for (int i = 0; i < CONVEX_PEERS && is_done; ++i) {
        if (convex_peers()[i].peer == NULL) {
            bench_note(report, "%s: not installed", convex_peers()[i].name);
        }
    }
    if (is_done) {
        bench_spread timer = bench_timer();
        bench_note(report,
                   "times of single calls (call_...) hold what a call of nothing takes: %.1f ns, 99 %%: %.1f, "
                   "largest: %.1f",
                   timer.median_ns, timer.p99_ns, timer.max_ns);
    }
    for (int i = 0; bench != NULL && i < SCENE_COUNT; ++i) {
        destroy_scene(&bench->scenes[i]);
    }
    free(bench);
    return is_done;
}
