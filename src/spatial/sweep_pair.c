// SPDX-License-Identifier: MIT
// sweep_pair.c: when two moving triangles touch, by conservative advancement
//
// At each time the gap along some axes is looked at: normals, cross products of edges, directions in the planes at right
// angles to edges, and the line between the centers. A gap along a fixed axis is positive for some time, for which a
// corner's distance along the axis is bounded by its speed, acceleration and a bound of the third derivative. The axis
// that lasts longest gives the step. If the motion is a translation, the step leads to where the axis ends, so the time
// is exact up to rounding. If no axis lasts, the triangles touch.
//
// Triangles whose gap along an axis is at most the tolerance, from the start of the sweep to the end, and does not fall below
// minus the tolerance, slide along each other. They are looked at for this before they are moved: where they stop, two
// parallel triangles are level and would be free to pass. Of the two directions of an axis the one with the larger gap
// counts, for the same reason.
//
// Source: Mirtich 1996 (conservative advancement), with gaps along fixed axes as in Tang, Kim and Manocha 2009.
#include "spatial/sweep_pair.h"

#include "prim/triangle_triangle.h"

#include <string.h>

enum {
    AXES = 18,         // the line between the centers, 2 normals, 9 pairs of edges, 6 directions in the planes
    NEAREST_STEPS = 8, // the nearest points are found every so many steps, and before a touch is reported
    STEPS_MOST = 200   // a touch is reported after so many steps, which is early but not wrong
};

double abut_sweep_span(double c, double f, double q, double e, double most)
{
    if (!(c >= 0.0)) {
        return 0.0;
    }
    if (q == 0.0 && e == 0.0) {
        return f < 0.0 && c < -f * most ? c / -f : most;
    }
    double span = 0.0, within = most;
    // -e t^3 is at least -e h t^2 up to t = h. The second try has a smaller h.
    for (int i = 0; i < 2; ++i) {
        double p = q - e * within, disc = f * f - 4.0 * p * c, end = within;
        if (f < 0.0 && disc >= 0.0) {
            end = 2.0 * c / (sqrt(disc) - f);
        } else if (f >= 0.0 && p < 0.0) {
            end = (f + sqrt(disc)) / (-2.0 * p);
        }
        if (!(end < within)) {
            return fmax(span, within);
        }
        span = fmax(span, end);
        within = fmin(within, 2.0 * end);
    }
    return span;
}

// Bound of how far the spin of a body moves its points along the normal up to the end of the sweep.
static double turn_most(const abut_sweep_body *body, abut_vec3 normal, double rest, double reach)
{
    double across = abut_norm(abut_cross(normal, body->spin));
    return across > 0.0 ? across * reach * fmin(rest, 2.0 / body->spin_rate) : 0.0;
}

// Whether a gap is at most the tolerance, and was at the start as far as the centers move.
static int is_touching(const abut_sweep_bodies *s, double gap, double rate)
{
    return fabs(gap) <= s->tolerance && gap - rate * s->time <= s->tolerance;
}

int abut_sweep_slides(const abut_sweep_bodies *s, abut_vec3 normal, double gap, double reach_a, double reach_b)
{
    double rate = abut_dot(normal, abut_sub(s->b.velocity, s->a.velocity));
    if (!is_touching(s, gap, rate)) {
        return 0;
    }
    double turn = turn_most(&s->a, normal, s->rest, reach_a) + turn_most(&s->b, normal, s->rest, reach_b);
    return gap + fmin(rate, 0.0) * s->rest - turn >= -s->tolerance;
}

void abut_sweep_turn(const abut_sweep_body *body, const abut_vec3 corners[3], double time, abut_vec3 turned[3])
{
    double angle = body->spin_rate * time;
    if (!(angle > 0.0)) {
        memcpy(turned, corners, 3 * sizeof *turned);
        return;
    }
    abut_vec3 axis = abut_scale(1.0 / body->spin_rate, body->spin);
    abut_mat3 turn = abut_quat_matrix(abut_quat_from_axis(axis, angle));
    for (int i = 0; i < 3; ++i) {
        turned[i] = abut_mat3_apply(turn, corners[i]);
    }
}

// The axes of two triangles whose corners are relative to their centers; `between` leads from the center of A to that of
// B. The cheap and promising ones first. Axes that do not exist are zero.
static void find_axes(const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 between, abut_vec3 axes[AXES])
{
    abut_vec3 edges_a[3], edges_b[3];
    for (int i = 0; i < 3; ++i) {
        edges_a[i] = abut_sub(a[(i + 1) % 3], a[i]);
        edges_b[i] = abut_sub(b[(i + 1) % 3], b[i]);
    }
    abut_vec3 middle_a = abut_add(abut_add(a[0], a[1]), a[2]), middle_b = abut_add(abut_add(b[0], b[1]), b[2]);
    int count = 0;
    axes[count++] = abut_add_scaled(between, 1.0 / 3.0, abut_sub(middle_b, middle_a));
    axes[count++] = abut_cross(edges_a[0], edges_a[1]);
    axes[count++] = abut_cross(edges_b[0], edges_b[1]);
    for (int i = 0; i < 9; ++i) {
        axes[count++] = abut_cross(edges_a[i / 3], edges_b[i % 3]);
    }
    for (int i = 0; i < 3; ++i) {
        axes[count++] = abut_cross(axes[1], edges_a[i]);
        axes[count++] = abut_cross(axes[2], edges_b[i]);
    }
}

// A corner's place along an axis: at + rate t + bend t^2, up to third t^3.
typedef struct path {
    double at, rate, bend, third;
} path;

static void find_paths(const abut_sweep_body *body, const abut_vec3 corners[3], abut_vec3 axis, path paths[3])
{
    double at = abut_dot(axis, body->at), rate = abut_dot(axis, body->velocity);
    for (int i = 0; i < 3; ++i) {
        paths[i] = (path){at + abut_dot(axis, corners[i]), rate, 0.0, 0.0};
        if (body->spin_rate > 0.0) {
            // n.(R - 1) r = sin(w t) a / w + (1 - cos(w t)) b / w^2 with a = n.(spin x r), b = n.(spin x (spin x r));
            // for w t <= 1 the rest is at most w^2 |a| t^3 / 6 + w |b| t^3 / 24.
            abut_vec3 speed = abut_cross(body->spin, corners[i]);
            double a = abut_dot(axis, speed), b = abut_dot(axis, abut_cross(body->spin, speed)),
                   w = body->spin_rate;
            paths[i].rate += a;
            paths[i].bend = 0.5 * b;
            paths[i].third = w * (w * fabs(a) / 6.0 + fabs(b) / 24.0);
        }
    }
}

// How long the gap of two triangles along a unit vector from A to B is sure to stay at or above `level`.
static double gap_span(const abut_sweep_bodies *s, const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 normal,
                       double gap, double level, double most)
{
    if (s->a.spin_rate == 0.0 && s->b.spin_rate == 0.0) {
        return abut_sweep_span(gap - level, abut_dot(normal, abut_sub(s->b.velocity, s->a.velocity)), 0.0, 0.0,
                               most);
    }
    path of_a[3], of_b[3];
    find_paths(&s->a, a, normal, of_a);
    find_paths(&s->b, b, normal, of_b);
    double span = most;
    for (int i = 0; i < 9 && span > 0.0; ++i) {
        const path *p = &of_a[i / 3], *q = &of_b[i % 3];
        span =
            abut_sweep_span(q->at - p->at - level, q->rate - p->rate, q->bend - p->bend, p->third + q->third, span);
    }
    return span;
}

// The paths of the corners of a body along an axis that turns with the other one, `frame`, up to a time. With x a corner
// seen from the center of `frame`, x1, x2 and x3 its derivatives, of which the last two come from the spin of its own
// body, and w the spin of `frame`, the derivatives in the turning axes are x1 - w x x, x2 - 2 w x x1 + w x (w x x) and
// x3 - 3 w x x2 + 3 w x (w x x1) - w x (w x (w x x)).
static void find_turned_paths(const abut_sweep_body *frame, const abut_sweep_body *body, const abut_vec3 corners[3],
                              abut_vec3 axis, double most, path paths[3])
{
    abut_vec3 between = abut_sub(body->at, frame->at), velocity = abut_sub(body->velocity, frame->velocity);
    double w = frame->spin_rate, v = body->spin_rate, speed = abut_norm(velocity);
    for (int i = 0; i < 3; ++i) {
        abut_vec3 r = corners[i], x = abut_add(between, r), turn = abut_cross(body->spin, r);
        abut_vec3 first = abut_add(velocity, turn), second = abut_cross(body->spin, turn);
        abut_vec3 rate = abut_sub(first, abut_cross(frame->spin, x));
        abut_vec3 bend = abut_sub(second, abut_cross(frame->spin, abut_add(first, rate)));
        double length = abut_norm(r), far = abut_norm(between) + speed * most + length;
        double third =
            v * v * v * length + 3.0 * w * v * v * length + 3.0 * w * w * (speed + v * length) + w * w * w * far;
        paths[i] = (path){abut_dot(axis, x), abut_dot(axis, rate), 0.5 * abut_dot(axis, bend), third / 6.0};
    }
}

// How long the gap along a unit vector that turns with a body is sure to stay at or above `level`, up to `most`. `axis` leads
// from that body to the other one.
static double turned_span(const abut_sweep_body *frame, const abut_vec3 own[3], const abut_sweep_body *body,
                          const abut_vec3 corners[3], abut_vec3 axis, double level, double most)
{
    path paths[3];
    find_turned_paths(frame, body, corners, axis, most, paths);
    double reach = fmax(fmax(abut_dot(axis, own[0]), abut_dot(axis, own[1])), abut_dot(axis, own[2]));
    double span = most;
    for (int i = 0; i < 3 && span > 0.0; ++i) {
        const path *p = &paths[i];
        span = abut_sweep_span(p->at - reach - level, p->rate, p->bend, p->third, span);
    }
    return span;
}

static double reach_of(const abut_vec3 corners[3])
{
    return sqrt(
        fmax(fmax(abut_norm_squared(corners[0]), abut_norm_squared(corners[1])), abut_norm_squared(corners[2])));
}

// How long two triangles are sure to slide along each other, up to the end of the sweep: the gap along an axis stays at or
// above a level. The axis is the fixed normal, or the normal as it turns with one of the bodies: bodies that turn together
// keep their gap along such an axis.
static double sliding_span(const abut_sweep_bodies *s, const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 normal,
                           double gap, double level)
{
    double span = 0.0;
    if (s->rest * fmax(s->a.spin_rate, s->b.spin_rate) <= 1.0) {
        span = gap_span(s, a, b, normal, gap, level, s->rest);
    }
    if (s->a.spin_rate > 0.0 && span < s->rest) {
        span = fmax(span, turned_span(&s->a, a, &s->b, b, normal, level, s->rest));
    }
    if (s->b.spin_rate > 0.0 && span < s->rest) {
        span = fmax(span, turned_span(&s->b, b, &s->a, a, abut_negate(normal), level, s->rest));
    }
    return span;
}

// Whether bodies that touch now, as is_touching() says, touched at the start, up to the tolerance: nothing has moved further.
static int did_touch(const abut_sweep_bodies *s, double reach_a, double reach_b)
{
    double speed =
        abut_norm(abut_sub(s->b.velocity, s->a.velocity)) + s->a.spin_rate * reach_a + s->b.spin_rate * reach_b;
    return s->time * speed <= s->tolerance;
}

// What the axes say at one time.
typedef struct look {
    double span; // the triangles are sure to be apart for so long
    int is_free; // they slide along each other, or are apart, up to the end of the sweep
    double gap;  // the largest
    abut_vec3 normal;
    abut_vec3 facing; // the outward normal of A, of any length, if that of B is the opposite; else zero
} look;

typedef struct range {
    double lower, upper;
} range;

static range range_along(const abut_vec3 corners[3], abut_vec3 axis)
{
    double x = abut_dot(axis, corners[0]), y = abut_dot(axis, corners[1]), z = abut_dot(axis, corners[2]);
    range r = {x < y ? x : y, x < y ? y : x};
    r.lower = z < r.lower ? z : r.lower;
    r.upper = z > r.upper ? z : r.upper;
    return r;
}

// Looks along an axis of any length.
static void look_along(const abut_sweep_bodies *s, const abut_vec3 a[3], const abut_vec3 b[3], double most,
                       int is_first, abut_vec3 axis, look *seen)
{
    const double least = 1e-200, largest = 1e200; // whose squares neither vanish nor overflow
    double length = abut_norm(axis);
    abut_vec3 normal = length > least && length < largest ? abut_scale(1.0 / length, axis) : abut_unit(axis);
    if (normal.x == 0.0 && normal.y == 0.0 && normal.z == 0.0) {
        return;
    }
    range in_a = range_along(a, normal), in_b = range_along(b, normal);
    double between = abut_dot(normal, abut_sub(s->b.at, s->a.at));
    double gap = in_b.lower + between - in_a.upper, other = in_a.lower - between - in_b.upper;
    // Of level triangles that face each other, A's outward normal leads to B.
    double along = fmin(gap, other) >= -s->tolerance ? abut_dot(normal, seen->facing) : 0.0;
    int is_back = along != 0.0   ? along < 0.0
                  : gap == other ? abut_dot(normal, abut_sub(s->b.velocity, s->a.velocity)) < 0.0
                                 : other > gap;
    if (is_back) {
        normal = abut_negate(normal);
        gap = other;
    }
    if (gap > seen->gap) {
        seen->gap = gap;
        seen->normal = normal;
    }
    if (is_first && is_touching(s, gap, abut_dot(normal, abut_sub(s->b.velocity, s->a.velocity)))) {
        if (s->sink > 0.0 && did_touch(s, reach_of(a), reach_of(b))) {
            double span = fmin(sliding_span(s, a, b, normal, gap, -s->sink), most);
            seen->span = span > seen->span ? span : seen->span;
        }
        seen->is_free = !(sliding_span(s, a, b, normal, gap, -s->tolerance) < s->rest) ||
                        abut_sweep_slides(s, normal, gap, reach_of(a), reach_of(b));
    } else if (gap > s->rounding) {
        double span = gap_span(s, a, b, normal, gap, s->rounding, most);
        seen->span = span > seen->span ? span : seen->span;
    }
}

static look look_at(const abut_sweep_bodies *s, const abut_vec3 a[3], const abut_vec3 b[3], double most, int step)
{
    abut_vec3 axes[AXES];
    look seen = {.gap = -HUGE_VAL};
    find_axes(a, b, abut_sub(s->b.at, s->a.at), axes);
    double opposed = -abut_dot(axes[1], axes[2]);
    if (opposed > 0.0 && abut_norm_squared(abut_cross(axes[1], axes[2])) <= 1e-6 * opposed * opposed) {
        seen.facing = axes[1];
    }
    for (int i = 0; i < AXES && seen.span < most && !seen.is_free; ++i) {
        look_along(s, a, b, most, step == 0, axes[i], &seen);
    }
    // Corners that are near may be apart by little along all of these axes. The line between the nearest points decides.
    if (!seen.is_free && seen.span < most &&
        (!(seen.span > s->time_accuracy) || step % NEAREST_STEPS == NEAREST_STEPS - 1)) {
        abut_vec3 placed[3], points[2], between = abut_sub(s->b.at, s->a.at);
        for (int i = 0; i < 3; ++i) {
            placed[i] = abut_add(b[i], between);
        }
        (void)abut_triangle_triangle_distance_squared(a, placed, &points[0], &points[1]);
        look_along(s, a, b, most, 0, abut_sub(points[1], points[0]), &seen);
    }
    return seen;
}

int abut_sweep_triangles(const abut_sweep_bodies *s, const abut_vec3 a[3], const abut_vec3 b[3], double end,
                         abut_sweep_touch *touch)
{
    abut_sweep_bodies now = *s;
    abut_vec3 turned_a[3], turned_b[3];
    double time = 0.0;
    for (int step = 0; step < STEPS_MOST; ++step) {
        abut_sweep_turn(&s->a, a, time, turned_a);
        abut_sweep_turn(&s->b, b, time, turned_b);
        now.a.at = abut_add_scaled(s->a.at, time, s->a.velocity);
        now.b.at = abut_add_scaled(s->b.at, time, s->b.velocity);
        look seen = look_at(&now, turned_a, turned_b, end - time, step);
        if (seen.is_free || !(seen.span < end - time)) {
            return 0;
        }
        *touch = (abut_sweep_touch){time, seen.gap, seen.normal};
        if (!(seen.span > s->time_accuracy)) {
            return 1;
        }
        time += seen.span;
    }
    return 1;
}
