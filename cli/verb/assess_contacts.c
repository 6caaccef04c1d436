// SPDX-License-Identifier: MIT
// assess_contacts.c: abut assess --contacts: scores of contacts that another program found
#include "verb/assess_modes.h"
#include "verb/assess_parts.h"
#include "verb/assessment.h"
#include "verb/contact_log.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>

typedef struct contacts_request {
    const abut_cli_arguments *arguments;
    const char *path; ///< of --contacts
    abut_cli_format format;
    abut_cli_subjects subjects;
    abut_cli_states states; ///< one
    abut_cli_log log;
    abut_cli_assessment assessment;
} contacts_request;

static abut_cli_exit read_request(contacts_request *request)
{
    const abut_cli_arguments *arguments = request->arguments;
    abut_cli_exit code = abut_cli_format_of(arguments, &request->format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_assessment_open(arguments, &request->assessment);
    code = code != ABUT_CLI_DONE ? code : abut_cli_states_read(arguments, &request->states);
    if (code == ABUT_CLI_DONE && request->states.count > 1) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --state: give only one with --contacts: it is for lines that name none");
    }
    if (request->states.count == 0) {
        (void)abut_cli_states_add(&request->states, (abut_state){.kind = ABUT_STATE_TOUCHING}, NULL);
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_subjects_load(arguments, &request->subjects);
    request->log.default_state = request->states.items[0];
    return code != ABUT_CLI_DONE ? code : abut_cli_log_read(&request->log, request->path);
}

// ---------------------------------------------------------------------------------------------------------------
// Rows

static int is_same_run(const abut_cli_log_entry *a, const abut_cli_log_entry *b)
{
    return strcmp(a->method, b->method) == 0 && abut_state_equals(a->state.value, b->state.value);
}

static const abut_cli_log_entry *find_entry(const abut_cli_log *log, const abut_cli_log_entry *like,
                                            const char *case_name)
{
    for (int i = 0; i < log->count; ++i) {
        const abut_cli_log_entry *entry = &log->entries[i];
        if (is_same_run(entry, like) && strcmp(entry->case_name, case_name) == 0) {
            return entry;
        }
    }
    return NULL;
}

/// Whether an earlier entry has the same method and state.
static int is_repeated(const abut_cli_log *log, int index)
{
    for (int i = 0; i < index; ++i) {
        if (is_same_run(&log->entries[i], &log->entries[index])) {
            return 1;
        }
    }
    return 0;
}

static void score_entries(contacts_request *request)
{
    const abut_cli_log *log = &request->log;
    for (int i = 0; i < log->count; ++i) {
        const abut_cli_log_entry *first = &log->entries[i];
        for (int c = 0; c < request->subjects.case_count && !is_repeated(log, i); ++c) {
            const abut_cli_subject *subject = &request->subjects.items[c];
            const abut_cli_log_entry *entry = find_entry(log, first, subject->name);
            if (entry != NULL) {
                abut_cli_row *row =
                    abut_cli_assessment_add(&request->assessment, subject->name, first->method, first->state.text);
                (void)abut_assess_contacts(subject->item, entry->state.value, entry->samples, entry->count,
                                           &row->score);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Cases without lines

static int is_in_log(const abut_cli_log *log, const char *case_name)
{
    for (int i = 0; i < log->count; ++i) {
        if (strcmp(log->entries[i].case_name, case_name) == 0) {
            return 1;
        }
    }
    return 0;
}

/// A case that --case names and that has no lines fails its conditions. Returns how many.
static int fail_conditions(contacts_request *request, const char *case_name)
{
    int count = 0, is_named = abut_cli_value_of(request->arguments, "case") != NULL;
    for (int i = 0; i < request->assessment.condition_count && is_named; ++i) {
        abut_cli_condition *condition = &request->assessment.conditions[i];
        const char *method = condition->requirement.method; // matches any: there is no row with a method
        if (abut_cli_requirement_matches(&condition->requirement, method, case_name)) {
            condition->is_used = 1;
            ++condition->failures;
            ++count;
        }
    }
    return count;
}

/// One line on stderr with the cases that no line of the file is about.
static void report_missing(contacts_request *request)
{
    char *missing = abut_cli_copy("");
    int failures = 0;
    for (int c = 0; c < request->subjects.case_count; ++c) {
        const char *name = request->subjects.items[c].name;
        if (!is_in_log(&request->log, name)) {
            char *longer = abut_cli_print("%s%s%s", missing, missing[0] != '\0' ? ", " : "", name);
            free(missing);
            missing = longer;
            failures += fail_conditions(request, name);
        }
    }
    if (failures > 0) {
        (void)abut_cli_fail(ABUT_CLI_UNMET, "%s: no lines for %s: these cases do not meet --require", request->path,
                            missing);
    } else if (missing[0] != '\0') {
        abut_cli_note("%s: no lines for %s: not scored", request->path, missing);
    }
    free(missing);
}

static abut_cli_exit score_log(contacts_request *request)
{
    if (request->log.count == 0) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: no line names a case: nothing to score", request->path);
    }
    score_entries(request);
    if (request->assessment.count == 0) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: no line is about a case of --case: nothing to score",
                             request->path);
    }
    report_missing(request);
    abut_cli_exit code = abut_cli_assessment_match(&request->assessment);
    return code != ABUT_CLI_DONE
               ? code
               : abut_cli_assessment_finish(&request->assessment, request->arguments, request->format);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    contacts_request request = {.arguments = arguments, .path = abut_cli_value_of(arguments, "contacts")};
    abut_cli_exit code = read_request(&request);
    code = code != ABUT_CLI_DONE ? code : score_log(&request);
    abut_cli_assessment_release(&request.assessment);
    abut_cli_log_release(&request.log);
    abut_cli_subjects_release(&request.subjects);
    abut_cli_states_release(&request.states);
    return code;
}

static const abut_cli_option options[] = {
    {"contacts", "FILE.jsonl", "the contacts, one JSON object per line; - is standard input", 0, 0},
    ABUT_CLI_CASE_OPTION,
    {"state", "STATE", "of lines that name none: touching (default), detection or sunk:L", 1, 0},
    {"require", "EXPRESSION", "a condition such as \"spikes:coverage>=50\"; repeatable", 1, 0},
    {"readings", NULL, "also show scores by the other reading of the paper's Table 4", 0, 0},
    ABUT_CLI_SIZE_OPTION,
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_assess_contacts_mode = {
    .name = "assess",
    .summary = "Measure how good the contacts of another program are.",
    .usage = "--contacts FILE.jsonl [options]",
    .details =
        "abut cases NAME --out DIR writes the meshes, poses and velocities of a case. Your program writes a line\n"
        "for each case, such as {\"case\": \"spikes\", \"contacts\": [{\"position\": [3, 0, 0], \"normal\": [0, 1, "
        "0]}]},\n"
        "with normals from A to B; docs/contact-log.md has all fields. A case that --case names and that has no\n"
        "line does not meet a condition (--require; see abut assess --help).\n",
    .example = "  abut assess --contacts engine.jsonl --format csv\n"
               "  abut assess --contacts - --case fundamental --require \"coverage>=100\" < engine.jsonl\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run,
    .mode = "contacts",
    .whole = &abut_cli_assess_verb,
};
