// SPDX-License-Identifier: MIT
// mixed_cases.c: contacts of mixed curvature: a spike on a saddle, and saddles on each other
//
// A saddle is a fan of 2n triangles around a vertex. Its outer corners go up and down in turn: n rises and n dips (n =
// 3 is a monkey saddle). Walls and a bottom make it a solid. Two equal saddles fit on each other, the rises of one in
// the dips of the other. Dips are deeper than rises are high, so only the two vertices touch.
//
// Source:  Erleben 2018, section 4.6 mentions such contacts; the geometry is ours. docs/cases.md derives the normals.
#include "cases/case_meshes.h"
#include "cases/case_store.h"
#include "common/lab_support.h"

static const double TIME_STEP = 0.01;

enum { MAX_DIPS = 6 };

static const char *const NAMES[] = {"spike-on-saddle", "saddles-2", "saddles-3",
                                    "saddles-4",       "saddles-5", "saddles-6"};
static const char *const TITLES[] = {"Spike on saddle",      "Saddles of two dips",  "Saddles of three dips",
                                     "Saddles of four dips", "Saddles of five dips", "Saddles of six dips"};
enum { NAME_COUNT = sizeof NAMES / sizeof NAMES[0] };

/// A saddle with its vertex at the origin and its first rise along x.
typedef struct saddle {
    int dips;
    double radius;
    double rise, fall; ///< heights of the outer corners above and below the vertex
    double depth;      ///< of the bottom below the vertex
} saddle;

/// cos(k pi / n), exact at right angles.
static double cosine(int k, int n)
{
    k %= 2 * n;
    return 2 * k == n || 2 * k == 3 * n ? 0.0 : cos(ABUT_LAB_PI * k / n);
}

static double sine(int k, int n)
{
    return k % n == 0 ? 0.0 : sin(ABUT_LAB_PI * k / n);
}

/// Outer corner k, counter-clockwise seen from above, at height y.
static abut_vec3 corner(const saddle *s, int k, double y)
{
    return abut_vec3_make(s->radius * cosine(k, s->dips), y, -s->radius * sine(k, s->dips));
}

static void copy_items(int *to, const int *from, int count)
{
    for (int i = 0; i < count; ++i) {
        to[i] = from[i];
    }
}

static abut_status create_saddle(const abut_context *context, const saddle *s, abut_mesh **mesh, abut_error *error)
{
    enum { MAX_CORNERS = 2 * MAX_DIPS, PER_CORNER = 12 };
    abut_vec3 vertices[2 * MAX_CORNERS + 2];
    int triangles[MAX_CORNERS * PER_CORNER], tets[MAX_CORNERS * PER_CORNER];
    int count = 2 * s->dips;
    const int top = 0, bottom = count + 1;
    vertices[top] = abut_vec3_make(0.0, 0.0, 0.0);
    vertices[bottom] = abut_vec3_make(0.0, -s->depth, 0.0);
    for (int k = 0; k < count; ++k) {
        int next = (k + 1) % count;
        int up = top + 1 + k, up_next = top + 1 + next, low = bottom + 1 + k, low_next = bottom + 1 + next;
        vertices[up] = corner(s, k, k % 2 == 0 ? s->rise : -s->fall);
        vertices[low] = corner(s, k, -s->depth);
        // a triangle above and below, and a wall cut in two
        const int surface[] = {top, up, up_next, bottom, low_next, low, up, low, low_next, up, low_next, up_next};
        // the prism between them, in three parts
        const int inside[] = {top, bottom, low, low_next, top, up, up_next, low_next, top, up, low_next, low};
        copy_items(&triangles[PER_CORNER * k], surface, PER_CORNER);
        copy_items(&tets[PER_CORNER * k], inside, PER_CORNER);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2 * count + 2;
    def.face_vertices = triangles;
    def.face_count = 4 * count;
    def.tets = tets;
    def.tet_count = 3 * count;
    return abut_mesh_create(context, &def, mesh, error);
}

/// Down the first dip: the moving body slides into it.
static abut_vec3 along_first_dip(const saddle *s)
{
    return corner(s, 1, -s->fall);
}

static abut_status fill_spike_on_saddle(abut_case_store *store, double half_width, double height, abut_error *error)
{
    abut_case *c = &store->item;
    const saddle s = {2, 2.0 * half_width, half_width, half_width, 2.0 * half_width};
    c->a.shape = "spike";
    c->a.pose = abut_pose_make(abut_vec3_make(0.0, height, 0.0), abut_quat_make(0.0, 1.0, 0.0, 0.0));
    c->a.linear_velocity = along_first_dip(&s);
    abut_vec3 scale = abut_vec3_make(half_width, height, half_width);
    abut_status status = abut_case_mesh_create(&store->context, "spike", scale, &c->a.mesh, error);
    if (status != ABUT_OK) {
        return status;
    }
    // The faces next to the first dip, which falls along -z, rise by 1/2 along x and -x and fall by 1/2 along -z.
    // From A, above, to B, below, their normals are (1, -2, 1) and (-1, -2, 1), over sqrt(6).
    for (int reading = 0; reading < 2; ++reading) {
        for (int i = 0; i < 2; ++i) {
            store->truth[reading][i].position = abut_vec3_make(0.0, 0.0, 0.0);
            store->truth[reading][i].normal = abut_unit(abut_vec3_make(i == 0 ? 1.0 : -1.0, -2.0, 1.0));
        }
        c->truth[reading] = store->truth[reading];
        c->truth_count[reading] = 2;
    }
    c->minimum = 2;
    return create_saddle(&store->context, &s, &c->b.mesh, error);
}

static abut_status fill_saddles(abut_case_store *store, int dips, double half_width, abut_error *error)
{
    abut_case *c = &store->item;
    const saddle s = {dips, 2.0 * half_width, 0.4 * half_width, 1.2 * half_width, 2.0 * half_width};
    // Half a turn about the horizontal bisector of the first rise and the first dip.
    double angle = 0.5 * ABUT_LAB_PI / dips;
    c->a.shape = "saddle";
    c->a.pose.rotation = abut_quat_make(0.0, cos(angle), 0.0, -sin(angle));
    c->a.linear_velocity = along_first_dip(&s);
    abut_status status = create_saddle(&store->context, &s, &c->a.mesh, error);
    return status != ABUT_OK ? status : create_saddle(&store->context, &s, &c->b.mesh, error);
}

const char *const *abut_mixed_case_names(int *count)
{
    *count = NAME_COUNT;
    return NAMES;
}

abut_status abut_mixed_case_fill(abut_case_store *store, int index, double scene_size, abut_error *error)
{
    abut_case *c = &store->item;
    double half_width = 2.0 * scene_size / 50.0, height = 6.0 * scene_size / 50.0; // of a spike
    c->name = NAMES[index];
    c->title = TITLES[index];
    c->a.pose = c->b.pose = abut_pose_identity();
    c->b.shape = "saddle";
    c->b.is_fixed = 1;
    abut_status status = index == 0 ? fill_spike_on_saddle(store, half_width, height, error)
                                    : fill_saddles(store, index + 1, half_width, error);
    if (status != ABUT_OK) {
        return status;
    }
    c->dt = TIME_STEP;
    c->scene_size = scene_size;
    c->size = fmin(abut_box_diagonal(abut_mesh_get_elements(c->a.mesh).bounds),
                   abut_box_diagonal(abut_mesh_get_elements(c->b.mesh).bounds));
    c->sink = abut_vec3_make(0.0, -1.0, 0.0);
    return ABUT_OK;
}
