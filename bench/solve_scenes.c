// SPDX-License-Identifier: MIT
// solve_scenes.c: problems for the solvers: a wall, stacks, and a pile of boxes
#include "solve_scenes.h"

#include "bench.h"
#include "torus.h"

#include <abut/world.h>
#include <stdlib.h>

static const abut_vec3 brick_size = {2.0, 1.0, 1.0};
static const double density = 2000.0, friction = 0.5, gravity = 9.82, dt = 0.01;

static int make_room(solve_scene *s, int bodies, int contacts)
{
    s->bodies = calloc((size_t)bodies, sizeof *s->bodies);
    s->centers = calloc((size_t)bodies, sizeof *s->centers);
    s->contacts = calloc((size_t)contacts, sizeof *s->contacts);
    s->body_capacity = bodies;
    s->contact_capacity = contacts;
    return (s->bodies != NULL && s->centers != NULL && s->contacts != NULL) || bench_fail("out of memory");
}

void solve_scene_release(solve_scene *s)
{
    free(s->bodies);
    free(s->centers);
    free(s->contacts);
}

static int add_box(solve_scene *s, abut_vec3 size, abut_vec3 center, abut_quat rotation)
{
    double mass = density * size.x * size.y * size.z;
    double xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
    abut_mat3 turn = abut_quat_matrix(rotation);
    abut_mat3 local = {{12.0 / (mass * (yy + zz)), 0.0, 0.0},
                       {0.0, 12.0 / (mass * (xx + zz)), 0.0},
                       {0.0, 0.0, 12.0 / (mass * (xx + yy))}};
    int box = s->body_count++;
    abut_solve_body *body = &s->bodies[box];
    body->inverse_mass = 1.0 / mass;
    body->inverse_inertia = abut_mat3_multiply(abut_mat3_multiply(turn, local), abut_mat3_transpose(turn));
    body->velocity.linear.y = -gravity * dt;
    s->centers[box] = center;
    return box;
}

static int add_brick(solve_scene *s, abut_vec3 center)
{
    return add_box(s, brick_size, center, abut_pose_identity().rotation);
}

static void add_contact(solve_scene *s, int a, int b, abut_vec3 normal, abut_vec3 point)
{
    abut_solve_contact contact = abut_solve_contact_default(a, b, normal);
    contact.arm_a = a != ABUT_SOLVE_WORLD ? abut_sub(point, s->centers[a]) : contact.arm_a;
    contact.arm_b = b != ABUT_SOLVE_WORLD ? abut_sub(point, s->centers[b]) : contact.arm_b;
    contact.friction = friction;
    s->contacts[s->contact_count++] = contact;
}

// Four contacts at the corners center +- u +- v.
static void add_touch(solve_scene *s, int a, int b, abut_vec3 center, abut_vec3 u, abut_vec3 v)
{
    abut_vec3 normal = abut_unit(abut_abs(abut_cross(u, v)));
    for (int i = 0; i < 4; ++i) {
        abut_vec3 point =
            abut_add_scaled(abut_add_scaled(center, i % 2 == 0 ? -1.0 : 1.0, u), i < 2 ? -1.0 : 1.0, v);
        add_contact(s, a, b, normal, point);
    }
}

int solve_scene_wall(solve_scene *s, const char *name, int rows, int bricks)
{
    const abut_vec3 half_x = {0.5 * brick_size.x, 0.0, 0.0}, quarter_x = {0.25 * brick_size.x, 0.0, 0.0};
    const abut_vec3 half_y = {0.0, 0.5 * brick_size.y, 0.0}, half_z = {0.0, 0.0, 0.5 * brick_size.z};
    *s = (solve_scene){.name = name};
    if (!make_room(s, rows * bricks, 12 * rows * bricks)) {
        return 0;
    }
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < bricks; ++i) {
            double x = (i + 0.5 * (row % 2)) * brick_size.x;
            abut_vec3 center = {x, (row + 0.5) * brick_size.y, 0.0};
            abut_vec3 base = abut_sub(center, half_y);
            int brick = add_brick(s, center), below = brick - bricks;
            if (row == 0) {
                add_touch(s, ABUT_SOLVE_WORLD, brick, base, half_x, half_z);
            }
            for (int k = 0; row > 0 && k < 2; ++k) {
                // the bricks below: two, or one at the end of a row
                int neighbour = row % 2 == 0 ? i - 1 + k : i + k;
                if (neighbour >= 0 && neighbour < bricks) {
                    abut_vec3 middle = abut_add_scaled(base, k == 0 ? -1.0 : 1.0, quarter_x);
                    add_touch(s, below - i + neighbour, brick, middle, quarter_x, half_z);
                }
            }
            if (i > 0) {
                add_touch(s, brick - 1, brick, abut_sub(center, half_x), half_y, half_z);
            }
        }
    }
    return 1;
}

int solve_scene_stacks(solve_scene *s, const char *name, int stacks, int height)
{
    const abut_vec3 half_x = {0.5 * brick_size.x, 0.0, 0.0}, half_z = {0.0, 0.0, 0.5 * brick_size.z};
    *s = (solve_scene){.name = name};
    if (!make_room(s, stacks * height, 4 * stacks * height)) {
        return 0;
    }
    for (int i = 0; i < stacks * height; ++i) {
        int level = i % height;
        abut_vec3 base = {3.0 * (double)(i / height), level * brick_size.y, 0.0};
        int brick = add_brick(s, abut_add_scaled(base, 0.5 * brick_size.y, abut_vec3_make(0.0, 1.0, 0.0)));
        add_touch(s, level == 0 ? ABUT_SOLVE_WORLD : brick - 1, brick, base, half_x, half_z);
    }
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// The pile

enum { WALLS = 5, COLUMNS = 8 }; // the ground and four walls; cubes in a row of the bin at the start

typedef struct pile {
    abut_world *world;
    abut_mesh *meshes[2]; // a cube of side 1, and one of side 100 for ground and walls
    abut_shape *shapes[2];
} pile;

static int make_cube(double size, abut_mesh **mesh, abut_shape **shape)
{
    static const int triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    abut_vec3 vertices[8];
    for (int i = 0; i < 8; ++i) {
        vertices[i] =
            abut_scale(0.5 * size, abut_vec3_make(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0));
    }
    abut_mesh_def def = bench_triangle_def(vertices, 8, triangles, 12);
    abut_shape_def shape_def = abut_shape_def_default();
    return abut_mesh_create(NULL, &def, mesh, NULL) == ABUT_OK && (shape_def.mesh = *mesh) != NULL &&
           abut_shape_create(NULL, &shape_def, shape, NULL) == ABUT_OK;
}

static int add_body(pile *p, int shape, abut_pose pose, abut_error *error)
{
    abut_body_def def = abut_body_def_default();
    def.shape = p->shapes[shape];
    def.is_fixed = shape == 1;
    def.material = 0;
    def.pose = pose;
    return abut_world_add_body(p->world, &def, NULL, error) == ABUT_OK;
}

static double random_number(uint64_t *state)
{
    *state = bench_hash(*state, 1);
    return (double)(*state >> 11) * 0x1p-53;
}

// The walls, then the cubes: in a lattice above the ground, turned at random.
static int fill_bin(pile *p, int count, abut_error *error)
{
    const double step = 1.75, side = step * COLUMNS, far = 50.0 + 0.5 * side;
    const abut_vec3 places[WALLS] = {
        {0.0, -50.0, 0.0}, {-far, 0.0, 0.0}, {far, 0.0, 0.0}, {0.0, 0.0, -far}, {0.0, 0.0, far}};
    abut_pose pose = abut_pose_identity();
    uint64_t random = 7;
    int done = 1;
    for (int i = 0; i < WALLS && done; ++i) {
        pose.position = places[i];
        done = add_body(p, 1, pose, error);
    }
    for (int i = 0; i < count && done; ++i) {
        abut_vec3 axis = {random_number(&random) - 0.5, random_number(&random) - 0.5, random_number(&random) - 0.5};
        pose.rotation = abut_quat_from_axis(abut_unit(axis), 3.0 * random_number(&random));
        pose.position =
            abut_vec3_make(step * (i % COLUMNS + 0.5) - 0.5 * side, step * (i / (COLUMNS * COLUMNS) + 0.6),
                           step * (i / COLUMNS % COLUMNS + 0.5) - 0.5 * side);
        done = add_body(p, 0, pose, error);
    }
    return done;
}

// The contacts and bodies of the last step, as the next step would solve them, without the corrections of overlaps.
static int take_pile(solve_scene *s, const pile *p, int count)
{
    abut_world_report report = abut_world_get_report(p->world);
    if (!make_room(s, count, report.contact_count)) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        abut_body_state state = abut_world_get_body(p->world, WALLS + i);
        int box = add_box(s, abut_vec3_make(1.0, 1.0, 1.0), state.center, state.pose.rotation);
        s->bodies[box].velocity.linear = abut_add(s->bodies[box].velocity.linear, state.linear_velocity);
        s->bodies[box].velocity.angular = state.angular_velocity;
    }
    for (int i = 0; i < report.contact_count; ++i) {
        const abut_world_contact *c = &report.contacts[i];
        int a = c->body_a < WALLS ? ABUT_SOLVE_WORLD : c->body_a - WALLS;
        add_contact(s, a, c->body_b - WALLS, c->contact.normal, c->contact.position);
    }
    return 1;
}

static int simulate(pile *p, int count, int steps, abut_error *error)
{
    const abut_option overlap = {"manifold", 1.0};
    abut_params params = abut_params_default();
    params.options = &overlap;
    params.option_count = 1;
    abut_prox_params prox = abut_prox_params_default();
    prox.iteration_limit = 25;
    prox.relative_tolerance = 1e-4;
    abut_world_def def = abut_world_def_default();
    def.has_sweeps = 0; // one detection and one solve a step
    def.gravity = abut_vec3_make(0.0, -gravity, 0.0);
    def.dt = dt;
    def.method = abut_method_find("convex");
    def.params = &params;
    def.prox = &prox;
    def.stabilisation.slop = 1e-3;
    abut_material stone = abut_material_default();
    stone.density = density;
    stone.friction = friction;
    int done = abut_world_create(NULL, &def, &p->world, error) == ABUT_OK &&
               abut_world_add_material(p->world, &stone, NULL, error) == ABUT_OK && fill_bin(p, count, error);
    for (int i = 0; i < steps && done; ++i) {
        done = abut_world_step(p->world, error) == ABUT_OK;
    }
    return done;
}

int solve_scene_pile(solve_scene *s, const char *name, int count, int steps)
{
    pile p = {.world = NULL};
    abut_error error = {.text = "no cube"};
    *s = (solve_scene){.name = name};
    int done = make_cube(1.0, &p.meshes[0], &p.shapes[0]) && make_cube(100.0, &p.meshes[1], &p.shapes[1]) &&
               simulate(&p, count, steps, &error);
    done = done ? take_pile(s, &p, count) : bench_fail("%s", error.text);
    abut_world_destroy(p.world);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(p.shapes[i]);
        abut_mesh_destroy(p.meshes[i]);
    }
    return done;
}

// ---------------------------------------------------------------------------------------------------------------
// The residual

abut_solve_problem solve_scene_problem(const solve_scene *s)
{
    abut_solve_problem problem = abut_solve_problem_default();
    problem.bodies = s->bodies;
    problem.body_count = s->body_count;
    problem.contacts = s->contacts;
    problem.contact_count = s->contact_count;
    return problem;
}

// The speed along `direction` for a unit of impulse along it, of one body.
static double response(const solve_scene *s, int body, abut_vec3 arm, abut_vec3 direction)
{
    if (body == ABUT_SOLVE_WORLD) {
        return 0.0;
    }
    abut_vec3 moment = abut_cross(arm, direction);
    return s->bodies[body].inverse_mass +
           abut_dot(moment, abut_mat3_apply(s->bodies[body].inverse_inertia, moment));
}

static abut_vec3 point_velocity(const abut_solve_velocity *velocities, int body, abut_vec3 arm)
{
    return body == ABUT_SOLVE_WORLD ? abut_vec3_make(0.0, 0.0, 0.0)
                                    : abut_add(velocities[body].linear, abut_cross(velocities[body].angular, arm));
}

double solve_scene_residual(const solve_scene *s, const abut_solve_velocity *velocities,
                            const abut_solve_impulse *impulses)
{
    double largest = 0.0;
    for (int i = 0; i < s->contact_count; ++i) {
        const abut_solve_contact *c = &s->contacts[i];
        abut_vec3 first = abut_any_perpendicular(c->normal), second = abut_cross(c->normal, first);
        double along = response(s, c->body_a, c->arm_a, c->normal) + response(s, c->body_b, c->arm_b, c->normal);
        double across = fmax(response(s, c->body_a, c->arm_a, first) + response(s, c->body_b, c->arm_b, first),
                             response(s, c->body_a, c->arm_a, second) + response(s, c->body_b, c->arm_b, second));
        abut_vec3 u = abut_sub(point_velocity(velocities, c->body_b, c->arm_b),
                               point_velocity(velocities, c->body_a, c->arm_a));
        double u_n = abut_dot(u, c->normal), radius = c->friction * fmax(impulses[i].normal, 0.0);
        abut_vec3 slip = abut_add_scaled(u, -u_n, c->normal);
        abut_vec3 wanted = abut_add_scaled(impulses[i].tangent, -1.0 / across, slip);
        double size = abut_norm(wanted);
        abut_vec3 allowed = size > radius ? abut_scale(radius / size, wanted) : wanted;
        double miss = across * abut_norm(abut_sub(impulses[i].tangent, allowed));
        largest = fmax(largest, fmax(fabs(fmin(u_n, along * impulses[i].normal)), miss));
    }
    return largest;
}
