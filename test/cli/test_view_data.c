// SPDX-License-Identifier: MIT
// test_view_data.c: sizes and paths of the viewer's data, and the limit of a page
#include "check.h"
#include "verb/view_page.h"
#include "verb/viewer_page.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 100 };

/// A recording of which only the counts are filled in: nothing else is needed for sizes and paths.
typedef struct mock {
    abut_recording recording;
    abut_recording_body bodies[2];
    int contact_begins[STEPS + 1], region_begins[STEPS + 1], states[STEPS + 1];
    abut_cli_track track;
    abut_cli_view view;
} mock;

static void fill(mock *m, int contacts, int every)
{
    *m = (mock){.recording = {.step_count = STEPS, .body_count = 2}};
    for (int i = 0; i <= STEPS; ++i) {
        m->contact_begins[i] = i * contacts;
    }
    for (int i = 0; i <= STEPS; i += every) {
        m->states[m->track.state_count++] = i;
    }
    m->recording.bodies = m->bodies;
    m->recording.contact_begins = m->contact_begins;
    m->recording.region_begins = m->region_begins;
    m->track.recording = &m->recording;
    m->track.states = m->states;
    m->track.piece_states = 8;
    m->view = (abut_cli_view){.tracks = &m->track, .track_count = 1};
}

/// On paper: 32 + 2 * 56 bytes for a state without contacts, and 19 * 8 + 16 * 4 for each contact.
static void test_sizes(void **state)
{
    (void)state;
    mock m;
    fill(&m, 10, 1);
    assert_int_equal(abut_cli_view_states_size(&m.track), (STEPS + 1) * 144 + STEPS * 10 * 216);
    fill(&m, 10, 50);
    assert_int_equal(abut_cli_view_states_size(&m.track), 3 * 144 + 2 * 10 * 216);
}

static void test_paths(void **state)
{
    (void)state;
    mock m;
    fill(&m, 1, 1);
    abut_cli_view_item item = {ABUT_CLI_VIEW_INDEX, 0, 0};
    int count = 1;
    while (abut_cli_view_next(&m.view, &item)) {
        char path[ABUT_CLI_VIEW_PATH_ROOM];
        abut_cli_view_item found;
        abut_cli_view_path(item, path);
        assert_true(abut_cli_view_find(&m.view, path, &found));
        assert_memory_equal(&found, &item, sizeof item);
        ++count;
    }
    assert_int_equal(count, 1 + 1 + 13); // the index, the series, and 101 states by eight
    static const char *const strangers[] = {
        "",         "/index.json", "index.json/", "0/piece/13",  "0/piece/-1",     "0/piece/00", "0/piece/1 ",
        "1/series", "0/mesh/0",    "0/series/",   "../0/series", "0/piece/0/../1", "0x0/series"};
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; ++i) {
        abut_cli_view_item found;
        assert_false(abut_cli_view_find(&m.view, strangers[i], &found));
    }
}

/// 101 states with 4000 contacts have 86.4 MB, which is 115 MB in base64: refused, and every other one is enough.
static void test_limit(void **state)
{
    (void)state;
    mock m;
    fill(&m, 3000, 1);
    assert_int_equal(abut_cli_view_check_size(&m.view, 1), ABUT_CLI_DONE);
    fill(&m, 4000, 1);
    assert_int_equal(abut_cli_view_check_size(&m.view, 1), ABUT_CLI_BAD_INPUT);
    fill(&m, 4000, 2);
    assert_int_equal(abut_cli_view_check_size(&m.view, 2), ABUT_CLI_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
