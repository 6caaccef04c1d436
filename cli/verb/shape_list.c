// SPDX-License-Identifier: MIT
// shape_list.c: points, segments and convex polygons from a CSV file, one a line
#include "verb/shape_list.h"

#include "shared/lines.h"
#include "shared/parse.h"

#include <abut/mesh.h>
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// How far a corner may be off the plane of a polygon, or beyond the line of the edge before it, relative to the
// largest distance of a corner from the first one. Coordinates of seven digits pass.
static const double flatness = 1e-6;

// A polygon narrower than this, relative to the same distance, has no plane.
static const double least_width = 1e-9;

enum { CORNERS_HIGHEST = INT_MAX / 4 };

// ---------------------------------------------------------------------------------------------------------------
// Polygons

/// A polygon, seen from its first corner.
typedef struct polygon {
    const abut_vec3 *corners;
    int count;
    double size; ///< largest distance of a corner from the first one
    abut_vec3 normal;
} polygon;

static abut_vec3 corner_of(const polygon *p, int i)
{
    return abut_sub(p->corners[i % p->count], p->corners[0]);
}

/// Finds size and normal (Newell's). Fails if a corner comes twice in a row, or if all are on a line.
static abut_status measure_polygon(polygon *p, abut_error *error)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < p->count; ++i) {
        abut_vec3 a = corner_of(p, i), b = corner_of(p, i + 1);
        if (abut_norm(abut_sub(b, a)) == 0.0) {
            return abut_fail(error, ABUT_BAD_DATA, "corners %d and %d of the polygon are equal: leave one out",
                             i + 1, (i + 1) % p->count + 1);
        }
        p->size = fmax(p->size, abut_norm(a));
        sum = abut_add(sum, abut_cross(a, b));
    }
    double doubled_area = abut_norm(sum);
    if (!(doubled_area > least_width * p->size * p->size)) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "the corners of the polygon are on a line; give a segment, 6 numbers");
    }
    p->normal = abut_scale(1.0 / doubled_area, sum);
    return ABUT_OK;
}

/// The boundary of a convex polygon turns left at every corner, and once around in all.
static abut_status check_turns(const polygon *p, abut_error *error)
{
    const double pi = 3.14159265358979323846;
    double turn = 0.0;
    for (int i = 0; i < p->count; ++i) {
        abut_vec3 along = abut_sub(corner_of(p, i + 1), corner_of(p, i));
        abut_vec3 next = abut_sub(corner_of(p, i + 2), corner_of(p, i + 1));
        double left = abut_dot(abut_cross(along, next), p->normal);
        turn += atan2(left, abut_dot(along, next));
        if (left < -flatness * p->size * abut_norm(along)) {
            return abut_fail(error, ABUT_BAD_DATA,
                             "the polygon is not convex at corner %d: cut it into convex ones, a line each",
                             (i + 1) % p->count + 1);
        }
    }
    return turn < 3.0 * pi ? ABUT_OK
                           : abut_fail(error, ABUT_BAD_DATA,
                                       "the boundary of the polygon crosses itself: give its corners in order");
}

static abut_status check_polygon(const abut_vec3 *corners, int count, abut_error *error)
{
    polygon p = {.corners = corners, .count = count};
    abut_status status = measure_polygon(&p, error);
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        double height = abut_dot(corner_of(&p, i), p.normal);
        if (fabs(height) > flatness * p.size) {
            status = abut_fail(error, ABUT_BAD_DATA,
                               "the polygon is not planar: corner %d is %g off the plane through corner 1", i + 1,
                               fabs(height));
        }
    }
    return status == ABUT_OK ? check_turns(&p, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Lines

/// Whether a line can be a header: it has a letter, and nothing between its commas is a number. "nan" counts as one,
/// so that a point without coordinates is not taken for a header.
static int is_header(const char *text)
{
    int has_letter = 0;
    for (const char *field = text; field != NULL;) {
        char *end;
        (void)strtod(field, &end);
        const char *comma = strchr(field, ',');
        if (end != field && (size_t)(end - field) + strspn(end, " \t") == strcspn(field, ",")) {
            return 0;
        }
        for (const char *c = field; c != comma && *c != '\0'; ++c) {
            has_letter |= isalpha((unsigned char)*c) != 0;
        }
        field = comma != NULL ? comma + 1 : NULL;
    }
    return has_letter;
}

static abut_status check_corners(const abut_vec3 *corners, int count, abut_error *error)
{
    for (int i = 0; i < count; ++i) {
        if (abut_max_component(abut_abs(corners[i])) > ABUT_LARGEST_COORDINATE) {
            return abut_fail(error, ABUT_BAD_DATA, "a coordinate of point %d is beyond %g", i + 1,
                             ABUT_LARGEST_COORDINATE);
        }
    }
    return count > 2 ? check_polygon(corners, count, error) : ABUT_OK;
}

/// Adds a shape with these coordinates.
static abut_status add_shape(abut_cli_shape_list *list, int64_t line, const double *numbers, int corner_count,
                             abut_error *error)
{
    if (corner_count > CORNERS_HIGHEST - list->corner_count) {
        return abut_fail(error, ABUT_LIMIT, "more than %d points in one file: split it", CORNERS_HIGHEST);
    }
    int needed = list->corner_count + corner_count;
    if (needed > list->corner_capacity) {
        list->corner_capacity = needed + list->corner_capacity / 2;
        list->corners = abut_cli_resize(list->corners, (size_t)list->corner_capacity, sizeof *list->corners);
    }
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        list->items = abut_cli_resize(list->items, (size_t)list->capacity, sizeof *list->items);
    }
    abut_vec3 *corners = list->corners + list->corner_count;
    for (int i = 0; i < corner_count; ++i) {
        corners[i] = abut_vec3_make(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
    }
    abut_status status = check_corners(corners, corner_count, error);
    if (status == ABUT_OK) {
        list->items[list->count++] = (abut_cli_listed_shape){line, list->corner_count, corner_count};
        list->corner_count = needed;
    }
    return status;
}

abut_status abut_cli_shape_list_read_line(abut_cli_shape_list *list, int64_t number, char *text, abut_error *error)
{
    size_t length = strcspn(text, "#");
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL) {
        --length;
    }
    text[length] = '\0';
    if (length == 0) {
        return ABUT_OK;
    }
    int is_first = !list->has_begun;
    list->has_begun = 1;
    int count = abut_cli_parse_numbers(text, NULL, 0);
    if (count < 0) {
        return is_first && is_header(text)
                   ? ABUT_OK
                   : abut_fail(error, ABUT_BAD_DATA,
                               "something is not a finite number: give numbers with commas between");
    }
    if (count % 3 != 0) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "%d number%s: a point has 3, a segment 6, a polygon 9, 12, 15 and so on", count,
                         abut_cli_plural(count));
    }
    double *numbers = abut_cli_resize(NULL, (size_t)count, sizeof *numbers);
    (void)abut_cli_parse_numbers(text, numbers, count);
    abut_status status = add_shape(list, number, numbers, count / 3, error);
    free(numbers);
    return status;
}

static abut_status read_line(void *list, long long number, char *text, size_t length, abut_error *error)
{
    (void)length;
    return abut_cli_shape_list_read_line(list, number, text, error);
}

abut_cli_exit abut_cli_shape_list_read(abut_cli_shape_list *list, const char *path)
{
    abut_cli_exit code = abut_cli_read_lines(path, read_line, list);
    return code != ABUT_CLI_DONE || list->count > 0
               ? code
               : abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: there are no points: give 3 numbers a line", path);
}

void abut_cli_shape_list_release(abut_cli_shape_list *list)
{
    free(list->items);
    free(list->corners);
    *list = (abut_cli_shape_list){0};
}
