// SPDX-License-Identifier: MIT
// response_params.h: reading the parameters of a response
#ifndef ABUT_RESPONSE_RESPONSE_PARAMS_H
#define ABUT_RESPONSE_RESPONSE_PARAMS_H

#include <abut/response.h>

/// Copies the caller's parameters, of any version; NULL: the defaults. ABUT_OK or ABUT_BAD_ARGUMENT.
abut_status abut_response_params_read(const abut_response_params *params, abut_response_params *own,
                                      abut_error *error);

#endif
