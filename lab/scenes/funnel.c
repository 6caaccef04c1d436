// SPDX-License-Identifier: MIT
// funnel.c: jacks that fall through a funnel: bodies that are not convex
//
// The funnel is a solid of revolution with a wall. A jack is three crossing bars with a knob at each of the six ends.
// Both meshes are ours. As in the author's program of Erleben 2018, the funnel is 20 wide, jacks are 0.9 large and
// start 1 apart, and overlapping bodies are pushed apart.
#include "scenes/buildings.h"

#include "common/lab_random.h"
#include "common/lab_support.h"
#include "scenes/masonry.h"

#include <math.h>

enum {
    SLICES = 24,
    CORNERS = 6, ///< of the funnel's section
    ARMS = 6,
    RINGS = 3, ///< of an arm, beyond the cube in the middle
    JACK_VERTICES = 8 + ARMS * RINGS * 4,
    JACK_QUADS = ARMS * (4 * RINGS + 1),
    JACKS_X = 5,
    JACKS_Y = 4
};

/// Radius and height of the section's corners, counter-clockwise with the radius to the right: down the inside, up the
/// outside.
static const double SECTION[CORNERS][2] = {{9.5, 14.0}, {2.0, 6.5}, {2.0, 4.0},
                                           {2.5, 4.0},  {2.5, 6.3}, {10.0, 13.8}};

static const double BAR = 0.07;                            ///< half the thickness of a bar
static const double RING_AT[RINGS] = {0.26, 0.34, 0.45};   ///< from the middle
static const double RING_HALF[RINGS] = {0.07, 0.13, 0.09}; ///< half the width there
static const double JACK_PITCH = 1.0, JACK_HEIGHT = 11.0;  ///< of the lowest ones
static const double TURNS[3] = {0.7548776662466927, 0.5698402909980532,
                                0.4}; ///< of jacks, so that no two lie alike

static int add_faces(abut_setup_builder *b, const char *name, const abut_mesh_def *def)
{
    abut_mesh *mesh = NULL;
    if (b->status == ABUT_OK) {
        b->status = abut_mesh_create(&b->context, def, &mesh, b->error);
    }
    return b->status == ABUT_OK ? abut_setup_add_mesh(b, name, mesh) : -1;
}

// ---------------------------------------------------------------------------------------------------------------
// The funnel

/// Sides are flat trapezoids of two triangles each.
static int add_funnel_mesh(abut_setup_builder *b)
{
    abut_vec3 vertices[SLICES * CORNERS];
    int offsets[2 * SLICES * CORNERS + 1], triangles[6 * SLICES * CORNERS], count = 0;
    for (int i = 0; i < SLICES; ++i) {
        double angle = 2.0 * ABUT_LAB_PI * i / SLICES;
        for (int k = 0; k < CORNERS; ++k) {
            double r = SECTION[k][0];
            vertices[i * CORNERS + k] = abut_vec3_make(r * cos(angle), SECTION[k][1], -r * sin(angle));
            int next = (i + 1) % SLICES * CORNERS, here = i * CORNERS, up = (k + 1) % CORNERS;
            const int corners[6] = {here + k, next + k, next + up, here + k, next + up, here + up};
            for (int c = 0; c < 6; ++c) {
                triangles[3 * count + c] = corners[c];
            }
            count += 2;
        }
    }
    for (int i = 0; i <= count; ++i) {
        offsets[i] = 3 * i;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = SLICES * CORNERS;
    def.face_offsets = offsets;
    def.face_vertices = triangles;
    def.face_count = count;
    return add_faces(b, "funnel", &def);
}

// ---------------------------------------------------------------------------------------------------------------
// Jacks

/// An arm points along an axis, to one side. Its rings have the corners (-, -), (+, -), (+, +), (-, +) in the two
/// other axes, in counter-clockwise order seen from its end.
typedef struct arm_frame {
    abut_vec3 along, first, second;
} arm_frame;

static arm_frame frame_of(int arm)
{
    const abut_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    int axis = arm / 2;
    double sign = arm % 2 == 0 ? 1.0 : -1.0;
    arm_frame frame = {abut_scale(sign, axes[axis]), axes[(axis + 1) % 3], abut_scale(sign, axes[(axis + 2) % 3])};
    return frame;
}

static abut_vec3 ring_corner(const arm_frame *frame, int corner, double at, double half)
{
    double u = corner == 1 || corner == 2 ? half : -half, v = corner >= 2 ? half : -half;
    abut_vec3 p = abut_scale(at, frame->along);
    return abut_add_scaled(abut_add_scaled(p, u, frame->first), v, frame->second);
}

/// A corner of the cube in the middle: one bit for each axis.
static int cube_corner(const arm_frame *frame, int corner)
{
    abut_vec3 p = ring_corner(frame, corner, 1.0, 1.0);
    return (p.x > 0.0) + 2 * (p.y > 0.0) + 4 * (p.z > 0.0);
}

/// The vertex of a ring; ring 0 is on the cube.
static int ring_vertex(const arm_frame *frame, int arm, int ring, int corner)
{
    return ring == 0 ? cube_corner(frame, corner) : 8 + (arm * RINGS + ring - 1) * 4 + corner;
}

static int add_jack_mesh(abut_setup_builder *b)
{
    abut_vec3 vertices[JACK_VERTICES];
    int offsets[JACK_QUADS + 1], corners[4 * JACK_QUADS], count = 0;
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1 ? BAR : -BAR, i & 2 ? BAR : -BAR, i & 4 ? BAR : -BAR);
    }
    for (int arm = 0; arm < ARMS; ++arm) {
        arm_frame frame = frame_of(arm);
        for (int ring = 1; ring <= RINGS; ++ring) {
            for (int c = 0; c < 4; ++c) {
                int next = (c + 1) % 4, *quad = &corners[4 * count++];
                vertices[ring_vertex(&frame, arm, ring, c)] =
                    ring_corner(&frame, c, RING_AT[ring - 1], RING_HALF[ring - 1]);
                quad[0] = ring_vertex(&frame, arm, ring - 1, c);
                quad[1] = ring_vertex(&frame, arm, ring - 1, next);
                quad[2] = ring_vertex(&frame, arm, ring, next);
                quad[3] = ring_vertex(&frame, arm, ring, c);
            }
        }
        for (int c = 0; c < 4; ++c) {
            corners[4 * count + c] = ring_vertex(&frame, arm, RINGS, c);
        }
        ++count;
    }
    for (int i = 0; i <= count; ++i) {
        offsets[i] = 4 * i;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = JACK_VERTICES;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = count;
    return add_faces(b, "jack", &def);
}

/// A rotation for each jack, spread over all rotations.
static abut_quat jack_turn(int number)
{
    double shares[3];
    for (int i = 0; i < 3; ++i) {
        shares[i] = fmod((number + 1) * TURNS[i] + (i == 2 ? 0.1 * shares[0] : 0.0), 1.0);
    }
    return abut_lab_rotation(shares);
}

void abut_funnel_add(abut_setup_builder *b)
{
    abut_masonry_ground(b, 30.0);
    abut_setup_body funnel = {.mesh = add_funnel_mesh(b),
                              .material = ABUT_MASONRY_STONE,
                              .pose = abut_pose_identity(),
                              .is_fixed = 1,
                              .name = "funnel"};
    (void)abut_setup_add_body(b, &funnel);
    int mesh = add_jack_mesh(b);
    for (int i = 0; i < JACKS_X * JACKS_Y * JACKS_X; ++i) {
        double x = i % JACKS_X - 0.5 * (JACKS_X - 1), z = i / JACKS_X % JACKS_X - 0.5 * (JACKS_X - 1);
        int layer = i / (JACKS_X * JACKS_X);
        abut_vec3 at = abut_vec3_make(JACK_PITCH * x, JACK_HEIGHT + JACK_PITCH * layer, JACK_PITCH * z);
        abut_masonry_stone(b, "jack", i, mesh, abut_pose_make(at, jack_turn(i)));
    }
    if (b->status == ABUT_OK) {
        // gently: if an arm has passed right through another one, contacts push on both sides of it
        b->setup->stabilisation.is_on = 1;
        b->setup->stabilisation.share = 0.2;
        b->setup->stabilisation.speed_limit = 0.08; // below a thousandth of a jack in a step
        b->setup->gap_rule = ABUT_GAP_POSITIVE;
        b->setup->has_sleep = 1;
    }
}
