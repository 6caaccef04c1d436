// SPDX-License-Identifier: MIT
// detection.c: the contacts of a simulation's step, ready to be scored
#include "common/lab_support.h"

#include <abut-lab/simulation.h>

static abut_status copy_samples(const abut_simulation *simulation, abut_detection *detection, abut_error *error)
{
    const abut_world_report *report = &detection->report;
    detection->samples = abut_allocate_zeroed(abut_lab_object_context(simulation),
                                              (size_t)report->contact_count + 1, sizeof *detection->samples);
    if (detection->samples == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d contacts", report->contact_count);
    }
    for (int i = 0; i < report->contact_count; ++i) {
        const abut_world_contact *from = &report->contacts[i];
        detection->samples[i] = (abut_sample){.bodies = {from->body_a, from->body_b},
                                              .position = from->contact.position,
                                              .normal = from->contact.normal};
    }
    return ABUT_OK;
}

abut_status abut_simulation_run_to(abut_simulation *simulation, int step, abut_detection *detection,
                                   abut_error *error)
{
    *detection = (abut_detection){0};
    int64_t done = abut_world_get_report(simulation->world).step;
    if (step < 1 || step < done) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "step %d cannot be reached: the simulation has done %lld steps, and the first step is 1",
                         step, (long long)done);
    }
    for (; done < step; ++done) {
        abut_status status = abut_world_step(simulation->world, error);
        if (status != ABUT_OK) {
            return status;
        }
    }
    detection->report = abut_world_get_report(simulation->world);
    abut_status status = copy_samples(simulation, detection, error);
    if (status != ABUT_OK) {
        abut_detection_release(simulation, detection);
    }
    return status;
}

void abut_detection_release(const abut_simulation *simulation, abut_detection *detection)
{
    abut_free(abut_lab_object_context(simulation), detection->samples);
    *detection = (abut_detection){0};
}
