// SPDX-License-Identifier: MIT
// setup_reader.h: values of a scene file, and messages that name the line and the path of a wrong one
//
// Functions that read a key return `missing` if there is no such key.
#ifndef ABUT_LAB_SETUP_READER_H
#define ABUT_LAB_SETUP_READER_H

#include "common/json_place.h"
#include "scenes/setup.h"

#include <jansson.h>

enum { ABUT_READER_DEPTH = 8 };

typedef struct abut_setup_reader {
    abut_setup_builder builder;
    json_t *seen; ///< its keys are the pairs and body names read so far
    const char *text;
    size_t length;
    const char *folder; ///< or NULL
    int repairs;        ///< mesh files are repaired, unless they say otherwise
    int is_repaired;    ///< the mesh that is read is
    abut_repair_counts repair_counts;
    abut_json_step path[ABUT_READER_DEPTH];
    int depth;
} abut_setup_reader;

/// Goes into the value of a key, or into an item of an array, for messages about it; abut_reader_leave() goes back.
void abut_reader_enter(abut_setup_reader *r, const char *key);
void abut_reader_enter_item(abut_setup_reader *r, size_t index);
void abut_reader_leave(abut_setup_reader *r);
/// Reports an error of the value at the path, unless there was one before.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void abut_reader_complain(abut_setup_reader *r, abut_status status, const char *format, ...);
int abut_reader_is_fine(const abut_setup_reader *r);
/// An object whose keys are all among `keys`, ended by NULL.
int abut_reader_check_object(abut_setup_reader *r, json_t *value, const char *const *keys);
/// A number within limits; `missing` if there is no such key.
double abut_reader_number(abut_setup_reader *r, json_t *object, const char *key, double missing, double least,
                          double most);
/// A whole number from 0 to a limit.
int abut_reader_count(abut_setup_reader *r, json_t *object, const char *key, int missing, int most);
/// True or false.
int abut_reader_switch(abut_setup_reader *r, json_t *object, const char *key, int missing);
/// A number, or "infinite": no slip.
double abut_reader_friction(abut_setup_reader *r, json_t *object, double missing);
/// An array of `count` numbers. Returns 0 if it is something else.
int abut_reader_numbers(abut_setup_reader *r, json_t *value, double *numbers, size_t count);
abut_vec3 abut_reader_vector(abut_setup_reader *r, json_t *object, const char *key, abut_vec3 missing);
/// A text, or NULL if there is no such key.
const char *abut_reader_text(abut_setup_reader *r, json_t *object, const char *key);
/// The index of one of up to three words; the first if the key is not there.
int abut_reader_word(abut_setup_reader *r, json_t *root, const char *key, const char *const words[3]);
/// Returns 0 if a name is empty or too long.
int abut_reader_check_name(abut_setup_reader *r, const char *name);
/// Whether the name was seen before. Remembers it.
int abut_reader_is_repeated(abut_setup_reader *r, const char *what, const char *name);
/// Goes into an object that must have at least one member.
json_t *abut_reader_enter_table(abut_setup_reader *r, json_t *root, const char *key, const char *noun);

#endif
