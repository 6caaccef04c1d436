// SPDX-License-Identifier: MIT
// findings.h: collecting findings
#ifndef ABUT_CHECK_FINDINGS_H
#define ABUT_CHECK_FINDINGS_H

#include <abut/check.h>

enum { ABUT_NAMED_NUMBERS = 3 }; ///< an element has at most this many numbers

struct abut_check {
    abut_context context;
    int element_limit;
    int *elements; ///< the elements of all kinds
    abut_finding all[ABUT_FINDING_KINDS];
    abut_finding found[ABUT_FINDING_KINDS]; ///< those of `all` that are reported
    int found_count;
    double tolerance;
    abut_box bounds;
};

/// Initialises all findings. Returns 0 if out of memory; the check must be destroyed even then.
int abut_findings_init(abut_check *check, const abut_context *context, int element_limit);

/// Counts an element, and stores its numbers if it is among the first `element_limit`. `numbers` has
/// abut_finding_element_size() entries.
void abut_findings_add(abut_check *check, abut_finding_kind kind, const int *numbers);

/// Adds an element that has one number.
static inline void abut_findings_add_one(abut_check *check, abut_finding_kind kind, int number)
{
    abut_findings_add(check, kind, &number);
}

static inline void abut_findings_add_two(abut_check *check, abut_finding_kind kind, int first, int second)
{
    const int numbers[2] = {first, second};
    abut_findings_add(check, kind, numbers);
}

/// Notes that a repair removes all findings of this kind.
void abut_findings_set_repaired(abut_check *check, abut_finding_kind kind);

/// Notes that the search for this kind ended early, so the count is incomplete.
void abut_findings_end_early(abut_check *check, abut_finding_kind kind);

#endif
