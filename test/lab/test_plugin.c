// SPDX-License-Identifier: MIT
// test_plugin.c: loading methods from shared objects, good and bad ones, and queries in a child process
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <abut-lab/lab.h>

#include <stdio.h>
#include <unistd.h>

/// Two shapes of a case, and the answer to a query.
typedef struct scene {
    abut_case *fundamental;
    abut_shape *a, *b;
    abut_pair pair;
    abut_workspace *workspace;
    abut_result result;
} scene;

static void scene_open(scene *s, const char *name)
{
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    assert_int_equal(abut_case_create(NULL, name, NULL, &s->fundamental, NULL), ABUT_OK);
    abut_shape_def def = abut_shape_def_default();
    def.mesh = s->fundamental->a.mesh;
    assert_int_equal(abut_shape_create(NULL, &def, &s->a, NULL), ABUT_OK);
    def.mesh = s->fundamental->b.mesh;
    assert_int_equal(abut_shape_create(NULL, &def, &s->b, NULL), ABUT_OK);
    s->pair = abut_case_pair(s->fundamental, touching, s->a, s->b);
    s->result = abut_result_default();
    assert_int_equal(abut_workspace_create(NULL, &s->workspace), ABUT_OK);
}

static void scene_close(scene *s)
{
    abut_workspace_destroy(s->workspace);
    abut_shape_destroy(s->a);
    abut_shape_destroy(s->b);
    abut_case_destroy(s->fundamental);
}

static abut_plugin *load(const char *path)
{
    abut_plugin *plugin = NULL;
    abut_error error;
    abut_status status = abut_plugin_open(path, &plugin, &error);
    CHECK(status == ABUT_OK, "%s: %s", path, status == ABUT_OK ? "" : error.text);
    assert_non_null(plugin);
    return plugin;
}

/// Whether a message is one line and not empty.
static int is_message(const abut_error *error)
{
    return error->text[0] != '\0' && strchr(error->text, '\n') == NULL;
}

static void bad_rows_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        abut_status status;
        const char *word; ///< part of the message
    } rows[] = {
        {BAD_PLUGINS "no_symbol.so", ABUT_BAD_DATA, "abut_plugin_method"},
        {BAD_PLUGINS "wrong_abi.so", ABUT_BAD_DATA, "interface"},
        {BAD_PLUGINS "wrong_struct_size.so", ABUT_BAD_DATA, "bytes"},
        {BAD_PLUGINS "bad_name.so", ABUT_BAD_DATA, "name"},
        {BAD_PLUGINS "no_query.so", ABUT_BAD_DATA, "query"},
        {BAD_PLUGINS "bad_option.so", ABUT_BAD_DATA, "option 0"},
        {BAD_PLUGINS "many_options.so", ABUT_BAD_DATA, "2000000000"},
        {BAD_PLUGINS "not_there.so", ABUT_IO, "not_there.so"},
        {BAD_PLUGINS "abort_at_load.so", ABUT_METHOD_FAULT, "abort_at_load.so was ended by signal 6 (Aborted)"},
        {BAD_PLUGINS "hang_at_load.so", ABUT_METHOD_FAULT, "seconds"},
        {BAD_PLUGINS "exit_at_load.so", ABUT_METHOD_FAULT, "ended its process"},
        {__FILE__, ABUT_IO, "test_plugin.c"},
        {"crash.so", ABUT_BAD_ARGUMENT, "slash"},
        {"", ABUT_BAD_ARGUMENT, "slash"},
        {NULL, ABUT_BAD_ARGUMENT, "NULL"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const char *name = rows[i].path != NULL ? rows[i].path : "NULL";
        abut_plugin *plugin = NULL;
        abut_error error = {0};
        CHECK_STATUS(abut_plugin_open(rows[i].path, &plugin, &error), rows[i].status, name);
        CHECK(plugin == NULL, "%s", name);
        CHECK(is_message(&error) && strstr(error.text, rows[i].word) != NULL, "%s: %s", name, error.text);
    }
    abut_plugin_close(NULL);
    CHECK_DONE();
}

/// What a plug-in prints while it is loaded is discarded. What the host prints before and after stays, in order.
static void plugins_print_nothing(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    (void)fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    assert_true(kept >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
    (void)printf("before ");
    abut_plugin *plugin = load(BAD_PLUGINS "print_at_load.so");
    (void)printf("between ");
    abut_plugin_close(plugin);
    (void)printf("after");
    (void)fflush(stdout);
    (void)dup2(kept, STDOUT_FILENO);
    (void)close(kept);
    char text[64] = "";
    rewind(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    CHECK(size > 0 && strcmp(text, "before between after") == 0, "'%s'", text);
    (void)fclose(file);
    CHECK_DONE();
}

/// A query that crashes, hangs, exits or returns invalid contacts gives ABUT_METHOD_FAULT, and this process continues.
static void misbehaving_queries_are_faults(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        abut_status status;
        const char *word;
    } rows[] = {
        {BAD_PLUGINS "crash.so", ABUT_METHOD_FAULT, "signal 11"},
        {BAD_PLUGINS "crash_in_prepare.so", ABUT_METHOD_FAULT, "signal 11"},
        {BAD_PLUGINS "hang.so", ABUT_METHOD_FAULT, "seconds"},
        {BAD_PLUGINS "exit.so", ABUT_METHOD_FAULT, "exit code"},
        {BAD_PLUGINS "nan_normal.so", ABUT_METHOD_FAULT, "normal"},
        {BAD_PLUGINS "quick_exit.so", ABUT_METHOD_FAULT, "not complete"},
    };
    scene s;
    scene_open(&s, "sliding-spike");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_plugin *plugin = load(rows[i].path);
        s.result.contacts.count = 7; // must be cleared
        abut_status status =
            abut_find_contacts_isolated(&s.pair, abut_plugin_get_method(plugin), NULL, 1.0, s.workspace, &s.result);
        CHECK_STATUS(status, rows[i].status, rows[i].path);
        CHECK_STATUS(s.result.error.status, rows[i].status, rows[i].path);
        CHECK(is_message(&s.result.error) && strstr(s.result.error.text, rows[i].word) != NULL, "%s: %s",
              rows[i].path, s.result.error.text);
        CHECK_INT(s.result.contacts.count, 0, rows[i].path);
        abut_plugin_close(plugin);
    }
    scene_close(&s);
    CHECK_DONE();
}

/// A method that never stops adding contacts reaches the memory or time limit of the child. This process is not
/// affected.
static void endless_contacts_hit_a_limit(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, "sliding-spike");
    abut_plugin *plugin = load(BAD_PLUGINS "flood.so");
    abut_status status =
        abut_find_contacts_isolated(&s.pair, abut_plugin_get_method(plugin), NULL, 20.0, s.workspace, &s.result);
    CHECK(status == ABUT_NO_MEMORY || status == ABUT_METHOD_FAULT, "%s: %s", abut_status_text(status),
          s.result.error.text);
    CHECK(is_message(&s.result.error), "message");
    abut_plugin_close(plugin);
    scene_close(&s);
    CHECK_DONE();
}

/// A query in a child gives the same contacts as a query here, for a plug-in and for a method of the library, in all
/// cases.
static void isolated_contacts_are_the_same(void **state)
{
    (void)state;
    abut_plugin *plugin = load(EXAMPLE_PLUGIN);
    const abut_method *methods[] = {abut_plugin_get_method(plugin), abut_method_find("intersection")};
    int case_count = 0, contact_count = 0;
    const char *const *names = abut_case_names(&case_count);
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    for (int i = 0; i < case_count; ++i) {
        for (int k = 0; k < 2; ++k) {
            scene s;
            scene_open(&s, names[i]);
            assert_non_null(methods[k]);
            CHECK_STATUS(abut_find_contacts_isolated(&s.pair, methods[k], NULL, 10.0, s.workspace, &s.result),
                         ABUT_OK, names[i]);
            abut_result result = abut_result_default();
            CHECK_STATUS(abut_find_contacts(&s.pair, methods[k], NULL, workspace, &result), ABUT_UNPREPARED,
                         "the shapes stay as they are");
            assert_int_equal(abut_shape_prepare(s.a, methods[k], NULL, NULL), ABUT_OK);
            assert_int_equal(abut_shape_prepare(s.b, methods[k], NULL, NULL), ABUT_OK);
            CHECK_STATUS(abut_find_contacts(&s.pair, methods[k], NULL, workspace, &result), ABUT_OK, names[i]);
            CHECK_INT(s.result.contacts.count, result.contacts.count, names[i]);
            for (int n = 0; n < result.contacts.count && n < s.result.contacts.count; ++n) {
                const abut_contact *p = &s.result.contacts.items[n], *q = &result.contacts.items[n];
                CHECK(p->id == q->id && memcmp(&p->position, &q->position, sizeof p->position) == 0 &&
                          memcmp(&p->normal, &q->normal, sizeof p->normal) == 0 && p->gap == q->gap,
                      "%s %s: contact %d", names[i], methods[k]->name, n);
            }
            contact_count += result.contacts.count;
            scene_close(&s);
        }
    }
    CHECK(contact_count > 20, "%d", contact_count);
    abut_workspace_destroy(workspace);
    abut_plugin_close(plugin);
    CHECK_DONE();
}

static abut_status query_self(const abut_query *query, abut_sink *sink)
{
    (void)sink;
    return query->is_self ? ABUT_OK : ABUT_UNSUPPORTED;
}

/// The same soft body on both sides asks for self-contact, also if `shape`, which a soft body ignores, differs. Two
/// soft bodies of one shape do not.
static void self_contact_of_a_soft_body_stays_one_body(void **state)
{
    (void)state;
    static const abut_method self = {.abi = ABUT_METHOD_ABI,
                                     .struct_size = sizeof(abut_method),
                                     .name = "self",
                                     .summary = "whether a query is about self-contact",
                                     .source = "ours",
                                     .query = query_self};
    scene s;
    scene_open(&s, "spikes");
    abut_instance *soft[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(abut_instance_create(NULL, s.a, &soft[i], NULL), ABUT_OK);
    }
    s.pair = abut_pair_default(s.a, s.b);
    s.pair.a.instance = s.pair.b.instance = soft[0];
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, &self, NULL, 10.0, s.workspace, &s.result), ABUT_OK, "one");
    s.pair = abut_pair_default(s.a, s.a);
    s.pair.a.instance = soft[0];
    s.pair.b.instance = soft[1];
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, &self, NULL, 10.0, s.workspace, &s.result), ABUT_UNSUPPORTED,
                 "two");
    abut_instance_destroy(soft[0]);
    abut_instance_destroy(soft[1]);
    scene_close(&s);
    CHECK_DONE();
}

/// A child process cannot write the memory of a pair. Without the refusal, a commit would commit an older query.
static void a_memory_is_refused(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, "spikes");
    assert_int_equal(abut_memory_create(NULL, &s.pair.memory), ABUT_OK);
    const abut_method *method = abut_method_find("intersection");
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, method, NULL, 10.0, s.workspace, &s.result), ABUT_UNSUPPORTED,
                 "memory");
    CHECK(is_message(&s.result.error) && strstr(s.result.error.text, "memory") != NULL, "%s", s.result.error.text);
    abut_memory_destroy(s.pair.memory);
    scene_close(&s);
    CHECK_DONE();
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, "spikes");
    const abut_method *method = abut_method_find("intersection");
    CHECK_STATUS(abut_find_contacts_isolated(NULL, method, NULL, 1.0, s.workspace, &s.result), ABUT_BAD_ARGUMENT,
                 "pair");
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, NULL, NULL, 1.0, s.workspace, &s.result), ABUT_BAD_ARGUMENT,
                 "method");
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, method, NULL, 0.0, s.workspace, &s.result), ABUT_BAD_ARGUMENT,
                 "time");
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, method, NULL, NAN, s.workspace, &s.result), ABUT_BAD_ARGUMENT,
                 "time");
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, method, NULL, 1.0, s.workspace, NULL), ABUT_BAD_ARGUMENT,
                 "result");
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, method, NULL, 1.0, NULL, &s.result), ABUT_BAD_ARGUMENT,
                 "workspace");
    abut_params params = abut_params_default();
    params.angle = -1.0;
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, method, &params, 1.0, s.workspace, &s.result),
                 ABUT_BAD_ARGUMENT, "params");
    CHECK(strstr(s.result.error.text, "angle") != NULL, "%s", s.result.error.text);
    s.pair.a.shape = NULL;
    CHECK_STATUS(abut_find_contacts_isolated(&s.pair, method, NULL, 1.0, s.workspace, &s.result), ABUT_BAD_ARGUMENT,
                 "shape");
    scene_close(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_rows_are_refused),
        cmocka_unit_test(plugins_print_nothing),
        cmocka_unit_test(misbehaving_queries_are_faults),
        cmocka_unit_test(endless_contacts_hit_a_limit),
        cmocka_unit_test(isolated_contacts_are_the_same),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(self_contact_of_a_soft_body_stays_one_body),
        cmocka_unit_test(a_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
