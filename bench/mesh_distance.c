// SPDX-License-Identifier: MIT
// mesh_distance.c: the distance of two meshes, with abut and FCL
//
// Shapes: a torus, a sphere, a sphere with bumps of several sizes, and a cube; 1,000 to 1,000,000 triangles each, all
// of about the same size. Poses of the copy: with a gap of 0.3; next to each other, 0.001 apart, turned so that one
// point is nearest; and stacked, 0.001 apart, where many pairs of triangles are nearly as near as the nearest: the
// ring of a torus, the face of a cube.
#include "mesh_pairs.h"
#include "peers.h"
#include "torus.h"

#include <string.h>

typedef enum shape { TORUS, SPHERE, ROUGH, CUBE, SHAPES } shape;

enum { GAP, POINT, STACK, POSES };

static const char *const names[SHAPES][POSES][2] = {
    {{"torus, gap, abut", "torus, gap, fcl"},
     {"torus, point, abut", "torus, point, fcl"},
     {"torus, stack, abut", "torus, stack, fcl"}},
    {{"sphere, gap, abut", "sphere, gap, fcl"},
     {"sphere, point, abut", "sphere, point, fcl"},
     {"sphere, stack, abut", "sphere, stack, fcl"}},
    {{"rough, gap, abut", "rough, gap, fcl"},
     {"rough, point, abut", "rough, point, fcl"},
     {"rough, stack, abut", "rough, stack, fcl"}},
    {{"cube, gap, abut", "cube, gap, fcl"},
     {"cube, point, abut", "cube, point, fcl"},
     {"cube, stack, abut", "cube, stack, fcl"}},
};

static const double gaps[POSES] = {0.3, 0.001, 0.001};

typedef struct pair {
    const abut_tree *tree;
    void *a, *b; // FCL's
    abut_pose b_to_a;
} pair;

static abut_tree_gap find_gap(const pair *p)
{
    return abut_tree_distance(p->tree, p->tree, p->b_to_a, HUGE_VAL);
}

// Where the copy goes: along x, turned, or along z, turned about it. It starts 10 away and is moved along that way by
// conservative steps until the distance is that of the pose.
static abut_pose place(const abut_tree *tree, int pose)
{
    abut_vec3 way = pose == STACK ? abut_vec3_make(0.0, 0.0, 1.0) : abut_vec3_make(1.0, 0.0, 0.0);
    abut_quat turn = abut_quat_from_axis(way, 0.5);
    if (pose != STACK) {
        turn = abut_quat_multiply(abut_quat_from_axis(abut_unit(abut_vec3_make(0.3, 0.8, 0.5)), 0.7), turn);
    }
    pair p = {.tree = tree, .b_to_a = {abut_scale(10.0, way), turn}};
    for (int step = 0; step < 1000; ++step) {
        double distance = find_gap(&p).distance;
        if (distance <= gaps[pose] * (1.0 + 1e-9)) {
            break;
        }
        p.b_to_a.position = abut_add_scaled(p.b_to_a.position, gaps[pose] - distance, way);
    }
    return p.b_to_a;
}

// Rounded, since peers differ in the last digits.
static uint64_t hash_distance(double distance)
{
    return bench_hash(0, (uint64_t)llround(1e9 * distance));
}

static uint64_t run_abut(void *data)
{
    return hash_distance(find_gap(data).distance);
}

#ifdef ABUT_PEER_FCL
static double fcl_distance(const pair *p)
{
    abut_mat3 m = abut_quat_matrix(p->b_to_a.rotation);
    abut_vec3 t = p->b_to_a.position;
    peer_placement pose = {{m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z}, {t.x, t.y, t.z}};
    return peer_fcl.distance(p->a, p->b, &pose);
}

static uint64_t run_fcl(void *data)
{
    return hash_distance(fcl_distance(data));
}
#endif

static int measure_pair(bench_report *report, const bench_options *options, const char *scene, shape s, int pose,
                        pair *p)
{
    p->b_to_a = place(p->tree, pose);
    bench_row row = {
        .scene = scene, .subject = names[s][pose][0], .calls = 1, .values = {{"distance", find_gap(p).distance}}};
    int done = bench_measure(report, options, &row, run_abut, p);
#ifdef ABUT_PEER_FCL
    bench_row peer = {.scene = scene,
                      .subject = names[s][pose][1],
                      .calls = 1,
                      .baseline_ns = row.min_ns,
                      .values = {{"distance", fcl_distance(p)}}};
    done = done && bench_measure(report, options, &peer, run_fcl, p);
#endif
    return done;
}

static int measure_shape(bench_report *report, const bench_options *options, const char *scene, shape s,
                         const abut_mesh *mesh, pair *p)
{
#ifdef ABUT_PEER_FCL
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    peer_mesh peer = {&e.vertices->x, e.vertex_count, e.triangles, e.triangle_count};
    p->a = peer_fcl.create(&peer);
    p->b = peer_fcl.create(&peer);
    if (p->a == NULL || p->b == NULL) {
        return bench_fail("FCL cannot make its tree");
    }
#else
    (void)mesh;
#endif
    int done = 1;
    for (int pose = 0; pose < POSES && done; ++pose) {
        done = measure_pair(report, options, scene, s, pose, p);
    }
#ifdef ABUT_PEER_FCL
    peer_fcl.destroy(p->a);
    peer_fcl.destroy(p->b);
#endif
    return done;
}

static abut_status make_shape(shape s, int triangle_count, abut_mesh **mesh, abut_error *error)
{
    static bench_shape *const shapes[SHAPES] = {[SPHERE] = bench_sphere, [ROUGH] = bench_rough};
    return s == TORUS ? bench_make_torus(triangle_count, mesh, error)
                      : bench_make_cube(triangle_count, shapes[s], mesh, error);
}

int bench_measure_mesh_distances(bench_report *report, const bench_options *options, const char *scene,
                                 int triangle_count)
{
    int done = 1;
    for (shape s = TORUS; s < SHAPES && done && bench_wants(options, scene, NULL); ++s) {
        abut_mesh *mesh = NULL;
        abut_tree *tree = NULL;
        abut_error error = {.text = ""};
        abut_status status = make_shape(s, triangle_count, &mesh, &error);
        if (status == ABUT_OK) {
            status = abut_tree_create(NULL, mesh, ABUT_ELEMENT_TRIANGLE, &tree, &error);
        }
        pair p = {.tree = tree};
        done =
            status == ABUT_OK ? measure_shape(report, options, scene, s, mesh, &p) : bench_fail("%s", error.text);
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
    return done;
}
