// SPDX-License-Identifier: MIT
// field.c: the signed distance of a closed mesh, on a grid
//
// The signs of all nodes on a line along x are found together: a triangle that the line crosses changes the winding
// number of every node before it by one. The crossing test is exact, in the projection to (y, z). It treats the line
// as moved by an infinitely small (d, d^2) (simulation of simplicity), so a line through an edge or a vertex crosses
// the right number of triangles. The test which nodes are before the triangle is exact too. Planes of nodes are
// independent, so threads can build them in any order.
#include "spatial/field.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"

#include <abut/predicates.h>
#include <float.h>

// In cells: points this close to a plane of nodes count as on it. Far above the rounding of a point that is meant to
// be there, and too small to matter otherwise.
static const double border_slack = 1e-9;

typedef struct builder {
    const abut_field *field;
    abut_mesh_elements mesh;
    const abut_tree *tree;
} builder;

static double lower_of(const abut_field *field, int axis)
{
    const double lower[3] = {field->bounds.lower.x, field->bounds.lower.y, field->bounds.lower.z};
    return lower[axis];
}

static double coordinate(const abut_field *field, int axis, int index)
{
    return lower_of(field, axis) + (index - ABUT_FIELD_MARGIN) * field->spacing[axis];
}

abut_vec3 abut_field_node(const abut_field *field, int i, int j, int k)
{
    return abut_vec3_make(coordinate(field, 0, i), coordinate(field, 1, j), coordinate(field, 2, k));
}

static int clamp_index(double index, int count)
{
    return index < 0.0 ? 0 : index > count ? count : (int)index;
}

/// The range of nodes whose coordinates may be between `lower` and `upper`, with one node to spare on both sides.
static void index_range(const abut_field *field, int axis, double lower, double upper, int *begin, int *end)
{
    double first = (lower - lower_of(field, axis)) / field->spacing[axis] + ABUT_FIELD_MARGIN;
    double last = (upper - lower_of(field, axis)) / field->spacing[axis] + ABUT_FIELD_MARGIN;
    *begin = clamp_index(floor(first) - 1.0, field->counts[axis]);
    *end = clamp_index(ceil(last) + 2.0, field->counts[axis]);
}

// ---- sign

/// The side of the line q r on which (y, z) is, seen along x. 0 only if q and r coincide in that view.
static int side_of_line(abut_vec3 q, abut_vec3 r, double y, double z)
{
    int sign = 0;
    (void)abut_orient2d(abut_vec2_make(q.y, q.z), abut_vec2_make(r.y, r.z), abut_vec2_make(y, z), &sign);
    if (sign == 0 && q.z != r.z) {
        sign = r.z > q.z ? -1 : 1;
    } else if (sign == 0 && q.y != r.y) {
        sign = r.y > q.y ? 1 : -1;
    }
    return sign;
}

/// 1 if the line leaves the solid through the triangle, -1 if it enters, 0 if it does not cross.
static int crossing_of(const abut_vec3 corners[3], double y, double z)
{
    int first = side_of_line(corners[0], corners[1], y, z);
    return first != 0 && first == side_of_line(corners[1], corners[2], y, z) &&
                   first == side_of_line(corners[2], corners[0], y, z)
               ? first
               : 0;
}

/// Counts the nodes of a line before the triangle that it crosses.
static int count_before(const builder *b, const abut_vec3 corners[3], int crossing, int j, int k, int begin,
                        int end)
{
    while (begin < end) {
        int middle = begin + (end - begin) / 2, sign = 0;
        (void)abut_orient3d(corners[0], corners[1], corners[2], abut_field_node(b->field, middle, j, k), &sign);
        if (sign * crossing < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

/// Records the crossings of a triangle with all lines of a plane of nodes, at the last node before each crossing.
static void cross_plane(const builder *b, int triangle, int k, double *plane)
{
    const abut_field *f = b->field;
    double z = coordinate(f, 2, k);
    abut_vec3 corners[3];
    for (int i = 0; i < 3; ++i) {
        corners[i] = b->mesh.vertices[b->mesh.triangles[3 * (size_t)triangle + (size_t)i]];
    }
    abut_vec3 lower = abut_min(abut_min(corners[0], corners[1]), corners[2]);
    abut_vec3 upper = abut_max(abut_max(corners[0], corners[1]), corners[2]);
    if (!(lower.z <= z && z <= upper.z)) {
        return;
    }
    int y_begin, y_end, x_begin, x_end;
    index_range(f, 1, lower.y, upper.y, &y_begin, &y_end);
    index_range(f, 0, lower.x, upper.x, &x_begin, &x_end);
    for (int j = y_begin; j < y_end; ++j) {
        int crossing = crossing_of(corners, coordinate(f, 1, j), z);
        int before = crossing != 0 ? count_before(b, corners, crossing, j, k, x_begin, x_end) : 0;
        if (before > 0) {
            plane[(size_t)j * (size_t)f->counts[0] + (size_t)before - 1] += crossing;
        }
    }
}

// ---- distance

/// `limit` bounds the search: the distance of the previous node plus the step to this one, and a millionth for
/// rounding. If nothing is found within it, the search is repeated without a limit.
static double distance_at(const builder *b, abut_vec3 node, double limit)
{
    abut_tree_hit hit = abut_tree_nearest(b->tree, node, limit);
    return hit.element >= 0 ? hit.distance : abut_tree_nearest(b->tree, node, HUGE_VAL).distance;
}

static void build_planes(void *data, int begin, int end, int worker)
{
    (void)worker;
    const builder *b = data;
    const abut_field *f = b->field;
    size_t plane_size = (size_t)f->counts[0] * (size_t)f->counts[1];
    for (int k = begin; k < end; ++k) {
        double *plane = &f->values[(size_t)k * plane_size];
        for (size_t i = 0; i < plane_size; ++i) {
            plane[i] = 0.0;
        }
        for (int i = 0; i < b->mesh.triangle_count; ++i) {
            cross_plane(b, i, k, plane);
        }
        for (int j = 0; j < f->counts[1]; ++j) {
            double winding = 0.0, distance = HUGE_VAL, *row = &plane[(size_t)j * (size_t)f->counts[0]];
            for (int i = f->counts[0] - 1; i >= 0; --i) {
                distance = distance_at(b, abut_field_node(f, i, j, k), 1.000001 * (distance + f->spacing[0]));
                winding += row[i];
                row[i] = winding > 0.0 ? -distance : distance;
            }
        }
    }
}

// ---- the grid

static abut_status lay_out(abut_field *f, int resolution, abut_error *error)
{
    abut_vec3 extent = abut_sub(f->bounds.upper, f->bounds.lower);
    const double extents[3] = {extent.x, extent.y, extent.z};
    double largest = abut_max_component(abut_max(abut_abs(f->bounds.lower), abut_abs(f->bounds.upper)));
    f->step = abut_max_component(extent) / resolution;
    for (int i = 0; i < 3; ++i) {
        // 1e-6 of a cell: rounding must not add a cell. 64 DBL_EPSILON: nodes must be many ulps apart.
        double cells = fmax(ceil(extents[i] / f->step - 1e-6), ABUT_FIELD_LEAST_CELLS);
        f->spacing[i] = extents[i] / cells;
        f->counts[i] = (int)cells + 1 + 2 * ABUT_FIELD_MARGIN;
        if (!(f->spacing[i] > 64.0 * DBL_EPSILON * largest)) {
            return abut_fail(
                error, ABUT_UNSUPPORTED,
                "a grid of %g cells along axis %d is too fine for coordinates up to %g: a cell would have size %g; "
                "move the mesh closer to its origin",
                cells, i, largest, f->spacing[i]);
        }
    }
    f->box.lower = abut_field_node(f, 0, 0, 0);
    f->box.upper = abut_field_node(f, f->counts[0] - 1, f->counts[1] - 1, f->counts[2] - 1);
    return ABUT_OK;
}

abut_status abut_field_create(const abut_context *context, const abut_mesh *mesh, const abut_tree *tree,
                              int resolution, abut_field *field, abut_error *error)
{
    abut_field f = {.bounds = abut_mesh_get_elements(mesh).bounds};
    abut_status status = lay_out(&f, resolution, error);
    if (status != ABUT_OK) {
        return status;
    }
    f.values = abut_allocate(context, abut_field_bytes(&f), 1);
    if (f.values == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a grid of %d x %d x %d nodes", f.counts[0],
                         f.counts[1], f.counts[2]);
    }
    builder b = {.field = &f, .mesh = abut_mesh_get_elements(mesh), .tree = tree};
    abut_parallel_for(context, f.counts[2], 1, build_planes, &b);
    *field = f;
    return ABUT_OK;
}

void abut_field_release(abut_field *field, const abut_context *context)
{
    abut_free(context, field->values);
    field->values = NULL;
}

size_t abut_field_bytes(const abut_field *field)
{
    return (size_t)field->counts[0] * (size_t)field->counts[1] * (size_t)field->counts[2] * sizeof *field->values;
}

double abut_field_error(const abut_field *field)
{
    return 0.5 * abut_norm(abut_vec3_make(field->spacing[0], field->spacing[1], field->spacing[2]));
}

double abut_field_margin(const abut_field *field)
{
    return ABUT_FIELD_MARGIN * fmin(fmin(field->spacing[0], field->spacing[1]), field->spacing[2]);
}

int abut_field_covers(const abut_field *field, abut_vec3 p)
{
    const abut_box *box = &field->box;
    return p.x >= box->lower.x && p.x <= box->upper.x && p.y >= box->lower.y && p.y <= box->upper.y &&
           p.z >= box->lower.z && p.z <= box->upper.z;
}

/// A position in the grid: a cell and the fractions within it.
typedef struct cell_place {
    int cell[3];
    double at[3]; ///< from 0 to 1
} cell_place;

/// The bilinear value on the plane of nodes `index` across an axis, at the position's other two coordinates.
static double plane_value(const abut_field *field, const cell_place *place, int axis, int index)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3, node[3];
    double sum = 0.0;
    node[axis] = index;
    for (int corner = 0; corner < 4; ++corner) {
        int is_upper_u = corner & 1, is_upper_v = corner >> 1;
        node[u] = place->cell[u] + is_upper_u;
        node[v] = place->cell[v] + is_upper_v;
        size_t row = (size_t)node[2] * (size_t)field->counts[1] + (size_t)node[1];
        sum += (is_upper_u ? place->at[u] : 1.0 - place->at[u]) * (is_upper_v ? place->at[v] : 1.0 - place->at[v]) *
               field->values[row * (size_t)field->counts[0] + (size_t)node[0]];
    }
    return sum;
}

/// The mean of the slopes along an axis on both sides of a plane of nodes, per cell.
static double mean_slope(const abut_field *field, const cell_place *place, int axis, int index)
{
    return 0.5 * (plane_value(field, place, axis, index + 1) - plane_value(field, place, axis, index - 1));
}

double abut_field_value(const abut_field *field, abut_vec3 point, abut_vec3 *gradient)
{
    const double p[3] = {point.x, point.y, point.z};
    const size_t strides[3] = {1, (size_t)field->counts[0], (size_t)field->counts[0] * (size_t)field->counts[1]};
    size_t first = 0;
    int borders[3]; // the plane of nodes that the point is on, or 0: not on one with neighbours on both sides
    cell_place place;
    for (int i = 0; i < 3; ++i) {
        double index = (p[i] - lower_of(field, i)) / field->spacing[i] + ABUT_FIELD_MARGIN, plane = round(index);
        int is_border = fabs(index - plane) <= border_slack && plane < field->counts[i] - 1;
        borders[i] = is_border ? (int)plane : 0;
        place.cell[i] = clamp_index(floor(index), field->counts[i] - 2);
        place.at[i] = fmin(fmax(index - place.cell[i], 0.0), 1.0);
        first += (size_t)place.cell[i] * strides[i];
    }
    double value = 0.0, slopes[3] = {0.0, 0.0, 0.0};
    for (int corner = 0; corner < 8; ++corner) {
        size_t node = first;
        double weights[3], signs[3];
        for (int i = 0; i < 3; ++i) {
            int is_upper = corner >> i & 1;
            node += is_upper ? strides[i] : 0;
            weights[i] = is_upper ? place.at[i] : 1.0 - place.at[i];
            signs[i] = is_upper ? 1.0 : -1.0;
        }
        double v = field->values[node];
        value += weights[0] * weights[1] * weights[2] * v;
        slopes[0] += signs[0] * weights[1] * weights[2] * v;
        slopes[1] += weights[0] * signs[1] * weights[2] * v;
        slopes[2] += weights[0] * weights[1] * signs[2] * v;
    }
    for (int i = 0; i < 3; ++i) {
        slopes[i] = borders[i] > 0 ? mean_slope(field, &place, i, borders[i]) : slopes[i];
    }
    *gradient =
        abut_vec3_make(slopes[0] / field->spacing[0], slopes[1] / field->spacing[1], slopes[2] / field->spacing[2]);
    return value;
}
