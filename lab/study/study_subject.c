// SPDX-License-Identifier: MIT
// study_subject.c: simulates and measures a scene or a case
#include "study/study_subject.h"

#include "common/lab_support.h"

#include <abut-lab/measure.h>

#include <math.h>
#include <stdlib.h>

static const double VISIBLE_ALIGNMENT = 0.99; ///< a Q from here on looks like 1 in a plot

// ---------------------------------------------------------------------------------------------------------------
// Creation

static abut_status create_case(const abut_context *context, const char *name, abut_study_subject *subject,
                               abut_error *error)
{
    abut_status status = abut_case_create(context, name, NULL, &subject->item, error);
    if (status == ABUT_BAD_ARGUMENT || (status == ABUT_OK && subject->item->minimum == 0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "there is no case or scene %.64s with known normals", name);
    }
    return status != ABUT_OK ? status : abut_setup_create_case(context, subject->item, &subject->setup, error);
}

abut_status abut_study_subject_create(const abut_context *context, const char *name,
                                      const abut_scene_params *params, abut_study_subject *subject,
                                      abut_error *error)
{
    *subject = (abut_study_subject){0};
    if (abut_lab_find_name(abut_scene_names, name) < 0) {
        return create_case(context, name, subject, error);
    }
    abut_status status = abut_scene_create(context, name, params, &subject->scene, error);
    return status != ABUT_OK ? status : abut_setup_create_scene(context, subject->scene, &subject->setup, error);
}

void abut_study_subject_release(abut_study_subject *subject)
{
    abut_setup_destroy(subject->setup);
    abut_scene_destroy(subject->scene);
    abut_case_destroy(subject->item);
    *subject = (abut_study_subject){0};
}

double abut_study_subject_size(const abut_study_subject *subject)
{
    const abut_setup *setup = subject->setup;
    abut_vec3 lower = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, upper = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < setup->body_count; ++i) {
        const abut_setup_body *body = &setup->bodies[i];
        abut_mesh_elements e = abut_mesh_get_elements(setup->meshes[body->mesh].mesh);
        for (int k = 0; k < e.vertex_count; ++k) {
            abut_vec3 p = abut_pose_apply(body->pose, e.vertices[k]);
            lower = abut_vec3_make(fmin(lower.x, p.x), fmin(lower.y, p.y), fmin(lower.z, p.z));
            upper = abut_vec3_make(fmax(upper.x, p.x), fmax(upper.y, p.y), fmax(upper.z, p.z));
        }
    }
    return abut_norm(abut_sub(upper, lower));
}

// ---------------------------------------------------------------------------------------------------------------
// Measures

static abut_status measure_scene(const abut_context *context, const abut_scene *scene,
                                 const abut_detection *detection, abut_subject_measures *measures,
                                 abut_error *error)
{
    abut_scene_measures m;
    abut_scene_curves curves = {0};
    int count = detection->report.contact_count;
    abut_status status = abut_scene_measure(context, scene, detection->samples, count, &m, error);
    status = status != ABUT_OK ? status
                               : abut_scene_find_curves(context, scene, detection->samples, count, &curves, error);
    if (status != ABUT_OK) {
        return status;
    }
    *measures =
        (abut_subject_measures){m.visible_quality, m.quality, m.alignment, m.least_alignment, curves.alignments};
    curves.alignments = NULL; // now owned by the measures
    abut_scene_curves_release(context, &curves);
    return ABUT_OK;
}

static int compare_values(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static double case_alignment(const abut_case *item, abut_vec3 normal)
{
    double best = 0.0;
    for (int i = 0; i < item->truth_count[ABUT_READING_VELOCITY]; ++i) {
        best = fmax(best, fabs(abut_dot(normal, item->truth[ABUT_READING_VELOCITY][i].normal)));
    }
    return best;
}

static abut_status measure_case(const abut_context *context, const abut_case *item, const abut_detection *detection,
                                abut_subject_measures *measures, abut_error *error)
{
    int count = detection->report.contact_count, good = 0;
    double *curve = abut_allocate_zeroed(context, (size_t)count, sizeof *curve), sum = 0.0;
    if (curve == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d contacts", count);
    }
    for (int i = 0; i < count; ++i) {
        curve[i] = case_alignment(item, detection->samples[i].normal);
        good += curve[i] >= VISIBLE_ALIGNMENT;
        sum += curve[i];
    }
    qsort(curve, (size_t)count, sizeof *curve, compare_values);
    abut_case_poses poses = {detection->report.poses[0], detection->report.poses[1]};
    abut_measures m = abut_measure(item, poses, ABUT_READING_VELOCITY, detection->samples, count);
    *measures = (abut_subject_measures){100.0 * good / count, m.quality, sum / count, curve[0], curve};
    return ABUT_OK;
}

abut_status abut_study_subject_measure(const abut_context *context, const abut_study_subject *subject,
                                       const abut_detection *detection, abut_subject_measures *measures,
                                       abut_error *error)
{
    return subject->scene != NULL ? measure_scene(context, subject->scene, detection, measures, error)
                                  : measure_case(context, subject->item, detection, measures, error);
}
