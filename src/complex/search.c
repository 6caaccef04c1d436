// SPDX-License-Identifier: MIT
// search.c: all quasi-LMDs of two complexes within reach
//
// Two hierarchies are descended together. A pair of nodes is left out if no class of one is compatible with a class of
// the other, if their balls are farther apart than the reach, or if no direction from one ball to the other is in both
// cones, widened by theta: condition (6). What is left must be within the reach along the axis of a narrow cone. The first levels are opened in one thread; the pairs that result are searched
// in parallel, each into a list of its own, and the lists are joined in order.
//
// Source: Merlhiot 2007, section 6.4.
// Cost:   no heap calls once the lists have grown.
#include "base/context.h"
#include "base/error.h"
#include "complex/leaf.h"

enum {
    TASK_COUNT = 64, ///< pairs of nodes that are searched in parallel
    DEEPEST = 256    ///< pairs on the stack: two hierarchies of at most 31 levels, one pair more for each
};

static const double default_theta = 0.034906585039886591; ///< 2 degrees
static const double cone_slack = 1e-6;                    ///< of cosines, for the rounding of cones to float

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

/// An angle from 0 to pi by its cosine and sine; a sine below 0 stands for more than pi: all directions.
typedef struct turn {
    double cosine, sine;
} turn;

static turn add_turns(turn a, turn b)
{
    if ((a.sine <= 0.0 && a.cosine < 0.0) || (b.sine <= 0.0 && b.cosine < 0.0)) { // pi or more already
        return (turn){-1.0, -1.0};
    }
    return (turn){a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine};
}

/// Whether directions with this product of unit vectors are at most the turn apart.
static int is_within(double product, turn t)
{
    return t.sine < 0.0 || product >= t.cosine - cone_slack;
}

static turn wide_turn(const search *s, const abut_lmd_node *node)
{
    turn theta = {s->frame.cosine, s->frame.sine}, half = {node->cosine, node->sine};
    return add_turns(half, theta);
}

/// Whether points of two nodes can be at most the reach apart, in a direction at most `wide` away from the axis of the
/// cone of one of them. Then the way between them is from 0 to the reach along the axis, and across it at most the reach
/// times a sine. `along` is how far the centers are apart along the axis; `squared` in all, squared; `radius` is the sum of
/// the radii, and `other` that of the node with the other cone.
static int is_near_along(const search *s, const abut_lmd_node *node, turn wide, double along, double squared,
                         double radius, double other)
{
    if (wide.cosine <= 1e-3) { // nearly a right angle, or more
        return 1;
    }
    double reach = s->frame.reach + s->frame.slack + cone_slack * (radius + s->frame.reach);
    double slack = reach - s->frame.reach, least = node->is_two_sided ? -reach : -slack;
    if (along - node->high - other > reach || along - node->low + other < least) {
        return 0;
    }
    double limit = radius + reach * (wide.sine + cone_slack);
    return squared - along * along <= limit * limit;
}

/// Whether a pair of nodes can hold a quasi-LMD.
static int is_possible(const search *s, const abut_lmd_node *a, const abut_lmd_node *b)
{
    const abut_lmd_frame *f = &s->frame;
    if ((s->set->compatible[a->classes] & b->classes) == 0) {
        return 0;
    }
    abut_vec3 center_b = abut_vec3_make(b->center[0], b->center[1], b->center[2]);
    abut_vec3 way = abut_add(abut_mat3_apply(f->rotation, center_b), f->translation);
    way = abut_sub(way, abut_vec3_make(a->center[0], a->center[1], a->center[2]));
    double radius = (double)a->radius + b->radius, reach = radius + f->reach + f->slack;
    double squared = abut_norm_squared(way);
    if (squared > reach * reach) {
        return 0;
    }
    abut_vec3 axis_a = abut_vec3_make(a->axis[0], a->axis[1], a->axis[2]);
    abut_vec3 axis_b =
        abut_negate(abut_mat3_apply(f->rotation, abut_vec3_make(b->axis[0], b->axis[1], b->axis[2])));
    turn wide_a = wide_turn(s, a), wide_b = wide_turn(s, b);
    double along_a = abut_dot(way, axis_a), along_b = abut_dot(way, axis_b);
    if (!is_near_along(s, a, wide_a, along_a, squared, radius, b->radius) ||
        !is_near_along(s, b, wide_b, along_b, squared, radius, a->radius)) {
        return 0;
    }
    double between = abut_dot(axis_a, axis_b);
    between = a->is_two_sided || b->is_two_sided ? fabs(between) : between;
    if (!is_within(between, add_turns(wide_a, wide_b))) {
        return 0;
    }
    if (squared <= radius * radius) {
        return 1;
    }
    double distance = sqrt(squared), sine = radius / distance;
    turn spread = {sqrt(fmax(1.0 - sine * sine, 0.0)), sine};
    along_a = (a->is_two_sided ? fabs(along_a) : along_a) / distance;
    along_b = (b->is_two_sided ? fabs(along_b) : along_b) / distance;
    return is_within(along_a, add_turns(wide_a, spread)) && is_within(along_b, add_turns(wide_b, spread));
}

/// Opens the larger of two nodes that are not both leaves.
static void open_pair(const search *s, node_pair pair, node_pair children[2])
{
    const abut_lmd_node *a = &s->frame.a->nodes[pair.a], *b = &s->frame.b->nodes[pair.b];
    int opens_a = b->child < 0 || (a->child >= 0 && a->radius >= b->radius);
    for (int k = 0; k < 2; ++k) {
        children[k].a = opens_a ? a->child + k : pair.a;
        children[k].b = opens_a ? pair.b : b->child + k;
    }
}

static int is_leaf_pair(const search *s, node_pair pair)
{
    return s->frame.a->nodes[pair.a].child < 0 && s->frame.b->nodes[pair.b].child < 0;
}

static int is_possible_pair(const search *s, node_pair pair)
{
    return is_possible(s, &s->frame.a->nodes[pair.a], &s->frame.b->nodes[pair.b]);
}

// ---- tasks

static void look_at_leaves(const search *s, node_pair pair, task_list *list)
{
    abut_lmd found;
    ++list->stats.leaf_pairs;
    int answer = abut_lmd_of_leaves(&s->frame, &s->frame.a->nodes[pair.a], &s->frame.b->nodes[pair.b], &found);
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

static void run_task(const search *s, node_pair first, task_list *list)
{
    node_pair stack[DEEPEST];
    int count = 0;
    stack[count++] = first;
    while (count > 0) {
        node_pair pair = stack[--count], children[2];
        if (is_leaf_pair(s, pair)) {
            look_at_leaves(s, pair, list);
            continue;
        }
        open_pair(s, pair, children);
        list->stats.node_pairs += 2;
        for (int k = 1; k >= 0; --k) {
            if (is_possible_pair(s, children[k])) {
                stack[count++] = children[k];
            }
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

/// Opens pairs from the roots, the first ones first, until there are enough for all threads or all are leaves.
static void open_first_pairs(search *s)
{
    node_pair roots = {0, 0};
    if (s->frame.a->node_count == 0 || s->frame.b->node_count == 0 || !is_possible_pair(s, roots)) {
        return;
    }
    s->tasks[s->task_count++] = roots;
    for (int i = 0, closed = 0; closed < s->task_count && s->task_count < TASK_COUNT;) {
        i = i >= s->task_count ? 0 : i;
        if (is_leaf_pair(s, s->tasks[i])) {
            ++closed;
            ++i;
            continue;
        }
        closed = 0;
        node_pair children[2];
        open_pair(s, s->tasks[i], children);
        s->set->stats.node_pairs += 2;
        int first = is_possible_pair(s, children[0]), second = is_possible_pair(s, children[1]);
        if (first && second) {
            s->tasks[i++] = children[0];
            s->tasks[s->task_count++] = children[1];
        } else if (first || second) {
            s->tasks[i] = children[first ? 0 : 1]; // and once more
        } else {
            s->tasks[i] = s->tasks[--s->task_count];
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
    node_pair pair;
    for (pair.a = 0; pair.a < s->frame.a->node_count; ++pair.a) {
        for (pair.b = 0; pair.b < s->frame.b->node_count && s->frame.a->nodes[pair.a].child < 0; ++pair.b) {
            if (s->frame.b->nodes[pair.b].child < 0) {
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
    double extent = def->a->radius + def->b->radius;
    extent += fmin(abut_norm(f.translation), extent + def->reach);
    f.slack = 64.0 * 0x1p-53 * extent;
    f.zero = 1e-12 * extent;
    return f;
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
    search s = {.set = set, .frame = make_frame(&read)};
    if (read.is_exhaustive) {
        look_at_all(&s, &set->lists[0]);
    } else {
        open_first_pairs(&s);
        abut_parallel_for(&set->context, s.task_count, 1, run_tasks, &s);
    }
    status = join_lists(&s, error);
    set->count = status == ABUT_OK ? set->count : 0;
    return status;
}
