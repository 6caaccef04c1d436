// SPDX-License-Identifier: MIT
// mass.c: volume, centre of mass and inertia of a closed mesh
//
// The solid is the signed sum of the tetrahedra between a reference point and each triangle. For a tetrahedron with
// the
// corners 0, a, b, c, with d = a . (b x c) and s = a + b + c, the integrals are
//   of 1: d / 6,  of x_i: d s_i / 24,  of x_i x_j: d (a_i a_j + b_i b_j + c_i c_j + s_i s_j) / 120.
// The reference point is the middle of the mesh, so that meshes far from the origin lose no digits. The sums are
// compensated for rounding.
#include "base/error.h"
#include "math/eigen.h"
#include "math/expansion.h"
#include "mesh/closed.h"

// The inertia grows with the fifth power of the size. It must not overflow or underflow, even for thin solids.
static const double SIZE_LOWEST = 1e-50;
static const double SIZE_HIGHEST = 1e50;

enum { ONE, X, Y, Z, XX, YY, ZZ, XY, XZ, YZ, INTEGRAL_COUNT };

typedef struct integrals {
    double sum[INTEGRAL_COUNT];
    double carry[INTEGRAL_COUNT]; // the rounding errors of `sum`
    double product_sum;           // the sum of |b - a| |c - a| in the 1-norm
} integrals;

static void add_integral(integrals *all, int which, double value)
{
    two_double r = two_sum(all->sum[which], value);
    all->sum[which] = r.high;
    all->carry[which] += r.low;
}

static double one_norm(abut_vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static void add_tetrahedron(integrals *all, abut_vec3 a, abut_vec3 b, abut_vec3 c)
{
    // (b - a) x (c - a) instead of b x c gives the same d, with an error that shrinks with the triangle
    abut_vec3 ab = abut_sub(b, a), ac = abut_sub(c, a);
    double d = abut_dot(a, abut_cross(ab, ac));
    abut_vec3 s = abut_add(abut_add(a, b), c);
    all->product_sum += one_norm(ab) * one_norm(ac);
    add_integral(all, ONE, d);
    add_integral(all, X, d * s.x);
    add_integral(all, Y, d * s.y);
    add_integral(all, Z, d * s.z);
    add_integral(all, XX, d * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x));
    add_integral(all, YY, d * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y));
    add_integral(all, ZZ, d * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z));
    add_integral(all, XY, d * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y));
    add_integral(all, XZ, d * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z));
    add_integral(all, YZ, d * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z));
}

static integrals integrate(const abut_mesh_elements *elements, abut_vec3 reference)
{
    static const double divisors[INTEGRAL_COUNT] = {6, 24, 24, 24, 120, 120, 120, 120, 120, 120};
    integrals all = {{0.0}, {0.0}, 0.0};
    for (int i = 0; i < elements->triangle_count; ++i) {
        const int *t = elements->triangles + 3 * i;
        add_tetrahedron(&all, abut_sub(elements->vertices[t[0]], reference),
                        abut_sub(elements->vertices[t[1]], reference),
                        abut_sub(elements->vertices[t[2]], reference));
    }
    for (int i = 0; i < INTEGRAL_COUNT; ++i) {
        all.sum[i] = (all.sum[i] + all.carry[i]) / divisors[i];
    }
    return all;
}

// The bounding box of the vertices that belong to triangles.
static abut_box surface_bounds(const abut_mesh_elements *elements)
{
    abut_box box = abut_box_empty();
    for (int i = 0; i < 3 * elements->triangle_count; ++i) {
        box = abut_box_add(box, elements->vertices[elements->triangles[i]]);
    }
    return box;
}

// Sets a product of inertia to zero if it may be rounding error alone; otherwise noise would choose the principal
// axes of a cube. The integrand is at most the product of the two half extents. 2^-48 allows for 32 roundings of
// 2^-53.
static double without_noise(double product, double mass, double extent_a, double extent_b)
{
    return fabs(product) <= 0x1p-48 * mass * extent_a * extent_b ? 0.0 : product;
}

static abut_mass mass_from(const integrals *all, abut_vec3 reference, abut_vec3 extent)
{
    const double *sum = all->sum;
    abut_mass mass;
    mass.mass = sum[ONE];
    abut_vec3 c = abut_scale(1.0 / sum[ONE], abut_vec3_make(sum[X], sum[Y], sum[Z]));
    mass.center = abut_add(reference, c);
    // second moments about the centre
    double xx = sum[XX] - sum[ONE] * c.x * c.x;
    double yy = sum[YY] - sum[ONE] * c.y * c.y;
    double zz = sum[ZZ] - sum[ONE] * c.z * c.z;
    double xy = without_noise(sum[XY] - sum[ONE] * c.x * c.y, sum[ONE], extent.x, extent.y);
    double xz = without_noise(sum[XZ] - sum[ONE] * c.x * c.z, sum[ONE], extent.x, extent.z);
    double yz = without_noise(sum[YZ] - sum[ONE] * c.y * c.z, sum[ONE], extent.y, extent.z);
    mass.inertia = abut_mat3_make(abut_vec3_make(yy + zz, -xy, -xz), abut_vec3_make(-xy, xx + zz, -yz),
                                  abut_vec3_make(-xz, -yz, xx + yy));
    abut_eigen eigen = abut_eigen_symmetric(mass.inertia);
    mass.principal_moments = eigen.values;
    mass.principal_axes = abut_quat_from_matrix(eigen.vectors);
    return mass;
}

abut_status abut_mesh_mass(const abut_mesh *mesh, abut_mass *mass, abut_error *error)
{
    if (mesh == NULL || mass == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "mass: `mesh` or `mass` is NULL");
    }
    abut_status status = abut_mesh_check_closed(mesh, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_box box = surface_bounds(&elements);
    abut_vec3 reference = abut_box_center(box);
    abut_vec3 extent = abut_sub(abut_scale(0.5, box.upper), abut_scale(0.5, box.lower));
    double size = abut_max_component(extent);
    if (!(size >= SIZE_LOWEST && size <= SIZE_HIGHEST)) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "half the size of the mesh is %g; it must be from %g to %g: scale the mesh", size,
                         SIZE_LOWEST, SIZE_HIGHEST);
    }
    integrals all = integrate(&elements, reference);
    // The rounding error of the volume, with u = 2^-53 and coordinates up to `size`. Computing d rounds by at most
    // 8u size |b - a| |c - a|. Subtracting the reference moves each vertex by up to sqrt(3) u size, which changes
    // the
    // volume by at most that times the area, and the area is at most half of |b - a| |c - a|. Together this is
    // 13.2u / 6 of size |b - a| |c - a|; we use 16u / 6. A volume below that counts as zero.
    double noise = 0x1p-49 * size * all.product_sum / 6.0;
    if (all.sum[ONE] < -noise) {
        return abut_fail(error, ABUT_BAD_DATA, "the volume is %g, so the faces point inward: reverse them",
                         all.sum[ONE]);
    }
    if (!(all.sum[ONE] > noise)) {
        return abut_fail(error, ABUT_BAD_DATA, "the mesh has no volume: %g, with a rounding error up to %g",
                         all.sum[ONE], noise);
    }
    *mass = mass_from(&all, reference, extent);
    return ABUT_OK;
}
