// SPDX-License-Identifier: MIT
// drop.c: replaces vertices by their places, and drops faces that are then degenerate or duplicate
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "check/surface.h"
#include "prim/segment_triangle.h"

#include <float.h>
#include <string.h>

// Exact test whether three vertices are collinear. Plain arithmetic decides all but nearly flat triangles.
static int is_flat(const abut_vec3 *vertices, const int corners[3])
{
    const abut_vec3 t[3] = {vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]};
    abut_vec3 u = abut_sub(t[1], t[0]), v = abut_sub(t[2], t[0]);
    double area = abut_norm_squared(abut_cross(u, v));
    // |u x v| is off by less than 16 DBL_EPSILON |u| |v|, by rounding of the differences and of the products
    double doubt = 256.0 * DBL_EPSILON * DBL_EPSILON * abut_norm_squared(u) * abut_norm_squared(v);
    abut_vec3 ends[2];
    return area <= doubt && abut_triangle_is_segment(t, ends);
}

typedef struct dropper {
    abut_surface *surface;
    abut_check *check;
    abut_parts kept; // faces only
    abut_ints kept_sources;
    int *last_face; // for each vertex: the last face so far that has it
    int *slots;     // hash table of the kept faces by their vertices; -1 if empty
    size_t mask;
    uint64_t seed;
    int changed;
} dropper;

static const int *corners_of(const abut_parts *parts, int face, int *count)
{
    int begin = parts->face_offsets.count > 0 ? parts->face_offsets.items[face] : 3 * face;
    *count = (parts->face_offsets.count > 0 ? parts->face_offsets.items[face + 1] : 3 * face + 3) - begin;
    return parts->face_vertices.items + begin;
}

// Replaces the corners of a face by their places and drops repeated neighbours, in place. Returns how many corners
// are left.
static int weld_corners(dropper *d, int *corners, int count)
{
    int left = 0;
    for (int k = 0; k < count; ++k) {
        int place = d->surface->places[corners[k]];
        d->changed |= place != corners[k];
        if (left == 0 || corners[left - 1] != place) {
            corners[left++] = place;
        }
    }
    while (left > 1 && corners[left - 1] == corners[0]) {
        --left;
    }
    return left;
}

static int has_repeats(dropper *d, const int *corners, int count, int face)
{
    int repeated = 0;
    for (int k = 0; k < count; ++k) {
        repeated |= d->last_face[corners[k]] == face;
        d->last_face[corners[k]] = face;
    }
    return repeated;
}

// A hash of the corners that does not depend on their order.
static uint64_t hash_corners(const dropper *d, const int *corners, int count)
{
    uint64_t sum = (uint64_t)count;
    for (int k = 0; k < count; ++k) {
        sum += abut_hash_mix(d->seed, (uint64_t)corners[k]);
    }
    return abut_hash_mix(d->seed, sum);
}

// Whether a kept face has the same corners as `face`, which has_repeats() has just marked.
static int is_same(const dropper *d, int kept, int count, int face)
{
    int other_count;
    const int *other = corners_of(&d->kept, kept, &other_count);
    int same = other_count == count;
    for (int k = 0; k < other_count && same; ++k) {
        same = d->last_face[other[k]] == face;
    }
    return same;
}

// The kept face with the same corners, or -1. In that case this face is entered into the table.
static int find_same(dropper *d, const int *corners, int count, int face)
{
    size_t slot = (size_t)hash_corners(d, corners, count) & d->mask;
    for (; d->slots[slot] >= 0; slot = (slot + 1) & d->mask) {
        if (is_same(d, d->slots[slot], count, face)) {
            return d->slots[slot];
        }
    }
    d->slots[slot] = d->kept_sources.count;
    return -1;
}

static void report_drop(dropper *d, abut_finding_kind kind, int first, int second)
{
    ++d->surface->counts.faces_dropped;
    d->changed = 1;
    if (d->check != NULL) {
        const int numbers[2] = {first, second};
        abut_findings_add(d->check, kind, numbers);
    }
}

static abut_status drop_faces(dropper *d)
{
    abut_surface *surface = d->surface;
    int face_count = abut_surface_face_count(surface);
    for (int i = 0; i < face_count; ++i) {
        int count, source = surface->face_sources.items[i];
        int *corners = surface->parts.face_vertices.items + abut_surface_face_begin(surface, i);
        (void)corners_of(&surface->parts, i, &count);
        int left = weld_corners(d, corners, count);
        if (has_repeats(d, corners, left, i) || left < 3 ||
            (left == 3 && is_flat(surface->parts.vertices, corners))) {
            report_drop(d, ABUT_FINDING_DEGENERATE_FACE, source, -1);
            continue;
        }
        int same = find_same(d, corners, left, i);
        if (same >= 0) {
            report_drop(d, ABUT_FINDING_DUPLICATE_FACE, source, d->kept_sources.items[same]);
            continue;
        }
        abut_status status = abut_surface_add_face(&d->kept, &d->kept_sources, corners, left, source);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

// Replaces the vertices of points, segments or tetrahedra by their places. Drops those that then have a vertex
// twice.
static void weld_elements(dropper *d, abut_ints *array, int size)
{
    int kept = 0;
    for (int i = 0; i + size <= array->count; i += size) {
        int holds = 1;
        for (int k = 0; k < size; ++k) {
            int place = d->surface->places[array->items[i + k]];
            d->changed |= place != array->items[i + k];
            array->items[kept + k] = place;
            for (int m = 0; m < k; ++m) {
                holds &= array->items[kept + m] != place;
            }
        }
        kept += holds ? size : 0;
        d->surface->counts.elements_dropped += !holds;
    }
    array->count = kept;
}

static int make_room(dropper *d)
{
    const abut_context *context = &d->surface->parts.context;
    size_t count = 64;
    while (count < 2 * (size_t)abut_surface_face_count(d->surface)) {
        count *= 2;
    }
    d->mask = count - 1;
    d->slots = abut_allocate(context, count, sizeof(int));
    d->last_face = abut_allocate(context, (size_t)d->surface->parts.vertex_count, sizeof(int));
    if (d->slots == NULL || d->last_face == NULL) {
        return 0;
    }
    memset(d->slots, 0xff, count * sizeof(int)); // -1
    memset(d->last_face, 0xff, (size_t)d->surface->parts.vertex_count * sizeof(int));
    d->seed = abut_hash_double(ABUT_HASH_START, abut_box_diagonal(d->surface->bounds));
    return 1;
}

static void swap_ints(abut_ints *a, abut_ints *b)
{
    abut_ints kept = *a;
    *a = *b;
    *b = kept;
}

abut_status abut_surface_drop(abut_surface *surface, abut_check *check, int *changed, abut_error *error)
{
    const abut_context *context = &surface->parts.context;
    dropper d = {.surface = surface, .check = check};
    abut_parts_init(&d.kept, context);
    abut_status status = make_room(&d) ? drop_faces(&d) : ABUT_NO_MEMORY;
    if (status == ABUT_OK) {
        swap_ints(&surface->parts.face_offsets, &d.kept.face_offsets);
        swap_ints(&surface->parts.face_vertices, &d.kept.face_vertices);
        swap_ints(&surface->face_sources, &d.kept_sources);
        weld_elements(&d, &surface->parts.points, 1);
        weld_elements(&d, &surface->parts.segments, 2);
        weld_elements(&d, &surface->parts.tets, 4);
    }
    *changed = d.changed;
    abut_free(context, d.slots);
    abut_free(context, d.last_face);
    abut_free(context, d.kept_sources.items);
    abut_parts_release(&d.kept);
    return status == ABUT_OK ? ABUT_OK : abut_surface_fail(error, status);
}
