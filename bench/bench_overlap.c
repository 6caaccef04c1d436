// SPDX-License-Identifier: MIT
// bench_overlap.c: time of a pair of solids by how deep they are in each other
//
// The pairs are those of `abut assess --case overlap`: generated solids with holes, threads, teeth and hooks. Each is
// placed with a gap, touching, and moved in by 0.1 to 10 % of the smaller size along one line, so that the same pairs are
// in every row. Without velocities and memory, and with the motion of a step that led there.
#include "contact_hash.h"
#include "groups.h"

#include <abut-lab/overlap.h>
#include <stdlib.h>

enum { PAIRS = 40, LARGE_PAIRS = ABUT_OVERLAP_STANDARD };

static const struct {
    const char *name;
    double depth; ///< of the size; negative: a gap
} states[] = {{"gap 0.1 %", -1e-3}, {"touching", 0.0}, {"0.1 % in", 1e-3}, {"1 % in", 1e-2}, {"10 % in", 0.1}};
enum { STATES = sizeof states / sizeof states[0] };

static const struct {
    const char *subject, *method;
    int moves; ///< with the velocity that led there
} subjects[] = {{"auto", "auto", 0},
                {"auto, moving in", "auto", 1},
                {"quasi-lmd", "quasi-lmd", 0},
                {"closest-points", "closest-points", 0},
                {"intersection", "intersection", 0}};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

typedef struct overlap_bench {
    const abut_overlap_set *set;
    const abut_method *method;
    abut_params params;
    abut_option option;
    abut_workspace *workspace;
    double depth;
    int moves;
    int64_t contacts;
    int answered;
    uint64_t hash;
} overlap_bench;

static void ask(void *data, int i)
{
    overlap_bench *o = data;
    const abut_overlap_placement *p = &o->set->placements[i];
    abut_vec3 in = abut_scale(-1.0, abut_unit(p->freeing));
    abut_pair pair = abut_pair_default(o->set->shapes[p->a], o->set->shapes[p->b]);
    pair.dt = 0.01;
    pair.a.pose = p->pose_a;
    pair.b.pose = p->pose_b;
    pair.b.pose.position = abut_add_scaled(abut_add(p->pose_b.position, p->freeing), o->depth * p->size, in);
    if (o->moves) {
        pair.b.linear_velocity = abut_scale(1.5 * fmax(o->depth, 1e-3) * p->size / pair.dt, in);
    }
    o->params.envelope = abut_absolute(o->depth < 0.0 ? -2.0 * o->depth * p->size : 0.0);
    abut_result result = abut_result_default();
    abut_status status = abut_find_contacts(&pair, o->method, &o->params, o->workspace, &result);
    o->answered += status == ABUT_OK && result.contacts.count > 0;
    o->contacts += result.contacts.count;
    o->hash = bench_hash_contacts(bench_hash(o->hash, (uint64_t)status), &result.contacts);
}

static uint64_t ask_all(void *data)
{
    overlap_bench *o = data;
    o->contacts = o->answered = 0;
    o->hash = 0;
    for (int i = 0; i < o->set->placement_count; ++i) {
        ask(o, i);
    }
    return o->hash;
}

static int add_row(bench_report *report, const bench_options *options, overlap_bench *o, int state, int subject)
{
    int count = o->set->placement_count;
    bench_row row = {.scene = states[state].name, .subject = subjects[subject].subject, .calls = count};
    (void)ask_all(o);
    bench_add_value(&row, "answered", 100.0 * o->answered / count);
    bench_add_value(&row, "contacts", o->answered > 0 ? (double)o->contacts / o->answered : 0.0);
    bench_spread spread;
    bench_options once = *options;
    once.repeats = 3;
    if (!bench_measure_calls(&once, count, ask, o, &spread)) {
        return bench_fail("no memory for the times of %d pairs", count);
    }
    bench_add_value(&row, "median_pair_ns", spread.median_ns);
    bench_add_value(&row, "max_ns", spread.max_ns);
    return bench_measure(report, options, &row, ask_all, o);
}

static int prepare(const abut_overlap_set *set, const abut_method *method, const abut_params *params)
{
    for (int i = 0; i < set->shape_count; ++i) {
        abut_error error;
        if (abut_shape_prepare(set->shapes[i], method, params, &error) != ABUT_OK) {
            return bench_fail("%s: %s", set->names[i], error.text);
        }
    }
    return 1;
}

int bench_overlap(bench_report *report, const bench_options *options)
{
    abut_context context = bench_context(0);
    abut_overlap_set *set = NULL;
    abut_error error;
    overlap_bench o = {.params = abut_params_default()};
    if (abut_overlap_set_create(&context, options->is_large ? LARGE_PAIRS : PAIRS, &set, &error) != ABUT_OK ||
        abut_workspace_create(&context, &o.workspace) != ABUT_OK) {
        abut_overlap_set_destroy(set);
        return bench_fail("no memory for the pairs");
    }
    o.set = set;
    int done = 1;
    for (int i = 0; i < SUBJECTS && done; ++i) {
        o.method = abut_method_find(subjects[i].method);
        o.moves = subjects[i].moves;
        o.params.option_count = abut_option_parse(o.method, "overlap=separate", &o.option, NULL) == ABUT_OK;
        o.params.options = &o.option;
        done = prepare(set, o.method, &o.params);
        for (int k = 0; k < STATES && done; ++k) {
            o.depth = states[k].depth;
            done = add_row(report, options, &o, k, i);
        }
    }
    abut_workspace_destroy(o.workspace);
    abut_overlap_set_destroy(set);
    return done;
}
