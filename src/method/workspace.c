// SPDX-License-Identifier: MIT
// workspace.c: the sink that collects a method's output, and the workspace that keeps its memory
#include "method/workspace.h"

#include "base/context.h"
#include "base/error.h"
#include "method/pair_memory.h"

#include <abut/complex.h>

#include <limits.h>
#include <string.h>

abut_status abut_workspace_create(const abut_context *context, abut_workspace **workspace)
{
    ABUT_ASSERT(workspace != NULL);
    abut_context kept = abut_context_or_default(context);
    *workspace = abut_allocate_zeroed(&kept, 1, sizeof **workspace);
    if (*workspace == NULL) {
        return ABUT_NO_MEMORY;
    }
    (*workspace)->sink.context = kept;
    abut_arena_init(&(*workspace)->sink.arena, &kept);
    return ABUT_OK;
}

void abut_workspace_destroy(abut_workspace *workspace)
{
    if (workspace == NULL) {
        return;
    }
    abut_context context = workspace->sink.context;
    abut_sink *sink = &workspace->sink;
    abut_list *lists[] = {&sink->drafts, &sink->derivatives, &sink->regions,    &sink->loops,
                          &sink->cones,  &sink->points,      &sink->directions, &sink->events};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        abut_free(&context, lists[i]->items);
    }
    abut_lmd_set_destroy(sink->lmds);
    abut_arena_release(&sink->arena);
    abut_free(&context, workspace);
}

abut_status abut_workspace_put(abut_workspace *workspace, const abut_contact *contacts, int count,
                               abut_result *result)
{
    ABUT_ASSERT(workspace != NULL && result != NULL && count >= 0 && (contacts != NULL || count == 0));
    if (result->struct_size != sizeof *result) {
        return ABUT_BAD_ARGUMENT;
    }
    abut_result_clear(result);
    abut_arena_reset(&workspace->sink.arena);
    abut_contact *kept = abut_arena_take(&workspace->sink.arena, (size_t)count * sizeof *kept);
    if (kept == NULL) {
        return abut_fail(&result->error, ABUT_NO_MEMORY, "no memory for %d contacts", count);
    }
    for (int i = 0; i < count; ++i) {
        kept[i] = contacts[i];
        kept[i].region = -1;
    }
    result->contacts = (abut_contact_view){kept, count};
    return ABUT_OK;
}

void abut_sink_begin(abut_sink *sink, const abut_query *query)
{
    abut_arena_reset(&sink->arena);
    sink->query = query;
    abut_list *lists[] = {&sink->drafts, &sink->derivatives, &sink->regions,    &sink->loops,
                          &sink->cones,  &sink->points,      &sink->directions, &sink->events};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        lists[i]->count = 0;
    }
    memset(&sink->stats, 0, sizeof sink->stats);
    memset(&sink->error, 0, sizeof sink->error);
    sink->error.element = -1;
    sink->is_out_of_memory = 0;
    sink->own_filtered = -1;
    sink->chosen = NULL;
    sink->reason[0] = '\0';
    sink->has_bad_index = 0;
}

/// Room for `count` more items; returns the index of the first, or -1.
static int extend(abut_sink *sink, abut_list *list, int count, size_t item_size)
{
    if (count < 0) {
        sink->has_bad_index = 1;
        return -1;
    }
    if (count > INT_MAX - list->count ||
        !abut_grow(&sink->context, &list->items, &list->capacity, list->count + count, item_size)) {
        sink->is_out_of_memory = 1;
        return -1;
    }
    int first = list->count;
    list->count += count;
    return first;
}

static int append(abut_sink *sink, abut_list *list, const void *items, int count, size_t item_size)
{
    int first = extend(sink, list, count, item_size);
    if (first >= 0 && count > 0) {
        memcpy((char *)list->items + (size_t)first * item_size, items, (size_t)count * item_size);
    }
    return first;
}

int abut_sink_contact(abut_sink *sink, const abut_contact *contact)
{
    int index = extend(sink, &sink->drafts, 1, sizeof(abut_draft));
    if (index >= 0) {
        abut_draft *draft = (abut_draft *)sink->drafts.items + index;
        draft->contact = *contact;
        draft->derivative = -1;
    }
    return index;
}

int abut_sink_derivative(abut_sink *sink, int contact, const abut_derivative *derivative)
{
    if (contact < 0 || contact >= sink->drafts.count) {
        sink->has_bad_index = 1;
        return -1;
    }
    int index = append(sink, &sink->derivatives, derivative, 1, sizeof *derivative);
    if (index >= 0) {
        ((abut_draft *)sink->drafts.items)[contact].derivative = index;
    }
    return index;
}

int abut_sink_region(abut_sink *sink, const abut_region *region)
{
    return append(sink, &sink->regions, region, 1, sizeof *region);
}

int abut_sink_loop(abut_sink *sink, const abut_region_loop *loop)
{
    return append(sink, &sink->loops, loop, 1, sizeof *loop);
}

int abut_sink_cone(abut_sink *sink, const abut_region_cone *cone)
{
    return append(sink, &sink->cones, cone, 1, sizeof *cone);
}

int abut_sink_points(abut_sink *sink, const abut_vec3 *points, int count)
{
    return append(sink, &sink->points, points, count, sizeof *points);
}

int abut_sink_directions(abut_sink *sink, const abut_vec3 *directions, int count)
{
    return append(sink, &sink->directions, directions, count, sizeof *directions);
}

int abut_sink_event(abut_sink *sink, const abut_event *event)
{
    return append(sink, &sink->events, event, 1, sizeof *event);
}

abut_stats *abut_sink_stats(abut_sink *sink)
{
    return &sink->stats;
}

abut_status abut_sink_fail(abut_sink *sink, abut_status status, const char *text)
{
    return abut_fail(&sink->error, status, "%s", text);
}

void *abut_sink_scratch(abut_sink *sink, size_t size)
{
    void *piece = abut_arena_take(&sink->arena, size);
    if (piece == NULL) {
        sink->is_out_of_memory = 1;
    }
    return piece;
}

void *abut_sink_memory(abut_sink *sink, size_t size)
{
    abut_memory *memory = sink->query->pair->memory;
    if (memory == NULL) {
        return NULL;
    }
    void *state = abut_memory_write(memory, sink->query->method->name, size);
    if (state == NULL) {
        sink->is_out_of_memory = 1;
    }
    return state;
}
