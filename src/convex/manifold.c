// SPDX-License-Identifier: MIT
// manifold.c: where two convex shapes touch after they are moved together along the normal
//
// Each shape has a vertex, an edge or a face on its supporting plane, and what can be reached from it; seen along the normal
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
    abut_vec3 direction;   ///< outward at the plane, in the shape's frame
    abut_planar planar;    ///< ids are points of the shape
    abut_convex_part part; ///< the feature of highest dimension
    int is_capped;
    int is_from_inside; ///< seen along the normal
    int is_face;        ///< the corners are those of the face, all and in order
} touch;

// The plane as a shape sees it: x, y and the normal from A to B are a right-handed frame.
typedef struct plane {
    abut_vec3 x, y, normal;
} plane;

// Without a square root, and exact along the axes: n.z and its sign do not cancel.
static plane plane_of(abut_vec3 n)
{
    double sign = n.z < 0.0 ? -1.0 : 1.0, s = -1.0 / (sign + n.z), t = n.x * n.y * s;
    plane p = {{1.0 + sign * n.x * n.x * s, sign * t, -sign * n.x}, {t, sign + n.y * n.y * s, -n.y}, n};
    return p;
}

static plane turn_back(abut_mat3 rotation, const plane *p)
{
    plane turned = {abut_mat3_apply_transposed(rotation, p->x), abut_mat3_apply_transposed(rotation, p->y),
                    abut_mat3_apply_transposed(rotation, p->normal)};
    return turned;
}

static int has_id(const abut_planar *set, int point)
{
    for (int i = 0; i < set->count; ++i) {
        if (set->ids[i] == point) {
            return 1;
        }
    }
    return 0;
}

// Begins with the vertices of the feature of highest dimension; those of a face in order, seen from outside or inside.
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
        for (int i = 0; i < set->count; ++i) {
            int k = t->is_capped ? (int)((int64_t)i * count / set->count) : i;
            set->ids[i] = loop[t->is_from_inside ? count - 1 - k : k];
        }
    }
}

// Which of the shape's sides of faces is side i of the set, where that is a face.
static int side_of(const touch *t, int i)
{
    // from inside, the side after a point is the one that was before it
    int count = t->planar.count, k = !t->is_from_inside ? i : i + 1 < count ? count - 2 - i : count - 1;
    return t->shape->face_begin[t->part.index] + k;
}

// The sides of a face, from its own; `p` is the plane's frame as the shape sees it.
static void take_sides(touch *t, const plane *p)
{
    abut_planar *set = &t->planar;
    for (int i = 0; i < set->count; ++i) {
        abut_vec3 side = t->shape->sides[side_of(t, i)];
        abut_vec2 normal = {abut_dot(p->x, side), abut_dot(p->y, side)};
        set->normals[i] = normal;
        set->offsets[i] = normal.x * set->points[i].x + normal.y * set->points[i].y;
    }
}

// Adds all vertices that are not lower and can be reached along edges.
static void flood(touch *t, double lowest)
{
    const abut_convex *shape = t->shape;
    abut_planar *set = &t->planar;
    for (int i = 0; i < set->count; ++i) {
        int last = set->ids[i > 0 ? i - 1 : set->count - 1], next = set->ids[i + 1 < set->count ? i + 1 : 0];
        for (int k = shape->link_begin[set->ids[i]]; k < shape->link_begin[set->ids[i] + 1]; ++k) {
            int point = shape->links[k].point;
            if (point == last || point == next || abut_dot(shape->points[point], t->direction) < lowest ||
                has_id(set, point)) {
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

// Whether no vertex but those of a face is within the tolerance of the plane. The plane is tilted against the face by no more than the square
// root of 2 (1 - cosine), which a neighbour on an edge as long as the shape feels most.
static int is_alone(const touch *t, double tolerance)
{
    if (t->part.kind != ABUT_FEATURE_FACE) {
        return t->part.kind == ABUT_FEATURE_VERTEX;
    }
    const abut_convex *shape = t->shape;
    double tilt = 2.0 * (1.0 - abut_dot(shape->normals[t->part.index], t->direction)) + 0x1p-48;
    double room = shape->drops[t->part.index] - 2.0 * tolerance;
    return room > 0.0 && room * room > tilt * shape->length * shape->length;
}

// `p` is the plane's frame as the shape sees it; points are relative to `origin`.
static void find_touch(touch *t, int top, double tolerance, const plane *p, abut_vec2 origin)
{
    t->is_capped = 0;
    take_feature(t);
    int count = t->planar.count;
    if (!is_alone(t, tolerance)) {
        flood(t, abut_dot(t->shape->points[top], t->direction) - tolerance);
    }
    for (int i = 0; i < t->planar.count; ++i) {
        abut_vec3 point = t->shape->points[t->planar.ids[i]];
        t->planar.points[i] = abut_vec2_make(abut_dot(p->x, point) - origin.x, abut_dot(p->y, point) - origin.y);
    }
    t->is_face = t->part.kind == ABUT_FEATURE_FACE && t->planar.count == count && !t->is_capped &&
                 t->shape->corners[t->part.index] > tolerance;
    if (t->is_face) {
        take_sides(t, p);
    } else {
        abut_planar_close(&t->planar, tolerance);
    }
}

// Both shapes on their planes.
typedef struct meeting {
    touch a, b;
    abut_planar_point points[2 * ABUT_PLANAR_POINTS];
    int count, is_repaired;
} meeting;

// `way` is from the origin of A's frame to that of B's, along the plane. All is relative to the support of A, so that the distance of
// the shapes from their origins does not matter.
static void meet(const plane *of_a, const plane *of_b, abut_vec2 way, int support_a, int support_b,
                 double tolerance, meeting *m)
{
    abut_vec3 support = m->a.shape->points[support_a];
    abut_vec2 origin = abut_vec2_make(abut_dot(of_a->x, support), abut_dot(of_a->y, support));
    m->a.direction = of_a->normal;
    m->b.direction = abut_negate(of_b->normal);
    m->a.is_from_inside = 0;
    m->b.is_from_inside = 1;
    find_touch(&m->a, support_a, tolerance, of_a, origin);
    find_touch(&m->b, support_b, tolerance, of_b, abut_vec2_make(origin.x - way.x, origin.y - way.y));
    m->count = abut_planar_intersect(&m->a.planar, &m->b.planar, tolerance, m->points, &m->is_repaired);
}

// The point of the shape itself, in its frame.
static inline abut_vec3 lift(const touch *t, const abut_planar_place *place)
{
    const abut_vec3 *points = t->shape->points;
    abut_vec3 sum = abut_scale(place->weights[0], points[t->planar.ids[place->corners[0]]]);
    sum = abut_add_scaled(sum, place->weights[1], points[t->planar.ids[place->corners[1]]]);
    return abut_add_scaled(sum, place->weights[2], points[t->planar.ids[place->corners[2]]]);
}

// What the point is on.
static abut_feature name_place(const touch *t, const abut_planar_place *place)
{
    const abut_convex *shape = t->shape;
    int from = t->planar.ids[place->corners[0]];
    if (place->count == 1) {
        return abut_convex_name(shape, (abut_convex_part){ABUT_FEATURE_VERTEX, from});
    }
    if (place->count == 2 && t->is_face) {
        int edge = shape->face_edges[side_of(t, place->corners[0])];
        return abut_convex_name(shape, (abut_convex_part){ABUT_FEATURE_EDGE, edge});
    }
    for (int k = shape->link_begin[from]; k < shape->link_begin[from + 1] && place->count == 2; ++k) {
        if (shape->links[k].point == t->planar.ids[place->corners[1]]) {
            return abut_convex_name(shape, (abut_convex_part){ABUT_FEATURE_EDGE, shape->links[k].edge});
        }
    }
    return abut_convex_name(shape, t->part);
}

static abut_anchor anchor_of(const touch *t, const abut_planar_place *place)
{
    abut_anchor anchor = {{-1, -1, -1, -1}, {0.0, 0.0, 0.0, 0.0}};
    for (int i = 0; i < 3; ++i) {
        int vertex = t->shape->point_sources[t->planar.ids[place->corners[i]]];
        anchor.vertices[i] = i < place->count ? vertex : -1;
        anchor.weights[i] = place->weights[i];
    }
    return anchor;
}

void abut_convex_middle(const abut_convex_frame *frame, const abut_axis *axis, double tolerance, abut_vec3 *point_a,
                        abut_vec3 *point_b)
{
    meeting m;
    plane of_a = plane_of(axis->normal), of_b = turn_back(frame->rotation, &of_a);
    m.a.shape = frame->a;
    m.b.shape = frame->b;
    m.a.part = abut_convex_top(frame->a, of_a.normal, axis->a, tolerance);
    m.b.part = abut_convex_top(frame->b, abut_negate(of_b.normal), axis->b, tolerance);
    meet(&of_a, &of_b, abut_vec2_make(abut_dot(of_a.x, frame->offset), abut_dot(of_a.y, frame->offset)), axis->a,
         axis->b, tolerance, &m);
    *point_a = *point_b = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < m.count; ++i) {
        abut_planar_place a = abut_planar_locate(&m.a.planar, m.points[i].a, m.points[i].on_a, tolerance);
        abut_planar_place b = abut_planar_locate(&m.b.planar, m.points[i].b, m.points[i].on_b, tolerance);
        *point_a = abut_add_scaled(*point_a, 1.0 / m.count, lift(&m.a, &a));
        *point_b = abut_add_scaled(*point_b, 1.0 / m.count, lift(&m.b, &b));
    }
    *point_b = abut_add(abut_mat3_apply(frame->rotation, *point_b), frame->offset);
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

static int is_part_of(const abut_convex *shape, abut_convex_part part, int support)
{
    int count = part.kind == ABUT_FEATURE_FACE     ? shape->face_count
                : part.kind == ABUT_FEATURE_EDGE   ? shape->edge_count
                : part.kind == ABUT_FEATURE_VERTEX ? shape->point_count
                                                   : 0;
    return part.index >= 0 && part.index < count && support >= 0 && support < shape->point_count;
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
    int support_a = result->certificate.support_a, support_b = result->certificate.support_b;
    if (!is_part_of(frame.a, result->part_a, support_a) || !is_part_of(frame.b, result->part_b, support_b)) {
        return ABUT_BAD_ARGUMENT;
    }
    meeting m;
    plane in_world = plane_of(result->normal);
    plane of_a = turn_back(frame.a_to_world, &in_world), of_b = turn_back(frame.b_to_world, &in_world);
    abut_vec3 offset = abut_sub(frame.position_b, frame.position_a);
    m.a.shape = frame.a;
    m.b.shape = frame.b;
    m.a.part = result->part_a;
    m.b.part = result->part_b;
    meet(&of_a, &of_b, abut_vec2_make(abut_dot(in_world.x, offset), abut_dot(in_world.y, offset)), support_a,
         support_b, frame.tolerance, &m);
    measure(&m, manifold);
    manifold->required = m.count;
    manifold->count = m.count < manifold->capacity ? m.count : manifold->capacity;
    manifold->repair_count = m.is_repaired;
    manifold->cap_count = m.a.is_capped + m.b.is_capped;
    for (int i = 0; i < manifold->count; ++i) {
        abut_convex_point *point = &manifold->points[i];
        abut_planar_place a = abut_planar_locate(&m.a.planar, m.points[i].a, m.points[i].on_a, frame.tolerance);
        abut_planar_place b = abut_planar_locate(&m.b.planar, m.points[i].b, m.points[i].on_b, frame.tolerance);
        point->position_a = abut_add(abut_mat3_apply(frame.a_to_world, lift(&m.a, &a)), frame.position_a);
        point->position_b = abut_add(abut_mat3_apply(frame.b_to_world, lift(&m.b, &b)), frame.position_b);
        point->feature_a = name_place(&m.a, &a);
        point->feature_b = name_place(&m.b, &b);
        point->anchor_a = anchor_of(&m.a, &a);
        point->anchor_b = anchor_of(&m.b, &b);
    }
    return manifold->count < manifold->required ? ABUT_TRUNCATED : ABUT_OK;
}
