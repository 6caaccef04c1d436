// SPDX-License-Identifier: MIT
// cone_union.c: feasible motions as a union of convex cones
//
// Clauses are multiplied out: a cone takes one normal of each clause, and of these cones the largest ones are kept. A
// cone is kept with its rays, so it lies within a half-space if its rays do.
//
// Clauses with one normal come first: together they are one cone, which bounds all others. A single clause gives
// half-spaces. Its normals are the edges of one convex cone, so for each there is a motion that only its half-space
// allows, unless it is too near to its neighbours on that cone to be told apart from them.
#include "region/motions.h"

enum {
    CONE_LIMIT = 512,    ///< cones of a union; further ones are dropped, which is reported
    COVER_CHOICES = 4096 ///< tried at most to find out whether cones cover another
};

/// A convex cone of a union.
typedef struct union_cone {
    abut_directions constraints, rays;
    abut_vec3 sum; ///< of the rays
} union_cone;

/// A union of cones while it is multiplied out.
typedef struct cone_union {
    abut_arena *arena;
    double angle;
    union_cone *cones;
    int count;
    abut_arena_list next;                ///< the cones of the product
    abut_direction_list constraints;     ///< of the cone that is being made
    abut_direction_list rays, rays_left; ///< of that cone, and without one of its constraints
    int is_capped;
} cone_union;

/// Whether cone a lies within cone b.
static int lies_within(const union_cone *a, const union_cone *b, double angle)
{
    // if the sum of the rays is beyond a constraint by more than all rays may be, some ray is beyond it
    if (!abut_cone_has(b->constraints, a->sum, angle * a->rays.count)) {
        return 0;
    }
    for (int i = 0; i < b->constraints.count; ++i) {
        if (!abut_cone_implies(a->rays, b->constraints.items[i], angle)) {
            return 0;
        }
    }
    return 1;
}

static int copy_directions(abut_arena *arena, abut_directions from, abut_directions *to)
{
    abut_vec3 *items = abut_arena_take(arena, (size_t)from.count * sizeof *items);
    for (int i = 0; items != NULL && i < from.count; ++i) {
        items[i] = from.items[i];
    }
    to->items = items;
    to->count = from.count;
    return items != NULL;
}

/// Whether a constraint bounds a cone with inner points, without a doubt: it holds two rays, and no other constraint
/// holds both.
static int is_clear_side(abut_directions constraints, abut_directions rays, int which, double angle)
{
    double near = abut_cone_beyond * angle, widest = 4.0 * near * near;
    abut_vec3 c = constraints.items[which];
    int first = -1, second = -1;
    for (int i = 0; i < rays.count; ++i) {
        if (abut_dot(c, rays.items[i]) > near) {
            continue;
        }
        double width = first < 0 ? 0.0 : abut_norm_squared(abut_cross(rays.items[first], rays.items[i]));
        if (width > widest) {
            widest = width;
            second = i;
        }
        first = first < 0 ? i : first;
    }
    for (int i = 0; second >= 0 && i < constraints.count; ++i) {
        if (i != which && abut_dot(constraints.items[i], rays.items[first]) <= near &&
            abut_dot(constraints.items[i], rays.items[second]) <= near) {
            second = -1;
        }
    }
    return second >= 0;
}

/// Whether a constraint of a cone follows from the others. Returns -1 if memory ran out.
static int is_redundant(cone_union *u, int which, int has_inside)
{
    abut_vec3 *items = u->constraints.list.items;
    abut_vec3 c = items[which];
    int last = u->constraints.list.count - 1;
    if (has_inside) {
        abut_directions rays = abut_directions_of(&u->rays);
        double least = HUGE_VAL;
        for (int i = 0; i < rays.count; ++i) {
            least = fmin(least, abut_dot(c, rays.items[i]));
        }
        if (least > abut_cone_beyond * u->angle) {
            return 1; // it touches the cone nowhere
        }
        if (is_clear_side(abut_directions_of(&u->constraints), rays, which, u->angle)) {
            return 0;
        }
    }
    items[which] = items[last];
    abut_directions others = {items, last};
    int is_done = abut_cone_find_rays(&u->rays_left, others, u->angle);
    items[which] = c;
    return is_done ? abut_cone_implies(abut_directions_of(&u->rays_left), c, u->angle) : -1;
}

/// Drops constraints of the cone that is being made if they follow from others, later ones first, but not the last
/// `kept`. Returns 0 if memory ran out.
static int drop_redundant(cone_union *u, int kept)
{
    abut_vec3 *items = u->constraints.list.items;
    abut_vec3 inner = abut_cone_inner(abut_directions_of(&u->rays), u->angle);
    int has_inside = 1;
    for (int i = 0; i < u->constraints.list.count; ++i) {
        has_inside &= abut_dot(items[i], inner) > abut_cone_beyond * u->angle;
    }
    for (int i = u->constraints.list.count - 1 - kept; i >= 0; --i) {
        int drops = is_redundant(u, i, has_inside);
        if (drops < 0) {
            return 0;
        }
        if (drops) {
            for (int k = i + 1; k < u->constraints.list.count; ++k) {
                items[k - 1] = items[k];
            }
            --u->constraints.list.count;
        }
    }
    return 1;
}

/// The cone that is being made, in lists that are used again.
static union_cone current_cone(const cone_union *u)
{
    union_cone cone = {abut_directions_of(&u->constraints), abut_directions_of(&u->rays), {0.0, 0.0, 0.0}};
    cone.sum = abut_cone_sum(cone.rays);
    return cone;
}

/// Adds the cone that is being made to the product. Returns 0 if memory ran out.
static int keep_cone(cone_union *u, int kept)
{
    if (u->next.count == CONE_LIMIT) {
        u->is_capped = 1;
        return 1;
    }
    if (!drop_redundant(u, kept)) {
        return 0;
    }
    union_cone made = current_cone(u);
    union_cone *added = abut_arena_list_add(u->arena, &u->next, 1, sizeof *added);
    if (added == NULL || !copy_directions(u->arena, made.constraints, &made.constraints) ||
        !copy_directions(u->arena, made.rays, &made.rays)) {
        return 0;
    }
    *added = made;
    return 1;
}

/// Makes a cone of a constraint and those of another cone, and adds it to the product unless it lies within a cone
/// there. Of the cones there that lie within it, those from `first_new` on are removed; earlier ones cannot. Returns 0
/// if memory ran out.
static int add_constrained(cone_union *u, abut_directions of, abut_vec3 n, int first_new)
{
    u->constraints.list.count = 0;
    for (int i = 0; i <= of.count; ++i) {
        if (!abut_directions_push(&u->constraints, i < of.count ? of.items[i] : n)) {
            return 0;
        }
    }
    if (!abut_cone_find_rays(&u->rays, abut_directions_of(&u->constraints), u->angle)) {
        return 0;
    }
    union_cone made = current_cone(u), *others = u->next.items;
    for (int i = 0; i < u->next.count; ++i) {
        if (lies_within(&made, &others[i], u->angle)) {
            return 1;
        }
    }
    int kept = first_new;
    for (int i = first_new; i < u->next.count; ++i) {
        if (!lies_within(&others[i], &made, u->angle)) {
            others[kept++] = others[i];
        }
    }
    u->next.count = kept;
    return keep_cone(u, 1);
}

/// Whether a cone lies within the half-space of one of the normals.
static int is_met(const union_cone *cone, abut_directions clause, double angle)
{
    for (int i = 0; i < clause.count; ++i) {
        if (abut_cone_implies(cone->rays, clause.items[i], angle)) {
            return 1;
        }
    }
    return 0;
}

/// Multiplies the union by one clause. Returns 0 if memory ran out.
static int multiply(cone_union *u, abut_directions clause)
{
    unsigned char *is_kept = abut_arena_take(u->arena, (size_t)u->count + 1);
    if (is_kept == NULL) {
        return 0;
    }
    u->next.count = 0;
    for (int i = 0; i < u->count; ++i) {
        is_kept[i] = (unsigned char)is_met(&u->cones[i], clause, u->angle);
        if (is_kept[i]) {
            union_cone *added = abut_arena_list_add(u->arena, &u->next, 1, sizeof *added);
            if (added == NULL) {
                return 0;
            }
            *added = u->cones[i];
        }
    }
    int first_new = u->next.count;
    for (int i = 0; i < u->count; ++i) {
        for (int k = 0; k < clause.count && !is_kept[i]; ++k) {
            if (!add_constrained(u, u->cones[i].constraints, clause.items[k], first_new)) {
                return 0;
            }
        }
    }
    return 1;
}

/// Makes the product the union. The arrays of both are used again.
static void take_product(cone_union *u, abut_arena_list *spare)
{
    abut_arena_list product = u->next;
    u->cones = product.items;
    u->count = product.count;
    u->next = *spare;
    *spare = product;
}

/// Starts with the cone of all clauses that have one normal. Returns 0 if memory ran out.
static int start_union(cone_union *u, const abut_feasible *feasible)
{
    for (int i = 0; i < feasible->clause_count; ++i) {
        if (feasible->clauses[i].count == 1 &&
            !abut_directions_push(&u->constraints, feasible->clauses[i].items[0])) {
            return 0;
        }
    }
    return abut_cone_find_rays(&u->rays, abut_directions_of(&u->constraints), u->angle) && keep_cone(u, 0);
}

/// A search for a direction of a cone that no other cone has: one that is clearly beyond a constraint of each of them.
typedef struct cover_search {
    const cone_union *of;
    int which;                       ///< the cone
    abut_direction_list constraints; ///< its own, then the opposites of those chosen
    abut_direction_list rays;
} cover_search;

/// Whether a direction is clearly beyond all chosen constraints. Returns -1 if memory ran out.
static int has_rest(cover_search *s)
{
    const cone_union *u = s->of;
    abut_directions all = abut_directions_of(&s->constraints);
    int own = u->cones[s->which].constraints.count;
    abut_directions chosen = {all.items + own, all.count - own};
    if (!abut_cone_find_rays(&s->rays, all, u->angle)) {
        return -1;
    }
    return abut_cone_has(chosen, abut_cone_inner(abut_directions_of(&s->rays), u->angle),
                         -abut_cone_beyond * u->angle);
}

/// Chooses a constraint of each cone from `from` on that has several. Returns 0 if every choice leaves nothing, and -1
/// if memory ran out.
static int choose_rest(cover_search *s, int from)
{
    const cone_union *u = s->of;
    while (from < u->count && (from == s->which || u->cones[from].constraints.count < 2)) {
        ++from;
    }
    if (from == u->count) {
        return 1;
    }
    int rest = 0;
    for (int k = 0; rest == 0 && k < u->cones[from].constraints.count; ++k) {
        if (!abut_directions_push(&s->constraints, abut_negate(u->cones[from].constraints.items[k]))) {
            return -1;
        }
        rest = has_rest(s);
        rest = rest > 0 ? choose_rest(s, from + 1) : rest; // at most as deep as COVER_CHOICES has bits
        --s->constraints.list.count;
    }
    return rest;
}

/// Whether the other cones cover a cone. Returns -1 if memory ran out.
static int is_covered(cover_search *s, int which)
{
    const cone_union *u = s->of;
    int choices = 1, is_done = 1;
    for (int i = 0; i < u->count; ++i) {
        choices *= i == which ? 1 : u->cones[i].constraints.count;
        if (choices > COVER_CHOICES) {
            return 0; // too many to try: the cone stays
        }
    }
    s->which = which;
    s->constraints.list.count = 0;
    for (int i = 0; is_done && i < u->cones[which].constraints.count; ++i) {
        is_done = abut_directions_push(&s->constraints, u->cones[which].constraints.items[i]);
    }
    for (int i = 0; is_done && i < u->count; ++i) {
        if (i != which && u->cones[i].constraints.count == 1) {
            is_done = abut_directions_push(&s->constraints, abut_negate(u->cones[i].constraints.items[0]));
        }
    }
    int rest = is_done ? has_rest(s) : -1;
    rest = rest > 0 ? choose_rest(s, 0) : rest;
    return rest < 0 ? -1 : !rest;
}

/// Drops cones that the others cover together. Returns 0 if memory ran out.
static int drop_covered(cone_union *u)
{
    cover_search s = {.of = u, .constraints = {.arena = u->arena}, .rays = {.arena = u->arena}};
    for (int i = u->count - 1; i >= 0 && u->count > 2; --i) {
        int is_needless = is_covered(&s, i);
        if (is_needless < 0) {
            return 0;
        }
        if (is_needless) {
            for (int k = i + 1; k < u->count; ++k) {
                u->cones[k - 1] = u->cones[k];
            }
            --u->count;
        }
    }
    return 1;
}

/// The normals of a clause in their order around their sum.
typedef struct normal_ring {
    const abut_vec3 *normals;
    double *angles;
    int *before, *after; ///< by normal: its neighbours
    int count;           ///< normals that are left
} normal_ring;

static int compare_angles(const void *user, int a, int b)
{
    const double *angles = user;
    return angles[a] < angles[b] ? -1 : angles[a] > angles[b] ? 1 : a - b;
}

/// Returns 0 if memory ran out.
static int make_ring(abut_arena *arena, abut_directions clause, normal_ring *ring)
{
    size_t count = (size_t)clause.count;
    ring->normals = clause.items;
    ring->count = clause.count;
    ring->angles = abut_arena_take(arena, count * sizeof *ring->angles);
    ring->before = abut_arena_take(arena, 2 * count * sizeof *ring->before);
    if (ring->angles == NULL || ring->before == NULL) {
        return 0;
    }
    ring->after = ring->before + count;
    abut_vec3 axis = abut_unit(abut_cone_sum(clause)), u = abut_any_perpendicular(axis), w = abut_cross(axis, u);
    for (int i = 0; i < clause.count; ++i) {
        abut_vec3 from_axis = abut_sub(clause.items[i], axis);
        ring->angles[i] = atan2(abut_dot(from_axis, w), abut_dot(from_axis, u));
    }
    const int *order = abut_arena_order(arena, clause.count, compare_angles, ring->angles);
    for (int i = 0; order != NULL && i < clause.count; ++i) {
        int next = order[i + 1 < clause.count ? i + 1 : 0];
        ring->after[order[i]] = next;
        ring->before[next] = order[i];
    }
    return order != NULL;
}

/// Whether a motion that the half-space of a normal allows is clearly against all other normals. It is, if it is
/// against the two neighbours: the normals are the edges of a convex cone.
static int is_alone(const normal_ring *ring, int which, double angle)
{
    abut_vec3 n = ring->normals[which], p = ring->normals[ring->before[which]],
              q = ring->normals[ring->after[which]];
    // the edges of the cone {v : n . v >= 0, p . v <= 0, q . v <= 0}
    abut_vec3 rays[3] = {abut_unit(abut_cross(n, p)), abut_unit(abut_cross(n, q)), abut_unit(abut_cross(p, q))};
    rays[0] = abut_dot(q, rays[0]) > 0.0 ? abut_negate(rays[0]) : rays[0];
    rays[1] = abut_dot(p, rays[1]) > 0.0 ? abut_negate(rays[1]) : rays[1];
    rays[2] = abut_dot(n, rays[2]) < 0.0 ? abut_negate(rays[2]) : rays[2];
    abut_directions edges = {rays, 3};
    abut_vec3 inner = abut_cone_inner(edges, angle);
    double beyond = abut_cone_beyond * angle;
    return abut_dot(p, inner) < -beyond && abut_dot(q, inner) < -beyond;
}

/// The half-spaces of a single clause, without those that the others cover. Returns 0 if memory ran out.
static int make_half_spaces(abut_arena *arena, double angle, abut_feasible *feasible)
{
    abut_directions clause = feasible->clauses[0];
    abut_directions *cones = abut_arena_take(arena, (size_t)clause.count * sizeof *cones);
    normal_ring ring;
    if (cones == NULL || !make_ring(arena, clause, &ring)) {
        return 0;
    }
    for (int i = clause.count - 1; i >= 0 && ring.count > 2; --i) {
        if (!is_alone(&ring, i, angle)) {
            ring.after[ring.before[i]] = ring.after[i];
            ring.before[ring.after[i]] = ring.before[i];
            ring.after[i] = -1;
            --ring.count;
        }
    }
    feasible->cone_count = 0;
    for (int i = 0; i < clause.count; ++i) {
        if (ring.after[i] >= 0) {
            cones[feasible->cone_count++] = (abut_directions){clause.items + i, 1};
        }
    }
    feasible->cones = cones;
    feasible->is_capped = 0;
    return 1;
}

int abut_feasible_cones(abut_arena *arena, double angle, abut_feasible *feasible)
{
    if (feasible->clause_count == 1) {
        return make_half_spaces(arena, angle, feasible);
    }
    cone_union u = {.arena = arena,
                    .angle = angle,
                    .constraints = {.arena = arena},
                    .rays = {.arena = arena},
                    .rays_left = {.arena = arena}};
    abut_arena_list spare = {0};
    if (!start_union(&u, feasible)) {
        return 0;
    }
    take_product(&u, &spare);
    for (int i = 0; i < feasible->clause_count; ++i) {
        if (feasible->clauses[i].count > 1) {
            if (!multiply(&u, feasible->clauses[i])) {
                return 0;
            }
            take_product(&u, &spare);
        }
    }
    abut_directions *kept = abut_arena_take(arena, (size_t)u.count * sizeof *kept);
    if (kept == NULL || !drop_covered(&u)) {
        return 0;
    }
    for (int i = 0; i < u.count; ++i) {
        kept[i] = u.cones[i].constraints;
    }
    feasible->cones = kept;
    feasible->cone_count = u.count;
    feasible->is_capped = u.is_capped;
    return 1;
}
