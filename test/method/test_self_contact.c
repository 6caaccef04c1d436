// SPDX-License-Identifier: MIT
// test_self_contact.c: contacts of a rigid body with itself
#include "../complex/complexes.h"
#include "random.h"

#include <string.h>

enum { BOXES = 6, MOST = 256 };

/// All meshes as one.
static abut_mesh *join(abut_mesh *const *meshes, int count)
{
    static abut_vec3 vertices[1024];
    static int corners[8192];
    int vertex_count = 0, corner_count = 0;
    for (int i = 0; i < count; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(meshes[i]);
        for (int k = 0; k < 3 * e.triangle_count; ++k) {
            corners[corner_count++] = e.triangles[k] + vertex_count;
        }
        memcpy(&vertices[vertex_count], e.vertices, (size_t)e.vertex_count * sizeof *vertices);
        vertex_count += e.vertex_count;
    }
    return make_triangles(NULL, vertices, vertex_count, corners, corner_count / 3);
}

/// The contacts of two shapes, or of one with itself. Dilation and offset are given, so that they do not depend on the
/// size of what is in one file.
static abut_result find(abut_mesh *a, abut_mesh *b, const char *method, double envelope, abut_workspace *work)
{
    abut_shape_def def = abut_shape_def_default();
    abut_shape *shapes[2] = {NULL, NULL};
    abut_params params = abut_params_default();
    abut_result result = abut_result_default();
    params.envelope = abut_absolute(envelope);
    params.tolerance = abut_absolute(1e-6);
    params.merge = abut_absolute(1e-9);
    def.dilation = 1e-3;
    def.offset = -1e-3;
    for (int i = 0; i < (a == b ? 1 : 2); ++i) {
        def.mesh = i == 0 ? a : b;
        assert_int_equal(abut_shape_create(NULL, &def, &shapes[i], NULL), ABUT_OK);
        assert_int_equal(abut_shape_prepare(shapes[i], abut_method_find(method), NULL, NULL), ABUT_OK);
    }
    abut_pair pair = abut_pair_default(shapes[0], a == b ? shapes[0] : shapes[1]);
    pair.a.key = 1;
    pair.b.key = a == b ? 1 : 2;
    abut_status status = abut_find_contacts(&pair, abut_method_find(method), &params, work, &result);
    CHECK(status == ABUT_OK || a == b, "%s", result.error.text);
    abut_shape_destroy(shapes[1]);
    abut_shape_destroy(shapes[0]);
    return result;
}

/// Whether a contact is in a list, up to the exchange of A and B.
static int is_in(const abut_contact *c, const abut_contact *list, int count)
{
    for (int i = 0; i < count; ++i) {
        double same = abut_norm(abut_sub(c->normal, list[i].normal));
        double opposite = abut_norm(abut_add(c->normal, list[i].normal));
        if (abut_norm(abut_sub(c->position, list[i].position)) < 1e-9 && fabs(c->gap - list[i].gap) < 1e-9 &&
            fmin(same, opposite) < 1e-6) {
            return 1;
        }
    }
    return 0;
}

/// Boxes in random places, in one mesh: the contacts of the mesh with itself are those of all pairs of boxes.
static void parts_are_bodies(void **state)
{
    (void)state;
    test_random random = {7};
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    int found = 0, crossing = 0;
    for (int round = 0; round < 100; ++round) {
        abut_mesh *boxes[BOXES];
        static abut_contact expected[MOST];
        int count = 0, is_crossing = 0;
        for (int i = 0; i < BOXES; ++i) {
            abut_mesh *plain = make_box(NULL, v3(-0.5, -0.5, -0.5), v3(0.5, 0.5, 0.5));
            abut_pose pose = abut_pose_make(random_vec3(&random, 3.0), abut_quat_identity());
            pose.rotation = round % 2 == 0 ? pose.rotation : random_rotation(&random);
            boxes[i] = make_moved(plain, pose, 1.0);
            abut_mesh_destroy(plain);
        }
        for (int i = 0; i < BOXES && !is_crossing; ++i) {
            for (int k = i + 1; k < BOXES && !is_crossing; ++k) {
                abut_result result = find(boxes[i], boxes[k], "auto", 0.3, work);
                for (int m = 0; m < result.contacts.count; ++m) {
                    is_crossing |= result.contacts.items[m].gap < -2e-3;
                    assert_true(count < MOST);
                    expected[count++] = result.contacts.items[m];
                }
            }
        }
        abut_mesh *all = join(boxes, BOXES);
        abut_result self = find(all, all, round % 3 == 0 ? "quasi-lmd" : "auto", 0.3, work);
        if (is_crossing) {
            CHECK_INT(self.error.status, ABUT_OVERLAP, "refused");
            CHECK(strstr(self.error.text, "crosses itself, at faces ") != NULL, "%s", self.error.text);
        } else {
            CHECK_STATUS(self.error.status, ABUT_OK, self.error.text);
            CHECK_INT(self.contacts.count, count, "contacts");
            for (int i = 0; i < self.contacts.count; ++i) {
                CHECK(is_in(&self.contacts.items[i], expected, count), "round %d, contact %d", round, i);
                CHECK((self.contacts.items[i].flags & ABUT_CONTACT_ARBITRARY_SIGN) != 0, "either may be A");
            }
        }
        found += is_crossing ? 0 : count;
        crossing += is_crossing;
        for (int i = 0; i < BOXES; ++i) {
            abut_mesh_destroy(boxes[i]);
        }
        abut_mesh_destroy(all);
    }
    CHECK(found > 50 && crossing > 5, "%d contacts, %d crossings", found, crossing);
    abut_workspace_destroy(work);
    CHECK_DONE();
}

/// A U with arms 1 wide and 1 apart, as high as its base is wide: within an envelope of 1.5 the arms have two contacts of
/// gap 1 along x, at the ends of the edges over the slot; a smaller envelope has none, and a box never has any.
static void arms_of_a_u_face_each_other(void **state)
{
    (void)state;
    const double outline[8][2] = {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const int boxes[3][4] = {{0, 5, 6, 7}, {0, 1, 4, 5}, {1, 2, 3, 4}}; // of the outline
    abut_vec3 vertices[16];
    int corners[3 * 28], count = 0;
    for (int i = 0; i < 16; ++i) {
        vertices[i] = v3(outline[i % 8][0], outline[i % 8][1], i / 8);
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 2; ++k) {
            const int *q = boxes[i];
            const int top[3] = {8 + q[0], 8 + q[1 + k], 8 + q[2 + k]}, bottom[3] = {q[0], q[2 + k], q[1 + k]};
            memcpy(&corners[count], top, sizeof top);
            memcpy(&corners[count + 3], bottom, sizeof bottom);
            count += 6;
        }
    }
    for (int i = 0; i < 8; ++i) {
        int next = (i + 1) % 8;
        const int wall[6] = {i, next, 8 + next, i, 8 + next, 8 + i};
        memcpy(&corners[count], wall, sizeof wall);
        count += 6;
    }
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    abut_mesh *u = make_triangles(NULL, vertices, 16, corners, count / 3);
    abut_mesh *box = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    CHECK_INT(find(u, u, "auto", 0.9, work).contacts.count, 0, "nothing within 0.9");
    CHECK_INT(find(box, box, "auto", 3.0, work).contacts.count, 0, "a box has no outside between its faces");
    abut_result result = find(u, u, "auto", 1.5, work);
    CHECK_INT(result.contacts.count, 2, "contacts");
    for (int i = 0; i < result.contacts.count; ++i) {
        const abut_contact *c = &result.contacts.items[i];
        CHECK_NEAR(c->gap, 1.0, 1e-9, "gap");
        CHECK_NEAR(fabs(c->normal.x), 1.0, 1e-9, "normal");
        CHECK_NEAR(c->position.x, 1.5, 1e-9, "in the middle of the slot");
    }
    CHECK(strcmp(result.method, "quasi-lmd") == 0 && strstr(result.reason, "one") != NULL, "%s", result.reason);
    abut_mesh_destroy(u);
    abut_mesh_destroy(box);
    abut_workspace_destroy(work);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_bodies),
        cmocka_unit_test(arms_of_a_u_face_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
