// SPDX-License-Identifier: MIT
// brep_share.c: assigning the triangles to planes
//
// A small triangle beside an edge between two almost parallel planes is within the tolerance of both. So all faces
// grow at the same time, the closest triangle first. Each triangle then goes to the plane that fits it best, not to
// the plane that happens to come first.
//
// A sliver, a triangle too narrow to have a normal, lies in every plane through its line. It goes to the face that
// makes the borders shorter. Otherwise a border would run along its long side past the end of the edge, and back.
//
// Two planes meet in a straight line. So if a border bends around triangles that are within the tolerance of both
// planes, they move to the other face. All triangles of a face at one vertex move together: moving them one by one
// can get stuck at a border that bends around the vertex.
#include "base/memory.h"
#include "mesh/brep_planes.h"

static int comes_before(const abut_brep_candidate *a, const abut_brep_candidate *b)
{
    if (a->distance != b->distance) {
        return a->distance < b->distance;
    }
    return a->triangle != b->triangle ? a->triangle < b->triangle : a->face < b->face;
}

static int push(const abut_context *context, abut_brep_heap *heap, abut_brep_candidate added)
{
    if (!abut_grow(context, &heap->items, &heap->capacity, heap->count + 1, sizeof *heap->items)) {
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

static abut_brep_candidate pop(abut_brep_heap *heap)
{
    abut_brep_candidate top = heap->items[0], moved = heap->items[--heap->count];
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

static double side_length(const abut_brep_work *work, int side)
{
    const int *corners = &work->mesh.triangles[3 * (size_t)(side / 3)];
    return abut_norm(
        abut_sub(work->mesh.vertices[corners[(side + 1) % 3]], work->mesh.vertices[corners[side % 3]]));
}

static int is_sliver(const abut_brep_work *work, int triangle)
{
    return abut_brep_altitude(work, triangle) <= abut_brep_blur * work->tolerance;
}

// Assigns a triangle to a face and makes its unassigned neighbours candidates for that face. Returns 0 if out of
// memory.
static int assign(abut_brep_work *work, abut_brep_heap *heap, const abut_brep_plane *planes, int triangle, int face)
{
    work->triangle_faces[triangle] = face;
    for (int k = 0; k < 3; ++k) {
        int twin = abut_side_twin(&work->mesh, &work->topology, 3 * triangle + k);
        if (twin == ABUT_NO_SIDE || work->triangle_faces[twin / 3] != ABUT_BREP_UNASSIGNED) {
            continue;
        }
        double distance = abut_brep_fit_distance(work, &planes[face], twin / 3);
        if (distance >= 0.0 && !push(&work->context, heap, (abut_brep_candidate){distance, twin / 3, face})) {
            return 0;
        }
    }
    return 1;
}

// The total length of the sides that a triangle shares with a face.
static double length_shared(const abut_brep_work *work, int triangle, int face)
{
    double length = 0.0;
    for (int k = 0; k < 3; ++k) {
        int twin = abut_side_twin(&work->mesh, &work->topology, 3 * triangle + k);
        if (twin != ABUT_NO_SIDE && work->triangle_faces[twin / 3] == face) {
            length += side_length(work, 3 * triangle + k);
        }
    }
    return length;
}

// The adjacent face with which a sliver shares the greatest length of its sides, or its own face if none is better.
static int better_face(const abut_brep_work *work, const abut_brep_plane *planes, int triangle)
{
    int best = work->triangle_faces[triangle];
    double most = length_shared(work, triangle, best);
    for (int k = 0; k < 3; ++k) {
        int twin = abut_side_twin(&work->mesh, &work->topology, 3 * triangle + k);
        int face = twin != ABUT_NO_SIDE ? work->triangle_faces[twin / 3] : ABUT_BREP_UNASSIGNED;
        if (face == ABUT_BREP_UNASSIGNED || face == best ||
            abut_brep_fit_distance(work, &planes[face], triangle) < 0.0) {
            continue;
        }
        // If the sliver connects two parts of its face, it shares two sides with it, together as long as the third.
        // The margin keeps it there.
        double length = length_shared(work, triangle, face);
        if (length > most + abut_brep_blur * work->tolerance) {
            most = length;
            best = face;
        }
    }
    return best;
}

// Assigns all candidates of the heap, including those that are added on the way. Returns 0 if out of memory.
static int drain(abut_brep_work *work, abut_brep_heap *heap, const abut_brep_plane *planes)
{
    int have_memory = 1;
    while (heap->count > 0 && have_memory) {
        abut_brep_candidate best = pop(heap);
        if (work->triangle_faces[best.triangle] == ABUT_BREP_UNASSIGNED) {
            have_memory = assign(work, heap, planes, best.triangle, best.face);
        }
    }
    return have_memory;
}

// The number of triangles of the face of `side` around the end of `side`, if all of them can move to the face of its
// twin and no third face has that vertex (it then gets inside the face of the twin). Otherwise 0.
static int count_fan(const abut_brep_work *work, const abut_brep_plane *planes, const int *seeds, int side)
{
    int from = work->triangle_faces[side / 3];
    int to = work->triangle_faces[abut_side_twin(&work->mesh, &work->topology, side) / 3];
    int count = 0, has_left = 0, at = side;
    if (is_sliver(work, seeds[to])) {
        return 0; // the plane of a sliver is unreliable
    }
    do {
        int triangle = at / 3, face = work->triangle_faces[triangle];
        if (face == from) {
            if (has_left || seeds[from] == triangle || abut_brep_fit_distance(work, &planes[to], triangle) < 0.0) {
                return 0;
            }
            ++count;
        } else if (face == to) {
            has_left = 1;
        } else {
            return 0;
        }
        at = abut_side_twin(&work->mesh, &work->topology, abut_side_next(at));
        if (at == ABUT_NO_SIDE) {
            return 0;
        }
    } while (at != side);
    return count;
}

// The length of q - p minus its projection on a unit direction, computed without cancellation.
static double excess(abut_vec3 direction, abut_vec3 p, abut_vec3 q)
{
    abut_vec3 step = abut_sub(q, p);
    double length = abut_norm(step), along = abut_dot(direction, step);
    return along > 0.0 ? abut_norm_squared(abut_cross(direction, step)) / (length + along) : length - along;
}

// Moves the triangles of a face around the end of a side to the face of its twin, if the border is shorter around
// that vertex than through it. If the vertex is h beside the border, the gain is about h^2 / length, which can be
// less than the rounding error of the lengths. So compare how much longer than the straight line both paths are.
static int move_fan(abut_brep_work *work, abut_brep_heap *heap, const abut_brep_plane *planes, const int *seeds,
                    int side, int *is_moved)
{
    int twin = abut_side_twin(&work->mesh, &work->topology, side);
    if (twin == ABUT_NO_SIDE || work->triangle_faces[twin / 3] == work->triangle_faces[side / 3] ||
        work->triangle_faces[twin / 3] == ABUT_BREP_UNASSIGNED) {
        return 1;
    }
    int to = work->triangle_faces[twin / 3], count = count_fan(work, planes, seeds, side), last = side;
    if (count == 0) {
        return 1;
    }
    for (int i = 0; i < count; ++i) {
        last = abut_side_twin(&work->mesh, &work->topology, abut_side_next(last));
    }
    const abut_vec3 *vertices = work->mesh.vertices;
    abut_vec3 start = vertices[abut_side_start(&work->mesh, side)],
              end = vertices[abut_side_start(&work->mesh, last)];
    abut_vec3 apex = vertices[abut_side_end(&work->mesh, side)], direction = abut_unit(abut_sub(end, start));
    double through = excess(direction, start, apex) + excess(direction, apex, end), around = 0.0;
    for (int i = 0, at = side; i < count; ++i) {
        int next = abut_side_twin(&work->mesh, &work->topology, abut_side_next(at));
        around += excess(direction, vertices[abut_side_start(&work->mesh, at)],
                         vertices[abut_side_start(&work->mesh, next)]);
        at = next;
    }
    int have_memory = 1;
    if (around < through) {
        *is_moved = 1;
        for (int i = 0, at = side; i < count && have_memory; ++i) {
            have_memory = assign(work, heap, planes, at / 3, to);
            at = abut_side_twin(&work->mesh, &work->topology, abut_side_next(at));
        }
    }
    return have_memory;
}

// Moves triangles to better faces. Each move makes the borders shorter, so this ends. Rounding could make moves repeat
// without end: after the limit the borders stay as they are, and the B-rep says so. At most 3 rounds were seen.
static int shorten_borders(abut_brep_work *work, abut_brep_heap *heap, const abut_brep_part *part)
{
    enum { ROUND_LIMIT = 64 };
    const abut_brep_plane *planes = part->planes;
    const int *seeds = part->seeds;
    int have_memory = 1, is_moved = 1;
    for (int round = 0; round < ROUND_LIMIT && is_moved && have_memory; ++round) {
        is_moved = 0;
        for (int i = 0; i < part->triangle_count && have_memory; ++i) {
            int triangle = part->triangles[i], face = work->triangle_faces[triangle];
            if (face == ABUT_BREP_UNASSIGNED || seeds[face] == triangle) {
                continue;
            }
            int better = is_sliver(work, triangle) ? better_face(work, planes, triangle) : face;
            if (better != face) {
                is_moved = 1;
                have_memory = assign(work, heap, planes, triangle, better);
            }
            for (int k = 0; k < 3 && have_memory; ++k) {
                have_memory = move_fan(work, heap, planes, seeds, 3 * triangle + k, &is_moved);
            }
        }
        have_memory = have_memory && drain(work, heap, planes);
    }
    work->brep->elements.has_unsettled_borders |= is_moved;
    return have_memory;
}

abut_status abut_brep_share_out(abut_brep_work *work, const abut_brep_part *part, abut_brep_heap *heap)
{
    int have_memory = 1;
    for (int i = 0; i < part->triangle_count; ++i) {
        work->triangle_faces[part->triangles[i]] = ABUT_BREP_UNASSIGNED;
    }
    for (int i = 0; i < part->face_count; ++i) {
        work->triangle_faces[part->seeds[i]] = i;
    }
    for (int i = 0; i < part->face_count && have_memory; ++i) {
        // the plane of a sliver is unreliable, so its face does not grow
        if (!is_sliver(work, part->seeds[i])) {
            have_memory = assign(work, heap, part->planes, part->seeds[i], i);
        }
    }
    have_memory = have_memory && drain(work, heap, part->planes) && shorten_borders(work, heap, part);
    return have_memory ? ABUT_OK : ABUT_NO_MEMORY;
}
