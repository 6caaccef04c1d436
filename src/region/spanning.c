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

/// A choice of cones.
typedef struct cone_choice {
    const abut_directions *cones;
    int cone_count;
    double angle;
    int chosen[ABUT_TIED_NORMALS];
    abut_vec3 directions[ABUT_TIED_NORMALS]; ///< of the chosen cones
    int count;
    abut_vec3 normals[ABUT_TIED_NORMALS]; ///< of all chosen cones, each once
    int normal_count;
} cone_choice;

/// Adds the normals of a cone. Returns 0, and adds none, if there is no room for all.
static int add_normals(cone_choice *choice, int cone)
{
    abut_directions added = choice->cones[cone];
    int before = choice->normal_count;
    for (int i = 0; i < added.count; ++i) {
        int is_known = 0;
        for (int k = 0; k < choice->normal_count && !is_known; ++k) {
            is_known = abut_cone_is_same_ray(choice->normals[k], added.items[i], choice->angle);
        }
        if (!is_known && choice->normal_count == ABUT_TIED_NORMALS) {
            choice->normal_count = before;
            return 0;
        }
        if (!is_known) {
            choice->normals[choice->normal_count++] = added.items[i];
        }
    }
    return 1;
}

static abut_vec3 direction_of(const cone_choice *choice, int cone)
{
    return abut_unit(abut_cone_sum(choice->cones[cone]));
}

/// The marked cone that fits into the choice and is furthest in direction from those chosen, or -1.
static int furthest_cone(cone_choice *choice, const unsigned char *is_marked)
{
    double most = 4.0 * choice->angle; // nearer cones are the same
    int best = -1, normal_count = choice->normal_count;
    for (int i = 0; i < choice->cone_count; ++i) {
        double distance = HUGE_VAL;
        for (int k = 0; is_marked[i] && k < choice->count; ++k) {
            distance = fmin(distance, abut_norm(abut_sub(direction_of(choice, i), choice->directions[k])));
        }
        if (is_marked[i] && distance > most && add_normals(choice, i)) {
            choice->normal_count = normal_count;
            most = distance + choice->angle; // the lowest of those that differ by rounding
            best = i;
        }
    }
    return best;
}

void abut_spanning_cones(const abut_directions *cones, int count, double angle, unsigned char *is_marked)
{
    cone_choice choice = {.cones = cones, .cone_count = count, .angle = angle};
    int fits = 1, best = -1;
    for (int i = 0; i < count; ++i) {
        fits = fits && (!is_marked[i] || add_normals(&choice, i));
        best = is_marked[i] && (best < 0 || cones[i].count < cones[best].count) ? i : best;
    }
    if (fits) {
        return;
    }
    choice.normal_count = 0;
    while (best >= 0 && choice.count < ABUT_TIED_NORMALS) {
        (void)add_normals(&choice, best); // one cone may have more
        choice.directions[choice.count] = direction_of(&choice, best);
        choice.chosen[choice.count++] = best;
        best = furthest_cone(&choice, is_marked);
    }
    for (int i = 0; i < count; ++i) {
        is_marked[i] = 0;
    }
    for (int i = 0; i < choice.count; ++i) {
        is_marked[choice.chosen[i]] = 1;
    }
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
