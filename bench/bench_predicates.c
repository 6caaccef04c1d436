// SPDX-License-Identifier: MIT
// bench_predicates.c: time of the orientation tests on easy and hard inputs, and the share of each stage
//
// Scenes: `random`: points in a cube; `grid`: points with integer coordinates 0..15, many exactly on a line or plane;
// `near`: points on a line or plane, rounded, where floating-point signs are unreliable. The row `plain` is the
// determinant in floating point, for comparison: fast, and `wrong` is the share of wrong signs.
#include "groups.h"

#include <abut/predicates.h>
#include <stdlib.h>

enum { SAMPLE_COUNT = 1 << 15 };

typedef enum scene_kind { SCENE_RANDOM, SCENE_GRID, SCENE_NEAR, SCENE_COUNT } scene_kind;

static const char *const scene_names[SCENE_COUNT] = {"random", "grid", "near"};

typedef struct sample {
    abut_vec3 p[4]; // two dimensions use three points, x and y
} sample;

// splitmix64: the same numbers on every machine
static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Uniform in [-1, 1).
static double next_double(uint64_t *state)
{
    return (double)(next_bits(state) >> 11) * 0x1p-52 - 1.0;
}

static abut_vec3 next_point(scene_kind kind, uint64_t *state)
{
    if (kind == SCENE_GRID) {
        uint64_t bits = next_bits(state);
        return abut_vec3_make((double)(bits & 15), (double)(bits >> 4 & 15), (double)(bits >> 8 & 15));
    }
    double x = next_double(state), y = next_double(state), z = next_double(state);
    return abut_vec3_make(x, y, z);
}

// a + s (b - a) + t (c - a)
static abut_vec3 combine(abut_vec3 a, abut_vec3 b, abut_vec3 c, double s, double t)
{
    return abut_add_scaled(abut_add_scaled(a, s, abut_sub(b, a)), t, abut_sub(c, a));
}

static void fill(sample *samples, scene_kind kind, int dimension)
{
    uint64_t state = 20240501u + (uint64_t)kind;
    for (int i = 0; i < SAMPLE_COUNT; ++i) {
        abut_vec3 *p = samples[i].p;
        for (int k = 0; k < 4; ++k) {
            p[k] = next_point(kind, &state);
        }
        if (kind == SCENE_NEAR) {
            double s = next_double(&state), t = next_double(&state);
            p[dimension] = combine(p[0], p[1], p[2], s, dimension == 3 ? t : 0.0);
        }
    }
}

static abut_vec2 flat(abut_vec3 p)
{
    return abut_vec2_make(p.x, p.y);
}

// Each body hashes the signs of all samples.
static uint64_t run_orient2d(void *data)
{
    const sample *samples = data;
    uint64_t hash = 0;
    for (int i = 0; i < SAMPLE_COUNT; ++i) {
        int sign;
        (void)abut_orient2d(flat(samples[i].p[0]), flat(samples[i].p[1]), flat(samples[i].p[2]), &sign);
        hash = bench_hash(hash, (uint64_t)(sign + 1));
    }
    return hash;
}

static uint64_t run_orient3d(void *data)
{
    const sample *samples = data;
    uint64_t hash = 0;
    for (int i = 0; i < SAMPLE_COUNT; ++i) {
        const abut_vec3 *p = samples[i].p;
        int sign;
        (void)abut_orient3d(p[0], p[1], p[2], p[3], &sign);
        hash = bench_hash(hash, (uint64_t)(sign + 1));
    }
    return hash;
}

static int plain_sign(const abut_vec3 *p, int dimension)
{
    double determinant = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (dimension == 3) {
        determinant = abut_dot(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])), abut_sub(p[3], p[0]));
    }
    return (determinant > 0.0) - (determinant < 0.0);
}

static uint64_t run_plain2d(void *data)
{
    const sample *samples = data;
    uint64_t hash = 0;
    for (int i = 0; i < SAMPLE_COUNT; ++i) {
        hash = bench_hash(hash, (uint64_t)(plain_sign(samples[i].p, 2) + 1));
    }
    return hash;
}

static uint64_t run_plain3d(void *data)
{
    const sample *samples = data;
    uint64_t hash = 0;
    for (int i = 0; i < SAMPLE_COUNT; ++i) {
        hash = bench_hash(hash, (uint64_t)(plain_sign(samples[i].p, 3) + 1));
    }
    return hash;
}

// The share of each stage, and of wrong signs of the plain determinant.
typedef struct shares {
    double stage[3];
    double wrong;
} shares;

static shares count_shares(const sample *samples, int dimension)
{
    shares s = {{0.0, 0.0, 0.0}, 0.0};
    for (int i = 0; i < SAMPLE_COUNT; ++i) {
        const abut_vec3 *p = samples[i].p;
        int sign, stage;
        if (dimension == 2) {
            (void)abut_orient2d_stage(flat(p[0]), flat(p[1]), flat(p[2]), &sign, &stage);
        } else {
            (void)abut_orient3d_stage(p[0], p[1], p[2], p[3], &sign, &stage);
        }
        s.stage[stage] += 1.0 / SAMPLE_COUNT;
        s.wrong += plain_sign(p, dimension) != sign ? 1.0 / SAMPLE_COUNT : 0.0;
    }
    return s;
}

static int measure_scene(bench_report *report, const bench_options *options, sample *samples, scene_kind kind,
                         int dimension)
{
    fill(samples, kind, dimension);
    shares s = count_shares(samples, dimension);
    bench_row exact = {.scene = scene_names[kind],
                       .subject = dimension == 2 ? "orient2d" : "orient3d",
                       .calls = SAMPLE_COUNT,
                       .values = {{"filter", s.stage[0]}, {"rounded", s.stage[1]}, {"full", s.stage[2]}}};
    bench_row plain = {.scene = scene_names[kind],
                       .subject = dimension == 2 ? "plain 2d" : "plain 3d",
                       .calls = SAMPLE_COUNT,
                       .values = {{"wrong", s.wrong}}};
    return bench_measure(report, options, &exact, dimension == 2 ? run_orient2d : run_orient3d, samples) &&
           bench_measure(report, options, &plain, dimension == 2 ? run_plain2d : run_plain3d, samples);
}

int bench_predicates(bench_report *report, const bench_options *options)
{
    sample *samples = malloc(SAMPLE_COUNT * sizeof *samples);
    if (samples == NULL) {
        return bench_fail("out of memory");
    }
    int done = 1;
    for (int dimension = 2; dimension <= 3 && done; ++dimension) {
        for (int kind = 0; kind < SCENE_COUNT && done; ++kind) {
            done = measure_scene(report, options, samples, (scene_kind)kind, dimension);
        }
    }
    free(samples);
    return done;
}
