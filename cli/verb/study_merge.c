// SPDX-License-Identifier: MIT
// study_merge.c: abut study merge
#include "shared/files.h"
#include "verb/study_run.h"
#include "verb/verbs.h"

static abut_cli_exit report_missing(const abut_study *study)
{
    int missing = abut_study_count(study, 0, 1, ABUT_STUDY_OPEN), first = 0;
    if (missing == 0) {
        return ABUT_CLI_DONE;
    }
    while (study->results[first].outcome != ABUT_STUDY_OPEN) {
        ++first;
    }
    char name[256];
    abut_study_run_name(study, first, name, sizeof name);
    return abut_cli_fail(
        ABUT_CLI_BAD_INPUT,
        "%d of %d run%s missing, the first is run %d (%s); merge again when all parts are complete", missing,
        study->run_count, study->run_count == 1 ? " is" : "s are", first, name);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    abut_study *study = NULL;
    abut_error error = {0};
    const char *out = abut_cli_value_of(arguments, "out");
    abut_cli_exit code = abut_cli_study_check_files(arguments);
    for (int i = 0; i < arguments->operand_count && code == ABUT_CLI_DONE && out != NULL; ++i) {
        code = abut_cli_check_different(arguments->operands[i], out);
    }
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_status status = abut_study_merge(NULL, arguments->operands, arguments->operand_count, &study, &error);
    code = status == ABUT_OK ? report_missing(study) : abut_cli_fail_status(status, &error);
    code = code != ABUT_CLI_DONE ? code : abut_cli_study_deliver(arguments, study);
    abut_study_destroy(study);
    return code;
}

static const abut_cli_option options[] = {
    {"out", "RESULT.json", "write the result here", 0, 0},
    {"curves", "FILE.csv", "also write all series to this file", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_study_merge_verb = {
    .name = "study merge",
    .summary = "Merge the parts of a study.",
    .usage = "PART... [options]",
    .details = "Merges the parts that abut study ... --shard I/N wrote. They must belong to one plan and cover all "
               "runs. The\n"
               "result is the same as without --shard, byte for byte.\n",
    .example = "  abut study perturbation --shard 1/2 --out 1.part\n"
               "  abut study perturbation --shard 2/2 --out 2.part\n"
               "  abut study merge 1.part 2.part --out perturbation.json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 1,
    .operand_maximum = -1,
    .run = run,
};
