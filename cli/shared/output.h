// SPDX-License-Identifier: MIT
// output.h: results as a table, JSON or CSV, written to stdout only when they are complete
#ifndef ABUT_CLI_OUTPUT_H
#define ABUT_CLI_OUTPUT_H

#include "shared/options.h"

#include <abut/math.h>
#include <jansson.h>
#include <stdio.h>

typedef enum abut_cli_format { ABUT_CLI_TABLE = 0, ABUT_CLI_JSON = 1, ABUT_CLI_CSV = 2 } abut_cli_format;

/// The option --format.
abut_cli_exit abut_cli_format_of(const abut_cli_arguments *arguments, abut_cli_format *format);

/// Text that is collected and then written to stdout at once.
typedef struct abut_cli_text {
    FILE *stream; ///< to print to
    char *data;
    size_t size;
} abut_cli_text;

void abut_cli_text_open(abut_cli_text *text);
/// Writes the text and releases it; ABUT_CLI_UNFINISHED where stdout did not take all of it.
abut_cli_exit abut_cli_text_finish(abut_cli_text *text);
/// Hands the text over instead; release it with free().
char *abut_cli_text_take(abut_cli_text *text);

/// What a column holds; in tables texts stand to the left and numbers to the right.
typedef enum abut_cli_column_kind {
    ABUT_CLI_NUMBER = 0, ///< with as many digits as it needs, up to six
    ABUT_CLI_WORDS = 1,  ///< text
    ABUT_CLI_TENTHS = 2  ///< a number with one decimal
} abut_cli_column_kind;

/// A column; a NULL heading leaves it out of tables, a NULL name out of CSV.
typedef struct abut_cli_column {
    const char *name;    ///< in CSV
    const char *heading; ///< in tables
    abut_cli_column_kind kind;
} abut_cli_column;

typedef struct abut_cli_cell {
    char *text;    ///< or NULL: a number; "": "-" in tables
    double number; ///< NaN: "-" in tables, nothing in CSV
} abut_cli_cell;

/// Rows of cells, added one by one from left to right.
typedef struct abut_cli_table {
    const abut_cli_column *columns;
    int column_count;
    abut_cli_column *own_columns; ///< of abut_cli_add_column(), or NULL
    abut_cli_list own_names;      ///< of `own_columns`
    abut_cli_cell *cells;
    size_t cell_count, cell_capacity;
} abut_cli_table;

void abut_cli_table_open(abut_cli_table *table, const abut_cli_column *columns, int column_count);
/// Adds a column on the right, with copies of the texts. Only to a table that was opened without columns, before its
/// first row.
void abut_cli_add_column(abut_cli_table *table, const char *name, const char *heading, abut_cli_column_kind kind);
void abut_cli_add_text(abut_cli_table *table, const char *text);
void abut_cli_add_number(abut_cli_table *table, double number);
void abut_cli_add_vec3(abut_cli_table *table, abut_vec3 v);
size_t abut_cli_row_count(const abut_cli_table *table);
/// Rows begin .. end - 1 with a line of headings, every column as wide as in the whole table.
void abut_cli_table_print(const abut_cli_table *table, size_t begin, size_t end, FILE *out);
void abut_cli_csv_print(const abut_cli_table *table, FILE *out);
/// Its two parts, for a table that is printed piece by piece.
void abut_cli_csv_head(const abut_cli_table *table, FILE *out);
void abut_cli_csv_rows(const abut_cli_table *table, FILE *out);
void abut_cli_table_release(abut_cli_table *table);

/// A number, zero without a sign; null where it is not finite.
json_t *abut_cli_json_number(double value);
/// A text; bytes that are not UTF-8 become question marks. NULL becomes null.
json_t *abut_cli_json_text(const char *text);
json_t *abut_cli_json_numbers(const double *numbers, int count);
json_t *abut_cli_json_integers(const int *integers, int count);
json_t *abut_cli_json_vec3(abut_vec3 v);
json_t *abut_cli_json_points(const abut_vec3 *points, int count);
/// w x y z
json_t *abut_cli_json_quat(abut_quat q);
/// x y z qw qx qy qz
json_t *abut_cli_json_pose(abut_pose pose);
/// An object with "schema": 1.
json_t *abut_cli_json_document(void);
/// Prints a document so that every number reads back exactly, a short list on one line; releases it.
void abut_cli_json_print(json_t *document, FILE *out);

/// Makes JSON values come from abut_cli_resize(), which never returns NULL. Call once, first.
void abut_cli_json_start(void);

#endif
