// SPDX-License-Identifier: MIT
/// @file study.h
/// Studies: many independent runs, as processes on one machine, MPI ranks on several, or shards of a batch system. An
/// interrupted study can be continued. The results depend only on the plan. docs/studies.md shows the command.
///
/// A study is a plan and one result per run. The plan has the kind, settings that all runs share, and the parameters
/// of each run, in a fixed order. A kind is one row, abut_study_kind, of the table in lab/study/study.c. To add a
/// kind:
/// 1. Write its function `run`. It reads study->data and the parameters of its run, and adds named values and series
/// to
///    the result. If it fails, its message becomes the result of the run. It runs in a child process with one thread
///    and must depend on the plan only: not on time, machine or order of runs.
/// 2. Write a function that makes the plan: abut_study_create(), abut_study_set() for each shared setting that results
///    depend on, and abut_study_add_run() for each run. It stores what `run` needs in `data`.
/// 3. Add the row to the table, and a verb to cli/ that makes the plan from its options and calls
/// abut_cli_study_run().
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
    double number; ///< NaN: no value
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
    void *data;                 ///< of the kind; NULL if the study was read from a file: it cannot be run
} abut_study;

/// A kind of study: a row of the table.
struct abut_study_kind {
    size_t struct_size;  ///< sizeof(abut_study_kind)
    const char *name;    ///< as in the command
    const char *summary; ///< one line
    const char *sample;  ///< the parameter whose values are samples, over which statistics are computed
    /// Does one run and adds to the result. The context has one thread. The status decides the outcome.
    abut_status (*run)(const abut_study *study, int run, const abut_context *context, abut_study_result *result,
                       abut_error *error);
    void (*release)(void *data, const abut_context *context); ///< or NULL
};

/// All kinds.
ABUT_API const abut_study_kind *const *abut_study_kinds(int *count);
/// NULL if there is no kind of that name.
ABUT_API const abut_study_kind *abut_study_find_kind(const char *name);

// ---------------------------------------------------------------------------------------------------------------
// Plan and results

/// Makes a study without runs. ABUT_BAD_ARGUMENT if the struct_size of the kind is wrong.
ABUT_API abut_status abut_study_create(const abut_context *context, const abut_study_kind *kind, abut_study **study,
                                       abut_error *error);
ABUT_API void abut_study_destroy(abut_study *study);
/// Adds a setting. ABUT_BAD_ARGUMENT if the name is malformed or already used.
ABUT_API abut_status abut_study_set(abut_study *study, abut_study_value setting, abut_error *error);
/// Adds a run. All runs must have parameters of the same names in the same order.
ABUT_API abut_status abut_study_add_run(abut_study *study, const abut_study_value *parameters, int count,
                                        abut_error *error);

/// The parameters of a run.
ABUT_API const abut_study_value *abut_study_run_parameters(const abut_study *study, int run);
/// Names a run in messages, as in "scale 0.01, method opposing, seed 3". Cut if `room` is too small.
ABUT_API void abut_study_run_name(const abut_study *study, int run, char *text, size_t room);
/// The value of this name, or NULL.
ABUT_API const abut_study_value *abut_study_find_value(const abut_study_value *values, int count, const char *name);
/// The number of a parameter of a run; NaN if there is none.
ABUT_API double abut_study_run_number(const abut_study *study, int run, const char *name);

/// For the function `run` of a kind. The series is copied. ABUT_LIMIT if there are too many.
ABUT_API abut_status abut_study_add_value(abut_study_result *result, abut_study_value value, abut_error *error);
ABUT_API abut_status abut_study_add_series(const abut_context *context, abut_study_result *result, const char *name,
                                           const double *values, int count, abut_error *error);
ABUT_API void abut_study_result_release(const abut_context *context, abut_study_result *result);

// ---------------------------------------------------------------------------------------------------------------
// As text: a line of JSON for the plan and one for each result (docs/studies.md)

/// Prints the plan. Equal plans give equal texts. Release with abut_study_text_release().
ABUT_API abut_status abut_study_print_plan(const abut_study *study, char **text, abut_error *error);
/// Prints the result of a run, which must not be open. Release with abut_study_text_release().
ABUT_API abut_status abut_study_print_result(const abut_study *study, int run, char **text, abut_error *error);
ABUT_API void abut_study_text_release(const abut_study *study, char *text);

/// Reads a plan from untrusted text, to hold results.
ABUT_API abut_status abut_study_parse_plan(const abut_context *context, const char *text, size_t length,
                                           abut_study **study, abut_error *error);
/// Reads a result from untrusted text. On entry, `run` is the number that is expected, or -1 for any; on return, the
/// number of the result. A later result replaces a failed one. ABUT_BAD_DATA if the run already has a result.
ABUT_API abut_status abut_study_parse_result(abut_study *study, const char *text, size_t length, int *run,
                                             abut_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Parts: files of these lines, to which finished runs are appended

typedef struct abut_study_part abut_study_part;

/// Opens a part to append to, and reads its results into the study. An incomplete last line, left by a writer that was
/// killed, is cut off. ABUT_BAD_DATA, with the line, if the file is not a part of this plan; ABUT_IO if it cannot be
/// opened or another process is writing it.
ABUT_API abut_status abut_study_part_open(abut_study *study, const char *path, abut_study_part **part,
                                          abut_error *error);
/// Appends the result of a run and syncs the file to disk.
ABUT_API abut_status abut_study_part_append(abut_study_part *part, int run, abut_error *error);
ABUT_API void abut_study_part_close(abut_study_part *part);

/// Makes a study of the results of several parts of one plan. Runs that are in no part stay open. ABUT_BAD_DATA, with
/// the file and the reason, if parts do not fit together, for example if two have the same run.
ABUT_API abut_status abut_study_merge(const abut_context *context, const char *const *paths, int count,
                                      abut_study **study, abut_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Doing the runs

/// The result of a run as text, from a crew.
typedef struct abut_study_line {
    int run; ///< or -1: no run has ended
    char *text;
    size_t length;
} abut_study_line;

/// Does runs, several at a time.
typedef struct abut_study_crew {
    int size; ///< runs at a time
    abut_status (*start)(void *user, int run, abut_error *error);
    /// Waits a short time for a run to end, and returns its line, which is valid until the next call.
    abut_status (*wait)(void *user, abut_study_line *line, abut_error *error);
    void *user;
} abut_study_crew;

/// A crew of child processes. A run that crashes or takes longer than `seconds` has failed.
typedef struct abut_study_pool abut_study_pool;
ABUT_API abut_status abut_study_pool_create(const abut_study *study, int size, double seconds,
                                            abut_study_pool **pool, abut_error *error);
/// Kills runs that are under way.
ABUT_API void abut_study_pool_destroy(abut_study_pool *pool);
ABUT_API abut_study_crew abut_study_pool_crew(abut_study_pool *pool);

/// How to do the runs. Start from abut_study_execution_default().
typedef struct abut_study_execution {
    size_t struct_size;
    abut_study_crew crew;
    int shard, shard_count; ///< do the runs with number % shard_count == shard; default 0 and 1: all
    abut_study_part *part;  ///< each result is appended to it as soon as it is there; NULL: none
    /// Called after each run and a few times a second. Returns 0 to stop. NULL: none.
    int (*on_progress)(void *user, int done, int total);
    void *user;
} abut_study_execution;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_study_execution_init(abut_study_execution *how, size_t size);
/// All runs; the caller sets the crew.
static inline abut_study_execution abut_study_execution_default(void)
{
    abut_study_execution how;
    abut_study_execution_init(&how, sizeof how);
    return how;
}

/// Does all open runs of the shard. ABUT_OK if all were done, even if some failed; ABUT_LIMIT if it was stopped;
/// otherwise why it could not continue.
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
    const char *scene; ///< a scene, or a case whose correct contacts are known; default "pillar"
    const abut_quality_method *methods;
    int method_count;
    /// Perturbation: scales in metres, up to the scene's size. Refinement: quality ratios of tetgen; 0 means coarse
    /// meshes and is the only value for cases. Timestep: seconds.
    const double *values;
    int value_count;
    int seed_count; ///< seeds 1, 2, ... of the perturbation; default 10, for the other kinds 1
    /// Perturbation: the axes along which bodies are moved; default 0 and 2 (x and z), as in the author's program.
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

/// Makes the plan: runs by value, then method, then seed. A result has the values `contacts`, `good` (% of the normals
/// with Q of at least 0.99, which looks like 1 in a plot), `exact` (% within 1e-3 of the true normal), `mean_q`,
/// `least_q`, and the series `quality`: Q of each contact, ascending. Q of a case's contact is the best over all expected normals. A run without contacts fails.
ABUT_API abut_status abut_quality_study_create(const abut_context *context, const abut_study_kind *kind,
                                               const abut_quality_def *def, abut_study **study, abut_error *error);

/// How far the perturbation moves a body along an axis, from -1 to 1. Depends on the three arguments only.
ABUT_API double abut_quality_shift(int seed, int body, int axis);

// ---------------------------------------------------------------------------------------------------------------
// The benchmarks of Yi and Drumwright 2016, section V-B: bodies that spin without slip (spinning.h)

/// Start from abut_spin_study_def_default(). The runs are all combinations of the lists; those with a random start are
/// repeated for the seeds 1, 2, ...
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

/// Makes the plan. A result has the values `outcome` ("keeps": at least 99 % of the kinetic energy; "stops": the spin
/// falls below 1 % for good; or "loses"), `kept`, `total_kept`, `stop_time`, `contacts` and `most_contacts`
/// of abut_spin_report, `paper` and `paper_stop_time` from the paper, and the series `energy`: kinetic
/// energy / that at the beginning, evenly spaced over 5 s.
ABUT_API abut_status abut_spin_study_create(const abut_context *context, const abut_spin_study_def *def,
                                            abut_study **study, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
