// SPDX-License-Identifier: MIT
// files.c: writing mesh files, texts and folders
#define _XOPEN_SOURCE 700
#include "shared/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/// Blocks Ctrl-C until the file is complete. Otherwise its temporary file would stay behind.
static void hold_interrupts(sigset_t *before)
{
    sigset_t held;
    (void)sigemptyset(&held);
    (void)sigaddset(&held, SIGINT);
    (void)sigaddset(&held, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &held, before);
}

static void release_interrupts(const sigset_t *before)
{
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
}

/// The folder of a file; release with free().
static char *folder_of(const char *path)
{
    char *folder = abut_cli_copy(path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        free(folder);
        return abut_cli_copy(".");
    }
    slash[slash == folder ? 1 : 0] = '\0';
    return folder;
}

/// Checks a file that exists. Only regular files are overwritten: no folders, pipes or devices.
static abut_cli_exit check_present(const char *path, const struct stat *info)
{
    if (S_ISDIR(info->st_mode)) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: this is a folder; give the name of a file", path);
    }
    if (!S_ISREG(info->st_mode)) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot be written: not a regular file", path);
    }
    return access(path, W_OK) == 0
               ? ABUT_CLI_DONE
               : abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot be written: %s", path, abut_errno_text(errno));
}

/// The temporary name of a file while it is written, as in the library; release with free(). Other processes may use
/// other numbers.
static char *part_of(const char *path, int number)
{
    return abut_cli_print("%s.part%d", path, number);
}

/// Checks a file that does not exist. Only creating a file shows whether it can be created. This uses a temporary
/// name, since another process may create the file meanwhile. A full disk does not make the name bad.
static abut_cli_exit check_absent(const char *path)
{
    char *folder = folder_of(path), *inside = abut_cli_print("%s/.", folder);
    int is_writable = access(inside, W_OK | X_OK) == 0, reason = errno;
    free(inside);
    free(folder);
    if (!is_writable) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot write to its folder: %s", path,
                             abut_errno_text(reason));
    }
    char *part = part_of(path, 0);
    int made = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    reason = errno;
    if (made >= 0) {
        (void)close(made);
        (void)unlink(part);
    }
    free(part);
    return made >= 0 || reason == EEXIST || reason == ENOSPC || reason == EDQUOT
               ? ABUT_CLI_DONE
               : abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot be written: %s", path, abut_errno_text(reason));
}

static abut_cli_exit check_one(const char *path)
{
    struct stat info;
    if (path[0] == '\0') {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "the name of the output file is empty");
    }
    if (stat(path, &info) == 0) {
        return check_present(path, &info);
    }
    return lstat(path, &info) == 0
               ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot be written: it is a broken symbolic link", path)
               : check_absent(path);
}

abut_cli_exit abut_cli_check_writable(const char *path)
{
    static const char *const others[] = {".ele", ".face", ".edge"};
    abut_cli_exit code = check_one(path);
    size_t length = strlen(path);
    if (code != ABUT_CLI_DONE || length < 6 || strcmp(path + length - 5, ".node") != 0) {
        return code;
    }
    for (int i = 0; i < 3 && code == ABUT_CLI_DONE; ++i) {
        char *beside = abut_cli_print("%.*s%s", (int)length - 5, path, others[i]);
        code = check_one(beside);
        free(beside);
    }
    return code;
}

static int is_same_place(const char *first, const char *second)
{
    struct stat one, other;
    return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/// Files that do not exist yet are the same if their folders and their names in them are.
static int is_same_file(const char *first, const char *second)
{
    const char *slashes[2] = {strrchr(first, '/'), strrchr(second, '/')};
    char *folders[2] = {folder_of(first), folder_of(second)};
    int is_same = is_same_place(first, second) || (strcmp(slashes[0] != NULL ? slashes[0] + 1 : first,
                                                          slashes[1] != NULL ? slashes[1] + 1 : second) == 0 &&
                                                   is_same_place(folders[0], folders[1]));
    free(folders[0]);
    free(folders[1]);
    return is_same;
}

abut_cli_exit abut_cli_check_different(const char *input, const char *output)
{
    return is_same_file(input, output)
               ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: this is the input file; give another name for the output",
                               output)
               : ABUT_CLI_DONE;
}

abut_cli_exit abut_cli_check_two(const char *first_option, const char *first, const char *second_option,
                                 const char *second)
{
    return is_same_file(first, second)
               ? abut_cli_fail(ABUT_CLI_BAD_INPUT,
                               "options --%s and --%s name the same file, %s; give two different names",
                               first_option, second_option, second)
               : ABUT_CLI_DONE;
}

abut_cli_exit abut_cli_check_ending(const char *path, const char *format)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
    return dot == NULL || strcasecmp(dot + 1, format) == 0
               ? ABUT_CLI_DONE
               : abut_cli_fail(ABUT_CLI_BAD_INPUT,
                               "%s: cannot be written: not as .%s; give a name that ends in .%s", path, dot + 1,
                               format);
}

abut_cli_exit abut_cli_make_folder(const char *path)
{
    char *prefix = abut_cli_copy(path);
    int is_made = 1, is_taken = 0, reason = 0;
    for (char *c = prefix + 1; is_made && prefix[0] != '\0'; ++c) {
        if (*c == '/' || *c == '\0') {
            char kept = *c;
            struct stat info;
            *c = '\0';
            is_made = mkdir(prefix, 0777) == 0;
            reason = errno;
            if (!is_made && stat(prefix, &info) == 0) {
                is_made = S_ISDIR(info.st_mode);
                is_taken = !is_made;
            }
            if (!is_made || kept == '\0') {
                break; // the prefix is what could not be made
            }
            *c = kept;
        }
    }
    abut_cli_exit code =
        is_made ? ABUT_CLI_DONE
        : is_taken
            ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot create the folder: %s is a file", path, prefix)
            : abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot create the folder: %s", path, abut_errno_text(reason));
    free(prefix);
    return code;
}

// Whether `abut mesh check` finds something: the mesh has faces and is no sound solid, or it reads a file that is
// refused otherwise.
static int has_findings(const char *path, const abut_mesh *mesh)
{
    if (mesh != NULL) {
        abut_mesh_info info = abut_mesh_get_info(mesh);
        return abut_mesh_get_elements(mesh).triangle_count > 0 &&
               !(info.is_closed && info.is_oriented && info.volume > 0.0);
    }
    abut_soup *soup = NULL;
    int is_readable = abut_soup_read(NULL, path, ABUT_FORMAT_AUTO, &soup, NULL) == ABUT_OK;
    abut_soup_destroy(soup);
    return is_readable;
}

static int is_inside_out(const abut_mesh *mesh)
{
    abut_mesh_info info = {0};
    if (mesh != NULL) {
        info = abut_mesh_get_info(mesh);
    }
    return info.is_closed && info.is_oriented && info.volume < 0.0;
}

abut_status abut_cli_read_mesh(const char *path, abut_mesh **mesh, abut_error *error)
{
    if (!abut_is_primitive(path)) {
        return abut_mesh_read(NULL, path, ABUT_FORMAT_AUTO, mesh, error);
    }
    double deviation;
    abut_status status = abut_primitive_facets(NULL, path, mesh, &deviation, error);
    if (status == ABUT_OK && deviation > 0.0) {
        int count = abut_mesh_get_elements(*mesh).triangle_count;
        abut_cli_note("%s has %d flat facets here, at most %.3g inside its surface", path, count, deviation);
    }
    return status;
}

static const char *primitive_word(const void *user, int index)
{
    (void)user;
    int count;
    const char *const *words = abut_primitive_words(&count);
    return index < count ? words[index] : NULL;
}

// What a name that is no file may mean: "; do you mean sphere:1?" for "Spere:1". Release with free().
static char *suggest_primitive(const char *path)
{
    size_t length = strcspn(path, ":");
    char *word = abut_cli_print("%.*s", (int)length, path);
    for (char *c = word; *c != '\0'; ++c) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    }
    const char *nearest = access(path, F_OK) != 0 ? abut_cli_nearest(word, primitive_word, NULL) : NULL;
    free(word);
    return nearest != NULL ? abut_cli_print("; do you mean %s%s?", nearest, path + length) : abut_cli_copy("");
}

abut_cli_exit abut_cli_refuse_mesh(const char *path, const abut_mesh *mesh, abut_status status,
                                   const abut_error *error, const char *advice)
{
    int is_refused = status == ABUT_BAD_DATA || status == ABUT_UNSUPPORTED;
    char *text = is_refused && is_inside_out(mesh)
                     ? abut_cli_print("; abut mesh convert %s OUT --repair turns its faces%s", path, advice)
                 : is_refused && has_findings(path, mesh)
                     ? abut_cli_print("; see abut mesh check %s%s", path, advice)
                 : status == ABUT_IO && advice[0] == '\0' ? suggest_primitive(path)
                                                          : abut_cli_copy(advice);
    abut_cli_exit code = abut_cli_fail_advised(path, status, error, text);
    free(text);
    return code;
}

abut_cli_exit abut_cli_write_mesh(const abut_mesh *mesh, const char *path, abut_format format)
{
    abut_cli_exit code = abut_cli_check_writable(path);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_error error = {0};
    sigset_t signals;
    hold_interrupts(&signals);
    abut_status status = abut_mesh_write(mesh, path, format, &error);
    release_interrupts(&signals);
    if (status == ABUT_OK) {
        return ABUT_CLI_DONE;
    }
    code = abut_cli_fail_file(path, status, &error);
    return status == ABUT_IO ? ABUT_CLI_UNFINISHED : code;
}

abut_mesh_def abut_cli_mesh_def(const abut_mesh *mesh, unsigned flags)
{
    abut_mesh_def def = abut_mesh_get_def(mesh);
    if ((flags & ABUT_CLI_TRIANGLES) != 0) {
        abut_mesh_elements elements = abut_mesh_get_elements(mesh);
        def.face_offsets = NULL;
        def.face_vertices = elements.triangles;
        def.face_count = elements.triangle_count;
    }
    if ((flags & ABUT_CLI_SURFACE) != 0) {
        def.point_count = def.segment_count = def.tet_count = 0;
    }
    return def;
}

abut_status abut_cli_reduce_mesh(const abut_mesh *mesh, unsigned flags, abut_mesh **reduced, abut_error *error)
{
    abut_mesh_def def = abut_cli_mesh_def(mesh, flags);
    return abut_mesh_create(NULL, &def, reduced, error);
}

abut_cli_exit abut_cli_write_body(const abut_mesh *mesh, const char *base, abut_cli_list *files)
{
    static const char *const extensions[] = {"obj", "node", "ele", "face"};
    char *surface_path = abut_cli_print("%s.obj", base), *volume_path = abut_cli_print("%s.node", base);
    abut_mesh *surface = NULL;
    abut_error error = {0};
    abut_status status = abut_cli_reduce_mesh(mesh, ABUT_CLI_SURFACE, &surface, &error);
    abut_cli_exit code = status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_fail_file(surface_path, status, &error);
    code = code != ABUT_CLI_DONE ? code : abut_cli_write_mesh(surface, surface_path, ABUT_FORMAT_OBJ);
    code = code != ABUT_CLI_DONE ? code : abut_cli_write_mesh(mesh, volume_path, ABUT_FORMAT_TETGEN);
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; ++i) {
        char *path = abut_cli_print("%s.%s", base, extensions[i]);
        abut_cli_list_add(files, path);
        free(path);
    }
    abut_mesh_destroy(surface);
    free(surface_path);
    free(volume_path);
    return code;
}

/// Creates a temporary file beside the target. Returns NULL on failure, and sets errno. Release its name with free().
static FILE *open_part(const char *target, char **part)
{
    enum { ATTEMPTS = 100 };
    FILE *file = NULL;
    *part = NULL;
    errno = EEXIST;
    for (int i = 0; i < ATTEMPTS && file == NULL && errno == EEXIST; ++i) {
        free(*part);
        *part = part_of(target, i);
        file = fopen(*part, "wbx");
    }
    return file;
}

// Writes a temporary file and renames it, so that the file is never half written. A symbolic link is followed.
abut_cli_exit abut_cli_write_bytes(const char *path, const void *bytes, size_t size)
{
    abut_cli_exit code = abut_cli_check_writable(path);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    sigset_t signals;
    hold_interrupts(&signals);
    char *target = realpath(path, NULL), *part;
    FILE *file = open_part(target != NULL ? target : path, &part);
    int is_written = file != NULL && fwrite(bytes, 1, size, file) == size;
    int reason = errno;
    if (file != NULL && fclose(file) != 0 && is_written) {
        is_written = 0;
        reason = errno;
    }
    if (is_written && rename(part, target != NULL ? target : path) != 0) {
        is_written = 0;
        reason = errno;
    }
    if (!is_written && file != NULL) {
        (void)remove(part);
    }
    free(part);
    free(target);
    code = is_written ? ABUT_CLI_DONE
                      : abut_cli_fail(ABUT_CLI_UNFINISHED, "%s: cannot be written: %s", path,
                                      reason == EEXIST
                                          ? "too many temporary files (NAME.part0, ...) beside it; remove them"
                                          : abut_errno_text(reason));
    release_interrupts(&signals);
    return code;
}

abut_cli_exit abut_cli_write_text(const char *path, const char *text)
{
    return abut_cli_write_bytes(path, text, strlen(text));
}

abut_cli_exit abut_cli_write_printed(const char *path, abut_cli_text *text)
{
    char *content = abut_cli_text_take(text);
    abut_cli_exit code = abut_cli_write_bytes(path, content, text->size);
    free(content);
    return code;
}
