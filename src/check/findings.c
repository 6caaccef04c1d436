// SPDX-License-Identifier: MIT
// findings.c: texts of the kinds of findings, and collecting findings
#include "check/findings.h"

#include "base/memory.h"

#include <string.h>

typedef struct kind_row {
    const char *name;
    abut_finding_element element;
    int is_note;
    abut_repair_effect effect;
    const char *meaning;
    const char *repair;
} kind_row;

static const kind_row kinds[ABUT_FINDING_KINDS] = {
    [ABUT_FINDING_NOT_FINITE] = {"not-finite", ABUT_NAMED_VERTEX, 0, ABUT_REPAIR_ALL,
                                 "a coordinate is NaN or infinite, so the vertex is nowhere",
                                 "drops the vertices and the faces at them"},
    [ABUT_FINDING_INDEX] = {"index-out-of-range", ABUT_NAMED_FACE, 0, ABUT_REPAIR_ALL,
                            "the face names a vertex that the file does not have", "drops the faces"},
    [ABUT_FINDING_BROKEN_POINT] = {"broken-points", ABUT_NAMED_POINT, 0, ABUT_REPAIR_ALL,
                                   "the point names a vertex that does not exist or is not finite",
                                   "drops the points"},
    [ABUT_FINDING_BROKEN_SEGMENT] =
        {"broken-segments", ABUT_NAMED_SEGMENT, 0, ABUT_REPAIR_ALL,
         "the segment names a vertex that does not exist or is not finite, or one vertex twice",
         "drops the segments"},
    [ABUT_FINDING_BROKEN_TET] =
        {"broken-tets", ABUT_NAMED_TET, 0, ABUT_REPAIR_ALL,
         "the tetrahedron names a vertex that does not exist or is not finite, or one vertex twice",
         "drops the tetrahedra"},
    [ABUT_FINDING_LARGE_FACE] = {"large-faces", ABUT_NAMED_FACE, 0, ABUT_REPAIR_ALL,
                                 "the polygon has more than 10,000 vertices, which is too many to triangulate",
                                 "drops the faces; export triangles instead"},
    [ABUT_FINDING_DUPLICATE_VERTEX] = {"duplicate-vertices", ABUT_NAMED_VERTEX_PAIR, 0, ABUT_REPAIR_ALL,
                                       "the vertex is at the same place as another, so faces that meet there are "
                                       "not connected",
                                       "welds them"},
    [ABUT_FINDING_NEAR_VERTEX] =
        {"near-duplicate-vertices", ABUT_NAMED_VERTEX_PAIR, 0, ABUT_REPAIR_ALL,
         "the vertex is within the tolerance of another, which looks like an unintended crack",
         "welds them at the position of the vertex with the lower number"},
    [ABUT_FINDING_UNUSED_VERTEX] = {"unused-vertices", ABUT_NAMED_VERTEX, 0, ABUT_REPAIR_ALL,
                                    "no face, segment, point or tetrahedron uses the vertex", "drops them"},
    [ABUT_FINDING_DEGENERATE_FACE] =
        {"degenerate-faces", ABUT_NAMED_FACE, 0, ABUT_REPAIR_ALL,
         "the face has no area and so no normal: a vertex is named twice, or all are on a line",
         "drops them, and cuts the neighbour if that leaves a T-junction"},
    [ABUT_FINDING_DUPLICATE_FACE] = {"duplicate-faces", ABUT_NAMED_FACE_PAIR, 0, ABUT_REPAIR_ALL,
                                     "the face has the same vertices as another one, in either orientation",
                                     "keeps the first"},
    [ABUT_FINDING_SLIVER] = {"slivers", ABUT_NAMED_FACE, 1, ABUT_REPAIR_NOTHING,
                             "the triangle is so thin that its normal is uncertain", "leaves them"},
    [ABUT_FINDING_IRREGULAR_FACE] = {"irregular-polygons", ABUT_NAMED_FACE, 0, ABUT_REPAIR_NOTHING,
                                     "the polygon crosses itself or has no area; its triangles overlap",
                                     "leaves them; export triangles instead"},
    [ABUT_FINDING_OPEN_EDGE] =
        {"open-edges", ABUT_NAMED_EDGE, 0, ABUT_REPAIR_SOME,
         "the edge has a face on one side only, so the surface has a hole or border and no inside",
         "closes those that disappear by welding or by cutting at T-junctions; fills holes if all of a part are "
         "small"},
    [ABUT_FINDING_NON_MANIFOLD_EDGE] = {"non-manifold-edges", ABUT_NAMED_EDGE, 0, ABUT_REPAIR_SOME,
                                        "more than two faces meet at the edge, so inside and outside are unclear",
                                        "removes those that come from duplicate faces; leaves the others"},
    [ABUT_FINDING_NON_MANIFOLD_VERTEX] = {"non-manifold-vertices", ABUT_NAMED_VERTEX, 0, ABUT_REPAIR_SOME,
                                          "surfaces touch only at this vertex, like two cones tip to tip",
                                          "removes those that come from other faults; leaves the others"},
    [ABUT_FINDING_FLIPPED_FACE] = {"flipped-faces", ABUT_NAMED_FACE, 0, ABUT_REPAIR_ALL,
                                   "the face has the opposite orientation to most faces of its part", "turns them"},
    [ABUT_FINDING_ONE_SIDED_PART] = {"one-sided-parts", ABUT_NAMED_PART, 0, ABUT_REPAIR_NOTHING,
                                     "the part has one side only, like a Moebius strip, and cannot be oriented",
                                     "leaves them"},
    [ABUT_FINDING_INSIDE_OUT_PART] = {"inside-out-parts", ABUT_NAMED_PART, 0, ABUT_REPAIR_ALL,
                                      "the normals of a closed part point into the material (outer parts: inward; "
                                      "cavities: outward)",
                                      "turns all faces of the part"},
    [ABUT_FINDING_SELF_INTERSECTION] =
        {"self-intersections", ABUT_NAMED_FACE_PAIR, 0, ABUT_REPAIR_NOTHING,
         "two faces cross or touch each other apart from the vertices and edges they share", "leaves them"},
    [ABUT_FINDING_T_JUNCTION] = {"t-junctions", ABUT_NAMED_VERTEX_ON_EDGE, 0, ABUT_REPAIR_ALL,
                                 "the vertex lies on the open edge of a face that does not use it: an invisible "
                                 "crack",
                                 "cuts the face at the vertex"},
    [ABUT_FINDING_UNEVEN_SIZE] = {"uneven-size", ABUT_NAMED_FACE, 1, ABUT_REPAIR_NOTHING,
                                  "the face is much longer or shorter than the median; contact methods work "
                                  "best on even faces",
                                  "leaves them; --max-edge cuts the long ones"},
    [ABUT_FINDING_SEVERAL_PARTS] = {"several-parts", ABUT_NAMED_PART, 1, ABUT_REPAIR_NOTHING,
                                    "the mesh consists of parts that share no vertex", "leaves them"},
    [ABUT_FINDING_NESTED_PART] = {"nested-parts", ABUT_NAMED_PART_PAIR, 1, ABUT_REPAIR_NOTHING,
                                  "a closed part lies inside another: the wall of a cavity, or something left "
                                  "inside by mistake",
                                  "keeps it; the wall of a cavity is oriented inward"},
    [ABUT_FINDING_NO_ELEMENTS] = {"no-elements", ABUT_NAMED_VERTEX, 0, ABUT_REPAIR_NOTHING,
                                  "there are no faces, segments, points or tetrahedra, or none that can be kept",
                                  "leaves nothing to write"},
};

static const struct {
    const char *text;
    int size;
} elements[] = {
    [ABUT_NAMED_VERTEX] = {"vertex", 1},
    [ABUT_NAMED_VERTEX_PAIR] = {"pair of vertices", 2},
    [ABUT_NAMED_EDGE] = {"edge", 2},
    [ABUT_NAMED_VERTEX_ON_EDGE] = {"vertex on edge", 3},
    [ABUT_NAMED_FACE] = {"face", 1},
    [ABUT_NAMED_FACE_PAIR] = {"pair of faces", 2},
    [ABUT_NAMED_POINT] = {"point", 1},
    [ABUT_NAMED_SEGMENT] = {"segment", 1},
    [ABUT_NAMED_TET] = {"tet", 1},
    [ABUT_NAMED_PART] = {"part by its first face", 1},
    [ABUT_NAMED_PART_PAIR] = {"pair of parts by their first faces", 2},
};

const char *abut_finding_element_text(abut_finding_element element)
{
    size_t i = (size_t)element;
    return i < sizeof elements / sizeof elements[0] ? elements[i].text : "unknown";
}

int abut_finding_element_size(abut_finding_element element)
{
    size_t i = (size_t)element;
    return i < sizeof elements / sizeof elements[0] ? elements[i].size : 1;
}

const char *abut_verdict_text(abut_verdict verdict)
{
    static const char *const texts[] = {"sound", "repairable", "faulty"};
    size_t i = (size_t)verdict;
    return i < sizeof texts / sizeof texts[0] ? texts[i] : "unknown";
}

int abut_findings_init(abut_check *check, const abut_context *context, int element_limit)
{
    memset(check, 0, sizeof *check);
    check->context = *context;
    check->element_limit = element_limit;
    size_t room = (size_t)element_limit * ABUT_NAMED_NUMBERS;
    check->elements = abut_allocate(context, room * ABUT_FINDING_KINDS, sizeof(int));
    for (int i = 0; i < ABUT_FINDING_KINDS; ++i) {
        abut_finding finding = {.kind = (abut_finding_kind)i,
                                .name = kinds[i].name,
                                .is_complete = 1,
                                .is_note = kinds[i].is_note,
                                .element = kinds[i].element,
                                .meaning = kinds[i].meaning,
                                .effect = kinds[i].effect,
                                .repair = kinds[i].repair};
        finding.elements = check->elements != NULL ? check->elements + (size_t)i * room : NULL;
        check->all[i] = finding;
    }
    return check->elements != NULL;
}

void abut_findings_add(abut_check *check, abut_finding_kind kind, const int *numbers)
{
    abut_finding *finding = &check->all[kind];
    ++finding->count;
    if (finding->element_count < check->element_limit) {
        size_t size = (size_t)abut_finding_element_size(finding->element);
        size_t room = (size_t)check->element_limit * ABUT_NAMED_NUMBERS;
        int *items = check->elements + (size_t)kind * room;
        memcpy(items + (size_t)finding->element_count * size, numbers, size * sizeof *numbers);
        ++finding->element_count;
    }
}

void abut_findings_end_early(abut_check *check, abut_finding_kind kind)
{
    check->all[kind].is_complete = 0;
}

void abut_findings_set_repaired(abut_check *check, abut_finding_kind kind)
{
    check->all[kind].effect = ABUT_REPAIR_ALL;
}

abut_check_report abut_check_get_report(const abut_check *check)
{
    abut_check_report report = {.findings = check->found,
                                .finding_count = check->found_count,
                                .verdict = ABUT_VERDICT_SOUND,
                                .tolerance = check->tolerance,
                                .bounds = check->bounds};
    for (int i = 0; i < check->found_count; ++i) {
        const abut_finding *finding = &check->found[i];
        if (!finding->is_note) {
            abut_verdict verdict =
                finding->effect == ABUT_REPAIR_ALL ? ABUT_VERDICT_REPAIRABLE : ABUT_VERDICT_FAULTY;
            report.verdict = verdict > report.verdict ? verdict : report.verdict;
        }
    }
    return report;
}

void abut_check_destroy(abut_check *check)
{
    if (check == NULL) {
        return;
    }
    abut_context context = check->context;
    abut_free(&context, check->elements);
    abut_free(&context, check);
}
