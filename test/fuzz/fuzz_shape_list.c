// SPDX-License-Identifier: MIT
// fuzz_shape_list.c: any bytes as the lines of a file of points, segments and polygons
#include "fuzz.h"
#include "verb/shape_list.h"

// Every shape has its corners, which are finite. Lines ascend.
static void check_list(const abut_cli_shape_list *list)
{
    int corners = 0;
    int64_t line = 0;
    for (int i = 0; i < list->count; ++i) {
        const abut_cli_listed_shape *shape = &list->items[i];
        if (shape->corner_begin != corners || shape->corner_count < 1 || shape->line <= line) {
            abort();
        }
        corners += shape->corner_count;
        line = shape->line;
    }
    for (int i = 0; i < list->corner_count; ++i) {
        if (!abut_is_finite(list->corners[i])) {
            abort();
        }
    }
    if (corners != list->corner_count) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abut_cli_shape_list list = {0};
    int64_t number = 0;
    for (char *line; (line = next_line(&data, &size)) != NULL; free(line)) {
        abut_error error = {.text = ""};
        int shapes = list.count, corners = list.corner_count;
        abut_status status = abut_cli_shape_list_read_line(&list, ++number, line, &error);
        // an invalid line must add nothing and give a message of one line
        if (status != ABUT_OK && (error.text[0] == '\0' || strpbrk(error.text, "\r\n") != NULL ||
                                  list.count != shapes || list.corner_count != corners)) {
            abort();
        }
    }
    check_list(&list);
    abut_cli_shape_list_release(&list);
    return 0;
}
