// SPDX-License-Identifier: MIT
// report_summary.c: what each method does wrong, in words and by the picture of its worst case
#include "shared/html.h"
#include "verb/report.h"

#include <math.h>
#include <string.h>

void abut_cli_report_print_share(double percent, FILE *out)
{
    double tenths = round(10.0 * percent);
    tenths = percent < 100.0 ? fmin(tenths, 999.0) : tenths;
    tenths = percent > 0.0 ? fmax(tenths, 1.0) : tenths;
    if (isfinite(percent)) {
        (void)fprintf(out, "%.*f", fmod(tenths, 10.0) != 0.0, tenths / 10.0);
    } else {
        (void)fputs("-", out);
    }
}

void abut_cli_report_print_why(const abut_cli_report_cell *cell, FILE *out)
{
    if (cell->is_failed) {
        (void)fputs("refused: ", out);
        abut_cli_html_text(out, cell->message != NULL ? cell->message : "no reason given");
    } else if (cell->contacts == 0.0) {
        (void)fputs("finds no contacts", out);
    } else if (cell->wrong == 0 && cell->missed == 0) {
        (void)fputs("all contacts right, none missed", out);
    } else {
        const char *between = "";
        if (cell->wrong > 0) {
            (void)fprintf(out, "%d of %d normals wrong", cell->wrong, cell->right + cell->wrong);
            if (isfinite(cell->worst_angle)) {
                (void)fprintf(out, ", up to %.*f&deg; off", cell->worst_angle < 10.0, cell->worst_angle);
            }
            between = "; ";
        }
        if (cell->missed > 0) {
            (void)fprintf(out, "%s%d expected contact%s missed", between, cell->missed,
                          abut_cli_plural(cell->missed));
        }
    }
}

/// How bad a case is: the larger, the worse. 0: all right.
static double badness(const abut_cli_report_cell *cell)
{
    if (cell->is_failed) {
        return 1.0; // it says so, which is better than wrong forces
    }
    double quality = isfinite(cell->quality) ? cell->quality : 100.0; // no contacts: all are missed
    double angle = isfinite(cell->worst_angle) ? cell->worst_angle : 0.0;
    return (100.0 - quality) + (100.0 - cell->coverage) + 0.1 * angle;
}

/// What a method does wrong in the cases.
typedef struct method_faults {
    const abut_cli_report_cell *worst; ///< or NULL: none
    int right, wrong, missed, refused; ///< cases
    double angle;
} method_faults;

static method_faults find_faults(const abut_cli_report_page *page, const char *method)
{
    method_faults faults = {.angle = 0.0};
    for (int i = 0; i < page->cases.count; ++i) {
        const abut_cli_report_cell *cell = abut_cli_report_find(page, page->cases.items[i], method);
        if (cell == NULL) {
            continue;
        }
        faults.right += abut_cli_report_is_right(cell);
        faults.wrong += cell->wrong > 0;
        faults.missed += !cell->is_failed && cell->missed > 0;
        faults.refused += cell->is_failed;
        faults.angle = isfinite(cell->worst_angle) ? fmax(faults.angle, cell->worst_angle) : faults.angle;
        if (badness(cell) > (faults.worst != NULL ? badness(faults.worst) : 0.0)) {
            faults.worst = cell;
        }
    }
    return faults;
}

static void print_words(const abut_cli_report_page *page, const char *method, const method_faults *faults,
                        FILE *out)
{
    (void)fprintf(out, "<p><b>%d</b> of %d cases all right.", faults->right, page->cases.count);
    if (faults->wrong > 0) {
        (void)fprintf(out, " Wrong normals in %d, up to %.*f&deg; off.", faults->wrong, faults->angle < 10.0,
                      faults->angle);
    }
    if (faults->missed > 0) {
        (void)fprintf(out, " Misses contacts in %d.", faults->missed);
    }
    if (faults->refused > 0) {
        (void)fprintf(out, " Refuses %d.", faults->refused);
    }
    (void)fputs("</p><p>Right normals in", out);
    for (int i = 0; i < page->scenes.count; ++i) {
        const abut_cli_report_cell *cell = abut_cli_report_find(page, page->scenes.items[i], method);
        (void)fputs(i > 0 ? ", " : " ", out);
        abut_cli_html_text(out, page->scenes.items[i]);
        if (cell == NULL || cell->is_failed || !isfinite(cell->quality)) {
            (void)fputs(": none", out);
        } else {
            (void)fputs(": ", out);
            abut_cli_report_print_share(cell->quality, out);
            (void)fputs(" %", out);
        }
    }
    (void)fputs(".</p>", out);
}

/// The picture of a cell again, which stands further below: only its frame is repeated.
static void print_small_picture(const abut_cli_report_cell *cell, FILE *out)
{
    const char *end = cell->picture != NULL ? strchr(cell->picture, '>') : NULL;
    if (end != NULL) {
        (void)fwrite(cell->picture, 1, (size_t)(end - cell->picture) + 1, out);
        (void)fputs("<use href=\"#picture-", out);
        abut_cli_report_print_anchor(cell->case_name, cell->method, out);
        (void)fputs("\"/></svg>", out);
    }
}

static void print_method(const abut_cli_report_page *page, const char *method, FILE *out)
{
    method_faults faults = find_faults(page, method);
    (void)fputs("<figure class=\"fault\"><div><h4>", out);
    abut_cli_html_text(out, method);
    (void)fputs("</h4>", out);
    print_words(page, method, &faults, out);
    if (faults.worst != NULL) {
        (void)fputs("<p>Worst: <a href=\"#", out);
        abut_cli_report_print_anchor(faults.worst->case_name, method, out);
        (void)fputs("\">", out);
        abut_cli_html_text(out, faults.worst->case_name);
        (void)fputs("</a>: ", out);
        abut_cli_report_print_why(faults.worst, out);
        (void)fputs(".</p>", out);
    }
    (void)fputs("</div>", out);
    if (faults.worst != NULL) {
        print_small_picture(faults.worst, out);
    }
    (void)fputs("</figure>\n", out);
}

void abut_cli_report_print_summary(const abut_cli_report_page *page, FILE *out)
{
    (void)fputs(
        "<section id=\"faults\"><h2>What goes wrong, method by method</h2>\n<p>Each method with the picture of "
        "its worst case. Blue dots are right contacts, orange crosses wrong ones, empty circles expected "
        "contacts that are missing; arrows are normals from A to B. A wrong normal is a force in a "
        "direction that no contact has.</p>\n<div class=\"figures\">\n",
        out);
    for (int m = 0; m < page->methods.count; ++m) {
        if (abut_method_find(page->methods.items[m]) != NULL) {
            print_method(page, page->methods.items[m], out);
        }
    }
    (void)fputs("</div></section>\n", out);
}
