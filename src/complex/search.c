// SPDX-License-Identifier: MIT
// search.c: all quasi-LMDs of two complexes within reach
//
// Two hierarchies are descended together. A child of one is tested against all children of a node of the other
// (node_test.h), and those that can hold a quasi-LMD with it are looked at further. The first levels are opened in one
// thread; the pairs that result are searched in parallel, each into a list of its own, and the lists are joined in order.
//
// Source: Merlhiot 2007, section 6.4.
// Cost:   no heap calls once the lists have grown.
#include "base/context.h"
#include "base/error.h"
#include "complex/leaf.h"
#include "complex/node_test.h"

enum {
    TASK_COUNT = 72,   ///< pairs of nodes that are searched in parallel, at most
    ENOUGH_TASKS = 64, ///< no more are opened
    /// On the stack: from each level of either hierarchy seven pairs wait, and eight are added.
    MOST_PAIRS = 2 * ABUT_LMD_DEEPEST * (ABUT_LMD_CHILDREN - 1) + ABUT_LMD_CHILDREN
};

static const double default_theta = 0.034906585039886591; ///< 2 degrees

static const float least_angle = 0.01f; ///< radians, of a cone of one direction

/// Two children, as in abut_lmd_get_bounds().
typedef struct node_pair {
    int a, b;
} node_pair;

/// What one task found. Lists keep their memory.
typedef struct task_list {
    abut_lmd *items;
    int count, capacity;
    abut_lmd_stats stats;
    int is_out_of_memory;
} task_list;

struct abut_lmd_set {
    abut_context context;
    abut_lmd *items;
    int count, capacity;
    abut_lmd_stats stats;
    task_list lists[TASK_COUNT];
    unsigned char compatible[256]; ///< by class bits: the classes compatible with any of them
};

typedef struct search {
    abut_lmd_frame frame;
    abut_lmd_set *set;
    abut_lmd_node_test *test;
    float reach, slack; ///< for node tests, rounded up
    node_pair tasks[TASK_COUNT];
    int task_count;
} search;

static abut_lmd_def default_lmd_def(void)
{
    abut_lmd_def def = {0};
    def.struct_size = sizeof def;
    def.b_to_a = abut_pose_identity();
    def.theta = default_theta;
    return def;
}

void abut_lmd_def_init(abut_lmd_def *def, size_t size)
{
    const abut_lmd_def made = default_lmd_def();
    abut_write_versioned(def, size, &made, sizeof made);
}

abut_status abut_lmd_set_create(const abut_context *context, abut_lmd_set **set)
{
    abut_context kept = abut_context_or_default(context);
    *set = abut_allocate_zeroed(&kept, 1, sizeof **set);
    if (*set == NULL) {
        return ABUT_NO_MEMORY;
    }
    (*set)->context = kept;
    for (int bits = 0; bits < 256; ++bits) {
        for (int k = 0; k < 8; ++k) {
            (*set)->compatible[bits] |= bits >> k & 1 ? abut_lmd_compatible[k] : 0;
        }
    }
    return ABUT_OK;
}

void abut_lmd_set_destroy(abut_lmd_set *set)
{
    if (set == NULL) {
        return;
    }
    abut_context context = set->context;
    for (int i = 0; i < TASK_COUNT; ++i) {
        abut_free(&context, set->lists[i].items);
    }
    abut_free(&context, set->items);
    abut_free(&context, set);
}

abut_lmd_view abut_lmd_set_get(const abut_lmd_set *set)
{
    abut_lmd_view view = {set->items, set->count, set->stats};
    return view;
}

// ---- nodes

static abut_lmd_node_test *choose_node_test(void)
{
#if defined(ABUT_HAS_AVX2)
    if (__builtin_cpu_supports("avx2")) {
        return abut_lmd_node_test_avx2;
    }
#endif
    return abut_lmd_node_test_plain;
}

/// A probe with the limits of the search, to be placed.
static abut_lmd_probe start_probe(const search *s)
{
    abut_lmd_probe probe = {.reach = s->reach,
                            .slack = s->slack,
                            .theta_cosine = (float)s->frame.cosine,
                            .theta_sine = (float)s->frame.sine};
    return probe;
}

/// Gives a probe the bounds of a child of one hierarchy, in the frame of the other. `is_b`: it is one of B's.
static void place_probe(const search *s, const abut_lmd_bounds *bounds, int is_b, abut_lmd_probe *probe)
{
    const abut_lmd_frame *f = &s->frame;
    abut_vec3 center, axis;
    if (is_b) {
        center = abut_add(abut_mat3_apply(f->rotation, bounds->center), f->translation);
        axis = abut_mat3_apply(f->rotation, bounds->axis);
    } else {
        center = abut_mat3_apply_transposed(f->rotation, abut_sub(bounds->center, f->translation));
        axis = abut_mat3_apply_transposed(f->rotation, bounds->axis);
    }
    probe->center[0] = (float)center.x;
    probe->center[1] = (float)center.y;
    probe->center[2] = (float)center.z;
    probe->radius = (float)bounds->radius;
    probe->axis[0] = (float)axis.x;
    probe->axis[1] = (float)axis.y;
    probe->axis[2] = (float)axis.z;
    probe->cosine = (float)(bounds->cosine * f->cosine - bounds->sine * f->sine);
    probe->sine = (float)(bounds->sine * f->cosine + bounds->cosine * f->sine);
    probe->low = (float)bounds->low;
    probe->high = (float)bounds->high;
    probe->is_two_sided = bounds->is_two_sided;
    probe->classes = s->set->compatible[bounds->classes];
}

/// A ball around all of a complex, with all directions and classes.
static abut_lmd_bounds bounds_of_all(const abut_complex *c)
{
    abut_lmd_bounds bounds = {.radius = c->radius * (1.0 + 1e-6),
                              .axis = {1.0, 0.0, 0.0},
                              .cosine = -1.0,
                              .low = -c->radius * (1.0 + 1e-6),
                              .high = c->radius * (1.0 + 1e-6),
                              .classes = 0xff};
    return bounds;
}

// ---- tasks

static void look_at_leaves(const search *s, node_pair pair, task_list *list)
{
    abut_lmd found;
    ++list->stats.leaf_pairs;
    int answer = abut_lmd_of_leaves(&s->frame, pair.a, pair.b, &found);
    list->stats.touching_pairs += answer == ABUT_LMD_TOUCHING;
    if (answer != ABUT_LMD_FOUND) {
        return;
    }
    if (!abut_grow(&s->set->context, &list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
        list->is_out_of_memory = 1;
        return;
    }
    list->items[list->count++] = found;
}

/// What a child is: a node, or ~s for simplex s.
static int child_at(const abut_complex *c, int child)
{
    return c->nodes[child / ABUT_LMD_CHILDREN].child[child % ABUT_LMD_CHILDREN];
}

static int is_leaf_pair(const search *s, node_pair pair)
{
    return child_at(s->frame.a, pair.a) < 0 && child_at(s->frame.b, pair.b) < 0;
}

/// Places times directions of a child: its radius times about the angle of its cone. A flat one counts a little.
static float spread_at(const abut_complex *c, int child)
{
    const abut_lmd_node *n = &c->nodes[child / ABUT_LMD_CHILDREN];
    int k = child % ABUT_LMD_CHILDREN;
    return n->radius[k] * (least_angle + sqrtf(1.0f - n->cosine[k]));
}

/// The last probe: pairs that are opened one after the other often share theirs.
typedef struct held_probe {
    abut_lmd_probe probe;
    int child, is_b; ///< -1: none yet
} held_probe;

/// Replaces one of a pair that are not both leaves by its children, as far as they can hold a quasi-LMD: the one with the
/// larger spread, so that a pipe is cut into strips of one direction before the plate beside it is. Returns how many
/// pairs there are then.
static int open_pair(const search *s, node_pair pair, held_probe *held, node_pair children[ABUT_LMD_CHILDREN])
{
    const abut_complex *a = s->frame.a, *b = s->frame.b;
    int child_a = child_at(a, pair.a), child_b = child_at(b, pair.b);
    int opens_a = child_b < 0 || (child_a >= 0 && spread_at(a, pair.a) >= spread_at(b, pair.b));
    int probed = opens_a ? pair.b : pair.a, count = 0;
    if (held->child != probed || held->is_b != opens_a) {
        abut_lmd_bounds bounds = abut_lmd_get_bounds(opens_a ? b->nodes : a->nodes, probed);
        place_probe(s, &bounds, opens_a, &held->probe);
        held->child = probed;
        held->is_b = opens_a;
    }
    unsigned mask = s->test(opens_a ? &a->nodes[child_a] : &b->nodes[child_b], &held->probe);
    for (; mask != 0; mask &= mask - 1) {
        int k = __builtin_ctz(mask);
        children[count++] = opens_a ? (node_pair){ABUT_LMD_CHILDREN * child_a + k, pair.b}
                                    : (node_pair){pair.a, ABUT_LMD_CHILDREN * child_b + k};
    }
    return count;
}

static void run_task(const search *s, node_pair first, task_list *list)
{
    node_pair stack[MOST_PAIRS];
    held_probe held = {.probe = start_probe(s), .child = -1};
    int count = 0;
    stack[count++] = first;
    while (count > 0) {
        node_pair pair = stack[--count];
        if (is_leaf_pair(s, pair)) {
            look_at_leaves(s, pair, list);
        } else {
            count += open_pair(s, pair, &held, stack + count);
            ++list->stats.node_pairs;
        }
    }
}

static void run_tasks(void *data, int begin, int end, int worker)
{
    (void)worker;
    const search *s = data;
    for (int i = begin; i < end; ++i) {
        run_task(s, s->tasks[i], &s->set->lists[i]);
    }
}

/// The children of the roots, each of A's with each of B's.
static void pair_roots(search *s)
{
    const abut_lmd_frame *f = &s->frame;
    if (f->a->node_count == 0 || f->b->node_count == 0) {
        return;
    }
    abut_lmd_bounds all = bounds_of_all(f->b);
    abut_lmd_probe probe = start_probe(s);
    place_probe(s, &all, 1, &probe);
    unsigned mask = s->test(&f->a->nodes[0], &probe);
    ++s->set->stats.node_pairs;
    for (int i = 0; i < ABUT_LMD_CHILDREN; ++i) {
        if (mask >> i & 1u) {
            abut_lmd_bounds a = abut_lmd_get_bounds(f->a->nodes, i);
            place_probe(s, &a, 0, &probe);
            unsigned mask_b = s->test(&f->b->nodes[0], &probe);
            ++s->set->stats.node_pairs;
            for (int k = 0; k < ABUT_LMD_CHILDREN; ++k) {
                if (mask_b >> k & 1u) {
                    s->tasks[s->task_count++] = (node_pair){i, k};
                }
            }
        }
    }
}

/// Opens pairs from the roots, the first ones first, until there are enough for all threads or all are leaves.
static void open_first_pairs(search *s)
{
    held_probe held = {.probe = start_probe(s), .child = -1};
    pair_roots(s);
    for (int i = 0, closed = 0; closed < s->task_count && s->task_count < ENOUGH_TASKS;) {
        i = i >= s->task_count ? 0 : i;
        if (is_leaf_pair(s, s->tasks[i])) {
            ++closed;
            ++i;
            continue;
        }
        closed = 0;
        node_pair children[ABUT_LMD_CHILDREN];
        int count = open_pair(s, s->tasks[i], &held, children);
        ++s->set->stats.node_pairs;
        if (count == 0) {
            s->tasks[i] = s->tasks[--s->task_count];
        }
        for (int k = 1; k < count; ++k) {
            s->tasks[s->task_count++] = children[k];
        }
        if (count > 0) {
            s->tasks[i] = children[0];
            i += count > 1; // a single one is opened again
        }
    }
}

static void add_stats(abut_lmd_stats *sum, const abut_lmd_stats *more)
{
    sum->node_pairs += more->node_pairs;
    sum->leaf_pairs += more->leaf_pairs;
    sum->touching_pairs += more->touching_pairs;
}

/// All pairs of leaves, without the hierarchy.
static void look_at_all(const search *s, task_list *list)
{
    const abut_complex *a = s->frame.a, *b = s->frame.b;
    node_pair pair;
    for (pair.a = 0; pair.a < ABUT_LMD_CHILDREN * a->node_count; ++pair.a) {
        for (pair.b = 0; pair.b < ABUT_LMD_CHILDREN * b->node_count && child_at(a, pair.a) < 0; ++pair.b) {
            if (child_at(b, pair.b) < 0) {
                look_at_leaves(s, pair, list);
            }
        }
    }
}

static abut_status join_lists(search *s, abut_error *error)
{
    abut_lmd_set *set = s->set;
    int64_t total = 0;
    int is_out_of_memory = 0;
    for (int i = 0; i < TASK_COUNT; ++i) {
        total += set->lists[i].count;
        is_out_of_memory |= set->lists[i].is_out_of_memory;
        add_stats(&set->stats, &set->lists[i].stats);
    }
    if (is_out_of_memory || total > INT32_MAX ||
        !abut_grow(&set->context, &set->items, &set->capacity, (int)total, sizeof *set->items)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %lld quasi-LMDs", (long long)total);
    }
    for (int i = 0; i < TASK_COUNT; ++i) {
        for (int k = 0; k < set->lists[i].count; ++k) {
            abut_lmd lmd = set->lists[i].items[k];
            lmd.point_a = abut_add(lmd.point_a, s->frame.a->origin);
            lmd.point_b = abut_add(lmd.point_b, s->frame.a->origin);
            set->items[set->count++] = lmd;
        }
    }
    return ABUT_OK;
}

static abut_lmd_frame make_frame(const abut_lmd_def *def)
{
    abut_lmd_frame f = {.a = def->a, .b = def->b, .reach = def->reach, .is_self = def->is_self};
    abut_pose pose = abut_pose_make(def->b_to_a.position, abut_quat_unit(def->b_to_a.rotation));
    f.rotation = abut_quat_matrix(pose.rotation);
    f.translation = abut_sub(abut_pose_apply(pose, def->b->origin), def->a->origin);
    f.sine = sin(def->theta);
    f.cosine = cos(def->theta);
    // bodies that are farther apart than this have no quasi-LMD; their rounding does not matter
    double radii = def->a->radius + def->b->radius;
    f.extent = radii + fmin(abut_norm(f.translation), radii + def->reach);
    f.slack = 64.0 * 0x1p-53 * f.extent;
    f.zero = 1e-12 * f.extent;
    return f;
}

static search make_search(const abut_lmd_def *def, abut_lmd_set *set)
{
    search s = {.set = set, .frame = make_frame(def), .test = choose_node_test()};
    s.reach = (float)(fmin(def->reach, 2.0 * s.frame.extent) * (1.0 + 1e-6)); // no distance is longer
    s.slack = (float)(s.frame.slack + 16.0 * 0x1p-24 * s.frame.extent);       // a probe is placed in float
    return s;
}

static abut_status check_def(const abut_lmd_def *def, abut_error *error)
{
    const abut_pose *pose = &def->b_to_a;
    double turned = pose->rotation.w + pose->rotation.x + pose->rotation.y + pose->rotation.z;
    if (def->a == NULL || def->b == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a search for quasi-LMDs needs two complexes");
    }
    if (def->is_self && def->a != def->b) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "a search of a complex in itself has the same complex as A and B");
    }
    if (!(def->reach >= 0.0) || !isfinite(def->reach) || !(def->theta >= 0.0 && def->theta <= 1.5)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "reach %g must be finite and not negative, and theta %g from 0 to 1.5 radians", def->reach,
                         def->theta);
    }
    return abut_is_finite(pose->position) && isfinite(turned)
               ? ABUT_OK
               : abut_fail(error, ABUT_BAD_ARGUMENT, "the pose of B is not finite");
}

abut_status abut_find_lmds(const abut_lmd_def *def, abut_lmd_set *set, abut_error *error)
{
    ABUT_ASSERT(def != NULL && set != NULL);
    abut_lmd_def read = abut_lmd_def_default();
    set->count = 0;
    set->stats = (abut_lmd_stats){0};
    for (int i = 0; i < TASK_COUNT; ++i) {
        set->lists[i].count = set->lists[i].is_out_of_memory = 0;
        set->lists[i].stats = (abut_lmd_stats){0};
    }
    if (!abut_read_versioned(&read, sizeof read, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the definition was not made by abut_lmd_def_default()");
    }
    abut_status status = check_def(&read, error);
    if (status != ABUT_OK) {
        return status;
    }
    search s = make_search(&read, set);
    // floats hold the squares of lengths up to 1e19: other bodies are searched without the hierarchy
    int is_in_range = s.frame.extent > 1e-15 && s.frame.extent < 1e18;
    if (read.is_exhaustive || !is_in_range) {
        look_at_all(&s, &set->lists[0]);
    } else {
        open_first_pairs(&s);
        abut_parallel_for(&set->context, s.task_count, 1, run_tasks, &s);
    }
    status = join_lists(&s, error);
    set->count = status == ABUT_OK ? set->count : 0;
    return status;
}
