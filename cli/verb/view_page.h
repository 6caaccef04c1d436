// SPDX-License-Identifier: MIT
// view_page.h: the viewer as a page: that of the server, and one that contains all data
#ifndef ABUT_CLI_VIEW_PAGE_H
#define ABUT_CLI_VIEW_PAGE_H

#include "verb/view_data.h"

#include <stdio.h>

/// The page of the server. It loads its script, style and data by relative addresses.
void abut_cli_view_print_served(const abut_cli_view *view, FILE *out);

/// Fails with ABUT_CLI_BAD_INPUT if a page with all data would have more than 100 MB.
abut_cli_exit abut_cli_view_check_size(const abut_cli_view *view, int every);

/// The page with all data, which opens from disk and needs nothing else.
void abut_cli_view_print_whole(const abut_cli_view *view, FILE *out);

#endif
