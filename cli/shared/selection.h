// SPDX-License-Identifier: MIT
// selection.h: selects methods and cases by name
#ifndef ABUT_CLI_SELECTION_H
#define ABUT_CLI_SELECTION_H

#include "shared/options.h"

#include <abut-lab/lab.h>

/// The default method.
#define ABUT_CLI_DEFAULT_METHOD "auto"

/// A method of the library or of a plug-in.
typedef struct abut_cli_method {
    const abut_method *row;
    int is_plugin; ///< runs in a child process
} abut_cli_method;

/// Methods, and the plug-ins that some of them come from.
typedef struct abut_cli_methods {
    abut_cli_method *items;
    int count;
    abut_plugin **plugins;
    int plugin_count;
} abut_cli_methods;

/// Reads the methods of --method (names and groups, separated by commas) and --plugin; if neither was given, those of
/// `fallback`. Release with abut_cli_methods_release(), also after a failure.
abut_cli_exit abut_cli_methods_select(const abut_cli_arguments *arguments, const char *fallback,
                                      abut_cli_methods *methods);

/// All methods, and those of --plugin. Release as above.
abut_cli_exit abut_cli_methods_list(const abut_cli_arguments *arguments, abut_cli_methods *methods);

/// Reads one method: that of --method, else of --plugin, else the default.
abut_cli_exit abut_cli_method_select(const abut_cli_arguments *arguments, abut_cli_methods *methods);

void abut_cli_methods_release(abut_cli_methods *methods);

/// Finds the cases and scenes for names of cases, scenes and groups. Each appears once, in the order of the library.
abut_cli_exit abut_cli_cases_select(const abut_cli_list *names, abut_cli_list *cases, abut_cli_list *scenes);

/// Refuses --refine if there are no scenes, and --scene-size if there are no cases: they would have no effect.
abut_cli_exit abut_cli_cases_check_options(const abut_cli_arguments *arguments, const abut_cli_list *cases,
                                           const abut_cli_list *scenes);

/// A list of names of the laboratory, such as abut_case_names().
typedef const char *const *abut_cli_name_source(int *count);

int abut_cli_is_one_of(abut_cli_name_source *source, const char *name);

/// Whether this is the name of a case of two bodies.
int abut_cli_is_case(const char *name);

/// The words that --case accepts, in sequence up to NULL; some appear twice. `user` is ignored.
const char *abut_cli_case_word(const void *user, int index);

/// Finds the case, scene or group that a misspelt name most likely means, or NULL.
const char *abut_cli_nearest_case(const char *name);

#endif
