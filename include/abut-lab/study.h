// SPDX-License-Identifier: MIT
/// @file study.h
/// Studies: many runs that do not depend on one another. Processes of one machine, ranks of many, shards of a batch
/// system, or a study that was interrupted and goes on: what comes out depends on the plan only. docs/studies.md
/// shows them from the outside.
///
/// A study is a plan (its kind, settings that are the same for all runs, and the parameters of each run, in a fixed
/// order) and a result for each run. A kind is one row, abut_study_kind, in the table of lab/study.c. To add one:
/// 1. write its function `run`: it reads study->data and the parameters of its run, and adds named values and
///    series to the result, or fails with a message, which becomes the result of this run. It runs in a child
///    process with one thread. It must not depend on anything but the plan: no times, no names of machines, no
///    order of runs;
/// 2. write a function that makes the plan: abut_study_create(), then abut_study_set() for everything that a result
///    depends on and that is the same for all runs, and abut_study_add_run() for each run; it puts what `run` needs
///    into `data`;
/// 3. put the row into the table, and a verb into cli/ that makes the plan of its options and calls
///    abut_cli_study_run().
#ifndef ABUT_LAB_STUDY_H
#define ABUT_LAB_STUDY_H

#include <abut-lab/spinning.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ABUT_STUDY_NAME_ROOM = 32,
    ABUT_STUDY_WORD_ROOM = 192,
    ABUT_STUDY_MAX_VALUES = 16, ///< of a run: parameters, and values of its result
    ABUT_STUDY_MAX_SERIES = 4,
    ABUT_STUDY_MAX_RUNS = 1000000
};

/// A number or a word, with a name of lower-case letters, digits, hyphens and underscores.
typedef struct abut_study_value {
    char name[ABUT_STUDY_NAME_ROOM];
    int is_word;
    double number; ///< NaN: there is none
    char word[ABUT_STUDY_WORD_ROOM];
} abut_study_value;

ABUT_API abut_study_value abut_study_number(const char *name, double number);
/// A word that is too long is cut.
ABUT_API abut_study_value abut_study_word(const char *name, const char *word);

typedef struct abut_study_series {
    char name[ABUT_STUDY_NAME_ROOM];
    double *values;
    int count;
} abut_study_series;

typedef enum abut_study_outcome {
    ABUT_STUDY_OPEN = 0, ///< not run yet
    ABUT_STUDY_DONE = 1,
    ABUT_STUDY_FAILED = 2
} abut_study_outcome;

typedef struct abut_study_result {
    abut_study_outcome outcome;
    char reason[256]; ///< of a failure
    abut_study_value values[ABUT_STUDY_MAX_VALUES];
    int value_count;
    abut_study_series series[ABUT_STUDY_MAX_SERIES];
    int series_count;
} abut_study_result;

typedef struct abut_study_kind abut_study_kind;

typedef struct abut_study {
    const abut_study_kind *kind;
    abut_study_value *settings; ///< the same for all runs
    int setting_count;
    abut_study_value *parameters; ///< run_count rows of parameter_count values
    int parameter_count, run_count;
    abut_study_result *results; ///< of each run
    void *data;                 ///< of the kind; NULL where the study was read from a file, and cannot be run
} abut_study;

/// A kind of study: a row of the table.
struct abut_study_kind {
    size_t struct_size;  ///< sizeof(abut_study_kind)
    const char *name;    ///< as in the command
    const char *summary; ///< one line
    const char *sample;  ///< the parameter whose values are samples: statistics are taken over them
    /// Does a run with the context, which has one thread, and adds to the result; the outcome follows from the status.
    abut_status (*run)(const abut_study *study, int run, const abut_context *context, abut_study_result *result,
                       abut_error *error);
    void (*release)(void *data, const abut_context *context); ///< or NULL
};

/// All kinds.
ABUT_API const abut_study_kind *const *abut_study_kinds(int *count);
/// NULL where there is none of that name.
ABUT_API const abut_study_kind *abut_study_find_kind(const char *name);

// ---------------------------------------------------------------------------------------------------------------
// Plan and results

/// A study without runs. ABUT_BAD_ARGUMENT for a kind of another size.
ABUT_API abut_status abut_study_create(const abut_context *context, const abut_study_kind *kind, abut_study **study,
                                       abut_error *error);
ABUT_API void abut_study_destroy(abut_study *study);
/// ABUT_BAD_ARGUMENT for a name that is not one, or that is there already.
ABUT_API abut_status abut_study_set(abut_study *study, abut_study_value setting, abut_error *error);
/// All runs have parameters of the same names in the same order.
ABUT_API abut_status abut_study_add_run(abut_study *study, const abut_study_value *parameters, int count,
                                        abut_error *error);

/// The parameters of a run.
ABUT_API const abut_study_value *abut_study_run_parameters(const abut_study *study, int run);
/// "scale 0.01, method opposing, seed 3": a run for messages. Cut where `room` is too small.
ABUT_API void abut_study_run_name(const abut_study *study, int run, char *text, size_t room);
/// Of some values, the one of this name, or NULL.
ABUT_API const abut_study_value *abut_study_find_value(const abut_study_value *values, int count, const char *name);
/// A parameter of a run that is a number; NaN where there is none.
ABUT_API double abut_study_run_number(const abut_study *study, int run, const char *name);

/// For `run` of a kind. The series is copied. ABUT_LIMIT where there are too many.
ABUT_API abut_status abut_study_add_value(abut_study_result *result, abut_study_value value, abut_error *error);
ABUT_API abut_status abut_study_add_series(const abut_context *context, abut_study_result *result, const char *name,
                                           const double *values, int count, abut_error *error);
ABUT_API void abut_study_result_release(const abut_context *context, abut_study_result *result);

// ---------------------------------------------------------------------------------------------------------------
// As text: a line of JSON for the plan and one for each result (docs/studies.md)

/// The plan. The same plan gives the same text. Release it with abut_study_text_release().
ABUT_API abut_status abut_study_print_plan(const abut_study *study, char **text, abut_error *error);
/// The result of a run that is not open.
ABUT_API abut_status abut_study_print_result(const abut_study *study, int run, char **text, abut_error *error);
ABUT_API void abut_study_text_release(const abut_study *study, char *text);

/// A study of a text of unknown origin, to hold results.
ABUT_API abut_status abut_study_parse_plan(const abut_context *context, const char *text, size_t length,
                                           abut_study **study, abut_error *error);
/// Takes a result of a text of unknown origin; `run` gets its number, and has the one that is expected, or -1 for
/// any. A failure is replaced by what comes later; a result that is there already is ABUT_BAD_DATA, with its number
/// in `run`.
ABUT_API abut_status abut_study_parse_result(abut_study *study, const char *text, size_t length, int *run,
                                             abut_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Parts: files of such lines, to which finished runs are appended

typedef struct abut_study_part abut_study_part;

/// Opens a part to append to; the results that it holds go into the study. A last line that is not whole is cut
/// off: its writer was killed. ABUT_BAD_DATA, with the line, where it is of another plan or no part; ABUT_IO where
/// it cannot be opened, or another process is writing it.
ABUT_API abut_status abut_study_part_open(abut_study *study, const char *path, abut_study_part **part,
                                          abut_error *error);
/// Writes the result of a run so that it outlives a crash of the machine.
ABUT_API abut_status abut_study_part_append(abut_study_part *part, int run, abut_error *error);
ABUT_API void abut_study_part_close(abut_study_part *part);

/// A study of all results of some parts, which must be of one plan; those that are in none stay open. ABUT_BAD_DATA
/// with the file and what is wrong, such as a run that two parts have.
ABUT_API abut_status abut_study_merge(const abut_context *context, const char *const *paths, int count,
                                      abut_study **study, abut_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Doing the runs

/// A line of a crew: the result of a run as text.
typedef struct abut_study_line {
    int run; ///< or -1: no run has ended
    char *text;
    size_t length;
} abut_study_line;

/// Who does the runs, some at a time.
typedef struct abut_study_crew {
    int size; ///< how many at a time
    abut_status (*start)(void *user, int run, abut_error *error);
    /// Waits for a run to end, but not long, and gives its line, which is valid until the next call.
    abut_status (*wait)(void *user, abut_study_line *line, abut_error *error);
    void *user;
} abut_study_crew;

/// Child processes of this one. A run that crashes, or that takes more than `seconds`, is a failed run.
typedef struct abut_study_pool abut_study_pool;
ABUT_API abut_status abut_study_pool_create(const abut_study *study, int size, double seconds,
                                            abut_study_pool **pool, abut_error *error);
/// Ends runs that are under way.
ABUT_API void abut_study_pool_destroy(abut_study_pool *pool);
ABUT_API abut_study_crew abut_study_pool_crew(abut_study_pool *pool);

/// How to do the runs. Start from abut_study_execution_default().
typedef struct abut_study_execution {
    size_t struct_size;
    abut_study_crew crew;
    int shard, shard_count; ///< the runs whose number divided by shard_count leaves shard; 0 and 1: all
    abut_study_part *part;  ///< gets every result at once; NULL: none
    /// Called after each run and a few times a second; `done` of `total` runs are. Returns 0 to stop. NULL: none.
    int (*on_progress)(void *user, int done, int total);
    void *user;
} abut_study_execution;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_study_execution_init(abut_study_execution *how, size_t size);
/// All runs, of one shard; there is no crew yet.
static inline abut_study_execution abut_study_execution_default(void)
{
    abut_study_execution how;
    abut_study_execution_init(&how, sizeof how);
    return how;
}

/// Does all open runs of the shard. ABUT_OK where all were done, those that failed too; ABUT_LIMIT where it was
/// stopped; else why it could not go on.
ABUT_API abut_status abut_study_execute(abut_study *study, const abut_study_execution *how, abut_error *error);
/// Makes failed runs open again.
ABUT_API void abut_study_reopen_failed(abut_study *study);
/// How many runs of a shard have the outcome.
ABUT_API int abut_study_count(const abut_study *study, int shard, int shard_count, abut_study_outcome outcome);

// ---------------------------------------------------------------------------------------------------------------
// The studies of Erleben 2018, sections 8.5 to 8.7: how good normals are after a few steps of a simulation

/// A contact method with its parameters.
typedef struct abut_quality_method {
    const abut_method *method;
    const abut_params *params; ///< copied, with their options; NULL: the defaults
} abut_quality_method;

/// Start from abut_quality_def_default().
typedef struct abut_quality_def {
    size_t struct_size;
    const char *scene; ///< a scene, or a case whose right contacts are known; default "pillar"
    const abut_quality_method *methods;
    int method_count;
    /// Perturbation: scales in metres, up to the scene's size; refinement: quality ratios of tetgen, 0 for coarse
    /// meshes, the only ones of a case; timestep: seconds.
    const double *values;
    int value_count;
    int seed_count; ///< perturbation: runs with the seeds 1, 2, ...; default 10; 1 for the others
    /// Perturbation: along which bodies are moved; default 0 and 2, x and z, as the author's program does.
    int axes[2];
    int step;              ///< the detection that is measured, from 1; default 3, for timestep 4
    double friction;       ///< default 0.5
    int iterations;        ///< of the solver, in every step; default 1000
    double refine_seconds; ///< refinement: time limit of a mesh; default 60
} abut_quality_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_quality_def_init(const abut_study_kind *kind, abut_quality_def *def, size_t size);
/// The paper's settings for a kind ("perturbation", "refinement" or "timestep"), without methods.
static inline abut_quality_def abut_quality_def_default(const abut_study_kind *kind)
{
    abut_quality_def def;
    abut_quality_def_init(kind, &def, sizeof def);
    return def;
}

/// The plan: runs by value, then method, then seed. A result has the values `contacts`, `good` (% of the normals
/// with Q of at least 0.99, which a plot shows as 1), `exact` (% within 1e-3 of the true normal), `mean_q`,
/// `least_q`, `fallbacks` (pairs of bodies that were too deep in each other for the method), and the series
/// `quality`: Q of each contact, ascending. Of a case, Q is the best with any of the expected normals. A run
/// without contacts has nothing to measure, and fails.
ABUT_API abut_status abut_quality_study_create(const abut_context *context, const abut_study_kind *kind,
                                               const abut_quality_def *def, abut_study **study, abut_error *error);

/// By how much the perturbation moves a body along an axis, from -1 to 1: a function of these three alone.
ABUT_API double abut_quality_shift(int seed, int body, int axis);

// ---------------------------------------------------------------------------------------------------------------
// The benchmarks of Yi and Drumwright 2016, section V-B: bodies that spin without slip (spinning.h)

/// Start from abut_spin_study_def_default(). All combinations of the lists are runs; those with a random start with
/// the seeds 1, 2, ...
typedef struct abut_spin_study_def {
    size_t struct_size;
    const char *scene;   ///< default "spinning-sphere"
    const int *vertices; ///< of spheres; default 50, 100, 200, 1000, 2000. The cube of spinning-box has 8
    int vertex_count;
    const abut_spin_start *starts; ///< default all three
    int start_count;
    const double *dts; ///< default 0.001, 0.01
    int dt_count;
    const double *radii; ///< default 1
    int radius_count;
    const double *tolerances; ///< of the methods, relative to the smaller body; default 1e-6
    int tolerance_count;
    const char *const *methods; ///< with their default options; default "convex"
    int method_count;
    int seed_count; ///< default 20
    abut_solver_kind solver;
} abut_spin_study_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_spin_study_def_init(abut_spin_study_def *def, size_t size);
static inline abut_spin_study_def abut_spin_study_def_default(void)
{
    abut_spin_study_def def;
    abut_spin_study_def_init(&def, sizeof def);
    return def;
}

/// The plan. A result has the values `outcome` ("keeps" at least 99 % of its kinetic energy, "stops": its spin
/// falls below 1 % for good, or "loses"), `kept`, `total_kept`, `stop_time`, `contacts`, `most_contacts` and
/// `fallbacks` of abut_spin_report, `paper` and `paper_stop_time`, what the paper says, and the series `energy`:
/// kinetic energy over that at the beginning, evenly in 5 s.
ABUT_API abut_status abut_spin_study_create(const abut_context *context, const abut_spin_study_def *def,
                                            abut_study **study, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
