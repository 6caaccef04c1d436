// SPDX-License-Identifier: MIT
// auto.h: the methods that `auto` chooses from
#ifndef ABUT_METHOD_AUTO_H
#define ABUT_METHOD_AUTO_H

#include <abut/contact.h>

/// A shape that is prepared for `auto` is prepared for those of them that take its mesh, with their default options.
const abut_method *const *abut_auto_choices(int *count);

#endif
