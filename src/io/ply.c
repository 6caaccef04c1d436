// SPDX-License-Identifier: MIT
// ply.c: PLY, text and binary with either byte order
//
// Vertices, faces, edges and triangle strips are read. Other elements, and properties that do not affect the shape, are skipped.
#include "io/formats.h"
#include "io/ply_header.h"

#include <string.h>

// The values of the current vertex or edge.
typedef struct item {
    double place[3];
    int ends[2];
} item;

typedef struct reading {
    abut_values values;
    abut_ply_header header;
    abut_parts *parts;
    char name[ABUT_QUOTE_SIZE]; // name of the current element, in quotes
} reading;

static abut_status fail_item(const reading *it, int64_t index, const char *what)
{
    return abut_values_fail(&it->values, ABUT_BAD_DATA, "%s %lld %s", it->name, (long long)index, what);
}

static abut_status fail_vertex(const reading *it, int64_t index, int64_t vertex)
{
    return abut_values_fail(&it->values, ABUT_BAD_DATA,
                            "%s %lld refers to vertex %lld, but there are %lld vertices", it->name,
                            (long long)index, (long long)vertex, (long long)it->header.vertex_count);
}

// Checks a vertex index. If the file is read leniently, an index out of range becomes -1.
static abut_status check_vertex(const reading *it, int64_t index, int64_t *number)
{
    int64_t vertex = *number;
    if (vertex < 0 || vertex >= it->header.vertex_count) {
        *number = -1;
        return it->values.text.file->is_lenient ? ABUT_OK : fail_vertex(it, index, vertex);
    }
    // An index must be below INT_MAX. The vertex element itself fails if it has more vertices than that.
    return vertex < INT32_MAX ? ABUT_OK : abut_values_fail_growth(&it->values, ABUT_LIMIT, "vertices");
}

// A triangle strip: each vertex makes a triangle with the two before it, and every other one is turned around. Triangles
// that name a vertex twice only join strips.
typedef struct strip {
    int last[2]; // the two vertices before
    int length;
} strip;

static abut_status add_to_strip(reading *it, strip *made, int vertex)
{
    abut_status status = ABUT_OK;
    int is_turned = made->length % 2;
    const int corners[3] = {made->last[is_turned], made->last[!is_turned], vertex};
    if (made->length >= 2 && corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0]) {
        for (int k = 0; k < 3 && status == ABUT_OK; ++k) {
            status = abut_ints_add(&it->parts->context, &it->parts->face_vertices, corners[k]);
        }
        status = status == ABUT_OK ? abut_parts_end_face(it->parts) : status;
    }
    made->last[0] = made->last[1];
    made->last[1] = vertex;
    ++made->length;
    return status;
}

static abut_status read_list(reading *it, const abut_ply_property *property, int64_t index)
{
    int64_t count = 0;
    abut_status status = abut_values_integer(&it->values, property->count_type, "the length of a list", &count);
    if (status != ABUT_OK) {
        return status;
    }
    int is_corners = property->role == ABUT_PLY_CORNERS, is_strip = property->role == ABUT_PLY_STRIP;
    strip made = {{0, 0}, 0};
    size_t least = it->values.is_binary ? abut_value_size(property->type) : 2;
    if (count < 0 || (is_corners && count < 3 && !it->values.text.file->is_lenient)) {
        return fail_item(it, index, count < 0 ? "has a list of negative length" : "has fewer than 3 corners");
    }
    if (!abut_values_can_hold(&it->values, (uint64_t)count, least)) {
        return fail_item(it, index, "has a list that is longer than the file");
    }
    for (int64_t i = 0; i < count && status == ABUT_OK; ++i) {
        int64_t vertex = 0;
        if (!is_corners && !is_strip) {
            status = abut_values_skip(&it->values, property->type, "a value of a list");
            continue;
        }
        status = abut_values_integer(&it->values, property->type, "vertex of a face", &vertex);
        if (status == ABUT_OK && is_strip && vertex == -1) {
            made.length = 0;
            continue;
        }
        if (status == ABUT_OK) {
            status = check_vertex(it, index, &vertex);
        }
        if (status == ABUT_OK) {
            status = is_strip ? add_to_strip(it, &made, (int)vertex)
                              : abut_ints_add(&it->parts->context, &it->parts->face_vertices, (int)vertex);
            status = status == ABUT_OK ? ABUT_OK : abut_values_fail_growth(&it->values, status, "corners");
        }
    }
    return status;
}

static abut_status read_property(reading *it, const abut_ply_property *property, int64_t index, item *made)
{
    if (property->is_list) {
        return read_list(it, property, index);
    }
    int64_t vertex = 0;
    abut_status status;
    switch (property->role) {
    case ABUT_PLY_X:
    case ABUT_PLY_Y:
    case ABUT_PLY_Z:
        return abut_values_number(&it->values, property->type, "vertex coordinate",
                                  &made->place[property->role - ABUT_PLY_X]);
    case ABUT_PLY_START:
    case ABUT_PLY_END:
        status = abut_values_integer(&it->values, property->type, "vertex of an edge", &vertex);
        status = status == ABUT_OK ? check_vertex(it, index, &vertex) : status;
        made->ends[property->role - ABUT_PLY_START] = (int)vertex;
        return status;
    default: return abut_values_skip(&it->values, property->type, "the value of a property");
    }
}

static abut_status add_item(reading *it, abut_ply_kind kind, const item *made)
{
    abut_parts *parts = it->parts;
    abut_status status = ABUT_OK;
    switch (kind) {
    case ABUT_PLY_VERTEX:
        status = abut_parts_add_vertex(parts, abut_vec3_make(made->place[0], made->place[1], made->place[2]));
        break;
    case ABUT_PLY_FACE: status = abut_parts_end_face(parts); break;
    case ABUT_PLY_EDGE:
        status = abut_ints_add(&parts->context, &parts->segments, made->ends[0]);
        status = status == ABUT_OK ? abut_ints_add(&parts->context, &parts->segments, made->ends[1]) : status;
        break;
    default: break;
    }
    return status == ABUT_OK ? ABUT_OK : abut_values_fail_growth(&it->values, status, "elements");
}

// The least size of an element in bytes. `has_lists` tells whether it may be larger.
static size_t least_size(const reading *it, const abut_ply_element *element, int *has_lists)
{
    size_t size = 0;
    *has_lists = 0;
    for (int i = 0; i < element->property_count; ++i) {
        const abut_ply_property *property = &it->header.properties[element->first + i];
        *has_lists |= property->is_list;
        size +=
            !it->values.is_binary ? 2 : abut_value_size(property->is_list ? property->count_type : property->type);
    }
    return size;
}

static abut_status read_element(reading *it, const abut_ply_element *element)
{
    int has_lists;
    size_t least = least_size(it, element, &has_lists);
    (void)abut_word_quote(element->name, it->name);
    if (!abut_values_can_hold(&it->values, (uint64_t)element->count, least)) {
        return abut_file_fail(it->values.text.file, ABUT_BAD_DATA, element->line,
                              "%lld of %s are announced, but only %llu bytes follow", (long long)element->count,
                              it->name, (unsigned long long)abut_values_left(&it->values));
    }
    if (least == 0 || (it->values.is_binary && element->kind == ABUT_PLY_OTHER && !has_lists)) {
        it->values.text.at += (size_t)element->count * least; // skip all at once
        return ABUT_OK;
    }
    for (int64_t i = 0; i < element->count; ++i) {
        if (!abut_values_begin_line(&it->values)) {
            return abut_values_fail(&it->values, ABUT_BAD_DATA, "the file ends after %lld of %lld elements %s",
                                    (long long)i, (long long)element->count, it->name);
        }
        item made = {.ends = {0, 0}};
        abut_status status = ABUT_OK;
        for (int k = 0; k < element->property_count && status == ABUT_OK; ++k) {
            status = read_property(it, &it->header.properties[element->first + k], i, &made);
        }
        if (status == ABUT_OK) {
            status = abut_values_end_line(&it->values, it->name);
        }
        if (status == ABUT_OK) {
            status = add_item(it, element->kind, &made);
        }
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

// The precision is float if all three coordinates are declared as float.
static abut_precision precision_of(const abut_ply_header *header)
{
    for (int i = 0; i < header->property_count; ++i) {
        const abut_ply_property *property = &header->properties[i];
        if (property->role >= ABUT_PLY_X && property->role <= ABUT_PLY_Z && property->type != ABUT_FLOAT32) {
            return ABUT_PRECISION_DOUBLE;
        }
    }
    return ABUT_PRECISION_FLOAT;
}

static abut_status read_elements(reading *it)
{
    it->parts->precision = precision_of(&it->header);
    for (int i = 0; i < it->header.element_count; ++i) {
        abut_status status = read_element(it, &it->header.elements[i]);
        if (status != ABUT_OK) {
            return status;
        }
    }
    size_t left = abut_values_left(&it->values);
    if (it->values.is_binary ? left > 0 : abut_text_find_line(&it->values.text)) {
        return abut_values_fail(&it->values, ABUT_BAD_DATA, "there is data after the last element");
    }
    return ABUT_OK;
}

abut_status abut_ply_read(const abut_file *file, abut_parts *parts)
{
    reading it = {.values = {.text = abut_text_open(file)}, .parts = parts};
    abut_status status = abut_ply_header_read(&it.header, &it.values);
    if (status == ABUT_OK) {
        status = read_elements(&it);
    }
    abut_ply_header_release(&it.header);
    return status;
}
