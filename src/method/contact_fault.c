// SPDX-License-Identifier: MIT
// contact_fault.c: checks of a method's output, the library's own methods and plug-ins alike
#include "base/error.h"
#include "method/finish.h"

typedef struct mesh_sizes {
    int counts[5]; ///< by abut_feature_kind
    int vertex_count;
    const int *edge_vertices;
} mesh_sizes;

static mesh_sizes sizes_of(const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    mesh_sizes sizes = {.vertex_count = elements.vertex_count};
    sizes.counts[ABUT_FEATURE_VERTEX] = elements.vertex_count;
    sizes.counts[ABUT_FEATURE_EDGE] = topology.edge_count;
    sizes.counts[ABUT_FEATURE_FACE] = elements.face_count;
    sizes.counts[ABUT_FEATURE_TET] = elements.tet_count;
    sizes.edge_vertices = topology.edge_vertices;
    return sizes;
}

static int feature_exists(const abut_feature *feature, const mesh_sizes *sizes)
{
    if (feature->kind == ABUT_FEATURE_NONE) {
        return 1;
    }
    if ((unsigned)feature->kind > ABUT_FEATURE_TET || feature->index < 0 ||
        feature->index >= sizes->counts[feature->kind]) {
        return 0;
    }
    return feature->kind != ABUT_FEATURE_EDGE ||
           (feature->vertices[0] == sizes->edge_vertices[2 * feature->index] &&
            feature->vertices[1] == sizes->edge_vertices[2 * feature->index + 1]);
}

static int normal_feature_exists(const abut_contact *c, const mesh_sizes *a, const mesh_sizes *b)
{
    switch (c->normal_side) {
    case ABUT_NORMAL_BOTH: return c->normal_feature.kind == ABUT_FEATURE_NONE;
    case ABUT_NORMAL_A: return feature_exists(&c->normal_feature, a);
    case ABUT_NORMAL_B: return feature_exists(&c->normal_feature, b);
    }
    return 0;
}

/// 0 if all components are finite, else NaN: without a branch for each.
static double nothing_of(abut_vec3 v)
{
    return 0.0 * v.x + 0.0 * v.y + 0.0 * v.z;
}

static int anchor_is_sane(const abut_anchor *anchor, const mesh_sizes *sizes)
{
    double sum = 0.0, nothing = 0.0;
    int used = 0, beyond = 0;
    for (int i = 0; i < 4; ++i) {
        beyond |= anchor->vertices[i] >= sizes->vertex_count;
        nothing += 0.0 * anchor->weights[i];
        sum += anchor->vertices[i] >= 0 ? anchor->weights[i] : 0.0;
        used |= anchor->vertices[i] >= 0;
    }
    return !beyond && nothing == 0.0 && (!used || fabs(sum - 1.0) <= 1e-6);
}

static const char *fault_of(const abut_contact *c, const mesh_sizes *a, const mesh_sizes *b)
{
    if (nothing_of(c->position_a) + nothing_of(c->position_b) + nothing_of(c->position) != 0.0) {
        return "a position that is not finite";
    }
    if (!(fabs(abut_norm_squared(c->normal) - 1.0) <= 1e-6)) {
        return "a normal that is not a unit vector";
    }
    if (!isfinite(c->gap) || !isfinite(c->normal_speed)) {
        return "a gap or speed that is not finite";
    }
    if (!feature_exists(&c->feature_a, a) || !feature_exists(&c->feature_b, b)) {
        return "a feature that does not exist";
    }
    if (!normal_feature_exists(c, a, b)) {
        return "a normal feature that does not exist";
    }
    if (!anchor_is_sane(&c->anchor_a, a) || !anchor_is_sane(&c->anchor_b, b)) {
        return "weights that do not add up to one on vertices of the mesh";
    }
    if (!(c->time >= 0.0 && c->time <= 1.0)) {
        return "a time outside the step";
    }
    if ((unsigned)c->rule > ABUT_RULE_ORIENTATION || (c->flags & ~(uint32_t)ABUT_CONTACT_ARBITRARY_SIGN) != 0) {
        return "an unknown rule or flag";
    }
    return c->region < -1 ? "a region that does not exist" : NULL;
}

const char *abut_contact_fault(const abut_contact *contact, const abut_mesh *a, const abut_mesh *b)
{
    mesh_sizes sizes_a = sizes_of(a), sizes_b = sizes_of(b);
    return fault_of(contact, &sizes_a, &sizes_b);
}

static const char *fault_of_region(const abut_region *region, const mesh_sizes *a, const mesh_sizes *b)
{
    if ((unsigned)region->kind > ABUT_REGION_POLYGON || (unsigned)region->rule > ABUT_RULE_ORIENTATION ||
        (unsigned)region->life > ABUT_LIFE_COLLISION) {
        return "an unknown kind, rule or life";
    }
    if (!feature_exists(&region->feature_a, a) || !feature_exists(&region->feature_b, b)) {
        return "a feature that does not exist";
    }
    return isfinite(region->measure) ? NULL : "a measure that is not finite";
}

const char *abut_region_fault(const abut_region *region, const abut_mesh *a, const abut_mesh *b)
{
    mesh_sizes sizes_a = sizes_of(a), sizes_b = sizes_of(b);
    return fault_of_region(region, &sizes_a, &sizes_b);
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
            !range_exists(r->cone_begin, r->cone_count, &sink->cones) || fault_of_region(r, a, b) != NULL) {
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

static int vectors_are_finite(const abut_list *list)
{
    const abut_vec3 *items = list->items;
    for (int i = 0; i < list->count; ++i) {
        if (nothing_of(items[i]) != 0.0) {
            return 0;
        }
    }
    return 1;
}

static int derivatives_are_finite(const abut_list *list)
{
    const abut_derivative *items = list->items;
    for (int i = 0; i < list->count; ++i) {
        double sum = 0.0; // not finite if one of them is not
        for (int k = 0; k < 12; ++k) {
            sum += fabs(items[i].gap[k]);
            for (int m = 0; m < 3; ++m) {
                sum +=
                    fabs(items[i].normal[m][k]) + fabs(items[i].position_a[m][k]) + fabs(items[i].position_b[m][k]);
            }
        }
        if (!isfinite(sum)) {
            return 0;
        }
    }
    return 1;
}

abut_status abut_sink_check(abut_sink *sink)
{
    if (sink->drafts.count == 0 && sink->regions.count == 0 && sink->points.count == 0 && sink->loops.count == 0 &&
        sink->cones.count == 0 && sink->directions.count == 0 && sink->derivatives.count == 0 &&
        !sink->has_bad_index) {
        return ABUT_OK; // nothing to check
    }
    mesh_sizes a = sizes_of(abut_side_mesh(&sink->query->pair->a)),
               b = sizes_of(abut_side_mesh(&sink->query->pair->b));
    const char *name = sink->query->method->name;
    const abut_draft *drafts = sink->drafts.items;
    for (int i = 0; i < sink->drafts.count; ++i) {
        const char *fault = fault_of(&drafts[i].contact, &a, &b);
        if (fault == NULL && drafts[i].contact.region >= sink->regions.count) {
            fault = "a region that does not exist";
        }
        if (fault != NULL) {
            return abut_fail_element(&sink->error, ABUT_METHOD_FAULT, i, "method %s: contact %d has %s", name, i,
                                     fault);
        }
    }
    if (sink->has_bad_index) {
        return abut_fail(&sink->error, ABUT_METHOD_FAULT,
                         "method %s: a derivative of a contact that is not there, or a negative number of points",
                         name);
    }
    if (!vectors_are_finite(&sink->points) || !vectors_are_finite(&sink->directions) ||
        !derivatives_are_finite(&sink->derivatives)) {
        return abut_fail(&sink->error, ABUT_METHOD_FAULT,
                         "method %s: a region's point or direction, or a derivative, is not finite", name);
    }
    if (!regions_are_sane(sink, &a, &b)) {
        return abut_fail(&sink->error, ABUT_METHOD_FAULT,
                         "method %s: a region refers to something that is not there", name);
    }
    return ABUT_OK;
}
