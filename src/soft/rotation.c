// SPDX-License-Identifier: MIT
// rotation.c: the rotation nearest to a matrix
//
// The rotation R with the largest trace of R^T F. For a positive determinant it is the polar factor of F, which Newton's
// iteration finds (Higham 1986). For any other F it is the quaternion q with the largest q^T N q, an eigenvector of a
// 4x4 matrix that is linear in F (Horn 1987); it exists for every F, and is unique unless the two least singular values of
// an F of negative determinant are equal.
#include "soft/soft.h"

#include <float.h>

enum { ROUNDS = 20, SWEEPS = 30 }; // safe limits: both converge quadratically, in 3 to 8 rounds

static abut_mat3 scaled(abut_mat3 m, double factor)
{
    return abut_mat3_make(abut_scale(factor, m.x), abut_scale(factor, m.y), abut_scale(factor, m.z));
}

// Columns of transpose(inverse(m)) * determinant(m).
static abut_mat3 cofactors(abut_mat3 m)
{
    return abut_mat3_make(abut_cross(m.y, m.z), abut_cross(m.z, m.x), abut_cross(m.x, m.y));
}

// X becomes (X + transpose(inverse(X))) / 2.
static abut_mat3 polar_factor(abut_mat3 x)
{
    for (int i = 0; i < ROUNDS; ++i) {
        abut_mat3 c = cofactors(x);
        double inverse = 1.0 / abut_dot(x.x, c.x);
        abut_mat3 next = abut_mat3_make(abut_scale(0.5, abut_add_scaled(x.x, inverse, c.x)),
                                        abut_scale(0.5, abut_add_scaled(x.y, inverse, c.y)),
                                        abut_scale(0.5, abut_add_scaled(x.z, inverse, c.z)));
        double change = abut_norm_squared(abut_sub(next.x, x.x)) + abut_norm_squared(abut_sub(next.y, x.y)) +
                        abut_norm_squared(abut_sub(next.z, x.z));
        x = next;
        if (change <= 1e-16) { // the next change would be its square
            break;
        }
    }
    return x;
}

// A Jacobi rotation of rows and columns p and q.
static void rotate(double n[4][4], double vectors[4][4], int p, int q)
{
    double theta = (n[q][q] - n[p][p]) / (2.0 * n[p][q]);
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 4; ++k) {
        double kp = n[k][p], kq = n[k][q];
        n[k][p] = c * kp - s * kq;
        n[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 4; ++k) {
        double pk = n[p][k], qk = n[q][k], vp = vectors[k][p], vq = vectors[k][q];
        n[p][k] = c * pk - s * qk;
        n[q][k] = s * pk + c * qk;
        vectors[k][p] = c * vp - s * vq;
        vectors[k][q] = s * vp + c * vq;
    }
}

static abut_mat3 best_rotation(abut_mat3 f)
{
    // trace(R^T F) = q^T N q for the rotation R of the unit quaternion q = (w, x, y, z)
    double n[4][4] = {{f.x.x + f.y.y + f.z.z, f.y.z - f.z.y, f.z.x - f.x.z, f.x.y - f.y.x},
                      {f.y.z - f.z.y, f.x.x - f.y.y - f.z.z, f.y.x + f.x.y, f.z.x + f.x.z},
                      {f.z.x - f.x.z, f.y.x + f.x.y, f.y.y - f.x.x - f.z.z, f.z.y + f.y.z},
                      {f.x.y - f.y.x, f.z.x + f.x.z, f.z.y + f.y.z, f.z.z - f.x.x - f.y.y}};
    double vectors[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int sweep = 0, is_done = 0; sweep < SWEEPS && !is_done; ++sweep) {
        is_done = 1;
        for (int p = 0; p < 3; ++p) {
            for (int q = p + 1; q < 4; ++q) {
                if (fabs(n[p][q]) > DBL_EPSILON / 4.0) { // entries of N are at most 3
                    rotate(n, vectors, p, q);
                    is_done = 0;
                }
            }
        }
    }
    int best = 0;
    for (int k = 1; k < 4; ++k) {
        best = n[k][k] > n[best][best] ? k : best;
    }
    return abut_quat_matrix(
        abut_quat_unit(abut_quat_make(vectors[0][best], vectors[1][best], vectors[2][best], vectors[3][best])));
}

abut_mat3 abut_nearest_rotation(abut_mat3 f)
{
    abut_vec3 most = abut_max(abut_max(abut_abs(f.x), abut_abs(f.y)), abut_abs(f.z));
    double size = abut_max_component(most);
    if (!(size > 0.0)) {
        return abut_mat3_identity();
    }
    f = scaled(f, 1.0 / size);
    // Newton's iteration needs more rounds, and loses digits, if F is nearly singular.
    return abut_mat3_determinant(f) > 0.01 ? polar_factor(f) : best_rotation(f);
}
