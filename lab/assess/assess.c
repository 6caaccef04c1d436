// SPDX-License-Identifier: MIT
// assess.c: the contacts of a method on a case or scene, and their scores
#include "assess/subject.h"

#include "common/lab_support.h"

#include <abut-lab/plugin.h>

#include <limits.h>
#include <math.h>

void abut_assess_params_init(abut_assess_params *params, size_t size)
{
    const abut_assess_params made = {.struct_size = sizeof made, .seconds = 60.0};
    abut_write_versioned(params, size, &made, sizeof made);
}

/// A method with all its settings.
typedef struct question {
    const abut_method *method;
    abut_assess_params how;
    abut_params params;
} question;

/// The contacts that are scored.
typedef struct contact_list {
    abut_sample *items; ///< of the subject's context, ordered by bodies
    int count, capacity;
    abut_case_poses poses; ///< of the two bodies of a case
    double raw, filtered;
} contact_list;

static abut_status read_question(const abut_method *method, const abut_assess_params *given, question *q,
                                 abut_error *error)
{
    *q = (question){.method = method, .how = abut_assess_params_default(), .params = abut_params_default()};
    if (method == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_assess: method is NULL");
    }
    if (given != NULL && !abut_read_versioned(&q->how, sizeof q->how, given)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_assess_params: start from abut_assess_params_default()");
    }
    if (q->how.params != NULL && !abut_read_versioned(&q->params, sizeof q->params, q->how.params)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_params: start from abut_params_default()");
    }
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts of bodies that are put into a state

/// Prepares two shapes and finds their contacts.
static abut_status find_contacts(const abut_subject *subject, const question *q, const abut_pair *pair,
                                 abut_shape *a, abut_shape *b, abut_result *result)
{
    if (q->how.is_isolated) {
        return abut_find_contacts_isolated(pair, q->method, &q->params, q->how.seconds, subject->workspace, result);
    }
    abut_status status = abut_shape_prepare(a, q->method, &q->params, &result->error);
    status = status != ABUT_OK ? status : abut_shape_prepare(b, q->method, &q->params, &result->error);
    return status != ABUT_OK ? status : abut_find_contacts(pair, q->method, &q->params, subject->workspace, result);
}

static abut_status collect(const abut_subject *subject, const question *q, abut_scene_pair bodies,
                           const abut_pair *pair, const abut_result *result, contact_list *list, abut_error *error)
{
    int count = result->contacts.count;
    if (count > INT_MAX - list->count ||
        !abut_grow(&subject->context, &list->items, &list->capacity, list->count + count, sizeof *list->items)) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d contacts", count);
    }
    for (int i = 0; i < count; ++i) {
        abut_sample sample = abut_paper_sample(pair, &result->contacts.items[i], q->how.has_long_normals);
        sample.bodies = bodies;
        list->items[list->count++] = sample;
    }
    list->raw += (double)result->stats.raw_contacts;
    list->filtered += (double)result->stats.filtered_contacts;
    return ABUT_OK;
}

/// Makes a memory of a pair of the case in the state `touching`, half a step before `detection`. A method that fails there
/// leaves it empty. NULL if there is none to make, or no memory for it.
static abut_memory *remember_touching(const abut_subject *subject, const question *q, abut_state state,
                                      abut_shape *a, abut_shape *b)
{
    abut_memory *memory = NULL;
    if (subject->item == NULL || state.kind != ABUT_STATE_DETECTION || q->how.is_isolated ||
        abut_memory_create(&subject->context, &memory) != ABUT_OK) {
        return NULL;
    }
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    abut_pair pair = abut_case_pair(subject->item, touching, a, b);
    abut_result result = abut_result_default();
    pair.memory = memory;
    if (find_contacts(subject, q, &pair, a, b, &result) == ABUT_OK) {
        abut_memory_commit(memory);
    }
    return memory;
}

static abut_status find_pair(const abut_subject *subject, const question *q, abut_scene_pair bodies,
                             abut_state state, contact_list *list, abut_error *error)
{
    const abut_scene *scene = subject->scene;
    abut_shape *a = subject->shapes[scene != NULL ? scene->bodies[bodies.a].mesh : 0];
    abut_shape *b = subject->shapes[scene != NULL ? scene->bodies[bodies.b].mesh : 1];
    abut_pair pair =
        scene != NULL ? abut_scene_get_pair(scene, bodies, a, b) : abut_case_pair(subject->item, state, a, b);
    abut_result result = abut_result_default();
    pair.memory = remember_touching(subject, q, state, a, b);
    abut_status status = find_contacts(subject, q, &pair, a, b, &result);
    abut_memory_destroy(pair.memory);
    pair.memory = NULL;
    if (status == ABUT_OK) {
        status = collect(subject, q, bodies, &pair, &result, list, error);
    } else if (scene != NULL) {
        const char *reason = result.error.text[0] != '\0' ? result.error.text : abut_status_text(status);
        (void)abut_fail(error, status, "%s and %s: %s", scene->bodies[bodies.a].name, scene->bodies[bodies.b].name,
                        reason);
    } else {
        *error = result.error;
    }
    return status;
}

static abut_status find_at_rest(const abut_subject *subject, const question *q, abut_state state,
                                contact_list *list, abut_error *error)
{
    if (subject->scene != NULL && state.kind != ABUT_STATE_TOUCHING) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "a scene is at rest: it has the state touching, and steps of a simulation");
    }
    abut_status status = ABUT_OK;
    for (int i = 0; i < subject->pair_count && status == ABUT_OK; ++i) {
        status = find_pair(subject, q, subject->pairs[i], state, list, error);
    }
    if (subject->item != NULL) {
        list->poses = abut_case_place(subject->item, state);
    }
    if (q->how.is_isolated) { // contacts are all that a child process hands over
        list->raw = list->filtered = (double)NAN;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts of a simulation

/// The result points to `q` and, with the paper's settings, to `prox`.
static abut_world_def world_def(const question *q, const abut_setup *setup, abut_prox_params *prox)
{
    abut_world_def def =
        q->how.has_paper_settings ? abut_setup_paper_def(setup, prox) : abut_setup_world_def(setup);
    def.method = q->method;
    def.params = &q->params;
    return def;
}

static abut_status refuse_motion(const question *q, abut_error *error)
{
    return abut_fail(error, ABUT_UNSUPPORTED, "%s runs in a child process, which cannot simulate", q->method->name);
}

/// Takes over the samples of the detection.
static void collect_step(const abut_subject *subject, const question *q, const abut_world *world,
                         abut_detection *detection, contact_list *list)
{
    const abut_world_report *report = &detection->report;
    list->items = detection->samples;
    list->count = list->capacity = report->contact_count;
    detection->samples = NULL;
    for (int i = 0; i < list->count; ++i) {
        const abut_world_contact *contact = &report->contacts[i];
        abut_pair pair = abut_pair_default(abut_world_body_shape(world, contact->body_a),
                                           abut_world_body_shape(world, contact->body_b));
        list->items[i].normal = abut_paper_sample(&pair, &contact->contact, q->how.has_long_normals).normal;
    }
    if (subject->scene == NULL) {
        list->poses = (abut_case_poses){report->poses[0], report->poses[1]};
    }
    list->raw = (double)report->stats.raw_contacts;
    list->filtered = (double)report->stats.filtered_contacts;
}

static abut_status find_at_step(const abut_subject *subject, const question *q, int step, contact_list *list,
                                abut_error *error)
{
    if (q->how.is_isolated) {
        return refuse_motion(q, error);
    }
    abut_setup *setup = NULL;
    abut_simulation *simulation = NULL;
    abut_detection detection = {0};
    abut_status status = abut_subject_setup(subject, &setup, error);
    if (status == ABUT_OK) {
        abut_prox_params prox;
        abut_world_def def = world_def(q, setup, &prox);
        status = abut_simulation_create(&subject->context, setup, &def, &simulation, error);
    }
    if (status == ABUT_OK) {
        status = abut_simulation_run_to(simulation, step, &detection, error);
    }
    if (status == ABUT_OK) {
        collect_step(subject, q, simulation->world, &detection, list);
    }
    if (simulation != NULL) {
        abut_detection_release(simulation, &detection);
    }
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    return status;
}

abut_status abut_assess_outcome(const abut_subject *subject, const abut_method *method,
                                const abut_assess_params *params, int steps, abut_outcome_report *report,
                                abut_error *error)
{
    *report = (abut_outcome_report){0};
    question q;
    abut_status status = read_question(method, params, &q, error);
    if (status != ABUT_OK || q.how.is_isolated) {
        return status != ABUT_OK ? status : refuse_motion(&q, error);
    }
    abut_setup *setup = NULL;
    status = abut_subject_setup(subject, &setup, error);
    if (status == ABUT_OK) {
        abut_prox_params prox;
        abut_world_def def = world_def(&q, setup, &prox);
        status = abut_find_outcome(&subject->context, setup, &def, steps, report, error);
    }
    abut_setup_destroy(setup);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Scores

static int readings_differ(const abut_case *item)
{
    int count = item->truth_count[ABUT_READING_VELOCITY];
    int differ = count != item->truth_count[ABUT_READING_TABLE];
    for (int i = 0; i < count && !differ; ++i) {
        abut_vec3 a = item->truth[ABUT_READING_VELOCITY][i].normal, b = item->truth[ABUT_READING_TABLE][i].normal;
        differ = a.x != b.x || a.y != b.y || a.z != b.z;
    }
    return differ;
}

/// A row with the numbers of the subject and no measures.
static abut_assess_row begin_row(const abut_subject *subject)
{
    const double none = (double)NAN;
    abut_assess_row row = {.raw_contacts = none, .filtered_contacts = none};
    if (subject->scene != NULL) {
        row.minimum = subject->scene->minimum;
    } else {
        row.minimum = subject->item->minimum;
        row.has_two_readings = readings_differ(subject->item);
    }
    return row;
}

static abut_status score_case(const abut_subject *subject, abut_case_poses poses, const abut_sample *samples,
                              int count, abut_assess_row *row)
{
    const abut_case *item = subject->item;
    row->measures[ABUT_READING_VELOCITY] = abut_measure(item, poses, ABUT_READING_VELOCITY, samples, count);
    row->measures[ABUT_READING_TABLE] = abut_measure(item, poses, ABUT_READING_TABLE, samples, count);
    return abut_paper_measure(&subject->context, item, poses, samples, count, &row->paper, &row->error);
}

static void find_plateaus(const abut_scene *scene, abut_scene_score *score)
{
    int count = abut_scene_find_plateaus(scene, &score->curves, score->plateaus, ABUT_ASSESS_MAX_PLATEAUS);
    score->feature_minimum = scene->feature_minimum;
    score->plateau_count = count < ABUT_ASSESS_MAX_PLATEAUS ? count : ABUT_ASSESS_MAX_PLATEAUS;
    score->other_areas = score->curves.area_count;
    for (int i = 0; i < score->plateau_count; ++i) {
        score->other_areas -= score->plateaus[i].found;
    }
}

/// The measures that a scene has in common with cases.
static abut_measures common_measures(const abut_scene_measures *m)
{
    return (abut_measures){.quality = m->quality,
                           .coverage = m->coverage,
                           .coverage_normals = m->coverage_normals,
                           .excess = m->excess,
                           .contacts = m->contacts};
}

static abut_status score_scene(const abut_subject *subject, const contact_list *list, abut_assess_row *row)
{
    const abut_scene *scene = subject->scene;
    const abut_context *context = &subject->context;
    abut_scene_score *score = row->scene = abut_lab_object_create(context, sizeof *score);
    if (score == NULL) {
        return abut_fail(&row->error, ABUT_NO_MEMORY, "out of memory for the scores of a scene");
    }
    abut_scene_measures *m = &score->measures;
    abut_status status = abut_scene_measure(context, scene, list->items, list->count, m, &row->error);
    if (status == ABUT_OK) {
        status = abut_scene_find_curves(context, scene, list->items, list->count, &score->curves, &row->error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    find_plateaus(scene, score);
    row->measures[ABUT_READING_VELOCITY] = row->measures[ABUT_READING_TABLE] = row->paper = common_measures(m);
    row->paper.coverage_normals = m->coverage_paper;
    // The paper prints a number for the Pillar only. For the others it describes its plots of Q.
    row->paper.quality = scene->rule == ABUT_SCENE_UP ? m->quality : m->visible_quality;
    return ABUT_OK;
}

abut_status abut_assess(abut_subject *subject, const abut_method *method, const abut_assess_params *params,
                        abut_state state, abut_assess_row *row)
{
    *row = begin_row(subject);
    question q;
    contact_list list = {0};
    abut_status status = read_question(method, params, &q, &row->error);
    if (status == ABUT_OK) {
        status = state.kind == ABUT_STATE_STEP ? find_at_step(subject, &q, state.step, &list, &row->error)
                                               : find_at_rest(subject, &q, state, &list, &row->error);
    }
    if (status == ABUT_OK) {
        row->raw_contacts = list.raw;
        row->filtered_contacts = list.filtered;
        status = subject->scene != NULL ? score_scene(subject, &list, row)
                                        : score_case(subject, list.poses, list.items, list.count, row);
    }
    abut_free(&subject->context, list.items);
    if (status != ABUT_OK) {
        abut_assess_row_release(row);
        row->status = status;
    }
    return status;
}

abut_status abut_assess_contacts(const abut_subject *subject, abut_state state, const abut_sample *samples,
                                 int count, abut_assess_row *row)
{
    *row = begin_row(subject);
    if (subject->item == NULL || state.kind == ABUT_STATE_STEP) {
        return row->status = abut_fail(&row->error, ABUT_UNSUPPORTED,
                                       "contacts from elsewhere can be scored on cases only, and not at a step");
    }
    abut_case_poses poses = abut_case_place(subject->item, state);
    return row->status = score_case(subject, poses, samples, count, row);
}

void abut_assess_row_release(abut_assess_row *row)
{
    if (row->scene != NULL) {
        abut_scene_curves_release(abut_lab_object_context(row->scene), &row->scene->curves);
        abut_lab_object_destroy(row->scene);
    }
    row->scene = NULL;
}
