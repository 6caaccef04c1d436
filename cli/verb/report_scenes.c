// SPDX-License-Identifier: MIT
// report_scenes.c: Pillar, Wall and Arch: sorted qualities, areas, histograms and normals of all methods
#include "shared/html.h"
#include "verb/chart.h"
#include "verb/report.h"

#include <stdlib.h>

/// Of longer curves, this many values at equal distances are shown, the first and the last among them.
enum { CURVE_POINTS = 300 };

/// Curves of the same scene, one per method, against the share of the values from 0 to 1.
typedef struct curve_list {
    abut_cli_series *series;
    double *numbers; ///< of all curves: shares, then values
    int count;
} curve_list;

static void add_curve(curve_list *list, const char *name, const double *values, int count)
{
    int points = count < CURVE_POINTS ? count : CURVE_POINTS;
    double *shares = list->numbers + (size_t)list->count * 2 * CURVE_POINTS, *shown = shares + CURVE_POINTS;
    for (int i = 0; i < points; ++i) {
        long long k = points > 1 ? (long long)i * (count - 1) / (points - 1) : 0;
        shares[i] = count > 1 ? (double)k / (count - 1) : 0.0;
        shown[i] = values[k];
    }
    if (points > 0) {
        list->series[list->count++] = (abut_cli_series){name, shares, shown, points};
    }
}

static void print_curves(const abut_cli_report_page *page, const char *scene, int has_areas, FILE *out)
{
    size_t room = (size_t)page->methods.count;
    curve_list list = {.series = abut_cli_resize(NULL, room, sizeof *list.series),
                       .numbers = abut_cli_resize(NULL, room * 2 * CURVE_POINTS, sizeof *list.numbers)};
    for (int m = 0; m < page->methods.count; ++m) {
        const abut_cli_report_cell *cell = abut_cli_report_find(page, scene, page->methods.items[m]);
        if (cell != NULL && cell->scene != NULL) {
            const abut_scene_curves *curves = &cell->scene->curves;
            add_curve(&list, cell->method, has_areas ? curves->areas : curves->alignments,
                      has_areas ? curves->area_count : curves->alignment_count);
        }
    }
    char *title = abut_cli_print(has_areas ? "%s: areas, sorted" : "%s: quality of normals, sorted", scene);
    char *file = abut_cli_print(has_areas ? "%s-areas.csv" : "%s-quality.csv", scene);
    abut_cli_chart chart = {.title = title,
                            .file = file,
                            .x_name = has_areas ? "share of the pairs that touch" : "share of the contacts",
                            .y_name = has_areas ? "area" : "Q (1 is right)",
                            .series = list.series,
                            .count = list.count};
    abut_cli_chart_print(&chart, out);
    free(title);
    free(file);
    free(list.numbers);
    free(list.series);
}

static void print_histogram(const abut_cli_report_cell *cell, FILE *out)
{
    double bins[ABUT_SCENE_BINS], counts[ABUT_SCENE_BINS];
    for (int i = 0; i < ABUT_SCENE_BINS; ++i) {
        bins[i] = i;
        counts[i] = cell->scene->measures.histogram[i];
    }
    const abut_cli_series series = {cell->method, bins, counts, ABUT_SCENE_BINS};
    char *title = abut_cli_print("%s, %s: contacts by Q in tenths", cell->case_name, cell->method);
    char *file = abut_cli_print("%s-%s-histogram.csv", cell->case_name, cell->method);
    abut_cli_chart chart = {.title = title,
                            .file = file,
                            .x_name = "tenth of Q: 0 is below 0.1, 9 is from 0.9 on",
                            .y_name = "contacts",
                            .is_bars = 1,
                            .series = &series,
                            .count = 1};
    abut_cli_chart_print(&chart, out);
    free(title);
    free(file);
}

static void print_method(const abut_cli_report_cell *cell, FILE *out)
{
    (void)fputs("<details><summary>", out);
    abut_cli_html_text(out, cell->method);
    if (cell->is_failed || cell->scene == NULL) {
        (void)fputs(": refused: ", out);
        abut_cli_html_text(out, cell->message != NULL ? cell->message : "no reason given");
        (void)fputs("</summary></details>\n", out);
        return;
    }
    (void)fputs(": quality ", out);
    abut_cli_report_print_share(cell->quality, out);
    (void)fputs(" %, coverage ", out);
    abut_cli_report_print_share(cell->coverage, out);
    (void)fprintf(out, " %%, %g contacts</summary><div class=\"figures\">\n", cell->contacts);
    if (cell->picture != NULL) {
        (void)fprintf(out, "<figure class=\"small\"><h4>contacts</h4>%s", cell->picture);
        if (cell->shown_every > 1) {
            (void)fprintf(out, "<figcaption>one of %d contacts is drawn</figcaption>", cell->shown_every);
        }
        (void)fputs("</figure>\n", out);
    }
    print_histogram(cell, out);
    char *title = abut_cli_print("%s, %s: normals on the sphere", cell->case_name, cell->method);
    char *file = abut_cli_print("%s-%s-normals.csv", cell->case_name, cell->method);
    abut_cli_sphere_print(title, file, cell->normals, cell->normal_count, out);
    free(title);
    free(file);
    (void)fputs("</div></details>\n", out);
}

/// Contacts of each step of Pillar, one curve a method.
static void print_counts(const abut_cli_report_page *page, FILE *out)
{
    abut_cli_series *series = abut_cli_resize(NULL, (size_t)page->counts_count, sizeof *series);
    for (int i = 0; i < page->counts_count; ++i) {
        const abut_cli_report_counts *counts = &page->counts[i];
        series[i] = (abut_cli_series){counts->method, counts->time, counts->contacts, counts->count};
    }
    abut_cli_chart chart = {.title = "pillar: contacts of each step, simulated with each method",
                            .file = "pillar-contacts.csv",
                            .x_name = "time",
                            .y_name = "contacts",
                            .is_log_y = 1,
                            .series = series,
                            .count = page->counts_count};
    abut_cli_chart_print(&chart, out);
    free(series);
}

void abut_cli_report_print_scenes(const abut_cli_report_page *page, FILE *out)
{
    (void)fputs(
        "<section id=\"scenes\"><h2>Structures of many bodies</h2>\n<p>Pillar, Wall and Arch of Erleben 2018, at "
        "rest. A curve that stays at 1 has right normals only; areas of the same joints make plateaus.</p>\n",
        out);
    for (int i = 0; i < page->scenes.count; ++i) {
        (void)fputs("<h3 id=\"scene-", out);
        abut_cli_html_text(out, page->scenes.items[i]);
        (void)fputs("\">", out);
        abut_cli_html_text(out, page->scenes.items[i]);
        (void)fputs("</h3><div class=\"figures\">\n", out);
        print_curves(page, page->scenes.items[i], 0, out);
        print_curves(page, page->scenes.items[i], 1, out);
        (void)fputs("</div>\n", out);
        for (int m = 0; m < page->methods.count; ++m) {
            const abut_cli_report_cell *cell =
                abut_cli_report_find(page, page->scenes.items[i], page->methods.items[m]);
            if (cell != NULL) {
                print_method(cell, out);
            }
        }
    }
    (void)fputs("<h3>Contacts over time</h3><div class=\"figures\">\n", out);
    print_counts(page, out);
    (void)fputs("</div></section>\n", out);
}
