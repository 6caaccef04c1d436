// SPDX-License-Identifier: MIT
// scene_measure.c: how good the normals of a scene's contacts are, and how much of its joints they cover
//
// Source:  Erleben 2018, section 5 and equations 1 to 8. The true joint normals are ours: at the Arch's two springings
//          equation 6 is off by 6 degrees.
#include "common/lab_support.h"

#include <abut-lab/scene.h>

#include <stdlib.h>
#include <string.h>

static const double NORMAL_TOLERANCE = 1e-3;  ///< length of the difference of two unit vectors
static const double AREA_TOLERANCE = 1e-2;    ///< relative; areas this close are on one plateau
static const double WHOLE_TOLERANCE = 1e-6;   ///< relative; a joint is complete: allows rounding and slight sagging
static const double VISIBLE_ALIGNMENT = 0.99; ///< a Q that looks like 1

// ---------------------------------------------------------------------------------------------------------------
// Area of a convex hull in the plane

static int compare_points(const void *left, const void *right)
{
    const abut_vec2 *a = left, *b = right;
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    return (a->y > b->y) - (a->y < b->y);
}

/// Twice the signed area of the triangle, positive if counter-clockwise.
static double turn(abut_vec2 a, abut_vec2 b, abut_vec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Twice the area between the chord of the sorted points and their hull on one side of it. Step 1, from the first
/// point: below; step -1, from the last: above. `chain` has room for all points.
static double half_hull(const abut_vec2 *points, int count, int step, abut_vec2 *chain)
{
    int length = 0;
    for (int i = 0; i < count; ++i) {
        abut_vec2 p = points[step > 0 ? i : count - 1 - i];
        while (length > 1 && turn(chain[length - 2], chain[length - 1], p) <= 0.0) {
            --length;
        }
        chain[length++] = p;
    }
    double twice = 0.0;
    for (int i = 2; i < length; ++i) {
        twice += turn(chain[0], chain[i - 1], chain[i]);
    }
    return twice;
}

/// Sorts the points.
static double hull_area(abut_vec2 *points, int count, abut_vec2 *chain)
{
    qsort(points, (size_t)count, sizeof *points, compare_points);
    return 0.5 * (half_hull(points, count, 1, chain) + half_hull(points, count, -1, chain));
}

// ---------------------------------------------------------------------------------------------------------------
// Normals

static abut_status center_of(const abut_scene *scene, int body, abut_vec3 *center, abut_error *error)
{
    abut_mass mass;
    abut_status status = abut_mesh_mass(scene->meshes[scene->bodies[body].mesh], &mass, error);
    if (status == ABUT_OK) {
        *center = abut_pose_apply(scene->bodies[body].pose, mass.center);
    }
    return status;
}

/// The normal that the paper expects between two bodies, up to its sign.
static abut_status expected_normal(const abut_scene *scene, abut_scene_pair pair, abut_vec3 *normal,
                                   abut_error *error)
{
    const abut_mat3 axes = abut_quat_matrix(scene->frame.rotation);
    *normal = axes.y;
    if (scene->rule == ABUT_SCENE_UP || scene->bodies[pair.a].is_fixed || scene->bodies[pair.b].is_fixed) {
        return ABUT_OK;
    }
    abut_vec3 a, b;
    abut_status status = center_of(scene, pair.a, &a, error);
    status = status != ABUT_OK ? status : center_of(scene, pair.b, &b, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_vec3 between = abut_sub(b, a);
    if (scene->rule == ABUT_SCENE_CENTERS) {
        *normal = abut_unit(between);
        return ABUT_OK;
    }
    // Half a brick tells layers apart, so that rounding and small motions do not split a layer.
    abut_box brick = abut_mesh_get_elements(scene->meshes[scene->bodies[pair.b].mesh]).bounds;
    if (fabs(abut_dot(axes.y, between)) < 0.5 * (brick.upper.y - brick.lower.y)) {
        *normal = axes.x;
    }
    return ABUT_OK;
}

static const abut_scene_joint *find_joint(const abut_scene *scene, abut_scene_pair pair)
{
    for (int i = 0; i < scene->joint_count; ++i) {
        if (scene->joints[i].a == pair.a && scene->joints[i].b == pair.b) {
            return &scene->joints[i];
        }
    }
    return NULL;
}

double abut_scene_deviation(const abut_scene *scene, abut_scene_pair bodies, abut_vec3 normal)
{
    const abut_scene_joint *joint = find_joint(scene, bodies);
    return joint != NULL ? abut_norm(abut_sub(normal, joint->normal)) : 2.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Sums over the pairs

typedef struct sums {
    int right_normals, visible_normals, met_joints;
    int histogram[ABUT_SCENE_BINS];
    double alignment, least_alignment, deviation, area;
    double *covered;          ///< area of each joint that its contacts cover, or NULL
    abut_scene_curves curves; ///< not sorted, with room for all contacts; or NULL arrays
} sums;

static void add_alignment(double q, sums *to)
{
    ++to->histogram[q < 1.0 ? (int)(q * ABUT_SCENE_BINS) : ABUT_SCENE_BINS - 1];
    to->visible_normals += q >= VISIBLE_ALIGNMENT;
    to->alignment += q;
    to->least_alignment = fmin(to->least_alignment, q);
    if (to->curves.alignments != NULL) {
        to->curves.alignments[to->curves.alignment_count++] = q;
    }
}

static void add_area(double area, sums *to)
{
    to->area += area;
    if (to->curves.areas != NULL) {
        to->curves.areas[to->curves.area_count++] = area;
    }
}

/// The contacts of one pair, with room for a point each in `plane` and `chain`.
typedef struct pair_samples {
    const abut_sample *samples;
    int count;
    abut_vec2 *plane, *chain;
} pair_samples;

/// The area of the convex hull of the contacts, projected along a direction.
static double projected_area(const pair_samples *p, abut_vec3 along)
{
    abut_vec3 u = abut_any_perpendicular(along), v = abut_cross(along, u);
    for (int i = 0; i < p->count; ++i) {
        // Relative to a contact: far from the origin the area would be lost in rounding.
        abut_vec3 offset = abut_sub(p->samples[i].position, p->samples[0].position);
        p->plane[i] = abut_vec2_make(abut_dot(u, offset), abut_dot(v, offset));
    }
    return hull_area(p->plane, p->count, p->chain);
}

static double covered_area(const pair_samples *p, const abut_scene_joint *joint)
{
    double area = projected_area(p, joint->normal);
    return area >= (1.0 - WHOLE_TOLERANCE) * joint->area ? joint->area : area;
}

/// Adds the contacts of one pair.
static abut_status add_pair(const abut_scene *scene, const pair_samples *p, sums *to, abut_error *error)
{
    const abut_sample *samples = p->samples;
    const abut_scene_joint *joint = find_joint(scene, samples[0].bodies);
    abut_vec3 expected;
    abut_status status = expected_normal(scene, samples[0].bodies, &expected, error);
    if (status != ABUT_OK) {
        return status;
    }
    int right_normals = 0;
    for (int i = 0; i < p->count; ++i) {
        add_alignment(fabs(abut_dot(samples[i].normal, expected)), to);
        double with_sign = 2.0, without = 2.0;
        if (joint != NULL) {
            with_sign = abut_norm(abut_sub(samples[i].normal, joint->normal));
            without = fmin(with_sign, abut_norm(abut_add(samples[i].normal, joint->normal)));
        }
        to->deviation = fmax(to->deviation, with_sign);
        right_normals += without <= NORMAL_TOLERANCE;
    }
    to->right_normals += right_normals;
    to->met_joints += right_normals > 0;
    add_area(projected_area(p, expected), to);
    if (joint != NULL && to->covered != NULL) {
        to->covered[joint - scene->joints] = covered_area(p, joint);
    }
    return ABUT_OK;
}

static int compare_pairs(abut_scene_pair left, abut_scene_pair right)
{
    return left.a != right.a ? (left.a > right.a) - (left.a < right.a) : (left.b > right.b) - (left.b < right.b);
}

static abut_status check_samples(const abut_scene *scene, const abut_sample *samples, int count, abut_error *error)
{
    for (int i = 0; i < count; ++i) {
        abut_scene_pair pair = samples[i].bodies;
        if (pair.a < 0 || pair.a >= pair.b || pair.b >= scene->body_count) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "contact %d: bodies %d and %d are not a pair of the scene",
                             i, pair.a, pair.b);
        }
        if (i > 0 && compare_pairs(samples[i - 1].bodies, pair) > 0) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "contact %d: contacts must be ordered by bodies", i);
        }
        if (!abut_is_finite(samples[i].position) || !abut_is_finite(samples[i].normal)) {
            return abut_fail(error, ABUT_BAD_DATA, "contact %d: position or normal is not finite", i);
        }
    }
    return ABUT_OK;
}

/// Adds the contacts of all pairs.
static abut_status add_all(const abut_context *context, const abut_scene *scene, const abut_sample *samples,
                           int count, sums *to, abut_error *error)
{
    abut_status status = check_samples(scene, samples, count, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_vec2 *plane = abut_allocate_zeroed(context, (size_t)count, sizeof *plane);
    abut_vec2 *chain = abut_allocate_zeroed(context, (size_t)count, sizeof *chain);
    if (plane == NULL || chain == NULL) {
        status = abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d contacts", count);
    }
    for (int begin = 0, end; begin < count && status == ABUT_OK; begin = end) {
        for (end = begin + 1; end < count && compare_pairs(samples[begin].bodies, samples[end].bodies) == 0;
             ++end) {
        }
        const pair_samples pair = {samples + begin, end - begin, plane, chain};
        status = add_pair(scene, &pair, to, error);
    }
    abut_free(context, plane);
    abut_free(context, chain);
    return status;
}

abut_status abut_scene_measure(const abut_context *context, const abut_scene *scene, const abut_sample *samples,
                               int count, abut_scene_measures *measures, abut_error *error)
{
    if (scene == NULL || measures == NULL || count < 0 || (samples == NULL && count > 0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_scene_measure: something is NULL, or the count negative");
    }
    abut_context kept = abut_context_or_default(context);
    sums total = {.least_alignment = 1.0};
    total.covered = abut_allocate_zeroed(&kept, (size_t)scene->joint_count, sizeof *total.covered);
    abut_status status = total.covered != NULL
                             ? add_all(&kept, scene, samples, count, &total, error)
                             : abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d joints", scene->joint_count);
    double covered = 0.0, whole = 0.0;
    for (int i = 0; status == ABUT_OK && i < scene->joint_count; ++i) {
        covered += total.covered[i];
        whole += scene->joints[i].area;
    }
    abut_free(&kept, total.covered);
    if (status != ABUT_OK) {
        return status;
    }
    const double none = (double)NAN;
    measures->quality = count > 0 ? 100.0 * total.right_normals / count : none;
    measures->visible_quality = count > 0 ? 100.0 * total.visible_normals / count : none;
    measures->alignment = count > 0 ? total.alignment / count : none;
    measures->least_alignment = count > 0 ? total.least_alignment : none;
    memcpy(measures->histogram, total.histogram, sizeof measures->histogram);
    measures->deviation = count > 0 ? total.deviation : none;
    measures->area = total.area;
    measures->coverage = 100.0 * (covered / whole); // exactly 100 if they are equal
    measures->coverage_paper = 100.0 * total.area / scene->area;
    measures->coverage_normals = 100.0 * total.met_joints / scene->joint_count;
    measures->excess = (double)count / scene->minimum;
    measures->contacts = count;
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Curves

static int compare_values(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

abut_status abut_scene_find_curves(const abut_context *context, const abut_scene *scene, const abut_sample *samples,
                                   int count, abut_scene_curves *curves, abut_error *error)
{
    if (scene == NULL || curves == NULL || count < 0 || (samples == NULL && count > 0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "abut_scene_find_curves: something is NULL, or the count negative");
    }
    *curves = (abut_scene_curves){0};
    abut_context kept = abut_context_or_default(context);
    sums total = {0};
    total.curves.alignments = abut_allocate_zeroed(&kept, (size_t)count, sizeof *curves->alignments);
    total.curves.areas = abut_allocate_zeroed(&kept, (size_t)count, sizeof *curves->areas);
    abut_status status = total.curves.alignments != NULL && total.curves.areas != NULL
                             ? add_all(&kept, scene, samples, count, &total, error)
                             : abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d contacts", count);
    if (status != ABUT_OK) {
        abut_scene_curves_release(&kept, &total.curves);
        return status;
    }
    *curves = total.curves;
    qsort(curves->alignments, (size_t)curves->alignment_count, sizeof *curves->alignments, compare_values);
    qsort(curves->areas, (size_t)curves->area_count, sizeof *curves->areas, compare_values);
    return ABUT_OK;
}

void abut_scene_curves_release(const abut_context *context, abut_scene_curves *curves)
{
    abut_context kept = abut_context_or_default(context);
    abut_free(&kept, curves->alignments);
    abut_free(&kept, curves->areas);
    *curves = (abut_scene_curves){0};
}

static int is_on(double area, double plateau)
{
    return fabs(area - plateau) <= AREA_TOLERANCE * plateau;
}

/// The smallest joint area above the plateau of `last`; infinite if there is none.
static double next_area(const abut_scene *scene, double last)
{
    double next = (double)INFINITY;
    for (int i = 0; i < scene->joint_count; ++i) {
        double area = scene->joints[i].area;
        next = area > last && !is_on(area, last) ? fmin(next, area) : next;
    }
    return next;
}

int abut_scene_find_plateaus(const abut_scene *scene, const abut_scene_curves *curves, abut_scene_plateau *plateaus,
                             int capacity)
{
    int count = 0;
    for (double area = next_area(scene, 0.0); isfinite(area); area = next_area(scene, area), ++count) {
        abut_scene_plateau plateau = {.area = area};
        for (int i = 0; i < scene->joint_count; ++i) {
            plateau.joints += is_on(scene->joints[i].area, area);
        }
        for (int i = 0; i < curves->area_count; ++i) {
            plateau.found += is_on(curves->areas[i], area);
        }
        if (count < capacity) {
            plateaus[count] = plateau;
        }
    }
    return count;
}
