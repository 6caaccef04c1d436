// SPDX-License-Identifier: MIT
// index_solids.c: solids for the tests of the Brep-index, and an exact oracle that locates points
#include "spatial/index_solids.h"

#include "mesh/tessellate.h"
#include "prim/point_triangle.h"
#include "shapes.h"

#include <stdlib.h>

static const abut_vec3 pit_vertices[] = {{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}, {4, 4, 6},
                                         {2, 2, 0}, {6, 2, 0}, {6, 6, 0}, {2, 6, 0}, {4, 4, 2}};
// a square pyramid with a pit in its base that has the shape of a smaller pyramid
static const int pit_polygons[] = {3, 0, 1, 4, 3, 1, 2, 4, 3, 2, 3, 4, 3, 3, 0, 4, 4, 0, 5, 6, 1, 4, 1, 6, 7, 2, 4,
                                   2, 7, 8, 3, 4, 3, 8, 5, 0, 3, 6, 5, 9, 3, 7, 6, 9, 3, 8, 7, 9, 3, 5, 8, 9, 0};

static const abut_vec3 roof_vertices[] = {{0, 0, 0},       {4096, 0, 0},       {4096, 4096, 0},    {0, 4096, 0},
                                          {0, 2048, 1024}, {4096, 2048, 1024}, {4096, 4096, 1020}, {0, 4096, 1020},
                                          {0, 0, 1020},    {4096, 0, 1020}};
// a block with a very flat roof
static const int roof_polygons[] = {4, 0, 3, 2, 1, 4, 4, 8, 9, 5, 4, 4, 5, 6, 7, 5, 0, 8, 4,
                                    7, 3, 5, 1, 2, 6, 5, 9, 4, 0, 1, 9, 8, 4, 2, 3, 7, 6, 0};

static const abut_vec3 tet_vertices[] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
static const int tet_polygons[] = {3, 0, 2, 1, 3, 0, 1, 3, 3, 1, 2, 3, 3, 2, 0, 3, 0};

// Unit cubes; x varies fastest, then y, then z.
static const struct {
    const char *name, *filled;
    int nx, ny, nz;
} voxels[VOXEL_SOLIDS] = {
    {"cube", "#", 1, 1, 1},
    {"L",
     "###"
     "#..",
     3, 2, 1},
    {"through hole",
     "####"
     "#..#"
     "####"
     "####"
     "#..#"
     "####",
     4, 3, 2},
    {"two parts",
     "##.#"
     "##.#",
     4, 2, 1},
    {"cavity",
     "###"
     "###"
     "###"
     "###"
     "#.#"
     "###"
     "###"
     "###"
     "###",
     3, 3, 3},
    {"table",
     "#.#"
     "..."
     "#.#"
     "###"
     "###"
     "###",
     3, 3, 2},
    {"stairs",
     "###"
     "###"
     "##."
     "##."
     "#.."
     "#..",
     3, 2, 3},
    {"comb",
     "#######"
     "#.#.#.#"
     "#.#.#.#",
     7, 3, 1},
};

static indexed_solid finish(const char *name, abut_mesh *mesh, abut_index_cuts cuts)
{
    indexed_solid solid = {name, mesh, NULL, NULL};
    abut_brep_index_params params = abut_brep_index_params_default();
    params.cuts = cuts;
    abut_error error = {.text = ""};
    abut_status status = abut_brep_create(NULL, mesh, NULL, &solid.brep, &error);
    if (status == ABUT_OK) {
        status = abut_brep_index_create(NULL, solid.brep, &params, &solid.index, &error);
    }
    if (status != ABUT_OK) {
        fail_msg("%s: %s", name, error.text);
    }
    return solid;
}

static test_solid make_plain(int which, const char **name)
{
    if (which < VOXEL_SOLIDS) {
        *name = voxels[which].name;
        return solid_from_voxels(voxels[which].filled, voxels[which].nx, voxels[which].ny, voxels[which].nz);
    }
    switch (which) {
    case VOXEL_SOLIDS: *name = "pyramid with a pit"; return solid_from_polygons(pit_vertices, 10, pit_polygons);
    case VOXEL_SOLIDS + 1: *name = "flat roof"; return solid_from_polygons(roof_vertices, 10, roof_polygons);
    case VOXEL_SOLIDS + 2: *name = "tetrahedron"; return solid_from_polygons(tet_vertices, 4, tet_polygons);
    default: *name = "prism"; return solid_prism(40);
    }
}

static abut_mesh *make_grid_mesh(abut_vec3 *vertices, int vertex_count, int *triangles, int triangle_count)
{
    abut_mesh *mesh = make_triangles(NULL, vertices, vertex_count, triangles, triangle_count);
    free(triangles);
    free(vertices);
    return mesh;
}

// A torus of radii 1 and 0.4, with `ripple` times random changes of the small radius.
static abut_mesh *make_torus(int around, int across, double ripple)
{
    test_random random = {77};
    int count = around * across;
    abut_vec3 *vertices = malloc((size_t)count * sizeof *vertices);
    int *triangles = malloc((size_t)count * 6 * sizeof *triangles);
    assert_non_null(vertices);
    assert_non_null(triangles);
    for (int i = 0; i < count; ++i) {
        int a = i / across, b = i % across;
        double u = 6.283185307179586 * a / around, v = 6.283185307179586 * b / across;
        double small = 0.4 * (1.0 + ripple * random_in(&random, -1.0, 1.0)), radius = 1.0 + small * cos(v);
        vertices[i] = abut_vec3_make(radius * cos(u), radius * sin(u), small * sin(v));
        int next_a = (a + 1) % around * across, next_b = (b + 1) % across;
        const int quad[6] = {i, next_a + b, next_a + next_b, i, next_a + next_b, a * across + next_b};
        memcpy(triangles + (size_t)i * 6, quad, sizeof quad);
    }
    return make_grid_mesh(vertices, count, triangles, 2 * count);
}

// A star: points on a sphere, triangulated as their convex hull, then moved to random radii.
static abut_mesh *make_star(int count)
{
    test_random random = {78};
    abut_vec3 *points = malloc((size_t)count * sizeof *points);
    assert_non_null(points);
    for (int i = 0; i < count; ++i) {
        points[i] = random_unit(&random);
    }
    abut_mesh *hull = NULL;
    abut_error error;
    assert_int_equal(abut_hull_create(NULL, points, count, &hull, NULL, &error), ABUT_OK);
    abut_mesh_elements elements = abut_mesh_get_elements(hull);
    int *triangles = malloc((size_t)elements.triangle_count * 3 * sizeof *triangles);
    assert_non_null(triangles);
    memcpy(triangles, elements.triangles, (size_t)elements.triangle_count * 3 * sizeof *triangles);
    for (int i = 0; i < elements.vertex_count; ++i) {
        points[i] = abut_scale(random_in(&random, 0.3, 1.0), elements.vertices[i]);
    }
    abut_mesh *star = make_grid_mesh(points, elements.vertex_count, triangles, elements.triangle_count);
    abut_mesh_destroy(hull);
    return star;
}

indexed_solid make_indexed_solid(int which, abut_index_cuts cuts)
{
    switch (which) {
    case EXACT_SOLIDS + 1: return finish("torus", make_torus(24, 12, 0.0), cuts);
    case EXACT_SOLIDS + 2: return finish("rippled torus", make_torus(16, 8, 0.5), cuts);
    case EXACT_SOLIDS + 3: return finish("star", make_star(60), cuts);
    default: break;
    }
    const char *name;
    test_solid plain = make_plain(which, &name);
    indexed_solid solid = finish(name, solid_mesh(&plain, ABUT_PRECISION_DOUBLE), cuts);
    solid_free(&plain);
    return solid;
}

indexed_solid make_moved_solid(int which, abut_index_cuts cuts, test_random *random)
{
    assert_true(which <= EXACT_SOLIDS);
    const char *name;
    test_solid plain = make_plain(which, &name);
    solid_tessellate(&plain, random, 40, 40);
    solid_shuffle(&plain, random);
    double scale = exp(random_in(random, -6.0, 6.0));
    abut_pose pose = abut_pose_make(random_vec3(random, 100.0 * scale), random_rotation(random));
    solid_move(&plain, scale, pose);
    indexed_solid solid = finish(name, solid_mesh(&plain, ABUT_PRECISION_DOUBLE), cuts);
    solid_free(&plain);
    return solid;
}

// The mesh of unit cubes, or NULL if there are none or the surface is not a manifold.
static abut_mesh *make_voxel_mesh(const char *filled, int n)
{
    if (strchr(filled, '#') == NULL) {
        return NULL;
    }
    test_solid plain = solid_from_voxels(filled, n, n, n);
    abut_mesh *mesh = solid_mesh(&plain, ABUT_PRECISION_DOUBLE);
    solid_free(&plain);
    abut_mesh_info info = abut_mesh_get_info(mesh);
    if (!info.is_closed || !info.is_oriented || info.non_manifold_vertex_count > 0) {
        abut_mesh_destroy(mesh);
        return NULL;
    }
    return mesh;
}

indexed_solid make_voxel_blob(int n, abut_index_cuts cuts, test_random *random)
{
    char filled[512];
    int count = n * n * n;
    assert_true(count < (int)sizeof filled);
    memset(filled, '#', (size_t)count);
    filled[count] = '\0';
    abut_mesh *mesh = make_voxel_mesh(filled, n);
    // keep flips that leave a manifold
    for (int i = 0; i < 2 * count; ++i) {
        int k = random_below(random, count);
        filled[k] = filled[k] == '#' ? '.' : '#';
        abut_mesh *flipped = make_voxel_mesh(filled, n);
        if (flipped == NULL) {
            filled[k] = filled[k] == '#' ? '.' : '#';
        } else {
            abut_mesh_destroy(mesh);
            mesh = flipped;
        }
    }
    return finish("blob", mesh, cuts);
}

indexed_solid make_sphere(int slices, int stacks, abut_index_cuts cuts)
{
    const double pi = 3.14159265358979323846;
    int ring_count = stacks - 1, vertex_count = 2 + ring_count * slices, last = vertex_count - 1;
    abut_vec3 *vertices = malloc((size_t)vertex_count * sizeof *vertices);
    int *faces = malloc((size_t)(slices * stacks) * 4 * sizeof *faces);
    int *offsets = malloc((size_t)(slices * stacks + 1) * sizeof *offsets);
    assert_true(vertices != NULL && faces != NULL && offsets != NULL);
    vertices[0] = abut_vec3_make(0.0, 0.0, 1.0);
    vertices[last] = abut_vec3_make(0.0, 0.0, -1.0);
    offsets[0] = 0;
    for (int i = 0; i < slices * stacks; ++i) {
        int stack = i / slices, k = i % slices, next = (k + 1) % slices, *face = faces + offsets[i];
        int upper = 1 + (stack - 1) * slices, lower = 1 + stack * slices, count = 0;
        if (stack < ring_count) {
            double a = pi * (stack + 1) / stacks, b = 2.0 * pi * k / slices;
            vertices[lower + k] = abut_vec3_make(sin(a) * cos(b), sin(a) * sin(b), cos(a));
            face[count++] = lower + k;
            face[count++] = lower + next;
        } else {
            face[count++] = last;
        }
        if (stack > 0) {
            face[count++] = upper + next;
            face[count++] = upper + k;
        } else {
            face[count++] = 0;
        }
        offsets[i + 1] = offsets[i] + count;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = slices * stacks;
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, &error), ABUT_OK);
    free(offsets);
    free(faces);
    free(vertices);
    return finish("sphere", mesh, cuts);
}

indexed_solid make_gear(int teeth, abut_index_cuts cuts)
{
    int n = 2 * teeth;
    abut_vec3 *vertices = malloc((size_t)n * 2 * sizeof *vertices);
    int *faces = malloc((size_t)n * 6 * sizeof *faces), *offsets = malloc((size_t)(n + 3) * sizeof *offsets);
    assert_true(vertices != NULL && faces != NULL && offsets != NULL);
    for (int i = 0; i < n; ++i) {
        double angle = 6.283185307179586 * i / n, radius = i % 2 ? 0.8 : 1.0;
        vertices[i] = abut_vec3_make(radius * cos(angle), radius * sin(angle), 0.0);
        vertices[n + i] = abut_vec3_make(vertices[i].x, vertices[i].y, 1.0);
        const int side[4] = {i, (i + 1) % n, n + (i + 1) % n, n + i};
        memcpy(faces + (size_t)i * 4, side, sizeof side);
        offsets[i] = 4 * i;
        faces[4 * n + i] = n - 1 - i;
        faces[5 * n + i] = n + i;
    }
    offsets[n] = 4 * n;
    offsets[n + 1] = 5 * n;
    offsets[n + 2] = 6 * n;
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2 * n;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = n + 2;
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, &error), ABUT_OK);
    free(offsets);
    free(faces);
    free(vertices);
    return finish("gear", mesh, cuts);
}

void free_indexed_solid(indexed_solid *solid)
{
    abut_brep_index_destroy(solid->index);
    abut_brep_destroy(solid->brep);
    abut_mesh_destroy(solid->mesh);
}

static int orient(const abut_vec3 *t, abut_vec3 p)
{
    int sign;
    assert_int_equal(abut_orient3d(t[0], t[1], t[2], p, &sign), ABUT_OK);
    return sign;
}

static int is_equal(abut_vec3 a, abut_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Exact test for the closed segment: collinear in all three projections, and between the ends.
static int is_on_segment(abut_vec3 a, abut_vec3 b, abut_vec3 p)
{
    int xy, yz, zx;
    assert_int_equal(abut_orient2d((abut_vec2){a.x, a.y}, (abut_vec2){b.x, b.y}, (abut_vec2){p.x, p.y}, &xy),
                     ABUT_OK);
    assert_int_equal(abut_orient2d((abut_vec2){a.y, a.z}, (abut_vec2){b.y, b.z}, (abut_vec2){p.y, p.z}, &yz),
                     ABUT_OK);
    assert_int_equal(abut_orient2d((abut_vec2){a.z, a.x}, (abut_vec2){b.z, b.x}, (abut_vec2){p.z, p.x}, &zx),
                     ABUT_OK);
    abut_vec3 lower = abut_min(a, b), upper = abut_max(a, b);
    return xy == 0 && yz == 0 && zx == 0 && lower.x <= p.x && p.x <= upper.x && lower.y <= p.y && p.y <= upper.y &&
           lower.z <= p.z && p.z <= upper.z;
}

// Tests whether a point of the triangle's plane is in the closed triangle: on the inner side of three planes, each
// through a side and `off`. Any point off the plane will do as `off`.
static int is_in_triangle(const abut_vec3 *t, abut_vec3 p)
{
    abut_vec3 normal = abut_cross(abut_sub(t[1], t[0]), abut_sub(t[2], t[0])), off = abut_add(t[0], normal);
    int has_left = 0, has_right = 0;
    for (int k = 0; k < 3; ++k) {
        abut_vec3 side[3] = {t[k], t[(k + 1) % 3], off};
        int sign = orient(side, p);
        has_left |= sign > 0;
        has_right |= sign < 0;
    }
    return !(has_left && has_right);
}

static void get_triangle(const indexed_solid *solid, int triangle, abut_vec3 corners[3])
{
    abut_mesh_elements mesh = abut_mesh_get_elements(solid->mesh);
    for (int k = 0; k < 3; ++k) {
        corners[k] = mesh.vertices[mesh.triangles[3 * triangle + k]];
    }
}

// The entity of a point in a closed triangle.
static abut_location entity_at(const indexed_solid *solid, int triangle, const abut_vec3 *t, abut_vec3 p)
{
    abut_brep_elements brep = abut_brep_get_elements(solid->brep);
    const int *corners = abut_mesh_get_elements(solid->mesh).triangles + 3 * triangle;
    const int *edges = abut_mesh_get_topology(solid->mesh).triangle_edges + 3 * triangle;
    for (int k = 0; k < 3; ++k) {
        if (is_equal(t[k], p) && brep.mesh_vertex_vertices[corners[k]] >= 0) {
            return (abut_location){ABUT_PLACE_VERTEX, brep.mesh_vertex_vertices[corners[k]]};
        }
    }
    for (int k = 0; k < 3; ++k) {
        if (brep.mesh_edge_edges[edges[k]] >= 0 && is_on_segment(t[k], t[(k + 1) % 3], p)) {
            return (abut_location){ABUT_PLACE_EDGE, brep.mesh_edge_edges[edges[k]]};
        }
    }
    return (abut_location){ABUT_PLACE_FACE, brep.triangle_faces[triangle]};
}

// Returns 1 if the segment p q crosses a triangle, 0 if not, -1 if it meets the border. Neither end is on its plane.
static int crosses(const abut_vec3 *t, abut_vec3 p, abut_vec3 q)
{
    int sum = 0;
    for (int k = 0; k < 3; ++k) {
        abut_vec3 plane[3] = {p, q, t[k]};
        int sign = orient(plane, t[(k + 1) % 3]);
        if (sign == 0) {
            return -1;
        }
        sum += sign;
    }
    return sum == 3 || sum == -3;
}

abut_location locate_exactly(const indexed_solid *solid, abut_vec3 point)
{
    abut_mesh_elements mesh = abut_mesh_get_elements(solid->mesh);
    abut_location on = {ABUT_PLACE_OUTSIDE, -1};
    double size = abut_box_diagonal(mesh.bounds);
    for (int attempt = 0; attempt < 20; ++attempt) {
        test_random random = {(uint64_t)attempt + 5};
        abut_vec3 far = abut_add_scaled(abut_box_center(mesh.bounds), 10.0 * size, random_unit(&random));
        int parity = 0, is_clear = 1;
        for (int i = 0; i < mesh.triangle_count && is_clear; ++i) {
            abut_vec3 t[3];
            get_triangle(solid, i, t);
            int near_sign = orient(t, point);
            if (near_sign == 0) {
                if (is_in_triangle(t, point)) {
                    abut_location found = entity_at(solid, i, t, point);
                    // a vertex takes precedence over an edge, and an edge over a face
                    on = on.entity < 0 || found.place < on.place ? found : on;
                }
                continue;
            }
            int far_sign = orient(t, far);
            int crossed = near_sign == far_sign ? 0 : far_sign == 0 ? -1 : crosses(t, point, far);
            is_clear = crossed >= 0;
            parity ^= crossed == 1;
        }
        if (on.entity >= 0 && is_clear) {
            return on;
        }
        if (is_clear) {
            return (abut_location){parity ? ABUT_PLACE_INSIDE : ABUT_PLACE_OUTSIDE, -1};
        }
    }
    fail_msg("%s: no ray avoids all edges", solid->name);
    return on;
}

double distance_to_surface(const indexed_solid *solid, abut_vec3 point)
{
    double nearest = HUGE_VAL;
    for (int i = 0; i < abut_mesh_get_elements(solid->mesh).triangle_count; ++i) {
        abut_vec3 t[3];
        get_triangle(solid, i, t);
        double weights[3];
        nearest = fmin(nearest, abut_point_triangle_distance_squared(point, t, weights));
    }
    return sqrt(nearest);
}

int has_common_cube(const indexed_solid *a, const indexed_solid *b, abut_vec3 shift)
{
    abut_box box = abut_mesh_get_elements(b->mesh).bounds;
    for (double x = box.lower.x + 0.5; x < box.upper.x; x += 1.0) {
        for (double y = box.lower.y + 0.5; y < box.upper.y; y += 1.0) {
            for (double z = box.lower.z + 0.5; z < box.upper.z; z += 1.0) {
                abut_vec3 p = abut_vec3_make(x, y, z);
                if (locate_exactly(b, p).place == ABUT_PLACE_INSIDE &&
                    locate_exactly(a, abut_add(p, shift)).place == ABUT_PLACE_INSIDE) {
                    return 1;
                }
            }
        }
    }
    return 0;
}
