// SPDX-License-Identifier: MIT
/// @file plugin.h
/// Contact methods from shared objects, and queries in a child process, which survive a crash of the method.
#ifndef ABUT_LAB_PLUGIN_H
#define ABUT_LAB_PLUGIN_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_plugin abut_plugin;

/// A plug-in defines this function under the name "abut_plugin_method".
typedef const abut_method *abut_plugin_function(void);

/// Loads a method from a shared object. The path must contain a slash. ABI number, struct size, name, options and
/// functions of the method row are checked. The plug-in must outlive every shape prepared for its method. It is loaded
/// in a child process first: a crash or hang there is ABUT_METHOD_FAULT, with the signal in `error`. Standard output
/// is closed while the plug-in is loaded or closed, so that it cannot print.
ABUT_API abut_status abut_plugin_open(const char *path, abut_plugin **plugin, abut_error *error);
ABUT_API void abut_plugin_close(abut_plugin *plugin);
/// The method of a loaded plug-in.
ABUT_API const abut_method *abut_plugin_get_method(const abut_plugin *plugin);

/// Prepares and queries a pair in a child process with a time limit. The result has contacts only; they belong to the
/// workspace, as those of abut_find_contacts(). A crash or hang of the method is ABUT_METHOD_FAULT, with the signal in
/// result->error. The caller's shapes stay unprepared. The child cannot write pair->memory, which must be NULL;
/// otherwise the call fails with ABUT_UNSUPPORTED.
ABUT_API abut_status abut_find_contacts_isolated(const abut_pair *pair, const abut_method *method,
                                                 const abut_params *params, double seconds,
                                                 abut_workspace *workspace, abut_result *result);

#ifdef __cplusplus
}
#endif
#endif
