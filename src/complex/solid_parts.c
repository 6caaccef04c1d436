// SPDX-License-Identifier: MIT
// solid_parts.c: which parts of a surface bound a solid
//
// A connected part whose edges all have two triangles that run through them in opposite directions is closed. If its
// normals point outward, it bounds a solid. If they point inward, it is a cavity if the other closed parts wind around it
// once more outward than inward; else it is inside out. Parts that are not closed and parts that are inside out are
// shells.
#include "complex/complex.h"

typedef struct surface_part {
    abut_box bounds;
    double volume;
    int is_open, is_used;
} surface_part;

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
            part->is_used = 1;
        }
    }
}

static int is_in_box(abut_box box, abut_vec3 p)
{
    return p.x >= box.lower.x && p.x <= box.upper.x && p.y >= box.lower.y && p.y <= box.upper.y &&
           p.z >= box.lower.z && p.z <= box.upper.z;
}

/// The solid angle of a triangle seen from a point, with the sign of the side that is seen: positive from behind.
static double solid_angle(const abut_complex *c, const int *t, abut_vec3 p)
{
    abut_vec3 u = abut_sub(c->vertices[t[0]], p), v = abut_sub(c->vertices[t[1]], p),
              w = abut_sub(c->vertices[t[2]], p);
    double a = abut_norm(u), b = abut_norm(v), d = abut_norm(w);
    return 2.0 * atan2(abut_dot(u, abut_cross(v, w)),
                       a * b * d + abut_dot(u, v) * d + abut_dot(v, w) * a + abut_dot(w, u) * b);
}

/// Whether a part lies in a solid of the others: how often they wind around its first vertex.
static int is_cavity(const abut_complex *c, int *roots, const surface_part *parts, int part)
{
    const double half = 6.2831853071795862; // of the whole solid angle, 4 pi
    double sum = 0.0;
    for (int i = 0; i < c->info.triangle_count; ++i) {
        const int *t = c->triangles + 3 * (size_t)i;
        int other = c->is_solid[i] ? part : abut_complex_find_root(roots, t[0]);
        if (other != part && !parts[other].is_open && is_in_box(parts[other].bounds, c->vertices[part])) {
            sum += solid_angle(c, t, c->vertices[part]);
        }
    }
    return sum > half;
}

/// Whether a part, named by its first vertex, bounds a solid, from outside or as a cavity; counts it.
static int judge(abut_complex *c, int *roots, const surface_part *parts, int i)
{
    const surface_part *part = &parts[i];
    int is_solid = !part->is_open && (part->volume > 0.0 || (part->volume < 0.0 && is_cavity(c, roots, parts, i)));
    c->info.inside_out_count += !is_solid && !part->is_open && part->volume < 0.0;
    c->info.solid_part_count += is_solid;
    c->info.shell_part_count += !is_solid;
    return is_solid;
}

abut_status abut_complex_tell_solids(abut_complex *complex, const abut_complex_def *def, abut_error *error)
{
    abut_complex *c = complex;
    size_t count = (size_t)c->vertex_count;
    int *roots = abut_allocate(&c->context, count, sizeof *roots);
    surface_part *parts = abut_allocate(&c->context, count, sizeof *parts);
    unsigned char *verdicts = abut_allocate_zeroed(&c->context, count, 1);
    const int *mesh_parts = abut_mesh_get_topology(def->mesh).vertex_parts;
    abut_status status = ABUT_OK;
    if (roots == NULL || parts == NULL || verdicts == NULL) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory to find the solid parts of a complex");
    } else {
        for (size_t i = 0; i < count; ++i) {
            parts[i] = (surface_part){.bounds = abut_box_empty()};
        }
        join_corners(c, roots);
        look_at_edges(c, roots, parts);
        look_at_triangles(c, roots, parts);
        for (size_t i = 0; i < count; ++i) {
            parts[i].is_open |=
                def->part_is_shell != NULL && mesh_parts[i] >= 0 && def->part_is_shell[mesh_parts[i]];
        }
        for (int i = 0; i < c->vertex_count; ++i) {
            verdicts[i] = parts[i].is_used && judge(c, roots, parts, i);
        }
        int tet_boundary = 0;
        for (int i = 0; i < c->info.triangle_count; ++i) {
            tet_boundary |= c->is_solid[i];
            c->is_solid[i] |= verdicts[abut_complex_find_root(roots, c->triangles[3 * (size_t)i])];
            c->info.solid_triangle_count += c->is_solid[i];
        }
        c->info.solid_part_count += tet_boundary; // however many there are
    }
    abut_free(&c->context, roots);
    abut_free(&c->context, parts);
    abut_free(&c->context, verdicts);
    return status;
}
