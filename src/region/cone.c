// SPDX-License-Identifier: MIT
// cone.c: polyhedral cones of directions, and the motions that two touching solids allow each other
//
// Two convex pieces A and B, spanned by rays r and s, are separated by the normals n with n . r <= 0 and n . s >=
// 0; that is itself a polyhedral cone, and v keeps the pieces apart if n . v >= 0 for one of the rays n that span
// it. For the solids v must keep every pair of pieces apart: a conjunction of such clauses, which is multiplied out
// to a union of convex cones.
#include "region/cone.h"

#include "base/arena_list.h"

#include <string.h>

enum {
    CONE_LIMIT = 256,    ///< of a union; more are cut and reported
    COVER_CHOICES = 4096 ///< tried to see whether cones cover another
};

/// Times the angle: a direction is beyond a plane if its sine with it is larger. Sums of rays, each known within 4
/// angles, are tested against normals that are rays as well.
static const double clearly_beyond = 8.0;

/// A growing list of directions in an arena.
typedef struct direction_list {
    abut_arena *arena;
    abut_arena_list list;
} direction_list;

static int push(direction_list *to, abut_vec3 direction)
{
    abut_vec3 *added = abut_arena_list_add(to->arena, &to->list, 1, sizeof *added);
    if (added != NULL) {
        *added = direction;
    }
    return added != NULL;
}

static abut_directions directions_of(const direction_list *from)
{
    abut_directions directions = {from->list.items, from->list.count};
    return directions;
}

static int satisfies(abut_directions constraints, abut_vec3 v, double angle)
{
    for (int i = 0; i < constraints.count; ++i) {
        if (abut_dot(constraints.items[i], v) < -angle) {
            return 0;
        }
    }
    return 1;
}

static int is_same(abut_vec3 a, abut_vec3 b, double angle)
{
    return abut_norm_squared(abut_sub(a, b)) <= angle * angle;
}

/// Adds a ray that satisfies the constraints and is not there yet.
static int push_ray(direction_list *rays, abut_directions constraints, abut_vec3 ray, double angle)
{
    if (!satisfies(constraints, ray, angle)) {
        return 1;
    }
    abut_directions known = directions_of(rays);
    for (int i = 0; i < known.count; ++i) {
        if (abut_cone_is_same_ray(known.items[i], ray, angle)) {
            return 1;
        }
    }
    return push(rays, ray);
}

/// The two constraints that are most at right angles to each other; `sine` is how much.
static void most_transversal(abut_directions constraints, int *first, int *second, double *sine)
{
    *first = *second = 0;
    *sine = 0.0;
    for (int i = 0; i < constraints.count; ++i) {
        for (int k = 0; k < i; ++k) {
            double s = abut_norm(abut_cross(constraints.items[i], constraints.items[k]));
            if (s > *sine) {
                *sine = s;
                *first = k;
                *second = i;
            }
        }
    }
}

/// Constraints that are all along one line: the whole space, a half-space or a plane.
static int rays_of_flat(direction_list *rays, abut_directions constraints, double angle)
{
    if (constraints.count == 0) {
        for (int i = 0; i < 3; ++i) {
            abut_vec3 axis = abut_vec3_make(i == 0, i == 1, i == 2);
            if (!push(rays, axis) || !push(rays, abut_negate(axis))) {
                return 0;
            }
        }
        return 1;
    }
    abut_vec3 n = constraints.items[0];
    abut_vec3 u = abut_any_perpendicular(n), w = abut_cross(n, u);
    return push_ray(rays, constraints, u, angle) && push_ray(rays, constraints, abut_negate(u), angle) &&
           push_ray(rays, constraints, w, angle) && push_ray(rays, constraints, abut_negate(w), angle) &&
           push_ray(rays, constraints, n, angle) && push_ray(rays, constraints, abut_negate(n), angle);
}

int abut_cone_rays(abut_arena *arena, abut_directions constraints, double angle, abut_directions *rays)
{
    direction_list list = {.arena = arena};
    int first, second;
    double sine;
    most_transversal(constraints, &first, &second, &sine);
    int is_done = 1;
    if (sine <= angle) {
        is_done = rays_of_flat(&list, constraints, angle);
    } else {
        // with constraints in one plane there is a line in the cone; the two directions in that plane that bound
        // the cone are at right angles to the line and to a constraint
        abut_vec3 line = abut_unit(abut_cross(constraints.items[first], constraints.items[second]));
        abut_directions ends = {&line, 1};
        int has_line = satisfies(constraints, line, angle) && satisfies(constraints, abut_negate(line), angle);
        abut_directions others = has_line ? ends : constraints;
        for (int i = 0; is_done && i < constraints.count; ++i) {
            // two constraints in the other order give the same two rays
            for (int k = has_line ? 0 : i + 1; is_done && k < others.count; ++k) {
                abut_vec3 cross = abut_cross(constraints.items[i], others.items[k]);
                double length = abut_norm(cross);
                if (length > angle) {
                    abut_vec3 ray = abut_scale(1.0 / length, cross);
                    is_done = push_ray(&list, constraints, ray, angle) &&
                              push_ray(&list, constraints, abut_negate(ray), angle);
                }
            }
        }
        if (is_done && has_line) {
            is_done =
                push_ray(&list, constraints, line, angle) && push_ray(&list, constraints, abut_negate(line), angle);
        }
    }
    *rays = directions_of(&list);
    return is_done;
}

/// Whether n is a non-negative combination of two constraints: Farkas in a plane.
static int is_between(abut_vec3 a, abut_vec3 b, abut_vec3 n, double angle)
{
    abut_vec3 m = abut_cross(a, b);
    double squared = abut_norm_squared(m);
    if (squared <= angle * angle || fabs(abut_dot(m, n)) > angle * sqrt(squared)) {
        return 0;
    }
    return abut_dot(abut_cross(a, n), m) >= -angle * squared && abut_dot(abut_cross(n, b), m) >= -angle * squared;
}

static int is_within_three(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 n, double angle)
{
    double volume = abut_dot(a, abut_cross(b, c));
    if (fabs(volume) <= angle) {
        return 0;
    }
    double x = abut_dot(n, abut_cross(b, c)) / volume;
    double y = abut_dot(a, abut_cross(n, c)) / volume;
    double z = abut_dot(a, abut_cross(b, n)) / volume;
    return x >= -angle && y >= -angle && z >= -angle;
}

int abut_cone_implies(abut_directions constraints, abut_vec3 n, double angle)
{
    const abut_vec3 *c = constraints.items;
    for (int i = 0; i < constraints.count; ++i) {
        if (is_same(c[i], n, angle)) {
            return 1;
        }
        for (int k = 0; k < i; ++k) {
            if (is_between(c[i], c[k], n, angle)) {
                return 1;
            }
            for (int m = 0; m < k; ++m) {
                if (is_within_three(c[i], c[k], c[m], n, angle)) {
                    return 1;
                }
            }
        }
    }
    return 0;
}

double abut_cone_distance(abut_directions constraints, abut_vec3 v)
{
    double best = abut_norm(v); // the apex
    double slack = 1e-12 * best;
    if (satisfies(constraints, v, slack)) {
        return 0.0;
    }
    for (int i = 0; i < constraints.count; ++i) {
        abut_vec3 n = constraints.items[i];
        abut_vec3 foot = abut_add_scaled(v, -abut_dot(n, v), n);
        if (satisfies(constraints, foot, slack)) {
            best = fmin(best, abut_norm(abut_sub(v, foot)));
        }
        for (int k = 0; k < i; ++k) {
            abut_vec3 line = abut_unit(abut_cross(n, constraints.items[k]));
            foot = abut_scale(abut_dot(line, v), line);
            if (satisfies(constraints, foot, slack)) {
                best = fmin(best, abut_norm(abut_sub(v, foot)));
            }
        }
    }
    return best;
}

/// The normals that separate two convex pieces, unit and spanning all of them.
static int separating_normals(abut_arena *arena, abut_directions a, abut_directions b, double angle,
                              abut_directions *normals)
{
    direction_list constraints = {.arena = arena};
    for (int i = 0; i < a.count; ++i) {
        if (!push(&constraints, abut_negate(a.items[i]))) {
            return 0;
        }
    }
    for (int i = 0; i < b.count; ++i) {
        if (!push(&constraints, b.items[i])) {
            return 0;
        }
    }
    return abut_cone_rays(arena, directions_of(&constraints), angle, normals);
}

/// A union of convex cones while it is multiplied out.
typedef struct cone_list {
    abut_directions items[CONE_LIMIT];
    int count;
    int is_capped;
} cone_list;

/// Whether cone a lies within cone b.
static int lies_within(abut_directions a, abut_directions b, double angle)
{
    for (int i = 0; i < b.count; ++i) {
        if (!abut_cone_implies(a, b.items[i], angle)) {
            return 0;
        }
    }
    return 1;
}

/// Adds a cone unless it lies within another, and removes those that lie within it.
static void add_cone(cone_list *list, abut_directions cone, double angle)
{
    for (int i = 0; i < list->count; ++i) {
        if (lies_within(cone, list->items[i], angle)) {
            return;
        }
    }
    int kept = 0;
    for (int i = 0; i < list->count; ++i) {
        if (!lies_within(list->items[i], cone, angle)) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
    if (list->count == CONE_LIMIT) {
        list->is_capped = 1;
        return;
    }
    list->items[list->count++] = cone;
}

/// Whether n is a non-negative combination of `with` and at most two constraints.
static int is_implied_with(abut_vec3 with, abut_directions constraints, abut_vec3 n, double angle)
{
    const abut_vec3 *c = constraints.items;
    int is_so = is_same(with, n, angle);
    for (int i = 0; i < constraints.count && !is_so; ++i) {
        is_so = is_between(with, c[i], n, angle);
        for (int k = 0; k < i && !is_so; ++k) {
            is_so = is_within_three(with, c[i], c[k], n, angle);
        }
    }
    return is_so;
}

/// A cone with one more constraint, without those that it makes needless: no other constraints do, as none of
/// them is needless before.
static int constrain(abut_arena *arena, abut_directions cone, abut_vec3 n, double angle, abut_directions *out)
{
    abut_vec3 *items = abut_arena_take(arena, ((size_t)cone.count + 1) * sizeof *items);
    if (items == NULL) {
        return 0;
    }
    int count = 0;
    for (int i = 0; i < cone.count; ++i) {
        items[count++] = cone.items[i];
    }
    for (int i = count - 1; i >= 0; --i) {
        abut_vec3 candidate = items[i];
        items[i] = items[count - 1];
        abut_directions others = {items, count - 1};
        if (is_implied_with(n, others, candidate, angle)) {
            --count;
        } else {
            items[count - 1] = items[i];
            items[i] = candidate;
        }
    }
    items[count++] = n;
    out->items = items;
    out->count = count;
    return 1;
}

/// Multiplies a union by one clause.
static int multiply(abut_arena *arena, const cone_list *list, abut_directions clause, double angle,
                    cone_list *product)
{
    product->count = 0;
    product->is_capped = list->is_capped;
    for (int i = 0; i < list->count; ++i) {
        int is_met = 0;
        for (int k = 0; k < clause.count && !is_met; ++k) {
            is_met = abut_cone_implies(list->items[i], clause.items[k], angle);
        }
        if (is_met) {
            add_cone(product, list->items[i], angle);
            continue;
        }
        for (int k = 0; k < clause.count; ++k) {
            abut_directions cone;
            if (!constrain(arena, list->items[i], clause.items[k], angle, &cone)) {
                return 0;
            }
            add_cone(product, cone, angle);
        }
    }
    return 1;
}

/// The direction of the sum of the rays of the cone that some constraints leave, which is inside it; zero where
/// they cancel. In a cone that is nearly a half-space they nearly do, and leave as much as its sides differ.
static int inner_direction(abut_arena *arena, abut_directions constraints, double angle, abut_vec3 *inner)
{
    abut_directions rays;
    if (!abut_cone_rays(arena, constraints, angle, &rays)) {
        return 0;
    }
    *inner = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < rays.count; ++i) {
        *inner = abut_add(*inner, rays.items[i]);
    }
    *inner = abut_norm(*inner) > 0.5 * angle ? abut_unit(*inner) : abut_vec3_make(0.0, 0.0, 0.0);
    return 1;
}

/// Looks for a direction of cone `which` that is outside all others: outside each of them by one of its
/// constraints. All choices of those are tried, `choice` counting through them. Returns 1 where the others cover
/// the cone, -1 where memory ran out.
static int is_covered(abut_arena *arena, const cone_list *list, int which, double angle)
{
    int choices = 1;
    for (int i = 0; i < list->count; ++i) {
        choices *= i == which ? 1 : list->items[i].count;
        if (choices > COVER_CHOICES) {
            return 0; // too many to tell: it stays
        }
    }
    abut_directions cone = list->items[which];
    abut_vec3 *tried = abut_arena_take(arena, ((size_t)cone.count + (size_t)list->count) * sizeof *tried);
    if (tried == NULL) {
        return -1;
    }
    for (int choice = 0; choice < choices; ++choice) {
        int count = 0, left = choice;
        for (int i = 0; i < cone.count; ++i) {
            tried[count++] = cone.items[i];
        }
        for (int i = 0; i < list->count; ++i) {
            if (i != which) {
                tried[count++] = abut_negate(list->items[i].items[left % list->items[i].count]);
                left /= list->items[i].count;
            }
        }
        abut_directions constraints = {tried, count};
        abut_vec3 inner;
        if (!inner_direction(arena, constraints, angle, &inner)) {
            return -1;
        }
        int is_outside = 1;
        for (int i = cone.count; i < count; ++i) {
            is_outside &= abut_dot(tried[i], inner) > clearly_beyond * angle;
        }
        if (is_outside) {
            return 0;
        }
    }
    return 1;
}

/// Leaves out cones that the others cover together. Returns 0 where memory ran out.
static int drop_covered(abut_arena *arena, cone_list *list, double angle)
{
    for (int i = list->count - 1; i >= 0 && list->count > 2; --i) {
        int is_needless = is_covered(arena, list, i, angle);
        if (is_needless < 0) {
            return 0;
        }
        if (is_needless) {
            for (int k = i + 1; k < list->count; ++k) {
                list->items[k - 1] = list->items[k];
            }
            --list->count;
        }
    }
    return 1;
}

int abut_feasible_motions(abut_arena *arena, abut_local_solid a, abut_local_solid b, double angle,
                          abut_feasible *feasible)
{
    abut_feasible found = {0};
    abut_directions *clauses = abut_arena_take(arena, (size_t)a.count * (size_t)b.count * sizeof *clauses);
    if (clauses == NULL) {
        return 0;
    }
    for (int i = 0; i < a.count; ++i) {
        for (int k = 0; k < b.count; ++k) {
            abut_directions normals;
            if (!separating_normals(arena, a.pieces[i], b.pieces[k], angle, &normals)) {
                return 0;
            }
            if (normals.count == 0) {
                found.overlaps = 1;
            } else {
                clauses[found.clause_count++] = normals;
            }
        }
    }
    found.clauses = clauses;
    *feasible = found;
    return 1;
}

int abut_feasible_cones(abut_arena *arena, double angle, abut_feasible *feasible)
{
    cone_list lists[2], *cones = &lists[0], *product = &lists[1];
    cones->count = 1;
    cones->is_capped = 0;
    cones->items[0].items = NULL;
    cones->items[0].count = 0;
    for (int i = 0; i < feasible->clause_count; ++i) {
        if (!multiply(arena, cones, feasible->clauses[i], angle, product)) {
            return 0;
        }
        cone_list *swapped = cones;
        cones = product;
        product = swapped;
    }
    if (!drop_covered(arena, cones, angle)) {
        return 0;
    }
    size_t size = (size_t)cones->count * sizeof *cones->items;
    abut_directions *kept = abut_arena_take(arena, size);
    if (kept == NULL) {
        return 0;
    }
    memcpy(kept, cones->items, size);
    feasible->cones = kept;
    feasible->cone_count = cones->count;
    feasible->is_capped = cones->is_capped;
    return 1;
}

/// Whether one of the normals of a clause is one of the constraints: then what meets these meets the clause.
static int is_met_at_once(abut_directions clause, abut_directions constraints, double angle)
{
    for (int i = 0; i < clause.count; ++i) {
        for (int k = 0; k < constraints.count; ++k) {
            if (is_same(clause.items[i], constraints.items[k], angle)) {
                return 1;
            }
        }
    }
    return 0;
}

int abut_feasible_contains(abut_arena *arena, const abut_feasible *feasible, abut_directions constraints,
                           double angle)
{
    for (int i = 0; i < feasible->clause_count; ++i) {
        // motions that meet the constraints and are forbidden by the clause: all its normals against them
        abut_directions clause = feasible->clauses[i];
        if (is_met_at_once(clause, constraints, angle)) {
            continue;
        }
        direction_list both = {.arena = arena};
        for (int k = 0; k < constraints.count; ++k) {
            if (!push(&both, constraints.items[k])) {
                return -1;
            }
        }
        for (int k = 0; k < clause.count; ++k) {
            if (!push(&both, abut_negate(clause.items[k]))) {
                return -1;
            }
        }
        abut_vec3 inner;
        if (!inner_direction(arena, directions_of(&both), angle, &inner)) {
            return -1;
        }
        int is_forbidden = 1;
        for (int k = 0; k < clause.count; ++k) {
            is_forbidden &= abut_dot(clause.items[k], inner) < -clearly_beyond * angle;
        }
        if (is_forbidden) {
            return 0;
        }
    }
    return 1;
}
