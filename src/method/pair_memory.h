// SPDX-License-Identifier: MIT
// pair_memory.h: the two states of a pair's memory
#ifndef ABUT_METHOD_PAIR_MEMORY_H
#define ABUT_METHOD_PAIR_MEMORY_H

#include <abut/contact.h>

/// Who the two sides of a pair are, in the caller's order.
typedef struct abut_pair_identity {
    uint64_t shapes[2]; ///< hashes
    uint64_t keys[2];
} abut_pair_identity;

/// Whether the committed state is of this pair; then `is_swapped` is the order in which the method saw it. States
/// are written in canonical order, and for equal shapes that can change with their places: a pair with a memory
/// keeps its first order.
int abut_memory_order(const abut_memory *memory, const abut_pair_identity *identity, int *is_swapped);

/// Starts the next state for a pair in an order; drops what an earlier query wrote and was not committed.
void abut_memory_begin(abut_memory *memory, const abut_pair_identity *identity, int is_swapped);

/// Drops the next state: what a query wrote that failed is never committed.
void abut_memory_drop(abut_memory *memory);

/// Room for the next state of the method of this name; NULL where memory ran out.
void *abut_memory_write(abut_memory *memory, const char *method, size_t size);

/// The committed state, or NULL where there is none of this method and of the pair of the next state.
const void *abut_memory_read(const abut_memory *memory, const char *method, size_t *size);

#endif
