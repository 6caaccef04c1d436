// SPDX-License-Identifier: MIT
// soft_scenes.c: rings on pins, an octopus, tori on cloth, and dragons
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, Figures 1(b), 10, 12 and 14. Numbers of triangles are theirs within 4 %; of
//          the cloth also time step, tolerance and stiffness, of the rings time step and stiffness. Shapes, sizes, masses
//          and all other parameters are ours: the paper has none. Rings weigh 9 times what is just stable for all of their
//          contacts together, so that contacts last some steps. Soft bodies weigh what is stable for one pair; that many
//          more can act on a vertex is because impulses go through the matrix of the step (docs/soft.md). They land
//          gently: a landing whose energy their pairs cannot take within the tolerance drives features through each
//          other, and those push to either side from then on.
#include "common/lab_random.h"
#include "common/lab_support.h"
#include "scenes/masonry.h"
#include "scenes/penalty_scenes.h"
#include "scenes/voxels.h"

#include <math.h>
#include <stdio.h>

/// Adds what makes bodies soft. One linear step of at most 40 iterations, as is usual in real time.
static int add_soft(abut_setup_builder *b, const abut_soft_material *material, const char *name)
{
    abut_setup_soft soft = {.accuracy = 1e-3, .newton_limit = 1, .iteration_limit = 40, .has_self_contact = 1};
    soft.material = b->status == ABUT_OK ? abut_allocate(&b->context, 1, sizeof *soft.material) : NULL;
    if (soft.material == NULL) {
        b->status =
            b->status != ABUT_OK ? b->status : abut_fail(b->error, ABUT_NO_MEMORY, "out of memory for a setup");
        return 0;
    }
    (void)snprintf(soft.name, sizeof soft.name, "%s", name);
    *soft.material = *material;
    return abut_setup_add_soft(b, &soft) + 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Rings on pins

enum { RINGS = 9 };

static abut_vec3 place_on_torus(double row, double column, double large, double small)
{
    double along = 2.0 * ABUT_LAB_PI * row, around = 2.0 * ABUT_LAB_PI * column;
    double r = large + small * cos(around);
    return abut_vec3_make(r * cos(along), small * sin(around), r * sin(along));
}

static abut_vec3 place_on_ring(double row, double column)
{
    return place_on_torus(row, column, 2.0, 0.48);
}

static abut_vec3 place_on_pin(double row, double column)
{
    // the ends are flat: the points are at the same height as the circles
    double around = 2.0 * ABUT_LAB_PI * column, height = row < 0.5 ? 0.0 : 6.4;
    double r = row > 0.01 && row < 0.99 ? 0.4 : 0.0;
    return abut_vec3_make(r * cos(around), height, -r * sin(around));
}

/// Nine rings fall over nine pins on a base, from different heights and a little tilted.
void abut_add_pin_rings(abut_setup_builder *b)
{
    uint64_t seed = 11;
    abut_setup_body base = {.mesh = abut_masonry_box(b, "base", abut_vec3_make(24.0, 2.0, 24.0)),
                            .pose = abut_masonry_at(0.0, -1.0, 0.0),
                            .is_fixed = 1};
    abut_penalty_body(b, "base", &base);
    int pin = abut_penalty_grid(b, "pin", 3, 12, 0, place_on_pin);
    int ring = abut_penalty_grid(b, "ring", 32, 12, 1, place_on_ring);
    for (int i = 0; i < RINGS; ++i) {
        char name[24];
        double x = 7.2 * (i % 3 - 1), z = 7.2 * (int)(i / 3) - 7.2;
        (void)snprintf(name, sizeof name, "pin-%d", i);
        abut_setup_body fixed = {.mesh = pin, .pose = abut_masonry_at(x, -0.004, z), .is_fixed = 1};
        abut_penalty_body(b, name, &fixed);
        const abut_vec3 tilt = {abut_lab_next_share(&seed) - 0.5, 0.0, abut_lab_next_share(&seed) - 0.5};
        abut_quat turn = abut_quat_from_axis(abut_unit(tilt), 0.3 * abut_norm(tilt));
        double y = 1.5 + 0.5 * abut_lab_next_share(&seed), off = 0.4 * (abut_lab_next_share(&seed) - 0.5);
        abut_setup_body free = {
            .mesh = ring, .pose = abut_pose_make(abut_vec3_make(x + off, y, z - off), turn), .mass = 4000.0};
        (void)snprintf(name, sizeof name, "ring-%d", i);
        abut_penalty_body(b, name, &free);
    }
    b->setup->dt = 1.0 / 30.0;
    b->setup->steps = 150;
    (void)abut_penalty_forces(b, 8000.0, 0.2);
}

/// Forces in proportion to the masses that they move, since those of the vertices of a solid differ by a factor of ten: one
/// stiffness would be bounded by the lightest, and too soft to carry the others. A pair alone would be stable for steps
/// sqrt(2) times as long. That more of them can act on a vertex is because their impulses go through the matrix of the step.
static void add_forces_by_mass(abut_setup_builder *b)
{
    const double longest = sqrt(2.0) * b->setup->dt;
    abut_response_params *forces = abut_penalty_forces(b, 2.0 / (longest * longest), 0.05);
    if (forces != NULL) {
        forces->weights = ABUT_WEIGHTS_MASS;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Octopus

/// A sheet of rows and columns, of which columns may close.
static abut_mesh *make_sheet(abut_setup_builder *b, const char *name, int rows, int columns,
                             abut_vec3 (*place)(double row, double column), int is_closed)
{
    int width = is_closed ? columns : columns + 1, count = 0;
    abut_vec3 *vertices = abut_allocate(&b->context, (size_t)(rows + 1) * (size_t)width, sizeof *vertices);
    int *corners = abut_allocate(&b->context, 6 * (size_t)rows * (size_t)columns, sizeof *corners);
    abut_mesh *mesh = NULL;
    if (b->status == ABUT_OK && (vertices == NULL || corners == NULL)) {
        b->status = abut_fail(b->error, ABUT_NO_MEMORY, "out of memory for mesh %s", name);
    }
    for (int i = 0; b->status == ABUT_OK && i <= rows; ++i) {
        for (int k = 0; k < width; ++k) {
            vertices[i * width + k] = place((double)i / rows, (double)k / columns);
        }
    }
    for (int i = 0; b->status == ABUT_OK && i < rows * columns; ++i) {
        int row = i / columns, k = i % columns, next = is_closed ? (k + 1) % columns : k + 1;
        int a = row * width + k, c = row * width + next, d = a + width, e = c + width, is_odd = (row + k) % 2;
        const int halves[2][6] = {{a, c, e, a, e, d}, {a, c, d, c, e, d}};
        for (int n = 0; n < 6; ++n) {
            corners[count++] = halves[is_odd][n];
        }
    }
    if (b->status == ABUT_OK) {
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = (rows + 1) * width;
        def.face_vertices = corners;
        def.face_count = count / 3;
        b->status = abut_mesh_create(&b->context, &def, &mesh, b->error);
    }
    abut_free(&b->context, vertices);
    abut_free(&b->context, corners);
    return mesh;
}

static abut_vec3 place_on_bowl(double row, double column)
{
    double down = 0.97 * 0.5 * ABUT_LAB_PI * row, around = 2.0 * ABUT_LAB_PI * column; // a small hole, no needles
    return abut_vec3_make(9.0 * cos(down) * cos(around), -9.0 * sin(down), 9.0 * cos(down) * sin(around));
}

enum { ARMS = 8 };

/// A head with eight arms falls into a bowl.
void abut_add_octopus(abut_setup_builder *b)
{
    abut_limb limbs[2 * ARMS + 1] = {{{0, 0, 0}, {0, 5, 0}, 6.0, 5.0}};
    for (int i = 0; i < ARMS; ++i) {
        double angle = 2.0 * ABUT_LAB_PI * (i + 0.5) / ARMS, c = cos(angle), s = sin(angle);
        abut_vec3 root = {3.5 * c, -2.0, 3.5 * s}, knee = {12.0 * c, -8.0, 12.0 * s},
                  tip = {24.0 * c, -27.0, 24.0 * s};
        limbs[1 + 2 * i] = (abut_limb){root, knee, 2.2, 1.7};
        limbs[2 + 2 * i] = (abut_limb){knee, tip, 1.7, 1.25};
    }
    abut_soft_material flesh = abut_soft_material_default();
    flesh.density = 20.0;
    flesh.young = 3e5;
    flesh.poisson = 0.35;
    flesh.mass_damping = 4.0;
    flesh.shape_damping = 0.03;
    abut_setup_body bowl = {.mesh = abut_setup_add_mesh(b, "bowl", make_sheet(b, "bowl", 30, 90, place_on_bowl, 1)),
                            .pose = abut_masonry_at(0.0, 0.0, 0.0),
                            .is_fixed = 1};
    abut_penalty_body(b, "bowl", &bowl);
    abut_setup_body octopus = {.mesh = abut_add_voxels(b, "octopus", limbs, 2 * ARMS + 1, 0.2),
                               .pose = abut_masonry_at(0.3, -1.8, 0.2),
                               .soft = add_soft(b, &flesh, "flesh")};
    abut_penalty_body(b, "octopus", &octopus);
    b->setup->dt = 0.003;
    b->setup->steps = 400;
    add_forces_by_mass(b);
}

// ---------------------------------------------------------------------------------------------------------------
// Tori on cloth

enum { TORI = 5 };

/// The cloth hangs through from the start: pulled flat, it would fall as fast as the tubes, which then land all at once.
static double height_of_cloth(double x, double z)
{
    double across = x / 50.0, along = z / 50.0;
    return -8.0 * (1.0 - across * across) * (1.0 - along * along);
}

/// From the vertical to the normal of the cloth.
static abut_quat turn_of_cloth(double x, double z)
{
    const double step = 1e-3;
    double slope_x = 0.5 * (height_of_cloth(x + step, z) - height_of_cloth(x - step, z)) / step;
    double slope_z = 0.5 * (height_of_cloth(x, z + step) - height_of_cloth(x, z - step)) / step;
    double steepness = hypot(slope_x, slope_z);
    return steepness > 0.0 ? abut_quat_from_axis(abut_vec3_make(-slope_z / steepness, 0.0, slope_x / steepness),
                                                 atan(steepness))
                           : abut_quat_identity();
}

static abut_vec3 place_on_cloth(double row, double column)
{
    double x = 100.0 * (column - 0.5), z = 100.0 * (0.5 - row);
    return abut_vec3_make(x, height_of_cloth(x, z), z);
}

static abut_vec3 place_on_tube(double row, double column)
{
    return place_on_torus(row, column, 5.0, 1.75);
}

/// Tubes of rubber fall on a cloth that is held at its rim, from a small height.
void abut_add_tori_on_cloth(abut_setup_builder *b)
{
    const int cells = 100;
    uint64_t seed = 12;
    abut_soft_material cloth = abut_soft_material_default();
    cloth.area_density = 0.008; // also the mass of a vertex
    cloth.stretch = 4000.0;
    cloth.shear = 1500.0;
    cloth.bend = 4.0;
    cloth.mass_damping = 0.5;
    cloth.shape_damping = 0.003;
    abut_soft_material rubber = cloth;
    rubber.area_density = 0.008; // 0.003 a vertex
    rubber.stretch = 1500.0;
    rubber.shear = 1500.0;
    rubber.bend = 50.0;
    abut_setup_body sheet = {
        .mesh = abut_setup_add_mesh(b, "cloth", make_sheet(b, "cloth", cells, cells, place_on_cloth, 0)),
        .pose = abut_masonry_at(0.0, 0.0, 0.0),
        .soft = add_soft(b, &cloth, "cloth")};
    abut_penalty_body(b, "cloth", &sheet);
    abut_setup_soft *held = b->status == ABUT_OK ? &b->setup->softs[sheet.soft - 1] : NULL;
    int width = cells + 1;
    if (held != NULL) {
        held->pins = abut_allocate(&b->context, 4 * (size_t)width, sizeof *held->pins);
        for (int i = 0; held->pins != NULL && i < width * width; ++i) {
            int row = i / width, column = i % width;
            if (row == 0 || row == cells || column == 0 || column == cells) {
                held->pins[held->pin_count++] = i;
            }
        }
        if (held->pins == NULL) {
            b->status = abut_fail(b->error, ABUT_NO_MEMORY, "out of memory for a setup");
        }
    }
    int tube = abut_penalty_grid(b, "torus", 50, 18, 1, place_on_tube), soft = add_soft(b, &rubber, "rubber");
    for (int i = 0; i < TORI * TORI; ++i) {
        char name[24];
        double heading = 2.0 * ABUT_LAB_PI * abut_lab_next_share(&seed), tilt = 0.1 * abut_lab_next_share(&seed);
        (void)snprintf(name, sizeof name, "torus-%d", i);
        double x = 14.0 * (i % TORI - 2), z = 14.0 * (int)(i / TORI) - 28.0;
        abut_quat turn = abut_quat_multiply(
            abut_quat_from_axis(abut_vec3_make(cos(heading), 0.0, sin(heading)), tilt), turn_of_cloth(x, z));
        double y = height_of_cloth(x, z) + 2.3 + 5.0 * sin(tilt) + 0.1 * (i * 7 % 5);
        abut_setup_body torus = {.mesh = tube, .pose = abut_pose_make(abut_vec3_make(x, y, z), turn), .soft = soft};
        abut_penalty_body(b, name, &torus);
    }
    b->setup->dt = 1.0 / 30.0;
    b->setup->steps = 150;
    (void)abut_penalty_forces(b, 2.0, 0.2);
}

// ---------------------------------------------------------------------------------------------------------------
// Dragons

enum { DRAGONS = 40 };

static abut_vec3 place_on_bucket(double row, double column)
{
    // the bottom, from a small hole outwards, then the wall
    double around = 2.0 * ABUT_LAB_PI * column,
           r = row < 0.4 ? 0.3 + row / 0.4 * 9.7 : 10.0 + 2.5 * (row - 0.4) / 0.6;
    double y = row < 0.4 ? 0.0 : 26.0 * (row - 0.4) / 0.6;
    return abut_vec3_make(r * cos(around), y, r * sin(around));
}

/// Forty long-tailed creatures with four legs and two wings fall into a bucket.
void abut_add_dragons(abut_setup_builder *b)
{
    static const abut_limb limbs[] = {{{-4, 0, 0}, {5, 0, 0}, 2.4, 2.2},    {{5, 0, 0}, {9, 4, 0}, 1.9, 1.5},
                                      {{9, 4, 0}, {12, 4, 0}, 1.9, 1.4},    {{-4, 0, 0}, {-15, 2, 0}, 2.0, 1.25},
                                      {{4, -1, 1}, {5, -6, 3}, 1.5, 1.4},   {{4, -1, -1}, {5, -6, -3}, 1.5, 1.4},
                                      {{-3, -1, 1}, {-4, -6, 3}, 1.5, 1.4}, {{-3, -1, -1}, {-4, -6, -3}, 1.5, 1.4},
                                      {{0, 1.5, 1}, {-2, 5, 9}, 1.4, 1.3},  {{0, 1.5, -1}, {-2, 5, -9}, 1.4, 1.3}};
    uint64_t seed = 13;
    abut_soft_material flesh = abut_soft_material_default();
    flesh.density = 20.0;
    flesh.young = 1.5e5;
    flesh.poisson = 0.35;
    flesh.mass_damping = 4.0;
    flesh.shape_damping = 0.03;
    abut_setup_body bucket = {
        .mesh = abut_setup_add_mesh(b, "bucket", make_sheet(b, "bucket", 40, 80, place_on_bucket, 1)),
        .pose = abut_masonry_at(0.0, 0.0, 0.0),
        .is_fixed = 1};
    abut_penalty_body(b, "bucket", &bucket);
    enum { LIMBS = sizeof limbs / sizeof limbs[0] };
    abut_limb fine[LIMBS]; // in cells of 0.185 instead of 0.2: the paper's number of triangles
    for (int i = 0; i < LIMBS; ++i) {
        fine[i] = (abut_limb){abut_scale(1.0 / 0.925, limbs[i].from), abut_scale(1.0 / 0.925, limbs[i].to),
                              limbs[i].from_radius / 0.925, limbs[i].to_radius / 0.925};
    }
    int mesh = abut_add_voxels(b, "dragon", fine, LIMBS, 0.185);
    int soft = add_soft(b, &flesh, "flesh");
    for (int i = 0; i < DRAGONS; ++i) {
        char name[24];
        const abut_quat heading =
            abut_quat_from_axis(abut_vec3_make(0.0, 1.0, 0.0), 2.0 * ABUT_LAB_PI * abut_lab_next_share(&seed));
        (void)snprintf(name, sizeof name, "dragon-%d", i);
        double y = 1.6 + 3.0 * (int)(i / 4);
        abut_setup_body dragon = {
            .mesh = mesh,
            .pose =
                abut_pose_make(abut_vec3_make(i % 2 == 0 ? -3.6 : 3.6, y, i / 2 % 2 == 0 ? -3.6 : 3.6), heading),
            .soft = soft};
        abut_penalty_body(b, name, &dragon);
    }
    b->setup->dt = 0.003;
    b->setup->steps = 500;
    add_forces_by_mass(b);
}
