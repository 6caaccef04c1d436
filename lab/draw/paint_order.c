// SPDX-License-Identifier: MIT
// paint_order.c: an order in which faces can be painted, far ones first
//
// The order by mean depth is wrong where a large face lies under small ones. So pairs that overlap in the picture are
// compared by their planes (Newell, Newell and Sancha 1972): if all of face P lies behind the plane of face Q, or all of
// Q in front of the plane of P, then P cannot hide Q. A face is painted once all that it hides are. Faces that hide each
// other, or pass through each other, keep the order by depth. Cost: all pairs, of at most ABUT_DRAWING_ALL_EDGES faces.
#include "draw/drawing.h"

#include <stdlib.h>

static const double PLANE_TOLERANCE = 1e-9; ///< relative to the size of the drawing: such points lie in the plane

/// A face that is not painted yet.
typedef struct sheet {
    abut_drawn_face face;
    const abut_vec3 *points;
    int point_count;
    abut_box box;
    abut_vec3 normal; ///< towards the viewer
    int behind_count; ///< faces that must be painted before it
    int is_painted;
} sheet;

static int compare_sheets(const void *a, const void *b)
{
    const abut_drawn_face *x = &((const sheet *)a)->face, *y = &((const sheet *)b)->face;
    if (x->depth != y->depth) {
        return x->depth < y->depth ? -1 : 1;
    }
    return (x->ring_begin > y->ring_begin) - (x->ring_begin < y->ring_begin);
}

/// The normal by Newell's sum over all rings.
static abut_vec3 normal_of(const abut_drawing *drawing, const abut_drawn_face *face)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < face->ring_count; ++i) {
        abut_drawn_ring ring = drawing->rings[face->ring_begin + i];
        const abut_vec3 *points = drawing->ring_points + ring.begin;
        for (int k = 0; k < ring.count; ++k) {
            abut_vec3 from = abut_sub(points[k], points[0]), to = abut_sub(points[(k + 1) % ring.count], points[0]);
            sum = abut_add(sum, abut_cross(from, to));
        }
    }
    return abut_unit(sum.z < 0.0 ? abut_negate(sum) : sum);
}

static sheet make_sheet(const abut_drawing *drawing, const abut_drawn_face *face)
{
    abut_drawn_ring first = drawing->rings[face->ring_begin];
    abut_drawn_ring last = drawing->rings[face->ring_begin + face->ring_count - 1];
    sheet made = {.face = *face,
                  .points = drawing->ring_points + first.begin,
                  .point_count = last.begin + last.count - first.begin,
                  .normal = normal_of(drawing, face)};
    made.box = (abut_box){made.points[0], made.points[0]};
    for (int i = 1; i < made.point_count; ++i) {
        made.box.lower = abut_min(made.box.lower, made.points[i]);
        made.box.upper = abut_max(made.box.upper, made.points[i]);
    }
    return made;
}

/// Whether all points are on one side of the plane of a face: behind it for `side` -1, in front of it for 1.
static int is_beside(const sheet *points, const sheet *plane, double side, double tolerance)
{
    for (int i = 0; i < points->point_count; ++i) {
        abut_vec3 offset = abut_sub(points->points[i], plane->points[0]);
        if (side * abut_dot(plane->normal, offset) < -tolerance) {
            return 0;
        }
    }
    return 1;
}

/// Whether `back` does not hide `front`.
static int can_be_before(const sheet *back, const sheet *front, double tolerance)
{
    return back->box.upper.z <= front->box.lower.z || is_beside(back, front, -1.0, tolerance) ||
           is_beside(front, back, 1.0, tolerance);
}

static int must_be_before(const sheet *back, const sheet *front, double tolerance)
{
    abut_box a = back->box, b = front->box;
    int is_apart = a.upper.x - b.lower.x <= tolerance || b.upper.x - a.lower.x <= tolerance ||
                   a.upper.y - b.lower.y <= tolerance || b.upper.y - a.lower.y <= tolerance;
    return !is_apart && can_be_before(back, front, tolerance) && !can_be_before(front, back, tolerance);
}

/// The next face to paint: the farthest one that hides nothing unpainted, else the farthest one.
static int find_next(const sheet *sheets, int count)
{
    int first = -1;
    for (int i = 0; i < count; ++i) {
        if (!sheets[i].is_painted && sheets[i].behind_count == 0) {
            return i;
        }
        first = first < 0 && !sheets[i].is_painted ? i : first;
    }
    return first;
}

abut_status abut_drawing_order_faces(abut_drawing *drawing)
{
    int count = drawing->face_count;
    double tolerance = PLANE_TOLERANCE * drawing->size;
    sheet *sheets = abut_allocate(&drawing->context, (size_t)count, sizeof *sheets);
    if (sheets == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        sheets[i] = make_sheet(drawing, &drawing->faces[i]);
    }
    if (count > 1) {
        qsort(sheets, (size_t)count, sizeof *sheets, compare_sheets);
    }
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) {
            sheets[i].behind_count += k != i && must_be_before(&sheets[k], &sheets[i], tolerance);
        }
    }
    for (int painted = 0; painted < count; ++painted) {
        sheet *next = &sheets[find_next(sheets, count)];
        next->is_painted = 1;
        drawing->faces[painted] = next->face;
        for (int k = 0; k < count; ++k) {
            sheets[k].behind_count -= !sheets[k].is_painted && must_be_before(next, &sheets[k], tolerance);
        }
    }
    abut_free(&drawing->context, sheets);
    return ABUT_OK;
}
