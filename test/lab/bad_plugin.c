// SPDX-License-Identifier: MIT
// bad_plugin.c: a contact method that misbehaves, in the way that BAD_PLUGIN names
#include <abut-lab/plugin.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    NO_SYMBOL,
    WRONG_ABI,
    WRONG_STRUCT_SIZE,
    BAD_NAME,
    NO_QUERY,
    BAD_OPTION,
    MANY_OPTIONS,
    CRASH,
    CRASH_IN_PREPARE,
    HANG,
    EXIT,
    QUICK_EXIT,
    NAN_NORMAL,
    FLOOD,
    ABORT_AT_LOAD,
    HANG_AT_LOAD,
    EXIT_AT_LOAD,
    PRINT_AT_LOAD
};

/// A contact at the origin with a normal along y.
static void add_contact(abut_sink *sink, double y)
{
    abut_contact contact = {.normal = {0.0, y, 0.0},
                            .anchor_a = {{0, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}},
                            .anchor_b = {{0, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}},
                            .region = -1};
    contact.feature_a = contact.feature_b = contact.normal_feature = abut_feature_vertex(0);
    (void)abut_sink_contact(sink, &contact);
}

static abut_status query_badly(const abut_query *query, abut_sink *sink)
{
    (void)query;
    switch (BAD_PLUGIN) {
    case CRASH: (void)raise(SIGSEGV); break;
    case HANG:
        for (volatile int i = 0;; i = 1 - i) {
        }
    case NAN_NORMAL: add_contact(sink, (double)NAN); break;
    case FLOOD:
        for (;;) {
            abut_contact contact = {.region = -1};
            if (abut_sink_contact(sink, &contact) < 0) {
                break;
            }
        }
        break;
    case EXIT: (void)printf("this must not be seen\n"); exit(0);
    case QUICK_EXIT: _Exit(0);
    default: add_contact(sink, 1.0);
    }
    return ABUT_OK;
}

static abut_status prepare_badly(const abut_shape *shape, const abut_params *params, const abut_context *context,
                                 void **data, abut_error *error)
{
    (void)shape, (void)params, (void)context, (void)data, (void)error;
    (void)raise(SIGSEGV);
    return ABUT_OK;
}

static const char *const choices[] = {"one", "two", NULL};
static const abut_option_info options[] = {
    {.name = "first", .help = "a choice", .choices = choices, .value = BAD_PLUGIN == BAD_OPTION ? 2.0 : 1.0},
};

static const abut_method method = {
    .abi = BAD_PLUGIN == WRONG_ABI ? ABUT_METHOD_ABI + 1u : ABUT_METHOD_ABI,
    .struct_size = BAD_PLUGIN == WRONG_STRUCT_SIZE ? sizeof(abut_method) - 8 : sizeof(abut_method),
    .name = BAD_PLUGIN == BAD_NAME ? "Bad Name" : "bad-plugin",
    .summary = "misbehaves",
    .source = "a test",
    .needs = ABUT_NEEDS_TRIANGLES,
    .options = options,
    .option_count = BAD_PLUGIN == MANY_OPTIONS ? 2000000000 : 1,
    .prepare = BAD_PLUGIN == CRASH_IN_PREPARE ? prepare_badly : NULL,
    .query = BAD_PLUGIN == NO_QUERY ? NULL : query_badly,
};

#if defined(__GNUC__)
__attribute__((constructor)) static void load_badly(void)
{
    switch (BAD_PLUGIN) {
    case ABORT_AT_LOAD: abort();
    case HANG_AT_LOAD:
        for (volatile int i = 0;; i = 1 - i) {
        }
    case EXIT_AT_LOAD: exit(0);
    case PRINT_AT_LOAD: (void)printf("this must not be seen\n"); break;
    default: break;
    }
}
#endif

/// The symbol that the laboratory looks up, except in the plug-in that lacks it.
ABUT_API const abut_method *BAD_PLUGIN_SYMBOL(void);

const abut_method *BAD_PLUGIN_SYMBOL(void)
{
    if (BAD_PLUGIN == PRINT_AT_LOAD) {
        (void)printf("nor this\n");
    }
    return &method;
}
