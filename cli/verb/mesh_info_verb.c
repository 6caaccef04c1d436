// SPDX-License-Identifier: MIT
// mesh_info_verb.c: abut mesh info
//
// The table and the CSV have a line for each value of the JSON.
#include "shared/files.h"
#include "shared/layout.h"
#include "verb/verbs.h"

#include <abut/abut.h>
#include <stdlib.h>

// The number of open and non-manifold edges that are listed.
enum { NAMED_EDGES = 10 };

/// What is printed of a mesh.
typedef struct mesh_facts {
    const char *path;
    uint64_t hash;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    abut_mesh_info info;
    double diagonal;
    double volume; ///< NaN if the mesh is not closed and oriented
    int is_solid;  ///< `mass` is valid
    abut_mass mass;
    abut_brep_elements brep;
    int edge_kinds[5]; ///< edges of the B-rep, by kind
} mesh_facts;

static mesh_facts find_facts(const char *path, const abut_mesh *mesh, const abut_brep *brep)
{
    mesh_facts facts = {.path = path,
                        .hash = abut_mesh_hash(mesh),
                        .elements = abut_mesh_get_elements(mesh),
                        .topology = abut_mesh_get_topology(mesh),
                        .info = abut_mesh_get_info(mesh),
                        .brep = abut_brep_get_elements(brep)};
    facts.diagonal = abut_box_diagonal(facts.elements.bounds);
    facts.volume = facts.info.is_closed && facts.info.is_oriented ? facts.info.volume : (double)NAN;
    facts.is_solid = abut_mesh_mass(mesh, &facts.mass, NULL) == ABUT_OK;
    for (int i = 0; i < facts.brep.edge_count; ++i) {
        ++facts.edge_kinds[facts.brep.edges[i].kind];
    }
    return facts;
}

// ---------------------------------------------------------------------------------------------------------------
// The document

#define FACT(member) ABUT_CLI_AT(mesh_facts, member)

static const abut_cli_member count_members[] = {
    {"vertices", NULL, FACT(elements.vertex_count)},    {"points", NULL, FACT(elements.point_count)},
    {"segments", NULL, FACT(elements.segment_count)},   {"faces", NULL, FACT(elements.face_count)},
    {"triangles", NULL, FACT(elements.triangle_count)}, {"tets", NULL, FACT(elements.tet_count)},
    {"edges", NULL, FACT(topology.edge_count)},         {"parts", NULL, FACT(topology.part_count)},
};
static const abut_cli_layout count_layout = ABUT_CLI_LAYOUT(count_members);

static const abut_cli_member bounds_members[] = {
    {"lower", NULL, FACT(elements.bounds.lower)},
    {"upper", NULL, FACT(elements.bounds.upper)},
    {"diagonal", NULL, FACT(diagonal)},
};
static const abut_cli_layout bounds_layout = ABUT_CLI_LAYOUT(bounds_members);

static const char *orientation_text(const void *row)
{
    double volume = ((const mesh_facts *)row)->volume;
    return isnan(volume) ? NULL : volume < 0.0 ? "inside out" : "outward";
}

/// The first few edges with `low` to `high` triangles, each by its two vertices.
static json_t *json_edges(const abut_mesh_topology *topology, int low, int high)
{
    json_t *array = json_array();
    for (int i = 0; i < topology->edge_count && json_array_size(array) < NAMED_EDGES; ++i) {
        int count = topology->edge_triangle_offsets[i + 1] - topology->edge_triangle_offsets[i];
        if (count >= low && count <= high) {
            json_array_append_new(array, abut_cli_json_integers(&topology->edge_vertices[2 * i], 2));
        }
    }
    return array;
}

static json_t *json_boundary_edges(const void *topology)
{
    return json_edges(topology, 1, 1);
}

static json_t *json_non_manifold_edges(const void *topology)
{
    return json_edges(topology, 3, INT32_MAX);
}

static const abut_cli_member surface_members[] = {
    {"closed", NULL, ABUT_CLI_FLAG_AT(mesh_facts, info.is_closed)},
    {"oriented", NULL, ABUT_CLI_FLAG_AT(mesh_facts, info.is_oriented)},
    {"orientation", NULL, ABUT_CLI_TEXT_BY(orientation_text)},
    {"boundary_edges", NULL, FACT(info.boundary_edge_count)},
    {"non_manifold_edges", NULL, FACT(info.non_manifold_edge_count)},
    {"non_manifold_vertices", NULL, FACT(info.non_manifold_vertex_count)},
    {"misoriented_edges", NULL, FACT(info.misoriented_edge_count)},
    {"degenerate_faces", NULL, FACT(info.degenerate_face_count)},
    {"irregular_polygons", NULL, FACT(info.irregular_polygon_count)},
    {"unused_vertices", NULL, FACT(info.unused_vertex_count)},
    {"first_boundary_edges", NULL, ABUT_CLI_JSON_OF(mesh_facts, topology, json_boundary_edges)},
    {"first_non_manifold_edges", NULL, ABUT_CLI_JSON_OF(mesh_facts, topology, json_non_manifold_edges)},
    {"area", NULL, FACT(info.area)},
};
static const abut_cli_layout surface_layout = ABUT_CLI_LAYOUT(surface_members);

static json_t *json_inertia(const void *inertia)
{
    const abut_mat3 *rows = inertia;
    return abut_cli_json_points((abut_vec3[]){rows->x, rows->y, rows->z}, 3);
}

static const abut_cli_member mass_members[] = {
    {"center", NULL, ABUT_CLI_AT(abut_mass, center)},
    {"inertia", NULL, ABUT_CLI_JSON_OF(abut_mass, inertia, json_inertia)},
    {"principal_moments", NULL, ABUT_CLI_AT(abut_mass, principal_moments)},
    {"principal_axes", NULL, ABUT_CLI_AT(abut_mass, principal_axes)},
};
static const abut_cli_layout mass_layout = ABUT_CLI_LAYOUT(mass_members);

static const void *find_mass(const void *row)
{
    const mesh_facts *facts = row;
    return facts->is_solid ? &facts->mass : NULL;
}

static const abut_cli_member solid_members[] = {
    {"volume", NULL, FACT(volume)},
    {NULL, NULL, ABUT_CLI_PART_BY(find_mass, mass_layout)},
};
static const abut_cli_layout solid_layout = ABUT_CLI_LAYOUT(solid_members);

static const abut_cli_member brep_members[] = {
    {"faces", NULL, FACT(brep.face_count)},
    {"edges", NULL, FACT(brep.edge_count)},
    {"convex_edges", NULL, FACT(edge_kinds[ABUT_EDGE_CONVEX])},
    {"reflex_edges", NULL, FACT(edge_kinds[ABUT_EDGE_REFLEX])},
    {"boundary_edges", NULL, FACT(edge_kinds[ABUT_EDGE_BOUNDARY])},
    {"non_manifold_edges", NULL, FACT(edge_kinds[ABUT_EDGE_NON_MANIFOLD])},
    {"vertices", NULL, FACT(brep.vertex_count)},
    {"tolerance", NULL, FACT(brep.tolerance)},
};
static const abut_cli_layout brep_layout = ABUT_CLI_LAYOUT(brep_members);

static const char *precision_text(const void *precision)
{
    return *(const abut_precision *)precision == ABUT_PRECISION_FLOAT ? "float" : "double";
}

static const abut_cli_member mesh_members[] = {
    {"file", NULL, FACT(path)},
    {"precision", NULL, ABUT_CLI_TEXT_OF(mesh_facts, elements.precision, precision_text)},
    {"hash", NULL, FACT(hash)},
    {"counts", NULL, ABUT_CLI_OBJECT_OF(count_layout)},
    {"bounds", NULL, ABUT_CLI_OBJECT_OF(bounds_layout)},
    {"surface", NULL, ABUT_CLI_OBJECT_OF(surface_layout)},
    {"solid", NULL, ABUT_CLI_OBJECT_OF(solid_layout)},
    {"brep", NULL, ABUT_CLI_OBJECT_OF(brep_layout)},
};
static const abut_cli_layout mesh_layout = ABUT_CLI_LAYOUT(mesh_members);

// ---------------------------------------------------------------------------------------------------------------
// Table and CSV

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

/// A line for each value of the JSON object of a mesh.
static void print_lines(json_t *object, abut_cli_format format, FILE *out)
{
    abut_cli_table table;
    abut_cli_table_open(&table, columns, 2);
    const char *name, *inner_name;
    json_t *value, *inner;
    int is_exact = format == ABUT_CLI_CSV;
    json_object_foreach(object, name, value)
    {
        if (!json_is_object(value)) {
            add_line(&table, "", name, value, is_exact);
            continue;
        }
        json_object_foreach(value, inner_name, inner)
        {
            add_line(&table, name, inner_name, inner, is_exact);
        }
    }
    if (is_exact) {
        abut_cli_csv_print(&table, out);
    } else {
        abut_cli_table_print(&table, 0, abut_cli_row_count(&table), out);
    }
    abut_cli_table_release(&table);
}

static abut_cli_exit print_facts(const mesh_facts *facts, abut_cli_format format)
{
    if (format == ABUT_CLI_JSON) {
        abut_cli_report report = {.document = &mesh_layout, .data = facts};
        return abut_cli_report_print(&report, format);
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    json_t *object = abut_cli_json_of(&mesh_layout, facts);
    print_lines(object, format, text.stream);
    json_decref(object);
    return abut_cli_text_finish(&text);
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
    abut_status status = abut_cli_read_mesh(path, &mesh, &error);
    if (status == ABUT_OK) {
        status = abut_brep_create(NULL, mesh, NULL, &brep, &error);
    }
    if (status == ABUT_OK) {
        mesh_facts facts = find_facts(path, mesh, brep);
        code = print_facts(&facts, format);
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
    .summary = "Print what a mesh file contains: counts, holes, bounds, volume, inertia, planar faces.",
    .usage = "FILE [options]",
    .details =
        "Reads .obj, .stl, .ply, .off, .msh, .node, .mesh, .gltf and .glb files. Open edges (one triangle) and "
        "non-manifold "
        "edges\n"
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
