// SPDX-License-Identifier: MIT
/// @file draw.h
/// Drawings of bodies and their contacts as vector graphics, with hidden edges dashed or left out.
///
/// A drawing is a parallel projection. Its x axis points right, y up, z towards the viewer; lengths are those of the
/// bodies. docs/command.md shows examples.
#ifndef ABUT_LAB_DRAW_H
#define ABUT_LAB_DRAW_H

#include <abut/abut.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_drawn_body {
    const abut_mesh *mesh; ///< must outlive the drawing
    abut_pose pose;
    int is_fixed; ///< the picture is about the others: if they would be small, it shows of this body what is near them
} abut_drawn_body;

/// How a contact is marked.
typedef enum abut_drawn_kind {
    ABUT_DRAWN_CONTACT = 0, ///< nothing is known of it
    ABUT_DRAWN_RIGHT = 1,
    ABUT_DRAWN_WRONG = 2,
    ABUT_DRAWN_MISSED = 3 ///< expected, but not found
} abut_drawn_kind;

enum { ABUT_DRAWN_KINDS = 4 };

typedef struct abut_drawn_contact {
    abut_vec3 position;
    abut_vec3 normal;
    abut_drawn_kind kind;
} abut_drawn_contact;

/// An outline of a contact region: a range of `points` of the drawing's definition.
typedef struct abut_drawn_outline {
    int point_begin, point_count;
    int is_hole; ///< a hole of the outline before it
} abut_drawn_outline;

/// The side that the viewer looks from.
typedef enum abut_view_kind {
    ABUT_VIEW_ISO = 0, ///< from above, between two axes
    ABUT_VIEW_X = 1,   ///< from the positive x axis
    ABUT_VIEW_Y = 2,
    ABUT_VIEW_Z = 3,
    /// Across the contact normals, from a little above, with the contacts in the middle; ABUT_VIEW_ISO if there are none
    ABUT_VIEW_CONTACT = 4
} abut_view_kind;

/// Start from abut_drawing_def_default().
typedef struct abut_drawing_def {
    size_t struct_size;
    const abut_drawn_body *bodies;
    int body_count;
    const abut_drawn_contact *contacts;
    int contact_count;
    const abut_drawn_outline *outlines;
    int outline_count;
    const abut_vec3 *points; ///< of the outlines, world frame
    int point_count;
    abut_view_kind view; ///< default ABUT_VIEW_ISO
    abut_vec3 up;        ///< direction that is up in the picture; default (0, 1, 0)
    const char *title;   ///< broken into lines as the width needs; default NULL: none
    double width;        ///< of the picture in pixels, 100 to 10000; default 640
} abut_drawing_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_drawing_def_init(abut_drawing_def *def, size_t size);
static inline abut_drawing_def abut_drawing_def_default(void)
{
    abut_drawing_def def;
    abut_drawing_def_init(&def, sizeof def);
    return def;
}

/// Up to how many triangles, in all bodies, a drawing has: all edges, hidden ones dashed, and faces filled; sharp edges
/// and silhouettes; silhouettes and borders only beyond that.
enum { ABUT_DRAWING_ALL_EDGES = 4000, ABUT_DRAWING_SHARP_EDGES = 100000 };

/// A piece of an edge, in the coordinates of the drawing.
typedef struct abut_drawn_line {
    abut_vec3 begin, end;
    int body;
    int is_hidden; ///< some surface is in front of it
    int is_fine;   ///< the surface bends by less than 30 degrees at the edge, which is not at a silhouette
} abut_drawn_line;

typedef struct abut_drawing abut_drawing;

/// Makes a drawing: selects the edges and cuts them where they become hidden. The outlines and the title are copied, the
/// meshes are not.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT for a body without a mesh, a width or view out of range, or outlines whose points
///         do not exist; ABUT_BAD_DATA if a pose, contact or point is not finite; ABUT_NO_MEMORY
ABUT_API abut_status abut_drawing_create(const abut_context *context, const abut_drawing_def *def,
                                         abut_drawing **drawing, abut_error *error);
ABUT_API void abut_drawing_destroy(abut_drawing *drawing); ///< takes NULL

/// The pieces of edges. They belong to the drawing. An edge without a body in front of it is one piece.
ABUT_API const abut_drawn_line *abut_drawing_lines(const abut_drawing *drawing, int *count);

/// Where a point of the world is in the drawing.
ABUT_API abut_vec3 abut_drawing_place(const abut_drawing *drawing, abut_vec3 point);

/// Writes `length` bytes of text into an element or attribute of SVG or HTML: markup is escaped, and each byte that is not
/// part of a printable character in UTF-8 becomes a question mark.
ABUT_API void abut_print_markup(const char *text, size_t length, FILE *out);

/// Writes an SVG picture. The same drawing gives the same bytes, in any locale.
/// @return ABUT_OK, or ABUT_IO if writing to `out` failed
ABUT_API abut_status abut_drawing_print(const abut_drawing *drawing, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
