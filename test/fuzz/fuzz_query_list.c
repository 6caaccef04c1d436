// SPDX-License-Identifier: MIT
// fuzz_query_list.c: any bytes as the lines of a file of continuous queries, whose whole queries are then answered
#include "fuzz.h"
#include "verb/query_list.h"

static void answer_all(const abut_cli_query_list *list)
{
    int whole = list->row == 0 ? list->count : list->count - 1;
    for (int i = 0; i < whole; ++i) {
        for (int kind = 0; kind < 2; ++kind) {
            abut_moving_pair pair = list->items[i].pair;
            pair.kind = (abut_moving_kind)kind;
            abut_impacts touches;
            abut_status status = abut_find_impacts(&pair, NULL, &touches);
            if ((status != ABUT_OK && (status != ABUT_BAD_DATA || touches.count != 0)) ||
                touches.count > ABUT_IMPACT_CAPACITY) {
                abort();
            }
            double last = 0.0;
            for (int k = 0; k < touches.count; ++k) {
                const abut_impact *touch = &touches.items[k];
                if (!(touch->lower >= last && touch->upper >= touch->lower && touch->upper <= 1.0 &&
                      touch->time >= touch->lower && touch->time <= touch->upper)) {
                    abort();
                }
                last = touch->lower;
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abut_cli_query_list list = {0};
    int64_t number = 0;
    for (char *line; (line = next_line(&data, &size)) != NULL; free(line)) {
        abut_error error = {.text = ""};
        int row = list.row;
        abut_status status = abut_cli_query_list_read_line(&list, ++number, line, &error);
        // an invalid line must add nothing and give a message of one line
        if (status != ABUT_OK &&
            (error.text[0] == '\0' || strpbrk(error.text, "\r\n") != NULL || list.row != row)) {
            abort();
        }
    }
    answer_all(&list);
    abut_cli_query_list_release(&list);
    return 0;
}
