// SPDX-License-Identifier: MIT
// mesh_check_verb.c: abut mesh check
#include "shared/layout.h"
#include "verb/verbs.h"

#include <abut/abut.h>
#include <inttypes.h>
#include <stdlib.h>

/// The report on a file.
typedef struct check_result {
    const char *path;
    abut_check_report report;
} check_result;

static const char *severity_text(const void *row)
{
    return ((const abut_finding *)row)->is_note ? "note" : "fault";
}

static const char *element_text(const void *element)
{
    return abut_finding_element_text(*(const abut_finding_element *)element);
}

static const char *effect_text(const void *effect)
{
    abut_repair_effect value = *(const abut_repair_effect *)effect;
    return value == ABUT_REPAIR_ALL ? "all" : value == ABUT_REPAIR_SOME ? "some" : "none";
}

/// Each element is a number, or an array of numbers.
static json_t *json_elements(const void *row)
{
    const abut_finding *finding = row;
    json_t *array = json_array();
    int size = abut_finding_element_size(finding->element);
    for (int i = 0; i < finding->element_count; ++i) {
        const int *numbers = finding->elements + (size_t)i * (size_t)size;
        json_array_append_new(array, size == 1 ? json_integer(numbers[0]) : abut_cli_json_integers(numbers, size));
    }
    return array;
}

/// "3, 5" or "0-1, 0-2"
static void print_elements(const abut_finding *finding, FILE *out)
{
    int size = abut_finding_element_size(finding->element);
    for (int i = 0; i < finding->element_count; ++i) {
        for (int k = 0; k < size; ++k) {
            (void)fprintf(out, "%s%d", k > 0 ? "-" : i > 0 ? ", " : "", finding->elements[i * size + k]);
        }
    }
    (void)fputs(finding->count > finding->element_count ? ", ..." : "", out);
}

static char *elements_text(const void *row)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    print_elements(row, text.stream);
    return abut_cli_text_take(&text);
}

static const abut_cli_member finding_members[] = {
    {"kind", NULL, ABUT_CLI_AT(abut_finding, name)},
    {"severity", NULL, ABUT_CLI_TEXT_BY(severity_text)},
    {"count", NULL, ABUT_CLI_AT(abut_finding, count)},
    {"complete", NULL, ABUT_CLI_FLAG_AT(abut_finding, is_complete)},
    {"element", NULL, ABUT_CLI_TEXT_OF(abut_finding, element, element_text)},
    {"elements", NULL, ABUT_CLI_JSON_BY(json_elements)},
    {"elements", NULL, ABUT_CLI_NEW_TEXT_BY(elements_text), .place = ABUT_CLI_COLUMNS_ONLY},
    {"meaning", NULL, ABUT_CLI_AT(abut_finding, meaning)},
    {"repair", NULL, ABUT_CLI_AT(abut_finding, repair)},
    {"repaired", NULL, ABUT_CLI_TEXT_OF(abut_finding, effect, effect_text)},
};
static const abut_cli_layout finding_layout = ABUT_CLI_LAYOUT(finding_members);

static abut_cli_rows finding_rows(const void *row)
{
    const abut_check_report *report = &((const check_result *)row)->report;
    return (abut_cli_rows){&finding_layout, report->findings, report->finding_count, sizeof *report->findings};
}

static const abut_cli_member bounds_members[] = {
    {"lower", NULL, ABUT_CLI_AT(abut_box, lower)},
    {"upper", NULL, ABUT_CLI_AT(abut_box, upper)},
};
static const abut_cli_layout bounds_layout = ABUT_CLI_LAYOUT(bounds_members);

static const char *verdict_text(const void *verdict)
{
    return abut_verdict_text(*(const abut_verdict *)verdict);
}

static const abut_cli_member document_members[] = {
    {"file", NULL, ABUT_CLI_AT(check_result, path)},
    {"verdict", NULL, ABUT_CLI_TEXT_OF(check_result, report.verdict, verdict_text)},
    {"tolerance", NULL, ABUT_CLI_AT(check_result, report.tolerance)},
    {"bounds", NULL, ABUT_CLI_OBJECT_AT(check_result, report.bounds, bounds_layout)},
    {"findings", NULL, ABUT_CLI_ROWS_BY(finding_rows)},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

// Paragraphs: a line of a table would be too long.
static void write_words(const void *data, const abut_cli_table *table, FILE *out)
{
    (void)table;
    const char *path = ((const check_result *)data)->path;
    const abut_check_report *report = &((const check_result *)data)->report;
    static const char *const verdicts[] = {"no fault found", "--repair removes every fault that was found",
                                           "faults remain after --repair"};
    (void)fprintf(out, "%s: %s: %s", path, abut_verdict_text(report->verdict), verdicts[report->verdict]);
    if (report->bounds.lower.x <= report->bounds.upper.x) { // else there is nothing to which it could apply
        (void)fprintf(out, " (tolerance %.6g)", report->tolerance);
    }
    (void)fputc('\n', out);
    for (int i = 0; i < report->finding_count; ++i) {
        const abut_finding *finding = &report->findings[i];
        (void)fprintf(out, "\n%s%s: %s%" PRId64 "\n  meaning   %s\n", finding->name,
                      finding->is_note ? " (note)" : "", finding->is_complete ? "" : "at least ", finding->count,
                      finding->meaning);
        if (finding->element_count > 0) {
            (void)fprintf(out, "  %-9s ", "first");
            print_elements(finding, out);
            (void)fprintf(out, "  (%s)\n", abut_finding_element_text(finding->element));
        }
        (void)fprintf(out, "  --repair  %s\n", finding->repair);
    }
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    const char *path = arguments->operands[0];
    abut_cli_format format;
    abut_check_params params = abut_check_params_default();
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "tolerance", 0.0, &params.tolerance);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_soup *soup = NULL;
    abut_check *check = NULL;
    abut_error error = {0};
    abut_status status = abut_soup_read(NULL, path, ABUT_FORMAT_AUTO, &soup, &error);
    if (status == ABUT_OK) {
        abut_mesh_def def = abut_soup_get_def(soup);
        status = abut_check_create(NULL, &def, &params, &check, &error);
    }
    if (status == ABUT_OK) {
        check_result result = {path, abut_check_get_report(check)};
        abut_cli_report report = {&document_layout, &result, finding_rows(&result), write_words};
        code = abut_cli_report_print(&report, format);
    } else {
        code = abut_cli_fail_file(path, status, &error);
    }
    abut_check_destroy(check);
    abut_soup_destroy(soup);
    return code;
}

static const abut_cli_option options[] = {
    {"tolerance", "L",
     "vertices this close to each other, or to an edge, count as touching (default 1e-6 of the diagonal)", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_mesh_check_verb = {
    .name = "mesh check",
    .summary = "Find faults in a mesh file; explain them, and what a repair would do.",
    .usage = "FILE [options]",
    .details = "Reads any file that can be parsed, even with NaN coordinates and indices out of range. Each "
               "finding has a\n"
               "count, its first few elements (numbered as in the file, from 0), what it means, and what abut mesh "
               "convert\n"
               "--repair does about it. The exit code is 0 even if faults are found.\n",
    .example = "  abut mesh check part.stl\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 1,
    .operand_maximum = 1,
    .run = run,
};
