// SPDX-License-Identifier: MIT
// shape_mass.c: mass properties of dilated shapes
//
// All is summed as moments: the volume, and the integrals of x and of x x^T. A swept box is its core, six slabs, twelve
// quarters of cylinders and eight octants of a ball, whose moments about the axes have closed forms; a capsule is a
// cylinder and two halves of a ball. Other shapes are sums over their elements.
#include "base/error.h"
#include "math/eigen.h"
#include "mesh/closed.h"

#include <abut/primitives.h>

static const double pi = 3.14159265358979323846;

typedef struct moments {
    double volume;
    abut_vec3 first;
    abut_mat3 second;
} moments;

static void add_outer(moments *m, double weight, abut_vec3 a, abut_vec3 b)
{
    m->second.x = abut_add_scaled(m->second.x, weight * b.x, a);
    m->second.y = abut_add_scaled(m->second.y, weight * b.y, a);
    m->second.z = abut_add_scaled(m->second.z, weight * b.z, a);
}

static void add_isotropic(moments *m, double value)
{
    m->second.x.x += value;
    m->second.y.y += value;
    m->second.z.z += value;
}

/// A body of `volume` spread evenly over a simplex of 1 to 3 corners, thick as a ball of radius r.
static void add_simplex(moments *m, const abut_vec3 *corners, int count, double volume, double r)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    double share = volume / (count * (count + 1));
    for (int i = 0; i < count; ++i) {
        sum = abut_add(sum, corners[i]);
        add_outer(m, share, corners[i], corners[i]);
    }
    add_outer(m, share, sum, sum);
    add_isotropic(m, 0.2 * volume * r * r);
    m->volume += volume;
    m->first = abut_add_scaled(m->first, volume / count, sum);
}

static abut_mass mass_of(const moments *m)
{
    abut_mass mass = {.mass = m->volume, .center = abut_scale(1.0 / m->volume, m->first)};
    moments about = *m;
    add_outer(&about, -m->volume, mass.center, mass.center);
    double trace = about.second.x.x + about.second.y.y + about.second.z.z;
    mass.inertia =
        abut_mat3_make(abut_negate(about.second.x), abut_negate(about.second.y), abut_negate(about.second.z));
    mass.inertia.x.x += trace;
    mass.inertia.y.y += trace;
    mass.inertia.z.z += trace;
    abut_eigen eigen = abut_eigen_symmetric(mass.inertia);
    mass.principal_moments = eigen.values;
    mass.principal_axes = abut_quat_from_matrix(eigen.vectors);
    return mass;
}

/// A segment swept by a ball.
static moments moments_of_capsule(abut_vec3 p, abut_vec3 q, double r)
{
    abut_vec3 along = abut_unit(abut_sub(q, p)), center = abut_lerp(p, q, 0.5);
    double half = 0.5 * abut_norm(abut_sub(q, p));
    double cylinder = 2.0 * pi * r * r * half, ball = 4.0 / 3.0 * pi * r * r * r;
    double across = cylinder * r * r / 4.0 + ball * r * r / 5.0;
    double axial = cylinder * half * half / 3.0 + ball * (half * half + 0.75 * half * r + r * r / 5.0);
    moments m = {.volume = cylinder + ball, .first = abut_scale(cylinder + ball, center)};
    add_isotropic(&m, across);
    add_outer(&m, axial - across, along, along);
    add_outer(&m, m.volume, center, center);
    return m;
}

/// The integral of x^2 over a box of half lengths a, b, c swept by a ball of radius r.
static double second_of_box(double a, double b, double c, double r)
{
    double inner = a * a / 3.0;                                      // mean of x^2 up to a
    double slab = a * a + a * r + r * r / 3.0;                       // from a to a + r
    double quarter = a * a + 8.0 * a * r / (3.0 * pi) + r * r / 4.0; // a + u in a quarter of a disk
    double octant = a * a + 0.75 * a * r + r * r / 5.0;              // a + u in an octant of a ball
    return 8.0 * a * b * c * inner + 8.0 * b * c * r * slab + 8.0 * a * r * (b + c) * inner +
           2.0 * pi * r * r * (a * inner + (b + c) * quarter) + 4.0 / 3.0 * pi * r * r * r * octant;
}

static moments moments_of_box(abut_box box, double r)
{
    abut_vec3 h = abut_scale(0.5, abut_sub(box.upper, box.lower)), center = abut_box_center(box);
    double volume = 8.0 * h.x * h.y * h.z + 8.0 * r * (h.x * h.y + h.y * h.z + h.z * h.x) +
                    2.0 * pi * r * r * (h.x + h.y + h.z) + 4.0 / 3.0 * pi * r * r * r;
    moments m = {.volume = volume, .first = abut_scale(volume, center)};
    m.second.x.x = second_of_box(h.x, h.y, h.z, r);
    m.second.y.y = second_of_box(h.y, h.z, h.x, r);
    m.second.z.z = second_of_box(h.z, h.x, h.y, r);
    add_outer(&m, volume, center, center);
    return m;
}

/// Whether a closed mesh is a box along the axes: all its eight vertices are corners of its bounds.
static int is_box(const abut_mesh_elements *e)
{
    if (e->vertex_count != 8 || e->triangle_count != 12 || e->segment_count + e->point_count > 0) {
        return 0;
    }
    unsigned corners = 0;
    for (int i = 0; i < 8; ++i) {
        abut_vec3 p = e->vertices[i], l = e->bounds.lower, u = e->bounds.upper;
        if ((p.x != l.x && p.x != u.x) || (p.y != l.y && p.y != u.y) || (p.z != l.z && p.z != u.z)) {
            return 0;
        }
        corners |= 1u << ((p.x == u.x) + 2 * (p.y == u.y) + 4 * (p.z == u.z));
    }
    return corners == 0xff;
}

/// Adds the moments of a solid of density 1.
static void add_solid(moments *m, const abut_mass *solid)
{
    double trace = 0.5 * (solid->inertia.x.x + solid->inertia.y.y + solid->inertia.z.z);
    m->volume += solid->mass;
    m->first = abut_add_scaled(m->first, solid->mass, solid->center);
    m->second.x = abut_sub(m->second.x, solid->inertia.x);
    m->second.y = abut_sub(m->second.y, solid->inertia.y);
    m->second.z = abut_sub(m->second.z, solid->inertia.z);
    add_isotropic(m, trace);
    add_outer(m, solid->mass, solid->center, solid->center);
}

/// Sums over elements: `solid` is NULL if the surface is a shell.
static moments sum_elements(const abut_mesh_elements *e, const abut_mass *solid, double r, double growth)
{
    moments m = {0};
    if (solid != NULL) {
        add_solid(&m, solid);
    }
    for (int i = 0; i < e->triangle_count; ++i) {
        const int *t = e->triangles + 3 * (size_t)i;
        const abut_vec3 p[3] = {e->vertices[t[0]], e->vertices[t[1]], e->vertices[t[2]]};
        double area = 0.5 * abut_norm(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])));
        add_simplex(&m, p, 3, area * (solid != NULL ? growth : 2.0 * r), solid != NULL ? 0.0 : r);
    }
    for (int i = 0; i < e->segment_count; ++i) {
        const abut_vec3 p[2] = {e->vertices[e->segments[2 * i]], e->vertices[e->segments[2 * i + 1]]};
        add_simplex(&m, p, 2, pi * r * r * abut_norm(abut_sub(p[1], p[0])), r);
    }
    for (int i = 0; i < e->point_count; ++i) {
        add_simplex(&m, &e->vertices[e->points[i]], 1, 4.0 / 3.0 * pi * r * r * r, r);
    }
    return m;
}

abut_status abut_shape_mass(const abut_shape *shape, abut_mass *mass, int *is_approximate, abut_error *error)
{
    ABUT_ASSERT(shape != NULL && mass != NULL);
    const abut_mesh *mesh = abut_shape_mesh(shape);
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double r = abut_shape_dilation(shape), offset = abut_shape_offset(shape);
    int is_exact = 1;
    abut_mass solid;
    moments m = {0};
    if (r == 0.0 && offset == 0.0) {
        if (is_approximate != NULL) {
            *is_approximate = 0;
        }
        return abut_mesh_mass(mesh, mass, error);
    }
    abut_error why;
    int is_solid = abut_mesh_mass(mesh, &solid, &why) == ABUT_OK;
    if (e.triangle_count == 0 && e.segment_count == 0 && e.point_count == 1) {
        add_simplex(&m, &e.vertices[e.points[0]], 1, 4.0 / 3.0 * pi * r * r * r, r);
    } else if (e.triangle_count == 0 && e.segment_count == 1 && e.point_count == 0) {
        m = moments_of_capsule(e.vertices[e.segments[0]], e.vertices[e.segments[1]], r);
    } else if (is_solid && offset == 0.0 && is_box(&e)) {
        m = moments_of_box(e.bounds, r);
    } else {
        m = sum_elements(&e, is_solid ? &solid : NULL, r, r + offset);
        is_exact = 0;
    }
    if (!(m.volume > 0.0) || !isfinite(m.volume)) {
        return abut_fail(error, ABUT_BAD_DATA, "the shape has no volume (%g): give it a larger dilation", m.volume);
    }
    *mass = mass_of(&m);
    if (is_approximate != NULL) {
        *is_approximate = !is_exact;
    }
    return ABUT_OK;
}
