// SPDX-License-Identifier: MIT
// fuzz_complex.c: any bytes as a saved complex, and as changes of one, with a hash that fits; what can be loaded can be
// searched
//
// A corpus of saved complexes goes out of date with every version of the format. Changes of one that was saved just now
// do not.
#include "fuzz.h"

#include <abut/complex.h>

#include "base/hash.h"
#include "complex/complex.h"

enum { HEADER = 256 }; ///< at least as many bytes as a header has

static void load_and_search(void *bytes, size_t size)
{
    abut_complex *complex = NULL;
    abut_error error = {.text = ""};
    abut_complex_seal(bytes, size);
    abut_status status = abut_complex_load(NULL, bytes, size, &complex, &error);
    if ((status == ABUT_OK) != (complex != NULL) || (status != ABUT_OK && error.text[0] == '\0')) {
        abort();
    }
    abut_lmd_set *set = NULL;
    if (complex != NULL && abut_lmd_set_create(NULL, &set) == ABUT_OK) {
        abut_lmd_def def = abut_lmd_def_default();
        def.a = def.b = complex;
        def.reach = 1.0;
        def.b_to_a.position.x = 1.1;
        (void)abut_find_lmds(&def, set, &error);
        abut_lmd_view view = abut_lmd_set_get(set);
        for (int i = 0; i < view.count; ++i) {
            (void)abut_complex_get_simplex(complex, view.items[i].simplex_a);
        }
        abut_lmd_set_destroy(set);
    }
    abut_complex_destroy(complex);
}

/// A tetrahedron, a sheet with a flat vertex, a segment and a point.
static abut_complex *make_small_complex(void)
{
    const abut_vec3 vertices[10] = {{0, 0, 0}, {1, 0, 0},     {0, 1, 0}, {0, 0, 1}, {2, 0, 0},
                                    {3, 0, 0}, {2.5, 0.5, 0}, {3, 1, 0}, {2, 1, 0}, {4, 4, 4}};
    const int tet[4] = {0, 1, 2, 3}, faces[12] = {4, 5, 6, 5, 7, 6, 7, 8, 6, 8, 4, 6}, segment[2] = {8, 9},
              point = 9;
    abut_mesh_def def = abut_mesh_def_default();
    abut_complex_def complex_def = abut_complex_def_default();
    abut_mesh *mesh = NULL;
    abut_complex *complex = NULL;
    def.vertices = vertices;
    def.vertex_count = 10;
    def.tets = tet;
    def.tet_count = 1;
    def.face_vertices = faces;
    def.face_count = 4;
    def.segments = segment;
    def.segment_count = 1;
    def.points = &point;
    def.point_count = 1;
    if (abut_mesh_create(NULL, &def, &mesh, NULL) != ABUT_OK) {
        abort();
    }
    complex_def.mesh = mesh;
    if (abut_complex_create(NULL, &complex_def, &complex, NULL) != ABUT_OK) {
        abort();
    }
    abut_mesh_destroy(mesh);
    return complex;
}

/// Changes one to four bytes of a saved complex, which ones depends on all of the data.
static void change_a_saved_one(const uint8_t *data, size_t size)
{
    abut_complex *complex = make_small_complex();
    size_t saved_size = abut_complex_saved_size(complex);
    uint8_t *saved = malloc(saved_size);
    uint64_t hash = ABUT_HASH_START;
    abut_complex_save(complex, saved);
    abut_complex_destroy(complex);
    for (size_t i = 0; i < size; ++i) {
        hash = abut_hash_mix(hash, data[i]);
    }
    for (uint64_t i = 0; i <= hash % 4; ++i) {
        uint64_t bits = abut_hash_mix(hash, i);
        saved[(bits >> 8) % saved_size] = (uint8_t)bits;
    }
    load_and_search(saved, saved_size);
    free(saved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abut_complex *complex = NULL;
    (void)abut_complex_load(NULL, data, size, &complex, NULL);
    abut_complex_destroy(complex);
    if (size >= HEADER) {
        void *copy = malloc(size);
        memcpy(copy, data, size);
        load_and_search(copy, size);
        free(copy);
    }
    change_a_saved_one(data, size);
    return 0;
}
