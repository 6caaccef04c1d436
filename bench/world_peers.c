// SPDX-License-Identifier: MIT
// world_peers.c: simulations of many boxes by our methods and by other libraries: time of a step, and what it is worth
//
// Scenes: stacks of ten cubes; a wall of 20 courses of bricks that touch on all sides, each on two; cubes that fall
// into a bin; and stacks of four that come to rest and sleep. All engines get the same boxes, density, friction,
// gravity, step and number of sweeps. Times are medians over the last 200 steps; over fewer without --large, if the
// time of a row is used up. `drift` is the largest distance of a centre from where it was before these steps, after
// any of them: a box that rocks may be back at the end. `penetration` is the deepest overlap of two boxes at their
// end. Both are found here, from the poses alone, for all engines alike: a box of a stack or wall that drifts was not
// held, and one that penetrates was not stopped. In the pile, drift is no error by itself: a tower of ten that leans on
// an edge after the fall rocks for seconds, as a rigid block does (test_world_rocking.c). Our methods run on one thread
// and on all; the hash, of all poses, must be the same. A note has the gain of a loop that uses no memory.
//
// With --large, "as accurate as Bullet" is our method with the fewest sweeps of a list that leave no more than Bullet's
// penetration and, in stacks and walls, no more than its drift, over the same 200 steps. A number of sweeps that drifts
// too far is given up at once.
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "world_peers.h"

#include "peers.h"
#include "torus.h"

#include <abut/world.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    STEPS = 200,
    FEWEST_STEPS = 3,
    SWEEPS = 50,
    SHAPES = 4,
    BIN_WALLS = 4,
    REST_STEPS = 400 ///< at most, until all boxes sleep
};

static const peer_world_def settings = {
    .density = 1000.0, .friction = 0.5, .gravity = 9.82, .dt = 0.01, .sweeps = SWEEPS};

/// Boxes, where they start; the first one is the ground.
typedef struct box_scene {
    const char *name;
    peer_box *boxes;
    int count;
    int first_steps; ///< not measured: until the boxes have come to rest
    int can_move;    ///< drift is no error
} box_scene;

/// How one of our worlds is simulated.
typedef struct box_way {
    const char *subject, *method;
    double manifold;   ///< option of the method; 0: its default
    int sweeps;        ///< 0: until the solver converges, with sleep
    int threads;       ///< 1, or 0: all
    double seconds;    ///< then it stops before STEPS
    double most_drift; ///< if more, it stops too: the rest would not make it less; 0: any
} box_way;

enum { BROAD, NARROW, SOLVE, STABILISE, PARTS };

/// What one engine did.
typedef struct box_run {
    const char *subject;
    int threads;
    int steps;                      ///< measured
    double times[PARTS + 1][STEPS]; ///< in seconds; the last ones are of the whole step
    double iterations[STEPS], extra_iterations[STEPS];
    abut_pose *begin, *end; ///< of all boxes, before and after the measured steps
    int contacts;           ///< of the last step
    int sweeps;             ///< of a step, at most
    double drift;           ///< the largest so far
    double penetration;     ///< the deepest at the end
} box_run;

static void see_drift(box_run *run, int box, abut_pose pose)
{
    run->drift = fmax(run->drift, abut_norm(abut_sub(pose.position, run->begin[box].position)));
}

// ---------------------------------------------------------------------------------------------------------------
// Scenes

static peer_box box_at(abut_vec3 half, abut_vec3 center)
{
    const peer_box made = {
        .half_sides = {half.x, half.y, half.z},
        .pose = {{center.x, center.y, center.z}, {1.0, 0.0, 0.0, 0.0}},
    };
    return made;
}

static peer_box fixed_box(abut_vec3 half, abut_vec3 center)
{
    peer_box made = box_at(half, center);
    made.is_fixed = 1;
    return made;
}

static int begin_scene(box_scene *scene, const char *name, int count, double ground)
{
    *scene = (box_scene){.name = name, .boxes = malloc((size_t)count * sizeof *scene->boxes)};
    if (scene->boxes == NULL) {
        return bench_fail("out of memory");
    }
    scene->boxes[scene->count++] = fixed_box(abut_vec3_make(ground, 1.0, ground), abut_vec3_make(0.0, -1.0, 0.0));
    return 1;
}

static int make_stacks(box_scene *scene, const char *name, int side, int levels)
{
    if (!begin_scene(scene, name, side * side * levels + 1, side + 1.0)) {
        return 0;
    }
    const abut_vec3 half = {0.5, 0.5, 0.5};
    for (int i = 0; i < side * side * levels; ++i) {
        int stack = i / levels, level = i % levels;
        scene->boxes[scene->count++] = box_at(half, abut_vec3_make(2.0 * (stack % side) - side + 1.0, level + 0.5,
                                                                   2.0 * (stack / side) - side + 1.0));
    }
    return 1;
}

static int make_wall(box_scene *scene, const char *name, int courses, int bricks)
{
    if (!begin_scene(scene, name, courses * bricks + 1, bricks + 2.0)) {
        return 0;
    }
    const abut_vec3 half = {1.0, 0.5, 0.5};
    for (int i = 0; i < courses * bricks; ++i) {
        int course = i / bricks;
        double x = 2.0 * (i % bricks) - bricks + 0.5 * (course % 2); // at the ends a quarter of a brick overhangs
        scene->boxes[scene->count++] = box_at(half, abut_vec3_make(x, course + 0.5, 0.0));
    }
    return 1;
}

static double next_random(uint64_t *state)
{
    *state = bench_hash(*state, 1);
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

/// Cubes that are tilted by up to 0.3 radians, 0.3 apart, above the floor of a bin.
static int make_pile(box_scene *scene, const char *name, int side)
{
    double inner = 0.65 * side + 0.5, height = 2.0 * side;
    if (!begin_scene(scene, name, side * side * side + 1 + BIN_WALLS, inner + 2.0)) {
        return 0;
    }
    for (int i = 0; i < BIN_WALLS; ++i) {
        double sign = i % 2 == 0 ? 1.0 : -1.0, at = sign * (inner + 1.0);
        abut_vec3 along_x = {at, 0.5 * height, 0.0}, along_z = {0.0, 0.5 * height, at};
        abut_vec3 half_x = {1.0, 0.5 * height, inner + 2.0}, half_z = {inner, 0.5 * height, 1.0};
        scene->boxes[scene->count++] = i < 2 ? fixed_box(half_x, along_x) : fixed_box(half_z, along_z);
    }
    uint64_t random = 7;
    const abut_vec3 half = {0.5, 0.5, 0.5};
    double middle = 0.5 * (side - 1);
    for (int i = 0; i < side * side * side; ++i) {
        abut_vec3 center = {1.3 * (i % side - middle), 1.3 * (i / side / side) + 0.8,
                            1.3 * (i / side % side - middle)};
        double x = next_random(&random), y = next_random(&random), z = next_random(&random);
        abut_quat q = abut_quat_from_axis(abut_unit(abut_vec3_make(x, y, z)), 0.3 * next_random(&random));
        peer_box *box = &scene->boxes[scene->count++];
        *box = box_at(half, center);
        const double rotation[4] = {q.w, q.x, q.y, q.z};
        memcpy(box->pose.rotation, rotation, sizeof rotation);
    }
    scene->first_steps = STEPS;
    scene->can_move = 1;
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Our worlds

/// A world with the shapes of its boxes, one for each size.
typedef struct our_world {
    abut_world *world;
    abut_mesh *meshes[SHAPES];
    abut_shape *shapes[SHAPES];
    abut_vec3 halves[SHAPES];
    int shape_count;
} our_world;

typedef struct phase_clock {
    double seconds[6]; ///< of each abut_phase
    double begin;
    abut_phase phase;
} phase_clock;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void on_phase(void *user, abut_phase phase)
{
    phase_clock *clock = user;
    double time = now();
    clock->seconds[clock->phase] += time - clock->begin;
    clock->begin = time;
    clock->phase = phase;
}

static abut_shape *shape_of(our_world *w, const peer_box *box)
{
    abut_vec3 half = {box->half_sides[0], box->half_sides[1], box->half_sides[2]};
    for (int i = 0; i < w->shape_count; ++i) {
        if (abut_norm(abut_sub(w->halves[i], half)) == 0.0) {
            return w->shapes[i];
        }
    }
    if (w->shape_count == SHAPES) {
        return NULL;
    }
    int at = w->shape_count++;
    abut_shape_def def = abut_shape_def_default();
    w->halves[at] = half;
    if (bench_make_box(abut_scale(2.0, half), &w->meshes[at])) {
        def.mesh = w->meshes[at];
        (void)abut_shape_create(NULL, &def, &w->shapes[at], NULL);
    }
    return w->shapes[at];
}

static abut_pose pose_of(const peer_pose *from)
{
    const double *p = from->position, *q = from->rotation;
    return abut_pose_make(abut_vec3_make(p[0], p[1], p[2]), (abut_quat){q[0], q[1], q[2], q[3]});
}

static void release_world(our_world *w)
{
    abut_world_destroy(w->world);
    for (int i = 0; i < w->shape_count; ++i) {
        abut_shape_destroy(w->shapes[i]);
        abut_mesh_destroy(w->meshes[i]);
    }
}

static int make_world(our_world *w, const box_scene *scene, const abut_world_def *def, const abut_context *context)
{
    *w = (our_world){.world = NULL};
    abut_error error = {.text = "out of memory"};
    abut_material stone = abut_material_default();
    stone.density = settings.density;
    stone.friction = settings.friction;
    abut_status status = abut_world_create(context, def, &w->world, &error);
    if (status == ABUT_OK) {
        status = abut_world_add_material(w->world, &stone, NULL, &error);
    }
    for (int i = 0; i < scene->count && status == ABUT_OK; ++i) {
        abut_body_def body = abut_body_def_default();
        body.shape = shape_of(w, &scene->boxes[i]);
        body.pose = pose_of(&scene->boxes[i].pose);
        body.is_fixed = scene->boxes[i].is_fixed;
        body.material = 0;
        status = abut_world_add_body(w->world, &body, NULL, &error);
    }
    return status == ABUT_OK || bench_fail("%s", error.text);
}

static void get_poses(const our_world *w, abut_pose *poses)
{
    for (int i = 0; i < abut_world_body_count(w->world); ++i) {
        poses[i] = abut_world_get_body(w->world, i).pose;
    }
}

/// Whether the free boxes of a world have come to rest, if they may sleep.
static int are_asleep(const our_world *w)
{
    int free_count = 0, count = abut_world_body_count(w->world);
    for (int i = 0; i < count; ++i) {
        free_count += !abut_world_body_is_fixed(w->world, i);
    }
    return abut_world_get_report(w->world).asleep_count == free_count;
}

static void keep_step(const our_world *w, const phase_clock *clock, const phase_clock *before, box_run *run)
{
    const abut_phase phases[PARTS] = {ABUT_PHASE_BROAD, ABUT_PHASE_NARROW, ABUT_PHASE_SOLVE, ABUT_PHASE_STABILISE};
    int i = run->steps++;
    for (int k = 0; k < PARTS; ++k) {
        run->times[k][i] = clock->seconds[phases[k]] - before->seconds[phases[k]];
    }
    abut_world_report report = abut_world_get_report(w->world);
    run->iterations[i] = report.iterations;
    run->extra_iterations[i] = report.stabilisation_iterations;
    run->contacts = report.contact_count;
}

static int has_ended(const box_run *run, double begin, double seconds, double most_drift)
{
    return run->steps == STEPS || (most_drift > 0.0 && run->drift > most_drift) ||
           (run->steps >= FEWEST_STEPS && now() - begin > seconds);
}

static int step_world(const our_world *w, const box_scene *scene, const box_way *way, const phase_clock *clock,
                      box_run *run)
{
    abut_error error;
    for (int i = 0; i < scene->first_steps && !(way->sweeps == 0 && i > 0 && are_asleep(w)); ++i) {
        if (abut_world_step(w->world, &error) != ABUT_OK) {
            return bench_fail("%s, %s: %s", scene->name, run->subject, error.text);
        }
    }
    get_poses(w, run->begin);
    for (double start = now(); !has_ended(run, start, way->seconds, way->most_drift);) {
        phase_clock before = *clock;
        double begin = now();
        if (abut_world_step(w->world, &error) != ABUT_OK) {
            return bench_fail("%s, %s: %s", scene->name, run->subject, error.text);
        }
        run->times[PARTS][run->steps] = now() - begin;
        keep_step(w, clock, &before, run);
        for (int k = 0; k < scene->count; ++k) {
            see_drift(run, k, abut_world_get_body(w->world, k).pose);
        }
    }
    get_poses(w, run->end);
    return 1;
}

/// The deepest overlap of two boxes at the given poses.
static int find_penetration(const box_scene *scene, const abut_pose *poses, double *deepest)
{
    our_world w;
    abut_error error;
    abut_world_def def = abut_world_def_default();
    def.has_sweeps = 0; // one detection and one solve a step
    def.method = abut_method_find("convex");
    abut_context context = bench_context(0);
    int done = make_world(&w, scene, &def, &context);
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < scene->count && done; ++i) {
        done = abut_world_set_body(w.world, i, poses[i], zero, zero, &error) == ABUT_OK;
    }
    done = done && (abut_world_detect(w.world, &error) == ABUT_OK || bench_fail("%s", error.text));
    *deepest = 0.0;
    if (done) {
        abut_world_report report = abut_world_get_report(w.world);
        for (int i = 0; i < report.contact_count; ++i) {
            *deepest = fmax(*deepest, -report.contacts[i].contact.gap);
        }
    }
    release_world(&w);
    return done;
}

static int run_ours(const box_scene *scene, const box_way *way, box_run *run)
{
    our_world w;
    phase_clock clock = {.phase = ABUT_PHASE_END};
    const abut_option option = {"manifold", way->manifold};
    abut_params params = abut_params_default();
    params.options = &option;
    params.option_count = way->manifold > 0.0;
    abut_prox_params prox = abut_prox_params_default();
    prox.iteration_limit = way->sweeps > 0 ? way->sweeps / 2 : prox.iteration_limit; // an iteration is two sweeps
    abut_world_def def = abut_world_def_default();
    def.has_sweeps = 0; // one detection and one solve a step
    def.method = abut_method_find(way->method);
    def.params = &params;
    def.prox = &prox;
    def.has_sleep = way->sweeps == 0;
    def.gravity.y = -settings.gravity;
    def.dt = settings.dt;
    def.callbacks.on_phase = on_phase;
    def.callbacks.user = &clock;
    abut_context context = bench_context(way->threads != 1);
    run->threads = context.worker_count;
    run->sweeps = 2 * prox.iteration_limit;
    int done = make_world(&w, scene, &def, &context) && step_world(&w, scene, way, &clock, run);
    release_world(&w);
    return done && find_penetration(scene, run->end, &run->penetration);
}

// ---------------------------------------------------------------------------------------------------------------
// Other worlds

#ifdef ABUT_PEER_BULLET_WORLD
static int run_peer(const box_scene *scene, const peer_world *peer, double seconds, box_run *run)
{
    void *made = peer->make(scene->boxes, scene->count, &settings);
    for (int i = 0; i < scene->first_steps; ++i) {
        (void)peer->step(made);
    }
    for (int k = 0; k < scene->count; ++k) {
        peer_pose pose = peer->get_pose(made, k);
        run->begin[k] = pose_of(&pose);
    }
    for (double start = now(); !has_ended(run, start, seconds, 0.0);) {
        peer_world_times times = peer->step(made);
        const double parts[PARTS + 1] = {times.broad, times.narrow, times.solve, 0.0, times.step};
        int i = run->steps++;
        for (int k = 0; k <= PARTS; ++k) {
            run->times[k][i] = parts[k];
        }
        run->iterations[i] = SWEEPS;
        run->extra_iterations[i] = 0.0; // within the sweeps
        for (int k = 0; k < scene->count; ++k) {
            peer_pose pose = peer->get_pose(made, k);
            see_drift(run, k, pose_of(&pose));
        }
    }
    for (int k = 0; k < scene->count; ++k) {
        peer_pose pose = peer->get_pose(made, k);
        run->end[k] = pose_of(&pose);
    }
    run->contacts = peer->count_contacts(made);
    run->threads = 1;
    run->sweeps = SWEEPS;
    peer->release(made);
    return find_penetration(scene, run->end, &run->penetration);
}
#endif

// ---------------------------------------------------------------------------------------------------------------
// Rows

static uint64_t hash_poses(const abut_pose *poses, int count)
{
    uint64_t hash = 0;
    for (int i = 0; i < count; ++i) {
        const abut_pose *p = &poses[i];
        const double numbers[7] = {p->position.x, p->position.y, p->position.z, p->rotation.w,
                                   p->rotation.x, p->rotation.y, p->rotation.z};
        for (int k = 0; k < 7; ++k) {
            uint64_t bits;
            memcpy(&bits, &numbers[k], sizeof bits);
            hash = bench_hash(hash, bits);
        }
    }
    return hash;
}

static int add_row(bench_report *report, const box_scene *scene, box_run *run)
{
    static const char *const names[PARTS] = {"broad_ns", "narrow_ns", "solve_ns", "stabilise_ns"};
    bench_row row = {.scene = scene->name, .subject = run->subject, .threads = run->threads, .calls = 1};
    for (int k = 0; k < PARTS; ++k) {
        bench_add_value(&row, names[k], 1e9 * bench_median(run->times[k], run->steps));
    }
    double sum = 0.0; // some steps move overlapping bodies apart, others need not
    for (int i = 0; i < run->steps; ++i) {
        sum += run->times[PARTS][i];
    }
    bench_add_value(&row, "mean_ns", 1e9 * sum / run->steps);
    bench_add_value(&row, "bodies", scene->count);
    bench_add_value(&row, "contacts", run->contacts);
    bench_add_value(&row, "iterations", bench_median(run->iterations, run->steps));
    bench_add_value(&row, "stabilise_iterations", bench_median(run->extra_iterations, run->steps));
    bench_add_value(&row, "sweeps", run->sweeps);
    bench_add_value(&row, "penetration", run->penetration);
    bench_add_value(&row, "drift", run->drift);
    row.hash = hash_poses(run->end, scene->count);
    return bench_add(report, &row, run->times[PARTS], run->steps);
}

/// Runs a scene in one way, on one thread and, unless the way has one, on all, and adds the rows.
static int run_way(bench_report *report, const box_scene *scene, box_way way, box_run *run)
{
    abut_pose *begin = run->begin, *end = run->end;
    uint64_t hash = 0;
    int steps = 0, row_count = way.threads != 1 && bench_context(1).worker_count > 1 ? 2 : 1;
    for (int i = 0; i < row_count; ++i) {
        way.threads = 1 - i;
        *run = (box_run){.subject = way.subject, .begin = begin, .end = end};
        if (!run_ours(scene, &way, run) || !add_row(report, scene, run)) {
            return 0;
        }
        uint64_t found = report->rows[report->count - 1].hash;
        if (i > 0 && run->steps == steps && found != hash) {
            return bench_fail("%s, %s: the number of threads changed the result", scene->name, way.subject);
        }
        hash = found;
        steps = run->steps;
    }
    return 1;
}

#ifdef ABUT_PEER_BULLET_WORLD
typedef struct accurate_way {
    const char *method, *subject;
} accurate_way;

/// Adds a row with the fewest sweeps at which penetration and, unless the boxes can move, drift are at most those of
/// Bullet. More sweeps need not be more accurate, so the numbers are tried from the fewest on.
static int run_as_accurate(bench_report *report, const box_scene *scene, const accurate_way *accurate, double drift,
                           double penetration, box_run *run)
{
    static const int sweeps[] = {8, 12, 16, 24, 32, SWEEPS};
    double most_drift = scene->can_move ? HUGE_VAL : drift;
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; ++i) {
        const box_way way = {.subject = accurate->subject,
                             .method = accurate->method,
                             .sweeps = sweeps[i],
                             .threads = 1,
                             .seconds = HUGE_VAL,
                             .most_drift = most_drift};
        *run = (box_run){.subject = way.subject, .begin = run->begin, .end = run->end};
        if (!run_ours(scene, &way, run)) {
            return 0;
        }
        if (run->drift <= most_drift && run->penetration <= penetration) {
            return add_row(report, scene, run);
        }
    }
    bench_note(report, "%s, %s: even %d sweeps are not as accurate as those of Bullet", scene->name,
               accurate->method, SWEEPS);
    return 1;
}

/// Runs a scene in Bullet, and our methods as accurately.
static int run_bullet(bench_report *report, const bench_options *options, const box_scene *scene, box_run *run)
{
    static const accurate_way ways[] = {{"regions", "regions, as accurate as bullet"},
                                        {"convex", "convex, as accurate as bullet"}};
    int is_wanted = bench_wants(options, scene->name, peer_bullet_world.name);
    for (int i = 0; i < 2; ++i) {
        is_wanted = is_wanted || (options->is_large && bench_wants(options, scene->name, ways[i].subject));
    }
    if (!is_wanted) {
        return 1;
    }
    *run = (box_run){.subject = peer_bullet_world.name, .begin = run->begin, .end = run->end};
    if (!run_peer(scene, &peer_bullet_world, options->is_large ? HUGE_VAL : options->seconds, run) ||
        !add_row(report, scene, run)) {
        return 0;
    }
    double drift = run->drift, penetration = run->penetration;
    for (int i = 0; i < 2 && options->is_large; ++i) {
        if (bench_wants(options, scene->name, ways[i].subject) &&
            !run_as_accurate(report, scene, &ways[i], drift, penetration, run)) {
            return 0;
        }
    }
    return 1;
}
#endif

static int run_ways(bench_report *report, const bench_options *options, const box_scene *scene, box_run *run)
{
    static const box_way ways[] = {
        {.subject = "regions", .method = "regions", .sweeps = SWEEPS},
        {.subject = "convex", .method = "convex", .sweeps = SWEEPS},
        {.subject = "convex, manifold=overlap",
         .method = "convex",
         .manifold = 1.0,
         .sweeps = SWEEPS,
         .threads = 1},
    };
    enum { WAYS = sizeof ways / sizeof ways[0] };
    double seconds = options->is_large ? HUGE_VAL : options->seconds;
    for (int i = 0; i < WAYS; ++i) {
        box_way way = ways[i];
        way.seconds = seconds;
        if (bench_wants(options, scene->name, way.subject) && !run_way(report, scene, way, run)) {
            return 0;
        }
    }
#ifdef ABUT_PEER_BULLET_WORLD
    return run_bullet(report, options, scene, run);
#else
    return 1;
#endif
}

static int run_scene(bench_report *report, const bench_options *options, box_scene *scene)
{
    box_run *run = malloc(sizeof *run);
    abut_pose *poses = malloc(2 * (size_t)scene->count * sizeof *poses);
    int done = (run != NULL && poses != NULL) || bench_fail("out of memory");
    if (done) {
        run->begin = poses;
        run->end = poses + scene->count;
        done = run_ways(report, options, scene, run);
    }
    free(run);
    free(poses);
    return done;
}

/// Boxes that come to rest and then sleep. Without a peer: a step of sleeping bodies takes no time in any engine.
static int run_sleeping(bench_report *report, box_scene *scene)
{
    const box_way way = {.subject = "regions, asleep", .method = "regions", .threads = 1};
    box_run *run = malloc(sizeof *run);
    abut_pose *poses = malloc(2 * (size_t)scene->count * sizeof *poses);
    int done = (run != NULL && poses != NULL) || bench_fail("out of memory");
    if (done) {
        *run = (box_run){.subject = way.subject, .begin = poses, .end = poses + scene->count};
        scene->first_steps = REST_STEPS;
        done = run_ours(scene, &way, run) && add_row(report, scene, run);
    }
    free(run);
    free(poses);
    return done;
}

static void spin_numbers(void *data, int begin, int end, int worker)
{
    uint64_t *hashes = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        uint64_t hash = (uint64_t)i;
        for (int k = 0; k < 1000000; ++k) {
            hash = bench_hash(hash, 1);
        }
        hashes[i] = hash;
    }
}

/// A line of memory that two threads take from each other.
typedef struct shared_line {
    atomic_int present, turn;
    double seconds; ///< of a way there and back
} shared_line;

static void pass_line(void *data, int begin, int end, int worker)
{
    enum { PASSES = 20000 };
    shared_line *line = data;
    (void)end, (void)worker;
    (void)atomic_fetch_add(&line->present, 1);
    double start = now();
    while (atomic_load(&line->present) < 2) {
        if (now() - start > 0.1) {
            return; // the other one runs after this one
        }
    }
    start = now();
    for (int i = begin; i < 2 * PASSES; i += 2) {
        while (atomic_load_explicit(&line->turn, memory_order_acquire) != i) {
        }
        atomic_store_explicit(&line->turn, i + 1, memory_order_release);
    }
    if (begin == 0) {
        line->seconds = (now() - start) / PASSES;
    }
}

/// How much faster all threads are than one in a loop that needs no memory, and how far they are apart: what the machine
/// has to give.
static void note_gain(bench_report *report)
{
    enum { TASKS = 32, ROUNDS = 3 };
    uint64_t hashes[TASKS];
    abut_context context = bench_context(1);
    double least[2] = {HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < 2 * ROUNDS; ++i) {
        double begin = now();
        if (i % 2 == 0) {
            spin_numbers(hashes, 0, TASKS, 0);
        } else {
            context.parallel_for(context.user, TASKS, 1, spin_numbers, hashes);
        }
        least[i % 2] = fmin(least[i % 2], now() - begin);
    }
    shared_line line = {.seconds = 0.0};
    context.parallel_for(context.user, 2, 1, pass_line, &line);
    bench_note(report,
               "a loop without memory is %.2f times as fast on %d threads as on 1 (%016llx); a line of memory goes "
               "from one to another and back in %.0f ns",
               least[0] / least[1], context.worker_count, (unsigned long long)hashes[TASKS - 1],
               1e9 * line.seconds);
}

int bench_world_peers(bench_report *report, const bench_options *options)
{
    box_scene scene;
    int done = make_stacks(&scene, "1,000 boxes in stacks", 10, 10) && run_scene(report, options, &scene);
    free(scene.boxes);
    if (done && options->is_large) {
        done = make_wall(&scene, "wall of 5,000", 20, 250) && run_scene(report, options, &scene);
        free(scene.boxes);
    }
    if (done && options->is_large) {
        done = make_pile(&scene, "pile of 1,000", 10) && run_scene(report, options, &scene);
        free(scene.boxes);
    }
    const char *at_rest = options->is_large ? "10,000 boxes at rest" : "400 boxes at rest";
    if (done && bench_wants(options, at_rest, NULL)) {
        done = make_stacks(&scene, at_rest, options->is_large ? 50 : 10, 4) && run_sleeping(report, &scene);
        free(scene.boxes);
    }
    if (bench_context(1).worker_count > 1) {
        note_gain(report);
    }
    return done;
}
