// SPDX-License-Identifier: MIT
// faulty_plugin.c: a plug-in that misbehaves as its option says
#include <abut-lab/plugin.h>

#include <signal.h>

enum { FAULT_NONE, FAULT_CRASH, FAULT_HANG, FAULT_NORMAL, FAULT_REFUSAL };

static const char *const faults[] = {"none", "crash", "hang", "normal", "refusal", NULL};

static const abut_option_info options[] = {
    {.name = "fault", .help = "what goes wrong", .choices = faults, .value = FAULT_NONE}};

static abut_status query_contacts(const abut_query *query, abut_sink *sink)
{
    int fault = (int)abut_query_option(query, "fault");
    if (fault == FAULT_CRASH) {
        (void)signal(SIGSEGV, SIG_DFL);
        (void)raise(SIGSEGV);
    }
    for (volatile int forever = fault == FAULT_HANG; forever;) {
    }
    if (fault == FAULT_REFUSAL) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED, "it does not like the bodies");
    }
    // Without a fault: the first vertices of both bodies.
    abut_contact contact = {
        .position_a = abut_pose_apply(query->pair->a.pose, abut_side_vertices(&query->pair->a)[0]),
        .position_b = abut_pose_apply(query->pair->b.pose, abut_side_vertices(&query->pair->b)[0]),
        .normal = abut_vec3_make(0.0, fault == FAULT_NORMAL ? (double)NAN : 1.0, 0.0),
        .feature_a = abut_feature_vertex(0),
        .feature_b = abut_feature_vertex(0),
        .normal_feature = abut_feature_vertex(0),
        .normal_side = ABUT_NORMAL_A,
        .anchor_a = {{0, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}},
        .anchor_b = {{0, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}},
        .region = -1,
    };
    return abut_sink_contact(sink, &contact) >= 0 ? ABUT_OK : ABUT_NO_MEMORY;
}

static const abut_method method = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "faulty",
    .summary = "the first vertices, or a fault",
    .source = "test",
    .taxonomy = {.is_ours = 1},
    .needs = ABUT_NEEDS_TRIANGLES,
    .options = options,
    .option_count = 1,
    .query = query_contacts,
};

ABUT_API const abut_method *abut_plugin_method(void);

const abut_method *abut_plugin_method(void)
{
    return &method;
}
