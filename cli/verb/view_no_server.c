// SPDX-License-Identifier: MIT
// view_no_server.c: takes the place of view_server.c in a build without libmicrohttpd
#include "verb/view_server.h"

abut_cli_exit abut_cli_view_serve(const abut_cli_view *view, int opens)
{
    (void)view;
    (void)opens;
    return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                         "this abut was built without libmicrohttpd (Debian: libmicrohttpd-dev), which serves the "
                         "viewer: install it and build again, or write a page with --out PAGE.html");
}
