// SPDX-License-Identifier: MIT
// real_vertices.h: vertex-only and consistent-vertex: corners of one tetrahedron inside the other
#ifndef ABUT_PROGRAM_REAL_VERTICES_H
#define ABUT_PROGRAM_REAL_VERTICES_H

#include "program/real_tet.h"

/// Reports the corner with the most negative distance of a surface face, which is the farthest. Ties all count.
static void report_farthest_faces(const tet_pair *pair, const tet *host, vec q, int corner, int host_is_second)
{
    real depths[4], lowest = (real)HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        const plane *p = &host->planes[k];
        depths[k] = has_bit(host->surface, k) ? height(p, q) / norm(p->normal) : (real)HUGE_VAL;
        lowest = least(lowest, depths[k]);
    }
    for (int k = 0; k < 4; ++k) {
        if (has_bit(host->surface, k) && depths[k] <= lowest) {
            vec normal = unit(host->planes[k].normal);
            finding f = {.position = q, .normal = host_is_second ? negate(normal) : normal, .depth = depths[k]};
            report_at_face(pair, part(ABUT_PROGRAM_CORNER, corner), k, host_is_second, &f);
        }
    }
}

static void test_vertex_only(const tet_pair *pair)
{
    for (int i = 0; i < 8; ++i) {
        int host_is_second = i / 4;
        const tet *host = host_is_second ? &pair->second : &pair->first;
        const tet *guest = host_is_second ? &pair->first : &pair->second;
        if (is_inside(host, guest->corners[i % 4])) {
            report_farthest_faces(pair, host, guest->corners[i % 4], i % 4, host_is_second);
        }
    }
}

/// The edge from a corner inside to one outside: the first surface plane that it crosses.
static void report_first_plane(const tet_pair *pair, const tet *host, const tet *guest, int corner, int other,
                               int host_is_second)
{
    vec from = guest->corners[corner], to = guest->corners[other];
    real first = (real)HUGE_VAL;
    int face = -1;
    for (int k = 0; k < 4; ++k) {
        if (has_bit(host->surface, k) && crosses(from, to, &host->planes[k])) {
            real place = crossing_place(from, to, &host->planes[k]);
            face = place < first ? k : face;
            first = place < first ? place : first;
        }
    }
    if (face >= 0) {
        vec normal = host_is_second ? negate(host->planes[face].normal) : host->planes[face].normal;
        finding f = {
            .position = from, .normal = unit(normal), .depth = height(&host->planes[face], from) / norm(normal)};
        report_at_face(pair, part(ABUT_PROGRAM_CORNER, corner), face, host_is_second, &f);
    }
}

static void test_consistent_vertex(const tet_pair *pair)
{
    for (int i = 0; i < 32; ++i) {
        int host_is_second = i / 16, corner = i / 4 % 4, other = i % 4;
        const tet *host = host_is_second ? &pair->second : &pair->first;
        const tet *guest = host_is_second ? &pair->first : &pair->second;
        if (is_inside(host, guest->corners[corner]) && !is_inside(host, guest->corners[other])) {
            report_first_plane(pair, host, guest, corner, other, host_is_second);
        }
    }
}

#endif
