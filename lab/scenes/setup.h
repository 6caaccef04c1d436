// SPDX-License-Identifier: MIT
// setup.h: building a setup piece by piece
#ifndef ABUT_LAB_SETUP_H
#define ABUT_LAB_SETUP_H

#include <abut-lab/simulation.h>

/// A setup that is being built. After a failure, which `status` has, the functions below do nothing.
typedef struct abut_setup_builder {
    abut_setup *setup;
    abut_context context;
    int mesh_capacity, material_capacity, pair_capacity, body_capacity, soft_capacity;
    abut_status status;
    abut_error *error;
} abut_setup_builder;

abut_setup_builder abut_setup_begin(const abut_context *context, const char *name, abut_error *error);
/// Returns the setup, or destroys it after a failure.
abut_status abut_setup_end(abut_setup_builder *builder, abut_setup **setup);

/// Each returns the index of the new item, or -1 after a failure. The setup takes the mesh over, also after a failure.
int abut_setup_add_mesh(abut_setup_builder *builder, const char *name, abut_mesh *mesh);
int abut_setup_add_material(abut_setup_builder *builder, const char *name, const abut_material *law);
int abut_setup_add_pair(abut_setup_builder *builder, const abut_setup_pair *pair);
int abut_setup_add_body(abut_setup_builder *builder, const abut_setup_body *body);
/// The setup takes material and pins over, also after a failure.
int abut_setup_add_soft(abut_setup_builder *builder, const abut_setup_soft *soft);

/// A copy of a mesh, scaled about the origin, without points and segments.
abut_status abut_setup_copy_mesh(const abut_context *context, const abut_mesh *mesh, double scale, abut_mesh **copy,
                                 abut_error *error);

/// The index of the mesh or material of that name, or -1.
int abut_setup_find_mesh(const abut_setup *setup, const char *name);
int abut_setup_find_material(const abut_setup *setup, const char *name);

#endif
