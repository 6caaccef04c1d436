// SPDX-License-Identifier: MIT
// test_states.c: states.csv line by line, and memory
#include "check.h"
#include "memory_fault.h"

#include <abut-lab/lab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "case,method,detection,contacts\n"

static void rows_are_read(void **state)
{
    (void)state;
    static const char text[] = HEADER "spikes,opposing,2,18\r\nwedges,growth,1,0";
    abut_states *states = NULL;
    assert_int_equal(abut_states_parse(NULL, text, strlen(text), "x", &states, NULL), ABUT_OK);
    CHECK_INT(states->count, 2, "rows");
    const abut_states_row *row = abut_states_find(states, "spikes", "opposing");
    CHECK(row == &states->rows[0] && row->detection == 2 && row->contacts == 18, "first");
    CHECK(abut_states_find(states, "spikes", "growth") == NULL, "no such state");
    abut_case *item = NULL;
    CHECK_STATUS(abut_states_load(states, row, &item, NULL), ABUT_BAD_ARGUMENT, "not of a folder");
    abut_states_destroy(states);
    CHECK_DONE();
}

static void errors_name_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place;
    } rows[] = {
        {"", "x:1:"},
        {"case,method\n", "x:1:"},
        {HEADER, "x:1:"},
        {HEADER "spikes,opposing,2\n", "x:2:"},
        {HEADER "spikes,opposing,2,3,4\n", "x:2:"},
        {HEADER "spikes,opposing,2,18\n\n", "x:3:"},
        {HEADER "spikes,opposing,2,18\nspikes,opposing,2,18\n", "x:3:"},
        {HEADER "pillar,opposing,2,18\n", "x:2:"},
        {HEADER "../spikes,opposing,2,18\n", "x:2:"},
        {HEADER "spikes,../opposing,2,18\n", "x:2:"},
        {HEADER "spikes,opposing,0,18\n", "x:2:"},
        {HEADER "spikes,opposing,-1,18\n", "x:2:"},
        {HEADER "spikes,opposing,2,x\n", "x:2:"},
        {HEADER "spikes,opposing,2,99999999999999999999\n", "x:2:"},
        {HEADER "spikes,\"opposing\",2,18\n", "x:2:"},
        {HEADER "sp\tikes,opposing,2,18\n", "x:2:"},
        {HEADER "0123456789012345678901234567890123456789012345678901234567890123456789,opposing,2,18\n", "x:2:"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_states *states = NULL;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_states_parse(NULL, rows[i].text, strlen(rows[i].text), "x", &states, &error),
                     ABUT_BAD_DATA, rows[i].text);
        CHECK(states == NULL && strncmp(error.text, rows[i].place, strlen(rows[i].place)) == 0, "%d: %s", (int)i,
              error.text);
        CHECK(error.line == (int)strtol(rows[i].place + 2, NULL, 10), "%d: line %d", (int)i, (int)error.line);
    }
    abut_states *states = NULL;
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_states_read(NULL, "/nowhere", &states, &error), ABUT_IO, "no folder");
    CHECK(strstr(error.text, "/nowhere/states.csv") != NULL, "%s", error.text);
    CHECK_STATUS(abut_states_read(NULL, NULL, &states, &error), ABUT_BAD_ARGUMENT, "NULL");
    CHECK_STATUS(abut_states_parse(NULL, NULL, 1, "x", &states, &error), ABUT_BAD_ARGUMENT, "NULL");
    CHECK_DONE();
}

static void memory_runs_out(void **state)
{
    (void)state;
    static const char text[] = HEADER "spikes,opposing,2,18\n";
    int failures = 0;
    for (int allowed = 0; allowed < 8; ++allowed) {
        memory_fault fault = {allowed, 0};
        abut_context context = memory_fault_context(&fault);
        abut_states *states = NULL;
        abut_status status = abut_states_parse(&context, text, strlen(text), "x", &states, NULL);
        CHECK(status == ABUT_OK ? states != NULL : status == ABUT_NO_MEMORY && states == NULL, "%d", allowed);
        failures += status != ABUT_OK;
        abut_states_destroy(states);
    }
    CHECK(failures > 0 && failures < 8, "%d", failures);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read),
        cmocka_unit_test(errors_name_the_line),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
