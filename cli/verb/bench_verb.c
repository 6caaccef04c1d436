// SPDX-License-Identifier: MIT
// bench_verb.c: abut bench
#include "shared/files.h"
#include "shared/layout.h"
#include "verb/verbs.h"

#include <bench.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *group_word(const void *user, int index)
{
    (void)user;
    int count;
    const bench_group *groups = bench_groups(&count);
    return index < count ? groups[index].name : NULL;
}

static abut_cli_exit unknown_group(const char *name)
{
    const char *nearest = abut_cli_nearest(name, group_word, NULL);
    if (nearest != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown group '%s': do you mean %s? See abut bench --list", name,
                             nearest);
    }
    return abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown group '%s': see abut bench --list", name);
}

static const abut_cli_member group_members[] = {
    {"name", "group", ABUT_CLI_AT(bench_group, name)},
    {"summary", "summary", ABUT_CLI_AT(bench_group, summary)},
};
static const abut_cli_layout group_layout = ABUT_CLI_LAYOUT(group_members);

static abut_cli_rows group_rows(const void *row)
{
    (void)row;
    abut_cli_rows rows = {.layout = &group_layout, .item_size = sizeof(bench_group)};
    rows.items = bench_groups(&rows.count);
    return rows;
}

static const abut_cli_member list_members[] = {{"groups", NULL, ABUT_CLI_ROWS_BY(group_rows)}};
static const abut_cli_layout list_layout = ABUT_CLI_LAYOUT(list_members);

static abut_cli_exit list_groups(abut_cli_format format)
{
    abut_cli_rows rows = group_rows(NULL);
    abut_cli_report report = {&list_layout, rows.items, rows, NULL};
    return abut_cli_report_print(&report, format);
}

// ---------------------------------------------------------------------------------------------------------------
// The report

typedef struct measured {
    bench_report report;
    bench_build build;
} measured;

/// A line of the report.
typedef struct measured_row {
    const bench_row *row;
    const bench_build *build;
} measured_row;

/// "name 1.5 other 2" for tables, "name=1.5;other=2" with all digits for CSV.
static char *list_values(const bench_row *row, int is_exact)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    for (int k = 0; k < BENCH_VALUES && row->values[k].name != NULL; ++k) {
        const bench_value *value = &row->values[k];
        if (is_exact) {
            (void)fprintf(text.stream, "%s%s=%.17g", k > 0 ? ";" : "", value->name, value->value);
        } else {
            (void)fprintf(text.stream, "%s%s %.6g", k > 0 ? " " : "", value->name, value->value);
        }
    }
    return abut_cli_text_take(&text);
}

static char *details_text(const void *row)
{
    return list_values(row, 0);
}

static char *values_text(const void *row)
{
    return list_values(row, 1);
}

static json_t *json_values(const void *row)
{
    const bench_row *from = row;
    json_t *object = json_object();
    for (int k = 0; k < BENCH_VALUES && from->values[k].name != NULL; ++k) {
        json_object_set_new(object, from->values[k].name, abut_cli_json_number(from->values[k].value));
    }
    return object;
}

static const abut_cli_member row_members[] = {
    {"group", "group", ABUT_CLI_AT(bench_row, group)},
    {"scene", "scene", ABUT_CLI_AT(bench_row, scene)},
    {"subject", "subject", ABUT_CLI_AT(bench_row, subject)},
    {"threads", "threads", ABUT_CLI_AT(bench_row, threads)},
    {"repeats", "repeats", ABUT_CLI_AT(bench_row, repeats)},
    {"calls", NULL, ABUT_CLI_AT(bench_row, calls)},
    {"min_ns", "min ns", ABUT_CLI_AT(bench_row, min_ns), .has_tenths = 1},
    {"median_ns", "median ns", ABUT_CLI_AT(bench_row, median_ns), .has_tenths = 1},
    {"hash", "hash", ABUT_CLI_AT(bench_row, hash)},
    {"values", NULL, ABUT_CLI_JSON_BY(json_values)},
    {"values", NULL, ABUT_CLI_NEW_TEXT_BY(values_text), .place = ABUT_CLI_COLUMNS_ONLY},
    {NULL, "details", ABUT_CLI_NEW_TEXT_BY(details_text)},
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

static const abut_cli_member build_members[] = {
    {"commit", NULL, ABUT_CLI_AT(bench_build, commit)},
    {"compiler", NULL, ABUT_CLI_AT(bench_build, compiler)},
    {"flags", NULL, ABUT_CLI_AT(bench_build, flags)},
    {"cpu", NULL, ABUT_CLI_CHARS_AT(bench_build, cpu)},
};
static const abut_cli_layout build_layout = ABUT_CLI_LAYOUT(build_members);

static const abut_cli_member line_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(measured_row, row, row_layout)},
    {NULL, NULL, ABUT_CLI_PART_TO(measured_row, build, build_layout)},
};
static const abut_cli_layout line_layout = ABUT_CLI_LAYOUT(line_members);

static const char *version_text(const void *row)
{
    (void)row;
    return abut_version();
}

static abut_cli_rows bench_rows(const void *row)
{
    const bench_report *report = &((const measured *)row)->report;
    return (abut_cli_rows){&row_layout, report->rows, report->count, sizeof *report->rows};
}

static json_t *json_notes(const void *row)
{
    const bench_report *report = &((const measured *)row)->report;
    json_t *notes = json_array();
    for (int i = 0; i < report->note_count; ++i) {
        json_array_append_new(notes, abut_cli_json_text(report->notes[i]));
    }
    return notes;
}

static const abut_cli_member document_members[] = {
    {"version", NULL, ABUT_CLI_TEXT_BY(version_text)},
    {NULL, NULL, ABUT_CLI_PART_AT(measured, build, build_layout)},
    {"rows", NULL, ABUT_CLI_ROWS_BY(bench_rows)},
    {"notes", NULL, ABUT_CLI_JSON_BY(json_notes)},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

static void write_report(const void *data, const abut_cli_table *table, FILE *out)
{
    const bench_build *build = &((const measured *)data)->build;
    const bench_report *report = &((const measured *)data)->report;
    (void)fprintf(out, "abut %s, commit %s\ncompiler  %s\nflags     %s\ncpu       %s\n\n", abut_version(),
                  build->commit, build->compiler, build->flags, build->cpu);
    abut_cli_table_print(table, 0, abut_cli_row_count(table), out);
    for (int i = 0; i < report->note_count; ++i) {
        (void)fprintf(out, "%s%s\n", i == 0 ? "\n" : "", report->notes[i]);
    }
}

/// Prints to stdout, and as JSON to the file `path` unless it is NULL.
static abut_cli_exit print_measured(const measured *m, abut_cli_format format, const char *path)
{
    measured_row *rows = abut_cli_resize(NULL, (size_t)m->report.count, sizeof *rows);
    for (int i = 0; i < m->report.count; ++i) {
        rows[i] = (measured_row){&m->report.rows[i], &m->build};
    }
    for (int i = 0; i < m->report.note_count && format == ABUT_CLI_CSV; ++i) {
        abut_cli_note("%s", m->report.notes[i]);
    }
    abut_cli_report report = {
        &document_layout, m, {&line_layout, rows, m->report.count, sizeof *rows}, write_report};
    abut_cli_exit code = abut_cli_report_print(&report, format);
    if (code == ABUT_CLI_DONE && path != NULL) {
        abut_cli_text text;
        abut_cli_text_open(&text);
        abut_cli_report_write(&report, ABUT_CLI_JSON, text.stream);
        code = abut_cli_write_printed(path, &text);
    }
    free(rows);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// The verb

/// The groups that the operands name, or all. Release them with free().
static const bench_group **choose_groups(const abut_cli_arguments *arguments, int *chosen)
{
    int count;
    const bench_group *all = bench_groups(&count);
    const bench_group **groups = abut_cli_resize(NULL, (size_t)count, sizeof *groups);
    *chosen = 0;
    for (int i = 0; i < count; ++i) {
        int is_named = arguments->operand_count == 0;
        for (int j = 0; j < arguments->operand_count && !is_named; ++j) {
            is_named = strcmp(arguments->operands[j], all[i].name) == 0;
        }
        if (is_named) {
            groups[(*chosen)++] = &all[i];
        }
    }
    return groups;
}

static abut_cli_exit run_groups(const abut_cli_arguments *arguments, const bench_options *settings,
                                abut_cli_format format)
{
    for (int i = 0; i < arguments->operand_count; ++i) {
        if (bench_find(arguments->operands[i]) == NULL) {
            return unknown_group(arguments->operands[i]);
        }
    }
    const char *path = abut_cli_value_of(arguments, "out");
    abut_cli_exit code = path != NULL ? abut_cli_check_writable(path) : ABUT_CLI_DONE;
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    int chosen;
    const bench_group **groups = choose_groups(arguments, &chosen);
    measured m = {.build = bench_get_build()};
    if (!bench_run(settings, groups, chosen, &m.report)) {
        code = ABUT_CLI_UNFINISHED;
    } else if (settings->only != NULL && m.report.count == 0) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --only '%s': no scene has this in its name; scenes are listed without --only, "
                             "the largest with --large",
                             settings->only);
    } else {
        code = print_measured(&m, format, path);
    }
    bench_report_release(&m.report);
    free(groups);
    return code;
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    bench_options settings = bench_options_default();
    abut_cli_format format;
    double repeats = settings.repeats;
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "seconds", &settings.seconds);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "repeats", 1.0, &repeats);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    if (repeats != floor(repeats) || repeats > INT_MAX) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --repeats '%s': must be a whole number",
                             abut_cli_value_of(arguments, "repeats"));
    }
    settings.repeats = (int)repeats;
    settings.only = abut_cli_value_of(arguments, "only");
    settings.is_large = abut_cli_value_of(arguments, "large") != NULL;
    return abut_cli_value_of(arguments, "list") != NULL ? list_groups(format)
                                                        : run_groups(arguments, &settings, format);
}

static const abut_cli_option options[] = {
    {"list", NULL, "list the groups and run nothing", 0, 0},
    {"seconds", "N", "time to spend on each row (default 0.5)", 0, 0},
    {"repeats", "N", "repeats of each row at most (default 50)", 0, 0},
    {"only", "TEXT", "measure only scenes whose names contain TEXT; TEXT may go on with \", SUBJECT\"", 0, 0},
    {"large", NULL, "also measure the largest data, which takes minutes", 0, 0},
    {"out", "RESULT.json", "also write the rows to this file, for abut report", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_bench_verb = {
    .name = "bench",
    .summary = "Measure the speed of the parts of the library.",
    .usage = "[GROUP ...] [options]",
    .details = "Runs the named groups of measurements, or all. Every time comes with a hash of the result.\n",
    .example = "  abut bench predicates --format csv\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = -1,
    .run = run,
};
