// SPDX-License-Identifier: MIT
// team.c: threads that stay together while one of them solves a large part
//
// A thread that comes takes the next number, and keeps it. A call is one number: how many calls there were, and how many
// members have to answer. Threads that come later have higher numbers, and do not answer. So nobody waits for a thread
// that is not there.
#include "solve/team.h"

#include "base/context.h"

#include <sched.h>
#include <stdint.h>
#include <time.h>

// Looks at a counter before the leader looks at the clock, and before a thread offers its processor to others: a
// microsecond, and some tens of them.
enum { CLOCK_SPINS = 64, SPIN_LIMIT = 4000 };

// Nanoseconds: of calls that are judged together, since a short one says little; and for which the leader goes on alone
// at most, before it calls the others again.
static const int64_t judged_time = 4000000, alone_limit = 128000000;

enum { CALL_SHIFT = 32 };

struct abut_team {
    void (*lead)(abut_team *team, void *data);
    void *lead_data;
    atomic_int present; ///< threads that have come
    atomic_int is_over;
    _Atomic uint64_t call; ///< the number of the call, and in the low half the members that answer
    abut_team_task
        *task; ///< of the call; written before `call` changes, when all members have answered the last one
    void *data;
    atomic_int done; ///< members that have answered
    // the leader's
    int64_t time;        ///< nanoseconds of the calls since the last judgement
    int64_t waited;      ///< in these, without the first microsecond of each time
    int64_t alone_until; ///< when it calls the others again
    int64_t alone_time;  ///< how long it was alone, the last time
};

static int64_t now(void)
{
    struct timespec time;
    (void)timespec_get(&time, TIME_UTC);
    return 1000000000 * (int64_t)time.tv_sec + time.tv_nsec;
}

static inline void relax(int looks)
{
    if (looks >= SPIN_LIMIT) {
        (void)sched_yield();
    } else {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
}

void abut_team_wait(abut_team *team, int member, const atomic_int *counter, int value)
{
    int64_t begin = 0;
    for (int i = 0; atomic_load_explicit(counter, memory_order_acquire) < value; i += i < SPIN_LIMIT) {
        if (i == CLOCK_SPINS && member == 0 && begin == 0) {
            begin = now();
        }
        relax(i);
    }
    if (begin != 0) {
        team->waited += now() - begin;
    }
}

// Alone, the leader would have done the shares of all members, which are like its own. If it waited longer than that, it
// goes on alone, each time twice as long.
static void judge(abut_team *team, int members, int64_t end)
{
    if (team->time < judged_time) {
        return;
    }
    if (team->waited > (members - 1) * (team->time - team->waited)) {
        team->alone_time = 2 * team->alone_time > judged_time ? 2 * team->alone_time : judged_time;
        team->alone_time = team->alone_time < alone_limit ? team->alone_time : alone_limit;
        team->alone_until = end + team->alone_time;
    } else {
        team->alone_time /= 2;
    }
    team->time = team->waited = 0;
}

void abut_team_call(abut_team *team, abut_team_task *task, void *data)
{
    int members = team != NULL ? atomic_load_explicit(&team->present, memory_order_acquire) : 1;
    int64_t begin = members > 1 ? now() : 0;
    if (members == 1 || begin < team->alone_until) {
        task(data, 0, 1);
        return;
    }
    uint64_t number = (atomic_load_explicit(&team->call, memory_order_relaxed) >> CALL_SHIFT) + 1;
    team->task = task;
    team->data = data;
    atomic_store_explicit(&team->done, 0, memory_order_relaxed);
    atomic_store_explicit(&team->call, number << CALL_SHIFT | (uint64_t)members, memory_order_release);
    task(data, 0, members);
    abut_team_wait(team, 0, &team->done, members - 1);
    int64_t end = now();
    team->time += end - begin;
    judge(team, members, end);
}

static void answer_calls(abut_team *team, int member)
{
    uint64_t last = 0;
    for (int looks = 0; !atomic_load_explicit(&team->is_over, memory_order_acquire);) {
        uint64_t call = atomic_load_explicit(&team->call, memory_order_acquire);
        int members = (int)(call & UINT32_MAX);
        if (call != last && member < members) {
            team->task(team->data, member, members);
            (void)atomic_fetch_add_explicit(&team->done, 1, memory_order_release);
            last = call;
            looks = 0;
        } else {
            relax(looks);
            looks += looks < SPIN_LIMIT;
        }
    }
}

static void join(void *data, int begin, int end, int worker)
{
    abut_team *team = data;
    (void)begin, (void)end, (void)worker;
    if (atomic_load_explicit(&team->is_over, memory_order_acquire)) {
        return;
    }
    int member = atomic_fetch_add_explicit(&team->present, 1, memory_order_acq_rel);
    if (member == 0) {
        team->lead(team, team->lead_data);
        atomic_store_explicit(&team->is_over, 1, memory_order_release);
    } else {
        answer_calls(team, member);
    }
}

void abut_team_lead(const abut_context *context, void (*lead)(abut_team *team, void *data), void *data)
{
    abut_team team = {.lead = lead, .lead_data = data};
    abut_parallel_for(context, context->worker_count, 1, join, &team);
}
