// SPDX-License-Identifier: MIT
// output.c: results as a table, JSON or CSV, written to stdout only when they are complete
#define _POSIX_C_SOURCE 200809L
#include "shared/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

abut_cli_exit abut_cli_format_of(const abut_cli_arguments *arguments, abut_cli_format *format)
{
    static const char *const names[] = {"table", "json", "csv"};
    const char *text = abut_cli_value_of(arguments, "format");
    *format = ABUT_CLI_TABLE;
    for (int i = 0; text != NULL && i < 3; ++i) {
        if (strcmp(text, names[i]) == 0) {
            *format = (abut_cli_format)i;
            return ABUT_CLI_DONE;
        }
    }
    return text == NULL ? ABUT_CLI_DONE
                        : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --format '%s': use table, json or csv", text);
}

// ---------------------------------------------------------------------------------------------------------------
// Text

void abut_cli_text_open(abut_cli_text *text)
{
    *text = (abut_cli_text){0};
    text->stream = open_memstream(&text->data, &text->size);
    if (text->stream == NULL) {
        exit((int)abut_cli_fail(ABUT_CLI_UNFINISHED, "out of memory: try a smaller input"));
    }
}

char *abut_cli_text_take(abut_cli_text *text)
{
    int is_complete = !ferror(text->stream);
    is_complete = fclose(text->stream) == 0 && is_complete;
    if (!is_complete) {
        exit((int)abut_cli_fail(ABUT_CLI_UNFINISHED, "out of memory: try a smaller input"));
    }
    return text->data;
}

abut_cli_exit abut_cli_text_finish(abut_cli_text *text)
{
    (void)abut_cli_text_take(text);
    errno = 0;
    int is_written = fwrite(text->data, 1, text->size, stdout) == text->size && fflush(stdout) == 0;
    free(text->data);
    if (is_written) {
        return ABUT_CLI_DONE;
    }
    // A reader that closed the pipe needs no message.
    return errno == EPIPE
               ? ABUT_CLI_UNFINISHED
               : abut_cli_fail(ABUT_CLI_UNFINISHED, "cannot write to standard output: %s", abut_errno_text(errno));
}

// ---------------------------------------------------------------------------------------------------------------
// Tables

void abut_cli_table_open(abut_cli_table *table, const abut_cli_column *columns, int column_count)
{
    *table = (abut_cli_table){.columns = columns, .column_count = column_count};
}

static const char *keep_name(abut_cli_table *table, const char *name)
{
    if (name == NULL) {
        return NULL;
    }
    abut_cli_list_add(&table->own_names, name);
    return table->own_names.items[table->own_names.count - 1];
}

void abut_cli_add_column(abut_cli_table *table, const char *name, const char *heading, abut_cli_column_kind kind)
{
    size_t count = (size_t)table->column_count + 1;
    table->own_columns = abut_cli_resize(table->own_columns, count, sizeof *table->own_columns);
    table->own_columns[table->column_count++] =
        (abut_cli_column){keep_name(table, name), keep_name(table, heading), kind};
    table->columns = table->own_columns;
}

static void add_cell(abut_cli_table *table, char *text, double number)
{
    if (table->cell_count == table->cell_capacity) {
        table->cell_capacity = 2 * table->cell_capacity + 64;
        table->cells = abut_cli_resize(table->cells, table->cell_capacity, sizeof *table->cells);
    }
    table->cells[table->cell_count++] = (abut_cli_cell){text, number};
}

void abut_cli_add_text(abut_cli_table *table, const char *text)
{
    add_cell(table, abut_cli_copy(text), 0.0);
}

void abut_cli_add_number(abut_cli_table *table, double number)
{
    add_cell(table, NULL, number);
}

void abut_cli_add_vec3(abut_cli_table *table, abut_vec3 v)
{
    add_cell(table, NULL, v.x);
    add_cell(table, NULL, v.y);
    add_cell(table, NULL, v.z);
}

size_t abut_cli_row_count(const abut_cli_table *table)
{
    return table->cell_count / (size_t)table->column_count;
}

enum { CELL_WIDTH = 40 };

// The text of a cell in a table. Six digits are enough for people; CSV and JSON have all.
static const char *cell_text(const abut_cli_table *table, size_t row, size_t column, char buffer[CELL_WIDTH])
{
    const abut_cli_cell *cell = &table->cells[row * (size_t)table->column_count + column];
    if (cell->text != NULL) {
        return cell->text[0] != '\0' ? cell->text : "-";
    }
    if (isnan(cell->number)) {
        return "-";
    }
    if (table->columns[column].kind == ABUT_CLI_TENTHS && fabs(cell->number) < 1e15) {
        (void)snprintf(buffer, CELL_WIDTH, "%.1f", cell->number);
        return buffer;
    }
    // Whole numbers have all digits, since an index must not be rounded. -0 becomes 0.
    int is_whole = fabs(cell->number) < 1e15 && floor(cell->number) == cell->number;
    (void)snprintf(buffer, CELL_WIDTH, is_whole ? "%.0f" : "%.6g", cell->number == 0.0 ? 0.0 : cell->number);
    return buffer;
}

// Counts characters: continuation bytes of UTF-8 have no width.
static int text_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; ++text) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

static void print_padded(const char *text, int width, abut_cli_column_kind kind, int is_last, FILE *out)
{
    int is_text = kind == ABUT_CLI_WORDS;
    int padding = width - text_width(text);
    (void)fprintf(out, "%*s%s%*s%s", is_text ? 0 : padding, "", text, is_text && !is_last ? padding : 0, "",
                  is_last ? "\n" : "  ");
}

static int last_column(const abut_cli_table *table)
{
    int last = table->column_count - 1;
    while (last > 0 && table->columns[last].heading == NULL) {
        --last;
    }
    return last;
}

void abut_cli_table_print(const abut_cli_table *table, size_t begin, size_t end, FILE *out)
{
    char buffer[CELL_WIDTH];
    size_t columns = (size_t)table->column_count;
    int *widths = abut_cli_resize(NULL, columns, sizeof *widths);
    for (size_t j = 0; j < columns; ++j) {
        const char *heading = table->columns[j].heading;
        widths[j] = heading != NULL ? text_width(heading) : 0;
        for (size_t i = 0; heading != NULL && i < abut_cli_row_count(table); ++i) {
            int width = text_width(cell_text(table, i, j, buffer));
            widths[j] = width > widths[j] ? width : widths[j];
        }
    }
    int last = last_column(table);
    for (int j = 0; j < table->column_count; ++j) {
        if (table->columns[j].heading != NULL) {
            print_padded(table->columns[j].heading, widths[j], table->columns[j].kind, j == last, out);
        }
    }
    for (size_t i = begin; i < end; ++i) {
        for (int j = 0; j < table->column_count; ++j) {
            if (table->columns[j].heading != NULL) {
                const char *text = cell_text(table, i, (size_t)j, buffer);
                print_padded(text, widths[j], table->columns[j].kind, j == last, out);
            }
        }
    }
    free(widths);
}

static void print_quoted(const char *text, FILE *out)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        (void)fputs(text, out);
        return;
    }
    (void)fputc('"', out);
    for (; *text != '\0'; ++text) {
        (void)fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
    }
    (void)fputc('"', out);
}

void abut_cli_csv_print(const abut_cli_table *table, FILE *out)
{
    abut_cli_csv_head(table, out);
    abut_cli_csv_rows(table, out);
}

void abut_cli_csv_head(const abut_cli_table *table, FILE *out)
{
    const char *separator = "";
    for (int j = 0; j < table->column_count; ++j) {
        if (table->columns[j].name != NULL) {
            (void)fprintf(out, "%s%s", separator, table->columns[j].name);
            separator = ",";
        }
    }
    (void)fputs("\n", out);
}

void abut_cli_csv_rows(const abut_cli_table *table, FILE *out)
{
    for (size_t i = 0; i < abut_cli_row_count(table); ++i) {
        const char *separator = "";
        for (int j = 0; j < table->column_count; ++j) {
            const abut_cli_cell *cell = &table->cells[i * (size_t)table->column_count + (size_t)j];
            if (table->columns[j].name == NULL) {
                continue;
            }
            (void)fputs(separator, out);
            separator = ",";
            if (cell->text != NULL) {
                print_quoted(cell->text, out);
            } else if (!isnan(cell->number)) {
                (void)fprintf(out, "%.17g", cell->number + 0.0); // -0 becomes 0
            }
        }
        (void)fputs("\n", out);
    }
}

void abut_cli_table_release(abut_cli_table *table)
{
    for (size_t i = 0; i < table->cell_count; ++i) {
        free(table->cells[i].text);
    }
    free(table->cells);
    free(table->own_columns);
    abut_cli_list_release(&table->own_names);
    *table = (abut_cli_table){0};
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static void *json_allocate(size_t size)
{
    return abut_cli_resize(NULL, size, 1);
}

void abut_cli_json_start(void)
{
    json_set_alloc_funcs(json_allocate, free);
}

json_t *abut_cli_json_number(double value)
{
    return isfinite(value) ? json_real(value + 0.0) : json_null(); // -0 becomes 0
}

json_t *abut_cli_json_text(const char *text)
{
    if (text == NULL) {
        return json_null();
    }
    json_t *string = json_string(text);
    if (string == NULL) {
        char *copy = abut_cli_copy(text);
        for (char *c = copy; *c != '\0'; ++c) {
            *c = (unsigned char)*c >= 0x80 ? '?' : *c;
        }
        string = json_string(copy);
        free(copy);
    }
    return string;
}

json_t *abut_cli_json_numbers(const double *numbers, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; ++i) {
        json_array_append_new(array, abut_cli_json_number(numbers[i]));
    }
    return array;
}

json_t *abut_cli_json_integers(const int *integers, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; ++i) {
        json_array_append_new(array, json_integer(integers[i]));
    }
    return array;
}

json_t *abut_cli_json_vec3(abut_vec3 v)
{
    return abut_cli_json_numbers((double[]){v.x, v.y, v.z}, 3);
}

json_t *abut_cli_json_points(const abut_vec3 *points, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; ++i) {
        json_array_append_new(array, abut_cli_json_vec3(points[i]));
    }
    return array;
}

json_t *abut_cli_json_quat(abut_quat q)
{
    return abut_cli_json_numbers((double[]){q.w, q.x, q.y, q.z}, 4);
}

json_t *abut_cli_json_pose(abut_pose pose)
{
    json_t *array = abut_cli_json_vec3(pose.position), *rotation = abut_cli_json_quat(pose.rotation);
    json_array_extend(array, rotation);
    json_decref(rotation);
    return array;
}

json_t *abut_cli_json_document(void)
{
    json_t *document = json_object();
    json_object_set_new(document, "schema", json_integer(1));
    return document;
}

// Lists and objects of up to this many characters go on one line.
enum { LINE_WIDTH = 140 };

// Joins the lines of the indented list or object at `text`. Returns its length in `text`, or 0 if the line would be
// too long. Strings contain no line breaks (JSON writes \n), so that every break belongs to the indentation.
static size_t join_lines(const char *text, char line[LINE_WIDTH + 1])
{
    int depth = 0, is_quoted = 0;
    size_t count = 0;
    for (size_t i = 0; text[i] != '\0' && count < LINE_WIDTH; ++i) {
        if (text[i] == '\n') {
            i += strspn(text + i + 1, " ");
            if (line[count - 1] == ',') {
                line[count++] = ' ';
            }
            continue;
        }
        line[count++] = text[i];
        if (is_quoted && text[i] == '\\' && count < LINE_WIDTH) {
            line[count++] = text[++i];
        } else if (text[i] == '"') {
            is_quoted = !is_quoted;
        } else if (!is_quoted) {
            depth += (text[i] == '[' || text[i] == '{') - (text[i] == ']' || text[i] == '}');
        }
        if (depth == 0) {
            line[count] = '\0';
            return i + 1;
        }
    }
    return 0;
}

static void print_joined(const char *text, FILE *out)
{
    char line[LINE_WIDTH + 1];
    int is_quoted = 0;
    while (*text != '\0') {
        size_t length = !is_quoted && (*text == '[' || *text == '{') ? join_lines(text, line) : 0;
        if (length > 0) {
            (void)fputs(line, out);
            text += length;
            continue;
        }
        if (is_quoted && *text == '\\') {
            (void)fputc(*text++, out);
        } else if (*text == '"') {
            is_quoted = !is_quoted;
        }
        (void)fputc(*text++, out);
    }
}

void abut_cli_json_print(json_t *document, FILE *out)
{
    char *text = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    if (text != NULL) { // always: allocations do not fail, and all texts are UTF-8
        print_joined(text, out);
    }
    free(text);
    (void)fputs("\n", out);
    json_decref(document);
}
