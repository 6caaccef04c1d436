// SPDX-License-Identifier: MIT
// test_regions_overlap.c: method regions separates solids that overlap, at any depth
#include "effort.h"
#include "failing.h"
#include "mesh/tessellate.h"
#include "random.h"
#include "shapes.h"

#include <abut/translation.h>

/// A query about two meshes.
typedef struct question {
    const abut_context *context;
    const abut_method *method;
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_workspace *work;
    abut_pose poses[2];
    abut_vec3 velocity; ///< of B, for a step of 0.01
    abut_status status;
    abut_result result;
    double length; ///< of the least translation that opens all contacts; NaN if there is none
    abut_vec3 t;
} question;

/// Takes over the meshes.
static question begin_with(const abut_context *context, const char *method, abut_mesh *a, abut_mesh *b)
{
    question q = {.context = context, .method = abut_method_find(method), .meshes = {a, b}};
    for (int i = 0; i < 2; ++i) {
        q.shapes[i] = make_shape(context, q.meshes[i], q.method, NULL);
        q.poses[i] = abut_pose_identity();
    }
    assert_int_equal(abut_workspace_create(context, &q.work), ABUT_OK);
    return q;
}

static question begin(const abut_context *context, abut_mesh *a, abut_mesh *b)
{
    return begin_with(context, "regions", a, b);
}

static void end(question *q)
{
    abut_workspace_destroy(q->work);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(q->shapes[i]);
        abut_mesh_destroy(q->meshes[i]);
    }
}

static void ask(question *q)
{
    static abut_half_space sides[4096];
    abut_pair pair = abut_pair_default(q->shapes[0], q->shapes[1]);
    pair.a.pose = q->poses[0];
    pair.b.pose = q->poses[1];
    pair.a.key = 1;
    pair.b.key = 2;
    pair.b.linear_velocity = q->velocity;
    pair.dt = 0.01;
    q->result = abut_result_default();
    q->status = abut_find_contacts(&pair, q->method, NULL, q->work, &q->result);
    int count = q->result.contacts.count;
    assert_true(count <= 4096);
    for (int i = 0; i < count; ++i) {
        const abut_contact *c = &q->result.contacts.items[i];
        sides[i] = (abut_half_space){c->normal, -c->gap};
        CHECK_NEAR(c->gap, abut_dot(c->normal, abut_sub(c->position_b, c->position_a)), 1e-9, "gap");
    }
    q->length = count > 0 && abut_least_translation(sides, count, &q->t) ? abut_norm(q->t) : (double)NAN;
}

static abut_mesh *cube(double half)
{
    return make_box(NULL, abut_vec3_make(-half, -half, -half), abut_vec3_make(half, half, half));
}

/// A small cube inside a large one, at x from the middle, comes out of the nearest wall: 4 + 1 - x. Each corner of that
/// face is a contact, at any rotation, scale, place and order.
static void one_inside_the_other(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 12; ++i) {
        double scale = pow(10.0, random_in(&random, -3.0, 3.0)), x = random_in(&random, 0.2, 2.9);
        question q = begin(NULL, cube(4.0 * scale), cube(scale));
        abut_pose frame = abut_pose_make(random_vec3(&random, 100.0 * scale),
                                         abut_quat_from_axis(abut_unit(random_vec3(&random, 1.0)), i));
        abut_pose inside =
            abut_pose_make(abut_vec3_make(x * scale, 0.1 * scale, -0.15 * scale), abut_quat_identity());
        q.poses[0] = frame;
        q.poses[1] = abut_pose_multiply(frame, inside);
        ask(&q);
        CHECK_STATUS(q.status, ABUT_OK, "inside");
        CHECK_NEAR(q.length / scale, 5.0 - x, 1e-6, "inside");
        CHECK_INT(q.result.contacts.count, 4, "inside");
        end(&q);
    }
    CHECK_DONE();
}

/// A brick is pushed d deep into the corner between the floor and the wall of an L, by the same length: the way out is d
/// along the diagonal, sqrt(2) d, with the normals of floor and wall. As d becomes smaller, the contacts become those of
/// d = 0.
static void contacts_tend_to_those_of_touching(void **state)
{
    (void)state;
    question q = begin(NULL, make_l(NULL, 1.0), cube(0.25));
    int count = 0;
    for (double d = 0.0; d < 0.11; d = d == 0.0 ? 1e-7 : 10.0 * d) {
        q.poses[1].position = abut_vec3_make(1.25 - d, 1.25 - d, 0.5);
        ask(&q);
        CHECK_STATUS(q.status, ABUT_OK, "corner");
        count = d == 0.0 ? q.result.contacts.count : count;
        CHECK_INT(q.result.contacts.count, count, "corner");
        CHECK_NEAR(q.length, sqrt(2.0) * d, 1e-7 * d + 1e-12, "corner");
        for (int i = 0; i < q.result.contacts.count; ++i) {
            const abut_contact *c = &q.result.contacts.items[i];
            CHECK_NEAR(fmax(c->normal.x, c->normal.y), 1.0, 1e-6, "a wall or the floor");
            CHECK_NEAR(c->gap, -d, 1e-6 * d + 1e-12, "depth");
        }
    }
    CHECK(count == 8, "%d contacts at the corner", count);
    end(&q);
    CHECK_DONE();
}

/// The face of a cube against the larger one of another, which is tilted by 0.8 % of a radian: 0.04 deep at one corner,
/// less at the others, by the tilt times their distance. The way out is 0.04 along the normal of the larger face. All four
/// corners are contacts: one corner alone would let a body on others turn about it and sink.
static void tilted_faces_keep_their_corners(void **state)
{
    (void)state;
    const double depth = 0.04, tilt = 0.008;
    for (int i = 0; i < 8; ++i) {
        abut_vec3 axis = {cos(0.2 + 0.7 * i), 0.0, sin(0.2 + 0.7 * i)};
        abut_pose b = abut_pose_make(abut_vec3_make(0.0, 0.0, 0.0), abut_quat_from_axis(axis, tilt));
        abut_vec3 up = abut_quat_rotate(b.rotation, abut_vec3_make(0.0, 1.0, 0.0));
        double most = 0.4 * (fabs(up.x) + fabs(up.y) + fabs(up.z)); // the furthest corner of A along `up`
        b.position = abut_scale(most - depth + 2.0, up);
        question q = begin(NULL, cube(0.4), cube(2.0));
        q.poses[1] = b;
        ask(&q);
        CHECK_STATUS(q.status, ABUT_OK, "tilted");
        CHECK_NEAR(q.length, depth, 1e-3 * depth, "the way out");
        CHECK_INT(q.result.contacts.count, 4, "corners");
        for (int k = 0; k < q.result.contacts.count; ++k) {
            const abut_contact *c = &q.result.contacts.items[k];
            double there = abut_dot(up, c->position_a) - (most - depth);
            CHECK_NEAR(-c->gap, there, 1e-3 * depth, "depth of a corner");
        }
        end(&q);
    }
    CHECK_DONE();
}

// ---- voxels

enum { SIDE = 4, CELLS = SIDE * SIDE * SIDE };

/// A connected set of cells without two cells that meet only in an edge or a corner.
static void make_blob(test_random *random, char *cells)
{
    int boxes = 2 + random_below(random, 2);
    memset(cells, 0, CELLS);
    int at[3] = {1, 1, 1};
    for (int i = 0; i < boxes; ++i) { // bars through a common cell: closed without loose edges
        int axis = (random_below(random, 3) + i) % 3, from = random_below(random, at[axis] + 1);
        for (int k = from; k < SIDE; ++k) {
            int cell[3] = {at[0], at[1], at[2]};
            cell[axis] = k;
            cells[(cell[2] * SIDE + cell[1]) * SIDE + cell[0]] = 1;
        }
    }
}

static int is_filled(const char *cells, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < SIDE && y < SIDE && z < SIDE && cells[(z * SIDE + y) * SIDE + x];
}

static int is_overlap(const char *a, const char *b, int x, int y, int z)
{
    for (int i = 0; i < CELLS; ++i) {
        if (b[i] && is_filled(a, i % SIDE + x, i / SIDE % SIDE + y, i / SIDE / SIDE + z)) {
            return 1;
        }
    }
    return 0;
}

/// The least translation that frees B, which is at whole numbers x, y, z: the translations that do not are open cubes of
/// side 2 about whole numbers, so the nearest one outside of all has whole coordinates.
static double exact_length(const char *a, const char *b, const int at[3])
{
    double least = HUGE_VAL;
    for (int i = 0; i < 19 * 19 * 19; ++i) {
        int x = i % 19 - 9, y = i / 19 % 19 - 9, z = i / 361 - 9;
        if (!is_overlap(a, b, at[0] + x, at[1] + y, at[2] + z)) {
            least = fmin(least, sqrt((double)(x * x + y * y + z * z)));
        }
    }
    return least;
}

static abut_mesh *mesh_of(const char *cells)
{
    char filled[CELLS + 1] = "";
    for (int i = 0; i < CELLS; ++i) {
        filled[i] = cells[i] ? '#' : '.';
    }
    test_solid solid = solid_from_voxels(filled, SIDE, SIDE, SIDE);
    abut_mesh *mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
    solid_free(&solid);
    return mesh;
}

/// Never shorter than the exact answer, which would be wrong, and mostly equal to it.
static void voxel_solids_take_the_least_way(void **state)
{
    (void)state;
    test_random random = {77};
    int trials = sample_count(200, 5000), overlaps = 0, exact = 0;
    for (int i = 0; i < trials; ++i) {
        char a[CELLS], b[CELLS];
        make_blob(&random, a);
        make_blob(&random, b);
        int at[3] = {random_below(&random, 3) - 1, random_below(&random, 3) - 1, random_below(&random, 3) - 1};
        if (!is_overlap(a, b, at[0], at[1], at[2])) {
            continue;
        }
        question q = begin(NULL, mesh_of(a), mesh_of(b));
        abut_pose frame =
            abut_pose_make(random_vec3(&random, 1.0), abut_quat_from_axis(abut_unit(random_vec3(&random, 1.0)), i));
        q.poses[0] = frame;
        q.poses[1] =
            abut_pose_multiply(frame, abut_pose_make(abut_vec3_make(at[0], at[1], at[2]), abut_quat_identity()));
        ask(&q);
        double least = exact_length(a, b, at);
        CHECK_STATUS(q.status, ABUT_OK, "voxels");
        CHECK(q.length >= least - 1e-5, "trial %d: %g, exact %g", i, q.length, least);
        ++overlaps;
        exact += q.length <= least + 1e-5;
        end(&q);
    }
    CHECK(overlaps > trials / 4, "%d of %d overlap", overlaps, trials);
    CHECK(exact >= 0.9 * overlaps, "%d of %d exact", exact, overlaps);
    CHECK_DONE();
}

// ---- convex solids by the search for concave ones

/// A random hull around the origin, and the same with a small cavity in its middle, so that it is not convex. The cavity is
/// too small for the other solid: what separates one pair separates the other.
static void make_hulls(test_random *random, abut_mesh **hull, abut_mesh **hollow)
{
    enum { MOST = 24 };
    abut_vec3 points[MOST];
    int count = 4 + random_below(random, MOST - 3);
    abut_vec3 stretch = {random_in(random, 0.3, 1.0), random_in(random, 0.3, 1.0), 1.0};
    for (int i = 0; i < count; ++i) { // the first four surround the origin
        abut_vec3 p = i < 4
                          ? abut_vec3_make(i < 2 ? 1.0 : -1.0, i % 2 ? 1.0 : -1.0, (i == 0 || i == 3) ? 1.0 : -1.0)
                          : abut_scale(1.7, random_unit(random));
        points[i] = abut_vec3_make(stretch.x * p.x, stretch.y * p.y, stretch.z * p.z);
    }
    assert_int_equal(abut_hull_create(NULL, points, count, hull, NULL, NULL), ABUT_OK);
    abut_mesh_elements e = abut_mesh_get_elements(*hull);
    abut_vec3 vertices[MOST + 4];
    int triangles[3 * (2 * MOST + 4)];
    for (int i = 0; i < e.vertex_count; ++i) {
        vertices[i] = e.vertices[i];
    }
    for (int i = 0; i < 4; ++i) {
        vertices[e.vertex_count + i] = abut_scale(1e-3, points[i]);
    }
    for (int i = 0; i < 3 * e.triangle_count; ++i) {
        triangles[i] = e.triangles[i];
    }
    static const int inward[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    double volume = abut_dot(points[1], abut_cross(points[2], points[3]));
    for (int i = 0; i < 12; ++i) {
        int k = volume > 0.0 ? i : i - i % 3 + (3 - i % 3) % 3; // the other way around
        triangles[3 * e.triangle_count + i] = e.vertex_count + inward[k];
    }
    *hollow = make_triangles(NULL, vertices, e.vertex_count + 4, triangles, e.triangle_count + 4);
}

/// The depth exceeds the exact one, of method convex, by at most 1 % in 99 % of the pairs, and is never below it.
static void hollow_hulls_take_nearly_the_least_way(void **state)
{
    (void)state;
    test_random random = {1913};
    int trials = sample_count(100, 14000), overlaps = 0, close = 0;
    double worst = 0.0;
    for (int i = 0; i < trials; ++i) {
        abut_mesh *hulls[2], *hollow[2];
        make_hulls(&random, &hulls[0], &hollow[0]);
        make_hulls(&random, &hulls[1], &hollow[1]);
        question exact = begin_with(NULL, "convex", hulls[0], hulls[1]), q = begin(NULL, hollow[0], hollow[1]);
        for (int k = 0; k < 2; ++k) {
            exact.poses[k] = q.poses[k] =
                abut_pose_make(random_vec3(&random, k == 0 ? 3.0 : 1.0), random_rotation(&random));
        }
        exact.poses[1].position = q.poses[1].position = abut_add(q.poses[0].position, q.poses[1].position);
        ask(&exact);
        if (exact.status == ABUT_OK && exact.length > 1e-3) {
            ask(&q);
            CHECK_STATUS(q.status, ABUT_OK, "hollow hulls");
            double excess = q.length / exact.length - 1.0;
            CHECK(excess >= -1e-5, "trial %d: %g, exact %g", i, q.length, exact.length);
            ++overlaps;
            close += excess <= 0.01;
            worst = fmax(worst, excess);
        }
        end(&exact);
        end(&q);
    }
    if (is_long_test()) {
        printf("%d of %d pairs within 1 %%, worst %g %%\n", close, overlaps, 100.0 * worst);
    }
    CHECK(overlaps > trials / 2, "%d of %d overlap", overlaps, trials);
    CHECK(close >= 0.99 * overlaps, "%d of %d within 1 %%, worst %g", close, overlaps, worst);
    CHECK_DONE();
}

/// A table of size 4, with a leg of one cell in each corner, stands in a floor, tilted by 1e-4 and deep enough that all
/// legs are inside: each of their 16 corners is a contact, and its gap is its height. This is so with the motion that led
/// there, too, of which the first touch has one corner alone; from shallow overlaps to deep ones.
static void every_leg_has_contacts(void **state)
{
    (void)state;
    char cells[CELLS] = {0};
    for (int i = 0; i < CELLS; ++i) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        cells[i] = z == 1 || (z == 0 && x % 3 == 0 && y % 3 == 0);
    }
    const double depths[] = {1e-3, 3e-3, 1e-2, 5e-2};
    for (int i = 0; i < 8; ++i) {
        question q =
            begin(NULL, make_box(NULL, abut_vec3_make(-9, -9, -9), abut_vec3_make(9, 9, 0)), mesh_of(cells));
        double depth = depths[i / 2];
        q.poses[1] = abut_pose_make(abut_vec3_make(0.1, 0.2, -depth),
                                    abut_quat_from_axis(abut_unit(abut_vec3_make(1.0, 0.3, 0.0)), 1e-4));
        q.velocity = abut_vec3_make(0.0, 0.0, i % 2 == 0 ? 0.0 : -100.0 * depth - 1.0);
        ask(&q);
        CHECK_STATUS(q.status, ABUT_OK, "table");
        CHECK(q.result.contacts.count == 16, "depth %g: %d contacts", depth, q.result.contacts.count);
        for (int k = 0; k < q.result.contacts.count; ++k) {
            const abut_contact *c = &q.result.contacts.items[k];
            CHECK_NEAR(c->normal.z, 1.0, 1e-9, "normal");
            CHECK_NEAR(c->gap, c->position_b.z, 1e-9, "height");
        }
        end(&q);
    }
    CHECK_DONE();
}

/// A repeated query makes no heap calls, and each failed allocation of the first one is reported without leaks.
static void memory_is_taken_once(void **state)
{
    (void)state;
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    question q = begin(&context, make_l(NULL, 1.0), make_l(NULL, 1.0));
    q.poses[1] =
        abut_pose_make(abut_vec3_make(0.7, 0.6, 0.3), abut_quat_from_axis(abut_unit(abut_vec3_make(1, 2, 3)), 1.0));
    for (int i = 0; i < 4; ++i) {
        ask(&q);
        CHECK_STATUS(q.status, ABUT_OK, "overlap");
    }
    int calls = heap.calls;
    ask(&q);
    CHECK_INT(heap.calls, calls, "heap calls of a repeated query");
    int failures = 0;
    for (int i = 1; i < 200; ++i) {
        abut_workspace_destroy(q.work);
        assert_int_equal(abut_workspace_create(&context, &q.work), ABUT_OK);
        heap.fail_at = heap.calls + i;
        ask(&q);
        heap.fail_at = 0;
        if (q.status == ABUT_OK) {
            break;
        }
        CHECK_STATUS(q.status, ABUT_NO_MEMORY, "failed allocation");
        ++failures;
    }
    CHECK(failures > 2, "%d", failures);
    end(&q);
    CHECK_INT(heap.live, 0, "leaks");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_inside_the_other),
        cmocka_unit_test(contacts_tend_to_those_of_touching),
        cmocka_unit_test(tilted_faces_keep_their_corners),
        cmocka_unit_test(voxel_solids_take_the_least_way),
        cmocka_unit_test(hollow_hulls_take_nearly_the_least_way),
        cmocka_unit_test(every_leg_has_contacts),
        cmocka_unit_test(memory_is_taken_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
