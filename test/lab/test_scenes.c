// SPDX-License-Identifier: MIT
// test_scenes.c: Pillar, Wall and Arch: their geometry on paper, their measures, and that regions gets them right
#include "check.h"
#include "effort.h"
#include "memory_fault.h"
#include "mesh/tessellate.h"
#include "random.h"

#include <abut-lab/lab.h>

static const double PI = 3.14159265358979323846;
enum { MAX_PAIRS = 81 * 80 / 2, MAX_SAMPLES = 4096, MAX_MESHES = 8 };

static abut_scene *create(const char *name, const abut_scene_params *params)
{
    abut_scene *scene = NULL;
    abut_error error = {0};
    abut_status status = abut_scene_create(NULL, name, params, &scene, &error);
    CHECK(status == ABUT_OK, "%s: %s", name, error.text);
    assert_non_null(scene);
    return scene;
}

static abut_vec3 vertex(const abut_scene *scene, int body, int index)
{
    const abut_scene_body *b = &scene->bodies[body];
    return abut_pose_apply(b->pose, abut_mesh_get_elements(scene->meshes[b->mesh]).vertices[index]);
}

// ---------------------------------------------------------------------------------------------------------------
// Geometry

static double tet_volume(const abut_mesh_elements *e, int tet)
{
    const int *t = &e->tets[4 * tet];
    abut_vec3 a = e->vertices[t[0]];
    abut_vec3 u = abut_sub(e->vertices[t[1]], a), v = abut_sub(e->vertices[t[2]], a);
    return fabs(abut_dot(abut_cross(u, v), abut_sub(e->vertices[t[3]], a))) / 6.0;
}

/// Volumes add up to the body's, and the outer faces are the triangles of the surface.
static void check_tets(const abut_mesh *mesh, double volume, const char *label)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    double sum = 0.0;
    int outer = 0;
    for (int i = 0; i < e.tet_count; ++i) {
        sum += tet_volume(&e, i);
        CHECK(tet_volume(&e, i) > 0.0, "%s: tetrahedron %d is flat", label, i);
        for (int k = 4 * i; k < 4 * i + 4; ++k) {
            outer += t.tet_neighbours[k] < 0;
            CHECK((t.tet_neighbours[k] == ABUT_BOUNDARY) == (t.tet_triangles[k] >= 0), "%s: tetrahedron %d", label,
                  i);
        }
    }
    CHECK(fabs(sum - volume) <= 1e-12 * volume, "%s: %.17g, not %.17g", label, sum, volume);
    CHECK_INT(outer, e.triangle_count, label);
}

static void bodies_are_solids_that_share_their_joints(void **state)
{
    (void)state;
    int count = 0;
    const char *const *names = abut_scene_names(&count);
    // Pillar: ground and 7 stones in a row. Wall: 80 bricks, 8 + 10 x 7 + 9 x 15 joints. Arch: 6 + 7 stones, 14
    // joints.
    static const struct {
        const char *name;
        int bodies, joints, minimum;
        double area;
    } paper[] = {{"pillar", 8, 7, 40, 0.0},
                 {"wall", 81, 213, 4 * 213, 37.59375},
                 {"arch", 14, 14, 56, 14.0},
                 {"arch-overlap", 14, 14, 56, 14.0}};
    assert_int_equal(count, 4);
    for (int i = 0; i < count; ++i) {
        abut_scene *scene = create(names[i], NULL);
        CHECK(strcmp(scene->name, paper[i].name) == 0, "%s", scene->name);
        CHECK_INT(scene->body_count, paper[i].bodies, names[i]);
        CHECK_INT(scene->joint_count, paper[i].joints, names[i]);
        CHECK_INT(scene->minimum, paper[i].minimum, names[i]);
        CHECK(i == 0 ? isnan(scene->area) : fabs(scene->area - paper[i].area) <= 1e-13, "%s: %g", names[i],
              scene->area);
        for (int k = 0; k < scene->mesh_count; ++k) {
            abut_mesh_info info = abut_mesh_get_info(scene->meshes[k]);
            CHECK(info.is_closed && info.is_oriented && info.volume > 0.0, "%s: mesh %d", names[i], k);
        }
        for (int k = 0; k < scene->body_count; ++k) {
            CHECK(scene->bodies[k].is_fixed == (k == 0), "%s: body %d", names[i], k);
            for (int other = 0; other < k; ++other) {
                CHECK(strcmp(scene->bodies[k].name, scene->bodies[other].name) != 0, "%s", scene->bodies[k].name);
            }
        }
        double area = 0.0;
        for (int k = 0; k < scene->joint_count; ++k) {
            CHECK(scene->joints[k].a < scene->joints[k].b, "%s: joint %d", names[i], k);
            area += scene->joints[k].area;
        }
        // Pillar: a square of side 0.5, and hexagons of 3 sqrt(3)/2 r^2 with r = 1/4, 1/5, 11/60, 1/6, 3/20, 1/4.
        double radii = 0.0625 + 0.04 + 121.0 / 3600.0 + 1.0 / 36.0 + 0.0225 + 0.0625;
        CHECK_NEAR(area, i == 0 ? 0.25 + 1.5 * sqrt(3.0) * radii : paper[i].area, 1e-12, names[i]);
        abut_scene_destroy(scene);
    }
    CHECK_DONE();
}

/// Table of the Pillar in the paper's program: y ranges and radii, with six digits.
static void pillar_is_that_of_the_program(void **state)
{
    (void)state;
    static const struct {
        double lower_y, upper_y, lower_radius, upper_radius;
    } rows[] = {{0.21, 0.42, 0.25, 0.20},
                {0.42, 1.353333, 0.20, 0.183333},
                {1.353333, 2.286667, 0.183333, 0.166667},
                {2.286667, 3.22, 0.166667, 0.15},
                {3.22, 3.395, 0.15, 0.25}};
    abut_scene *scene = create("pillar", NULL);
    CHECK_INT(scene->feature_minimum, 49, "Figure 6");
    for (int i = 0; i < 5; ++i) {
        int body = i + 2;
        abut_mesh_elements e = abut_mesh_get_elements(scene->meshes[scene->bodies[body].mesh]);
        CHECK_INT(e.vertex_count, 14, "frustum");
        CHECK_INT(e.triangle_count, 24, "frustum");
        for (int k = 0; k < 14; ++k) {
            abut_vec3 p = vertex(scene, body, k);
            double radius = hypot(p.x, p.z);
            int is_lower = fabs(p.y - rows[i].lower_y) < 1e-6;
            CHECK(is_lower || fabs(p.y - rows[i].upper_y) < 1e-6, "body %d vertex %d: y %g", body, k, p.y);
            double expected = k >= 12 ? 0.0 : is_lower ? rows[i].lower_radius : rows[i].upper_radius;
            CHECK_NEAR(radius, expected, 1e-6, scene->bodies[body].name);
        }
    }
    CHECK_NEAR(vertex(scene, 7, 2).y, 3.5, 1e-14, "top");
    // Rings that touch have the same bits, the turned one of the top cone too.
    for (int body = 2; body < 6; ++body) {
        for (int k = 0; k < 6; ++k) {
            int is_turned = body == 5;
            abut_vec3 p = vertex(scene, body, 6 + k);
            abut_vec3 q = vertex(scene, body + 1, is_turned ? 6 + (6 - k) % 6 : k);
            CHECK(p.x == q.x && p.y == q.y && p.z == q.z, "body %d vertex %d", body, k);
        }
    }
    abut_scene_destroy(scene);
    CHECK_DONE();
}

static void wall_is_that_of_the_program(void **state)
{
    (void)state;
    abut_scene *scene = create("wall", NULL);
    for (int layer = 0; layer < 10; ++layer) {
        for (int j = 0; j < 8; ++j) {
            int body = 1 + 8 * layer + j;
            abut_vec3 low = vertex(scene, body, 4), high = vertex(scene, body, 2);
            abut_vec3 center = abut_lerp(low, high, 0.5);
            CHECK_NEAR(center.x, -2.5 + 0.625 * j + 0.3125 * (layer % 2), 0.0, "x");
            CHECK_NEAR(center.y, 0.4 * (layer + 0.5), 1e-15 * (layer + 1), "y");
            CHECK_NEAR(center.z, 0.0, 0.0, "z");
            CHECK_NEAR(high.x - low.x, 0.625, 0.0, "width");
            CHECK_NEAR(high.z - low.z, 0.5, 0.0, "depth");
            CHECK(layer == 0 || low.y == vertex(scene, body - 8, 2).y, "layer %d stands on the one below", layer);
        }
    }
    abut_scene_destroy(scene);
    CHECK_DONE();
}

static void arch_is_that_of_the_program(void **state)
{
    (void)state;
    abut_scene *scene = create("arch", NULL);
    static const double places[][3] = {// x, y, turn in degrees
                                       {1.706124, 2.389412, -77.1429}, {1.368205, 3.091107, -51.4286},
                                       {0.759297, 3.576696, -25.7143}, {0.0, 3.75, 0.0},
                                       {-0.759297, 3.576696, 25.7143}, {-1.368205, 3.091107, 51.4286},
                                       {-1.706124, 2.389412, 77.1429}};
    const abut_vec3 profile[] = {{-0.333781, -0.287608, 1.0},
                                 {0.333781, -0.287608, 1.0},
                                 {0.445042, 0.199856, 1.0},
                                 {-0.445042, 0.199856, 1.0}};
    const abut_vec3 *stone = abut_mesh_get_elements(scene->meshes[scene->bodies[7].mesh]).vertices;
    for (int i = 0; i < 4; ++i) {
        CHECK(abut_norm(abut_sub(stone[i], profile[i])) < 1e-6, "corner %d", i);
    }
    for (int k = 0; k < 7; ++k) {
        abut_pose pose = scene->bodies[7 + k].pose;
        CHECK_NEAR(pose.position.x, places[k][0], 1e-6, "x");
        CHECK_NEAR(pose.position.y, places[k][1], 1e-6, "y");
        CHECK_NEAR(2.0 * atan2(pose.rotation.z, pose.rotation.w) * 180.0 / PI, places[k][2], 1e-4, "turn");
        // Its inner and outer corners are on the two circles.
        for (int i = 0; i < 8; ++i) {
            abut_vec3 p = vertex(scene, 7 + k, i);
            CHECK_NEAR(hypot(p.x, p.y - 2.0), i % 4 < 2 ? 1.5 : 2.0, 1e-14, "radius");
        }
    }
    for (int i = 0; i < 3; ++i) {
        abut_vec3 left = abut_lerp(vertex(scene, 1 + 2 * i, 0), vertex(scene, 1 + 2 * i, 6), 0.5);
        abut_vec3 right = abut_lerp(vertex(scene, 2 + 2 * i, 0), vertex(scene, 2 + 2 * i, 6), 0.5);
        CHECK_NEAR(left.x, -1.75, 0.0, "left");
        CHECK_NEAR(right.x, 1.75, 0.0, "right");
        CHECK_NEAR(left.y, (i + 0.5) * 0.666667, 2e-6, "left");
    }
    abut_scene_destroy(scene);
    CHECK_DONE();
}

/// A box has width x height x depth, a hexagonal frustum of radii r and R and height h has sqrt(3)/2 h (r^2 + r R +
/// R^2), an arch stone (7 of them make a ring sector of straight sides) depth x sin(2w)/2 (R^2 - r^2) with w = pi/14.
static void tetrahedra_fill_the_bodies(void **state)
{
    (void)state;
    const double f = 0.5 * sqrt(3.0), shaft = 2.8 / 3.0, radii[] = {0.2, 0.55 / 3.0, 0.5 / 3.0, 0.15};
    double pillar[8] = {2.7, 0.5 * 0.5 * 0.21, f * 0.21 * (0.0625 + 0.05 + 0.04)};
    for (int i = 0; i < 3; ++i) {
        double r = radii[i + 1], s = radii[i];
        pillar[3 + i] = f * shaft * (r * r + r * s + s * s);
    }
    pillar[6] = f * 0.175 * (0.0625 + 0.0375 + 0.0225);
    pillar[7] = 0.5 * 0.5 * 0.105;
    const double wall[] = {100.0, 0.625 * 0.4 * 0.5};
    const double arch[] = {100.0, 0.5 * 2.0 / 3.0 * 2.0, 2.0 * 0.5 * sin(PI / 7.0) * (4.0 - 2.25)};
    const struct {
        const char *name;
        const double *volumes;
        int count;
    } rows[] = {{"pillar", pillar, 8}, {"wall", wall, 2}, {"arch", arch, 3}};
    for (int i = 0; i < 3; ++i) {
        abut_scene *scene = create(rows[i].name, NULL);
        CHECK_INT(scene->mesh_count, rows[i].count, rows[i].name);
        for (int k = 0; k < scene->mesh_count; ++k) {
            check_tets(scene->meshes[k], rows[i].volumes[k], rows[i].name);
        }
        abut_scene_destroy(scene);
    }
    CHECK_DONE();
}

/// The normal of a corner of the pillar stones, weighted by three right angles, is (1, 1, 1)/sqrt(3): a stone 0.5 x
/// 2/3 x 2 moved out by 0.01 is 2 x 0.01/sqrt(3) larger each way. At a corner of an arch stone a right angle each
/// belongs to the side in z and to one of the other two, and the angle of the trapezoid to z.
static void arch_overlap_is_moved_outward(void **state)
{
    (void)state;
    abut_scene *plain = create("arch", NULL), *scene = create("arch-overlap", NULL);
    for (int k = 0; k < 3; ++k) {
        abut_mesh_elements from = abut_mesh_get_elements(plain->meshes[k]);
        abut_mesh_elements to = abut_mesh_get_elements(scene->meshes[k]);
        CHECK_INT(to.vertex_count, from.vertex_count, "vertices");
        for (int i = 0; i < 8; ++i) {
            abut_vec3 moved = abut_sub(to.vertices[i], from.vertices[i]);
            CHECK_NEAR(abut_norm(moved), k == 0 ? 0.0 : 0.01, 1e-15, "distance");
        }
        CHECK(k == 0 || to.bounds.upper.z > 1.0, "mesh %d", k);
        check_tets(scene->meshes[k], abut_mesh_get_info(scene->meshes[k]).volume, "arch-overlap");
    }
    abut_vec3 size = abut_sub(abut_mesh_get_elements(scene->meshes[1]).bounds.upper,
                              abut_mesh_get_elements(scene->meshes[1]).bounds.lower);
    CHECK_NEAR(size.x, 0.5 + 0.02 / sqrt(3.0), 1e-15, "pillar stone");
    CHECK_NEAR(size.y, 2.0 / 3.0 + 0.02 / sqrt(3.0), 1e-15, "pillar stone");
    CHECK_NEAR(size.z, 2.0 + 0.02 / sqrt(3.0), 1e-15, "pillar stone");
    // Corner 0 of the stone: the lower side has normal (0,-1,0), the left one (-cos w, -sin w, 0), the angle between
    // them in the profile is pi/2 + w.
    double w = PI / 14.0;
    abut_vec3 sum = abut_vec3_make(-0.5 * PI * cos(w), -0.5 * PI * (1.0 + sin(w)), 0.5 * PI + w);
    abut_vec3 moved = abut_sub(abut_mesh_get_elements(scene->meshes[2]).vertices[0],
                               abut_mesh_get_elements(plain->meshes[2]).vertices[0]);
    CHECK(abut_norm(abut_sub(moved, abut_scale(0.01, abut_unit(sum)))) < 1e-15, "(%g, %g, %g)", moved.x, moved.y,
          moved.z);
    abut_scene_destroy(plain);
    abut_scene_destroy(scene);
    CHECK_DONE();
}

/// Fine meshes fill the same bodies. A ratio of 2 always ends; 1.0 does not, and the message says what to try.
static void fine_meshes_fill_the_bodies(void **state)
{
    (void)state;
    abut_scene_params params = abut_scene_params_default();
    params.refine_ratio = 2.0;
    params.scale = 2.0;
    abut_scene *scene = NULL;
    abut_error error = {0};
    abut_status status = abut_scene_create(NULL, "pillar", &params, &scene, &error);
    if (status == ABUT_IO) {
        skip(); // tetgen is not installed
    }
    CHECK(status == ABUT_OK, "%s", error.text);
    for (int i = 0; i < scene->mesh_count; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(scene->meshes[i]);
        double limit = (i >= 2 && i <= 6 ? 0.00015 : 0.015) * 8.0;
        for (int k = 0; k < e.tet_count; ++k) {
            CHECK(tet_volume(&e, k) <= limit * (1.0 + 1e-9), "mesh %d, tetrahedron %d: %g", i, k,
                  tet_volume(&e, k));
        }
        check_tets(scene->meshes[i], abut_mesh_get_info(scene->meshes[i]).volume, "fine");
    }
    abut_scene_destroy(scene);
    params.refine_ratio = 1.0;
    params.refine_seconds = 0.5;
    CHECK_STATUS(abut_scene_create(NULL, "pillar", &params, &scene, &error), ABUT_LIMIT, "ratio 1");
    CHECK(strstr(error.text, "try a ratio of 1.015") != NULL, "%s", error.text);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Measures

static abut_scene_measures measure(const abut_scene *scene, const abut_sample *samples, int count)
{
    abut_scene_measures measures = {0};
    abut_error error = {0};
    abut_status status = abut_scene_measure(NULL, scene, samples, count, &measures, &error);
    CHECK(status == ABUT_OK, "%s: %s", scene->name, error.text);
    return measures;
}

/// Contacts of one joint by hand: the square around a point, some points inside, and a tilted normal.
static void measures_of_contacts_by_hand(void **state)
{
    (void)state;
    abut_scene *scene = create("wall", NULL);
    // Brick 1 (layer 0) on the ground: its bottom is x from -2.8125 to -2.1875, z from -0.25 to 0.25: area 0.3125.
    abut_sample samples[] = {
        {{-2.8125, 0, -0.25}, {0, 1, 0}, {0, 1}}, {{-2.1875, 0, 0.25}, {0, -1, 0}, {0, 1}},
        {{-2.5, 0, 0}, {0, 1, 0}, {0, 1}},        {{-2.8125, 0, 0.25}, {0, 1, 0}, {0, 1}},
        {{-2.1875, 0, -0.25}, {0, 1, 0}, {0, 1}}, {{-2.8125, 0, 0}, {0.6, 0.8, 0}, {0, 1}},
        {{0, 0, 0}, {1, 0, 0}, {1, 2}},
    };
    abut_scene_measures m = measure(scene, samples, 7);
    CHECK_NEAR(m.quality, 100.0 * 6 / 7, 1e-12, "one of seven is tilted; the sign does not count");
    CHECK_NEAR(m.visible_quality, 100.0 * 6 / 7, 1e-12, "0.8 is less than 0.99");
    CHECK_NEAR(m.alignment, 6.8 / 7.0, 1e-15, "|n . up| is 0.8 for one");
    CHECK_NEAR(m.least_alignment, 0.8, 1e-15, "least");
    CHECK_NEAR(m.deviation, 2.0, 1e-15, "one normal points the other way");
    CHECK_NEAR(m.area, 0.3125, 1e-15, "the hull of the first pair; a point has no area");
    CHECK_NEAR(m.coverage, 100.0 * 0.3125 / 37.59375, 1e-12, "coverage");
    CHECK_NEAR(m.coverage_paper, m.coverage, 1e-12, "P");
    CHECK_NEAR(m.coverage_normals, 100.0 * 2 / 213, 1e-12, "two joints");
    CHECK_NEAR(m.excess, 7.0 / 852.0, 1e-15, "excess");
    CHECK_INT(m.contacts, 7, "contacts");
    const int histogram[ABUT_SCENE_BINS] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 6};
    CHECK(memcmp(m.histogram, histogram, sizeof histogram) == 0, "0.8 is in the ninth tenth, 1 in the last");
    abut_scene_curves curves;
    CHECK_STATUS(abut_scene_find_curves(NULL, scene, samples, 7, &curves, NULL), ABUT_OK, "curves");
    CHECK(curves.alignment_count == 7 && fabs(curves.alignments[0] - 0.8) < 1e-15 && curves.alignments[1] == 1.0,
          "sorted");
    CHECK(curves.area_count == 2 && curves.areas[0] == 0.0 && fabs(curves.areas[1] - 0.3125) < 1e-15, "sorted");
    // Half overlaps, sides, bricks on the ground.
    abut_scene_plateau plateaus[4];
    CHECK_INT(abut_scene_find_plateaus(scene, &curves, plateaus, 4), 3, "plateaus");
    CHECK(plateaus[0].area == 0.15625 && plateaus[0].joints == 135 && plateaus[0].found == 0, "half overlaps");
    CHECK(fabs(plateaus[1].area - 0.2) < 1e-15 && plateaus[1].joints == 70 && plateaus[1].found == 0, "sides");
    CHECK(plateaus[2].area == 0.3125 && plateaus[2].joints == 8 && plateaus[2].found == 1, "ground");
    abut_scene_curves_release(NULL, &curves);
    // Bodies that do not touch have no right normal.
    samples[6].bodies = (abut_scene_pair){1, 80};
    CHECK_NEAR(measure(scene, samples, 7).quality, 100.0 * 5 / 7, 1e-12, "no joint");
    m = measure(scene, NULL, 0);
    CHECK(isnan(m.quality) && isnan(m.alignment) && isnan(m.deviation) && m.coverage == 0.0, "no contacts");
    abut_scene_destroy(scene);
    // The Pillar's lowest box stands on a square of side 0.5. Three of its corners span half of it. A hull that
    // reaches beyond the joint, or lacks 1e-7 of it, covers it whole; 1e-5 less does not.
    scene = create("pillar", NULL);
    double whole = 0.0;
    for (int i = 0; i < scene->joint_count; ++i) {
        whole += scene->joints[i].area;
    }
    const double sides[] = {0.5, 1.0, 0.5 * (1.0 - 1e-7), 0.5 * (1.0 - 1e-5)};
    const double covered[] = {0.25, 0.25, 0.25, 0.25 * (1.0 - 1e-5)};
    for (int i = 0; i < 4; ++i) {
        double s = sides[i];
        const abut_sample square[] = {{{0, 0, 0}, {0, 1, 0}, {0, 1}},
                                      {{0.5, 0, 0}, {0, 1, 0}, {0, 1}},
                                      {{0, 0, s}, {0, 1, 0}, {0, 1}},
                                      {{0.5, 0, s}, {0, 1, 0}, {0, 1}}};
        CHECK_NEAR(measure(scene, square, 4).coverage, 100.0 * covered[i] / whole, 1e-12, "a joint");
        CHECK_NEAR(measure(scene, square, 3).coverage, 100.0 * fmin(0.25 * s, 0.25) / whole, 1e-12, "half of it");
    }
    abut_scene_destroy(scene);
    CHECK_DONE();
}

/// The closed form of a regular polygon, with points inside it that must not count.
static void area_of_a_hull_is_that_of_its_polygon(void **state)
{
    (void)state;
    test_random random = {7};
    abut_scene *scene = create("pillar", NULL);
    for (int round = 0; round < 50; ++round) {
        // n corners on the unit circle: the area is n/2 sin(2 pi/n)
        int n = 3 + random_below(&random, 40);
        abut_sample samples[200];
        double turned = random_in(&random, 0.0, 6.0);
        for (int i = 0; i < 200; ++i) {
            double radius = i < n ? 1.0 : random_in(&random, 0.0, cos(PI / n));
            double angle = i < n ? turned + 2.0 * PI * i / n : random_in(&random, 0.0, 2.0 * PI);
            samples[i] = (abut_sample){{radius * cos(angle), 0.0, radius * sin(angle)}, {0, 1, 0}, {0, 1}};
        }
        CHECK_NEAR(measure(scene, samples, 200).area, 0.5 * n * sin(2.0 * PI / n), 1e-13, "regular polygon");
    }
    abut_scene_destroy(scene);
    CHECK_DONE();
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    abut_scene *scene = NULL;
    abut_error error;
    abut_scene_params params = abut_scene_params_default();
    CHECK_STATUS(abut_scene_create(NULL, NULL, NULL, &scene, &error), ABUT_BAD_ARGUMENT, "no name");
    CHECK_STATUS(abut_scene_create(NULL, "tower", NULL, &scene, &error), ABUT_BAD_ARGUMENT, "unknown");
    CHECK(strstr(error.text, "tower") != NULL, "%s", error.text);
    const double scales[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 1e300};
    for (int i = 0; i < 5; ++i) {
        params.scale = scales[i];
        CHECK_STATUS(abut_scene_create(NULL, "arch", &params, &scene, &error), ABUT_BAD_ARGUMENT, "scale");
    }
    params = abut_scene_params_default();
    params.frame.rotation.w = 2.0;
    CHECK_STATUS(abut_scene_create(NULL, "arch", &params, &scene, &error), ABUT_BAD_ARGUMENT, "rotation");
    params = abut_scene_params_default();
    params.frame.position.x = (double)NAN;
    CHECK_STATUS(abut_scene_create(NULL, "arch", &params, &scene, &error), ABUT_BAD_ARGUMENT, "position");
    params = abut_scene_params_default();
    params.refine_ratio = 0.5;
    CHECK_STATUS(abut_scene_create(NULL, "arch", &params, &scene, &error), ABUT_BAD_ARGUMENT, "ratio");
    params = abut_scene_params_default();
    params.struct_size = 1;
    CHECK_STATUS(abut_scene_create(NULL, "arch", &params, &scene, &error), ABUT_BAD_ARGUMENT, "size");
    assert_null(scene);

    scene = create("arch", NULL);
    abut_scene_measures measures;
    abut_sample samples[] = {{{0, 0, 0}, {0, 1, 0}, {0, 2}}, {{0, 0, 0}, {0, 1, 0}, {0, 1}}};
    CHECK_STATUS(abut_scene_measure(NULL, scene, samples, 2, &measures, &error), ABUT_BAD_ARGUMENT, "order");
    samples[1].bodies = (abut_scene_pair){3, 99};
    CHECK_STATUS(abut_scene_measure(NULL, scene, samples, 2, &measures, &error), ABUT_BAD_ARGUMENT, "range");
    samples[1].bodies = (abut_scene_pair){3, 3};
    CHECK_STATUS(abut_scene_measure(NULL, scene, samples, 2, &measures, &error), ABUT_BAD_ARGUMENT, "one body");
    samples[1].bodies = (abut_scene_pair){3, 5};
    samples[1].position.x = (double)NAN;
    CHECK_STATUS(abut_scene_measure(NULL, scene, samples, 2, &measures, &error), ABUT_BAD_DATA, "NaN");
    abut_scene_curves curves;
    CHECK_STATUS(abut_scene_find_curves(NULL, scene, samples, 2, &curves, &error), ABUT_BAD_DATA, "NaN");
    CHECK(curves.alignments == NULL && curves.areas == NULL, "nothing to release");
    CHECK_STATUS(abut_scene_find_curves(NULL, scene, NULL, 2, &curves, &error), ABUT_BAD_ARGUMENT, "NULL");
    abut_scene_destroy(scene);
    abut_scene_destroy(NULL);
    CHECK_DONE();
}

static void no_memory_leaks_nothing(void **state)
{
    (void)state;
    int is_done = 0;
    for (int allowed = 0; allowed < 500 && !is_done; ++allowed) {
        memory_fault fault = {allowed, 0};
        abut_context context = memory_fault_context(&fault);
        abut_scene *scene = NULL;
        abut_status status = abut_scene_create(&context, "arch", NULL, &scene, NULL);
        CHECK(status == (scene != NULL ? ABUT_OK : ABUT_NO_MEMORY), "%d allocations", allowed);
        if (scene != NULL) {
            const abut_sample sample = {{0, 0, 0}, {0, 1, 0}, {0, 1}};
            abut_scene_measures measures;
            abut_scene_curves curves;
            is_done = abut_scene_measure(&context, scene, &sample, 1, &measures, NULL) == ABUT_OK &&
                      abut_scene_find_curves(&context, scene, &sample, 1, &curves, NULL) == ABUT_OK;
            if (is_done) {
                abut_scene_curves_release(&context, &curves);
            }
        }
        abut_scene_destroy(scene);
        CHECK_INT(fault.live, 0, "blocks");
    }
    CHECK(is_done, "enough memory was never given");
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// The method regions

typedef struct scene_run {
    abut_scene *scene;
    abut_shape *shapes[MAX_MESHES];
    abut_workspace *work;
    abut_sample samples[MAX_SAMPLES];
    int count;
    int is_swapped;
} scene_run;

static void run_pair(scene_run *run, abut_scene_pair bodies, const abut_method *method)
{
    const abut_scene *scene = run->scene;
    abut_result result = abut_result_default();
    abut_pair pair = abut_scene_get_pair(scene, bodies, run->shapes[scene->bodies[bodies.a].mesh],
                                         run->shapes[scene->bodies[bodies.b].mesh]);
    if (run->is_swapped) {
        abut_side a = pair.a;
        pair.a = pair.b;
        pair.b = a;
    }
    abut_status status = abut_find_contacts(&pair, method, NULL, run->work, &result);
    CHECK(status == ABUT_OK, "%s: %s and %s: %s: %s", scene->name, scene->bodies[bodies.a].name,
          scene->bodies[bodies.b].name, abut_status_text(status), result.error.text);
    for (int i = 0; i < result.contacts.count && run->count < MAX_SAMPLES; ++i) {
        const abut_contact *c = &result.contacts.items[i];
        abut_vec3 normal = run->is_swapped ? abut_negate(c->normal) : c->normal;
        run->samples[run->count++] = (abut_sample){c->position, normal, bodies};
    }
}

/// A copy of the surface with other triangles.
static abut_mesh *cut_anew(const abut_mesh *mesh, test_random *random)
{
    test_solid solid = solid_from_mesh(mesh);
    solid_tessellate(&solid, random, 20, 40);
    solid_shuffle(&solid, random);
    abut_mesh *cut = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
    solid_free(&solid);
    return cut;
}

/// With a source of random numbers, the stones are cut into other triangles, and each pair is asked for as B and A.
static abut_scene_measures run_regions(const char *name, const abut_scene_params *params, test_random *random)
{
    static scene_run run;
    static abut_scene_pair pairs[MAX_PAIRS];
    const abut_method *method = abut_method_find("regions");
    run = (scene_run){.scene = create(name, params), .is_swapped = random != NULL};
    abut_mesh *cut[MAX_MESHES] = {NULL};
    assert_int_equal(abut_workspace_create(NULL, &run.work), ABUT_OK);
    for (int i = 0; i < run.scene->mesh_count; ++i) {
        abut_shape_def def = abut_shape_def_default();
        cut[i] = random != NULL ? cut_anew(run.scene->meshes[i], random) : NULL;
        def.mesh = cut[i] != NULL ? cut[i] : run.scene->meshes[i];
        assert_int_equal(abut_shape_create(NULL, &def, &run.shapes[i], NULL), ABUT_OK);
        assert_int_equal(abut_shape_prepare(run.shapes[i], method, NULL, NULL), ABUT_OK);
    }
    int pair_count = abut_scene_find_pairs(run.scene, pairs, MAX_PAIRS);
    CHECK(pair_count >= run.scene->joint_count && pair_count <= MAX_PAIRS, "%s: %d pairs", name, pair_count);
    for (int i = 0; i < pair_count; ++i) {
        run_pair(&run, pairs[i], method);
    }
    abut_scene_measures measures = measure(run.scene, run.samples, run.count);
    for (int i = 0; i < run.scene->mesh_count; ++i) {
        abut_shape_destroy(run.shapes[i]);
        abut_mesh_destroy(cut[i]);
    }
    abut_workspace_destroy(run.work);
    abut_scene_destroy(run.scene);
    return measures;
}

/// A caller's copy of a scene may have any number of bodies. 100 bodies at the same place are 100 * 99 / 2 pairs.
static void scenes_of_many_bodies_have_pairs(void **state)
{
    (void)state;
    enum { BODIES = 100 };
    abut_scene *pillar = NULL;
    assert_int_equal(abut_scene_create(NULL, "pillar", NULL, &pillar, NULL), ABUT_OK);
    abut_scene_body bodies[BODIES];
    for (int i = 0; i < BODIES; ++i) {
        bodies[i] = pillar->bodies[1];
    }
    abut_scene many = *pillar;
    many.bodies = bodies;
    many.body_count = BODIES;
    CHECK_INT(abut_scene_find_pairs(&many, NULL, 0), BODIES * (BODIES - 1) / 2, "pairs");
    abut_scene_destroy(pillar);
    CHECK_DONE();
}

/// The centroid of an arch stone is (with half angle w = pi/14 and radii r = 1.5, R = 2) at the distance d = cos w
/// (2/3) (R^3 - r^3) / (R^2 - r^2) from the arch's centre, that of the pillar stone below at (1.75, -1/3) from it. The
/// springing's true normal is up; the paper's runs from centroid to centroid.
static double springing_alignment(void)
{
    double w = PI / 14.0, d = cos(w) * 2.0 / 3.0 * (8.0 - 3.375) / (4.0 - 2.25);
    double x = d * cos(w) - 1.75, y = d * sin(w) + 1.0 / 3.0;
    return y / hypot(x, y);
}

static void check_regions(const abut_scene_params *params, test_random *cutter, const char *label)
{
    double scale = params->scale;
    abut_scene_measures pillar = run_regions("pillar", params, cutter);
    CHECK(pillar.contacts == 40 && pillar.quality == 100.0 && pillar.deviation <= 1e-6 &&
              pillar.coverage_normals == 100.0,
          "pillar %s scale %g: %d contacts, quality %g, deviation %g", label, scale, pillar.contacts,
          pillar.quality, pillar.deviation);
    CHECK_NEAR(pillar.least_alignment, 1.0, 1e-9, label);
    CHECK_NEAR(pillar.coverage, 100.0, 0.0, label);
    CHECK(isnan(pillar.coverage_paper), "the paper measures no area of the Pillar");
    abut_scene_measures wall = run_regions("wall", params, cutter);
    CHECK(wall.contacts == 852 && wall.quality == 100.0 && wall.deviation <= 1e-6 && wall.coverage_normals == 100.0,
          "wall %s scale %g: %d contacts, quality %g, deviation %g", label, scale, wall.contacts, wall.quality,
          wall.deviation);
    CHECK_NEAR(wall.least_alignment, 1.0, 1e-9, label);
    CHECK_NEAR(wall.coverage, 100.0, 0.0, label);
    CHECK_NEAR(wall.coverage_paper, 100.0, 1e-7, label);
    abut_scene_measures arch = run_regions("arch", params, cutter);
    CHECK(arch.contacts == 56 && arch.quality == 100.0 && arch.visible_quality == 100.0 && arch.deviation <= 1e-6 &&
              arch.coverage_normals == 100.0,
          "arch %s scale %g: %d contacts, quality %g, deviation %g", label, scale, arch.contacts, arch.quality,
          arch.deviation);
    // Twelve joints have Q = 1 and their whole area; the area of the two springings is seen under the same angle.
    double q = springing_alignment();
    CHECK_NEAR(q, 0.9945, 5e-5, "as printed in docs/cases.md");
    CHECK_NEAR(arch.least_alignment, q, 1e-9, label);
    CHECK_NEAR(arch.alignment, (12.0 + 2.0 * q) / 14.0, 1e-9, label);
    CHECK_NEAR(arch.coverage, 100.0, 0.0, label);
    CHECK_NEAR(arch.coverage_paper, 100.0 * (12.0 + 2.0 * q) / 14.0, 1e-7, label);
}

static void regions_is_right(void **state)
{
    (void)state;
    abut_scene_params params = abut_scene_params_default();
    check_regions(&params, NULL, "as built");
    CHECK_DONE();
}

static void regions_is_right_anywhere(void **state)
{
    (void)state;
    test_random random = {2018};
    int rounds = sample_count(6, 60);
    for (int round = 0; round < rounds; ++round) {
        abut_scene_params params = abut_scene_params_default();
        params.scale = pow(10.0, round < 2 ? (round == 0 ? -3.0 : 3.0) : random_in(&random, -3.0, 3.0));
        // The structures are about 4 high: every third one stands 10,000 times that away.
        double away = params.scale * 4.0 * (round % 3 == 2 ? 1e4 : 1.0);
        params.frame.position = abut_scale(away, random_unit(&random));
        params.frame.rotation = random_rotation(&random);
        check_regions(&params, round % 2 == 1 ? &random : NULL, round % 3 == 2 ? "far away" : "turned");
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_of_many_bodies_have_pairs),
        cmocka_unit_test(bodies_are_solids_that_share_their_joints),
        cmocka_unit_test(pillar_is_that_of_the_program),
        cmocka_unit_test(wall_is_that_of_the_program),
        cmocka_unit_test(arch_is_that_of_the_program),
        cmocka_unit_test(tetrahedra_fill_the_bodies),
        cmocka_unit_test(arch_overlap_is_moved_outward),
        cmocka_unit_test(fine_meshes_fill_the_bodies),
        cmocka_unit_test(measures_of_contacts_by_hand),
        cmocka_unit_test(area_of_a_hull_is_that_of_its_polygon),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(no_memory_leaks_nothing),
        cmocka_unit_test(regions_is_right),
        cmocka_unit_test(regions_is_right_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
