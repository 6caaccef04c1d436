// SPDX-License-Identifier: MIT
// study_groups.h: groups the runs of a study that differ only in the sample; statistics over them
#ifndef ABUT_CLI_STUDY_GROUPS_H
#define ABUT_CLI_STUDY_GROUPS_H

#include <abut-lab/study.h>

typedef struct abut_cli_study_group {
    int *runs; ///< in the order of the plan
    int run_count;
    int failed; ///< the number of runs that failed
} abut_cli_study_group;

typedef struct abut_cli_study_groups {
    const abut_study *study;
    abut_cli_study_group *items; ///< in the order of their first runs
    int count;
} abut_cli_study_groups;

/// Release with abut_cli_study_groups_release().
void abut_cli_study_groups_find(const abut_study *study, abut_cli_study_groups *groups);
void abut_cli_study_groups_release(abut_cli_study_groups *groups);

/// Statistics of a named value over the runs of a group. NaN without values; with only one, the deviation is NaN.
typedef struct abut_cli_statistics {
    int count;
    double mean, least, most, deviation;
} abut_cli_statistics;

abut_cli_statistics abut_cli_study_statistics(const abut_study *study, const abut_cli_study_group *group,
                                              const char *name);

/// How often each word occurs for a named value in a group: "stands 18, collapsed 2". Release with free().
char *abut_cli_study_words(const abut_study *study, const abut_cli_study_group *group, const char *name);

/// How a named series varies over the runs of a group.
enum { ABUT_CLI_SPREAD_POSITIONS = 101, ABUT_CLI_SPREAD_LINES = 5 };
extern const char *const abut_cli_spread_names[ABUT_CLI_SPREAD_LINES]; ///< "least", ..., "most"

typedef struct abut_cli_spread {
    double lines[ABUT_CLI_SPREAD_LINES][ABUT_CLI_SPREAD_POSITIONS]; ///< at 0, 0.01, ..., 1 of the length
} abut_cli_spread;

/// Returns 0 if fewer than two runs have values in this series.
int abut_cli_study_spread(const abut_study *study, const abut_cli_study_group *group, const char *name,
                          abut_cli_spread *spread);

/// A named series of a run, or NULL.
const abut_study_series *abut_cli_study_series(const abut_study *study, int run, const char *name);

#endif
