// SPDX-License-Identifier: MIT
// manifold.c: the contact manifold of two convex shapes, moved together along the normal
//
// Each shape has a vertex, edge or face on its supporting plane, plus all vertices within the tolerance that connect
// to it by edges. Seen along the normal, these form a point, a segment or a convex polygon. The corners of the
// intersection of both are the contact points. If the bodies separate at every corner, they separate at all points
// between, since the velocity is linear there: the signed distance does not decrease.
//
// Source:  Yi and Drumwright 2016, sections III-A and IV-E. Their first repair (no vertex on the plane) cannot
//          occur, since the plane passes through the support. The second (empty intersection) is counted.
// Cost:    product of the two vertex counts on the plane. No allocation for up to 48 vertices of both together.
// Fails:   returns ABUT_NO_MEMORY if more vertices need memory and there is none.
#include "convex/manifold.h"
#include "base/error.h"
#include "base/memory.h"
#include "convex/box_manifold.h"
#include "convex/feature.h"
#include "convex/planar.h"

#include <assert.h>

static_assert((int)ABUT_PLANAR_POINTS == (int)ABUT_CONVEX_PLANE_VERTICES, "the limit that callers know");

// The part of a shape on its supporting plane, seen along the normal.
typedef struct touch {
    const abut_convex *shape;
    abut_mat3 rotation;    ///< from the shape's frame to the common frame
    abut_vec3 offset;      ///< position of the shape in the common frame
    abut_convex_part part; ///< the feature of highest dimension
    int support;
    int is_from_inside; ///< 1: the view along the normal shows the part from inside the shape
    abut_planar planar; ///< ids are points of the shape
    abut_vec3 *corners; ///< of `planar`, in the common frame
    int is_capped;      ///< 1: vertices were left out, as there are more than ABUT_PLANAR_POINTS
    int is_face;        ///< 1: the corners are exactly those of the face, in order
} touch;

// The contact plane. x, y and the normal from A to B form a right-handed frame; projected points are relative to the
// origin.
typedef struct plane {
    abut_vec2 origin;
    abut_vec3 x, y, normal;
} plane;

// Builds the frame without a square root. Exact for normals along the axes; sign + n.z never cancels.
static plane plane_of(abut_vec3 n)
{
    double sign = n.z < 0.0 ? -1.0 : 1.0, s = -1.0 / (sign + n.z), t = n.x * n.y * s;
    plane p = {{0.0, 0.0}, {1.0 + sign * n.x * n.x * s, sign * t, -sign * n.x}, {t, sign + n.y * n.y * s, -n.y}, n};
    return p;
}

static abut_vec2 project(const plane *p, abut_vec3 point)
{
    return abut_vec2_make(abut_dot(p->x, point) - p->origin.x, abut_dot(p->y, point) - p->origin.y);
}

static abut_vec3 place(const touch *t, int point)
{
    return abut_add(abut_mat3_apply(t->rotation, t->shape->points[point]), t->offset);
}

// The shape's outward direction at the contact plane, in its own frame.
static abut_vec3 direction_of(const touch *t, abut_vec3 normal)
{
    abut_vec3 direction = abut_mat3_apply_transposed(t->rotation, normal);
    return t->is_from_inside ? abut_negate(direction) : direction;
}

// Starts with the vertices of the feature of highest dimension, counter-clockwise in the view along the normal. A face
// with more than ABUT_PLANAR_POINTS corners gives that many, evenly spread.
static void take_feature(touch *t)
{
    const abut_convex *shape = t->shape;
    abut_planar *set = &t->planar;
    if (t->part.kind == ABUT_FEATURE_VERTEX) {
        set->count = 1;
        set->ids[0] = t->part.index;
    } else if (t->part.kind == ABUT_FEATURE_EDGE) {
        set->count = 2;
        set->ids[0] = shape->edges[t->part.index].points[0];
        set->ids[1] = shape->edges[t->part.index].points[1];
    } else {
        const int *loop = &shape->face_points[shape->face_begin[t->part.index]];
        int count = shape->face_begin[t->part.index + 1] - shape->face_begin[t->part.index];
        t->is_capped = count > ABUT_PLANAR_POINTS;
        set->count = count < ABUT_PLANAR_POINTS ? count : ABUT_PLANAR_POINTS;
        const int *from = t->is_from_inside ? &loop[count - 1] : loop;
        int step = t->is_from_inside ? -1 : 1;
        for (int i = 0; i < set->count; ++i) {
            int k = t->is_capped ? (int)((int64_t)i * count / set->count) : i;
            set->ids[i] = from[step * k];
        }
    }
}

// Index of the face's side that is side i of the set. Seen from inside, the order of corners is reversed, so the side
// after a corner is the face's side before it.
static int side_of(int i, int count, int is_from_inside)
{
    int k = is_from_inside ? count - 2 - i : i;
    return k < 0 ? count - 1 : k;
}

// Computes the lines of a face's sides, from the stored lengths.
static void take_sides(touch *t)
{
    abut_planar *set = &t->planar;
    const double *inverse_lengths = &t->shape->inverse_lengths[t->shape->face_begin[t->part.index]];
    int count = set->count, is_from_inside = t->is_from_inside;
    set->line_count = count;
    for (int i = 0; i < count; ++i) {
        abut_vec2 from = set->points[i], to = set->points[i + 1 < count ? i + 1 : 0];
        double s = inverse_lengths[side_of(i, count, is_from_inside)];
        abut_vec2 normal = {s * (from.y - to.y), s * (to.x - from.x)};
        set->normals[i] = normal;
        set->offsets[i] = normal.x * from.x + normal.y * from.y;
    }
}

// Cosine to the contact normal from which on a face counts as turned towards it. Faces beside it have 0, up to rounding.
// A corner that is lost by this is seen within a millionth of the shape's size from one that stays.
static const double least_towards = 1e-6;

// Returns 1 if the line from a vertex along the direction leaves the shape at once: the vertex is on the side of the
// shape that meets the other one. In deep overlaps, vertices of the far side are within the depth too.
static int is_near_side(const abut_convex *shape, int point, abut_vec3 direction)
{
    for (int k = shape->link_begin[point]; k < shape->link_begin[point + 1]; ++k) {
        const int *faces = shape->edges[shape->links[k].edge].faces;
        if (abut_dot(shape->normals[faces[0]], direction) > least_towards ||
            abut_dot(shape->normals[faces[1]], direction) > least_towards) {
            return 1;
        }
    }
    return 0;
}

// Adds all vertices of the near side within the tolerance below the support that can be reached from the feature along
// edges.
static void flood(touch *t, abut_vec3 direction, double tolerance)
{
    const abut_convex *shape = t->shape;
    abut_planar *set = &t->planar;
    double lowest = abut_dot(shape->points[t->support], direction) - tolerance;
    for (int i = 0; i < set->count; ++i) {
        int last = set->ids[i > 0 ? i - 1 : set->count - 1], next = set->ids[i + 1 < set->count ? i + 1 : 0];
        for (int k = shape->link_begin[set->ids[i]]; k < shape->link_begin[set->ids[i] + 1]; ++k) {
            int point = shape->links[k].point;
            if (point == last || point == next || abut_dot(shape->points[point], direction) < lowest ||
                abut_convex_find_point(set->ids, set->count, point) >= 0 ||
                !is_near_side(shape, point, direction)) {
                continue;
            }
            if (set->count == ABUT_PLANAR_POINTS) {
                t->is_capped = 1;
            } else {
                set->ids[set->count++] = point;
            }
        }
    }
}

// Returns 1 if the feature is a face and no other vertex is within the tolerance of the contact plane. The angle
// between plane and face is at most sqrt(2 (1 - cosine)). It raises a vertex by at most the shape's length times that
// angle. 2^-48 (16 DBL_EPSILON) covers the rounding of the cosine.
static int is_alone(const touch *t, abut_vec3 direction, double tolerance)
{
    if (t->part.kind != ABUT_FEATURE_FACE) {
        return 0;
    }
    const abut_convex *shape = t->shape;
    double tilt = 2.0 * (1.0 - abut_dot(shape->normals[t->part.index], direction)) + 0x1p-48;
    double room = shape->drops[t->part.index] - 2.0 * tolerance;
    return room > 0.0 && room * room > tilt * shape->length * shape->length;
}

// Finds the vertices on the contact plane.
static void find_touch(touch *t, abut_vec3 normal, double tolerance, double depth)
{
    t->is_capped = 0;
    take_feature(t);
    int count = t->planar.count;
    if (t->part.kind != ABUT_FEATURE_VERTEX || depth > 0.0) {
        abut_vec3 direction = direction_of(t, normal);
        if (!is_alone(t, direction, tolerance + depth)) {
            flood(t, direction, tolerance + depth);
        }
    }
    t->is_face = t->part.kind == ABUT_FEATURE_FACE && t->planar.count == count && !t->is_capped &&
                 t->shape->corners[t->part.index] > tolerance;
}

// Computes the positions of these vertices and the convex set they form in the plane.
static void place_touch(touch *t, const plane *p, double tolerance)
{
    abut_planar *set = &t->planar;
    abut_mat3 rotation = t->rotation; // copies stay in registers: the stores below cannot alias them
    abut_vec3 offset = t->offset;
    const abut_vec3 *points = t->shape->points;
    for (int i = 0, all = set->count; i < all; ++i) {
        abut_vec3 corner = abut_add(abut_mat3_apply(rotation, points[set->ids[i]]), offset);
        t->corners[i] = corner;
        set->points[i] = project(p, corner);
    }
    if (t->is_face) {
        take_sides(t);
    } else if (set->count > 1) {
        int is_sorted = set->count > 2;
        abut_planar_close(set, tolerance);
        for (int i = 0; i < set->count && is_sorted; ++i) {
            t->corners[i] = place(t, set->ids[i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Both shapes

// Size in bytes of the arrays of two sets that have `corners` corners in total.
#define ARRAYS_SIZE(corners)                                                                                       \
    ((corners) * (sizeof(abut_planar_point) + sizeof(abut_vec2) + sizeof(abut_vec3)) +                             \
     ((corners) + (size_t)2 * ABUT_PLANAR_BEVELS) * (sizeof(abut_vec2) + sizeof(double)))

// Corners of both sets together that need no memory beyond the stack. 48 keeps the frame well below 16 KB, and few
// bodies have larger faces.
enum { CORNERS_ON_STACK = 48 };

// Both shapes in a common frame, and the intersection of their sets.
typedef struct meeting {
    touch a, b;
    abut_planar_point *points;
    int count, is_repaired;
    void *heap; ///< memory that end_meeting() frees, or NULL
    double stack[ARRAYS_SIZE(CORNERS_ON_STACK) / sizeof(double)];
} meeting;

static_assert(sizeof(abut_planar_point) % sizeof(double) == 0, "arrays of doubles may follow");

// Places the arrays of a set in memory. Returns the first byte after them.
static double *cut_arrays(touch *t, double *memory)
{
    size_t corners = (size_t)t->planar.count, lines = corners + ABUT_PLANAR_BEVELS;
    t->corners = (abut_vec3 *)memory;
    t->planar.points = (abut_vec2 *)(memory + 3 * corners);
    t->planar.normals = (abut_vec2 *)(memory + 5 * corners);
    t->planar.offsets = memory + 5 * corners + 2 * lines;
    return memory + 5 * corners + 3 * lines;
}

// Gets memory for both sets: the stack if they fit, else the caller's scratch memory, else the heap. Returns 0 on
// failure.
static int take_memory(meeting *m, const abut_convex_frame *frame)
{
    size_t size = ARRAYS_SIZE((size_t)m->a.planar.count + (size_t)m->b.planar.count);
    double *memory = m->stack;
    m->heap = NULL;
    if (size > sizeof m->stack && frame->scratch != NULL && size <= frame->scratch_size) {
        memory = frame->scratch;
    } else if (size > sizeof m->stack) {
        memory = m->heap = abut_allocate(&frame->a->context, size, 1);
    }
    if (memory == NULL) {
        return 0;
    }
    m->points = (abut_planar_point *)cut_arrays(&m->b, cut_arrays(&m->a, memory));
    return 1;
}

static void end_meeting(meeting *m, const abut_convex_frame *frame)
{
    abut_free(&frame->a->context, m->heap);
}

static size_t count_most(const abut_convex *shape)
{
    return (size_t)(shape->point_count < ABUT_PLANAR_POINTS ? shape->point_count : ABUT_PLANAR_POINTS);
}

size_t abut_convex_scratch_size(const abut_convex *a, const abut_convex *b)
{
    ABUT_ASSERT(a != NULL && b != NULL);
    size_t size = ARRAYS_SIZE(count_most(a) + count_most(b));
    return size > sizeof((meeting *)NULL)->stack ? size : 0;
}

// Intersects both sets. Projected points are relative to A's support, so the distance of the shapes from their origins
// does not matter. Returns ABUT_OK, and then end_meeting() must free the memory, or ABUT_NO_MEMORY.
static abut_status meet(meeting *m, const abut_convex_frame *frame, abut_vec3 normal, double depth)
{
    plane p = plane_of(normal);
    p.origin = project(&p, place(&m->a, m->a.support));
    m->a.is_from_inside = 0;
    m->b.is_from_inside = 1;
    find_touch(&m->a, normal, frame->tolerance, depth);
    find_touch(&m->b, normal, frame->tolerance, depth);
    if (!take_memory(m, frame)) {
        return ABUT_NO_MEMORY;
    }
    place_touch(&m->a, &p, frame->tolerance);
    place_touch(&m->b, &p, frame->tolerance);
    m->count = abut_planar_intersect(&m->a.planar, &m->b.planar, frame->tolerance, m->points, &m->is_repaired);
    return ABUT_OK;
}

// The point on the shape that belongs to a place in the set, in the common frame.
static inline abut_vec3 lift(const touch *t, const abut_planar_place *on)
{
    abut_vec3 sum = abut_scale(on->weights[0], t->corners[on->corners[0]]);
    sum = abut_add_scaled(sum, on->weights[1], t->corners[on->corners[1]]);
    return abut_add_scaled(sum, on->weights[2], t->corners[on->corners[2]]);
}

// The mesh's edge between two corners of the set; the feature of highest dimension if the shape has no such edge.
static abut_feature name_between(const touch *t, int from, int to)
{
    const abut_convex *shape = t->shape;
    if (t->is_face) {
        int side = side_of(from, t->planar.count, t->is_from_inside);
        return shape->edge_features[shape->face_edges[shape->face_begin[t->part.index] + side]];
    }
    int point = t->planar.ids[from], other = t->planar.ids[to];
    for (int k = shape->link_begin[point]; k < shape->link_begin[point + 1]; ++k) {
        if (shape->links[k].point == other) {
            return shape->edge_features[shape->links[k].edge];
        }
    }
    return abut_convex_name(shape, t->part);
}

static inline int32_t source_of(const touch *t, int corner)
{
    return t->shape->point_sources[t->planar.ids[corner]];
}

// What a shape contributes to a contact point: position in the common frame, feature and anchor of a place in the set.
static inline void deliver_place(const touch *t, const abut_planar_place *on, abut_vec3 *position,
                                 abut_feature *feature, abut_anchor *anchor)
{
    const double *weights = on->weights;
    int first = on->corners[0];
    if (on->count == 1) {
        int32_t source = source_of(t, first);
        *position = t->corners[first];
        *feature = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = source, .vertices = {-1, -1}};
        *anchor = (abut_anchor){{source, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
        return;
    }
    int second = on->corners[1];
    abut_vec3 sum = abut_add_scaled(abut_scale(weights[0], t->corners[first]), weights[1], t->corners[second]);
    if (on->count == 2) {
        *position = sum;
        *feature = name_between(t, first, second);
        *anchor =
            (abut_anchor){{source_of(t, first), source_of(t, second), -1, -1}, {weights[0], weights[1], 0.0, 0.0}};
        return;
    }
    int third = on->corners[2];
    *position = abut_add_scaled(sum, weights[2], t->corners[third]);
    *feature = abut_convex_name(t->shape, t->part);
    *anchor = (abut_anchor){{source_of(t, first), source_of(t, second), source_of(t, third), -1},
                            {weights[0], weights[1], weights[2], 0.0}};
}

abut_status abut_convex_middle(const abut_convex_frame *frame, const abut_axis *axis, abut_convex_part part_a,
                               abut_convex_part part_b, abut_vec3 *point_a, abut_vec3 *point_b)
{
    meeting m;
    m.a.shape = frame->a;
    m.a.rotation = abut_mat3_identity();
    m.a.offset = abut_vec3_make(0.0, 0.0, 0.0);
    m.a.part = part_a;
    m.a.support = axis->a;
    m.b.shape = frame->b;
    m.b.rotation = frame->rotation;
    m.b.offset = frame->offset;
    m.b.part = part_b;
    m.b.support = axis->b;
    abut_status status = meet(&m, frame, axis->normal, 0.0);
    if (status != ABUT_OK) {
        return status;
    }
    abut_vec3 middle = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < m.count; ++i) {
        middle = abut_add_scaled(middle, 0.5 / m.count, lift(&m.a, &m.points[i].on_a));
        middle = abut_add_scaled(middle, 0.5 / m.count, lift(&m.b, &m.points[i].on_b));
    }
    end_meeting(&m, frame);
    // the corners are only within the tolerance of the planes; this puts both points exactly on them
    double height = abut_dot(axis->normal, abut_sub(frame->a->points[axis->a], middle));
    *point_a = abut_add_scaled(middle, height, axis->normal);
    *point_b = abut_add_scaled(*point_a, -axis->overlap, axis->normal);
    return ABUT_OK;
}

static void measure(const meeting *m, abut_convex_manifold *manifold)
{
    const abut_planar_point *p = m->points;
    manifold->dimension = m->count < 3 ? m->count - 1 : 2;
    manifold->measure = 0.0;
    if (m->count == 2) {
        double x = p[1].a.x - p[0].a.x, y = p[1].a.y - p[0].a.y;
        manifold->measure = sqrt(x * x + y * y);
    }
    for (int i = 1; i + 1 < m->count; ++i) {
        double ux = p[i].a.x - p[0].a.x, uy = p[i].a.y - p[0].a.y;
        double vx = p[i + 1].a.x - p[0].a.x, vy = p[i + 1].a.y - p[0].a.y;
        manifold->measure += 0.5 * (ux * vy - uy * vx);
    }
}

static void deliver(const meeting *m, const abut_convex_frame *frame, abut_convex_manifold *manifold)
{
    measure(m, manifold);
    manifold->required = m->count;
    int capacity = manifold->capacity > 0 ? manifold->capacity : 0;
    manifold->count = m->count < capacity ? m->count : capacity;
    manifold->repair_count = m->is_repaired;
    manifold->cap_count = m->a.is_capped + m->b.is_capped;
    for (int i = 0; i < manifold->count; ++i) {
        abut_convex_point *point = &manifold->points[i];
        const abut_planar_place *on_a = &m->points[i].on_a, *on_b = &m->points[i].on_b;
        deliver_place(&m->a, on_a, &point->position_a, &point->feature_a, &point->anchor_a);
        deliver_place(&m->b, on_b, &point->position_b, &point->feature_b, &point->anchor_b);
        point->position_a = abut_add(point->position_a, frame->position_a);
        point->position_b = abut_add(point->position_b, frame->position_a);
    }
}

static int is_part_of(const abut_convex *shape, abut_convex_part part, int support)
{
    int count = part.kind == ABUT_FEATURE_FACE     ? shape->face_count
                : part.kind == ABUT_FEATURE_EDGE   ? shape->edge_count
                : part.kind == ABUT_FEATURE_VERTEX ? shape->point_count
                                                   : 0;
    return part.index >= 0 && part.index < count && support >= 0 && support < shape->point_count;
}

abut_status abut_convex_manifold_of(const abut_convex_frame *frame, const abut_convex_result *result,
                                    abut_convex_manifold *manifold)
{
    double depth = manifold->depth > 0.0 ? manifold->depth : 0.0;
    manifold->count = manifold->required = manifold->repair_count = manifold->cap_count = 0;
    if (abut_box_manifold(frame, result, depth, manifold)) {
        return manifold->count < manifold->required ? ABUT_TRUNCATED : ABUT_OK;
    }
    // common frame: world axes, origin at A's position
    meeting m;
    m.a.shape = frame->a;
    m.a.rotation = frame->a_to_world;
    m.a.offset = abut_vec3_make(0.0, 0.0, 0.0);
    m.a.part = result->part_a;
    m.a.support = result->certificate.support_a;
    m.b.shape = frame->b;
    m.b.rotation = frame->b_to_world;
    m.b.offset = abut_sub(frame->position_b, frame->position_a);
    m.b.part = result->part_b;
    m.b.support = result->certificate.support_b;
    abut_status status = meet(&m, frame, result->normal, depth);
    if (status != ABUT_OK) {
        return status;
    }
    deliver(&m, frame, manifold);
    end_meeting(&m, frame);
    return manifold->count < manifold->required ? ABUT_TRUNCATED : ABUT_OK;
}

abut_status abut_convex_find_manifold(const abut_convex_pair *pair, const abut_convex_result *result,
                                      abut_convex_manifold *manifold)
{
    ABUT_ASSERT(pair != NULL && result != NULL && manifold != NULL);
    abut_convex_frame frame;
    abut_status status = abut_convex_read_pair(pair, &frame);
    manifold->count = manifold->required = manifold->repair_count = manifold->cap_count = 0;
    if (status != ABUT_OK) {
        return status;
    }
    if (!is_part_of(frame.a, result->part_a, result->certificate.support_a) ||
        !is_part_of(frame.b, result->part_b, result->certificate.support_b)) {
        return ABUT_BAD_ARGUMENT;
    }
    return abut_convex_manifold_of(&frame, result, manifold);
}
