// SPDX-License-Identifier: MIT
// real_tests.h: all tests for one scalar: what program_single.c and program_double.c compile
#ifndef ABUT_PROGRAM_REAL_TESTS_H
#define ABUT_PROGRAM_REAL_TESTS_H

#include "program/real_closest.h"
#include "program/real_growth.h"
#include "program/real_intersection.h"
#include "program/real_points.h"
#include "program/real_vertices.h"

static void run_test(abut_program_test test, const abut_program_pair *source)
{
    static void (*const tests[])(const tet_pair *) = {
        [ABUT_PROGRAM_INTERSECTION] = test_intersection,
        [ABUT_PROGRAM_VERTEX_ONLY] = test_vertex_only,
        [ABUT_PROGRAM_CONSISTENT_VERTEX] = test_consistent_vertex,
        [ABUT_PROGRAM_SAT] = test_sat,
        [ABUT_PROGRAM_OPPOSING] = test_opposing,
        [ABUT_PROGRAM_GROWTH] = test_growth,
        [ABUT_PROGRAM_CLOSEST_POINTS] = test_closest_points,
    };
    tet_pair pair = {.first = make_tet(&source->first),
                     .second = make_tet(&source->second),
                     .threshold = (real)source->threshold,
                     .source = source};
    if (bounds_overlap(&pair.first, &pair.second)) {
        tests[test](&pair);
    }
}

#endif
