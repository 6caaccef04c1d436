// SPDX-License-Identifier: MIT
// eigen.h: eigenvalues and eigenvectors of symmetric 3x3 matrices, and quaternions of rotation matrices
#ifndef ABUT_MATH_EIGEN_H
#define ABUT_MATH_EIGEN_H

#include <abut/math.h>

typedef struct abut_eigen {
    abut_vec3 values;  ///< ascending
    abut_mat3 vectors; ///< columns, orthonormal and right-handed; the largest component of x and of y is positive
} abut_eigen;

/// `m` is symmetric and finite; m.y.x, m.z.x and m.z.y are read for both sides of the diagonal. The small eigenvalues
/// of a positive definite matrix are as accurate, relative to themselves, as its elements determine them.
abut_eigen abut_eigen_symmetric(abut_mat3 m);

/// The unit quaternion, w >= 0, of a rotation matrix.
abut_quat abut_quat_from_matrix(abut_mat3 rotation);

#endif
