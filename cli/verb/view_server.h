// SPDX-License-Identifier: MIT
// view_server.h: serves the viewer to a browser on this machine
#ifndef ABUT_CLI_VIEW_SERVER_H
#define ABUT_CLI_VIEW_SERVER_H

#include "verb/view_data.h"

/// Serves until SIGINT or SIGTERM. Prints the address to stdout, and opens it in a browser if `opens`.
abut_cli_exit abut_cli_view_serve(const abut_cli_view *view, int opens);

#endif
