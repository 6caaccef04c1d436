// SPDX-License-Identifier: MIT
// completion.c: a script that completes verbs, options and values in bash
//
// The script knows verbs, options and the names of cases and scenes as they were at build time. It asks the command for
// the names of methods and of what studies take. Everything else is completed as a file name.
#include "manual/manual.h"
#include "shared/selection.h"

#include <abut-lab/simulation.h>

#include <ctype.h>
#include <string.h>

static const char HEAD[] =
    "_abut_names() {\n"
    "    \"$1\" \"$2\" --format csv 2>/dev/null | sed -n '2,$s/,.*//p'\n"
    "}\n\n"
    "_abut() {\n"
    "    local command=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]}\n"
    "    local before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} first=2 words=\n"
    "    local help= is_list= begin=\n"
    "    COMPREPLY=()\n"
    "    # --option=value comes as three words\n"
    "    if [[ $word == = ]]; then\n"
    "        word=\n"
    "    elif [[ $before == = ]]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if ((COMP_CWORD > 1)) && [[ $verb == help || $verb == --help || $verb == -h ]]; then\n"
    "        help=1 first=3\n"
    "        [[ ${COMP_WORDS[2]} == = ]] && first=4\n"
    "        verb=${COMP_WORDS[first - 1]}\n"
    "    fi\n";

static const char TAIL[] = "    if [[ -z $words && $word == -* ]]; then\n"
                           "        words=$options\n"
                           "    fi\n"
                           "    # in a list with commas, the last item is completed\n"
                           "    if [[ $is_list && $word == *,* ]]; then\n"
                           "        begin=${word%,*},\n"
                           "    fi\n"
                           "    COMPREPLY=($(compgen -P \"$begin\" -W \"$words\" -- \"${word#\"$begin\"}\"))\n"
                           "}\n"
                           "complete -o default -F _abut abut\n";

static size_t first_word(const abut_cli_verb *verb)
{
    return strcspn(verb->name, " ");
}

static int begins_alike(const abut_cli_verb *a, const abut_cli_verb *b)
{
    return first_word(a) == first_word(b) && memcmp(a->name, b->name, first_word(a)) == 0;
}

/// Whether no verb before this one begins with the same word.
static int is_first_of_family(int index)
{
    for (int i = 0; i < index; ++i) {
        if (begins_alike(abut_cli_verbs[i], abut_cli_verbs[index])) {
            return 0;
        }
    }
    return 1;
}

/// The first words of all verbs, and after one that begins several verbs, their second words.
static void print_verbs(FILE *out)
{
    (void)fputs("    if ((COMP_CWORD < first)); then\n        words='", out);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        if (is_first_of_family(i)) {
            (void)fprintf(out, "%.*s ", (int)first_word(abut_cli_verbs[i]), abut_cli_verbs[i]->name);
        }
    }
    (void)fputs("help'\n"
                "        [[ $help ]] || words+=' --help --version'\n"
                "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                "        return\n"
                "    fi\n"
                "    case $verb in\n",
                out);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        size_t length = first_word(abut_cli_verbs[i]);
        if (abut_cli_verbs[i]->name[length] == '\0' || !is_first_of_family(i)) {
            continue;
        }
        (void)fprintf(out, "    %.*s)\n        ((COMP_CWORD == first)) && words='", (int)length,
                      abut_cli_verbs[i]->name);
        const char *separator = "";
        for (int k = i; k < abut_cli_verb_count; ++k) {
            if (begins_alike(abut_cli_verbs[i], abut_cli_verbs[k])) {
                (void)fprintf(out, "%s%s", separator, abut_cli_verbs[k]->name + length + 1);
                separator = " ";
            }
        }
        (void)fputs("'\n        verb+=\" ${COMP_WORDS[first]}\"\n        ;;\n", out);
    }
    (void)fputs("    esac\n", out);
}

static void print_options(const abut_cli_verb *verb, FILE *out)
{
    (void)fprintf(out, "    '%s') options='", verb->name);
    for (int i = 0; i < verb->option_count; ++i) {
        const abut_cli_option *option = &verb->options[i];
        (void)fprintf(out, "--%s ", option->name);
        if (option->is_lettered) { // one option for each file, and there are at least two
            (void)fprintf(out, "--%.*sb ", (int)strlen(option->name) - 1, option->name);
        }
    }
    (void)fputs("--help' ;;\n", out);
}

/// The words in lower case of an argument such as "MU|infinite"; the others stand for values.
static void print_choices(const abut_cli_verb *verb, const abut_cli_option *option, FILE *out)
{
    const char *separator = "";
    for (const char *choice = option->argument; *choice != '\0';) {
        size_t length = strcspn(choice, "|");
        if (islower((unsigned char)choice[0])) {
            if (separator[0] == '\0') {
                (void)fprintf(out, "    '%s --%s') words='", verb->name, option->name);
            }
            (void)fprintf(out, "%s%.*s", separator, (int)length, choice);
            separator = " ";
        }
        choice += length + (choice[length] == '|');
    }
    if (separator[0] != '\0') {
        (void)fputs("' ;;\n", out);
    }
}

/// The words of a function, each once.
static void print_words(abut_cli_word_function *get, FILE *out)
{
    for (int i = 0; get(NULL, i) != NULL; ++i) {
        int is_new = 1;
        for (int k = 0; k < i; ++k) {
            is_new &= strcmp(get(NULL, i), get(NULL, k)) != 0;
        }
        if (is_new) {
            (void)fprintf(out, "%s%s", i > 0 ? " " : "", get(NULL, i));
        }
    }
}

static const char *setup_word(const void *user, int index)
{
    (void)user;
    return abut_setup_name(index);
}

/// The modes of a verb: values of its --help.
static void print_modes(const abut_cli_verb *verb, FILE *out)
{
    const char *separator = "";
    (void)fprintf(out, "    '%s --help') words='", verb->name);
    for (int k = 0; verb->modes[k] != NULL; ++k) {
        (void)fprintf(out, "%s%s", separator, verb->modes[k]->mode);
        separator = " ";
    }
    (void)fputs("' ;;\n", out);
}

/// The options that take several names, with commas.
static void print_lists(FILE *out)
{
    static const char *const names[] = {"method", "case"};
    (void)fputs("    case \"$verb $before\" in\n", out);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        for (int k = 0; k < abut_cli_verbs[i]->option_count; ++k) {
            const abut_cli_option *option = &abut_cli_verbs[i]->options[k];
            for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
                if (option->is_repeatable && strcmp(option->name, names[n]) == 0) {
                    (void)fprintf(out, "    '%s --%s') is_list=1%s ;;\n", abut_cli_verbs[i]->name, names[n],
                                  n == 0 ? " words+=' all erleben'" : "");
                }
            }
        }
    }
    (void)fputs("    esac\n", out);
}

static void print_values(FILE *out)
{
    (void)fputs("    # the page of \"help VERB PAGE\" is a value, too\n"
                "    if [[ $help ]] && ((COMP_CWORD >= first)); then\n"
                "        before=--help\n"
                "    fi\n"
                "    case \"$verb $before\" in\n"
                "    *' --format') words='table json csv' ;;\n"
                "    *' --method') words=$(_abut_names \"$command\" methods) ;;\n"
                "    *' --case') words='",
                out);
    print_words(abut_cli_case_word, out);
    (void)fputs("' ;;\n    *' --scene') words=$(_abut_names \"$command\" cases) ;;\n", out);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        if (abut_cli_verbs[i]->modes != NULL) {
            print_modes(abut_cli_verbs[i], out);
        }
        for (int k = 0; k < abut_cli_verbs[i]->option_count; ++k) {
            if (abut_cli_verbs[i]->options[k].argument != NULL) {
                print_choices(abut_cli_verbs[i], &abut_cli_verbs[i]->options[k], out);
            }
        }
    }
    (void)fputs("    esac\n", out);
    print_lists(out);
}

/// The names that are arguments of verbs. Behind an option, the word is most likely its value.
static void print_operands(FILE *out)
{
    (void)fputs("    if [[ -z $words && $word != -* && $before != -* ]]; then\n"
                "        case $verb in\n"
                "        cases) words='",
                out);
    print_words(abut_cli_case_word, out);
    (void)fputs("' ;;\n        simulate) words='", out);
    print_words(setup_word, out);
    (void)fputs("' ;;\n        esac\n    fi\n", out);
}

void abut_manual_print_completion(FILE *out)
{
    (void)fprintf(out, "# bash completion for abut %s, made by its build\n\n%s", abut_version(), HEAD);
    print_verbs(out);
    (void)fputs("    local options=--help\n    case $verb in\n", out);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        print_options(abut_cli_verbs[i], out);
    }
    (void)fputs("    esac\n", out);
    print_values(out);
    print_operands(out);
    (void)fputs(TAIL, out);
}
