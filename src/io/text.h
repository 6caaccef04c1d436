// SPDX-License-Identifier: MIT
// text.h: reading words and lines of a text file, with line numbers
#ifndef ABUT_IO_TEXT_H
#define ABUT_IO_TEXT_H

#include "io/file.h"

#include <abut/math.h>

/// A position in a text file. Lines end with LF, CR LF or CR. Words are separated by blanks: spaces, tabs, form
/// feeds and vertical tabs.
typedef struct abut_text {
    const abut_file *file;
    const char *at, *end;
    int64_t line;          ///< the line of `at`, from 1
    char comment;          ///< starts a comment up to the end of the line; 0 if the format has no comments
    int joins_backslashes; ///< whether a backslash at the end of a line joins it with the next
} abut_text;

/// start .. end - 1
typedef struct abut_word {
    const char *start, *end;
} abut_word;

/// The start of the file, after the byte order mark if there is one.
abut_text abut_text_open(const abut_file *file);

/// Reads the next word of the line. Returns 0 at the end of the line.
int abut_text_word(abut_text *text, abut_word *word);
/// Goes to the start of the next line. Returns 0 at the end of the file.
int abut_text_next_line(abut_text *text);
/// Reads the next word of this line or of a later one. Returns 0 at the end of the file.
int abut_text_word_below(abut_text *text, abut_word *word);

/// Goes to the next line that has a word, if this one has none left. Reads no word. Returns 0 at the end of the
/// file.
int abut_text_find_line(abut_text *text);

/// Whether a word is `name`, ignoring the case of A to Z.
int abut_word_is(abut_word word, const char *name);

/// Size of a quoted word in a message, including quotes and the final zero.
enum { ABUT_QUOTE_SIZE = 40 };
/// The word in quotes. A long word is cut, and unprintable bytes become '?'.
const char *abut_word_quote(abut_word word, char text[ABUT_QUOTE_SIZE]);

/// Reads the next word of the line as a number; `what` names it in messages ("vertex coordinate").
abut_status abut_text_number(abut_text *text, const char *what, double *value);
/// Reads the next three words of the line as numbers.
abut_status abut_text_vec3(abut_text *text, const char *what, abut_vec3 *value);
/// Reads the next word of the line as an integer. One that is too large becomes INT64_MAX or -INT64_MAX.
abut_status abut_text_wide_integer(abut_text *text, const char *what, int64_t *value);
/// Reads the next word of the line as an int. One that is too large becomes INT_MAX or -INT_MAX.
abut_status abut_text_integer(abut_text *text, const char *what, int *value);

#endif
