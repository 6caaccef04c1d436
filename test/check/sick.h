// SPDX-License-Identifier: MIT
// sick.h: small faulty meshes to check, and looking up findings
#ifndef ABUT_TEST_SICK_H
#define ABUT_TEST_SICK_H

#include "check.h"

#include <abut/abut.h>
#include <stdlib.h>

enum { SICK_ROOM = 4096 };

/// A mesh of triangles that a test builds step by step.
typedef struct sick {
    abut_vec3 vertices[SICK_ROOM];
    int vertex_count;
    int triangles[3 * SICK_ROOM];
    int triangle_count;
} sick;

static inline int sick_vertex(sick *s, double x, double y, double z)
{
    s->vertices[s->vertex_count] = abut_vec3_make(x, y, z);
    return s->vertex_count++;
}

static inline int sick_triangle(sick *s, int a, int b, int c)
{
    int *t = s->triangles + 3 * s->triangle_count;
    t[0] = a;
    t[1] = b;
    t[2] = c;
    return s->triangle_count++;
}

/// Reverses a triangle by swapping two corners.
static inline void sick_turn(sick *s, int triangle)
{
    int *t = s->triangles + 3 * triangle, kept = t[1];
    t[1] = t[2];
    t[2] = kept;
}

/// Adds a box of twelve outward triangles. Faces 2k and 2k + 1 form side k in the order -x, +x, -y, +y, -z, +z. Bits
/// 0, 1, 2 of a vertex number tell whether its x, y, z are the upper ones.
static inline void sick_box(sick *s, abut_vec3 lower, abut_vec3 upper)
{
    static const int triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    int first = s->vertex_count;
    for (int i = 0; i < 8; ++i) {
        (void)sick_vertex(s, i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z);
    }
    for (int i = 0; i < 36; i += 3) {
        (void)sick_triangle(s, first + triangles[i], first + triangles[i + 1], first + triangles[i + 2]);
    }
}

static inline void sick_cube(sick *s, double low, double high)
{
    sick_box(s, abut_vec3_make(low, low, low), abut_vec3_make(high, high, high));
}

static inline abut_mesh_def sick_def(const sick *s)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = s->vertices;
    def.vertex_count = s->vertex_count;
    def.face_vertices = s->triangles;
    def.face_count = s->triangle_count;
    return def;
}

static inline abut_check *check_def(const abut_mesh_def *def, double tolerance)
{
    abut_check_params params = abut_check_params_default();
    params.tolerance = tolerance;
    abut_check *check = NULL;
    abut_error error = {.text = ""};
    abut_status status = abut_check_create(NULL, def, &params, &check, &error);
    check_report(status == ABUT_OK, __FILE__, __LINE__, "check: %s", error.text);
    assert_non_null(check);
    return check;
}

static inline abut_check *check_sick(const sick *s)
{
    abut_mesh_def def = sick_def(s);
    return check_def(&def, -1.0);
}

/// The finding of a kind, or NULL.
static inline const abut_finding *find_kind(const abut_check *check, abut_finding_kind kind)
{
    abut_check_report report = abut_check_get_report(check);
    for (int i = 0; i < report.finding_count; ++i) {
        if (report.findings[i].kind == kind) {
            return &report.findings[i];
        }
    }
    return NULL;
}

static inline long long count_of(const abut_check *check, abut_finding_kind kind)
{
    const abut_finding *finding = find_kind(check, kind);
    return finding != NULL ? finding->count : 0;
}

/// Checks the count and the listed elements of a finding. `numbers` are those of all `listed` elements.
static inline void expect_finding(const abut_check *check, abut_finding_kind kind, long long count,
                                  const int *numbers, int listed, int line)
{
    const abut_finding *finding = find_kind(check, kind);
    check_report(finding != NULL && finding->count == count, __FILE__, line, "kind %d: %lld found, expected %lld",
                 (int)kind, finding != NULL ? (long long)finding->count : 0LL, count);
    if (finding == NULL) {
        return;
    }
    int size = abut_finding_element_size(finding->element);
    check_report(finding->element_count >= listed, __FILE__, line, "%s: %d named", finding->name,
                 finding->element_count);
    for (int i = 0; i < listed * size && i < finding->element_count * size; ++i) {
        check_report(finding->elements[i] == numbers[i], __FILE__, line, "%s: number %d is %d, expected %d",
                     finding->name, i, finding->elements[i], numbers[i]);
    }
}

/// EXPECT(check, kind, count, listed, numbers...)
#define EXPECT(check, kind, count, listed, ...)                                                                    \
    do {                                                                                                           \
        const int expected_numbers[] = {__VA_ARGS__};                                                              \
        expect_finding(check, kind, count, expected_numbers, listed, __LINE__);                                    \
    } while (0)

/// Checks that only the kinds in the bit set `allowed` were found.
static inline void expect_only(const abut_check *check, unsigned allowed, int line)
{
    abut_check_report report = abut_check_get_report(check);
    for (int i = 0; i < report.finding_count; ++i) {
        const abut_finding *finding = &report.findings[i];
        check_report((allowed >> finding->kind & 1u) != 0, __FILE__, line, "unexpected: %s %lld (first %d)",
                     finding->name, (long long)finding->count,
                     finding->element_count > 0 ? finding->elements[0] : -1);
    }
}

#define BIT(kind) (1u << (kind))
#define EXPECT_ONLY(check, allowed) expect_only(check, allowed, __LINE__)

/// Empties the mesh that the tests of a file share. It is too large for the stack of some systems.
static inline sick *sick_start(void **state)
{
    sick *s = *state;
    memset(s, 0, sizeof *s);
    return s;
}

/// Allocate and free the shared mesh, for cmocka.
static inline int sick_setup(void **state)
{
    *state = malloc(sizeof(sick));
    return *state == NULL;
}

static inline int sick_teardown(void **state)
{
    free(*state);
    return 0;
}

#endif
