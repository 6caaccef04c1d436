// SPDX-License-Identifier: MIT
// json_words.h: what is wrong with a text that jansson cannot parse, in words for its author
#ifndef ABUT_LAB_JSON_WORDS_H
#define ABUT_LAB_JSON_WORDS_H

#include <jansson.h>
#include <stddef.h>

enum { ABUT_JSON_WORDS_ROOM = 160 };

/// Says what is wrong with the text. `problem` is what json_loadb() answered. The words are printable ASCII.
void abut_json_explain(const char *text, size_t length, const json_error_t *problem,
                       char words[ABUT_JSON_WORDS_ROOM]);

#endif
