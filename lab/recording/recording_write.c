// SPDX-License-Identifier: MIT
// recording_write.c: writes a simulation to an HDF5 file, step by step
//
// Tables that do not grow are written when the file is made. The others are chunked arrays that grow at their end. No
// object has a time stamp, and everything is written in a fixed order, so the same simulation gives the same bytes.
#define _GNU_SOURCE // F_OFD_SETLK
#include "common/lab_support.h"
#include "common/params_text.h"
#include "recording/recording_regions.h"

#include <abut-lab/measure.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH_STEPS = 16 }; ///< the file is flushed to disk after so many steps

static const double NORMAL_TOLERANCE = 1e-3; ///< length of the difference of two unit vectors
static const double MOVE_TOLERANCE = 1e-2; ///< relative to a body's size; beyond it the known contacts do not apply

struct abut_recorder {
    abut_context context;
    abut_recorder_def def;
    const abut_world *world;
    abut_recording_about about;
    int lock; ///< file descriptor that holds the lock on the file, or negative
    hid_t file;
    hid_t data[ABUT_TABLE_COUNT];  ///< datasets, or negative
    hid_t types[ABUT_TABLE_COUNT]; ///< of rows in memory
    int64_t rows[ABUT_TABLE_COUNT];
    abut_recording_state *states; ///< of all bodies at the beginning, then of all bodies now
    abut_recording_contact *contacts;
    int contact_capacity;
    abut_region_rows regions;
};

// ---------------------------------------------------------------------------------------------------------------
// HDF5

/// The error handler of HDF5 that the host has set. The default one prints.
typedef struct error_printer {
    H5E_auto2_t print;
    void *user;
} error_printer;

static error_printer silence(void)
{
    error_printer kept = {NULL, NULL};
    (void)H5Eget_auto2(H5E_DEFAULT, &kept.print, &kept.user);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    errno = 0;
    return kept;
}

static void unsilence(error_printer kept)
{
    (void)H5Eset_auto2(H5E_DEFAULT, kept.print, kept.user);
}

static abut_status fail_to_write(const abut_recorder *recorder, abut_error *error)
{
    int reason = errno;
    return abut_fail(error, ABUT_IO, "%.160s: cannot be written%s%s", recorder->def.path, reason != 0 ? ": " : "",
                     reason != 0 ? abut_errno_text(reason) : "");
}

/// A property list for an object without time stamps.
static hid_t properties(hid_t kind)
{
    hid_t list = H5Pcreate(kind);
    if (list >= 0 && H5Pset_obj_track_times(list, 0) < 0) {
        (void)H5Pclose(list);
        return -1;
    }
    return list;
}

/// Locks the file before HDF5 truncates it, so that a recording in progress is not lost. HDF5 has its own lock, but
/// takes it after that.
static abut_status lock_file(abut_recorder *recorder, abut_error *error)
{
    const char *path = recorder->def.path;
    struct stat info;
    recorder->lock =
        open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666); // O_NONBLOCK: a pipe must not block
    if (recorder->lock < 0) {
        return fail_to_write(recorder, error);
    }
    if (fstat(recorder->lock, &info) != 0 || !S_ISREG(info.st_mode)) {
        return abut_fail(error, ABUT_IO, "%.160s: cannot be written: it is not a regular file", path);
    }
#if defined(F_OFD_SETLK)
    // Not F_SETLK: that lock is lost when HDF5 closes the file.
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(recorder->lock, F_OFD_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
        return abut_fail(error, ABUT_IO, "%.160s: is being written by another process", path);
    }
#endif
    return ABUT_OK; // also on file systems without locks
}

static int make_file(abut_recorder *recorder)
{
    // Version 1.8 of the format has checksums of metadata.
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = properties(H5P_FILE_CREATE);
    if (access >= 0 && creation >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0) {
        recorder->file = H5Fcreate(recorder->def.path, H5F_ACC_TRUNC, creation, access);
    }
    if (creation >= 0) {
        (void)H5Pclose(creation);
    }
    if (access >= 0) {
        (void)H5Pclose(access);
    }
    return recorder->file >= 0;
}

static int make_group(const abut_recorder *recorder, const char *name)
{
    hid_t creation = properties(H5P_GROUP_CREATE);
    hid_t group = creation < 0 ? -1 : H5Gcreate2(recorder->file, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (creation >= 0) {
        (void)H5Pclose(creation);
    }
    return group >= 0 && H5Gclose(group) >= 0;
}

/// Makes the dataset of a table. One that does not grow has `rows` rows.
static int make_table(abut_recorder *recorder, int index, int64_t rows)
{
    const abut_table *table = &abut_recording_tables[index];
    char path[64];
    (void)snprintf(path, sizeof path, "%s%s%s", table->group != NULL ? table->group : "",
                   table->group != NULL ? "/" : "", table->name);
    hsize_t size = table->is_growing ? 0 : (hsize_t)rows, limit = H5S_UNLIMITED;
    hsize_t piece = (hsize_t)recorder->def.piece_rows;
    hid_t space = H5Screate_simple(1, &size, table->is_growing ? &limit : NULL);
    hid_t type = abut_table_file_type(table), creation = properties(H5P_DATASET_CREATE);
    int is_ready = space >= 0 && type >= 0 && creation >= 0;
    if (is_ready && table->is_growing) {
        is_ready = H5Pset_chunk(creation, 1, &piece) >= 0;
    }
    if (is_ready) {
        recorder->data[index] = H5Dcreate2(recorder->file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
        recorder->types[index] = abut_table_memory_type(table);
    }
    if (creation >= 0) {
        (void)H5Pclose(creation);
    }
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (space >= 0) {
        (void)H5Sclose(space);
    }
    return is_ready && recorder->data[index] >= 0 && recorder->types[index] >= 0;
}

/// Writes rows of a table from `begin` on, within its size.
static int write_rows(const abut_recorder *recorder, int index, int64_t begin, const void *rows, int64_t count)
{
    hsize_t start = (hsize_t)begin, length = (hsize_t)count;
    if (count == 0) {
        return 1;
    }
    hid_t to = H5Dget_space(recorder->data[index]), from = H5Screate_simple(1, &length, NULL);
    int is_written = to >= 0 && from >= 0 &&
                     H5Sselect_hyperslab(to, H5S_SELECT_SET, &start, NULL, &length, NULL) >= 0 &&
                     H5Dwrite(recorder->data[index], recorder->types[index], from, to, H5P_DEFAULT, rows) >= 0;
    if (from >= 0) {
        (void)H5Sclose(from);
    }
    if (to >= 0) {
        (void)H5Sclose(to);
    }
    return is_written;
}

/// Adds rows to a table: at its end if it grows, else after the rows written so far.
static int append(abut_recorder *recorder, int index, const void *rows, int64_t count)
{
    hsize_t size = (hsize_t)(recorder->rows[index] + count);
    if (abut_recording_tables[index].is_growing && H5Dset_extent(recorder->data[index], &size) < 0) {
        return 0;
    }
    int is_written = write_rows(recorder, index, recorder->rows[index], rows, count);
    recorder->rows[index] += is_written ? count : 0;
    return is_written;
}

static int close_file(abut_recorder *recorder)
{
    int is_closed = 1;
    for (int i = 0; i < ABUT_TABLE_COUNT; ++i) {
        if (recorder->types[i] >= 0) {
            is_closed &= H5Tclose(recorder->types[i]) >= 0;
        }
        if (recorder->data[i] >= 0) {
            is_closed &= H5Dclose(recorder->data[i]) >= 0;
        }
        recorder->types[i] = recorder->data[i] = -1;
    }
    if (recorder->file >= 0) {
        is_closed &= H5Fclose(recorder->file) >= 0;
    }
    recorder->file = -1;
    if (recorder->lock >= 0) {
        (void)close(recorder->lock);
    }
    recorder->lock = -1;
    return is_closed;
}

// ---------------------------------------------------------------------------------------------------------------
// What is known at the beginning

static abut_mesh_row row_of_mesh(const abut_setup_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh->mesh);
    abut_mesh_row row = {.precision = e.precision,
                         .vertex_count = e.vertex_count,
                         .point_count = e.point_count,
                         .segment_count = e.segment_count,
                         .face_count = e.face_count,
                         .corner_count = e.face_count > 0 ? e.face_offsets[e.face_count] : 0,
                         .tet_count = e.tet_count};
    (void)snprintf(row.name, sizeof row.name, "%s", mesh->name);
    return row;
}

static int append_mesh(abut_recorder *recorder, const abut_setup_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh->mesh);
    abut_mesh_row row = row_of_mesh(mesh);
    int is_written = append(recorder, ABUT_TABLE_MESHES, &row, 1) &&
                     append(recorder, ABUT_TABLE_VERTICES, e.vertices, e.vertex_count) &&
                     append(recorder, ABUT_TABLE_POINTS, e.points, e.point_count) &&
                     append(recorder, ABUT_TABLE_SEGMENTS, e.segments, e.segment_count) &&
                     append(recorder, ABUT_TABLE_FACE_VERTICES, e.face_vertices, row.corner_count) &&
                     append(recorder, ABUT_TABLE_TETS, e.tets, e.tet_count);
    int32_t sizes[1024];
    int count = 0;
    for (int i = 0; i < e.face_count && is_written; ++i) {
        sizes[count++] = e.face_offsets[i + 1] - e.face_offsets[i];
        if (count == (int)(sizeof sizes / sizeof sizes[0]) || i + 1 == e.face_count) {
            is_written = append(recorder, ABUT_TABLE_FACE_SIZES, sizes, count);
            count = 0;
        }
    }
    return is_written;
}

/// Makes all tables. Those that grow are empty.
static int make_tables(abut_recorder *recorder)
{
    const abut_setup *setup = recorder->def.setup;
    int64_t rows[ABUT_TABLE_COUNT] = {[ABUT_TABLE_ABOUT] = 1,
                                      [ABUT_TABLE_MESHES] = setup->mesh_count,
                                      [ABUT_TABLE_MATERIALS] = setup->material_count,
                                      [ABUT_TABLE_PAIRS] = setup->pair_count,
                                      [ABUT_TABLE_BODIES] = setup->body_count};
    for (int i = 0; i < setup->mesh_count; ++i) {
        abut_mesh_row mesh = row_of_mesh(&setup->meshes[i]);
        rows[ABUT_TABLE_VERTICES] += mesh.vertex_count;
        rows[ABUT_TABLE_POINTS] += mesh.point_count;
        rows[ABUT_TABLE_SEGMENTS] += mesh.segment_count;
        rows[ABUT_TABLE_FACE_SIZES] += mesh.face_count;
        rows[ABUT_TABLE_FACE_VERTICES] += mesh.corner_count;
        rows[ABUT_TABLE_TETS] += mesh.tet_count;
    }
    int is_made =
        make_group(recorder, "meshes") && make_group(recorder, "regions") && make_group(recorder, "timings");
    for (int i = 0; i < ABUT_TABLE_COUNT && is_made; ++i) {
        is_made = make_table(recorder, i, rows[i]);
    }
    return is_made;
}

static void fill_about(abut_recorder *recorder)
{
    abut_recording_about *about = &recorder->about;
    const abut_world_def *def = abut_world_get_def(recorder->world);
    about->version = ABUT_RECORDING_VERSION;
    (void)snprintf(about->library, sizeof about->library, "%s", abut_version());
    (void)snprintf(about->scene, sizeof about->scene, "%s", recorder->def.setup->name);
    (void)snprintf(about->method, sizeof about->method, "%s", def->method->name);
    about->dt = def->dt;
    about->gravity = def->gravity;
    (void)abut_lab_print_params(def->method, def->params, about->params, sizeof about->params);
    about->stepper = def->stepper;
    about->solver = def->solver;
    about->sweep = def->prox->sweep;
    about->factor = def->prox->factor;
    about->iteration_limit = def->prox->iteration_limit;
    about->absolute_tolerance = def->prox->absolute_tolerance;
    about->relative_tolerance = def->prox->relative_tolerance;
    about->directions = def->mcp->directions;
    about->pivot_limit = def->mcp->iteration_limit;
    about->mcp_tolerance = def->mcp->tolerance;
    about->gap_rule = def->gap_rule;
    about->has_warm_start = def->has_warm_start != 0;
    about->stabilisation = def->stabilisation;
    about->stabilisation.is_on = def->stabilisation.is_on != 0;
    about->torsion_radius = def->torsion_radius;
    about->linear_damping = def->linear_damping;
    about->angular_damping = def->angular_damping;
    about->speed_limit = def->speed_limit;
}

static abut_recording_state state_of(const abut_world *world, int body)
{
    abut_body_state state = abut_world_get_body(world, body);
    return (abut_recording_state){state.pose, state.linear_velocity, state.angular_velocity};
}

static int append_materials(abut_recorder *recorder)
{
    const abut_setup *setup = recorder->def.setup;
    int is_written = 1;
    for (int i = 0; i < setup->material_count && is_written; ++i) {
        const abut_setup_material *from = &setup->materials[i];
        abut_recording_material row = {
            .density = from->density, .friction = from->friction, .restitution = from->restitution};
        (void)snprintf(row.name, sizeof row.name, "%s", from->name);
        is_written = append(recorder, ABUT_TABLE_MATERIALS, &row, 1);
    }
    for (int i = 0; i < setup->pair_count && is_written; ++i) {
        const abut_setup_pair *pair = &setup->pairs[i];
        abut_recording_pair row = {.a = pair->a, .b = pair->b};
        (void)snprintf(row.method, sizeof row.method, "%s", pair->method != NULL ? pair->method->name : "");
        // The world knows the values that the setup leaves to the materials.
        is_written = abut_world_get_pair(recorder->world, pair->a, pair->b, &row.friction, &row.restitution,
                                         NULL) == ABUT_OK &&
                     append(recorder, ABUT_TABLE_PAIRS, &row, 1);
    }
    return is_written;
}

static int append_vertices(abut_recorder *recorder)
{
    int is_written = 1;
    for (int i = 0; i < abut_world_body_count(recorder->world) && is_written; ++i) {
        const abut_soft *soft = abut_world_body_soft(recorder->world, i);
        if (soft != NULL) {
            abut_soft_state state = abut_soft_get_state(soft);
            is_written = append(recorder, ABUT_TABLE_SOFT_VERTICES, state.positions, state.vertex_count);
        }
    }
    return is_written;
}

static int append_bodies(abut_recorder *recorder)
{
    const abut_setup *setup = recorder->def.setup;
    int is_written = 1;
    for (int i = 0; i < setup->body_count && is_written; ++i) {
        const abut_setup_body *from = &setup->bodies[i];
        abut_recording_body body = {.mesh = from->mesh,
                                    .material = from->material,
                                    .is_fixed = from->is_fixed,
                                    .is_soft = abut_world_body_soft(recorder->world, i) != NULL,
                                    .mass = abut_world_get_body(recorder->world, i).mass};
        (void)snprintf(body.name, sizeof body.name, "%s", from->name);
        recorder->states[i] = state_of(recorder->world, i);
        is_written = append(recorder, ABUT_TABLE_BODIES, &body, 1);
    }
    return is_written && append(recorder, ABUT_TABLE_STATES, recorder->states, setup->body_count) &&
           append_vertices(recorder);
}

/// Makes the file and writes everything that is known before the first step.
static int begin_file(abut_recorder *recorder)
{
    const abut_setup *setup = recorder->def.setup;
    int is_written = make_file(recorder) && make_tables(recorder);
    fill_about(recorder);
    is_written = is_written && append(recorder, ABUT_TABLE_ABOUT, &recorder->about, 1);
    for (int i = 0; i < setup->mesh_count && is_written; ++i) {
        is_written = append_mesh(recorder, &setup->meshes[i]);
    }
    return is_written && append_materials(recorder) && append_bodies(recorder) &&
           H5Fflush(recorder->file, H5F_SCOPE_LOCAL) >= 0;
}

void abut_recorder_def_init(abut_recorder_def *def, size_t size)
{
    const abut_recorder_def made = {.struct_size = sizeof made, .piece_rows = 256};
    abut_write_versioned(def, size, &made, sizeof made);
}

abut_status abut_recorder_create(const abut_context *context, const abut_recorder_def *given,
                                 abut_recorder **recorder, abut_error *error)
{
    *recorder = NULL;
    abut_recorder_def read = abut_recorder_def_default(), *def = &read;
    if (given == NULL || !abut_read_versioned(&read, sizeof read, given) || def->path == NULL ||
        def->setup == NULL || def->simulation == NULL || def->piece_rows < 1) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "abut_recorder_create: path, setup, simulation and a positive piece_rows are needed");
    }
    abut_context kept = abut_context_or_default(context);
    abut_recorder *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    abut_recording_state *states = abut_allocate_zeroed(&kept, 2 * (size_t)def->setup->body_count, sizeof *states);
    if (made == NULL || states == NULL) {
        abut_free(&kept, made);
        abut_free(&kept, states);
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a recording");
    }
    made->context = kept;
    made->def = *def;
    made->world = def->simulation->world;
    made->states = states;
    made->file = made->lock = -1;
    for (int i = 0; i < ABUT_TABLE_COUNT; ++i) {
        made->data[i] = made->types[i] = -1;
    }
    // Otherwise HDF5 tries again at exit to close what it could not close on a full disk, and prints errors.
    (void)H5dont_atexit();
    error_printer printer = silence();
    abut_status status = lock_file(made, error);
    if (status == ABUT_OK && !begin_file(made)) {
        status = fail_to_write(made, error);
    }
    unsilence(printer);
    if (status != ABUT_OK) {
        abut_recorder_destroy(made);
        made = NULL;
    }
    *recorder = made;
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

/// Whether a body is still where the setup put it, so that the known contacts apply.
static int is_in_place(const abut_recorder *recorder, int body)
{
    int count = recorder->def.setup->body_count;
    abut_pose before = recorder->states[body].pose, now = recorder->states[count + body].pose;
    const abut_mesh *mesh = recorder->def.setup->meshes[recorder->def.setup->bodies[body].mesh].mesh;
    double size = abut_box_diagonal(abut_mesh_get_elements(mesh).bounds);
    abut_quat turn = abut_quat_multiply(now.rotation, abut_quat_conjugate(before.rotation));
    double half_sine = abut_norm(abut_vec3_make(turn.x, turn.y, turn.z));
    return abut_world_body_soft(recorder->world, body) == NULL &&
           abut_norm(abut_sub(now.position, before.position)) <= MOVE_TOLERANCE * size &&
           2.0 * half_sine <= NORMAL_TOLERANCE;
}

static abut_recording_truth truth_of(const abut_recorder *recorder, const abut_world_contact *contact)
{
    const abut_case *known = recorder->def.known_case;
    const abut_scene *scene = recorder->def.known_scene;
    int has_truth = scene != NULL || (known != NULL && known->truth_count[ABUT_READING_VELOCITY] > 0);
    if (!has_truth || !is_in_place(recorder, contact->body_a) || !is_in_place(recorder, contact->body_b)) {
        return ABUT_TRUTH_UNKNOWN;
    }
    int is_right;
    if (scene != NULL) {
        abut_scene_pair bodies = {contact->body_a, contact->body_b};
        is_right = abut_scene_deviation(scene, bodies, contact->contact.normal) <= NORMAL_TOLERANCE;
    } else {
        abut_sample sample = {.position = contact->contact.position, .normal = contact->contact.normal};
        abut_case_poses touching = {known->a.pose, known->b.pose};
        is_right = abut_measure(known, touching, ABUT_READING_VELOCITY, &sample, 1).quality > 50.0;
    }
    return is_right ? ABUT_TRUTH_RIGHT : ABUT_TRUTH_WRONG;
}

static int reserve_contacts(abut_recorder *recorder, int count)
{
    if (count <= recorder->contact_capacity) {
        return 1;
    }
    size_t capacity = count < INT_MAX / 2 ? (size_t)count + (size_t)count / 2 : (size_t)count;
    abut_free(&recorder->context, recorder->contacts);
    recorder->contacts = abut_allocate_zeroed(&recorder->context, capacity, sizeof *recorder->contacts);
    recorder->contact_capacity = recorder->contacts != NULL ? (int)capacity : 0;
    return recorder->contacts != NULL;
}

/// A feature of the mesh that is recorded. The world may have used another one, the core of a primitive.
static abut_feature recorded_feature(const abut_recorder *recorder, int body, abut_feature feature)
{
    int mesh = recorder->def.setup->bodies[body].mesh;
    const abut_feature none = {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}};
    return abut_shape_mesh(recorder->def.simulation->shapes[mesh]) == recorder->def.setup->meshes[mesh].mesh
               ? feature
               : none;
}

/// Copies the contacts, with whether their normals are right. Returns the quality.
static double fill_contacts(abut_recorder *recorder, const abut_world_report *report)
{
    int known = 0, right = 0;
    for (int i = 0; i < report->contact_count; ++i) {
        abut_recording_truth truth = truth_of(recorder, &report->contacts[i]);
        recorder->contacts[i] = (abut_recording_contact){report->contacts[i], truth};
        abut_world_contact *copy = &recorder->contacts[i].item;
        copy->contact.feature_a = recorded_feature(recorder, copy->body_a, copy->contact.feature_a);
        copy->contact.feature_b = recorded_feature(recorder, copy->body_b, copy->contact.feature_b);
        known += truth != ABUT_TRUTH_UNKNOWN;
        right += truth == ABUT_TRUTH_RIGHT;
    }
    return known > 0 ? 100.0 * right / known : (double)NAN;
}

static int append_step(abut_recorder *recorder, const abut_world_report *report,
                       const abut_recording_timing *timing)
{
    int body_count = recorder->def.setup->body_count;
    abut_recording_state *now = recorder->states + body_count;
    for (int i = 0; i < body_count; ++i) {
        now[i] = state_of(recorder->world, i);
    }
    abut_world_energy energy = abut_world_get_energy(recorder->world);
    abut_recording_step row = {.step = report->step,
                               .time = report->time,
                               .contact_count = report->contact_count,
                               .pair_count = report->pair_count,
                               .outcome = report->outcome,
                               .iterations = report->iterations,
                               .matched = report->matched,
                               .residual_count = report->history_count,
                               .region_count = report->regions.count,
                               .change_count = report->change_count,
                               .churn = report->churn,
                               .event_count = report->event_count,
                               .stepped_time = report->stepped_time,
                               .residual = report->residual,
                               .residual_scale = report->residual_scale,
                               .kinetic_energy = energy.kinetic,
                               .potential_energy = energy.potential,
                               .elastic_energy = energy.elastic,
                               .quality = fill_contacts(recorder, report)};
    for (int i = 0; i < ABUT_REGION_TABLES; ++i) {
        if (!append(recorder, ABUT_TABLE_REGIONS + i, recorder->regions.items[i], recorder->regions.counts[i])) {
            return 0;
        }
    }
    // The step itself is written last, so that a step in the file is always complete.
    return append(recorder, ABUT_TABLE_STATES, now, body_count) && append_vertices(recorder) &&
           append(recorder, ABUT_TABLE_CONTACTS, recorder->contacts, report->contact_count) &&
           append(recorder, ABUT_TABLE_CHANGES, report->changes, report->change_count) &&
           append(recorder, ABUT_TABLE_EVENTS, report->events, report->event_count) &&
           append(recorder, ABUT_TABLE_RESIDUALS, report->history, report->history_count) &&
           (timing == NULL || append(recorder, ABUT_TABLE_TIMINGS, timing, 1)) &&
           append(recorder, ABUT_TABLE_STEPS, &row, 1) &&
           (recorder->rows[ABUT_TABLE_STEPS] % FLUSH_STEPS != 0 || H5Fflush(recorder->file, H5F_SCOPE_LOCAL) >= 0);
}

abut_status abut_recorder_add(abut_recorder *recorder, const abut_recording_timing *timing, abut_error *error)
{
    abut_world_report report = abut_world_get_report(recorder->world);
    int64_t done = recorder->rows[ABUT_TABLE_STEPS];
    int is_mixed = done > 0 && (timing != NULL) != (recorder->rows[ABUT_TABLE_TIMINGS] > 0);
    if (recorder->file < 0 || is_mixed) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "abut_recorder_add: the recording is finished, or only some steps have timings");
    }
    if (report.step != done + 1) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_recorder_add: step %lld follows step %lld",
                         (long long)report.step, (long long)done);
    }
    if (!reserve_contacts(recorder, report.contact_count) ||
        !abut_region_rows_fill(&recorder->context, &recorder->regions, &report.regions)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for the contacts of a recording");
    }
    error_printer printer = silence();
    abut_status status = append_step(recorder, &report, timing) ? ABUT_OK : fail_to_write(recorder, error);
    unsilence(printer);
    return status;
}

abut_status abut_recorder_finish(abut_recorder *recorder, abut_recording_end end, const char *reason,
                                 abut_error *error)
{
    if (recorder->file < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_recorder_finish: the recording is finished");
    }
    recorder->about.end = end;
    (void)snprintf(recorder->about.reason, sizeof recorder->about.reason, "%s", reason != NULL ? reason : "");
    error_printer printer = silence();
    int is_written = write_rows(recorder, ABUT_TABLE_ABOUT, 0, &recorder->about, 1);
    is_written = close_file(recorder) && is_written;
    abut_status status = is_written ? ABUT_OK : fail_to_write(recorder, error);
    unsilence(printer);
    return status;
}

void abut_recorder_destroy(abut_recorder *recorder)
{
    if (recorder == NULL) {
        return;
    }
    error_printer printer = silence();
    (void)close_file(recorder);
    unsilence(printer);
    abut_context context = recorder->context;
    abut_free(&context, recorder->contacts);
    abut_region_rows_release(&context, &recorder->regions);
    abut_free(&context, recorder->states);
    abut_free(&context, recorder);
}
