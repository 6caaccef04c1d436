// SPDX-License-Identifier: MIT
// convex_touch.c: where two convex solids touch
//
// Two parallel planes with normal n support the solids. Nothing touches that is further behind its own plane than the
// tolerance is beyond the distance of the planes, so only the corners in two thin slabs, and the edges and faces at
// them, are looked at. These get the tests of touch_candidates.c, touch_nodes.c and touch_intervals.c, whose results
// do not depend on what else is tested; so the choice of n does not matter.
#include "region/convex_touch.h"

#include "region/convex_task.h"

#include <string.h>

static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static inline abut_box box_of_two(abut_vec3 p, abut_vec3 q)
{
    abut_box box = {{lesser(p.x, q.x), lesser(p.y, q.y), lesser(p.z, q.z)},
                    {greater(p.x, q.x), greater(p.y, q.y), greater(p.z, q.z)}};
    return box;
}

static inline abut_box box_of_both(const abut_box *a, const abut_box *b)
{
    abut_box box = {
        {lesser(a->lower.x, b->lower.x), lesser(a->lower.y, b->lower.y), lesser(a->lower.z, b->lower.z)},
        {greater(a->upper.x, b->upper.x), greater(a->upper.y, b->upper.y), greater(a->upper.z, b->upper.z)}};
    return box;
}

// ---- the slabs

/// Fills in the heights of all corners along n, which is in A's frame; returns the highest for sign 1, else the lowest.
static double find_heights(abut_near_side *side, abut_vec3 n, double sign)
{
    abut_vec3 local = abut_mat3_apply_transposed(side->placed->rotation, n);
    double offset = abut_dot(n, side->placed->translation), extreme = -HUGE_VAL;
    for (int i = 0; i < side->solid->corner_count; ++i) {
        side->heights[i] = abut_dot(local, side->solid->corners[i]) + offset;
        extreme = greater(extreme, sign * side->heights[i]);
    }
    return sign * extreme;
}

static int add_face(abut_near_side *side, int face)
{
    if (side->known[face]) {
        return 1;
    }
    side->known[face] = 1;
    if (side->face_count == ABUT_NEAR_FACES) {
        return 0;
    }
    const abut_brep_face *f = &side->placed->model->brep.faces[face];
    abut_vec3 normal = abut_mat3_apply(side->placed->rotation, f->normal);
    side->normals[side->face_count] = normal;
    side->offsets[side->face_count] = f->offset + abut_dot(normal, side->placed->translation);
    side->faces[side->face_count++] = face;
    return 1;
}

/// Adds an edge with an end in the slab.
static int add_edge(abut_near_side *side, int index, double limit)
{
    const abut_convex_solid_edge *e = &side->solid->edges[index];
    if (side->edge_count == ABUT_NEAR_EDGES) {
        return 0;
    }
    abut_near_edge *made = &side->edges[side->edge_count++];
    made->edge = index;
    for (int k = 0; k < 2; ++k) {
        made->ends[k] = abut_near_corner(side, e->vertices[k]);
    }
    abut_vec3 inner[2] = {made->ends[0], made->ends[1]};
    for (int k = 0; k < 2; ++k) {
        if (side->slots[e->vertices[k]] < 0) { // where the edge leaves the slab
            double near = side->heights[e->vertices[1 - k]], far = side->heights[e->vertices[k]];
            inner[k] = abut_lerp(made->ends[1 - k], made->ends[k], (near - limit) / (near - far));
        }
    }
    made->box = box_of_two(inner[0], inner[1]);
    side->box = box_of_both(&side->box, &made->box);
    return add_face(side, e->faces[0]) && add_face(side, e->faces[1]);
}

/// Collects what is beyond the height `limit`: above it for sign 1, else below. Returns 0 if it is too much.
static int collect(abut_near_side *side, double limit, double sign)
{
    const abut_convex_solid *solid = side->solid;
    side->box = abut_box_empty();
    memset(side->known, 0, (size_t)solid->face_count);
    for (int i = 0; i < solid->corner_count; ++i) {
        side->slots[i] = -1;
        if (sign * side->heights[i] >= sign * limit) {
            if (side->vertex_count == ABUT_NEAR_VERTICES) {
                return 0;
            }
            side->slots[i] = (signed char)side->vertex_count;
            side->points[side->vertex_count] = abut_touch_place(side->placed, solid->corners[i]);
            side->vertices[side->vertex_count++] = i;
        }
    }
    for (int i = 0; i < solid->edge_count; ++i) {
        const int *ends = solid->edges[i].vertices;
        if ((side->slots[ends[0]] >= 0 || side->slots[ends[1]] >= 0) && !add_edge(side, i, limit)) {
            return 0;
        }
    }
    return 1;
}

// ---- overlaps

/// The answer to a question, if rounding leaves one.
typedef enum verdict { NO, YES, UNSURE } verdict;

/// Whether the point in which an edge runs through the plane of a face is further than the tolerance within its border.
/// The point is known within `unsure`.
static verdict is_well_inside(const abut_convex_task *task, const abut_near_side *side, int slot, abut_vec3 p,
                              double unsure)
{
    const abut_brep_elements *brep = &side->placed->model->brep;
    const abut_brep_loop *loop = &brep->loops[brep->faces[side->faces[slot]].loop_begin];
    double least = task->limits->tolerance - unsure, surely = task->limits->tolerance + unsure;
    verdict found = YES;
    for (int i = 0; i < loop->coedge_count; ++i) {
        const abut_brep_coedge *coedge = &brep->coedges[loop->coedge_begin + i];
        abut_vec3 from = abut_near_corner(side, brep->edges[coedge->edge].vertices[coedge->is_reversed]);
        abut_vec3 to = abut_near_corner(side, brep->edges[coedge->edge].vertices[1 - coedge->is_reversed]);
        abut_vec3 along = abut_sub(to, from);
        double inside = abut_dot(abut_cross(side->normals[slot], along), abut_sub(p, from)),
               length = abut_norm(along);
        if (inside < least * length) {
            return NO;
        }
        found = inside <= surely * length ? UNSURE : found;
    }
    return found;
}

/// Whether a face of a side can be pierced at all. From a point of the face the way downhill along it, towards the other
/// side, leaves the face before it has gone down by the overlap of the planes. If the face is steep, that is within the
/// tolerance, so the point is at the border.
static int is_gentle(const abut_convex_task *task, abut_vec3 face_normal)
{
    double cosine = abut_dot(face_normal, task->normal), overlap = 1.01 * task->gap;
    return (1.0 - cosine * cosine) * task->squared < overlap * overlap;
}

/// Whether an edge runs through a face of the other side, further than the tolerance on both sides of its plane and away
/// from its border.
static verdict is_pierced(const abut_convex_task *task, const abut_near_side *other, int slot,
                          const abut_vec3 ends[2])
{
    double from = abut_dot(other->normals[slot], ends[0]) - other->offsets[slot];
    double to = abut_dot(other->normals[slot], ends[1]) - other->offsets[slot];
    double below = -lesser(from, to), above = greater(from, to), tolerance = task->limits->tolerance;
    if (below < tolerance - task->unsure || above < tolerance - task->unsure) {
        return NO;
    }
    // the flatter the edge, the less certain where it meets the plane
    double unsure = task->unsure * (1.0 + abut_norm(abut_sub(ends[1], ends[0])) / (above + below));
    verdict found = is_well_inside(task, other, slot, abut_lerp(ends[0], ends[1], from / (from - to)), unsure);
    int is_sure = below > tolerance + task->unsure && above > tolerance + task->unsure;
    return found == YES && !is_sure ? UNSURE : found;
}

/// Whether an edge of one solid runs through a face of the other.
static verdict has_piercing_edge(const abut_convex_task *task)
{
    verdict found = NO;
    for (int side = 0; side < 2; ++side) {
        const abut_near_side *own = &task->sides[side], *other = &task->sides[1 - side];
        for (int k = 0; k < other->face_count; ++k) {
            if (!is_gentle(task, other->normals[k])) {
                continue;
            }
            for (int i = 0; i < own->edge_count; ++i) {
                verdict pierced = is_pierced(task, other, k, own->edges[i].ends);
                if (pierced == YES) {
                    return YES;
                }
                found = pierced == UNSURE ? UNSURE : found;
            }
        }
    }
    return found;
}

/// Whether a corner of one solid is inside the other, and further than the tolerance from its surface. Corners deeper
/// than twice that are left to their edges, as in touch_tests.c.
static verdict has_corner_inside(const abut_convex_task *task)
{
    double tolerance = task->limits->tolerance;
    verdict found = NO;
    for (int side = 0; side < 2; ++side) {
        const abut_near_side *own = &task->sides[side], *other = &task->sides[1 - side];
        for (int i = 0; i < own->vertex_count; ++i) {
            abut_vec3 p = abut_sub(own->points[i], other->placed->translation);
            double depth = abut_convex_depth(other->solid, abut_mat3_apply_transposed(other->placed->rotation, p));
            if (depth > tolerance + task->unsure && depth < 2.0 * tolerance - task->unsure) {
                return YES;
            }
            if (depth >= tolerance - task->unsure && depth <= 2.0 * tolerance + task->unsure) {
                found = UNSURE;
            }
        }
    }
    return found;
}

/// The box of a solid along the axes of A's frame, around the box of its mesh.
static abut_box box_of(const abut_touch_side *placed)
{
    abut_box local = placed->model->elements.bounds;
    abut_vec3 half = abut_scale(0.5, abut_sub(local.upper, local.lower));
    abut_vec3 middle = abut_touch_place(placed, abut_box_center(local));
    abut_mat3 r = {abut_abs(placed->rotation.x), abut_abs(placed->rotation.y), abut_abs(placed->rotation.z)};
    abut_vec3 extent = abut_mat3_apply(r, half);
    abut_box box = {abut_sub(middle, extent), abut_add(middle, extent)};
    return box;
}

/// Whether these boxes overlap by more than half the tolerance. If not, abut_touch_find() looks for no overlap.
static int boxes_overlap(const abut_convex_task *task)
{
    abut_box a = box_of(task->sides[0].placed), b = box_of(task->sides[1].placed);
    abut_vec3 depth = abut_sub(abut_min(a.upper, b.upper), abut_max(a.lower, b.lower));
    double least = 0.5 * task->limits->tolerance;
    return depth.x > least && depth.y > least && depth.z > least;
}

/// Whether the solids overlap, by the tests of abut_touch_find(). If they overlap along the normal by less than the
/// tolerance, no corner is deeper than that.
static verdict are_overlapping(const abut_convex_task *task)
{
    if (task->gap >= 0.0 || !boxes_overlap(task)) {
        return NO;
    }
    verdict pierced = has_piercing_edge(task);
    if (pierced == YES || task->gap >= -0.9 * task->limits->tolerance) {
        return pierced;
    }
    verdict inside = has_corner_inside(task);
    return inside == NO ? pierced : inside;
}

// ---- all of it

/// Times the tolerance: solids that overlap by more along the normal are refused. Convex solids that overlap by more
/// than 4 tolerances count as overlapping at once.
static const double deepest = 5.0;

/// Finds how far the solids are from each other along the normal.
static void begin(abut_convex_task *task, const abut_convex_meeting *meeting)
{
    double tolerance = meeting->limits->tolerance;
    double inner = meeting->strict != NULL ? meeting->strict->tolerance : tolerance;
    task->limits = meeting->limits;
    task->normal = meeting->normal;
    task->squared = tolerance * tolerance;
    task->inner = inner * inner;
    task->is_clear = 1;
    task->node_count = task->interval_count = task->is_full = 0;
    task->tested_pairs = 0;
    for (int i = 0; i < 2; ++i) {
        task->sides[i].placed = &meeting->sides[i];
        task->sides[i].solid = meeting->solids[i];
        task->sides[i].vertex_count = task->sides[i].edge_count = task->sides[i].face_count = 0;
    }
    task->highest = find_heights(&task->sides[0], task->normal, 1.0);
    task->lowest = find_heights(&task->sides[1], task->normal, -1.0);
    task->gap = task->lowest - task->highest;
    task->unsure = abut_convex_unsure(meeting->solids, meeting->sides[1].translation);
}

/// Collects what is near. Returns 0 if it is too much, or if the normal does not separate the solids.
static int collect_both(abut_convex_task *task)
{
    // a little more than the tolerance leaves room for rounding
    double tolerance = task->limits->tolerance, reach = 1.01 * tolerance + task->unsure;
    return task->gap >= -deepest * tolerance && collect(&task->sides[0], task->lowest - reach, 1.0) &&
           collect(&task->sides[1], task->highest + reach, -1.0);
}

/// Whether a face of A may share a polygon with one of B. Its corners are on A, so they are not above A's plane; and they
/// are within the tolerance of points of B, which are above B's plane. In between must be a disc with a radius of more
/// than the tolerance, as outlines.c says of polygons that are large enough.
static int has_flat_face(const abut_convex_task *task)
{
    const abut_convex_solid *a = task->sides[0].solid;
    abut_vec3 n = abut_mat3_apply_transposed(task->sides[0].placed->rotation, task->normal);
    double tolerance = task->limits->tolerance, thickness = 1.01 * (tolerance - task->gap) + task->unsure;
    for (int i = 0; i < a->face_count; ++i) {
        double cosine = abut_dot(a->planes[i].normal, n);
        if (cosine > 0.0 && 4.0 * (1.0 - cosine * cosine) * task->squared <= thickness * thickness) {
            return 1;
        }
    }
    return 0;
}

/// Whether the unit normals of a face of A and one of B oppose each other well within the angle.
static int oppose(abut_vec3 of_a, abut_vec3 of_b, double angle)
{
    return abut_norm_squared(abut_add(of_a, of_b)) <= 0.25 * angle * angle;
}

/// Whether a search with the strict limits would find the same polygon. It would find the same nodes. The other tests
/// for a polygon have more room then, except that the faces must be parallel within a smaller angle.
static int is_strict_polygon(abut_convex_task *task, const abut_touch_limits *strict,
                             const abut_touch_region *polygon)
{
    abut_vec3 of_b = abut_touch_normal(task->sides[1].placed, polygon->b.index);
    if (!task->is_clear || task->gap < -0.5 * strict->tolerance ||
        !oppose(polygon->normals.items[0], of_b, strict->angle)) {
        return 0;
    }
    task->limits = strict;
    task->squared = task->inner;
    return are_overlapping(task) == NO;
}

int abut_convex_faces_meet(const abut_convex_meeting *meeting)
{
    abut_vec3 normals[2];
    for (int side = 0; side < 2; ++side) {
        const abut_convex_solid *solid = meeting->solids[side];
        abut_mat3 rotation = meeting->sides[side].rotation;
        abut_vec3 local = abut_mat3_apply_transposed(rotation, meeting->normal);
        double best = -HUGE_VAL, sign = side == 0 ? 1.0 : -1.0;
        if (solid->planes == NULL) {
            return 0;
        }
        for (int i = 0; i < solid->face_count; ++i) {
            double cosine = sign * abut_dot(solid->planes[i].normal, local);
            if (cosine > best) {
                best = cosine;
                normals[side] = solid->planes[i].normal;
            }
        }
        normals[side] = abut_mat3_apply(rotation, normals[side]);
    }
    return oppose(normals[0], normals[1], meeting->limits->angle);
}

/// Finds nodes, and intervals or a polygon. Returns 0 if the way of all meshes must.
static int find_all(abut_convex_task *task, abut_arena *arena, int polygons_only, verdict *overlap,
                    abut_region_set *set, int *is_polygon)
{
    if (!collect_both(task)) {
        return 0;
    }
    *overlap = are_overlapping(task);
    if (*overlap != NO) {
        return *overlap == YES;
    }
    abut_convex_find_nodes(task);
    *is_polygon = !task->is_full && abut_convex_find_polygon(task, arena, set);
    if (!*is_polygon && (task->node_count >= 3 || !polygons_only)) {
        abut_convex_find_intervals(task);
    }
    // if nothing touches though the solids overlap, one of them may be inside the other
    return !task->is_full && (task->gap >= 0.0 || task->node_count > 0);
}

abut_convex_outcome abut_convex_touch_find(abut_arena *arena, const abut_convex_meeting *meeting, abut_touch *touch,
                                           abut_region_set *set)
{
    abut_convex_task task; // its sides are large, so they are not set to zero
    if (meeting->solids[0]->corners == NULL || meeting->solids[1]->corners == NULL) {
        return ABUT_CONVEX_REFUSED;
    }
    begin(&task, meeting);
    task.nodes = abut_arena_take(arena, ABUT_CONVEX_NODES * sizeof *task.nodes);
    task.intervals = abut_arena_take(arena, ABUT_CONVEX_INTERVALS * sizeof *task.intervals);
    if (task.nodes == NULL || task.intervals == NULL) {
        return ABUT_CONVEX_NO_MEMORY;
    }
    verdict overlap = NO;
    int is_polygon = 0, is_useful = !meeting->polygons_only || has_flat_face(&task);
    if (is_useful && !find_all(&task, arena, meeting->polygons_only, &overlap, set, &is_polygon)) {
        return ABUT_CONVEX_REFUSED;
    }
    *touch = (abut_touch){.sides = {meeting->sides[0], meeting->sides[1]},
                          .tolerance = meeting->limits->tolerance,
                          .angle = meeting->limits->angle,
                          .arena = arena,
                          .small_parts = touch->small_parts,
                          .nodes = task.nodes,
                          .node_count = task.node_count,
                          .intervals = task.intervals,
                          .interval_count = task.interval_count,
                          .overlaps = overlap == YES,
                          .candidate_pairs = (int64_t)task.sides[0].face_count * task.sides[1].face_count,
                          .tested_pairs = task.tested_pairs};
    if (!is_polygon) {
        return ABUT_CONVEX_FOUND;
    }
    return meeting->strict != NULL && is_strict_polygon(&task, meeting->strict, &set->regions[0])
               ? ABUT_CONVEX_STRICT_POLYGON
               : ABUT_CONVEX_POLYGON;
}
