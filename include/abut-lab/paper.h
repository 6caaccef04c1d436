// SPDX-License-Identifier: MIT
/// @file paper.h
/// The numbers that Erleben 2018 prints for its eight methods, with the settings and measures to reproduce them, and
/// those of Yi and Drumwright 2016 on spinning bodies.
#ifndef ABUT_LAB_PAPER_H
#define ABUT_LAB_PAPER_H

#include <abut-lab/measure.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The paper's numbers for a method on a case or scene. NaN: the paper has none.
typedef struct abut_paper_row {
    const char *method;    ///< as in the command
    const char *case_name; ///< of a case or scene
    const char *source;    ///< for example "Table 8"
    double quality;        ///< %; 0 if the method finds no contacts
    double coverage;       ///< % of the expected normals; for Wall and Arch 100 times P
    double contacts;       ///< Table 8 has contacts / minimum with one decimal; rounded to a whole number here
} abut_paper_row;

/// All rows: Table 7, Table 8, and sections 8.2 and 8.3.
ABUT_API const abut_paper_row *abut_paper_rows(int *count);
/// NULL if the paper has no numbers.
ABUT_API const abut_paper_row *abut_paper_find(const char *method, const char *case_name);

/// Contact counts over the first 500 steps (Table 6).
typedef struct abut_paper_counts {
    const char *method;    ///< as in the command
    const char *case_name; ///< "pillar"
    double mean, deviation;
    int least, most;
} abut_paper_counts;

/// NULL if the paper has no numbers.
ABUT_API const abut_paper_counts *abut_paper_find_counts(const char *method, const char *case_name);

/// How a simulation ends according to the paper (section 7).
typedef struct abut_paper_behaviour {
    const char *method, *case_name;
    const char *source; ///< for example "section 7.2"
    /// "stands", "collapsed" or "too stable", as in abut_outcome_text(); or "good" or "fails" if the paper does not
    /// say what happens.
    const char *word;
} abut_paper_behaviour;

/// NULL if the paper does not say.
ABUT_API const abut_paper_behaviour *abut_paper_find_behaviour(const char *method, const char *case_name);

/// The state of the paper's numbers: the second detection of a simulation, and for sliding-wedge the first
/// (docs/reproduction.md). Touching for names that the paper does not have.
ABUT_API abut_state abut_paper_state(const char *case_name);
/// The scene size S of the paper's numbers for a fundamental case.
ABUT_API double abut_paper_scene_size(const char *case_name);

/// How a method of the paper is read.
typedef enum abut_paper_reading {
    ABUT_PAPER_TEXT = 0,          ///< as the paper describes it
    ABUT_PAPER_PROGRAM = 1,       ///< as the author's program does it, in its single precision
    ABUT_PAPER_PROGRAM_DOUBLE = 2 ///< the same in double precision
} abut_paper_reading;

/// The options of a method of the paper in a reading, as "NAME=VALUE NAME=VALUE"; "" for other methods. `is_eroded`:
/// the meshes are those of abut_states_load(), which the program has eroded.
ABUT_API const char *abut_paper_options(const char *method, abut_paper_reading reading, int is_eroded);

/// Whether the author's program leaves face normals unnormalised, so that their length is twice the area of the face.
ABUT_API int abut_paper_has_long_normals(const char *method, abut_paper_reading reading);

/// The part of a contact that is scored. With `has_long_normals`, a face normal has the length of the author's
/// program.
ABUT_API abut_sample abut_paper_sample(const abut_pair *pair, const abut_contact *contact, int has_long_normals);

/// abut_measure() the way the paper's numbers seem to be computed: by ABUT_READING_TABLE, ignoring the sign of
/// normals, which match within 0.01, and with quality 0 if there are no contacts.
ABUT_API abut_status abut_paper_measure(const abut_context *context, const abut_case *item, abut_case_poses poses,
                                        const abut_sample *samples, int count, abut_measures *measures,
                                        abut_error *error);

/// How close a number is to the paper's.
typedef enum abut_agreement {
    ABUT_AGREEMENT_NONE = 0, ///< one of the two numbers is missing
    ABUT_AGREEMENT_EQUAL = 1,
    ABUT_AGREEMENT_NEAR = 2, ///< percentages within 10 points, counts within 10 %
    ABUT_AGREEMENT_DIFFERENT = 3
} abut_agreement;

/// Percentages are equal if they agree when rounded to one decimal, as the paper prints them.
ABUT_API abut_agreement abut_paper_compare_percent(double ours, double paper);
ABUT_API abut_agreement abut_paper_compare_count(double ours, double paper);

// ---------------------------------------------------------------------------------------------------------------
// Yi and Drumwright 2016, sections V-B and V-C

/// What happens, according to the paper, to a body that spins without slip for 5 s.
typedef struct abut_paper_spin {
    const char *scene;
    int vertices;
    double dt;           ///< NaN: the paper does not say
    const char *outcome; ///< "keeps" its energy, "stops", or "loses" some
    double stop_time;    ///< or NaN
} abut_paper_spin;

/// NULL if the paper does not say. Its spheres have radius 1.
ABUT_API const abut_paper_spin *abut_paper_find_spin(const char *scene, int vertices, double dt, double radius);

/// A row of Table II, with the shares of time from the text.
typedef struct abut_paper_profile {
    const char *scene;
    int vertices_a, vertices_b;
    double step_ms;                        ///< mean time of a step
    double contact_percent, vclip_percent; ///< of the time, for contact determination and for V-Clip
} abut_paper_profile;

ABUT_API const abut_paper_profile *abut_paper_profiles(int *count);

#ifdef __cplusplus
}
#endif
#endif
