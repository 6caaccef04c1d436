// SPDX-License-Identifier: MIT
// newton.c: Newton steps on the laws of all contacts of a part at once
//
// With W = M^-1, impulses f = c - D u of the contacts, u = J v, the velocities v = v_free + W J^T f satisfy
//
//     (1 + W J^T D J) v = v_free + W J^T c.
//
// A contact that the proximal map finds open has D = c = 0. One that sticks has f = f_k - r u with a large r: a step of
// the proximal point method, which needs no inverse of J W J^T, a singular matrix where contacts are redundant. One
// that slides has f_t = mu f_n w with the direction w of its friction, and resists across w.
//
// Source:  Alart and Curnier 1991 (the Newton method and its derivatives); Rockafellar 1976 (the proximal point); Tinney
//          and Walker 1967 (the order: always the body with the fewest neighbours).
// Cost:    that of a block LU factorisation: about linear for stacks, n^1.5 for walls, n^2 for heaps of n bodies.
// Fails:   far from the answer, where contacts are taken for open or sliding that are not: prox_part.c undoes steps
//          that do not help.
#include "solve/newton.h"

#include "solve/block6.h"

#include <string.h>

// Neighbours of a body when it is eliminated, on the mean: with more, a factorisation takes too long to be of use.
enum { LIST_ROOM = 96 };
// Steps of the proximal point method with one factorisation: substitutions take a fraction of its time.
enum { PROXIMAL_STEPS = 3 };

int abut_block6_invert(double a[36])
{
    int rows[6];
    for (int k = 0; k < 6; ++k) {
        int best = k;
        for (int i = k + 1; i < 6; ++i) {
            best = fabs(a[6 * i + k]) > fabs(a[6 * best + k]) ? i : best;
        }
        rows[k] = best;
        for (int j = 0; j < 6 && best != k; ++j) {
            double swapped = a[6 * k + j];
            a[6 * k + j] = a[6 * best + j];
            a[6 * best + j] = swapped;
        }
        double pivot = a[6 * k + k], inverse = 1.0 / pivot;
        if (pivot == 0.0 || !isfinite(inverse) || !isfinite(pivot)) {
            return 0;
        }
        a[6 * k + k] = 1.0;
        for (int j = 0; j < 6; ++j) {
            a[6 * k + j] *= inverse;
        }
        for (int i = 0; i < 6; ++i) {
            double factor = a[6 * i + k];
            if (i != k) {
                a[6 * i + k] = 0.0;
                for (int j = 0; j < 6; ++j) {
                    a[6 * i + j] -= factor * a[6 * k + j];
                }
            }
        }
    }
    for (int k = 5; k >= 0; --k) {
        for (int i = 0; i < 6 && rows[k] != k; ++i) {
            double swapped = a[6 * i + k];
            a[6 * i + k] = a[6 * i + rows[k]];
            a[6 * i + rows[k]] = swapped;
        }
    }
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// The order

/// The graph of bodies that are left; each row has a bit for each body.
typedef struct graph {
    int count, words;
    uint64_t *bits;
    int *degrees; ///< -1: eliminated
} graph;

static uint64_t *row_of(const graph *g, int i)
{
    return g->bits + (size_t)i * (size_t)g->words;
}

static int count_bits(const uint64_t *row, int words)
{
    int count = 0;
    for (int i = 0; i < words; ++i) {
        count += __builtin_popcountll(row[i]);
    }
    return count;
}

static void couple(const graph *g, int a, int b)
{
    row_of(g, a)[b / 64] |= UINT64_C(1) << b % 64;
    row_of(g, b)[a / 64] |= UINT64_C(1) << a % 64;
}

static int fewest_neighbours(const graph *g)
{
    int best = -1;
    for (int i = 0; i < g->count; ++i) {
        if (g->degrees[i] >= 0 && (best < 0 || g->degrees[i] < g->degrees[best])) {
            best = i;
        }
    }
    return best;
}

// Writes the neighbours of a body, and returns their number.
static int list_neighbours(const graph *g, int i, int *neighbours)
{
    const uint64_t *row = row_of(g, i);
    int count = 0;
    for (int word = 0; word < g->words; ++word) {
        for (uint64_t left = row[word]; left != 0; left &= left - 1) {
            neighbours[count++] = 64 * word + __builtin_ctzll(left);
        }
    }
    return count;
}

// Takes a body out: its neighbours become neighbours of each other.
static void eliminate(const graph *g, int i, const int *neighbours, int count)
{
    const uint64_t *row = row_of(g, i);
    for (int k = 0; k < count; ++k) {
        int j = neighbours[k];
        uint64_t *other = row_of(g, j);
        for (int word = 0; word < g->words; ++word) {
            other[word] |= row[word];
        }
        other[i / 64] &= ~(UINT64_C(1) << i % 64);
        other[j / 64] &= ~(UINT64_C(1) << j % 64);
        g->degrees[j] = count_bits(other, g->words);
    }
    g->degrees[i] = -1;
}

static int make_graph(abut_arena *arena, const abut_part *part, abut_newton *newton, graph *g)
{
    int *nodes = newton->nodes;
    for (int i = 0; i <= part->body_count; ++i) {
        nodes[i] = part->moves[i] ? newton->node_count++ : -1;
    }
    if (newton->node_count > ABUT_NEWTON_BODIES) {
        return 1; // for the caller to refuse
    }
    g->count = newton->node_count;
    g->words = (g->count + 63) / 64;
    size_t words = (size_t)g->count * (size_t)g->words;
    g->bits = abut_arena_take(arena, words * sizeof *g->bits);
    g->degrees = abut_arena_take(arena, (size_t)g->count * sizeof *g->degrees);
    if (g->bits == NULL || g->degrees == NULL) {
        return 0;
    }
    memset(g->bits, 0, words * sizeof *g->bits);
    for (int i = 0; i < part->contact_count; ++i) {
        int a = nodes[part->pairs[i].a], b = nodes[part->pairs[i].b];
        if (a >= 0 && b >= 0) {
            couple(g, a, b);
        }
    }
    for (int i = 0; i < g->count; ++i) {
        g->degrees[i] = count_bits(row_of(g, i), g->words);
    }
    return 1;
}

static void sort_ascending(int *items, int count)
{
    for (int i = 1; i < count; ++i) {
        int item = items[i], k = i;
        for (; k > 0 && items[k - 1] > item; --k) {
            items[k] = items[k - 1];
        }
        items[k] = item;
    }
}

abut_status abut_newton_plan(abut_arena *arena, const abut_part *part, double most_work, abut_newton *newton)
{
    const abut_newton empty = {.node_count = 0};
    *newton = empty;
    graph g = {.count = 0};
    newton->nodes = abut_arena_take(arena, ((size_t)part->body_count + 1) * sizeof *newton->nodes);
    if (newton->nodes == NULL || !make_graph(arena, part, newton, &g)) {
        return ABUT_NO_MEMORY;
    }
    if (newton->node_count > ABUT_NEWTON_BODIES) {
        return ABUT_LIMIT;
    }
    size_t count = (size_t)g.count;
    int room = LIST_ROOM * g.count, total = 0;
    int *places = abut_arena_take(arena, count * sizeof *places);
    newton->ends = abut_arena_take(arena, count * sizeof *newton->ends);
    newton->later = abut_arena_take(arena, (size_t)room * sizeof *newton->later);
    if (places == NULL || newton->ends == NULL || newton->later == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int k = 0; k < g.count; ++k) {
        int i = fewest_neighbours(&g), degree = g.degrees[i];
        newton->work += (int64_t)degree * degree + 2 * (int64_t)degree + 1;
        if (total + degree > room || (double)newton->work > most_work) {
            return ABUT_LIMIT;
        }
        (void)list_neighbours(&g, i, newton->later + total);
        eliminate(&g, i, newton->later + total, degree);
        places[i] = k;
        total += degree;
        newton->ends[k] = total;
    }
    for (int i = 0; i < total; ++i) {
        newton->later[i] = places[newton->later[i]];
    }
    for (int k = 0, begin = 0; k < g.count; begin = newton->ends[k++]) {
        sort_ascending(newton->later + begin, newton->ends[k] - begin);
    }
    newton->movers = places; // from here on: of each node
    for (int i = 0; i <= part->body_count; ++i) {
        newton->nodes[i] = newton->nodes[i] >= 0 ? places[newton->nodes[i]] : -1;
    }
    for (int i = 0; i <= part->body_count; ++i) {
        if (newton->nodes[i] >= 0) {
            newton->movers[newton->nodes[i]] = i;
        }
    }
    return ABUT_OK;
}

abut_status abut_newton_take(abut_arena *arena, int contact_count, abut_newton *newton)
{
    size_t nodes = (size_t)newton->node_count, size = 36 * sizeof(double);
    size_t pairs = nodes > 0 ? (size_t)newton->ends[nodes - 1] : 0;
    newton->diagonal = abut_arena_take(arena, nodes * size);
    newton->lower = abut_arena_take(arena, pairs * size);
    newton->upper = abut_arena_take(arena, pairs * size);
    newton->values = abut_arena_take(arena, nodes * 6 * sizeof *newton->values);
    newton->laws = abut_arena_take(arena, (size_t)contact_count * sizeof *newton->laws);
    int has_all = newton->diagonal != NULL && newton->lower != NULL && newton->upper != NULL &&
                  newton->values != NULL && newton->laws != NULL;
    return has_all ? ABUT_OK : ABUT_NO_MEMORY;
}

// ---------------------------------------------------------------------------------------------------------------
// The laws of the contacts

// The impulse c - D u of a contact near the present point, in its frame: c in law[0..2], D in law[3..11].
static void find_law(const abut_row *row, const abut_visit_factors *factors, const abut_mover *movers,
                     const abut_visit_impulse *at, double stiffness, double law[12])
{
    memset(law, 0, 12 * sizeof *law);
    abut_vec3 velocity = abut_row_slip(row, movers);
    double speed = abut_dot(row->normal, velocity) - row->target;
    double normal = at->normal - factors->normal * speed;
    if (!(normal > 0.0)) {
        return; // open
    }
    double stiff_normal = stiffness * factors->normal, stiff = stiffness * factors->friction;
    law[0] = at->normal + stiff_normal * row->target;
    law[3] = stiff_normal;
    double first = at->friction.x - factors->friction * abut_dot(row->first, velocity);
    double second = at->friction.y - factors->friction * abut_dot(row->second, velocity);
    double size = sqrt(first * first + second * second), radius = row->friction * normal;
    if (!(row->friction > 0.0 && factors->friction > 0.0)) {
        return; // it has none, and keeps none
    }
    if (size <= radius) {
        law[1] = at->friction.x;
        law[2] = at->friction.y;
        law[7] = law[11] = stiff;
        return; // sticks
    }
    // slides: mu f_n along w; across w the derivative of the projection, r k / (1 - k) with k = radius / size
    double x = first / size, y = second / size, share = radius / size;
    double across = fmin(factors->friction * share / (1.0 - share), stiff);
    law[1] = row->friction * law[0] * x;
    law[2] = row->friction * law[0] * y;
    law[6] = row->friction * stiff_normal * x;
    law[9] = row->friction * stiff_normal * y;
    law[7] = across * y * y;
    law[8] = law[10] = -across * x * y;
    law[11] = across * x * x;
}

// The impulse of a law at a velocity.
static void law_impulse(const abut_row *row, const double law[12], abut_vec3 velocity, double f[3])
{
    const double u[3] = {abut_dot(row->normal, velocity), abut_dot(row->first, velocity),
                         abut_dot(row->second, velocity)};
    for (int i = 0; i < 3; ++i) {
        f[i] = law[i] - (law[3 + 3 * i] * u[0] + law[4 + 3 * i] * u[1] + law[5 + 3 * i] * u[2]);
    }
}

// Moves the proximal point of a law to the impulse that it gave: c = f + D_nn s, and friction accordingly.
static void move_law(const abut_row *row, const double f[3], double law[12])
{
    if (law[3] > 0.0) {
        int is_sliding = law[6] != 0.0 || law[9] != 0.0;
        law[0] = f[0] + law[3] * row->target;
        law[1] = is_sliding ? law[0] * (law[6] / law[3]) : f[1];
        law[2] = is_sliding ? law[0] * (law[9] / law[3]) : f[2];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The linear problem

// Q D Q^T of a law, with the frame Q of the contact, by rows.
static void turn_law(const abut_row *row, const double law[12], abut_vec3 rows[3])
{
    const abut_vec3 frame[3] = {row->normal, row->first, row->second};
    abut_vec3 half[3]; // D Q^T
    for (int i = 0; i < 3; ++i) {
        half[i] = abut_scale(law[3 + 3 * i], frame[0]);
        half[i] = abut_add_scaled(half[i], law[4 + 3 * i], frame[1]);
        half[i] = abut_add_scaled(half[i], law[5 + 3 * i], frame[2]);
    }
    const double *const q[3] = {&frame[0].x, &frame[1].x, &frame[2].x};
    for (int i = 0; i < 3; ++i) {
        rows[i] = abut_scale(q[0][i], half[0]);
        rows[i] = abut_add_scaled(rows[i], q[1][i], half[1]);
        rows[i] = abut_add_scaled(rows[i], q[2][i], half[2]);
    }
}

// Adds sign [1; R_x] G [1, -R_y] to a block, where R v = arm x v.
static void add_coupling(double *block, const abut_vec3 g[3], abut_vec3 arm_x, abut_vec3 arm_y, double sign)
{
    for (int i = 0; i < 3; ++i) {
        abut_vec3 turned = abut_cross(arm_y, g[i]);
        const double row[6] = {g[i].x, g[i].y, g[i].z, turned.x, turned.y, turned.z};
        // row i of G goes to row i, and crossed with the arm to the rows below: R_x e_i
        const abut_vec3 unit = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
        abut_vec3 lever = abut_cross(arm_x, unit);
        for (int j = 0; j < 6; ++j) {
            double value = sign * row[j];
            block[6 * i + j] += value;
            block[18 + j] += lever.x * value;
            block[24 + j] += lever.y * value;
            block[30 + j] += lever.z * value;
        }
    }
}

// Where node `row` is in the list of node `column`.
static int find_later(const abut_newton *newton, int column, int row)
{
    int low = column > 0 ? newton->ends[column - 1] : 0, high = newton->ends[column] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (newton->later[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Multiplies a block by W of a mover.
static void weigh(const abut_mover *mover, double *block)
{
    for (int j = 0; j < 6; ++j) {
        abut_vec3 turned =
            abut_mat3_apply(mover->inverse_inertia, abut_vec3_make(block[18 + j], block[24 + j], block[30 + j]));
        block[j] *= mover->inverse_mass;
        block[6 + j] *= mover->inverse_mass;
        block[12 + j] *= mover->inverse_mass;
        block[18 + j] = turned.x;
        block[24 + j] = turned.y;
        block[30 + j] = turned.z;
    }
}

static void add_impulse(abut_newton *newton, int node, abut_vec3 impulse, abut_vec3 arm, double sign)
{
    if (node >= 0) {
        double *value = newton->values + 6 * node;
        abut_vec3 moment = abut_cross(arm, impulse);
        value[0] += sign * impulse.x;
        value[1] += sign * impulse.y;
        value[2] += sign * impulse.z;
        value[3] += sign * moment.x;
        value[4] += sign * moment.y;
        value[5] += sign * moment.z;
    }
}

// J^T D J, without W.
static void assemble(abut_newton *newton, const abut_system *system)
{
    size_t nodes = (size_t)newton->node_count, pairs = (size_t)newton->ends[nodes - 1];
    memset(newton->diagonal, 0, nodes * 36 * sizeof(double));
    memset(newton->lower, 0, pairs * 36 * sizeof(double));
    memset(newton->upper, 0, pairs * 36 * sizeof(double));
    for (int i = 0; i < system->contact_count; ++i) {
        const abut_row *row = &system->rows[i];
        const double *law = newton->laws[i];
        int a = newton->nodes[row->a], b = newton->nodes[row->b];
        if (!(law[3] > 0.0)) {
            continue; // open
        }
        abut_vec3 g[3];
        turn_law(row, law, g);
        if (a >= 0) {
            add_coupling(newton->diagonal + 36 * a, g, row->arm_a, row->arm_a, 1.0);
        }
        if (b >= 0) {
            add_coupling(newton->diagonal + 36 * b, g, row->arm_b, row->arm_b, 1.0);
        }
        if (a >= 0 && b >= 0) {
            int at = 36 * find_later(newton, a < b ? a : b, a < b ? b : a);
            add_coupling((a < b ? newton->upper : newton->lower) + at, g, row->arm_a, row->arm_b, -1.0);
            add_coupling((a < b ? newton->lower : newton->upper) + at, g, row->arm_b, row->arm_a, -1.0);
        }
    }
}

// From J^T D J to the matrix.
static void complete(abut_newton *newton, const abut_system *system)
{
    const int *movers = newton->movers;
    for (int k = 0; k < newton->node_count; ++k) {
        const abut_mover *mover = &system->movers[movers[k]];
        double *block = newton->diagonal + 36 * k;
        weigh(mover, block);
        for (int i = 0; i < 6; ++i) {
            block[7 * i] += 1.0;
        }
        for (int at = k > 0 ? newton->ends[k - 1] : 0; at < newton->ends[k]; ++at) {
            weigh(mover, newton->upper + 36 * at);
            weigh(&system->movers[movers[newton->later[at]]], newton->lower + 36 * at);
        }
    }
}

// The right side, v_free + W J^T (c - D J v) - v: the equations for the change of v, which is small near the answer, and
// so are the rounding errors.
static void set_right_side(abut_newton *newton, const abut_system *system, const abut_solve_velocity *free)
{
    memset(newton->values, 0, (size_t)newton->node_count * 6 * sizeof(double));
    for (int i = 0; i < system->contact_count; ++i) {
        const abut_row *row = &system->rows[i];
        double f[3];
        law_impulse(row, newton->laws[i], abut_row_slip(row, system->movers), f);
        abut_vec3 impulse = abut_add_scaled(abut_scale(f[0], row->normal), f[1], row->first);
        impulse = abut_add_scaled(impulse, f[2], row->second);
        add_impulse(newton, newton->nodes[row->a], impulse, row->arm_a, -1.0);
        add_impulse(newton, newton->nodes[row->b], impulse, row->arm_b, 1.0);
    }
    for (int k = 0; k < newton->node_count; ++k) {
        const abut_mover *mover = &system->movers[newton->movers[k]];
        double *value = newton->values + 6 * k;
        abut_vec3 linear = abut_sub(free[newton->movers[k]].linear, mover->velocity.linear);
        abut_vec3 angular = abut_sub(free[newton->movers[k]].angular, mover->velocity.angular);
        abut_vec3 turned = abut_mat3_apply(mover->inverse_inertia, abut_vec3_make(value[3], value[4], value[5]));
        const double right[6] = {linear.x + mover->inverse_mass * value[0],
                                 linear.y + mover->inverse_mass * value[1],
                                 linear.z + mover->inverse_mass * value[2],
                                 angular.x + turned.x,
                                 angular.y + turned.y,
                                 angular.z + turned.z};
        memcpy(value, right, sizeof right);
    }
}

// Subtracts the product of column and row k from the blocks of the nodes after it.
static void update_later(const abut_newton *newton, int begin, int end)
{
    for (int s = begin; s < end; ++s) {
        int j = newton->later[s], place = j > 0 ? newton->ends[j - 1] : 0;
        const double *lower = newton->lower + 36 * s, *upper = newton->upper + 36 * s;
        abut_block6_subtract(newton->diagonal + 36 * j, lower, upper);
        for (int t = s + 1; t < end; ++t) {
            // a later node of k after j is one of j too
            while (newton->later[place] < newton->later[t]) {
                ++place;
            }
            abut_block6_subtract(newton->lower + 36 * place, newton->lower + 36 * t, upper);
            abut_block6_subtract(newton->upper + 36 * place, lower, newton->upper + 36 * t);
        }
    }
}

// Returns 0 if a pivot is zero.
static int factorise(abut_newton *newton)
{
    double product[36];
    for (int k = 0, begin = 0; k < newton->node_count; begin = newton->ends[k++]) {
        double *inverse = newton->diagonal + 36 * k;
        if (!abut_block6_invert(inverse)) {
            return 0;
        }
        for (int s = begin; s < newton->ends[k]; ++s) {
            abut_block6_multiply(product, newton->lower + 36 * s, inverse);
            memcpy(newton->lower + 36 * s, product, sizeof product);
        }
        update_later(newton, begin, newton->ends[k]);
    }
    return 1;
}

// From the right side to the changes of the velocities.
static void substitute(abut_newton *newton)
{
    for (int k = 0, begin = 0; k < newton->node_count; begin = newton->ends[k++]) {
        for (int s = begin; s < newton->ends[k]; ++s) {
            abut_block6_subtract_vector(newton->values + 6 * newton->later[s], newton->lower + 36 * s,
                                        newton->values + 6 * k);
        }
    }
    for (int k = newton->node_count - 1; k >= 0; --k) {
        double *value = newton->values + 6 * k, solved[6] = {0.0};
        for (int s = k > 0 ? newton->ends[k - 1] : 0; s < newton->ends[k]; ++s) {
            abut_block6_subtract_vector(value, newton->upper + 36 * s, newton->values + 6 * newton->later[s]);
        }
        abut_block6_subtract_vector(solved, newton->diagonal + 36 * k, value);
        for (int i = 0; i < 6; ++i) {
            value[i] = -solved[i];
        }
    }
}

// Changes the velocities. Returns 0 if they would not be finite.
static int change_velocities(const abut_newton *newton, abut_system *system)
{
    double zero = 0.0;
    for (int i = 0; i < 6 * newton->node_count; ++i) {
        zero += abut_zero_of(newton->values[i]);
    }
    for (int k = 0; k < newton->node_count && zero == 0.0; ++k) {
        const double *v = newton->values + 6 * k;
        abut_solve_velocity *velocity = &system->movers[newton->movers[k]].velocity;
        velocity->linear = abut_add(velocity->linear, abut_vec3_make(v[0], v[1], v[2]));
        velocity->angular = abut_add(velocity->angular, abut_vec3_make(v[3], v[4], v[5]));
    }
    return zero == 0.0;
}

int abut_newton_step(abut_newton *newton, abut_system *system, const abut_visit_factors *factors,
                     const abut_solve_velocity *free, double stiffness, abut_visit_impulse *impulses)
{
    for (int i = 0; i < system->contact_count; ++i) {
        find_law(&system->rows[i], &factors[i], system->movers, &impulses[i], stiffness, newton->laws[i]);
    }
    assemble(newton, system);
    complete(newton, system);
    if (!factorise(newton)) {
        return 0;
    }
    for (int k = 0; k < PROXIMAL_STEPS; ++k) {
        set_right_side(newton, system, free);
        substitute(newton);
        if (!change_velocities(newton, system)) {
            return 0;
        }
        for (int i = 0; i < system->contact_count; ++i) {
            const abut_row *row = &system->rows[i];
            double f[3];
            law_impulse(row, newton->laws[i], abut_row_slip(row, system->movers), f);
            move_law(row, f, newton->laws[i]);
            impulses[i].normal = f[0] > 0.0 ? f[0] : 0.0;
            impulses[i].friction =
                abut_disc_project(abut_vec3_make(f[1], f[2], 0.0), row->friction * impulses[i].normal);
        }
    }
    // the velocities that go with the impulses, which were put back into their cones
    for (int k = 0; k < newton->node_count; ++k) {
        system->movers[newton->movers[k]].velocity = free[newton->movers[k]];
    }
    for (int i = 0; i < system->contact_count; ++i) {
        abut_visit_push(&system->rows[i], system->movers, impulses[i].normal, impulses[i].friction);
    }
    return 1;
}
