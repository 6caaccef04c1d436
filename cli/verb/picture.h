// SPDX-License-Identifier: MIT
// picture.h: what a drawing shows: bodies, contacts and regions, from files, cases, scenes or recordings
#ifndef ABUT_CLI_PICTURE_H
#define ABUT_CLI_PICTURE_H

#include "verb/file_pairs.h"

/// Bodies, contacts and outlines of regions. The meshes belong to others.
typedef struct abut_cli_picture {
    abut_drawn_body *bodies;
    int body_count;
    abut_drawn_contact *contacts;
    int contact_count;
    abut_drawn_outline *outlines;
    int outline_count;
    abut_vec3 *points;
    int point_count;
    abut_mesh **moved; ///< copies of meshes with the vertices of soft bodies; these belong to the picture
    int moved_count;
} abut_cli_picture;

void abut_cli_picture_release(abut_cli_picture *picture);

/// The definition of a drawing of it. Valid as long as the picture is unchanged.
abut_drawing_def abut_cli_picture_def(const abut_cli_picture *picture);

/// What is up in a picture: the axis that gravity points away from most, or y if there is no gravity.
abut_vec3 abut_cli_picture_up(abut_vec3 gravity);
/// Changes `up` to the axis of the option --up, if it is given.
abut_cli_exit abut_cli_picture_read_up(const abut_cli_arguments *arguments, abut_vec3 *up);

void abut_cli_picture_add_body(abut_cli_picture *picture, const abut_mesh *mesh, abut_pose pose, int is_fixed);
void abut_cli_picture_add_contact(abut_cli_picture *picture, abut_vec3 position, abut_vec3 normal,
                                  abut_drawn_kind kind);
/// Adds the outlines of regions, whose ranges refer to `loops` and `points`.
void abut_cli_picture_add_region(abut_cli_picture *picture, const abut_region *region,
                                 const abut_region_loop *loops, const abut_vec3 *points);

/// Adds the contacts and regions of an answer.
void abut_cli_picture_add_result(abut_cli_picture *picture, const abut_result *result);

/// Adds a case in a state: bodies, contacts of the query's method, which of them are right, and the expected contacts
/// that are missing. `item` must outlive the picture. If the method has no answer, `why` gets the reason (release with
/// free()), and the picture has the bodies only.
abut_cli_exit abut_cli_picture_add_case(abut_cli_picture *picture, const abut_case *item, abut_state state,
                                        const abut_cli_query *query, char **why);

/// Adds the bodies, contacts and regions of a world after a step or detection. `known` is the scene that the world was
/// made of, or NULL: then nothing is known of the contacts.
void abut_cli_picture_add_world(abut_cli_picture *picture, const abut_world *world, const abut_scene *known);

/// Adds step `step` of a recording, from 1; 0: the bodies at the beginning.
void abut_cli_picture_add_recorded(abut_cli_picture *picture, const abut_recording *recording, int step);

#endif
