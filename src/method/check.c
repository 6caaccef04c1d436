// SPDX-License-Identifier: MIT
// check.c: checking what a method found, be it ours or of a plug-in
#include "base/error.h"
#include "method/finish.h"

typedef struct mesh_sizes {
    int counts[5]; ///< by abut_feature_kind
    int vertex_count;
} mesh_sizes;

static mesh_sizes sizes_of(const abut_side *side)
{
    const abut_mesh *mesh = abut_side_mesh(side);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    mesh_sizes sizes = {.vertex_count = elements.vertex_count};
    sizes.counts[ABUT_FEATURE_VERTEX] = elements.vertex_count;
    sizes.counts[ABUT_FEATURE_EDGE] = abut_mesh_get_topology(mesh).edge_count;
    sizes.counts[ABUT_FEATURE_FACE] = elements.face_count;
    sizes.counts[ABUT_FEATURE_TET] = elements.tet_count;
    return sizes;
}

static int feature_exists(const abut_feature *feature, const mesh_sizes *sizes)
{
    if (feature->kind == ABUT_FEATURE_NONE) {
        return 1;
    }
    return (unsigned)feature->kind <= ABUT_FEATURE_TET && feature->index >= 0 &&
           feature->index < sizes->counts[feature->kind];
}

static int anchor_is_sane(const abut_anchor *anchor, const mesh_sizes *sizes)
{
    double sum = 0.0;
    int used = 0;
    for (int i = 0; i < 4; ++i) {
        if (anchor->vertices[i] >= 0) {
            if (anchor->vertices[i] >= sizes->vertex_count || !isfinite(anchor->weights[i])) {
                return 0;
            }
            sum += anchor->weights[i];
            ++used;
        }
    }
    return used == 0 || fabs(sum - 1.0) <= 1e-6;
}

/// What is wrong with a contact, or NULL.
static const char *contact_fault(const abut_contact *c, const mesh_sizes *a, const mesh_sizes *b, int region_count)
{
    if (!abut_is_finite(c->position_a) || !abut_is_finite(c->position_b)) {
        return "a position that is not finite";
    }
    if (!(fabs(abut_norm_squared(c->normal) - 1.0) <= 1e-6)) {
        return "a normal that is not a unit vector";
    }
    if (!feature_exists(&c->feature_a, a) || !feature_exists(&c->feature_b, b)) {
        return "a feature that does not exist";
    }
    if ((unsigned)c->normal_side > ABUT_NORMAL_B ||
        (c->normal_side == ABUT_NORMAL_A && !feature_exists(&c->normal_feature, a)) ||
        (c->normal_side == ABUT_NORMAL_B && !feature_exists(&c->normal_feature, b))) {
        return "a normal feature that does not exist";
    }
    if (!anchor_is_sane(&c->anchor_a, a) || !anchor_is_sane(&c->anchor_b, b)) {
        return "weights that do not add up to one on vertices of the mesh";
    }
    if (!(c->time >= 0.0 && c->time <= 1.0)) {
        return "a time outside the step";
    }
    if (c->region < -1 || c->region >= region_count) {
        return "a region that does not exist";
    }
    if ((unsigned)c->rule > ABUT_RULE_NONE) {
        return "an unknown rule";
    }
    return NULL;
}

static int range_exists(int begin, int count, const abut_list *list)
{
    return begin >= 0 && count >= 0 && begin <= list->count && count <= list->count - begin;
}

static int regions_are_sane(const abut_sink *sink, const mesh_sizes *a, const mesh_sizes *b)
{
    const abut_region *regions = sink->regions.items;
    for (int i = 0; i < sink->regions.count; ++i) {
        const abut_region *r = &regions[i];
        if (!range_exists(r->loop_begin, r->loop_count, &sink->loops) ||
            !range_exists(r->normal_begin, r->normal_count, &sink->directions) ||
            !range_exists(r->cone_begin, r->cone_count, &sink->cones) || !feature_exists(&r->feature_a, a) ||
            !feature_exists(&r->feature_b, b) || (unsigned)r->kind > ABUT_REGION_POLYGON || !isfinite(r->measure)) {
            return 0;
        }
    }
    const abut_region_loop *loops = sink->loops.items;
    for (int i = 0; i < sink->loops.count; ++i) {
        if (!range_exists(loops[i].point_begin, loops[i].point_count, &sink->points)) {
            return 0;
        }
    }
    const abut_region_cone *cones = sink->cones.items;
    for (int i = 0; i < sink->cones.count; ++i) {
        if (!range_exists(cones[i].direction_begin, cones[i].direction_count, &sink->directions)) {
            return 0;
        }
    }
    return 1;
}

abut_status abut_sink_check(abut_sink *sink)
{
    mesh_sizes a = sizes_of(&sink->query->pair->a), b = sizes_of(&sink->query->pair->b);
    const char *name = sink->query->method->name;
    const abut_draft *drafts = sink->drafts.items;
    for (int i = 0; i < sink->drafts.count; ++i) {
        const char *fault = contact_fault(&drafts[i].contact, &a, &b, sink->regions.count);
        if (fault != NULL) {
            return abut_fail_element(&sink->error, ABUT_METHOD_FAULT, i, "method %s: contact %d has %s", name, i,
                                     fault);
        }
    }
    if (!regions_are_sane(sink, &a, &b)) {
        return abut_fail(&sink->error, ABUT_METHOD_FAULT,
                         "method %s: a region refers to something that is not there", name);
    }
    return ABUT_OK;
}
