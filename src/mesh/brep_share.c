// SPDX-License-Identifier: MIT
// brep_share.c: sharing out the triangles among planes
//
// A small triangle beside an edge between two almost parallel planes is within the tolerance of both. The faces
// therefore grow all at once, the closest triangle first, so that each triangle goes to the plane it is in and not to
// the one that happens to come first.
#include "base/memory.h"
#include "mesh/brep_planes.h"

typedef struct candidate {
    double distance;
    int triangle, face;
} candidate;

// A binary heap; the closest candidate is on top.
typedef struct candidate_heap {
    candidate *items;
    int count, capacity;
} candidate_heap;

static int comes_before(const candidate *a, const candidate *b)
{
    if (a->distance != b->distance) {
        return a->distance < b->distance;
    }
    return a->triangle != b->triangle ? a->triangle < b->triangle : a->face < b->face;
}

static int push(const abut_context *context, candidate_heap *heap, candidate added)
{
    void *items = heap->items;
    int have_room = abut_grow(context, &items, &heap->capacity, heap->count + 1, sizeof *heap->items);
    heap->items = items;
    if (!have_room) {
        return 0;
    }
    int i = heap->count++;
    while (i > 0 && comes_before(&added, &heap->items[(i - 1) / 2])) {
        heap->items[i] = heap->items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->items[i] = added;
    return 1;
}

static candidate pop(candidate_heap *heap)
{
    candidate top = heap->items[0], moved = heap->items[--heap->count];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= heap->count) {
            break;
        }
        if (child + 1 < heap->count && comes_before(&heap->items[child + 1], &heap->items[child])) {
            ++child;
        }
        if (!comes_before(&heap->items[child], &moved)) {
            break;
        }
        heap->items[i] = heap->items[child];
        i = child;
    }
    heap->items[i] = moved;
    return top;
}

// Assigns a triangle and makes its free neighbours candidates for the same face.
static int assign(abut_brep_work *work, candidate_heap *heap, const abut_brep_plane *planes, int triangle, int face)
{
    work->triangle_faces[triangle] = face;
    for (int k = 0; k < 3; ++k) {
        int twin = abut_side_twin(&work->mesh, &work->topology, 3 * triangle + k);
        if (twin == ABUT_NO_SIDE || work->triangle_faces[twin / 3] != ABUT_BREP_UNASSIGNED) {
            continue;
        }
        candidate added = {abut_brep_fit_distance(work, &planes[face], twin / 3), twin / 3, face};
        if (added.distance >= 0.0 && !push(&work->context, heap, added)) {
            return 0;
        }
    }
    return 1;
}

abut_status abut_brep_share_out(abut_brep_work *work, const abut_brep_plane *planes, const int *seeds,
                                int face_count)
{
    candidate_heap heap = {NULL, 0, 0};
    int have_memory = 1;
    for (int i = 0; i < work->mesh.triangle_count; ++i) {
        work->triangle_faces[i] = ABUT_BREP_UNASSIGNED;
    }
    for (int i = 0; i < face_count; ++i) {
        work->triangle_faces[seeds[i]] = i;
    }
    for (int i = 0; i < face_count && have_memory; ++i) {
        // the plane of a sliver says nothing about what is beside it
        if (abut_brep_altitude(work, seeds[i]) > abut_brep_blur * work->tolerance) {
            have_memory = assign(work, &heap, planes, seeds[i], i);
        }
    }
    while (heap.count > 0 && have_memory) {
        candidate best = pop(&heap);
        if (work->triangle_faces[best.triangle] == ABUT_BREP_UNASSIGNED) {
            have_memory = assign(work, &heap, planes, best.triangle, best.face);
        }
    }
    abut_free(&work->context, heap.items);
    return have_memory ? ABUT_OK : ABUT_NO_MEMORY;
}
