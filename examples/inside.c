// SPDX-License-Identifier: MIT
// inside.c: says where three points are in a solid
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

static void check(abut_status status, const abut_error *error)
{
    if (status != ABUT_OK) {
        (void)fprintf(stderr, "inside: %s\n", error->text);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    abut_mesh *mesh;
    abut_error error;
    if (argc != 2) {
        (void)fprintf(stderr, "usage: inside SOLID.obj\n");
        return 2;
    }
    check(abut_mesh_read(NULL, argv[1], ABUT_FORMAT_AUTO, &mesh, &error), &error);
    const abut_vec3 points[] = {{0.5, 1.5, 1.0}, {1.0, 1.0, 0.5}, {3.0, 0.0, 0.0}};
    abut_located located[3];
    abut_locate_def def = abut_locate_def_default();
    def.mesh = mesh;
    def.points = points;
    def.point_count = 3;
    check(abut_locate(NULL, &def, located, &error), &error);
    for (int i = 0; i < def.point_count; ++i) {
        switch (located[i].place) {
        case ABUT_PLACE_INSIDE: printf("point %d is inside\n", i); break;
        case ABUT_PLACE_OUTSIDE: printf("point %d is outside\n", i); break;
        case ABUT_PLACE_VERTEX: printf("point %d is on vertex %d\n", i, located[i].feature.index); break;
        case ABUT_PLACE_EDGE: printf("point %d is on edge %d\n", i, located[i].feature.index); break;
        case ABUT_PLACE_FACE: printf("point %d is on face %d\n", i, located[i].feature.index); break;
        }
    }
    abut_mesh_destroy(mesh);
    return 0;
}
