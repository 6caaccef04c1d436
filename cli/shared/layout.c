// SPDX-License-Identifier: MIT
// layout.c: one table of members makes the columns, the CSV and the JSON of a row
#include "shared/layout.h"

#include <inttypes.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------
// Reading a value

static const void *address_of(const abut_cli_member *member, const void *row)
{
    if (row == NULL) {
        return NULL;
    }
    if (member->find != NULL) {
        return member->find(row);
    }
    const void *at = (const char *)row + member->offset;
    return member->is_pointer ? *(const void *const *)at : at;
}

static const char *word_of(const char *const *words, int index)
{
    for (int i = 0; words[i] != NULL; ++i) {
        if (i == index) {
            return words[i];
        }
    }
    return "unknown";
}

enum { ID_SIZE = 17 };

/// A value that needs one cell.
typedef struct scalar {
    enum { IS_NULL, IS_INTEGER, IS_REAL, IS_FLAG, IS_TEXT } type;
    int64_t integer;
    double number;
    const char *text;
    char *new_text; ///< to be freed, or NULL
    char id[ID_SIZE];
} scalar;

static void set_integer(scalar *value, int64_t integer)
{
    value->type = IS_INTEGER;
    value->integer = integer;
}

static void set_real(scalar *value, double number)
{
    value->type = isnan(number) ? IS_NULL : IS_REAL;
    value->number = number;
}

static void set_count(scalar *value, double number)
{
    if (!isnan(number)) {
        set_integer(value, (int64_t)number);
    }
}

static void set_flag(scalar *value, int flag)
{
    value->type = IS_FLAG;
    value->integer = flag != 0;
}

static void set_text(scalar *value, const char *text)
{
    value->type = text != NULL ? IS_TEXT : IS_NULL;
    value->text = text;
}

/// Values that a function of the member computes.
static void compute_scalar(const abut_cli_member *member, const void *at, scalar *value)
{
    switch (member->kind) {
    case ABUT_CLI_COMPUTED_REAL: set_real(value, member->by.number(at)); break;
    case ABUT_CLI_COMPUTED_COUNT: set_count(value, member->by.number(at)); break;
    case ABUT_CLI_COMPUTED_FLAG: set_flag(value, member->by.flag(at)); break;
    case ABUT_CLI_COMPUTED_TEXT: set_text(value, member->by.text(at)); break;
    case ABUT_CLI_NEW_TEXT:
        value->new_text = member->by.new_text(at);
        set_text(value, value->new_text);
        break;
    default: break;
    }
}

static int is_zero(const scalar *value)
{
    return (value->type == IS_INTEGER && value->integer == 0) || (value->type == IS_REAL && value->number == 0.0) ||
           (value->type == IS_TEXT && value->text[0] == '\0');
}

/// Reads a value. If the row is NULL, the value is null. Release `new_text` with free().
static void read_scalar(const abut_cli_member *member, const void *row, scalar *value)
{
    const void *at = address_of(member, row);
    value->type = IS_NULL;
    value->new_text = NULL;
    if (at == NULL) {
        return;
    }
    switch (member->kind) {
    case ABUT_CLI_INT: set_integer(value, *(const int *)at); break;
    case ABUT_CLI_INT64: set_integer(value, *(const int64_t *)at); break;
    case ABUT_CLI_REAL: set_real(value, *(const double *)at); break;
    case ABUT_CLI_COUNT: set_count(value, *(const double *)at); break;
    case ABUT_CLI_FLAG: set_flag(value, *(const int *)at); break;
    case ABUT_CLI_TEXT: set_text(value, *(const char *const *)at); break;
    case ABUT_CLI_CHARS: set_text(value, at); break;
    case ABUT_CLI_WORD: set_text(value, word_of(member->by.words, *(const int *)at)); break;
    case ABUT_CLI_ID:
        (void)snprintf(value->id, sizeof value->id, "%016" PRIx64, *(const uint64_t *)at);
        set_text(value, value->id);
        break;
    default: compute_scalar(member, at, value); break;
    }
    if (member->is_null_if_zero && is_zero(value)) {
        value->type = IS_NULL;
    }
}

static int is_applied(const abut_cli_member *member, const void *row)
{
    return member->applies == NULL || row == NULL || member->applies(row);
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static json_t *json_of_scalar(const abut_cli_member *member, const void *row)
{
    scalar value;
    read_scalar(member, row, &value);
    json_t *json = value.type == IS_INTEGER ? json_integer(value.integer)
                   : value.type == IS_REAL  ? abut_cli_json_number(value.number)
                   : value.type == IS_FLAG  ? json_boolean(value.integer)
                   : value.type == IS_TEXT  ? abut_cli_json_text(value.text)
                                            : json_null();
    free(value.new_text);
    return json;
}

static json_t *json_of_member(const abut_cli_member *member, const void *row)
{
    const void *at = address_of(member, row);
    if (at == NULL) {
        return json_null();
    }
    switch (member->kind) {
    case ABUT_CLI_VEC3: return abut_cli_json_vec3(*(const abut_vec3 *)at);
    case ABUT_CLI_QUAT: return abut_cli_json_quat(*(const abut_quat *)at);
    case ABUT_CLI_POSE: return abut_cli_json_pose(*(const abut_pose *)at);
    case ABUT_CLI_OBJECT: return abut_cli_json_of(member->by.layout, at);
    case ABUT_CLI_LIST: return abut_cli_json_rows(member->by.rows(at));
    case ABUT_CLI_ANY_JSON: return member->by.json(at);
    default: return json_of_scalar(member, row);
    }
}

static void set_members(json_t *object, const abut_cli_layout *layout, const void *row);

/// Adds the members of one rank. Returns whether there are members of a higher one.
static int set_rank(json_t *object, const abut_cli_layout *layout, const void *row, int rank)
{
    int has_more = 0;
    for (int i = 0; i < layout->count; ++i) {
        const abut_cli_member *member = &layout->members[i];
        has_more |= member->json_rank > rank;
        int is_shown = member->place != ABUT_CLI_COLUMNS_ONLY && is_applied(member, row);
        if (member->json_rank != rank || !is_shown) {
            continue;
        }
        if (member->kind == ABUT_CLI_PART) {
            set_members(object, member->by.layout, address_of(member, row));
        } else if (member->name != NULL) {
            json_object_set_new(object, member->name, json_of_member(member, row));
        }
    }
    return has_more;
}

static void set_members(json_t *object, const abut_cli_layout *layout, const void *row)
{
    for (int rank = 0; set_rank(object, layout, row, rank); ++rank) {
    }
}

json_t *abut_cli_json_of(const abut_cli_layout *layout, const void *row)
{
    json_t *object = json_object();
    set_members(object, layout, row);
    return object;
}

static const void *row_at(const abut_cli_rows *rows, int index)
{
    return (const char *)rows->items + (size_t)index * rows->item_size;
}

json_t *abut_cli_json_rows(abut_cli_rows rows)
{
    json_t *array = json_array();
    for (int i = 0; i < rows.count; ++i) {
        json_array_append_new(array, abut_cli_json_of(rows.layout, row_at(&rows, i)));
    }
    return array;
}

json_t *abut_cli_json_list(const void *list)
{
    const abut_cli_list *texts = list;
    json_t *array = json_array();
    for (int i = 0; i < texts->count; ++i) {
        json_array_append_new(array, abut_cli_json_text(texts->items[i]));
    }
    return array;
}

// ---------------------------------------------------------------------------------------------------------------
// Columns

static abut_cli_column_kind column_kind(const abut_cli_member *member)
{
    switch (member->kind) {
    case ABUT_CLI_FLAG:
    case ABUT_CLI_TEXT:
    case ABUT_CLI_CHARS:
    case ABUT_CLI_WORD:
    case ABUT_CLI_ID:
    case ABUT_CLI_COMPUTED_FLAG:
    case ABUT_CLI_COMPUTED_TEXT:
    case ABUT_CLI_NEW_TEXT: return ABUT_CLI_WORDS;
    default: return member->has_tenths ? ABUT_CLI_TENTHS : ABUT_CLI_NUMBER;
    }
}

static int has_columns(const abut_cli_member *member)
{
    return member->place != ABUT_CLI_JSON_ONLY && member->kind != ABUT_CLI_POSE && member->kind != ABUT_CLI_LIST &&
           member->kind != ABUT_CLI_ANY_JSON;
}

/// A column for each coordinate. The heading of the first one names the vector.
static void add_coordinates(abut_cli_table *table, const char *member, const char *heading, const char *letters)
{
    for (int i = 0; letters[i] != '\0'; ++i) {
        const char letter[] = {letters[i], '\0'};
        char *name = abut_cli_print("%s_%s", member, letter);
        abut_cli_add_column(table, name, heading == NULL || i == 0 ? heading : letter, ABUT_CLI_NUMBER);
        free(name);
    }
}

static void add_columns(abut_cli_table *table, const abut_cli_layout *layout)
{
    for (int i = 0; i < layout->count; ++i) {
        const abut_cli_member *member = &layout->members[i];
        if (!has_columns(member)) {
            continue;
        }
        const char *heading = layout->hides_optional && member->is_optional ? NULL : member->heading;
        switch (member->kind) {
        case ABUT_CLI_VEC3: add_coordinates(table, member->name, heading, "xyz"); break;
        case ABUT_CLI_QUAT: add_coordinates(table, member->name, heading, "wxyz"); break;
        case ABUT_CLI_OBJECT:
        case ABUT_CLI_PART: add_columns(table, member->by.layout); break;
        default: abut_cli_add_column(table, member->name, heading, column_kind(member)); break;
        }
    }
}

void abut_cli_table_begin(abut_cli_table *table, const abut_cli_layout *layout)
{
    abut_cli_table_open(table, NULL, 0);
    add_columns(table, layout);
}

static void add_scalar(abut_cli_table *table, const abut_cli_member *member, const void *row)
{
    scalar value;
    read_scalar(member, row, &value);
    switch (value.type) {
    case IS_NULL: abut_cli_add_number(table, (double)NAN); break;
    case IS_INTEGER: abut_cli_add_number(table, (double)value.integer); break;
    case IS_REAL: abut_cli_add_number(table, value.number); break;
    case IS_FLAG: abut_cli_add_text(table, value.integer ? "yes" : "no"); break;
    case IS_TEXT: abut_cli_add_text(table, value.text); break;
    }
    free(value.new_text);
}

static void add_vec3(abut_cli_table *table, const abut_vec3 *v)
{
    abut_cli_add_vec3(table, v != NULL ? *v : abut_vec3_make(NAN, NAN, NAN));
}

static void add_quat(abut_cli_table *table, const abut_quat *q)
{
    abut_cli_add_number(table, q != NULL ? q->w : (double)NAN);
    abut_cli_add_vec3(table, q != NULL ? abut_vec3_make(q->x, q->y, q->z) : abut_vec3_make(NAN, NAN, NAN));
}

void abut_cli_add_row(abut_cli_table *table, const abut_cli_layout *layout, const void *row)
{
    for (int i = 0; i < layout->count; ++i) {
        const abut_cli_member *member = &layout->members[i];
        const void *from = is_applied(member, row) ? row : NULL;
        if (!has_columns(member)) {
            continue;
        }
        switch (member->kind) {
        case ABUT_CLI_VEC3: add_vec3(table, address_of(member, from)); break;
        case ABUT_CLI_QUAT: add_quat(table, address_of(member, from)); break;
        case ABUT_CLI_OBJECT:
        case ABUT_CLI_PART: abut_cli_add_row(table, member->by.layout, address_of(member, from)); break;
        default: add_scalar(table, member, from); break;
        }
    }
}

void abut_cli_add_rows(abut_cli_table *table, abut_cli_rows rows)
{
    for (int i = 0; i < rows.count; ++i) {
        abut_cli_add_row(table, rows.layout, row_at(&rows, i));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Reports

void abut_cli_report_write(const abut_cli_report *report, abut_cli_format format, FILE *out)
{
    if (format == ABUT_CLI_JSON) {
        json_t *document = abut_cli_json_document();
        set_members(document, report->document, report->data);
        abut_cli_json_print(document, out);
        return;
    }
    abut_cli_table table;
    abut_cli_table_begin(&table, report->rows.layout);
    abut_cli_add_rows(&table, report->rows);
    if (format == ABUT_CLI_CSV) {
        abut_cli_csv_print(&table, out);
    } else if (report->write != NULL) {
        report->write(report->data, &table, out);
    } else {
        abut_cli_table_print(&table, 0, abut_cli_row_count(&table), out);
    }
    abut_cli_table_release(&table);
}

abut_cli_exit abut_cli_report_print(const abut_cli_report *report, abut_cli_format format)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    abut_cli_report_write(report, format, text.stream);
    return abut_cli_text_finish(&text);
}
