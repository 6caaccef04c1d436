// SPDX-License-Identifier: MIT
// identity.c: the ids of contacts over time
//
// A contact with the features of an earlier one is the same. Of several with the same features, the nearest are. But
// features change without a change of the contact: where corner lies on corner, rounding decides which edges meet. So
// a contact whose features are new takes the id of the nearest one that is left, seen from either body, if this is near
// and has a similar normal. Contacts that are gone are known for some more queries. Nothing of this depends on the order
// of triangles, on threads or on where the bodies are in the world.
//
// Cost: linear if the contacts have the features of the last query, in the same order; else n log n.
#include "method/identity.h"

#include "method/feature_hash.h"
#include "method/matching.h"
#include "method/pair_memory.h"

static const double nearness = 1e-2;   ///< of the size: contacts this near may be the same, with other features
static const double drift = 1e-3;      ///< of the size: places in the memory are written again after such a way
static const double match_step = 1e-9; ///< of the size: distances are compared in such steps

enum {
    LONGEST_ABSENCE = 8, ///< queries
    FEW_TWINS = 64       ///< up to so many contacts with the features of others are all compared with each other
};

uint64_t abut_contact_features(const abut_contact *c)
{
    uint64_t hash = abut_hash_features(c->feature_a, c->feature_b);
    return abut_hash_feature(abut_hash_mix(hash, (uint64_t)c->normal_side), c->normal_feature);
}

/// The contacts of this query and those that the memory knows.
typedef struct identification {
    abut_sink *sink;
    abut_contact **now;       ///< in the order of delivery
    abut_known_contact *seen; ///< what the memory will know of them
    int count;
    const abut_known_contact *known;
    int known_count;
    int *matches;            ///< by contact: the known one that it is, or -1
    unsigned char *is_taken; ///< by known contact
} identification;

static abut_known_contact seen_of(const identification *d, const abut_contact *c)
{
    const abut_pair *pair = d->sink->query->pair;
    abut_known_contact seen = {.features = abut_contact_features(c), .id = c->id};
    seen.points[0] = abut_pose_apply_inverse(pair->a.pose, c->position_a);
    seen.points[1] = abut_pose_apply_inverse(pair->b.pose, c->position_b);
    seen.normal = abut_quat_rotate(abut_quat_conjugate(pair->a.pose.rotation), c->normal);
    return seen;
}

static int has_moved(const identification *d, const abut_known_contact *x, const abut_known_contact *y)
{
    double least = drift * d->sink->query->size;
    return abut_norm_squared(abut_sub(x->points[0], y->points[0])) > least * least &&
           abut_norm_squared(abut_sub(x->points[1], y->points[1])) > least * least;
}

/// Takes all ids at once if the features are those of the last query. Sets `is_still` if the memory need not change.
/// Returns 0 if they are not.
static int take_all(identification *d, int *is_still)
{
    if (d->count != d->known_count) {
        return 0;
    }
    for (int i = 0; i < d->count; ++i) {
        if (d->seen[i].features != d->known[i].features || d->known[i].has_twin || d->known[i].age > 0) {
            return 0;
        }
    }
    *is_still = 1;
    for (int i = 0; i < d->count; ++i) {
        d->seen[i].id = d->now[i]->id = d->known[i].id;
        *is_still &= !has_moved(d, &d->seen[i], &d->known[i]);
    }
    return 1;
}

static int compare_features(const void *user, int left, int right)
{
    const abut_known_contact *x = (const abut_known_contact *)user + left,
                             *y = (const abut_known_contact *)user + right;
    return x->features < y->features ? -1 : x->features > y->features;
}

static void take(identification *d, int now, int known)
{
    d->matches[now] = known;
    d->is_taken[known] = 1;
}

static abut_match_item item_of(const abut_known_contact *c, int group, double reach)
{
    abut_match_item item = {
        .points = {c->points[0], c->points[1]}, .normal = c->normal, .reach = reach, .group = group};
    return item;
}

/// Contacts that are matched by their places, with their indices.
typedef struct candidates {
    abut_match_item *items;
    int *indices;
    int count;
} candidates;

static int make_candidates(abut_arena *arena, int room, candidates *made)
{
    made->items = abut_arena_take(arena, ((size_t)room + 1) * sizeof *made->items);
    made->indices = abut_arena_take(arena, ((size_t)room + 1) * sizeof *made->indices);
    made->count = 0;
    return made->items != NULL && made->indices != NULL;
}

static void add_candidate(candidates *to, const abut_known_contact *c, int index, int group)
{
    to->items[to->count] = item_of(c, group, 0.0);
    to->indices[to->count++] = index;
}

/// Matches candidates that are within reach of each other. Returns 0 if memory ran out.
static int match_candidates(identification *d, candidates *now, const candidates *known, double reach)
{
    abut_arena *arena = &d->sink->arena;
    int *found = abut_arena_take(arena, ((size_t)now->count + 1) * sizeof *found);
    for (int i = 0; i < now->count; ++i) {
        now->items[i].reach = reach;
    }
    if (found == NULL || !abut_match_near(arena, known->items, known->count, now->items, now->count,
                                          match_step * d->sink->query->size, found)) {
        return 0;
    }
    for (int i = 0; i < now->count; ++i) {
        if (found[i] >= 0) {
            take(d, now->indices[i], known->indices[found[i]]);
        }
    }
    return 1;
}

static int group_end(const abut_known_contact *contacts, const int *order, int count, int begin)
{
    int end = begin + 1;
    while (end < count && contacts[order[end]].features == contacts[order[begin]].features) {
        ++end;
    }
    return end;
}

/// Matches contacts with the same features. Returns 0 if memory ran out.
static int match_features(identification *d, const int *now_order)
{
    abut_arena *arena = &d->sink->arena;
    const int *known_order = abut_arena_order(arena, d->known_count, compare_features, d->known);
    candidates now, known;
    if (known_order == NULL || !make_candidates(arena, d->count, &now) ||
        !make_candidates(arena, d->known_count, &known)) {
        return 0;
    }
    for (int i = 0, k = 0; i < d->count && k < d->known_count;) {
        uint64_t x = d->seen[now_order[i]].features, y = d->known[known_order[k]].features;
        int i_end = x <= y ? group_end(d->seen, now_order, d->count, i) : i;
        int k_end = x >= y ? group_end(d->known, known_order, d->known_count, k) : k;
        if (x == y && i_end - i == 1 && k_end - k == 1) {
            take(d, now_order[i], known_order[k]);
        }
        for (int m = i; x == y && i_end - i + k_end - k > 2 && m < i_end; ++m) {
            add_candidate(&now, &d->seen[now_order[m]], now_order[m], i);
        }
        for (int m = k; x == y && i_end - i + k_end - k > 2 && m < k_end; ++m) {
            add_candidate(&known, &d->known[known_order[m]], known_order[m], i);
        }
        i = i_end;
        k = k_end;
    }
    int is_few = now.count <= FEW_TWINS && known.count <= FEW_TWINS;
    return now.count == 0 ||
           match_candidates(d, &now, &known, is_few ? HUGE_VAL : 10.0 * nearness * d->sink->query->size);
}

/// Matches what is left by place. Returns 0 if memory ran out.
static int match_places(identification *d)
{
    candidates now, known;
    if (!make_candidates(&d->sink->arena, d->count, &now) ||
        !make_candidates(&d->sink->arena, d->known_count, &known)) {
        return 0;
    }
    for (int i = 0; i < d->count; ++i) {
        if (d->matches[i] < 0) {
            add_candidate(&now, &d->seen[i], i, 0);
        }
    }
    for (int i = 0; i < d->known_count; ++i) {
        if (!d->is_taken[i]) {
            add_candidate(&known, &d->known[i], i, 0);
        }
    }
    return now.count == 0 || known.count == 0 || match_candidates(d, &now, &known, nearness * d->sink->query->size);
}

static int compare_ids(const void *user, int left, int right)
{
    const abut_known_contact *x = (const abut_known_contact *)user + left,
                             *y = (const abut_known_contact *)user + right;
    return x->id < y->id ? -1 : x->id > y->id;
}

static int is_known_id(const identification *d, const int *by_id, uint64_t id)
{
    int low = 0, high = d->known_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (d->known[by_id[middle]].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < d->known_count && d->known[by_id[low]].id == id;
}

static void tell(identification *d, abut_event_kind kind, uint64_t id)
{
    abut_event event = {.kind = kind, .id = id, .other_id = id};
    (void)abut_sink_event(d->sink, &event);
}

/// Gives ids: those of the known contacts, and new ones that no known contact has. Returns 0 if memory ran out.
static int give_ids(identification *d)
{
    const int *by_id = abut_arena_order(&d->sink->arena, d->known_count, compare_ids, d->known);
    if (by_id == NULL) {
        return 0;
    }
    for (int i = 0; i < d->count; ++i) {
        int match = d->matches[i];
        uint64_t id = match >= 0 ? d->known[match].id : d->now[i]->id;
        while (match < 0 && is_known_id(d, by_id, id)) {
            id = abut_hash_mix(id, 1);
        }
        d->seen[i].id = d->now[i]->id = id;
        if (match < 0 || d->known[match].age > 0) {
            tell(d, ABUT_EVENT_BEGIN, id);
        }
    }
    for (int i = 0; i < d->known_count; ++i) {
        if (!d->is_taken[i] && d->known[i].age == 0) {
            tell(d, ABUT_EVENT_END, d->known[i].id);
        }
    }
    return 1;
}

/// Writes the contacts, and those that have not been gone for long, to the memory.
static int write_known(const identification *d)
{
    int kept = 0;
    for (int i = 0; i < d->known_count; ++i) {
        kept += !d->is_taken[i] && d->known[i].age < LONGEST_ABSENCE;
    }
    abut_known_contact *next = abut_memory_write_known(d->sink->query->pair->memory, d->count + kept);
    if (next == NULL) {
        return 0;
    }
    for (int i = 0; i < d->count; ++i) {
        *next++ = d->seen[i];
    }
    for (int i = 0; i < d->known_count; ++i) {
        if (!d->is_taken[i] && d->known[i].age < LONGEST_ABSENCE) {
            *next = d->known[i];
            ++next->age;
            ++next;
        }
    }
    return 1;
}

/// Matches contacts one by one, if they are not those of the last query. Returns 0 if memory ran out.
static int match_all(identification *d)
{
    abut_arena *arena = &d->sink->arena;
    const int *now_order = abut_arena_order(arena, d->count, compare_features, d->seen);
    d->matches = abut_arena_take(arena, ((size_t)d->count + 1) * sizeof *d->matches);
    if (now_order == NULL || d->matches == NULL) {
        return 0;
    }
    for (int i = 0; i < d->count; ++i) {
        int is_next = i > 0 && d->seen[now_order[i - 1]].features == d->seen[now_order[i]].features;
        d->matches[i] = -1;
        d->seen[now_order[i]].has_twin = is_next;
        if (is_next) {
            d->seen[now_order[i - 1]].has_twin = 1;
        }
    }
    return match_features(d, now_order) && match_places(d) && give_ids(d);
}

int abut_identify_contacts(abut_sink *sink, const int *order, int count)
{
    abut_memory *memory = sink->query->pair->memory;
    if (memory == NULL) {
        return 1;
    }
    identification d = {.sink = sink, .count = count};
    d.known = abut_memory_read_known(memory, &d.known_count);
    if (count == 0 && d.known_count == 0) {
        return 1;
    }
    d.now = abut_arena_take(&sink->arena, ((size_t)count + 1) * sizeof *d.now);
    d.seen = abut_arena_take(&sink->arena, ((size_t)count + 1) * sizeof *d.seen);
    d.is_taken = abut_arena_take(&sink->arena, (size_t)d.known_count + 1);
    if (d.now == NULL || d.seen == NULL || d.is_taken == NULL) {
        return 0;
    }
    abut_draft *drafts = sink->drafts.items;
    for (int i = 0; i < count; ++i) {
        d.now[i] = &drafts[order[i]].contact;
        d.seen[i] = seen_of(&d, d.now[i]);
    }
    int is_still = 0;
    for (int i = 0; i < d.known_count; ++i) {
        d.is_taken[i] = 0;
    }
    if (take_all(&d, &is_still)) {
        for (int i = 0; i < d.known_count; ++i) {
            d.is_taken[i] = 1;
        }
        return is_still || write_known(&d);
    }
    return match_all(&d) && write_known(&d);
}
