// SPDX-License-Identifier: MIT
// test_voxel_regions.c: the regions of random voxel solids against a truth that is counted on the grid
//
// Two 2-manifold solids of unit cubes, at integer positions, that share faces and do not overlap. On the grid it is plain which
// unit squares they share and where outlines turn: a lattice point is a corner of a shared polygon where one or three of the
// four squares around it in the polygon's plane are shared, or two opposite ones. And around each lattice point the eight cubes tell exactly
// which motions are possible (and the four cubes around each edge): octant a of A forbids octant b of B all motions that go from b to a along every axis on which they
// differ. The solids are then cut into random triangles, turned, scaled and moved.
#include "effort.h"
#include "mesh/tessellate.h"
#include "shapes.h"

enum { SIDE = 4, WORLD = 3 * SIDE }; ///< of a solid, and of the grid that holds both

typedef struct voxels {
    char cells[SIDE * SIDE * SIDE + 1];
} voxels;

static char *cell(voxels *v, int x, int y, int z)
{
    return &v->cells[x + SIDE * (y + SIDE * z)];
}

static voxels empty_voxels(void)
{
    voxels v;
    memset(v.cells, '.', sizeof v.cells);
    v.cells[sizeof v.cells - 1] = '\0';
    return v;
}

/// A connected random blob; most are manifold.
static voxels random_blob(test_random *random, int count)
{
    voxels v = empty_voxels();
    int x = SIDE / 2, y = SIDE / 2, z = SIDE / 2;
    for (int i = 0; i < count; ++i) {
        *cell(&v, x, y, z) = '#';
        int *axis = (int *[]){&x, &y, &z}[random_below(random, 3)];
        int next = *axis + (random_below(random, 2) ? 1 : -1);
        *axis = next >= 0 && next < SIDE ? next : *axis;
    }
    return v;
}

/// NULL where the blob is not 2-manifold.
static abut_mesh *mesh_of(const voxels *v, test_random *random, int cuts, double scale)
{
    test_solid solid = solid_from_voxels(v->cells, SIDE, SIDE, SIDE);
    if (cuts > 0) {
        solid_tessellate(&solid, random, cuts, 3 * cuts);
        solid_shuffle(&solid, random);
    }
    solid_move(&solid, scale, abut_pose_identity());
    abut_mesh *mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
    solid_free(&solid);
    abut_mesh_info info = abut_mesh_get_info(mesh);
    if (!info.is_closed || !info.is_oriented || info.non_manifold_vertex_count > 0) {
        abut_mesh_destroy(mesh);
        return NULL;
    }
    return mesh;
}

/// Who fills each cell of the world: 0 nobody, 1 A, 2 B. Returns 0 where both do.
typedef struct world {
    char owner[WORLD][WORLD][WORLD];
} world;

static int make_world(voxels *a, voxels *b, const int offset[3], world *w)
{
    memset(w, 0, sizeof *w);
    for (int x = 0; x < SIDE; ++x) {
        for (int y = 0; y < SIDE; ++y) {
            for (int z = 0; z < SIDE; ++z) {
                if (*cell(a, x, y, z) == '#') {
                    w->owner[x + SIDE][y + SIDE][z + SIDE] = 1;
                }
            }
        }
    }
    for (int x = 0; x < SIDE; ++x) {
        for (int y = 0; y < SIDE; ++y) {
            for (int z = 0; z < SIDE; ++z) {
                char *owner = &w->owner[x + SIDE + offset[0]][y + SIDE + offset[1]][z + SIDE + offset[2]];
                if (*cell(b, x, y, z) == '#') {
                    if (*owner == 1) {
                        return 0;
                    }
                    *owner = 2;
                }
            }
        }
    }
    return 1;
}

static int owner_at(const world *w, const int p[3])
{
    for (int i = 0; i < 3; ++i) {
        if (p[i] < 0 || p[i] >= WORLD) {
            return 0;
        }
    }
    return w->owner[p[0]][p[1]][p[2]];
}

/// Whether the unit square with lowest corner p, at right angles to `axis`, separates A from B, with B on side `sign` of it.
static int is_shared(const world *w, const int p[3], int axis, int sign)
{
    int below[3] = {p[0], p[1], p[2]};
    --below[axis];
    int lower = owner_at(w, below), upper = owner_at(w, p);
    return sign > 0 ? lower == 1 && upper == 2 : lower == 2 && upper == 1;
}

/// Which of the four squares around lattice point p are shared, as bits in turning order.
static int squares_around(const world *w, const int p[3], int axis, int sign)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3, bits = 0;
    const int steps[4][2] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}};
    for (int i = 0; i < 4; ++i) {
        int q[3] = {p[0], p[1], p[2]};
        q[u] += steps[i][0];
        q[v] += steps[i][1];
        bits |= is_shared(w, q, axis, sign) << i;
    }
    return bits;
}

static int is_corner(int bits)
{
    int count = (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3 & 1);
    return count == 1 || count == 3 || bits == 5 || bits == 10;
}

/// Whether the shared squares around p forbid all that the cubes around p forbid: every pair of octants has an axis on which they
/// differ and along which a shared square at p stands in the way.
static int squares_are_enough(const world *w, const int p[3], int *touches)
{
    int is_enough = 1;
    *touches = 0;
    for (int a = 0; a < 8; ++a) {
        int cell_a[3] = {p[0] - 1 + (a & 1), p[1] - 1 + (a >> 1 & 1), p[2] - 1 + (a >> 2 & 1)};
        if (owner_at(w, cell_a) != 1) {
            continue;
        }
        for (int b = 0; b < 8; ++b) {
            int cell_b[3] = {p[0] - 1 + (b & 1), p[1] - 1 + (b >> 1 & 1), p[2] - 1 + (b >> 2 & 1)};
            if (owner_at(w, cell_b) != 2) {
                continue;
            }
            *touches = 1;
            int is_blocked = 0;
            for (int axis = 0; axis < 3; ++axis) {
                int differs = (a >> axis & 1) - (b >> axis & 1);
                // B must not go from b to a: a shared square with B on the side of b blocks that
                is_blocked |= differs != 0 && squares_around(w, p, axis, differs > 0 ? -1 : 1) != 0;
            }
            is_enough &= is_blocked;
        }
    }
    return is_enough;
}

/// The same inside the unit edge from p along `axis`, with the four cubes and the four squares around it.
static int squares_are_enough_on_edge(const world *w, const int p[3], int axis)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b) {
            int cells[2][3];
            for (int i = 0; i < 2; ++i) {
                int bits = i == 0 ? a : b;
                cells[i][axis] = p[axis];
                cells[i][u] = p[u] - 1 + (bits & 1);
                cells[i][v] = p[v] - 1 + (bits >> 1);
            }
            if (owner_at(w, cells[0]) != 1 || owner_at(w, cells[1]) != 2) {
                continue;
            }
            int is_blocked = 0;
            for (int k = 0; k < 2; ++k) {
                int across = k == 0 ? u : v, along = k == 0 ? v : u;
                int differs = (a >> k & 1) - (b >> k & 1);
                int upper[3] = {p[0], p[1], p[2]}, lower[3] = {p[0], p[1], p[2]};
                --lower[along];
                is_blocked |= differs != 0 && (is_shared(w, upper, across, differs > 0 ? -1 : 1) ||
                                               is_shared(w, lower, across, differs > 0 ? -1 : 1));
            }
            if (!is_blocked) {
                return 0;
            }
        }
    }
    return 1;
}

typedef struct expected_contact {
    abut_vec3 position, normal;
} expected_contact;

/// All corners of shared polygons; `is_complete` tells whether nothing else is needed.
static int expected_contacts(const world *w, expected_contact *list, int *is_complete)
{
    int count = 0;
    *is_complete = 1;
    for (int x = 1; x < WORLD; ++x) {
        for (int y = 1; y < WORLD; ++y) {
            for (int z = 1; z < WORLD; ++z) {
                const int p[3] = {x, y, z};
                int touches;
                *is_complete &= squares_are_enough(w, p, &touches);
                for (int axis = 0; touches && axis < 3; ++axis) {
                    *is_complete &= squares_are_enough_on_edge(w, p, axis);
                    for (int sign = -1; sign <= 1; sign += 2) {
                        if (is_corner(squares_around(w, p, axis, sign))) {
                            expected_contact e = {
                                abut_vec3_make(x - SIDE, y - SIDE, z - SIDE),
                                abut_vec3_make(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0)};
                            list[count++] = e;
                        }
                    }
                }
            }
        }
    }
    return count;
}

static void check_pair(const abut_mesh *mesh_a, const abut_mesh *mesh_b, const int offset[3], double scale,
                       abut_pose motion, const expected_contact *expected, int count, int is_complete,
                       abut_workspace *work, int round)
{
    const abut_method *method = abut_method_find("regions");
    abut_shape *a = make_shape(NULL, mesh_a, method, NULL), *b = make_shape(NULL, mesh_b, method, NULL);
    abut_pair pair = abut_pair_default(a, b);
    abut_pose shift = abut_pose_identity();
    shift.position = abut_scale(scale, abut_vec3_make(offset[0], offset[1], offset[2]));
    pair.a.pose = motion;
    pair.b.pose = abut_pose_multiply(motion, shift);
    pair.b.pose.rotation = pair.a.pose.rotation;
    abut_result result = abut_result_default();
    abut_status status = abut_find_contacts(&pair, method, NULL, work, &result);
    const abut_contact *contacts = result.contacts.items;
    CHECK(status == ABUT_OK, "round %d: %s %s", round, abut_status_text(status), result.error.text);
    CHECK(result.stats.repairs == 0, "round %d: every outline closes", round);
    if (is_complete) {
        CHECK(result.contacts.count == count, "round %d: %d contacts, expected %d", round, result.contacts.count,
              count);
    } else {
        CHECK(result.contacts.count > count, "round %d: more than the polygons' corners", round);
    }
    for (int i = 0; i < count; ++i) {
        abut_vec3 position = abut_pose_apply(motion, abut_scale(scale, expected[i].position));
        abut_vec3 normal = abut_quat_rotate(motion.rotation, expected[i].normal);
        int found = 0;
        for (int k = 0; k < result.contacts.count; ++k) {
            found += abut_norm(abut_sub(contacts[k].position, position)) <= 1e-5 * scale &&
                     abut_norm(abut_sub(contacts[k].normal, normal)) <= 1e-6;
        }
        CHECK(found == 1, "round %d: corner %d is there %d times", round, i, found);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

/// Cells of a box from (x, y, z), `sizes` long.
static void fill(voxels *v, int x, int y, int z, int size_x, int size_y, int size_z, char filled)
{
    for (int i = 0; i < size_x * size_y * size_z; ++i) {
        *cell(v, x + i % size_x, y + i / size_x % size_y, z + i / size_x / size_y) = filled;
    }
}

// Solids with a name: an L on a slab, a ring on a slab, a table on a slab, a peg in a hole with five touching faces, a box in a corner of
// three walls. On paper they need 6, 8, 16, 20 and 12 contacts: an L has six corners, a ring eight, four feet four each; the peg's
// four sides and its bottom four each; the box's three faces four each.
static void known_solids_touch_where_the_grid_says(void **state)
{
    (void)state;
    test_random random = {4};
    voxels slab = empty_voxels(), l_shape = empty_voxels(), ring = empty_voxels(), table = empty_voxels();
    voxels block = empty_voxels(), peg = empty_voxels(), walls = empty_voxels(), box = empty_voxels();
    fill(&slab, 0, 0, 0, 4, 1, 4, '#');
    fill(&l_shape, 0, 0, 0, 1, 2, 3, '#');
    fill(&l_shape, 0, 0, 0, 3, 2, 1, '#');
    fill(&ring, 0, 0, 0, 3, 1, 3, '#');
    fill(&ring, 1, 0, 1, 1, 1, 1, '.');
    fill(&table, 0, 1, 0, 3, 1, 3, '#');
    for (int i = 0; i < 4; ++i) {
        fill(&table, i % 2 * 2, 0, i / 2 * 2, 1, 1, 1, '#');
    }
    fill(&block, 0, 0, 0, 3, 3, 3, '#');
    fill(&block, 1, 1, 1, 1, 2, 1, '.');
    fill(&peg, 0, 0, 0, 1, 4, 1, '#');
    fill(&walls, 0, 0, 0, 4, 4, 4, '#');
    fill(&walls, 1, 1, 1, 3, 3, 3, '.');
    fill(&box, 0, 0, 0, 2, 2, 2, '#');
    const struct {
        voxels *a, *b;
        int offset[3];
        int count;
    } rows[] = {{&slab, &l_shape, {0, 1, 1}, 6},
                {&slab, &ring, {1, 1, 0}, 8},
                {&slab, &table, {0, 1, 0}, 16},
                {&block, &peg, {1, 1, 1}, 20},
                {&walls, &box, {1, 1, 1}, 12}};
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    for (int i = 0; i < 5; ++i) {
        world w;
        expected_contact expected[512];
        int is_complete;
        assert_true(make_world(rows[i].a, rows[i].b, rows[i].offset, &w));
        int count = expected_contacts(&w, expected, &is_complete);
        CHECK_INT(count, rows[i].count, "corners on paper");
        CHECK(is_complete, "solid %d: polygons are enough", i);
        for (int round = 0; round < 4; ++round) {
            double scale = round == 0 ? 1.0 : pow(10.0, random_in(&random, -3.0, 3.0));
            abut_mesh *mesh_a = mesh_of(rows[i].a, &random, 40 * round, scale);
            abut_mesh *mesh_b = mesh_of(rows[i].b, &random, 40 * round, scale);
            abut_pose motion = abut_pose_identity();
            if (round > 0) {
                motion = abut_pose_make(random_vec3(&random, 1e4 * scale), random_rotation(&random));
            }
            check_pair(mesh_a, mesh_b, rows[i].offset, scale, motion, expected, count, is_complete, work, i);
            abut_mesh_destroy(mesh_a);
            abut_mesh_destroy(mesh_b);
        }
    }
    abut_workspace_destroy(work);
    CHECK_DONE();
}

/// How deep a point is inside the cells of an owner: its distance from the nearest cell that is not his; 0 outside.
static double depth_inside(const world *w, int owner, abut_vec3 p)
{
    int middle[3] = {(int)floor(p.x) + SIDE, (int)floor(p.y) + SIDE, (int)floor(p.z) + SIDE};
    if (owner_at(w, middle) != owner) {
        return 0.0;
    }
    double nearest = 1.0;
    for (int i = 0; i < 27; ++i) {
        int q[3] = {middle[0] + i % 3 - 1, middle[1] + i / 3 % 3 - 1, middle[2] + i / 9 - 1};
        if (owner_at(w, q) != owner) {
            abut_vec3 lower = abut_vec3_make(q[0] - SIDE, q[1] - SIDE, q[2] - SIDE);
            abut_vec3 upper = abut_add(lower, abut_vec3_make(1, 1, 1));
            nearest = fmin(nearest, abut_norm(abut_sub(p, abut_min(abut_max(p, lower), upper))));
        }
    }
    return nearest;
}

/// The largest depth of the sample points of one solid's cells, moved, inside the other.
static double deepest_sample(const world *w, int mover, abut_pose motion)
{
    double deepest = 0.0;
    for (int i = 0; i < WORLD * WORLD * WORLD; ++i) {
        int q[3] = {i % WORLD, i / WORLD % WORLD, i / WORLD / WORLD};
        if (owner_at(w, q) != mover) {
            continue;
        }
        for (int k = 0; k < 125; ++k) {
            abut_vec3 p = abut_vec3_make(q[0] - SIDE + 0.25 * (k % 5), q[1] - SIDE + 0.25 * (k / 5 % 5),
                                         q[2] - SIDE + 0.25 * (k / 25));
            deepest = fmax(deepest, depth_inside(w, 3 - mover, abut_pose_apply(motion, p)));
        }
    }
    return deepest;
}

/// A random twist (angular, linear) that meets all constraints normal . (linear + angular x position) >= 0, of length about 1, by
/// projecting a random one onto what it violates most; 0 where that leads to nothing.
static int random_twist(test_random *random, const abut_contact *contacts, int count, abut_vec3 *angular,
                        abut_vec3 *linear)
{
    *angular = random_unit(random);
    *linear = random_vec3(random, 2.0);
    for (int round = 0; round < 3000; ++round) {
        double worst = -1e-12;
        int which = -1;
        for (int i = 0; i < count; ++i) {
            abut_vec3 speed = abut_add(*linear, abut_cross(*angular, contacts[i].position));
            double along = abut_dot(contacts[i].normal, speed);
            if (along < worst) {
                worst = along;
                which = i;
            }
        }
        if (which < 0) {
            return abut_norm(*angular) + abut_norm(*linear) > 0.1;
        }
        abut_vec3 n = contacts[which].normal, moment = abut_cross(contacts[which].position, n);
        double step = worst / (1.0 + abut_norm_squared(moment));
        *linear = abut_add_scaled(*linear, -step, n);
        *angular = abut_add_scaled(*angular, -step, moment);
    }
    return 0;
}

enum { LP_COLUMNS = 600, LP_ROWS = 7 };

/// Whether some x >= 0 has M x = b, by Gauss-Seidel on the squares of what is left.
static int has_combination(double columns[][LP_ROWS], int count, const double b[LP_ROWS])
{
    double rest[LP_ROWS], x[LP_COLUMNS] = {0.0};
    memcpy(rest, b, sizeof rest);
    for (int sweep = 0; sweep < 20000; ++sweep) {
        double squared = 0.0;
        for (int i = 0; i < LP_ROWS; ++i) {
            squared += rest[i] * rest[i];
        }
        if (squared < 1e-12) {
            return 1;
        }
        for (int k = 0; k < count; ++k) {
            double along = 0.0, length = 0.0;
            for (int i = 0; i < LP_ROWS; ++i) {
                along += columns[k][i] * rest[i];
                length += columns[k][i] * columns[k][i];
            }
            double step = fmax(along / length, -x[k]);
            x[k] += step;
            for (int i = 0; i < LP_ROWS; ++i) {
                rest[i] -= step * columns[k][i];
            }
        }
    }
    return 0;
}

static void wrench_column(abut_vec3 n, abut_vec3 p, double last, double column[LP_ROWS])
{
    abut_vec3 moment = abut_cross(p, n);
    const double values[LP_ROWS] = {n.x, n.y, n.z, moment.x, moment.y, moment.z, last};
    memcpy(column, values, sizeof values);
}

/// The linear program of the rule that counts: is there a twist that all contacts allow and that moves octant b of B into octant a of A at
/// a lattice point, faster than 1 along every axis on which they differ? By duality (Farkas) there is none exactly if some
/// non-negative combination of the contacts' wrenches and of those of the wanted motions, with weights that add up to 1, is zero.
static int is_motion_excluded(const abut_contact *contacts, int count, abut_vec3 p, int a, int b)
{
    static double columns[LP_COLUMNS][LP_ROWS];
    const double target[LP_ROWS] = {0, 0, 0, 0, 0, 0, 1};
    int used = 0;
    for (int i = 0; i < count; ++i) {
        wrench_column(contacts[i].normal, abut_sub(contacts[i].position, p), 0.0, columns[used++]);
    }
    for (int axis = 0; axis < 3; ++axis) {
        int differs = (a >> axis & 1) - (b >> axis & 1);
        if (differs != 0) {
            abut_vec3 into =
                abut_vec3_make(axis == 0 ? differs : 0, axis == 1 ? differs : 0, axis == 2 ? differs : 0);
            wrench_column(into, abut_vec3_make(0, 0, 0), 1.0, columns[used++]);
        }
    }
    return has_combination(columns, used, target);
}

static void check_sufficient(const world *w, const abut_contact *contacts, int count, int round)
{
    for (int i = 0; i < WORLD * WORLD * WORLD; ++i) {
        int p[3] = {i % WORLD, i / WORLD % WORLD, i / WORLD / WORLD};
        for (int pair = 0; pair < 64; ++pair) {
            int a = pair % 8, b = pair / 8;
            int cell_a[3] = {p[0] - 1 + (a & 1), p[1] - 1 + (a >> 1 & 1), p[2] - 1 + (a >> 2 & 1)};
            int cell_b[3] = {p[0] - 1 + (b & 1), p[1] - 1 + (b >> 1 & 1), p[2] - 1 + (b >> 2 & 1)};
            if (owner_at(w, cell_a) == 1 && owner_at(w, cell_b) == 2) {
                abut_vec3 point = abut_vec3_make(p[0] - SIDE, p[1] - SIDE, p[2] - SIDE);
                CHECK(is_motion_excluded(contacts, count, point, a, b), "round %d: octants %d and %d at %d %d %d",
                      round, a, b, p[0], p[1], p[2]);
            }
        }
    }
}

// Theorem 1: a motion that meets all reported constraints penetrates only in second order. With a motion of 1e-3 the first order
// would be about 1e-3, the second about 1e-6 times the size of the solids squared. And what was left out was needless: at every lattice
// point a linear program finds no motion that all contacts allow and that the cubes around the point forbid.
static void allowed_motions_penetrate_in_second_order_only(void **state)
{
    (void)state;
    test_random random = {123};
    const double step = 1e-3;
    int wanted = sample_count(40, 1000), tried = 0;
    const abut_method *method = abut_method_find("regions");
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    while (tried < wanted) {
        voxels a = random_blob(&random, 14), b = random_blob(&random, 14);
        const int offset[3] = {random_below(&random, 7) - 3, random_below(&random, 7) - 3,
                               random_below(&random, 7) - 3};
        world w;
        if (!make_world(&a, &b, offset, &w)) {
            continue;
        }
        abut_mesh *mesh_a = mesh_of(&a, &random, 0, 1.0), *mesh_b = mesh_of(&b, &random, 0, 1.0);
        if (mesh_a != NULL && mesh_b != NULL) {
            abut_shape *shape_a = make_shape(NULL, mesh_a, method, NULL);
            abut_shape *shape_b = make_shape(NULL, mesh_b, method, NULL);
            abut_pair pair = abut_pair_default(shape_a, shape_b);
            pair.b.pose.position = abut_vec3_make(offset[0], offset[1], offset[2]);
            abut_result result = abut_result_default();
            CHECK_STATUS(abut_find_contacts(&pair, method, NULL, work, &result), ABUT_OK, "query");
            const abut_contact *contacts = result.contacts.items;
            check_sufficient(&w, contacts, result.contacts.count, tried);
            abut_vec3 angular, linear;
            for (int i = 0; i < 3 && result.contacts.count > 0; ++i) {
                if (!random_twist(&random, contacts, result.contacts.count, &angular, &linear)) {
                    continue;
                }
                double rate = abut_norm(angular);
                abut_pose motion = abut_pose_identity();
                motion.position = abut_scale(step, linear);
                if (rate > 0.0) {
                    motion.rotation = abut_quat_from_axis(abut_scale(1.0 / rate, angular), rate * step);
                }
                double deep_b = deepest_sample(&w, 2, motion);
                abut_pose back = abut_pose_relative(motion, abut_pose_identity());
                double deep_a = deepest_sample(&w, 1, back);
                CHECK(deep_a < 100.0 * step * step && deep_b < 100.0 * step * step,
                      "pair %d: depths %g and %g after a motion of %g", tried, deep_a, deep_b, step);
                ++tried;
            }
            abut_shape_destroy(shape_a);
            abut_shape_destroy(shape_b);
        }
        abut_mesh_destroy(mesh_a);
        abut_mesh_destroy(mesh_b);
    }
    abut_workspace_destroy(work);
    CHECK_DONE();
}

static void random_solids_touch_where_the_grid_says(void **state)
{
    (void)state;
    test_random random = {77};
    int wanted = sample_count(150, 3000), checked = 0, incomplete = 0;
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    for (int round = 0; checked < wanted; ++round) {
        voxels a = random_blob(&random, 20), b = random_blob(&random, 20);
        const int offset[3] = {random_below(&random, 7) - 3, random_below(&random, 7) - 3,
                               random_below(&random, 7) - 3};
        world w;
        expected_contact expected[512];
        int is_complete;
        if (!make_world(&a, &b, offset, &w)) {
            continue;
        }
        int count = expected_contacts(&w, expected, &is_complete);
        double scale = pow(10.0, random_in(&random, -3.0, 3.0));
        int cuts = checked % 3 == 0 ? 0 : 60;
        abut_mesh *mesh_a = mesh_of(&a, &random, cuts, scale), *mesh_b = mesh_of(&b, &random, cuts, scale);
        if (count > 0 && mesh_a != NULL && mesh_b != NULL) {
            abut_pose motion = abut_pose_identity();
            if (checked % 2 == 1) {
                motion = abut_pose_make(random_vec3(&random, 100.0 * scale), random_rotation(&random));
            }
            check_pair(mesh_a, mesh_b, offset, scale, motion, expected, count, is_complete, work, round);
            incomplete += !is_complete;
            ++checked;
        }
        abut_mesh_destroy(mesh_a);
        abut_mesh_destroy(mesh_b);
    }
    abut_workspace_destroy(work);
    CHECK(incomplete > 0 && incomplete < checked, "both kinds: %d of %d", incomplete, checked);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_solids_touch_where_the_grid_says),
                                       cmocka_unit_test(random_solids_touch_where_the_grid_says),
                                       cmocka_unit_test(allowed_motions_penetrate_in_second_order_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
