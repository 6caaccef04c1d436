// SPDX-License-Identifier: MIT
// isolated.c: a query in a child process, which a crash or hang of the method cannot end
//
// The child makes shapes of its own, without threads, since a fork takes only the calling one along. It sends the
// contacts as they are in memory; the parent trusts nothing of them, for the method may have written anywhere.
#define _XOPEN_SOURCE 700
#include "child.h"
#include "support.h"

#include <abut-lab/plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    MAX_CONTACTS = 1 << 18, ///< of one pair; more is a fault
    EXIT_BY_METHOD = 3      ///< of a child whose method called exit()
};

static const double CHILD_MEMORY = 0x1p30;         ///< bytes that the child may take beyond what it was born with
static const double NORMAL_TOLERANCE = 1e-6;       ///< of the length of a unit vector
static const uint64_t MAGIC = 0x61627574666f726bu; ///< begins a complete answer

/// What the child sends, followed by `count` contacts.
typedef struct answer {
    uint64_t magic;
    abut_status status;
    int count;
    abut_error error;
} answer;

// ---------------------------------------------------------------------------------------------------------------
// The child

static void serial_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user, (void)grain;
    if (count > 0) {
        task(data, 0, count, 0);
    }
}

/// The last exit handler to be registered is the first to run: those of the host process, and its unwritten
/// files, are not the child's business.
static void leave_at_once(void)
{
    _exit(EXIT_BY_METHOD);
}

static void limit_memory(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        unsigned long pages = 0;
        int read = fscanf(file, "%lu", &pages);
        (void)fclose(file);
        if (read == 1) {
            abut_child_limit(RLIMIT_AS, (double)pages * (double)sysconf(_SC_PAGESIZE) + CHILD_MEMORY);
        }
    }
}

/// What the method prints must not get into the output of the host.
static void silence_output(void)
{
    int nothing = open("/dev/null", O_WRONLY);
    if (nothing >= 0) {
        (void)dup2(nothing, STDOUT_FILENO);
        (void)close(nothing);
    }
}

static abut_status prepared_shape(const abut_context *context, const abut_shape *original,
                                  const abut_method *method, const abut_params *params, abut_shape **shape,
                                  abut_error *error)
{
    abut_shape_def def = abut_shape_def_default();
    def.mesh = abut_shape_mesh(original);
    def.dilation = abut_shape_dilation(original);
    def.offset = abut_shape_offset(original);
    abut_status status = abut_shape_create(context, &def, shape, error);
    return status == ABUT_OK ? abut_shape_prepare(*shape, method, params, error) : status;
}

/// Replaces the shape or instance of a side by a prepared one of its own.
static abut_status prepare_side(const abut_context *context, const abut_method *method, const abut_params *params,
                                abut_side *side, abut_error *error)
{
    const abut_instance *soft = side->instance;
    abut_shape *shape = NULL;
    abut_status status = prepared_shape(context, soft != NULL ? abut_instance_shape(soft) : side->shape, method,
                                        params, &shape, error);
    side->shape = shape;
    if (status == ABUT_OK && soft != NULL) {
        abut_instance *instance = NULL;
        status = abut_instance_create(context, shape, &instance, error);
        if (status == ABUT_OK) {
            status = abut_instance_move(instance, abut_instance_start(soft), abut_instance_end(soft), error);
        }
        side->instance = instance;
    }
    return status;
}

/// Prepares and asks. Nothing is released: the process ends.
static abut_status run_query(const abut_pair *original, const abut_method *method, const abut_params *params,
                             abut_result *result)
{
    abut_context context = abut_context_default();
    context.parallel_for = serial_for;
    context.worker_count = 1;
    abut_pair pair = *original;
    abut_error *error = &result->error;
    abut_status status = prepare_side(&context, method, params, &pair.a, error);
    int is_one_body = original->a.shape == original->b.shape && original->a.instance == original->b.instance;
    if (status == ABUT_OK && is_one_body) {
        pair.b.shape = pair.a.shape;
        pair.b.instance = pair.a.instance;
    } else if (status == ABUT_OK) {
        status = prepare_side(&context, method, params, &pair.b, error);
    }
    abut_workspace *workspace = NULL;
    if (status == ABUT_OK) {
        status = abut_workspace_create(&context, &workspace);
    }
    // Once to see how much room is needed, once to fill it.
    if (status == ABUT_OK) {
        status = abut_find_contacts(&pair, method, params, workspace, result);
        status = status == ABUT_TRUNCATED ? ABUT_OK : status;
    }
    if (status == ABUT_OK && result->contacts.required > MAX_CONTACTS) {
        return abut_lab_fail(error, ABUT_METHOD_FAULT, "%s found %d contacts, more than the limit of %d",
                             method->name, result->contacts.required, MAX_CONTACTS);
    }
    int required = result->contacts.required;
    if (status == ABUT_OK) {
        status = abut_result_reserve(&context, result);
    }
    if (status == ABUT_OK) {
        status = abut_find_contacts(&pair, method, params, workspace, result);
    }
    if (status == ABUT_TRUNCATED || (status == ABUT_OK && result->contacts.required != required)) {
        return abut_lab_fail(error, ABUT_METHOD_FAULT, "%s gives another answer when it is asked again",
                             method->name);
    }
    return status;
}

static int write_all(int output, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size > 0) {
        ssize_t written = write(output, next, size);
        if (written < 0 && errno != EINTR) {
            return 0;
        }
        if (written > 0) {
            next += written;
            size -= (size_t)written;
        }
    }
    return 1;
}

/// The child's side: never returns.
static void answer_query(const abut_pair *pair, const abut_method *method, const abut_params *params,
                         double seconds, int output)
{
    abut_child_begin(seconds);
    silence_output();
    limit_memory();
    if (atexit(leave_at_once) != 0) {
        _exit(EXIT_FAILURE);
    }
    abut_result result = abut_result_default();
    answer head;
    memset(&head, 0, sizeof head); // all of it is sent, gaps too
    head.magic = MAGIC;
    head.status = run_query(pair, method, params, &result);
    head.error = result.error;
    head.count = head.status == ABUT_OK ? result.contacts.count : 0;
    int sent = write_all(output, &head, sizeof head) &&
               write_all(output, result.contacts.items, (size_t)head.count * sizeof(abut_contact));
    _exit(sent ? EXIT_SUCCESS : EXIT_FAILURE);
}

// ---------------------------------------------------------------------------------------------------------------
// The parent

/// What the child has sent so far.
typedef struct received {
    abut_context context;
    char *bytes;
    size_t size, capacity;
    int is_out_of_memory;
} received;

static int receive(void *user, const char *bytes, size_t size)
{
    const size_t limit = sizeof(answer) + (size_t)MAX_CONTACTS * sizeof(abut_contact);
    received *r = user;
    if (size > limit - r->size) {
        return 0;
    }
    if (r->size + size > r->capacity) {
        size_t capacity = 2 * (r->size + size);
        char *grown = r->context.resize(r->context.user, r->bytes, capacity);
        if (grown == NULL) {
            r->is_out_of_memory = 1;
            return 0;
        }
        r->bytes = grown;
        r->capacity = capacity;
    }
    memcpy(r->bytes + r->size, bytes, size);
    r->size += size;
    return 1;
}

static int is_valid_feature(const abut_feature *feature, const abut_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    switch (feature->kind) {
    case ABUT_FEATURE_NONE: return 1;
    case ABUT_FEATURE_VERTEX: return feature->index >= 0 && feature->index < e.vertex_count;
    case ABUT_FEATURE_EDGE: return feature->index >= 0 && feature->index < abut_mesh_get_topology(mesh).edge_count;
    case ABUT_FEATURE_FACE: return feature->index >= 0 && feature->index < e.face_count;
    case ABUT_FEATURE_TET: return feature->index >= 0 && feature->index < e.tet_count;
    }
    return 0;
}

static int is_valid_anchor(const abut_anchor *anchor, const abut_mesh *mesh)
{
    int vertex_count = abut_mesh_get_elements(mesh).vertex_count;
    for (int i = 0; i < 4; ++i) {
        if (anchor->vertices[i] >= vertex_count || (anchor->vertices[i] >= 0 && !isfinite(anchor->weights[i]))) {
            return 0;
        }
    }
    return 1;
}

/// NULL, or what is wrong with a contact.
static const char *fault_of(const abut_contact *c, const abut_mesh *mesh_a, const abut_mesh *mesh_b)
{
    if (!abut_is_finite(c->position_a) || !abut_is_finite(c->position_b) || !abut_is_finite(c->position) ||
        !isfinite(c->gap) || !isfinite(c->normal_speed)) {
        return "a number that is not finite";
    }
    if (!(fabs(abut_norm(c->normal) - 1.0) <= NORMAL_TOLERANCE)) {
        return "a normal that is not of length one";
    }
    if (!(c->time >= 0.0 && c->time <= 1.0)) {
        return "a time outside the step";
    }
    const abut_mesh *normal_mesh = c->normal_side == ABUT_NORMAL_A ? mesh_a : mesh_b;
    if (!is_valid_feature(&c->feature_a, mesh_a) || !is_valid_feature(&c->feature_b, mesh_b) ||
        !is_valid_feature(&c->normal_feature, normal_mesh)) {
        return "a feature that its mesh does not have";
    }
    if (!is_valid_anchor(&c->anchor_a, mesh_a) || !is_valid_anchor(&c->anchor_b, mesh_b)) {
        return "an anchor on a vertex that its mesh does not have";
    }
    if ((unsigned)c->rule > ABUT_RULE_NONE || (unsigned)c->normal_side > ABUT_NORMAL_B) {
        return "a rule or side that there is not";
    }
    return NULL;
}

static const abut_mesh *side_mesh(const abut_side *side)
{
    return abut_shape_mesh(side->instance != NULL ? abut_instance_shape(side->instance) : side->shape);
}

static abut_status copy_contacts(const abut_pair *pair, const abut_method *method, const char *bytes, int count,
                                 abut_result *result)
{
    const abut_mesh *mesh_a = side_mesh(&pair->a), *mesh_b = side_mesh(&pair->b);
    abut_contact_array *out = &result->contacts;
    for (int i = 0; i < count; ++i) {
        abut_contact contact;
        memcpy(&contact, bytes + (size_t)i * sizeof contact, sizeof contact);
        contact.region = -1; // regions stay with the child
        const char *fault = fault_of(&contact, mesh_a, mesh_b);
        if (fault != NULL) {
            out->count = 0;
            (void)abut_lab_fail(&result->error, ABUT_METHOD_FAULT, "%s: contact %d has %s", method->name, i, fault);
            result->error.element = i;
            return ABUT_METHOD_FAULT;
        }
        if (i < out->capacity) {
            out->items[i] = contact;
            out->count = i + 1;
        }
    }
    out->required = count;
    return out->required > out->capacity ? ABUT_TRUNCATED : ABUT_OK;
}

static abut_status read_answer(const abut_pair *pair, const abut_method *method, const received *r,
                               abut_result *result)
{
    answer head;
    int is_whole = r->size >= sizeof head;
    if (is_whole) {
        memcpy(&head, r->bytes, sizeof head);
        is_whole = head.magic == MAGIC && head.count >= 0 && head.count <= MAX_CONTACTS &&
                   r->size == sizeof head + (size_t)head.count * sizeof(abut_contact);
    }
    if (!is_whole || (unsigned)head.status > ABUT_METHOD_FAULT || head.status == ABUT_TRUNCATED) {
        return abut_lab_fail(&result->error, ABUT_METHOD_FAULT, "%s: its answer is not complete", method->name);
    }
    if (head.status != ABUT_OK) {
        head.error.text[sizeof head.error.text - 1] = '\0';
        result->error = head.error;
        result->error.status = head.status;
        if (head.error.text[0] == '\0') {
            return abut_lab_fail(&result->error, head.status, "%s: %s", method->name,
                                 abut_status_text(head.status));
        }
        return head.status;
    }
    return copy_contacts(pair, method, r->bytes + sizeof head, head.count, result);
}

static abut_status explain(const abut_method *method, abut_child_report report, double seconds, const received *r,
                           abut_error *error)
{
    const char *name = method->name;
    switch (report.end) {
    case ABUT_CHILD_TIMEOUT:
        return abut_lab_fail(error, ABUT_METHOD_FAULT, "%s took more than %g seconds", name, seconds);
    case ABUT_CHILD_REFUSED:
        if (r->is_out_of_memory) {
            return abut_lab_fail(error, ABUT_NO_MEMORY, "out of memory for the contacts of %s", name);
        }
        return abut_lab_fail(error, ABUT_METHOD_FAULT, "%s: its answer does not end", name);
    case ABUT_CHILD_SIGNALED:
        return abut_lab_fail(error, ABUT_METHOD_FAULT, "%s was ended by signal %d (%s)", name, report.code,
                             strsignal(report.code));
    case ABUT_CHILD_EXITED:
        if (report.code != 0) {
            return abut_lab_fail(error, ABUT_METHOD_FAULT, "%s ended its process with exit code %d", name,
                                 report.code);
        }
    }
    return ABUT_OK;
}

static void clear(abut_result *result)
{
    result->contacts.count = result->contacts.required = 0;
    result->derivatives.count = result->derivatives.required = 0;
    result->regions.count = result->regions.required = 0;
    result->loops.count = result->loops.required = 0;
    result->cones.count = result->cones.required = 0;
    result->points.count = result->points.required = 0;
    result->directions.count = result->directions.required = 0;
    result->events.count = result->events.required = 0;
    memset(&result->stats, 0, sizeof result->stats);
    memset(&result->error, 0, sizeof result->error);
    result->error.element = -1;
}

abut_status abut_find_contacts_isolated(const abut_pair *pair, const abut_method *method, const abut_params *params,
                                        double seconds, abut_result *result)
{
    if (result == NULL || result->struct_size != sizeof *result) {
        return ABUT_BAD_ARGUMENT;
    }
    clear(result);
    if (pair == NULL || method == NULL || !(seconds > 0.0) || (pair->a.shape == NULL && pair->a.instance == NULL) ||
        (pair->b.shape == NULL && pair->b.instance == NULL)) {
        return abut_lab_fail(&result->error, ABUT_BAD_ARGUMENT,
                             "abut_find_contacts_isolated: no pair, shape, method or time");
    }
    int ends[2];
    if (!abut_child_pipe(ends)) {
        return abut_lab_fail(&result->error, ABUT_IO, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        answer_query(pair, method, params, seconds, ends[1]);
    }
    (void)close(ends[1]);
    if (child < 0) {
        (void)close(ends[0]);
        return abut_lab_fail(&result->error, ABUT_IO, "cannot start a child process: %s", strerror(errno));
    }
    received r = {.context = abut_context_default()};
    abut_child_report report = abut_child_wait(child, ends[0], seconds, receive, &r);
    abut_status status = explain(method, report, seconds, &r, &result->error);
    if (status == ABUT_OK) {
        status = read_answer(pair, method, &r, result);
    }
    abut_lab_free(&r.context, r.bytes);
    return status;
}
