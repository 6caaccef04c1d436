// SPDX-License-Identifier: MIT
// test_figures.c: the figures of Bouma and Vanecek 1993, and other contacts whose regions can be listed by hand
#include "constraint_rank.h"
#include "random.h"
#include "shapes.h"

#include <stdlib.h>

typedef struct expected_contact {
    abut_vec3 position, normal; ///< from A to B, of any length
} expected_contact;

typedef struct fixture {
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_workspace *work;
    abut_result result;
} fixture;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

/// A mesh of polygons: `faces` has the number of corners of each and then the corners, and ends with a 0.
static abut_mesh *make_polygons(const abut_vec3 *vertices, int vertex_count, const int *faces)
{
    int offsets[64] = {0}, corners[256], count = 0;
    for (const int *f = faces; *f != 0; f += *f + 1) {
        memcpy(corners + offsets[count], f + 1, (size_t)*f * sizeof *f);
        offsets[count + 1] = offsets[count] + *f;
        ++count;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = count;
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, &error), ABUT_OK);
    abut_mesh_info info = abut_mesh_get_info(mesh);
    assert_true(info.is_closed && info.is_oriented && info.volume > 0.0);
    return mesh;
}

/// A prism over a polygon of the x-y plane, counter-clockwise, from z = lower to z = upper.
static abut_mesh *make_prism(const abut_vec2 *profile, int count, double lower, double upper)
{
    abut_vec3 vertices[64];
    int faces[256], used = 0;
    for (int i = 0; i < count; ++i) {
        vertices[i] = v3(profile[i].x, profile[i].y, lower);
        vertices[count + i] = v3(profile[i].x, profile[i].y, upper);
    }
    for (int end = 0; end < 2; ++end) {
        faces[used++] = count;
        for (int i = 0; i < count; ++i) {
            faces[used++] = end == 0 ? count - 1 - i : count + i;
        }
    }
    for (int i = 0; i < count; ++i) {
        int next = (i + 1) % count;
        const int side[5] = {4, i, next, count + next, count + i};
        memcpy(faces + used, side, sizeof side);
        used += 5;
    }
    faces[used] = 0;
    return make_polygons(vertices, 2 * count, faces);
}

static fixture begin(abut_mesh *a, abut_mesh *b)
{
    fixture f = {.meshes = {a, b}, .result = abut_result_default()};
    for (int i = 0; i < 2; ++i) {
        f.shapes[i] = make_shape(NULL, f.meshes[i], abut_method_find("regions"), NULL);
    }
    assert_int_equal(abut_workspace_create(NULL, &f.work), ABUT_OK);
    return f;
}

static void end(fixture *f)
{
    abut_workspace_destroy(f->work);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(f->shapes[i]);
        abut_mesh_destroy(f->meshes[i]);
    }
}

static abut_pair pair_of(const fixture *f)
{
    return abut_pair_default(f->shapes[0], f->shapes[1]);
}

static void find(fixture *f, const abut_pair *pair)
{
    const abut_method *method = abut_method_find("regions");
    CHECK_STATUS(abut_find_contacts(pair, method, NULL, f->work, &f->result), ABUT_OK, f->result.error.text);
}

/// The regions by dimension, and the contacts, each once and no others.
static void check(const fixture *f, int polygons, int segments, int points, const expected_contact *expected,
                  int count, const char *label)
{
    int found[3] = {0, 0, 0};
    for (int i = 0; i < f->result.regions.count; ++i) {
        ++found[f->result.regions.items[i].kind];
    }
    CHECK_INT(found[ABUT_REGION_POLYGON], polygons, label);
    CHECK_INT(found[ABUT_REGION_SEGMENT], segments, label);
    CHECK_INT(found[ABUT_REGION_POINT], points, label);
    CHECK_INT(f->result.contacts.count, count, label);
    CHECK_INT(f->result.stats.repairs, 0, label);
    for (int i = 0; i < count; ++i) {
        int matches = 0;
        for (int k = 0; k < f->result.contacts.count; ++k) {
            const abut_contact *c = &f->result.contacts.items[k];
            matches += abut_norm(abut_sub(c->position, expected[i].position)) < 1e-6 &&
                       abut_norm(abut_sub(c->normal, abut_unit(expected[i].normal))) < 1e-6;
        }
        CHECK(matches == 1, "%s: contact %d is there %d times", label, i, matches);
    }
}

// Figure 3: of all pairs of entities that meet, only those without a neighbour of higher dimension are needed: there a
// face on a face, an edge on an edge and a vertex on an edge, 3 of 16. Here a bar lies over a ground with two blocks,
// with a face on the first block's top and a ridge along the edge of the second's: 1 polygon and 1 segment, and none
// of the corners and edges around them. Then a tip stands on the edge of a box: 1 point.
static void three_kinds_of_regions(void **state)
{
    (void)state;
    // profiles in (x, y)
    const abut_vec2 ground[] = {{-1, -1}, {8, -1}, {8, 0}, {4, 0}, {4, 1}, {3, 1},
                                {3, 0},   {1, 0},  {1, 1}, {0, 1}, {0, 0}, {-1, 0}};
    // bar: face from x = 0.25 to 0.75 at y = 1, ridge at (3, 1)
    const abut_vec2 bar[] = {{0.25, 1}, {0.75, 1}, {1.5, 2}, {2.5, 2}, {3, 1}, {3.25, 2}, {3.25, 3}, {0.25, 3}};
    fixture f = begin(make_prism(ground, 12, 0.0, 1.0), make_prism(bar, 8, 0.25, 0.75));
    abut_pair pair = pair_of(&f);
    find(&f, &pair);
    int polygons = 0, segments = 0, points = 0;
    for (int i = 0; i < f.result.regions.count; ++i) {
        polygons += f.result.regions.items[i].kind == ABUT_REGION_POLYGON;
        segments += f.result.regions.items[i].kind == ABUT_REGION_SEGMENT;
        points += f.result.regions.items[i].kind == ABUT_REGION_POINT;
    }
    CHECK_INT(polygons, 1, "face on face");
    CHECK_INT(segments, 1, "ridge along an edge");
    CHECK_INT(points, 0, "their ends are not needed");
    for (int i = 0; i < f.result.regions.count; ++i) {
        const abut_region *r = &f.result.regions.items[i];
        CHECK_NEAR(r->measure, r->kind == ABUT_REGION_POLYGON ? 0.25 : 0.5, 1e-9, "area and length");
    }
    end(&f);
    const abut_vec3 tip[] = {{0.5, 1, 1}, {0.4, 2, 0.9}, {0.6, 2, 0.9}, {0.5, 2, 1.2}};
    f = begin(make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)), make_tetrahedron(NULL, tip));
    pair = pair_of(&f);
    pair.dt = 0.01;
    pair.b.linear_velocity = v3(0, -1, -0.1);
    find(&f, &pair);
    CHECK_INT(f.result.regions.count, 1, "one point");
    CHECK_INT(f.result.regions.items[0].kind, ABUT_REGION_POINT, "vertex on edge");
    CHECK_INT(f.result.regions.items[0].feature_a.kind, ABUT_FEATURE_EDGE, "edge");
    CHECK_INT(f.result.regions.items[0].feature_b.kind, ABUT_FEATURE_VERTEX, "vertex");
    CHECK_INT(f.result.contacts.count, 1, "one normal, by the velocity");
    CHECK(abut_norm(abut_sub(f.result.contacts.items[0].position, tip[0])) < 1e-9, "at the tip");
    end(&f);
    CHECK_DONE();
}

// Figure 4: a block slides on a floor against a step that leans away. Before, one polygon; at the step, the block's
// lower edge lies in the reflex edge between floor and step: the segment is needed for the step's normal only.
static void block_meets_a_step(void **state)
{
    (void)state;
    const abut_vec2 floor_and_step[] = {{-3, -1}, {3, -1}, {3, 2}, {2, 2}, {0, 0}, {-3, 0}};
    const abut_vec2 block[] = {{-1, 0}, {0, 0}, {0, 1}, {-1, 1}};
    fixture f = begin(make_prism(floor_and_step, 6, -1.0, 2.0), make_prism(block, 4, 0.0, 1.0));
    abut_pair pair = pair_of(&f);
    abut_vec3 up = v3(0, 1, 0), step = v3(-1, 1, 0);
    const expected_contact at_step[] = {{v3(-1, 0, 0), up}, {v3(0, 0, 0), up},   {v3(-1, 0, 1), up},
                                        {v3(0, 0, 1), up},  {v3(0, 0, 0), step}, {v3(0, 0, 1), step}};
    find(&f, &pair);
    check(&f, 1, 1, 0, at_step, 6, "at the step");
    pair.b.pose.position.x = -0.5;
    expected_contact before[4];
    for (int i = 0; i < 4; ++i) {
        before[i] = at_step[i];
        before[i].position.x -= 0.5;
    }
    find(&f, &pair);
    check(&f, 1, 0, 0, before, 4, "before the step");
    end(&f);
    CHECK_DONE();
}

// Figures 5 and 6: a tetrahedron lies with a face on the floor f1, with an edge in the reflex edge of f1 and a wall f2
// that leans away, and with the end p of that edge against a third wall f3. The point p is needed for f3's normal,
// although f1 and f2 already bound the motion of p.
static void tetrahedron_in_a_corner(void **state)
{
    (void)state;
    const abut_vec3 corner[] = {{-1, -1, -1}, {2, -1, -1},  {2, 2, -1}, {-1, 2, -1}, {-1, -1, 2},
                                {2, -1, 2},   {-1, 2, 2},   {0, 0, 0},  {2, 0, 0},   {2, 0, 2},
                                {0, 0, 2},    {-0.5, 2, 0}, {2, 2, 0},  {-0.5, 2, 2}};
    const int faces[] = {4,  0,  3, 2, 1, 4, 0, 4,  6,  3, 4, 0, 1,  5, 4, 6, 1, 2,  12, 8,  9, 5, 6, 3,  6,  13,
                         11, 12, 2, 6, 4, 5, 9, 10, 13, 6, 4, 7, 10, 9, 8, 4, 7, 11, 13, 10, 4, 7, 8, 12, 11, 0};
    const abut_vec3 tetrahedron[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0.5}, {0.5, 1, 0.5}};
    fixture f = begin(make_polygons(corner, 14, faces), make_tetrahedron(NULL, tetrahedron));
    abut_pair pair = pair_of(&f);
    abut_vec3 f1 = v3(0, 1, 0), f2 = v3(4, 1, 0), f3 = v3(0, 0, 1);
    const expected_contact expected[] = {{v3(0, 0, 0), f1}, {v3(0, 0, 1), f1}, {v3(1, 0, 0.5), f1},
                                         {v3(0, 0, 0), f2}, {v3(0, 0, 1), f2}, {v3(0, 0, 0), f3}};
    find(&f, &pair);
    check(&f, 1, 1, 1, expected, 6, "corner");
    end(&f);
    CHECK_DONE();
}

static abut_mesh *make_regular_prism(int sides, double turn, double lower, double upper)
{
    abut_vec2 profile[32];
    for (int i = 0; i < sides; ++i) {
        double angle = turn + 2.0 * 3.14159265358979323846 * i / sides;
        profile[i] = abut_vec2_make(cos(angle), sin(angle));
    }
    return make_prism(profile, sides, lower, upper);
}

// Two hexagons on each other, turned by 1e-9: a hexagon, not a 12-gon. Turned by 10 degrees they share a 12-gon.
static void nearly_equal_hexagons_share_a_hexagon(void **state)
{
    (void)state;
    const double turns[] = {0.0, 1e-9, 0.17453292519943295};
    const int corners[] = {6, 6, 12};
    for (int i = 0; i < 3; ++i) {
        fixture f = begin(make_regular_prism(6, 0.0, -1.0, 0.0), make_regular_prism(6, turns[i], 0.0, 1.0));
        abut_pair pair = pair_of(&f);
        find(&f, &pair);
        CHECK_INT(f.result.regions.count, 1, "one polygon");
        CHECK_INT(f.result.contacts.count, corners[i], "corners");
        end(&f);
    }
    CHECK_DONE();
}

// A cube turned by 45 degrees on a cube of the same size shares a regular octagon, of area 8 (sqrt(2) - 1) for half
// side 1. A ring on a slab has a hole in its polygon.
static void octagon_and_ring(void **state)
{
    (void)state;
    fixture f = begin(make_box(NULL, v3(-1, -1, -1), v3(1, 1, 0)), make_box(NULL, v3(-1, -1, 0), v3(1, 1, 1)));
    abut_pair pair = pair_of(&f);
    pair.b.pose.rotation = abut_quat_from_axis(v3(0, 0, 1), 0.25 * 3.14159265358979323846);
    find(&f, &pair);
    CHECK_INT(f.result.contacts.count, 8, "octagon");
    CHECK_INT(f.result.regions.count, 1, "one polygon");
    CHECK_NEAR(f.result.regions.items[0].measure, 8.0 * (sqrt(2.0) - 1.0), 1e-9, "area");
    end(&f);

    // a square ring: outer half side 1, hole of half side 0.5, from z = 0 to 1; as polygons with the ring's faces cut
    // in four
    const abut_vec3 ring[] = {{-1, -1, 0},     {1, -1, 0},     {1, 1, 0},     {-1, 1, 0},
                              {-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0},
                              {-1, -1, 1},     {1, -1, 1},     {1, 1, 1},     {-1, 1, 1},
                              {-0.5, -0.5, 1}, {0.5, -0.5, 1}, {0.5, 0.5, 1}, {-0.5, 0.5, 1}};
    const int faces[] = {4,  0,  4,  5,  1, 4,  1,  5,  6,  2, 4,  2,  6,  7,  3, 4,  3,  7,  4,  0, 4,
                         8,  9,  13, 12, 4, 9,  10, 14, 13, 4, 10, 11, 15, 14, 4, 11, 8,  12, 15, 4, 0,
                         1,  9,  8,  4,  1, 2,  10, 9,  4,  2, 3,  11, 10, 4,  3, 0,  8,  11, 4,  5, 4,
                         12, 13, 4,  6,  5, 13, 14, 4,  7,  6, 14, 15, 4,  4,  7, 15, 12, 0};
    f = begin(make_box(NULL, v3(-3, -3, -1), v3(3, 3, 0)), make_polygons(ring, 16, faces));
    pair = pair_of(&f);
    find(&f, &pair);
    CHECK_INT(f.result.regions.count, 1, "one polygon");
    CHECK_INT(f.result.regions.items[0].loop_count, 2, "with a hole");
    CHECK_NEAR(f.result.regions.items[0].measure, 3.0, 1e-9, "area");
    CHECK_INT(f.result.contacts.count, 8, "corners of both outlines");
    CHECK(!f.result.loops.items[0].is_hole && f.result.loops.items[1].is_hole, "the outer outline first");
    end(&f);
    CHECK_DONE();
}

/// B stands on A at rest, then with a velocity to one side, +x or -x, then at rest again. At rest all `contacts` are
/// reported. The velocity chooses half of them, those with a normal to its side, and the memory keeps this choice.
static void check_history(fixture *f, int contacts)
{
    abut_pair pair = pair_of(f);
    pair.dt = 0.01;
    find(f, &pair);
    CHECK_INT(f->result.contacts.count, contacts, "at rest");
    CHECK_INT(f->result.contacts.items[0].rule, ABUT_RULE_NONE, "nothing decides");
    CHECK(f->result.stats.arbitrary_normals > 0, "counted");
    for (int side = -1; side <= 1; side += 2) {
        assert_int_equal(abut_memory_create(NULL, &pair.memory), ABUT_OK);
        for (int i = 0; i < 2; ++i) {
            pair.b.linear_velocity = i == 0 ? v3(side, -2, 0) : v3(0, 0, 0);
            find(f, &pair);
            abut_memory_commit(pair.memory);
            CHECK_INT(f->result.contacts.count, contacts / 2, "half of them");
            for (int k = 0; k < f->result.contacts.count; ++k) {
                const abut_contact *c = &f->result.contacts.items[k];
                CHECK_INT(c->rule, i == 0 ? ABUT_RULE_VELOCITY : ABUT_RULE_HISTORY, "what decides");
                CHECK(side * c->normal.x > 0.25, "normal %g to the side of the velocity", c->normal.x);
            }
        }
        abut_memory_destroy(pair.memory);
    }
}

// Figure 8: if geometry and velocity leave the choice of normals open, the one that was made before is kept. Two roofs
// ridge on ridge: the normals of both slopes, (1, 1, 0) and (-1, 1, 0), at both ends. A spike on a saddle y = |z| /
// 2 - |x| / 2: the four normals (+-1, 2, +-1); those of one falling ridge, with the same sign of x, make a set.
static void history_keeps_the_normals(void **state)
{
    (void)state;
    const abut_vec2 lower[] = {{-1, -1}, {1, -1}, {0, 0}}, upper[] = {{0, 0}, {1, 1}, {-1, 1}};
    fixture f = begin(make_prism(lower, 3, 0.0, 1.0), make_prism(upper, 3, 0.0, 1.0));
    check_history(&f, 4);
    end(&f);
    const abut_vec3 saddle[] = {{0, 0, 0},   {1, -0.5, 0}, {0, 0.5, 1}, {-1, -0.5, 0}, {0, 0.5, -1},
                                {1, 0, 1},   {-1, 0, 1},   {-1, 0, -1}, {1, 0, -1},    {1, -2, 1},
                                {-1, -2, 1}, {-1, -2, -1}, {1, -2, -1}};
    const int saddle_faces[] = {4, 0, 2,  5,  1, 4, 0, 3, 6,  2, 4, 0, 4, 7, 3,  4, 0, 1, 8,  4, 5,  12, 8, 1,  5,
                                9, 5, 11, 10, 6, 3, 7, 5, 10, 9, 5, 2, 6, 5, 11, 7, 4, 8, 12, 4, 11, 12, 9, 10, 0};
    const abut_vec3 spike[] = {{0, 0, 0}, {0.3, 1, 0.3}, {0.3, 1, -0.3}, {-0.3, 1, -0.3}, {-0.3, 1, 0.3}};
    const int spike_faces[] = {3, 0, 2, 1, 3, 0, 3, 2, 3, 0, 4, 3, 3, 0, 1, 4, 4, 1, 2, 3, 4, 0};
    f = begin(make_polygons(saddle, 13, saddle_faces), make_polygons(spike, 5, spike_faces));
    check_history(&f, 4);
    end(&f);
    CHECK_DONE();
}

// The roofs again, with the normal on the side of +x remembered. Then the upper roof turns about its ridge by an
// angle, to the left. On the side of +x its slope now bounds the normals, at 45 degrees plus the angle: the remembered
// normal has turned by this. It is recognised up to a distance of 0.1. On the side of -x the lower roof's slope is the
// bound as before.
static void history_follows_small_turns(void **state)
{
    (void)state;
    const abut_vec2 roof[] = {{-1, -1}, {1, -1}, {0, 0}};
    const double pi = 3.14159265358979323846;
    const double angles[] = {0.09, 0.11};
    for (int i = 0; i < 2; ++i) {
        // the same roof upside down: of equal shapes the method takes the one with the lower key as A
        fixture f = begin(make_prism(roof, 3, 0.0, 1.0), make_prism(roof, 3, 0.0, 1.0));
        abut_pair pair = pair_of(&f);
        pair.a.key = 1;
        pair.b.key = 2;
        pair.b.pose.rotation = abut_quat_from_axis(v3(0, 0, 1), pi);
        pair.dt = 0.01;
        pair.b.linear_velocity = v3(1, -2, 0);
        assert_int_equal(abut_memory_create(NULL, &pair.memory), ABUT_OK);
        find(&f, &pair);
        abut_memory_commit(pair.memory);
        pair.b.linear_velocity = v3(0, 0, 0);
        pair.b.pose.rotation = abut_quat_from_axis(v3(0, 0, 1), pi + angles[i]);
        find(&f, &pair);
        CHECK_INT(f.result.contacts.count, i == 0 ? 2 : 4, "one slope, or both");
        CHECK_INT(f.result.contacts.items[0].rule, i == 0 ? ABUT_RULE_HISTORY : ABUT_RULE_NONE, "what decides");
        if (i == 0) {
            CHECK_NEAR(f.result.contacts.items[0].normal.x, cos(0.25 * pi + angles[i]), 1e-9, "turned slope");
        }
        abut_memory_destroy(pair.memory);
        end(&f);
    }
    CHECK_DONE();
}

// A tip stands at rest on the ridge of a roof with slopes of 0.03: nothing decides between the normals of the two
// slopes, so there are two contacts. Each names the face that its normal is of, although the two normals are only 0.06
// apart. By make_prism(), the right slope is face 4 and the left one face 5. Which body the method takes as its first
// depends on the meshes, so there are several tips.
static void normals_name_their_own_face(void **state)
{
    (void)state;
    const abut_vec2 roof[] = {{-1, -1}, {1, -1}, {1, -0.03}, {0, 0}, {-1, -0.03}};
    for (int size = 1; size <= 8; ++size) {
        const abut_vec3 tip[] = {{0, 0, 0.5}, {-0.3, size, 0.4}, {0.3, size, 0.4}, {0, size, 0.8}};
        fixture f = begin(make_prism(roof, 5, 0.0, 1.0), make_tetrahedron(NULL, tip));
        abut_pair pair = pair_of(&f);
        find(&f, &pair);
        const expected_contact expected[] = {{tip[0], v3(0.03, 1, 0)}, {tip[0], v3(-0.03, 1, 0)}};
        check(&f, 0, 0, 1, expected, 2, "tip on a ridge");
        for (int i = 0; i < f.result.contacts.count; ++i) {
            const abut_contact *c = &f.result.contacts.items[i];
            CHECK_INT(c->normal_side, ABUT_NORMAL_A, "of the roof");
            CHECK_INT(c->normal_feature.kind, ABUT_FEATURE_FACE, "a slope");
            CHECK_INT(c->normal_feature.index, c->normal.x > 0.0 ? 4 : 5, "the slope of the normal");
        }
        end(&f);
    }
    CHECK_DONE();
}

/// A cube of side 2 without the octant in which all coordinates are above 1.
static abut_mesh *make_notched_cube(void)
{
    const abut_vec3 vertices[14] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0}, {0, 0, 2}, {2, 0, 2}, {0, 2, 2},
                                    {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 2, 1}, {1, 1, 2}, {2, 1, 2}, {1, 2, 2}};
    const int faces[] = {4, 0,  4, 6, 2, 4, 0,  1,  5,  4, 4, 0, 2, 3,  1,  6, 1, 3,  10, 8, 12, 5, 6, 2,  6, 13,
                         9, 10, 3, 6, 4, 5, 12, 11, 13, 6, 4, 7, 9, 13, 11, 4, 7, 11, 12, 8, 4,  7, 8, 10, 9, 0};
    return make_polygons(vertices, 14, faces);
}

// A cube of side 0.8 stands in a corner of three walls, with four contacts at each. With points=spanning six contacts
// are left. They must take all six degrees of freedom, as the twelve do; six contacts at two of the walls take five.
static void spanning_contacts_hold_as_all_do(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("regions");
    const abut_option options[] = {{"points", 1.0}};
    abut_params params = abut_params_default();
    params.options = options;
    params.option_count = 1;
    fixture f = begin(make_notched_cube(), make_box(NULL, v3(1, 1, 1), v3(1.8, 1.8, 1.8)));
    abut_pair pair = pair_of(&f);
    find(&f, &pair);
    CHECK_INT(f.result.contacts.count, 12, "all contacts");
    CHECK_STATUS(abut_find_contacts(&pair, method, &params, f.work, &f.result), ABUT_OK, f.result.error.text);
    CHECK_INT(f.result.contacts.count, 6, "spanning contacts");
    abut_vec3 points[6], normals[6];
    for (int i = 0; i < 6 && i < f.result.contacts.count; ++i) {
        points[i] = f.result.contacts.items[i].position;
        normals[i] = f.result.contacts.items[i].normal;
    }
    CHECK_INT(constraint_rank(points, normals, 6), 6, "degrees of freedom taken");
    end(&f);
    CHECK_DONE();
}

// A comb stands on a floor y = 0 that begins at z = -0.5, with its three teeth on the floor and its back off it: three
// polygons of the same two faces. Moved to x = 0 it also touches a wall with its side, whose face comes before the
// floor's in A's mesh. On paper: the three polygons have three ids, and keep them at the wall; the wall's polygon has
// a fourth.
static void regions_of_the_same_faces_have_ids_of_their_own(void **state)
{
    (void)state;
    const abut_vec2 corner[] = {{0, 0}, {0, 3}, {-1, 3}, {-1, -1}, {8, -1}, {8, 0}};
    const abut_vec2 comb[] = {{0, -2}, {1, -2}, {1, 1},  {2, 1},  {2, -2}, {3, -2},
                              {3, 1},  {4, 1},  {4, -2}, {5, -2}, {5, 2},  {0, 2}};
    fixture f = begin(make_prism(corner, 6, -0.5, 3.0), make_prism(comb, 12, 0.0, 1.0));
    abut_pair pair = pair_of(&f);
    pair.b.pose.rotation = abut_quat_from_axis(v3(1, 0, 0), -0.5 * 3.14159265358979323846); // y to -z, z to y
    uint64_t ids[2][3];
    for (int i = 0; i < 2; ++i) {
        int found = 0;
        pair.b.pose.position.x = i == 0 ? 0.5 : 0.0;
        find(&f, &pair);
        CHECK_INT(f.result.regions.count, i == 0 ? 3 : 4, "teeth and wall");
        for (int k = 0; k < f.result.regions.count; ++k) {
            const abut_region *r = &f.result.regions.items[k];
            CHECK_INT(r->kind, ABUT_REGION_POLYGON, "polygon");
            int is_tooth = f.result.directions.items[r->normal_begin].y > 0.5;
            CHECK(is_tooth || k == 0, "the wall comes first");
            if (is_tooth && found < 3) {
                CHECK_NEAR(r->measure, 2.5, 1e-9, "area of a tooth on the floor");
                ids[i][found++] = r->id;
            }
            for (int m = 0; m < k; ++m) {
                CHECK(f.result.regions.items[m].id != r->id, "regions %d and %d have one id", m, k);
            }
        }
        assert_int_equal(found, 3);
    }
    for (int i = 0; i < 3; ++i) {
        CHECK(ids[0][i] == ids[1][i], "tooth %d has another id at the wall", i);
    }
    end(&f);
    CHECK_DONE();
}

// A cube wholly inside another, and one that is deep in it, are overlaps. A query that must not separate them says so.
static void deep_overlap_is_refused(void **state)
{
    (void)state;
    fixture f =
        begin(make_box(NULL, v3(-1, -1, -1), v3(1, 1, 1)), make_box(NULL, v3(-0.2, -0.2, -0.2), v3(0.2, 0.2, 0.2)));
    const abut_method *method = abut_method_find("regions");
    abut_pair pair = pair_of(&f);
    const double places[] = {0.0, 1.0};
    const abut_option refuse = {"overlap", 1.0};
    abut_params params = abut_params_default();
    params.options = &refuse;
    params.option_count = 1;
    for (int i = 0; i < 2; ++i) {
        pair.b.pose.position.x = places[i];
        CHECK_STATUS(abut_find_contacts(&pair, method, &params, f.work, &f.result), ABUT_OVERLAP, "overlap");
        CHECK(strstr(f.result.error.text, "overlap") != NULL, "%s", f.result.error.text);
    }
    pair.b.pose.position.x = 1.3;
    CHECK_STATUS(abut_find_contacts(&pair, method, NULL, f.work, &f.result), ABUT_OK, "apart");
    CHECK_INT(f.result.contacts.count, 0, "apart");
    end(&f);
    CHECK_DONE();
}

/// A box whose mesh is turned.
static abut_mesh *make_turned_box(abut_vec3 lower, abut_vec3 upper, abut_quat turn)
{
    abut_mesh *box = make_box(NULL, lower, upper), *turned = NULL;
    abut_mesh_elements elements = abut_mesh_get_elements(box);
    abut_vec3 vertices[8];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_quat_rotate(turn, elements.vertices[i]);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.face_vertices = elements.triangles;
    def.face_count = 12;
    assert_int_equal(abut_mesh_create(NULL, &def, &turned, NULL), ABUT_OK);
    abut_mesh_destroy(box);
    return turned;
}

// Culling leaves out what separates, and nothing else: a block that rests or sinks keeps its contacts, one that is
// lifted loses them. Its corners are still on the face of the other block that was left out, and not inside it,
// however the meshes are turned.
static void culling_keeps_what_does_not_separate(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("regions");
    abut_option option;
    assert_int_equal(abut_option_parse(method, "culling=on", &option, NULL), ABUT_OK);
    abut_params params = abut_params_default();
    params.options = &option;
    params.option_count = 1;
    test_random random = {31};
    for (int round = 0; round < 20; ++round) {
        abut_quat turn = round == 0 ? abut_quat_identity() : random_rotation(&random);
        fixture f = begin(make_turned_box(v3(-2, -1, -2), v3(2, 0, 2), turn),
                          make_turned_box(v3(-1, 0, -1), v3(1, 1, 1), turn));
        abut_pair pair = pair_of(&f);
        pair.dt = 0.01;
        find(&f, &pair);
        const double speeds[] = {0.0, -1.0, 1.0};
        const int counts[] = {4, 4, 0};
        for (int i = 0; i < 3; ++i) {
            pair.b.linear_velocity = abut_quat_rotate(turn, v3(0.3, speeds[i], 0));
            CHECK_STATUS(abut_find_contacts(&pair, method, &params, f.work, &f.result), ABUT_OK, "query");
            CHECK_INT(f.result.contacts.count, counts[i], "contacts");
        }
        end(&f);
    }
    CHECK_DONE();
}

// An L and a T of area 5 on their twins, turned by 1e-7 to 1e-3: one polygon, which misses less than the angle times
// 20, and no more than the tolerance times the outline's length. At some angles corners are within the tolerance of
// two edges and further from the corner between these.
static void twins_turned_a_little(void **state)
{
    (void)state;
    const abut_vec2 l_profile[] = {{-1.5, -1.5}, {1.5, -1.5}, {1.5, -0.5}, {-0.5, -0.5}, {-0.5, 1.5}, {-1.5, 1.5}};
    const abut_vec2 t_profile[] = {{-0.5, -1.5}, {0.5, -1.5}, {0.5, 0.5},  {1.5, 0.5},
                                   {1.5, 1.5},   {-1.5, 1.5}, {-1.5, 0.5}, {-0.5, 0.5}};
    for (int shape = 0; shape < 2; ++shape) {
        const abut_vec2 *profile = shape == 0 ? l_profile : t_profile;
        int count = shape == 0 ? 6 : 8;
        fixture f = begin(make_prism(profile, count, -1.0, 0.0), make_prism(profile, count, 0.0, 1.0));
        for (int i = 0; i <= 80; ++i) {
            double angle = pow(10.0, -7.0 + 0.05 * i);
            abut_pair pair = pair_of(&f);
            pair.b.pose.rotation = abut_quat_from_axis(v3(0, 0, 1), angle);
            find(&f, &pair);
            CHECK(f.result.regions.count == 1, "shape %d, angle %g: %d regions", shape, angle,
                  f.result.regions.count);
            const abut_region *region = &f.result.regions.items[0];
            CHECK_INT(region->kind, ABUT_REGION_POLYGON, "polygon");
            CHECK(fabs(region->measure - 5.0) < 20.0 * angle + 5e-5, "angle %g: area %g", angle, region->measure);
            CHECK_INT(f.result.stats.fallbacks, 0, "fallbacks");
            for (int k = 0; k < f.result.contacts.count; ++k) {
                CHECK_NEAR(f.result.contacts.items[k].normal.z, 1.0, 1e-9, "normal");
            }
        }
        end(&f);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_kinds_of_regions),
        cmocka_unit_test(block_meets_a_step),
        cmocka_unit_test(tetrahedron_in_a_corner),
        cmocka_unit_test(nearly_equal_hexagons_share_a_hexagon),
        cmocka_unit_test(octagon_and_ring),
        cmocka_unit_test(history_keeps_the_normals),
        cmocka_unit_test(deep_overlap_is_refused),
        cmocka_unit_test(culling_keeps_what_does_not_separate),
        cmocka_unit_test(twins_turned_a_little),
        cmocka_unit_test(history_follows_small_turns),
        cmocka_unit_test(normals_name_their_own_face),
        cmocka_unit_test(spanning_contacts_hold_as_all_do),
        cmocka_unit_test(regions_of_the_same_faces_have_ids_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
