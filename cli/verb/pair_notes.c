// SPDX-License-Identifier: MIT
// pair_notes.c: says in words what the counters of a query mean, as far as it matters to the user
#include "verb/file_pairs.h"

#include <inttypes.h>
#include <string.h>

/// What a counter means, if it is one or more.
typedef struct counter_note {
    const char *method; ///< that answered; NULL: any
    size_t counter;     ///< its place in abut_stats
    const char *one, *many;
} counter_note;

#define AT(member) offsetof(abut_stats, member)

static const counter_note notes[] = {
    {NULL, AT(degenerate_elements), "element has no area or volume, and was left out",
     "elements have no area or volume, and were left out"},
    {NULL, AT(arbitrary_normals),
     "normal could as well be another one (see rule and flags): --velocity-a or --velocity-b may decide",
     "normals could as well be others (see rule and flags): --velocity-a or --velocity-b may decide"},
    {"growth", AT(fallbacks),
     "normal is that of the least overlap, since the centres of two tetrahedra nearly coincide",
     "normals are those of the least overlap, since the centres of two tetrahedra nearly coincide"},
    {"implicit-field", AT(fallbacks),
     "normal comes from the nearest point of the surface: the field has no slope there",
     "normals come from the nearest points of the surface: the field has no slope there"},
    {"regions", AT(caps),
     "limit was reached: the envelope is larger than details of the bodies, or a vertex has more than 24 faces; "
     "contacts at larger gaps, or normals, may be missing",
     "limits were reached: the envelope is larger than details of the bodies, or vertices have more than 24 faces; "
     "contacts at larger gaps, or normals, may be missing"},
    {"convex", AT(caps), "body has more corners on the contact plane than fit: some contacts are missing",
     "bodies have more corners on the contact plane than fit: some contacts are missing"},
    {"closest-points", AT(caps), "vertex could not be moved inward by epsilon: gaps there may be off by as much",
     "vertices could not be moved inward by epsilon: gaps there may be off by as much"},
    {"growth", AT(caps), "growth was stopped after 64 steps: its normal may be inexact",
     "growths were stopped after 64 steps: their normals may be inexact"},
    {"implicit-field", AT(caps), "grid ends within the envelope: contacts at larger gaps are missing",
     "grids end within the envelope: contacts at larger gaps are missing"},
    {"regions", AT(repairs),
     "outline of a region was closed over a gap below the tolerance: a corner may be off by it",
     "outlines of regions were closed over gaps below the tolerance: corners may be off by it"},
    {"convex", AT(repairs), "contact is at the nearest points alone, since the features around them do not meet",
     "contacts are at the nearest points alone, since the features around them do not meet"},
};

void abut_cli_mesh_note(const char *label, const char *path, const abut_mesh *mesh)
{
    abut_mesh_info info = abut_mesh_get_info(mesh);
    if (info.is_closed && info.is_oriented && info.volume < 0.0) {
        abut_cli_note("%s is inside out (volume %g): its normals point inward, and those of the contacts may too; "
                      "abut mesh convert %s OUT --repair turns its faces",
                      label, info.volume, path);
    }
    if (info.irregular_polygon_count > 0) {
        abut_cli_note("%s: %d polygon%s: contacts there may be wrong; see abut mesh check %s", label,
                      info.irregular_polygon_count,
                      info.irregular_polygon_count == 1 ? " crosses itself or has no area"
                                                        : "s cross themselves or have no area",
                      path);
    }
}

void abut_cli_pair_note(const abut_cli_pair_result *pair, const char *method)
{
    if (pair->result.has_long_way_out) {
        static const char *const reason =
            "no small translation separates them: they are interlocked, or one is deep "
            "inside the other";
        abut_vec3 t = pair->result.way_out;
        if (abut_norm(t) > 0.0) {
            abut_cli_note("%s and %s: %s; the least one found moves B by %.3g, along %.3g %.3g %.3g", pair->label_a,
                          pair->label_b, reason, abut_norm(t), t.x, t.y, t.z);
        } else {
            abut_cli_note("%s and %s: %s, and none opens all contacts", pair->label_a, pair->label_b, reason);
        }
    }
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; ++i) {
        int64_t count;
        memcpy(&count, (const char *)&pair->result.stats + notes[i].counter, sizeof count);
        if (count > 0 && (notes[i].method == NULL || strcmp(notes[i].method, method) == 0)) {
            abut_cli_note("%s and %s: %" PRId64 " %s; see docs/methods/%s.md", pair->label_a, pair->label_b, count,
                          count == 1 ? notes[i].one : notes[i].many, method);
        }
    }
}
