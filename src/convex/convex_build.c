// SPDX-License-Identifier: MIT
// convex_build.c: fills points, edges, faces and links of a convex shape from the B-rep of a mesh
#include "base/error.h"
#include "base/memory.h"
#include "convex/convex.h"
#include "convex/planar.h"
#include "math/expansion.h"

#include <float.h>

// Relative to the mesh diagonal. As small as possible but positive, since 0 would select the default. The B-rep raises
// it to the resolution of the coordinates, so it merges only faces that the coordinates cannot tell apart.
static const double PLANARITY_LOWEST = DBL_MIN;

// Units of DBL_EPSILON times the shape's reach: how far corners of a thin face may move when its normal is corrected.
// Rounded coordinates need about one unit. Hulls need more, since they leave out points that stick out by a few units;
// 64 leaves room for both and is still far below the default tolerance of 1e-9.
static const double BLUR = 64.0;

// Units of DBL_EPSILON times the shape's reach: a vertex this little in front of a face counts as on it. Covers the
// rounding error of a plane distance (one subtraction and three products).
static const double SLACK = 8.0;

// Width relative to length. Only faces thinner than this need a corrected normal: rounding turns the normal about the
// long axis by length / width times as much as about the short axis, which is at most 16 for all others.
static const double THIN = 1.0 / 16.0;

static abut_status check_brep(const abut_brep_elements *brep, abut_error *error)
{
    for (int f = 0; f < brep->face_count; ++f) {
        if (brep->faces[f].loop_count != 1) {
            return abut_fail_element(error, ABUT_UNSUPPORTED, brep->faces[f].source_face,
                                     "not convex: face %d has a hole", brep->faces[f].source_face);
        }
    }
    for (int e = 0; e < brep->edge_count; ++e) {
        if (brep->edges[e].faces[0] < 0 || brep->edges[e].faces[1] < 0) {
            return abut_fail_element(error, ABUT_UNSUPPORTED, brep->edges[e].source_edge,
                                     "not convex: edge %d has only one face", brep->edges[e].source_edge);
        }
    }
    if (brep->vertex_count - brep->edge_count + brep->face_count != 2 || brep->face_count < 4) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "not convex: %d vertices, %d edges and %d faces do not form one closed polyhedron",
                         brep->vertex_count, brep->edge_count, brep->face_count);
    }
    return ABUT_OK;
}

static abut_status allocate(abut_convex *shape, const abut_brep_elements *brep)
{
    const abut_context *context = &shape->context;
    size_t points = (size_t)brep->vertex_count, edges = (size_t)brep->edge_count, faces = (size_t)brep->face_count;
    shape->point_count = brep->vertex_count;
    shape->edge_count = brep->edge_count;
    shape->face_count = brep->face_count;
    shape->points = abut_allocate(context, points, sizeof *shape->points);
    shape->point_sources = abut_allocate(context, points, sizeof *shape->point_sources);
    shape->link_begin = abut_allocate_zeroed(context, points + 1, sizeof *shape->link_begin);
    shape->links = abut_allocate(context, 2 * edges, sizeof *shape->links);
    shape->edges = abut_allocate(context, edges, sizeof *shape->edges);
    shape->edge_features = abut_allocate(context, edges, sizeof *shape->edge_features);
    shape->normals = abut_allocate(context, faces, sizeof *shape->normals);
    shape->face_begin = abut_allocate(context, faces + 1, sizeof *shape->face_begin);
    shape->face_points = abut_allocate(context, 2 * edges, sizeof *shape->face_points);
    shape->face_edges = abut_allocate(context, 2 * edges, sizeof *shape->face_edges);
    shape->sides = abut_allocate(context, 2 * edges, sizeof *shape->sides);
    shape->inverse_lengths = abut_allocate(context, 2 * edges, sizeof *shape->inverse_lengths);
    shape->middles = abut_allocate(context, faces, sizeof *shape->middles);
    shape->inverse_insets = abut_allocate(context, 2 * edges, sizeof *shape->inverse_insets);
    shape->drops = abut_allocate(context, faces, sizeof *shape->drops);
    shape->corners = abut_allocate(context, faces, sizeof *shape->corners);
    shape->tops = abut_allocate(context, faces, sizeof *shape->tops);
    shape->face_features = abut_allocate(context, faces, sizeof *shape->face_features);
    int is_done = shape->points != NULL && shape->point_sources != NULL && shape->link_begin != NULL &&
                  shape->links != NULL && shape->edges != NULL && shape->edge_features != NULL &&
                  shape->normals != NULL && shape->face_begin != NULL && shape->face_points != NULL &&
                  shape->face_edges != NULL && shape->sides != NULL && shape->inverse_lengths != NULL &&
                  shape->middles != NULL && shape->inverse_insets != NULL && shape->corners != NULL &&
                  shape->drops != NULL && shape->tops != NULL && shape->face_features != NULL;
    return is_done ? ABUT_OK : ABUT_NO_MEMORY;
}

typedef struct way {
    two_double x, y, z;
} way;

static way way_between(abut_vec3 from, abut_vec3 to)
{
    way w = {two_difference(to.x, from.x), two_difference(to.y, from.y), two_difference(to.z, from.z)};
    return w;
}

// a b - c d, accurate to a few ulps even if the products nearly cancel.
static double minor_of(two_double a, two_double b, two_double c, two_double d)
{
    two_double p = two_product(a.high, b.high), q = two_product(c.high, d.high);
    two_double main = two_difference(p.high, q.high);
    double rest = (a.high * b.low + a.low * b.high) - (c.high * d.low + c.low * d.high);
    return main.high + (main.low + ((p.low - q.low) + rest));
}

// Twice the area as a vector along the normal. It sums triangles from the first point, so the distance from the origin
// does not matter. minor_of() keeps the normals of thin faces accurate.
static abut_vec3 area_vector(const abut_convex *shape, int face)
{
    const int *loop = &shape->face_points[shape->face_begin[face]];
    int count = shape->face_begin[face + 1] - shape->face_begin[face];
    abut_vec3 origin = shape->points[loop[0]], sum = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 1; i + 1 < count; ++i) {
        way u = way_between(origin, shape->points[loop[i]]), v = way_between(origin, shape->points[loop[i + 1]]);
        sum = abut_add(sum, abut_vec3_make(minor_of(u.y, v.z, u.z, v.y), minor_of(u.z, v.x, u.x, v.z),
                                           minor_of(u.x, v.y, u.y, v.x)));
    }
    return sum;
}

static void find_sides(abut_convex *shape, int face)
{
    int begin = shape->face_begin[face], end = shape->face_begin[face + 1];
    abut_vec3 last = shape->points[shape->face_points[end - 1]];
    shape->corners[face] = HUGE_VAL;
    for (int i = begin; i < end; ++i) {
        abut_vec3 from = shape->points[shape->face_points[i]];
        abut_vec3 to = shape->points[shape->face_points[i + 1 < end ? i + 1 : begin]];
        shape->sides[i] = abut_unit(abut_cross(shape->normals[face], abut_sub(to, from)));
        shape->inverse_lengths[i] = 1.0 / abut_norm(abut_sub(to, from));
        abut_vec3 across = abut_unit(abut_cross(shape->normals[face], abut_sub(to, last)));
        double height = abut_dot(across, abut_sub(last, from));
        shape->corners[face] = fmin(shape->corners[face], height);
        last = from;
    }
    for (int i = begin, before = end - 1; i < end; before = i++) {
        if (abut_planar_is_sharp(abut_dot(shape->sides[before], shape->sides[i]))) {
            shape->corners[face] = 0.0;
        }
    }
}

static void find_middle(abut_convex *shape, int face)
{
    int begin = shape->face_begin[face], end = shape->face_begin[face + 1];
    abut_vec3 first = shape->points[shape->face_points[begin]], sum = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = begin; i < end; ++i) {
        sum = abut_add(sum, abut_sub(shape->points[shape->face_points[i]], first));
    }
    shape->middles[face] = abut_add_scaled(first, 1.0 / (end - begin), sum);
    for (int i = begin; i < end; ++i) {
        abut_vec3 from = shape->points[shape->face_points[i]];
        double inset = abut_dot(shape->sides[i], abut_sub(shape->middles[face], from));
        shape->inverse_insets[i] = 1.0 / fmax(inset, DBL_MIN); // rounding may put the middle of a sliver outside
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Normals of thin faces

// Finds the ends of a thin face: the corner furthest from its first, which may be in the middle, and the one furthest
// from that.
static void find_ends(const abut_convex *shape, int face, abut_vec3 *from, abut_vec3 *to)
{
    int begin = shape->face_begin[face], end = shape->face_begin[face + 1];
    *from = *to = shape->points[shape->face_points[begin]];
    for (int round = 0; round < 2; ++round) {
        *from = *to;
        double furthest = 0.0;
        for (int i = begin; i < end; ++i) {
            abut_vec3 p = shape->points[shape->face_points[i]];
            double squared = abut_norm_squared(abut_sub(p, *from));
            if (squared > furthest) {
                furthest = squared;
                *to = p;
            }
        }
    }
}

// Corrects the normal of a thin face: turns it about the face's long axis just enough that no vertex is in front. Does
// so only if rounding of the coordinates can explain a turn that large. For example, three points that are collinear
// up to their last digits have a normal made of these digits alone. All vertices are looked at only if the tree finds
// one in front.
static void settle_normal(abut_convex *shape, abut_point_tree *tree, int face, double twice_area)
{
    abut_vec3 from, to;
    find_ends(shape, face, &from, &to);
    double length = abut_norm(abut_sub(to, from)), width = twice_area / length;
    if (!(width < THIN * length)) {
        return;
    }
    abut_vec3 axis = abut_scale(1.0 / length, abut_sub(to, from)), n = shape->normals[face];
    n = abut_unit(abut_add_scaled(n, -abut_dot(n, axis), axis));
    abut_vec3 across = abut_cross(n, axis);
    double slack = SLACK * DBL_EPSILON * shape->reach;
    int corner = shape->face_points[shape->face_begin[face]];
    int highest = abut_point_tree_highest(tree, n, corner, NULL, -1);
    if (!(abut_dot(n, abut_sub(shape->points[highest], from)) > slack)) {
        return;
    }
    shape->work += shape->point_count;
    double lower = -HUGE_VAL, upper = HUGE_VAL; // range of tan(turn) that puts all vertices behind the face
    for (int i = 0; i < shape->point_count; ++i) {
        abut_vec3 p = abut_sub(shape->points[i], from);
        double side = abut_dot(across, p), slope = (abut_dot(n, p) - slack) / side;
        if (side > width) {
            lower = fmax(lower, slope);
        } else if (side < -width) {
            upper = fmin(upper, slope);
        }
    }
    double least = lower > 0.0 ? lower : upper < 0.0 ? upper : 0.0;
    if (least != 0.0 && fabs(least) * width <= BLUR * DBL_EPSILON * shape->reach) {
        shape->normals[face] = abut_unit(abut_add_scaled(n, -least, across));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Copies of the B-rep

// `rank` gives the number of each edge of the B-rep in the shape.
static void copy_faces(abut_convex *shape, const abut_brep_elements *brep, const int *rank)
{
    int count = 0;
    for (int f = 0; f < brep->face_count; ++f) {
        shape->face_begin[f] = count;
        const abut_brep_loop *loop = &brep->loops[brep->faces[f].loop_begin];
        for (int i = 0; i < loop->coedge_count; ++i) {
            const abut_brep_coedge *coedge = &brep->coedges[loop->coedge_begin + i];
            shape->face_edges[count] = rank[coedge->edge];
            shape->face_points[count++] = brep->edges[coedge->edge].vertices[coedge->is_reversed != 0];
        }
        shape->face_begin[f + 1] = count;
    }
}

static void find_normals(abut_convex *shape, abut_point_tree *tree)
{
    for (int f = 0; f < shape->face_count; ++f) {
        abut_vec3 area = area_vector(shape, f);
        shape->normals[f] = abut_unit(area);
        settle_normal(shape, tree, f, abut_norm(area));
        find_sides(shape, f);
        find_middle(shape, f);
    }
}

// Numbers edges as a breadth-first search over the faces meets them, so that neighbours are close in memory.
static abut_status rank_edges(abut_convex *shape, const abut_brep_elements *brep, int *rank)
{
    int *queue = abut_allocate(&shape->context, (size_t)brep->face_count, sizeof *queue);
    unsigned char *is_met = abut_allocate_zeroed(&shape->context, (size_t)brep->face_count, 1);
    abut_status status = queue != NULL && is_met != NULL ? ABUT_OK : ABUT_NO_MEMORY;
    int count = 0, queued = 0;
    for (int e = 0; e < brep->edge_count; ++e) {
        rank[e] = -1;
    }
    if (status == ABUT_OK) {
        queue[queued++] = 0;
        is_met[0] = 1;
    }
    for (int next = 0; next < queued; ++next) {
        const abut_brep_loop *loop = &brep->loops[brep->faces[queue[next]].loop_begin];
        for (int i = 0; i < loop->coedge_count; ++i) {
            int e = brep->coedges[loop->coedge_begin + i].edge;
            const abut_brep_edge *edge = &brep->edges[e];
            int other = edge->faces[0] == queue[next] ? edge->faces[1] : edge->faces[0];
            if (rank[e] < 0) {
                rank[e] = count++;
            }
            if (!is_met[other]) {
                is_met[other] = 1;
                queue[queued++] = other;
            }
        }
    }
    abut_free(&shape->context, queue);
    abut_free(&shape->context, is_met);
    ABUT_ASSERT(status != ABUT_OK || count == brep->edge_count);
    return status;
}

static void copy_edges(abut_convex *shape, const abut_brep_elements *brep, const int *rank)
{
    for (int e = 0; e < brep->edge_count; ++e) {
        const abut_brep_edge *from = &brep->edges[e];
        abut_convex_edge *to = &shape->edges[rank[e]];
        *to =
            (abut_convex_edge){{from->vertices[0], from->vertices[1]}, {from->faces[0], from->faces[1]}, 0.0, 0.0};
        to->cosine = abut_dot(shape->normals[to->faces[0]], shape->normals[to->faces[1]]);
        to->squared = abut_norm_squared(abut_sub(shape->points[to->points[1]], shape->points[to->points[0]]));
        ++shape->link_begin[to->points[0]];
        ++shape->link_begin[to->points[1]];
    }
    int sum = 0;
    for (int p = 0; p <= shape->point_count; ++p) {
        sum += shape->link_begin[p];
        shape->link_begin[p] = sum; // the end of p's links, which the next loop moves down to their beginning
    }
    for (int i = shape->edge_count - 1; i >= 0; --i) {
        for (int k = 0; k < 2; ++k) {
            int p = shape->edges[i].points[k];
            shape->links[--shape->link_begin[p]] = (abut_convex_link){shape->edges[i].points[1 - k], i};
        }
    }
}

// The corner of a face that is highest along its normal.
static int highest_corner(const abut_convex *shape, int face)
{
    int best = shape->face_points[shape->face_begin[face]];
    double height = abut_dot(shape->normals[face], shape->points[best]);
    for (int i = shape->face_begin[face]; i < shape->face_begin[face + 1]; ++i) {
        double h = abut_dot(shape->normals[face], shape->points[shape->face_points[i]]);
        if (h > height) {
            height = h;
            best = shape->face_points[i];
        }
    }
    return best;
}

// Finds `tops`, `drops` and the deviation: for each face, the highest of all vertices that are not its corners.
// `marks` has an entry for each point; it is overwritten.
static void find_tops(abut_convex *shape, abut_point_tree *tree, int *marks)
{
    for (int i = 0; i < shape->point_count; ++i) {
        marks[i] = -1;
    }
    shape->deviation = 0.0;
    for (int f = 0; f < shape->face_count; ++f) {
        for (int i = shape->face_begin[f]; i < shape->face_begin[f + 1]; ++i) {
            marks[shape->face_points[i]] = f;
        }
        // at most two of a corner's neighbours, of which there are at least three, are on the face
        int k = shape->link_begin[shape->face_points[shape->face_begin[f]]];
        while (marks[shape->links[k].point] == f) {
            ++k;
        }
        abut_vec3 n = shape->normals[f];
        int corner = highest_corner(shape, f);
        int other = abut_point_tree_highest(tree, n, shape->links[k].point, marks, f);
        double above = abut_dot(n, shape->points[other]) - abut_dot(n, shape->points[corner]);
        shape->drops[f] = -above;
        shape->tops[f] = above > 0.0 ? other : corner;
        shape->deviation = fmax(shape->deviation, above);
    }
}

// What requires all vertices: normals, edges, tops and starts. `marks` has an entry for each point.
static abut_status measure(abut_convex *shape, const abut_brep_elements *brep, const int *rank, int *marks)
{
    abut_point_tree tree;
    abut_status status =
        abut_point_tree_create(&shape->context, shape->points, shape->point_count, shape->reach, &tree);
    if (status == ABUT_OK) {
        find_normals(shape, &tree);
        copy_edges(shape, brep, rank);
        find_tops(shape, &tree, marks);
        status = abut_convex_make_starts(shape, &tree);
    }
    shape->work += tree.visit_count;
    abut_point_tree_destroy(&shape->context, &tree);
    return status;
}

static abut_status copy_brep(abut_convex *shape, const abut_brep_elements *brep, const abut_mesh *mesh,
                             const abut_mesh *original, const int *sources)
{
    abut_status status = allocate(shape, brep);
    int *rank = abut_allocate(&shape->context, (size_t)brep->edge_count, sizeof *rank);
    int *marks = abut_allocate(&shape->context, (size_t)brep->vertex_count, sizeof *marks);
    if (status == ABUT_OK && (rank == NULL || marks == NULL)) {
        status = ABUT_NO_MEMORY;
    }
    if (status == ABUT_OK) {
        status = rank_edges(shape, brep, rank);
    }
    if (status == ABUT_OK) {
        const abut_vec3 *vertices = abut_mesh_get_elements(mesh).vertices;
        for (int i = 0; i < shape->point_count; ++i) {
            int vertex = brep->vertices[i].source_vertex;
            shape->points[i] = vertices[vertex];
            shape->point_sources[i] = sources != NULL ? sources[vertex] : vertex;
            shape->reach = fmax(shape->reach, abut_norm(shape->points[i]));
        }
        copy_faces(shape, brep, rank);
        status = measure(shape, brep, rank, marks);
    }
    if (status == ABUT_OK && sources != NULL) {
        status = abut_convex_name_by_vertices(shape, original);
    } else if (status == ABUT_OK) {
        abut_convex_name_own(shape, brep, original, rank);
    }
    abut_free(&shape->context, rank);
    abut_free(&shape->context, marks);
    return status;
}

abut_status abut_convex_build(abut_convex *shape, const abut_mesh *mesh, const abut_mesh *original,
                              const int *sources, abut_error *error)
{
    abut_brep_params params = abut_brep_params_default();
    params.planarity = PLANARITY_LOWEST;
    abut_brep *brep;
    abut_status status = abut_brep_create(&shape->context, mesh, &params, &brep, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_brep_elements elements = abut_brep_get_elements(brep);
    status = check_brep(&elements, error);
    if (status == ABUT_OK) {
        status = copy_brep(shape, &elements, mesh, original, sources);
    }
    abut_brep_destroy(brep);
    return status;
}
