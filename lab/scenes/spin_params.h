// SPDX-License-Identifier: MIT
// spin_params.h: the caller's parameters of a spinning body, checked
#ifndef ABUT_LAB_SPIN_PARAMS_H
#define ABUT_LAB_SPIN_PARAMS_H

#include <abut-lab/spinning.h>

/// ABUT_BAD_ARGUMENT if a parameter is out of range; `error` names it.
abut_status abut_spin_params_read(const abut_spin_params *from, abut_spin_params *read, abut_error *error);

#endif
