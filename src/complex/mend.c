// SPDX-License-Identifier: MIT
// mend.c: degenerate triangles collapsed and flipped away
//
// An edge of no length is collapsed: its ends become one vertex, and triangles that named both disappear. A triangle
// with one corner on its longest side is flipped: the triangle across that side is cut in two at the corner. Both keep
// a closed surface closed. Each may leave work for the other, so they take turns. A flat triangle whose longest side is a
// border of the surface is left out.
//
// Source: Merlhiot 2007, section 4.3, which asks for non-degenerate complexes and leaves the way open.
#include "base/sort.h"
#include "complex/complex.h"

#include <stdlib.h>

/// Rounds of flips, and triangles that are looked at in all of them: after both the rest is left out. In a fan of flat
/// triangles every one waits for the next.
enum { ROUNDS = 256, EFFORT = 6000000 };

typedef struct mender {
    abut_complex_soup *soup;
    const abut_context *context;
    int *order, *scratch; ///< of sides or triangles
    int capacity;
    unsigned char *marks;   ///< by triangle: to be left out
    unsigned char *touched; ///< by triangle: part of a flip of this round
} mender;

static void join(abut_complex_soup *s, int *roots, int a, int b)
{
    if (abut_norm(abut_sub(s->vertices[a], s->vertices[b])) <= s->thinnest) {
        s->collapsed_count += abut_complex_join_roots(roots, a, b);
    }
}

static int is_double_corner(const int *t)
{
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

static void keep_triangle(abut_complex_soup *s, int from, int to)
{
    for (int k = 0; k < 3; ++k) {
        s->triangles[3 * to + k] = s->triangles[3 * from + k];
    }
    s->faces[to] = s->faces[from];
    s->is_solid[to] = s->is_solid[from];
}

/// Collapses edges and segments of no length. Returns 0 if memory ran out.
static int collapse(abut_complex_soup *s, const abut_context *context)
{
    int before = s->collapsed_count;
    int *roots = abut_allocate(context, (size_t)s->vertex_count, sizeof *roots);
    if (roots == NULL) {
        return 0;
    }
    for (int i = 0; i < s->vertex_count; ++i) {
        roots[i] = i;
    }
    for (int i = 0; i < 3 * s->triangle_count; ++i) {
        join(s, roots, s->triangles[i], s->triangles[i % 3 == 2 ? i - 2 : i + 1]);
    }
    for (int i = 0; i < s->segment_count; ++i) {
        join(s, roots, s->segments[2 * i], s->segments[2 * i + 1]);
    }
    if (s->collapsed_count > before) {
        int kept = 0;
        for (int i = 0; i < s->triangle_count; ++i) {
            int *t = s->triangles + 3 * (size_t)i;
            for (int k = 0; k < 3; ++k) {
                t[k] = abut_complex_find_root(roots, t[k]);
            }
            if (!is_double_corner(t)) {
                keep_triangle(s, i, kept++);
            }
        }
        s->triangle_count = kept;
        kept = 0;
        for (int i = 0; i < s->segment_count; ++i) {
            int a = abut_complex_find_root(roots, s->segments[2 * i]),
                b = abut_complex_find_root(roots, s->segments[2 * i + 1]);
            s->points[s->point_count] = a; // what is left of a collapsed segment; a used vertex otherwise
            s->point_count += a == b;
            s->segments[2 * kept] = a;
            s->segments[2 * kept + 1] = b;
            kept += a != b;
        }
        s->segment_count = kept;
        for (int i = 0; i < s->point_count; ++i) {
            s->points[i] = abut_complex_find_root(roots, s->points[i]);
        }
    }
    abut_free(context, roots);
    return 1;
}

/// The side of a triangle opposite its flattest corner if that corner is on it, else -1.
static int flat_side(const abut_complex_soup *s, int triangle)
{
    const int *t = s->triangles + 3 * (size_t)triangle;
    abut_vec3 p[3], edges[3];
    int longest = 0;
    for (int k = 0; k < 3; ++k) {
        p[k] = s->vertices[t[k]];
    }
    for (int k = 0; k < 3; ++k) {
        edges[k] = abut_sub(p[(k + 1) % 3], p[k]);
        longest = abut_norm_squared(edges[k]) > abut_norm_squared(edges[longest]) ? k : longest;
    }
    double length = abut_norm(edges[longest]);
    double doubled_area = abut_norm(abut_cross(edges[0], edges[1]));
    return doubled_area <= s->thinnest * length ? longest : -1;
}

static void side_ends(const abut_complex_soup *s, int side, int ends[2])
{
    int a = s->triangles[side], b = s->triangles[side % 3 == 2 ? side - 2 : side + 1];
    ends[0] = a < b ? a : b;
    ends[1] = a < b ? b : a;
}

static int compare_sides(const void *user, int left, int right)
{
    int a[2], b[2];
    side_ends(user, left, a);
    side_ends(user, right, b);
    return a[0] != b[0] ? a[0] - b[0] : a[1] != b[1] ? a[1] - b[1] : left - right;
}

static void sorted_corners(const int *t, int c[3])
{
    int low = t[0] < t[1] ? t[0] : t[1], high = t[0] < t[1] ? t[1] : t[0];
    c[0] = low < t[2] ? low : t[2];
    c[2] = high > t[2] ? high : t[2];
    c[1] = t[0] ^ t[1] ^ t[2] ^ c[0] ^ c[2];
}

static int compare_triangles(const void *user, int left, int right)
{
    const abut_complex_soup *s = user;
    int a[3], b[3];
    sorted_corners(s->triangles + 3 * (size_t)left, a);
    sorted_corners(s->triangles + 3 * (size_t)right, b);
    for (int k = 0; k < 3; ++k) {
        if (a[k] != b[k]) {
            return a[k] - b[k];
        }
    }
    return left - right;
}

/// Whether two triangles of the same corners run the same way round.
static int is_same_way(const int *t, const int *u)
{
    int k = u[0] == t[0] ? 0 : u[1] == t[0] ? 1 : 2;
    return u[(k + 1) % 3] == t[1];
}

static int sorted_range(mender *m, int count, abut_index_compare *compare)
{
    if (count > m->capacity) {
        abut_free(m->context, m->order);
        m->capacity = count;
        m->order = abut_allocate(m->context, 2 * (size_t)count, sizeof *m->order);
        if (m->order == NULL) {
            return 0;
        }
    }
    m->scratch = m->order + count;
    for (int i = 0; i < count; ++i) {
        m->order[i] = i;
    }
    abut_sort_indices(m->order, m->scratch, count, compare, m->soup);
    return 1;
}

/// Leaves out the marked triangles and clears the marks.
static void drop_marked(mender *m)
{
    abut_complex_soup *s = m->soup;
    int kept = 0;
    for (int i = 0; i < s->triangle_count; ++i) {
        if (!m->marks[i]) {
            keep_triangle(s, i, kept++);
        }
        m->marks[i] = 0;
    }
    s->dropped_count += s->triangle_count - kept;
    s->triangle_count = kept;
}

/// Of triangles with the same corners one stays. If `folds`, two that face each other are a fold without volume that a
/// collapse or a flip left behind, and both go. Of flat ones, those that face each other cancel, and all others stay.
static int drop_doubles(mender *m, int folds)
{
    abut_complex_soup *s = m->soup;
    if (!sorted_range(m, s->triangle_count, compare_triangles)) {
        return 0;
    }
    for (int i = 0, end; i < s->triangle_count; i = end) {
        const int *first = s->triangles + 3 * (size_t)m->order[i];
        int corners[3], others[3], net = 0; // how many more run as the first one does
        sorted_corners(first, corners);
        for (end = i; end < s->triangle_count; ++end) {
            const int *t = s->triangles + 3 * (size_t)m->order[end];
            sorted_corners(t, others);
            if (others[0] != corners[0] || others[1] != corners[1] || others[2] != corners[2]) {
                break;
            }
            net += is_same_way(first, t) ? 1 : -1;
        }
        if (end == i + 1) {
            continue;
        }
        int is_flat = flat_side(s, m->order[i]) >= 0, wanted = is_flat ? abs(net) : net != 0 || !folds;
        int way = net >= 0 || (!is_flat && !folds); // the first one's, or the other
        for (int k = i; k < end; ++k) {
            int stays = wanted > 0 && is_same_way(first, s->triangles + 3 * (size_t)m->order[k]) == way;
            m->marks[m->order[k]] = !stays;
            wanted -= stays;
        }
    }
    drop_marked(m);
    return 1;
}

/// Flips side `side` of a flat triangle: (a, b, c) and (b, a, d) become (c, a, d) and (d, b, c).
static void flip(abut_complex_soup *s, int side, int twin)
{
    int t = side / 3, u = twin / 3;
    int a = s->triangles[side], b = s->triangles[twin];
    int c = s->triangles[3 * t + (side + 2) % 3], d = s->triangles[3 * u + (twin + 2) % 3];
    const int flipped[2][3] = {{c, a, d}, {d, b, c}};
    for (int k = 0; k < 3; ++k) {
        s->triangles[3 * t + k] = flipped[0][k];
        s->triangles[3 * u + k] = flipped[1][k];
    }
    s->faces[t] = s->faces[u]; // both lie in the triangle that was cut
}

/// The end of the sides in `order` that join the same vertices as the one at `begin`.
static int end_of_edge(const mender *m, int begin)
{
    const abut_complex_soup *s = m->soup;
    int ends[2], others[2], end = begin + 1;
    side_ends(s, m->order[begin], ends);
    for (; end < 3 * s->triangle_count; ++end) {
        side_ends(s, m->order[end], others);
        if (others[0] != ends[0] || others[1] != ends[1]) {
            break;
        }
    }
    return end;
}

/// Of the sides in order[begin] to order[end - 1], one that runs against `side`: better one that no flip of this round
/// touches, and better one of a triangle that is not flat. -1 if there is none. Where more than two triangles meet at an
/// edge, any such one will do: the two triangles after a flip have the same border as the two before, so that what is
/// closed stays so, and what lies on each other cancels out in the end.
static int find_twin(const mender *m, int side, int begin, int end)
{
    const abut_complex_soup *s = m->soup;
    int best = -1, best_rank = 0;
    for (int i = begin; i < end; ++i) {
        int twin = m->order[i], t = twin / 3;
        if (s->triangles[twin] != s->triangles[side] && s->is_solid[t] == s->is_solid[side / 3]) {
            int rank = 1 + 2 * !m->touched[t] + (flat_side(s, t) < 0);
            best = rank > best_rank ? twin : best;
            best_rank = rank > best_rank ? rank : best_rank;
        }
    }
    return best;
}

/// Whether a side is one of a flat triangle that has a longer one, which is to be flipped first: else two flat triangles
/// could flip back and forth.
static int has_longer_side(const abut_complex_soup *s, int side)
{
    int longest = flat_side(s, side / 3);
    return longest >= 0 && longest != side % 3;
}

/// One round: every flat triangle is flipped with a neighbour that no other flip of the round touches, or left out if
/// its long side has no neighbour. Returns how many are flipped or wait, or -1 if memory ran out.
static int flip_round(mender *m, int is_last)
{
    abut_complex_soup *s = m->soup;
    int flat_count = 0, flip_count = 0, waiting = 0;
    for (int i = 0; i < s->triangle_count; ++i) {
        flat_count += flat_side(s, i) >= 0;
    }
    if (flat_count == 0) {
        return 0;
    }
    if (!sorted_range(m, 3 * s->triangle_count, compare_sides)) {
        return -1;
    }
    int *flips = m->scratch; // pairs of sides, of which there is at most one for every two triangles
    for (int i = 0, end; i < 3 * s->triangle_count; i = end) {
        end = end_of_edge(m, i);
        for (int k = i; k < end; ++k) {
            int side = m->order[k], t = side / 3;
            if (m->touched[t] || flat_side(s, t) != side % 3) {
                continue;
            }
            int twin = is_last ? -1 : find_twin(m, side, i, end);
            if (twin < 0) {
                m->marks[t] = m->touched[t] = 1;
            } else if (m->touched[twin / 3] || has_longer_side(s, twin)) {
                ++waiting;
            } else {
                m->touched[t] = m->touched[twin / 3] = 1;
                flips[2 * flip_count] = side;
                flips[2 * flip_count++ + 1] = twin;
            }
        }
    }
    for (int i = 0; i < flip_count; ++i) {
        flip(s, flips[2 * i], flips[2 * i + 1]);
    }
    for (int i = 0; i < s->triangle_count; ++i) {
        m->touched[i] = 0;
    }
    s->flipped_count += flip_count;
    drop_marked(m);
    return flip_count + waiting;
}

int abut_complex_mend(abut_complex_soup *soup, const abut_context *context)
{
    mender m = {.soup = soup, .context = context};
    m.marks = abut_allocate_zeroed(context, (size_t)soup->triangle_count, 1);
    m.touched = abut_allocate_zeroed(context, (size_t)soup->triangle_count, 1);
    int is_good = m.marks != NULL && m.touched != NULL && drop_doubles(&m, 0);
    int64_t effort = 0;
    for (int round = 0, count = 1; is_good && count > 0; ++round) {
        effort += soup->triangle_count;
        is_good = collapse(soup, context) && // flips make edges of no length, too
                  (soup->collapsed_count + soup->flipped_count == 0 || drop_doubles(&m, 1));
        count = is_good ? flip_round(&m, round >= ROUNDS && effort > EFFORT) : -1;
        is_good = count >= 0;
    }
    abut_free(context, m.marks);
    abut_free(context, m.touched);
    abut_free(context, m.order);
    return is_good;
}
