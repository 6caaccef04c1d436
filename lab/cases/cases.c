// SPDX-License-Identifier: MIT
// cases.c: the ten fundamental cases: bodies, places, velocities and expected contacts
//
// Two bodies touch exactly: a point, a ridge or four corners of one lie on the other, equal to the last bit. The
// expected normals are those of the touched face of the other body. If several faces meet there (a spike on a spike),
// the velocity or the paper's table decides.
//
// Source:  Erleben 2018, section 4 and Table 4. docs/cases.md has the cases in one table, and where the paper's
//          text, table and published program disagree.
#include "cases/case_meshes.h"
#include "cases/case_store.h"
#include "common/lab_support.h"

// Components of the expected normals, by the paper's letters: sqrt(1/2), 1/sqrt(10), 3/sqrt(10).
#define ALPHA 0.70710678118654752
#define BETA 0.31622776601683793
#define GAMMA 0.94868329805051379

static const double CRACK_HALF_LENGTH = 2.0; ///< of the shape "crack", which does not scale with S
static const double TIME_STEP = 0.01;

/// How a body is scaled and placed.
typedef enum role {
    ROLE_SPIKE_DOWN, ///< turned by pi about x, its tip or ridge at y = 0
    ROLE_WEDGE_DOWN,
    ROLE_SPIKE_UP,
    ROLE_WEDGE_UP,
    ROLE_BLOCK,  ///< with a crack or a hole that is lowest at y = 0
    ROLE_GROUND, ///< its top at y = 0
    ROLE_SLAB,
    ROLE_BOX_ON_SLAB,
    ROLE_CLIFF,
    ROLE_BOX_ON_CLIFF
} role;

/// Where contacts are expected.
typedef enum place { PLACE_TIP, PLACE_RIDGE, PLACE_RIDGE_IN_CRACK, PLACE_SLAB_CORNERS, PLACE_CLIFF_CORNERS } place;

enum { MAX_NORMALS = 4 };

typedef struct normal_list {
    int count;
    abut_vec3 items[MAX_NORMALS]; ///< from the fixed body to the moving one
} normal_list;

typedef struct case_row {
    const char *title;
    double scene_size;
    const char *shape_a;
    role role_a;
    const char *shape_b;
    role role_b;
    int a_moves;
    double x0;                     ///< offset of both bodies along x, in spike heights
    double velocity_x, velocity_y; ///< of the moving body, in spike heights per second
    double velocity_width;         ///< added to velocity_x, in half widths per second
    place where;
    normal_list normals[2]; ///< by reading
    int minimum;
} case_row;

// clang-format off
#define LEFT  {1, {{-GAMMA, BETA, 0.0}}}
#define RIGHT {1, {{GAMMA, BETA, 0.0}}}
#define UP    {1, {{0.0, 1.0, 0.0}}}
#define WALLS {2, {{ALPHA, ALPHA, 0.0}, {-ALPHA, ALPHA, 0.0}}}
#define PIT   {4, {{0.0, ALPHA, ALPHA}, {0.0, ALPHA, -ALPHA}, {ALPHA, ALPHA, 0.0}, {-ALPHA, ALPHA, 0.0}}}

static const char *const NAMES[] = {
    "spikes", "spike-and-wedge", "wedges", "spike-in-hole", "spike-in-crack", "wedge-in-crack", "sliding-spike",
    "sliding-wedge", "internal-edges", "cliff-edges",
};

/// In the order of NAMES.
static const case_row ROWS[] = {
    {"Spikes", 25.0, "spike", ROLE_SPIKE_DOWN, "spike", ROLE_SPIKE_UP, 1,
     1.0, -0.5, -2.0, 0.0, PLACE_TIP, {LEFT, RIGHT}, 1},
    {"Spike & wedge", 25.0, "spike", ROLE_SPIKE_DOWN, "wedge", ROLE_WEDGE_UP, 1,
     0.0, -0.5, -2.0, 0.0, PLACE_TIP, {LEFT, RIGHT}, 1},
    {"Wedges", 25.0, "wedge", ROLE_WEDGE_DOWN, "wedge", ROLE_WEDGE_UP, 1,
     -1.0, 0.5, -2.0, 0.0, PLACE_RIDGE, {RIGHT, LEFT}, 2},
    {"Spike in hole", 25.0, "spike", ROLE_SPIKE_DOWN, "hole", ROLE_BLOCK, 1,
     0.0, 0.0, 0.0, 1.0, PLACE_TIP, {PIT, PIT}, 4},
    {"Spike in crack", 25.0, "spike", ROLE_SPIKE_DOWN, "crack", ROLE_BLOCK, 1,
     1.0, 0.0, 0.0, 1.0, PLACE_TIP, {WALLS, WALLS}, 2},
    {"Wedge in crack", 25.0, "wedge", ROLE_WEDGE_DOWN, "crack", ROLE_BLOCK, 1,
     -1.0, 0.0, 0.0, 1.0, PLACE_RIDGE_IN_CRACK, {WALLS, WALLS}, 4},
    {"Sliding spike", 25.0, "ground", ROLE_GROUND, "spike", ROLE_SPIKE_DOWN, 0,
     1.0, -1.0, 0.0, 0.0, PLACE_TIP, {UP, UP}, 1},
    {"Sliding wedge", 25.0, "ground", ROLE_GROUND, "wedge", ROLE_WEDGE_DOWN, 0,
     -1.0, 1.0, 0.0, 0.0, PLACE_RIDGE, {UP, UP}, 2},
    {"Internal edges", 20.0, "slab", ROLE_SLAB, "box", ROLE_BOX_ON_SLAB, 0,
     0.0, 0.0, 0.0, 0.0, PLACE_SLAB_CORNERS, {UP, UP}, 4},
    {"Cliff edges", 8.0, "frustum", ROLE_CLIFF, "box", ROLE_BOX_ON_CLIFF, 0,
     0.0, 0.0, 0.0, 0.0, PLACE_CLIFF_CORNERS, {UP, UP}, 4},
};
// clang-format on

enum { CASE_COUNT = sizeof ROWS / sizeof ROWS[0] };
_Static_assert(sizeof NAMES / sizeof NAMES[0] == CASE_COUNT, "one name for each case");

/// Lengths that a scene size S implies.
typedef struct dimensions {
    double scene_size;
    double height;     ///< of spikes and wedges
    double half_width; ///< of spikes and wedges; wedges have twice this half length
    double slab;       ///< half height of the slab and half side of the box on it
    double cliff;      ///< half height of the frustum and half side of the box on it
    double x0;
} dimensions;

/// x without its two lowest bits, so that 2x and 3x are exact; off by less than 4 ulps.
static double round_for_tripling(double x)
{
    int exponent;
    double fraction = frexp(x, &exponent);
    return ldexp(rint(ldexp(fraction, 51)), exponent - 51);
}

static dimensions make_dimensions(const case_row *row, double scene_size)
{
    dimensions d;
    d.scene_size = scene_size;
    d.height = 6.0 * scene_size / 50.0;
    d.half_width = 2.0 * scene_size / 50.0;
    d.slab = scene_size / 20.0;
    d.cliff = round_for_tripling(scene_size / 5.0);
    d.x0 = row->x0 * d.height;
    return d;
}

static abut_vec3 role_scale(role r, const dimensions *d)
{
    switch (r) {
    case ROLE_SPIKE_DOWN:
    case ROLE_SPIKE_UP: return abut_vec3_make(d->half_width, d->height, d->half_width);
    case ROLE_WEDGE_DOWN:
    case ROLE_WEDGE_UP: return abut_vec3_make(d->half_width, d->height, 2.0 * d->half_width);
    case ROLE_BLOCK: return abut_vec3_make(1.0, 1.0, 1.0);
    case ROLE_GROUND: return abut_vec3_make(d->scene_size / 2.0, d->scene_size / 20.0, d->scene_size / 2.0);
    case ROLE_SLAB:
    case ROLE_BOX_ON_SLAB: return abut_vec3_make(d->slab, d->slab, d->slab);
    case ROLE_CLIFF:
    case ROLE_BOX_ON_CLIFF: break;
    }
    return abut_vec3_make(d->cliff, d->cliff, d->cliff);
}

static abut_pose role_pose(role r, const dimensions *d)
{
    const abut_quat half_turn = {0.0, 1.0, 0.0, 0.0}; // by pi about x
    abut_pose pose = abut_pose_identity();
    switch (r) {
    case ROLE_SPIKE_DOWN:
    case ROLE_WEDGE_DOWN: return abut_pose_make(abut_vec3_make(d->x0, d->height, 0.0), half_turn);
    case ROLE_SPIKE_UP:
    case ROLE_WEDGE_UP: pose.position = abut_vec3_make(d->x0, -d->height, 0.0); break;
    case ROLE_BLOCK: pose.position.x = d->x0; break;
    case ROLE_GROUND: pose.position.y = -d->scene_size / 20.0; break;
    case ROLE_SLAB: break;
    case ROLE_BOX_ON_SLAB: pose.position.y = 2.0 * d->slab; break;
    case ROLE_CLIFF: pose.position.y = d->cliff; break;
    case ROLE_BOX_ON_CLIFF: pose.position.y = 3.0 * d->cliff; break;
    }
    return pose;
}

static int corners(double half_side, double y, abut_vec3 *points)
{
    points[0] = abut_vec3_make(-half_side, y, half_side);
    points[1] = abut_vec3_make(half_side, y, half_side);
    points[2] = abut_vec3_make(-half_side, y, -half_side);
    points[3] = abut_vec3_make(half_side, y, -half_side);
    return 4;
}

/// The expected points; returns how many.
static int truth_points(place where, const dimensions *d, abut_vec3 *points)
{
    double ridge = 2.0 * d->half_width;
    switch (where) {
    case PLACE_TIP: points[0] = abut_vec3_make(d->x0, 0.0, 0.0); return 1;
    case PLACE_SLAB_CORNERS: return corners(d->slab, d->slab, points);
    case PLACE_CLIFF_CORNERS: return corners(d->cliff, 2.0 * d->cliff, points);
    case PLACE_RIDGE_IN_CRACK: ridge = fmin(ridge, CRACK_HALF_LENGTH); break;
    case PLACE_RIDGE: break;
    }
    points[0] = abut_vec3_make(d->x0, 0.0, -ridge);
    points[1] = abut_vec3_make(d->x0, 0.0, ridge);
    return 2;
}

static void fill_truth(abut_case_store *store, const case_row *row, const dimensions *d)
{
    abut_vec3 points[4];
    int point_count = truth_points(row->where, d, points);
    for (int reading = 0; reading < 2; ++reading) {
        const normal_list *normals = &row->normals[reading];
        int count = 0;
        for (int i = 0; i < point_count; ++i) {
            for (int k = 0; k < normals->count; ++k) {
                // The rows' normals point from the fixed body to the moving one, the truth's from A to B.
                abut_vec3 n = normals->items[k];
                store->truth[reading][count].position = points[i];
                store->truth[reading][count].normal = row->a_moves ? abut_sub(abut_vec3_make(0.0, 0.0, 0.0), n) : n;
                ++count;
            }
        }
        store->item.truth[reading] = store->truth[reading];
        store->item.truth_count[reading] = count;
    }
}

static abut_status fill_body(abut_case_store *store, const char *shape, role r, const dimensions *d,
                             abut_case_body *body, abut_error *error)
{
    body->shape = shape;
    body->pose = role_pose(r, d);
    body->is_fixed = 1;
    return abut_case_mesh_create(&store->context, shape, role_scale(r, d), &body->mesh, error);
}

static abut_status fill(abut_case_store *store, int index, double scene_size, abut_error *error)
{
    const case_row *row = &ROWS[index];
    abut_case *c = &store->item;
    dimensions d = make_dimensions(row, scene_size);
    abut_status status = fill_body(store, row->shape_a, row->role_a, &d, &c->a, error);
    if (status == ABUT_OK) {
        status = fill_body(store, row->shape_b, row->role_b, &d, &c->b, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    c->name = NAMES[index];
    c->title = row->title;
    c->dt = TIME_STEP;
    c->scene_size = scene_size;
    c->size = fmin(abut_box_diagonal(abut_mesh_get_elements(c->a.mesh).bounds),
                   abut_box_diagonal(abut_mesh_get_elements(c->b.mesh).bounds));
    c->minimum = row->minimum;
    abut_case_body *moving = row->a_moves ? &c->a : &c->b;
    moving->is_fixed = 0;
    moving->linear_velocity = abut_vec3_make(row->velocity_x * d.height + row->velocity_width * d.half_width,
                                             row->velocity_y * d.height, 0.0);
    // Bodies that approach each other sink the way they move, all others straight down: the moving one is on top.
    c->sink = row->velocity_y < 0.0 ? abut_unit(moving->linear_velocity) : abut_vec3_make(0.0, -1.0, 0.0);
    fill_truth(store, row, &d);
    return ABUT_OK;
}

void abut_case_params_init(abut_case_params *params, size_t size)
{
    const abut_case_params made = {.struct_size = sizeof made};
    abut_write_versioned(params, size, &made, sizeof made);
}

const char *const *abut_case_names(int *count)
{
    *count = CASE_COUNT;
    return NAMES;
}

/// Reads and checks the caller's scene size.
static abut_status read_scene_size(const abut_case_params *given, double fallback, double *scene_size,
                                   abut_error *error)
{
    abut_case_params read = abut_case_params_default(), *params = &read;
    *scene_size = fallback;
    if (given != NULL && !abut_read_versioned(&read, sizeof read, given)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_case_params: start from abut_case_params_default()");
    }
    if (params->scene_size == 0.0) {
        return ABUT_OK;
    }
    // Far beyond any use, and still far from overflow.
    if (!(params->scene_size >= 1e-6 && params->scene_size <= 1e6)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "scene size %g is not between 1e-6 and 1e6", params->scene_size);
    }
    *scene_size = params->scene_size;
    return ABUT_OK;
}

abut_status abut_case_create(const abut_context *context, const char *name, const abut_case_params *params,
                             abut_case **out, abut_error *error)
{
    if (name == NULL || out == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_case_create: name or out is NULL");
    }
    *out = NULL;
    int index = abut_lab_find_name(abut_case_names, name);
    int mixed = abut_lab_find_name(abut_mixed_case_names, name);
    if (index < 0 && mixed < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "there is no case '%.64s'; see abut_case_names()", name);
    }
    double scene_size;
    abut_status status = read_scene_size(params, index >= 0 ? ROWS[index].scene_size : 25.0, &scene_size, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_context kept = abut_context_or_default(context);
    abut_case_store *store = abut_allocate_zeroed(&kept, 1, sizeof *store);
    if (store == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for the case '%.64s'", name);
    }
    store->context = kept;
    status =
        index >= 0 ? fill(store, index, scene_size, error) : abut_mixed_case_fill(store, mixed, scene_size, error);
    if (status != ABUT_OK) {
        abut_case_destroy(&store->item);
        return status;
    }
    *out = &store->item;
    return ABUT_OK;
}

void abut_case_destroy(abut_case *item)
{
    if (item != NULL) {
        abut_case_store *store = (abut_case_store *)item;
        abut_mesh_destroy(item->a.mesh);
        abut_mesh_destroy(item->b.mesh);
        abut_free(&store->context, store);
    }
}
