// SPDX-License-Identifier: MIT
// comparison.c: measures beside the numbers that the paper prints
#include "verb/comparison.h"

#include "shared/progress.h"
#include "verb/motion_run.h"

#include <stdlib.h>
#include <string.h>

enum { MEASURES = 3, READINGS = ABUT_CLI_READINGS };

static const char *const measure_names[MEASURES] = {"coverage", "quality", "contacts"};

const char *const abut_cli_reading_names[READINGS] = {"text", "program"};

/// One method on one case or scene in one reading.
typedef struct comparison_row {
    const char *reading;
    const char *method;
    const char *variant; ///< an option NAME=VALUE beside the reading, or ""
    const char *case_name;
    const char *state;
    const char *source;    ///< where the paper's numbers stand, or ""
    abut_status status;    ///< ABUT_OK: there are measures
    char *message;         ///< why there are none, or NULL
    double ours[MEASURES]; ///< NaN where there is none
    double paper[MEASURES];
    abut_agreement agreement[MEASURES];
} comparison_row;

typedef struct comparison {
    const abut_cli_compared *compared;
    comparison_row *rows;
    int count;
    abut_workspace *workspace;
    abut_cli_progress progress;
} comparison;

// ---------------------------------------------------------------------------------------------------------------
// Rows

static comparison_row *add_row(comparison *c, const char *case_name, const char *state, const abut_cli_query *query,
                               const char *reading, const char *variant)
{
    c->rows = abut_cli_resize(c->rows, (size_t)c->count + 1, sizeof *c->rows);
    comparison_row *row = &c->rows[c->count++];
    const char *method = query->method->row->name;
    *row = (comparison_row){.reading = reading,
                            .method = method,
                            .variant = variant,
                            .case_name = case_name,
                            .state = state,
                            .source = ""};
    // A variant is not what the paper measured.
    const abut_paper_row *paper = variant[0] == '\0' ? abut_paper_find(method, case_name) : NULL;
    for (int i = 0; i < MEASURES; ++i) {
        row->ours[i] = row->paper[i] = (double)NAN;
    }
    if (paper != NULL) {
        row->source = paper->source;
        row->paper[0] = paper->coverage;
        row->paper[1] = paper->quality;
        row->paper[2] = paper->contacts;
    }
    return row;
}

static void set_ours(comparison_row *row, double coverage, double quality, int contacts)
{
    row->ours[0] = coverage;
    row->ours[1] = contacts > 0 ? quality : 0.0; // as the paper prints it
    row->ours[2] = contacts;
    row->agreement[0] = abut_paper_compare_percent(row->ours[0], row->paper[0]);
    row->agreement[1] = abut_paper_compare_percent(row->ours[1], row->paper[1]);
    row->agreement[2] = abut_paper_compare_count(row->ours[2], row->paper[2]);
}

static void run_case(comparison *c, const abut_cli_query *query, const abut_cli_case *loaded, comparison_row *row)
{
    abut_cli_found found;
    abut_measures measures = {0};
    row->status = abut_cli_case_find(query, loaded, row->state, c->workspace, &found);
    if (row->status == ABUT_OK) {
        row->status = abut_paper_measure(NULL, loaded->item, found.poses, found.samples, found.count, &measures,
                                         &found.error);
    }
    if (row->status == ABUT_OK) {
        set_ours(row, measures.coverage_normals, measures.quality, measures.contacts);
    } else {
        row->message = abut_cli_copy(abut_cli_message(row->status, &found.error));
    }
    free(found.samples);
}

static void run_scene(comparison *c, const abut_cli_query *query, const abut_cli_scene *scene, comparison_row *row)
{
    abut_cli_row measured = {.case_name = row->case_name, .method = row->method, .state = row->state};
    abut_cli_scene_run(query, scene, c->workspace, &measured);
    row->status = measured.status;
    row->message = measured.message != NULL ? abut_cli_copy(measured.message) : NULL;
    if (row->status == ABUT_OK) {
        // The paper has a number for the Pillar alone; for the others it says what its plots of Q show.
        const abut_scene_measures *m = &measured.scene->measures;
        set_ours(row, m->coverage_paper, scene->item->rule == ABUT_SCENE_UP ? m->quality : m->visible_quality,
                 m->contacts);
    }
    abut_cli_row_release(&measured);
}

/// All cases and scenes with a method in a reading.
static void run_query(comparison *c, const abut_cli_query *query, const char *reading, const char *variant)
{
    const abut_cli_compared *compared = c->compared;
    for (int i = 0; i < compared->case_names->count; ++i) {
        const char *name = compared->case_names->items[i];
        const char *state = compared->state != NULL ? compared->state : abut_paper_state(name);
        run_case(c, query, &compared->cases[i], add_row(c, name, state, query, reading, variant));
        abut_cli_progress_show(&c->progress, c->count);
    }
    for (int i = 0; i < compared->scene_names->count; ++i) {
        const char *name = compared->scene_names->items[i];
        // at rest, scenes have one state
        int is_moving = compared->state != NULL && abut_cli_step_of(compared->state) > 0;
        const char *state = is_moving ? compared->state : abut_paper_state(name);
        run_scene(c, query, &compared->scenes[i], add_row(c, name, state, query, reading, variant));
        abut_cli_progress_show(&c->progress, c->count);
    }
}

abut_cli_exit abut_cli_paper_query(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                   const char *reading, const char *variant, abut_cli_query *query)
{
    int is_program = strcmp(reading, "program") == 0;
    abut_cli_exit code = abut_cli_query_of(arguments, method, 1, query);
    if (code == ABUT_CLI_DONE && variant[0] != '\0') {
        code = abut_cli_query_add(variant, query);
    }
    if (code == ABUT_CLI_DONE) {
        code = abut_cli_query_add_paper(arguments, is_program, query);
    }
    query->has_paper_settings = 1;
    query->has_long_normals = abut_paper_has_long_normals(method->row->name, is_program);
    return code != ABUT_CLI_DONE ? code : abut_cli_motion_options(arguments, query);
}

static abut_cli_exit run_method(comparison *c, const abut_cli_method *method, const char *reading,
                                const char *variant)
{
    abut_cli_query query;
    abut_cli_exit code = abut_cli_paper_query(c->compared->arguments, method, reading, variant, &query);
    if (code == ABUT_CLI_DONE) {
        run_query(c, &query, reading, variant);
    }
    abut_cli_query_release(&query);
    return code;
}

/// A method runs as it is and, where it can, without flat edges.
static const char *const variants[] = {"", "skip-flat-edges=yes"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static int has_variant(const abut_cli_method *method, const char *variant)
{
    return variant[0] == '\0' || abut_cli_has_option(method->row, variant);
}

static int row_total(const abut_cli_compared *compared)
{
    int runs = 0;
    for (int m = 0; m < compared->methods->count; ++m) {
        for (int v = 0; v < VARIANTS; ++v) {
            runs += READINGS * has_variant(&compared->methods->items[m], variants[v]);
        }
    }
    return runs * (compared->case_names->count + compared->scene_names->count);
}

static abut_cli_exit run_methods(comparison *c)
{
    const abut_cli_methods *methods = c->compared->methods;
    abut_cli_exit code = abut_cli_query_check_options(c->compared->arguments, methods);
    abut_cli_progress_begin(&c->progress, "rows", row_total(c->compared));
    for (int r = 0; r < READINGS; ++r) {
        for (int m = 0; m < methods->count; ++m) {
            for (int v = 0; v < VARIANTS && code == ABUT_CLI_DONE; ++v) {
                code = has_variant(&methods->items[m], variants[v])
                           ? run_method(c, &methods->items[m], abut_cli_reading_names[r], variants[v])
                           : ABUT_CLI_DONE;
            }
        }
    }
    abut_cli_progress_end(&c->progress);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// How many cells agree

typedef struct agreement_count {
    int equal, near, different;
} agreement_count;

static void count_cell(agreement_count *count, abut_agreement agreement)
{
    count->equal += agreement == ABUT_AGREEMENT_EQUAL;
    count->near += agreement == ABUT_AGREEMENT_NEAR;
    count->different += agreement == ABUT_AGREEMENT_DIFFERENT;
}

static int cells_of(agreement_count count)
{
    return count.equal + count.near + count.different;
}

/// Over the rows of a reading and source; all measures, or one of them.
static agreement_count count_agreement(const comparison *c, const char *reading, const char *source, int measure)
{
    agreement_count count = {0};
    for (int i = 0; i < c->count; ++i) {
        const comparison_row *row = &c->rows[i];
        for (int k = 0; k < MEASURES; ++k) {
            if (strcmp(row->reading, reading) == 0 && strcmp(row->source, source) == 0 &&
                (measure < 0 || measure == k)) {
                count_cell(&count, row->agreement[k]);
            }
        }
    }
    return count;
}

static const char *const sources[] = {"Table 8", "Table 7", "section 8.2", "section 8.3"};
enum { SOURCE_COUNT = sizeof sources / sizeof sources[0] };

// ---------------------------------------------------------------------------------------------------------------
// Table and CSV

static const abut_cli_column columns[] = {
    {"reading", NULL, ABUT_CLI_WORDS},
    {"method", NULL, ABUT_CLI_WORDS},
    {"option", NULL, ABUT_CLI_WORDS},
    {"case", "case", ABUT_CLI_WORDS},
    {"state", "state", ABUT_CLI_WORDS},
    {"source", "source", ABUT_CLI_WORDS},
    {"coverage", "coverage", ABUT_CLI_TENTHS},
    {"coverage_paper", "paper", ABUT_CLI_TENTHS},
    {"coverage_agreement", "", ABUT_CLI_WORDS},
    {"quality", "quality", ABUT_CLI_TENTHS},
    {"quality_paper", "paper", ABUT_CLI_TENTHS},
    {"quality_agreement", "", ABUT_CLI_WORDS},
    {"contacts", "contacts", ABUT_CLI_NUMBER},
    {"contacts_paper", "paper", ABUT_CLI_NUMBER},
    {"contacts_agreement", "", ABUT_CLI_WORDS},
    {"status", "status", ABUT_CLI_WORDS},
    {"message", NULL, ABUT_CLI_WORDS},
};
enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

static const char *agreement_name(abut_agreement agreement, abut_cli_format format)
{
    static const char *const names[] = {"", "equal", "near", "different"};
    static const char *const signs[] = {" ", "=", "~", "x"};
    return format == ABUT_CLI_TABLE ? signs[agreement] : names[agreement];
}

static void fill_table(const comparison *c, abut_cli_format format, abut_cli_table *table)
{
    for (int i = 0; i < c->count; ++i) {
        const comparison_row *row = &c->rows[i];
        abut_cli_add_text(table, row->reading);
        abut_cli_add_text(table, row->method);
        abut_cli_add_text(table, row->variant);
        abut_cli_add_text(table, row->case_name);
        abut_cli_add_text(table, row->state);
        abut_cli_add_text(table, row->source);
        for (int k = 0; k < MEASURES; ++k) {
            abut_cli_add_number(table, row->ours[k]);
            abut_cli_add_number(table, row->paper[k]);
            abut_cli_add_text(table, agreement_name(row->agreement[k], format));
        }
        abut_cli_add_text(table, abut_status_text(row->status));
        abut_cli_add_text(table, row->message != NULL ? row->message : "");
    }
}

static int is_same_group(const comparison_row *a, const comparison_row *b)
{
    return strcmp(a->reading, b->reading) == 0 && strcmp(a->method, b->method) == 0 &&
           strcmp(a->variant, b->variant) == 0;
}

/// The first row after `begin` that is of another reading, method or variant.
static int group_end(const comparison *c, int begin)
{
    int end = begin + 1;
    while (end < c->count && is_same_group(&c->rows[begin], &c->rows[end])) {
        ++end;
    }
    return end;
}

static void print_count(const char *label, agreement_count count, FILE *out)
{
    (void)fprintf(out, "%-12s %3d cells: %3d equal, %3d within 10 points, %3d different\n", label, cells_of(count),
                  count.equal, count.near, count.different);
}

static void print_counts(const comparison *c, const char *reading, FILE *out)
{
    for (int s = 0; s < SOURCE_COUNT; ++s) {
        agreement_count all = count_agreement(c, reading, sources[s], -1);
        if (cells_of(all) == 0) {
            continue;
        }
        (void)fprintf(out, "Reading %s, ", reading);
        print_count(sources[s], all, out);
        for (int k = 0; k < MEASURES; ++k) {
            agreement_count one = count_agreement(c, reading, sources[s], k);
            if (cells_of(one) > 0) {
                (void)fputs("  ", out);
                print_count(measure_names[k], one, out);
            }
        }
    }
    (void)fputs("\n", out);
}

static void print_table(const comparison *c, const abut_cli_table *table, FILE *out)
{
    for (int begin = 0, end; begin < c->count; begin = end) {
        const comparison_row *first = &c->rows[begin];
        end = group_end(c, begin);
        (void)fprintf(out, "reading %s: %s%s%s\n", first->reading, first->method,
                      first->variant[0] != '\0' ? ", " : "", first->variant);
        abut_cli_table_print(table, (size_t)begin, (size_t)end, out);
        for (int i = begin; i < end; ++i) {
            if (c->rows[i].message != NULL) {
                (void)fprintf(out, "%s: %s\n", c->rows[i].case_name, c->rows[i].message);
            }
        }
        (void)fputs("\n", out);
        if (end == c->count || strcmp(c->rows[end].reading, first->reading) != 0) {
            print_counts(c, first->reading, out);
        }
    }
    (void)fputs(
        "Beside each number stands that of K. Erleben, Methodology for Assessing Mesh-Based Contact Point "
        "Methods,\n"
        "ACM Transactions on Graphics 37(3), 2018: = equal, ~ within 10 points (contacts: 10 %), x different.\n"
        "coverage: % of the expected normals; of wall and arch 100 P. Reading text: the methods as the paper's\n"
        "text has them; program: as the author's program does. docs/reproduction.md explains the differences.\n",
        out);
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static json_t *json_row(const comparison_row *row)
{
    json_t *object = json_object();
    json_object_set_new(object, "case", json_string(row->case_name));
    json_object_set_new(object, "method", abut_cli_json_text(row->method));
    json_object_set_new(object, "reading", json_string(row->reading));
    json_object_set_new(object, "option", row->variant[0] != '\0' ? json_string(row->variant) : json_null());
    json_object_set_new(object, "state", abut_cli_json_text(row->state));
    json_object_set_new(object, "source", row->source[0] != '\0' ? json_string(row->source) : json_null());
    json_object_set_new(object, "status", json_string(abut_status_text(row->status)));
    json_object_set_new(object, "message", abut_cli_json_text(row->message));
    for (int k = 0; k < MEASURES; ++k) {
        json_t *cell = json_object();
        const char *agreement = agreement_name(row->agreement[k], ABUT_CLI_JSON);
        json_object_set_new(cell, "ours", abut_cli_json_number(row->ours[k]));
        json_object_set_new(cell, "paper", abut_cli_json_number(row->paper[k]));
        json_object_set_new(cell, "agreement", agreement[0] != '\0' ? json_string(agreement) : json_null());
        json_object_set_new(object, measure_names[k], cell);
    }
    return object;
}

static json_t *json_count(const char *reading, const char *source, const char *measure, agreement_count count)
{
    json_t *object = json_object();
    json_object_set_new(object, "reading", json_string(reading));
    json_object_set_new(object, "source", json_string(source));
    json_object_set_new(object, "measure", abut_cli_json_text(measure));
    json_object_set_new(object, "cells", json_integer(cells_of(count)));
    json_object_set_new(object, "equal", json_integer(count.equal));
    json_object_set_new(object, "near", json_integer(count.near));
    json_object_set_new(object, "different", json_integer(count.different));
    return object;
}

static json_t *json_of(const comparison *c)
{
    json_t *document = abut_cli_json_document(), *results = json_array(), *counts = json_array();
    for (int i = 0; i < c->count; ++i) {
        json_array_append_new(results, json_row(&c->rows[i]));
    }
    for (int r = 0; r < READINGS; ++r) {
        for (int s = 0; s < SOURCE_COUNT; ++s) {
            for (int k = -1; k < MEASURES; ++k) {
                agreement_count count = count_agreement(c, abut_cli_reading_names[r], sources[s], k);
                if (cells_of(count) > 0) {
                    json_array_append_new(counts, json_count(abut_cli_reading_names[r], sources[s],
                                                             k < 0 ? NULL : measure_names[k], count));
                }
            }
        }
    }
    json_object_set_new(document, "results", results);
    json_object_set_new(document, "agreement", counts);
    return document;
}

// ---------------------------------------------------------------------------------------------------------------
// The comparison

abut_cli_exit abut_cli_comparison_check(const abut_cli_arguments *arguments)
{
    static const char *const others[] = {"contacts", "require", "readings"};
    const char *with = abut_cli_value_of(arguments, "compare");
    if (strcmp(with, "paper") != 0) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --compare '%s': can only be paper", with);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (abut_cli_value_of(arguments, others[i]) != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "options --compare and --%s do not go together: call abut assess twice",
                                 others[i]);
        }
    }
    if (abut_cli_value_of(arguments, "curves") != NULL && abut_cli_value_of(arguments, "steps") == NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "options --compare and --curves go together with --steps only");
    }
    int position = 0;
    const char *text;
    while ((text = abut_cli_next_value(arguments, "option", &position)) != NULL) {
        if (strncmp(text, "reading=", strlen("reading=")) == 0 ||
            strncmp(text, "skip-flat-edges=", strlen("skip-flat-edges=")) == 0) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --option '%s': leave it out: --compare runs all of them", text);
        }
    }
    return ABUT_CLI_DONE;
}

static abut_cli_exit print_comparison(const comparison *c, abut_cli_format format)
{
    abut_cli_text text;
    abut_cli_table table;
    abut_cli_text_open(&text);
    abut_cli_table_open(&table, columns, COLUMN_COUNT);
    fill_table(c, format, &table);
    if (format == ABUT_CLI_JSON) {
        abut_cli_json_print(json_of(c), text.stream);
    } else if (format == ABUT_CLI_CSV) {
        abut_cli_csv_print(&table, text.stream);
    } else {
        print_table(c, &table, text.stream);
    }
    abut_cli_table_release(&table);
    return abut_cli_text_finish(&text);
}

abut_cli_exit abut_cli_comparison_run(const abut_cli_compared *compared, abut_cli_format format)
{
    comparison c = {.compared = compared};
    abut_status status = abut_workspace_create(NULL, &c.workspace);
    abut_cli_exit code = status == ABUT_OK ? run_methods(&c) : abut_cli_fail_status(status, NULL);
    code = code != ABUT_CLI_DONE ? code : print_comparison(&c, format);
    for (int i = 0; i < c.count; ++i) {
        if (code == ABUT_CLI_DONE && abut_cli_query_exit(c.rows[i].status) == ABUT_CLI_UNFINISHED) {
            code = abut_cli_fail(ABUT_CLI_UNFINISHED, "%s/%s: not finished: %s", c.rows[i].method,
                                 c.rows[i].case_name, c.rows[i].message);
        }
        free(c.rows[i].message);
    }
    free(c.rows);
    abut_workspace_destroy(c.workspace);
    return code;
}
