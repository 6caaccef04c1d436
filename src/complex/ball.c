// SPDX-License-Identifier: MIT
// ball.c: smallest enclosing balls, by pivoting
//
// The ball of the support points is kept, at most four. The farthest point outside joins them, and the smallest ball of
// these five at most is the next one: the best of the balls through one to four of them that hold the others. Its
// radius grows with every step, so no support comes twice, and few steps suffice.
//
// Source: Gaertner 1999, "Fast and robust smallest enclosing balls", whose pivot rule this is; the small problem is
//         solved by trying all subsets instead of Welzl's recursion.
#include "complex/ball.h"

enum { MOST_STEPS = 64 };
static const double slack = 1e-3; ///< of the radius: points this far outside do not change the ball

/// The smallest ball through `count` points, 1 to 4. Returns 0 if they are not affinely independent.
static int ball_through(const abut_vec3 *p, int count, abut_ball *ball)
{
    abut_vec3 e[3], rows[3];
    double q[3] = {0.0, 0.0, 0.0};
    abut_vec3 offset = {0.0, 0.0, 0.0};
    for (int i = 1; i < count; ++i) {
        e[i - 1] = abut_sub(p[i], p[0]);
        q[i - 1] = 0.5 * abut_norm_squared(e[i - 1]);
    }
    if (count == 2) {
        offset = abut_scale(0.5, e[0]);
    } else if (count == 3) {
        abut_vec3 n = abut_cross(e[0], e[1]);
        double squared = abut_norm_squared(n);
        if (!(squared > 1e-24 * q[0] * q[1])) {
            return 0;
        }
        // the point c of the plane with c . e_i = q_i
        offset = abut_scale(1.0 / squared,
                            abut_add(abut_scale(q[0], abut_cross(e[1], n)), abut_scale(q[1], abut_cross(n, e[0]))));
    } else if (count == 4) {
        rows[0] = abut_cross(e[1], e[2]);
        rows[1] = abut_cross(e[2], e[0]);
        rows[2] = abut_cross(e[0], e[1]);
        double det = abut_dot(e[0], rows[0]);
        if (!(det * det > 1e-24 * q[0] * q[1] * q[2])) {
            return 0;
        }
        for (int i = 0; i < 3; ++i) {
            offset = abut_add_scaled(offset, q[i] / det, rows[i]);
        }
    }
    ball->center = abut_add(p[0], offset);
    ball->radius = abut_norm(offset);
    return abut_is_finite(ball->center);
}

static int holds(const abut_ball *ball, const abut_vec3 *p, int count)
{
    double limit = ball->radius * (1.0 + 1e-10);
    for (int i = 0; i < count; ++i) {
        if (abut_norm_squared(abut_sub(p[i], ball->center)) > limit * limit) {
            return 0;
        }
    }
    return 1;
}

/// The smallest ball of up to five points; those on it become the first ones, and their number is returned.
static int ball_of_few(abut_vec3 *p, int count, abut_ball *ball)
{
    abut_ball best = {p[0], HUGE_VAL};
    int best_mask = 1;
    for (int mask = 1; mask < 1 << count; ++mask) {
        abut_vec3 chosen[4];
        int size = 0;
        for (int i = 0; i < count && size <= 4; ++i) {
            if (mask >> i & 1) {
                if (size < 4) {
                    chosen[size] = p[i];
                }
                ++size;
            }
        }
        abut_ball tried;
        if (size <= 4 && ball_through(chosen, size, &tried) && tried.radius < best.radius &&
            holds(&tried, p, count)) {
            best = tried;
            best_mask = mask;
        }
    }
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (best_mask >> i & 1) {
            abut_vec3 swapped = p[kept];
            p[kept++] = p[i];
            p[i] = swapped;
        }
    }
    *ball = best;
    return kept;
}

static int farthest_point(const abut_vec3 *points, int count, abut_vec3 center, double *squared)
{
    int farthest = 0;
    *squared = -1.0;
    for (int i = 0; i < count; ++i) {
        double other = abut_norm_squared(abut_sub(points[i], center));
        farthest = other > *squared ? i : farthest;
        *squared = other > *squared ? other : *squared;
    }
    return farthest;
}

abut_ball abut_ball_of_points(const abut_vec3 *points, int count)
{
    double squared;
    abut_vec3 support[5];
    support[0] = points[farthest_point(points, count, points[0], &squared)];
    abut_ball ball = {support[0], 0.0};
    int size = 1, step = 0;
    for (; step < MOST_STEPS; ++step) {
        int farthest = farthest_point(points, count, ball.center, &squared);
        if (squared <= ball.radius * ball.radius * (1.0 + slack) * (1.0 + slack)) {
            break;
        }
        abut_ball next;
        support[size] = points[farthest];
        int next_size = ball_of_few(support, size + 1, &next);
        if (!(next.radius < HUGE_VAL) || next.radius <= ball.radius) {
            break; // rounding: what there is, is good enough
        }
        ball = next;
        size = next_size;
    }
    if (step == MOST_STEPS) {
        (void)farthest_point(points, count, ball.center, &squared);
    }
    ball.radius = sqrt(squared);
    return ball;
}
