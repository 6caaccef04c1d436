// SPDX-License-Identifier: MIT
// temple.c: a temple: steps, two rings of pillars made of drums, beams, gables and a roof of slabs
//
// Sizes and counts of steps, pillars, beams and gable bricks are those of the author's program of Erleben 2018; how
// the corners, the roof and the ridge are laid is our own (docs/cases.md).
#include "scenes/buildings.h"

#include "common/lab_support.h"
#include "scenes/masonry.h"

#include <math.h>

enum { OUTER_X = 6, OUTER_Z = 8, INNER_X = 4, INNER_Z = 5, DRUMS = 5, SLICES = 12, LAYERS = 4, ROWS = INNER_Z + 2 };

static const double STEP = 0.09, WIDTH = 0.5, PILLAR = 1.83, ROW_PITCH = 1.1;
static const double BRICK = 1.8 / 11.0; ///< height of a gable brick
static const double ROOF = 0.1;         ///< of a slab of the roof
static const double GABLE_FOOT = 2.1;   ///< tops of the beams and of the inner pillars
static const double OUTER_GABLE = 0.35; ///< how deep the bricks are, of front and back
static const double OUTER_FOOT = 0.18, INNER_FOOT = 0.27;

/// Front, inner rows, back.
static double row_z(int row)
{
    return row == 0          ? -0.5 * (OUTER_Z - 1)
           : row == ROWS - 1 ? 0.5 * (OUTER_Z - 1)
                             : ROW_PITCH * (row - 1 - 0.5 * (INNER_Z - 1));
}

static void add_steps(abut_setup_builder *b)
{
    const double sizes[3][2] = {{6.0, 8.0}, {5.5, 7.5}, {3.5, 5.5}};
    for (int i = 0; i < 3; ++i) {
        static const char *const names[] = {"step-low", "step-middle", "step-high"};
        int mesh = abut_masonry_box(b, names[i], abut_vec3_make(sizes[i][0], STEP, sizes[i][1]));
        abut_masonry_stone(b, "step", i, mesh, abut_masonry_at(0.0, (i + 0.5) * STEP, 0.0));
    }
}

static void add_pillar(abut_setup_builder *b, int mesh, double x, double foot, double z, int *number)
{
    for (int i = 0; i < DRUMS; ++i) {
        abut_masonry_stone(b, "drum", (*number)++, mesh, abut_masonry_at(x, foot + i * PILLAR / DRUMS, z));
    }
}

static void add_pillars(abut_setup_builder *b)
{
    abut_vec3 points[2 * SLICES];
    for (int i = 0; i < SLICES; ++i) {
        double angle = 2.0 * ABUT_LAB_PI * i / SLICES, x = 0.5 * WIDTH * cos(angle), z = 0.5 * WIDTH * sin(angle);
        points[2 * i] = abut_vec3_make(x, 0.0, z);
        points[2 * i + 1] = abut_vec3_make(x, PILLAR / DRUMS, z);
    }
    int mesh = abut_masonry_hull(b, "drum", points, 2 * SLICES), number = 0;
    for (int i = 0; i < OUTER_X; ++i) {
        for (int k = 0; k < OUTER_Z; ++k) {
            if (i == 0 || i == OUTER_X - 1 || k == 0 || k == OUTER_Z - 1) {
                add_pillar(b, mesh, i - 0.5 * (OUTER_X - 1), OUTER_FOOT, k - 0.5 * (OUTER_Z - 1), &number);
            }
        }
    }
    for (int i = 0; i < INNER_X; ++i) {
        for (int k = 0; k < INNER_Z; ++k) {
            add_pillar(b, mesh, i - 0.5 * (INNER_X - 1), INNER_FOOT, row_z(k + 1), &number);
        }
    }
}

/// Beams from pillar to pillar. Those of front and back reach over the corner pillars, those of the sides end at them.
static void add_beams(abut_setup_builder *b)
{
    double y = OUTER_FOOT + PILLAR + 0.5 * STEP, corner_x = 0.5 * (OUTER_X - 1), corner_z = 0.5 * (OUTER_Z - 1);
    int whole_x = abut_masonry_box(b, "beam-x", abut_vec3_make(1.0, STEP, WIDTH)), number = 0;
    int end_x = abut_masonry_box(b, "beam-x-end", abut_vec3_make(1.0 + 0.5 * WIDTH, STEP, WIDTH));
    int whole_z = abut_masonry_box(b, "beam-z", abut_vec3_make(WIDTH, STEP, 1.0));
    int end_z = abut_masonry_box(b, "beam-z-end", abut_vec3_make(WIDTH, STEP, 1.0 - 0.5 * WIDTH));
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < OUTER_X - 1; ++i) {
            int end = i == 0 ? -1 : i == OUTER_X - 2 ? 1 : 0;
            double x = i + 0.5 - corner_x + 0.25 * WIDTH * end;
            abut_masonry_stone(b, "beam", number++, end == 0 ? whole_x : end_x,
                               abut_masonry_at(x, y, side * corner_z));
        }
        for (int k = 0; k < OUTER_Z - 1; ++k) {
            int end = k == 0 ? -1 : k == OUTER_Z - 2 ? 1 : 0;
            double z = k + 0.5 - corner_z - 0.25 * WIDTH * end;
            abut_masonry_stone(b, "beam", number++, end == 0 ? whole_z : end_z,
                               abut_masonry_at(side * corner_x, y, z));
        }
    }
}

/// On every row of pillars a gable of 4, 3, 2 and 1 bricks; front and back have a brick more at each end.
static void add_gables(abut_setup_builder *b)
{
    int outer = abut_masonry_box(b, "gable-outer", abut_vec3_make(1.0, BRICK, OUTER_GABLE)), number = 0,
        end_number = 0;
    int inner = abut_masonry_box(b, "gable-inner", abut_vec3_make(1.0, BRICK, WIDTH));
    int end = abut_masonry_box(b, "gable-end", abut_vec3_make(0.5 * WIDTH + 0.5, BRICK, OUTER_GABLE));
    for (int row = 0; row < ROWS; ++row) {
        int is_outer = row == 0 || row == ROWS - 1;
        for (int layer = 0; layer < LAYERS; ++layer) {
            double y = GABLE_FOOT + (layer + 0.5) * BRICK;
            for (int i = 0; i < LAYERS - layer; ++i) {
                double x = i - 0.5 * (LAYERS - layer - 1);
                abut_masonry_stone(b, "gable", number++, is_outer ? outer : inner,
                                   abut_masonry_at(x, y, row_z(row)));
            }
        }
        for (int side = -1; side <= 1 && is_outer; side += 2) {
            double x = side * (0.5 * LAYERS + 0.25 * WIDTH + 0.25);
            abut_masonry_stone(b, "gable-end", end_number++, end,
                               abut_masonry_at(x, GABLE_FOOT + 0.5 * BRICK, row_z(row)));
        }
    }
}

/// Slabs from row to row on the steps of the gables, and wider ones on the ridge.
static void add_roof(abut_setup_builder *b)
{
    int number = 0;
    for (int row = 0; row + 1 < ROWS; ++row) {
        double length = row_z(row + 1) - row_z(row), z = 0.5 * (row_z(row) + row_z(row + 1));
        int is_end = row == 0 || row == ROWS - 2;
        // the same for all inner ones, and for both ends
        static const char *const names[2][2] = {{"roof", "ridge"}, {"roof-end", "ridge-end"}};
        int slab = abut_setup_find_mesh(b->setup, names[is_end][0]),
            ridge = abut_setup_find_mesh(b->setup, names[is_end][1]);
        if (slab < 0) {
            slab = abut_masonry_box(b, names[is_end][0], abut_vec3_make(0.5, ROOF, length));
            ridge = abut_masonry_box(b, names[is_end][1], abut_vec3_make(1.0, ROOF, length));
        }
        for (int layer = 1; layer < LAYERS; ++layer) {
            double y = GABLE_FOOT + layer * BRICK + 0.5 * ROOF, x = 0.5 * (LAYERS - layer) + 0.25;
            abut_masonry_stone(b, "roof", number++, slab, abut_masonry_at(-x, y, z));
            abut_masonry_stone(b, "roof", number++, slab, abut_masonry_at(x, y, z));
        }
        abut_masonry_stone(b, "ridge", row, ridge,
                           abut_masonry_at(0.0, GABLE_FOOT + LAYERS * BRICK + 0.5 * ROOF, z));
    }
}

void abut_temple_add(abut_setup_builder *b)
{
    abut_masonry_ground(b, 10.0);
    if (b->status != ABUT_OK) {
        return;
    }
    add_steps(b);
    add_pillars(b);
    add_beams(b);
    add_gables(b);
    add_roof(b);
}
