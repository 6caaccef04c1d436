// SPDX-License-Identifier: MIT
// markup.c: text in pictures and pages
#include <abut-lab/draw.h>
#include <stdint.h>
#include <string.h>

/// The bytes of the character in UTF-8 at the start of a text, or 0 if there is none that XML allows.
static size_t character_size(const unsigned char *text, size_t length)
{
    unsigned first = text[0];
    size_t size = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4;
    if (size > length || (first >= 0x80 && first < 0xc2) || first > 0xf4) {
        return 0;
    }
    uint32_t code = size == 1 ? first : first & (0x7fu >> size);
    for (size_t i = 1; i < size; ++i) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (text[i] & 0x3fu);
    }
    int is_long = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000); // fewer bytes would do
    int is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    int is_none = (code >= 0xd800 && code < 0xe000) || (code & 0xfffe) == 0xfffe || code > 0x10ffff;
    return is_long || is_control || is_none ? 0 : size;
}

void abut_print_markup(const char *text, size_t length, FILE *out)
{
    static const char marks[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < length;) {
        const char *mark = text[i] != 0 ? strchr(marks, text[i]) : NULL;
        size_t size = character_size((const unsigned char *)text + i, length - i);
        if (mark != NULL) {
            (void)fputs(names[mark - marks], out);
        } else if (size > 0) {
            (void)fwrite(text + i, 1, size, out);
        } else {
            (void)fputc('?', out);
        }
        i += size > 0 ? size : 1;
    }
}
