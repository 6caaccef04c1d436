// SPDX-License-Identifier: MIT
// mesh_pairs.c: intersecting pairs of triangles and distance of two meshes, with abut and other libraries
#include "mesh_pairs.h"
#include "peers.h"

#include <stdlib.h>
#include <string.h>

// ---- libraries and searches

enum { ABUT, FCL, BULLET, ODE, MEMBER_COUNT };

static const peer_hierarchy *const peers[MEMBER_COUNT] = {
    [ABUT] = NULL,
#ifdef ABUT_PEER_FCL
    [FCL] = &peer_fcl,
#endif
#ifdef ABUT_PEER_GIMPACT
    [BULLET] = &peer_gimpact,
#endif
#ifdef ABUT_PEER_ODE
    [ODE] = &peer_ode,
#endif
};

static const char *const build_names[MEMBER_COUNT] = {"build, abut", "build, fcl", "build, bullet", "build, ode"};

// Poses of the second torus: rotated about the line between the centres or the common axis, and about its own axis, so
// that no edges coincide, and then moved.
static const struct {
    abut_vec3 position, axis;
    double angle;
    const char *names[MEMBER_COUNT]; // of the search for intersecting pairs
} places[] = {
    {{2.75, 0.0, 0.0}, {1.0, 0.0, 0.0}, 0.5, {"overlap, abut", "overlap, fcl", "overlap, bullet", "overlap, ode"}},
    {{0.0, 0.0, 0.75}, {0.0, 0.0, 1.0}, 0.5, {"stacked, abut", "stacked, fcl", "stacked, bullet", "stacked, ode"}},
    {{2.801, 0.0, 0.0}, {1.0, 0.0, 0.0}, 0.5, {"apart, abut", "apart, fcl", "apart, bullet", "apart, ode"}},
};
enum { PLACE_COUNT = sizeof places / sizeof places[0] };

static const char *const distance_names[MEMBER_COUNT] = {"distance, abut", "distance, fcl", "distance, bullet",
                                                         "distance, ode"};

// ---- sets of pairs

typedef struct pair_set {
    uint64_t *pairs; // triangle of A << 32 | triangle of B
    size_t count, capacity;
    int is_full; // memory ran out
} pair_set;

static void add_pair(void *user, int a, int b)
{
    pair_set *set = user;
    if (set->count == set->capacity) {
        size_t capacity = 2 * set->capacity + 1024;
        uint64_t *pairs = realloc(set->pairs, capacity * sizeof *pairs);
        if (pairs == NULL) {
            set->is_full = 1;
            return;
        }
        set->pairs = pairs;
        set->capacity = capacity;
    }
    set->pairs[set->count++] = (uint64_t)(uint32_t)a << 32 | (uint64_t)(uint32_t)b;
}

static int add_found_pair(void *user, int a, int b)
{
    add_pair(user, a, b);
    return 0;
}

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Sorts and removes duplicates.
static void tidy_pairs(pair_set *set)
{
    size_t kept = 0;
    if (set->count > 1) {
        qsort(set->pairs, set->count, sizeof *set->pairs, compare_pairs);
    }
    for (size_t i = 0; i < set->count; ++i) {
        if (i == 0 || set->pairs[i] != set->pairs[i - 1]) {
            set->pairs[kept++] = set->pairs[i];
        }
    }
    set->count = kept;
}

// The number of pairs of a that are not in b. Both are tidy.
static int count_missing(const pair_set *a, const pair_set *b)
{
    int count = 0;
    for (size_t i = 0, k = 0; i < a->count; ++i) {
        while (k < b->count && b->pairs[k] < a->pairs[i]) {
            ++k;
        }
        count += k == b->count || b->pairs[k] != a->pairs[i];
    }
    return count;
}

// A hash that does not depend on the order of the pairs.
static uint64_t hash_pairs(const pair_set *set)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < set->count; ++i) {
        sum += bench_hash(0, set->pairs[i] + 1);
    }
    return sum;
}

// ---- the searches

typedef struct member {
    const peer_hierarchy *peer; // NULL: abut
    const abut_tree *tree;      // abut's
    void *a, *b;                // the peer's
    peer_mesh mesh;
    abut_pose b_to_a;
    pair_set found;
} member;

static peer_placement make_placement(abut_pose pose)
{
    abut_mat3 m = abut_quat_matrix(pose.rotation);
    peer_placement made = {{m.x.x, m.y.x, m.z.x, m.x.y, m.y.y, m.z.y, m.x.z, m.y.z, m.z.z},
                           {pose.position.x, pose.position.y, pose.position.z}};
    return made;
}

static peer_mesh make_peer_mesh(const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    peer_mesh made = {&elements.vertices->x, elements.vertex_count, elements.triangles, elements.triangle_count};
    return made;
}

static uint64_t run_peer_build(void *data)
{
    const member *m = data;
    void *made = m->peer->create(&m->mesh);
    if (made == NULL) {
        return 0;
    }
    m->peer->destroy(made);
    return 1;
}

static uint64_t run_pairs(void *data)
{
    member *m = data;
    m->found.count = 0;
    if (m->peer == NULL) {
        (void)abut_tree_intersections(m->tree, m->tree, m->b_to_a, 0.0, add_found_pair, &m->found);
    } else {
        peer_placement pose = make_placement(m->b_to_a);
        m->peer->pairs(m->a, m->b, &pose, add_pair, &m->found);
    }
    return hash_pairs(&m->found);
}

static double find_distance(const member *m)
{
    if (m->peer == NULL) {
        return abut_tree_distance(m->tree, m->tree, m->b_to_a, HUGE_VAL).distance;
    }
    peer_placement pose = make_placement(m->b_to_a);
    return m->peer->distance(m->a, m->b, &pose);
}

// Rounded, since peers differ in the last digits.
static uint64_t run_distance(void *data)
{
    return bench_hash(0, (uint64_t)llround(1e9 * find_distance(data)));
}

// ---- rows

int bench_measure_peer_builds(bench_report *report, const bench_options *options, const char *scene,
                              const abut_mesh *mesh, double min_ns)
{
    for (int who = FCL; who < MEMBER_COUNT; ++who) {
        member m = {.peer = peers[who], .mesh = make_peer_mesh(mesh)};
        bench_row row = {.scene = scene,
                         .subject = build_names[who],
                         .calls = m.mesh.triangle_count,
                         .baseline_ns = min_ns,
                         .values = {{"triangles", m.mesh.triangle_count}}};
        if (m.peer != NULL && !bench_measure(report, options, &row, run_peer_build, &m)) {
            return 0;
        }
    }
    return 1;
}

// Measures a search for pairs. `abut_pairs` and `abut_ns` are the result and time of abut, which sets them.
static int measure_place(bench_report *report, const bench_options *options, bench_row *row, member *m,
                         pair_set *abut_pairs, double *abut_ns)
{
    (void)run_pairs(m);
    tidy_pairs(&m->found);
    if (m->found.is_full) {
        return bench_fail("out of memory");
    }
    row->values[0] = (bench_value){"pairs", (double)m->found.count};
    if (m->peer != NULL) {
        row->values[1] = (bench_value){"missing", count_missing(abut_pairs, &m->found)};
        row->values[2] = (bench_value){"extra", count_missing(&m->found, abut_pairs)};
        row->baseline_ns = *abut_ns;
        return bench_measure(report, options, row, run_pairs, m);
    }
    int done = bench_measure(report, options, row, run_pairs, m);
    *abut_ns = row->min_ns;
    tidy_pairs(&m->found);
    abut_pairs->count = 0;
    for (size_t i = 0; i < m->found.count; ++i) {
        add_pair(abut_pairs, (int)(m->found.pairs[i] >> 32), (int)(m->found.pairs[i] & 0xffffffffu));
    }
    return done && !abut_pairs->is_full;
}

// The results of abut, to compare the others with.
typedef struct reference {
    pair_set pairs[PLACE_COUNT];
    double pairs_ns[PLACE_COUNT];
    double distance_ns;
} reference;

static int measure_member(bench_report *report, const bench_options *options, const char *scene, int who, member *m,
                          reference *r)
{
    for (int i = 0; i < PLACE_COUNT; ++i) {
        bench_row row = {.scene = scene, .subject = places[i].names[who], .calls = 1};
        abut_quat spin = abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), 0.3);
        m->b_to_a.position = places[i].position;
        m->b_to_a.rotation = abut_quat_multiply(abut_quat_from_axis(places[i].axis, places[i].angle), spin);
        if (!measure_place(report, options, &row, m, &r->pairs[i], &r->pairs_ns[i])) {
            return 0;
        }
    }
    if (m->peer != NULL && m->peer->distance == NULL) {
        return 1;
    }
    bench_row row = {.scene = scene,
                     .subject = distance_names[who],
                     .calls = 1,
                     .baseline_ns = r->distance_ns,
                     .values = {{"distance", find_distance(m)}}};
    if (!bench_measure(report, options, &row, run_distance, m)) {
        return 0;
    }
    r->distance_ns = m->peer == NULL ? row.min_ns : r->distance_ns;
    return 1;
}

int bench_measure_mesh_pairs(bench_report *report, const bench_options *options, const char *scene,
                             const abut_mesh *mesh, const abut_tree *tree)
{
    reference r;
    int done = 1;
    memset(&r, 0, sizeof r);
    for (int who = ABUT; who < MEMBER_COUNT && done; ++who) {
        member m = {.peer = peers[who], .tree = tree, .mesh = make_peer_mesh(mesh)};
        if (who != ABUT && m.peer == NULL) {
            continue;
        }
        if (m.peer != NULL) {
            m.a = m.peer->create(&m.mesh);
            m.b = m.peer->create(&m.mesh);
        }
        if (m.peer != NULL && (m.a == NULL || m.b == NULL)) {
            (void)bench_fail("%s cannot make its tree", m.peer->name);
            done = 0;
        }
        done = done && measure_member(report, options, scene, who, &m, &r);
        if (m.a != NULL) {
            m.peer->destroy(m.a);
        }
        if (m.b != NULL) {
            m.peer->destroy(m.b);
        }
        free(m.found.pairs);
    }
    for (int i = 0; i < PLACE_COUNT; ++i) {
        free(r.pairs[i].pairs);
    }
    return done;
}
