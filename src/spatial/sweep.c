// SPDX-License-Identifier: MIT
// sweep.c: the first time at which two moving meshes touch
//
// Pairs of boxes are visited from early to late. Each has a time up to which its contents are sure not to touch. When its
// turn comes, the pairs below are looked at, as they are at that time. A pair is dropped if some axis shows that its
// contents do not touch before the earliest touch so far, or that they only slide along each other. At the leaves are
// triangles (sweep_pair.h).
#include "abut/sweep.h"

#include "base/error.h"
#include "prim/triangle_triangle.h"
#include "spatial/sweep_pair.h"
#include "spatial/tree_place.h"

#include <float.h>

static const double look_angle =
    0.5; // that a body turns while a bound is used; at most 1, see abut_sweep_triangles()
static const double angle_most = 1e4; // that a body may turn in a sweep

// Numbers of a child of a node, in the caller's units, in the frame of its tree. `slab` is the range along `normal`.
typedef struct child_box {
    abut_vec3 center, half; // of the box; the center is relative to that of the body
    abut_vec3 normal;       // zero if there is no slab
    double slab_center, slab_half;
    double reach; // bound of the distance of points from the body's center
} child_box;

// A visit to a pair of children that do not touch before `time`.
typedef struct visit {
    abut_tree_child_pair pair;
    float time;  // rounded down
    int is_open; // the bound of its time holds no longer; it is looked at again before it is opened
} visit;

enum { HEAP_CAPACITY = 512 }; // pairs: 8 KB of stack

typedef struct heap {
    visit visits[HEAP_CAPACITY]; // the time of each is at least that of its parent, (i - 1) / 2
    int count;
} heap;

typedef struct sweep {
    const abut_sweep_def *def;
    abut_vec3 between, velocity; // of the centers at the start, from A to B, in the world
    int has_spin;
    double look_most;         // how long a bound holds
    double end;               // of the sweep, or the earliest touch so far
    abut_sweep_bodies bodies; // as they are at some time
    abut_mat3 axes;           // of A in the world, then
    abut_sweep_touch touch;   // seen at the time `touch_at`
    double touch_at;
    int element_a, element_b; // that touch; -1: none
    int64_t triangle_pairs, node_pairs;
} sweep;

abut_pose abut_motion_pose(const abut_motion *motion, double time)
{
    double rate = abut_norm(motion->angular_velocity);
    abut_quat rotation = motion->pose.rotation;
    if (rate * time != 0.0) {
        abut_quat turn = abut_quat_from_axis(abut_scale(1.0 / rate, motion->angular_velocity), rate * time);
        rotation = abut_quat_unit(abut_quat_multiply(turn, rotation));
    }
    abut_vec3 center = abut_pose_apply(motion->pose, motion->center);
    center = abut_add_scaled(center, time, motion->linear_velocity);
    return abut_pose_make(abut_sub(center, abut_quat_rotate(rotation, motion->center)), rotation);
}

static double reach_of(const abut_tree *tree, abut_vec3 center)
{
    abut_box box = tree->bounds;
    abut_vec3 farthest = abut_max(abut_abs(abut_sub(box.lower, center)), abut_abs(abut_sub(box.upper, center)));
    return abut_norm(farthest);
}

static void set_body(abut_sweep_body *body, const abut_motion *motion, abut_mat3 axes)
{
    body->spin = abut_mat3_apply_transposed(axes, motion->angular_velocity);
    body->spin_rate = abut_norm(motion->angular_velocity);
    body->center = motion->center;
}

// Takes the axes of A at a time, in which all is seen.
static void set_axes(sweep *s, double time)
{
    const abut_motion *a = &s->def->motion_a, *b = &s->def->motion_b;
    abut_mat3 axes = abut_quat_matrix(abut_motion_pose(a, time).rotation);
    abut_mat3 axes_b = abut_quat_matrix(abut_motion_pose(b, time).rotation);
    set_body(&s->bodies.a, a, axes);
    set_body(&s->bodies.b, b, axes);
    s->axes = axes;
    s->bodies.rotation = abut_mat3_multiply(abut_mat3_transpose(axes), axes_b);
    s->bodies.b.velocity = abut_mat3_apply_transposed(axes, s->velocity);
}

// Looks at the bodies as they are at a time.
static void set_bodies(sweep *s, double time)
{
    if (s->has_spin) {
        set_axes(s, time);
    }
    s->bodies.time = time;
    s->bodies.b.at = abut_mat3_apply_transposed(s->axes, abut_add_scaled(s->between, time, s->velocity));
    s->bodies.rest = s->def->duration - time;
}

// Prepares what does not change during the sweep.
static void begin(sweep *s)
{
    const abut_sweep_def *def = s->def;
    const abut_motion *a = &def->motion_a, *b = &def->motion_b;
    double size = fmin(abut_box_diagonal(def->a->bounds), abut_box_diagonal(def->b->bounds));
    double turn = fmax(abut_norm(a->angular_velocity), abut_norm(b->angular_velocity));
    s->velocity = abut_sub(b->linear_velocity, a->linear_velocity);
    s->between = abut_add(
        abut_sub(b->pose.position, a->pose.position),
        abut_sub(abut_quat_rotate(b->pose.rotation, b->center), abut_quat_rotate(a->pose.rotation, a->center)));
    s->has_spin = turn > 0.0;
    s->look_most = s->has_spin ? look_angle / turn : HUGE_VAL;
    s->bodies.time_accuracy = def->time_tolerance * def->duration;
    // A little longer, so that a touch at the very end is found.
    s->end = def->duration + s->bodies.time_accuracy + DBL_MIN;
    // Fewer than 32 roundings of half a DBL_EPSILON each, of lengths up to this sum.
    double sum = abut_tree_sum_abs(a->pose.position) + abut_tree_sum_abs(b->pose.position) +
                 abut_tree_sum_abs(s->velocity) * def->duration + reach_of(def->a, a->center) +
                 reach_of(def->b, b->center) + abut_tree_sum_abs(a->center) + abut_tree_sum_abs(b->center);
    s->bodies.rounding = 16.0 * DBL_EPSILON * sum;
    s->bodies.tolerance = fmax(def->tolerance >= 0.0 ? def->tolerance : 1e-6 * size, s->bodies.rounding);
    s->bodies.sink = fmin(def->sink, s->bodies.tolerance);
    set_axes(s, 0.0);
    set_bodies(s, 0.0);
}

static double length_or_zero(double length)
{
    return length > 0.0 ? length : 0.0; // an empty box has NaN or less
}

static child_box load_child(const abut_tree *tree, const abut_sweep_body *body, int child)
{
    const abut_tree_node *node = &tree->nodes[child / 2];
    int side = child % 2;
    double unit = ldexp(1.0, tree->exponent), lower[3], upper[3], normal[3];
    for (int i = 0; i < 3; ++i) {
        lower[i] = (double)node->lower[i][side];
        upper[i] = (double)node->upper[i][side];
        normal[i] = (double)node->normal[i][side];
    }
    child_box box;
    abut_vec3 middle = {0.5 * unit * (lower[0] + upper[0]), 0.5 * unit * (lower[1] + upper[1]),
                        0.5 * unit * (lower[2] + upper[2])};
    abut_vec3 origin = abut_sub(tree->origin, body->center);
    box.center = abut_add(middle, origin);
    box.half = abut_vec3_make(length_or_zero(0.5 * unit * (upper[0] - lower[0])),
                              length_or_zero(0.5 * unit * (upper[1] - lower[1])),
                              length_or_zero(0.5 * unit * (upper[2] - lower[2])));
    box.normal = abut_vec3_make(normal[0], normal[1], normal[2]);
    box.slab_center = 0.5 * unit * ((double)node->slab_lower[side] + (double)node->slab_upper[side]) +
                      abut_dot(box.normal, origin);
    box.slab_half = 0.5 * unit * ((double)node->slab_upper[side] - (double)node->slab_lower[side]);
    box.reach = abut_norm(box.center) + abut_norm(box.half);
    return box;
}

typedef struct range {
    double lower, upper;
} range;

// The range of direction . x over a child; the direction, of any length, is in the frame of the tree. With c = direction .
// normal, it is within c (slab) + (direction - c normal) . (box), and within direction . (box).
static range range_along(const child_box *box, abut_vec3 direction)
{
    double c = abut_dot(direction, box->normal), center = abut_dot(direction, box->center);
    double half = abut_dot(abut_abs(direction), box->half);
    range r = {center - half, center + half};
    if (c != 0.0) {
        abut_vec3 rest = abut_add_scaled(direction, -c, box->normal);
        double middle = c * box->slab_center + abut_dot(rest, box->center);
        double width = fabs(c) * box->slab_half + abut_dot(abut_abs(rest), box->half);
        r.lower = fmax(r.lower, middle - width);
        r.upper = fmin(r.upper, middle + width);
    }
    return r;
}

// The part of span_along() that the spins add.
static double span_turning(const sweep *s, const child_box *a, const child_box *b, abut_vec3 axis, double gap,
                           double rate)
{
    // The spin w moves a point r along n at n.(w x r) = (n x w).r. With n.(R - 1) r as in sweep_pair.c, |a| and |b| / w are
    // at most |n x w| |r|, so the rest is at most 2/3 w |n x w| |r| t^2.
    abut_vec3 across_a = abut_cross(axis, s->bodies.a.spin), across_b = abut_cross(axis, s->bodies.b.spin);
    range turn_a = range_along(a, across_a);
    range turn_b = range_along(b, abut_mat3_apply_transposed(s->bodies.rotation, across_b));
    double bend = s->bodies.a.spin_rate * abut_norm(across_a) * a->reach +
                  s->bodies.b.spin_rate * abut_norm(across_b) * b->reach;
    return abut_sweep_span(gap, rate + turn_b.lower - turn_a.upper, -2.0 / 3.0 * bend, 0.0, s->look_most);
}

// The time for which the contents of two children are sure not to touch, as seen along a unit vector, given in the axes of
// A and of B; HUGE_VAL if they will not touch in the whole sweep.
static double span_along(const sweep *s, const child_box *a, const child_box *b, abut_vec3 axis, abut_vec3 in_b)
{
    const abut_sweep_bodies *bodies = &s->bodies;
    range along_a = range_along(a, axis), along_b = range_along(b, in_b);
    double between = abut_dot(axis, bodies->b.at), rate = abut_dot(axis, bodies->b.velocity);
    double gap = along_b.lower + between - along_a.upper, other = along_a.lower - between - along_b.upper;
    if (fmin(gap, other) >= -bodies->tolerance) {
        // Both are level, and a child does not know which side of it is outside: the triangles decide, unless they slide
        // whichever it is.
        int slides = abut_sweep_slides(bodies, axis, gap - bodies->rounding, a->reach, b->reach) &&
                     abut_sweep_slides(bodies, abut_negate(axis), other - bodies->rounding, a->reach, b->reach);
        return slides ? HUGE_VAL : 0.0;
    }
    if (gap == other ? rate < 0.0 : other > gap) {
        axis = abut_negate(axis);
        gap = other;
        rate = -rate;
    }
    if (gap < -bodies->tolerance) {
        return 0.0;
    }
    gap -= bodies->rounding;
    if (abut_sweep_slides(bodies, axis, gap, a->reach, b->reach)) {
        return HUGE_VAL;
    }
    if (bodies->a.spin_rate > 0.0 || bodies->b.spin_rate > 0.0) {
        return span_turning(s, a, b, axis, gap, rate);
    }
    return abut_sweep_span(gap, rate, 0.0, 0.0, s->look_most);
}

// How long the contents of two children are sure not to touch, from the time at which the bodies are seen; HUGE_VAL if
// that is up to the end.
static double find_span(const sweep *s, abut_tree_child_pair pair)
{
    const abut_mat3 m = s->bodies.rotation;
    child_box a = load_child(s->def->a, &s->bodies.a, pair.a), b = load_child(s->def->b, &s->bodies.b, pair.b);
    abut_vec3 between = abut_sub(abut_add(s->bodies.b.at, abut_mat3_apply(m, b.center)), a.center);
    double distance = abut_norm(between), latest = 0.0;
    between = distance > 0.0 ? abut_scale(1.0 / distance, between) : between;
    const abut_vec3 axes[9] = {
        between, a.normal, abut_mat3_apply(m, b.normal), {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, m.x,
        m.y,     m.z};
    for (int i = 0; i < 9; ++i) {
        if (abut_norm_squared(axes[i]) > 0.0) {
            double span = span_along(s, &a, &b, axes[i], abut_mat3_apply_transposed(m, axes[i]));
            latest = span > latest ? span : latest;
        }
        if (s->bodies.time + latest >= s->end) {
            return HUGE_VAL;
        }
    }
    return latest;
}

// Looks at a pair that does not touch before `time`, with the bodies as they are then.
static visit look_at_pair(sweep *s, abut_tree_child_pair pair, float time)
{
    ++s->node_pairs;
    double span = find_span(s, pair);
    float sure = (float)((s->bodies.time + span) * (1.0 - (double)FLT_EPSILON));
    visit v = {pair, sure > time ? sure : time, !(span < s->look_most)};
    return v;
}

// Gets the corners of a triangle relative to the body's center, in the axes of A; `turn` leads there from those of the
// body, NULL for A. Returns 0 if they are not finite.
static int get_corners(const abut_tree *tree, const abut_sweep_body *body, const abut_mat3 *turn, int element,
                       abut_vec3 corners[3])
{
    abut_vec3 own[4];
    if (!abut_tree_get_corners(tree, element, own)) {
        return 0;
    }
    for (int i = 0; i < 3; ++i) {
        abut_vec3 corner = abut_sub(own[i], body->center);
        corners[i] = turn != NULL ? abut_mat3_apply(*turn, corner) : corner;
    }
    return 1;
}

static void try_leaves(sweep *s, int leaf_a, int leaf_b)
{
    const abut_tree *a = s->def->a, *b = s->def->b;
    abut_tree_range range_a = abut_tree_leaf_range(a, leaf_a), range_b = abut_tree_leaf_range(b, leaf_b);
    for (int i = range_a.begin; i < range_a.end; ++i) {
        for (int k = range_b.begin; k < range_b.end; ++k) {
            abut_vec3 corners_a[3], corners_b[3];
            abut_sweep_touch touch;
            int element_a = a->order[i], element_b = b->order[k];
            if (!get_corners(a, &s->bodies.a, NULL, element_a, corners_a) ||
                !get_corners(b, &s->bodies.b, &s->bodies.rotation, element_b, corners_b)) {
                continue;
            }
            ++s->triangle_pairs;
            if (abut_sweep_triangles(&s->bodies, corners_a, corners_b, s->end - s->bodies.time, &touch)) {
                s->touch = touch;
                s->touch_at = s->bodies.time;
                s->end = s->bodies.time + touch.time;
                s->element_a = element_a;
                s->element_b = element_b;
            }
        }
    }
}

// Gets the pairs below another pair that may touch in time, the latest first. Returns their number.
static int open_pair(sweep *s, visit from, visit below[4])
{
    const abut_tree *a = s->def->a, *b = s->def->b;
    abut_tree_child_pair pair = from.pair;
    int below_a = abut_tree_below(a, pair.a), below_b = abut_tree_below(b, pair.b);
    int opens_a = !abut_tree_is_leaf(below_a), opens_b = !abut_tree_is_leaf(below_b), count = 0;
    if (opens_a && opens_b && pair.a != ABUT_TREE_ROOT && pair.b != ABUT_TREE_ROOT) {
        double size_a = ldexp((double)abut_tree_child_size(a, pair.a), a->exponent);
        double size_b = ldexp((double)abut_tree_child_size(b, pair.b), b->exponent);
        opens_a = !(size_b > 2.0 * size_a);
        opens_b = !(size_a > 2.0 * size_b);
    }
    for (int lane = 0; lane < 4; ++lane) {
        int side_a = lane >> 1, side_b = lane & 1;
        if ((side_a && !opens_a) || (side_b && !opens_b)) {
            continue;
        }
        abut_tree_child_pair next = {opens_a ? 2 * below_a + side_a : pair.a,
                                     opens_b ? 2 * below_b + side_b : pair.b};
        visit v = look_at_pair(s, next, from.time);
        if ((double)v.time < s->end) {
            int at = count++;
            for (; at > 0 && below[at - 1].time < v.time; --at) {
                below[at] = below[at - 1];
            }
            below[at] = v;
        }
    }
    return count;
}

// Tries a pair of leaves, or gets the pairs below another pair. Skips it if it is too late. Returns the number of pairs in
// `below`.
static int visit_pair(sweep *s, visit next, visit below[4])
{
    if (!((double)next.time < s->end)) {
        return 0;
    }
    set_bodies(s, (double)next.time);
    if (next.is_open) {
        below[0] = look_at_pair(s, next.pair, next.time);
        return (double)below[0].time < s->end;
    }
    int below_a = abut_tree_below(s->def->a, next.pair.a), below_b = abut_tree_below(s->def->b, next.pair.b);
    if (!abut_tree_is_leaf(below_a) || !abut_tree_is_leaf(below_b)) {
        return open_pair(s, next, below);
    }
    try_leaves(s, below_a, below_b);
    return 0;
}

static void push_visit(heap *h, visit v)
{
    int at = h->count++;
    for (; at > 0 && h->visits[(at - 1) / 2].time > v.time; at = (at - 1) / 2) {
        h->visits[at] = h->visits[(at - 1) / 2];
    }
    h->visits[at] = v;
}

static visit pop_visit(heap *h)
{
    visit first = h->visits[0], last = h->visits[--h->count];
    int at = 0;
    for (;;) {
        int below = 2 * at + 1;
        below += below + 1 < h->count && h->visits[below + 1].time < h->visits[below].time;
        if (below >= h->count || !(h->visits[below].time < last.time)) {
            break;
        }
        h->visits[at] = h->visits[below];
        at = below;
    }
    h->visits[at] = last;
    return first;
}

// Searches everything below a pair, depth first.
static void search_below(sweep *s, visit first)
{
    visit stack[ABUT_TREE_PAIR_STACK];
    int count = 0;
    stack[count++] = first;
    while (count > 0) {
        --count;
        count += visit_pair(s, stack[count], stack + count);
    }
}

static void search(sweep *s)
{
    heap h;
    h.count = 0;
    push_visit(&h, (visit){{ABUT_TREE_ROOT, ABUT_TREE_ROOT}, 0.0f, 0});
    while (h.count > 0) {
        visit next = pop_visit(&h), below[4];
        if (!((double)next.time < s->end)) {
            return;
        }
        if (h.count + 4 > HEAP_CAPACITY) {
            search_below(s, next);
            continue;
        }
        int count = visit_pair(s, next, below);
        for (int i = 0; i < count; ++i) {
            push_visit(&h, below[i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The query

void abut_sweep_def_init(const abut_tree *a, const abut_tree *b, abut_sweep_def *def, size_t size)
{
    const abut_motion rest = {.pose = abut_pose_identity()};
    const abut_sweep_def made = {.struct_size = sizeof made,
                                 .a = a,
                                 .b = b,
                                 .motion_a = rest,
                                 .motion_b = rest,
                                 .duration = 1.0,
                                 .tolerance = -1.0,
                                 .time_tolerance = 1e-9};
    abut_write_versioned(def, size, &made, sizeof made);
}

static abut_status check_motion(const abut_motion *motion, double duration, const char *name, abut_error *error)
{
    abut_quat q = motion->pose.rotation;
    double squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!abut_is_finite(motion->pose.position) || !(fabs(squared - 1.0) < 1e-6) ||
        !abut_is_finite(motion->center)) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "%s: its pose is not finite, or its rotation is not a unit quaternion", name);
    }
    if (!abut_is_finite(motion->linear_velocity) || !abut_is_finite(motion->angular_velocity)) {
        return abut_fail(error, ABUT_BAD_DATA, "%s: its velocity is not finite", name);
    }
    double angle = abut_norm(motion->angular_velocity) * duration;
    if (!(angle <= angle_most)) {
        return abut_fail(error, ABUT_LIMIT, "%s: it turns by %g radians; at most %g are possible", name, angle,
                         angle_most);
    }
    return ABUT_OK;
}

static abut_status check_def(const abut_sweep_def *def, abut_error *error)
{
    if (def->a == NULL || def->b == NULL || def->a->kind != ABUT_ELEMENT_TRIANGLE ||
        def->b->kind != ABUT_ELEMENT_TRIANGLE) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a sweep needs two trees over triangles");
    }
    if (!(def->duration >= 0.0) || !isfinite(def->duration)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the duration is %g; it must be 0 or more", def->duration);
    }
    if (!(isfinite(def->tolerance) && (def->tolerance >= 0.0 || def->tolerance == -1.0)) || !(def->sink >= 0.0) ||
        !(def->time_tolerance >= 0.0 && def->time_tolerance <= 1.0)) {
        return abut_fail(
            error, ABUT_BAD_ARGUMENT,
            "the tolerance is %g and the time tolerance %g; they must be 0 or more, and the second at most 1",
            def->tolerance, def->time_tolerance);
    }
    abut_status status = check_motion(&def->motion_a, def->duration, "A", error);
    return status != ABUT_OK ? status : check_motion(&def->motion_b, def->duration, "B", error);
}

// Names the corners that span the point of a triangle: those whose weights are not zero up to rounding.
static void describe_side(const abut_tree *tree, int element, const abut_vec3 corners[3], abut_vec3 point,
                          abut_sweep_side *side)
{
    const double least_weight = 1e-9;
    abut_vec3 normal = abut_cross(abut_sub(corners[1], corners[0]), abut_sub(corners[2], corners[0]));
    double area = abut_norm_squared(normal);
    side->element = element;
    side->vertex_count = 0;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 from = corners[(i + 1) % 3], to = corners[(i + 2) % 3];
        double weight = abut_dot(normal, abut_cross(abut_sub(to, from), abut_sub(point, from)));
        if (weight > least_weight * area || !(area > 0.0)) {
            side->vertices[side->vertex_count++] = tree->elements[3 * (size_t)element + (size_t)i];
        }
    }
    for (int i = side->vertex_count; i < 3; ++i) {
        side->vertices[i] = -1;
    }
}

static void describe(sweep *s, abut_sweep_hit *hit)
{
    const abut_sweep_def *def = s->def;
    double time = s->touch.time;
    abut_vec3 a[3], b[3], own_a[3], own_b[3], points[2];
    set_bodies(s, s->touch_at);
    hit->is_hit = 1;
    hit->time = s->end < def->duration ? s->end : def->duration;
    hit->gap = s->touch.gap;
    hit->normal = abut_mat3_apply(s->axes, s->touch.normal);
    (void)get_corners(def->a, &s->bodies.a, NULL, s->element_a, own_a);
    (void)get_corners(def->b, &s->bodies.b, &s->bodies.rotation, s->element_b, own_b);
    abut_sweep_turn(&s->bodies.a, own_a, time, a);
    abut_sweep_turn(&s->bodies.b, own_b, time, b);
    abut_vec3 between = abut_add_scaled(s->bodies.b.at, time, s->bodies.b.velocity);
    for (int i = 0; i < 3; ++i) {
        b[i] = abut_add(b[i], between);
    }
    (void)abut_triangle_triangle_distance_squared(a, b, &points[0], &points[1]);
    describe_side(def->a, s->element_a, a, points[0], &hit->a);
    describe_side(def->b, s->element_b, b, points[1], &hit->b);
    abut_vec3 center = abut_add_scaled(abut_pose_apply(def->motion_a.pose, def->motion_a.center), hit->time,
                                       def->motion_a.linear_velocity);
    hit->a.point = abut_add(center, abut_mat3_apply(s->axes, points[0]));
    hit->b.point = abut_add(center, abut_mat3_apply(s->axes, points[1]));
}

abut_status abut_sweep(const abut_sweep_def *def, abut_sweep_hit *hit, abut_error *error)
{
    abut_sweep_def own = abut_sweep_def_default(NULL, NULL);
    *hit = (abut_sweep_hit){.is_hit = 0};
    if (def == NULL || !abut_read_versioned(&own, sizeof own, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the sweep has a wrong struct_size: start from abut_sweep_def_default()");
    }
    abut_status status = check_def(&own, error);
    if (status != ABUT_OK || own.a->element_count == 0 || own.b->element_count == 0) {
        return status;
    }
    sweep s = {.def = &own, .element_a = -1, .element_b = -1};
    begin(&s);
    search(&s);
    if (s.element_a >= 0) {
        describe(&s, hit);
    }
    hit->triangle_pairs = s.triangle_pairs;
    hit->node_pairs = s.node_pairs;
    return ABUT_OK;
}
