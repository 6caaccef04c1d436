// SPDX-License-Identifier: MIT
// study_pool.c: runs of a study in child processes, several at a time
//
// A run that crashes or hangs ends only its own process. The parent forks from a single thread, so a child never waits
// for a lock of another thread.
#define _XOPEN_SOURCE 700
#include "common/lab_support.h"
#include "process/child_task.h"
#include "study/study_text.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    SLICE = 50 ///< longest wait in milliseconds, so that the caller notices an interruption soon
};
static const size_t LINE_LIMIT = (size_t)1 << 30; ///< bytes that a run may send
static const double GRACE = 1.0;                  ///< seconds for a child to remove its temporary files

typedef struct job {
    int run; ///< -1: none
    pid_t child;
    int output;
    double deadline;
    char *bytes;
    size_t size, capacity;
} job;

struct abut_study_pool {
    const abut_study *study;
    double seconds;
    job *jobs;
    struct pollfd *polled; ///< one for each job
    int size;
    char *line; ///< the line that was returned last
};

// ---------------------------------------------------------------------------------------------------------------
// The child

typedef struct order {
    const abut_study *study;
    int run;
} order;

/// Releases nothing, because the process ends.
static void work(void *user, int output)
{
    const order *o = user;
    abut_context context = abut_lab_serial_context();
    static abut_study_result result;
    abut_error error = {0};
    abut_status status = o->study->kind->run(o->study, o->run, &context, &result, &error);
    result.outcome = ABUT_STUDY_DONE;
    if (status != ABUT_OK) {
        abut_study_fail_result(&result, error.text[0] != '\0' ? error.text : abut_status_text(status));
    }
    char *text = NULL;
    if (abut_study_print_as(o->study, o->run, &result, &text, NULL) == ABUT_OK) {
        abut_child_write(output, text, strlen(text));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The parent

static abut_child_task task_of(const abut_study_pool *pool, order *o)
{
    return (abut_child_task){"the run", pool->seconds, work, NULL, o};
}

abut_status abut_study_pool_create(const abut_study *study, int size, double seconds, abut_study_pool **pool,
                                   abut_error *error)
{
    *pool = NULL;
    if (size < 1 || size > ABUT_STUDY_MAX_RUNS || !(seconds > 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a pool needs at least one child and a positive time limit");
    }
    if (study->data == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a study that was read from a file cannot be run");
    }
    abut_study_pool *made = abut_allocate_zeroed(abut_lab_object_context(study), 1, sizeof *made);
    if (made != NULL) {
        made->study = study;
        made->seconds = seconds;
        made->size = size;
        made->jobs = abut_allocate_zeroed(abut_lab_object_context(study), (size_t)size, sizeof *made->jobs);
        made->polled = abut_allocate_zeroed(abut_lab_object_context(study), (size_t)size, sizeof *made->polled);
    }
    if (made == NULL || made->jobs == NULL || made->polled == NULL) {
        abut_study_pool_destroy(made);
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a pool of %d children", size);
    }
    for (int i = 0; i < size; ++i) {
        made->jobs[i].run = -1;
    }
    *pool = made;
    return ABUT_OK;
}

/// Ends the child of a job, with some time to remove its temporary files, and frees the job.
static void stop(abut_study_pool *pool, job *j)
{
    (void)kill(j->child, SIGTERM);
    double until = abut_child_clock() + GRACE;
    struct pollfd output = {j->output, POLLIN, 0};
    char bytes[4096];
    int left;
    while ((left = (int)(1e3 * (until - abut_child_clock()))) > 0 && poll(&output, 1, left) > 0 &&
           read(j->output, bytes, sizeof bytes) > 0) {
    }
    (void)abut_child_reap(j->child, ABUT_CHILD_INTERRUPTED, until);
    (void)close(j->output);
    abut_free(abut_lab_object_context(pool->study), j->bytes);
    *j = (job){.run = -1};
}

void abut_study_pool_destroy(abut_study_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    for (int i = 0; pool->jobs != NULL && i < pool->size; ++i) {
        if (pool->jobs[i].child > 0) {
            stop(pool, &pool->jobs[i]);
        }
    }
    const abut_context context = *abut_lab_object_context(pool->study);
    abut_free(&context, pool->line);
    abut_free(&context, pool->jobs);
    abut_free(&context, pool->polled);
    abut_free(&context, pool);
}

static abut_status start(void *user, int run, abut_error *error)
{
    abut_study_pool *pool = user;
    job *free_job = NULL;
    for (int i = 0; i < pool->size && free_job == NULL; ++i) {
        free_job = pool->jobs[i].run < 0 ? &pool->jobs[i] : NULL;
    }
    if (free_job == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "all %d children are busy", pool->size);
    }
    order o = {pool->study, run};
    abut_child_task task = task_of(pool, &o);
    sigset_t signals;
    job made = {.run = run, .deadline = abut_child_clock() + pool->seconds};
    abut_child_hold_signals(&signals);
    abut_status status = abut_child_start(&task, &made.child, &made.output, error);
    abut_child_release_signals(&signals);
    if (status == ABUT_OK) {
        *free_job = made;
    }
    return status;
}

/// Reads what is available. Returns 1 at the end of the output, 0 if there may be more, -1 if it is too long.
static int read_some(const abut_study_pool *pool, job *j)
{
    char bytes[65536];
    ssize_t size = read(j->output, bytes, sizeof bytes);
    if (size < 0 && errno == EINTR) {
        return 0;
    }
    if (size <= 0) {
        return 1;
    }
    if (j->size + (size_t)size > j->capacity) {
        const abut_context *context = abut_lab_object_context(pool->study);
        size_t capacity = 2 * (j->size + (size_t)size);
        char *grown = capacity <= LINE_LIMIT ? context->resize(context->user, j->bytes, capacity) : NULL;
        if (grown == NULL) {
            return -1;
        }
        j->bytes = grown;
        j->capacity = capacity;
    }
    memcpy(j->bytes + j->size, bytes, (size_t)size);
    j->size += (size_t)size;
    return 0;
}

/// Makes the line of a run that failed.
static abut_status fail_run(abut_study_pool *pool, const job *j, const char *reason, abut_study_line *line,
                            abut_error *error)
{
    abut_study_result result;
    memset(&result, 0, sizeof result);
    abut_study_fail_result(&result, reason);
    abut_status status = abut_study_print_as(pool->study, j->run, &result, &pool->line, error);
    *line = (abut_study_line){j->run, pool->line, pool->line != NULL ? strlen(pool->line) : 0};
    return status;
}

static int is_interruption(int number)
{
    return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
}

/// Ends a run: makes its line and frees its job.
static abut_status finish(abut_study_pool *pool, job *j, abut_child_end end, abut_study_line *line,
                          abut_error *error)
{
    job ended = *j;
    abut_error why = {0};
    order o = {pool->study, j->run};
    abut_child_task task = task_of(pool, &o);
    abut_child_report report = {end, 0};
    if (end == ABUT_CHILD_EXITED) {
        report = abut_child_reap(j->child, end, j->deadline);
        (void)close(j->output);
        *j = (job){.run = -1};
    } else {
        ended.bytes = NULL;
        stop(pool, j);
    }
    abut_status status = ABUT_OK;
    if (report.end == ABUT_CHILD_INTERRUPTED ||
        (report.end == ABUT_CHILD_SIGNALED && is_interruption(report.code))) {
        status = abut_fail(error, ABUT_LIMIT, "interrupted"); // the run has not failed
    } else if (abut_child_explain(&task, report, &why) != ABUT_OK) {
        status = fail_run(pool, &ended, why.text, line, error);
    } else if (ended.size == 0) {
        status = fail_run(pool, &ended, "the run gave no result", line, error);
    } else {
        pool->line = ended.bytes;
        ended.bytes = NULL;
        *line = (abut_study_line){ended.run, pool->line, ended.size};
    }
    abut_free(abut_lab_object_context(pool->study), ended.bytes);
    return status;
}

static abut_status wait_for_one(void *user, abut_study_line *line, abut_error *error)
{
    abut_study_pool *pool = user;
    *line = (abut_study_line){-1, NULL, 0};
    abut_free(abut_lab_object_context(pool->study), pool->line);
    pool->line = NULL;
    for (int i = 0; i < pool->size; ++i) {
        int is_busy = pool->jobs[i].run >= 0;
        pool->polled[i] = (struct pollfd){is_busy ? pool->jobs[i].output : -1, POLLIN, 0};
    }
    if (poll(pool->polled, (nfds_t)pool->size, SLICE) < 0 && errno != EINTR) {
        return abut_fail(error, ABUT_IO, "cannot wait for a child process: %s", abut_errno_text(errno));
    }
    for (int i = 0; i < pool->size; ++i) {
        job *j = &pool->jobs[i];
        if (j->run < 0) {
            continue;
        }
        int end = pool->polled[i].revents != 0 ? read_some(pool, j) : 0;
        if (end != 0) {
            return finish(pool, j, end > 0 ? ABUT_CHILD_EXITED : ABUT_CHILD_REFUSED, line, error);
        }
        if (abut_child_clock() >= j->deadline) {
            return finish(pool, j, ABUT_CHILD_TIMEOUT, line, error);
        }
    }
    return ABUT_OK;
}

abut_study_crew abut_study_pool_crew(abut_study_pool *pool)
{
    return (abut_study_crew){pool->size, start, wait_for_one, pool};
}
