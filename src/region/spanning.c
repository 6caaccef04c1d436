// SPDX-License-Identifier: MIT
// spanning.c: fewer normals, points and constraints, for solvers that need a spanning set only
//
// Source:  Bouma and Vanecek 1993, sections 2.2 and 3: n + 1 points for an n-dimensional region, at most three
//          normals a point ("the three maximally transversal planes"), at most six constraints a pair.
#include "region/spanning.h"

static double transversality(abut_vec3 a, abut_vec3 b, abut_vec3 c)
{
    return fabs(abut_dot(a, abut_cross(b, c)));
}

int abut_spanning_normals(abut_vec3 *normals, int count)
{
    if (count <= 3) {
        return count;
    }
    int best[3] = {0, 1, 2};
    double most = -1.0;
    for (int i = 0; i < count; ++i) {
        for (int k = i + 1; k < count; ++k) {
            for (int m = k + 1; m < count; ++m) {
                double t = transversality(normals[i], normals[k], normals[m]);
                if (t > most) {
                    most = t;
                    best[0] = i;
                    best[1] = k;
                    best[2] = m;
                }
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        normals[i] = normals[best[i]]; // best is ascending, so no normal is overwritten before it is read
    }
    return 3;
}

int abut_spanning_points(const abut_vec3 *points, int count, double tolerance, int chosen[3])
{
    if (count == 0) {
        return 0;
    }
    double furthest = -1.0;
    chosen[0] = chosen[1] = chosen[2] = 0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            double squared = abut_norm_squared(abut_sub(points[i], points[k]));
            if (squared > furthest) {
                furthest = squared;
                chosen[0] = k;
                chosen[1] = i;
            }
        }
    }
    if (furthest <= tolerance * tolerance) {
        return 1;
    }
    abut_vec3 origin = points[chosen[0]], along = abut_unit(abut_sub(points[chosen[1]], origin));
    double widest = tolerance;
    int found = 2;
    for (int i = 0; i < count; ++i) {
        double width = abut_norm(abut_cross(along, abut_sub(points[i], origin)));
        if (width > widest) {
            widest = width;
            chosen[2] = i;
            found = 3;
        }
    }
    return found;
}

typedef struct wrench {
    double values[6];
} wrench;

static double product(const wrench *a, const wrench *b)
{
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) {
        sum += a->values[i] * b->values[i];
    }
    return sum;
}

static wrench wrench_of(const abut_constraint *c, abut_vec3 origin, double size)
{
    abut_vec3 moment = abut_scale(1.0 / size, abut_cross(abut_sub(c->point, origin), c->normal));
    wrench w = {{c->normal.x, c->normal.y, c->normal.z, moment.x, moment.y, moment.z}};
    return w;
}

/// The part of a wrench that is orthogonal to the basis.
static wrench residual(wrench w, const wrench *basis, int count)
{
    for (int i = 0; i < count; ++i) {
        double along = product(&w, &basis[i]);
        for (int k = 0; k < 6; ++k) {
            w.values[k] -= along * basis[i].values[k];
        }
    }
    return w;
}

int abut_spanning_constraints(const abut_constraint *constraints, int count, double size, int chosen[6])
{
    const double independent = 1e-6; // least part of a wrench outside the span of the others; normals are unit
    wrench basis[6];
    int found = 0;
    abut_vec3 origin = count > 0 ? constraints[0].point : abut_vec3_make(0.0, 0.0, 0.0);
    while (found < 6) {
        double most = independent * independent;
        wrench next = {{0.0}};
        int best = -1;
        for (int i = 0; i < count; ++i) {
            wrench rest = residual(wrench_of(&constraints[i], origin, size), basis, found);
            double squared = product(&rest, &rest);
            if (squared > most) {
                most = squared;
                next = rest;
                best = i;
            }
        }
        if (best < 0) {
            break;
        }
        double scale = 1.0 / sqrt(most);
        for (int k = 0; k < 6; ++k) {
            basis[found].values[k] = scale * next.values[k];
        }
        chosen[found++] = best;
    }
    return found;
}
