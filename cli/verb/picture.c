// SPDX-License-Identifier: MIT
// picture.c: what a drawing shows: bodies, contacts and regions, from files, cases, scenes or recordings
#include "verb/picture.h"

#include <stdlib.h>

static const double NORMAL_TOLERANCE = 1e-3; ///< of right normals in scenes, as in abut_scene_measures

void abut_cli_picture_release(abut_cli_picture *picture)
{
    free(picture->bodies);
    free(picture->contacts);
    free(picture->outlines);
    free(picture->points);
    for (int i = 0; i < picture->moved_count; ++i) {
        abut_mesh_destroy(picture->moved[i]);
    }
    free(picture->moved);
    *picture = (abut_cli_picture){0};
}

abut_drawing_def abut_cli_picture_def(const abut_cli_picture *picture)
{
    abut_drawing_def def = abut_drawing_def_default();
    def.bodies = picture->bodies;
    def.body_count = picture->body_count;
    def.contacts = picture->contacts;
    def.contact_count = picture->contact_count;
    def.outlines = picture->outlines;
    def.outline_count = picture->outline_count;
    def.points = picture->points;
    def.point_count = picture->point_count;
    return def;
}

abut_vec3 abut_cli_picture_up(abut_vec3 gravity)
{
    abut_vec3 size = abut_abs(gravity);
    int is_x = size.x > size.y && size.x > size.z, is_z = !is_x && size.z > size.y;
    double sign = (is_x ? gravity.x : is_z ? gravity.z : gravity.y) > 0.0 ? -1.0 : 1.0;
    return abut_vec3_make(is_x ? sign : 0.0, !is_x && !is_z ? sign : 0.0, is_z ? sign : 0.0);
}

abut_cli_exit abut_cli_picture_read_up(const abut_cli_arguments *arguments, abut_vec3 *up)
{
    static const char *const axes[] = {"x", "y", "z", NULL};
    int axis = -1;
    abut_cli_exit code = abut_cli_word_of(arguments, "up", axes, &axis);
    if (axis >= 0) {
        *up = abut_vec3_make(axis == 0, axis == 1, axis == 2);
    }
    return code;
}

/// Room for one more item: arrays double at powers of two.
static void *grown(void *items, int count, size_t item_size)
{
    int is_full = (count & (count - 1)) == 0;
    return is_full ? abut_cli_resize(items, count > 0 ? 2 * (size_t)count : 1, item_size) : items;
}

void abut_cli_picture_add_body(abut_cli_picture *picture, const abut_mesh *mesh, abut_pose pose, int is_fixed)
{
    picture->bodies = grown(picture->bodies, picture->body_count, sizeof *picture->bodies);
    picture->bodies[picture->body_count++] = (abut_drawn_body){mesh, pose, is_fixed};
}

/// Adds a soft body, whose vertices are in the world. If its mesh cannot be copied, for want of memory, it is left out.
static void add_soft_body(abut_cli_picture *picture, const abut_mesh *mesh, const abut_vec3 *vertices)
{
    abut_mesh_def def = abut_mesh_get_def(mesh);
    def.vertices = vertices;
    abut_mesh *copy = NULL;
    if (abut_mesh_create(NULL, &def, &copy, NULL) == ABUT_OK) {
        picture->moved = grown(picture->moved, picture->moved_count, sizeof *picture->moved);
        picture->moved[picture->moved_count++] = copy;
        abut_cli_picture_add_body(picture, copy, abut_pose_identity(), 0);
    }
}

void abut_cli_picture_add_contact(abut_cli_picture *picture, abut_vec3 position, abut_vec3 normal,
                                  abut_drawn_kind kind)
{
    picture->contacts = grown(picture->contacts, picture->contact_count, sizeof *picture->contacts);
    picture->contacts[picture->contact_count++] = (abut_drawn_contact){position, normal, kind};
}

void abut_cli_picture_add_region(abut_cli_picture *picture, const abut_region *region,
                                 const abut_region_loop *loops, const abut_vec3 *points)
{
    for (int i = 0; i < region->loop_count; ++i) {
        const abut_region_loop *loop = &loops[region->loop_begin + i];
        picture->outlines = grown(picture->outlines, picture->outline_count, sizeof *picture->outlines);
        picture->outlines[picture->outline_count++] =
            (abut_drawn_outline){picture->point_count, loop->point_count, loop->is_hole};
        for (int k = 0; k < loop->point_count; ++k) {
            picture->points = grown(picture->points, picture->point_count, sizeof *picture->points);
            picture->points[picture->point_count++] = points[loop->point_begin + k];
        }
    }
}

static void add_regions(abut_cli_picture *picture, const abut_result *result)
{
    for (int i = 0; i < result->regions.count; ++i) {
        abut_cli_picture_add_region(picture, &result->regions.items[i], result->loops.items, result->points.items);
    }
}

void abut_cli_picture_add_result(abut_cli_picture *picture, const abut_result *result)
{
    for (int i = 0; i < result->contacts.count; ++i) {
        const abut_contact *contact = &result->contacts.items[i];
        abut_cli_picture_add_contact(picture, contact->position, contact->normal, ABUT_DRAWN_CONTACT);
    }
    add_regions(picture, result);
}

// ---------------------------------------------------------------------------------------------------------------
// Cases

/// Adds the contacts of a case, marked as right or wrong, and the expected ones that are missing.
static void add_scored(abut_cli_picture *picture, const abut_case *item, abut_state state,
                       const abut_result *result)
{
    int truth_count = item->truth_count[ABUT_READING_VELOCITY], count = result->contacts.count;
    if (truth_count == 0) {
        abut_cli_picture_add_result(picture, result);
        return;
    }
    abut_sample *samples = abut_cli_resize(NULL, (size_t)count, sizeof *samples);
    int *is_right = abut_cli_resize(NULL, (size_t)count, sizeof *is_right);
    int *is_met = abut_cli_resize(NULL, (size_t)truth_count, sizeof *is_met);
    for (int i = 0; i < count; ++i) {
        const abut_contact *contact = &result->contacts.items[i];
        samples[i] = (abut_sample){.position = contact->position, .normal = contact->normal};
    }
    abut_case_poses poses = abut_case_place(item, state);
    abut_measure_each(item, poses, ABUT_READING_VELOCITY, samples, count, is_right, is_met);
    for (int i = 0; i < count; ++i) {
        abut_cli_picture_add_contact(picture, samples[i].position, samples[i].normal,
                                     is_right[i] ? ABUT_DRAWN_RIGHT : ABUT_DRAWN_WRONG);
    }
    for (int i = 0; i < truth_count; ++i) {
        if (!is_met[i]) {
            const abut_truth *truth = &item->truth[ABUT_READING_VELOCITY][i];
            abut_cli_picture_add_contact(picture, truth->position, truth->normal, ABUT_DRAWN_MISSED);
        }
    }
    add_regions(picture, result);
    free(samples);
    free(is_right);
    free(is_met);
}

static abut_status make_shape(abut_mesh *mesh, const abut_cli_query *query, abut_shape **shape, abut_error *error)
{
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    abut_status status = abut_shape_create(NULL, &def, shape, error);
    if (status == ABUT_OK && !query->method->is_plugin) {
        status = abut_shape_prepare(*shape, query->method->row, &query->params, error);
    }
    return status;
}

abut_cli_exit abut_cli_picture_add_case(abut_cli_picture *picture, const abut_case *item, abut_state state,
                                        const abut_cli_query *query, char **why)
{
    abut_shape *a = NULL, *b = NULL;
    abut_workspace *workspace = NULL;
    abut_result result = abut_result_default();
    abut_case_poses poses = abut_case_place(item, state);
    abut_cli_picture_add_body(picture, item->a.mesh, poses.a, 0);
    abut_cli_picture_add_body(picture, item->b.mesh, poses.b, 0);
    abut_status status = make_shape(item->a.mesh, query, &a, &result.error);
    status = status != ABUT_OK ? status : make_shape(item->b.mesh, query, &b, &result.error);
    status = status != ABUT_OK ? status : abut_workspace_create(NULL, &workspace);
    if (status == ABUT_OK) {
        abut_pair pair = abut_case_pair(item, state, a, b);
        status = abut_cli_find_contacts(query, &pair, workspace, &result);
    }
    *why = NULL;
    if (status == ABUT_OK) {
        add_scored(picture, item, state, &result);
    } else if (status != ABUT_NO_MEMORY) {
        *why = abut_cli_copy(abut_cli_message(status, &result.error));
    }
    abut_workspace_destroy(workspace);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    return status == ABUT_NO_MEMORY ? abut_cli_fail_status(status, &result.error) : ABUT_CLI_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Worlds and recordings

static abut_drawn_kind kind_in_scene(const abut_scene *known, const abut_world_contact *contact)
{
    if (known == NULL) {
        return ABUT_DRAWN_CONTACT;
    }
    abut_scene_pair bodies = {contact->body_a, contact->body_b};
    abut_vec3 normal = contact->contact.normal;
    double off =
        fmin(abut_scene_deviation(known, bodies, normal), abut_scene_deviation(known, bodies, abut_negate(normal)));
    return off <= NORMAL_TOLERANCE ? ABUT_DRAWN_RIGHT : ABUT_DRAWN_WRONG;
}

void abut_cli_picture_add_world(abut_cli_picture *picture, const abut_world *world, const abut_scene *known)
{
    abut_world_report report = abut_world_get_report(world);
    for (int i = 0; i < abut_world_body_count(world); ++i) {
        const abut_mesh *mesh = abut_shape_mesh(abut_world_body_shape(world, i));
        const abut_soft *soft = abut_world_body_soft(world, i);
        if (soft != NULL) {
            add_soft_body(picture, mesh, abut_soft_get_state(soft).positions);
        } else {
            abut_cli_picture_add_body(picture, mesh, report.poses[i], abut_world_body_is_fixed(world, i));
        }
    }
    for (int i = 0; i < report.contact_count; ++i) {
        const abut_world_contact *contact = &report.contacts[i];
        abut_cli_picture_add_contact(picture, contact->contact.position, contact->contact.normal,
                                     kind_in_scene(known, contact));
    }
    for (int i = 0; i < report.regions.count; ++i) {
        abut_cli_picture_add_region(picture, &report.regions.items[i].region, report.regions.loops,
                                    report.regions.points);
    }
}

void abut_cli_picture_add_recorded(abut_cli_picture *picture, const abut_recording *recording, int step)
{
    static const abut_drawn_kind kinds[] = {ABUT_DRAWN_WRONG, ABUT_DRAWN_RIGHT};
    const abut_recording_state *states = recording->states + (size_t)step * (size_t)recording->body_count;
    for (int i = 0; i < recording->body_count; ++i) {
        const abut_mesh *mesh = recording->meshes[recording->bodies[i].mesh].mesh;
        if (recording->bodies[i].is_soft) {
            add_soft_body(picture, mesh, abut_recording_get_vertices(recording, step, i));
        } else {
            abut_cli_picture_add_body(picture, mesh, states[i].pose, recording->bodies[i].is_fixed);
        }
    }
    if (step == 0) {
        return;
    }
    for (int i = recording->contact_begins[step - 1]; i < recording->contact_begins[step]; ++i) {
        const abut_recording_contact *contact = &recording->contacts[i];
        abut_cli_picture_add_contact(picture, contact->item.contact.position, contact->item.contact.normal,
                                     contact->truth == ABUT_TRUTH_UNKNOWN ? ABUT_DRAWN_CONTACT
                                                                          : kinds[contact->truth]);
    }
    for (int i = recording->region_begins[step - 1]; i < recording->region_begins[step]; ++i) {
        abut_cli_picture_add_region(picture, &recording->regions.items[i].region, recording->regions.loops,
                                    recording->regions.points);
    }
}
