// SPDX-License-Identifier: MIT
// study.c: plans and results of studies, and the table of all kinds
#include "common/lab_support.h"
#include "study/study_kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const abut_study_kind *const kinds[] = {&abut_perturbation_kind, &abut_refinement_kind, &abut_timestep_kind,
                                               &abut_spin_kind};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const abut_study_kind *const *abut_study_kinds(int *count)
{
    *count = KIND_COUNT;
    return kinds;
}

const abut_study_kind *abut_study_find_kind(const char *name)
{
    for (int i = 0; i < KIND_COUNT; ++i) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

abut_study_value abut_study_number(const char *name, double number)
{
    abut_study_value value = {.number = number + 0.0}; // -0 becomes 0
    (void)snprintf(value.name, sizeof value.name, "%s", name);
    return value;
}

abut_study_value abut_study_word(const char *name, const char *word)
{
    abut_study_value value = {.is_word = 1, .number = NAN};
    (void)snprintf(value.name, sizeof value.name, "%s", name);
    (void)snprintf(value.word, sizeof value.word, "%s", word);
    return value;
}

const abut_study_value *abut_study_find_value(const abut_study_value *values, int count, const char *name)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(values[i].name, name) == 0) {
            return &values[i];
        }
    }
    return NULL;
}

static int is_name(const char *name)
{
    return name[0] != '\0' && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_")] == '\0';
}

/// ABUT_BAD_ARGUMENT if the name is not valid, or if one of the values has it already.
static abut_status check_name(const abut_study_value *values, int count, const char *name, abut_error *error)
{
    if (!is_name(name)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "value %d: its name must have lower-case letters, digits, - and _ only", count);
    }
    return abut_study_find_value(values, count, name) == NULL
               ? ABUT_OK
               : abut_fail(error, ABUT_BAD_ARGUMENT, "the name '%s' is used twice", name);
}

// ---------------------------------------------------------------------------------------------------------------
// The plan

abut_status abut_study_create(const abut_context *context, const abut_study_kind *kind, abut_study **study,
                              abut_error *error)
{
    *study = NULL;
    if (kind->struct_size != sizeof *kind) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "abut_study_kind has %zu bytes, this library expects %zu: build the program again",
                         kind->struct_size, sizeof *kind);
    }
    abut_context kept = abut_context_or_default(context);
    *study = abut_lab_object_create(&kept, sizeof **study);
    if (*study == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a study");
    }
    (*study)->kind = kind;
    return ABUT_OK;
}

void abut_study_destroy(abut_study *study)
{
    if (study == NULL) {
        return;
    }
    const abut_context *context = abut_lab_object_context(study);
    if (study->data != NULL && study->kind->release != NULL) {
        study->kind->release(study->data, context);
    }
    for (int i = 0; i < study->run_count; ++i) {
        abut_study_result_release(context, &study->results[i]);
    }
    abut_free(context, study->settings);
    abut_free(context, study->parameters);
    abut_free(context, study->results);
    abut_lab_object_destroy(study);
}

/// Makes room for one more item in an array of `count`, which grows by doubling. NULL if there is no memory.
static void *grown(const abut_context *context, void *items, int count, size_t item_size)
{
    // The capacity is 8 times a power of two, so the array is full if the count is such a number.
    int is_full = count == 0 || (count >= 8 && (count & (count - 1)) == 0);
    size_t capacity = count < 8 ? 8 : 2 * (size_t)count;
    return is_full ? context->resize(context->user, items, capacity * item_size) : items;
}

abut_status abut_study_set(abut_study *study, abut_study_value setting, abut_error *error)
{
    abut_status status = check_name(study->settings, study->setting_count, setting.name, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_study_value *items =
        grown(abut_lab_object_context(study), study->settings, study->setting_count, sizeof *items);
    if (items == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a study");
    }
    study->settings = items;
    study->settings[study->setting_count++] = setting;
    return ABUT_OK;
}

static abut_status check_parameters(const abut_study *study, const abut_study_value *parameters, int count,
                                    abut_error *error)
{
    if (count < 1 || count > ABUT_STUDY_MAX_VALUES || study->run_count >= ABUT_STUDY_MAX_RUNS) {
        return abut_fail(error, ABUT_LIMIT, "a study has at most %d runs, and a run has 1 to %d parameters",
                         ABUT_STUDY_MAX_RUNS, ABUT_STUDY_MAX_VALUES);
    }
    for (int i = 0; i < count; ++i) {
        if (study->run_count == 0) {
            abut_status status = check_name(parameters, i, parameters[i].name, error);
            if (status != ABUT_OK) {
                return status;
            }
        } else if (count != study->parameter_count || strcmp(parameters[i].name, study->parameters[i].name) != 0) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "run %d has other parameters than the first run",
                             study->run_count);
        }
    }
    return ABUT_OK;
}

abut_status abut_study_add_run(abut_study *study, const abut_study_value *parameters, int count, abut_error *error)
{
    abut_status status = check_parameters(study, parameters, count, error);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_context *context = abut_lab_object_context(study);
    size_t row = (size_t)count * sizeof *parameters;
    abut_study_value *rows = grown(context, study->parameters, study->run_count, row);
    study->parameters = rows != NULL ? rows : study->parameters;
    abut_study_result *results = grown(context, study->results, study->run_count, sizeof *results);
    study->results = results != NULL ? results : study->results;
    if (rows == NULL || results == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a study");
    }
    study->parameter_count = count;
    memcpy(rows + (size_t)study->run_count * (size_t)count, parameters, row);
    memset(&results[study->run_count], 0, sizeof *results);
    ++study->run_count;
    return ABUT_OK;
}

const abut_study_value *abut_study_run_parameters(const abut_study *study, int run)
{
    return study->parameters + (size_t)run * (size_t)study->parameter_count;
}

void abut_study_run_name(const abut_study *study, int run, char *text, size_t room)
{
    const abut_study_value *values = abut_study_run_parameters(study, run);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < study->parameter_count && used < room; ++i) {
        const char *separator = i > 0 ? ", " : "";
        int length =
            values[i].is_word
                ? snprintf(text + used, room - used, "%s%s %s", separator, values[i].name, values[i].word)
                : snprintf(text + used, room - used, "%s%s %g", separator, values[i].name, values[i].number);
        used += length > 0 ? (size_t)length : 0;
    }
}

double abut_study_run_number(const abut_study *study, int run, const char *name)
{
    const abut_study_value *value =
        abut_study_find_value(abut_study_run_parameters(study, run), study->parameter_count, name);
    return value != NULL ? value->number : NAN;
}

// ---------------------------------------------------------------------------------------------------------------
// Results

abut_status abut_study_add_value(abut_study_result *result, abut_study_value value, abut_error *error)
{
    if (result->value_count == ABUT_STUDY_MAX_VALUES) {
        return abut_fail(error, ABUT_LIMIT, "a result has at most %d values", ABUT_STUDY_MAX_VALUES);
    }
    abut_status status = check_name(result->values, result->value_count, value.name, error);
    if (status == ABUT_OK) {
        result->values[result->value_count++] = value;
    }
    return status;
}

abut_status abut_study_add_series(const abut_context *context, abut_study_result *result, const char *name,
                                  const double *values, int count, abut_error *error)
{
    if (result->series_count == ABUT_STUDY_MAX_SERIES) {
        return abut_fail(error, ABUT_LIMIT, "a result has at most %d series", ABUT_STUDY_MAX_SERIES);
    }
    abut_study_series *series = &result->series[result->series_count];
    abut_status status = check_name(NULL, 0, name, error);
    for (int i = 0; i < result->series_count && status == ABUT_OK; ++i) {
        if (strcmp(result->series[i].name, name) == 0) {
            status = abut_fail(error, ABUT_BAD_ARGUMENT, "the name of the series '%s' is used twice", name);
        }
    }
    if (status != ABUT_OK) {
        return status;
    }
    double *copy = abut_allocate_zeroed(context, (size_t)count, sizeof *copy);
    if (copy == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a series of %d values", count);
    }
    for (int i = 0; i < count; ++i) {
        copy[i] = values[i] + 0.0; // -0 becomes 0
    }
    *series = (abut_study_series){.values = copy, .count = count};
    (void)snprintf(series->name, sizeof series->name, "%s", name);
    ++result->series_count;
    return ABUT_OK;
}

void abut_study_result_release(const abut_context *context, abut_study_result *result)
{
    for (int i = 0; i < result->series_count; ++i) {
        abut_free(context, result->series[i].values);
    }
    memset(result, 0, sizeof *result);
}

void abut_study_reopen_failed(abut_study *study)
{
    for (int i = 0; i < study->run_count; ++i) {
        if (study->results[i].outcome == ABUT_STUDY_FAILED) {
            abut_study_result_release(abut_lab_object_context(study), &study->results[i]);
        }
    }
}

int abut_study_count(const abut_study *study, int shard, int shard_count, abut_study_outcome outcome)
{
    int count = 0;
    for (int i = shard; i < study->run_count; i += shard_count) {
        count += study->results[i].outcome == outcome;
    }
    return count;
}
