// SPDX-License-Identifier: MIT
// contact_log.c: contacts of other programs, as JSON Lines (docs/contact-log.md)
#include "verb/contact_log.h"

#include "shared/lines.h"
#include "shared/selection.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// For lines that name no method.
static const char *const default_method = "external";

// A normal may be this much shorter or longer than 1.
static const double unit_tolerance = 1e-3;

enum { SAMPLES_HIGHEST = 100000000 };

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static abut_status
refuse(abut_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = ABUT_BAD_DATA;
    (void)vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return ABUT_BAD_DATA;
}

static abut_status read_vec3(const json_t *object, const char *name, abut_vec3 *v, abut_error *error)
{
    const json_t *array = json_object_get(object, name);
    if (array == NULL) {
        return refuse(error, "\"%s\" is missing", name);
    }
    double *targets[] = {&v->x, &v->y, &v->z};
    int is_vector = json_is_array(array) && json_array_size(array) == 3;
    for (size_t i = 0; i < 3 && is_vector; ++i) {
        const json_t *item = json_array_get(array, i);
        is_vector = json_is_number(item);
        *targets[i] = json_number_value(item);
    }
    return is_vector ? ABUT_OK : refuse(error, "\"%s\" must be an array of three numbers", name);
}

static abut_status read_sample(const json_t *object, abut_sample *sample, abut_error *error)
{
    if (!json_is_object(object)) {
        return refuse(error, "a contact must be an object with \"position\" and \"normal\"");
    }
    abut_status status = read_vec3(object, "position", &sample->position, error);
    if (status == ABUT_OK) {
        status = read_vec3(object, "normal", &sample->normal, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    double length = abut_norm(sample->normal);
    return fabs(length - 1.0) <= unit_tolerance
               ? ABUT_OK
               : refuse(error, "\"normal\" has length %g: it must be a unit vector from A to B", length);
}

// The text of an optional field, or `fallback` if it is missing; NULL if it is not a text.
static const char *read_text(const json_t *object, const char *name, const char *fallback)
{
    const json_t *value = json_object_get(object, name);
    return value == NULL ? fallback : json_string_value(value);
}

/// What a line is about. The texts belong to its JSON value.
typedef struct line_key {
    const char *case_name;
    const char *method;
    const char *state_text;
    abut_state state;
} line_key;

static abut_cli_log_entry *find_entry(abut_cli_log *log, const line_key *key)
{
    for (int i = 0; i < log->count; ++i) {
        abut_cli_log_entry *entry = &log->entries[i];
        if (strcmp(entry->case_name, key->case_name) == 0 && strcmp(entry->method, key->method) == 0 &&
            abut_state_equals(entry->state.value, key->state)) {
            return entry;
        }
    }
    return NULL;
}

static void add_samples(abut_cli_log *log, const line_key *key, const abut_sample *samples, int count)
{
    abut_cli_log_entry *entry = find_entry(log, key);
    if (entry == NULL) {
        log->entries = abut_cli_resize(log->entries, (size_t)log->count + 1, sizeof *log->entries);
        entry = &log->entries[log->count++];
        *entry = (abut_cli_log_entry){.case_name = abut_cli_copy(key->case_name),
                                      .method = abut_cli_copy(key->method),
                                      .state = {key->state, abut_cli_copy(key->state_text)}};
    }
    if (entry->count + count > entry->capacity) {
        entry->capacity = entry->count + count + entry->capacity / 2 + 16;
        entry->samples = abut_cli_resize(entry->samples, (size_t)entry->capacity, sizeof *entry->samples);
    }
    if (count > 0) {
        memcpy(entry->samples + entry->count, samples, (size_t)count * sizeof *samples);
    }
    entry->count += count;
}

static abut_status read_key(const abut_cli_log *log, const json_t *object, line_key *key, abut_error *error)
{
    const char *case_name = read_text(object, "case", NULL);
    const char *method = read_text(object, "method", default_method);
    const char *state = read_text(object, "state", log->default_state.text);
    if (case_name == NULL) {
        return refuse(error, "\"case\" is missing or not a text: give the name of a case; see abut cases");
    }
    if (!abut_cli_is_case(case_name)) {
        const char *nearest = abut_cli_nearest_case(case_name);
        if (nearest != NULL && strcmp(nearest, case_name) == 0) {
            return refuse(error, "'%.64s' is a scene or a group: name a case of two bodies", case_name);
        }
        return nearest != NULL
                   ? refuse(error, "unknown case '%.64s': do you mean %s?", case_name, nearest)
                   : refuse(error, "unknown case '%.64s': abut cases lists those that exist", case_name);
    }
    if (method == NULL || method[0] == '\0') {
        return refuse(error, "\"method\" must be a name");
    }
    if (state == NULL) {
        return refuse(error, "\"state\" must be touching, detection or sunk:L");
    }
    *key = (line_key){case_name, method, state, log->default_state.value};
    if (state == log->default_state.text) {
        return ABUT_OK;
    }
    abut_status status = abut_state_parse(state, &key->state, error);
    return status == ABUT_OK && key->state.kind == ABUT_STATE_STEP
               ? refuse(error, "\"state\" must be touching, detection or sunk:L")
               : status;
}

/// A line that is one contact.
static abut_status read_contact(abut_cli_log *log, const line_key *key, const json_t *object, abut_error *error)
{
    abut_sample sample;
    if (json_object_get(object, "position") == NULL && json_object_get(object, "normal") == NULL) {
        return refuse(error, "no contacts: give \"position\" and \"normal\", or a list \"contacts\"");
    }
    abut_status status = read_sample(object, &sample, error);
    if (status == ABUT_OK) {
        add_samples(log, key, &sample, 1);
    }
    return status;
}

/// A line that is a list of contacts.
static abut_status read_contacts(abut_cli_log *log, const line_key *key, const json_t *object, abut_error *error)
{
    const json_t *contacts = json_object_get(object, "contacts");
    if (!json_is_array(contacts) || json_array_size(contacts) > SAMPLES_HIGHEST) {
        return refuse(error, "\"contacts\" must be an array");
    }
    if (json_object_get(object, "position") != NULL || json_object_get(object, "normal") != NULL) {
        return refuse(error, "a line is either one contact or a list \"contacts\", not both");
    }
    int count = (int)json_array_size(contacts);
    abut_sample *samples = abut_cli_resize(NULL, (size_t)count, sizeof *samples);
    abut_status status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        abut_error reason = {0};
        status = read_sample(json_array_get(contacts, (size_t)i), &samples[i], &reason);
        if (status != ABUT_OK) {
            (void)refuse(error, "contact %d: %.200s", i, reason.text);
        }
    }
    if (status == ABUT_OK) {
        add_samples(log, key, samples, count);
    }
    free(samples);
    return status;
}

static abut_status read_object(abut_cli_log *log, const json_t *object, abut_error *error)
{
    if (!json_is_object(object)) {
        return refuse(error, "the line is not a JSON object");
    }
    const json_t *schema = json_object_get(object, "schema");
    if (schema != NULL && json_integer_value(schema) != 1) {
        return refuse(error, "\"schema\" must be 1");
    }
    if (schema != NULL && json_object_size(object) == 1) {
        return ABUT_OK;
    }
    line_key key;
    abut_status status = read_key(log, object, &key, error);
    if (status != ABUT_OK) {
        return status;
    }
    return json_object_get(object, "contacts") != NULL ? read_contacts(log, &key, object, error)
                                                       : read_contact(log, &key, object, error);
}

abut_status abut_cli_log_read_line(abut_cli_log *log, const char *line, size_t length, abut_error *error)
{
    json_error_t reason;
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &reason);
    if (object == NULL) {
        return refuse(error, "not valid JSON at column %d: %.160s", reason.column, reason.text);
    }
    abut_status status = read_object(log, object, error);
    json_decref(object);
    return status;
}

static abut_status read_line(void *log, long long number, char *text, size_t length, abut_error *error)
{
    (void)number;
    return abut_cli_log_read_line(log, text, length, error);
}

abut_cli_exit abut_cli_log_read(abut_cli_log *log, const char *path)
{
    return abut_cli_read_lines(path, read_line, log);
}

void abut_cli_log_release(abut_cli_log *log)
{
    for (int i = 0; i < log->count; ++i) {
        free(log->entries[i].case_name);
        free(log->entries[i].method);
        free(log->entries[i].state.text);
        free(log->entries[i].samples);
    }
    free(log->entries);
    *log = (abut_cli_log){0};
}
