// SPDX-License-Identifier: MIT
// regions_memory.c: what method regions keeps for the next query of a pair
//
// All regions are kept. Those in which the bodies stay together after the step are temporary contacts: their normals
// decide the next time that several sets of normals are possible, turned with the body that gave them. If bodies at rest
// would get the same answer again, it is given again until they have moved.
//
// Source: Bouma and Vanecek 1993, section 3, definition 3 and conditions (6) to (8).
#include "method/regions_analysis.h"

#include <string.h>

static const double still = 1e-3; ///< of the tolerance: bodies that moved less than this reuse the last answer

/// Whether the options make the answer depend on the motion only through the choice between sets of normals.
static int is_free_of_motion(const abut_regions_analysis *a)
{
    return isinf(a->receding) && !a->hints.is_spanning && a->query->envelope <= a->query->tolerance;
}

static int is_at_rest(const abut_regions_analysis *a)
{
    return abut_regions_speed_bound(a) * a->query->pair->dt <= a->query->tolerance;
}

/// Whether the next query, in the same pose and at rest, would have the same answer. Geometry alone decides the same
/// way. If several sets of normals are possible, bodies at rest keep those that they have.
static int is_lasting(const abut_regions_analysis *a)
{
    int is_so = a->is_current && a->set.capped == 0 && a->set.open_outlines == 0;
    int rests = a->set.region_count > 0 && is_at_rest(a);
    for (int i = 0; is_so && i < a->set.region_count; ++i) {
        is_so = rests || a->set.regions[i].rule == ABUT_RULE_GEOMETRY;
    }
    return is_so;
}

/// The middle of the first region.
static abut_vec3 middle_of(const abut_regions_analysis *a)
{
    const abut_outline *outline = &a->set.outlines[a->set.regions[0].outline_begin];
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < outline->count; ++i) {
        sum = abut_add(sum, a->touch.nodes[a->set.corners[outline->begin + i]].point_a);
    }
    return abut_scale(1.0 / outline->count, sum);
}

/// Bit i of the result: normal i of a region is that of a face of B, and not of A.
static uint64_t normals_of_b(const abut_regions_analysis *a, const abut_touch_region *region)
{
    uint64_t bits = 0;
    int is_of_a = region->a.kind == ABUT_ENTITY_FACE && region->dimension < 2;
    for (int i = 0; !is_of_a && i < region->normals.count && i < 64; ++i) {
        int face;
        int is_of_b = abut_regions_normal_face(a, region, region->normals.items[i], &face) == ABUT_NORMAL_B;
        bits |= (uint64_t)is_of_b << i;
    }
    return bits;
}

void abut_regions_remember(abut_regions_analysis *a)
{
    const abut_query *query = a->query;
    if (query->pair->memory == NULL) {
        return;
    }
    abut_kept head = {.b_to_a = query->b_to_a,
                      .touching = abut_pose_make(a->sides[1].translation, a->sides[1].turn),
                      .tolerance = query->tolerance,
                      .angle = query->angle,
                      .dt = query->pair->dt};
    head.is_lasting = is_free_of_motion(a) && is_lasting(a);
    head.ambiguous = a->set.ambiguous;
    head.reach = a->touch.tolerance;
    head.widenings = a->widenings;
    abut_regions_state *next = abut_sink_memory(a->sink, sizeof *next + abut_kept_measure(&a->set, &head));
    if (next != NULL) {
        next->recall = a->watch.recall;
        next->recall.is_touching = a->set.region_count > 0;
        if (next->recall.is_touching) {
            next->recall.middle = middle_of(a);
        }
        for (int i = 0; i < a->set.region_count; ++i) {
            a->set.regions[i].of_b = normals_of_b(a, &a->set.regions[i]);
        }
        abut_kept_write(next + 1, &head, &a->touch, &a->set);
    }
}

double abut_regions_distance_moved(const abut_regions_analysis *a, abut_pose then)
{
    abut_pose now = a->query->b_to_a;
    abut_quat turn = abut_quat_multiply(abut_quat_conjugate(then.rotation), now.rotation);
    double half_sine = abut_norm(abut_vec3_make(turn.x, turn.y, turn.z));
    abut_box bounds = a->sides[1].model->elements.bounds;
    double reach = abut_norm(abut_max(abut_abs(bounds.lower), abut_abs(bounds.upper)));
    return abut_norm(abut_sub(now.position, then.position)) + 2.0 * half_sine * reach;
}

// ---- the last step

/// A direction in A's frame that turns with B, in another pose of B.
static abut_vec3 turned_with_b(abut_vec3 direction, abut_pose from, abut_pose to)
{
    return abut_quat_rotate(to.rotation, abut_quat_rotate(abut_quat_conjugate(from.rotation), direction));
}

/// The normals of a kept region when B has moved to a pose. NULL if memory ran out.
static const abut_vec3 *normals_at(abut_regions_analysis *a, const abut_kept *kept, const abut_kept_region *region,
                                   abut_pose pose)
{
    abut_directions normals = abut_kept_normals(kept, region);
    if (region->of_b == 0) {
        return normals.items;
    }
    abut_vec3 *turned = abut_sink_scratch(a->sink, (size_t)normals.count * sizeof *turned);
    for (int i = 0; turned != NULL && i < normals.count; ++i) {
        int is_of_b = i < 64 && (region->of_b >> i & 1) != 0;
        turned[i] = is_of_b ? turned_with_b(normals.items[i], kept->touching, pose) : normals.items[i];
    }
    return turned;
}

/// Whether the bodies still touch in a region at the end of the step in which it was found, by the velocities after it.
/// Definition 3 of the paper leaves this to the dynamics.
static abut_region_life life_of(abut_regions_analysis *a, const abut_kept *kept, const abut_kept_region *region,
                                abut_vec3 linear, abut_vec3 angular)
{
    int corner_count, has_touched = 0;
    const abut_touch_node *corners = abut_kept_corners(kept, region, &corner_count);
    const abut_vec3 *normals = normals_at(a, kept, region, kept->b_to_a);
    for (int i = 0; normals != NULL && i < corner_count; ++i) {
        abut_vec3 point =
            abut_pose_apply(kept->b_to_a, abut_pose_apply_inverse(kept->touching, corners[i].point_b));
        abut_vec3 way = abut_sub(point, corners[i].point_a);
        abut_vec3 velocity = abut_add(linear, abut_cross(angular, corners[i].point_a));
        for (int k = 0; k < region->normal_count; ++k) {
            double gap = abut_dot(normals[k], way);
            if (gap + kept->dt * abut_dot(normals[k], velocity) <= kept->tolerance) {
                return ABUT_LIFE_TEMPORARY;
            }
            has_touched |= gap <= kept->tolerance;
        }
    }
    return has_touched ? ABUT_LIFE_COLLISION : ABUT_LIFE_NEW;
}

/// The lives of all kept regions. NULL if memory ran out.
static abut_region_life *find_lives(abut_regions_analysis *a, const abut_kept *kept)
{
    abut_region_life *lives = abut_sink_scratch(a->sink, ((size_t)kept->region_count + 1) * sizeof *lives);
    const abut_kept_region *regions = abut_kept_regions(kept);
    abut_vec3 linear, angular;
    int has_motion = abut_query_motion(a->query, &linear, &angular);
    for (int i = 0; lives != NULL && i < kept->region_count; ++i) {
        lives[i] = has_motion ? life_of(a, kept, &regions[i], linear, angular) : ABUT_LIFE_TEMPORARY;
    }
    return lives;
}

int abut_regions_recall(abut_regions_analysis *a, const abut_regions_state *state, size_t size)
{
    const abut_query *query = a->query;
    const abut_kept *kept = abut_regions_kept(state);
    if (kept == NULL || !kept->is_lasting || !is_free_of_motion(a) || !is_at_rest(a) ||
        kept->tolerance != query->tolerance || kept->angle != query->angle ||
        !(abut_regions_distance_moved(a, kept->b_to_a) <= still * kept->tolerance)) {
        return 0;
    }
    const abut_region_life *lives = find_lives(a, kept);
    if (lives == NULL || !abut_kept_read(&a->sink->arena, kept, &a->touch, &a->set)) {
        return 0; // out of memory: the analysis that follows needs more and reports it
    }
    a->angle = abut_regions_angle(query, kept->reach);
    abut_sink_stats(a->sink)->fallbacks += kept->widenings;
    abut_sink_stats(a->sink)->arbitrary_normals += kept->ambiguous;
    abut_regions_place(a, kept->b_to_a);
    for (int i = 0; i < a->set.region_count; ++i) {
        a->set.regions[i].life = lives[i];
        abut_regions_tell(a, ABUT_EVENT_PERSIST, &a->set.regions[i], NULL);
    }
    void *next = abut_sink_memory(a->sink, size);
    if (next != NULL) {
        memcpy(next, state, size);
    }
    return 1;
}

abut_status abut_regions_read_past(abut_regions_analysis *a, const abut_regions_state *state)
{
    const abut_kept *kept = abut_regions_kept(state);
    if (kept == NULL || kept->region_count == 0) {
        return ABUT_OK;
    }
    const abut_kept_region *regions = abut_kept_regions(kept);
    const abut_region_life *lives = find_lives(a, kept);
    abut_remembered_region *remembered =
        abut_sink_scratch(a->sink, (size_t)kept->region_count * sizeof *remembered);
    if (lives == NULL || remembered == NULL) {
        return abut_sink_fail(a->sink, ABUT_NO_MEMORY, "no memory for the contact regions");
    }
    a->past = kept;
    a->past_lives = lives;
    a->hints.remembered = remembered;
    for (int i = 0; i < kept->region_count; ++i) {
        const abut_vec3 *normals = normals_at(a, kept, &regions[i], a->query->b_to_a);
        if (normals == NULL) {
            return abut_sink_fail(a->sink, ABUT_NO_MEMORY, "no memory for the contact regions");
        }
        // normals between which nothing decided are not kept
        if (lives[i] == ABUT_LIFE_TEMPORARY && regions[i].rule != ABUT_RULE_NONE) {
            remembered[a->hints.remembered_count++] =
                (abut_remembered_region){regions[i].a, regions[i].b, {normals, regions[i].normal_count}};
        }
    }
    return ABUT_OK;
}
