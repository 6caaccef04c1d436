// SPDX-License-Identifier: MIT
// solid_shapes.c: generated solids, most of them not convex
//
// Prisms over a polygon; surfaces over a grid that closes around one axis (a rod: two ends) or two (a ring); and sets
// of unit cells. All are closed and oriented, and about one unit large.
#include "cases/solid_shapes.h"

#include "common/lab_support.h"

#include <string.h>

enum { MOST_VERTICES = 2048, MOST_INDICES = 16384, MOST_FACES = 4096, MOST_CORNERS = 96 };

static const double tau = 2.0 * ABUT_LAB_PI;

/// Faces are polygons, counter-clockwise seen from outside.
typedef struct solid {
    abut_vec3 vertices[MOST_VERTICES];
    int indices[MOST_INDICES];
    int offsets[MOST_FACES + 1];
    int vertex_count, face_count;
} solid;

static void add_vertex(solid *s, double x, double y, double z)
{
    s->vertices[s->vertex_count++] = abut_vec3_make(x, y, z);
}

static void add_face(solid *s, const int *indices, int count)
{
    int begin = s->offsets[s->face_count];
    memcpy(&s->indices[begin], indices, (size_t)count * sizeof *indices);
    s->offsets[++s->face_count] = begin + count;
}

static void add_triangle(solid *s, int a, int b, int c)
{
    const int corners[3] = {a, b, c};
    add_face(s, corners, 3);
}

// ---------------------------------------------------------------------------------------------------------------
// Prisms

/// A prism over a counter-clockwise polygon of the plane z = 0.
static void fill_prism(solid *s, const abut_vec2 *polygon, int count, double height)
{
    int lower[MOST_CORNERS] = {0}, upper[MOST_CORNERS] = {0};
    for (int i = 0; i < count; ++i) {
        lower[count - 1 - i] = s->vertex_count;
        add_vertex(s, polygon[i].x, polygon[i].y, -0.5 * height);
        upper[i] = s->vertex_count;
        add_vertex(s, polygon[i].x, polygon[i].y, 0.5 * height);
    }
    add_face(s, lower, count);
    add_face(s, upper, count);
    for (int i = 0; i < count; ++i) {
        int next = i + 1 < count ? i + 1 : 0;
        const int side[4] = {2 * i, 2 * next, 2 * next + 1, 2 * i + 1};
        add_face(s, side, 4);
    }
}

static void fill_plate(solid *s)
{
    static const abut_vec2 polygon[] = {{-0.5, -0.4}, {0.5, -0.4}, {0.5, 0.4}, {-0.5, 0.4}};
    fill_prism(s, polygon, 4, 0.03);
}

static void fill_brick(solid *s)
{
    static const abut_vec2 polygon[] = {{-0.4, -0.25}, {0.4, -0.25}, {0.4, 0.25}, {-0.4, 0.25}};
    fill_prism(s, polygon, 4, 0.3);
}

static void fill_l(solid *s)
{
    static const abut_vec2 polygon[] = {{-0.5, -0.5},  {0.3, -0.5}, {0.3, -0.25},
                                        {-0.2, -0.25}, {-0.2, 0.5}, {-0.5, 0.5}};
    fill_prism(s, polygon, 6, 0.35);
}

static void fill_u(solid *s)
{
    static const abut_vec2 polygon[] = {{-0.5, -0.4}, {0.5, -0.4},  {0.5, 0.4},  {0.3, 0.4},
                                        {0.3, -0.2},  {-0.3, -0.2}, {-0.3, 0.4}, {-0.5, 0.4}};
    fill_prism(s, polygon, 8, 0.3);
}

/// A back with four teeth.
static void fill_comb(solid *s)
{
    enum { TEETH = 4 };
    abut_vec2 polygon[4 * TEETH];
    int count = 0;
    polygon[count++] = abut_vec2_make(-0.5, -0.4);
    polygon[count++] = abut_vec2_make(0.5, -0.4);
    for (int i = 0; i < TEETH; ++i) {
        double right = 0.5 - i * 2.0 / (2 * TEETH - 1), left = right - 1.0 / (2 * TEETH - 1);
        polygon[count++] = abut_vec2_make(right, 0.4);
        polygon[count++] = abut_vec2_make(left, 0.4);
        if (i + 1 < TEETH) {
            polygon[count++] = abut_vec2_make(left, -0.2);
            polygon[count++] = abut_vec2_make(2.0 * left - right, -0.2);
        }
    }
    fill_prism(s, polygon, count, 0.25);
}

static void fill_star(solid *s)
{
    abut_vec2 polygon[10];
    for (int i = 0; i < 10; ++i) {
        double radius = i % 2 == 0 ? 0.5 : 0.2, angle = tau * i / 10;
        polygon[i] = abut_vec2_make(radius * cos(angle), radius * sin(angle));
    }
    fill_prism(s, polygon, 10, 0.25);
}

static void fill_teeth(solid *s, int teeth, double inner, double height)
{
    abut_vec2 polygon[MOST_CORNERS];
    static const double shares[4] = {0.0, 0.3, 0.45, 0.85}; // of a tooth: its tip, and the valley that follows
    for (int i = 0; i < 4 * teeth; ++i) {
        double radius = i % 4 < 2 ? 0.5 : inner, angle = tau * (i / 4 + shares[i % 4]) / teeth;
        polygon[i] = abut_vec2_make(radius * cos(angle), radius * sin(angle));
    }
    fill_prism(s, polygon, 4 * teeth, height);
}

static void fill_gear(solid *s)
{
    fill_teeth(s, 10, 0.38, 0.2);
}

static void fill_thin_gear(solid *s)
{
    fill_teeth(s, 24, 0.44, 0.04);
}

// ---------------------------------------------------------------------------------------------------------------
// Grids

/// A point of a surface; u and v go from 0 to 1.
typedef abut_vec3 surface(double u, double v);

static void add_cell(solid *s, int a, int b, int c, int d)
{
    add_triangle(s, a, b, c);
    add_triangle(s, a, c, d);
}

/// A surface that closes in both directions.
static void fill_ring(solid *s, int around, int across, surface *at)
{
    for (int i = 0; i < around * across; ++i) {
        int a = i / across, b = i % across;
        s->vertices[s->vertex_count++] = at((double)a / around, (double)b / across);
        int next_a = (a + 1) % around * across, next_b = (b + 1) % across;
        add_cell(s, i, next_a + b, next_a + next_b, a * across + next_b);
    }
}

/// A surface that closes in the direction of u; the ends v = 0 and v = 1 are closed by polygons.
static void fill_rod(solid *s, int around, int along, surface *at)
{
    int lower[MOST_CORNERS] = {0}, upper[MOST_CORNERS] = {0};
    for (int k = 0; k <= along; ++k) {
        for (int i = 0; i < around; ++i) {
            s->vertices[s->vertex_count++] = at((double)i / around, (double)k / along);
            if (k < along) {
                int base = k * around, next = (i + 1) % around;
                add_cell(s, base + i, base + next, base + around + next, base + around + i);
            }
        }
    }
    for (int i = 0; i < around; ++i) {
        lower[i] = around - 1 - i;
        upper[i] = along * around + i;
    }
    add_face(s, lower, around);
    add_face(s, upper, around);
}

/// A tube of radius r around a curve in the plane z = 0, with outward normal (nx, ny).
static abut_vec3 tube(double x, double y, double nx, double ny, double r, double v)
{
    double out = r * cos(tau * v), up = r * sin(tau * v);
    return abut_vec3_make(x + out * nx, y + out * ny, up);
}

static abut_vec3 torus_at(double u, double v)
{
    double c = cos(tau * u), n = sin(tau * u);
    return tube(0.35 * c, 0.35 * n, c, n, 0.15, v);
}

static void fill_torus(solid *s)
{
    fill_ring(s, 16, 8, torus_at);
}

/// A link of a chain: two half circles and two straight parts, six steps each.
static abut_vec3 link_at(double u, double v)
{
    double t = 4.0 * u, share = t - floor(t), angle = 0.5 * ABUT_LAB_PI + ABUT_LAB_PI * share;
    double c = -cos(angle), n = sin(angle); // the right half circle, downward
    switch ((int)t) {
    case 0: return tube(0.2 + 0.2 * c, 0.2 * n, c, n, 0.08, -v);
    case 1: return tube(0.2 - 0.4 * share, -0.2, 0.0, -1.0, 0.08, -v);
    case 2: return tube(-0.2 - 0.2 * c, -0.2 * n, -c, -n, 0.08, -v);
    default: return tube(-0.2 + 0.4 * share, 0.2, 0.0, 1.0, 0.08, -v);
    }
}

static void fill_link(solid *s)
{
    fill_ring(s, 24, 8, link_at);
}

/// A flat ring with four corners across.
static abut_vec3 washer_at(double u, double v)
{
    static const double radii[4] = {0.5, 0.5, 0.3, 0.3}, heights[4] = {-0.05, 0.05, 0.05, -0.05};
    int corner = (int)(4.0 * v + 0.5) % 4;
    return abut_vec3_make(radii[corner] * cos(tau * u), radii[corner] * sin(tau * u), heights[corner]);
}

static void fill_washer(solid *s)
{
    fill_ring(s, 20, 4, washer_at);
}

/// A trefoil knot. The frame across the curve comes from the radial direction.
static abut_vec3 knot_at(double u, double v)
{
    double angle = tau * u, radius = 0.3 + 0.12 * cos(3.0 * angle), turn = 2.0 * angle;
    double height = 0.12 * sin(3.0 * angle), c = cos(turn), n = sin(turn);
    double out = 0.06 * cos(tau * v), up = 0.06 * sin(tau * v);
    return abut_vec3_make((radius + out) * c, (radius + out) * n, height + up);
}

static void fill_knot(solid *s)
{
    fill_ring(s, 48, 6, knot_at);
}

/// The height of a thread, a triangle wave between 0 and 1 that rises by 0.15 in a turn.
static double thread(double u, double z)
{
    double share = z / 0.15 - u;
    share -= floor(share);
    return share < 0.5 ? 2.0 * share : 2.0 - 2.0 * share;
}

static abut_vec3 bolt_at(double u, double v)
{
    double z = -0.5 + v, radius = 0.16 + 0.05 * thread(u, z);
    return abut_vec3_make(radius * cos(tau * u), radius * sin(tau * u), z);
}

static void fill_bolt(solid *s)
{
    fill_rod(s, 12, 26, bolt_at);
}

/// A hexagonal nut with the thread of the bolt, 0.03 wider. Across: 2 points up the outside, 13 down the thread.
static abut_vec3 nut_at(double u, double v)
{
    int point = 14 - (int)(15.0 * v + 0.5);
    double z = point < 13 ? -0.225 + 0.45 * point / 12 : point == 13 ? 0.225 : -0.225;
    double sector = 6.0 * u - floor(6.0 * u) - 0.5;
    double radius = point < 13 ? 0.19 + 0.05 * thread(u, z) : 0.36 * cos(tau / 12) / cos(tau * sector / 6);
    return abut_vec3_make(radius * cos(tau * u), radius * sin(tau * u), z);
}

static void fill_nut(solid *s)
{
    fill_ring(s, 24, 15, nut_at);
}

/// A spring of three turns.
static abut_vec3 coil_at(double u, double v)
{
    double angle = 3.0 * tau * v, c = cos(angle), n = sin(angle);
    double out = 0.05 * cos(tau * u), up = 0.05 * sin(tau * u);
    return abut_vec3_make((0.3 + out) * c, (0.3 + out) * n, 0.5 * (v - 0.5) + up);
}

static void fill_coil(solid *s)
{
    fill_rod(s, 6, 48, coil_at);
    for (int i = 0; i < s->face_count; ++i) { // the surface is on the other side of the grid
        int *face = &s->indices[s->offsets[i]], count = s->offsets[i + 1] - s->offsets[i];
        for (int k = 0; k < count / 2; ++k) {
            int swapped = face[k];
            face[k] = face[count - 1 - k];
            face[count - 1 - k] = swapped;
        }
    }
}

/// A ball with dents.
static abut_vec3 potato_at(double u, double v)
{
    double polar = ABUT_LAB_PI * (0.05 + 0.9 * v), angle = tau * u;
    double radius = 0.42 + 0.06 * sin(3.0 * angle) * sin(polar) + 0.05 * cos(4.0 * polar);
    return abut_vec3_make(radius * sin(polar) * cos(angle), radius * sin(polar) * sin(angle), -radius * cos(polar));
}

static void fill_potato(solid *s)
{
    fill_rod(s, 18, 12, potato_at);
}

static abut_vec3 spike_at(double u, double v)
{
    double radius = v < 0.75 ? 0.3 : 0.002;
    return abut_vec3_make(radius * cos(tau * u), radius * sin(tau * u), v < 0.25 ? -0.4 : v < 0.75 ? -0.3 : 0.6);
}

static void fill_spike(solid *s)
{
    fill_rod(s, 7, 2, spike_at);
}

// ---------------------------------------------------------------------------------------------------------------
// Cells

enum { CELLS = 5 };

/// Cells of a side 0.2, by layers from z = 0 up and rows from y = 0 up. Cells that meet in an edge or a corner also
/// meet in faces there.
typedef struct cell_pattern {
    const char *rows[CELLS][CELLS];
} cell_pattern;

static int is_cell(const cell_pattern *pattern, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < CELLS && y < CELLS && z < CELLS && pattern->rows[z][y] != NULL &&
           pattern->rows[z][y][x] == '#';
}

static int grid_vertex(solid *s, int *numbers, const int at[3])
{
    int *number = &numbers[(at[2] * (CELLS + 1) + at[1]) * (CELLS + 1) + at[0]];
    if (*number < 0) {
        *number = s->vertex_count;
        add_vertex(s, 0.2 * at[0] - 0.5, 0.2 * at[1] - 0.5, 0.2 * at[2] - 0.5);
    }
    return *number;
}

/// The faces of a cell towards empty ones.
static void add_cell_faces(solid *s, const cell_pattern *pattern, int *numbers, const int cell[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 2; ++side) {
            int beyond[3] = {cell[0], cell[1], cell[2]}, corners[4];
            beyond[axis] += side ? 1 : -1;
            if (is_cell(pattern, beyond[0], beyond[1], beyond[2])) {
                continue;
            }
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            for (int i = 0; i < 4; ++i) {
                int at[3] = {cell[0], cell[1], cell[2]}, turn = side ? i : 3 - i;
                at[axis] += side;
                at[u] += turn == 1 || turn == 2;
                at[v] += turn >= 2;
                corners[i] = grid_vertex(s, numbers, at);
            }
            add_face(s, corners, 4);
        }
    }
}

static void fill_cells(solid *s, const cell_pattern *pattern)
{
    int numbers[(CELLS + 1) * (CELLS + 1) * (CELLS + 1)];
    memset(numbers, -1, sizeof numbers);
    for (int z = 0; z < CELLS; ++z) {
        for (int y = 0; y < CELLS; ++y) {
            for (int x = 0; x < CELLS; ++x) {
                const int cell[3] = {x, y, z};
                if (is_cell(pattern, x, y, z)) {
                    add_cell_faces(s, pattern, numbers, cell);
                }
            }
        }
    }
}

static void fill_table(solid *s)
{
    static const cell_pattern pattern = {{{"#   #", "     ", "     ", "     ", "#   #"},
                                          {"#   #", "     ", "     ", "     ", "#   #"},
                                          {"#   #", "     ", "     ", "     ", "#   #"},
                                          {"#####", "#####", "#####", "#####", "#####"}}};
    fill_cells(s, &pattern);
}

static void fill_jack(solid *s)
{
    static const cell_pattern pattern = {{{"     ", "     ", "  #  ", "     ", "     "},
                                          {"     ", "     ", "  #  ", "     ", "     "},
                                          {"  #  ", "  #  ", "#####", "  #  ", "  #  "},
                                          {"     ", "     ", "  #  ", "     ", "     "},
                                          {"     ", "     ", "  #  ", "     ", "     "}}};
    fill_cells(s, &pattern);
}

static void fill_frame(solid *s)
{
    static const cell_pattern pattern = {{{"#####", "# # #", "#####", "# # #", "#####"}}};
    fill_cells(s, &pattern);
}

// ---------------------------------------------------------------------------------------------------------------

enum { SHAPES = 20 };

static const char *const names[SHAPES] = {"brick",     "plate",  "l",     "u",      "comb", "star", "gear",
                                          "thin-gear", "torus",  "link",  "washer", "knot", "bolt", "nut",
                                          "coil",      "potato", "spike", "table",  "jack", "frame"};

static void (*const fills[SHAPES])(solid *s) = {fill_brick,  fill_plate, fill_l,         fill_u,     fill_comb,
                                                fill_star,   fill_gear,  fill_thin_gear, fill_torus, fill_link,
                                                fill_washer, fill_knot,  fill_bolt,      fill_nut,   fill_coil,
                                                fill_potato, fill_spike, fill_table,     fill_jack,  fill_frame};

const char *const *abut_solid_shape_names(int *count)
{
    *count = SHAPES;
    return names;
}

abut_status abut_solid_shape_create(const abut_context *context, int index, abut_mesh **mesh, abut_error *error)
{
    abut_context kept = abut_context_or_default(context);
    solid *s = abut_allocate_zeroed(&kept, 1, sizeof *s);
    if (s == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for a shape");
    }
    fills[index](s);
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = s->vertices;
    def.vertex_count = s->vertex_count;
    def.face_offsets = s->offsets;
    def.face_vertices = s->indices;
    def.face_count = s->face_count;
    abut_status status = abut_mesh_create(&kept, &def, mesh, error);
    abut_free(&kept, s);
    return status;
}
