// SPDX-License-Identifier: MIT
// fuzz_recording.c: any bytes as a recording
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <abut-lab/recording.h>

#include <stdio.h>
#include <unistd.h>

/// Reads everything in a valid recording, so that a sanitizer detects accesses out of bounds.
static void walk(const abut_recording *recording)
{
    double sum = 0.0;
    for (int i = 0; i < recording->contact_count; ++i) {
        const abut_world_contact *c = &recording->contacts[i].item;
        const abut_recording_body *a = &recording->bodies[c->body_a], *b = &recording->bodies[c->body_b];
        if (abut_contact_fault(&c->contact, recording->meshes[a->mesh].mesh, recording->meshes[b->mesh].mesh) !=
            NULL) {
            abort();
        }
    }
    const abut_world_regions *regions = &recording->regions;
    for (int i = 0; i < regions->count; ++i) {
        const abut_region *region = &regions->items[i].region;
        for (int k = 0; k < region->loop_count; ++k) {
            const abut_region_loop *loop = &regions->loops[region->loop_begin + k];
            for (int v = 0; v < loop->point_count; ++v) {
                sum += regions->points[loop->point_begin + v].x > 0.0;
            }
        }
        for (int k = 0; k < region->normal_count; ++k) {
            sum += regions->directions[region->normal_begin + k].x > 0.0;
        }
        for (int k = 0; k < region->cone_count; ++k) {
            const abut_region_cone *cone = &regions->cones[region->cone_begin + k];
            for (int v = 0; v < cone->direction_count; ++v) {
                sum += regions->directions[cone->direction_begin + v].x > 0.0;
            }
        }
    }
    for (int i = 0; i < (recording->step_count + 1) * recording->body_count; ++i) {
        sum += recording->states[i].pose.position.x;
    }
    if (!isfinite(sum) || recording->contact_begins[recording->step_count] != recording->contact_count ||
        recording->region_begins[recording->step_count] != regions->count) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "fuzz-recording-XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || write(file, data, size) != (ssize_t)size || close(file) != 0) {
        abort();
    }
    abut_recording *recording = NULL;
    abut_error error = {.text = ""};
    abut_status status = abut_recording_read(NULL, path, &recording, &error);
    int holds = status == ABUT_OK ? recording != NULL
                                  : recording == NULL && error.status == status && error.text[0] != '\0' &&
                                        strpbrk(error.text, "\r\n") == NULL;
    if (!holds) {
        abort();
    }
    if (recording != NULL) {
        walk(recording);
    }
    abut_recording_destroy(recording);
    (void)remove(path);
    return 0;
}
