// SPDX-License-Identifier: MIT
// contacts.c: prints where two mesh files touch. The README shows the part between the two marks.
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(const abut_error *error)
{
    (void)fprintf(stderr, "contacts: %s\n", error->text);
    exit(2);
}

/// Reads a file, makes a shape of its mesh and builds what the method needs.
static abut_shape *load(const char *path, const abut_method *method, const abut_params *params)
{
    abut_mesh *mesh;
    abut_shape *shape;
    abut_error error;
    if (abut_mesh_read(NULL, path, ABUT_FORMAT_AUTO, &mesh, &error) != ABUT_OK) {
        stop(&error);
    }
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    if (abut_shape_create(NULL, &def, &shape, &error) != ABUT_OK ||
        abut_shape_prepare(shape, method, params, &error) != ABUT_OK) {
        stop(&error);
    }
    return shape;
}

static void unload(abut_shape *shape)
{
    const abut_mesh *mesh = abut_shape_mesh(shape);
    abut_shape_destroy(shape);
    abut_mesh_destroy((abut_mesh *)mesh);
}

int main(int argc, char **argv)
{
    abut_workspace *workspace;
    if (argc != 3 || abut_workspace_create(NULL, &workspace) != ABUT_OK) {
        (void)fprintf(stderr, "usage: contacts A.obj B.obj\n");
        return 2;
    }
    // --- README
    const abut_method *method = abut_method_find("regions");
    abut_params params = abut_params_default();
    abut_shape *a = load(argv[1], method, &params), *b = load(argv[2], method, &params);
    abut_pair pair = abut_pair_default(a, b);
    pair.b.pose.position = abut_vec3_make(0.0, 0.0, 0.0); // where B is; pose.rotation turns it
    abut_result result = abut_result_default();
    while (abut_find_contacts(&pair, method, &params, workspace, &result) == ABUT_TRUNCATED &&
           abut_result_reserve(NULL, &result) == ABUT_OK) { // makes room for all contacts; then asks again
    }
    for (int i = 0; i < result.contacts.count; ++i) {
        const abut_contact *c = &result.contacts.items[i];
        printf("at %g %g %g, normal %g %g %g, gap %g\n", c->position.x, c->position.y, c->position.z, c->normal.x,
               c->normal.y, c->normal.z, c->gap);
    }
    // --- README
    if (result.error.status != ABUT_OK) {
        stop(&result.error);
    }
    abut_result_release(NULL, &result);
    abut_workspace_destroy(workspace);
    unload(a);
    unload(b);
    return 0;
}
