// SPDX-License-Identifier: MIT
// scenes.c: Pillar, Wall and Arch: stones that stand on each other and on the ground
//
// The origin of a body is in the middle of its base; that of an arch stone is inside it. The next body is placed at
// the rounded sum of origin and height, so that at scale 1 in the identity frame Pillar and Wall touch to the last
// bit.
//
// Source:  Erleben 2018, section 5 (Pillar) and 5.1 (Wall, Arch); docs/cases.md has the geometry in words.
#include "common/lab_support.h"
#include "scenes/scene_meshes.h"

#include <abut-lab/scene.h>

#include <stdio.h>

enum { MAX_BODIES = 81, MAX_MESHES = 8, MAX_JOINTS = 213, LAYERS = 10, SPAN = 8, ARCH_STONES = 7, ARCH_LAYERS = 3 };

static const double REACH = 1e-3; ///< boxes this close count as touching, in sizes of the smaller body

/// An abut_scene with the memory that it owns.
typedef struct scene_store {
    abut_scene scene; ///< first, so that its address is that of the store
    abut_context context;
    abut_mesh *meshes[MAX_MESHES];
    abut_scene_body bodies[MAX_BODIES];
    abut_scene_joint joints[MAX_JOINTS];
    abut_scene_mesh_params mesh_params;
    abut_status status; ///< of the first failure; after it nothing is added
    abut_error *error;
} scene_store;

// ---------------------------------------------------------------------------------------------------------------
// Adding meshes, bodies and joints

/// Adds what abut_scene_mesh_create() makes of a solid.
static int add_mesh(scene_store *store, const abut_scene_solid *solid)
{
    if (store->status == ABUT_OK) {
        store->status = abut_scene_mesh_create(&store->context, solid, &store->mesh_params,
                                               &store->meshes[store->scene.mesh_count], store->error);
    }
    return store->scene.mesh_count++;
}

/// A prism along z with half widths at two heights, from z = -half_depth to half_depth.
static int add_trapezoid(scene_store *store, double lower_y, double lower_half, double upper_y, double upper_half,
                         double half_depth)
{
    abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS];
    for (int i = 0; i < 2; ++i) {
        double z = i == 0 ? half_depth : -half_depth;
        corners[4 * i + 0] = abut_vec3_make(-lower_half, lower_y, z);
        corners[4 * i + 1] = abut_vec3_make(lower_half, lower_y, z);
        corners[4 * i + 2] = abut_vec3_make(upper_half, upper_y, z);
        corners[4 * i + 3] = abut_vec3_make(-upper_half, upper_y, z);
    }
    abut_scene_solid solid = abut_scene_cuboid(corners);
    return add_mesh(store, &solid);
}

static int add_box(scene_store *store, double width, double height, double depth)
{
    return add_trapezoid(store, 0.0, 0.5 * width, height, 0.5 * width, 0.5 * depth);
}

/// A stone of the arch's pillars. The author's program makes it lying on its side and rotates it by 90 degrees, which
/// is exact here.
static int add_turned_box(scene_store *store, double width, double height, double depth)
{
    double x = 0.5 * width, z = 0.5 * depth;
    const abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS] = {{x, 0.0, z},      {x, height, z}, {-x, height, z},
                                                          {-x, 0.0, z},     {x, 0.0, -z},   {x, height, -z},
                                                          {-x, height, -z}, {-x, 0.0, -z}};
    abut_scene_solid solid = abut_scene_cuboid(corners);
    return add_mesh(store, &solid);
}

static int add_frustum(scene_store *store, double lower_y, double lower_radius, double upper_y, double upper_radius)
{
    abut_scene_solid solid = abut_scene_frustum(lower_y, lower_radius, upper_y, upper_radius);
    return add_mesh(store, &solid);
}

static abut_scene_body *add_body(scene_store *store, int mesh, abut_vec3 position, abut_quat rotation)
{
    abut_scene_body *body = &store->bodies[store->scene.body_count++];
    abut_pose pose = abut_pose_make(abut_scale(store->scene.scale, position), rotation);
    body->mesh = mesh;
    body->pose = abut_pose_multiply(store->scene.frame, pose);
    body->pose.rotation = abut_quat_unit(body->pose.rotation);
    return body;
}

static void add_named(scene_store *store, const char *name, int mesh, abut_vec3 position, abut_quat rotation)
{
    (void)snprintf(add_body(store, mesh, position, rotation)->name, sizeof store->bodies->name, "%s", name);
}

/// Body 0: a fixed box with its top at y = 0. It is not enlarged in scenes with overlap.
static void add_ground(scene_store *store, double width, double height)
{
    double outset = store->mesh_params.outset;
    store->mesh_params.outset = 0.0;
    int mesh = add_trapezoid(store, -height, 0.5 * width, 0.0, 0.5 * width, 0.5 * width);
    store->mesh_params.outset = outset;
    add_named(store, "ground", mesh, abut_vec3_make(0.0, 0.0, 0.0), abut_quat_identity());
    store->bodies[0].is_fixed = 1;
}

/// Adds a joint with its area at scale 1.
static void add_joint(scene_store *store, int a, int b, abut_vec3 normal, int corners, double area)
{
    abut_scene_joint *joint = &store->joints[store->scene.joint_count++];
    joint->a = a;
    joint->b = b;
    joint->normal = abut_quat_rotate(store->scene.frame.rotation, normal);
    joint->area = store->scene.scale * store->scene.scale * area;
    store->scene.minimum += corners;
}

// ---------------------------------------------------------------------------------------------------------------
// The structures

static const abut_vec3 RIGHT = {1.0, 0.0, 0.0};
static const abut_vec3 UP = {0.0, 1.0, 0.0};

static void build_pillar(scene_store *store)
{
    const double height = 3.5, width = 0.5, half = 0.5 * width;
    const double shaft = 0.80 * height / 3.0;
    const double radii[] = {0.8 * half, (0.8 - 0.2 / 3.0) * half, (0.8 - 0.4 / 3.0) * half, 0.6 * half};
    const double top_cone = 0.05 * height;
    const abut_quat half_turn = {0.0, 1.0, 0.0, 0.0}; // by pi about x
    static const char *const names[] = {"ground",    "bottom-box", "bottom-cone", "segment-0",
                                        "segment-1", "segment-2",  "top-cone",    "top-box"};
    const double heights[] = {0.0, 0.06 * height, 0.06 * height, shaft, shaft, shaft, top_cone, 0.03 * height};

    add_ground(store, 3.0, 0.3);
    const int meshes[] = {0,
                          add_box(store, width, heights[1], width),
                          add_frustum(store, 0.0, half, heights[2], radii[0]),
                          add_frustum(store, 0.0, radii[0], shaft, radii[1]),
                          add_frustum(store, 0.0, radii[1], shaft, radii[2]),
                          add_frustum(store, 0.0, radii[2], shaft, radii[3]),
                          add_frustum(store, -top_cone, half, 0.0, radii[3]), // turned below
                          add_box(store, width, heights[7], width)};
    const double joint_radii[] = {0.0, 0.0, half, radii[0], radii[1], radii[2], radii[3], half};
    double y = 0.0;
    for (int i = 1; i < 8; ++i) {
        add_named(store, names[i], meshes[i], abut_vec3_make(0.0, y, 0.0),
                  i == 6 ? half_turn : abut_quat_identity());
        // a square on the ground, then hexagons of the radius of the thinner body
        add_joint(store, i - 1, i, UP, i == 1 ? 4 : ABUT_SCENE_SLICES,
                  i == 1 ? width * width : 1.5 * sqrt(3.0) * joint_radii[i] * joint_radii[i]);
        y += heights[i];
    }
    store->scene.feature_minimum = 49; // Figure 6
    store->scene.area = (double)NAN;
    store->scene.rule = ABUT_SCENE_UP;
}

static void build_wall(scene_store *store)
{
    const double width = 5.0 / SPAN, height = 4.0 / LAYERS, depth = 0.5;
    const double side = height * depth, ground = width * depth;
    add_ground(store, 10.0, 1.0);
    int brick = add_box(store, width, height, depth);
    double y = 0.0;
    for (int layer = 0; layer < LAYERS; ++layer) {
        for (int j = 0; j < SPAN; ++j) {
            double x = -2.5 + width * j + 0.5 * width * (layer % 2);
            int body = store->scene.body_count;
            (void)snprintf(add_body(store, brick, abut_vec3_make(x, y, 0.0), abut_quat_identity())->name,
                           sizeof store->bodies->name, "brick-%d-%d", layer, j);
            // An odd layer is half a brick to the right of the even ones.
            int left_below = layer % 2 == 1 ? j : j - 1;
            if (layer == 0) {
                add_joint(store, 0, body, UP, 4, ground);
            }
            for (int below = left_below; below <= left_below + 1 && layer > 0; ++below) {
                if (below >= 0 && below < SPAN) {
                    add_joint(store, 1 + (layer - 1) * SPAN + below, body, UP, 4, 0.5 * ground);
                }
            }
            if (j > 0) {
                add_joint(store, body - 1, body, RIGHT, 4, side);
            }
        }
        y += height;
    }
    double scale = store->scene.scale;
    store->scene.area =
        scale * scale * (SPAN * ground + LAYERS * (SPAN - 1) * side + (LAYERS - 1) * (2 * SPAN - 1) * 0.5 * ground);
    store->scene.rule = ABUT_SCENE_BRICKS;
}

static void build_arch(scene_store *store)
{
    const double outer = 2.0, inner = 1.5, middle = 0.5 * (outer + inner), depth = 2.0, height = 2.0;
    const double layer = height / ARCH_LAYERS, step = ABUT_LAB_PI / ARCH_STONES, area = (outer - inner) * depth;
    const double sine = sin(0.5 * step), cosine = cos(0.5 * step);
    add_ground(store, 10.0, 1.0);
    int block = add_turned_box(store, outer - inner, layer, depth);
    int stone = add_trapezoid(store, inner * cosine - middle, inner * sine, outer * cosine - middle, outer * sine,
                              0.5 * depth);
    double y = 0.0;
    for (int i = 0; i < ARCH_LAYERS; ++i) {
        for (int side = 0; side < 2; ++side) {
            int body = store->scene.body_count;
            double x = side == 0 ? -middle : middle;
            (void)snprintf(add_body(store, block, abut_vec3_make(x, y, 0.0), abut_quat_identity())->name,
                           sizeof store->bodies->name, "%s-%d", side == 0 ? "left" : "right", i);
            add_joint(store, i == 0 ? 0 : body - 2, body, UP, 4, area);
        }
        y += layer;
    }
    int left = store->scene.body_count - 2, right = left + 1;
    for (int k = 0; k < ARCH_STONES; ++k) {
        double angle = (k + 0.5) * step;
        int body = store->scene.body_count;
        abut_vec3 position = abut_vec3_make(middle * cos(angle), y + middle * sin(angle), 0.0);
        (void)snprintf(add_body(store, stone, position,
                                abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), angle - 0.5 * ABUT_LAB_PI))
                           ->name,
                       sizeof store->bodies->name, "stone-%d", k);
        if (k > 0) {
            add_joint(store, body - 1, body, abut_vec3_make(-sin(k * step), cos(k * step), 0.0), 4, area);
        }
    }
    add_joint(store, right, right + 1, UP, 4, area);
    add_joint(store, left, right + ARCH_STONES, UP, 4, area);
    store->scene.area = store->scene.scale * store->scene.scale * store->scene.joint_count * area;
    store->scene.rule = ABUT_SCENE_CENTERS;
}

static const char *const NAMES[] = {"pillar", "wall", "arch", "arch-overlap"};

/// In the order of NAMES.
static const struct {
    const char *title;
    void (*build)(scene_store *store);
    double outset; ///< vertices of all bodies except the ground move by it along their normals, at scale 1
} ROWS[] = {{"Pillar", build_pillar, 0.0},
            {"Wall", build_wall, 0.0},
            {"Arch", build_arch, 0.0},
            // The paper does not give the amount. This is the distance by which it erodes stones elsewhere.
            {"Arch with overlap", build_arch, 0.01}};

enum { SCENE_COUNT = sizeof ROWS / sizeof ROWS[0] };
_Static_assert(sizeof NAMES / sizeof NAMES[0] == SCENE_COUNT, "one name for each scene");

// ---------------------------------------------------------------------------------------------------------------
// Creation

void abut_scene_params_init(abut_scene_params *params, size_t size)
{
    const abut_scene_params made = {
        .struct_size = sizeof made, .scale = 1.0, .frame = abut_pose_identity(), .refine_seconds = 60.0};
    abut_write_versioned(params, size, &made, sizeof made);
}

const char *const *abut_scene_names(int *count)
{
    *count = SCENE_COUNT;
    return NAMES;
}

static abut_status check_params(const abut_scene_params *params, abut_error *error)
{
    // Far beyond any use, and still far from overflow.
    if (!(params->scale >= 1e-6 && params->scale <= 1e6)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "scale %g is not between 1e-6 and 1e6", params->scale);
    }
    // The ratio of circumradius to shortest edge: below 1 tetgen never ends, above 100 it has nothing to do.
    if (params->refine_ratio != 0.0 && !(params->refine_ratio >= 1.0 && params->refine_ratio <= 100.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "refinement %g is not a quality ratio from 1 to 100",
                         params->refine_ratio);
    }
    abut_quat q = params->frame.rotation;
    double squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(fabs(squared - 1.0) <= 1e-9) || !abut_is_finite(params->frame.position)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the frame is not a finite position with a unit quaternion");
    }
    return ABUT_OK;
}

abut_status abut_scene_create(const abut_context *context, const char *name, const abut_scene_params *params,
                              abut_scene **out, abut_error *error)
{
    if (name == NULL || out == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_scene_create: name or out is NULL");
    }
    *out = NULL;
    int index = abut_lab_find_name(abut_scene_names, name);
    if (index < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "there is no scene '%.64s'; see abut_scene_names()", name);
    }
    abut_scene_params read = abut_scene_params_default();
    if (params != NULL && !abut_read_versioned(&read, sizeof read, params)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_scene_params: start from abut_scene_params_default()");
    }
    params = &read;
    abut_status status = check_params(params, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_context kept = abut_context_or_default(context);
    scene_store *store = abut_allocate_zeroed(&kept, 1, sizeof *store);
    if (store == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for the scene '%s'", NAMES[index]);
    }
    store->context = kept;
    store->error = error;
    store->scene.name = NAMES[index];
    store->scene.title = ROWS[index].title;
    store->scene.scale = params->scale;
    store->scene.frame = params->frame;
    store->mesh_params = (abut_scene_mesh_params){.scale = params->scale,
                                                  .outset = ROWS[index].outset,
                                                  .ratio = params->refine_ratio,
                                                  .seconds = params->refine_seconds};
    store->scene.meshes = store->meshes;
    store->scene.bodies = store->bodies;
    store->scene.joints = store->joints;
    ROWS[index].build(store);
    store->error = NULL;
    if (store->status != ABUT_OK) {
        status = store->status;
        abut_scene_destroy(&store->scene);
        return status;
    }
    *out = &store->scene;
    return ABUT_OK;
}

void abut_scene_destroy(abut_scene *scene)
{
    if (scene != NULL) {
        scene_store *store = (scene_store *)scene;
        for (int i = 0; i < MAX_MESHES; ++i) {
            abut_mesh_destroy(store->meshes[i]);
        }
        abut_free(&store->context, store);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs

static abut_box world_box(const abut_scene *scene, int body)
{
    abut_mesh_elements elements = abut_mesh_get_elements(scene->meshes[scene->bodies[body].mesh]);
    abut_box box = abut_box_empty();
    for (int i = 0; i < elements.vertex_count; ++i) {
        box = abut_box_add(box, abut_pose_apply(scene->bodies[body].pose, elements.vertices[i]));
    }
    return box;
}

static double size_of(const abut_scene *scene, int body)
{
    return abut_box_diagonal(abut_mesh_get_elements(scene->meshes[scene->bodies[body].mesh]).bounds);
}

int abut_scene_find_pairs(const abut_scene *scene, abut_scene_pair *pairs, int capacity)
{
    int count = 0;
    for (int a = 0; a < scene->body_count; ++a) {
        abut_box box_a = world_box(scene, a);
        for (int b = a + 1; b < scene->body_count; ++b) {
            double reach = REACH * fmin(size_of(scene, a), size_of(scene, b));
            abut_box box_b = world_box(scene, b); // once per pair: there is no memory for all
            abut_vec3 apart = abut_max(abut_sub(box_a.lower, box_b.upper), abut_sub(box_b.lower, box_a.upper));
            if (abut_max_component(apart) > reach) {
                continue;
            }
            if (count < capacity) {
                pairs[count] = (abut_scene_pair){a, b};
            }
            ++count;
        }
    }
    return count;
}

void abut_scene_pair_init(const abut_scene *scene, abut_scene_pair bodies, const abut_shape *a, const abut_shape *b,
                          abut_pair *out, size_t size)
{
    abut_pair pair = abut_pair_default(a, b);
    pair.a.pose = scene->bodies[bodies.a].pose;
    pair.b.pose = scene->bodies[bodies.b].pose;
    // Numbers of the bodies from 1: a key of 0 would mean none.
    pair.a.key = (uint64_t)bodies.a + 1;
    pair.b.key = (uint64_t)bodies.b + 1;
    abut_write_versioned(out, size, &pair, sizeof pair);
}
