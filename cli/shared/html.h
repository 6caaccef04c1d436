// SPDX-License-Identifier: MIT
// html.h: text in pages, and tables of numbers behind links
#ifndef ABUT_CLI_HTML_H
#define ABUT_CLI_HTML_H

#include <stdio.h>

/// Prints text of an element or of a quoted attribute, so that nothing of a file name is markup.
void abut_cli_html_text(FILE *out, const char *text);

/// Prints a text of a CSV file, in quotes.
void abut_cli_html_field(FILE *out, const char *text);

/// Prints a link that saves `csv` as a file. The page contains the text.
void abut_cli_html_data(FILE *out, const char *file, const char *csv);

#endif
