// SPDX-License-Identifier: MIT
// index_build.c: builds a Brep-index by cutting space until every region is a leaf
//
// A region of space holds the parts of faces, edges and vertices inside it. A plane splits them. Parts above and below
// go to the regions there. Parts on the plane go to a region of one dimension less: faces and edges in the plane,
// vertices, and the segments and points where other faces and edges cross it. Regions of planes and lines are cut in
// the same way. A region of space without a face is inside or outside; the faces on the last plane next to it tell
// which.
//
// Source:  Vanecek 1991 as summarised by Bouma and Vanecek 1993, section 4.2.
// Differs: a balanced cut that meets nothing has no region of its own: points on it count as above.
// Cost:    O(n log n) with balanced cuts for surfaces of even triangles; O(n^2) with face planes only, and more if
//          faces are cut often.
// Fails:   if a cut plane meets a face at a small angle, the face may end beside its edge, by up to the build's
//          tolerance divided by the sine of that angle.
#include "spatial/brep_index.h"

#include "base/memory.h"
#include "spatial/index_cuts.h"

#include <limits.h>

enum { NO_LEAF = -1 };

// A region that waits to be cut. Its pieces are in the builder's list and end where those of the next region begin.
typedef struct task {
    int dimension;
    abut_vec3 direction;
    int parent, which; // the region becomes child `which` of node `parent`; parent -1: it is the root
    int depth;
    int piece_begin, corner_begin;
} task;

typedef struct builder {
    abut_brep_index *index;
    const abut_brep_index_params *params;
    abut_index_cut_rules rules;
    abut_piece_list *pieces; // of all tasks, one after the other
    abut_piece_list parts[3];
    task *tasks;
    int task_count, task_capacity;
    int node_capacity;
    int64_t splits;
    double depth_sum;
    int64_t leaf_count;
} builder;

static void set_child(builder *b, int parent, int which, int child)
{
    if (parent < 0) {
        b->index->root = child;
    } else {
        b->index->nodes[parent].children[which] = child;
    }
}

static void set_leaf(builder *b, const task *region, int code)
{
    set_child(b, region->parent, region->which, ~code);
    ++b->index->info.leaf_counts[region->dimension];
    ++b->leaf_count;
    b->depth_sum += region->depth;
    if (region->depth > b->index->info.depth) {
        b->index->info.depth = region->depth;
    }
}

static abut_vec3 area_vector(const abut_piece *piece, const abut_corner *corners)
{
    const abut_corner *at = corners + piece->begin;
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 2; i < piece->count; ++i) {
        sum = abut_add(sum, abut_cross(abut_sub(at[i - 1].position, at[0].position),
                                       abut_sub(at[i].position, at[0].position)));
    }
    return abut_scale(0.5, sum);
}

// Classifies the space above a plane if no face is above it: 1 outside, 0 inside. The faces on the plane tell.
static int is_outside_above(const abut_piece_list *on, const abut_index_plane *plane)
{
    double area = 0.0;
    for (int i = 0; i < on->count; ++i) {
        area += abut_dot(area_vector(&on->pieces[i], on->corners), plane->normal);
    }
    return area > 0.0;
}

// An edge takes precedence over its faces, and a vertex over its edges.
static int is_stronger(const abut_location *a, const abut_location *b)
{
    return a->place != b->place ? a->place < b->place : a->entity < b->entity;
}

// Returns the leaf code of a region of a plane, line or point, or NO_LEAF if it must be cut.
static int find_flat_leaf(const abut_piece_list *list, int dimension)
{
    const abut_location *best = NULL;
    double best_area = -1.0;
    for (int i = 0; i < list->count; ++i) {
        const abut_piece *piece = &list->pieces[i];
        if (abut_piece_dimension(piece) < dimension) {
            return NO_LEAF;
        }
        double area = dimension == 2 ? abut_norm(area_vector(piece, list->corners)) : 0.0;
        if (best == NULL || area > best_area || (area == best_area && is_stronger(&piece->location, best))) {
            best = &piece->location;
            best_area = area;
        }
    }
    return best == NULL ? ABUT_LEAF_FREE : abut_leaf_code(*best);
}

static int has_polygon(const abut_piece_list *list)
{
    for (int i = 0; i < list->count; ++i) {
        if (abut_piece_dimension(&list->pieces[i]) == 2) {
            return 1;
        }
    }
    return 0;
}

static abut_status add_task(builder *b, const task *added)
{
    if (!abut_grow(&b->index->context, &b->tasks, &b->task_capacity, b->task_count + 1, sizeof *b->tasks)) {
        return ABUT_NO_MEMORY;
    }
    b->tasks[b->task_count++] = *added;
    return ABUT_OK;
}

// Turns a child into a leaf, or into a task for later.
static abut_status add_child(builder *b, task child, const abut_piece_list *list, int space_leaf)
{
    int code =
        child.dimension == 3 ? (has_polygon(list) ? NO_LEAF : space_leaf) : find_flat_leaf(list, child.dimension);
    if (code != NO_LEAF) {
        set_leaf(b, &child, code);
        return ABUT_OK;
    }
    child.piece_begin = b->pieces->count;
    child.corner_begin = b->pieces->corner_count;
    return abut_piece_list_join(&b->index->context, b->pieces, list) ? add_task(b, &child) : ABUT_NO_MEMORY;
}

static abut_status add_node(builder *b, const task *region, const abut_index_plane *plane)
{
    abut_brep_index_info *info = &b->index->info;
    if (info->node_count >= b->params->max_nodes) {
        return ABUT_LIMIT;
    }
    if (!abut_grow(&b->index->context, &b->index->nodes, &b->node_capacity, info->node_count + 1,
                   sizeof *b->index->nodes)) {
        return ABUT_NO_MEMORY;
    }
    b->index->nodes[info->node_count] = (abut_index_node){*plane, {0, 0, 0}, region->dimension};
    set_child(b, region->parent, region->which, info->node_count++);
    return ABUT_OK;
}

// Splits the pieces of the last task by a plane and removes them from the list.
static abut_status split_pieces(builder *b, const task *region, const abut_index_cut *cut)
{
    int chosen = cut->chosen < 0 ? -1 : region->piece_begin + cut->chosen;
    for (int k = 0; k < 3; ++k) {
        b->parts[k].count = b->parts[k].corner_count = 0;
    }
    b->splits += b->pieces->count - region->piece_begin;
    if (b->splits > b->params->max_splits) {
        return ABUT_LIMIT;
    }
    for (int i = region->piece_begin; i < b->pieces->count; ++i) {
        const abut_piece *piece = &b->pieces->pieces[i];
        double tolerance = i == chosen ? HUGE_VAL : b->rules.tolerance;
        if (!abut_piece_split(&b->index->context, piece, b->pieces->corners + piece->begin, &cut->plane, tolerance,
                              b->parts)) {
            return ABUT_NO_MEMORY;
        }
    }
    b->pieces->count = region->piece_begin;
    b->pieces->corner_count = region->corner_begin;
    return ABUT_OK;
}

// Marks an "on" child that will equal the "above" child, whose index is not known yet. No leaf or node has this value.
enum { SAME_AS_ABOVE = INT_MAX };

static abut_status cut_last(builder *b)
{
    task region = b->tasks[--b->task_count];
    abut_index_region seen = {region.dimension, region.direction, b->pieces->pieces + region.piece_begin,
                              b->pieces->count - region.piece_begin, b->pieces->corners};
    abut_index_cut cut = abut_index_choose_cut(&b->rules, &seen);
    int node = b->index->info.node_count;
    abut_status status = add_node(b, &region, &cut.plane);
    status = status == ABUT_OK ? split_pieces(b, &region, &cut) : status;
    int is_outside = status == ABUT_OK && region.dimension == 3 && is_outside_above(&b->parts[ABUT_ON], &cut.plane);
    for (int which = ABUT_ABOVE; which <= ABUT_BELOW && status == ABUT_OK; ++which) {
        task child = {.dimension = region.dimension - (which == ABUT_ON),
                      .direction = which == ABUT_ON ? cut.direction : region.direction,
                      .parent = node,
                      .which = which,
                      .depth = region.depth + 1};
        if (which == ABUT_ON && b->parts[ABUT_ON].count == 0) {
            b->index->nodes[node].children[ABUT_ON] = SAME_AS_ABOVE;
            continue;
        }
        int space_leaf = is_outside == (which == ABUT_ABOVE) ? ABUT_LEAF_OUTSIDE : ABUT_LEAF_INSIDE;
        status = add_child(b, child, &b->parts[which], space_leaf);
    }
    return status;
}

static abut_index_plane *make_face_planes(const abut_brep_index *index, const abut_brep *brep)
{
    abut_brep_elements elements = abut_brep_get_elements(brep);
    abut_index_plane *planes = abut_allocate(&index->context, (size_t)elements.face_count, sizeof *planes);
    for (int i = 0; i < elements.face_count && planes != NULL; ++i) {
        const abut_brep_face *face = &elements.faces[i];
        planes[i] = (abut_index_plane){face->normal, face->offset - abut_dot(face->normal, index->center)};
    }
    return planes;
}

static void finish(builder *b)
{
    abut_brep_index *index = b->index;
    for (int i = 0; i < index->info.node_count; ++i) {
        int *children = index->nodes[i].children;
        if (children[ABUT_ON] == SAME_AS_ABOVE) {
            children[ABUT_ON] = children[ABUT_ABOVE];
        }
    }
    index->info.mean_depth = b->leaf_count > 0 ? b->depth_sum / (double)b->leaf_count : 0.0;
    size_t bytes = (size_t)index->info.node_count * sizeof *index->nodes;
    void *fitted = index->context.resize(index->context.user, index->nodes, bytes);
    index->nodes = fitted != NULL ? fitted : index->nodes;
    index->info.bytes = sizeof *index + bytes;
}

abut_status abut_index_build(abut_brep_index *index, const abut_brep_index_params *params, const abut_brep *brep,
                             abut_piece_list *entities)
{
    builder b = {.index = index, .params = params, .pieces = entities};
    abut_index_plane *planes = make_face_planes(index, brep);
    b.rules = (abut_index_cut_rules){params->cuts, abut_index_least_tolerance(brep), planes};
    task root = {.dimension = 3, .parent = -1};
    abut_status status = planes != NULL ? add_task(&b, &root) : ABUT_NO_MEMORY;
    while (status == ABUT_OK && b.task_count > 0) {
        status = cut_last(&b);
    }
    if (status == ABUT_OK) {
        finish(&b);
    }
    for (int k = 0; k < 3; ++k) {
        abut_piece_list_free(&index->context, &b.parts[k]);
    }
    abut_free(&index->context, b.tasks);
    abut_free(&index->context, planes);
    return status;
}
