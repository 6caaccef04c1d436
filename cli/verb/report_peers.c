// SPDX-License-Identifier: MIT
// report_peers.c: rows of other engines, which a build with ABUT_PEERS measured
#include "verb/report.h"

#include <string.h>

typedef struct peer_row {
    const char *method, *case_name;
    double quality, coverage, excess, contacts;
} peer_row;

typedef struct peer_overlap {
    const char *method;
    double resolved[ABUT_CLI_REPORT_DEPTHS];
} peer_overlap;

#include "verb/report_peers_table.h"

static int has_overlap(const abut_cli_report_page *page, const char *method)
{
    int has = 0;
    for (int i = 0; i < page->overlap_count; ++i) {
        has |= strcmp(page->overlaps[i].method, method) == 0;
    }
    return has;
}

void abut_cli_report_add_peers(abut_cli_report_page *page)
{
    for (size_t i = 0; i < sizeof peer_rows / sizeof peer_rows[0]; ++i) {
        const peer_row *row = &peer_rows[i];
        if (abut_cli_report_find(page, row->case_name, row->method) == NULL) {
            abut_cli_report_cell *cell = abut_cli_report_add_cell(page, row->case_name, row->method);
            cell->quality = row->quality;
            cell->coverage = row->coverage;
            cell->excess = row->excess;
            cell->contacts = row->contacts;
        }
    }
    for (size_t i = 0; i < sizeof peer_overlaps / sizeof peer_overlaps[0]; ++i) {
        const peer_overlap *row = &peer_overlaps[i];
        if (!has_overlap(page, row->method)) {
            abut_cli_report_overlap *overlap = abut_cli_report_add_overlap(page, row->method);
            for (int d = 0; d < ABUT_CLI_REPORT_DEPTHS; ++d) {
                overlap->depth[d] = page->overlaps[0].depth[d];
                overlap->resolved[d] = row->resolved[d];
            }
        }
    }
}
