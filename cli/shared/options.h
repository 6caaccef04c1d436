// SPDX-License-Identifier: MIT
// options.h: verbs, their options, and the arguments of a call
#ifndef ABUT_CLI_OPTIONS_H
#define ABUT_CLI_OPTIONS_H

#include "shared/command.h"

#include <stdio.h>

/// An option of a verb.
typedef struct abut_cli_option {
    const char *name;     ///< without the dashes
    const char *argument; ///< placeholder of its value in the help; NULL: a switch without a value
    const char *help;
    int is_repeatable;
    int is_lettered; ///< the name ends in "-a" and stands for -a, -b, ...: one for each file
} abut_cli_option;

typedef struct abut_cli_verb abut_cli_verb;

/// How many files can have lettered options: -a to -z.
enum { ABUT_CLI_LETTERS = 26 };

/// An option of the call.
typedef struct abut_cli_value {
    const abut_cli_option *option;
    char letter; ///< of a lettered option, else 0
    const char *text;
} abut_cli_value;

typedef struct abut_cli_arguments {
    const abut_cli_verb *verb;
    const char **operands; ///< the arguments that are not options
    int operand_count;
    abut_cli_value *values; ///< in the order given
    int value_count;
} abut_cli_arguments;

/// A verb of the command: its help and what runs it.
struct abut_cli_verb {
    const char *name;    ///< one word, or two: "mesh info"
    const char *summary; ///< one line
    const char *usage;   ///< what follows the name
    const char *details; ///< paragraphs
    const char *example; ///< commands, a line each
    const abut_cli_option *options;
    int option_count;
    int operand_minimum, operand_maximum; ///< maximum -1: no limit
    abut_cli_exit (*run)(const abut_cli_arguments *arguments);
    /// Modes: verbs of the same name with options of their own, up to NULL. The first one whose option is given runs
    /// instead of this verb. NULL: none.
    const abut_cli_verb *const *modes;
    const char *mode;           ///< of a mode: the option that selects it, also the word in --help=WORD; else NULL
    const abut_cli_verb *whole; ///< of a mode: the verb that has it; else NULL
};

/// The option of all verbs that print results.
#define ABUT_CLI_FORMAT_OPTION                                                                                     \
    {                                                                                                              \
        "format", "FORMAT", "table (default), json or csv", 0, 0                                                   \
    }

/// Sorts the arguments after the verb into options and operands; everything after "--" is an operand.
/// The texts belong to `argv`. Release with abut_cli_arguments_release(), also after a failure.
abut_cli_exit abut_cli_arguments_parse(const abut_cli_verb *verb, int argc, char *const *argv,
                                       abut_cli_arguments *arguments);
void abut_cli_arguments_release(abut_cli_arguments *arguments);

/// The mode of a verb that the arguments select, or the verb itself.
const abut_cli_verb *abut_cli_mode_select(const abut_cli_verb *verb, int argc, char *const *argv);

/// Whether help is asked for: --help, --help=MODE or -h before any "--".
int abut_cli_wants_help(int argc, char *const *argv);

/// For the first argument of a call: "WORD" of --help=WORD, "" of help, --help and -h, NULL of others.
const char *abut_cli_help_word(const char *argument);

/// The help page that is asked for: that of `word` unless it is NULL or "", else that of --help=MODE in the arguments,
/// else that of the mode that the arguments select.
abut_cli_exit abut_cli_help_select(const abut_cli_verb *verb, const char *word, int argc, char *const *argv,
                                   const abut_cli_verb **page);

/// The value of an option; "" for a switch; NULL if it was not given.
const char *abut_cli_value_of(const abut_cli_arguments *arguments, const char *name);

/// The next value of a repeatable option from *position on, or NULL; start with *position 0.
const char *abut_cli_next_value(const abut_cli_arguments *arguments, const char *name, int *position);

/// Reads a number of at least `lower`. If the option was not given, `value` is unchanged; so in the functions below.
abut_cli_exit abut_cli_number_of(const abut_cli_arguments *arguments, const char *name, double lower,
                                 double *value);

/// Reads a number above 0.
abut_cli_exit abut_cli_positive_of(const abut_cli_arguments *arguments, const char *name, double *value);

/// Reads a number from `lower` to `upper`.
abut_cli_exit abut_cli_range_of(const abut_cli_arguments *arguments, const char *name, double lower, double upper,
                                double *value);

/// Reads a whole number from `least` to 1e9.
abut_cli_exit abut_cli_count_of(const abut_cli_arguments *arguments, const char *name, int least, int *count);

/// Reads one of the words, which end with NULL.
abut_cli_exit abut_cli_word_of(const abut_cli_arguments *arguments, const char *name, const char *const *words,
                               int *index);

/// Texts. Release with abut_cli_list_release().
typedef struct abut_cli_list {
    char **items;
    int count;
} abut_cli_list;

/// Reads all values of an option, split at commas. Fails with ABUT_CLI_BAD_INPUT if an item is empty.
abut_cli_exit abut_cli_list_of(const abut_cli_arguments *arguments, const char *name, abut_cli_list *list);
/// Splits a text at commas and adds the items. Returns 0 if one is empty.
int abut_cli_list_split(abut_cli_list *list, const char *text);
void abut_cli_list_add(abut_cli_list *list, const char *text);
int abut_cli_list_has(const abut_cli_list *list, const char *text);
void abut_cli_list_release(abut_cli_list *list);

/// A list of numbers, separated by commas, and their range.
typedef struct abut_cli_numbers {
    double lower, upper;
    int is_whole;
    const char *zero; ///< a word for 0, which need not be in the range; or NULL
    double *items;    ///< release with free(); NULL if the option was not given
    int count;
} abut_cli_numbers;

abut_cli_exit abut_cli_numbers_of(const abut_cli_arguments *arguments, const char *name, abut_cli_numbers *numbers);

/// Prints a text with line breaks between words. The first word is at `column`; the other lines are indented by
/// `indent`.
void abut_cli_wrap_print(const char *text, int column, int indent, FILE *out);

void abut_cli_help_print(const abut_cli_verb *verb, FILE *out);

#endif
