// SPDX-License-Identifier: MIT
// export_vtk.c: a recording as VTK files: faces of all bodies and contacts at each step, and a .pvd file with their times
#include "export.h"
#include "files.h"

#include <stdlib.h>

/// How many points, and which cells.
typedef struct piece {
    long long points, cells;
    const char *cell_name; ///< "Polys" or "Verts"
} piece;

static void begin_piece(FILE *out, const piece *p)
{
    (void)fprintf(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
        "<PolyData>\n<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"0\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"%lld\">\n",
        p->points, p->cell_name[0] == 'V' ? p->cells : 0, p->cell_name[0] == 'P' ? p->cells : 0);
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
    piece p = {.cell_name = "Polys"};
    for (int i = 0; i < recording->body_count; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(mesh_of(recording, i));
        p.points += e.vertex_count;
        p.cells += e.face_count;
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
    piece p = {count, count, "Verts"};
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
// Files

typedef void print_function(const abut_recording *recording, int k, FILE *out);

static const struct {
    const char *name;
    print_function *print;
} parts[] = {{"bodies", print_bodies}, {"contacts", print_contacts}};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

abut_cli_exit abut_cli_export_vtk(const abut_recording *recording, const char *folder, abut_cli_list *files)
{
    abut_cli_text index;
    abut_cli_exit code = abut_cli_make_folder(folder);
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
