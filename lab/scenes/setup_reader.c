// SPDX-License-Identifier: MIT
// setup_reader.c: values of a scene file, and messages that name the line and the path of a wrong one
#include "scenes/setup_reader.h"

#include "common/lab_support.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 160 };

// ---------------------------------------------------------------------------------------------------------------
// Where we are, and what is wrong there

void abut_reader_enter(abut_setup_reader *r, const char *key)
{
    abut_json_step step = {.key = key};
    r->path[r->depth++] = step;
}

void abut_reader_enter_item(abut_setup_reader *r, size_t index)
{
    abut_json_step step = {.index = index};
    r->path[r->depth++] = step;
}

void abut_reader_leave(abut_setup_reader *r)
{
    --r->depth;
}

void abut_reader_complain(abut_setup_reader *r, abut_status status, const char *format, ...)
{
    if (r->builder.status != ABUT_OK) {
        return;
    }
    char path[PATH_ROOM] = "", reason[192];
    size_t used = 0;
    for (int i = 0; i < r->depth && used < sizeof path - 1; ++i) {
        int written = r->path[i].key != NULL
                          ? snprintf(path + used, sizeof path - used, "%s%.48s", i > 0 ? "." : "", r->path[i].key)
                          : snprintf(path + used, sizeof path - used, "[%zu]", r->path[i].index);
        used += written > 0 ? (size_t)written : 0;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    int line = abut_json_line(r->text, r->length, r->path, r->depth);
    r->builder.status =
        abut_fail(r->builder.error, status, "line %d: %s%s%s", line, path, path[0] != '\0' ? ": " : "", reason);
    if (r->builder.error != NULL) {
        r->builder.error->line = line;
    }
}

int abut_reader_is_fine(const abut_setup_reader *r)
{
    return r->builder.status == ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

int abut_reader_check_object(abut_setup_reader *r, json_t *value, const char *const *keys)
{
    if (!json_is_object(value)) {
        abut_reader_complain(r, ABUT_BAD_DATA, "must be an object, {...}");
        return 0;
    }
    const char *key;
    json_t *item;
    json_object_foreach(value, key, item)
    {
        int is_known = 0;
        for (int i = 0; keys[i] != NULL; ++i) {
            is_known |= strcmp(keys[i], key) == 0;
        }
        if (!is_known) {
            abut_reader_enter(r, key);
            abut_reader_complain(r, ABUT_BAD_DATA, "unknown key; see docs/scene-format.md");
            abut_reader_leave(r);
            return 0;
        }
    }
    return 1;
}

double abut_reader_number(abut_setup_reader *r, json_t *object, const char *key, double missing, double least,
                          double most)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return missing;
    }
    abut_reader_enter(r, key);
    double number = json_number_value(value);
    if (!json_is_number(value)) {
        abut_reader_complain(r, ABUT_BAD_DATA, "must be a number");
    } else if (!(number >= least && number <= most)) {
        abut_reader_complain(r, ABUT_BAD_DATA, "is %g, but must be from %g to %g", number, least, most);
    }
    abut_reader_leave(r);
    return number;
}

int abut_reader_count(abut_setup_reader *r, json_t *object, const char *key, int missing, int most)
{
    double number = abut_reader_number(r, object, key, missing, 0.0, most);
    if (abut_reader_is_fine(r) && number != floor(number)) {
        abut_reader_enter(r, key);
        abut_reader_complain(r, ABUT_BAD_DATA, "is %g, but must be a whole number", number);
        abut_reader_leave(r);
    }
    return abut_reader_is_fine(r) ? (int)number : missing;
}

int abut_reader_switch(abut_setup_reader *r, json_t *object, const char *key, int missing)
{
    json_t *value = json_object_get(object, key);
    if (value != NULL && !json_is_boolean(value)) {
        abut_reader_enter(r, key);
        abut_reader_complain(r, ABUT_BAD_DATA, "must be true or false");
        abut_reader_leave(r);
    }
    return value == NULL ? missing : json_is_true(value);
}

double abut_reader_friction(abut_setup_reader *r, json_t *object, double missing)
{
    json_t *value = json_object_get(object, "friction");
    if (!json_is_string(value)) {
        return abut_reader_number(r, object, "friction", missing, 0.0, 1e6);
    }
    if (strcmp(json_string_value(value), "infinite") != 0) {
        abut_reader_enter(r, "friction");
        abut_reader_complain(r, ABUT_BAD_DATA, "must be a number or \"infinite\"");
        abut_reader_leave(r);
    }
    return INFINITY;
}

int abut_reader_numbers(abut_setup_reader *r, json_t *value, double *numbers, size_t count)
{
    if (!json_is_array(value) || json_array_size(value) != count) {
        abut_reader_complain(r, ABUT_BAD_DATA, "must be an array of %zu numbers", count);
        return 0;
    }
    for (size_t i = 0; i < count; ++i) {
        json_t *item = json_array_get(value, i);
        numbers[i] = json_number_value(item);
        if (!json_is_number(item) || !isfinite(numbers[i])) {
            abut_reader_enter_item(r, i);
            abut_reader_complain(r, ABUT_BAD_DATA, "must be a number");
            abut_reader_leave(r);
            return 0;
        }
    }
    return 1;
}

abut_vec3 abut_reader_vector(abut_setup_reader *r, json_t *object, const char *key, abut_vec3 missing)
{
    json_t *value = json_object_get(object, key);
    double numbers[3] = {missing.x, missing.y, missing.z};
    if (value != NULL) {
        abut_reader_enter(r, key);
        (void)abut_reader_numbers(r, value, numbers, 3);
        abut_reader_leave(r);
    }
    return abut_vec3_make(numbers[0], numbers[1], numbers[2]);
}

const char *abut_reader_text(abut_setup_reader *r, json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (value != NULL && (!json_is_string(value) || strlen(json_string_value(value)) >= ABUT_SETUP_NAME_ROOM)) {
        abut_reader_enter(r, key);
        abut_reader_complain(r, ABUT_BAD_DATA, "must be a text of at most %d characters", ABUT_SETUP_NAME_ROOM - 1);
        abut_reader_leave(r);
    }
    return json_string_value(value);
}

int abut_reader_check_name(abut_setup_reader *r, const char *name)
{
    if (name[0] == '\0' || strlen(name) >= ABUT_SETUP_NAME_ROOM) {
        abut_reader_complain(r, ABUT_BAD_DATA, "must have a name of 1 to %d characters", ABUT_SETUP_NAME_ROOM - 1);
        return 0;
    }
    return 1;
}

int abut_reader_is_repeated(abut_setup_reader *r, const char *what, const char *name)
{
    char key[2 * ABUT_SETUP_NAME_ROOM];
    (void)snprintf(key, sizeof key, "%s %s", what, name);
    if (json_object_get(r->seen, key) != NULL) {
        return 1;
    }
    if (json_object_set_new(r->seen, key, json_true()) != 0) {
        abut_reader_complain(r, ABUT_NO_MEMORY, "out of memory for the names of a scene");
    }
    return 0;
}

json_t *abut_reader_enter_table(abut_setup_reader *r, json_t *root, const char *key, const char *noun)
{
    json_t *table = json_object_get(root, key);
    abut_reader_enter(r, key);
    if (!json_is_object(table) || json_object_size(table) == 0) {
        abut_reader_complain(r, ABUT_BAD_DATA,
                             table == NULL            ? "is missing: a scene needs at least one %s"
                             : !json_is_object(table) ? "must be an object of at least one %s, by name"
                                                      : "there must be at least one %s",
                             noun);
    }
    return table;
}

int abut_reader_word(abut_setup_reader *r, json_t *root, const char *key, const char *const words[3])
{
    json_t *value = json_object_get(root, key);
    for (int i = 0; i < 3 && words[i] != NULL && json_is_string(value); ++i) {
        if (strcmp(json_string_value(value), words[i]) == 0) {
            return i;
        }
    }
    if (value != NULL) {
        abut_reader_enter(r, key);
        abut_reader_complain(r, ABUT_BAD_DATA, "must be \"%s\"%s%s%s or \"%s\"", words[0],
                             words[2] != NULL ? ", \"" : "", words[2] != NULL ? words[1] : "",
                             words[2] != NULL ? "\"" : "", words[words[2] != NULL ? 2 : 1]);
        abut_reader_leave(r);
    }
    return 0;
}
