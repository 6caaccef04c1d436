// SPDX-License-Identifier: MIT
// assess_compare.c: abut assess --compare: measures beside the numbers that the paper prints
#include "shared/layout.h"
#include "shared/progress.h"
#include "verb/assess_modes.h"
#include "verb/assess_parts.h"
#include "verb/verbs.h"

#include <abut-lab/states.h>

#include <stdlib.h>
#include <string.h>

enum { MEASURES = 3, READINGS = ABUT_CLI_READINGS };

static const char *const measure_names[MEASURES] = {"coverage", "quality", "contacts"};

/// A number of ours and that of the paper.
typedef struct comparison_cell {
    double ours, paper; ///< NaN: none
    abut_agreement agreement;
} comparison_cell;

/// One method on one case or scene in one reading.
typedef struct comparison_row {
    const char *reading;
    const char *method;
    const char *variant; ///< an option NAME=VALUE beside the reading, or ""
    const char *case_name;
    const char *state;
    const char *source; ///< of the paper's numbers, or ""
    abut_status status; ///< ABUT_OK: there are measures
    abut_error error;   ///< why there are none
    comparison_cell cells[MEASURES];
} comparison_row;

/// How many cells of the rows of a reading and source agree.
typedef struct agreement_count {
    const char *reading, *source;
    const char *measure; ///< NULL: all of them
    const char *methods; ///< NULL: all of them
    int cells, equal, near, different;
} agreement_count;

typedef struct comparison {
    const abut_cli_arguments *arguments;
    abut_cli_format format;
    abut_cli_subjects subjects;
    abut_cli_states states; ///< of --state and --step: one, or none
    abut_cli_states paper;  ///< states that the paper's numbers are for
    abut_states *stored;    ///< of --states, or NULL
    const char *origin;     ///< of the states, in words
    abut_cli_methods methods;
    comparison_row *rows;
    int count;
    agreement_count *agreements;
    int agreement_count;
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
        row->cells[i] = (comparison_cell){.ours = (double)NAN, .paper = (double)NAN};
    }
    if (paper != NULL) {
        row->source = paper->source;
        row->cells[0].paper = paper->coverage;
        row->cells[1].paper = paper->quality;
        row->cells[2].paper = paper->contacts;
    }
    return row;
}

static void set_ours(comparison_row *row, const abut_measures *ours)
{
    comparison_cell *cells = row->cells;
    cells[0].ours = ours->coverage_normals;
    cells[1].ours = ours->contacts > 0 ? ours->quality : 0.0; // as the paper prints it
    cells[2].ours = ours->contacts;
    cells[0].agreement = abut_paper_compare_percent(cells[0].ours, cells[0].paper);
    cells[1].agreement = abut_paper_compare_percent(cells[1].ours, cells[1].paper);
    cells[2].agreement = abut_paper_compare_count(cells[2].ours, cells[2].paper);
}

/// The state in which a subject is compared. At rest, scenes have one state.
static abut_cli_state state_of(comparison *c, const abut_cli_subject *subject)
{
    if (c->states.count > 0 && (subject->scene == NULL || c->states.items[0].value.kind == ABUT_STATE_STEP)) {
        return c->states.items[0];
    }
    return abut_cli_states_add(&c->paper, abut_paper_state(subject->name), NULL);
}

/// Measures one row on the meshes of --states, which are of this case and method.
static abut_status assess_stored(const comparison *c, const abut_states_row *stored, const abut_cli_query *query,
                                 const abut_assess_params *params, abut_assess_row *score)
{
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    abut_case *item = NULL;
    abut_subject *subject = NULL;
    *score = (abut_assess_row){0};
    score->status = abut_states_load(c->stored, stored, &item, &score->error);
    if (score->status == ABUT_OK) {
        score->status = abut_subject_create_case(NULL, item, &subject, &score->error);
    }
    if (score->status == ABUT_OK) {
        (void)abut_assess(subject, query->method->row, params, touching, score);
    }
    abut_subject_destroy(subject);
    abut_case_destroy(item);
    return score->status;
}

/// All cases and scenes with a method in a reading. Of --states, those that are there.
static void run_query(comparison *c, const abut_cli_query *query, const char *reading, const char *variant)
{
    abut_assess_params params = abut_cli_assess_params(query);
    for (int i = 0; i < c->subjects.count; ++i) {
        const abut_cli_subject *subject = &c->subjects.items[i];
        const abut_states_row *stored =
            c->stored != NULL ? abut_states_find(c->stored, subject->name, query->method->row->name) : NULL;
        if (c->stored != NULL && stored == NULL) {
            continue;
        }
        abut_cli_state state =
            stored != NULL ? abut_cli_states_add(
                                 &c->paper, (abut_state){.kind = ABUT_STATE_STEP, .step = stored->detection}, NULL)
                           : state_of(c, subject);
        comparison_row *row = add_row(c, subject->name, state.text, query, reading, variant);
        abut_assess_row score;
        row->status = stored != NULL ? assess_stored(c, stored, query, &params, &score)
                                     : abut_assess(subject->item, query->method->row, &params, state.value, &score);
        if (row->status == ABUT_OK) {
            set_ours(row, &score.paper);
        }
        row->error = score.error;
        abut_assess_row_release(&score);
        abut_cli_progress_show(&c->progress, c->count);
    }
}

static abut_cli_exit run_method(comparison *c, const abut_cli_method *method, abut_paper_reading reading,
                                const char *variant)
{
    abut_cli_query query;
    abut_cli_paper_choice choice = {.reading = reading, .variant = variant, .is_eroded = c->stored != NULL};
    abut_cli_exit code = abut_cli_paper_query(c->arguments, method, &choice, &query);
    if (code == ABUT_CLI_DONE) {
        run_query(c, &query, abut_cli_reading_names[reading], variant);
    }
    abut_cli_query_release(&query);
    return code;
}

/// A method runs as it is and, if it has the option, without flat edges and with the nearest features only. These are
/// variants of the text.
static const char *const variants[] = {"", "skip-flat-edges=yes", "nearest=yes"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/// Whether a method is run in a reading with a variant. Methods that are not the paper's have one reading.
static int is_run(const abut_cli_method *method, int reading, const char *variant)
{
    return variant[0] == '\0' ? reading == ABUT_PAPER_TEXT || abut_cli_has_option(method->row, "reading")
                              : reading == ABUT_PAPER_TEXT && abut_cli_has_option(method->row, variant);
}

static int row_total(const comparison *c)
{
    int runs = 0;
    for (int m = 0; m < c->methods.count; ++m) {
        for (int k = 0; k < READINGS * VARIANTS; ++k) {
            runs += is_run(&c->methods.items[m], k / VARIANTS, variants[k % VARIANTS]);
        }
    }
    return runs * c->subjects.count;
}

static abut_cli_exit run_methods(comparison *c)
{
    const abut_cli_methods *methods = &c->methods;
    abut_cli_exit code = ABUT_CLI_DONE;
    abut_cli_progress_begin(&c->progress, "rows", row_total(c));
    for (int r = 0; r < READINGS; ++r) {
        for (int m = 0; m < methods->count; ++m) {
            for (int v = 0; v < VARIANTS && code == ABUT_CLI_DONE; ++v) {
                code = is_run(&methods->items[m], r, variants[v])
                           ? run_method(c, &methods->items[m], (abut_paper_reading)r, variants[v])
                           : ABUT_CLI_DONE;
            }
        }
    }
    abut_cli_progress_end(&c->progress);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// How many cells agree

static const char *const sources[] = {"Table 8", "Table 7", "section 8.2", "section 8.3"};
enum { SOURCE_COUNT = sizeof sources / sizeof sources[0] };

/// Parts of the methods that are also counted for themselves: see docs/reproduction.md.
static const char CLOSEST[] = "closest-points", OTHERS[] = "others";

/// What is counted of the rows of a reading and source.
typedef struct counted {
    const char *reading, *source;
    int measure;         ///< -1: all of them
    const char *methods; ///< NULL: all of them
} counted;

static int is_counted(const comparison_row *row, const counted *what)
{
    int is_closest = strcmp(row->method, CLOSEST) == 0;
    return strcmp(row->reading, what->reading) == 0 && strcmp(row->source, what->source) == 0 &&
           (what->methods == NULL || is_closest == (what->methods == CLOSEST));
}

static agreement_count count_agreement(const comparison *c, const counted *what)
{
    agreement_count count = {.reading = what->reading,
                             .source = what->source,
                             .measure = what->measure >= 0 ? measure_names[what->measure] : NULL,
                             .methods = what->methods};
    for (int i = 0; i < c->count; ++i) {
        const comparison_row *row = &c->rows[i];
        for (int k = 0; k < MEASURES && is_counted(row, what); ++k) {
            if (what->measure < 0 || what->measure == k) {
                count.equal += row->cells[k].agreement == ABUT_AGREEMENT_EQUAL;
                count.near += row->cells[k].agreement == ABUT_AGREEMENT_NEAR;
                count.different += row->cells[k].agreement == ABUT_AGREEMENT_DIFFERENT;
            }
        }
    }
    count.cells = count.equal + count.near + count.different;
    return count;
}

static void add_agreement(comparison *c, const counted *what)
{
    agreement_count count = count_agreement(c, what);
    if (count.cells > 0) {
        c->agreements[c->agreement_count++] = count;
    }
}

/// By reading, source and measure, without those that have no cells. Of Table 8 also with and without closest-points,
/// if there are both.
static void count_agreements(comparison *c)
{
    enum { PARTS = MEASURES + 3 };
    c->agreements = abut_cli_resize(NULL, (size_t)READINGS * SOURCE_COUNT * PARTS, sizeof *c->agreements);
    for (int i = 0; i < READINGS * SOURCE_COUNT; ++i) {
        counted what = {abut_cli_reading_names[i / SOURCE_COUNT], sources[i % SOURCE_COUNT], -1, NULL};
        counted closest = what, others = what;
        closest.methods = CLOSEST;
        others.methods = OTHERS;
        add_agreement(c, &what);
        if (i % SOURCE_COUNT == 0 && count_agreement(c, &closest).cells > 0 &&
            count_agreement(c, &others).cells > 0) {
            add_agreement(c, &others);
            add_agreement(c, &closest);
        }
        for (what.measure = 0; what.measure < MEASURES; ++what.measure) {
            add_agreement(c, &what);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Members

static const char *agreement_text(const void *row)
{
    static const char *const names[] = {NULL, "equal", "near", "different"};
    return names[((const comparison_cell *)row)->agreement];
}

static const char *agreement_sign(const void *row)
{
    static const char *const signs[] = {" ", "=", "~", "x"};
    return signs[((const comparison_cell *)row)->agreement];
}

static const abut_cli_member cell_members[] = {
    {"ours", NULL, ABUT_CLI_AT(comparison_cell, ours)},
    {"paper", NULL, ABUT_CLI_AT(comparison_cell, paper)},
    {"agreement", NULL, ABUT_CLI_TEXT_BY(agreement_text)},
};
static const abut_cli_layout cell_layout = ABUT_CLI_LAYOUT(cell_members);

/// The columns of a cell: a word in CSV, a sign in tables.
#define CELL_COLUMNS(measure, tenths)                                                                              \
    {                                                                                                              \
        {measure, measure, ABUT_CLI_AT(comparison_cell, ours), .has_tenths = (tenths)},                            \
            {measure "_paper", "paper", ABUT_CLI_AT(comparison_cell, paper), .has_tenths = (tenths)},              \
            {measure "_agreement", NULL, ABUT_CLI_TEXT_BY(agreement_text)},                                        \
            {NULL, "", ABUT_CLI_TEXT_BY(agreement_sign)},                                                          \
    }
static const abut_cli_member cell_columns[MEASURES][4] = {CELL_COLUMNS("coverage", 1), CELL_COLUMNS("quality", 1),
                                                          CELL_COLUMNS("contacts", 0)};
static const abut_cli_layout column_layouts[MEASURES] = {
    ABUT_CLI_LAYOUT(cell_columns[0]), ABUT_CLI_LAYOUT(cell_columns[1]), ABUT_CLI_LAYOUT(cell_columns[2])};

/// Why there are no measures, or NULL.
static const char *message_text(const void *row)
{
    const comparison_row *r = row;
    return r->status != ABUT_OK ? abut_cli_message(r->status, &r->error) : NULL;
}

#define CELL_PART(k)                                                                                               \
    {                                                                                                              \
        NULL, NULL, ABUT_CLI_PART_AT(comparison_row, cells[k], column_layouts[k]), .place = ABUT_CLI_COLUMNS_ONLY  \
    }
#define CELL_OBJECT(measure, k)                                                                                    \
    {                                                                                                              \
        measure, NULL, ABUT_CLI_OBJECT_AT(comparison_row, cells[k], cell_layout), .place = ABUT_CLI_JSON_ONLY,     \
                                                                                  .json_rank = 3                   \
    }
static const abut_cli_member row_members[] = {
    {"reading", NULL, ABUT_CLI_AT(comparison_row, reading), .json_rank = 2},
    {"method", NULL, ABUT_CLI_AT(comparison_row, method), .json_rank = 1},
    {"option", NULL, ABUT_CLI_AT(comparison_row, variant), .is_null_if_zero = 1, .json_rank = 2},
    {"case", "case", ABUT_CLI_AT(comparison_row, case_name)},
    {"state", "state", ABUT_CLI_AT(comparison_row, state), .json_rank = 2},
    {"source", "source", ABUT_CLI_AT(comparison_row, source), .is_null_if_zero = 1, .json_rank = 2},
    CELL_PART(0),
    CELL_PART(1),
    CELL_PART(2),
    {"status", "status", ABUT_CLI_TEXT_OF(comparison_row, status, abut_cli_status_member), .json_rank = 2},
    {"message", NULL, ABUT_CLI_TEXT_BY(message_text), .json_rank = 2},
    CELL_OBJECT("coverage", 0),
    CELL_OBJECT("quality", 1),
    CELL_OBJECT("contacts", 2),
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

static const abut_cli_member agreement_members[] = {
    {"reading", NULL, ABUT_CLI_AT(agreement_count, reading)},
    {"source", NULL, ABUT_CLI_AT(agreement_count, source)},
    {"measure", NULL, ABUT_CLI_AT(agreement_count, measure)},
    {"methods", NULL, ABUT_CLI_AT(agreement_count, methods)},
    {"cells", NULL, ABUT_CLI_AT(agreement_count, cells)},
    {"equal", NULL, ABUT_CLI_AT(agreement_count, equal)},
    {"near", NULL, ABUT_CLI_AT(agreement_count, near)},
    {"different", NULL, ABUT_CLI_AT(agreement_count, different)},
};
static const abut_cli_layout agreement_layout = ABUT_CLI_LAYOUT(agreement_members);

static abut_cli_rows result_rows(const void *row)
{
    const comparison *c = row;
    return (abut_cli_rows){&row_layout, c->rows, c->count, sizeof *c->rows};
}

static abut_cli_rows agreement_rows(const void *row)
{
    const comparison *c = row;
    return (abut_cli_rows){&agreement_layout, c->agreements, c->agreement_count, sizeof *c->agreements};
}

static const abut_cli_member document_members[] = {
    {"states", NULL, ABUT_CLI_AT(comparison, origin)},
    {"results", NULL, ABUT_CLI_ROWS_BY(result_rows)},
    {"agreement", NULL, ABUT_CLI_ROWS_BY(agreement_rows)},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

// ---------------------------------------------------------------------------------------------------------------
// The table

static int is_same_group(const comparison_row *a, const comparison_row *b)
{
    return strcmp(a->reading, b->reading) == 0 && strcmp(a->method, b->method) == 0 &&
           strcmp(a->variant, b->variant) == 0;
}

/// The first row after `begin` with another reading, method or variant.
static int group_end(const comparison *c, int begin)
{
    int end = begin + 1;
    while (end < c->count && is_same_group(&c->rows[begin], &c->rows[end])) {
        ++end;
    }
    return end;
}

/// How many cells of a reading agree: for each source a line, and one for each measure.
static void print_counts(const comparison *c, const char *reading, FILE *out)
{
    for (int i = 0; i < c->agreement_count; ++i) {
        const agreement_count *count = &c->agreements[i];
        if (strcmp(count->reading, reading) != 0) {
            continue;
        }
        const char *part = count->measure != NULL ? count->measure : count->methods;
        if (part != NULL) {
            (void)fprintf(out, "  %-14s", part == OTHERS ? "other methods" : part);
        } else {
            (void)fprintf(out, "Reading %s, %-14s", reading, count->source);
        }
        (void)fprintf(out, " %3d of %3d cells equal, %3d within 10 points, %3d different\n", count->equal,
                      count->cells, count->near, count->different);
    }
    (void)fputs("\n", out);
}

static void write_table(const void *data, const abut_cli_table *table, FILE *out)
{
    const comparison *c = data;
    for (int begin = 0, end; begin < c->count; begin = end) {
        const comparison_row *first = &c->rows[begin];
        end = group_end(c, begin);
        (void)fprintf(out, "reading %s: %s%s%s\n", first->reading, first->method,
                      first->variant[0] != '\0' ? ", " : "", first->variant);
        abut_cli_table_print(table, (size_t)begin, (size_t)end, out);
        for (int i = begin; i < end; ++i) {
            if (c->rows[i].status != ABUT_OK) {
                (void)fprintf(out, "%s: %s\n", c->rows[i].case_name, message_text(&c->rows[i]));
            }
        }
        (void)fputs("\n", out);
        if (end == c->count || strcmp(c->rows[end].reading, first->reading) != 0) {
            print_counts(c, first->reading, out);
        }
    }
    (void)fprintf(out, "States: %s.\n", c->origin);
    (void)fputs(
        "Beside each number stands that of K. Erleben, Methodology for Assessing Mesh-Based Contact Point "
        "Methods,\n"
        "ACM Transactions on Graphics 37(3), 2018: = equal, ~ within 10 points (contacts: 10 %), x different.\n"
        "coverage: % of the expected normals; of wall and arch 100 P. Reading text: the methods as the paper's\n"
        "text has them; program: as the author's program does, in its single precision; program-double: the same "
        "in\n"
        "double precision. docs/reproduction.md explains the differences.\n",
        out);
}

// ---------------------------------------------------------------------------------------------------------------
// The mode

/// Reads --states. The states are of the ten cases, each with its own size and detection.
static abut_cli_exit read_stored(comparison *c)
{
    static const char *const others[] = {"state", "step", "scene-size", "refine"};
    const char *folder = abut_cli_value_of(c->arguments, "states");
    if (folder == NULL) {
        return ABUT_CLI_DONE;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (abut_cli_value_of(c->arguments, others[i]) != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --states: the folder has states and sizes: leave out --%s", others[i]);
        }
    }
    abut_error error = {0};
    abut_status status = abut_states_read(NULL, folder, &c->stored, &error);
    return status == ABUT_OK ? ABUT_CLI_DONE
                             : abut_cli_fail(abut_cli_exit_of(status), "%s", abut_cli_message(status, &error));
}

/// --states has states of cases only, and one of each that has numbers in the paper.
static abut_cli_exit check_stored(const comparison *c)
{
    for (int i = 0; i < c->subjects.count && c->stored != NULL; ++i) {
        const abut_cli_subject *subject = &c->subjects.items[i];
        if (subject->scene != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --states: %s is a scene: there are states of cases only", subject->name);
        }
        for (int m = 0; m < c->methods.count; ++m) {
            const char *method = c->methods.items[m].row->name;
            if (abut_paper_find(method, subject->name) != NULL &&
                abut_states_find(c->stored, subject->name, method) == NULL) {
                return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s/states.csv: no state of %s with method %s",
                                     abut_cli_value_of(c->arguments, "states"), subject->name, method);
            }
        }
    }
    return ABUT_CLI_DONE;
}

/// Where the states come from, in words.
static const char *origin_of(const comparison *c)
{
    return c->stored != NULL ? abut_cli_value_of(c->arguments, "states")
           : c->states.count > 0
               ? "ours, as --state or --step says"
               : "ours, scene size 20, at the second detection of a simulation with the method (sliding-wedge: the "
                 "first)";
}

static abut_cli_exit read_comparison(comparison *c)
{
    abut_cli_exit code = abut_cli_format_of(c->arguments, &c->format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_comparison_check(c->arguments);
    code = code != ABUT_CLI_DONE ? code : abut_cli_states_read(c->arguments, &c->states);
    if (code == ABUT_CLI_DONE && c->states.count > 1) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --compare: give at most one --state or --step");
    }
    code = code != ABUT_CLI_DONE ? code : read_stored(c);
    c->origin = origin_of(c);
    c->subjects.is_compared = c->stored == NULL;
    code = code != ABUT_CLI_DONE ? code : abut_cli_assessed_methods(c->arguments, &c->methods);
    code = code != ABUT_CLI_DONE ? code : abut_cli_subjects_load(c->arguments, &c->subjects);
    return code != ABUT_CLI_DONE ? code : check_stored(c);
}

static abut_cli_exit verdict(const comparison *c)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int i = 0; i < c->count; ++i) {
        const comparison_row *row = &c->rows[i];
        abut_cli_row_exit(row->method, row->case_name, row->state, row->status, &row->error, &code);
    }
    return code;
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    if (strcmp(abut_cli_value_of(arguments, "compare"), "peers") == 0) {
        return abut_cli_assess_peers(arguments);
    }
    comparison c = {.arguments = arguments};
    abut_cli_exit code = read_comparison(&c);
    code = code != ABUT_CLI_DONE ? code : run_methods(&c);
    if (code == ABUT_CLI_DONE) {
        count_agreements(&c);
        abut_cli_report report = {&document_layout, &c, result_rows(&c), write_table};
        code = abut_cli_report_print(&report, c.format);
        code = code != ABUT_CLI_DONE ? code : verdict(&c);
    }
    free(c.rows);
    free(c.agreements);
    abut_cli_subjects_release(&c.subjects);
    abut_cli_methods_release(&c.methods);
    abut_cli_states_release(&c.states);
    abut_cli_states_release(&c.paper);
    abut_states_destroy(c.stored);
    return code;
}

static const abut_cli_option options[] = {
    {"compare", "paper|peers", "with the numbers of Erleben 2018, or with other libraries", 0, 0},
    ABUT_CLI_CASE_OPTION,
    ABUT_CLI_METHOD_OPTION,
    {"state", "STATE", "touching, detection or sunk:L (default: what the paper measured)", 1, 0},
    {"step", "K", "detection K of a simulation with the method, from 1", 1, 0},
    {"states", "DIR", "meshes of the author's program where it measured, instead of our own scenes", 0, 0},
    ABUT_CLI_SETTINGS_OPTION("abut or paper (default)"),
    ABUT_CLI_SIZE_OPTION,
    ABUT_CLI_REFINE_OPTION,
    ABUT_CLI_QUERY_OPTIONS,
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_assess_compare_mode = {
    .name = "assess",
    .summary = "Compare measures of methods with the numbers that the paper prints.",
    .usage = "--compare paper [options]",
    .details = "Runs each method as the text of Erleben 2018 has it, in variants of the text, and as the author's "
               "program\n"
               "does, in single and double precision. Prints coverage, quality and contacts beside those of the "
               "paper, and\n"
               "counts how many agree (docs/reproduction.md). --states DIR: a folder as in docs/formats.md. "
               "peers: a build\n"
               "with ABUT_PEERS also scores FCL, Bullet, ODE and MuJoCo (cases and --case overlap). With "
               "--steps N,\n"
               "compares contact counts and outcomes of simulations: see --help=steps.\n",
    .example = "  abut assess --compare paper --method intersection,opposing\n"
               "  abut assess --compare paper --case wall,arch --format csv\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run,
    .mode = "compare",
    .whole = &abut_cli_assess_verb,
};
