// SPDX-License-Identifier: MIT
// main.c: the command abut: finds the verb, prints help, and ends quietly where it must
#define _POSIX_C_SOURCE 200809L
#include "shared/output.h"
#include "verb/study_run.h"
#include "verb/verbs.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_t main_thread;

// The only thing a handler may safely do is to say so and end; results are written in one piece, at the end. The main
// thread holds the signal back while it has a child process or a folder to remove: no other may end in its place.
static void on_interrupt(int number)
{
    static const char line[] = "abut: interrupted\n";
    if (!pthread_equal(pthread_self(), main_thread)) {
        (void)pthread_kill(main_thread, number);
        return;
    }
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written;
    _exit(ABUT_CLI_UNFINISHED);
}

static void prepare_process(void)
{
    // A closed standard stream must not become the next file that is opened. Opened the wrong way round, it
    // still fails as a closed one does.
    for (int stream = 0; stream <= 2; ++stream) {
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream) {
            _exit(ABUT_CLI_UNFINISHED);
        }
    }
    main_thread = pthread_self();
    // A pipe that is closed and a file that may not grow are failures of a write, not ends of the process.
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)signal(SIGINT, on_interrupt);
    (void)signal(SIGTERM, on_interrupt);
    abut_cli_json_start();
}

static void print_overview(FILE *out)
{
    (void)fprintf(out,
                  "abut %s: %s.\n\n"
                  "Usage: abut VERB [arguments] [options]\n\nVerbs:\n",
                  abut_version(), abut_cli_about);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        (void)fprintf(out, "  %-20s %s\n", abut_cli_verbs[i]->name, abut_cli_verbs[i]->summary);
    }
    (void)fprintf(out,
                  "  help VERB            the options of a verb, with an example; the same as abut VERB --help\n\n"
                  "%s\nExample:\n"
                  "  abut contacts table.obj cup.obj --pose-b \"0 0.72 0 1 0 0 0\"\n",
                  abut_cli_conventions);
}

// How many words of argv name this verb: 0 if they do not.
static int match_verb(const abut_cli_verb *verb, int argc, char *const *argv)
{
    size_t first = strcspn(verb->name, " ");
    if (argc < 1 || strlen(argv[0]) != first || memcmp(verb->name, argv[0], first) != 0) {
        return 0;
    }
    if (verb->name[first] == '\0') {
        return 1;
    }
    return argc >= 2 && strcmp(argv[1], verb->name + first + 1) == 0 ? 2 : 0;
}

static const abut_cli_verb *find_verb(int argc, char *const *argv, int *words)
{
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        *words = match_verb(abut_cli_verbs[i], argc, argv);
        if (*words > 0) {
            return abut_cli_verbs[i];
        }
    }
    return NULL;
}

// Whether a word begins verbs of two words, such as "mesh".
static int is_family(const char *word)
{
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        size_t first = strcspn(abut_cli_verbs[i]->name, " ");
        if (abut_cli_verbs[i]->name[first] == ' ' && strlen(word) == first &&
            memcmp(word, abut_cli_verbs[i]->name, first) == 0) {
            return 1;
        }
    }
    return 0;
}

static const char *verb_word(const void *user, int index)
{
    (void)user;
    return index < abut_cli_verb_count ? abut_cli_verbs[index]->name : index == abut_cli_verb_count ? "help" : NULL;
}

static abut_cli_exit unknown_verb(int argc, char *const *argv)
{
    char *list = abut_cli_copy("");
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        char *longer = abut_cli_print("%s%s, ", list, abut_cli_verbs[i]->name);
        free(list);
        list = longer;
    }
    if (argc < 1) {
        abut_cli_exit code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "no verb: use one of %shelp", list);
        free(list);
        return code;
    }
    int has_second = argc >= 2 && is_family(argv[0]);
    char *word = abut_cli_print("%s%s%s", argv[0], has_second ? " " : "", has_second ? argv[1] : "");
    const char *nearest = abut_cli_nearest(word, verb_word, NULL);
    abut_cli_exit code =
        nearest != NULL ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown verb '%s': do you mean %s? There are %shelp",
                                        word, nearest, list)
                        : abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown verb '%s': use one of %shelp", word, list);
    free(word);
    free(list);
    return code;
}

static const char *own_option_word(const void *user, int index)
{
    (void)user;
    return index == 0 ? "--version" : index == 1 ? "--help" : NULL;
}

// An option where a verb should be.
static abut_cli_exit misplaced_option(const char *text)
{
    const char *nearest = abut_cli_nearest(text, own_option_word, NULL);
    return nearest != NULL
               ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown option %s: do you mean %s? See abut --help", text,
                               nearest)
               : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option %s stands before the verb: abut VERB %s", text, text);
}

// The help of the verb, of all verbs that begin with the word, or of the command.
static abut_cli_exit print_help(int argc, char *const *argv)
{
    int words;
    const abut_cli_verb *verb = find_verb(argc, argv, &words);
    if (verb == NULL && argc >= 1 && !(argc == 1 && is_family(argv[0]))) {
        return unknown_verb(argc, argv);
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (verb != NULL) {
        abut_cli_help_print(verb, text.stream);
    } else if (argc == 0) {
        print_overview(text.stream);
    } else {
        const char *separator = "";
        for (int i = 0; i < abut_cli_verb_count; ++i) {
            if (strncmp(abut_cli_verbs[i]->name, argv[0], strcspn(abut_cli_verbs[i]->name, " ")) == 0) {
                (void)fputs(separator, text.stream);
                abut_cli_help_print(abut_cli_verbs[i], text.stream);
                separator = "\n";
            }
        }
    }
    return abut_cli_text_finish(&text);
}

static abut_cli_exit print_version(void)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fprintf(text.stream, "abut %s\n", abut_version());
    return abut_cli_text_finish(&text);
}

static abut_cli_exit run_command(int argc, char *const *argv)
{
    if (argc > 0 && strcmp(argv[0], "--version") == 0) {
        return argc == 1 ? print_version()
                         : abut_cli_fail(ABUT_CLI_BAD_INPUT, "unexpected argument '%s': abut --version", argv[1]);
    }
    if (argc > 0 && strcmp(argv[0], "help") == 0) {
        return print_help(argc - 1, argv + 1);
    }
    if (abut_cli_wants_help(argc, argv)) {
        // What is asked about are the words before the first option.
        int count = 0;
        while (count < argc && count < 2 && argv[count][0] != '-') {
            ++count;
        }
        return print_help(count, argv);
    }
    if (argc > 0 && argv[0][0] == '-') {
        return misplaced_option(argv[0]);
    }
    int words;
    const abut_cli_verb *verb = find_verb(argc, argv, &words);
    if (verb == NULL) {
        return unknown_verb(argc, argv);
    }
    int is_silent = strncmp(verb->name, "study ", 6) == 0 && abut_cli_is_later_rank();
    if (is_silent) {
        abut_cli_leave_bad_input();
    }
    abut_cli_arguments arguments;
    abut_cli_exit code = abut_cli_arguments_parse(verb, argc - words, argv + words, &arguments);
    code = code != ABUT_CLI_DONE ? code : verb->run(&arguments);
    abut_cli_arguments_release(&arguments);
    if (is_silent && code == ABUT_CLI_BAD_INPUT) {
        // mpirun ends all ranks with the first one that fails: the one that tells why goes first, and nothing is
        // said of the signal
        (void)close(STDERR_FILENO);
        (void)sleep(2);
    }
    return code;
}

int main(int argc, char **argv)
{
    prepare_process();
    return (int)run_command(argc > 0 ? argc - 1 : 0, argv + (argc > 0));
}
