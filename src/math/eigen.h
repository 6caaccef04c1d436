// SPDX-License-Identifier: MIT
// eigen.h: eigenvalues and eigenvectors of symmetric 3x3 matrices, and quaternions of rotation matrices
#ifndef ABUT_MATH_EIGEN_H
#define ABUT_MATH_EIGEN_H

#include <abut/math.h>

typedef struct abut_eigen {
    abut_vec3 values;  ///< ascending
    abut_mat3 vectors; ///< columns, orthonormal, right-handed; in x and y the component largest in size is positive
} abut_eigen;

/// `m` must be symmetric and finite; only m.y.x, m.z.x and m.z.y are read off the diagonal. If `m` is positive
/// definite, even its small eigenvalues have a small relative error, as far as its elements determine them.
abut_eigen abut_eigen_symmetric(abut_mat3 m);

/// The unit quaternion of a rotation matrix, with w >= 0.
abut_quat abut_quat_from_matrix(abut_mat3 rotation);

#endif
