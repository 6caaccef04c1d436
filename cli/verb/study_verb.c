// SPDX-License-Identifier: MIT
// study_verb.c: abut study perturbation, refinement and timestep: the studies of Erleben 2018, sections 8.5 to 8.7
#include "shared/parse.h"
#include "shared/query_options.h"
#include "verb/study_run.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>

static const char METHODS[] = "opposing,growth,closest-points,regions"; ///< three of the paper, and regions

typedef struct quality_request {
    const abut_cli_arguments *arguments;
    const abut_study_kind *kind;
    abut_quality_def def;
    abut_cli_methods methods;
    abut_cli_query *queries; ///< of the methods
    int query_count;
    abut_quality_method *used; ///< the methods of the study
    abut_cli_numbers values;   ///< of the option; empty: the paper's
} quality_request;

static abut_cli_exit read_axes(quality_request *request)
{
    const char *text = abut_cli_value_of(request->arguments, "axes");
    if (text == NULL) {
        return ABUT_CLI_DONE;
    }
    for (int k = 0; k < 2; ++k) {
        const char *found = text[0] != '\0' && text[k] != '\0' ? strchr("xyz", text[k]) : NULL;
        if (found == NULL || strlen(text) != 2 || text[0] == text[1]) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --axes '%s': must be two of the letters x, y and z, as in xz", text);
        }
        request->def.axes[k] = (int)(found - "xyz");
    }
    return ABUT_CLI_DONE;
}

static const char *scene_word(const void *user, int index)
{
    (void)user;
    int scene_count, case_count;
    const char *const *scenes = abut_scene_names(&scene_count), *const *cases = abut_case_names(&case_count);
    return index < scene_count                ? scenes[index]
           : index < scene_count + case_count ? cases[index - scene_count]
                                              : NULL;
}

static abut_cli_exit read_scene(quality_request *request)
{
    const char *name = abut_cli_value_of(request->arguments, "scene");
    request->def.scene = name != NULL ? name : request->def.scene;
    for (int i = 0; scene_word(NULL, i) != NULL; ++i) {
        if (strcmp(scene_word(NULL, i), request->def.scene) == 0) {
            return ABUT_CLI_DONE;
        }
    }
    const char *nearest = abut_cli_nearest(name, scene_word, NULL);
    return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --scene '%s': not a case or scene with known normals: %s%s",
                         name, nearest != NULL ? "do you mean " : "see abut cases", nearest != NULL ? nearest : "");
}

/// Whether methods follow the paper's text, not its program.
static int is_text_reading(const abut_cli_arguments *arguments)
{
    int position = 0, is_text = 0;
    const char *text;
    while ((text = abut_cli_next_value(arguments, "option", &position)) != NULL) {
        is_text |= strcmp(text, "reading=text") == 0;
    }
    return is_text;
}

static abut_cli_exit read_methods(quality_request *request)
{
    abut_cli_exit code = abut_cli_methods_select(request->arguments, METHODS, &request->methods);
    code = code != ABUT_CLI_DONE ? code : abut_cli_query_check_options(request->arguments, &request->methods);
    size_t count = (size_t)request->methods.count;
    request->queries = abut_cli_resize(NULL, count, sizeof *request->queries);
    request->used = abut_cli_resize(NULL, count, sizeof *request->used);
    for (int i = 0; i < request->methods.count && code == ABUT_CLI_DONE; ++i) {
        const abut_cli_method *method = &request->methods.items[i];
        abut_cli_query *query = &request->queries[request->query_count++];
        code = abut_cli_query_of(request->arguments, method, 1, query);
        if (code == ABUT_CLI_DONE) {
            code = abut_cli_query_add_paper(
                request->arguments, is_text_reading(request->arguments) ? ABUT_PAPER_TEXT : ABUT_PAPER_PROGRAM, 0,
                query);
        }
        request->used[i] = (abut_quality_method){method->row, &query->params};
    }
    request->def.methods = request->used;
    request->def.method_count = request->methods.count;
    return code;
}

static abut_cli_exit read_request(quality_request *request, const char *values)
{
    const abut_cli_arguments *arguments = request->arguments;
    abut_quality_def *def = &request->def;
    abut_cli_exit code = read_scene(request);
    code = code != ABUT_CLI_DONE ? code : abut_cli_numbers_of(arguments, values, &request->values);
    if (request->values.count > 0) {
        def->values = request->values.items;
        def->value_count = request->values.count;
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_count_of(arguments, "step", 1, &def->step);
    code = code != ABUT_CLI_DONE ? code : abut_cli_count_of(arguments, "iterations", 1, &def->iterations);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "friction", 0.0, &def->friction);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "seconds", &def->refine_seconds);
    return code != ABUT_CLI_DONE ? code : read_methods(request);
}

/// Runs a study over the values of an option, which must be in `range`.
static abut_cli_exit run_quality(const abut_cli_arguments *arguments, const char *kind, const char *values,
                                 abut_cli_numbers range)
{
    quality_request request = {.arguments = arguments, .kind = abut_study_find_kind(kind), .values = range};
    request.def = abut_quality_def_default(request.kind);
    abut_cli_exit code = read_request(&request, values);
    if (code == ABUT_CLI_DONE && request.kind->sample[0] != '\0') {
        code = abut_cli_count_of(arguments, "seeds", 1, &request.def.seed_count);
        code = code != ABUT_CLI_DONE ? code : read_axes(&request);
    }
    abut_study *study = NULL;
    abut_error error = {0};
    if (code == ABUT_CLI_DONE) {
        abut_status status = abut_quality_study_create(NULL, request.kind, &request.def, &study, &error);
        code = status == ABUT_OK ? abut_cli_study_run(arguments, study) : abut_cli_fail_status(status, &error);
    }
    abut_study_destroy(study);
    for (int i = 0; i < request.query_count; ++i) {
        abut_cli_query_release(&request.queries[i]);
    }
    free(request.queries);
    free(request.used);
    free(request.values.items);
    abut_cli_methods_release(&request.methods);
    return code;
}

static abut_cli_exit run_perturbation(const abut_cli_arguments *arguments)
{
    return run_quality(arguments, "perturbation", "scales", (abut_cli_numbers){.lower = 0.0, .upper = 1e12});
}

static abut_cli_exit run_refinement(const abut_cli_arguments *arguments)
{
    return run_quality(arguments, "refinement", "ratios",
                       (abut_cli_numbers){.lower = 1.0, .upper = 1e12, .zero = "coarse"});
}

static abut_cli_exit run_timestep(const abut_cli_arguments *arguments)
{
    return run_quality(arguments, "timestep", "dts", (abut_cli_numbers){.lower = 1e-12, .upper = 1e12});
}

// ---------------------------------------------------------------------------------------------------------------
// The verbs

/// The options that all three have.
#define QUALITY_OPTIONS(DEFAULT_STEP)                                                                              \
    {"scene", "NAME", "a scene, or one of the ten cases (default: pillar)", 0, 0},                                 \
        {"method", "NAME[,NAME...]",                                                                               \
         "methods or groups (default: opposing, growth, closest-points, regions, or only that of --plugin); "      \
         "repeatable",                                                                                             \
         1, 0},                                                                                                    \
        {"step", "K", "which detection is measured (default " DEFAULT_STEP ")", 0, 0},                             \
        {"friction", "MU", "friction between all bodies (default 0.5)", 0, 0},                                     \
    {                                                                                                              \
        "iterations", "N", "solver iterations in every step (default 1000)", 0, 0                                  \
    }

#define QUALITY_DETAILS                                                                                            \
    "Every run simulates the scene up to a step with one method, and measures the normals of the contacts\n"       \
    "there. good: % of them with Q of at least 0.99, which look right in a plot; exact: % within 1e-3 of the\n"    \
    "true normal; mean_q, least_q: mean and least Q, 1 is best. Methods work as in the paper's\n"                  \
    "program; --option reading=text follows its text instead. docs/studies.md explains how to run on many\n"       \
    "machines. If runs fail, they are named, the others continue, and the exit code is 3.\n"

static const abut_cli_option perturbation_options[] = {
    {"scales", "S,S...", "largest displacements in metres (default 0.01,0.02,0.03)", 0, 0},
    {"seeds", "N", "number of random seeds (default 10)", 0, 0},
    {"axes", "xz", "axes of displacement (default xz, as in the paper's program; its text says xy)", 0, 0},
    QUALITY_OPTIONS("3"),
    ABUT_CLI_QUERY_OPTIONS,
    ABUT_CLI_STUDY_OPTIONS,
};

const abut_cli_verb abut_cli_study_perturbation_verb = {
    .name = "study perturbation",
    .summary = "Measure how good normals are after small random displacements.",
    .usage = "[options]",
    .details = "Erleben 2018, section 8.5. Numbers are means over the seeds, with least, most and "
               "deviation.\n" QUALITY_DETAILS,
    .example = "  abut study perturbation --seeds 20 --out perturbation.json --curves perturbation.csv\n"
               "  mpirun -n 16 abut study perturbation --seeds 1000 --out perturbation.json\n",
    .options = perturbation_options,
    .option_count = (int)(sizeof perturbation_options / sizeof perturbation_options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run_perturbation,
};

static const abut_cli_option refinement_options[] = {
    {"ratios", "R,R...", "quality ratios of tetgen, or coarse (default coarse,1.015)", 0, 0},
    QUALITY_OPTIONS("3"),
    ABUT_CLI_QUERY_OPTIONS,
    ABUT_CLI_STUDY_OPTIONS,
};

const abut_cli_verb abut_cli_study_refinement_verb = {
    .name = "study refinement",
    .summary = "Measure how good normals are on finer meshes.",
    .usage = "[options]",
    .details = "Erleben 2018, section 8.6. Needs the program tetgen, which may not terminate at the paper's ratio\n"
               "of 1.015: the run then fails after --seconds, and the message names the next ratio to "
               "try.\n" QUALITY_DETAILS,
    .example = "  abut study refinement --ratios coarse,1.05,1.1,1.2 --out refinement.json\n",
    .options = refinement_options,
    .option_count = (int)(sizeof refinement_options / sizeof refinement_options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run_refinement,
};

static const abut_cli_option timestep_options[] = {
    {"dts", "S,S...", "step lengths in seconds (default 0.001,0.01,0.1)", 0, 0},
    QUALITY_OPTIONS("4"),
    ABUT_CLI_QUERY_OPTIONS,
    ABUT_CLI_STUDY_OPTIONS,
};

const abut_cli_verb abut_cli_study_timestep_verb = {
    .name = "study timestep",
    .summary = "Measure how good normals are with shorter and longer time steps.",
    .usage = "[options]",
    .details = "Erleben 2018, section 8.7.\n" QUALITY_DETAILS,
    .example = "  abut study timestep --curves timestep.csv\n",
    .options = timestep_options,
    .option_count = (int)(sizeof timestep_options / sizeof timestep_options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run_timestep,
};
