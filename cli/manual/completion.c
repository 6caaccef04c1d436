// SPDX-License-Identifier: MIT
// completion.c: a script that completes verbs, options and values in bash
//
// The script knows verbs and options as they were at build time. It asks the command for the names of methods and cases.
// Everything else is completed as a file name.
#include "manual/manual.h"

#include <ctype.h>
#include <string.h>

static const char HEAD[] = "_abut_names() {\n"
                           "    \"$1\" \"$2\" --format csv 2>/dev/null | sed -n '2,$s/,.*//p'\n"
                           "}\n\n"
                           "_abut() {\n"
                           "    local command=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]}\n"
                           "    local before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} first=2 words=\n"
                           "    COMPREPLY=()\n"
                           "    # --option=value comes as three words\n"
                           "    if [[ $word == = ]]; then\n"
                           "        word=\n"
                           "    elif [[ $before == = ]]; then\n"
                           "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                           "    fi\n"
                           "    if [[ $verb == help ]]; then\n"
                           "        verb=${COMP_WORDS[2]} first=3\n"
                           "    fi\n";

static const char TAIL[] = "    if [[ -z $words && $word == -* ]]; then\n"
                           "        words=$options\n"
                           "    fi\n"
                           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
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
                "        ((first == 2)) && words+=' --help --version'\n"
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

static void print_values(FILE *out)
{
    (void)fputs("    case \"$verb $before\" in\n"
                "    *' --format') words='table json csv' ;;\n"
                "    *' --method' | *' --fallback') words=$(_abut_names \"$command\" methods) ;;\n"
                "    *' --case' | *' --scene') words=$(_abut_names \"$command\" cases) ;;\n",
                out);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        for (int k = 0; k < abut_cli_verbs[i]->option_count; ++k) {
            if (abut_cli_verbs[i]->options[k].argument != NULL) {
                print_choices(abut_cli_verbs[i], &abut_cli_verbs[i]->options[k], out);
            }
        }
    }
    (void)fputs("    esac\n", out);
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
    (void)fputs(TAIL, out);
}
