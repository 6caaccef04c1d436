// SPDX-License-Identifier: MIT
// hanging_cloth.c: a square of cloth, pinned at two corners, falls and hangs. docs/soft.md shows the part between the two
// marks.
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

static void check(abut_status status, const abut_error *error)
{
    if (status != ABUT_OK) {
        (void)fprintf(stderr, "hanging_cloth: %s\n", error->text);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    abut_mesh *mesh = NULL;
    abut_error error;
    if (argc != 2) {
        (void)fprintf(stderr, "usage: hanging_cloth CLOTH.obj\n");
        return 2;
    }
    check(abut_mesh_read(NULL, argv[1], ABUT_FORMAT_AUTO, &mesh, &error), &error);
    // [in the page]
    abut_soft_material material = abut_soft_material_default();
    material.area_density = 0.2;
    material.stretch = 500.0;
    material.bend = 1e-4;
    material.mass_damping = 2.0;
    abut_soft_def def = abut_soft_def_default();
    def.mesh = mesh;
    def.material = &material;
    def.pins = (const int[]){0, 1};
    def.pin_count = 2;
    abut_soft *cloth = NULL;
    check(abut_soft_create(NULL, &def, &cloth, &error), &error);
    abut_soft_params params = abut_soft_params_default();
    params.gravity = abut_vec3_make(0.0, 0.0, -9.81);
    for (int step = 0; step < 1000; ++step) {
        check(abut_soft_accelerate(cloth, &params, NULL, &error), &error);
        // contacts would add their impulses here: abut_soft_add_impulses(cloth, impulses, &error)
        check(abut_soft_move(cloth, params.dt, &error), &error);
    }
    // [in the page]
    abut_soft_energy energy = abut_soft_get_energy(cloth, params.gravity);
    printf("the center hangs at z = %.2f\n", energy.center.z);
    abut_soft_destroy(cloth);
    abut_mesh_destroy(mesh);
    return 0;
}
