// SPDX-License-Identifier: MIT
// assessment_print.c: rows of measures as a table, JSON or CSV
#include "shared/layout.h"
#include "verb/assess_parts.h"
#include "verb/assessment.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Groups of rows with the same method and state

typedef struct row_group {
    const char *method, *state;
    int begin, end;
    int cases;      ///< end - begin
    int perfect[2]; ///< by reading
    int failed;
    int unscored;         ///< no truth is known
    int has_two_readings; ///< of some case
} row_group;

/// What is printed.
typedef struct printed {
    const abut_cli_assessment *assessment;
    row_group *groups;
    int group_count;
} printed;

static int is_perfect(const abut_cli_row *row, abut_reading reading)
{
    const abut_measures *m = &row->score.measures[reading];
    return row->score.status == ABUT_OK && m->quality == 100.0 && m->coverage == 100.0 && m->excess == 1.0;
}

static row_group group_from(const abut_cli_assessment *assessment, int begin)
{
    const abut_cli_row *first = &assessment->rows[begin];
    row_group group = {.method = first->method, .state = first->state, .begin = begin, .end = begin};
    while (group.end < assessment->count && strcmp(assessment->rows[group.end].method, first->method) == 0 &&
           strcmp(assessment->rows[group.end].state, first->state) == 0) {
        const abut_cli_row *row = &assessment->rows[group.end];
        group.perfect[ABUT_READING_VELOCITY] += is_perfect(row, ABUT_READING_VELOCITY);
        group.perfect[ABUT_READING_TABLE] += is_perfect(row, ABUT_READING_TABLE);
        group.failed += row->score.status != ABUT_OK;
        group.unscored += row->score.minimum == 0;
        group.has_two_readings |= row->score.has_two_readings;
        ++group.end;
    }
    group.cases = group.end - group.begin;
    return group;
}

static printed find_groups(const abut_cli_assessment *assessment)
{
    printed p = {.assessment = assessment};
    for (int begin = 0; begin < assessment->count; begin = p.groups[p.group_count - 1].end) {
        p.groups = abut_cli_resize(p.groups, (size_t)p.group_count + 1, sizeof *p.groups);
        p.groups[p.group_count++] = group_from(assessment, begin);
    }
    return p;
}

// ---------------------------------------------------------------------------------------------------------------
// Members of scenes

static json_t *json_histogram(const void *row)
{
    return abut_cli_json_integers(((const abut_scene_score *)row)->measures.histogram, ABUT_SCENE_BINS);
}

/// The bins with blanks between them.
static char *histogram_text(const void *row)
{
    const abut_scene_score *score = row;
    abut_cli_text text;
    abut_cli_text_open(&text);
    for (int i = 0; i < ABUT_SCENE_BINS; ++i) {
        (void)fprintf(text.stream, "%s%d", i > 0 ? " " : "", score->measures.histogram[i]);
    }
    return abut_cli_text_take(&text);
}

/// How many joints are covered completely, such as "135/135 of 0.15625, 0 other".
static char *areas_text(const void *row)
{
    const abut_scene_score *score = row;
    abut_cli_text text;
    abut_cli_text_open(&text);
    for (int i = 0; i < score->plateau_count; ++i) {
        const abut_scene_plateau *plateau = &score->plateaus[i];
        (void)fprintf(text.stream, "%d/%d of %g, ", plateau->found, plateau->joints, plateau->area);
    }
    (void)fprintf(text.stream, "%d other", score->other_areas);
    return abut_cli_text_take(&text);
}

static const abut_cli_member plateau_members[] = {
    {"area", NULL, ABUT_CLI_AT(abut_scene_plateau, area)},
    {"joints", NULL, ABUT_CLI_AT(abut_scene_plateau, joints)},
    {"found", NULL, ABUT_CLI_AT(abut_scene_plateau, found)},
};
static const abut_cli_layout plateau_layout = ABUT_CLI_LAYOUT(plateau_members);

static abut_cli_rows plateau_rows(const void *row)
{
    const abut_scene_score *score = row;
    return (abut_cli_rows){&plateau_layout, score->plateaus, score->plateau_count, sizeof *score->plateaus};
}

static const abut_cli_member scene_members[] = {
    {"visible_quality", NULL, ABUT_CLI_AT(abut_scene_score, measures.visible_quality), .place = ABUT_CLI_JSON_ONLY},
    {"alignment", NULL, ABUT_CLI_AT(abut_scene_score, measures.alignment)},
    {"least_alignment", NULL, ABUT_CLI_AT(abut_scene_score, measures.least_alignment)},
    {"histogram", NULL, ABUT_CLI_JSON_BY(json_histogram)},
    {"coverage_paper", NULL, ABUT_CLI_AT(abut_scene_score, measures.coverage_paper)},
    {"area", NULL, ABUT_CLI_AT(abut_scene_score, measures.area)},
    {"histogram", NULL, ABUT_CLI_NEW_TEXT_BY(histogram_text), .place = ABUT_CLI_COLUMNS_ONLY},
    {"areas", NULL, ABUT_CLI_NEW_TEXT_BY(areas_text), .place = ABUT_CLI_COLUMNS_ONLY},
    {"plateaus", NULL, ABUT_CLI_ROWS_BY(plateau_rows)},
    {"other_areas", NULL, ABUT_CLI_AT(abut_scene_score, other_areas), .place = ABUT_CLI_JSON_ONLY},
    {"feature_minimum", NULL, ABUT_CLI_AT(abut_scene_score, feature_minimum), .is_null_if_zero = 1,
     .place = ABUT_CLI_JSON_ONLY},
};
static const abut_cli_layout scene_layout = ABUT_CLI_LAYOUT(scene_members);

// ---------------------------------------------------------------------------------------------------------------
// Members of rows

static const abut_cli_member measure_members[] = {
    {"quality", "quality", ABUT_CLI_AT(abut_measures, quality), .has_tenths = 1},
    {"coverage", "coverage", ABUT_CLI_AT(abut_measures, coverage), .has_tenths = 1},
    {"coverage_normals", "coverage_normals", ABUT_CLI_AT(abut_measures, coverage_normals), .has_tenths = 1},
    {"excess", "excess", ABUT_CLI_AT(abut_measures, excess), .has_tenths = 1},
    {"contacts", "contacts", ABUT_CLI_AT(abut_measures, contacts)},
};
static const abut_cli_layout measure_layout = ABUT_CLI_LAYOUT(measure_members);

/// Against the other reading of Table 4.
static const abut_cli_member reading_members[] = {
    {"quality_table", NULL, ABUT_CLI_AT(abut_measures, quality)},
    {"coverage_table", NULL, ABUT_CLI_AT(abut_measures, coverage)},
    {"coverage_normals_table", NULL, ABUT_CLI_AT(abut_measures, coverage_normals)},
};
static const abut_cli_layout reading_layout = ABUT_CLI_LAYOUT(reading_members);

static const void *find_measures(const void *row)
{
    const abut_cli_row *r = row;
    return r->score.status == ABUT_OK ? &r->score.measures[ABUT_READING_VELOCITY] : NULL;
}

static const void *find_readings(const void *row)
{
    const abut_cli_row *r = row;
    return r->score.status == ABUT_OK ? &r->score.measures[ABUT_READING_TABLE] : NULL;
}

/// Why there are no measures, or NULL.
static const char *message_text(const void *row)
{
    const abut_assess_row *score = &((const abut_cli_row *)row)->score;
    return score->status != ABUT_OK ? abut_cli_message(score->status, &score->error) : NULL;
}

static const abut_cli_member row_members[] = {
    {"method", NULL, ABUT_CLI_AT(abut_cli_row, method), .json_rank = 1},
    {"state", NULL, ABUT_CLI_AT(abut_cli_row, state), .json_rank = 1},
    {"case", "case", ABUT_CLI_AT(abut_cli_row, case_name)},
    {NULL, NULL, ABUT_CLI_PART_BY(find_measures, measure_layout), .json_rank = 3},
    {"raw_contacts", "raw", ABUT_CLI_COUNT_AT(abut_cli_row, score.raw_contacts), .json_rank = 3},
    {"filtered_contacts", NULL, ABUT_CLI_COUNT_AT(abut_cli_row, score.filtered_contacts), .json_rank = 3},
    {"minimum", "minimum", ABUT_CLI_AT(abut_cli_row, score.minimum), .is_null_if_zero = 1, .json_rank = 3},
    {NULL, NULL, ABUT_CLI_PART_BY(find_readings, reading_layout), .json_rank = 3},
    {"scene", NULL, ABUT_CLI_OBJECT_TO(abut_cli_row, score.scene, scene_layout), .json_rank = 3},
    {"status", "status", ABUT_CLI_TEXT_OF(abut_cli_row, score.status, abut_cli_status_member), .json_rank = 2},
    {"message", NULL, ABUT_CLI_TEXT_BY(message_text), .json_rank = 2},
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

static const abut_cli_member group_members[] = {
    {"method", NULL, ABUT_CLI_AT(row_group, method)},
    {"state", NULL, ABUT_CLI_AT(row_group, state)},
    {"cases", NULL, ABUT_CLI_AT(row_group, cases)},
    {"perfect", NULL, ABUT_CLI_AT(row_group, perfect[ABUT_READING_VELOCITY])},
    {"perfect_table", NULL, ABUT_CLI_AT(row_group, perfect[ABUT_READING_TABLE])},
    {"failed", NULL, ABUT_CLI_AT(row_group, failed)},
    {"unscored", NULL, ABUT_CLI_AT(row_group, unscored)},
};
static const abut_cli_layout group_layout = ABUT_CLI_LAYOUT(group_members);

static int condition_holds(const void *row)
{
    return ((const abut_cli_condition *)row)->failures == 0;
}

static const abut_cli_member condition_members[] = {
    {"require", NULL, ABUT_CLI_AT(abut_cli_condition, text)},
    {"holds", NULL, ABUT_CLI_FLAG_BY(condition_holds)},
    {"failures", NULL, ABUT_CLI_AT(abut_cli_condition, failures)},
};
static const abut_cli_layout condition_layout = ABUT_CLI_LAYOUT(condition_members);

static abut_cli_rows result_rows(const void *row)
{
    const abut_cli_assessment *assessment = ((const printed *)row)->assessment;
    return (abut_cli_rows){&row_layout, assessment->rows, assessment->count, sizeof *assessment->rows};
}

static abut_cli_rows group_rows(const void *row)
{
    const printed *p = row;
    return (abut_cli_rows){&group_layout, p->groups, p->group_count, sizeof *p->groups};
}

static abut_cli_rows condition_rows(const void *row)
{
    const abut_cli_assessment *assessment = ((const printed *)row)->assessment;
    return (abut_cli_rows){&condition_layout, assessment->conditions, assessment->condition_count,
                           sizeof *assessment->conditions};
}

static const abut_cli_member document_members[] = {
    {"results", NULL, ABUT_CLI_ROWS_BY(result_rows)},
    {"summary", NULL, ABUT_CLI_ROWS_BY(group_rows)},
    {"requirements", NULL, ABUT_CLI_ROWS_BY(condition_rows)},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

// ---------------------------------------------------------------------------------------------------------------
// The table

/// The paper's measures of scenes: a line for the normals and one for the areas.
static void print_scenes(const abut_cli_assessment *assessment, const row_group *group, FILE *out)
{
    for (int i = group->begin; i < group->end; ++i) {
        const abut_cli_row *row = &assessment->rows[i];
        const abut_scene_score *scene = row->score.scene;
        if (scene == NULL) {
            continue;
        }
        char *histogram = histogram_text(scene), *areas = areas_text(scene);
        (void)fprintf(out, "\n%s: contacts by Q, in tenths from 0 to 1: %s; mean %.3f\n", row->case_name, histogram,
                      scene->measures.alignment);
        (void)fprintf(out, "%s: areas: %s\n", row->case_name, areas);
        if (scene->feature_minimum > 0) {
            (void)fprintf(out, "%s: %d contacts; %d are enough, %d pairs of features touch\n", row->case_name,
                          scene->measures.contacts, row->score.minimum, scene->feature_minimum);
        }
        free(histogram);
        free(areas);
    }
}

static const abut_cli_member shown_members[] = {
    {NULL, "quality_table", ABUT_CLI_AT(abut_measures, quality), .has_tenths = 1},
    {NULL, "coverage_table", ABUT_CLI_AT(abut_measures, coverage), .has_tenths = 1},
    {NULL, "coverage_normals_table", ABUT_CLI_AT(abut_measures, coverage_normals), .has_tenths = 1},
};
static const abut_cli_layout shown_layout = ABUT_CLI_LAYOUT(shown_members);

static const abut_cli_member shown_row_members[] = {
    {NULL, "case", ABUT_CLI_AT(abut_cli_row, case_name)},
    {NULL, NULL, ABUT_CLI_PART_BY(find_readings, shown_layout)},
};
static const abut_cli_layout shown_row_layout = ABUT_CLI_LAYOUT(shown_row_members);

/// A table of its own for the few cases whose readings differ: one table for all would be too wide.
static void print_readings(const abut_cli_assessment *assessment, const row_group *group, FILE *out)
{
    abut_cli_table table;
    abut_cli_table_begin(&table, &shown_row_layout);
    for (int i = group->begin; i < group->end; ++i) {
        const abut_cli_row *row = &assessment->rows[i];
        if (row->score.has_two_readings && row->score.status == ABUT_OK) {
            abut_cli_add_row(&table, &shown_row_layout, row);
        }
    }
    if (abut_cli_row_count(&table) > 0) {
        (void)fputs("\n", out);
        abut_cli_table_print(&table, 0, abut_cli_row_count(&table), out);
    }
    abut_cli_table_release(&table);
}

static void print_notes(const abut_cli_row *row, FILE *out)
{
    if (row->score.status != ABUT_OK) {
        (void)fprintf(out, "%s: %s\n", row->case_name, message_text(row));
    }
}

static void print_group(const abut_cli_assessment *assessment, const abut_cli_table *table, const row_group *group,
                        FILE *out)
{
    int count = group->cases - group->unscored;
    (void)fprintf(out, "%s, %s\n", group->method, group->state);
    abut_cli_table_print(table, (size_t)group->begin, (size_t)group->end, out);
    for (int i = group->begin; i < group->end; ++i) {
        print_notes(&assessment->rows[i], out);
    }
    if (assessment->shows_readings) {
        print_readings(assessment, group, out);
    }
    print_scenes(assessment, group, out);
    (void)fprintf(out, "\n%s, %s: %d of %d case%s perfect", group->method, group->state,
                  group->perfect[ABUT_READING_VELOCITY], count, abut_cli_plural(count));
    if (group->has_two_readings) {
        (void)fprintf(out, " (%d by the other reading of Table 4)", group->perfect[ABUT_READING_TABLE]);
    }
    if (group->unscored > 0) {
        (void)fprintf(out, "; %d without a score: the truth is not known", group->unscored);
    }
    (void)fputs("\n\n", out);
}

static void print_legend(const abut_cli_assessment *assessment, FILE *out)
{
    (void)fputs(
        "The cases and measures are those of K. Erleben, Methodology for Assessing Mesh-Based Contact Point\n"
        "Methods, ACM Transactions on Graphics 37(3), 2018; docs/cases.md explains them. According to the paper,\n"
        "local methods cannot be right in all cases: a score below 100 is no fault of this run.\n"
        "\n"
        "The state follows the name of the method: touching, exactly; detection, moved by half a time step; "
        "sunk:L,\n"
        "moved in by L; step:K, the K-th detection of a simulation. quality: % of the contacts with an expected\n"
        "normal. coverage: % of the expected (position, normal) pairs that are met; coverage_normals: % of the\n"
        "expected normals alone. minimum: the least number of contacts that is enough; excess: contacts /\n"
        "minimum. raw: contacts before redundant ones are removed. status: ok, or why there are no measures.\n"
        "Perfect: quality 100, coverage 100, excess 1.\n"
        "Scenes (pillar, wall, arch): coverage: % of the area of all joints; coverage_normals: % of the joints;\n"
        "Q: how well a normal fits the paper's, 1 is best; areas: joints that their contacts cover completely.\n",
        out);
    (void)fputs(assessment->shows_readings
                    ? "The columns that end in _table score against the other reading of the paper's Table 4.\n"
                    : "--readings shows the scores against the other reading of the paper's Table 4.\n",
                out);
}

static void write_table(const void *data, const abut_cli_table *table, FILE *out)
{
    const printed *p = data;
    for (int i = 0; i < p->group_count; ++i) {
        print_group(p->assessment, table, &p->groups[i], out);
    }
    print_legend(p->assessment, out);
}

abut_cli_exit abut_cli_assessment_print(const abut_cli_assessment *assessment, abut_cli_format format)
{
    printed p = find_groups(assessment);
    abut_cli_report report = {&document_layout, &p, result_rows(&p), write_table};
    abut_cli_exit code = abut_cli_report_print(&report, format);
    free(p.groups);
    return code;
}
