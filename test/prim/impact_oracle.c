// SPDX-License-Identifier: MIT
// impact_oracle.c: whether two moving features touch, decided by exact rational arithmetic
#include "impact_oracle.h"
#include "exact_poly.h"

#include <math.h>

enum { EASY = 6 }; // halvings before common divisors are looked for

// The times that are asked for.
static double span_begin = 0.0, span_end = 1.0;

// ---------------------------------------------------------------------------------------------------------------
// Equations e = 0 and inequalities s >= 0, of which the last `strict_count` are s > 0

typedef struct conditions {
    const poly *equations[4];
    int equation_count;
    const poly *inequalities[6];
    int inequality_count, strict_count;
} conditions;

static int holds_for_sign(const conditions *c, int i, int sign)
{
    return sign > 0 || (sign == 0 && i < c->inequality_count - c->strict_count);
}

static int holds_at(const conditions *c, const dyadic *t)
{
    for (int i = 0; i < c->equation_count; ++i) {
        if (exact_sign_at(c->equations[i], t) != 0) {
            return 0;
        }
    }
    for (int i = 0; i < c->inequality_count; ++i) {
        if (!holds_for_sign(c, i, exact_sign_at(c->inequalities[i], t))) {
            return 0;
        }
    }
    return 1;
}

static void init_time(dyadic *d, double t)
{
    int e;
    double fraction = frexp(t, &e);
    mpz_init_set_si(d->n, (long)ldexp(fraction, 53));
    d->shift = (unsigned)(53 - e);
    while (d->shift > 0 && mpz_even_p(d->n)) { // also for 0
        mpz_fdiv_q_2exp(d->n, d->n, 1);
        --d->shift;
    }
}

static void init_span(dyadic *begin, dyadic *end)
{
    init_time(begin, span_begin);
    init_time(end, span_end);
}

// Halves (a, b] around its only root of the chain. Returns 1 if the root is b.
static int refine(const chain *s, dyadic *a, dyadic *b)
{
    dyadic m;
    mpz_init(m.n);
    exact_match(a, b);
    mpz_add(m.n, a->n, b->n);
    m.shift = a->shift + 1;
    int at_a = exact_sign_at(&s->p[0], a), at_b = exact_sign_at(&s->p[0], b), at_m = exact_sign_at(&s->p[0], &m);
    int is_before; // a chain counts each root once; if there is one and the signs differ, it is where they change
    if (at_m == 0 || at_b == 0) {
        is_before = at_m == 0;
    } else {
        is_before = at_a * at_b < 0 ? at_a * at_m < 0 : exact_roots_in(s, a, &m) > 0;
    }
    dyadic *moved = is_before ? b : a;
    mpz_set(moved->n, m.n);
    moved->shift = m.shift;
    mpz_clear(m.n);
    return is_before ? at_m == 0 : at_b == 0;
}

// The sign of p at the only root of the chain in (a, b], which is not a.
static int sign_at_root(const chain *s, dyadic *a, dyadic *b, const poly *p)
{
    if (p->degree < 0) {
        return 0;
    }
    if (exact_sign_at(&s->p[0], b) == 0) {
        return exact_sign_at(p, b);
    }
    int sign = exact_sign_between(p, a, b), is_end = 0;
    for (int i = 0; i < EASY && sign == 0 && !is_end; ++i) {
        is_end = refine(s, a, b);
    }
    sign = sign != 0 ? sign : is_end ? exact_sign_at(p, b) : exact_sign_between(p, a, b);
    if (sign != 0 || is_end) {
        return sign;
    }
    poly common;
    exact_poly_init(&common);
    exact_poly_set(&common, &s->p[0]);
    exact_poly_gcd(&common, p);
    int is_zero = 0;
    if (common.degree > 0) {
        chain shared;
        exact_chain_make(&shared, &common);
        is_zero = exact_roots_in(&shared, a, b) > 0;
        exact_chain_clear(&shared);
    }
    exact_poly_clear(&common);
    while (!is_zero && sign == 0) {
        if (refine(s, a, b)) {
            return exact_sign_at(p, b);
        }
        sign = exact_sign_between(p, a, b);
    }
    return sign;
}

static int holds_at_root(const conditions *c, const chain *s, dyadic *a, dyadic *b)
{
    for (int i = 0; i < c->equation_count; ++i) {
        if (sign_at_root(s, a, b, c->equations[i]) != 0) {
            return 0;
        }
    }
    for (int i = 0; i < c->inequality_count; ++i) {
        if (!holds_for_sign(c, i, sign_at_root(s, a, b, c->inequalities[i]))) {
            return 0;
        }
    }
    return 1;
}

// Whether the conditions hold at a root of the chain in (a, b].
static int holds_within(const conditions *c, const chain *s, const dyadic *a, const dyadic *b)
{
    int count = exact_roots_in(s, a, b);
    if (count == 0) {
        return 0;
    }
    dyadic x, y;
    mpz_init_set(x.n, a->n);
    mpz_init_set(y.n, b->n);
    x.shift = a->shift;
    y.shift = b->shift;
    int holds;
    if (count == 1) {
        holds = holds_at_root(c, s, &x, &y);
    } else {
        dyadic m;
        mpz_init(m.n);
        mpz_mul_2exp(x.n, x.n, (y.shift > x.shift ? y.shift - x.shift : 0));
        mpz_mul_2exp(y.n, y.n, (x.shift > y.shift ? x.shift - y.shift : 0));
        x.shift = y.shift = x.shift > y.shift ? x.shift : y.shift;
        mpz_add(m.n, x.n, y.n);
        m.shift = x.shift + 1;
        holds = holds_within(c, s, &x, &m) || holds_within(c, s, &m, &y);
        mpz_clear(m.n);
    }
    mpz_clears(x.n, y.n, NULL);
    return holds;
}

static int holds_at_roots_of(const conditions *c, const poly *p)
{
    if (p->degree < 1) {
        return 0;
    }
    dyadic begin, end;
    init_span(&begin, &end);
    chain s;
    exact_chain_make(&s, p);
    int holds = holds_within(c, &s, &begin, &end);
    exact_chain_clear(&s);
    mpz_clears(begin.n, end.n, NULL);
    return holds;
}

/// Whether a time of the span satisfies all. If the equations hold always, the set of times is closed up to the strict
/// inequalities, which other conditions cover: an end of the span or a root of an inequality is in it.
static int is_satisfiable(const conditions *c)
{
    dyadic begin, end;
    init_span(&begin, &end);
    int holds = holds_at(c, &begin) || holds_at(c, &end);
    mpz_clears(begin.n, end.n, NULL);
    if (holds) {
        return 1;
    }
    poly common;
    exact_poly_init(&common);
    for (int i = 0; i < c->equation_count; ++i) {
        exact_poly_gcd(&common, c->equations[i]);
    }
    if (common.degree >= 0) {
        holds = holds_at_roots_of(c, &common);
    } else {
        for (int i = 0; i < c->inequality_count && !holds; ++i) {
            holds = holds_at_roots_of(c, c->inequalities[i]);
        }
    }
    exact_poly_clear(&common);
    return holds;
}

// ---------------------------------------------------------------------------------------------------------------
// Features

typedef struct vector {
    poly x[3];
} vector;

static void vector_init(vector *v)
{
    for (int i = 0; i < 3; ++i) {
        exact_poly_init(&v->x[i]);
    }
}

static void vector_clear(vector *v)
{
    for (int i = 0; i < 3; ++i) {
        exact_poly_clear(&v->x[i]);
    }
}

static void vector_sub(vector *v, const vector *a, const vector *b)
{
    vector_init(v);
    for (int i = 0; i < 3; ++i) {
        exact_poly_add(&v->x[i], &a->x[i], -1, &b->x[i]);
    }
}

static void vector_cross(vector *v, const vector *a, const vector *b)
{
    vector_init(v);
    for (int i = 0; i < 3; ++i) {
        exact_poly_add_product(&v->x[i], 1, &a->x[(i + 1) % 3], &b->x[(i + 2) % 3]);
        exact_poly_add_product(&v->x[i], -1, &a->x[(i + 2) % 3], &b->x[(i + 1) % 3]);
    }
}

// p += s a . b
static void add_dot(poly *p, int s, const vector *a, const vector *b)
{
    for (int i = 0; i < 3; ++i) {
        exact_poly_add_product(p, s, &a->x[i], &b->x[i]);
    }
}

// All coordinates are multiples of 2^lowest.
static int lowest_exponent(const abut_moving_pair *pair)
{
    int lowest = 2000;
    const abut_vec3 *rows[3] = {pair->start, pair->end, pair->middle};
    for (int r = 0; r < (pair->is_curved ? 3 : 2); ++r) {
        for (int i = 0; i < 4; ++i) {
            const double x[3] = {rows[r][i].x, rows[r][i].y, rows[r][i].z};
            for (int k = 0; k < 3; ++k) {
                int e;
                if (x[k] != 0.0) {
                    (void)frexp(x[k], &e);
                    lowest = e - 53 < lowest ? e - 53 : lowest;
                }
            }
        }
    }
    return lowest;
}

static void set_double(mpz_t z, double x, int lowest)
{
    int e;
    double fraction = frexp(x, &e);
    mpz_set_si(z, (long)ldexp(fraction, 53));
    if (x != 0.0) {
        mpz_mul_2exp(z, z, (mp_bitcnt_t)(e - 53 - lowest));
    }
}

static void set_path(vector *v, const abut_moving_pair *pair, int vertex, int lowest)
{
    vector_init(v);
    const abut_vec3 *s = &pair->start[vertex], *m = &pair->middle[vertex], *e = &pair->end[vertex];
    const double x[3][3] = {{s->x, s->y, s->z}, {m->x, m->y, m->z}, {e->x, e->y, e->z}};
    mpz_t start, middle, end;
    mpz_inits(start, middle, end, NULL);
    for (int k = 0; k < 3; ++k) {
        mpz_t *c = v->x[k].c;
        set_double(start, x[0][k], lowest);
        set_double(middle, pair->is_curved ? x[1][k] : 0.0, lowest);
        set_double(end, x[2][k], lowest);
        mpz_set(c[0], start);
        mpz_sub(c[1], pair->is_curved ? middle : end, start);
        if (pair->is_curved) { // s + 2 t (m - s) + t^2 (s - 2 m + e)
            mpz_mul_2exp(c[1], c[1], 1);
            mpz_add(c[2], start, end);
            mpz_submul_ui(c[2], middle, 2);
        }
        exact_poly_trim(&v->x[k], 2);
    }
    mpz_clears(start, middle, end, NULL);
}

/// p = distance^2 |b|^2 - |a x b|^2: not negative if a comes within the distance of the line of b.
static void set_nearness(poly *p, const mpz_t distance_squared, const vector *b, const vector *cross)
{
    exact_poly_init(p);
    add_dot(p, 1, b, b);
    for (int i = 0; i <= p->degree; ++i) {
        mpz_mul(p->c[i], p->c[i], distance_squared);
    }
    add_dot(p, -1, cross, cross);
}

/// Whether p is within a distance of a point at a time.
static int nears_point(const vector *p, const vector *a, const mpz_t distance_squared)
{
    vector way;
    vector_sub(&way, p, a);
    poly near, constant;
    exact_poly_init(&near);
    exact_poly_init(&constant);
    mpz_set(constant.c[0], distance_squared);
    exact_poly_add(&near, &near, 1, &constant);
    add_dot(&near, -1, &way, &way);
    conditions c = {{0}, 0, {&near}, 1, 0};
    int holds = is_satisfiable(&c);
    exact_poly_clear(&near);
    exact_poly_clear(&constant);
    vector_clear(&way);
    return holds;
}

/// Whether p is within a distance of the segment from a to b at a time at which p is between its ends.
static int nears_segment(const vector *p, const vector *a, const vector *b, const mpz_t distance_squared)
{
    vector pa, bp, edge, cross;
    vector_sub(&pa, p, a);
    vector_sub(&bp, b, p);
    vector_sub(&edge, b, a);
    vector_cross(&cross, &pa, &edge);
    poly near, after, before, square;
    set_nearness(&near, distance_squared, &edge, &cross);
    exact_poly_init(&after);
    exact_poly_init(&before);
    exact_poly_init(&square);
    add_dot(&after, 1, &pa, &edge);
    add_dot(&before, 1, &bp, &edge);
    add_dot(&square, 1, &edge, &edge);
    conditions c = {{0}, 0, {&near, &after, &before, &square}, 4, 1};
    int holds = is_satisfiable(&c);
    exact_poly_clear(&near);
    exact_poly_clear(&after);
    exact_poly_clear(&before);
    exact_poly_clear(&square);
    vector_clear(&pa);
    vector_clear(&bp);
    vector_clear(&edge);
    vector_clear(&cross);
    return holds;
}

/// Whether p is on the segment from a to b at a time: (p - a) x (p - b) = 0 and (p - a) . (p - b) <= 0.
static int touches_segment(const vector *p, const vector *a, const vector *b)
{
    vector pa, pb, cross;
    vector_sub(&pa, p, a);
    vector_sub(&pb, p, b);
    vector_cross(&cross, &pa, &pb);
    poly between;
    exact_poly_init(&between);
    add_dot(&between, -1, &pa, &pb);
    conditions c = {{&cross.x[0], &cross.x[1], &cross.x[2]}, 3, {&between}, 1, 0};
    int holds = is_satisfiable(&c);
    exact_poly_clear(&between);
    vector_clear(&pa);
    vector_clear(&pb);
    vector_clear(&cross);
    return holds;
}

/// Whether the hull of `count` vectors, a convex polygon with these corners in order, contains the origin at a time at
/// which its normal, edge_a x edge_b, is not zero. With a distance: whether the plane is within it there, and contains the
/// foot of the origin.
static int contains_origin(const vector *const *corners, int count, const vector *const edges[2],
                           const mpz_t distance_squared)
{
    vector normal;
    vector_cross(&normal, edges[0], edges[1]);
    poly volume, square, near, inside[4];
    exact_poly_init(&volume);
    exact_poly_init(&square);
    exact_poly_init(&near);
    add_dot(&volume, 1, corners[0], &normal);
    add_dot(&square, 1, &normal, &normal);
    for (int i = 0; i <= square.degree; ++i) { // distance^2 normal^2 - volume^2
        mpz_mul(near.c[i], square.c[i], distance_squared);
    }
    exact_poly_add_product(&near, -1, &volume, &volume);
    conditions c = {{&volume}, 1, {0}, count + 1, 1};
    for (int i = 0; i < count; ++i) {
        vector moment;
        vector_cross(&moment, corners[i], corners[(i + 1) % count]);
        exact_poly_init(&inside[i]);
        add_dot(&inside[i], 1, &moment, &normal);
        c.inequalities[i] = &inside[i];
        vector_clear(&moment);
    }
    if (mpz_sgn(distance_squared) > 0) {
        c.equation_count = 0;
        c.inequalities[c.inequality_count++ - 1] = &near;
    }
    c.inequalities[c.inequality_count - 1] = &square; // the strict one is the last
    int holds = is_satisfiable(&c);
    for (int i = 0; i < count; ++i) {
        exact_poly_clear(&inside[i]);
    }
    exact_poly_clear(&near);
    exact_poly_clear(&volume);
    exact_poly_clear(&square);
    vector_clear(&normal);
    return holds;
}

/// Whether p comes within a distance of the segment from a to b, or touches it if that is zero.
static int meets_segment(const vector *p, const vector *a, const vector *b, const mpz_t distance_squared)
{
    return mpz_sgn(distance_squared) == 0
               ? touches_segment(p, a, b)
               : nears_point(p, a, distance_squared) || nears_point(p, b, distance_squared) ||
                     nears_segment(p, a, b, distance_squared);
}

static int vertex_face(const vector v[4], const mpz_t distance_squared)
{
    if (meets_segment(&v[0], &v[1], &v[2], distance_squared) ||
        meets_segment(&v[0], &v[2], &v[3], distance_squared) ||
        meets_segment(&v[0], &v[3], &v[1], distance_squared)) {
        return 1;
    }
    vector d[5]; // corners minus the vertex, two edges
    vector_sub(&d[0], &v[1], &v[0]);
    vector_sub(&d[1], &v[2], &v[0]);
    vector_sub(&d[2], &v[3], &v[0]);
    vector_sub(&d[3], &v[2], &v[1]);
    vector_sub(&d[4], &v[3], &v[1]);
    const vector *const corners[3] = {&d[0], &d[1], &d[2]}, *const edges[2] = {&d[3], &d[4]};
    int holds = contains_origin(corners, 3, edges, distance_squared);
    for (int i = 0; i < 5; ++i) {
        vector_clear(&d[i]);
    }
    return holds;
}

static int edge_edge(const vector v[4], const mpz_t distance_squared)
{
    if (meets_segment(&v[0], &v[2], &v[3], distance_squared) ||
        meets_segment(&v[1], &v[2], &v[3], distance_squared) ||
        meets_segment(&v[2], &v[0], &v[1], distance_squared) ||
        meets_segment(&v[3], &v[0], &v[1], distance_squared)) {
        return 1;
    }
    vector d[6]; // the differences, around the parallelogram; two of its edges
    vector_sub(&d[0], &v[0], &v[2]);
    vector_sub(&d[1], &v[1], &v[2]);
    vector_sub(&d[2], &v[1], &v[3]);
    vector_sub(&d[3], &v[0], &v[3]);
    vector_sub(&d[4], &v[1], &v[0]);
    vector_sub(&d[5], &v[2], &v[3]);
    const vector *const corners[4] = {&d[0], &d[1], &d[2], &d[3]}, *const edges[2] = {&d[4], &d[5]};
    int holds = contains_origin(corners, 4, edges, distance_squared);
    for (int i = 0; i < 6; ++i) {
        vector_clear(&d[i]);
    }
    return holds;
}

/// Whether the volume is never zero: then nothing touches.
static int is_volume_nonzero(const vector v[4])
{
    vector a, b, c, normal;
    vector_sub(&a, &v[1], &v[0]);
    vector_sub(&b, &v[2], &v[0]);
    vector_sub(&c, &v[3], &v[0]);
    vector_cross(&normal, &a, &b);
    poly volume;
    exact_poly_init(&volume);
    add_dot(&volume, 1, &c, &normal);
    dyadic begin, end;
    init_span(&begin, &end);
    int is_nonzero = volume.degree >= 0 && exact_sign_between(&volume, &begin, &end) != 0;
    mpz_clears(begin.n, end.n, NULL);
    exact_poly_clear(&volume);
    vector_clear(&a);
    vector_clear(&b);
    vector_clear(&c);
    vector_clear(&normal);
    return is_nonzero;
}

/// Whether an axis separates all positions of one feature from all of the other.
static int are_boxes_apart(const abut_moving_pair *pair)
{
    int split = pair->kind == ABUT_VERTEX_FACE ? 1 : 2;
    const abut_vec3 *rows[3] = {pair->start, pair->end, pair->middle};
    abut_vec3 low[2], high[2];
    for (int i = 0; i < (pair->is_curved ? 12 : 8); ++i) {
        abut_vec3 x = rows[i / 4][i % 4];
        int side = i % 4 >= split, is_first = i == 0 || i == split;
        low[side] = is_first ? x : abut_min(low[side], x);
        high[side] = is_first ? x : abut_max(high[side], x);
    }
    return low[0].x > high[1].x || low[0].y > high[1].y || low[0].z > high[1].z || low[1].x > high[0].x ||
           low[1].y > high[0].y || low[1].z > high[0].z;
}

int oracle_comes_near(const abut_moving_pair *pair, double distance)
{
    if (distance == 0.0 && are_boxes_apart(pair)) {
        return 0;
    }
    exact_start();
    vector v[4];
    int lowest = lowest_exponent(pair), exponent;
    (void)frexp(distance, &exponent);
    lowest = distance > 0.0 && exponent - 53 < lowest ? exponent - 53 : lowest;
    for (int i = 0; i < 4; ++i) {
        set_path(&v[i], pair, i, lowest);
    }
    mpz_t distance_squared;
    mpz_init(distance_squared);
    set_double(distance_squared, distance, lowest);
    mpz_mul(distance_squared, distance_squared, distance_squared);
    int is_near = 0;
    if (distance > 0.0 || !is_volume_nonzero(v)) {
        is_near =
            pair->kind == ABUT_VERTEX_FACE ? vertex_face(v, distance_squared) : edge_edge(v, distance_squared);
    }
    for (int i = 0; i < 4; ++i) {
        vector_clear(&v[i]);
    }
    mpz_clear(distance_squared);
    return is_near;
}

int oracle_comes_near_within(const abut_moving_pair *pair, double distance, double begin, double end)
{
    span_begin = begin;
    span_end = end;
    int is_near = oracle_comes_near(pair, distance);
    span_begin = 0.0;
    span_end = 1.0;
    return is_near;
}
