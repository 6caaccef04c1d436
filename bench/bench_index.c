// SPDX-License-Identifier: MIT
// bench_index.c: Brep-indexes: time to build, size, and time to locate points and segments
//
// Scenes: the sphere of 128 faces of Bouma and Vanecek 1993, section 4.2; tori of radii 1 and 0.4 with 100 to 100,000
// triangles, and with --large 1,000,000, with balanced cuts, and up to 10,000 with face planes only; and needles along
// both families of lines of a saddle surface. The needles are the worst case: any index of k + k needles has about k^2
// pieces. If the default limits refuse a scene, the row says so. Times are per item: an entity of a build, a point, a
// segment.
#include "groups.h"

#include "torus.h"

#include <abut/brep_index.h>
#include <stdlib.h>
#include <string.h>

enum { QUERY_COUNT = 2000 };

typedef enum scene_kind { SPHERE, TORUS, SADDLE } scene_kind;

static const struct {
    const char *name;
    scene_kind kind;
    int triangles; // about as many; faces of a sphere
    abut_index_cuts cuts;
    int is_large;
} sizes[] = {
    {"sphere 128", SPHERE, 128, ABUT_CUTS_BALANCED, 0},
    {"sphere 128, face planes", SPHERE, 128, ABUT_CUTS_FACE_PLANES, 0},
    {"torus 100", TORUS, 100, ABUT_CUTS_BALANCED, 0},
    {"torus 1k", TORUS, 1000, ABUT_CUTS_BALANCED, 0},
    {"torus 10k", TORUS, 10000, ABUT_CUTS_BALANCED, 0},
    {"torus 100k", TORUS, 100000, ABUT_CUTS_BALANCED, 0},
    {"torus 1m", TORUS, 1000000, ABUT_CUTS_BALANCED, 1},
    {"torus 100, face planes", TORUS, 100, ABUT_CUTS_FACE_PLANES, 0},
    {"torus 1k, face planes", TORUS, 1000, ABUT_CUTS_FACE_PLANES, 0},
    {"torus 10k, face planes", TORUS, 10000, ABUT_CUTS_FACE_PLANES, 0},
    {"saddle 100", SADDLE, 100, ABUT_CUTS_BALANCED, 0},
    {"saddle 1k", SADDLE, 1000, ABUT_CUTS_BALANCED, 0},
    {"saddle 10k", SADDLE, 10000, ABUT_CUTS_BALANCED, 0},
};

typedef struct scene {
    abut_mesh *mesh;
    abut_brep *brep;
    abut_brep_index *index; // NULL if a limit was reached
    abut_brep_index_params params;
    int triangle_count, entity_count;
    abut_vec3 points[QUERY_COUNT];
} scene;

// Twice as many slices as stacks: triangles at the poles, quadrilaterals elsewhere.
static abut_status make_sphere(int face_count, abut_mesh **mesh, abut_error *error)
{
    const double pi = 3.14159265358979323846;
    int stacks = (int)sqrt(face_count / 2.0), slices = 2 * stacks, south = 1 + (stacks - 1) * slices;
    int count = slices * stacks, used = 0;
    abut_vec3 *vertices = malloc((size_t)(south + 1) * sizeof *vertices);
    int *faces = malloc((size_t)count * 4 * sizeof *faces),
        *offsets = malloc((size_t)(count + 1) * sizeof *offsets);
    abut_status status = ABUT_NO_MEMORY;
    if (vertices != NULL && faces != NULL && offsets != NULL) {
        for (int i = 0; i <= south; ++i) {
            double a = i == 0 ? 0.0 : i == south ? pi : pi * (1 + (i - 1) / slices) / stacks;
            double b = 2.0 * pi * ((i - 1) % slices) / slices;
            vertices[i] = abut_vec3_make(sin(a) * cos(b), sin(a) * sin(b), cos(a));
        }
        for (int i = 0; i < count; ++i) {
            int stack = i / slices, k = i % slices, next = (k + 1) % slices;
            int upper = 1 + (stack - 1) * slices, lower = upper + slices;
            offsets[i] = used;
            faces[used++] = stack < stacks - 1 ? lower + k : south;
            if (stack < stacks - 1) {
                faces[used++] = lower + next;
            }
            faces[used++] = stack > 0 ? upper + next : 0;
            if (stack > 0) {
                faces[used++] = upper + k;
            }
        }
        offsets[count] = used;
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = south + 1;
        def.face_offsets = offsets;
        def.face_vertices = faces;
        def.face_count = count;
        status = abut_mesh_create(NULL, &def, mesh, error);
    } else {
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    }
    free(offsets);
    free(faces);
    free(vertices);
    return status;
}

// A needle: a thin triangular prism around the line from a to b.
static void put_needle(abut_vec3 a, abut_vec3 b, double width, abut_vec3 *vertices, int *triangles, int needle)
{
    static const int prism[24] = {0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 2, 0, 3, 2, 3, 5};
    abut_vec3 along = abut_unit(abut_sub(b, a)), u = abut_any_perpendicular(along), v = abut_cross(along, u);
    for (int i = 0; i < 3; ++i) {
        double angle = 6.283185307179586 * i / 3.0;
        abut_vec3 out = abut_add(abut_scale(width * cos(angle), u), abut_scale(width * sin(angle), v));
        vertices[6 * needle + i] = abut_add(a, out);
        vertices[6 * needle + 3 + i] = abut_add(b, out);
    }
    for (int i = 0; i < 24; ++i) {
        triangles[24 * needle + i] = 6 * needle + prism[i];
    }
}

// Needles along the lines x = const of z = x y and, slightly above, along y = const.
static abut_status make_saddle(int triangle_count, abut_mesh **mesh, abut_error *error)
{
    int each = triangle_count / 16 > 0 ? triangle_count / 16 : 1, count = 2 * each;
    abut_vec3 *vertices = malloc((size_t)count * 6 * sizeof *vertices);
    int *triangles = malloc((size_t)count * 24 * sizeof *triangles);
    abut_status status = ABUT_NO_MEMORY;
    if (vertices != NULL && triangles != NULL) {
        double width = 0.1 / each;
        for (int i = 0; i < each; ++i) {
            double s = (2.0 * i + 1.0) / each - 1.0;
            put_needle(abut_vec3_make(s, -1.1, -1.1 * s), abut_vec3_make(s, 1.1, 1.1 * s), width, vertices,
                       triangles, i);
            put_needle(abut_vec3_make(-1.1, s, 4.0 * width - 1.1 * s),
                       abut_vec3_make(1.1, s, 4.0 * width + 1.1 * s), width, vertices, triangles, each + i);
        }
        abut_mesh_def def = bench_triangle_def(vertices, 6 * count, triangles, 8 * count);
        status = abut_mesh_create(NULL, &def, mesh, error);
    } else {
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    }
    free(triangles);
    free(vertices);
    return status;
}

static uint64_t hash_location(uint64_t hash, abut_location location)
{
    return bench_hash(bench_hash(hash, (uint64_t)location.place), (uint64_t)(location.entity + 1));
}

static uint64_t run_build(void *data)
{
    const scene *s = data;
    abut_brep_index *index = NULL;
    abut_status status = abut_brep_index_create(NULL, s->brep, &s->params, &index, NULL);
    if (status != ABUT_OK) {
        return (uint64_t)status;
    }
    abut_brep_index_info info = abut_brep_index_get_info(index);
    uint64_t hash = bench_hash((uint64_t)info.node_count, (uint64_t)info.depth);
    abut_brep_index_destroy(index);
    return hash;
}

static uint64_t run_points(void *data)
{
    const scene *s = data;
    uint64_t hash = 0;
    for (int i = 0; i < QUERY_COUNT; ++i) {
        hash = hash_location(hash, abut_brep_index_locate(s->index, s->points[i]));
    }
    return hash;
}

static uint64_t run_segments(void *data)
{
    const scene *s = data;
    uint64_t hash = 0;
    abut_segment_piece items[256];
    for (int i = 0; i < QUERY_COUNT; ++i) {
        abut_segment_pieces found = {items, 256, 0, 0};
        if (abut_brep_index_segment(s->index, s->points[i], s->points[(i + 1) % QUERY_COUNT], &found) >
            ABUT_TRUNCATED) {
            return 0;
        }
        for (int k = 0; k < found.count; ++k) {
            hash = hash_location(hash, items[k].location);
        }
    }
    return hash;
}

// Points evenly distributed in the box around the torus, the same on every machine.
static void make_points(scene *s)
{
    const double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    for (int i = 0; i < QUERY_COUNT; ++i) {
        double x = fmod(0.5 + i * steps[0], 1.0), y = fmod(0.5 + i * steps[1], 1.0),
               z = fmod(0.5 + i * steps[2], 1.0);
        s->points[i] = abut_vec3_make(3.0 * x - 1.5, 3.0 * y - 1.5, z - 0.5);
    }
}

static int measure_scene(bench_report *report, const bench_options *options, const char *name, scene *s)
{
    bench_row build = {.scene = name,
                       .subject = "build",
                       .calls = s->entity_count,
                       .values = {{"triangles", s->triangle_count}, {"refused", 1.0}}};
    if (s->index == NULL) {
        return bench_measure(report, options, &build, run_build, s);
    }
    abut_brep_index_info info = abut_brep_index_get_info(s->index);
    const bench_value values[] = {{"triangles", s->triangle_count},
                                  {"nodes", info.node_count},
                                  {"nodes_each", (double)info.node_count / s->entity_count},
                                  {"bytes_each", (double)info.bytes / s->entity_count},
                                  {"depth", info.depth},
                                  {"mean_depth", info.mean_depth}};
    memcpy(build.values, values, sizeof values);
    bench_row points = {
        .scene = name, .subject = "points", .calls = QUERY_COUNT, .values = {{"triangles", s->triangle_count}}};
    bench_row segments = {
        .scene = name, .subject = "segments", .calls = QUERY_COUNT, .values = {{"triangles", s->triangle_count}}};
    return bench_measure(report, options, &build, run_build, s) &&
           bench_measure(report, options, &points, run_points, s) &&
           bench_measure(report, options, &segments, run_segments, s);
}

static int measure_size(bench_report *report, const bench_options *options, size_t size, scene *s)
{
    abut_error error = {.text = ""};
    abut_status (*const makers[])(int, abut_mesh **, abut_error *) = {
        [SPHERE] = make_sphere, [TORUS] = bench_make_torus, [SADDLE] = make_saddle};
    abut_status status = makers[sizes[size].kind](sizes[size].triangles, &s->mesh, &error);
    if (status == ABUT_OK) {
        status = abut_brep_create(NULL, s->mesh, NULL, &s->brep, &error);
    }
    if (status == ABUT_OK) {
        abut_brep_elements elements = abut_brep_get_elements(s->brep);
        s->triangle_count = abut_mesh_get_elements(s->mesh).triangle_count;
        s->entity_count = elements.vertex_count + elements.edge_count + elements.face_count;
        s->params = abut_brep_index_params_default();
        s->params.cuts = sizes[size].cuts;
        status = abut_brep_index_create(NULL, s->brep, &s->params, &s->index, &error);
    }
    int done = 0;
    if (status == ABUT_OK || status == ABUT_LIMIT) {
        done = measure_scene(report, options, sizes[size].name, s);
    } else {
        (void)bench_fail("%s", error.text);
    }
    abut_brep_index_destroy(s->index);
    abut_brep_destroy(s->brep);
    abut_mesh_destroy(s->mesh);
    s->index = NULL;
    s->brep = NULL;
    s->mesh = NULL;
    return done;
}

int bench_index(bench_report *report, const bench_options *options)
{
    scene *s = calloc(1, sizeof *s);
    int done = s != NULL;
    if (!done) {
        return bench_fail("out of memory");
    }
    make_points(s);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && done; ++i) {
        if (!sizes[i].is_large || options->is_large) {
            done = measure_size(report, options, i, s);
        }
    }
    free(s);
    return done;
}
