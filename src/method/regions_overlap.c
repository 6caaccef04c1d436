// SPDX-License-Identifier: MIT
// regions_overlap.c: solids that overlap are moved to where they touch, by the least translation that can be found
//
// From a free pose B is swept towards its current one until it touches A. The regions there bound the translations that
// keep the solids apart near by; the least one t within these bounds is found, and B is swept towards it, sliding. From
// where it gets to, the same again, until t no longer becomes shorter. This ends in a local minimum, so several starts
// are tried: along the vector areas of the overlapping pieces, which is best for small overlaps, against the motion,
// and, for large overlaps, in those of many directions in which the supporting planes are the nearest.
//
// Source:  iterated projection onto the contact space as in PolyDepth (Je, Tang, Lee, Lee and Kim 2012).
// Differs: the projection uses all regions, exactly, not samples of local contacts; sweeps are those of abut_sweep(). A
//          translation counts only if, lengthened by one tolerance, it leads to a pose in which no triangles meet.
// Cost:    some tens of sweeps and analyses for each start. No allocation.
// Fails:   never on closed meshes that do not cross themselves: a start beyond the supporting planes is always free.
//          The translation may be longer than the least one.
#include "abut/sweep.h"
#include "abut/translation.h"
#include "method/regions_analysis.h"
#include "region/overlap_pieces.h"

enum {
    ROUNDS = 48,       ///< of a descent
    MOST_STARTS = 16,  ///< directions of starts
    MOST_PIECES = 6,   ///< pieces of the overlap that give a start each
    MOST_EXTRA = 8,    ///< planes in a round that a blocked slide adds
    FACES_TRIED = 256, ///< of each solid: whose normals are directions of starts; fewer of large ones
    FACES_LEAST = 16,
    SUPPORT_WORK = 1 << 17, ///< vertices that are looked at for the directions of faces, about
    WIDE_STARTS = 5         ///< starts beyond supporting planes
};

static const double strictness = 1e-3; ///< of the tolerance: how exactly poses are said to touch
static const double rounding = 1e-12;  ///< of the size: smaller lengths are rounding
/// Of the size: if some translation is this short, starts beyond supporting planes are not tried.
static const double shallow = 0.02;
static const double least_step = 1e-4; ///< of the size: the first step of the way out along a direction
static const double similar = 0.9;     ///< cosine: directions that are nearer than this are not both tried
static const double similarity = 1e-3; ///< of its length: a translation that differs by less is as good

typedef struct overlap_search {
    abut_regions_analysis *a;
    abut_pose origin; ///< of B in A's frame, in the query
    double size;      ///< of both solids together: a longer way is never needed
    double strict;
    abut_vec3 best; ///< translation in A's frame
    double best_length;
    int is_found;
    abut_status status;
} overlap_search;

static abut_pose pose_at(const overlap_search *s, abut_vec3 t)
{
    return abut_pose_make(abut_add(s->origin.position, t), s->origin.rotation);
}

static int is_free(const overlap_search *s, abut_vec3 t)
{
    abut_regions_place(s->a, pose_at(s, t));
    return abut_sides_are_apart(s->a->sides);
}

/// Moves B from one translation towards another until it touches A or gets deeper into what it touches. Returns the
/// share of the way, and the normal of the touch if there is one.
static double sweep(overlap_search *s, abut_vec3 from, abut_vec3 to, abut_vec3 *normal)
{
    const abut_touch_side *sides = s->a->sides;
    abut_sweep_def def = abut_sweep_def_default(sides[0].tree, sides[1].tree);
    def.motion_b.pose = pose_at(s, from);
    def.motion_b.linear_velocity = abut_sub(to, from);
    def.tolerance = s->strict;
    abut_sweep_hit hit;
    abut_status status = abut_sweep(&def, &hit, NULL);
    s->status = s->status == ABUT_OK ? status : s->status;
    *normal = hit.normal;
    return status == ABUT_OK && !hit.is_hit ? 2.0 : status == ABUT_OK ? fmin(hit.time, 1.0) : 0.0;
}

// ---- descent

/// Finds the regions where B has moved by t. Of several cones of motions, those nearest to the way back are taken.
static void analyse_at(overlap_search *s, abut_vec3 t, double tolerance)
{
    abut_regions_analysis *a = s->a;
    abut_regions_place(a, pose_at(s, t));
    a->hints.linear = abut_negate(t);
    a->hints.angular = abut_vec3_make(0.0, 0.0, 0.0);
    a->hints.least_speed = 0.0;
    abut_status status = abut_regions_analyse_apart(a, tolerance);
    s->status = s->status == ABUT_OK ? status : s->status;
}

/// The planes of the regions: translations on their outer sides keep the solids apart near t. `reach` moves them out.
/// Returns how many; -1 if memory ran out. There is room for MOST_EXTRA more.
static int take_planes(overlap_search *s, abut_vec3 t, double reach, abut_half_space **planes)
{
    const abut_region_set *set = &s->a->set;
    size_t room = MOST_EXTRA;
    for (int i = 0; i < set->region_count; ++i) {
        room += (size_t)set->regions[i].normals.count;
    }
    abut_half_space *made = abut_sink_scratch(s->a->sink, room * sizeof *made);
    int count = 0;
    for (int i = 0; made != NULL && i < set->region_count; ++i) {
        abut_directions normals = set->regions[i].normals;
        for (int k = 0; k < normals.count; ++k) {
            made[count++] = (abut_half_space){normals.items[k], abut_dot(normals.items[k], t) + reach};
        }
    }
    *planes = made;
    if (made == NULL) {
        s->status = ABUT_NO_MEMORY;
        return -1;
    }
    return count;
}

/// Slides from t, where B touches A with these planes, towards the least translation within them. Returns 0 if it does
/// not get any further.
static int slide(overlap_search *s, abut_half_space *planes, int count, abut_vec3 *t)
{
    for (int extra = 0; extra < MOST_EXTRA; ++extra) {
        abut_vec3 target, normal;
        if (!abut_least_translation(planes, count, &target) || abut_norm(*t) - abut_norm(target) <= s->strict) {
            return 0;
        }
        double share = fmin(sweep(s, *t, target, &normal), 1.0);
        abut_vec3 reached = abut_lerp(*t, target, share);
        if (share * abut_norm(abut_sub(target, *t)) > s->strict) {
            *t = reached;
            return 1;
        }
        // something blocks the way at once that the regions do not have
        planes[count++] = (abut_half_space){normal, abut_dot(normal, *t)};
    }
    return 0;
}

/// Whether the solids are apart if they are moved on by one tolerance from where they touch: the certificate.
static int is_certain(overlap_search *s, abut_vec3 t)
{
    abut_half_space *planes;
    abut_vec3 further;
    int count = take_planes(s, t, s->a->query->tolerance, &planes);
    return count > 0 && abut_least_translation(planes, count, &further) && is_free(s, further);
}

/// Goes from a free translation to one at which B touches A and that is the least one near by. Keeps it if it is better
/// than the best one.
static void descend(overlap_search *s, abut_vec3 t)
{
    abut_regions_analysis *a = s->a;
    abut_arena_mark mark = abut_arena_get_mark(&a->sink->arena);
    abut_touch touch = a->touch;
    for (int round = 0; round < ROUNDS && s->status == ABUT_OK; ++round) {
        abut_vec3 normal;
        abut_half_space *planes;
        abut_arena_rewind(&a->sink->arena, mark);
        a->touch = touch;
        double share = sweep(s, t, abut_vec3_make(0.0, 0.0, 0.0), &normal);
        t = abut_scale(1.0 - fmin(share, 1.0), t);
        analyse_at(s, t, a->query->tolerance);
        int count = s->status == ABUT_OK ? take_planes(s, t, 0.0, &planes) : -1;
        if (count < 0) {
            break;
        }
        int has_regions = count > 0 && !a->overlaps;
        if (!has_regions && share <= 1.0) {
            planes[0] = (abut_half_space){normal, abut_dot(normal, t)};
            count = 1;
        }
        if (count > 0 && slide(s, planes, count, &t)) {
            continue;
        }
        if (has_regions && (!s->is_found || abut_norm(t) < s->best_length) && is_certain(s, t)) {
            s->best = t;
            s->best_length = abut_norm(t);
            s->is_found = 1;
        }
        break;
    }
    abut_arena_rewind(&a->sink->arena, mark);
    a->touch = touch;
}

// ---- starts

/// Goes out along a direction in growing steps until the solids are apart, and descends from there.
static void start_along(overlap_search *s, abut_vec3 direction)
{
    abut_vec3 unit = abut_unit(direction);
    if (!abut_is_finite(unit) || abut_norm_squared(unit) < 0.5) {
        return;
    }
    for (double step = least_step * s->a->query->size; step < 2.0 * s->size; step *= 2.0) {
        if (is_free(s, abut_scale(step, unit))) {
            descend(s, abut_scale(step, unit));
            return;
        }
    }
}

/// The largest pieces, each once, and their sum and the way out of all of them, if they differ.
static void start_at_pieces(overlap_search *s)
{
    abut_regions_analysis *a = s->a;
    abut_overlap_pieces pieces;
    abut_regions_place(a, s->origin);
    if (!abut_overlap_pieces_find(&a->sink->arena, a->sides, &pieces)) {
        s->status = ABUT_NO_MEMORY;
        return;
    }
    abut_half_space out[MOST_PIECES];
    int count = 0;
    for (; count < pieces.count && count < MOST_PIECES; ++count) {
        int largest = count;
        for (int k = count + 1; k < pieces.count; ++k) {
            if (abut_norm_squared(pieces.items[k].area) > abut_norm_squared(pieces.items[largest].area)) {
                largest = k;
            }
        }
        abut_overlap_piece piece = pieces.items[largest];
        pieces.items[largest] = pieces.items[count];
        pieces.items[count] = piece;
        out[count] = (abut_half_space){abut_unit(piece.area), 1.0};
    }
    start_along(s, pieces.area);
    abut_vec3 all;
    if (count > 1 && abut_least_translation(out, count, &all)) {
        start_along(s, all);
    }
    for (int i = 0; i < count && count > 1; ++i) {
        start_along(s, out[i].normal);
    }
}

/// Directions around that of the best translation: a local minimum may have a better one beside it.
static void start_around(overlap_search *s)
{
    abut_vec3 axis = abut_unit(s->best), side = abut_any_perpendicular(axis);
    for (int i = 0; i < 4 && s->is_found && s->best_length > 0.0; ++i) {
        start_along(s, abut_add(axis, side));
        side = abut_cross(axis, side);
    }
}

/// A direction, and how far B must move along it to be beyond A's supporting plane.
typedef struct way_out {
    abut_vec3 direction;
    double length;
} way_out;

static double support(const abut_touch_side *side, abut_vec3 direction)
{
    const abut_mesh_elements *elements = &side->model->elements;
    abut_vec3 local = abut_mat3_apply_transposed(side->rotation, direction);
    double most = -HUGE_VAL;
    for (int i = 0; i < elements->vertex_count; ++i) {
        most = fmax(most, abut_dot(local, elements->vertices[i]));
    }
    return most + abut_dot(direction, side->translation);
}

/// Keeps the shortest ways out in different directions, shortest first.
static void keep_way(way_out *ways, int *count, way_out way)
{
    for (int i = 0; i < *count; ++i) {
        if (abut_dot(ways[i].direction, way.direction) > similar) {
            if (ways[i].length <= way.length) {
                return;
            }
            for (int k = i + 1; k < *count; ++k) { // it takes the place of the longer one
                ways[k - 1] = ways[k];
            }
            --*count;
            --i;
        }
    }
    int at = *count < WIDE_STARTS ? (*count)++ : WIDE_STARTS;
    while (at > 0 && ways[at - 1].length > way.length) {
        if (at < WIDE_STARTS) {
            ways[at] = ways[at - 1];
        }
        --at;
    }
    if (at < WIDE_STARTS) {
        ways[at] = way;
    }
}

static void try_way(overlap_search *s, abut_vec3 direction, way_out *ways, int *count)
{
    const abut_touch_side *sides = s->a->sides;
    double length = support(&sides[0], direction) + support(&sides[1], abut_negate(direction));
    if (abut_norm_squared(direction) > 0.5) {
        keep_way(ways, count, (way_out){direction, length});
    }
}

/// Starts beyond supporting planes: along the axes, diagonals and the normals of faces.
static void start_beyond(overlap_search *s)
{
    way_out ways[WIDE_STARTS];
    int count = 0;
    int vertices = s->a->sides[0].model->elements.vertex_count + s->a->sides[1].model->elements.vertex_count;
    int tried = SUPPORT_WORK / vertices > FACES_TRIED   ? FACES_TRIED
                : SUPPORT_WORK / vertices < FACES_LEAST ? FACES_LEAST
                                                        : SUPPORT_WORK / vertices;
    abut_regions_place(s->a, s->origin);
    for (int i = 0; i < 27; ++i) {
        abut_vec3 d = {i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
        if (i != 13) {
            try_way(s, abut_unit(d), ways, &count);
        }
    }
    for (int side = 0; side < 2; ++side) {
        const abut_touch_side *placed = &s->a->sides[side];
        int faces = placed->model->brep.face_count, step = faces / tried + 1;
        for (int i = 0; i < faces; i += step) {
            abut_vec3 n = abut_touch_normal(placed, i);
            try_way(s, side == 0 ? n : abut_negate(n), ways, &count);
        }
    }
    for (int i = 0; i < count; ++i) {
        double length = fmax(ways[i].length, 0.0) + 1e-3 * s->size; // clear of rounding
        descend(s, abut_scale(length, ways[i].direction));
    }
}

/// Convex solids: the distance has the least translation.
static void start_convex(overlap_search *s)
{
    abut_regions_place(s->a, s->origin);
    abut_convex_gap gap = abut_regions_gap(s->a);
    double length = -gap.lower;
    if (length > 0.0 && !isinf(length)) {
        analyse_at(s, abut_scale(length, gap.normal), s->a->query->tolerance);
        if (s->status == ABUT_OK && !s->a->overlaps && s->a->set.region_count > 0) {
            s->best = abut_scale(length, gap.normal);
            s->best_length = length;
            s->is_found = 1;
        }
    }
}

/// The least translation from the pose of the query that opens the contacts of the regions, which were found where B is
/// placed. Returns 0 if there is none or memory ran out.
static int open_contacts(const abut_regions_analysis *a, abut_vec3 *least)
{
    const abut_region_set *set = &a->set;
    abut_pose placed = abut_pose_make(a->sides[1].translation, a->sides[1].turn);
    size_t room = 1;
    for (int i = 0; i < set->region_count; ++i) {
        room += (size_t)set->regions[i].normals.count;
    }
    abut_half_space *planes = abut_sink_scratch(a->sink, room * sizeof *planes);
    int count = 0;
    for (int i = 0; planes != NULL && i < set->region_count; ++i) {
        const abut_touch_region *region = &set->regions[i];
        for (int k = 0; k < region->normals.count; ++k) {
            abut_vec3 n = region->normals.items[k];
            double gap = HUGE_VAL; // the least one of all corners
            for (int m = 0; m < region->outline_count; ++m) {
                const abut_outline *outline = &set->outlines[region->outline_begin + m];
                for (int c = 0; c < outline->count; ++c) {
                    const abut_touch_node *node = &a->touch.nodes[set->corners[outline->begin + c]];
                    abut_vec3 b = abut_pose_apply(a->query->b_to_a, abut_pose_apply_inverse(placed, node->point_b));
                    gap = fmin(gap, abut_dot(n, abut_sub(b, node->point_a)));
                }
            }
            planes[count++] = (abut_half_space){n, -gap};
        }
    }
    return count > 0 && abut_least_translation(planes, count, least);
}

abut_status abut_regions_widen_touch(abut_regions_analysis *a)
{
    const abut_query *query = a->query;
    abut_touch touch = a->touch;
    abut_region_set set = a->set;
    double angle = a->angle;
    int overlaps = a->overlaps;
    abut_vec3 first, wide;
    abut_pose placed = abut_pose_make(a->sides[1].translation, a->sides[1].turn);
    double tolerance = fmin(abut_regions_distance_moved(a, placed), shallow * query->size);
    if (!open_contacts(a, &first)) {
        return ABUT_OK;
    }
    for (; tolerance > query->tolerance; tolerance *= 0.25) {
        abut_status status = abut_regions_analyse(a, tolerance);
        if (status != ABUT_OK || (!a->overlaps && a->set.region_count > 0 && open_contacts(a, &wide) &&
                                  abut_norm(abut_sub(wide, first)) <= similarity * abut_norm(first))) {
            return status;
        }
    }
    a->touch = touch;
    a->set = set;
    a->angle = angle;
    a->overlaps = overlaps;
    return ABUT_OK;
}

/// Whether a translation is as good as the best one. Between convex solids it need not be the same, only as long: of two
/// faces that are nearly parallel, the least one is along the normal of one and may open a single corner, and that along
/// the normal of the other opens all corners.
static int is_as_good(const overlap_search *s, abut_vec3 t)
{
    double length = abut_norm(t), most = similarity * s->best_length;
    if (!s->a->is_convex) {
        return abut_norm(abut_sub(t, s->best)) <= most;
    }
    return fabs(length - s->best_length) <= most && abut_dot(t, s->best) > similar * length * s->best_length;
}

/// Finds the regions of the best translation. What lies within its length overlapped as well, so the tolerance is as
/// large, unless that is larger than details of the solids.
static void analyse_best(overlap_search *s)
{
    const abut_query *query = s->a->query;
    double tolerance = fmin(s->best_length, shallow * query->size);
    for (; tolerance > query->tolerance && s->status == ABUT_OK; tolerance *= 0.25) {
        abut_vec3 t;
        analyse_at(s, s->best, tolerance);
        int is_usable = s->status == ABUT_OK && !s->a->overlaps && s->a->set.region_count > 0;
        // though it touches in more places, the way out must be as good
        if (is_usable && open_contacts(s->a, &t) && is_as_good(s, t)) {
            return;
        }
    }
    if (s->status == ABUT_OK) {
        analyse_at(s, s->best, query->tolerance);
    }
}

abut_status abut_regions_separate(abut_regions_analysis *a)
{
    const abut_query *query = a->query;
    abut_region_hints hints = a->hints;
    overlap_search s = {.a = a, .origin = query->b_to_a, .status = ABUT_OK};
    s.strict = fmax(strictness * query->tolerance, rounding * query->size);
    s.size = abut_box_diagonal(a->sides[0].model->elements.bounds) +
             abut_box_diagonal(a->sides[1].model->elements.bounds);
    a->receding = HUGE_VAL; // what recedes bounds the way out, too
    a->hints.is_spanning = 0;
    ++abut_sink_stats(a->sink)->fallbacks;
    if (a->is_convex) {
        start_convex(&s);
    }
    if (!s.is_found && s.status == ABUT_OK) {
        start_along(&s, abut_negate(hints.linear));
        start_at_pieces(&s);
        start_around(&s);
    }
    if (s.status == ABUT_OK && (!s.is_found || (!a->is_convex && s.best_length > shallow * query->size))) {
        start_beyond(&s);
    }
    if (s.status == ABUT_OK && s.is_found) {
        a->way_out = s.best_length;
        a->hints.is_spanning = hints.is_spanning;
        analyse_best(&s);
        for (int i = 0; i < a->set.region_count; ++i) {
            if (a->set.regions[i].rule == ABUT_RULE_VELOCITY) {
                a->set.regions[i].rule = ABUT_RULE_TRANSLATION;
            }
        }
    }
    a->hints = hints;
    a->is_current = 0;
    return s.status != ABUT_OK ? abut_sink_fail(a->sink, s.status, "no memory to separate the bodies")
           : s.is_found
               ? ABUT_OK
               : abut_sink_fail(a->sink, ABUT_OVERLAP,
                                "the bodies overlap, and no translation was found that separates them: does a "
                                "mesh cross itself (abut mesh check)?");
}
