// SPDX-License-Identifier: MIT
// team.h: threads that help one of them, from one piece of work to the next
//
// One thread leads and gives out work many times; the others take pieces of it as they come. Nobody waits for a thread
// that took nothing: if the others do not run, since the machine is busy, the leader does everything itself. A parallel
// loop for each piece of work would wait for all threads at the end of each.
#ifndef ABUT_SOLVE_TEAM_H
#define ABUT_SOLVE_TEAM_H

#include <abut/base.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct abut_team abut_team;

/// Runs `lead` on one thread of the context, while the others help it.
void abut_team_lead(const abut_context *context, void (*lead)(abut_team *team, void *data), void *data);

/// For the leader: runs `task` over the items 0 to count - 1 in ranges of `grain`, and returns when all are done. The
/// task's worker is always 0. Without a team (NULL): on this thread.
void abut_team_run(abut_team *team, int count, int grain, abut_range_task *task, void *data);

/// The most threads that may run at once.
int abut_team_size(const abut_team *team);

/// Waits until a counter that other threads increase has a value. They must be at work.
void abut_team_wait(const atomic_int *counter, int value);

#endif
