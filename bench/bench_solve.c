// SPDX-License-Identifier: MIT
// bench_solve.c: time and residual of the solvers, beside other libraries
//
// Scenes: walls, stacks and a pile, after one step of gravity (solve_scenes.h). First the time of a contact and sweep,
// over 100 sweeps from zero impulses. Then the residual over time: for each number of sweeps, the time of the whole
// solution and the largest speed by which a contact misses its law, computed here in the same way for all solvers, which
// get the same problem. A conjugate iteration is two sweeps; `newton` is the default, whose Newton steps are counted
// apart. A curve ends where more sweeps change nothing, or would take too long, which a note says. Then what two threads
// gain, and last, stacks by Lemke's method.
#include "groups.h"
#include "solve_scenes.h"
#include "solve_threads.h"
#ifdef ABUT_PEER_IMPULSES
#include "peers.h"
#endif

#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 100 };

// The longest solution of a curve, in times of a row (`--seconds`).
static const double curve_rows = 4.0;

typedef struct work {
    const solve_scene *scene;
    abut_solver *solver;
    abut_solve_problem problem;
    abut_solve_impulse *impulses;
    abut_solve_velocity *velocities;
    abut_solve_result result;
    abut_prox_params prox;
    abut_mcp_params mcp;
#ifdef ABUT_PEER_IMPULSES
    const peer_impulses *peer;
    void *made;
    int sweeps;
    double *peer_velocities, *peer_impulses;
#endif
} work;

static int start_work(work *w, const solve_scene *scene, abut_solver *solver)
{
    *w = (work){.scene = scene, .solver = solver, .problem = solve_scene_problem(scene)};
    w->impulses = calloc((size_t)scene->contact_count, sizeof *w->impulses);
    w->velocities = calloc((size_t)scene->body_count, sizeof *w->velocities);
    w->result.impulses = w->impulses;
    w->result.velocities = w->velocities;
    w->prox = abut_prox_params_default();
    w->prox.relative_tolerance = 0.0;
    w->mcp = abut_mcp_params_default();
    return (w->impulses != NULL && w->velocities != NULL) || bench_fail("out of memory");
}

static void end_work(work *w)
{
    free(w->impulses);
    free(w->velocities);
}

static uint64_t hash_velocities(const work *w)
{
    uint64_t hash = 0;
    for (int i = 0; i < w->scene->body_count; ++i) {
        uint64_t bits[2];
        memcpy(bits, &w->velocities[i].linear, sizeof bits);
        hash = bench_hash(bench_hash(hash, bits[0]), bits[1]);
    }
    return hash;
}

static uint64_t run_prox(void *data)
{
    work *w = data;
    return abut_solve_prox(w->solver, &w->problem, &w->prox, &w->result, NULL) == ABUT_OK ? hash_velocities(w) : 0;
}

static uint64_t run_mcp(void *data)
{
    work *w = data;
    return abut_solve_mcp(w->solver, &w->problem, &w->mcp, &w->result, NULL) == ABUT_OK ? hash_velocities(w) : 0;
}

// The number of contacts without an impulse, which take less time.
static int open_count(const work *w)
{
    int count = 0;
    for (int i = 0; i < w->scene->contact_count; ++i) {
        count += w->impulses[i].normal == 0.0;
    }
    return count;
}

static int measure_sweeps(bench_report *report, const bench_options *options, work *w, const char *subject,
                          double *best_ns)
{
    w->prox.iteration_limit = w->prox.sweep == ABUT_SWEEP_CONJUGATE ? SWEEPS / 2 : SWEEPS;
    w->prox.has_newton = 0;
    (void)run_prox(w);
    bench_row row = {.scene = w->scene->name,
                     .subject = subject,
                     .calls = (int64_t)w->scene->contact_count * SWEEPS,
                     .values = {{"contacts", w->scene->contact_count},
                                {"sweeps", SWEEPS},
                                {"open", open_count(w)},
                                {"residual", solve_scene_residual(w->scene, w->velocities, w->impulses)}}};
    int done = bench_measure(report, options, &row, run_prox, w);
    *best_ns = row.min_ns;
    return done;
}

static int measure_prox(bench_report *report, const bench_options *options, work *w, double *local_ns)
{
    double other_ns;
    w->prox.sweep = ABUT_SWEEP_FORWARD;
    w->prox.factor = ABUT_FACTOR_LOCAL;
    int done = measure_sweeps(report, options, w, "prox, local", local_ns);
    w->prox.factor = ABUT_FACTOR_GLOBAL;
    done = done && measure_sweeps(report, options, w, "prox, global", &other_ns);
    w->prox.factor = ABUT_FACTOR_BLOCKED;
    done = done && measure_sweeps(report, options, w, "prox, blocked", &other_ns);
    w->prox.factor = ABUT_FACTOR_LOCAL;
    w->prox.sweep = ABUT_SWEEP_CONJUGATE;
    return done && measure_sweeps(report, options, w, "prox, conjugate", &other_ns);
}

// A row of the residual over time: the whole solution is one call.
static int measure_residual(bench_report *report, const bench_options *options, work *w, const char *subject,
                            int sweeps, bench_body *body, bench_row *row)
{
    const bench_row made = {.scene = w->scene->name,
                            .subject = subject,
                            .calls = 1,
                            .values = {{"contacts", w->scene->contact_count}, {"sweeps", sweeps}}};
    *row = made;
    if (!bench_measure(report, options, row, body, w)) {
        return 0;
    }
    bench_row *added = &report->rows[report->count - 1];
    bench_add_value(added, "newton_steps", w->result.newton_steps);
    bench_add_value(added, "residual", solve_scene_residual(w->scene, w->velocities, w->impulses));
    return 1;
}

static int measure_mcp(bench_report *report, const bench_options *options, work *w)
{
    (void)run_mcp(w);
    bench_row row = {.scene = w->scene->name,
                     .subject = "mcp, 4 directions",
                     .calls = 1,
                     .values = {{"contacts", w->scene->contact_count},
                                {"pivots", w->result.iterations},
                                {"residual", solve_scene_residual(w->scene, w->velocities, w->impulses)}}};
    return w->result.outcome == ABUT_SOLVE_CONVERGED && bench_measure(report, options, &row, run_mcp, w);
}

#ifdef ABUT_PEER_IMPULSES
static uint64_t run_peer(void *data)
{
    work *w = data;
    w->peer->solve(w->made, w->sweeps, w->peer_velocities, w->peer_impulses);
    for (int i = 0; i < w->scene->body_count; ++i) {
        const double *v = w->peer_velocities + 6 * i;
        w->velocities[i].linear = abut_vec3_make(v[0], v[1], v[2]);
        w->velocities[i].angular = abut_vec3_make(v[3], v[4], v[5]);
    }
    for (int i = 0; i < w->scene->contact_count; ++i) {
        const double *f = w->peer_impulses + 3 * i;
        abut_vec3 impulse = abut_vec3_make(f[0], f[1], f[2]), normal = w->scene->contacts[i].normal;
        w->impulses[i].normal = abut_dot(impulse, normal);
        w->impulses[i].tangent = abut_add_scaled(impulse, -w->impulses[i].normal, normal);
    }
    return hash_velocities(w);
}

static void *make_peer(const solve_scene *s)
{
    peer_body *bodies = calloc((size_t)s->body_count, sizeof *bodies);
    peer_contact *contacts = calloc((size_t)s->contact_count, sizeof *contacts);
    void *made = NULL;
    for (int i = 0; bodies != NULL && i < s->body_count; ++i) {
        const abut_solve_body *b = &s->bodies[i];
        abut_vec3 c = s->centers[i], v = b->velocity.linear, spin = b->velocity.angular;
        // bricks are not turned, and the inertia of a cube is that of a ball
        bodies[i] =
            (peer_body){1.0 / b->inverse_mass,
                        {1.0 / b->inverse_inertia.x.x, 1.0 / b->inverse_inertia.y.y, 1.0 / b->inverse_inertia.z.z},
                        {c.x, c.y, c.z},
                        {v.x, v.y, v.z},
                        {spin.x, spin.y, spin.z}};
    }
    for (int i = 0; contacts != NULL && i < s->contact_count; ++i) {
        const abut_solve_contact *c = &s->contacts[i];
        abut_vec3 p = abut_add(s->centers[c->body_b], c->arm_b);
        contacts[i] = (peer_contact){
            c->body_a, c->body_b, {p.x, p.y, p.z}, {c->normal.x, c->normal.y, c->normal.z}, c->friction};
    }
    if (bodies != NULL && contacts != NULL) {
        made = peer_bullet_impulses.make(bodies, s->body_count, contacts, s->contact_count);
    }
    free(bodies);
    free(contacts);
    return made;
}

static int start_peer(work *w)
{
    w->peer = &peer_bullet_impulses;
    w->made = make_peer(w->scene);
    w->peer_velocities = calloc(6 * (size_t)w->scene->body_count, sizeof *w->peer_velocities);
    w->peer_impulses = calloc(3 * (size_t)w->scene->contact_count, sizeof *w->peer_impulses);
    return w->made != NULL && w->peer_velocities != NULL && w->peer_impulses != NULL &&
           w->peer->count(w->made) == w->scene->contact_count;
}

static void end_peer(work *w)
{
    if (w->made != NULL) {
        w->peer->release(w->made);
    }
    free(w->peer_velocities);
    free(w->peer_impulses);
}

// The time of a contact and sweep.
static int measure_peer(bench_report *report, const bench_options *options, work *w, double local_ns)
{
    w->sweeps = SWEEPS;
    (void)run_peer(w);
    bench_row row = {.scene = w->scene->name,
                     .subject = w->peer->name,
                     .calls = (int64_t)w->scene->contact_count * SWEEPS,
                     .baseline_ns = local_ns,
                     .values = {{"contacts", w->scene->contact_count},
                                {"sweeps", SWEEPS},
                                {"residual", solve_scene_residual(w->scene, w->velocities, w->impulses)}}};
    return bench_measure(report, options, &row, run_peer, w);
}
#endif

enum { CONJUGATE, NEWTON, PEER, CURVES };

// Prepares a point of a curve. Returns what to run.
static bench_body *set_point(work *w, int curve, int sweeps)
{
    w->prox = abut_prox_params_default();
    w->prox.relative_tolerance = curve == NEWTON ? 1e-12 : 0.0;
    w->prox.has_newton = curve == NEWTON;
    w->prox.iteration_limit = sweeps / 2;
    w->result.newton_steps = 0;
#ifdef ABUT_PEER_IMPULSES
    w->sweeps = sweeps;
    return curve == PEER ? run_peer : run_prox;
#else
    return run_prox;
#endif
}

// The residual over time of one solver.
static int measure_curve(bench_report *report, const bench_options *options, work *w, int curve,
                         const char *subject)
{
    static const int sweeps[] = {10, 20, 50, 100, 200, 500, 1000};
    bench_row last = {.hash = 0};
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; ++i) {
        double predicted = i > 0 ? 1e-9 * last.min_ns * sweeps[i] / sweeps[i - 1] : 0.0;
        if (predicted > curve_rows * options->seconds) {
            bench_note(report, "%s, %s: no %d sweeps, which would take about %.2g s, longer than %.2g s",
                       w->scene->name, subject, sweeps[i], predicted, curve_rows * options->seconds);
            return 1;
        }
        bench_row row;
        bench_body *body = set_point(w, curve, sweeps[i]);
        if (!measure_residual(report, options, w, subject, sweeps[i], body, &row)) {
            return 0;
        }
        if (row.hash == last.hash) {
            return 1; // converged
        }
        last = row;
    }
    return 1;
}

static int measure_curves(bench_report *report, const bench_options *options, work *w)
{
    int done = measure_curve(report, options, w, CONJUGATE, "conjugate") &&
               measure_curve(report, options, w, NEWTON, "newton");
#ifdef ABUT_PEER_IMPULSES
    done = done && start_peer(w) && measure_curve(report, options, w, PEER, w->peer->name);
    end_peer(w);
#endif
    return done;
}

static int measure_scene(bench_report *report, const bench_options *options, abut_solver *solver,
                         const solve_scene *scene, int kind)
{
    work w;
    double local_ns = 0.0;
    int done = start_work(&w, scene, solver);
    if (done && kind == 0) {
        done = measure_prox(report, options, &w, &local_ns);
#ifdef ABUT_PEER_IMPULSES
        done = done && start_peer(&w) && measure_peer(report, options, &w, local_ns);
        end_peer(&w);
#endif
    } else if (done && kind == 1) {
        done = measure_curves(report, options, &w) && solve_threads(report, options, scene);
    } else if (done) {
        done = measure_mcp(report, options, &w);
    }
    end_work(&w);
    return done || bench_fail("a solver failed");
}

// The scenes: what is built, and what is measured of it (0: sweeps, 1: the residual over time and threads, 2: Lemke).
static int measure_all(bench_report *report, const bench_options *options, abut_solver *solver)
{
    static const struct {
        const char *name;
        int shape, first, second; // 0: wall of rows and bricks; 1: stacks and height; 2: pile of cubes and steps
        int kind, is_large;
    } scenes[] = {{"wall of 80 bricks", 0, 10, 8, 0, 0},
                  {"wall of 10 x 10", 0, 10, 10, 1, 0},
                  {"100 stacks of 10", 1, 100, 10, 1, 0},
                  {"pile of 200", 2, 200, 120, 1, 0},
                  {"wall of 50 x 100", 0, 50, 100, 1, 1},
                  {"pile of 1,000", 2, 1000, 150, 1, 1},
                  {"brick", 1, 1, 1, 2, 0},
                  {"stack of 3", 1, 1, 3, 2, 0},
                  {"stack of 10", 1, 1, 10, 2, 0}};
    int done = 1;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0] && done; ++i) {
        if ((scenes[i].is_large && !options->is_large) || !bench_wants(options, scenes[i].name, NULL)) {
            continue;
        }
        solve_scene s;
        int first = scenes[i].first, second = scenes[i].second;
        done = scenes[i].shape == 0   ? solve_scene_wall(&s, scenes[i].name, first, second)
               : scenes[i].shape == 1 ? solve_scene_stacks(&s, scenes[i].name, first, second)
                                      : solve_scene_pile(&s, scenes[i].name, first, second);
        done = done && measure_scene(report, options, solver, &s, scenes[i].kind);
        solve_scene_release(&s);
    }
    return done;
}

int bench_solve(bench_report *report, const bench_options *options)
{
    abut_solver *solver;
    abut_context context = bench_context(0);
    if (abut_solver_create(&context, &solver) != ABUT_OK) {
        return bench_fail("no memory");
    }
    int done = measure_all(report, options, solver);
    abut_solver_destroy(solver);
    return done;
}
