// SPDX-License-Identifier: MIT
/// @file tetgen.h
/// Fills a closed surface with tetrahedra: runs the program `tetgen` as a child process.
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

/// Makes the mesh with tetrahedra. Vertices of `surface` keep their numbers; Steiner points follow. The faces are
/// those of `surface` if tetgen left them whole (switch Y), else the outer faces of the tetrahedra. The child runs
/// without a shell, in a directory of its own, and its output is read as hostile input.
/// @return ABUT_OK; ABUT_LIMIT if a limit was reached; ABUT_IO if the program is not installed; ABUT_BAD_DATA if the
/// tetrahedra do not fill the surface, because it intersects itself or has a cavity; ABUT_NO_MEMORY
ABUT_API abut_status abut_tetrahedralize(const abut_context *context, const abut_mesh *surface,
                                         const abut_tetgen_params *params, abut_mesh **mesh, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
