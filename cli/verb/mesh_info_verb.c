// SPDX-License-Identifier: MIT
// mesh_info_verb.c: abut mesh info
//
// Everything is collected as JSON; the table and the CSV show the same tree, a line for each value.
#include "shared/output.h"
#include "verb/verbs.h"

#include <abut/abut.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// How many open and non-manifold edges are named.
enum { NAMED_EDGES = 10 };

static void set_integer(json_t *object, const char *name, int value)
{
    json_object_set_new(object, name, json_integer(value));
}

static json_t *json_counts(const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    json_t *object = json_object();
    set_integer(object, "vertices", elements.vertex_count);
    set_integer(object, "points", elements.point_count);
    set_integer(object, "segments", elements.segment_count);
    set_integer(object, "faces", elements.face_count);
    set_integer(object, "triangles", elements.triangle_count);
    set_integer(object, "tets", elements.tet_count);
    set_integer(object, "edges", topology.edge_count);
    set_integer(object, "parts", topology.part_count);
    return object;
}

// The first few edges with `low` to `high` triangles, each by its two vertices.
static json_t *json_edges(const abut_mesh *mesh, int low, int high)
{
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    json_t *array = json_array();
    for (int i = 0; i < topology.edge_count && json_array_size(array) < NAMED_EDGES; ++i) {
        int count = topology.edge_triangle_offsets[i + 1] - topology.edge_triangle_offsets[i];
        if (count >= low && count <= high) {
            json_array_append_new(
                array, json_pack("[ii]", topology.edge_vertices[2 * i], topology.edge_vertices[2 * i + 1]));
        }
    }
    return array;
}

static json_t *json_surface(const abut_mesh *mesh, const abut_mesh_info *info)
{
    json_t *object = json_object();
    json_object_set_new(object, "closed", json_boolean(info->is_closed));
    json_object_set_new(object, "oriented", json_boolean(info->is_oriented));
    json_object_set_new(object, "orientation",
                        !info->is_closed || !info->is_oriented ? json_null()
                        : info->volume < 0.0                   ? json_string("inside out")
                                                               : json_string("outward"));
    set_integer(object, "boundary_edges", info->boundary_edge_count);
    set_integer(object, "non_manifold_edges", info->non_manifold_edge_count);
    set_integer(object, "non_manifold_vertices", info->non_manifold_vertex_count);
    set_integer(object, "misoriented_edges", info->misoriented_edge_count);
    set_integer(object, "degenerate_faces", info->degenerate_face_count);
    set_integer(object, "irregular_polygons", info->irregular_polygon_count);
    set_integer(object, "unused_vertices", info->unused_vertex_count);
    json_object_set_new(object, "first_boundary_edges", json_edges(mesh, 1, 1));
    json_object_set_new(object, "first_non_manifold_edges", json_edges(mesh, 3, INT32_MAX));
    json_object_set_new(object, "area", abut_cli_json_number(info->area));
    return object;
}

static json_t *json_bounds(const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    json_t *object = json_object();
    json_object_set_new(object, "lower", abut_cli_json_vec3(elements.bounds.lower));
    json_object_set_new(object, "upper", abut_cli_json_vec3(elements.bounds.upper));
    json_object_set_new(object, "diagonal", abut_cli_json_number(abut_box_diagonal(elements.bounds)));
    return object;
}

// Of a closed and oriented mesh; else every value is null.
static json_t *json_solid(const abut_mesh *mesh, const abut_mesh_info *info)
{
    abut_mass mass;
    json_t *object = json_object(), *inertia = json_array(), *axes = json_array();
    int is_solid = abut_mesh_mass(mesh, &mass, NULL) == ABUT_OK;
    int has_volume = info->is_closed && info->is_oriented;
    json_object_set_new(object, "volume", has_volume ? abut_cli_json_number(info->volume) : json_null());
    if (is_solid) {
        abut_quat q = mass.principal_axes;
        json_array_append_new(inertia, abut_cli_json_vec3(mass.inertia.x));
        json_array_append_new(inertia, abut_cli_json_vec3(mass.inertia.y));
        json_array_append_new(inertia, abut_cli_json_vec3(mass.inertia.z));
        double values[] = {q.w, q.x, q.y, q.z};
        for (int i = 0; i < 4; ++i) {
            json_array_append_new(axes, abut_cli_json_number(values[i]));
        }
    }
    json_object_set_new(object, "center", is_solid ? abut_cli_json_vec3(mass.center) : json_null());
    json_object_set_new(object, "inertia", is_solid ? json_incref(inertia) : json_null());
    json_object_set_new(object, "principal_moments",
                        is_solid ? abut_cli_json_vec3(mass.principal_moments) : json_null());
    json_object_set_new(object, "principal_axes", is_solid ? json_incref(axes) : json_null());
    json_decref(inertia);
    json_decref(axes);
    return object;
}

static json_t *json_brep(const abut_brep *brep)
{
    abut_brep_elements elements = abut_brep_get_elements(brep);
    int kinds[5] = {0};
    for (int i = 0; i < elements.edge_count; ++i) {
        ++kinds[elements.edges[i].kind];
    }
    json_t *object = json_object();
    set_integer(object, "faces", elements.face_count);
    set_integer(object, "edges", elements.edge_count);
    set_integer(object, "convex_edges", kinds[ABUT_EDGE_CONVEX]);
    set_integer(object, "reflex_edges", kinds[ABUT_EDGE_REFLEX]);
    set_integer(object, "boundary_edges", kinds[ABUT_EDGE_BOUNDARY]);
    set_integer(object, "non_manifold_edges", kinds[ABUT_EDGE_NON_MANIFOLD]);
    set_integer(object, "vertices", elements.vertex_count);
    json_object_set_new(object, "tolerance", abut_cli_json_number(elements.tolerance));
    return object;
}

static json_t *json_mesh(const char *path, const abut_mesh *mesh, const abut_brep *brep)
{
    abut_mesh_info info = abut_mesh_get_info(mesh);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    char hash[24];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, abut_mesh_hash(mesh));
    json_t *document = abut_cli_json_document();
    json_object_set_new(document, "file", abut_cli_json_text(path));
    json_object_set_new(document, "precision",
                        json_string(elements.precision == ABUT_PRECISION_FLOAT ? "float" : "double"));
    json_object_set_new(document, "hash", json_string(hash));
    json_object_set_new(document, "counts", json_counts(mesh));
    json_object_set_new(document, "bounds", json_bounds(mesh));
    json_object_set_new(document, "surface", json_surface(mesh, &info));
    json_object_set_new(document, "solid", json_solid(mesh, &info));
    json_object_set_new(document, "brep", json_brep(brep));
    return document;
}

// ---------------------------------------------------------------------------------------------------------------
// The tree as lines

static void print_value(const json_t *value, int is_exact, FILE *out)
{
    if (json_is_array(value)) {
        int is_nested = json_is_array(json_array_get(value, 0));
        for (size_t i = 0; i < json_array_size(value); ++i) {
            (void)fputs(i == 0 ? "" : is_nested ? ", " : " ", out);
            print_value(json_array_get(value, i), is_exact, out);
        }
    } else if (json_is_real(value)) {
        (void)fprintf(out, is_exact ? "%.17g" : "%.6g", json_real_value(value) + 0.0);
    } else if (json_is_integer(value)) {
        (void)fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_string(value)) {
        (void)fputs(json_string_value(value), out);
    } else if (json_is_null(value)) {
        (void)fputs(is_exact ? "" : "-", out);
    } else {
        (void)fputs(json_is_true(value) ? "yes" : "no", out);
    }
}

static void add_line(abut_cli_table *table, const char *group, const char *name, const json_t *value, int is_exact)
{
    abut_cli_text buffer;
    abut_cli_text_open(&buffer);
    print_value(value, is_exact, buffer.stream);
    char *text = abut_cli_text_take(&buffer);
    char *full = abut_cli_print("%s%s%s", group, group[0] != '\0' ? "." : "", name);
    abut_cli_add_text(table, full);
    abut_cli_add_text(table, text[0] == '\0' && !is_exact ? "none" : text);
    free(full);
    free(text);
}

static const abut_cli_column columns[] = {{"property", "property", ABUT_CLI_WORDS},
                                          {"value", "value", ABUT_CLI_WORDS}};

static void print_lines(json_t *document, abut_cli_format format, FILE *out)
{
    abut_cli_table table;
    abut_cli_table_open(&table, columns, 2);
    const char *name, *inner_name;
    json_t *value, *inner;
    int is_exact = format == ABUT_CLI_CSV;
    json_object_foreach(document, name, value)
    {
        if (json_is_object(value)) {
            json_object_foreach(value, inner_name, inner)
            {
                add_line(&table, name, inner_name, inner, is_exact);
            }
        } else if (strcmp(name, "schema") != 0) {
            add_line(&table, "", name, value, is_exact);
        }
    }
    if (is_exact) {
        abut_cli_csv_print(&table, out);
    } else {
        abut_cli_table_print(&table, 0, abut_cli_row_count(&table), out);
    }
    abut_cli_table_release(&table);
    json_decref(document);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    const char *path = arguments->operands[0];
    abut_cli_format format;
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_mesh *mesh = NULL;
    abut_brep *brep = NULL;
    abut_error error = {0};
    abut_status status = abut_mesh_read(NULL, path, ABUT_FORMAT_AUTO, &mesh, &error);
    if (status == ABUT_OK) {
        status = abut_brep_create(NULL, mesh, NULL, &brep, &error);
    }
    if (status == ABUT_OK) {
        abut_cli_text text;
        abut_cli_text_open(&text);
        json_t *document = json_mesh(path, mesh, brep);
        if (format == ABUT_CLI_JSON) {
            abut_cli_json_print(document, text.stream);
        } else {
            print_lines(document, format, text.stream);
        }
        code = abut_cli_text_finish(&text);
    } else {
        code = abut_cli_fail_file(path, status, &error);
    }
    abut_brep_destroy(brep);
    abut_mesh_destroy(mesh);
    return code;
}

static const abut_cli_option options[] = {ABUT_CLI_FORMAT_OPTION};

const abut_cli_verb abut_cli_mesh_info_verb = {
    .name = "mesh info",
    .summary = "Print what a mesh file holds: counts, holes, bounds, volume, inertia, planar faces.",
    .usage = "FILE [options]",
    .details =
        "Reads .obj, .stl, .ply, .off, .msh and .node files. Open edges (one triangle) and non-manifold edges\n"
        "(more than two) are counted, and the first ones named by their vertices, from 0. A closed surface is\n"
        "oriented outward, or inside out if its volume is negative. Volume, centre and inertia are those of a\n"
        "solid of density one, for closed and oriented surfaces; brep counts planar faces, straight edges and\n"
        "corners, whatever the triangulation.\n",
    .example = "  abut mesh info part.stl --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 1,
    .operand_maximum = 1,
    .run = run,
};
