// SPDX-License-Identifier: MIT
// brep_groups.c: groups of triangles that may share planar faces
//
// All triangles of a face are within the tolerance of its plane, and they are connected by their sides. So two
// neighbours are never in one face if no plane is within the tolerance of all four corners. Without such sides a mesh
// falls apart into groups. On a rough surface nearly every group is a single triangle, which needs no search at all;
// the others are searched one by one, which keeps the memory in use small.
#include "mesh/brep_groups.h"

#include "base/memory.h"

enum { NONE = -1 };

/// Whether no plane is within the tolerance of the corners of the triangles on both sides of a side: whether their
/// tetrahedron is wider than twice the tolerance. Its width is its volume times 6, divided by the product of two edges
/// at most.
static int is_sharp_side(const abut_brep_work *work, int side, int twin)
{
    const abut_vec3 *vertices = work->mesh.vertices;
    abut_vec3 p = vertices[abut_side_start(&work->mesh, side)];
    abut_vec3 a = abut_sub(vertices[abut_side_end(&work->mesh, side)], p);
    abut_vec3 b = abut_sub(vertices[abut_side_start(&work->mesh, abut_side_previous(side))], p);
    abut_vec3 c = abut_sub(vertices[abut_side_start(&work->mesh, abut_side_previous(twin))], p);
    double longest = fmax(fmax(abut_norm_squared(a), abut_norm_squared(b)), abut_norm_squared(c));
    longest = fmax(longest, fmax(abut_norm_squared(abut_sub(b, a)), abut_norm_squared(abut_sub(c, a))));
    longest = fmax(longest, abut_norm_squared(abut_sub(c, b)));
    return fabs(abut_dot(abut_cross(a, b), c)) > 2.000001 * work->tolerance * longest; // not for NaN
}

/// Numbers the groups: for each triangle the number of its group. Returns the number of groups.
static int label(const abut_brep_work *work, int *labels, int *queue)
{
    int count = 0;
    for (int i = 0; i < work->mesh.triangle_count; ++i) {
        labels[i] = NONE;
    }
    for (int i = 0; i < work->mesh.triangle_count; ++i) {
        if (labels[i] != NONE) {
            continue;
        }
        int found = 0;
        labels[i] = count;
        queue[found++] = i;
        for (int k = 0; k < 3 * found; ++k) {
            int side = 3 * queue[k / 3] + k % 3;
            int twin = abut_side_twin(&work->mesh, &work->topology, side);
            if (twin != ABUT_NO_SIDE && labels[twin / 3] == NONE && !is_sharp_side(work, side, twin)) {
                labels[twin / 3] = count;
                queue[found++] = twin / 3;
            }
        }
        ++count;
    }
    return count;
}

int abut_brep_find_groups(const abut_brep_work *work, abut_brep_groups *groups)
{
    size_t triangle_count = (size_t)work->mesh.triangle_count;
    int *labels = abut_allocate(&work->context, triangle_count, sizeof(int));
    groups->members = abut_allocate(&work->context, triangle_count, sizeof(int));
    groups->offsets = NULL;
    if (labels != NULL && groups->members != NULL) {
        groups->count = label(work, labels, groups->members);
        groups->offsets = abut_allocate_zeroed(&work->context, (size_t)groups->count + 2, sizeof(int));
    }
    if (groups->offsets == NULL) {
        abut_free(&work->context, labels);
        abut_brep_free_groups(work, groups);
        return 0;
    }
    // offsets[i + 1] begins as the place of group i, and ends as the place of group i + 1
    int *places = groups->offsets + 1;
    for (int i = 0; i < work->mesh.triangle_count; ++i) {
        ++places[labels[i] + 1];
    }
    groups->largest = 0;
    for (int i = 0; i < groups->count; ++i) {
        groups->largest = places[i + 1] > groups->largest ? places[i + 1] : groups->largest;
        places[i + 1] += places[i];
    }
    for (int i = 0; i < work->mesh.triangle_count; ++i) {
        groups->members[places[labels[i]]++] = i;
    }
    abut_free(&work->context, labels);
    return 1;
}

void abut_brep_free_groups(const abut_brep_work *work, abut_brep_groups *groups)
{
    abut_free(&work->context, groups->offsets);
    abut_free(&work->context, groups->members);
    groups->offsets = groups->members = NULL;
}
