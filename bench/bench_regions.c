// SPDX-License-Identifier: MIT
// bench_regions.c: time of a query of two solids that touch, and how it grows with the meshes and with the contact
//
// Scenes: bricks of a wall, upright and rotated; two of the fundamental cases; boxes on a slab, where the contact
// grows; and rough boxes, where the meshes grow and the contact does not: the touching face has two triangles, the
// opposite face a million. Sliding and parting bricks show what culling saves. Queries have no memory, except for
// the brick at rest, whose memory knows that it did not move. Then boxes in stacks and piles (bench_boxes.c), series of
// growing scenes (regions_growth.c), and the preparation of shapes (regions_preparation.c).
#include "bench_boxes.h"
#include "groups.h"
#include "regions_scene.h"
#include "torus.h"

#include <abut-lab/case.h>
#include <stdlib.h>

static const abut_vec3 brick_half = {0.3125, 0.2, 0.25};

static int measure_both(bench_report *report, const bench_options *options, regions_scene *s, const char *name)
{
    static const char *const methods[] = {"regions", "intersection"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        if (!regions_scene_prepare(s, abut_method_find(methods[i])) ||
            !regions_scene_measure(report, options, s, name, methods[i])) {
            return 0;
        }
    }
    return 1;
}

static int make_mesh(const abut_vec3 *vertices, int vertex_count, const int *triangles, int triangle_count,
                     abut_mesh **mesh)
{
    abut_mesh_def def = bench_triangle_def(vertices, vertex_count, triangles, triangle_count);
    abut_error error;
    return abut_mesh_create(NULL, &def, mesh, &error) == ABUT_OK || bench_fail("%s", error.text);
}

// A grid of count x count boxes, a box's width apart, with their lower sides in one plane.
static int make_boxes(int count, abut_vec3 half, abut_mesh **mesh)
{
    static const int box[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    size_t boxes = (size_t)count * (size_t)count;
    abut_vec3 *vertices = malloc(boxes * 8 * sizeof *vertices);
    int *triangles = malloc(boxes * 36 * sizeof *triangles);
    int done = vertices != NULL && triangles != NULL ? 1 : bench_fail("out of memory");
    for (size_t i = 0; done && i < boxes; ++i) {
        double x = 4.0 * half.x * ((double)(i % (size_t)count) - 0.5 * (count - 1));
        double y = 4.0 * half.y * ((double)(i / (size_t)count) - 0.5 * (count - 1));
        for (int k = 0; k < 8; ++k) {
            vertices[8 * i + (size_t)k] = abut_vec3_make(x + (k & 1 ? half.x : -half.x),
                                                         y + (k & 2 ? half.y : -half.y), k & 4 ? half.z : -half.z);
        }
        for (int k = 0; k < 36; ++k) {
            triangles[36 * i + (size_t)k] = box[k] + 8 * (int)i;
        }
    }
    done = done && make_mesh(vertices, (int)boxes * 8, triangles, (int)boxes * 12, mesh);
    free(triangles);
    free(vertices);
    return done;
}

// Brick on brick, the upper one shifted by half a length and rotated about the vertical.
static int measure_bricks(bench_report *report, const bench_options *options, const char *name, double angle)
{
    if (!bench_wants(options, name, NULL)) {
        return 1;
    }
    regions_scene s = regions_scene_start();
    int done = make_boxes(1, brick_half, &s.meshes[0]);
    s.meshes[1] = s.meshes[0];
    s.pair.b.pose.position = abut_vec3_make(brick_half.x, 0.0, 2.0 * brick_half.z);
    s.pair.b.pose.rotation = abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), angle);
    done = done && measure_both(report, options, &s, name);
    regions_scene_end(&s);
    return done;
}

// Brick on brick with a memory; nothing moves.
static int measure_rest(bench_report *report, const bench_options *options, const char *name)
{
    if (!bench_wants(options, name, NULL)) {
        return 1;
    }
    regions_scene s = regions_scene_start();
    int done = make_boxes(1, brick_half, &s.meshes[0]);
    s.meshes[1] = s.meshes[0];
    s.pair.b.pose.position = abut_vec3_make(brick_half.x, 0.0, 2.0 * brick_half.z);
    done = done && regions_scene_prepare(&s, abut_method_find("regions")) && regions_scene_remember(&s) &&
           regions_scene_measure(report, options, &s, name, "regions");
    regions_scene_end(&s);
    return done;
}

static int measure_case(bench_report *report, const bench_options *options, const char *name)
{
    if (!bench_wants(options, name, NULL)) {
        return 1;
    }
    abut_error error;
    abut_case *fundamental = NULL;
    if (abut_case_create(NULL, name, NULL, &fundamental, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    regions_scene s = regions_scene_start();
    abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    s.meshes[0] = fundamental->a.mesh;
    s.meshes[1] = fundamental->b.mesh;
    s.pair = abut_case_pair(fundamental, touching, NULL, NULL);
    int done = measure_both(report, options, &s, name);
    s.meshes[0] = s.meshes[1] = NULL; // the case's
    regions_scene_end(&s);
    abut_case_destroy(fundamental);
    return done;
}

// Boxes that stand on a slab: four contacts each.
static int measure_contact(bench_report *report, const bench_options *options, const char *name, int count)
{
    if (!bench_wants(options, name, NULL)) {
        return 1;
    }
    regions_scene s = regions_scene_start();
    abut_vec3 box = abut_vec3_make(0.1, 0.1, 0.1), slab = abut_vec3_make(0.25 * count, 0.25 * count, 0.1);
    int done = make_boxes(count, box, &s.meshes[0]) && make_boxes(1, slab, &s.meshes[1]);
    s.pair.b.pose.position = abut_vec3_make(0.013, 0.017, -0.2);
    done = done && measure_both(report, options, &s, name);
    regions_scene_end(&s);
    return done;
}

// The corners of a box's side that is n x n quads: a grid at the bottom (z = -0.5), rough inside, flat at its border.
static void fill_grid(int n, abut_vec3 *vertices)
{
    for (int i = 0; i <= n; ++i) {
        for (int k = 0; k <= n; ++k) {
            int is_inner = i > 0 && i < n && k > 0 && k < n;
            double bump = is_inner ? 0.2 / n * sin(12.9898 * i + 78.233 * k) : 0.0;
            vertices[i * (n + 1) + k] = abut_vec3_make((double)i / n - 0.5, (double)k / n - 0.5, -0.5 + bump);
        }
    }
}

static int *add_triangle(int *end, int a, int b, int c)
{
    end[0] = a;
    end[1] = b;
    end[2] = c;
    return end + 3;
}

// The vertex of the grid's border that is `step` of n steps along side `side`, counter-clockwise seen from above.
static int border_vertex(int n, int side, int step)
{
    const int i[4] = {step, n, n - step, 0}, k[4] = {0, step, n, n - step};
    return i[side] * (n + 1) + k[side];
}

// A box with 2 n^2 triangles in the bottom and two in the top. A belt separates the many triangles of the sides
// from the top.
static int make_rough_box(int n, abut_mesh **mesh)
{
    int grid = (n + 1) * (n + 1), belt = grid, top = grid + 4, triangle_count = 2 * n * n + 4 * (n + 1) + 10;
    abut_vec3 *vertices = malloc(((size_t)grid + 8) * sizeof *vertices);
    int *triangles = malloc((size_t)triangle_count * 3 * sizeof *triangles);
    int done = vertices != NULL && triangles != NULL ? 1 : bench_fail("out of memory");
    if (done) {
        int *end = triangles;
        fill_grid(n, vertices);
        for (int side = 0; side < 4; ++side) {
            abut_vec3 corner = vertices[border_vertex(n, side, 0)];
            int next = (side + 1) % 4;
            vertices[belt + side] = abut_vec3_make(corner.x, corner.y, 0.0);
            vertices[top + side] = abut_vec3_make(corner.x, corner.y, 0.5);
            end = add_triangle(end, belt + side, belt + next, top + next);
            end = add_triangle(end, belt + side, top + next, top + side);
            end = add_triangle(end, belt + side, border_vertex(n, next, 0), belt + next);
            for (int step = 0; step < n; ++step) {
                end =
                    add_triangle(end, belt + side, border_vertex(n, side, step), border_vertex(n, side, step + 1));
            }
        }
        end = add_triangle(end, top, top + 1, top + 2);
        end = add_triangle(end, top, top + 2, top + 3);
        for (int i = 0; i < n * n; ++i) {
            int at = i / n * (n + 1) + i % n;
            end = add_triangle(end, at, at + 1, at + n + 2);
            end = add_triangle(end, at, at + n + 2, at + n + 1);
        }
        done = make_mesh(vertices, grid + 8, triangles, triangle_count, mesh);
    }
    free(triangles);
    free(vertices);
    return done;
}

// Two rough boxes, top on top, shifted by a third.
static int measure_growth(bench_report *report, const bench_options *options, const char *name, int n)
{
    if (!bench_wants(options, name, NULL)) {
        return 1;
    }
    regions_scene s = regions_scene_start();
    int done = make_rough_box(n, &s.meshes[0]);
    s.meshes[1] = s.meshes[0];
    s.pair.b.pose.position = abut_vec3_make(1.0 / 3.0, 0.0, 1.0);
    s.pair.b.pose.rotation = abut_quat_make(0.0, 1.0, 0.0, 0.0);
    s.params.tolerance = abut_absolute(1e-6);
    done = done && measure_both(report, options, &s, name);
    regions_scene_end(&s);
    return done;
}

// Moving boxes on a slab, with culling off and on.
static int measure_culling(bench_report *report, const bench_options *options, const char *name, abut_vec3 velocity)
{
    if (!bench_wants(options, name, NULL)) {
        return 1;
    }
    static const char *const subjects[] = {"regions", "regions, culling"};
    regions_scene s = regions_scene_start();
    abut_option option = {.name = "culling"};
    int done = make_boxes(1, brick_half, &s.meshes[0]);
    s.meshes[1] = s.meshes[0];
    s.pair.b.pose.position = abut_vec3_make(brick_half.x, 0.0, 2.0 * brick_half.z);
    s.pair.b.linear_velocity = velocity;
    s.pair.dt = 0.01;
    for (int i = 0; i < 2 && done; ++i) {
        option.value = i;
        s.params.options = &option;
        s.params.option_count = 1;
        done = regions_scene_prepare(&s, abut_method_find("regions")) &&
               regions_scene_measure(report, options, &s, name, subjects[i]);
    }
    regions_scene_end(&s);
    return done;
}

int bench_regions(bench_report *report, const bench_options *options)
{
    static const struct {
        const char *name;
        int size, is_large;
    } contacts[] = {{"100 boxes on slab", 10, 0}, {"2,500 boxes on slab", 50, 0}},
      growth[] = {{"rough box 20", 1, 0},   {"rough box 100", 5, 0},    {"rough box 1k", 21, 0},
                  {"rough box 10k", 70, 0}, {"rough box 100k", 223, 1}, {"rough box 1m", 707, 1}};
    int done = measure_bricks(report, options, "brick on brick", 0.0) &&
               measure_bricks(report, options, "brick, turned by 0.3", 0.3) &&
               measure_rest(report, options, "brick, at rest") && measure_case(report, options, "spike-in-hole") &&
               measure_case(report, options, "cliff-edges") &&
               measure_culling(report, options, "brick, sliding", abut_vec3_make(1.0, 0.0, 0.0)) &&
               measure_culling(report, options, "brick, parting", abut_vec3_make(0.0, 0.0, 1.0));
    done = done && bench_boxes(report, options);
    for (size_t i = 0; i < sizeof contacts / sizeof contacts[0] && done; ++i) {
        done = measure_contact(report, options, contacts[i].name, contacts[i].size);
    }
    for (size_t i = 0; i < sizeof growth / sizeof growth[0] && done; ++i) {
        if (!growth[i].is_large || options->is_large) {
            done = measure_growth(report, options, growth[i].name, growth[i].size);
        }
    }
    return done && bench_regions_growth(report, options) && bench_regions_preparation(report, options);
}
