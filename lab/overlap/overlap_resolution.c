// SPDX-License-Identifier: MIT
// overlap_resolution.c: the measure `resolution`: how well contacts separate bodies that overlap
#include "common/lab_support.h"

#include <abut-lab/overlap.h>
#include <abut-lab/plugin.h>

#include <stdlib.h>

abut_status abut_overlap_resolve(const abut_overlap_set *set, int placement, const abut_half_space *sides,
                                 int count, abut_resolution *resolution, abut_error *error)
{
    const double none = (double)NAN;
    *resolution = (abut_resolution){.length = none, .ratio = none, .left = 1.0};
    const abut_overlap_placement *p = &set->placements[placement];
    abut_vec3 t;
    double most = abut_box_diagonal(abut_mesh_get_elements(set->meshes[p->a]).bounds) +
                  abut_box_diagonal(abut_mesh_get_elements(set->meshes[p->b]).bounds);
    if (count == 0 || !abut_least_translation(sides, count, &t) || abut_norm(t) > most) {
        return ABUT_OK;
    }
    abut_pose moved = abut_pose_make(abut_add(p->pose_b.position, t), p->pose_b.rotation);
    double volume = 0.0;
    abut_status status = abut_overlap_volume(abut_lab_object_context(set), set->meshes[p->a], p->pose_a,
                                             set->meshes[p->b], moved, &volume, error);
    if (status == ABUT_OK) {
        resolution->has_translation = 1;
        resolution->translation = t;
        resolution->length = abut_norm(t);
        resolution->ratio = resolution->length / (p->depth * p->size);
        resolution->left = volume / p->volume;
        resolution->is_resolved = resolution->left <= ABUT_OVERLAP_LEFT;
    }
    return status;
}

static abut_status find_contacts(const abut_overlap_set *set, const abut_overlap_placement *p,
                                 const abut_method *method, const abut_assess_params *how,
                                 abut_workspace *workspace, abut_result *result)
{
    abut_shape *a = set->shapes[p->a], *b = set->shapes[p->b];
    abut_pair pair = abut_pair_default(a, b);
    pair.a.pose = p->pose_a;
    pair.b.pose = p->pose_b;
    pair.a.key = 1;
    pair.b.key = 2;
    if (how->is_isolated) {
        return abut_find_contacts_isolated(&pair, method, how->params, how->seconds, workspace, result);
    }
    abut_status status = abut_shape_prepare(a, method, how->params, &result->error);
    status = status != ABUT_OK ? status : abut_shape_prepare(b, method, how->params, &result->error);
    return status != ABUT_OK ? status : abut_find_contacts(&pair, method, how->params, workspace, result);
}

static abut_status measure(const abut_overlap_set *set, int placement, abut_contact_view contacts,
                           abut_overlap_row *row)
{
    const abut_context *context = abut_lab_object_context(set);
    abut_half_space *sides = abut_allocate(context, (size_t)contacts.count, sizeof *sides);
    if (sides == NULL) {
        return abut_fail(&row->error, ABUT_NO_MEMORY, "out of memory for %d contacts", contacts.count);
    }
    for (int i = 0; i < contacts.count; ++i) {
        sides[i] = (abut_half_space){contacts.items[i].normal, -contacts.items[i].gap};
    }
    row->contacts = contacts.count;
    abut_status status = abut_overlap_resolve(set, placement, sides, contacts.count, &row->resolution, &row->error);
    abut_free(context, sides);
    return status;
}

abut_status abut_assess_overlap(abut_overlap_set *set, int placement, const abut_method *method,
                                const abut_assess_params *params, abut_overlap_row *row)
{
    const double none = (double)NAN;
    *row = (abut_overlap_row){.resolution = {.length = none, .ratio = none, .left = 1.0}};
    abut_assess_params how = abut_assess_params_default();
    if (params != NULL && !abut_read_versioned(&how, sizeof how, params)) {
        return row->status = abut_fail(&row->error, ABUT_BAD_ARGUMENT,
                                       "abut_assess_params: start from abut_assess_params_default()");
    }
    abut_workspace *workspace = NULL;
    abut_result result = abut_result_default();
    abut_status status = abut_workspace_create(abut_lab_object_context(set), &workspace);
    if (status == ABUT_OK) {
        status = find_contacts(set, &set->placements[placement], method, &how, workspace, &result);
        row->error = result.error;
    }
    if (status == ABUT_OK) {
        status = measure(set, placement, result.contacts, row);
    }
    abut_workspace_destroy(workspace);
    return row->status = status;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

abut_status abut_overlap_sum_up(const abut_overlap_set *set, const abut_overlap_row *rows, double depth,
                                abut_overlap_summary *summary, abut_error *error)
{
    const double none = (double)NAN;
    const abut_context *context = abut_lab_object_context(set);
    *summary = (abut_overlap_summary){
        .depth = depth, .contacts = none, .median_ratio = none, .high_ratio = none, .least_left = none};
    double *ratios = abut_allocate(context, (size_t)set->placement_count, sizeof *ratios), contacts = 0.0;
    if (ratios == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d numbers", set->placement_count);
    }
    for (int i = 0; i < set->placement_count; ++i) {
        const abut_overlap_row *row = &rows[i];
        if (set->placements[i].depth != depth) {
            continue;
        }
        ++summary->placements;
        if (row->status == ABUT_OK) {
            ++summary->answered;
            contacts += row->contacts;
            if (row->resolution.is_resolved) {
                ratios[summary->resolved++] = row->resolution.ratio;
            } else {
                summary->least_left = fmin(row->resolution.left, summary->least_left); // not the NaN
            }
        }
    }
    if (summary->answered > 0) {
        summary->contacts = contacts / summary->answered;
    }
    if (summary->resolved > 0) {
        qsort(ratios, (size_t)summary->resolved, sizeof *ratios, compare_numbers);
        summary->median_ratio = ratios[(summary->resolved - 1) / 2];
        summary->high_ratio = ratios[(9 * summary->resolved + 9) / 10 - 1];
    }
    abut_free(context, ratios);
    return ABUT_OK;
}
