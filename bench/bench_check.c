// SPDX-License-Identifier: MIT
// bench_check.c: time of mesh check and repair, and how it grows with the mesh
//
// Scenes: tori of 10,000 and 100,000 triangles, and with --large 1,000,000. sound: as made; sick: of every 100
// triangles, one is reversed, one has its own copy of a vertex, and one is missing; soup: every triangle has its
// own vertices. Times are per triangle.
#include "groups.h"

#include "torus.h"

#include <abut/check.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int triangles; // about as many
    int is_large;
} sizes[] = {{"torus 10k", 10000, 0}, {"torus 100k", 100000, 0}, {"torus 1m", 1000000, 1}};

typedef enum condition { SOUND, SICK, SOUP } condition;

typedef struct scene {
    abut_vec3 *vertices;
    int vertex_count;
    int *triangles;
    int triangle_count;
} scene;

static abut_mesh_def def_of(const scene *s)
{
    return bench_triangle_def(s->vertices, s->vertex_count, s->triangles, s->triangle_count);
}

static uint64_t run_check(void *data)
{
    abut_mesh_def def = def_of(data);
    abut_check *check = NULL;
    if (abut_check_create(NULL, &def, NULL, &check, NULL) != ABUT_OK) {
        return 0;
    }
    abut_check_report report = abut_check_get_report(check);
    uint64_t hash = (uint64_t)report.verdict + 1;
    for (int i = 0; i < report.finding_count; ++i) {
        hash = bench_hash(bench_hash(hash, (uint64_t)report.findings[i].kind), (uint64_t)report.findings[i].count);
    }
    abut_check_destroy(check);
    return hash;
}

static uint64_t run_repair(void *data)
{
    abut_mesh_def def = def_of(data);
    abut_remade remade = {0};
    if (abut_repair(NULL, &def, NULL, &remade, NULL) != ABUT_OK) {
        return 0;
    }
    uint64_t hash = abut_mesh_hash(remade.mesh);
    abut_remade_release(NULL, &remade);
    return hash;
}

static void make_sick(scene *s)
{
    int kept = 0;
    for (int i = 0; i < s->triangle_count; ++i) {
        int *t = s->triangles + 3 * (size_t)kept;
        memmove(t, s->triangles + 3 * (size_t)i, 3 * sizeof *t);
        if (i % 100 == 10) {
            int second = t[1];
            t[1] = t[2];
            t[2] = second;
        } else if (i % 100 == 40) {
            s->vertices[s->vertex_count] = s->vertices[t[0]];
            t[0] = s->vertex_count++;
        }
        kept += i % 100 != 70;
    }
    s->triangle_count = kept;
}

static void make_soup(scene *s, const abut_vec3 *vertices)
{
    for (int i = 0; i < 3 * s->triangle_count; ++i) {
        s->vertices[i] = vertices[s->triangles[i]];
        s->triangles[i] = i;
    }
    s->vertex_count = 3 * s->triangle_count;
}

// Copies the mesh, with room for a vertex at every corner, and damages it.
static int make_scene(scene *s, const abut_mesh *mesh, condition how)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    size_t corner_count = 3 * (size_t)elements.triangle_count;
    s->vertices = malloc(corner_count * sizeof *s->vertices);
    s->triangles = malloc(corner_count * sizeof *s->triangles);
    if (s->vertices == NULL || s->triangles == NULL) {
        return 0;
    }
    s->vertex_count = elements.vertex_count;
    s->triangle_count = elements.triangle_count;
    memcpy(s->vertices, elements.vertices, (size_t)elements.vertex_count * sizeof *s->vertices);
    memcpy(s->triangles, elements.triangles, corner_count * sizeof *s->triangles);
    if (how == SICK) {
        make_sick(s);
    } else if (how == SOUP) {
        make_soup(s, elements.vertices);
    }
    return 1;
}

static int measure_condition(bench_report *report, const bench_options *options, const char *name,
                             const abut_mesh *mesh, condition how)
{
    static const char *const checks[] = {"check, sound", "check, sick", "check, soup"};
    static const char *const repairs[] = {"repair, sound", "repair, sick", "repair, soup"};
    scene s = {0};
    int done = make_scene(&s, mesh, how);
    if (done) {
        bench_row row = {.scene = name,
                         .subject = checks[how],
                         .calls = s.triangle_count,
                         .values = {{"triangles", s.triangle_count}}};
        done = bench_measure(report, options, &row, run_check, &s);
        row.subject = repairs[how];
        done = done && bench_measure(report, options, &row, run_repair, &s);
    } else {
        (void)bench_fail("out of memory");
    }
    free(s.vertices);
    free(s.triangles);
    return done;
}

int bench_check(bench_report *report, const bench_options *options)
{
    int done = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && done; ++i) {
        if (sizes[i].is_large && !options->is_large) {
            continue;
        }
        abut_mesh *mesh = NULL;
        abut_error error = {.text = ""};
        if (bench_make_torus(sizes[i].triangles, &mesh, &error) != ABUT_OK) {
            return bench_fail("%s", error.text);
        }
        for (condition how = SOUND; how <= SOUP && done; ++how) {
            done = measure_condition(report, options, sizes[i].name, mesh, how);
        }
        abut_mesh_destroy(mesh);
    }
    return done;
}
