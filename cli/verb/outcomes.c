// SPDX-License-Identifier: MIT
// outcomes.c: whole simulations: how many contacts they have over time, and how structures fare
#include "verb/outcomes.h"

#include "shared/files.h"
#include "shared/progress.h"
#include "verb/comparison.h"
#include "verb/motion_run.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// One method on one case or scene.
typedef struct outcome_row {
    const abut_cli_query *query;
    const char *reading; ///< or ""
    const char *case_name;
    const abut_case *item;   ///< or NULL: a scene
    const abut_scene *scene; ///< or NULL: a case
    abut_status status;      ///< ABUT_OK: there is a report
    abut_error error;
    abut_outcome_report report;
    abut_count_summary counts;
} outcome_row;

typedef struct outcome_list {
    const abut_cli_outcomes *asked;
    abut_cli_query *queries; ///< of each method, in each reading
    const char **readings;   ///< as many
    int query_count;
    outcome_row *rows; ///< by case or scene, then by query
    int row_count;
    atomic_int done;
    abut_cli_progress progress;
} outcome_list;

// ---------------------------------------------------------------------------------------------------------------
// Runs

/// Whether the author's program does something else than the paper's text.
static int has_program_reading(const abut_method *method)
{
    return abut_cli_has_option(method, "reading") ||
           strcmp(abut_paper_options(method->name, 0), abut_paper_options(method->name, 1)) != 0;
}

static abut_cli_exit add_query(outcome_list *list, const abut_cli_method *method, const char *reading)
{
    const abut_cli_arguments *arguments = list->asked->arguments;
    abut_cli_query *query = &list->queries[list->query_count];
    list->readings[list->query_count++] = reading;
    if (list->asked->is_compared) {
        return abut_cli_paper_query(arguments, method, reading, "", query);
    }
    abut_cli_exit code = abut_cli_query_of(arguments, method, 1, query);
    return code != ABUT_CLI_DONE ? code : abut_cli_motion_options(arguments, query);
}

static abut_cli_exit make_queries(outcome_list *list)
{
    const abut_cli_methods *methods = list->asked->methods;
    size_t room = (size_t)methods->count * ABUT_CLI_READINGS;
    list->queries = abut_cli_resize(NULL, room, sizeof *list->queries);
    list->readings = abut_cli_resize(NULL, room, sizeof *list->readings);
    abut_cli_exit code = abut_cli_query_check_options(list->asked->arguments, methods);
    for (int m = 0; m < methods->count && code == ABUT_CLI_DONE; ++m) {
        const abut_cli_method *method = &methods->items[m];
        code = add_query(list, method, list->asked->is_compared ? abut_cli_reading_names[0] : "");
        if (code == ABUT_CLI_DONE && list->asked->is_compared && has_program_reading(method->row)) {
            code = add_query(list, method, abut_cli_reading_names[1]);
        }
    }
    return code;
}

static void add_rows(outcome_list *list, const char *case_name, const abut_case *item, const abut_scene *scene)
{
    for (int i = 0; i < list->query_count; ++i) {
        list->rows[list->row_count++] = (outcome_row){.query = &list->queries[i],
                                                      .reading = list->readings[i],
                                                      .case_name = case_name,
                                                      .item = item,
                                                      .scene = scene};
    }
}

static void make_rows(outcome_list *list)
{
    const abut_cli_outcomes *asked = list->asked;
    int subjects = asked->case_names->count + asked->scene_names->count;
    list->rows = abut_cli_resize(NULL, (size_t)list->query_count * (size_t)subjects, sizeof *list->rows);
    for (int i = 0; i < asked->case_names->count; ++i) {
        add_rows(list, asked->case_names->items[i], asked->cases[i].item, NULL);
    }
    for (int i = 0; i < asked->scene_names->count; ++i) {
        add_rows(list, asked->scene_names->items[i], NULL, asked->scenes[i].item);
    }
}

static void run_row(const outcome_list *list, outcome_row *row)
{
    abut_setup *setup = NULL;
    row->status = row->item != NULL ? abut_setup_create_case(NULL, row->item, &setup, &row->error)
                                    : abut_setup_create_scene(NULL, row->scene, &setup, &row->error);
    if (row->status == ABUT_OK) {
        abut_prox_params prox;
        abut_world_def def = abut_cli_world_def(row->query, setup, &prox);
        row->status = abut_find_outcome(NULL, setup, &def, list->asked->steps, &row->report, &row->error);
        row->counts = abut_summarise_counts(row->report.counts, row->report.steps);
    }
    abut_setup_destroy(setup);
}

static void run_rows(void *data, int begin, int end, int worker)
{
    outcome_list *list = data;
    for (int i = begin; i < end; ++i) {
        run_row(list, &list->rows[i]);
        int done = atomic_fetch_add(&list->done, 1) + 1;
        if (worker == 0) {
            abut_cli_progress_show(&list->progress, done);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Table and CSV

static const abut_cli_column columns[] = {
    {"case", NULL, ABUT_CLI_WORDS},
    {"method", "method", ABUT_CLI_WORDS},
    {"reading", "reading", ABUT_CLI_WORDS},
    {"steps", "steps", ABUT_CLI_NUMBER},
    {"mean", "mean", ABUT_CLI_NUMBER},
    {"mean_paper", "paper", ABUT_CLI_NUMBER},
    {"least", "least", ABUT_CLI_NUMBER},
    {"least_paper", "paper", ABUT_CLI_NUMBER},
    {"most", "most", ABUT_CLI_NUMBER},
    {"most_paper", "paper", ABUT_CLI_NUMBER},
    {"deviation", "deviation", ABUT_CLI_NUMBER},
    {"deviation_paper", "paper", ABUT_CLI_NUMBER},
    {"fallbacks", "fallbacks", ABUT_CLI_NUMBER},
    {"outcome", "outcome", ABUT_CLI_WORDS},
    {"outcome_paper", "paper", ABUT_CLI_WORDS},
    {"fall", "fall", ABUT_CLI_NUMBER},
    {"slide", "slide", ABUT_CLI_NUMBER},
    {"exact_slide", "exact", ABUT_CLI_NUMBER},
    {"status", "status", ABUT_CLI_WORDS},
    {"message", NULL, ABUT_CLI_WORDS},
};
enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

/// Why a row has no numbers, or how its run ended before the last step; "" where it did not.
static const char *message_of(const outcome_row *row, int steps)
{
    int is_short = row->report.steps < steps || row->report.outcome == ABUT_OUTCOME_FAILED;
    return row->status != ABUT_OK ? abut_cli_message(row->status, &row->error)
           : is_short             ? row->report.error.text
                                  : "";
}

/// In heights of the body that fell furthest; NaN where none fell.
static double fall_of(const outcome_row *row)
{
    return row->report.fall.body >= 0 ? row->report.fall.heights : (double)NAN;
}

static void add_cells(const outcome_list *list, const outcome_row *row, abut_cli_table *table)
{
    const double none = (double)NAN;
    int is_ok = row->status == ABUT_OK, has_counts = is_ok && row->report.steps > 0;
    const char *method = row->query->method->row->name;
    const abut_paper_counts *paper =
        list->asked->is_compared ? abut_paper_find_counts(method, row->case_name) : NULL;
    const abut_paper_behaviour *behaviour =
        list->asked->is_compared ? abut_paper_find_behaviour(method, row->case_name) : NULL;
    abut_cli_add_text(table, row->case_name);
    abut_cli_add_text(table, method);
    abut_cli_add_text(table, row->reading);
    abut_cli_add_number(table, is_ok ? row->report.steps : none);
    abut_cli_add_number(table, has_counts ? row->counts.mean : none);
    abut_cli_add_number(table, paper != NULL ? paper->mean : none);
    abut_cli_add_number(table, has_counts ? row->counts.least : none);
    abut_cli_add_number(table, paper != NULL ? paper->least : none);
    abut_cli_add_number(table, has_counts ? row->counts.most : none);
    abut_cli_add_number(table, paper != NULL ? paper->most : none);
    abut_cli_add_number(table, has_counts ? row->counts.deviation : none);
    abut_cli_add_number(table, paper != NULL ? paper->deviation : none);
    abut_cli_add_number(table, is_ok ? (double)row->report.fallbacks : none);
    abut_cli_add_text(table, is_ok ? abut_outcome_text(row->report.outcome) : "");
    abut_cli_add_text(table, behaviour != NULL ? behaviour->word : "");
    abut_cli_add_number(table, is_ok ? fall_of(row) : none);
    abut_cli_add_number(table, is_ok ? row->report.slide : none);
    abut_cli_add_number(table, is_ok ? row->report.exact_slide : none);
    abut_cli_add_text(table, abut_status_text(row->status));
    abut_cli_add_text(table, message_of(row, list->asked->steps));
}

static void print_table(const outcome_list *list, const abut_cli_table *table, FILE *out)
{
    for (int begin = 0, end; begin < list->row_count; begin = end) {
        end = begin + list->query_count;
        (void)fprintf(out, "%s, %d steps\n", list->rows[begin].case_name, list->asked->steps);
        abut_cli_table_print(table, (size_t)begin, (size_t)end, out);
        for (int i = begin; i < end; ++i) {
            const char *message = message_of(&list->rows[i], list->asked->steps);
            if (message[0] != '\0') {
                (void)fprintf(out, "%s: %s\n", list->rows[i].query->method->row->name, message);
            }
        }
        (void)fputs("\n", out);
    }
    (void)fputs(
        "mean, least, most, deviation: of the numbers of contacts of all steps; fallbacks: pairs of bodies that "
        "were\n"
        "too deep in each other for the method. outcome: collapsed: the centre of a body fell by more than half "
        "its\n"
        "height (fall, in heights); too stable: without friction, and with gravity tilted by 5 degrees, nothing "
        "goes\n"
        "a tenth as far as a free body (slide), where something does on the contacts of regions (exact); else\n"
        "stands. docs/simulation.md explains them.\n",
        out);
    if (list->asked->is_compared) {
        (void)fputs(
            "paper: Table 6 and section 7 of K. Erleben, Methodology for Assessing Mesh-Based Contact Point "
            "Methods,\n"
            "ACM Transactions on Graphics 37(3), 2018, which also calls behaviour good, or says that a method "
            "fails.\n",
            out);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static json_t *json_counts(double mean, int least, int most, double deviation)
{
    json_t *object = json_object();
    json_object_set_new(object, "mean", abut_cli_json_number(mean));
    json_object_set_new(object, "least", json_integer(least));
    json_object_set_new(object, "most", json_integer(most));
    json_object_set_new(object, "deviation", abut_cli_json_number(deviation));
    return object;
}

static json_t *json_paper(const outcome_row *row)
{
    const char *method = row->query->method->row->name;
    const abut_paper_counts *counts = abut_paper_find_counts(method, row->case_name);
    const abut_paper_behaviour *behaviour = abut_paper_find_behaviour(method, row->case_name);
    json_t *object = json_object();
    json_object_set_new(object, "contacts",
                        counts != NULL ? json_counts(counts->mean, counts->least, counts->most, counts->deviation)
                                       : json_null());
    json_object_set_new(object, "outcome", behaviour != NULL ? json_string(behaviour->word) : json_null());
    json_object_set_new(object, "source", behaviour != NULL ? json_string(behaviour->source) : json_null());
    return object;
}

static json_t *json_row(const outcome_list *list, const outcome_row *row)
{
    const double none = (double)NAN;
    int is_ok = row->status == ABUT_OK;
    const abut_outcome_report *report = &row->report;
    const char *message = message_of(row, list->asked->steps);
    json_t *object = json_object();
    json_object_set_new(object, "case", json_string(row->case_name));
    json_object_set_new(object, "method", json_string(row->query->method->row->name));
    json_object_set_new(object, "reading", row->reading[0] != '\0' ? json_string(row->reading) : json_null());
    json_object_set_new(object, "status", json_string(abut_status_text(row->status)));
    json_object_set_new(object, "message", message[0] != '\0' ? abut_cli_json_text(message) : json_null());
    json_object_set_new(object, "steps", is_ok ? json_integer(report->steps) : json_null());
    json_object_set_new(
        object, "contacts",
        is_ok ? json_counts(row->counts.mean, row->counts.least, row->counts.most, row->counts.deviation)
              : json_null());
    json_object_set_new(object, "fallbacks", is_ok ? json_integer(report->fallbacks) : json_null());
    json_object_set_new(object, "outcome", is_ok ? json_string(abut_outcome_text(report->outcome)) : json_null());
    json_object_set_new(object, "fall", abut_cli_json_number(is_ok ? fall_of(row) : none));
    json_object_set_new(object, "slide", abut_cli_json_number(is_ok ? report->slide : none));
    json_object_set_new(object, "exact_slide", abut_cli_json_number(is_ok ? report->exact_slide : none));
    json_object_set_new(object, "paper", list->asked->is_compared ? json_paper(row) : json_null());
    return object;
}

static json_t *json_of(const outcome_list *list)
{
    json_t *document = abut_cli_json_document(), *results = json_array();
    for (int i = 0; i < list->row_count; ++i) {
        json_array_append_new(results, json_row(list, &list->rows[i]));
    }
    json_object_set_new(document, "steps", json_integer(list->asked->steps));
    json_object_set_new(document, "results", results);
    return document;
}

// ---------------------------------------------------------------------------------------------------------------
// Output

static abut_cli_exit print_list(const outcome_list *list, abut_cli_format format)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (format == ABUT_CLI_JSON) {
        abut_cli_json_print(json_of(list), text.stream);
        return abut_cli_text_finish(&text);
    }
    abut_cli_column shown[COLUMN_COUNT];
    memcpy(shown, columns, sizeof shown);
    for (int i = 0; i < COLUMN_COUNT && !list->asked->is_compared; ++i) {
        int is_of_paper = strstr(shown[i].name, "_paper") != NULL || strcmp(shown[i].name, "reading") == 0;
        shown[i].heading = is_of_paper ? NULL : shown[i].heading;
    }
    abut_cli_table table;
    abut_cli_table_open(&table, shown, COLUMN_COUNT);
    for (int i = 0; i < list->row_count; ++i) {
        add_cells(list, &list->rows[i], &table);
    }
    if (format == ABUT_CLI_CSV) {
        abut_cli_csv_print(&table, text.stream);
    } else {
        print_table(list, &table, text.stream);
    }
    abut_cli_table_release(&table);
    return abut_cli_text_finish(&text);
}

static const abut_cli_column count_columns[] = {
    {"case", NULL, ABUT_CLI_WORDS},  {"method", NULL, ABUT_CLI_WORDS},    {"reading", NULL, ABUT_CLI_WORDS},
    {"step", NULL, ABUT_CLI_NUMBER}, {"contacts", NULL, ABUT_CLI_NUMBER},
};

/// The numbers of contacts of all steps, as in the paper's Figure 22.
static abut_cli_exit write_counts(const outcome_list *list)
{
    if (list->asked->counts_path == NULL) {
        return ABUT_CLI_DONE;
    }
    abut_cli_text text;
    abut_cli_table table;
    abut_cli_text_open(&text);
    abut_cli_table_open(&table, count_columns, (int)(sizeof count_columns / sizeof count_columns[0]));
    for (int i = 0; i < list->row_count; ++i) {
        const outcome_row *row = &list->rows[i];
        for (int k = 0; k < row->report.steps; ++k) {
            abut_cli_add_text(&table, row->case_name);
            abut_cli_add_text(&table, row->query->method->row->name);
            abut_cli_add_text(&table, row->reading);
            abut_cli_add_number(&table, k + 1);
            abut_cli_add_number(&table, row->report.counts[k]);
        }
    }
    abut_cli_csv_print(&table, text.stream);
    abut_cli_table_release(&table);
    char *content = abut_cli_text_take(&text);
    abut_cli_exit code = abut_cli_write_text(list->asked->counts_path, content);
    free(content);
    return code;
}

static abut_cli_exit verdict(const outcome_list *list)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int i = 0; i < list->row_count; ++i) {
        const outcome_row *row = &list->rows[i];
        if (abut_cli_query_exit(row->status) == ABUT_CLI_UNFINISHED) {
            code = abut_cli_fail(ABUT_CLI_UNFINISHED, "%s/%s: not finished: %s", row->query->method->row->name,
                                 row->case_name, abut_cli_message(row->status, &row->error));
        }
    }
    return code;
}

abut_cli_exit abut_cli_outcomes_run(const abut_cli_outcomes *asked, abut_cli_format format)
{
    outcome_list list = {.asked = asked};
    abut_cli_exit code = make_queries(&list);
    if (code == ABUT_CLI_DONE) {
        make_rows(&list);
        abut_context context = abut_context_default();
        abut_cli_progress_begin(&list.progress, "runs", list.row_count);
        context.parallel_for(context.user, list.row_count, 1, run_rows, &list);
        abut_cli_progress_end(&list.progress);
        code = write_counts(&list);
        code = code != ABUT_CLI_DONE ? code : print_list(&list, format);
        code = code != ABUT_CLI_DONE ? code : verdict(&list);
    }
    for (int i = 0; i < list.row_count; ++i) {
        abut_outcome_release(NULL, &list.rows[i].report);
    }
    for (int i = 0; i < list.query_count; ++i) {
        abut_cli_query_release(&list.queries[i]);
    }
    free(list.rows);
    free(list.queries);
    free(list.readings);
    return code;
}
