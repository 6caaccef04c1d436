// SPDX-License-Identifier: MIT
// isolated.c: a query in a child process, so that a crash or hang of the method does not end the caller
//
// The child makes its own shapes, without threads: after fork() only the calling thread exists. It sends the contacts
// as they are in memory. The parent checks all of them, because the method may have overwritten anything.
#define _POSIX_C_SOURCE 200809L
#include "common/lab_support.h"
#include "process/child_task.h"

#include <abut-lab/plugin.h>

#include <limits.h>
#include <string.h>

enum {
    MAX_CONTACTS = 1 << 18 ///< of one pair; more is a fault
};

static const uint64_t MAGIC = 0x61627574666f726bu; ///< first bytes of every answer: "abutfork"

/// What the child sends, followed by `count` contacts.
typedef struct answer {
    uint64_t magic;
    abut_status status;
    int count;
    abut_error error;
} answer;

_Static_assert(sizeof(answer) % _Alignof(abut_contact) == 0, "contacts follow the head without a gap");

static const size_t MAX_BYTES = sizeof(answer) + (size_t)MAX_CONTACTS * sizeof(abut_contact); ///< of an answer
_Static_assert(sizeof(answer) + (size_t)MAX_CONTACTS * sizeof(abut_contact) <= INT_MAX, "an int counts the bytes");

/// What is asked, and what the child has sent so far.
typedef struct question {
    abut_pair pair;
    const abut_method *method;
    const abut_params *params;
    abut_context context;
    char *bytes;
    size_t size;
    int capacity;
    int is_out_of_memory;
} question;

// ---------------------------------------------------------------------------------------------------------------
// The child

static abut_status prepared_shape(const abut_context *context, const abut_shape *original,
                                  const abut_method *method, const abut_params *params, abut_shape **shape,
                                  abut_error *error)
{
    abut_shape_def def = abut_shape_def_default();
    def.mesh = abut_shape_mesh(original);
    def.dilation = abut_shape_dilation(original);
    def.offset = abut_shape_offset(original);
    def.chord = abut_shape_chord(original);
    abut_status status = abut_shape_create(context, &def, shape, error);
    return status == ABUT_OK ? abut_shape_prepare(*shape, method, params, error) : status;
}

/// Replaces the shape or instance of a side by a new, prepared one.
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

/// Whether both sides are the same soft body, or rigid with the same shape. A soft body ignores `shape`.
static int shares_body(const abut_pair *pair)
{
    return pair->a.instance == pair->b.instance && (pair->a.instance != NULL || pair->a.shape == pair->b.shape);
}

/// Prepares and queries. Nothing is released, because the process ends.
static abut_status run_query(const abut_pair *original, const abut_method *method, const abut_params *params,
                             abut_result *result)
{
    abut_context context = abut_lab_serial_context();
    abut_pair pair = *original;
    abut_error *error = &result->error;
    abut_status status = prepare_side(&context, method, params, &pair.a, error);
    if (status == ABUT_OK && shares_body(original)) {
        pair.b.shape = pair.a.shape;
        pair.b.instance = pair.a.instance;
    } else if (status == ABUT_OK) {
        status = prepare_side(&context, method, params, &pair.b, error);
    }
    abut_workspace *workspace = NULL;
    if (status == ABUT_OK) {
        status = abut_workspace_create(&context, &workspace);
    }
    if (status == ABUT_OK) {
        status = abut_find_contacts(&pair, method, params, workspace, result);
    }
    if (status == ABUT_OK && result->contacts.count > MAX_CONTACTS) {
        return abut_fail(error, ABUT_METHOD_FAULT, "%s found %d contacts, more than the limit of %d", method->name,
                         result->contacts.count, MAX_CONTACTS);
    }
    return status;
}

/// Runs in the child.
static void answer_query(void *user, int output)
{
    const question *q = user;
    abut_result result = abut_result_default();
    answer head;
    memset(&head, 0, sizeof head); // padding is sent too
    head.magic = MAGIC;
    head.status = run_query(&q->pair, q->method, q->params, &result);
    head.error = result.error;
    head.count = head.status == ABUT_OK ? result.contacts.count : 0;
    abut_child_write(output, &head, sizeof head);
    abut_child_write(output, result.contacts.items, (size_t)head.count * sizeof(abut_contact));
}

// ---------------------------------------------------------------------------------------------------------------
// The parent

static int receive(void *user, const char *bytes, size_t size)
{
    question *r = user;
    if (size > MAX_BYTES - r->size) {
        return 0;
    }
    if (!abut_grow(&r->context, &r->bytes, &r->capacity, (int)(r->size + size), 1)) {
        r->is_out_of_memory = 1;
        return 0;
    }
    memcpy(r->bytes + r->size, bytes, size);
    r->size += size;
    return 1;
}

/// Refuses contacts that make no sense.
static abut_status check_contacts(const abut_pair *pair, const abut_method *method, const abut_contact *contacts,
                                  int count, abut_error *error)
{
    const abut_mesh *mesh_a = abut_side_mesh(&pair->a), *mesh_b = abut_side_mesh(&pair->b);
    for (int i = 0; i < count; ++i) {
        const char *fault = abut_contact_fault(&contacts[i], mesh_a, mesh_b);
        if (fault != NULL) {
            (void)abut_fail(error, ABUT_METHOD_FAULT, "%s: contact %d has %s", method->name, i, fault);
            error->element = i;
            return ABUT_METHOD_FAULT;
        }
    }
    return ABUT_OK;
}

static abut_status read_answer(const question *r, abut_workspace *workspace, abut_result *result)
{
    const abut_method *method = r->method;
    answer head;
    int is_whole = r->size >= sizeof head;
    if (is_whole) {
        memcpy(&head, r->bytes, sizeof head);
        is_whole = head.magic == MAGIC && head.count >= 0 && head.count <= MAX_CONTACTS &&
                   r->size == sizeof head + (size_t)head.count * sizeof(abut_contact);
    }
    if (!is_whole || (unsigned)head.status > ABUT_METHOD_FAULT || head.status == ABUT_TRUNCATED) {
        return abut_fail(&result->error, ABUT_METHOD_FAULT, "%s: its answer is not complete", method->name);
    }
    if (head.status != ABUT_OK) {
        head.error.text[sizeof head.error.text - 1] = '\0';
        result->error = head.error;
        result->error.status = head.status;
        if (head.error.text[0] == '\0') {
            return abut_fail(&result->error, head.status, "%s: %s", method->name, abut_status_text(head.status));
        }
        return head.status;
    }
    // the buffer is aligned, and the head is a multiple of the alignment of a contact
    const abut_contact *contacts = (const abut_contact *)(const void *)(r->bytes + sizeof head);
    abut_status status = check_contacts(&r->pair, method, contacts, head.count, &result->error);
    return status == ABUT_OK ? abut_workspace_put(workspace, contacts, head.count, result) : status;
}

/// Copies the caller's pair, which may be of an older version.
static abut_status read_pair(const abut_pair *given, abut_pair *pair, abut_error *error)
{
    *pair = abut_pair_default(NULL, NULL);
    if (!abut_read_versioned(pair, sizeof *pair, given)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_pair: start from abut_pair_default()");
    }
    if ((pair->a.shape == NULL && pair->a.instance == NULL) ||
        (pair->b.shape == NULL && pair->b.instance == NULL)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a side of the pair has neither a shape nor a soft body");
    }
    if (pair->memory != NULL) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "a child process cannot write the memory of a pair: set abut_pair.memory to NULL");
    }
    return ABUT_OK;
}

abut_status abut_find_contacts_isolated(const abut_pair *pair, const abut_method *method, const abut_params *params,
                                        double seconds, abut_workspace *workspace, abut_result *result)
{
    if (result == NULL || result->struct_size != sizeof *result) {
        return ABUT_BAD_ARGUMENT;
    }
    abut_result_clear(result);
    if (pair == NULL || method == NULL || workspace == NULL || !(seconds > 0.0)) {
        return abut_fail(&result->error, ABUT_BAD_ARGUMENT,
                         "abut_find_contacts_isolated: no pair, method, workspace or time");
    }
    question q = {.method = method, .params = params, .context = abut_context_default()};
    abut_status status = read_pair(pair, &q.pair, &result->error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_child_task task = {method->name, seconds, answer_query, receive, &q};
    status = abut_child_run(&task, &result->error);
    if (q.is_out_of_memory) {
        status = abut_fail(&result->error, ABUT_NO_MEMORY, "out of memory for the contacts of %s", method->name);
    }
    if (status == ABUT_OK) {
        status = read_answer(&q, workspace, result);
    }
    abut_free(&q.context, q.bytes);
    return status;
}
