// SPDX-License-Identifier: MIT
// case_store.h: an abut_case with the memory that it owns
#ifndef ABUT_LAB_CASE_STORE_H
#define ABUT_LAB_CASE_STORE_H

#include <abut-lab/case.h>

enum { ABUT_CASE_MAX_TRUTH = 4 };

typedef struct abut_case_store {
    abut_case item; ///< first, so that its address is that of the store
    abut_context context;
    abut_truth truth[2][ABUT_CASE_MAX_TRUTH];
} abut_case_store;

/// Fills the mixed case with this number in abut_mixed_case_names().
abut_status abut_mixed_case_fill(abut_case_store *store, int index, double scene_size, abut_error *error);

#endif
