// SPDX-License-Identifier: MIT
// solids.c: families of random convex solids
#include "solids.h"

static const double PI = 3.14159265358979323846;

static double power_in(test_random *random, double lower, double upper)
{
    return pow(10.0, random_in(random, lower, upper));
}

// Two regular polygons of `sides` corners, the lower one of radius 1.
static int add_polygons(abut_vec3 *points, int sides, double radius, double turn, double height)
{
    for (int i = 0; i < 2 * sides; ++i) {
        int is_upper = i >= sides;
        double angle = 2.0 * PI * (i % sides) / sides + (is_upper ? turn : 0.0), r = is_upper ? radius : 1.0;
        points[i] = abut_vec3_make(r * cos(angle), r * sin(angle), is_upper ? height : -height);
    }
    return 2 * sides;
}

static int add_box(abut_vec3 *points, double x, double y, double z)
{
    for (int i = 0; i < 8; ++i) {
        points[i] = abut_vec3_make(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    }
    return 8;
}

static int add_sphere(test_random *random, abut_vec3 *points, int count, abut_vec3 stretch)
{
    for (int i = 0; i < count; ++i) {
        abut_vec3 p = random_unit(random);
        points[i] = abut_vec3_make(stretch.x * p.x, stretch.y * p.y, stretch.z * p.z);
    }
    return count;
}

static int add_cone(test_random *random, abut_vec3 *points)
{
    int sides = 3 + random_below(random, 12);
    (void)add_polygons(points, sides, 1.0, 0.0, 0.0);
    points[sides] =
        abut_vec3_make(random_in(random, -0.5, 0.5), random_in(random, -0.5, 0.5), power_in(random, -3.0, 1.0));
    return sides + 1;
}

static int add_wedge(test_random *random, abut_vec3 *points)
{
    int count = add_box(points, random_in(random, 0.2, 1.0), random_in(random, 0.2, 1.0), 0.5);
    double low = random_below(random, 2) ? -0.5 : random_in(random, -0.4, 0.4);
    points[5].z = points[7].z = low; // at x > 0; at the bottom, these corners coincide with the lower ones
    return count;
}

static int add_cut_cube(test_random *random, abut_vec3 *points)
{
    double cut = random_below(random, 2) ? random_in(random, 0.01, 0.9) : power_in(random, -10.0, -1.0);
    int count = add_box(points, 1.0, 1.0, 1.0);
    points[7] = abut_vec3_make(1.0 - cut, 1.0, 1.0);
    points[count++] = abut_vec3_make(1.0, 1.0 - cut * random_in(random, 0.5, 1.0), 1.0);
    points[count++] = abut_vec3_make(1.0, 1.0, 1.0 - cut * random_in(random, 0.5, 1.0));
    return count;
}

static int add_bulge(test_random *random, abut_vec3 *points)
{
    double height = power_in(random, -13.0, -3.0);
    int count = add_box(points, 1.0, 1.0, 1.0);
    for (int axis = 0; axis < 3; ++axis) {
        double u = random_in(random, -0.5, 0.5), v = random_in(random, -0.5, 0.5);
        double w = 1.0 + height * random_in(random, 0.1, 1.0);
        points[count++] = axis == 0   ? abut_vec3_make(w, u, v)
                          : axis == 1 ? abut_vec3_make(u, w, v)
                                      : abut_vec3_make(u, v, w);
    }
    return count;
}

static int add_plate(test_random *random, abut_vec3 *points)
{
    double thickness = power_in(random, -7.0, -3.0);
    return random_below(random, 2) ? add_box(points, 1.0, 1.0, thickness)
                                   : add_polygons(points, 3 + random_below(random, 12), 1.0, 0.1, thickness);
}

static int add_sum(test_random *random, abut_vec3 *points)
{
    int count = 3 + random_below(random, 3);
    abut_vec3 segments[5];
    for (int k = 0; k < count; ++k) {
        segments[k] = abut_scale(power_in(random, random_below(random, 3) ? -1.0 : -4.0, 0.0), random_unit(random));
    }
    if (random_below(random, 3) == 0) { // nearly parallel
        segments[2] = abut_add_scaled(segments[1], power_in(random, -9.0, -1.0), abut_unit(segments[2]));
    }
    if (count > 3 && random_below(random, 3) == 0) { // a prism
        segments[3] = abut_sub(segments[0], segments[1]);
    }
    for (int i = 0; i < 1 << count; ++i) {
        points[i] = abut_vec3_make(0.0, 0.0, 0.0);
        for (int k = 0; k < count; ++k) {
            points[i] = abut_add_scaled(points[i], i & 1 << k ? 1.0 : -1.0, segments[k]);
        }
    }
    return 1 << count;
}

static int add_round(test_random *random, abut_vec3 *points)
{
    const double golden = 0.5 * (1.0 + sqrt(5.0));
    int count = 0;
    for (int i = 0; i < 12; ++i) {
        double one = i & 1 ? 1.0 : -1.0, g = i & 2 ? golden : -golden;
        points[count++] = abut_unit(i < 4   ? abut_vec3_make(one, g, 0.0)
                                    : i < 8 ? abut_vec3_make(0.0, one, g)
                                            : abut_vec3_make(g, 0.0, one));
    }
    for (int i = 0, has_middles = random_below(random, 2); i < 12 && has_middles; ++i) {
        for (int k = 0; k < i; ++k) {
            if (abut_norm(abut_sub(points[i], points[k])) < 1.06) {
                points[count++] = abut_unit(abut_add(points[i], points[k]));
            }
        }
    }
    return count;
}

static int add_sliver(test_random *random, abut_vec3 *points)
{
    double thin = power_in(random, -6.0, -3.0);
    return add_sphere(random, points, 4 + random_below(random, 13),
                      abut_vec3_make(1.0, random_below(random, 2) ? thin : 1.0, thin));
}

static int add_remote(test_random *random, abut_vec3 *points)
{
    abut_vec3 place = abut_scale(power_in(random, 0.0, 6.0), random_unit(random));
    int count = add_sphere(random, points, 4 + random_below(random, 17), abut_vec3_make(1.0, 1.0, 1.0));
    for (int i = 0; i < count; ++i) {
        points[i] = abut_add(points[i], place);
    }
    return count;
}

int solid_points(test_random *random, solid which, abut_vec3 *points)
{
    int sides = 3 + random_below(random, 8);
    double x = random_in(random, 0.2, 1.0), y = random_in(random, 0.2, 1.0), z = random_in(random, 0.05, 1.0);
    switch (which) {
    case SOLID_PRISM: return add_polygons(points, sides, 1.0, 0.0, z);
    case SOLID_ANTIPRISM: return add_polygons(points, sides, 1.0, PI / sides, z);
    case SOLID_FRUSTUM:
        return add_polygons(points, sides, random_below(random, 2) ? y : 1.0 - power_in(random, -13.0, -1.0), 0.0,
                            z);
    case SOLID_CONE: return add_cone(random, points);
    case SOLID_WEDGE: return add_wedge(random, points);
    case SOLID_CUT_CUBE: return add_cut_cube(random, points);
    case SOLID_BULGE: return add_bulge(random, points);
    case SOLID_PLATE: return add_plate(random, points);
    case SOLID_SUM: return add_sum(random, points);
    case SOLID_ROUND: return add_round(random, points);
    case SOLID_HULL: return add_sphere(random, points, 4 + random_below(random, 17), abut_vec3_make(1.0, y, x));
    case SOLID_SLIVER: return add_sliver(random, points);
    case SOLID_REMOTE: return add_remote(random, points);
    default: return add_box(points, x, y, z);
    }
}

const char *solid_name(solid which)
{
    static const char *const names[SOLID_COUNT] = {"box",   "prism",    "antiprism", "frustum", "cone",
                                                   "wedge", "cut cube", "bulge",     "plate",   "sum",
                                                   "round", "hull",     "sliver",    "remote"};
    return names[which];
}

test_convex make_solid(test_random *random, solid which, double scale)
{
    abut_vec3 points[SOLID_POINTS];
    int count = solid_points(random, which, points);
    for (int i = 0; i < count; ++i) {
        points[i] = abut_scale(scale, points[i]);
    }
    return make_convex(points, count);
}

test_convex copy_solid(const test_convex *shape, double scale)
{
    abut_vec3 points[TEST_POINTS];
    int count = abut_convex_get_info(shape->convex).vertex_count;
    for (int i = 0; i < count; ++i) {
        points[i] = abut_scale(scale, abut_convex_vertex(shape->convex, i, NULL));
    }
    return make_convex(points, count);
}
