// SPDX-License-Identifier: MIT
// base64.c: bytes as text
#include "shared/base64.h"

#include <stdint.h>

void abut_cli_base64_print(const void *bytes, size_t size, FILE *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = bytes;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = 0;
        char text[4];
        for (size_t k = 0; k < 3; ++k) {
            bits = bits << 8 | (i + k < size ? from[i + k] : 0u);
        }
        for (size_t k = 0; k < 4; ++k) {
            text[k] = i + k <= size ? digits[bits >> (18 - 6 * k) & 63u] : '=';
        }
        (void)fwrite(text, 1, sizeof text, out);
    }
}
