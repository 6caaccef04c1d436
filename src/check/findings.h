// SPDX-License-Identifier: MIT
// findings.h: collecting what is found
#ifndef ABUT_CHECK_FINDINGS_H
#define ABUT_CHECK_FINDINGS_H

#include <abut/check.h>

enum { ABUT_NAMED_NUMBERS = 3 }; ///< numbers of an element at most

struct abut_check {
    abut_context context;
    int element_limit;
    int *elements; ///< room for the elements of every kind
    abut_finding all[ABUT_FINDING_KINDS];
    abut_finding found[ABUT_FINDING_KINDS]; ///< those with a count
    int found_count;
    double tolerance;
    abut_box bounds;
};

/// Fills in the texts. Returns 0 if memory ran out; the check must be destroyed even then.
int abut_findings_init(abut_check *check, const abut_context *context, int element_limit);

/// Counts an element, and names it if it is among the first. `numbers` has abut_finding_element_size() entries.
void abut_findings_add(abut_check *check, abut_finding_kind kind, const int *numbers);

/// Adds an element that is named by one number.
static inline void abut_findings_add_one(abut_check *check, abut_finding_kind kind, int number)
{
    abut_findings_add(check, kind, &number);
}

static inline void abut_findings_add_two(abut_check *check, abut_finding_kind kind, int first, int second)
{
    const int numbers[2] = {first, second};
    abut_findings_add(check, kind, numbers);
}

/// It turned out that a repair removes all of this kind.
void abut_findings_set_repaired(abut_check *check, abut_finding_kind kind);

/// The search for this kind was ended early.
void abut_findings_end_early(abut_check *check, abut_finding_kind kind);

#endif
