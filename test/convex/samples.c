// SPDX-License-Identifier: MIT
// samples.c: random pairs of solids
#include "samples.h"

static const double PI = 3.14159265358979323846;

/// Number of pairs of each arrangement, of 100.
static const int shares[ARRANGEMENTS] = {22, 18, 16, 14, 6, 14, 6, 4};

const char *arrangement_name(arrangement which)
{
    static const char *const names[ARRANGEMENTS] = {"free",      "parallel", "stacked", "on a plane",
                                                    "identical", "touching", "inside",  "large"};
    return names[which];
}

static double random_scale(test_random *random)
{
    return pow(10.0, random_in(random, -3.0, 3.0));
}

static test_convex make_large(test_random *random, double scale)
{
    int count = random_below(random, 4) == 0 ? 60 + random_below(random, 141) : 20 + random_below(random, 41);
    return make_convex_ball(random, count,
                            abut_scale(scale, abut_vec3_make(1.0, random_in(random, 0.3, 1.0), 1.0)));
}

static void make_shapes(test_random *random, sample *s)
{
    double scale_a = random_below(random, 3) ? 1.0 : random_scale(random);
    double scale_b = random_below(random, 3) ? scale_a : random_below(random, 2) ? 1.0 : random_scale(random);
    s->solid_a = (solid)random_below(random, SOLID_COUNT);
    s->solid_b = (solid)random_below(random, SOLID_COUNT);
    if (s->arranged == ARRANGED_LARGE) {
        s->solid_a = s->solid_b = SOLID_HULL;
        s->a = make_large(random, scale_a);
        s->b = make_large(random, scale_b);
        return;
    }
    s->a = make_solid(random, s->solid_a, scale_a);
    int is_copy =
        s->arranged == ARRANGED_IDENTICAL ||
        ((s->arranged == ARRANGED_PARALLEL || s->arranged == ARRANGED_STACKED) && random_below(random, 2));
    if (is_copy) {
        s->solid_b = s->solid_a;
        s->b = copy_solid(&s->a, s->arranged == ARRANGED_IDENTICAL || random_below(random, 3) ? 1.0 : 0.5);
    } else {
        double scale = s->arranged == ARRANGED_INSIDE ? scale_a * random_in(random, 0.02, 0.3) : scale_b;
        s->b = make_solid(random, s->solid_b, scale);
    }
}

// A rotation by 0 or by 1e-14 to 1e-6 radians, about a random axis or a coordinate axis.
static abut_quat random_tilt(test_random *random)
{
    abut_vec3 axis = random_unit(random);
    if (random_below(random, 2)) {
        int own = random_below(random, 3);
        axis = abut_vec3_make(own == 0, own == 1, own == 2);
    }
    return abut_quat_from_axis(axis, random_below(random, 3) ? pow(10.0, random_in(random, -14.0, -6.0)) : 0.0);
}

// An angle that maps some regular polygon of up to twelve sides to itself, or aligns its sides with another one.
static double random_part(test_random *random)
{
    return PI / (1 + random_below(random, 12)) * random_below(random, 12);
}

static abut_quat random_parallel(test_random *random)
{
    int own = random_below(random, 4);
    abut_quat turn = abut_quat_from_axis(abut_vec3_make(own == 0, own == 1, own >= 2), random_part(random));
    return abut_quat_unit(abut_quat_multiply(random_tilt(random), turn));
}

// The normal and a corner of a random triangle that is not too thin to have a normal.
static abut_vec3 random_face(test_random *random, const abut_mesh *mesh, abut_vec3 *corner)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    for (;;) {
        const int *corners = &e.triangles[3 * random_below(random, e.triangle_count)];
        *corner = e.vertices[corners[0]];
        abut_vec3 u = abut_sub(e.vertices[corners[1]], *corner), v = abut_sub(e.vertices[corners[2]], *corner);
        abut_vec3 n = abut_cross(u, v);
        if (abut_norm(n) > 1e-10 * abut_norm(u) * abut_norm(v)) {
            return abut_unit(n);
        }
    }
}

// The rotation that takes one unit vector to another.
static abut_quat turn_to(abut_vec3 from, abut_vec3 to)
{
    abut_vec3 axis = abut_cross(from, to);
    abut_quat turn = {1.0 + abut_dot(from, to), axis.x, axis.y, axis.z};
    if (turn.w > 1e-6) {
        return abut_quat_unit(turn);
    }
    abut_vec3 side = fabs(from.x) < 0.6 ? abut_vec3_make(1.0, 0.0, 0.0) : abut_vec3_make(0.0, 1.0, 0.0);
    return abut_quat_from_axis(abut_unit(abut_cross(from, side)), PI);
}

static abut_vec3 random_tangent(test_random *random, abut_vec3 normal, double extent)
{
    abut_vec3 v = random_vec3(random, extent);
    return abut_add_scaled(v, -abut_dot(v, normal), normal);
}

// Puts a face of B on a face of A; some turned by a fraction of a circle, some tilted, some with a gap or an overlap.
static void stack(test_random *random, sample *s)
{
    abut_vec3 on_a, on_b;
    abut_vec3 normal_a = random_face(random, s->a.mesh, &on_a), normal_b = random_face(random, s->b.mesh, &on_b);
    abut_quat spin =
        abut_quat_from_axis(normal_a, random_below(random, 2) ? random_in(random, -3.0, 3.0) : random_part(random));
    abut_quat turn = abut_quat_multiply(spin, turn_to(abut_negate(normal_b), normal_a));
    s->pair.pose_b.rotation = abut_quat_unit(abut_quat_multiply(random_tilt(random), turn));
    abut_vec3 place = abut_sub(on_a, abut_quat_rotate(s->pair.pose_b.rotation, on_b));
    int how = random_below(random, 4);
    double gap = how == 0   ? 0.0
                 : how == 1 ? random_in(random, -1e-12, 1e-12)
                            : -pow(10.0, random_in(random, -9.0, 0.0));
    place = abut_add_scaled(place, (how == 3 ? -0.1 * gap : gap) * s->small, normal_a);
    s->pair.pose_b.position = abut_add(place, random_tangent(random, normal_a, 0.5 * s->small));
}

// Puts B on the plane of a face of A, up to a few ulps. B may be beside the face, at any distance.
static void put_on_plane(test_random *random, sample *s)
{
    abut_vec3 on_a, normal = random_face(random, s->a.mesh, &on_a);
    s->pair.pose_b.rotation = random_below(random, 3) ? random_rotation(random) : random_parallel(random);
    abut_mesh_elements b = abut_mesh_get_elements(s->b.mesh);
    double lowest = HUGE_VAL;
    for (int i = 0; i < b.vertex_count; ++i) {
        lowest = fmin(lowest, abut_dot(normal, abut_quat_rotate(s->pair.pose_b.rotation, b.vertices[i])));
    }
    abut_vec3 place = abut_scale(abut_dot(normal, on_a) - lowest, normal);
    s->pair.pose_b.position =
        abut_add(place, random_tangent(random, normal, random_below(random, 3) ? s->small : s->large));
    double gap = random_below(random, 2) ? random_in(random, -4e-16, 4e-16) : random_in(random, -1e-12, 1e-12);
    s->pair.pose_b.position = abut_add_scaled(s->pair.pose_b.position, gap * s->large, normal);
}

/// Moves B along the normal to the given distance.
static void bring_to(abut_convex_pair *pair, double distance)
{
    abut_convex_result r;
    if (abut_convex_distance(pair, NULL, NULL, &r) == ABUT_OK) {
        pair->pose_b.position = abut_add_scaled(pair->pose_b.position, distance - r.distance, r.normal);
    }
}

static void pose_freely(test_random *random, sample *s)
{
    abut_pose *b = &s->pair.pose_b;
    b->rotation = random_rotation(random);
    if (s->arranged == ARRANGED_PARALLEL || (s->arranged == ARRANGED_TOUCHING && random_below(random, 2))) {
        b->rotation = random_parallel(random);
    } else if (s->arranged == ARRANGED_IDENTICAL) {
        b->rotation = abut_quat_unit(random_tilt(random));
    }
    abut_vec3 center_a = abut_convex_get_info(s->a.convex).inner_center;
    abut_vec3 center_b = abut_quat_rotate(b->rotation, abut_convex_get_info(s->b.convex).inner_center);
    double way = 0.8 * (random_below(random, 2) ? s->small : s->large);
    if (s->arranged == ARRANGED_IDENTICAL) {
        way = 0.0;
    } else if (s->arranged == ARRANGED_INSIDE || random_below(random, 8) == 0) {
        way = random_below(random, 4) == 0 ? 0.0 : 0.1 * s->small;
    }
    b->position = abut_add_scaled(abut_sub(center_a, center_b), random_in(random, 0.0, way), random_unit(random));
    if (s->arranged == ARRANGED_TOUCHING) {
        bring_to(&s->pair, s->small * (random_below(random, 4) ? random_in(random, -1e-12, 1e-12) : 0.0));
    } else if (s->arranged != ARRANGED_IDENTICAL && random_below(random, 3) == 0) {
        double sign = random_below(random, 4) == 0 ? 1.0 : -1.0;
        bring_to(&s->pair, sign * s->small * pow(10.0, random_in(random, -9.0, -1.0)));
    }
}

static double reach_of(const abut_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double reach = 0.0;
    for (int i = 0; i < e.vertex_count; ++i) {
        reach = fmax(reach, abut_norm(e.vertices[i]));
    }
    return reach;
}

sample make_sample(uint64_t number)
{
    test_random random = {number * 0x2545f4914f6cdd1du + 20160508};
    sample s = {.arranged = ARRANGED_FREELY};
    for (int drawn = random_below(&random, 100); drawn >= shares[s.arranged];) {
        drawn -= shares[s.arranged++];
    }
    make_shapes(&random, &s);
    s.pair = abut_convex_pair_default(s.a.convex, s.b.convex);
    double diagonal_a = abut_box_diagonal(abut_mesh_get_elements(s.a.mesh).bounds);
    double diagonal_b = abut_box_diagonal(abut_mesh_get_elements(s.b.mesh).bounds);
    s.small = fmin(diagonal_a, diagonal_b);
    s.large = fmax(diagonal_a, diagonal_b);
    switch (s.arranged) {
    case ARRANGED_STACKED: stack(&random, &s); break;
    case ARRANGED_ON_PLANE: put_on_plane(&random, &s); break;
    default: pose_freely(&random, &s);
    }
    if (random_below(&random, 3)) {
        abut_pose world = {random_vec3(&random, (random_below(&random, 4) == 0 ? 1e6 : 1.0) * s.large),
                           random_rotation(&random)};
        s.pair.pose_a = world;
        s.pair.pose_b = abut_pose_multiply(world, s.pair.pose_b);
        s.pair.pose_b.rotation = abut_quat_unit(s.pair.pose_b.rotation);
    }
    double reach_a = reach_of(s.a.mesh), reach_b = reach_of(s.b.mesh);
    abut_vec3 position_a = s.pair.pose_a.position, position_b = s.pair.pose_b.position;
    s.size = s.large + fmax(fmax(abut_norm(position_a), abut_norm(position_b)), fmax(reach_a, reach_b));
    s.span = reach_a + reach_b + abut_norm(abut_sub(position_b, position_a));
    return s;
}

void release_sample(sample *s)
{
    release_convex(&s->a);
    release_convex(&s->b);
}
