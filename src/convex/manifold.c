// SPDX-License-Identifier: MIT
// manifold.c: where two convex shapes touch after they are moved together along the normal
//
// Each shape has a vertex, an edge or a face on its supporting plane, found by flooding from the support; seen along the normal
// they are a point, a segment or a convex polygon. Their intersection has the contact points as corners. The time
// derivative of the signed distance is not negative where the bodies part at every corner, since the velocity is linear
// in between.
//
// Source:  Yi and Drumwright 2016, sections III-A and IV-E. Their first repair (no vertex on the plane) cannot occur, since the
//          plane is that of the support; the second (nothing in common) is counted.
// Cost:    product of the numbers of vertices on the plane; no allocation.
#include "convex/manifold.h"
#include "base/error.h"
#include "convex/feature.h"
#include "convex/planar.h"

// What a shape has on its plane, seen along the normal.
typedef struct touch {
    const abut_convex *shape;
    abut_mat3 rotation; ///< to A's frame
    abut_vec3 offset;
    abut_vec3 direction; ///< outward at the plane, in the shape's frame
    abut_planar planar;  ///< ids are points of the shape
    abut_feature top;    ///< of highest dimension
    int is_capped;
} touch;

typedef struct plane {
    abut_vec3 x, y; ///< x, y and the normal are a right-handed frame
} plane;

static void flood(touch *t, int top, double tolerance)
{
    const abut_convex *shape = t->shape;
    abut_planar *set = &t->planar;
    double lowest = abut_dot(shape->points[top], t->direction) - tolerance;
    set->count = 1;
    set->ids[0] = top;
    for (int i = 0; i < set->count; ++i) {
        for (int k = shape->link_begin[set->ids[i]]; k < shape->link_begin[set->ids[i] + 1]; ++k) {
            int point = shape->links[k].point, is_new = abut_dot(shape->points[point], t->direction) >= lowest;
            for (int j = 0; j < set->count && is_new; ++j) {
                is_new = set->ids[j] != point;
            }
            if (is_new && set->count == ABUT_PLANAR_POINTS) {
                t->is_capped = 1;
            } else if (is_new) {
                set->ids[set->count++] = point;
            }
        }
    }
}

static abut_vec3 place_point(const touch *t, int point)
{
    return abut_add(abut_mat3_apply(t->rotation, t->shape->points[point]), t->offset);
}

static void find_touch(touch *t, int top, double tolerance, const plane *p, abut_vec3 origin)
{
    flood(t, top, tolerance);
    for (int i = 0; i < t->planar.count; ++i) {
        abut_vec3 from_origin = abut_sub(place_point(t, t->planar.ids[i]), origin);
        t->planar.points[i] = abut_vec2_make(abut_dot(p->x, from_origin), abut_dot(p->y, from_origin));
    }
    abut_planar_hull(&t->planar, tolerance);
    int index;
    abut_feature_kind kind = abut_convex_top(t->shape, t->direction, top, tolerance, &index);
    t->top = abut_convex_name(t->shape, kind, index);
}

// Both shapes on their planes.
typedef struct meeting {
    touch a, b;
    abut_planar_point points[2 * ABUT_PLANAR_POINTS];
    int count, is_repaired;
} meeting;

static void meet(const abut_convex_frame *frame, const abut_axis *axis, double tolerance, meeting *m)
{
    plane p = {.x = abut_any_perpendicular(axis->normal)};
    p.y = abut_cross(axis->normal, p.x);
    abut_vec3 origin = frame->a->points[axis->a];
    m->a.shape = frame->a;
    m->a.rotation = abut_mat3_identity();
    m->a.offset = abut_vec3_make(0.0, 0.0, 0.0);
    m->a.direction = axis->normal;
    m->b.shape = frame->b;
    m->b.rotation = frame->rotation;
    m->b.offset = frame->offset;
    m->b.direction = abut_negate(abut_convex_to_b(frame, axis->normal));
    m->a.is_capped = m->b.is_capped = 0;
    find_touch(&m->a, axis->a, tolerance, &p, origin);
    find_touch(&m->b, axis->b, tolerance, &p, origin);
    m->count = abut_planar_intersect(&m->a.planar, &m->b.planar, tolerance, m->points, &m->is_repaired);
}

// The point of the shape itself, and what it is on.
static abut_vec3 lift(const touch *t, abut_vec2 point, double tolerance, abut_feature *feature, abut_anchor *anchor)
{
    const abut_convex *shape = t->shape;
    abut_planar_place place = abut_planar_locate(&t->planar, point, tolerance);
    abut_anchor weights = {{-1, -1, -1, -1}, {0.0, 0.0, 0.0, 0.0}};
    abut_vec3 sum = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < place.count; ++i) {
        int id = t->planar.ids[place.corners[i]];
        weights.vertices[i] = shape->point_sources[id];
        weights.weights[i] = place.weights[i];
        sum = abut_add_scaled(sum, place.weights[i], shape->points[id]);
    }
    *feature =
        place.count == 1 ? abut_convex_name(shape, ABUT_FEATURE_VERTEX, t->planar.ids[place.corners[0]]) : t->top;
    if (place.count == 2) {
        int from = t->planar.ids[place.corners[0]], to = t->planar.ids[place.corners[1]];
        for (int k = shape->link_begin[from]; k < shape->link_begin[from + 1]; ++k) {
            if (shape->links[k].point == to) {
                *feature = abut_convex_name(shape, ABUT_FEATURE_EDGE, shape->links[k].edge);
            }
        }
    }
    *anchor = weights;
    return abut_add(abut_mat3_apply(t->rotation, sum), t->offset);
}

void abut_convex_middle(const abut_convex_frame *frame, const abut_axis *axis, double tolerance, abut_vec3 *point_a,
                        abut_vec3 *point_b)
{
    meeting m;
    meet(frame, axis, tolerance, &m);
    *point_a = *point_b = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < m.count; ++i) {
        abut_feature feature;
        abut_anchor anchor;
        abut_vec3 a = lift(&m.a, m.points[i].a, tolerance, &feature, &anchor);
        abut_vec3 b = lift(&m.b, m.points[i].b, tolerance, &feature, &anchor);
        *point_a = abut_add_scaled(*point_a, 1.0 / m.count, a);
        *point_b = abut_add_scaled(*point_b, 1.0 / m.count, b);
    }
}

static void measure(const meeting *m, abut_convex_manifold *manifold)
{
    const abut_planar_point *p = m->points;
    manifold->dimension = m->count < 3 ? m->count - 1 : 2;
    manifold->measure = 0.0;
    if (m->count == 2) {
        manifold->measure = hypot(p[1].a.x - p[0].a.x, p[1].a.y - p[0].a.y);
    }
    for (int i = 1; i + 1 < m->count; ++i) {
        double ux = p[i].a.x - p[0].a.x, uy = p[i].a.y - p[0].a.y;
        double vx = p[i + 1].a.x - p[0].a.x, vy = p[i + 1].a.y - p[0].a.y;
        manifold->measure += 0.5 * (ux * vy - uy * vx);
    }
}

abut_status abut_convex_find_manifold(const abut_convex_pair *pair, const abut_convex_result *result,
                                      abut_convex_manifold *manifold)
{
    ABUT_ASSERT(pair != NULL && result != NULL && manifold != NULL);
    abut_convex_pair read;
    abut_convex_frame frame;
    abut_mat3 a_to_world;
    abut_status status = abut_convex_read_pair(pair, &read, &frame, &a_to_world);
    manifold->count = manifold->required = manifold->repair_count = manifold->cap_count = 0;
    if (status != ABUT_OK) {
        return status;
    }
    abut_axis axis = {.normal = abut_mat3_apply_transposed(a_to_world, result->normal),
                      .a = result->certificate.support_a,
                      .b = result->certificate.support_b};
    abut_axis_measure(&frame, &axis);
    meeting m;
    meet(&frame, &axis, read.tolerance, &m);
    measure(&m, manifold);
    manifold->required = m.count;
    manifold->count = m.count < manifold->capacity ? m.count : manifold->capacity;
    manifold->repair_count = m.is_repaired;
    manifold->cap_count = m.a.is_capped + m.b.is_capped;
    for (int i = 0; i < manifold->count; ++i) {
        abut_convex_point *point = &manifold->points[i];
        abut_vec3 a = lift(&m.a, m.points[i].a, read.tolerance, &point->feature_a, &point->anchor_a);
        abut_vec3 b = lift(&m.b, m.points[i].b, read.tolerance, &point->feature_b, &point->anchor_b);
        point->position_a = abut_add(abut_mat3_apply(a_to_world, a), read.pose_a.position);
        point->position_b = abut_add(abut_mat3_apply(a_to_world, b), read.pose_a.position);
    }
    return manifold->count < manifold->required ? ABUT_TRUNCATED : ABUT_OK;
}
