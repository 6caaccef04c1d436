// SPDX-License-Identifier: MIT
// setup_source.c: setups by name or from scene files
#include "verb/setup_source.h"

#include "shared/output.h"
#include "shared/repairs.h"

#include <stdlib.h>
#include <string.h>

static const char *setup_word(const void *user, int index)
{
    (void)user;
    return abut_setup_name(index);
}

char *abut_cli_setup_names(void)
{
    abut_cli_text names;
    abut_cli_text_open(&names);
    for (int i = 0; abut_setup_name(i) != NULL; ++i) {
        (void)fprintf(names.stream, "%s%s", i > 0 ? ", " : "", abut_setup_name(i));
    }
    return abut_cli_text_take(&names);
}

static abut_cli_exit refuse_name(const char *name)
{
    const char *nearest = abut_cli_nearest(name, setup_word, NULL);
    if (nearest != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown scene '%s': do you mean %s? Scene files end in .json",
                             name, nearest);
    }
    char *names = abut_cli_setup_names();
    abut_cli_exit code = abut_cli_fail(
        ABUT_CLI_BAD_INPUT, "unknown scene '%s': use a file that ends in .json, or one of %s", name, names);
    free(names);
    return code;
}

/// Whether a scene file that is refused can be read if its mesh files are repaired.
static int repair_helps(const char *name)
{
    abut_setup *setup = NULL;
    int helps = abut_setup_read_repaired(NULL, name, &setup, NULL) == ABUT_OK;
    abut_setup_destroy(setup);
    return helps;
}

abut_cli_exit abut_cli_setup_load(const char *name, int is_repaired, abut_setup **setup, int *is_file)
{
    abut_error error = {0};
    size_t length = strlen(name);
    *is_file = length > 5 && strcmp(name + length - 5, ".json") == 0;
    if (*is_file) {
        abut_status status = is_repaired ? abut_setup_read_repaired(NULL, name, setup, &error)
                                         : abut_setup_read(NULL, name, setup, &error);
        for (int i = 0; status == ABUT_OK && i < (*setup)->mesh_count; ++i) {
            if ((*setup)->meshes[i].is_repaired) {
                abut_cli_tell_repairs((*setup)->meshes[i].name, &(*setup)->meshes[i].repairs);
            }
        }
        return status == ABUT_OK
                   ? ABUT_CLI_DONE
                   : abut_cli_fail_advised(name, status, &error,
                                           !is_repaired && repair_helps(name) ? "; --repair helps" : "");
    }
    abut_status status = abut_setup_create(NULL, name, setup, &error);
    return status == ABUT_OK             ? ABUT_CLI_DONE
           : status == ABUT_BAD_ARGUMENT ? refuse_name(name)
                                         : abut_cli_fail_status(status, &error);
}
