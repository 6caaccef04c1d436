// SPDX-License-Identifier: MIT
// export_vtk.c: a recording as VTK files: faces of all bodies, contacts and regions at each step, and a .pvd file
// with their times
#include "shared/files.h"
#include "verb/export.h"

#include <stdlib.h>

/// The kinds of cells of VTK's polygonal data, in the order of a file.
enum { VERTS, LINES, POLYS, CELL_KINDS };

static const char *const cell_names[CELL_KINDS] = {"Verts", "Lines", "Polys"};

/// The number of points, and of cells of each kind.
typedef struct piece {
    long long points, cells[CELL_KINDS];
} piece;

static void begin_piece(FILE *out, const piece *p)
{
    (void)fprintf(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
        "<PolyData>\n<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"%lld\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"%lld\">\n",
        p->points, p->cells[VERTS], p->cells[LINES], p->cells[POLYS]);
}

static void end_piece(FILE *out)
{
    (void)fputs("</Piece>\n</PolyData>\n</VTKFile>\n", out);
}

static void begin_array(FILE *out, const char *type, const char *name, int components)
{
    (void)fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", type,
                  name, components);
}

static void end_array(FILE *out)
{
    (void)fputs("</DataArray>\n", out);
}

static void print_vector(FILE *out, abut_vec3 v)
{
    (void)fprintf(out, "%.17g %.17g %.17g\n", v.x, v.y, v.z);
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies

static const abut_mesh *mesh_of(const abut_recording *recording, int body)
{
    return recording->meshes[recording->bodies[body].mesh].mesh;
}

static const abut_recording_state *state_of(const abut_recording *recording, int k, int body)
{
    return &recording->states[(size_t)k * (size_t)recording->body_count + (size_t)body];
}

static void print_body_points(const abut_recording *recording, int k, FILE *out)
{
    (void)fputs("<Points>\n", out);
    begin_array(out, "Float64", "position", 3);
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(mesh_of(recording, i));
        for (int v = 0; v < e.vertex_count; ++v) {
            print_vector(out, abut_pose_apply(state_of(recording, k, i)->pose, e.vertices[v]));
        }
    }
    end_array(out);
    (void)fputs("</Points>\n", out);
}

static void print_polygons(const abut_recording *recording, FILE *out)
{
    long long first = 0, end = 0;
    (void)fputs("<Polys>\n", out);
    begin_array(out, "Int64", "connectivity", 1);
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(mesh_of(recording, i));
        for (int c = 0; e.face_count > 0 && c < e.face_offsets[e.face_count]; ++c) {
            (void)fprintf(out, "%lld\n", first + e.face_vertices[c]);
        }
        first += e.vertex_count;
    }
    end_array(out);
    begin_array(out, "Int64", "offsets", 1);
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(mesh_of(recording, i));
        for (int f = 0; f < e.face_count; ++f) {
            (void)fprintf(out, "%lld\n", end + e.face_offsets[f + 1]);
        }
        end += e.face_count > 0 ? e.face_offsets[e.face_count] : 0;
    }
    end_array(out);
    (void)fputs("</Polys>\n", out);
}

static void print_body_data(const abut_recording *recording, int k, FILE *out)
{
    (void)fputs("<CellData>\n", out);
    begin_array(out, "Int32", "body", 1);
    for (int i = 0; i < recording->body_count; ++i) {
        int faces = abut_mesh_get_elements(mesh_of(recording, i)).face_count;
        for (int f = 0; f < faces; ++f) {
            (void)fprintf(out, "%d\n", i);
        }
    }
    end_array(out);
    begin_array(out, "Float64", "linear_velocity", 3);
    for (int i = 0; i < recording->body_count; ++i) {
        int faces = abut_mesh_get_elements(mesh_of(recording, i)).face_count;
        for (int f = 0; f < faces; ++f) {
            print_vector(out, state_of(recording, k, i)->linear_velocity);
        }
    }
    end_array(out);
    (void)fputs("</CellData>\n", out);
}

static void print_bodies(const abut_recording *recording, int k, FILE *out)
{
    piece p = {0};
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(mesh_of(recording, i));
        p.points += e.vertex_count;
        p.cells[POLYS] += e.face_count;
    }
    begin_piece(out, &p);
    print_body_points(recording, k, out);
    print_polygons(recording, out);
    print_body_data(recording, k, out);
    end_piece(out);
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

static abut_vec3 impulse_of(const abut_world_contact *c)
{
    return abut_add_scaled(c->impulse.tangent, c->impulse.normal, c->contact.normal);
}

static void print_contact_data(const abut_recording_contact *contacts, int count, FILE *out)
{
    (void)fputs("<PointData>\n", out);
    begin_array(out, "Float64", "normal", 3);
    for (int i = 0; i < count; ++i) {
        print_vector(out, contacts[i].item.contact.normal);
    }
    end_array(out);
    begin_array(out, "Float64", "impulse", 3);
    for (int i = 0; i < count; ++i) {
        print_vector(out, impulse_of(&contacts[i].item));
    }
    end_array(out);
    begin_array(out, "Float64", "gap", 1);
    for (int i = 0; i < count; ++i) {
        (void)fprintf(out, "%.17g\n", contacts[i].item.contact.gap);
    }
    end_array(out);
    begin_array(out, "Int32", "bodies", 2);
    for (int i = 0; i < count; ++i) {
        (void)fprintf(out, "%d %d\n", contacts[i].item.body_a, contacts[i].item.body_b);
    }
    end_array(out);
    begin_array(out, "Int32", "rule", 1);
    for (int i = 0; i < count; ++i) {
        (void)fprintf(out, "%d\n", (int)contacts[i].item.contact.rule);
    }
    end_array(out);
    begin_array(out, "Int32", "truth", 1);
    for (int i = 0; i < count; ++i) {
        (void)fprintf(out, "%d\n", (int)contacts[i].truth);
    }
    end_array(out);
    (void)fputs("</PointData>\n", out);
}

static void print_contacts(const abut_recording *recording, int k, FILE *out)
{
    int begin = k == 0 ? 0 : recording->contact_begins[k - 1], count = recording->contact_begins[k] - begin;
    const abut_recording_contact *contacts = recording->contacts + begin;
    piece p = {count, {[VERTS] = count}};
    begin_piece(out, &p);
    print_contact_data(contacts, count, out);
    (void)fputs("<Points>\n", out);
    begin_array(out, "Float64", "position", 3);
    for (int i = 0; i < count; ++i) {
        print_vector(out, contacts[i].item.contact.position);
    }
    end_array(out);
    (void)fputs("</Points>\n<Verts>\n", out);
    begin_array(out, "Int64", "connectivity", 1);
    for (int i = 0; i < count; ++i) {
        (void)fprintf(out, "%d\n", i);
    }
    end_array(out);
    begin_array(out, "Int64", "offsets", 1);
    for (int i = 0; i < count; ++i) {
        (void)fprintf(out, "%d\n", i + 1);
    }
    end_array(out);
    (void)fputs("</Verts>\n", out);
    end_piece(out);
}

// ---------------------------------------------------------------------------------------------------------------
// Regions: a cell for each outline

/// An outline of a step's regions.
typedef struct outline {
    const abut_world_region *region;
    const abut_region_loop *loop;
    int number; ///< of the region in its step
    int kind;   ///< of its cell
} outline;

/// An outline of at least three points is a polygon. VTK's polygons have no holes, so the outlines of a region with
/// holes are lines.
static int cell_kind(const abut_world_regions *regions, const abut_region *region, const abut_region_loop *loop)
{
    if (loop->point_count < 3) {
        return loop->point_count < 2 ? VERTS : LINES;
    }
    for (int i = 0; i < region->loop_count; ++i) {
        if (regions->loops[region->loop_begin + i].is_hole) {
            return LINES;
        }
    }
    return POLYS;
}

/// The outlines of state k, sorted by kind of cell, as VTK needs them. Release with free().
static outline *list_outlines(const abut_recording *recording, int k, piece *p)
{
    const abut_world_regions *regions = &recording->regions;
    int begin = k == 0 ? 0 : recording->region_begins[k - 1], count = 0;
    size_t room = 1;
    for (int i = begin; i < recording->region_begins[k]; ++i) {
        room += (size_t)regions->items[i].region.loop_count;
    }
    outline *list = abut_cli_resize(NULL, room, sizeof *list);
    for (int kind = 0; kind < CELL_KINDS; ++kind) {
        for (int i = begin; i < recording->region_begins[k]; ++i) {
            const abut_region *region = &regions->items[i].region;
            for (int l = 0; l < region->loop_count; ++l) {
                const abut_region_loop *loop = &regions->loops[region->loop_begin + l];
                if (loop->point_count > 0 && cell_kind(regions, region, loop) == kind) {
                    list[count++] = (outline){&regions->items[i], loop, i - begin, kind};
                    p->points += loop->point_count;
                    ++p->cells[kind];
                }
            }
        }
    }
    return list;
}

/// Prints the cells of one kind. Lines of at least three points are closed.
static void print_outlines(const outline *list, long long count, int kind, FILE *out)
{
    long long first = 0, end = 0;
    (void)fprintf(out, "<%s>\n", cell_names[kind]);
    begin_array(out, "Int64", "connectivity", 1);
    for (long long i = 0; i < count; ++i) {
        int points = list[i].loop->point_count;
        for (int v = 0; list[i].kind == kind && v < points; ++v) {
            (void)fprintf(out, "%lld\n", first + v);
        }
        if (list[i].kind == kind && kind == LINES && points > 2) {
            (void)fprintf(out, "%lld\n", first);
        }
        first += points;
    }
    end_array(out);
    begin_array(out, "Int64", "offsets", 1);
    for (long long i = 0; i < count; ++i) {
        if (list[i].kind == kind) {
            end += list[i].loop->point_count + (kind == LINES && list[i].loop->point_count > 2);
            (void)fprintf(out, "%lld\n", end);
        }
    }
    end_array(out);
    (void)fprintf(out, "</%s>\n", cell_names[kind]);
}

static void print_outline_data(const abut_world_regions *regions, const outline *list, long long count, FILE *out)
{
    static const char *const numbers[] = {"region", "kind", "rule", "hole"};
    (void)fputs("<CellData>\n", out);
    for (int n = 0; n < 4; ++n) {
        begin_array(out, "Int32", numbers[n], 1);
        for (long long i = 0; i < count; ++i) {
            const abut_region *region = &list[i].region->region;
            const int values[4] = {list[i].number, (int)region->kind, (int)region->rule, list[i].loop->is_hole};
            (void)fprintf(out, "%d\n", values[n]);
        }
        end_array(out);
    }
    begin_array(out, "Int32", "bodies", 2);
    for (long long i = 0; i < count; ++i) {
        (void)fprintf(out, "%d %d\n", list[i].region->body_a, list[i].region->body_b);
    }
    end_array(out);
    begin_array(out, "Float64", "measure", 1);
    for (long long i = 0; i < count; ++i) {
        (void)fprintf(out, "%.17g\n", list[i].region->region.measure);
    }
    end_array(out);
    begin_array(out, "Float64", "normal", 3); // the first one, or 0
    for (long long i = 0; i < count; ++i) {
        const abut_region *region = &list[i].region->region;
        print_vector(out, region->normal_count > 0 ? regions->directions[region->normal_begin]
                                                   : abut_vec3_make(0.0, 0.0, 0.0));
    }
    end_array(out);
    (void)fputs("</CellData>\n", out);
}

static void print_regions(const abut_recording *recording, int k, FILE *out)
{
    piece p = {0};
    outline *list = list_outlines(recording, k, &p);
    long long count = p.cells[VERTS] + p.cells[LINES] + p.cells[POLYS];
    begin_piece(out, &p);
    print_outline_data(&recording->regions, list, count, out);
    (void)fputs("<Points>\n", out);
    begin_array(out, "Float64", "position", 3);
    for (long long i = 0; i < count; ++i) {
        for (int v = 0; v < list[i].loop->point_count; ++v) {
            print_vector(out, recording->regions.points[list[i].loop->point_begin + v]);
        }
    }
    end_array(out);
    (void)fputs("</Points>\n", out);
    for (int kind = 0; kind < CELL_KINDS; ++kind) {
        print_outlines(list, count, kind, out);
    }
    end_piece(out);
    free(list);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

typedef void print_function(const abut_recording *recording, int k, FILE *out);

static const struct {
    const char *name;
    print_function *print;
} parts[] = {{"bodies", print_bodies}, {"contacts", print_contacts}, {"regions", print_regions}};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

/// Refuses a folder with files of a longer run: they would stay, and other programs would mix the two runs.
static abut_cli_exit check_longer(const abut_recording *recording, const char *folder)
{
    char *next = abut_cli_print("%s/%s-%06d.vtp", folder, parts[0].name, recording->step_count + 1);
    FILE *file = fopen(next, "rb");
    abut_cli_exit code = ABUT_CLI_DONE;
    if (file != NULL) {
        (void)fclose(file);
        code = abut_cli_fail(
            ABUT_CLI_BAD_INPUT,
            "%s: belongs to a longer run, and this one has %d step%s; use another folder, or remove the old files",
            next, recording->step_count, abut_cli_plural(recording->step_count));
    }
    free(next);
    return code;
}

abut_cli_exit abut_cli_export_vtk(const abut_recording *recording, const char *folder, abut_cli_list *files)
{
    abut_cli_text index;
    abut_cli_exit code = check_longer(recording, folder);
    code = code != ABUT_CLI_DONE ? code : abut_cli_make_folder(folder);
    abut_cli_text_open(&index);
    (void)fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
                index.stream);
    for (int k = 0; k <= recording->step_count && code == ABUT_CLI_DONE; ++k) {
        for (int part = 0; part < PART_COUNT && code == ABUT_CLI_DONE; ++part) {
            char *name = abut_cli_print("%s-%06d.vtp", parts[part].name, k);
            abut_cli_text text;
            abut_cli_text_open(&text);
            parts[part].print(recording, k, text.stream);
            code = abut_cli_export_text(folder, name, &text, files);
            (void)fprintf(index.stream, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"%s\"/>\n",
                          k == 0 ? 0.0 : recording->steps[k - 1].time, part, name);
            free(name);
        }
    }
    (void)fputs("</Collection>\n</VTKFile>\n", index.stream);
    if (code != ABUT_CLI_DONE) {
        free(abut_cli_text_take(&index));
        return code;
    }
    return abut_cli_export_text(folder, "run.pvd", &index, files);
}
