// SPDX-License-Identifier: MIT
// view_track.c: what the viewer shows: recordings, and answers of methods as recordings of one step
#include "verb/view_track.h"

#include "verb/view_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A piece of a recording has about so many bytes: a request of a few milliseconds, and few requests.
static const size_t PIECE_SIZE = (size_t)1 << 20;

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void set_text(char *to, size_t room, const char *text)
{
    (void)snprintf(to, room, "%s", text);
}

/// Chooses the states, from `first` on, and how many make a piece.
static void choose_states(abut_cli_track *track, int first, int every)
{
    int last = track->recording->step_count;
    track->states = abut_cli_resize(NULL, (size_t)last + 1, sizeof *track->states);
    for (int k = first; k < last; k += every) {
        track->states[track->state_count++] = k;
    }
    track->states[track->state_count++] = last;
    size_t size = abut_cli_view_states_size(track);
    size_t count = (size_t)track->state_count * PIECE_SIZE / size;
    track->piece_states = count < 1 ? 1 : count < 64 ? (int)count : 64;
}

abut_cli_exit abut_cli_track_read(abut_cli_track *track, const char *path, int every)
{
    *track = (abut_cli_track){.label = abut_cli_copy(file_name(path))};
    abut_error error = {0};
    abut_status status = abut_recording_read(NULL, path, &track->recording, &error);
    if (status != ABUT_OK) {
        return abut_cli_fail_file(path, status, &error);
    }
    choose_states(track, 0, every);
    return ABUT_CLI_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Mesh files

static void fill_bodies(abut_recording *recording, const abut_cli_file_pairs *files)
{
    size_t count = (size_t)files->body_count;
    recording->meshes = abut_cli_resize(NULL, count, sizeof *recording->meshes);
    recording->bodies = abut_cli_resize(NULL, count, sizeof *recording->bodies);
    recording->states = abut_cli_resize(NULL, 2 * count, sizeof *recording->states);
    recording->mesh_count = recording->body_count = files->body_count;
    for (int i = 0; i < files->body_count; ++i) {
        const char *name = file_name(files->bodies[i].label);
        // With --sweep two bodies are shown where they touch; of more, each pair touches at another time.
        abut_pose pose = files->body_count == 2 ? files->pairs[0].poses[i] : files->placements[i].pose;
        recording->meshes[i] = (abut_setup_mesh){.mesh = files->bodies[i].mesh};
        recording->bodies[i] = (abut_recording_body){.mesh = i, .material = -1};
        set_text(recording->meshes[i].name, sizeof recording->meshes[i].name, name);
        set_text(recording->bodies[i].name, sizeof recording->bodies[i].name, name);
        recording->states[i] = (abut_recording_state){.pose = pose};
        recording->states[count + (size_t)i] = recording->states[i];
    }
}

/// Copies the contacts and regions of all pairs into arrays with one numbering.
static void fill_contacts(abut_recording *recording, const abut_cli_file_pairs *files)
{
    size_t contacts = 0, regions = 0, loops = 0, points = 0;
    for (int i = 0; i < files->pair_count; ++i) {
        const abut_result *result = &files->pairs[i].result;
        contacts += (size_t)result->contacts.count;
        regions += (size_t)result->regions.count;
        loops += (size_t)result->loops.count;
        points += (size_t)result->points.count;
    }
    recording->contacts = abut_cli_resize(NULL, contacts, sizeof *recording->contacts);
    abut_world_region *region_items = abut_cli_resize(NULL, regions, sizeof *region_items);
    abut_region_loop *loop_items = abut_cli_resize(NULL, loops, sizeof *loop_items);
    abut_vec3 *point_items = abut_cli_resize(NULL, points, sizeof *point_items);
    abut_world_regions *all = &recording->regions;
    int pair = 0;
    for (int a = 0; a < files->body_count; ++a) {
        for (int b = a + 1; b < files->body_count; ++b, ++pair) {
            const abut_result *result = &files->pairs[pair].result;
            for (int i = 0; i < result->contacts.count; ++i) {
                abut_recording_contact *contact = &recording->contacts[recording->contact_count++];
                *contact =
                    (abut_recording_contact){.item = {.body_a = a, .body_b = b}, .truth = ABUT_TRUTH_UNKNOWN};
                contact->item.contact = result->contacts.items[i];
                contact->item.contact.region += contact->item.contact.region >= 0 ? all->count : 0;
            }
            for (int i = 0; i < result->regions.count; ++i) {
                abut_world_region *region = &region_items[all->count + i];
                *region = (abut_world_region){.body_a = a, .body_b = b, .region = result->regions.items[i]};
                region->region.loop_begin += all->loop_count;
            }
            for (int i = 0; i < result->loops.count; ++i) {
                loop_items[all->loop_count + i] = result->loops.items[i];
                loop_items[all->loop_count + i].point_begin += all->point_count;
            }
            for (int i = 0; i < result->points.count; ++i) {
                point_items[all->point_count + i] = result->points.items[i];
            }
            all->count += result->regions.count;
            all->loop_count += result->loops.count;
            all->point_count += result->points.count;
        }
    }
    all->items = region_items;
    all->loops = loop_items;
    all->points = point_items;
}

static abut_recording *recording_of(const abut_cli_file_pairs *files)
{
    abut_recording *recording = abut_cli_resize(NULL, 1, sizeof *recording);
    *recording = (abut_recording){.step_count = 1};
    set_text(recording->about.method, sizeof recording->about.method, files->query.method->row->name);
    fill_bodies(recording, files);
    fill_contacts(recording, files);
    recording->steps = abut_cli_resize(NULL, 1, sizeof *recording->steps);
    recording->steps[0] = (abut_recording_step){.step = 1,
                                                .contact_count = recording->contact_count,
                                                .region_count = recording->regions.count,
                                                .quality = NAN};
    recording->contact_begins = abut_cli_resize(NULL, 2, sizeof(int));
    recording->region_begins = abut_cli_resize(NULL, 2, sizeof(int));
    memcpy(recording->contact_begins, (int[]){0, recording->contact_count}, 2 * sizeof(int));
    memcpy(recording->region_begins, (int[]){0, recording->regions.count}, 2 * sizeof(int));
    return recording;
}

abut_cli_exit abut_cli_track_find(abut_cli_track *track, const abut_cli_arguments *arguments,
                                  const abut_cli_method *method)
{
    *track = (abut_cli_track){.files = abut_cli_resize(NULL, 1, sizeof *track->files)};
    abut_cli_exit code = abut_cli_file_pairs_find_by(arguments, method, track->files);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_cli_file_pairs_note(track->files);
    const abut_cli_file_body *bodies = track->files->bodies;
    track->label = track->files->body_count == 2
                       ? abut_cli_print("%s and %s", file_name(bodies[0].label), file_name(bodies[1].label))
                       : abut_cli_print("%d bodies", track->files->body_count);
    track->recording = recording_of(track->files);
    choose_states(track, 1, 1);
    return ABUT_CLI_DONE;
}

void abut_cli_track_release(abut_cli_track *track)
{
    free(track->label);
    free(track->states);
    if (track->files == NULL) {
        abut_recording_destroy(track->recording);
        return;
    }
    if (track->recording != NULL) {
        abut_recording *recording = track->recording;
        free(recording->meshes);
        free(recording->bodies);
        free(recording->states);
        free(recording->contacts);
        free((void *)recording->regions.items);
        free((void *)recording->regions.loops);
        free((void *)recording->regions.points);
        free(recording->steps);
        free(recording->contact_begins);
        free(recording->region_begins);
        free(recording);
    }
    abut_cli_file_pairs_release(track->files);
    free(track->files);
}
