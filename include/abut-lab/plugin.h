// SPDX-License-Identifier: MIT
/// @file plugin.h
/// Contact methods from shared objects, and queries that a crash of the method cannot end.
#ifndef ABUT_LAB_PLUGIN_H
#define ABUT_LAB_PLUGIN_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_plugin abut_plugin;

/// A plug-in defines this function under the name "abut_plugin_method".
typedef const abut_method *abut_plugin_function(void);

/// Loads a method from a shared object, given by a path with a slash in it. ABI number and struct size are checked,
/// and the row's name, options and functions; the plug-in must outlive every shape prepared for its method. It is
/// loaded in a child process first: a crash or hang there is ABUT_METHOD_FAULT, with the signal in `error`. While
/// it is loaded and closed the process has no standard output, so that what the plug-in prints is not seen.
ABUT_API abut_status abut_plugin_open(const char *path, abut_plugin **plugin, abut_error *error);
ABUT_API void abut_plugin_close(abut_plugin *plugin);
/// The method of a loaded plug-in.
ABUT_API const abut_method *abut_plugin_get_method(const abut_plugin *plugin);

/// Runs prepare and query of a pair in a child process with a time limit. The result has the contacts and nothing else;
/// they belong to the workspace, as those of abut_find_contacts(). A crash or hang of the method is ABUT_METHOD_FAULT,
/// with the signal in result->error. The shapes stay unprepared.
ABUT_API abut_status abut_find_contacts_isolated(const abut_pair *pair, const abut_method *method,
                                                 const abut_params *params, double seconds,
                                                 abut_workspace *workspace, abut_result *result);

#ifdef __cplusplus
}
#endif
#endif
