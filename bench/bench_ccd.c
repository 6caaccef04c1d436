// SPDX-License-Identifier: MIT
// bench_ccd.c: continuous tests of moving features and their penalty impulses
//
// Scenes, of vertex-face and edge-edge pairs in equal parts: `candidates`: pairs as a broad phase leaves them, of
// features of size 1 whose swept boxes overlap, that move by about a third of their size; `roots`: those of them that
// touch. Rows: `test`: abut_find_impacts(), all touches; `first`: the first touch only; `batch`: first touches of
// arrays of pairs; `impulse`: by each rule, with the test; `impulse batch`: impulses alone, of arrays of pairs and
// intervals; `discrete`: the penalty force at the end of the step. The value `touching` is the share of pairs that
// touch.
#include "groups.h"

#include <abut/penalty.h>
#include <stdlib.h>

enum { SAMPLE_COUNT = 1 << 14 };

typedef struct ccd_scene {
    const char *name;
    abut_moving_pair *pairs; ///< vertex-face first
    int count, face_count;
    double touching;
    double *numbers; ///< coordinates for the batches: 24 arrays
    double *times;
    double *spans; ///< begins and ends of the first intervals, and room for impulses: 5 arrays
    abut_penalty_rule rule;
} ccd_scene;

static double next_double(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

static abut_vec3 next_vector(uint64_t *state, double size)
{
    double x = size * next_double(state), y = size * next_double(state), z = size * next_double(state);
    return abut_vec3_make(x, y, z);
}

static abut_box swept_box(const abut_moving_pair *pair, int begin, int end)
{
    abut_box box = abut_box_empty();
    for (int i = begin; i < end; ++i) {
        box = abut_box_add(abut_box_add(box, pair->start[i]), pair->end[i]);
    }
    return box;
}

static int boxes_overlap(abut_box a, abut_box b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
           a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/// A pair whose swept boxes overlap.
static abut_moving_pair next_pair(abut_moving_kind kind, uint64_t *state)
{
    for (;;) {
        abut_moving_pair pair = {.kind = kind};
        int first = kind == ABUT_VERTEX_FACE ? 1 : 2;
        abut_vec3 apart = next_vector(state, 0.7), way[2] = {next_vector(state, 0.3), next_vector(state, 0.3)};
        for (int i = 0; i < 4; ++i) {
            pair.start[i] = abut_add(next_vector(state, 0.5), i < first ? apart : abut_vec3_make(0.0, 0.0, 0.0));
            pair.end[i] = abut_add(abut_add(pair.start[i], way[i >= first]), next_vector(state, 0.05));
        }
        if (boxes_overlap(swept_box(&pair, 0, first), swept_box(&pair, first, 4))) {
            return pair;
        }
    }
}

static int touches(const abut_moving_pair *pair)
{
    abut_impacts impacts;
    return abut_find_impacts(pair, NULL, &impacts) == ABUT_OK && impacts.count > 0;
}

static void fill(ccd_scene *scene, int roots_only)
{
    uint64_t state = 20261118u;
    int touching = 0;
    scene->name = roots_only ? "roots" : "candidates";
    scene->count = SAMPLE_COUNT;
    scene->face_count = SAMPLE_COUNT / 2;
    for (int i = 0; i < scene->count; ++i) {
        abut_moving_pair *pair = &scene->pairs[i];
        do {
            *pair = next_pair(i < scene->face_count ? ABUT_VERTEX_FACE : ABUT_EDGE_EDGE, &state);
        } while (roots_only && !touches(pair));
        touching += touches(pair);
        for (int k = 0; k < 8; ++k) {
            abut_vec3 v = k < 4 ? pair->start[k] : pair->end[k - 4];
            double *place = scene->numbers + (size_t)3 * (size_t)k * SAMPLE_COUNT + i;
            place[0] = v.x;
            place[SAMPLE_COUNT] = v.y;
            place[(size_t)2 * SAMPLE_COUNT] = v.z;
        }
    }
    scene->touching = (double)touching / scene->count;
}

static uint64_t run_tests(const ccd_scene *scene, int is_first_only)
{
    uint64_t hash = 0;
    abut_impact_params params = abut_impact_params_default();
    params.is_first_only = is_first_only;
    for (int i = 0; i < scene->count; ++i) {
        abut_impacts impacts;
        (void)abut_find_impacts(&scene->pairs[i], &params, &impacts);
        hash = bench_hash(hash, (uint64_t)impacts.count);
    }
    return hash;
}

static uint64_t run_all(void *data)
{
    return run_tests(data, 0);
}

static uint64_t run_first(void *data)
{
    return run_tests(data, 1);
}

/// The pairs of one kind as arrays.
static abut_moving_batch make_batch(const ccd_scene *scene, int kind)
{
    int begin = kind == 0 ? 0 : scene->face_count;
    abut_moving_batch batch = {.kind = (abut_moving_kind)kind,
                               .count = kind == 0 ? scene->face_count : scene->count - scene->face_count};
    for (int i = 0; i < 24; ++i) {
        const double *array = scene->numbers + (size_t)i * SAMPLE_COUNT + begin;
        *(i < 12 ? &batch.start[i / 3][i % 3] : &batch.end[i / 3 - 4][i % 3]) = array;
    }
    return batch;
}

static uint64_t run_batch(void *data)
{
    ccd_scene *scene = data;
    uint64_t hash = 0;
    abut_context context = abut_context_default();
    context.worker_count = 1;
    for (int kind = 0; kind < 2; ++kind) {
        abut_moving_batch batch = make_batch(scene, kind);
        (void)abut_find_first_impacts(&context, &batch, NULL, scene->times + (kind == 0 ? 0 : scene->face_count),
                                      NULL);
    }
    for (int i = 0; i < scene->count; ++i) {
        hash = bench_hash(hash, (uint64_t)(scene->times[i] <= 1.0));
    }
    return hash;
}

static uint64_t run_impulse(void *data)
{
    const ccd_scene *scene = data;
    abut_penalty_params params = abut_penalty_params_default();
    params.rule = scene->rule;
    uint64_t hash = 0;
    for (int i = 0; i < scene->count; ++i) {
        abut_penalty penalty;
        (void)abut_find_penalty(&scene->pairs[i], NULL, &params, &penalty);
        hash = bench_hash(hash, (uint64_t)penalty.interval_count);
    }
    return hash;
}

/// The impulses alone, of the first intervals.
static uint64_t run_impulse_batch(void *data)
{
    ccd_scene *scene = data;
    uint64_t hash = 0;
    abut_context context = abut_context_default();
    context.worker_count = 1;
    for (int kind = 0; kind < 2; ++kind) {
        int begin = kind == 0 ? 0 : scene->face_count;
        abut_impulse_batch batch = {.pairs = make_batch(scene, kind)};
        batch.begin = scene->spans + begin;
        batch.end = scene->spans + SAMPLE_COUNT + begin;
        for (int k = 0; k < 3; ++k) {
            batch.impulses[k] = scene->spans + (size_t)(2 + k) * SAMPLE_COUNT + begin;
        }
        (void)abut_find_impulses(&context, &batch, NULL, NULL);
    }
    for (int i = 0; i < scene->count; ++i) {
        hash = bench_hash(hash, (uint64_t)(scene->spans[(size_t)2 * SAMPLE_COUNT + (size_t)i] > 0.0));
    }
    return hash;
}

static void find_spans(ccd_scene *scene)
{
    for (int i = 0; i < scene->count; ++i) {
        abut_penalty penalty;
        (void)abut_find_penalty(&scene->pairs[i], NULL, NULL, &penalty);
        int has_interval = penalty.interval_count > 0;
        scene->spans[i] = has_interval ? penalty.intervals[0].begin : 0.0;
        scene->spans[SAMPLE_COUNT + i] = has_interval ? penalty.intervals[0].end : 0.0;
    }
}

static uint64_t run_discrete(void *data)
{
    const ccd_scene *scene = data;
    uint64_t hash = 0;
    for (int i = 0; i < scene->count; ++i) {
        abut_penalty penalty;
        (void)abut_find_discrete_penalty(&scene->pairs[i], 0.05, NULL, &penalty);
        hash = bench_hash(hash, (uint64_t)(abut_norm_squared(penalty.total) > 0.0));
    }
    return hash;
}

static int measure(bench_report *report, const bench_options *options, ccd_scene *scene, const char *subject,
                   bench_body *body)
{
    bench_row row = {
        .scene = scene->name, .subject = subject, .calls = scene->count, .values = {{"touching", scene->touching}}};
    return bench_measure(report, options, &row, body, scene);
}

static int measure_scene(bench_report *report, const bench_options *options, ccd_scene *scene)
{
    static const char *const rules[] = {"impulse exact", "impulse interval", "impulse step", "impulse end"};
    int done = measure(report, options, scene, "test", run_all) &&
               measure(report, options, scene, "first", run_first) &&
               measure(report, options, scene, "batch", run_batch);
    for (int rule = ABUT_PENALTY_EXACT; rule <= ABUT_PENALTY_END && done; ++rule) {
        scene->rule = (abut_penalty_rule)rule;
        done = measure(report, options, scene, rules[rule], run_impulse);
    }
    find_spans(scene);
    return done && measure(report, options, scene, "impulse batch", run_impulse_batch) &&
           measure(report, options, scene, "discrete", run_discrete);
}

int bench_ccd(bench_report *report, const bench_options *options)
{
    ccd_scene scene = {.pairs = malloc(SAMPLE_COUNT * sizeof *scene.pairs),
                       .numbers = malloc(SAMPLE_COUNT * 24 * sizeof *scene.numbers),
                       .times = malloc(SAMPLE_COUNT * sizeof *scene.times),
                       .spans = malloc(SAMPLE_COUNT * 5 * sizeof *scene.spans)};
    int done = scene.pairs != NULL && scene.numbers != NULL && scene.times != NULL && scene.spans != NULL;
    if (!done) {
        (void)bench_fail("out of memory");
    }
    for (int roots_only = 0; roots_only < 2 && done; ++roots_only) {
        fill(&scene, roots_only);
        done = measure_scene(report, options, &scene);
    }
    free(scene.pairs);
    free(scene.numbers);
    free(scene.times);
    free(scene.spans);
    return done;
}
