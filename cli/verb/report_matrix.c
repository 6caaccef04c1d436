// SPDX-License-Identifier: MIT
// report_matrix.c: the table of methods by cases, and a picture of every cell
#include "shared/html.h"
#include "verb/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What a cell of the table can show.
typedef struct matrix_view {
    const char *id, *label, *help;
} matrix_view;

enum { QUALITY = 0, COVERAGE = 1, EXCESS = 2, PAPER_QUALITY = 3, PAPER_COVERAGE = 4, VIEWS = 5 };

static const matrix_view views[VIEWS] = {
    {"quality", "quality", "% of the contacts found whose normal is right: 100 is best, less is false forces"},
    {"coverage", "coverage", "% of the expected contacts (position and normal) that were found: 100 is best"},
    {"excess", "excess", "contacts found / least number that is enough: 1 is best, more is work for the solver"},
    {"paper-quality", "paper: quality",
     "quality that Erleben 2018 prints (Table 8, another state: docs/reproduction.md)"},
    {"paper-coverage", "paper: coverage", "coverage of normals that Erleben 2018 prints"},
};

/// Viridis, from bad to good, at equal steps: readable in grey and for the colour-blind.
static void print_colour(FILE *out, double share)
{
    static const int stops[5][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    double at = 4.0 * fmin(fmax(share, 0.0), 1.0);
    int k = at >= 4.0 ? 3 : (int)at;
    double t = at - k;
    (void)fprintf(out, "background:rgb(%d,%d,%d);color:%s",
                  (int)(stops[k][0] + t * (stops[k + 1][0] - stops[k][0])),
                  (int)(stops[k][1] + t * (stops[k + 1][1] - stops[k][1])),
                  (int)(stops[k][2] + t * (stops[k + 1][2] - stops[k][2])), share < 0.55 ? "#fff" : "#000");
}

/// A number and how good it is, from 0 to 1; NaN: none.
typedef struct matrix_value {
    double number, share;
} matrix_value;

static matrix_value value_of(const abut_cli_report_cell *cell, int view)
{
    const abut_paper_row *paper = abut_paper_find(cell->method, cell->case_name);
    double number = view == QUALITY         ? cell->quality
                    : view == COVERAGE      ? cell->coverage
                    : view == EXCESS        ? cell->excess
                    : paper == NULL         ? (double)NAN
                    : view == PAPER_QUALITY ? paper->quality
                                            : paper->coverage;
    // An excess of 1 is best; 0.5 and 2 are equally far from it, 32 is as bad as it gets.
    double share = view == EXCESS ? 1.0 - fabs(log2(fmax(number, 1.0 / 32.0))) / 5.0 : number / 100.0;
    return (matrix_value){number, share};
}

void abut_cli_report_print_anchor(const char *case_name, const char *method, FILE *out)
{
    abut_cli_html_text(out, case_name);
    (void)fputs("--", out);
    abut_cli_html_text(out, method);
}

static void print_cell(const abut_cli_report_cell *cell, int is_case, FILE *out)
{
    int is_linked = abut_method_find(cell->method) != NULL; // there are no pictures of other engines
    (void)fputs("<td>", out);
    if (is_linked) {
        (void)fputs(is_case ? "<a href=\"#" : "<a href=\"#scene-", out);
        if (is_case) {
            abut_cli_report_print_anchor(cell->case_name, cell->method, out);
        } else {
            abut_cli_html_text(out, cell->case_name);
        }
        (void)fputs("\">", out);
    }
    for (int v = 0; v < VIEWS; ++v) {
        matrix_value value = value_of(cell, v);
        (void)fprintf(out, "<span class=\"v %s\"", views[v].id);
        if (isfinite(value.number)) {
            (void)fputs(" style=\"", out);
            print_colour(out, value.share);
            (void)fputs("\">", out);
            if (v == EXCESS) {
                (void)fprintf(out, "%.3g", value.number);
            } else {
                abut_cli_report_print_share(value.number, out);
            }
            (void)fputs("</span>", out);
        } else {
            (void)fprintf(out, "><span title=\"%s\">%s</span></span>",
                          v >= PAPER_QUALITY ? "the paper has no number" : "no contacts",
                          v < PAPER_QUALITY && cell->is_failed ? "refused" : "-");
        }
    }
    (void)fputs(is_linked ? "</a></td>" : "</td>", out);
}

static void print_cells(const abut_cli_report_page *page, const abut_cli_list *names, const char *method, FILE *out)
{
    for (int i = 0; i < names->count; ++i) {
        const abut_cli_report_cell *cell = abut_cli_report_find(page, names->items[i], method);
        if (cell != NULL) {
            print_cell(cell, names == &page->cases, out);
        } else {
            (void)fputs("<td>-</td>", out);
        }
    }
}

static void print_row(const abut_cli_report_page *page, const char *method, FILE *out)
{
    int right = 0;
    for (int i = 0; i < page->cases.count; ++i) {
        right += abut_cli_report_is_right(abut_cli_report_find(page, page->cases.items[i], method));
    }
    (void)fputs(abut_method_find(method) != NULL ? "<tr><th class=\"row\">"
                                                 : "<tr class=\"engine\"><th class=\"row\">",
                out);
    abut_cli_html_text(out, method);
    (void)fprintf(out, "</th><td class=\"sum\"><b>%d</b> of %d</td>", right, page->cases.count);
    print_cells(page, &page->cases, method, out);
    print_cells(page, &page->scenes, method, out);
    const abut_cli_report_overlap *overlap = NULL;
    for (int i = 0; i < page->overlap_count; ++i) {
        overlap = strcmp(page->overlaps[i].method, method) == 0 ? &page->overlaps[i] : overlap;
    }
    for (int d = 0; d < ABUT_CLI_REPORT_DEPTHS; ++d) {
        if (overlap == NULL) {
            (void)fputs("<td class=\"over\">-</td>", out);
            continue;
        }
        (void)fputs("<td class=\"over\"><span class=\"cell\" style=\"", out);
        print_colour(out, overlap->resolved[d] / 100.0);
        (void)fputs("\">", out);
        abut_cli_report_print_share(overlap->resolved[d], out);
        (void)fputs("</span></td>", out);
    }
    (void)fputs("</tr>\n", out);
}

static void print_heads(const abut_cli_list *names, const char *prefix, FILE *out)
{
    for (int i = 0; i < names->count; ++i) {
        (void)fprintf(out, "<th class=\"turned\"><a href=\"#%s-", prefix);
        abut_cli_html_text(out, names->items[i]);
        (void)fputs("\">", out);
        abut_cli_html_text(out, names->items[i]);
        (void)fputs("</a></th>", out);
    }
}

/// The numbers of all views, as CSV.
static void print_data(const abut_cli_report_page *page, FILE *out)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fputs("method,case,contacts", text.stream);
    for (int v = 0; v < VIEWS; ++v) {
        (void)fprintf(text.stream, ",%s", views[v].id);
    }
    (void)fputc('\n', text.stream);
    for (int i = 0; i < page->cell_count; ++i) {
        abut_cli_html_field(text.stream, page->cells[i].method);
        (void)fputc(',', text.stream);
        abut_cli_html_field(text.stream, page->cells[i].case_name);
        (void)fprintf(text.stream, ",%.9g", page->cells[i].contacts);
        for (int v = 0; v < VIEWS; ++v) {
            (void)fprintf(text.stream, ",%.9g", value_of(&page->cells[i], v).number);
        }
        (void)fputc('\n', text.stream);
    }
    for (int i = 0; i < page->overlap_count; ++i) {
        for (int d = 0; d < ABUT_CLI_REPORT_DEPTHS; ++d) {
            const abut_cli_report_overlap *overlap = &page->overlaps[i];
            abut_cli_html_field(text.stream, overlap->method);
            (void)fprintf(text.stream, ",overlap %.9g: resolved %.9g,,,,,,\n", overlap->depth[d],
                          overlap->resolved[d]);
        }
    }
    char *csv = abut_cli_text_take(&text);
    (void)fputs("<p class=\"note\">data: ", out);
    abut_cli_html_data(out, "table.csv", csv);
    (void)fputs("</p>", out);
    free(csv);
}

void abut_cli_report_print_matrix(const abut_cli_report_page *page, FILE *out)
{
    (void)fputs("<section id=\"matrix\"><h2>Which method fails where</h2>\n"
                "<p>Each row is a contact method, each column a case of two bodies, or a structure of many, whose "
                "correct contacts are known. Bright is good, dark is bad. <b>all right</b> counts the cases with "
                "quality and "
                "coverage of 100 %. A cell leads to its picture.</p>\n",
                out);
    for (int v = 0; v < VIEWS; ++v) {
        (void)fprintf(
            out,
            "<input type=\"radio\" name=\"view\" id=\"view-%s\"%s><label for=\"view-%s\" title=\"%s\">%s</label>\n",
            views[v].id, v == 0 ? " checked" : "", views[v].id, views[v].help, views[v].label);
    }
    (void)fputs("<input type=\"checkbox\" id=\"engines\"><label for=\"engines\">other engines</label>\n", out);
    for (int v = 0; v < VIEWS; ++v) {
        (void)fprintf(out, "<p class=\"help %s\">%s.</p>\n", views[v].id, views[v].help);
    }
    (void)fputs("<div class=\"scroll\"><table class=\"matrix\"><thead><tr><th></th><th>all right</th>", out);
    print_heads(&page->cases, "case", out);
    print_heads(&page->scenes, "scene", out);
    for (int d = 0; d < ABUT_CLI_REPORT_DEPTHS; ++d) {
        double depth = page->overlap_count > 0 ? 100.0 * page->overlaps[0].depth[d] : (double)NAN;
        (void)fprintf(out, "<th class=\"turned over\">%.3g&nbsp;%% deep: resolved</th>", depth);
    }
    (void)fputs("</tr></thead><tbody>\n", out);
    for (int m = 0; m < page->methods.count; ++m) {
        print_row(page, page->methods.items[m], out);
    }
    (void)fputs(
        "</tbody></table></div>\n<p class=\"note\">The last columns are the resolution: bodies overlap by a share "
        "of "
        "their size, and this is the % of them in which the least translation that the contacts ask for separates "
        "the "
        "bodies (docs/cases.md). <span class=\"engine\">Other engines were measured by <code>abut assess --compare "
        "peers</code> with Debian 12's versions.</span></p>\n",
        out);
    print_data(page, out);
    (void)fputs("</section>\n", out);
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

static void print_figure(const abut_cli_report_cell *cell, FILE *out)
{
    (void)fputs("<figure class=\"small\" id=\"", out);
    abut_cli_report_print_anchor(cell->case_name, cell->method, out);
    (void)fputs("\"><h4>", out);
    abut_cli_html_text(out, cell->method);
    (void)fprintf(out, "%s</h4>\n", abut_cli_report_is_right(cell) ? " <span class=\"good\">all right</span>" : "");
    if (cell->picture != NULL) { // begins with "<svg"
        (void)fputs("<svg id=\"picture-", out);
        abut_cli_report_print_anchor(cell->case_name, cell->method, out);
        (void)fprintf(out, "\"%s", cell->picture + strlen("<svg"));
    }
    (void)fputs("<p class=\"why\">", out);
    abut_cli_report_print_why(cell, out);
    (void)fputs("</p>", out);
    if (!cell->is_failed && cell->contacts > 0.0) {
        (void)fputs("<figcaption>quality ", out);
        abut_cli_report_print_share(cell->quality, out);
        (void)fputs(" %, coverage ", out);
        abut_cli_report_print_share(cell->coverage, out);
        (void)fprintf(out, " %%, excess %.3g</figcaption>", cell->excess);
    }
    (void)fputs("</figure>\n", out);
}

void abut_cli_report_print_cases(const abut_cli_report_page *page, FILE *out)
{
    (void)fputs(
        "<section id=\"cases\"><h2>Every case, as every method sees it</h2>\n<p>Dots are right contacts, crosses "
        "wrong ones, empty circles expected contacts that are missing. Arrows are normals, from A to B.</p>\n",
        out);
    for (int i = 0; i < page->cases.count; ++i) {
        const char *name = page->cases.items[i];
        (void)fputs("<h3 id=\"case-", out);
        abut_cli_html_text(out, name);
        (void)fputs("\">", out);
        abut_cli_html_text(out, name);
        (void)fputs("</h3><div class=\"figures\">\n", out);
        for (int m = 0; m < page->methods.count; ++m) {
            const abut_cli_report_cell *cell = abut_cli_report_find(page, name, page->methods.items[m]);
            if (cell != NULL && abut_method_find(cell->method) != NULL) {
                print_figure(cell, out);
            }
        }
        (void)fputs("</div>\n", out);
    }
    (void)fputs("</section>\n", out);
}
