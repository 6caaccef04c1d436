// SPDX-License-Identifier: MIT
// bench_verb.c: abut bench
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

static abut_cli_exit run_groups(const abut_cli_arguments *arguments, const bench_options *settings)
{
    int count;
    const bench_group *all = bench_groups(&count);
    int is_all = arguments->operand_count == 0, chosen = 0;
    for (int i = 0; i < arguments->operand_count; ++i) {
        if (bench_find(arguments->operands[i]) == NULL) {
            return unknown_group(arguments->operands[i]);
        }
    }
    const bench_group **groups = abut_cli_resize(NULL, (size_t)count, sizeof *groups);
    for (int i = 0; i < count; ++i) {
        int is_named = is_all;
        for (int j = 0; j < arguments->operand_count && !is_named; ++j) {
            is_named = strcmp(arguments->operands[j], all[i].name) == 0;
        }
        if (is_named) {
            groups[chosen++] = &all[i];
        }
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    int is_done = bench_run(text.stream, settings, groups, chosen);
    free(groups);
    if (is_done) {
        return abut_cli_text_finish(&text);
    }
    free(abut_cli_text_take(&text));
    return ABUT_CLI_UNFINISHED;
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    static const bench_format formats[] = {BENCH_TABLE, BENCH_JSON, BENCH_CSV};
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
    settings.is_large = abut_cli_value_of(arguments, "large") != NULL;
    settings.format = formats[format];
    return abut_cli_value_of(arguments, "list") != NULL ? list_groups(format) : run_groups(arguments, &settings);
}

static const abut_cli_option options[] = {
    {"list", NULL, "list the groups and run nothing", 0, 0},
    {"seconds", "N", "time to spend on each row", 0, 0},
    {"repeats", "N", "most repeats of each row", 0, 0},
    {"large", NULL, "also measure the largest data", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_bench_verb = {
    .name = "bench",
    .summary = "Measure how fast the parts of the library are.",
    .usage = "[GROUP ...] [options]",
    .details = "Runs groups of measurements, or all of them. Every time comes with a hash of the result.\n",
    .example = "  abut bench predicates --format csv\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = -1,
    .run = run,
};
