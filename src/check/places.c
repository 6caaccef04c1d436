// SPDX-License-Identifier: MIT
// places.c: welding vertices that are equal or within the tolerance
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "check/surface.h"

// The seed of the hash depends on the data, so that nobody can craft a file whose vertices all collide.
static uint64_t find_seed(const abut_surface *surface)
{
    uint64_t seed = ABUT_HASH_START;
    for (int i = 0; i < surface->parts.vertex_count; ++i) {
        abut_vec3 v = surface->parts.vertices[i];
        seed = abut_hash_double(seed, v.x + v.y + v.z);
    }
    return seed;
}

typedef struct table {
    int *heads; // -1: empty
    size_t mask;
    uint64_t seed;
} table;

static int make_table(table *slots, const abut_surface *surface)
{
    size_t count = 64;
    while (count < 2 * (size_t)surface->parts.vertex_count) {
        count *= 2;
    }
    slots->heads = abut_allocate(&surface->parts.context, count, sizeof(int));
    slots->mask = count - 1;
    slots->seed = find_seed(surface);
    for (size_t i = 0; i < count && slots->heads != NULL; ++i) {
        slots->heads[i] = -1;
    }
    return slots->heads != NULL;
}

static void clear_table(table *slots)
{
    for (size_t i = 0; i <= slots->mask; ++i) {
        slots->heads[i] = -1;
    }
}

static void find_equal(abut_surface *surface, table *slots, abut_check *check)
{
    const abut_vec3 *vertices = surface->parts.vertices;
    for (int i = 0; i < surface->parts.vertex_count; ++i) {
        surface->places[i] = i;
        if (surface->is_lost[i]) {
            continue;
        }
        abut_vec3 v = vertices[i];
        uint64_t hash = abut_hash_double(abut_hash_double(abut_hash_double(slots->seed, v.x), v.y), v.z);
        size_t slot = (size_t)hash & slots->mask;
        for (;; slot = (slot + 1) & slots->mask) {
            int other = slots->heads[slot];
            if (other < 0) {
                slots->heads[slot] = i;
                break;
            }
            if (vertices[other].x == v.x && vertices[other].y == v.y && vertices[other].z == v.z) {
                surface->places[i] = other;
                ++surface->counts.vertices_welded;
                if (check != NULL) {
                    abut_findings_add_two(check, ABUT_FINDING_DUPLICATE_VERTEX, i, other);
                }
                break;
            }
        }
    }
}

typedef struct grid {
    table slots;   // for each slot: the first kept vertex of its cells; cells with the same slot share a list
    int *next;     // for each vertex: the next one of its list, or -1
    double inside; // 1 / length of a cell
    abut_vec3 origin;
} grid;

// A cell is four tolerances long: the ball around a vertex touches few cells, and a cell has room for few kept
// vertices.
static const double cell_tolerances = 4.0;

static size_t slot_of(const grid *cells, const int64_t cell[3])
{
    uint64_t hash = cells->slots.seed;
    for (int k = 0; k < 3; ++k) {
        hash = abut_hash_mix(hash, (uint64_t)cell[k]);
    }
    return (size_t)hash & cells->slots.mask;
}

// Cannot overflow: find_tolerance() makes sure that the bounds have fewer than 2^47 cells along an axis.
static int64_t cell_along(const grid *cells, double offset)
{
    return (int64_t)floor(offset * cells->inside);
}

// The lowest kept vertex within the tolerance, or -1.
static int find_kept(const abut_surface *surface, const grid *cells, abut_vec3 v)
{
    abut_vec3 at = abut_sub(v, cells->origin);
    double tolerance = surface->tolerance, squared = tolerance * tolerance;
    const int64_t low[3] = {cell_along(cells, at.x - tolerance), cell_along(cells, at.y - tolerance),
                            cell_along(cells, at.z - tolerance)};
    const int64_t high[3] = {cell_along(cells, at.x + tolerance), cell_along(cells, at.y + tolerance),
                             cell_along(cells, at.z + tolerance)};
    int found = -1;
    int64_t cell[3];
    for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0]) {
        for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1]) {
            for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2]) {
                for (int i = cells->slots.heads[slot_of(cells, cell)]; i >= 0; i = cells->next[i]) {
                    double apart = abut_norm_squared(abut_sub(surface->parts.vertices[i], v));
                    found = apart <= squared && (found < 0 || i < found) ? i : found;
                }
            }
        }
    }
    return found;
}

static void find_near(abut_surface *surface, grid *cells, abut_check *check)
{
    for (int i = 0; i < surface->parts.vertex_count; ++i) {
        if (surface->places[i] != i) {
            surface->places[i] = surface->places[surface->places[i]];
            continue;
        }
        if (surface->is_lost[i]) {
            continue;
        }
        abut_vec3 v = surface->parts.vertices[i];
        int kept = find_kept(surface, cells, v);
        if (kept >= 0) {
            surface->places[i] = kept;
            ++surface->counts.vertices_welded;
            if (check != NULL) {
                abut_findings_add_two(check, ABUT_FINDING_NEAR_VERTEX, i, kept);
            }
            continue;
        }
        abut_vec3 at = abut_sub(v, cells->origin);
        const int64_t cell[3] = {cell_along(cells, at.x), cell_along(cells, at.y), cell_along(cells, at.z)};
        int *head = &cells->slots.heads[slot_of(cells, cell)];
        cells->next[i] = *head;
        *head = i;
    }
}

abut_status abut_surface_weld(abut_surface *surface, abut_check *check, abut_error *error)
{
    const abut_context *context = &surface->parts.context;
    size_t count = (size_t)surface->parts.vertex_count;
    grid cells = {.inside = 1.0 / (cell_tolerances * surface->tolerance), .origin = surface->bounds.lower};
    surface->places = abut_allocate(context, count, sizeof(int));
    int have_memory = surface->places != NULL && make_table(&cells.slots, surface);
    if (have_memory) {
        find_equal(surface, &cells.slots, check);
    }
    if (have_memory && surface->tolerance > 0.0) {
        cells.next = abut_allocate(context, count, sizeof(int));
        have_memory = cells.next != NULL;
        if (have_memory) {
            clear_table(&cells.slots);
            find_near(surface, &cells, check);
        }
        abut_free(context, cells.next);
    }
    abut_free(context, cells.slots.heads);
    return have_memory ? ABUT_OK : abut_surface_fail(error, ABUT_NO_MEMORY);
}
