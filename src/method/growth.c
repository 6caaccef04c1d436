// SPDX-License-Identifier: MIT
// growth.c: contacts along the separation of two tetrahedra that were shrunk until they are apart, and grown again
//
// Two tetrahedra that overlap are shrunk about their centres until they are apart, then grown until they nearly meet.
// The direction between their nearest points is among the normals of a feature (face, edge or corner) of each. The
// feature of higher dimension gives the normal. The corners of the intersection, projected to the plane in their
// middle, are the contacts.
//
// Source:  Erleben 2018, appendix B, Algorithm 2.
// Differs: three lines of Algorithm 2 are changed: as printed they diverge, and may return a normal from B to A. The
//          derivation is in docs/methods/growth.md. If the printed steps are too short, steps of a ray cast follow. If
//          there is no separation because the centres coincide, the axis of least overlap is the direction. Both count
//          as fallbacks. reading=program: its own iteration, 4 degrees for "the feature's
//          normal", and points that are not projected.
// Cost:    linear in the pairs of tetrahedra whose boxes overlap; up to 64 distances of two tetrahedra for each pair
//          that touches. No allocation.
// Fails:   if corners meet, the normal leans towards the line between the centres: fans of normals (section 7.5;
//          cliff-edges).
#include "method/methods.h"
#include "method/program_query.h"
#include "method/sat.h"
#include "prim/tet_growth.h"

/// The feature of a tetrahedron that has a direction among its normals.
typedef struct best_feature {
    int dimension; ///< 3 a face, 2 an edge, 1 a corner, as in the author's program
    int index;
    abut_vec3 normal; ///< outward
} best_feature;

/// Finds the face whose normal is nearest to the direction, within the angle. Returns 0 if there is none.
static int find_face(const abut_tet *tet, abut_vec3 direction, double angle, best_feature *best)
{
    double least = 2.0 * sin(0.5 * angle); // distance of unit vectors at this angle
    int found = 0;
    for (int k = 0; k < 4; ++k) {
        double chord = abut_norm(abut_sub(direction, tet->normals[k]));
        if (chord <= least) {
            best_feature face = {3, k, tet->normals[k]};
            *best = face;
            least = chord;
            found = 1;
        }
    }
    return found;
}

/// Finds the edge whose arc of normals, from one face's to the other's, is nearest to the direction, within the angle.
/// Returns 0 if there is none.
static int find_edge(const abut_tet *tet, abut_vec3 direction, double angle, best_feature *best)
{
    double least = sin(angle);
    int found = 0;
    for (int k = 0; k < 6; ++k) {
        abut_vec3 from = tet->normals[abut_tet_edges[5 - k][0]], to = tet->normals[abut_tet_edges[5 - k][1]];
        abut_vec3 pole = abut_unit(abut_cross(from, to));
        double off = abut_dot(direction, pole);
        int is_between =
            abut_dot(abut_cross(from, direction), pole) >= 0.0 && abut_dot(abut_cross(direction, to), pole) >= 0.0;
        if (is_between && fabs(off) <= least) {
            best_feature edge = {2, k, abut_unit(abut_add_scaled(direction, -off, pole))};
            *best = edge;
            least = fabs(off);
            found = 1;
        }
    }
    return found;
}

/// BESTNORMAL of the paper: the feature of highest dimension that has the direction among its normals.
static best_feature best_normal(const abut_tet *tet, abut_vec3 direction, double angle)
{
    best_feature best = {1, 0, direction};
    if (find_face(tet, direction, angle, &best)) {
        return best;
    }
    if (find_edge(tet, direction, angle, &best)) {
        return best;
    }
    for (int k = 1; k < 4; ++k) {
        if (abut_dot(direction, abut_sub(tet->corners[k], tet->corners[best.index])) > 0.0) {
            best.index = k;
        }
    }
    return best;
}

static abut_feature name_feature(const abut_tet_element *element, const best_feature *best)
{
    switch (best->dimension) {
    case 3: return abut_tet_face_feature(element, best->index);
    case 2: return abut_tet_edge_feature(element, best->index);
    default: return abut_feature_vertex(element->side->elements.tets[4 * element->index + best->index]);
    }
}

/// Lines 14 to 16 of Algorithm 2.
static abut_tet_normal normal_along(const abut_tet_pair *pair, abut_vec3 direction)
{
    best_feature a = best_normal(&pair->first.tet, direction, pair->query->angle);
    best_feature b = best_normal(&pair->second.tet, abut_negate(direction), pair->query->angle);
    int is_of_a = a.dimension > b.dimension;
    abut_tet_normal normal = {.direction = is_of_a ? a.normal : abut_negate(b.normal),
                              .side = is_of_a ? ABUT_NORMAL_A : ABUT_NORMAL_B,
                              .feature =
                                  is_of_a ? name_feature(&pair->first, &a) : name_feature(&pair->second, &b)};
    return normal;
}

/// Finds the normal of a pair: by growth, or along the axis of least overlap if growth finds no separation.
static int find_normal(const abut_tet_pair *pair, abut_stats *stats, abut_tet_normal *normal)
{
    abut_tet_growth_params params = {.axes = pair->axes, .axis_count = pair->axis_count, .tolerance = pair->reach};
    abut_tet_growth growth;
    int is_apart = abut_tet_grow(&pair->first.tet, &pair->second.tet, &params, &growth);
    stats->fallbacks += !is_apart || growth.is_slow;
    stats->caps += growth.is_capped;
    if (is_apart) {
        *normal = normal_along(pair, abut_unit(growth.separation));
        return 1;
    }
    const abut_sat_features features[2] = {abut_sat_all_features(), abut_sat_all_features()};
    double overlap;
    return abut_sat_choose(pair, features, normal, &overlap);
}

static void look_at_pair(const abut_local *local, int element_a, int element_b, abut_local_output *output)
{
    abut_tet_pair pair;
    if (!abut_tet_pair_begin(local, element_a, element_b, output, &pair)) {
        return;
    }
    abut_meeting_point points[ABUT_TET_POINT_LIMIT];
    abut_tet_normal normal;
    int count = abut_tet_pair_points(&pair, points);
    if (count == 0 || !find_normal(&pair, &output->stats, &normal)) {
        return;
    }
    abut_tet_plane plane = abut_tet_pair_middle(&pair, normal.direction, points, count);
    abut_tet_pair_contacts(&pair, &normal, &plane, points, count, output);
}

static abut_status query_growth(const abut_query *query, abut_sink *sink)
{
    abut_program_task program = {.test = ABUT_PROGRAM_GROWTH};
    abut_status status;
    return abut_program_answers(query, &program, sink, &status)
               ? status
               : abut_tet_pairs_run(query, NULL, look_at_pair, sink);
}

static const abut_option_info options[] = {ABUT_READING_OPTION(""), ABUT_PRECISION_OPTION};

const abut_method abut_method_growth = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "growth",
    .summary = "separation of two tetrahedra that are shrunk, then grown until they nearly meet",
    .source = "Erleben 2018, appendix B, Algorithm 2",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 1,
                 .representation = ABUT_VOLUME_BASED,
                 .normals = ABUT_NORMAL_CLOSEST_POINTS,
                 .traits = {2, 2, 2, 2}},
    .needs = ABUT_NEEDS_TETS | ABUT_NEEDS_TET_TREE,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .query = query_growth,
};
