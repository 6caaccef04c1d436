// SPDX-License-Identifier: MIT
// path_plane.c: planes that keep two bodies apart while they move
//
// Most bodies that are near each other stay on two sides of the plane of their contact, and then need no sweep. The plane
// turns with the body whose face it is, or with an edge of each. The distance f of a vertex from it is a smooth function of
// time. It is found at the beginning, the middle and the end of a piece of time; the parabola through these values is off by
// at most max |f'''| h^3 / (72 sqrt 3) for a length h. Pieces are so short that this is a part of what is allowed.
//
// Cost: linear in the vertices. A body with many is left to the sweep.
#include "world/path_plane.h"

#include <abut/math.h>

/// Bodies with more vertices, times of more pieces, and edges at a smaller angle (its sine) are left to the sweep.
enum { VERTICES_MOST = 256, PIECES_MOST = 8 };
static const double least_sine = 0.1;
/// Of the depth that is allowed: the error of the parabolas.
static const double error_share = 0.25;

/// A plane of a face of A or of B, or of a direction that turns with it.
static abut_path_plane turning_plane(abut_normal_side side, abut_vec3 normal)
{
    return (abut_path_plane){.side = side, .normal = normal};
}

/// The outward normal of a face, in the frame of its body; zero if it has no area.
static abut_vec3 face_normal(const abut_mesh_elements *mesh, int face)
{
    const int *corners = mesh->face_vertices + mesh->face_offsets[face];
    abut_vec3 sum = {0.0, 0.0, 0.0}, origin = mesh->vertices[corners[0]];
    int count = mesh->face_offsets[face + 1] - mesh->face_offsets[face];
    for (int i = 1; i + 1 < count; ++i) {
        sum = abut_add(sum, abut_cross(abut_sub(mesh->vertices[corners[i]], origin),
                                       abut_sub(mesh->vertices[corners[i + 1]], origin)));
    }
    return abut_unit(sum);
}

/// The plane along an edge of each body. Returns 0 if they are nearly parallel.
static int edge_plane(const abut_contact *contact, const abut_mesh_elements meshes[2], const abut_pose poses[2],
                      abut_path_plane *plane)
{
    const abut_feature *features[2] = {&contact->feature_a, &contact->feature_b};
    abut_vec3 edges[2];
    *plane = (abut_path_plane){.side = ABUT_NORMAL_BOTH};
    for (int i = 0; i < 2; ++i) {
        if (features[i]->kind != ABUT_FEATURE_EDGE || features[i]->vertices[0] < 0) {
            return 0;
        }
        const abut_vec3 *vertices = meshes[i].vertices;
        abut_vec3 from = vertices[features[i]->vertices[0]], to = vertices[features[i]->vertices[1]];
        plane->edges[i] = abut_unit(abut_sub(to, from));
        edges[i] = abut_quat_rotate(poses[i].rotation, plane->edges[i]);
        plane->point = i == 0 ? from : plane->point;
    }
    double along = abut_dot(abut_cross(edges[0], edges[1]), contact->normal);
    plane->edges[0] = along < 0.0 ? abut_negate(plane->edges[0]) : plane->edges[0];
    return fabs(along) >= least_sine;
}

int abut_path_planes_of(const abut_contact *contact, const abut_mesh_elements meshes[2], const abut_pose poses[2],
                        abut_path_plane planes[ABUT_PATH_PLANES])
{
    int count = 0;
    if (contact->feature_a.kind == ABUT_FEATURE_FACE) {
        planes[count++] = turning_plane(ABUT_NORMAL_A, face_normal(&meshes[0], contact->feature_a.index));
    }
    if (contact->feature_b.kind == ABUT_FEATURE_FACE) {
        abut_vec3 normal = face_normal(&meshes[1], contact->feature_b.index);
        planes[count++] = turning_plane(ABUT_NORMAL_B, abut_negate(normal));
    }
    count += edge_plane(contact, meshes, poses, &planes[count]);
    for (int i = 0; i < 2; ++i) {
        abut_normal_side side = i == 0 ? ABUT_NORMAL_A : ABUT_NORMAL_B;
        if (contact->normal_side == side || (contact->normal_side == ABUT_NORMAL_BOTH && count == 0)) {
            abut_quat back = abut_quat_conjugate(poses[i].rotation);
            planes[count++] = turning_plane(side, abut_quat_rotate(back, contact->normal));
        }
    }
    return count;
}

/// The distances of the vertices of a body from a plane at one time: base + along . (vertex - center).
typedef struct distances {
    double base;
    abut_vec3 along;
    double scale; ///< the length of the normal
} distances;

/// The motion of a plane, with what is beyond it.
typedef struct moving_plane {
    const abut_path_plane *plane;
    const abut_path_side *own, *other; ///< the body that the plane turns with; that with the vertices
    double sign;                       ///< 1: the normal leads from `own` to `other`
    double reach;                      ///< of `own` along the normal
} moving_plane;

static abut_vec3 center_at(const abut_motion *motion, double time)
{
    return abut_add_scaled(abut_pose_apply(motion->pose, motion->center), time, motion->linear_velocity);
}

/// The distances of the vertices of `other` from a plane that turns with `own`.
static distances from_face(const moving_plane *m, double time)
{
    const abut_motion *own = &m->own->motion, *other = &m->other->motion;
    abut_vec3 normal = abut_quat_rotate(abut_motion_pose(own, time).rotation, m->plane->normal);
    abut_vec3 between = abut_sub(center_at(other, time), center_at(own, time));
    abut_quat back = abut_quat_conjugate(abut_motion_pose(other, time).rotation);
    return (distances){m->sign * abut_dot(normal, between) - m->reach,
                       abut_scale(m->sign, abut_quat_rotate(back, normal)), 1.0};
}

/// The distances of the vertices of A or of B (`other`; `own` is A) from a plane through an edge of A and along one of B.
static distances from_edges(const moving_plane *m, const abut_path_side *b, double time)
{
    const abut_motion *of_a = &m->own->motion, *other = &m->other->motion;
    abut_quat turn_a = abut_motion_pose(of_a, time).rotation, turn_b = abut_motion_pose(&b->motion, time).rotation;
    abut_vec3 normal =
        abut_cross(abut_quat_rotate(turn_a, m->plane->edges[0]), abut_quat_rotate(turn_b, m->plane->edges[1]));
    abut_vec3 edge = abut_quat_rotate(turn_a, abut_sub(m->plane->point, of_a->center));
    abut_vec3 between = abut_sub(abut_sub(center_at(other, time), center_at(of_a, time)), edge);
    abut_quat back = abut_quat_conjugate(m->other == m->own ? turn_a : turn_b);
    return (distances){m->sign * abut_dot(normal, between), abut_scale(m->sign, abut_quat_rotate(back, normal)),
                       abut_norm(normal)};
}

static distances distances_at(const moving_plane *m, const abut_path_side *b, double time)
{
    return m->plane->side == ABUT_NORMAL_BOTH ? from_edges(m, b, time) : from_face(m, time);
}

static double distance_of(const distances *d, const abut_path_side *body, int vertex)
{
    return d->base + abut_dot(d->along, abut_sub(body->vertices[vertex], body->motion.center));
}

/// The least value of the parabola through three values at equal distances.
static double least_of_parabola(double first, double middle, double last)
{
    double slope = 4.0 * middle - 3.0 * first - last, bend = 2.0 * (first - 2.0 * middle + last);
    double least = fmin(first, last);
    if (bend > 0.0 && slope < 0.0 && -slope < 2.0 * bend) {
        least = fmin(least, first - 0.25 * slope * slope / bend);
    }
    return least;
}

/// Bounds of the first and third derivative of all distances. With n the normal and d the way from the plane to a vertex,
/// (n.d)''' = n'''.d + 3 n''.d' + 3 n'.d'' + n.d''', and n turns at most as fast as the bodies that it depends on. Returns the bound of
/// |n'|.
static double find_bounds(const moving_plane *m, const abut_path_side *b, double duration, double *first,
                          double *third)
{
    const abut_motion *own = &m->own->motion, *other = &b->motion;
    int is_face = m->plane->side != ABUT_NORMAL_BOTH;
    other = is_face ? &m->other->motion : other;
    double own_rate = abut_norm(own->angular_velocity), rate = abut_norm(other->angular_velocity);
    double own_reach = is_face ? 0.0 : m->own->reach, reach = is_face ? m->other->reach : b->reach;
    double speed = abut_norm(abut_sub(other->linear_velocity, own->linear_velocity));
    double turn = is_face ? own_rate : own_rate + rate;
    double far =
        abut_norm(abut_sub(center_at(other, 0.0), center_at(own, 0.0))) + speed * duration + reach + own_reach;
    double d1 = speed + rate * reach + own_rate * own_reach;
    double d2 = rate * rate * reach + own_rate * own_rate * own_reach;
    double d3 = rate * rate * rate * reach + own_rate * own_rate * own_rate * own_reach;
    *first = turn * far + d1;
    *third = turn * turn * turn * far + 3.0 * turn * turn * d1 + 3.0 * turn * d2 + d3;
    return turn;
}

/// Whether the vertices of `other` stay beyond a plane.
static int stays_beyond(const moving_plane *m, const abut_path_side *b, double duration, double level,
                        double deepest)
{
    const double error_factor = 1.0 / (72.0 * sqrt(3.0));
    const abut_path_side *body = m->other;
    double first, third, values[3][VERTICES_MOST], lowest = HUGE_VAL;
    int near[VERTICES_MOST], near_count = 0;
    double turn = find_bounds(m, b, duration, &first, &third);
    distances at = distances_at(m, b, 0.0);
    // the normal of two edges gets shorter if they turn, and so do the distances along it: what is allowed is that at the
    // shortest one
    double scale = m->plane->side == ABUT_NORMAL_BOTH ? at.scale - turn * duration : 1.0;
    if (!(scale > 0.0)) {
        return 0;
    }
    double error = error_share * fabs(level) * scale;
    double pieces = ceil(cbrt(error_factor * third * duration * duration * duration / error));
    if (!(pieces <= PIECES_MOST)) {
        return 0;
    }
    for (int i = 0; i < body->count; ++i) {
        double distance = distance_of(&at, body, i);
        lowest = fmin(lowest, distance);
        if (distance < first * duration) { // others do not get to the plane
            near[near_count] = i;
            values[0][near_count++] = distance;
        }
    }
    lowest /= at.scale;
    if (lowest < deepest) {
        return 0;
    }
    double least = (fmin(lowest, 0.0) + level) * scale + error;
    int count = pieces > 1.0 ? (int)pieces : 1;
    for (int piece = 0; piece < count && near_count > 0; ++piece) {
        for (int k = 1; k < 3; ++k) {
            at = distances_at(m, b, duration * (piece + 0.5 * k) / count);
            for (int i = 0; i < near_count; ++i) {
                values[k][i] = distance_of(&at, body, near[i]);
            }
        }
        for (int i = 0; i < near_count; ++i) {
            if (!(least_of_parabola(values[0][i], values[1][i], values[2][i]) >= least)) {
                return 0;
            }
            values[0][i] = values[2][i];
        }
    }
    return 1;
}

int abut_path_plane_holds(const abut_path_plane *plane, const abut_path_side *a, const abut_path_side *b,
                          double duration, double level, double deepest)
{
    if (a->count > VERTICES_MOST || b->count > VERTICES_MOST || !(level < 0.0)) {
        return 0;
    }
    if (plane->side == ABUT_NORMAL_BOTH) {
        moving_plane below = {.plane = plane, .own = a, .other = a, .sign = -1.0}, above = {plane, a, b, 1.0, 0.0};
        // each body gets half of what is allowed
        return stays_beyond(&above, b, duration, 0.5 * level, deepest) &&
               stays_beyond(&below, b, duration, 0.5 * level, 0.5 * level);
    }
    int is_a = plane->side == ABUT_NORMAL_A;
    moving_plane m = {.plane = plane, .own = is_a ? a : b, .other = is_a ? b : a, .sign = is_a ? 1.0 : -1.0};
    m.reach = -HUGE_VAL;
    for (int i = 0; i < m.own->count; ++i) {
        m.reach =
            fmax(m.reach, m.sign * abut_dot(plane->normal, abut_sub(m.own->vertices[i], m.own->motion.center)));
    }
    return stays_beyond(&m, b, duration, level, deepest);
}
