// SPDX-License-Identifier: MIT
// feature_hash.h: how features enter the ids of contacts and regions
#ifndef ABUT_METHOD_FEATURE_HASH_H
#define ABUT_METHOD_FEATURE_HASH_H

#include "base/hash.h"

#include <abut/contact.h>

/// Mixes a feature into a hash, by its kind and index.
static inline uint64_t abut_hash_feature(uint64_t hash, abut_feature feature)
{
    return abut_hash_mix(hash, (uint64_t)feature.kind << 32 | (uint32_t)feature.index);
}

/// Mixes the features of both sides into a new hash.
static inline uint64_t abut_hash_features(abut_feature a, abut_feature b)
{
    return abut_hash_feature(abut_hash_feature(ABUT_HASH_START, a), b);
}

#endif
