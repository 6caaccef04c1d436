// SPDX-License-Identifier: MIT
// bench_lmd.c: quasi-LMDs of a linkage that is mounted in a car (Merlhiot 2007, section 7.2)
//
// A request asks for the quasi-LMDs of all 25 pairs at one pose of the path, up to a gap of 5 mm with dilations of 0.5
// mm, theta 2 degrees. The time of a request is its least over the rounds; a row has the mean over the path, and the
// least, the 99th percentile and the largest, with those of the paper's Table 3 (on four cores of 2006) beside them.
// Subjects: the full hierarchy (5D+1) on one and on two threads, and the plain one, without classes and cuts by
// orientation. Then the pairs within the envelope alone, beside FCL's least distance.
#include "groups.h"
#include "lmd_scene.h"
#include "peers.h"

#include <math.h>

enum { POSES = 1200, GROWTH_POSES = 60, PAIR_STRIDE = 8, ROUNDS = 3 };

/// Table 3 of the paper, in milliseconds.
typedef struct paper_row {
    double chord, edge;
    int is_plain;
    double mean, least, largest;
} paper_row;

static const paper_row paper_rows[] = {
    {2.0, 10.0, 1, 15.42, 0.16, 142.58}, {2.0, 10.0, 0, 14.00, 0.30, 45.04}, {1.0, 5.0, 0, 10.06, 0.41, 29.18}};

static void add_counts(bench_row *row, const lmd_scene *s, const lmd_counts *c)
{
    double total = s->assembly->pose_count, lmds = 0.0, nodes = 0.0;
    int begin = s->assembly->phase_begins[ABUT_ASSEMBLY_GAP], middle = s->assembly->phase_begins[ABUT_ASSEMBLY_PEG];
    for (int i = 0; i < ABUT_ASSEMBLY_PHASES; ++i) {
        lmds += (double)c->lmds[i];
        nodes += (double)c->node_pairs[i];
    }
    bench_add_value(row, "lmds", lmds / total);
    bench_add_value(row, "leaf_pairs_gap", (double)c->leaf_pairs[ABUT_ASSEMBLY_GAP] / (middle - begin));
    bench_add_value(row, "leaf_pairs_peg", (double)c->leaf_pairs[ABUT_ASSEMBLY_PEG] / (total - middle));
    bench_add_value(row, "node_pairs", nodes / total);
    bench_add_value(row, "most_node_pairs", (double)c->most_nodes);
    bench_add_value(row, "simplices", (double)s->simplex_count);
    bench_add_value(row, "bytes_each", (double)s->bytes / (double)s->simplex_count);
    bench_add_value(row, "build_seconds", s->build_seconds);
}

/// A tessellation of the assembly.
typedef struct lmd_size {
    const char *name;
    double chord, edge;
    int seed, pose_count;
} lmd_size;

/// A whole path takes seconds: it is repeated a few times, whatever it takes.
static bench_options path_options(const bench_options *options, const lmd_size *size)
{
    bench_options read = *options;
    if (size->pose_count >= POSES) {
        read.repeats = read.repeats < ROUNDS ? read.repeats : ROUNDS;
        read.seconds = HUGE_VAL;
    }
    return read;
}

static void add_paper(bench_row *row, const lmd_size *size, int is_plain)
{
    for (size_t i = 0; i < sizeof paper_rows / sizeof paper_rows[0]; ++i) {
        const paper_row *paper = &paper_rows[i];
        if (paper->chord == size->chord && paper->edge == size->edge && paper->is_plain == is_plain) {
            bench_add_value(row, "paper_mean_ns", 1e6 * paper->mean);
            bench_add_value(row, "paper_least_ns", 1e6 * paper->least);
            bench_add_value(row, "paper_largest_ns", 1e6 * paper->largest);
        }
    }
}

/// Adds the row of a scene that is built, with the times of its requests.
static int measure_requests(bench_report *report, const bench_options *options, lmd_scene *s, const lmd_size *size,
                            bench_row *row, int is_plain)
{
    bench_spread spread;
    bench_options read = path_options(options, size);
    int count = s->assembly->pose_count;
    lmd_counts counts = lmd_scene_count(s);
    if (!bench_measure_calls(&read, count, lmd_scene_request, s, &spread)) {
        return 0;
    }
    double time = 1e-9 * spread.mean_ns * count;
    row->calls = count;
    row->hash = counts.hash;
    bench_add_value(row, "least_ns", spread.min_ns);
    bench_add_value(row, "p99_ns", spread.p99_ns);
    bench_add_value(row, "largest_ns", spread.max_ns);
    add_counts(row, s, &counts);
    add_paper(row, size, is_plain);
    return bench_add(report, row, &time, 1);
}

// ---- pairs, beside FCL

/// A pair of a request that has a quasi-LMD.
typedef struct near_pair {
    int pose, shape;
    double distance; ///< the shortest
} near_pair;

typedef struct pair_list {
    lmd_scene *scene;
    near_pair *items;
    int count;
    uint64_t hash; ///< of the distances, rounded
    void *peers[ABUT_ASSEMBLY_SHAPES];
} pair_list;

static void ask_pair(void *data, int i)
{
    pair_list *list = data;
    (void)lmd_scene_ask(list->scene, list->items[i].pose, list->items[i].shape);
}

static int list_pairs(pair_list *list, near_pair *items)
{
    lmd_scene *s = list->scene;
    list->items = items;
    for (int pose = 0; pose < s->assembly->pose_count; pose += PAIR_STRIDE) {
        for (int shape = 1; shape < ABUT_ASSEMBLY_SHAPES; ++shape) {
            if (!lmd_scene_ask(s, pose, shape)) {
                return bench_fail("out of memory");
            }
            abut_lmd_view view = abut_lmd_set_get(s->set);
            near_pair pair = {pose, shape, HUGE_VAL};
            for (int i = 0; i < view.count; ++i) {
                pair.distance = fmin(pair.distance, view.items[i].distance);
            }
            if (view.count > 0) {
                list->hash = bench_hash(list->hash, (uint64_t)llround(1e6 * pair.distance));
                items[list->count++] = pair;
            }
        }
    }
    return 1;
}

#ifdef ABUT_PEER_FCL
static double fcl_distance(const pair_list *list, int i)
{
    abut_pose pose = list->scene->assembly->poses[list->items[i].pose];
    abut_mat3 m = abut_quat_matrix(pose.rotation);
    abut_vec3 t = pose.position;
    peer_placement placement = {{m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z}, {t.x, t.y, t.z}};
    return peer_fcl.distance(list->peers[list->items[i].shape], list->peers[0], &placement);
}

static void ask_fcl(void *data, int i)
{
    (void)fcl_distance(data, i);
}

/// Pairs whose shortest quasi-LMD is not the distance that FCL finds.
static int count_differing(const pair_list *list, uint64_t *hash)
{
    int differing = 0;
    for (int i = 0; i < list->count; ++i) {
        double distance = fcl_distance(list, i);
        differing += !(fabs(distance - list->items[i].distance) <= 1e-6);
        *hash = bench_hash(*hash, (uint64_t)llround(1e6 * distance));
    }
    return differing;
}

static int measure_fcl(bench_report *report, const bench_options *options, pair_list *list, const bench_row *own)
{
    bench_spread spread;
    int is_made = 1;
    for (int i = 0; i < ABUT_ASSEMBLY_SHAPES && is_made; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(list->scene->assembly->meshes[i]);
        peer_mesh mesh = {&e.vertices->x, e.vertex_count, e.triangles, e.triangle_count};
        list->peers[i] = peer_fcl.create(&mesh);
        is_made = list->peers[i] != NULL || bench_fail("FCL cannot make its tree");
    }
    is_made = is_made && bench_measure_calls(options, list->count, ask_fcl, list, &spread);
    if (is_made) {
        double time = 1e-9 * spread.mean_ns * list->count;
        bench_row row = {.scene = own->scene, .subject = "pairs, fcl", .threads = 1, .calls = list->count};
        row.baseline_ns = own->min_ns;
        bench_add_value(&row, "differing", count_differing(list, &row.hash));
        bench_add_value(&row, "p99_ns", spread.p99_ns);
        bench_add_value(&row, "largest_ns", spread.max_ns);
        is_made = bench_add(report, &row, &time, 1);
    }
    for (int i = 0; i < ABUT_ASSEMBLY_SHAPES; ++i) {
        if (list->peers[i] != NULL) {
            peer_fcl.destroy(list->peers[i]);
        }
    }
    return is_made;
}
#endif

static int measure_pairs(bench_report *report, const bench_options *options, lmd_scene *s, const char *name)
{
    static near_pair items[(POSES / PAIR_STRIDE + 1) * (ABUT_ASSEMBLY_SHAPES - 1)];
    pair_list list = {.scene = s};
    bench_spread spread;
    if (!list_pairs(&list, items) || !bench_measure_calls(options, list.count, ask_pair, &list, &spread)) {
        return 0;
    }
    double time = 1e-9 * spread.mean_ns * list.count;
    bench_row row = {.scene = name, .subject = "pairs, abut", .threads = 1, .calls = list.count, .hash = list.hash};
    bench_add_value(&row, "p99_ns", spread.p99_ns);
    bench_add_value(&row, "largest_ns", spread.max_ns);
    int done = bench_add(report, &row, &time, 1);
#ifdef ABUT_PEER_FCL
    done = done && measure_fcl(report, options, &list, &row);
#endif
    return done;
}

// ---- sizes

/// What is measured at a size.
enum { FULL = 1u << 0, PLAIN = 1u << 1, TWO_THREADS = 1u << 2, PAIRS = 1u << 3 }; ///< PAIRS: together with FULL

static int measure_kind(bench_report *report, const bench_options *options, const lmd_size *size,
                        abut_assembly *assembly, unsigned kind, int has_pairs)
{
    lmd_scene s;
    int threads = kind == TWO_THREADS ? 2 : 1;
    bench_row row = {.scene = size->name,
                     .subject = kind == PLAIN         ? "plain"
                                : kind == TWO_THREADS ? "full, two threads"
                                                      : "full",
                     .threads = threads};
    int done = lmd_scene_start(&s, assembly, kind == PLAIN, threads) &&
               measure_requests(report, options, &s, size, &row, kind == PLAIN) &&
               (!has_pairs || measure_pairs(report, options, &s, size->name));
    lmd_scene_end(&s);
    return done;
}

static int measure_size(bench_report *report, const bench_options *options, const lmd_size *size, unsigned kinds)
{
    abut_assembly_params params = abut_assembly_params_default();
    params.chord = size->chord;
    params.edge = size->edge;
    params.seed = size->seed;
    params.pose_count = size->pose_count;
    abut_assembly *assembly = NULL;
    abut_error error = {.text = ""};
    if (abut_assembly_create(NULL, &params, &assembly, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    int done = 1;
    for (unsigned kind = FULL; kind <= TWO_THREADS && done; kind <<= 1) {
        int has_pairs = kind == FULL && (kinds & PAIRS) != 0;
        done = (kinds & kind) == 0 || measure_kind(report, options, size, assembly, kind, has_pairs);
    }
    bench_note(report, "%s: %lld triangles, hash of the assembly %016llx", size->name,
               (long long)assembly->triangle_count, (unsigned long long)assembly->hash);
    abut_assembly_destroy(assembly);
    return done;
}

int bench_lmd(bench_report *report, const bench_options *options)
{
    static const struct {
        lmd_size size;
        unsigned kinds;
        int is_large;
    } rows[] = {
        {{"(100, 400), seed 1", 100.0, 400.0, 1, GROWTH_POSES}, FULL, 0},
        {{"(20, 100), seed 1", 20.0, 100.0, 1, GROWTH_POSES}, FULL, 0},
        {{"(8, 40), seed 1", 8.0, 40.0, 1, GROWTH_POSES}, FULL | PLAIN | TWO_THREADS | PAIRS, 0},
        {{"(2, 20), seed 1", 2.0, 20.0, 1, POSES}, FULL | PLAIN, 1},
        {{"(2, 14), seed 1", 2.0, 14.0, 1, POSES}, FULL, 1},
        {{"(2, 10), seed 1", 2.0, 10.0, 1, POSES}, FULL | PLAIN | TWO_THREADS | PAIRS, 1},
        {{"(2, 10), seed 2", 2.0, 10.0, 2, POSES}, FULL | PLAIN, 1},
        {{"(2, 10), seed 3", 2.0, 10.0, 3, POSES}, FULL | PLAIN, 1},
        {{"(1, 7), seed 1", 1.0, 7.0, 1, POSES}, FULL, 1},
        {{"(1, 5), seed 1", 1.0, 5.0, 1, POSES}, FULL | PLAIN | TWO_THREADS | PAIRS, 1},
        {{"(1, 5), seed 2", 1.0, 5.0, 2, POSES}, FULL | PLAIN | TWO_THREADS, 1},
        {{"(1, 5), seed 3", 1.0, 5.0, 3, POSES}, FULL | PLAIN | TWO_THREADS, 1},
        {{"(1, 3), seed 1", 1.0, 3.0, 1, POSES}, FULL, 1},
    };
    int done = 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && done; ++i) {
        if (!rows[i].is_large || options->is_large) {
            done = measure_size(report, options, &rows[i].size, rows[i].kinds);
        }
    }
    return done;
}
