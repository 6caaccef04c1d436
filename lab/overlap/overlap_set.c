// SPDX-License-Identifier: MIT
// overlap_set.c: placements of generated solids that overlap by a known amount
//
// B starts where it is free: far away, or near A, maybe in a hole of it or hooked into it. It is swept in some
// direction until it touches A, and then moved on against the normal there. So moving it back by as much frees it.
#include "cases/solid_shapes.h"
#include "common/lab_random.h"
#include "common/lab_support.h"

#include <abut-lab/overlap.h>

#include <string.h>

enum { TRIES = 1000 };
static const uint64_t seed = 0x0413;
static const double depths[] = {1e-3, 1e-2, 1e-1};
enum { DEPTHS = sizeof depths / sizeof depths[0] };
static const double least_volume = 1e-11; // of the cube of the size: smaller overlaps drown in rounding

/// A start where the bodies are linked.
typedef struct linked_start {
    int a, b;
    abut_pose b_to_a;
} linked_start;

static const double root_half = 0.70710678118654752440;

/// The numbers are those of abut_solid_shape_names().
static linked_start get_linked(int index)
{
    const double tooth = 0.15 * ABUT_LAB_PI / 5.0; // the middle of the first tooth of the gear
    const abut_vec3 up = {0.0, 0.0, 1.0};
    const linked_start starts[] = {
        {13, 12, abut_pose_identity()},                               // bolt in nut
        {9, 9, {{0.3, 0.0, 0.0}, {root_half, root_half, 0.0, 0.0}}},  // chain links
        {10, 9, {{0.4, 0.0, 0.0}, {root_half, root_half, 0.0, 0.0}}}, // link around washer
        {10, 12, abut_pose_identity()},                               // bolt in washer
        {6, 6, {{0.93 * cos(tooth), 0.93 * sin(tooth), 0.0}, abut_quat_from_axis(up, -0.1 * ABUT_LAB_PI)}}, // gears
    };
    return starts[index % (int)(sizeof starts / sizeof starts[0])];
}

typedef struct maker {
    abut_overlap_set *set;
    abut_tree **trees;
    abut_context context;
    uint64_t random;
} maker;

static double between(maker *m, double lower, double upper)
{
    return lower + (upper - lower) * abut_lab_next_share(&m->random);
}

static abut_vec3 random_vector(maker *m)
{
    double x = between(m, -1.0, 1.0), y = between(m, -1.0, 1.0);
    return abut_vec3_make(x, y, between(m, -1.0, 1.0));
}

static abut_quat random_rotation(maker *m)
{
    double shares[3];
    for (int i = 0; i < 3; ++i) {
        shares[i] = abut_lab_next_share(&m->random);
    }
    return abut_lab_rotation(shares);
}

static int stop(void *user, int element_a, int element_b)
{
    (void)user;
    (void)element_a;
    (void)element_b;
    return 1;
}

/// Whether two shapes have no point in common: neither do their surfaces meet, nor is one inside the other.
static int is_free(const maker *m, int a, int b, abut_pose b_to_a)
{
    double volume = 0.0;
    abut_error error;
    return abut_tree_intersections(m->trees[a], m->trees[b], b_to_a, 0.0, stop, NULL) == 0 &&
           abut_overlap_volume(&m->context, m->set->meshes[a], abut_pose_identity(), m->set->meshes[b], b_to_a,
                               &volume, &error) == ABUT_OK &&
           volume < 1e-12;
}

/// Chooses two shapes and a free pose of B. Returns 0 if this try has none.
static int choose_start(maker *m, int index, abut_overlap_placement *p, abut_pose *start)
{
    int count = m->set->shape_count;
    if (index % 10 == 9) {
        linked_start linked = get_linked(index / 10);
        p->a = linked.a;
        p->b = linked.b;
        *start = linked.b_to_a;
        return is_free(m, p->a, p->b, *start);
    }
    p->a = (int)between(m, 0.0, count);
    p->b = (int)between(m, 0.0, count);
    start->rotation = random_rotation(m);
    abut_vec3 offset = random_vector(m);
    if (index % 2 == 0) { // far away
        start->position = abut_scale(4.0, abut_unit(offset));
        return 1;
    }
    start->position = abut_scale(0.5, offset); // near A, in its hollows too
    return is_free(m, p->a, p->b, *start);
}

/// Sweeps B from its start until it touches A. Returns 0 if it does not.
static int touch(maker *m, const abut_overlap_placement *p, int is_far, abut_pose *pose, abut_vec3 *normal)
{
    abut_sweep_def def = abut_sweep_def_default(m->trees[p->a], m->trees[p->b]);
    abut_vec3 aim = is_far ? abut_sub(abut_scale(0.3, random_vector(m)), pose->position) : random_vector(m);
    def.motion_b.pose = *pose;
    def.motion_b.linear_velocity = abut_scale(is_far ? 1.5 : 2.0, aim);
    def.tolerance = 0.0;
    abut_sweep_hit hit;
    abut_error error;
    if (abut_sweep(&def, &hit, &error) != ABUT_OK || !hit.is_hit || hit.time == 0.0) {
        return 0;
    }
    *pose = abut_motion_pose(&def.motion_b, hit.time);
    *normal = hit.normal;
    return 1;
}

/// Makes a placement in A's frame. Returns 0 if this try does not overlap as it should.
static int place(maker *m, int index, abut_overlap_placement *p)
{
    abut_pose pose;
    abut_vec3 normal;
    *p = (abut_overlap_placement){.depth = depths[index % DEPTHS]};
    if (!choose_start(m, index, p, &pose) || !touch(m, p, index % 2 == 0, &pose, &normal)) {
        return 0;
    }
    const abut_mesh *a = m->set->meshes[p->a], *b = m->set->meshes[p->b];
    p->size = fmin(abut_box_diagonal(abut_mesh_get_elements(a).bounds),
                   abut_box_diagonal(abut_mesh_get_elements(b).bounds));
    p->freeing = abut_scale(p->depth * p->size, normal);
    p->pose_a = abut_pose_identity();
    p->pose_b = abut_pose_make(abut_sub(pose.position, p->freeing), pose.rotation);
    double touching = 0.0, cube = p->size * p->size * p->size;
    abut_error error;
    return abut_overlap_volume(&m->context, a, p->pose_a, b, pose, &touching, &error) == ABUT_OK &&
           abut_overlap_volume(&m->context, a, p->pose_a, b, p->pose_b, &p->volume, &error) == ABUT_OK &&
           p->volume > least_volume * cube && touching < 1e-4 * p->volume;
}

/// Turns and moves both bodies.
static void put_into_world(maker *m, abut_overlap_placement *p)
{
    abut_pose frame = abut_pose_make(random_vector(m), random_rotation(m));
    p->pose_b = abut_pose_multiply(frame, p->pose_b);
    p->pose_a = frame;
    p->freeing = abut_quat_rotate(frame.rotation, p->freeing);
}

static abut_status make_placements(maker *m, int count, abut_error *error)
{
    abut_overlap_set *set = m->set;
    set->placements = abut_allocate_zeroed(&m->context, (size_t)count, sizeof *set->placements);
    if (set->placements == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d placements", count);
    }
    for (int i = 0; i < count; ++i) {
        int is_placed = 0;
        m->random = abut_lab_mix(seed, (uint64_t)i);
        for (int k = 0; k < TRIES && !is_placed; ++k) {
            is_placed = place(m, i, &set->placements[i]);
        }
        if (!is_placed) {
            return abut_fail(error, ABUT_LIMIT, "no placement %d in %d tries", i, TRIES);
        }
        put_into_world(m, &set->placements[i]);
        set->placement_count = i + 1;
    }
    return ABUT_OK;
}

static abut_status make_shapes(maker *m, abut_error *error)
{
    abut_overlap_set *set = m->set;
    int count;
    set->names = abut_solid_shape_names(&count);
    set->meshes = abut_allocate_zeroed(&m->context, (size_t)count, sizeof(abut_mesh *));
    set->shapes = abut_allocate_zeroed(&m->context, (size_t)count, sizeof(abut_shape *));
    m->trees = abut_allocate_zeroed(&m->context, (size_t)count, sizeof(abut_tree *));
    if (set->meshes == NULL || set->shapes == NULL || m->trees == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d shapes", count);
    }
    set->shape_count = count;
    abut_status status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        abut_shape_def def = abut_shape_def_default();
        status = abut_solid_shape_create(&m->context, i, &set->meshes[i], error);
        def.mesh = set->meshes[i];
        status = status != ABUT_OK ? status : abut_shape_create(&m->context, &def, &set->shapes[i], error);
        status = status != ABUT_OK
                     ? status
                     : abut_tree_create(&m->context, set->meshes[i], ABUT_ELEMENT_TRIANGLE, &m->trees[i], error);
    }
    return status;
}

abut_status abut_overlap_set_create(const abut_context *context, int count, abut_overlap_set **out,
                                    abut_error *error)
{
    *out = NULL;
    if (count < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_overlap_set_create: %d placements", count);
    }
    maker m = {.context = abut_context_or_default(context)};
    m.set = abut_lab_object_create(&m.context, sizeof *m.set);
    if (m.set == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for overlapping placements");
    }
    abut_status status = make_shapes(&m, error);
    status = status != ABUT_OK ? status : make_placements(&m, count, error);
    for (int i = 0; i < m.set->shape_count && m.trees != NULL; ++i) {
        abut_tree_destroy(m.trees[i]);
    }
    abut_free(&m.context, m.trees);
    if (status != ABUT_OK) {
        abut_overlap_set_destroy(m.set);
        return status;
    }
    *out = m.set;
    return ABUT_OK;
}

void abut_overlap_set_destroy(abut_overlap_set *set)
{
    if (set == NULL) {
        return;
    }
    const abut_context *context = abut_lab_object_context(set);
    for (int i = 0; i < set->shape_count; ++i) {
        abut_shape_destroy(set->shapes[i]);
        abut_mesh_destroy(set->meshes[i]);
    }
    abut_free(context, set->shapes);
    abut_free(context, set->meshes);
    abut_free(context, set->placements);
    abut_lab_object_destroy(set);
}
