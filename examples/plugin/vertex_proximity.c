// SPDX-License-Identifier: MIT
// vertex_proximity.c: a contact method outside the library, as an example of a plug-in
//
// Every vertex of one body near the surface of the other makes a contact, with the normal of the nearest triangle.
//
// Source:  none; the simplest method that is worth loading.
// Cost:    one nearest-triangle search per vertex; no allocation.
// Fails:   it misses contacts of two edges, and vertices that are deeper inside than the envelope.
#include <abut-lab/plugin.h>

/// Contacts of the vertices of one side with the triangles of the other.
static void add_vertices(const abut_query *query, int is_a, abut_sink *sink)
{
    const abut_side *from = is_a ? &query->pair->a : &query->pair->b,
                    *onto = is_a ? &query->pair->b : &query->pair->a;
    const abut_vec3 *vertices = abut_side_vertices(from), *corners = abut_side_vertices(onto);
    abut_mesh_elements elements = abut_mesh_get_elements(abut_side_mesh(onto));
    int vertex_count = abut_mesh_get_elements(abut_side_mesh(from)).vertex_count;
    for (int i = 0; i < vertex_count; ++i) {
        abut_vec3 point = abut_pose_apply(from->pose, vertices[i]);
        abut_tree_hit hit =
            abut_tree_nearest(abut_side_tree(onto, ABUT_ELEMENT_TRIANGLE),
                              abut_pose_apply_inverse(onto->pose, point), fmax(query->tolerance, query->envelope));
        if (hit.element < 0) {
            continue;
        }
        const int *t = elements.triangles + 3 * hit.element;
        abut_vec3 u = abut_sub(corners[t[1]], corners[t[0]]), v = abut_sub(corners[t[2]], corners[t[0]]);
        abut_vec3 w = abut_sub(hit.point, corners[t[0]]), n = abut_cross(u, v);
        double square = abut_norm_squared(n);
        if (!(square > 0.0)) {
            ++abut_sink_stats(sink)->degenerate_elements;
            continue;
        }
        // The barycentric weights of the point on the triangle are shares of its area.
        double weight_1 = abut_dot(n, abut_cross(w, v)) / square, weight_2 = abut_dot(n, abut_cross(u, w)) / square;
        abut_anchor on_face = {{t[0], t[1], t[2], -1}, {1.0 - weight_1 - weight_2, weight_1, weight_2, 0.0}};
        abut_anchor on_vertex = {{i, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
        abut_feature vertex = abut_feature_vertex(i);
        abut_feature face = abut_feature_face(elements.triangle_faces[hit.element]);
        abut_vec3 other = abut_pose_apply(onto->pose, hit.point);
        abut_vec3 outward = abut_quat_rotate(onto->pose.rotation, abut_unit(n));
        abut_contact contact = {.position_a = is_a ? point : other,
                                .position_b = is_a ? other : point,
                                .normal = is_a ? abut_negate(outward) : outward,
                                .feature_a = is_a ? vertex : face,
                                .feature_b = is_a ? face : vertex,
                                .normal_feature = face,
                                .normal_side = is_a ? ABUT_NORMAL_B : ABUT_NORMAL_A,
                                .anchor_a = is_a ? on_vertex : on_face,
                                .anchor_b = is_a ? on_face : on_vertex,
                                .region = -1};
        (void)abut_sink_contact(sink, &contact); // if memory runs out, the library ends the query
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

/// The only symbol that the laboratory looks up.
ABUT_API const abut_method *abut_plugin_method(void);

const abut_method *abut_plugin_method(void)
{
    return &method;
}
