// SPDX-License-Identifier: MIT
// test_mesh.c: adjacency against brute force, tetrahedra, hash, invalid data, failing allocations
#include "check.h"
#include "failing.h"
#include "random.h"

#include <abut/mesh.h>
#include <abut/predicates.h>
#include <limits.h>

enum { MAX_VERTICES = 24, MAX_ITEMS = 40 };

// The arrays of a small definition.
typedef struct random_mesh {
    abut_vec3 vertices[MAX_VERTICES];
    int points[MAX_ITEMS], segments[2 * MAX_ITEMS], triangles[3 * MAX_ITEMS], tets[4 * MAX_ITEMS];
    abut_mesh_def def;
} random_mesh;

static void pick_different(test_random *random, int vertex_count, int *vertices, int count)
{
    for (int i = 0; i < count; ++i) {
        int is_new;
        do {
            vertices[i] = random_below(random, vertex_count);
            is_new = 1;
            for (int k = 0; k < i; ++k) {
                is_new &= vertices[k] != vertices[i];
            }
        } while (!is_new);
    }
}

// Random elements between few vertices: open, non-manifold, misoriented, in several parts, with degenerate faces.
static void fill_random(test_random *random, random_mesh *mesh)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertex_count = 4 + random_below(random, MAX_VERTICES - 3);
    def.point_count = random_below(random, 4);
    def.segment_count = random_below(random, 6);
    def.face_count = random_below(random, MAX_ITEMS + 1);
    def.tet_count = random_below(random, 3) == 0 ? 1 + random_below(random, 8) : 0;
    for (int i = 0; i < def.vertex_count; ++i) {
        mesh->vertices[i] = random_vec3(random, 1.0);
    }
    for (int i = 0; i < def.point_count; ++i) {
        mesh->points[i] = random_below(random, def.vertex_count);
    }
    for (int i = 0; i < def.segment_count; ++i) {
        pick_different(random, def.vertex_count, mesh->segments + 2 * i, 2);
    }
    for (int i = 0; i < def.face_count; ++i) {
        pick_different(random, def.vertex_count, mesh->triangles + 3 * i, 3);
        if (random_below(random, 12) == 0) {
            mesh->triangles[3 * i + random_below(random, 3)] = mesh->triangles[3 * i];
        }
    }
    for (int i = 0; i < def.tet_count; ++i) {
        pick_different(random, def.vertex_count, mesh->tets + 4 * i, 4);
    }
    def.vertices = mesh->vertices;
    def.points = mesh->points;
    def.segments = mesh->segments;
    def.face_vertices = mesh->triangles;
    def.tets = mesh->tets;
    mesh->def = def;
}

static int names(const int *vertices, int count, int vertex)
{
    for (int i = 0; i < count; ++i) {
        if (vertices[i] == vertex) {
            return 1;
        }
    }
    return 0;
}

// Checks that the list [offsets[i], offsets[i + 1]) is `expected`.
static void check_list(const int *offsets, const int *list, int i, const int *expected, int count,
                       const char *label)
{
    if (CHECK(offsets[i + 1] - offsets[i] == count, "%s %d: %d entries, expected %d", label, i,
              offsets[i + 1] - offsets[i], count)) {
        for (int k = 0; k < count; ++k) {
            CHECK(list[offsets[i] + k] == expected[k], "%s %d entry %d", label, i, k);
        }
    }
}

static void check_edges(const abut_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    abut_mesh_info info = abut_mesh_get_info(mesh);
    int edge = 0, boundary = 0, non_manifold = 0, misoriented = 0;
    for (int a = 0; a < e.vertex_count; ++a) {
        for (int b = a + 1; b < e.vertex_count; ++b) {
            int triangles[4 * MAX_ITEMS], count = 0, upward = 0, is_edge = 0;
            for (int i = 0; i < e.triangle_count; ++i) {
                for (int k = 0; k < 3; ++k) {
                    int from = e.triangles[3 * i + k], to = e.triangles[3 * i + (k + 1) % 3];
                    if ((from == a && to == b) || (from == b && to == a)) {
                        triangles[count++] = i;
                        upward += from == a;
                        CHECK_INT(t.triangle_edges[3 * i + k], edge, "edge of a triangle");
                    }
                }
            }
            is_edge = count > 0;
            for (int i = 0; i < e.segment_count; ++i) {
                if (names(e.segments + 2 * i, 2, a) && names(e.segments + 2 * i, 2, b)) {
                    is_edge = 1;
                    CHECK_INT(t.segment_edges[i], edge, "edge of a segment");
                }
            }
            CHECK_INT(abut_mesh_find_edge(mesh, b, a), is_edge ? edge : -1, "found edge");
            CHECK_INT(abut_mesh_find_edge(mesh, a, b), is_edge ? edge : -1, "found edge");
            if (!is_edge) {
                continue;
            }
            CHECK(t.edge_vertices[2 * edge] == a && t.edge_vertices[2 * edge + 1] == b, "edge %d", edge);
            check_list(t.edge_triangle_offsets, t.edge_triangles, edge, triangles, count, "triangles of edge");
            boundary += count == 1;
            non_manifold += count > 2;
            misoriented += count == 2 && upward != 1;
            for (int i = 0; i < count; ++i) {
                int expected = count == 1 ? ABUT_BOUNDARY : count > 2 ? ABUT_NON_MANIFOLD : triangles[1 - i];
                for (int k = 0; k < 3; ++k) {
                    if (t.triangle_edges[3 * triangles[i] + k] == edge) {
                        CHECK_INT(t.triangle_neighbours[3 * triangles[i] + k], expected, "neighbour");
                    }
                }
            }
            ++edge;
        }
    }
    CHECK_INT(t.edge_count, edge, "edges");
    CHECK_INT(info.boundary_edge_count, boundary, "boundary edges");
    CHECK_INT(info.non_manifold_edge_count, non_manifold, "non-manifold edges");
    CHECK_INT(info.misoriented_edge_count, misoriented, "misoriented edges");
    CHECK_INT(info.is_closed, e.triangle_count > 0 && boundary + non_manifold == 0, "closed");
    CHECK_INT(info.is_oriented, misoriented + non_manifold == 0, "oriented");
}

// Counts fans by flood fill: two triangles are in the same fan if they share an edge at the vertex and no third
// triangle has that edge.
static int count_fans(const abut_mesh *mesh, const int *triangles, int count, int vertex)
{
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    int label[4 * MAX_ITEMS], fans = count;
    for (int i = 0; i < count; ++i) {
        label[i] = i;
    }
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            for (int m = 0; m < 9; ++m) {
                int edge = t.triangle_edges[3 * triangles[i] + m / 3];
                int is_joint = edge == t.triangle_edges[3 * triangles[k] + m % 3] &&
                               names(t.edge_vertices + 2 * edge, 2, vertex) &&
                               t.edge_triangle_offsets[edge + 1] - t.edge_triangle_offsets[edge] == 2;
                if (is_joint && label[i] != label[k]) {
                    int old = label[i], new = label[k];
                    for (int n = 0; n < count; ++n) {
                        label[n] = label[n] == old ? new : label[n];
                    }
                    --fans;
                }
            }
        }
    }
    return fans;
}

static void check_vertices(const abut_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    int non_manifold = 0;
    for (int v = 0; v < e.vertex_count; ++v) {
        int list[4 * MAX_ITEMS], count = 0;
        for (int i = 0; i < t.edge_count; ++i) {
            if (names(t.edge_vertices + 2 * i, 2, v)) {
                list[count++] = i;
            }
        }
        check_list(t.vertex_edge_offsets, t.vertex_edges, v, list, count, "edges of vertex");
        count = 0;
        for (int i = 0; i < e.triangle_count; ++i) {
            if (names(e.triangles + 3 * i, 3, v)) {
                list[count++] = i;
            }
        }
        check_list(t.vertex_triangle_offsets, t.vertex_triangles, v, list, count, "triangles of vertex");
        non_manifold += count_fans(mesh, list, count, v) > 1;
    }
    CHECK_INT(abut_mesh_get_info(mesh).non_manifold_vertex_count, non_manifold, "non-manifold vertices");
}

static void relabel(int *label, int vertex_count, const int *vertices, int count)
{
    for (int i = 0; i < count; ++i) {
        if (label[vertices[i]] < 0) {
            label[vertices[i]] = vertices[i];
        }
        int a = label[vertices[0]], b = label[vertices[i]];
        int low = a < b ? a : b, high = a < b ? b : a;
        for (int v = 0; v < vertex_count; ++v) {
            label[v] = label[v] == high ? low : label[v];
        }
    }
}

static void check_parts(const abut_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    int label[MAX_VERTICES], number[MAX_VERTICES], count = 0, unused = 0;
    for (int v = 0; v < e.vertex_count; ++v) {
        label[v] = -1;
    }
    for (int i = 0; i < e.point_count; ++i) {
        relabel(label, e.vertex_count, e.points + i, 1);
    }
    for (int i = 0; i < e.segment_count; ++i) {
        relabel(label, e.vertex_count, e.segments + 2 * i, 2);
    }
    for (int i = 0; i < e.face_count; ++i) {
        relabel(label, e.vertex_count, e.face_vertices + e.face_offsets[i],
                e.face_offsets[i + 1] - e.face_offsets[i]);
    }
    for (int i = 0; i < e.tet_count; ++i) {
        relabel(label, e.vertex_count, e.tets + 4 * i, 4);
    }
    for (int v = 0; v < e.vertex_count; ++v) {
        if (label[v] == v) {
            number[v] = count++;
        }
        CHECK_INT(t.vertex_parts[v], label[v] < 0 ? -1 : number[label[v]], "part");
        unused += label[v] < 0;
    }
    CHECK_INT(t.part_count, count, "parts");
    CHECK_INT(abut_mesh_get_info(mesh).unused_vertex_count, unused, "unused vertices");
}

// The face opposite corner k, outward: the other three corners, ordered so that corner k is behind the face.
static void outward_face(const abut_mesh_elements *e, int tet, int k, int face[3])
{
    const int *corners = e->tets + 4 * tet;
    for (int i = 0, n = 0; i < 4; ++i) {
        if (i != k) {
            face[n++] = corners[i];
        }
    }
    int sign;
    CHECK_STATUS(abut_orient3d(e->vertices[face[0]], e->vertices[face[1]], e->vertices[face[2]],
                               e->vertices[corners[k]], &sign),
                 ABUT_OK, "orientation");
    if (sign > 0) {
        int swapped = face[1];
        face[1] = face[2];
        face[2] = swapped;
    }
}

static int has_same_vertices(const int *a, const int *b)
{
    return names(b, 3, a[0]) && names(b, 3, a[1]) && names(b, 3, a[2]);
}

static int is_same_way(const int *a, const int *b)
{
    for (int k = 0; k < 3; ++k) {
        if (a[0] == b[k]) {
            return a[1] == b[(k + 1) % 3] && a[2] == b[(k + 2) % 3];
        }
    }
    return 0;
}

// The lowest triangle with these vertices and this orientation; if there is none, the lowest with these vertices;
// else -1.
static int expected_triangle(const abut_mesh_elements *e, const int face[3])
{
    int any = -1;
    for (int i = e->triangle_count - 1; i >= 0; --i) {
        any = has_same_vertices(face, e->triangles + 3 * i) ? i : any;
    }
    for (int i = 0; i < e->triangle_count; ++i) {
        if (is_same_way(face, e->triangles + 3 * i)) {
            return i;
        }
    }
    return any;
}

static int expected_tet(const abut_mesh_elements *e, const int *triangle)
{
    int any = -1;
    for (int i = 0; i < 4 * e->tet_count; ++i) {
        int face[3];
        outward_face(e, i / 4, i % 4, face);
        if (is_same_way(face, triangle)) {
            return i / 4;
        }
        any = any < 0 && has_same_vertices(face, triangle) ? i / 4 : any;
    }
    return any;
}

static void check_tets(const abut_mesh *mesh, int faces_are_derived)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    int derived = 0;
    for (int i = 0; i < e.tet_count; ++i) {
        const int *v = e.tets + 4 * i;
        int sign = 0;
        (void)abut_orient3d(e.vertices[v[0]], e.vertices[v[1]], e.vertices[v[2]], e.vertices[v[3]], &sign);
        CHECK_INT(sign, 1, "orientation of a tetrahedron");
    }
    for (int i = 0; i < 4 * e.tet_count; ++i) {
        int face[3], others[64], count = 0;
        outward_face(&e, i / 4, i % 4, face);
        for (int k = 0; k < 4 * e.tet_count && count < 64; ++k) {
            int other[3];
            outward_face(&e, k / 4, k % 4, other);
            if (k / 4 != i / 4 && has_same_vertices(face, other)) {
                others[count++] = k / 4;
            }
        }
        CHECK_INT(t.tet_neighbours[i],
                  count == 0  ? ABUT_BOUNDARY
                  : count > 1 ? ABUT_NON_MANIFOLD
                              : others[0],
                  "neighbour of a tetrahedron");
        CHECK_INT(t.tet_triangles[i], expected_triangle(&e, face), "triangle of a tetrahedron");
        if (faces_are_derived && count == 0) {
            CHECK(is_same_way(face, e.face_vertices + 3 * derived), "derived face %d", derived);
            CHECK_INT(t.triangle_tets[derived], i / 4, "tetrahedron of a derived face");
            ++derived;
        }
    }
    if (faces_are_derived) {
        CHECK_INT(e.face_count, derived, "derived faces");
    }
    for (int i = 0; i < e.triangle_count; ++i) {
        CHECK_INT(t.triangle_tets[i], expected_tet(&e, e.triangles + 3 * i), "tetrahedron of a triangle");
    }
}

static void adjacency_agrees_with_brute_force(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 1500; ++round) {
        random_mesh input;
        fill_random(&random, &input);
        abut_mesh *mesh;
        assert_int_equal(abut_mesh_create(NULL, &input.def, &mesh, NULL), ABUT_OK);
        abut_mesh_elements e = abut_mesh_get_elements(mesh);
        int degenerate = 0, triangle = 0;
        for (int i = 0; i < input.def.face_count; ++i) {
            const int *face = input.triangles + 3 * i;
            if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) {
                ++degenerate;
            } else {
                CHECK_INT(e.triangle_faces[triangle], i, "face of a triangle");
                CHECK(memcmp(e.triangles + 3 * triangle, face, 3 * sizeof(int)) == 0, "triangle %d", triangle);
                ++triangle;
            }
        }
        CHECK_INT(abut_mesh_get_info(mesh).degenerate_face_count, degenerate, "degenerate faces");
        if (input.def.face_count > 0) {
            CHECK_INT(e.triangle_count, triangle, "triangles");
        }
        check_edges(mesh);
        check_vertices(mesh);
        check_parts(mesh);
        check_tets(mesh, input.def.face_count == 0);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// A block of 2 x 2 x 1 unit cubes, each cut into six tetrahedra about its diagonal, in random orientation: 24
// tetrahedra; its surface has 2 (4 + 2 + 2) = 16 unit squares, so 32 triangles; volume 4, area 16.
static void tetrahedra_of_a_block(void **state)
{
    (void)state;
    static const int paths[6][3] = {{1, 2, 4}, {1, 4, 2}, {2, 1, 4}, {2, 4, 1}, {4, 1, 2}, {4, 2, 1}};
    test_random random = {2};
    abut_vec3 vertices[18];
    int tets[24 * 4], count = 0;
    for (int i = 0; i < 18; ++i) {
        vertices[i] = abut_vec3_make(i % 3, i / 3 % 3, i / 9);
    }
    for (int cell = 0; cell < 4; ++cell) {
        int origin = cell % 2 + 3 * (cell / 2);
        for (int path = 0; path < 6; ++path) {
            int bits = 0, *tet = tets + 4 * count++;
            for (int k = 0; k < 4; ++k) {
                tet[k] = origin + (bits & 1) + 3 * (bits >> 1 & 1) + 9 * (bits >> 2 & 1);
                bits |= k < 3 ? paths[path][k] : 0;
            }
            int a = random_below(&random, 4), b = random_below(&random, 4), swapped = tet[a];
            tet[a] = tet[b];
            tet[b] = swapped;
        }
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 18;
    def.tets = tets;
    def.tet_count = count;
    abut_mesh *mesh, *again;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_info info = abut_mesh_get_info(mesh);
    check_tets(mesh, 1);
    CHECK_INT(e.face_count, 32, "faces");
    CHECK_INT(info.is_closed && info.is_oriented, 1, "closed and oriented");
    CHECK_NEAR(info.volume, 4.0, 1e-14, "volume");
    CHECK_NEAR(info.area, 16.0, 1e-13, "area");
    // with the faces given in the definition, the mesh is the same
    def.face_vertices = e.face_vertices;
    def.face_count = e.face_count;
    assert_int_equal(abut_mesh_create(NULL, &def, &again, NULL), ABUT_OK);
    check_tets(again, 1);
    CHECK(abut_mesh_hash(again) == abut_mesh_hash(mesh), "hash");
    abut_mesh_destroy(again);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// The box of points that are all on one side of the origin does not reach to it, whichever side that is.
static void bounds_are_those_of_the_vertices(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        const abut_vec3 vertices[3] = {{sign * 2.0, sign * 7.0, sign * 4.0},
                                       {sign * 5.0, sign * 3.0, sign * 6.0},
                                       {sign * 3.0, sign * 5.0, sign * 5.0}};
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 3;
        abut_mesh *mesh = NULL;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        abut_box box = abut_mesh_get_elements(mesh).bounds;
        abut_vec3 near = sign > 0 ? box.lower : abut_negate(box.upper);
        abut_vec3 far = sign > 0 ? box.upper : abut_negate(box.lower);
        CHECK(near.x == 2.0 && near.y == 3.0 && near.z == 4.0, "near end %g %g %g", near.x, near.y, near.z);
        CHECK(far.x == 5.0 && far.y == 7.0 && far.z == 6.0, "far end %g %g %g", far.x, far.y, far.z);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Equal meshes, copies among them, have equal hashes; 0 and -0 are equal. Every change of an element changes the hash.
static void hash_tells_meshes_apart(void **state)
{
    (void)state;
    test_random random = {3};
    random_mesh input;
    do {
        fill_random(&random, &input);
    } while (input.def.face_count < 3 || input.def.tet_count < 1 || input.def.segment_count < 1);
    input.vertices[0].x = 0.0;
    uint64_t hashes[7];
    for (int change = 0; change < 7; ++change) {
        random_mesh changed = input;
        changed.def.vertices = changed.vertices;
        changed.def.face_vertices = changed.triangles;
        changed.def.segments = changed.segments;
        changed.def.tets = changed.tets;
        changed.def.points = changed.points;
        switch (change) {
        case 1: changed.vertices[0].x = -0.0; break;
        case 2: changed.vertices[1].z = nextafter(changed.vertices[1].z, 2.0); break;
        case 3: changed.def.face_count -= 1; break;
        case 4: changed.def.segment_count -= 1; break;
        case 5: changed.def.tet_count -= 1; break;
        case 6: changed.def.precision = ABUT_PRECISION_FLOAT; break;
        default: break;
        }
        abut_mesh *mesh;
        assert_int_equal(abut_mesh_create(NULL, &changed.def, &mesh, NULL), ABUT_OK);
        hashes[change] = abut_mesh_hash(mesh);
        abut_mesh_def def = abut_mesh_get_def(mesh);
        abut_mesh *copy = NULL;
        CHECK_STATUS(abut_mesh_create(NULL, &def, &copy, NULL), ABUT_OK, "copy");
        CHECK(copy != NULL && abut_mesh_hash(copy) == hashes[change], "copy of change %d", change);
        abut_mesh_destroy(copy);
        abut_mesh_destroy(mesh);
    }
    CHECK(hashes[0] == hashes[1], "0 and -0");
    for (int i = 1; i < 7; ++i) {
        for (int k = 2; k < i; ++k) {
            CHECK(hashes[i] != hashes[k] && hashes[i] != hashes[0], "%d %d", i, k);
        }
    }
    CHECK_DONE();
}

static void check_refused(const abut_mesh_def *def, abut_status status, int element, const char *label)
{
    abut_mesh *mesh = NULL;
    abut_error error = {0};
    CHECK_STATUS(abut_mesh_create(NULL, def, &mesh, &error), status, label);
    CHECK(mesh == NULL, "%s: no mesh", label);
    CHECK_INT(error.element, element, label);
    CHECK(error.status == status && error.text[0] != 0, "%s: error is filled", label);
    CHECK_STATUS(abut_mesh_create(NULL, def, &mesh, NULL), status, label);
}

static void hostile_counts_and_pointers(void **state)
{
    (void)state;
    const abut_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int indices[4] = {0, 1, 2, 3};
    abut_mesh_def good = abut_mesh_def_default();
    good.vertices = vertices;
    good.vertex_count = 4;
    good.points = good.segments = good.face_vertices = good.tets = indices;
    size_t counts[5] = {offsetof(abut_mesh_def, vertex_count), offsetof(abut_mesh_def, point_count),
                        offsetof(abut_mesh_def, segment_count), offsetof(abut_mesh_def, face_count),
                        offsetof(abut_mesh_def, tet_count)};
    size_t pointers[5] = {offsetof(abut_mesh_def, vertices), offsetof(abut_mesh_def, points),
                          offsetof(abut_mesh_def, segments), offsetof(abut_mesh_def, face_vertices),
                          offsetof(abut_mesh_def, tets)};
    for (int i = 0; i < 5; ++i) {
        abut_mesh_def def = good;
        *(int *)((char *)&def + counts[i]) = -1;
        check_refused(&def, ABUT_BAD_ARGUMENT, -1, "negative count");
        *(int *)((char *)&def + counts[i]) = INT_MAX;
        check_refused(&def, ABUT_LIMIT, -1, "huge count");
        *(int *)((char *)&def + counts[i]) = 1;
        memset((char *)&def + pointers[i], 0, sizeof(void *));
        check_refused(&def, ABUT_BAD_ARGUMENT, -1, "no array");
    }
    abut_mesh_def def = good;
    def.struct_size = 0;
    check_refused(&def, ABUT_BAD_ARGUMENT, -1, "struct size 0");
    def.struct_size = sizeof def + 8;
    check_refused(&def, ABUT_BAD_ARGUMENT, -1, "struct of the future");
    def = good;
    def.precision = (abut_precision)7;
    check_refused(&def, ABUT_BAD_ARGUMENT, -1, "precision");
    abut_mesh *mesh;
    CHECK_STATUS(abut_mesh_create(NULL, NULL, &mesh, NULL), ABUT_BAD_ARGUMENT, "no definition");
    CHECK_STATUS(abut_mesh_create(NULL, &good, NULL, NULL), ABUT_BAD_ARGUMENT, "no result");
    abut_mesh_destroy(NULL);
    CHECK_DONE();
}

static void hostile_data(void **state)
{
    (void)state;
    abut_vec3 vertices[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    abut_mesh_def good = abut_mesh_def_default();
    good.vertices = vertices;
    good.vertex_count = 5;
    const double wrong[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        vertices[3].y = wrong[i];
        check_refused(&good, ABUT_BAD_DATA, 3, "coordinate");
        vertices[3].y = 0.0;
    }
    static const struct {
        const char *label;
        int size;       // vertices of each element
        int indices[8]; // the second element is wrong
    } elements[] = {
        {"point -1", 1, {0, -1}},
        {"point 5", 1, {0, 5}},
        {"segment -1", 2, {0, 1, -1, 2}},
        {"segment 5", 2, {0, 1, 2, 5}},
        {"segment 2 2", 2, {0, 1, 2, 2}},
        {"tet INT_MAX", 4, {0, 1, 2, 3, 0, 1, 2, INT_MAX}},
        {"tet twice", 4, {0, 1, 2, 3, 4, 1, 2, 4}},
        {"face -1", 3, {0, 1, 2, 0, 1, -1}},
        {"face INT_MIN", 3, {0, 1, 2, INT_MIN, 1, 2}},
        {"face 5", 3, {0, 1, 2, 0, 5, 2}},
    };
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; ++i) {
        abut_mesh_def def = good;
        def.points = def.segments = def.face_vertices = def.tets = elements[i].indices;
        def.point_count = elements[i].size == 1 ? 2 : 0;
        def.segment_count = elements[i].size == 2 ? 2 : 0;
        def.face_count = elements[i].size == 3 ? 2 : 0;
        def.tet_count = elements[i].size == 4 ? 2 : 0;
        check_refused(&def, ABUT_BAD_DATA, 1, elements[i].label);
    }
    static const struct {
        const char *label;
        int offsets[3], element;
        abut_status status;
    } offsets[] = {
        {"first offset", {1, 4, 7}, -1, ABUT_BAD_DATA},     {"two vertices", {0, 3, 5}, 1, ABUT_BAD_DATA},
        {"no vertices", {0, 3, 3}, 1, ABUT_BAD_DATA},       {"descending", {0, 4, 3}, 1, ABUT_BAD_DATA},
        {"negative", {0, -3, 3}, 0, ABUT_BAD_DATA},         {"INT_MIN", {0, 3, INT_MIN}, 1, ABUT_BAD_DATA},
        {"too many", {0, INT_MAX, INT_MAX}, 0, ABUT_LIMIT},
    };
    const int polygon[8] = {0, 1, 2, 3, 4, 0, 1, 2};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; ++i) {
        abut_mesh_def def = good;
        def.face_offsets = offsets[i].offsets;
        def.face_vertices = polygon;
        def.face_count = 2;
        check_refused(&def, offsets[i].status, offsets[i].element, offsets[i].label);
    }
    CHECK_DONE();
}

// An empty mesh, and one with only unused vertices: no parts, no edges, not closed, oriented.
static void empty_meshes(void **state)
{
    (void)state;
    const abut_vec3 vertices[2] = {{1, 2, 3}, {4, 5, 6}};
    for (int count = 0; count <= 2; count += 2) {
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = count > 0 ? vertices : NULL;
        def.vertex_count = count;
        abut_mesh *mesh;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        abut_mesh_info info = abut_mesh_get_info(mesh);
        CHECK_INT(abut_mesh_get_topology(mesh).edge_count, 0, "edges");
        CHECK_INT(abut_mesh_get_topology(mesh).part_count, 0, "parts");
        CHECK_INT(info.unused_vertex_count, count, "unused");
        CHECK_INT(info.is_closed, 0, "closed");
        CHECK_INT(info.is_oriented, 1, "oriented");
        CHECK_INT(abut_mesh_find_edge(mesh, 0, 1), -1, "edge");
        CHECK_INT(abut_mesh_find_edge(mesh, -1, 1), -1, "edge out of range");
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Every allocation fails once. The result is ABUT_NO_MEMORY, and nothing leaks.
static void memory_runs_out(void **state)
{
    (void)state;
    const abut_vec3 vertices[6] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {2, 2, 2}};
    const int offsets[3] = {0, 4, 7}, faces[7] = {0, 1, 2, 3, 0, 1, 4}, tets[4] = {0, 1, 2, 4},
              segments[2] = {4, 5};
    for (int kind = 0; kind < 2; ++kind) {
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 6;
        def.segments = segments;
        def.segment_count = 1;
        def.face_offsets = offsets;
        def.face_vertices = faces;
        def.face_count = kind == 0 ? 2 : 0;
        def.tets = tets;
        def.tet_count = 1;
        abut_status status = ABUT_NO_MEMORY;
        int fail_at = 1;
        for (; status != ABUT_OK && fail_at < 1000; ++fail_at) {
            failing_heap heap = {0, fail_at, 0};
            abut_context context = failing_context(&heap);
            abut_mesh *mesh;
            abut_error error;
            status = abut_mesh_create(&context, &def, &mesh, &error);
            if (status == ABUT_OK) {
                CHECK(heap.calls < fail_at, "all allocations were tried");
                abut_mesh_destroy(mesh);
            } else {
                CHECK_STATUS(status, ABUT_NO_MEMORY, "failed allocation");
                CHECK_STATUS(error.status, ABUT_NO_MEMORY, "error");
            }
            CHECK_INT(heap.live, 0, "leaked blocks");
        }
        CHECK(fail_at > 20, "%d allocations", fail_at);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjacency_agrees_with_brute_force),
        cmocka_unit_test(tetrahedra_of_a_block),
        cmocka_unit_test(bounds_are_those_of_the_vertices),
        cmocka_unit_test(hash_tells_meshes_apart),
        cmocka_unit_test(hostile_counts_and_pointers),
        cmocka_unit_test(hostile_data),
        cmocka_unit_test(empty_meshes),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
