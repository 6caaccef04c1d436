// SPDX-License-Identifier: MIT
// soft_build.c: from a mesh and a material to elements, masses and the pattern of the matrix
//
// Springs of cloth have the stiffness k = stretch (area of the triangles at the edge) / length^2 (Van Gelder 1998): on a
// lattice of equilateral triangles that is a sheet of Young's modulus times thickness `stretch` and Poisson's ratio 1/3. The
// springs across pairs of triangles follow the same rule with `shear`, and add to it. Hinges have
// k = bend (length of the edge)^2 / (area of both triangles), which gives the energy bend / 2 curvature^2 per area for
// cylinders on that lattice.
#include "base/error.h"
#include "soft/soft.h"

#include <float.h>
#include <limits.h>

void abut_soft_material_init(abut_soft_material *material, size_t size)
{
    abut_soft_material defaults = {
        .struct_size = sizeof defaults, .density = 1.0, .area_density = 1.0, .line_density = 1.0};
    abut_write_versioned(material, size, &defaults, sizeof defaults);
}

void abut_soft_def_init(abut_soft_def *def, size_t size)
{
    abut_soft_def defaults = {.struct_size = sizeof defaults};
    abut_write_versioned(def, size, &defaults, sizeof defaults);
}

/// A value of a material with its range.
typedef struct material_value {
    const char *name;
    double value, least, most;
    int is_open; ///< the least value itself is wrong
} material_value;

static abut_status check_material(const abut_soft *s, const abut_mesh_elements *elements, abut_error *error)
{
    const abut_soft_material *m = &s->material;
    int has_tets = elements->tet_count > 0, has_cloth = !has_tets && elements->triangle_count > 0;
    int has_ropes = elements->segment_count > 0;
    const material_value values[] = {
        {"density", m->density, 0.0, DBL_MAX, has_tets},
        {"area_density", m->area_density, 0.0, DBL_MAX, has_cloth},
        {"line_density", m->line_density, 0.0, DBL_MAX, has_ropes},
        {"young", m->young, 0.0, DBL_MAX, has_tets},
        {"poisson", m->poisson, -1.0, 0.5, 1},
        {"stretch", m->stretch, 0.0, DBL_MAX, has_cloth},
        {"shear", m->shear, 0.0, DBL_MAX, 0},
        {"bend", m->bend, 0.0, DBL_MAX, 0},
        {"rope", m->rope, 0.0, DBL_MAX, has_ropes},
        {"mass_damping", m->mass_damping, 0.0, DBL_MAX, 0},
        {"shape_damping", m->shape_damping, 0.0, DBL_MAX, 0},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        const material_value *v = &values[i];
        int is_above = v->is_open ? v->value > v->least : v->value >= v->least;
        if (!is_above || !(v->value < v->most)) {
            return abut_fail(error, ABUT_BAD_DATA, "material: %s is %g, but must be %s %g and %s", v->name,
                             v->value, v->is_open ? "above" : "at least", v->least,
                             v->most < 1.0 ? "below 0.5" : "finite");
        }
    }
    return ABUT_OK;
}

static double triangle_area(const abut_mesh_elements *e, int triangle)
{
    const int *c = &e->triangles[3 * triangle];
    abut_vec3 a = e->vertices[c[0]];
    return 0.5 * abut_norm(abut_cross(abut_sub(e->vertices[c[1]], a), abut_sub(e->vertices[c[2]], a)));
}

static int opposite_corner(const abut_mesh_elements *e, int triangle, const int *ends)
{
    const int *c = &e->triangles[3 * triangle];
    for (int k = 0; k < 2; ++k) {
        if (c[k] != ends[0] && c[k] != ends[1]) {
            return c[k];
        }
    }
    return c[2];
}

// Without area to hold, as along a triangle of no area, there is no spring.
static abut_status add_spring(abut_soft *s, const abut_vec3 *vertices, const int *ends,
                              double stiffness_length_squared, abut_error *error)
{
    double length = abut_norm(abut_sub(vertices[ends[1]], vertices[ends[0]]));
    if (!(length > 0.0)) {
        return abut_fail_element(error, ABUT_BAD_DATA, ends[0],
                                 "the edge of vertices %d and %d has no length: weld them (abut mesh repair)",
                                 ends[0], ends[1]);
    }
    double stiffness = stiffness_length_squared / (length * length);
    if (stiffness > 0.0) {
        s->springs[s->spring_count++] = (abut_soft_spring){{ends[0], ends[1]}, length, stiffness};
    }
    return ABUT_OK;
}

// Springs along edges and across pairs of triangles, and hinges.
static abut_status add_cloth_edge(abut_soft *s, const abut_mesh_elements *e, const abut_mesh_topology *t, int edge,
                                  abut_error *error)
{
    const int *ends = &t->edge_vertices[2 * edge];
    int begin = t->edge_triangle_offsets[edge], count = t->edge_triangle_offsets[edge + 1] - begin;
    double area = 0.0;
    for (int i = 0; i < count; ++i) {
        area += triangle_area(e, t->edge_triangles[begin + i]);
    }
    abut_status status = ABUT_OK;
    if (count > 0) {
        status = add_spring(s, e->vertices, ends, s->material.stretch * area, error);
    }
    if (status != ABUT_OK || count != 2) {
        return status;
    }
    int across[2] = {opposite_corner(e, t->edge_triangles[begin], ends),
                     opposite_corner(e, t->edge_triangles[begin + 1], ends)};
    abut_vec3 corners[4] = {e->vertices[ends[0]], e->vertices[ends[1]], e->vertices[across[0]],
                            e->vertices[across[1]]};
    double between = abut_norm_squared(abut_sub(corners[3], corners[2]));
    if (s->material.shear > 0.0 && between > 0.0) {
        status = add_spring(s, e->vertices, across, s->material.shear * area, error);
    }
    abut_vec3 gradients[4];
    double angle = abut_soft_hinge_angle(corners, gradients);
    if (s->material.bend > 0.0 && abut_norm_squared(gradients[2]) > 0.0) {
        double stiffness = s->material.bend * abut_norm_squared(abut_sub(corners[1], corners[0])) / area;
        s->hinges[s->hinge_count++] = (abut_soft_hinge){{ends[0], ends[1], across[0], across[1]}, angle, stiffness};
    }
    return status;
}

static abut_status add_tet(abut_soft *s, const abut_mesh_elements *e, int index, abut_error *error)
{
    const int *c = &e->tets[4 * index];
    abut_vec3 a = abut_sub(e->vertices[c[1]], e->vertices[c[0]]),
              b = abut_sub(e->vertices[c[2]], e->vertices[c[0]]),
              d = abut_sub(e->vertices[c[3]], e->vertices[c[0]]);
    double six_volumes = abut_dot(a, abut_cross(b, d));
    double longest = fmax(fmax(abut_norm(a), abut_norm(b)), abut_norm(d));
    if (!(fabs(six_volumes) > 1e-12 * longest * longest * longest)) {
        return abut_fail_element(error, ABUT_BAD_DATA, index, "tetrahedron %d (vertices %d %d %d %d) has no volume",
                                 index, c[0], c[1], c[2], c[3]);
    }
    abut_soft_tet *tet = &s->tets[s->tet_count++];
    memcpy(tet->corners, c, sizeof tet->corners);
    tet->volume = fabs(six_volumes) / 6.0;
    tet->gradients[1] = abut_scale(1.0 / six_volumes, abut_cross(b, d));
    tet->gradients[2] = abut_scale(1.0 / six_volumes, abut_cross(d, a));
    tet->gradients[3] = abut_scale(1.0 / six_volumes, abut_cross(a, b));
    tet->gradients[0] = abut_negate(abut_add(abut_add(tet->gradients[1], tet->gradients[2]), tet->gradients[3]));
    return ABUT_OK;
}

// Two tetrahedra with a common face must be on two sides of it: else one of them is inside out.
static abut_status check_neighbours(const abut_mesh_elements *e, const abut_mesh_topology *t, int index,
                                    abut_error *error)
{
    const int *c = &e->tets[4 * index];
    for (int k = 0; k < 4; ++k) {
        int other = t->tet_neighbours[4 * index + k];
        if (other <= index) {
            continue;
        }
        const int face[3] = {c[(k + 1) % 4], c[(k + 2) % 4], c[(k + 3) % 4]};
        abut_vec3 at = e->vertices[face[0]],
                  normal = abut_cross(abut_sub(e->vertices[face[1]], at), abut_sub(e->vertices[face[2]], at));
        for (int i = 0; i < 4; ++i) {
            int v = e->tets[4 * other + i];
            int is_across = v != face[0] && v != face[1] && v != face[2];
            double own = abut_dot(normal, abut_sub(e->vertices[c[k]], at));
            if (is_across && own * abut_dot(normal, abut_sub(e->vertices[v], at)) > 0.0) {
                return abut_fail_element(
                    error, ABUT_BAD_DATA, index,
                    "tetrahedra %d and %d are on the same side of their common face: one of them "
                    "is inside out",
                    index, other);
            }
        }
    }
    return ABUT_OK;
}

static void add_mass(abut_soft *s, const int *corners, int count, double mass)
{
    for (int i = 0; i < count; ++i) {
        s->masses[corners[i]] += mass / count;
    }
}

// Elements and masses. The arrays have room for all that the mesh can give.
static abut_status add_elements(abut_soft *s, const abut_mesh_elements *e, const abut_mesh_topology *t,
                                abut_error *error)
{
    abut_status status = ABUT_OK;
    for (int i = 0; i < e->tet_count && status == ABUT_OK; ++i) {
        status = add_tet(s, e, i, error);
        status = status == ABUT_OK ? check_neighbours(e, t, i, error) : status;
        if (status != ABUT_OK) {
            return status;
        }
        add_mass(s, &e->tets[4 * i], 4, s->material.density * s->tets[i].volume);
    }
    for (int i = 0; e->tet_count == 0 && i < t->edge_count && status == ABUT_OK; ++i) {
        status = add_cloth_edge(s, e, t, i, error);
    }
    for (int i = 0; e->tet_count == 0 && i < e->triangle_count; ++i) {
        add_mass(s, &e->triangles[3 * i], 3, s->material.area_density * triangle_area(e, i));
    }
    for (int i = 0; i < e->segment_count && status == ABUT_OK; ++i) {
        const int *ends = &e->segments[2 * i];
        double length = abut_norm(abut_sub(e->vertices[ends[1]], e->vertices[ends[0]]));
        status = add_spring(s, e->vertices, ends, s->material.rope * length, error);
        add_mass(s, ends, 2, s->material.line_density * length);
    }
    return status;
}

static const int *corners_of(const abut_soft *s, int element, int *count)
{
    *count = element < s->spring_count ? 2 : 4;
    if (element < s->spring_count) {
        return s->springs[element].corners;
    }
    element -= s->spring_count;
    return element < s->hinge_count ? s->hinges[element].corners : s->tets[element - s->hinge_count].corners;
}

static int element_of(const abut_soft *s, int slot)
{
    int springs = 2 * s->spring_count;
    return slot < springs ? slot / 2 : s->spring_count + (slot - springs) / 4;
}

// Slots of each vertex, ascending.
static int collect_slots(abut_soft *s)
{
    int element_count = s->spring_count + s->hinge_count + s->tet_count;
    s->slot_count = abut_soft_first_slot(s, element_count);
    s->slot_offsets = abut_allocate_zeroed(&s->context, (size_t)s->vertex_count + 2, sizeof(int));
    s->slots = abut_allocate(&s->context, (size_t)s->slot_count, sizeof(int));
    if (s->slot_offsets == NULL || s->slots == NULL) {
        return 0;
    }
    for (int pass = 0; pass < 2; ++pass) { // counts at v + 2, then ends of the last vertex at v + 1
        for (int e = 0; e < element_count; ++e) {
            int count, first = abut_soft_first_slot(s, e);
            const int *corners = corners_of(s, e, &count);
            for (int k = 0; k < count; ++k) {
                if (pass == 0) {
                    ++s->slot_offsets[corners[k] + 2];
                } else {
                    s->slots[s->slot_offsets[corners[k] + 1]++] = first + k;
                }
            }
        }
        for (int v = 0; pass == 0 && v < s->vertex_count; ++v) {
            s->slot_offsets[v + 2] += s->slot_offsets[v + 1];
        }
    }
    return 1;
}

// Calls for each vertex that shares an element with `vertex`, once, and for itself. `seen` holds the last vertex for which
// each was called.
static int list_neighbours(const abut_soft *s, int vertex, int *seen, int *neighbours)
{
    int found = 0;
    seen[vertex] = vertex;
    neighbours[found++] = vertex;
    for (int i = s->slot_offsets[vertex]; i < s->slot_offsets[vertex + 1]; ++i) {
        int count;
        const int *corners = corners_of(s, element_of(s, s->slots[i]), &count);
        for (int k = 0; k < count; ++k) {
            if (seen[corners[k]] != vertex) {
                seen[corners[k]] = vertex;
                neighbours[found++] = corners[k];
            }
        }
    }
    return found;
}

// The block of a row and a column that is in the pattern.
static int find_block(const abut_soft_matrix *m, int row, int column)
{
    int low = m->offsets[row], high = m->offsets[row + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (m->columns[middle] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The pattern is symmetric: adding column c to the rows of its neighbours, with c ascending, leaves the rows sorted.
static abut_status find_pattern(abut_soft *s, int *seen, int *neighbours, abut_error *error)
{
    abut_soft_matrix *m = &s->matrix;
    int64_t total = 0;
    m->row_count = s->vertex_count;
    m->offsets = abut_allocate_zeroed(&s->context, (size_t)s->vertex_count + 2, sizeof(int));
    m->diagonal = abut_allocate(&s->context, (size_t)s->vertex_count, sizeof(int));
    s->slot_blocks = abut_allocate(&s->context, (size_t)s->slot_count, 4 * sizeof(int));
    if (m->offsets == NULL || m->diagonal == NULL || s->slot_blocks == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int pass = 0; pass < 2; ++pass) {
        memset(seen, -1, (size_t)s->vertex_count * sizeof *seen);
        for (int c = 0; c < s->vertex_count; ++c) {
            int count = list_neighbours(s, c, seen, neighbours);
            for (int k = 0; k < count; ++k) {
                if (pass == 0) {
                    ++m->offsets[neighbours[k] + 2];
                } else {
                    m->columns[m->offsets[neighbours[k] + 1]++] = c;
                }
            }
            total += pass == 0 ? count : 0;
            if (total > INT_MAX) {
                return abut_fail(error, ABUT_LIMIT, "the body has more than %d pairs of neighbours", INT_MAX);
            }
        }
        for (int v = 0; pass == 0 && v < s->vertex_count; ++v) {
            m->offsets[v + 2] += m->offsets[v + 1];
        }
        if (pass == 0) {
            m->columns = abut_allocate(&s->context, (size_t)total, sizeof(int));
            s->base = abut_allocate(&s->context, (size_t)total, sizeof *s->base);
            s->stiffness = abut_allocate(&s->context, (size_t)total, sizeof *s->stiffness);
            if (m->columns == NULL || s->base == NULL || s->stiffness == NULL) {
                return ABUT_NO_MEMORY;
            }
        }
    }
    for (int v = 0; v < s->vertex_count; ++v) {
        m->diagonal[v] = find_block(m, v, v);
        for (int i = s->slot_offsets[v]; i < s->slot_offsets[v + 1]; ++i) {
            int count;
            const int *corners = corners_of(s, element_of(s, s->slots[i]), &count);
            for (int k = 0; k < count; ++k) {
                s->slot_blocks[4 * s->slots[i] + k] = find_block(m, v, corners[k]);
            }
        }
    }
    return ABUT_OK;
}

// What steps work on.
static int allocate_scratch(abut_soft *s)
{
    size_t vertices = (size_t)s->vertex_count;
    size_t elements = (size_t)s->spring_count + (size_t)s->hinge_count + (size_t)s->tet_count;
    s->slot_forces = abut_allocate_zeroed(&s->context, (size_t)s->slot_count, sizeof *s->slot_forces);
    s->slot_axes = abut_allocate_zeroed(&s->context, (size_t)s->slot_count, sizeof *s->slot_axes);
    s->element_energies = abut_allocate_zeroed(&s->context, elements, sizeof *s->element_energies);
    s->tet_is_inverted = abut_allocate_zeroed(&s->context, (size_t)s->tet_count, 1);
    s->tet_twists = abut_allocate_zeroed(&s->context, (size_t)s->tet_count, sizeof *s->tet_twists);
    s->inverses = abut_allocate(&s->context, vertices, sizeof *s->inverses);
    s->sums = abut_allocate(&s->context, (vertices > elements ? vertices : elements) / 256 + 1, sizeof *s->sums);
    int is_complete = s->slot_forces != NULL && s->slot_axes != NULL && s->element_energies != NULL &&
                      s->tet_is_inverted != NULL && s->tet_twists != NULL && s->inverses != NULL && s->sums != NULL;
    for (int i = 0; i < SOFT_VECTOR_COUNT; ++i) {
        s->vectors[i] = abut_allocate_zeroed(&s->context, vertices, sizeof(abut_vec3));
        is_complete = is_complete && s->vectors[i] != NULL;
    }
    return is_complete;
}

static abut_status fill(abut_soft *s, const abut_soft_def *def, abut_error *error)
{
    abut_mesh_elements e = abut_mesh_get_elements(s->mesh);
    abut_mesh_topology t = abut_mesh_get_topology(s->mesh);
    int has_cloth = e.tet_count == 0 && e.triangle_count > 0;
    size_t edges = has_cloth ? (size_t)t.edge_count : 0;
    if ((int64_t)edges * 8 + (int64_t)e.segment_count * 2 + (int64_t)e.tet_count * 4 > INT_MAX / 4) {
        return abut_fail(error, ABUT_LIMIT, "the mesh has too many elements for a soft body");
    }
    s->springs = abut_allocate(&s->context, 2 * edges + (size_t)e.segment_count, sizeof *s->springs);
    s->hinges = abut_allocate(&s->context, edges, sizeof *s->hinges);
    s->tets = abut_allocate(&s->context, (size_t)e.tet_count, sizeof *s->tets);
    s->masses = abut_allocate_zeroed(&s->context, (size_t)s->vertex_count, sizeof *s->masses);
    s->is_pinned = abut_allocate_zeroed(&s->context, (size_t)s->vertex_count, 1);
    s->positions = abut_allocate(&s->context, (size_t)s->vertex_count, sizeof *s->positions);
    s->velocities = abut_allocate_zeroed(&s->context, (size_t)s->vertex_count, sizeof *s->velocities);
    if (s->springs == NULL || s->hinges == NULL || s->tets == NULL || s->masses == NULL || s->is_pinned == NULL ||
        s->positions == NULL || s->velocities == NULL) {
        return ABUT_NO_MEMORY;
    }
    abut_status status = add_elements(s, &e, &t, error);
    if (status != ABUT_OK) {
        return status;
    }
    for (int i = 0; i < s->vertex_count; ++i) {
        s->positions[i] = def->positions != NULL ? def->positions[i] : e.vertices[i];
        s->velocities[i] = def->velocities != NULL ? def->velocities[i] : s->velocities[i];
        if (!abut_is_finite(s->positions[i]) || !abut_is_finite(s->velocities[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "position or velocity of vertex %d is not finite", i);
        }
        int is_used = t.vertex_parts[i] >= 0;
        s->unused_vertex_count += !(s->masses[i] > 0.0);
        s->is_pinned[i] = !(s->masses[i] > 0.0);
        if (is_used && !(s->masses[i] > 0.0 && isfinite(s->masses[i]))) {
            return abut_fail_element(error, ABUT_BAD_DATA, i,
                                     "vertex %d has no mass: it is a point, or all elements at it have no size", i);
        }
    }
    for (int i = 0; i < def->pin_count; ++i) {
        if (def->pins[i] < 0 || def->pins[i] >= s->vertex_count) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "pin %d names vertex %d, but there are %d", i,
                                     def->pins[i], s->vertex_count);
        }
        s->is_pinned[def->pins[i]] = 1;
    }
    if (!collect_slots(s)) {
        return ABUT_NO_MEMORY;
    }
    int *seen = abut_allocate(&s->context, (size_t)s->vertex_count, 2 * sizeof *seen);
    status = seen != NULL ? find_pattern(s, seen, seen + s->vertex_count, error) : ABUT_NO_MEMORY;
    abut_free(&s->context, seen);
    return status == ABUT_OK && !allocate_scratch(s) ? ABUT_NO_MEMORY : status;
}

abut_status abut_soft_create(const abut_context *context, const abut_soft_def *given, abut_soft **soft,
                             abut_error *error)
{
    ABUT_ASSERT(given != NULL && soft != NULL);
    *soft = NULL;
    abut_soft_def def = {.struct_size = sizeof def};
    abut_soft_material material;
    abut_soft_material_init(&material, sizeof material);
    if (!abut_read_versioned(&def, sizeof def, given) ||
        (def.material != NULL && !abut_read_versioned(&material, sizeof material, def.material))) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "abut_soft_def or abut_soft_material has a wrong struct_size: start from the defaults");
    }
    if (def.mesh == NULL || def.pin_count < 0 || (def.pin_count > 0 && def.pins == NULL)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a soft body needs a mesh, and an array for its pins");
    }
    abut_mesh_elements e = abut_mesh_get_elements(def.mesh);
    if (e.tet_count == 0 && e.triangle_count == 0 && e.segment_count == 0) {
        return abut_fail(error, ABUT_UNSUPPORTED, "a soft body needs tetrahedra, triangles or segments");
    }
    abut_context own = abut_context_or_default(context);
    abut_soft *s = abut_allocate_zeroed(&own, 1, sizeof *s);
    if (s == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory");
    }
    s->context = own;
    s->mesh = def.mesh;
    s->material = material;
    s->vertex_count = e.vertex_count;
    s->mu = material.young / (2.0 * (1.0 + material.poisson));
    s->lambda = material.young * material.poisson / ((1.0 + material.poisson) * (1.0 - 2.0 * material.poisson));
    abut_status status = check_material(s, &e, error);
    status = status == ABUT_OK ? fill(s, &def, error) : status;
    if (status != ABUT_OK) {
        abut_soft_destroy(s);
        return status == ABUT_NO_MEMORY ? abut_fail(error, status, "out of memory") : status;
    }
    *soft = s;
    return ABUT_OK;
}

void abut_soft_destroy(abut_soft *soft)
{
    if (soft == NULL) {
        return;
    }
    abut_context context = soft->context;
    void *blocks[] = {
        soft->springs,         soft->hinges,     soft->tets,         soft->masses,          soft->is_pinned,
        soft->positions,       soft->velocities, soft->slot_offsets, soft->slots,           soft->slot_blocks,
        soft->slot_forces,     soft->slot_axes,  soft->sums,         soft->inverses,        soft->matrix.offsets,
        soft->matrix.columns,  soft->base,       soft->stiffness,    soft->matrix.diagonal, soft->element_energies,
        soft->tet_is_inverted, soft->tet_twists};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(&context, blocks[i]);
    }
    for (int i = 0; i < SOFT_VECTOR_COUNT; ++i) {
        abut_free(&context, soft->vectors[i]);
    }
    abut_free(&context, soft);
}
