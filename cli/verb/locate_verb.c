// SPDX-License-Identifier: MIT
// locate_verb.c: abut locate SOLID POINTS.csv
#include "shared/contact_layout.h"
#include "shared/files.h"
#include "shared/parse.h"
#include "verb/shape_list.h"
#include "verb/verbs.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// Moving a point to the frame of the solid rounds it by a few units in the last place of the pose's position.
static const double pose_roundings = 8.0;

enum { POINT = 0, SEGMENT = 1, POLYGON = 2 };

/// A part of a line of the file that is in one place: a row of the output.
typedef struct located_piece {
    int row; ///< of the shapes, from 0
    int64_t line;
    int shape;         ///< POINT, SEGMENT or POLYGON: what the line of the file is
    int dimension;     ///< of the piece
    double begin, end; ///< of a segment's piece, from 0 to 1; else NaN
    double measure;    ///< 0, length or area
    abut_location location;
    abut_feature feature;
} located_piece;

typedef struct locate_request {
    abut_cli_format format;
    const char *solid, *points;
    abut_pose pose;
    double tolerance; ///< of --tolerance, then the one in use
    abut_mesh *mesh;
    abut_brep *brep;
    abut_brep_index *index;
    abut_cli_shape_list shapes; ///< in the frame of the solid
    located_piece *pieces;
    int count, capacity;
} locate_request;

// ---------------------------------------------------------------------------------------------------------------
// Input

static abut_cli_exit read_options(const abut_cli_arguments *arguments, locate_request *request)
{
    abut_cli_exit code = abut_cli_format_of(arguments, &request->format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "tolerance", &request->tolerance);
    const char *text = abut_cli_value_of(arguments, "pose");
    char wrong[ABUT_CLI_WRONG_ROOM];
    if (code == ABUT_CLI_DONE && text != NULL && !abut_cli_parse_pose(text, &request->pose, wrong)) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --pose '%s': %s", text, wrong);
    }
    return code;
}

static abut_cli_exit make_index(locate_request *request)
{
    abut_error error = {0};
    double size = abut_box_diagonal(abut_mesh_get_elements(request->mesh).bounds);
    double rounding = pose_roundings * DBL_EPSILON * abut_norm(request->pose.position);
    if (rounding > 0.01 * size) { // the most that an index takes
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --pose: the solid, of size %g, is so far away that points round by %g", size,
                             rounding);
    }
    if (request->tolerance > 0.01 * size) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --tolerance: %g is more than a hundredth of the size of the solid, %g",
                             request->tolerance, size);
    }
    abut_brep_index_params params = abut_brep_index_params_default();
    params.tolerance = fmax(request->tolerance, rounding);
    abut_status status = abut_brep_create(NULL, request->mesh, NULL, &request->brep, &error);
    if (status == ABUT_OK) {
        status = abut_brep_index_create(NULL, request->brep, &params, &request->index, &error);
    }
    if (status == ABUT_LIMIT) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "%s: the planes of its faces cut the others into too many pieces; use a coarser mesh",
                             request->solid);
    }
    if (status != ABUT_OK) {
        return abut_cli_refuse_mesh(request->solid, request->mesh, status, &error, "");
    }
    request->tolerance = abut_brep_index_get_info(request->index).tolerance;
    return ABUT_CLI_DONE;
}

static abut_cli_exit load(locate_request *request)
{
    abut_error error = {0};
    abut_status status = abut_cli_read_mesh(request->solid, &request->mesh, &error);
    if (status != ABUT_OK) {
        return abut_cli_refuse_mesh(request->solid, NULL, status, &error, "");
    }
    abut_cli_exit code = make_index(request);
    code = code != ABUT_CLI_DONE ? code : abut_cli_shape_list_read(&request->shapes, request->points);
    for (int i = 0; i < request->shapes.corner_count && code == ABUT_CLI_DONE; ++i) {
        request->shapes.corners[i] = abut_pose_apply_inverse(request->pose, request->shapes.corners[i]);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Locating

/// Adds a piece of the shape in this row, without dimension and measure.
static located_piece *add_piece(locate_request *request, int row, abut_location location)
{
    if (request->count == request->capacity) {
        request->capacity += request->capacity / 2 + 64;
        request->pieces = abut_cli_resize(request->pieces, (size_t)request->capacity, sizeof *request->pieces);
    }
    const abut_cli_listed_shape *shape = &request->shapes.items[row];
    located_piece *piece = &request->pieces[request->count++];
    *piece = (located_piece){.row = row,
                             .line = shape->line,
                             .shape = shape->corner_count > 2 ? POLYGON : shape->corner_count - 1,
                             .begin = (double)NAN,
                             .end = (double)NAN,
                             .location = location,
                             .feature = abut_location_feature(request->brep, location)};
    return piece;
}

static abut_status locate_segment(locate_request *request, int row, abut_segment_pieces *buffer)
{
    const abut_vec3 *ends = request->shapes.corners + request->shapes.items[row].corner_begin;
    abut_status status = abut_brep_index_segment(request->index, ends[0], ends[1], buffer);
    if (status == ABUT_TRUNCATED) {
        buffer->capacity = buffer->required;
        buffer->pieces = abut_cli_resize(buffer->pieces, (size_t)buffer->capacity, sizeof *buffer->pieces);
        status = abut_brep_index_segment(request->index, ends[0], ends[1], buffer);
    }
    double length = abut_norm(abut_sub(ends[1], ends[0]));
    for (int i = 0; i < buffer->count && status == ABUT_OK; ++i) {
        const abut_segment_piece *from = &buffer->pieces[i];
        located_piece *piece = add_piece(request, row, from->location);
        piece->dimension = length * (from->end - from->begin) > 0.0;
        piece->begin = from->begin;
        piece->end = from->end;
        piece->measure = length * (from->end - from->begin);
    }
    return status;
}

/// What classifying a polygon needs in its callback.
typedef struct polygon_task {
    locate_request *request;
    int row;
} polygon_task;

static int add_polygon_piece(void *user, const abut_index_piece *part)
{
    polygon_task *task = user;
    located_piece *piece = add_piece(task->request, task->row, part->location);
    piece->dimension = part->dimension;
    if (part->dimension == 1) {
        piece->measure = abut_norm(abut_sub(part->corners[1], part->corners[0]));
    } else if (part->dimension == 2) {
        abut_vec3 sum = {0.0, 0.0, 0.0};
        for (int i = 2; i < part->corner_count; ++i) {
            sum = abut_add(sum, abut_cross(abut_sub(part->corners[i - 1], part->corners[0]),
                                           abut_sub(part->corners[i], part->corners[0])));
        }
        piece->measure = 0.5 * abut_norm(sum);
    }
    return 0;
}

/// By place and entity; then the largest dimension and measure first, so that sums do not depend on the search.
static int compare_pieces(const void *a, const void *b)
{
    const located_piece *x = a, *y = b;
    if (x->location.place != y->location.place) {
        return x->location.place < y->location.place ? -1 : 1;
    }
    if (x->location.entity != y->location.entity) {
        return x->location.entity < y->location.entity ? -1 : 1;
    }
    return x->dimension != y->dimension ? y->dimension - x->dimension
                                        : (x->measure < y->measure) - (x->measure > y->measure);
}

/// Joins the pieces of a polygon from `begin` on that have the same location: the largest dimension counts.
static void join_pieces(locate_request *request, int begin)
{
    located_piece *pieces = request->pieces;
    qsort(pieces + begin, (size_t)(request->count - begin), sizeof *pieces, compare_pieces);
    int last = begin;
    for (int i = begin + 1; i < request->count; ++i) {
        if (pieces[i].location.place != pieces[last].location.place ||
            pieces[i].location.entity != pieces[last].location.entity) {
            pieces[++last] = pieces[i];
        } else if (pieces[i].dimension == pieces[last].dimension) {
            pieces[last].measure += pieces[i].measure;
        }
    }
    request->count = last + 1;
}

static abut_status locate_shape(locate_request *request, int row, abut_segment_pieces *buffer)
{
    const abut_cli_listed_shape *shape = &request->shapes.items[row];
    const abut_vec3 *corners = request->shapes.corners + shape->corner_begin;
    if (shape->corner_count == 1) {
        (void)add_piece(request, row, abut_brep_index_locate(request->index, corners[0]));
        return ABUT_OK;
    }
    if (shape->corner_count == 2) {
        return locate_segment(request, row, buffer);
    }
    int begin = request->count;
    polygon_task task = {request, row};
    abut_status status =
        abut_brep_index_classify(request->index, corners, shape->corner_count, add_polygon_piece, &task);
    if (status == ABUT_OK) {
        join_pieces(request, begin);
    }
    return status;
}

static abut_cli_exit locate_all(locate_request *request)
{
    abut_segment_pieces buffer = {0};
    abut_status status = ABUT_OK;
    int row = 0;
    for (; row < request->shapes.count && status == ABUT_OK; ++row) {
        status = locate_shape(request, row, &buffer);
    }
    free(buffer.pieces);
    return status == ABUT_OK
               ? ABUT_CLI_DONE
               : abut_cli_fail(abut_cli_exit_of(status), "%s:%lld: %s", request->points,
                               (long long)request->shapes.items[row - 1].line, abut_cli_message(status, NULL));
}

// ---------------------------------------------------------------------------------------------------------------
// Output

// By abut_place.
static const char *const place_words[] = {"outside", "inside", "on", "on", "on", NULL};

static int is_on(const void *row)
{
    return ((const located_piece *)row)->feature.kind != ABUT_FEATURE_NONE;
}

static int is_of_segment(const void *row)
{
    return ((const located_piece *)row)->shape == SEGMENT;
}

static const void *find_feature(const void *row)
{
    return is_on(row) ? &((const located_piece *)row)->feature : NULL;
}

// clang-format off
#define AT(member) ABUT_CLI_AT(located_piece, member)
#define LINE_MEMBERS                                                                                               \
    {"row", NULL, AT(row)},                                                                                        \
    {"line", "line", AT(line)},                                                                                    \
    {"shape", "shape", ABUT_CLI_WORD_AT(located_piece, shape, abut_cli_region_words)}
#define PIECE_MEMBERS                                                                                              \
    {"dimension", "dimension", AT(dimension), .is_optional = 1},                                                                     \
    {"begin", "begin", AT(begin), .applies = is_of_segment, .is_optional = 1},                                                       \
    {"end", "end", AT(end), .applies = is_of_segment, .is_optional = 1},                                                             \
    {"measure", "measure", AT(measure), .is_optional = 1}
#define PLACE_MEMBER {"place", "place", ABUT_CLI_WORD_AT(located_piece, location.place, place_words)}
#define FEATURE_MEMBER {"feature", NULL, ABUT_CLI_OBJECT_BY(find_feature, abut_cli_feature_layout)}
#define COLUMN(name, value) {name, NULL, value, .applies = is_on}
// clang-format on

static const abut_cli_member row_members[] = {
    LINE_MEMBERS,
    PIECE_MEMBERS,
    PLACE_MEMBER,
    {NULL, "feature", ABUT_CLI_NEW_TEXT_OF(located_piece, feature, abut_cli_feature_text)},
    COLUMN("kind", ABUT_CLI_WORD_AT(located_piece, feature.kind, abut_cli_feature_words)),
    COLUMN("index", AT(feature.index)),
    COLUMN("vertices", ABUT_CLI_NEW_TEXT_OF(located_piece, feature, abut_cli_vertices_text)),
    COLUMN("merged", ABUT_CLI_FLAG_AT(located_piece, feature.is_merged)),
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

// For files of points only: a table of short lines.
static const abut_cli_layout short_layout = {
    .members = row_members, .count = sizeof row_members / sizeof row_members[0], .hides_optional = 1};

static const abut_cli_member point_members[] = {LINE_MEMBERS, PLACE_MEMBER, FEATURE_MEMBER};
static const abut_cli_layout point_layout = ABUT_CLI_LAYOUT(point_members);

static const abut_cli_member line_members[] = {LINE_MEMBERS};
static const abut_cli_layout line_layout = ABUT_CLI_LAYOUT(line_members);

static const abut_cli_member piece_members[] = {PIECE_MEMBERS, PLACE_MEMBER, FEATURE_MEMBER};
static const abut_cli_layout piece_layout = ABUT_CLI_LAYOUT(piece_members);

static json_t *json_results(const void *data)
{
    const locate_request *request = data;
    json_t *results = json_array();
    for (int begin = 0, end; begin < request->count; begin = end) {
        const located_piece *pieces = &request->pieces[begin];
        for (end = begin + 1; end < request->count && request->pieces[end].row == pieces->row;) {
            ++end;
        }
        json_t *result = abut_cli_json_of(pieces->shape == POINT ? &point_layout : &line_layout, pieces);
        if (pieces->shape != POINT) {
            abut_cli_rows rows = {&piece_layout, pieces, end - begin, sizeof *pieces};
            json_object_set_new(result, "pieces", abut_cli_json_rows(rows));
        }
        json_array_append_new(results, result);
    }
    return results;
}

static const abut_cli_member document_members[] = {
    {"solid", NULL, ABUT_CLI_AT(locate_request, solid)},
    {"points", NULL, ABUT_CLI_AT(locate_request, points)},
    {"pose", NULL, ABUT_CLI_AT(locate_request, pose)},
    {"tolerance", NULL, ABUT_CLI_AT(locate_request, tolerance)},
    {"results", NULL, ABUT_CLI_JSON_BY(json_results)},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

static int has_points_only(const locate_request *request)
{
    return request->shapes.corner_count == request->shapes.count;
}

static void write_pieces(const void *data, const abut_cli_table *table, FILE *out)
{
    const locate_request *request = data;
    (void)fprintf(out, "Solid %s. on: within %.2g of its surface. Features count from 0, * marks merged ones.\n",
                  request->solid, request->tolerance);
    if (!has_points_only(request)) {
        (void)fputs("begin, end: the part of a segment, from 0 to 1. measure: the length or area of a piece.\n",
                    out);
    }
    (void)fputc('\n', out);
    abut_cli_table_print(table, 0, abut_cli_row_count(table), out);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    locate_request request = {
        .solid = arguments->operands[0], .points = arguments->operands[1], .pose = abut_pose_identity()};
    abut_cli_exit code = read_options(arguments, &request);
    code = code != ABUT_CLI_DONE ? code : load(&request);
    code = code != ABUT_CLI_DONE ? code : locate_all(&request);
    if (code == ABUT_CLI_DONE) {
        abut_cli_report report = {&document_layout,
                                  &request,
                                  {has_points_only(&request) ? &short_layout : &row_layout, request.pieces,
                                   request.count, sizeof *request.pieces},
                                  write_pieces};
        code = abut_cli_report_print(&report, request.format);
    }
    free(request.pieces);
    abut_cli_shape_list_release(&request.shapes);
    abut_brep_index_destroy(request.index);
    abut_brep_destroy(request.brep);
    abut_mesh_destroy(request.mesh);
    return code;
}

static const abut_cli_option options[] = {
    {"pose", "\"X Y Z [QW QX QY QZ]\"", "pose of the solid", 0, 0},
    {"tolerance", "L",
     "what counts as on the surface; default and least: 4e-9 of the solid's size, of binary STL files 4e-6", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_locate_verb = {
    .name = "locate",
    .summary = "Say where points, segments and polygons are: inside a solid, outside, or on which feature.",
    .usage = "SOLID POINTS.csv [options]",
    .details =
        "Reads a closed mesh file, and a CSV file that has one shape a line: 3 numbers are a point, 6 a segment,\n"
        "and 9 or more, a multiple of 3, a convex planar polygon. The first line may be a header; blank lines\n"
        "and comments from # on are skipped; - reads stdin. A point has a place and a feature. A segment is\n"
        "cut into pieces, in order. A polygon has one piece for each place or feature that it meets.\n",
    .example = "  abut locate block.obj points.csv --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 2,
    .operand_maximum = 2,
    .run = run,
};
