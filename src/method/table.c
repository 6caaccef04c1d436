// SPDX-License-Identifier: MIT
// table.c: all contact methods
#include "method/methods.h"

#include <string.h>

static const abut_method *const methods[] = {
    &abut_method_auto,           &abut_method_intersection,
    &abut_method_vertex_only,    &abut_method_consistent_vertex,
    &abut_method_volume_sat,     &abut_method_surface_sat,
    &abut_method_opposing,       &abut_method_growth,
    &abut_method_closest_points, &abut_method_implicit_field,
    &abut_method_regions,        &abut_method_convex,
    &abut_method_quasi_lmd,      &abut_method_continuous,
};

const abut_method *const *abut_methods(int *count)
{
    *count = (int)(sizeof methods / sizeof methods[0]);
    return methods;
}

const abut_method *abut_method_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof methods / sizeof methods[0]; ++i) {
        if (strcmp(methods[i]->name, name) == 0) {
            return methods[i];
        }
    }
    return NULL;
}
