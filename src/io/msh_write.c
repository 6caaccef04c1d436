// SPDX-License-Identifier: MIT
// msh_write.c: writes MSH 2.2 of Gmsh as text, the version that most programs can read
#include "io/formats.h"

static abut_status check(const abut_file *file, const abut_mesh_elements *elements)
{
    for (int i = 0; i < elements->face_count; ++i) {
        int corner_count = elements->face_offsets[i + 1] - elements->face_offsets[i];
        if (corner_count > 4) {
            return abut_file_fail_element(
                file, ABUT_UNSUPPORTED, i,
                "MSH can hold triangles and quadrangles, but face %d has %d corners; write OBJ or PLY", i,
                corner_count);
        }
    }
    return ABUT_OK;
}

// Writes an element: number, type, two labels (a physical and a geometric entity for each dimension), nodes from 1.
static void write_element(FILE *stream, long long number, int type, int dimension, const int *vertices, int count)
{
    (void)fprintf(stream, "%lld %d 2 %d %d", number, type, dimension, dimension);
    for (int k = 0; k < count; ++k) {
        (void)fprintf(stream, " %lld", (long long)vertices[k] + 1);
    }
    (void)fputc('\n', stream);
}

static void write_elements(FILE *stream, const abut_mesh_elements *elements)
{
    enum { LINE = 1, TRIANGLE = 2, QUADRANGLE = 3, TETRAHEDRON = 4, POINT = 15 };
    long long number = 0;
    (void)fprintf(stream, "$Elements\n%lld\n",
                  (long long)elements->point_count + elements->segment_count + elements->face_count +
                      elements->tet_count);
    for (int i = 0; i < elements->point_count; ++i) {
        write_element(stream, ++number, POINT, 1, elements->points + i, 1);
    }
    for (int i = 0; i < elements->segment_count; ++i) {
        write_element(stream, ++number, LINE, 2, elements->segments + 2 * (size_t)i, 2);
    }
    for (int i = 0; i < elements->face_count; ++i) {
        int begin = elements->face_offsets[i], count = elements->face_offsets[i + 1] - begin;
        write_element(stream, ++number, count == 3 ? TRIANGLE : QUADRANGLE, 3, elements->face_vertices + begin,
                      count);
    }
    for (int i = 0; i < elements->tet_count; ++i) {
        write_element(stream, ++number, TETRAHEDRON, 4, elements->tets + 4 * (size_t)i, 4);
    }
    (void)fputs("$EndElements\n", stream);
}

static void write_sections(FILE *stream, const abut_mesh_elements *elements)
{
    (void)fprintf(stream, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", elements->vertex_count);
    for (int i = 0; i < elements->vertex_count; ++i) {
        (void)fprintf(stream, "%lld ", (long long)i + 1);
        abut_write_vec3(stream, elements->vertices[i]);
        (void)fputc('\n', stream);
    }
    (void)fputs("$EndNodes\n", stream);
    write_elements(stream, elements);
}

abut_status abut_msh_write(const abut_mesh_elements *elements, const char *path, abut_error *error)
{
    const abut_file file = {.name = path, .error = error};
    abut_status status = check(&file, elements);
    return status == ABUT_OK ? abut_write_content(elements, path, write_sections, error) : status;
}
