// SPDX-License-Identifier: MIT
// study_part.c: files to which finished runs of a study are appended, and how they are merged
//
// The first line is the plan, every other line is a result. Each line is written with its line break in one call and
// flushed to disk. A process that is killed leaves at most one incomplete line, which the next process cuts off.
#define _XOPEN_SOURCE 700
#include "common/lab_support.h"

#include <abut-lab/study.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct abut_study_part {
    abut_study *study;
    int file;
};

/// The bytes of a file.
typedef struct content {
    char *bytes;
    size_t size;
} content;

// ---------------------------------------------------------------------------------------------------------------
// Reading

static abut_status load(const abut_context *context, int file, content *out, abut_error *error)
{
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        return abut_fail(error, ABUT_IO, "is not a file");
    }
    out->bytes = abut_allocate_zeroed(context, (size_t)info.st_size, 1);
    if (out->bytes == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for its %lld bytes", (long long)info.st_size);
    }
    while (out->size < (size_t)info.st_size) {
        ssize_t got = read(file, out->bytes + out->size, (size_t)info.st_size - out->size);
        if (got < 0 && errno != EINTR) {
            return abut_fail(error, ABUT_IO, "cannot be read: %s", abut_errno_text(errno));
        }
        if (got == 0) {
            break; // another process truncated the file
        }
        out->size += got > 0 ? (size_t)got : 0;
    }
    return ABUT_OK;
}

/// Length of the line at `begin` without its line break, or of the rest if there is no line break.
static size_t line_length(const content *file, size_t begin, int *is_whole)
{
    const char *end = memchr(file->bytes + begin, '\n', file->size - begin);
    *is_whole = end != NULL;
    return end != NULL ? (size_t)(end - (file->bytes + begin)) : file->size - begin;
}

/// Puts the line number in front of the message.
static abut_status fail_line(abut_status status, int64_t line, abut_error *error)
{
    if (error != NULL && status == ABUT_BAD_DATA) {
        char text[sizeof error->text];
        (void)snprintf(text, sizeof text, "line %lld: %.200s", (long long)line, error->text);
        (void)snprintf(error->text, sizeof error->text, "%s", text);
        error->line = line;
    }
    return status;
}

/// Which file holds which run.
typedef struct claims {
    int *owners; ///< the file of each run, counted from 1; 0: none
    int owner;   ///< the file that is being read
    int doubled; ///< a run of this file that another one has too, or -1
} claims;

static void claim(claims *c, int run)
{
    c->doubled = c->owners[run] != 0 && c->owners[run] != c->owner ? run : -1;
    c->owners[run] = c->doubled < 0 ? c->owner : c->owners[run];
}

/// Reads all complete lines from `*at` on, and moves `*at` behind the last one. `c` is NULL if there is one file only.
static abut_status read_results(abut_study *study, const content *file, size_t *at, claims *c, abut_error *error)
{
    abut_status status = ABUT_OK;
    for (int64_t line = 2; status == ABUT_OK && *at < file->size; ++line) {
        int is_whole, run = -1;
        size_t length = line_length(file, *at, &is_whole);
        if (!is_whole) {
            break;
        }
        status = fail_line(abut_study_parse_result(study, file->bytes + *at, length, &run, error), line, error);
        if (run >= 0 && c != NULL) {
            claim(c, run);
            status = c->doubled < 0 ? status : ABUT_BAD_DATA;
        }
        *at += status == ABUT_OK ? length + 1 : 0;
    }
    return status;
}

enum { DIFFERENCE_ROOM = 120 };

static int is_same_value(const abut_study_value *a, const abut_study_value *b)
{
    return a->is_word == b->is_word && strcmp(a->word, b->word) == 0 &&
           (a->number == b->number || (isnan(a->number) && isnan(b->number)));
}

/// Says how another plan differs from that of the study: by the first thing that only the other one has.
static void tell_difference(const abut_study *study, const abut_study *other, char text[DIFFERENCE_ROOM])
{
    if (study->kind != other->kind) {
        (void)snprintf(text, DIFFERENCE_ROOM, "of the study %s", other->kind->name);
        return;
    }
    for (int i = 0; i < other->setting_count; ++i) {
        const abut_study_value *there = &other->settings[i];
        const abut_study_value *here = abut_study_find_value(study->settings, study->setting_count, there->name);
        if (here == NULL || !is_same_value(here, there)) {
            char number[ABUT_LAB_NUMBER_ROOM];
            abut_lab_print_number(there->number, number);
            (void)snprintf(text, DIFFERENCE_ROOM, "with %s %.70s", there->name,
                           there->is_word ? there->word : number);
            return;
        }
    }
    (void)snprintf(text, DIFFERENCE_ROOM, "with other runs, %d of them", other->run_count);
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

static abut_status write_line(int file, const char *text, abut_error *error)
{
    size_t length = strlen(text), written = 0;
    while (written <= length) {
        // The last byte is the line break.
        const char *from = written < length ? text + written : "\n";
        ssize_t count = write(file, from, written < length ? length - written : 1);
        if (count < 0 && errno != EINTR) {
            return abut_fail(error, ABUT_IO, "cannot be written: %s", abut_errno_text(errno));
        }
        written += count > 0 ? (size_t)count : 0;
    }
    return fsync(file) == 0 ? ABUT_OK : abut_fail(error, ABUT_IO, "cannot be written: %s", abut_errno_text(errno));
}

/// The error for a file of another plan. It must not be overwritten.
static abut_status refuse(const abut_study *study, const content *file, int is_whole, size_t length,
                          abut_error *error)
{
    abut_study *other = NULL;
    if (!is_whole || abut_study_parse_plan(NULL, file->bytes, length, &other, NULL) != ABUT_OK) {
        return abut_fail(error, ABUT_BAD_DATA, "is not a part of a study: choose another file");
    }
    char difference[DIFFERENCE_ROOM];
    tell_difference(study, other, difference);
    abut_study_destroy(other);
    return abut_fail(error, ABUT_BAD_DATA, "has runs of another plan (%s): choose another file, or remove this one",
                     difference);
}

/// Reads the results of the file into the study. Writes the plan if the file is new.
static abut_status join(abut_study *study, int file, const content *old, const char *plan, abut_error *error)
{
    int is_whole = 0;
    size_t length = line_length(old, 0, &is_whole), plan_length = strlen(plan), end = length + 1;
    if (!is_whole && length <= plan_length && memcmp(old->bytes, plan, length) == 0) {
        // The file is new, or its writer was killed within the first line.
        if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0) {
            return abut_fail(error, ABUT_IO, "cannot be written: %s", abut_errno_text(errno));
        }
        return write_line(file, plan, error);
    }
    if (!is_whole || length != plan_length || memcmp(old->bytes, plan, length) != 0) {
        return refuse(study, old, is_whole, length, error);
    }
    abut_status status = read_results(study, old, &end, NULL, error);
    if (status == ABUT_OK && (ftruncate(file, (off_t)end) != 0 || lseek(file, 0, SEEK_END) < 0)) {
        status = abut_fail(error, ABUT_IO, "cannot be written: %s", abut_errno_text(errno));
    }
    return status;
}

static abut_status open_locked(const char *path, int *file, abut_error *error)
{
    *file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*file < 0) {
        return abut_fail(error, ABUT_IO, "cannot be written: %s", abut_errno_text(errno));
    }
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(*file, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
        (void)close(*file);
        return abut_fail(error, ABUT_IO, "is being written by another process");
    }
    return ABUT_OK; // also on file systems without locks
}

abut_status abut_study_part_open(abut_study *study, const char *path, abut_study_part **part, abut_error *error)
{
    int file;
    char *plan = NULL;
    content old = {0};
    *part = NULL;
    abut_status status = open_locked(path, &file, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_study_part *made = abut_allocate_zeroed(abut_lab_object_context(study), 1, sizeof *made);
    status = made != NULL ? ABUT_OK : abut_fail(error, ABUT_NO_MEMORY, "no memory for a part");
    status = status != ABUT_OK ? status : abut_study_print_plan(study, &plan, error);
    status = status != ABUT_OK ? status : load(abut_lab_object_context(study), file, &old, error);
    status = status != ABUT_OK ? status : join(study, file, &old, plan, error);
    abut_free(abut_lab_object_context(study), old.bytes);
    abut_study_text_release(study, plan);
    if (status != ABUT_OK) {
        abut_free(abut_lab_object_context(study), made);
        (void)close(file);
        return status;
    }
    *made = (abut_study_part){study, file};
    *part = made;
    return ABUT_OK;
}

abut_status abut_study_part_append(abut_study_part *part, int run, abut_error *error)
{
    char *text = NULL;
    abut_status status = abut_study_print_result(part->study, run, &text, error);
    status = status != ABUT_OK ? status : write_line(part->file, text, error);
    abut_study_text_release(part->study, text);
    return status;
}

void abut_study_part_close(abut_study_part *part)
{
    if (part != NULL) {
        (void)close(part->file);
        abut_free(abut_lab_object_context(part->study), part);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Merging

/// A merge in progress.
typedef struct merging {
    const char *const *paths;
    abut_study *study;
    content plan; ///< the first line of the first part
    int *owners;
} merging;

/// Shortens a path that is too long to its end.
static void shorten(const char *path, char *text, size_t room)
{
    size_t length = strlen(path);
    (void)snprintf(text, room, "%s%s", length < room ? "" : "...", length < room ? path : path + length - room + 4);
}

/// Puts the name of the file in front of the message: "FILE:3: ..." for "line 3: ...".
static abut_status fail_file(abut_status status, const char *path, abut_error *error)
{
    if (error != NULL) {
        static const char word[] = "line ";
        char text[sizeof error->text], name[100];
        int has_line = error->line > 0 && strncmp(error->text, word, sizeof word - 1) == 0;
        shorten(path, name, sizeof name);
        (void)snprintf(text, sizeof text, "%s:%s%.150s", name, has_line ? "" : " ",
                       error->text + (has_line ? sizeof word - 1 : 0));
        (void)snprintf(error->text, sizeof error->text, "%s", text);
    }
    return status;
}

static abut_status begin_merge(const abut_context *context, merging *m, const content *file, size_t length,
                               abut_error *error)
{
    abut_status status = fail_line(abut_study_parse_plan(context, file->bytes, length, &m->study, error), 1, error);
    if (status != ABUT_OK) {
        return status;
    }
    m->plan.size = length;
    m->plan.bytes = abut_allocate_zeroed(context, length, 1);
    m->owners = abut_allocate_zeroed(context, (size_t)m->study->run_count, sizeof *m->owners);
    if (m->plan.bytes == NULL || m->owners == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a part");
    }
    memcpy(m->plan.bytes, file->bytes, length);
    return ABUT_OK;
}

static abut_status take_part(const abut_context *context, merging *m, int index, const content *file,
                             abut_error *error)
{
    int is_whole;
    size_t length = line_length(file, 0, &is_whole), end = length + 1;
    if (!is_whole) {
        return abut_fail(error, ABUT_BAD_DATA, "is not a part of a study: give files of abut study ... --shard");
    }
    abut_status status = ABUT_OK;
    if (m->study == NULL) {
        status = begin_merge(context, m, file, length, error);
    } else if (length != m->plan.size || memcmp(file->bytes, m->plan.bytes, length) != 0) {
        status = abut_fail(error, ABUT_BAD_DATA, "has another plan than the first part");
    }
    claims c = {m->owners, index + 1, -1};
    if (status == ABUT_OK) {
        status = read_results(m->study, file, &end, &c, error);
    }
    if (c.doubled >= 0) {
        char other[64];
        shorten(m->paths[m->owners[c.doubled] - 1], other, sizeof other);
        status = abut_fail(error, ABUT_BAD_DATA, "has run %d, and so has %s", c.doubled, other);
    }
    return status;
}

static int has_same_values(const abut_study_result *a, const abut_study_result *b)
{
    if (a->value_count != b->value_count) {
        return 0;
    }
    for (int i = 0; i < a->value_count; ++i) {
        const abut_study_value *other = abut_study_find_value(b->values, b->value_count, a->values[i].name);
        if (other == NULL || other->is_word != a->values[i].is_word) {
            return 0;
        }
    }
    return 1;
}

/// All runs of a study must have values of the same names. If not, another program wrote them.
static abut_status check_values(const merging *m, abut_error *error)
{
    int first = -1;
    for (int run = 0; run < m->study->run_count; ++run) {
        if (m->study->results[run].outcome != ABUT_STUDY_DONE) {
            continue;
        }
        if (first >= 0 && !has_same_values(&m->study->results[first], &m->study->results[run])) {
            char name[100];
            shorten(m->paths[m->owners[run] - 1], name, sizeof name);
            return abut_fail(error, ABUT_BAD_DATA, "%s: run %d has other values than run %d", name, run, first);
        }
        first = first < 0 ? run : first;
    }
    return ABUT_OK;
}

static abut_status merge_file(const abut_context *context, merging *m, int index, abut_error *error)
{
    content bytes = {0};
    int file = open(m->paths[index], O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe must not block
    abut_status status = file >= 0 ? load(context, file, &bytes, error)
                                   : abut_fail(error, ABUT_IO, "cannot be read: %s", abut_errno_text(errno));
    if (file >= 0) {
        (void)close(file);
    }
    status = status != ABUT_OK ? status : take_part(context, m, index, &bytes, error);
    abut_free(context, bytes.bytes);
    return status == ABUT_OK ? status : fail_file(status, m->paths[index], error);
}

abut_status abut_study_merge(const abut_context *context, const char *const *paths, int count, abut_study **study,
                             abut_error *error)
{
    abut_context kept = abut_context_or_default(context);
    merging m = {.paths = paths};
    abut_status status = count > 0 ? ABUT_OK : abut_fail(error, ABUT_BAD_ARGUMENT, "there are no parts to merge");
    for (int i = 0; i < count && status == ABUT_OK; ++i) {
        status = merge_file(&kept, &m, i, error);
    }
    status = status != ABUT_OK ? status : check_values(&m, error);
    abut_free(&kept, m.plan.bytes);
    abut_free(&kept, m.owners);
    if (status != ABUT_OK) {
        abut_study_destroy(m.study);
        m.study = NULL;
    }
    *study = m.study;
    return status;
}
