// SPDX-License-Identifier: MIT
// contact_hash.h: a hash of the contacts of a query
#ifndef ABUT_BENCH_CONTACT_HASH_H
#define ABUT_BENCH_CONTACT_HASH_H

#include "bench.h"

#include <abut/contact.h>
#include <string.h>

/// Adds ids, positions and normals to a hash.
static inline uint64_t bench_hash_contacts(uint64_t hash, const abut_contact_view *contacts)
{
    for (int i = 0; i < contacts->count; ++i) {
        const abut_contact *c = &contacts->items[i];
        const double values[6] = {c->position.x, c->position.y, c->position.z,
                                  c->normal.x,   c->normal.y,   c->normal.z};
        hash = bench_hash(hash, c->id);
        for (int k = 0; k < 6; ++k) {
            uint64_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            hash = bench_hash(hash, bits);
        }
    }
    return hash;
}

#endif
