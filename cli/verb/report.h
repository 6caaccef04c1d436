// SPDX-License-Identifier: MIT
// report.h: the parts of the page that `abut report` writes
#ifndef ABUT_CLI_REPORT_H
#define ABUT_CLI_REPORT_H

#include "shared/output.h"
#include "verb/picture.h"

#include <abut-lab/overlap.h>

/// A method on a case or scene, computed or read from a file. The texts belong to the report.
typedef struct abut_cli_report_cell {
    const char *case_name, *method;
    int is_failed; ///< there are no measures: see `message`
    char *message; ///< or NULL
    double quality, coverage, excess, contacts;
    int right, wrong, missed; ///< contacts of a case as its picture shows them
    double worst_angle;       ///< largest angle of a wrong normal to the nearest right one, degrees; NaN: none
    char *picture;            ///< SVG, or NULL
    abut_scene_score *scene;  ///< curves of a scene, or NULL
    int shown_every;          ///< the picture has every n-th contact
    abut_vec3 *normals;       ///< of the contacts of a scene, or NULL
    int normal_count;
} abut_cli_report_cell;

enum { ABUT_CLI_REPORT_DEPTHS = 3 };

/// A method on the bodies that overlap, by depth.
typedef struct abut_cli_report_overlap {
    const char *method;
    double depth[ABUT_CLI_REPORT_DEPTHS], resolved[ABUT_CLI_REPORT_DEPTHS]; ///< resolved: %
} abut_cli_report_overlap;

/// Steps of Pillar that a report simulates.
enum { ABUT_CLI_REPORT_STEPS = 20 };

/// Contacts of a method in each step of Pillar; fewer steps if one failed.
typedef struct abut_cli_report_counts {
    const char *method;
    double time[ABUT_CLI_REPORT_STEPS], contacts[ABUT_CLI_REPORT_STEPS];
    int count;
} abut_cli_report_counts;

/// A document of an earlier run.
typedef struct abut_cli_saved {
    const char *path;
    json_t *json;
} abut_cli_saved;

/// All that is on the page.
typedef struct abut_cli_report_page {
    char *command; ///< that made it
    abut_cli_list cases, scenes, methods;
    abut_cli_report_cell *cells; ///< all cases, then all scenes; each with all methods
    int cell_count, cell_capacity;
    abut_cli_report_overlap *overlaps;
    int overlap_count;
    abut_cli_report_counts *counts;
    int counts_count;
    abut_cli_saved *saved;
    int saved_count;
} abut_cli_report_page;

void abut_cli_report_page_release(abut_cli_report_page *page);

/// The cell of a case and a method, or NULL.
const abut_cli_report_cell *abut_cli_report_find(const abut_cli_report_page *page, const char *case_name,
                                                 const char *method);

/// Adds a cell without measures, and its method if the page does not have it.
abut_cli_report_cell *abut_cli_report_add_cell(abut_cli_report_page *page, const char *case_name,
                                               const char *method);
abut_cli_report_overlap *abut_cli_report_add_overlap(abut_cli_report_page *page, const char *method);

/// Whether all contacts are right and none is missing.
int abut_cli_report_is_right(const abut_cli_report_cell *cell);

/// Adds the cells of all methods on the fundamental cases and on the scenes, with pictures, the measure `resolution`,
/// and contacts over time.
abut_cli_exit abut_cli_report_compute(abut_cli_report_page *page);

/// Reads the files that the operands name: results of `abut assess`, `abut study`, `abut simulate` and `abut bench`.
abut_cli_exit abut_cli_report_load(abut_cli_report_page *page, const abut_cli_arguments *arguments);

/// Adds the cells of these files whose methods the page does not have, such as other engines.
void abut_cli_report_add_saved(abut_cli_report_page *page);

/// Adds rows of other engines that are known without a file.
void abut_cli_report_add_peers(abut_cli_report_page *page);

/// Prints the name by which a link finds a cell's picture.
void abut_cli_report_print_anchor(const char *case_name, const char *method, FILE *out);
/// Prints a share in per cent with at most one decimal; what is not 100 never reads as 100, and what is not 0 never as 0.
void abut_cli_report_print_share(double percent, FILE *out);
/// Prints in words what is wrong in a case.
void abut_cli_report_print_why(const abut_cli_report_cell *cell, FILE *out);

/// Print the sections of the page.
void abut_cli_report_print_matrix(const abut_cli_report_page *page, FILE *out);
void abut_cli_report_print_summary(const abut_cli_report_page *page, FILE *out);
void abut_cli_report_print_cases(const abut_cli_report_page *page, FILE *out);
void abut_cli_report_print_scenes(const abut_cli_report_page *page, FILE *out);
void abut_cli_report_print_saved(const abut_cli_report_page *page, FILE *out);

#endif
