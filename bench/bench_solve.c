// SPDX-License-Identifier: MIT
// bench_solve.c: time of the solvers, beside other libraries
//
// Scenes: a wall of 10 rows of 8 bricks, each row shifted by half a brick, with 4 contacts per touching pair and
// friction 0.5, after one step of gravity: 852 contacts. Times are per contact and sweep, over 100 sweeps from zero
// impulses. In the exact solution nothing moves: `left_200` and `left_1000` are the largest speeds after that many
// sweeps, starting from 0.0982. Then stacks of blocks, four contacts each, by Lemke's method; times are for the
// whole problem.
#include "groups.h"
#ifdef ABUT_PEER_IMPULSES
#include "peers.h"
#endif

#include <abut/solve.h>
#include <string.h>

enum { ROWS = 10, BRICKS = 8, BODIES = ROWS * BRICKS, CONTACTS = 1000, SWEEPS = 100 };

static const abut_vec3 brick_size = {2.0, 1.0, 1.0};
static const double brick_mass = 4000.0, friction = 0.5, fall = 0.0982;

typedef struct scene {
    abut_solver *solver;
    abut_solve_body bodies[BODIES];
    abut_vec3 centers[BODIES];
    abut_solve_contact contacts[CONTACTS];
    abut_solve_problem problem;
    abut_solve_impulse impulses[CONTACTS];
    abut_solve_velocity velocities[BODIES];
    abut_solve_result result;
    abut_prox_params prox;
    abut_mcp_params mcp;
#ifdef ABUT_PEER_IMPULSES
    const peer_impulses *peer;
    void *peer_made;
    int peer_sweeps;
    double peer_velocities[3 * BODIES];
#endif
} scene;

static uint64_t hash_double(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bench_hash(hash, bits);
}

static void start_scene(scene *s, abut_solver *solver)
{
    memset(s, 0, sizeof *s);
    s->solver = solver;
    s->problem = abut_solve_problem_default();
    s->problem.bodies = s->bodies;
    s->problem.contacts = s->contacts;
    s->result.impulses = s->impulses;
    s->result.velocities = s->velocities;
    s->prox = abut_prox_params_default();
    s->prox.relative_tolerance = 0.0;
    s->mcp = abut_mcp_params_default();
}

static int add_brick(scene *s, abut_vec3 center)
{
    double xx = brick_size.x * brick_size.x, yy = brick_size.y * brick_size.y, zz = brick_size.z * brick_size.z;
    int brick = s->problem.body_count++;
    abut_solve_body *body = &s->bodies[brick];
    body->inverse_mass = 1.0 / brick_mass;
    body->inverse_inertia.x.x = 12.0 / (brick_mass * (yy + zz));
    body->inverse_inertia.y.y = 12.0 / (brick_mass * (xx + zz));
    body->inverse_inertia.z.z = 12.0 / (brick_mass * (xx + yy));
    body->velocity.linear.y = -fall;
    s->centers[brick] = center;
    return brick;
}

// Four contacts at the corners center +- u +- v.
static void add_touch(scene *s, int a, int b, abut_vec3 center, abut_vec3 u, abut_vec3 v)
{
    abut_vec3 normal = abut_unit(abut_abs(abut_cross(u, v)));
    for (int i = 0; i < 4; ++i) {
        abut_vec3 point =
            abut_add_scaled(abut_add_scaled(center, i % 2 == 0 ? -1.0 : 1.0, u), i < 2 ? -1.0 : 1.0, v);
        abut_solve_contact contact = abut_solve_contact_default(a, b, normal);
        contact.arm_b = abut_sub(point, s->centers[b]);
        if (a != ABUT_SOLVE_WORLD) {
            contact.arm_a = abut_sub(point, s->centers[a]);
        }
        contact.friction = friction;
        s->contacts[s->problem.contact_count++] = contact;
    }
}

static void build_wall(scene *s)
{
    const abut_vec3 half_x = {0.5 * brick_size.x, 0.0, 0.0}, quarter_x = {0.25 * brick_size.x, 0.0, 0.0};
    const abut_vec3 half_y = {0.0, 0.5 * brick_size.y, 0.0}, half_z = {0.0, 0.0, 0.5 * brick_size.z};
    for (int row = 0; row < ROWS; ++row) {
        for (int i = 0; i < BRICKS; ++i) {
            double x = (i + 0.5 * (row % 2)) * brick_size.x;
            abut_vec3 center = {x, (row + 0.5) * brick_size.y, 0.0};
            abut_vec3 base = abut_sub(center, half_y);
            int brick = add_brick(s, center), below = brick - BRICKS;
            if (row == 0) {
                add_touch(s, ABUT_SOLVE_WORLD, brick, base, half_x, half_z);
            }
            for (int k = 0; row > 0 && k < 2; ++k) {
                // the bricks below: two, or one at the end of a row
                int neighbour = row % 2 == 0 ? i - 1 + k : i + k;
                if (neighbour >= 0 && neighbour < BRICKS) {
                    abut_vec3 middle = abut_add_scaled(base, k == 0 ? -1.0 : 1.0, quarter_x);
                    add_touch(s, below - i + neighbour, brick, middle, quarter_x, half_z);
                }
            }
            if (i > 0) {
                add_touch(s, brick - 1, brick, abut_sub(center, half_x), half_y, half_z);
            }
        }
    }
}

static void build_stack(scene *s, int count)
{
    const abut_vec3 half_x = {0.5 * brick_size.x, 0.0, 0.0}, half_z = {0.0, 0.0, 0.5 * brick_size.z};
    for (int i = 0; i < count; ++i) {
        int brick = add_brick(s, abut_vec3_make(0.0, (i + 0.5) * brick_size.y, 0.0));
        add_touch(s, brick - 1, brick, abut_vec3_make(0.0, i * brick_size.y, 0.0), half_x, half_z);
    }
}

static uint64_t hash_velocities(const scene *s)
{
    uint64_t hash = 0;
    for (int i = 0; i < s->problem.body_count; ++i) {
        hash = hash_double(hash_double(hash, s->velocities[i].linear.x), s->velocities[i].linear.y);
    }
    return hash;
}

static double speed_left(const scene *s)
{
    double largest = 0.0;
    for (int i = 0; i < s->problem.body_count; ++i) {
        largest = fmax(largest, abut_norm(s->velocities[i].linear));
    }
    return largest;
}

// The number of contacts without an impulse, which take less time.
static int open_count(const scene *s)
{
    int count = 0;
    for (int i = 0; i < s->problem.contact_count; ++i) {
        count += s->impulses[i].normal == 0.0;
    }
    return count;
}

static uint64_t run_prox(void *data)
{
    scene *s = data;
    return abut_solve_prox(s->solver, &s->problem, &s->prox, &s->result, NULL) == ABUT_OK ? hash_velocities(s) : 0;
}

static uint64_t run_mcp(void *data)
{
    scene *s = data;
    return abut_solve_mcp(s->solver, &s->problem, &s->mcp, &s->result, NULL) == ABUT_OK ? hash_velocities(s) : 0;
}

// The largest speed after that many sweeps. A conjugate iteration is two sweeps, forward and back.
static double prox_left(scene *s, int sweeps)
{
    s->prox.iteration_limit = s->prox.sweep == ABUT_SWEEP_CONJUGATE ? sweeps / 2 : sweeps;
    (void)run_prox(s);
    return speed_left(s);
}

static int measure_prox(bench_report *report, const bench_options *options, scene *s, const char *subject,
                        double *best_ns)
{
    double left_1000 = prox_left(s, 1000), left_200 = prox_left(s, 200);
    (void)prox_left(s, SWEEPS);
    bench_row row = {.scene = "wall of 80 bricks",
                     .subject = subject,
                     .calls = (int64_t)s->problem.contact_count * SWEEPS,
                     .values = {{"contacts", s->problem.contact_count},
                                {"sweeps", SWEEPS},
                                {"open", open_count(s)},
                                {"left_200", left_200},
                                {"left_1000", left_1000}}};
    int done = bench_measure(report, options, &row, run_prox, s);
    *best_ns = row.min_ns;
    return done;
}

static int measure_wall(bench_report *report, const bench_options *options, scene *s, double *local_ns)
{
    double other_ns;
    s->prox.sweep = ABUT_SWEEP_FORWARD;
    s->prox.factor = ABUT_FACTOR_LOCAL;
    int done = measure_prox(report, options, s, "prox, local", local_ns);
    s->prox.factor = ABUT_FACTOR_GLOBAL;
    done = done && measure_prox(report, options, s, "prox, global", &other_ns);
    s->prox.factor = ABUT_FACTOR_BLOCKED;
    done = done && measure_prox(report, options, s, "prox, blocked", &other_ns);
    s->prox.factor = ABUT_FACTOR_LOCAL;
    s->prox.sweep = ABUT_SWEEP_CONJUGATE;
    return done && measure_prox(report, options, s, "prox, conjugate", &other_ns);
}

static int measure_mcp(bench_report *report, const bench_options *options, scene *s, const char *name)
{
    (void)run_mcp(s);
    bench_row row = {.scene = name,
                     .subject = "mcp, 4 directions",
                     .calls = 1,
                     .values = {{"contacts", s->problem.contact_count},
                                {"pivots", s->result.iterations},
                                {"speed_left", speed_left(s)}}};
    return s->result.outcome == ABUT_SOLVE_CONVERGED && bench_measure(report, options, &row, run_mcp, s);
}

#ifdef ABUT_PEER_IMPULSES
static uint64_t run_peer(void *data)
{
    scene *s = data;
    s->peer->solve(s->peer_made, s->peer_sweeps, s->peer_velocities);
    for (int i = 0; i < s->problem.body_count; ++i) {
        const double *v = s->peer_velocities + 3 * i;
        s->velocities[i].linear = abut_vec3_make(v[0], v[1], v[2]);
    }
    return hash_velocities(s);
}

static double peer_left(scene *s, int sweeps)
{
    s->peer_sweeps = sweeps;
    (void)run_peer(s);
    return speed_left(s);
}

static void *make_peer(const scene *s)
{
    peer_body bodies[BODIES];
    peer_contact contacts[CONTACTS];
    for (int i = 0; i < s->problem.body_count; ++i) {
        const abut_solve_body *b = &s->bodies[i];
        abut_vec3 c = s->centers[i], v = b->velocity.linear;
        peer_body body = {
            1.0 / b->inverse_mass,
            {1.0 / b->inverse_inertia.x.x, 1.0 / b->inverse_inertia.y.y, 1.0 / b->inverse_inertia.z.z},
            {c.x, c.y, c.z},
            {v.x, v.y, v.z}};
        bodies[i] = body;
    }
    for (int i = 0; i < s->problem.contact_count; ++i) {
        const abut_solve_contact *c = &s->contacts[i];
        abut_vec3 p = abut_add(s->centers[c->body_b], c->arm_b);
        peer_contact contact = {
            c->body_a, c->body_b, {p.x, p.y, p.z}, {c->normal.x, c->normal.y, c->normal.z}, c->friction};
        contacts[i] = contact;
    }
    return s->peer->make(bodies, s->problem.body_count, contacts, s->problem.contact_count);
}

static int measure_peer(bench_report *report, const bench_options *options, scene *s, double local_ns)
{
    s->peer = &peer_bullet_impulses;
    s->peer_made = make_peer(s);
    double left_1000 = peer_left(s, 1000), left_200 = peer_left(s, 200);
    (void)peer_left(s, SWEEPS);
    int contacts = s->peer->count(s->peer_made);
    bench_row row = {
        .scene = "wall of 80 bricks",
        .subject = s->peer->name,
        .calls = (int64_t)contacts * SWEEPS,
        .baseline_ns = local_ns,
        .values = {{"contacts", contacts}, {"sweeps", SWEEPS}, {"left_200", left_200}, {"left_1000", left_1000}}};
    int done = bench_measure(report, options, &row, run_peer, s);
    s->peer->release(s->peer_made);
    return done;
}
#endif

int bench_solve(bench_report *report, const bench_options *options)
{
    static const struct {
        const char *name;
        int bricks;
    } stacks[] = {{"brick", 1}, {"stack of 3", 3}, {"stack of 10", 10}};
    abut_solver *solver;
    if (abut_solver_create(NULL, &solver) != ABUT_OK) {
        return bench_fail("no memory");
    }
    scene s;
    double local_ns = 0.0;
    start_scene(&s, solver);
    build_wall(&s);
    int done = measure_wall(report, options, &s, &local_ns);
#ifdef ABUT_PEER_IMPULSES
    done = done && measure_peer(report, options, &s, local_ns);
#endif
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0] && done; ++i) {
        start_scene(&s, solver);
        build_stack(&s, stacks[i].bricks);
        done = measure_mcp(report, options, &s, stacks[i].name);
    }
    if (!done) {
        (void)bench_fail("a solver failed");
    }
    abut_solver_destroy(solver);
    return done;
}
