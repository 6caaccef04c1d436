// SPDX-License-Identifier: MIT
// recording_read.c: makes a recording from the arrays of its file, and checks every number
#include "common/lab_support.h"
#include "recording/recording_child.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/// A recording that is being made. Once `status` is not ABUT_OK, the remaining steps do nothing.
typedef struct reading {
    abut_recording *recording;
    abut_context context;
    abut_recording_bytes raw;
    abut_mesh_row *mesh_rows;
    abut_status status;
    abut_error *error;
} reading;

static void fail_row(reading *r, int table, int64_t row, const char *what)
{
    const abut_table *t = &abut_recording_tables[table];
    r->status = abut_fail(r->error, ABUT_BAD_DATA, "%s%s%s[%lld]: %s", t->group != NULL ? t->group : "",
                          t->group != NULL ? "/" : "", t->name, (long long)row, what);
    if (r->error != NULL) {
        r->error->element = row;
    }
}

/// Fails if a table has another number of rows. The error names the first row that is missing or too many.
static void expect_rows(reading *r, int table, int64_t rows)
{
    if (r->status == ABUT_OK && r->raw.rows[table] != rows) {
        char text[96];
        (void)snprintf(text, sizeof text, "there are %lld rows, but %lld are needed", (long long)r->raw.rows[table],
                       (long long)rows);
        fail_row(r, table, r->raw.rows[table] < rows ? r->raw.rows[table] : rows, text);
    }
}

/// The received rows of a table, not aligned.
static const char *rows_of(const reading *r, int table)
{
    const char *at = r->raw.bytes;
    for (int i = 0; i < table; ++i) {
        at += (size_t)r->raw.rows[i] * abut_recording_tables[i].row_size;
    }
    return at;
}

/// A copy of the rows of a table, aligned; NULL after a failure.
static void *copy_rows(reading *r, int table)
{
    size_t count = (size_t)r->raw.rows[table], size = abut_recording_tables[table].row_size;
    void *copy = r->status == ABUT_OK ? abut_allocate_zeroed(&r->context, count, size) : NULL;
    if (r->status == ABUT_OK && copy == NULL) {
        r->status = abut_fail(r->error, ABUT_NO_MEMORY, "no memory for a recording");
    }
    if (copy != NULL && count > 0) {
        memcpy(copy, rows_of(r, table), count * size);
    }
    return copy;
}

static int is_text(const char *text, size_t room)
{
    return memchr(text, '\0', room) != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

/// Whether a number is finite and not negative.
static int is_amount(double value)
{
    return value >= 0.0 && isfinite(value);
}

static int are_settings(const abut_recording_about *about)
{
    const abut_stabilisation *s = &about->stabilisation;
    int are_words = (unsigned)about->sweep <= ABUT_SWEEP_CONJUGATE &&
                    (unsigned)about->factor <= ABUT_FACTOR_BLOCKED &&
                    (unsigned)about->gap_rule <= ABUT_GAP_SIGNED && (unsigned)about->has_warm_start <= 1u &&
                    (unsigned)s->is_on <= 1u;
    int are_limits = about->iteration_limit >= 0 && about->directions >= 0 && about->pivot_limit >= 0 &&
                     s->speed_limit >= 0.0 && about->speed_limit > 0.0; // both may be infinite
    return are_words && are_limits && is_amount(about->absolute_tolerance) &&
           is_amount(about->relative_tolerance) && is_amount(about->mcp_tolerance) && is_amount(s->slop) &&
           s->share >= 0.0 && s->share <= 1.0 && is_amount(about->torsion_radius) &&
           is_amount(about->linear_damping) && is_amount(about->angular_damping);
}

static void check_about(reading *r)
{
    expect_rows(r, ABUT_TABLE_ABOUT, 1);
    if (r->status != ABUT_OK) {
        return;
    }
    abut_recording_about *about = &r->recording->about;
    memcpy(about, rows_of(r, ABUT_TABLE_ABOUT), sizeof *about);
    if (about->version != ABUT_RECORDING_VERSION) {
        fail_row(r, ABUT_TABLE_ABOUT, 0, "has another version of the layout; record it again");
    } else if (!is_text(about->library, sizeof about->library) || !is_text(about->scene, sizeof about->scene) ||
               !is_text(about->method, sizeof about->method) || !is_text(about->params, sizeof about->params) ||
               !is_text(about->reason, sizeof about->reason)) {
        fail_row(r, ABUT_TABLE_ABOUT, 0, "has a text without a terminating zero");
    } else if (!isfinite(about->dt) || !(about->dt > 0.0) || !abut_is_finite(about->gravity)) {
        fail_row(r, ABUT_TABLE_ABOUT, 0, "dt must be positive, and dt and gravity finite");
    } else if ((unsigned)about->stepper > ABUT_STEPPER_EVENTS || (unsigned)about->solver > ABUT_SOLVER_MCP ||
               abut_recording_end_text(about->end) == NULL) {
        fail_row(r, ABUT_TABLE_ABOUT, 0, "has an unknown stepper, solver or end");
    } else if (!are_settings(about)) {
        fail_row(r, ABUT_TABLE_ABOUT, 0, "has an invalid setting of the solver, the stabilisation or the damping");
    }
}

/// Checks that the rows of the meshes add up to those of their tables.
static void check_mesh_rows(reading *r)
{
    static const int tables[] = {ABUT_TABLE_VERTICES,   ABUT_TABLE_POINTS,        ABUT_TABLE_SEGMENTS,
                                 ABUT_TABLE_FACE_SIZES, ABUT_TABLE_FACE_VERTICES, ABUT_TABLE_TETS};
    enum { TABLES = sizeof tables / sizeof tables[0] };
    int64_t sums[TABLES] = {0};
    r->mesh_rows = copy_rows(r, ABUT_TABLE_MESHES);
    for (int64_t i = 0; i < r->raw.rows[ABUT_TABLE_MESHES] && r->status == ABUT_OK; ++i) {
        const abut_mesh_row *row = &r->mesh_rows[i];
        const int32_t counts[TABLES] = {row->vertex_count, row->point_count,  row->segment_count,
                                        row->face_count,   row->corner_count, row->tet_count};
        int is_right = is_text(row->name, sizeof row->name) && (unsigned)row->precision <= ABUT_PRECISION_FLOAT;
        for (int k = 0; k < TABLES; ++k) {
            is_right = is_right && counts[k] >= 0;
            sums[k] += counts[k];
        }
        if (!is_right) {
            fail_row(r, ABUT_TABLE_MESHES, i, "has an invalid name, precision or count");
        }
    }
    for (int k = 0; k < TABLES; ++k) {
        expect_rows(r, tables[k], sums[k]);
    }
}

/// The arrays of all meshes, and where those of the next mesh begin.
typedef struct mesh_arrays {
    abut_vec3 *vertices;
    int *points, *segments, *face_sizes, *face_vertices, *tets;
    int *offsets; ///< face offsets of one mesh, with room for the largest
    int64_t vertex, point, segment, face, corner, tet;
} mesh_arrays;

/// Computes the face offsets of a mesh from the face sizes. Returns 0 if they do not add up.
static int fill_offsets(mesh_arrays *from, const abut_mesh_row *row)
{
    int64_t sum = 0;
    from->offsets[0] = 0;
    for (int i = 0; i < row->face_count; ++i) {
        int size = from->face_sizes[from->face + i];
        sum += size;
        if (size < 0 || sum > row->corner_count) {
            return 0;
        }
        from->offsets[i + 1] = (int)sum;
    }
    return sum == row->corner_count;
}

static void make_mesh(reading *r, mesh_arrays *from, int index)
{
    const abut_mesh_row *row = &r->mesh_rows[index];
    if (!fill_offsets(from, row)) {
        fail_row(r, ABUT_TABLE_MESHES, index, "has faces whose sizes do not add up");
        return;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = from->vertices + from->vertex;
    def.vertex_count = row->vertex_count;
    def.points = from->points + from->point;
    def.point_count = row->point_count;
    def.segments = from->segments + 2 * from->segment;
    def.segment_count = row->segment_count;
    def.face_offsets = from->offsets;
    def.face_vertices = from->face_vertices + from->corner;
    def.face_count = row->face_count;
    def.tets = from->tets + 4 * from->tet;
    def.tet_count = row->tet_count;
    def.precision = row->precision;
    abut_setup_mesh *mesh = &r->recording->meshes[index];
    abut_error reason = {.text = ""};
    (void)snprintf(mesh->name, sizeof mesh->name, "%s", row->name);
    abut_status status = abut_mesh_create(&r->context, &def, &mesh->mesh, &reason);
    if (status == ABUT_NO_MEMORY) {
        r->status = abut_fail(r->error, status, "no memory for a mesh of a recording");
    } else if (status != ABUT_OK) {
        fail_row(r, ABUT_TABLE_MESHES, index, reason.text);
    }
    from->vertex += row->vertex_count;
    from->point += row->point_count;
    from->segment += row->segment_count;
    from->face += row->face_count;
    from->corner += row->corner_count;
    from->tet += row->tet_count;
}

static void make_meshes(reading *r)
{
    abut_recording *recording = r->recording;
    check_mesh_rows(r);
    if (r->status != ABUT_OK) {
        return;
    }
    size_t count = (size_t)r->raw.rows[ABUT_TABLE_MESHES];
    recording->meshes = abut_allocate_zeroed(&r->context, count, sizeof *recording->meshes);
    recording->mesh_count = recording->meshes != NULL ? (int)count : 0;
    mesh_arrays arrays = {.vertices = copy_rows(r, ABUT_TABLE_VERTICES),
                          .points = copy_rows(r, ABUT_TABLE_POINTS),
                          .segments = copy_rows(r, ABUT_TABLE_SEGMENTS),
                          .face_sizes = copy_rows(r, ABUT_TABLE_FACE_SIZES),
                          .face_vertices = copy_rows(r, ABUT_TABLE_FACE_VERTICES),
                          .tets = copy_rows(r, ABUT_TABLE_TETS)};
    arrays.offsets =
        abut_allocate_zeroed(&r->context, (size_t)r->raw.rows[ABUT_TABLE_FACE_SIZES] + 1, sizeof *arrays.offsets);
    if (r->status == ABUT_OK && (recording->meshes == NULL || arrays.offsets == NULL)) {
        r->status = abut_fail(r->error, ABUT_NO_MEMORY, "no memory for the meshes of a recording");
    }
    for (int i = 0; i < recording->mesh_count && r->status == ABUT_OK; ++i) {
        make_mesh(r, &arrays, i);
    }
    abut_free(&r->context, arrays.vertices);
    abut_free(&r->context, arrays.points);
    abut_free(&r->context, arrays.segments);
    abut_free(&r->context, arrays.face_sizes);
    abut_free(&r->context, arrays.face_vertices);
    abut_free(&r->context, arrays.tets);
    abut_free(&r->context, arrays.offsets);
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies and steps

/// Whether friction and restitution are valid. Infinite friction means no slip.
static int is_law(double friction, double restitution)
{
    return friction >= 0.0 && restitution >= 0.0 && restitution <= 1.0;
}

static void check_materials(reading *r)
{
    abut_recording *recording = r->recording;
    recording->materials = copy_rows(r, ABUT_TABLE_MATERIALS);
    recording->material_count = recording->materials != NULL ? (int)r->raw.rows[ABUT_TABLE_MATERIALS] : 0;
    for (int i = 0; i < recording->material_count && r->status == ABUT_OK; ++i) {
        const abut_recording_material *material = &recording->materials[i];
        if (!is_text(material->name, sizeof material->name) || !is_amount(material->density) ||
            !is_law(material->friction, material->restitution)) {
            fail_row(r, ABUT_TABLE_MATERIALS, i, "has an invalid name, density, friction or restitution");
        }
    }
    recording->pairs = copy_rows(r, ABUT_TABLE_PAIRS);
    recording->pair_count = recording->pairs != NULL ? (int)r->raw.rows[ABUT_TABLE_PAIRS] : 0;
    for (int i = 0; i < recording->pair_count && r->status == ABUT_OK; ++i) {
        const abut_recording_pair *pair = &recording->pairs[i];
        if (pair->a < 0 || pair->a >= recording->material_count || pair->b < 0 ||
            pair->b >= recording->material_count) {
            fail_row(r, ABUT_TABLE_PAIRS, i, "has a material that does not exist");
        } else if (!is_text(pair->method, sizeof pair->method) || !is_law(pair->friction, pair->restitution)) {
            fail_row(r, ABUT_TABLE_PAIRS, i, "has an invalid friction, restitution or method");
        }
    }
}

static void check_bodies(reading *r)
{
    abut_recording *recording = r->recording;
    recording->bodies = copy_rows(r, ABUT_TABLE_BODIES);
    recording->body_count = recording->bodies != NULL ? (int)r->raw.rows[ABUT_TABLE_BODIES] : 0;
    for (int i = 0; i < recording->body_count && r->status == ABUT_OK; ++i) {
        const abut_recording_body *body = &recording->bodies[i];
        if (!is_text(body->name, sizeof body->name) || !(body->mass >= 0.0 && isfinite(body->mass)) ||
            (unsigned)body->is_fixed > 1u || (unsigned)body->is_soft > 1u) {
            fail_row(r, ABUT_TABLE_BODIES, i, "has an invalid name, mass, `fixed` or `soft`");
        } else if (body->mesh < 0 || body->mesh >= recording->mesh_count) {
            fail_row(r, ABUT_TABLE_BODIES, i, "has a mesh that does not exist");
        } else if (body->material < 0 || body->material >= recording->material_count) {
            fail_row(r, ABUT_TABLE_BODIES, i, "has a material that does not exist");
        }
    }
}

static const char *fault_of_step(const abut_recording_step *step, int index)
{
    if (step->step != index + 1 || !isfinite(step->time)) {
        return "is not the next step, or its time is not finite";
    }
    if (step->contact_count < 0 || step->pair_count < 0 || step->iterations < 0 || step->matched < 0 ||
        step->residual_count < 0 || step->region_count < 0 || step->change_count < 0 || step->churn < 0 ||
        step->event_count < 0) {
        return "has a negative count";
    }
    if (!(step->stepped_time >= 0.0) || !isfinite(step->stepped_time)) {
        return "has an invalid stepped_time";
    }
    if (abut_solve_outcome_text(step->outcome) == NULL) {
        return "has an unknown outcome";
    }
    return isnan(step->quality) || (step->quality >= 0.0 && step->quality <= 100.0)
               ? NULL
               : "has a quality outside 0 to 100";
}

/// Reads the steps, and checks that their counts add up to the rows of states, contacts, regions and residuals.
static void check_steps(reading *r)
{
    abut_recording *recording = r->recording;
    recording->steps = copy_rows(r, ABUT_TABLE_STEPS);
    recording->step_count = recording->steps != NULL ? (int)r->raw.rows[ABUT_TABLE_STEPS] : 0;
    recording->contact_begins =
        abut_allocate_zeroed(&r->context, (size_t)recording->step_count + 1, sizeof *recording->contact_begins);
    recording->region_begins =
        abut_allocate_zeroed(&r->context, (size_t)recording->step_count + 1, sizeof *recording->region_begins);
    recording->change_begins =
        abut_allocate_zeroed(&r->context, (size_t)recording->step_count + 1, sizeof *recording->change_begins);
    recording->event_begins =
        abut_allocate_zeroed(&r->context, (size_t)recording->step_count + 1, sizeof *recording->event_begins);
    if (r->status == ABUT_OK && (recording->contact_begins == NULL || recording->region_begins == NULL ||
                                 recording->change_begins == NULL || recording->event_begins == NULL)) {
        r->status = abut_fail(r->error, ABUT_NO_MEMORY, "no memory for the steps of a recording");
    }
    int64_t contacts = 0, regions = 0, changes = 0, events = 0, residuals = 0;
    for (int i = 0; i < recording->step_count && r->status == ABUT_OK; ++i) {
        const abut_recording_step *step = &recording->steps[i];
        const char *fault = fault_of_step(step, i);
        contacts += step->contact_count;
        regions += step->region_count;
        changes += step->change_count;
        events += step->event_count;
        residuals += step->residual_count;
        if (fault != NULL) {
            fail_row(r, ABUT_TABLE_STEPS, i, fault);
        } else if (contacts > r->raw.rows[ABUT_TABLE_CONTACTS]) {
            fail_row(r, ABUT_TABLE_STEPS, i, "has more contacts than the file");
        } else if (regions > r->raw.rows[ABUT_TABLE_REGIONS]) {
            fail_row(r, ABUT_TABLE_STEPS, i, "has more regions than the file");
        } else if (changes > r->raw.rows[ABUT_TABLE_CHANGES]) {
            fail_row(r, ABUT_TABLE_STEPS, i, "has more changes than the file");
        } else if (events > r->raw.rows[ABUT_TABLE_EVENTS]) {
            fail_row(r, ABUT_TABLE_STEPS, i, "has more events than the file");
        } else {
            recording->change_begins[i + 1] = (int)changes;
            recording->event_begins[i + 1] = (int)events;
            recording->contact_begins[i + 1] = (int)contacts;
            recording->region_begins[i + 1] = (int)regions;
        }
    }
    expect_rows(r, ABUT_TABLE_STATES, ((int64_t)recording->step_count + 1) * recording->body_count);
    expect_rows(r, ABUT_TABLE_CONTACTS, contacts);
    expect_rows(r, ABUT_TABLE_REGIONS, regions);
    expect_rows(r, ABUT_TABLE_CHANGES, changes);
    expect_rows(r, ABUT_TABLE_EVENTS, events);
    expect_rows(r, ABUT_TABLE_RESIDUALS, residuals);
    if (r->raw.rows[ABUT_TABLE_TIMINGS] != 0) {
        expect_rows(r, ABUT_TABLE_TIMINGS, recording->step_count);
    }
}

/// Finds where the vertices of soft bodies begin.
static void check_vertices(reading *r)
{
    abut_recording *recording = r->recording;
    recording->soft_begins =
        abut_allocate_zeroed(&r->context, (size_t)recording->body_count + 1, sizeof *recording->soft_begins);
    if (r->status == ABUT_OK && recording->soft_begins == NULL) {
        r->status = abut_fail(r->error, ABUT_NO_MEMORY, "no memory for the bodies of a recording");
    }
    int64_t count = 0;
    for (int i = 0; i < recording->body_count && r->status == ABUT_OK; ++i) {
        const abut_recording_body *body = &recording->bodies[i];
        recording->soft_begins[i] = body->is_soft ? (int)count : -1;
        count += body->is_soft ? abut_mesh_get_elements(recording->meshes[body->mesh].mesh).vertex_count : 0;
        if (count > INT_MAX) {
            fail_row(r, ABUT_TABLE_BODIES, i, "is one of too many soft bodies");
        }
    }
    expect_rows(r, ABUT_TABLE_SOFT_VERTICES, ((int64_t)recording->step_count + 1) * count);
    abut_vec3 *vertices = recording->soft_vertices = copy_rows(r, ABUT_TABLE_SOFT_VERTICES);
    recording->soft_vertex_count = r->status == ABUT_OK ? (int)count : 0;
    for (int64_t i = 0; i < r->raw.rows[ABUT_TABLE_SOFT_VERTICES] && r->status == ABUT_OK; ++i) {
        if (!abut_is_finite(vertices[i])) {
            fail_row(r, ABUT_TABLE_SOFT_VERTICES, i, "is not finite");
        }
    }
}

static void check_states(reading *r)
{
    abut_recording_state *states = r->recording->states = copy_rows(r, ABUT_TABLE_STATES);
    for (int64_t i = 0; i < r->raw.rows[ABUT_TABLE_STATES] && r->status == ABUT_OK; ++i) {
        abut_quat q = states[i].pose.rotation;
        double squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (!abut_is_finite(states[i].pose.position) || !abut_is_finite(states[i].linear_velocity) ||
            !abut_is_finite(states[i].angular_velocity)) {
            fail_row(r, ABUT_TABLE_STATES, i, "is not finite");
        } else if (!(fabs(squared - 1.0) <= 1e-6)) {
            fail_row(r, ABUT_TABLE_STATES, i, "has a rotation that is not a unit quaternion");
        }
    }
}

/// The arrays of all regions. Where the ranges of a region begin follows from the counts, which must add up.
typedef struct region_arrays {
    abut_world_region *items;
    abut_region_loop *loops;
    abut_region_cone *cones;
    abut_vec3 *points;
    abut_vec3 *directions; ///< the normals of all regions, then those of their cones
} region_arrays;

/// Takes the next `count` of `rows` rows and advances `*begin`. Returns 0 if there are not so many.
static int take_range(int64_t *begin, int count, int64_t rows, int32_t *taken)
{
    if (count < 0 || count > rows - *begin) {
        return 0;
    }
    *taken = (int32_t)*begin;
    *begin += count;
    return 1;
}

static const char *fault_of_region(const abut_recording *recording, const abut_world_region *region)
{
    if (region->body_a < 0 || region->body_a >= region->body_b || region->body_b >= recording->body_count) {
        return "has bodies that do not exist or are not in order";
    }
    return abut_region_fault(&region->region, recording->meshes[recording->bodies[region->body_a].mesh].mesh,
                             recording->meshes[recording->bodies[region->body_b].mesh].mesh);
}

static void fill_regions(reading *r, region_arrays *to)
{
    const int64_t *rows = r->raw.rows;
    int64_t loop = 0, cone = 0, normal = 0;
    const char *from = rows_of(r, ABUT_TABLE_REGIONS);
    for (int64_t i = 0; i < rows[ABUT_TABLE_REGIONS] && r->status == ABUT_OK; ++i) {
        abut_region_row row;
        memcpy(&row, from + (size_t)i * sizeof row, sizeof row);
        to->items[i] = (abut_world_region){row.body_a, row.body_b, row.region};
        abut_region *region = &to->items[i].region;
        const char *fault = fault_of_region(r->recording, &to->items[i]);
        if (fault != NULL) {
            fail_row(r, ABUT_TABLE_REGIONS, i, fault);
        } else if (!take_range(&loop, region->loop_count, rows[ABUT_TABLE_REGION_LOOPS], &region->loop_begin) ||
                   !take_range(&cone, region->cone_count, rows[ABUT_TABLE_REGION_CONES], &region->cone_begin) ||
                   !take_range(&normal, region->normal_count, rows[ABUT_TABLE_REGION_NORMALS],
                               &region->normal_begin)) {
            fail_row(r, ABUT_TABLE_REGIONS, i, "has loops, cones or normals beyond the end of their tables");
        }
    }
    expect_rows(r, ABUT_TABLE_REGION_LOOPS, loop);
    expect_rows(r, ABUT_TABLE_REGION_CONES, cone);
    expect_rows(r, ABUT_TABLE_REGION_NORMALS, normal);
}

static void fill_loops_and_cones(reading *r, region_arrays *to)
{
    const int64_t *rows = r->raw.rows;
    int64_t point = 0, direction = rows[ABUT_TABLE_REGION_NORMALS];
    int64_t direction_end = direction + rows[ABUT_TABLE_REGION_DIRECTIONS];
    const char *loops = rows_of(r, ABUT_TABLE_REGION_LOOPS), *cones = rows_of(r, ABUT_TABLE_REGION_CONES);
    for (int64_t i = 0; i < rows[ABUT_TABLE_REGION_LOOPS] && r->status == ABUT_OK; ++i) {
        abut_loop_row row;
        memcpy(&row, loops + (size_t)i * sizeof row, sizeof row);
        to->loops[i] = (abut_region_loop){0, row.point_count, row.is_hole};
        if ((unsigned)row.is_hole > 1u ||
            !take_range(&point, row.point_count, rows[ABUT_TABLE_REGION_POINTS], &to->loops[i].point_begin)) {
            fail_row(r, ABUT_TABLE_REGION_LOOPS, i,
                     "has points beyond the end of their table, or an invalid `hole`");
        }
    }
    for (int64_t i = 0; i < rows[ABUT_TABLE_REGION_CONES] && r->status == ABUT_OK; ++i) {
        memcpy(&to->cones[i].direction_count, cones + (size_t)i * sizeof(int32_t), sizeof(int32_t));
        if (!take_range(&direction, to->cones[i].direction_count, direction_end, &to->cones[i].direction_begin)) {
            fail_row(r, ABUT_TABLE_REGION_CONES, i, "has directions beyond the end of their table");
        }
    }
    expect_rows(r, ABUT_TABLE_REGION_POINTS, point);
    expect_rows(r, ABUT_TABLE_REGION_DIRECTIONS, direction - rows[ABUT_TABLE_REGION_NORMALS]);
}

static void check_vectors(reading *r, int table, const abut_vec3 *vectors)
{
    for (int64_t i = 0; i < r->raw.rows[table] && r->status == ABUT_OK; ++i) {
        if (!abut_is_finite(vectors[i])) {
            fail_row(r, table, i, "is not finite");
        }
    }
}

/// Allocates the arrays of all regions. They belong to the recording, also after a failure.
static region_arrays make_region_arrays(reading *r)
{
    const int64_t *rows = r->raw.rows;
    int64_t normals = rows[ABUT_TABLE_REGION_NORMALS], directions = rows[ABUT_TABLE_REGION_DIRECTIONS];
    region_arrays made = {0};
    if (r->status == ABUT_OK && directions > INT_MAX - normals) {
        fail_row(r, ABUT_TABLE_REGION_DIRECTIONS, directions, "too many rows");
    }
    if (r->status != ABUT_OK) {
        return made;
    }
    made.items = abut_allocate_zeroed(&r->context, (size_t)rows[ABUT_TABLE_REGIONS], sizeof *made.items);
    made.loops = abut_allocate_zeroed(&r->context, (size_t)rows[ABUT_TABLE_REGION_LOOPS], sizeof *made.loops);
    made.cones = abut_allocate_zeroed(&r->context, (size_t)rows[ABUT_TABLE_REGION_CONES], sizeof *made.cones);
    made.points = copy_rows(r, ABUT_TABLE_REGION_POINTS);
    made.directions = abut_allocate_zeroed(&r->context, (size_t)(normals + directions), sizeof *made.directions);
    r->recording->regions = (abut_world_regions){.items = made.items,
                                                 .count = (int)rows[ABUT_TABLE_REGIONS],
                                                 .loops = made.loops,
                                                 .loop_count = (int)rows[ABUT_TABLE_REGION_LOOPS],
                                                 .cones = made.cones,
                                                 .cone_count = (int)rows[ABUT_TABLE_REGION_CONES],
                                                 .points = made.points,
                                                 .point_count = (int)rows[ABUT_TABLE_REGION_POINTS],
                                                 .directions = made.directions,
                                                 .direction_count = (int)(normals + directions)};
    if (r->status == ABUT_OK &&
        (made.items == NULL || made.loops == NULL || made.cones == NULL || made.directions == NULL)) {
        r->status = abut_fail(r->error, ABUT_NO_MEMORY, "no memory for the regions of a recording");
    }
    return made;
}

static void check_regions(reading *r)
{
    region_arrays arrays = make_region_arrays(r);
    if (r->status != ABUT_OK) {
        return;
    }
    size_t normals = (size_t)r->raw.rows[ABUT_TABLE_REGION_NORMALS];
    memcpy(arrays.directions, rows_of(r, ABUT_TABLE_REGION_NORMALS), normals * sizeof *arrays.directions);
    memcpy(arrays.directions + normals, rows_of(r, ABUT_TABLE_REGION_DIRECTIONS),
           (size_t)r->raw.rows[ABUT_TABLE_REGION_DIRECTIONS] * sizeof *arrays.directions);
    fill_regions(r, &arrays);
    fill_loops_and_cones(r, &arrays);
    check_vectors(r, ABUT_TABLE_REGION_POINTS, arrays.points);
    check_vectors(r, ABUT_TABLE_REGION_NORMALS, arrays.directions);
    check_vectors(r, ABUT_TABLE_REGION_DIRECTIONS, arrays.directions + normals);
}

static void check_changes(reading *r)
{
    abut_world_change *changes = r->recording->changes = copy_rows(r, ABUT_TABLE_CHANGES);
    for (int64_t i = 0; i < r->raw.rows[ABUT_TABLE_CHANGES] && r->status == ABUT_OK; ++i) {
        const abut_world_change *c = &changes[i];
        if (c->body_a < 0 || c->body_a >= c->body_b || c->body_b >= r->recording->body_count ||
            (unsigned)c->event.kind > ABUT_EVENT_SHRINK || (unsigned)c->event.is_region > 1u) {
            fail_row(r, ABUT_TABLE_CHANGES, i,
                     "has bodies that do not exist or are not in order, or an unknown kind");
        }
    }
}

static void check_events(reading *r)
{
    abut_world_event *events = r->recording->events = copy_rows(r, ABUT_TABLE_EVENTS);
    for (int64_t i = 0; i < r->raw.rows[ABUT_TABLE_EVENTS] && r->status == ABUT_OK; ++i) {
        const abut_world_event *e = &events[i];
        if (e->body_a < 0 || e->body_a >= e->body_b || e->body_b >= r->recording->body_count ||
            (unsigned)e->kind > ABUT_WORLD_END || e->contact_count < 0) {
            fail_row(r, ABUT_TABLE_EVENTS, i,
                     "has bodies that do not exist or are not in order, an unknown kind, or a negative count");
        } else if (!isfinite(e->time) || !isfinite(e->speed)) {
            fail_row(r, ABUT_TABLE_EVENTS, i, "has a time or speed that is not finite");
        }
    }
}

/// What is wrong with a contact of a step, or NULL.
static const char *fault_of_contact(const abut_recording *recording, const abut_recording_contact *contact,
                                    int step)
{
    const abut_world_contact *c = &contact->item;
    int is_self = c->body_a == c->body_b && c->body_a >= 0 && c->body_a < recording->body_count &&
                  recording->bodies[c->body_a].is_soft;
    if (!is_self && (c->body_a < 0 || c->body_a >= c->body_b || c->body_b >= recording->body_count)) {
        return "has bodies that do not exist or are not in order";
    }
    if (contact->truth < ABUT_TRUTH_UNKNOWN || contact->truth > ABUT_TRUTH_RIGHT) {
        return "has an invalid truth";
    }
    if (!(c->friction >= 0.0) || !isfinite(c->restitution) || !isfinite(c->impulse.normal) ||
        !abut_is_finite(c->impulse.tangent) || !isfinite(c->impulse.torsion)) {
        return "has a negative friction, or a restitution or impulse that is not finite";
    }
    int begin = recording->region_begins[step], region = c->contact.region;
    if (region >= recording->region_begins[step + 1] - begin ||
        (region >= 0 && (recording->regions.items[begin + region].body_a != c->body_a ||
                         recording->regions.items[begin + region].body_b != c->body_b))) {
        return "has a region of other bodies";
    }
    return abut_contact_fault(&c->contact, recording->meshes[recording->bodies[c->body_a].mesh].mesh,
                              recording->meshes[recording->bodies[c->body_b].mesh].mesh);
}

static void check_contacts(reading *r)
{
    abut_recording *recording = r->recording;
    recording->contacts = copy_rows(r, ABUT_TABLE_CONTACTS);
    recording->contact_count = recording->contacts != NULL ? (int)r->raw.rows[ABUT_TABLE_CONTACTS] : 0;
    for (int i = 0, step = 0; i < recording->contact_count && r->status == ABUT_OK; ++i) {
        while (i >= recording->contact_begins[step + 1]) {
            ++step;
        }
        const char *fault = fault_of_contact(recording, &recording->contacts[i], step);
        if (fault != NULL) {
            fail_row(r, ABUT_TABLE_CONTACTS, i, fault);
        }
    }
}

static void take_rest(reading *r)
{
    abut_recording *recording = r->recording;
    recording->residuals = copy_rows(r, ABUT_TABLE_RESIDUALS);
    recording->residual_count = recording->residuals != NULL ? (int)r->raw.rows[ABUT_TABLE_RESIDUALS] : 0;
    if (r->raw.rows[ABUT_TABLE_TIMINGS] > 0) {
        recording->timings = copy_rows(r, ABUT_TABLE_TIMINGS);
    }
    recording->hash = ABUT_RECORDING_HASH_START;
    for (int i = 0; i < ABUT_TABLE_TIMINGS && r->status == ABUT_OK; ++i) {
        recording->hash =
            abut_table_hash(&abut_recording_tables[i], rows_of(r, i), r->raw.rows[i], recording->hash);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The whole recording

abut_status abut_recording_read(const abut_context *context, const char *path, abut_recording **recording,
                                abut_error *error)
{
    *recording = NULL;
    reading r = {.context = abut_context_or_default(context), .error = error};
    r.recording = abut_lab_object_create(&r.context, sizeof *r.recording);
    if (r.recording == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a recording");
    }
    r.status = abut_recording_fetch(&r.context, path, &r.raw, error);
    if (r.status == ABUT_OK) {
        check_about(&r);
        make_meshes(&r);
        check_materials(&r);
        check_bodies(&r);
        check_steps(&r);
        check_states(&r);
        check_vertices(&r);
        check_regions(&r);
        check_changes(&r);
        check_events(&r);
        check_contacts(&r);
        take_rest(&r);
    }
    abut_free(&r.context, r.mesh_rows);
    abut_free(&r.context, r.raw.bytes);
    if (r.status != ABUT_OK) {
        abut_recording_destroy(r.recording);
        r.recording = NULL;
    }
    *recording = r.recording;
    return r.status;
}

const abut_vec3 *abut_recording_get_vertices(const abut_recording *recording, int frame, int body)
{
    int begin = recording->soft_begins[body];
    return begin < 0 ? NULL
                     : recording->soft_vertices + (size_t)frame * (size_t)recording->soft_vertex_count + begin;
}

void abut_recording_destroy(abut_recording *recording)
{
    if (recording == NULL) {
        return;
    }
    const abut_context *context = abut_lab_object_context(recording);
    for (int i = 0; i < recording->mesh_count; ++i) {
        abut_mesh_destroy(recording->meshes[i].mesh);
    }
    abut_free(context, recording->meshes);
    abut_free(context, recording->materials);
    abut_free(context, recording->pairs);
    abut_free(context, recording->bodies);
    abut_free(context, recording->steps);
    abut_free(context, recording->states);
    abut_free(context, recording->soft_vertices);
    abut_free(context, recording->soft_begins);
    abut_free(context, recording->contacts);
    abut_free(context, recording->contact_begins);
    abut_free(context, recording->region_begins);
    abut_free(context, recording->change_begins);
    abut_free(context, recording->changes);
    abut_free(context, recording->event_begins);
    abut_free(context, recording->events);
    abut_free(context, (void *)recording->regions.items);
    abut_free(context, (void *)recording->regions.loops);
    abut_free(context, (void *)recording->regions.cones);
    abut_free(context, (void *)recording->regions.points);
    abut_free(context, (void *)recording->regions.directions);
    abut_free(context, recording->residuals);
    abut_free(context, recording->timings);
    abut_lab_object_destroy(recording);
}
