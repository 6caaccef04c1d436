// SPDX-License-Identifier: MIT
// bench_mesh.c: time of building and searching box hierarchies, beside other libraries, and how it grows with the mesh
//
// Scenes: two tori (radii 1 and 0.4) of 1,000 to 100,000 triangles each, and with --large 1,000,000. Times of
// builds and refits are per triangle, of points and rays per query, and of two tori for the whole search. The pairs
// that peers find are compared with those of abut: the row of a peer says how many are missing, how many are extra,
// and how many times longer than abut it takes. Distances: mesh_distance.c. Rows of one thread use one core.
#include "groups.h"
#include "mesh_pairs.h"
#include "torus.h"

#include <abut/tree.h>
#include <stdlib.h>
#include <string.h>

enum { QUERY_COUNT = 2000 };

static const struct {
    const char *name;
    const char *distances; // the scene of mesh_distance.c
    int triangles;         // about as many
    int is_large;
} sizes[] = {{"torus 1k", "distance 1k", 1000, 0},
             {"torus 10k", "distance 10k", 10000, 0},
             {"torus 100k", "distance 100k", 100000, 0},
             {"torus 1m", "distance 1m", 1000000, 1}};

typedef struct scene {
    abut_mesh *mesh;
    abut_tree *tree;
    int triangle_count;
    abut_context context; // for builds
    abut_vec3 points[QUERY_COUNT], directions[QUERY_COUNT];
} scene;

// splitmix64: the same numbers on every machine; uniform in [-1, 1)
static double next_double(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

static abut_vec3 next_point(uint64_t *state)
{
    double x = next_double(state), y = next_double(state), z = next_double(state);
    return abut_vec3_make(x, y, z);
}

static uint64_t hash_hit(uint64_t hash, abut_tree_hit hit)
{
    uint64_t bits;
    memcpy(&bits, &hit.distance, sizeof bits);
    return bench_hash(bench_hash(hash, (uint64_t)(hit.element + 1)), bits);
}

// Hashes where two rays hit the torus, which takes little time compared with a build.
static uint64_t hash_tree(const abut_tree *tree, const scene *s)
{
    const abut_vec3 inside[2] = {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}};
    uint64_t hash = 0;
    for (int i = 0; i < 2; ++i) {
        hash = hash_hit(hash, abut_tree_ray(tree, s->points[i], abut_sub(inside[i], s->points[i]), HUGE_VAL));
    }
    return hash;
}

static uint64_t run_build(void *data)
{
    const scene *s = data;
    abut_tree *tree;
    if (abut_tree_create(&s->context, s->mesh, ABUT_ELEMENT_TRIANGLE, &tree, NULL) != ABUT_OK) {
        return 0;
    }
    uint64_t hash = hash_tree(tree, s);
    abut_tree_destroy(tree);
    return hash;
}

static uint64_t run_refit(void *data)
{
    const scene *s = data;
    abut_tree_refit(s->tree, NULL, NULL);
    return hash_tree(s->tree, s);
}

static uint64_t run_nearest(void *data)
{
    const scene *s = data;
    uint64_t hash = 0;
    for (int i = 0; i < QUERY_COUNT; ++i) {
        hash = hash_hit(hash, abut_tree_nearest(s->tree, s->points[i], HUGE_VAL));
    }
    return hash;
}

static uint64_t run_ray(void *data)
{
    const scene *s = data;
    uint64_t hash = 0;
    for (int i = 0; i < QUERY_COUNT; ++i) {
        hash = hash_hit(hash, abut_tree_ray(s->tree, s->points[i], s->directions[i], HUGE_VAL));
    }
    return hash;
}

static int measure_builds(bench_report *report, const bench_options *options, const char *name, scene *s)
{
    double bytes = (double)abut_tree_get_info(s->tree).bytes / s->triangle_count;
    bench_row row = {.scene = name,
                     .subject = "build, all threads",
                     .calls = s->triangle_count,
                     .values = {{"triangles", s->triangle_count}, {"bytes_each", bytes}}};
    s->context = bench_context(1);
    row.threads = s->context.worker_count;
    if (row.threads > 1 && !bench_measure(report, options, &row, run_build, s)) {
        return 0;
    }
    s->context = bench_context(0);
    row.subject = "build, abut";
    row.threads = 1;
    return bench_measure(report, options, &row, run_build, s) &&
           bench_measure_peer_builds(report, options, name, s->mesh, row.min_ns);
}

static int measure_scene(bench_report *report, const bench_options *options, const char *name, scene *s)
{
    abut_tree_info info = abut_tree_get_info(s->tree);
    int hits = 0;
    for (int i = 0; i < QUERY_COUNT; ++i) {
        hits += abut_tree_ray(s->tree, s->points[i], s->directions[i], HUGE_VAL).element >= 0;
    }
    const struct {
        const char *name;
        bench_body *body;
        int64_t calls;
        bench_value value;
    } subjects[] = {
        {"refit", run_refit, s->triangle_count, {"depth", info.depth}},
        {"nearest", run_nearest, QUERY_COUNT, {"points", QUERY_COUNT}},
        {"ray", run_ray, QUERY_COUNT, {"hits", hits}},
    };
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; ++i) {
        bench_row row = {.scene = name,
                         .subject = subjects[i].name,
                         .calls = subjects[i].calls,
                         .values = {{"triangles", s->triangle_count}, subjects[i].value}};
        if (!bench_measure(report, options, &row, subjects[i].body, s)) {
            return 0;
        }
    }
    return measure_builds(report, options, name, s) &&
           bench_measure_mesh_pairs(report, options, name, s->mesh, s->tree);
}

// Points around the torus, and rays from them in random directions.
static void make_queries(scene *s)
{
    uint64_t state = 20240502u;
    for (int i = 0; i < QUERY_COUNT; ++i) {
        s->points[i] = abut_scale(2.0, next_point(&state));
        s->directions[i] = next_point(&state);
    }
}

static int measure_size(bench_report *report, const bench_options *options, size_t size, scene *s)
{
    abut_error error = {.text = ""};
    int done = 0;
    abut_status status = bench_make_torus(sizes[size].triangles, &s->mesh, &error);
    if (status == ABUT_OK) {
        s->triangle_count = abut_mesh_get_elements(s->mesh).triangle_count;
        status = abut_tree_create(NULL, s->mesh, ABUT_ELEMENT_TRIANGLE, &s->tree, &error);
    }
    if (status == ABUT_OK) {
        done = measure_scene(report, options, sizes[size].name, s);
    } else {
        (void)bench_fail("%s", error.text);
    }
    abut_tree_destroy(s->tree);
    abut_mesh_destroy(s->mesh);
    s->tree = NULL;
    s->mesh = NULL;
    return done;
}

int bench_mesh(bench_report *report, const bench_options *options)
{
    scene *s = calloc(1, sizeof *s);
    int done = s != NULL;
    if (!done) {
        return bench_fail("out of memory");
    }
    make_queries(s);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && done; ++i) {
        if (!sizes[i].is_large || options->is_large) {
            done = (!bench_wants(options, sizes[i].name, NULL) || measure_size(report, options, i, s)) &&
                   bench_measure_mesh_distances(report, options, sizes[i].distances, sizes[i].triangles);
        }
    }
    free(s);
    return done;
}
