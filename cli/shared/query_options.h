// SPDX-License-Identifier: MIT
// query_options.h: parameters of a query from options
#ifndef ABUT_CLI_QUERY_OPTIONS_H
#define ABUT_CLI_QUERY_OPTIONS_H

#include "shared/selection.h"

/// Options of all verbs that find contacts, except --seconds.
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

/// With --seconds, for verbs that may also run tetgen.
#define ABUT_CLI_QUERY_OPTIONS                                                                                     \
    ABUT_CLI_PAIR_OPTIONS,                                                                                         \
    {                                                                                                              \
        "seconds", "N", "time limit for a query of a plug-in or a run of tetgen (default 60)", 0, 0                \
    }

/// ABUT_CLI_BAD_INPUT if a method is that of a plug-in: it runs in a child process, which cannot simulate.
abut_cli_exit abut_cli_methods_check_motion(const abut_cli_methods *methods);

/// Parameters of one method. Owns the options.
typedef struct abut_cli_query {
    const abut_cli_method *method;
    abut_params params;
    abut_option *options;
    double seconds;
    int has_long_normals;   ///< score face normals with the length that the paper's program gives them
    int has_paper_settings; ///< simulate with the paper's solver settings
} abut_cli_query;

/// Reads the options above, except --plugin, for a method. A method option that the method does not have is an
/// error, or ignored if `skips_unknown`. Release with abut_cli_query_release(), also after a failure.
abut_cli_exit abut_cli_query_of(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                int skips_unknown, abut_cli_query *query);
void abut_cli_query_release(abut_cli_query *query);

/// Whether the method has the option NAME; the text is NAME or NAME=VALUE.
int abut_cli_has_option(const abut_method *method, const char *text);

/// Adds a method option, NAME=VALUE.
abut_cli_exit abut_cli_query_add(const char *text, abut_cli_query *query);

/// Adds the method options behind the paper's numbers in a reading, except those that were given. `is_eroded` as in
/// abut_paper_options().
abut_cli_exit abut_cli_query_add_paper(const abut_cli_arguments *arguments, abut_paper_reading reading,
                                       int is_eroded, abut_cli_query *query);

/// Fails with ABUT_CLI_BAD_INPUT if none of the methods has a given --option, --normals or --points.
abut_cli_exit abut_cli_query_check_options(const abut_cli_arguments *arguments, const abut_cli_methods *methods);

/// The exit code for a status of a query. A child process that could not be started is not bad input.
abut_cli_exit abut_cli_query_exit(abut_status status);

#endif
