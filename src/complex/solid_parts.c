// SPDX-License-Identifier: MIT
// solid_parts.c: which parts of a surface bound a solid
//
// A connected part whose edges all have two triangles that run through them in opposite directions is closed. If its
// normals point outward, it bounds a solid. If they point inward, it is a cavity if the other closed parts wind around it
// once more outward than inward; else it is inside out. Parts that are not closed and parts that are inside out are
// shells.
//
// Cost: by the triangles, and for each part that points inward, by the parts, and the triangles of those whose box holds it.
#include "complex/complex.h"

/// A connected part of the surface, named by its first vertex.
typedef struct surface_part {
    abut_box bounds;
    double volume;
    int is_open;
    int begin, count; ///< its triangles in part_survey.triangles
} surface_part;

typedef struct part_survey {
    const abut_complex *complex;
    int *roots;          ///< by vertex: joined to the first one of its part
    surface_part *parts; ///< by first vertex
    int *used;           ///< the first vertices of parts that have triangles
    int used_count;
    int *triangles; ///< by part
} part_survey;

/// Joins the corners of all triangles that are not boundaries of tetrahedra.
static void join_corners(const abut_complex *c, int *roots)
{
    for (int i = 0; i < c->vertex_count; ++i) {
        roots[i] = i;
    }
    for (int i = 0; i < c->info.triangle_count; ++i) {
        for (int k = 1; k < 3 && !c->is_solid[i]; ++k) {
            const int *t = c->triangles + 3 * (size_t)i;
            (void)abut_complex_join_roots(roots, t[0], t[k]);
        }
    }
}

/// +1 if the triangle runs from the lower to the higher end of the edge, else -1.
static int direction_of(const abut_complex *c, int triangle, int edge)
{
    const int *t = c->triangles + 3 * (size_t)triangle, *e = c->edges + 2 * (size_t)edge;
    int k = t[0] == e[0] ? 0 : t[1] == e[0] ? 1 : 2;
    return t[(k + 1) % 3] == e[1] ? 1 : -1;
}

static void look_at_edges(const abut_complex *c, int *roots, surface_part *parts)
{
    for (int i = 0; i < c->info.edge_count; ++i) {
        int count = 0, sum = 0, part = -1;
        for (int k = c->wing_offsets[i]; k < c->wing_offsets[i + 1]; ++k) {
            if (!c->is_solid[c->wings[k]]) {
                ++count;
                sum += direction_of(c, c->wings[k], i);
                part = abut_complex_find_root(roots, c->edges[2 * (size_t)i]);
            }
        }
        if (part >= 0 && (count != 2 || sum != 0)) {
            parts[part].is_open = 1;
        }
    }
}

static void look_at_triangles(const abut_complex *c, int *roots, surface_part *parts)
{
    for (int i = 0; i < c->info.triangle_count; ++i) {
        const int *t = c->triangles + 3 * (size_t)i;
        if (!c->is_solid[i]) {
            surface_part *part = &parts[abut_complex_find_root(roots, t[0])];
            const abut_vec3 p = c->vertices[t[0]], q = c->vertices[t[1]], r = c->vertices[t[2]];
            part->bounds = abut_box_add(abut_box_add(abut_box_add(part->bounds, p), q), r);
            part->volume += abut_dot(p, abut_cross(q, r));
            ++part->count;
        }
    }
}

/// Lists parts, and their triangles one part after the other.
static void group_triangles(part_survey *s)
{
    const abut_complex *c = s->complex;
    int total = 0;
    for (int i = 0; i < c->vertex_count; ++i) {
        s->parts[i].begin = total;
        total += s->parts[i].count;
        if (s->parts[i].count > 0) {
            s->used[s->used_count++] = i;
        }
        s->parts[i].count = 0;
    }
    for (int i = 0; i < c->info.triangle_count; ++i) {
        if (!c->is_solid[i]) {
            surface_part *part = &s->parts[abut_complex_find_root(s->roots, c->triangles[3 * (size_t)i])];
            s->triangles[part->begin + part->count++] = i;
        }
    }
}

/// The solid angle of a triangle seen from a point, with the sign of the side that is seen: positive from behind. Zero from
/// a point on it, where it would be half of all directions with either sign.
static double solid_angle(const abut_complex *c, const int *t, abut_vec3 p)
{
    abut_vec3 u = abut_sub(c->vertices[t[0]], p), v = abut_sub(c->vertices[t[1]], p),
              w = abut_sub(c->vertices[t[2]], p);
    double a = abut_norm(u), b = abut_norm(v), d = abut_norm(w), flat = 1e-9 * a * b * d;
    double y = abut_dot(u, abut_cross(v, w));
    double x = a * b * d + abut_dot(u, v) * d + abut_dot(v, w) * a + abut_dot(w, u) * b;
    return fabs(y) <= flat && x <= flat ? 0.0 : 2.0 * atan2(y, x);
}

/// How often the closed parts other than `own` wind around a point.
static double turns_around(const part_survey *s, int own, abut_vec3 p)
{
    const double whole = 12.566370614359172; // 4 pi
    const abut_complex *c = s->complex;
    double sum = 0.0;
    for (int i = 0; i < s->used_count; ++i) {
        const surface_part *part = &s->parts[s->used[i]];
        if (s->used[i] != own && !part->is_open && abut_box_contains(part->bounds, p)) {
            for (int k = part->begin; k < part->begin + part->count; ++k) {
                sum += solid_angle(c, c->triangles + 3 * (size_t)s->triangles[k], p);
            }
        }
    }
    return sum / whole;
}

/// Whether a part lies in a solid of the others, as the point of it tells that is farthest from touching them: around a
/// point on a surface they wind a fraction of a turn.
static int is_cavity(const part_survey *s, int own)
{
    const double clear = 0.01; // turns
    const abut_complex *c = s->complex;
    const surface_part *part = &s->parts[own];
    double best = HUGE_VAL;
    int is_inside = 0;
    for (int i = part->begin; i < part->begin + part->count && best > clear; ++i) {
        const int *t = c->triangles + 3 * (size_t)s->triangles[i];
        abut_vec3 sum = {0.0, 0.0, 0.0};
        for (int k = 0; k < 4 && best > clear; ++k) { // its corners and its middle
            abut_vec3 p = k < 3 ? c->vertices[t[k]] : abut_scale(1.0 / 3.0, sum);
            double turns = turns_around(s, own, p), off = fabs(turns - round(turns));
            sum = abut_add(sum, p);
            is_inside = off < best ? turns > 0.5 : is_inside;
            best = fmin(best, off);
        }
    }
    return is_inside;
}

/// Whether a part, named by its first vertex, bounds a solid, from outside or as a cavity; counts it.
static int judge(const part_survey *s, abut_complex_info *info, int i)
{
    const surface_part *part = &s->parts[i];
    int is_solid = !part->is_open && (part->volume > 0.0 || (part->volume < 0.0 && is_cavity(s, i)));
    info->inside_out_count += !is_solid && !part->is_open && part->volume < 0.0;
    info->solid_part_count += is_solid;
    info->shell_part_count += !is_solid;
    return is_solid;
}

static void mark_solids(part_survey *s, abut_complex *c, const abut_complex_def *def, unsigned char *verdicts)
{
    const int *mesh_parts = abut_mesh_get_topology(def->mesh).vertex_parts;
    join_corners(c, s->roots);
    look_at_edges(c, s->roots, s->parts);
    look_at_triangles(c, s->roots, s->parts);
    group_triangles(s);
    for (int i = 0; i < c->vertex_count; ++i) {
        s->parts[i].is_open |=
            def->part_is_shell != NULL && mesh_parts[i] >= 0 && def->part_is_shell[mesh_parts[i]];
    }
    for (int i = 0; i < s->used_count; ++i) {
        verdicts[s->used[i]] = (unsigned char)judge(s, &c->info, s->used[i]);
    }
    int tet_boundary = 0;
    for (int i = 0; i < c->info.triangle_count; ++i) {
        tet_boundary |= c->is_solid[i];
        c->is_solid[i] |= verdicts[abut_complex_find_root(s->roots, c->triangles[3 * (size_t)i])];
        c->info.solid_triangle_count += c->is_solid[i];
    }
    c->info.solid_part_count += tet_boundary; // however many there are
}

abut_status abut_complex_tell_solids(abut_complex *complex, const abut_complex_def *def, abut_error *error)
{
    const abut_context *context = &complex->context;
    size_t count = (size_t)complex->vertex_count;
    part_survey s = {.complex = complex,
                     .roots = abut_allocate(context, count, sizeof(int)),
                     .parts = abut_allocate(context, count, sizeof(surface_part)),
                     .used = abut_allocate(context, count, sizeof(int)),
                     .triangles = abut_allocate(context, (size_t)complex->info.triangle_count, sizeof(int))};
    unsigned char *verdicts = abut_allocate_zeroed(context, count, 1);
    abut_status status = ABUT_OK;
    if (s.roots == NULL || s.parts == NULL || s.used == NULL || s.triangles == NULL || verdicts == NULL) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory to find the solid parts of a complex");
    } else {
        for (size_t i = 0; i < count; ++i) {
            s.parts[i] = (surface_part){.bounds = abut_box_empty()};
        }
        mark_solids(&s, complex, def, verdicts);
    }
    abut_free(context, s.roots);
    abut_free(context, s.parts);
    abut_free(context, s.used);
    abut_free(context, s.triangles);
    abut_free(context, verdicts);
    return status;
}
