// SPDX-License-Identifier: MIT
// motion_scenes.c: scenes of motion without friction
//
// `rings` is the example that Bouma and Vanecek 1993 (section 4) name as too hard for their first contact analysis;
// `tip`, `drift` and `stop` are our readings of their figures 1, 2 and 4, and `two-fingers` of figure 8. The first four
// go from event to event; the next ones show that bodies slide over seams and edges without a bounce, and the last three
// what happens where bodies meet. The y axis is up. Meshes and sizes are ours.
#include "scenes/motion_scenes.h"

#include "common/lab_support.h"
#include "scenes/masonry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RING_SLICES = 12, RING_CORNERS = 4, RAMP_CORNERS = 6 };

static int add_mesh(abut_setup_builder *b, const char *name, const abut_mesh_def *def)
{
    abut_mesh *mesh = NULL;
    if (b->status == ABUT_OK) {
        b->status = abut_mesh_create(&b->context, def, &mesh, b->error);
    }
    return b->status == ABUT_OK ? abut_setup_add_mesh(b, name, mesh) : -1;
}

static void add_body(abut_setup_builder *b, const char *name, int mesh, abut_pose pose, abut_vec3 velocity,
                     abut_vec3 spin, int is_fixed)
{
    abut_setup_body body = {
        .mesh = mesh, .pose = pose, .linear_velocity = velocity, .angular_velocity = spin, .is_fixed = is_fixed};
    (void)snprintf(body.name, sizeof body.name, "%s", name);
    (void)abut_setup_add_body(b, &body);
}

static void add_fixed(abut_setup_builder *b, const char *name, abut_vec3 size, abut_vec3 center)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    add_body(b, name, abut_masonry_box(b, name, size), abut_masonry_at(center.x, center.y, center.z), zero, zero,
             1);
}

/// A ring about the y axis with a rectangular section.
static int add_ring_mesh(abut_setup_builder *b)
{
    static const double section[RING_CORNERS][2] = {{0.8, -0.1}, {0.8, 0.1}, {1.0, 0.1}, {1.0, -0.1}};
    abut_vec3 vertices[RING_SLICES * RING_CORNERS];
    int offsets[RING_SLICES * RING_CORNERS + 1] = {0}, corners[4 * RING_SLICES * RING_CORNERS], count = 0;
    for (int i = 0; i < RING_SLICES; ++i) {
        double angle = 2.0 * ABUT_LAB_PI * i / RING_SLICES;
        int here = i * RING_CORNERS, next = (i + 1) % RING_SLICES * RING_CORNERS;
        for (int k = 0; k < RING_CORNERS; ++k) {
            double r = section[k][0];
            int up = (k + 1) % RING_CORNERS;
            const int quad[4] = {here + k, here + up, next + up, next + k};
            vertices[here + k] = abut_vec3_make(r * cos(angle), section[k][1], -r * sin(angle));
            memcpy(corners + 4 * count, quad, sizeof quad);
            ++count;
            offsets[count] = 4 * count;
        }
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = RING_SLICES * RING_CORNERS;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = count;
    return add_mesh(b, "ring", &def);
}

/// Two linked rings fall to the ground and tumble.
static void add_rings(abut_setup_builder *b)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    int mesh = add_ring_mesh(b);
    abut_pose upright = abut_masonry_at(0.0, 1.6, 0.0), flat = abut_masonry_at(0.9, 1.6, 0.0);
    upright.rotation = abut_quat_from_axis(abut_vec3_make(1.0, 0.0, 0.0), 0.5 * ABUT_LAB_PI);
    add_fixed(b, "ground", abut_vec3_make(20.0, 1.0, 20.0), abut_vec3_make(0.0, -0.5, 0.0));
    add_body(b, "ring-0", mesh, upright, zero, abut_vec3_make(0.3, 0.2, 0.5), 0);
    add_body(b, "ring-1", mesh, flat, zero, abut_vec3_make(0.1, -0.4, 0.7), 0);
}

/// A block slides over the edge of a table, tips, and falls to the ground.
static void add_tip(abut_setup_builder *b)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    add_fixed(b, "ground", abut_vec3_make(10.0, 1.0, 4.0), abut_vec3_make(0.0, -0.5, 0.0));
    add_fixed(b, "table", abut_vec3_make(3.0, 0.5, 2.0), abut_vec3_make(-1.5, 0.25, 0.0));
    add_body(b, "block", abut_masonry_box(b, "block", abut_vec3_make(1.0, 0.4, 0.6)),
             abut_masonry_at(-0.31, 0.7, 0.1), abut_vec3_make(0.7, 0.0, 0.0), zero, 0);
}

/// A block slides on a plate that turns about a horizontal axis: its contacts drift unless they are corrected.
static void add_drift(abut_setup_builder *b)
{
    const double spin = 0.5, at = 0.3,
                 height = 0.5; // of the plate; of the block's centre along it and above its axis
    const abut_vec3 turn = {0.0, 0.0, spin};
    int plate = abut_masonry_box(b, "plate", abut_vec3_make(8.0, 0.6, 2.0));
    add_body(b, "plate", plate, abut_masonry_at(0.0, 0.0, 0.0), abut_vec3_make(0.0, 0.0, 0.0), turn, 1);
    add_body(b, "block", abut_masonry_box(b, "block", abut_vec3_make(0.6, 0.4, 0.5)),
             abut_masonry_at(at, height, 0.1), abut_cross(turn, abut_vec3_make(at, height, 0.0)), turn, 0);
}

/// A block slides on a floor against the foot of a ramp of 45 degrees. Floor and ramp are one solid.
static void add_stop(abut_setup_builder *b)
{
    static const double profile[RAMP_CORNERS][2] = {{-3.0, -0.5}, {4.0, -0.5}, {4.0, 0.1},
                                                    {1.1, 0.1},   {1.0, 0.0},  {-3.0, 0.0}};
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    abut_vec3 vertices[2 * RAMP_CORNERS];
    int offsets[RAMP_CORNERS + 3] = {0, RAMP_CORNERS, 2 * RAMP_CORNERS}, corners[6 * RAMP_CORNERS];
    for (int i = 0; i < RAMP_CORNERS; ++i) {
        int next = (i + 1) % RAMP_CORNERS;
        const int quad[4] = {next, i, i + RAMP_CORNERS, next + RAMP_CORNERS};
        vertices[i] = abut_vec3_make(profile[i][0], profile[i][1], 1.0);
        vertices[i + RAMP_CORNERS] = abut_vec3_make(profile[i][0], profile[i][1], -1.0);
        corners[i] = i;
        corners[2 * RAMP_CORNERS - 1 - i] = i + RAMP_CORNERS;
        memcpy(corners + 2 * RAMP_CORNERS + 4 * i, quad, sizeof quad);
        offsets[i + 3] = 2 * RAMP_CORNERS + 4 * (i + 1);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2 * RAMP_CORNERS;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = RAMP_CORNERS + 2;
    add_body(b, "ramp", add_mesh(b, "ramp", &def), abut_masonry_at(0.0, 0.0, 0.0), zero, zero, 1);
    add_body(b, "block", abut_masonry_box(b, "block", abut_vec3_make(0.8, 0.6, 0.6)),
             abut_masonry_at(0.0, 0.3, 0.0), abut_vec3_make(2.0, 0.0, 0.0), zero, 0);
}

/// The block of figure 8 slides over two fingers, from the first to the second. It is longer than the gap.
static void add_two_fingers(abut_setup_builder *b)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        const char *name = i == 0 ? "finger-0" : "finger-1";
        add_fixed(b, name, abut_vec3_make(0.6, 1.0, 1.0), abut_vec3_make(1.0 * i, -0.5, 0.0));
    }
    add_body(b, "block", abut_masonry_box(b, "block", abut_vec3_make(1.4, 0.4, 0.6)),
             abut_masonry_at(0.2, 0.2, 0.05), abut_vec3_make(1.0, 0.0, 0.0), zero, 0);
}

/// A box slides over the seams of flush tiles.
static void add_seam(abut_setup_builder *b)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; ++i) {
        char name[24];
        (void)snprintf(name, sizeof name, "tile-%d", i);
        add_fixed(b, name, abut_vec3_make(1.0, 1.0, 3.0), abut_vec3_make(1.0 * i, -0.5, 0.0));
    }
    add_body(b, "box", abut_masonry_box(b, "box", abut_vec3_make(0.5, 0.5, 0.5)), abut_masonry_at(-0.2, 0.25, 0.03),
             abut_vec3_make(2.0, 0.0, 0.0), zero, 0);
}

/// A box slides to a cliff, tips over its edge and falls.
static void add_cliff_slide(abut_setup_builder *b)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    add_fixed(b, "cliff", abut_vec3_make(4.0, 1.0, 3.0), abut_vec3_make(-2.0, -0.5, 0.0));
    add_body(b, "box", abut_masonry_box(b, "box", abut_vec3_make(0.5, 0.5, 0.5)), abut_masonry_at(-0.6, 0.25, 0.0),
             abut_vec3_make(0.5, 0.0, 0.0), zero, 0);
}

/// A prism along x: its profile in y and z, counter-clockwise seen against x, from x = 0 to `length`.
static int add_prism_mesh(abut_setup_builder *b, const char *name, const double (*profile)[2], int count,
                          double length)
{
    enum { CORNERS = 7 };
    abut_vec3 vertices[2 * CORNERS];
    int offsets[CORNERS + 3] = {0, count, 2 * count}, corners[6 * CORNERS];
    for (int i = 0; i < count; ++i) {
        int next = (i + 1) % count;
        const int quad[4] = {i, next, next + count, i + count};
        vertices[i] = abut_vec3_make(length, profile[i][0], profile[i][1]);
        vertices[i + count] = abut_vec3_make(0.0, profile[i][0], profile[i][1]);
        corners[i] = count - 1 - i;
        corners[count + i] = count + i;
        memcpy(corners + 2 * count + 4 * i, quad, sizeof quad);
        offsets[i + 3] = 2 * count + 4 * (i + 1);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2 * count;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = count + 2;
    return add_mesh(b, name, &def);
}

/// A wedge slides along a groove that it fits, and out of its end.
static void add_groove(abut_setup_builder *b)
{
    static const double block[7][2] = {{-1.0, -1.0}, {-1.0, 1.0}, {0.0, 1.0}, {0.0, 0.5},
                                       {-0.5, 0.0},  {0.0, -0.5}, {0.0, -1.0}};
    static const double wedge[3][2] = {{0.0, 0.0}, {0.3, 0.3}, {0.3, -0.3}};
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    add_body(b, "block", add_prism_mesh(b, "block", block, 7, 3.0), abut_masonry_at(-3.0, 0.0, 0.0), zero, zero, 1);
    add_body(b, "wedge", add_prism_mesh(b, "wedge", wedge, 3, 0.8), abut_masonry_at(-1.2, -0.5, 0.0),
             abut_vec3_make(1.0, 0.0, 0.0), zero, 0);
}

/// Plates fly at a thin wall, at up to a thousand lengths a step.
static void add_bullets(abut_setup_builder *b)
{
    static const double speeds[] = {5.0, 25.0, 500.0, 20000.0};
    enum { BULLETS = sizeof speeds / sizeof speeds[0] };
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    int plate = abut_masonry_box(b, "plate", abut_vec3_make(0.2, 0.02, 0.1));
    add_fixed(b, "wall", abut_vec3_make(0.02, 8.0, 8.0), zero);
    for (int i = 0; i < BULLETS; ++i) {
        char name[24];
        (void)snprintf(name, sizeof name, "plate-%d", i);
        add_body(b, name, plate, abut_masonry_at(-1.5, 0.5 * i - 0.75, 0.0), abut_vec3_make(speeds[i], 0.0, 0.0),
                 zero, 0);
    }
}

/// Adds a cube of a material of its own, with this restitution.
static void add_bouncer(abut_setup_builder *b, const char *name, int mesh, abut_vec3 center, double restitution)
{
    abut_material bouncy = abut_material_default();
    bouncy.friction = 0.0;
    bouncy.restitution = restitution;
    abut_setup_body body = {.mesh = mesh,
                            .material = abut_setup_add_material(b, name, &bouncy),
                            .pose = abut_masonry_at(center.x, center.y, center.z)};
    (void)snprintf(body.name, sizeof body.name, "%s", name);
    (void)abut_setup_add_body(b, &body);
}

/// Three cubes fall from a height of 1, with restitution 0.5, 0.8 and 1.
static void add_bounce(abut_setup_builder *b)
{
    static const char *const names[] = {"e-0.5", "e-0.8", "e-1"};
    static const double restitutions[] = {0.5, 0.8, 1.0};
    add_fixed(b, "ground", abut_vec3_make(8.0, 1.0, 8.0), abut_vec3_make(0.0, -0.5, 0.0));
    int cube = abut_masonry_box(b, "cube", abut_vec3_make(0.5, 0.5, 0.5));
    for (int i = 0; i < 3; ++i) {
        add_bouncer(b, names[i], cube, abut_vec3_make(i - 1.0, 1.25, 0.0), restitutions[i]);
    }
}

/// Two rows of five boxes, a thousandth apart in the first and touching in the second. A sixth box hits each row.
static void add_cradle(abut_setup_builder *b)
{
    enum { BOXES = 6 };
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    add_fixed(b, "ground", abut_vec3_make(20.0, 1.0, 8.0), abut_vec3_make(0.0, -0.5, 0.0));
    int box = abut_masonry_box(b, "box", abut_vec3_make(0.5, 0.5, 0.5));
    for (int i = 0; i < 2 * BOXES; ++i) {
        char name[24];
        int row = i / BOXES, k = i % BOXES;
        double gap = row == 0 ? 1e-3 : 0.0, x = k == 0 ? -0.9 : (k - 1) * (0.5 + gap);
        (void)snprintf(name, sizeof name, "%s-%d", row == 0 ? "apart" : "touching", k);
        add_body(b, name, box, abut_masonry_at(x, 0.25, row == 0 ? -1.0 : 1.0),
                 k == 0 ? abut_vec3_make(1.0, 0.0, 0.0) : zero, zero, 0);
    }
}

enum { MOTIONS = 11 };

static const char *const motion_names[MOTIONS] = {
    "rings", "tip", "drift", "stop", "two-fingers", "seam", "cliff-slide", "groove", "bullets", "bounce", "cradle"};

static const struct {
    void (*add)(abut_setup_builder *builder);
    double restitution;
    int steps;
    abut_stepper stepper;
    double gravity;
    int has_sweeps;
} motions[MOTIONS] = {
    {add_rings, 0.3, 300, ABUT_STEPPER_EVENTS, 9.81, 0},       {add_tip, 0.0, 150, ABUT_STEPPER_EVENTS, 9.81, 0},
    {add_drift, 0.0, 100, ABUT_STEPPER_EVENTS, 9.81, 0},       {add_stop, 0.0, 100, ABUT_STEPPER_EVENTS, 9.81, 0},
    {add_two_fingers, 0.0, 80, ABUT_STEPPER_MOREAU, 9.81, 0},  {add_seam, 0.0, 150, ABUT_STEPPER_MOREAU, 9.81, 0},
    {add_cliff_slide, 0.0, 150, ABUT_STEPPER_MOREAU, 9.81, 0}, {add_groove, 0.0, 100, ABUT_STEPPER_MOREAU, 9.81, 0},
    {add_bullets, 0.0, 60, ABUT_STEPPER_MOREAU, 0.0, 1},       {add_bounce, 0.0, 300, ABUT_STEPPER_MOREAU, 9.81, 1},
    {add_cradle, 1.0, 120, ABUT_STEPPER_MOREAU, 9.81, 1}};

const char *const *abut_motion_names(int *count)
{
    *count = MOTIONS;
    return motion_names;
}

void abut_motion_add(abut_setup_builder *builder, const char *name)
{
    for (int i = 0; i < MOTIONS && builder->status == ABUT_OK; ++i) {
        if (strcmp(motion_names[i], name) == 0) {
            abut_material smooth = abut_material_default();
            smooth.friction = 0.0;
            smooth.restitution = motions[i].restitution;
            builder->setup->gravity = abut_vec3_make(0.0, -motions[i].gravity, 0.0);
            builder->setup->stepper = motions[i].stepper;
            builder->setup->gap_rule = ABUT_GAP_POSITIVE;
            builder->setup->stabilisation = abut_world_def_default().stabilisation;
            builder->setup->steps = motions[i].steps;
            builder->setup->has_sweeps |= motions[i].has_sweeps;
            (void)abut_setup_add_material(builder, "smooth", &smooth);
            motions[i].add(builder);
        }
    }
}
