// SPDX-License-Identifier: MIT
// box_facet.c: the nearest facet of the Minkowski difference of two boxes
//
// The difference of two boxes has 15 pairs of opposite facets: the normals of three faces of A, of three faces of B, and
// of nine pairs of edges. The nine cosines between the axes of A and B and the vector between the centers give the
// overlaps along all of them, without supports or signs. If one overlap is less than all others by more than the error
// of these estimates, its facet is the nearest. Its overlap is then computed from the vertices, as for all shapes. If
// not, the general search decides.
//
// Source:  Gottschalk, Lin and Manocha 1996, section 5; ours: squares instead of square roots, bounds of the errors.
// Cost:    constant; no allocation. All facets are tried, so the answer needs no other proof.
// Fails:   returns 0 if two directions tie or nearly do, and between nearly parallel edges that may be the nearest.
#include "convex/box_facet.h"
#include "convex/feature.h"

#include <float.h>

typedef struct boxes {
    double c[3][3], sizes[3][3];   ///< cosines between the axes of A and B, and their absolute values
    double along_a[3], along_b[3]; ///< components of the vector between the centers along the axes of A and B
    const double *wide_a, *wide_b; ///< half sizes
    double error;                  ///< of sums and products of lengths: 256 DBL_EPSILON of the coordinates
    double margin;                 ///< a length: overlaps that differ by less may tie
    double lowest, second;         ///< the least overlap found, and the least of the others
    double limit;                  ///< see set_limit()
    int kind, i, j;                ///< the axis of the least overlap
} boxes;

// Squared sine of the angle between two edges, no unit. Below it they are nearly parallel: the error of their overlap
// is more than 100 times boxes.error, and the margin does not cover it.
static const double SINE_SQUARED_LOW = 1e-4;

// Squared sine, no unit: 8 DBL_EPSILON, squared. Directions this close are the same up to rounding.
static const double SAME_SQUARED = 64.0 * DBL_EPSILON * DBL_EPSILON;

static inline void find_cosines(const abut_convex_frame *frame, boxes *s)
{
    const abut_vec3 *normals_a = frame->a->zonotope.normals, *normals_b = frame->b->zonotope.normals;
    abut_vec3 between = frame->between;
    abut_mat3 rotation = frame->rotation;
    for (int j = 0; j < 3; ++j) {
        abut_vec3 m = abut_mat3_apply(rotation, normals_b[j]);
        s->along_b[j] = abut_dot(m, between);
        for (int i = 0; i < 3; ++i) {
            s->c[i][j] = abut_dot(normals_a[i], m);
            s->sizes[i][j] = fabs(s->c[i][j]);
        }
    }
    for (int i = 0; i < 3; ++i) {
        s->along_a[i] = abut_dot(normals_a[i], between);
    }
}

static inline void add_overlap(boxes *s, double overlap, int kind, int i, int j)
{
    if (overlap < s->lowest) {
        s->second = s->lowest;
        s->lowest = overlap;
        s->kind = kind, s->i = i, s->j = j;
    } else if (overlap < s->second) {
        s->second = overlap;
    }
}

// Returns 1 if normal j of B is normal i of A up to rounding, in either direction.
static inline int is_same(const boxes *s, int i, int j)
{
    double u = s->c[(i + 1) % 3][j], v = s->c[(i + 2) % 3][j];
    return u * u + v * v <= SAME_SQUARED;
}

static inline void try_faces(boxes *s)
{
    for (int i = 0; i < 3; ++i) {
        const double *sizes = s->sizes[i];
        double reach = s->wide_a[i] + s->wide_b[0] * sizes[0] + s->wide_b[1] * sizes[1] + s->wide_b[2] * sizes[2];
        add_overlap(s, reach - fabs(s->along_a[i]), ABUT_AXIS_FACE_A, i, 0);
    }
    for (int j = 0; j < 3; ++j) {
        double reach = s->wide_b[j] + s->wide_a[0] * s->sizes[0][j] + s->wide_a[1] * s->sizes[1][j] +
                       s->wide_a[2] * s->sizes[2][j];
        double overlap = reach - fabs(s->along_b[j]);
        // a face parallel to the best face of A has the same overlap: A's is taken
        if (overlap <= s->lowest + s->margin && s->kind == ABUT_AXIS_FACE_A && is_same(s, s->i, j)) {
            continue;
        }
        add_overlap(s, overlap, ABUT_AXIS_FACE_B, 0, j);
    }
}

// Sets the limit of overlaps that may be the least or tie with it. Squares with the sign of their numbers save the
// square roots.
static inline void set_limit(boxes *s)
{
    double limit = s->lowest + s->margin;
    s->limit = limit * fabs(limit);
}

// Tries the normals of edge i of A and all edges of B. With a0, a1, a2 along the edges of A, the components of a0 x b
// are (0, -c2, c1). Returns 0 if edges are nearly parallel and their facet may be the nearest.
static inline int try_edges(boxes *s, int i)
{
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const double *own = s->sizes[i], *c1 = s->c[i1], *c2 = s->c[i2], *sizes1 = s->sizes[i1], *sizes2 = s->sizes[i2];
    double size1 = s->wide_a[i1], size2 = s->wide_a[i2], along1 = s->along_a[i1], along2 = s->along_a[i2];
    double overlaps[3], squared[3];
    for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        double reach = size1 * sizes2[j] + size2 * sizes1[j] + s->wide_b[j1] * own[j2] + s->wide_b[j2] * own[j1];
        overlaps[j] = reach - fabs(along2 * c1[j] - along1 * c2[j]);
        squared[j] = c1[j] * c1[j] + c2[j] * c2[j];
    }
    for (int j = 0; j < 3; ++j) {
        double low = overlaps[j] - s->error;
        if (low * fabs(low) > s->limit * squared[j]) {
            continue;
        }
        // no facet of its own if the normal is that of a face: the edge of one box is parallel to a face of the other
        double same = SAME_SQUARED * squared[j], next = own[(j + 1) % 3], last = own[(j + 2) % 3];
        if (c1[j] * c1[j] <= same || c2[j] * c2[j] <= same || next * next <= same || last * last <= same) {
            continue;
        }
        if (squared[j] < SINE_SQUARED_LOW) {
            return 0;
        }
        add_overlap(s, overlaps[j] / sqrt(squared[j]), ABUT_AXIS_EDGES, i, j);
        set_limit(s);
    }
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// The facet. If the centers are not apart along the normal, the opposite facet ties, and the functions return 0.

// The edge of a generator at a vertex.
static int edge_at(const abut_convex *shape, int generator, int vertex)
{
    int k = shape->link_begin[vertex];
    while (shape->zonotope.generators[shape->links[k].edge] != generator) {
        ++k;
    }
    return shape->links[k].edge;
}

// A face of a box: at right angles to an axis, on the side of its normal (1) or against it (-1).
typedef struct side {
    int axis;
    double sign;
} side;

// The feature on the plane of the other box's face: the face, edge or vertex whose vertices are all within the
// tolerance of the plane. `drops` are those of the support's neighbours along each generator. The axis of `on` is -1
// unless it is a face.
static inline abut_convex_part part_below(const abut_convex *shape, int support, const double *drops,
                                          abut_vec3 direction, double tolerance, side *on)
{
    on->axis = -1;
    int low = (drops[0] <= tolerance) + (drops[1] <= tolerance) + (drops[2] <= tolerance);
    if (low == 0) {
        return (abut_convex_part){ABUT_FEATURE_VERTEX, support};
    }
    int far = drops[0] > drops[1] ? drops[0] > drops[2] ? 0 : 2 : drops[1] > drops[2] ? 1 : 2;
    if (low == 2 && drops[far < 2 ? far + 1 : 0] + drops[far > 0 ? far - 1 : 2] <= tolerance) {
        int is_against = abut_dot(shape->zonotope.normals[far], direction) < 0.0;
        *on = (side){far, is_against ? -1.0 : 1.0};
        return (abut_convex_part){ABUT_FEATURE_FACE, shape->zonotope.faces[far][is_against]};
    }
    return abut_convex_top(shape, direction, support, tolerance);
}

// A face of one box (`own`) and the support of the other, in the frame of the face's box. `sign` of the direction along
// the normal; `cosines` of the normal with the axes of the other box.
static inline void find_signs(const double *cosines, double sign, const double *wide, int *signs, double *drops)
{
    *signs = 0;
    for (int k = 0; k < 3; ++k) {
        *signs |= (sign * cosines[k] < 0.0) << k;
        drops[k] = 2.0 * wide[k] * fabs(cosines[k]);
    }
}

// How soon a line from the middle of a face leaves it: one over the multiple of a way at which it crosses a side. The
// way is between the centers, with the components `along`, plus `more` times `cosines`.
static inline double leave(const double *along, double more, const double *cosines, const double *wide, int axis)
{
    int k1 = axis < 2 ? axis + 1 : 0, k2 = axis > 0 ? axis - 1 : 2;
    double across = fabs(along[k1] + more * cosines[k1]) / wide[k1];
    double up = fabs(along[k2] + more * cosines[k2]) / wide[k2];
    return across > up ? across : up;
}

// Finds witness points on two parallel faces: the middle of the part of the line between the middles of the faces that
// is over both. There is none if the line leaves one face before it is over the other.
static inline void find_witness(const abut_convex_frame *frame, const boxes *s, side on_a, side on_b,
                                abut_box_facet *facet)
{
    const abut_axis *axis = &facet->axis;
    int i = on_a.axis, j = on_b.axis;
    abut_vec3 from = frame->a->middles[facet->part_a.index], to = frame->b->middles[facet->part_b.index];
    abut_vec3 way = abut_sub(abut_add(abut_mat3_apply(frame->rotation, to), frame->offset), from);
    double column[3] = {s->c[0][j], s->c[1][j], s->c[2][j]};
    double leave_a = leave(s->along_a, on_b.sign * s->wide_b[j], column, s->wide_a, i);
    double leave_b = leave(s->along_b, -on_a.sign * s->wide_a[i], s->c[i], s->wide_b, j);
    double last = leave_a > 1.0 ? 1.0 / leave_a : 1.0, first = leave_b > 1.0 ? 1.0 - 1.0 / leave_b : 0.0;
    abut_vec3 middle = abut_add_scaled(from, 0.5 * (first + last), way);
    double height = abut_dot(axis->normal, abut_sub(frame->a->points[axis->a], middle));
    facet->has_witness = first <= last;
    facet->point_a = abut_add_scaled(middle, height, axis->normal);
    facet->point_b = abut_add_scaled(facet->point_a, -axis->overlap, axis->normal);
}

static inline int take_face_a(const abut_convex_frame *frame, const boxes *s, abut_box_facet *facet)
{
    const abut_convex *a = frame->a, *b = frame->b;
    abut_axis *axis = &facet->axis;
    int signs, i = s->i, is_opposite = s->along_a[i] < 0.0;
    if (2.0 * fabs(s->along_a[i]) <= s->margin) {
        return 0;
    }
    double sign = is_opposite ? -1.0 : 1.0;
    find_signs(s->c[i], sign, s->wide_b, &signs, facet->drops);
    axis->feature_a = a->zonotope.faces[i][is_opposite];
    axis->normal = a->normals[axis->feature_a];
    axis->a = a->tops[axis->feature_a];
    axis->b = axis->feature_b = b->zonotope.vertices[signs];
    abut_vec3 against = abut_negate(abut_convex_to_b(frame, axis->normal));
    axis->overlap = abut_dot(a->points[axis->a], axis->normal) + abut_dot(b->points[axis->b], against) -
                    abut_dot(axis->normal, frame->offset);
    facet->part_a = (abut_convex_part){ABUT_FEATURE_FACE, axis->feature_a};
    side other;
    facet->part_b = part_below(b, axis->b, facet->drops, against, frame->tolerance, &other);
    if (other.axis >= 0) {
        find_witness(frame, s, (side){i, sign}, other, facet);
    }
    return 1;
}

static inline int take_face_b(const abut_convex_frame *frame, const boxes *s, abut_box_facet *facet)
{
    const abut_convex *a = frame->a, *b = frame->b;
    abut_axis *axis = &facet->axis;
    int signs, j = s->j, is_opposite = s->along_b[j] > 0.0; // the normal from A to B is against that of B's face
    double cosines[3] = {s->c[0][j], s->c[1][j], s->c[2][j]};
    if (2.0 * fabs(s->along_b[j]) <= s->margin) {
        return 0;
    }
    double sign = is_opposite ? -1.0 : 1.0;
    find_signs(cosines, sign, s->wide_a, &signs, facet->drops);
    axis->feature_b = b->zonotope.faces[j][is_opposite];
    axis->normal = abut_negate(abut_mat3_apply(frame->rotation, b->normals[axis->feature_b]));
    axis->b = b->tops[axis->feature_b];
    axis->a = axis->feature_a = a->zonotope.vertices[signs];
    abut_vec3 against = abut_negate(abut_convex_to_b(frame, axis->normal));
    axis->overlap = abut_dot(a->points[axis->a], axis->normal) + abut_dot(b->points[axis->b], against) -
                    abut_dot(axis->normal, frame->offset);
    facet->part_b = (abut_convex_part){ABUT_FEATURE_FACE, axis->feature_b};
    side other;
    facet->part_a = part_below(a, axis->a, facet->drops, axis->normal, frame->tolerance, &other);
    if (other.axis >= 0) {
        find_witness(frame, s, other, (side){j, sign}, facet);
    }
    return 1;
}

// The feature of a box on the plane of two edges, one of them its own: that edge, or more if neighbours of the support
// are within the tolerance of the plane.
static abut_convex_part part_of_edge(const abut_convex *shape, int edge, int support, double gap,
                                     abut_vec3 direction, double tolerance)
{
    return gap > tolerance ? (abut_convex_part){ABUT_FEATURE_EDGE, edge}
                           : abut_convex_top(shape, direction, support, tolerance);
}

static abut_vec3 generator_of(const abut_zonotope *z, int k)
{
    return abut_vec3_make(z->x[k], z->y[k], z->z[k]);
}

// Along the normal a_i x b_j, the axes of A have the components (0, -c2, c1) in the order i, i + 1, i + 2, and those of
// B (0, c[i][j2], -c[i][j1]) in the order j, j + 1, j + 2, divided by the sine.
static int take_edges(const abut_convex_frame *frame, const boxes *s, abut_box_facet *facet)
{
    const abut_convex *a = frame->a, *b = frame->b;
    abut_axis *axis = &facet->axis;
    const int i = s->i, i1 = (i + 1) % 3, i2 = (i + 2) % 3, j = s->j, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    double c1 = s->c[i1][j], c2 = s->c[i2][j], d1 = s->c[i][j1], d2 = s->c[i][j2];
    double along = s->along_a[i2] * c1 - s->along_a[i1] * c2, sign = along < 0.0 ? -1.0 : 1.0;
    double sine = sqrt(c1 * c1 + c2 * c2);
    if (2.0 * fabs(along) <= s->margin * sine) {
        return 0;
    }
    abut_vec3 u = generator_of(&a->zonotope, i),
              v = abut_mat3_apply(frame->rotation, generator_of(&b->zonotope, j));
    if (!abut_axis_of_edges(u, v, abut_scale(sign, abut_cross(u, v)), &axis->normal)) {
        return 0;
    }
    axis->a = a->zonotope.vertices[(sign * c2 < 0.0) << i1 | (sign * c1 > 0.0) << i2];
    axis->b = b->zonotope.vertices[(sign * d2 < 0.0) << j1 | (sign * d1 > 0.0) << j2];
    axis->feature_a = edge_at(a, i, axis->a);
    axis->feature_b = edge_at(b, j, axis->b);
    abut_vec3 against = abut_negate(abut_convex_to_b(frame, axis->normal));
    axis->overlap = abut_dot(a->points[axis->a], axis->normal) + abut_dot(b->points[axis->b], against) -
                    abut_dot(axis->normal, frame->offset);
    double lowest_a = fmin(s->wide_a[i1] * fabs(c2), s->wide_a[i2] * fabs(c1));
    double lowest_b = fmin(s->wide_b[j1] * fabs(d2), s->wide_b[j2] * fabs(d1));
    double gap_a = 2.0 * lowest_a / sine, gap_b = 2.0 * lowest_b / sine;
    facet->part_a = part_of_edge(a, axis->feature_a, axis->a, gap_a, axis->normal, frame->tolerance);
    facet->part_b = part_of_edge(b, axis->feature_b, axis->b, gap_b, against, frame->tolerance);
    return 1;
}

int abut_box_find_facet(const abut_convex_frame *frame, abut_box_facet *facet)
{
    boxes s;
    s.wide_a = frame->a->zonotope.widths;
    s.wide_b = frame->b->zonotope.widths;
    s.error = 0x1p-44 * frame->scale;
    s.margin = 256.0 * s.error; // the error of edges, whose sine is at least 1/100, and of the ties
    s.lowest = s.second = HUGE_VAL;
    s.kind = s.i = s.j = 0;
    find_cosines(frame, &s);
    try_faces(&s);
    set_limit(&s);
    if (!try_edges(&s, 0) || !try_edges(&s, 1) || !try_edges(&s, 2) || s.second <= s.lowest + s.margin) {
        return 0;
    }
    facet->axis.kind = (abut_axis_kind)s.kind;
    facet->has_witness = 0;
    if (s.kind == ABUT_AXIS_EDGES) {
        return take_edges(frame, &s, facet);
    }
    return s.kind == ABUT_AXIS_FACE_A ? take_face_a(frame, &s, facet) : take_face_b(frame, &s, facet);
}
