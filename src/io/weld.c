// SPDX-License-Identifier: MIT
// weld.c: merging corners at the same position into one vertex
#include "io/weld.h"

#include "base/memory.h"

#include <string.h>

enum { LEAST_SLOTS = 64 };

// Every bit of the input affects every bit of the result.
static uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93u;
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93u;
    return value ^ (value >> 32);
}

static uint64_t bits_of(double value)
{
    double unsigned_zero = value + 0.0; // -0 + 0 is 0
    uint64_t bits;
    memcpy(&bits, &unsigned_zero, sizeof bits);
    return bits;
}

// Compares bits, so that NaN, which lenient reading accepts, equals itself and does not fill the table.
static int are_same(abut_vec3 a, abut_vec3 b)
{
    return bits_of(a.x) == bits_of(b.x) && bits_of(a.y) == bits_of(b.y) && bits_of(a.z) == bits_of(b.z);
}

// Multiplies the coordinates by factors that depend on the file (so collisions cannot be planned), then mixes.
static uint64_t hash_of(const abut_weld *weld, abut_vec3 place)
{
    return mix(bits_of(place.x) * weld->factors[0] + mix(bits_of(place.y) * weld->factors[1]) +
               bits_of(place.z) * weld->factors[2]);
}

// Uses four independent lanes, which the processor can compute in parallel.
static uint64_t hash_bytes(const unsigned char *data, size_t size)
{
    uint64_t lanes[4] = {size, 1, 2, 3};
    for (; size >= sizeof lanes; size -= sizeof lanes, data += sizeof lanes) {
        uint64_t words[4];
        memcpy(words, data, sizeof words);
        for (int k = 0; k < 4; ++k) {
            lanes[k] = (lanes[k] ^ words[k]) * 0x9e3779b97f4a7c15u;
            lanes[k] ^= lanes[k] >> 29;
        }
    }
    uint64_t hash = mix(lanes[0] + mix(lanes[1] + mix(lanes[2] + mix(lanes[3]))));
    for (; size > 0; --size, ++data) {
        hash = (hash ^ *data) * 0x9e3779b97f4a7c15u;
    }
    return mix(hash);
}

abut_status abut_weld_init(abut_weld *weld, abut_parts *parts, const void *data, size_t size,
                           size_t expected_vertices)
{
    weld->parts = parts;
    weld->first_vertex = parts->vertex_count;
    uint64_t seed = hash_bytes(data, size);
    for (int k = 0; k < 3; ++k) {
        seed = mix(seed + 0x9e3779b97f4a7c15u);
        weld->factors[k] = seed | 1;
    }
    weld->slot_count = LEAST_SLOTS;
    while (weld->slot_count / 2 < expected_vertices) {
        weld->slot_count *= 2;
    }
    weld->slots = abut_allocate_zeroed(&parts->context, weld->slot_count, sizeof *weld->slots);
    return weld->slots != NULL ? ABUT_OK : ABUT_NO_MEMORY;
}

void abut_weld_release(abut_weld *weld)
{
    abut_free(&weld->parts->context, weld->slots);
}

abut_status abut_weld_restart(abut_weld *weld)
{
    abut_weld_release(weld);
    weld->first_vertex = weld->parts->vertex_count;
    weld->slot_count = LEAST_SLOTS;
    weld->slots = abut_allocate_zeroed(&weld->parts->context, weld->slot_count, sizeof *weld->slots);
    return weld->slots != NULL ? ABUT_OK : ABUT_NO_MEMORY;
}

static abut_status double_slots(abut_weld *weld)
{
    abut_weld larger = *weld;
    larger.slot_count *= 2;
    larger.slots = abut_allocate_zeroed(&weld->parts->context, larger.slot_count, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = weld->first_vertex; i < weld->parts->vertex_count; ++i) {
        size_t slot = (size_t)hash_of(&larger, weld->parts->vertices[i]) & (larger.slot_count - 1);
        while (larger.slots[slot] != 0) {
            slot = (slot + 1) & (larger.slot_count - 1);
        }
        larger.slots[slot] = i + 1;
    }
    abut_weld_release(weld);
    *weld = larger;
    return ABUT_OK;
}

static abut_status find_one(abut_weld *weld, abut_vec3 place, uint64_t hash, int *vertex)
{
    abut_parts *parts = weld->parts;
    size_t slot = (size_t)hash & (weld->slot_count - 1);
    while (weld->slots[slot] != 0) {
        *vertex = weld->slots[slot] - 1;
        if (are_same(parts->vertices[*vertex], place)) {
            return ABUT_OK;
        }
        slot = (slot + 1) & (weld->slot_count - 1);
    }
    *vertex = parts->vertex_count;
    abut_status status = abut_parts_add_vertex(parts, place);
    if (status != ABUT_OK) {
        return status;
    }
    weld->slots[slot] = parts->vertex_count;
    if ((size_t)(parts->vertex_count - weld->first_vertex) > weld->slot_count / 3 * 2) {
        status = double_slots(weld);
    }
    return status;
}

static void prefetch(const void *at)
{
#if defined(__GNUC__)
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

abut_status abut_weld_find(abut_weld *weld, const abut_vec3 *places, int count, int *vertices)
{
    uint64_t hashes[ABUT_WELD_BATCH];
    for (int i = 0; i < count; ++i) {
        hashes[i] = hash_of(weld, places[i]);
        prefetch(&weld->slots[(size_t)hashes[i] & (weld->slot_count - 1)]);
    }
    for (int i = 0; i < count; ++i) {
        int slot = weld->slots[(size_t)hashes[i] & (weld->slot_count - 1)];
        if (slot > 0) {
            prefetch(&weld->parts->vertices[slot - 1]);
        }
    }
    for (int i = 0; i < count; ++i) {
        abut_status status = find_one(weld, places[i], hashes[i], &vertices[i]);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}
