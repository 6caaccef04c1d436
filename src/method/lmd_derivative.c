// SPDX-License-Identifier: MIT
// lmd_derivative.c: how a contact of method quasi-lmd changes with the motion of the bodies
//
// x and y are the nearest points of two lines, planes or points, with orthonormal directions E and F of them. They stay
// nearest: E . (y - x) = 0 and F . (y - x) = 0. If body A moves with the velocity v(p) = t + w x (p - o), its point x
// moves by v(x) + E s, where s is the sliding in the simplex, and E turns by w x E; the same holds for B. The
// derivatives of the two conditions are linear equations in the slidings of both sides: at most two unknowns, since
// only vertex and vertex, vertex and edge, vertex and triangle, and edge and edge are compatible.
#include "method/lmd_derivative.h"

static const double inner = 1e-9; ///< weight of a corner below which the contact is about to change its simplex

/// One side at the contact, in the world frame.
typedef struct contact_side {
    abut_vec3 point;         ///< on the base complex
    abut_vec3 origin;        ///< of the pose
    abut_vec3 directions[2]; ///< orthonormal, of the simplex
    int count;
    double dilation;
} contact_side;

void abut_lmd_reaches(const abut_query *query, const abut_base *const bases[2], const abut_contact *contact,
                      double reaches[2])
{
    const abut_side *sides[2] = {&query->pair->a, &query->pair->b};
    const abut_anchor *anchors[2] = {&contact->anchor_a, &contact->anchor_b};
    for (int i = 0; i < 2; ++i) {
        reaches[i] = bases[i]->info.dilation;
        if (bases[i]->lags == NULL) {
            continue;
        }
        abut_vec3 out = i == 0 ? contact->normal : abut_negate(contact->normal);
        abut_vec3 own = abut_quat_rotate(abut_quat_conjugate(sides[i]->pose.rotation), out);
        reaches[i] = abut_base_reach(bases[i], abut_side_mesh(sides[i]), anchors[i], own);
    }
}

static contact_side make_side(const abut_side *side, const abut_base *base, int simplex, abut_vec3 point,
                              double dilation)
{
    abut_simplex s = abut_complex_get_simplex(base->complex, simplex);
    abut_mat3 rotation = abut_quat_matrix(side->pose.rotation);
    contact_side made = {.point = point, .origin = side->pose.position, .dilation = dilation};
    made.count = s.corner_count - 1;
    for (int k = 0; k < made.count; ++k) {
        abut_vec3 e = abut_sub(base->vertices[s.vertices[k + 1]], base->vertices[s.vertices[0]]);
        e = abut_unit(abut_mat3_apply(rotation, e));
        if (k == 1) {
            e = abut_unit(abut_sub(e, abut_scale(abut_dot(e, made.directions[0]), made.directions[0])));
        }
        made.directions[k] = e;
    }
    return made;
}

/// Velocity of a point under motion `column` of a body: 0 to 2 along the axes, 3 to 5 about them.
static abut_vec3 velocity_of(abut_vec3 point, abut_vec3 origin, int column, abut_vec3 *spin)
{
    double unit[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    unit[column] = 1.0;
    *spin = abut_vec3_make(unit[3], unit[4], unit[5]);
    return abut_add(abut_vec3_make(unit[0], unit[1], unit[2]), abut_cross(*spin, abut_sub(point, origin)));
}

/// Solves m x = r for one or two unknowns.
static void solve_few(const double m[2][2], const double r[2], int count, double x[2])
{
    x[0] = x[1] = 0.0;
    if (count == 1) {
        x[0] = r[0] / m[0][0];
    } else if (count == 2) {
        double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        x[0] = (r[0] * m[1][1] - r[1] * m[0][1]) / det;
        x[1] = (m[0][0] * r[1] - m[1][0] * r[0]) / det;
    }
}

/// The velocities of both points under one motion.
static void move_points(const contact_side sides[2], int column, abut_vec3 velocities[2])
{
    abut_vec3 gap = abut_sub(sides[1].point, sides[0].point), spins[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    int body = column / 6;
    velocities[1 - body] = abut_vec3_make(0.0, 0.0, 0.0);
    velocities[body] = velocity_of(sides[body].point, sides[body].origin, column % 6, &spins[body]);
    abut_vec3 apart = abut_sub(velocities[1], velocities[0]), ways[2];
    double m[2][2] = {{0.0, 0.0}, {0.0, 0.0}}, r[2] = {0.0, 0.0}, slides[2];
    int owners[2], count = 0;
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < sides[side].count && count < 2; ++k) {
            abut_vec3 e = sides[side].directions[k];
            ways[count] = e;
            owners[count] = side;
            r[count++] = -abut_dot(abut_cross(spins[side], e), gap) - abut_dot(e, apart);
        }
    }
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) { // e_i . (change of the gap by sliding along e_k)
            m[i][k] = (owners[k] == 1 ? 1.0 : -1.0) * abut_dot(ways[i], ways[k]);
        }
    }
    solve_few((const double(*)[2])m, r, count, slides);
    for (int k = 0; k < count; ++k) {
        velocities[owners[k]] = abut_add_scaled(velocities[owners[k]], slides[k], ways[k]);
    }
}

static void set_column(double rows[3][12], int column, abut_vec3 v)
{
    rows[0][column] = v.x;
    rows[1][column] = v.y;
    rows[2][column] = v.z;
}

static int is_inner(const abut_anchor *anchor)
{
    for (int k = 0; k < 4; ++k) {
        if (anchor->vertices[k] >= 0 && anchor->weights[k] < inner) {
            return 0;
        }
    }
    return 1;
}

abut_derivative abut_lmd_derivative(const abut_query *query, const abut_base *const bases[2], const abut_lmd *lmd,
                                    const abut_contact *contact)
{
    double reaches[2];
    abut_lmd_reaches(query, bases, contact, reaches);
    // where the complex could not move in by the whole inset, the reach changes along the surface: taken as constant
    int is_even = reaches[0] == bases[0]->info.dilation && reaches[1] == bases[1]->info.dilation;
    abut_derivative d = {.is_smooth = is_even && is_inner(&contact->anchor_a) && is_inner(&contact->anchor_b)};
    abut_vec3 n = contact->normal;
    contact_side sides[2] = {
        make_side(&query->pair->a, bases[0], lmd->simplex_a, abut_add_scaled(contact->position_a, -reaches[0], n),
                  reaches[0]),
        make_side(&query->pair->b, bases[1], lmd->simplex_b, abut_add_scaled(contact->position_b, reaches[1], n),
                  reaches[1]),
    };
    for (int column = 0; column < 12; ++column) {
        abut_vec3 velocities[2];
        move_points(sides, column, velocities);
        abut_vec3 apart = abut_sub(velocities[1], velocities[0]);
        double closing = abut_dot(n, apart);
        abut_vec3 turn = abut_scale(1.0 / lmd->distance, abut_add_scaled(apart, -closing, n));
        d.gap[column] = closing;
        set_column(d.normal, column, turn);
        set_column(d.position_a, column, abut_add_scaled(velocities[0], sides[0].dilation, turn));
        set_column(d.position_b, column, abut_add_scaled(velocities[1], -sides[1].dilation, turn));
    }
    return d;
}

abut_derivative abut_fixed_derivative(const abut_query *query, const abut_contact *contact)
{
    abut_derivative d = {.is_smooth = 0};
    const abut_vec3 origins[2] = {query->pair->a.pose.position, query->pair->b.pose.position};
    for (int column = 0; column < 12; ++column) {
        abut_vec3 spin;
        int body = column / 6;
        abut_vec3 v =
            velocity_of(body == 0 ? contact->position_a : contact->position_b, origins[body], column % 6, &spin);
        d.gap[column] = (body == 0 ? -1.0 : 1.0) * abut_dot(contact->normal, v);
        set_column(body == 0 ? d.position_a : d.position_b, column, v);
    }
    return d;
}
