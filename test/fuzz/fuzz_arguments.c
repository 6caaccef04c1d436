// SPDX-License-Identifier: MIT
// fuzz_arguments.c: any text as a pose, a velocity and a requirement
#include "fuzz.h"
#include "shared/parse.h"
#include "verb/requirement.h"

// Aborts unless the condition holds.
static void expect(int holds)
{
    if (!holds) {
        abort();
    }
}

static void check_pose(const char *text)
{
    abut_pose pose;
    char wrong[ABUT_CLI_WRONG_ROOM];
    if (abut_cli_parse_pose(text, &pose, wrong)) {
        abut_quat q = pose.rotation;
        expect(abut_is_finite(pose.position));
        expect(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) <= 1e-15);
    }
}

static void check_velocity(const char *text)
{
    abut_vec3 linear, angular;
    char wrong[ABUT_CLI_WRONG_ROOM];
    if (abut_cli_parse_velocity(text, &linear, &angular, wrong)) {
        expect(abut_is_finite(linear) && abut_is_finite(angular));
    }
}

static void check_requirement(const char *text)
{
    abut_cli_requirement requirement;
    if (abut_cli_requirement_parse(text, &requirement) != NULL) {
        return;
    }
    const double values[] = {requirement.bound, nextafter(requirement.bound, HUGE_VAL), (double)NAN};
    static const int holds[][2] = {{1, 1}, {1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 0}};
    expect(isfinite(requirement.bound));
    expect(strstr(text, abut_cli_field_name(requirement.field)) != NULL);
    expect(abut_cli_requirement_holds(&requirement, values[0]) == holds[requirement.relation][0]);
    expect(abut_cli_requirement_holds(&requirement, values[1]) == holds[requirement.relation][1]);
    expect(!abut_cli_requirement_holds(&requirement, values[2]));
    // A method is never named without a case.
    expect(requirement.method[0] == '\0' || requirement.case_name[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text != NULL) {
        memcpy(text, data, size);
        text[size] = '\0';
        check_pose(text);
        check_velocity(text);
        check_requirement(text);
        free(text);
    }
    return 0;
}
