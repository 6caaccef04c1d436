// SPDX-License-Identifier: MIT
// study_mpi.h: a study on many machines
#ifndef ABUT_CLI_STUDY_MPI_H
#define ABUT_CLI_STUDY_MPI_H

#include "shared/command.h"

#include <abut-lab/study.h>

/// The ranks that mpirun started.
typedef struct abut_cli_ranks abut_cli_ranks;

/// Begins MPI; each rank does `jobs` runs at a time. On rank 0, `crew` gets all ranks. All others stay in here, do
/// the runs that they are given, and get NULL for `ranks` when the work is over.
abut_cli_exit abut_cli_ranks_begin(const abut_study *study, int jobs, double seconds, abut_cli_ranks **ranks,
                                   abut_study_crew *crew);
/// Sends all ranks home; NULL: nothing.
void abut_cli_ranks_end(abut_cli_ranks *ranks);

#endif
