// SPDX-License-Identifier: MIT
// study_mpi.h: a study on many machines
#ifndef ABUT_CLI_STUDY_MPI_H
#define ABUT_CLI_STUDY_MPI_H

#include "shared/command.h"

#include <abut-lab/study.h>

/// The ranks that mpirun started.
typedef struct abut_cli_ranks abut_cli_ranks;

/// Initialises MPI; each rank does `jobs` runs at a time. On rank 0, `crew` distributes runs to all ranks. The
/// other ranks do their runs inside this call and return with `ranks` NULL when the work is done.
abut_cli_exit abut_cli_ranks_begin(const abut_study *study, int jobs, double seconds, abut_cli_ranks **ranks,
                                   abut_study_crew *crew);
/// Lets all ranks finish. Does nothing if `ranks` is NULL.
void abut_cli_ranks_end(abut_cli_ranks *ranks);

#endif
