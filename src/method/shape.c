// SPDX-License-Identifier: MIT
// shape.c: a mesh with thickness, and what was prepared for methods
#include "method/shape.h"

#include "base/context.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "mesh/closed.h"
#include "mesh/size.h"
#include "method/auto.h"
#include "method/methods.h"
#include "method/params.h"

#include <string.h>

/// One call of abut_shape_prepare(): a method with certain values of its options. A refusal is kept too, since finding
/// it may take as long as preparing.
typedef struct preparation {
    const abut_method *method;
    uint64_t options_hash;
    void *data;
    abut_error refusal; ///< with status ABUT_OK: the shape is prepared
} preparation;

struct abut_shape {
    abut_context context;
    const abut_mesh *mesh;
    abut_mesh *owned_mesh; ///< the same mesh if the shape owns it, else NULL
    double dilation, offset, chord;
    uint64_t hash;
    double diagonal;
    abut_tree *trees[ABUT_ELEMENT_KINDS];
    abut_brep *brep;
    preparation *preparations;
    int preparation_count, preparation_capacity;
};

static abut_shape_def default_shape_def(void)
{
    abut_shape_def def = {0};
    def.struct_size = sizeof def;
    return def;
}

void abut_shape_def_init(abut_shape_def *def, size_t size)
{
    const abut_shape_def made = default_shape_def();
    abut_write_versioned(def, size, &made, sizeof made);
}

abut_status abut_shape_create(const abut_context *context, const abut_shape_def *def, abut_shape **shape,
                              abut_error *error)
{
    ABUT_ASSERT(def != NULL && shape != NULL);
    *shape = NULL;
    abut_shape_def read = abut_shape_def_default();
    if (!abut_read_versioned(&read, sizeof read, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the shape's definition was not made by abut_shape_def_default()");
    }
    if ((read.mesh == NULL) == (read.owned_mesh == NULL)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the shape has %s: set either mesh or owned_mesh",
                         read.mesh == NULL ? "no mesh" : "two meshes");
    }
    read.mesh = read.mesh != NULL ? read.mesh : read.owned_mesh;
    if (!(read.dilation >= 0.0) || !isfinite(read.dilation) || !isfinite(read.offset) || !(read.chord >= 0.0) ||
        !isfinite(read.chord)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "dilation %g, offset %g and chord %g must be finite, and dilation and chord not negative",
                         read.dilation, read.offset, read.chord);
    }
    double widest = fmax(fmax(read.dilation, fabs(read.offset)), read.chord);
    if (widest > ABUT_LARGEST_COORDINATE) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "dilation %g, offset %g and chord %g may be at most %g: scale the mesh", read.dilation,
                         read.offset, read.chord, ABUT_LARGEST_COORDINATE);
    }
    abut_status status = abut_mesh_check_size(read.mesh, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_context kept = abut_context_or_default(context);
    abut_shape *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a shape");
    }
    made->context = kept;
    made->mesh = read.mesh;
    made->owned_mesh = read.owned_mesh;
    made->dilation = read.dilation;
    made->offset = read.offset;
    made->chord = read.chord;
    made->hash = abut_hash_double(abut_hash_double(abut_mesh_hash(read.mesh), read.dilation), read.offset);
    made->diagonal = abut_box_diagonal(abut_mesh_get_elements(read.mesh).bounds);
    *shape = made;
    return ABUT_OK;
}

void abut_shape_destroy(abut_shape *shape)
{
    if (shape == NULL) {
        return;
    }
    abut_context context = shape->context;
    for (int i = 0; i < shape->preparation_count; ++i) {
        const preparation *done = &shape->preparations[i];
        if (done->data != NULL && done->method->release != NULL) {
            done->method->release(done->data, &context);
        }
    }
    for (int i = 0; i < ABUT_ELEMENT_KINDS; ++i) {
        abut_tree_destroy(shape->trees[i]);
    }
    abut_brep_destroy(shape->brep);
    abut_mesh_destroy(shape->owned_mesh);
    abut_free(&context, shape->preparations);
    abut_free(&context, shape);
}

/// Refuses a mesh without triangles. Says what it has, and what takes that.
static abut_status refuse_without_triangles(const abut_mesh *mesh, const abut_method *method, abut_error *error)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    return e.point_count + e.segment_count > 0
               ? abut_fail(error, ABUT_UNSUPPORTED,
                           "method %s needs triangles, and the mesh has none; method quasi-lmd takes its segments "
                           "and points",
                           method->name)
               : abut_fail(error, ABUT_UNSUPPORTED,
                           "the mesh has only vertices, no faces, segments or points; method convex with option "
                           "geometry=hull takes their convex hull");
}

/// Refuses a mesh that the method cannot use, with the reason.
static abut_status check_mesh(const abut_mesh *mesh, const abut_method *method, const abut_params *params,
                              abut_error *error)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    if (method == &abut_method_convex && abut_convex_takes_hull(params)) {
        return ABUT_OK; // any vertices have a hull
    }
    if ((method->needs & (ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_CLOSED)) != 0 && elements.triangle_count == 0) {
        return refuse_without_triangles(mesh, method, error);
    }
    if ((method->needs & ABUT_NEEDS_TETS) != 0 && elements.tet_count == 0) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "method %s needs tetrahedra, and the mesh has none: make them with 'abut mesh "
                         "tetrahedralize'",
                         method->name);
    }
    if ((method->needs & ABUT_NEEDS_CLOSED) != 0) {
        abut_error why;
        if (abut_mesh_check_closed(mesh, &why) != ABUT_OK) {
            return abut_fail_element(error, ABUT_UNSUPPORTED, why.element, "method %s needs a closed surface: %s",
                                     method->name, why.text);
        }
        abut_mesh_info info = abut_mesh_get_info(mesh);
        if (!(info.volume > 0.0)) {
            return abut_fail(error, ABUT_UNSUPPORTED,
                             "method %s needs outward normals, and the mesh is inside out (volume %g)",
                             method->name, info.volume);
        }
    }
    return ABUT_OK;
}

static abut_status build_parts(abut_shape *shape, uint32_t needs, abut_error *error)
{
    static const struct {
        uint32_t need;
        abut_element_kind kind;
    } tree_needs[] = {
        {ABUT_NEEDS_POINT_TREE, ABUT_ELEMENT_POINT},
        {ABUT_NEEDS_SEGMENT_TREE, ABUT_ELEMENT_SEGMENT},
        {ABUT_NEEDS_TRIANGLE_TREE, ABUT_ELEMENT_TRIANGLE},
        {ABUT_NEEDS_TET_TREE, ABUT_ELEMENT_TET},
    };
    abut_status status = ABUT_OK;
    for (size_t i = 0; status == ABUT_OK && i < sizeof tree_needs / sizeof tree_needs[0]; ++i) {
        abut_tree **tree = &shape->trees[tree_needs[i].kind];
        if ((needs & tree_needs[i].need) != 0 && *tree == NULL) {
            status = abut_tree_create(&shape->context, shape->mesh, tree_needs[i].kind, tree, error);
        }
    }
    if (status == ABUT_OK && (needs & ABUT_NEEDS_BREP) != 0 && shape->brep == NULL) {
        status = abut_brep_create(&shape->context, shape->mesh, NULL, &shape->brep, error);
    }
    return status;
}

static uint64_t hash_options(const abut_method *method, const abut_params *params)
{
    uint64_t hash = ABUT_HASH_START;
    for (int i = 0; i < method->option_count; ++i) {
        if (!method->options[i].is_of_query) {
            hash = abut_hash_double(hash, abut_params_option(params, method, i));
        }
    }
    return hash;
}

static const preparation *find_preparation(const abut_shape *shape, const abut_method *method,
                                           const abut_params *params)
{
    uint64_t hash = hash_options(method, params);
    for (int i = 0; i < shape->preparation_count; ++i) {
        const preparation *done = &shape->preparations[i];
        if (done->method == method && done->options_hash == hash) {
            return done;
        }
    }
    return NULL;
}

/// Builds all that a method needs. If it fails, the reason is in `made->refusal`.
static abut_status build(abut_shape *shape, const abut_params *params, preparation *made)
{
    const abut_method *method = made->method;
    abut_status status = check_mesh(shape->mesh, method, params, &made->refusal);
    if (status == ABUT_OK) {
        status = build_parts(shape, method->needs, &made->refusal);
    }
    if (status == ABUT_OK && method->prepare != NULL) {
        void *data = NULL;
        status = method->prepare(shape, params, &shape->context, &data, &made->refusal);
        made->data = status == ABUT_OK ? data : NULL;
    }
    return status;
}

/// The status of a preparation. If it is a refusal, `error`, which may be NULL, gets it.
static abut_status repeat_refusal(const preparation *made, abut_error *error)
{
    if (made->refusal.status != ABUT_OK && error != NULL) {
        *error = made->refusal;
    }
    return made->refusal.status;
}

/// Prepares a shape for the methods that `auto` chooses from. Those that refuse the mesh are not chosen; if all do, the
/// first reason is given.
static abut_status prepare_choices(abut_shape *shape, abut_error *error)
{
    int count = 0, is_prepared = 0;
    const abut_method *const *choices = abut_auto_choices(&count);
    abut_error first = {.element = -1};
    for (int i = 0; i < count; ++i) {
        abut_error refusal = {0};
        abut_status status = abut_shape_prepare(shape, choices[i], NULL, &refusal);
        if (status == ABUT_NO_MEMORY) {
            return abut_fail(error, status, "%s", refusal.text);
        }
        is_prepared |= status == ABUT_OK;
        first = status != ABUT_OK && first.status == ABUT_OK ? refusal : first;
    }
    return is_prepared ? ABUT_OK : abut_fail_element(error, first.status, first.element, "%s", first.text);
}

abut_status abut_shape_prepare(abut_shape *shape, const abut_method *method, const abut_params *params,
                               abut_error *error)
{
    ABUT_ASSERT(shape != NULL);
    abut_params read;
    abut_status status = abut_params_read(params, method, &read, error);
    if (status != ABUT_OK) {
        return status;
    }
    const preparation *known = find_preparation(shape, method, &read);
    if (known != NULL) {
        return repeat_refusal(known, error);
    }
    preparation made = {.method = method, .options_hash = hash_options(method, &read), .refusal.element = -1};
    status = method == &abut_method_auto ? prepare_choices(shape, &made.refusal) : ABUT_OK;
    if (status == ABUT_NO_MEMORY) {
        return repeat_refusal(&made, error);
    }
    if (!abut_grow(&shape->context, &shape->preparations, &shape->preparation_capacity,
                   shape->preparation_count + 1, sizeof *shape->preparations)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to prepare a shape for method %s", method->name);
    }
    made.refusal.status = status == ABUT_OK ? build(shape, &read, &made) : status;
    if (made.refusal.status != ABUT_NO_MEMORY) { // which another call may have
        shape->preparations[shape->preparation_count++] = made;
    }
    return repeat_refusal(&made, error);
}

abut_status abut_shape_prepare_tree(abut_shape *shape, abut_element_kind kind, abut_error *error)
{
    ABUT_ASSERT(shape != NULL);
    if ((unsigned)kind >= ABUT_ELEMENT_KINDS) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "there are no elements of kind %d", (int)kind);
    }
    abut_tree **tree = &shape->trees[kind];
    return *tree != NULL ? ABUT_OK : abut_tree_create(&shape->context, shape->mesh, kind, tree, error);
}

int abut_shape_is_prepared(const abut_shape *shape, const abut_method *method, const abut_params *params)
{
    const preparation *done = find_preparation(shape, method, params);
    return done != NULL && done->refusal.status == ABUT_OK;
}

const void *abut_shape_find_data(const abut_shape *shape, const abut_method *method, const abut_params *params)
{
    const preparation *done = find_preparation(shape, method, params);
    return done != NULL ? done->data : NULL;
}

const abut_mesh *abut_shape_mesh(const abut_shape *shape)
{
    return shape->mesh;
}

double abut_shape_dilation(const abut_shape *shape)
{
    return shape->dilation;
}

double abut_shape_offset(const abut_shape *shape)
{
    return shape->offset;
}

double abut_shape_chord(const abut_shape *shape)
{
    return shape->chord;
}

const abut_tree *abut_shape_tree(const abut_shape *shape, abut_element_kind kind)
{
    return (unsigned)kind < ABUT_ELEMENT_KINDS ? shape->trees[kind] : NULL;
}

const abut_brep *abut_shape_brep(const abut_shape *shape)
{
    return shape->brep;
}

uint64_t abut_shape_hash(const abut_shape *shape)
{
    return shape->hash;
}

const abut_shape *abut_side_shape(const abut_side *side)
{
    return side->instance != NULL ? abut_instance_shape(side->instance) : side->shape;
}

double abut_side_diagonal(const abut_side *side)
{
    const abut_shape *shape = abut_side_shape(side);
    double diagonal = shape->diagonal;
    if (side->instance != NULL) {
        abut_box bounds = abut_box_empty();
        int count = abut_mesh_get_elements(shape->mesh).vertex_count;
        for (int i = 0; i < count; ++i) {
            bounds = abut_box_add(bounds, abut_instance_start(side->instance)[i]);
        }
        diagonal = abut_box_diagonal(bounds);
    }
    return diagonal + 2.0 * fmax(shape->dilation + shape->offset, 0.0);
}
