// SPDX-License-Identifier: MIT
// convex_solid.c: a convex B-rep with what finds its distance from another
//
// A solid is convex if its surface is one closed part without handles that bends outward at every edge, and no vertex
// is in front of a face. The first two are quick and rule out most meshes; abut_convex_create() decides the rest. It
// gets the corners of the B-rep only, so a face costs the same however it is cut into triangles.
#include "region/convex_solid.h"

#include "base/context.h"
#include "base/error.h"
#include "convex/convex.h"

enum {
    /// Of the mesh times the faces: all of these are compared with each other.
    VERTEX_FACE_LIMIT = 1 << 24
};

/// Of the coordinates: the rounding of the sums and products of a distance. Far above theirs (abut_convex_rounding()),
/// since the analysis of the regions rounds in other places.
static const double rounding = 0x1p-44;

/// Whether the surface may be convex. Solids with many corners are left out: how deep they overlap takes time quadratic
/// in the corners, far more than the analysis that it may save.
static int bends_outward(const abut_region_model *model)
{
    const abut_brep_elements *brep = &model->brep;
    if (model->part_count != 1 || brep->vertex_count < 4 || brep->vertex_count > ABUT_CONVEX_FEW ||
        brep->vertex_count - brep->edge_count + brep->face_count != 2 ||
        (int64_t)model->elements.vertex_count * brep->face_count > VERTEX_FACE_LIMIT) {
        return 0;
    }
    for (int i = 0; i < brep->edge_count; ++i) {
        if (brep->edges[i].kind != ABUT_EDGE_CONVEX) {
            return 0;
        }
    }
    for (int i = 0; i < brep->face_count; ++i) {
        if (!model->is_convex_face[i]) {
            return 0;
        }
    }
    return 1;
}

/// Makes a mesh of the corners and faces.
static abut_status make_mesh(abut_convex_solid *solid, const abut_region_model *model, abut_error *error)
{
    const abut_brep_elements *brep = &model->brep;
    abut_vec3 *corners = abut_allocate(&solid->context, (size_t)brep->vertex_count, sizeof *corners);
    int *offsets = abut_allocate(&solid->context, (size_t)brep->face_count + 1, sizeof *offsets);
    int *vertices = abut_allocate(&solid->context, (size_t)brep->coedge_count, sizeof *vertices);
    abut_status status = ABUT_NO_MEMORY;
    if (corners != NULL && offsets != NULL && vertices != NULL) {
        int count = 0;
        for (int i = 0; i < brep->vertex_count; ++i) {
            corners[i] = abut_region_vertex(model, i);
        }
        for (int i = 0; i < brep->face_count; ++i) {
            const abut_brep_loop *loop = &brep->loops[brep->faces[i].loop_begin];
            offsets[i] = count;
            for (int k = 0; k < loop->coedge_count; ++k) {
                const abut_brep_coedge *coedge = &brep->coedges[loop->coedge_begin + k];
                vertices[count++] = brep->edges[coedge->edge].vertices[coedge->is_reversed];
            }
        }
        offsets[brep->face_count] = count;
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = corners;
        def.vertex_count = brep->vertex_count;
        def.face_offsets = offsets;
        def.face_vertices = vertices;
        def.face_count = brep->face_count;
        status = abut_mesh_create(&solid->context, &def, &solid->mesh, error);
    }
    abut_free(&solid->context, corners);
    abut_free(&solid->context, offsets);
    abut_free(&solid->context, vertices);
    return status;
}

/// How far the vertices of the mesh are in front of any face, and from the planes of their own faces.
static double find_slack(const abut_region_model *model)
{
    const abut_brep_elements *brep = &model->brep;
    const abut_mesh_elements *elements = &model->elements;
    double slack = 0.0;
    for (int i = 0; i < brep->face_count; ++i) {
        const abut_brep_face *face = &brep->faces[i];
        for (int k = 0; k < elements->vertex_count; ++k) {
            slack = fmax(slack, abut_dot(face->normal, elements->vertices[k]) - face->offset);
        }
        for (int k = 0; k < 3 * face->triangle_count; ++k) {
            int triangle = brep->face_triangles[face->triangle_begin + k / 3];
            int vertex = elements->triangles[3 * (size_t)triangle + (size_t)(k % 3)];
            slack = fmax(slack, face->offset - abut_dot(face->normal, elements->vertices[vertex]));
        }
    }
    return slack;
}

/// Copies the corners and edges of a solid with few of them. Returns 0 if memory ran out.
static int copy_few(abut_convex_solid *solid, const abut_region_model *model)
{
    const abut_brep_elements *brep = &model->brep;
    solid->corner_count = brep->vertex_count;
    solid->edge_count = brep->edge_count;
    solid->face_count = brep->face_count;
    if (brep->vertex_count > ABUT_CONVEX_FEW || brep->face_count > ABUT_CONVEX_FEW ||
        model->elements.vertex_count != brep->vertex_count) {
        return 1;
    }
    solid->corners = abut_allocate(&solid->context, (size_t)brep->vertex_count, sizeof *solid->corners);
    solid->edges = abut_allocate(&solid->context, (size_t)brep->edge_count, sizeof *solid->edges);
    solid->planes = abut_allocate(&solid->context, (size_t)brep->face_count, sizeof *solid->planes);
    if (solid->corners == NULL || solid->edges == NULL || solid->planes == NULL) {
        return 0;
    }
    for (int i = 0; i < brep->face_count; ++i) {
        solid->planes[i] = (abut_convex_plane){brep->faces[i].normal, brep->faces[i].offset};
    }
    for (int i = 0; i < brep->vertex_count; ++i) {
        solid->corners[i] = abut_region_vertex(model, i);
    }
    for (int i = 0; i < brep->edge_count; ++i) {
        const abut_brep_edge *e = &brep->edges[i];
        int first = model->topology.edge_triangles[model->topology.edge_triangle_offsets[e->source_edge]];
        int is_right = brep->triangle_faces[first] != e->faces[0];
        solid->edges[i] = (abut_convex_solid_edge){{e->vertices[is_right], e->vertices[1 - is_right]},
                                                   {e->faces[0], e->faces[1]}};
    }
    return 1;
}

abut_status abut_convex_solid_create(const abut_context *context, const abut_region_model *model,
                                     abut_convex_solid **solid, abut_error *error)
{
    *solid = NULL;
    if (!bends_outward(model)) {
        return ABUT_OK;
    }
    abut_context kept = abut_context_or_default(context);
    abut_convex_solid *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a convex solid");
    }
    made->context = kept;
    abut_error reason;
    abut_status status = make_mesh(made, model, &reason);
    if (status == ABUT_OK) {
        status = abut_convex_create(&kept, made->mesh, NULL, &made->shape, &reason);
    }
    if (status == ABUT_OK && !copy_few(made, model)) {
        status = ABUT_NO_MEMORY;
    }
    if (status != ABUT_OK) {
        abut_convex_solid_destroy(made);
        if (status != ABUT_NO_MEMORY) {
            return ABUT_OK; // not convex
        }
        return abut_fail(error, status, "no memory for a convex solid");
    }
    made->slack = find_slack(model);
    for (int i = 0; i < model->brep.vertex_count; ++i) {
        made->reach = fmax(made->reach, abut_norm(abut_region_vertex(model, i)));
    }
    *solid = made;
    return ABUT_OK;
}

void abut_convex_solid_destroy(abut_convex_solid *solid)
{
    if (solid != NULL) {
        abut_context context = solid->context;
        abut_free(&context, solid->corners);
        abut_free(&context, solid->edges);
        abut_free(&context, solid->planes);
        abut_convex_destroy(solid->shape);
        abut_mesh_destroy(solid->mesh);
        abut_free(&context, solid);
    }
}

double abut_convex_unsure(const abut_convex_solid *const solids[2], abut_vec3 offset)
{
    return rounding * (abut_norm(offset) + solids[0]->reach + solids[1]->reach) + solids[0]->slack +
           solids[1]->slack;
}

size_t abut_convex_watch_room(const abut_convex_watch *watch)
{
    return abut_convex_scratch_size(watch->solids[0]->shape, watch->solids[1]->shape);
}

double abut_convex_depth(const abut_convex_solid *solid, abut_vec3 p)
{
    double depth = HUGE_VAL;
    for (int i = 0; i < solid->face_count; ++i) {
        double behind = solid->planes[i].offset - abut_dot(solid->planes[i].normal, p);
        depth = behind < depth ? behind : depth;
    }
    return depth;
}

/// An upper bound of the distance: a ball in both solids is as wide as the least motion that could part them. Its
/// center is near the deepest corner, towards the middle of the last contact, and halfway between the supporting
/// planes, whose heights along the normal are given.
static double bound_by_ball(const abut_convex_watch *watch, abut_vec3 normal, const double heights[2],
                            abut_mat3 rotation, abut_vec3 offset)
{
    const abut_convex_recall *recall = &watch->recall;
    const abut_convex *a = watch->solids[0]->shape, *b = watch->solids[1]->shape;
    abut_vec3 corner = recall->is_of_b
                           ? a->points[recall->supports[0]]
                           : abut_add(abut_mat3_apply(rotation, b->points[recall->supports[1]]), offset);
    abut_vec3 p = abut_lerp(corner, recall->middle, 0.1);
    p = abut_add_scaled(p, 0.5 * (heights[0] + heights[1]) - abut_dot(normal, p), normal);
    double radius = abut_convex_depth(watch->solids[0], p);
    if (radius > 0.0) {
        radius = fmin(
            radius, abut_convex_depth(watch->solids[1], abut_mat3_apply_transposed(rotation, abut_sub(p, offset))));
    }
    return radius > 0.0 ? -2.0 * radius : HUGE_VAL;
}

abut_convex_gap abut_convex_gap_guess(abut_convex_watch *watch, abut_pose b_to_a)
{
    const abut_convex_solid *a = watch->solids[0], *b = watch->solids[1];
    abut_convex_recall *recall = &watch->recall;
    abut_convex_gap gap = {-HUGE_VAL, HUGE_VAL, recall->normal, 0};
    if (!recall->is_known) {
        return gap;
    }
    abut_mat3 rotation = abut_quat_matrix(b_to_a.rotation);
    abut_vec3 local = recall->normal;
    if (recall->is_of_b) {
        gap.normal = abut_mat3_apply(rotation, local);
    } else {
        local = abut_mat3_apply_transposed(rotation, local);
    }
    double unsure = abut_convex_unsure(watch->solids, b_to_a.position), heights[2], below;
    recall->supports[0] = abut_convex_climb(a->shape, gap.normal, recall->supports[0], &heights[0]);
    recall->supports[1] = abut_convex_climb(b->shape, abut_negate(local), recall->supports[1], &below);
    heights[1] = abut_dot(gap.normal, b_to_a.position) - below;
    gap.lower = heights[1] - heights[0] - unsure;
    if (gap.lower < 0.0 && recall->is_touching && a->planes != NULL && b->planes != NULL) {
        gap.upper = bound_by_ball(watch, gap.normal, heights, rotation, b_to_a.position) + unsure;
    }
    return gap;
}

abut_convex_gap abut_convex_gap_find(abut_convex_watch *watch, abut_pose b_to_a)
{
    const abut_convex_solid *a = watch->solids[0], *b = watch->solids[1];
    abut_convex_recall *recall = &watch->recall;
    double unsure = abut_convex_unsure(watch->solids, b_to_a.position);
    abut_convex_gap gap = {-HUGE_VAL, HUGE_VAL, recall->normal, 1};
    abut_convex_pair pair = abut_convex_pair_default(a->shape, b->shape);
    abut_convex_memory before = recall->memory;
    abut_convex_result result;
    pair.pose_b = b_to_a;
    pair.scratch = watch->scratch;
    pair.scratch_size = watch->scratch != NULL ? abut_convex_watch_room(watch) : 0;
    recall->is_known = abut_convex_distance(&pair, &before, &recall->memory, &result) == ABUT_OK;
    if (recall->is_known) {
        gap.lower = result.certificate.lower - unsure;
        gap.upper = result.certificate.upper + unsure;
        gap.normal = result.normal;
        recall->is_of_b = result.part_a.kind != ABUT_FEATURE_FACE && result.part_b.kind == ABUT_FEATURE_FACE;
        recall->normal =
            recall->is_of_b ? abut_quat_rotate(abut_quat_conjugate(b_to_a.rotation), result.normal) : result.normal;
        recall->supports[0] = result.certificate.support_a;
        recall->supports[1] = result.certificate.support_b;
    }
    return gap;
}
