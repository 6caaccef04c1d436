// SPDX-License-Identifier: MIT
// eigen.c: eigenvalues and eigenvectors of symmetric 3x3 matrices by Jacobi rotations
//
// Each rotation makes one off-diagonal element zero. An element counts as zero if it is small compared to the
// diagonal elements of its row and column, not compared to the whole matrix. So the small eigenvalues of a positive
// definite matrix keep their digits (Demmel and Veselic 1992, "Jacobi's method is more accurate than QR").
#include "math/eigen.h"

enum { SWEEPS_HIGHEST = 30 }; // a safe limit: convergence is quadratic, and six sweeps are usual

// Rotates rows and columns p and q of `a` so that a[p][q] becomes zero, and columns p and q of `vectors` with them.
static void rotate(double a[3][3], double vectors[3][3], int p, int q)
{
    // t is the tangent of the smaller of the two possible angles. If theta overflows, t is 0.
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    int r = 3 - p - q;
    double arp = a[r][p], arq = a[r][q];
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
    for (int k = 0; k < 3; ++k) {
        double vp = vectors[k][p], vq = vectors[k][q];
        vectors[k][p] = c * vp - s * vq;
        vectors[k][q] = s * vp + c * vq;
    }
}

// 2^-54: a quarter of DBL_EPSILON, too little to change the diagonal elements.
static int is_negligible(double a[3][3], int p, int q)
{
    return fabs(a[p][q]) <= 0x1p-54 * sqrt(fabs(a[p][p])) * sqrt(fabs(a[q][q]));
}

static void diagonalise(double a[3][3], double vectors[3][3])
{
    for (int sweep = 0; sweep < SWEEPS_HIGHEST; ++sweep) {
        int done = 1;
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (!is_negligible(a, p, q)) {
                    rotate(a, vectors, p, q);
                    done = 0;
                }
            }
        }
        if (done) {
            return;
        }
    }
}

static abut_vec3 with_positive_largest(abut_vec3 v)
{
    abut_vec3 a = abut_abs(v);
    double largest = a.x >= a.y && a.x >= a.z ? v.x : (a.y >= a.z ? v.y : v.z);
    return largest < 0.0 ? abut_negate(v) : v;
}

abut_eigen abut_eigen_symmetric(abut_mat3 m)
{
    double a[3][3] = {{m.x.x, m.y.x, m.z.x}, {m.y.x, m.y.y, m.z.y}, {m.z.x, m.z.y, m.z.z}};
    double vectors[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    diagonalise(a, vectors);
    // insertion sort; equal values keep the order of the axes
    int order[3] = {0, 1, 2};
    for (int i = 1; i < 3; ++i) {
        for (int k = i; k > 0 && a[order[k]][order[k]] < a[order[k - 1]][order[k - 1]]; --k) {
            int swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    }
    abut_vec3 axes[3];
    for (int i = 0; i < 3; ++i) {
        axes[i] = abut_vec3_make(vectors[0][order[i]], vectors[1][order[i]], vectors[2][order[i]]);
    }
    abut_eigen eigen;
    eigen.values = abut_vec3_make(a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]);
    eigen.vectors.x = with_positive_largest(axes[0]);
    eigen.vectors.y = with_positive_largest(axes[1]);
    eigen.vectors.z =
        abut_dot(abut_cross(eigen.vectors.x, eigen.vectors.y), axes[2]) < 0.0 ? abut_negate(axes[2]) : axes[2];
    return eigen;
}

abut_quat abut_quat_from_matrix(abut_mat3 m)
{
    // Four times the square of each component. Dividing by the largest avoids cancellation.
    double w = 1.0 + m.x.x + m.y.y + m.z.z;
    double x = 1.0 + m.x.x - m.y.y - m.z.z;
    double y = 1.0 - m.x.x + m.y.y - m.z.z;
    double z = 1.0 - m.x.x - m.y.y + m.z.z;
    abut_quat q;
    if (w >= x && w >= y && w >= z) {
        q = abut_quat_make(w, m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x);
    } else if (x >= y && x >= z) {
        q = abut_quat_make(m.y.z - m.z.y, x, m.x.y + m.y.x, m.z.x + m.x.z);
    } else if (y >= z) {
        q = abut_quat_make(m.z.x - m.x.z, m.x.y + m.y.x, y, m.y.z + m.z.y);
    } else {
        q = abut_quat_make(m.x.y - m.y.x, m.z.x + m.x.z, m.y.z + m.z.y, z);
    }
    q = abut_quat_unit(q);
    return q.w < 0.0 ? abut_quat_make(-q.w, -q.x, -q.y, -q.z) : q;
}
