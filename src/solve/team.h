// SPDX-License-Identifier: MIT
// team.h: threads that stay together while one of them solves a large part
//
// One thread leads and calls for the others many times. At each call a member does its own share of the work, the same
// one every time, so that its data stays in its cache. Members are threads that run at this moment: a parallel loop that
// runs its ranges one after the other, or on fewer threads, makes a smaller team, at the least the leader alone. On a
// busy machine, whose other programs take processors from members, the leader works alone for a while if it waited longer
// than that would have taken.
#ifndef ABUT_SOLVE_TEAM_H
#define ABUT_SOLVE_TEAM_H

#include <abut/base.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct abut_team abut_team;

/// What a member does at a call. The leader is member 0.
typedef void abut_team_task(void *data, int member, int member_count);

/// Runs `lead` on one thread of the context, while the others are ready to join it.
void abut_team_lead(const abut_context *context, void (*lead)(abut_team *team, void *data), void *data);

/// For the leader: runs `task` once on every member, and returns when all are done. Without a team (NULL): on this
/// thread.
void abut_team_call(abut_team *team, abut_team_task *task, void *data);

/// The first of the items, 0 to count - 1, that are the share of a member. It ends where the next share begins.
static inline int abut_team_share(int count, int member, int member_count)
{
    return (int)((int64_t)count * member / member_count);
}

/// For a member: waits until a counter that another member increases has a value.
void abut_team_wait(abut_team *team, int member, const atomic_int *counter, int value);

#endif
