// SPDX-License-Identifier: MIT
// team.c: threads that help one of them, from one piece of work to the next
#include "solve/team.h"

#include "base/context.h"

#include <sched.h>

enum { SPIN_LIMIT = 2000 };

// The low half of a ticket is the next range of the work, the high half the number of the work. While the leader
// describes new work, the low half is CLOSED.
static const uint64_t closed = UINT32_MAX;
enum { TICKET_SHIFT = 32 };

struct abut_team {
    int size;
    void (*lead)(abut_team *team, void *data);
    void *lead_data;
    atomic_flag has_leader;
    atomic_int is_over;
    // the work; those who read it without a ticket do not use what they read
    _Atomic uint64_t ticket;
    atomic_int count, grain;
    _Atomic(abut_range_task *) task;
    _Atomic(void *) data;
    atomic_int done; ///< ranges
};

// Takes a range and works on it. Returns 0 if there was none.
static int help(abut_team *team)
{
    uint64_t ticket = atomic_load_explicit(&team->ticket, memory_order_acquire), range = ticket & UINT32_MAX;
    int count = atomic_load_explicit(&team->count, memory_order_relaxed);
    int grain = atomic_load_explicit(&team->grain, memory_order_relaxed);
    abut_range_task *task = atomic_load_explicit(&team->task, memory_order_relaxed);
    void *data = atomic_load_explicit(&team->data, memory_order_relaxed);
    if (range == closed || range * (uint64_t)grain >= (uint64_t)count) {
        return 0;
    }
    // if it succeeds, the work was still the one that was read
    if (atomic_compare_exchange_strong_explicit(&team->ticket, &ticket, ticket + 1, memory_order_acq_rel,
                                                memory_order_relaxed)) {
        int begin = (int)range * grain, end = count - begin < grain ? count : begin + grain;
        task(data, begin, end, 0);
        (void)atomic_fetch_add_explicit(&team->done, 1, memory_order_release);
    }
    return 1;
}

void abut_team_wait(const atomic_int *counter, int value)
{
    for (int i = 0; atomic_load_explicit(counter, memory_order_acquire) < value; ++i) {
        if (i >= SPIN_LIMIT) {
            (void)sched_yield();
        }
    }
}

void abut_team_run(abut_team *team, int count, int grain, abut_range_task *task, void *data)
{
    if (team == NULL) {
        task(data, 0, count, 0);
        return;
    }
    uint64_t last = atomic_load_explicit(&team->ticket, memory_order_relaxed) >> TICKET_SHIFT;
    atomic_store_explicit(&team->done, 0, memory_order_relaxed);
    atomic_store_explicit(&team->count, count, memory_order_relaxed);
    atomic_store_explicit(&team->grain, grain, memory_order_relaxed);
    atomic_store_explicit(&team->task, task, memory_order_relaxed);
    atomic_store_explicit(&team->data, data, memory_order_relaxed);
    atomic_store_explicit(&team->ticket, (last + 1) << TICKET_SHIFT, memory_order_release);
    while (help(team)) {
    }
    abut_team_wait(&team->done, count / grain + (count % grain != 0));
    // an exchange, so that what others read of this work comes before the next is written
    (void)atomic_exchange_explicit(&team->ticket, (last + 1) << TICKET_SHIFT | closed, memory_order_acq_rel);
}

int abut_team_size(const abut_team *team)
{
    return team != NULL ? team->size : 1;
}

static void join(void *data, int begin, int end, int worker)
{
    abut_team *team = data;
    (void)begin, (void)end, (void)worker;
    if (!atomic_flag_test_and_set_explicit(&team->has_leader, memory_order_acq_rel)) {
        team->lead(team, team->lead_data);
        atomic_store_explicit(&team->is_over, 1, memory_order_release);
    }
    for (int i = 0; !atomic_load_explicit(&team->is_over, memory_order_acquire); ++i) {
        if (help(team)) {
            i = 0;
        } else if (i >= SPIN_LIMIT) {
            (void)sched_yield();
        }
    }
}

void abut_team_lead(const abut_context *context, void (*lead)(abut_team *team, void *data), void *data)
{
    abut_team team = {.size = context->worker_count,
                      .lead = lead,
                      .lead_data = data,
                      .has_leader = ATOMIC_FLAG_INIT,
                      .ticket = closed,
                      .grain = 1};
    abut_parallel_for(context, context->worker_count, 1, join, &team);
}
