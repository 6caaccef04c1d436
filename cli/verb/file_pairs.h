// SPDX-License-Identifier: MIT
// file_pairs.h: reads mesh files, places them, and finds the contacts of every pair
#ifndef ABUT_CLI_FILE_PAIRS_H
#define ABUT_CLI_FILE_PAIRS_H

#include "shared/placement.h"
#include "shared/query_options.h"

/// Options of all verbs that find the contacts of mesh files by one method.
#define ABUT_CLI_FILE_PAIR_OPTIONS                                                                                 \
    {"method", "NAME", "contact method, see abut methods (default: " ABUT_CLI_DEFAULT_METHOD ")", 0, 0},           \
        ABUT_CLI_FILE_PLACE_OPTIONS

/// The same without the method.
#define ABUT_CLI_FILE_PLACE_OPTIONS                                                                                \
    {"pose-a", "\"X Y Z [QW QX QY QZ]\"", "pose of the first file; --pose-b, --pose-c, ... for the others", 0, 1}, \
        {"velocity-a", "\"VX VY VZ WX WY WZ\"", "its linear and angular velocity; --velocity-b, ...", 0, 1},       \
        {"dt", "S", "length of the time step for the velocities (default 0.01)", 0, 0},                            \
        {"sweep", NULL,                                                                                            \
         "move the bodies for the time step, up to where they first touch, and take the contacts there", 0, 0},    \
        {"self", NULL, "also the contacts of each file with itself; one file is enough", 0, 0},                    \
        {"repair", NULL, "repair the files first, as abut mesh convert does; report on stderr", 0, 0},             \
        {"scale", "S", "multiply the coordinates of all files by this (default 1)", 0, 0},                         \
        {"dilation", "L", "sweep all bodies by a ball of this radius (default 0; see docs/methods/quasi-lmd.md)",  \
         0, 0},                                                                                                    \
        {"offset", "L", "move the surfaces of solids outward by this length (default 0)", 0, 0},                   \
        {"chord", "L", "chord error that the files were meshed with, for the reported error (default 0)", 0, 0},   \
        {"theta", "DEGREES", "method quasi-lmd: contacts stay while bodies turn by less (default 2)", 0, 0},       \
        ABUT_CLI_PAIR_OPTIONS,                                                                                     \
    {                                                                                                              \
        "seconds", "N", "time limit for a query of a plug-in (default 60)", 0, 0                                   \
    }

typedef struct abut_cli_file_body {
    const char *path;
    char
        *label; ///< names the body in the output: the path, with the letter of its options if the path occurs twice
    char *made_name; ///< of a plane without a size: with the size that it gets; else NULL
    abut_mesh *mesh;
    abut_shape *shape;
    abut_tree *tree; ///< for --sweep only
} abut_cli_file_body;

/// The contacts of one pair of bodies.
typedef struct abut_cli_pair_result {
    const char *label_a, *label_b;
    /// Keeps the result, with the scratch memory of its query: copying the contacts and regions of every pair out of one
    /// workspace would need six arrays per pair.
    abut_workspace *workspace;
    abut_result result;
    const abut_stats *stats; ///< of `result`; NULL for plug-ins, which have none
    abut_pose poses[2];      ///< at which the contacts were found
    int is_swept, has_touch; ///< with --sweep; whether there is a first touch
    double time;             ///< of the first touch
} abut_cli_pair_result;

typedef struct abut_cli_file_pairs {
    abut_cli_methods methods;
    abut_cli_query query;
    double dt;
    int has_sweep;
    int is_repaired; ///< --repair
    int has_self;    ///< --self
    double scale;
    abut_cli_file_body *bodies;
    abut_cli_placement *placements; ///< of the bodies
    int body_count;
    abut_cli_pair_result *pairs; ///< the first body with itself (--self) and all others, then the second, ...
    int pair_count;
} abut_cli_file_pairs;

/// Reads the files that the operands name, and the options above, and finds the contacts of all pairs. Release with
/// abut_cli_file_pairs_release(), also after a failure.
abut_cli_exit abut_cli_file_pairs_find(const abut_cli_arguments *arguments, abut_cli_file_pairs *pairs);
/// The same by a method that the caller chose, which must outlive the pairs; options that it does not have are ignored.
abut_cli_exit abut_cli_file_pairs_find_by(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                          abut_cli_file_pairs *pairs);
void abut_cli_file_pairs_release(abut_cli_file_pairs *pairs);

/// Notes on stderr what makes contacts of a mesh doubtful: it is inside out, or polygons cross themselves.
void abut_cli_mesh_note(const char *label, const char *path, const abut_mesh *mesh);
/// Notes on stderr what the counters of a pair mean, by the method that answered.
void abut_cli_pair_note(const abut_cli_pair_result *pair, const char *method);

/// Finds the contacts of a pair. Its shapes are prepared, unless the method is that of a plug-in, which prepares and runs
/// in a child process.
abut_status abut_cli_find_contacts(const abut_cli_query *query, const abut_pair *pair, abut_workspace *workspace,
                                   abut_result *result);

/// Prints notes on stderr about doubtful bodies and contacts.
void abut_cli_file_pairs_note(const abut_cli_file_pairs *pairs);

#endif
