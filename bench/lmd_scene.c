// SPDX-License-Identifier: MIT
// lmd_scene.c: the assembly as complexes, and requests along its path
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "lmd_scene.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double envelope = 5.0; ///< millimetres
static const double theta = 2.0 * 3.14159265358979323846 / 180.0;

static double now_in_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int lmd_scene_start(lmd_scene *s, abut_assembly *assembly, int is_plain, int threads)
{
    *s = (lmd_scene){.assembly = assembly};
    abut_context context = bench_context(threads > 1);
    context.worker_count = threads;
    abut_error error = {.text = ""};
    abut_status status = ABUT_OK;
    for (int i = 0; i < ABUT_ASSEMBLY_SHAPES && status == ABUT_OK; ++i) {
        abut_complex_def def = abut_complex_def_default();
        def.mesh = s->assembly->meshes[i];
        def.is_plain = is_plain;
        double begin = now_in_seconds();
        status = abut_complex_create(&context, &def, &s->complexes[i], &error);
        s->build_seconds += now_in_seconds() - begin;
        if (status == ABUT_OK) {
            abut_complex_info info = abut_complex_get_info(s->complexes[i]);
            s->simplex_count += info.vertex_count + info.edge_count + info.triangle_count;
            s->bytes += info.bytes;
        }
    }
    if (status == ABUT_OK) {
        status = abut_lmd_set_create(&context, &s->set);
    }
    return status == ABUT_OK ? 1 : bench_fail("%s", status == ABUT_NO_MEMORY ? "out of memory" : error.text);
}

void lmd_scene_end(lmd_scene *s)
{
    for (int i = 0; i < ABUT_ASSEMBLY_SHAPES; ++i) {
        abut_complex_destroy(s->complexes[i]);
    }
    abut_lmd_set_destroy(s->set);
}

int lmd_scene_ask(lmd_scene *s, int pose, int shape)
{
    abut_lmd_def def = abut_lmd_def_default();
    def.a = s->complexes[shape];
    def.b = s->complexes[0];
    def.b_to_a = s->assembly->poses[pose];
    def.reach = envelope + 2.0 * ABUT_ASSEMBLY_DILATION;
    def.theta = theta;
    return abut_find_lmds(&def, s->set, NULL) == ABUT_OK;
}

void lmd_scene_request(void *scene, int pose)
{
    for (int i = 1; i < ABUT_ASSEMBLY_SHAPES; ++i) {
        (void)lmd_scene_ask(scene, pose, i);
    }
}

/// Does not depend on the order of the items, which differs between hierarchies.
static uint64_t hash_answer(uint64_t hash, const abut_lmd_view *view)
{
    uint64_t sum = (uint64_t)view->count;
    for (int i = 0; i < view->count; ++i) {
        uint64_t bits;
        memcpy(&bits, &view->items[i].distance, sizeof bits);
        uint64_t item = bench_hash(bench_hash(0, bits), (uint64_t)(uint32_t)view->items[i].simplex_a);
        sum += bench_hash(item, (uint64_t)(uint32_t)view->items[i].simplex_b);
    }
    return bench_hash(hash, sum);
}

lmd_counts lmd_scene_count(lmd_scene *s)
{
    lmd_counts c = {.shortest = HUGE_VAL};
    for (int pose = 0; pose < s->assembly->pose_count; ++pose) {
        int phase = 0;
        int64_t nodes = 0;
        while (pose >= s->assembly->phase_begins[phase + 1]) {
            ++phase;
        }
        for (int i = 1; i < ABUT_ASSEMBLY_SHAPES; ++i) {
            if (!lmd_scene_ask(s, pose, i)) {
                continue; // out of memory: the hash then differs
            }
            abut_lmd_view view = abut_lmd_set_get(s->set);
            c.lmds[phase] += view.count;
            c.leaf_pairs[phase] += view.stats.leaf_pairs;
            c.node_pairs[phase] += view.stats.node_pairs;
            nodes += view.stats.node_pairs;
            c.hash = hash_answer(c.hash, &view);
            for (int k = 0; k < view.count; ++k) {
                c.shortest = fmin(c.shortest, view.items[k].distance);
            }
        }
        c.most_nodes = nodes > c.most_nodes ? nodes : c.most_nodes;
    }
    return c;
}
