// SPDX-License-Identifier: MIT
// tetgen.c: the files of TetGen: .node, .ele, .face, .edge
//
// Each file begins with counts, followed by one numbered line per item. Numbers start at 0 or 1, like that of the
// first node. Attributes and boundary markers are skipped. The counts are checked but not trusted: arrays grow line
// by line.
#include "io/formats.h"
#include "io/text.h"

#include <abut/predicates.h>

static abut_text open_commented(const abut_file *file)
{
    abut_text text = abut_text_open(file);
    text.comment = '#';
    return text;
}

// Reads the first line: up to `count` integers. The first `needed` are required; the others default to 0.
static abut_status read_header(abut_text *text, int *values, int count, int needed)
{
    if (!abut_text_find_line(text)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the first line with the counts is missing");
    }
    for (int i = 0; i < count; ++i) {
        abut_text ahead = *text;
        abut_word word;
        if (i >= needed && !abut_text_word(&ahead, &word)) {
            values[i] = 0;
            continue;
        }
        abut_status status = abut_text_integer(text, "count", &values[i]);
        if (status != ABUT_OK) {
            return status;
        }
        if (values[i] < 0) {
            return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the first line has a negative count");
        }
    }
    abut_word extra;
    if (abut_text_word(text, &extra)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the first line has more than %d numbers",
                              count);
    }
    return ABUT_OK;
}

// A list of numbered lines.
typedef struct list {
    const char *item; // name of an item in messages, such as "node"
    int count;        // number of lines, as declared in the first line
    int first;        // number of the first item; -1 if not yet known
} list;

// Moves to line `i` of the list and reads its number.
static abut_status begin_item(abut_text *text, list *lines, int i)
{
    if (!abut_text_find_line(text)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "the file ends after %d of %d %ss", i,
                              lines->count, lines->item);
    }
    int number = 0;
    abut_status status = abut_text_integer(text, lines->item, &number);
    if (status != ABUT_OK) {
        return status;
    }
    if (lines->first < 0 && (number == 0 || number == 1)) {
        lines->first = number;
    }
    if (lines->first < 0) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                              "the first %s has number %d; 0 or 1 is expected", lines->item, number);
    }
    if (number - lines->first != i) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "found %s %d; expected %s %d", lines->item,
                              number, lines->item, i + lines->first);
    }
    return ABUT_OK;
}

// Skips the rest of a line, which must be `least` to `most` numbers.
static abut_status end_item(abut_text *text, const list *lines, int least, int most)
{
    int count = 0;
    for (;;) {
        abut_text ahead = *text;
        abut_word word;
        if (!abut_text_word(&ahead, &word)) {
            break;
        }
        double ignored;
        abut_status status = abut_text_number(text, "attribute", &ignored);
        if (status != ABUT_OK) {
            return status;
        }
        ++count;
    }
    if (count < least || count > most) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                              "%s has %d attributes and markers, but the first line announces %d", lines->item,
                              count, count < least ? least : most);
    }
    return ABUT_OK;
}

static abut_status end_list(abut_text *text, const list *lines)
{
    if (abut_text_find_line(text)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                              "there are more than the %d %ss that the first line announces", lines->count,
                              lines->item);
    }
    return ABUT_OK;
}

abut_status abut_node_read(const abut_file *file, abut_parts *parts, int *base)
{
    abut_text text = open_commented(file);
    int header[4]; // nodes, dimension, attributes, whether there are markers
    abut_status status = read_header(&text, header, 4, 2);
    if (status != ABUT_OK) {
        return status;
    }
    if (header[1] != 3) {
        return abut_file_fail(file, ABUT_UNSUPPORTED, text.line, "nodes have dimension %d; only 3 is supported",
                              header[1]);
    }
    if (header[0] == 0) {
        return abut_file_fail(file, ABUT_BAD_DATA, 0, "this file has no nodes");
    }
    if (header[2] > INT32_MAX - 1 || header[3] > 1) {
        return abut_file_fail(file, ABUT_BAD_DATA, text.line, "the first line has an invalid count");
    }
    list nodes = {"node", header[0], -1};
    int extra = header[2] + header[3];
    for (int i = 0; i < nodes.count; ++i) {
        abut_vec3 vertex = {0.0, 0.0, 0.0};
        status = begin_item(&text, &nodes, i);
        if (status == ABUT_OK) {
            status = abut_text_vec3(&text, "node coordinate", &vertex);
        }
        if (status == ABUT_OK) {
            status = end_item(&text, &nodes, extra, extra);
        }
        if (status != ABUT_OK) {
            return status;
        }
        status = abut_parts_add_vertex(parts, vertex);
        if (status != ABUT_OK) {
            return abut_file_fail_growth(file, status, text.line, "nodes");
        }
    }
    *base = nodes.first;
    parts->precision = ABUT_PRECISION_DOUBLE;
    return end_list(&text, &nodes);
}

// Reads the next `count` words of a line as node numbers.
static abut_status read_nodes(abut_text *text, const list *lines, int base, int count, abut_parts *parts,
                              abut_ints *array)
{
    for (int k = 0; k < count; ++k) {
        int number = 0;
        abut_status status = abut_text_integer(text, "node number", &number);
        if (status != ABUT_OK) {
            return status;
        }
        if ((number < base || number - base >= parts->vertex_count) && !text->file->is_lenient) {
            return abut_file_fail(text->file, ABUT_BAD_DATA, text->line,
                                  "%s refers to node %d, but nodes are numbered from %d to %d", lines->item, number,
                                  base, base + (parts->vertex_count - 1));
        }
        status = abut_ints_add(&parts->context, array, number - base);
        if (status != ABUT_OK) {
            return abut_file_fail_growth(text->file, status, text->line, "corners");
        }
    }
    return ABUT_OK;
}

// The form of a line: `corner_count` nodes, then `least` to `most` attributes and markers.
typedef struct item_shape {
    int corner_count, least, most;
} item_shape;

static abut_status read_items(abut_text *text, list *lines, const item_shape *shape, int base, abut_parts *parts,
                              abut_ints *array)
{
    for (int i = 0; i < lines->count; ++i) {
        abut_status status = begin_item(text, lines, i);
        if (status == ABUT_OK) {
            status = read_nodes(text, lines, base, shape->corner_count, parts, array);
        }
        if (status == ABUT_OK) {
            status = end_item(text, lines, shape->least, shape->most);
        }
        if (status != ABUT_OK) {
            return status;
        }
    }
    return end_list(text, lines);
}

abut_status abut_ele_read(const abut_file *file, abut_parts *parts, int base)
{
    abut_text text = open_commented(file);
    int header[3]; // tetrahedra, nodes of each, attributes
    abut_status status = read_header(&text, header, 3, 2);
    if (status != ABUT_OK) {
        return status;
    }
    if (header[1] != 4) {
        return abut_file_fail(file, ABUT_UNSUPPORTED, text.line,
                              "tetrahedra have %d nodes; only 4 are supported (run tetgen without -o2)", header[1]);
    }
    list tets = {"tetrahedron", header[0], -1};
    const item_shape shape = {4, header[2], header[2]};
    return read_items(&text, &tets, &shape, base, parts, &parts->tets);
}

// With -nn, TetGen adds the tetrahedra beside a face or edge to its line, but does not declare them in the first
// line.
enum { MOST_NEIGHBOURS = 2 };

static abut_status read_marked(const abut_file *file, abut_parts *parts, list *lines, int corner_count, int base,
                               abut_ints *array)
{
    abut_text text = open_commented(file);
    int header[2]; // items, whether there are markers
    abut_status status = read_header(&text, header, 2, 1);
    if (status != ABUT_OK) {
        return status;
    }
    if (header[1] > 1) {
        return abut_file_fail(file, ABUT_BAD_DATA, text.line, "the first line has an invalid count");
    }
    lines->count = header[0];
    const item_shape shape = {corner_count, header[1], header[1] + MOST_NEIGHBOURS};
    return read_items(&text, lines, &shape, base, parts, array);
}

abut_status abut_face_read(const abut_file *file, abut_parts *parts, int base)
{
    list faces = {"face", 0, -1};
    return read_marked(file, parts, &faces, 3, base, &parts->face_vertices);
}

abut_status abut_edge_read(const abut_file *file, abut_parts *parts, int base)
{
    list edges = {"edge", 0, -1};
    return read_marked(file, parts, &edges, 2, base, &parts->segments);
}

// The index of the corner of a tetrahedron that does not belong to the given face of it.
static int corner_opposite(const int tet[4], const int triangle[3])
{
    for (int k = 0; k < 3; ++k) {
        if (tet[k] != triangle[0] && tet[k] != triangle[1] && tet[k] != triangle[2]) {
            return k;
        }
    }
    return 3;
}

int abut_turn_faces_outward(const abut_mesh *mesh, abut_parts *parts)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    int turned = 0;
    for (int i = 0; i < elements.triangle_count && elements.tet_count > 0; ++i) {
        int tet = topology.triangle_tets[i];
        if (tet < 0) {
            continue;
        }
        int begin = elements.face_offsets[elements.triangle_faces[i]];
        if (elements.face_offsets[elements.triangle_faces[i] + 1] - begin != 3) {
            continue;
        }
        const int *triangle = elements.triangles + 3 * (size_t)i;
        const int *corners = elements.tets + 4 * (size_t)tet;
        int opposite = corner_opposite(corners, triangle);
        if (topology.tet_neighbours[4 * (size_t)tet + (size_t)opposite] != ABUT_BOUNDARY) {
            continue;
        }
        const abut_vec3 *vertices = elements.vertices;
        int sign = 0; // stays 0 if the coordinates are out of range for the test; the face stays as it is
        (void)abut_orient3d(vertices[triangle[0]], vertices[triangle[1]], vertices[triangle[2]],
                            vertices[corners[opposite]], &sign);
        if (sign > 0) {
            int *face = parts->face_vertices.items + begin;
            int second = face[1];
            face[1] = face[2];
            face[2] = second;
            ++turned;
        }
    }
    return turned;
}
