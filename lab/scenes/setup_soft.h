// SPDX-License-Identifier: MIT
// setup_soft.h: soft bodies and penalty forces of a scene file
#ifndef ABUT_LAB_SETUP_SOFT_H
#define ABUT_LAB_SETUP_SOFT_H

#include "scenes/setup_reader.h"

/// Penalty forces, if the key is there.
void abut_read_response(abut_setup_reader *r, json_t *root, const char *key, abut_response_params **out);
/// What makes a body soft, if the key `soft` is there. The body has its mesh and name.
void abut_read_soft(abut_setup_reader *r, json_t *object, abut_setup_body *body);

#endif
