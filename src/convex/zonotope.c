// SPDX-License-Identifier: MIT
// zonotope.c: minimum translation of zonotopes with few generators, such as boxes
//
// A zonotope is the Minkowski sum of segments: all points center + t1 g1 + t2 g2 + ... with t from -1 to 1. A box has
// three generators g. A parallelepiped, a prism over a centrally symmetric hexagon and a rhombic dodecahedron are
// zonotopes too, with up to four. The Minkowski difference of two zonotopes is a zonotope with the generators of both.
// The normal of each facet is the cross product of two generators: two of A (a face of A), two of B (a face of B), or
// one of each. In a direction n the difference extends by the sum of all |n . g|. So no supports and signs are needed
// to compare the overlaps of all facets, which have 15 axes for two boxes.
//
// For n = a x b and another generator c of A, n . c = b . (c x a), and c x a is the normal of a face of A times a
// length. So the extents for all mixed normals follow from products with face normals, which are needed anyway, times
// stored weights. Two boxes are mostly answered by box_facet.c; those with ties come here.
//
// These numbers only select facets that may be the nearest. Their overlaps are then computed from the shapes
// themselves, as for all other shapes.
//
// Source:  the separating axes of Yi and Drumwright 2016, algorithms 1 and 2.
// Cost:    constant; no allocation. The search tests all facets, so the answer needs no other proof.
#include "convex/zonotope.h"
#include "convex/overlap.h"

#include <float.h>

// HIGHEST candidates: two opposite facets for each axis, of the faces of both bodies and of all pairs of generators.
enum { LANES = ABUT_ZONOTOPE_GENERATORS, FACES = ABUT_ZONOTOPE_FACES, HIGHEST = 2 * (2 * FACES + LANES * LANES) };

// ---------------------------------------------------------------------------------------------------------------
// Recognition

// How far points may be from their place by the generators, a length: 4 DBL_EPSILON of the coordinates, for the
// rounding of up to four sums.
static double tolerance_of(const abut_convex *shape)
{
    return 4.0 * DBL_EPSILON * shape->reach;
}

// Length of the difference of two unit normals, no unit: normals this close count as one. About 450 DBL_EPSILON, since
// normals of small faces far from the origin are less accurate than coordinates. The search allows more: 1e-11.
static const double SAME_NORMAL = 1e-13;

static abut_vec3 generator_of(const abut_zonotope *z, int k)
{
    return abut_vec3_make(z->x[k], z->y[k], z->z[k]);
}

// Finds the generators: each edge must be twice a generator, in either direction. Returns 0 if there are more than
// four.
static int find_generators(abut_convex *shape)
{
    abut_zonotope *z = &shape->zonotope;
    for (int i = 0; i < shape->edge_count; ++i) {
        const int *points = shape->edges[i].points;
        abut_vec3 half = abut_scale(0.5, abut_sub(shape->points[points[1]], shape->points[points[0]]));
        int k = 0;
        for (; k < z->count; ++k) {
            abut_vec3 g = generator_of(z, k);
            g = abut_dot(g, half) < 0.0 ? abut_negate(g) : g;
            if (abut_norm(abut_sub(g, half)) <= tolerance_of(shape)) {
                break;
            }
        }
        if (k == LANES) {
            return 0;
        }
        if (k == z->count) {
            z->x[k] = half.x, z->y[k] = half.y, z->z[k] = half.z;
            z->squared[k] = abut_norm_squared(half);
            ++z->count;
        }
        z->generators[i] = k;
    }
    abut_vec3 n = abut_cross(generator_of(z, 0), generator_of(z, 1));
    if (z->count == 3 && abut_dot(n, generator_of(z, 2)) < 0.0) { // boxes need right-handed generators
        z->x[2] = -z->x[2], z->y[2] = -z->y[2], z->z[2] = -z->z[2];
    }
    return 1;
}

static int signs_in(const abut_zonotope *z, abut_vec3 direction)
{
    int signs = 0;
    for (int k = 0; k < LANES; ++k) {
        signs |= (direction.x * z->x[k] + direction.y * z->y[k] + direction.z * z->z[k] > 0.0) << k;
    }
    return signs;
}

// Checks that each vertex is the signed sum of the generators. The signs come from a direction in which the vertex is
// the furthest.
static int find_vertices(abut_convex *shape)
{
    abut_zonotope *z = &shape->zonotope;
    for (int i = 0; i < 1 << LANES; ++i) {
        z->vertices[i] = -1;
    }
    for (int p = 0; p < shape->point_count; ++p) {
        abut_vec3 outward = abut_vec3_make(0.0, 0.0, 0.0), place = z->center;
        for (int i = shape->link_begin[p]; i < shape->link_begin[p + 1]; ++i) {
            const int *faces = shape->edges[shape->links[i].edge].faces;
            outward = abut_add(outward, abut_add(shape->normals[faces[0]], shape->normals[faces[1]]));
        }
        int signs = signs_in(z, outward);
        for (int k = 0; k < z->count; ++k) {
            place = abut_add_scaled(place, signs & 1 << k ? 1.0 : -1.0, generator_of(z, k));
        }
        if (abut_norm(abut_sub(place, shape->points[p])) > tolerance_of(shape)) {
            return 0;
        }
        z->vertices[signs] = p;
    }
    return 1;
}

// Checks that each face has an opposite face and is as far from the center as the generators extend along its normal.
static int find_faces(abut_convex *shape)
{
    abut_zonotope *z = &shape->zonotope;
    for (int f = 0; f < shape->face_count; ++f) {
        abut_vec3 n = shape->normals[f];
        abut_vec3 point = shape->points[shape->face_points[shape->face_begin[f]]];
        double width = abut_dot(n, abut_sub(point, z->center)), reach = 0.0;
        for (int k = 0; k < z->count; ++k) {
            reach += fabs(abut_dot(n, generator_of(z, k)));
        }
        if (fabs(reach - width) > tolerance_of(shape)) {
            return 0;
        }
        int i = 0;
        while (i < z->face_count && abut_norm(abut_add(n, z->normals[i])) > SAME_NORMAL) {
            ++i;
        }
        if (i < z->face_count) {
            z->faces[i][1] = f;
        } else if (i < FACES) {
            z->normals[i] = n;
            z->widths[i] = width;
            z->faces[i][0] = f;
            z->faces[i][1] = -1;
            ++z->face_count;
        } else {
            return 0;
        }
    }
    for (int i = 0; i < z->face_count; ++i) {
        if (z->faces[i][1] < 0) {
            return 0;
        }
    }
    return 1;
}

// Recognises a box: three generators, each along the normal of a face. Brings the faces into the order of the
// generators, with normals along them.
static void find_box(abut_zonotope *z)
{
    int k = 0;
    for (; k < z->count && z->count == 3 && z->face_count == 3; ++k) {
        abut_vec3 g = generator_of(z, k);
        int f = k;
        while (f < 3 && abut_norm(abut_cross(g, z->normals[f])) > SAME_NORMAL * sqrt(z->squared[k])) {
            ++f;
        }
        if (f == 3) {
            return;
        }
        abut_vec3 n = z->normals[f];
        double width = z->widths[f];
        int is_against = abut_dot(g, n) < 0.0, faces[2] = {z->faces[f][is_against], z->faces[f][!is_against]};
        z->normals[f] = z->normals[k];
        z->widths[f] = z->widths[k];
        z->faces[f][0] = z->faces[k][0], z->faces[f][1] = z->faces[k][1];
        z->normals[k] = is_against ? abut_negate(n) : n;
        z->widths[k] = width;
        z->faces[k][0] = faces[0], z->faces[k][1] = faces[1];
    }
    z->is_box = k == 3;
}

// Computes the weights. Checks that each pair of generators spans a face.
static int find_weights(abut_zonotope *z)
{
    for (int i = 0; i < z->count; ++i) {
        for (int k = 0; k < z->count; ++k) {
            if (k == i) {
                continue;
            }
            abut_vec3 n = abut_cross(generator_of(z, i), generator_of(z, k));
            double length = abut_norm(n);
            int f = 0;
            while (f < z->face_count && abut_norm(abut_cross(n, z->normals[f])) > SAME_NORMAL * length) {
                ++f;
            }
            if (f == z->face_count) {
                return 0;
            }
            z->weights[f][i] += length;
        }
    }
    return 1;
}

void abut_convex_find_zonotope(abut_convex *shape)
{
    shape->zonotope = (abut_zonotope){.center = shape->center};
    abut_zonotope *z = &shape->zonotope;
    if (shape->edge_count <= ABUT_ZONOTOPE_EDGES && find_generators(shape) && find_vertices(shape) &&
        find_faces(shape)) {
        find_box(z);
        if (find_weights(z)) {
            return;
        }
    }
    z->count = z->is_box = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Search

// A facet that may be the nearest.
typedef struct candidate {
    double overlap; ///< estimate; exceeds the true overlap by rounding at most
    abut_axis_kind kind;
    int a, b;        ///< generators, or pairs of opposite faces
    int is_opposite; ///< 1: the axis points against the normal or cross product
} candidate;

// Both shapes in A's frame, and the values common to all axes.
typedef struct search {
    const abut_convex_frame *frame;
    const abut_zonotope *a, *b;
    double x[LANES], y[LANES], z[LANES]; ///< B's generators
    abut_vec3 between;                   ///< from center to center
    double lowest;                       ///< least overlap found, up to rounding
    double margin;                       ///< candidates may exceed `lowest` by this: ties and rounding
    double parts_a[FACES][LANES];        ///< |normal of A . generator of B|
    double parts_b[FACES][LANES];        ///< |normal of B . generator of A|
    candidate candidates[HIGHEST];
    int count;
} search;

// Squared sine of the angle between two generators, no unit. Below it they are nearly parallel: the squared length of
// their cross product, computed as a difference of squares, has lost four digits.
static const double SINE_SQUARED_LOW = 1e-4;
// Squared sine: below it, generators are parallel and have no normal. The square of ABUT_AXIS_SINE_LOWEST.
static const double SINE_SQUARED_LOWEST = 1e-30;

static void turn_b(search *s)
{
    abut_mat3 r = s->frame->rotation;
    const abut_zonotope *b = s->b;
    for (int j = 0; j < LANES; ++j) {
        s->x[j] = r.x.x * b->x[j] + r.y.x * b->y[j] + r.z.x * b->z[j];
        s->y[j] = r.x.y * b->x[j] + r.y.y * b->y[j] + r.z.y * b->z[j];
        s->z[j] = r.x.z * b->x[j] + r.y.z * b->y[j] + r.z.z * b->z[j];
    }
}

static void add_candidate(search *s, double overlap, abut_axis_kind kind, int a, int b, int is_opposite)
{
    s->candidates[s->count++] = (candidate){overlap, kind, a, b, is_opposite};
}

// Tries the two facets of an axis. Along it, both bodies together extend by `reach` from their centers, which are
// `along` apart.
static void try_axis(search *s, double reach, double along, abut_axis_kind kind, int a, int b)
{
    double overlap = reach - fabs(along);
    s->lowest = overlap < s->lowest ? overlap : s->lowest;
    if (overlap <= s->lowest + s->margin) {
        add_candidate(s, overlap, kind, a, b, along < 0.0);
        if (reach + fabs(along) <= s->lowest + s->margin) {
            add_candidate(s, reach + fabs(along), kind, a, b, !(along < 0.0));
        }
    }
}

static void try_faces(search *s)
{
    const abut_zonotope *a = s->a, *b = s->b;
    for (int f = 0; f < a->face_count; ++f) {
        abut_vec3 n = a->normals[f];
        double *part = s->parts_a[f];
        for (int j = 0; j < LANES; ++j) {
            part[j] = fabs(n.x * s->x[j] + n.y * s->y[j] + n.z * s->z[j]);
        }
        double reach = a->widths[f] + ((part[0] + part[1]) + (part[2] + part[3]));
        try_axis(s, reach, abut_dot(n, s->between), ABUT_AXIS_FACE_A, f, 0);
    }
    for (int f = 0; f < b->face_count; ++f) {
        abut_vec3 n = abut_mat3_apply(s->frame->rotation, b->normals[f]);
        double *part = s->parts_b[f];
        for (int i = 0; i < LANES; ++i) {
            part[i] = fabs(n.x * a->x[i] + n.y * a->y[i] + n.z * a->z[i]);
        }
        double reach = b->widths[f] + ((part[0] + part[1]) + (part[2] + part[3]));
        // axes point from A to B, against the outward normal of B's face: hence the minus
        try_axis(s, reach, -abut_dot(n, s->between), ABUT_AXIS_FACE_B, 0, f);
    }
}

// Returns 1 if the normal of two generators is that of a face of A or B up to rounding (8 DBL_EPSILON): the face
// contains one generator and is parallel to the other. The face is a candidate itself.
static int is_of_face(const search *s, int i, int j)
{
    const abut_zonotope *a = s->a, *b = s->b;
    abut_vec3 g = generator_of(a, i), h = abut_vec3_make(s->x[j], s->y[j], s->z[j]);
    double limit = 64.0 * DBL_EPSILON * DBL_EPSILON * abut_norm_squared(abut_cross(g, h));
    for (int f = 0; f < a->face_count; ++f) {
        double part = s->parts_a[f][j];
        if (a->weights[f][i] > 0.0 && part * part * a->squared[i] <= limit) {
            return 1;
        }
    }
    for (int f = 0; f < b->face_count; ++f) {
        double part = s->parts_b[f][i];
        if (b->weights[f][j] > 0.0 && part * part * b->squared[j] <= limit) {
            return 1;
        }
    }
    return 0;
}

// Returns 0 if the facets of two generators are further away than the nearest one. `squared` is the squared length of
// their cross product, `squares` the product of their squared lengths; `reach` and `along` are in units of the cross
// product. Comparing squares saves the square root for most pairs.
static inline int may_be_near(const search *s, double reach, double along, double squared, double squares)
{
    double overlap = reach - fabs(along), limit = s->lowest + s->margin;
    if (squared < SINE_SQUARED_LOW * squares) {
        return squared > SINE_SQUARED_LOWEST * squares;
    }
    return !(overlap > 0.0 && (limit < 0.0 || overlap * overlap > limit * limit * squared));
}

// Tries the two facets of two generators. The overlaps of nearly parallel ones are inaccurate: rounding of 256
// DBL_EPSILON of the coordinates is divided by the sine. So their estimates are reduced by that error.
static void try_edges(search *s, int i, int j, double reach, double along, double squared, double squares)
{
    double length = sqrt(squared);
    if (squared >= SINE_SQUARED_LOW * squares) {
        try_axis(s, reach / length, along / length, ABUT_AXIS_EDGES, i, j);
        return;
    }
    double error = 0x1p-44 * s->frame->scale * sqrt(squares) / length;
    double overlaps[2] = {(reach - along) / length - error, (reach + along) / length - error};
    for (int k = 0; k < 2; ++k) {
        if (overlaps[k] <= s->lowest + s->margin) {
            add_candidate(s, overlaps[k], ABUT_AXIS_EDGES, i, j, k);
        }
    }
}

// Tries all generators of B with one of A.
static void try_row(search *s, int i)
{
    const abut_zonotope *a = s->a, *b = s->b;
    abut_vec3 g = generator_of(a, i), m = abut_cross(s->between, g);
    double reach[LANES] = {0.0}, along[LANES], squared[LANES];
    for (int f = 0; f < a->face_count; ++f) {
        for (int j = 0; j < LANES; ++j) {
            reach[j] += a->weights[f][i] * s->parts_a[f][j];
        }
    }
    for (int f = 0; f < b->face_count; ++f) {
        for (int j = 0; j < LANES; ++j) {
            reach[j] += b->weights[f][j] * s->parts_b[f][i];
        }
    }
    for (int j = 0; j < LANES; ++j) {
        double product = g.x * s->x[j] + g.y * s->y[j] + g.z * s->z[j];
        along[j] = m.x * s->x[j] + m.y * s->y[j] + m.z * s->z[j];
        squared[j] = a->squared[i] * b->squared[j] - product * product;
    }
    for (int j = 0; j < b->count; ++j) {
        double squares = a->squared[i] * b->squared[j];
        if (squared[j] < SINE_SQUARED_LOW * squares) {
            abut_vec3 n = abut_cross(g, abut_vec3_make(s->x[j], s->y[j], s->z[j]));
            squared[j] = abut_norm_squared(n);
        }
        if (may_be_near(s, reach[j], along[j], squared[j], squares) && !is_of_face(s, i, j)) {
            try_edges(s, i, j, reach[j], along[j], squared[j], squares);
        }
    }
}

// Returns the edge of a generator that is furthest in a direction. Tries the edges at the furthest vertex first, then
// all.
static int edge_at(const abut_convex *shape, int generator, int vertex, abut_vec3 direction)
{
    const int *generators = shape->zonotope.generators;
    for (int k = shape->link_begin[vertex]; k < shape->link_begin[vertex + 1]; ++k) {
        if (generators[shape->links[k].edge] == generator) {
            return shape->links[k].edge;
        }
    }
    int best = -1;
    double highest = -HUGE_VAL;
    for (int i = 0; i < shape->edge_count; ++i) {
        double height = abut_dot(shape->points[shape->edges[i].points[0]], direction);
        if (generators[i] == generator && height > highest) {
            best = i;
            highest = height;
        }
    }
    return best;
}

// edge_at(), after a check of `edge`, which mostly ends at the furthest vertex already.
static int edge_near(const abut_convex *shape, int edge, int generator, int vertex, abut_vec3 direction)
{
    return abut_convex_is_end(shape, edge, vertex) ? edge : edge_at(shape, generator, vertex, direction);
}

static int start_at(const abut_zonotope *z, abut_vec3 direction)
{
    int vertex = z->vertices[signs_in(z, direction)];
    return vertex < 0 ? 0 : vertex;
}

// Finds the normal of a candidate. Returns 0 if its generators are parallel.
static int find_normal(const search *s, const candidate *c, abut_axis *axis)
{
    const abut_convex_frame *frame = s->frame;
    axis->kind = c->kind;
    if (c->kind == ABUT_AXIS_FACE_A) {
        axis->feature_a = s->a->faces[c->a][c->is_opposite];
        axis->normal = frame->a->normals[axis->feature_a];
    } else if (c->kind == ABUT_AXIS_FACE_B) {
        axis->feature_b = s->b->faces[c->b][c->is_opposite];
        axis->normal = abut_negate(abut_mat3_apply(frame->rotation, frame->b->normals[axis->feature_b]));
    } else {
        abut_vec3 a = generator_of(s->a, c->a), b = abut_mat3_apply(frame->rotation, generator_of(s->b, c->b));
        abut_vec3 n = abut_cross(a, b);
        return abut_axis_of_edges(a, b, c->is_opposite ? abut_negate(n) : n, &axis->normal);
    }
    return 1;
}

// Returns 1 if a direction equals one of the ties up to rounding (8 DBL_EPSILON), so its overlap is known.
static int is_known(const abut_overlap *result, abut_vec3 normal)
{
    for (int i = 0; i < result->tie_count; ++i) {
        abut_vec3 d = abut_sub(normal, result->ties[i].normal);
        if (abut_norm_squared(d) <= 64.0 * DBL_EPSILON * DBL_EPSILON) {
            return 1;
        }
    }
    return 0;
}

// Computes supports, overlap and features in the direction of a candidate from the shapes themselves.
static void place_axis(const search *s, const candidate *c, abut_axis *axis)
{
    const abut_convex_frame *frame = s->frame;
    abut_vec3 against = abut_negate(abut_convex_to_b(frame, axis->normal));
    axis->a = c->kind == ABUT_AXIS_FACE_A ? 0 : start_at(s->a, axis->normal); // a face needs no start
    axis->b = c->kind == ABUT_AXIS_FACE_B ? 0 : start_at(s->b, against);
    if (c->kind == ABUT_AXIS_EDGES) {
        axis->feature_a = edge_at(frame->a, c->a, axis->a, axis->normal);
        axis->feature_b = edge_at(frame->b, c->b, axis->b, against);
    }
    abut_axis_measure_facet(frame, axis);
    if (c->kind == ABUT_AXIS_FACE_A) {
        axis->feature_b = axis->b;
    } else if (c->kind == ABUT_AXIS_FACE_B) {
        axis->feature_a = axis->a;
    } else {
        axis->feature_a = edge_near(frame->a, axis->feature_a, c->a, axis->a, axis->normal);
        axis->feature_b = edge_near(frame->b, axis->feature_b, c->b, axis->b, against);
    }
}

void abut_zonotope_overlap(const abut_convex_frame *frame, int until, abut_overlap *result)
{
    double tie = abut_convex_rounding(frame);
    search s;
    s.frame = frame;
    s.a = &frame->a->zonotope;
    s.b = &frame->b->zonotope;
    s.lowest = HUGE_VAL;
    // A length: estimates are off by up to about 2e-12 of the coordinates, since squared lengths may have lost four of
    // sixteen digits. 1e-11 leaves room and adds few candidates.
    s.margin = tie + 1e-11 * frame->scale;
    s.count = 0;
    s.between = frame->between;
    turn_b(&s);
    try_faces(&s);
    for (int i = 0; i < s.a->count; ++i) {
        try_row(&s, i);
    }
    result->axis_count += 2 * (s.a->face_count + s.b->face_count + s.a->count * s.b->count);
    result->proof = ABUT_PROOF_FULL;
    result->cap_axis = abut_vec3_make(0.0, 0.0, 0.0);
    result->cap_cosine = -1.0;
    for (int i = 0; i < s.count; ++i) {
        abut_axis axis;
        const candidate *c = &s.candidates[i];
        if (c->overlap <= s.lowest + s.margin && find_normal(&s, c, &axis) && !is_known(result, axis.normal)) {
            place_axis(&s, c, &axis);
            abut_overlap_add(result, &axis, tie);
            result->bound = result->lowest;
            if (until == ABUT_OVERLAP_UNTIL_APART && result->lowest < 0.0) {
                return;
            }
        }
    }
}
