// SPDX-License-Identifier: MIT
// json_words.c: what is wrong with a text that jansson cannot parse
#include "common/json_words.h"

#include <stdio.h>
#include <string.h>

enum { TOKEN_ROOM = 40 };

/// The text at which jansson stopped, as its message quotes it, or "" at the end of the text.
static void find_token(const json_error_t *problem, char token[TOKEN_ROOM])
{
    static const char before[] = " near '";
    const char *near = strstr(problem->text, before);
    (void)snprintf(token, TOKEN_ROOM, "%s", near != NULL ? near + sizeof before - 1 : "");
    size_t length = strlen(token);
    if (length > 0 && token[length - 1] == '\'') {
        token[length - 1] = '\0';
    }
    for (char *c = token; *c != '\0'; ++c) {
        *c = *c >= ' ' && *c < 0x7f ? *c : '?';
    }
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// The last character before the token, apart from blanks, or 0.
static char character_before(const char *text, size_t length, const json_error_t *problem, size_t token_length)
{
    size_t at = problem->position > 0 ? (size_t)problem->position : 0;
    at = at < length ? at : length;
    at -= token_length < at ? token_length : at;
    while (at > 0 && is_blank(text[at - 1])) {
        --at;
    }
    return at > 0 ? text[at - 1] : '\0';
}

/// The most likely mistake, or NULL.
static const char *guess(const char *text, size_t length, const json_error_t *problem, const char *token)
{
    char before = character_before(text, length, problem, strlen(token));
    if ((token[0] == '}' || token[0] == ']') && before == ',') {
        return "remove the comma before it";
    }
    if (strncmp(problem->text, "unexpected newline", 18) == 0) {
        return "a quote is not closed";
    }
    return token[0] == '"' && strchr(",:{[", before) == NULL ? "a comma is missing before it"
           : token[0] == '\''                                ? "use double quotes"
           : token[0] == '/' || token[0] == '#'              ? "JSON has no comments"
                                                             : NULL;
}

static const char *fixed_words(const char *text, size_t length, const json_error_t *problem)
{
    size_t blanks = 0;
    while (blanks < length && is_blank(text[blanks])) {
        ++blanks;
    }
    if (blanks == length) {
        return "the text is empty";
    }
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        return "begins with a byte order mark: save it as UTF-8 without one";
    }
    switch (json_error_code(problem)) {
    case json_error_null_character:
    case json_error_null_byte_in_key: return "a text has the character \\u0000, which no name can hold";
    case json_error_invalid_utf8: return "is not JSON: a text is not UTF-8";
    case json_error_stack_overflow: return "is not JSON that can be read: its brackets are nested too deeply";
    case json_error_premature_end_of_input:
        return "is not JSON: it ends too early; a bracket or quote is not closed";
    case json_error_out_of_memory: return "is too large for the memory";
    default: return NULL;
    }
}

void abut_json_explain(const char *text, size_t length, const json_error_t *problem,
                       char words[ABUT_JSON_WORDS_ROOM])
{
    char token[TOKEN_ROOM];
    const char *fixed = fixed_words(text, length, problem);
    find_token(problem, token);
    const char *advice = guess(text, length, problem, token);
    if (fixed != NULL) {
        (void)snprintf(words, ABUT_JSON_WORDS_ROOM, "%s", fixed);
    } else if (json_error_code(problem) == json_error_duplicate_key) {
        (void)snprintf(words, ABUT_JSON_WORDS_ROOM, "%s: this key is given twice; remove one", token);
    } else if (json_error_code(problem) == json_error_numeric_overflow) {
        (void)snprintf(words, ABUT_JSON_WORDS_ROOM, "the number %s is too large", token);
    } else if (json_error_code(problem) == json_error_end_of_input_expected) {
        (void)snprintf(words, ABUT_JSON_WORDS_ROOM, "is not JSON: '%s' follows its end, at column %d", token,
                       problem->column);
    } else {
        (void)snprintf(words, ABUT_JSON_WORDS_ROOM, "is not JSON: '%s' is unexpected, at column %d%s%s", token,
                       problem->column, advice != NULL ? "; " : "", advice != NULL ? advice : "");
    }
}
