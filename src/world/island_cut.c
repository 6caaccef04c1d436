// SPDX-License-Identifier: MIT
// island_cut.c: finds the islands of a step that is cut, and runs each as a part of the world
#include "world/island_cut.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "prim/compare.h"

// ---------------------------------------------------------------------------------------------------------------
// The part

/// Lets the part use what belongs to the whole world.
static void share(abut_world *world, abut_world *part)
{
    part->context = world->context;
    part->def = world->def;
    part->params = world->params;
    part->prox = world->prox;
    part->mcp = world->mcp;
    part->step = world->step;
    part->materials = world->materials;
    part->laws = world->laws;
    part->material_count = world->material_count;
    part->choices = world->choices;
    part->choice_count = world->choice_count;
    part->absolute_margin = world->absolute_margin;
    part->relative_margin = world->relative_margin;
    part->detectors = world->detectors;
    part->detector_count = world->detector_count;
    part->solver = world->solver;
    part->known_contacts = world->known_contacts;
    part->known_regions = world->known_regions;
    part->spare = world->spare;
    part->spare_count = world->spare_count;
    part->spare_capacity = world->spare_capacity;
    part->whole = world;
}

/// Gives back what changed of that.
static void give_back(abut_world *world, abut_world *part)
{
    abut_world_drop_pairs(part);
    world->spare = part->spare;
    world->spare_count = part->spare_count;
    world->spare_capacity = part->spare_capacity;
}

static abut_status create(abut_world *world)
{
    abut_island_cut *cut = abut_allocate_zeroed(&world->context, 1, sizeof *cut);
    world->cut = cut;
    if (cut == NULL) {
        return ABUT_NO_MEMORY;
    }
    abut_broad_init(&cut->part.broad, &world->context);
    abut_broad_init(&cut->part.paths.broad, &world->context);
    return ABUT_OK;
}

void abut_island_cut_destroy(abut_world *world)
{
    abut_island_cut *cut = world->cut;
    if (cut == NULL) {
        return;
    }
    abut_world *part = &cut->part;
    part->context = world->context;
    abut_region_list_release(&world->context, &part->regions);
    abut_region_list_release(&world->context, &cut->regions);
    abut_region_list_release(&world->context, &cut->results.regions);
    abut_broad_release(&part->broad);
    abut_world_release_paths(part);
    void *const blocks[] = {part->bodies,
                            part->boxes,
                            part->poses,
                            part->is_passive,
                            part->pairs,
                            part->known_pairs,
                            part->answers,
                            part->contacts,
                            part->changes,
                            part->solve_bodies,
                            part->impulses,
                            part->solve_contacts,
                            part->last_contacts,
                            part->last_impulses,
                            part->pushes,
                            part->last_pushes,
                            part->velocities,
                            part->history,
                            part->awake_contacts,
                            part->parents,
                            part->is_marked,
                            part->corrections,
                            part->rises,
                            part->impact_contacts,
                            cut->runs,
                            cut->places,
                            cut->boxes,
                            cut->is_bent,
                            cut->is_close,
                            cut->times,
                            cut->works,
                            cut->results.pairs,
                            cut->results.contacts,
                            cut->results.changes,
                            cut->results.solve_contacts,
                            cut->results.impulses,
                            cut->order,
                            cut->scratch,
                            cut->pairs,
                            cut->contacts,
                            cut->changes,
                            cut->solve_contacts,
                            cut->impulses,
                            cut};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(&world->context, blocks[i]);
    }
}

/// The motion of a body that does not take part: from where it was to where it is after the step, along a straight line.
static abut_body_motion straight_motion(const abut_body_motion *begin, const abut_body_motion *end, double time)
{
    abut_body_motion m = *begin;
    abut_quat turn = abut_quat_multiply(end->rotation, abut_quat_conjugate(begin->rotation));
    double sign = turn.w < 0.0 ? -1.0 : 1.0;
    abut_vec3 axis = {sign * turn.x, sign * turn.y, sign * turn.z};
    double sine = abut_norm(axis), angle = 2.0 * atan2(sine, fabs(turn.w));
    if (sine > 0.0) { // and as many full turns as the body makes
        const double full = 2.0 * acos(-1.0);
        double turned = time * abut_dot(begin->angular_velocity, abut_scale(1.0 / sine, axis));
        angle += full * round((turned - angle) / full);
    }
    m.linear_velocity = abut_scale(1.0 / time, abut_sub(end->center, begin->center));
    m.angular_velocity = sine > 0.0 ? abut_scale(angle / (sine * time), axis) : abut_vec3_make(0.0, 0.0, 0.0);
    m.angular_momentum = abut_vec3_make(0.0, 0.0, 0.0);
    m.island = 0;
    return m;
}

static int is_member(const abut_world *world, int index, int root)
{
    return !world->bodies[index].is_fixed && abut_world_root(world, index) == root;
}

/// Adds a body of the world to the part, where it was at the beginning of the step.
static void add_body(abut_world *world, int index, int takes_part)
{
    abut_world *part = &world->cut->part;
    abut_body *body = &part->bodies[part->body_count];
    *body = world->bodies[index];
    body->motion = world->paths.begin[index];
    body->is_obstacle = !takes_part && !body->is_fixed;
    if (takes_part) {
        body->motion.island = 0;
    } else if (body->is_obstacle) {
        body->motion = straight_motion(&body->motion, &world->bodies[index].motion, world->def.dt);
        body->is_fixed = 1;
    }
    world->cut->places[index] = part->body_count++;
}

static abut_body_pair placed(const abut_island_cut *cut, abut_body_pair bodies)
{
    return (abut_body_pair){cut->places[bodies.a], cut->places[bodies.b]};
}

/// Makes the part of the island of a root, with all that is in the box or was near at the last step.
static abut_status make_part(abut_world *world, int root, const abut_box *box)
{
    abut_island_cut *cut = world->cut;
    abut_world *part = &cut->part;
    const abut_context *context = &world->context;
    share(world, part);
    part->body_count = part->known_pair_count = part->last_contact_count = 0;
    for (int i = 0; i < world->body_count; ++i) {
        cut->is_close[i] = 0;
    }
    for (int i = 0; i < world->known_pair_count; ++i) {
        abut_body_pair bodies = world->known_pairs[i].bodies;
        if (is_member(world, bodies.a, root) || is_member(world, bodies.b, root)) {
            cut->is_close[bodies.a] = cut->is_close[bodies.b] = 1;
        }
    }
    int count = 0;
    for (int i = 0; i < world->body_count; ++i) {
        int is_near = is_member(world, i, root) || cut->is_close[i] || abut_boxes_overlap(cut->boxes[i], *box);
        cut->places[i] = is_near ? count++ : -1;
    }
    if (!abut_grow(context, &part->bodies, &part->body_capacity, count, sizeof *part->bodies) ||
        !abut_grow(context, &part->known_pairs, &part->known_pair_capacity, world->known_pair_count,
                   sizeof *part->known_pairs) ||
        !abut_grow(context, &part->last_contacts, &part->last_contact_capacity, world->awake_contact_count,
                   sizeof *part->last_contacts) ||
        !abut_grow(context, &part->last_impulses, &part->last_impulse_capacity, world->awake_contact_count,
                   sizeof *part->last_impulses)) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < world->body_count; ++i) {
        if (cut->places[i] >= 0) {
            add_body(world, i, is_member(world, i, root));
        }
    }
    for (int i = 0; i < world->known_pair_count; ++i) {
        abut_pair_state known = world->known_pairs[i];
        if (is_member(world, known.bodies.a, root) || is_member(world, known.bodies.b, root)) {
            known.bodies = placed(cut, known.bodies);
            part->known_pairs[part->known_pair_count++] = known;
        }
    }
    for (int i = 0; i < world->awake_contact_count; ++i) {
        abut_solve_contact c = world->solve_contacts[i];
        if ((is_member(world, c.body_a, root) || is_member(world, c.body_b, root)) && cut->places[c.body_a] >= 0 &&
            cut->places[c.body_b] >= 0) {
            c.body_a = cut->places[c.body_a];
            c.body_b = cut->places[c.body_b];
            part->last_contacts[part->last_contact_count] = c;
            part->last_impulses[part->last_contact_count++] = world->impulses[i];
        }
    }
    part->last_span = world->span;
    part->push_span = 0.0;
    return abut_world_grow_paths(part);
}

// ---------------------------------------------------------------------------------------------------------------
// Islands

/// Joins two islands, with the work that was done for them.
static void join(abut_world *world, int a, int b)
{
    int root_a = abut_world_root(world, a), root_b = abut_world_root(world, b);
    double *works = world->cut->works, work = works[root_a] + works[root_b];
    abut_world_join(world, a, b);
    int root = abut_world_root(world, a);
    if (root_a != root_b && root == abut_world_root(world, b)) {
        works[root] = work;
    }
}

/// Joins the island of a body that sleeps, or of another one, to a body.
static void join_island(abut_world *world, int body, int other)
{
    int island = world->bodies[other].motion.island;
    abut_world_wake_body(world, other);
    join(world, body, other);
    for (int i = 0; i < world->body_count && island > 0; ++i) { // which had no contacts in this step
        if (world->kept[i].island == island) {
            join(world, body, i);
        }
    }
}

/// Finds islands by the contacts that act and the hits, and the time of the first hit of each.
static void find_islands(abut_world *world)
{
    const abut_paths *p = &world->paths;
    abut_island_cut *cut = world->cut;
    for (int i = 0; i < world->body_count; ++i) {
        world->parents[i] = i;
        cut->times[i] = HUGE_VAL;
        cut->works[i] = 0.0;
        cut->runs[i] = 0;
        cut->boxes[i] = p->boxes[i];
        cut->is_bent[i] = 0;
    }
    for (int i = 0; i < world->awake_contact_count; ++i) {
        const abut_solve_contact *c = &world->solve_contacts[i];
        if (world->impulses[i].normal > 0.0) {
            abut_world_join(world, c->body_a, c->body_b);
        }
    }
    for (int i = 0; i < p->hit_count; ++i) {
        const abut_path_hit *hit = &p->hits[i];
        if (hit->time < HUGE_VAL) {
            abut_body_pair bodies = hit->bodies;
            int free = abut_world_free_body(world, bodies.a, bodies.b);
            join_island(world, free, bodies.a == free ? bodies.b : bodies.a);
            cut->times[free] = fmin(cut->times[free], hit->time);
        }
    }
    for (int i = 0; i < world->body_count; ++i) {
        int root = abut_world_root(world, i);
        cut->times[root] = fmin(cut->times[root], cut->times[i]);
    }
}

/// A box that holds all that an island may meet, unless it gets faster.
static abut_box box_of_island(const abut_world *world, int root, double factor)
{
    abut_box box = abut_box_empty();
    double way = 0.0;
    for (int i = 0; i < world->body_count; ++i) {
        if (is_member(world, i, root)) {
            const abut_body *body = &world->bodies[i];
            double speed = fmax(abut_norm(world->paths.begin[i].linear_velocity),
                                abut_norm(world->paths.middle[i].linear_velocity));
            way = fmax(way, body->size + world->def.dt * (speed + world->def.dt * abut_norm(world->def.gravity)));
            box = abut_box_union(box, world->cut->boxes[i]);
        }
    }
    abut_vec3 by = {factor * way, factor * way, factor * way};
    return (abut_box){abut_sub(box.lower, by), abut_add(box.upper, by)};
}

/// Takes the motion of the island from the part.
static void take_motion(abut_world *world)
{
    abut_island_cut *cut = world->cut;
    const abut_world *part = &cut->part;
    for (int i = 0; i < part->body_count; ++i) {
        const abut_body *body = &part->bodies[i];
        if (!body->is_fixed) {
            world->bodies[body->number].motion = body->motion;
            world->poses[body->number] = part->poses[i];
            cut->runs[body->number] = cut->run_count;
            cut->boxes[body->number] = part->paths.traces[i];
            cut->is_bent[body->number] = 1;
        }
    }
}

/// Joins an obstacle to the island of a body, with all others that push it: each on its own would cost a run.
static void join_obstacles(abut_world *world, int body, int obstacle)
{
    const abut_world *part = &world->cut->part;
    join_island(world, body, obstacle);
    for (int i = 0; i < part->awake_contact_count; ++i) {
        const abut_solve_contact *c = &part->solve_contacts[i];
        const abut_body *a = &part->bodies[c->body_a], *b = &part->bodies[c->body_b];
        if (part->impulses[i].normal > 0.0 && (a->is_obstacle || b->is_obstacle)) {
            join_island(world, body, a->is_obstacle ? a->number : b->number);
        }
    }
}

/// Runs the island of a root, joined with the islands of all bodies that it runs into.
static abut_status run_island(abut_world *world, int body, abut_error *error)
{
    abut_island_cut *cut = world->cut;
    double factor = 1.0;
    for (;;) {
        int root = abut_world_root(world, body), obstacle = ABUT_CUT_DONE;
        abut_box box = box_of_island(world, root, factor);
        if (make_part(world, root, &box) != ABUT_OK) {
            give_back(world, &cut->part);
            return abut_fail(error, ABUT_NO_MEMORY, "no memory for an island");
        }
        cut->work = cut->works[root];
        abut_status status = abut_world_run_part(&cut->part, cut->times[root], &box, &obstacle, error);
        cut->works[root] = cut->work;
        if (status == ABUT_OK && obstacle == ABUT_CUT_DONE) {
            ++cut->run_count;
            take_motion(world);
            const abut_world_report *report = &cut->part.report;
            cut->report.cut_count += report->cut_count;
            cut->report.impact_count += report->impact_count;
            cut->report.held_count += report->held_count;
            cut->report.lost_time = fmax(cut->report.lost_time, report->lost_time);
            if (report->outcome != ABUT_SOLVE_CONVERGED) {
                cut->report.outcome = report->outcome;
            }
            cut->report.residual = fmax(cut->report.residual, report->residual);
            status = abut_island_cut_keep(world) == ABUT_OK
                         ? ABUT_OK
                         : abut_fail(error, ABUT_NO_MEMORY, "no memory for an island");
            give_back(world, &cut->part);
            return status;
        }
        give_back(world, &cut->part);
        if (status != ABUT_OK) {
            return status;
        }
        if (obstacle == ABUT_CUT_TOO_FAR) {
            factor *= 8.0;
        } else {
            join_obstacles(world, body, obstacle);
            root = abut_world_root(world, body);
            for (int i = 0; i < world->body_count; ++i) {
                cut->times[root] =
                    abut_world_root(world, i) == root ? fmin(cut->times[root], cut->times[i]) : cut->times[root];
            }
        }
    }
}

static int make_room(abut_world *world)
{
    abut_island_cut *cut = world->cut;
    const abut_context *context = &world->context;
    int count = world->body_count;
    return abut_grow(context, &cut->runs, &cut->run_capacity, count, sizeof *cut->runs) &&
           abut_grow(context, &cut->places, &cut->place_capacity, count, sizeof *cut->places) &&
           abut_grow(context, &cut->boxes, &cut->box_capacity, count, sizeof *cut->boxes) &&
           abut_grow(context, &cut->is_bent, &cut->bent_capacity, count, 1) &&
           abut_grow(context, &cut->is_close, &cut->close_capacity, count, 1) &&
           abut_grow(context, &cut->times, &cut->time_capacity, count, sizeof *cut->times) &&
           abut_grow(context, &cut->works, &cut->work_capacity, count, sizeof *cut->works);
}

abut_status abut_world_cut_islands(abut_world *world, abut_error *error)
{
    if ((world->cut == NULL && create(world) != ABUT_OK) || !make_room(world)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for islands");
    }
    abut_island_cut *cut = world->cut;
    cut->run_count = 0;
    cut->report = (abut_world_report){.outcome = world->report.outcome, .residual = world->report.residual};
    cut->stats = (abut_stats){0};
    abut_cut_results *r = &cut->results;
    r->pair_count = r->contact_count = r->change_count = r->solve_count = 0;
    r->regions.counts = (abut_region_counts){0};
    find_islands(world);
    abut_status status = ABUT_OK;
    for (int i = 0; i < world->body_count && status == ABUT_OK; ++i) {
        if (!world->bodies[i].is_fixed && cut->runs[i] == 0 && abut_world_root(world, i) == i &&
            cut->times[i] < HUGE_VAL) {
            status = run_island(world, i, error);
        }
    }
    if (status == ABUT_OK && abut_island_cut_merge(world) != ABUT_OK) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory for contacts of islands");
    }
    if (status != ABUT_OK) {
        abut_island_cut_drop(world);
    }
    return status;
}
