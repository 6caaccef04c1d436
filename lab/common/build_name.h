// SPDX-License-Identifier: MIT
// build_name.h: which build this is
#ifndef ABUT_LAB_BUILD_NAME_H
#define ABUT_LAB_BUILD_NAME_H

/// The version and a hash of sources, compiler and flags, such as "0.1.0+4f9c02d1a7be". Builds of the same name give
/// the same results.
const char *abut_lab_build(void);

#endif
