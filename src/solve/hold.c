// SPDX-License-Identifier: MIT
// hold.c: which contacts of infinite friction are held
#include "solve/hold.h"

#include "solve/part.h"

static int has_infinite_friction(const abut_system *system)
{
    for (int i = 0; i < system->contact_count; ++i) {
        if (!(system->rows[i].friction < HUGE_VAL)) {
            return 1;
        }
    }
    return 0;
}

// Impulses go from one contact to another through bodies that move alone: a group is an island, and contacts of bodies
// that do not move are the last group.
static int find_groups(abut_arena *arena, const abut_system *system, abut_hold_contact *contacts)
{
    size_t contact_count = (size_t)system->contact_count, bodies = (size_t)system->body_count + 1;
    abut_wide_pair *pairs = abut_arena_take(arena, contact_count * sizeof *pairs);
    int *islands = abut_arena_take(arena, contact_count * sizeof *islands);
    unsigned char *moves = abut_arena_take(arena, bodies);
    if (pairs == NULL || islands == NULL || moves == NULL) {
        return -1;
    }
    for (int i = 0; i <= system->body_count; ++i) {
        const abut_mover *mover = &system->movers[i];
        moves[i] = (unsigned char)abut_body_can_move(mover->inverse_mass, mover->inverse_inertia);
    }
    for (int i = 0; i < system->contact_count; ++i) {
        pairs[i].a = system->rows[i].a;
        pairs[i].b = system->rows[i].b;
    }
    int count = abut_islands_find(arena, pairs, system->contact_count, moves, system->body_count + 1, islands);
    for (int i = 0; i < system->contact_count && count >= 0; ++i) {
        contacts[i].group = islands[i] < 0 ? count : islands[i];
    }
    return count < 0 ? -1 : count + 1;
}

abut_status abut_holds_begin(abut_arena *arena, abut_system *system, abut_holds *holds)
{
    const abut_holds none = {.contacts = NULL};
    *holds = none;
    if (!has_infinite_friction(system)) {
        return ABUT_OK;
    }
    holds->contact_count = system->contact_count;
    holds->contacts = abut_arena_take(arena, (size_t)holds->contact_count * sizeof *holds->contacts);
    holds->group_count = holds->contacts != NULL ? find_groups(arena, system, holds->contacts) : -1;
    holds->groups =
        holds->group_count >= 0 ? abut_arena_take(arena, (size_t)holds->group_count * sizeof *holds->groups) : NULL;
    if (holds->groups == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < holds->group_count; ++i) {
        const abut_hold_group empty = {.scale = 0.0};
        holds->groups[i] = empty;
    }
    for (int i = 0; i < system->contact_count; ++i) {
        abut_row *row = &system->rows[i];
        abut_hold_contact *contact = &holds->contacts[i];
        contact->hold = row->friction < HUGE_VAL ? ABUT_HOLD_NEVER : ABUT_HOLD_FREE;
        row->friction = contact->hold == ABUT_HOLD_FREE ? 0.0 : row->friction;
        contact->response = abut_row_normal_response(row, system->movers);
        abut_holds_see(holds, i, row, system->movers, 0.0, 0.0);
        double *scale = &holds->groups[contact->group].scale;
        double slip = contact->hold == ABUT_HOLD_FREE ? contact->slip : 0.0;
        *scale = fmax(*scale, fmax(-contact->parting, slip));
    }
    return ABUT_OK;
}

void abut_holds_see(abut_holds *holds, int i, const abut_row *row, const abut_mover *movers, double normal,
                    double friction)
{
    abut_hold_contact *contact = &holds->contacts[i];
    abut_vec3 velocity = abut_row_slip(row, movers);
    double along = abut_dot(velocity, row->normal);
    abut_vec3 across = abut_add_scaled(velocity, -along, row->normal);
    contact->press = contact->response * normal;
    contact->friction = contact->response * friction;
    contact->parting = along - row->target;
    contact->slip = hypot(abut_norm(across), abut_row_spin(row, movers));
}

void abut_holds_set(abut_holds *holds, int i, abut_row *row, abut_hold hold)
{
    holds->contacts[i].hold = hold;
    row->friction = hold == ABUT_HOLD_HELD ? HUGE_VAL : 0.0;
}

int abut_holds_update(abut_holds *holds, abut_row *rows)
{
    for (int i = 0; i < holds->group_count; ++i) {
        holds->groups[i].fastest = -1;
        holds->groups[i].has_new = 0;
    }
    int has_changed = 0;
    for (int i = 0; i < holds->contact_count; ++i) {
        abut_hold_contact *contact = &holds->contacts[i];
        abut_hold_group *group = &holds->groups[contact->group];
        if (contact->hold == ABUT_HOLD_FREE && contact->press > group->least_press) {
            abut_holds_set(holds, i, &rows[i], ABUT_HOLD_HELD);
            group->has_new = 1;
            has_changed = 1;
        } else if (contact->hold == ABUT_HOLD_HELD &&
                   fmin(contact->parting, contact->friction) > group->least_parting &&
                   (group->fastest < 0 || contact->parting > holds->contacts[group->fastest].parting)) {
            group->fastest = i;
        }
    }
    for (int i = 0; i < holds->group_count; ++i) {
        const abut_hold_group *group = &holds->groups[i];
        if (group->fastest >= 0 && !group->has_new) {
            abut_holds_set(holds, group->fastest, &rows[group->fastest], ABUT_HOLD_LET_GO);
            has_changed = 1;
        }
    }
    return has_changed;
}

double abut_holds_miss(const abut_holds *holds)
{
    double largest = 0.0;
    for (int i = 0; i < holds->contact_count; ++i) {
        const abut_hold_contact *contact = &holds->contacts[i];
        if (contact->hold != ABUT_HOLD_NEVER) {
            double miss = fmax(fmin(contact->press, contact->slip), fmin(contact->friction, contact->parting));
            largest = miss > holds->groups[contact->group].least_parting ? fmax(largest, miss) : largest;
        }
    }
    return largest;
}
