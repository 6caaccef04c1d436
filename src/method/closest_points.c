// SPDX-License-Identifier: MIT
// closest_points.c: contacts of features whose closest points are near each other, on eroded bodies
//
// Both surfaces are eroded by epsilon. Bodies that touch are then 2 epsilon apart, so the closest points of two
// features have a separation vector, which gives the normal. Pairs of features within 2 epsilon are contacts
// (closest_text.c). With nearest=yes only features that are nearest to each other count, and contacts lie on the original
// surfaces (closest_nearest.c).
//
// Source:  Erleben 2018, section 6 ("Closest points method"); erosion by sections 6 and 8.3. nearest=yes is ours.
// Differs: epsilon may differ between the bodies: "2 epsilon" is the sum. The tolerance is added to it. The depth is the
//          length of the separation less 2 epsilon. Features of parallel edges are their ends.
// Cost:    linear in the pairs of triangles within 2 epsilon; no allocation in a repeated query. Eroding is linear
//          in the mesh.
// Fails:   if corners or edges meet, the separation vector lies between the right normals (cases spikes, wedges). Bodies
//          that sink into their envelopes have tilted normals between features that are not above each other, unless
//          nearest=yes. Bodies that overlap by more than 2 epsilon are not found, or from one side only (option
//          penetration).
#include "method/closest_points.h"

#include "base/error.h"
#include "method/methods.h"
#include "method/program_query.h"

enum {
    OPTION_EPSILON,
    OPTION_EROSION,
    OPTION_READING,
    OPTION_PRECISION,
    OPTION_NEAREST,
    OPTION_PENETRATION,
    OPTION_COUNT
};
enum { READING_TEXT = 0, READING_PROGRAM = 1 };

static const double default_epsilon = 1e-3; ///< of the bounding diagonal

static const char *const erosion_choices[] = {"mitred", "vertex-normal", "scale", "program", "none", NULL};

static const abut_option_info options[OPTION_COUNT] = {
    [OPTION_EPSILON] = {.name = "epsilon",
                        .help = "erosion distance; 0: 0.001 of the shape's bounding diagonal",
                        .lower = 0.0,
                        .upper = 1e60},
    [OPTION_EROSION] = {.name = "erosion",
                        .help =
                            "mitred: faces recede by epsilon; vertex-normal: vertices move by epsilon; scale: the "
                            "body shrinks to 0.99; program: vertex-normal for convex hulls, else scale; none: the "
                            "meshes are eroded already",
                        .choices = erosion_choices,
                        .value = ABUT_EROSION_MITRED},
    [OPTION_READING] =
        {.name = "reading",
         .help = "text: as the paper says; program: as the author's program does, which needs tetrahedra",
         .choices = abut_reading_choices,
         .value = READING_TEXT},
    [OPTION_PRECISION] = ABUT_PRECISION_OPTION,
    [OPTION_NEAREST] = {.name = "nearest",
                        .help =
                            "yes: features count only if they are nearest to each other, and contacts lie on the "
                            "original surfaces; no: as the paper says",
                        .choices = abut_no_yes_choices,
                        .value = 0,
                        .is_of_query = 1},
    [OPTION_PENETRATION] = {.name = "penetration",
                            .help = "yes: also find contacts deeper than 2 epsilon (nearest=yes only)",
                            .choices = abut_no_yes_choices,
                            .value = 0,
                            .is_of_query = 1},
};

// ---- the method

static abut_status prepare_closest(const abut_shape *shape, const abut_params *params, const abut_context *context,
                                   void **data, abut_error *error)
{
    const abut_method *method = &abut_method_closest_points;
    const abut_mesh *mesh = abut_shape_mesh(shape);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    int is_program = (int)abut_params_option(params, method, OPTION_READING) == READING_PROGRAM;
    if (is_program && elements.tet_count == 0) {
        return abut_fail(
            error, ABUT_UNSUPPORTED,
            "method closest-points with reading=program needs tetrahedra, but the mesh has none: make them "
            "with 'abut mesh tetrahedralize', or take reading=text");
    }
    double epsilon = abut_params_option(params, method, OPTION_EPSILON);
    double diagonal = abut_box_diagonal(elements.bounds);
    if (epsilon > diagonal) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "epsilon %g is larger than the bounding diagonal of the mesh, %g: take a smaller one",
                         epsilon, diagonal);
    }
    epsilon = epsilon == 0.0 ? default_epsilon * diagonal : epsilon;
    abut_erosion *erosion = NULL;
    abut_status status =
        abut_erosion_create(context, mesh, (abut_erosion_kind)abut_params_option(params, method, OPTION_EROSION),
                            epsilon, is_program ? ABUT_ELEMENT_TET : ABUT_ELEMENT_TRIANGLE, &erosion, error);
    *data = erosion;
    return status;
}

static void release_closest(void *data, const abut_context *context)
{
    abut_erosion_destroy(data, context);
}

static abut_status query_closest(const abut_query *query, abut_sink *sink)
{
    if (query->pair->a.instance != NULL || query->pair->b.instance != NULL) {
        return abut_sink_fail(
            sink, ABUT_UNSUPPORTED,
            "method closest-points does not support soft bodies: it erodes shapes when they are prepared");
    }
    abut_local local;
    abut_closest c = {.tolerance = query->tolerance,
                      .reach = fmax(query->tolerance, query->envelope),
                      .zero = fmax(1e-3 * query->tolerance, 1e-13 * query->size),
                      .slack = sin(query->angle),
                      .is_deep = abut_query_option(query, options[OPTION_PENETRATION].name) != 0.0};
    abut_status status = abut_local_begin(&local, query, &c, sink);
    if (status != ABUT_OK) {
        return status;
    }
    for (int i = 0; i < 2; ++i) {
        c.erosions[i] = abut_query_data(query, i == 0 ? query->pair->a.shape : query->pair->b.shape);
        c.eroded[i] = i == 0 ? local.a : local.b;
        c.eroded[i].vertices = c.erosions[i]->vertices;
        c.threshold += c.erosions[i]->epsilon;
        c.most_gap += c.erosions[i]->overreach;
        c.farthest += c.erosions[i]->farthest;
        abut_sink_stats(sink)->caps += c.erosions[i]->cap_count;
        abut_sink_stats(sink)->data_bytes += (int64_t)abut_erosion_bytes(c.erosions[i]);
    }
    c.farthest += c.reach;
    c.most_gap += c.reach;
    abut_program_task program = {.test = ABUT_PROGRAM_CLOSEST_POINTS,
                                 .threshold = c.threshold,
                                 .vertices = {c.erosions[0]->vertices, c.erosions[1]->vertices},
                                 .trees = {c.erosions[0]->tree, c.erosions[1]->tree}};
    int is_nearest = abut_query_option(query, options[OPTION_NEAREST].name) != 0.0;
    if (is_nearest && abut_query_option(query, options[OPTION_READING].name) == READING_PROGRAM) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED,
                              "nearest=yes is not a part of reading=program: leave one out");
    }
    if (abut_program_answers(query, &program, sink, &status)) {
        return status;
    }
    if (c.is_deep && !is_nearest) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED, "penetration=yes is a part of nearest=yes: add that");
    }
    abut_local_task task = {.kind_a = ABUT_ELEMENT_TRIANGLE,
                            .kind_b = ABUT_ELEMENT_TRIANGLE,
                            .tree_a = c.erosions[0]->tree,
                            .tree_b = c.erosions[1]->tree,
                            .margin = is_nearest ? c.farthest : c.threshold + c.reach,
                            .contact_limit = ABUT_CLOSEST_LIMIT,
                            .function = is_nearest ? abut_closest_by_nearest : abut_closest_by_text};
    return abut_local_run(&local, &task, sink);
}

const abut_method abut_method_closest_points = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "closest-points",
    .summary = "closest points of features within 2 epsilon of each other, on surfaces eroded by epsilon",
    .source = "Erleben 2018, section 6",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_CLOSEST_POINTS,
                 .traits = {2, 2, 2, 2}},
    .needs = ABUT_NEEDS_TRIANGLES,
    .options = options,
    .option_count = OPTION_COUNT,
    .prepare = prepare_closest,
    .release = release_closest,
    .query = query_closest,
};
