// SPDX-License-Identifier: MIT
// mesh_verb.c: abut mesh convert, abut mesh tetrahedralize
#include "shared/files.h"
#include "shared/repairs.h"
#include "verb/verbs.h"

#include <abut-lab/tetgen.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// What is done to a mesh between reading and writing.
typedef struct treatment {
    unsigned flags;   // ABUT_CLI_TRIANGLES, ABUT_CLI_SURFACE
    int is_repaired;  // also reads files that are refused otherwise
    double tolerance; // of the repair; negative: the default
    double max_edge;  // 0: no limit
} treatment;

// Replaces a mesh by one that was made from it.
static void replace(abut_mesh **mesh, abut_mesh *made)
{
    abut_mesh_destroy(*mesh);
    *mesh = made;
}

static abut_cli_exit read_mesh(const char *path, const treatment *how, abut_mesh **mesh)
{
    abut_error error = {0};
    abut_mesh *reduced = NULL;
    abut_remade split = {0};
    abut_status status = how->is_repaired ? abut_cli_read_repaired(path, how->tolerance, mesh, &error)
                                          : abut_cli_read_mesh(path, mesh, &error);
    if (status == ABUT_OK && how->flags != 0) {
        status = abut_cli_reduce_mesh(*mesh, how->flags, &reduced, &error);
        replace(mesh, reduced);
    }
    if (status == ABUT_OK && how->max_edge > 0.0) {
        status = abut_split_long_edges(NULL, *mesh, how->max_edge, &split, &error);
        replace(mesh, split.mesh);
        split.mesh = NULL;
        abut_remade_release(NULL, &split);
    }
    return status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_refuse_mesh(path, *mesh, status, &error, "");
}

// The text variants of STL and PLY, which are binary by default.
static int find_text_format(const char *path, abut_format *format)
{
    size_t length = strlen(path);
    const char *extension = length > 4 ? path + length - 4 : path;
    *format = strcasecmp(extension, ".stl") == 0   ? ABUT_FORMAT_STL_TEXT
              : strcasecmp(extension, ".ply") == 0 ? ABUT_FORMAT_PLY_TEXT
                                                   : ABUT_FORMAT_AUTO;
    return *format != ABUT_FORMAT_AUTO;
}

static abut_cli_exit run_convert(const abut_cli_arguments *arguments)
{
    abut_format format = ABUT_FORMAT_AUTO;
    if (abut_cli_value_of(arguments, "text") != NULL && !find_text_format(arguments->operands[1], &format)) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: option --text works for .stl and .ply files only",
                             arguments->operands[1]);
    }
    treatment how = {.is_repaired = abut_cli_value_of(arguments, "repair") != NULL, .tolerance = -1.0};
    how.flags = (abut_cli_value_of(arguments, "surface") != NULL ? ABUT_CLI_SURFACE : 0u) |
                (abut_cli_value_of(arguments, "triangles") != NULL ? ABUT_CLI_TRIANGLES : 0u);
    abut_mesh *mesh = NULL;
    abut_cli_exit code = abut_cli_check_different(arguments->operands[0], arguments->operands[1]);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "max-edge", &how.max_edge);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "tolerance", 0.0, &how.tolerance);
    if (code == ABUT_CLI_DONE && how.tolerance >= 0.0 && !how.is_repaired) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --tolerance is for repairs: give --repair too");
    }
    code = code != ABUT_CLI_DONE ? code : read_mesh(arguments->operands[0], &how, &mesh);
    code = code != ABUT_CLI_DONE ? code : abut_cli_write_mesh(mesh, arguments->operands[1], format);
    abut_mesh_destroy(mesh);
    return code;
}

static abut_cli_exit check_node_name(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".node") == 0
               ? ABUT_CLI_DONE
               : abut_cli_fail(ABUT_CLI_BAD_INPUT,
                               "%s: tetrahedra are written as TetGen files; the name must end in .node", path);
}

static abut_cli_exit run_tetrahedralize(const abut_cli_arguments *arguments)
{
    const char *input = arguments->operands[0], *output = arguments->operands[1];
    abut_tetgen_params params = abut_tetgen_params_default();
    const char *switches = abut_cli_value_of(arguments, "switches");
    params.switches = switches != NULL ? switches : params.switches;
    abut_mesh *surface = NULL, *mesh = NULL;
    abut_cli_exit code = abut_cli_positive_of(arguments, "seconds", &params.seconds);
    code = code != ABUT_CLI_DONE ? code : check_node_name(output);
    code = code != ABUT_CLI_DONE ? code : abut_cli_check_different(input, output);
    code = code != ABUT_CLI_DONE ? code : abut_cli_check_writable(output);
    const treatment how = {.flags = ABUT_CLI_TRIANGLES | ABUT_CLI_SURFACE};
    code = code != ABUT_CLI_DONE ? code : read_mesh(input, &how, &surface);
    if (code == ABUT_CLI_DONE) {
        abut_error error = {0};
        abut_status status = abut_tetrahedralize(NULL, surface, &params, &mesh, &error);
        if (status == ABUT_BAD_ARGUMENT && switches != NULL) {
            code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --switches '%s': %s", switches,
                                 abut_cli_message(status, &error));
        } else if (status != ABUT_OK) {
            code = abut_cli_refuse_mesh(input, surface, status, &error, "");
            // If tetgen is not installed, the input is not to blame.
            code = status == ABUT_IO ? ABUT_CLI_UNFINISHED : code;
        }
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_write_mesh(mesh, output, ABUT_FORMAT_TETGEN);
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(surface);
    return code;
}

static const abut_cli_option convert_options[] = {
    {"text", NULL, "write STL or PLY as text", 0, 0},
    {"triangles", NULL, "cut polygons into triangles", 0, 0},
    {"surface", NULL, "write the faces only: no points, segments or tetrahedra", 0, 0},
    {"repair", NULL, "weld vertices, drop bad faces, cut at T-junctions and orient first; report on stderr", 0, 0},
    {"tolerance", "L", "with --repair: weld vertices within this distance (default 1e-6 of the diagonal)", 0, 0},
    {"max-edge", "L", "halve longer edges until none is left; polygons are cut into triangles", 0, 0},
};

const abut_cli_verb abut_cli_mesh_convert_verb = {
    .name = "mesh convert",
    .summary = "Convert or repair a mesh file; the formats follow from the file names.",
    .usage = "IN OUT [options]",
    .details =
        "Formats: .obj, .stl and .ply (read: text or binary; written: binary), .off, .msh (Gmsh), .node with\n"
        ".ele, .face, .edge (TetGen); .vtu (ParaView) is only written. Vertex order is kept. What the new format\n"
        "cannot hold is refused, not dropped. --repair also takes files that would be refused; abut mesh check "
        "says\n"
        "what it will do.\n",
    .example = "  abut mesh convert part.stl part.obj\n"
               "  abut mesh convert part.stl part.obj --repair --max-edge 0.5\n",
    .options = convert_options,
    .option_count = (int)(sizeof convert_options / sizeof convert_options[0]),
    .operand_minimum = 2,
    .operand_maximum = 2,
    .run = run_convert,
};

static const abut_cli_option tetrahedralize_options[] = {
    {"switches", "TEXT", "command-line switches for tetgen (default pYq2Q)", 0, 0},
    {"seconds", "N", "time limit (default 60)", 0, 0},
};

const abut_cli_verb abut_cli_mesh_tetrahedralize_verb = {
    .name = "mesh tetrahedralize",
    .summary = "Fill a closed surface with tetrahedra, using the program tetgen.",
    .usage = "IN OUT.node [options]",
    .details = "The vertices keep their numbers; new ones follow. Polygons are cut into triangles. Needs the "
               "program tetgen\n"
               "(Debian: apt-get install tetgen), which runs as a child process with limits on time and memory.\n",
    .example = "  abut mesh tetrahedralize part.obj part.node\n",
    .options = tetrahedralize_options,
    .option_count = (int)(sizeof tetrahedralize_options / sizeof tetrahedralize_options[0]),
    .operand_minimum = 2,
    .operand_maximum = 2,
    .run = run_tetrahedralize,
};
