// SPDX-License-Identifier: MIT
// selection.c: selects methods and cases by name
#include "shared/selection.h"

#include <stdlib.h>
#include <string.h>

static const char *method_word(const void *user, int index)
{
    (void)user;
    int count;
    const abut_method *const *rows = abut_methods(&count);
    if (index < count) {
        return rows[index]->name;
    }
    return index == count ? "all" : index == count + 1 ? "erleben" : NULL;
}

static void add_method(abut_cli_methods *methods, const abut_method *row, int is_plugin)
{
    for (int i = 0; i < methods->count; ++i) {
        if (methods->items[i].row == row) {
            return;
        }
    }
    methods->items = abut_cli_resize(methods->items, (size_t)methods->count + 1, sizeof *methods->items);
    methods->items[methods->count++] = (abut_cli_method){row, is_plugin};
}

static const abut_method *plugin_find(const abut_cli_methods *methods, const char *name)
{
    for (int i = 0; i < methods->plugin_count; ++i) {
        const abut_method *row = abut_plugin_get_method(methods->plugins[i]);
        if (strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}

static abut_cli_exit open_plugins(const abut_cli_arguments *arguments, abut_cli_methods *methods)
{
    int position = 0;
    const char *path;
    while ((path = abut_cli_next_value(arguments, "plugin", &position)) != NULL) {
        abut_plugin *plugin = NULL;
        abut_error error = {0};
        abut_status status = abut_plugin_open(path, &plugin, &error);
        if (status != ABUT_OK) {
            return abut_cli_fail_file(path, status, &error);
        }
        const char *name = abut_plugin_get_method(plugin)->name;
        if (abut_method_find(name) != NULL || plugin_find(methods, name) != NULL) {
            abut_cli_exit code =
                abut_cli_fail(ABUT_CLI_BAD_INPUT,
                              "%s: a method named '%s' exists already; rename the plug-in's method", path, name);
            abut_plugin_close(plugin);
            return code;
        }
        methods->plugins =
            abut_cli_resize(methods->plugins, (size_t)methods->plugin_count + 1, sizeof *methods->plugins);
        methods->plugins[methods->plugin_count++] = plugin;
    }
    return ABUT_CLI_DONE;
}

static abut_cli_exit unknown_method(const char *name)
{
    const char *nearest = abut_cli_nearest(name, method_word, NULL);
    if (nearest != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown method '%s': do you mean %s? See abut methods", name,
                             nearest);
    }
    return abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown method '%s': see abut methods", name);
}

static abut_cli_exit add_by_name(abut_cli_methods *methods, const char *name)
{
    int count;
    const abut_method *const *rows = abut_methods(&count);
    int is_all = strcmp(name, "all") == 0, is_group = is_all || strcmp(name, "erleben") == 0;
    if (is_group) {
        for (int i = 0; i < count; ++i) {
            if (is_all || !rows[i]->taxonomy.is_ours) {
                add_method(methods, rows[i], 0);
            }
        }
        return ABUT_CLI_DONE;
    }
    const abut_method *row = abut_method_find(name);
    if (row != NULL) {
        add_method(methods, row, 0);
        return ABUT_CLI_DONE;
    }
    row = plugin_find(methods, name);
    if (row == NULL) {
        return unknown_method(name);
    }
    add_method(methods, row, 1);
    return ABUT_CLI_DONE;
}

/// Adds the methods of these names, and those of all plug-ins.
static abut_cli_exit add_methods(abut_cli_methods *methods, const abut_cli_list *names)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int i = 0; i < names->count && code == ABUT_CLI_DONE; ++i) {
        code = add_by_name(methods, names->items[i]);
    }
    for (int i = 0; i < methods->plugin_count && code == ABUT_CLI_DONE; ++i) {
        add_method(methods, abut_plugin_get_method(methods->plugins[i]), 1);
    }
    return code;
}

abut_cli_exit abut_cli_methods_select(const abut_cli_arguments *arguments, const char *fallback,
                                      abut_cli_methods *methods)
{
    *methods = (abut_cli_methods){0};
    abut_cli_list names = {0};
    abut_cli_exit code = open_plugins(arguments, methods);
    code = code != ABUT_CLI_DONE ? code : abut_cli_list_of(arguments, "method", &names);
    if (code == ABUT_CLI_DONE && names.count == 0 && methods->plugin_count == 0) {
        (void)abut_cli_list_split(&names, fallback);
    }
    code = code != ABUT_CLI_DONE ? code : add_methods(methods, &names);
    abut_cli_list_release(&names);
    return code;
}

abut_cli_exit abut_cli_methods_list(const abut_cli_arguments *arguments, abut_cli_methods *methods)
{
    *methods = (abut_cli_methods){0};
    abut_cli_list names = {0};
    abut_cli_list_add(&names, "all");
    abut_cli_exit code = open_plugins(arguments, methods);
    code = code != ABUT_CLI_DONE ? code : add_methods(methods, &names);
    abut_cli_list_release(&names);
    return code;
}

abut_cli_exit abut_cli_method_select(const abut_cli_arguments *arguments, abut_cli_methods *methods)
{
    *methods = (abut_cli_methods){0};
    abut_cli_exit code = open_plugins(arguments, methods);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    const char *name = abut_cli_value_of(arguments, "method");
    if (name == NULL) {
        name =
            methods->plugin_count > 0 ? abut_plugin_get_method(methods->plugins[0])->name : ABUT_CLI_DEFAULT_METHOD;
    }
    code = add_by_name(methods, name);
    if (code == ABUT_CLI_DONE && methods->count != 1) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --method '%s': give one method, not a group", name);
    }
    return code;
}

void abut_cli_methods_release(abut_cli_methods *methods)
{
    for (int i = 0; i < methods->plugin_count; ++i) {
        abut_plugin_close(methods->plugins[i]);
    }
    free(methods->plugins);
    free(methods->items);
    *methods = (abut_cli_methods){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Cases

/// The groups of cases and scenes. "all" has several rows.
static const struct {
    const char *name;
    abut_cli_name_source *members;
    int is_scenes;
} groups[] = {
    {"fundamental", abut_case_names, 0}, {"all", abut_case_names, 0},     {"mixed", abut_mixed_case_names, 0},
    {"all", abut_mixed_case_names, 0},   {"scenes", abut_scene_names, 1}, {"all", abut_scene_names, 1},
};
enum { GROUP_COUNT = sizeof groups / sizeof groups[0] };

int abut_cli_is_one_of(abut_cli_name_source *source, const char *name)
{
    int count;
    const char *const *names = source(&count);
    for (int i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

static int is_group(const char *name)
{
    for (int i = 0; i < GROUP_COUNT; ++i) {
        if (strcmp(groups[i].name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

const char *abut_cli_case_word(const void *user, int index)
{
    (void)user;
    for (int i = 0; i < GROUP_COUNT; ++i) {
        int count;
        const char *const *names = groups[i].members(&count);
        if (index <= count) {
            return index < count ? names[index] : groups[i].name;
        }
        index -= count + 1;
    }
    return NULL;
}

int abut_cli_is_case(const char *name)
{
    return abut_cli_is_one_of(abut_case_names, name) || abut_cli_is_one_of(abut_mixed_case_names, name);
}

const char *abut_cli_nearest_case(const char *name)
{
    return abut_cli_nearest(name, abut_cli_case_word, NULL);
}

// Adds the members of a group that are named, or all if the group is.
static void add_members(const abut_cli_list *names, int group, abut_cli_list *to)
{
    int count;
    const char *const *members = groups[group].members(&count);
    for (int i = 0; i < count; ++i) {
        int is_wanted = abut_cli_list_has(names, groups[group].name) || abut_cli_list_has(names, members[i]);
        if (is_wanted && !abut_cli_list_has(to, members[i])) {
            abut_cli_list_add(to, members[i]);
        }
    }
}

abut_cli_exit abut_cli_cases_select(const abut_cli_list *names, abut_cli_list *cases, abut_cli_list *scenes)
{
    *cases = *scenes = (abut_cli_list){0};
    for (int i = 0; i < names->count; ++i) {
        const char *name = names->items[i];
        if (!is_group(name) && !abut_cli_is_case(name) && !abut_cli_is_one_of(abut_scene_names, name)) {
            const char *nearest = abut_cli_nearest_case(name);
            return nearest != NULL
                       ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown case '%s': do you mean %s? See abut cases",
                                       name, nearest)
                       : abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown case '%s': see abut cases", name);
        }
    }
    for (int i = 0; i < GROUP_COUNT; ++i) {
        add_members(names, i, groups[i].is_scenes ? scenes : cases);
    }
    return ABUT_CLI_DONE;
}

abut_cli_exit abut_cli_cases_check_options(const abut_cli_arguments *arguments, const abut_cli_list *cases,
                                           const abut_cli_list *scenes)
{
    if (scenes->count == 0 && abut_cli_value_of(arguments, "refine") != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --refine has no effect on cases: name a scene too, such as pillar");
    }
    if (cases->count == 0 && abut_cli_value_of(arguments, "scene-size") != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --scene-size has no effect on scenes: name a case too, such as spikes");
    }
    return ABUT_CLI_DONE;
}
