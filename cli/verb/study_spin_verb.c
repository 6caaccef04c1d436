// SPDX-License-Identifier: MIT
// study_spin_verb.c: abut study spin: the benchmarks of Yi and Drumwright 2016, section V-B
#include "shared/parse.h"
#include "verb/study_run.h"
#include "verb/verbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct spin_request {
    abut_spin_study_def def;
    int *vertices;
    abut_spin_start *starts;
    abut_cli_numbers dts, radii, tolerances;
    abut_cli_list methods;
} spin_request;

/// Reads a list of numbers. If the option was not given, `list` and `count` are unchanged.
static abut_cli_exit read_numbers(const abut_cli_arguments *arguments, const char *name, abut_cli_numbers *numbers,
                                  const double **list, int *count)
{
    abut_cli_exit code = abut_cli_numbers_of(arguments, name, numbers);
    if (numbers->count > 0) {
        *list = numbers->items;
        *count = numbers->count;
    }
    return code;
}

static abut_cli_exit read_vertices(const abut_cli_arguments *arguments, spin_request *request)
{
    abut_cli_numbers numbers = {
        .lower = ABUT_SPHERE_LEAST_VERTICES, .upper = ABUT_SPHERE_MOST_VERTICES, .is_whole = 1};
    abut_cli_exit code = abut_cli_numbers_of(arguments, "vertices", &numbers);
    if (code == ABUT_CLI_DONE && numbers.count > 0) {
        request->vertices = abut_cli_resize(NULL, (size_t)numbers.count, sizeof *request->vertices);
        for (int i = 0; i < numbers.count; ++i) {
            request->vertices[i] = (int)numbers.items[i];
        }
        request->def.vertices = request->vertices;
        request->def.vertex_count = numbers.count;
    }
    free(numbers.items);
    return code;
}

static abut_cli_exit read_starts(const abut_cli_arguments *arguments, spin_request *request)
{
    abut_cli_list texts = {0};
    abut_cli_exit code = abut_cli_list_of(arguments, "starts", &texts);
    request->starts = abut_cli_resize(NULL, (size_t)texts.count, sizeof *request->starts);
    for (int i = 0; i < texts.count && code == ABUT_CLI_DONE; ++i) {
        int start = 0;
        while (abut_spin_start_text((abut_spin_start)start) != NULL &&
               strcmp(abut_spin_start_text((abut_spin_start)start), texts.items[i]) != 0) {
            ++start;
        }
        request->starts[i] = (abut_spin_start)start;
        if (abut_spin_start_text((abut_spin_start)start) == NULL) {
            code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --starts '%s': must be vertex, face or random",
                                 texts.items[i]);
        }
    }
    if (texts.count > 0) {
        request->def.starts = request->starts;
        request->def.start_count = texts.count;
    }
    abut_cli_list_release(&texts);
    return code;
}

static abut_cli_exit read_request(const abut_cli_arguments *arguments, spin_request *request)
{
    static const char *const solvers[] = {"prox", "mcp", NULL};
    abut_spin_study_def *def = &request->def;
    const char *scene = abut_cli_value_of(arguments, "scene");
    def->scene = scene != NULL ? scene : def->scene;
    if (strcmp(def->scene, "spinning-box") == 0 && abut_cli_value_of(arguments, "vertices") != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --vertices works for spheres only, not for spinning-box");
    }
    int solver = (int)def->solver;
    abut_cli_exit code = read_vertices(arguments, request);
    code = code != ABUT_CLI_DONE ? code : read_starts(arguments, request);
    code = code != ABUT_CLI_DONE ? code : read_numbers(arguments, "dts", &request->dts, &def->dts, &def->dt_count);
    code = code != ABUT_CLI_DONE
               ? code
               : read_numbers(arguments, "radii", &request->radii, &def->radii, &def->radius_count);
    code = code != ABUT_CLI_DONE ? code
                                 : read_numbers(arguments, "tolerances", &request->tolerances, &def->tolerances,
                                                &def->tolerance_count);
    code = code != ABUT_CLI_DONE ? code : abut_cli_list_of(arguments, "method", &request->methods);
    code = code != ABUT_CLI_DONE ? code : abut_cli_count_of(arguments, "seeds", 1, &def->seed_count);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "response", solvers, &solver);
    def->solver = (abut_solver_kind)solver;
    if (request->methods.count > 0) {
        def->methods = (const char *const *)request->methods.items;
        def->method_count = request->methods.count;
    }
    return code;
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    spin_request request = {.def = abut_spin_study_def_default(),
                            .dts = {.lower = 5e-9, .upper = 5.0},
                            .radii = {.lower = 1e-6, .upper = 1e6},
                            .tolerances = {.lower = 1e-300, .upper = 1.0}};
    abut_cli_exit code = read_request(arguments, &request);
    abut_study *study = NULL;
    abut_error error = {0};
    if (code == ABUT_CLI_DONE) {
        abut_status status = abut_spin_study_create(NULL, &request.def, &study, &error);
        code = status == ABUT_OK ? abut_cli_study_run(arguments, study) : abut_cli_fail_status(status, &error);
    }
    abut_study_destroy(study);
    free(request.vertices);
    free(request.starts);
    free(request.dts.items);
    free(request.radii.items);
    free(request.tolerances.items);
    abut_cli_list_release(&request.methods);
    return code;
}

static const abut_cli_option options[] = {
    {"scene", "NAME", "spinning-box, spinning-sphere (default) or rolling-spheres", 0, 0},
    {"vertices", "N,N...", "vertices of the spheres (default 50,100,200,1000,2000)", 0, 0},
    {"starts", "WORD,...", "vertex, face, random: which side of the body is down at the start (default: all)", 0,
     0},
    {"seeds", "N", "runs of each random start (default 20)", 0, 0},
    {"dts", "S,S...", "step lengths in seconds (default 0.001,0.01)", 0, 0},
    {"radii", "R,R...", "radii of the body on a box, or of the fixed sphere below it (default 1)", 0, 0},
    {"tolerances", "T,T...", "what counts as touching, relative to the smaller body (default 1e-6)", 0, 0},
    {"method", "NAME[,NAME...]", "contact methods (default: convex); repeatable", 1, 0},
    {"response", "prox|mcp", "proximal Gauss-Seidel (default), or Lemke with a friction pyramid", 0, 0},
    ABUT_CLI_STUDY_OPTIONS,
};

const abut_cli_verb abut_cli_study_spin_verb = {
    .name = "study spin",
    .summary = "Measure the energy that bodies keep while they spin without slip.",
    .usage = "[options]",
    .details =
        "Yi and Drumwright 2016, section V-B. A body spins for 5 s on a fixed box, or on a fixed sphere between\n"
        "frictionless walls. outcome: keeps (at least 99 % of its kinetic energy), stops (its spin falls below 1 "
        "%\n"
        "for good) or loses; kept: the share of kinetic energy left; total_kept: the same with the change of\n"
        "potential energy; stop_time: when it stopped; paper, paper_stop_time: what the paper says about this\n"
        "number of vertices and time step, if anything. The series energy (--curves) is kinetic energy over its\n"
        "initial value.\n",
    .example = "  abut study spin --vertices 50,100 --out spin.json --curves spin.csv\n"
               "  abut study spin --scene rolling-spheres --dts 0.001 --radii 0.01,0.1,1,10,100\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run,
};
