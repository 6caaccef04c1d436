// SPDX-License-Identifier: MIT
// convex_peers.c: other libraries on pairs of convex polyhedra: their errors and times
#define _POSIX_C_SOURCE 200809L // fork

#include "convex_scene.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MOST = 10 }; // for one answer

static const convex_peer peers[CONVEX_PEERS] = {
#ifdef ABUT_PEER_CCD
    {"libccd", &peer_ccd},
#else
    {"libccd", NULL},
#endif
#ifdef ABUT_PEER_FCL_CONVEX
    {"fcl", &peer_fcl_convex},
#else
    {"fcl", NULL},
#endif
#ifdef ABUT_PEER_BULLET
    {"bullet", &peer_bullet},
#else
    {"bullet", NULL},
#endif
#ifdef ABUT_PEER_ODE_CONVEX
    {"ode", &peer_ode_convex},
#else
    {"ode", NULL},
#endif
#ifdef ABUT_PEER_MUJOCO
    {"mujoco", &peer_mujoco},
#else
    {"mujoco", NULL},
#endif
};

const convex_peer *convex_peers(void)
{
    return peers;
}

convex_errors convex_compare(const convex_scene *scene, const convex_answer *answers)
{
    convex_errors e = {.least = 0.0};
    double sum = 0.0, squares = 0.0;
    int found = 0;
    for (int i = 0; i < CONVEX_PAIRS; ++i) {
        e.missed += answers[i].kind == ANSWER_MISSED;
        e.aborted += answers[i].kind == ANSWER_ABORTED;
        if (answers[i].kind == ANSWER_FOUND) {
            double error = fabs(answers[i].distance - scene->distances[i]);
            e.least = found == 0 ? error : fmin(e.least, error);
            e.largest = fmax(e.largest, error);
            e.wrong += error > 1e-6;
            sum += error;
            squares += error * error;
            ++found;
        }
    }
    if (found > 0) {
        e.mean = sum / found;
        e.deviation = sqrt(fmax(0.0, squares / found - e.mean * e.mean));
    }
    return e;
}

int convex_is_exact(const convex_errors *errors)
{
    return errors->missed == 0 && errors->aborted == 0 && errors->largest < 1e-12;
}

typedef struct questions {
    const convex_scene *scene;
    const peer_convex *peer;
    void *shapes[2];
    int pairs[CONVEX_PAIRS]; // that are measured
    int pair_count;
    uint64_t hash;
} questions;

static int make_shapes(questions *q)
{
    q->shapes[0] = q->peer->make(&q->scene->hull);
    q->shapes[1] = q->peer->make(&q->scene->hull);
    if (q->shapes[0] == NULL || q->shapes[1] == NULL) {
        return bench_fail("%s does not take the shape of '%s'", q->peer->name, q->scene->name);
    }
    return 1;
}

static void release_shapes(questions *q)
{
    for (int i = 0; i < 2; ++i) {
        if (q->shapes[i] != NULL) {
            q->peer->release(q->shapes[i]);
        }
    }
}

static convex_answer ask(const questions *q, int i)
{
    abut_pose pose = q->scene->poses[i];
    peer_pose b_to_a = {{pose.position.x, pose.position.y, pose.position.z},
                        {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z}};
    convex_answer answer = {.distance = 0.0};
    int is_found = q->peer->distance(q->shapes[0], q->shapes[1], &b_to_a, &answer.distance);
    answer.kind = is_found && isfinite(answer.distance) ? ANSWER_FOUND : ANSWER_MISSED;
    return answer;
}

// The child process writes answers to a pipe, which shows how far it got. Output of a crashing peer is discarded.
static void answer_from(const questions *q, int first, int out)
{
    int sink = open("/dev/null", O_WRONLY);
    (void)dup2(sink, STDERR_FILENO);
    for (int i = first; i < CONVEX_PAIRS; ++i) {
        (void)alarm(SECONDS_MOST);
        convex_answer answer = ask(q, i);
        if (write(out, &answer, sizeof answer) != (ssize_t)sizeof answer) {
            break;
        }
    }
    _exit(0);
}

// Starts a child at the first pair. Returns the pair after the last answer, or -1.
static int ask_from(const questions *q, int first, convex_answer *answers)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        answer_from(q, first, ends[1]);
    }
    (void)close(ends[1]);
    int next = first;
    // Short writes to a pipe are atomic, so that every read gets a whole answer.
    while (child > 0 && next < CONVEX_PAIRS &&
           read(ends[0], &answers[next], sizeof *answers) == (ssize_t)sizeof *answers) {
        ++next;
    }
    (void)close(ends[0]);
    if (child > 0) {
        (void)waitpid(child, NULL, 0);
    }
    return child > 0 ? next : -1;
}

int convex_ask(const convex_scene *scene, const peer_convex *peer, convex_answer *answers)
{
    questions q = {.scene = scene, .peer = peer};
    int next = make_shapes(&q) ? 0 : -1;
    while (next >= 0 && next < CONVEX_PAIRS) {
        next = ask_from(&q, next, answers);
        if (next >= 0 && next < CONVEX_PAIRS) {
            answers[next++] = (convex_answer){0.0, ANSWER_ABORTED};
        }
    }
    release_shapes(&q);
    if (next < 0) {
        (void)bench_fail("%s cannot be asked", peer->name);
    }
    return next >= 0;
}

static void ask_one(void *data, int i)
{
    questions *q = data;
    convex_answer answer = ask(q, q->pairs[i]);
    q->hash = bench_hash(convex_hash_double(q->hash, answer.distance), answer.kind);
}

static uint64_t ask_every(void *data)
{
    questions *q = data;
    q->hash = 0;
    for (int i = 0; i < q->pair_count; ++i) {
        ask_one(q, i);
    }
    return q->hash;
}

void convex_add_spread(bench_row *row, const bench_spread *spread)
{
    bench_add_value(row, "call_mean_ns", spread->mean_ns);
    bench_add_value(row, "call_median_ns", spread->median_ns);
    bench_add_value(row, "call_p99_ns", spread->p99_ns);
}

double convex_measure_peer(bench_report *report, const bench_options *options, const convex_subject *subject,
                           bench_row *row)
{
    questions q = {.scene = subject->scene, .peer = subject->peer};
    for (int i = 0; i < CONVEX_PAIRS; ++i) {
        if (subject->answers[i].kind != ANSWER_ABORTED) {
            q.pairs[q.pair_count++] = i;
        }
    }
    bench_spread spread = {.mean_ns = 0.0};
    int is_done = make_shapes(&q) && bench_measure_calls(options, q.pair_count, ask_one, &q, &spread);
    if (is_done) {
        row->calls = q.pair_count;
        convex_add_spread(row, &spread);
        bench_add_value(row, "times_abut", spread.mean_ns / subject->abut_ns);
        is_done = bench_measure(report, options, row, ask_every, &q);
    }
    release_shapes(&q);
    return is_done ? spread.mean_ns : 0.0;
}
