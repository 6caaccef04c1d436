// SPDX-License-Identifier: MIT
// main.c: the command abut: finds the verb, prints help, handles signals
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

// Only the main thread may end the process: it blocks the signal while it has a child process or a temporary folder to
// clean up. Results are written in one piece at the end, so nothing is half written here.
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
    // If a standard stream is closed, the next file that is opened would take its place. Open /dev/null instead, in
    // the wrong direction, so that using the stream still fails.
    for (int stream = 0; stream <= 2; ++stream) {
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream) {
            _exit(ABUT_CLI_UNFINISHED);
        }
    }
    main_thread = pthread_self();
    // A closed pipe and a file size limit make a write fail; they must not end the process.
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
                  "  help VERB            the options of a verb, with an example; same as abut VERB --help\n\n"
                  "%s\nExample:\n"
                  "  abut contacts table.obj cup.obj --pose-b \"0 0.72 0 1 0 0 0\"\n",
                  abut_cli_conventions);
}

// Whether the word is the first of a verb of two words, such as "mesh".
static int begins_verb(const abut_cli_verb *verb, const char *word)
{
    size_t first = strcspn(verb->name, " ");
    return verb->name[first] == ' ' && strlen(word) == first && memcmp(word, verb->name, first) == 0;
}

// Returns how many words of argv are the name of this verb, or 0. "mesh info" may also be one argument.
static int match_verb(const abut_cli_verb *verb, int argc, const char *const *argv)
{
    if (argc >= 1 && strcmp(verb->name, argv[0]) == 0) {
        return 1;
    }
    return argc >= 2 && begins_verb(verb, argv[0]) && strcmp(argv[1], strchr(verb->name, ' ') + 1) == 0 ? 2 : 0;
}

static const abut_cli_verb *find_verb(int argc, const char *const *argv, int *words)
{
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        *words = match_verb(abut_cli_verbs[i], argc, argv);
        if (*words > 0) {
            return abut_cli_verbs[i];
        }
    }
    return NULL;
}

// Whether verbs of two words begin with this word.
static int is_family(const char *word)
{
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        if (begins_verb(abut_cli_verbs[i], word)) {
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

// The names of all verbs and "help", or of the verbs of a family. Release with free().
static char *list_verbs(const char *family)
{
    abut_cli_text list;
    abut_cli_text_open(&list);
    const char *separator = "";
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        if (family == NULL || begins_verb(abut_cli_verbs[i], family)) {
            (void)fprintf(list.stream, "%s%s", separator, abut_cli_verbs[i]->name);
            separator = ", ";
        }
    }
    (void)fputs(family == NULL ? ", help" : "", list.stream);
    return abut_cli_text_take(&list);
}

static abut_cli_exit unknown_verb(int argc, const char *const *argv)
{
    const char *family = argc >= 1 && is_family(argv[0]) ? argv[0] : NULL;
    char *list = list_verbs(family);
    abut_cli_exit code = ABUT_CLI_BAD_INPUT;
    if (argc < 1) {
        (void)abut_cli_fail(code, "no verb: use one of %s; see abut --help", list);
    } else if (family != NULL && argc == 1) {
        (void)abut_cli_fail(code, "verb '%s' needs a second word: use one of %s; see abut %s --help", family, list,
                            family);
    } else {
        char *word = family != NULL ? abut_cli_print("%s %s", family, argv[1]) : abut_cli_copy(argv[0]);
        const char *nearest = abut_cli_nearest(word, verb_word, NULL);
        (void)abut_cli_fail(code, "unknown verb '%s': %s%s%s %s", word,
                            nearest != NULL ? "do you mean " : "use one", nearest != NULL ? nearest : "",
                            nearest != NULL ? "? Verbs:" : " of", list);
        free(word);
    }
    free(list);
    return code;
}

static const char *own_option_word(const void *user, int index)
{
    (void)user;
    return index == 0 ? "--version" : index == 1 ? "--help" : NULL;
}

// The first argument is an option, but must be a verb.
static abut_cli_exit misplaced_option(const char *text)
{
    const char *nearest = abut_cli_nearest(text, own_option_word, NULL);
    return nearest != NULL
               ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown option %s: do you mean %s? See abut --help", text,
                               nearest)
               : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option %s must come after the verb: abut VERB %s", text, text);
}

// The verbs of a family, and the help of each.
static void print_family(const char *family, FILE *out)
{
    (void)fprintf(out, "Verbs that begin with %s:\n", family);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        if (begins_verb(abut_cli_verbs[i], family)) {
            (void)fprintf(out, "  %-20s %s\n", abut_cli_verbs[i]->name, abut_cli_verbs[i]->summary);
        }
    }
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        if (begins_verb(abut_cli_verbs[i], family)) {
            (void)fputs("\n", out);
            abut_cli_help_print(abut_cli_verbs[i], out);
        }
    }
}

// What a call for help asks for: "help mesh info", "mesh info FILE --help", "--help=assess compare" and so on.
typedef struct help_call {
    const char *words[3]; // of the verb, and of its page if `has_page_word`
    int count;
    int has_page_word; // all words are about help: the one after the verb names a page
    int argc;          // other arguments, which may select a page
    char *const *argv;
} help_call;

static abut_cli_exit print_help(const help_call *call)
{
    int words, is_whole = call->count == 0 || (call->count == 1 && strcmp(call->words[0], "help") == 0);
    const abut_cli_verb *verb = find_verb(call->count, call->words, &words);
    int is_family_call = call->count == 1 && is_family(call->words[0]);
    if (verb == NULL && !is_whole && !is_family_call) {
        return unknown_verb(call->count, call->words);
    }
    if (verb != NULL) {
        const char *word = call->has_page_word ? (words < call->count ? call->words[words] : "") : NULL;
        abut_cli_exit code = abut_cli_help_select(verb, word, call->argc, call->argv, &verb);
        if (code != ABUT_CLI_DONE) {
            return code;
        }
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (verb != NULL) {
        abut_cli_help_print(verb, text.stream);
    } else if (is_whole) {
        print_overview(text.stream);
    } else {
        print_family(call->words[0], text.stream);
    }
    return abut_cli_text_finish(&text);
}

// Adds the words before the first option, as many as there is room for.
static void add_words(help_call *call, int most, int argc, char *const *argv)
{
    for (int i = 0; i < argc && call->count < most && argv[i][0] != '-'; ++i) {
        call->words[call->count++] = argv[i];
    }
}

// "help WORD..." or "--help[=WORD] WORD...".
static abut_cli_exit help_first(const char *word, int argc, char *const *argv)
{
    help_call call = {.has_page_word = 1, .argc = argc, .argv = argv};
    if (word[0] != '\0') {
        call.words[call.count++] = word;
    }
    add_words(&call, 3, argc, argv);
    return print_help(&call);
}

// "VERB ... --help". The verb is in the words before the first option.
static abut_cli_exit help_after_verb(int argc, char *const *argv)
{
    help_call call = {.argc = argc, .argv = argv};
    add_words(&call, 2, argc, argv);
    return print_help(&call);
}

static abut_cli_exit print_version(void)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fprintf(text.stream, "abut %s\n", abut_version());
    return abut_cli_text_finish(&text);
}

static abut_cli_exit run_verb(const abut_cli_verb *verb, int argc, char *const *argv)
{
    const abut_cli_verb *mode = abut_cli_mode_select(verb, argc, argv);
    abut_cli_arguments arguments;
    abut_cli_exit code = abut_cli_arguments_parse(mode, argc, argv, &arguments);
    code = code != ABUT_CLI_DONE ? code : mode->run(&arguments);
    abut_cli_arguments_release(&arguments);
    return code;
}

// If the input is bad, only the first rank on this machine reports it. mpirun kills all ranks as soon as one fails, so
// the others wait for the first, and stay silent when the signal comes.
static abut_cli_exit run_later_rank(const abut_cli_verb *verb, int argc, char *const *argv)
{
    abut_cli_leave_bad_input();
    abut_cli_exit code = run_verb(verb, argc, argv);
    if (code == ABUT_CLI_BAD_INPUT) {
        (void)close(STDERR_FILENO);
        (void)sleep(2);
    }
    return code;
}

static abut_cli_exit run_command(int argc, char *const *argv)
{
    if (argc > 0 && strcmp(argv[0], "--version") == 0) {
        return argc == 1 ? print_version()
                         : abut_cli_fail(ABUT_CLI_BAD_INPUT, "unexpected argument '%s': abut --version takes none",
                                         argv[1]);
    }
    const char *word = argc > 0 ? abut_cli_help_word(argv[0]) : NULL;
    if (word != NULL) {
        return help_first(word, argc - 1, argv + 1);
    }
    if (abut_cli_wants_help(argc, argv)) {
        return help_after_verb(argc, argv);
    }
    if (argc > 0 && argv[0][0] == '-') {
        return misplaced_option(argv[0]);
    }
    const char *first[2] = {argc > 0 ? argv[0] : NULL, argc > 1 ? argv[1] : NULL};
    int words, count = argc < 2 ? argc : 2;
    const abut_cli_verb *verb = find_verb(count, first, &words);
    if (verb == NULL) {
        return unknown_verb(count, first);
    }
    int is_later_rank = strncmp(verb->name, "study ", 6) == 0 && abut_cli_is_later_rank();
    return is_later_rank ? run_later_rank(verb, argc - words, argv + words)
                         : run_verb(verb, argc - words, argv + words);
}

int main(int argc, char **argv)
{
    prepare_process();
    return (int)run_command(argc > 0 ? argc - 1 : 0, argv + (argc > 0));
}
