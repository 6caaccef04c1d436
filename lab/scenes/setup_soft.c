// SPDX-License-Identifier: MIT
// setup_soft.c: soft bodies and penalty forces of a scene file
#include "scenes/setup_soft.h"

#include "common/lab_support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void abut_read_response(abut_setup_reader *r, json_t *root, const char *key, abut_response_params **out)
{
    static const char *const keys[] = {"kind", "stiffness", "tolerance", "pairs", "sliding", "viscosity", NULL};
    static const char *const kinds[3] = {"cpf", "discrete", "discrete-ccd"};
    static const char *const weights[] = {"area", "paper", "mass", NULL};
    json_t *value = json_object_get(root, key);
    if (value == NULL || !abut_reader_is_fine(r)) {
        return;
    }
    abut_reader_enter(r, key);
    abut_response_params *made = *out = abut_allocate(&r->builder.context, 1, sizeof *made);
    if (made == NULL) {
        abut_reader_complain(r, ABUT_NO_MEMORY, "out of memory");
    } else if (abut_reader_check_object(r, value, keys)) {
        *made = abut_response_params_default();
        made->kind = (abut_response_kind)abut_reader_word(r, value, "kind", kinds);
        made->weights = (abut_pair_weights)abut_reader_word(r, value, "pairs", weights);
        made->stiffness = abut_reader_number(r, value, "stiffness", -1.0, 0.0, 1e30);
        made->tolerance = abut_reader_number(r, value, "tolerance", 0.0, 0.0, 1e30);
        made->has_sliding = abut_reader_switch(r, value, "sliding", 1);
        r->builder.setup->viscosity = abut_reader_number(r, value, "viscosity", 0.0, 0.0, 1e30);
        if (abut_reader_is_fine(r) && made->stiffness < 0.0) {
            abut_reader_complain(r, ABUT_BAD_DATA, "the key \"stiffness\" is missing");
        }
    }
    abut_reader_leave(r);
}

/// Vertices that stay in place.
static void read_pins(abut_setup_reader *r, json_t *object, int vertex_count, abut_setup_soft *soft)
{
    json_t *pins = json_object_get(object, "pins");
    size_t count = json_array_size(pins);
    if (pins == NULL) {
        return;
    }
    abut_reader_enter(r, "pins");
    if (!json_is_array(pins) || count > (size_t)vertex_count) {
        abut_reader_complain(r, ABUT_BAD_DATA, "must be an array of at most %d vertices", vertex_count);
        count = 0;
    }
    soft->pins = abut_allocate_zeroed(&r->builder.context, count + 1, sizeof *soft->pins);
    if (soft->pins == NULL) {
        abut_reader_complain(r, ABUT_NO_MEMORY, "out of memory for %zu pins", count);
    }
    for (size_t i = 0; i < count && abut_reader_is_fine(r); ++i) {
        json_t *pin = json_array_get(pins, i);
        json_int_t vertex = json_integer_value(pin);
        if (!json_is_integer(pin) || vertex < 0 || vertex >= vertex_count) {
            abut_reader_enter_item(r, i);
            abut_reader_complain(r, ABUT_BAD_DATA, "must be a vertex of the mesh, from 0 to %d", vertex_count - 1);
            abut_reader_leave(r);
        } else {
            soft->pins[soft->pin_count++] = (int)vertex;
        }
    }
    abut_reader_leave(r);
}

/// A value of the material; `missing` if there is no such key. It must be above 0 if it is needed.
static double read_value(abut_setup_reader *r, json_t *object, const char *key, double missing, int is_needed,
                         const char *what)
{
    if (json_object_get(object, key) == NULL && is_needed) {
        abut_reader_complain(r, ABUT_BAD_DATA, "the key \"%s\" is missing: %s need it", key, what);
        return missing;
    }
    return abut_reader_number(r, object, key, missing, is_needed ? 1e-30 : 0.0, 1e30);
}

static void read_soft_material(abut_setup_reader *r, json_t *value, const abut_mesh_elements *e,
                               abut_soft_material *m)
{
    int has_tets = e->tet_count > 0, has_cloth = !has_tets && e->triangle_count > 0;
    if (!has_tets && json_object_get(value, "young") != NULL) {
        abut_reader_enter(r, "young");
        abut_reader_complain(
            r, ABUT_BAD_DATA,
            "the mesh has no tetrahedra: give a file that has them, add \"tetrahedra\": true to the "
            "mesh, or give \"stretch\" for cloth");
        abut_reader_leave(r);
    }
    m->young = read_value(r, value, "young", 0.0, has_tets, "tetrahedra");
    m->poisson = abut_reader_number(r, value, "poisson", 0.3, -0.999, 0.499);
    m->density = abut_reader_number(r, value, "density", 1000.0, 1e-30, 1e30);
    m->stretch = read_value(r, value, "stretch", 0.0, has_cloth, "triangles without tetrahedra, that is cloth,");
    m->shear = abut_reader_number(r, value, "shear", 0.5 * m->stretch, 0.0, 1e30);
    m->bend = abut_reader_number(r, value, "bend", 0.0, 0.0, 1e30);
    m->area_density = abut_reader_number(r, value, "area_density", 0.2, 1e-30, 1e30);
    m->rope = read_value(r, value, "rope", 0.0, e->segment_count > 0 && !has_tets, "segments");
    m->line_density = abut_reader_number(r, value, "line_density", 0.1, 1e-30, 1e30);
    m->mass_damping = abut_reader_number(r, value, "mass_damping", 0.0, 0.0, 1e30);
    m->shape_damping = abut_reader_number(r, value, "shape_damping", 0.0, 0.0, 1e30);
}

void abut_read_soft(abut_setup_reader *r, json_t *object, abut_setup_body *body)
{
    static const char *const keys[] = {
        "young",         "poisson",      "density",    "stretch",      "shear",
        "bend",          "area_density", "rope",       "line_density", "mass_damping",
        "shape_damping", "pins",         "integrator", "self_contact", NULL};
    static const char *const integrators[3] = {"implicit", "explicit", NULL};
    json_t *value = json_object_get(object, "soft");
    if (value == NULL || !abut_reader_is_fine(r)) {
        return;
    }
    abut_reader_enter(r, "soft");
    abut_mesh_elements e = abut_mesh_get_elements(r->builder.setup->meshes[body->mesh].mesh);
    abut_setup_soft soft = {.has_self_contact = 1};
    (void)snprintf(soft.name, sizeof soft.name, "%s", body->name);
    if (body->is_fixed || body->mass > 0.0) {
        abut_reader_complain(r, ABUT_BAD_DATA,
                             "a soft body has neither \"fixed\" nor \"mass\": use \"pins\" and densities");
    } else if (abut_reader_check_object(r, value, keys)) {
        soft.material = abut_allocate(&r->builder.context, 1, sizeof *soft.material);
        if (soft.material == NULL) {
            abut_reader_complain(r, ABUT_NO_MEMORY, "out of memory");
        } else {
            *soft.material = abut_soft_material_default();
            read_soft_material(r, value, &e, soft.material);
        }
        soft.integrator = (abut_soft_integrator)abut_reader_word(r, value, "integrator", integrators);
        soft.has_self_contact = abut_reader_switch(r, value, "self_contact", 1);
        read_pins(r, value, e.vertex_count, &soft);
    }
    abut_reader_leave(r);
    if (abut_reader_is_fine(r)) {
        body->soft = abut_setup_add_soft(&r->builder, &soft) + 1;
    } else {
        abut_free(&r->builder.context, soft.material);
        abut_free(&r->builder.context, soft.pins);
    }
}
