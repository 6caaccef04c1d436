// SPDX-License-Identifier: MIT
// assembly.c: the front of a car, and the path on which a linkage is mounted in it
#include "assembly/assembly_parts.h"
#include "common/lab_support.h"

#include <string.h>

// The path, by the turn about the axis of the gap.
static const double first_turn = -0.9, gap_turn = -0.15, left_turn = 0.53;
static const double lift = 300.0;          ///< millimetres outward at the beginning
static const double pulled_back = 55.0;    ///< millimetres along the pegs, before they enter the holes
static const double most_sway = 2.0;       ///< in the gap: with the dilations, the linkage then touches
static const double peg_sway = 0.3;        ///< while the pegs enter
static const double transfer_share = 0.25; ///< of the last phase, before the pegs enter

void abut_assembly_params_init(abut_assembly_params *params, size_t size)
{
    const abut_assembly_params made = {
        .struct_size = sizeof made, .chord = 1.0, .edge = 5.0, .seed = 1, .pose_count = 1200};
    abut_write_versioned(params, size, &made, sizeof made);
}

/// Adds words of four bytes.
static uint64_t hash_words(uint64_t hash, const void *words, size_t size)
{
    const unsigned char *bytes = words;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/// The pose after a turn, then a motion along the linkage's own axes: outward and along the pegs.
static abut_pose make_pose(double turn, double outward, double along)
{
    abut_quat rotation = {abut_surface_cosine(0.5 * turn), 0.0, -abut_surface_sine(0.5 * turn), 0.0};
    return abut_pose_make(abut_assembly_turn(abut_vec3_make(outward, 0.0, along), turn), rotation);
}

static double smooth(double t)
{
    return t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t * t * (3.0 - 2.0 * t);
}

static void make_pose_at(abut_assembly *a, int i, int seed)
{
    int phase = i < a->phase_begins[1] ? 0 : i < a->phase_begins[2] ? 1 : 2;
    int begin = a->phase_begins[phase], end = a->phase_begins[phase + 1];
    int is_last = phase == ABUT_ASSEMBLY_PEG; // the last pose is the end of the path
    double t = (double)(i - begin) / (end - begin - is_last), tau = 2.0 * ABUT_LAB_PI;
    if (phase == ABUT_ASSEMBLY_OUTSIDE) {
        a->poses[i] = make_pose(first_turn + t * (gap_turn - first_turn), lift * (1.0 - t) * (1.0 - t), 0.0);
        a->sways[i] = lift * (1.0 - t) * (1.0 - t);
    } else if (phase == ABUT_ASSEMBLY_GAP) {
        double ramp = smooth(10.0 * t) * smooth(10.0 * (1.0 - t));
        double number = 2.0 + 2.0 * abut_assembly_chance(seed, 4), start = abut_assembly_chance(seed, 5);
        a->sways[i] = most_sway * ramp * abut_surface_sine(tau * (number * t + start));
        a->poses[i] = make_pose(gap_turn + t * (left_turn - gap_turn), a->sways[i], 0.0);
    } else if (t < transfer_share) {
        double s = smooth(t / transfer_share);
        a->poses[i] = make_pose(left_turn + s * (abut_assembly_last_turn - left_turn), 0.0, -s * pulled_back);
        a->sways[i] = 0.0;
    } else {
        double s = (t - transfer_share) / (1.0 - transfer_share);
        double slack = ABUT_ASSEMBLY_HOLE_RADIUS - ABUT_ASSEMBLY_PEG_RADIUS - 2.0 * ABUT_ASSEMBLY_DILATION;
        double sway = peg_sway * abut_surface_sine(tau * (2.0 * s + abut_assembly_chance(seed, 6))) * (1.0 - s);
        a->sways[i] = sway * smooth(4.0 * s) + slack * smooth(2.0 * s - 1.0);
        a->poses[i] = make_pose(abut_assembly_last_turn, a->sways[i], -(1.0 - s) * pulled_back);
    }
}

static abut_status make_shape(abut_assembly *a, const abut_assembly_params *params, int shape, abut_error *error)
{
    const abut_context *context = abut_lab_object_context(a);
    abut_surface_builder b = {
        .context = *context, .chord = params->chord, .edge = params->edge, .status = ABUT_OK, .error = error};
    abut_assembly_add_shape(&b, shape, params->seed);
    if (b.status == ABUT_OK) {
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = b.vertices;
        def.vertex_count = b.vertex_count;
        def.face_vertices = b.corners;
        def.face_count = b.corner_count / 3;
        b.status = abut_mesh_create(context, &def, &a->meshes[shape], error);
        a->triangle_count += def.face_count;
        a->hash = hash_words(a->hash, b.vertices, (size_t)b.vertex_count * sizeof *b.vertices);
        a->hash = hash_words(a->hash, b.corners, (size_t)b.corner_count * sizeof *b.corners);
    }
    abut_free(context, b.vertices);
    abut_free(context, b.corners);
    return b.status;
}

static abut_status fill_assembly(abut_assembly *a, const abut_assembly_params *params, abut_error *error)
{
    const abut_context *context = abut_lab_object_context(a);
    size_t count = (size_t)params->pose_count;
    a->names = abut_assembly_names;
    a->meshes = abut_allocate_zeroed(context, ABUT_ASSEMBLY_SHAPES, sizeof(abut_mesh *));
    a->poses = abut_allocate(context, count, sizeof *a->poses);
    a->sways = abut_allocate(context, count, sizeof *a->sways);
    if (a->meshes == NULL || a->poses == NULL || a->sways == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d poses", params->pose_count);
    }
    a->pose_count = params->pose_count;
    a->phase_begins[ABUT_ASSEMBLY_GAP] = a->pose_count / 4;
    a->phase_begins[ABUT_ASSEMBLY_PEG] = a->pose_count - a->pose_count / 4;
    a->phase_begins[ABUT_ASSEMBLY_PHASES] = a->pose_count;
    abut_status status = ABUT_OK;
    for (int i = 0; i < ABUT_ASSEMBLY_SHAPES && status == ABUT_OK; ++i) {
        status = make_shape(a, params, i, error);
    }
    for (int i = 0; i < a->pose_count; ++i) {
        make_pose_at(a, i, params->seed);
    }
    a->hash = hash_words(a->hash, a->poses, count * sizeof *a->poses);
    return status;
}

abut_status abut_assembly_create(const abut_context *context, const abut_assembly_params *params,
                                 abut_assembly **assembly, abut_error *error)
{
    *assembly = NULL;
    abut_assembly_params read = abut_assembly_params_default();
    if (params != NULL && !abut_read_versioned(&read, sizeof read, params)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "params was not made by abut_assembly_params_default()");
    }
    if (!(read.chord > 0.0) || !(read.edge > 0.0) || read.seed < 1 || read.pose_count < 10) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "chord %g and edge %g must be above 0, seed %d at least 1, and poses %d at least 10",
                         read.chord, read.edge, read.seed, read.pose_count);
    }
    abut_context kept = abut_context_or_default(context);
    abut_assembly *made = abut_lab_object_create(&kept, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for an assembly");
    }
    abut_status status = fill_assembly(made, &read, error);
    if (status != ABUT_OK) {
        abut_assembly_destroy(made);
        return status;
    }
    *assembly = made;
    return ABUT_OK;
}

void abut_assembly_destroy(abut_assembly *assembly)
{
    if (assembly == NULL) {
        return;
    }
    const abut_context *context = abut_lab_object_context(assembly);
    for (int i = 0; assembly->meshes != NULL && i < ABUT_ASSEMBLY_SHAPES; ++i) {
        abut_mesh_destroy(assembly->meshes[i]);
    }
    abut_free(context, assembly->meshes);
    abut_free(context, assembly->poses);
    abut_free(context, assembly->sways);
    abut_lab_object_destroy(assembly);
}
