// SPDX-License-Identifier: MIT
// tessellate.c: solids, and random tessellations of them
#include "mesh/tessellate.h"

#include "check.h"

#include <abut/brep.h>

#include <stdlib.h>

static void *resize(void *items, int count, size_t item_size)
{
    void *resized = realloc(items, (size_t)count * item_size);
    assert_non_null(resized);
    return resized;
}

static int add_vertex(test_solid *solid, abut_vec3 p)
{
    if (solid->vertex_count == solid->vertex_capacity) {
        solid->vertex_capacity = 2 * solid->vertex_capacity + 16;
        solid->vertices = resize(solid->vertices, solid->vertex_capacity, sizeof *solid->vertices);
    }
    solid->vertices[solid->vertex_count] = p;
    return solid->vertex_count++;
}

static void set_triangle(test_solid *solid, int triangle, int a, int b, int c)
{
    solid->triangles[3 * triangle] = a;
    solid->triangles[3 * triangle + 1] = b;
    solid->triangles[3 * triangle + 2] = c;
}

static void add_triangle(test_solid *solid, int a, int b, int c, int plane)
{
    if (solid->triangle_count == solid->triangle_capacity) {
        solid->triangle_capacity = 2 * solid->triangle_capacity + 16;
        solid->triangles = resize(solid->triangles, solid->triangle_capacity, 3 * sizeof(int));
        solid->planes = resize(solid->planes, solid->triangle_capacity, sizeof(int));
    }
    set_triangle(solid, solid->triangle_count, a, b, c);
    solid->planes[solid->triangle_count++] = plane;
}

static abut_vec3 corner(const test_solid *solid, int triangle, int k)
{
    return solid->vertices[solid->triangles[3 * triangle + k]];
}

static abut_vec3 normal_of(const test_solid *solid, int triangle)
{
    abut_vec3 a = corner(solid, triangle, 0);
    return abut_cross(abut_sub(corner(solid, triangle, 1), a), abut_sub(corner(solid, triangle, 2), a));
}

// Gives each triangle the number of the first one in its plane. Exact for small integers.
static void number_planes(test_solid *solid)
{
    for (int i = 0; i < solid->triangle_count; ++i) {
        abut_vec3 normal = normal_of(solid, i);
        solid->planes[i] = i;
        for (int k = i - 1; k >= 0; --k) {
            abut_vec3 other = normal_of(solid, k);
            if (abut_norm_squared(abut_cross(normal, other)) == 0.0 && abut_dot(normal, other) > 0.0 &&
                abut_dot(normal, abut_sub(corner(solid, k, 0), corner(solid, i, 0))) == 0.0) {
                solid->planes[i] = solid->planes[k];
            }
        }
    }
}

test_solid solid_from_polygons(const abut_vec3 *vertices, int vertex_count, const int *polygons)
{
    int offsets[256] = {0}, faces[1024], face_count = 0;
    for (const int *polygon = polygons; *polygon != 0; polygon += *polygon + 1) {
        int begin = offsets[face_count];
        memcpy(faces + begin, polygon + 1, (size_t)*polygon * sizeof(int));
        offsets[++face_count] = begin + *polygon;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = face_count;
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    test_solid solid = {0};
    for (int i = 0; i < vertex_count; ++i) {
        add_vertex(&solid, vertices[i]);
    }
    for (int i = 0; i < elements.triangle_count; ++i) {
        const int *t = elements.triangles + 3 * i;
        add_triangle(&solid, t[0], t[1], t[2], 0);
    }
    abut_mesh_destroy(mesh);
    number_planes(&solid);
    return solid;
}

static int is_filled(const char *filled, const int size[3], const int cell[3])
{
    for (int k = 0; k < 3; ++k) {
        if (cell[k] < 0 || cell[k] >= size[k]) {
            return 0;
        }
    }
    return filled[cell[0] + size[0] * (cell[1] + size[1] * cell[2])] == '#';
}

static int find_or_add_vertex(test_solid *solid, const int cell[3])
{
    for (int i = 0; i < solid->vertex_count; ++i) {
        abut_vec3 p = solid->vertices[i];
        if (p.x == cell[0] && p.y == cell[1] && p.z == cell[2]) {
            return i;
        }
    }
    return add_vertex(solid, abut_vec3_make(cell[0], cell[1], cell[2]));
}

// The square of a cell towards +-`axis`, counter-clockwise from outside.
static void add_square(test_solid *solid, const int cell[3], int axis, int is_upper)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3, square[4];
    for (int i = 0; i < 4; ++i) {
        int p[3] = {cell[0], cell[1], cell[2]};
        p[axis] += is_upper;
        p[u] += i == 1 || i == 2;
        p[v] += i >= 2;
        square[is_upper ? i : 3 - i] = find_or_add_vertex(solid, p);
    }
    add_triangle(solid, square[0], square[1], square[2], 0);
    add_triangle(solid, square[0], square[2], square[3], 0);
}

test_solid solid_from_voxels(const char *filled, int nx, int ny, int nz)
{
    const int size[3] = {nx, ny, nz};
    test_solid solid = {0};
    for (int i = 0; i < nx * ny * nz; ++i) {
        const int cell[3] = {i % nx, i / nx % ny, i / nx / ny};
        for (int side = 0; side < 6 && is_filled(filled, size, cell); ++side) {
            int beside[3] = {cell[0], cell[1], cell[2]};
            beside[side / 2] += side % 2 ? 1 : -1;
            if (!is_filled(filled, size, beside)) {
                add_square(&solid, cell, side / 2, side % 2);
            }
        }
    }
    number_planes(&solid);
    return solid;
}

test_solid solid_prism(int side_count)
{
    test_solid solid = {0};
    for (int i = 0; i < 2 * side_count; ++i) {
        double angle = 2.0 * 3.14159265358979323846 * (i / 2) / side_count;
        add_vertex(&solid, abut_vec3_make(cos(angle), sin(angle), i % 2));
    }
    for (int i = 0; i < side_count; ++i) {
        int a = 2 * i, b = 2 * ((i + 1) % side_count);
        add_triangle(&solid, a, b, b + 1, i);
        add_triangle(&solid, a, b + 1, a + 1, i);
        if (i >= 1 && i + 1 < side_count) {
            add_triangle(&solid, 0, b, a, side_count);
            add_triangle(&solid, 1, a + 1, b + 1, side_count + 1);
        }
    }
    return solid;
}

test_solid solid_disc(int side_count)
{
    test_solid solid = {0};
    for (int i = 0; i < side_count; ++i) {
        double angle = 2.0 * 3.14159265358979323846 * i / side_count;
        add_vertex(&solid, abut_vec3_make(cos(angle), sin(angle), 0.0));
    }
    for (int i = 1; i + 1 < side_count; ++i) {
        add_triangle(&solid, 0, i, i + 1, 0);
    }
    return solid;
}

test_solid solid_from_mesh(const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_brep *brep = NULL;
    assert_int_equal(abut_brep_create(NULL, mesh, NULL, &brep, NULL), ABUT_OK);
    test_solid solid = {0};
    // a mesh of tetrahedra may have inner vertices, which the surface does not use
    solid.vertex_count = solid.vertex_capacity = elements.vertex_count;
    solid.triangle_count = solid.triangle_capacity = elements.triangle_count;
    solid.vertices = malloc((size_t)elements.vertex_count * sizeof *solid.vertices);
    solid.triangles = malloc((size_t)elements.triangle_count * 3 * sizeof *solid.triangles);
    solid.planes = malloc((size_t)elements.triangle_count * sizeof *solid.planes);
    memcpy(solid.vertices, elements.vertices, (size_t)elements.vertex_count * sizeof *solid.vertices);
    memcpy(solid.triangles, elements.triangles, (size_t)elements.triangle_count * 3 * sizeof *solid.triangles);
    memcpy(solid.planes, abut_brep_get_elements(brep).triangle_faces,
           (size_t)elements.triangle_count * sizeof *solid.planes);
    abut_brep_destroy(brep);
    return solid;
}

test_solid solid_copy(const test_solid *solid)
{
    test_solid copy = {0};
    for (int i = 0; i < solid->vertex_count; ++i) {
        add_vertex(&copy, solid->vertices[i]);
    }
    for (int i = 0; i < solid->triangle_count; ++i) {
        const int *t = solid->triangles + 3 * i;
        add_triangle(&copy, t[0], t[1], t[2], solid->planes[i]);
    }
    return copy;
}

void solid_free(test_solid *solid)
{
    free(solid->vertices);
    free(solid->triangles);
    free(solid->planes);
    memset(solid, 0, sizeof *solid);
}

// Puts a vertex on the edge between two vertices and cuts every triangle there into two.
static void split_edge(test_solid *solid, int a, int b, double t)
{
    int middle = add_vertex(solid, abut_lerp(solid->vertices[a], solid->vertices[b], t));
    int count = solid->triangle_count;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int from = solid->triangles[3 * i + k], to = solid->triangles[3 * i + (k + 1) % 3];
            int apex = solid->triangles[3 * i + (k + 2) % 3];
            if ((from == a && to == b) || (from == b && to == a)) {
                set_triangle(solid, i, from, middle, apex);
                add_triangle(solid, middle, to, apex, solid->planes[i]);
                break;
            }
        }
    }
}

static void split_triangle(test_solid *solid, int triangle, double u, double v, double w)
{
    const int *t = solid->triangles + 3 * triangle;
    int a = t[0], b = t[1], c = t[2], plane = solid->planes[triangle];
    double s = 1.0 / (u + v + w);
    abut_vec3 p = abut_scale(s * u, solid->vertices[a]);
    p = abut_add_scaled(p, s * v, solid->vertices[b]);
    p = abut_add_scaled(p, s * w, solid->vertices[c]);
    int inside = add_vertex(solid, p);
    set_triangle(solid, triangle, a, b, inside);
    add_triangle(solid, b, c, inside, plane);
    add_triangle(solid, c, a, inside, plane);
}

// Whether a, b, c are counter-clockwise about the normal and the triangle is not narrow.
static int is_fat(const test_solid *solid, int a, int b, int c, abut_vec3 normal)
{
    abut_vec3 ab = abut_sub(solid->vertices[b], solid->vertices[a]);
    abut_vec3 ac = abut_sub(solid->vertices[c], solid->vertices[a]);
    abut_vec3 bc = abut_sub(ac, ab);
    double longest = fmax(abut_norm_squared(ab), fmax(abut_norm_squared(ac), abut_norm_squared(bc)));
    return abut_dot(abut_cross(ab, ac), normal) > 0.02 * longest;
}

// Flips the edge at side k of a triangle if exactly one other triangle is there, it is in the same plane, the two
// form a convex quadrilateral, and no edge joins the opposite corners yet.
static void flip(test_solid *solid, int triangle, int k)
{
    int a = solid->triangles[3 * triangle + k], b = solid->triangles[3 * triangle + (k + 1) % 3];
    int c = solid->triangles[3 * triangle + (k + 2) % 3], d = -1, other = -1, count = 0, is_taken = 0;
    for (int i = 0; i < solid->triangle_count; ++i) {
        for (int m = 0; m < 3; ++m) {
            int from = solid->triangles[3 * i + m], to = solid->triangles[3 * i + (m + 1) % 3];
            if ((from == b && to == a) || (from == a && to == b)) {
                ++count;
                if (from == b) {
                    other = i;
                    d = solid->triangles[3 * i + (m + 2) % 3];
                }
            }
        }
    }
    if (count != 2 || other < 0 || solid->planes[other] != solid->planes[triangle]) {
        return;
    }
    for (int i = 0; i < 3 * solid->triangle_count; ++i) {
        int from = solid->triangles[i], to = solid->triangles[i % 3 == 2 ? i - 2 : i + 1];
        is_taken |= (from == c && to == d) || (from == d && to == c);
    }
    abut_vec3 normal = abut_unit(normal_of(solid, triangle));
    if (!is_taken && is_fat(solid, c, a, d, normal) && is_fat(solid, d, b, c, normal)) {
        set_triangle(solid, triangle, c, a, d);
        set_triangle(solid, other, d, b, c);
    }
}

void solid_tessellate(test_solid *solid, test_random *random, int vertex_count, int flip_count)
{
    int flips_between = flip_count / (vertex_count > 0 ? vertex_count : 1) + 1;
    for (int i = 0; i < vertex_count; ++i) {
        int triangle = random_below(random, solid->triangle_count);
        if (random_below(random, 2) == 0) {
            int side = 3 * triangle + random_below(random, 3);
            int a = solid->triangles[side], b = solid->triangles[side % 3 == 2 ? side - 2 : side + 1];
            split_edge(solid, a, b, random_in(random, 0.2, 0.8));
        } else {
            double u = random_in(random, 0.2, 1.0), v = random_in(random, 0.2, 1.0);
            split_triangle(solid, triangle, u, v, random_in(random, 0.2, 1.0));
        }
        for (int k = 0; k < flips_between; ++k) {
            flip(solid, random_below(random, solid->triangle_count), random_below(random, 3));
        }
    }
}

static int *random_order(test_random *random, int count)
{
    int *order = resize(NULL, count, sizeof *order);
    for (int i = 0; i < count; ++i) {
        int k = random_below(random, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    return order;
}

void solid_shuffle(test_solid *solid, test_random *random)
{
    test_solid old = solid_copy(solid);
    int *new_vertex = random_order(random, solid->vertex_count);
    int *new_triangle = random_order(random, solid->triangle_count);
    for (int i = 0; i < old.vertex_count; ++i) {
        solid->vertices[new_vertex[i]] = old.vertices[i];
    }
    for (int i = 0; i < old.triangle_count; ++i) {
        int turn = random_below(random, 3);
        for (int k = 0; k < 3; ++k) {
            solid->triangles[3 * new_triangle[i] + k] = new_vertex[old.triangles[3 * i + (k + turn) % 3]];
        }
        solid->planes[new_triangle[i]] = old.planes[i];
    }
    free(new_triangle);
    free(new_vertex);
    solid_free(&old);
}

void solid_move(test_solid *solid, double scale, abut_pose pose)
{
    for (int i = 0; i < solid->vertex_count; ++i) {
        solid->vertices[i] = abut_pose_apply(pose, abut_scale(scale, solid->vertices[i]));
    }
}

// Rounds through memory: GCC 12 omits the rounding of adjacent coordinates if it puts them into one vector register.
static double to_float(double value)
{
    volatile float rounded = (float)value;
    return (double)rounded;
}

void solid_round(test_solid *solid)
{
    for (int i = 0; i < solid->vertex_count; ++i) {
        abut_vec3 p = solid->vertices[i];
        solid->vertices[i] = abut_vec3_make(to_float(p.x), to_float(p.y), to_float(p.z));
    }
}

abut_mesh *solid_mesh(const test_solid *solid, abut_precision precision)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = solid->vertices;
    def.vertex_count = solid->vertex_count;
    def.face_vertices = solid->triangles;
    def.face_count = solid->triangle_count;
    def.precision = precision;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}
