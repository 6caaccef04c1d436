// SPDX-License-Identifier: MIT
// grid_vec.h: vectors of integers, for oracles without rounding
#ifndef ABUT_TEST_GRID_VEC_H
#define ABUT_TEST_GRID_VEC_H

#include <stdint.h>

typedef struct grid_vec {
    int64_t x, y, z;
} grid_vec;

static inline grid_vec grid_sub(grid_vec a, grid_vec b)
{
    return (grid_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline grid_vec grid_cross(grid_vec a, grid_vec b)
{
    return (grid_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline int64_t grid_dot(grid_vec a, grid_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

#endif
