// SPDX-License-Identifier: MIT
// params.h: checks of parameters, values of options
#ifndef ABUT_METHOD_PARAMS_H
#define ABUT_METHOD_PARAMS_H

#include <abut/contact.h>

/// Reads the caller's parameters (NULL: the defaults) and checks them for a method.
abut_status abut_params_read(const abut_params *in, const abut_method *method, abut_params *out, abut_error *error);

/// A copy of options that abut_params_read() accepted, with the method's own strings as names, after the option `first`
/// unless that is NULL; NULL if memory ran out. Free it with abut_free().
abut_option *abut_params_copy_options(const abut_params *params, const abut_method *method,
                                      const abut_option *first, const abut_context *context);

/// The value of option `index` of a method: the caller's, or the default.
double abut_params_option(const abut_params *params, const abut_method *method, int index);

/// Choices that options of several methods have: "text" and "program"; "double" and "single"; "no" and "yes".
extern const char *const abut_reading_choices[];
extern const char *const abut_precision_choices[];
extern const char *const abut_no_yes_choices[];
/// "all" and "spanning"; "corners" and "spanning".
extern const char *const abut_normals_choices[];
extern const char *const abut_points_choices[];

/// A length in absolute terms, for a pair of the given size.
double abut_length_resolve(abut_length length, double size);

#endif
