// SPDX-License-Identifier: MIT
// subject.c: a case or scene with the shapes that queries need
#include "assess/subject.h"

#include "common/lab_support.h"

/// A shape for each mesh.
static abut_status make_shapes(abut_subject *subject, abut_mesh *const *meshes, int count, abut_error *error)
{
    subject->shapes = abut_allocate_zeroed(&subject->context, (size_t)count, sizeof(abut_shape *));
    if (subject->shapes == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d shapes", count);
    }
    subject->shape_count = count;
    abut_status status = ABUT_OK;
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        abut_shape_def def = abut_shape_def_default();
        def.mesh = meshes[i];
        status = abut_shape_create(&subject->context, &def, &subject->shapes[i], error);
    }
    return status;
}

static abut_status make_pairs(abut_subject *subject, abut_error *error)
{
    subject->pair_count = subject->scene != NULL ? abut_scene_find_pairs(subject->scene, NULL, 0) : 1;
    subject->pairs = abut_allocate_zeroed(&subject->context, (size_t)subject->pair_count, sizeof *subject->pairs);
    if (subject->pairs == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d pairs of bodies", subject->pair_count);
    }
    if (subject->scene != NULL) {
        (void)abut_scene_find_pairs(subject->scene, subject->pairs, subject->pair_count);
    } else {
        subject->pairs[0] = (abut_scene_pair){0, 1};
    }
    return ABUT_OK;
}

static abut_status make_parts(abut_subject *subject, abut_error *error)
{
    const abut_scene *scene = subject->scene;
    abut_status status = ABUT_OK;
    if (scene != NULL) {
        status = make_shapes(subject, scene->meshes, scene->mesh_count, error);
    } else {
        abut_mesh *const meshes[] = {subject->item->a.mesh, subject->item->b.mesh};
        status = make_shapes(subject, meshes, 2, error);
    }
    status = status != ABUT_OK ? status : make_pairs(subject, error);
    if (status == ABUT_OK) {
        status = abut_workspace_create(&subject->context, &subject->workspace);
        if (status != ABUT_OK) {
            (void)abut_fail(error, status, "out of memory for a workspace");
        }
    }
    return status;
}

/// A subject of a case or a scene; the other is NULL.
static abut_status create(const abut_context *context, const abut_case *item, const abut_scene *scene,
                          abut_subject **subject, abut_error *error)
{
    abut_context kept = abut_context_or_default(context);
    abut_subject *made = abut_allocate(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for a subject");
    }
    *made = (abut_subject){.context = kept, .item = item, .scene = scene};
    abut_status status = make_parts(made, error);
    if (status != ABUT_OK) {
        abut_subject_destroy(made);
        return status;
    }
    *subject = made;
    return ABUT_OK;
}

abut_status abut_subject_create_case(const abut_context *context, const abut_case *item, abut_subject **subject,
                                     abut_error *error)
{
    if (item == NULL || subject == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_subject_create_case: case or subject is NULL");
    }
    *subject = NULL;
    return create(context, item, NULL, subject, error);
}

abut_status abut_subject_create_scene(const abut_context *context, const abut_scene *scene, abut_subject **subject,
                                      abut_error *error)
{
    if (scene == NULL || subject == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_subject_create_scene: scene or subject is NULL");
    }
    *subject = NULL;
    return create(context, NULL, scene, subject, error);
}

abut_status abut_subject_create(const abut_context *context, const char *name, abut_subject **subject,
                                abut_error *error)
{
    if (name == NULL || subject == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_subject_create: name or subject is NULL");
    }
    *subject = NULL;
    abut_case *item = NULL;
    abut_scene *scene = NULL;
    abut_status status = abut_lab_find_name(abut_scene_names, name) >= 0
                             ? abut_scene_create(context, name, NULL, &scene, error)
                             : abut_case_create(context, name, NULL, &item, error);
    status = status != ABUT_OK ? status : create(context, item, scene, subject, error);
    if (status != ABUT_OK) {
        abut_case_destroy(item);
        abut_scene_destroy(scene);
        return status;
    }
    (*subject)->own_case = item;
    (*subject)->own_scene = scene;
    return ABUT_OK;
}

void abut_subject_destroy(abut_subject *subject)
{
    if (subject == NULL) {
        return;
    }
    abut_context context = subject->context;
    for (int i = 0; i < subject->shape_count; ++i) {
        abut_shape_destroy(subject->shapes[i]);
    }
    abut_free(&context, subject->shapes);
    abut_free(&context, subject->pairs);
    abut_workspace_destroy(subject->workspace);
    abut_case_destroy(subject->own_case);
    abut_scene_destroy(subject->own_scene);
    abut_free(&context, subject);
}

const abut_case *abut_subject_case(const abut_subject *subject)
{
    return subject->item;
}

const abut_scene *abut_subject_scene(const abut_subject *subject)
{
    return subject->scene;
}

abut_status abut_subject_setup(const abut_subject *subject, abut_setup **setup, abut_error *error)
{
    return subject->scene != NULL ? abut_setup_create_scene(&subject->context, subject->scene, setup, error)
                                  : abut_setup_create_case(&subject->context, subject->item, setup, error);
}
