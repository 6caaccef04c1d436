// SPDX-License-Identifier: MIT
// child.c: waiting for a child process that may hang, crash or never stop talking
#define _XOPEN_SOURCE 700
#include "process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

int abut_child_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return 0;
    }
    for (int i = 0; i < 2; ++i) {
        int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        (void)close(ends[i]);
        ends[i] = moved;
    }
    if (ends[0] < 0 || ends[1] < 0) {
        int reason = errno;
        abut_child_close(ends);
        errno = reason;
        return 0;
    }
    return 1;
}

void abut_child_close(const int ends[2])
{
    for (int i = 0; i < 2; ++i) {
        if (ends[i] >= 0) {
            (void)close(ends[i]);
        }
    }
}

double abut_child_clock(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// Milliseconds until `deadline`, at most `limit`; never negative.
static int milliseconds_left(double deadline, int limit)
{
    double left = 1e3 * (deadline - abut_child_clock());
    return left <= 0.0 ? 0 : left < limit ? (int)left + 1 : limit;
}

// Signals that ask the process to end.
static const int INTERRUPTIONS[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { INTERRUPTION_COUNT = sizeof INTERRUPTIONS / sizeof INTERRUPTIONS[0] };

void abut_child_hold_signals(sigset_t *before)
{
    sigset_t held;
    (void)sigemptyset(&held);
    for (int i = 0; i < INTERRUPTION_COUNT; ++i) {
        struct sigaction action;
        // A blocked signal becomes pending even if it is ignored.
        if (sigaction(INTERRUPTIONS[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            (void)sigaddset(&held, INTERRUPTIONS[i]);
        }
    }
    (void)pthread_sigmask(SIG_BLOCK, &held, before);
}

void abut_child_release_signals(const sigset_t *before)
{
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
}

static int is_interrupted(void)
{
    sigset_t waiting;
    int found = 0;
    if (sigpending(&waiting) == 0) {
        for (int i = 0; i < INTERRUPTION_COUNT; ++i) {
            found |= sigismember(&waiting, INTERRUPTIONS[i]) == 1;
        }
    }
    return found;
}

/// Why to stop waiting, or ABUT_CHILD_EXITED: go on.
static abut_child_end reason_to_stop(double deadline)
{
    return is_interrupted()                 ? ABUT_CHILD_INTERRUPTED
           : abut_child_clock() >= deadline ? ABUT_CHILD_TIMEOUT
                                            : ABUT_CHILD_EXITED;
}

/// Reads until the end of the output. ABUT_CHILD_EXITED: the end was reached.
static abut_child_end read_output(int output, double deadline, abut_child_take *take, void *user)
{
    enum { SLICE = 50 }; // milliseconds between looks at pending signals
    char bytes[65536];
    for (;;) {
        abut_child_end stop = reason_to_stop(deadline);
        if (stop != ABUT_CHILD_EXITED) {
            return stop;
        }
        struct pollfd waiting = {output, POLLIN, 0};
        if (poll(&waiting, 1, milliseconds_left(deadline, SLICE)) <= 0) {
            continue; // timeout or EINTR: look at the clock
        }
        ssize_t size = read(output, bytes, sizeof bytes);
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size <= 0) {
            return ABUT_CHILD_EXITED;
        }
        if (!take(user, bytes, (size_t)size)) {
            return ABUT_CHILD_REFUSED;
        }
    }
}

/// Waits for a child that has closed its output and should end soon. Leaves it unreaped, so that the kernel cannot
/// give its process id to another process yet.
static abut_child_end wait_for_end(pid_t child, double deadline)
{
    enum { SLICE = 2 }; // milliseconds between looks
    for (;;) {
        siginfo_t info = {0};
        int result = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
        if (info.si_pid == child || (result < 0 && errno != EINTR)) {
            return ABUT_CHILD_EXITED;
        }
        abut_child_end stop = reason_to_stop(deadline);
        if (stop != ABUT_CHILD_EXITED) {
            return stop;
        }
        (void)poll(NULL, 0, SLICE);
    }
}

abut_child_report abut_child_wait(pid_t child, int output, double seconds, abut_child_take *take, void *user)
{
    double deadline = abut_child_clock() + seconds;
    (void)setpgid(child, child); // the child does this too, but may not have run yet
    abut_child_end end = read_output(output, deadline, take, user);
    (void)close(output);
    return abut_child_reap(child, end, deadline);
}

abut_child_report abut_child_reap(pid_t child, abut_child_end end, double deadline)
{
    if (end == ABUT_CHILD_EXITED) {
        end = wait_for_end(child, deadline);
    }
    // The child may have started other processes of its group.
    (void)kill(-child, SIGKILL);
    // If the host ignores SIGCHLD, the exit status is lost and only the output tells how the child ended.
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (end != ABUT_CHILD_EXITED) {
        return (abut_child_report){end, 0};
    }
    // On a busy machine the limit of processor time, which is a second longer, may be met before we look at the clock.
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        return (abut_child_report){ABUT_CHILD_TIMEOUT, 0};
    }
    if (WIFSIGNALED(status)) {
        return (abut_child_report){ABUT_CHILD_SIGNALED, WTERMSIG(status)};
    }
    return (abut_child_report){ABUT_CHILD_EXITED, WEXITSTATUS(status)};
}

void abut_child_limit(int resource, double amount)
{
    rlim_t soft = (rlim_t)fmin(amount, 0x1p60);
    struct rlimit value;
    if (getrlimit(resource, &value) == 0) {
        // One more in the hard limit: the soft one gives a signal that says why (SIGXCPU), the hard one only SIGKILL.
        rlim_t hard = soft + 1;
        value.rlim_cur = value.rlim_max == RLIM_INFINITY || soft < value.rlim_max ? soft : value.rlim_max;
        value.rlim_max = value.rlim_max == RLIM_INFINITY || hard < value.rlim_max ? hard : value.rlim_max;
        (void)setrlimit(resource, &value);
    }
}

void abut_child_begin(pid_t parent, double seconds)
{
    (void)setpgid(0, 0);
#if defined(__linux__)
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(EXIT_FAILURE); // the parent died before the line above
    }
#else
    (void)parent;
#endif
    for (int i = 1; i < 32; ++i) {
        (void)signal(i, SIG_DFL); // fails for SIGKILL and SIGSTOP, which have no handlers
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0) {
        (void)dup2(nothing, STDIN_FILENO);
        if (nothing > STDIN_FILENO) {
            (void)close(nothing);
        }
    }
    abut_child_limit(RLIMIT_CORE, 0.0);
    abut_child_limit(RLIMIT_CPU, ceil(seconds) + 1.0);
}
