// SPDX-License-Identifier: MIT
// plugin.c: contact methods from shared objects
//
// Loading a shared object runs its code, so the caller must give a path: there is no search and no default. A child
// process loads it first, and this process only if that went well. The checks find honest mistakes: a crash or hang
// while loading, another version of the interface, an incomplete row. They do not protect against malice.
#define _POSIX_C_SOURCE 200809L
#include "process/child_task.h"

#include <abut-lab/plugin.h>

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

static const double LOAD_SECONDS = 5.0;

enum { MAX_NAME = 64, MAX_OPTIONS = 64, MAX_CHOICES = 64 };

struct abut_plugin {
    void *handle;
    const abut_method *method;
};

/// Whether a name has lower case letters, digits and hyphens only, and begins with a letter.
static int is_name(const char *name)
{
    if (name == NULL || name[0] < 'a' || name[0] > 'z') {
        return 0;
    }
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return length <= MAX_NAME && name[length] == '\0';
}

/// The number of choices, at most MAX_CHOICES + 1; -1 if one is not a name.
static int count_choices(const char *const *choices)
{
    int count = 0;
    while (count <= MAX_CHOICES && choices[count] != NULL) {
        if (!is_name(choices[count])) {
            return -1;
        }
        ++count;
    }
    return count;
}

static int is_sane_option(const abut_option_info *option)
{
    if (!is_name(option->name) || option->help == NULL) {
        return 0;
    }
    if (option->choices != NULL) {
        int count = count_choices(option->choices);
        double value = option->value;
        return count > 0 && count <= MAX_CHOICES && value >= 0.0 && value < count && value == floor(value);
    }
    return option->lower <= option->value && option->value <= option->upper && isfinite(option->value);
}

static abut_status check_options(const char *path, const abut_method *method, abut_error *error)
{
    int count = method->option_count;
    if (count < 0 || count > MAX_OPTIONS || (count > 0 && method->options == NULL)) {
        return abut_fail(error, ABUT_BAD_DATA, "%.128s: the method has %d options; there may be 0 to %d", path,
                         count, MAX_OPTIONS);
    }
    for (int i = 0; i < count; ++i) {
        int is_sane = is_sane_option(&method->options[i]);
        for (int k = 0; is_sane && k < i; ++k) {
            is_sane = strcmp(method->options[k].name, method->options[i].name) != 0;
        }
        if (!is_sane) {
            (void)abut_fail(error, ABUT_BAD_DATA,
                            "%.128s: option %d needs a unique name, a help text and a default within its range",
                            path, i);
            if (error != NULL) {
                error->element = i;
            }
            return ABUT_BAD_DATA;
        }
    }
    return ABUT_OK;
}

static abut_status check_method(const char *path, const abut_method *method, abut_error *error)
{
    if (method == NULL) {
        return abut_fail(error, ABUT_BAD_DATA, "%.128s: abut_plugin_method() returned NULL", path);
    }
    if (method->abi != ABUT_METHOD_ABI) {
        return abut_fail(error, ABUT_BAD_DATA, "%.128s: built for plug-in interface %u, this is %u; build it again",
                         path, (unsigned)method->abi, ABUT_METHOD_ABI);
    }
    if (method->struct_size != sizeof *method) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "%.128s: its abut_method has %zu bytes, ours has %zu; build it again", path,
                         method->struct_size, sizeof *method);
    }
    if (!is_name(method->name)) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "%.128s: the method's name must have lower case letters, digits and hyphens only", path);
    }
    if (method->summary == NULL || method->query == NULL) {
        return abut_fail(error, ABUT_BAD_DATA, "%.128s: the method has no %s", path,
                         method->query == NULL ? "query function" : "summary");
    }
    return check_options(path, method, error);
}

static abut_status load(const char *path, abut_plugin *plugin, abut_error *error)
{
    plugin->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin->handle == NULL) {
        const char *reason = dlerror();
        // The loader's message begins with the path.
        size_t named = reason != NULL && strncmp(reason, path, strlen(path)) == 0 ? strlen(path) : 0;
        named += named > 0 ? strspn(reason + named, ": ") : 0;
        return abut_fail(error, ABUT_IO, "%.100s: this is not a plug-in: %.100s", path,
                         reason != NULL ? reason + named : "it cannot be loaded");
    }
    void *symbol = dlsym(plugin->handle, "abut_plugin_method");
    if (symbol == NULL) {
        return abut_fail(error, ABUT_BAD_DATA, "%.128s: it does not define abut_plugin_method()", path);
    }
    abut_plugin_function *function;
    memcpy(&function, &symbol, sizeof function); // ISO C has no cast from void * to a function pointer
    plugin->method = function();
    return check_method(path, plugin->method, error);
}

static void unload(abut_plugin *plugin)
{
    if (plugin->handle != NULL) {
        (void)dlclose(plugin->handle);
    }
}

/// A trial load in a child, and what the child reports.
typedef struct trial {
    const char *path;
    abut_error error;
    size_t size; ///< bytes of `error` received so far
} trial;

static void try_load(void *user, int output)
{
    trial *t = user;
    abut_plugin plugin = {0};
    t->error.status = load(t->path, &plugin, &t->error);
    unload(&plugin);
    abut_child_write(output, &t->error, sizeof t->error);
}

static int receive_error(void *user, const char *bytes, size_t size)
{
    trial *t = user;
    if (size > sizeof t->error - t->size) {
        return 0;
    }
    memcpy((char *)&t->error + t->size, bytes, size);
    t->size += size;
    return 1;
}

/// ABUT_OK if the plug-in may be loaded in this process.
static abut_status check_load(const char *path, abut_error *error)
{
    trial t = {.path = path};
    abut_child_task task = {path, LOAD_SECONDS, try_load, receive_error, &t};
    abut_status status = abut_child_run(&task, error);
    if (status != ABUT_OK) {
        return status;
    }
    if (t.size != sizeof t.error) {
        return abut_fail(error, ABUT_METHOD_FAULT, "%.128s ended its process while it was loaded", path);
    }
    if (t.error.status != ABUT_OK && error != NULL) {
        *error = t.error;
        error->text[sizeof error->text - 1] = '\0';
    }
    return t.error.status;
}

abut_status abut_plugin_open(const char *path, abut_plugin **plugin, abut_error *error)
{
    if (path == NULL || plugin == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_plugin_open: path or plugin is NULL");
    }
    *plugin = NULL;
    if (strchr(path, '/') == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "plug-in '%.128s': give a path with a slash, for example ./%.32s", path, path);
    }
    if (access(path, R_OK) != 0) {
        return abut_fail(error, ABUT_IO, "%.128s: cannot be read: %s", path, abut_errno_text(errno));
    }
    abut_status status = check_load(path, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_context context = abut_context_default();
    abut_plugin *made = abut_allocate_zeroed(&context, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for the plug-in %.128s", path);
    }
    int kept = abut_child_silence();
    status = load(path, made, error);
    abut_child_unsilence(kept);
    if (status != ABUT_OK) {
        abut_plugin_close(made);
        return status;
    }
    *plugin = made;
    return ABUT_OK;
}

void abut_plugin_close(abut_plugin *plugin)
{
    if (plugin != NULL) {
        int kept = abut_child_silence();
        unload(plugin);
        abut_child_unsilence(kept);
        abut_context context = abut_context_default();
        abut_free(&context, plugin);
    }
}

const abut_method *abut_plugin_get_method(const abut_plugin *plugin)
{
    return plugin->method;
}
