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

// A batch that is being visited, and one of its slots.
typedef struct work {
    const abut_wide_batch *batch;
    frame f;
    side a, b;
    four sum; // of the squared changes of its impulses since the start of the iteration
    // the slot
    const abut_wide_slot *slot;
    const abut_wide_impulse *from;
    abut_wide_impulse *at; // may be the same as `from`
    four3 velocity;
    four old, old_first, old_second, press;
    four3 impulse;
    four squared;
} work;

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

// A visit has three parts, so that those of two batches can alternate: each part waits for most of its numbers, and the
// processor works on the other batch meanwhile.

// First part: finds the normal impulses. Returns the lanes that are not open, or do not stay open.
static inline four_bits press(work *w, int is_smooth, double share)
{
    const four none = all(0.0);
    const abut_wide_slot *slot = w->slot;
    w->velocity = sub(add(w->b.linear, cross(w->b.angular, load3(slot->arm_b))),
                      add(w->a.linear, cross(w->a.angular, load3(slot->arm_a))));
    w->old = load(w->from->of[0]);
    four wanted =
        w->old - all(share) * load(slot->factor_normal) * (dot(w->f.normal, w->velocity) - load(slot->target));
    w->press = choose(wanted > none, wanted, none);
    four_bits is_active = (w->press != none) | (w->old != none);
    if (!is_smooth) {
        w->old_first = load(w->from->of[1]);
        w->old_second = load(w->from->of[2]);
        is_active |= (w->old_first != none) | (w->old_second != none);
    }
    return is_active;
}

// All contacts are open, and stay open.
static inline void leave_open(const work *w)
{
    *(four *)w->at->of[0] = *(four *)w->at->of[1] = *(four *)w->at->of[2] = all(0.0);
}

// Second part: finds the friction.
static inline void slide(work *w, int is_smooth, double share)
{
    const four none = all(0.0);
    const abut_wide_slot *slot = w->slot;
    four change = w->press - w->old;
    four residual = load(slot->per_normal) * change;
    w->squared = residual * residual;
    *(four *)w->at->of[0] = w->press;
    if (is_smooth) { // and the impulses have no friction: the same numbers as below
        *(four *)w->at->of[1] = *(four *)w->at->of[2] = none;
        w->impulse = scale(change, w->f.normal);
        return;
    }
    four friction = w->f.friction, factor = load(slot->factor_friction);
    four slip_first = dot(w->f.first, w->velocity) - load(slot->drift[0]) + change * load(slot->coupling[0]);
    four slip_second = dot(w->f.second, w->velocity) - load(slot->drift[1]) + change * load(slot->coupling[1]);
    four step = -all(share) * factor;
    four new_first = w->old_first + step * slip_first, new_second = w->old_second + step * slip_second;
    project(&new_first, &new_second, friction * w->press);
    four_bits has_friction = (friction > none) & (factor > none);
    new_first = choose(has_friction, new_first, w->old_first);
    new_second = choose(has_friction, new_second, w->old_second);
    four slide_first = new_first - w->old_first, slide_second = new_second - w->old_second;
    four per = load(slot->per_friction);
    four slide_squared = per * per * (slide_first * slide_first + slide_second * slide_second);
    w->squared = choose(slide_squared <= w->squared, w->squared, slide_squared); // lets NaN through
    *(four *)w->at->of[1] = new_first;
    *(four *)w->at->of[2] = new_second;
    w->impulse =
        add_scaled(add_scaled(scale(change, w->f.normal), slide_first, w->f.first), slide_second, w->f.second);
}

// Third part: puts the change of the impulses on the movers.
static inline void push(work *w, finding *found)
{
    const abut_wide_batch *batch = w->batch;
    w->a.linear = add_scaled(w->a.linear, -load(batch->inverse_mass_a), w->impulse);
    w->b.linear = add_scaled(w->b.linear, load(batch->inverse_mass_b), w->impulse);
    w->a.angular = sub(w->a.angular, apply(batch->inertia_a, cross(load3(w->slot->arm_a), w->impulse)));
    w->b.angular = add(w->b.angular, apply(batch->inertia_b, cross(load3(w->slot->arm_b), w->impulse)));
    find(found, w->squared);
}

static inline void visit_slot(work *w, int is_smooth, double share, finding *found)
{
    if (!has_any(press(w, is_smooth, share))) {
        leave_open(w);
        return;
    }
    slide(w, is_smooth, share);
    push(w, found);
}

static inline void visit_two(work *v, work *w, int is_smooth, double share, finding *found)
{
    four_bits is_active = press(v, is_smooth, share);
    is_active |= press(w, is_smooth, share);
    if (!has_any(is_active)) {
        leave_open(v);
        leave_open(w);
        return;
    }
    slide(v, is_smooth, share);
    slide(w, is_smooth, share);
    push(v, found);
    push(w, found);
}

// Sets what all slots of a batch share. Field by field: the others are not cleared.
static inline void begin_batch(const abut_wide *wide, int number, work *w)
{
    const abut_wide_batch *batch = &wide->batches[number];
    w->batch = batch;
    w->a = gather_side(wide->velocities, batch->a);
    w->b = gather_side(wide->velocities, batch->b);
    w->f.normal = load3(batch->normal);
    w->f.first = load3(batch->first);
    w->f.second = cross(w->f.normal, w->f.first);
    w->f.friction = load(batch->friction);
    w->sum = all(0.0);
}

static inline void end_batch(const abut_wide *wide, const work *w, int is_back)
{
    const abut_wide_batch *batch = w->batch;
    scatter_side(wide->velocities, batch->a, batch->moves_a, w->a);
    scatter_side(wide->velocities, batch->b, batch->moves_b, w->b);
    for (int lane = 0; lane < ABUT_LANES && is_back; ++lane) {
        if (batch->runs[lane] >= 0) {
            wide->sums[batch->runs[lane]] = w->sum[lane];
        }
    }
}

// Takes the slot number `k` of a batch, from its end if the sweep goes back.
static inline void take_slot(const abut_wide *wide, work *w, int k, int is_back)
{
    int slot = w->batch->first_slot + (is_back ? w->batch->slot_count - 1 - k : k);
    w->slot = &wide->slots[slot];
    w->at = &wide->impulses[slot];
    w->from = is_back || wide->start == NULL ? w->at : &wide->start[slot];
}

// After a visit on the way back.
static inline void add_change(const abut_wide *wide, work *w)
{
    const abut_wide_impulse *start = &wide->start[w->at - wide->impulses];
    four x = load(w->at->of[0]) - load(start->of[0]), y = load(w->at->of[1]) - load(start->of[1]),
         z = load(w->at->of[2]) - load(start->of[2]);
    w->sum += x * x + y * y + z * z;
}

static inline void visit_rest(const abut_wide *wide, work *w, int first, int is_smooth, int is_back, double share,
                              finding *found)
{
    for (int k = first; k < w->batch->slot_count; ++k) {
        take_slot(wide, w, k, is_back);
        visit_slot(w, is_smooth, share, found);
        if (is_back) {
            add_change(wide, w);
        }
    }
    end_batch(wide, w, is_back);
}

static inline void visit_batch(const abut_wide *wide, int number, int is_smooth, int is_back, double share,
                               finding *found)
{
    work w;
    begin_batch(wide, number, &w);
    visit_rest(wide, &w, 0, is_smooth, is_back, share, found);
}

// Two batches that share no mover that moves.
static inline void visit_twins(const abut_wide *wide, int number, int is_smooth, int is_back, double share,
                               finding *found)
{
    work v, w;
    begin_batch(wide, number, &v);
    begin_batch(wide, number + 1, &w);
    int count = v.batch->slot_count < w.batch->slot_count ? v.batch->slot_count : w.batch->slot_count;
    for (int k = 0; k < count; ++k) {
        take_slot(wide, &v, k, is_back);
        take_slot(wide, &w, k, is_back);
        visit_two(&v, &w, is_smooth, share, found);
        if (is_back) {
            add_change(wide, &v);
            add_change(wide, &w);
        }
    }
    visit_rest(wide, &v, count, is_smooth, is_back, share, found);
    visit_rest(wide, &w, count, is_smooth, is_back, share, found);
}

static void visit(const abut_wide *wide, int begin, int end, int is_back, double share, abut_wide_miss *miss)
{
    finding found = {load(miss->largest), load(miss->zero)};
    for (int i = begin; i < end;) {
        int number = is_back ? begin + end - 1 - i : i;
        const abut_wide_batch *batch = &wide->batches[number];
        const abut_wide_batch *other = is_back ? batch - 1 : batch + 1;
        int is_paired = i + 1 < end && (is_back ? other : batch)->has_twin;
        if (!is_paired) {
            if (batch->is_smooth) {
                visit_batch(wide, number, 1, is_back, share, &found);
            } else {
                visit_batch(wide, number, 0, is_back, share, &found);
            }
        } else if (batch->is_smooth && other->is_smooth) {
            visit_twins(wide, is_back ? number - 1 : number, 1, is_back, share, &found);
        } else {
            visit_twins(wide, is_back ? number - 1 : number, 0, is_back, share, &found);
        }
        i += is_paired ? 2 : 1;
    }
    *(four *)miss->largest = found.largest;
    *(four *)miss->zero = found.zero;
}

// What an impulse on B, with its opposite on A, adds to the velocity of B's point relative to A's.
static inline four3 response(const abut_wide_batch *batch, const abut_wide_slot *slot, four3 impulse)
{
    four3 arm_a = load3(slot->arm_a), arm_b = load3(slot->arm_b);
    four3 turn_a = apply(batch->inertia_a, cross(arm_a, impulse));
    four3 turn_b = apply(batch->inertia_b, cross(arm_b, impulse));
    return add_scaled(add(cross(turn_a, arm_a), cross(turn_b, arm_b)),
                      load(batch->inverse_mass_a) + load(batch->inverse_mass_b), impulse);
}

// 1 / r, or 0 for 0.
static inline four inverse(four per)
{
    return choose(per > all(0.0), all(1.0) / per, all(0.0));
}

// The same operations as those of abut_visit_factors_find().
static inline void find_slot_factors(const abut_wide_batch *batch, const frame *f, abut_wide_slot *slot,
                                     four_bits is_used)
{
    const four none = all(0.0), half = all(0.5);
    four3 velocity = response(batch, slot, f->normal);
    four per_normal = choose(is_used, dot(f->normal, velocity), none), per_friction = none;
    *(four *)slot->per_normal = per_normal;
    *(four *)slot->factor_normal = inverse(per_normal);
    *(four *)slot->coupling[0] = choose(is_used, dot(f->first, velocity), none);
    *(four *)slot->coupling[1] = choose(is_used, dot(f->second, velocity), none);
    four_bits has_friction = (f->friction > none) & is_used;
    if (has_any(has_friction)) {
        four3 by_first = response(batch, slot, f->first), by_second = response(batch, slot, f->second);
        four xx = dot(f->first, by_first), yx = dot(f->first, by_second), yy = dot(f->second, by_second);
        four mean = half * (xx + yy), difference = half * (xx - yy);
        per_friction = choose(has_friction, mean + root(difference * difference + yx * yx), none);
    }
    *(four *)slot->per_friction = per_friction;
    *(four *)slot->factor_friction = inverse(per_friction);
}

static void find_factors(const abut_wide *wide, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        const abut_wide_batch *batch = &wide->batches[i];
        frame f;
        f.normal = load3(batch->normal);
        f.first = load3(batch->first);
        f.second = cross(f.normal, f.first);
        f.friction = load(batch->friction);
        int counts[ABUT_LANES];
        for (int lane = 0; lane < ABUT_LANES; ++lane) {
            counts[lane] = batch->runs[lane] >= 0 ? wide->runs[batch->runs[lane]].count : 0;
        }
        for (int k = 0; k < batch->slot_count; ++k) {
            abut_wide_slot *slot = &wide->slots[batch->first_slot + k];
            abut_wide_impulse *impulse = &wide->impulses[batch->first_slot + k];
            const four_bits is_used = {-(k < counts[0]), -(k < counts[1]), -(k < counts[2]), -(k < counts[3])};
            find_slot_factors(batch, &f, slot, is_used);
            four_bits responds = load(slot->per_normal) > all(0.0);
            for (int n = 0; n < 3; ++n) {
                *(four *)impulse->of[n] = choose(responds, load(impulse->of[n]), all(0.0));
            }
        }
    }
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

const abut_wide_code ABUT_WIDE_CODE = {visit, find_factors, sum_of, squared_change, advance, zero_of};
