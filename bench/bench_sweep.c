// SPDX-License-Identifier: MIT
// bench_sweep.c: the first touch of moving meshes, beside a distance query and beside FCL's continuous collision
//
// A mesh and its copy, 4 away along an oblique line, which moves 5 along that line: without turning, and turning by two
// radians about its centre. FCL moves its meshes in the same way (TranslationMotion, InterpMotion) by its conservative
// advancement, whose time tolerance is 1e-5; ours is 1e-9. The distance query is at the pose at the start. The value
// `time` is that of the touch, `never_late` whether the meshes are still apart there.
#include "groups.h"
#include "peers.h"
#include "torus.h"

#include <abut/sweep.h>
#include <math.h>
#include <string.h>

typedef enum shape { TORUS, SPHERE, ROUGH, CUBE, SHAPES } shape;

static const struct {
    const char *names[SHAPES];
    int triangle_count;
} sizes[] = {{{"torus 1k", "sphere 1k", "rough 1k", "cube 1k"}, 1000},
             {{"torus 10k", "sphere 10k", "rough 10k", "cube 10k"}, 10000},
             {{"torus 100k", "sphere 100k", "rough 100k", "cube 100k"}, 100000},
             {{"torus 1m", "sphere 1m", "rough 1m", "cube 1m"}, 1000000}};

typedef struct work {
    const abut_tree *tree;
    abut_sweep_def def;
    void *a, *b; ///< FCL's
} work;

static abut_sweep_hit sweep(const work *w)
{
    abut_sweep_hit hit;
    return abut_sweep(&w->def, &hit, NULL) == ABUT_OK ? hit : (abut_sweep_hit){.is_hit = 0};
}

static uint64_t hash_length(double length)
{
    return bench_hash(0, (uint64_t)llround(1e9 * length));
}

static uint64_t run_sweep(void *data)
{
    abut_sweep_hit hit = sweep(data);
    return hash_length(hit.is_hit ? hit.time : -1.0);
}

static double distance_at(const work *w, double time)
{
    abut_pose a = abut_motion_pose(&w->def.motion_a, time), b = abut_motion_pose(&w->def.motion_b, time);
    return abut_tree_distance(w->tree, w->tree, abut_pose_relative(a, b), HUGE_VAL).distance;
}

static uint64_t run_distance(void *data)
{
    return hash_length(distance_at(data, 0.0));
}

#ifdef ABUT_PEER_FCL_SWEEP
static peer_placement placement_of(abut_pose pose)
{
    abut_mat3 m = abut_quat_matrix(pose.rotation);
    abut_vec3 t = pose.position;
    return (peer_placement){{m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z}, {t.x, t.y, t.z}};
}

static double fcl_time(const work *w)
{
    const abut_motion *b = &w->def.motion_b;
    peer_placement from = placement_of(b->pose), to = placement_of(abut_motion_pose(b, w->def.duration));
    return peer_fcl_sweep(w->a, w->b, &from, &to, abut_norm(b->angular_velocity) > 0.0);
}

static uint64_t run_fcl(void *data)
{
    return hash_length(fcl_time(data));
}

static int measure_fcl(bench_report *report, const bench_options *options, const char *scene, const char *subject,
                       double baseline, work *w)
{
    double time = fcl_time(w);
    bench_row row = {.scene = scene, .subject = subject, .calls = 1, .baseline_ns = baseline};
    bench_add_value(&row, "time", time);
    bench_add_value(&row, "never_late", time >= 0.0 && distance_at(w, time) > 0.0);
    return bench_measure(report, options, &row, run_fcl, w);
}
#endif

/// Sweeps with and without turning.
static int measure_sweeps(bench_report *report, const bench_options *options, const char *scene, work *w)
{
    static const char *const subjects[2][2] = {{"moving, abut", "moving, fcl"}, {"turning, abut", "turning, fcl"}};
    int done = 1;
    for (int is_turning = 0; is_turning < 2 && done; ++is_turning) {
        w->def.motion_b.angular_velocity =
            abut_scale(is_turning ? 2.0 : 0.0, abut_unit(abut_vec3_make(1.0, 2.0, 0.5)));
        abut_sweep_hit hit = sweep(w);
        if (!hit.is_hit) {
            return bench_fail("%s: no touch", scene);
        }
        bench_row row = {.scene = scene, .subject = subjects[is_turning][0], .calls = 1};
        bench_add_value(&row, "time", hit.time);
        bench_add_value(&row, "never_late", distance_at(w, hit.time) > 0.0);
        bench_add_value(&row, "distance_there", distance_at(w, hit.time));
        bench_add_value(&row, "node_pairs", (double)hit.node_pairs);
        bench_add_value(&row, "triangle_pairs", (double)hit.triangle_pairs);
        done = bench_measure(report, options, &row, run_sweep, w);
#ifdef ABUT_PEER_FCL_SWEEP
        done = done && measure_fcl(report, options, scene, subjects[is_turning][1], row.min_ns, w);
#endif
    }
    return done;
}

static int measure_mesh(bench_report *report, const bench_options *options, const char *scene,
                        const abut_mesh *mesh, const abut_tree *tree)
{
    abut_vec3 way = abut_unit(abut_vec3_make(0.25, 0.6, 0.75));
    work w = {.tree = tree, .def = abut_sweep_def_default(tree, tree)};
    w.def.motion_b.pose =
        (abut_pose){abut_scale(4.0, way), abut_quat_from_axis(abut_vec3_make(0.0, 0.6, 0.8), 0.5)};
    w.def.motion_b.linear_velocity = abut_scale(-5.0, way);
#ifdef ABUT_PEER_FCL_SWEEP
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    peer_mesh peer = {&e.vertices->x, e.vertex_count, e.triangles, e.triangle_count};
    w.a = peer_fcl.create(&peer);
    w.b = peer_fcl.create(&peer);
    if (w.a == NULL || w.b == NULL) {
        return bench_fail("FCL cannot make its tree");
    }
#else
    (void)mesh;
#endif
    bench_row row = {.scene = scene, .subject = "distance, abut", .calls = 1};
    bench_add_value(&row, "distance", distance_at(&w, 0.0));
    int done = bench_measure(report, options, &row, run_distance, &w) && measure_sweeps(report, options, scene, &w);
#ifdef ABUT_PEER_FCL_SWEEP
    peer_fcl.destroy(w.a);
    peer_fcl.destroy(w.b);
#endif
    return done;
}

static int measure_shape(bench_report *report, const bench_options *options, const char *scene, shape s,
                         int triangle_count)
{
    static bench_shape *const shapes[SHAPES] = {[SPHERE] = bench_sphere, [ROUGH] = bench_rough};
    abut_mesh *mesh = NULL;
    abut_tree *tree = NULL;
    abut_error error = {.text = ""};
    abut_status status = s == TORUS ? bench_make_torus(triangle_count, &mesh, &error)
                                    : bench_make_cube(triangle_count, shapes[s], &mesh, &error);
    if (status == ABUT_OK) {
        status = abut_tree_create(NULL, mesh, ABUT_ELEMENT_TRIANGLE, &tree, &error);
    }
    int done = status == ABUT_OK ? measure_mesh(report, options, scene, mesh, tree) : bench_fail("%s", error.text);
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    return done;
}

int bench_sweep(bench_report *report, const bench_options *options)
{
    int done = 1;
    for (int i = 0; i < (options->is_large ? 4 : 3) && done; ++i) {
        for (shape s = TORUS; s < SHAPES && done; ++s) {
            done = measure_shape(report, options, sizes[i].names[s], s, sizes[i].triangle_count);
        }
    }
    return done;
}
