// SPDX-License-Identifier: MIT
// drawn_body.c: the edges of a body that a drawing shows, its faces, and the triangles that hide others
#include "common/lab_support.h"
#include "draw/drawing.h"

// Below this angle an edge is a facet line of a curved surface rather than an edge of the part.
static const double FINE_ANGLE = 30.0 * ABUT_LAB_PI / 180.0;
// A face is edge-on if its normal is perpendicular to the view up to rounding.
static const double EDGE_ON = 1e-9;

/// A body while it is added.
typedef struct body_task {
    abut_drawing *drawing;
    abut_mesh_elements mesh;
    abut_brep_elements brep;
    abut_pose pose;
    int index, first_face;
    double side; ///< 1: normals point outward; -1: the mesh is inside out; 0: it has no inside
} body_task;

static abut_vec3 place(const body_task *task, int vertex)
{
    return abut_drawing_place(task->drawing, abut_pose_apply(task->pose, task->mesh.vertices[vertex]));
}

/// Cosine of the angle between a face's normal and the direction to the viewer.
static double facing(const body_task *task, int face)
{
    abut_vec3 normal = abut_quat_rotate(task->pose.rotation, task->brep.faces[face].normal);
    double cosine = abut_dot(normal, task->drawing->axes.z);
    return task->side == 0.0 ? fabs(cosine) : task->side * cosine;
}

/// Whether the surface turns away from the viewer at an edge, or ends there.
static int is_silhouette(const body_task *task, const abut_brep_edge *edge)
{
    if (edge->kind == ABUT_EDGE_BOUNDARY || edge->kind == ABUT_EDGE_NON_MANIFOLD) {
        return 1;
    }
    abut_vec3 view = task->drawing->axes.z;
    int is_front[2];
    for (int k = 0; k < 2; ++k) {
        abut_vec3 normal = abut_quat_rotate(task->pose.rotation, task->brep.faces[edge->faces[k]].normal);
        is_front[k] = abut_dot(normal, view) > EDGE_ON;
    }
    return is_front[0] != is_front[1];
}

static int add_edge(abut_drawing *drawing, const abut_drawn_edge *edge)
{
    if (!abut_grow(&drawing->context, &drawing->edges, &drawing->edge_capacity, drawing->edge_count + 1,
                   sizeof *drawing->edges)) {
        return 0;
    }
    drawing->edges[drawing->edge_count++] = *edge;
    return 1;
}

static int add_edges(const body_task *task)
{
    abut_drawing *drawing = task->drawing;
    int has_silhouettes_only = drawing->triangle_count > ABUT_DRAWING_SHARP_EDGES;
    for (int i = 0; i < task->brep.edge_count; ++i) {
        const abut_brep_edge *edge = &task->brep.edges[i];
        int is_outer = is_silhouette(task, edge);
        int is_fine = !is_outer && fabs(edge->angle - ABUT_LAB_PI) < FINE_ANGLE;
        if (!is_outer && (has_silhouettes_only || (is_fine && !drawing->has_all_edges))) {
            continue;
        }
        abut_drawn_edge drawn = {.body = task->index, .faces = {-1, -1}, .is_fine = is_fine};
        for (int k = 0; k < 2; ++k) {
            drawn.ends[k] = place(task, task->brep.vertices[edge->vertices[k]].source_vertex);
            drawn.faces[k] = edge->faces[k] < 0 ? -1 : task->first_face + edge->faces[k];
        }
        if (!add_edge(drawing, &drawn)) {
            return 0;
        }
    }
    for (int i = 0; i < task->mesh.segment_count; ++i) {
        abut_drawn_edge drawn = {.body = task->index, .faces = {-1, -1}};
        drawn.ends[0] = place(task, task->mesh.segments[2 * i]);
        drawn.ends[1] = place(task, task->mesh.segments[2 * i + 1]);
        if (!add_edge(drawing, &drawn)) {
            return 0;
        }
    }
    return 1;
}

static int add_ring(const body_task *task, const abut_brep_loop *loop)
{
    abut_drawing *drawing = task->drawing;
    const abut_context *context = &drawing->context;
    if (!abut_grow(context, &drawing->rings, &drawing->ring_capacity, drawing->ring_count + 1,
                   sizeof *drawing->rings) ||
        !abut_grow(context, &drawing->ring_points, &drawing->ring_point_capacity,
                   drawing->ring_point_count + loop->coedge_count, sizeof *drawing->ring_points)) {
        return 0;
    }
    drawing->rings[drawing->ring_count++] = (abut_drawn_ring){drawing->ring_point_count, loop->coedge_count};
    for (int i = 0; i < loop->coedge_count; ++i) {
        abut_brep_coedge coedge = task->brep.coedges[loop->coedge_begin + i];
        int vertex = task->brep.edges[coedge.edge].vertices[coedge.is_reversed];
        drawing->ring_points[drawing->ring_point_count++] = place(task, task->brep.vertices[vertex].source_vertex);
    }
    return 1;
}

static int add_faces(const body_task *task)
{
    abut_drawing *drawing = task->drawing;
    for (int i = 0; i < task->brep.face_count && drawing->has_all_edges; ++i) {
        const abut_brep_face *face = &task->brep.faces[i];
        double cosine = facing(task, i);
        if (cosine <= EDGE_ON || face->loop_count == 0) {
            continue;
        }
        if (!abut_grow(&drawing->context, &drawing->faces, &drawing->face_capacity, drawing->face_count + 1,
                       sizeof *drawing->faces)) {
            return 0;
        }
        int first_point = drawing->ring_point_count;
        abut_drawn_face drawn = {.body = task->index,
                                 .ring_begin = drawing->ring_count,
                                 .ring_count = face->loop_count,
                                 .facing = cosine};
        for (int k = 0; k < face->loop_count; ++k) {
            if (!add_ring(task, &task->brep.loops[face->loop_begin + k])) {
                return 0;
            }
        }
        int count = drawing->ring_point_count - first_point;
        for (int k = 0; k < count; ++k) {
            drawn.depth += drawing->ring_points[first_point + k].z / count;
        }
        drawing->faces[drawing->face_count++] = drawn;
    }
    return 1;
}

static int add_occluders(const body_task *task)
{
    abut_drawing *drawing = task->drawing;
    if (!abut_grow(&drawing->context, &drawing->occluders, &drawing->occluder_capacity,
                   drawing->occluder_count + task->mesh.triangle_count, sizeof *drawing->occluders)) {
        return 0;
    }
    for (int i = 0; i < task->mesh.triangle_count; ++i) {
        abut_occluder *occluder = &drawing->occluders[drawing->occluder_count++];
        for (int k = 0; k < 3; ++k) {
            occluder->corners[k] = place(task, task->mesh.triangles[3 * i + k]);
        }
        occluder->face = task->first_face + task->brep.triangle_faces[i];
    }
    return 1;
}

static int add_dots(const body_task *task)
{
    abut_drawing *drawing = task->drawing;
    if (!abut_grow(&drawing->context, &drawing->dots, &drawing->dot_capacity,
                   drawing->dot_count + task->mesh.point_count, sizeof *drawing->dots)) {
        return 0;
    }
    for (int i = 0; i < task->mesh.point_count; ++i) {
        drawing->dots[drawing->dot_count++] = place(task, task->mesh.points[i]);
    }
    return 1;
}

abut_status abut_drawing_add_body(abut_drawing *drawing, const abut_drawn_body *body, int index, int *first_face,
                                  abut_error *error)
{
    body_task task = {.drawing = drawing,
                      .mesh = abut_mesh_get_elements(body->mesh),
                      .pose = body->pose,
                      .index = index,
                      .first_face = *first_face};
    abut_mesh_info info = abut_mesh_get_info(body->mesh);
    task.side = !info.is_closed || !info.is_oriented ? 0.0 : info.volume < 0.0 ? -1.0 : 1.0;
    abut_brep *brep = NULL;
    abut_status status = abut_brep_create(&drawing->context, body->mesh, NULL, &brep, error);
    if (status != ABUT_OK) {
        return status;
    }
    task.brep = abut_brep_get_elements(brep);
    int is_done = add_edges(&task) && add_faces(&task) && add_occluders(&task) && add_dots(&task);
    *first_face += task.brep.face_count;
    abut_brep_destroy(brep);
    return is_done ? ABUT_OK : abut_fail(error, ABUT_NO_MEMORY, "out of memory");
}
