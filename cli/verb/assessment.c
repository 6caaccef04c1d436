// SPDX-License-Identifier: MIT
// assessment.c: rows of measures, and how they are printed
#include "verb/assessment.h"

#include <stdlib.h>
#include <string.h>

abut_cli_row *abut_cli_assessment_add(abut_cli_assessment *assessment)
{
    assessment->rows = abut_cli_resize(assessment->rows, (size_t)assessment->count + 1, sizeof *assessment->rows);
    abut_cli_row *row = &assessment->rows[assessment->count++];
    *row = (abut_cli_row){.raw_contacts = (double)NAN, .filtered_contacts = (double)NAN, .fallbacks = (double)NAN};
    return row;
}

void abut_cli_row_release(abut_cli_row *row)
{
    if (row->scene != NULL) {
        abut_scene_curves_release(NULL, &row->scene->curves);
    }
    free(row->scene);
    free(row->message);
}

void abut_cli_assessment_release(abut_cli_assessment *assessment)
{
    for (int i = 0; i < assessment->count; ++i) {
        abut_cli_row_release(&assessment->rows[i]);
    }
    free(assessment->rows);
    free(assessment->conditions);
    *assessment = (abut_cli_assessment){0};
}

static const abut_measures *headline(const abut_cli_row *row)
{
    return &row->measures[ABUT_READING_VELOCITY];
}

void abut_cli_assessment_check(abut_cli_assessment *assessment)
{
    for (int i = 0; i < assessment->condition_count; ++i) {
        abut_cli_condition *condition = &assessment->conditions[i];
        const abut_cli_requirement *requirement = &condition->requirement;
        for (int j = 0; j < assessment->count; ++j) {
            const abut_cli_row *row = &assessment->rows[j];
            if (!abut_cli_requirement_matches(requirement, row->method, row->case_name)) {
                continue;
            }
            double value = abut_cli_requirement_value(
                requirement, row->status == ABUT_OK ? &row->measures[ABUT_READING_VELOCITY] : NULL);
            if (abut_cli_requirement_holds(requirement, value)) {
                continue;
            }
            ++condition->failures;
            const char *field = abut_cli_field_name(requirement->field);
            if (isnan(value)) {
                (void)abut_cli_fail(ABUT_CLI_UNMET, "required %s: %s/%s, %s, has no %s (%s)", condition->text,
                                    row->method, row->case_name, row->state, field,
                                    row->status != ABUT_OK         ? abut_status_text(row->status)
                                    : headline(row)->contacts == 0 ? "no contacts"
                                                                   : "not defined here");
            } else {
                (void)abut_cli_fail(ABUT_CLI_UNMET, "required %s: %s/%s, %s, has %s %g", condition->text,
                                    row->method, row->case_name, row->state, field, value);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Groups of rows with the same method and state

typedef struct row_group {
    int begin, end;
    int perfect[2]; ///< by reading
    int failed;
    int unscored;         ///< no truth is known
    int has_two_readings; ///< of some case
} row_group;

static int is_perfect(const abut_cli_row *row, abut_reading reading)
{
    const abut_measures *m = &row->measures[reading];
    return row->status == ABUT_OK && m->quality == 100.0 && m->coverage == 100.0 && m->excess == 1.0;
}

static row_group group_from(const abut_cli_assessment *assessment, int begin)
{
    const abut_cli_row *first = &assessment->rows[begin];
    row_group group = {.begin = begin, .end = begin};
    while (group.end < assessment->count && strcmp(assessment->rows[group.end].method, first->method) == 0 &&
           strcmp(assessment->rows[group.end].state, first->state) == 0) {
        const abut_cli_row *row = &assessment->rows[group.end];
        group.perfect[ABUT_READING_VELOCITY] += is_perfect(row, ABUT_READING_VELOCITY);
        group.perfect[ABUT_READING_TABLE] += is_perfect(row, ABUT_READING_TABLE);
        group.failed += row->status != ABUT_OK;
        group.unscored += row->minimum == 0;
        group.has_two_readings |= row->has_two_readings;
        ++group.end;
    }
    return group;
}

// ---------------------------------------------------------------------------------------------------------------
// Table and CSV

static const abut_cli_column columns[] = {
    {"method", NULL, ABUT_CLI_WORDS},
    {"state", NULL, ABUT_CLI_WORDS},
    {"case", "case", ABUT_CLI_WORDS},
    {"quality", "quality", ABUT_CLI_TENTHS},
    {"coverage", "coverage", ABUT_CLI_TENTHS},
    {"coverage_normals", "coverage_normals", ABUT_CLI_TENTHS},
    {"excess", "excess", ABUT_CLI_TENTHS},
    {"contacts", "contacts", ABUT_CLI_NUMBER},
    {"raw_contacts", "raw", ABUT_CLI_NUMBER},
    {"filtered_contacts", NULL, ABUT_CLI_NUMBER},
    {"fallbacks", NULL, ABUT_CLI_NUMBER},
    {"minimum", "minimum", ABUT_CLI_NUMBER},
    {"quality_table", NULL, ABUT_CLI_NUMBER},
    {"coverage_table", NULL, ABUT_CLI_NUMBER},
    {"coverage_normals_table", NULL, ABUT_CLI_NUMBER},
    {"alignment", NULL, ABUT_CLI_NUMBER},
    {"least_alignment", NULL, ABUT_CLI_NUMBER},
    {"coverage_paper", NULL, ABUT_CLI_NUMBER},
    {"area", NULL, ABUT_CLI_NUMBER},
    {"histogram", NULL, ABUT_CLI_WORDS},
    {"areas", NULL, ABUT_CLI_WORDS},
    {"status", "status", ABUT_CLI_WORDS},
    {"message", NULL, ABUT_CLI_WORDS},
};

// The bins with blanks between them, or nothing.
static char *histogram_text(const abut_cli_row *row)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    for (int i = 0; row->scene != NULL && i < ABUT_SCENE_BINS; ++i) {
        (void)fprintf(text.stream, "%s%d", i > 0 ? " " : "", row->scene->measures.histogram[i]);
    }
    return abut_cli_text_take(&text);
}

// Areas of the curve that are on no plateau.
static int other_areas(const abut_cli_scene_row *scene)
{
    int count = scene->curves.area_count;
    for (int i = 0; i < scene->plateau_count; ++i) {
        count -= scene->plateaus[i].found;
    }
    return count;
}

// How many joints have their whole area, such as "135/135 of 0.15625, 0 other", or nothing.
static char *areas_text(const abut_cli_row *row)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    for (int i = 0; row->scene != NULL && i < row->scene->plateau_count; ++i) {
        const abut_scene_plateau *plateau = &row->scene->plateaus[i];
        (void)fprintf(text.stream, "%d/%d of %g, ", plateau->found, plateau->joints, plateau->area);
    }
    if (row->scene != NULL) {
        (void)fprintf(text.stream, "%d other", other_areas(row->scene));
    }
    return abut_cli_text_take(&text);
}

static void add_scene_cells(abut_cli_table *table, const abut_cli_row *row)
{
    const double none = (double)NAN;
    char *histogram = histogram_text(row), *areas = areas_text(row);
    abut_cli_add_number(table, row->scene != NULL ? row->scene->measures.alignment : none);
    abut_cli_add_number(table, row->scene != NULL ? row->scene->measures.least_alignment : none);
    abut_cli_add_number(table, row->scene != NULL ? row->scene->measures.coverage_paper : none);
    abut_cli_add_number(table, row->scene != NULL ? row->scene->measures.area : none);
    abut_cli_add_text(table, histogram);
    abut_cli_add_text(table, areas);
    free(histogram);
    free(areas);
}

static void add_row(abut_cli_table *table, const abut_cli_row *row)
{
    int is_ok = row->status == ABUT_OK;
    const double none = (double)NAN;
    const abut_measures *first = headline(row);
    const abut_measures *other = &row->measures[ABUT_READING_TABLE];
    abut_cli_add_text(table, row->method);
    abut_cli_add_text(table, row->state);
    abut_cli_add_text(table, row->case_name);
    abut_cli_add_number(table, is_ok ? first->quality : none);
    abut_cli_add_number(table, is_ok ? first->coverage : none);
    abut_cli_add_number(table, is_ok ? first->coverage_normals : none);
    abut_cli_add_number(table, is_ok ? first->excess : none);
    abut_cli_add_number(table, is_ok ? first->contacts : none);
    abut_cli_add_number(table, row->raw_contacts);
    abut_cli_add_number(table, row->filtered_contacts);
    abut_cli_add_number(table, row->fallbacks);
    abut_cli_add_number(table, row->minimum > 0 ? row->minimum : none);
    abut_cli_add_number(table, is_ok ? other->quality : none);
    abut_cli_add_number(table, is_ok ? other->coverage : none);
    abut_cli_add_number(table, is_ok ? other->coverage_normals : none);
    add_scene_cells(table, row);
    abut_cli_add_text(table, abut_status_text(row->status));
    abut_cli_add_text(table, row->message != NULL ? row->message : "");
}

// What the paper says of scenes: a line each for the normals and the areas.
static void print_scenes(const abut_cli_assessment *assessment, row_group group, FILE *out)
{
    for (int i = group.begin; i < group.end; ++i) {
        const abut_cli_row *row = &assessment->rows[i];
        if (row->scene == NULL) {
            continue;
        }
        char *histogram = histogram_text(row), *areas = areas_text(row);
        (void)fprintf(out, "\n%s: contacts by Q, in tenths from 0 to 1: %s; mean %.3f\n", row->case_name, histogram,
                      row->scene->measures.alignment);
        (void)fprintf(out, "%s: areas: %s\n", row->case_name, areas);
        if (row->scene->feature_minimum > 0) {
            (void)fprintf(out, "%s: %d contacts; %d are enough, %d pairs of features touch\n", row->case_name,
                          row->scene->measures.contacts, row->minimum, row->scene->feature_minimum);
        }
        free(histogram);
        free(areas);
    }
}

static const abut_cli_column reading_columns[] = {
    {NULL, "case", ABUT_CLI_WORDS},
    {NULL, "quality_table", ABUT_CLI_TENTHS},
    {NULL, "coverage_table", ABUT_CLI_TENTHS},
    {NULL, "coverage_normals_table", ABUT_CLI_TENTHS},
};

// A table of its own for the few cases whose readings differ: one table for all would be too wide.
static void print_readings(const abut_cli_assessment *assessment, row_group group, FILE *out)
{
    abut_cli_table table;
    abut_cli_table_open(&table, reading_columns, 4);
    for (int i = group.begin; i < group.end; ++i) {
        const abut_cli_row *row = &assessment->rows[i];
        if (row->has_two_readings && row->status == ABUT_OK) {
            abut_cli_add_text(&table, row->case_name);
            abut_cli_add_number(&table, row->measures[ABUT_READING_TABLE].quality);
            abut_cli_add_number(&table, row->measures[ABUT_READING_TABLE].coverage);
            abut_cli_add_number(&table, row->measures[ABUT_READING_TABLE].coverage_normals);
        }
    }
    if (abut_cli_row_count(&table) > 0) {
        (void)fputs("\n", out);
        abut_cli_table_print(&table, 0, abut_cli_row_count(&table), out);
    }
    abut_cli_table_release(&table);
}

static void print_group(const abut_cli_assessment *assessment, const abut_cli_table *table, row_group group,
                        FILE *out)
{
    const abut_cli_row *first = &assessment->rows[group.begin];
    int count = group.end - group.begin - group.unscored;
    (void)fprintf(out, "%s, %s\n", first->method, first->state);
    abut_cli_table_print(table, (size_t)group.begin, (size_t)group.end, out);
    for (int i = group.begin; i < group.end; ++i) {
        const abut_cli_row *row = &assessment->rows[i];
        if (row->message != NULL) {
            (void)fprintf(out, "%s: %s\n", row->case_name, row->message);
        }
        if (row->fallbacks > 0.0) {
            (void)fprintf(
                out, "%s: %g fallback%s: bodies too deep in each other, whose contacts are the second method's\n",
                row->case_name, row->fallbacks, row->fallbacks > 1.0 ? "s" : "");
        }
    }
    if (assessment->shows_readings) {
        print_readings(assessment, group, out);
    }
    print_scenes(assessment, group, out);
    (void)fprintf(out, "\n%s, %s: %d of %d case%s perfect", first->method, first->state,
                  group.perfect[ABUT_READING_VELOCITY], count, count == 1 ? "" : "s");
    if (group.has_two_readings) {
        (void)fprintf(out, " (%d by the other reading of Table 4)", group.perfect[ABUT_READING_TABLE]);
    }
    if (group.unscored > 0) {
        (void)fprintf(out, "; %d without a score: the truth is not known", group.unscored);
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

static void print_table(const abut_cli_assessment *assessment, const abut_cli_table *table, FILE *out)
{
    for (int i = 0; i < assessment->count;) {
        row_group group = group_from(assessment, i);
        print_group(assessment, table, group, out);
        i = group.end;
    }
    print_legend(assessment, out);
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static json_t *count_or_null(double count)
{
    return isnan(count) ? json_null() : json_integer((json_int_t)count);
}

static json_t *json_scene(const abut_cli_scene_row *scene)
{
    if (scene == NULL) {
        return json_null();
    }
    json_t *object = json_object(), *histogram = json_array(), *plateaus = json_array();
    for (int i = 0; i < ABUT_SCENE_BINS; ++i) {
        json_array_append_new(histogram, json_integer(scene->measures.histogram[i]));
    }
    for (int i = 0; i < scene->plateau_count; ++i) {
        json_t *plateau = json_object();
        json_object_set_new(plateau, "area", abut_cli_json_number(scene->plateaus[i].area));
        json_object_set_new(plateau, "joints", json_integer(scene->plateaus[i].joints));
        json_object_set_new(plateau, "found", json_integer(scene->plateaus[i].found));
        json_array_append_new(plateaus, plateau);
    }
    json_object_set_new(object, "visible_quality", abut_cli_json_number(scene->measures.visible_quality));
    json_object_set_new(object, "alignment", abut_cli_json_number(scene->measures.alignment));
    json_object_set_new(object, "least_alignment", abut_cli_json_number(scene->measures.least_alignment));
    json_object_set_new(object, "histogram", histogram);
    json_object_set_new(object, "coverage_paper", abut_cli_json_number(scene->measures.coverage_paper));
    json_object_set_new(object, "area", abut_cli_json_number(scene->measures.area));
    json_object_set_new(object, "plateaus", plateaus);
    json_object_set_new(object, "other_areas", json_integer(other_areas(scene)));
    json_object_set_new(object, "feature_minimum",
                        scene->feature_minimum > 0 ? json_integer(scene->feature_minimum) : json_null());
    return object;
}

static json_t *json_row(const abut_cli_row *row)
{
    int is_ok = row->status == ABUT_OK;
    const double none = (double)NAN;
    const abut_measures *first = headline(row);
    const abut_measures *other = &row->measures[ABUT_READING_TABLE];
    json_t *object = json_object();
    json_object_set_new(object, "case", json_string(row->case_name));
    json_object_set_new(object, "method", abut_cli_json_text(row->method));
    json_object_set_new(object, "state", abut_cli_json_text(row->state));
    json_object_set_new(object, "status", json_string(abut_status_text(row->status)));
    json_object_set_new(object, "message", abut_cli_json_text(row->message));
    json_object_set_new(object, "quality", abut_cli_json_number(is_ok ? first->quality : none));
    json_object_set_new(object, "coverage", abut_cli_json_number(is_ok ? first->coverage : none));
    json_object_set_new(object, "coverage_normals", abut_cli_json_number(is_ok ? first->coverage_normals : none));
    json_object_set_new(object, "excess", abut_cli_json_number(is_ok ? first->excess : none));
    json_object_set_new(object, "contacts", count_or_null(is_ok ? first->contacts : none));
    json_object_set_new(object, "raw_contacts", count_or_null(row->raw_contacts));
    json_object_set_new(object, "filtered_contacts", count_or_null(row->filtered_contacts));
    json_object_set_new(object, "fallbacks", count_or_null(row->fallbacks));
    json_object_set_new(object, "minimum", row->minimum > 0 ? json_integer(row->minimum) : json_null());
    json_object_set_new(object, "quality_table", abut_cli_json_number(is_ok ? other->quality : none));
    json_object_set_new(object, "coverage_table", abut_cli_json_number(is_ok ? other->coverage : none));
    json_object_set_new(object, "coverage_normals_table",
                        abut_cli_json_number(is_ok ? other->coverage_normals : none));
    json_object_set_new(object, "scene", json_scene(row->scene));
    return object;
}

static json_t *json_of(const abut_cli_assessment *assessment)
{
    json_t *document = abut_cli_json_document();
    json_t *results = json_array(), *summary = json_array(), *requirements = json_array();
    for (int i = 0; i < assessment->count; ++i) {
        json_array_append_new(results, json_row(&assessment->rows[i]));
    }
    for (int i = 0; i < assessment->count;) {
        row_group group = group_from(assessment, i);
        json_t *item = json_object();
        json_object_set_new(item, "method", abut_cli_json_text(assessment->rows[i].method));
        json_object_set_new(item, "state", abut_cli_json_text(assessment->rows[i].state));
        json_object_set_new(item, "cases", json_integer(group.end - group.begin));
        json_object_set_new(item, "perfect", json_integer(group.perfect[ABUT_READING_VELOCITY]));
        json_object_set_new(item, "perfect_table", json_integer(group.perfect[ABUT_READING_TABLE]));
        json_object_set_new(item, "failed", json_integer(group.failed));
        json_object_set_new(item, "unscored", json_integer(group.unscored));
        json_array_append_new(summary, item);
        i = group.end;
    }
    for (int i = 0; i < assessment->condition_count; ++i) {
        const abut_cli_condition *condition = &assessment->conditions[i];
        json_t *item = json_object();
        json_object_set_new(item, "require", abut_cli_json_text(condition->text));
        json_object_set_new(item, "holds", json_boolean(condition->failures == 0));
        json_object_set_new(item, "failures", json_integer(condition->failures));
        json_array_append_new(requirements, item);
    }
    json_object_set_new(document, "results", results);
    json_object_set_new(document, "summary", summary);
    json_object_set_new(document, "requirements", requirements);
    return document;
}

abut_cli_exit abut_cli_assessment_print(const abut_cli_assessment *assessment, abut_cli_format format)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (format == ABUT_CLI_JSON) {
        abut_cli_json_print(json_of(assessment), text.stream);
        return abut_cli_text_finish(&text);
    }
    abut_cli_table table;
    abut_cli_table_open(&table, columns, (int)(sizeof columns / sizeof columns[0]));
    for (int i = 0; i < assessment->count; ++i) {
        add_row(&table, &assessment->rows[i]);
    }
    if (format == ABUT_CLI_CSV) {
        abut_cli_csv_print(&table, text.stream);
    } else {
        print_table(assessment, &table, text.stream);
    }
    abut_cli_table_release(&table);
    return abut_cli_text_finish(&text);
}

// ---------------------------------------------------------------------------------------------------------------
// Curves

static const abut_cli_column curve_columns[] = {
    {"case", "case", ABUT_CLI_WORDS},   {"method", "method", ABUT_CLI_WORDS}, {"state", "state", ABUT_CLI_WORDS},
    {"curve", "curve", ABUT_CLI_WORDS}, {"index", "index", ABUT_CLI_NUMBER},  {"value", "value", ABUT_CLI_NUMBER},
};

static void add_curve(abut_cli_table *table, const abut_cli_row *row, const char *curve, const double *values,
                      int count)
{
    for (int i = 0; i < count; ++i) {
        abut_cli_add_text(table, row->case_name);
        abut_cli_add_text(table, row->method);
        abut_cli_add_text(table, row->state);
        abut_cli_add_text(table, curve);
        abut_cli_add_number(table, i);
        abut_cli_add_number(table, values[i]);
    }
}

char *abut_cli_assessment_curves(const abut_cli_assessment *assessment)
{
    abut_cli_text text;
    abut_cli_table table;
    abut_cli_text_open(&text);
    abut_cli_table_open(&table, curve_columns, (int)(sizeof curve_columns / sizeof curve_columns[0]));
    for (int i = 0; i < assessment->count; ++i) {
        const abut_cli_row *row = &assessment->rows[i];
        if (row->scene != NULL) {
            add_curve(&table, row, "alignment", row->scene->curves.alignments, row->scene->curves.alignment_count);
            add_curve(&table, row, "area", row->scene->curves.areas, row->scene->curves.area_count);
        }
    }
    abut_cli_csv_print(&table, text.stream);
    abut_cli_table_release(&table);
    return abut_cli_text_take(&text);
}
