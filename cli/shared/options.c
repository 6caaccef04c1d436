// SPDX-License-Identifier: MIT
// options.c: verbs, their options, and arguments as given
#define _POSIX_C_SOURCE 200809L
#include "shared/options.h"

#include "shared/parse.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 100, HELP_INDENT = 37 };

// Whether `name` (of `length` letters) is this option; sets the letter of a lettered one.
static int is_option(const abut_cli_option *option, const char *name, size_t length, char *letter)
{
    size_t own = strlen(option->name);
    *letter = '\0';
    if (length != own) {
        return 0;
    }
    if (!option->is_lettered) {
        return memcmp(option->name, name, length) == 0;
    }
    *letter = name[length - 1];
    return *letter >= 'a' && *letter <= 'z' && memcmp(option->name, name, length - 1) == 0;
}

static const char *option_word(const void *user, int index)
{
    const abut_cli_verb *verb = user;
    return index < verb->option_count ? verb->options[index].name : index == verb->option_count ? "help" : NULL;
}

static int has_option(const abut_cli_verb *verb, const char *name, size_t length)
{
    char letter;
    for (int i = 0; i < verb->option_count; ++i) {
        if (is_option(&verb->options[i], name, length, &letter)) {
            return 1;
        }
    }
    return 0;
}

/// An option that a mode of a verb does not have, but the verb or another mode does.
static abut_cli_exit misplaced_option(const abut_cli_verb *verb, const char *name, size_t length)
{
    char *places =
        has_option(verb->whole, name, length) ? abut_cli_print("without --%s", verb->mode) : abut_cli_copy("");
    for (int i = 0; verb->whole->modes[i] != NULL; ++i) {
        const abut_cli_verb *other = verb->whole->modes[i];
        int is_its_own = strlen(other->mode) == length && memcmp(other->mode, name, length) == 0;
        if (other != verb && !is_its_own && has_option(other, name, length)) {
            char *longer = abut_cli_print("%s%swith --%s", places, places[0] != '\0' ? " or " : "", other->mode);
            free(places);
            places = longer;
        }
    }
    abut_cli_exit code =
        places[0] == '\0' ? ABUT_CLI_DONE
                          : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%.*s cannot be used with --%s: use it %s",
                                          (int)length, name, verb->mode, places);
    free(places);
    return code;
}

static abut_cli_exit unknown_option(const abut_cli_verb *verb, const char *text, const char *name, size_t length)
{
    abut_cli_exit code = verb->mode != NULL ? misplaced_option(verb, name, length) : ABUT_CLI_DONE;
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    char word[64];
    int letters = (int)(length < 63 ? length : 63);
    (void)snprintf(word, sizeof word, "%.*s", letters, name);
    for (int i = 0; i < letters; ++i) {
        word[i] = (char)tolower((unsigned char)word[i]);
    }
    // --pose-c is spelt like --pose-a: compare without the letter of the file.
    char letter = 'a';
    if (letters > 2 && word[letters - 2] == '-' && word[letters - 1] >= 'a' && word[letters - 1] <= 'z') {
        letter = word[letters - 1];
        word[letters - 1] = 'a';
    }
    const char *nearest = abut_cli_nearest(word, option_word, verb);
    if (nearest != NULL) {
        int is_lettered = 0;
        for (int i = 0; i < verb->option_count; ++i) {
            is_lettered |= verb->options[i].is_lettered && strcmp(verb->options[i].name, nearest) == 0;
        }
        int stem = (int)strlen(nearest) - is_lettered;
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown option %.*s: do you mean --%.*s%s? See abut %s --help",
                             (int)(name + length - text), text, stem, nearest,
                             is_lettered ? (char[]){letter, '\0'} : "", verb->name);
    }
    return abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown option %.*s: see abut %s --help", (int)(name + length - text),
                         text, verb->name);
}

static int is_given(const abut_cli_arguments *arguments, const abut_cli_option *option, char letter)
{
    for (int i = 0; i < arguments->value_count; ++i) {
        if (arguments->values[i].option == option && arguments->values[i].letter == letter) {
            return 1;
        }
    }
    return 0;
}

// Some values are several numbers in quotes. Without quotes, the shell makes an argument of each.
static abut_cli_exit check_quotes(const abut_cli_option *option, const char *text, const char *value,
                                  const char *next)
{
    double number;
    return option->argument[0] == '"' && next != NULL && abut_cli_parse_number(value, &number) &&
                   abut_cli_parse_number(next, &number)
               ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "option %s %s %s: put all of its numbers into quotes: %s %s",
                               text, value, next, text, option->argument)
               : ABUT_CLI_DONE;
}

// Reads the option at argv[*index]. Its value follows after "=" or is the next argument.
static abut_cli_exit read_option(int argc, char *const *argv, int *index, abut_cli_arguments *arguments)
{
    const abut_cli_verb *verb = arguments->verb;
    const char *text = argv[*index];
    const char *name = text + (text[1] == '-' ? 2 : 1);
    const char *equals = strchr(name, '=');
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const abut_cli_option *option = NULL;
    char letter = '\0';
    for (int i = 0; i < verb->option_count && option == NULL && text[1] == '-'; ++i) {
        if (is_option(&verb->options[i], name, length, &letter)) {
            option = &verb->options[i];
        }
    }
    if (option == NULL) {
        return unknown_option(verb, text, name, length);
    }
    const char *value = equals != NULL ? equals + 1 : NULL;
    if (option->argument == NULL && value != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s takes no value", option->name);
    }
    if (option->argument != NULL && value == NULL) {
        if (*index + 1 >= argc || strncmp(argv[*index + 1], "--", 2) == 0) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option %s needs a value: %s %s", text, text,
                                 option->argument);
        }
        value = argv[++*index];
        abut_cli_exit code = check_quotes(option, text, value, *index + 1 < argc ? argv[*index + 1] : NULL);
        if (code != ABUT_CLI_DONE) {
            return code;
        }
    }
    if (!option->is_repeatable && is_given(arguments, option, letter)) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%.*s is given twice; remove one", (int)length, name);
    }
    arguments->values[arguments->value_count++] = (abut_cli_value){option, letter, value != NULL ? value : ""};
    return ABUT_CLI_DONE;
}

static abut_cli_exit check_operands(const abut_cli_arguments *arguments)
{
    const abut_cli_verb *verb = arguments->verb;
    if (arguments->operand_count < verb->operand_minimum) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "too few arguments: abut %s %s", verb->name, verb->usage);
    }
    if (verb->operand_maximum == 0 && arguments->operand_count > 0) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "unexpected argument '%s': abut %s takes options only; see abut %s --help",
                             arguments->operands[0], verb->name, verb->name);
    }
    if (verb->operand_maximum >= 0 && arguments->operand_count > verb->operand_maximum) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "unexpected argument '%s': abut %s %s",
                             arguments->operands[verb->operand_maximum], verb->name, verb->usage);
    }
    for (int i = 0; i < arguments->operand_count; ++i) {
        if (arguments->operands[i][0] == '\0') {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "argument %d is empty: abut %s %s", i + 1, verb->name,
                                 verb->usage);
        }
    }
    return ABUT_CLI_DONE;
}

abut_cli_exit abut_cli_arguments_parse(const abut_cli_verb *verb, int argc, char *const *argv,
                                       abut_cli_arguments *arguments)
{
    *arguments = (abut_cli_arguments){.verb = verb};
    arguments->operands = abut_cli_resize(NULL, (size_t)argc, sizeof *arguments->operands);
    arguments->values = abut_cli_resize(NULL, (size_t)argc, sizeof *arguments->values);
    int only_operands = 0;
    for (int i = 0; i < argc; ++i) {
        if (!only_operands && strcmp(argv[i], "--") == 0) {
            only_operands = 1;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1] != '\0') {
            abut_cli_exit code = read_option(argc, argv, &i, arguments);
            if (code != ABUT_CLI_DONE) {
                return code;
            }
        } else {
            arguments->operands[arguments->operand_count++] = argv[i];
        }
    }
    return check_operands(arguments);
}

void abut_cli_arguments_release(abut_cli_arguments *arguments)
{
    free(arguments->operands);
    free(arguments->values);
    *arguments = (abut_cli_arguments){0};
}

/// The value in "--NAME=VALUE", "" for "--NAME", or NULL: the argument is something else.
static const char *value_in(const char *argument, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(argument, "--", 2) != 0 || strncmp(argument + 2, name, length) != 0) {
        return NULL;
    }
    const char *rest = argument + 2 + length;
    return *rest == '=' ? rest + 1 : *rest == '\0' ? rest : NULL;
}

/// The first argument before any "--" that is this option, as value_in() has it, or NULL.
static const char *find_argument(int argc, char *const *argv, const char *name)
{
    const char *value = NULL;
    for (int i = 0; i < argc && value == NULL && strcmp(argv[i], "--") != 0; ++i) {
        value = value_in(argv[i], name);
    }
    return value;
}

const abut_cli_verb *abut_cli_mode_select(const abut_cli_verb *verb, int argc, char *const *argv)
{
    for (int i = 0; verb->modes != NULL && verb->modes[i] != NULL; ++i) {
        if (find_argument(argc, argv, verb->modes[i]->mode) != NULL) {
            return verb->modes[i];
        }
    }
    return verb;
}

const char *abut_cli_help_word(const char *argument)
{
    return strcmp(argument, "help") == 0 || strcmp(argument, "-h") == 0 ? "" : value_in(argument, "help");
}

int abut_cli_wants_help(int argc, char *const *argv)
{
    int has_letter = 0;
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        has_letter |= strcmp(argv[i], "-h") == 0;
    }
    return has_letter || find_argument(argc, argv, "help") != NULL;
}

abut_cli_exit abut_cli_help_select(const abut_cli_verb *verb, const char *word, int argc, char *const *argv,
                                   const abut_cli_verb **page)
{
    word = word != NULL && word[0] != '\0' ? word : find_argument(argc, argv, "help");
    if (word == NULL || word[0] == '\0') {
        *page = abut_cli_mode_select(verb, argc, argv);
        return ABUT_CLI_DONE;
    }
    char *pages = abut_cli_copy("--help");
    for (int i = 0; verb->modes != NULL && verb->modes[i] != NULL; ++i) {
        if (strcmp(verb->modes[i]->mode, word) == 0) {
            *page = verb->modes[i];
            free(pages);
            return ABUT_CLI_DONE;
        }
        char *longer = abut_cli_print("%s, --help=%s", pages, verb->modes[i]->mode);
        free(pages);
        pages = longer;
    }
    abut_cli_exit code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "abut %s has no help page '%s': use abut %s %s",
                                       verb->name, word, verb->name, pages);
    free(pages);
    return code;
}

const char *abut_cli_next_value(const abut_cli_arguments *arguments, const char *name, int *position)
{
    while (*position < arguments->value_count) {
        const abut_cli_value *value = &arguments->values[(*position)++];
        if (strcmp(value->option->name, name) == 0) {
            return value->text;
        }
    }
    return NULL;
}

const char *abut_cli_value_of(const abut_cli_arguments *arguments, const char *name)
{
    int position = 0;
    return abut_cli_next_value(arguments, name, &position);
}

abut_cli_exit abut_cli_number_of(const abut_cli_arguments *arguments, const char *name, double lower, double *value)
{
    const char *text = abut_cli_value_of(arguments, name);
    if (text == NULL) {
        return ABUT_CLI_DONE;
    }
    if (!abut_cli_parse_number(text, value)) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s '%s': must be a finite number", name, text);
    }
    if (*value < lower) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s '%s': must be at least %g", name, text, lower);
    }
    return ABUT_CLI_DONE;
}

abut_cli_exit abut_cli_range_of(const abut_cli_arguments *arguments, const char *name, double lower, double upper,
                                double *value)
{
    abut_cli_exit code = abut_cli_number_of(arguments, name, -HUGE_VAL, value);
    if (code != ABUT_CLI_DONE || abut_cli_value_of(arguments, name) == NULL ||
        (*value >= lower && *value <= upper)) {
        return code;
    }
    return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s '%s': must be from %g to %g", name,
                         abut_cli_value_of(arguments, name), lower, upper);
}

abut_cli_exit abut_cli_positive_of(const abut_cli_arguments *arguments, const char *name, double *value)
{
    abut_cli_exit code = abut_cli_number_of(arguments, name, -HUGE_VAL, value);
    if (code != ABUT_CLI_DONE || abut_cli_value_of(arguments, name) == NULL || *value > 0.0) {
        return code;
    }
    return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s '%s': must be more than 0", name,
                         abut_cli_value_of(arguments, name));
}

void abut_cli_list_add(abut_cli_list *list, const char *text)
{
    list->items = abut_cli_resize(list->items, (size_t)list->count + 1, sizeof *list->items);
    list->items[list->count++] = abut_cli_copy(text);
}

int abut_cli_list_has(const abut_cli_list *list, const char *text)
{
    for (int i = 0; i < list->count; ++i) {
        if (strcmp(list->items[i], text) == 0) {
            return 1;
        }
    }
    return 0;
}

void abut_cli_list_release(abut_cli_list *list)
{
    for (int i = 0; i < list->count; ++i) {
        free(list->items[i]);
    }
    free(list->items);
    *list = (abut_cli_list){0};
}

abut_cli_exit abut_cli_count_of(const abut_cli_arguments *arguments, const char *name, int least, int *count)
{
    double value = *count;
    abut_cli_exit code = abut_cli_number_of(arguments, name, -HUGE_VAL, &value);
    if (code != ABUT_CLI_DONE || abut_cli_value_of(arguments, name) == NULL) {
        return code;
    }
    if (value != floor(value) || value < least || value > 1e9) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s '%s': must be a whole number from %d to 1000000000",
                             name, abut_cli_value_of(arguments, name), least);
    }
    *count = (int)value;
    return code;
}

abut_cli_exit abut_cli_word_of(const abut_cli_arguments *arguments, const char *name, const char *const *words,
                               int *index)
{
    const char *text = abut_cli_value_of(arguments, name);
    if (text == NULL) {
        return ABUT_CLI_DONE;
    }
    for (int i = 0; words[i] != NULL; ++i) {
        if (strcmp(words[i], text) == 0) {
            *index = i;
            return ABUT_CLI_DONE;
        }
    }
    char list[128] = "";
    size_t used = 0;
    for (int i = 0; words[i] != NULL && used < sizeof list; ++i) {
        const char *before = i == 0 ? "" : words[i + 1] != NULL ? ", " : " or ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", before, words[i]);
    }
    return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s '%s': must be %s", name, text, list);
}

int abut_cli_list_split(abut_cli_list *list, const char *text)
{
    char *copy = abut_cli_copy(text);
    int has_empty = 0;
    for (char *item = copy; item != NULL && !has_empty;) {
        char *comma = strchr(item, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        has_empty = item[0] == '\0';
        abut_cli_list_add(list, item);
        item = comma != NULL ? comma + 1 : NULL;
    }
    free(copy);
    return !has_empty;
}

abut_cli_exit abut_cli_list_of(const abut_cli_arguments *arguments, const char *name, abut_cli_list *list)
{
    int position = 0;
    const char *text;
    while ((text = abut_cli_next_value(arguments, name, &position)) != NULL) {
        if (!abut_cli_list_split(list, text)) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s '%s': a name in the list is empty", name, text);
        }
    }
    return ABUT_CLI_DONE;
}

/// Reads an item of a list. Returns 0 if it is no number of the range.
static int number_in(const abut_cli_numbers *numbers, const char *text, double *value)
{
    if (numbers->zero != NULL && strcmp(text, numbers->zero) == 0) {
        *value = 0.0;
        return 1;
    }
    return abut_cli_parse_number(text, value) && *value >= numbers->lower && *value <= numbers->upper &&
           (!numbers->is_whole || *value == floor(*value));
}

abut_cli_exit abut_cli_numbers_of(const abut_cli_arguments *arguments, const char *name, abut_cli_numbers *numbers)
{
    const char *text = abut_cli_value_of(arguments, name), *wrong = NULL;
    abut_cli_list list = {0};
    if (text == NULL) {
        return ABUT_CLI_DONE;
    }
    (void)abut_cli_list_split(&list, text); // empty items fail below: they are no numbers
    numbers->items = abut_cli_resize(NULL, (size_t)list.count, sizeof *numbers->items);
    for (int i = 0; i < list.count && wrong == NULL; ++i) {
        wrong = number_in(numbers, list.items[i], &numbers->items[i]) ? NULL : list.items[i];
    }
    numbers->count = list.count;
    abut_cli_exit code = ABUT_CLI_DONE;
    if (wrong != NULL) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s '%s': '%s' must be a %snumber from %g to %g%s%s",
                             name, text, wrong, numbers->is_whole ? "whole " : "", numbers->lower, numbers->upper,
                             numbers->zero != NULL ? ", or " : "", numbers->zero != NULL ? numbers->zero : "");
    }
    abut_cli_list_release(&list);
    return code;
}

void abut_cli_wrap_print(const char *text, int column, int indent, FILE *out)
{
    for (const char *word = text; *word != '\0';) {
        int length = (int)strcspn(word, " ");
        if (column > indent && column + 1 + length > LINE_WIDTH) {
            (void)fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (word != text) {
            (void)fputc(' ', out);
            ++column;
        }
        (void)fprintf(out, "%.*s", length, word);
        column += length;
        word += length + (word[length] == ' ');
    }
    (void)fputc('\n', out);
}

void abut_cli_help_print(const abut_cli_verb *verb, FILE *out)
{
    (void)fprintf(out, "%s\n\nUsage: abut %s %s\n\n%s\nOptions:\n", verb->summary, verb->name, verb->usage,
                  verb->details);
    for (int i = 0; i < verb->option_count; ++i) {
        char left[80];
        const abut_cli_option *option = &verb->options[i];
        (void)snprintf(left, sizeof left, "--%s%s%s", option->name, option->argument != NULL ? " " : "",
                       option->argument != NULL ? option->argument : "");
        abut_cli_wrap_print(option->help, fprintf(out, "  %-34s ", left), HELP_INDENT, out);
    }
    (void)fprintf(out, "  %-34s %s\n\nExample:\n%s", "--help", "this text", verb->example);
}
