// SPDX-License-Identifier: MIT
// wide_face.c: finds the triangles of a face at a point of its plane
//
// A planar face may be cut into many triangles, and often into long and narrow ones, such as the fan of a cap. Boxes
// along the axes around those overlap each other almost everywhere. So the hierarchy has rectangles that are oriented
// along the triangles they hold: those around neighbouring triangles of a fan are narrow too. A range is split at the
// mean of the triangles' centers, along the direction in which these spread most.
//
// Cost: a search takes the logarithm of the number of triangles if few triangles are near the point.
#include "region/wide_face.h"

#include <abut/support.h>
#include <float.h>

enum { LEAF = 4, FREE_LEVELS = 40 }; ///< ranges at deeper levels are cut in halves, which bounds the depth

/// Rounding of coordinates in units of the face, and of the rectangles, which is some ulps of float.
static const double slack = 2e-6;

/// A triangle while the hierarchy is built, in units of the face.
typedef struct item {
    float corners[3][2];
    int triangle;
} item;

typedef struct builder {
    const abut_context *context;
    abut_wide_face *wide;
    item *items;
} builder;

/// Sums over points of a plane, for the direction in which they spread most.
typedef struct moments {
    double count, x, y, xx, xy, yy;
} moments;

static inline void add_point(moments *m, double x, double y)
{
    m->count += 1.0;
    m->x += x;
    m->y += y;
    m->xx += x * x;
    m->xy += x * y;
    m->yy += y * y;
}

/// The unit direction of the largest spread.
static void find_axis(const moments *m, double axis[2])
{
    double xx = m->xx - m->x * m->x / m->count, yy = m->yy - m->y * m->y / m->count;
    double xy = m->xy - m->x * m->y / m->count;
    double angle = 0.5 * atan2(2.0 * xy, xx - yy);
    axis[0] = cos(angle);
    axis[1] = sin(angle);
}

static inline double center_along(const item *t, const double axis[2])
{
    double x = (double)t->corners[0][0] + (double)t->corners[1][0] + (double)t->corners[2][0];
    double y = (double)t->corners[0][1] + (double)t->corners[1][1] + (double)t->corners[2][1];
    return (axis[0] * x + axis[1] * y) / 3.0;
}

/// The smallest rectangle along an axis around some triangles.
static void fit_rectangle(const item *items, int count, const double axis[2], abut_wide_node *node)
{
    double lower[2] = {HUGE_VAL, HUGE_VAL}, upper[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            double x = (double)items[i].corners[k][0], y = (double)items[i].corners[k][1];
            const double along[2] = {axis[0] * x + axis[1] * y, axis[0] * y - axis[1] * x};
            for (int j = 0; j < 2; ++j) {
                lower[j] = along[j] < lower[j] ? along[j] : lower[j];
                upper[j] = along[j] > upper[j] ? along[j] : upper[j];
            }
        }
    }
    double middle[2] = {0.5 * (lower[0] + upper[0]), 0.5 * (lower[1] + upper[1])};
    node->axis[0] = (float)axis[0];
    node->axis[1] = (float)axis[1];
    node->center[0] = (float)(axis[0] * middle[0] - axis[1] * middle[1]);
    node->center[1] = (float)(axis[1] * middle[0] + axis[0] * middle[1]);
    node->half[0] = (float)(0.5 * (upper[0] - lower[0]) + slack);
    node->half[1] = (float)(0.5 * (upper[1] - lower[1]) + slack);
}

/// Moves the triangles whose centers are below the mean along an axis to the front; returns how many.
static int divide(item *items, int count, const double axis[2], double mean)
{
    int below = 0;
    for (int i = 0; i < count; ++i) {
        if (center_along(&items[i], axis) < mean) {
            item moved = items[i];
            items[i] = items[below];
            items[below++] = moved;
        }
    }
    return below;
}

/// Adds the node of a range, and the nodes below it. Returns 0 if memory ran out.
static int add_range(builder *b, int begin, int count, int level)
{
    abut_wide_face *wide = b->wide;
    item *items = b->items + begin;
    moments of_corners = {0}, of_centers = {0};
    const double x_axis[2] = {1.0, 0.0}, y_axis[2] = {0.0, 1.0};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            add_point(&of_corners, (double)items[i].corners[k][0], (double)items[i].corners[k][1]);
        }
        add_point(&of_centers, center_along(&items[i], x_axis), center_along(&items[i], y_axis));
    }
    if (!abut_grow(b->context, &wide->nodes, &wide->node_capacity, wide->node_count + 1, sizeof *wide->nodes)) {
        return 0;
    }
    int node = wide->node_count++;
    double axis[2];
    find_axis(&of_corners, axis);
    fit_rectangle(items, count, axis, &wide->nodes[node]);
    wide->nodes[node].next = ~begin;
    wide->nodes[node].count = count;
    if (count <= LEAF) {
        return 1;
    }
    find_axis(&of_centers, axis);
    double mean = (axis[0] * of_centers.x + axis[1] * of_centers.y) / of_centers.count;
    int below = level < FREE_LEVELS ? divide(items, count, axis, mean) : 0;
    below = below == 0 || below == count ? count / 2 : below;
    if (!add_range(b, begin, below, level + 1)) {
        return 0;
    }
    wide->nodes[node].next = wide->node_count;
    wide->nodes[node].count = 0;
    return add_range(b, begin + below, count - below, level + 1);
}

static abut_vec3 corner_of(const abut_mesh_elements *mesh, int triangle, int k)
{
    return mesh->vertices[mesh->triangles[3 * (size_t)triangle + (size_t)k]];
}

/// Chooses the frame of a face: about its middle, with units in which it is between -2 and 2.
static void choose_frame(const abut_mesh_elements *mesh, const int *triangles, int count, abut_wide_face *wide)
{
    abut_box box = abut_box_empty();
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            box = abut_box_add(box, corner_of(mesh, triangles[i], k));
        }
    }
    abut_vec3 middle = abut_box_center(box); // off the plane if that is oblique to the axes
    double height = abut_dot(wide->normal, abut_sub(middle, corner_of(mesh, triangles[0], 0)));
    wide->origin = abut_add_scaled(middle, -height, wide->normal);
    wide->u = abut_any_perpendicular(wide->normal);
    wide->v = abut_cross(wide->normal, wide->u);
    wide->scale = 1.0 / fmax(0.5 * abut_box_diagonal(box), DBL_MIN);
}

int abut_wide_face_build(const abut_context *context, const abut_mesh_elements *mesh,
                         const abut_brep_elements *brep, int face, abut_wide_face *wide)
{
    const abut_brep_face *f = &brep->faces[face];
    const int *triangles = brep->face_triangles + f->triangle_begin;
    int count = f->triangle_count;
    *wide = (abut_wide_face){.face = face, .normal = f->normal};
    choose_frame(mesh, triangles, count, wide);
    builder b = {context, wide, abut_allocate(context, (size_t)count, sizeof *b.items)};
    wide->order = abut_allocate(context, (size_t)count, sizeof *wide->order);
    int is_done = b.items != NULL && wide->order != NULL;
    for (int i = 0; is_done && i < count; ++i) {
        b.items[i].triangle = triangles[i];
        for (int k = 0; k < 3; ++k) {
            abut_vec3 p = abut_sub(corner_of(mesh, triangles[i], k), wide->origin);
            b.items[i].corners[k][0] = (float)(wide->scale * abut_dot(wide->u, p));
            b.items[i].corners[k][1] = (float)(wide->scale * abut_dot(wide->v, p));
        }
    }
    is_done = is_done && add_range(&b, 0, count, 0);
    for (int i = 0; is_done && i < count; ++i) {
        wide->order[i] = b.items[i].triangle;
    }
    abut_free(context, b.items);
    return is_done;
}

void abut_wide_face_free(const abut_context *context, abut_wide_face *wide)
{
    abut_free(context, wide->nodes);
    abut_free(context, wide->order);
}

void abut_wide_face_cover(const abut_wide_face *wide, abut_vec3 corners[3])
{
    const abut_wide_node *root = &wide->nodes[0];
    // the rectangle from -1 to 1 along both axes is within the triangle (-1, -1), (3, -1), (-1, 3)
    const double places[3][2] = {{-1.0, -1.0}, {3.0, -1.0}, {-1.0, 3.0}};
    for (int k = 0; k < 3; ++k) {
        double along = places[k][0] * ((double)root->half[0] + slack);
        double across = places[k][1] * ((double)root->half[1] + slack);
        double x = (double)root->center[0] + (double)root->axis[0] * along - (double)root->axis[1] * across;
        double y = (double)root->center[1] + (double)root->axis[1] * along + (double)root->axis[0] * across;
        abut_vec3 p = abut_add(abut_scale(x / wide->scale, wide->u), abut_scale(y / wide->scale, wide->v));
        corners[k] = abut_add(wide->origin, p);
    }
}

abut_wide_search abut_wide_search_begin(const abut_wide_face *wide, const abut_mesh_elements *mesh, abut_vec3 point,
                                        double reach)
{
    abut_vec3 p = abut_sub(point, wide->origin);
    abut_wide_search search = {.wide = wide, .mesh = mesh, .point = point, .reach = reach};
    search.x = wide->scale * abut_dot(wide->u, p);
    search.y = wide->scale * abut_dot(wide->v, p);
    search.scaled_reach = wide->scale * reach;
    search.stack[search.stack_count++] = 0;
    return search;
}

static inline int is_in_rectangle(const abut_wide_search *s, const abut_wide_node *node)
{
    double x = s->x - (double)node->center[0], y = s->y - (double)node->center[1];
    double along = (double)node->axis[0] * x + (double)node->axis[1] * y;
    double across = (double)node->axis[0] * y - (double)node->axis[1] * x;
    return fabs(along) <= (double)node->half[0] + s->scaled_reach &&
           fabs(across) <= (double)node->half[1] + s->scaled_reach;
}

/// Whether the point is at most `reach` beyond each side of a triangle.
static int is_in_triangle(const abut_wide_search *s, int triangle)
{
    for (int k = 0; k < 3; ++k) {
        abut_vec3 from = corner_of(s->mesh, triangle, k);
        abut_vec3 edge = abut_sub(corner_of(s->mesh, triangle, k < 2 ? k + 1 : 0), from);
        double inside = abut_dot(abut_cross(s->wide->normal, edge), abut_sub(s->point, from));
        if (inside < 0.0 && inside * inside > s->reach * s->reach * abut_norm_squared(edge)) {
            return 0;
        }
    }
    return 1;
}

int abut_wide_search_next(abut_wide_search *s)
{
    for (;;) {
        while (s->at < s->end) {
            int triangle = s->wide->order[s->at++];
            if (is_in_triangle(s, triangle)) {
                return triangle;
            }
        }
        if (s->stack_count == 0) {
            return -1;
        }
        int index = s->stack[--s->stack_count];
        const abut_wide_node *node = &s->wide->nodes[index];
        ++s->visits;
        if (!is_in_rectangle(s, node)) {
            continue;
        }
        if (node->count > 0) {
            s->at = ~node->next;
            s->end = s->at + node->count;
        } else {
            s->stack[s->stack_count++] = node->next;
            s->stack[s->stack_count++] = index + 1;
        }
    }
}
