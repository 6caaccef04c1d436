// SPDX-License-Identifier: MIT
// distance.c: the signed distance of two convex shapes
//
// Everything is computed in A's frame, so rounding does not depend on how far the pair is from the world's origin.
// With a memory (warm start), the query first tries the last answer: the closest features, or the nearest facet of the
// Minkowski difference. Without one, or if that proves nothing, the direction between the centers decides: if it
// separates the bodies, the closest points are tried first, else the facets.
#include "base/error.h"
#include "convex/apart.h"
#include "convex/box_facet.h"
#include "convex/feature.h"
#include "convex/manifold.h"
#include "convex/overlap.h"
#include "convex/vclip.h"
#include "mesh/size.h"

#include <float.h>

enum { MEMORY_NOTHING = 0, MEMORY_APART = 1, MEMORY_OVERLAP = 2 };

static int knows_something(const abut_convex_memory *memory)
{
    return memory->state[0] == MEMORY_APART || memory->state[0] == MEMORY_OVERLAP;
}

typedef struct query {
    const abut_convex_frame *frame;
    const abut_convex_memory *before; ///< NULL: no warm start
    abut_convex_memory *after;
    abut_convex_result *result;
    abut_status status;
} query;

static abut_convex_pair default_convex_pair(const abut_convex *a, const abut_convex *b)
{
    abut_convex_pair pair = {
        .struct_size = sizeof pair, .a = a, .b = b, .pose_a = abut_pose_identity(), .pose_b = abut_pose_identity()};
    return pair;
}

void abut_convex_pair_init(const abut_convex *a, const abut_convex *b, abut_convex_pair *pair, size_t size)
{
    const abut_convex_pair made = default_convex_pair(a, b);
    abut_write_versioned(pair, size, &made, sizeof made);
}

// Converts a rotation to a matrix. Returns 0 if the quaternion is zero or not finite. A squared length within 4
// DBL_EPSILON of 1 is rounding and needs no normalisation.
static inline int read_rotation(abut_quat q, abut_mat3 *matrix)
{
    double squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(fabs(squared - 1.0) <= 0x1p-50)) {
        if (!(squared > 0.0 && squared <= DBL_MAX)) {
            return 0;
        }
        q = abut_quat_unit(q);
    }
    *matrix = abut_quat_matrix(q);
    return 1;
}

abut_status abut_convex_read_pair(const abut_convex_pair *pair, abut_convex_frame *frame)
{
    abut_convex_pair old;
    if (pair->struct_size != sizeof old) {
        old = abut_convex_pair_default(NULL, NULL);
        if (!abut_read_versioned(&old, sizeof old, pair)) {
            return ABUT_BAD_ARGUMENT;
        }
        pair = &old;
    }
    const abut_convex *a = pair->a, *b = pair->b;
    if (a == NULL || b == NULL || !read_rotation(pair->pose_a.rotation, &frame->a_to_world) ||
        !read_rotation(pair->pose_b.rotation, &frame->b_to_world) || !abut_is_in_reach(pair->pose_a.position) ||
        !abut_is_in_reach(pair->pose_b.position) || !abut_is_finite(pair->velocity) ||
        !(pair->tolerance >= 0.0 && pair->tolerance <= DBL_MAX)) {
        return ABUT_BAD_ARGUMENT;
    }
    double usual = 1e-9 * (a->length < b->length ? a->length : b->length);
    frame->a = a;
    frame->b = b;
    frame->position_a = pair->pose_a.position;
    frame->position_b = pair->pose_b.position;
    frame->velocity = pair->velocity;
    frame->tolerance = pair->tolerance > 0.0 ? pair->tolerance : usual;
    frame->scratch = pair->scratch;
    frame->scratch_size = pair->scratch_size;
    return ABUT_OK;
}

// Computes B's pose in A's frame, and the lengths that depend on it.
static void relate(abut_convex_frame *frame)
{
    const abut_convex *a = frame->a, *b = frame->b;
    abut_vec3 offset = abut_sub(frame->position_b, frame->position_a);
    frame->rotation.x = abut_mat3_apply_transposed(frame->a_to_world, frame->b_to_world.x);
    frame->rotation.y = abut_mat3_apply_transposed(frame->a_to_world, frame->b_to_world.y);
    frame->rotation.z = abut_mat3_apply_transposed(frame->a_to_world, frame->b_to_world.z);
    frame->offset = abut_mat3_apply_transposed(frame->a_to_world, offset);
    abut_vec3 center_b = abut_add(abut_mat3_apply(frame->rotation, b->center), frame->offset);
    frame->between = abut_sub(center_b, a->center);
    frame->balls = a->inner_radius + b->inner_radius;
    frame->scale = a->reach + b->reach + abut_norm(frame->offset);
}

static abut_vec3 to_world(const query *q, abut_vec3 p)
{
    return abut_add(abut_mat3_apply(q->frame->a_to_world, p), q->frame->position_a);
}

// Fills the members common to both kinds of answer. Points are in A's frame.
static void finish(query *q, const abut_axis *axis, double distance, abut_vec3 point_a, abut_vec3 point_b)
{
    abut_convex_result *r = q->result;
    r->distance = distance;
    r->normal = abut_mat3_apply(q->frame->a_to_world, axis->normal);
    r->point_a = to_world(q, point_a);
    r->point_b = to_world(q, point_b);
    r->plane_offset = 0.5 * (abut_dot(r->normal, r->point_a) + abut_dot(r->normal, r->point_b));
    r->certificate.lower = -axis->overlap;
    r->certificate.support_a = axis->a;
    r->certificate.support_b = axis->b;
    if (q->after != NULL) {
        q->after->normal = r->normal;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Overlap

// Chooses among the axes that tie: the one closest to the last normal, else by the relative velocity, else the first
// found. The overlap along an axis grows at the speed at which B moves against it. So for overlapping bodies, the axis
// most opposed to the velocity had the least overlap a moment ago. For bodies that only touch, the axis least opposed
// to it will have the least overlap a moment later.
static int choose(const query *q, const abut_overlap *overlap, abut_rule *rule)
{
    *rule = ABUT_RULE_GEOMETRY;
    if (overlap->tie_count == 1) {
        return 0;
    }
    abut_vec3 like = abut_vec3_make(0.0, 0.0, 0.0);
    *rule = ABUT_RULE_NONE;
    if (q->before != NULL) {
        *rule = ABUT_RULE_HISTORY;
        like = q->before->normal;
    } else if (abut_norm_squared(q->frame->velocity) > 0.0) {
        *rule = ABUT_RULE_VELOCITY;
        int touches = overlap->ties[0].overlap <= q->frame->tolerance;
        like = touches ? q->frame->velocity : abut_negate(q->frame->velocity);
    }
    like = abut_mat3_apply_transposed(q->frame->a_to_world, like);
    int best = 0;
    for (int i = 1; i < overlap->tie_count; ++i) {
        if (abut_dot(overlap->ties[i].normal, like) > abut_dot(overlap->ties[best].normal, like)) {
            best = i;
        }
    }
    return best;
}

// Witness points of two edges: the closest points of their lines. Returns 0 unless both are on the edges.
static int witness_edges(const abut_convex_frame *frame, const abut_axis *axis, abut_vec3 *a, abut_vec3 *b)
{
    abut_vec3 u = abut_convex_edge_a(frame, axis->feature_a), v = abut_convex_edge_b(frame, axis->feature_b);
    abut_vec3 p = frame->a->points[frame->a->edges[axis->feature_a].points[0]];
    abut_vec3 w = abut_sub(abut_convex_from_b(frame, frame->b->edges[axis->feature_b].points[0]), p);
    abut_vec3 n = abut_cross(u, v);
    double squared = abut_norm_squared(n), x = abut_dot(abut_cross(w, v), n), y = abut_dot(abut_cross(w, u), n);
    if (!(x >= 0.0 && x <= squared && y >= 0.0 && y <= squared)) {
        return 0;
    }
    *a = abut_add_scaled(p, x / squared, u);
    *b = abut_add_scaled(*a, -axis->overlap, axis->normal);
    return 1;
}

// Witness points of a vertex and a face: the vertex and its projection. Returns 0 if that is outside the face.
static int witness_face(const abut_convex_frame *frame, const abut_axis *axis, double tolerance, abut_vec3 *a,
                        abut_vec3 *b)
{
    if (axis->kind == ABUT_AXIS_FACE_A) {
        *b = abut_convex_from_b(frame, axis->b);
        *a = abut_add_scaled(*b, axis->overlap, axis->normal);
        return abut_convex_room(frame->a, axis->feature_a, *a) >= -tolerance;
    }
    *a = frame->a->points[axis->a];
    *b = abut_add_scaled(*a, -axis->overlap, axis->normal);
    abut_vec3 local = abut_mat3_apply_transposed(frame->rotation, abut_sub(*b, frame->offset));
    return abut_convex_room(frame->b, axis->feature_b, local) >= -tolerance;
}

// Tries witness_face() with each neighbour of the support that is equally far. This covers an edge or face parallel to
// the face, if one of its other vertices is over the face.
static int witness_neighbour(const abut_convex_frame *frame, const abut_axis *axis, double tolerance, abut_vec3 *a,
                             abut_vec3 *b)
{
    int is_a = axis->kind == ABUT_AXIS_FACE_B;
    const abut_convex *shape = is_a ? frame->a : frame->b;
    int support = is_a ? axis->a : axis->b;
    abut_vec3 direction = is_a ? axis->normal : abut_negate(abut_convex_to_b(frame, axis->normal));
    double lowest = abut_dot(shape->points[support], direction) - tolerance;
    for (int i = shape->link_begin[support]; i < shape->link_begin[support + 1]; ++i) {
        abut_axis next = *axis;
        *(is_a ? &next.a : &next.b) = shape->links[i].point;
        if (abut_dot(shape->points[shape->links[i].point], direction) >= lowest &&
            witness_face(frame, &next, tolerance, a, b)) {
            return 1;
        }
    }
    return 0;
}

// The feature on the contact plane of the body whose face did not give the normal.
static abut_convex_part other_part(const abut_convex_frame *frame, const abut_axis *axis, double tolerance)
{
    int is_a = axis->kind == ABUT_AXIS_FACE_A;
    abut_vec3 direction = is_a ? abut_negate(abut_convex_to_b(frame, axis->normal)) : axis->normal;
    return abut_convex_top(is_a ? frame->b : frame->a, direction, is_a ? axis->b : axis->a, tolerance);
}

// For two parallel faces: tries the corners of the face that gave the normal, until one is over the other face.
static int witness_corner(const abut_convex_frame *frame, const abut_axis *axis, abut_convex_part other,
                          double tolerance, abut_vec3 *a, abut_vec3 *b)
{
    int is_a = axis->kind == ABUT_AXIS_FACE_A;
    const abut_convex *own = is_a ? frame->a : frame->b;
    abut_axis turned = {
        .normal = axis->normal, .overlap = axis->overlap, .kind = is_a ? ABUT_AXIS_FACE_B : ABUT_AXIS_FACE_A};
    int face = is_a ? axis->feature_a : axis->feature_b;
    if (other.kind != ABUT_FEATURE_FACE) {
        return 0;
    }
    *(is_a ? &turned.feature_b : &turned.feature_a) = other.index;
    for (int i = own->face_begin[face]; i < own->face_begin[face + 1]; ++i) {
        *(is_a ? &turned.a : &turned.b) = own->face_points[i];
        if (witness_face(frame, &turned, tolerance, a, b)) {
            return 1;
        }
    }
    return 0;
}

// How soon a line from the middle of a face leaves it: one over the multiple of `way` at which it crosses a side; 0 if
// it does not.
static double leave(const abut_convex *shape, int face, abut_vec3 way)
{
    double soonest = 0.0;
    for (int i = shape->face_begin[face]; i < shape->face_begin[face + 1]; ++i) {
        double fall = -abut_dot(shape->sides[i], way) * shape->inverse_insets[i];
        soonest = fall > soonest ? fall : soonest;
    }
    return soonest;
}

// For two parallel faces: takes a point on the line between their middles. Returns 0 if the line leaves one face before
// it is over the other.
static int witness_line(const abut_convex_frame *frame, const abut_axis *axis, int face_a, int face_b, abut_vec3 *a,
                        abut_vec3 *b)
{
    abut_vec3 from = frame->a->middles[face_a];
    abut_vec3 to = abut_add(abut_mat3_apply(frame->rotation, frame->b->middles[face_b]), frame->offset);
    abut_vec3 way = abut_sub(to, from);
    double leave_a = leave(frame->a, face_a, way),
           leave_b = leave(frame->b, face_b, abut_negate(abut_convex_to_b(frame, way)));
    double last = leave_a > 1.0 ? 1.0 / leave_a : 1.0, first = leave_b > 1.0 ? 1.0 - 1.0 / leave_b : 0.0;
    if (first > last) {
        return 0;
    }
    abut_vec3 middle = abut_add_scaled(from, 0.5 * (first + last), way);
    double height = abut_dot(axis->normal, abut_sub(frame->a->points[axis->a], middle));
    *a = abut_add_scaled(middle, height, axis->normal);
    *b = abut_add_scaled(*a, -axis->overlap, axis->normal);
    return 1;
}

// Finds witness points on both features; `other` comes from other_part(). Returns 0 if there are none, which happens
// for parallel faces or edges if no vertex of one is over the other.
static int find_witness(const abut_convex_frame *frame, const abut_axis *axis, abut_convex_part other,
                        double tolerance, abut_vec3 *a, abut_vec3 *b)
{
    if (axis->kind != ABUT_AXIS_EDGES && other.kind == ABUT_FEATURE_FACE) {
        int is_a = axis->kind == ABUT_AXIS_FACE_A;
        if (witness_line(frame, axis, is_a ? axis->feature_a : other.index, is_a ? other.index : axis->feature_b, a,
                         b)) {
            return 1;
        }
    }
    return axis->kind == ABUT_AXIS_EDGES
               ? witness_edges(frame, axis, a, b)
               : witness_face(frame, axis, tolerance, a, b) || witness_neighbour(frame, axis, tolerance, a, b) ||
                     witness_corner(frame, axis, other, tolerance, a, b);
}

static abut_convex_part vertex(int index)
{
    abut_convex_part part = {ABUT_FEATURE_VERTEX, index};
    return part;
}

// The feature of A in a facet.
static abut_convex_part part_of_a(const abut_axis *axis)
{
    static const abut_feature_kind kinds[3] = {ABUT_FEATURE_FACE, ABUT_FEATURE_VERTEX, ABUT_FEATURE_EDGE};
    return (abut_convex_part){kinds[axis->kind], axis->feature_a};
}

static abut_convex_part part_of_b(const abut_axis *axis)
{
    static const abut_feature_kind kinds[3] = {ABUT_FEATURE_VERTEX, ABUT_FEATURE_FACE, ABUT_FEATURE_EDGE};
    return (abut_convex_part){kinds[axis->kind], axis->feature_b};
}

// The feature on the supporting plane if all neighbours of the support are lower, apart from the other end of a known
// edge: that edge, or the support itself.
static abut_convex_part part_at(const abut_convex *shape, int support, abut_convex_part known)
{
    int is_edge = known.kind == ABUT_FEATURE_EDGE && abut_convex_is_end(shape, known.index, support);
    return is_edge ? known : vertex(support);
}

static void name_parts(query *q)
{
    abut_convex_result *r = q->result;
    r->feature_a = abut_convex_name(q->frame->a, r->part_a);
    r->feature_b = abut_convex_name(q->frame->b, r->part_b);
}

// Finds and names the features on the contact plane. `a` and `b` are the features that define the axis and its gaps.
static void name_features(query *q, const abut_axis *axis, abut_convex_part a, abut_convex_part b)
{
    const abut_convex_frame *frame = q->frame;
    abut_convex_result *r = q->result;
    double tolerance = frame->tolerance;
    r->part_a = a.kind == ABUT_FEATURE_FACE ? a
                : axis->gap_a > tolerance   ? part_at(frame->a, axis->a, a)
                                            : abut_convex_top(frame->a, axis->normal, axis->a, tolerance);
    r->part_b =
        b.kind == ABUT_FEATURE_FACE ? b
        : axis->gap_b > tolerance
            ? part_at(frame->b, axis->b, b)
            : abut_convex_top(frame->b, abut_negate(abut_convex_to_b(frame, axis->normal)), axis->b, tolerance);
    name_parts(q);
}

// Finds witness points of overlapping bodies. Needs the features, see name_features().
static int find_any_witness(query *q, const abut_axis *axis, abut_vec3 *a, abut_vec3 *b)
{
    abut_convex_part part_a = q->result->part_a, part_b = q->result->part_b;
    abut_convex_part other = axis->kind == ABUT_AXIS_FACE_A ? part_b : part_a;
    if (!find_witness(q->frame, axis, other, q->frame->tolerance, a, b)) {
        q->status = abut_convex_middle(q->frame, axis, part_a, part_b, a, b);
    }
    return q->status == ABUT_OK;
}

static void finish_overlap(query *q, const abut_axis *axis, abut_vec3 a, abut_vec3 b)
{
    finish(q, axis, -axis->overlap, a, b);
    q->result->directions[0] = q->result->normal;
    if (q->after != NULL) {
        abut_convex_memory next = {
            {MEMORY_OVERLAP, (int32_t)axis->kind, axis->feature_a, axis->feature_b, axis->a, axis->b},
            q->result->normal};
        *q->after = next;
    }
}

static void answer_overlap(query *q, const abut_overlap *overlap)
{
    abut_convex_result *r = q->result;
    int best = choose(q, overlap, &r->rule);
    r->axis_count += overlap->axis_count;
    r->fallback_count += overlap->is_fallback;
    r->direction_count = overlap->tie_count;
    r->has_more_directions = overlap->has_more;
    for (int i = 0, k = 1; i < overlap->tie_count; ++i) {
        if (i != best) {
            r->directions[k++] = abut_mat3_apply(q->frame->a_to_world, overlap->ties[i].normal);
        }
    }
    r->certificate.proof = overlap->proof;
    r->certificate.upper = -overlap->bound;
    r->certificate.cap_axis = abut_mat3_apply(q->frame->a_to_world, overlap->cap_axis);
    r->certificate.cap_cosine = overlap->cap_cosine;
    const abut_axis *axis = &overlap->ties[best];
    name_features(q, axis, part_of_a(axis), part_of_b(axis));
    abut_vec3 a, b;
    if (find_any_witness(q, axis, &a, &b)) {
        finish_overlap(q, axis, a, b);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Apart

// `a` and `b` are the features that hold the closest points. Needs the features on the planes, see name_features().
static void finish_apart(query *q, const abut_apart *apart, abut_convex_part a, abut_convex_part b)
{
    abut_convex_result *r = q->result;
    r->iteration_count = apart->iteration_count;
    r->certificate.proof = ABUT_PROOF_PLANE;
    r->certificate.upper = apart->distance;
    finish(q, &apart->axis, apart->distance, apart->point_a, apart->point_b);
    r->direction_count = 1;
    r->directions[0] = r->normal;
    if (q->after != NULL) {
        abut_convex_memory next = {{MEMORY_APART, (int32_t)a.kind, a.index, (int32_t)b.kind, b.index}, r->normal};
        *q->after = next;
    }
}

static void answer_apart(query *q, const abut_apart *apart, abut_convex_part a, abut_convex_part b)
{
    name_features(q, &apart->axis, a, b);
    finish_apart(q, apart, a, b);
}

// Returns 1 if the closest points are as far apart as the planes through the supports, up to rounding. No other points
// can then be closer.
static int is_proven(const query *q, const abut_apart *apart)
{
    return apart->distance + apart->axis.overlap <= abut_convex_rounding(q->frame);
}

// Close to contact, or between nearly parallel edges, the normal of a facet is more accurate than the difference of
// two points. Takes the first facet with witness points: its distance is that of its planes. If there is none, the
// closest points found before remain. Returns 0 if no plane found separates the bodies by more than rounding: they
// touch.
static int try_facets(query *q, abut_apart *apart, abut_convex_part *a, abut_convex_part *b)
{
    const abut_convex_frame *frame = q->frame;
    abut_overlap overlap;
    abut_convex_overlap(frame, &apart->axis, 0, ABUT_OVERLAP_ALL, &overlap);
    q->result->axis_count += overlap.axis_count;
    ++q->result->fallback_count;
    double rounding = abut_convex_rounding(frame);
    for (int i = 0; i < overlap.tie_count; ++i) {
        const abut_axis *axis = &overlap.ties[i];
        if (axis->overlap < 0.0 && find_witness(frame, axis, other_part(frame, axis, rounding), rounding,
                                                &apart->point_a, &apart->point_b)) {
            apart->axis = *axis;
            apart->distance = -axis->overlap;
            *a = part_of_a(axis);
            *b = part_of_b(axis);
            return 1;
        }
    }
    if (overlap.tie_count > 0 && overlap.lowest < apart->axis.overlap) { // a better plane for the same points
        apart->axis = overlap.ties[0];
        *a = part_of_a(&apart->axis);
        *b = part_of_b(&apart->axis);
    }
    return -apart->axis.overlap > rounding;
}

// Finds the closest points by a walk over features.
static int try_features(query *q, int edges, abut_convex_part a, abut_convex_part b)
{
    abut_apart apart;
    if (!abut_convex_vclip(q->frame, edges, &a, &b, &apart)) {
        return 0;
    }
    answer_apart(q, &apart, a, b);
    return 1;
}

// Finds the closest points by GJK, for cases in which the walk over features fails. Returns 0 if they are too close to
// give a direction.
static int try_simplices(query *q, int a, int b)
{
    abut_apart apart;
    ++q->result->fallback_count;
    if (!abut_convex_apart(q->frame, a, b, &apart)) {
        return 0;
    }
    abut_convex_part part_a = vertex(apart.axis.a), part_b = vertex(apart.axis.b);
    if (!is_proven(q, &apart)) {
        // Between nearly parallel edges, many pairs of points are equally close up to rounding, and the vector between
        // two of them is a poor normal. A walk over features from the supports found now gives a good one, or one from
        // a facet.
        if (try_features(q, ABUT_VCLIP_PARALLEL, part_a, part_b)) {
            return 1;
        }
        if (!try_facets(q, &apart, &part_a, &part_b)) {
            return 0;
        }
        if (!is_proven(q, &apart) && try_features(q, ABUT_VCLIP_PARALLEL, part_a, part_b)) {
            return 1;
        }
    }
    answer_apart(q, &apart, part_a, part_b);
    return 1;
}

// Finds the closest points, starting from the supports in some direction that separates the bodies.
static int try_apart(query *q, int a, int b)
{
    return try_features(q, ABUT_VCLIP_CROSSING, vertex(a), vertex(b)) || try_simplices(q, a, b);
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes

// Finds points on the features of a facet that separates two boxes. They prove the distance: they are as far apart as
// the planes. Returns 0 if there are none, since the closest points are on other features.
static int separate_boxes(const abut_convex_frame *frame, const abut_box_facet *facet, abut_apart *apart)
{
    const abut_axis *axis = &facet->axis;
    double rounding = abut_convex_rounding(frame);
    apart->axis = *axis;
    apart->distance = -axis->overlap;
    apart->iteration_count = 0;
    if (axis->kind == ABUT_AXIS_EDGES) {
        return witness_edges(frame, axis, &apart->point_a, &apart->point_b);
    }
    if (witness_face(frame, axis, 0.0, &apart->point_a, &apart->point_b)) {
        return 1;
    }
    // other points of a feature are as close only if it is parallel to the face up to rounding
    abut_convex_part other = axis->kind == ABUT_AXIS_FACE_A ? facet->part_b : facet->part_a;
    const double *drops = facet->drops;
    double sum = drops[0] + drops[1] + drops[2] - fmax(fmax(drops[0], drops[1]), drops[2]);
    return other.kind == ABUT_FEATURE_FACE && sum <= rounding &&
           find_witness(frame, axis, other, rounding, &apart->point_a, &apart->point_b);
}

// Answers for two boxes if one facet decides. Returns 0 if it does not: directions tie, or the boxes touch.
static int answer_boxes(query *q)
{
    abut_convex_result *r = q->result;
    abut_box_facet facet;
    if (!abut_box_find_facet(q->frame, &facet)) {
        return 0;
    }
    abut_axis *axis = &facet.axis;
    r->axis_count = ABUT_BOX_FACETS;
    r->part_a = facet.part_a;
    r->part_b = facet.part_b;
    if (axis->overlap < 0.0) {
        abut_apart apart;
        if (-axis->overlap <= abut_convex_rounding(q->frame)) {
            return 0;
        }
        if (!separate_boxes(q->frame, &facet, &apart)) {
            return try_features(q, ABUT_VCLIP_CROSSING, part_of_a(axis), part_of_b(axis));
        }
        name_parts(q);
        finish_apart(q, &apart, part_of_a(axis), part_of_b(axis));
        return 1;
    }
    name_parts(q);
    r->direction_count = 1;
    r->certificate.proof = ABUT_PROOF_FULL;
    r->certificate.upper = -axis->overlap;
    r->certificate.cap_cosine = -1.0;
    if (facet.has_witness || find_any_witness(q, axis, &facet.point_a, &facet.point_b)) {
        finish_overlap(q, axis, facet.point_a, facet.point_b);
    }
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Query

// Answers for bodies without a known separating direction. Any direction with its supports will do as `first`; a
// smaller overlap gives a smaller search.
static void answer_by_facets(query *q, const abut_axis *first, int is_facet)
{
    abut_overlap overlap;
    abut_convex_overlap(q->frame, first, is_facet, ABUT_OVERLAP_UNTIL_APART, &overlap);
    if (overlap.lowest < 0.0) {
        q->result->axis_count += overlap.axis_count;
        if (try_apart(q, overlap.ties[0].a, overlap.ties[0].b)) {
            return;
        }
        ++q->result->fallback_count; // touching: closest points give no direction, facets do
        abut_axis axis = overlap.ties[0];
        abut_convex_overlap(q->frame, &axis, 1, ABUT_OVERLAP_ALL, &overlap);
    }
    answer_overlap(q, &overlap);
}

static abut_axis first_axis(const abut_convex_frame *frame)
{
    double distance = abut_norm(frame->between);
    abut_axis axis = {.normal = {1.0, 0.0, 0.0}, .kind = ABUT_AXIS_EDGES};
    if (distance > DBL_MIN && isfinite(distance)) {
        axis.normal = abut_scale(1.0 / distance, frame->between);
    }
    axis.a = abut_convex_start(frame->a, axis.normal);
    axis.b = abut_convex_start(frame->b, abut_negate(abut_convex_to_b(frame, axis.normal)));
    abut_axis_measure(frame, &axis, -1, -1);
    return axis;
}

static int is_below(int32_t index, int count)
{
    return index >= 0 && index < count;
}

static int is_part(const abut_convex *shape, abut_convex_part part)
{
    switch (part.kind) {
    case ABUT_FEATURE_VERTEX: return is_below(part.index, shape->point_count);
    case ABUT_FEATURE_EDGE: return is_below(part.index, shape->edge_count);
    case ABUT_FEATURE_FACE: return is_below(part.index, shape->face_count);
    default: return 0;
    }
}

// Walks from the closest features of the last query. Returns 0 if this gives no answer.
static int answer_from_features(query *q)
{
    const int32_t *state = q->before->state;
    abut_convex_part a = {(abut_feature_kind)state[1], state[2]}, b = {(abut_feature_kind)state[3], state[4]};
    return is_part(q->frame->a, a) && is_part(q->frame->b, b) && try_features(q, ABUT_VCLIP_CROSSING, a, b);
}

// Updates the nearest facet of the last query to the new poses. Returns 0 if the memory holds no valid facet.
static int recall_facet(const query *q, abut_axis *facet)
{
    const abut_convex *a = q->frame->a, *b = q->frame->b;
    const int32_t *state = q->before->state;
    int count_a[3] = {a->face_count, a->point_count, a->edge_count};
    int count_b[3] = {b->point_count, b->face_count, b->edge_count};
    if (!is_below(state[1], 3) || !is_below(state[2], count_a[state[1]]) ||
        !is_below(state[3], count_b[state[1]]) || !is_below(state[4], a->point_count) ||
        !is_below(state[5], b->point_count)) {
        return 0;
    }
    *facet = (abut_axis){.normal = abut_mat3_apply_transposed(q->frame->a_to_world, q->before->normal),
                         .kind = (abut_axis_kind)state[1],
                         .feature_a = state[2],
                         .feature_b = state[3],
                         .a = state[4],
                         .b = state[5]};
    return abut_convex_update_facet(q->frame, facet);
}

abut_status abut_convex_distance_of(abut_convex_frame *frame, const abut_convex_memory *before,
                                    abut_convex_memory *after, abut_convex_result *result)
{
    query q;
    q.frame = frame;
    q.before = before != NULL && knows_something(before) ? before : NULL;
    q.after = after;
    q.result = result;
    q.status = ABUT_OK;
    relate(frame);
    result->rule = ABUT_RULE_GEOMETRY;
    result->direction_count = result->has_more_directions = 0;
    result->axis_count = result->iteration_count = result->fallback_count = 0;
    result->certificate = (abut_convex_certificate){.proof = ABUT_PROOF_PLANE};
    int mode = q.before != NULL ? before->state[0] : MEMORY_NOTHING;
    if ((mode == MEMORY_APART && answer_from_features(&q)) || (abut_convex_are_boxes(frame) && answer_boxes(&q))) {
        return q.status;
    }
    result->axis_count = 0;
    abut_axis first;
    int is_facet = mode == MEMORY_OVERLAP && recall_facet(&q, &first);
    int has_first = is_facet || !abut_convex_is_simple(frame);
    if (has_first && !is_facet) {
        first = first_axis(frame);
    }
    if (!(has_first && first.overlap < 0.0 && try_apart(&q, first.a, first.b))) {
        answer_by_facets(&q, has_first ? &first : NULL, is_facet);
    }
    return q.status;
}

abut_status abut_convex_distance(const abut_convex_pair *pair, const abut_convex_memory *before,
                                 abut_convex_memory *after, abut_convex_result *result)
{
    ABUT_ASSERT(pair != NULL && result != NULL);
    abut_convex_frame frame;
    abut_status status = abut_convex_read_pair(pair, &frame);
    return status == ABUT_OK ? abut_convex_distance_of(&frame, before, after, result) : status;
}

abut_status abut_convex_contact(const abut_convex_pair *pair, const abut_convex_memory *before,
                                abut_convex_memory *after, abut_convex_result *result,
                                abut_convex_manifold *manifold)
{
    ABUT_ASSERT(pair != NULL && result != NULL && manifold != NULL);
    abut_convex_frame frame;
    abut_status status = abut_convex_read_pair(pair, &frame);
    if (status == ABUT_OK) {
        status = abut_convex_distance_of(&frame, before, after, result);
    }
    if (status != ABUT_OK) {
        manifold->count = manifold->required = 0;
        return status;
    }
    return abut_convex_manifold_of(&frame, result, manifold);
}
