// SPDX-License-Identifier: MIT
// motions.c: the motions that two touching solids allow each other, as clauses
//
// Two convex pieces A and B, spanned by rays r and s, are separated by the normals n with n . r <= 0 and n . s >= 0.
// These normals are a polyhedral cone, and v keeps the pieces apart if n . v >= 0 for one of the rays n that span it:
// a clause. For two solids, v must meet the clauses of all pairs of pieces.
#include "region/motions.h"

/// Whether two rays of a piece are in the plane of a half-space: a face may be in it too.
static int has_parallel_face(abut_directions rays, abut_vec3 normal, double angle)
{
    int count = 0;
    for (int i = 0; i < rays.count; ++i) {
        count += fabs(abut_dot(rays.items[i], normal)) <= 2.0 * angle;
    }
    return count > 1;
}

/// Appends directions, times a sign. Returns 0 if memory ran out.
static int push_all(abut_direction_list *to, abut_directions from, double sign)
{
    for (int i = 0; i < from.count; ++i) {
        if (!abut_directions_push(to, abut_scale(sign, from.items[i]))) {
            return 0;
        }
    }
    return 1;
}

/// The normal that separates two wedges, if it is without a doubt the only one: at right angles to both edges, with all
/// faces well beyond it. The rays that abut_cone_rays() finds are at right angles to both edges within the angle, so their
/// parts along the plane of the edges are at most 2 angle / sine. Those that are at right angles to a ray of a face as
/// well would then be nearer to it than the margin. Returns 0 if it cannot tell.
static int separate_wedges(const abut_piece *a, const abut_piece *b, double angle, abut_vec3 *normal)
{
    abut_vec3 cross = abut_cross(a->rays.items[ABUT_WEDGE_LINE + 1], b->rays.items[ABUT_WEDGE_LINE]);
    double squared = abut_norm_squared(cross), sine = sqrt(squared), margin = 2.5 * angle + 1e-9;
    if (margin > 0.5 * sine) {
        return 0;
    }
    abut_vec3 n = abut_scale(1.0 / sine, cross);
    n = abut_dot(n, a->rays.items[0]) > 0.0 ? abut_negate(n) : n;
    *normal = n;
    margin /= sine;
    return abut_dot(a->rays.items[0], n) < -margin && abut_dot(a->rays.items[1], n) < -margin &&
           abut_dot(b->rays.items[0], n) > margin && abut_dot(b->rays.items[1], n) > margin;
}

/// Unit normals that span all those that separate two convex pieces. If faces of both are parallel within the angle,
/// A's normal is taken, as for polygons. `scratch` is used again.
static int separating_normals(abut_direction_list *scratch, const abut_piece *a, const abut_piece *b, double angle,
                              abut_directions *normals)
{
    abut_vec3 only;
    if (a->is_wedge && b->is_wedge && separate_wedges(a, b, angle, &only)) {
        abut_direction_list one = {.arena = scratch->arena};
        int is_done = abut_directions_push(&one, only);
        *normals = abut_directions_of(&one);
        return is_done;
    }
    if (a->is_half_space || (b->is_half_space && !has_parallel_face(a->rays, b->normal, angle))) {
        // the normal of a half-space is the only one, if the other piece is on its outer side
        abut_direction_list one = {.arena = scratch->arena};
        int is_separate = a->is_half_space ? abut_cone_implies(b->rays, a->normal, angle)
                                           : abut_cone_implies(a->rays, b->normal, angle);
        int is_done =
            !is_separate || abut_directions_push(&one, a->is_half_space ? a->normal : abut_negate(b->normal));
        *normals = abut_directions_of(&one);
        return is_done;
    }
    scratch->list.count = 0;
    return push_all(scratch, a->rays, -1.0) && push_all(scratch, b->rays, 1.0) &&
           abut_cone_rays(scratch->arena, abut_directions_of(scratch), angle, normals);
}

int abut_feasible_motions(abut_arena *arena, abut_local_solid a, abut_local_solid b, double angle,
                          abut_feasible *feasible)
{
    abut_feasible found = {0};
    abut_direction_list scratch = {.arena = arena};
    abut_directions *clauses = abut_arena_take(arena, (size_t)a.count * (size_t)b.count * sizeof *clauses);
    if (clauses == NULL) {
        return 0;
    }
    for (int i = 0; i < a.count; ++i) {
        for (int k = 0; k < b.count; ++k) {
            abut_directions normals;
            if (!separating_normals(&scratch, &a.pieces[i], &b.pieces[k], angle, &normals)) {
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

int abut_feasible_at_face(abut_arena *arena, abut_vec3 normal, int is_beyond, abut_feasible *feasible)
{
    abut_feasible found = {.clause_count = is_beyond, .overlaps = !is_beyond};
    abut_direction_list normals = {.arena = arena};
    abut_directions *clause = abut_arena_take(arena, sizeof *clause);
    if (clause == NULL || !abut_directions_push(&normals, normal)) {
        return 0;
    }
    *clause = abut_directions_of(&normals);
    found.clauses = clause;
    *feasible = found;
    return 1;
}

/// Whether one of the constraints is a normal of the clause: then motions that meet the constraints meet the clause.
static int is_met_at_once(abut_directions clause, abut_directions constraints, double angle)
{
    for (int i = 0; i < clause.count; ++i) {
        for (int k = 0; k < constraints.count; ++k) {
            if (abut_norm_squared(abut_sub(clause.items[i], constraints.items[k])) <= angle * angle) {
                return 1;
            }
        }
    }
    return 0;
}

/// Whether a direction is clearly against all normals of a clause.
static int is_against(abut_directions clause, abut_vec3 direction, double angle)
{
    for (int i = 0; i < clause.count; ++i) {
        if (!(abut_dot(clause.items[i], direction) < -abut_cone_beyond * angle)) {
            return 0;
        }
    }
    return 1;
}

int abut_feasible_contains(abut_arena *arena, const abut_feasible *feasible, abut_directions constraints,
                           double angle)
{
    abut_direction_list both = {.arena = arena}, rays = {.arena = arena};
    for (int i = 0; i < feasible->clause_count; ++i) {
        // look for a motion that meets the constraints and no normal of the clause
        abut_directions clause = feasible->clauses[i];
        if (is_met_at_once(clause, constraints, angle)) {
            continue;
        }
        if (constraints.count == 0 && clause.count == 1) { // straight against it is allowed
            if (is_against(clause, abut_unit(abut_negate(clause.items[0])), angle)) {
                return 0;
            }
            continue;
        }
        both.list.count = 0;
        if (!push_all(&both, constraints, 1.0) || !push_all(&both, clause, -1.0) ||
            !abut_cone_find_rays(&rays, abut_directions_of(&both), angle)) {
            return -1;
        }
        if (is_against(clause, abut_cone_inner(abut_directions_of(&rays), angle), angle)) {
            return 0;
        }
    }
    return 1;
}
