// SPDX-License-Identifier: MIT
// tree_cut.c: chooses where a range of elements is cut in two
//
// Cuts across the longest side of the range's box, at one of 15 (or 7) positions. It takes the position with the least
// sum of count times box surface on both sides (surface area heuristic), the expected cost of a search. Large ranges
// use a sample. Small ranges are sorted, and every position is tried. All cuts leave whole leaves on the left.
//
// Whether an item goes left or right is hard to predict, so the code has no branches on it.
#include "spatial/tree_cut.h"

#include "math/float4.h"
#include "spatial/tree.h"

#include <assert.h>
#include <float.h>
#include <string.h>

enum {
    // All of these trade build time for tighter trees. Bins and sorted leaves are multiples of 4, the vector width.
    BINS = 16,
    FEW_BINS = 8,                       // for ranges of fewer than FEW_COUNT items, which fill fewer bins
    FEW_COUNT = 64,                     // items
    SAMPLE_COUNT = 2 * ABUT_TREE_BLOCK, // most items of a large range that are put in bins
    SORTED_COUNT = 8,                   // ranges of at most this many items are sorted
    SORTED_LEAVES = SORTED_COUNT / ABUT_TREE_LEAF,
};

// A length in units of the tree: middles that differ by less count as equal. The number of bins divided by it is still
// a finite float.
static const float LEAST_WIDTH = 1e-30f;

typedef struct bounds {
    abut_float4 lower, upper;
} bounds;

static bounds no_bounds(void)
{
    bounds b = {abut_float4_all(FLT_MAX), abut_float4_all(-FLT_MAX)};
    return b;
}

static bounds join(bounds a, bounds b)
{
    bounds joined = {abut_float4_min(a.lower, b.lower), abut_float4_max(a.upper, b.upper)};
    return joined;
}

static bounds bounds_of(const abut_tree_item *i)
{
    bounds b = {abut_float4_load(i->lower), abut_float4_load(i->upper)};
    return b;
}

static void set_item(abut_tree_item *i, bounds b)
{
    abut_float4_store(i->lower, b.lower);
    abut_float4_store(i->upper, b.upper);
}

// Twice the middle of an element's box along an axis.
static float middle_of(const abut_tree_item *i, int axis)
{
    return i->lower[axis] + i->upper[axis];
}

static int longest_axis(const abut_tree_item *box)
{
    float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1], z = box->upper[2] - box->lower[2];
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

int abut_tree_halve(int count)
{
    return (count + ABUT_TREE_LEAF - 1) / ABUT_TREE_LEAF / 2 * ABUT_TREE_LEAF;
}

// ---- bins

// Maps middles to bins: bin = (middle - lower) * factor, clamped to the first and last bin. The cut is before bin
// `limit`.
typedef struct bin_scale {
    int axis, count;
    float lower, factor, limit;
} bin_scale;

static bin_scale make_scale(int axis, int item_count, float lower, float width)
{
    int count = item_count < FEW_COUNT ? FEW_BINS : BINS;
    bin_scale scale = {axis, count, lower, (float)count / width, 0.0f};
    return scale;
}

// The position of an item in bins, before rounding down.
static float place_of(const bin_scale *scale, const abut_tree_item *i)
{
    return (middle_of(i, scale->axis) - scale->lower) * scale->factor;
}

typedef struct bins {
    bounds boxes[BINS];
    int counts[BINS];
} bins;

// Puts an item in its bin and returns its position in bins.
static inline float add_to_bins(bins *filled, const bin_scale *scale, const abut_tree_item *i)
{
    float place = place_of(scale, i);
    int bin = (int)place;
    bin = bin < 0 ? 0 : bin;
    bin = bin < scale->count ? bin : scale->count - 1;
    ++filled->counts[bin];
    filled->boxes[bin] = join(filled->boxes[bin], bounds_of(i));
    return place;
}

// Puts items in bins and stores their positions. Neighbours often share a bin, and each update would wait for the last
// one. So this goes through both halves of the picks at the same time.
static void fill_bins(const abut_tree_item **picks, int count, bin_scale scale, bins *filled, float *places)
{
    int half = count / 2;
    for (int i = 0; i < scale.count; ++i) {
        filled->boxes[i] = no_bounds();
        filled->counts[i] = 0;
    }
    for (int i = 0; i < half; ++i) {
        places[i] = add_to_bins(filled, &scale, picks[i]);
        places[half + i] = add_to_bins(filled, &scale, picks[half + i]);
    }
    if (count > 2 * half) {
        places[count - 1] = add_to_bins(filled, &scale, picks[count - 1]);
    }
}

// Half the surfaces of four boxes.
static abut_float4 find_surfaces(const bounds *b)
{
    abut_float4 sizes[4], size[3];
    for (int i = 0; i < 4; ++i) {
        sizes[i] = abut_float4_sub(b[i].upper, b[i].lower);
    }
    abut_float4_transpose(sizes, size);
    return abut_float4_add(abut_float4_mul(size[0], abut_float4_add(size[1], size[2])),
                           abut_float4_mul(size[1], size[2]));
}

// Sets the limit of the scale and the approximate boxes of both sides. Returns 0 if all items are in one bin.
static int find_limit(const abut_tree_item **picks, int count, bin_scale *scale, float *places,
                      abut_tree_item sides[2])
{
    bins filled;
    bounds lefts[BINS], rights[BINS], left = no_bounds(), right = left; // of the cut behind each bin
    float left_surfaces[BINS], right_surfaces[BINS], least = FLT_MAX;
    int last = scale->count - 1, best = -1, left_count = 0;
    fill_bins(picks, count, *scale, &filled, places);
    for (int i = 0; i <= last; ++i) {
        lefts[i] = left = join(filled.boxes[i], left);
        rights[last - i] = right;
        right = join(filled.boxes[last - i], right);
    }
    for (int i = 0; i <= last; i += 4) {
        abut_float4_store(left_surfaces + i, find_surfaces(lefts + i));
        abut_float4_store(right_surfaces + i, find_surfaces(rights + i));
    }
    for (int i = 0; i < last; ++i) {
        left_count += filled.counts[i];
        // NaN if all items are on one side: 0 times the infinite surface of an empty box
        float cost = (float)left_count * left_surfaces[i] + (float)(count - left_count) * right_surfaces[i];
        best = cost < least ? i : best;
        least = cost < least ? cost : least;
    }
    if (best >= 0) {
        scale->limit = (float)(best + 1);
        set_item(&sides[0], lefts[best]);
        set_item(&sides[1], rights[best]);
    }
    return best >= 0;
}

// Makes a scale along the longest side of the box of all middles. Returns 0 if all middles are equal.
static int scale_by_middles(const abut_tree_item **picks, int count, bin_scale *scale)
{
    bounds b = no_bounds();
    for (int i = 0; i < count; ++i) {
        bounds box = bounds_of(picks[i]);
        abut_float4 middle = abut_float4_add(box.lower, box.upper);
        b = join(b, (bounds){middle, middle});
    }
    abut_tree_item box;
    set_item(&box, b);
    int axis = longest_axis(&box);
    float width = box.upper[axis] - box.lower[axis];
    *scale = make_scale(axis, count, box.lower[axis], width);
    return width > LEAST_WIDTH;
}

// Chooses a cut. Returns 0 if the middles of all picks are nearly equal.
static int find_cut(const abut_tree_item **picks, int count, const abut_tree_item *box, bin_scale *scale,
                    float *places, abut_tree_item sides[2])
{
    int axis = longest_axis(box);
    float width = 2.0f * (box->upper[axis] - box->lower[axis]);
    *scale = make_scale(axis, count, 2.0f * box->lower[axis], width);
    return (width > LEAST_WIDTH && find_limit(picks, count, scale, places, sides)) ||
           (scale_by_middles(picks, count, scale) && find_limit(picks, count, scale, places, sides));
}

static int give_halves(int count, const abut_tree_item *box, abut_tree_item sides[2])
{
    sides[0] = sides[1] = *box;
    return abut_tree_halve(count);
}

// ---- parting

static_assert(ABUT_TREE_LEAF == 2, "one item at most is between two leaves");

// If the left side ends with half a leaf, one item must change sides. Returns the side that gives it: the right one
// (1), unless it would be left empty.
static int find_giver(int count, int left)
{
    return left + 1 < count;
}

static void join_side(abut_tree_item *side, const abut_tree_item *given)
{
    set_item(side, join(bounds_of(side), bounds_of(given)));
}

// Of the items, or of the picks if not NULL, returns the one whose middle times `sign` is least.
static int find_least(const abut_tree_item *items, const abut_tree_item **picks, int count, int axis, float sign)
{
    int least = 0;
    float least_middle = HUGE_VALF;
    for (int i = 0; i < count; ++i) {
        float middle = sign * middle_of(picks != NULL ? picks[i] : &items[i], axis);
        least = middle < least_middle ? i : least;
        least_middle = middle < least_middle ? middle : least_middle;
    }
    return least;
}

static void swap_items(abut_tree_item *a, abut_tree_item *b)
{
    abut_tree_item kept = *a;
    *a = *b;
    *b = kept;
}

static int part_items(abut_tree_item *items, int count, const bin_scale *scale)
{
    int left = 0;
    for (int i = 0; i < count; ++i) {
        bounds moved = bounds_of(&items[i]);
        int is_left = place_of(scale, &items[i]) < scale->limit;
        set_item(&items[i], bounds_of(&items[left]));
        set_item(&items[left], moved);
        left += is_left;
    }
    return left;
}

int abut_tree_cut_items(abut_tree_item *items, int count, const abut_tree_item *box, abut_tree_item sides[2])
{
    const abut_tree_item *picks[SAMPLE_COUNT];
    int pick_count = 0, step = ((count - 1) / SAMPLE_COUNT + 1) | 1;
    for (int i = 0; i < count; i += step) {
        picks[pick_count++] = &items[i];
    }
    bin_scale scale;
    float places[SAMPLE_COUNT];
    if (!find_cut(picks, pick_count, box, &scale, places, sides)) {
        return give_halves(count, box, sides);
    }
    int left = part_items(items, count, &scale);
    if (left % ABUT_TREE_LEAF == 0) {
        return left;
    }
    // Move the item nearest to the cut across it.
    int giver = find_giver(count, left), begin = giver ? left : 0, taken = giver ? left : left - 1;
    int nearest =
        begin + find_least(items + begin, NULL, giver ? count - left : left, scale.axis, giver ? 1.0f : -1.0f);
    join_side(&sides[1 - giver], &items[nearest]);
    swap_items(&items[taken], &items[nearest]);
    return giver ? left + 1 : left - 1;
}

static int part_picks(const abut_tree_item **picks, const float *places, int count, float limit)
{
    const abut_tree_item *others[ABUT_TREE_BLOCK];
    size_t left = 0, right = 0;
    for (int i = 0; i < count; ++i) {
        const abut_tree_item *pick = picks[i];
        size_t is_left = places[i] < limit;
        picks[left] = others[right] = pick;
        left += is_left;
        right += 1 - is_left;
    }
    memcpy(picks + left, others, right * sizeof *picks);
    return (int)left;
}

// ---- small ranges

static void sort_picks(const abut_tree_item **picks, int count, int axis)
{
    float middles[SORTED_COUNT];
    for (int i = 0; i < count; ++i) {
        const abut_tree_item *pick = picks[i];
        float middle = middle_of(pick, axis);
        int k = i;
        for (; k > 0 && middles[k - 1] > middle; --k) {
            middles[k] = middles[k - 1];
            picks[k] = picks[k - 1];
        }
        middles[k] = middle;
        picks[k] = pick;
    }
}

// Sorts along an axis and cuts between leaves where the cost is least.
static int cut_sorted(const abut_tree_item **picks, int count, int axis, abut_tree_item sides[2])
{
    bounds leaves[SORTED_LEAVES], lefts[SORTED_LEAVES], rights[SORTED_LEAVES], left = no_bounds(), right = left;
    float left_surfaces[SORTED_LEAVES], right_surfaces[SORTED_LEAVES], least = FLT_MAX;
    int last = (count - 1) / ABUT_TREE_LEAF, best = 0;
    sort_picks(picks, count, axis);
    if (last == 1) {
        return ABUT_TREE_LEAF; // two leaves: there is only one cut, and nobody needs their boxes
    }
    for (int i = 0; i < SORTED_LEAVES; ++i) {
        int first = i < last ? i * ABUT_TREE_LEAF : last * ABUT_TREE_LEAF, second = first + (first + 1 < count);
        leaves[i] = join(bounds_of(picks[first]), bounds_of(picks[second]));
    }
    for (int i = 0; i < SORTED_LEAVES; ++i) {
        lefts[i] = left = join(leaves[i], left);
        rights[SORTED_LEAVES - 1 - i] = right;
        right = join(leaves[SORTED_LEAVES - 1 - i], right);
    }
    abut_float4_store(left_surfaces, find_surfaces(lefts));
    abut_float4_store(right_surfaces, find_surfaces(rights));
    for (int i = 0; i < last; ++i) {
        int left_count = (i + 1) * ABUT_TREE_LEAF;
        float cost = (float)left_count * left_surfaces[i] + (float)(count - left_count) * right_surfaces[i];
        best = cost < least ? i : best;
        least = cost < least ? cost : least;
    }
    set_item(&sides[0], lefts[best]);
    set_item(&sides[1], rights[best]);
    return (best + 1) * ABUT_TREE_LEAF;
}

int abut_tree_cut_picks(const abut_tree_item **picks, int count, const abut_tree_item *box, abut_tree_item sides[2])
{
    bin_scale scale;
    float places[ABUT_TREE_BLOCK];
    if (count <= SORTED_COUNT) {
        return cut_sorted(picks, count, longest_axis(box), sides);
    }
    if (!find_cut(picks, count, box, &scale, places, sides)) {
        return give_halves(count, box, sides);
    }
    int left = part_picks(picks, places, count, scale.limit);
    if (left % ABUT_TREE_LEAF == 0) {
        return left;
    }
    int giver = find_giver(count, left), begin = giver ? left : 0, taken = giver ? left : left - 1;
    int nearest =
        begin + find_least(NULL, picks + begin, giver ? count - left : left, scale.axis, giver ? 1.0f : -1.0f);
    const abut_tree_item *pick = picks[nearest];
    join_side(&sides[1 - giver], pick);
    picks[nearest] = picks[taken];
    picks[taken] = pick;
    return giver ? left + 1 : left - 1;
}
