// SPDX-License-Identifier: MIT
// complex_file.c: a complex with its hierarchy as a block of bytes
//
// A header with magic, version, sizes and a hash of the rest, then the arrays as they are in memory. Loading checks the
// hash, and every index and number, so that a damaged or forged block is refused and never read out of bounds. Bounds
// of nodes are not recomputed: what the hash covers is trusted to be what was built.
#include "base/hash.h"
#include "complex/hierarchy.h"
#include "mesh/mesh.h"

#include <string.h>

enum {
    VERSION = 3,
    ORDER = 0x01020304 ///< reads differently on machines with the other byte order
};

static const char magic[8] = "abutcpx";

typedef struct file_header {
    char magic[8];
    uint32_t version, order, node_size;
    int32_t face_count;
    uint64_t size, hash; ///< of the whole
    abut_complex_info info;
    double origin[3], radius, noise;
    int32_t vertex_count, wing_count, node_count, tet_count;
} file_header;

_Static_assert(sizeof(file_header) == 176, "no padding, and no change without a new version");

/// An array of a complex: where its pointer is in the struct, and its size in bytes.
typedef struct block {
    size_t at;
    size_t size;
} block;

enum { BLOCKS = 12 };

static void list_blocks(const abut_complex *c, int wing_count, block blocks[BLOCKS])
{
    size_t vertices = (size_t)c->vertex_count, edges = (size_t)c->info.edge_count;
    size_t triangles = (size_t)c->info.triangle_count;
    const block listed[BLOCKS] = {
        {offsetof(abut_complex, vertices), vertices * sizeof(abut_vec3)},
        {offsetof(abut_complex, nodes), (size_t)c->node_count * sizeof(abut_lmd_node)},
        {offsetof(abut_complex, triangles), 3 * triangles * sizeof(int)},
        {offsetof(abut_complex, triangle_faces), triangles * sizeof(int)},
        {offsetof(abut_complex, patches), triangles * sizeof(int)},
        {offsetof(abut_complex, edges), 2 * edges * sizeof(int)},
        {offsetof(abut_complex, wing_offsets), (edges + 1) * sizeof(int)},
        {offsetof(abut_complex, wings), (size_t)wing_count * sizeof(int)},
        {offsetof(abut_complex, spoke_offsets), (vertices + 1) * sizeof(int)},
        {offsetof(abut_complex, spokes), 2 * edges * sizeof(int)},
        {offsetof(abut_complex, classes), vertices + edges + triangles},
        {offsetof(abut_complex, is_solid), triangles},
    };
    memcpy(blocks, listed, sizeof listed);
}

static uint64_t hash_bytes(const unsigned char *bytes, size_t size)
{
    uint64_t hash = abut_hash_mix(ABUT_HASH_START, size);
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        hash = abut_hash_mix(hash, word);
    }
    return hash;
}

static size_t total_size(const block blocks[BLOCKS])
{
    size_t size = sizeof(file_header);
    for (int i = 0; i < BLOCKS; ++i) {
        size += blocks[i].size;
    }
    return size;
}

static int wing_total(const abut_complex *c)
{
    return c->wing_offsets[c->info.edge_count];
}

size_t abut_complex_saved_size(const abut_complex *complex)
{
    block blocks[BLOCKS];
    list_blocks(complex, wing_total(complex), blocks);
    return total_size(blocks);
}

/// The hash of a header, with 0 for its own hash, and of all that follows.
static uint64_t hash_of(const file_header *header, const unsigned char *bytes, size_t size)
{
    file_header h;
    memcpy(&h, header, sizeof h);
    unsigned char copy[sizeof h];
    h.hash = 0;
    memcpy(copy, &h, sizeof h);
    return abut_hash_mix(hash_bytes(copy, sizeof copy), hash_bytes(bytes, size));
}

void abut_complex_seal(void *buffer, size_t size)
{
    file_header h;
    memcpy(&h, buffer, sizeof h);
    h.size = size;
    h.hash = hash_of(&h, (unsigned char *)buffer + sizeof h, size - sizeof h);
    memcpy(buffer, &h, sizeof h);
}

void abut_complex_save(const abut_complex *complex, void *buffer)
{
    block blocks[BLOCKS];
    unsigned char *next = (unsigned char *)buffer + sizeof(file_header);
    list_blocks(complex, wing_total(complex), blocks);
    for (int i = 0; i < BLOCKS; ++i) {
        const void *items;
        memcpy(&items, (const char *)complex + blocks[i].at, sizeof items); // a pointer of any type
        memcpy(next, items, blocks[i].size);
        next += blocks[i].size;
    }
    file_header h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, magic, sizeof h.magic);
    h.version = VERSION;
    h.order = ORDER;
    h.node_size = sizeof(abut_lmd_node);
    h.info = complex->info;
    h.origin[0] = complex->origin.x;
    h.origin[1] = complex->origin.y;
    h.origin[2] = complex->origin.z;
    h.radius = complex->radius;
    h.noise = complex->noise;
    h.vertex_count = complex->vertex_count;
    h.wing_count = wing_total(complex);
    h.node_count = complex->node_count;
    h.face_count = complex->face_count;
    h.tet_count = complex->tet_count;
    memcpy(buffer, &h, sizeof h);
    abut_complex_seal(buffer, total_size(blocks));
}

// ---- checks

/// NULL, or what is wrong with the header.
static const char *header_fault(const file_header *h, size_t size)
{
    const abut_complex_info *info = &h->info;
    int64_t simplices = (int64_t)h->vertex_count + info->edge_count + info->triangle_count;
    if (memcmp(h->magic, magic, sizeof h->magic) != 0) {
        return "it is not a saved complex";
    }
    if (h->version != VERSION || h->order != ORDER || h->node_size != sizeof(abut_lmd_node)) {
        return "it was saved by another version or on another kind of machine: build it again";
    }
    if (h->size != size) {
        return "it is cut short";
    }
    if (h->vertex_count < 0 || info->edge_count < 0 || info->triangle_count < 0 ||
        simplices > ABUT_MOST_SIMPLICES || h->wing_count != 3 * (int64_t)info->triangle_count ||
        h->node_count < 0 || h->node_count > simplices || h->node_count > INT32_MAX / ABUT_LMD_CHILDREN ||
        h->face_count < 0 || h->tet_count < 0) {
        return "its counts are impossible";
    }
    double numbers = h->origin[0] + h->origin[1] + h->origin[2] + h->radius + h->noise;
    return isfinite(numbers) && h->radius >= 0.0 && h->noise >= 0.0 ? NULL : "its numbers are not finite";
}

static int are_indices(const int *items, size_t count, int limit)
{
    for (size_t i = 0; i < count; ++i) {
        if (items[i] < 0 || items[i] >= limit) {
            return 0;
        }
    }
    return 1;
}

/// Faces of the mesh, or ~t for tetrahedron t.
static int are_faces(const abut_complex *c, const int *faces)
{
    for (int i = 0; i < c->info.triangle_count; ++i) {
        if (faces[i] >= 0 ? faces[i] >= c->face_count : ~faces[i] >= c->tet_count) {
            return 0;
        }
    }
    return 1;
}

static int are_offsets(const int *offsets, int count, int total)
{
    for (int i = 0; i < count; ++i) {
        if (offsets[i] < 0 || offsets[i] > offsets[i + 1]) {
            return 0;
        }
    }
    return offsets[0] == 0 && offsets[count] == total;
}

/// Every wing must have both ends of its edge as different corners, and every spoke its vertex.
static int are_joined(const abut_complex *c)
{
    for (int i = 0; i < c->info.edge_count; ++i) {
        const int *e = c->edges + 2 * (size_t)i;
        if (e[0] >= e[1]) {
            return 0;
        }
        for (int k = c->wing_offsets[i]; k < c->wing_offsets[i + 1]; ++k) {
            const int *t = c->triangles + 3 * (size_t)c->wings[k];
            int first = t[0] == e[0] || t[1] == e[0] || t[2] == e[0];
            int second = t[0] == e[1] || t[1] == e[1] || t[2] == e[1];
            if (!first || !second) {
                return 0;
            }
        }
    }
    for (int i = 0; i < c->vertex_count; ++i) {
        for (int k = c->spoke_offsets[i]; k < c->spoke_offsets[i + 1]; ++k) {
            const int *e = c->edges + 2 * (size_t)c->spokes[k];
            if (e[0] != i && e[1] != i) {
                return 0;
            }
        }
    }
    return 1;
}

static int are_numbers(const abut_complex *c)
{
    for (int i = 0; i < c->vertex_count; ++i) {
        if (!(fabs(c->vertices[i].x) + fabs(c->vertices[i].y) + fabs(c->vertices[i].z) <=
              8.0 * ABUT_LARGEST_COORDINATE)) {
            return 0;
        }
    }
    return 1;
}

/// Whether every class is one of Table 1 for a simplex of its dimension, and as often there as the header says.
static int are_classes(const abut_complex *c)
{
    static const unsigned allowed[3] = {1u << 0 | 1u << 1 | 1u << 3 | 1u << 4 | 1u << 7,
                                        1u << 2 | 1u << 5 | 1u << 7, 1u << 6};
    int counts[8] = {0}, corners[3];
    for (int i = 0; i < abut_complex_simplex_count(c); ++i) {
        if (c->classes[i] > ABUT_NO_CLASS ||
            !(allowed[abut_complex_corners(c, i, corners) - 1] >> c->classes[i] & 1)) {
            return 0;
        }
        ++counts[c->classes[i]];
    }
    return memcmp(counts, c->info.class_counts, sizeof counts) == 0;
}

/// A flat simplex names the patch of a triangle at it, which must exist.
static int has_patches(const abut_complex *c)
{
    for (int i = 0; i < c->vertex_count + c->info.edge_count; ++i) {
        int simplex_class = c->classes[i];
        int edge = i >= c->vertex_count ? i - c->vertex_count : -1;
        if (edge < 0 && simplex_class == 4) {
            if (c->spoke_offsets[i] == c->spoke_offsets[i + 1]) {
                return 0;
            }
            edge = c->spokes[c->spoke_offsets[i]];
        }
        if ((simplex_class == 4 || simplex_class == 5) &&
            (edge < 0 || c->wing_offsets[edge] == c->wing_offsets[edge + 1])) {
            return 0;
        }
    }
    return 1;
}

static int are_bounds(const abut_lmd_bounds *b)
{
    double sum = b->center.x + b->center.y + b->center.z + b->radius + b->axis.x + b->axis.y + b->axis.z;
    return isfinite(sum + b->cosine + b->sine + b->low + b->high) && b->radius >= 0.0;
}

/// Whether a child names a simplex, or a node behind its own that nothing else names and that is not too deep.
static int is_child(const abut_complex *c, int node, int child, unsigned char *depths)
{
    if (child < 0) {
        return ~child < abut_complex_simplex_count(c) && c->classes[~child] != ABUT_NO_CLASS;
    }
    if (child <= node || child >= c->node_count || depths[child] != 0xff) {
        return 0;
    }
    depths[child] = (unsigned char)(depths[node] + 1);
    return 1;
}

/// `depths` has room for a byte for each node.
static int is_tree(const abut_complex *c, unsigned char *depths)
{
    memset(depths, 0xff, (size_t)c->node_count);
    if (c->node_count > 0) {
        depths[0] = 1;
    }
    for (int i = 0; i < c->node_count; ++i) {
        if (depths[i] > ABUT_LMD_DEEPEST) { // or no child of any node
            return 0;
        }
        for (int k = 0; k < ABUT_LMD_CHILDREN; ++k) {
            abut_lmd_bounds bounds = abut_lmd_get_bounds(c->nodes, ABUT_LMD_CHILDREN * i + k);
            if (!are_bounds(&bounds) || (bounds.classes != 0 && !is_child(c, i, bounds.child, depths)) ||
                (bounds.classes == 0 && bounds.child != 0)) {
                return 0;
            }
        }
    }
    return 1;
}

/// NULL, or what is wrong with the arrays.
static const char *complex_fault(const abut_complex *c, int wing_count, unsigned char *depths)
{
    size_t edges = (size_t)c->info.edge_count, triangles = (size_t)c->info.triangle_count;
    if (!are_indices(c->triangles, 3 * triangles, c->vertex_count) ||
        !are_indices(c->edges, 2 * edges, c->vertex_count) ||
        !are_indices(c->wings, (size_t)wing_count, c->info.triangle_count) ||
        !are_indices(c->spokes, 2 * edges, c->info.edge_count) ||
        !are_offsets(c->wing_offsets, c->info.edge_count, wing_count) ||
        !are_offsets(c->spoke_offsets, c->vertex_count, 2 * c->info.edge_count) ||
        !are_faces(c, c->triangle_faces) || !are_faces(c, c->patches)) {
        return "an index is out of range";
    }
    if (!are_joined(c) || !are_numbers(c) || !are_classes(c) || !has_patches(c)) {
        return "its simplices do not fit together";
    }
    return is_tree(c, depths) ? NULL : "its hierarchy is not a tree";
}

static abut_status read_blocks(abut_complex *c, const file_header *h, const unsigned char *bytes, abut_error *error)
{
    block blocks[BLOCKS];
    list_blocks(c, h->wing_count, blocks);
    if (total_size(blocks) != h->size) {
        return abut_fail(error, ABUT_BAD_DATA, "a saved complex: its size does not fit its counts");
    }
    for (int i = 0; i < BLOCKS; ++i) {
        void *items = abut_allocate(&c->context, blocks[i].size, 1);
        if (items == NULL) {
            return abut_fail(error, ABUT_NO_MEMORY, "no memory for a complex of %zu bytes", (size_t)h->size);
        }
        memcpy(items, bytes, blocks[i].size);
        memcpy((char *)c + blocks[i].at, &items, sizeof items);
        bytes += blocks[i].size;
    }
    unsigned char *depths = abut_allocate(&c->context, (size_t)c->node_count, 1);
    if (depths == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to check a complex");
    }
    const char *fault = complex_fault(c, h->wing_count, depths);
    abut_free(&c->context, depths);
    return fault == NULL ? ABUT_OK : abut_fail(error, ABUT_BAD_DATA, "a saved complex: %s", fault);
}

abut_status abut_complex_load(const abut_context *context, const void *buffer, size_t size, abut_complex **complex,
                              abut_error *error)
{
    *complex = NULL;
    file_header h;
    if (size < sizeof h) {
        return abut_fail(error, ABUT_BAD_DATA, "a saved complex: it is cut short");
    }
    memcpy(&h, buffer, sizeof h);
    const unsigned char *bytes = (const unsigned char *)buffer + sizeof h;
    const char *fault = header_fault(&h, size);
    if (fault == NULL && hash_of(&h, bytes, size - sizeof h) != h.hash) {
        fault = "it is damaged";
    }
    if (fault != NULL) {
        return abut_fail(error, ABUT_BAD_DATA, "a saved complex: %s", fault);
    }
    abut_context kept = abut_context_or_default(context);
    abut_complex *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a complex");
    }
    made->context = kept;
    made->info = h.info;
    made->origin = abut_vec3_make(h.origin[0], h.origin[1], h.origin[2]);
    made->radius = h.radius;
    made->noise = h.noise;
    made->vertex_count = h.vertex_count;
    made->node_count = h.node_count;
    made->face_count = h.face_count;
    made->tet_count = h.tet_count;
    abut_status status = read_blocks(made, &h, bytes, error);
    if (status != ABUT_OK) {
        abut_complex_destroy(made);
        return status;
    }
    *complex = made;
    return ABUT_OK;
}
