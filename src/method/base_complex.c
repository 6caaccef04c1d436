// SPDX-License-Identifier: MIT
// base_complex.c: the inset of solids, their complexes, and whether two of them overlap
//
// The surface of a solid is moved by the offset: a vertex moves so that the planes of its faces move by it, in the
// least-squares sense if there are more than three (erosion.c). Where a triangle would turn over, its corners move less
// far, and the surface reaches less far beyond the complex there (abut_base_reach()). A closed part that has no volume
// left, or of which more than half does not move half as far as it should, is too thin: it stays where it is and is taken
// as a shell.
//
// Source: Merlhiot 2007, sections 4.2 and 4.3.
#include "method/base_complex.h"

#include "base/error.h"
#include "base/memory.h"
#include "complex/complex.h"
#include "method/erosion.h"
#include "method/methods.h"
#include "method/params.h"
#include "method/shape.h"
#include "prim/triangle_triangle.h"
#include "spatial/tree.h"

/// What the functions below share.
typedef struct inset_work {
    const abut_mesh *mesh;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    double offset;
    abut_vec3 *vertices;     ///< moved
    unsigned char *is_solid; ///< by part of the mesh
    unsigned char *is_thin;  ///< by part
    double *measures;        ///< by part, MEASURES each
} inset_work;

/// Of a part: six times its volume before and after the move, its area, and that of triangles which lag behind.
enum { VOLUME_BEFORE, VOLUME_AFTER, AREA, LAGGING_AREA, MEASURES };

static abut_vec3 triangle_area(const inset_work *w, const abut_vec3 *vertices, int triangle)
{
    const int *t = w->elements.triangles + 3 * (size_t)triangle;
    abut_vec3 p = vertices[t[0]];
    return abut_cross(abut_sub(vertices[t[1]], p), abut_sub(vertices[t[2]], p));
}

static int part_of_triangle(const inset_work *w, int triangle)
{
    return w->topology.vertex_parts[w->elements.triangles[3 * (size_t)triangle]];
}

/// Moves the vertices of solids by the offset.
static abut_status move_vertices(inset_work *w, const abut_context *context, abut_error *error)
{
    int cap_count = 0;
    abut_status status = abut_mitred_moves(context, w->mesh, -w->offset, w->vertices, &cap_count, error);
    for (int i = 0; status == ABUT_OK && i < w->elements.vertex_count; ++i) {
        int part = w->topology.vertex_parts[i];
        abut_vec3 move = part >= 0 && w->is_solid[part] ? w->vertices[i] : abut_vec3_make(0.0, 0.0, 0.0);
        w->vertices[i] = abut_add(w->elements.vertices[i], move);
    }
    return status;
}

/// Whether a triangle moved inward by less than half of the offset: other walls are in its way.
static int is_lagging(const inset_work *w, int triangle)
{
    const int *t = w->elements.triangles + 3 * (size_t)triangle;
    abut_vec3 n = abut_unit(triangle_area(w, w->elements.vertices, triangle));
    double moved = 0.0;
    for (int k = 0; k < 3; ++k) {
        moved += abut_dot(n, abut_sub(w->vertices[t[k]], w->elements.vertices[t[k]])) / 3.0;
    }
    return w->offset < 0.0 && moved > 0.5 * w->offset;
}

static void measure_parts(inset_work *w)
{
    abut_vec3 origin = abut_box_center(w->elements.bounds);
    for (int i = 0; i < w->elements.triangle_count; ++i) {
        const int *t = w->elements.triangles + 3 * (size_t)i;
        double *measures = w->measures + MEASURES * (size_t)part_of_triangle(w, i);
        for (int is_moved = 0; is_moved < 2; ++is_moved) {
            const abut_vec3 *v = is_moved ? w->vertices : w->elements.vertices;
            abut_vec3 p = abut_sub(v[t[0]], origin), q = abut_sub(v[t[1]], origin), r = abut_sub(v[t[2]], origin);
            measures[is_moved ? VOLUME_AFTER : VOLUME_BEFORE] += abut_dot(p, abut_cross(q, r));
        }
        double area = abut_norm(triangle_area(w, w->elements.vertices, i));
        measures[AREA] += area;
        measures[LAGGING_AREA] += is_lagging(w, i) ? area : 0.0;
    }
}

/// Takes the moves of closed parts back that have no volume left, or whose surface mostly could not follow. Counts them,
/// and finds a vertex of the first.
static void restore_thin_parts(inset_work *w, abut_base_info *info)
{
    info->thin_vertex = -1;
    measure_parts(w);
    for (int i = 0; i < w->topology.part_count; ++i) {
        const double *measures = w->measures + MEASURES * (size_t)i;
        int is_thin = !(measures[VOLUME_AFTER] > 0.0) || measures[LAGGING_AREA] > 0.5 * measures[AREA];
        w->is_thin[i] = (unsigned char)(w->is_solid[i] && measures[VOLUME_BEFORE] > 0.0 && is_thin);
        info->thin_part_count += w->is_thin[i];
    }
    for (int i = w->elements.vertex_count - 1; i >= 0 && info->thin_part_count > 0; --i) {
        int part = w->topology.vertex_parts[i];
        if (part >= 0 && w->is_thin[part]) {
            w->vertices[i] = w->elements.vertices[i];
            w->is_solid[part] = 0;
            info->thin_vertex = i;
        }
    }
}

/// How far what is used can be from what was asked for: where planes did not move by the offset, and at corners, which
/// move farther than the ball reaches.
static double measure_deviation(const inset_work *w, double dilation)
{
    double largest = 0.0;
    for (int i = 0; i < 3 * w->elements.triangle_count; ++i) {
        int part = part_of_triangle(w, i / 3), vertex = w->elements.triangles[i];
        if (!w->is_solid[part]) {
            continue;
        }
        abut_vec3 move = abut_sub(w->vertices[vertex], w->elements.vertices[vertex]);
        abut_vec3 n = abut_unit(triangle_area(w, w->elements.vertices, i / 3));
        if (abut_norm_squared(n) > 0.0) {
            largest = fmax(largest, fabs(abut_dot(n, move) - w->offset));
            if (w->offset < 0.0) { // the corner was |move| away from the base; the ball reaches `dilation`
                largest = fmax(largest, abut_norm(move) - fmin(-w->offset, dilation));
            }
        }
    }
    return largest;
}

/// By how much less than the inset each plane at a vertex moved, at most. Parts that are not solid have no inset; if nobody
/// asked for the dilation, it must not move their surface.
static abut_status measure_lags(const abut_context *context, const inset_work *w, abut_base *base,
                                abut_error *error)
{
    const abut_base_info *info = &base->info;
    double least = 1e-9 * info->dilation;
    int has_lag = 0;
    if (!(w->offset < 0.0 && info->dilation > 0.0)) {
        return ABUT_OK;
    }
    base->lags = abut_allocate_zeroed(context, (size_t)w->elements.vertex_count, sizeof *base->lags);
    if (base->lags == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for an inset");
    }
    for (int i = 0; i < 3 * w->elements.triangle_count; ++i) {
        int part = part_of_triangle(w, i / 3), vertex = w->elements.triangles[i];
        abut_vec3 move = abut_sub(w->vertices[vertex], w->elements.vertices[vertex]);
        abut_vec3 n = abut_unit(triangle_area(w, w->elements.vertices, i / 3));
        double lag = abut_norm_squared(n) > 0.0 ? abut_dot(n, move) - w->offset : 0.0;
        if (!w->is_solid[part]) {
            lag = info->is_default && !w->is_thin[part] ? info->dilation : 0.0;
        }
        if (lag > fmax(least, base->lags[vertex])) {
            base->lags[vertex] = fmin(lag, info->dilation);
            has_lag = 1;
        }
    }
    if (!has_lag) {
        abut_free(context, base->lags);
        base->lags = NULL;
    }
    return ABUT_OK;
}

double abut_base_reach(const abut_base *base, const abut_mesh *mesh, const abut_anchor *point, abut_vec3 direction)
{
    double reach = base->info.dilation;
    const abut_vec3 *vertices = abut_mesh_get_elements(mesh).vertices;
    for (int i = 0; i < 4; ++i) {
        int vertex = point->vertices[i];
        if (vertex >= 0 && base->lags[vertex] > 0.0) {
            double inset = abut_dot(direction, abut_sub(vertices[vertex], base->vertices[vertex]));
            reach -= point->weights[i] * fmin(base->lags[vertex], fmax(0.0, -base->info.offset - inset));
        }
    }
    return fmax(reach, 0.0);
}

/// Over the mended triangles, and all faces of tetrahedra, which the mesh need not name.
static abut_status build_tree(const abut_context *context, abut_base *base, abut_error *error)
{
    int count = base->complex->info.triangle_count;
    abut_status status =
        abut_tree_create_over(context, base->vertices, base->complex->triangles, count, &base->tree);
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "no memory for a tree of %d triangles", count);
}

/// One vertex of each part, for the test whether a part is inside.
static void take_samples(const inset_work *w, abut_base *base)
{
    for (int i = 0; i < w->elements.vertex_count; ++i) {
        if (w->topology.vertex_parts[i] == base->sample_count) { // parts are numbered by their lowest vertex
            base->samples[base->sample_count++] = i;
        }
    }
}

static abut_status fill_base(const abut_context *context, const abut_shape *shape, inset_work *w, double inset,
                             abut_base *base, abut_error *error)
{
    abut_base_info *info = &base->info;
    abut_complex_def def = abut_complex_def_default();
    def.mesh = w->mesh;
    abut_status status = abut_complex_survey(context, &def, w->is_solid, error);
    if (status != ABUT_OK) {
        return status;
    }
    int has_solid = 0, has_other = 0;
    for (int i = 0; i < w->topology.part_count; ++i) {
        has_solid |= w->is_solid[i];
        has_other |= !w->is_solid[i];
    }
    info->offset = abut_shape_offset(shape);
    info->dilation = abut_shape_dilation(shape);
    if (info->offset == 0.0 && info->dilation == 0.0 && inset > 0.0 && has_solid) {
        info->dilation = inset * abut_box_diagonal(w->elements.bounds);
        info->offset = -info->dilation;
        info->is_default = 1;
    }
    w->offset = info->offset;
    status = move_vertices(w, context, error);
    if (status != ABUT_OK) {
        return status;
    }
    restore_thin_parts(w, info);
    info->deviation = has_solid ? measure_deviation(w, info->dilation) : 0.0;
    if (info->thin_part_count > 0 || (info->is_default && has_other)) { // these are dilated, and not inset
        info->deviation = fmax(info->deviation, fabs(info->offset));
    }
    status = measure_lags(context, w, base, error);
    if (status != ABUT_OK) {
        return status;
    }
    info->chord = abut_shape_chord(shape);
    info->error = fabs(info->offset + info->dilation) + info->deviation + info->chord;
    def.vertices = w->vertices;
    def.part_is_shell = w->is_thin;
    take_samples(w, base);
    status = abut_complex_create(context, &def, &base->complex, error);
    if (status == ABUT_OK) {
        info->info = abut_complex_get_info(base->complex);
        status = build_tree(context, base, error);
    }
    return status;
}

abut_status abut_base_create(const abut_context *context, const abut_shape *shape, double inset, abut_base **base,
                             abut_error *error)
{
    inset_work w = {.mesh = abut_shape_mesh(shape)};
    w.elements = abut_mesh_get_elements(w.mesh);
    w.topology = abut_mesh_get_topology(w.mesh);
    size_t parts = (size_t)w.topology.part_count;
    *base = NULL;
    abut_base *made = abut_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a base complex");
    }
    made->vertices = abut_allocate(context, (size_t)w.elements.vertex_count, sizeof *made->vertices);
    made->samples = abut_allocate(context, parts, sizeof *made->samples);
    w.vertices = made->vertices;
    w.is_solid = abut_allocate_zeroed(context, parts, 1);
    w.is_thin = abut_allocate_zeroed(context, parts, 1);
    w.measures = abut_allocate_zeroed(context, parts, MEASURES * sizeof *w.measures);
    abut_status status = ABUT_OK;
    if (made->vertices == NULL || made->samples == NULL || w.is_solid == NULL || w.is_thin == NULL ||
        w.measures == NULL) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory for a base complex of %d vertices",
                           w.elements.vertex_count);
    } else {
        status = fill_base(context, shape, &w, inset, made, error);
    }
    abut_free(context, w.is_solid);
    abut_free(context, w.is_thin);
    abut_free(context, w.measures);
    if (status != ABUT_OK) {
        abut_base_destroy(made, context);
        return status;
    }
    size_t lag_size = made->lags != NULL ? sizeof *made->lags : 0;
    made->bytes = sizeof *made + (size_t)w.elements.vertex_count * (sizeof *made->vertices + lag_size) +
                  parts * sizeof *made->samples + (size_t)made->info.info.bytes +
                  abut_tree_get_info(made->tree).bytes;
    *base = made;
    return ABUT_OK;
}

void abut_base_destroy(abut_base *base, const abut_context *context)
{
    if (base == NULL) {
        return;
    }
    abut_tree_destroy(base->tree);
    abut_complex_destroy(base->complex);
    abut_free(context, base->vertices);
    abut_free(context, base->samples);
    abut_free(context, base->lags);
    abut_free(context, base);
}

abut_status abut_shape_get_base(const abut_shape *shape, const abut_params *params, abut_base_info *info)
{
    abut_params read;
    abut_status status = abut_params_read(params, &abut_method_quasi_lmd, &read, NULL);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_base *base = abut_shape_find_data(shape, &abut_method_quasi_lmd, &read);
    if (base == NULL) {
        return ABUT_UNPREPARED;
    }
    *info = base->info;
    return ABUT_OK;
}

// ---- overlap

static int stop_at_first(void *user, int triangle_a, int triangle_b)
{
    (void)user;
    (void)triangle_a;
    (void)triangle_b;
    return 1;
}

/// Whether a segment of one body passes through a triangle of the other.
static int segments_enter(const abut_base *a, const abut_mesh *mesh, const abut_base *b, abut_pose a_to_b)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    for (int i = 0; i < e.segment_count; ++i) {
        abut_vec3 p = abut_pose_apply(a_to_b, a->vertices[e.segments[2 * i]]);
        abut_vec3 q = abut_pose_apply(a_to_b, a->vertices[e.segments[2 * i + 1]]);
        if (abut_tree_ray(b->tree, p, abut_sub(q, p), 1.0).element >= 0) {
            return 1;
        }
    }
    return 0;
}

/// Whether a point is inside a solid of the body: the first triangle of a solid that a ray from it meets is met from behind.
static int is_inside(const abut_base *b, abut_vec3 p)
{
    // no direction in which models have edges
    const abut_vec3 direction = {0.4517539514526257, 0.3217505543966422, 0.8321470588215693};
    abut_tree_hit hit = abut_tree_ray_among(b->tree, p, direction, HUGE_VAL, b->complex->is_solid);
    if (hit.element < 0) {
        return 0;
    }
    const int *t = b->complex->triangles + 3 * (size_t)hit.element;
    abut_vec3 origin = b->vertices[t[0]];
    abut_vec3 n = abut_cross(abut_sub(b->vertices[t[1]], origin), abut_sub(b->vertices[t[2]], origin));
    return abut_dot(n, direction) > 0.0;
}

static int has_part_inside(const abut_base *a, const abut_base *b, abut_pose a_to_b)
{
    abut_box bounds = abut_tree_get_info(b->tree).bounds;
    for (int i = 0; b->info.info.solid_triangle_count > 0 && i < a->sample_count; ++i) {
        abut_vec3 p = abut_pose_apply(a_to_b, a->vertices[a->samples[i]]);
        if (abut_box_contains(bounds, p) && is_inside(b, p)) {
            return 1;
        }
    }
    return 0;
}

int abut_bases_overlap(const abut_base *a, const abut_base *b, const abut_mesh *mesh_a, const abut_mesh *mesh_b,
                       abut_pose b_to_a, const char **text)
{
    abut_pose a_to_b = abut_pose_relative(b_to_a, abut_pose_identity());
    if (abut_tree_intersections(a->tree, b->tree, b_to_a, 0.0, stop_at_first, NULL) ||
        segments_enter(a, mesh_a, b, a_to_b) || segments_enter(b, mesh_b, a, b_to_a)) {
        *text =
            "the bodies overlap by more than their dilations: move them apart, or give a larger dilation with an "
            "offset as far inward (--dilation L --offset -L)";
        return 1;
    }
    if (has_part_inside(a, b, a_to_b) || has_part_inside(b, a, b_to_a)) {
        *text = "one body, or a part of it, is wholly inside the other: move it out";
        return 1;
    }
    return 0;
}

typedef struct self_meeting {
    const abut_base *base;
    int triangles[2];
} self_meeting;

static int stop_at_meeting(void *user, int triangle_a, int triangle_b)
{
    self_meeting *m = user;
    const int *corners = m->base->complex->triangles;
    const int *a = corners + 3 * (size_t)triangle_a, *b = corners + 3 * (size_t)triangle_b;
    abut_vec3 points[2][3];
    for (int i = 0; i < 9; ++i) {
        if (a[i / 3] == b[i % 3]) {
            return 0;
        }
    }
    for (int i = 0; i < 3; ++i) {
        points[0][i] = m->base->vertices[a[i]];
        points[1][i] = m->base->vertices[b[i]];
    }
    m->triangles[0] = triangle_a;
    m->triangles[1] = triangle_b;
    return abut_triangles_intersect(points[0], points[1]);
}

int abut_base_meets_itself(const abut_base *base, int faces[2])
{
    self_meeting m = {.base = base};
    if (!abut_tree_self_pairs(base->tree, 0.0, stop_at_meeting, &m)) {
        return 0;
    }
    for (int i = 0; i < 2; ++i) {
        int face = base->complex->triangle_faces[m.triangles[i]];
        faces[i] = face >= 0 ? face : ~face; // of a tetrahedron whose faces the mesh does not name
    }
    return 1;
}
