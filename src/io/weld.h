// SPDX-License-Identifier: MIT
// weld.h: merging corners at the same position into one vertex
#ifndef ABUT_IO_WELD_H
#define ABUT_IO_WELD_H

#include "io/parts.h"

/// A hash table of the vertices of `parts` from `first_vertex` on. A slot is a vertex index plus one, or 0 if empty.
typedef struct abut_weld {
    abut_parts *parts;
    int first_vertex;
    int *slots;
    size_t slot_count;   ///< a power of two
    uint64_t factors[3]; ///< odd factors of the hash
} abut_weld;

/// The seed of the hash depends on the bytes of the file, so that nobody can craft a file whose positions all
/// collide. The vertices and their numbers do not depend on the seed. May return ABUT_NO_MEMORY.
abut_status abut_weld_init(abut_weld *weld, abut_parts *parts, const void *data, size_t size,
                           size_t expected_vertices);
void abut_weld_release(abut_weld *weld);

/// Forgets all vertices: what follows is not welded to them. May return ABUT_NO_MEMORY.
abut_status abut_weld_restart(abut_weld *weld);

/// The largest number of positions per lookup.
enum { ABUT_WELD_BATCH = 48 };

/// Finds the vertex at each of up to ABUT_WELD_BATCH positions, or adds a new one. 0 and -0 are equal. A batch is
/// faster than single lookups, because memory is prefetched.
abut_status abut_weld_find(abut_weld *weld, const abut_vec3 *places, int count, int *vertices);

#endif
