// SPDX-License-Identifier: MIT
// leaf.c: the quasi-LMD of two open simplices
//
// Compatible classes leave four kinds of pairs: vertex and vertex, vertex and edge, vertex and triangle, edge and edge.
// The nearest points of the lines and planes must lie in both open simplices, and the direction from one to the other
// must be in both polar cones, widened by theta where Table 2 says so.
//
// Neighbours share their borders: where a point leaves the prism above a triangle it enters the wedge above an edge, at
// the same place and with the same direction. All tests accept what rounding may have pushed over a border, so no
// position is lost between two owners. A position on a border has several, with the same place and normal, which become
// one contact when contacts are merged.
//
// Source:  Merlhiot 2007, section 6.3.
// Differs: the fourth condition says "at most" instead of "less than": with exact alignments the products are 0, and all
//          contacts would be lost.
//          A reentrant corner on an edge is widened on both sides, and makes no contact if the edge goes on over its
//          face: see is_loose().
#include "complex/leaf.h"

#include "complex/flatness.h"

/// Squared sine of the angle of two edges below which they have no nearest points.
static const double parallel = 1e-20;
static const double rounding = 4e-15; ///< of products: some roundings

const unsigned char abut_lmd_compatible[8] = {0x7f, 0x0f, 0x0f, 0x07, 0x01, 0x01, 0x01, 0x00};

/// Whether Table 2 widens the cone of the first of two classes by theta.
static int is_widened(int first, int second)
{
    static const unsigned char by[8] = {0x7c, 0x0e, 0x0e, 0x06, 0, 0, 0, 0};
    return by[first] >> second & 1;
}

static abut_vec3 corner_a(const abut_lmd_frame *f, int vertex)
{
    return f->a->vertices[vertex];
}

static abut_vec3 corner_b(const abut_lmd_frame *f, int vertex)
{
    return abut_add(abut_mat3_apply(f->rotation, f->b->vertices[vertex]), f->translation);
}

/// A direction, with what rounding does to it.
typedef struct direction {
    abut_vec3 d; ///< from a simplex to the other one, in the frame of the complex
    double distance;
    double turn; ///< radians
    int is_wide; ///< the polar cone is widened by theta
} direction;

/// How far rounding may turn what is as long or as high as `length`. Faces and edges that count as flat may be bent by as
/// much. Their nearest point may then be inside, where the search does not look; this much room lets it find a corner.
static double turn_of(const abut_complex *c, double length)
{
    return fmin(8.0 * c->noise / length, 2e-3);
}

/// Whether d . u <= sin(epsilon) |d| |u|, up to rounding, where u was made from vectors of length `made`.
static int is_below(const abut_lmd_frame *f, const abut_complex *c, const direction *to, abut_vec3 u, double made)
{
    double length = abut_norm(u), limit = to->is_wide ? f->sine : 0.0;
    double turn = to->turn + turn_of(c, length);
    return abut_dot(to->d, u) <=
           ((limit + turn) * to->distance + f->slack) * length + rounding * to->distance * made;
}

/// Condition 4 at a vertex: `d` in the frame of the complex.
static int is_polar_at_vertex(const abut_lmd_frame *f, const abut_complex *c, int vertex, const direction *to)
{
    abut_vec3 p = c->vertices[vertex];
    for (int i = c->spoke_offsets[vertex]; i < c->spoke_offsets[vertex + 1]; ++i) {
        const int *ends = c->edges + 2 * (size_t)c->spokes[i];
        abut_vec3 u = abut_sub(c->vertices[ends[0] == vertex ? ends[1] : ends[0]], p);
        if (!is_below(f, c, to, u, 0.0)) {
            return 0;
        }
    }
    return 1;
}

static int is_polar_at_edge(const abut_lmd_frame *f, const abut_complex *c, int edge, const direction *to)
{
    const int *ends = c->edges + 2 * (size_t)edge;
    abut_vec3 p = c->vertices[ends[0]], along = abut_sub(c->vertices[ends[1]], p);
    double squared = abut_norm_squared(along);
    for (int i = c->wing_offsets[edge]; i < c->wing_offsets[edge + 1]; ++i) {
        abut_vec3 way = abut_sub(c->vertices[abut_complex_apex(c, c->wings[i], edge)], p);
        abut_vec3 u = abut_add_scaled(way, -abut_dot(way, along) / squared, along);
        if (!is_below(f, c, to, u, abut_norm(way))) {
            return 0;
        }
    }
    return 1;
}

/// Condition 5 on one side.
static int is_in_cone(const abut_lmd_frame *f, const abut_lmd_bounds *leaf, const direction *to)
{
    // cos(half + theta), or all directions
    double cosine = to->is_wide ? leaf->cosine * f->cosine - leaf->sine * f->sine : leaf->cosine;
    double sine = to->is_wide ? leaf->sine * f->cosine + leaf->cosine * f->sine : leaf->sine;
    double along = abut_dot(to->d, leaf->axis);
    along = leaf->is_two_sided ? fabs(along) : along;
    return !(sine > 0.0 && along < to->distance * (cosine - 1e-6) - f->slack);
}

/// Condition 4 on one side.
static int is_polar(const abut_lmd_frame *f, const abut_complex *c, int simplex, const direction *to)
{
    if (simplex < c->vertex_count) {
        return is_polar_at_vertex(f, c, simplex, to);
    }
    int edge = simplex - c->vertex_count;
    return edge >= c->info.edge_count || is_polar_at_edge(f, c, edge, to);
}

// ---- nearest points of lines and planes, if they are inside

/// Whether edges end at a vertex before it: a reentrant corner, which does not own what is at the end of its edges.
static int is_closed_end(int simplex_class)
{
    return simplex_class != 3 && simplex_class != ABUT_NO_CLASS;
}

/// Whether the share t of an edge of this length is inside; moves it to the end if rounding put it outside. An end that is
/// not closed must be farther away than rounding can be wrong.
static int is_inside_edge(double *t, double length, double slack, const int closed[2])
{
    if (*t * length < (closed[0] ? -slack : slack) || (1.0 - *t) * length < (closed[1] ? -slack : slack)) {
        return 0;
    }
    *t = fmin(fmax(*t, 0.0), 1.0);
    return 1;
}

static int on_segment(const abut_lmd_frame *f, abut_vec3 p, const abut_vec3 s[2], const int closed[2],
                      abut_vec3 *foot)
{
    abut_vec3 along = abut_sub(s[1], s[0]);
    double squared = abut_norm_squared(along), t = abut_dot(abut_sub(p, s[0]), along) / squared;
    if (!is_inside_edge(&t, sqrt(squared), f->slack, closed)) {
        return 0;
    }
    *foot = abut_add_scaled(s[0], t, along);
    return 1;
}

static int on_triangle(const abut_lmd_frame *f, abut_vec3 p, const abut_vec3 t[3], abut_vec3 *foot)
{
    abut_vec3 e = abut_sub(t[1], t[0]), g = abut_sub(t[2], t[0]);
    abut_vec3 normal = abut_cross(e, g);
    double made = abut_norm(e) * abut_norm(g);
    for (int k = 0; k < 3; ++k) {
        abut_vec3 side = abut_sub(t[(k + 1) % 3], t[k]), way = abut_sub(p, t[k]);
        abut_vec3 inward = abut_cross(normal, side);
        double error = rounding * abut_norm(way) * made * abut_norm(side);
        if (abut_dot(way, inward) < -f->slack * abut_norm(inward) - error) {
            return 0;
        }
    }
    abut_vec3 n = abut_unit(normal);
    *foot = abut_add_scaled(p, -abut_dot(abut_sub(p, t[0]), n), n);
    return 1;
}

static int on_segments(const abut_lmd_frame *f, const abut_vec3 s[2], const abut_vec3 t[2], const int closed[4],
                       abut_vec3 *foot_s, abut_vec3 *foot_t)
{
    abut_vec3 e = abut_sub(s[1], s[0]), g = abut_sub(t[1], t[0]), w = abut_sub(t[0], s[0]);
    abut_vec3 n = abut_cross(e, g);
    double ee = abut_norm_squared(e), gg = abut_norm_squared(g), nn = abut_norm_squared(n);
    if (!(nn > parallel * ee * gg)) {
        return 0;
    }
    double share_s = abut_dot(abut_cross(w, g), n) / nn, share_t = abut_dot(abut_cross(w, e), n) / nn;
    double slack = f->slack * sqrt(ee * gg / nn);
    if (!is_inside_edge(&share_s, sqrt(ee), slack, closed) ||
        !is_inside_edge(&share_t, sqrt(gg), slack, closed + 2)) {
        return 0;
    }
    // what was moved to an end moves the other foot, by much if the edges are nearly parallel
    *foot_s = abut_add_scaled(s[0], share_s, e);
    share_t = abut_dot(abut_sub(*foot_s, t[0]), g) / gg;
    if (!is_inside_edge(&share_t, sqrt(gg), f->slack, closed + 2)) {
        return 0;
    }
    *foot_t = abut_add_scaled(t[0], share_t, g);
    return 1;
}

/// How far rounding may turn the direction between the nearest points of two simplices, given by their corners.
static double turn_between(const abut_lmd_frame *f, const abut_vec3 *p, int count_a, const abut_vec3 *q,
                           int count_b, double distance)
{
    double turn = 0.0;
    for (int i = 0; i < 2; ++i) {
        const abut_complex *c = i == 0 ? f->a : f->b;
        const abut_vec3 *corners = i == 0 ? p : q;
        int count = i == 0 ? count_a : count_b;
        if (count == 1) {
            turn += count_a + count_b == 2 ? turn_of(c, distance) : 0.0;
            continue;
        }
        abut_vec3 e = abut_sub(corners[1], corners[0]);
        double height = abut_norm(e);
        if (count == 3) {
            abut_vec3 g = abut_sub(corners[2], corners[0]), h = abut_sub(corners[2], corners[1]);
            double longest = fmax(height, fmax(abut_norm(g), abut_norm(h)));
            height = abut_norm(abut_cross(e, g)) / longest;
        }
        turn += turn_of(c, height);
    }
    return turn;
}

// ---- reentrant corners

/// Whether the triangles at a vertex that have this normal cover the half plane on one side of `along`: `side` is in that
/// half plane, and all three are unit vectors.
static int is_half_covered(const abut_complex *c, int vertex, abut_vec3 normal, abut_vec3 along, abut_vec3 side)
{
    const double pi = 3.14159265358979323846, least_room = 1e-9;
    double covered = 0.0, room = 0.0;
    for (int is_growing = 1; is_growing && covered < pi - room;) {
        is_growing = 0;
        for (int i = c->spoke_offsets[vertex]; i < c->spoke_offsets[vertex + 1]; ++i) {
            int edge = c->spokes[i];
            for (int k = c->wing_offsets[edge]; k < c->wing_offsets[edge + 1]; ++k) {
                const int *ends = c->edges + 2 * (size_t)edge;
                abut_vec3 p = c->vertices[vertex];
                abut_vec3 u = abut_sub(c->vertices[ends[0] == vertex ? ends[1] : ends[0]], p);
                abut_vec3 w = abut_sub(c->vertices[abut_complex_apex(c, c->wings[k], edge)], p);
                double turn =
                    least_room + turn_of(c, abut_norm(abut_cross(u, w)) / fmax(abut_norm(u), abut_norm(w)));
                if (abut_norm(abut_cross(abut_unit(abut_cross(u, w)), normal)) > 1e-6 + 8.0 * turn) {
                    continue;
                }
                double from = atan2(abut_dot(u, side), abut_dot(u, along));
                double to = atan2(abut_dot(w, side), abut_dot(w, along));
                double low = fmin(from, to), high = fmax(from, to);
                if (high - low > pi) { // through the angle pi
                    double first = low;
                    low = high;
                    high = first + 2.0 * pi;
                }
                if (low <= covered + turn && high > covered + turn) {
                    covered = high;
                    room = turn;
                    is_growing = 1;
                }
            }
        }
    }
    return covered >= pi - room;
}

/// Whether a reentrant corner (class 3) is but a place on an edge that goes on over the corner's face: one side of the edge
/// is nothing but face. The smallest motion to that side takes such a contact away, against condition (2), and it carries
/// nothing: the edge ends, or leaves the face, elsewhere on both sides. Where an edge leaves the face at the corner, only
/// their pair is always there: the edge may pass above both borders of the face without a nearest point on either.
static int is_loose(const abut_complex *c, const abut_lmd_bounds *corner, const abut_complex *other, int simplex,
                    abut_mat3 turn)
{
    int pair[2] = {simplex - other->vertex_count, 0};
    if (simplex < other->vertex_count && !abut_complex_straight_edges(other, simplex, pair)) {
        return 0;
    }
    const int *ends = other->edges + 2 * (size_t)pair[0];
    abut_vec3 way = abut_mat3_apply(turn, abut_sub(other->vertices[ends[1]], other->vertices[ends[0]]));
    abut_vec3 normal = abut_unit(corner->axis), side = abut_unit(abut_cross(normal, way));
    abut_vec3 along = abut_cross(side, normal);
    return is_half_covered(c, ~corner->child, normal, along, side) ||
           is_half_covered(c, ~corner->child, normal, along, abut_negate(side));
}

/// Whether either of two simplices is a loose reentrant corner on the other.
static int is_either_loose(const abut_lmd_frame *f, const abut_lmd_bounds *a, const abut_lmd_bounds *b)
{
    int class_a = f->a->classes[~a->child], class_b = f->b->classes[~b->child];
    if (class_a == 3 && (class_b == 1 || class_b == 2)) {
        return is_loose(f->a, a, f->b, ~b->child, f->rotation);
    }
    return class_b == 3 && (class_a == 1 || class_a == 2) &&
           is_loose(f->b, b, f->a, ~a->child, abut_mat3_transpose(f->rotation));
}

static int have_common_corner(const abut_complex *complex, int simplex, int other)
{
    int corners[2][3];
    int count = abut_complex_corners(complex, simplex, corners[0]);
    int count_other = abut_complex_corners(complex, other, corners[1]);
    for (int i = 0; i < count * count_other; ++i) {
        if (corners[0][i / count_other] == corners[1][i % count_other]) {
            return 1;
        }
    }
    return 0;
}

int abut_lmd_of_leaves(const abut_lmd_frame *frame, int leaf_a, int leaf_b, abut_lmd *lmd)
{
    const abut_lmd_frame *f = frame;
    abut_lmd_bounds bounds_a = abut_lmd_get_bounds(f->a->nodes, leaf_a);
    abut_lmd_bounds bounds_b = abut_lmd_get_bounds(f->b->nodes, leaf_b);
    int simplex_a = ~bounds_a.child, simplex_b = ~bounds_b.child;
    int class_a = f->a->classes[simplex_a], class_b = f->b->classes[simplex_b];
    if (!(abut_lmd_compatible[class_a] >> class_b & 1) ||
        (f->is_self && (simplex_a >= simplex_b || have_common_corner(f->a, simplex_a, simplex_b)))) {
        return ABUT_LMD_NONE;
    }
    int corners[3], closed[4] = {1, 1, 1, 1};
    abut_vec3 p[3], q[3], x, y;
    int count_a = abut_complex_corners(f->a, simplex_a, corners);
    for (int k = 0; k < count_a; ++k) {
        p[k] = corner_a(f, corners[k]);
        closed[k % 2] = is_closed_end(f->a->classes[corners[k]]);
    }
    int count_b = abut_complex_corners(f->b, simplex_b, corners);
    for (int k = 0; k < count_b; ++k) {
        q[k] = corner_b(f, corners[k]);
        closed[2 + k % 2] = is_closed_end(f->b->classes[corners[k]]);
    }
    x = p[0];
    y = q[0];
    int is_in = count_a == 1   ? (count_b == 1 ||
                                (count_b == 2 ? on_segment(f, x, q, closed + 2, &y) : on_triangle(f, x, q, &y)))
                : count_b == 1 ? (count_a == 2 ? on_segment(f, y, p, closed, &x) : on_triangle(f, y, p, &x))
                               : on_segments(f, p, q, closed, &x, &y);
    if (!is_in) {
        return ABUT_LMD_NONE;
    }
    abut_vec3 d = abut_sub(y, x);
    double distance = abut_norm(d);
    if (distance > f->reach) {
        return ABUT_LMD_NONE;
    }
    if (distance <= f->zero) {
        return ABUT_LMD_TOUCHING;
    }
    abut_vec3 back = abut_negate(abut_mat3_apply_transposed(f->rotation, d));
    direction to_b = {d, distance, 0.0, is_widened(class_a, class_b)};
    direction to_a = {back, distance, 0.0, is_widened(class_b, class_a)};
    if (!is_in_cone(f, &bounds_a, &to_b) || !is_in_cone(f, &bounds_b, &to_a)) {
        return ABUT_LMD_NONE;
    }
    to_b.turn = to_a.turn = turn_between(f, p, count_a, q, count_b, distance);
    if (!is_polar(f, f->a, simplex_a, &to_b) || !is_polar(f, f->b, simplex_b, &to_a) ||
        is_either_loose(f, &bounds_a, &bounds_b)) {
        return ABUT_LMD_NONE;
    }
    *lmd = (abut_lmd){x, y, distance, simplex_a, simplex_b};
    return ABUT_LMD_FOUND;
}
