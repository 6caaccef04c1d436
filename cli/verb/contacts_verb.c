// SPDX-License-Identifier: MIT
// contacts_verb.c: abut contacts A B [C ...]
#include "shared/contact_layout.h"
#include "verb/file_pairs.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>

static const char *method_name(const void *row)
{
    return ((const abut_cli_file_pairs *)row)->query.method->row->name;
}

static abut_cli_rows contact_rows(const void *row)
{
    const abut_result *result = &((const abut_cli_pair_result *)row)->result;
    return (abut_cli_rows){&abut_cli_contact_layout, result->contacts.items, result->contacts.count,
                           sizeof *result->contacts.items};
}

static const abut_cli_member counter_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(abut_cli_pair_result, stats, abut_cli_stats_layout)},
};
static const abut_cli_layout counter_layout = ABUT_CLI_LAYOUT(counter_members);

static int is_swept(const void *row)
{
    return ((const abut_cli_pair_result *)row)->is_swept;
}

static double touch_time(const void *row)
{
    const abut_cli_pair_result *pair = row;
    return pair->has_touch ? pair->time : NAN;
}

static int is_chosen(const void *row)
{
    return ((const abut_cli_pair_result *)row)->result.reason != NULL;
}

static const char *answering_method(const void *row)
{
    return ((const abut_cli_pair_result *)row)->result.method;
}

static const char *reason_text(const void *row)
{
    return ((const abut_cli_pair_result *)row)->result.reason;
}

static const abut_cli_member pair_members[] = {
    {"a", NULL, ABUT_CLI_AT(abut_cli_pair_result, label_a)},
    {"b", NULL, ABUT_CLI_AT(abut_cli_pair_result, label_b)},
    {"touch_time", NULL, ABUT_CLI_REAL_BY(touch_time), .applies = is_swept},
    {"answered_by", NULL, ABUT_CLI_TEXT_BY(answering_method), .applies = is_chosen},
    {"reason", NULL, ABUT_CLI_TEXT_BY(reason_text), .applies = is_chosen, .place = ABUT_CLI_JSON_ONLY},
    {"contacts", NULL, ABUT_CLI_ROWS_BY(contact_rows)},
    {"regions", NULL, ABUT_CLI_JSON_OF(abut_cli_pair_result, result, abut_cli_json_regions)},
    {"stats", NULL, ABUT_CLI_OBJECT_OF(counter_layout), .place = ABUT_CLI_JSON_ONLY},
};
static const abut_cli_layout pair_layout = ABUT_CLI_LAYOUT(pair_members);

/// A line of the table.
typedef struct contact_row {
    const abut_cli_pair_result *pair;
    const abut_contact *contact;
} contact_row;

static const abut_cli_member row_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(contact_row, pair, pair_layout)},
    {NULL, NULL, ABUT_CLI_PART_TO(contact_row, contact, abut_cli_contact_layout)},
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

/// The lines of all pairs. Release them with free().
static contact_row *list_rows(const abut_cli_file_pairs *request, int *count)
{
    *count = 0;
    for (int i = 0; i < request->pair_count; ++i) {
        *count += request->pairs[i].result.contacts.count;
    }
    contact_row *rows = abut_cli_resize(NULL, (size_t)*count, sizeof *rows), *next = rows;
    for (int i = 0; i < request->pair_count; ++i) {
        const abut_cli_pair_result *pair = &request->pairs[i];
        for (int j = 0; j < pair->result.contacts.count; ++j) {
            *next++ = (contact_row){pair, &pair->result.contacts.items[j]};
        }
    }
    return rows;
}

static int has_one_pair(const void *row)
{
    return ((const abut_cli_file_pairs *)row)->pair_count == 1;
}

static int has_many_pairs(const void *row)
{
    return !has_one_pair(row);
}

static abut_cli_rows pair_rows(const void *row)
{
    const abut_cli_file_pairs *request = row;
    return (abut_cli_rows){&pair_layout, request->pairs, request->pair_count, sizeof *request->pairs};
}

static const abut_cli_member document_members[] = {
    {"method", NULL, ABUT_CLI_TEXT_BY(method_name)},
    {NULL, NULL, ABUT_CLI_PART_TO(abut_cli_file_pairs, pairs, pair_layout), .applies = has_one_pair},
    {"pairs", NULL, ABUT_CLI_ROWS_BY(pair_rows), .applies = has_many_pairs},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

static void write_pairs(const void *data, const abut_cli_table *table, FILE *out)
{
    const abut_cli_file_pairs *request = data;
    const abut_method *row = request->query.method->row;
    (void)fprintf(out, "Method %s%s. Lengths in the unit of the files, world frame. Normals point from A to B; a\n",
                  row->name, strcmp(row->name, ABUT_CLI_DEFAULT_METHOD) == 0 ? " (the default)" : "");
    (void)fputs(
        "negative gap is an overlap. speed: of B relative to A along the normal, negative while approaching.\n"
        "Vertices and faces count from 0, * marks merged ones. rule: what decided the normal (geometry,\n"
        "velocity, history, the orientation of an open surface, the least translation that separates the\n"
        "bodies, or none if several are equally correct). flags: arbitrary-sign, if the normal could\n"
        "just as well point the other way.\n",
        out);
    size_t begin = 0;
    for (int i = 0; i < request->pair_count; ++i) {
        const abut_cli_pair_result *pair = &request->pairs[i];
        int count = pair->result.contacts.count;
        (void)fprintf(out, "\nA %s, B %s: ", pair->label_a, pair->label_b);
        if (pair->has_touch) {
            (void)fprintf(out, "first touch at time %.9g, ", pair->time);
        } else if (pair->is_swept) {
            (void)fprintf(out, "no touch up to time %.9g, ", request->dt);
        }
        (void)fprintf(out, "%d contact%s", count, abut_cli_plural(count));
        if (pair->result.reason != NULL) {
            (void)fprintf(out, " by %s: %s", pair->result.method, pair->result.reason);
        }
        (void)fputc('\n', out);
        if (count > 0) {
            abut_cli_table_print(table, begin, begin + (size_t)count, out);
        }
        begin += (size_t)count;
    }
}

static abut_cli_exit print_request(const abut_cli_file_pairs *request, abut_cli_format format)
{
    contact_row *rows = NULL;
    int count = 0;
    if (format != ABUT_CLI_JSON) { // JSON lists the pairs
        rows = list_rows(request, &count);
    }
    abut_cli_report report = {&document_layout, request, {&row_layout, rows, count, sizeof *rows}, write_pairs};
    abut_cli_exit code = abut_cli_report_print(&report, format);
    free(rows);
    return code;
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    abut_cli_format format;
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_cli_file_pairs request;
    code = abut_cli_file_pairs_find(arguments, &request);
    if (code == ABUT_CLI_DONE) {
        abut_cli_file_pairs_note(&request);
        code = print_request(&request, format);
    }
    abut_cli_file_pairs_release(&request);
    return code;
}

static const abut_cli_option options[] = {
    ABUT_CLI_FILE_PAIR_OPTIONS,
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_contacts_verb = {
    .name = "contacts",
    .summary = "Find where meshes touch, with normals and gaps.",
    .usage = "A B [C ...] [options]",
    .details =
        "Reads two or more mesh files and prints the contacts of every pair; of files with equal names, the "
        "output\n"
        "also gives the letter: part.obj (b) is that of --pose-b. A normal is a unit vector from the\n"
        "first to the second body of a pair; a negative gap is an overlap. Quaternions are normalised. The\n"
        "default method, auto, takes any meshes, closed or open, apart, touching or overlapping; the output says\n"
        "which method it chose and why. Methods that need tetrahedra read .node files, which abut mesh\n"
        "tetrahedralize writes.\n"
        "In place of a file: box:X,Y,Z, sphere:R, capsule:R,L, rounded-box:X,Y,Z,R, plate:X,Y,R, rope:R,X,Y,Z,...\n"
        "(radius R, length L), and plane: the half-space below z = 0, as wide as the others need.\n",
    .example = "  abut contacts table.obj cup.obj --pose-b \"0 0.72 0 1 0 0 0\" --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 1,
    .operand_maximum = -1,
    .run = run,
};
