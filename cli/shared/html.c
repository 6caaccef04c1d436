// SPDX-License-Identifier: MIT
// html.c: text in pages, and tables of numbers behind links
#include "shared/html.h"

#include <abut-lab/draw.h>
#include <string.h>

void abut_cli_html_text(FILE *out, const char *text)
{
    abut_print_markup(text, strlen(text), out);
}

void abut_cli_html_field(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (; *text != 0; ++text) {
        (void)fputs(*text == '"' ? "\"" : "", out); // a quote is written twice
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

void abut_cli_html_data(FILE *out, const char *file, const char *csv)
{
    (void)fputs("<a class=\"data\" download=\"", out);
    abut_cli_html_text(out, file);
    (void)fputs("\" href=\"data:text/csv,", out);
    for (const unsigned char *c = (const unsigned char *)csv; *c != 0; ++c) {
        int is_plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || strchr(",.-_", *c) != NULL;
        (void)fprintf(out, is_plain ? "%c" : "%%%02X", *c);
    }
    (void)fputs("\">", out);
    abut_cli_html_text(out, file);
    (void)fputs("</a>\n", out);
}
