// SPDX-License-Identifier: MIT
// man_page.c: the page abut(1) in the macros of man(7)
#include "manual/manual.h"

#include <string.h>

/// Prints text so that roff takes no character of it as its own: hyphens stay ASCII, and no line begins a macro.
static void print_escaped(const char *text, size_t length, FILE *out)
{
    if (length > 0 && (text[0] == '.' || text[0] == '\'')) {
        (void)fputs("\\&", out);
    }
    for (size_t i = 0; i < length; ++i) {
        const char *escape = text[i] == '\\' ? "\\e" : text[i] == '-' ? "\\-" : NULL;
        if (escape != NULL) {
            (void)fputs(escape, out);
        } else {
            (void)fputc(text[i], out);
        }
    }
}

static void print_text(const char *text, FILE *out)
{
    print_escaped(text, strlen(text), out);
}

/// Text as the help has it: lines that fill paragraphs, with empty lines between them; indented lines stay as they are.
static void print_paragraphs(const char *text, FILE *out)
{
    int is_literal = 0;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 0 && (line[0] == ' ') != is_literal) {
            is_literal = !is_literal;
            (void)fputs(is_literal ? ".PP\n.nf\n" : ".fi\n.PP\n", out);
        }
        if (length == 0 && line[1] != '\0') {
            (void)fputs(".PP", out);
        }
        print_escaped(line, length, out);
        (void)fputc('\n', out);
        line += length + (line[length] == '\n');
    }
    if (is_literal) {
        (void)fputs(".fi\n", out);
    }
}

static void print_option(const char *name, const char *argument, const char *help, FILE *out)
{
    (void)fputs(".TP\n\\fB\\-\\-", out);
    print_text(name, out);
    (void)fputs("\\fR", out);
    if (argument != NULL) {
        (void)fputs(" \\fI", out);
        print_text(argument, out);
        (void)fputs("\\fR", out);
    }
    (void)fputc('\n', out);
    print_text(help, out);
    (void)fputc('\n', out);
}

static void print_verb(const abut_cli_verb *verb, FILE *out)
{
    (void)fputs(".SS abut ", out);
    print_text(verb->name, out);
    (void)fputc('\n', out);
    print_text(verb->summary, out);
    (void)fputs("\n.PP\n\\fBabut ", out);
    print_text(verb->name, out);
    (void)fputs("\\fR ", out);
    print_text(verb->usage, out);
    (void)fputs("\n.PP\n", out);
    print_paragraphs(verb->details, out);
    for (int i = 0; i < verb->option_count; ++i) {
        print_option(verb->options[i].name, verb->options[i].argument, verb->options[i].help, out);
    }
    print_option("help", NULL, "this text, as a short page", out);
    (void)fputs(".PP\nExample:\n", out);
    print_paragraphs(verb->example, out);
}

void abut_manual_print_page(const char *date, FILE *out)
{
    (void)fprintf(out, ".TH ABUT 1 %s \"abut %s\" \"User Commands\"\n.SH NAME\nabut \\- %s\n", date, abut_version(),
                  abut_cli_about);
    (void)fputs(".SH SYNOPSIS\n", out);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        (void)fputs(i > 0 ? ".br\n\\fBabut " : "\\fBabut ", out);
        print_text(abut_cli_verbs[i]->name, out);
        (void)fputs("\\fR ", out);
        print_text(abut_cli_verbs[i]->usage, out);
        (void)fputc('\n', out);
    }
    (void)fputs(".br\n\\fBabut help\\fR [VERB]\n.br\n\\fBabut \\-\\-version\\fR\n.SH DESCRIPTION\n", out);
    print_paragraphs(abut_cli_conventions, out);
    (void)fputs(".SH VERBS\n", out);
    for (int i = 0; i < abut_cli_verb_count; ++i) {
        print_verb(abut_cli_verbs[i], out);
    }
}
