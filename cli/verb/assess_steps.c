// SPDX-License-Identifier: MIT
// assess_steps.c: abut assess --steps: how many contacts simulations have over time, and whether structures stand
#include "shared/contact_layout.h"
#include "shared/files.h"
#include "shared/layout.h"
#include "shared/progress.h"
#include "verb/assess_modes.h"
#include "verb/assess_parts.h"
#include "verb/verbs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// Columns of the contact counts.
enum { MEAN = 0, LEAST = 1, MOST = 2, DEVIATION = 3, NUMBERS = 4 };

/// One method on one case or scene. Numbers are NaN, and texts NULL, if there are none.
typedef struct outcome_row {
    const abut_cli_query *query;
    const abut_cli_subject *subject;
    const char *case_name, *method;
    const char *reading; ///< or ""
    abut_status status;  ///< ABUT_OK: there is a report
    abut_error error;    ///< why there is none
    const char *message; ///< why there is no report, or how the run ended before the last step
    abut_outcome_report report;
    abut_count_summary counts;
    double numbers[NUMBERS]; ///< of `counts`
    double steps;
    double fall; ///< in heights of the body that fell furthest
    double slide, exact_slide;
    const char *outcome;
    int is_compared;                       ///< the paper's numbers are shown
    const abut_paper_counts *paper_counts; ///< or NULL
    double paper_numbers[NUMBERS];         ///< of `paper_counts`
    const char *paper_outcome, *paper_source;
} outcome_row;

typedef struct outcome_list {
    const abut_cli_arguments *arguments;
    abut_cli_format format;
    int steps;
    abut_cli_subjects subjects;
    abut_cli_methods methods;
    abut_cli_query *queries; ///< one per method and reading
    const char **readings;   ///< as many
    int query_count;
    outcome_row *rows; ///< by case or scene, then by query
    int row_count;
    atomic_int done;
    abut_cli_progress progress;
} outcome_list;

// ---------------------------------------------------------------------------------------------------------------
// Runs

/// Whether the author's program differs from the paper's text.
static int has_program_reading(const abut_method *method)
{
    return strcmp(abut_paper_options(method->name, ABUT_PAPER_TEXT, 0),
                  abut_paper_options(method->name, ABUT_PAPER_PROGRAM, 0)) != 0;
}

static abut_cli_exit add_query(outcome_list *list, const abut_cli_method *method, abut_paper_reading reading)
{
    abut_cli_query *query = &list->queries[list->query_count];
    abut_cli_paper_choice choice = {.reading = reading, .variant = ""};
    list->readings[list->query_count++] = list->subjects.is_compared ? abut_cli_reading_names[reading] : "";
    return list->subjects.is_compared ? abut_cli_paper_query(list->arguments, method, &choice, query)
                                      : abut_cli_assessed_query(list->arguments, method, query);
}

static abut_cli_exit make_queries(outcome_list *list)
{
    size_t room = (size_t)list->methods.count * ABUT_CLI_READINGS;
    list->queries = abut_cli_resize(NULL, room, sizeof *list->queries);
    list->readings = abut_cli_resize(NULL, room, sizeof *list->readings);
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int m = 0; m < list->methods.count && code == ABUT_CLI_DONE; ++m) {
        const abut_cli_method *method = &list->methods.items[m];
        int is_compared = list->subjects.is_compared;
        code = add_query(list, method, ABUT_PAPER_TEXT);
        if (code == ABUT_CLI_DONE && is_compared && has_program_reading(method->row)) {
            code = add_query(list, method, ABUT_PAPER_PROGRAM);
        }
    }
    return code;
}

static void set_numbers(double numbers[NUMBERS], double mean, double least, double most, double deviation)
{
    numbers[MEAN] = mean;
    numbers[LEAST] = least;
    numbers[MOST] = most;
    numbers[DEVIATION] = deviation;
}

static outcome_row make_row(const outcome_list *list, const abut_cli_subject *subject, int query)
{
    const double none = (double)NAN;
    outcome_row row = {.query = &list->queries[query],
                       .subject = subject,
                       .case_name = subject->name,
                       .method = list->queries[query].method->row->name,
                       .reading = list->readings[query],
                       .steps = none,
                       .fall = none,
                       .slide = none,
                       .exact_slide = none,
                       .is_compared = list->subjects.is_compared};
    set_numbers(row.numbers, none, none, none, none);
    set_numbers(row.paper_numbers, none, none, none, none);
    const abut_paper_counts *counts = row.is_compared ? abut_paper_find_counts(row.method, subject->name) : NULL;
    const abut_paper_behaviour *behaviour =
        row.is_compared ? abut_paper_find_behaviour(row.method, subject->name) : NULL;
    if (counts != NULL) {
        row.paper_counts = counts;
        set_numbers(row.paper_numbers, counts->mean, counts->least, counts->most, counts->deviation);
    }
    if (behaviour != NULL) {
        row.paper_outcome = behaviour->word;
        row.paper_source = behaviour->source;
    }
    return row;
}

static void make_rows(outcome_list *list)
{
    list->rows =
        abut_cli_resize(NULL, (size_t)list->query_count * (size_t)list->subjects.count, sizeof *list->rows);
    for (int i = 0; i < list->subjects.count; ++i) {
        for (int k = 0; k < list->query_count; ++k) {
            list->rows[list->row_count++] = make_row(list, &list->subjects.items[i], k);
        }
    }
}

/// Takes what is printed from the report.
static void read_report(outcome_row *row, int steps)
{
    const abut_outcome_report *report = &row->report;
    row->counts = abut_summarise_counts(report->counts, report->steps);
    if (report->steps > 0) {
        set_numbers(row->numbers, row->counts.mean, row->counts.least, row->counts.most, row->counts.deviation);
    }
    row->steps = report->steps;
    row->fall = report->fall.body >= 0 ? report->fall.heights : (double)NAN;
    row->slide = report->slide;
    row->exact_slide = report->exact_slide;
    row->outcome = abut_outcome_text(report->outcome);
    int is_short = report->steps < steps || report->outcome == ABUT_OUTCOME_FAILED;
    row->message = is_short && report->error.text[0] != '\0' ? report->error.text : NULL;
}

static void run_row(outcome_row *row, int steps)
{
    abut_assess_params params = abut_cli_assess_params(row->query);
    row->status =
        abut_assess_outcome(row->subject->item, row->query->method->row, &params, steps, &row->report, &row->error);
    if (row->status == ABUT_OK) {
        read_report(row, steps);
    } else {
        row->message = abut_cli_message(row->status, &row->error);
    }
}

static void run_rows(void *data, int begin, int end, int worker)
{
    outcome_list *list = data;
    for (int i = begin; i < end; ++i) {
        run_row(&list->rows[i], list->steps);
        int done = atomic_fetch_add(&list->done, 1) + 1;
        if (worker == 0) {
            abut_cli_progress_show(&list->progress, done);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Members

static const void *find_counts(const void *row)
{
    const outcome_row *r = row;
    return r->status == ABUT_OK ? &r->counts : NULL;
}

static const void *find_paper(const void *row)
{
    return ((const outcome_row *)row)->is_compared ? row : NULL;
}

static const abut_cli_member paper_count_members[] = {
    {"mean", NULL, ABUT_CLI_AT(abut_paper_counts, mean)},
    {"least", NULL, ABUT_CLI_AT(abut_paper_counts, least)},
    {"most", NULL, ABUT_CLI_AT(abut_paper_counts, most)},
    {"deviation", NULL, ABUT_CLI_AT(abut_paper_counts, deviation)},
};
static const abut_cli_layout paper_count_layout = ABUT_CLI_LAYOUT(paper_count_members);

static const abut_cli_member paper_members[] = {
    {"contacts", NULL, ABUT_CLI_OBJECT_TO(outcome_row, paper_counts, paper_count_layout)},
    {"outcome", NULL, ABUT_CLI_AT(outcome_row, paper_outcome)},
    {"source", NULL, ABUT_CLI_AT(outcome_row, paper_source)},
};
static const abut_cli_layout paper_layout = ABUT_CLI_LAYOUT(paper_members);

#define NUMBER(name, k)                                                                                            \
    {                                                                                                              \
        name, name, ABUT_CLI_AT(outcome_row, numbers[k]), .place = ABUT_CLI_COLUMNS_ONLY                           \
    }
#define PAPER_NUMBER(name, k)                                                                                      \
    {                                                                                                              \
        name "_paper", "paper", ABUT_CLI_AT(outcome_row, paper_numbers[k]), .place = ABUT_CLI_COLUMNS_ONLY,        \
                                                                            .is_optional = 1                       \
    }
static const abut_cli_member row_members[] = {
    {"case", NULL, ABUT_CLI_AT(outcome_row, case_name)},
    {"method", "method", ABUT_CLI_AT(outcome_row, method)},
    {"reading", "reading", ABUT_CLI_AT(outcome_row, reading), .is_null_if_zero = 1, .is_optional = 1},
    {"steps", "steps", ABUT_CLI_COUNT_AT(outcome_row, steps), .json_rank = 2},
    {"contacts", NULL, ABUT_CLI_OBJECT_BY(find_counts, abut_cli_count_layout), .place = ABUT_CLI_JSON_ONLY,
     .json_rank = 2},
    NUMBER("mean", MEAN),
    PAPER_NUMBER("mean", MEAN),
    NUMBER("least", LEAST),
    PAPER_NUMBER("least", LEAST),
    NUMBER("most", MOST),
    PAPER_NUMBER("most", MOST),
    NUMBER("deviation", DEVIATION),
    PAPER_NUMBER("deviation", DEVIATION),
    {"outcome", "outcome", ABUT_CLI_AT(outcome_row, outcome), .json_rank = 2},
    {"outcome_paper", "paper", ABUT_CLI_AT(outcome_row, paper_outcome), .place = ABUT_CLI_COLUMNS_ONLY,
     .is_optional = 1},
    {"fall", "fall", ABUT_CLI_AT(outcome_row, fall), .json_rank = 2},
    {"slide", "slide", ABUT_CLI_AT(outcome_row, slide), .json_rank = 2},
    {"exact_slide", "exact", ABUT_CLI_AT(outcome_row, exact_slide), .json_rank = 2},
    {"paper", NULL, ABUT_CLI_OBJECT_BY(find_paper, paper_layout), .place = ABUT_CLI_JSON_ONLY, .json_rank = 2},
    {"status", "status", ABUT_CLI_TEXT_OF(outcome_row, status, abut_cli_status_member), .json_rank = 1},
    {"message", NULL, ABUT_CLI_AT(outcome_row, message), .json_rank = 1},
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

static abut_cli_rows result_rows(const void *row)
{
    const outcome_list *list = row;
    return (abut_cli_rows){&row_layout, list->rows, list->row_count, sizeof *list->rows};
}

static const abut_cli_member document_members[] = {
    {"steps", NULL, ABUT_CLI_AT(outcome_list, steps)},
    {"results", NULL, ABUT_CLI_ROWS_BY(result_rows)},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

// ---------------------------------------------------------------------------------------------------------------
// Output

static void write_table(const void *data, const abut_cli_table *table, FILE *out)
{
    const outcome_list *list = data;
    for (int begin = 0, end; begin < list->row_count; begin = end) {
        end = begin + list->query_count;
        (void)fprintf(out, "%s, %d step%s\n", list->rows[begin].case_name, list->steps,
                      abut_cli_plural(list->steps));
        abut_cli_table_print(table, (size_t)begin, (size_t)end, out);
        for (int i = begin; i < end; ++i) {
            if (list->rows[i].message != NULL) {
                (void)fprintf(out, "%s: %s\n", list->rows[i].method, list->rows[i].message);
            }
        }
        (void)fputs("\n", out);
    }
    (void)fputs(
        "mean, least, most, deviation: of the numbers of contacts of all steps. outcome: collapsed: the centre of\n"
        "a body fell by more than half its height (fall, in heights); too stable: without\n"
        "friction, and with gravity tilted by 5 degrees, nothing goes a tenth as far as a free body (slide), "
        "where\n"
        "something does on the contacts of regions (exact); else stands. docs/simulation.md explains them.\n",
        out);
    if (list->subjects.is_compared) {
        (void)fputs(
            "paper: Table 6 and section 7 of K. Erleben, Methodology for Assessing Mesh-Based Contact Point "
            "Methods,\n"
            "ACM Transactions on Graphics 37(3), 2018, which also calls behaviour good, or says that a method "
            "fails.\n",
            out);
    }
}

static abut_cli_exit print_list(const outcome_list *list)
{
    // Without a comparison, the table has no columns of the paper.
    abut_cli_layout layout = row_layout;
    layout.hides_optional = !list->subjects.is_compared;
    abut_cli_report report = {&document_layout, list, result_rows(list), write_table};
    report.rows.layout = &layout;
    return abut_cli_report_print(&report, list->format);
}

/// The contacts of one step.
typedef struct step_count {
    const outcome_row *row;
    int step, contacts;
} step_count;

static const abut_cli_member name_members[] = {
    {"case", NULL, ABUT_CLI_AT(outcome_row, case_name)},
    {"method", NULL, ABUT_CLI_AT(outcome_row, method)},
    {"reading", NULL, ABUT_CLI_AT(outcome_row, reading)},
};
static const abut_cli_layout name_layout = ABUT_CLI_LAYOUT(name_members);

static const abut_cli_member step_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(step_count, row, name_layout)},
    {"step", NULL, ABUT_CLI_AT(step_count, step)},
    {"contacts", NULL, ABUT_CLI_AT(step_count, contacts)},
};
static const abut_cli_layout step_layout = ABUT_CLI_LAYOUT(step_members);

/// The numbers of contacts of all steps, as in the paper's Figure 22.
static abut_cli_exit write_counts(const outcome_list *list)
{
    const char *path = abut_cli_value_of(list->arguments, "curves");
    if (path == NULL) {
        return ABUT_CLI_DONE;
    }
    abut_cli_text text;
    abut_cli_table table;
    abut_cli_text_open(&text);
    abut_cli_table_begin(&table, &step_layout);
    for (int i = 0; i < list->row_count; ++i) {
        const outcome_row *row = &list->rows[i];
        for (int k = 0; k < row->report.steps; ++k) {
            abut_cli_add_row(&table, &step_layout, &(step_count){row, k + 1, row->report.counts[k]});
        }
    }
    abut_cli_csv_print(&table, text.stream);
    abut_cli_table_release(&table);
    return abut_cli_write_printed(path, &text);
}

static abut_cli_exit verdict(const outcome_list *list)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int i = 0; i < list->row_count; ++i) {
        const outcome_row *row = &list->rows[i];
        abut_cli_row_exit(row->method, row->case_name, NULL, row->status, &row->error, &code);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// The mode

static abut_cli_exit read_list(outcome_list *list)
{
    const abut_cli_arguments *arguments = list->arguments;
    const char *path = abut_cli_value_of(arguments, "curves");
    abut_cli_exit code = abut_cli_format_of(arguments, &list->format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_count_of(arguments, "steps", 1, &list->steps);
    code = code != ABUT_CLI_DONE ? code : abut_cli_comparison_check(arguments);
    if (code == ABUT_CLI_DONE && path != NULL) {
        code = abut_cli_check_writable(path); // before the work, not after it
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_assessed_methods(arguments, &list->methods);
    code = code != ABUT_CLI_DONE ? code : make_queries(list);
    return code != ABUT_CLI_DONE ? code : abut_cli_subjects_load(arguments, &list->subjects);
}

/// All simulations, on all threads.
static void run_list(outcome_list *list)
{
    abut_context context = abut_context_default();
    make_rows(list);
    abut_cli_progress_begin(&list->progress, "runs", list->row_count);
    context.parallel_for(context.user, list->row_count, 1, run_rows, list);
    abut_cli_progress_end(&list->progress);
}

static void release_list(outcome_list *list)
{
    for (int i = 0; i < list->row_count; ++i) {
        abut_outcome_release(NULL, &list->rows[i].report);
    }
    for (int i = 0; i < list->query_count; ++i) {
        abut_cli_query_release(&list->queries[i]);
    }
    free(list->rows);
    free(list->queries);
    free(list->readings);
    abut_cli_methods_release(&list->methods);
    abut_cli_subjects_release(&list->subjects);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    int is_compared = abut_cli_value_of(arguments, "compare") != NULL;
    outcome_list list = {.arguments = arguments, .subjects = {.is_compared = is_compared}};
    abut_cli_exit code = read_list(&list);
    if (code == ABUT_CLI_DONE) {
        run_list(&list);
        code = write_counts(&list);
    }
    code = code != ABUT_CLI_DONE ? code : print_list(&list);
    code = code != ABUT_CLI_DONE ? code : verdict(&list);
    release_list(&list);
    return code;
}

static const abut_cli_option options[] = {
    {"steps", "N", "how many steps to simulate", 0, 0},
    {"compare", "paper", "show both readings of each method beside the paper's Table 6", 0, 0},
    {"curves", "FILE.csv", "write the contact count of every step", 0, 0},
    ABUT_CLI_CASE_OPTION,
    ABUT_CLI_METHOD_OPTION,
    ABUT_CLI_SETTINGS_OPTION("abut, or paper (default with --compare)"),
    ABUT_CLI_SIZE_OPTION,
    ABUT_CLI_REFINE_OPTION,
    ABUT_CLI_QUERY_OPTIONS,
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_assess_steps_mode = {
    .name = "assess",
    .summary = "Simulate cases and scenes on the contacts of methods, and see whether they stand.",
    .usage = "--steps N [options]",
    .details =
        "Prints how many contacts the steps have, and the outcome: collapsed if a body fell by more than half its\n"
        "height; too stable if, without friction and with gravity tilted by 5 degrees, nothing slides although it\n"
        "does on the contacts of regions; else stands. docs/simulation.md explains this. To measure the contacts\n"
        "of single steps, use --step K instead: see abut assess --help.\n",
    .example = "  abut assess --steps 500 --case pillar --compare paper\n"
               "  abut assess --steps 100 --case spikes,arch --method regions,opposing --curves counts.csv\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run,
    .mode = "steps",
    .whole = &abut_cli_assess_verb,
};
