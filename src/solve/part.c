// SPDX-License-Identifier: MIT
// part.c: parts of a problem that do not touch each other
#include "solve/part.h"

#include "base/context.h"

#include <string.h>

// Islands are put together up to this number of contacts: enough to fill the lanes of two batches of wide.h with
// short stacks, and few enough for the cache of a processor.
enum { PART_CONTACTS = 512 };

int abut_body_can_move(double inverse_mass, abut_mat3 m)
{
    return inverse_mass > 0.0 || m.x.x > 0.0 || m.y.y > 0.0 || m.z.z > 0.0;
}

static int find_root(int *parents, int i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

int abut_islands_find(abut_arena *arena, const abut_wide_pair *pairs, int contact_count, const unsigned char *moves,
                      int body_count, int *islands)
{
    int *parents = abut_arena_take(arena, (size_t)body_count * sizeof *parents);
    int *numbers = abut_arena_take(arena, (size_t)body_count * sizeof *numbers);
    if (parents == NULL || numbers == NULL) {
        return -1;
    }
    for (int i = 0; i < body_count; ++i) {
        parents[i] = i;
        numbers[i] = -1;
    }
    for (int i = 0; i < contact_count; ++i) {
        if (moves[pairs[i].a] && moves[pairs[i].b]) {
            int a = find_root(parents, pairs[i].a), b = find_root(parents, pairs[i].b);
            parents[a > b ? a : b] = a < b ? a : b;
        }
    }
    int count = 0;
    for (int i = 0; i < contact_count; ++i) {
        int body = moves[pairs[i].a] ? pairs[i].a : pairs[i].b;
        islands[i] = -1;
        if (moves[body]) {
            int root = find_root(parents, body);
            numbers[root] = numbers[root] < 0 ? count++ : numbers[root];
            islands[i] = numbers[root];
        }
    }
    return count;
}

typedef struct finder {
    int body_count, contact_count;
    abut_wide_pair *pairs;     ///< in the problem, then in the parts
    unsigned char *moves;      ///< each body, and the world
    unsigned char *is_special; ///< of each contact: it has torsion or infinite friction
    int *islands;              ///< of each contact
    int *part_of_island;
    int *contacts;            ///< by parts
    abut_wide_pair *local;    ///< by parts
    int *bodies;              ///< by parts
    unsigned char *is_moving; ///< by parts
    int *stamps, *numbers;    ///< of each body: the last part that it was in, and its number there
} finder;

static int take_memory(abut_arena *arena, finder *f)
{
    size_t bodies = (size_t)f->body_count + 1, contacts = (size_t)f->contact_count;
    f->pairs = abut_arena_take(arena, contacts * sizeof *f->pairs);
    f->moves = abut_arena_take(arena, bodies);
    f->is_special = abut_arena_take(arena, contacts);
    f->islands = abut_arena_take(arena, contacts * sizeof *f->islands);
    f->part_of_island = abut_arena_take(arena, contacts * sizeof *f->part_of_island);
    f->contacts = abut_arena_take(arena, contacts * sizeof *f->contacts);
    f->local = abut_arena_take(arena, contacts * sizeof *f->local);
    f->bodies = abut_arena_take(arena, 2 * contacts * sizeof *f->bodies);
    f->is_moving = abut_arena_take(arena, 3 * contacts); // the bodies, and the world of each part
    f->stamps = abut_arena_take(arena, bodies * sizeof *f->stamps);
    f->numbers = abut_arena_take(arena, bodies * sizeof *f->numbers);
    return f->pairs != NULL && f->moves != NULL && f->is_special != NULL && f->islands != NULL &&
           f->part_of_island != NULL && f->contacts != NULL && f->local != NULL && f->bodies != NULL &&
           f->is_moving != NULL && f->stamps != NULL && f->numbers != NULL;
}

static int is_same_vector(abut_vec3 a, abut_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static int has_same_frame(const abut_solve_contact *a, const abut_solve_contact *b)
{
    return is_same_vector(a->normal, b->normal) && is_same_vector(a->tangent, b->tangent) &&
           a->friction == b->friction;
}

typedef struct reading {
    finder *f;
    const abut_solve_problem *problem;
} reading;

static void read_contacts(void *data, int begin, int end, int worker)
{
    const reading *r = data;
    const finder *f = r->f;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const abut_solve_contact *c = &r->problem->contacts[i];
        f->pairs[i].frame = i > 0 && !has_same_frame(c, c - 1);
        f->pairs[i].a = c->body_a == ABUT_SOLVE_WORLD ? f->body_count : c->body_a;
        f->pairs[i].b = c->body_b == ABUT_SOLVE_WORLD ? f->body_count : c->body_b;
        f->is_special[i] = c->torsion_radius > 0.0 || !(c->friction < HUGE_VAL);
    }
}

static void read_problem(const abut_context *context, finder *f, const abut_solve_problem *problem)
{
    enum { FEW = 1024, RANGE = 256 }; // below, handing over the work takes longer than doing it
    for (int i = 0; i < f->body_count; ++i) {
        const abut_solve_body *body = &problem->bodies[i];
        f->moves[i] = (unsigned char)abut_body_can_move(body->inverse_mass, body->inverse_inertia);
        f->stamps[i] = -1;
    }
    f->moves[f->body_count] = 0;
    reading r = {f, problem};
    if (f->contact_count < FEW) {
        read_contacts(&r, 0, f->contact_count, 0);
    } else {
        abut_parallel_for(context, f->contact_count, RANGE, read_contacts, &r);
    }
    for (int i = 0, frame = 0; i < f->contact_count; ++i) {
        frame += f->pairs[i].frame;
        f->pairs[i].frame = frame;
    }
}

// Puts islands together. `sizes` has the contacts of each island and gets those of each part.
static int group_islands(finder *f, int island_count, int *sizes)
{
    int part_count = 0, size = 0;
    for (int i = 0; i < island_count; ++i) {
        f->part_of_island[i] = part_count;
        size += sizes[i];
        if (size >= PART_CONTACTS || i + 1 == island_count) {
            sizes[part_count++] = size;
            size = 0;
        }
    }
    return part_count;
}

static int number_of(finder *f, int body, int part, int **bodies, unsigned char **is_moving, int *count)
{
    if (body == f->body_count) {
        return -1; // the world, which gets the number after the last
    }
    if (f->stamps[body] != part) {
        f->stamps[body] = part;
        f->numbers[body] = *count;
        (*bodies)[*count] = body;
        (*is_moving)[*count] = f->moves[body];
        ++*count;
    }
    return f->numbers[body];
}

// Numbers the bodies of each part, in the order of its contacts.
static void fill_parts(finder *f, abut_parts *parts)
{
    int *bodies = f->bodies;
    unsigned char *is_moving = f->is_moving;
    for (int i = 0; i < parts->count; ++i) {
        abut_part *part = &parts->items[i];
        abut_wide_pair *local = f->local + (part->contacts - f->contacts);
        part->pairs = local;
        part->bodies = bodies;
        part->moves = is_moving;
        for (int k = 0; k < part->contact_count; ++k) {
            abut_wide_pair pair = f->pairs[part->contacts[k]];
            part->is_special |= f->is_special[part->contacts[k]];
            local[k].a = number_of(f, pair.a, i, &bodies, &is_moving, &part->body_count);
            local[k].b = number_of(f, pair.b, i, &bodies, &is_moving, &part->body_count);
            local[k].frame = pair.frame;
        }
        for (int k = 0; k < part->contact_count; ++k) {
            local[k].a = local[k].a < 0 ? part->body_count : local[k].a;
            local[k].b = local[k].b < 0 ? part->body_count : local[k].b;
        }
        is_moving[part->body_count] = 0;
        bodies += part->body_count;
        is_moving += part->body_count + 1;
    }
}

abut_status abut_parts_find(abut_arena *arena, const abut_solve_problem *problem, abut_parts *parts)
{
    finder f = {.body_count = problem->body_count, .contact_count = problem->contact_count};
    if (!take_memory(arena, &f)) {
        return ABUT_NO_MEMORY;
    }
    read_problem(&arena->context, &f, problem);
    int island_count = abut_islands_find(arena, f.pairs, f.contact_count, f.moves, f.body_count + 1, f.islands);
    if (island_count < 0) {
        return ABUT_NO_MEMORY;
    }
    size_t islands = (size_t)island_count;
    int *sizes = abut_arena_take(arena, islands * sizeof *sizes);
    if (sizes == NULL) {
        return ABUT_NO_MEMORY;
    }
    memset(sizes, 0, islands * sizeof *sizes);
    for (int i = 0; i < f.contact_count; ++i) {
        if (f.islands[i] >= 0) {
            ++sizes[f.islands[i]];
        }
    }
    parts->count = group_islands(&f, island_count, sizes);
    parts->items = abut_arena_take(arena, (size_t)parts->count * sizeof *parts->items);
    if (parts->items == NULL) {
        return ABUT_NO_MEMORY;
    }
    memset(parts->items, 0, (size_t)parts->count * sizeof *parts->items);
    int *next = f.contacts;
    for (int i = 0; i < parts->count; ++i) {
        parts->items[i].contacts = next;
        next += sizes[i];
    }
    parts->idle = next;
    parts->idle_count = 0;
    for (int i = 0; i < f.contact_count; ++i) {
        if (f.islands[i] >= 0) {
            abut_part *part = &parts->items[f.part_of_island[f.islands[i]]];
            f.contacts[(part->contacts - f.contacts) + part->contact_count++] = i;
        } else {
            next[parts->idle_count++] = i;
        }
    }
    fill_parts(&f, parts);
    return ABUT_OK;
}
