// SPDX-License-Identifier: MIT
// chart.c: curves and bars as SVG, with their numbers
#include "verb/chart.h"

#include "shared/html.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 520, HEIGHT = 280, LEFT = 62, RIGHT = 12, TOP = 12, BOTTOM = 42, MOST_TICKS = 7, COLOURS = 8 };
enum { SPHERE = 190 }; ///< diameter of half a sphere, in pixels

// Okabe and Ito 2008; the dashes tell curves apart without colours.
static const char *const COLOUR[COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#000000", "#8a6d00"};
static const char *const DASHES[4] = {"none", "6 3", "2 3", "8 3 2 3"};

/// The ranges of both axes.
typedef struct chart_range {
    double left, right, low, high;
} chart_range;

static int is_shown(const abut_cli_chart *chart, double x, double y)
{
    return isfinite(x) && isfinite(y) && (!chart->is_log_y || y > 0.0);
}

static double height_of(const abut_cli_chart *chart, double y)
{
    return chart->is_log_y ? log10(y) : y;
}

/// Returns 0 if there is no point.
static int find_range(const abut_cli_chart *chart, chart_range *range)
{
    *range = (chart_range){HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (int s = 0; s < chart->count; ++s) {
        for (int i = 0; i < chart->series[s].count; ++i) {
            double x = chart->series[s].x[i], y = chart->series[s].y[i];
            if (is_shown(chart, x, y)) {
                range->left = fmin(range->left, x);
                range->right = fmax(range->right, x);
                range->low = fmin(range->low, height_of(chart, y));
                range->high = fmax(range->high, height_of(chart, y));
            }
        }
    }
    if (!(range->left <= range->right)) {
        return 0;
    }
    if (chart->is_bars) {
        range->left -= 0.6;
        range->right += 0.6;
    }
    if (!chart->is_log_y) {
        range->low = fmin(range->low, 0.0);
    } else {
        range->low = floor(range->low);
        range->high = ceil(range->high);
    }
    range->right += range->right == range->left ? 1.0 : 0.0;
    range->high += range->high == range->low ? 1.0 : 0.0;
    return 1;
}

static double pixel_x(const chart_range *range, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (x - range->left) / (range->right - range->left);
}

static double pixel_y(const chart_range *range, double y)
{
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (y - range->low) / (range->high - range->low);
}

/// A round distance of ticks: 1, 2 or 5 times a power of ten.
static double tick_step(double span)
{
    double raw = span / (MOST_TICKS - 1), power = pow(10.0, floor(log10(raw)));
    double share = raw / power;
    return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

static void print_axes(const abut_cli_chart *chart, const chart_range *range, FILE *out)
{
    double step = chart->is_log_y ? fmax(1.0, ceil((range->high - range->low) / MOST_TICKS))
                                  : tick_step(range->high - range->low);
    for (double y = ceil(range->low / step - 1e-9) * step; y <= range->high + 1e-9 * step; y += step) {
        double at = pixel_y(range, y);
        (void)fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"tick end\">",
                      LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4.0);
        (void)fprintf(out, "%.6g</text>\n", chart->is_log_y ? pow(10.0, y) : fabs(y) < 1e-12 * step ? 0.0 : y);
    }
    step =
        chart->is_bars ? fmax(1.0, tick_step(range->right - range->left)) : tick_step(range->right - range->left);
    for (double x = ceil(range->left / step - 1e-9) * step; x <= range->right + 1e-9 * step; x += step) {
        (void)fprintf(out, "<text x=\"%.1f\" y=\"%d\" class=\"tick mid\">%.6g</text>\n", pixel_x(range, x),
                      HEIGHT - BOTTOM + 16, fabs(x) < 1e-12 * step ? 0.0 : x);
    }
    (void)fprintf(out, "<text x=\"%d\" y=\"%d\" class=\"mid\">", (WIDTH + LEFT) / 2, HEIGHT - 8);
    abut_cli_html_text(out, chart->x_name);
    (void)fprintf(out, "</text>\n<text x=\"14\" y=\"%d\" class=\"mid\" transform=\"rotate(-90 14 %d)\">",
                  (HEIGHT - BOTTOM) / 2, (HEIGHT - BOTTOM) / 2);
    abut_cli_html_text(out, chart->y_name);
    (void)fputs("</text>\n", out);
}

static void print_curve(const abut_cli_chart *chart, const chart_range *range, int s, FILE *out)
{
    const abut_cli_series *series = &chart->series[s];
    int is_down = 0;
    (void)fprintf(out, "<path class=\"curve\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"", COLOUR[s % COLOURS],
                  DASHES[s / COLOURS % 4]);
    for (int i = 0; i < series->count; ++i) {
        int is_point = is_shown(chart, series->x[i], series->y[i]);
        if (is_point) {
            (void)fprintf(out, "%c%.1f %.1f", is_down ? 'L' : 'M', pixel_x(range, series->x[i]),
                          pixel_y(range, height_of(chart, series->y[i])));
        }
        is_down = is_point;
    }
    (void)fputs("\"/>\n", out);
    for (int i = 0; i < series->count && series->count <= 40; ++i) {
        if (is_shown(chart, series->x[i], series->y[i])) {
            (void)fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"%s\"/>\n",
                          pixel_x(range, series->x[i]), pixel_y(range, height_of(chart, series->y[i])),
                          COLOUR[s % COLOURS]);
        }
    }
}

static void print_bars(const abut_cli_chart *chart, const chart_range *range, FILE *out)
{
    const abut_cli_series *series = &chart->series[0];
    double half = 0.4 * (pixel_x(range, 1.0) - pixel_x(range, 0.0));
    for (int i = 0; i < series->count; ++i) {
        if (is_shown(chart, series->x[i], series->y[i])) {
            double top = pixel_y(range, height_of(chart, series->y[i]));
            (void)fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                          pixel_x(range, series->x[i]) - half, top, 2.0 * half, pixel_y(range, range->low) - top,
                          COLOUR[0]);
        }
    }
}

static void print_legend(const abut_cli_chart *chart, FILE *out)
{
    (void)fputs("<div class=\"legend\">", out);
    for (int s = 0; s < chart->count && !chart->is_bars; ++s) {
        (void)fprintf(out,
                      "<span><svg width=\"22\" height=\"8\"><path class=\"curve\" stroke=\"%s\" "
                      "stroke-dasharray=\"%s\" d=\"M0 4H22\"/></svg> ",
                      COLOUR[s % COLOURS], DASHES[s / COLOURS % 4]);
        abut_cli_html_text(out, chart->series[s].name);
        (void)fputs("</span> ", out);
    }
    (void)fputs("</div>\n", out);
}

/// Every point of every curve, as CSV. Release with free().
static char *numbers_of(const abut_cli_chart *chart)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fputs("series,x,y\n", text.stream);
    for (int s = 0; s < chart->count; ++s) {
        for (int i = 0; i < chart->series[s].count; ++i) {
            abut_cli_html_field(text.stream, chart->series[s].name);
            (void)fprintf(text.stream, ",%.9g,%.9g\n", chart->series[s].x[i], chart->series[s].y[i]);
        }
    }
    return abut_cli_text_take(&text);
}

static void print_data(const char *file, char *csv, FILE *out)
{
    (void)fputs("<figcaption>data: ", out);
    abut_cli_html_data(out, file, csv);
    (void)fputs("</figcaption></figure>\n", out);
    free(csv);
}

void abut_cli_chart_print(const abut_cli_chart *chart, FILE *out)
{
    chart_range range;
    (void)fputs("<figure><h4>", out);
    abut_cli_html_text(out, chart->title);
    (void)fputs("</h4>\n", out);
    if (!find_range(chart, &range)) {
        (void)fputs("<p class=\"none\">no values</p></figure>\n", out);
        return;
    }
    (void)fprintf(out, "<svg class=\"chart\" viewBox=\"0 0 %d %d\">\n", WIDTH, HEIGHT);
    print_axes(chart, &range, out);
    if (chart->is_bars) {
        print_bars(chart, &range, out);
    }
    for (int s = 0; s < chart->count && !chart->is_bars; ++s) {
        print_curve(chart, &range, s, out);
    }
    (void)fputs("</svg>\n", out);
    print_legend(chart, out);
    print_data(chart->file, numbers_of(chart), out);
}

/// Orders directions by x, y and z.
static int compare_directions(const void *a, const void *b)
{
    const abut_vec3 *p = a, *q = b;
    return p->x != q->x   ? (p->x > q->x) - (p->x < q->x)
           : p->y != q->y ? (p->y > q->y) - (p->y < q->y)
                          : (p->z > q->z) - (p->z < q->z);
}

/// Sorted copies, rounded to a thousandth: far below a pixel, and equal normals become equal. Release with free().
static abut_vec3 *round_directions(const abut_vec3 *directions, int count)
{
    abut_vec3 *rounded = abut_cli_resize(NULL, (size_t)count, sizeof *rounded);
    for (int i = 0; i < count; ++i) {
        abut_vec3 d = directions[i];
        rounded[i] = abut_vec3_make(rint(1000.0 * d.x) / 1000.0 + 0.0, rint(1000.0 * d.y) / 1000.0 + 0.0,
                                    rint(1000.0 * d.z) / 1000.0 + 0.0);
    }
    if (count > 1) {
        qsort(rounded, (size_t)count, sizeof *rounded, compare_directions);
    }
    return rounded;
}

void abut_cli_sphere_print(const char *title, const char *file, const abut_vec3 *directions, int count, FILE *out)
{
    abut_cli_text csv;
    abut_cli_text_open(&csv);
    (void)fputs("x,y,z,contacts\n", csv.stream);
    double radius = 0.5 * SPHERE;
    (void)fputs("<figure class=\"small\"><h4>", out);
    abut_cli_html_text(out, title);
    (void)fprintf(out, "</h4>\n<svg class=\"sphere\" viewBox=\"-4 -4 %d %d\">\n", 2 * SPHERE + 28, SPHERE + 26);
    for (int side = 0; side < 2; ++side) {
        double center = radius + side * (SPHERE + 20);
        (void)fprintf(out,
                      "<circle class=\"globe\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/><text x=\"%.1f\" y=\"%d\" "
                      "class=\"tick mid\">from %sz</text>\n",
                      center, radius, radius, center, SPHERE + 16, side == 0 ? "+" : "-");
    }
    abut_vec3 *rounded = round_directions(directions, count);
    for (int i = 0, next; i < count; i = next) {
        abut_vec3 d = rounded[i];
        int side = d.z < 0.0;
        for (next = i + 1; next < count && compare_directions(&rounded[next], &d) == 0;) {
            ++next;
        }
        (void)fprintf(out, "<circle class=\"normal\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
                      radius + side * (SPHERE + 20) + (side ? -radius : radius) * d.x, radius - radius * d.y,
                      2.0 + fmin(5.0, log2((double)(next - i)) / 2.0)); // more contacts, larger dot
        (void)fprintf(csv.stream, "%g,%g,%g,%d\n", d.x, d.y, d.z, next - i);
    }
    free(rounded);
    (void)fputs("</svg>\n", out);
    print_data(file, abut_cli_text_take(&csv), out);
}
