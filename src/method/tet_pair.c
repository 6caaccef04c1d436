// SPDX-License-Identifier: MIT
// tet_pair.c: what the methods on pairs of tetrahedra share
#include "method/tet_pair.h"

#include "method/finish.h"

abut_status abut_tet_pairs_run(const abut_query *query, const void *options, abut_local_function *function,
                               abut_sink *sink)
{
    abut_local local;
    abut_status status = abut_local_begin(&local, query, options, sink);
    if (status != ABUT_OK) {
        return status;
    }
    abut_local_task task = {.kind_a = ABUT_ELEMENT_TET,
                            .kind_b = ABUT_ELEMENT_TET,
                            .margin = fmax(query->tolerance, query->envelope),
                            .is_surface_only = 1,
                            .contact_limit = ABUT_TET_POINT_LIMIT,
                            .function = function};
    return abut_local_run(&local, &task, sink);
}

/// Returns 0 if the tetrahedron is flat.
static int load(const abut_placed *side, int index, abut_tet_element *element)
{
    abut_vec3 corners[4];
    abut_placed_tet(side, index, corners);
    element->side = side;
    element->index = index;
    element->surface_faces = 0;
    for (int k = 0; k < 4; ++k) {
        element->surface_faces |= (unsigned)(side->topology.tet_triangles[4 * index + k] >= 0) << k;
    }
    return abut_tet_make(corners, &element->tet);
}

int abut_tet_pair_begin(const abut_local *local, int element_a, int element_b, abut_local_output *output,
                        abut_tet_pair *pair)
{
    const abut_query *query = local->query;
    int is_swapped = abut_local_first_is_b(local);
    pair->query = query;
    pair->is_swapped = is_swapped;
    pair->reach = fmax(query->tolerance, query->envelope);
    int is_solid = load(&local->a, element_a, is_swapped ? &pair->second : &pair->first);
    is_solid += load(&local->b, element_b, is_swapped ? &pair->first : &pair->second);
    ++output->stats.tested_pairs;
    output->stats.degenerate_elements += 2 - is_solid;
    if (is_solid < 2) {
        return 0;
    }
    pair->axis_count =
        abut_tet_axes(&pair->first.tet, &pair->second.tet, sin(query->angle), pair->reach, pair->axes);
    return pair->axis_count > 0;
}

int abut_tet_pair_points(const abut_tet_pair *pair, abut_meeting_point points[ABUT_TET_POINT_LIMIT])
{
    abut_tet_meeting meeting = {
        .reach = pair->reach, .tolerance = pair->query->tolerance, .parallel = sin(pair->query->angle)};
    return abut_tet_points(&pair->first.tet, &pair->second.tet, &meeting, points);
}

static double height_of(const abut_tet_pair *pair, abut_vec3 direction, abut_vec3 p)
{
    return abut_dot(direction, abut_sub(p, pair->first.tet.corners[0]));
}

abut_tet_plane abut_tet_pair_middle(const abut_tet_pair *pair, abut_vec3 direction,
                                    const abut_meeting_point *points, int count)
{
    double end = -HUGE_VAL, start = HUGE_VAL; // of the first and of the second
    for (int i = 0; i < 4; ++i) {
        end = fmax(end, height_of(pair, direction, pair->first.tet.corners[i]));
        start = fmin(start, height_of(pair, direction, pair->second.tet.corners[i]));
    }
    double lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        double height = height_of(pair, direction, points[i].position);
        lowest = fmin(lowest, height);
        highest = fmax(highest, height);
    }
    int is_apart = end < start;
    abut_tet_plane plane = {.height = is_apart ? 0.5 * (end + start) : 0.5 * (lowest + highest),
                            .depth = is_apart ? end - start : highest - lowest};
    return plane;
}

int abut_tet_surface_edge(const abut_tet_element *element, int edge)
{
    const abut_mesh_topology *topology = &element->side->topology;
    const int *vertices = &element->side->elements.tets[4 * element->index];
    int u = vertices[abut_tet_edges[edge][0]], v = vertices[abut_tet_edges[edge][1]];
    int lower = u < v ? u : v, upper = u < v ? v : u;
    int begin = 0, end = topology->edge_count; // edges are sorted by their vertices
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        const int *at = &topology->edge_vertices[2 * middle];
        if (at[0] < lower || (at[0] == lower && at[1] < upper)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    int is_there = begin < topology->edge_count && topology->edge_vertices[2 * begin] == lower &&
                   topology->edge_vertices[2 * begin + 1] == upper &&
                   topology->edge_triangle_offsets[begin] < topology->edge_triangle_offsets[begin + 1];
    return is_there ? begin : -1;
}

abut_feature abut_tet_face_feature(const abut_tet_element *element, int face)
{
    int triangle = element->side->topology.tet_triangles[4 * element->index + face];
    return triangle >= 0 ? abut_feature_face(element->side->elements.triangle_faces[triangle])
                         : abut_feature_tet(element->index);
}

abut_feature abut_tet_edge_feature(const abut_tet_element *element, int edge)
{
    int surface_edge = abut_tet_surface_edge(element, edge);
    return surface_edge >= 0 ? abut_feature_edge(element->side->mesh, surface_edge)
                             : abut_feature_tet(element->index);
}

/// The part of a tetrahedron that a point lies on.
static abut_feature feature_of(const abut_tet_element *element, const abut_meeting_point *point, int is_own)
{
    int edge = is_own ? point->edge : point->other_edge;
    if (is_own && point->corner >= 0) {
        return abut_feature_vertex(element->side->elements.tets[4 * element->index + point->corner]);
    }
    if (edge >= 0) {
        return abut_tet_edge_feature(element, edge);
    }
    return point->other_face >= 0 ? abut_tet_face_feature(element, point->other_face)
                                  : abut_feature_tet(element->index);
}

void abut_tet_pair_contacts(const abut_tet_pair *pair, const abut_tet_normal *normal, const abut_tet_plane *plane,
                            const abut_meeting_point *points, int count, abut_local_output *output)
{
    const abut_tet_element *first = &pair->first, *second = &pair->second;
    for (int i = 0; i < count; ++i) {
        const abut_meeting_point *point = &points[i];
        double height = height_of(pair, normal->direction, point->position);
        abut_vec3 middle = abut_add_scaled(point->position, plane->height - height, normal->direction);
        abut_contact c = {.position_a = abut_add_scaled(middle, 0.5 * plane->depth, normal->direction),
                          .position_b = abut_add_scaled(middle, -0.5 * plane->depth, normal->direction),
                          .normal = normal->direction,
                          .feature_a = feature_of(first, point, point->side == 0),
                          .feature_b = feature_of(second, point, point->side == 1),
                          .normal_feature = normal->feature,
                          .normal_side = normal->side,
                          .rule = normal->rule,
                          .flags = normal->flags};
        c.anchor_a = abut_tet_anchor(first->side, first->index, first->tet.corners, c.position_a);
        c.anchor_b = abut_tet_anchor(second->side, second->index, second->tet.corners, c.position_b);
        c = pair->is_swapped ? abut_contact_turned(c) : c;
        abut_local_contact(output, &c);
    }
    output->stats.arbitrary_normals += normal->rule == ABUT_RULE_NONE ? count : 0;
}
