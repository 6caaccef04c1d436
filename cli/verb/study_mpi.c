// SPDX-License-Identifier: MIT
// study_mpi.c: runs a study on many machines: rank 0 distributes the runs, all ranks do them
//
// A process must not fork after MPI_Init: network hardware may write to pages that parent and child share. So each
// rank forks a helper before. The helper does the runs in child processes of its own (abut_study_pool): it receives
// their numbers through a socket and returns the lines of their results. The rank only passes numbers and lines on.
// A run that crashes is a failed run, as without MPI. If a whole rank is lost, mpirun ends all ranks, and the same
// command continues from what --out has kept.
#define _XOPEN_SOURCE 700
#include "verb/study_mpi.h"

#include <errno.h>
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TAG_RUN = 1,  ///< from rank 0: the number of a run, or -1: finish
    TAG_LINE = 2, ///< to rank 0: the line of a result
    PAUSE = 2     ///< milliseconds between two polls for messages
};

/// The header of a line in the socket.
typedef struct frame {
    int run; ///< -1: the helper failed, and the line says why
    unsigned length;
} frame;

/// The rank's side of its helper.
typedef struct helper {
    pid_t process;
    int socket;
} helper;

struct abut_cli_ranks {
    helper own;
    int count;  ///< ranks
    int *busy;  ///< runs in progress on each rank
    char *line; ///< the last one received
};

// ---------------------------------------------------------------------------------------------------------------
// The socket

/// Reads or writes all bytes. Returns 0 if the other end is closed.
static int write_all(int file, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size > 0) {
        ssize_t count = write(file, next, size);
        if (count < 0 && errno != EINTR) {
            return 0;
        }
        next += count > 0 ? count : 0;
        size -= count > 0 ? (size_t)count : 0;
    }
    return 1;
}

static int read_all(int file, void *bytes, size_t size)
{
    char *next = bytes;
    while (size > 0) {
        ssize_t count = read(file, next, size);
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return 0;
        }
        next += count > 0 ? count : 0;
        size -= count > 0 ? (size_t)count : 0;
    }
    return 1;
}

static int is_readable(int file, int milliseconds)
{
    struct pollfd waiting = {file, POLLIN, 0};
    return poll(&waiting, 1, milliseconds) > 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The helper

static int answer(int file, int run, const char *text, size_t length)
{
    frame head = {run, (unsigned)length};
    return write_all(file, &head, sizeof head) && write_all(file, text, length);
}

/// Does runs until the socket is closed.
static void help(const abut_study *study, int jobs, double seconds, int file)
{
    abut_study_pool *pool = NULL;
    abut_error error = {0};
    abut_status status = abut_study_pool_create(study, jobs, seconds, &pool, &error);
    int is_open = 1;
    while (is_open && status == ABUT_OK) {
        abut_study_crew crew = abut_study_pool_crew(pool);
        abut_study_line line;
        while (is_open && status == ABUT_OK && is_readable(file, 0)) {
            int run;
            is_open = read_all(file, &run, sizeof run);
            status = is_open ? crew.start(crew.user, run, &error) : status;
        }
        status = is_open && status == ABUT_OK ? crew.wait(crew.user, &line, &error) : status;
        if (is_open && status == ABUT_OK && line.run >= 0) {
            is_open = answer(file, line.run, line.text, line.length);
        }
    }
    abut_study_pool_destroy(pool);
    if (status != ABUT_OK) {
        (void)answer(file, -1, error.text, strlen(error.text));
    }
}

/// Starts the helper. Call before MPI_Init. Returns 0 on failure.
static int start_helper(const abut_study *study, int jobs, double seconds, helper *made)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        return 0;
    }
    made->process = fork();
    if (made->process == 0) {
        (void)close(ends[0]);
        // Ignore signals, which mpirun and the terminal send to all: the helper ends when the rank closes its socket.
        (void)signal(SIGINT, SIG_IGN);
        (void)signal(SIGTERM, SIG_IGN);
        help(study, jobs, seconds, ends[1]);
        _exit(0);
    }
    (void)close(ends[1]);
    made->socket = ends[0];
    if (made->process < 0) {
        (void)close(ends[0]);
    }
    return made->process > 0;
}

static void stop_helper(const helper *own)
{
    (void)close(own->socket);
    while (waitpid(own->process, NULL, 0) < 0 && errno == EINTR) {
    }
}

/// Receives the next line of the helper. Returns 0 if it failed; `line` then says why or is NULL.
static int take_answer(const helper *own, int *run, char **line, unsigned *length)
{
    frame head;
    *line = NULL;
    if (!read_all(own->socket, &head, sizeof head)) {
        return 0;
    }
    *line = abut_cli_resize(NULL, (size_t)head.length + 1, 1);
    (*line)[head.length] = '\0';
    *run = head.run;
    *length = head.length;
    return read_all(own->socket, *line, head.length) && head.run >= 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Ranks

/// Sends a line: the number of the run and the text, in one message.
static void send_line(int run, const char *text, unsigned length)
{
    size_t size = sizeof run + length;
    char *bytes = abut_cli_resize(NULL, size, 1);
    memcpy(bytes, &run, sizeof run);
    memcpy(bytes + sizeof run, text, length);
    (void)MPI_Send(bytes, (int)size, MPI_BYTE, 0, TAG_LINE, MPI_COMM_WORLD);
    free(bytes);
}

/// Aborts all ranks: without its helper this rank cannot work, and rank 0 would wait for ever.
static abut_cli_exit give_up(const char *reason)
{
    abut_cli_exit code =
        abut_cli_fail(ABUT_CLI_UNFINISHED, "%s", reason != NULL ? reason : "a helper process ended unexpectedly");
    (void)MPI_Abort(MPI_COMM_WORLD, (int)code);
    return code;
}

/// The loop of the ranks other than 0.
static abut_cli_exit serve(const helper *own)
{
    for (;;) {
        int is_there = 0, run;
        MPI_Status from;
        (void)MPI_Iprobe(0, TAG_RUN, MPI_COMM_WORLD, &is_there, &from);
        if (is_there) {
            (void)MPI_Recv(&run, 1, MPI_INT, 0, TAG_RUN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (run < 0) {
                send_line(-1, "", 0); // the last one
                return ABUT_CLI_DONE;
            }
            if (!write_all(own->socket, &run, sizeof run)) {
                return give_up(NULL);
            }
        } else if (is_readable(own->socket, PAUSE)) {
            char *line;
            unsigned length;
            if (!take_answer(own, &run, &line, &length)) {
                abut_cli_exit code = give_up(line);
                free(line);
                return code;
            }
            send_line(run, line, length);
            free(line);
        }
    }
}

/// The rank with the fewest runs in progress.
static int idlest(const abut_cli_ranks *ranks)
{
    int best = 0;
    for (int i = 1; i < ranks->count; ++i) {
        best = ranks->busy[i] < ranks->busy[best] ? i : best;
    }
    return best;
}

static abut_status fail(abut_error *error, const char *text)
{
    if (error != NULL) {
        *error = (abut_error){.status = ABUT_IO, .element = -1};
        (void)snprintf(error->text, sizeof error->text, "%s", text);
    }
    return ABUT_IO;
}

static abut_status start(void *user, int run, abut_error *error)
{
    abut_cli_ranks *ranks = user;
    int rank = idlest(ranks);
    ++ranks->busy[rank];
    if (rank > 0) {
        (void)MPI_Send(&run, 1, MPI_INT, rank, TAG_RUN, MPI_COMM_WORLD);
        return ABUT_OK;
    }
    return write_all(ranks->own.socket, &run, sizeof run) ? ABUT_OK
                                                          : fail(error, "a helper process ended unexpectedly");
}

static abut_status take_own(abut_cli_ranks *ranks, abut_study_line *line, abut_error *error)
{
    unsigned length = 0;
    if (!take_answer(&ranks->own, &line->run, &ranks->line, &length)) {
        return fail(error, ranks->line != NULL ? ranks->line : "a helper process ended unexpectedly");
    }
    line->text = ranks->line;
    line->length = length;
    --ranks->busy[0];
    return ABUT_OK;
}

static void take_message(abut_cli_ranks *ranks, MPI_Status *from, abut_study_line *line)
{
    int size = 0;
    (void)MPI_Get_count(from, MPI_BYTE, &size);
    ranks->line = abut_cli_resize(NULL, (size_t)size + 1, 1);
    (void)MPI_Recv(ranks->line, size, MPI_BYTE, from->MPI_SOURCE, TAG_LINE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(&line->run, ranks->line, sizeof line->run);
    line->text = ranks->line + sizeof line->run;
    line->length = (size_t)size - sizeof line->run;
    --ranks->busy[from->MPI_SOURCE];
}

static abut_status wait_for_one(void *user, abut_study_line *line, abut_error *error)
{
    abut_cli_ranks *ranks = user;
    *line = (abut_study_line){-1, NULL, 0};
    free(ranks->line);
    ranks->line = NULL;
    int is_there = 0;
    MPI_Status from;
    (void)MPI_Iprobe(MPI_ANY_SOURCE, TAG_LINE, MPI_COMM_WORLD, &is_there, &from);
    if (is_there) {
        take_message(ranks, &from, line);
        return ABUT_OK;
    }
    return is_readable(ranks->own.socket, PAUSE) ? take_own(ranks, line, error) : ABUT_OK;
}

abut_cli_exit abut_cli_ranks_begin(const abut_study *study, int jobs, double seconds, abut_cli_ranks **ranks,
                                   abut_study_crew *crew)
{
    helper own = {0};
    int rank = 0, count = 0;
    *ranks = NULL;
    if (!start_helper(study, jobs, seconds, &own)) {
        return abut_cli_fail(ABUT_CLI_UNFINISHED, "cannot start a helper process: %s", abut_errno_text(errno));
    }
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS) {
        stop_helper(&own);
        return abut_cli_fail(ABUT_CLI_UNFINISHED, "MPI could not be initialised");
    }
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (rank > 0) {
        abut_cli_exit code = serve(&own);
        stop_helper(&own);
        (void)MPI_Finalize();
        return code;
    }
    abut_cli_ranks *made = abut_cli_resize(NULL, 1, sizeof *made);
    *made = (abut_cli_ranks){.own = own, .count = count};
    made->busy = abut_cli_resize(NULL, (size_t)count, sizeof *made->busy);
    memset(made->busy, 0, (size_t)count * sizeof *made->busy);
    *ranks = made;
    *crew = (abut_study_crew){count * jobs, start, wait_for_one, made};
    return ABUT_CLI_DONE;
}

void abut_cli_ranks_end(abut_cli_ranks *ranks)
{
    if (ranks == NULL) {
        return;
    }
    int home = -1, left = ranks->count - 1;
    stop_helper(&ranks->own);
    for (int i = 1; i < ranks->count; ++i) {
        (void)MPI_Send(&home, 1, MPI_INT, i, TAG_RUN, MPI_COMM_WORLD);
    }
    // After an interruption, ranks may still be sending lines, and would wait for ever.
    while (left > 0) {
        MPI_Status from;
        abut_study_line line;
        free(ranks->line);
        (void)MPI_Probe(MPI_ANY_SOURCE, TAG_LINE, MPI_COMM_WORLD, &from);
        take_message(ranks, &from, &line);
        left -= line.run < 0;
    }
    (void)MPI_Finalize();
    free(ranks->busy);
    free(ranks->line);
    free(ranks);
}
