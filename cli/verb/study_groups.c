// SPDX-License-Identifier: MIT
// study_groups.c: groups the runs of a study that differ only in the sample; statistics over them
#include "verb/study_groups.h"

#include "shared/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Groups

static int is_same_value(const abut_study_value *a, const abut_study_value *b)
{
    return a->is_word == b->is_word &&
           (a->is_word ? strcmp(a->word, b->word) == 0
                       : a->number == b->number || (isnan(a->number) && isnan(b->number)));
}

static int is_same_group(const abut_study *study, int run, int other)
{
    const abut_study_value *a = abut_study_run_parameters(study, run), *b = abut_study_run_parameters(study, other);
    for (int k = 0; k < study->parameter_count; ++k) {
        if (strcmp(a[k].name, study->kind->sample) != 0 && !is_same_value(&a[k], &b[k])) {
            return 0;
        }
    }
    return 1;
}

void abut_cli_study_groups_find(const abut_study *study, abut_cli_study_groups *groups)
{
    *groups = (abut_cli_study_groups){.study = study};
    for (int run = 0; run < study->run_count; ++run) {
        int at = 0;
        while (at < groups->count && !is_same_group(study, run, groups->items[at].runs[0])) {
            ++at;
        }
        if (at == groups->count) {
            groups->items = abut_cli_resize(groups->items, (size_t)at + 1, sizeof *groups->items);
            groups->items[groups->count++] = (abut_cli_study_group){0};
        }
        abut_cli_study_group *group = &groups->items[at];
        group->runs = abut_cli_resize(group->runs, (size_t)group->run_count + 1, sizeof *group->runs);
        group->runs[group->run_count++] = run;
        group->failed += study->results[run].outcome == ABUT_STUDY_FAILED;
    }
}

void abut_cli_study_groups_release(abut_cli_study_groups *groups)
{
    for (int i = 0; i < groups->count; ++i) {
        free(groups->items[i].runs);
    }
    free(groups->items);
    *groups = (abut_cli_study_groups){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static const abut_study_value *value_of(const abut_study *study, int run, const char *name)
{
    const abut_study_result *result = &study->results[run];
    return abut_study_find_value(result->values, result->value_count, name);
}

abut_cli_statistics abut_cli_study_statistics(const abut_study *study, const abut_cli_study_group *group,
                                              const char *name)
{
    abut_cli_statistics s = {0, 0.0, HUGE_VAL, -HUGE_VAL, 0.0};
    for (int i = 0; i < group->run_count; ++i) {
        const abut_study_value *value = value_of(study, group->runs[i], name);
        if (value == NULL || isnan(value->number)) {
            continue;
        }
        // Welford's algorithm: running mean, and sum of squared deviations from it
        double off = value->number - s.mean;
        s.mean += off / ++s.count;
        s.deviation += off * (value->number - s.mean);
        s.least = fmin(s.least, value->number);
        s.most = fmax(s.most, value->number);
    }
    if (s.count == 0) {
        return (abut_cli_statistics){0, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    }
    s.deviation = s.count > 1 ? sqrt(s.deviation / (s.count - 1)) : (double)NAN;
    return s;
}

char *abut_cli_study_words(const abut_study *study, const abut_cli_study_group *group, const char *name)
{
    char *text = abut_cli_copy("");
    for (int i = 0; i < group->run_count; ++i) {
        const abut_study_value *value = value_of(study, group->runs[i], name);
        int is_first = value != NULL && value->is_word, count = 0;
        for (int k = 0; k < group->run_count && is_first; ++k) {
            const abut_study_value *other = value_of(study, group->runs[k], name);
            int is_same = other != NULL && is_same_value(value, other);
            is_first = !(is_same && k < i);
            count += is_same;
        }
        if (is_first) {
            char *longer = abut_cli_print("%s%s%s %d", text, text[0] != '\0' ? ", " : "", value->word, count);
            free(text);
            text = longer;
        }
    }
    return text;
}

// ---------------------------------------------------------------------------------------------------------------
// Series

const char *const abut_cli_spread_names[ABUT_CLI_SPREAD_LINES] = {"least", "lower-quartile", "median",
                                                                  "upper-quartile", "most"};

const abut_study_series *abut_cli_study_series(const abut_study *study, int run, const char *name)
{
    const abut_study_result *result = &study->results[run];
    for (int i = 0; i < result->series_count; ++i) {
        if (strcmp(result->series[i].name, name) == 0) {
            return &result->series[i];
        }
    }
    return NULL;
}

/// Interpolates a list at `share` of its length.
static double value_at(const double *values, int count, double share)
{
    double at = share * (count - 1);
    int below = (int)at < count - 1 ? (int)at : count - 1;
    int above = below < count - 1 ? below + 1 : below;
    return values[below] + (at - below) * (values[above] - values[below]);
}

static int compare_numbers(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

int abut_cli_study_spread(const abut_study *study, const abut_cli_study_group *group, const char *name,
                          abut_cli_spread *spread)
{
    double *samples = abut_cli_resize(NULL, (size_t)group->run_count, sizeof *samples);
    int count = 0;
    for (int p = 0; p < ABUT_CLI_SPREAD_POSITIONS; ++p) {
        count = 0;
        for (int i = 0; i < group->run_count; ++i) {
            const abut_study_series *series = abut_cli_study_series(study, group->runs[i], name);
            double value = series != NULL && series->count > 0
                               ? value_at(series->values, series->count, p / (ABUT_CLI_SPREAD_POSITIONS - 1.0))
                               : (double)NAN;
            if (!isnan(value)) {
                samples[count++] = value;
            }
        }
        qsort(samples, (size_t)count, sizeof *samples, compare_numbers);
        for (int line = 0; line < ABUT_CLI_SPREAD_LINES; ++line) {
            spread->lines[line][p] =
                count > 0 ? value_at(samples, count, line / (ABUT_CLI_SPREAD_LINES - 1.0)) : (double)NAN;
        }
    }
    free(samples);
    return count > 1;
}
