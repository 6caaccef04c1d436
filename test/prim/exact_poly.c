// SPDX-License-Identifier: MIT
// exact_poly.c: polynomials of one variable with integer coefficients of any size: signs, common divisors, roots
#include "exact_poly.h"

#include <stdlib.h>
#include <string.h>

// Numbers live in a pool: half of the time would go into malloc() and free() otherwise.
static _Alignas(16) char pool[1 << 20];
static size_t pool_used;

static int is_pooled(const void *p)
{
    return (const char *)p >= pool && (const char *)p < pool + sizeof pool;
}

static void *pool_take(size_t size)
{
    size_t used = pool_used + ((size + 15) & ~(size_t)15);
    if (used > sizeof pool) {
        void *p = malloc(size);
        if (p == NULL) {
            abort();
        }
        return p;
    }
    void *p = pool + pool_used;
    pool_used = used;
    return p;
}

static void pool_return(void *p, size_t size)
{
    (void)size;
    if (!is_pooled(p)) {
        free(p);
    }
}

static void *pool_grow(void *p, size_t old_size, size_t new_size)
{
    void *q = pool_take(new_size);
    memcpy(q, p, old_size < new_size ? old_size : new_size);
    pool_return(p, old_size);
    return q;
}

void exact_start(void)
{
    pool_used = 0;
    mp_set_memory_functions(pool_take, pool_grow, pool_return);
}

void exact_poly_init(poly *p)
{
    p->degree = -1;
    for (int i = 0; i < ROOM; ++i) {
        mpz_init(p->c[i]);
    }
}

void exact_poly_clear(poly *p)
{
    for (int i = 0; i < ROOM; ++i) {
        mpz_clear(p->c[i]);
    }
}

void exact_poly_trim(poly *p, int degree)
{
    while (degree >= 0 && mpz_sgn(p->c[degree]) == 0) {
        --degree;
    }
    p->degree = degree;
}

void exact_poly_set(poly *p, const poly *q)
{
    for (int i = 0; i < ROOM; ++i) {
        mpz_set(p->c[i], q->c[i]);
    }
    p->degree = q->degree;
}

void exact_poly_add(poly *p, const poly *a, int s, const poly *b)
{
    for (int i = 0; i < ROOM; ++i) {
        if (s > 0) {
            mpz_add(p->c[i], a->c[i], b->c[i]);
        } else {
            mpz_sub(p->c[i], a->c[i], b->c[i]);
        }
    }
    exact_poly_trim(p, DEGREE);
}

void exact_poly_add_product(poly *p, int s, const poly *a, const poly *b)
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
    exact_poly_trim(p, DEGREE);
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
        exact_poly_trim(a, a->degree);
        poly_reduce(a);
    }
    mpz_clears(lead, factor, NULL);
}

void exact_poly_gcd(poly *a, const poly *b)
{
    poly x;
    exact_poly_init(&x);
    exact_poly_set(&x, b);
    while (x.degree >= 0) {
        poly_remainder(a, &x);
        for (int i = 0; i < ROOM; ++i) {
            mpz_swap(a->c[i], x.c[i]);
        }
        int degree = a->degree;
        a->degree = x.degree;
        x.degree = degree;
    }
    exact_poly_clear(&x);
}

int exact_sign_at(const poly *p, const dyadic *t)
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
    exact_poly_init(&quotient);
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
        exact_poly_trim(a, a->degree);
    }
    exact_poly_trim(&quotient, degree);
    poly_reduce(&quotient);
    exact_poly_set(a, &quotient);
    exact_poly_clear(&quotient);
    mpz_clears(lead, factor, NULL);
}

void exact_chain_make(chain *s, const poly *p)
{
    for (int i = 0; i < CHAIN; ++i) {
        exact_poly_init(&s->p[i]);
    }
    exact_poly_set(&s->p[0], p);
    for (int i = 1; i <= p->degree; ++i) {
        mpz_mul_ui(s->p[1].c[i - 1], p->c[i], (unsigned long)i);
    }
    exact_poly_trim(&s->p[1], p->degree - 1);
    s->count = 1;
    while (s->p[s->count].degree >= 0) {
        poly *next = &s->p[s->count + 1];
        exact_poly_set(next, &s->p[s->count - 1]);
        poly_remainder(next, &s->p[s->count]);
        for (int i = 0; i <= next->degree; ++i) {
            mpz_neg(next->c[i], next->c[i]);
        }
        ++s->count;
    }
    poly common;
    exact_poly_init(&common);
    exact_poly_set(&common, &s->p[s->count - 1]);
    for (int i = 0; i < s->count && common.degree > 0; ++i) {
        poly_divide(&s->p[i], &common);
    }
    exact_poly_clear(&common);
}

void exact_chain_clear(chain *s)
{
    for (int i = 0; i < CHAIN; ++i) {
        exact_poly_clear(&s->p[i]);
    }
}

static int changes_at(const chain *s, const dyadic *t)
{
    int changes = 0, last = 0;
    for (int i = 0; i < s->count; ++i) {
        int sign = exact_sign_at(&s->p[i], t);
        if (sign != 0) {
            changes += last != 0 && sign != last;
            last = sign;
        }
    }
    return changes;
}

int exact_roots_in(const chain *s, const dyadic *a, const dyadic *b)
{
    return changes_at(s, a) - changes_at(s, b);
}

void exact_match(dyadic *a, dyadic *b)
{
    dyadic *lower = a->shift < b->shift ? a : b;
    unsigned shift = a->shift < b->shift ? b->shift : a->shift;
    mpz_mul_2exp(lower->n, lower->n, shift - lower->shift);
    lower->shift = shift;
}

int exact_sign_between(const poly *p, dyadic *a, dyadic *b)
{
    exact_match(a, b);
    int n = p->degree, sign = 0;
    mpz_t c[ROOM], rest[ROOM];
    for (int i = 0; i <= n; ++i) {
        mpz_inits(c[i], rest[i], NULL);
    }
    mpz_set(c[0], p->c[n]);
    mpz_set_ui(rest[0], 1); // (1 + y)^(n - i) 2^(shift (n - i))
    for (int i = n - 1; i >= 0; --i) {
        for (int k = n - i; k >= 0; --k) { // c = c (a + b y), rest = rest (1 + y) 2^shift
            mpz_mul(c[k], c[k], a->n);
            if (k > 0) {
                mpz_addmul(c[k], c[k - 1], b->n);
                mpz_add(rest[k], rest[k], rest[k - 1]);
            }
            mpz_mul_2exp(rest[k], rest[k], a->shift);
        }
        for (int k = 0; k <= n - i; ++k) {
            mpz_addmul(c[k], rest[k], p->c[i]);
        }
    }
    sign = mpz_sgn(c[0]);
    for (int i = 0; i <= n; ++i) {
        sign = mpz_sgn(c[i]) == sign ? sign : 0;
        mpz_clears(c[i], rest[i], NULL);
    }
    return sign;
}
