// SPDX-License-Identifier: MIT
// assess_verb.c: abut assess: measures of methods on cases and scenes; the other modes have files of their own
#include "shared/files.h"
#include "shared/progress.h"
#include "verb/assess_modes.h"
#include "verb/assess_parts.h"
#include "verb/assessment.h"
#include "verb/verbs.h"

#include <stdlib.h>

typedef struct assess_request {
    const abut_cli_arguments *arguments;
    abut_cli_format format;
    abut_cli_subjects subjects;
    abut_cli_states states;
    abut_cli_methods methods;
    abut_cli_query *queries; ///< one a method
    int query_count;
    abut_cli_assessment assessment;
    abut_cli_progress progress;
} assess_request;

/// Checked before the work, not after it.
static abut_cli_exit check_curves(const assess_request *request)
{
    const char *path = abut_cli_value_of(request->arguments, "curves");
    int has_scenes = request->subjects.count > request->subjects.case_count;
    return path == NULL ? ABUT_CLI_DONE
           : has_scenes
               ? abut_cli_check_writable(path)
               : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --curves is for scenes: name one, as in --case wall");
}

/// Adds all rows, without scores. Their conditions are checked for misspelt names before the work.
static abut_cli_exit add_rows(assess_request *request)
{
    for (int m = 0; m < request->methods.count; ++m) {
        for (int s = 0; s < request->states.count; ++s) {
            for (int i = 0; i < request->subjects.count; ++i) {
                (void)abut_cli_assessment_add(&request->assessment, request->subjects.items[i].name,
                                              request->methods.items[m].row->name, request->states.items[s].text);
            }
        }
    }
    return abut_cli_assessment_match(&request->assessment);
}

/// Before the work, so that a mistake in an option is told at once.
static abut_cli_exit make_queries(assess_request *request)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    request->queries = abut_cli_resize(NULL, (size_t)request->methods.count, sizeof *request->queries);
    while (request->query_count < request->methods.count && code == ABUT_CLI_DONE) {
        int i = request->query_count++;
        code = abut_cli_assessed_query(request->arguments, &request->methods.items[i], &request->queries[i]);
    }
    return code;
}

static abut_cli_exit read_request(assess_request *request)
{
    const abut_cli_arguments *arguments = request->arguments;
    abut_cli_exit code = abut_cli_format_of(arguments, &request->format);
    if (code == ABUT_CLI_DONE && abut_cli_value_of(arguments, "states") != NULL) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --states is for comparisons: add --compare paper");
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_assessment_open(arguments, &request->assessment);
    code = code != ABUT_CLI_DONE ? code : abut_cli_states_read(arguments, &request->states);
    if (request->states.count == 0) {
        (void)abut_cli_states_add(&request->states, (abut_state){.kind = ABUT_STATE_TOUCHING}, NULL);
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_assessed_methods(arguments, &request->methods);
    code = code != ABUT_CLI_DONE ? code : make_queries(request);
    code = code != ABUT_CLI_DONE ? code : abut_cli_subjects_load(arguments, &request->subjects);
    code = code != ABUT_CLI_DONE ? code : check_curves(request);
    return code != ABUT_CLI_DONE ? code : add_rows(request);
}

/// Scores the rows of a method, from `first` on.
static void run_query(assess_request *request, const abut_cli_query *query, int first)
{
    abut_assess_params params = abut_cli_assess_params(query);
    const abut_method *method = query->method->row;
    abut_cli_row *row = &request->assessment.rows[first];
    for (int s = 0; s < request->states.count; ++s) {
        for (int i = 0; i < request->subjects.count; ++i, ++row) {
            // the row has the status
            (void)abut_assess(request->subjects.items[i].item, method, &params, request->states.items[s].value,
                              &row->score);
            abut_cli_progress_show(&request->progress, (int)(row - request->assessment.rows) + 1);
        }
    }
}

static void run_methods(assess_request *request)
{
    abut_cli_progress_begin(&request->progress, "rows", request->assessment.count);
    for (int m = 0; m < request->query_count; ++m) {
        run_query(request, &request->queries[m], m * request->states.count * request->subjects.count);
    }
    abut_cli_progress_end(&request->progress);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    if (abut_cli_assesses_overlap(arguments)) {
        return abut_cli_assess_overlap(arguments);
    }
    assess_request request = {.arguments = arguments};
    abut_cli_exit code = read_request(&request);
    if (code == ABUT_CLI_DONE) {
        run_methods(&request);
        code = abut_cli_assessment_finish(&request.assessment, arguments, request.format);
    }
    for (int i = 0; i < request.query_count; ++i) {
        abut_cli_query_release(&request.queries[i]);
    }
    free(request.queries);
    abut_cli_assessment_release(&request.assessment);
    abut_cli_subjects_release(&request.subjects);
    abut_cli_methods_release(&request.methods);
    abut_cli_states_release(&request.states);
    return code;
}

static const abut_cli_option options[] = {
    {"case", "NAME", "fundamental (default), mixed, scenes, all, overlap or names", 1, 0},
    ABUT_CLI_METHOD_OPTION,
    {"state", "STATE", "touching (default), detection, sunk:L, or several with commas", 1, 0},
    {"step", "K", "detection K of a simulation with the method, from 1, or several", 1, 0},
    {"require", "EXPRESSION", "a condition such as \"spikes:coverage>=50\"; repeatable", 1, 0},
    {"curves", "FILE.csv", "write the sorted normal qualities and areas of the scenes", 0, 0},
    {"readings", NULL, "also show scores by the other reading of the paper's Table 4", 0, 0},
    {"compare", "paper|peers", "scores beside the paper's, or others': see --help=compare", 0, 0},
    {"states", "DIR", "meshes of the author's program: see --help=compare", 0, 0},
    {"contacts", "FILE.jsonl", "score contacts of another program: see --help=contacts", 0, 0},
    {"steps", "N", "simulate N steps and print the outcome: see --help=steps", 0, 0},
    ABUT_CLI_SETTINGS_OPTION("abut (default) or paper"),
    ABUT_CLI_SIZE_OPTION,
    ABUT_CLI_REFINE_OPTION,
    ABUT_CLI_QUERY_OPTIONS,
    ABUT_CLI_FORMAT_OPTION,
};

static const abut_cli_verb *const modes[] = {&abut_cli_assess_contacts_mode, &abut_cli_assess_steps_mode,
                                             &abut_cli_assess_compare_mode, NULL};

const abut_cli_verb abut_cli_assess_verb = {
    .name = "assess",
    .summary = "Measure how good the contacts of methods are, on cases whose correct contacts are known.",
    .usage = "[options]",
    .details =
        "Prints quality, coverage and excess (Erleben 2018, section 5) of every method on every case. A condition\n"
        "(--require): an optional CASE: or METHOD/CASE:, a field (quality, coverage, coverage_normals, excess, "
        "contacts),\n"
        "one of >= <= > < == != and a number; if one does not hold, the exit code is 1; if a plug-in crashes, 3.\n",
    .example = "  abut assess --case spikes,wedges --state detection --require \"coverage>=100\" # exit code 1\n"
               "  abut assess --method regions --case pillar --step 3,20\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run,
    .modes = modes,
};
