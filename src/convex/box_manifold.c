// SPDX-License-Identifier: MIT
// box_manifold.c: the contact manifold of two boxes that touch with faces
//
// The same walk around face A as in planar.c, for two rectangles. The distance of a point from a side of a rectangle is
// one of its coordinates along the other two sides, or their length minus the coordinate. So the coordinates of the
// corners of one face in the other one tell where the sides cross, and the place of each point in both faces.
//
// Cost:    constant; no allocation. A third of the general path.
// Fails:   returns 0 if the contact is not one of two faces, if the faces do not meet, or if rounding changes the order
//          of crossings. The general path then tells.
#include "convex/box_manifold.h"

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
    /// Per side: its distances from the four corners of the other face, positive if they are inside. The last ones are
    /// the coordinates along x, the first ones those along y, both from corner 0.
    double heights[4][4];
} face;

typedef struct walk {
    face a, b;
    abut_vec2 corners_a[4]; ///< A's corners in its own coordinates
    int outside[4]; ///< per corner of A: bit i is set if it is further outside side i of B than the tolerance
    double tolerance;
    abut_vec3 origin; ///< A's position in the world
    abut_convex_manifold *manifold;
    abut_vec2 flat[CORNERS_HIGHEST]; ///< the points found, in coordinates of A
    int count;
    int is_doubtful;
} walk;

// Returns 0 if the shape is no box, or if other vertices are as close to the contact plane as the face: see is_alone()
// of manifold.c. `sign` is 1 for A and -1 for B, which is seen from inside, so that its corners are in reverse order.
static inline int find_face(const abut_convex *shape, int index, abut_mat3 rotation, abut_vec3 offset,
                            abut_vec3 outward, int sign, double tolerance, double depth, face *f)
{
    if (!shape->zonotope.is_box || !(shape->corners[index] > tolerance)) {
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
    double tilt = 2.0 * (1.0 - abut_dot(abut_mat3_apply(rotation, shape->normals[index]), outward)) + 0x1p-48;
    double room = shape->drops[index] - 2.0 * (tolerance + depth);
    return room > 0.0 && room * room > tilt * shape->length * shape->length;
}

// Finds the distances of the other face's corners. `first` is the other's corner 0 seen from that of this face.
static inline void find_heights(face *f, const face *other, abut_vec3 first)
{
    double x = abut_dot(f->x, first), x_of_x = other->lengths[0] * abut_dot(f->x, other->x);
    double y = abut_dot(f->y, first), y_of_x = other->lengths[0] * abut_dot(f->y, other->x);
    double x_of_y = other->lengths[1] * abut_dot(f->x, other->y);
    double y_of_y = other->lengths[1] * abut_dot(f->y, other->y);
    double across[4] = {x, x + x_of_x, x + x_of_x + x_of_y, x + x_of_y};
    double up[4] = {y, y + y_of_x, y + y_of_x + y_of_y, y + y_of_y};
    for (int i = 0; i < 4; ++i) {
        f->heights[0][i] = up[i];
        f->heights[1][i] = f->lengths[0] - across[i];
        f->heights[2][i] = f->lengths[1] - up[i];
        f->heights[3][i] = across[i];
    }
}

// Bit i: corner k of the other face is further outside side i than the tolerance.
static inline int code_of(const face *f, int k, double tolerance)
{
    return (f->heights[0][k] < -tolerance) | (f->heights[1][k] < -tolerance) << 1 |
           (f->heights[2][k] < -tolerance) << 2 | (f->heights[3][k] < -tolerance) << 3;
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
static inline void put_along(const face *f, int side, double t, double tolerance, share out)
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
static inline void put_inside(const face *f, int corner, double tolerance, share out)
{
    double h[4] = {f->heights[0][corner], f->heights[1][corner], f->heights[2][corner], f->heights[3][corner]};
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

static void add_corner_of_a(walk *w, int i)
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
    abut_vec2 p = {w->a.heights[3][i], w->a.heights[0][i]};
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
static void add_crossing(walk *w, int side, int by, double t)
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
    const double *heights = w->b.heights[before];
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
        double from = w->b.heights[i][side], to = w->b.heights[i][(side + 1) & 3];
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
        double from = w->b.heights[i][side], t = clamp(from / (from - w->b.heights[i][next]));
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

int abut_box_manifold(const abut_convex_frame *frame, const abut_convex_result *result, double depth,
                      abut_convex_manifold *manifold)
{
    walk w;
    double tolerance = frame->tolerance;
    if (result->part_a.kind != ABUT_FEATURE_FACE || result->part_b.kind != ABUT_FEATURE_FACE ||
        !find_face(frame->a, result->part_a.index, frame->a_to_world, abut_vec3_make(0.0, 0.0, 0.0), result->normal,
                   1, tolerance, depth, &w.a) ||
        !find_face(frame->b, result->part_b.index, frame->b_to_world,
                   abut_sub(frame->position_b, frame->position_a), abut_negate(result->normal), -1, tolerance,
                   depth, &w.b)) {
        return 0;
    }
    abut_vec3 way = abut_sub(w.b.corners[0], w.a.corners[0]); // seen along the normal
    way = abut_add_scaled(way, -abut_dot(way, result->normal), result->normal);
    find_heights(&w.a, &w.b, way);
    find_heights(&w.b, &w.a, abut_negate(way));
    for (int i = 0; i < 4; ++i) {
        w.outside[i] = code_of(&w.b, i, tolerance);
    }
    w.corners_a[0] = abut_vec2_make(0.0, 0.0);
    w.corners_a[1] = abut_vec2_make(w.a.lengths[0], 0.0);
    w.corners_a[2] = abut_vec2_make(w.a.lengths[0], w.a.lengths[1]);
    w.corners_a[3] = abut_vec2_make(0.0, w.a.lengths[1]);
    w.tolerance = tolerance;
    w.origin = frame->position_a;
    w.manifold = manifold;
    w.count = w.is_doubtful = 0;
    walk_around(&w);
    if (w.is_doubtful || w.count == 0) {
        return 0;
    }
    w.count -= w.count > 1 && is_near(w.flat[0], w.flat[w.count - 1], tolerance);
    manifold->required = w.count;
    manifold->count = w.count < manifold->capacity ? w.count : manifold->capacity > 0 ? manifold->capacity : 0;
    manifold->dimension = w.count < 3 ? w.count - 1 : 2;
    manifold->measure = measure(&w);
    return 1;
}
