// SPDX-License-Identifier: MIT
// ply_header.c: the header of a PLY file
#include "io/ply_header.h"

#include "base/memory.h"
#include "io/formats.h"

#include <string.h>

static abut_status fail_word(const abut_text *text, abut_status status, abut_word word, const char *why)
{
    char quote[ABUT_QUOTE_SIZE];
    return abut_file_fail(text->file, status, text->line, "%s %s", abut_word_quote(word, quote), why);
}

static abut_status expect_word(abut_text *text, const char *what, abut_word *word)
{
    return abut_text_word(text, word)
               ? ABUT_OK
               : abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "%s is missing in the header", what);
}

static abut_status expect_line_end(abut_text *text)
{
    abut_word word;
    return abut_text_word(text, &word)
               ? fail_word(text, ABUT_BAD_DATA, word, "is unexpected at the end of a line of the header")
               : ABUT_OK;
}

static abut_status read_format(abut_values *values)
{
    abut_text *text = &values->text;
    abut_word word, version;
    abut_status status = expect_word(text, "the format", &word);
    if (status == ABUT_OK) {
        status = expect_word(text, "the version of the format", &version);
    }
    if (status != ABUT_OK) {
        return status;
    }
    values->is_big_endian = abut_word_is(word, "binary_big_endian");
    values->is_binary = values->is_big_endian || abut_word_is(word, "binary_little_endian");
    if (!values->is_binary && !abut_word_is(word, "ascii")) {
        return fail_word(text, ABUT_UNSUPPORTED, word,
                         "is not a PLY format; expected ascii, binary_little_endian or binary_big_endian");
    }
    if (!abut_word_is(version, "1.0")) {
        return fail_word(text, ABUT_UNSUPPORTED, version, "is not a supported PLY version; expected 1.0");
    }
    return expect_line_end(text);
}

static abut_ply_kind kind_of(abut_word name)
{
    return abut_word_is(name, "vertex")      ? ABUT_PLY_VERTEX
           : abut_word_is(name, "face")      ? ABUT_PLY_FACE
           : abut_word_is(name, "edge")      ? ABUT_PLY_EDGE
           : abut_word_is(name, "tristrips") ? ABUT_PLY_STRIPS
                                             : ABUT_PLY_OTHER;
}

static abut_status check_element(const abut_text *text, const abut_ply_header *header, const abut_ply_element *it)
{
    if (it->count < 0) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the number of elements is negative");
    }
    for (int i = 0; i < header->element_count; ++i) {
        if (it->kind != ABUT_PLY_OTHER && header->elements[i].kind == it->kind) {
            return fail_word(text, ABUT_BAD_DATA, it->name, "is declared twice");
        }
    }
    return ABUT_OK;
}

static abut_status read_element(abut_text *text, abut_ply_header *header)
{
    abut_ply_element element = {.line = text->line, .first = header->property_count};
    abut_status status = expect_word(text, "the name of an element", &element.name);
    if (status == ABUT_OK) {
        status = abut_text_wide_integer(text, "number of elements", &element.count);
    }
    if (status == ABUT_OK) {
        element.kind = kind_of(element.name);
        status = check_element(text, header, &element);
    }
    if (status == ABUT_OK) {
        status = expect_line_end(text);
    }
    if (status != ABUT_OK) {
        return status;
    }
    if (!abut_grow(&header->context, &header->elements, &header->element_capacity, header->element_count + 1,
                   sizeof element)) {
        return abut_file_fail_growth(text->file, ABUT_NO_MEMORY, 0, "elements");
    }
    header->elements[header->element_count++] = element;
    if (element.kind == ABUT_PLY_VERTEX) {
        header->vertex_count = element.count;
    }
    return ABUT_OK;
}

static abut_status read_type(abut_text *text, abut_value_type *type)
{
    static const struct {
        const char *name;
        abut_value_type type;
    } names[] = {
        {"char", ABUT_INT8},     {"int8", ABUT_INT8},       {"uchar", ABUT_UINT8},    {"uint8", ABUT_UINT8},
        {"short", ABUT_INT16},   {"int16", ABUT_INT16},     {"ushort", ABUT_UINT16},  {"uint16", ABUT_UINT16},
        {"int", ABUT_INT32},     {"int32", ABUT_INT32},     {"uint", ABUT_UINT32},    {"uint32", ABUT_UINT32},
        {"float", ABUT_FLOAT32}, {"float32", ABUT_FLOAT32}, {"double", ABUT_FLOAT64}, {"float64", ABUT_FLOAT64},
    };
    abut_word word;
    abut_status status = expect_word(text, "the type of a property", &word);
    if (status != ABUT_OK) {
        return status;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (abut_word_is(word, names[i].name)) {
            *type = names[i].type;
            return ABUT_OK;
        }
    }
    return fail_word(text, ABUT_BAD_DATA, word, "is not a PLY type such as float or uchar");
}

// The roles of properties. Each role of an element must appear exactly once.
typedef struct role_name {
    abut_ply_kind kind;
    const char *name;
    abut_ply_role role;
    int is_list, is_whole;
} role_name;

static const role_name role_names[] = {
    {ABUT_PLY_VERTEX, "x", ABUT_PLY_X, 0, 0},
    {ABUT_PLY_VERTEX, "y", ABUT_PLY_Y, 0, 0},
    {ABUT_PLY_VERTEX, "z", ABUT_PLY_Z, 0, 0},
    {ABUT_PLY_FACE, "vertex_indices", ABUT_PLY_CORNERS, 1, 1},
    {ABUT_PLY_FACE, "vertex_index", ABUT_PLY_CORNERS, 1, 1},
    {ABUT_PLY_STRIPS, "vertex_indices", ABUT_PLY_STRIP, 1, 1},
    {ABUT_PLY_STRIPS, "vertex_index", ABUT_PLY_STRIP, 1, 1},
    {ABUT_PLY_EDGE, "vertex1", ABUT_PLY_START, 0, 1},
    {ABUT_PLY_EDGE, "vertex2", ABUT_PLY_END, 0, 1},
};
enum { ROLE_NAME_COUNT = sizeof role_names / sizeof *role_names };

static int is_whole(abut_value_type type)
{
    return type != ABUT_FLOAT32 && type != ABUT_FLOAT64;
}

static int has_role(const abut_ply_header *header, const abut_ply_element *element, abut_ply_role role)
{
    for (int i = 0; i < element->property_count; ++i) {
        if (header->properties[element->first + i].role == role) {
            return 1;
        }
    }
    return 0;
}

static abut_status find_role(const abut_text *text, const abut_ply_header *header, abut_word name,
                             abut_ply_property *property)
{
    const abut_ply_element *element = &header->elements[header->element_count - 1];
    for (int i = 0; i < ROLE_NAME_COUNT; ++i) {
        const role_name *known = &role_names[i];
        if (known->kind != element->kind || !abut_word_is(name, known->name)) {
            continue;
        }
        if (has_role(header, element, known->role)) {
            return fail_word(text, ABUT_BAD_DATA, name, "is declared twice");
        }
        if (property->is_list != known->is_list || (known->is_whole && !is_whole(property->type))) {
            return fail_word(text, ABUT_BAD_DATA, name,
                             known->is_list    ? "must be a list of whole numbers"
                             : known->is_whole ? "must be a whole number"
                                               : "must be a number, not a list");
        }
        property->role = known->role;
    }
    return ABUT_OK;
}

static abut_status read_property(abut_text *text, abut_ply_header *header)
{
    abut_ply_property property = {.role = ABUT_PLY_SKIPPED};
    if (header->element_count == 0) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "'property' comes before the first 'element'");
    }
    abut_text ahead = *text;
    abut_word word;
    abut_status status = ABUT_OK;
    if (abut_text_word(&ahead, &word) && abut_word_is(word, "list")) {
        *text = ahead;
        property.is_list = 1;
        status = read_type(text, &property.count_type);
        if (status == ABUT_OK && !is_whole(property.count_type)) {
            status = abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                                    "the type of the length of a list is not an integer type");
        }
    }
    if (status == ABUT_OK) {
        status = read_type(text, &property.type);
    }
    if (status == ABUT_OK) {
        status = expect_word(text, "the name of a property", &word);
    }
    if (status == ABUT_OK) {
        status = find_role(text, header, word, &property);
    }
    if (status == ABUT_OK) {
        status = expect_line_end(text);
    }
    if (status != ABUT_OK) {
        return status;
    }
    if (!abut_grow(&header->context, &header->properties, &header->property_capacity, header->property_count + 1,
                   sizeof property)) {
        return abut_file_fail_growth(text->file, ABUT_NO_MEMORY, 0, "properties");
    }
    header->properties[header->property_count++] = property;
    ++header->elements[header->element_count - 1].property_count;
    return ABUT_OK;
}

static abut_status check_roles(const abut_file *file, const abut_ply_header *header)
{
    if (header->vertex_count == 0) {
        return abut_file_fail(file, ABUT_BAD_DATA, 0, "this PLY file has no vertices");
    }
    for (int i = 0; i < header->element_count; ++i) {
        for (int k = 0; k < ROLE_NAME_COUNT; ++k) {
            if (role_names[k].kind == header->elements[i].kind &&
                !has_role(header, &header->elements[i], role_names[k].role)) {
                char quote[ABUT_QUOTE_SIZE];
                return abut_file_fail(file, ABUT_BAD_DATA, header->elements[i].line, "%s has no property '%s'",
                                      abut_word_quote(header->elements[i].name, quote), role_names[k].name);
            }
        }
    }
    return ABUT_OK;
}

// Values begin after the line end of "end_header". If the header's lines end with a single CR, an LF after the last
// CR belongs to the values.
static abut_status end_header(abut_values *values, int ends_with_cr)
{
    abut_text *text = &values->text;
    abut_status status = expect_line_end(text);
    if (status != ABUT_OK) {
        return status;
    }
    if (text->at < text->end && ends_with_cr) {
        ++text->at;
        ++text->line;
    } else {
        (void)abut_text_next_line(text);
    }
    return ABUT_OK;
}

static abut_status read_statements(abut_ply_header *header, abut_values *values)
{
    abut_text *text = &values->text;
    int ends_with_cr = text->end - text->at >= 2 && text->at[0] == '\r' && text->at[1] != '\n';
    int has_format = 0;
    abut_word word;
    while (abut_text_next_line(text)) {
        abut_status status = ABUT_OK;
        if (!abut_text_word(text, &word) || abut_word_is(word, "comment") || abut_word_is(word, "obj_info")) {
            continue;
        }
        if (abut_word_is(word, "end_header")) {
            return has_format ? end_header(values, ends_with_cr)
                              : abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the header has no format");
        }
        if (abut_word_is(word, "format")) {
            has_format = 1;
            status = read_format(values);
        } else if (abut_word_is(word, "element")) {
            status = read_element(text, header);
        } else if (abut_word_is(word, "property")) {
            status = read_property(text, header);
        } else {
            status = fail_word(text, ABUT_BAD_DATA, word, "is not a known statement of a PLY header");
        }
        if (status != ABUT_OK) {
            return status;
        }
    }
    return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the file ends inside the header");
}

abut_status abut_ply_header_read(abut_ply_header *header, abut_values *values)
{
    memset(header, 0, sizeof *header);
    header->context = values->text.file->context;
    abut_word word;
    if (!abut_text_word_below(&values->text, &word) || !abut_word_is(word, "ply")) {
        abut_status status = abut_refuse_foreign_content(values->text.file);
        return status != ABUT_OK ? status
                                 : abut_file_fail(values->text.file, ABUT_BAD_DATA, 0,
                                                  "not a PLY file: it does not start with 'ply'");
    }
    abut_status status = read_statements(header, values);
    return status == ABUT_OK ? check_roles(values->text.file, header) : status;
}

void abut_ply_header_release(abut_ply_header *header)
{
    abut_free(&header->context, header->elements);
    abut_free(&header->context, header->properties);
}
