// SPDX-License-Identifier: MIT
// complex_build.c: a complex from a mesh
//
// The elements are collected, mended (mend.c), joined by their edges, and told solid from shell; then their cones and
// classes are found (classify.c). Tetrahedra count by their boundary only: inside them no distance has a minimum, and
// the boundary with its outward side has the same polar cones (polar_cone.c).
#include "complex/hierarchy.h"

#include "base/error.h"
#include "base/memory.h"
#include "mesh/mesh.h"

static const double double_noise = 0x1p-50; ///< of the largest coordinate: some roundings of positions
static const double float_noise = 0x1p-23;
static const double thinnest = 8.0; ///< in units of the noise: lengths below this have no direction

static abut_complex_def default_complex_def(void)
{
    abut_complex_def def = {0};
    def.struct_size = sizeof def;
    return def;
}

void abut_complex_def_init(abut_complex_def *def, size_t size)
{
    const abut_complex_def made = default_complex_def();
    abut_write_versioned(def, size, &made, sizeof made);
}

// ---- elements of the mesh

static void add_triangle(abut_complex_soup *s, int a, int b, int c, int face, int is_solid)
{
    int *t = s->triangles + 3 * (size_t)s->triangle_count;
    t[0] = a;
    t[1] = b;
    t[2] = c;
    s->faces[s->triangle_count] = face;
    s->is_solid[s->triangle_count++] = (unsigned char)is_solid;
}

static int64_t boundary_count(const abut_mesh_elements *e, const abut_mesh_topology *topology)
{
    int64_t count = 0;
    for (int64_t i = 0; i < 4 * (int64_t)e->tet_count; ++i) {
        count += topology->tet_neighbours[i] == ABUT_BOUNDARY;
    }
    return count;
}

/// The boundary of the tetrahedra, outward, and the triangles that no tetrahedron is behind.
static void gather_triangles(abut_complex_soup *s, const abut_mesh_elements *e, const abut_mesh_topology *topology)
{
    // the corners of the face opposite corner k, outward for tetrahedra with orient3d +1
    static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    for (int64_t i = 0; i < 4 * (int64_t)e->tet_count; ++i) {
        const int *tet = e->tets + i / 4 * 4, *f = faces[i % 4];
        if (topology->tet_neighbours[i] == ABUT_BOUNDARY) {
            int triangle = topology->tet_triangles[i];
            int face = triangle >= 0 ? e->triangle_faces[triangle] : ~(int)(i / 4);
            add_triangle(s, tet[f[0]], tet[f[1]], tet[f[2]], face, 1);
        }
    }
    for (int i = 0; i < e->triangle_count; ++i) {
        if (e->tet_count == 0 || topology->triangle_tets[i] < 0) {
            const int *t = e->triangles + 3 * (size_t)i;
            add_triangle(s, t[0], t[1], t[2], e->triangle_faces[i], 0);
        }
    }
}

static abut_status gather(abut_complex *c, const abut_complex_def *def, abut_complex_soup *s, abut_error *error)
{
    abut_mesh_elements e = abut_mesh_get_elements(def->mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(def->mesh);
    int64_t most = boundary_count(&e, &topology) + e.triangle_count;
    if (4 * most + e.segment_count + e.vertex_count > ABUT_MOST_SIMPLICES) {
        return abut_fail(error, ABUT_LIMIT, "the mesh has more than %d simplices", ABUT_MOST_SIMPLICES);
    }
    s->triangles = abut_allocate(&c->context, (size_t)most, 3 * sizeof(int));
    s->faces = abut_allocate(&c->context, (size_t)most, sizeof(int));
    s->is_solid = abut_allocate(&c->context, (size_t)most, 1);
    s->segments = abut_allocate(&c->context, (size_t)e.segment_count, 2 * sizeof(int));
    s->points = abut_allocate(&c->context, (size_t)e.point_count + (size_t)e.segment_count, sizeof(int));
    if (s->triangles == NULL || s->faces == NULL || s->is_solid == NULL || s->segments == NULL ||
        s->points == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a complex of %lld triangles", (long long)most);
    }
    s->vertices = c->vertices;
    s->vertex_count = c->vertex_count;
    s->thinnest = thinnest * c->noise;
    gather_triangles(s, &e, &topology);
    for (int i = 0; i < 2 * e.segment_count; ++i) {
        s->segments[i] = e.segments[i];
    }
    for (int i = 0; i < e.point_count; ++i) {
        s->points[i] = e.points[i];
    }
    s->segment_count = e.segment_count;
    s->point_count = e.point_count;
    return abut_complex_mend(s, &c->context) ? ABUT_OK
                                             : abut_fail(error, ABUT_NO_MEMORY, "no memory to mend a complex");
}

static abut_status place_vertices(abut_complex *c, const abut_complex_def *def, abut_error *error)
{
    abut_mesh_elements e = abut_mesh_get_elements(def->mesh);
    const abut_vec3 *positions = def->vertices != NULL ? def->vertices : e.vertices;
    abut_box box = abut_box_empty();
    double largest = 0.0;
    c->vertex_count = e.vertex_count;
    c->face_count = e.face_count;
    c->tet_count = e.tet_count;
    c->vertices = abut_allocate(&c->context, (size_t)e.vertex_count, sizeof *c->vertices);
    if (c->vertices == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a complex of %d vertices", e.vertex_count);
    }
    for (int i = 0; i < e.vertex_count; ++i) {
        if (!abut_is_finite(positions[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "vertex %d is not finite", i);
        }
        box = abut_box_add(box, positions[i]);
        largest = fmax(largest, abut_max_component(abut_abs(positions[i])));
    }
    double size = abut_box_diagonal(box);
    if (largest > ABUT_LARGEST_COORDINATE || (size > 0.0 && size < ABUT_LEAST_SIZE)) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "a complex of size %g with coordinates up to %g is too small or too large: scale it", size,
                         largest);
    }
    c->origin = e.vertex_count > 0 ? abut_box_center(box) : abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < e.vertex_count; ++i) {
        c->vertices[i] = abut_sub(positions[i], c->origin);
        c->radius = fmax(c->radius, abut_norm(c->vertices[i]));
    }
    c->noise = largest * (e.precision == ABUT_PRECISION_FLOAT ? float_noise : double_noise);
    return ABUT_OK;
}

// ---- edges

/// A side of a triangle, or a segment, in the list of its lower vertex.
typedef struct edge_entry {
    int high;
    int triangle; ///< -1 for a segment
} edge_entry;

static int is_before(edge_entry a, edge_entry b)
{
    return a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
}

static void sort_entries(edge_entry *entries, int count)
{
    for (int gap = count > 32 ? count / 2 : 1; gap > 0; gap /= 2) {
        for (int i = gap; i < count; ++i) {
            edge_entry entry = entries[i];
            int k = i;
            for (; k >= gap && is_before(entry, entries[k - gap]); k -= gap) {
                entries[k] = entries[k - gap];
            }
            entries[k] = entry;
        }
    }
}

static void enter(int *offsets, edge_entry *entries, int a, int b, int triangle)
{
    int low = a < b ? a : b;
    if (entries == NULL) {
        ++offsets[low + 1];
    } else {
        entries[offsets[low]++] = (edge_entry){a < b ? b : a, triangle};
    }
}

static void enter_all(const abut_complex_soup *s, int *offsets, edge_entry *entries)
{
    for (int i = 0; i < 3 * s->triangle_count; ++i) {
        enter(offsets, entries, s->triangles[i], s->triangles[i % 3 == 2 ? i - 2 : i + 1], i / 3);
    }
    for (int i = 0; i < s->segment_count; ++i) {
        enter(offsets, entries, s->segments[2 * i], s->segments[2 * i + 1], -1);
    }
}

/// Sorts the entries. Returns the number of edges: runs of entries with the same ends.
static int sort_edges(const int *offsets, edge_entry *entries, int vertex_count)
{
    int count = 0;
    for (int low = 0; low < vertex_count; ++low) {
        sort_entries(entries + offsets[low], offsets[low + 1] - offsets[low]);
        for (int i = offsets[low]; i < offsets[low + 1]; ++i) {
            count += i == offsets[low] || entries[i].high != entries[i - 1].high;
        }
    }
    return count;
}

static void make_edges(abut_complex *c, const int *offsets, const edge_entry *entries)
{
    int edge = -1, wing_count = 0;
    for (int low = 0; low < c->vertex_count; ++low) {
        for (int i = offsets[low]; i < offsets[low + 1]; ++i) {
            if (i == offsets[low] || entries[i].high != entries[i - 1].high) {
                c->edges[2 * (size_t)++edge] = low;
                c->edges[2 * (size_t)edge + 1] = entries[i].high;
                c->wing_offsets[edge] = wing_count;
            }
            if (entries[i].triangle >= 0) {
                c->wings[wing_count++] = entries[i].triangle;
            }
        }
    }
    c->wing_offsets[edge + 1] = wing_count;
}

static void make_spokes(abut_complex *c)
{
    for (int i = 0; i < 2 * c->info.edge_count; ++i) {
        ++c->spoke_offsets[c->edges[i] + 1];
    }
    abut_offsets_from_counts(c->spoke_offsets, c->vertex_count);
    for (int i = 0; i < 2 * c->info.edge_count; ++i) {
        c->spokes[c->spoke_offsets[c->edges[i]]++] = i / 2;
    }
    abut_offsets_rewind(c->spoke_offsets, c->vertex_count);
}

static abut_status out_of_memory(abut_error *error)
{
    return abut_fail(error, ABUT_NO_MEMORY, "no memory for the edges of a complex");
}

/// Allocates the arrays of the edges and fills them.
static abut_status fill_edges(abut_complex *c, const int *offsets, const edge_entry *entries, abut_error *error)
{
    size_t count = (size_t)c->info.edge_count;
    c->edges = abut_allocate(&c->context, count, 2 * sizeof(int));
    c->wing_offsets = abut_allocate(&c->context, count + 1, sizeof(int));
    c->wings = abut_allocate(&c->context, 3 * (size_t)c->info.triangle_count, sizeof(int));
    c->spoke_offsets = abut_allocate_zeroed(&c->context, (size_t)c->vertex_count + 1, sizeof(int));
    c->spokes = abut_allocate(&c->context, count, 2 * sizeof(int));
    if (c->edges == NULL || c->wing_offsets == NULL || c->wings == NULL || c->spoke_offsets == NULL ||
        c->spokes == NULL) {
        return out_of_memory(error);
    }
    make_edges(c, offsets, entries);
    make_spokes(c);
    return ABUT_OK;
}

/// Hands the mended elements over to the complex and finds the edges.
static abut_status join_elements(abut_complex *c, abut_complex_soup *s, abut_error *error)
{
    c->info.triangle_count = s->triangle_count;
    c->info.collapsed_count = s->collapsed_count;
    c->info.flipped_count = s->flipped_count;
    c->info.dropped_count = s->dropped_count;
    int *offsets = abut_allocate_zeroed(&c->context, (size_t)c->vertex_count + 1, sizeof *offsets);
    edge_entry *entries =
        abut_allocate(&c->context, 3 * (size_t)s->triangle_count + (size_t)s->segment_count, sizeof *entries);
    abut_status status = ABUT_OK;
    if (offsets == NULL || entries == NULL) {
        status = out_of_memory(error);
    } else {
        enter_all(s, offsets, NULL);
        abut_offsets_from_counts(offsets, c->vertex_count);
        enter_all(s, offsets, entries);
        abut_offsets_rewind(offsets, c->vertex_count);
        c->info.edge_count = sort_edges(offsets, entries, c->vertex_count);
        status = fill_edges(c, offsets, entries, error);
    }
    c->triangles = s->triangles;
    c->triangle_faces = s->faces;
    c->is_solid = s->is_solid;
    s->triangles = s->faces = NULL;
    s->is_solid = NULL;
    abut_free(&c->context, offsets);
    abut_free(&c->context, entries);
    return status;
}

// ---- the object

static int64_t bytes_of(const abut_complex *c)
{
    int64_t vertices = c->vertex_count, edges = c->info.edge_count, triangles = c->info.triangle_count;
    int64_t integers = vertices + 1 + 2 * edges + edges + 1 + 2 * edges + 3 * triangles + 5 * triangles;
    return (int64_t)sizeof *c + vertices * (int64_t)sizeof(abut_vec3) + integers * (int64_t)sizeof(int) +
           triangles + vertices + edges + triangles + c->node_count * (int64_t)sizeof *c->nodes;
}

/// The elements, mended and joined, and which of them are solid.
static abut_status build_elements(abut_complex *c, const abut_complex_def *def, abut_complex_soup *soup,
                                  abut_error *error)
{
    abut_status status = place_vertices(c, def, error);
    if (status == ABUT_OK) {
        status = gather(c, def, soup, error);
    }
    if (status == ABUT_OK && soup->triangle_count + soup->segment_count + soup->point_count == 0) {
        status = abut_fail(error, ABUT_UNSUPPORTED,
                           "the mesh has no points, segments, triangles or tetrahedra to make a complex of");
    }
    if (status == ABUT_OK) {
        status = join_elements(c, soup, error);
    }
    return status == ABUT_OK ? abut_complex_tell_solids(c, def, error) : status;
}

static void release_soup(abut_complex_soup *soup, const abut_context *context)
{
    abut_free(context, soup->triangles);
    abut_free(context, soup->faces);
    abut_free(context, soup->is_solid);
    abut_free(context, soup->segments);
    abut_free(context, soup->points);
}

static abut_status build(abut_complex *c, const abut_complex_def *def, abut_error *error)
{
    abut_complex_soup soup = {0};
    abut_status status = build_elements(c, def, &soup, error);
    if (status == ABUT_OK) {
        status = abut_complex_classify(c, soup.points, soup.point_count, error);
    }
    if (status == ABUT_OK) {
        status = abut_complex_make_hierarchy(c, def->is_plain, error);
    }
    release_soup(&soup, &c->context);
    abut_free(&c->context, c->cones);
    c->cones = NULL;
    c->info.bytes = bytes_of(c);
    return status;
}

abut_status abut_complex_survey(const abut_context *context, const abut_complex_def *def,
                                unsigned char *part_is_solid, abut_error *error)
{
    abut_complex *c = abut_allocate_zeroed(context, 1, sizeof *c);
    if (c == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a complex");
    }
    const int *parts = abut_mesh_get_topology(def->mesh).vertex_parts;
    abut_complex_soup soup = {0};
    c->context = *context;
    abut_status status = build_elements(c, def, &soup, error);
    for (int i = 0; status == ABUT_OK && i < c->info.triangle_count; ++i) {
        int part = parts[c->triangles[3 * (size_t)i]];
        if (part >= 0 && c->is_solid[i]) {
            part_is_solid[part] = 1;
        }
    }
    release_soup(&soup, context);
    abut_complex_destroy(c);
    return status;
}

abut_status abut_complex_create(const abut_context *context, const abut_complex_def *def, abut_complex **complex,
                                abut_error *error)
{
    ABUT_ASSERT(def != NULL && complex != NULL);
    *complex = NULL;
    abut_complex_def read = abut_complex_def_default();
    if (!abut_read_versioned(&read, sizeof read, def) || read.mesh == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the complex's definition was not made by abut_complex_def_default(), or has no mesh");
    }
    abut_context kept = abut_context_or_default(context);
    abut_complex *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a complex");
    }
    made->context = kept;
    abut_status status = build(made, &read, error);
    if (status != ABUT_OK) {
        abut_complex_destroy(made);
        return status;
    }
    *complex = made;
    return ABUT_OK;
}

void abut_complex_destroy(abut_complex *complex)
{
    if (complex == NULL) {
        return;
    }
    abut_context context = complex->context;
    void *const blocks[] = {complex->vertices, complex->triangles,     complex->triangle_faces, complex->patches,
                            complex->is_solid, complex->edges,         complex->wing_offsets,   complex->wings,
                            complex->spokes,   complex->spoke_offsets, complex->classes,        complex->cones,
                            complex->nodes};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(&context, blocks[i]);
    }
    abut_free(&context, complex);
}

abut_complex_info abut_complex_get_info(const abut_complex *complex)
{
    return complex->info;
}

int abut_complex_find_edge(const abut_complex *complex, int vertex_a, int vertex_b)
{
    if (vertex_a < 0 || vertex_a >= complex->vertex_count) {
        return -1;
    }
    for (int i = complex->spoke_offsets[vertex_a]; i < complex->spoke_offsets[vertex_a + 1]; ++i) {
        const int *ends = complex->edges + 2 * (size_t)complex->spokes[i];
        if (vertex_a != vertex_b && (ends[0] == vertex_b || ends[1] == vertex_b)) {
            return complex->spokes[i];
        }
    }
    return -1;
}

abut_simplex abut_complex_get_simplex(const abut_complex *complex, int simplex)
{
    const abut_complex *c = complex;
    abut_simplex s = {0, {-1, -1, -1}, ABUT_NO_CLASS, -1, -1};
    if (simplex < 0 || simplex >= abut_complex_simplex_count(c)) {
        return s;
    }
    int triangle = simplex - c->vertex_count - c->info.edge_count, edge = simplex - c->vertex_count;
    s.corner_count = abut_complex_corners(c, simplex, s.vertices);
    s.simplex_class = c->classes[simplex];
    if (s.corner_count == 3) {
        s.face = c->triangle_faces[triangle];
        s.patch = c->patches[triangle];
    } else if (s.simplex_class == 4) {
        edge = c->spokes[c->spoke_offsets[simplex]];
    }
    if (s.simplex_class == 4 || s.simplex_class == 5) {
        s.patch = c->patches[c->wings[c->wing_offsets[edge]]];
    }
    return s;
}

int abut_complex_vertex_class(const abut_complex *complex, int vertex)
{
    return vertex >= 0 && vertex < complex->vertex_count ? complex->classes[vertex] : ABUT_NO_CLASS;
}

int abut_complex_edge_class(const abut_complex *complex, int vertex_a, int vertex_b)
{
    int edge = abut_complex_find_edge(complex, vertex_a, vertex_b);
    return edge >= 0 ? complex->classes[complex->vertex_count + edge] : -1;
}
