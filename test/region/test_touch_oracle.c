// SPDX-License-Identifier: MIT
// test_touch_oracle.c: a search finds what all pairs of entities give, however faces are cut into triangles
//
// The oracle follows the definitions of touch.h with all pairs of corners, edges and faces. A corner is on the nearest
// corner of the other solid within the tolerance, else on the nearest edge, else on every face; two edges cross if they
// are within the tolerance of each other away from corners; between two nodes the middle tells what an edge lies on.
// The solids touch exactly or are far apart in units of the tolerance, so rounding decides nothing. They are cut into
// hundreds of triangles, renumbered, scaled by 1e-3 to 1e3, and their meshes are turned and up to a hundred sizes away
// from their origins.
#include "check.h"
#include "effort.h"
#include "mesh/tessellate.h"
#include "prim/point_segment.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"
#include "random.h"
#include "region/contact_regions.h"
#include "spatial/index_solids.h"

#include <stdlib.h>

static const double tolerance = 1e-6; ///< for solids of size 1 to 10, before they are scaled

/// What a search needs of a solid.
typedef struct placed_solid {
    abut_mesh *mesh;
    abut_brep *brep;
    abut_region_model *model;
    abut_tree *tree;
    abut_touch_side side;
} placed_solid;

/// Two solids, in A's frame.
typedef struct scene {
    placed_solid solids[2];
    double tolerance;
    abut_arena arena;
} scene;

/// Checks that each corner and edge of a B-rep belongs to one element of its touch model, and that each triangle is an
/// element or in a wide face.
static void check_model(const abut_region_model *model)
{
    const abut_touch_model *touch = model->touch;
    if (touch == NULL) {
        return;
    }
    int *vertices = calloc((size_t)model->brep.vertex_count, sizeof *vertices);
    int *edges = calloc((size_t)model->brep.edge_count, sizeof *edges);
    assert_true(vertices != NULL && edges != NULL);
    int triangles = 0;
    for (int i = 0; i < touch->element_count; ++i) {
        int source = touch->sources[i];
        for (int k = 0; k < 3; ++k) {
            if ((touch->owned[i] >> k & 1) != 0) {
                ++vertices[model->brep.mesh_vertex_vertices[touch->corners[3 * i + k]]];
            }
            if ((touch->owned[i] >> (3 + k) & 1) != 0) {
                int edge = source < 0 ? ~source
                                      : model->brep.mesh_edge_edges[model->topology.triangle_edges[3 * source + k]];
                ++edges[edge];
            }
        }
        triangles += source >= 0;
    }
    for (int i = 0; i < touch->face_count; ++i) {
        triangles += model->brep.faces[touch->faces[i].face].triangle_count;
    }
    CHECK_INT(triangles, model->elements.triangle_count, "triangles");
    for (int i = 0; i < model->brep.vertex_count; ++i) {
        CHECK(vertices[i] == 1, "vertex %d has %d owners", i, vertices[i]);
    }
    for (int i = 0; i < model->brep.edge_count; ++i) {
        CHECK(edges[i] == 1, "edge %d has %d owners", i, edges[i]);
    }
    free(edges);
    free(vertices);
}

/// A tessellation of a solid with at least `vertices` more vertices, moved.
static placed_solid make_solid(const abut_mesh *from, int vertices, double scale, abut_pose pose,
                               test_random *random)
{
    placed_solid made;
    test_solid plain = solid_from_mesh(from);
    solid_tessellate(&plain, random, vertices, vertices);
    solid_shuffle(&plain, random);
    solid_move(&plain, scale, pose);
    made.mesh = solid_mesh(&plain, ABUT_PRECISION_DOUBLE);
    solid_free(&plain);
    assert_int_equal(abut_brep_create(NULL, made.mesh, NULL, &made.brep, NULL), ABUT_OK);
    assert_int_equal(abut_region_model_create(NULL, made.mesh, made.brep, &made.model, NULL), ABUT_OK);
    assert_int_equal(abut_tree_create(NULL, made.mesh, ABUT_ELEMENT_TRIANGLE, &made.tree, NULL), ABUT_OK);
    check_model(made.model);
    made.side = (abut_touch_side){made.model, made.tree, abut_quat_identity(), abut_mat3_identity(), {0, 0, 0}};
    return made;
}

/// Places B by `b_to_a`, which is given for the solids as they come; both are then cut, scaled and moved at random.
static scene make_scene(const abut_mesh *a, const abut_mesh *b, abut_pose b_to_a, test_random *random)
{
    scene s;
    double scale = pow(10.0, random_in(random, -3.0, 3.0));
    abut_pose poses[2];
    for (int i = 0; i < 2; ++i) {
        poses[i] = abut_pose_make(random_vec3(random, 100.0 * scale), random_rotation(random));
        int vertices = random_below(random, 8) == 0 ? 0 : 50 + random_below(random, 300);
        s.solids[i] = make_solid(i == 0 ? a : b, vertices, scale, poses[i], random);
    }
    // q = B's pose of (scale p), and A's pose of (scale (turn p + shift)): p drops out
    abut_quat turn = abut_quat_multiply(poses[0].rotation, b_to_a.rotation);
    abut_touch_side *side = &s.solids[1].side;
    side->turn = abut_quat_unit(abut_quat_multiply(turn, abut_quat_conjugate(poses[1].rotation)));
    side->rotation = abut_quat_matrix(side->turn);
    abut_vec3 shift = abut_pose_apply(poses[0], abut_scale(scale, b_to_a.position));
    side->translation = abut_sub(shift, abut_mat3_apply(side->rotation, poses[1].position));
    s.tolerance = scale * tolerance;
    abut_context context = abut_context_default();
    abut_arena_init(&s.arena, &context);
    return s;
}

static void free_scene(scene *s)
{
    abut_arena_release(&s->arena);
    for (int i = 0; i < 2; ++i) {
        abut_tree_destroy(s->solids[i].tree);
        abut_region_model_destroy(s->solids[i].model);
        abut_brep_destroy(s->solids[i].brep);
        abut_mesh_destroy(s->solids[i].mesh);
    }
}

static abut_touch find_touch(scene *s)
{
    const abut_touch_side sides[2] = {s->solids[0].side, s->solids[1].side};
    abut_touch_limits limits = {.tolerance = s->tolerance, .angle = 1e-6, .receding = HUGE_VAL};
    abut_touch touch = {.arena = NULL};
    assert_true(abut_touch_find(&s->arena, sides, &limits, &touch));
    return touch;
}

// ---- the oracle

/// Two entities, and for an interval its nodes.
typedef struct touching {
    int a_kind, a, b_kind, b, nodes[2];
} touching;

enum { MOST = 20000 };
typedef struct touching_list {
    touching items[MOST];
    int count;
} touching_list;

static void add(touching_list *list, int side, abut_entity own, abut_entity other, int from, int to)
{
    abut_entity a = side == 0 ? own : other, b = side == 0 ? other : own;
    assert_true(list->count < MOST);
    list->items[list->count++] = (touching){(int)a.kind, a.index, (int)b.kind, b.index, {from, to}};
}

static int compare_touching(const void *x, const void *y)
{
    const int *p = x, *q = y;
    for (size_t i = 0; i < sizeof(touching) / sizeof(int); ++i) {
        if (p[i] != q[i]) {
            return p[i] < q[i] ? -1 : 1;
        }
    }
    return 0;
}

static abut_vec3 vertex_at(const abut_touch_side *side, int vertex)
{
    return abut_touch_place(side, abut_region_vertex(side->model, vertex));
}

static double edge_distance(const abut_touch_side *side, int edge, abut_vec3 p)
{
    double weight;
    return sqrt(abut_point_segment_distance_squared(p, abut_touch_edge_end(side, edge, 0),
                                                    abut_touch_edge_end(side, edge, 1), &weight));
}

static double face_distance(const abut_touch_side *side, int face, abut_vec3 p)
{
    const abut_brep_face *f = &side->model->brep.faces[face];
    double nearest = HUGE_VAL;
    for (int i = 0; i < f->triangle_count; ++i) {
        const int *corners =
            side->model->elements.triangles + 3 * side->model->brep.face_triangles[f->triangle_begin + i];
        abut_vec3 t[3];
        double weights[3];
        for (int k = 0; k < 3; ++k) {
            t[k] = abut_touch_place(side, side->model->elements.vertices[corners[k]]);
        }
        nearest = fmin(nearest, abut_point_triangle_distance_squared(p, t, weights));
    }
    return sqrt(nearest);
}

/// The nearest edge within the limit, or -1.
static int nearest_edge(const abut_touch_side *side, abut_vec3 p, double limit)
{
    int best = -1;
    for (int i = 0; i < side->model->brep.edge_count; ++i) {
        double distance = edge_distance(side, i, p);
        if (distance <= limit) {
            best = i;
            limit = distance;
        }
    }
    return best;
}

static void expect_vertices(const scene *s, int side, touching_list *list)
{
    const abut_touch_side *own = &s->solids[side].side, *other = &s->solids[1 - side].side;
    const abut_brep_elements *brep = &other->model->brep;
    for (int i = 0; i < own->model->brep.vertex_count; ++i) {
        abut_vec3 p = vertex_at(own, i);
        abut_entity self = {ABUT_ENTITY_VERTEX, i};
        int vertex = -1;
        for (int k = 0; k < brep->vertex_count; ++k) {
            vertex = abut_norm(abut_sub(vertex_at(other, k), p)) <= s->tolerance ? k : vertex;
        }
        int edge = nearest_edge(other, p, s->tolerance);
        if (vertex >= 0) {
            if (side == 0) {
                add(list, side, self, (abut_entity){ABUT_ENTITY_VERTEX, vertex}, 0, 0);
            }
        } else if (edge >= 0) {
            add(list, side, self, (abut_entity){ABUT_ENTITY_EDGE, edge}, 0, 0);
        } else {
            for (int k = 0; k < brep->face_count; ++k) {
                if (face_distance(other, k, p) <= s->tolerance) {
                    add(list, side, self, (abut_entity){ABUT_ENTITY_FACE, k}, 0, 0);
                }
            }
        }
    }
}

static void expect_crossings(const scene *s, touching_list *list)
{
    const abut_touch_side *a = &s->solids[0].side, *b = &s->solids[1].side;
    for (int i = 0; i < a->model->brep.edge_count; ++i) {
        for (int k = 0; k < b->model->brep.edge_count; ++k) {
            abut_vec3 p[2] = {abut_touch_edge_end(a, i, 0), abut_touch_edge_end(a, i, 1)};
            abut_vec3 q[2] = {abut_touch_edge_end(b, k, 0), abut_touch_edge_end(b, k, 1)};
            double x, y;
            double squared = abut_segment_segment_distance_squared(p[0], p[1], q[0], q[1], &x, &y);
            int has_corner = 0;
            for (int end = 0; end < 2; ++end) {
                has_corner |=
                    edge_distance(b, k, p[end]) <= s->tolerance || edge_distance(a, i, q[end]) <= s->tolerance;
            }
            if (squared <= s->tolerance * s->tolerance && !has_corner) {
                add(list, 0, (abut_entity){ABUT_ENTITY_EDGE, i}, (abut_entity){ABUT_ENTITY_EDGE, k}, 0, 0);
            }
        }
    }
}

/// A node on an edge.
typedef struct stop {
    double place;
    int node;
} stop;

static int compare_stops(const void *x, const void *y)
{
    const stop *p = x, *q = y;
    return p->place != q->place ? (p->place < q->place ? -1 : 1) : p->node - q->node;
}

/// The intervals on an edge, by the middles between its nodes.
static void expect_intervals(const scene *s, const abut_touch *touch, int side, int edge, touching_list *list)
{
    static stop stops[MOST];
    const abut_touch_side *own = &s->solids[side].side, *other = &s->solids[1 - side].side;
    abut_vec3 from = abut_touch_edge_end(own, edge, 0), along = abut_sub(abut_touch_edge_end(own, edge, 1), from);
    const int *ends = own->model->brep.edges[edge].vertices;
    int count = 0;
    for (int i = 0; i < touch->node_count; ++i) {
        const abut_touch_node *node = &touch->nodes[i];
        abut_entity entity = side == 0 ? node->a : node->b;
        int end = entity.kind != ABUT_ENTITY_VERTEX ? -1
                  : entity.index == ends[0]         ? 0
                  : entity.index == ends[1]         ? 1
                                                    : -1;
        abut_vec3 point = side == 0 ? node->point_a : node->point_b;
        if (end >= 0 || (entity.kind == ABUT_ENTITY_EDGE && entity.index == edge)) {
            stops[count++] = (stop){end == 0 ? -HUGE_VAL : end == 1 ? HUGE_VAL : abut_dot(along, point), i};
        }
    }
    qsort(stops, (size_t)count, sizeof *stops, compare_stops);
    for (int i = 1; i < count; ++i) {
        const abut_touch_node *x = &touch->nodes[stops[i - 1].node], *y = &touch->nodes[stops[i].node];
        abut_vec3 middle =
            side == 0 ? abut_lerp(x->point_a, y->point_a, 0.5) : abut_lerp(x->point_b, y->point_b, 0.5);
        if (abut_norm(abut_sub(x->point_a, y->point_a)) <= s->tolerance) {
            continue;
        }
        abut_entity self = {ABUT_ENTITY_EDGE, edge};
        int beside = nearest_edge(other, middle, s->tolerance);
        if (beside >= 0 && side == 0) {
            add(list, side, self, (abut_entity){ABUT_ENTITY_EDGE, beside}, stops[i - 1].node, stops[i].node);
        }
        for (int k = 0; k < other->model->brep.face_count && beside < 0; ++k) {
            if (face_distance(other, k, middle) <= s->tolerance) {
                add(list, side, self, (abut_entity){ABUT_ENTITY_FACE, k}, stops[i - 1].node, stops[i].node);
            }
        }
    }
}

static void compare_lists(const char *what, touching_list *found, touching_list *expected)
{
    CHECK(found->count == expected->count, "%d %s, expected %d", found->count, what, expected->count);
    qsort(found->items, (size_t)found->count, sizeof *found->items, compare_touching);
    qsort(expected->items, (size_t)expected->count, sizeof *expected->items, compare_touching);
    for (int i = 0; i < found->count && i < expected->count; ++i) {
        const touching *p = &found->items[i], *q = &expected->items[i];
        if (!CHECK(compare_touching(p, q) == 0, "%s: %d %d and %d %d, expected %d %d and %d %d", what, p->a_kind,
                   p->a, p->b_kind, p->b, q->a_kind, q->a, q->b_kind, q->b)) {
            break;
        }
    }
}

/// Compares a search with the oracle. Returns the number of nodes.
static int check_touch(const scene *s, const abut_touch *touch)
{
    static touching_list found, expected;
    found.count = expected.count = 0;
    for (int i = 0; i < touch->node_count; ++i) {
        const abut_touch_node *node = &touch->nodes[i];
        add(&found, 0, node->a, node->b, 0, 0);
        CHECK(abut_norm(abut_sub(node->point_a, node->point_b)) <= s->tolerance, "node %d: points far apart", i);
    }
    expect_vertices(s, 0, &expected);
    expect_vertices(s, 1, &expected);
    expect_crossings(s, &expected);
    compare_lists("nodes", &found, &expected);
    found.count = expected.count = 0;
    for (int i = 0; i < touch->interval_count; ++i) {
        const abut_touch_interval *interval = &touch->intervals[i];
        add(&found, 0, interval->a, interval->b, interval->nodes[0], interval->nodes[1]);
    }
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < s->solids[side].model->brep.edge_count; ++i) {
            expect_intervals(s, touch, side, i, &expected);
        }
    }
    compare_lists("intervals", &found, &expected);
    return touch->node_count;
}

/// Without touch models the search looks at pairs of triangles. It finds the same, with points that differ by rounding.
static void check_triangles(scene *s, const abut_touch *touch)
{
    abut_touch_model *models[2] = {s->solids[0].model->touch, s->solids[1].model->touch};
    s->solids[0].model->touch = s->solids[1].model->touch = NULL;
    abut_touch by_triangles = find_touch(s);
    s->solids[0].model->touch = models[0];
    s->solids[1].model->touch = models[1];
    CHECK_INT(by_triangles.overlaps, touch->overlaps, "overlaps by triangles");
    CHECK_INT(by_triangles.node_count, touch->node_count, "nodes by triangles");
    CHECK_INT(by_triangles.interval_count, touch->interval_count, "intervals by triangles");
    for (int i = 0; i < touch->node_count && i < by_triangles.node_count; ++i) {
        const abut_touch_node *p = &touch->nodes[i], *q = &by_triangles.nodes[i];
        CHECK(memcmp(&p->a, &q->a, sizeof p->a) == 0 && memcmp(&p->b, &q->b, sizeof p->b) == 0, "node %d differs",
              i);
        CHECK(p->triangle == q->triangle, "node %d: triangle %d, expected %d", i, p->triangle, q->triangle);
        CHECK(abut_norm(abut_sub(p->point_a, q->point_a)) <= 1e-3 * s->tolerance, "node %d: another point", i);
    }
}

/// Whether the solids overlap, by the search or by the analysis of the regions that it found.
static int find_overlap(const abut_touch *touch)
{
    const abut_region_hints hints = {.least_speed = HUGE_VAL};
    abut_region_set set;
    if (touch->overlaps) {
        return 1;
    }
    assert_true(abut_regions_find(touch, &hints, &set));
    return set.overlaps;
}

// ---- scenes

// Solids of unit cubes that touch, are apart or overlap: they overlap exactly if they have a cube in common.
static void test_cubes(void **state)
{
    (void)state;
    test_random random = {61};
    int rounds = sample_count(30, 1000), touching_count = 0, model_count = 0;
    for (int i = 0; i < rounds; ++i) {
        indexed_solid a = i % 2 == 0 ? make_voxel_blob(3, ABUT_CUTS_BALANCED, &random)
                                     : make_indexed_solid(random_below(&random, VOXEL_SOLIDS), ABUT_CUTS_BALANCED);
        indexed_solid b = make_indexed_solid(random_below(&random, VOXEL_SOLIDS), ABUT_CUTS_BALANCED);
        for (int k = 0; k < 5; ++k) {
            abut_vec3 shift = {random_below(&random, 7) - 3, random_below(&random, 7) - 3,
                               random_below(&random, 5) - 2};
            scene s = make_scene(a.mesh, b.mesh, abut_pose_make(shift, abut_quat_identity()), &random);
            abut_touch touch = find_touch(&s);
            int overlaps = has_common_cube(&a, &b, shift);
            CHECK(find_overlap(&touch) == overlaps, "%s and %s at %g %g %g: overlap %d", a.name, b.name, shift.x,
                  shift.y, shift.z, overlaps);
            if (!overlaps) {
                touching_count += check_touch(&s, &touch) > 0;
                check_triangles(&s, &touch);
            }
            model_count += s.solids[0].model->touch != NULL && s.solids[1].model->touch != NULL;
            free_scene(&s);
        }
        free_indexed_solid(&b);
        free_indexed_solid(&a);
    }
    CHECK(touching_count > rounds && model_count > 2 * rounds, "%d touch, %d have models", touching_count,
          model_count);
    CHECK_DONE();
}

// A prism on a cap of another, turned and shifted: caps lie on each other, and their outlines cross. Or sunk by a
// hundredth, or as much above it.
static void test_stacks(void **state)
{
    (void)state;
    test_random random = {62};
    int rounds = sample_count(40, 1000);
    for (int i = 0; i < rounds; ++i) {
        indexed_solid a = make_gear(3 + random_below(&random, 20), ABUT_CUTS_BALANCED);
        indexed_solid b = i % 2 == 0 ? make_gear(3 + random_below(&random, 20), ABUT_CUTS_BALANCED)
                                     : make_indexed_solid(EXACT_SOLIDS, ABUT_CUTS_BALANCED);
        int kind = i % 5; // 3: sunk, 4: above
        abut_vec3 shift = {random_in(&random, -1.0, 1.0), random_in(&random, -1.0, 1.0),
                           kind == 3   ? 0.99
                           : kind == 4 ? 1.01
                                       : 1.0};
        abut_quat turn = abut_quat_from_axis(abut_vec3_make(0, 0, 1), random_in(&random, -3.0, 3.0));
        scene s = make_scene(a.mesh, b.mesh, abut_pose_make(shift, turn), &random);
        abut_touch touch = find_touch(&s);
        if (kind == 3) {
            CHECK_INT(find_overlap(&touch), 1, "sunk");
        } else {
            CHECK_INT(find_overlap(&touch), 0, "on or above the other");
            int count = check_touch(&s, &touch);
            CHECK((count > 0) == (kind != 4), "round %d: %d nodes", i, count);
            check_triangles(&s, &touch);
        }
        free_scene(&s);
        free_indexed_solid(&b);
        free_indexed_solid(&a);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cubes), cmocka_unit_test(test_stacks)};
    return cmocka_run_group_tests_name("touch_oracle", tests, NULL, NULL);
}
