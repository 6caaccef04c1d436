// SPDX-License-Identifier: MIT
// vertex_proximity.c: a contact method outside the library, as an example of a plug-in
//
// Every vertex of one body that is near the surface of the other makes a contact. The nearest triangle gives the
// normal, the nearest point on it the other position.
//
// Source:  none; the simplest thing that is worth loading.
// Cost:    one nearest-triangle search per vertex; no allocation.
// Fails:   it sees no contact of two edges, and none of a vertex that is deeper inside than the envelope. A vertex
//          nearest to a sharp edge gets the normal of one of the two triangles there, the one with the lower index.
#include <abut-lab/plugin.h>

/// Weights of the corners of a triangle for a point in its plane: the shares of the triangle's area.
static abut_anchor anchor_in_triangle(const int *t, const abut_vec3 *v, abut_vec3 p)
{
    abut_vec3 n = abut_cross(abut_sub(v[t[1]], v[t[0]]), abut_sub(v[t[2]], v[t[0]]));
    abut_anchor anchor = {{t[0], t[1], t[2], -1}, {0.0, 0.0, 0.0, 0.0}};
    for (int k = 1; k < 3; ++k) {
        abut_vec3 from = abut_sub(v[t[(k + 1) % 3]], p), to = abut_sub(v[t[(k + 2) % 3]], p);
        anchor.weights[k] = abut_dot(n, abut_cross(from, to)) / abut_norm_squared(n);
    }
    anchor.weights[0] = 1.0 - anchor.weights[1] - anchor.weights[2];
    return anchor;
}

/// Contacts of the vertices of one side with the triangles of the other.
static void add_vertices(const abut_query *query, int is_from_a, abut_sink *sink)
{
    const abut_side *from = is_from_a ? &query->pair->a : &query->pair->b;
    const abut_side *onto = is_from_a ? &query->pair->b : &query->pair->a;
    const abut_tree *tree = abut_side_tree(onto, ABUT_ELEMENT_TRIANGLE);
    const abut_vec3 *vertices = abut_side_vertices(from), *corners = abut_side_vertices(onto);
    abut_mesh_elements elements = abut_mesh_get_elements(abut_side_mesh(onto));
    int vertex_count = abut_mesh_get_elements(abut_side_mesh(from)).vertex_count;
    for (int i = 0; i < vertex_count; ++i) {
        abut_vec3 point = abut_pose_apply(from->pose, vertices[i]);
        abut_tree_hit hit = abut_tree_nearest(tree, abut_pose_apply_inverse(onto->pose, point),
                                              fmax(query->tolerance, query->envelope));
        if (hit.element < 0) {
            continue;
        }
        const int *t = elements.triangles + 3 * hit.element;
        abut_vec3 side_1 = abut_sub(corners[t[1]], corners[t[0]]), side_2 = abut_sub(corners[t[2]], corners[t[0]]);
        abut_vec3 outward = abut_quat_rotate(onto->pose.rotation, abut_unit(abut_cross(side_1, side_2)));
        if (abut_norm_squared(outward) == 0.0) {
            ++abut_sink_stats(sink)->degenerate_elements;
            continue;
        }
        abut_vec3 other = abut_pose_apply(onto->pose, hit.point);
        abut_feature vertex = abut_feature_vertex(i);
        abut_feature face = abut_feature_face(elements.triangle_faces[hit.element]);
        abut_anchor at_vertex = {{i, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
        abut_anchor at_face = anchor_in_triangle(t, corners, hit.point);
        abut_contact contact = {.position_a = is_from_a ? point : other,
                                .position_b = is_from_a ? other : point,
                                .normal = is_from_a ? abut_negate(outward) : outward,
                                .feature_a = is_from_a ? vertex : face,
                                .feature_b = is_from_a ? face : vertex,
                                .normal_feature = face,
                                .normal_side = is_from_a ? ABUT_NORMAL_B : ABUT_NORMAL_A,
                                .anchor_a = is_from_a ? at_vertex : at_face,
                                .anchor_b = is_from_a ? at_face : at_vertex,
                                .region = -1};
        (void)abut_sink_contact(sink, &contact); // where memory runs out the library ends the query
    }
}

static abut_status query_contacts(const abut_query *query, abut_sink *sink)
{
    const abut_shape *a = query->pair->a.shape, *b = query->pair->b.shape;
    if (query->is_self || abut_shape_dilation(a) != 0.0 || abut_shape_dilation(b) != 0.0 ||
        abut_shape_offset(a) != 0.0 || abut_shape_offset(b) != 0.0) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED, "vertex-proximity takes two bodies, as their meshes are");
    }
    add_vertices(query, 1, sink);
    add_vertices(query, 0, sink);
    return ABUT_OK;
}

static const abut_method method = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "vertex-proximity",
    .summary = "vertices near the other surface; the nearest triangle gives the normal",
    .source = "an example of a plug-in",
    .taxonomy = {.locality = ABUT_LOCAL, .normals = ABUT_NORMAL_CLOSEST_POINTS, .is_ours = 1},
    .needs = ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_TRIANGLE_TREE,
    .query = query_contacts,
};

/// The one symbol that the laboratory looks for.
ABUT_API const abut_method *abut_plugin_method(void);

const abut_method *abut_plugin_method(void)
{
    return &method;
}
