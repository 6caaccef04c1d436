// SPDX-License-Identifier: MIT
// regions_names.c: the mesh features, anchors and faces behind the parts of a B-rep that touch
#include "method/regions_analysis.h"

#include "method/brep_feature.h"
#include "prim/point_triangle.h"

/// Times the angle: a face has a normal of a region if the two are this near. Rays within 4 angles of each other are
/// one (cone.h), and the one that was kept may itself be 4 angles away from the face's normal.
static const double face_angles = 8.0;

abut_feature abut_regions_feature(const abut_region_model *model, abut_entity entity)
{
    static const abut_place places[] = {ABUT_PLACE_VERTEX, ABUT_PLACE_EDGE, ABUT_PLACE_FACE};
    return abut_brep_feature(model->topology.edge_vertices, model->elements.triangle_faces, &model->brep,
                             (abut_location){places[entity.kind], entity.index});
}

abut_anchor abut_regions_anchor(const abut_touch_side *side, abut_entity entity, int triangle, abut_vec3 local)
{
    const abut_region_model *model = side->model;
    abut_anchor anchor = {{-1, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
    if (entity.kind == ABUT_ENTITY_VERTEX) {
        anchor.vertices[0] = model->brep.vertices[entity.index].source_vertex;
    } else if (entity.kind == ABUT_ENTITY_EDGE) {
        const abut_brep_edge *edge = &model->brep.edges[entity.index];
        abut_vec3 from = abut_region_vertex(model, edge->vertices[0]);
        abut_vec3 along = abut_sub(abut_region_vertex(model, edge->vertices[1]), from);
        double weight = abut_dot(abut_sub(local, from), along) / abut_norm_squared(along);
        anchor.vertices[0] = model->brep.vertices[edge->vertices[0]].source_vertex;
        anchor.vertices[1] = model->brep.vertices[edge->vertices[1]].source_vertex;
        anchor.weights[0] = 1.0 - weight;
        anchor.weights[1] = weight;
    } else {
        abut_vec3 corners[3];
        for (int k = 0; k < 3; ++k) {
            anchor.vertices[k] = model->elements.triangles[3 * (size_t)triangle + (size_t)k];
            corners[k] = model->elements.vertices[anchor.vertices[k]];
        }
        (void)abut_point_triangle_distance_squared(local, corners, anchor.weights);
    }
    return anchor;
}

/// The face at an entity of a side whose outward normal is n, or -1.
static int face_with_normal(const abut_touch_side *side, abut_entity entity, abut_vec3 n, double angle)
{
    for (int i = 0; i < abut_region_face_count(side->model, entity); ++i) {
        int face = abut_region_face(side->model, entity, i);
        if (abut_norm(abut_sub(abut_touch_normal(side, face), n)) <= face_angles * angle) {
            return face;
        }
    }
    return -1;
}

abut_normal_side abut_regions_normal_face(const abut_regions_analysis *a, const abut_touch_region *region,
                                          abut_vec3 n, int *face)
{
    int of_b = face_with_normal(&a->sides[1], region->b, abut_negate(n), a->angle);
    *face = face_with_normal(&a->sides[0], region->a, n, a->angle);
    if (!isinf(a->hints.level) && *face >= 0 &&
        of_b >= 0) { // within an envelope faces may be at an angle: the nearer
        double from_a = abut_norm_squared(abut_sub(abut_touch_normal(&a->sides[0], *face), n));
        *face = abut_norm_squared(abut_add(abut_touch_normal(&a->sides[1], of_b), n)) < from_a ? -1 : *face;
    }
    if (*face >= 0) {
        return ABUT_NORMAL_A;
    }
    *face = of_b;
    return *face >= 0 ? ABUT_NORMAL_B : ABUT_NORMAL_BOTH;
}
