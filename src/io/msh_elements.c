// SPDX-License-Identifier: MIT
// msh_elements.c: the elements of a Gmsh file: points, lines, triangles, quadrangles, tetrahedra
#include "io/msh.h"

enum { LINE = 1, TRIANGLE = 2, QUADRANGLE = 3, TETRAHEDRON = 4, POINT = 15 };

// The number of nodes of an element, or 0 if its type is not supported.
static int corner_count_of(int64_t type)
{
    switch (type) {
    case POINT: return 1;
    case LINE: return 2;
    case TRIANGLE: return 3;
    case QUADRANGLE:
    case TETRAHEDRON: return 4;
    default: return 0;
    }
}

static abut_status refuse_type(const abut_msh *msh, int64_t type)
{
    static const char *const names[] = {
        [5] = "hexahedra",
        [6] = "prisms",
        [7] = "pyramids",
        [8] = "lines of second order",
        [9] = "triangles of second order",
        [10] = "quadrangles of second order",
        [11] = "tetrahedra of second order",
        [12] = "hexahedra of second order",
        [13] = "prisms of second order",
        [14] = "pyramids of second order",
        [16] = "quadrangles of second order",
        [17] = "hexahedra of second order",
        [18] = "prisms of second order",
        [19] = "pyramids of second order",
    };
    int is_known = type > 0 && type < (int64_t)(sizeof names / sizeof *names) && names[type] != NULL;
    return abut_values_fail(&msh->values, ABUT_UNSUPPORTED,
                            "%s (Gmsh type %lld) are not supported; mesh with triangles or tetrahedra of order 1",
                            is_known ? names[type] : "elements", (long long)type);
}

static abut_ints *array_of(abut_parts *parts, int64_t type)
{
    return type == POINT         ? &parts->points
           : type == LINE        ? &parts->segments
           : type == TETRAHEDRON ? &parts->tets
                                 : &parts->face_vertices;
}

// Reads the nodes of an element, up to the end of the line.
static abut_status read_corners(abut_msh *msh, int64_t tag, int64_t type)
{
    abut_parts *parts = msh->parts;
    abut_ints *array = array_of(parts, type);
    abut_status status = ABUT_OK;
    for (int k = 0; k < corner_count_of(type); ++k) {
        int64_t number = 0;
        status = abut_msh_tag(msh, "node of an element", &number);
        if (status != ABUT_OK) {
            return status;
        }
        int vertex = abut_msh_find_node(msh, number);
        if (vertex < 0 && !msh->values.text.file->is_lenient) {
            return abut_values_fail(&msh->values, ABUT_BAD_DATA,
                                    "element %lld refers to node %lld, which does not exist", (long long)tag,
                                    (long long)number);
        }
        status = abut_ints_add(&parts->context, array, vertex);
        if (status != ABUT_OK) {
            return abut_values_fail_growth(&msh->values, status, "corners");
        }
    }
    if (array == &parts->face_vertices) {
        status = abut_parts_end_face(parts);
    }
    return status == ABUT_OK ? abut_values_end_line(&msh->values, "an element")
                             : abut_values_fail_growth(&msh->values, status, "faces");
}

static abut_status skip_labels(abut_msh *msh, int64_t count)
{
    abut_status status = abut_msh_check_promise(msh, count, "labels of an element", 2, 4);
    for (int64_t k = 0; k < count && status == ABUT_OK; ++k) {
        status = abut_values_skip(&msh->values, ABUT_INT32, "label of an element");
    }
    return status;
}

// Reads an element of version 2.2, text: number, type, number of labels, labels, nodes.
static abut_status read_old_element(abut_msh *msh)
{
    int64_t tag = 0, type = 0, label_count = 0;
    abut_status status = abut_msh_begin_line(msh, "$Elements");
    if (status == ABUT_OK) {
        status = abut_msh_tag(msh, "element number", &tag);
    }
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "type of an element", &type);
    }
    if (status == ABUT_OK && corner_count_of(type) == 0) {
        status = refuse_type(msh, type);
    }
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "number of labels", &label_count);
    }
    if (status == ABUT_OK) {
        status = skip_labels(msh, label_count);
    }
    return status == ABUT_OK ? read_corners(msh, tag, type) : status;
}

// Reads a block of version 2.2, binary: type, number of elements, number of labels; then for each element its
// number, labels and nodes. `most` elements are left.
static abut_status read_old_run(abut_msh *msh, int64_t most, int64_t *read)
{
    int64_t type = 0, count = 0, label_count = 0, tag = 0;
    abut_status status = abut_msh_integer(msh, "type of elements", &type);
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "number of elements", &count);
    }
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "number of labels", &label_count);
    }
    if (status == ABUT_OK && corner_count_of(type) == 0) {
        status = refuse_type(msh, type);
    }
    if (status == ABUT_OK && (count < 1 || count > most)) {
        status = abut_values_fail(&msh->values, ABUT_BAD_DATA, "a block has %lld elements; it must have 1 to %lld",
                                  (long long)count, (long long)most);
    }
    for (int64_t i = 0; i < count && status == ABUT_OK; ++i) {
        status = abut_msh_tag(msh, "element number", &tag);
        if (status == ABUT_OK) {
            status = skip_labels(msh, label_count);
        }
        if (status == ABUT_OK) {
            status = read_corners(msh, tag, type);
        }
    }
    *read += status == ABUT_OK ? count : 0;
    return status;
}

static abut_status read_old_elements(abut_msh *msh, int64_t count)
{
    abut_status status = abut_msh_check_promise(msh, count, "elements", 8, 8);
    for (int64_t read = 0; read < count && status == ABUT_OK;) {
        if (msh->values.is_binary) {
            status = read_old_run(msh, count - read, &read);
        } else {
            status = read_old_element(msh);
            ++read;
        }
    }
    return status;
}

// Reads a block of version 4.1: the elements of one entity, all of the same type.
static abut_status read_block(abut_msh *msh, int64_t *read)
{
    int64_t type = 0, ignored = 0, count = 0, tag = 0;
    abut_status status = abut_msh_begin_line(msh, "$Elements");
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "dimension of an entity", &ignored);
    }
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "number of an entity", &ignored);
    }
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "type of elements", &type);
    }
    if (status == ABUT_OK) {
        status = abut_msh_count(msh, "number of elements", &count);
    }
    if (status == ABUT_OK) {
        status = abut_values_end_line(&msh->values, "a block of elements");
    }
    if (status == ABUT_OK && corner_count_of(type) == 0) {
        status = refuse_type(msh, type);
    }
    if (status == ABUT_OK) {
        status = abut_msh_check_promise(msh, count, "elements", 4, 2 * abut_msh_tag_size(msh));
    }
    for (int64_t i = 0; i < count && status == ABUT_OK; ++i) {
        status = abut_msh_begin_line(msh, "$Elements");
        if (status == ABUT_OK) {
            status = abut_msh_tag(msh, "element number", &tag);
        }
        if (status == ABUT_OK) {
            status = read_corners(msh, tag, type);
        }
    }
    *read += status == ABUT_OK ? count : 0;
    return status;
}

static abut_status read_new_elements(abut_msh *msh, int64_t block_count)
{
    int64_t count = 0, ignored = 0, read = 0;
    abut_status status = abut_msh_count(msh, "number of elements", &count);
    for (int k = 0; k < 2 && status == ABUT_OK; ++k) {
        status = abut_msh_count(msh, "lowest or highest element number", &ignored);
    }
    if (status == ABUT_OK) {
        status = abut_values_end_line(&msh->values, "the counts of $Elements");
    }
    if (status == ABUT_OK) {
        status = abut_msh_check_promise(msh, block_count, "blocks of elements", 8, 12 + abut_msh_tag_size(msh));
    }
    if (status == ABUT_OK) {
        status = abut_msh_check_promise(msh, count, "elements", 4, 2 * abut_msh_tag_size(msh));
    }
    for (int64_t i = 0; i < block_count && status == ABUT_OK; ++i) {
        status = read_block(msh, &read);
    }
    if (status == ABUT_OK && read != count) {
        status =
            abut_values_fail(&msh->values, ABUT_BAD_DATA, "%lld elements are announced, but the blocks have %lld",
                             (long long)count, (long long)read);
    }
    return status;
}

abut_status abut_msh_read_elements(abut_msh *msh)
{
    int64_t count = 0;
    if (msh->has_elements) {
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "there is a second section $Elements");
    }
    if (msh->tag_count == 0) {
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "the section $Elements comes before $Nodes");
    }
    msh->has_elements = 1;
    abut_status status = abut_msh_begin_line(msh, "$Elements");
    if (status == ABUT_OK) {
        status = abut_msh_count(msh, msh->is_new ? "number of blocks" : "number of elements", &count);
    }
    if (status != ABUT_OK) {
        return status;
    }
    return msh->is_new ? read_new_elements(msh, count) : read_old_elements(msh, count);
}
