// SPDX-License-Identifier: MIT
// regions_growth.c: how the time of a query grows with one size, and the exponent of that growth
//
// A series is one kind of scene in growing sizes. Bricks: the contact is the same, and the touching faces are cut into
// more and more triangles. Gears and cylinders: the contact grows with the bodies. Tips: one point with more and more
// faces. Some rows have a memory, of bodies at rest or in motion. A note gives the exponents p of the time and of the candidates in size^p, by least squares of the logarithms
// over the rows of the series: 0 for a cost that does not grow, 1 for a linear one.
#include "regions_points.h"
#include "torus.h"

#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

// Makes the meshes of a scene and places them. Returns the size for the fit, or 0 after a line on stderr.
typedef double make_scene(regions_scene *s, int size);

// ---- bricks

// The index of a corner of the grid on a box's surface; new corners get the next number.
static int surface_vertex(int n, const int at[3], int *numbers, int *count, abut_vec3 *vertices)
{
    const double half[3] = {0.3125, 0.2, 0.25};
    int *number = &numbers[(at[0] * (n + 1) + at[1]) * (n + 1) + at[2]];
    if (*number < 0) {
        *number = (*count)++;
        vertices[*number] = abut_vec3_make(half[0] * (2.0 * at[0] / n - 1.0), half[1] * (2.0 * at[1] / n - 1.0),
                                           half[2] * (2.0 * at[2] / n - 1.0));
    }
    return *number;
}

// A brick whose sides are cut into n x n rectangles of two triangles.
static int make_cut_brick(int n, abut_mesh **mesh)
{
    size_t grid = (size_t)(n + 1) * (size_t)(n + 1) * (size_t)(n + 1), quads = 6 * (size_t)n * (size_t)n;
    int *numbers = malloc(grid * sizeof *numbers), *triangles = malloc(6 * quads * sizeof *triangles);
    abut_vec3 *vertices = malloc((quads + 2) * sizeof *vertices); // by Euler's formula
    int done = numbers != NULL && triangles != NULL && vertices != NULL ? 1 : bench_fail("out of memory");
    int count = 0, *end = triangles;
    if (done) {
        memset(numbers, 0xff, grid * sizeof *numbers);
    }
    for (int i = 0; done && i < 6 * n * n; ++i) {
        int side = i / (n * n), u = i % (n * n) / n, v = i % n, axis = side / 2, corners[4];
        for (int k = 0; k < 4; ++k) {
            int at[3];
            at[axis] = side % 2 * n;
            at[(axis + 1) % 3] = u + (k == 1 || k == 2);
            at[(axis + 2) % 3] = v + (k >= 2);
            corners[side % 2 ? k : 3 - k] = surface_vertex(n, at, numbers, &count, vertices);
        }
        const int both[6] = {corners[0], corners[1], corners[2], corners[0], corners[2], corners[3]};
        memcpy(end, both, sizeof both);
        end += 6;
    }
    abut_mesh_def def = bench_triangle_def(vertices, count, triangles, (int)(2 * quads));
    abut_error error;
    done = done && (abut_mesh_create(NULL, &def, mesh, &error) == ABUT_OK || bench_fail("%s", error.text));
    free(vertices);
    free(triangles);
    free(numbers);
    return done;
}

static double make_bricks(regions_scene *s, int size)
{
    int done = make_cut_brick(size, &s->meshes[0]);
    s->meshes[1] = s->meshes[0];
    s->pair.b.pose.position = abut_vec3_make(0.3125, 0.0, 0.5);
    return done ? 12.0 * size * size : 0.0;
}

// ---- prisms

// A prism of height 1 over a polygon of `count` corners, alternately at radius 1 and `inner`. Its caps are polygons, or
// fans of triangles about their middle.
static int make_prism(int count, double inner, int is_fan, abut_mesh **mesh)
{
    size_t n = (size_t)count;
    abut_vec3 *vertices = malloc((2 * n + 2) * sizeof *vertices);
    int *faces = malloc(10 * n * sizeof *faces), *offsets = malloc((3 * n + 3) * sizeof *offsets);
    int done = vertices != NULL && faces != NULL && offsets != NULL ? 1 : bench_fail("out of memory");
    int face_count = 0, used = 0;
    for (int i = 0; done && i < count; ++i) {
        double angle = turn * i / count, radius = i % 2 ? inner : 1.0;
        int next = (i + 1) % count;
        vertices[i] = abut_vec3_make(radius * cos(angle), radius * sin(angle), 0.0);
        vertices[count + i] = abut_vec3_make(vertices[i].x, vertices[i].y, 1.0);
        const int around[10] = {i, next,      count + next, count + i,    next,
                                i, 2 * count, count + i,    count + next, 2 * count + 1};
        memcpy(faces + used, around, (is_fan ? 10 : 4) * sizeof *faces);
        for (int k = 0; k < (is_fan ? 3 : 1); ++k) {
            offsets[face_count++] = used;
            used += k == 0 ? 4 : 3;
        }
    }
    for (int cap = 0; done && !is_fan && cap < 2; ++cap) {
        offsets[face_count++] = used;
        for (int i = 0; i < count; ++i) {
            faces[used++] = cap == 0 ? count - 1 - i : count + i;
        }
    }
    if (done) {
        offsets[face_count] = used;
        vertices[2 * count] = abut_vec3_make(0.0, 0.0, 0.0);
        vertices[2 * count + 1] = abut_vec3_make(0.0, 0.0, 1.0);
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 2 * count + (is_fan ? 2 : 0);
        def.face_offsets = offsets;
        def.face_vertices = faces;
        def.face_count = face_count;
        abut_error error;
        done = abut_mesh_create(NULL, &def, mesh, &error) == ABUT_OK || bench_fail("%s", error.text);
    }
    free(offsets);
    free(faces);
    free(vertices);
    return done;
}

// A prism on the cap of another, turned by `share` of the angle between two corners of a kind.
static double stack_prisms(regions_scene *s, int count, double inner, int is_fan, double share)
{
    int done = make_prism(count, inner, is_fan, &s->meshes[0]);
    s->meshes[1] = s->meshes[0];
    s->pair.b.pose.position = abut_vec3_make(0.0, 0.0, 1.0);
    s->pair.b.pose.rotation = abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), share * turn / count);
    return done ? count : 0.0;
}

static double make_gears(regions_scene *s, int size)
{
    return stack_prisms(s, 2 * size, 0.8, 0, 0.6) / 2.0;
}

static double make_fan_gears(regions_scene *s, int size)
{
    return stack_prisms(s, 2 * size, 0.8, 1, 0.6) / 2.0;
}

// Both bodies are oblique to their axes, so no box is flat.
static double make_oblique_gears(regions_scene *s, int size)
{
    double made = make_fan_gears(s, size);
    abut_error error;
    abut_mesh_elements from = made > 0.0 ? abut_mesh_get_elements(s->meshes[0]) : (abut_mesh_elements){0};
    abut_vec3 *vertices = malloc(((size_t)from.vertex_count + 1) * sizeof *vertices);
    abut_quat tilt = abut_quat_from_axis(abut_unit(abut_vec3_make(0.3, -0.8, 0.5)), 1.1);
    abut_mesh *tilted = NULL;
    for (int i = 0; vertices != NULL && i < from.vertex_count; ++i) {
        vertices[i] = abut_quat_rotate(tilt, from.vertices[i]);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = from.vertex_count;
    def.face_offsets = from.face_offsets;
    def.face_vertices = from.face_vertices;
    def.face_count = from.face_count;
    if (made > 0.0 && (vertices == NULL || abut_mesh_create(NULL, &def, &tilted, &error) != ABUT_OK)) {
        made = bench_fail("no oblique gear");
    }
    free(vertices);
    abut_mesh_destroy(s->meshes[0]);
    s->meshes[0] = s->meshes[1] = tilted;
    abut_quat spin = s->pair.b.pose.rotation;
    s->pair.b.pose.position = abut_quat_rotate(tilt, s->pair.b.pose.position);
    s->pair.b.pose.rotation = abut_quat_multiply(abut_quat_multiply(tilt, spin), abut_quat_conjugate(tilt));
    return made;
}

static double make_cylinders(regions_scene *s, int size)
{
    return stack_prisms(s, size, 1.0, 0, 0.0);
}

static double make_fan_cylinders(regions_scene *s, int size)
{
    return stack_prisms(s, size, 1.0, 1, 0.0);
}

static double make_turned_cylinders(regions_scene *s, int size)
{
    return stack_prisms(s, size, 1.0, 0, 0.3);
}

// ---- all series

enum { MOST_ROWS = 16 }; // of a series

// How the bodies of a row move. Sliding bodies move by a ten-thousandth of their size, turning ones by as many radians:
// far more than the tolerance, so the last answer does not hold any more.
typedef enum motion { STANDS, SLIDES_X, SLIDES_Y, TURNS } motion;

// Rows of a series follow each other, in growing size.
static const struct {
    const char *series, *name;
    make_scene *make;
    int size, is_large;
    motion moves;
    int has_memory;
} rows[] = {
    {"bricks", "bricks 12", make_bricks, 1, 0, STANDS, 0},
    {"bricks", "bricks 108", make_bricks, 3, 0, STANDS, 0},
    {"bricks", "bricks 972", make_bricks, 9, 0, STANDS, 0},
    {"bricks", "bricks 10k", make_bricks, 29, 0, STANDS, 0},
    {"bricks", "bricks 99k", make_bricks, 91, 1, STANDS, 0},
    {"bricks", "bricks 1m", make_bricks, 289, 1, STANDS, 0},
    {"gears", "gears 8", make_gears, 8, 0, STANDS, 0},
    {"gears", "gears 32", make_gears, 32, 0, STANDS, 0},
    {"gears", "gears 128", make_gears, 128, 0, STANDS, 0},
    {"gears", "gears 512", make_gears, 512, 1, STANDS, 0},
    {"gears", "gears 2048", make_gears, 2048, 1, STANDS, 0},
    {"gears, at rest", "gears 128, at rest", make_gears, 128, 0, STANDS, 1},
    {"gears, at rest", "gears 2048, at rest", make_gears, 2048, 1, STANDS, 1},
    {"gears, turning", "gears 128, turning", make_gears, 128, 0, TURNS, 1},
    {"gears, turning", "gears 2048, turning", make_gears, 2048, 1, TURNS, 1},
    {"gears, turning, no memory", "gears 128, turning, no memory", make_gears, 128, 0, TURNS, 0},
    {"gears, turning, no memory", "gears 2048, turning, no memory", make_gears, 2048, 1, TURNS, 0},
    {"gears, caps as fans", "fan gears 8", make_fan_gears, 8, 0, STANDS, 0},
    {"gears, caps as fans", "fan gears 32", make_fan_gears, 32, 0, STANDS, 0},
    {"gears, caps as fans", "fan gears 128", make_fan_gears, 128, 0, STANDS, 0},
    {"gears, caps as fans", "fan gears 512", make_fan_gears, 512, 1, STANDS, 0},
    {"gears, caps as fans", "fan gears 2048", make_fan_gears, 2048, 1, STANDS, 0},
    {"gears, caps as fans, at rest", "fan gears 128, at rest", make_fan_gears, 128, 0, STANDS, 1},
    {"gears, caps as fans, at rest", "fan gears 2048, at rest", make_fan_gears, 2048, 1, STANDS, 1},
    {"gears, oblique fans", "oblique gears 8", make_oblique_gears, 8, 0, STANDS, 0},
    {"gears, oblique fans", "oblique gears 32", make_oblique_gears, 32, 0, STANDS, 0},
    {"gears, oblique fans", "oblique gears 128", make_oblique_gears, 128, 0, STANDS, 0},
    {"gears, oblique fans", "oblique gears 512", make_oblique_gears, 512, 1, STANDS, 0},
    {"gears, oblique fans", "oblique gears 2048", make_oblique_gears, 2048, 1, STANDS, 0},
    {"gears, oblique, at rest", "oblique gears 128, at rest", make_oblique_gears, 128, 0, STANDS, 1},
    {"gears, oblique, at rest", "oblique gears 2048, at rest", make_oblique_gears, 2048, 1, STANDS, 1},
    {"cylinders", "cylinders 64", make_cylinders, 64, 0, STANDS, 0},
    {"cylinders", "cylinders 128", make_cylinders, 128, 0, STANDS, 0},
    {"cylinders", "cylinders 256", make_cylinders, 256, 1, STANDS, 0},
    {"cylinders", "cylinders 512", make_cylinders, 512, 1, STANDS, 0},
    {"cylinders, caps as fans", "fan cylinders 64", make_fan_cylinders, 64, 0, STANDS, 0},
    {"cylinders, caps as fans", "fan cylinders 128", make_fan_cylinders, 128, 0, STANDS, 0},
    {"cylinders, caps as fans", "fan cylinders 256", make_fan_cylinders, 256, 1, STANDS, 0},
    {"cylinders, caps as fans", "fan cylinders 512", make_fan_cylinders, 512, 1, STANDS, 0},
    {"cylinders, turned", "turned cylinders 64", make_turned_cylinders, 64, 0, STANDS, 0},
    {"cylinders, turned", "turned cylinders 128", make_turned_cylinders, 128, 0, STANDS, 0},
    {"cylinders, turned", "turned cylinders 256", make_turned_cylinders, 256, 1, STANDS, 0},
    {"cylinders, turned", "turned cylinders 512", make_turned_cylinders, 512, 1, STANDS, 0},
    {"tips", "tips 16", regions_points_tips, 16, 0, STANDS, 0},
    {"tips", "tips 32", regions_points_tips, 32, 0, STANDS, 0},
    {"tips", "tips 64", regions_points_tips, 64, 0, STANDS, 0},
    {"tips", "tips 128", regions_points_tips, 128, 0, STANDS, 0},
    {"tips", "tips 512", regions_points_tips, 512, 1, STANDS, 0},
    {"tips, at rest", "tips 128, at rest", regions_points_tips, 128, 0, STANDS, 1},
    {"tips, turning", "tips 128, turning", regions_points_tips, 128, 0, TURNS, 1},
    {"tips, turning, no memory", "tips 128, turning, no memory", regions_points_tips, 128, 0, TURNS, 0},
    {"apex on a slab", "apex 192", regions_points_apex, 192, 0, STANDS, 0},
    {"apex on a slab", "apex 384", regions_points_apex, 384, 0, STANDS, 0},
    {"apex on a slab", "apex 768", regions_points_apex, 768, 0, STANDS, 0},
    {"saddles of five dips", "saddles-5", regions_points_saddles, 5, 0, STANDS, 0},
    {"L turned on L", "turned L", regions_points_turned_l, 1, 0, STANDS, 0},
    {"L turned on L, at rest", "turned L, at rest", regions_points_turned_l, 1, 0, STANDS, 1},
    {"L turned on L, sliding", "turned L, sliding", regions_points_turned_l, 1, 0, SLIDES_X, 1},
    {"L turned on L, sliding, no memory", "turned L, sliding, no memory", regions_points_turned_l, 1, 0, SLIDES_X,
     0},
    {"L beside L", "L beside L", regions_points_l_beside, 1, 0, STANDS, 0},
    {"L beside L, at rest", "L beside L, at rest", regions_points_l_beside, 1, 0, STANDS, 1},
    {"L beside L, sliding", "L beside L, sliding", regions_points_l_beside, 1, 0, SLIDES_Y, 1},
    {"L beside L, sliding, no memory", "L beside L, sliding, no memory", regions_points_l_beside, 1, 0, SLIDES_Y,
     0},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

// The logarithms of what was measured in a series.
typedef struct growth {
    double sizes[MOST_ROWS], times[MOST_ROWS], candidates[MOST_ROWS];
    int count;
} growth;

static void note_growth(bench_report *report, const char *series, const growth *g)
{
    if (g->count > 1) {
        bench_note(report, "%s: time grows as size^%.2f, candidates as size^%.2f, from size %.0f to %.0f", series,
                   regions_slope(g->sizes, g->times, g->count), regions_slope(g->sizes, g->candidates, g->count),
                   exp(g->sizes[0]), exp(g->sizes[g->count - 1]));
    }
}

// Moves the bodies of a row, and adds its memory, if it has one.
static int begin_motion(regions_scene *s, motion moves, int has_memory)
{
    const double small = 1e-4;
    if (moves != STANDS) {
        abut_vec3 way = {moves == SLIDES_X ? small : 0.0, moves == SLIDES_Y ? small : 0.0, 0.0};
        regions_scene_slide(s, way, moves == TURNS ? small : 0.0);
    }
    return !has_memory || regions_scene_remember(s);
}

static int measure_row(bench_report *report, const bench_options *options, int row, growth *g)
{
    regions_scene s = regions_scene_start();
    double size = rows[row].make(&s, rows[row].size);
    int done = size > 0.0 && regions_scene_prepare(&s, abut_method_find("regions")) &&
               begin_motion(&s, rows[row].moves, rows[row].has_memory) &&
               regions_scene_measure(report, options, &s, rows[row].name, "regions");
    if (done && g->count < MOST_ROWS) {
        g->sizes[g->count] = log(size);
        g->times[g->count] = log(report->rows[report->count - 1].min_ns);
        g->candidates[g->count++] = log(1.0 + (double)s.result.stats.candidate_pairs);
    }
    regions_scene_end(&s);
    return done;
}

int bench_regions_growth(bench_report *report, const bench_options *options)
{
    for (int begin = 0, end; begin < ROW_COUNT; begin = end) {
        growth g = {.count = 0};
        for (end = begin; end < ROW_COUNT && strcmp(rows[end].series, rows[begin].series) == 0; ++end) {
            if ((!rows[end].is_large || options->is_large) && bench_wants(options, rows[end].name, NULL) &&
                !measure_row(report, options, end, &g)) {
                return 0;
            }
        }
        note_growth(report, rows[begin].series, &g);
    }
    return 1;
}
