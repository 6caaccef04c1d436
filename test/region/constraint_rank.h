// SPDX-License-Identifier: MIT
// constraint_rank.h: how many degrees of freedom contacts without friction take
#ifndef ABUT_TEST_CONSTRAINT_RANK_H
#define ABUT_TEST_CONSTRAINT_RANK_H

#include <abut/math.h>
#include <math.h>
#include <string.h>

/// The rank of at most six constraints by elimination, of rows (n, p x n).
static inline int constraint_rank(const abut_vec3 *points, const abut_vec3 *normals, int count)
{
    double rows[6][6];
    for (int i = 0; i < count; ++i) {
        abut_vec3 n = normals[i], m = abut_cross(points[i], n);
        const double row[6] = {n.x, n.y, n.z, m.x, m.y, m.z};
        memcpy(rows[i], row, sizeof row);
    }
    int rank = 0;
    for (int column = 0; column < 6; ++column) {
        int best = rank;
        for (int i = rank; i < count; ++i) {
            best = fabs(rows[i][column]) > fabs(rows[best][column]) ? i : best;
        }
        if (rank == count || fabs(rows[best][column]) < 1e-9) {
            continue;
        }
        for (int k = 0; k < 6; ++k) {
            double kept = rows[best][k];
            rows[best][k] = rows[rank][k];
            rows[rank][k] = kept;
        }
        for (int i = rank + 1; i < count; ++i) {
            double factor = rows[i][column] / rows[rank][column];
            for (int k = 0; k < 6; ++k) {
                rows[i][k] -= factor * rows[rank][k];
            }
        }
        ++rank;
    }
    return rank;
}

#endif
