// SPDX-License-Identifier: MIT
// mesh.c: creating a mesh from checked data, its hash, and finding edges
#include "mesh/mesh.h"

#include "base/context.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <limits.h>
#include <string.h>

static abut_mesh_def default_mesh_def(void)
{
    abut_mesh_def def;
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    return def;
}

void abut_mesh_def_init(abut_mesh_def *def, size_t size)
{
    const abut_mesh_def made = default_mesh_def();
    abut_write_versioned(def, size, &made, sizeof made);
}

void *abut_mesh_own(abut_mesh *mesh, size_t count, size_t item_size)
{
    ABUT_ASSERT(mesh->block_count < (int)(sizeof mesh->blocks / sizeof mesh->blocks[0]));
    void *block = abut_allocate(&mesh->context, count, item_size);
    if (block != NULL) {
        mesh->blocks[mesh->block_count++] = block;
    }
    return block;
}

void abut_mesh_disown_last(abut_mesh *mesh)
{
    ABUT_ASSERT(mesh->block_count > 0);
    abut_free(&mesh->context, mesh->blocks[--mesh->block_count]);
}

abut_status abut_mesh_def_check(const abut_mesh_def *def, abut_error *error)
{
    const struct {
        const char *name;
        int count, limit;
        const void *items;
    } arrays[] = {
        {"vertices", def->vertex_count, INT_MAX - 1, def->vertices},
        {"points", def->point_count, INT_MAX - 1, def->points},
        {"segments", def->segment_count, INT_MAX / 2, def->segments},
        {"faces", def->face_count, INT_MAX / 3, def->face_vertices},
        {"tetrahedra", def->tet_count, INT_MAX / 12, def->tets}, // each may give 4 triangles with 12 corners
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        if (arrays[i].count < 0) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "mesh: the number of %s is negative", arrays[i].name);
        }
        if (arrays[i].count > 0 && arrays[i].items == NULL) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "mesh: there are %d %s, but their array is NULL",
                             arrays[i].count, arrays[i].name);
        }
        if (arrays[i].count > arrays[i].limit) {
            return abut_fail(error, ABUT_LIMIT, "mesh: %d %s are too many; the limit is %d", arrays[i].count,
                             arrays[i].name, arrays[i].limit);
        }
    }
    if (def->precision != ABUT_PRECISION_DOUBLE && def->precision != ABUT_PRECISION_FLOAT) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "mesh: `precision` must be ABUT_PRECISION_DOUBLE or ABUT_PRECISION_FLOAT");
    }
    return ABUT_OK;
}

static abut_status check_vertices(const abut_mesh_def *def, abut_error *error)
{
    for (int i = 0; i < def->vertex_count; ++i) {
        if (!abut_is_finite(def->vertices[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "vertex %d has a coordinate that is not finite", i);
        }
    }
    return ABUT_OK;
}

// Checks elements of `size` vertices each: indices must be in range, and those of one element different.
static abut_status check_elements(const abut_mesh_def *def, const char *name, const int *items, int count, int size,
                                  abut_error *error)
{
    for (int i = 0; i < count; ++i) {
        const int *item = items + (size_t)i * (size_t)size;
        for (int k = 0; k < size; ++k) {
            if (item[k] < 0 || item[k] >= def->vertex_count) {
                return abut_fail_element(error, ABUT_BAD_DATA, i, "%s %d has vertex %d, but there are %d vertices",
                                         name, i, item[k], def->vertex_count);
            }
            for (int m = 0; m < k; ++m) {
                if (item[m] == item[k]) {
                    return abut_fail_element(error, ABUT_BAD_DATA, i, "%s %d has vertex %d twice", name, i,
                                             item[k]);
                }
            }
        }
    }
    return ABUT_OK;
}

static abut_status check_faces(const abut_mesh_def *def, abut_error *error)
{
    const int *offsets = def->face_offsets;
    if (offsets != NULL && def->face_count > 0 && offsets[0] != 0) {
        return abut_fail(error, ABUT_BAD_DATA, "the first face offset is %d; it must be 0", offsets[0]);
    }
    for (int i = 0; i < def->face_count; ++i) {
        int begin = offsets != NULL ? offsets[i] : 3 * i;
        int end = offsets != NULL ? offsets[i + 1] : 3 * i + 3;
        if (end < begin) {
            return abut_fail_element(error, ABUT_BAD_DATA, i,
                                     "face %d ends before it begins: face offsets must ascend", i);
        }
        if (end - begin < 3) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "face %d has %d vertices; at least 3 are needed", i,
                                     end - begin);
        }
        if (end - 2 * (i + 1) > INT_MAX / 3) {
            return abut_fail_element(error, ABUT_LIMIT, i, "up to face %d there are more than %d triangles", i,
                                     INT_MAX / 3);
        }
        for (int k = begin; k < end; ++k) {
            if (def->face_vertices[k] < 0 || def->face_vertices[k] >= def->vertex_count) {
                return abut_fail_element(error, ABUT_BAD_DATA, i,
                                         "face %d has vertex %d, but there are %d vertices", i,
                                         def->face_vertices[k], def->vertex_count);
            }
        }
    }
    return ABUT_OK;
}

static abut_status check_data(const abut_mesh_def *def, abut_error *error)
{
    abut_status status = check_vertices(def, error);
    if (status == ABUT_OK) {
        status = check_elements(def, "point", def->points, def->point_count, 1, error);
    }
    if (status == ABUT_OK) {
        status = check_elements(def, "segment", def->segments, def->segment_count, 2, error);
    }
    if (status == ABUT_OK) {
        status = check_elements(def, "tetrahedron", def->tets, def->tet_count, 4, error);
    }
    return status == ABUT_OK ? check_faces(def, error) : status;
}

static void *copy_items(abut_mesh *mesh, const void *items, size_t count, size_t item_size)
{
    void *block = abut_mesh_own(mesh, count, item_size);
    if (block != NULL && count > 0) {
        memcpy(block, items, count * item_size);
    }
    return block;
}

static abut_status copy_data(abut_mesh *mesh, const abut_mesh_def *def, abut_error *error)
{
    abut_mesh_elements *elements = &mesh->elements;
    size_t face_count = (size_t)def->face_count;
    int *offsets = abut_mesh_own(mesh, face_count + 1, sizeof(int));
    if (offsets == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for a mesh");
    }
    offsets[0] = 0;
    for (int i = 0; i < def->face_count; ++i) {
        offsets[i + 1] = def->face_offsets != NULL ? def->face_offsets[i + 1] : 3 * i + 3;
    }
    elements->face_offsets = offsets;
    elements->vertices = copy_items(mesh, def->vertices, (size_t)def->vertex_count, sizeof(abut_vec3));
    elements->points = copy_items(mesh, def->points, (size_t)def->point_count, sizeof(int));
    elements->segments = copy_items(mesh, def->segments, (size_t)def->segment_count, 2 * sizeof(int));
    elements->face_vertices = copy_items(mesh, def->face_vertices, (size_t)offsets[face_count], sizeof(int));
    int *tets = copy_items(mesh, def->tets, (size_t)def->tet_count, 4 * sizeof(int));
    if (elements->vertices == NULL || elements->points == NULL || elements->segments == NULL ||
        elements->face_vertices == NULL || tets == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for a mesh");
    }
    abut_mesh_orient_tets(def->vertices, tets, def->tet_count);
    elements->tets = tets;
    elements->vertex_count = def->vertex_count;
    elements->point_count = def->point_count;
    elements->segment_count = def->segment_count;
    elements->face_count = def->face_count;
    elements->tet_count = def->tet_count;
    elements->precision = def->precision;
    elements->bounds = abut_box_empty();
    for (int i = 0; i < def->vertex_count; ++i) {
        elements->bounds = abut_box_add(elements->bounds, def->vertices[i]);
    }
    return ABUT_OK;
}

static abut_status build(abut_mesh *mesh, const abut_mesh_def *def, abut_error *error)
{
    abut_status status = copy_data(mesh, def, error);
    if (status == ABUT_OK) {
        status = abut_mesh_make_triangles(mesh, error);
    }
    if (status == ABUT_OK) {
        status = abut_mesh_make_tet_topology(mesh, error);
    }
    if (status == ABUT_OK) {
        status = abut_mesh_make_topology(mesh, error);
    }
    return status == ABUT_OK ? abut_mesh_make_info(mesh, error) : status;
}

abut_status abut_mesh_create(const abut_context *context, const abut_mesh_def *def, abut_mesh **mesh,
                             abut_error *error)
{
    if (mesh == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "mesh: `mesh` is NULL");
    }
    *mesh = NULL;
    if (def == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "mesh: `def` is NULL");
    }
    abut_mesh_def read = abut_mesh_def_default();
    if (!abut_read_versioned(&read, sizeof read, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "mesh: start from abut_mesh_def_default()");
    }
    abut_status status = abut_mesh_def_check(&read, error);
    if (status == ABUT_OK) {
        status = check_data(&read, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_context kept = abut_context_or_default(context);
    abut_mesh *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for a mesh");
    }
    made->context = kept;
    status = build(made, &read, error);
    if (status != ABUT_OK) {
        abut_mesh_destroy(made);
        return status;
    }
    *mesh = made;
    return ABUT_OK;
}

void abut_mesh_destroy(abut_mesh *mesh)
{
    if (mesh == NULL) {
        return;
    }
    while (mesh->block_count > 0) {
        abut_mesh_disown_last(mesh);
    }
    abut_context context = mesh->context;
    abut_free(&context, mesh);
}

abut_mesh_elements abut_mesh_get_elements(const abut_mesh *mesh)
{
    return mesh->elements;
}

abut_mesh_topology abut_mesh_get_topology(const abut_mesh *mesh)
{
    return mesh->topology;
}

abut_mesh_info abut_mesh_get_info(const abut_mesh *mesh)
{
    return mesh->info;
}

static uint64_t mix_ints(uint64_t hash, const int *items, size_t count)
{
    hash = abut_hash_mix(hash, count);
    for (size_t i = 0; i < count; ++i) {
        hash = abut_hash_mix(hash, (uint64_t)items[i]);
    }
    return hash;
}

uint64_t abut_mesh_hash(const abut_mesh *mesh)
{
    const abut_mesh_elements *elements = &mesh->elements;
    uint64_t hash = abut_hash_mix((uint64_t)elements->precision, (uint64_t)elements->vertex_count);
    for (int i = 0; i < elements->vertex_count; ++i) {
        hash = abut_hash_double(hash, elements->vertices[i].x);
        hash = abut_hash_double(hash, elements->vertices[i].y);
        hash = abut_hash_double(hash, elements->vertices[i].z);
    }
    hash = mix_ints(hash, elements->points, (size_t)elements->point_count);
    hash = mix_ints(hash, elements->segments, 2 * (size_t)elements->segment_count);
    hash = mix_ints(hash, elements->face_offsets, (size_t)elements->face_count + 1);
    hash = mix_ints(hash, elements->face_vertices, (size_t)elements->face_offsets[elements->face_count]);
    return mix_ints(hash, elements->tets, 4 * (size_t)elements->tet_count);
}

int abut_mesh_find_edge(const abut_mesh *mesh, int vertex_a, int vertex_b)
{
    const abut_mesh_topology *topology = &mesh->topology;
    int lower = vertex_a < vertex_b ? vertex_a : vertex_b;
    int upper = vertex_a < vertex_b ? vertex_b : vertex_a;
    if (lower < 0 || upper >= mesh->elements.vertex_count) {
        return -1;
    }
    // edges are sorted by their vertices
    int begin = 0, end = topology->edge_count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        const int *edge = topology->edge_vertices + 2 * (size_t)middle;
        if (edge[0] < lower || (edge[0] == lower && edge[1] < upper)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    const int *edge = topology->edge_vertices + 2 * (size_t)begin;
    return begin < topology->edge_count && edge[0] == lower && edge[1] == upper ? begin : -1;
}
