// SPDX-License-Identifier: MIT
// sweep.c: the first time at which two moving meshes touch
//
// Pairs of boxes are visited from early to late. A pair is skipped if some axis shows that its contents do not touch
// before the earliest touch so far, or that they only slide along each other. At the leaves are triangles
// (sweep_pair.h). If a body turns, the sweep goes in pieces, since bounds for boxes hold for small angles only, and time
// in which the bodies are too far apart to meet is skipped.
#include "abut/sweep.h"

#include "base/error.h"
#include "prim/triangle_triangle.h"
#include "spatial/sweep_pair.h"
#include "spatial/tree_place.h"

#include <float.h>

static const double piece_angle = 0.25; // that the bodies turn in a piece, together
static const double angle_most = 1e4;   // that a body may turn in a sweep

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
    double time;
} visit;

typedef struct sweep {
    const abut_sweep_def *def;
    abut_sweep_bodies bodies; // at the start of the piece
    double end;               // of the piece, or the earliest touch so far; from the start of the piece
    abut_sweep_touch touch;
    int element_a, element_b; // that touch; -1: none
    int64_t triangle_pairs, node_pairs;
} sweep;

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

// The speeds along an axis of the points of a child that the spin gives.
static range turn_along(const abut_sweep_body *body, const child_box *box, abut_vec3 axis)
{
    if (!(body->spin_rate > 0.0)) {
        return (range){0.0, 0.0};
    }
    // n.(w x r) = (n x w).r
    abut_vec3 across = abut_cross(axis, body->spin);
    return range_along(box, abut_mat3_apply_transposed(body->rotation, across));
}

// The time for which the contents of two children are sure not to touch, as seen along a unit vector; HUGE_VAL if they
// will not touch in the whole sweep.
static double span_along(const sweep *s, const child_box *a, const child_box *b, abut_vec3 axis)
{
    const abut_sweep_body *body_a = &s->bodies.a, *body_b = &s->bodies.b;
    range in_a = range_along(a, abut_mat3_apply_transposed(body_a->rotation, axis));
    range in_b = range_along(b, abut_mat3_apply_transposed(body_b->rotation, axis));
    double between = abut_dot(axis, abut_sub(body_b->at, body_a->at));
    double gap = in_b.lower + between - in_a.upper, other = in_a.lower - between - in_b.upper;
    double rate = abut_dot(axis, abut_sub(body_b->velocity, body_a->velocity));
    int is_turned = gap == other ? rate < 0.0 : other > gap;
    if (is_turned) {
        axis = abut_negate(axis);
        gap = other;
        rate = -rate;
    }
    if (fabs(gap) <= s->bodies.tolerance &&
        abut_sweep_stays(&s->bodies, axis, gap - s->bodies.rounding, rate, a->reach, b->reach)) {
        return HUGE_VAL;
    }
    range turn_a = turn_along(body_a, a, axis), turn_b = turn_along(body_b, b, axis);
    rate += turn_b.lower - turn_a.upper;
    // With n.(R - 1) r as in sweep_pair.c, |a| and |b| / w at most |n x spin| r: the rest is at most 2/3 w |n x spin| r t^2.
    double bend = body_a->spin_rate * abut_norm(abut_cross(axis, body_a->spin)) * a->reach +
                  body_b->spin_rate * abut_norm(abut_cross(axis, body_b->spin)) * b->reach;
    return abut_sweep_span(gap - s->bodies.rounding, rate, -2.0 / 3.0 * bend, 0.0, s->end);
}

// A bound of the time before which the contents of two children do not touch; HUGE_VAL if they do not before s->end.
static double find_span(const sweep *s, abut_tree_child_pair pair)
{
    const abut_sweep_body *body_a = &s->bodies.a, *body_b = &s->bodies.b;
    child_box a = load_child(s->def->a, body_a, pair.a), b = load_child(s->def->b, body_b, pair.b);
    abut_vec3 center_a = abut_add(body_a->at, abut_mat3_apply(body_a->rotation, a.center));
    abut_vec3 center_b = abut_add(body_b->at, abut_mat3_apply(body_b->rotation, b.center));
    const abut_vec3 axes[9] = {abut_unit(abut_sub(center_b, center_a)),
                               abut_mat3_apply(body_a->rotation, a.normal),
                               abut_mat3_apply(body_b->rotation, b.normal),
                               body_a->rotation.x,
                               body_a->rotation.y,
                               body_a->rotation.z,
                               body_b->rotation.x,
                               body_b->rotation.y,
                               body_b->rotation.z};
    double latest = 0.0;
    for (int i = 0; i < 9; ++i) {
        if (abut_norm_squared(axes[i]) > 0.0) {
            latest = fmax(latest, span_along(s, &a, &b, axes[i]));
        }
        if (latest >= s->end) {
            return HUGE_VAL;
        }
    }
    return latest;
}

// Gets the corners of a triangle relative to the body's center, in world axes. Returns 0 if they are not finite.
static int get_corners(const abut_tree *tree, const abut_sweep_body *body, int element, abut_vec3 corners[3])
{
    abut_vec3 own[4];
    if (!abut_tree_get_corners(tree, element, own)) {
        return 0;
    }
    for (int i = 0; i < 3; ++i) {
        corners[i] = abut_mat3_apply(body->rotation, abut_sub(own[i], body->center));
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
            if (!get_corners(a, &s->bodies.a, element_a, corners_a) ||
                !get_corners(b, &s->bodies.b, element_b, corners_b)) {
                continue;
            }
            ++s->triangle_pairs;
            if (abut_sweep_triangles(&s->bodies, corners_a, corners_b, s->end, &touch)) {
                s->touch = touch;
                s->end = touch.time;
                s->element_a = element_a;
                s->element_b = element_b;
            }
        }
    }
}

// Puts the pairs below on the stack, the earliest on top. Returns the new size of the stack.
static int open_pair(sweep *s, abut_tree_child_pair pair, visit *stack, int count)
{
    const abut_tree *a = s->def->a, *b = s->def->b;
    int below_a = abut_tree_below(a, pair.a), below_b = abut_tree_below(b, pair.b);
    int opens_a = !abut_tree_is_leaf(below_a), opens_b = !abut_tree_is_leaf(below_b);
    if (opens_a && opens_b && pair.a != ABUT_TREE_ROOT && pair.b != ABUT_TREE_ROOT) {
        double size_a = ldexp((double)abut_tree_child_size(a, pair.a), a->exponent);
        double size_b = ldexp((double)abut_tree_child_size(b, pair.b), b->exponent);
        opens_a = !(size_b > 2.0 * size_a);
        opens_b = !(size_a > 2.0 * size_b);
    }
    int first = count;
    for (int lane = 0; lane < 4; ++lane) {
        int side_a = lane >> 1, side_b = lane & 1;
        if ((side_a && !opens_a) || (side_b && !opens_b)) {
            continue;
        }
        visit next = {{opens_a ? 2 * below_a + side_a : pair.a, opens_b ? 2 * below_b + side_b : pair.b}, 0.0};
        next.time = find_span(s, next.pair);
        ++s->node_pairs;
        if (next.time >= s->end) {
            continue;
        }
        int place = count++;
        for (; place > first && stack[place - 1].time < next.time; --place) {
            stack[place] = stack[place - 1];
        }
        stack[place] = next;
    }
    return count;
}

static void search(sweep *s)
{
    visit stack[ABUT_TREE_PAIR_STACK];
    int count = 0;
    stack[count++] = (visit){{ABUT_TREE_ROOT, ABUT_TREE_ROOT}, 0.0};
    while (count > 0) {
        visit next = stack[--count];
        if (!(next.time < s->end)) {
            continue;
        }
        int below_a = abut_tree_below(s->def->a, next.pair.a), below_b = abut_tree_below(s->def->b, next.pair.b);
        if (abut_tree_is_leaf(below_a) && abut_tree_is_leaf(below_b)) {
            try_leaves(s, below_a, below_b);
        } else {
            count = open_pair(s, next.pair, stack, count);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

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

static void set_body(abut_sweep_body *body, const abut_motion *motion, abut_vec3 velocity, double time)
{
    body->velocity = velocity;
    body->spin = motion->angular_velocity;
    body->spin_rate = abut_norm(motion->angular_velocity);
    body->rotation = abut_quat_matrix(abut_motion_pose(motion, time).rotation);
    body->center = motion->center;
}

static void set_bodies(sweep *s, double time)
{
    const abut_motion *a = &s->def->motion_a, *b = &s->def->motion_b;
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    abut_vec3 velocity = abut_sub(b->linear_velocity, a->linear_velocity);
    abut_vec3 between = abut_add(
        abut_sub(b->pose.position, a->pose.position),
        abut_sub(abut_quat_rotate(b->pose.rotation, b->center), abut_quat_rotate(a->pose.rotation, a->center)));
    set_body(&s->bodies.a, a, zero, time);
    set_body(&s->bodies.b, b, velocity, time);
    s->bodies.a.at = zero;
    s->bodies.b.at = abut_add_scaled(between, time, velocity);
    s->bodies.rest = s->def->duration - time;
    // Fewer than 32 roundings of half a DBL_EPSILON each, of lengths up to this sum.
    double sum = abut_tree_sum_abs(a->pose.position) + abut_tree_sum_abs(b->pose.position) +
                 abut_tree_sum_abs(s->bodies.b.at) + reach_of(s->def->a, a->center) +
                 reach_of(s->def->b, b->center) + abut_tree_sum_abs(a->center) + abut_tree_sum_abs(b->center);
    s->bodies.rounding = 16.0 * DBL_EPSILON * sum;
}

// The time for which the bodies are too far apart to touch; HUGE_VAL if they are for the rest of the sweep.
static double far_time(const sweep *s, double time)
{
    const abut_sweep_body *a = &s->bodies.a, *b = &s->bodies.b;
    double speed = abut_norm(b->velocity) + a->spin_rate * reach_of(s->def->a, a->center) +
                   b->spin_rate * reach_of(s->def->b, b->center);
    abut_pose pose_a = abut_motion_pose(&s->def->motion_a, time),
              pose_b = abut_motion_pose(&s->def->motion_b, time);
    double most = speed * s->bodies.rest;
    abut_tree_gap gap = abut_tree_distance(s->def->a, s->def->b, abut_pose_relative(pose_a, pose_b), most);
    if (gap.element_a < 0) {
        return HUGE_VAL;
    }
    return speed > 0.0 ? fmax(gap.distance - s->bodies.rounding, 0.0) / speed * (1.0 - 8.0 * DBL_EPSILON) : 0.0;
}

// Sweeps piece by piece. Returns the time at which the piece starts in which they touch.
static double sweep_pieces(sweep *s)
{
    const abut_sweep_def *def = s->def;
    double turn = abut_norm(def->motion_a.angular_velocity) + abut_norm(def->motion_b.angular_velocity);
    double piece = turn > 0.0 ? piece_angle / turn : def->duration, time = 0.0;
    while (time < def->duration || time == 0.0) {
        set_bodies(s, time);
        double far = turn > 0.0 ? far_time(s, time) : 0.0;
        if (far > piece) {
            time += far;
            continue;
        }
        // Beyond the last piece, so that a touch at the very end is found.
        int is_last = !(time + piece < def->duration);
        s->end = is_last ? s->bodies.rest + s->bodies.time_accuracy + DBL_MIN : piece;
        search(s);
        if (s->element_a >= 0 || is_last) {
            break;
        }
        time += piece;
    }
    return time;
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
    if (!(isfinite(def->tolerance) && (def->tolerance >= 0.0 || def->tolerance == -1.0)) ||
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

// Describes the touch, `time` after the start of the piece at `start`.
static void describe(const sweep *s, double start, abut_sweep_hit *hit)
{
    const abut_sweep_def *def = s->def;
    double time = s->touch.time, late = start + time;
    abut_vec3 a[3], b[3], own_a[3], own_b[3], points[2];
    hit->is_hit = 1;
    hit->time = late < def->duration ? late : def->duration;
    hit->gap = s->touch.gap;
    hit->normal = s->touch.normal;
    (void)get_corners(def->a, &s->bodies.a, s->element_a, own_a);
    (void)get_corners(def->b, &s->bodies.b, s->element_b, own_b);
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
    hit->a.point = abut_add(center, points[0]);
    hit->b.point = abut_add(center, points[1]);
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
    double size = fmin(abut_box_diagonal(own.a->bounds), abut_box_diagonal(own.b->bounds));
    s.bodies.tolerance = own.tolerance >= 0.0 ? own.tolerance : 1e-6 * size;
    s.bodies.time_accuracy = own.time_tolerance * own.duration;
    double start = sweep_pieces(&s);
    if (s.element_a >= 0) {
        describe(&s, start, hit);
    }
    hit->triangle_pairs = s.triangle_pairs;
    hit->node_pairs = s.node_pairs;
    return ABUT_OK;
}
