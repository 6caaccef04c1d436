// SPDX-License-Identifier: MIT
// test_struct_versions.c: callers that were built against an older or a newer version of a struct
//
// Every struct that a caller fills and that may grow is tried three times:
// - as it is, with a value in one of its last fields that the function refuses or that changes the answer: the field
//   is read;
// - as in an older version without this field and those behind it, in a block of exactly that size, so that a
//   sanitizer notices reads beyond it: the default is used;
// - as in a newer version with more fields: it is refused.
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "shapes.h"

#include <abut-lab/lab.h>

#include <stdlib.h>
#include <unistd.h>

static abut_mesh *cube, *bracket; ///< a cube of side 2, and an L, which is not convex
static abut_shape *cube_shape;

typedef abut_status user(const void *given);

/// How a struct is used. Any other status means that the field was not read, or was read beyond the end.
typedef struct version_row {
    const char *name;
    const void *full; ///< with a last field that makes the call answer `full_status`
    size_t full_size;
    size_t older_size;
    user *call;
    abut_status full_status, older_status;
} version_row;

static abut_status call_with_size(const version_row *row, size_t size)
{
    unsigned char *block = malloc(size);
    assert_non_null(block);
    memset(block, 0, size);
    memcpy(block, row->full, size < row->full_size ? size : row->full_size);
    memcpy(block, &size, sizeof size);
    abut_status status = row->call(block);
    free(block);
    return status;
}

static void check_row(const version_row *row)
{
    CHECK_STATUS(call_with_size(row, row->full_size), row->full_status, row->name);
    CHECK_STATUS(call_with_size(row, row->older_size), row->older_status, row->name);
    CHECK_STATUS(call_with_size(row, row->full_size + 8), ABUT_BAD_ARGUMENT, row->name);
}

/// A row for a struct `value`. `field` is the first one that the older version does not have.
#define ROW(type, value, field, call, full_status, older_status)                                                   \
    {                                                                                                              \
#type, &(value), sizeof(type), offsetof(type, field), call, full_status, older_status                      \
    }

static void check_rows(const version_row *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        check_row(&rows[i]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes and shapes

static abut_status use_mesh_def(const void *given)
{
    abut_mesh *mesh = NULL;
    abut_status status = abut_mesh_create(NULL, given, &mesh, NULL);
    abut_mesh_destroy(mesh);
    return status;
}

static abut_status use_brep_params(const void *given)
{
    abut_brep *brep = NULL;
    abut_status status = abut_brep_create(NULL, cube, given, &brep, NULL);
    abut_brep_destroy(brep);
    return status;
}

static abut_status use_index_params(const void *given)
{
    abut_brep_index *index = NULL;
    abut_status status = abut_brep_index_create(NULL, abut_shape_brep(cube_shape), given, &index, NULL);
    abut_brep_index_destroy(index);
    return status;
}

static abut_status use_locate_def(const void *given)
{
    abut_located located;
    return abut_locate(NULL, given, &located, NULL);
}

static abut_status use_complex_def(const void *given)
{
    abut_complex *complex = NULL;
    abut_status status = abut_complex_create(NULL, given, &complex, NULL);
    abut_complex_destroy(complex);
    return status;
}

static abut_status use_lmd_def(const void *given)
{
    abut_lmd_set *set = NULL;
    assert_int_equal(abut_lmd_set_create(NULL, &set), ABUT_OK);
    abut_status status = abut_find_lmds(given, set, NULL);
    abut_lmd_set_destroy(set);
    return status;
}

static abut_status use_check_params(const void *given)
{
    const abut_mesh_def def = abut_mesh_def_default();
    abut_check *check = NULL;
    abut_status status = abut_check_create(NULL, &def, given, &check, NULL);
    abut_check_destroy(check);
    return status;
}

static abut_status use_shape_def(const void *given)
{
    abut_shape *shape = NULL;
    abut_status status = abut_shape_create(NULL, given, &shape, NULL);
    abut_shape_destroy(shape);
    return status;
}

static void meshes_and_shapes(void **state)
{
    (void)state;
    const abut_vec3 corner = {0, 0, 0};
    abut_mesh_def mesh = abut_mesh_def_default();
    mesh.vertices = &corner;
    mesh.vertex_count = 1;
    mesh.tet_count = -1;
    abut_brep_params brep = abut_brep_params_default();
    brep.planarity = NAN;
    abut_brep_index_params index = abut_brep_index_params_default();
    index.max_splits = -1;
    abut_locate_def locate = abut_locate_def_default();
    locate.mesh = cube;
    locate.points = &corner;
    locate.point_count = 1;
    locate.tolerance = NAN;
    const abut_vec3 moved[8] = {{NAN, 0, 0}};
    abut_complex_def complex = abut_complex_def_default();
    complex.mesh = cube;
    complex.vertices = moved;
    abut_complex *bare = NULL;
    abut_complex_def bare_def = abut_complex_def_default();
    bare_def.mesh = cube;
    assert_int_equal(abut_complex_create(NULL, &bare_def, &bare, NULL), ABUT_OK);
    abut_lmd_def lmd = abut_lmd_def_default();
    lmd.a = lmd.b = bare;
    lmd.theta = NAN;
    abut_check_params check = abut_check_params_default();
    check.element_limit = -1;
    abut_shape_def shape = abut_shape_def_default();
    shape.mesh = cube;
    shape.offset = NAN;
    const version_row rows[] = {
        ROW(abut_mesh_def, mesh, tets, use_mesh_def, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_brep_params, brep, planarity, use_brep_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_brep_index_params, index, max_splits, use_index_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_locate_def, locate, tolerance, use_locate_def, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_complex_def, complex, vertices, use_complex_def, ABUT_BAD_DATA, ABUT_OK),
        ROW(abut_lmd_def, lmd, theta, use_lmd_def, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_check_params, check, element_limit, use_check_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_shape_def, shape, offset, use_shape_def, ABUT_BAD_ARGUMENT, ABUT_OK),
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
    abut_complex_destroy(bare);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Queries

static abut_status find_contacts(const abut_pair *pair, const abut_params *params)
{
    abut_workspace *workspace = NULL;
    abut_result result = abut_result_default();
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_status status = abut_find_contacts(pair, abut_method_find("regions"), params, workspace, &result);
    abut_workspace_destroy(workspace);
    return status;
}

static abut_status use_params(const void *given)
{
    abut_pair pair = abut_pair_default(cube_shape, cube_shape);
    pair.b.pose.position.x = 2.0;
    return find_contacts(&pair, given);
}

static abut_status use_mesh_pair(const void *given)
{
    abut_answer *answer = NULL;
    abut_status status = abut_find_mesh_contacts(NULL, given, &answer, NULL);
    abut_answer_destroy(answer);
    return status;
}

static abut_status use_pair(const void *given)
{
    return find_contacts(given, NULL);
}

static abut_status use_isolated_pair(const void *given)
{
    abut_workspace *workspace = NULL;
    abut_result result = abut_result_default();
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_status status =
        abut_find_contacts_isolated(given, abut_method_find("regions"), NULL, 60.0, workspace, &result);
    abut_workspace_destroy(workspace);
    return status;
}

static abut_status use_convex_params(const void *given)
{
    abut_convex *convex = NULL;
    abut_status status = abut_convex_create(NULL, bracket, given, &convex, NULL);
    abut_convex_destroy(convex);
    return status;
}

static abut_status use_convex_pair(const void *given)
{
    abut_convex_result result;
    return abut_convex_distance(given, NULL, NULL, &result);
}

static abut_status use_impact_params(const void *given)
{
    abut_moving_pair pair = {.kind = ABUT_VERTEX_FACE};
    abut_impacts impacts;
    return abut_find_impacts(&pair, given, &impacts);
}

static abut_status use_penalty_params(const void *given)
{
    abut_moving_pair pair = {.kind = ABUT_VERTEX_FACE};
    abut_penalty penalty;
    return abut_find_penalty(&pair, NULL, given, &penalty);
}

/// The shape is not prepared for method continuous, which is found after the parameters are read.
static abut_status use_response_params(const void *given)
{
    abut_tracker *tracker = NULL;
    assert_int_equal(abut_tracker_create(NULL, &tracker, NULL), ABUT_OK);
    abut_pair pair = abut_pair_default(cube_shape, cube_shape);
    abut_response response;
    abut_status status = abut_tracker_step(tracker, &pair, given, &response, NULL);
    abut_tracker_destroy(tracker);
    return status;
}

static abut_status use_soft_def(const void *given)
{
    abut_soft *soft = NULL;
    abut_status status = abut_soft_create(NULL, given, &soft, NULL);
    abut_soft_destroy(soft);
    return status;
}

static abut_soft_material soft_stuff(void)
{
    abut_soft_material material = abut_soft_material_default();
    material.stretch = 1.0;
    return material;
}

static abut_status use_soft_material(const void *given)
{
    abut_soft_def def = abut_soft_def_default();
    def.mesh = cube;
    def.material = given;
    return use_soft_def(&def);
}

static abut_status use_soft_params(const void *given)
{
    abut_soft_material material = soft_stuff();
    abut_soft_def def = abut_soft_def_default();
    def.mesh = cube;
    def.material = &material;
    abut_soft *soft = NULL;
    assert_int_equal(abut_soft_create(NULL, &def, &soft, NULL), ABUT_OK);
    abut_status status = abut_soft_accelerate(soft, given, NULL, NULL);
    abut_soft_destroy(soft);
    return status;
}

static abut_status use_sweep_def(const void *given)
{
    abut_sweep_hit hit;
    return abut_sweep(given, &hit, NULL);
}

/// An L is not convex, but its hull is. The older caller cannot ask for the hull.
static void queries(void **state)
{
    (void)state;
    abut_params params = abut_params_default();
    params.option_count = -1;
    abut_pair pair = abut_pair_default(cube_shape, cube_shape);
    pair.b.pose.position.x = 2.0;
    pair.dt = NAN;
    abut_convex_params convex = abut_convex_params_default();
    convex.takes_hull = 1;
    abut_convex *box = NULL;
    assert_int_equal(abut_convex_create(NULL, cube, NULL, &box, NULL), ABUT_OK);
    abut_convex_pair boxes = abut_convex_pair_default(box, box);
    boxes.pose_b.position.x = 3.0;
    boxes.tolerance = NAN;
    abut_tree *tree = NULL;
    assert_int_equal(abut_tree_create(NULL, cube, ABUT_ELEMENT_TRIANGLE, &tree, NULL), ABUT_OK);
    abut_sweep_def sweep = abut_sweep_def_default(tree, tree);
    abut_impact_params impact = abut_impact_params_default();
    impact.separation = -1.0;
    abut_penalty_params penalty = abut_penalty_params_default();
    penalty.stiffness = -1.0;
    abut_response_params response = abut_response_params_default();
    response.tolerance = NAN;
    sweep.time_tolerance = NAN;
    abut_soft_material soft_material = soft_stuff(), stiff_material = soft_stuff();
    soft_material.shape_damping = -1.0;
    abut_soft_def soft = abut_soft_def_default();
    soft.mesh = cube;
    soft.material = &stiff_material;
    soft.pin_count = -1;
    abut_soft_params soft_params = abut_soft_params_default();
    soft_params.iteration_limit = 0;
    abut_mesh_pair meshes = abut_mesh_pair_default(cube, cube);
    meshes.pose_b.position.x = 2.0;
    meshes.params = &params;
    const version_row rows[] = {
        ROW(abut_mesh_pair, meshes, params, use_mesh_pair, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_params, params, option_count, use_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_pair, pair, dt, use_pair, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_pair, pair, dt, use_isolated_pair, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_convex_params, convex, takes_hull, use_convex_params, ABUT_OK, ABUT_UNSUPPORTED),
        ROW(abut_convex_pair, boxes, tolerance, use_convex_pair, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_impact_params, impact, separation, use_impact_params, ABUT_BAD_DATA, ABUT_OK),
        ROW(abut_penalty_params, penalty, stiffness, use_penalty_params, ABUT_BAD_DATA, ABUT_OK),
        ROW(abut_response_params, response, tolerance, use_response_params, ABUT_BAD_ARGUMENT, ABUT_UNPREPARED),
        ROW(abut_soft_material, soft_material, shape_damping, use_soft_material, ABUT_BAD_DATA, ABUT_OK),
        ROW(abut_soft_def, soft, pin_count, use_soft_def, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_soft_params, soft_params, iteration_limit, use_soft_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_sweep_def, sweep, time_tolerance, use_sweep_def, ABUT_BAD_ARGUMENT, ABUT_OK),
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
    abut_tree_destroy(tree);
    abut_convex_destroy(box);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Solvers

static abut_solver *solver;

static abut_status use_problem(const void *given)
{
    abut_solve_result result = {.velocities = NULL};
    return abut_solve_prox(solver, given, NULL, &result, NULL);
}

static abut_status use_prox_params(const void *given)
{
    const abut_solve_problem problem = abut_solve_problem_default();
    abut_solve_result result = {.velocities = NULL};
    return abut_solve_prox(solver, &problem, given, &result, NULL);
}

static abut_status use_mcp_params(const void *given)
{
    const abut_solve_problem problem = abut_solve_problem_default();
    abut_solve_result result = {.velocities = NULL};
    return abut_solve_mcp(solver, &problem, given, &result, NULL);
}

static abut_status use_lcp_params(const void *given)
{
    const double one = 1.0;
    double z;
    const abut_lcp lcp = {1, &one, &one};
    abut_lcp_answer answer = {.z = &z};
    return abut_lcp_lemke(solver, &lcp, given, &answer, NULL);
}

static void solvers(void **state)
{
    (void)state;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    abut_solve_problem problem = abut_solve_problem_default();
    problem.gap_rule = (abut_gap_rule)2;
    problem.dt = -1.0;
    abut_prox_params prox = abut_prox_params_default();
    prox.reduction = -1.0;
    abut_mcp_params mcp = abut_mcp_params_default();
    mcp.tolerance = -1.0;
    abut_lcp_params lcp = abut_lcp_params_default();
    lcp.tolerance = -1.0;
    const version_row rows[] = {
        ROW(abut_solve_problem, problem, gap_rule, use_problem, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_prox_params, prox, reduction, use_prox_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_mcp_params, mcp, tolerance, use_mcp_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_lcp_params, lcp, tolerance, use_lcp_params, ABUT_BAD_ARGUMENT, ABUT_OK),
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Worlds

static abut_world *world;

static abut_status use_world_def(const void *given)
{
    abut_world *made = NULL;
    abut_status status = abut_world_create(NULL, given, &made, NULL);
    abut_world_destroy(made);
    return status;
}

static abut_status use_world_params(const void *given)
{
    abut_world_def def = abut_world_def_default();
    def.params = given;
    abut_world *made = NULL;
    abut_status status = abut_world_create(NULL, &def, &made, NULL);
    if (status == ABUT_OK) {
        const abut_params *used = abut_world_get_def(made)->params;
        CHECK_NEAR(used->angle, 0.25, 0.0, "what the older version has");
        CHECK_INT(used->flags, ABUT_PARAMS_KEEP_REDUNDANT, "what the older version has");
    }
    abut_world_destroy(made);
    return status;
}

static abut_status use_world_prox(const void *given)
{
    abut_world_def def = abut_world_def_default();
    def.prox = given;
    abut_world *made = NULL;
    abut_status status = abut_world_create(NULL, &def, &made, NULL);
    if (status == ABUT_OK) {
        const abut_prox_params *used = abut_world_get_def(made)->prox;
        CHECK_INT(used->iteration_limit, 77, "what the older version has");
        CHECK_NEAR(used->reduction, 0.9, 0.0, "the default");
    }
    abut_world_destroy(made);
    return status;
}

static abut_status use_material(const void *given)
{
    return abut_world_add_material(world, given, NULL, NULL);
}

static abut_status use_body_def(const void *given)
{
    return abut_world_add_body(world, given, NULL, NULL);
}

/// A body without the field `mass` has that of its mesh.
static void worlds(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    assert_int_equal(abut_world_create(NULL, &def, &world, NULL), ABUT_OK);
    def.speed_limit = NAN;
    abut_params params = abut_params_default();
    params.angle = 0.25;
    params.flags = ABUT_PARAMS_KEEP_REDUNDANT;
    abut_prox_params prox = abut_prox_params_default();
    prox.iteration_limit = 77;
    const abut_solve_impulse start = {.normal = 0.0};
    prox.start = &start;
    abut_material material = abut_material_default();
    material.restitution = 7.0;
    const abut_mass nothing = {.mass = 0.0};
    abut_body_def body = abut_body_def_default();
    body.shape = cube_shape;
    body.material = 0;
    body.mass = &nothing;
    const version_row rows[] = {
        ROW(abut_world_def, def, speed_limit, use_world_def, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_params, params, options, use_world_params, ABUT_OK, ABUT_OK),
        ROW(abut_prox_params, prox, start, use_world_prox, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_material, material, restitution, use_material, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_body_def, body, mass, use_body_def, ABUT_BAD_DATA, ABUT_OK),
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
    abut_world_destroy(world);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// The laboratory

static abut_status use_case_params(const void *given)
{
    abut_case *made = NULL;
    abut_status status = abut_case_create(NULL, "spikes", given, &made, NULL);
    abut_case_destroy(made);
    return status;
}

static abut_status use_scene_params(const void *given)
{
    abut_scene *made = NULL;
    abut_status status = abut_scene_create(NULL, "pillar", given, &made, NULL);
    abut_scene_destroy(made);
    return status;
}

static abut_status use_tetgen_params(const void *given)
{
    abut_mesh *made = NULL;
    abut_status status = abut_tetrahedralize(NULL, cube, given, &made, NULL);
    abut_mesh_destroy(made);
    return status;
}

static abut_status use_spin_params(const void *given)
{
    abut_setup *made = NULL;
    abut_status status = abut_spin_setup(NULL, given, &made, NULL);
    abut_setup_destroy(made);
    return status;
}

static abut_status use_quality_def(const void *given)
{
    abut_study *made = NULL;
    abut_status status = abut_quality_study_create(NULL, abut_study_find_kind("perturbation"), given, &made, NULL);
    abut_study_destroy(made);
    return status;
}

static abut_status use_spin_study_def(const void *given)
{
    abut_study *made = NULL;
    abut_status status = abut_spin_study_create(NULL, given, &made, NULL);
    abut_study_destroy(made);
    return status;
}

static abut_status use_execution(const void *given)
{
    abut_study *made = NULL;
    assert_int_equal(abut_study_create(NULL, abut_study_find_kind("spin"), &made, NULL), ABUT_OK);
    abut_status status = abut_study_execute(made, given, NULL);
    abut_study_destroy(made);
    return status;
}

static abut_status use_recorder_def(const void *given)
{
    abut_recorder *made = NULL;
    abut_status status = abut_recorder_create(NULL, given, &made, NULL);
    abut_recorder_destroy(made);
    return status;
}

static abut_status use_drawing_def(const void *given)
{
    abut_drawing *made = NULL;
    abut_status status = abut_drawing_create(NULL, given, &made, NULL);
    abut_drawing_destroy(made);
    return status;
}

static abut_status use_outcome_def(const void *given)
{
    abut_setup *setup = NULL;
    abut_outcome_report report;
    assert_int_equal(abut_setup_create(NULL, "spikes", &setup, NULL), ABUT_OK);
    abut_status status = abut_find_outcome(NULL, setup, given, 0, &report, NULL);
    abut_outcome_release(NULL, &report);
    abut_setup_destroy(setup);
    return status;
}

/// The older recorder lacks `piece_rows`, so it has the default of 256. Its file is removed. There is no program of
/// the name given for tetgen, which is noticed only after the parameters were read.
static void laboratory(void **state)
{
    (void)state;
    abut_case_params fundamental = abut_case_params_default();
    fundamental.scene_size = -1.0;
    abut_scene_params scene = abut_scene_params_default();
    scene.refine_ratio = -1.0;
    abut_tetgen_params tetgen = abut_tetgen_params_default();
    tetgen.program = "/no/such/program";
    tetgen.megabytes = -1.0;
    abut_spin_params spin = abut_spin_params_default("spinning-box");
    spin.dt = -1.0;
    const abut_quality_method method = {abut_method_find("regions"), NULL};
    abut_quality_def quality = abut_quality_def_default(abut_study_find_kind("perturbation"));
    quality.methods = &method;
    quality.method_count = 1;
    quality.refine_seconds = -1.0;
    abut_spin_study_def spins = abut_spin_study_def_default();
    spins.seed_count = -1;
    abut_study_execution execution = abut_study_execution_default();
    execution.crew.size = 1;
    execution.shard_count = 0;
    abut_world_def def = abut_world_def_default();
    def.speed_limit = NAN;
    abut_setup *setup = NULL;
    abut_simulation *simulation = NULL;
    assert_int_equal(abut_setup_create(NULL, "spikes", &setup, NULL), ABUT_OK);
    abut_world_def usual = abut_setup_world_def(setup);
    assert_int_equal(abut_simulation_create(NULL, setup, &usual, &simulation, NULL), ABUT_OK);
    char path[] = "/tmp/abut-versions-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    abut_recorder_def recorder = abut_recorder_def_default();
    recorder.path = path;
    recorder.setup = setup;
    recorder.simulation = simulation;
    recorder.piece_rows = 0;
    abut_drawing_def drawing = abut_drawing_def_default();
    drawing.width = -1.0;
    const version_row rows[] = {
        ROW(abut_drawing_def, drawing, width, use_drawing_def, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_case_params, fundamental, scene_size, use_case_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_scene_params, scene, refine_ratio, use_scene_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_tetgen_params, tetgen, megabytes, use_tetgen_params, ABUT_BAD_ARGUMENT, ABUT_IO),
        ROW(abut_spin_params, spin, dt, use_spin_params, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_quality_def, quality, refine_seconds, use_quality_def, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_spin_study_def, spins, seed_count, use_spin_study_def, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_study_execution, execution, shard_count, use_execution, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_recorder_def, recorder, piece_rows, use_recorder_def, ABUT_BAD_ARGUMENT, ABUT_OK),
        ROW(abut_world_def, def, speed_limit, use_outcome_def, ABUT_BAD_ARGUMENT, ABUT_OK),
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
    (void)close(file);
    (void)remove(path);
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Defaults

enum { GUARD = 16 };

/// Checks the defaults for this version, for an older caller without `field`, and for a newer one. `kept` is the same
/// wherever the struct has it, bytes that only the newer struct has are zero, and nothing is written behind the
/// caller's struct. `call` writes the defaults to `at`, which has `size` bytes.
#define CHECK_INIT(type, kept, field, call)                                                                        \
    do {                                                                                                           \
        const size_t sizes[] = {sizeof(type), offsetof(type, field), sizeof(type) + 8};                            \
        unsigned char *blocks[3];                                                                                  \
        for (int k = 0; k < 3; ++k) {                                                                              \
            size_t size = sizes[k], written;                                                                       \
            blocks[k] = malloc(size + GUARD);                                                                      \
            assert_non_null(blocks[k]);                                                                            \
            memset(blocks[k], 0x55, size + GUARD);                                                                 \
            type *at = (type *)(void *)blocks[k];                                                                  \
            call;                                                                                                  \
            memcpy(&written, blocks[k], sizeof written);                                                           \
            CHECK(written == size, "%s: struct_size", #type);                                                      \
            size_t place = offsetof(type, kept);                                                                   \
            CHECK(place >= size || memcmp(blocks[k] + place, blocks[0] + place, sizeof((type *)NULL)->kept) == 0,  \
                  "%s of %d bytes: %s", #type, (int)size, #kept);                                                  \
            for (size_t i = sizeof(type); i < size; ++i) {                                                         \
                CHECK(blocks[k][i] == 0, "%s: byte %d", #type, (int)i);                                            \
            }                                                                                                      \
            for (size_t i = size; i < size + GUARD; ++i) {                                                         \
                CHECK(blocks[k][i] == 0x55, "%s: written behind %d bytes", #type, (int)size);                      \
            }                                                                                                      \
        }                                                                                                          \
        for (int k = 0; k < 3; ++k) {                                                                              \
            free(blocks[k]);                                                                                       \
        }                                                                                                          \
    } while (0)

static void defaults_of_the_library(void **state)
{
    (void)state;
    abut_convex *box = NULL;
    assert_int_equal(abut_convex_create(NULL, cube, NULL, &box, NULL), ABUT_OK);
    CHECK_INIT(abut_context, resize, user, abut_context_init(at, size));
    CHECK_INIT(abut_mesh_def, vertices, tets, abut_mesh_def_init(at, size));
    CHECK_INIT(abut_brep_params, planarity, planarity, abut_brep_params_init(at, size));
    CHECK_INIT(abut_brep_index_params, tolerance, max_splits, abut_brep_index_params_init(at, size));
    CHECK_INIT(abut_locate_def, mesh, tolerance, abut_locate_def_init(at, size));
    CHECK_INIT(abut_complex_def, mesh, part_is_shell, abut_complex_def_init(at, size));
    CHECK_INIT(abut_lmd_def, reach, is_exhaustive, abut_lmd_def_init(at, size));
    CHECK_INIT(abut_check_params, sliver, hole, abut_check_params_init(at, size));
    CHECK_INIT(abut_params, angle, option_count, abut_params_init(at, size));
    CHECK_INIT(abut_shape_def, dilation, offset, abut_shape_def_init(at, size));
    CHECK_INIT(abut_pair, a.shape, dt, abut_pair_init(cube_shape, cube_shape, at, size));
    CHECK_INIT(abut_mesh_pair, a, params, abut_mesh_pair_init(cube, bracket, at, size));
    CHECK_INIT(abut_convex_params, tolerance, takes_hull, abut_convex_params_init(at, size));
    CHECK_INIT(abut_convex_pair, a, tolerance, abut_convex_pair_init(box, box, at, size));
    CHECK_INIT(abut_impact_params, separation, separation, abut_impact_params_init(at, size));
    CHECK_INIT(abut_penalty_params, dt, stiffness, abut_penalty_params_init(at, size));
    CHECK_INIT(abut_response_params, stiffness, tolerance, abut_response_params_init(at, size));
    CHECK_INIT(abut_soft_material, density, area_density, abut_soft_material_init(at, size));
    CHECK_INIT(abut_soft_def, mesh, positions, abut_soft_def_init(at, size));
    CHECK_INIT(abut_soft_params, dt, accuracy, abut_soft_params_init(at, size));
    CHECK_INIT(abut_sweep_def, duration, time_tolerance, abut_sweep_def_init(NULL, NULL, at, size));
    CHECK_INIT(abut_solve_problem, bodies, gap_rule, abut_solve_problem_init(at, size));
    CHECK_INIT(abut_prox_params, growth, reduction, abut_prox_params_init(at, size));
    CHECK_INIT(abut_mcp_params, directions, tolerance, abut_mcp_params_init(at, size));
    CHECK_INIT(abut_lcp_params, iteration_limit, tolerance, abut_lcp_params_init(at, size));
    CHECK_INIT(abut_world_def, dt, speed_limit, abut_world_def_init(at, size));
    CHECK_INIT(abut_material, density, restitution, abut_material_init(at, size));
    CHECK_INIT(abut_body_def, material, mass, abut_body_def_init(at, size));
    CHECK_INIT(abut_soft_body_def, material, has_self_contact, abut_soft_body_def_init(at, size));
    abut_convex_destroy(box);
    CHECK_DONE();
}

static void defaults_of_the_laboratory(void **state)
{
    (void)state;
    abut_setup *setup = NULL;
    abut_case *spikes = NULL;
    abut_scene *pillar = NULL;
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    const abut_scene_pair bodies = {0, 1};
    assert_int_equal(abut_case_create(NULL, "spikes", NULL, &spikes, NULL), ABUT_OK);
    assert_int_equal(abut_scene_create(NULL, "pillar", NULL, &pillar, NULL), ABUT_OK);
    assert_int_equal(abut_setup_create_case(NULL, spikes, &setup, NULL), ABUT_OK);
    const abut_study_kind *kind = abut_study_find_kind("timestep");
    CHECK_INIT(abut_case_params, scene_size, scene_size, abut_case_params_init(at, size));
    CHECK_INIT(abut_assess_params, is_isolated, seconds, abut_assess_params_init(at, size));
    CHECK_INIT(abut_scene_params, scale, refine_ratio, abut_scene_params_init(at, size));
    CHECK_INIT(abut_tetgen_params, seconds, megabytes, abut_tetgen_params_init(at, size));
    CHECK_INIT(abut_spin_params, vertices, dt, abut_spin_params_init("spinning-box", at, size));
    CHECK_INIT(abut_quality_def, iterations, refine_seconds, abut_quality_def_init(kind, at, size));
    CHECK_INIT(abut_spin_study_def, scene, seed_count, abut_spin_study_def_init(at, size));
    CHECK_INIT(abut_study_execution, shard, shard_count, abut_study_execution_init(at, size));
    CHECK_INIT(abut_drawing_def, bodies, width, abut_drawing_def_init(at, size));
    CHECK_INIT(abut_recorder_def, path, piece_rows, abut_recorder_def_init(at, size));
    CHECK_INIT(abut_pair, dt, memory, abut_case_pair_init(spikes, touching, cube_shape, cube_shape, at, size));
    CHECK_INIT(abut_pair, dt, memory, abut_scene_pair_init(pillar, bodies, cube_shape, cube_shape, at, size));
    CHECK_INIT(abut_world_def, dt, speed_limit, abut_setup_world_def_init(setup, at, size));
    CHECK_INIT(abut_world_def, dt, speed_limit, abut_setup_paper_def_init(setup, at, size));
    CHECK_INIT(abut_prox_params, growth, reduction, abut_paper_prox_params_init(at, size));
    abut_setup_destroy(setup);
    abut_case_destroy(spikes);
    abut_scene_destroy(pillar);
    CHECK_DONE();
}

static int make_meshes(void **state)
{
    (void)state;
    cube = make_box(NULL, abut_vec3_make(-1, -1, -1), abut_vec3_make(1, 1, 1));
    bracket = make_l(NULL, 1.0);
    cube_shape = make_shape(NULL, cube, abut_method_find("regions"), NULL);
    return 0;
}

static int free_meshes(void **state)
{
    (void)state;
    abut_shape_destroy(cube_shape);
    abut_mesh_destroy(cube);
    abut_mesh_destroy(bracket);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_and_shapes),
        cmocka_unit_test(queries),
        cmocka_unit_test(solvers),
        cmocka_unit_test(worlds),
        cmocka_unit_test(laboratory),
        cmocka_unit_test(defaults_of_the_library),
        cmocka_unit_test(defaults_of_the_laboratory),
    };
    return cmocka_run_group_tests_name("struct_versions", tests, make_meshes, free_meshes);
}
