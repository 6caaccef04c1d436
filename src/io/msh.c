// SPDX-License-Identifier: MIT
// msh.c: Gmsh's MSH files, versions 2.2 and 4.1, text and binary
//
// A file is a sequence of sections, $Name to $EndName. The nodes and the elements are read. Other sections (names,
// entities, periodicity, data) do not affect the shape and are skipped.
#include "io/msh.h"

#include "base/memory.h"
#include "io/formats.h"
#include "io/number.h"

#include <string.h>

// In version 2.2 a count is on a line of its own, even in binary files.
static abut_status read_text_count(abut_msh *msh, const char *what, int64_t *value)
{
    abut_word word;
    if (!abut_text_word_below(&msh->values.text, &word)) {
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "the file ends before the %s", what);
    }
    if (abut_integer_parse(word.start, word.end, value) != ABUT_NUMBER_OK) {
        char quote[ABUT_QUOTE_SIZE];
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "%s %s is not a whole number", what,
                                abut_word_quote(word, quote));
    }
    if (abut_text_word(&msh->values.text, &word)) {
        char quote[ABUT_QUOTE_SIZE];
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "%s after the %s", abut_word_quote(word, quote), what);
    }
    (void)abut_text_next_line(&msh->values.text);
    return ABUT_OK;
}

abut_status abut_msh_count(abut_msh *msh, const char *what, int64_t *value)
{
    return msh->is_new ? abut_values_integer(&msh->values, msh->tag_type, what, value)
                       : read_text_count(msh, what, value);
}

abut_status abut_msh_integer(abut_msh *msh, const char *what, int64_t *value)
{
    return abut_values_integer(&msh->values, ABUT_INT32, what, value);
}

abut_status abut_msh_tag(abut_msh *msh, const char *what, int64_t *value)
{
    return abut_values_integer(&msh->values, msh->tag_type, what, value);
}

size_t abut_msh_tag_size(const abut_msh *msh)
{
    return abut_value_size(msh->tag_type);
}

abut_status abut_msh_begin_line(abut_msh *msh, const char *section)
{
    return abut_values_begin_line(&msh->values)
               ? ABUT_OK
               : abut_values_fail(&msh->values, ABUT_BAD_DATA, "the file ends inside %s", section);
}

abut_status abut_msh_check_promise(const abut_msh *msh, int64_t count, const char *what, size_t text_size,
                                   size_t binary_size)
{
    if (count < 0) {
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "the number of %s is negative", what);
    }
    if (!abut_values_can_hold(&msh->values, (uint64_t)count, msh->values.is_binary ? binary_size : text_size)) {
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "%lld %s are announced, but only %llu bytes follow",
                                (long long)count, what, (unsigned long long)abut_values_left(&msh->values));
    }
    return ABUT_OK;
}

static abut_status fail_word(const abut_msh *msh, abut_status status, abut_word word, const char *why)
{
    char quote[ABUT_QUOTE_SIZE];
    return abut_values_fail(&msh->values, status, "%s %s", abut_word_quote(word, quote), why);
}

// The byte order follows from the integer 1, which is stored in the byte order of the file.
static abut_status read_byte_order(abut_msh *msh)
{
    int64_t one = 0;
    (void)abut_text_next_line(&msh->values.text);
    msh->values.is_binary = 1;
    abut_status status = abut_msh_integer(msh, "the number one that tells the order of bytes", &one);
    if (status == ABUT_OK && one != 1) {
        msh->values.text.at -= 4;
        msh->values.is_big_endian = 1;
        status = abut_msh_integer(msh, "the number one that tells the order of bytes", &one);
    }
    if (status == ABUT_OK && one != 1) {
        status = abut_values_fail(&msh->values, ABUT_BAD_DATA,
                                  "the byte order is unknown: the integer 1 after $MeshFormat has another value");
    }
    return status;
}

static abut_status read_format(abut_msh *msh)
{
    abut_text *text = &msh->values.text;
    abut_word version;
    if (!abut_text_word_below(text, &version)) {
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "the file ends inside $MeshFormat");
    }
    msh->is_new = abut_word_is(version, "4.1");
    if (!msh->is_new && !abut_word_is(version, "2.2")) {
        return fail_word(msh, ABUT_UNSUPPORTED, version,
                         "is not a supported version of MSH; save version 2.2 or 4.1");
    }
    int is_binary = 0, size = 0;
    abut_status status = abut_text_integer(text, "file type", &is_binary);
    if (status == ABUT_OK) {
        status = abut_text_integer(text, "data size", &size);
    }
    if (status == ABUT_OK) {
        status = abut_values_end_line(&msh->values, "the format");
    }
    if (status != ABUT_OK) {
        return status;
    }
    if (is_binary < 0 || is_binary > 1) {
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "file type is %d; expected 0 (text) or 1 (binary)",
                                is_binary);
    }
    if (size != 8 && !(msh->is_new && size == 4)) {
        return abut_values_fail(&msh->values, ABUT_UNSUPPORTED, "data size is %d; expected 8", size);
    }
    msh->tag_type = !msh->is_new ? ABUT_INT32 : size == 4 ? ABUT_UINT32 : ABUT_UINT64;
    return is_binary ? read_byte_order(msh) : ABUT_OK;
}

static int ends_section(abut_word word, abut_word section)
{
    static const char prefix[] = "$End";
    size_t prefix_length = sizeof prefix - 1, length = (size_t)(section.end - section.start) - 1;
    return (size_t)(word.end - word.start) == prefix_length + length &&
           memcmp(word.start, prefix, prefix_length) == 0 &&
           memcmp(word.start + prefix_length, section.start + 1, length) == 0;
}

static abut_status fail_open_section(const abut_msh *msh, abut_word section)
{
    return fail_word(msh, ABUT_BAD_DATA, section, "has no end");
}

static abut_status end_section(abut_msh *msh, abut_word section)
{
    abut_word word;
    if (!abut_text_word_below(&msh->values.text, &word)) {
        return fail_open_section(msh, section);
    }
    return ends_section(word, section)
               ? ABUT_OK
               : fail_word(msh, ABUT_BAD_DATA, word, "is not the expected end of the section");
}

// Binary data may contain any bytes except the end of its section.
static abut_status skip_section(abut_msh *msh, abut_word section)
{
    abut_text *text = &msh->values.text;
    if (!msh->values.is_binary) {
        while (abut_text_next_line(text)) {
            abut_word word;
            if (abut_text_word(text, &word) && ends_section(word, section)) {
                return ABUT_OK;
            }
        }
        return fail_open_section(msh, section);
    }
    size_t length = (size_t)(section.end - section.start) + 3;
    const char *at = text->at;
    while ((size_t)(text->end - at) >= length && (at = memchr(at, '$', (size_t)(text->end - at))) != NULL &&
           (size_t)(text->end - at) >= length) {
        const abut_word word = {at, at + length};
        if (ends_section(word, section)) {
            text->at = word.end;
            return ABUT_OK;
        }
        ++at;
    }
    return fail_open_section(msh, section);
}

static abut_status read_section(abut_msh *msh, abut_word section)
{
    if (*section.start != '$') {
        return fail_word(msh, ABUT_BAD_DATA, section, "is not the expected start of a section ('$Name')");
    }
    if (abut_word_is(section, "$Comments")) {
        return skip_section(msh, section);
    }
    int is_format = abut_word_is(section, "$MeshFormat");
    if (is_format == msh->has_format) {
        return fail_word(msh, ABUT_BAD_DATA, section, is_format ? "appears twice" : "comes before $MeshFormat");
    }
    abut_status status;
    if (is_format) {
        msh->has_format = 1;
        status = read_format(msh);
    } else if (abut_word_is(section, "$Nodes") || abut_word_is(section, "$Elements")) {
        (void)abut_text_next_line(&msh->values.text);
        status = abut_word_is(section, "$Nodes") ? abut_msh_read_nodes(msh) : abut_msh_read_elements(msh);
    } else {
        return skip_section(msh, section);
    }
    return status == ABUT_OK ? end_section(msh, section) : status;
}

static abut_status read_sections(abut_msh *msh)
{
    const abut_file *file = msh->values.text.file;
    abut_text ahead = msh->values.text;
    abut_word section;
    if (!abut_text_word_below(&ahead, &section) || *section.start != '$') {
        abut_status status = abut_refuse_foreign_content(file);
        return status != ABUT_OK
                   ? status
                   : abut_file_fail(file, ABUT_BAD_DATA, 0, "not a Gmsh file: it does not start with $MeshFormat");
    }
    while (abut_text_word_below(&msh->values.text, &section)) {
        abut_status status = read_section(msh, section);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return msh->tag_count > 0 ? ABUT_OK : abut_file_fail(file, ABUT_BAD_DATA, 0, "this Gmsh file has no nodes");
}

abut_status abut_msh_read(const abut_file *file, abut_parts *parts)
{
    abut_msh msh = {.values = {.text = abut_text_open(file)}, .parts = parts};
    parts->precision = ABUT_PRECISION_DOUBLE;
    abut_status status = read_sections(&msh);
    abut_free(&parts->context, msh.tags);
    abut_free(&parts->context, msh.order);
    return status;
}
