// SPDX-License-Identifier: MIT
// test_regions_convex.c: convex solids take a short way through method regions and get the same answers
//
// The short way is taken if the data of both shapes have a convex solid. Each case is asked twice: with shapes as
// abut_shape_prepare() left them, and with twins whose solids were removed, so that they take the way of all meshes.
// The answers must be equal up to rounding, and most of them to the last bit. Poses are made, not found: a direction between the normals at a feature
// of A is turned onto the opposite of one of B, and the two features are laid on each other, with the same twist for
// parallel edges, so all pairs of features touch, apart or overlapping by a few tolerances.
#include "effort.h"
#include "method/regions_analysis.h"
#include "method/shape.h"
#include "random.h"
#include "shapes.h"

#include <stdlib.h>
#include <string.h>

enum { SOLIDS = 14 };

static const double tolerance = 1e-6; // of the smaller diagonal: the default of the parameters
static const double rounding = 1e-10; // of the smaller diagonal; the poses are up to 1e4 diagonals away

typedef struct stage {
    const abut_method *method;
    abut_mesh *meshes[SOLIDS];
    abut_shape *fast[SOLIDS], *plain[SOLIDS];
    abut_workspace *workspaces[2];
    int touching, overlapping, polygons; ///< how many answers had regions; were overlaps; had a polygon
    int excused;                         ///< how many differed because the way of all meshes was wrong
    int separated, longer; ///< how many overlaps had to be separated; how often by 1 % more than needed
    int identical;         ///< how many had contacts that are equal to the last bit
    int64_t candidates[2]; ///< pairs of faces near each other, or of triangles
} stage;

// ---- solids

static abut_mesh *hull_of(const abut_vec3 *points, int count)
{
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_hull_create(NULL, points, count, &mesh, NULL, &error), ABUT_OK);
    return mesh;
}

/// A frustum with a regular base and top, about the z axis; `top` is the ratio of the radii, 0 for a pyramid.
static abut_mesh *make_frustum(int sides, double radius, double height, double top)
{
    abut_vec3 points[80];
    int count = 0;
    for (int i = 0; i < sides; ++i) {
        double angle = 6.283185307179586 * i / sides;
        points[count++] = abut_vec3_make(radius * cos(angle), radius * sin(angle), 0.0);
        if (top > 0.0) {
            points[count++] = abut_vec3_make(top * radius * cos(angle), top * radius * sin(angle), height);
        }
    }
    if (top <= 0.0) {
        points[count++] = abut_vec3_make(0.0, 0.0, height);
    }
    return hull_of(points, count);
}

/// A unit cube with corners cut off by `cut`.
static abut_mesh *make_cut_cube(double cut)
{
    abut_vec3 points[24];
    for (int i = 0; i < 24; ++i) {
        double x[3];
        for (int k = 0; k < 3; ++k) {
            double sign = (i / 3) >> k & 1 ? 0.5 : -0.5;
            x[k] = i % 3 == k ? sign * (1.0 - 2.0 * cut) : sign;
        }
        points[i] = abut_vec3_make(x[0], x[1], x[2]);
    }
    return hull_of(points, 24);
}

static abut_mesh *make_random_hull(int count, uint64_t seed)
{
    test_random random = {seed};
    abut_vec3 points[64];
    for (int i = 0; i < count; ++i) {
        points[i] = abut_scale(random_in(&random, 0.7, 1.0), random_unit(&random));
    }
    return hull_of(points, count);
}

static void make_solids(stage *s, double scale)
{
    const abut_vec3 tet[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const abut_vec3 octa[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const abut_vec3 wedge[6] = {{0, 0, 0}, {2, 0, 0}, {2, 0.3, 0}, {0, 0, 1}, {2, 0, 1}, {2, 0.3, 1}};
    abut_mesh *made[SOLIDS] = {make_box(NULL, abut_vec3_make(-0.5, -0.5, -0.5), abut_vec3_make(0.5, 0.5, 0.5)),
                               make_box(NULL, abut_vec3_make(0, 0, 0), abut_vec3_make(3, 0.2, 2)),
                               make_box(NULL, abut_vec3_make(-4, -1, -4), abut_vec3_make(4, 0, 4)),
                               make_frustum(6, 0.7, 1.0, 1.0),
                               make_frustum(12, 0.5, 2.0, 1.0),
                               make_frustum(4, 1.0, 0.5, 0.6),
                               make_frustum(16, 1.0, 1.5, 0.0),
                               hull_of(tet, 4),
                               hull_of(octa, 6),
                               hull_of(wedge, 6),
                               make_cut_cube(0.2),
                               make_cut_cube(0.01),
                               make_random_hull(12, 1),
                               make_random_hull(30, 2)};
    for (int i = 0; i < SOLIDS; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(made[i]);
        abut_vec3 *vertices = malloc((size_t)e.vertex_count * sizeof *vertices);
        assert_non_null(vertices);
        for (int k = 0; k < e.vertex_count; ++k) {
            vertices[k] = abut_scale(scale, e.vertices[k]);
        }
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = e.vertex_count;
        def.face_offsets = e.face_offsets;
        def.face_vertices = e.face_vertices;
        def.face_count = e.face_count;
        abut_error error;
        assert_int_equal(abut_mesh_create(NULL, &def, &s->meshes[i], &error), ABUT_OK);
        abut_mesh_destroy(made[i]);
        free(vertices);
    }
}

/// The data of a prepared shape; the test may change them.
static abut_regions_data *data_of(const stage *s, const abut_shape *shape)
{
    return (abut_regions_data *)(uintptr_t)abut_shape_find_data(shape, s->method, NULL);
}

static void begin(stage *s, double scale)
{
    memset(s, 0, sizeof *s);
    s->method = abut_method_find("regions");
    make_solids(s, scale);
    for (int i = 0; i < SOLIDS; ++i) {
        s->fast[i] = make_shape(NULL, s->meshes[i], s->method, NULL);
        s->plain[i] = make_shape(NULL, s->meshes[i], s->method, NULL);
        abut_regions_data *data = data_of(s, s->plain[i]);
        CHECK(data->solid != NULL && data->solid->corners != NULL, "solid %d is convex and has few corners", i);
        abut_convex_solid_destroy(data->solid);
        data->solid = NULL;
    }
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(abut_workspace_create(NULL, &s->workspaces[i]), ABUT_OK);
    }
}

static void end(stage *s)
{
    for (int i = 0; i < SOLIDS; ++i) {
        abut_shape_destroy(s->fast[i]);
        abut_shape_destroy(s->plain[i]);
        abut_mesh_destroy(s->meshes[i]);
    }
    abut_workspace_destroy(s->workspaces[0]);
    abut_workspace_destroy(s->workspaces[1]);
}

// ---- poses

/// A place on the surface: a feature, a point of it, a direction between the normals there, and one along it.
typedef struct place {
    abut_vec3 point, outward, along;
} place;

static abut_vec3 corner(const abut_mesh_elements *e, const abut_brep_elements *brep, int vertex)
{
    return e->vertices[brep->vertices[vertex].source_vertex];
}

static place find_place(test_random *random, const abut_shape *shape)
{
    abut_brep_elements brep = abut_brep_get_elements(abut_shape_brep(shape));
    abut_mesh_elements e = abut_mesh_get_elements(abut_shape_mesh(shape));
    int kind = random_below(random, 3), edge = random_below(random, brep.edge_count);
    const abut_brep_edge *chosen = &brep.edges[edge];
    abut_vec3 from = corner(&e, &brep, chosen->vertices[0]), to = corner(&e, &brep, chosen->vertices[1]);
    place made = {from, brep.faces[chosen->faces[0]].normal, abut_unit(abut_sub(to, from))};
    if (kind == 1) {
        double weight = random_in(random, 0.05, 0.95);
        made.outward = abut_unit(abut_lerp(made.outward, brep.faces[chosen->faces[1]].normal, weight));
        made.point = abut_lerp(from, to, random_in(random, 0.0, 1.0));
    } else if (kind == 0) {
        const abut_brep_vertex *v = &brep.vertices[chosen->vertices[0]];
        for (int i = 0; i < v->cycle_count; ++i) {
            const abut_brep_edge *other = &brep.edges[brep.vertex_cycles[v->cycle_begin + i]];
            made.outward =
                abut_add_scaled(made.outward, random_in(random, 0.0, 1.0), brep.faces[other->faces[0]].normal);
            made.outward =
                abut_add_scaled(made.outward, random_in(random, 0.0, 1.0), brep.faces[other->faces[1]].normal);
        }
        made.outward = abut_unit(made.outward);
    } else { // a point of the face to the left of the edge, or its corner
        const abut_brep_face *face = &brep.faces[chosen->faces[0]];
        int triangle = brep.face_triangles[face->triangle_begin + random_below(random, face->triangle_count)];
        double x = random_in(random, 0.0, 1.0), y = random_in(random, 0.0, 1.0 - x);
        int is_corner = random_below(random, 2);
        const int *v = &e.triangles[3 * (size_t)triangle];
        abut_vec3 inner = abut_add(abut_scale(1.0 - x - y, e.vertices[v[0]]),
                                   abut_add(abut_scale(x, e.vertices[v[1]]), abut_scale(y, e.vertices[v[2]])));
        made.point = is_corner ? from : inner;
    }
    return made;
}

/// The rotation that takes one right-handed frame to another; each is a unit vector and one nearly at right angles.
static abut_quat turn_between(abut_vec3 from, abut_vec3 from_along, abut_vec3 to, abut_vec3 to_along)
{
    abut_vec3 axis = abut_cross(from, to);
    double cosine = abut_dot(from, to);
    abut_quat first = cosine > -0.999999 ? abut_quat_unit(abut_quat_make(1.0 + cosine, axis.x, axis.y, axis.z))
                                         : abut_quat_from_axis(abut_any_perpendicular(from), 3.141592653589793);
    abut_vec3 u = abut_quat_rotate(first, from_along);
    u = abut_add_scaled(u, -abut_dot(u, to), to);
    abut_vec3 v = abut_add_scaled(to_along, -abut_dot(to_along, to), to);
    double angle = atan2(abut_dot(abut_cross(u, v), to), abut_dot(u, v));
    return abut_quat_unit(abut_quat_multiply(abut_quat_from_axis(to, angle), first));
}

/// A case: two solids in the world.
typedef struct sample {
    int a, b;
    abut_pose pose_a, pose_b;
    abut_vec3 linear, angular; ///< of B
    double dt;
    abut_length envelope;
} sample;

static sample make_sample(test_random *random, const stage *s)
{
    sample made = {.a = random_below(random, SOLIDS), .b = random_below(random, SOLIDS)};
    place on_a = find_place(random, s->fast[made.a]), on_b = find_place(random, s->fast[made.b]);
    if (random_below(random, 2)) { // any twist; else edges are parallel
        on_b.along = random_unit(random);
    }
    abut_quat turn = turn_between(on_b.outward, on_b.along, abut_negate(on_a.outward), on_a.along);
    double size = fmin(abut_box_diagonal(abut_mesh_get_elements(s->meshes[made.a]).bounds),
                       abut_box_diagonal(abut_mesh_get_elements(s->meshes[made.b]).bounds));
    static const double gaps[] = {0.0, 0.0,  0.0,  0.3,   -0.3, 0.9,  -0.9, 1.5, -1.5,
                                  3.0, -3.0, 20.0, -20.0, 1e3,  -1e3, 1e5,  -1e5};
    double gap = gaps[random_below(random, (int)(sizeof gaps / sizeof gaps[0]))] * tolerance * size;
    if (random_below(random, 4) == 0) { // tilted a little
        double tilt = pow(10.0, random_in(random, -7.0, -1.0));
        turn = abut_quat_multiply(abut_quat_from_axis(random_unit(random), tilt), turn);
    }
    abut_vec3 offset = abut_sub(on_a.point, abut_quat_rotate(turn, on_b.point));
    abut_pose b_to_a = abut_pose_make(abut_add_scaled(offset, gap, on_a.outward), abut_quat_unit(turn));
    int is_moved = random_below(random, 3);
    made.pose_a = abut_pose_identity();
    if (is_moved > 0) {
        made.pose_a =
            abut_pose_make(random_vec3(random, (is_moved == 2 ? 1e4 : 1.0) * size), random_rotation(random));
    }
    made.pose_b =
        abut_pose_make(abut_add(abut_quat_rotate(made.pose_a.rotation, b_to_a.position), made.pose_a.position),
                       abut_quat_unit(abut_quat_multiply(made.pose_a.rotation, b_to_a.rotation)));
    int motion = random_below(random, 3);
    if (motion > 0) {
        double speed = size * pow(10.0, random_in(random, -7.0, 0.0));
        made.linear =
            abut_scale(speed, motion == 1 ? abut_negate(abut_quat_rotate(made.pose_a.rotation, on_a.outward))
                                          : random_unit(random));
        made.angular = random_vec3(random, random_below(random, 2) ? speed / size : 0.0);
        made.dt = 1.0 / 64.0;
    }
    double envelope = random_below(random, 2) ? pow(10.0, random_in(random, -6.0, -0.5)) : 0.0;
    made.envelope = abut_relative(envelope);
    return made;
}

// ---- comparison

static abut_status ask(const stage *s, const sample *c, int is_plain, abut_memory *memory, abut_result *result)
{
    abut_shape *const *shapes = is_plain ? s->plain : s->fast;
    abut_pair pair = abut_pair_default(shapes[c->a], shapes[c->b]);
    abut_params params = abut_params_default();
    pair.a.pose = c->pose_a;
    pair.b.pose = c->pose_b;
    pair.b.linear_velocity = c->linear;
    pair.b.angular_velocity = c->angular;
    pair.a.key = 1;
    pair.b.key = 2;
    pair.dt = c->dt;
    pair.memory = memory;
    params.envelope = c->envelope;
    return abut_find_contacts(&pair, s->method, &params, s->workspaces[is_plain], result);
}

static int is_same_feature(const abut_feature *a, const abut_feature *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static int is_same_contact(const abut_contact *a, const abut_contact *b, double length)
{
    return a->id == b->id && is_same_feature(&a->feature_a, &b->feature_a) &&
           is_same_feature(&a->feature_b, &b->feature_b) &&
           is_same_feature(&a->normal_feature, &b->normal_feature) && a->normal_side == b->normal_side &&
           a->rule == b->rule && a->region == b->region && fabs(a->gap - b->gap) <= length &&
           abut_norm(abut_sub(a->position_a, b->position_a)) <= length &&
           abut_norm(abut_sub(a->position_b, b->position_b)) <= length &&
           abut_norm(abut_sub(a->normal, b->normal)) <= rounding;
}

static int is_same_region(const abut_region *a, const abut_region *b, double length)
{
    return a->id == b->id && a->kind == b->kind && a->rule == b->rule && a->loop_count == b->loop_count &&
           a->normal_count == b->normal_count && a->cone_count == b->cone_count &&
           fabs(a->measure - b->measure) <= length * (1.0 + sqrt(fabs(a->measure)));
}

static int are_near(const abut_vec3_view *a, const abut_vec3_view *b, double length)
{
    int is_so = a->count == b->count;
    for (int i = 0; is_so && i < a->count; ++i) {
        is_so = abut_norm(abut_sub(a->items[i], b->items[i])) <= length;
    }
    return is_so;
}

/// What differs, or NULL. Numbers may differ by rounding, since the way of all meshes may run through an edge the other
/// way round.
static const char *difference(const abut_result *a, const abut_result *b, double size)
{
    double length = rounding * size;
    if (a->contacts.count != b->contacts.count || a->regions.count != b->regions.count) {
        return "counts";
    }
    for (int i = 0; i < a->contacts.count; ++i) {
        if (!is_same_contact(&a->contacts.items[i], &b->contacts.items[i], length)) {
            return "contacts";
        }
    }
    for (int i = 0; i < a->regions.count; ++i) {
        if (!is_same_region(&a->regions.items[i], &b->regions.items[i], length)) {
            return "regions";
        }
    }
    if (!are_near(&a->points, &b->points, length) || !are_near(&a->directions, &b->directions, rounding)) {
        return "outlines or cones";
    }
    if (a->stats.fallbacks != b->stats.fallbacks || a->stats.caps != b->stats.caps ||
        a->stats.repairs != b->stats.repairs || a->stats.arbitrary_normals != b->stats.arbitrary_normals) {
        return "stats";
    }
    return NULL;
}

/// Whether the contacts are equal to the last bit.
static int is_identical(const abut_result *a, const abut_result *b)
{
    return a->contacts.count == b->contacts.count &&
           (a->contacts.count == 0 || memcmp(a->contacts.items, b->contacts.items,
                                             (size_t)a->contacts.count * sizeof *a->contacts.items) == 0);
}

/// The smaller diagonal of the pair.
static double size_of(const stage *s, const sample *c)
{
    return fmin(abut_box_diagonal(abut_mesh_get_elements(s->meshes[c->a]).bounds),
                abut_box_diagonal(abut_mesh_get_elements(s->meshes[c->b]).bounds));
}

/// Whether two answers name the same contacts and place them within a length.
static int is_near(const abut_result *a, const abut_result *b, double length)
{
    int is_so = a->contacts.count == b->contacts.count && a->regions.count == b->regions.count;
    for (int i = 0; is_so && i < a->contacts.count; ++i) {
        const abut_contact *x = &a->contacts.items[i], *y = &b->contacts.items[i];
        is_so = x->id == y->id && abut_norm(abut_sub(x->position, y->position)) <= length;
    }
    return is_so;
}

/// Whether the way of all meshes was wrong, by the exact distance of the solids, which is independent of both ways.
/// Where triangles are as small as its tolerance, slivers seem to be pierced, and the rays by which it asks whether a
/// corner is inside may go wrong:
/// - It saw an overlap, and so gave up, widened its tolerance or took a smaller envelope, though the solids overlap by
///   less than the tolerance at which the short way found its answer.
/// - It saw no overlap, though the solids overlap by more than a thousandth of the size.
/// - It moved the solids back a little more, by less than the tolerance.
static int is_excused(const stage *s, const sample *c, const abut_status status[2], const abut_result results[2])
{
    const abut_convex *a = data_of(s, s->fast[c->a])->solid->shape, *b = data_of(s, s->fast[c->b])->solid->shape;
    abut_convex_pair pair = abut_convex_pair_default(a, b);
    abut_convex_result exact;
    pair.pose_a = c->pose_a;
    pair.pose_b = c->pose_b;
    assert_int_equal(abut_convex_distance(&pair, NULL, NULL, &exact), ABUT_OK);
    double size = size_of(s, c);
    int64_t overlaps[2];
    for (int i = 0; i < 2; ++i) {
        overlaps[i] = results[i].stats.fallbacks + results[i].stats.caps;
    }
    int saw_more = (status[0] == ABUT_OK && status[1] != ABUT_OK) || overlaps[0] < overlaps[1];
    int saw_less = status[0] == ABUT_OVERLAP && status[1] == ABUT_OK;
    int moved_back = c->dt > 0.0 && overlaps[0] > 0 && overlaps[1] > 0;
    // each fallback widens the tolerance by 4, each cap narrows the envelope by 4
    double accepted = size * fmax(tolerance * pow(4.0, (double)results[0].stats.fallbacks),
                                  c->envelope.value * pow(0.25, (double)results[0].stats.caps));
    return (saw_more && exact.distance > -accepted) || (saw_less && exact.distance < -1e-3 * size) ||
           (moved_back && is_near(&results[0], &results[1], tolerance * size));
}

/// The length of the least translation that opens all contacts; NaN if there is none.
static double translation_of(const abut_result *result)
{
    abut_half_space sides[512];
    abut_vec3 t;
    int count = result->contacts.count;
    for (int i = 0; i < count && i < 512; ++i) {
        sides[i] = (abut_half_space){result->contacts.items[i].normal, -result->contacts.items[i].gap};
    }
    return count > 0 && count <= 512 && abut_least_translation(sides, count, &t) ? abut_norm(t) : (double)NAN;
}

/// If the solids overlap by more than what counts as touching, both ways separate them: the fast one by the exact least
/// translation, the other one by what it finds. Returns 0 if they do not.
static int compare_separated(stage *s, const sample *c, const abut_status status[2], const abut_result results[2])
{
    const abut_convex *a = data_of(s, s->fast[c->a])->solid->shape, *b = data_of(s, s->fast[c->b])->solid->shape;
    abut_convex_pair pair = abut_convex_pair_default(a, b);
    abut_convex_result exact;
    pair.pose_a = c->pose_a;
    pair.pose_b = c->pose_b;
    assert_int_equal(abut_convex_distance(&pair, NULL, NULL, &exact), ABUT_OK);
    double size = size_of(s, c), lengths[2] = {translation_of(&results[0]), translation_of(&results[1])};
    // the tolerance is widened six times before; a motion may have been tried as well
    int is_separated = results[0].stats.fallbacks > 6 && results[1].stats.fallbacks > 6;
    if (status[0] != ABUT_OK || status[1] != ABUT_OK || !is_separated) {
        return 0;
    }
    ++s->separated;
    s->longer += !(lengths[1] <= -1.01 * exact.distance);
    CHECK(fabs(lengths[0] + exact.distance) <= -1e-3 * exact.distance, "%g, exact %g", lengths[0], exact.distance);
    CHECK(lengths[1] >= -0.999 * exact.distance && lengths[1] < 2.0 * size, "%g, exact %g", lengths[1],
          exact.distance);
    return 1;
}

/// Returns whether both ways gave the same answer.
static int compare(stage *s, const sample *c, abut_memory *const memories[2], const char *label, int number)
{
    abut_result results[2] = {abut_result_default(), abut_result_default()};
    abut_status status[2];
    for (int i = 0; i < 2; ++i) {
        status[i] = ask(s, c, i, memories != NULL ? memories[i] : NULL, &results[i]);
    }
    const char *different = status[0] != status[1] ? "status" : difference(&results[0], &results[1], size_of(s, c));
    s->overlapping += results[0].contacts.count > 0 && results[0].contacts.items[0].gap < 0.0;
    if (compare_separated(s, c, status, results) && different != NULL) {
        return 0;
    }
    if (different != NULL && is_excused(s, c, status, results)) {
        ++s->excused;
        return 0;
    }
    CHECK(different == NULL,
          "%s %d (solids %d and %d): %s differ: status %d, %d contacts, %d regions; was %d, %d, %d", label, number,
          c->a, c->b, different, (int)status[0], results[0].contacts.count, results[0].regions.count,
          (int)status[1], results[1].contacts.count, results[1].regions.count);
    s->touching += results[0].regions.count > 0;
    s->identical += is_identical(&results[0], &results[1]);
    s->candidates[0] += results[0].stats.candidate_pairs;
    s->candidates[1] += results[1].stats.candidate_pairs;
    for (int i = 0; i < results[0].regions.count; ++i) {
        s->polygons += results[0].regions.items[i].kind == ABUT_REGION_POLYGON;
    }
    return different == NULL;
}

static sample swapped(const sample *c)
{
    sample made = *c;
    made.a = c->b;
    made.b = c->a;
    made.pose_a = c->pose_b;
    made.pose_b = c->pose_a;
    made.linear = abut_vec3_make(0.0, 0.0, 0.0);
    made.angular = made.linear;
    return made;
}

/// Asks both ways, and expects one region with this many contacts.
static void expect_one_region(double scale, const sample *c, int contacts)
{
    stage s;
    begin(&s, scale);
    for (int i = 0; i < 2; ++i) {
        abut_result result = abut_result_default();
        abut_status status = ask(&s, c, i, NULL, &result);
        CHECK(status == ABUT_OK && result.regions.count == 1 && result.contacts.count == contacts,
              "%s way: status %d, %d regions, %d contacts", i == 0 ? "short" : "general", (int)status,
              result.regions.count, result.contacts.count);
    }
    compare(&s, c, NULL, "sample", 0);
    end(&s);
}

// A vertical edge of one cube is inside an equal cube, parallel to a vertical edge of it and 1e-3 of the size away from
// it: as far as the largest tolerance, up to rounding. The nodes at both ends of the common part are within this
// tolerance, so the edges lie on each other between them: one segment, with the normals of the two faces of which
// either keeps the cubes apart at both of its ends. Both edges must see this. If one of them sees the other at its
// middle by a distance that rounding made too large, it lies on a face as well, and nothing keeps the cubes apart.
static void edges_a_tolerance_apart_lie_on_each_other(void **state)
{
    (void)state;
    const sample c = {.a = 0,
                      .b = 0,
                      .pose_a = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
                      .pose_b = {{0x1.8058f501e6aeap-11, 0x1.31bc67477edb3p-10, 0x1.315011250f05fp-11},
                                 {0x1.c61233f0dcfa2p-3, 0.0, 0.0, -0x1.f341d569933aep-1}},
                      .envelope = abut_relative(0x1.218c5a9183896p-11)};
    expect_one_region(1e-3, &c, 4);
    CHECK_DONE();
}

// A frustum moves onto a box that is thin, so the triangles of its sides have corners of 4 degrees. At the moment of
// contact an edge of the frustum crosses the plane of such a side 1.1 and 1.4 tolerances beyond the narrow corner of a
// triangle, and 0.1 tolerances from the line of its longest side. The point is outside the face, so the edge does not
// run through it: the distance of the solids is -1e-3 and 5e-5 tolerances. They touch in one point, a corner of the
// frustum on a face, and two edges that cross.
static void an_edge_beyond_a_narrow_corner_does_not_pierce(void **state)
{
    (void)state;
    const sample corner_on_face = {
        .a = 1,
        .b = 5,
        .pose_a = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}},
        .pose_b = {{0x1.d1990bfac225bp+11, 0x1.5fea565730ep+6, -0x1.0e9dafa6fdb86p+8},
                   {0x1.9346eea980e7p-1, 0x1.0668b7cd0a769p-2, -0x1.df76d000a17c3p-2, 0x1.3b1f4ceed217fp-2}},
        .linear = {-0x1.5f218ccffbf48p+10, 0.0, 0.0},
        .dt = 1.0 / 64.0};
    const sample edge_on_edge = {
        .a = 1,
        .b = 5,
        .pose_a = {{0x1.373a8ac05f4a2p+24, -0x1.62b1a2ba27a6p+22, -0x1.00b2c4af1cb6p+24},
                   {0x1.98c610a346557p-2, -0x1.8a8460f02e67dp-1, 0x1.94a2531125f82p-5, -0x1.fa4e9aa12b8d9p-2}},
        .pose_b = {{0x1.373ee44b7616bp+24, -0x1.629c85c6c5b88p+22, -0x1.00b5c2ad577dfp+24},
                   {0x1.3d4538525b659p-4, -0x1.3bec88d451121p-1, -0x1.5704125cc9eaap-4, -0x1.8ea75a966dbb8p-1}},
        .linear = {0x1.1fe5d47ef4e57p+3, -0x1.0bd17ded38df4p+3, 0x1.9af4eb5612131p+3},
        .dt = 1.0 / 64.0};
    expect_one_region(1e3, &corner_on_face, 1);
    expect_one_region(1e3, &edge_on_edge, 1);
    CHECK_DONE();
}

// Both ways give the same answers. The campaign is of use only if it meets all kinds of answers: of the poses, about
// nine in ten are made to touch within few tolerances, a third of all directions are those of faces, and a quarter of
// the overlaps are deeper than the thousandth of the size that a method may widen its tolerance to.
static void both_ways_give_the_same_answers(void **state)
{
    (void)state;
    static const double scales[3] = {1.0, 1e-3, 1e3};
    int count = sample_count(4000, 400000);
    for (int k = 0; k < 3; ++k) {
        stage s;
        begin(&s, scales[k]);
        test_random random = {100 + (uint64_t)k};
        for (int i = 0; i < count; ++i) {
            sample c = make_sample(&random, &s), turned = swapped(&c);
            compare(&s, &c, NULL, "sample", i);
            compare(&s, &turned, NULL, "swapped sample", i);
        }
        CHECK(s.touching > count / 2, "%d of %d touch", s.touching, 2 * count);
        CHECK(s.identical > 2 * count - count / 5, "%d of %d are identical", s.identical, 2 * count);
        CHECK(2 * s.candidates[0] < s.candidates[1], "%lld candidates of the short way, %lld of the other",
              (long long)s.candidates[0], (long long)s.candidates[1]);
        CHECK(s.polygons > count / 20, "%d polygons in %d", s.polygons, 2 * count);
        CHECK(s.overlapping > count / 50, "%d of %d overlap", s.overlapping, 2 * count);
        CHECK(s.excused <= 1 + count / 10000, "%d of %d excused", s.excused, 2 * count);
        CHECK(s.longer <= 1 + s.separated / 100, "%d of %d separated by a longer way", s.longer, s.separated);
        end(&s);
    }
    CHECK_DONE();
}

/// Pairs of elements that a prism on an equal one needs, turned by a quarter of a side; `has_solid` tells whether they
/// have a convex solid.
static int64_t candidates_of_prisms(int sides, int *has_solid)
{
    const abut_method *method = abut_method_find("regions");
    abut_mesh *mesh = make_frustum(sides, 1.0, 1.0, 1.0);
    abut_shape *shape = make_shape(NULL, mesh, method, NULL);
    const abut_regions_data *data = abut_shape_find_data(shape, method, NULL);
    abut_workspace *workspace = NULL;
    abut_result result = abut_result_default();
    abut_pair pair = abut_pair_default(shape, shape);
    pair.b.pose.position = abut_vec3_make(0.0, 0.0, 1.0);
    pair.b.pose.rotation = abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), 1.5707963267948966 / sides);
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    assert_int_equal(abut_find_contacts(&pair, method, NULL, workspace, &result), ABUT_OK);
    CHECK(result.contacts.count == 2 * sides, "%d sides: %d contacts", sides, result.contacts.count);
    *has_solid = data->solid != NULL;
    abut_workspace_destroy(workspace);
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    return result.stats.candidate_pairs;
}

// Prisms of up to 20 sides take the short way: near the common plane are 2 n edges, of which 40 fit, and a cap and all
// sides of both, (n + 1)^2 pairs of faces. More edges are too many for it, and the triangles of the caps are compared: n - 2 and 2 n each. Solids of more
// than 64 corners are not looked at as convex ones at all, since their depth takes time quadratic in the corners.
static void the_short_way_ends_at_many_corners(void **state)
{
    (void)state;
    static const struct {
        int sides, is_short, has_solid;
    } cases[] = {{3, 1, 1}, {4, 1, 1}, {12, 1, 1}, {20, 1, 1}, {21, 0, 1}, {32, 0, 1}, {33, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int has_solid, n = cases[i].sides;
        int64_t candidates = candidates_of_prisms(n, &has_solid);
        int is_short = candidates == (int64_t)(n + 1) * (n + 1);
        CHECK(is_short == cases[i].is_short && has_solid == cases[i].has_solid,
              "%d sides: %lld candidates, solid %d", n, (long long)candidates, has_solid);
    }
    CHECK_DONE();
}

// Cubes that slide are analysed once: 5 faces of each are near the common plane. If they tilt by more than the strict
// angle, about an edge that touches, they are analysed once more, to see whether they overlap.
static void sliding_cubes_are_analysed_once(void **state)
{
    (void)state;
    static const double tilts[2] = {0.0, 3e-6};
    stage s;
    begin(&s, 1.0);
    for (int i = 0; i < 2; ++i) {
        sample c = {.pose_a = abut_pose_identity(), .pose_b = abut_pose_identity(), .dt = 0.01};
        c.pose_b.position = abut_vec3_make(0.3, 0.1, 0.5 + 0.5 * cos(tilts[i]) + 0.5 * sin(tilts[i]));
        c.pose_b.rotation = abut_quat_from_axis(abut_vec3_make(1.0, 0.0, 0.0), tilts[i]);
        c.linear = abut_vec3_make(1.0, 0.0, 0.0);
        abut_result result = abut_result_default();
        assert_int_equal(ask(&s, &c, 0, NULL, &result), ABUT_OK);
        CHECK(result.contacts.count > 0 && (result.stats.candidate_pairs == 25) == (i == 0),
              "tilt %g: %d contacts, %lld candidates", tilts[i], result.contacts.count,
              (long long)result.stats.candidate_pairs);
        compare(&s, &c, NULL, "tilt", i);
    }
    end(&s);
    CHECK_DONE();
}

// With a memory, in small steps of the relative pose: what the short way remembers of the last step does not change
// its answers. The memory of each way is its own.
static void memories_do_not_matter(void **state)
{
    (void)state;
    int count = sample_count(600, 20000);
    stage s;
    begin(&s, 1.0);
    test_random random = {7};
    for (int i = 0; i < count; ++i) {
        abut_memory *memories[2];
        assert_int_equal(abut_memory_create(NULL, &memories[0]), ABUT_OK);
        assert_int_equal(abut_memory_create(NULL, &memories[1]), ABUT_OK);
        sample c = make_sample(&random, &s);
        abut_vec3 way = random_vec3(&random, pow(10.0, random_in(&random, -8.0, -2.0)));
        abut_quat turn = abut_quat_from_axis(random_unit(&random), pow(10.0, random_in(&random, -8.0, -2.0)));
        int is_same_so_far = 1; // after a difference the memories differ
        for (int step = 0; step < 6 && is_same_so_far; ++step) {
            is_same_so_far = compare(&s, &c, memories, "step", 10 * i + step);
            abut_memory_commit(memories[0]);
            abut_memory_commit(memories[1]);
            c.pose_b.position = abut_add(c.pose_b.position, way);
            c.pose_b.rotation = abut_quat_unit(abut_quat_multiply(turn, c.pose_b.rotation));
        }
        abut_memory_destroy(memories[0]);
        abut_memory_destroy(memories[1]);
    }
    CHECK(s.excused <= 1 + count / 1000, "%d of %d excused", s.excused, count);
    end(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_a_tolerance_apart_lie_on_each_other),
        cmocka_unit_test(an_edge_beyond_a_narrow_corner_does_not_pierce),
        cmocka_unit_test(both_ways_give_the_same_answers),
        cmocka_unit_test(the_short_way_ends_at_many_corners),
        cmocka_unit_test(sliding_cubes_are_analysed_once),
        cmocka_unit_test(memories_do_not_matter),
    };
    return cmocka_run_group_tests_name("regions of convex solids", tests, NULL, NULL);
}
