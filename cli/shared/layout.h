// SPDX-License-Identifier: MIT
// layout.h: one table of members makes the columns, the CSV and the JSON of a row
//
// A row is any struct. Its layout lists what is printed of it: name, heading, and how to read the value.
//
//     static const abut_cli_member step_members[] = {
//         {"step", "step", ABUT_CLI_AT(step_row, report.step)},
//         {"outcome", "solver", ABUT_CLI_TEXT_BY(outcome_text)},
//         {"moved", NULL, ABUT_CLI_AT(step_row, moved)},
//     };
//     static const abut_cli_layout step_layout = ABUT_CLI_LAYOUT(step_members);
#ifndef ABUT_CLI_LAYOUT_H
#define ABUT_CLI_LAYOUT_H

#include "shared/output.h"

#include <stddef.h>
#include <stdint.h>

/// How a value is stored, and how it is printed.
typedef enum abut_cli_kind {
    ABUT_CLI_INT,            ///< int
    ABUT_CLI_INT64,          ///< int64_t
    ABUT_CLI_REAL,           ///< double; null if it is not finite
    ABUT_CLI_COUNT,          ///< double with a whole number; null if it is NaN
    ABUT_CLI_FLAG,           ///< int: true and false; "yes" and "no" in columns
    ABUT_CLI_TEXT,           ///< const char *; null if it is NULL
    ABUT_CLI_CHARS,          ///< an array of char
    ABUT_CLI_WORD,           ///< enum or int: an index of `words`; else "unknown"
    ABUT_CLI_ID,             ///< uint64_t: 16 hexadecimal digits
    ABUT_CLI_VEC3,           ///< an array of 3; three columns
    ABUT_CLI_QUAT,           ///< an array w x y z; four columns
    ABUT_CLI_POSE,           ///< an array x y z qw qx qy qz; no columns
    ABUT_CLI_OBJECT,         ///< a struct with a layout of its own, which gives its columns
    ABUT_CLI_PART,           ///< a struct whose members are printed as members of the row
    ABUT_CLI_COMPUTED_REAL,  ///< returned by a function of `by`, as all below; printed as ABUT_CLI_REAL
    ABUT_CLI_COMPUTED_COUNT, ///< as ABUT_CLI_COUNT
    ABUT_CLI_COMPUTED_FLAG,  ///< as ABUT_CLI_FLAG
    ABUT_CLI_COMPUTED_TEXT,  ///< as ABUT_CLI_TEXT
    ABUT_CLI_NEW_TEXT,       ///< as ABUT_CLI_TEXT; free() is called on it
    ABUT_CLI_LIST,           ///< an array of structs that have a layout; no columns
    ABUT_CLI_ANY_JSON        ///< no columns
} abut_cli_kind;

typedef struct abut_cli_member abut_cli_member;

/// The members of a row, in the order of the columns.
typedef struct abut_cli_layout {
    const abut_cli_member *members;
    int count;
    int hides_optional; ///< tables omit the members that are `is_optional`
} abut_cli_layout;

/// An array of rows.
typedef struct abut_cli_rows {
    const abut_cli_layout *layout;
    const void *items;
    int count;
    size_t item_size;
} abut_cli_rows;

/// Where a member is printed. Without a heading it is not in tables; without a name it is in tables only.
typedef enum abut_cli_place { ABUT_CLI_ALL_FORMATS, ABUT_CLI_JSON_ONLY, ABUT_CLI_COLUMNS_ONLY } abut_cli_place;

struct abut_cli_member {
    const char *name;    ///< in JSON and CSV; a vector has the columns NAME_x, NAME_y, NAME_z
    const char *heading; ///< in tables; of a vector, the heading of x
    abut_cli_kind kind;
    size_t offset;  ///< of the value in the row
    int is_pointer; ///< ABUT_CLI_OBJECT and ABUT_CLI_PART: the row has a pointer to the struct
    /// If not NULL, returns the address of the value, and `offset` is ignored. If the address is NULL, the value is
    /// null; of a part, all values are.
    const void *(*find)(const void *row);
    union {
        const char *const *words; ///< up to NULL
        const abut_cli_layout *layout;
        double (*number)(const void *value);
        int (*flag)(const void *value);
        const char *(*text)(const void *value);
        char *(*new_text)(const void *value);
        abut_cli_rows (*rows)(const void *value);
        json_t *(*json)(const void *value);
    } by; ///< functions get the address of the value, which is that of the row if `offset` is 0
    int (*applies)(const void *row); ///< if it returns 0, JSON omits the member, and columns show null; or NULL
    abut_cli_place place;
    int json_rank;       ///< JSON lists members by rank, then in the order of the columns
    int is_null_if_zero; ///< numbers 0 and texts "" are null
    int has_tenths;      ///< one decimal in tables
    int is_optional;     ///< not in the tables of a layout that `hides_optional`
};

#define ABUT_CLI_LAYOUT(list)                                                                                      \
    {                                                                                                              \
        .members = (list), .count = (int)(sizeof(list) / sizeof((list)[0]))                                        \
    }

#define ABUT_CLI_MEMBER(type, member) (((type *)0)->member)

// clang-format off
/// A member of the struct; its type gives the kind.
#define ABUT_CLI_AT(type, member)                                                                                  \
    .kind = _Generic(&ABUT_CLI_MEMBER(type, member),                                                               \
                     int *: ABUT_CLI_INT,                                                                          \
                     int64_t *: ABUT_CLI_INT64,                                                                    \
                     double *: ABUT_CLI_REAL,                                                                      \
                     const char **: ABUT_CLI_TEXT,                                                                 \
                     char **: ABUT_CLI_TEXT,                                                                       \
                     uint64_t *: ABUT_CLI_ID,                                                                      \
                     abut_vec3 *: ABUT_CLI_VEC3,                                                                   \
                     abut_quat *: ABUT_CLI_QUAT,                                                                   \
                     abut_pose *: ABUT_CLI_POSE),                                                                  \
    .offset = offsetof(type, member)
// clang-format on

/// An int that is 0 or 1.
#define ABUT_CLI_FLAG_AT(type, member)                                                                             \
    .kind = _Generic(&ABUT_CLI_MEMBER(type, member), int * : ABUT_CLI_FLAG), .offset = offsetof(type, member)

/// A double that is a whole number or NaN.
#define ABUT_CLI_COUNT_AT(type, member)                                                                            \
    .kind = _Generic(&ABUT_CLI_MEMBER(type, member), double * : ABUT_CLI_COUNT), .offset = offsetof(type, member)

/// A text in an array of char.
#define ABUT_CLI_CHARS_AT(type, member)                                                                            \
    .kind = ABUT_CLI_CHARS, .offset = offsetof(type, member) + 0 * sizeof(ABUT_CLI_MEMBER(type, member)[0])

/// An enum or int that is an index of `list`.
#define ABUT_CLI_WORD_AT(type, member, list)                                                                       \
    .kind = ABUT_CLI_WORD, .by.words = (list),                                                                     \
    .offset =                                                                                                      \
        offsetof(type, member) + 0 * sizeof(char[sizeof ABUT_CLI_MEMBER(type, member) == sizeof(int) ? 1 : -1])

/// A struct inside the row, or one to which it points.
#define ABUT_CLI_OBJECT_AT(type, member, inner)                                                                    \
    .kind = ABUT_CLI_OBJECT, .offset = offsetof(type, member), .by.layout = &(inner)
#define ABUT_CLI_OBJECT_TO(type, member, inner)                                                                    \
    .kind = ABUT_CLI_OBJECT, .offset = offsetof(type, member), .is_pointer = 1, .by.layout = &(inner)
#define ABUT_CLI_PART_AT(type, member, inner)                                                                      \
    .kind = ABUT_CLI_PART, .offset = offsetof(type, member), .by.layout = &(inner)
#define ABUT_CLI_PART_TO(type, member, inner)                                                                      \
    .kind = ABUT_CLI_PART, .offset = offsetof(type, member), .is_pointer = 1, .by.layout = &(inner)

/// The row itself as an object, or an object at the address that a function finds.
#define ABUT_CLI_OBJECT_OF(inner) .kind = ABUT_CLI_OBJECT, .by.layout = &(inner)
#define ABUT_CLI_OBJECT_BY(function, inner) .kind = ABUT_CLI_OBJECT, .find = (function), .by.layout = &(inner)
#define ABUT_CLI_PART_BY(function, inner) .kind = ABUT_CLI_PART, .find = (function), .by.layout = &(inner)

/// Values that a function computes from the row.
#define ABUT_CLI_REAL_BY(function) .kind = ABUT_CLI_COMPUTED_REAL, .by.number = (function)
#define ABUT_CLI_COUNT_BY(function) .kind = ABUT_CLI_COMPUTED_COUNT, .by.number = (function)
#define ABUT_CLI_FLAG_BY(function) .kind = ABUT_CLI_COMPUTED_FLAG, .by.flag = (function)
#define ABUT_CLI_TEXT_BY(function) .kind = ABUT_CLI_COMPUTED_TEXT, .by.text = (function)
#define ABUT_CLI_NEW_TEXT_BY(function) .kind = ABUT_CLI_NEW_TEXT, .by.new_text = (function)
#define ABUT_CLI_ROWS_BY(function) .kind = ABUT_CLI_LIST, .by.rows = (function)
#define ABUT_CLI_JSON_BY(function) .kind = ABUT_CLI_ANY_JSON, .by.json = (function)

/// Values that a function computes from a member of the row: it gets the member's address.
#define ABUT_CLI_TEXT_OF(type, member, function) ABUT_CLI_TEXT_BY(function), .offset = offsetof(type, member)
#define ABUT_CLI_NEW_TEXT_OF(type, member, function)                                                               \
    ABUT_CLI_NEW_TEXT_BY(function), .offset = offsetof(type, member)
#define ABUT_CLI_JSON_OF(type, member, function) ABUT_CLI_JSON_BY(function), .offset = offsetof(type, member)

/// A row as a JSON object, rows as an array.
json_t *abut_cli_json_of(const abut_cli_layout *layout, const void *row);
json_t *abut_cli_json_rows(abut_cli_rows rows);

/// The texts of an abut_cli_list.
json_t *abut_cli_json_list(const void *list);

/// A table with the columns of a layout. Add rows of that layout only.
void abut_cli_table_begin(abut_cli_table *table, const abut_cli_layout *layout);
void abut_cli_add_row(abut_cli_table *table, const abut_cli_layout *layout, const void *row);
void abut_cli_add_rows(abut_cli_table *table, abut_cli_rows rows);

/// A result of a verb, ready to be printed in every format.
typedef struct abut_cli_report {
    const abut_cli_layout *document; ///< the members of the JSON document after "schema"
    const void *data;                ///< a row of `document`
    abut_cli_rows rows;              ///< the lines of CSV and table
    /// Prints the table with the words around it; NULL: the table alone.
    void (*write)(const void *data, const abut_cli_table *table, FILE *out);
} abut_cli_report;

void abut_cli_report_write(const abut_cli_report *report, abut_cli_format format, FILE *out);

/// Writes the report to stdout.
abut_cli_exit abut_cli_report_print(const abut_cli_report *report, abut_cli_format format);

#endif
