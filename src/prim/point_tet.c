// SPDX-License-Identifier: MIT
// point_tet.c: the point of a solid tetrahedron nearest to a given point
#include "prim/point_tet.h"
#include "prim/pick.h"
#include "prim/point_triangle.h"
#include "prim/tet_tet.h"

#include <abut/predicates.h>

static int is_inside(abut_vec3 p, const abut_vec3 tet[4])
{
    int turn;
    (void)abut_orient3d(tet[0], tet[1], tet[2], tet[3], &turn); // the sign is 0 if the input is out of range
    for (int i = 0; i < 4 && turn != 0; ++i) {
        int side;
        abut_status status = abut_orient3d(tet[abut_tet_faces[i][0]], tet[abut_tet_faces[i][1]],
                                           tet[abut_tet_faces[i][2]], p, &side);
        if (status != ABUT_OK || side * turn > 0) {
            return 0;
        }
    }
    return turn != 0;
}

static void inside_weights(abut_vec3 p, const abut_vec3 tet[4], double weights[4])
{
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        abut_vec3 a = abut_sub(tet[abut_tet_faces[i][0]], p), b = abut_sub(tet[abut_tet_faces[i][1]], p),
                  c = abut_sub(tet[abut_tet_faces[i][2]], p);
        weights[i] = fabs(abut_dot(a, abut_cross(b, c)));
        sum += weights[i];
    }
    for (int i = 0; i < 4; ++i) {
        weights[i] = sum > 0.0 ? weights[i] / sum
                               : 0.25; // the volume underflows: the tetrahedron is tiny, any point will do
    }
}

static double border_distance_squared(abut_vec3 p, const abut_vec3 tet[4], double weights[4])
{
    double squared[4], excess[4], tries[4][4];
    for (int i = 0; i < 4; ++i) {
        const int *face = abut_tet_faces[i];
        const abut_vec3 triangle[3] = {tet[face[0]], tet[face[1]], tet[face[2]]};
        double face_weights[3];
        squared[i] = abut_point_triangle_distance_squared(p, triangle, face_weights);
        tries[i][i] = 0.0;
        for (int k = 0; k < 3; ++k) {
            tries[i][face[k]] = face_weights[k];
        }
        abut_vec3 nearest = abut_tet_point(tet, tries[i]);
        excess[i] = 0.0;
        for (int k = 0; k < 4; ++k) {
            excess[i] = fmax(excess[i], abut_dot(abut_sub(tet[k], nearest), abut_sub(p, nearest)));
        }
    }
    int best = abut_pick_nearest(squared, excess, 4);
    for (int i = 0; i < 4; ++i) {
        weights[i] = tries[best][i];
    }
    return squared[best];
}

double abut_point_tet_distance_squared(abut_vec3 p, const abut_vec3 tet[4], double weights[4])
{
    double border_squared = border_distance_squared(p, tet, weights);
    if (!is_inside(p, tet)) {
        return border_squared;
    }
    // In a flat tetrahedron the volumes are inaccurate, and the nearest border point is the better answer.
    double inner[4];
    inside_weights(p, tet, inner);
    if (abut_norm_squared(abut_sub(abut_tet_point(tet, inner), p)) < border_squared) {
        for (int i = 0; i < 4; ++i) {
            weights[i] = inner[i];
        }
    }
    return 0.0;
}
