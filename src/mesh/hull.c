// SPDX-License-Identifier: MIT
// hull.c: convex hull of points, with qhull
//
// The points are moved to the origin and scaled to about size 1, for which qhull's tolerances are made. The mesh
// gets the original points. qhull merges facets that are coplanar up to rounding; hull_polygons.c cuts them into
// triangles. The result is checked: its topology must be a sphere, and its triangles must face outward by the exact
// predicate.
//
// Source:  Barber, Dobkin and Huhdanpaa 1996, through qhull's reentrant library.
// Cost:    that of qhull, usually n log n. qhull uses malloc, not the context.
// Fails:   if the points are coplanar up to rounding. Points may remain outside a facet by a few rounding errors of
//          the coordinates. Clusters of points as small as these errors may be rejected, or give tiny facets
//          with meaningless normals: merge such points first.
#define _POSIX_C_SOURCE 200809L // fmemopen

#include "mesh/hull.h"
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"

#include <abut/mesh.h>
#include <abut/predicates.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 2048 };

// Everything that must be freed at the end.
typedef struct hull_work {
    abut_context context;
    coordT *coordinates;   // of the points, moved and scaled
    double distance_error; // rounding error of the distance from a scaled point to a plane
    qhT *qhull;
    int is_started; // qhull has allocated memory
    FILE *messages; // qhull's messages go here, into `text`
    char text[MESSAGE_SIZE];
    abut_hull_triangles triangles;
    int *numbers; // for each point: the number of its vertex in the mesh, or -1
    abut_vec3 *vertices;
    int vertex_count;
} hull_work;

static void release(hull_work *work)
{
    if (work->is_started) {
        int left_count, left_size;
        qh_freeqhull(work->qhull, !qh_ALL);
        qh_memfreeshort(work->qhull, &left_count, &left_size);
    }
    if (work->messages != NULL) {
        (void)fclose(work->messages);
    }
    abut_free(&work->context, work->coordinates);
    abut_free(&work->context, work->qhull);
    abut_free(&work->context, work->triangles.corners);
    abut_free(&work->context, work->numbers);
    abut_free(&work->context, work->vertices);
}

// Adds the points to the box, and rejects input that qhull cannot handle.
static abut_status check_points(const abut_vec3 *points, int count, abut_box *box, abut_error *error)
{
    if (count < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "hull: the number of points is %d; it must not be negative",
                         count);
    }
    if (count > 0 && points == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "hull: `points` is NULL");
    }
    if (count > INT_MAX / 3) {
        return abut_fail(error, ABUT_LIMIT, "hull: %d points are too many; the limit is %d", count, INT_MAX / 3);
    }
    if (count < 4) {
        return abut_fail(error, ABUT_BAD_DATA, "hull: at least 4 points are needed, but there are %d", count);
    }
    for (int i = 0; i < count; ++i) {
        if (!abut_is_finite(points[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "point %d has a coordinate that is not finite", i);
        }
        *box = abut_box_add(*box, points[i]);
    }
    static const char names[3] = {'x', 'y', 'z'};
    const double lower[3] = {box->lower.x, box->lower.y, box->lower.z};
    const double upper[3] = {box->upper.x, box->upper.y, box->upper.z};
    for (int k = 0; k < 3; ++k) {
        if (lower[k] == upper[k]) {
            return abut_fail(error, ABUT_BAD_DATA, "all points lie in the plane %c = %g, so there is no hull",
                             names[k], lower[k]);
        }
    }
    return ABUT_OK;
}

// Moves the centre of the box to the origin and scales its half size to between 1/2 and 1. Scaling by a power of two
// is exact. It comes first, so nothing overflows.
static abut_status scale_points(hull_work *work, const abut_vec3 *points, int count, abut_box box)
{
    work->coordinates = abut_allocate(&work->context, (size_t)count, 3 * sizeof *work->coordinates);
    if (work->coordinates == NULL) {
        return ABUT_NO_MEMORY;
    }
    abut_vec3 middle = abut_box_center(box);
    int exponent;
    (void)frexp(abut_max_component(abut_sub(abut_scale(0.5, box.upper), abut_scale(0.5, box.lower))), &exponent);
    // A coordinate of magnitude m has an input error of up to 2^-53 m. Computing with scaled coordinates, which are
    // below 1, adds up to 2^-53. A distance sums about eight such errors: from three coordinates of the point, and
    // from the plane, which three points determine.
    double magnitude = abut_max_component(abut_max(abut_abs(box.lower), abut_abs(box.upper)));
    work->distance_error = 0x1p-50 * (1.0 + ldexp(magnitude, -exponent));
    for (int i = 0; i < count; ++i) {
        work->coordinates[3 * i] = ldexp(points[i].x, -exponent) - ldexp(middle.x, -exponent);
        work->coordinates[3 * i + 1] = ldexp(points[i].y, -exponent) - ldexp(middle.y, -exponent);
        work->coordinates[3 * i + 2] = ldexp(points[i].z, -exponent) - ldexp(middle.z, -exponent);
    }
    return ABUT_OK;
}

// The first line of qhull's message, without its number.
static const char *first_message(hull_work *work)
{
    (void)fflush(work->messages);
    char *line = work->text + strspn(work->text, "\n\r ");
    line[strcspn(line, "\n\r")] = '\0';
    if (strncmp(line, "QH", 2) == 0) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return line;
}

static abut_status run_qhull(hull_work *work, int count, abut_error *error)
{
    work->qhull = abut_allocate_zeroed(&work->context, 1, sizeof *work->qhull);
    work->messages = fmemopen(work->text, sizeof work->text, "w");
    if (work->qhull == NULL || work->messages == NULL) {
        return ABUT_NO_MEMORY;
    }
    // Pp: no warnings about precision. E: the error of distances, printed without a decimal point, which would
    // depend on the locale.
    char options[64];
    (void)snprintf(options, sizeof options, "qhull Pp E%.0e", work->distance_error);
    qh_zero(work->qhull, work->messages);
    int code = qh_new_qhull(work->qhull, 3, count, work->coordinates, False, options, NULL, work->messages);
    work->is_started = 1;
    switch (code) {
    case qh_ERRnone: return ABUT_OK;
    case qh_ERRmem: return ABUT_NO_MEMORY;
    case qh_ERRsingular:
        return abut_fail(error, ABUT_BAD_DATA, "the points lie in a plane up to rounding, so there is no hull");
    default: return abut_fail(error, ABUT_BAD_DATA, "no hull: %s", first_message(work));
    }
}

// Point i, scaled.
static abut_vec3 scaled_point(const hull_work *work, int i)
{
    const coordT *x = work->coordinates + 3 * i;
    return abut_vec3_make(x[0], x[1], x[2]);
}

static int compare_triangles(const void *a, const void *b)
{
    const int *s = a, *t = b;
    for (int k = 0; k < 3; ++k) {
        if (s[k] != t[k]) {
            return s[k] < t[k] ? -1 : 1;
        }
    }
    return 0;
}

// The order of qhull's facets may depend on memory addresses, so the triangles are sorted.
static abut_status collect_triangles(hull_work *work, int point_count)
{
    abut_status status = abut_hull_cut(&work->context, work->qhull, point_count, &work->triangles);
    if (status == ABUT_OK) {
        qsort(work->triangles.corners, (size_t)work->triangles.count, 3 * sizeof *work->triangles.corners,
              compare_triangles);
    }
    return status;
}

// Exact test whether qhull's interior point is behind every triangle.
static int is_outward(const hull_work *work)
{
    const coordT *x = work->qhull->interior_point;
    abut_vec3 inside = abut_vec3_make(x[0], x[1], x[2]);
    for (int i = 0; i < work->triangles.count; ++i) {
        const int *t = work->triangles.corners + 3 * i;
        int sign;
        abut_status status = abut_orient3d(scaled_point(work, t[0]), scaled_point(work, t[1]),
                                           scaled_point(work, t[2]), inside, &sign);
        if (status != ABUT_OK || sign >= 0) {
            return 0;
        }
    }
    return 1;
}

// Numbers the points that are corners of triangles, in the order of the points.
static abut_status number_vertices(hull_work *work, const abut_vec3 *points, int count, int *sources)
{
    work->numbers = abut_allocate(&work->context, (size_t)count, sizeof *work->numbers);
    work->vertices = abut_allocate(&work->context, 3 * (size_t)work->triangles.count, sizeof *work->vertices);
    if (work->numbers == NULL || work->vertices == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        work->numbers[i] = -1;
    }
    for (int i = 0; i < 3 * work->triangles.count; ++i) {
        work->numbers[work->triangles.corners[i]] = 0;
    }
    for (int i = 0; i < count; ++i) {
        if (work->numbers[i] == 0) {
            if (sources != NULL) {
                sources[work->vertex_count] = i;
            }
            work->vertices[work->vertex_count] = points[i];
            work->numbers[i] = work->vertex_count++;
        }
    }
    for (int i = 0; i < 3 * work->triangles.count; ++i) {
        work->triangles.corners[i] = work->numbers[work->triangles.corners[i]];
    }
    return ABUT_OK;
}

// A hull must be closed, oriented and a topological sphere: its Euler characteristic V - E + F is 2.
static int is_sphere(const abut_mesh *mesh)
{
    abut_mesh_info info = abut_mesh_get_info(mesh);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    return info.is_closed && info.is_oriented && info.non_manifold_vertex_count == 0 && topology.part_count == 1 &&
           elements.vertex_count - topology.edge_count + elements.triangle_count == 2;
}

static abut_status refuse_close_points(abut_error *error)
{
    return abut_fail(
        error, ABUT_BAD_DATA,
        "no hull: some points are too close together for double precision; merge points that are close");
}

static abut_status make_hull(hull_work *work, const abut_vec3 *points, int count, abut_mesh **hull, int *sources,
                             abut_error *error)
{
    abut_box box = abut_box_empty();
    abut_status status = check_points(points, count, &box, error);
    if (status == ABUT_OK) {
        status = scale_points(work, points, count, box);
    }
    if (status == ABUT_OK) {
        status = run_qhull(work, count, error);
    }
    if (status == ABUT_OK) {
        status = collect_triangles(work, count);
        if (status == ABUT_BAD_DATA || (status == ABUT_OK && !is_outward(work))) {
            return refuse_close_points(error);
        }
    }
    if (status == ABUT_OK) {
        status = number_vertices(work, points, count, sources);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = work->vertices;
    def.vertex_count = work->vertex_count;
    def.face_vertices = work->triangles.corners;
    def.face_count = work->triangles.count;
    status = abut_mesh_create(&work->context, &def, hull, error);
    if (status == ABUT_OK && !is_sphere(*hull)) {
        abut_mesh_destroy(*hull);
        *hull = NULL;
        return refuse_close_points(error);
    }
    return status;
}

abut_status abut_hull_create(const abut_context *context, const abut_vec3 *points, int count, abut_mesh **hull,
                             int *sources, abut_error *error)
{
    if (hull == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "hull: `hull` is NULL");
    }
    *hull = NULL;
    hull_work work = {.context = abut_context_or_default(context)};
    abut_status status = make_hull(&work, points, count, hull, sources, error);
    release(&work);
    if (status == ABUT_NO_MEMORY) {
        return abut_fail(error, status, "out of memory while making the hull of %d points", count);
    }
    return status;
}
