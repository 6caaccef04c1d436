// SPDX-License-Identifier: MIT
// hull_polygons.c: turn qhull's facets into polygons, and these into triangles
//
// qhull merges facets that are coplanar up to rounding. A merged facet keeps vertices that are not corners: a point
// in the middle of a cube's edge is a vertex of two facets and sticks out by a rounding error. Triangles with such a
// vertex are slivers with meaningless normals. At a corner of a solid at least three faces meet, so a vertex of
// fewer facets is dropped. A facet that is left with two vertices was an edge and is dropped too. This may leave
// other vertices with too few facets, so it repeats until nothing changes. The remaining polygons are cut into
// triangles by cutting off every second vertex, round by round, which avoids narrow triangles.
#include "mesh/hull.h"

#include "base/cycle.h"
#include "base/memory.h"

enum { CORNER_FACETS = 3 };

// All polygons in one array. Polygon i ends at corners[ends[i]].
typedef struct polygons {
    int *corners;
    int *ends;
    int count;
    int *facet_counts; // for each point: how many polygons contain it
    int *links;        // for each point: its two neighbours in the current polygon, or -1
} polygons;

static int point_of(const qhT *qhull, const vertexT *vertex)
{
    return (int)((vertex->point - qhull->first_point) / 3);
}

static int set_size(const setT *set)
{
    int n = 0;
    for (const setelemT *e = set == NULL ? NULL : set->e; e != NULL && e->p != NULL; ++e) {
        ++n;
    }
    return n;
}

// Makes p and q neighbours. Returns 0 if one already has two.
static int link_points(int *links, int p, int q)
{
    int at_p = links[2 * p] < 0 ? 0 : 1, at_q = links[2 * q] < 0 ? 0 : 1;
    if (p == q || links[2 * p + at_p] >= 0 || links[2 * q + at_q] >= 0) {
        return 0;
    }
    links[2 * p + at_p] = q;
    links[2 * q + at_q] = p;
    return 1;
}

// Links the two ends of each edge of a facet (its ridges, or the sides of a triangle). Returns the number of edges,
// or 0 if they do not form loops.
static int link_edges(const qhT *qhull, const facetT *facet, int *links)
{
    int count = set_size(facet->simplicial ? facet->vertices : facet->ridges);
    for (int k = 0; k < count; ++k) {
        const vertexT *a, *b;
        if (facet->simplicial) {
            a = SETelemt_(facet->vertices, k, vertexT);
            b = SETelemt_(facet->vertices, (k + 1) % count, vertexT);
        } else {
            const ridgeT *ridge = SETelemt_(facet->ridges, k, ridgeT);
            if (set_size(ridge->vertices) != 2) {
                return 0;
            }
            a = SETelemt_(ridge->vertices, 0, vertexT);
            b = SETelemt_(ridge->vertices, 1, vertexT);
        }
        if (!link_points(links, point_of(qhull, a), point_of(qhull, b))) {
            return 0;
        }
    }
    return count;
}

static abut_vec3 point_at(const qhT *qhull, int i)
{
    const coordT *x = qhull->first_point + 3 * (size_t)i;
    return abut_vec3_make(x[0], x[1], x[2]);
}

// Whether a polygon is clockwise seen from outside: its normal (the sum of the cross products of a fan) points
// towards qhull's interior point.
static int is_clockwise(const qhT *qhull, const int *corners, int count)
{
    const coordT *x = qhull->interior_point;
    abut_vec3 inside = abut_vec3_make(x[0], x[1], x[2]);
    abut_vec3 origin = point_at(qhull, corners[0]);
    abut_vec3 normal = abut_vec3_make(0.0, 0.0, 0.0);
    for (int k = 1; k + 1 < count; ++k) {
        normal = abut_add(normal, abut_cross(abut_sub(point_at(qhull, corners[k]), origin),
                                             abut_sub(point_at(qhull, corners[k + 1]), origin)));
    }
    return abut_dot(normal, abut_sub(origin, inside)) < 0.0;
}

// Writes the points of a facet counter-clockwise. Returns 0 if they do not form a single loop.
static int walk_facet(const qhT *qhull, const facetT *facet, int *links, int *corners)
{
    int count = link_edges(qhull, facet, links);
    if (count < 3) {
        return 0;
    }
    int start = point_of(qhull, SETfirstt_(facet->vertices, vertexT));
    int written = 0;
    for (int previous = -1, p = start;;) {
        int next = links[2 * p] != previous ? links[2 * p] : links[2 * p + 1];
        if (next < 0 || written == count) {
            return 0;
        }
        corners[written++] = p;
        if (next == start && written > 2) {
            break;
        }
        previous = p;
        p = next;
    }
    for (int k = 0; k < written; ++k) {
        links[2 * corners[k]] = links[2 * corners[k] + 1] = -1;
    }
    if (is_clockwise(qhull, corners, written)) {
        abut_reverse(corners, written);
    }
    return written == count;
}

static int read_facets(const qhT *qhull, polygons *all)
{
    int end = 0;
    for (const facetT *facet = qhull->facet_list; facet != NULL && facet->next != NULL; facet = facet->next) {
        if (!walk_facet(qhull, facet, all->links, all->corners + end)) {
            return 0;
        }
        int begin = end;
        end += set_size(facet->simplicial ? facet->vertices : facet->ridges);
        for (int k = begin; k < end; ++k) {
            ++all->facet_counts[all->corners[k]];
        }
        all->ends[all->count++] = end;
    }
    return 1;
}

// One pass over all polygons, moving the remaining corners to the front. Returns 1 if any was dropped.
static int drop_once(polygons *all)
{
    int begin = 0, kept_end = 0, kept_count = 0, dropped = 0;
    for (int i = 0; i < all->count; ++i) {
        int end = all->ends[i];
        int kept_begin = kept_end;
        for (int k = begin; k < end; ++k) {
            int p = all->corners[k];
            if (all->facet_counts[p] >= CORNER_FACETS) {
                all->corners[kept_end++] = p;
            }
        }
        dropped |= kept_end - kept_begin < end - begin;
        if (kept_end - kept_begin < 3) {
            for (int k = kept_begin; k < kept_end; ++k) {
                --all->facet_counts[all->corners[k]];
            }
            kept_end = kept_begin;
        } else {
            all->ends[kept_count++] = kept_end;
        }
        begin = end;
    }
    all->count = kept_count;
    return dropped;
}

// Cuts off every second corner, round by round, until nothing is left. Overwrites `corners`.
static int *cut_polygon(int *corners, int count, int *triangles)
{
    while (count >= 3) {
        int kept = 0, k = 0;
        for (; k + 2 <= count && count - k / 2 >= 3; k += 2) {
            *triangles++ = corners[k];
            *triangles++ = corners[k + 1];
            *triangles++ = corners[(k + 2) % count];
            corners[kept++] = corners[k];
        }
        for (; k < count; ++k) {
            corners[kept++] = corners[k];
        }
        count = kept;
    }
    return triangles;
}

static abut_status cut_polygons(const abut_context *context, polygons *all, abut_hull_triangles *triangles)
{
    int corner_count = all->count > 0 ? all->ends[all->count - 1] : 0;
    triangles->corners = abut_allocate(context, (size_t)corner_count, 3 * sizeof *triangles->corners);
    if (triangles->corners == NULL) {
        return ABUT_NO_MEMORY;
    }
    int *out = triangles->corners;
    for (int i = 0, begin = 0; i < all->count; ++i) {
        // start at the lowest corner, so that the triangles depend only on the polygon
        abut_begin_with_lowest(all->corners + begin, all->ends[i] - begin);
        out = cut_polygon(all->corners + begin, all->ends[i] - begin, out);
        begin = all->ends[i];
    }
    triangles->count = (int)((out - triangles->corners) / 3);
    return ABUT_OK;
}

abut_status abut_hull_cut(const abut_context *context, qhT *qhull, int point_count, abut_hull_triangles *triangles)
{
    size_t corner_count = 0, facet_count = 0;
    for (const facetT *facet = qhull->facet_list; facet != NULL && facet->next != NULL; facet = facet->next) {
        corner_count += (size_t)set_size(facet->simplicial ? facet->vertices : facet->ridges);
        ++facet_count;
    }
    polygons all = {0};
    all.corners = abut_allocate(context, corner_count, sizeof *all.corners);
    all.ends = abut_allocate(context, facet_count, sizeof *all.ends);
    all.facet_counts = abut_allocate_zeroed(context, (size_t)point_count, sizeof *all.facet_counts);
    all.links = abut_allocate(context, (size_t)point_count, 2 * sizeof *all.links);
    abut_status status = ABUT_NO_MEMORY;
    if (all.corners != NULL && all.ends != NULL && all.facet_counts != NULL && all.links != NULL) {
        for (int i = 0; i < 2 * point_count; ++i) {
            all.links[i] = -1;
        }
        if (read_facets(qhull, &all)) {
            while (drop_once(&all)) {
            }
            status = cut_polygons(context, &all, triangles);
        } else {
            status = ABUT_BAD_DATA;
        }
    }
    abut_free(context, all.corners);
    abut_free(context, all.ends);
    abut_free(context, all.facet_counts);
    abut_free(context, all.links);
    return status;
}
