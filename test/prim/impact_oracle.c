// SPDX-License-Identifier: MIT
// impact_oracle.c: whether two moving features touch, decided by exact rational arithmetic
#include "impact_oracle.h"

#include <gmp.h>
#include <math.h>

enum { DEGREE = 8, ROOM = DEGREE + 1, CHAIN = DEGREE + 2 };

/// A polynomial in powers of t with integer coefficients; degree -1 is the zero polynomial.
typedef struct poly {
    int degree;
    mpz_t c[ROOM];
} poly;

static void poly_init(poly *p)
{
    p->degree = -1;
    for (int i = 0; i < ROOM; ++i) {
        mpz_init(p->c[i]);
    }
}

static void poly_clear(poly *p)
{
    for (int i = 0; i < ROOM; ++i) {
        mpz_clear(p->c[i]);
    }
}

static void poly_trim(poly *p, int degree)
{
    while (degree >= 0 && mpz_sgn(p->c[degree]) == 0) {
        --degree;
    }
    p->degree = degree;
}

static void poly_set(poly *p, const poly *q)
{
    for (int i = 0; i < ROOM; ++i) {
        mpz_set(p->c[i], q->c[i]);
    }
    p->degree = q->degree;
}

// p = a + s b
static void poly_add(poly *p, const poly *a, int s, const poly *b)
{
    for (int i = 0; i < ROOM; ++i) {
        if (s > 0) {
            mpz_add(p->c[i], a->c[i], b->c[i]);
        } else {
            mpz_sub(p->c[i], a->c[i], b->c[i]);
        }
    }
    poly_trim(p, DEGREE);
}

// p += s a b; p is neither a nor b
static void poly_add_product(poly *p, int s, const poly *a, const poly *b)
{
    for (int i = 0; i <= a->degree; ++i) {
        for (int k = 0; k <= b->degree; ++k) {
            if (s > 0) {
                mpz_addmul(p->c[i + k], a->c[i], b->c[k]);
            } else {
                mpz_submul(p->c[i + k], a->c[i], b->c[k]);
            }
        }
    }
    poly_trim(p, DEGREE);
}

// Divides by the positive greatest common divisor of the coefficients.
static void poly_reduce(poly *p)
{
    mpz_t g;
    mpz_init(g);
    for (int i = 0; i <= p->degree; ++i) {
        mpz_gcd(g, g, p->c[i]);
    }
    for (int i = 0; i <= p->degree; ++i) {
        mpz_divexact(p->c[i], p->c[i], g);
    }
    mpz_clear(g);
}

// a = the remainder of a positive multiple of a divided by b
static void poly_remainder(poly *a, const poly *b)
{
    mpz_t lead, factor;
    mpz_inits(lead, factor, NULL);
    while (a->degree >= b->degree && a->degree >= 0) {
        int shift = a->degree - b->degree;
        mpz_abs(lead, b->c[b->degree]);
        mpz_set(factor, a->c[a->degree]);
        if (mpz_sgn(b->c[b->degree]) < 0) {
            mpz_neg(factor, factor);
        }
        for (int i = 0; i <= a->degree; ++i) {
            mpz_mul(a->c[i], a->c[i], lead);
        }
        for (int i = 0; i <= b->degree; ++i) {
            mpz_submul(a->c[i + shift], factor, b->c[i]);
        }
        poly_trim(a, a->degree);
        poly_reduce(a);
    }
    mpz_clears(lead, factor, NULL);
}

// a = the greatest common divisor of a and b
static void poly_gcd(poly *a, const poly *b)
{
    poly x;
    poly_init(&x);
    poly_set(&x, b);
    while (x.degree >= 0) {
        poly_remainder(a, &x);
        for (int i = 0; i < ROOM; ++i) {
            mpz_swap(a->c[i], x.c[i]);
        }
        int degree = a->degree;
        a->degree = x.degree;
        x.degree = degree;
    }
    poly_clear(&x);
}

/// A dyadic time: n / 2^shift.
typedef struct dyadic {
    mpz_t n;
    unsigned shift;
} dyadic;

static int sign_at(const poly *p, const dyadic *t)
{
    if (p->degree < 0) {
        return 0;
    }
    mpz_t sum;
    mpz_init_set(sum, p->c[p->degree]);
    mpz_t term;
    mpz_init(term);
    for (int i = p->degree - 1; i >= 0; --i) {
        mpz_mul(sum, sum, t->n);
        mpz_mul_2exp(term, p->c[i], (mp_bitcnt_t)t->shift * (unsigned)(p->degree - i));
        mpz_add(sum, sum, term);
    }
    int sign = mpz_sgn(sum);
    mpz_clears(sum, term, NULL);
    return sign;
}

// a = a positive multiple of a / b, which leaves no remainder
static void poly_divide(poly *a, const poly *b)
{
    poly quotient;
    poly_init(&quotient);
    mpz_t lead, factor;
    mpz_inits(lead, factor, NULL);
    mpz_abs(lead, b->c[b->degree]);
    int degree = a->degree - b->degree;
    while (a->degree >= b->degree) {
        int shift = a->degree - b->degree;
        mpz_set(factor, a->c[a->degree]);
        if (mpz_sgn(b->c[b->degree]) < 0) {
            mpz_neg(factor, factor);
        }
        for (int i = 0; i <= a->degree; ++i) {
            mpz_mul(a->c[i], a->c[i], lead);
        }
        for (int i = 0; i <= degree; ++i) {
            mpz_mul(quotient.c[i], quotient.c[i], lead);
        }
        for (int i = 0; i <= b->degree; ++i) {
            mpz_submul(a->c[i + shift], factor, b->c[i]);
        }
        mpz_add(quotient.c[shift], quotient.c[shift], factor);
        poly_trim(a, a->degree);
    }
    poly_trim(&quotient, degree);
    poly_reduce(&quotient);
    poly_set(a, &quotient);
    poly_clear(&quotient);
    mpz_clears(lead, factor, NULL);
}

/// Sturm's chain of a polynomial without its multiple roots: each counts once.
typedef struct chain {
    int count;
    poly p[CHAIN];
} chain;

static void chain_make(chain *s, const poly *p)
{
    for (int i = 0; i < CHAIN; ++i) {
        poly_init(&s->p[i]);
    }
    poly_set(&s->p[0], p);
    for (int i = 1; i <= p->degree; ++i) {
        mpz_mul_ui(s->p[1].c[i - 1], p->c[i], (unsigned long)i);
    }
    poly_trim(&s->p[1], p->degree - 1);
    s->count = 1;
    while (s->p[s->count].degree >= 0) {
        poly *next = &s->p[s->count + 1];
        poly_set(next, &s->p[s->count - 1]);
        poly_remainder(next, &s->p[s->count]);
        for (int i = 0; i <= next->degree; ++i) {
            mpz_neg(next->c[i], next->c[i]);
        }
        ++s->count;
    }
    poly common;
    poly_init(&common);
    poly_set(&common, &s->p[s->count - 1]);
    for (int i = 0; i < s->count && common.degree > 0; ++i) {
        poly_divide(&s->p[i], &common);
    }
    poly_clear(&common);
}

static void chain_clear(chain *s)
{
    for (int i = 0; i < CHAIN; ++i) {
        poly_clear(&s->p[i]);
    }
}

static int changes_at(const chain *s, const dyadic *t)
{
    int changes = 0, last = 0;
    for (int i = 0; i < s->count; ++i) {
        int sign = sign_at(&s->p[i], t);
        if (sign != 0) {
            changes += last != 0 && sign != last;
            last = sign;
        }
    }
    return changes;
}

// The number of different roots in (a, b].
static int roots_in(const chain *s, const dyadic *a, const dyadic *b)
{
    return changes_at(s, a) - changes_at(s, b);
}

// ---------------------------------------------------------------------------------------------------------------
// Equations e = 0 and inequalities s >= 0, of which the last `strict_count` are s > 0

typedef struct conditions {
    const poly *equations[4];
    int equation_count;
    const poly *inequalities[5];
    int inequality_count, strict_count;
} conditions;

static int holds_for_sign(const conditions *c, int i, int sign)
{
    return sign > 0 || (sign == 0 && i < c->inequality_count - c->strict_count);
}

static int holds_at(const conditions *c, const dyadic *t)
{
    for (int i = 0; i < c->equation_count; ++i) {
        if (sign_at(c->equations[i], t) != 0) {
            return 0;
        }
    }
    for (int i = 0; i < c->inequality_count; ++i) {
        if (!holds_for_sign(c, i, sign_at(c->inequalities[i], t))) {
            return 0;
        }
    }
    return 1;
}

// Halves (a, b] around its only root of the chain. Returns 1 if the root is b.
static int refine(const chain *s, dyadic *a, dyadic *b)
{
    dyadic m;
    mpz_init(m.n);
    if (a->shift < b->shift) {
        mpz_mul_2exp(a->n, a->n, b->shift - a->shift);
        a->shift = b->shift;
    } else {
        mpz_mul_2exp(b->n, b->n, a->shift - b->shift);
        b->shift = a->shift;
    }
    mpz_add(m.n, a->n, b->n);
    m.shift = a->shift + 1;
    dyadic *moved = roots_in(s, a, &m) > 0 ? b : a;
    mpz_set(moved->n, m.n);
    moved->shift = m.shift;
    mpz_clear(m.n);
    return sign_at(&s->p[0], b) == 0;
}

// The sign of p at the only root of the chain in (a, b], which is not a.
static int sign_at_root(const chain *s, dyadic *a, dyadic *b, const poly *p)
{
    if (p->degree < 0) {
        return 0;
    }
    if (sign_at(&s->p[0], b) == 0) {
        return sign_at(p, b);
    }
    poly common;
    poly_init(&common);
    poly_set(&common, &s->p[0]);
    poly_gcd(&common, p);
    if (common.degree > 0) {
        chain shared;
        chain_make(&shared, &common);
        int is_zero = roots_in(&shared, a, b) > 0;
        chain_clear(&shared);
        if (is_zero) {
            poly_clear(&common);
            return 0;
        }
    }
    poly_clear(&common);
    chain own;
    chain_make(&own, p);
    int is_end = 0;
    while (!is_end && (roots_in(&own, a, b) > 0 || sign_at(p, b) == 0)) {
        is_end = refine(s, a, b);
    }
    chain_clear(&own);
    return sign_at(p, b);
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
    int count = roots_in(s, a, b);
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
    dyadic zero = {.shift = 0}, one = {.shift = 0};
    mpz_init_set_si(zero.n, 0);
    mpz_init_set_si(one.n, 1);
    chain s;
    chain_make(&s, p);
    int holds = holds_within(c, &s, &zero, &one);
    chain_clear(&s);
    mpz_clears(zero.n, one.n, NULL);
    return holds;
}

/// Whether a time in [0, 1] satisfies all. If the equations hold always, the set of times is closed up to the strict
/// inequalities, which other conditions cover: an end of [0, 1] or a root of an inequality is in it.
static int is_satisfiable(const conditions *c)
{
    dyadic zero = {.shift = 0}, one = {.shift = 0};
    mpz_init_set_si(zero.n, 0);
    mpz_init_set_si(one.n, 1);
    int holds = holds_at(c, &zero) || holds_at(c, &one);
    mpz_clears(zero.n, one.n, NULL);
    if (holds) {
        return 1;
    }
    poly common;
    poly_init(&common);
    for (int i = 0; i < c->equation_count; ++i) {
        poly_gcd(&common, c->equations[i]);
    }
    if (common.degree >= 0) {
        holds = holds_at_roots_of(c, &common);
    } else {
        for (int i = 0; i < c->inequality_count && !holds; ++i) {
            holds = holds_at_roots_of(c, c->inequalities[i]);
        }
    }
    poly_clear(&common);
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
        poly_init(&v->x[i]);
    }
}

static void vector_clear(vector *v)
{
    for (int i = 0; i < 3; ++i) {
        poly_clear(&v->x[i]);
    }
}

static void vector_sub(vector *v, const vector *a, const vector *b)
{
    vector_init(v);
    for (int i = 0; i < 3; ++i) {
        poly_add(&v->x[i], &a->x[i], -1, &b->x[i]);
    }
}

static void vector_cross(vector *v, const vector *a, const vector *b)
{
    vector_init(v);
    for (int i = 0; i < 3; ++i) {
        poly_add_product(&v->x[i], 1, &a->x[(i + 1) % 3], &b->x[(i + 2) % 3]);
        poly_add_product(&v->x[i], -1, &a->x[(i + 2) % 3], &b->x[(i + 1) % 3]);
    }
}

// p += s a . b
static void add_dot(poly *p, int s, const vector *a, const vector *b)
{
    for (int i = 0; i < 3; ++i) {
        poly_add_product(p, s, &a->x[i], &b->x[i]);
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
        poly_trim(&v->x[k], 2);
    }
    mpz_clears(start, middle, end, NULL);
}

/// Whether p is on the segment from a to b at a time: (p - a) x (p - b) = 0 and (p - a) . (p - b) <= 0.
static int touches_segment(const vector *p, const vector *a, const vector *b)
{
    vector pa, pb, cross;
    vector_sub(&pa, p, a);
    vector_sub(&pb, p, b);
    vector_cross(&cross, &pa, &pb);
    poly between;
    poly_init(&between);
    add_dot(&between, -1, &pa, &pb);
    conditions c = {{&cross.x[0], &cross.x[1], &cross.x[2]}, 3, {&between}, 1, 0};
    int holds = is_satisfiable(&c);
    poly_clear(&between);
    vector_clear(&pa);
    vector_clear(&pb);
    vector_clear(&cross);
    return holds;
}

/// Whether the hull of `count` vectors, a convex polygon with these corners in order, contains the origin at a time at
/// which its normal, edge_a x edge_b, is not zero.
static int contains_origin(const vector *const *corners, int count, const vector *edge_a, const vector *edge_b)
{
    vector normal;
    vector_cross(&normal, edge_a, edge_b);
    poly volume, square, inside[4];
    poly_init(&volume);
    poly_init(&square);
    add_dot(&volume, 1, corners[0], &normal);
    add_dot(&square, 1, &normal, &normal);
    conditions c = {{&volume}, 1, {0}, count + 1, 1};
    for (int i = 0; i < count; ++i) {
        vector moment;
        vector_cross(&moment, corners[i], corners[(i + 1) % count]);
        poly_init(&inside[i]);
        add_dot(&inside[i], 1, &moment, &normal);
        c.inequalities[i] = &inside[i];
        vector_clear(&moment);
    }
    c.inequalities[count] = &square;
    int holds = is_satisfiable(&c);
    for (int i = 0; i < count; ++i) {
        poly_clear(&inside[i]);
    }
    poly_clear(&volume);
    poly_clear(&square);
    vector_clear(&normal);
    return holds;
}

static int vertex_face(const vector v[4])
{
    if (touches_segment(&v[0], &v[1], &v[2]) || touches_segment(&v[0], &v[2], &v[3]) ||
        touches_segment(&v[0], &v[3], &v[1])) {
        return 1;
    }
    vector d[5]; // corners minus the vertex, two edges
    vector_sub(&d[0], &v[1], &v[0]);
    vector_sub(&d[1], &v[2], &v[0]);
    vector_sub(&d[2], &v[3], &v[0]);
    vector_sub(&d[3], &v[2], &v[1]);
    vector_sub(&d[4], &v[3], &v[1]);
    const vector *const corners[3] = {&d[0], &d[1], &d[2]};
    int holds = contains_origin(corners, 3, &d[3], &d[4]);
    for (int i = 0; i < 5; ++i) {
        vector_clear(&d[i]);
    }
    return holds;
}

static int edge_edge(const vector v[4])
{
    if (touches_segment(&v[0], &v[2], &v[3]) || touches_segment(&v[1], &v[2], &v[3]) ||
        touches_segment(&v[2], &v[0], &v[1]) || touches_segment(&v[3], &v[0], &v[1])) {
        return 1;
    }
    vector d[6]; // the differences, around the parallelogram; two of its edges
    vector_sub(&d[0], &v[0], &v[2]);
    vector_sub(&d[1], &v[1], &v[2]);
    vector_sub(&d[2], &v[1], &v[3]);
    vector_sub(&d[3], &v[0], &v[3]);
    vector_sub(&d[4], &v[1], &v[0]);
    vector_sub(&d[5], &v[2], &v[3]);
    const vector *const corners[4] = {&d[0], &d[1], &d[2], &d[3]};
    int holds = contains_origin(corners, 4, &d[4], &d[5]);
    for (int i = 0; i < 6; ++i) {
        vector_clear(&d[i]);
    }
    return holds;
}

int oracle_touches(const abut_moving_pair *pair)
{
    vector v[4];
    int lowest = lowest_exponent(pair);
    for (int i = 0; i < 4; ++i) {
        set_path(&v[i], pair, i, lowest);
    }
    int touches = pair->kind == ABUT_VERTEX_FACE ? vertex_face(v) : edge_edge(v);
    for (int i = 0; i < 4; ++i) {
        vector_clear(&v[i]);
    }
    return touches;
}
