// SPDX-License-Identifier: MIT
// sliding.c: contacts of a body that slides over another, found as an engine would: shapes are prepared once, and a
// workspace and a memory are kept over all steps. docs/architecture.md shows the part between the two marks.
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

static void check(abut_status status, const abut_error *error)
{
    if (status != ABUT_OK) {
        (void)fprintf(stderr, "sliding: %s\n", error->text);
        exit(2);
    }
}

/// A prepared shape that owns the mesh of a file.
static abut_shape *load(const char *path, const abut_method *method)
{
    abut_shape_def def = abut_shape_def_default();
    abut_shape *shape;
    abut_error error;
    check(abut_mesh_read(NULL, path, ABUT_FORMAT_AUTO, &def.owned_mesh, &error), &error);
    check(abut_shape_create(NULL, &def, &shape, &error), &error);
    check(abut_shape_prepare(shape, method, NULL, &error), &error);
    return shape;
}

int main(int argc, char **argv)
{
    abut_workspace *workspace = NULL;
    abut_memory *memory = NULL;
    if (argc != 3 || abut_workspace_create(NULL, &workspace) != ABUT_OK ||
        abut_memory_create(NULL, &memory) != ABUT_OK) {
        (void)fprintf(stderr, "usage: sliding A.obj B.obj\n");
        return 2;
    }
    // [in the page]
    const abut_method *method = abut_method_find("regions");
    abut_shape *a = load(argv[1], method), *b = load(argv[2], method);
    abut_pair pair = abut_pair_default(a, b);
    pair.memory = memory;
    for (int step = 0; step < 3; ++step) {
        pair.b.pose.position.x = 0.125 * step;
        abut_result result = abut_result_default();
        check(abut_find_contacts(&pair, method, NULL, workspace, &result), &result.error);
        for (int i = 0; i < result.contacts.count; ++i) { // valid until the workspace is used again
            printf("step %d: at x = %g\n", step, result.contacts.items[i].position.x);
        }
        abut_memory_commit(memory);
    }
    // [in the page]
    abut_memory_destroy(memory);
    abut_workspace_destroy(workspace);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    return 0;
}
