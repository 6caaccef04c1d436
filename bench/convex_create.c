// SPDX-License-Identifier: MIT
// convex_create.c: how the time to create a convex shape grows with its vertices
//
// Families: points evenly distributed on a sphere; a prism, with two faces that have half of the vertices each; a
// cone, whose tip has an edge to every other vertex; a cube whose faces are cut into squares, so that all but eight
// vertices are on a face or an edge; and a lens with a rise of 1e-6, whose faces are nearly coplanar. Prism and cone
// are turned, so that their large faces are planar up to rounding only. Only abut_convex_create() is timed, from a
// finished mesh. The largest size only with --large.
#include "convex_scene.h"
#include "torus.h"

#include <abut/convex.h>
#include <stdlib.h>

static const double tau = 6.283185307179586; // a full turn

typedef struct raw_mesh {
    abut_vec3 *vertices;
    int *triangles;
    int vertex_count, triangle_count;
} raw_mesh;

static void add_triangle(raw_mesh *m, int a, int b, int c)
{
    int *t = m->triangles + 3 * (size_t)m->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_square(raw_mesh *m, int a, int b, int c, int d)
{
    add_triangle(m, a, b, c);
    add_triangle(m, a, c, d);
}

// Adds the triangles of a convex polygon of consecutive vertices, by halves, which avoids narrow triangles.
static void add_polygon(raw_mesh *m, int first, int last, int is_reversed)
{
    int middle = first + (last - first) / 2;
    if (middle > first) {
        add_triangle(m, is_reversed ? last : first, middle, is_reversed ? first : last);
        add_polygon(m, first, middle, is_reversed);
        add_polygon(m, middle, last, is_reversed);
    }
}

static abut_vec3 circle_point(int i, int count, double z)
{
    double angle = tau * i / count;
    return abut_vec3_make(cos(angle), sin(angle), z);
}

// Vertices 0 .. n - 1 are below, n .. 2 n - 1 above.
static void fill_prism(int n, raw_mesh *m)
{
    m->vertex_count = 2 * n;
    for (int i = 0; i < n; ++i) {
        m->vertices[i] = circle_point(i, n, -1.0);
        m->vertices[n + i] = circle_point(i, n, 1.0);
        add_square(m, i, (i + 1) % n, n + (i + 1) % n, n + i);
    }
    add_polygon(m, 0, n - 1, 1);
    add_polygon(m, n, 2 * n - 1, 0);
}

// The tip is vertex n.
static void fill_cone(int n, raw_mesh *m)
{
    m->vertex_count = n + 1;
    m->vertices[n] = abut_vec3_make(0.0, 0.0, 1.0);
    for (int i = 0; i < n; ++i) {
        m->vertices[i] = circle_point(i, n, 0.0);
        add_triangle(m, i, (i + 1) % n, n);
    }
    add_polygon(m, 0, n - 1, 1);
}

// The hull of points along a spiral of the golden angle: on a sphere, or on a shallow paraboloid over one point.
static abut_status make_round(int n, int is_lens, raw_mesh *m, abut_mesh **mesh, abut_error *error)
{
    const double golden_angle = 2.3999632297286533;
    for (int i = 0; i < n; ++i) {
        double z = (2 * i + 1) / (double)n - 1.0, radius = is_lens ? sqrt((i + 0.5) / n) : sqrt(1.0 - z * z);
        m->vertices[i] = abut_vec3_make(radius * cos(golden_angle * i), radius * sin(golden_angle * i),
                                        is_lens ? -1e-6 * radius * radius : z);
    }
    if (is_lens) {
        m->vertices[n - 1] = abut_vec3_make(0.0, 0.0, -1.0);
    }
    return abut_hull_create(NULL, m->vertices, n, mesh, NULL, error);
}

typedef enum family { SPHERE, PRISM, CONE, CUBE, LENS, FAMILIES } family;

static const char *const names[FAMILIES] = {"sphere", "prism", "cone", "cut cube", "lens"};

static abut_status make_mesh(family which, int n, raw_mesh *m, abut_mesh **mesh, abut_error *error)
{
    const abut_quat turn = abut_quat_from_axis(abut_unit(abut_vec3_make(1.0, 2.0, 3.0)), 0.7);
    switch (which) {
    case CUBE: return bench_make_cube(2 * n, NULL, mesh, error);
    case PRISM: fill_prism(n / 2, m); break;
    case CONE: fill_cone(n - 1, m); break;
    case SPHERE:
    case LENS:
    case FAMILIES: return make_round(n, which == LENS, m, mesh, error);
    }
    for (int i = 0; i < m->vertex_count; ++i) {
        m->vertices[i] = abut_quat_rotate(turn, m->vertices[i]);
    }
    abut_mesh_def def = bench_triangle_def(m->vertices, m->vertex_count, m->triangles, m->triangle_count);
    return abut_mesh_create(NULL, &def, mesh, error);
}

static abut_mesh *make_family(family which, int n)
{
    raw_mesh m = {.vertices = malloc(((size_t)n + 2) * sizeof *m.vertices),
                  .triangles = malloc((size_t)n * 6 * sizeof *m.triangles)};
    abut_mesh *mesh = NULL;
    abut_error error = {.text = "out of memory"};
    if (m.vertices != NULL && m.triangles != NULL) {
        (void)make_mesh(which, n, &m, &mesh, &error);
    }
    if (mesh == NULL) {
        (void)bench_fail("%s of %d vertices: %s", names[which], n, error.text);
    }
    free(m.vertices);
    free(m.triangles);
    return mesh;
}

static uint64_t run_create(void *data)
{
    abut_convex *convex = NULL;
    if (abut_convex_create(NULL, data, NULL, &convex, NULL) != ABUT_OK) {
        return 0;
    }
    abut_convex_info info = abut_convex_get_info(convex);
    abut_convex_destroy(convex);
    uint64_t hash = bench_hash(bench_hash(0, (uint64_t)info.vertex_count), (uint64_t)info.face_count);
    return convex_hash_double(hash, info.inner_radius);
}

// Slope of the straight line through points (log n, log time), by least squares.
static double fit_exponent(const double *sizes, const double *times, int count)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < count; ++i) {
        double u = log(sizes[i]), v = log(times[i]);
        x += u, y += v, xx += u * u, xy += u * v;
    }
    return (count * xy - x * y) / (count * xx - x * x);
}

int convex_measure_creation(bench_report *report, const bench_options *options)
{
    static const struct {
        const char *name;
        int vertices;
    } sizes[] = {{"create, 1k", 1000}, {"create, 4k", 4000}, {"create, 16k", 16000}, {"create, 64k", 64000}};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    int count = options->is_large ? SIZES : SIZES - 1;
    for (family f = SPHERE; f < FAMILIES; ++f) {
        double counts[SIZES], times[SIZES];
        if (!bench_wants(options, names[f], NULL)) {
            continue;
        }
        for (int i = 0; i < count; ++i) {
            abut_mesh *mesh = make_family(f, sizes[i].vertices);
            if (mesh == NULL) {
                return 0;
            }
            counts[i] = abut_mesh_get_elements(mesh).vertex_count;
            bench_row row = {.scene = names[f], .subject = sizes[i].name, .calls = 1};
            bench_add_value(&row, "vertices", counts[i]);
            int is_done = bench_measure(report, options, &row, run_create, mesh);
            times[i] = row.min_ns;
            abut_mesh_destroy(mesh);
            if (!is_done || row.hash == 0) {
                return is_done ? bench_fail("%s: no convex shape", names[f]) : 0;
            }
        }
        bench_note(report, "%s: the time to create a shape grows as its vertices to the power of %.2f", names[f],
                   fit_exponent(counts, times, count));
    }
    return 1;
}
