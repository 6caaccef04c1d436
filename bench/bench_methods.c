// SPDX-License-Identifier: MIT
// bench_methods.c: time of a query of every contact method, and how it grows with the meshes and with the contact
//
// Scenes: all pairs of the Pillar and of the Wall, at rest; and two blocks of 1,000 to 100,000 triangles, flat on one
// another at a corner. The blocks are two cells thick and cut into tetrahedra, and their cells have one size, so
// that "10 x 10" names the same contact, in area and in tessellation, whatever the size of the blocks. With 100,000
// triangles, 22 x 22 cells are 1 % of the surface. Times are for one query of one pair, on one thread; the blocks
// that touch in 1 % are measured with all threads too. The value call_mean_ns is the mean over the pairs of the
// least time of each. A method that cannot take the bodies of a scene has a note there and no row.
#include "contact_hash.h"
#include "groups.h"

#include <abut-lab/scene.h>
#include <abut/abut.h>
#include <stdlib.h>

/// Pairs of shapes that a method is asked about.
typedef struct stage {
    const char *name;
    abut_mesh *const *meshes;
    abut_shape **shapes; // one a mesh
    int mesh_count;
    abut_pair *pairs;
    int pair_count;
    abut_params params;
    abut_context context; // of the queries
    // of the running method
    const abut_method *method;
    abut_workspace *workspace;
    abut_result result;
    int calls; // queries of each pair in a repeat
} stage;

static int report_error(const char *text)
{
    (void)fprintf(stderr, "abut bench: %s\n", text);
    return 0;
}

static uint64_t run_queries(void *data)
{
    stage *s = data;
    uint64_t hash = 0;
    for (int i = 0; i < s->pair_count * s->calls; ++i) {
        abut_status status =
            abut_find_contacts(&s->pairs[i % s->pair_count], s->method, &s->params, s->workspace, &s->result);
        hash = bench_hash_contacts(bench_hash(hash, (uint64_t)status), &s->result.contacts);
    }
    return hash;
}

static void run_query(void *data, int i)
{
    stage *s = data;
    (void)abut_find_contacts(&s->pairs[i], s->method, &s->params, s->workspace, &s->result);
}

/// What the queries of all pairs find.
typedef struct summary {
    double contacts, candidates, tested;
} summary;

// Whether the method can take all pairs. Anything but a refusal is a failure, which is reported.
static int try_queries(stage *s, summary *found, int *is_refused)
{
    for (int i = 0; i < s->pair_count; ++i) {
        abut_status status = abut_find_contacts(&s->pairs[i], s->method, &s->params, s->workspace, &s->result);
        *is_refused = status == ABUT_UNSUPPORTED;
        if (status != ABUT_OK) {
            return *is_refused || report_error(s->result.error.text);
        }
        found->contacts += s->result.contacts.count;
        found->candidates += (double)s->result.stats.candidate_pairs;
        found->tested += (double)s->result.stats.tested_pairs;
    }
    return 1;
}

static int prepare(stage *s, int *is_refused)
{
    for (int i = 0; i < s->mesh_count; ++i) {
        abut_status status = abut_shape_prepare(s->shapes[i], s->method, &s->params, &s->result.error);
        *is_refused = status == ABUT_UNSUPPORTED;
        if (status != ABUT_OK) {
            return *is_refused || report_error(s->result.error.text);
        }
    }
    return 1;
}

static int measure_queries(bench_report *report, const bench_options *options, stage *s, const summary *found)
{
    // repeats that are short, so that some of them are undisturbed on a busy machine, and not too short for the clock
    s->calls = s->pair_count == 1 && found->candidates < 2000.0 ? 10 : 1;
    double count = s->pair_count;
    bench_spread spread;
    bench_row row = {.scene = s->name,
                     .subject = s->method->name,
                     .threads = s->context.worker_count,
                     .calls = (int64_t)s->pair_count * s->calls,
                     .values = {{"pairs", count},
                                {"contacts", found->contacts / count},
                                {"candidates", found->candidates / count},
                                {"tested", found->tested / count}}};
    if (!bench_measure_calls(options, s->pair_count, run_query, s, &spread)) {
        return 0;
    }
    row.values[4] = (bench_value){"call_mean_ns", spread.mean_ns};
    return bench_measure(report, options, &row, run_queries, s);
}

static int measure_method(bench_report *report, const bench_options *options, stage *s)
{
    int is_refused = 0;
    summary found = {0};
    s->calls = 1;
    int done = prepare(s, &is_refused);
    if (done && !is_refused) {
        done = try_queries(s, &found, &is_refused);
    }
    if (done && is_refused) {
        bench_note(report, "%s: %s", s->name, s->result.error.text);
        return 1;
    }
    return done && measure_queries(report, options, s, &found);
}

static int measure_stage(bench_report *report, const bench_options *options, stage *s)
{
    int count, done = 1;
    const abut_method *const *methods = abut_methods(&count);
    s->result = abut_result_default();
    if (abut_workspace_create(&s->context, &s->workspace) != ABUT_OK) {
        return report_error("out of memory");
    }
    for (int i = 0; i < count && done; ++i) {
        s->method = methods[i];
        done = measure_method(report, options, s);
    }
    abut_workspace_destroy(s->workspace);
    return done;
}

static int make_shapes(stage *s)
{
    s->shapes = calloc((size_t)s->mesh_count, sizeof(abut_shape *));
    int done = s->shapes != NULL ? 1 : report_error("out of memory");
    for (int i = 0; i < s->mesh_count && done; ++i) {
        abut_error error;
        abut_shape_def def = abut_shape_def_default();
        def.mesh = s->meshes[i];
        done = abut_shape_create(NULL, &def, &s->shapes[i], &error) == ABUT_OK || report_error(error.text);
    }
    return done;
}

static void destroy_shapes(stage *s)
{
    for (int i = 0; i < s->mesh_count && s->shapes != NULL; ++i) {
        abut_shape_destroy(s->shapes[i]);
    }
    free(s->shapes);
}

// ---- Pillar and Wall

static int measure_scene(bench_report *report, const bench_options *options, const char *name)
{
    abut_error error;
    abut_scene *scene = NULL;
    if (abut_scene_create(NULL, name, NULL, &scene, &error) != ABUT_OK) {
        return report_error(error.text);
    }
    stage s = {.name = name,
               .meshes = scene->meshes,
               .mesh_count = scene->mesh_count,
               .pair_count = abut_scene_find_pairs(scene, NULL, 0),
               .params = abut_params_default(),
               .context = bench_context(0)};
    abut_scene_pair *bodies = malloc((size_t)s.pair_count * sizeof *bodies);
    s.pairs = malloc((size_t)s.pair_count * sizeof *s.pairs);
    int done = bodies != NULL && s.pairs != NULL ? make_shapes(&s) : report_error("out of memory");
    if (done) {
        (void)abut_scene_find_pairs(scene, bodies, s.pair_count);
        for (int i = 0; i < s.pair_count; ++i) {
            s.pairs[i] = abut_scene_get_pair(scene, bodies[i], s.shapes[scene->bodies[bodies[i].a].mesh],
                                             s.shapes[scene->bodies[bodies[i].b].mesh]);
        }
        done = measure_stage(report, options, &s);
    }
    destroy_shapes(&s);
    free(s.pairs);
    free(bodies);
    abut_scene_destroy(scene);
    return done;
}

// ---- blocks

// n x n x 2 cells of side 1 from the origin on, each cut into six tetrahedra around its diagonal.
static int make_block(int n, abut_mesh **mesh)
{
    static const int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}}; // from corner 0 to corner 7
    size_t layer = (size_t)(n + 1) * (size_t)(n + 1), tet_count = 0;
    abut_vec3 *vertices = malloc(3 * layer * sizeof *vertices);
    int *tets = malloc(2 * 24 * layer * sizeof *tets);
    int done = vertices != NULL && tets != NULL ? 1 : report_error("out of memory");
    for (int i = 0; done && i < 3 * (int)layer; ++i) {
        int x = i % (n + 1), y = i / (n + 1) % (n + 1), z = i / (int)layer;
        vertices[i] = abut_vec3_make(x, y, z);
        for (int t = 0; t < 6 && x < n && y < n && z < 2; ++t) {
            const int corners[4] = {0, paths[t][0], paths[t][1], 7};
            for (int k = 0; k < 4; ++k) {
                int c = corners[k];
                tets[4 * tet_count + (size_t)k] = i + (c & 1) + (n + 1) * (c >> 1 & 1) + (int)layer * (c >> 2);
            }
            ++tet_count;
        }
    }
    if (done) {
        abut_error error;
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 3 * (int)layer;
        def.tets = tets;
        def.tet_count = (int)tet_count;
        done = abut_mesh_create(NULL, &def, mesh, &error) == ABUT_OK || report_error(error.text);
    }
    free(tets);
    free(vertices);
    return done;
}

/// A contact of two blocks.
typedef struct block_contact {
    const char *name;
    int cells; // along each side of the contact
    int has_threads;
} block_contact;

// The upper block's corner is `cells` from the lower one's opposite corner, and the upper block turned a little, so
// that no edges are parallel.
static int measure_blocks(bench_report *report, const bench_options *options, int n, const block_contact *contacts,
                          int count)
{
    abut_mesh *mesh = NULL;
    stage s = {.meshes = &mesh, .mesh_count = 1, .pair_count = 1, .params = abut_params_default()};
    abut_pair pair;
    s.pairs = &pair;
    s.params.tolerance = abut_absolute(1e-6); // whatever the size
    int done = make_block(n, &mesh) && make_shapes(&s);
    for (int i = 0; i < count && done; ++i) {
        s.name = contacts[i].name;
        s.context = bench_context(contacts[i].has_threads);
        pair = abut_pair_default(s.shapes[0], s.shapes[0]);
        pair.b.pose.position = abut_vec3_make(n - contacts[i].cells, n - contacts[i].cells, 2.0);
        pair.b.pose.rotation = abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), 0.01);
        done = measure_stage(report, options, &s);
    }
    destroy_shapes(&s);
    abut_mesh_destroy(mesh);
    return done;
}

int bench_methods(bench_report *report, const bench_options *options)
{
    static const block_contact small[] = {{"block 1k, 10 x 10", 10, 0}}, middle[] = {{"block 10k, 10 x 10", 10, 0}},
                               large[] = {{"block 100k, 10 x 10", 10, 0},
                                          {"block 100k, 5 x 5", 5, 0},
                                          {"block 100k, 22 x 22", 22, 0},
                                          {"block 100k, 44 x 44", 44, 0},
                                          {"block 100k, 22 x 22", 22, 1}};
    return measure_scene(report, options, "pillar") && measure_scene(report, options, "wall") &&
           measure_blocks(report, options, 14, small, 1) && measure_blocks(report, options, 48, middle, 1) &&
           (!options->is_large ||
            measure_blocks(report, options, 156, large, (int)(sizeof large / sizeof large[0])));
}
