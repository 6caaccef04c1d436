// SPDX-License-Identifier: MIT
// brep_faces.c: planar faces of a mesh
//
// A face grows from a seed triangle over the edges of triangles. A triangle joins if it is close to a plane that
// stays fixed while the face grows. Neighbours are never compared, so a slightly curved surface does not become one
// face step by step. Seeds are taken in order of descending altitude: with an error e in its corners, the plane of a
// triangle of altitude h is off by e D / h at a distance D. To reduce this error, the face is grown again from the
// plane of the whole face until nothing changes, and a face that lies in the plane of a larger neighbour joins it.
//
// When all planes are known, the triangles are assigned to them once more (brep_share.c), so that it does not matter
// which face came first. For the same reason a face may grow across slivers of other faces: they lie in both planes,
// and their face is chosen only when all planes are known.
//
// All of this is done for one group of triangles after the other (brep_groups.c).
//
// Cost: linear in the triangles for each round, plus sorting of each group.
#include "base/memory.h"
#include "base/sort.h"
#include "mesh/brep_groups.h"
#include "mesh/brep_planes.h"

// ROUND_LIMIT: a face is grown at most this often. Two rounds are usual.
enum { NONE = -1, ROUND_LIMIT = 8 };

// `triangle_faces` of the work is set for the triangles of the current group only.
typedef struct growth {
    abut_brep_work *work;
    const int *members; // the triangles of the group
    int member_count;
    double *altitudes;         // for each triangle: its smallest altitude
    unsigned char *is_reached; // for each triangle: whether it is in the queue
    int *queue;                // the triangles of the growing face
    int *previous;             // the queue of the previous round
    int *order;                // the triangles of the group by descending altitude
    abut_brep_plane *planes;   // for each face of the group: its plane
    int *seeds;
    int *tried_by; // for each face: the last face that tried to join it
    abut_brep_heap heap;
    int face_count;
    int crosses_slivers; // whether faces grow across slivers of other faces
} growth;

static int is_sliver(const growth *grown, int triangle)
{
    return grown->altitudes[triangle] <= abut_brep_blur * grown->work->tolerance;
}

// Fills the queue with the triangles that lie in the plane and are connected to the seed. Returns their number.
static int grow(growth *grown, const abut_brep_plane *fixed, int seed)
{
    abut_brep_work *work = grown->work;
    int count = 0;
    grown->queue[count++] = seed;
    grown->is_reached[seed] = 1;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int twin = abut_side_twin(&work->mesh, &work->topology, 3 * grown->queue[i] + k);
            int next = twin / 3;
            if (twin == ABUT_NO_SIDE || grown->is_reached[next] ||
                (work->triangle_faces[next] != ABUT_BREP_UNASSIGNED &&
                 !(grown->crosses_slivers && is_sliver(grown, next))) ||
                abut_brep_fit_distance(work, fixed, next) < 0.0) {
                continue;
            }
            grown->is_reached[next] = 1;
            grown->queue[count++] = next;
        }
    }
    return count;
}

// Whether the queue contains the same triangles as in the previous round, which had as many.
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

// Grows a face from a seed. Returns the number of its triangles, which are in the queue, and its plane.
static int grow_face(growth *grown, int seed, abut_brep_plane *fitted)
{
    grown->queue[0] = seed;
    *fitted = abut_brep_fit_plane(grown->work, grown->queue, 1);
    int count = 1;
    if (is_sliver(grown, seed)) {
        return count; // the plane of a sliver is unreliable
    }
    for (int i = 0; i < ROUND_LIMIT; ++i) {
        int *swapped = grown->previous;
        grown->previous = grown->queue;
        grown->queue = swapped;
        int next_count = grow(grown, fitted, seed);
        int is_done = next_count == count && is_unchanged(grown, count);
        count = next_count;
        forget_reached(grown, count);
        abut_brep_plane next = abut_brep_fit_plane(grown->work, grown->queue, count);
        if (is_done || abut_brep_fit_distance(grown->work, &next, seed) < 0.0) {
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

// Grows faces from all unassigned triangles, and numbers them in the order in which they are found.
static void grow_all(growth *grown)
{
    abut_brep_work *work = grown->work;
    for (int i = 0; i < grown->member_count; ++i) {
        int seed = grown->order[i];
        if (work->triangle_faces[seed] == ABUT_BREP_UNASSIGNED) {
            int face = grown->face_count++;
            int count = grow_face(grown, seed, &grown->planes[face]);
            for (int k = 0; k < count; ++k) {
                work->triangle_faces[grown->queue[k]] = face;
            }
            grown->seeds[face] = seed;
        }
    }
}

// Numbers the faces by their lowest triangle, and fills the faces and their lists of triangles. `faces` has the face of
// each triangle in another numbering; `new_numbers` has room for all faces.
static abut_status finish(abut_brep_work *work, const int *faces, int *new_numbers, int face_count)
{
    int triangle_count = work->mesh.triangle_count;
    int *face_triangles = abut_brep_own(work->brep, (size_t)triangle_count, sizeof(int));
    work->faces = abut_brep_own(work->brep, (size_t)face_count, sizeof *work->faces);
    if (face_triangles == NULL || work->faces == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < face_count; ++i) {
        new_numbers[i] = ABUT_BREP_UNASSIGNED;
    }
    int made = 0;
    for (int i = 0; i < triangle_count; ++i) {
        int found = faces[i];
        if (new_numbers[found] == ABUT_BREP_UNASSIGNED) {
            abut_brep_face face = {.source_face = work->mesh.triangle_faces[i]};
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
    for (int i = 0; i < face_count; ++i) {
        abut_brep_face *face = &work->faces[i];
        abut_brep_plane plane =
            abut_brep_fit_plane(work, face_triangles + face->triangle_begin, face->triangle_count);
        face->normal = plane.normal;
        face->offset = abut_dot(plane.normal, plane.origin);
        face->area = plane.area;
    }
    work->brep->elements.faces = work->faces;
    work->brep->elements.face_count = face_count;
    work->brep->elements.face_triangles = face_triangles;
    return ABUT_OK;
}

// Puts the triangles of a face that are connected to its seed into the queue and marks them. Returns their number.
static int collect(growth *grown, int face)
{
    abut_brep_work *work = grown->work;
    int count = 0;
    grown->queue[count++] = grown->seeds[face];
    grown->is_reached[grown->seeds[face]] = 1;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int twin = abut_side_twin(&work->mesh, &work->topology, 3 * grown->queue[i] + k);
            if (twin != ABUT_NO_SIDE && !grown->is_reached[twin / 3] && work->triangle_faces[twin / 3] == face) {
                grown->is_reached[twin / 3] = 1;
                grown->queue[count++] = twin / 3;
            }
        }
    }
    return count;
}

// Larger areas first.
static int compare_areas(const void *user, int a, int b)
{
    const abut_brep_plane *planes = user;
    return planes[a].area > planes[b].area ? -1 : planes[a].area < planes[b].area ? 1 : (a > b) - (a < b);
}

// Finds a larger neighbour of `face` in whose plane all triangles of `face` lie. These are the `count` triangles in
// the queue.
static int find_host(growth *grown, int face, int count)
{
    abut_brep_work *work = grown->work;
    for (int i = 0; i < 3 * count; ++i) {
        int twin = abut_side_twin(&work->mesh, &work->topology, 3 * grown->queue[i / 3] + i % 3);
        int host = twin != ABUT_NO_SIDE ? work->triangle_faces[twin / 3] : face;
        // a neighbour of another group has no face here; and a face that was joined may have triangles left that its seed
        // does not reach, but its plane is given up
        if (host == ABUT_BREP_UNASSIGNED || host == face || grown->tried_by[host] == face ||
            grown->seeds[host] == NONE || compare_areas(grown->planes, host, face) > 0) {
            continue;
        }
        grown->tried_by[host] = face;
        int fitting = 0;
        while (fitting < count &&
               abut_brep_fit_distance(work, &grown->planes[host], grown->queue[fitting]) >= 0.0) {
            ++fitting;
        }
        if (fitting == count) {
            return host;
        }
    }
    return NONE;
}

// Joins faces to larger neighbours in whose planes they lie, and renumbers the rest. Such faces come from a seed
// that is small compared to its face: its plane missed the far end, where another seed then grew the rest of the
// face.
static void join_faces(growth *grown)
{
    int *order = grown->previous, kept = 0;
    for (int i = 0; i < grown->face_count; ++i) {
        order[i] = i;
        grown->tried_by[i] = NONE;
    }
    abut_sort_indices(order, grown->queue, grown->face_count, compare_areas, grown->planes);
    for (int i = 0; i < grown->face_count; ++i) {
        int count = collect(grown, order[i]), host = find_host(grown, order[i], count);
        forget_reached(grown, count);
        if (host != NONE) {
            for (int k = 0; k < count; ++k) {
                grown->work->triangle_faces[grown->queue[k]] = host;
            }
            grown->seeds[order[i]] = NONE;
        }
    }
    for (int i = 0; i < grown->face_count; ++i) {
        if (grown->seeds[i] != NONE) {
            grown->planes[kept] = grown->planes[i];
            grown->seeds[kept++] = grown->seeds[i];
        }
    }
    grown->face_count = kept;
}

// Removes from each face the triangles that are no longer connected to its seed, because slivers in between went to
// another face.
static void cut_off(growth *grown)
{
    abut_brep_work *work = grown->work;
    for (int face = 0; face < grown->face_count; ++face) {
        collect(grown, face);
    }
    for (int i = 0; i < grown->member_count; ++i) {
        int triangle = grown->members[i];
        if (!grown->is_reached[triangle]) {
            work->triangle_faces[triangle] = ABUT_BREP_UNASSIGNED;
        }
        grown->is_reached[triangle] = 0;
    }
}

// Finds the faces of a group.
static abut_status find_faces(growth *grown)
{
    abut_brep_work *work = grown->work;
    grown->face_count = 0;
    for (int i = 0; i < grown->member_count; ++i) {
        int triangle = grown->members[i];
        grown->altitudes[triangle] = abut_brep_altitude(work, triangle);
        grown->order[i] = triangle;
    }
    abut_sort_indices(grown->order, grown->queue, grown->member_count, compare_altitudes, grown->altitudes);
    grown->crosses_slivers = 1;
    grow_all(grown);
    join_faces(grown);
    grown->crosses_slivers = 0;
    abut_brep_part part = {grown->members, grown->member_count, grown->planes, grown->seeds, grown->face_count};
    abut_status status = abut_brep_share_out(work, &part, &grown->heap);
    if (status == ABUT_OK) {
        cut_off(grown);
        grow_all(grown); // from triangles that no longer have a face
    }
    return status;
}

// Finds the faces of all groups, and numbers them in any order. `faces` gets the face of each triangle.
static abut_status run(growth *grown, const abut_brep_groups *groups, int *faces, int *face_count)
{
    abut_brep_work *work = grown->work;
    int count = 0;
    for (int i = 0; i < work->mesh.triangle_count; ++i) {
        work->triangle_faces[i] = ABUT_BREP_UNASSIGNED;
    }
    for (int i = 0; i < groups->count; ++i) {
        grown->members = groups->members + groups->offsets[i];
        grown->member_count = groups->offsets[i + 1] - groups->offsets[i];
        if (grown->member_count == 1) {
            faces[grown->members[0]] = count++;
            continue;
        }
        abut_status status = find_faces(grown);
        if (status != ABUT_OK) {
            return status;
        }
        for (int k = 0; k < grown->member_count; ++k) {
            int triangle = grown->members[k];
            faces[triangle] = count + work->triangle_faces[triangle];
            work->triangle_faces[triangle] = ABUT_BREP_UNASSIGNED;
        }
        count += grown->face_count;
    }
    *face_count = count;
    return ABUT_OK;
}

// Takes memory for the largest group, and runs. If every triangle is alone, nothing is searched.
static abut_status run_groups(abut_brep_work *work, const abut_brep_groups *groups, int *faces, int *face_count)
{
    const abut_context *context = &work->context;
    size_t largest = groups->largest > 1 ? (size_t)groups->largest : 0;
    size_t all = groups->largest > 1 ? (size_t)work->mesh.triangle_count : 0;
    growth grown = {.work = work};
    grown.altitudes = abut_allocate(context, all, sizeof(double));
    grown.is_reached = abut_allocate_zeroed(context, all, 1);
    grown.queue = abut_allocate(context, largest, sizeof(int));
    grown.previous = abut_allocate(context, largest, sizeof(int));
    grown.order = abut_allocate(context, largest, sizeof(int));
    grown.planes = abut_allocate(context, largest, sizeof *grown.planes);
    grown.seeds = abut_allocate(context, largest, sizeof(int));
    grown.tried_by = abut_allocate(context, largest, sizeof(int));
    abut_status status = ABUT_NO_MEMORY;
    if (grown.altitudes != NULL && grown.is_reached != NULL && grown.queue != NULL && grown.previous != NULL &&
        grown.order != NULL && grown.planes != NULL && grown.seeds != NULL && grown.tried_by != NULL) {
        status = run(&grown, groups, faces, face_count);
    }
    abut_free(context, grown.heap.items);
    abut_free(context, grown.tried_by);
    abut_free(context, grown.seeds);
    abut_free(context, grown.planes);
    abut_free(context, grown.order);
    abut_free(context, grown.previous);
    abut_free(context, grown.queue);
    abut_free(context, grown.is_reached);
    abut_free(context, grown.altitudes);
    return status;
}

abut_status abut_brep_make_faces(abut_brep_work *work)
{
    const abut_context *context = &work->context;
    size_t count = (size_t)work->mesh.triangle_count;
    int face_count = 0;
    abut_brep_groups groups;
    if (!abut_brep_find_groups(work, &groups)) {
        return ABUT_NO_MEMORY;
    }
    int *faces = abut_allocate(context, count, sizeof(int));
    work->triangle_faces = abut_brep_own(work->brep, count, sizeof(int));
    work->brep->elements.triangle_faces = work->triangle_faces;
    abut_status status = faces != NULL && work->triangle_faces != NULL
                             ? run_groups(work, &groups, faces, &face_count)
                             : ABUT_NO_MEMORY;
    if (status == ABUT_OK) {
        status = finish(work, faces, groups.members, face_count); // the groups are not needed any more
    }
    abut_free(context, faces);
    abut_brep_free_groups(work, &groups);
    return status;
}
