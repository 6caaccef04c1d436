// SPDX-License-Identifier: MIT
// sat.c: contacts along the axis of least overlap of two tetrahedra, shared by volume-sat and surface-sat
#include "method/sat.h"

/// An axis, directed from the first to the second tetrahedron.
typedef struct candidate {
    const abut_tet_axis *axis;
    int is_backward;
    double overlap;
} candidate;

static int is_allowed(const abut_tet_axis *axis, const abut_sat_features features[2])
{
    if (axis->face_a >= 0) {
        return (features[0].faces >> axis->face_a & 1u) != 0;
    }
    if (axis->face_b >= 0) {
        return (features[1].faces >> axis->face_b & 1u) != 0;
    }
    return (features[0].edges >> axis->edge_a & 1u) != 0 && (features[1].edges >> axis->edge_b & 1u) != 0;
}

static abut_vec3 direction_of(const candidate *c)
{
    return c->is_backward ? abut_negate(c->axis->direction) : c->axis->direction;
}

/// Face axes point outward. Of the two directions of an edge axis, the one with the smaller overlap; if
/// the overlaps are equal, the one that points to the centre of the second.
static candidate directed(const abut_tet_pair *pair, const abut_tet_axis *axis)
{
    candidate c = {.axis = axis, .overlap = axis->forward};
    if (axis->edge_a >= 0) {
        double difference = axis->backward - axis->forward;
        abut_vec3 between = abut_sub(abut_tet_center(&pair->second.tet), abut_tet_center(&pair->first.tet));
        c.is_backward =
            fabs(difference) > pair->query->tolerance ? difference < 0.0 : abut_dot(axis->direction, between) < 0.0;
        c.overlap = c.is_backward ? axis->backward : axis->forward;
    }
    return c;
}

/// The least overlap of the candidates from edges, or of those from faces.
static double least_overlap(const candidate *candidates, int count, int is_of_edges)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        if ((candidates[i].axis->edge_a >= 0) == is_of_edges) {
            least = fmin(least, candidates[i].overlap);
        }
    }
    return least;
}

/// The best candidate, or `count` if there is none. Edges win if they are better than faces by more than the slack. Of
/// candidates that are equally good within the slack, the first wins.
static int pick(const candidate *candidates, int count, double slack)
{
    double of_faces = least_overlap(candidates, count, 0), of_edges = least_overlap(candidates, count, 1);
    int is_of_edges = of_edges < of_faces - slack;
    double limit = (is_of_edges ? of_edges : of_faces) + slack;
    int i = 0;
    while (i < count && ((candidates[i].axis->edge_a >= 0) != is_of_edges || candidates[i].overlap > limit)) {
        ++i;
    }
    return i;
}

/// Whether another direction is as good as the best.
static int is_ambiguous(const candidate *candidates, int count, const candidate *best, const abut_query *query)
{
    double chord = 2.0 * sin(0.5 * query->angle);
    abut_vec3 direction = direction_of(best);
    for (int i = 0; i < count; ++i) {
        if (candidates[i].overlap <= best->overlap + query->tolerance &&
            abut_norm(abut_sub(direction_of(&candidates[i]), direction)) > chord) {
            return 1;
        }
    }
    return 0;
}

int abut_sat_choose(const abut_tet_pair *pair, const abut_sat_features features[2], abut_tet_normal *normal,
                    double *overlap)
{
    candidate candidates[ABUT_TET_AXIS_LIMIT] = {{0}};
    int count = 0;
    for (int i = 0; i < pair->axis_count; ++i) {
        if (is_allowed(&pair->axes[i], features)) {
            candidates[count++] = directed(pair, &pair->axes[i]);
        }
    }
    int picked = pick(candidates, count, pair->query->tolerance);
    if (picked == count) {
        return 0;
    }
    const candidate *best = &candidates[picked];
    const abut_tet_axis *axis = best->axis;
    abut_tet_normal chosen = {.direction = direction_of(best), .side = ABUT_NORMAL_BOTH};
    if (axis->face_a >= 0) {
        chosen.side = ABUT_NORMAL_A;
        chosen.feature = abut_tet_face_feature(&pair->first, axis->face_a);
    } else if (axis->face_b >= 0) {
        chosen.side = ABUT_NORMAL_B;
        chosen.feature = abut_tet_face_feature(&pair->second, axis->face_b);
    }
    if (is_ambiguous(candidates, count, best, pair->query)) {
        chosen.rule = ABUT_RULE_NONE;
    }
    if (axis->edge_a >= 0 && fabs(axis->forward - axis->backward) <= pair->query->tolerance) {
        chosen.rule = ABUT_RULE_NONE;
        chosen.flags = ABUT_CONTACT_ARBITRARY_SIGN;
    }
    *normal = chosen;
    *overlap = best->overlap;
    return 1;
}

/// The plane through the mean of the points.
static abut_tet_plane mean_plane(const abut_tet_pair *pair, abut_vec3 direction, const abut_meeting_point *points,
                                 int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += abut_dot(direction, abut_sub(points[i].position, pair->first.tet.corners[0]));
    }
    abut_tet_plane plane = {.height = sum / count};
    return plane;
}

void abut_sat_contacts(const abut_tet_pair *pair, const abut_sat_features features[2], abut_local_output *output)
{
    abut_meeting_point points[ABUT_TET_POINT_LIMIT];
    abut_tet_normal normal;
    double overlap;
    int count = abut_tet_pair_points(pair, points);
    if (count == 0 || !abut_sat_choose(pair, features, &normal, &overlap)) {
        return;
    }
    abut_tet_plane plane = mean_plane(pair, normal.direction, points, count);
    plane.depth = overlap;
    abut_tet_pair_contacts(pair, &normal, &plane, points, count, output);
}
