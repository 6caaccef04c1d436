// SPDX-License-Identifier: MIT
// brep_faces.c: planar faces of a mesh
//
// A face grows from a seed over the edges of triangles. What joins is decided by the distance from one plane that
// stays fixed while the face grows, never from neighbour to neighbour, so that a slightly bent surface does not
// become flat step by step. Seeds are taken by descending altitude, because the plane of a triangle of altitude h,
// with an error e in its corners, is off by e D / h at a distance of D. What this leaves is removed by growing the
// face again from the plane of the whole face, until nothing changes.
//
// Cost: linear in the triangles for each round, and sorting.
#include "base/memory.h"
#include "base/sort.h"
#include "mesh/brep.h"

// Rounds of growing after which a face is taken as it is. Two are the rule.
enum { ROUND_LIMIT = 8, UNASSIGNED = -1 };

typedef struct plane {
    abut_vec3 normal, origin;
    double area;
} plane;

typedef struct growth {
    abut_brep_work *work;
    double *altitudes;         // the smallest altitude of each triangle
    unsigned char *is_reached; // whether each triangle is in the queue
    int *queue;                // the triangles of the face that grows
    int *previous;             // those of the round before
} growth;

static void get_corners(const abut_brep_work *work, int triangle, abut_vec3 corners[3])
{
    for (int k = 0; k < 3; ++k) {
        corners[k] = work->mesh.vertices[work->mesh.triangles[3 * (size_t)triangle + (size_t)k]];
    }
}

// Twice the area, along the normal.
static abut_vec3 area_vector(const abut_vec3 corners[3])
{
    return abut_cross(abut_sub(corners[1], corners[0]), abut_sub(corners[2], corners[0]));
}

static abut_vec3 longest_side(const abut_vec3 corners[3])
{
    abut_vec3 longest = abut_sub(corners[1], corners[0]);
    for (int k = 1; k < 3; ++k) {
        abut_vec3 side = abut_sub(corners[(k + 1) % 3], corners[k]);
        if (abut_norm_squared(side) > abut_norm_squared(longest)) {
            longest = side;
        }
    }
    return longest;
}

static double smallest_altitude(const abut_brep_work *work, int triangle)
{
    abut_vec3 corners[3];
    get_corners(work, triangle, corners);
    double length = abut_norm(longest_side(corners));
    double altitude = length > 0.0 ? abut_norm(area_vector(corners)) / length : 0.0;
    return altitude >= 0.0 ? altitude : 0.0; // NaN where the product overflows
}

// The plane through the centre of the triangles, along their area vectors. A triangle without area gets some plane
// that contains it.
static plane fit_plane(const abut_brep_work *work, const int *triangles, int count)
{
    abut_vec3 corners[3], sum = {0.0, 0.0, 0.0};
    get_corners(work, triangles[0], corners);
    plane fitted = {{0.0, 0.0, 1.0}, corners[0], 0.0};
    for (int i = 0; i < count; ++i) {
        get_corners(work, triangles[i], corners);
        sum = abut_add(sum, area_vector(corners));
    }
    abut_vec3 normal = abut_unit(sum);
    if (abut_norm_squared(normal) == 0.0) {
        get_corners(work, triangles[0], corners);
        abut_vec3 along = abut_unit(longest_side(corners));
        if (abut_norm_squared(along) > 0.0) {
            fitted.normal = abut_any_perpendicular(along);
        }
        return fitted;
    }
    fitted.normal = normal;
    fitted.area = 0.5 * abut_dot(sum, normal);
    double height = 0.0; // of the centre above the first corner, weighted by the area
    for (int i = 0; i < count; ++i) {
        get_corners(work, triangles[i], corners);
        double weight = 0.5 * abut_dot(area_vector(corners), normal) / fitted.area;
        for (int k = 0; k < 3; ++k) {
            height += weight * abut_dot(normal, abut_sub(corners[k], fitted.origin)) / 3.0;
        }
    }
    fitted.origin = abut_add_scaled(fitted.origin, height, normal);
    return fitted;
}

static int fits(const growth *grown, const plane *fixed, int triangle)
{
    abut_vec3 corners[3];
    get_corners(grown->work, triangle, corners);
    double tolerance = grown->work->tolerance;
    for (int k = 0; k < 3; ++k) {
        if (!(fabs(abut_dot(fixed->normal, abut_sub(corners[k], fixed->origin))) <= tolerance)) {
            return 0;
        }
    }
    return grown->altitudes[triangle] <= abut_brep_blur * tolerance ||
           abut_dot(area_vector(corners), fixed->normal) > 0.0;
}

// Fills the queue with what belongs to the plane and is reached from the seed; returns the count.
static int grow(growth *grown, const plane *fixed, int seed)
{
    abut_brep_work *work = grown->work;
    int count = 0;
    grown->queue[count++] = seed;
    grown->is_reached[seed] = 1;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int twin = abut_side_twin(&work->mesh, &work->topology, 3 * grown->queue[i] + k);
            int next = twin / 3;
            if (twin == ABUT_NO_SIDE || grown->is_reached[next] || work->triangle_faces[next] != UNASSIGNED ||
                !fits(grown, fixed, next)) {
                continue;
            }
            grown->is_reached[next] = 1;
            grown->queue[count++] = next;
        }
    }
    return count;
}

// Whether the queue, of the same count, holds the same triangles as the round before.
static int is_unchanged(const growth *grown, int count)
{
    int is_same = 1;
    for (int i = 0; i < count; ++i) {
        is_same &= grown->is_reached[grown->previous[i]];
    }
    return is_same;
}

static void forget_reached(growth *grown, int count)
{
    for (int i = 0; i < count; ++i) {
        grown->is_reached[grown->queue[i]] = 0;
    }
}

// Returns the number of triangles, which are then in the queue, and their plane.
static int grow_face(growth *grown, int seed, plane *fitted)
{
    grown->queue[0] = seed;
    *fitted = fit_plane(grown->work, grown->queue, 1);
    int count = 1;
    if (grown->altitudes[seed] <= abut_brep_blur * grown->work->tolerance) {
        return count; // the plane says nothing about what is beside this sliver
    }
    for (int i = 0; i < ROUND_LIMIT; ++i) {
        int *swapped = grown->previous;
        grown->previous = grown->queue;
        grown->queue = swapped;
        int next_count = grow(grown, fitted, seed);
        int is_done = next_count == count && is_unchanged(grown, count);
        count = next_count;
        forget_reached(grown, count);
        plane next = fit_plane(grown->work, grown->queue, count);
        if (is_done || !fits(grown, &next, seed)) {
            break;
        }
        *fitted = next;
    }
    return count;
}

// Higher altitudes first.
static int compare_altitudes(const void *user, int a, int b)
{
    const double *altitudes = user;
    return altitudes[a] > altitudes[b] ? -1 : altitudes[a] < altitudes[b] ? 1 : (a > b) - (a < b);
}

// Numbers faces in the order in which they are found; returns their count.
static int grow_all(growth *grown, const int *order, plane *planes)
{
    abut_brep_work *work = grown->work;
    int made = 0;
    for (int i = 0; i < work->mesh.triangle_count; ++i) {
        if (work->triangle_faces[order[i]] != UNASSIGNED) {
            continue;
        }
        int count = grow_face(grown, order[i], &planes[made]);
        for (int k = 0; k < count; ++k) {
            work->triangle_faces[grown->queue[k]] = made;
        }
        ++made;
    }
    return made;
}

// Renumbers the faces by their lowest triangle, and fills the faces and their lists of triangles.
static abut_status finish(abut_brep_work *work, const plane *planes, int *new_numbers, int face_count)
{
    int triangle_count = work->mesh.triangle_count;
    int *face_triangles = abut_brep_own(work->brep, (size_t)triangle_count, sizeof(int));
    work->faces = abut_brep_own(work->brep, (size_t)face_count, sizeof *work->faces);
    if (face_triangles == NULL || work->faces == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < face_count; ++i) {
        new_numbers[i] = UNASSIGNED;
    }
    int made = 0;
    for (int i = 0; i < triangle_count; ++i) {
        int found = work->triangle_faces[i];
        if (new_numbers[found] == UNASSIGNED) {
            abut_brep_face face = {.normal = planes[found].normal,
                                   .offset = abut_dot(planes[found].normal, planes[found].origin),
                                   .area = planes[found].area,
                                   .source_face = work->mesh.triangle_faces[i]};
            work->faces[made] = face;
            new_numbers[found] = made++;
        }
        work->triangle_faces[i] = new_numbers[found];
        ++work->faces[work->triangle_faces[i]].triangle_count;
    }
    int begin = 0;
    for (int i = 0; i < face_count; ++i) {
        work->faces[i].triangle_begin = begin;
        begin += work->faces[i].triangle_count;
        work->faces[i].triangle_count = 0;
    }
    for (int i = 0; i < triangle_count; ++i) {
        abut_brep_face *face = &work->faces[work->triangle_faces[i]];
        face_triangles[face->triangle_begin + face->triangle_count++] = i;
    }
    work->brep->elements.faces = work->faces;
    work->brep->elements.face_count = face_count;
    work->brep->elements.face_triangles = face_triangles;
    return ABUT_OK;
}

abut_status abut_brep_make_faces(abut_brep_work *work)
{
    const abut_context *context = &work->context;
    size_t count = (size_t)work->mesh.triangle_count;
    work->triangle_faces = abut_brep_own(work->brep, count, sizeof(int));
    work->brep->elements.triangle_faces = work->triangle_faces;
    growth grown = {work, abut_allocate(context, count, sizeof(double)), abut_allocate_zeroed(context, count, 1),
                    abut_allocate(context, count, sizeof(int)), abut_allocate(context, count, sizeof(int))};
    int *order = abut_allocate(context, count, sizeof(int));
    plane *planes = abut_allocate(context, count, sizeof *planes);
    abut_status status = ABUT_NO_MEMORY;
    if (work->triangle_faces != NULL && grown.altitudes != NULL && grown.is_reached != NULL &&
        grown.queue != NULL && grown.previous != NULL && order != NULL && planes != NULL) {
        for (int i = 0; i < work->mesh.triangle_count; ++i) {
            grown.altitudes[i] = smallest_altitude(work, i);
            work->triangle_faces[i] = UNASSIGNED;
            order[i] = i;
        }
        abut_sort_indices(order, grown.queue, work->mesh.triangle_count, compare_altitudes, grown.altitudes);
        int face_count = grow_all(&grown, order, planes);
        status = finish(work, planes, order, face_count);
    }
    abut_free(context, planes);
    abut_free(context, order);
    abut_free(context, grown.previous);
    abut_free(context, grown.queue);
    abut_free(context, grown.is_reached);
    abut_free(context, grown.altitudes);
    return status;
}
