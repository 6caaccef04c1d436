// SPDX-License-Identifier: MIT
// support.c: the furthest vertex in a direction
//
// A cube map divides directions into about as many cells as there are vertices. Each cell stores the furthest vertex
// in the direction of its center. From there a climb along edges takes a few steps, whatever the size of the shape.
// Without the map, a climb takes as many steps as there are vertices along its path: for round shapes, about the
// square root of their number.
#include "base/memory.h"
#include "convex/convex.h"

// Cells along a side of the cube. Bounds the table to 6 * 64 * 64 entries (96 KB); it has a cell per vertex up to
// 24,576 vertices, and climbs get a little longer beyond.
enum { GRID_HIGHEST = 64 };

static int cell_of(double x, int grid)
{
    int i = (int)((x + 1.0) * 0.5 * grid);
    return i < 0 ? 0 : i >= grid ? grid - 1 : i;
}

int abut_convex_start(const abut_convex *shape, abut_vec3 direction)
{
    abut_vec3 size = abut_abs(direction);
    int side;
    double u, v, w;
    if (size.x >= size.y && size.x >= size.z) {
        side = direction.x < 0.0;
        u = direction.y, v = direction.z, w = size.x;
    } else if (size.y >= size.z) {
        side = 2 + (direction.y < 0.0);
        u = direction.z, v = direction.x, w = size.y;
    } else {
        side = 4 + (direction.z < 0.0);
        u = direction.x, v = direction.y, w = size.z;
    }
    if (!(w > 0.0)) {
        return 0;
    }
    int grid = shape->grid;
    return shape->starts[(side * grid + cell_of(u / w, grid)) * grid + cell_of(v / w, grid)];
}

static abut_vec3 cell_direction(int side, int i, int j, int grid)
{
    double u = (2 * i + 1) / (double)grid - 1.0, v = (2 * j + 1) / (double)grid - 1.0;
    double w = side % 2 == 0 ? 1.0 : -1.0;
    switch (side / 2) {
    case 0: return abut_vec3_make(w, u, v);
    case 1: return abut_vec3_make(v, w, u);
    default: return abut_vec3_make(u, v, w);
    }
}

abut_status abut_convex_make_starts(abut_convex *shape, abut_point_tree *tree)
{
    int grid = (int)sqrt(shape->point_count / 6.0) + 1;
    grid = grid < GRID_HIGHEST ? grid : GRID_HIGHEST;
    shape->grid = grid;
    shape->starts = abut_allocate(&shape->context, 6 * (size_t)grid * (size_t)grid, sizeof *shape->starts);
    if (shape->starts == NULL) {
        return ABUT_NO_MEMORY;
    }
    int near = 0;
    for (int side = 0; side < 6; ++side) {
        for (int i = 0; i < grid; ++i) {
            for (int j = 0; j < grid; ++j) {
                near = abut_point_tree_highest(tree, cell_direction(side, i, j, grid), near, NULL, -1);
                shape->starts[(side * grid + i) * grid + j] = near;
            }
        }
    }
    return ABUT_OK;
}

// Points at the same height up to rounding that a search may visit. Their list is on the stack and searched linearly;
// points beyond are not searched.
enum { LEVEL_POINTS = 64 };

// Searches the points that are level with `start` up to rounding and connected to it by such points. The slope of a
// short edge is mostly rounding and may point down on the way up, so the neighbours of `start` alone are not enough.
// Returns a point that is higher by more than rounding, or -1.
static int find_higher(const abut_convex *shape, abut_vec3 direction, int start)
{
    const abut_vec3 *points = shape->points;
    int level[LEVEL_POINTS], count = 1;
    double lowest = -shape->unsure;
    level[0] = start;
    for (int i = 0; i < count; ++i) {
        for (int k = shape->link_begin[level[i]]; k < shape->link_begin[level[i] + 1]; ++k) {
            int point = shape->links[k].point;
            double rise = abut_convex_rise(points[start], points[point], direction);
            if (rise > -lowest) {
                return point;
            }
            if (rise >= lowest && count < LEVEL_POINTS && abut_convex_find_point(level, count, point) < 0) {
                level[count++] = point;
            }
        }
    }
    return -1;
}

// Each step goes up by more than rounding, so no point is visited twice.
int abut_convex_peak_closely(const abut_convex *shape, abut_vec3 direction, int start, int level, double *height,
                             double *gap)
{
    const abut_vec3 *points = shape->points;
    int best = start;
    double highest = 0.0;
    for (int from = -1; from != best;) {
        from = best;
        highest = -HUGE_VAL;
        for (int i = shape->link_begin[from]; i < shape->link_begin[from + 1]; ++i) {
            abut_convex_link link = shape->links[i];
            double rise = abut_convex_rise(points[from], points[link.point], direction);
            if (link.edge != level && rise > highest) {
                highest = rise;
                best = rise > 0.0 ? link.point : best;
            }
        }
        if (best == from) {
            int higher = find_higher(shape, direction, best);
            best = higher >= 0 ? higher : best;
        }
    }
    *height = abut_dot(points[best], direction);
    *gap = -highest;
    return best;
}

int abut_convex_support(const abut_convex *convex, abut_vec3 direction)
{
    double height;
    abut_vec3 unit = abut_unit(direction);
    return abut_convex_climb(convex, unit, abut_convex_start(convex, unit), &height);
}
