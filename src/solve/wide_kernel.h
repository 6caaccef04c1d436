// SPDX-License-Identifier: MIT
// wide_kernel.h: the visits of wide.h, compiled once for every machine and once for AVX2
//
// The same operations in the same order as abut_visit(), on four numbers at a time by the vector types of gcc and
// clang. No operation depends on the width of the machine's vectors, so all versions give the same bits. A file that
// includes this defines ABUT_WIDE_CODE, the name of the table.
#include "solve/wide.h"

#include <math.h>

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t four_bits __attribute__((vector_size(32), aligned(8), may_alias));
#if defined(__AVX2__)
typedef double lanes4 __attribute__((vector_size(32))); // as the compiler's functions take them
#endif

typedef struct four3 {
    four x, y, z;
} four3;

static inline four load(const double *p)
{
    return *(const four *)p;
}

static inline four3 load3(const abut_lanes *p)
{
    four3 v = {load(p[0]), load(p[1]), load(p[2])};
    return v;
}

static inline four all(double x)
{
    four v = {x, x, x, x};
    return v;
}

// A lane of a mask has all bits or none. AVX2 has an instruction for each of these.
static inline four choose(four_bits mask, four a, four b)
{
#if defined(__AVX2__)
    return (four)__builtin_ia32_blendvpd256((lanes4)b, (lanes4)a, (lanes4)mask);
#else
    return (four)(((four_bits)a & mask) | ((four_bits)b & ~mask));
#endif
}

static inline int has_any(four_bits mask)
{
#if defined(__AVX2__)
    return __builtin_ia32_movmskpd256((lanes4)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

static inline four root(four a)
{
    four v = {sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
    return v;
}

static inline four dot(four3 a, four3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline four3 cross(four3 a, four3 b)
{
    four3 v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}

static inline four3 add(four3 a, four3 b)
{
    four3 v = {a.x + b.x, a.y + b.y, a.z + b.z};
    return v;
}

static inline four3 sub(four3 a, four3 b)
{
    four3 v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}

static inline four3 add_scaled(four3 a, four s, four3 b)
{
    four3 v = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return v;
}

static inline four3 scale(four s, four3 a)
{
    four3 v = {s * a.x, s * a.y, s * a.z};
    return v;
}

// A symmetric matrix: xx, yy, zz, xy, xz, yz.
static inline four3 apply(const abut_lanes m[6], four3 v)
{
    four xx = load(m[0]), yy = load(m[1]), zz = load(m[2]), xy = load(m[3]), xz = load(m[4]), yz = load(m[5]);
    four3 r = {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    return r;
}

typedef struct side {
    four3 linear, angular;
} side;

static inline four3 gather(const double *const p[ABUT_LANES], int offset)
{
    four3 v = {{p[0][offset], p[1][offset], p[2][offset], p[3][offset]},
               {p[0][offset + 1], p[1][offset + 1], p[2][offset + 1], p[3][offset + 1]},
               {p[0][offset + 2], p[1][offset + 2], p[2][offset + 2], p[3][offset + 2]}};
    return v;
}

static inline side gather_side(const double *velocities, const int movers[ABUT_LANES])
{
    const double *const p[ABUT_LANES] = {
        velocities + ABUT_VELOCITY_NUMBERS * movers[0], velocities + ABUT_VELOCITY_NUMBERS * movers[1],
        velocities + ABUT_VELOCITY_NUMBERS * movers[2], velocities + ABUT_VELOCITY_NUMBERS * movers[3]};
    side s = {gather(p, 0), gather(p, 4)};
    return s;
}

// Writes the lanes that move: other threads may read those that do not.
static inline void scatter_side(double *velocities, const int movers[ABUT_LANES], unsigned moves, side s)
{
    for (int i = 0; i < ABUT_LANES; ++i) {
        if (moves >> i & 1u) {
            double *p = velocities + ABUT_VELOCITY_NUMBERS * movers[i];
            p[0] = s.linear.x[i];
            p[1] = s.linear.y[i];
            p[2] = s.linear.z[i];
            p[4] = s.angular.x[i];
            p[5] = s.angular.y[i];
            p[6] = s.angular.z[i];
        }
    }
}

// What the contacts of a run share.
typedef struct frame {
    four3 normal, first, second;
    four friction;
} frame;

static inline void push(const abut_wide_batch *batch, const abut_wide_slot *slot, side *a, side *b, four3 impulse)
{
    a->linear = add_scaled(a->linear, -load(batch->inverse_mass_a), impulse);
    b->linear = add_scaled(b->linear, load(batch->inverse_mass_b), impulse);
    a->angular = sub(a->angular, apply(batch->inertia_a, cross(load3(slot->arm_a), impulse)));
    b->angular = add(b->angular, apply(batch->inertia_b, cross(load3(slot->arm_b), impulse)));
}

// The friction nearest to `wanted` in the disc.
static inline void project(four *first, four *second, four radius)
{
    // the third number of abut_disc_project() is 0 here, and x + 0 is x
    four squared = *first * *first + *second * *second;
    four_bits is_outside = squared > radius * radius;
    if (has_any(is_outside)) {
        four share = radius / root(squared);
        *first = choose(is_outside, share * *first, *first);
        *second = choose(is_outside, share * *second, *second);
    }
}

// What a sweep found so far.
typedef struct finding {
    four largest, zero;
} finding;

// Adds the squared miss of four contacts.
static inline void find(finding *found, four squared)
{
    found->zero += squared - squared;
    found->largest = choose(squared <= found->largest, found->largest, squared);
}

// Corrects four contacts whose impulses are in `from`, and writes the new ones to `at`, which may be the same.
static inline void visit_slot(const abut_wide_batch *batch, const frame *f, const abut_wide_slot *slot,
                              const abut_wide_impulse *from, abut_wide_impulse *at, side *a, side *b, double share,
                              finding *found)
{
    const four none = all(0.0);
    four3 normal = f->normal, first = f->first, second = f->second;
    four3 velocity = sub(add(b->linear, cross(b->angular, load3(slot->arm_b))),
                         add(a->linear, cross(a->angular, load3(slot->arm_a))));
    four old = load(from->of[0]), old_first = load(from->of[1]), old_second = load(from->of[2]);
    four wanted = old - all(share) * load(slot->factor_normal) * (dot(normal, velocity) - load(slot->target));
    four press = choose(wanted > none, wanted, none);
    if (!has_any((press != none) | (old != none) | (old_first != none) | (old_second != none))) {
        *(four *)at->of[0] = *(four *)at->of[1] = *(four *)at->of[2] = none;
        return; // all are open, and stay open
    }
    four change = press - old;
    four residual = load(slot->per_normal) * change;
    four squared = residual * residual;
    four friction = f->friction, factor = load(slot->factor_friction);
    four slip_first = dot(first, velocity) + change * load(slot->coupling[0]);
    four slip_second = dot(second, velocity) + change * load(slot->coupling[1]);
    four step = -all(share) * factor;
    four new_first = old_first + step * slip_first, new_second = old_second + step * slip_second;
    project(&new_first, &new_second, friction * press);
    four_bits has_friction = (friction > none) & (factor > none);
    new_first = choose(has_friction, new_first, old_first);
    new_second = choose(has_friction, new_second, old_second);
    four slide_first = new_first - old_first, slide_second = new_second - old_second;
    four per = load(slot->per_friction);
    four slide_squared = per * per * (slide_first * slide_first + slide_second * slide_second);
    squared = choose(slide_squared <= squared, squared, slide_squared); // lets NaN through
    *(four *)at->of[0] = press;
    *(four *)at->of[1] = new_first;
    *(four *)at->of[2] = new_second;
    four3 impulse = add_scaled(scale(change, normal), slide_first, first);
    push(batch, slot, a, b, add_scaled(impulse, slide_second, second));
    find(found, squared);
}

// A slot without friction, whose impulses have none: the same numbers as visit_slot() finds.
static inline void visit_smooth_slot(const abut_wide_batch *batch, const frame *f, const abut_wide_slot *slot,
                                     const abut_wide_impulse *from, abut_wide_impulse *at, side *a, side *b,
                                     double share, finding *found)
{
    const four none = all(0.0);
    four3 normal = f->normal;
    four3 velocity = sub(add(b->linear, cross(b->angular, load3(slot->arm_b))),
                         add(a->linear, cross(a->angular, load3(slot->arm_a))));
    four old = load(from->of[0]);
    four wanted = old - all(share) * load(slot->factor_normal) * (dot(normal, velocity) - load(slot->target));
    four press = choose(wanted > none, wanted, none);
    *(four *)at->of[0] = press;
    *(four *)at->of[1] = *(four *)at->of[2] = none;
    if (!has_any((press != none) | (old != none))) {
        return; // all are open, and stay open
    }
    four change = press - old;
    four residual = load(slot->per_normal) * change;
    four squared = residual * residual;
    push(batch, slot, a, b, scale(change, normal));
    find(found, squared);
}

// The squared change of the impulses of a slot since the start of the iteration.
static inline four changed(const abut_wide_impulse *at, const abut_wide_impulse *start)
{
    four x = load(at->of[0]) - load(start->of[0]), y = load(at->of[1]) - load(start->of[1]),
         z = load(at->of[2]) - load(start->of[2]);
    return x * x + y * y + z * z;
}

static void visit(const abut_wide *wide, int begin, int end, int is_back, double share, abut_wide_miss *miss)
{
    finding found = {load(miss->largest), load(miss->zero)};
    const abut_wide_impulse *from = is_back || wide->start == NULL ? wide->impulses : wide->start;
    for (int i = begin; i < end; ++i) {
        int number = is_back ? begin + end - 1 - i : i;
        const abut_wide_batch *batch = &wide->batches[number];
        side a = gather_side(wide->velocities, batch->a), b = gather_side(wide->velocities, batch->b);
        frame f = {.normal = load3(batch->normal), .first = load3(batch->first), .friction = load(batch->friction)};
        f.second = cross(f.normal, f.first);
        four sum = all(0.0);
        for (int k = 0; k < batch->slot_count; ++k) {
            int slot = batch->first_slot + (is_back ? batch->slot_count - 1 - k : k);
            if (batch->is_smooth) {
                visit_smooth_slot(batch, &f, &wide->slots[slot], &from[slot], &wide->impulses[slot], &a, &b, share,
                                  &found);
            } else {
                visit_slot(batch, &f, &wide->slots[slot], &from[slot], &wide->impulses[slot], &a, &b, share,
                           &found);
            }
            if (is_back) {
                sum += changed(&wide->impulses[slot], &wide->start[slot]);
            }
        }
        scatter_side(wide->velocities, batch->a, batch->moves_a, a);
        scatter_side(wide->velocities, batch->b, batch->moves_b, b);
        if (is_back) {
            for (int lane = 0; lane < ABUT_LANES; ++lane) {
                if (batch->runs[lane] >= 0) {
                    wide->sums[batch->runs[lane]] = sum[lane];
                }
            }
        }
    }
    *(four *)miss->largest = found.largest;
    *(four *)miss->zero = found.zero;
}

static double sum_of(const double *numbers, size_t count)
{
    four even = all(0.0), odd = all(0.0);
    size_t i = 0;
    for (; i + 2 * ABUT_LANES <= count; i += 2 * ABUT_LANES) {
        even += load(numbers + i);
        odd += load(numbers + i + ABUT_LANES);
    }
    even += odd;
    for (; i < count; ++i) {
        even[0] += numbers[i];
    }
    return (even[0] + even[1]) + (even[2] + even[3]);
}

static double squared_change(const double *to, const double *from, size_t count)
{
    four sums = all(0.0);
    size_t i = 0;
    for (; i + ABUT_LANES <= count; i += ABUT_LANES) {
        four change = load(to + i) - load(from + i);
        sums += change * change;
    }
    for (; i < count; ++i) {
        sums[0] += (to[i] - from[i]) * (to[i] - from[i]);
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static void advance(const double *at, double ratio, const double *start, double *earlier, double *next,
                    size_t count)
{
    size_t i = 0;
    for (; i + ABUT_LANES <= count; i += ABUT_LANES) {
        four point = load(at + i) + all(ratio) * (load(start + i) - load(earlier + i));
        *(four *)(earlier + i) = point;
        if (next != NULL) {
            *(four *)(next + i) = point;
        }
    }
    for (; i < count; ++i) {
        earlier[i] = at[i] + ratio * (start[i] - earlier[i]);
        if (next != NULL) {
            next[i] = earlier[i];
        }
    }
}

static double zero_of(const double *numbers, size_t count)
{
    four sums = all(0.0);
    size_t i = 0;
    for (; i + ABUT_LANES <= count; i += ABUT_LANES) {
        four x = load(numbers + i);
        sums += x - x;
    }
    for (; i < count; ++i) {
        sums[0] += numbers[i] - numbers[i];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

const abut_wide_code ABUT_WIDE_CODE = {visit, sum_of, squared_change, advance, zero_of};
