// SPDX-License-Identifier: MIT
// vtu_write.c: writes VTK's unstructured grid as XML text, for ParaView: points, segments, faces, tetrahedra, in
// this order
#include "io/formats.h"

// Cell types of VTK.
enum { VERTEX = 1, LINE = 3, TRIANGLE = 5, POLYGON = 7, QUAD = 9, TETRA = 10 };

typedef void cell_writer(FILE *stream, const int *vertices, int count, int type, long long *end);

static void write_connectivity(FILE *stream, const int *vertices, int count, int type, long long *end)
{
    (void)type;
    (void)end;
    for (int k = 0; k < count; ++k) {
        (void)fprintf(stream, k + 1 < count ? "%d " : "%d\n", vertices[k]);
    }
}

static void write_offset(FILE *stream, const int *vertices, int count, int type, long long *end)
{
    (void)vertices;
    (void)type;
    *end += count;
    (void)fprintf(stream, "%lld\n", *end);
}

static void write_type(FILE *stream, const int *vertices, int count, int type, long long *end)
{
    (void)vertices;
    (void)count;
    (void)end;
    (void)fprintf(stream, "%d\n", type);
}

static void write_cells(FILE *stream, const abut_mesh_elements *elements, const char *type, const char *name,
                        cell_writer *write)
{
    long long end = 0;
    (void)fprintf(stream, "<DataArray type=\"%s\" Name=\"%s\" format=\"ascii\">\n", type, name);
    for (int i = 0; i < elements->point_count; ++i) {
        write(stream, elements->points + i, 1, VERTEX, &end);
    }
    for (int i = 0; i < elements->segment_count; ++i) {
        write(stream, elements->segments + 2 * (size_t)i, 2, LINE, &end);
    }
    for (int i = 0; i < elements->face_count; ++i) {
        int begin = elements->face_offsets[i], count = elements->face_offsets[i + 1] - begin;
        write(stream, elements->face_vertices + begin, count,
              count == 3   ? TRIANGLE
              : count == 4 ? QUAD
                           : POLYGON,
              &end);
    }
    for (int i = 0; i < elements->tet_count; ++i) {
        write(stream, elements->tets + 4 * (size_t)i, 4, TETRA, &end);
    }
    (void)fputs("</DataArray>\n", stream);
}

static void write_grid(FILE *stream, const abut_mesh_elements *elements)
{
    (void)fputs("<?xml version=\"1.0\"?>\n"
                "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                "<UnstructuredGrid>\n",
                stream);
    (void)fprintf(stream, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%lld\">\n", elements->vertex_count,
                  (long long)elements->point_count + elements->segment_count + elements->face_count +
                      elements->tet_count);
    (void)fputs("<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n", stream);
    for (int i = 0; i < elements->vertex_count; ++i) {
        abut_write_vec3(stream, elements->vertices[i]);
        (void)fputc('\n', stream);
    }
    (void)fputs("</DataArray>\n</Points>\n<Cells>\n", stream);
    write_cells(stream, elements, "Int32", "connectivity", write_connectivity);
    write_cells(stream, elements, "Int64", "offsets", write_offset);
    write_cells(stream, elements, "UInt8", "types", write_type);
    (void)fputs("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", stream);
}

abut_status abut_vtu_write(const abut_mesh_elements *elements, const char *path, abut_error *error)
{
    return abut_write_content(elements, path, write_grid, error);
}
