// SPDX-License-Identifier: MIT
// program.h: two tetrahedra as the program that goes with Erleben 2018 tests them, in single or double precision
//
// Which contacts that program finds depends on the last bit of its arithmetic: it compares without tolerance, and bodies
// of the paper's cases touch. So every product, sum and comparison is made in the program's order. The tests are written
// once, in the headers real_*.h, and compiled for both scalars. docs/reproduction.md shows what they reproduce.
//
// Source: the published program (github.com/diku-dk/PROX), its contact methods, in our own words and structure.
#ifndef ABUT_PROGRAM_PROGRAM_H
#define ABUT_PROGRAM_PROGRAM_H

#include <abut/math.h>

/// The tests. Both SAT methods are one: they differ in the faces and edges that they are given.
typedef enum abut_program_test {
    ABUT_PROGRAM_INTERSECTION,
    ABUT_PROGRAM_VERTEX_ONLY,
    ABUT_PROGRAM_CONSISTENT_VERTEX,
    ABUT_PROGRAM_SAT,
    ABUT_PROGRAM_OPPOSING,
    ABUT_PROGRAM_GROWTH,
    ABUT_PROGRAM_CLOSEST_POINTS
} abut_program_test;

/// A tetrahedron of positive volume. Corners are numbered 0 to 3, face k is opposite corner k, and the edges are 01, 02,
/// 03, 12, 13, 23. One bit per face or edge:
typedef struct abut_program_tet {
    abut_vec3 corners[4];
    unsigned surface; ///< faces on the surface of the mesh
    unsigned faces;   ///< faces that may give a normal in ABUT_PROGRAM_SAT
    unsigned edges;   ///< edges that may give a normal in ABUT_PROGRAM_SAT and ABUT_PROGRAM_INTERSECTION
} abut_program_tet;

typedef enum abut_program_part_kind {
    ABUT_PROGRAM_TET,
    ABUT_PROGRAM_CORNER,
    ABUT_PROGRAM_EDGE,
    ABUT_PROGRAM_FACE
} abut_program_part_kind;

/// A part of a tetrahedron.
typedef struct abut_program_part {
    abut_program_part_kind kind;
    int index;
} abut_program_part;

/// Which tetrahedron a normal comes from.
typedef enum abut_program_side { ABUT_PROGRAM_FIRST, ABUT_PROGRAM_SECOND, ABUT_PROGRAM_BOTH } abut_program_side;

typedef struct abut_program_contact {
    abut_vec3 position;
    abut_vec3 normal; ///< from the first to the second; as long as the program makes it
    double depth;     ///< as the program has it: negative inside, except for closest points: threshold - distance
    abut_program_part first, second; ///< what meets
    abut_program_side side;          ///< that gave the normal
    abut_program_part source;        ///< part of that side that gave the normal
} abut_program_contact;

/// Takes the contacts of a pair.
typedef void abut_program_report(void *user, const abut_program_contact *contact);

typedef struct abut_program_pair {
    abut_program_tet first, second;
    double threshold; ///< of closest points: the program has 0.02
    abut_program_report *report;
    void *user;
} abut_program_pair;

/// Tests a pair that has a face on each surface.
void abut_program_test_single(abut_program_test test, const abut_program_pair *pair);
void abut_program_test_double(abut_program_test test, const abut_program_pair *pair);

/// Ten times the machine epsilon: what the program takes as zero.
double abut_program_epsilon_single(void);
double abut_program_epsilon_double(void);

#endif
