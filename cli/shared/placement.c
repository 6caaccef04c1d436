// SPDX-License-Identifier: MIT
// placement.c: where the bodies of a command are, and how they move
#include "shared/placement.h"

#include "shared/parse.h"

#include <string.h>

static abut_cli_exit read_placement(const abut_cli_value *value, abut_cli_placement *placements, int count)
{
    int is_pose = strcmp(value->option->name, "pose-a") == 0, index = value->letter - 'a';
    const char *word = is_pose ? "pose" : "velocity";
    if (index >= count) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s-%c: there are only %d files, -a to -%c", word,
                             value->letter, count, 'a' + count - 1);
    }
    abut_cli_placement *to = &placements[index];
    char wrong[ABUT_CLI_WRONG_ROOM];
    int is_read = is_pose
                      ? abut_cli_parse_pose(value->text, &to->pose, wrong)
                      : abut_cli_parse_velocity(value->text, &to->linear_velocity, &to->angular_velocity, wrong);
    return is_read ? ABUT_CLI_DONE
                   : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s-%c '%s': %s", word, value->letter, value->text,
                                   wrong);
}

abut_cli_exit abut_cli_placements_of(const abut_cli_arguments *arguments, abut_cli_placement *placements, int count)
{
    for (int i = 0; i < count; ++i) {
        placements[i] = (abut_cli_placement){.pose = abut_pose_identity()};
    }
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int i = 0; i < arguments->value_count && code == ABUT_CLI_DONE; ++i) {
        if (arguments->values[i].option->is_lettered) {
            code = read_placement(&arguments->values[i], placements, count);
        }
    }
    return code;
}
