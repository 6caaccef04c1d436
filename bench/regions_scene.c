// SPDX-License-Identifier: MIT
// regions_scene.c: a query of two solids, and how it is measured
#include "regions_scene.h"

#include "contact_hash.h"

static const double time_step = 0.01;

/// Moves B to the other end of its way, with the velocity that led there.
static void slide(regions_scene *s)
{
    abut_pose from = s->ends[0], to = s->ends[1];
    abut_quat turn = abut_quat_multiply(to.rotation, abut_quat_conjugate(from.rotation));
    s->ends[0] = to;
    s->ends[1] = from;
    s->pair.b.pose = to;
    s->pair.b.linear_velocity = abut_scale(1.0 / time_step, abut_sub(to.position, from.position));
    // small angles
    s->pair.b.angular_velocity = abut_scale(2.0 / time_step, abut_vec3_make(turn.x, turn.y, turn.z));
}

static uint64_t run_query(void *data)
{
    regions_scene *s = data;
    abut_status status = ABUT_OK;
    for (int i = 0; i < s->calls && status == ABUT_OK; ++i) {
        if (s->is_sliding) {
            slide(s);
        }
        status = abut_find_contacts(&s->pair, s->method, &s->params, s->workspace, &s->result);
        if (s->is_sliding && s->pair.memory != NULL) {
            abut_memory_commit(s->pair.memory);
        }
    }
    return bench_hash_contacts((uint64_t)status, &s->result.contacts);
}

int regions_scene_prepare(regions_scene *s, const abut_method *method)
{
    for (int i = 0; i < 2; ++i) {
        if (s->shapes[i] == NULL && s->meshes[i] == s->meshes[0] && i == 1) {
            s->shapes[i] = s->shapes[0];
        }
        if (s->shapes[i] == NULL) {
            abut_shape_def def = abut_shape_def_default();
            def.mesh = s->meshes[i];
            if (abut_shape_create(NULL, &def, &s->shapes[i], &s->result.error) != ABUT_OK) {
                return bench_fail("%s", s->result.error.text);
            }
        }
        if (abut_shape_prepare(s->shapes[i], method, &s->params, &s->result.error) != ABUT_OK) {
            return bench_fail("%s", s->result.error.text);
        }
    }
    s->pair.a.shape = s->shapes[0];
    s->pair.b.shape = s->shapes[1];
    s->method = method;
    return s->workspace != NULL || abut_workspace_create(NULL, &s->workspace) == ABUT_OK ||
           bench_fail("out of memory");
}

int regions_scene_measure(bench_report *report, const bench_options *options, regions_scene *s, const char *name,
                          const char *subject)
{
    abut_status status = abut_find_contacts(&s->pair, s->method, &s->params, s->workspace, &s->result);
    if (status != ABUT_OK) {
        return bench_fail("%s", s->result.error.text);
    }
    // Short repeats, so that some are undisturbed on a busy machine.
    s->calls = s->result.contacts.count < 100 && s->result.stats.candidate_pairs < 2000 ? 10 : 1 + s->is_sliding;
    bench_row row = {.scene = name,
                     .subject = subject,
                     .calls = s->calls,
                     .values = {{"triangles", abut_mesh_get_elements(s->meshes[0]).triangle_count},
                                {"contacts", s->result.contacts.count},
                                {"candidates", (double)s->result.stats.candidate_pairs},
                                {"tested", (double)s->result.stats.tested_pairs}}};
    return bench_measure(report, options, &row, run_query, s);
}

regions_scene regions_scene_start(void)
{
    regions_scene s = {.result = abut_result_default(), .params = abut_params_default()};
    s.pair = abut_pair_default(NULL, NULL);
    return s;
}

int regions_scene_remember(regions_scene *s)
{
    if (abut_memory_create(NULL, &s->pair.memory) != ABUT_OK) {
        return bench_fail("out of memory");
    }
    s->calls = 1;
    (void)run_query(s);
    abut_memory_commit(s->pair.memory);
    return 1;
}

void regions_scene_slide(regions_scene *s, abut_vec3 way, double angle)
{
    abut_pose end = s->pair.b.pose;
    s->ends[1] = end;
    end.position = abut_add(end.position, way);
    end.rotation = abut_quat_multiply(abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), angle), end.rotation);
    s->ends[0] = end;
    s->is_sliding = 1;
    s->pair.dt = time_step;
}

double regions_slope(const double *x, const double *y, int count)
{
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
    for (int i = 0; i < count; ++i) {
        mean_x += x[i] / count;
        mean_y += y[i] / count;
    }
    for (int i = 0; i < count; ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return xy / xx;
}

void regions_scene_end(regions_scene *s)
{
    abut_memory_destroy(s->pair.memory);
    abut_workspace_destroy(s->workspace);
    if (s->shapes[1] != s->shapes[0]) {
        abut_shape_destroy(s->shapes[1]);
    }
    abut_shape_destroy(s->shapes[0]);
    if (s->meshes[1] != s->meshes[0]) {
        abut_mesh_destroy(s->meshes[1]);
    }
    abut_mesh_destroy(s->meshes[0]);
}
