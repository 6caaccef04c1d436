// SPDX-License-Identifier: MIT
// viewer_page.h: the viewer's script and style, which the build makes from viewer/ and puts into the command
#ifndef ABUT_CLI_VIEWER_PAGE_H
#define ABUT_CLI_VIEWER_PAGE_H

#include <stddef.h>

/// Empty if the command was built without Node.js.
extern const unsigned char abut_viewer_script[];
extern const size_t abut_viewer_script_size;
extern const unsigned char abut_viewer_style[];
extern const size_t abut_viewer_style_size;

/// Their SHA-256 in base64: a page allows scripts and styles with these hashes and no others.
extern const char abut_viewer_script_hash[];
extern const char abut_viewer_style_hash[];

#endif
