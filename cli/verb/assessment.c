// SPDX-License-Identifier: MIT
// assessment.c: rows of measures, the conditions on them, and their curves
#include "verb/assessment.h"

#include "shared/files.h"
#include "shared/layout.h"
#include "verb/assess_parts.h"

#include <stdlib.h>
#include <string.h>

static abut_cli_exit read_conditions(const abut_cli_arguments *arguments, abut_cli_assessment *assessment)
{
    int position = 0;
    const char *text;
    while ((text = abut_cli_next_value(arguments, "require", &position)) != NULL) {
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

abut_cli_exit abut_cli_assessment_open(const abut_cli_arguments *arguments, abut_cli_assessment *assessment)
{
    *assessment = (abut_cli_assessment){.shows_readings = abut_cli_value_of(arguments, "readings") != NULL};
    return read_conditions(arguments, assessment);
}

void abut_cli_assessment_release(abut_cli_assessment *assessment)
{
    for (int i = 0; i < assessment->count; ++i) {
        abut_assess_row_release(&assessment->rows[i].score);
    }
    free(assessment->rows);
    free(assessment->conditions);
    *assessment = (abut_cli_assessment){0};
}

abut_cli_row *abut_cli_assessment_add(abut_cli_assessment *assessment, const char *case_name, const char *method,
                                      const char *state)
{
    assessment->rows = abut_cli_resize(assessment->rows, (size_t)assessment->count + 1, sizeof *assessment->rows);
    abut_cli_row *row = &assessment->rows[assessment->count++];
    *row = (abut_cli_row){.case_name = case_name, .method = method, .state = state};
    return row;
}

// ---------------------------------------------------------------------------------------------------------------
// Conditions

static const abut_measures *headline(const abut_cli_row *row)
{
    return &row->score.measures[ABUT_READING_VELOCITY];
}

static void check_row(abut_cli_condition *condition, const abut_cli_row *row)
{
    const abut_cli_requirement *requirement = &condition->requirement;
    const char *field = abut_cli_field_name(requirement->field);
    abut_status status = row->score.status;
    double value = abut_cli_requirement_value(requirement, status == ABUT_OK ? headline(row) : NULL);
    if (abut_cli_requirement_holds(requirement, value)) {
        return;
    }
    ++condition->failures;
    if (isnan(value)) {
        const char *reason = status != ABUT_OK              ? abut_status_text(status)
                             : headline(row)->contacts == 0 ? "no contacts"
                                                            : "not defined here";
        (void)abut_cli_fail(ABUT_CLI_UNMET, "required %s: %s/%s, %s, has no %s (%s)", condition->text, row->method,
                            row->case_name, row->state, field, reason);
    } else {
        (void)abut_cli_fail(ABUT_CLI_UNMET, "required %s: %s/%s, %s, has %s %g", condition->text, row->method,
                            row->case_name, row->state, field, value);
    }
}

abut_cli_exit abut_cli_assessment_match(abut_cli_assessment *assessment)
{
    for (int i = 0; i < assessment->condition_count; ++i) {
        abut_cli_condition *condition = &assessment->conditions[i];
        for (int j = 0; j < assessment->count && !condition->is_used; ++j) {
            const abut_cli_row *row = &assessment->rows[j];
            condition->is_used = abut_cli_requirement_matches(&condition->requirement, row->method, row->case_name);
        }
        if (!condition->is_used) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --require '%s': no row has this method and case: check the names",
                                 condition->text);
        }
    }
    return ABUT_CLI_DONE;
}

static void check_conditions(abut_cli_assessment *assessment)
{
    for (int i = 0; i < assessment->condition_count; ++i) {
        abut_cli_condition *condition = &assessment->conditions[i];
        for (int j = 0; j < assessment->count; ++j) {
            const abut_cli_row *row = &assessment->rows[j];
            if (abut_cli_requirement_matches(&condition->requirement, row->method, row->case_name)) {
                check_row(condition, row);
            }
        }
    }
}

/// An unfinished row takes precedence over a condition that does not hold.
static abut_cli_exit verdict(const abut_cli_assessment *assessment)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int i = 0; i < assessment->condition_count; ++i) {
        code = assessment->conditions[i].failures > 0 ? ABUT_CLI_UNMET : code;
    }
    for (int i = 0; i < assessment->count; ++i) {
        const abut_cli_row *row = &assessment->rows[i];
        const abut_assess_row *score = &row->score;
        abut_cli_row_exit(row->method, row->case_name, row->state, score->status, &score->error, &code);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Curves

typedef struct curve_point {
    const abut_cli_row *row;
    const char *curve;
    int index;
    double value;
} curve_point;

static const abut_cli_member name_members[] = {
    {"case", NULL, ABUT_CLI_AT(abut_cli_row, case_name)},
    {"method", NULL, ABUT_CLI_AT(abut_cli_row, method)},
    {"state", NULL, ABUT_CLI_AT(abut_cli_row, state)},
};
static const abut_cli_layout name_layout = ABUT_CLI_LAYOUT(name_members);

static const abut_cli_member curve_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(curve_point, row, name_layout)},
    {"curve", NULL, ABUT_CLI_AT(curve_point, curve)},
    {"index", NULL, ABUT_CLI_AT(curve_point, index)},
    {"value", NULL, ABUT_CLI_AT(curve_point, value)},
};
static const abut_cli_layout curve_layout = ABUT_CLI_LAYOUT(curve_members);

static void add_curve(abut_cli_table *table, const abut_cli_row *row, const char *curve, const double *values,
                      int count)
{
    for (int i = 0; i < count; ++i) {
        abut_cli_add_row(table, &curve_layout, &(curve_point){row, curve, i, values[i]});
    }
}

enum { BINS = 20 };

/// How many contacts have a Q in each of 20 equal parts of 0 to 1; the last one includes 1.
static void add_histogram(abut_cli_table *table, const abut_cli_row *row, const abut_scene_curves *curves)
{
    double counts[BINS] = {0.0};
    for (int i = 0; i < curves->alignment_count; ++i) {
        int bin = (int)(BINS * curves->alignments[i]);
        counts[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1] += 1.0;
    }
    add_curve(table, row, "histogram", counts, BINS);
}

/// The sorted curves of all scenes as CSV.
static abut_cli_exit write_curves(const abut_cli_assessment *assessment, const char *path)
{
    abut_cli_text text;
    abut_cli_table table;
    abut_cli_text_open(&text);
    abut_cli_table_begin(&table, &curve_layout);
    for (int i = 0; i < assessment->count; ++i) {
        const abut_cli_row *row = &assessment->rows[i];
        if (row->score.scene != NULL) {
            const abut_scene_curves *curves = &row->score.scene->curves;
            add_curve(&table, row, "alignment", curves->alignments, curves->alignment_count);
            add_histogram(&table, row, curves);
            add_curve(&table, row, "area", curves->areas, curves->area_count);
        }
    }
    abut_cli_csv_print(&table, text.stream);
    abut_cli_table_release(&table);
    return abut_cli_write_printed(path, &text);
}

abut_cli_exit abut_cli_assessment_finish(abut_cli_assessment *assessment, const abut_cli_arguments *arguments,
                                         abut_cli_format format)
{
    const char *path = abut_cli_value_of(arguments, "curves");
    check_conditions(assessment);
    abut_cli_exit code = path != NULL ? write_curves(assessment, path) : ABUT_CLI_DONE;
    if (code == ABUT_CLI_DONE) {
        code = abut_cli_assessment_print(assessment, format);
    }
    return code != ABUT_CLI_DONE ? code : verdict(assessment);
}
