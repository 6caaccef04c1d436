// SPDX-License-Identifier: MIT
// base64.h: bytes as text
#ifndef ABUT_CLI_BASE64_H
#define ABUT_CLI_BASE64_H

#include <stddef.h>
#include <stdio.h>

/// Prints bytes in base64, with padding and without line breaks.
void abut_cli_base64_print(const void *bytes, size_t size, FILE *out);

#endif
