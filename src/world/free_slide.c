// SPDX-License-Identifier: MIT
// free_slide.c: contacts of convex bodies that do not stop a motion that is free
//
// A query gives one normal along which two bodies are apart now. Beside an edge other normals may
// separate them as well: a box that slides on one tile towards the next, flush one, is apart from it along its motion,
// and level with it across. Each plane between two convex bodies keeps them apart, but the first one stops the box. So a
// normal that the motion would run into is exchanged for that of a face beside the contact that separates the bodies now
// and at the end of the time that the query looks ahead, if there is one. A step that sticks out by more than the
// tolerance has no such face, and is hit.
//
// Cost: the faces at the features of the contact, times a climb to the furthest vertex of each body.
#include "world/world.h"

/// Times the tolerance: bodies that overlap by less along a normal count as separated by it.
static const double slack = 2.0;

/// A body now and at the end of the time that the query looks ahead.
typedef struct moving_body {
    const abut_convex *convex;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    abut_pose poses[2];
} moving_body;

static moving_body moving_body_of(const abut_side *side, const abut_convex *convex, double time)
{
    moving_body made = {.convex = convex,
                        .elements = abut_mesh_get_elements(abut_shape_mesh(side->shape)),
                        .topology = abut_mesh_get_topology(abut_shape_mesh(side->shape)),
                        .poses = {side->pose, abut_world_pose_after(side, time)}};
    return made;
}

/// The largest extent of a body along a direction of the world, in one of its poses.
static double extent_along(const moving_body *body, int when, abut_vec3 direction)
{
    abut_pose pose = body->poses[when];
    abut_vec3 local = abut_quat_rotate(abut_quat_conjugate(pose.rotation), direction);
    abut_vec3 furthest = abut_convex_vertex(body->convex, abut_convex_support(body->convex, local), NULL);
    return abut_dot(local, furthest) + abut_dot(direction, pose.position);
}

/// How far the bodies are apart along a normal that turns with one of them.
static double separation(const moving_body bodies[2], int when, abut_vec3 outward, int giver)
{
    abut_vec3 normal = abut_quat_rotate(bodies[giver].poses[when].rotation, outward);
    return -extent_along(&bodies[1 - giver], when, abut_negate(normal)) -
           extent_along(&bodies[giver], when, normal);
}

static abut_vec3 triangle_normal(const moving_body *body, int triangle)
{
    const int *corners = body->elements.triangles + 3 * (size_t)triangle;
    abut_vec3 p = body->elements.vertices[corners[0]];
    return abut_unit(abut_cross(abut_sub(body->elements.vertices[corners[1]], p),
                                abut_sub(body->elements.vertices[corners[2]], p)));
}

/// The triangles at a vertex or edge.
static const int *triangles_at(const moving_body *body, abut_feature feature, int *count)
{
    const abut_mesh_topology *topology = &body->topology;
    const int *offsets =
        feature.kind == ABUT_FEATURE_VERTEX ? topology->vertex_triangle_offsets : topology->edge_triangle_offsets;
    const int *triangles =
        feature.kind == ABUT_FEATURE_VERTEX ? topology->vertex_triangles : topology->edge_triangles;
    *count = 0;
    if (feature.kind != ABUT_FEATURE_VERTEX && feature.kind != ABUT_FEATURE_EDGE) {
        return NULL;
    }
    *count = offsets[feature.index + 1] - offsets[feature.index];
    return triangles + offsets[feature.index];
}

/// A face beside a contact that separates the bodies.
typedef struct free_face {
    double later; ///< how far the bodies are apart along its normal at the end of the time
    int giver, triangle;
    abut_vec3 normal; ///< from A to B, now
} free_face;

/// Finds the face that separates the bodies most at the end of the time, and also now. `triangle` is -1 if none does.
static free_face find_free_face(const moving_body bodies[2], const abut_contact *c, double least)
{
    free_face best = {.later = least, .triangle = -1};
    for (int giver = 0; giver < 2; ++giver) {
        int count;
        const int *triangles = triangles_at(&bodies[giver], giver == 0 ? c->feature_a : c->feature_b, &count);
        for (int i = 0; i < count; ++i) {
            abut_vec3 outward = triangle_normal(&bodies[giver], triangles[i]);
            double later = separation(bodies, 1, outward, giver);
            if (later > best.later && separation(bodies, 0, outward, giver) >= least) {
                abut_vec3 normal = abut_quat_rotate(bodies[giver].poses[0].rotation, outward);
                best = (free_face){later, giver, triangles[i], giver == 0 ? normal : abut_negate(normal)};
            }
        }
    }
    return best;
}

/// The speed at which the points of a contact part along its normal.
static double speed_of(const abut_pair *pair, const abut_contact *c)
{
    const abut_side *a = &pair->a, *b = &pair->b;
    abut_vec3 velocity_a =
        abut_add(a->linear_velocity, abut_cross(a->angular_velocity, abut_sub(c->position_a, a->pose.position)));
    abut_vec3 velocity_b =
        abut_add(b->linear_velocity, abut_cross(b->angular_velocity, abut_sub(c->position_b, b->pose.position)));
    return abut_dot(c->normal, abut_sub(velocity_b, velocity_a));
}

void abut_world_free_slide(const abut_pair *pair, const abut_pair_answer *answer, abut_contact *c)
{
    double time = answer->slide_time, least = -slack * answer->tolerance;
    if (c->gap < least || c->gap + time * speed_of(pair, c) >= least) {
        return; // they overlap, or do not run into each other
    }
    const moving_body bodies[2] = {moving_body_of(&pair->a, answer->convex[0], time),
                                   moving_body_of(&pair->b, answer->convex[1], time)};
    free_face face = find_free_face(bodies, c, least);
    if (face.triangle >= 0) {
        c->normal = face.normal;
        c->gap = abut_dot(c->normal, abut_sub(c->position_b, c->position_a));
        c->normal_speed = speed_of(pair, c);
        c->rule = ABUT_RULE_VELOCITY;
        c->normal_side = face.giver == 0 ? ABUT_NORMAL_A : ABUT_NORMAL_B;
        c->normal_feature = abut_feature_face(bodies[face.giver].elements.triangle_faces[face.triangle]);
    }
}
