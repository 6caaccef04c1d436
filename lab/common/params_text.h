// SPDX-License-Identifier: MIT
// params_text.h: the parameters of a method as a text
#ifndef ABUT_LAB_PARAMS_TEXT_H
#define ABUT_LAB_PARAMS_TEXT_H

#include <abut/abut.h>

/// Prints the parameters that are not the default, such as "tolerance=0.5 raw reading=program", or "defaults". Returns
/// 0 if the text does not fit.
int abut_lab_print_params(const abut_method *method, const abut_params *params, char *text, size_t room);

#endif
