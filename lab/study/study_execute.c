// SPDX-License-Identifier: MIT
// study_execute.c: does all open runs of a study with a crew
#include "common/lab_support.h"
#include "study/study_text.h"

/// The progress of an execution.
typedef struct progress {
    abut_study *study;
    const abut_study_execution *how;
    int next;        ///< all runs before this one are done or started
    int busy;        ///< runs in progress
    int done, total; ///< runs of the shard
} progress;

static int is_wanted(const progress *p)
{
    return p->how->on_progress == NULL || p->how->on_progress(p->how->user, p->done, p->total);
}

/// Starts runs until the crew is busy.
static abut_status start_runs(progress *p, abut_error *error)
{
    abut_status status = ABUT_OK;
    while (status == ABUT_OK && p->busy < p->how->crew.size && p->next < p->study->run_count) {
        if (p->study->results[p->next].outcome == ABUT_STUDY_OPEN) {
            status = p->how->crew.start(p->how->crew.user, p->next, error);
            p->busy += status == ABUT_OK;
        }
        p->next += p->how->shard_count;
    }
    return status;
}

/// Takes the result of a run. If its process wrote anything else, the run has failed.
static abut_status take_line(progress *p, const abut_study_line *line, abut_error *error)
{
    abut_error why = {0};
    int run = line->run;
    abut_status status = abut_study_parse_result(p->study, line->text, line->length, &run, &why);
    if (status == ABUT_BAD_DATA) {
        abut_study_fail_result(&p->study->results[line->run], "the process of the run wrote no valid result");
        status = ABUT_OK;
    } else if (status != ABUT_OK) {
        return abut_fail(error, status, "%s", why.text);
    }
    --p->busy;
    ++p->done;
    return p->how->part != NULL ? abut_study_part_append(p->how->part, line->run, error) : status;
}

void abut_study_execution_init(abut_study_execution *how, size_t size)
{
    const abut_study_execution made = {.struct_size = sizeof made, .shard_count = 1};
    abut_write_versioned(how, size, &made, sizeof made);
}

abut_status abut_study_execute(abut_study *study, const abut_study_execution *given, abut_error *error)
{
    abut_study_execution read = abut_study_execution_default(), *how = &read;
    if (!abut_read_versioned(&read, sizeof read, given)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "start from abut_study_execution_default()");
    }
    if (how->shard_count < 1 || how->shard < 0 || how->shard >= how->shard_count || how->crew.size < 1) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "shard %d of %d does not exist, or there is no crew", how->shard,
                         how->shard_count);
    }
    progress p = {.study = study, .how = how, .next = how->shard};
    int open = abut_study_count(study, how->shard, how->shard_count, ABUT_STUDY_OPEN);
    for (int i = how->shard; i < study->run_count; i += how->shard_count) {
        ++p.total;
    }
    p.done = p.total - open;
    abut_status status = start_runs(&p, error);
    while (status == ABUT_OK && p.busy > 0) {
        if (!is_wanted(&p)) {
            return abut_fail(error, ABUT_LIMIT, "interrupted after %d of %d runs", p.done, p.total);
        }
        abut_study_line line;
        status = how->crew.wait(how->crew.user, &line, error);
        if (status == ABUT_OK && line.run >= 0) {
            status = take_line(&p, &line, error);
            status = status != ABUT_OK ? status : start_runs(&p, error);
        }
    }
    return status;
}
