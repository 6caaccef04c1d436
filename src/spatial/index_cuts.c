// SPDX-License-Identifier: MIT
// index_cuts.c: chooses the plane that cuts a region of a Brep-index
//
// The leading pieces of a region are those that divide it: polygons in space, segments in a plane (points if there is
// no segment), points on a line. While there are many, balanced cuts halve them by a plane orthogonal to an axis. A
// few are cut by the plane through one of them: from a sample, the one with the least cost (cost_of()).
#include "spatial/index_cuts.h"

#include "base/sort.h"

// Up to this many leading pieces, planes go through pieces only. Measured on spheres and tori for 4 to 16: with more,
// trees are deeper; with fewer, more pieces are cut in two.
enum { FEW = 12 };

// Each candidate costs a pass over all pieces of the region; more candidates trade build time for better cuts.
enum {
    CANDIDATES = 8, // pieces tried for a plane through them
    CANDIDATES_BESIDE =
        3,        // the same if there is a balanced cut: a face of many triangles is better cut by its plane
    SAMPLES = 255 // corners sampled for the median; bounds the sort, and puts the median within a few percent
};

// Pieces: cutting one piece in two costs as much as this many more pieces on the larger side. A trade-off between more
// pieces and a less even cut.
enum { PRICE_OF_A_CUT = 4 };

// Share of the leading pieces: a balanced cut that leaves more than this on one side is not worth its node.
static const double largest_share = 0.8;

typedef struct chooser {
    const abut_index_cut_rules *rules;
    const abut_index_region *region;
    int leading_dimension;
    int leading_count;
} chooser;

static int is_leading(const chooser *c, int piece)
{
    return abut_piece_dimension(&c->region->pieces[piece]) == c->leading_dimension;
}

static chooser make_chooser(const abut_index_cut_rules *rules, const abut_index_region *region)
{
    chooser c = {rules, region, region->dimension, 0};
    while (c.leading_count == 0 && c.leading_dimension > 0) {
        --c.leading_dimension;
        for (int i = 0; i < region->count; ++i) {
            c.leading_count += is_leading(&c, i);
        }
    }
    return c;
}

static abut_vec3 position_of(const chooser *c, int piece, int corner)
{
    return c->region->corners[c->region->pieces[piece].begin + corner].position;
}

/// Numbers of leading pieces with a part above a plane, below it, and on both sides.
typedef struct tally {
    int above, below, both;
} tally;

static tally tally_plane(const chooser *c, const abut_index_plane *plane)
{
    tally found = {0, 0, 0};
    for (int i = 0; i < c->region->count; ++i) {
        if (!is_leading(c, i)) {
            continue;
        }
        int has_above = 0, has_below = 0;
        for (int k = 0; k < c->region->pieces[i].count; ++k) {
            double height = abut_index_height(plane, position_of(c, i, k));
            has_above |= height > c->rules->tolerance;
            has_below |= height < -c->rules->tolerance;
        }
        found.above += has_above;
        found.below += has_below;
        found.both += has_above && has_below;
    }
    return found;
}

static int compare_samples(const void *user, int a, int b)
{
    const double *samples = user;
    return (samples[a] > samples[b]) - (samples[a] < samples[b]);
}

// The approximate median of the leading pieces' corners along an axis.
static double find_middle(const chooser *c, abut_vec3 axis)
{
    double samples[SAMPLES];
    int order[SAMPLES], scratch[SAMPLES], seen = 0, count = 0;
    for (int i = 0; i < c->region->count && count < SAMPLES; ++i) {
        if (!is_leading(c, i)) {
            continue;
        }
        if ((int64_t)count * c->leading_count <= (int64_t)seen * SAMPLES) {
            samples[count] = abut_dot(axis, position_of(c, i, seen % c->region->pieces[i].count));
            order[count] = count;
            ++count;
        }
        ++seen;
    }
    abut_sort_indices(order, scratch, count, compare_samples, samples);
    return samples[order[count / 2]];
}

// Of the two gaps between corners next to `middle`, itself the coordinate of a corner, the middle of the wider one.
static double find_gap(const chooser *c, abut_vec3 axis, double middle)
{
    double lower = -HUGE_VAL, upper = HUGE_VAL;
    for (int i = 0; i < c->region->count; ++i) {
        for (int k = 0; k < c->region->pieces[i].count; ++k) {
            double step = abut_dot(axis, position_of(c, i, k)) - middle;
            if (step < -c->rules->tolerance) {
                lower = fmax(lower, step);
            } else if (step > c->rules->tolerance) {
                upper = fmin(upper, step);
            }
        }
    }
    double step = upper < HUGE_VAL && !(lower > -HUGE_VAL && -lower > upper) ? upper : lower;
    return isfinite(step) ? middle + 0.5 * step : middle;
}

static int64_t cost_of(tally found)
{
    int64_t larger = found.above > found.below ? found.above : found.below;
    return larger + (int64_t)PRICE_OF_A_CUT * found.both;
}

// Returns the cost of the best balanced cut, or INT64_MAX if there is none.
static int64_t find_balanced_cut(const chooser *c, abut_index_cut *cut)
{
    abut_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (c->region->dimension == 2) {
        axes[0] = abut_any_perpendicular(c->region->direction);
        axes[1] = abut_cross(c->region->direction, axes[0]);
    }
    int most = (int)(largest_share * c->leading_count);
    int64_t best = INT64_MAX;
    for (int k = 0; k < c->region->dimension; ++k) {
        double middle = find_middle(c, axes[k]);
        double positions[2] = {middle, find_gap(c, axes[k], middle)};
        for (int m = 0; m < 2; ++m) {
            abut_index_plane plane = {axes[k], positions[m]};
            tally found = tally_plane(c, &plane);
            if (found.above > 0 && found.below > 0 && found.above <= most && found.below <= most &&
                cost_of(found) < best) {
                best = cost_of(found);
                cut->plane = plane;
                cut->chosen = -1;
            }
        }
    }
    return best;
}

// The plane through a leading piece. In space it is the plane of its face. In a plane, it is orthogonal to that plane
// and passes through the segment, so "on" means close to the segment even if faces meet there at a small angle.
static abut_index_plane plane_through(const chooser *c, int i)
{
    const abut_piece *piece = &c->region->pieces[i];
    if (c->region->dimension == 3) {
        return c->rules->face_planes[piece->location.entity];
    }
    abut_index_plane plane = {c->region->direction, 0.0};
    if (c->region->dimension == 2) {
        plane.normal = abut_any_perpendicular(c->region->direction);
        if (piece->count > 1) {
            abut_vec3 along = abut_sub(position_of(c, i, 1), position_of(c, i, 0));
            abut_vec3 across = abut_unit(abut_cross(c->region->direction, along));
            plane.normal = abut_norm_squared(across) > 0.0 ? across : plane.normal;
        }
    }
    plane.offset = abut_dot(plane.normal, position_of(c, i, 0));
    return plane;
}

// Tries planes through a sample of the leading pieces. Takes the best one if it costs less than `best`.
static void find_cut_through(const chooser *c, int candidates, int64_t best, abut_index_cut *cut)
{
    int seen = 0, tried = 0;
    for (int i = 0; i < c->region->count; ++i) {
        if (!is_leading(c, i)) {
            continue;
        }
        int is_candidate = (int64_t)tried * c->leading_count <= (int64_t)seen * candidates;
        ++seen;
        if (!is_candidate) {
            continue;
        }
        ++tried;
        abut_index_plane plane = plane_through(c, i);
        int64_t cost = cost_of(tally_plane(c, &plane));
        if (cost < best) {
            best = cost;
            cut->plane = plane;
            cut->chosen = i;
        }
    }
}

abut_index_cut abut_index_choose_cut(const abut_index_cut_rules *rules, const abut_index_region *region)
{
    chooser c = make_chooser(rules, region);
    abut_index_cut cut = {{{0.0, 0.0, 0.0}, 0.0}, -1, {0.0, 0.0, 0.0}};
    int wants_balance = rules->cuts == ABUT_CUTS_BALANCED && c.leading_count > FEW && region->dimension > 1;
    int64_t cost = wants_balance ? find_balanced_cut(&c, &cut) : INT64_MAX;
    find_cut_through(&c, cost < INT64_MAX ? CANDIDATES_BESIDE : CANDIDATES, cost, &cut);
    cut.direction = cut.plane.normal;
    if (region->dimension == 2) {
        cut.direction = abut_unit(abut_cross(region->direction, cut.plane.normal));
        if (cut.chosen >= 0 && region->pieces[cut.chosen].count == 2) {
            abut_vec3 along = abut_unit(abut_sub(position_of(&c, cut.chosen, 1), position_of(&c, cut.chosen, 0)));
            cut.direction = abut_norm_squared(along) > 0.0 ? along : cut.direction;
        }
    }
    return cut;
}
