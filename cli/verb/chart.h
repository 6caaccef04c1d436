// SPDX-License-Identifier: MIT
// chart.h: curves and bars as SVG, with their numbers
#ifndef ABUT_CLI_CHART_H
#define ABUT_CLI_CHART_H

#include "shared/output.h"

/// A curve. The arrays belong to the caller; points that are not finite are left out.
typedef struct abut_cli_series {
    const char *name;
    const double *x, *y;
    int count;
} abut_cli_series;

typedef struct abut_cli_chart {
    const char *title;
    const char *file; ///< name of the CSV file with its numbers
    const char *x_name, *y_name;
    int is_log_y; ///< powers of ten; numbers of 0 or less are left out
    int is_bars;  ///< bars instead of curves: one series, x counts them
    const abut_cli_series *series;
    int count;
} abut_cli_chart;

/// Prints a figure: title, curves with a legend, and a link to the numbers. A chart without points says so.
void abut_cli_chart_print(const abut_cli_chart *chart, FILE *out);

/// Prints a figure of directions on the unit sphere, seen from +z and -z with y up. Equal ones are one dot, the larger the
/// more there are.
void abut_cli_sphere_print(const char *title, const char *file, const abut_vec3 *directions, int count, FILE *out);

#endif
