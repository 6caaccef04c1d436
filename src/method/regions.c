// SPDX-License-Identifier: MIT
// regions.c: contacts from the regions in which two polyhedra touch
//
// The whole neighbourhood decides, not a pair of triangles: coplanar triangles are one face, and two solids touch in
// a set of polygons, segments and points. Regions that follow from others are left out. The corners of the rest are
// the contacts, and their normals bound the motions that keep the solids apart.
//
// Source:  Bouma and Vanecek 1993, sections 3 and 4.3; Erleben 2018, section 4 (contacts are the corners of regions).
// Differs: regions are left out by the feasible motions themselves, not by half-spaces that approximate the solids
//          (src/region/contact_regions.c); touching pairs come from box hierarchies. Solids that overlap by more
//          than the tolerance are moved back along their motion to where they touch. If that does not separate
//          them, the tolerance is widened step by step to at most a thousandth of the size. If that does not, they
//          are separated by the least translation that is found (regions_overlap.c). All count as fallbacks.
//          With a memory, bodies that have moved less than a thousandth of the tolerance reuse the last answer, if
//          it followed from their relative pose alone. Convex solids are tested only near two supporting planes.
// Cost:    n log n in the corners, edges and small faces of the B-reps near the contact; how finely large faces are
//          cut hardly matters. No allocation.
// Fails:   with a status, on meshes that are not closed.
#include "base/context.h"
#include "base/error.h"
#include "method/methods.h"
#include "method/pair.h"
#include "method/regions_analysis.h"
#include "method/shared_options.h"

static void release_regions(void *data, const abut_context *context)
{
    abut_regions_data *made = data;
    abut_context kept = abut_context_or_default(context);
    abut_convex_solid_destroy(made->solid);
    abut_region_model_destroy(made->model);
    abut_free(&kept, made);
}

static abut_status prepare_regions(const abut_shape *shape, const abut_params *params, const abut_context *context,
                                   void **data, abut_error *error)
{
    (void)params;
    abut_context kept = abut_context_or_default(context);
    abut_regions_data *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to prepare a shape for contact regions");
    }
    abut_status status =
        abut_region_model_create(context, abut_shape_mesh(shape), abut_shape_brep(shape), &made->model, error);
    if (status == ABUT_OK) {
        status = abut_convex_solid_create(context, made->model, &made->solid, error);
    }
    if (status != ABUT_OK) {
        release_regions(made, &kept);
        return status;
    }
    *data = made;
    return ABUT_OK;
}

/// Whether an option has its second choice. The first is the default of all of them.
static int is_chosen(const abut_query *query, const char *option)
{
    return query->params->option_count > 0 && abut_query_option(query, option) == 1.0;
}

/// Reads the shapes, the pose and the options.
static abut_status begin(abut_regions_analysis *a, const abut_regions_state *state)
{
    const abut_query *query = a->query;
    const abut_side *sides[2] = {&query->pair->a, &query->pair->b};
    const abut_regions_data *data[2];
    for (int i = 0; i < 2; ++i) {
        data[i] = abut_query_data(query, sides[i]->shape);
        a->sides[i].model = data[i]->model;
        a->sides[i].tree = abut_side_tree(sides[i], ABUT_ELEMENT_TRIANGLE);
        a->sides[i].turn = abut_quat_identity();
        a->sides[i].rotation = abut_mat3_identity();
    }
    abut_regions_place(a, query->b_to_a);
    double resting = query->pair->dt > 0.0 ? query->tolerance / query->pair->dt : HUGE_VAL;
    a->points_span = is_chosen(query, "points");
    a->receding = is_chosen(query, "culling") ? resting : HUGE_VAL;
    a->hints.is_spanning = is_chosen(query, "normals");
    a->hints.least_speed = resting;
    a->hints.deepest = a->hints.level = HUGE_VAL;
    return abut_regions_watch(a, data, state != NULL ? &state->recall : NULL);
}

/// Reads the motion.
static void begin_motion(abut_regions_analysis *a)
{
    const abut_pair *pair = a->query->pair;
    a->to_world[0] = abut_quat_matrix(pair->a.pose.rotation);
    a->to_world[1] = abut_quat_matrix(pair->b.pose.rotation);
    abut_relative_motion motion = abut_pair_relative_motion(&pair->a, &pair->b);
    a->hints.linear = motion.linear;
    a->hints.angular = motion.angular;
}

/// Finds the regions and tells what became of those of the last step.
static abut_status find_regions(abut_regions_analysis *a, const abut_regions_state *state)
{
    abut_status status = abut_regions_read_past(a, state);
    if (status == ABUT_OK) {
        status = abut_regions_find_touching(a);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_stats *stats = abut_sink_stats(a->sink);
    stats->arbitrary_normals += a->set.ambiguous;
    stats->caps += a->set.capped;
    stats->repairs += a->set.open_outlines;
    return abut_regions_identify(a) ? ABUT_OK
                                    : abut_sink_fail(a->sink, ABUT_NO_MEMORY, "no memory for the contact regions");
}

static abut_status query_regions(const abut_query *query, abut_sink *sink)
{
    const abut_pair *pair = query->pair;
    if (query->is_self || pair->a.instance != NULL || pair->b.instance != NULL) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED,
                              "method regions supports neither soft bodies nor self-contact");
    }
    if (abut_shape_dilation(pair->a.shape) != 0.0 || abut_shape_offset(pair->a.shape) != 0.0 ||
        abut_shape_dilation(pair->b.shape) != 0.0 || abut_shape_offset(pair->b.shape) != 0.0) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED, "method regions supports neither dilation nor offset");
    }
    size_t size;
    const abut_regions_state *state = abut_query_memory(query, &size);
    abut_regions_analysis a = {.query = query, .sink = sink};
    if (begin(&a, state) != ABUT_OK) {
        return abut_sink_fail(sink, ABUT_NO_MEMORY, "no memory for the contact regions");
    }
    if (!abut_regions_stay_apart(&a, state)) {
        begin_motion(&a);
        if (abut_regions_recall(&a, state, size)) {
            abut_regions_deliver(&a);
            return ABUT_OK;
        }
        abut_status status = find_regions(&a, state);
        if (status != ABUT_OK) {
            return status;
        }
        abut_regions_deliver(&a);
    }
    abut_regions_remember(&a);
    return ABUT_OK;
}

static const char *const culling_choices[] = {"off", "on", NULL};
static const char *const overlap_choices[] = {"separate", "refuse", NULL};
static const abut_option_info options[] = {
    ABUT_OPTION_NORMALS,
    ABUT_OPTION_POINTS,
    {.name = "culling",
     .help = "on: leave out faces that recede from the other body by more than the tolerance per step",
     .choices = culling_choices,
     .is_of_query = 1},
    {.name = "overlap",
     .help = "of more than a thousandth of the size. separate: contacts are those of the least translation that "
             "separates the bodies; refuse: the query fails",
     .choices = overlap_choices,
     .is_of_query = 1},
};

const abut_method abut_method_regions = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "regions",
    .summary = "corners of the polygons, segments and points in which two solids touch",
    .source = "Bouma and Vanecek 1993, section 3",
    .taxonomy = {.locality = ABUT_SEMI_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_REGIONS,
                 .traits = {2, 1, 1, 1},
                 .is_ours = 1},
    .needs =
        ABUT_NEEDS_CLOSED | ABUT_NEEDS_TRIANGLE_TREE | ABUT_NEEDS_BREP | ABUT_NEEDS_VELOCITY | ABUT_NEEDS_MEMORY,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .prepare = prepare_regions,
    .release = release_regions,
    .query = query_regions,
};
