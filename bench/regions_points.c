// SPDX-License-Identifier: MIT
// regions_points.c: scenes that touch in one point or in few: tips of many faces, saddles, and L-shaped bodies
#include "regions_points.h"

#include "torus.h"

#include <abut-lab/case.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

// A cone of `count` faces with its tip at the origin and its base at height `up`, turned by a share of a face.
static int make_cone(int count, double up, double share, abut_mesh **mesh)
{
    size_t n = (size_t)count;
    abut_vec3 *vertices = malloc((n + 2) * sizeof *vertices);
    int *triangles = malloc(6 * n * sizeof *triangles);
    int done = vertices != NULL && triangles != NULL ? 1 : bench_fail("out of memory");
    for (int i = 0; done && i < count; ++i) {
        double angle = turn * (i + share) / count;
        int next = (i + 1) % count, from = up > 0.0 ? next : i, to = up > 0.0 ? i : next;
        const int both[6] = {count, from, to, count + 1, to, from};
        vertices[i] = abut_vec3_make(0.5 * cos(angle), 0.5 * sin(angle), up);
        memcpy(triangles + 6 * i, both, sizeof both);
    }
    if (done) {
        vertices[count] = abut_vec3_make(0.0, 0.0, 0.0);
        vertices[count + 1] = abut_vec3_make(0.0, 0.0, up);
        abut_mesh_def def = bench_triangle_def(vertices, count + 2, triangles, 2 * count);
        abut_error error;
        done = abut_mesh_create(NULL, &def, mesh, &error) == ABUT_OK || bench_fail("%s", error.text);
    }
    free(triangles);
    free(vertices);
    return done;
}

double regions_points_tips(regions_scene *s, int size)
{
    return make_cone(size, -1.0, 0.0, &s->meshes[0]) && make_cone(size, 1.0, 0.5, &s->meshes[1]) ? size : 0.0;
}

double regions_points_apex(regions_scene *s, int size)
{
    static const int box[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    abut_vec3 slab[8];
    for (int i = 0; i < 8; ++i) {
        slab[i] = abut_vec3_make(i & 1 ? 2.1 : -1.9, i & 2 ? 1.8 : -2.2, i & 4 ? 0.0 : -1.0);
    }
    abut_mesh_def def = bench_triangle_def(slab, 8, box, 12);
    abut_error error;
    int done = abut_mesh_create(NULL, &def, &s->meshes[0], &error) == ABUT_OK || bench_fail("%s", error.text);
    return done && make_cone(size, 1.0, 0.25, &s->meshes[1]) ? size : 0.0;
}

double regions_points_saddles(regions_scene *s, int size)
{
    static const char *const names[] = {"saddles-2", "saddles-3", "saddles-4", "saddles-5", "saddles-6"};
    abut_case *saddles = NULL;
    abut_error error;
    if (abut_case_create(NULL, names[size - 2], NULL, &saddles, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    const abut_mesh *const from[2] = {saddles->a.mesh, saddles->b.mesh};
    int done = 1;
    for (int i = 0; done && i < 2; ++i) {
        abut_mesh_elements elements = abut_mesh_get_elements(from[i]);
        abut_mesh_def def = bench_triangle_def(elements.vertices, elements.vertex_count, elements.triangles,
                                               elements.triangle_count);
        done = abut_mesh_create(NULL, &def, &s->meshes[i], &error) == ABUT_OK || bench_fail("%s", error.text);
    }
    s->pair.a.pose = saddles->a.pose;
    s->pair.b.pose = saddles->b.pose;
    abut_case_destroy(saddles);
    return done ? size : 0.0;
}

// A prism over an L of width 2 and height 1.
static int make_l(abut_mesh **mesh)
{
    static const double corners[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const int cap[12] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5};
    abut_vec3 vertices[12];
    int triangles[60], used = 0;
    for (int i = 0; i < 6; ++i) {
        int next = (i + 1) % 6;
        const int wall[6] = {i, next, 6 + next, i, 6 + next, 6 + i};
        vertices[i] = abut_vec3_make(corners[i][0], corners[i][1], 0.0);
        vertices[6 + i] = abut_vec3_make(corners[i][0], corners[i][1], 1.0);
        memcpy(triangles + used, wall, sizeof wall);
        used += 6;
    }
    for (int i = 0; i < 12; i += 3) {
        const int both[6] = {6 + cap[i], 6 + cap[i + 1], 6 + cap[i + 2], cap[i], cap[i + 2], cap[i + 1]};
        memcpy(triangles + used, both, sizeof both);
        used += 6;
    }
    abut_mesh_def def = bench_triangle_def(vertices, 12, triangles, used / 3);
    abut_error error;
    return abut_mesh_create(NULL, &def, mesh, &error) == ABUT_OK || bench_fail("%s", error.text);
}

double regions_points_turned_l(regions_scene *s, int size)
{
    int done = make_l(&s->meshes[0]);
    s->meshes[1] = s->meshes[0];
    s->pair.b.pose = abut_pose_make(abut_vec3_make(2.0, 0.0, 1.0),
                                    abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), 0.25 * turn));
    return done ? size : 0.0;
}

double regions_points_l_beside(regions_scene *s, int size)
{
    int done = make_l(&s->meshes[0]);
    s->meshes[1] = s->meshes[0];
    s->pair.b.pose.position = abut_vec3_make(2.0, 0.0, 0.0);
    return done ? size : 0.0;
}
