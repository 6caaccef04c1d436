// SPDX-License-Identifier: MIT
// recording_child.c: reads the arrays of a recording with HDF5 in a child process
//
// HDF5 may crash on a malformed file, and a file can make it open other files. So it runs in a child that can open
// nothing but the recording. The child sends the rows of all tables, then a trailer with the number of rows or an
// error. The parent checks both.
#define _POSIX_C_SOURCE 200809L
#include "recording/recording_child.h"

#include "process/child_task.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t MAGIC = 0x6162757472656364u; ///< marks a complete answer
static const double SECONDS = 60.0;                ///< time limit of an empty file
static const double BYTES_A_SECOND = 1e7;          ///< a file may take a second more for each of these

/// The end of what the child sends.
typedef struct trailer {
    uint64_t magic;
    int64_t rows[ABUT_TABLE_COUNT];
    abut_status status;
    abut_error error;
} trailer;

typedef struct request {
    const char *path;
    int64_t file_size;
    char *bytes; ///< received so far
    size_t size, capacity;
} request;

// ---------------------------------------------------------------------------------------------------------------
// The child. It releases nothing, because the process ends.

static abut_status fail_table(trailer *end, const abut_table *table, const char *what)
{
    return abut_fail(&end->error, ABUT_BAD_DATA, "%s%s%s: %s", table->group != NULL ? table->group : "",
                     table->group != NULL ? "/" : "", table->name, what);
}

/// Whether a name is a hard link. Soft and external links may lead to other files.
static int is_hard_link(hid_t place, const char *name)
{
    H5L_info_t info;
    return H5Lexists(place, name, H5P_DEFAULT) > 0 && H5Lget_info(place, name, &info, H5P_DEFAULT) >= 0 &&
           info.type == H5L_TYPE_HARD;
}

/// What is wrong with the storage of a dataset, or NULL. Sets `rows` to its length.
static const char *storage_fault(hid_t data, const abut_table *table, int64_t file_size, int64_t *rows)
{
    hid_t space = H5Dget_space(data), type = H5Dget_type(data), expected = abut_table_file_type(table);
    hid_t creation = H5Dget_create_plist(data);
    hsize_t length = 0;
    if (space < 0 || type < 0 || expected < 0 || creation < 0) {
        return "cannot be read";
    }
    if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, &length, NULL) != 1) {
        return "is not an array of one dimension";
    }
    if (H5Tequal(type, expected) <= 0) {
        return "has rows of another type";
    }
    H5D_layout_t layout = H5Pget_layout(creation);
    if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) {
        return "is stored neither contiguous nor in chunks";
    }
    if ((layout == H5D_CONTIGUOUS && H5Pget_external_count(creation) != 0) || H5Pget_nfilters(creation) != 0) {
        return "is stored in other files or with filters";
    }
    hsize_t stored = H5Dget_storage_size(data);
    if (length > INT_MAX || stored > (hsize_t)file_size || length > stored / H5Tget_size(type)) {
        return "has more rows than the file has room for";
    }
    *rows = (int64_t)length;
    return NULL;
}

/// Opens the dataset of a table. On failure it returns a negative number and sets the error of `end`.
static hid_t open_table(hid_t file, const abut_table *table, int64_t file_size, int64_t *rows, trailer *end)
{
    hid_t place = file;
    if (table->group != NULL) {
        place = is_hard_link(file, table->group) ? H5Gopen2(file, table->group, H5P_DEFAULT) : -1;
    }
    hid_t data = place >= 0 && is_hard_link(place, table->name) ? H5Dopen2(place, table->name, H5P_DEFAULT) : -1;
    const char *fault =
        data < 0 ? "is missing, or is not a hard link" : storage_fault(data, table, file_size, rows);
    if (fault != NULL) {
        end->status = fail_table(end, table, fault);
        return -1;
    }
    return data;
}

/// Reads rows in pieces and sends them.
static int send_rows(hid_t data, const abut_table *table, int64_t rows, int output)
{
    enum { PIECE = 1 << 16 };
    static _Alignas(16) char piece[PIECE];
    int64_t most = (int64_t)(sizeof piece / table->row_size);
    hid_t type = abut_table_memory_type(table), from = H5Dget_space(data);
    for (int64_t begin = 0; begin < rows; begin += most) {
        hsize_t start = (hsize_t)begin, length = (hsize_t)(rows - begin < most ? rows - begin : most);
        hid_t to = H5Screate_simple(1, &length, NULL);
        if (to < 0 || H5Sselect_hyperslab(from, H5S_SELECT_SET, &start, NULL, &length, NULL) < 0 ||
            H5Dread(data, type, to, from, H5P_DEFAULT, piece) < 0) {
            return 0;
        }
        (void)H5Sclose(to);
        abut_child_write(output, piece, (size_t)length * table->row_size);
    }
    return 1;
}

static void send_tables(const request *r, int output, trailer *end)
{
    hid_t file = H5Fopen(r->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    abut_child_limit(RLIMIT_NOFILE, 0.0); // no other file can be opened from here on
    if (file < 0) {
        end->status = abut_fail(&end->error, ABUT_BAD_DATA, "is not an HDF5 file, is damaged, or is being written");
        return;
    }
    for (int i = 0; i < ABUT_TABLE_COUNT; ++i) {
        const abut_table *table = &abut_recording_tables[i];
        hid_t data = open_table(file, table, r->file_size, &end->rows[i], end);
        if (data < 0) {
            return;
        }
        if (!send_rows(data, table, end->rows[i], output)) {
            end->status = fail_table(end, table, "cannot be read");
            return;
        }
        (void)H5Dclose(data);
    }
}

static void work(void *user, int output)
{
    static trailer end; // static: padding is zero too
    end.magic = MAGIC;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    (void)H5PLset_loading_state(0); // no filter plug-ins
    send_tables(user, output, &end);
    abut_child_write(output, &end, sizeof end);
}

// ---------------------------------------------------------------------------------------------------------------
// The parent

static int receive(void *user, const char *bytes, size_t size)
{
    request *r = user;
    if (size > r->capacity - r->size) {
        return 0;
    }
    memcpy(r->bytes + r->size, bytes, size);
    r->size += size;
    return 1;
}

/// Reads the trailer at the end of the received bytes.
static abut_status take_trailer(const request *r, abut_recording_bytes *out, abut_error *error)
{
    trailer end;
    if (r->size < sizeof end) {
        return abut_fail(error, ABUT_BAD_DATA, "the HDF5 library failed on it");
    }
    size_t left = r->size - sizeof end;
    memcpy(&end, r->bytes + left, sizeof end);
    if (end.magic == MAGIC && end.status == ABUT_BAD_DATA) {
        end.error.text[sizeof end.error.text - 1] = '\0';
        return abut_fail(error, ABUT_BAD_DATA, "%s", end.error.text);
    }
    int is_whole = end.magic == MAGIC && end.status == ABUT_OK;
    for (int i = 0; i < ABUT_TABLE_COUNT && is_whole; ++i) {
        size_t row_size = abut_recording_tables[i].row_size;
        is_whole = end.rows[i] >= 0 && end.rows[i] <= INT_MAX && (size_t)end.rows[i] <= left / row_size;
        left -= is_whole ? (size_t)end.rows[i] * row_size : 0;
        out->rows[i] = end.rows[i];
    }
    return is_whole && left == 0 ? ABUT_OK : abut_fail(error, ABUT_BAD_DATA, "the HDF5 library failed on it");
}

abut_status abut_recording_fetch(const abut_context *context, const char *path, abut_recording_bytes *out,
                                 abut_error *error)
{
    struct stat info;
    *out = (abut_recording_bytes){NULL, {0}};
    if (stat(path, &info) != 0 || (S_ISREG(info.st_mode) && access(path, R_OK) != 0)) {
        return abut_fail(error, ABUT_IO, "cannot be read: %s", abut_errno_text(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return abut_fail(error, ABUT_IO, "is not a file");
    }
    // Rows are at most twice as large in memory as in the file.
    size_t capacity = 2 * (size_t)info.st_size + sizeof(trailer);
    request r = {path, (int64_t)info.st_size, context->resize(context->user, NULL, capacity), 0, capacity};
    if (r.bytes == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a recording");
    }
    abut_child_task task = {"the HDF5 library on this file", SECONDS + (double)info.st_size / BYTES_A_SECOND, work,
                            receive, &r};
    abut_status status = abut_child_run(&task, error);
    if (status == ABUT_METHOD_FAULT) {
        status = ABUT_BAD_DATA;
        if (error != NULL) {
            error->status = status;
        }
    }
    status = status != ABUT_OK ? status : take_trailer(&r, out, error);
    out->bytes = r.bytes;
    return status;
}
