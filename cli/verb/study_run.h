// SPDX-License-Identifier: MIT
// study_run.h: shared by the study verbs: does the runs, keeps them, and prints the result
#ifndef ABUT_CLI_STUDY_RUN_H
#define ABUT_CLI_STUDY_RUN_H

#include "shared/output.h"

#include <abut-lab/study.h>

/// The options of all verbs that run a study.
#define ABUT_CLI_STUDY_OPTIONS                                                                                     \
    {"out", "RESULT.json", "write the result here; the same command continues an interrupted study", 0, 0},        \
        {"curves", "FILE.csv", "also write all series to this file", 0, 0},                                        \
        {"shard", "I/N", "do every N-th run from the I-th on, and write a part to --out: see abut study merge", 0, \
         0},                                                                                                       \
        {"jobs", "N", "parallel runs (default: one per OpenMP thread; with mpirun one per rank)", 0, 0},           \
        {"limit", "SECONDS", "time limit of a run, after which it has failed (default 3600)", 0, 0},               \
        {"retry", NULL, "repeat runs that failed before", 0, 0}, ABUT_CLI_FORMAT_OPTION

/// Whether mpirun or a similar program started this process, and it is not the first rank on this machine.
int abut_cli_is_later_rank(void);

/// Runs the study, on this machine or with mpirun on all ranks, and prints the result. Fails with
/// ABUT_CLI_UNFINISHED if it was interrupted or a run failed.
abut_cli_exit abut_cli_study_run(const abut_cli_arguments *arguments, abut_study *study);

/// Writes and prints a complete result, and reports failed runs.
abut_cli_exit abut_cli_study_deliver(const abut_cli_arguments *arguments, const abut_study *study);

/// Fails with ABUT_CLI_BAD_INPUT if an output file cannot be written. Call before the work.
abut_cli_exit abut_cli_study_check_files(const abut_cli_arguments *arguments);

#endif
