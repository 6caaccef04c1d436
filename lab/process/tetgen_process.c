// SPDX-License-Identifier: MIT
// tetgen_process.c: tetrahedra of a closed surface by the program `tetgen`
//
// The surface is written to a new temporary directory. The program runs there without a shell and under limits. Its
// output is read as hostile input and compared with the surface. The directory is always removed.
#define _XOPEN_SOURCE 700
#include "common/lab_support.h"
#include "process/child.h"

#include <abut-lab/tetgen.h>

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// TetGen writes 16 digits and moves no input vertex, so both agree up to rounding.
static const double VERTEX_TOLERANCE =
    1e-12; ///< relative to the bounding diagonal plus the distance from the origin
static const double VOLUME_TOLERANCE = 1e-9; ///< relative to the volume

enum { PATH_ROOM = 4096, SWITCH_ROOM = 64, TAIL_ROOM = 1024 };

/// What is needed to run the program.
typedef struct job {
    char folder[PATH_ROOM];
    char program[PATH_ROOM];
    char switches[SWITCH_ROOM];
    double seconds;
    double bytes;
} job;

void abut_tetgen_params_init(abut_tetgen_params *params, size_t size)
{
    const abut_tetgen_params made = {
        .struct_size = sizeof made, .program = "tetgen", .switches = "pYq2Q", .seconds = 60.0, .megabytes = 4096.0};
    abut_write_versioned(params, size, &made, sizeof made);
}

/// Allows switches that shape the tetrahedra or change what is printed. All others read or write more files, or change
/// what the files hold.
static abut_status check_switches(const char *switches, abut_error *error)
{
    static const char known[] = "pYqaQVCMOSTJ";
    if (switches == NULL || strchr(switches, 'p') == NULL || strlen(switches) > SWITCH_ROOM - 3) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "tetgen switches must contain p and have at most %d characters",
                         SWITCH_ROOM - 3);
    }
    for (const char *c = switches; *c != '\0'; ++c) {
        if (strchr(known, *c) == NULL && strchr("0123456789.", *c) == NULL) {
            return abut_fail(error, ABUT_BAD_ARGUMENT,
                             "tetgen switch '%c' of '%s' is not one of %s, a digit or a point", *c, switches,
                             known);
        }
    }
    return ABUT_OK;
}

static abut_status read_params(const abut_tetgen_params *given, job *out, abut_error *error)
{
    abut_tetgen_params read = abut_tetgen_params_default(), *params = &read;
    if (given != NULL && !abut_read_versioned(&read, sizeof read, given)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "tetgen: fill the parameters from abut_tetgen_params_default()");
    }
    if (params->program == NULL || params->program[0] == '\0' || strlen(params->program) >= PATH_ROOM) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "tetgen: the name of the program is empty or too long");
    }
    if (!(params->seconds > 0.0 && params->megabytes > 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "tetgen: the limits on time and memory must be positive");
    }
    abut_status status = check_switches(params->switches, error);
    if (status != ABUT_OK) {
        return status;
    }
    // The program runs in another directory, so a relative path must become absolute. A bare name is searched in PATH.
    if (strchr(params->program, '/') == NULL) {
        (void)strcpy(out->program, params->program);
    } else {
        char *absolute = realpath(params->program, NULL);
        if (absolute == NULL || strlen(absolute) >= PATH_ROOM) {
            free(absolute);
            return abut_fail(error, ABUT_IO, "%.128s: %s", params->program, abut_errno_text(errno));
        }
        (void)strcpy(out->program, absolute);
        free(absolute);
    }
    // J keeps vertices that no tetrahedron uses, so that the numbering stays.
    const char *keep = strchr(params->switches, 'J') == NULL ? "J" : "";
    (void)snprintf(out->switches, sizeof out->switches, "-%s%s", params->switches, keep);
    out->seconds = params->seconds;
    out->bytes = 1e6 * params->megabytes;
    return ABUT_OK;
}

static abut_status check_surface(const abut_mesh *surface, abut_error *error)
{
    abut_mesh_info info = abut_mesh_get_info(surface);
    if (!info.is_closed || !info.is_oriented) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "the surface is not closed and oriented: %d boundary, %d non-manifold and %d "
                         "misoriented edges",
                         info.boundary_edge_count, info.non_manifold_edge_count, info.misoriented_edge_count);
    }
    if (!(info.volume > 0.0)) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "the surface encloses no positive volume; its faces may be inside out");
    }
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The directory

static abut_status make_folder(job *out, abut_error *error)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL || base[0] == '\0') {
        base = "/tmp";
    }
    int length = snprintf(out->folder, sizeof out->folder, "%s/abut-tetgen-XXXXXX", base);
    if (length >= (int)sizeof out->folder - 32) {
        return abut_fail(error, ABUT_IO, "the path in TMPDIR is too long");
    }
    if (mkdtemp(out->folder) == NULL) {
        return abut_fail(error, ABUT_IO, "cannot make a directory in %.128s: %s", base, abut_errno_text(errno));
    }
    return ABUT_OK;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *level)
{
    (void)info, (void)kind, (void)level;
    (void)remove(path);
    return 0; // go on, even if this one cannot be removed
}

static void remove_folder(const job *from)
{
    enum { OPEN_DIRECTORIES = 16 };
    (void)nftw(from->folder, remove_entry, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS);
}

static void path_in_folder(const job *in, const char *name, char path[PATH_ROOM])
{
    (void)snprintf(path, PATH_ROOM, "%.*s/%s", PATH_ROOM - 32, in->folder, name);
}

/// The surface as TetGen's .poly file, numbered from 0. 17 digits read back exactly.
static abut_status write_surface(const job *in, const abut_mesh *surface, abut_error *error)
{
    abut_mesh_elements e = abut_mesh_get_elements(surface);
    char path[PATH_ROOM];
    path_in_folder(in, "surface.poly", path);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return abut_fail(error, ABUT_IO, "%.128s: %s", path, abut_errno_text(errno));
    }
    (void)fprintf(file, "%d 3 0 0\n", e.vertex_count);
    for (int i = 0; i < e.vertex_count; ++i) {
        char x[ABUT_LAB_NUMBER_ROOM], y[ABUT_LAB_NUMBER_ROOM], z[ABUT_LAB_NUMBER_ROOM];
        abut_lab_print_number(e.vertices[i].x, x);
        abut_lab_print_number(e.vertices[i].y, y);
        abut_lab_print_number(e.vertices[i].z, z);
        (void)fprintf(file, "%d %s %s %s\n", i, x, y, z);
    }
    (void)fprintf(file, "%d 0\n", e.triangle_count);
    for (int i = 0; i < e.triangle_count; ++i) {
        const int *t = &e.triangles[3 * i];
        (void)fprintf(file, "1\n3 %d %d %d\n", t[0], t[1], t[2]);
    }
    (void)fprintf(file, "0\n");
    int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        return abut_fail(error, ABUT_IO, "%.128s: cannot be written", path);
    }
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The child process

/// The last bytes of the output of the program.
typedef struct tail {
    char bytes[TAIL_ROOM];
    size_t size;
} tail;

static int keep_tail(void *user, const char *bytes, size_t size)
{
    tail *t = user;
    if (size > TAIL_ROOM) {
        bytes += size - TAIL_ROOM;
        size = TAIL_ROOM;
    }
    size_t kept = t->size + size > TAIL_ROOM ? TAIL_ROOM - size : t->size;
    memmove(t->bytes, t->bytes + t->size - kept, kept);
    memcpy(t->bytes + kept, bytes, size);
    t->size = kept + size;
    return 1;
}

/// The last line that is not empty, with '?' for unprintable characters; "(no output)" if there is none.
static void last_line(const tail *t, char line[128])
{
    size_t end = t->size;
    while (end > 0 && strchr("\r\n\t ", t->bytes[end - 1]) != NULL) {
        --end;
    }
    size_t begin = end;
    while (begin > 0 && t->bytes[begin - 1] != '\n' && end - begin < 127) {
        --begin;
    }
    if (begin == end) {
        (void)strcpy(line, "(no output)");
        return;
    }
    for (size_t i = begin; i < end; ++i) {
        line[i - begin] = t->bytes[i] >= ' ' && t->bytes[i] <= '~' ? t->bytes[i] : '?';
    }
    line[end - begin] = '\0';
}

/// Runs in the child and never returns. Writes errno to `trouble` if the program cannot be started.
static void run_program(const job *in, pid_t parent, int output, int trouble)
{
    abut_child_begin(parent, in->seconds);
    char *const arguments[] = {(char *)in->program, (char *)in->switches, (char *)"surface.poly", NULL};
    if (chdir(in->folder) == 0 && dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0) {
        abut_child_limit(RLIMIT_AS, in->bytes);
        abut_child_limit(RLIMIT_FSIZE, in->bytes);
        (void)execvp(in->program, arguments);
    }
    int reason = errno;
    ssize_t written = write(trouble, &reason, sizeof reason);
    _exit(written == (ssize_t)sizeof reason ? 127 : 126);
}

static abut_status explain(const job *in, abut_child_report report, const tail *said, abut_error *error)
{
    if (report.end == ABUT_CHILD_EXITED && report.code == 0) {
        return ABUT_OK;
    }
    if (report.end == ABUT_CHILD_TIMEOUT) {
        return abut_fail(error, ABUT_LIMIT, "%.64s took more than %g seconds", in->program, in->seconds);
    }
    if (report.end == ABUT_CHILD_INTERRUPTED) {
        return abut_fail(error, ABUT_LIMIT, "%.64s was interrupted", in->program);
    }
    if (report.end == ABUT_CHILD_SIGNALED && (report.code == SIGXFSZ || report.code == SIGKILL)) {
        return abut_fail(error, ABUT_LIMIT, "%.64s needs more than %g megabytes", in->program, in->bytes / 1e6);
    }
    char line[128];
    last_line(said, line);
    if (report.end == ABUT_CHILD_SIGNALED) {
        return abut_fail(error, ABUT_BAD_DATA, "%.64s was ended by signal %d: %s", in->program, report.code, line);
    }
    return abut_fail(error, ABUT_BAD_DATA, "%.64s failed with exit code %d: %s", in->program, report.code, line);
}

static abut_status not_started(const job *in, int reason, abut_error *error)
{
    if (reason == ENOENT && strchr(in->program, '/') == NULL) {
        return abut_fail(error, ABUT_IO, "cannot find the program '%.64s': install the package tetgen",
                         in->program);
    }
    return abut_fail(error, ABUT_IO, "cannot start %.64s: %s", in->program, abut_errno_text(reason));
}

static abut_status run_child(const job *in, abut_error *error)
{
    int output[2], trouble[2];
    if (!abut_child_pipe(output)) {
        return abut_fail(error, ABUT_LIMIT, "cannot make a pipe: %s", abut_errno_text(errno));
    }
    if (!abut_child_pipe(trouble)) {
        abut_child_close(output);
        return abut_fail(error, ABUT_LIMIT, "cannot make a pipe: %s", abut_errno_text(errno));
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        run_program(in, parent, output[1], trouble[1]);
    }
    if (child < 0) {
        int reason = errno;
        abut_child_close(output);
        abut_child_close(trouble);
        return abut_fail(error, ABUT_LIMIT, "cannot start a child process: %s", abut_errno_text(reason));
    }
    (void)close(output[1]);
    (void)close(trouble[1]);
    tail said = {.size = 0};
    abut_child_report report = abut_child_wait(child, output[0], in->seconds, keep_tail, &said);
    int reason = 0;
    ssize_t size = read(trouble[0], &reason, sizeof reason); // nothing to read if the program was started
    (void)close(trouble[0]);
    if (size == (ssize_t)sizeof reason) {
        return not_started(in, reason, error);
    }
    return explain(in, report, &said, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The result

static abut_status check_vertices(const abut_mesh_elements *surface, const abut_mesh_elements *found,
                                  abut_error *error)
{
    if (found->vertex_count < surface->vertex_count || found->tet_count == 0) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "tetgen made %d tetrahedra with %d vertices from a surface with %d vertices",
                         found->tet_count, found->vertex_count, surface->vertex_count);
    }
    double tolerance =
        VERTEX_TOLERANCE * (abut_box_diagonal(surface->bounds) + abut_norm(abut_box_center(surface->bounds)));
    for (int i = 0; i < surface->vertex_count; ++i) {
        if (!(abut_norm(abut_sub(found->vertices[i], surface->vertices[i])) <= tolerance)) {
            abut_status status = abut_fail(error, ABUT_BAD_DATA, "tetgen moved vertex %d of the surface", i);
            if (error != NULL) {
                error->element = i;
            }
            return status;
        }
    }
    return ABUT_OK;
}

static double tet_volumes(const abut_mesh_elements *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->tet_count; ++i) {
        const int *t = &e->tets[4 * i];
        abut_vec3 a = e->vertices[t[0]];
        abut_vec3 u = abut_sub(e->vertices[t[1]], a), v = abut_sub(e->vertices[t[2]], a);
        sum += fabs(abut_dot(abut_sub(e->vertices[t[3]], a), abut_cross(u, v))) / 6.0;
    }
    return sum;
}

/// Whether each triangle has a tetrahedron, each outer face of a tetrahedron has a triangle, and no face has more than
/// two tetrahedra.
static int conforms(const abut_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    for (int i = 0; i < e.triangle_count; ++i) {
        if (t.triangle_tets[i] < 0) {
            return 0;
        }
    }
    for (int i = 0; i < 4 * e.tet_count; ++i) {
        if (t.tet_neighbours[i] < 0 && (t.tet_neighbours[i] != ABUT_BOUNDARY || t.tet_triangles[i] < 0)) {
            return 0;
        }
    }
    return 1;
}

static abut_status create_mesh(const abut_context *context, const abut_mesh_elements *surface,
                               const abut_mesh_elements *found, abut_mesh **mesh, abut_error *error)
{
    size_t count = (size_t)found->vertex_count;
    abut_vec3 *vertices = abut_allocate_zeroed(context, count, sizeof *vertices);
    if (vertices == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d vertices", found->vertex_count);
    }
    // Take the coordinates of the surface, because those of the file are rounded.
    memcpy(vertices, found->vertices, count * sizeof *vertices);
    memcpy(vertices, surface->vertices, (size_t)surface->vertex_count * sizeof *vertices);
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = found->vertex_count;
    def.points = surface->points;
    def.point_count = surface->point_count;
    def.segments = surface->segments;
    def.segment_count = surface->segment_count;
    def.face_offsets = surface->face_offsets;
    def.face_vertices = surface->face_vertices;
    def.face_count = surface->face_count;
    def.tets = found->tets;
    def.tet_count = found->tet_count;
    def.precision = surface->precision;
    abut_status status = abut_mesh_create(context, &def, mesh, error);
    if (status == ABUT_OK && !conforms(*mesh)) {
        // Without Y the program may split triangles of the surface. Then take the outer faces of the tetrahedra.
        abut_mesh_destroy(*mesh);
        *mesh = NULL;
        def.face_offsets = NULL;
        def.face_vertices = NULL;
        def.face_count = 0;
        status = abut_mesh_create(context, &def, mesh, error);
    }
    abut_free(context, vertices);
    return status;
}

static abut_status check_mesh(const abut_mesh *mesh, double volume, abut_error *error)
{
    if (!conforms(mesh)) {
        return abut_fail(error, ABUT_BAD_DATA, "the tetrahedra of tetgen do not fit together");
    }
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double filled = tet_volumes(&e);
    if (!(fabs(filled - volume) <= VOLUME_TOLERANCE * volume)) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "the tetrahedra of tetgen fill %g, but the surface encloses %g; does it have a cavity?",
                         filled, volume);
    }
    return ABUT_OK;
}

static abut_status read_result(const abut_context *context, const job *in, const abut_mesh *surface,
                               abut_mesh **mesh, abut_error *error)
{
    char path[PATH_ROOM];
    path_in_folder(in, "surface.1.node", path);
    abut_mesh *read = NULL;
    abut_status status = abut_mesh_read(context, path, ABUT_FORMAT_TETGEN, &read, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_mesh_elements own = abut_mesh_get_elements(surface);
    abut_mesh_elements found = abut_mesh_get_elements(read);
    abut_mesh *made = NULL;
    status = check_vertices(&own, &found, error);
    if (status == ABUT_OK) {
        status = create_mesh(context, &own, &found, &made, error);
    }
    if (status == ABUT_OK) {
        status = check_mesh(made, abut_mesh_get_info(surface).volume, error);
    }
    abut_mesh_destroy(read);
    if (status != ABUT_OK) {
        abut_mesh_destroy(made);
        return status;
    }
    *mesh = made;
    return ABUT_OK;
}

static abut_status run_in_folder(const abut_context *context, const job *in, const abut_mesh *surface,
                                 abut_mesh **mesh, abut_error *error)
{
    abut_status status = write_surface(in, surface, error);
    if (status == ABUT_OK) {
        status = run_child(in, error);
    }
    return status == ABUT_OK ? read_result(context, in, surface, mesh, error) : status;
}

abut_status abut_tetrahedralize(const abut_context *context, const abut_mesh *surface,
                                const abut_tetgen_params *params, abut_mesh **mesh, abut_error *error)
{
    if (surface == NULL || mesh == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_tetrahedralize: surface or mesh is NULL");
    }
    *mesh = NULL;
    abut_context used = abut_context_or_default(context);
    job work;
    abut_status status = read_params(params, &work, error);
    if (status == ABUT_OK) {
        status = check_surface(surface, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    sigset_t signals;
    abut_child_hold_signals(&signals);
    status = make_folder(&work, error);
    if (status == ABUT_OK) {
        status = run_in_folder(&used, &work, surface, mesh, error);
        remove_folder(&work);
    }
    abut_child_release_signals(&signals);
    return status;
}
