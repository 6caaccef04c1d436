// SPDX-License-Identifier: MIT
// pair_memory.c: the two states of a pair's memory: the committed one, and the next
#include "method/pair_memory.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { METHOD_NAME_SIZE = 128 };

// A world has thousands of memories, which are seldom in the cache. What each query needs comes first.
typedef struct memory_state {
    void *bytes;
    size_t size, capacity;
    abut_pair_identity identity;
    int is_swapped;
    int has_motion;
    abut_relative_motion motion;   ///< after the step
    char method[METHOD_NAME_SIZE]; ///< "": nothing was written
} memory_state;

/// The contacts of a state, whatever method found them.
typedef struct known_state {
    abut_known_contact *contacts;
    int count, capacity;
    int is_written;
    abut_pair_identity identity;
} known_state;

/// How B last came near A.
typedef struct way_state {
    abut_relative_motion motion;
    int is_written;
    abut_pair_identity identity;
} way_state;

struct abut_memory {
    memory_state states[2];
    int committed; ///< index of the committed state; the other one is the next
    int known_committed;
    known_state known[2];
    int way_committed;
    way_state ways[2];
    abut_context context;
};

abut_status abut_memory_create(const abut_context *context, abut_memory **memory)
{
    ABUT_ASSERT(memory != NULL);
    abut_context kept = abut_context_or_default(context);
    *memory = abut_allocate_zeroed(&kept, 1, sizeof **memory);
    if (*memory == NULL) {
        return ABUT_NO_MEMORY;
    }
    (*memory)->context = kept;
    return ABUT_OK;
}

void abut_memory_destroy(abut_memory *memory)
{
    if (memory != NULL) {
        abut_context context = memory->context;
        abut_free(&context, memory->states[0].bytes);
        abut_free(&context, memory->states[1].bytes);
        abut_free(&context, memory->known[0].contacts);
        abut_free(&context, memory->known[1].contacts);
        abut_free(&context, memory);
    }
}

static int is_same_pair(const abut_pair_identity *a, const abut_pair_identity *b)
{
    return a->shapes[0] == b->shapes[0] && a->shapes[1] == b->shapes[1] && a->keys[0] == b->keys[0] &&
           a->keys[1] == b->keys[1];
}

static abut_pair_identity exchanged(const abut_pair_identity *identity)
{
    abut_pair_identity other = {{identity->shapes[1], identity->shapes[0]}, {identity->keys[1], identity->keys[0]}};
    return other;
}

void abut_memory_order(const abut_memory *memory, const abut_pair_identity *identity, int *is_swapped)
{
    const memory_state *state = &memory->states[memory->committed];
    if (state->method[0] == '\0') {
        return;
    }
    const abut_pair_identity turned = exchanged(identity);
    int is_same = is_same_pair(&state->identity, identity), is_turned = is_same_pair(&state->identity, &turned);
    if (is_same && is_turned) {
        *is_swapped = state->is_swapped; // nothing tells the sides apart but the caller's order
    } else if (is_same || is_turned) {
        *is_swapped = is_turned;
    }
}

void abut_memory_foresee(const abut_memory *memory)
{
    for (int i = 0; i < 2; ++i) {
        __builtin_prefetch(&memory->states[i], 1);
        __builtin_prefetch(memory->states[i].method, 1);
    }
    __builtin_prefetch(&memory->committed, 1);
}

void abut_memory_foresee_bytes(const abut_memory *memory)
{
    __builtin_prefetch(memory->states[0].bytes, 1);
    __builtin_prefetch(memory->states[1].bytes, 1);
    __builtin_prefetch(memory->known[memory->known_committed].contacts, 0);
}

void abut_memory_drop(abut_memory *memory)
{
    memory->states[1 - memory->committed].method[0] = '\0';
    memory->known[1 - memory->known_committed].is_written = 0;
    memory->ways[1 - memory->way_committed].is_written = 0;
}

void abut_memory_begin(abut_memory *memory, const abut_pair_identity *identity, int is_swapped)
{
    abut_memory_drop(memory);
    memory->states[1 - memory->committed].identity = is_swapped ? exchanged(identity) : *identity;
    memory->states[1 - memory->committed].is_swapped = is_swapped;
    memory->states[1 - memory->committed].has_motion = 0;
}

void abut_memory_commit(abut_memory *memory)
{
    ABUT_ASSERT(memory != NULL);
    if (memory->states[1 - memory->committed].method[0] != '\0') {
        memory->committed = 1 - memory->committed;
        memory->states[1 - memory->committed].method[0] = '\0';
    }
    if (memory->known[1 - memory->known_committed].is_written) {
        memory->known_committed = 1 - memory->known_committed;
        memory->known[1 - memory->known_committed].is_written = 0;
    }
    if (memory->ways[1 - memory->way_committed].is_written) {
        memory->way_committed = 1 - memory->way_committed;
        memory->ways[1 - memory->way_committed].is_written = 0;
    }
}

void abut_memory_commit_motion(abut_memory *memory, const abut_pair *pair)
{
    ABUT_ASSERT(memory != NULL && pair != NULL);
    abut_pair read = abut_pair_default(NULL, NULL);
    memory_state *next = &memory->states[1 - memory->committed];
    if (abut_read_versioned(&read, sizeof read, pair) && read.a.instance == NULL && read.b.instance == NULL) {
        next->motion = next->is_swapped ? abut_pair_relative_motion(&read.b, &read.a)
                                        : abut_pair_relative_motion(&read.a, &read.b);
        next->has_motion = abut_is_finite(next->motion.linear) && abut_is_finite(next->motion.angular);
    }
    abut_memory_commit(memory);
}

void abut_memory_clear(abut_memory *memory)
{
    ABUT_ASSERT(memory != NULL);
    memory->states[0].method[0] = '\0';
    memory->states[1].method[0] = '\0';
    memory->known[0].is_written = memory->known[1].is_written = 0;
    memory->ways[0].is_written = memory->ways[1].is_written = 0;
}

const char *abut_memory_method(const abut_memory *memory)
{
    const memory_state *state = &memory->states[memory->committed];
    return is_same_pair(&state->identity, &memory->states[1 - memory->committed].identity) ? state->method : "";
}

void abut_memory_write_way(abut_memory *memory, abut_relative_motion way)
{
    way_state *next = &memory->ways[1 - memory->way_committed];
    *next = (way_state){way, 1, memory->states[1 - memory->committed].identity};
}

const abut_relative_motion *abut_memory_read_way(const abut_memory *memory)
{
    const way_state *way = &memory->ways[memory->way_committed];
    int is_known = way->is_written && is_same_pair(&way->identity, &memory->states[1 - memory->committed].identity);
    return is_known ? &way->motion : NULL;
}

abut_known_contact *abut_memory_write_known(abut_memory *memory, int count)
{
    known_state *next = &memory->known[1 - memory->known_committed];
    if (count > next->capacity || next->contacts == NULL) {
        int grown = count < 8 ? 8 : count + count / 2;
        void *contacts =
            memory->context.resize(memory->context.user, next->contacts, (size_t)grown * sizeof *next->contacts);
        if (contacts == NULL) {
            return NULL;
        }
        next->contacts = contacts;
        next->capacity = grown;
    }
    next->count = count;
    next->is_written = 1;
    next->identity = memory->states[1 - memory->committed].identity;
    return next->contacts;
}

const abut_known_contact *abut_memory_read_known(const abut_memory *memory, int *count)
{
    const known_state *known = &memory->known[memory->known_committed];
    int is_known =
        known->is_written && is_same_pair(&known->identity, &memory->states[1 - memory->committed].identity);
    *count = is_known ? known->count : 0;
    return is_known ? known->contacts : NULL;
}

void *abut_memory_write(abut_memory *memory, const char *method, size_t size)
{
    memory_state *next = &memory->states[1 - memory->committed];
    if (strlen(method) >= METHOD_NAME_SIZE || size > (size_t)PTRDIFF_MAX / 2) {
        return NULL;
    }
    if (size > next->capacity || next->bytes == NULL) {
        size_t grown = size < 256 ? 256 : size + size / 2;
        void *bytes = memory->context.resize(memory->context.user, next->bytes, grown);
        if (bytes == NULL) {
            return NULL;
        }
        next->bytes = bytes;
        next->capacity = grown;
    }
    next->size = size;
    memcpy(next->method, method, strlen(method) + 1);
    return next->bytes;
}

const void *abut_memory_read(const abut_memory *memory, const char *method, size_t *size)
{
    const memory_state *state = &memory->states[memory->committed];
    const memory_state *next = &memory->states[1 - memory->committed];
    if (state->method[0] == '\0' || strcmp(state->method, method) != 0 ||
        !is_same_pair(&state->identity, &next->identity)) {
        *size = 0;
        return NULL;
    }
    *size = state->size;
    return state->bytes;
}

const abut_relative_motion *abut_memory_motion(const abut_memory *memory)
{
    const memory_state *state = &memory->states[memory->committed];
    return state->has_motion ? &state->motion : NULL;
}
