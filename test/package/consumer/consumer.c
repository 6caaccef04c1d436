// SPDX-License-Identifier: MIT
// consumer.c: a user's C program; the volume of the corner tetrahedron of the unit cube is 1/6
#include <abut/abut.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const abut_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int tet[4] = {0, 1, 2, 3};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = corners;
    def.vertex_count = 4;
    def.tets = tet;
    def.tet_count = 1;
    abut_mesh *mesh;
    if (abut_mesh_create(NULL, &def, &mesh, NULL) != ABUT_OK) {
        return 1;
    }
    double volume = abut_mesh_get_info(mesh).volume;
    abut_mesh_destroy(mesh);
    printf("abut %s, volume %.15g\n", abut_version(), volume);
    return strcmp(abut_version(), ABUT_VERSION) == 0 && fabs(6.0 * volume - 1.0) < 1e-15 ? 0 : 1;
}
