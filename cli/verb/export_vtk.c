// SPDX-License-Identifier: MIT
// export_vtk.c: a recording as VTK files: the rigid bodies once, their poses, the soft bodies, contacts and regions at each
// state, a .pvd file with the times, and a script that moves the bodies
//
// Numbers are binary: a file is an XML document whose arrays name their place in the bytes that follow it.
#include "shared/bytes.h"
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

/// A file that is written: the document, and the bytes of its arrays.
typedef struct vtp {
    abut_cli_text text;
    abut_cli_bytes bytes;
    size_t begin; ///< of the open array
} vtp;

static void open_piece(vtp *out, const piece *p)
{
    *out = (vtp){0};
    abut_cli_text_open(&out->text);
    (void)fprintf(out->text.stream,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                  "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" "
                  "NumberOfLines=\"%lld\" NumberOfStrips=\"0\" NumberOfPolys=\"%lld\">\n",
                  p->points, p->cells[VERTS], p->cells[LINES], p->cells[POLYS]);
}

/// Writes the file, and releases it.
static abut_cli_exit close_piece(vtp *out, const char *folder, const char *name, abut_cli_list *files)
{
    (void)fputs("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", out->text.stream);
    (void)fwrite(out->bytes.data, 1, out->bytes.size, out->text.stream);
    (void)fputs("\n</AppendedData>\n</VTKFile>\n", out->text.stream);
    free(out->bytes.data);
    return abut_cli_export_text(folder, name, &out->text, files);
}

/// Between these two, the numbers of an array are put into the bytes; their size goes before them.
static void begin_array(vtp *out, const char *type, const char *name, int components)
{
    (void)fprintf(out->text.stream,
                  "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                  "offset=\"%zu\"/>\n",
                  type, name, components, out->bytes.size);
    abut_cli_put_bits(&out->bytes, 0, 8);
    out->begin = out->bytes.size;
}

static void end_array(vtp *out)
{
    size_t end = out->bytes.size;
    out->bytes.size = out->begin - 8;
    abut_cli_put_bits(&out->bytes, end - out->begin, 8);
    out->bytes.size = end;
}

static void print_tag(vtp *out, const char *tag)
{
    (void)fprintf(out->text.stream, "<%s>\n", tag);
}

static void put_int(vtp *out, int value)
{
    abut_cli_put_int(&out->bytes, value);
}

static void put_long(vtp *out, long long value)
{
    abut_cli_put_bits(&out->bytes, (uint64_t)value, 8);
}

static void put_vector(vtp *out, abut_vec3 v)
{
    abut_cli_put_vec3(&out->bytes, v);
}

/// Cells of one point each.
static void put_points_as_cells(vtp *out, int count)
{
    print_tag(out, "Verts");
    begin_array(out, "Int64", "connectivity", 1);
    for (int i = 0; i < count; ++i) {
        put_long(out, i);
    }
    end_array(out);
    begin_array(out, "Int64", "offsets", 1);
    for (int i = 0; i < count; ++i) {
        put_long(out, i + 1);
    }
    end_array(out);
    print_tag(out, "/Verts");
}

// ---------------------------------------------------------------------------------------------------------------
// Rigid bodies, each in its own frame, and their poses; soft bodies

static const abut_mesh *mesh_of(const abut_recording *recording, int body)
{
    return recording->meshes[recording->bodies[body].mesh].mesh;
}

/// The elements of a body, none if it is rigid and soft ones are asked for, or the other way round.
static abut_mesh_elements elements_of(const abut_recording *recording, int body, int is_soft)
{
    const abut_mesh_elements none = {0};
    return recording->bodies[body].is_soft == is_soft ? abut_mesh_get_elements(mesh_of(recording, body)) : none;
}

static void put_polygons(const abut_recording *recording, int is_soft, vtp *out)
{
    long long first = 0, end = 0;
    print_tag(out, "Polys");
    begin_array(out, "Int64", "connectivity", 1);
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = elements_of(recording, i, is_soft);
        for (int c = 0; e.face_count > 0 && c < e.face_offsets[e.face_count]; ++c) {
            put_long(out, first + e.face_vertices[c]);
        }
        first += e.vertex_count;
    }
    end_array(out);
    begin_array(out, "Int64", "offsets", 1);
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = elements_of(recording, i, is_soft);
        for (int f = 0; f < e.face_count; ++f) {
            put_long(out, end + e.face_offsets[f + 1]);
        }
        end += e.face_count > 0 ? e.face_offsets[e.face_count] : 0;
    }
    end_array(out);
    print_tag(out, "/Polys");
}

/// The number of the body, of each of its vertices or faces.
static void put_numbers(const abut_recording *recording, int is_soft, int is_faces, vtp *out)
{
    begin_array(out, "Int32", "body", 1);
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = elements_of(recording, i, is_soft);
        int count = is_faces ? e.face_count : e.vertex_count;
        for (int k = 0; k < count; ++k) {
            put_int(out, i);
        }
    }
    end_array(out);
}

/// Writes the rigid bodies in their own frames, or the soft bodies at state k.
static abut_cli_exit write_surfaces(const abut_recording *recording, int k, int is_soft, const char *folder,
                                    const char *name, abut_cli_list *files)
{
    piece p = {0};
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = elements_of(recording, i, is_soft);
        p.points += e.vertex_count;
        p.cells[POLYS] += e.face_count;
    }
    vtp out;
    open_piece(&out, &p);
    print_tag(&out, "PointData");
    put_numbers(recording, is_soft, 0, &out);
    print_tag(&out, "/PointData");
    print_tag(&out, "CellData");
    put_numbers(recording, is_soft, 1, &out);
    print_tag(&out, "/CellData");
    print_tag(&out, "Points");
    begin_array(&out, "Float64", "position", 3);
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = elements_of(recording, i, is_soft);
        const abut_vec3 *vertices = is_soft ? abut_recording_get_vertices(recording, k, i) : e.vertices;
        for (int v = 0; v < e.vertex_count; ++v) {
            put_vector(&out, vertices[v]);
        }
    }
    end_array(&out);
    print_tag(&out, "/Points");
    put_polygons(recording, is_soft, &out);
    return close_piece(&out, folder, name, files);
}

static abut_cli_exit write_soft(const abut_recording *recording, int k, const char *folder, const char *name,
                                abut_cli_list *files)
{
    return write_surfaces(recording, k, 1, folder, name, files);
}

static abut_cli_exit write_poses(const abut_recording *recording, int k, const char *folder, const char *name,
                                 abut_cli_list *files)
{
    int count = recording->body_count;
    const abut_recording_state *states = recording->states + (size_t)k * (size_t)count;
    piece p = {count, {[VERTS] = count}};
    vtp out;
    open_piece(&out, &p);
    print_tag(&out, "PointData");
    begin_array(&out, "Int32", "body", 1);
    for (int i = 0; i < count; ++i) {
        put_int(&out, i);
    }
    end_array(&out);
    begin_array(&out, "Float64", "rotation", 4); // w x y z, as VTK's glyphs take it
    for (int i = 0; i < count; ++i) {
        abut_quat q = states[i].pose.rotation;
        abut_cli_put_real(&out.bytes, q.w);
        put_vector(&out, abut_vec3_make(q.x, q.y, q.z));
    }
    end_array(&out);
    begin_array(&out, "Float64", "linear_velocity", 3);
    for (int i = 0; i < count; ++i) {
        put_vector(&out, states[i].linear_velocity);
    }
    end_array(&out);
    begin_array(&out, "Float64", "angular_velocity", 3);
    for (int i = 0; i < count; ++i) {
        put_vector(&out, states[i].angular_velocity);
    }
    end_array(&out);
    print_tag(&out, "/PointData");
    print_tag(&out, "Points");
    begin_array(&out, "Float64", "position", 3);
    for (int i = 0; i < count; ++i) {
        put_vector(&out, states[i].pose.position);
    }
    end_array(&out);
    print_tag(&out, "/Points");
    put_points_as_cells(&out, count);
    return close_piece(&out, folder, name, files);
}

/// For ParaView's filter Programmable Filter, whose inputs are bodies.vtp and the poses of run.pvd.
static const char move_script[] =
    "# Moves the bodies of bodies.vtp to the poses of run.pvd.\n"
    "# In ParaView: select bodies.vtp and the block poses of run.pvd, add a Programmable Filter, and give it the\n"
    "# script exec(open(\"DIR/move.py\").read())\n"
    "import numpy\n"
    "bodies, poses = inputs[0], inputs[1]\n"
    "body = bodies.PointData[\"body\"]\n"
    "q = poses.PointData[\"rotation\"][body]\n"
    "w, u = q[:, :1], q[:, 1:]\n"
    "v = bodies.Points\n"
    "output.ShallowCopy(bodies.VTKObject)\n"
    "output.Points = poses.Points[body] + v + 2 * numpy.cross(u, numpy.cross(u, v) + w * v)\n";

// ---------------------------------------------------------------------------------------------------------------
// Contacts

static abut_vec3 impulse_of(const abut_world_contact *c)
{
    return abut_add_scaled(c->impulse.tangent, c->impulse.normal, c->contact.normal);
}

static void put_contact_data(const abut_recording_contact *contacts, int count, vtp *out)
{
    print_tag(out, "PointData");
    begin_array(out, "Float64", "normal", 3);
    for (int i = 0; i < count; ++i) {
        put_vector(out, contacts[i].item.contact.normal);
    }
    end_array(out);
    begin_array(out, "Float64", "impulse", 3);
    for (int i = 0; i < count; ++i) {
        put_vector(out, impulse_of(&contacts[i].item));
    }
    end_array(out);
    begin_array(out, "Float64", "gap", 1);
    for (int i = 0; i < count; ++i) {
        abut_cli_put_real(&out->bytes, contacts[i].item.contact.gap);
    }
    end_array(out);
    begin_array(out, "Int32", "bodies", 2);
    for (int i = 0; i < count; ++i) {
        put_int(out, contacts[i].item.body_a);
        put_int(out, contacts[i].item.body_b);
    }
    end_array(out);
    begin_array(out, "Int32", "rule", 1);
    for (int i = 0; i < count; ++i) {
        put_int(out, (int)contacts[i].item.contact.rule);
    }
    end_array(out);
    begin_array(out, "Int32", "truth", 1);
    for (int i = 0; i < count; ++i) {
        put_int(out, (int)contacts[i].truth);
    }
    end_array(out);
    print_tag(out, "/PointData");
}

static abut_cli_exit write_contacts(const abut_recording *recording, int k, const char *folder, const char *name,
                                    abut_cli_list *files)
{
    int begin = k == 0 ? 0 : recording->contact_begins[k - 1], count = recording->contact_begins[k] - begin;
    const abut_recording_contact *contacts = recording->contacts + begin;
    piece p = {count, {[VERTS] = count}};
    vtp out;
    open_piece(&out, &p);
    put_contact_data(contacts, count, &out);
    print_tag(&out, "Points");
    begin_array(&out, "Float64", "position", 3);
    for (int i = 0; i < count; ++i) {
        put_vector(&out, contacts[i].item.contact.position);
    }
    end_array(&out);
    print_tag(&out, "/Points");
    put_points_as_cells(&out, count);
    return close_piece(&out, folder, name, files);
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

/// Puts the cells of one kind. Lines of at least three points are closed.
static void put_outlines(const outline *list, long long count, int kind, vtp *out)
{
    long long first = 0, end = 0;
    (void)fprintf(out->text.stream, "<%s>\n", cell_names[kind]);
    begin_array(out, "Int64", "connectivity", 1);
    for (long long i = 0; i < count; ++i) {
        int points = list[i].loop->point_count;
        for (int v = 0; list[i].kind == kind && v < points; ++v) {
            put_long(out, first + v);
        }
        if (list[i].kind == kind && kind == LINES && points > 2) {
            put_long(out, first);
        }
        first += points;
    }
    end_array(out);
    begin_array(out, "Int64", "offsets", 1);
    for (long long i = 0; i < count; ++i) {
        if (list[i].kind == kind) {
            end += list[i].loop->point_count + (kind == LINES && list[i].loop->point_count > 2);
            put_long(out, end);
        }
    }
    end_array(out);
    (void)fprintf(out->text.stream, "</%s>\n", cell_names[kind]);
}

static void put_outline_data(const abut_world_regions *regions, const outline *list, long long count, vtp *out)
{
    static const char *const numbers[] = {"region", "kind", "rule", "hole"};
    print_tag(out, "CellData");
    for (int n = 0; n < 4; ++n) {
        begin_array(out, "Int32", numbers[n], 1);
        for (long long i = 0; i < count; ++i) {
            const abut_region *region = &list[i].region->region;
            const int values[4] = {list[i].number, (int)region->kind, (int)region->rule, list[i].loop->is_hole};
            put_int(out, values[n]);
        }
        end_array(out);
    }
    begin_array(out, "Int32", "bodies", 2);
    for (long long i = 0; i < count; ++i) {
        put_int(out, list[i].region->body_a);
        put_int(out, list[i].region->body_b);
    }
    end_array(out);
    begin_array(out, "Float64", "measure", 1);
    for (long long i = 0; i < count; ++i) {
        abut_cli_put_real(&out->bytes, list[i].region->region.measure);
    }
    end_array(out);
    begin_array(out, "Float64", "normal", 3); // the first one, or 0
    for (long long i = 0; i < count; ++i) {
        const abut_region *region = &list[i].region->region;
        put_vector(out, region->normal_count > 0 ? regions->directions[region->normal_begin]
                                                 : abut_vec3_make(0.0, 0.0, 0.0));
    }
    end_array(out);
    print_tag(out, "/CellData");
}

static abut_cli_exit write_regions(const abut_recording *recording, int k, const char *folder, const char *name,
                                   abut_cli_list *files)
{
    piece p = {0};
    outline *list = list_outlines(recording, k, &p);
    long long count = p.cells[VERTS] + p.cells[LINES] + p.cells[POLYS];
    vtp out;
    open_piece(&out, &p);
    put_outline_data(&recording->regions, list, count, &out);
    print_tag(&out, "Points");
    begin_array(&out, "Float64", "position", 3);
    for (long long i = 0; i < count; ++i) {
        for (int v = 0; v < list[i].loop->point_count; ++v) {
            put_vector(&out, recording->regions.points[list[i].loop->point_begin + v]);
        }
    }
    end_array(&out);
    print_tag(&out, "/Points");
    for (int kind = 0; kind < CELL_KINDS; ++kind) {
        put_outlines(list, count, kind, &out);
    }
    free(list);
    return close_piece(&out, folder, name, files);
}

// ---------------------------------------------------------------------------------------------------------------
// Files

/// Writes the file of a part at state k.
typedef abut_cli_exit write_function(const abut_recording *recording, int k, const char *folder, const char *name,
                                     abut_cli_list *files);

static const struct {
    const char *name;
    write_function *write;
} parts[] = {
    {"poses", write_poses}, {"contacts", write_contacts}, {"regions", write_regions}, {"soft", write_soft}};
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

static abut_cli_exit write_states(const abut_recording *recording, const char *folder, int every, FILE *index,
                                  abut_cli_list *files)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    int part_count = PART_COUNT - (recording->soft_vertex_count == 0);
    for (int k = 0; k <= recording->step_count && code == ABUT_CLI_DONE; ++k) {
        for (int part = 0; part < part_count && abut_cli_export_has(recording, k, every); ++part) {
            char *name = abut_cli_print("%s-%06d.vtp", parts[part].name, k);
            code = code != ABUT_CLI_DONE ? code : parts[part].write(recording, k, folder, name, files);
            (void)fprintf(index, "<DataSet timestep=\"%.17g\" part=\"%d\" name=\"%s\" file=\"%s\"/>\n",
                          k == 0 ? 0.0 : recording->steps[k - 1].time, part, parts[part].name, name);
            free(name);
        }
    }
    return code;
}

abut_cli_exit abut_cli_export_vtk(const abut_recording *recording, const char *folder, int every,
                                  abut_cli_list *files)
{
    abut_cli_text index, script;
    abut_cli_exit code = check_longer(recording, folder);
    code = code != ABUT_CLI_DONE ? code : abut_cli_make_folder(folder);
    code = code != ABUT_CLI_DONE ? code : write_surfaces(recording, 0, 0, folder, "bodies.vtp", files);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_cli_text_open(&script);
    (void)fputs(move_script, script.stream);
    code = abut_cli_export_text(folder, "move.py", &script, files);
    abut_cli_text_open(&index);
    (void)fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
                index.stream);
    code = code != ABUT_CLI_DONE ? code : write_states(recording, folder, every, index.stream, files);
    (void)fputs("</Collection>\n</VTKFile>\n", index.stream);
    if (code != ABUT_CLI_DONE) {
        free(abut_cli_text_take(&index));
        return code;
    }
    return abut_cli_export_text(folder, "run.pvd", &index, files);
}
