// SPDX-License-Identifier: MIT
// ccd_verb.c: abut ccd QUERIES.csv
#define _POSIX_C_SOURCE 200809L
#include "shared/contact_layout.h"
#include "shared/files.h"
#include "verb/query_list.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// The time of a query is the least of some repeats, each of some calls: a single call is too short for the clock.
enum { REPEATS = 10, CALLS = 4 };

enum { MISSED = 0, FALSE_ALARM = 1 };
static const char *const answer_words[] = {"missed", "false-alarm", NULL};

/// A query that was answered wrong.
typedef struct wrong_query {
    int query; ///< from 0
    int64_t line;
    int answer; ///< MISSED or FALSE_ALARM
    double time;
} wrong_query;

typedef struct ccd_request {
    abut_cli_format format;
    const char *file;
    const char *kind;
    abut_cli_query_list list;
    int true_count, found, missed, false_alarms, doubtful;
    double mean, median, worst; ///< nanoseconds
    double *times;
    wrong_query *wrong;
    int wrong_count;
} ccd_request;

static abut_cli_exit read_kind(const abut_cli_arguments *arguments, ccd_request *request)
{
    static const char *const kinds[2] = {"vertex-face", "edge-edge"};
    const char *text = abut_cli_value_of(arguments, "kind");
    const char *name = strrchr(request->file, '/');
    name = name != NULL ? name + 1 : request->file;
    for (int i = 0; i < 2; ++i) {
        if (text != NULL ? strcmp(text, kinds[i]) == 0 : strstr(name, kinds[i]) != NULL) {
            request->kind = kinds[i];
        }
    }
    if (text != NULL && request->kind == NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --kind '%s': give vertex-face or edge-edge", text);
    }
    return request->kind != NULL ? ABUT_CLI_DONE
                                 : abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                                 "%s: its name does not say what the queries are: give --kind "
                                                 "vertex-face or --kind edge-edge",
                                                 request->file);
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static abut_status answer(ccd_request *request, int i)
{
    abut_cli_moving_query *query = &request->list.items[i];
    query->pair.kind = strcmp(request->kind, "edge-edge") == 0 ? ABUT_EDGE_EDGE : ABUT_VERTEX_FACE;
    abut_impact_params params = abut_impact_params_default();
    params.is_first_only = 1;
    abut_impacts touches;
    abut_status status = ABUT_OK;
    double least = HUGE_VAL;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        double begin = now();
        for (int call = 0; call < CALLS; ++call) {
            status = abut_find_impacts(&query->pair, &params, &touches);
        }
        least = fmin(least, (now() - begin) / CALLS);
    }
    request->times[i] = least;
    request->true_count += query->is_true;
    request->found += query->is_true && touches.count > 0;
    request->doubtful += touches.count > 0 && !touches.items[0].is_certain;
    int is_missed = query->is_true && touches.count == 0, is_false = !query->is_true && touches.count > 0;
    request->missed += is_missed;
    request->false_alarms += is_false;
    if (is_missed || is_false) {
        request->wrong[request->wrong_count++] = (wrong_query){i, query->line, is_missed ? MISSED : FALSE_ALARM,
                                                               is_false ? touches.items[0].time : (double)NAN};
    }
    return status;
}

static abut_cli_exit answer_all(ccd_request *request)
{
    int count = request->list.count;
    request->times = abut_cli_resize(NULL, (size_t)count, sizeof *request->times);
    request->wrong = abut_cli_resize(NULL, (size_t)count, sizeof *request->wrong);
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        abut_status status = answer(request, i);
        if (status != ABUT_OK) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s:%lld: a coordinate of this query is beyond 1e100",
                                 request->file, (long long)request->list.items[i].line);
        }
        sum += request->times[i];
    }
    qsort(request->times, (size_t)count, sizeof *request->times, compare_times);
    request->mean = sum / count;
    request->median = 0.5 * (request->times[(count - 1) / 2] + request->times[count / 2]);
    request->worst = request->times[count - 1];
    return ABUT_CLI_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Output

static int is_false_alarm(const void *row)
{
    return ((const wrong_query *)row)->answer == FALSE_ALARM;
}

static const abut_cli_member row_members[] = {
    {"query", "query", ABUT_CLI_AT(wrong_query, query)},
    {"line", "line", ABUT_CLI_AT(wrong_query, line)},
    {"answer", "answer", ABUT_CLI_WORD_AT(wrong_query, answer, answer_words)},
    {"time", "time", ABUT_CLI_AT(wrong_query, time), .applies = is_false_alarm},
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

static json_t *json_wrong(const void *data)
{
    const ccd_request *request = data;
    abut_cli_rows rows = {&row_layout, request->wrong, request->wrong_count, sizeof *request->wrong};
    return abut_cli_json_rows(rows);
}

#define AT(member) ABUT_CLI_AT(ccd_request, member)
static const abut_cli_member document_members[] = {
    {"file", NULL, AT(file)},
    {"kind", NULL, AT(kind)},
    {"queries", NULL, AT(list.count)},
    {"true", NULL, AT(true_count)},
    {"found", NULL, AT(found)},
    {"missed", NULL, AT(missed)},
    {"false_alarms", NULL, AT(false_alarms)},
    {"doubtful", NULL, AT(doubtful)},
    {"mean_ns", NULL, AT(mean)},
    {"median_ns", NULL, AT(median)},
    {"worst_ns", NULL, AT(worst)},
    {"wrong", NULL, ABUT_CLI_JSON_BY(json_wrong)},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

static void write_summary(const void *data, const abut_cli_table *table, FILE *out)
{
    const ccd_request *r = data;
    (void)fprintf(out, "%s: %d %s quer%s, %d true.\n", r->file, r->list.count, r->kind,
                  r->list.count == 1 ? "y" : "ies", r->true_count);
    (void)fprintf(out, "found %d, missed %d, false alarms %d; reported but not proven %d\n", r->found, r->missed,
                  r->false_alarms, r->doubtful);
    (void)fprintf(out, "nanoseconds a query: mean %.0f, median %.0f, worst %.0f\n", r->mean, r->median, r->worst);
    if (r->wrong_count > 0) {
        (void)fputc('\n', out);
        abut_cli_table_print(table, 0, abut_cli_row_count(table), out);
    }
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    ccd_request request = {.file = arguments->operands[0]};
    abut_cli_exit code = abut_cli_format_of(arguments, &request.format);
    code = code != ABUT_CLI_DONE ? code : read_kind(arguments, &request);
    code = code != ABUT_CLI_DONE ? code : abut_cli_query_list_read(&request.list, request.file);
    code = code != ABUT_CLI_DONE ? code : answer_all(&request);
    if (code == ABUT_CLI_DONE) {
        abut_cli_report report = {&document_layout,
                                  &request,
                                  {&row_layout, request.wrong, request.wrong_count, sizeof *request.wrong},
                                  write_summary};
        code = abut_cli_report_print(&report, request.format);
    }
    free(request.times);
    free(request.wrong);
    abut_cli_query_list_release(&request.list);
    return code;
}

static const abut_cli_option options[] = {
    {"kind", "vertex-face|edge-edge", "what the queries are; default: what the name of the file says", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_ccd_verb = {
    .name = "ccd",
    .summary = "Run a file of continuous collision queries, and compare with the true answers.",
    .usage = "QUERIES.csv [options]",
    .details =
        "A query has eight lines, one for each vertex: xn,xd,yn,yd,zn,zd,truth. Coordinates are fractions, and\n"
        "truth is 1 if the features touch. Edge-edge: the two ends of each edge at the start, then at the end.\n"
        "Vertex-face: the vertex and the three corners at the start, then at the end. Vertices move along\n"
        "straight lines. Counts what was found, missed and reported without cause; the time of a query is the\n"
        "least of 10 repeats. CSV lists the wrong answers.\n",
    .example = "  abut ccd edge-edge.csv --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 1,
    .operand_maximum = 1,
    .run = run,
};
