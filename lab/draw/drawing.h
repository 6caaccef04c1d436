// SPDX-License-Identifier: MIT
// drawing.h: a drawing, and the parts that make it
#ifndef ABUT_LAB_DRAWING_H
#define ABUT_LAB_DRAWING_H

#include <abut-lab/draw.h>

/// A triangle that may hide edges, in the coordinates of the drawing.
typedef struct abut_occluder {
    abut_vec3 corners[3];
    int face; ///< B-rep face, counted through all bodies: a face never hides its own edges
} abut_occluder;

/// An edge before it is cut.
typedef struct abut_drawn_edge {
    abut_vec3 ends[2];
    int body;
    int faces[2]; ///< as in abut_occluder, or -1
    int is_fine;
} abut_drawn_edge;

/// A face that looks towards the viewer: rings of points, outer ones and holes alike.
typedef struct abut_drawn_face {
    int body;
    int ring_begin, ring_count;
    double facing; ///< cosine of the angle between its normal and the direction to the viewer
    double depth;  ///< mean z of its corners
} abut_drawn_face;

/// A range of the ring points.
typedef struct abut_drawn_ring {
    int begin, count;
} abut_drawn_ring;

/// Length of the arrows along normals, in pixels.
enum { ABUT_DRAWING_ARROW = 34 };

struct abut_drawing {
    abut_context context;
    abut_mat3 axes; ///< right, up, and towards the viewer, in the world
    double size;    ///< diagonal of all bodies
    double width;
    char *title; ///< or NULL
    int body_count, triangle_count;
    int has_all_edges; ///< shows hidden edges and fills faces
    abut_occluder *occluders;
    int occluder_count, occluder_capacity;
    abut_drawn_edge *edges;
    int edge_count, edge_capacity;
    abut_drawn_line *lines;
    int line_count, line_capacity;
    abut_drawn_face *faces;
    int face_count, face_capacity;
    abut_drawn_ring *rings;
    int ring_count, ring_capacity;
    abut_vec3 *ring_points;
    int ring_point_count, ring_point_capacity;
    abut_vec3 *dots; ///< points of meshes that are not part of triangles or segments
    int dot_count, dot_capacity;
    abut_drawn_contact *contacts; ///< in the coordinates of the drawing
    int contact_count;
    abut_drawn_outline *outlines;
    int outline_count;
    abut_vec3 *outline_points; ///< in the coordinates of the drawing
    int outline_point_count;
    abut_vec2 lower, upper; ///< the part that the picture shows
};

/// Chooses the axes, for the contacts of the definition.
abut_mat3 abut_view_axes(const abut_drawing_def *def);

/// Adds edges, faces and occluders of a body. `first_face` counts the B-rep faces of the bodies before it, and is
/// increased.
abut_status abut_drawing_add_body(abut_drawing *drawing, const abut_drawn_body *body, int index, int *first_face,
                                  abut_error *error);

/// Brings the faces into an order in which they can be painted.
abut_status abut_drawing_order_faces(abut_drawing *drawing);

/// Cuts the edges into visible and hidden lines.
abut_status abut_drawing_hide(abut_drawing *drawing);

#endif
