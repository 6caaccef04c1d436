// SPDX-License-Identifier: MIT
// pair_memory.h: the two states of a pair's memory
#ifndef ABUT_METHOD_PAIR_MEMORY_H
#define ABUT_METHOD_PAIR_MEMORY_H

#include <abut/contact.h>

/// Drops what an earlier query wrote and was not committed.
void abut_memory_begin(abut_memory *memory);

/// Room for the next state of the method of this name; NULL where memory ran out.
void *abut_memory_write(abut_memory *memory, const char *method, size_t size);

/// The committed state, or NULL where there is none of this method.
const void *abut_memory_read(const abut_memory *memory, const char *method, size_t *size);

#endif
