// SPDX-License-Identifier: MIT
// impact.c: the times at which two moving features touch
//
// A set of time intervals is cut until each part is proven free of touches, or is too short to cut. An interval is free
//   - if the volume has one sign in it: all its Bernstein coefficients exceed the rounding error; or
//   - if a fixed direction d separates the features in it: d . v > 0, by more than the rounding error, for all control
//     points v of the relative vectors. The direction is that of the nearest points in the middle of the interval.
// Features that touch pass neither test at that time, so no touch is missed, whatever the input. Features that are apart
// pass the second one once the interval is short enough, unless they are as near as the rounding error.
// A touch is proven where the volume changes its sign for sure while the origin is strictly inside of the relative
// vectors, seen along the normal: signs of polynomials of degree 4 (8) in the Bernstein basis.
// What plain arithmetic leaves in doubt is looked at again with twice the digits (moving_fine.c), and if only doubtful
// touches remain, exact arithmetic gets the last word on the sign of the volume (moving_exact.c).
//
// Source:  Tang, Tong, Wang, Manocha 2014 use Bernstein signs of the volume for such tests; the separation by a fixed
//          direction, which covers all degenerate cases, is ours.
// Cost:    no allocation. Most pairs end at the first interval. A touch that cannot be proven (through an edge, say)
//          takes about 100 intervals. A touch that lasts takes parts that grow as it goes on.
#include "math/bernstein.h"
#include "prim/moving.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

#include <abut/support.h>
#include <string.h>

enum { STACK = 64, LEVELS = 48, NODES = 1000, PATIENCE = 60, FINE_TRIES = 20 };
static const double FINE = 0x1p-12;   // doubtful intervals of this length are looked at with twice the digits first
static const double CAREFUL = 0x1p-8; // intervals of this length get the best direction; longer ones are cut first
static const double SHORT = 0x1p-36; // a doubtful crossing is known this well; shorter intervals are not cut for it

typedef struct impact_search {
    const abut_moving_pair *pair;
    abut_moving moving;
    double limit;        // a dot product must exceed it for a separation: the wanted one, and rounding errors
    int uses_volume;     // no separation is asked for
    double speed;        // largest change of a coordinate of a relative vector in a unit of time
    double least;        // intervals of this length are not cut
    int is_exact_done;   // the exact volume is zero at some time
    int fine_count;      // tries with twice the digits
    double fine_success; // length of the last interval for which that helped
    double fine;         // intervals of this length are tried with twice the digits
    int is_first_only;
    int is_time_only; // no weights are wanted
    abut_impacts *out;
} impact_search;

// The order in which the relative vectors go around the parallelogram.
static const int around[2][4] = {{0, 1, 2, 0}, {0, 1, 3, 2}};

// ---------------------------------------------------------------------------------------------------------------
// Separation

/// Control points of the relative vectors over [s, e]; for degree 1, those at s and e.
static void restrict_vectors(const abut_moving *m, double s, double e, abut_vec3 out[MOVING_PATH + 1][4])
{
    for (int i = 0; i < m->vector_count; ++i) {
        abut_vec3 a = m->vectors[0][i], b = m->vectors[1][i];
        if (m->degree == 1) {
            out[0][i] = abut_add_scaled(abut_scale(1.0 - s, a), s, b);
            out[1][i] = abut_add_scaled(abut_scale(1.0 - e, a), e, b);
        } else {
            abut_vec3 c = m->vectors[2][i];
            const double x[3] = {s, s, e}, y[3] = {s, e, e};
            for (int k = 0; k < 3; ++k) { // the blossom at (x, y)
                double p = 1.0 - x[k], q = 1.0 - y[k];
                out[k][i] =
                    abut_add_scaled(abut_add_scaled(abut_scale(p * q, a), p * y[k] + x[k] * q, b), x[k] * y[k], c);
            }
        }
    }
}

/// The normal of the two features.
static abut_vec3 normal_of(const abut_moving *m, const abut_vec3 *v)
{
    return m->kind == ABUT_VERTEX_FACE ? abut_cross(abut_sub(v[0], v[1]), abut_sub(v[0], v[2]))
                                       : abut_cross(abut_sub(v[2], v[0]), abut_sub(v[0], v[1]));
}

/// Whether the origin is inside of the hull of the vectors, seen along the normal.
static int is_inside(const abut_moving *m, const abut_vec3 *v, abut_vec3 normal)
{
    const int *order = around[m->kind];
    int positive = 0, negative = 0;
    for (int i = 0; i < m->vector_count; ++i) {
        double side = abut_dot(abut_cross(v[order[i]], v[order[(i + 1) % m->vector_count]]), normal);
        positive += side > 0.0;
        negative += side < 0.0;
    }
    return positive == m->vector_count || negative == m->vector_count;
}

/// The point of an edge of the hull that is nearest to the origin.
typedef struct border_point {
    abut_vec3 point;
    double distance_squared;
    abut_vec3 edge;
    int corner_index; // which of the vectors: the point itself, or a corner of its edge
    int is_within;    // the point is not a corner
} border_point;

static border_point nearest_border(const abut_moving *m, const abut_vec3 *v, int first, int last)
{
    const int *order = around[m->kind];
    border_point best = {.distance_squared = HUGE_VAL};
    for (int i = first; i < last; ++i) {
        int next = order[(i + 1) % m->vector_count];
        abut_vec3 a = v[order[i]], edge = abut_sub(v[next], a);
        double squared = abut_norm_squared(edge), along = -abut_dot(a, edge);
        along = along <= 0.0 || !(squared > 0.0) ? 0.0 : along >= squared ? 1.0 : along / squared;
        abut_vec3 point = abut_add_scaled(a, along, edge);
        double distance = abut_norm_squared(point);
        if (distance < best.distance_squared) {
            best.distance_squared = distance;
            best.point = point;
            best.edge = edge;
            best.corner_index = along < 1.0 ? order[i] : next;
            best.is_within = along > 0.0 && along < 1.0;
        }
    }
    return best;
}

/// The direction from the origin to a point of the border, at right angles to the edge that it is on; zero if there is none.
static abut_vec3 border_direction(const border_point *border)
{
    if (!(border->distance_squared > 0.0)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    abut_vec3 d = abut_scale(1.0 / sqrt(border->distance_squared), border->point);
    if (border->is_within) {
        double tilt = abut_dot(d, border->edge) / abut_norm_squared(border->edge);
        d = abut_unit(abut_add_scaled(d, -tilt, border->edge));
    }
    return d;
}

/// A vector without its parts along directions that are at right angles to each other.
static abut_vec3 without(abut_vec3 v, const abut_vec3 *directions, int count)
{
    for (int i = 0; i < count; ++i) {
        v = abut_add_scaled(v, -abut_dot(v, directions[i]), directions[i]);
    }
    return v;
}

/// Mends a direction to the border. The nearer it is, the more do rounding errors tilt the direction: by about u S over
/// the distance, which may put other corners on the wrong side. A corner that is there is brought to the height of the
/// nearest one; twice at most, since then the direction is that of the normal. All products of the result with vectors
/// from the nearest corner to others are then at least some -u S.
static abut_vec3 level(const abut_moving *m, const abut_vec3 *v, const border_point *border)
{
    abut_vec3 flat[2], corner = v[border->corner_index], d = border_direction(border);
    int count = border->is_within;
    flat[0] = abut_unit(border->edge);
    while (count < 2) {
        abut_vec3 lowest = {0.0, 0.0, 0.0};
        double least = 0.0;
        for (int i = 0; i < m->vector_count; ++i) {
            abut_vec3 way = abut_sub(v[i], corner);
            double height = abut_dot(d, way);
            if (height < least) {
                least = height;
                lowest = way;
            }
        }
        if (!(least < 0.0)) {
            break;
        }
        // Twice: what is nearly parallel leaves a short rest, with an error of the length before.
        lowest = abut_unit(without(lowest, flat, count));
        flat[count] = abut_unit(without(lowest, flat, count));
        ++count;
        d = abut_unit(without(d, flat, count));
        d = abut_unit(without(d, flat, count));
    }
    return d;
}

/// Whether a direction of length 1 separates all control points.
static int separates(const impact_search *q, abut_vec3 d, abut_vec3 v[MOVING_PATH + 1][4])
{
    int is_apart = 1;
    for (int step = 0; step <= q->moving.degree; ++step) {
        for (int i = 0; i < q->moving.vector_count; ++i) {
            is_apart &= abut_dot(d, v[step][i]) > q->limit; // false for NaN
        }
    }
    return is_apart;
}

/// Whether a direction to the border separates the features in a short interval, after all care: rounding errors may also
/// pick the wrong one of two edges that are nearly parallel.
static int is_apart_with_care(const impact_search *q, const abut_vec3 *middle, abut_vec3 v[MOVING_PATH + 1][4])
{
    const abut_moving *m = &q->moving;
    for (int i = 0; i < m->vector_count; ++i) {
        border_point border = nearest_border(m, middle, i, i + 1);
        if (separates(q, level(m, middle, &border), v)) {
            return 1;
        }
    }
    return 0;
}

/// Whether a fixed direction separates the features in [s, e].
static int is_apart(const impact_search *q, double s, double e)
{
    const abut_moving *m = &q->moving;
    abut_vec3 v[MOVING_PATH + 1][4], middle[4];
    restrict_vectors(m, s, e, v);
    for (int i = 0; i < m->vector_count; ++i) {
        middle[i] = m->degree == 1 ? abut_add(v[0][i], v[1][i])
                                   : abut_add(abut_add(v[0][i], v[2][i]), abut_scale(2.0, v[1][i]));
    }
    // What is nearer than it moves may touch: then the interval is cut.
    double factor = m->degree == 1 ? 2.0 : 4.0; // of `middle`
    double near = factor * (q->limit + q->speed * (e - s)), size = factor * m->size;
    abut_vec3 normal = normal_of(m, middle);
    if (is_inside(m, middle, normal)) {
        double height = abut_dot(normal, middle[0]);
        if (separates(q, abut_unit(height < 0.0 ? abut_negate(normal) : normal), v)) {
            return 1;
        }
        // The normal of a needle is inaccurate: then the border decides at short intervals. Coordinates have errors of
        // 4 u S, the normal of 80 u S^2, the height of 256 u S^3.
        if (e - s > CAREFUL || fabs(height) + 0x1p-45 * size * size * size <= near * abut_norm(normal)) {
            return 0;
        }
    }
    border_point border = nearest_border(m, middle, 0, m->vector_count);
    return separates(q, border_direction(&border), v) ||
           (e - s <= CAREFUL && border.distance_squared > near * near && is_apart_with_care(q, middle, v));
}

// ---------------------------------------------------------------------------------------------------------------
// Proof

/// Whether the origin is strictly inside of the relative vectors, seen along the normal, at all times in [s, e].
static int is_surely_inside(const impact_search *q, double s, double e)
{
    const abut_moving *m = &q->moving;
    const int *order = around[m->kind];
    abut_vec3 v[MOVING_PATH + 1][4], path[4][MOVING_PATH + 1], edges[2][MOVING_PATH + 1];
    restrict_vectors(m, s, e, v);
    for (int k = 0; k <= m->degree; ++k) {
        for (int i = 0; i < m->vector_count; ++i) {
            path[i][k] = v[k][i];
        }
        int is_face = m->kind == ABUT_VERTEX_FACE;
        edges[0][k] = is_face ? abut_sub(v[k][0], v[k][1]) : abut_sub(v[k][2], v[k][0]);
        edges[1][k] = is_face ? abut_sub(v[k][0], v[k][2]) : abut_sub(v[k][0], v[k][1]);
    }
    int n = 2 * m->degree;
    abut_vec3 normal[2 * MOVING_PATH + 1], moment[2 * MOVING_PATH + 1];
    abut_bernstein_cross(edges[0], m->degree, edges[1], m->degree, normal);
    // All coordinates are at most S, with errors of 8 u S. Normals: 2 products of differences below 2 S, with errors
    // of 10 u S: errors of 2 * 2 * (2 * 20 + 4) u S^2 < 180 u S^2, size 8 S^2. Moments: errors of 2 * 18 u S^2, size
    // 2 S^2. Three products of these, and sums over at most five: 3 (2 * 180 + 8 * 36 + 16 * 5) u S^4 < 2^12 u S^4.
    double noise = 0x1p-41 * m->size * m->size * m->size * m->size;
    int positive = 0, negative = 0;
    for (int i = 0; i < m->vector_count; ++i) {
        double inside[4 * MOVING_PATH + 1];
        abut_bernstein_cross(path[order[i]], m->degree, path[order[(i + 1) % m->vector_count]], m->degree, moment);
        abut_bernstein_dot(moment, n, normal, n, inside);
        double least = inside[0], most = inside[0];
        for (int k = 1; k <= 2 * n; ++k) {
            least = fmin(least, inside[k]);
            most = fmax(most, inside[k]);
        }
        positive += least > noise;
        negative += most < -noise;
    }
    return positive == m->vector_count || negative == m->vector_count;
}

/// Where the origin is in a short interval, seen along the normal: 1 surely inside of the relative vectors, -1 surely
/// outside, 0 not known. One look at the begin, since nothing moves far: with coordinates below S and their speeds below
/// 4 S, edges have 2 S and 8 S, normals 8 S^2 and 64 S^2, moments 2 S^2 and 16 S^2, and products of the two change by less
/// than 3 (16 * 8 + 2 * 64) S^4 = 768 S^4 per unit of time. Rounding errors are below those of is_surely_inside().
static int find_place(const impact_search *q, double s, double e)
{
    const abut_moving *m = &q->moving;
    const int *order = around[m->kind];
    abut_vec3 v[MOVING_PATH + 1][4];
    restrict_vectors(m, s, s, v);
    abut_vec3 normal = normal_of(m, v[0]);
    double noise = (0x1p-41 + 768.0 * (e - s)) * m->size * m->size * m->size * m->size;
    int positive = 0, negative = 0;
    for (int i = 0; i < m->vector_count; ++i) {
        double side = abut_dot(abut_cross(v[0][order[i]], v[0][order[(i + 1) % m->vector_count]]), normal);
        positive += side > noise;
        negative += side < -noise;
    }
    if (positive > 0 && negative > 0) {
        return -1;
    }
    return positive == m->vector_count || negative == m->vector_count;
}

// ---------------------------------------------------------------------------------------------------------------
// Touches

static abut_vec3 path_point(const abut_moving_pair *pair, int vertex, double t)
{
    double r = 1.0 - t;
    if (!pair->is_curved) {
        return abut_add_scaled(abut_scale(r, pair->start[vertex]), t, pair->end[vertex]);
    }
    return abut_add_scaled(
        abut_add_scaled(abut_scale(r * r, pair->start[vertex]), 2.0 * r * t, pair->middle[vertex]), t * t,
        pair->end[vertex]);
}

/// The nearest points at a time.
static void find_weights(const impact_search *q, double t, double weights[4])
{
    abut_vec3 v[4];
    abut_vec3 origin = path_point(q->pair, 0, t);
    for (int i = 0; i < 4; ++i) {
        v[i] = abut_scale(q->moving.scale, abut_sub(path_point(q->pair, i, t), origin));
    }
    if (q->pair->kind == ABUT_VERTEX_FACE) {
        weights[0] = 1.0;
        (void)abut_point_triangle_distance_squared(v[0], v + 1, weights + 1);
    } else {
        (void)abut_segment_segment_distance_squared(v[0], v[1], v[2], v[3], &weights[1], &weights[3]);
        weights[0] = 1.0 - weights[1];
        weights[2] = 1.0 - weights[3];
    }
}

/// Whether a doubtful interval that begins at s belongs to the last touch: the gap is not longer than that touch. Near a
/// touch without crossing, rounding errors decide which intervals are free.
static int follows_last(const impact_search *q, double s)
{
    if (q->out->count == 0) {
        return 0;
    }
    const abut_impact *last = &q->out->items[q->out->count - 1];
    return s - last->upper <= last->upper - last->lower || q->out->count == ABUT_IMPACT_CAPACITY;
}

/// Adds a touch. It is joined to the last one if both are doubtful and near, or if there is no room.
static void add_touch(impact_search *q, abut_impact touch)
{
    abut_impacts *out = q->out;
    abut_impact *last = &out->items[out->count > 0 ? out->count - 1 : 0];
    if (out->count == ABUT_IMPACT_CAPACITY || (touch.side == 0 && follows_last(q, touch.lower))) {
        last->upper = touch.upper;
        last->is_certain |= touch.is_certain;
    } else {
        out->items[out->count++] = touch;
    }
}

/// Looks for a crossing in [s, e], in which the volume (restricted: c) is monotone and changes its sign. Returns 1 if
/// that settles the interval.
static int settle_crossing(impact_search *q, double s, double e, const double *c)
{
    const abut_moving *m = &q->moving;
    int n = 3 * m->degree;
    double noise = m->volume_noise;
    int rising = c[0] < 0.0;
    if (!(rising ? c[0] < -noise && c[n] > noise : c[0] > noise && c[n] < -noise)) {
        return 0;
    }
    double slope = HUGE_VAL;
    for (int i = 0; i < n; ++i) {
        slope = fmin(slope, rising ? c[i + 1] - c[i] : c[i] - c[i + 1]);
    }
    if (!(slope > 2.0 * noise)) {
        return 0;
    }
    // The slope is at least n (slope - 2 noise) per interval: beyond `margin` the sign is sure.
    double root = abut_bernstein_root(c, n, 0.0, 1.0, rising);
    double margin = fmax(2.0 * noise / (n * (slope - 2.0 * noise)), 0x1p-50);
    if (!(margin * (e - s) < SHORT)) {
        return 0;
    }
    abut_impact touch = {.time = s + root * (e - s), .side = rising ? -1 : 1};
    touch.lower = fmax(s, s + (root - margin) * (e - s) - 0x1p-52);
    touch.upper = fmin(e, s + (root + margin) * (e - s) + 0x1p-52);
    touch.time = fmin(fmax(touch.time, touch.lower), touch.upper);
    int place = find_place(q, touch.lower, touch.upper);
    if (place < 0) {
        return 1;
    }
    touch.is_certain = place > 0 || is_surely_inside(q, touch.lower, touch.upper);
    if (touch.is_certain ||
        (!is_apart(q, touch.lower, touch.upper) && !abut_moving_is_free(q->pair, m, touch.lower, touch.upper))) {
        add_touch(q, touch);
    }
    return 1;
}

/// Whether [s, e] is settled by the volume: no touch, or a crossing, which is added.
static int settle_by_volume(impact_search *q, double s, double e)
{
    double c[MOVING_VOLUME + 1];
    int n = 3 * q->moving.degree;
    memcpy(c, q->moving.volume, sizeof c);
    bernstein_restrict(c, n, s, e);
    double least = c[0], most = c[0];
    for (int i = 1; i <= n; ++i) {
        least = c[i] < least ? c[i] : least;
        most = c[i] > most ? c[i] : most;
    }
    if (least > q->moving.volume_noise || most < -q->moving.volume_noise) {
        return 1;
    }
    return !is_apart(q, s, e) ? settle_crossing(q, s, e, c) : 1;
}

/// Tries a doubtful interval with twice the digits. That is slow: after a success longer intervals are tried, since
/// features may slide at a distance of some ulps; after a failure those of the length that succeeded last, or much
/// shorter ones. Features that slide at such a distance for long use up the tries and then count as touching.
static int is_finely_free(impact_search *q, double s, double e, int is_last)
{
    double length = e - s;
    if (!q->uses_volume || (length > q->fine && !is_last) || q->fine_count == FINE_TRIES) {
        return 0;
    }
    ++q->fine_count;
    if (abut_moving_is_free(q->pair, &q->moving, s, e)) {
        q->fine_success = length;
        q->fine = 4.0 * length;
        return 1;
    }
    q->fine = length > q->fine_success && q->fine_success > 0.0 ? q->fine_success : 0x1p-20 * length;
    return 0;
}

/// Looks for touches in [0, 1], in the order of time. A part that continues a touch may be as long as that, so a touch
/// that lasts takes few parts. If there are too many intervals all the same, the rest of the time counts as touching.
static void search(impact_search *q)
{
    double begins[STACK], ends[STACK];
    int depth = 1;
    begins[0] = 0.0;
    ends[0] = 1.0;
    while (depth > 0 && !(q->is_first_only && q->out->count > 0)) {
        double s = begins[--depth], e = ends[depth];
        ++q->out->nodes;
        if (q->uses_volume ? settle_by_volume(q, s, e) : is_apart(q, s, e)) {
            continue;
        }
        double least = q->least;
        if (follows_last(q, s)) {
            const abut_impact *last = &q->out->items[q->out->count - 1];
            least = fmax(least, last->upper - last->lower);
        }
        int is_last = e - s <= least || q->out->nodes > NODES;
        if (is_finely_free(q, s, e, is_last)) {
            continue;
        }
        if (q->out->nodes >= PATIENCE && !q->is_exact_done && q->uses_volume) {
            q->is_exact_done = 1;
            if (abut_moving_volume_is_nonzero(q->pair)) {
                q->out->count = 0;
                return;
            }
        }
        if (is_last) {
            abut_impact touch = {.lower = s, .upper = e, .time = s};
            add_touch(q, touch);
            continue;
        }
        double middle = 0.5 * (s + e);
        begins[depth] = middle;
        ends[depth++] = e;
        begins[depth] = s;
        ends[depth++] = middle;
    }
}

/// Cuts what is surely apart from the end of a touch that lasts. Returns 0 if nothing is left: such intervals are reported
/// if there were too many.
static int trim(impact_search *q, abut_impact *touch)
{
    double begin = touch->lower, end = touch->upper;
    for (int i = 0; i < LEVELS && end - begin > q->least; ++i) {
        double middle = 0.5 * (begin + end);
        ++q->out->nodes;
        if (is_apart(q, middle, end)) {
            end = middle;
        } else {
            begin = middle;
        }
    }
    touch->upper = end;
    return begin > touch->lower || !is_apart(q, begin, end);
}

static void finish(impact_search *q)
{
    abut_impacts *out = q->out;
    int is_doubtful = q->uses_volume, kept = 0;
    for (int i = 0; i < out->count; ++i) {
        is_doubtful &= !out->items[i].is_certain;
    }
    if (out->count > 0 && is_doubtful && !q->is_exact_done && abut_moving_volume_is_nonzero(q->pair)) {
        out->count = 0;
    }
    for (int i = 0; i < out->count; ++i) {
        abut_impact *touch = &out->items[i];
        int is_long = touch->side == 0 && touch->upper - touch->lower > 4.0 * q->least;
        // Without the others a search for the first touch must not drop it.
        if (!q->is_first_only && is_long && !trim(q, touch)) {
            continue;
        }
        if (!q->is_time_only) {
            find_weights(q, touch->time, touch->weights);
        }
        if (kept < i) {
            out->items[kept] = *touch;
        }
        ++kept;
    }
    out->count = kept;
}

void abut_impact_params_init(abut_impact_params *params, size_t size)
{
    const abut_impact_params made = {.struct_size = sizeof made};
    abut_write_versioned(params, size, &made, sizeof made);
}

static abut_status find_impacts(const abut_moving_pair *pair, const abut_impact_params *params, int is_time_only,
                                abut_impacts *touches)
{
    touches->count = touches->nodes = 0;
    abut_impact_params p = abut_impact_params_default();
    if ((params != NULL && !abut_read_versioned(&p, sizeof p, params)) ||
        (pair->kind != ABUT_VERTEX_FACE && pair->kind != ABUT_EDGE_EDGE)) {
        return ABUT_BAD_ARGUMENT;
    }
    impact_search q;
    if (!(p.separation >= 0.0 && p.separation <= 1e100) || !abut_moving_make(pair, &q.moving)) {
        return ABUT_BAD_DATA;
    }
    double separation = p.separation * q.moving.scale;
    if (abut_moving_axis_separates(&q.moving, separation)) {
        return ABUT_OK;
    }
    q.pair = pair;
    q.fine = FINE;
    q.fine_success = 0.0;
    q.is_exact_done = 0;
    q.fine_count = 0;
    q.out = touches;
    q.is_first_only = p.is_first_only;
    q.is_time_only = is_time_only;
    q.uses_volume = separation == 0.0;
    q.limit = separation * (1.0 + 0x1p-50) + q.moving.noise;
    q.speed = 0.0;
    for (int step = 0; step < q.moving.degree; ++step) {
        for (int i = 0; i < q.moving.vector_count; ++i) {
            abut_vec3 way = abut_abs(abut_sub(q.moving.vectors[step + 1][i], q.moving.vectors[step][i]));
            q.speed = fmax(q.speed, q.moving.degree * abut_max_component(way));
        }
    }
    // Within an interval of this length nothing moves by more than the noise.
    q.least = q.speed > q.moving.noise ? fmax(q.moving.noise / q.speed, ldexp(1.0, -LEVELS)) : 1.0;
    if (q.uses_volume) {
        abut_moving_find_volume(pair, &q.moving);
    }
    search(&q);
    finish(&q);
    return ABUT_OK;
}

abut_status abut_find_impacts(const abut_moving_pair *pair, const abut_impact_params *params, abut_impacts *touches)
{
    return find_impacts(pair, params, 0, touches);
}

double abut_first_impact_time(const abut_moving_pair *pair, double separation)
{
    abut_impact_params params = {.struct_size = sizeof params, .is_first_only = 1, .separation = separation};
    abut_impacts impacts;
    abut_status status = find_impacts(pair, &params, 1, &impacts);
    return status != ABUT_OK ? (double)NAN : impacts.count > 0 ? impacts.items[0].lower : HUGE_VAL;
}
