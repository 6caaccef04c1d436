// SPDX-License-Identifier: MIT
// query_options.h: parameters of a query from options
#ifndef ABUT_CLI_QUERY_OPTIONS_H
#define ABUT_CLI_QUERY_OPTIONS_H

#include "shared/selection.h"

/// Options of all verbs that ask for contacts, but --seconds.
#define ABUT_CLI_PAIR_OPTIONS                                                                                      \
    {"tolerance", "L", "what counts as touching, a length (default: 1e-6 of the smaller body)", 0, 0},             \
        {"envelope", "L", "report contacts up to this gap (default: up to the tolerance)", 0, 0},                  \
        {"merge", "L", "merge parallel contacts this close (default: 1e-6 of the smaller body)", 0, 0},            \
        {"angle", "DEGREES", "directions within this angle are parallel (default: 5.73e-5)", 0, 0},                \
        {"raw", NULL, "keep redundant contacts", 0, 0},                                                            \
        {"option", "NAME=VALUE", "an option of the method, see abut methods; repeatable", 1, 0},                   \
        {"normals", "all|spanning", "method regions: all normals, or at most three per region", 0, 0},             \
        {"points", "corners|spanning",                                                                             \
         "method regions: all corners, or n + 1 points and six constraints per pair", 0, 0},                       \
    {                                                                                                              \
        "plugin", "./FILE.so", "a method from a shared object, run in a child process", 1, 0                       \
    }

/// The same with --seconds, of verbs that may make meshes too.
#define ABUT_CLI_QUERY_OPTIONS                                                                                     \
    ABUT_CLI_PAIR_OPTIONS,                                                                                         \
    {                                                                                                              \
        "seconds", "N", "time limit for a query of a plug-in or a run of tetgen (default 60)", 0, 0                \
    }

/// The option --fallback.
typedef struct abut_cli_fallback {
    int is_given;
    const abut_method *method; ///< NULL: none
} abut_cli_fallback;

/// Parameters of one method. The options belong to it.
typedef struct abut_cli_query {
    const abut_cli_method *method;
    abut_params params;
    abut_option *options;
    double seconds;
    int has_long_normals;       ///< normals of faces are scored with the length that the paper's program gives them
    int has_paper_settings;     ///< simulations are made with the paper's solver
    abut_cli_fallback fallback; ///< of simulations
} abut_cli_query;

/// Reads the options above, except --plugin, for a method. Method options that it does not have are an error, or left
/// out where `skips_unknown`. Release with abut_cli_query_release(), also after a failure.
abut_cli_exit abut_cli_query_of(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                int skips_unknown, abut_cli_query *query);
void abut_cli_query_release(abut_cli_query *query);

/// Whether the method has the option of a text NAME or NAME=VALUE.
int abut_cli_has_option(const abut_method *method, const char *text);

/// Adds an option of the method, NAME=VALUE, to those of the call.
abut_cli_exit abut_cli_query_add(const char *text, abut_cli_query *query);

/// Adds the options of the paper's numbers, as its text or its program reads a method, except those that the call
/// gives.
abut_cli_exit abut_cli_query_add_paper(const abut_cli_arguments *arguments, int as_program, abut_cli_query *query);

/// ABUT_CLI_BAD_INPUT where an --option is one that none of the methods has.
abut_cli_exit abut_cli_query_check_options(const abut_cli_arguments *arguments, const abut_cli_methods *methods);

/// Prepares both shapes and finds the contacts; `result` comes from abut_result_default(). Methods of plug-ins run in
/// a child process and give contacts only.
abut_status abut_cli_query_run(const abut_cli_query *query, const abut_pair *pair, abut_shape *a, abut_shape *b,
                               abut_workspace *workspace, abut_result *result);

/// The exit code that goes with a status of abut_cli_query_run(): a child that could not be started is no bad input.
abut_cli_exit abut_cli_query_exit(abut_status status);

#endif
