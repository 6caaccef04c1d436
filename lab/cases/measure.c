// SPDX-License-Identifier: MIT
// measure.c: quality, coverage and excess of contacts
//
// Source:  Erleben 2018, section 5. Coverage of (position, normal) pairs is ours; see docs/cases.md.
#include "cases/measure_within.h"

static const double NORMAL_TOLERANCE = 1e-3;   ///< length of the difference of two unit vectors
static const double POSITION_TOLERANCE = 1e-3; ///< of the case's size

static int same_normal(abut_vec3 a, abut_vec3 b, double tolerance)
{
    return abut_norm(abut_sub(a, b)) <= tolerance;
}

/// Where a point of a body is now, if it was at `point` in the state touching.
static abut_vec3 carried(const abut_case_body *body, abut_pose now, abut_vec3 point)
{
    return abut_pose_apply(now, abut_pose_apply_inverse(body->pose, point));
}

static double segment_distance(abut_vec3 p, abut_vec3 start, abut_vec3 end)
{
    abut_vec3 along = abut_sub(end, start), offset = abut_sub(p, start);
    double squared = abut_norm_squared(along);
    double t = squared > 0.0 ? fmin(fmax(abut_dot(offset, along) / squared, 0.0), 1.0) : 0.0;
    return abut_norm(abut_add_scaled(offset, -t, along));
}

/// Whether no earlier expected contact has this normal.
static int is_first_of_normal(const abut_truth *truth, int index)
{
    for (int i = 0; i < index; ++i) {
        if (same_normal(truth[i].normal, truth[index].normal, NORMAL_TOLERANCE)) {
            return 0;
        }
    }
    return 1;
}

static double percent(int part, int whole)
{
    return 100.0 * part / whole;
}

/// Whether a normal is expected at any position.
static int has_expected_normal(const abut_case *item, abut_reading reading, abut_vec3 normal, double tolerance)
{
    int is_right = 0;
    for (int i = 0; i < item->truth_count[reading]; ++i) {
        is_right |= same_normal(normal, item->truth[reading][i].normal, tolerance);
    }
    return is_right;
}

/// Whether some contact meets an expected one; `normal_is_met`: whether one has its normal, at any position.
static int is_pair_met(const abut_case *item, abut_case_poses poses, const abut_truth *truth,
                       const abut_sample *samples, int count, double tolerance, int *normal_is_met)
{
    int pair_is_met = 0;
    abut_vec3 on_a = carried(&item->a, poses.a, truth->position);
    abut_vec3 on_b = carried(&item->b, poses.b, truth->position);
    *normal_is_met = 0;
    for (int k = 0; k < count; ++k) {
        if (same_normal(samples[k].normal, truth->normal, tolerance)) {
            *normal_is_met = 1;
            pair_is_met |= segment_distance(samples[k].position, on_a, on_b) <= POSITION_TOLERANCE * item->size;
        }
    }
    return pair_is_met;
}

void abut_measure_each(const abut_case *item, abut_case_poses poses, abut_reading reading,
                       const abut_sample *samples, int count, int *is_right, int *is_met)
{
    for (int k = 0; k < count && is_right != NULL; ++k) {
        is_right[k] = has_expected_normal(item, reading, samples[k].normal, NORMAL_TOLERANCE);
    }
    for (int i = 0; i < item->truth_count[reading] && is_met != NULL; ++i) {
        int normal_is_met;
        is_met[i] =
            is_pair_met(item, poses, &item->truth[reading][i], samples, count, NORMAL_TOLERANCE, &normal_is_met);
    }
}

abut_measures abut_measure(const abut_case *item, abut_case_poses poses, abut_reading reading,
                           const abut_sample *samples, int count)
{
    return abut_measure_within(item, poses, reading, samples, count, NORMAL_TOLERANCE);
}

abut_measures abut_measure_within(const abut_case *item, abut_case_poses poses, abut_reading reading,
                                  const abut_sample *samples, int count, double tolerance)
{
    const abut_truth *truth = item->truth[reading];
    int truth_count = item->truth_count[reading];
    int right_normals = 0;
    for (int k = 0; k < count; ++k) {
        right_normals += has_expected_normal(item, reading, samples[k].normal, tolerance);
    }

    int met_pairs = 0, normals = 0, met_normals = 0;
    for (int i = 0; i < truth_count; ++i) {
        int normal_is_met;
        met_pairs += is_pair_met(item, poses, &truth[i], samples, count, tolerance, &normal_is_met);
        if (is_first_of_normal(truth, i)) {
            ++normals;
            met_normals += normal_is_met;
        }
    }

    abut_measures measures;
    // 0 / 0 = NaN if the correct contacts are not known
    measures.quality = count > 0 && truth_count > 0 ? percent(right_normals, count) : (double)NAN;
    measures.coverage = percent(met_pairs, truth_count);
    measures.coverage_normals = percent(met_normals, normals);
    measures.excess = item->minimum > 0 ? (double)count / item->minimum : (double)NAN;
    measures.contacts = count;
    return measures;
}

abut_count_summary abut_summarise_counts(const int *counts, int count)
{
    abut_count_summary summary = {.mean = (double)NAN, .deviation = (double)NAN};
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < count; ++i) {
        summary.least = i == 0 || counts[i] < summary.least ? counts[i] : summary.least;
        summary.most = i == 0 || counts[i] > summary.most ? counts[i] : summary.most;
        sum += counts[i];
    }
    if (count > 0) {
        summary.mean = sum / count;
        for (int i = 0; i < count; ++i) {
            double off = counts[i] - summary.mean;
            squares += off * off;
        }
        summary.deviation = sqrt(squares / count);
    }
    return summary;
}
