// SPDX-License-Identifier: MIT
// study_run.c: shared by the study verbs: does the runs, keeps them, and prints the result
#include "verb/study_run.h"

#include "shared/files.h"
#include "shared/progress.h"
#include "verb/study_mpi.h"
#include "verb/study_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_FAILURES = 10, MOST_JOBS = 10000 };

typedef struct study_request {
    const abut_cli_arguments *arguments;
    abut_study *study;
    const char *out;                  ///< or NULL
    int is_shard, shard, shard_count; ///< shards count from 0
    int jobs;
    double seconds;
    char *part_path; ///< NULL: runs are not kept
    abut_study_part *part;
    abut_cli_progress progress;
    abut_cli_ranks *ranks; ///< NULL: this process does all runs
    abut_study_pool *pool; ///< NULL: ranks do the runs
    abut_study_crew crew;
} study_request;

// ---------------------------------------------------------------------------------------------------------------
// The result

abut_cli_exit abut_cli_study_check_files(const abut_cli_arguments *arguments)
{
    static const char *const names[] = {"out", "curves"};
    const char *paths[2];
    abut_cli_format format;
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    for (int i = 0; i < 2; ++i) {
        paths[i] = abut_cli_value_of(arguments, names[i]);
        code = code == ABUT_CLI_DONE && paths[i] != NULL ? abut_cli_check_writable(paths[i]) : code;
    }
    return code == ABUT_CLI_DONE && paths[0] != NULL && paths[1] != NULL
               ? abut_cli_check_two(names[0], paths[0], names[1], paths[1])
               : code;
}

static abut_cli_exit report_failures(const abut_study *study)
{
    int count = 0;
    for (int run = 0; run < study->run_count; ++run) {
        if (study->results[run].outcome != ABUT_STUDY_FAILED) {
            continue;
        }
        char name[256];
        abut_study_run_name(study, run, name, sizeof name);
        if (++count <= SHOWN_FAILURES) {
            (void)abut_cli_fail(ABUT_CLI_UNFINISHED, "run failed: %s: %s", name, study->results[run].reason);
        }
    }
    if (count > SHOWN_FAILURES) {
        (void)abut_cli_fail(ABUT_CLI_UNFINISHED, "%d more run%s failed", count - SHOWN_FAILURES,
                            abut_cli_plural(count - SHOWN_FAILURES));
    }
    return count == 0 ? ABUT_CLI_DONE : ABUT_CLI_UNFINISHED;
}

/// Writes what a function prints to a file.
static abut_cli_exit write_file(const char *path, const abut_study *study,
                                void (*print)(const abut_study *study, FILE *out))
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    print(study, text.stream);
    return abut_cli_write_printed(path, &text);
}

static void print_document(const abut_study *study, FILE *out)
{
    abut_cli_study_print(study, ABUT_CLI_JSON, out);
}

abut_cli_exit abut_cli_study_deliver(const abut_cli_arguments *arguments, const abut_study *study)
{
    const char *out = abut_cli_value_of(arguments, "out"), *curves = abut_cli_value_of(arguments, "curves");
    abut_cli_format format;
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    if (code == ABUT_CLI_DONE && out != NULL) {
        code = write_file(out, study, print_document);
    }
    if (code == ABUT_CLI_DONE && curves != NULL) {
        code = write_file(curves, study, abut_cli_study_curves);
    }
    if (code == ABUT_CLI_DONE) {
        abut_cli_text text;
        abut_cli_text_open(&text);
        abut_cli_study_print(study, format, text.stream);
        code = abut_cli_text_finish(&text);
    }
    abut_cli_exit failures = report_failures(study);
    return code != ABUT_CLI_DONE ? code : failures;
}

// ---------------------------------------------------------------------------------------------------------------
// Options

int abut_cli_is_later_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"};
    for (int i = 0; i < 2; ++i) {
        const char *text = getenv(names[i]);
        if (text != NULL && strtol(text, NULL, 10) > 0) {
            return 1;
        }
    }
    return 0;
}

/// Whether mpirun or a similar program started this process. Looks at the environment, since MPI is not initialised
/// yet.
static int is_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
    for (int i = 0; i < 3; ++i) {
        if (getenv(names[i]) != NULL) {
            return 1;
        }
    }
    return 0;
}

static abut_cli_exit read_shard(study_request *request)
{
    const char *text = abut_cli_value_of(request->arguments, "shard");
    if (text == NULL) {
        return ABUT_CLI_DONE;
    }
    int index, count, length = 0;
    if (sscanf(text, "%7d/%7d%n", &index, &count, &length) != 2 || text[length] != '\0' || index < 1 ||
        index > count) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --shard '%s': must be I/N with I from 1 to N", text);
    }
    request->is_shard = 1;
    request->shard = index - 1;
    request->shard_count = count;
    if (request->out == NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --shard needs --out: the file for this part, for abut study merge");
    }
    if (abut_cli_value_of(request->arguments, "curves") != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --curves cannot be used with --shard; give it to abut study merge");
    }
    return ABUT_CLI_DONE;
}

static abut_cli_exit read_options(study_request *request)
{
    const abut_cli_arguments *arguments = request->arguments;
    request->jobs = is_rank() ? 1 : abut_context_default().worker_count;
    abut_cli_exit code = read_shard(request);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "limit", &request->seconds);
    code = code != ABUT_CLI_DONE ? code : abut_cli_count_of(arguments, "jobs", 1, &request->jobs);
    if (code == ABUT_CLI_DONE && request->jobs > MOST_JOBS) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --jobs '%d': must be from 1 to %d", request->jobs,
                             MOST_JOBS);
    }
    if (request->out != NULL) {
        request->part_path = abut_cli_print("%s%s", request->out, request->is_shard ? "" : ".runs");
    }
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Runs

static int on_progress(void *user, int done, int total)
{
    study_request *request = user;
    (void)total;
    abut_cli_progress_show(&request->progress, done);
    return !abut_cli_progress_is_interrupted(&request->progress);
}

/// Opens the part and reports the runs that it has already.
static abut_cli_exit open_part(study_request *request)
{
    abut_error error = {0};
    if (request->part_path == NULL) {
        return ABUT_CLI_DONE;
    }
    abut_status status = abut_study_part_open(request->study, request->part_path, &request->part, &error);
    if (status != ABUT_OK) {
        return abut_cli_fail_file(request->part_path, status, &error);
    }
    if (abut_cli_value_of(request->arguments, "retry") != NULL) {
        abut_study_reopen_failed(request->study);
    }
    int open = abut_study_count(request->study, request->shard, request->shard_count, ABUT_STUDY_OPEN);
    int kept = request->study->run_count - abut_study_count(request->study, 0, 1, ABUT_STUDY_OPEN);
    int failed = abut_study_count(request->study, 0, 1, ABUT_STUDY_FAILED);
    if (kept > 0 && failed > 0) {
        abut_cli_note("%s: runs already done: %d, left: %d; failed among those done: %d (--retry repeats them)",
                      request->part_path, kept, open, failed);
    } else if (kept > 0) {
        abut_cli_note("%s: runs already done: %d, left: %d", request->part_path, kept, open);
    }
    return ABUT_CLI_DONE;
}

static abut_cli_exit execute(study_request *request)
{
    abut_error error = {0};
    abut_study_execution how = abut_study_execution_default();
    how.crew = request->crew;
    how.shard = request->shard;
    how.shard_count = request->shard_count;
    how.part = request->part;
    how.on_progress = on_progress;
    how.user = request;
    int total = (request->study->run_count - request->shard + request->shard_count - 1) / request->shard_count;
    abut_cli_progress_begin(&request->progress, "runs", total);
    abut_cli_progress_hold(&request->progress);
    abut_status status = abut_study_execute(request->study, &how, &error);
    abut_cli_progress_end(&request->progress);
    if (status == ABUT_LIMIT) {
        return abut_cli_fail(ABUT_CLI_UNFINISHED, "%s%s", error.text,
                             request->part != NULL ? ": run the same command again to continue" : "");
    }
    const char *place = status == ABUT_IO && request->part != NULL ? request->part_path : NULL;
    return status == ABUT_OK ? ABUT_CLI_DONE
                             : abut_cli_fail(ABUT_CLI_UNFINISHED, "%s%s%s", place != NULL ? place : "",
                                             place != NULL ? ": " : "", error.text);
}

/// Reports on a shard, which prints no result.
static abut_cli_exit end_shard(const study_request *request)
{
    int failed = abut_study_count(request->study, request->shard, request->shard_count, ABUT_STUDY_FAILED);
    int done = abut_study_count(request->study, request->shard, request->shard_count, ABUT_STUDY_DONE);
    abut_cli_note("%s: shard %d of %d: %d run%s done, %d failed", request->part_path, request->shard + 1,
                  request->shard_count, done, abut_cli_plural(done), failed);
    return report_failures(request->study);
}

static abut_cli_exit run_all(study_request *request)
{
    abut_cli_exit code = abut_cli_study_check_files(request->arguments);
    code = code != ABUT_CLI_DONE ? code : open_part(request);
    code = code != ABUT_CLI_DONE ? code : execute(request);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    if (request->is_shard) {
        return end_shard(request);
    }
    code = abut_cli_study_deliver(request->arguments, request->study);
    if (code == ABUT_CLI_DONE && request->part_path != NULL) {
        (void)remove(request->part_path); // the result contains all of it
    }
    return code;
}

abut_cli_exit abut_cli_study_run(const abut_cli_arguments *arguments, abut_study *study)
{
    study_request request = {.arguments = arguments,
                             .study = study,
                             .out = abut_cli_value_of(arguments, "out"),
                             .shard_count = 1,
                             .seconds = 3600.0};
    abut_error error = {0};
    abut_cli_exit code = read_options(&request);
    int is_waiting = 0;
    if (code == ABUT_CLI_DONE && is_rank()) {
        code = abut_cli_ranks_begin(study, request.jobs, request.seconds, &request.ranks, &request.crew);
        is_waiting = request.ranks == NULL;
    } else if (code == ABUT_CLI_DONE) {
        abut_status status = abut_study_pool_create(study, request.jobs, request.seconds, &request.pool, &error);
        if (status == ABUT_OK) {
            request.crew = abut_study_pool_crew(request.pool);
        } else {
            code = abut_cli_fail_status(status, &error);
        }
    }
    if (code == ABUT_CLI_DONE && !is_waiting) {
        code = run_all(&request);
    }
    abut_study_pool_destroy(request.pool);
    abut_cli_ranks_end(request.ranks);
    abut_study_part_close(request.part);
    free(request.part_path);
    return code;
}
