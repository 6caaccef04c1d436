// SPDX-License-Identifier: MIT
// assess_overlap.c: abut assess --case overlap: how well contacts separate bodies that overlap
#include "shared/layout.h"
#include "shared/progress.h"
#include "verb/assess_modes.h"
#include "verb/assess_parts.h"

#include <abut-lab/overlap.h>

#include <stdlib.h>
#include <string.h>

enum { DEPTHS = 3 };

/// One method on all placements of one depth.
typedef struct depth_row {
    const char *method;
    abut_overlap_summary summary;
    double resolved_share; ///< in percent
    const char *refusal;   ///< the first reason why a placement was not answered, or NULL
} depth_row;

/// One method on one placement.
typedef struct placement_row {
    const char *method, *a, *b;
    int placement;
    const abut_overlap_placement *place;
    abut_overlap_row score;
} placement_row;

typedef struct overlap_list {
    const abut_cli_arguments *arguments;
    abut_cli_format format;
    abut_cli_methods methods;
    abut_overlap_set *set;
    abut_overlap_row *scores; ///< of one method
    depth_row *rows;          ///< by method, then by depth
    int row_count;
    placement_row *placements; ///< by method, then by placement
    int placement_count;
    abut_cli_progress progress;
} overlap_list;

int abut_cli_assesses_overlap(const abut_cli_arguments *arguments)
{
    abut_cli_list names = {0};
    int position = 0;
    const char *text;
    while ((text = abut_cli_next_value(arguments, "case", &position)) != NULL) {
        (void)abut_cli_list_split(&names, text); // whoever reads the cases reports an empty name
    }
    int is_so = abut_cli_list_has(&names, "overlap");
    abut_cli_list_release(&names);
    return is_so;
}

// ---------------------------------------------------------------------------------------------------------------
// Members

static const abut_cli_member summary_members[] = {
    {"depth", "depth", ABUT_CLI_AT(abut_overlap_summary, depth)},
    {"placements", "placements", ABUT_CLI_AT(abut_overlap_summary, placements)},
    {"answered", "answered", ABUT_CLI_AT(abut_overlap_summary, answered)},
    {"resolved", "resolved", ABUT_CLI_AT(abut_overlap_summary, resolved)},
    {"contacts", "contacts", ABUT_CLI_AT(abut_overlap_summary, contacts), .has_tenths = 1},
    {"median_ratio", "ratio", ABUT_CLI_AT(abut_overlap_summary, median_ratio)},
    {"high_ratio", "90 %", ABUT_CLI_AT(abut_overlap_summary, high_ratio)},
    {"least_left", NULL, ABUT_CLI_AT(abut_overlap_summary, least_left)},
};
static const abut_cli_layout summary_layout = ABUT_CLI_LAYOUT(summary_members);

static const abut_cli_member row_members[] = {
    {"method", "method", ABUT_CLI_AT(depth_row, method)},
    {NULL, NULL, ABUT_CLI_PART_AT(depth_row, summary, summary_layout)},
    {"resolved_share", "resolved %", ABUT_CLI_AT(depth_row, resolved_share), .has_tenths = 1},
    {"refusal", NULL, ABUT_CLI_AT(depth_row, refusal)},
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

static const char *message_of(const void *row)
{
    const placement_row *r = row;
    return r->score.status != ABUT_OK ? abut_cli_message(r->score.status, &r->score.error) : NULL;
}

static const void *find_place(const void *row)
{
    return ((const placement_row *)row)->place;
}

static const abut_cli_member place_members[] = {
    {"depth", NULL, ABUT_CLI_AT(abut_overlap_placement, depth)},
    {"size", NULL, ABUT_CLI_AT(abut_overlap_placement, size)},
    {"pose_a", NULL, ABUT_CLI_AT(abut_overlap_placement, pose_a)},
    {"pose_b", NULL, ABUT_CLI_AT(abut_overlap_placement, pose_b)},
    {"freeing", NULL, ABUT_CLI_AT(abut_overlap_placement, freeing)},
    {"volume", NULL, ABUT_CLI_AT(abut_overlap_placement, volume)},
};
static const abut_cli_layout place_layout = ABUT_CLI_LAYOUT(place_members);

static const abut_cli_member placement_members[] = {
    {"method", NULL, ABUT_CLI_AT(placement_row, method)},
    {"placement", NULL, ABUT_CLI_AT(placement_row, placement)},
    {"a", NULL, ABUT_CLI_AT(placement_row, a)},
    {"b", NULL, ABUT_CLI_AT(placement_row, b)},
    {NULL, NULL, ABUT_CLI_PART_BY(find_place, place_layout)},
    {"contacts", NULL, ABUT_CLI_AT(placement_row, score.contacts)},
    {"resolved", NULL, ABUT_CLI_FLAG_AT(placement_row, score.resolution.is_resolved)},
    {"translation", NULL, ABUT_CLI_AT(placement_row, score.resolution.translation)},
    {"ratio", NULL, ABUT_CLI_AT(placement_row, score.resolution.ratio)},
    {"left", NULL, ABUT_CLI_AT(placement_row, score.resolution.left)},
    {"status", NULL, ABUT_CLI_TEXT_OF(placement_row, score.status, abut_cli_status_member)},
    {"message", NULL, ABUT_CLI_TEXT_BY(message_of)},
};
static const abut_cli_layout placement_layout = ABUT_CLI_LAYOUT(placement_members);

static abut_cli_rows depth_rows(const void *row)
{
    const overlap_list *list = row;
    return (abut_cli_rows){&row_layout, list->rows, list->row_count, sizeof *list->rows};
}

static abut_cli_rows placement_rows(const void *row)
{
    const overlap_list *list = row;
    return (abut_cli_rows){&placement_layout, list->placements, list->placement_count, sizeof *list->placements};
}

static const abut_cli_member document_members[] = {
    {"results", NULL, ABUT_CLI_ROWS_BY(depth_rows)},
    {"placements", NULL, ABUT_CLI_ROWS_BY(placement_rows)},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

// ---------------------------------------------------------------------------------------------------------------
// Work

/// Options of `abut assess` that have no meaning here.
static abut_cli_exit check_options(const abut_cli_arguments *arguments)
{
    static const char *const others[] = {"state",    "step",     "require",    "curves",
                                         "readings", "settings", "scene-size", "refine"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (abut_cli_value_of(arguments, others[i]) != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s has no effect on --case overlap: leave it out",
                                 others[i]);
        }
    }
    abut_cli_list names = {0};
    abut_cli_exit code = abut_cli_list_of(arguments, "case", &names);
    if (code == ABUT_CLI_DONE && names.count > 1) {
        code =
            abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --case: overlap is measured in its own way: name it alone");
    }
    abut_cli_list_release(&names);
    return code;
}

static void add_placement(overlap_list *list, const char *method, int index)
{
    const abut_overlap_placement *place = &list->set->placements[index];
    list->placements[list->placement_count++] = (placement_row){.method = method,
                                                                .a = list->set->names[place->a],
                                                                .b = list->set->names[place->b],
                                                                .placement = index,
                                                                .place = place,
                                                                .score = list->scores[index]};
}

/// Adds the rows of a method whose scores are in the list.
static abut_cli_exit add_rows(overlap_list *list, const char *method)
{
    for (int d = 0; d < DEPTHS; ++d) {
        abut_error error = {0};
        double depth = list->set->placements[d].depth;
        depth_row *row = &list->rows[list->row_count++];
        *row = (depth_row){.method = method};
        abut_status status = abut_overlap_sum_up(list->set, list->scores, depth, &row->summary, &error);
        if (status != ABUT_OK) {
            return abut_cli_fail_status(status, &error);
        }
        row->resolved_share = 100.0 * row->summary.resolved / row->summary.placements;
    }
    for (int i = 0; i < list->set->placement_count; ++i) {
        add_placement(list, method, i);
        depth_row *row = &list->rows[list->row_count - DEPTHS + i % DEPTHS];
        const placement_row *added = &list->placements[list->placement_count - 1];
        row->refusal = row->refusal != NULL ? row->refusal : message_of(added);
    }
    return ABUT_CLI_DONE;
}

static abut_cli_exit run_method(overlap_list *list, const abut_cli_method *method)
{
    abut_cli_query query;
    abut_cli_exit code = abut_cli_assessed_query(list->arguments, method, &query);
    if (code == ABUT_CLI_DONE) {
        abut_assess_params params = abut_cli_assess_params(&query);
        for (int i = 0; i < list->set->placement_count; ++i) {
            (void)abut_assess_overlap(list->set, i, method->row, &params,
                                      &list->scores[i]); // the row has the status
            abut_cli_progress_show(&list->progress, list->placement_count + i + 1);
        }
        code = add_rows(list, method->row->name);
    }
    abut_cli_query_release(&query);
    return code;
}

static abut_cli_exit run_peer(overlap_list *list, int peer)
{
    for (int i = 0; i < list->set->placement_count; ++i) {
        (void)abut_cli_peer_overlap(list->set, i, peer, &list->scores[i]); // the row has the status
        abut_cli_progress_show(&list->progress, list->placement_count + i + 1);
    }
    return add_rows(list, abut_cli_peer_name(peer));
}

static abut_cli_exit run_methods(overlap_list *list)
{
    abut_error error = {0};
    abut_status status = abut_overlap_set_create(NULL, ABUT_OVERLAP_STANDARD, &list->set, &error);
    if (status != ABUT_OK) {
        return abut_cli_fail_status(status, &error);
    }
    int peers = abut_cli_value_of(list->arguments, "compare") != NULL ? abut_cli_peer_count() : 0;
    size_t methods = (size_t)(list->methods.count + peers), placements = (size_t)list->set->placement_count;
    list->scores = abut_cli_resize(NULL, placements, sizeof *list->scores);
    list->rows = abut_cli_resize(NULL, methods * DEPTHS, sizeof *list->rows);
    list->placements = abut_cli_resize(NULL, methods * placements, sizeof *list->placements);
    abut_cli_progress_begin(&list->progress, "placements", (int)(methods * placements));
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int m = 0; m < list->methods.count && code == ABUT_CLI_DONE; ++m) {
        code = run_method(list, &list->methods.items[m]);
    }
    for (int peer = 0; peer < peers && code == ABUT_CLI_DONE; ++peer) {
        code = run_peer(list, peer);
    }
    abut_cli_progress_end(&list->progress);
    return code;
}

static void write_table(const void *data, const abut_cli_table *table, FILE *out)
{
    const overlap_list *list = data;
    abut_cli_table_print(table, 0, (size_t)list->row_count, out);
    (void)fputs("\n", out);
    for (int i = 0; i < list->row_count; ++i) {
        const depth_row *row = &list->rows[i];
        if (row->refusal != NULL &&
            (i % DEPTHS == 0 || strcmp(row->refusal, row[-1].refusal ? row[-1].refusal : "") != 0)) {
            (void)fprintf(out, "%s at depth %g: %s\n", row->method, row->summary.depth, row->refusal);
        }
    }
    (void)fputs(
        "depth: how far B was moved into A, relative to the smaller one's size. answered: the method gave an\n"
        "answer. resolved: after the least translation t of B that opens all contacts (n . t >= -gap), at most\n"
        "a thousandth of the overlapping volume is left. ratio: median of |t| / depth of the resolved ones, and\n"
        "their 90th percentile; contacts: mean number. docs/cases.md explains the placements.\n",
        out);
}

abut_cli_exit abut_cli_assess_overlap(const abut_cli_arguments *arguments)
{
    overlap_list list = {.arguments = arguments};
    abut_cli_exit code = abut_cli_format_of(arguments, &list.format);
    code = code != ABUT_CLI_DONE ? code : check_options(arguments);
    if (code == ABUT_CLI_DONE) {
        code = abut_cli_value_of(arguments, "compare") != NULL
                   ? abut_cli_methods_select(arguments, ABUT_CLI_DEFAULT_METHOD, &list.methods)
                   : abut_cli_assessed_methods(arguments, &list.methods);
    }
    code = code != ABUT_CLI_DONE ? code : run_methods(&list);
    if (code == ABUT_CLI_DONE) {
        abut_cli_report report = {&document_layout, &list, depth_rows(&list), write_table};
        code = abut_cli_report_print(&report, list.format);
    }
    free(list.placements);
    free(list.rows);
    free(list.scores);
    abut_overlap_set_destroy(list.set);
    abut_cli_methods_release(&list.methods);
    return code;
}
