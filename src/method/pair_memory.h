// SPDX-License-Identifier: MIT
// pair_memory.h: the two states of a pair's memory
#ifndef ABUT_METHOD_PAIR_MEMORY_H
#define ABUT_METHOD_PAIR_MEMORY_H

#include "method/identity.h"
#include "method/pair.h"

/// The identity of the two sides of a pair.
typedef struct abut_pair_identity {
    uint64_t shapes[2]; ///< hashes
    uint64_t keys[2];
} abut_pair_identity;

/// Sets `is_swapped` so that the method sees the sides in the order of the committed state, if there is one of this pair;
/// otherwise leaves it. States are written in canonical order. For equal shapes that order can change as the bodies move,
/// so a pair with a memory keeps its first one. `identity` is in the caller's order, which may change.
void abut_memory_order(const abut_memory *memory, const abut_pair_identity *identity, int *is_swapped);

/// Brings a memory into the cache, for a query that comes soon; and then what its states have.
void abut_memory_foresee(const abut_memory *memory);
void abut_memory_foresee_bytes(const abut_memory *memory);

/// Starts the next state for a pair in the given order. Drops what an earlier query wrote without a commit.
void abut_memory_begin(abut_memory *memory, const abut_pair_identity *identity, int is_swapped);

/// Drops the next state: what a failed query wrote is never committed.
void abut_memory_drop(abut_memory *memory);

/// Memory for the next state of the method of this name; NULL if memory ran out.
void *abut_memory_write(abut_memory *memory, const char *method, size_t size);

/// The committed state, or NULL if there is none of this method for the pair of the next state.
const void *abut_memory_read(const abut_memory *memory, const char *method, size_t *size);

/// The name of the method of the committed state; "" if there is none for the pair of the next state.
const char *abut_memory_method(const abut_memory *memory);

/// Keeps a motion of B relative to A for queries after the commit. If this is not called, the committed one stays.
void abut_memory_write_way(abut_memory *memory, abut_relative_motion way);

/// The motion that was kept for the pair of the next state, or NULL.
const abut_relative_motion *abut_memory_read_way(const abut_memory *memory);

/// Memory for the contacts of the next state; NULL if memory ran out. If this is not called, those of the committed state
/// stay.
abut_known_contact *abut_memory_write_known(abut_memory *memory, int count);

/// The contacts that were committed for the pair of the next state, by any method.
const abut_known_contact *abut_memory_read_known(const abut_memory *memory, int *count);

/// The motion that was committed with that state, or NULL.
const abut_relative_motion *abut_memory_motion(const abut_memory *memory);

#endif
