// SPDX-License-Identifier: MIT
// primitive_names.c: primitives by name, such as "box:1,2,3", as core and radius or as facets
//
// All but ropes are convex: a box, which may be flat, a segment or a point, swept by a ball. Their facets are the hull of
// points on the surface: the corners of an octahedron whose sides are cut into a grid and blown up to the ball, each
// octant moved to its corner of the core. A rope is one such hull for each of its segments.
#include <abut/primitives.h>

#include "base/error.h"
#include "io/number.h"

#include <string.h>

enum {
    GRID = 16,           ///< steps along a side of the octahedron: facets of about 6 degrees
    ROPE_GRID = 6,       ///< for ropes, which have many segments
    NUMBERS_MOST = 30001 ///< of a name: a rope of 10,000 points
};

static const double plane_depth = 0.1; ///< of a plane's block, in units of its width

typedef struct primitive_kind {
    int number_count; ///< -1: a radius and at least two points
    const char *usage;
} primitive_kind;

enum { BOX, SPHERE, CAPSULE, ROUNDED_BOX, PLATE, PLANE, ROPE, KIND_COUNT };

static const char *const words[KIND_COUNT] = {
    [BOX] = "box",     [SPHERE] = "sphere", [CAPSULE] = "capsule", [ROUNDED_BOX] = "rounded-box",
    [PLATE] = "plate", [PLANE] = "plane",   [ROPE] = "rope",
};

static const primitive_kind kinds[KIND_COUNT] = {
    [BOX] = {3, "box:X,Y,Z (its sizes)"},
    [SPHERE] = {1, "sphere:R (its radius)"},
    [CAPSULE] = {2, "capsule:R,L (radius, length between the middles of its ends)"},
    [ROUNDED_BOX] = {4, "rounded-box:X,Y,Z,R (its sizes, radius of its edges)"},
    [PLATE] = {3, "plate:X,Y,R (sizes of the flat part, half its thickness)"},
    [PLANE] = {1, "plane:S (its width)"},
    [ROPE] = {-1, "rope:R,X,Y,Z,X,Y,Z,... (radius, at least two points)"},
};

/// What a name stands for. A core other than a rope's is a box about `middle`.
typedef struct primitive {
    int kind;
    double *numbers;
    int count;
    abut_vec3 half, middle; ///< of the core
    double radius;
    abut_context context;
} primitive;

/// The kind of a name, or -1.
static int kind_of(const char *name)
{
    size_t length = strcspn(name, ":");
    for (int i = 0; i < KIND_COUNT; ++i) {
        if (strlen(words[i]) == length && strncmp(words[i], name, length) == 0) {
            return i;
        }
    }
    return -1;
}

const char *const *abut_primitive_words(int *count)
{
    *count = KIND_COUNT;
    return words;
}

int abut_is_primitive(const char *name)
{
    return kind_of(name) >= 0;
}

/// Reads the numbers after the colon.
static abut_status read_numbers(primitive *p, const char *name, abut_error *error)
{
    const primitive_kind *kind = &kinds[p->kind];
    const char *rest = name + strlen(words[p->kind]);
    size_t capacity = 1;
    for (const char *c = rest; *c != '\0'; ++c) {
        capacity += *c == ',';
    }
    if (rest[0] == '\0' || rest[1] == '\0') {
        return abut_fail(error, ABUT_BAD_DATA, "its numbers are missing: it must be %s", kind->usage);
    }
    if (capacity > NUMBERS_MOST) {
        return abut_fail(error, ABUT_LIMIT, "%zu numbers; at most %d are allowed", capacity, NUMBERS_MOST);
    }
    p->numbers = abut_allocate(&p->context, capacity, sizeof *p->numbers);
    if (p->numbers == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %zu numbers", capacity);
    }
    while (*rest != '\0') { // a colon or a comma is before each number
        ++rest;
        const char *end = rest + strcspn(rest, ",");
        double *value = &p->numbers[p->count++];
        if (abut_number_parse(rest, end, value) != ABUT_NUMBER_OK || !isfinite(*value)) {
            return abut_fail(error, ABUT_BAD_DATA, "number %d is not a finite number; it must be %s", p->count,
                             kind->usage);
        }
        rest = end;
    }
    int is_enough = kind->number_count >= 0 ? p->count == kind->number_count : p->count >= 7 && p->count % 3 == 1;
    return is_enough ? ABUT_OK
                     : abut_fail(error, ABUT_BAD_DATA, "it has %d number%s, but must be %s", p->count,
                                 p->count == 1 ? "" : "s", kind->usage);
}

/// Sizes must be above 0. The radius of ropes and plates may be 0, that of a rounded box too.
static abut_status check_numbers(const primitive *p, abut_error *error)
{
    const primitive_kind *kind = &kinds[p->kind];
    int radius = p->kind == ROUNDED_BOX ? 3 : p->kind == PLATE ? 2 : p->kind == ROPE ? 0 : -1;
    for (int i = 0; i < (p->kind == ROPE ? 1 : p->count); ++i) {
        if (!(p->numbers[i] > 0.0) && !(i == radius && p->numbers[i] == 0.0)) {
            return abut_fail(error, ABUT_BAD_DATA, "number %d is %g; it must %s; see %s", i + 1, p->numbers[i],
                             i == radius ? "not be negative" : "be above 0", kind->usage);
        }
    }
    for (int i = 0; i < 3 && p->kind == ROUNDED_BOX; ++i) {
        if (!(p->numbers[i] > 2.0 * p->numbers[3])) {
            return abut_fail(error, ABUT_BAD_DATA, "size %g must be above two radii, %g; see %s", p->numbers[i],
                             2.0 * p->numbers[3], kind->usage);
        }
    }
    return ABUT_OK;
}

static void set_core(primitive *p)
{
    const double *n = p->numbers;
    switch (p->kind) {
    case BOX: p->half = abut_vec3_make(0.5 * n[0], 0.5 * n[1], 0.5 * n[2]); break;
    case SPHERE: p->radius = n[0]; break;
    case CAPSULE:
        p->radius = n[0];
        p->half.z = 0.5 * n[1];
        break;
    case ROUNDED_BOX:
        p->radius = n[3];
        p->half = abut_vec3_make(0.5 * n[0] - n[3], 0.5 * n[1] - n[3], 0.5 * n[2] - n[3]);
        break;
    case PLATE:
        p->radius = n[2];
        p->half = abut_vec3_make(0.5 * n[0], 0.5 * n[1], 0.0);
        break;
    case PLANE:
        p->half = abut_vec3_make(0.5 * n[0], 0.5 * n[0], 0.5 * plane_depth * n[0]);
        p->middle.z = -p->half.z;
        break;
    default: p->radius = n[0]; break;
    }
}

/// Release with release_primitive(), also after a failure.
static abut_status read_primitive(const abut_context *context, const char *name, primitive *p, abut_error *error)
{
    *p = (primitive){.kind = kind_of(name), .context = abut_context_or_default(context)};
    if (p->kind < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the name is no primitive: box, sphere, capsule, rounded-box, plate, plane or rope");
    }
    abut_status status = read_numbers(p, name, error);
    status = status != ABUT_OK ? status : check_numbers(p, error);
    if (status == ABUT_OK) {
        set_core(p);
    }
    return status;
}

static void release_primitive(primitive *p)
{
    abut_free(&p->context, p->numbers);
}

static abut_vec3 rope_point(const primitive *p, int i)
{
    const double *n = p->numbers + 1 + 3 * (size_t)i;
    return abut_vec3_make(n[0], n[1], n[2]);
}

// ---- cores

static abut_status make_rope(const primitive *p, abut_mesh **core, abut_error *error)
{
    int count = (p->count - 1) / 3;
    abut_vec3 *points = abut_allocate(&p->context, (size_t)count, sizeof *points);
    int *ends = abut_allocate(&p->context, (size_t)count, 2 * sizeof *ends);
    abut_status status = ABUT_OK;
    if (points == NULL || ends == NULL) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory for a rope of %d points", count);
    } else {
        for (int i = 0; i < count; ++i) {
            points[i] = rope_point(p, i);
            ends[2 * i] = i;
            ends[2 * i + 1] = i + 1;
        }
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = points;
        def.vertex_count = count;
        def.segments = ends;
        def.segment_count = count - 1;
        status = abut_mesh_create(&p->context, &def, core, error);
    }
    abut_free(&p->context, points);
    abut_free(&p->context, ends);
    return status;
}

static abut_status make_core(const primitive *p, abut_mesh **core, abut_error *error)
{
    static const int box[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    static const int plate[6] = {0, 1, 3, 0, 3, 2}, segment[2] = {0, 1}, point[1] = {0};
    if (p->kind == ROPE) {
        return make_rope(p, core, error);
    }
    abut_vec3 corners[8], h = p->half;
    int is_line = h.x == 0.0, is_flat = h.z == 0.0;
    for (int i = 0; i < 8; ++i) {
        int up = is_line ? i & 1 : i & 4; // a segment is along z
        corners[i] = abut_add(p->middle, abut_vec3_make(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, up ? h.z : -h.z));
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = corners;
    def.vertex_count = is_line ? (is_flat ? 1 : 2) : is_flat ? 4 : 8;
    def.points = point;
    def.point_count = is_line && is_flat;
    def.segments = segment;
    def.segment_count = is_line && !is_flat;
    def.face_vertices = is_flat ? plate : box;
    def.face_count = is_line ? 0 : is_flat ? 2 : 12;
    return abut_mesh_create(&p->context, &def, core, error);
}

abut_status abut_primitive_core(const abut_context *context, const char *name, abut_mesh **core, double *radius,
                                abut_error *error)
{
    ABUT_ASSERT(name != NULL && core != NULL && radius != NULL);
    *core = NULL;
    *radius = 0.0;
    primitive p;
    abut_status status = read_primitive(context, name, &p, error);
    if (status == ABUT_OK) {
        status = make_core(&p, core, error);
        *radius = p.radius;
    }
    release_primitive(&p);
    return status;
}

// ---- facets

/// Writes the points of a ball of radius 1, each octant with its own copy of those on its border, in the order of the
/// octants. Returns their number.
static int ball_points(int grid, abut_vec3 *points)
{
    int count = 0;
    for (int octant = 0; octant < 8; ++octant) {
        for (int i = 0; i <= grid; ++i) {
            for (int k = 0; k <= grid - i; ++k) {
                abut_vec3 u = abut_unit(abut_vec3_make(i, k, grid - i - k));
                points[count++] =
                    abut_vec3_make(octant & 1 ? -u.x : u.x, octant & 2 ? -u.y : u.y, octant & 4 ? -u.z : u.z);
            }
        }
    }
    return count;
}

/// How far the true surface is from the facets of a core, given by its corners, that is swept by a ball.
static double measure_facets(const abut_mesh *hull, const abut_vec3 *corners, int count, double radius)
{
    abut_mesh_elements e = abut_mesh_get_elements(hull);
    double largest = 0.0;
    for (int i = 0; i < e.triangle_count; ++i) {
        const int *t = e.triangles + 3 * (size_t)i;
        abut_vec3 a = e.vertices[t[0]];
        abut_vec3 n = abut_unit(abut_cross(abut_sub(e.vertices[t[1]], a), abut_sub(e.vertices[t[2]], a)));
        for (int k = 0; k < count; ++k) {
            largest = fmax(largest, radius + abut_dot(n, abut_sub(corners[k], a)));
        }
    }
    return largest;
}

/// The hull of a swept core about the origin. Points on the border of octants come several times if the core
/// does not move them apart, which does no harm to a hull.
static abut_status make_hull(const primitive *p, abut_mesh **hull, double *deviation, abut_error *error)
{
    enum { MOST = 8 * (GRID + 1) * (GRID + 2) / 2 };
    abut_vec3 *points = abut_allocate(&p->context, MOST, sizeof *points);
    if (points == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d points", (int)MOST);
    }
    int count = ball_points(GRID, points);
    abut_vec3 corners[8], h = p->half;
    for (int i = 0; i < 8; ++i) {
        corners[i] = abut_vec3_make(i & 1 ? -h.x : h.x, i & 2 ? -h.y : h.y, i & 4 ? -h.z : h.z);
    }
    for (int i = 0; i < count; ++i) {
        points[i] = abut_add_scaled(corners[i / (count / 8)], p->radius, points[i]);
    }
    abut_status status = abut_hull_create(&p->context, points, count, hull, NULL, error);
    if (status == ABUT_OK) {
        *deviation = measure_facets(*hull, corners, 8, p->radius);
    }
    abut_free(&p->context, points);
    return status;
}

/// The facets of all segments of a rope in one mesh: closed parts that overlap where segments meet.
typedef struct rope_facets {
    abut_vec3 *vertices;
    int *triangles;
    int vertex_count, triangle_count;
    int vertex_capacity, corner_capacity;
} rope_facets;

static abut_status add_segment(const primitive *p, int segment, rope_facets *f, double *deviation,
                               abut_error *error)
{
    enum { MOST = 8 * (ROPE_GRID + 1) * (ROPE_GRID + 2) / 2 };
    abut_vec3 points[2 * MOST], ends[2] = {rope_point(p, segment), rope_point(p, segment + 1)};
    int count = ball_points(ROPE_GRID, points);
    for (int i = 0; i < count; ++i) {
        points[count + i] = abut_add_scaled(ends[1], p->radius, points[i]);
        points[i] = abut_add_scaled(ends[0], p->radius, points[i]);
    }
    abut_mesh *hull = NULL;
    abut_status status = abut_hull_create(&p->context, points, 2 * count, &hull, NULL, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_mesh_elements e = abut_mesh_get_elements(hull);
    int vertex_count = f->vertex_count + e.vertex_count, corner_count = 3 * (f->triangle_count + e.triangle_count);
    if (!abut_grow(&p->context, &f->vertices, &f->vertex_capacity, vertex_count, sizeof *f->vertices) ||
        !abut_grow(&p->context, &f->triangles, &f->corner_capacity, corner_count, sizeof *f->triangles)) {
        abut_mesh_destroy(hull);
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for the facets of a rope");
    }
    memcpy(f->vertices + f->vertex_count, e.vertices, (size_t)e.vertex_count * sizeof *e.vertices);
    for (int i = 0; i < 3 * e.triangle_count; ++i) {
        f->triangles[3 * f->triangle_count + i] = f->vertex_count + e.triangles[i];
    }
    *deviation = fmax(*deviation, measure_facets(hull, ends, 2, p->radius));
    f->vertex_count = vertex_count;
    f->triangle_count += e.triangle_count;
    abut_mesh_destroy(hull);
    return ABUT_OK;
}

static abut_status make_rope_facets(const primitive *p, abut_mesh **mesh, double *deviation, abut_error *error)
{
    rope_facets f = {0};
    abut_status status = ABUT_OK;
    for (int i = 0; status == ABUT_OK && i + 1 < (p->count - 1) / 3; ++i) {
        status = add_segment(p, i, &f, deviation, error);
    }
    if (status == ABUT_OK) {
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = f.vertices;
        def.vertex_count = f.vertex_count;
        def.face_vertices = f.triangles;
        def.face_count = f.triangle_count;
        status = abut_mesh_create(&p->context, &def, mesh, error);
    }
    abut_free(&p->context, f.vertices);
    abut_free(&p->context, f.triangles);
    return status;
}

abut_status abut_primitive_facets(const abut_context *context, const char *name, abut_mesh **mesh,
                                  double *deviation, abut_error *error)
{
    ABUT_ASSERT(name != NULL && mesh != NULL);
    double ignored, *largest = deviation != NULL ? deviation : &ignored;
    *mesh = NULL;
    *largest = 0.0;
    primitive p;
    abut_status status = read_primitive(context, name, &p, error);
    if (status == ABUT_OK) {
        status = p.radius == 0.0  ? make_core(&p, mesh, error)
                 : p.kind == ROPE ? make_rope_facets(&p, mesh, largest, error)
                                  : make_hull(&p, mesh, largest, error);
    }
    release_primitive(&p);
    return status;
}
