// SPDX-License-Identifier: MIT
// convex.c: time and error of the signed distance of convex polyhedra, beside other libraries
//
// Scenes: two cubes of side 2, deep in each other at random, overlapping by 0.001 to 0.1, or one on the other; hulls of 50, 200 and
// 1,000 points spread evenly on the unit sphere that overlap by 0.001 to 0.1. Subjects: the distance without memory; with the
// manifold; with memory along a path of steps of 0.001 and 0.001 radians, overlapping and apart; and each peer. A time with memory is
// the mean of the whole path. `error` is the largest difference to our distance, whose certificate is checked: `open` is the
// largest gap between its bounds. `missed` counts pairs for which a peer finds nothing.
#include "groups.h"
#if defined(ABUT_PEER_CCD) || defined(ABUT_PEER_BULLET)
#define HAS_PEERS
#include "peers.h"
#endif

#include <abut/convex.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_COUNT = 1000, STEP_COUNT = 10000, SPHERE_POINTS = 1000, MANIFOLD_POINTS = 64 };

typedef struct scene {
    const char *name;
    abut_mesh *mesh;
    abut_convex *convex;
    abut_pose poses[PAIR_COUNT]; ///< of B; A stays
    double distances[PAIR_COUNT];
    abut_pose path[STEP_COUNT];
    int uses_memory;
    uint64_t random;
#ifdef HAS_PEERS
    const peer_convex *peer;
    void *peer_shapes[2];
#endif
} scene;

// splitmix64: the same numbers on every machine; uniform in [-1, 1)
static double next_double(scene *s)
{
    uint64_t z = (s->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

static abut_vec3 next_vec3(scene *s)
{
    double x = next_double(s), y = next_double(s), z = next_double(s);
    return abut_vec3_make(x, y, z);
}

static abut_quat next_rotation(scene *s)
{
    return abut_quat_from_axis(abut_unit(next_vec3(s)), 3.14159 * next_double(s));
}

static abut_convex_pair pair_of(const scene *s, abut_pose pose)
{
    abut_convex_pair pair = abut_convex_pair_default(s->convex, s->convex);
    pair.pose_b = pose;
    return pair;
}

static abut_convex_result distance_at(const scene *s, abut_pose pose)
{
    abut_convex_pair pair = pair_of(s, pose);
    abut_convex_result result = {.distance = 0.0};
    (void)abut_convex_distance(&pair, NULL, NULL, &result);
    return result;
}

// Moves B along the normal to a distance.
static abut_pose at_distance(const scene *s, abut_pose pose, double distance)
{
    abut_convex_result r = distance_at(s, pose);
    pose.position = abut_add_scaled(pose.position, distance - r.distance, r.normal);
    return pose;
}

static double next_depth(scene *s)
{
    return pow(10.0, -2.0 + next_double(s)); // 0.001 to 0.1
}

static void place_random(scene *s, int i)
{
    s->poses[i] = abut_pose_make(next_vec3(s), next_rotation(s));
}

static void place_shallow(scene *s, int i)
{
    abut_pose pose = {abut_scale(2.2, abut_unit(next_vec3(s))), next_rotation(s)};
    s->poses[i] = at_distance(s, pose, -next_depth(s));
}

static void place_stacked(scene *s, int i)
{
    abut_vec3 up = abut_vec3_make(0.0, 0.0, 1.0);
    double x = next_double(s), y = next_double(s);
    s->poses[i].position = abut_vec3_make(x, y, 2.0 - 0.1 * next_depth(s));
    s->poses[i].rotation = abut_quat_from_axis(up, 3.14159 * next_double(s));
}

static uint64_t hash_double(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bench_hash(hash, bits);
}

static uint64_t run_cold(void *data)
{
    const scene *s = data;
    uint64_t hash = 0;
    for (int i = 0; i < PAIR_COUNT; ++i) {
        hash = hash_double(hash, distance_at(s, s->poses[i]).distance);
    }
    return hash;
}

static uint64_t run_manifold(void *data)
{
    const scene *s = data;
    uint64_t hash = 0;
    abut_convex_point points[MANIFOLD_POINTS];
    for (int i = 0; i < PAIR_COUNT; ++i) {
        abut_convex_pair pair = pair_of(s, s->poses[i]);
        abut_convex_result result;
        abut_convex_manifold manifold = {.points = points, .capacity = MANIFOLD_POINTS};
        (void)abut_convex_distance(&pair, NULL, NULL, &result);
        (void)abut_convex_find_manifold(&pair, &result, &manifold);
        hash = bench_hash(hash_double(hash, result.distance), (uint64_t)manifold.required);
    }
    return hash;
}

static uint64_t run_path(void *data)
{
    const scene *s = data;
    uint64_t hash = 0;
    abut_convex_memory memory = {{0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < STEP_COUNT; ++i) {
        abut_convex_pair pair = pair_of(s, s->path[i]);
        abut_convex_result result;
        (void)abut_convex_distance(&pair, s->uses_memory ? &memory : NULL, &memory, &result);
        hash = hash_double(hash, result.distance);
    }
    return hash;
}

// A walk of steps of 0.001 and 0.001 radians about a distance.
static void make_path(scene *s, double distance)
{
    abut_pose pose = {abut_vec3_make(1.9, 0.3, 0.2), next_rotation(s)};
    pose = at_distance(s, pose, distance);
    for (int i = 0; i < STEP_COUNT; ++i) {
        abut_convex_result r = distance_at(s, pose);
        abut_vec3 way = abut_unit(next_vec3(s));
        way = abut_add_scaled(way, r.distance > distance ? -1.0 : 1.0, r.normal);
        pose.position = abut_add_scaled(pose.position, 1e-3, abut_unit(way));
        abut_quat turn = abut_quat_from_axis(abut_unit(next_vec3(s)), 1e-3);
        pose.rotation = abut_quat_unit(abut_quat_multiply(turn, pose.rotation));
        s->path[i] = pose;
    }
}

// The largest gap between the bounds of certificates, and how many proofs took all facets.
static void check_pairs(scene *s, double *open, double *full)
{
    *open = *full = 0.0;
    for (int i = 0; i < PAIR_COUNT; ++i) {
        abut_convex_result r = distance_at(s, s->poses[i]);
        s->distances[i] = r.distance;
        *open = fmax(*open, r.certificate.upper - r.certificate.lower);
        *full += r.certificate.proof == ABUT_PROOF_FULL;
    }
}

// The largest difference to the answers without memory, and how many steps changed a feature.
static void check_path(const scene *s, double *error, double *changes)
{
    abut_convex_memory memory = {{0}, {0.0, 0.0, 0.0}};
    abut_feature a = {.index = -1}, b = a;
    *error = *changes = 0.0;
    for (int i = 0; i < STEP_COUNT; ++i) {
        abut_convex_pair pair = pair_of(s, s->path[i]);
        abut_convex_result r = {.distance = 0.0};
        (void)abut_convex_distance(&pair, &memory, &memory, &r);
        *error = fmax(*error, fabs(r.distance - distance_at(s, s->path[i]).distance));
        *changes += r.feature_a.kind != a.kind || r.feature_a.index != a.index || r.feature_b.kind != b.kind ||
                    r.feature_b.index != b.index;
        a = r.feature_a;
        b = r.feature_b;
    }
}

#ifdef HAS_PEERS
static const peer_convex *const peers[] = {
#ifdef ABUT_PEER_CCD
    &peer_ccd,
#endif
#ifdef ABUT_PEER_BULLET
    &peer_bullet,
#endif
};

static peer_pose peer_pose_of(abut_pose pose)
{
    peer_pose result = {{pose.position.x, pose.position.y, pose.position.z},
                        {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z}};
    return result;
}

static int ask_peer(const scene *s, int i, double *distance)
{
    peer_pose a = peer_pose_of(abut_pose_identity()), b = peer_pose_of(s->poses[i]);
    return s->peer->distance(s->peer_shapes[0], &a, s->peer_shapes[1], &b, distance);
}

static uint64_t run_peer(void *data)
{
    const scene *s = data;
    uint64_t hash = 0;
    for (int i = 0; i < PAIR_COUNT; ++i) {
        double distance = 0.0;
        hash = bench_hash(hash, (uint64_t)ask_peer(s, i, &distance));
        hash = hash_double(hash, distance);
    }
    return hash;
}

static int measure_peer(bench_report *report, const bench_options *options, scene *s, const peer_convex *peer)
{
    abut_mesh_elements elements = abut_mesh_get_elements(s->mesh);
    peer_hull hull = {&elements.vertices[0].x, elements.vertex_count, elements.triangles, elements.triangle_count};
    s->peer = peer;
    s->peer_shapes[0] = peer->make(&hull);
    s->peer_shapes[1] = peer->make(&hull);
    double error = 0.0, missed = 0.0, wrong = 0.0;
    for (int i = 0; i < PAIR_COUNT; ++i) {
        double distance = 0.0;
        if (!ask_peer(s, i, &distance)) {
            ++missed;
            continue;
        }
        error = fmax(error, fabs(distance - s->distances[i]));
        wrong += fabs(distance - s->distances[i]) > 1e-6;
    }
    bench_row row = {.scene = s->name,
                     .subject = peer->name,
                     .calls = PAIR_COUNT,
                     .values = {{"error", error}, {"wrong", wrong}, {"missed", missed}}};
    int is_done = bench_measure(report, options, &row, run_peer, s);
    peer->release(s->peer_shapes[0]);
    peer->release(s->peer_shapes[1]);
    return is_done;
}

static int measure_peers(bench_report *report, const bench_options *options, scene *s)
{
    int is_done = 1;
    for (size_t i = 0; i < sizeof peers / sizeof peers[0] && is_done; ++i) {
        is_done = measure_peer(report, options, s, peers[i]);
    }
    return is_done;
}
#else
static int measure_peers(bench_report *report, const bench_options *options, scene *s)
{
    (void)report, (void)options, (void)s;
    return 1;
}
#endif

static int measure_pairs(bench_report *report, const bench_options *options, scene *s)
{
    double open, full;
    check_pairs(s, &open, &full);
    bench_row cold = {.scene = s->name,
                      .subject = "distance",
                      .calls = PAIR_COUNT,
                      .values = {{"open", open}, {"full", full}, {"missed", 0.0}}};
    bench_row manifold = {.scene = s->name, .subject = "with manifold", .calls = PAIR_COUNT};
    return bench_measure(report, options, &cold, run_cold, s) &&
           bench_measure(report, options, &manifold, run_manifold, s) && measure_peers(report, options, s);
}

static int measure_paths(bench_report *report, const bench_options *options, scene *s)
{
    static const struct {
        const char *name;
        double distance;
        int uses_memory;
    } paths[] = {{"path, overlapping, cold", -0.03, 0},
                 {"path, overlapping, memory", -0.03, 1},
                 {"path, apart, cold", 0.05, 0},
                 {"path, apart, memory", 0.05, 1}};
    int is_done = 1;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0] && is_done; ++i) {
        s->random = 7;
        make_path(s, paths[i].distance);
        s->uses_memory = paths[i].uses_memory;
        double error, changes;
        check_path(s, &error, &changes);
        bench_row row = {.scene = s->name,
                         .subject = paths[i].name,
                         .calls = STEP_COUNT,
                         .values = {{"error", error}, {"changes", changes}}};
        is_done = bench_measure(report, options, &row, run_path, s);
    }
    return is_done;
}

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

static const struct {
    const char *name;
    int sphere_points; // 0: a cube
    void (*place)(scene *s, int i);
    int has_paths;
} scenes[] = {{"cubes, random", 0, place_random, 0},   {"cubes, shallow", 0, place_shallow, 0},
              {"cubes, stacked", 0, place_stacked, 1}, {"sphere 50", 50, place_shallow, 1},
              {"sphere 200", 200, place_shallow, 1},   {"sphere 1000", 1000, place_shallow, 1}};

static int measure_scene(bench_report *report, const bench_options *options, size_t index, scene *s)
{
    abut_vec3 points[SPHERE_POINTS];
    int sphere = scenes[index].sphere_points;
    int count = sphere > 0 ? make_sphere(sphere, points) : make_cube(points);
    abut_error error = {.text = ""};
    abut_status status = abut_hull_create(NULL, points, count, &s->mesh, NULL, &error);
    if (status == ABUT_OK) {
        status = abut_convex_create(NULL, s->mesh, NULL, &s->convex, &error);
    }
    int is_done = status == ABUT_OK;
    if (is_done) {
        s->name = scenes[index].name;
        s->random = 20160508;
        for (int i = 0; i < PAIR_COUNT; ++i) {
            scenes[index].place(s, i);
        }
        is_done =
            measure_pairs(report, options, s) && (!scenes[index].has_paths || measure_paths(report, options, s));
    } else {
        (void)fprintf(stderr, "abut bench: %s\n", error.text);
    }
    abut_convex_destroy(s->convex);
    abut_mesh_destroy(s->mesh);
    s->convex = NULL;
    s->mesh = NULL;
    return is_done;
}

int bench_convex(bench_report *report, const bench_options *options)
{
    scene *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)fprintf(stderr, "abut bench: out of memory\n");
        return 0;
    }
    int is_done = 1;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0] && is_done; ++i) {
        is_done = measure_scene(report, options, i, s);
    }
    free(s);
    return is_done;
}
