// SPDX-License-Identifier: MIT
// selection.h: which methods and cases a command is about
#ifndef ABUT_CLI_SELECTION_H
#define ABUT_CLI_SELECTION_H

#include "shared/options.h"

#include <abut-lab/lab.h>

/// The method that is used where none is named.
#define ABUT_CLI_DEFAULT_METHOD "regions"

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

/// All methods of the options --method (names and groups with commas; `fallback` where there is none) and --plugin.
/// Release with abut_cli_methods_release(), also after a failure.
abut_cli_exit abut_cli_methods_select(const abut_cli_arguments *arguments, const char *fallback,
                                      abut_cli_methods *methods);

/// One method: that of --method, else that of --plugin, else the default.
abut_cli_exit abut_cli_method_select(const abut_cli_arguments *arguments, abut_cli_methods *methods);

void abut_cli_methods_release(abut_cli_methods *methods);

/// Names of cases and of scenes for the texts in `names`, where a group stands for its members; each once, in the order
/// of the library.
abut_cli_exit abut_cli_cases_select(const abut_cli_list *names, abut_cli_list *cases, abut_cli_list *scenes);

/// Whether there is a case of two bodies of this name.
int abut_cli_is_case(const char *name);

/// The case, scene or group that a misspelt name most likely means, or NULL.
const char *abut_cli_nearest_case(const char *name);

#endif
