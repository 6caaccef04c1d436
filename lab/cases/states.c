// SPDX-License-Identifier: MIT
// states.c: states of the fundamental cases from a folder of another program's meshes
#include <abut-lab/states.h>

#include "common/lab_support.h"

#include <abut-lab/paper.h>
#include <abut/io.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    FILE_LIMIT = 1024 * 1024, ///< bytes of states.csv
    COLUMNS = 4,
    FIELD_ROOM = 64,
    PATH_ROOM = 4096
};

static const char HEADER[] = "case,method,detection,contacts";

/// Begins with the public part, whose address is that of the store.
typedef struct states_store {
    abut_states states;
    abut_context context;
    abut_states_row *rows;
    int capacity;
    char folder[PATH_ROOM]; ///< "": none
} states_store;

/// A place in the text.
typedef struct reader {
    const char *name;
    const char *next, *end;
    int line;
    abut_error *error;
} reader;

// ---------------------------------------------------------------------------------------------------------------
// Lines

/// The next line without its end; returns 0 at the end of the text.
static int next_line(reader *r, const char **line, size_t *length)
{
    if (r->next == r->end) {
        return 0;
    }
    const char *stop = memchr(r->next, '\n', (size_t)(r->end - r->next));
    *line = r->next;
    *length = (size_t)((stop != NULL ? stop : r->end) - r->next);
    r->next = stop != NULL ? stop + 1 : r->end;
    *length -= *length > 0 && (*line)[*length - 1] == '\r';
    ++r->line;
    return 1;
}

static abut_status wrong(const reader *r, const char *what, const char *field)
{
    abut_status status = abut_fail(r->error, ABUT_BAD_DATA, "%s:%d: %s%s%s%s", r->name, r->line, what,
                                   field != NULL ? " '" : "", field != NULL ? field : "", field != NULL ? "'" : "");
    if (r->error != NULL) {
        r->error->line = r->line;
    }
    return status;
}

/// Splits a line at commas. Fields of names and whole numbers need no quotes.
static abut_status split(const reader *r, const char *line, size_t length, char fields[COLUMNS][FIELD_ROOM])
{
    int count = 0;
    size_t used = 0;
    for (size_t i = 0; i <= length; ++i) {
        char c = i < length ? line[i] : ',';
        if (c == ',') {
            if (count < COLUMNS) {
                fields[count][used] = '\0';
            }
            ++count;
            used = 0;
        } else if (c < ' ' || c > '~') {
            return wrong(r, "a character that is not printable ASCII", NULL);
        } else if (used + 1 == FIELD_ROOM) {
            return wrong(r, "a field is longer than 63 characters", NULL);
        } else if (count < COLUMNS) {
            fields[count][used++] = c;
        }
    }
    return count == COLUMNS ? ABUT_OK : wrong(r, "a line has the four fields case,method,detection,contacts", NULL);
}

/// Reads a whole number of at most nine digits; returns -1 if it is none.
static int read_count(const char *text)
{
    size_t length = strspn(text, "0123456789");
    int value = 0;
    if (length == 0 || length > 9 || text[length] != '\0') {
        return -1;
    }
    for (size_t i = 0; i < length; ++i) {
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

static abut_status read_row(const reader *r, char fields[COLUMNS][FIELD_ROOM], abut_states_row *row)
{
    int count;
    const char *const *cases = abut_case_names(&count);
    int index = abut_lab_find_name(abut_case_names, fields[0]);
    const abut_method *method = abut_method_find(fields[1]);
    if (index < 0) {
        return wrong(r, "there is no fundamental case", fields[0]);
    }
    if (method == NULL) {
        return wrong(r, "there is no method", fields[1]);
    }
    *row = (abut_states_row){cases[index], method->name, read_count(fields[2]), read_count(fields[3])};
    if (row->detection < 1) {
        return wrong(r, "the detection is not a whole number from 1:", fields[2]);
    }
    return row->contacts < 0 ? wrong(r, "the number of contacts is not a whole number:", fields[3]) : ABUT_OK;
}

static abut_status add_row(states_store *store, const reader *r, const abut_states_row *row)
{
    if (abut_states_find(&store->states, row->case_name, row->method) != NULL) {
        return wrong(r, "a second state of this case and method", NULL);
    }
    if (!abut_grow(&store->context, &store->rows, &store->capacity, store->states.count + 1, sizeof *store->rows)) {
        return abut_fail(r->error, ABUT_NO_MEMORY, "out of memory for %d states", store->states.count + 1);
    }
    store->rows[store->states.count++] = *row;
    store->states.rows = store->rows;
    return ABUT_OK;
}

static abut_status read_lines(states_store *store, reader *r)
{
    const char *line = NULL;
    size_t length = 0;
    if (!next_line(r, &line, &length) || length != sizeof HEADER - 1 || memcmp(line, HEADER, length) != 0) {
        r->line = 1;
        return wrong(r, "the first line is not", HEADER);
    }
    abut_status status = ABUT_OK;
    while (status == ABUT_OK && next_line(r, &line, &length)) {
        char fields[COLUMNS][FIELD_ROOM] = {{0}};
        abut_states_row row = {0};
        status = split(r, line, length, fields);
        status = status != ABUT_OK ? status : read_row(r, fields, &row);
        status = status != ABUT_OK ? status : add_row(store, r, &row);
    }
    return status != ABUT_OK || store->states.count > 0 ? status
                                                        : wrong(r, "no states follow the first line", NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// The folder

abut_status abut_states_parse(const abut_context *context, const char *text, size_t length, const char *name,
                              abut_states **states, abut_error *error)
{
    if ((text == NULL && length > 0) || name == NULL || states == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_states_parse: text, name or states is NULL");
    }
    *states = NULL;
    abut_context kept = abut_context_or_default(context);
    states_store *store = abut_allocate_zeroed(&kept, 1, sizeof *store);
    if (store == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for states");
    }
    store->context = kept;
    const char *start = text != NULL ? text : "";
    reader r = {.name = name, .next = start, .end = start + length, .error = error};
    abut_status status = read_lines(store, &r);
    if (status != ABUT_OK) {
        abut_states_destroy(&store->states);
        return status;
    }
    *states = &store->states;
    return ABUT_OK;
}

/// Reads a file of at most FILE_LIMIT bytes into `text`, which the caller frees.
static abut_status read_file(const abut_context *context, const char *path, char **text, size_t *length,
                             abut_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return abut_fail(error, ABUT_IO, "%s: cannot be read: %s", path, abut_errno_text(errno));
    }
    *text = abut_allocate(context, FILE_LIMIT + 1, 1);
    *length = *text != NULL ? fread(*text, 1, FILE_LIMIT + 1, file) : 0;
    int has_failed = ferror(file);
    (void)fclose(file);
    if (*text == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "%s: out of memory", path);
    }
    if (has_failed || *length > FILE_LIMIT) {
        return abut_fail(error, has_failed ? ABUT_IO : ABUT_LIMIT, "%s: %s", path,
                         has_failed ? "cannot be read" : "is larger than 1 MiB");
    }
    return ABUT_OK;
}

abut_status abut_states_read(const abut_context *context, const char *folder, abut_states **states,
                             abut_error *error)
{
    if (folder == NULL || states == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_states_read: folder or states is NULL");
    }
    *states = NULL;
    char path[PATH_ROOM], *text = NULL;
    size_t length = 0;
    int needed = snprintf(path, sizeof path, "%s/states.csv", folder);
    if (needed < 0 || needed > PATH_ROOM / 2) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the path of the folder of states is too long");
    }
    abut_context kept = abut_context_or_default(context);
    abut_status status = read_file(&kept, path, &text, &length, error);
    status = status != ABUT_OK ? status : abut_states_parse(&kept, text, length, path, states, error);
    if (status == ABUT_OK) {
        states_store *store = (states_store *)*states;
        (void)snprintf(store->folder, sizeof store->folder, "%s", folder);
    }
    abut_free(&kept, text);
    return status;
}

void abut_states_destroy(abut_states *states)
{
    if (states != NULL) {
        states_store *store = (states_store *)states;
        abut_context context = store->context;
        abut_free(&context, store->rows);
        abut_free(&context, store);
    }
}

const abut_states_row *abut_states_find(const abut_states *states, const char *case_name, const char *method)
{
    for (int i = 0; i < states->count; ++i) {
        if (strcmp(states->rows[i].case_name, case_name) == 0 && strcmp(states->rows[i].method, method) == 0) {
            return &states->rows[i];
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Cases

/// Replaces the mesh of a body by that of the folder.
static abut_status load_body(const states_store *store, const abut_states_row *row, char letter,
                             abut_case_body *body, abut_error *error)
{
    char path[PATH_ROOM];
    abut_mesh *mesh = NULL;
    (void)snprintf(path, sizeof path, "%.*s/%s/%s-%c.node", PATH_ROOM / 2, store->folder, row->case_name,
                   row->method, letter);
    abut_status status = abut_mesh_read(&store->context, path, ABUT_FORMAT_TETGEN, &mesh, error);
    if (status != ABUT_OK) {
        return status;
    }
    if (abut_mesh_get_elements(mesh).tet_count == 0) {
        abut_mesh_destroy(mesh);
        return abut_fail(error, ABUT_BAD_DATA, "%s: there are no tetrahedra: the file .ele is missing or empty",
                         path);
    }
    abut_mesh_destroy(body->mesh);
    body->mesh = mesh;
    body->pose = abut_pose_identity();
    return ABUT_OK;
}

abut_status abut_states_load(const abut_states *states, const abut_states_row *row, abut_case **item,
                             abut_error *error)
{
    if (states == NULL || row == NULL || item == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_states_load: states, row or item is NULL");
    }
    *item = NULL;
    const states_store *store = (const states_store *)states;
    if (store->folder[0] == '\0') {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_states_load: these states were not read from a folder");
    }
    abut_case_params params = abut_case_params_default();
    params.scene_size = abut_paper_scene_size(row->case_name);
    abut_case *made = NULL;
    abut_status status = abut_case_create(&store->context, row->case_name, &params, &made, error);
    status = status != ABUT_OK ? status : load_body(store, row, 'a', &made->a, error);
    status = status != ABUT_OK ? status : load_body(store, row, 'b', &made->b, error);
    if (status != ABUT_OK) {
        abut_case_destroy(made);
        return status;
    }
    made->size = fmin(abut_box_diagonal(abut_mesh_get_elements(made->a.mesh).bounds),
                      abut_box_diagonal(abut_mesh_get_elements(made->b.mesh).bounds));
    *item = made;
    return ABUT_OK;
}
