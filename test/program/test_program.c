// SPDX-License-Identifier: MIT
// test_program.c: the program's tests of two tetrahedra, where single and double precision agree and where they do not
//
// That they are the program's is tested in test/cli/test_states.py, on its own meshes and contacts.
#include "check.h"
#include "program/program.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { LIMIT = 512 };

typedef struct answer {
    abut_program_contact items[LIMIT];
    int count;
} answer;

static void keep(void *user, const abut_program_contact *contact)
{
    answer *a = user;
    assert_true(a->count < LIMIT);
    a->items[a->count++] = *contact;
}

static abut_program_tet make(const abut_vec3 corners[4])
{
    abut_program_tet t = {.surface = 15u, .faces = 15u, .edges = 63u};
    memcpy(t.corners, corners, sizeof t.corners);
    return t;
}

/// Contacts in single (0) or double (1) precision.
static answer find(abut_program_test test, int is_double, const abut_vec3 a[4], const abut_vec3 b[4])
{
    static answer found;
    found.count = 0;
    abut_program_pair pair = {
        .first = make(a), .second = make(b), .threshold = 0.02, .report = keep, .user = &found};
    (is_double ? abut_program_test_double : abut_program_test_single)(test, &pair);
    return found;
}

// A tip at height 1 + 1e-9 over the face y = 1: in double precision it is outside. In single precision, where numbers
// near 1 are 1.2e-7 apart, it is on the face, and counts as inside.
static void rounding_decides(void **state)
{
    (void)state;
    const abut_vec3 ground[4] = {{-4, 1, -4}, {4, 1, -4}, {0, 1, 4}, {0, -2, 0}};
    const abut_vec3 spike[4] = {{0, 1 + 1e-9, 0}, {1, 3, -1}, {1, 3, 1}, {-1, 3, 0}};
    for (int is_double = 0; is_double < 2; ++is_double) {
        answer found = find(ABUT_PROGRAM_VERTEX_ONLY, is_double, ground, spike);
        CHECK_INT(found.count, !is_double, is_double ? "double" : "single");
    }
    CHECK(abut_program_epsilon_single() == 10 * ldexp(1.0, -23), "ten times the epsilon of float");
    CHECK(abut_program_epsilon_double() == 10 * ldexp(1.0, -52), "ten times the epsilon of double");
    CHECK_DONE();
}

/// Random corners of a tetrahedron of positive volume that is not thin.
static void random_tet(test_random *random, abut_vec3 corners[4])
{
    double volume = 0.0;
    while (volume < 0.5) {
        for (int k = 0; k < 4; ++k) {
            corners[k] = random_vec3(random, 1.0);
        }
        volume = abut_dot(abut_cross(abut_sub(corners[1], corners[0]), abut_sub(corners[2], corners[0])),
                          abut_sub(corners[3], corners[0]));
    }
}

// At random places no vertex is within 1e-6 of a plane in 2000 pairs, except by bad luck: both precisions find the same
// vertices, with the same normals.
static void precisions_agree_at_random(void **state)
{
    (void)state;
    test_random random = {7};
    int total = 0, different = 0;
    for (int round = 0; round < 2000; ++round) {
        abut_vec3 a[4], b[4];
        random_tet(&random, a);
        random_tet(&random, b);
        for (int test = ABUT_PROGRAM_VERTEX_ONLY; test <= ABUT_PROGRAM_CONSISTENT_VERTEX; ++test) {
            answer single = find((abut_program_test)test, 0, a, b), twice = find((abut_program_test)test, 1, a, b);
            different += single.count != twice.count;
            for (int i = 0; i < single.count && single.count == twice.count; ++i) {
                double off = abut_norm(abut_sub(single.items[i].normal, twice.items[i].normal));
                CHECK(off < 1e-4, "normal off by %g", off);
                CHECK_INT(single.items[i].first.kind, twice.items[i].first.kind, "part");
            }
            total += twice.count;
        }
    }
    CHECK(total > 1000 && different <= 2, "%d contacts, %d pairs differ", total, different);
    CHECK_DONE();
}

// All tests on all placements of tetrahedra with corners on a grid of 3 x 3 x 3, flat and coincident ones too: they end,
// and do not report more than fits.
static void grids_end(void **state)
{
    (void)state;
    test_random random = {9};
    int total = 0;
    for (int round = 0; round < 4000; ++round) {
        abut_vec3 corners[8];
        for (int k = 0; k < 8; ++k) {
            int place = random_below(&random, 27);
            corners[k] = abut_vec3_make(place % 3, place / 3 % 3, place / 9);
        }
        for (int test = 0; test <= ABUT_PROGRAM_CLOSEST_POINTS; ++test) {
            total += find((abut_program_test)test, round % 2, corners, corners + 4).count;
        }
    }
    CHECK(total > 1000, "%d contacts", total);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_decides),
        cmocka_unit_test(precisions_agree_at_random),
        cmocka_unit_test(grids_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
