// SPDX-License-Identifier: MIT
// hold.c: which contacts of infinite friction are held
#include "solve/hold.h"

static int has_infinite_friction(const abut_system *system)
{
    for (int i = 0; i < system->contact_count; ++i) {
        if (!(system->rows[i].friction < HUGE_VAL)) {
            return 1;
        }
    }
    return 0;
}

static int can_move(const abut_mover *mover)
{
    abut_mat3 m = mover->inverse_inertia;
    return mover->inverse_mass > 0.0 || m.x.x > 0.0 || m.y.y > 0.0 || m.z.z > 0.0;
}

static int find_root(int *parents, int i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

// Impulses go from one contact to another through bodies that move alone.
static void find_groups(abut_holds *holds, const abut_system *system, int *parents)
{
    for (int i = 0; i <= system->body_count; ++i) {
        parents[i] = i;
    }
    for (int i = 0; i < system->contact_count; ++i) {
        const abut_row *row = &system->rows[i];
        if (can_move(&system->movers[row->a]) && can_move(&system->movers[row->b])) {
            int a = find_root(parents, row->a), b = find_root(parents, row->b);
            parents[a > b ? a : b] = a < b ? a : b;
        }
    }
    for (int i = 0; i < system->contact_count; ++i) {
        const abut_row *row = &system->rows[i];
        int body = can_move(&system->movers[row->a]) ? row->a : row->b;
        holds->contacts[i].group = find_root(parents, body);
    }
}

abut_status abut_holds_begin(abut_arena *arena, abut_system *system, abut_holds *holds)
{
    const abut_holds none = {.contacts = NULL};
    *holds = none;
    if (!has_infinite_friction(system)) {
        return ABUT_OK;
    }
    holds->contact_count = system->contact_count;
    holds->group_count = system->body_count + 1;
    size_t groups = (size_t)holds->group_count;
    int *parents = abut_arena_take(arena, groups * sizeof *parents);
    holds->groups = abut_arena_take(arena, groups * sizeof *holds->groups);
    holds->contacts = abut_arena_take(arena, (size_t)holds->contact_count * sizeof *holds->contacts);
    if (parents == NULL || holds->groups == NULL || holds->contacts == NULL) {
        return ABUT_NO_MEMORY;
    }
    find_groups(holds, system, parents);
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
    abut_vec3 velocity = abut_row_velocity(row, movers);
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
