// SPDX-License-Identifier: MIT
// index_segments.c: classifies convex polygons, and the parts of a segment in order
#include "spatial/brep_index.h"

#include "base/memory.h"
#include "base/sort.h"

typedef struct sender {
    const abut_brep_index *index;
    abut_index_piece_function *function;
    void *user;
    abut_index_positions positions;
    int is_out_of_memory;
} sender;

static int send_part(void *user, abut_location location, const abut_corner *corners, int count)
{
    sender *s = user;
    abut_index_piece piece;
    s->is_out_of_memory = !abut_index_make_piece(s->index, &s->positions, location, corners, count, &piece);
    return s->is_out_of_memory || s->function(s->user, &piece);
}

abut_status abut_brep_index_classify(const abut_brep_index *index, const abut_vec3 *corners, int corner_count,
                                     abut_index_piece_function *function, void *user)
{
    if (corners == NULL || corner_count < 1 || function == NULL) {
        return ABUT_BAD_ARGUMENT;
    }
    abut_corner *own = abut_allocate(&index->context, (size_t)corner_count, sizeof *own);
    if (own == NULL) {
        return ABUT_NO_MEMORY;
    }
    abut_status status = ABUT_OK;
    for (int i = 0; i < corner_count; ++i) {
        own[i] = (abut_corner){abut_sub(corners[i], index->center), ABUT_RIM_INNER, ABUT_RIM_INNER};
        if (!abut_is_finite(own[i].position)) {
            status = ABUT_BAD_DATA;
        }
    }
    sender s = {.index = index, .function = function, .user = user};
    abut_index_scratch scratch = {.way_capacity = 0};
    if (status == ABUT_OK) {
        status = abut_index_send(index, &scratch, own, corner_count, send_part, &s);
        status = s.is_out_of_memory ? ABUT_NO_MEMORY : status;
    }
    abut_index_scratch_free(&index->context, &scratch);
    abut_free(&index->context, s.positions.items);
    abut_free(&index->context, own);
    return status;
}

typedef struct segment_parts {
    const abut_context *context;
    abut_vec3 from, along;
    double length_squared;
    abut_segment_piece *items;
    int count, capacity;
    int is_out_of_memory;
} segment_parts;

static double parameter_of(const segment_parts *parts, abut_vec3 p)
{
    double t = abut_dot(abut_sub(p, parts->from), parts->along) / parts->length_squared;
    return fmin(fmax(t, 0.0), 1.0);
}

static int add_segment_part(void *user, const abut_index_piece *piece)
{
    segment_parts *parts = user;
    if (!abut_grow(parts->context, &parts->items, &parts->capacity, parts->count + 1, sizeof *parts->items)) {
        parts->is_out_of_memory = 1;
        return 1;
    }
    double a = parameter_of(parts, piece->corners[0]);
    double b = piece->corner_count > 1 ? parameter_of(parts, piece->corners[1]) : a;
    parts->items[parts->count++] = (abut_segment_piece){fmin(a, b), fmax(a, b), piece->location};
    return 0;
}

// Orders parts by their middles, since the end of one and the beginning of the next may differ by rounding. At the
// same position, vertices come before edges before faces.
static int compare_parts(const void *user, int a, int b)
{
    const abut_segment_piece *items = user, *x = &items[a], *y = &items[b];
    double middle_x = x->begin + x->end, middle_y = y->begin + y->end;
    if (middle_x != middle_y) {
        return middle_x < middle_y ? -1 : 1;
    }
    if (x->location.place != y->location.place) {
        return x->location.place < y->location.place ? -1 : 1;
    }
    return x->location.entity != y->location.entity ? (x->location.entity < y->location.entity ? -1 : 1) : a - b;
}

static int is_same(abut_location a, abut_location b)
{
    return a.place == b.place && a.entity == b.entity;
}

static void put(abut_segment_pieces *out, abut_segment_piece piece)
{
    if (out->required < out->capacity) {
        out->pieces[out->required] = piece;
        out->count = out->required + 1;
    }
    ++out->required;
}

// A joint between two parts, or an end of the segment, and the location of the points found there.
typedef struct joint {
    int has_point;
    abut_location location;
} joint;

static void strengthen(joint *j, abut_location location)
{
    int is_better = location.place != j->location.place ? location.place < j->location.place
                                                        : location.entity < j->location.entity;
    if (!j->has_point || is_better) {
        j->has_point = 1;
        j->location = location;
    }
}

// Merges the parts into pieces. Points between the middles of two parts belong to their joint; they become a piece of
// their own if their location differs from both neighbours. `order` is by middles.
static void write_parts(const segment_parts *parts, const int *order, abut_segment_pieces *out)
{
    joint waiting = {0, {ABUT_PLACE_OUTSIDE, -1}};
    abut_segment_piece open = {0.0, 0.0, {ABUT_PLACE_OUTSIDE, -1}};
    int has_open = 0;
    for (int i = 0; i < parts->count; ++i) {
        const abut_segment_piece *part = &parts->items[order[i]];
        if (part->begin == part->end) {
            strengthen(&waiting, part->location);
            continue;
        }
        int is_other = waiting.has_point && !is_same(waiting.location, part->location) &&
                       !(has_open && is_same(waiting.location, open.location));
        if (has_open && !is_other && is_same(open.location, part->location)) {
            open.end = part->end;
        } else {
            double at = has_open ? open.end : 0.0;
            if (has_open) {
                put(out, open);
            }
            if (is_other) {
                put(out, (abut_segment_piece){at, at, waiting.location});
            }
            open = (abut_segment_piece){at, part->end, part->location};
            has_open = 1;
        }
        waiting.has_point = 0;
    }
    if (has_open) {
        open.end = 1.0;
        put(out, open);
        if (waiting.has_point && !is_same(waiting.location, open.location)) {
            put(out, (abut_segment_piece){1.0, 1.0, waiting.location});
        }
    }
}

abut_status abut_brep_index_segment(const abut_brep_index *index, abut_vec3 a, abut_vec3 b,
                                    abut_segment_pieces *pieces)
{
    pieces->count = pieces->required = 0;
    abut_vec3 along = abut_sub(b, a);
    segment_parts parts = {
        .context = &index->context, .from = a, .along = along, .length_squared = abut_norm_squared(along)};
    if (!isfinite(parts.length_squared)) {
        return ABUT_BAD_DATA;
    }
    if (!(abut_norm(along) > index->info.tolerance)) {
        put(pieces, (abut_segment_piece){0.0, 1.0, abut_brep_index_locate(index, a)});
        return pieces->required <= pieces->capacity ? ABUT_OK : ABUT_TRUNCATED;
    }
    abut_vec3 ends[2] = {a, b};
    abut_status status = abut_brep_index_classify(index, ends, 2, add_segment_part, &parts);
    int *order = abut_allocate(&index->context, 2 * (size_t)parts.count, sizeof *order);
    if (parts.is_out_of_memory || order == NULL) {
        status = ABUT_NO_MEMORY;
    }
    if (status == ABUT_OK) {
        for (int i = 0; i < parts.count; ++i) {
            order[i] = i;
        }
        abut_sort_indices(order, order + parts.count, parts.count, compare_parts, parts.items);
        write_parts(&parts, order, pieces);
        status = pieces->required <= pieces->capacity ? ABUT_OK : ABUT_TRUNCATED;
    }
    abut_free(&index->context, order);
    abut_free(&index->context, parts.items);
    return status;
}
