// SPDX-License-Identifier: MIT
// view_page.c: the viewer as a page: that of the server, and one that contains all data
#include "verb/view_page.h"

#include "shared/base64.h"
#include "shared/html.h"
#include "verb/viewer_page.h"

#include <stdlib.h>

static const size_t PAGE_LIMIT = 100000000;

static void print_head(const abut_cli_view *view, FILE *out)
{
    (void)fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    (void)fputs("<meta name=\"viewport\" content=\"width=device-width\">\n", out);
    (void)fputs("<link rel=\"icon\" href=\"data:,\">\n<title>", out);
    abut_cli_html_text(out, view->tracks[0].label);
    (void)fputs(" - abut view</title>\n", out);
}

void abut_cli_view_print_served(const abut_cli_view *view, FILE *out)
{
    print_head(view, out);
    (void)fputs("<link rel=\"stylesheet\" href=\"viewer.css\">\n</head>\n<body>\n", out);
    (void)fputs("<script src=\"viewer.js\"></script>\n</body>\n</html>\n", out);
}

abut_cli_exit abut_cli_view_check_size(const abut_cli_view *view, int every)
{
    size_t states = 0, rest = abut_viewer_script_size + abut_viewer_style_size;
    for (int i = 0; i < view->track_count; ++i) {
        states += abut_cli_view_states_size(&view->tracks[i]) / 3 * 4;
        rest += abut_cli_view_rest_size(&view->tracks[i]) / 3 * 4;
    }
    if (states + rest <= PAGE_LIMIT) {
        return ABUT_CLI_DONE;
    }
    int megabytes = (int)((states + rest) / 1000000);
    if (rest + states / 1000 > PAGE_LIMIT) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "the page would have %d MB, more than 100 MB, most of it meshes: "
                             "leave out --out, and the viewer loads only what it shows",
                             megabytes);
    }
    size_t factor = states / (PAGE_LIMIT - rest) + 1;
    return abut_cli_fail(ABUT_CLI_BAD_INPUT, "the page would have %d MB, more than 100 MB: try --every %zu",
                         megabytes, (size_t)every * factor);
}

/// The index as JSON within a script element: without "<" nothing in it can end the element.
static void print_json(const abut_cli_bytes *bytes, FILE *out)
{
    for (size_t i = 0; i < bytes->size; ++i) {
        if (bytes->data[i] == '<') {
            (void)fputs("\\u003c", out);
        } else {
            (void)fputc(bytes->data[i], out);
        }
    }
}

static void print_data(const abut_cli_view *view, FILE *out)
{
    abut_cli_view_item item = {ABUT_CLI_VIEW_INDEX, 0, 0};
    abut_cli_bytes bytes = {0};
    do {
        char path[ABUT_CLI_VIEW_PATH_ROOM];
        abut_cli_view_path(item, path);
        bytes.size = 0;
        abut_cli_view_put(view, item, &bytes);
        if (item.kind == ABUT_CLI_VIEW_INDEX) {
            (void)fprintf(out, "<script type=\"application/json\" data-path=\"%s\">", path);
            print_json(&bytes, out);
        } else {
            (void)fprintf(out, "<script type=\"application/base64\" data-path=\"%s\">", path);
            abut_cli_base64_print(bytes.data, bytes.size, out);
        }
        (void)fputs("</script>\n", out);
    } while (abut_cli_view_next(view, &item));
    free(bytes.data);
}

void abut_cli_view_print_whole(const abut_cli_view *view, FILE *out)
{
    print_head(view, out);
    (void)fprintf(out,
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "script-src 'sha256-%s'; style-src 'sha256-%s'; img-src data: blob:; base-uri 'none'; "
                  "form-action 'none'\">\n<style>",
                  abut_viewer_script_hash, abut_viewer_style_hash);
    (void)fwrite(abut_viewer_style, 1, abut_viewer_style_size, out);
    (void)fputs("</style>\n</head>\n<body>\n", out);
    print_data(view, out);
    (void)fputs("<script>", out);
    (void)fwrite(abut_viewer_script, 1, abut_viewer_script_size, out);
    (void)fputs("</script>\n</body>\n</html>\n", out);
}
