// SPDX-License-Identifier: MIT
// stl_write.c: writes STL, text and binary
//
// A face with three corners is written unchanged, a polygon as the triangles that it was cut into.
#include "io/formats.h"

#include <float.h>
#include <string.h>

static abut_status check(const abut_file *file, const abut_mesh_elements *elements, int *triangle_count)
{
    const char *what = elements->tet_count > 0       ? "tetrahedra; write TetGen files or MSH"
                       : elements->segment_count > 0 ? "segments; write OBJ"
                       : elements->point_count > 0   ? "points; write OBJ"
                       : elements->face_count == 0   ? "a mesh without faces; write OBJ"
                                                     : NULL;
    if (what != NULL) {
        return abut_file_fail(file, ABUT_UNSUPPORTED, 0, "STL cannot hold %s", what);
    }
    int triangle = 0;
    *triangle_count = 0;
    for (int face = 0; face < elements->face_count; ++face) {
        int first = triangle;
        while (triangle < elements->triangle_count && elements->triangle_faces[triangle] == face) {
            ++triangle;
        }
        int corner_count = elements->face_offsets[face + 1] - elements->face_offsets[face];
        if (corner_count != 3 && triangle == first) {
            return abut_file_fail_element(file, ABUT_UNSUPPORTED, face,
                                          "STL cannot hold face %d: its %d corners do not form a triangle", face,
                                          corner_count);
        }
        *triangle_count += corner_count == 3 ? 1 : triangle - first;
    }
    return ABUT_OK;
}

typedef void triangle_writer(FILE *stream, const abut_vec3 corners[3]);

static void write_triangle(FILE *stream, const abut_mesh_elements *elements, const int *vertices,
                           triangle_writer *write)
{
    const abut_vec3 corners[3] = {elements->vertices[vertices[0]], elements->vertices[vertices[1]],
                                  elements->vertices[vertices[2]]};
    write(stream, corners);
}

static void write_triangles(FILE *stream, const abut_mesh_elements *elements, triangle_writer *write)
{
    int triangle = 0;
    for (int face = 0; face < elements->face_count; ++face) {
        int begin = elements->face_offsets[face];
        int is_triangle = elements->face_offsets[face + 1] - begin == 3;
        if (is_triangle) {
            write_triangle(stream, elements, elements->face_vertices + begin, write);
        }
        for (; triangle < elements->triangle_count && elements->triangle_faces[triangle] == face; ++triangle) {
            if (!is_triangle) {
                write_triangle(stream, elements, elements->triangles + 3 * (size_t)triangle, write);
            }
        }
    }
}

// Uses unit edges, so that the product neither overflows nor underflows. Zero if the corners are collinear.
static abut_vec3 normal_of(const abut_vec3 corners[3])
{
    abut_vec3 ab = abut_unit(abut_sub(corners[1], corners[0]));
    abut_vec3 ac = abut_unit(abut_sub(corners[2], corners[0]));
    return abut_unit(abut_cross(ab, ac));
}

static void put_word(char *at, uint32_t word)
{
    for (int i = 0; i < 4; ++i) {
        at[i] = (char)(unsigned char)(word >> (8 * i) & 0xff);
    }
}

static void put_vec3(char *at, abut_vec3 v)
{
    const float values[3] = {(float)v.x, (float)v.y, (float)v.z};
    for (int i = 0; i < 3; ++i) {
        uint32_t word;
        memcpy(&word, &values[i], sizeof word);
        put_word(at + 4 * i, word);
    }
}

static void write_record(FILE *stream, const abut_vec3 corners[3])
{
    char record[50] = {0};
    put_vec3(record, normal_of(corners));
    for (int k = 0; k < 3; ++k) {
        put_vec3(record + 12 * (k + 1), corners[k]);
    }
    (void)fwrite(record, sizeof record, 1, stream);
}

static void write_facet(FILE *stream, const abut_vec3 corners[3])
{
    (void)fputs("facet normal ", stream);
    abut_write_vec3(stream, normal_of(corners));
    (void)fputs("\nouter loop\n", stream);
    for (int k = 0; k < 3; ++k) {
        (void)fputs("vertex ", stream);
        abut_write_vec3(stream, corners[k]);
        (void)fputc('\n', stream);
    }
    (void)fputs("endloop\nendfacet\n", stream);
}

abut_status abut_stl_write(const abut_mesh_elements *elements, const char *path, abut_error *error)
{
    const abut_file file = {.name = path, .error = error};
    int triangle_count = 0;
    abut_status status = check(&file, elements, &triangle_count);
    abut_vec3 size = abut_max(abut_abs(elements->bounds.lower), abut_abs(elements->bounds.upper));
    if (status == ABUT_OK && abut_max_component(size) > (double)FLT_MAX) {
        status = abut_file_fail(&file, ABUT_UNSUPPORTED, 0,
                                "coordinates are too large for binary STL, which holds floats; write text STL");
    }
    abut_output output;
    if (status == ABUT_OK) {
        status = abut_output_open(&output, path, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    char header[84] = "binary STL";
    put_word(header + 80, (uint32_t)triangle_count);
    (void)fwrite(header, sizeof header, 1, output.stream);
    write_triangles(output.stream, elements, write_record);
    status = abut_output_close(&output);
    return status == ABUT_OK ? abut_output_publish(&output) : status;
}

static void write_solid(FILE *stream, const abut_mesh_elements *elements)
{
    (void)fputs("solid mesh\n", stream);
    write_triangles(stream, elements, write_facet);
    (void)fputs("endsolid mesh\n", stream);
}

abut_status abut_stl_write_text(const abut_mesh_elements *elements, const char *path, abut_error *error)
{
    const abut_file file = {.name = path, .error = error};
    int triangle_count = 0;
    abut_status status = check(&file, elements, &triangle_count);
    return status == ABUT_OK ? abut_write_content(elements, path, write_solid, error) : status;
}
