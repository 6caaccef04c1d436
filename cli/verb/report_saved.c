// SPDX-License-Identifier: MIT
// report_saved.c: what a report shows of earlier runs: other engines, simulations, studies, benchmarks
//
// The files come from anywhere: every value is looked up and checked, and what is not there is left out.
#include "shared/html.h"
#include "verb/chart.h"
#include "verb/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BENCH_ROWS = 2000, MOST_CURVE_POINTS = 100 };

// ---------------------------------------------------------------------------------------------------------------
// Reading

static double number_at(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static const char *text_at(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

/// Adds a row of another engine to the table, if the page has the case and not the method.
static void add_result(abut_cli_report_page *page, const json_t *row)
{
    const char *case_name = text_at(row, "case"), *method = text_at(row, "method");
    if (!abut_cli_list_has(&page->cases, case_name) || abut_method_find(method) != NULL || method[0] == 0 ||
        strcmp(text_at(row, "state"), "touching") != 0 || abut_cli_report_find(page, case_name, method) != NULL) {
        return;
    }
    const char *message = json_string_value(json_object_get(row, "message"));
    abut_cli_report_cell *cell = abut_cli_report_add_cell(page, case_name, method);
    cell->is_failed = strcmp(text_at(row, "status"), "ok") != 0;
    cell->message = message != NULL ? abut_cli_copy(message) : NULL;
    cell->quality = number_at(row, "quality");
    cell->coverage = number_at(row, "coverage");
    cell->excess = number_at(row, "excess");
    cell->contacts = number_at(row, "contacts");
}

/// Whether a document is one that the page can show.
static int is_known(const json_t *json)
{
    static const char *const names[] = {"results", "study", "steps", "rows"};
    int is_known = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        is_known |= json_object_get(json, names[i]) != NULL;
    }
    return is_known && json_integer_value(json_object_get(json, "schema")) == 1;
}

abut_cli_exit abut_cli_report_load(abut_cli_report_page *page, const abut_cli_arguments *arguments)
{
    page->saved = abut_cli_resize(NULL, (size_t)arguments->operand_count, sizeof *page->saved);
    for (int i = 0; i < arguments->operand_count; ++i) {
        const char *path = arguments->operands[i];
        json_error_t error;
        errno = 0;
        json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
        if (json == NULL) {
            return error.line > 0
                       ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s:%d: %s", path, error.line, error.text)
                       : abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot be read: %s", path, abut_errno_text(errno));
        }
        page->saved[page->saved_count++] = (abut_cli_saved){path, json};
        if (!is_known(json)) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "%s: is not a result of abut assess, simulate, study or bench --format json",
                                 path);
        }
    }
    return ABUT_CLI_DONE;
}

void abut_cli_report_add_saved(abut_cli_report_page *page)
{
    for (int i = 0; i < page->saved_count; ++i) {
        size_t index;
        json_t *row;
        json_array_foreach(json_object_get(page->saved[i].json, "results"), index, row)
        {
            add_result(page, row);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Curves of a document

/// Curves that grow point by point.
typedef struct curve_set {
    abut_cli_series *series;
    double **x, **y;
    int count;
} curve_set;

static void add_point(curve_set *set, const char *name, double x, double y)
{
    int s = 0;
    while (s < set->count && strcmp(set->series[s].name, name) != 0) {
        ++s;
    }
    if (s == set->count) {
        set->series = abut_cli_resize(set->series, (size_t)s + 1, sizeof *set->series);
        set->x = abut_cli_resize(set->x, (size_t)s + 1, sizeof *set->x);
        set->y = abut_cli_resize(set->y, (size_t)s + 1, sizeof *set->y);
        set->series[s] = (abut_cli_series){.name = name};
        set->x[s] = set->y[s] = NULL;
        ++set->count;
    }
    abut_cli_series *series = &set->series[s];
    if ((series->count & (series->count - 1)) == 0) { // arrays double at powers of two
        size_t room = series->count > 0 ? 2 * (size_t)series->count : 1;
        set->x[s] = abut_cli_resize(set->x[s], room, sizeof **set->x);
        set->y[s] = abut_cli_resize(set->y[s], room, sizeof **set->y);
        series->x = set->x[s];
        series->y = set->y[s];
    }
    set->x[s][series->count] = x;
    set->y[s][series->count++] = y;
}

static void release_curves(curve_set *set)
{
    for (int s = 0; s < set->count; ++s) {
        free(set->x[s]);
        free(set->y[s]);
    }
    free(set->x);
    free(set->y);
    free(set->series);
}

static void print_set(const curve_set *set, const char *title, const char *file, const char *x_name,
                      const char *y_name, int is_log, FILE *out)
{
    abut_cli_chart chart = {.title = title,
                            .file = file,
                            .x_name = x_name,
                            .y_name = y_name,
                            .is_log_y = is_log,
                            .series = set->series,
                            .count = set->count};
    abut_cli_chart_print(&chart, out);
}

// ---------------------------------------------------------------------------------------------------------------
// Sections

/// Contacts over time, one curve a file.
static int print_simulations(const abut_cli_report_page *page, FILE *out)
{
    curve_set set = {0};
    abut_cli_list names = {0};
    for (int i = 0; i < page->saved_count; ++i) {
        size_t index;
        json_t *row;
        const json_t *json = page->saved[i].json, *steps = json_object_get(json, "steps");
        if (!json_is_array(steps)) {
            continue;
        }
        char *name = abut_cli_print("%s, %s", text_at(json, "scene"), text_at(json, "method"));
        abut_cli_list_add(&names, name);
        free(name);
        json_array_foreach(steps, index, row)
        {
            add_point(&set, names.items[names.count - 1], number_at(row, "time"), number_at(row, "contacts"));
        }
    }
    if (set.count > 0) {
        print_set(&set, "Contacts over time", "contacts-over-time.csv", "time", "contacts", 0, out);
    }
    int count = set.count;
    release_curves(&set);
    abut_cli_list_release(&names);
    return count;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Adds the sorted Q of all contacts of a study's runs with this method and parameter. `name` outlives the set.
static void add_sorted(curve_set *set, const json_t *runs, const char *method, const char *parameter,
                       const char *name, double at)
{
    double *values = NULL;
    size_t count = 0, index, k;
    json_t *run, *value;
    json_array_foreach(runs, index, run)
    {
        const json_t *parameters = json_object_get(run, "parameters");
        const json_t *quality = json_object_get(json_object_get(run, "series"), "quality");
        if (strcmp(text_at(parameters, "method"), method) != 0 || number_at(parameters, parameter) != at) {
            continue;
        }
        values = abut_cli_resize(values, count + json_array_size(quality), sizeof *values);
        json_array_foreach(quality, k, value)
        {
            values[count++] = json_number_value(value);
        }
    }
    if (count > 1) {
        qsort(values, count, sizeof *values, compare_numbers);
    }
    size_t points = count < MOST_CURVE_POINTS ? count : MOST_CURVE_POINTS;
    for (size_t i = 0; i < points; ++i) {
        k = points > 1 ? i * (count - 1) / (points - 1) : 0;
        add_point(set, name, count > 1 ? (double)k / (double)(count - 1) : 0.0, values[k]);
    }
    free(values);
}

/// Sorted Q of the contacts, as in Figures 30, 32 and 34 of Erleben 2018: a plot for each method, a curve for each value
/// of the parameter.
static void print_study_curves(const json_t *json, const char *parameter, FILE *out)
{
    const json_t *runs = json_object_get(json, "runs");
    abut_cli_list methods = {0}, names = {0};
    double *values = NULL; // of the parameter, in the order of the names
    size_t index;
    json_t *run;
    json_array_foreach(runs, index, run)
    {
        const json_t *parameters = json_object_get(run, "parameters");
        if (json_object_get(json_object_get(run, "series"), "quality") == NULL) {
            continue;
        }
        if (!abut_cli_list_has(&methods, text_at(parameters, "method"))) {
            abut_cli_list_add(&methods, text_at(parameters, "method"));
        }
        char *name = abut_cli_print("%s %.15g", parameter, number_at(parameters, parameter));
        if (!abut_cli_list_has(&names, name)) {
            values = abut_cli_resize(values, (size_t)names.count + 1, sizeof *values);
            values[names.count] = number_at(parameters, parameter);
            abut_cli_list_add(&names, name);
        }
        free(name);
    }
    for (int m = 0; m < methods.count; ++m) {
        curve_set set = {0};
        for (int i = 0; i < names.count; ++i) {
            add_sorted(&set, runs, methods.items[m], parameter, names.items[i], values[i]);
        }
        const char *study = text_at(json, "study");
        char *title = abut_cli_print("Study %s, %s: Q of the contacts, sorted", study, methods.items[m]);
        char *file = abut_cli_print("study-%s-%s.csv", study, methods.items[m]);
        print_set(&set, title, file, "share of the contacts", "Q (1 is right)", 0, out);
        free(title);
        free(file);
        release_curves(&set);
    }
    free(values);
    abut_cli_list_release(&methods);
    abut_cli_list_release(&names);
}

/// A study: a measure by its first parameter, one curve a method; then the sorted curves of each method.
static void print_study(const json_t *json, FILE *out)
{
    static const char *const measures[] = {"good", "energy"}; // of normals; of spinning bodies
    static const char *const words[] = {"right normals (Q of at least 0.99), %", "energy"};
    const char *parameter = json_string_value(json_array_get(json_object_get(json, "parameters"), 0));
    const json_t *summary = json_object_get(json, "summary");
    for (size_t k = 0; k < sizeof measures / sizeof measures[0] && parameter != NULL; ++k) {
        curve_set set = {0};
        size_t index;
        json_t *row;
        json_array_foreach(summary, index, row)
        {
            const json_t *at = json_object_get(row, "parameters");
            const json_t *value = json_object_get(json_object_get(row, "values"), measures[k]);
            if (value != NULL) {
                add_point(&set, text_at(at, "method"), number_at(at, parameter), number_at(value, "mean"));
            }
        }
        if (set.count > 0) {
            char *title = abut_cli_print("Study %s: %s", text_at(json, "study"), words[k]);
            char *file = abut_cli_print("study-%s-%s.csv", text_at(json, "study"), measures[k]);
            print_set(&set, title, file, parameter, "mean over the seeds", 0, out);
            free(title);
            free(file);
        }
        release_curves(&set);
    }
    if (parameter != NULL) {
        print_study_curves(json, parameter, out);
    }
}

/// Rows of a benchmark, with the time of each as a ratio to the fastest of the same group and scene.
static void print_bench(const json_t *json, FILE *out)
{
    const json_t *rows = json_object_get(json, "rows");
    (void)fprintf(out, "<h4>Benchmark, commit ");
    abut_cli_html_text(out, text_at(json, "commit"));
    (void)fputs(", ", out);
    abut_cli_html_text(out, text_at(json, "cpu"));
    (void)fputs("</h4><table class=\"plain\"><tr><th>group</th><th>scene</th><th>subject</th><th>time, ns</th>"
                "<th>ratio to the fastest</th><th></th></tr>\n",
                out);
    abut_cli_text data;
    abut_cli_text_open(&data);
    (void)fputs("group,scene,subject,min_ns,ratio\n", data.stream);
    size_t count = json_array_size(rows) < MOST_BENCH_ROWS ? json_array_size(rows) : MOST_BENCH_ROWS;
    for (size_t i = 0; i < count; ++i) {
        const json_t *row = json_array_get(rows, i);
        double fastest = HUGE_VAL;
        for (size_t k = 0; k < count; ++k) {
            const json_t *other = json_array_get(rows, k);
            if (strcmp(text_at(other, "group"), text_at(row, "group")) == 0 &&
                strcmp(text_at(other, "scene"), text_at(row, "scene")) == 0) {
                fastest = fmin(fastest, number_at(other, "min_ns"));
            }
        }
        static const char *const names[] = {"group", "scene", "subject"};
        (void)fputs("<tr>", out);
        for (size_t k = 0; k < 3; ++k) {
            (void)fputs("<td>", out);
            abut_cli_html_text(out, text_at(row, names[k]));
            (void)fputs("</td>", out);
            abut_cli_html_field(data.stream, text_at(row, names[k]));
            (void)fputc(',', data.stream);
        }
        double ratio = number_at(row, "min_ns") / fastest;
        (void)fprintf(out, "<td class=\"end\">%.4g</td><td class=\"end\">%.3g</td><td>", number_at(row, "min_ns"),
                      ratio);
        if (ratio >= 1.0 && isfinite(ratio)) { // 10 pixels for the fastest, 30 more for each doubling
            (void)fprintf(out, "<span class=\"bar\" style=\"width:%.0fpx\"></span>",
                          fmin(10.0 + 30.0 * log2(ratio), 400.0));
        }
        (void)fputs("</td></tr>\n", out);
        (void)fprintf(data.stream, "%.17g,%.17g\n", number_at(row, "min_ns"), ratio);
    }
    (void)fputs("</table>\n", out);
    char *csv = abut_cli_text_take(&data);
    abut_cli_html_data(out, "bench.csv", csv);
    free(csv);
}

static void print_not_run(const char *command, FILE *out)
{
    (void)fprintf(
        out, "<p class=\"none\">Not run. <code>%s</code>, then name the file in <code>abut report</code>.</p>\n",
        command);
}

void abut_cli_report_print_saved(const abut_cli_report_page *page, FILE *out)
{
    int studies = 0, benches = 0;
    (void)fputs("<section id=\"runs\"><h2>Simulations, studies and benchmarks</h2>\n<h3>Contacts over time</h3>"
                "<div class=\"figures\">\n",
                out);
    if (print_simulations(page, out) == 0) {
        print_not_run("abut simulate pillar --steps 500 --format json &gt; pillar.json", out);
    }
    (void)fputs("</div><h3>Studies</h3><div class=\"figures\">\n", out);
    for (int i = 0; i < page->saved_count; ++i) {
        if (json_object_get(page->saved[i].json, "study") != NULL) {
            print_study(page->saved[i].json, out);
            ++studies;
        }
    }
    if (studies == 0) {
        print_not_run("abut study perturbation --format json &gt; perturbation.json", out);
    }
    (void)fputs("</div><h3>Benchmarks</h3>\n", out);
    for (int i = 0; i < page->saved_count; ++i) {
        if (json_object_get(page->saved[i].json, "rows") != NULL) {
            print_bench(page->saved[i].json, out);
            ++benches;
        }
    }
    if (benches == 0) {
        print_not_run("abut bench --format json &gt; bench.json", out);
    }
    (void)fputs("</section>\n", out);
}
