// SPDX-License-Identifier: MIT
// study_json.c: plans and results of studies as lines of JSON
//
// The same lines go through pipes of child processes, between MPI ranks and into files, so a result does not depend on
// its route. Doubles are printed with 17 digits, which read back exactly.
#include "common/json_words.h"
#include "common/lab_support.h"
#include "study/study_text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double WHOLE = 9007199254740992.0; ///< 2^53: whole numbers below it are printed as integers

// ---------------------------------------------------------------------------------------------------------------
// Printing. The functions of jansson pass NULL on, so one check at the end finds that there was no memory.

static json_t *number_json(double number)
{
    return !isfinite(number)                                 ? json_null()
           : number == floor(number) && fabs(number) < WHOLE ? json_integer((json_int_t)number)
                                                             : json_real(number);
}

static json_t *value_json(const abut_study_value *value)
{
    return value->is_word ? json_string(value->word) : number_json(value->number);
}

/// Adds a member to an object, and counts failures.
static void put(json_t *object, const char *name, json_t *value, int *failures)
{
    *failures += json_object_set_new(object, name, value) != 0;
}

static void append(json_t *array, json_t *value, int *failures)
{
    *failures += json_array_append_new(array, value) != 0;
}

static json_t *values_json(const abut_study_value *values, int count, int *failures)
{
    json_t *object = json_object();
    for (int i = 0; i < count; ++i) {
        put(object, values[i].name, value_json(&values[i]), failures);
    }
    return object;
}

/// Prints the document as one line, in memory of the study, and releases the document.
static abut_status dump(const abut_study *study, json_t *document, int failures, char **text, abut_error *error)
{
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(17);
    size_t size = failures == 0 ? json_dumpb(document, NULL, 0, flags) : 0;
    *text = size > 0 ? abut_allocate_zeroed(abut_lab_object_context(study), size + 1, 1) : NULL;
    int is_printed = *text != NULL && json_dumpb(document, *text, size, flags) == size;
    json_decref(document);
    if (!is_printed) {
        abut_free(abut_lab_object_context(study), *text);
        *text = NULL;
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for the text of a study");
    }
    return ABUT_OK;
}

abut_status abut_study_print_plan(const abut_study *study, char **text, abut_error *error)
{
    int failures = 0;
    json_t *document = json_object(), *names = json_array(), *runs = json_array();
    for (int k = 0; k < study->parameter_count; ++k) {
        append(names, json_string(study->parameters[k].name), &failures);
    }
    for (int i = 0; i < study->run_count; ++i) {
        const abut_study_value *values = abut_study_run_parameters(study, i);
        json_t *row = json_array();
        for (int k = 0; k < study->parameter_count; ++k) {
            append(row, value_json(&values[k]), &failures);
        }
        append(runs, row, &failures);
    }
    put(document, "schema", json_integer(1), &failures);
    put(document, "study", json_string(study->kind->name), &failures);
    put(document, "settings", values_json(study->settings, study->setting_count, &failures), &failures);
    put(document, "parameters", names, &failures);
    put(document, "runs", runs, &failures);
    return dump(study, document, failures, text, error);
}

static json_t *series_json(const abut_study_result *result, int *failures)
{
    json_t *object = json_object();
    for (int i = 0; i < result->series_count; ++i) {
        json_t *numbers = json_array();
        for (int k = 0; k < result->series[i].count; ++k) {
            append(numbers, number_json(result->series[i].values[k]), failures);
        }
        put(object, result->series[i].name, numbers, failures);
    }
    return object;
}

abut_status abut_study_print_result(const abut_study *study, int run, char **text, abut_error *error)
{
    return abut_study_print_as(study, run, &study->results[run], text, error);
}

abut_status abut_study_print_as(const abut_study *study, int run, const abut_study_result *result, char **text,
                                abut_error *error)
{
    int failures = 0;
    json_t *document = json_object();
    put(document, "run", json_integer(run), &failures);
    if (result->outcome == ABUT_STUDY_FAILED) {
        put(document, "failed", json_string(result->reason), &failures);
    } else {
        put(document, "values", values_json(result->values, result->value_count, &failures), &failures);
        put(document, "series", series_json(result, &failures), &failures);
    }
    return dump(study, document, failures, text, error);
}

void abut_study_text_release(const abut_study *study, char *text)
{
    abut_free(abut_lab_object_context(study), text);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading. The text may be anything.

static abut_status bad(abut_error *error, const char *what)
{
    return abut_fail(error, ABUT_BAD_DATA, "%s", what);
}

/// Parses a JSON object; NULL with an error otherwise. A text too large for memory is reported as bad data too.
static json_t *load(const char *text, size_t length, abut_error *error)
{
    json_error_t place;
    json_t *document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &place);
    if (document == NULL) {
        char words[ABUT_JSON_WORDS_ROOM];
        abut_json_explain(text, length, &place, words);
        (void)bad(error, words);
    } else if (!json_is_object(document)) {
        (void)bad(error, "is not a JSON object");
        json_decref(document);
        document = NULL;
    }
    return document;
}

/// The text of a JSON string; NULL if it is too long or has control characters, such as line breaks.
static const char *text_of(const json_t *item, size_t room)
{
    const char *text = json_string_value(item);
    size_t length = json_string_length(item);
    if (text == NULL || length == 0 || length >= room || strlen(text) != length) {
        return NULL;
    }
    for (size_t i = 0; i < length; ++i) {
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f) {
            return NULL;
        }
    }
    return text;
}

static int read_value(const char *name, const json_t *item, abut_study_value *value)
{
    if (strlen(name) >= ABUT_STUDY_NAME_ROOM) {
        return 0;
    }
    if (json_is_string(item)) {
        const char *word = text_of(item, ABUT_STUDY_WORD_ROOM);
        *value = abut_study_word(name, word != NULL ? word : "");
        return word != NULL;
    }
    *value = abut_study_number(name, json_is_number(item) ? json_number_value(item) : (double)NAN);
    return json_is_number(item) || json_is_null(item);
}

/// Whether all keys of the document are among the expected ones.
static int has_only(json_t *document, const char *const *expected)
{
    const char *key;
    json_t *item;
    json_object_foreach(document, key, item)
    {
        int is_known = 0;
        for (int i = 0; expected[i] != NULL && !is_known; ++i) {
            is_known = strcmp(expected[i], key) == 0;
        }
        if (!is_known) {
            return 0;
        }
    }
    return 1;
}

/// Turns errors of an argument into ABUT_BAD_DATA: here the arguments come from a file.
static abut_status as_data(abut_status status, abut_error *error)
{
    if (status == ABUT_BAD_ARGUMENT || status == ABUT_LIMIT) {
        status = ABUT_BAD_DATA;
        if (error != NULL) {
            error->status = status;
        }
    }
    return status;
}

void abut_study_fail_result(abut_study_result *result, const char *reason)
{
    result->outcome = ABUT_STUDY_FAILED;
    (void)snprintf(result->reason, sizeof result->reason, "%s", reason[0] != '\0' ? reason : "it failed");
    for (char *c = result->reason; *c != '\0'; ++c) {
        *c = *c >= ' ' && *c < 0x7f ? *c : '?'; // a UTF-8 character that is cut would not be valid JSON
    }
}

static abut_status read_settings(abut_study *study, json_t *settings, abut_error *error)
{
    const char *key;
    json_t *item;
    abut_status status = json_is_object(settings) ? ABUT_OK : bad(error, "settings: not a JSON object");
    json_object_foreach(settings, key, item)
    {
        abut_study_value value;
        if (status == ABUT_OK && !read_value(key, item, &value)) {
            status = abut_fail(error, ABUT_BAD_DATA, "settings[%d]: neither a number nor a short text",
                               study->setting_count);
        }
        status = status != ABUT_OK ? status : as_data(abut_study_set(study, value, error), error);
    }
    return status;
}

static abut_status read_run(abut_study *study, const json_t *names, const json_t *row, abut_error *error)
{
    abut_study_value values[ABUT_STUDY_MAX_VALUES];
    size_t count = json_array_size(names);
    if (count > ABUT_STUDY_MAX_VALUES || json_array_size(row) != count) {
        return abut_fail(error, ABUT_BAD_DATA, "runs[%d]: needs one value for each parameter", study->run_count);
    }
    for (size_t k = 0; k < count; ++k) {
        const char *name = text_of(json_array_get(names, k), ABUT_STUDY_NAME_ROOM);
        if (name == NULL || !read_value(name, json_array_get(row, k), &values[k])) {
            return abut_fail(error, ABUT_BAD_DATA,
                             "runs[%d][%d]: not a number or short text, or its parameter has no name",
                             study->run_count, (int)k);
        }
    }
    return as_data(abut_study_add_run(study, values, (int)count, error), error);
}

static abut_status read_plan(abut_study *study, json_t *document, abut_error *error)
{
    static const char *const keys[] = {"schema", "study", "settings", "parameters", "runs", NULL};
    const json_t *names = json_object_get(document, "parameters"), *runs = json_object_get(document, "runs");
    if (json_integer_value(json_object_get(document, "schema")) != 1) {
        return bad(error, "is not a plan of a study: schema: must be 1");
    }
    if (!has_only(document, keys)) {
        return bad(error, "is not a plan of a study: it has unknown keys");
    }
    abut_status status = read_settings(study, json_object_get(document, "settings"), error);
    if (status == ABUT_OK && json_array_size(runs) == 0) {
        status = bad(error, "runs: the list is empty");
    }
    for (size_t i = 0; status == ABUT_OK && i < json_array_size(runs); ++i) {
        status = read_run(study, names, json_array_get(runs, i), error);
    }
    return status;
}

abut_status abut_study_parse_plan(const abut_context *context, const char *text, size_t length, abut_study **study,
                                  abut_error *error)
{
    *study = NULL;
    json_t *document = load(text, length, error);
    if (document == NULL) {
        return ABUT_BAD_DATA;
    }
    const char *name = text_of(json_object_get(document, "study"), ABUT_STUDY_NAME_ROOM);
    const abut_study_kind *kind = name != NULL ? abut_study_find_kind(name) : NULL;
    abut_status status = ABUT_OK;
    if (kind == NULL) {
        status = abut_fail(error, ABUT_BAD_DATA, "is not a plan of a study: %s%s",
                           name != NULL ? "study: unknown kind " : "the key \"study\" is missing",
                           name != NULL ? name : "");
    }
    status = status != ABUT_OK ? status : abut_study_create(context, kind, study, error);
    status = status != ABUT_OK ? status : read_plan(*study, document, error);
    if (status != ABUT_OK) {
        abut_study_destroy(*study);
        *study = NULL;
    }
    json_decref(document);
    return status;
}

static abut_status read_series(const abut_context *context, const char *name, const json_t *list,
                               abut_study_result *result, abut_error *error)
{
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count > INT32_MAX || strlen(name) >= ABUT_STUDY_NAME_ROOM) {
        return abut_fail(error, ABUT_BAD_DATA, "series[%d]: not a list of numbers", result->series_count);
    }
    double *numbers = abut_allocate_zeroed(context, count, sizeof *numbers);
    if (numbers == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a series of %zu values", count);
    }
    abut_status status = ABUT_OK;
    for (size_t i = 0; i < count && status == ABUT_OK; ++i) {
        const json_t *item = json_array_get(list, i);
        numbers[i] = json_is_number(item) ? json_number_value(item) : (double)NAN;
        if (!json_is_number(item) && !json_is_null(item)) {
            status = abut_fail(error, ABUT_BAD_DATA, "series[%d][%zu]: not a number", result->series_count, i);
        }
    }
    if (status == ABUT_OK) {
        status = as_data(abut_study_add_series(context, result, name, numbers, (int)count, error), error);
    }
    abut_free(context, numbers);
    return status;
}

static abut_status read_values(const abut_context *context, json_t *document, abut_study_result *result,
                               abut_error *error)
{
    json_t *values = json_object_get(document, "values"), *series = json_object_get(document, "series"), *item;
    const char *key;
    abut_status status =
        json_is_object(values) && json_is_object(series) ? ABUT_OK : bad(error, "has no values or no series");
    json_object_foreach(values, key, item)
    {
        abut_study_value value;
        if (status == ABUT_OK && !read_value(key, item, &value)) {
            status = abut_fail(error, ABUT_BAD_DATA, "values[%d]: neither a number nor a short text",
                               result->value_count);
        }
        status = status != ABUT_OK ? status : as_data(abut_study_add_value(result, value, error), error);
    }
    json_object_foreach(series, key, item)
    {
        status = status != ABUT_OK ? status : read_series(context, key, item, result, error);
    }
    result->outcome = ABUT_STUDY_DONE;
    return status;
}

static abut_status read_result(const abut_context *context, json_t *document, abut_study_result *result,
                               abut_error *error)
{
    static const char *const done[] = {"run", "values", "series", NULL}, *const failed[] = {"run", "failed", NULL};
    if (has_only(document, done)) {
        return read_values(context, document, result, error);
    }
    const char *reason = text_of(json_object_get(document, "failed"), sizeof result->reason);
    if (!has_only(document, failed) || reason == NULL) {
        return bad(error, "is not a result of a run");
    }
    abut_study_fail_result(result, reason);
    return ABUT_OK;
}

abut_status abut_study_parse_result(abut_study *study, const char *text, size_t length, int *run, abut_error *error)
{
    json_t *document = load(text, length, error);
    if (document == NULL) {
        return ABUT_BAD_DATA;
    }
    const json_t *number = json_object_get(document, "run");
    json_int_t at = json_is_integer(number) ? json_integer_value(number) : -1;
    abut_status status = ABUT_OK;
    if (at < 0 || at >= study->run_count || (*run >= 0 && at != *run)) {
        status = bad(error, "is not a result of a run of the plan");
    } else if (study->results[at].outcome == ABUT_STUDY_DONE) {
        *run = (int)at;
        status = abut_fail(error, ABUT_BAD_DATA, "has run %d a second time", (int)at);
    }
    abut_study_result result;
    memset(&result, 0, sizeof result);
    status = status != ABUT_OK ? status : read_result(abut_lab_object_context(study), document, &result, error);
    json_decref(document);
    if (status != ABUT_OK) {
        abut_study_result_release(abut_lab_object_context(study), &result);
        return status;
    }
    *run = (int)at;
    abut_study_result_release(abut_lab_object_context(study), &study->results[at]);
    study->results[at] = result;
    return ABUT_OK;
}
