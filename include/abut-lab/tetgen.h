// SPDX-License-Identifier: MIT
/// @file tetgen.h
/// Tetrahedra of a closed surface by the program `tetgen`, run as a child process.
#ifndef ABUT_LAB_TETGEN_H
#define ABUT_LAB_TETGEN_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Start from abut_tetgen_params_default().
typedef struct abut_tetgen_params {
    size_t struct_size;
    const char *program;  ///< name or path; default "tetgen"
    const char *switches; ///< default "pYq2Q": quality ratio 2, surface left as it is
    double seconds;       ///< time limit; default 60
    double megabytes;     ///< memory limit; default 4096
} abut_tetgen_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_tetgen_params_init(abut_tetgen_params *params, size_t size);
static inline abut_tetgen_params abut_tetgen_params_default(void)
{
    abut_tetgen_params params;
    abut_tetgen_params_init(&params, sizeof params);
    return params;
}

/// The mesh with tetrahedra: the vertices of `surface` keep their numbers, Steiner points follow. Its faces are
/// those of `surface` where the program left them whole (switch Y), else the outer faces of the tetrahedra. The
/// child runs without a shell, in a directory of its own, and its output is read as hostile. ABUT_LIMIT where a
/// limit was reached, ABUT_IO where the program is not there, ABUT_BAD_DATA where the tetrahedra do not fill the
/// surface: it crosses itself, or has a cavity.
ABUT_API abut_status abut_tetrahedralize(const abut_context *context, const abut_mesh *surface,
                                         const abut_tetgen_params *params, abut_mesh **mesh, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
