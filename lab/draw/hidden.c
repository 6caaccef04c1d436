// SPDX-License-Identifier: MIT
// hidden.c: which parts of the edges of a drawing are behind a surface
//
// Every edge is compared with the triangles whose projections it crosses. The part of the edge above a triangle is an
// interval, and so is the part behind the triangle's plane; their intersection is hidden. The rest after all triangles
// is visible. A grid of square cells, each with the list of triangles that reach into it, finds the candidates.
//
// Cost:    linear in edges and triangles if both are short compared with the drawing. Long thin triangles are listed
//          only in the cells that they cross; the grid becomes coarser if the lists would still get too long.
// Fails:   surfaces closer than 1e-6 of the size of the drawing do not hide each other.
#include "draw/drawing.h"

#include <stdlib.h>
#include <string.h>

static const double DEPTH_TOLERANCE = 1e-6;   ///< how far in front a surface must be, of the drawing's size
static const double BORDER_TOLERANCE = 1e-9;  ///< triangles are this much larger, so that neighbours leave no gap
static const double SHORTEST_PIECE = 1e-6;    ///< of the drawing's size
static const double THIN = 1e-12;             ///< twice the area over the longest side squared: edge-on
static const double ENTRY_LIMIT = 16777216.0; ///< of all lists of the grid together

/// The triangles by the square cells that they reach into.
typedef struct cell_grid {
    double x, y, cell;
    int columns, rows;
    int *begins; ///< in `items`, of each cell; one more entry than cells
    int *items;
} cell_grid;

/// A part of an edge, from 0 to 1.
typedef struct interval {
    double begin, end;
} interval;

/// Everything that a comparison needs.
typedef struct hide_task {
    abut_drawing *drawing;
    cell_grid grid;
    int *stamps; ///< of each occluder: the last edge that it was compared with
    interval *intervals;
    int count, capacity;
} hide_task;

// ---------------------------------------------------------------------------------------------------------------
// The grid

static int clamp_index(double value, int count)
{
    return !(value > 0.0) ? 0 : value >= count ? count - 1 : (int)value;
}

/// The range of x that a segment has between two heights. Returns 0 if it does not reach them.
static int clip_to_band(abut_vec3 a, abut_vec3 b, double low, double high, double *least, double *most)
{
    if (a.y > b.y) {
        abut_vec3 swap = a;
        a = b;
        b = swap;
    }
    if (a.y > high || b.y < low) {
        return 0;
    }
    double rise = b.y - a.y;
    double first = rise > 0.0 && a.y < low ? a.x + (b.x - a.x) * ((low - a.y) / rise) : a.x;
    double last = rise > 0.0 && b.y > high ? a.x + (b.x - a.x) * ((high - a.y) / rise) : b.x;
    *least = fmin(*least, fmin(first, last));
    *most = fmax(*most, fmax(first, last));
    return 1;
}

typedef void cell_function(void *user, int cell);

/// Calls the function for each cell that a polygon of two or three corners reaches into. Cells are a little larger than
/// they seem, so that rounding loses none.
static void visit_cells(const cell_grid *grid, const abut_vec3 *corners, int count, cell_function *visit,
                        void *user)
{
    double margin = 1e-6 * grid->cell, low = corners[0].y, high = corners[0].y;
    for (int k = 1; k < count; ++k) {
        low = fmin(low, corners[k].y);
        high = fmax(high, corners[k].y);
    }
    int first = clamp_index((low - margin - grid->y) / grid->cell, grid->rows);
    int last = clamp_index((high + margin - grid->y) / grid->cell, grid->rows);
    for (int row = first; row <= last; ++row) {
        double bottom = grid->y + row * grid->cell - margin, top = bottom + grid->cell + 2.0 * margin;
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (int k = 0; k < count; ++k) {
            (void)clip_to_band(corners[k], corners[(k + 1) % count], bottom, top, &least, &most);
        }
        if (least > most) {
            continue;
        }
        int left = clamp_index((least - margin - grid->x) / grid->cell, grid->columns);
        int right = clamp_index((most + margin - grid->x) / grid->cell, grid->columns);
        for (int column = left; column <= right; ++column) {
            visit(user, row * grid->columns + column);
        }
    }
}

/// Fills the grid: first counts the entries of the cells, then writes them.
typedef struct fill_task {
    cell_grid *grid;
    int item; ///< -1: count
} fill_task;

static void fill_cell(void *user, int cell)
{
    fill_task *task = user;
    if (task->item < 0) {
        ++task->grid->begins[cell];
    } else {
        task->grid->items[--task->grid->begins[cell]] = task->item;
    }
}

/// The number of entries is at most about this.
static double count_entries(const abut_drawing *drawing, double cell)
{
    double sum = 0.0;
    for (int i = 0; i < drawing->occluder_count; ++i) {
        const abut_vec3 *c = drawing->occluders[i].corners;
        abut_vec3 u = abut_sub(c[1], c[0]), v = abut_sub(c[2], c[0]);
        double width = fmax(fmax(u.x, v.x), 0.0) - fmin(fmin(u.x, v.x), 0.0);
        double height = fmax(fmax(u.y, v.y), 0.0) - fmin(fmin(u.y, v.y), 0.0);
        double area = 0.5 * fabs(u.x * v.y - u.y * v.x);
        sum += 1.0 + 2.0 * (width + height) / cell + area / (cell * cell);
    }
    return sum;
}

static int make_grid(const abut_drawing *drawing, cell_grid *grid)
{
    abut_vec3 lower = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, upper = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < drawing->occluder_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            lower = abut_min(lower, drawing->occluders[i].corners[k]);
            upper = abut_max(upper, drawing->occluders[i].corners[k]);
        }
    }
    double width = upper.x - lower.x, height = upper.y - lower.y, longer = fmax(width, height);
    grid->cell = fmax(sqrt(width * height / drawing->occluder_count), longer / 2048.0);
    if (!(grid->cell > 0.0)) {
        grid->cell = 1.0; // all triangles are at one point
    }
    while (count_entries(drawing, grid->cell) > ENTRY_LIMIT + 4.0 * drawing->occluder_count &&
           grid->cell < longer) {
        grid->cell *= 2.0;
    }
    grid->x = lower.x;
    grid->y = lower.y;
    grid->columns = (int)(width / grid->cell) + 1;
    grid->rows = (int)(height / grid->cell) + 1;
    int cells = grid->columns * grid->rows;
    grid->begins = abut_allocate_zeroed(&drawing->context, (size_t)cells + 1, sizeof *grid->begins);
    if (grid->begins == NULL) {
        return 0;
    }
    fill_task task = {grid, -1};
    for (int i = 0; i < drawing->occluder_count; ++i) {
        visit_cells(grid, drawing->occluders[i].corners, 3, fill_cell, &task);
    }
    for (int i = 1; i <= cells; ++i) { // each becomes the end of its cell, then fill_cell() counts down
        grid->begins[i] += grid->begins[i - 1];
    }
    grid->items = abut_allocate(&drawing->context, (size_t)grid->begins[cells], sizeof *grid->items);
    if (grid->items == NULL) {
        return 0;
    }
    for (task.item = 0; task.item < drawing->occluder_count; ++task.item) {
        visit_cells(grid, drawing->occluders[task.item].corners, 3, fill_cell, &task);
    }
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// An edge and a triangle

/// Keeps the part of the interval where a linear function, given at 0 and 1, is not negative.
static void keep_not_negative(interval *part, double at_0, double at_1)
{
    if (at_0 < 0.0 && at_1 < 0.0) {
        part->end = -1.0;
    } else if (at_0 < 0.0) {
        part->begin = fmax(part->begin, at_0 / (at_0 - at_1));
    } else if (at_1 < 0.0) {
        part->end = fmin(part->end, at_0 / (at_0 - at_1));
    }
}

/// How far a point is to the left of the line from a to b in the drawing.
static double left_of(abut_vec3 a, abut_vec3 b, abut_vec3 p)
{
    double x = b.x - a.x, y = b.y - a.y, length = sqrt(x * x + y * y);
    return length > 0.0 ? (x * (p.y - a.y) - y * (p.x - a.x)) / length : 0.0;
}

/// How far a triangle is in front of a point, which may be outside of its borders.
static double in_front(const abut_occluder *triangle, double twice_area, abut_vec3 p)
{
    abut_vec3 a = triangle->corners[0];
    abut_vec3 u = abut_sub(triangle->corners[1], a), v = abut_sub(triangle->corners[2], a), q = abut_sub(p, a);
    double s = (q.x * v.y - q.y * v.x) / twice_area, t = (u.x * q.y - u.y * q.x) / twice_area;
    return s * u.z + t * v.z - q.z;
}

/// Whether a triangle cannot hide a part of an edge, by their boxes: most pairs end here.
static int is_clear(const abut_drawn_edge *edge, const abut_occluder *triangle, double margin)
{
    abut_vec3 low = abut_min(edge->ends[0], edge->ends[1]), high = abut_max(edge->ends[0], edge->ends[1]);
    abut_vec3 bottom = abut_min(abut_min(triangle->corners[0], triangle->corners[1]), triangle->corners[2]);
    abut_vec3 top = abut_max(abut_max(triangle->corners[0], triangle->corners[1]), triangle->corners[2]);
    return top.z <= low.z || top.x < low.x - margin || bottom.x > high.x + margin || top.y < low.y - margin ||
           bottom.y > high.y + margin;
}

/// The part of an edge that a triangle hides; empty if end <= begin.
static interval hidden_part(const abut_drawing *drawing, const abut_drawn_edge *edge, const abut_occluder *triangle)
{
    interval part = {0.0, 1.0}, none = {0.0, -1.0};
    double margin = BORDER_TOLERANCE * drawing->size;
    if (is_clear(edge, triangle, margin)) {
        return none;
    }
    const abut_vec3 *c = triangle->corners;
    abut_vec3 u = abut_sub(c[1], c[0]), v = abut_sub(c[2], c[0]), w = abut_sub(c[2], c[1]);
    double twice_area = u.x * v.y - u.y * v.x;
    double longest = fmax(fmax(u.x * u.x + u.y * u.y, v.x * v.x + v.y * v.y), w.x * w.x + w.y * w.y);
    if (fabs(twice_area) <= THIN * longest) {
        return none;
    }
    double side = twice_area > 0.0 ? 1.0 : -1.0;
    for (int k = 0; k < 3 && part.begin < part.end; ++k) {
        abut_vec3 a = c[k], b = c[(k + 1) % 3];
        keep_not_negative(&part, side * left_of(a, b, edge->ends[0]) + margin,
                          side * left_of(a, b, edge->ends[1]) + margin);
    }
    if (part.begin < part.end) {
        double depth = DEPTH_TOLERANCE * drawing->size;
        keep_not_negative(&part, in_front(triangle, twice_area, edge->ends[0]) - depth,
                          in_front(triangle, twice_area, edge->ends[1]) - depth);
    }
    return part;
}

// ---------------------------------------------------------------------------------------------------------------
// An edge and all triangles

static int compare_intervals(const void *a, const void *b)
{
    const interval *x = a, *y = b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
                                : (x->end > y->end) - (x->end < y->end);
}

/// An edge while its cells are visited.
typedef struct edge_task {
    hide_task *task;
    int edge;
    int is_out_of_memory;
} edge_task;

static void compare_cell(void *user, int cell)
{
    edge_task *one = user;
    hide_task *task = one->task;
    abut_drawing *drawing = task->drawing;
    const abut_drawn_edge *edge = &drawing->edges[one->edge];
    for (int i = task->grid.begins[cell]; i < task->grid.begins[cell + 1]; ++i) {
        int item = task->grid.items[i];
        const abut_occluder *triangle = &drawing->occluders[item];
        if (task->stamps[item] == one->edge || triangle->face == edge->faces[0] ||
            triangle->face == edge->faces[1]) {
            continue;
        }
        task->stamps[item] = one->edge;
        interval part = hidden_part(drawing, edge, triangle);
        if (part.begin < part.end) {
            if (!abut_grow(&drawing->context, &task->intervals, &task->capacity, task->count + 1,
                           sizeof *task->intervals)) {
                one->is_out_of_memory = 1;
                return;
            }
            task->intervals[task->count++] = part;
        }
    }
}

static int add_line(abut_drawing *drawing, const abut_drawn_edge *edge, double begin, double end, int is_hidden)
{
    if (!abut_grow(&drawing->context, &drawing->lines, &drawing->line_capacity, drawing->line_count + 1,
                   sizeof *drawing->lines)) {
        return 0;
    }
    drawing->lines[drawing->line_count++] =
        (abut_drawn_line){.begin = abut_lerp(edge->ends[0], edge->ends[1], begin),
                          .end = abut_lerp(edge->ends[0], edge->ends[1], end),
                          .body = edge->body,
                          .is_hidden = is_hidden,
                          .is_fine = edge->is_fine};
    return 1;
}

/// Adds the visible and hidden pieces of an edge, from its sorted intervals. Pieces too short to see join their
/// neighbours.
static int add_pieces(abut_drawing *drawing, const abut_drawn_edge *edge, const interval *intervals, int count)
{
    double length = abut_norm(abut_sub(edge->ends[1], edge->ends[0]));
    double shortest = length > 0.0 ? SHORTEST_PIECE * drawing->size / length : 1.0;
    double visible_from = 0.0; // everything before is a line already
    for (int i = 0; i < count;) {
        interval hidden = intervals[i++];
        while (i < count && intervals[i].begin <= hidden.end + shortest) {
            hidden.end = fmax(hidden.end, intervals[i++].end);
        }
        if (hidden.end - hidden.begin <= shortest) {
            continue;
        }
        hidden.begin = hidden.begin - visible_from <= shortest ? visible_from : hidden.begin;
        hidden.end = 1.0 - hidden.end <= shortest ? 1.0 : hidden.end;
        if ((hidden.begin > visible_from && !add_line(drawing, edge, visible_from, hidden.begin, 0)) ||
            !add_line(drawing, edge, hidden.begin, hidden.end, 1)) {
            return 0;
        }
        visible_from = hidden.end;
    }
    return visible_from >= 1.0 || add_line(drawing, edge, visible_from, 1.0, 0);
}

static int cut_edges(hide_task *task)
{
    abut_drawing *drawing = task->drawing;
    for (int i = 0; i < drawing->edge_count; ++i) {
        edge_task one = {task, i, 0};
        task->count = 0;
        if (drawing->occluder_count > 0) {
            visit_cells(&task->grid, drawing->edges[i].ends, 2, compare_cell, &one);
        }
        if (one.is_out_of_memory) {
            return 0;
        }
        if (task->count > 1) {
            qsort(task->intervals, (size_t)task->count, sizeof *task->intervals, compare_intervals);
        }
        if (!add_pieces(drawing, &drawing->edges[i], task->intervals, task->count)) {
            return 0;
        }
    }
    return 1;
}

abut_status abut_drawing_hide(abut_drawing *drawing)
{
    hide_task task = {.drawing = drawing};
    int is_done = drawing->occluder_count == 0 || make_grid(drawing, &task.grid);
    task.stamps = abut_allocate(&drawing->context, (size_t)drawing->occluder_count, sizeof *task.stamps);
    if (is_done && task.stamps != NULL) {
        memset(task.stamps, 0xff, (size_t)drawing->occluder_count * sizeof *task.stamps);
        is_done = cut_edges(&task);
    }
    is_done = is_done && task.stamps != NULL;
    abut_free(&drawing->context, task.intervals);
    abut_free(&drawing->context, task.stamps);
    abut_free(&drawing->context, task.grid.items);
    abut_free(&drawing->context, task.grid.begins);
    return is_done ? ABUT_OK : ABUT_NO_MEMORY;
}
