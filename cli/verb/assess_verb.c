// SPDX-License-Identifier: MIT
// assess_verb.c: abut assess
#include "shared/files.h"
#include "shared/progress.h"
#include "verb/assessment.h"
#include "verb/comparison.h"
#include "verb/contact_log.h"
#include "verb/motion_run.h"
#include "verb/outcomes.h"
#include "verb/scene_run.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>

typedef struct assess_request {
    const abut_cli_arguments *arguments;
    abut_cli_format format;
    abut_cli_list cases, scene_names, states;
    int steps; ///< of --steps
    abut_cli_methods methods;
    abut_case_params params;
    const char *log_path; ///< or NULL: the contacts are computed here
    abut_cli_log log;
    abut_cli_case *loaded;  ///< as many as `cases`
    abut_cli_scene *scenes; ///< as many as `scene_names`
    abut_cli_assessment assessment;
} assess_request;

// ---------------------------------------------------------------------------------------------------------------
// What is asked

static int is_compared(const assess_request *request)
{
    return abut_cli_value_of(request->arguments, "compare") != NULL;
}

/// Whether whole runs are looked at.
static int has_steps(const assess_request *request)
{
    return abut_cli_value_of(request->arguments, "steps") != NULL;
}

static abut_cli_exit read_names(assess_request *request)
{
    abut_cli_list names = {0};
    abut_cli_exit code = abut_cli_list_of(request->arguments, "case", &names);
    if (code == ABUT_CLI_DONE && names.count == 0) {
        abut_cli_list_add(&names, "fundamental");
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_cases_select(&names, &request->cases, &request->scene_names);
    // The paper's Table 7 goes with its Table 8.
    if (code == ABUT_CLI_DONE && is_compared(request) && abut_cli_list_has(&names, "fundamental") &&
        !abut_cli_list_has(&request->scene_names, "pillar")) {
        abut_cli_list_add(&request->scene_names, "pillar");
    }
    abut_cli_list_release(&names);
    return code;
}

// Whether two texts name the same state, such as sunk:0.5 and sunk:0.50.
static int is_same_state(const char *a, const char *b)
{
    abut_state first, second;
    return abut_state_parse(a, &first, NULL) == ABUT_OK && abut_state_parse(b, &second, NULL) == ABUT_OK &&
           first.kind == second.kind && first.depth == second.depth;
}

static abut_cli_exit read_states(assess_request *request)
{
    abut_cli_list names = {0};
    abut_cli_exit code = abut_cli_list_of(request->arguments, "state", &names);
    if (code == ABUT_CLI_DONE && names.count == 0 && abut_cli_value_of(request->arguments, "step") == NULL) {
        abut_cli_list_add(&names, "touching");
    }
    for (int i = 0; i < names.count && code == ABUT_CLI_DONE; ++i) {
        abut_state state;
        abut_error error = {0};
        abut_status status = abut_state_parse(names.items[i], &state, &error);
        if (status != ABUT_OK) {
            code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --state: %s", abut_cli_message(status, &error));
        }
        int is_known = 0;
        for (int k = 0; k < request->states.count && !is_known; ++k) {
            is_known = is_same_state(request->states.items[k], names.items[i]);
        }
        if (!is_known) {
            abut_cli_list_add(&request->states, names.items[i]);
        }
    }
    abut_cli_list_release(&names);
    return code != ABUT_CLI_DONE ? code : abut_cli_steps_read(request->arguments, &request->states);
}

static abut_cli_exit read_conditions(assess_request *request)
{
    abut_cli_assessment *assessment = &request->assessment;
    int position = 0;
    const char *text;
    while ((text = abut_cli_next_value(request->arguments, "require", &position)) != NULL) {
        abut_cli_condition condition = {.text = text};
        const char *wrong = abut_cli_requirement_parse(text, &condition.requirement);
        if (wrong != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --require '%s': %s", text, wrong);
        }
        assessment->conditions = abut_cli_resize(assessment->conditions, (size_t)assessment->condition_count + 1,
                                                 sizeof *assessment->conditions);
        assessment->conditions[assessment->condition_count++] = condition;
    }
    return ABUT_CLI_DONE;
}

// Before the work, not after it.
static abut_cli_exit check_curves(const assess_request *request)
{
    return request->scene_names.count > 0 || has_steps(request)
               ? abut_cli_check_writable(abut_cli_value_of(request->arguments, "curves"))
               : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --curves: name a scene, as in --case wall");
}

/// What goes with --steps.
static abut_cli_exit check_steps(const assess_request *request)
{
    static const char *const others[] = {"state", "step", "require", "readings"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (abut_cli_value_of(request->arguments, others[i]) != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "options --steps and --%s do not go together: call abut assess twice", others[i]);
        }
    }
    return ABUT_CLI_DONE;
}

// With contacts from a file, options that are about methods make no sense.
static abut_cli_exit check_log_options(const assess_request *request)
{
    static const char *const others[] = {"method", "plugin", "option",   "tolerance", "envelope",
                                         "merge",  "angle",  "raw",      "normals",   "points",
                                         "step",   "steps",  "settings", "fallback"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (abut_cli_value_of(request->arguments, others[i]) != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "options --contacts and --%s do not go together: call abut assess twice",
                                 others[i]);
        }
    }
    return request->states.count == 1
               ? ABUT_CLI_DONE
               : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --contacts: give one --state, for lines that name none");
}

// ---------------------------------------------------------------------------------------------------------------
// Rows

// A new row, named and without measures.
static abut_cli_row *add_row(assess_request *request, int case_index, const char *method, const char *state)
{
    abut_cli_row *row = abut_cli_assessment_add(&request->assessment);
    row->case_name = request->cases.items[case_index];
    row->method = method;
    row->state = state;
    abut_cli_case_name(&request->loaded[case_index], row);
    return row;
}

/// All cases and scenes with a method in a state.
static void run_state(assess_request *request, const abut_cli_query *query, const char *state,
                      abut_workspace *workspace, abut_cli_progress *progress)
{
    const char *method = query->method->row->name;
    for (int c = 0; c < request->cases.count; ++c) {
        abut_cli_case_run(query, &request->loaded[c], workspace, add_row(request, c, method, state));
        abut_cli_progress_show(progress, request->assessment.count);
    }
    for (int i = 0; i < request->scene_names.count; ++i) {
        abut_cli_row *row = abut_cli_assessment_add(&request->assessment);
        row->case_name = request->scene_names.items[i];
        row->method = method;
        row->state = state;
        abut_cli_scene_run(query, &request->scenes[i], workspace, row);
        abut_cli_progress_show(progress, request->assessment.count);
    }
}

static abut_cli_exit run_methods(assess_request *request)
{
    abut_workspace *workspace = NULL;
    abut_status status = abut_workspace_create(NULL, &workspace);
    if (status != ABUT_OK) {
        return abut_cli_fail_status(status, NULL);
    }
    abut_cli_progress progress;
    abut_cli_progress_begin(&progress, "rows",
                            request->methods.count * request->states.count *
                                (request->cases.count + request->scene_names.count));
    abut_cli_exit code = abut_cli_query_check_options(request->arguments, &request->methods);
    for (int m = 0; m < request->methods.count && code == ABUT_CLI_DONE; ++m) {
        abut_cli_query query;
        code = abut_cli_query_of(request->arguments, &request->methods.items[m], 1, &query);
        code = code != ABUT_CLI_DONE ? code : abut_cli_motion_options(request->arguments, &query);
        for (int s = 0; s < request->states.count && code == ABUT_CLI_DONE; ++s) {
            run_state(request, &query, request->states.items[s], workspace, &progress);
        }
        abut_cli_query_release(&query);
    }
    abut_cli_progress_end(&progress);
    abut_workspace_destroy(workspace);
    return code;
}

static const abut_cli_log_entry *find_entry(const abut_cli_log *log, const abut_cli_log_entry *like,
                                            const char *case_name)
{
    for (int i = 0; i < log->count; ++i) {
        const abut_cli_log_entry *entry = &log->entries[i];
        if (strcmp(entry->method, like->method) == 0 && entry->state.kind == like->state.kind &&
            entry->state.depth == like->state.depth && strcmp(entry->case_name, case_name) == 0) {
            return entry;
        }
    }
    return NULL;
}

// Whether an earlier entry has the same method and state.
static int is_repeated(const abut_cli_log *log, int index)
{
    const abut_cli_log_entry *entry = &log->entries[index];
    for (int i = 0; i < index; ++i) {
        const abut_cli_log_entry *other = &log->entries[i];
        if (strcmp(other->method, entry->method) == 0 && other->state.kind == entry->state.kind &&
            other->state.depth == entry->state.depth) {
            return 1;
        }
    }
    return 0;
}

static int is_in_log(const abut_cli_log *log, const char *case_name)
{
    for (int i = 0; i < log->count; ++i) {
        if (strcmp(log->entries[i].case_name, case_name) == 0) {
            return 1;
        }
    }
    return 0;
}

// Whether a case was named in the call, so that a file without it is not complete.
static int is_missing(const assess_request *request, const char *case_name)
{
    return request->log_path != NULL && abut_cli_value_of(request->arguments, "case") != NULL &&
           abut_cli_list_has(&request->cases, case_name) && !is_in_log(&request->log, case_name);
}

// A case that was asked for and is missing meets no condition; returns to how many conditions that matters.
static int fail_conditions(assess_request *request, const char *case_name)
{
    int count = 0;
    for (int i = 0; i < request->assessment.condition_count && is_missing(request, case_name); ++i) {
        abut_cli_condition *condition = &request->assessment.conditions[i];
        const char *method = condition->requirement.method; // any: there is no row to have one
        if (abut_cli_requirement_matches(&condition->requirement, method, case_name)) {
            ++condition->failures;
            ++count;
        }
    }
    return count;
}

// One line on stderr with the cases that no line of the file is about.
static void report_missing(assess_request *request)
{
    char *missing = abut_cli_copy("");
    int failures = 0;
    for (int c = 0; c < request->cases.count; ++c) {
        const char *name = request->cases.items[c];
        if (!is_in_log(&request->log, name)) {
            char *longer = abut_cli_print("%s%s%s", missing, missing[0] != '\0' ? ", " : "", name);
            free(missing);
            missing = longer;
            failures += fail_conditions(request, name);
        }
    }
    if (failures > 0) {
        (void)abut_cli_fail(ABUT_CLI_UNMET, "%s: no lines for %s: what is required does not hold",
                            request->log_path, missing);
    } else if (missing[0] != '\0') {
        abut_cli_note("%s: no lines for %s: not scored", request->log_path, missing);
    }
    free(missing);
}

static abut_cli_exit score_log(assess_request *request)
{
    request->log.default_state = request->states.items[0];
    abut_cli_exit code = abut_cli_log_read(&request->log, request->log_path);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    for (int i = 0; i < request->log.count; ++i) {
        const abut_cli_log_entry *first = &request->log.entries[i];
        for (int c = 0; c < request->cases.count && !is_repeated(&request->log, i); ++c) {
            const abut_cli_log_entry *entry = find_entry(&request->log, first, request->cases.items[c]);
            if (entry != NULL) {
                abut_cli_row *row = add_row(request, c, first->method, first->state_text);
                abut_case_poses place = abut_case_place(request->loaded[c].item, entry->state);
                abut_cli_case_measure(&request->loaded[c], place, entry->samples, entry->count, row);
            }
        }
    }
    if (request->log.count == 0) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: no contacts: no line names a case", request->log_path);
    }
    if (request->assessment.count == 0) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: no contacts of the cases asked for", request->log_path);
    }
    report_missing(request);
    return ABUT_CLI_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// The verb

static abut_cli_exit load_cases(assess_request *request)
{
    int count = request->cases.count;
    abut_cli_exit code = ABUT_CLI_DONE;
    request->loaded = abut_cli_resize(NULL, (size_t)count, sizeof *request->loaded);
    for (int i = 0; i < count; ++i) {
        request->loaded[i] = (abut_cli_case){0};
    }
    for (int i = 0; i < count && code == ABUT_CLI_DONE; ++i) {
        code = abut_cli_case_load(request->cases.items[i], &request->params, &request->loaded[i]);
    }
    return code;
}

static abut_cli_exit load_scenes(assess_request *request)
{
    int count = request->scene_names.count;
    abut_scene_params params;
    abut_cli_exit code = abut_cli_scene_params_of(request->arguments, &params);
    request->scenes = abut_cli_resize(NULL, (size_t)count, sizeof *request->scenes);
    for (int i = 0; i < count; ++i) {
        request->scenes[i] = (abut_cli_scene){0};
    }
    for (int i = 0; i < count && code == ABUT_CLI_DONE; ++i) {
        code = abut_cli_scene_load(request->scene_names.items[i], &params, &request->scenes[i]);
    }
    return code;
}

static abut_cli_exit read_request(assess_request *request)
{
    abut_cli_exit code = abut_cli_format_of(request->arguments, &request->format);
    code = code != ABUT_CLI_DONE
               ? code
               : abut_cli_positive_of(request->arguments, "scene-size", &request->params.scene_size);
    code = code != ABUT_CLI_DONE ? code : read_names(request);
    code = code != ABUT_CLI_DONE ? code : read_states(request);
    code = code != ABUT_CLI_DONE ? code : read_conditions(request);
    code = code != ABUT_CLI_DONE ? code : abut_cli_count_of(request->arguments, "steps", 1, &request->steps);
    if (code == ABUT_CLI_DONE && has_steps(request)) {
        code = check_steps(request);
    }
    if (code == ABUT_CLI_DONE && abut_cli_value_of(request->arguments, "curves") != NULL) {
        code = check_curves(request);
    }
    if (code == ABUT_CLI_DONE && is_compared(request)) {
        code = abut_cli_comparison_check(request->arguments);
    }
    if (code == ABUT_CLI_DONE && is_compared(request) && request->states.count > 1) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --compare: give one --state or --step at most");
    }
    if (code == ABUT_CLI_DONE && request->log_path != NULL) {
        code = check_log_options(request);
    } else if (code == ABUT_CLI_DONE) {
        code = abut_cli_methods_select(request->arguments, "all", &request->methods);
    }
    if (code == ABUT_CLI_DONE && (has_steps(request) || abut_cli_value_of(request->arguments, "step") != NULL)) {
        code = abut_cli_methods_check_motion(&request->methods);
    }
    code = code != ABUT_CLI_DONE ? code : load_cases(request);
    return code != ABUT_CLI_DONE ? code : load_scenes(request);
}

// A condition that is about no row would hold by a spelling mistake.
static abut_cli_exit check_conditions(assess_request *request)
{
    for (int i = 0; i < request->assessment.condition_count; ++i) {
        const abut_cli_condition *condition = &request->assessment.conditions[i];
        int is_used = is_missing(request, condition->requirement.case_name);
        for (int j = 0; j < request->assessment.count && !is_used; ++j) {
            const abut_cli_row *row = &request->assessment.rows[j];
            is_used = abut_cli_requirement_matches(&condition->requirement, row->method, row->case_name);
        }
        if (!is_used) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --require '%s': there is no such row: check the names",
                                 condition->text);
        }
    }
    abut_cli_assessment_check(&request->assessment);
    return ABUT_CLI_DONE;
}

// Rows that were not finished weigh more than conditions that do not hold.
static abut_cli_exit verdict(const abut_cli_assessment *assessment)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int i = 0; i < assessment->condition_count; ++i) {
        code = assessment->conditions[i].failures > 0 ? ABUT_CLI_UNMET : code;
    }
    for (int i = 0; i < assessment->count; ++i) {
        const abut_cli_row *row = &assessment->rows[i];
        if (abut_cli_query_exit(row->status) == ABUT_CLI_UNFINISHED) {
            code = abut_cli_fail(ABUT_CLI_UNFINISHED, "%s/%s, %s: not finished: %s", row->method, row->case_name,
                                 row->state, row->message);
        }
    }
    return code;
}

static void release_request(assess_request *request)
{
    for (int i = 0; i < request->cases.count && request->loaded != NULL; ++i) {
        abut_cli_case_release(&request->loaded[i]);
    }
    for (int i = 0; i < request->scene_names.count && request->scenes != NULL; ++i) {
        abut_cli_scene_release(&request->scenes[i]);
    }
    free(request->loaded);
    free(request->scenes);
    abut_cli_assessment_release(&request->assessment);
    abut_cli_log_release(&request->log);
    abut_cli_methods_release(&request->methods);
    abut_cli_list_release(&request->cases);
    abut_cli_list_release(&request->scene_names);
    abut_cli_list_release(&request->states);
}

static abut_cli_exit compare(const assess_request *request)
{
    int is_given = abut_cli_value_of(request->arguments, "state") != NULL ||
                   abut_cli_value_of(request->arguments, "step") != NULL;
    const char *state = is_given ? request->states.items[0] : NULL;
    const abut_cli_compared compared = {.arguments = request->arguments,
                                        .methods = &request->methods,
                                        .case_names = &request->cases,
                                        .scene_names = &request->scene_names,
                                        .cases = request->loaded,
                                        .scenes = request->scenes,
                                        .state = state};
    return abut_cli_comparison_run(&compared, request->format);
}

static abut_cli_exit find_outcomes(const assess_request *request)
{
    const abut_cli_outcomes asked = {.arguments = request->arguments,
                                     .methods = &request->methods,
                                     .case_names = &request->cases,
                                     .scene_names = &request->scene_names,
                                     .cases = request->loaded,
                                     .scenes = request->scenes,
                                     .steps = request->steps,
                                     .is_compared = is_compared(request),
                                     .counts_path = abut_cli_value_of(request->arguments, "curves")};
    return abut_cli_outcomes_run(&asked, request->format);
}

static abut_cli_exit write_curves(const assess_request *request)
{
    const char *path = abut_cli_value_of(request->arguments, "curves");
    if (path == NULL) {
        return ABUT_CLI_DONE;
    }
    char *text = abut_cli_assessment_curves(&request->assessment);
    abut_cli_exit code = abut_cli_write_text(path, text);
    free(text);
    return code;
}

static abut_cli_exit assess(assess_request *request)
{
    abut_cli_exit code = request->log_path != NULL ? score_log(request) : run_methods(request);
    code = code != ABUT_CLI_DONE ? code : check_conditions(request);
    code = code != ABUT_CLI_DONE ? code : write_curves(request);
    code = code != ABUT_CLI_DONE ? code : abut_cli_assessment_print(&request->assessment, request->format);
    return code != ABUT_CLI_DONE ? code : verdict(&request->assessment);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    assess_request request = {.arguments = arguments,
                              .params = abut_case_params_default(),
                              .log_path = abut_cli_value_of(arguments, "contacts")};
    request.assessment.shows_readings = abut_cli_value_of(arguments, "readings") != NULL;
    abut_cli_exit code = read_request(&request);
    if (code == ABUT_CLI_DONE) {
        code = has_steps(&request)     ? find_outcomes(&request)
               : is_compared(&request) ? compare(&request)
                                       : assess(&request);
    }
    release_request(&request);
    return code;
}

static const abut_cli_option options[] = {
    {"case", "NAME", "case or group: fundamental (default), mixed, scenes, all; repeatable, or with commas", 1, 0},
    {"method", "NAME", "method or group: erleben, all (default); repeatable, or with commas", 1, 0},
    {"state", "STATE", "touching (default), detection or sunk:L; repeatable, or with commas", 1, 0},
    {"step", "K", "the K-th detection of a simulation with the method, from 1; repeatable, or with commas", 1, 0},
    {"steps", "N", "simulate N steps, and print contact counts and the outcome", 0, 0},
    {"settings", "abut|paper", "simulate with our solver settings, or the paper's (default with --compare)", 0, 0},
    {"fallback", "NAME",
     "in simulations, method for bodies that overlap too much (default: convex if both are, else intersection), "
     "or none",
     0, 0},
    {"require", "EXPRESSION", "a condition, such as \"quality>=100\" or \"spikes:coverage>=50\"; repeatable", 1, 0},
    {"contacts", "FILE.jsonl", "score contacts of another program; - is standard input", 0, 0},
    {"compare", "paper", "show both readings of each method beside the numbers of Erleben 2018", 0, 0},
    {"curves", "FILE.csv",
     "write the sorted normal qualities and contact areas of the scenes; with --steps, the contact count of every "
     "step",
     0, 0},
    {"readings", NULL, "also show the scores against the other reading of Table 4; JSON and CSV always do", 0, 0},
    {"scene-size", "S", "size of the cases (default: 25, 8 for cliff edges, 20 for internal edges)", 0, 0},
    {"refine", "RATIO", "give scenes fine meshes by tetgen: its quality ratio, or paper (1.015)", 0, 0},
    ABUT_CLI_QUERY_OPTIONS,
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_assess_verb = {
    .name = "assess",
    .summary = "Measure how good the contacts of methods are, on cases whose correct contacts are known.",
    .usage = "[options]",
    .details =
        "Prints quality, coverage and excess (Erleben 2018, section 5) of every method on every case or, with\n"
        "--steps, the contact counts of simulations and whether the structure stands. A condition (--require) is\n"
        "an optional CASE: or METHOD/CASE:, a field (quality, coverage, coverage_normals, excess, contacts), an\n"
        "operator (>= <= > < == !=) and a number; if one does not hold, the exit code is 1. A plug-in that\n"
        "crashes is a failed row, and the exit code is 3.\n",
    .example = "  abut assess --case spikes,wedges --state detection --require \"coverage>=100\" # exit code 1\n"
               "  abut assess --contacts engine.jsonl --format csv\n"
               "  abut assess --case pillar --steps 500 --compare paper\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run,
};
