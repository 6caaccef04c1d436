// SPDX-License-Identifier: MIT
// ply_write.c: writes PLY, binary (little-endian) or text
//
// Coordinates are written as float if the mesh has float precision and all of them are exact floats; else as double.
#include "io/formats.h"

#include <float.h>
#include <string.h>

static int is_float(double value)
{
    return fabs(value) <= (double)FLT_MAX && (double)(float)value == value;
}

static int has_floats(const abut_mesh_elements *elements)
{
    int holds = elements->precision == ABUT_PRECISION_FLOAT;
    for (int i = 0; i < elements->vertex_count && holds; ++i) {
        abut_vec3 v = elements->vertices[i];
        holds = is_float(v.x) && is_float(v.y) && is_float(v.z);
    }
    return holds;
}

static int has_large_faces(const abut_mesh_elements *elements)
{
    for (int i = 0; i < elements->face_count; ++i) {
        if (elements->face_offsets[i + 1] - elements->face_offsets[i] > 255) {
            return 1;
        }
    }
    return 0;
}

static void write_header(FILE *stream, const abut_mesh_elements *elements, const char *format)
{
    const char *type = has_floats(elements) ? "float" : "double";
    (void)fprintf(stream, "ply\nformat %s 1.0\nelement vertex %d\n", format, elements->vertex_count);
    (void)fprintf(stream, "property %s x\nproperty %s y\nproperty %s z\n", type, type, type);
    if (elements->segment_count > 0) {
        (void)fprintf(stream, "element edge %d\nproperty int vertex1\nproperty int vertex2\n",
                      elements->segment_count);
    }
    if (elements->face_count > 0) {
        (void)fprintf(stream, "element face %d\nproperty list %s int vertex_indices\n", elements->face_count,
                      has_large_faces(elements) ? "int" : "uchar");
    }
    (void)fputs("end_header\n", stream);
}

static void put_bits(FILE *stream, uint64_t bits, int size)
{
    unsigned char bytes[8];
    for (int i = 0; i < size; ++i) {
        bytes[i] = (unsigned char)(bits >> (8 * i) & 0xff);
    }
    (void)fwrite(bytes, 1, (size_t)size, stream);
}

static void put_coordinate(FILE *stream, double value, int as_float)
{
    uint64_t bits;
    uint32_t word;
    float rounded = (float)value;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&word, &rounded, sizeof word);
    put_bits(stream, as_float ? word : bits, as_float ? 4 : 8);
}

static void write_binary(FILE *stream, const abut_mesh_elements *elements)
{
    int as_floats = has_floats(elements), count_size = has_large_faces(elements) ? 4 : 1;
    write_header(stream, elements, "binary_little_endian");
    for (int i = 0; i < elements->vertex_count; ++i) {
        put_coordinate(stream, elements->vertices[i].x, as_floats);
        put_coordinate(stream, elements->vertices[i].y, as_floats);
        put_coordinate(stream, elements->vertices[i].z, as_floats);
    }
    for (int i = 0; i < 2 * elements->segment_count; ++i) {
        put_bits(stream, (uint64_t)elements->segments[i], 4);
    }
    for (int i = 0; i < elements->face_count; ++i) {
        int begin = elements->face_offsets[i], end = elements->face_offsets[i + 1];
        put_bits(stream, (uint64_t)(end - begin), count_size);
        for (int k = begin; k < end; ++k) {
            put_bits(stream, (uint64_t)elements->face_vertices[k], 4);
        }
    }
}

static void write_text(FILE *stream, const abut_mesh_elements *elements)
{
    write_header(stream, elements, "ascii");
    for (int i = 0; i < elements->vertex_count; ++i) {
        abut_write_vec3(stream, elements->vertices[i]);
        (void)fputc('\n', stream);
    }
    for (int i = 0; i < elements->segment_count; ++i) {
        (void)fprintf(stream, "%d %d\n", elements->segments[2 * (size_t)i], elements->segments[2 * (size_t)i + 1]);
    }
    for (int i = 0; i < elements->face_count; ++i) {
        int begin = elements->face_offsets[i], end = elements->face_offsets[i + 1];
        (void)fprintf(stream, "%d", end - begin);
        for (int k = begin; k < end; ++k) {
            (void)fprintf(stream, " %d", elements->face_vertices[k]);
        }
        (void)fputc('\n', stream);
    }
}

static abut_status write_checked(const abut_mesh_elements *elements, const char *path, abut_content_writer *write,
                                 abut_error *error)
{
    const abut_file file = {.name = path, .error = error};
    if (elements->tet_count > 0 || elements->point_count > 0) {
        return abut_file_fail(&file, ABUT_UNSUPPORTED, 0, "PLY cannot hold %s",
                              elements->tet_count > 0 ? "tetrahedra; write TetGen files or MSH"
                                                      : "points; write OBJ, OFF or MSH");
    }
    return abut_write_content(elements, path, write, error);
}

abut_status abut_ply_write(const abut_mesh_elements *elements, const char *path, abut_error *error)
{
    return write_checked(elements, path, write_binary, error);
}

abut_status abut_ply_write_text(const abut_mesh_elements *elements, const char *path, abut_error *error)
{
    return write_checked(elements, path, write_text, error);
}
