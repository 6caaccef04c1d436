// SPDX-License-Identifier: MIT
// box_manifold.c: the contact manifold of two boxes
//
// Two faces, a vertex and a face, or two edges. For faces, the same walk around face A as in planar.c, for two rectangles. The distance of a point from a side of a rectangle is
// one of its coordinates along the other two sides, or their length minus the coordinate. So the coordinates of the
// corners of one face in the other one tell where the sides cross, and the place of each point in both faces.
//
// Cost:    constant; no allocation. A third of the general path.
// Fails:   returns 0 for other features, if the features do not meet, if more vertices are within the tolerance of the
//          plane, or if rounding changes the order of crossings. The general path then tells.
#include "convex/box_manifold.h"

// The compiler finds these functions too large to inline, but then the manifold takes a quarter longer.
#define INLINED __attribute__((always_inline))

enum { CORNERS_HIGHEST = 8 }; // of the intersection of two rectangles

// A face with its corners counter-clockwise in the view along the contact normal. Side i is from corner i to the next
// one; sides 0 and 2 are along x, sides 1 and 3 along y. Positions are in world axes, relative to A's position.
typedef struct face {
    const abut_convex *shape;
    int index;
    int32_t sources[4]; ///< its corners in the mesh
    int begin, sign;    ///< where its corners begin in the shape, and 1 or -1 if they are in reverse order
    abut_vec3 corners[4];
    abut_vec3 x, y; ///< unit vectors along the sides
    double lengths[2], inverse_lengths[2];
    double across[4], up[4]; ///< coordinates of the other face's corners along x and y, from corner 0
} face;

typedef struct walk {
    face a, b;
    abut_vec2 corners_a[4]; ///< A's corners in its own coordinates
    double heights[4][4];   ///< per side of B: its distances from the corners of A, positive if they are inside
    int outside[4]; ///< per corner of A: bit i is set if it is further outside side i of B than the tolerance
    double tolerance;
    abut_vec3 origin; ///< A's position in the world
    abut_convex_manifold *manifold;
    abut_vec2 flat[CORNERS_HIGHEST]; ///< the points found, in coordinates of A
    int count;
    int is_doubtful;
} walk;

// Returns 0 if a corner is too sharp, or if other vertices are as close to the contact plane as the face: see is_alone()
// of manifold.c. `sign` is 1 for A and -1 for B, which is seen from inside, so that its corners are in reverse order.
static inline int find_face(const abut_convex *shape, int index, abut_mat3 rotation, abut_vec3 offset,
                            abut_vec3 outward, int sign, double tolerance, double depth, face *f)
{
    if (!(shape->corners[index] > tolerance)) {
        return 0;
    }
    const int *ids = &shape->face_points[shape->face_begin[index]];
    f->shape = shape;
    f->index = index;
    f->begin = shape->face_begin[index];
    f->sign = sign;
    for (int i = 0; i < 4; ++i) {
        f->sources[i] = shape->point_sources[ids[sign > 0 ? i : 3 - i]];
    }
    abut_vec3 first = shape->points[ids[sign > 0 ? 0 : 3]];
    abut_vec3 x = abut_mat3_apply(rotation, abut_sub(shape->points[ids[sign > 0 ? 1 : 2]], first));
    abut_vec3 y = abut_mat3_apply(rotation, abut_sub(shape->points[ids[sign > 0 ? 3 : 0]], first));
    f->corners[0] = abut_add(abut_mat3_apply(rotation, first), offset);
    f->corners[1] = abut_add(f->corners[0], x);
    f->corners[2] = abut_add(f->corners[1], y);
    f->corners[3] = abut_add(f->corners[0], y);
    f->inverse_lengths[0] = shape->inverse_lengths[f->begin + (sign > 0 ? 0 : 2)];
    f->inverse_lengths[1] = shape->inverse_lengths[f->begin + 1];
    f->x = abut_scale(f->inverse_lengths[0], x);
    f->y = abut_scale(f->inverse_lengths[1], y);
    f->lengths[0] = abut_dot(f->x, x);
    f->lengths[1] = abut_dot(f->y, y);
    // x and y are counter-clockwise in the view along the normal, which is against B's outward direction
    double tilt = 2.0 * (1.0 - sign * abut_dot(abut_cross(f->x, f->y), outward)) + 0x1p-48;
    double room = shape->drops[index] - 2.0 * (tolerance + depth);
    return room > 0.0 && room * room > tilt * shape->length * shape->length;
}

// Finds the coordinates of the other face's corners. `first` is the other's corner 0 seen from that of this face.
static inline void find_coordinates(face *f, const face *other, abut_vec3 first)
{
    double x = abut_dot(f->x, first), x_of_x = other->lengths[0] * abut_dot(f->x, other->x);
    double y = abut_dot(f->y, first), y_of_x = other->lengths[0] * abut_dot(f->y, other->x);
    double x_of_y = other->lengths[1] * abut_dot(f->x, other->y);
    double y_of_y = other->lengths[1] * abut_dot(f->y, other->y);
    f->across[0] = x, f->across[1] = x + x_of_x, f->across[2] = x + x_of_x + x_of_y, f->across[3] = x + x_of_y;
    f->up[0] = y, f->up[1] = y + y_of_x, f->up[2] = y + y_of_x + y_of_y, f->up[3] = y + y_of_y;
}

// Bit i: corner k of the other face is further outside side i than the tolerance.
static inline int code_of(const face *f, int k, double tolerance)
{
    double across = f->across[k], up = f->up[k];
    return (up < -tolerance) | (f->lengths[0] - across < -tolerance) << 1 | (f->lengths[1] - up < -tolerance) << 2 |
           (across < -tolerance) << 3;
}

// ---------------------------------------------------------------------------------------------------------------
// Points

// What one face contributes to a contact point.
typedef struct share {
    abut_vec3 *position;
    abut_feature *feature;
    abut_anchor *anchor;
} share;

static inline void put_at_corner(const face *f, int i, share out)
{
    int32_t source = f->sources[i];
    *out.position = f->corners[i];
    *out.feature = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = source, .vertices = {-1, -1}};
    *out.anchor = (abut_anchor){{source, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
}

// At fraction t of a side, or at an end of the side if that is within the tolerance.
static inline INLINED void put_along(const face *f, int side, double t, double tolerance, share out)
{
    int next = (side + 1) & 3;
    double rest = 1.0 - t, length = f->lengths[side & 1];
    if (t * length <= tolerance || rest * length <= tolerance) {
        put_at_corner(f, t < rest ? side : next, out);
        return;
    }
    *out.position = abut_add_scaled(abut_scale(rest, f->corners[side]), t, f->corners[next]);
    *out.feature = f->shape->edge_features[f->shape->face_edges[f->begin + (f->sign > 0 ? side : (2 - side) & 3)]];
    *out.anchor = (abut_anchor){{f->sources[side], f->sources[next], -1, -1}, {rest, t, 0.0, 0.0}};
}

static inline double clamp(double x)
{
    return x > 0.0 ? x < 1.0 ? x : 1.0 : 0.0;
}

// At a corner of the other face that is within this one: on the nearest side if that is within the tolerance, else in
// one of the two triangles that begin at corner 0.
static inline INLINED void put_inside(const face *f, int corner, double tolerance, share out)
{
    double across = f->across[corner], up = f->up[corner];
    double h[4] = {up, f->lengths[0] - across, f->lengths[1] - up, across};
    double x = h[3] * f->inverse_lengths[0], y = h[0] * f->inverse_lengths[1];
    double low = h[0] < h[2] ? h[0] : h[2], side = h[1] < h[3] ? h[1] : h[3];
    if (low <= tolerance || side <= tolerance) {
        if (low <= side) {
            put_along(f, h[0] <= h[2] ? 0 : 2, clamp(h[0] <= h[2] ? x : 1.0 - x), tolerance, out);
        } else {
            put_along(f, h[1] <= h[3] ? 1 : 3, clamp(h[1] <= h[3] ? y : 1.0 - y), tolerance, out);
        }
        return;
    }
    int is_low = y <= x, second = is_low ? 1 : 2, third = second + 1;
    double weights[3] = {1.0 - (is_low ? x : y), is_low ? x - y : x, is_low ? y : y - x};
    abut_vec3 sum = abut_add_scaled(abut_scale(weights[0], f->corners[0]), weights[1], f->corners[second]);
    *out.position = abut_add_scaled(sum, weights[2], f->corners[third]);
    *out.feature = f->shape->face_features[f->index];
    *out.anchor = (abut_anchor){{f->sources[0], f->sources[second], f->sources[third], -1},
                                {weights[0], weights[1], weights[2], 0.0}};
}

static inline int is_near(abut_vec2 p, abut_vec2 q, double tolerance)
{
    double x = p.x - q.x, y = p.y - q.y;
    return x * x + y * y <= tolerance * tolerance;
}

// Returns 1 if a point, in coordinates of A, is new: not within the tolerance of the last one.
static inline int is_new(walk *w, abut_vec2 p)
{
    if (w->count > 0 && is_near(w->flat[w->count - 1], p, w->tolerance)) {
        return 0;
    }
    w->is_doubtful |= w->count == CORNERS_HIGHEST; // only if rounding adds crossings
    return !w->is_doubtful;
}

// Where a new point goes. `unused` takes those for which the caller has no room.
static inline abut_convex_point *next_point(walk *w, abut_vec2 p, abut_convex_point *unused)
{
    int at = w->count++;
    w->flat[at] = p;
    return at < w->manifold->capacity ? &w->manifold->points[at] : unused;
}

static inline share share_a(abut_convex_point *point)
{
    return (share){&point->position_a, &point->feature_a, &point->anchor_a};
}

static inline share share_b(abut_convex_point *point)
{
    return (share){&point->position_b, &point->feature_b, &point->anchor_b};
}

static inline void move_to_world(const walk *w, abut_convex_point *point)
{
    point->position_a = abut_add(point->position_a, w->origin);
    point->position_b = abut_add(point->position_b, w->origin);
}

static inline INLINED void add_corner_of_a(walk *w, int i)
{
    if (is_new(w, w->corners_a[i])) {
        abut_convex_point unused, *point = next_point(w, w->corners_a[i], &unused);
        put_at_corner(&w->a, i, share_a(point));
        put_inside(&w->b, i, w->tolerance, share_b(point));
        move_to_world(w, point);
    }
}

static void add_corner_of_b(walk *w, int i)
{
    abut_vec2 p = {w->a.across[i], w->a.up[i]};
    if (code_of(&w->a, i, w->tolerance) != 0) {
        w->is_doubtful = 1;
    } else if (is_new(w, p)) {
        abut_convex_point unused, *point = next_point(w, p, &unused);
        put_inside(&w->a, i, w->tolerance, share_a(point));
        put_at_corner(&w->b, i, share_b(point));
        move_to_world(w, point);
    }
}

// Adds the point at fraction t of a side of A, which is on side `by` of B.
static inline INLINED void add_crossing(walk *w, int side, int by, double t)
{
    int next = (side + 1) & 3, before = (by + 3) & 3;
    abut_vec2 from = w->corners_a[side], to = w->corners_a[next];
    abut_vec2 p = {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
    if (!is_new(w, p)) {
        return;
    }
    abut_convex_point unused, *point = next_point(w, p, &unused);
    put_along(&w->a, side, t, w->tolerance, share_a(point));
    // the coordinate along a side is the distance from the side before it
    const double *heights = w->heights[before];
    double along = heights[side] + t * (heights[next] - heights[side]);
    w->is_doubtful |= (along < -w->tolerance) | (along > w->b.lengths[by & 1] + w->tolerance);
    put_along(&w->b, by, clamp(along * w->b.inverse_lengths[by & 1]), w->tolerance, share_b(point));
    move_to_world(w, point);
}

// ---------------------------------------------------------------------------------------------------------------
// Walk

// The part of a side of A that is inside B, as fractions, and the sides of B at which it begins and ends; -1: none, the
// side of A begins or ends inside.
typedef struct part {
    double from, to;
    int in, out;
} part;

// See touches() of planar.c: a side that leaves before it enters passes outside a corner, maybe within the tolerance.
static int touches(const walk *w, int side, part *p)
{
    double t = 0.5 * (p->from + p->to);
    for (int i = 0; i < 4; ++i) {
        double from = w->heights[i][side], to = w->heights[i][(side + 1) & 3];
        if (from + t * (to - from) < -w->tolerance) {
            return 0;
        }
    }
    p->from = p->to = t;
    return 1;
}

// Finds the part of a side of A inside B. Returns 0 if there is none.
static inline int cut_side(const walk *w, int side, part *p)
{
    int next = (side + 1) & 3, begins = w->outside[side], ends = w->outside[next];
    *p = (part){0.0, 1.0, -1, -1};
    if (begins & ends) {
        return 0;
    }
    for (int i = 0, rest = begins | ends; rest != 0; ++i, rest >>= 1) {
        if ((rest & 1) == 0) {
            continue;
        }
        double from = w->heights[i][side], t = clamp(from / (from - w->heights[i][next]));
        if (begins >> i & 1) {
            if (t > p->from) {
                p->from = t;
                p->in = i;
            }
        } else if (t < p->to) {
            p->to = t;
            p->out = i;
        }
    }
    return p->from <= p->to || touches(w, side, p);
}

// Adds the corners of B from side `out`, where A left it, to side `in`, where A returns.
static void add_corners_between(walk *w, int out, int in)
{
    for (int i = out; i != in;) {
        i = (i + 1) & 3;
        add_corner_of_b(w, i);
    }
}

static void walk_around(walk *w)
{
    int left = -1, first_in = -1; // sides of B: where A last left it, and where A first entered it
    for (int i = 0; i < 4; ++i) {
        part p;
        if (!cut_side(w, i, &p)) {
            continue;
        }
        if (p.in < 0) {
            add_corner_of_a(w, i);
        } else {
            if (left >= 0) {
                add_corners_between(w, left, p.in);
            } else {
                first_in = p.in;
            }
            add_crossing(w, i, p.in, p.from);
        }
        if (p.out >= 0) {
            add_crossing(w, i, p.out, p.to);
            left = p.out;
        }
    }
    if (left >= 0 && first_in >= 0) {
        add_corners_between(w, left, first_in);
    } else if (w->count == 0) { // B is inside A, or both are apart
        add_corners_between(w, 3, 2);
        add_corner_of_b(w, 3);
    }
}

static double measure(const walk *w)
{
    const abut_vec2 *p = w->flat;
    double sum = 0.0;
    if (w->count == 2) {
        double x = p[1].x - p[0].x, y = p[1].y - p[0].y;
        return sqrt(x * x + y * y);
    }
    for (int i = 1; i + 1 < w->count; ++i) {
        sum += (p[i].x - p[0].x) * (p[i + 1].y - p[0].y) - (p[i].y - p[0].y) * (p[i + 1].x - p[0].x);
    }
    return 0.5 * sum;
}

// Two faces. Returns 0 if rounding makes the order of crossings doubtful, or if the faces do not meet.
static int meet_faces(walk *w, abut_vec3 normal)
{
    abut_vec3 way = abut_sub(w->b.corners[0], w->a.corners[0]); // seen along the normal
    way = abut_add_scaled(way, -abut_dot(way, normal), normal);
    find_coordinates(&w->a, &w->b, way);
    find_coordinates(&w->b, &w->a, abut_negate(way));
    for (int i = 0; i < 4; ++i) {
        w->heights[0][i] = w->b.up[i];
        w->heights[1][i] = w->b.lengths[0] - w->b.across[i];
        w->heights[2][i] = w->b.lengths[1] - w->b.up[i];
        w->heights[3][i] = w->b.across[i];
        w->outside[i] = code_of(&w->b, i, w->tolerance);
    }
    w->corners_a[0] = abut_vec2_make(0.0, 0.0);
    w->corners_a[1] = abut_vec2_make(w->a.lengths[0], 0.0);
    w->corners_a[2] = abut_vec2_make(w->a.lengths[0], w->a.lengths[1]);
    w->corners_a[3] = abut_vec2_make(0.0, w->a.lengths[1]);
    walk_around(w);
    w->count -= w->count > 1 && is_near(w->flat[0], w->flat[w->count - 1], w->tolerance);
    return w->count > 0 && !w->is_doubtful;
}

// ---------------------------------------------------------------------------------------------------------------
// Single points

// A vertex of one box and a face of the other. Returns 0 if the vertex is not over the face.
static int meet_vertex(walk *w, face *f, const abut_convex *shape, int vertex, abut_vec3 position, abut_vec3 normal,
                       int is_face_a)
{
    abut_vec3 way = abut_sub(position, f->corners[0]);
    way = abut_add_scaled(way, -abut_dot(way, normal), normal);
    f->across[0] = abut_dot(f->x, way);
    f->up[0] = abut_dot(f->y, way);
    if (code_of(f, 0, w->tolerance) != 0) {
        return 0;
    }
    abut_convex_point unused, *point = next_point(w, abut_vec2_make(f->across[0], f->up[0]), &unused);
    share on_face = is_face_a ? share_a(point) : share_b(point), at = is_face_a ? share_b(point) : share_a(point);
    int32_t source = shape->point_sources[vertex];
    put_inside(f, 0, w->tolerance, on_face);
    *at.position = position;
    *at.feature = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = source, .vertices = {-1, -1}};
    *at.anchor = (abut_anchor){{source, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
    move_to_world(w, point);
    return 1;
}

typedef struct edge {
    const abut_convex *shape;
    int index;
    abut_vec3 from, way; ///< its first end, and the vector to the other one
    double squared;
} edge;

// Returns 0 if the edge is not longer than the tolerance, or if other vertices are within the tolerance of the plane.
static int find_edge(const abut_convex *shape, int index, abut_mat3 rotation, abut_vec3 offset, abut_vec3 normal,
                     double tolerance, edge *e)
{
    const abut_convex_edge *own = &shape->edges[index];
    const abut_zonotope *z = &shape->zonotope;
    abut_vec3 local = abut_mat3_apply_transposed(rotation, normal), from = shape->points[own->points[0]];
    int along = z->generators[index];
    for (int k = 0; k < 3; ++k) {
        if (k != along && !(2.0 * z->widths[k] * fabs(abut_dot(local, z->normals[k])) > tolerance)) {
            return 0;
        }
    }
    *e = (edge){.shape = shape,
                .index = index,
                .from = abut_add(abut_mat3_apply(rotation, from), offset),
                .way = abut_mat3_apply(rotation, abut_sub(shape->points[own->points[1]], from)),
                .squared = own->squared};
    return own->squared > tolerance * tolerance;
}

static void put_on_edge(const edge *e, double t, double tolerance, share out)
{
    const int *points = e->shape->edges[e->index].points;
    int32_t sources[2] = {e->shape->point_sources[points[0]], e->shape->point_sources[points[1]]};
    double rest = 1.0 - t, limit = tolerance * tolerance;
    if (t * t * e->squared <= limit || rest * rest * e->squared <= limit) {
        int32_t source = sources[t >= rest];
        *out.position = t < rest ? e->from : abut_add(e->from, e->way);
        *out.feature = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = source, .vertices = {-1, -1}};
        *out.anchor = (abut_anchor){{source, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
        return;
    }
    *out.position = abut_add_scaled(e->from, t, e->way);
    *out.feature = e->shape->edge_features[e->index];
    *out.anchor = (abut_anchor){{sources[0], sources[1], -1, -1}, {rest, t, 0.0, 0.0}};
}

// Two edges, as intersect_segments() of planar.c. Returns 0 if they are nearly parallel, or do not cross.
static int meet_edges(walk *w, const edge *a, const edge *b, abut_vec3 normal)
{
    double limit = w->tolerance * w->tolerance, product = abut_dot(normal, abut_cross(a->way, b->way));
    double squared = product * product;
    // the square of a sine, no unit: below, the crossing has lost three digits
    if (squared <= limit * a->squared || squared <= limit * b->squared ||
        squared <= 1e-6 * a->squared * b->squared) {
        return 0;
    }
    abut_vec3 way = abut_sub(b->from, a->from);
    double t = clamp(abut_dot(normal, abut_cross(way, b->way)) / product);
    abut_vec3 apart = abut_sub(abut_add_scaled(a->from, t, a->way), b->from);
    apart = abut_add_scaled(apart, -abut_dot(apart, normal), normal);
    double s = clamp(abut_dot(apart, b->way) / b->squared);
    if (abut_norm_squared(abut_add_scaled(apart, -s, b->way)) > limit) {
        return 0;
    }
    abut_convex_point unused, *point = next_point(w, abut_vec2_make(0.0, 0.0), &unused);
    put_on_edge(a, t, w->tolerance, share_a(point));
    put_on_edge(b, s, w->tolerance, share_b(point));
    move_to_world(w, point);
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// All

static int meet(const abut_convex_frame *frame, const abut_convex_result *result, double depth, walk *w)
{
    const abut_convex *a = frame->a, *b = frame->b;
    abut_convex_part on_a = result->part_a, on_b = result->part_b;
    abut_vec3 normal = result->normal, origin = abut_vec3_make(0.0, 0.0, 0.0);
    abut_vec3 offset = abut_sub(frame->position_b, frame->position_a);
    double tolerance = frame->tolerance;
    int is_face_a = on_a.kind == ABUT_FEATURE_FACE, is_face_b = on_b.kind == ABUT_FEATURE_FACE;
    if ((is_face_a && !find_face(a, on_a.index, frame->a_to_world, origin, normal, 1, tolerance, depth, &w->a)) ||
        (is_face_b &&
         !find_face(b, on_b.index, frame->b_to_world, offset, abut_negate(normal), -1, tolerance, depth, &w->b))) {
        return 0;
    }
    if (is_face_a && is_face_b) {
        return meet_faces(w, normal);
    }
    if (depth > 0.0) {
        return 0;
    }
    if (is_face_a && on_b.kind == ABUT_FEATURE_VERTEX) {
        abut_vec3 p = abut_add(abut_mat3_apply(frame->b_to_world, b->points[on_b.index]), offset);
        return meet_vertex(w, &w->a, b, on_b.index, p, normal, 1);
    }
    if (is_face_b && on_a.kind == ABUT_FEATURE_VERTEX) {
        abut_vec3 p = abut_mat3_apply(frame->a_to_world, a->points[on_a.index]);
        return meet_vertex(w, &w->b, a, on_a.index, p, normal, 0);
    }
    edge edge_a, edge_b;
    return on_a.kind == ABUT_FEATURE_EDGE && on_b.kind == ABUT_FEATURE_EDGE &&
           find_edge(a, on_a.index, frame->a_to_world, origin, normal, tolerance, &edge_a) &&
           find_edge(b, on_b.index, frame->b_to_world, offset, normal, tolerance, &edge_b) &&
           meet_edges(w, &edge_a, &edge_b, normal);
}

int abut_box_manifold(const abut_convex_frame *frame, const abut_convex_result *result, double depth,
                      abut_convex_manifold *manifold)
{
    walk w;
    w.tolerance = frame->tolerance;
    w.origin = frame->position_a;
    w.manifold = manifold;
    w.count = w.is_doubtful = 0;
    if (!frame->a->zonotope.is_box || !frame->b->zonotope.is_box || !meet(frame, result, depth, &w)) {
        return 0;
    }
    manifold->required = w.count;
    manifold->count = w.count < manifold->capacity ? w.count : manifold->capacity > 0 ? manifold->capacity : 0;
    manifold->dimension = w.count < 3 ? w.count - 1 : 2;
    manifold->measure = measure(&w);
    return 1;
}
