// SPDX-License-Identifier: MIT
// report_compute.c: what a report measures and draws itself
#include "shared/progress.h"
#include "verb/report.h"

#include <abut-lab/lab.h>
#include <stdlib.h>
#include <string.h>

static const double PICTURE_WIDTH = 300.0; ///< pixels
enum { SHOWN_CONTACTS = 1000 };            ///< in a picture; of more, every second, third, ... one is drawn

void abut_cli_report_page_release(abut_cli_report_page *page)
{
    for (int i = 0; i < page->cell_count; ++i) {
        abut_cli_report_cell *cell = &page->cells[i];
        free(cell->message);
        free(cell->picture);
        free(cell->normals);
        if (cell->scene != NULL) {
            abut_scene_curves_release(NULL, &cell->scene->curves);
            free(cell->scene);
        }
    }
    for (int i = 0; i < page->saved_count; ++i) {
        json_decref(page->saved[i].json);
    }
    free(page->cells);
    free(page->overlaps);
    free(page->counts);
    free(page->saved);
    free(page->command);
    abut_cli_list_release(&page->cases);
    abut_cli_list_release(&page->scenes);
    abut_cli_list_release(&page->methods);
}

const abut_cli_report_cell *abut_cli_report_find(const abut_cli_report_page *page, const char *case_name,
                                                 const char *method)
{
    for (int i = 0; i < page->cell_count; ++i) {
        if (strcmp(page->cells[i].case_name, case_name) == 0 && strcmp(page->cells[i].method, method) == 0) {
            return &page->cells[i];
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Cells

/// Draws what was found. Release with free().
static char *draw(const abut_cli_picture *picture, abut_view_kind view)
{
    abut_drawing_def def = abut_cli_picture_def(picture);
    abut_drawing *drawing = NULL;
    def.width = PICTURE_WIDTH;
    def.view = view;
    if (abut_drawing_create(NULL, &def, &drawing, NULL) != ABUT_OK) {
        return NULL;
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)abut_drawing_print(drawing, text.stream);
    abut_drawing_destroy(drawing);
    return abut_cli_text_take(&text);
}

abut_cli_report_cell *abut_cli_report_add_cell(abut_cli_report_page *page, const char *case_name,
                                               const char *method)
{
    if (!abut_cli_list_has(&page->methods, method)) {
        abut_cli_list_add(&page->methods, method);
    }
    if (page->cell_count == page->cell_capacity) {
        page->cell_capacity = 2 * page->cell_capacity + 64;
        page->cells = abut_cli_resize(page->cells, (size_t)page->cell_capacity, sizeof *page->cells);
    }
    abut_cli_report_cell *cell = &page->cells[page->cell_count++];
    *cell = (abut_cli_report_cell){.case_name = case_name,
                                   .method = method,
                                   .quality = (double)NAN,
                                   .coverage = (double)NAN,
                                   .excess = (double)NAN,
                                   .contacts = (double)NAN,
                                   .worst_angle = (double)NAN};
    return cell;
}

int abut_cli_report_is_right(const abut_cli_report_cell *cell)
{
    return cell != NULL && !cell->is_failed && cell->quality >= 100.0 && cell->coverage >= 100.0;
}

/// The angle between a normal and the nearest one of the contacts that are expected, in degrees.
static double angle_off(const abut_cli_picture *picture, abut_vec3 normal)
{
    double cosine = -1.0;
    int has_expected = 0;
    for (int i = 0; i < picture->contact_count; ++i) {
        const abut_drawn_contact *contact = &picture->contacts[i];
        if (contact->kind == ABUT_DRAWN_RIGHT || contact->kind == ABUT_DRAWN_MISSED) {
            cosine = fmax(cosine, abut_dot(normal, contact->normal));
            has_expected = 1;
        }
    }
    return has_expected ? 57.295779513082320877 * acos(fmin(cosine, 1.0)) : (double)NAN;
}

static void take_faults(abut_cli_report_cell *cell, const abut_cli_picture *picture)
{
    for (int i = 0; i < picture->contact_count; ++i) {
        const abut_drawn_contact *contact = &picture->contacts[i];
        cell->right += contact->kind == ABUT_DRAWN_RIGHT;
        cell->missed += contact->kind == ABUT_DRAWN_MISSED;
        if (contact->kind == ABUT_DRAWN_WRONG) {
            ++cell->wrong;
            cell->worst_angle = fmax(cell->worst_angle, angle_off(picture, contact->normal));
        }
    }
}

/// Takes the measures of a row, and the curves if it is of a scene.
static void take_row(abut_cli_report_cell *cell, abut_assess_row *row)
{
    const abut_measures *measures = &row->measures[ABUT_READING_VELOCITY];
    cell->is_failed = row->status != ABUT_OK;
    if (cell->is_failed) {
        cell->message = abut_cli_copy(abut_cli_message(row->status, &row->error));
    } else {
        cell->quality = measures->quality;
        cell->coverage = measures->coverage;
        cell->excess = measures->excess;
        cell->contacts = measures->contacts;
    }
    if (row->scene != NULL) { // the curves move to the cell
        cell->scene = abut_cli_resize(NULL, 1, sizeof *cell->scene);
        *cell->scene = *row->scene;
        row->scene->curves = (abut_scene_curves){0};
    }
    abut_assess_row_release(row);
}

/// A method with its default parameters.
static abut_cli_query default_query(const abut_cli_method *method)
{
    abut_cli_query query = {.method = method, .params = abut_params_default()};
    return query;
}

static abut_cli_exit add_case(abut_cli_report_page *page, abut_subject *subject, const char *name,
                              const abut_cli_method *method)
{
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    abut_cli_report_cell *cell = abut_cli_report_add_cell(page, name, method->row->name);
    abut_cli_query query = default_query(method);
    abut_assess_row row;
    (void)abut_assess(subject, method->row, NULL, touching, &row); // the row has the status
    take_row(cell, &row);
    abut_cli_picture picture = {0};
    char *why = NULL;
    abut_cli_exit code = abut_cli_picture_add_case(&picture, abut_subject_case(subject), touching, &query, &why);
    if (code == ABUT_CLI_DONE && why == NULL) {
        take_faults(cell, &picture);
        cell->picture = draw(&picture, ABUT_VIEW_ISO);
    }
    free(why);
    abut_cli_picture_release(&picture);
    return code;
}

/// Leaves every n-th contact, so that the picture is not a single blot. Returns n.
static int thin_out(abut_cli_picture *picture)
{
    int every = picture->contact_count / (SHOWN_CONTACTS + 1) + 1, count = 0;
    for (int i = 0; i < picture->contact_count; i += every) {
        picture->contacts[count++] = picture->contacts[i];
    }
    picture->contact_count = count;
    return every;
}

/// The contacts of a scene at the start, as a picture and as normals.
static abut_status add_scene_picture(abut_cli_report_cell *cell, const abut_scene *scene, const abut_method *method)
{
    abut_setup *setup = NULL;
    abut_simulation *simulation = NULL;
    abut_status status = abut_setup_create_scene(NULL, scene, &setup, NULL);
    if (status == ABUT_OK) {
        abut_world_def def = abut_setup_world_def(setup);
        def.method = method;
        status = abut_simulation_create(NULL, setup, &def, &simulation, NULL);
    }
    if (status == ABUT_OK) {
        status = abut_world_detect(simulation->world, NULL);
    }
    if (status == ABUT_OK) {
        abut_cli_picture picture = {0};
        abut_cli_picture_add_world(&picture, simulation->world, scene);
        cell->normals = abut_cli_resize(NULL, (size_t)picture.contact_count, sizeof *cell->normals);
        cell->normal_count = picture.contact_count;
        for (int i = 0; i < picture.contact_count; ++i) {
            cell->normals[i] = picture.contacts[i].normal;
        }
        cell->shown_every = thin_out(&picture);
        cell->picture = draw(&picture, ABUT_VIEW_ISO);
        abut_cli_picture_release(&picture);
    }
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    return status;
}

static abut_cli_exit add_scene(abut_cli_report_page *page, abut_subject *subject, const char *name,
                               const abut_cli_method *method)
{
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    abut_cli_report_cell *cell = abut_cli_report_add_cell(page, name, method->row->name);
    abut_assess_row row;
    (void)abut_assess(subject, method->row, NULL, touching, &row);
    take_row(cell, &row);
    abut_status status =
        cell->is_failed ? ABUT_OK : add_scene_picture(cell, abut_subject_scene(subject), method->row);
    return status == ABUT_NO_MEMORY ? abut_cli_fail_status(status, NULL) : ABUT_CLI_DONE; // others: no picture
}

typedef abut_cli_exit cell_function(abut_cli_report_page *page, abut_subject *subject, const char *name,
                                    const abut_cli_method *method);

static abut_cli_exit add_cells(abut_cli_report_page *page, const abut_cli_list *names, cell_function *add,
                               abut_cli_progress *progress)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int i = 0; i < names->count && code == ABUT_CLI_DONE; ++i) {
        abut_subject *subject = NULL;
        abut_error error = {0};
        abut_status status = abut_subject_create(NULL, names->items[i], &subject, &error);
        if (status != ABUT_OK) {
            return abut_cli_fail_status(status, &error);
        }
        for (int m = 0; m < page->methods.count && code == ABUT_CLI_DONE; ++m) {
            abut_cli_method method = {abut_method_find(page->methods.items[m]), 0};
            code = add(page, subject, names->items[i], &method);
            abut_cli_progress_show(progress, page->cell_count);
        }
        abut_subject_destroy(subject);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Overlap

abut_cli_report_overlap *abut_cli_report_add_overlap(abut_cli_report_page *page, const char *method)
{
    page->overlaps = abut_cli_resize(page->overlaps, (size_t)page->overlap_count + 1, sizeof *page->overlaps);
    page->overlaps[page->overlap_count] = (abut_cli_report_overlap){.method = method};
    return &page->overlaps[page->overlap_count++];
}

static abut_status add_overlap(abut_cli_report_page *page, abut_overlap_set *set, const abut_method *method)
{
    abut_overlap_row *rows = abut_cli_resize(NULL, (size_t)set->placement_count, sizeof *rows);
    abut_cli_report_overlap *overlap = abut_cli_report_add_overlap(page, method->name);
    abut_status status = ABUT_OK;
    for (int i = 0; i < set->placement_count; ++i) {
        (void)abut_assess_overlap(set, i, method, NULL, &rows[i]);
    }
    for (int d = 0; d < ABUT_CLI_REPORT_DEPTHS && status == ABUT_OK; ++d) {
        abut_overlap_summary summary;
        overlap->depth[d] = set->placements[d].depth;
        status = abut_overlap_sum_up(set, rows, overlap->depth[d], &summary, NULL);
        overlap->resolved[d] = status == ABUT_OK ? 100.0 * summary.resolved / summary.placements : (double)NAN;
    }
    free(rows);
    return status;
}

static abut_cli_exit add_overlaps(abut_cli_report_page *page, abut_cli_progress *progress, int *done)
{
    abut_overlap_set *set = NULL;
    abut_error error = {0};
    abut_status status = abut_overlap_set_create(NULL, ABUT_OVERLAP_STANDARD, &set, &error);
    for (int m = 0; m < page->methods.count && status == ABUT_OK; ++m) {
        status = add_overlap(page, set, abut_method_find(page->methods.items[m]));
        abut_cli_progress_show(progress, ++*done);
    }
    abut_overlap_set_destroy(set);
    return status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_fail_status(status, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts over time

/// Simulates a scene; if a step fails, the steps before it count.
static abut_status count_contacts(abut_cli_report_counts *counts, const abut_setup *setup,
                                  const abut_method *method)
{
    abut_world_def def = abut_setup_world_def(setup);
    def.method = method;
    *counts = (abut_cli_report_counts){.method = method->name};
    abut_simulation *simulation = NULL;
    abut_status status = abut_simulation_create(NULL, setup, &def, &simulation, NULL);
    while (status == ABUT_OK && counts->count < ABUT_CLI_REPORT_STEPS) {
        status = abut_world_step(simulation->world, NULL);
        if (status == ABUT_OK) {
            abut_world_report report = abut_world_get_report(simulation->world);
            counts->time[counts->count] = report.time;
            counts->contacts[counts->count++] = report.contact_count;
        }
    }
    abut_simulation_destroy(simulation);
    return status;
}

static abut_cli_exit add_counts(abut_cli_report_page *page, abut_cli_progress *progress, int *done)
{
    abut_setup *setup = NULL;
    abut_error error = {0};
    abut_scene *scene = NULL;
    abut_status status = abut_scene_create(NULL, "pillar", NULL, &scene, &error);
    status = status != ABUT_OK ? status : abut_setup_create_scene(NULL, scene, &setup, &error);
    page->counts = abut_cli_resize(NULL, (size_t)page->methods.count, sizeof *page->counts);
    for (int m = 0; m < page->methods.count && status == ABUT_OK; ++m) {
        abut_cli_report_counts *counts = &page->counts[page->counts_count++];
        status = count_contacts(counts, setup, abut_method_find(page->methods.items[m]));
        status = status == ABUT_NO_MEMORY ? status : ABUT_OK; // other failures: a shorter curve
        abut_cli_progress_show(progress, ++*done);
    }
    abut_setup_destroy(setup);
    abut_scene_destroy(scene);
    return status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_fail_status(status, &error);
}

abut_cli_exit abut_cli_report_compute(abut_cli_report_page *page)
{
    int count = 0;
    const char *const *names = abut_case_names(&count);
    for (int i = 0; i < count; ++i) {
        abut_cli_list_add(&page->cases, names[i]);
    }
    names = abut_scene_names(&count);
    for (int i = 0; i < count; ++i) {
        abut_cli_list_add(&page->scenes, names[i]);
    }
    const abut_method *const *methods = abut_methods(&count);
    for (int i = 0; i < count; ++i) {
        abut_cli_list_add(&page->methods, methods[i]->name);
    }
    abut_cli_progress progress; // of each method: every case, every scene, overlaps, a simulation
    int done = page->methods.count * (page->cases.count + page->scenes.count);
    abut_cli_progress_begin(&progress, "measures", done + 2 * page->methods.count);
    abut_cli_exit code = add_cells(page, &page->cases, add_case, &progress);
    code = code != ABUT_CLI_DONE ? code : add_cells(page, &page->scenes, add_scene, &progress);
    code = code != ABUT_CLI_DONE ? code : add_overlaps(page, &progress, &done);
    code = code != ABUT_CLI_DONE ? code : add_counts(page, &progress, &done);
    abut_cli_progress_end(&progress);
    return code;
}
