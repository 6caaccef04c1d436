// SPDX-License-Identifier: MIT
// opposing.c: contacts from the most opposing surface faces of two tetrahedra
//
// Of all pairs of surface faces of two tetrahedra that touch or overlap, the pair whose normals oppose most gives the
// normal. Pairs that are a sandwich do not count: the corner opposite each face must be in front of the other face.
// The points in which surface triangles of one meet the other, projected to the plane in their middle, are the
// contacts.
//
// Source:  Erleben 2018, appendix A, Algorithm 1.
// Differs: "in front" and "less" leave room for rounding. "All intersection points of all surface triangles" are the
//          corners of the intersection that lie on a surface triangle of one of the two: if triangles of both had to
//          meet, a body that sank in would have no contact. reading=program: the normal
//          of the first body's face, a sandwich only if both corners are behind, and all corners of the intersection.
// Cost:    linear in the pairs of tetrahedra whose boxes overlap; no allocation.
// Fails:   sliding-spike, sliding-wedge, and the three cracks: the average of the normals of two faces that are not
//          parallel is the normal of neither.
#include "method/methods.h"
#include "method/program_query.h"
#include "method/tet_pair.h"

static const double product_slack = 1e-12; ///< dot products of normals this close are equal

/// Lines 6 to 9: whether a pair of faces opposes more than the best before, whose dot product is given, and is no
/// sandwich.
static int opposes(const abut_tet_pair *pair, int face_a, int face_b, double *product)
{
    const abut_tet *a = &pair->first.tet, *b = &pair->second.tet;
    double slack = pair->query->tolerance;
    double dot = abut_dot(a->normals[face_a], b->normals[face_b]);
    if (!(dot < *product - product_slack)) {
        return 0;
    }
    double height_a = abut_tet_height(b, face_b, a->corners[face_a]);
    double height_b = abut_tet_height(a, face_a, b->corners[face_b]);
    int is_open = height_a > slack && height_b > slack;
    *product = is_open ? dot : *product;
    return is_open;
}

/// Algorithm 1. Returns 0 if no pair of faces opposes.
static int find_normal(const abut_tet_pair *pair, double cosine_limit, abut_tet_normal *normal)
{
    double product = cosine_limit;
    int face_a = -1, face_b = -1;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
            if ((pair->first.surface_faces >> i & 1u) != 0 && (pair->second.surface_faces >> k & 1u) != 0 &&
                opposes(pair, i, k, &product)) {
                face_a = i;
                face_b = k;
            }
        }
    }
    if (face_a < 0) {
        return 0;
    }
    abut_vec3 normal_a = pair->first.tet.normals[face_a], normal_b = pair->second.tet.normals[face_b];
    *normal = (abut_tet_normal){.direction = abut_unit(abut_sub(normal_a, normal_b)), .side = ABUT_NORMAL_BOTH};
    return 1;
}

static int is_on_surface(const abut_tet_element *element, abut_vec3 p, double reach)
{
    for (int k = 0; k < 4; ++k) {
        if ((element->surface_faces >> k & 1u) != 0 && abut_tet_is_on_face(&element->tet, k, p, reach)) {
            return 1;
        }
    }
    return 0;
}

/// The points in which a surface triangle of one meets the other.
static int find_points(const abut_tet_pair *pair, abut_meeting_point points[ABUT_TET_POINT_LIMIT])
{
    int count = abut_tet_pair_points(pair, points), kept = 0;
    for (int i = 0; i < count; ++i) {
        abut_vec3 p = points[i].position;
        if (is_on_surface(&pair->first, p, pair->reach) || is_on_surface(&pair->second, p, pair->reach)) {
            points[kept++] = points[i];
        }
    }
    return kept;
}

static void look_at_pair(const abut_local *local, int element_a, int element_b, abut_local_output *output)
{
    const double *cosine_limit = local->user;
    abut_tet_pair pair;
    abut_tet_normal normal;
    if (!abut_tet_pair_begin(local, element_a, element_b, output, &pair) ||
        !find_normal(&pair, *cosine_limit, &normal)) {
        return;
    }
    abut_meeting_point points[ABUT_TET_POINT_LIMIT];
    int count = find_points(&pair, points);
    abut_tet_plane plane = abut_tet_pair_middle(&pair, normal.direction, points, count);
    abut_tet_pair_contacts(&pair, &normal, &plane, points, count, output);
}

static abut_status query_opposing(const abut_query *query, abut_sink *sink)
{
    double cosine_limit = abut_query_option(query, "cosine-limit");
    abut_program_task program = {.test = ABUT_PROGRAM_OPPOSING};
    abut_status status;
    return abut_program_answers(query, &program, sink, &status)
               ? status
               : abut_tet_pairs_run(query, &cosine_limit, look_at_pair, sink);
}

static const abut_option_info options[] = {
    ABUT_READING_OPTION(""),
    ABUT_PRECISION_OPTION,
    {.name = "cosine-limit",
     .help = "faces oppose if the dot product of their normals is less than this (reading=text only)",
     .value = 0.0,
     .lower = -1.0,
     .upper = 0.0,
     .is_of_query = 1},
};

const abut_method abut_method_opposing = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "opposing",
    .summary = "most opposing surface faces of two tetrahedra",
    .source = "Erleben 2018, appendix A, Algorithm 1",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 0,
                 .is_continuous = 0,
                 .representation = ABUT_VOLUME_BASED,
                 .normals = ABUT_NORMAL_FEATURE_TYPES,
                 .traits = {1, 0, 2, 2}},
    .needs = ABUT_NEEDS_TETS | ABUT_NEEDS_TET_TREE,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .query = query_opposing,
};
