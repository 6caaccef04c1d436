// SPDX-License-Identifier: MIT
// cone.c: the rays that span a polyhedral cone, and the distance from it
//
// A ray of a cone lies in the planes of two constraints and meets all others. Trying all pairs against all constraints
// is cubic. Two observations keep the cost near the number of pairs that give rays, and change no result:
//  - A pair fails because of one constraint, and the pairs after it mostly fail because of the same one. So the
//    constraints that failed last are tried first.
//  - A constraint that follows from others has no ray in its plane. A few constraints usually show that: there is no
//    direction in its plane that meets them all. Its pairs are then not tried at all.
//
// Cost: linear in the constraints for each one that bounds the cone, constant for most others.
#include "region/cone.h"

enum {
    LAST_COUNT = 4,     ///< constraints tried first
    WITNESS_COUNT = 16, ///< constraints that show that another one follows
    END_COUNT = 5,      ///< of these, at either end of the list
    FEW = 32            ///< with at most as many constraints, all pairs are tried
};

int abut_directions_push(abut_direction_list *to, abut_vec3 direction)
{
    abut_vec3 *added = abut_arena_list_add(to->arena, &to->list, 1, sizeof *added);
    if (added != NULL) {
        *added = direction;
    }
    return added != NULL;
}

/// Adds a ray unless it is known. Returns 0 if memory ran out.
static int push_new(abut_direction_list *rays, abut_vec3 ray, double angle)
{
    abut_directions known = abut_directions_of(rays);
    for (int i = 0; i < known.count; ++i) {
        if (abut_cone_is_same_ray(known.items[i], ray, angle)) {
            return 1;
        }
    }
    return abut_directions_push(rays, ray);
}

/// Adds a ray and its opposite if they meet the constraints and are new. Returns 0 if memory ran out.
static int push_both(abut_direction_list *rays, abut_directions constraints, abut_vec3 ray, double angle)
{
    abut_vec3 opposite = abut_negate(ray);
    return (!abut_cone_has(constraints, ray, angle) || push_new(rays, ray, angle)) &&
           (!abut_cone_has(constraints, opposite, angle) || push_new(rays, opposite, angle));
}

/// The constraint that is nearest to a right angle with another one, and the sine of their angle.
static int most_transversal(abut_directions constraints, int other, double *sine)
{
    int best = other;
    double most = 0.0;
    for (int i = 0; i < constraints.count; ++i) {
        double squared = abut_norm_squared(abut_cross(constraints.items[i], constraints.items[other]));
        if (squared > most) {
            most = squared;
            best = i;
        }
    }
    *sine = sqrt(most);
    return best;
}

/// Rays for constraints along one line: the cone is the whole space, a half-space or a plane.
static int rays_of_flat(abut_direction_list *rays, abut_directions constraints, double angle)
{
    if (constraints.count == 0) {
        for (int i = 0; i < 3; ++i) {
            if (!push_both(rays, constraints, abut_vec3_make(i == 0, i == 1, i == 2), angle)) {
                return 0;
            }
        }
        return 1;
    }
    abut_vec3 n = constraints.items[0];
    abut_vec3 u = abut_any_perpendicular(n), w = abut_cross(n, u);
    return push_both(rays, constraints, u, angle) && push_both(rays, constraints, w, angle) &&
           push_both(rays, constraints, n, angle);
}

/// Rays for constraints in one plane: the line at right angles to it, and rays at right angles to that line.
static int rays_of_planar(abut_direction_list *rays, abut_directions constraints, abut_vec3 line, double angle)
{
    for (int i = 0; i < constraints.count; ++i) {
        abut_vec3 cross = abut_cross(constraints.items[i], line);
        double length = abut_norm(cross);
        if (length > angle && !push_both(rays, constraints, abut_scale(1.0 / length, cross), angle)) {
            return 0;
        }
    }
    return push_both(rays, constraints, line, angle);
}

/// A direction in a plane.
typedef struct flat {
    double x, y;
} flat;

/// Whether no direction at right angles to c meets the witnesses: at the ends of the arc that one of them leaves,
/// another one fails.
static int has_no_ray(const abut_vec3 *witnesses, abut_vec3 c, double angle)
{
    abut_vec3 u = abut_any_perpendicular(c), w = abut_cross(c, u);
    flat p[WITNESS_COUNT];
    double within = angle * (1.0 + 1e-9) + 1e-14; // beyond the rounding of the dot products
    int count = 0;
    for (int i = 0; i < WITNESS_COUNT; ++i) {
        flat q = {abut_dot(witnesses[i], u), abut_dot(witnesses[i], w)};
        if (q.x * q.x + q.y * q.y > 4.0 * within * within) {
            p[count++] = q;
        }
    }
    for (int i = 0; i < count; ++i) {
        double squared = p[i].x * p[i].x + p[i].y * p[i].y;
        double back = -within / squared, side = sqrt(1.0 - within * within / squared) / sqrt(squared);
        for (int sign = -1; sign <= 1; sign += 2) {
            flat end = {back * p[i].x - sign * side * p[i].y, back * p[i].y + sign * side * p[i].x};
            int is_met = 1;
            for (int k = 0; is_met && k < count; ++k) {
                is_met = k == i || p[k].x * end.x + p[k].y * end.y >= -within;
            }
            if (is_met) {
                return 0;
            }
        }
    }
    return count > 0;
}

/// Constraints that failed last, the newest first.
typedef struct last_failed {
    int items[LAST_COUNT];
    int count;
} last_failed;

static void move_to_front(last_failed *last, int constraint)
{
    int at = 0;
    while (at < last->count && last->items[at] != constraint) {
        ++at;
    }
    last->count += at == last->count && last->count < LAST_COUNT;
    for (int i = at < last->count ? at : last->count - 1; i > 0; --i) {
        last->items[i] = last->items[i - 1];
    }
    last->items[0] = constraint;
}

/// Adds a ray if it meets all constraints and is new. Returns 0 if memory ran out.
static int try_ray(abut_direction_list *rays, abut_directions constraints, abut_vec3 ray, double angle,
                   last_failed *last)
{
    for (int i = 0; i < constraints.count; ++i) {
        if (abut_dot(constraints.items[i], ray) < -angle) {
            rays->tested += i + 1;
            move_to_front(last, i);
            return 1;
        }
    }
    rays->tested += constraints.count;
    return push_new(rays, ray, angle);
}

/// Adds the rays in the planes of a constraint and of a later one. Returns 0 if memory ran out.
static int rays_in_plane(abut_direction_list *rays, abut_directions constraints, int first, double angle,
                         last_failed *last)
{
    const abut_vec3 *c = constraints.items;
    double within = angle * (1.0 + 1e-9) + 1e-14;
    rays->tested += constraints.count - first - 1;
    for (int k = first + 1; k < constraints.count; ++k) {
        abut_vec3 cross = abut_cross(c[first], c[k]);
        double squared = abut_norm_squared(cross), beyond = within * within * squared;
        if (squared <= angle * angle) {
            continue;
        }
        // a constraint that is clearly not met by one of the two opposite rays is met by the other
        int is_open[2] = {1, 1};
        for (int m = 0; m < last->count && (is_open[0] || is_open[1]); ++m) {
            double along = abut_dot(c[last->items[m]], cross);
            is_open[along > 0.0] &= along * along <= beyond;
        }
        if (is_open[0] || is_open[1]) {
            abut_vec3 ray = abut_scale(1.0 / sqrt(squared), cross);
            if ((is_open[0] && !try_ray(rays, constraints, ray, angle, last)) ||
                (is_open[1] && !try_ray(rays, constraints, abut_negate(ray), angle, last))) {
                return 0;
            }
        }
    }
    return 1;
}

/// Rays for constraints that are not in one plane.
static int rays_of_pairs(abut_direction_list *rays, abut_directions constraints, double angle)
{
    int count = constraints.count, is_done = 1;
    last_failed last = {.count = 0};
    abut_vec3 witnesses[WITNESS_COUNT];
    // callers put two cones one after the other, and the smaller one often decides: some witnesses are the first
    // constraints, some the last, and some are from everywhere
    for (int i = 0; i < WITNESS_COUNT && count > FEW; ++i) {
        int from = i < END_COUNT ? i
                   : i < 2 * END_COUNT
                       ? count - 1 - (i - END_COUNT)
                       : (int)((int64_t)count * (i - 2 * END_COUNT) / (WITNESS_COUNT - 2 * END_COUNT));
        witnesses[i] = constraints.items[from];
    }
    for (int i = 0; is_done && i < count; ++i) {
        if (count <= FEW || !has_no_ray(witnesses, constraints.items[i], angle)) {
            is_done = rays_in_plane(rays, constraints, i, angle, &last);
        }
    }
    return is_done;
}

int abut_cone_find_rays(abut_direction_list *rays, abut_directions constraints, double angle)
{
    double sine = 0.0;
    rays->list.count = 0;
    // two steps find two constraints at nearly the largest angle
    int first = constraints.count > 0 ? most_transversal(constraints, 0, &sine) : 0;
    if (sine <= angle) {
        return rays_of_flat(rays, constraints, angle);
    }
    int second = most_transversal(constraints, first, &sine);
    abut_vec3 line = abut_unit(abut_cross(constraints.items[first], constraints.items[second]));
    int has_line = abut_cone_has(constraints, line, angle) && abut_cone_has(constraints, abut_negate(line), angle);
    return has_line ? rays_of_planar(rays, constraints, line, angle) : rays_of_pairs(rays, constraints, angle);
}

int abut_cone_rays(abut_arena *arena, abut_directions constraints, double angle, abut_directions *rays)
{
    abut_direction_list list = {.arena = arena};
    int is_done = abut_cone_find_rays(&list, constraints, angle);
    *rays = abut_directions_of(&list);
    return is_done;
}

abut_vec3 abut_cone_sum(abut_directions rays)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < rays.count; ++i) {
        sum = abut_add(sum, rays.items[i]);
    }
    return sum;
}

abut_vec3 abut_cone_inner(abut_directions rays, double angle)
{
    abut_vec3 sum = abut_cone_sum(rays);
    return abut_norm(sum) > 0.5 * angle ? abut_unit(sum) : abut_vec3_make(0.0, 0.0, 0.0);
}

double abut_cone_distance(abut_directions constraints, abut_vec3 v)
{
    double best = abut_norm(v); // the apex
    double slack = 1e-12 * best;
    if (abut_cone_has(constraints, v, slack)) {
        return 0.0;
    }
    for (int i = 0; i < constraints.count; ++i) {
        abut_vec3 n = constraints.items[i];
        abut_vec3 foot = abut_add_scaled(v, -abut_dot(n, v), n);
        if (abut_cone_has(constraints, foot, slack)) {
            best = fmin(best, abut_norm(abut_sub(v, foot)));
        }
        for (int k = 0; k < i; ++k) {
            abut_vec3 line = abut_unit(abut_cross(n, constraints.items[k]));
            foot = abut_scale(abut_dot(line, v), line);
            if (abut_cone_has(constraints, foot, slack)) {
                best = fmin(best, abut_norm(abut_sub(v, foot)));
            }
        }
    }
    return best;
}
