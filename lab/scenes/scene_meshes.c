// SPDX-License-Identifier: MIT
// scene_meshes.c: the bodies of scenes as surfaces with tetrahedra
//
// The tetrahedra are those that TetGen 1.5 makes with the paper's switches (pYq2Q), with one difference: the vertex
// inside a cuboid is exactly in the middle, TetGen's is only near it.
//
// Source:  Erleben 2018, sections 5 and 8.6 (fine meshes).
#include "scenes/scene_meshes.h"

#include "common/lab_support.h"

#include <abut-lab/tetgen.h>

#include <stdio.h>
#include <string.h>

/// Largest volumes of tetrahedra in fine meshes, and the paper's quality ratio with the ratios to try next.
static const double FINE_VOLUMES[2] = {0.015, 0.00015};
static const double RATIOS[] = {1.015, 1.05, 1.1, 1.2, 1.4, 2.0};
enum { RATIO_COUNT = sizeof RATIOS / sizeof RATIOS[0] };

abut_scene_solid abut_scene_cuboid(const abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS])
{
    static const int triangles[] = {0, 1, 2, 0, 2, 3, 4, 7, 6, 4, 6, 5, 4, 0, 3, 4, 3, 7,
                                    1, 5, 6, 1, 6, 2, 7, 3, 2, 7, 2, 6, 5, 1, 0, 5, 0, 4};
    abut_scene_solid solid = {.surface_vertex_count = ABUT_SCENE_CUBOID_CORNERS,
                              .vertex_count = ABUT_SCENE_CUBOID_CORNERS + 1,
                              .triangle_count = (int)(sizeof triangles / sizeof triangles[0]) / 3,
                              .apex = ABUT_SCENE_CUBOID_CORNERS};
    memcpy(solid.triangles, triangles, sizeof triangles);
    for (int i = 0; i < ABUT_SCENE_CUBOID_CORNERS; ++i) {
        solid.vertices[i] = corners[i];
        solid.vertices[solid.apex] =
            abut_add_scaled(solid.vertices[solid.apex], 1.0 / ABUT_SCENE_CUBOID_CORNERS, corners[i]);
    }
    return solid;
}

abut_scene_solid abut_scene_frustum(double lower_y, double lower_radius, double upper_y, double upper_radius)
{
    enum { SLICES = ABUT_SCENE_SLICES, LOWER_CENTER = 2 * SLICES, UPPER_CENTER = LOWER_CENTER + 1 };
    // exact mirror images, so that a ring turned by pi has the same bits
    const double s = 0.5 * sqrt(3.0);
    const double cosines[SLICES] = {1.0, 0.5, -0.5, -1.0, -0.5, 0.5};
    const double sines[SLICES] = {0.0, s, s, 0.0, -s, -s};
    abut_scene_solid solid = {.surface_vertex_count = UPPER_CENTER + 1,
                              .vertex_count = UPPER_CENTER + 1,
                              .apex = LOWER_CENTER,
                              .is_round = 1};
    for (int i = 0; i < SLICES; ++i) {
        int next = (i + 1) % SLICES;
        solid.vertices[i] = abut_vec3_make(lower_radius * cosines[i], lower_y, -lower_radius * sines[i]);
        solid.vertices[SLICES + i] = abut_vec3_make(upper_radius * cosines[i], upper_y, -upper_radius * sines[i]);
        const int here[] = {i,    next, SLICES + next, i,          SLICES + next, SLICES + i, LOWER_CENTER,
                            next, i,    UPPER_CENTER,  SLICES + i, SLICES + next};
        memcpy(&solid.triangles[3 * solid.triangle_count], here, sizeof here);
        solid.triangle_count += (int)(sizeof here / sizeof here[0]) / 3;
    }
    solid.vertices[LOWER_CENTER] = abut_vec3_make(0.0, lower_y, 0.0);
    solid.vertices[UPPER_CENTER] = abut_vec3_make(0.0, upper_y, 0.0);
    return solid;
}

/// Moves the vertices of the surface along their angle-weighted normals.
static void move_outward(abut_scene_solid *solid, double distance)
{
    abut_vec3 sums[ABUT_SCENE_MAX_VERTICES] = {{0.0, 0.0, 0.0}};
    for (int i = 0; i < solid->triangle_count; ++i) {
        const int *t = &solid->triangles[3 * i];
        for (int k = 0; k < 3; ++k) {
            abut_vec3 here = solid->vertices[t[k]];
            abut_vec3 u = abut_sub(solid->vertices[t[(k + 1) % 3]], here);
            abut_vec3 v = abut_sub(solid->vertices[t[(k + 2) % 3]], here);
            abut_vec3 normal = abut_cross(u, v);
            double angle = atan2(abut_norm(normal), abut_dot(u, v));
            sums[t[k]] = abut_add_scaled(sums[t[k]], angle, abut_unit(normal));
        }
    }
    for (int i = 0; i < solid->surface_vertex_count; ++i) {
        solid->vertices[i] = abut_add_scaled(solid->vertices[i], distance, abut_unit(sums[i]));
    }
}

static int fill_tets(const abut_scene_solid *solid, int *tets)
{
    int count = 0;
    for (int i = 0; i < solid->triangle_count; ++i) {
        const int *t = &solid->triangles[3 * i];
        if (t[0] != solid->apex && t[1] != solid->apex && t[2] != solid->apex) {
            const int tet[] = {t[0], t[1], t[2], solid->apex};
            memcpy(&tets[4 * count++], tet, sizeof tet);
        }
    }
    return count;
}

/// Creates the mesh with its tetrahedra, or the surface alone.
static abut_status create_coarse(const abut_context *context, const abut_scene_solid *solid, int has_tets,
                                 abut_mesh **mesh, abut_error *error)
{
    int tets[4 * ABUT_SCENE_MAX_TRIANGLES];
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = solid->vertices;
    def.vertex_count = has_tets ? solid->vertex_count : solid->surface_vertex_count;
    def.face_vertices = solid->triangles;
    def.face_count = solid->triangle_count;
    def.tets = tets;
    def.tet_count = has_tets ? fill_tets(solid, tets) : 0;
    return abut_mesh_create(context, &def, mesh, error);
}

/// The ratio to try after one with which tetgen did not end.
static double next_ratio(double ratio)
{
    for (int i = 0; i < RATIO_COUNT; ++i) {
        if (RATIOS[i] > ratio) {
            return RATIOS[i];
        }
    }
    return 2.0 * ratio;
}

static abut_status create_fine(const abut_context *context, const abut_scene_solid *solid,
                               const abut_scene_mesh_params *params, abut_mesh **mesh, abut_error *error)
{
    abut_mesh *surface = NULL;
    abut_status status = create_coarse(context, solid, 0, &surface, error);
    if (status != ABUT_OK) {
        return status;
    }
    char ratio[ABUT_LAB_NUMBER_ROOM], volume[ABUT_LAB_NUMBER_ROOM], switches[2 * ABUT_LAB_NUMBER_ROOM + 8];
    abut_lab_print_number(params->ratio, ratio);
    abut_lab_print_number(FINE_VOLUMES[solid->is_round] * params->scale * params->scale * params->scale, volume);
    (void)snprintf(switches, sizeof switches, "pq%sa%sQ", ratio, volume);
    abut_tetgen_params tetgen = abut_tetgen_params_default();
    tetgen.switches = switches;
    tetgen.seconds = params->seconds;
    status = abut_tetrahedralize(context, surface, &tetgen, mesh, error);
    abut_mesh_destroy(surface);
    if (status == ABUT_LIMIT) {
        return abut_fail(error, ABUT_LIMIT, "tetgen did not end within %g s at quality ratio %g: try a ratio of %g",
                         params->seconds, params->ratio, next_ratio(params->ratio));
    }
    return status;
}

abut_status abut_scene_mesh_create(const abut_context *context, const abut_scene_solid *solid,
                                   const abut_scene_mesh_params *params, abut_mesh **mesh, abut_error *error)
{
    abut_scene_solid made = *solid;
    if (params->outset != 0.0) {
        move_outward(&made, params->outset);
    }
    for (int i = 0; i < made.vertex_count; ++i) {
        made.vertices[i] = abut_scale(params->scale, made.vertices[i]);
    }
    return params->ratio == 0.0 ? create_coarse(context, &made, 1, mesh, error)
                                : create_fine(context, &made, params, mesh, error);
}
