// SPDX-License-Identifier: MIT
/// @file scene.h
/// Structures of many bodies at rest whose contact normals and areas are known: Pillar, Wall and Arch of Erleben
/// 2018, section 5.
#ifndef ABUT_LAB_SCENE_H
#define ABUT_LAB_SCENE_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_scene_body {
    char name[32]; ///< for example "brick-3-5"
    int mesh;      ///< index in the scene's meshes; bodies of the same shape share one
    abut_pose pose;
    int is_fixed;
} abut_scene_body;

/// Two bodies that touch in a convex polygon.
typedef struct abut_scene_joint {
    int a, b;         ///< bodies, a < b
    abut_vec3 normal; ///< the true one: unit, from A to B
    double area;      ///< of the polygon
} abut_scene_joint;

/// How the paper finds the expected normal of two bodies.
typedef enum abut_scene_rule {
    ABUT_SCENE_UP = 0,     ///< always up (Pillar)
    ABUT_SCENE_BRICKS = 1, ///< sideways if both are in one layer, else up (Wall, equation 1)
    ABUT_SCENE_CENTERS = 2 ///< from centre of mass to centre of mass; up at the ground (Arch, equation 6)
} abut_scene_rule;

typedef struct abut_scene {
    const char *name;  ///< as in the command, for example "pillar"
    const char *title; ///< as in the paper
    abut_mesh *const *meshes;
    int mesh_count;
    const abut_scene_body *bodies; ///< the first is the ground
    int body_count;
    const abut_scene_joint *joints;
    int joint_count;
    abut_pose frame;     ///< where the structure stands; its y axis is up
    double scale;        ///< 1: metres as in the paper
    int minimum;         ///< least number of contacts that is enough: the corners of all joints
    int feature_minimum; ///< the paper's other count: pairs of mesh vertices that touch; 0 if it has none
    /// The whole area, which P is a share of (equation 4; 14 for the Arch); NaN for the Pillar, which the paper does
    /// not measure.
    double area;
    abut_scene_rule rule; ///< for the normals of the paper's measures
} abut_scene;

/// Start from abut_scene_params_default().
typedef struct abut_scene_params {
    size_t struct_size;
    double scale;    ///< multiplies all lengths; default 1
    abut_pose frame; ///< applied after scaling; default: the identity
    /// 0, the default: coarse meshes. Otherwise the quality ratio of fine meshes, which the program tetgen makes.
    double refine_ratio;
    double refine_seconds; ///< time limit for each fine mesh; default 60
} abut_scene_params;

/// The paper's quality ratio of fine meshes (section 8.6).
#define ABUT_SCENE_PAPER_RATIO 1.015

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_scene_params_init(abut_scene_params *params, size_t size);
static inline abut_scene_params abut_scene_params_default(void)
{
    abut_scene_params params;
    abut_scene_params_init(&params, sizeof params);
    return params;
}

/// Names of all scenes.
ABUT_API const char *const *abut_scene_names(int *count);

/// Makes a scene. Every mesh has triangles and tetrahedra. Fine meshes are those of section 8.6: tetrahedra of volume
/// at most 0.015, in the Pillar's round bodies 0.00015, times the cube of the scale.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT; ABUT_LIMIT if tetgen does not end in time, with the next ratio to try in the
/// message; ABUT_IO if tetgen is not installed; ABUT_NO_MEMORY
ABUT_API abut_status abut_scene_create(const abut_context *context, const char *name,
                                       const abut_scene_params *params, abut_scene **out, abut_error *error);
ABUT_API void abut_scene_destroy(abut_scene *scene);

/// Two bodies of a scene, a < b.
typedef struct abut_scene_pair {
    int a, b;
} abut_scene_pair;

/// The pairs of bodies whose world boxes touch, within 1e-3 of the smaller body's size, in ascending order. Writes at
/// most `capacity` pairs and returns how many there are.
ABUT_API int abut_scene_find_pairs(const abut_scene *scene, abut_scene_pair *pairs, int capacity);

/// Writes the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_scene_pair_init(const abut_scene *scene, abut_scene_pair bodies, const abut_shape *a,
                                   const abut_shape *b, abut_pair *pair, size_t size);
/// The pair at rest, for two shapes of the bodies' meshes.
static inline abut_pair abut_scene_get_pair(const abut_scene *scene, abut_scene_pair bodies, const abut_shape *a,
                                            const abut_shape *b)
{
    abut_pair pair;
    abut_scene_pair_init(scene, bodies, a, b, &pair, sizeof pair);
    return pair;
}

/// |normal - true normal| of a contact of two bodies; the sign counts. 2 if the bodies have no joint.
ABUT_API double abut_scene_deviation(const abut_scene *scene, abut_scene_pair bodies, abut_vec3 normal);

/// The part of a contact that is scored.
typedef struct abut_sample {
    abut_vec3 position;
    abut_vec3 normal;       ///< from A to B
    abut_scene_pair bodies; ///< of a scene; a case has only A and B, and nothing reads it
} abut_sample;

enum { ABUT_SCENE_BINS = 10 };

typedef struct abut_scene_measures {
    double quality; ///< % of the contacts whose normal is n or -n of their joint, within 1e-3; NaN without contacts
    /// % of the contacts with Q of at least 0.99, which looks like 1 in a plot; NaN without contacts.
    double visible_quality;
    double alignment;               ///< mean of the paper's Q (equations 2 and 7); NaN without contacts
    double least_alignment;         ///< its least value; NaN without contacts
    int histogram[ABUT_SCENE_BINS]; ///< contacts by Q: below 0.1, below 0.2, ..., from 0.9 on
    double deviation;               ///< largest |normal - true normal|; the sign counts; NaN without contacts
    double area;                    ///< of the convex hulls of the projected contacts (equation 3)
    /// % of the area of all joints that is covered: the convex hull of a joint's contacts, projected along its true
    /// normal, counts up to the area of the joint. A joint is complete within 1e-6 of its area.
    double coverage;
    double coverage_paper;   ///< 100 times the paper's P (equations 5 and 8); NaN for the Pillar
    double coverage_normals; ///< % of the joints that have a contact with normal n or -n
    double excess;           ///< contacts / minimum
    int contacts;
} abut_scene_measures;

/// Scores contacts, which must be ordered by `bodies`. A contact of bodies without a joint counts as wrong, with a
/// deviation of 2.
ABUT_API abut_status abut_scene_measure(const abut_context *context, const abut_scene *scene,
                                        const abut_sample *samples, int count, abut_scene_measures *measures,
                                        abut_error *error);

/// The values that the paper plots (Figures 24, 25, 27, 28), in ascending order.
typedef struct abut_scene_curves {
    double *alignments; ///< Q of each contact
    int alignment_count;
    double *areas; ///< A_R (equation 3) of each pair of bodies that has contacts
    int area_count;
} abut_scene_curves;

/// The samples must be ordered by `bodies`. Release with abut_scene_curves_release().
ABUT_API abut_status abut_scene_find_curves(const abut_context *context, const abut_scene *scene,
                                            const abut_sample *samples, int count, abut_scene_curves *curves,
                                            abut_error *error);
ABUT_API void abut_scene_curves_release(const abut_context *context, abut_scene_curves *curves);

/// Joints of the same area, which make a plateau in the curve of areas.
typedef struct abut_scene_plateau {
    double area;
    int joints;
    int found; ///< areas of the curve within 1 % of `area`
} abut_scene_plateau;

/// The plateaus of a scene, smallest area first. Writes at most `capacity` plateaus and returns how many there are.
ABUT_API int abut_scene_find_plateaus(const abut_scene *scene, const abut_scene_curves *curves,
                                      abut_scene_plateau *plateaus, int capacity);

#ifdef __cplusplus
}
#endif
#endif
