// SPDX-License-Identifier: MIT
// answer.c: the contacts of two meshes in one call
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"

#include <abut/contact.h>

struct abut_answer {
    abut_context context;
    abut_workspace *workspace;
    abut_result result;
};

static abut_mesh_pair default_mesh_pair(const abut_mesh *a, const abut_mesh *b)
{
    abut_mesh_pair pair = {.a = a, .b = b};
    pair.struct_size = sizeof pair;
    pair.pose_a = pair.pose_b = abut_pose_identity();
    pair.method = abut_method_find("auto");
    return pair;
}

void abut_mesh_pair_init(const abut_mesh *a, const abut_mesh *b, abut_mesh_pair *pair, size_t size)
{
    const abut_mesh_pair made = default_mesh_pair(a, b);
    abut_write_versioned(pair, size, &made, sizeof made);
}

/// A prepared shape of mesh `name`, A or B. Messages begin with the mesh.
static abut_status make_shape(const abut_context *context, const abut_mesh *mesh, const char *name,
                              const abut_mesh_pair *pair, abut_shape **shape, abut_error *error)
{
    if (mesh == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "mesh %s is NULL", name);
    }
    abut_error why;
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    abut_status status = abut_shape_create(context, &def, shape, &why);
    if (status == ABUT_OK) {
        status = abut_shape_prepare(*shape, pair->method, pair->params, &why);
    }
    return status == ABUT_OK ? ABUT_OK
                             : abut_fail_element(error, status, why.element, "mesh %s: %s", name, why.text);
}

static abut_status ask(abut_answer *answer, const abut_mesh_pair *meshes, const abut_shape *a, const abut_shape *b)
{
    abut_pair pair = abut_pair_default(a, b);
    pair.a.pose = meshes->pose_a;
    pair.b.pose = meshes->pose_b;
    return abut_find_contacts(&pair, meshes->method, meshes->params, answer->workspace, &answer->result);
}

abut_status abut_find_mesh_contacts(const abut_context *context, const abut_mesh_pair *pair, abut_answer **answer,
                                    abut_error *error)
{
    ABUT_ASSERT(pair != NULL && answer != NULL);
    *answer = NULL;
    abut_mesh_pair read = abut_mesh_pair_default(NULL, NULL);
    if (!abut_read_versioned(&read, sizeof read, pair)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the pair of meshes was not made by abut_mesh_pair_default()");
    }
    abut_context kept = abut_context_or_default(context);
    abut_answer *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL || abut_workspace_create(&kept, &made->workspace) != ABUT_OK) {
        abut_free(&kept, made);
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for contacts");
    }
    made->context = kept;
    made->result = abut_result_default();
    abut_shape *a = NULL, *b = NULL;
    abut_status status = make_shape(&kept, read.a, "A", &read, &a, error);
    if (status == ABUT_OK && read.b != read.a) {
        status = make_shape(&kept, read.b, "B", &read, &b, error);
    }
    if (status == ABUT_OK) {
        status = ask(made, &read, a, b != NULL ? b : a);
        if (status != ABUT_OK && error != NULL) {
            *error = made->result.error;
        }
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    if (status != ABUT_OK) {
        abut_answer_destroy(made);
        return status;
    }
    *answer = made;
    return ABUT_OK;
}

const abut_result *abut_answer_result(const abut_answer *answer)
{
    return &answer->result;
}

void abut_answer_destroy(abut_answer *answer)
{
    if (answer != NULL) {
        abut_context context = answer->context;
        abut_workspace_destroy(answer->workspace);
        abut_free(&context, answer);
    }
}
