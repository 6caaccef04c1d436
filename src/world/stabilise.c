// SPDX-License-Identifier: MIT
// stabilise.c: moves overlapping bodies apart
//
// Solves the problem of the step once more, with bodies at rest and contacts without friction, and uses its velocities
// for one step only. So the correction adds no speed, and contacts that contradict each other add no force.
//
// An overlap that counts as touching is left alone. Once a contact of an island overlaps by more, all contacts of the
// island are moved towards half of that, so that it takes some steps until the next time. Contacts that overlap by
// less, or are apart, may approach each other up to there. Otherwise a small correction in a wall would push whole
// courses, without friction, and the wall would spread.
#include "world/world.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "solve/prox.h"

#include <stdatomic.h>

/// Of the smaller body: a smaller overlap counts as touching, as in a query.
static const double touching_depth = 1e-6;
/// Of that: where contacts are moved to, and the accuracy of the motion.
static const double target_share = 0.5, accuracy_share = 0.25;

/// Of its size: how far a body is moved in a step at most, beyond what its turning needs. A deep overlap is undone slowly: a
/// body that jumps is worse than one that overlaps.
static const double largest_move = 5e-4;

/// How often the problem is solved if steps are swept: bodies that turn sink by the square of their motion, and the correction
/// turns them, too.
enum { PASSES = 3 };

/// What is left of an overlap is left to the next step, which starts from the impulses of this one, so a part of the
/// iterations of the solver is enough.
enum { ITERATION_PART = 6 };

static double touching_of(const abut_world *world, const abut_solve_contact *c)
{
    return touching_depth * fmin(world->bodies[c->body_a].size, world->bodies[c->body_b].size);
}

/// After the first pass, only what sinks is corrected.
static int is_too_deep(const abut_world *world, const abut_solve_contact *c, int pass)
{
    double least = touching_of(world, c), sinking = c->correction * world->span;
    return (pass == 0 && sinking - c->gap > fmax(least, world->def.stabilisation.slop)) ||
           sinking > (pass == 0 ? 0.5 : 0.25) * least;
}

/// The speed at which the bodies of a contact separate there.
static double normal_speed_of(const abut_world *world, const abut_solve_contact *c)
{
    const abut_body_motion *a = &world->bodies[c->body_a].motion, *b = &world->bodies[c->body_b].motion;
    abut_vec3 speed_a = abut_add(a->linear_velocity, abut_cross(a->angular_velocity, c->arm_a));
    abut_vec3 speed_b = abut_add(b->linear_velocity, abut_cross(b->angular_velocity, c->arm_b));
    return abut_dot(c->normal, abut_sub(speed_b, speed_a));
}

/// How far a contact overlaps after a time since its points move on arcs: less may have been left to them, see
/// abut_world_solve(). If the solver has no answer, all of the overlap that it leaves.
static double sinking_of(const abut_world *world, const abut_solve_contact *c, double rise, double time)
{
    double bend = abut_dot(c->normal, abut_world_bend(world, c, time));
    double way = time * normal_speed_of(world, c) + bend, overlap = -(fmax(c->gap, 0.0) + way);
    return world->report.outcome == ABUT_SOLVE_CONVERGED ? fmin(time * rise - bend, overlap) : overlap;
}

/// The gap of a contact that its motion leaves; an overlap is not changed.
static double left_of(const abut_world *world, const abut_solve_contact *c)
{
    double time = world->horizon, bend = abut_dot(c->normal, abut_world_bend(world, c, time));
    double way = time * normal_speed_of(world, c) + bend;
    return fmin(c->gap, fmax(0.0, c->gap + way));
}

/// Finds the speed that contacts need so that they do not overlap at the end of the step, nor when they are found again. The
/// solver takes points to move along straight lines, and those of a body that turns do not.
static void find_sinking(abut_world *world)
{
    for (int i = 0; i < world->awake_contact_count; ++i) {
        abut_solve_contact *c = &world->solve_contacts[i];
        double rise = world->rises[i], sinking = fmax(0.0, sinking_of(world, c, rise, world->horizon));
        if (rise > 0.0) { // else it sinks the more the later
            sinking = fmax(sinking, sinking_of(world, c, rise, world->paths.after));
        }
        c->correction = sinking / world->span;
        world->corrections[i] = left_of(world, c);
    }
}

typedef struct overlap_search {
    const abut_world *world;
    int pass;
} overlap_search;

static int is_overlap(const void *data, int contact)
{
    const overlap_search *s = data;
    return is_too_deep(s->world, &s->world->solve_contacts[contact], s->pass);
}

/// Finds the islands: `parents` gets the root of each body. Marks those at the root of islands with an overlap. Returns 0
/// if there are none.
static int mark_islands(abut_world *world, int pass)
{
    int *parents = world->parents;
    const overlap_search search = {world, pass};
    int count = world->awake_contact_count;
    if (abut_first_element(&world->context, count, is_overlap, &search) == count) {
        return 0;
    }
    for (int i = 0; i < world->body_count; ++i) {
        parents[i] = i;
        world->is_marked[i] = 0;
    }
    for (int i = 0; i < world->awake_contact_count; ++i) {
        const abut_solve_contact *c = &world->solve_contacts[i];
        abut_world_join(world, c->body_a, c->body_b);
    }
    for (int i = 0; i < world->body_count; ++i) {
        parents[i] = abut_world_root(world, i);
    }
    for (int i = 0; i < world->awake_contact_count; ++i) {
        const abut_solve_contact *c = &world->solve_contacts[i];
        if (is_too_deep(world, c, pass)) {
            world->is_marked[parents[abut_world_free_body(world, c->body_a, c->body_b)]] = 1;
        }
    }
    return 1;
}

/// The speed at which a contact with this gap must part, or at most approach if it is negative.
static double correction_of(const abut_world *world, const abut_solve_contact *c, double gap, int pass)
{
    const abut_stabilisation *s = &world->def.stabilisation;
    double excess = -gap - fmax(s->slop, target_share * touching_of(world, c));
    // of a part of a step, in proportion: all parts together take no more than a whole step does
    double share = pass == 0 ? s->share / world->def.dt : 0.0;
    double speed = excess > 0.0 ? fmin(s->speed_limit, share * excess) : excess / world->span;
    return c->correction > 0.0 ? fmax(speed, 0.0) + c->correction : speed;
}

typedef struct correcting {
    abut_world *world;
    int pass;
    _Atomic double least; ///< of all contacts: the overlap that still counts as touching
} correcting;

static void correct_contacts(void *data, int begin, int end, int worker)
{
    correcting *work = data;
    const abut_world *world = work->world;
    double least = HUGE_VAL;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const abut_solve_contact *c = &world->solve_contacts[i];
        double gap = abut_world_is_swept(world) ? world->corrections[i] : c->gap;
        world->corrections[i] = ABUT_PROX_OPEN;
        if (world->is_marked[world->parents[abut_world_free_body(world, c->body_a, c->body_b)]]) {
            world->corrections[i] = correction_of(world, c, gap, work->pass);
            least = fmin(least, touching_of(world, c));
        }
    }
    double known = atomic_load(&work->least);
    while (least < known && !atomic_compare_exchange_weak(&work->least, &known, least)) {
    }
}

/// Finds the corrections of the marked islands, and lets their bodies rest. Returns the accuracy that the speeds need.
static double find_corrections(abut_world *world, int pass)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    correcting work = {.world = world, .pass = pass, .least = HUGE_VAL};
    abut_world_spread(world, world->awake_contact_count, correct_contacts, &work);
    for (int i = 0; i < world->body_count; ++i) {
        world->solve_bodies[i].velocity.linear = world->solve_bodies[i].velocity.angular = zero;
    }
    return accuracy_share * world->def.stabilisation.share * atomic_load(&work.least) / world->span;
}

static int make_room(abut_world *world)
{
    const abut_context *context = &world->context;
    return abut_grow(context, &world->is_marked, &world->marked_capacity, world->body_count, 1) &&
           abut_grow(context, &world->paths.shares, &world->paths.share_capacity, 3 * world->body_count,
                     sizeof *world->paths.shares) &&
           abut_grow(context, &world->corrections, &world->correction_capacity, world->awake_contact_count,
                     sizeof *world->corrections);
}

/// Solves the problem of the step again, for the corrections.
static abut_status solve_again(abut_world *world, int pass, abut_solve_result *result, abut_error *error)
{
    abut_prox_params params = world->prox;
    double accuracy = find_corrections(world, pass);
    if (world->def.solver != ABUT_SOLVER_PROX && pass == 0) { // the first solution is another solver's
        abut_solve_problem problem = abut_solve_problem_default();
        problem.bodies = world->solve_bodies;
        problem.body_count = world->body_count;
        problem.contacts = world->solve_contacts;
        problem.contact_count = world->awake_contact_count;
        params.iteration_limit = 0;
        abut_status status = abut_solve_prox(world->solver, &problem, &params, result, error);
        if (status != ABUT_OK) {
            return status;
        }
    }
    params.absolute_tolerance = fmax(params.absolute_tolerance, accuracy);
    params.iteration_limit = world->prox.iteration_limit / ITERATION_PART + 1;
    params.start = pass == 0 ? world->pushes : NULL;
    return abut_prox_repeat(world->solver, world->corrections, &params, result, error);
}

/// Finds by which share of its way an island may move so that no body is moved too far.
static void find_shares(abut_world *world)
{
    int count = world->body_count;
    double *shares = world->paths.shares, *turns = shares + count; // of islands, at their roots
    double span = world->span, most = largest_move * span / world->def.dt;
    for (int i = 0; i < count; ++i) {
        shares[i] = 1.0;
        turns[i] = 0.0; // how far turning needs bodies to move
    }
    for (int i = 0; i < world->awake_contact_count; ++i) {
        const abut_solve_contact *c = &world->solve_contacts[i];
        int root = world->parents[abut_world_free_body(world, c->body_a, c->body_b)];
        turns[root] = fmax(turns[root], c->correction * span);
    }
    for (int i = 0; i < count; ++i) {
        const abut_solve_velocity *v = &world->velocities[i];
        int root = world->parents[i];
        double moved = span * (abut_norm(v->linear) + world->bodies[i].reach * abut_norm(v->angular));
        double allowed = most * world->bodies[i].size + turns[root];
        shares[root] = moved > allowed ? fmin(shares[root], allowed / moved) : shares[root];
    }
}

/// Makes the moves of each island shorter, all by its share.
static void shorten_moves(abut_world *world)
{
    for (int i = 0; i < world->body_count; ++i) {
        abut_solve_velocity *v = &world->velocities[i];
        double share = world->paths.shares[world->parents[i]];
        v->linear = abut_scale(share, v->linear);
        v->angular = abut_scale(share, v->angular);
    }
}

static void displace_bodies(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const abut_solve_velocity *v = &world->velocities[i];
        if (!world->bodies[i].is_fixed && abut_norm_squared(v->linear) + abut_norm_squared(v->angular) > 0.0) {
            abut_body_displace(&world->bodies[i], *v, world->span);
        }
    }
}

/// An arm after its body was displaced; `moved` gets how far its end has moved.
static abut_vec3 displaced_arm(const abut_world *world, int body, abut_vec3 arm, abut_vec3 *moved)
{
    const abut_solve_velocity *v = &world->velocities[body];
    double rate = abut_norm(v->angular);
    abut_vec3 turned = arm;
    if (rate > 0.0) {
        turned = abut_quat_rotate(abut_quat_from_axis(abut_scale(1.0 / rate, v->angular), rate * world->span), arm);
    }
    *moved = abut_add_scaled(abut_sub(turned, arm), world->span, v->linear);
    return turned;
}

/// Moves the contacts with the bodies.
static void displace_contacts(abut_world *world)
{
    for (int i = 0; i < world->awake_contact_count; ++i) {
        abut_solve_contact *c = &world->solve_contacts[i];
        abut_vec3 moved_a, moved_b;
        c->arm_a = displaced_arm(world, c->body_a, c->arm_a, &moved_a);
        c->arm_b = displaced_arm(world, c->body_b, c->arm_b, &moved_b);
        c->gap += abut_dot(c->normal, abut_sub(moved_b, moved_a));
    }
}

static abut_status stabilise_once(abut_world *world, int pass, abut_error *error)
{
    abut_solve_result result = {.velocities = world->velocities, .impulses = pass == 0 ? world->pushes : NULL};
    abut_error reason = {.element = -1};
    if (solve_again(world, pass, &result, &reason) != ABUT_OK) {
        return abut_world_name_step(world, &reason, error);
    }
    world->report.stabilisation_iterations += result.iterations;
    if (result.outcome == ABUT_SOLVE_DIVERGED) {
        return abut_fail(error, ABUT_LIMIT, "step %lld: the stabilisation diverged", (long long)world->step + 1);
    }
    if (abut_world_is_swept(world)) {
        find_shares(world);
        shorten_moves(world);
        for (int i = 0; i < world->body_count; ++i) {
            world->paths.shares[i] = 1.0;
        }
        if (abut_world_sweep_pushes(world) != ABUT_OK) {
            return abut_fail(error, ABUT_NO_MEMORY, "no memory for paths of bodies");
        }
        shorten_moves(world);
    }
    abut_world_spread(world, world->body_count, displace_bodies, world);
    return ABUT_OK;
}

abut_status abut_world_stabilise(abut_world *world, abut_error *error)
{
    if (!world->def.stabilisation.is_on) {
        return ABUT_OK;
    }
    abut_world_tell(world, ABUT_PHASE_STABILISE);
    if (!make_room(world)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to move overlapping bodies apart");
    }
    abut_status status = ABUT_OK;
    int is_swept = abut_world_is_swept(world);
    for (int pass = 0; pass < (is_swept ? PASSES : 1) && status == ABUT_OK; ++pass) {
        if (is_swept) {
            find_sinking(world);
        }
        if (!mark_islands(world, pass)) {
            world->has_pushes = world->has_pushes && pass > 0; // there are none
            break;
        }
        status = stabilise_once(world, pass, error);
        if (is_swept && status == ABUT_OK) {
            displace_contacts(world);
        }
    }
    return status;
}
