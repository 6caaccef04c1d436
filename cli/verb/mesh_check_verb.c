// SPDX-License-Identifier: MIT
// mesh_check_verb.c: abut mesh check
#include "shared/output.h"
#include "verb/verbs.h"

#include <abut/abut.h>
#include <inttypes.h>
#include <stdlib.h>

static const char *effect_text(abut_repair_effect effect)
{
    return effect == ABUT_REPAIR_ALL ? "all" : effect == ABUT_REPAIR_SOME ? "some" : "none";
}

// An element is a number, or an array of them.
static json_t *json_elements(const abut_finding *finding)
{
    json_t *array = json_array();
    int size = abut_finding_element_size(finding->element);
    for (int i = 0; i < finding->element_count; ++i) {
        const int *numbers = finding->elements + (size_t)i * (size_t)size;
        json_t *element = size == 1 ? json_integer(numbers[0]) : json_array();
        for (int k = 0; k < size && size > 1; ++k) {
            json_array_append_new(element, json_integer(numbers[k]));
        }
        json_array_append_new(array, element);
    }
    return array;
}

static json_t *json_finding(const abut_finding *finding)
{
    json_t *object = json_object();
    json_object_set_new(object, "kind", json_string(finding->name));
    json_object_set_new(object, "severity", json_string(finding->is_note ? "note" : "fault"));
    json_object_set_new(object, "count", json_integer(finding->count));
    json_object_set_new(object, "complete", json_boolean(finding->is_complete));
    json_object_set_new(object, "element", json_string(abut_finding_element_text(finding->element)));
    json_object_set_new(object, "elements", json_elements(finding));
    json_object_set_new(object, "meaning", json_string(finding->meaning));
    json_object_set_new(object, "repair", json_string(finding->repair));
    json_object_set_new(object, "repaired", json_string(effect_text(finding->effect)));
    return object;
}

static void print_json(const char *path, const abut_check_report *report, FILE *out)
{
    json_t *document = abut_cli_json_document(), *findings = json_array(), *bounds = json_object();
    for (int i = 0; i < report->finding_count; ++i) {
        json_array_append_new(findings, json_finding(&report->findings[i]));
    }
    json_object_set_new(bounds, "lower", abut_cli_json_vec3(report->bounds.lower));
    json_object_set_new(bounds, "upper", abut_cli_json_vec3(report->bounds.upper));
    json_object_set_new(document, "file", abut_cli_json_text(path));
    json_object_set_new(document, "verdict", json_string(abut_verdict_text(report->verdict)));
    json_object_set_new(document, "tolerance", abut_cli_json_number(report->tolerance));
    json_object_set_new(document, "bounds", bounds);
    json_object_set_new(document, "findings", findings);
    abut_cli_json_print(document, out);
}

// "3, 5" or "0-1, 0-2"
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

static char *text_of_elements(const abut_finding *finding)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    print_elements(finding, text.stream);
    return abut_cli_text_take(&text);
}

static const abut_cli_column columns[] = {
    {"kind", "kind", 1},         {"severity", "severity", 1}, {"count", "count", 0},
    {"complete", "complete", 1}, {"element", "element", 1},   {"elements", "elements", 1},
    {"meaning", "meaning", 1},   {"repair", "repair", 1},     {"repaired", "repaired", 1},
};

static void print_csv(const abut_check_report *report, FILE *out)
{
    abut_cli_table table;
    abut_cli_table_open(&table, columns, (int)(sizeof columns / sizeof columns[0]));
    for (int i = 0; i < report->finding_count; ++i) {
        const abut_finding *finding = &report->findings[i];
        char *elements = text_of_elements(finding);
        abut_cli_add_text(&table, finding->name);
        abut_cli_add_text(&table, finding->is_note ? "note" : "fault");
        abut_cli_add_number(&table, (double)finding->count);
        abut_cli_add_text(&table, finding->is_complete ? "yes" : "no");
        abut_cli_add_text(&table, abut_finding_element_text(finding->element));
        abut_cli_add_text(&table, elements);
        abut_cli_add_text(&table, finding->meaning);
        abut_cli_add_text(&table, finding->repair);
        abut_cli_add_text(&table, effect_text(finding->effect));
        free(elements);
    }
    abut_cli_csv_print(&table, out);
    abut_cli_table_release(&table);
}

// Words, since there is too much to say for a line of a table.
static void print_words(const char *path, const abut_check_report *report, FILE *out)
{
    static const char *const verdicts[] = {"no fault found", "--repair removes every fault that was found",
                                           "faults remain after --repair"};
    (void)fprintf(out, "%s: %s: %s (tolerance %.6g)\n", path, abut_verdict_text(report->verdict),
                  verdicts[report->verdict], report->tolerance);
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
        abut_check_report report = abut_check_get_report(check);
        abut_cli_text text;
        abut_cli_text_open(&text);
        switch (format) {
        case ABUT_CLI_JSON: print_json(path, &report, text.stream); break;
        case ABUT_CLI_CSV: print_csv(&report, text.stream); break;
        default: print_words(path, &report, text.stream); break;
        }
        code = abut_cli_text_finish(&text);
    } else {
        code = abut_cli_fail_file(path, status, &error);
    }
    abut_check_destroy(check);
    abut_soup_destroy(soup);
    return code;
}

static const abut_cli_option options[] = {
    {"tolerance", "L", "vertices within this distance are the same, or on an edge (default 1e-6 of the diagonal)",
     0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_mesh_check_verb = {
    .name = "mesh check",
    .summary = "Find what is wrong with a mesh file, what it means, and what a repair would do.",
    .usage = "FILE [options]",
    .details = "Reads any file that can be parsed, even with NaN coordinates and indices out of range. Each "
               "finding has a\n"
               "count, its first few elements (numbered as in the file, from 0), what it means, and what abut mesh "
               "convert\n"
               "--repair does about it. The exit code is 0 whatever is found.\n",
    .example = "  abut mesh check part.stl\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 1,
    .operand_maximum = 1,
    .run = run,
};
