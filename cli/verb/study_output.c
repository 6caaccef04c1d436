// SPDX-License-Identifier: MIT
// study_output.c: prints the result of a study: table, JSON document, curves
#include "verb/study_output.h"

#include "shared/layout.h"
#include "verb/study_groups.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Names of all values or series, in the order of their first appearance

typedef enum names_of { NAMES_OF_VALUES, NAMES_OF_SERIES } names_of;

static abut_cli_list find_names(const abut_study *study, names_of what)
{
    abut_cli_list names = {0};
    for (int run = 0; run < study->run_count; ++run) {
        const abut_study_result *result = &study->results[run];
        int count = what == NAMES_OF_VALUES ? result->value_count : result->series_count;
        for (int i = 0; i < count; ++i) {
            const char *name = what == NAMES_OF_VALUES ? result->values[i].name : result->series[i].name;
            if (!abut_cli_list_has(&names, name)) {
                abut_cli_list_add(&names, name);
            }
        }
    }
    return names;
}

/// Whether a value is a word, judging by the first run that has it.
static int is_word(const abut_study *study, const char *name)
{
    for (int run = 0; run < study->run_count; ++run) {
        const abut_study_result *result = &study->results[run];
        const abut_study_value *value = abut_study_find_value(result->values, result->value_count, name);
        if (value != NULL) {
            return value->is_word;
        }
    }
    return 0;
}

static int is_sample(const abut_study *study, int parameter)
{
    return strcmp(study->parameters[parameter].name, study->kind->sample) == 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The document. Plan and results come from their lines in a part, so that all digits are the same.

static json_t *parsed(const abut_study *study, abut_status status, char *text, const abut_error *error)
{
    if (status != ABUT_OK) {
        exit((int)abut_cli_fail_status(status, error));
    }
    json_t *value = json_loads(text, 0, NULL);
    abut_study_text_release(study, text);
    return value;
}

static json_t *plan_json(const abut_study *study)
{
    char *text = NULL;
    abut_error error = {0};
    abut_status status = abut_study_print_plan(study, &text, &error);
    return parsed(study, status, text, &error);
}

static json_t *result_json(const abut_study *study, int run)
{
    char *text = NULL;
    abut_error error = {0};
    abut_status status = abut_study_print_result(study, run, &text, &error);
    return parsed(study, status, text, &error);
}

static const abut_cli_member statistics_members[] = {
    {"mean", NULL, ABUT_CLI_AT(abut_cli_statistics, mean)},
    {"least", NULL, ABUT_CLI_AT(abut_cli_statistics, least)},
    {"most", NULL, ABUT_CLI_AT(abut_cli_statistics, most)},
    {"deviation", NULL, ABUT_CLI_AT(abut_cli_statistics, deviation)},
};
static const abut_cli_layout statistics_layout = ABUT_CLI_LAYOUT(statistics_members);

/// A group of runs, and what is needed to print it.
typedef struct group_row {
    const abut_study *study;
    const json_t *plan; ///< the parameters of all runs
    abut_cli_study_group group;
    const abut_cli_list *values, *series; ///< names
} group_row;

/// The parameters of a run by name, all or without the sample.
static json_t *parameters_json(const abut_study *study, const json_t *plan, int run, int has_sample)
{
    json_t *object = json_object();
    for (int k = 0; k < study->parameter_count; ++k) {
        if (has_sample || !is_sample(study, k)) {
            json_object_set(object, study->parameters[k].name,
                            json_array_get(json_array_get(plan, (size_t)run), (size_t)k));
        }
    }
    return object;
}

static json_t *json_parameters(const void *row)
{
    const group_row *from = row;
    return parameters_json(from->study, from->plan, from->group.runs[0], 0);
}

static json_t *value_json(const abut_study *study, const abut_cli_study_group *group, const char *name)
{
    if (is_word(study, name)) {
        char *words = abut_cli_study_words(study, group, name);
        json_t *text = json_string(words);
        free(words);
        return text;
    }
    abut_cli_statistics statistics = abut_cli_study_statistics(study, group, name);
    return abut_cli_json_of(&statistics_layout, &statistics);
}

static json_t *json_values(const void *row)
{
    const group_row *from = row;
    json_t *object = json_object();
    for (int i = 0; i < from->values->count; ++i) {
        const char *name = from->values->items[i];
        json_object_set_new(object, name, value_json(from->study, &from->group, name));
    }
    return object;
}

static json_t *json_spread(const void *row)
{
    const group_row *from = row;
    json_t *object = json_object();
    for (int i = 0; i < from->series->count; ++i) {
        abut_cli_spread spread;
        if (abut_cli_study_spread(from->study, &from->group, from->series->items[i], &spread)) {
            json_t *lines = json_object();
            for (int k = 0; k < ABUT_CLI_SPREAD_LINES; ++k) {
                json_object_set_new(lines, abut_cli_spread_names[k],
                                    abut_cli_json_numbers(spread.lines[k], ABUT_CLI_SPREAD_POSITIONS));
            }
            json_object_set_new(object, from->series->items[i], lines);
        }
    }
    return object;
}

static const abut_cli_member group_members[] = {
    {"parameters", NULL, ABUT_CLI_JSON_BY(json_parameters)},
    {"runs", NULL, ABUT_CLI_AT(group_row, group.run_count)},
    {"failed", NULL, ABUT_CLI_AT(group_row, group.failed)},
    {"values", NULL, ABUT_CLI_JSON_BY(json_values)},
    {"spread", NULL, ABUT_CLI_JSON_BY(json_spread)},
};
static const abut_cli_layout group_layout = ABUT_CLI_LAYOUT(group_members);

static json_t *summary_json(const abut_study *study, const json_t *plan)
{
    json_t *summary = json_array();
    abut_cli_list values = find_names(study, NAMES_OF_VALUES), series = find_names(study, NAMES_OF_SERIES);
    abut_cli_study_groups groups;
    abut_cli_study_groups_find(study, &groups);
    for (int i = 0; i < groups.count; ++i) {
        group_row row = {study, plan, groups.items[i], &values, &series};
        json_array_append_new(summary, abut_cli_json_of(&group_layout, &row));
    }
    abut_cli_study_groups_release(&groups);
    abut_cli_list_release(&values);
    abut_cli_list_release(&series);
    return summary;
}

json_t *abut_cli_study_document(const abut_study *study)
{
    json_t *document = plan_json(study), *runs = json_array(), *plan = json_object_get(document, "runs");
    for (int run = 0; run < study->run_count; ++run) {
        json_t *result = result_json(study, run);
        json_t *object = json_pack("{s:o}", "parameters", parameters_json(study, plan, run, 1));
        json_object_del(result, "run");
        json_object_update(object, result);
        json_decref(result);
        json_array_append_new(runs, object);
    }
    json_t *summary = summary_json(study, plan);
    json_object_del(document, "runs"); // comes after the summary
    json_object_set_new(document, "summary", summary);
    json_object_set_new(document, "runs", runs);
    return document;
}

// ---------------------------------------------------------------------------------------------------------------
// The table

static void add_summary_columns(const abut_study *study, const abut_cli_list *names, abut_cli_table *table)
{
    for (int k = 0; k < study->parameter_count; ++k) {
        if (!is_sample(study, k)) {
            const char *name = study->parameters[k].name;
            abut_cli_add_column(table, name, name, ABUT_CLI_WORDS);
        }
    }
    abut_cli_add_column(table, "runs", "runs", ABUT_CLI_NUMBER);
    abut_cli_add_column(table, "failed", "failed", ABUT_CLI_NUMBER);
    for (int i = 0; i < names->count; ++i) {
        const char *name = names->items[i];
        if (is_word(study, name)) {
            abut_cli_add_column(table, name, name, ABUT_CLI_WORDS);
            continue;
        }
        abut_cli_add_column(table, NULL, name, ABUT_CLI_WORDS);
        for (int k = 0; k < statistics_layout.count; ++k) {
            char *longer = abut_cli_print("%s_%s", name, statistics_layout.members[k].name);
            abut_cli_add_column(table, longer, NULL, ABUT_CLI_NUMBER);
            free(longer);
        }
    }
}

static void add_value(abut_cli_table *table, const abut_study_value *value)
{
    if (value->is_word) {
        abut_cli_add_text(table, value->word);
    } else {
        abut_cli_add_number(table, value->number);
    }
}

/// "91.2", or "91.2 (88 to 93.1, sd 1.2)" if the values differ.
static void add_statistics(abut_cli_table *table, abut_cli_statistics s)
{
    char *text = s.count == 0 ? abut_cli_copy("")
                 : s.least == s.most
                     ? abut_cli_print("%.6g", s.mean)
                     : abut_cli_print("%.5g (%.4g to %.4g, sd %.2g)", s.mean, s.least, s.most, s.deviation);
    abut_cli_add_text(table, text);
    free(text);
    abut_cli_add_row(table, &statistics_layout, &s);
}

static void add_group(const abut_study *study, const abut_cli_study_group *group, const abut_cli_list *names,
                      abut_cli_table *table)
{
    const abut_study_value *parameters = abut_study_run_parameters(study, group->runs[0]);
    for (int k = 0; k < study->parameter_count; ++k) {
        if (!is_sample(study, k)) {
            add_value(table, &parameters[k]);
        }
    }
    abut_cli_add_number(table, group->run_count);
    abut_cli_add_number(table, group->failed);
    for (int i = 0; i < names->count; ++i) {
        if (is_word(study, names->items[i])) {
            char *words = abut_cli_study_words(study, group, names->items[i]);
            abut_cli_add_text(table, words);
            free(words);
        } else {
            add_statistics(table, abut_cli_study_statistics(study, group, names->items[i]));
        }
    }
}

static void print_settings(const abut_study *study, FILE *out)
{
    char *line = abut_cli_print("study %s, %d run%s", study->kind->name, study->run_count,
                                abut_cli_plural(study->run_count));
    for (int i = 0; i < study->setting_count; ++i) {
        const abut_study_value *setting = &study->settings[i];
        char *longer = setting->is_word ? abut_cli_print("%s, %s %s", line, setting->name, setting->word)
                                        : abut_cli_print("%s, %s %g", line, setting->name, setting->number);
        free(line);
        line = longer;
    }
    abut_cli_wrap_print(line, 0, 0, out);
    (void)fputs("\n", out);
    free(line);
}

void abut_cli_study_print(const abut_study *study, abut_cli_format format, FILE *out)
{
    if (format == ABUT_CLI_JSON) {
        abut_cli_json_print(abut_cli_study_document(study), out);
        return;
    }
    abut_cli_list names = find_names(study, NAMES_OF_VALUES);
    abut_cli_study_groups groups;
    abut_cli_table table;
    abut_cli_study_groups_find(study, &groups);
    abut_cli_table_open(&table, NULL, 0);
    add_summary_columns(study, &names, &table);
    for (int i = 0; i < groups.count; ++i) {
        add_group(study, &groups.items[i], &names, &table);
    }
    if (format == ABUT_CLI_CSV) {
        abut_cli_csv_print(&table, out);
    } else {
        print_settings(study, out);
        abut_cli_table_print(&table, 0, abut_cli_row_count(&table), out);
    }
    abut_cli_table_release(&table);
    abut_cli_study_groups_release(&groups);
    abut_cli_list_release(&names);
}

// ---------------------------------------------------------------------------------------------------------------
// Curves

/// Adds a point of a curve. `line`, unless NULL, replaces the sample.
static void add_point(const abut_study *study, int run, const char *line, const char *series, double position,
                      double value, abut_cli_table *table)
{
    const abut_study_value *parameters = abut_study_run_parameters(study, run);
    for (int k = 0; k < study->parameter_count; ++k) {
        if (line != NULL && is_sample(study, k)) {
            abut_cli_add_text(table, line);
        } else {
            add_value(table, &parameters[k]);
        }
    }
    abut_cli_add_text(table, series);
    abut_cli_add_number(table, position);
    abut_cli_add_number(table, value);
}

static void add_runs(const abut_study *study, const char *name, abut_cli_table *table)
{
    for (int run = 0; run < study->run_count; ++run) {
        const abut_study_series *series = abut_cli_study_series(study, run, name);
        for (int i = 0; series != NULL && i < series->count; ++i) {
            double position = series->count > 1 ? (double)i / (series->count - 1) : 0.0;
            add_point(study, run, NULL, name, position, series->values[i], table);
        }
    }
}

static void add_spread(const abut_study *study, const abut_cli_study_group *group, const char *name,
                       abut_cli_table *table)
{
    abut_cli_spread spread;
    if (!abut_cli_study_spread(study, group, name, &spread)) {
        return;
    }
    for (int k = 0; k < ABUT_CLI_SPREAD_LINES; ++k) {
        for (int p = 0; p < ABUT_CLI_SPREAD_POSITIONS; ++p) {
            add_point(study, group->runs[0], abut_cli_spread_names[k], name, p / (ABUT_CLI_SPREAD_POSITIONS - 1.0),
                      spread.lines[k][p], table);
        }
    }
}

void abut_cli_study_curves(const abut_study *study, FILE *out)
{
    abut_cli_table table;
    abut_cli_table_open(&table, NULL, 0);
    for (int k = 0; k < study->parameter_count; ++k) {
        abut_cli_add_column(&table, study->parameters[k].name, NULL, ABUT_CLI_WORDS);
    }
    abut_cli_add_column(&table, "series", NULL, ABUT_CLI_WORDS);
    abut_cli_add_column(&table, "position", NULL, ABUT_CLI_NUMBER);
    abut_cli_add_column(&table, "value", NULL, ABUT_CLI_NUMBER);
    abut_cli_list names = find_names(study, NAMES_OF_SERIES);
    abut_cli_study_groups groups;
    abut_cli_study_groups_find(study, &groups);
    for (int i = 0; i < names.count; ++i) {
        add_runs(study, names.items[i], &table);
        for (int g = 0; g < groups.count; ++g) {
            add_spread(study, &groups.items[g], names.items[i], &table);
        }
    }
    abut_cli_csv_print(&table, out);
    abut_cli_table_release(&table);
    abut_cli_study_groups_release(&groups);
    abut_cli_list_release(&names);
}
