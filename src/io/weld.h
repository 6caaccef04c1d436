// SPDX-License-Identifier: MIT
// weld.h: one vertex for all corners at the same place
#ifndef ABUT_IO_WELD_H
#define ABUT_IO_WELD_H

#include "io/parts.h"

/// A hash table of the vertices of `parts`: slot values are vertex indices plus one, 0 if empty.
typedef struct abut_weld {
    abut_parts *parts;
    int *slots;
    size_t slot_count;   ///< a power of two
    uint64_t factors[3]; ///< of the hash, odd
} abut_weld;

/// Places are hashed with a seed made of the file's bytes: a file whose places all collide cannot be made up. The
/// vertices and their numbers do not depend on the seed. ABUT_NO_MEMORY may be returned.
abut_status abut_weld_init(abut_weld *weld, abut_parts *parts, const void *data, size_t size,
                           size_t expected_vertices);
void abut_weld_release(abut_weld *weld);

/// How many places are looked up at once.
enum { ABUT_WELD_BATCH = 48 };

/// The vertices at up to ABUT_WELD_BATCH places, in order: one that is there (0 and -0 are the same), or a new one.
/// Several at once are faster, since the memory that one needs arrives while others are looked at.
abut_status abut_weld_find(abut_weld *weld, const abut_vec3 *places, int count, int *vertices);

#endif
