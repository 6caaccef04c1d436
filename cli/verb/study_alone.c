// SPDX-License-Identifier: MIT
// study_alone.c: replaces study_mpi.c in builds without MPI
#include "verb/study_mpi.h"

abut_cli_exit abut_cli_ranks_begin(const abut_study *study, int jobs, double seconds, abut_cli_ranks **ranks,
                                   abut_study_crew *crew)
{
    (void)study, (void)jobs, (void)seconds, (void)crew;
    *ranks = NULL;
    return abut_cli_fail(ABUT_CLI_UNFINISHED,
                         "this abut was built without MPI: start it without mpirun, or use --shard");
}

void abut_cli_ranks_end(abut_cli_ranks *ranks)
{
    (void)ranks;
}
