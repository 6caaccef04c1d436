// SPDX-License-Identifier: MIT
// repairs.c: reading mesh files with a repair
#include "shared/repairs.h"

#include "shared/files.h"

#include <inttypes.h>
#include <stdlib.h>

void abut_cli_tell_repairs(const char *path, const abut_repair_counts *counts)
{
    const struct {
        int count;
        const char *verb, *one, *many;
    } repairs[] = {
        {counts->vertices_welded, "welded", "vertex", "vertices"},
        {counts->vertices_dropped, "dropped", "vertex", "vertices"},
        {counts->faces_dropped, "dropped", "face", "faces"},
        {counts->elements_dropped, "dropped", "other element", "other elements"},
        {counts->junctions_split, "cut at", "T-junction", "T-junctions"},
        {counts->faces_turned, "turned", "face", "faces"},
        {counts->holes_filled, "filled", "hole", "holes"},
        {counts->edges_split, "split", "edge of four or more faces", "edges of four or more faces"},
    };
    abut_cli_text list;
    abut_cli_text_open(&list);
    const char *separator = "";
    for (size_t i = 0; i < sizeof repairs / sizeof repairs[0]; ++i) {
        if (repairs[i].count > 0) {
            (void)fprintf(list.stream, "%s%s %d %s", separator, repairs[i].verb, repairs[i].count,
                          repairs[i].count == 1 ? repairs[i].one : repairs[i].many);
            separator = ", ";
        }
    }
    char *text = abut_cli_text_take(&list);
    abut_cli_note("%s: %s", path, text[0] != '\0' ? text : "nothing to repair");
    free(text);
}

// Checks the mesh again and reports the remaining faults.
static abut_status tell_rest(const char *path, const abut_mesh *mesh, const abut_check_params *params,
                             abut_error *error)
{
    abut_mesh_def def = abut_cli_mesh_def(mesh, 0);
    abut_check *check = NULL;
    abut_status status = abut_check_create(NULL, &def, params, &check, error);
    abut_check_report report = {0};
    if (status == ABUT_OK) {
        report = abut_check_get_report(check);
    }
    for (int i = 0; i < report.finding_count; ++i) {
        const abut_finding *finding = &report.findings[i];
        if (!finding->is_note) {
            abut_cli_note("%s: not repaired: %s (%s%" PRId64 "): %s", path, finding->name,
                          finding->is_complete ? "" : "at least ", finding->count, finding->meaning);
        }
    }
    abut_check_destroy(check);
    return status;
}

abut_status abut_cli_read_repaired(const char *path, double tolerance, abut_mesh **mesh, abut_error *error)
{
    abut_soup *soup = NULL;
    abut_remade remade = {0};
    abut_check_params params = abut_check_params_default();
    params.tolerance = tolerance;
    abut_status status = abut_soup_read(NULL, path, ABUT_FORMAT_AUTO, &soup, error);
    if (status == ABUT_OK) {
        abut_mesh_def def = abut_soup_get_def(soup);
        status = abut_repair(NULL, &def, &params, &remade, error);
    }
    if (status == ABUT_OK) {
        abut_cli_tell_repairs(path, &remade.counts);
        status = tell_rest(path, remade.mesh, &params, error);
    }
    if (status == ABUT_OK) {
        *mesh = remade.mesh;
        remade.mesh = NULL;
    }
    abut_remade_release(NULL, &remade);
    abut_soup_destroy(soup);
    return status;
}

int abut_cli_repair_helps(const char *path)
{
    abut_soup *soup = NULL;
    abut_remade remade = {0};
    int helps = 0;
    if (abut_soup_read(NULL, path, ABUT_FORMAT_AUTO, &soup, NULL) == ABUT_OK) {
        abut_mesh_def def = abut_soup_get_def(soup);
        if (abut_repair(NULL, &def, NULL, &remade, NULL) == ABUT_OK) {
            abut_mesh_info info = abut_mesh_get_info(remade.mesh);
            helps = info.is_closed && info.is_oriented && info.volume > 0.0;
        }
    }
    abut_remade_release(NULL, &remade);
    abut_soup_destroy(soup);
    return helps;
}
