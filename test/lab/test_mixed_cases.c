// SPDX-License-Identifier: MIT
// test_mixed_cases.c: saddles: solids on paper, the normals of a spike on one, and that regions keeps two of them
// apart
#include "check.h"
#include "effort.h"
#include "random.h"

#include <abut-lab/lab.h>

static const double PI = 3.14159265358979323846;
enum { MAX_CONTACTS = 64 };

static abut_case *create(const char *name, double scene_size)
{
    abut_case_params params = abut_case_params_default();
    params.scene_size = scene_size;
    abut_case *made = NULL;
    abut_error error = {0};
    CHECK(abut_case_create(NULL, name, &params, &made, &error) == ABUT_OK, "%s: %s", name, error.text);
    assert_non_null(made);
    return made;
}

static void names_are_not_among_the_fundamental_ones(void **state)
{
    (void)state;
    static const char *const expected[] = {"spike-on-saddle", "saddles-2", "saddles-3",
                                           "saddles-4",       "saddles-5", "saddles-6"};
    int count = 0, fundamental_count = 0;
    const char *const *names = abut_mixed_case_names(&count);
    const char *const *fundamental = abut_case_names(&fundamental_count);
    assert_int_equal(count, 6);
    for (int i = 0; i < count; ++i) {
        CHECK(strcmp(names[i], expected[i]) == 0, "%s", names[i]);
        for (int k = 0; k < fundamental_count; ++k) {
            CHECK(strcmp(names[i], fundamental[k]) != 0, "%s", names[i]);
        }
    }
    CHECK_DONE();
}

/// With B = S / 25: 2n sectors of radius 2B; over each, the heights above the bottom (2B deep) are 2B at the vertex,
/// and 2B + rise and 2B - fall at the corners. A prism cut by a plane has its base times the mean of the three.
static double volume_on_paper(int dips, double b, double rise, double fall)
{
    return 2 * dips * 0.5 * 4.0 * b * b * sin(PI / dips) * (2.0 * b + (rise - fall) / 3.0);
}

static void check_solid(const abut_mesh *mesh, double volume, const char *name)
{
    abut_mesh_info info = abut_mesh_get_info(mesh);
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    CHECK(info.is_closed && info.is_oriented && info.non_manifold_vertex_count == 0, "%s", name);
    CHECK_NEAR(info.volume, volume, 1e-13 * volume, name);
    double sum = 0.0;
    int outer = 0;
    for (int i = 0; i < e.tet_count; ++i) {
        abut_vec3 a = e.vertices[e.tets[4 * i]], b = e.vertices[e.tets[4 * i + 1]];
        abut_vec3 c = e.vertices[e.tets[4 * i + 2]], d = e.vertices[e.tets[4 * i + 3]];
        sum += fabs(abut_dot(abut_sub(d, a), abut_cross(abut_sub(b, a), abut_sub(c, a)))) / 6.0;
        for (int k = 0; k < 4; ++k) {
            CHECK((t.tet_neighbours[4 * i + k] == ABUT_BOUNDARY) == (t.tet_triangles[4 * i + k] >= 0),
                  "%s: tetrahedron %d", name, i);
            outer += t.tet_triangles[4 * i + k] >= 0;
        }
    }
    CHECK_NEAR(sum, volume, 1e-13 * volume, name);
    CHECK_INT(outer, e.triangle_count, name);
}

static void saddles_are_solids(void **state)
{
    (void)state;
    const double sizes[] = {0.0, 20.0, 7.3};
    for (int i = 0; i < 3; ++i) {
        double b = (sizes[i] > 0.0 ? sizes[i] : 25.0) / 25.0;
        abut_case *c = create("spike-on-saddle", sizes[i]);
        check_solid(c->b.mesh, volume_on_paper(2, b, b, b), c->name);
        abut_case_destroy(c);
        for (int dips = 2; dips <= 6; ++dips) {
            char name[32];
            (void)snprintf(name, sizeof name, "saddles-%d", dips);
            c = create(name, sizes[i]);
            check_solid(c->a.mesh, volume_on_paper(dips, b, 0.4 * b, 1.2 * b), name);
            check_solid(c->b.mesh, volume_on_paper(dips, b, 0.4 * b, 1.2 * b), name);
            CHECK(c->truth_count[0] == 0 && c->truth_count[1] == 0 && c->minimum == 0, "%s has no truth", name);
            abut_measures m =
                abut_measure(c, (abut_case_poses){c->a.pose, c->b.pose}, ABUT_READING_VELOCITY, NULL, 0);
            CHECK(isnan(m.quality) && isnan(m.coverage) && isnan(m.coverage_normals) && isnan(m.excess), "%s",
                  name);
            abut_case_destroy(c);
        }
    }
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Queries

typedef struct answer {
    abut_contact contacts[MAX_CONTACTS];
    int count;
} answer;

/// The contacts of regions, both bodies turned and moved, with the velocity of A.
static answer ask(const abut_case *c, abut_vec3 velocity, abut_pose motion)
{
    const abut_method *method = abut_method_find("regions");
    abut_workspace *work = NULL;
    abut_shape *shapes[2] = {NULL, NULL};
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    for (int i = 0; i < 2; ++i) {
        abut_shape_def def = abut_shape_def_default();
        def.mesh = i == 0 ? c->a.mesh : c->b.mesh;
        assert_int_equal(abut_shape_create(NULL, &def, &shapes[i], NULL), ABUT_OK);
        assert_int_equal(abut_shape_prepare(shapes[i], method, NULL, NULL), ABUT_OK);
    }
    abut_pair pair = abut_case_pair(c, (abut_state){.kind = ABUT_STATE_TOUCHING}, shapes[0], shapes[1]);
    pair.a.linear_velocity = abut_quat_rotate(motion.rotation, velocity);
    pair.a.pose = abut_pose_multiply(motion, pair.a.pose);
    pair.b.pose = abut_pose_multiply(motion, pair.b.pose);
    answer found = {.count = 0};
    abut_result result = abut_result_default();
    abut_status status = abut_find_contacts(&pair, method, NULL, work, &result);
    CHECK(status == ABUT_OK, "%s: %s: %s", c->name, abut_status_text(status), result.error.text);
    abut_buffers buffers = abut_buffers_default();
    buffers.contacts.items = found.contacts;
    buffers.contacts.capacity = MAX_CONTACTS;
    CHECK_STATUS(abut_result_copy(&result, &buffers), ABUT_OK, c->name);
    found.count = buffers.contacts.count;
    for (int i = 0; i < found.count; ++i) {
        abut_contact *contact = &found.contacts[i];
        contact->normal = abut_quat_rotate(abut_quat_conjugate(motion.rotation), contact->normal);
        CHECK_NEAR(abut_norm(contact->normal), 1.0, 1e-12, c->name);
        CHECK(abut_norm(abut_sub(contact->position, motion.position)) <= 1e-6 * c->size, "%s: not at the vertex",
              c->name);
    }
    abut_shape_destroy(shapes[0]);
    abut_shape_destroy(shapes[1]);
    abut_workspace_destroy(work);
    return found;
}

static int has_normal(const answer *found, abut_vec3 normal)
{
    for (int i = 0; i < found->count; ++i) {
        if (abut_norm(abut_sub(found->contacts[i].normal, normal)) < 1e-9) {
            return 1;
        }
    }
    return 0;
}

/// The saddle rises by x/2 along x and -x and falls by z/2 along z and -z: four faces with the normals (+-1, 2,
/// +-1)/sqrt(6) from the saddle to the spike, turned here. The spike is steeper than all of them, so its tip alone is
/// in the way. It may move in two convex cones, one along each dip, between the two faces next to it.
static void spike_on_saddle_has_two_normals_or_four(void **state)
{
    (void)state;
    test_random random = {46};
    for (int round = 0; round < 20; ++round) {
        abut_case *c = create("spike-on-saddle", round == 0 ? 0.0 : pow(10.0, random_in(&random, -2.0, 4.0)));
        abut_pose motion = abut_pose_identity();
        if (round > 0) {
            motion = abut_pose_make(random_vec3(&random, 3.0 * c->size), random_rotation(&random));
        }
        answer sliding = ask(c, c->a.linear_velocity, motion);
        CHECK_INT(sliding.count, 2, "with the velocity");
        answer resting = ask(c, abut_vec3_make(0.0, 0.0, 0.0), motion);
        CHECK_INT(resting.count, 4, "at rest");
        // Along the other dip: the other two.
        abut_vec3 back = c->a.linear_velocity;
        back.z = -back.z;
        answer returning = ask(c, back, motion);
        CHECK_INT(returning.count, 2, "along the other dip");
        for (int i = 0; i < 4; ++i) {
            double z = i < 2 ? 1.0 : -1.0;
            abut_vec3 normal = abut_unit(abut_vec3_make(i % 2 == 0 ? 1.0 : -1.0, -2.0, z));
            CHECK(has_normal(&resting, normal), "at rest: normal %d", i);
            CHECK(has_normal(&sliding, normal) == (i < 2), "with the velocity: normal %d", i);
            CHECK(has_normal(&returning, normal) == (i >= 2), "along the other dip: normal %d", i);
        }
        for (int i = 0; i < 2; ++i) {
            CHECK(sliding.contacts[i].rule == ABUT_RULE_VELOCITY, "rule of contact %d", i);
            CHECK(has_normal(&sliding, c->truth[ABUT_READING_VELOCITY][i].normal), "truth %d", i);
        }
        CHECK(resting.contacts[0].rule == ABUT_RULE_NONE, "rule at rest");
        abut_case_destroy(c);
    }
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Two saddles as functions: the lower one is below f, the upper one above g

/// Height at (x, z) of the fan whose corners at the angles k pi / n are even[k % 2] per length.
static double fan_height(int dips, const double even[2], double x, double z)
{
    double step = PI / dips, angle = atan2(-z, x);
    angle += angle < 0.0 ? 2.0 * PI : 0.0;
    int k = (int)(angle / step);
    // (x, -z) as a sum of the corners k and k + 1
    double ax = cos(k * step), az = sin(k * step), bx = cos((k + 1) * step), bz = sin((k + 1) * step);
    double det = ax * bz - az * bx;
    double s = (x * bz + z * bx) / det, t = (-ax * z - az * x) / det;
    return s * even[k % 2] + t * even[(k + 1) % 2];
}

/// By how much the upper cone, moved by u, is in the lower one at (x, z).
static double depth_at(int dips, abut_vec3 u, double x, double z)
{
    const double lower[2] = {0.2, -0.6}, upper[2] = {0.6, -0.2};
    return fan_height(dips, lower, x, z) - fan_height(dips, upper, x - u.x, z - u.z) - u.y;
}

/// Whether the upper cone, moved by u, is in the lower one anywhere. The depth is linear between the edges of both
/// fans and falls far away, so it is largest at a vertex of one fan or where edges of both cross.
static int penetrates(int dips, abut_vec3 u)
{
    double depth = fmax(depth_at(dips, u, 0.0, 0.0), depth_at(dips, u, u.x, u.z));
    for (int i = 0; i < 2 * dips; ++i) {
        for (int k = 0; k < 2 * dips; ++k) {
            double ax = cos(i * PI / dips), az = -sin(i * PI / dips);
            double bx = cos(k * PI / dips), bz = -sin(k * PI / dips);
            double det = ax * bz - az * bx;
            double s = (u.x * bz - u.z * bx) / det, t = (u.x * az - u.z * ax) / det; // s a = u + t b
            if (fabs(det) > 1e-9 && s >= 0.0 && t >= 0.0) {
                depth = fmax(depth, depth_at(dips, u, s * ax, s * az));
            }
        }
    }
    return depth > 1e-9;
}

/// A motion that all reported normals allow takes nothing of one saddle into the other: a unit step on the infinite
/// cones stands for a small one on the solids.
static void saddles_are_kept_apart(void **state)
{
    (void)state;
    test_random random = {2006};
    for (int dips = 2; dips <= 6; ++dips) {
        int rounds = sample_count(4, 20);
        char name[32];
        (void)snprintf(name, sizeof name, "saddles-%d", dips);
        abut_case *c = create(name, 0.0);
        assert_false(penetrates(dips, abut_vec3_make(0.0, 0.0, 0.0)));
        assert_true(penetrates(dips, abut_vec3_make(0.0, -0.01, 0.0)));
        for (int round = 0; round < rounds; ++round) {
            abut_vec3 velocity = round == 0   ? c->a.linear_velocity
                                 : round == 1 ? abut_vec3_make(0.0, 0.0, 0.0)
                                              : random_vec3(&random, 3.0);
            answer found = ask(c, velocity, abut_pose_identity());
            CHECK(found.count > 0, "%s round %d: no contacts", name, round);
            int allowed = 0;
            for (int i = 0; i < 400; ++i) {
                // u is the motion of A, above; normals point to B and ask for n . u <= 0.
                abut_vec3 u = random_unit(&random);
                int is_allowed = 1;
                for (int k = 0; k < found.count; ++k) {
                    is_allowed &= abut_dot(found.contacts[k].normal, u) <= 0.0;
                }
                allowed += is_allowed;
                CHECK(!is_allowed || !penetrates(dips, u), "%s round %d: (%g, %g, %g)", name, round, u.x, u.y, u.z);
            }
            CHECK(allowed > 0, "%s round %d: nothing is allowed", name, round);
        }
        abut_case_destroy(c);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_not_among_the_fundamental_ones),
        cmocka_unit_test(saddles_are_solids),
        cmocka_unit_test(spike_on_saddle_has_two_normals_or_four),
        cmocka_unit_test(saddles_are_kept_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
