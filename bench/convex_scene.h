// SPDX-License-Identifier: MIT
// convex_scene.h: pairs of convex polyhedra to measure, and the errors of a library
#ifndef ABUT_BENCH_CONVEX_SCENE_H
#define ABUT_BENCH_CONVEX_SCENE_H

#include "bench.h"
#include "convex_truth.h"
#include "peers.h"

enum { CONVEX_PAIRS = 1000, CONVEX_PEERS = 5 };

/// Two copies of a shape, the first in its own frame.
typedef struct convex_scene {
    const char *name;
    abut_mesh *mesh;
    abut_convex *convex;
    convex_truth *truth;
    peer_hull hull;
    abut_pose poses[CONVEX_PAIRS];  ///< of B
    double distances[CONVEX_PAIRS]; ///< the true ones
    uint64_t random;
} convex_scene;

/// The answer of a library for a pair. No answer counts as an abort.
typedef struct convex_answer {
    double distance;
    enum { ANSWER_ABORTED, ANSWER_MISSED, ANSWER_FOUND } kind;
} convex_answer;

/// Answers compared with the truth. Errors are over the pairs with an answer.
typedef struct convex_errors {
    double least, largest, mean, deviation;
    int wrong;   ///< by more than 1e-6
    int missed;  ///< no overlap found, no finite number, or gave up
    int aborted; ///< the process ended, or the answer took more than 10 s
} convex_errors;

convex_errors convex_compare(const convex_scene *scene, const convex_answer *answers);

/// Whether nothing is missed and all errors are below 1e-12.
int convex_is_exact(const convex_errors *errors);

/// A library that may be installed.
typedef struct convex_peer {
    const char *name;
    const peer_convex *peer; ///< NULL if it is not installed
} convex_peer;

/// An array of CONVEX_PEERS.
const convex_peer *convex_peers(void);

/// Asks a peer for all pairs, in a child process, so that it may crash or hang. Returns 0 if the process cannot be
/// started.
int convex_ask(const convex_scene *scene, const peer_convex *peer, convex_answer *answers);

/// A peer to measure.
typedef struct convex_subject {
    const convex_scene *scene;
    const peer_convex *peer;
    const convex_answer *answers; ///< its answers for all pairs
    double abut_ns;               ///< the time of a call of abut
} convex_subject;

/// Measures a peer on the pairs that it survives, at least one. `row` has the values that are known. Returns the
/// mean time of a call, or 0 on failure.
double convex_measure_peer(bench_report *report, const bench_options *options, const convex_subject *subject,
                           bench_row *row);

/// Adds mean, median and 99th percentile of single calls.
void convex_add_spread(bench_row *row, const bench_spread *spread);

/// The next random number of the scene, uniform in [-1, 1); a vector of such numbers; a rotation.
double convex_next(convex_scene *scene);
abut_vec3 convex_next_vec3(convex_scene *scene);
abut_quat convex_next_rotation(convex_scene *scene);

/// Our answer without memory.
abut_convex_result convex_distance_at(const convex_scene *scene, abut_pose pose);
abut_convex_pair convex_pair_of(const convex_scene *scene, abut_pose pose);

/// Moves B along the normal until the distance is as given.
abut_pose convex_move_to(const convex_scene *scene, abut_pose pose, double distance);

/// Measures long motions of a scene's bodies with and without memory; `name` is for the rows.
int convex_measure_paths(bench_report *report, const bench_options *options, convex_scene *scene, const char *name);

uint64_t convex_hash_double(uint64_t hash, double value);

/// Measures abut_convex_create() for growing meshes. Returns 0 on failure, after a line on stderr.
int convex_measure_creation(bench_report *report, const bench_options *options);

#endif
