// SPDX-License-Identifier: MIT
// recording_layout.c: the arrays of a recording, field by field
#include "recording/recording_layout.h"

// Enumerations are written as 32-bit integers.
_Static_assert(sizeof(abut_rule) == 4 && sizeof(abut_region_life) == 4 && sizeof(abut_event_kind) == 4 &&
                   sizeof(abut_normal_side) == 4 && sizeof(abut_recording_truth) == 4 &&
                   sizeof(abut_recording_end) == 4 && sizeof(abut_region_kind) == 4 &&
                   sizeof(abut_solve_outcome) == 4 && sizeof(abut_sweep_rule) == 4 &&
                   sizeof(abut_factor_rule) == 4 && sizeof(abut_gap_rule) == 4 && sizeof(int) == 4,
               "an enumeration has 32 bits");
_Static_assert(sizeof(abut_feature) == 20 && sizeof(abut_pose) == 56 && sizeof(abut_vec3) == 24,
               "these have no padding, so they are written as arrays of numbers");

#define REALS(type, member, count) offsetof(type, member), ABUT_FIELD_REAL, count
#define INTS(type, member, count) offsetof(type, member), ABUT_FIELD_INT, count
#define TEXT(type, member, count) offsetof(type, member), ABUT_FIELD_TEXT, count

static const abut_field about_fields[] = {
    {"version", INTS(abut_recording_about, version, 1)},
    {"library", TEXT(abut_recording_about, library, ABUT_SETUP_NAME_ROOM)},
    {"scene", TEXT(abut_recording_about, scene, ABUT_SETUP_NAME_ROOM)},
    {"method", TEXT(abut_recording_about, method, ABUT_SETUP_NAME_ROOM)},
    {"params", TEXT(abut_recording_about, params, ABUT_RECORDING_REASON_ROOM)},
    {"dt", REALS(abut_recording_about, dt, 1)},
    {"gravity", REALS(abut_recording_about, gravity, 3)},
    {"stepper", INTS(abut_recording_about, stepper, 1)},
    {"solver", INTS(abut_recording_about, solver, 1)},
    {"sweep", INTS(abut_recording_about, sweep, 1)},
    {"factor", INTS(abut_recording_about, factor, 1)},
    {"iteration_limit", INTS(abut_recording_about, iteration_limit, 1)},
    {"absolute_tolerance", REALS(abut_recording_about, absolute_tolerance, 1)},
    {"relative_tolerance", REALS(abut_recording_about, relative_tolerance, 1)},
    {"directions", INTS(abut_recording_about, directions, 1)},
    {"pivot_limit", INTS(abut_recording_about, pivot_limit, 1)},
    {"mcp_tolerance", REALS(abut_recording_about, mcp_tolerance, 1)},
    {"gap_rule", INTS(abut_recording_about, gap_rule, 1)},
    {"warm_start", INTS(abut_recording_about, has_warm_start, 1)},
    {"stabilised", INTS(abut_recording_about, stabilisation.is_on, 1)},
    {"slop", REALS(abut_recording_about, stabilisation.slop, 1)},
    {"share", REALS(abut_recording_about, stabilisation.share, 1)},
    {"push_limit", REALS(abut_recording_about, stabilisation.speed_limit, 1)},
    {"torsion_radius", REALS(abut_recording_about, torsion_radius, 1)},
    {"linear_damping", REALS(abut_recording_about, linear_damping, 1)},
    {"angular_damping", REALS(abut_recording_about, angular_damping, 1)},
    {"speed_limit", REALS(abut_recording_about, speed_limit, 1)},
    {"end", INTS(abut_recording_about, end, 1)},
    {"reason", TEXT(abut_recording_about, reason, ABUT_RECORDING_REASON_ROOM)},
};

static const abut_field mesh_fields[] = {
    {"name", TEXT(abut_mesh_row, name, ABUT_SETUP_NAME_ROOM)}, {"precision", INTS(abut_mesh_row, precision, 1)},
    {"vertices", INTS(abut_mesh_row, vertex_count, 1)},        {"points", INTS(abut_mesh_row, point_count, 1)},
    {"segments", INTS(abut_mesh_row, segment_count, 1)},       {"faces", INTS(abut_mesh_row, face_count, 1)},
    {"face_vertices", INTS(abut_mesh_row, corner_count, 1)},   {"tets", INTS(abut_mesh_row, tet_count, 1)},
};

static const abut_field material_fields[] = {
    {"name", TEXT(abut_recording_material, name, ABUT_SETUP_NAME_ROOM)},
    {"density", REALS(abut_recording_material, density, 1)},
    {"friction", REALS(abut_recording_material, friction, 1)},
    {"restitution", REALS(abut_recording_material, restitution, 1)},
};

static const abut_field pair_fields[] = {
    {"a", INTS(abut_recording_pair, a, 1)},
    {"b", INTS(abut_recording_pair, b, 1)},
    {"friction", REALS(abut_recording_pair, friction, 1)},
    {"restitution", REALS(abut_recording_pair, restitution, 1)},
    {"method", TEXT(abut_recording_pair, method, ABUT_SETUP_NAME_ROOM)},
};

static const abut_field body_fields[] = {
    {"name", TEXT(abut_recording_body, name, ABUT_SETUP_NAME_ROOM)},
    {"mesh", INTS(abut_recording_body, mesh, 1)},
    {"material", INTS(abut_recording_body, material, 1)},
    {"fixed", INTS(abut_recording_body, is_fixed, 1)},
    {"soft", INTS(abut_recording_body, is_soft, 1)},
    {"mass", REALS(abut_recording_body, mass, 1)},
};

static const abut_field state_fields[] = {
    {"position", REALS(abut_recording_state, pose.position, 3)},
    {"rotation", REALS(abut_recording_state, pose.rotation, 4)},
    {"linear_velocity", REALS(abut_recording_state, linear_velocity, 3)},
    {"angular_velocity", REALS(abut_recording_state, angular_velocity, 3)},
};

static const abut_field step_fields[] = {
    {"step", offsetof(abut_recording_step, step), ABUT_FIELD_LONG, 1},
    {"time", REALS(abut_recording_step, time, 1)},
    {"contacts", INTS(abut_recording_step, contact_count, 1)},
    {"pairs", INTS(abut_recording_step, pair_count, 1)},
    {"outcome", INTS(abut_recording_step, outcome, 1)},
    {"iterations", INTS(abut_recording_step, iterations, 1)},
    {"matched", INTS(abut_recording_step, matched, 1)},
    {"residuals", INTS(abut_recording_step, residual_count, 1)},
    {"regions", INTS(abut_recording_step, region_count, 1)},
    {"changes", INTS(abut_recording_step, change_count, 1)},
    {"churn", INTS(abut_recording_step, churn, 1)},
    {"events", INTS(abut_recording_step, event_count, 1)},
    {"stepped_time", REALS(abut_recording_step, stepped_time, 1)},
    {"residual", REALS(abut_recording_step, residual, 1)},
    {"residual_scale", REALS(abut_recording_step, residual_scale, 1)},
    {"kinetic_energy", REALS(abut_recording_step, kinetic_energy, 1)},
    {"potential_energy", REALS(abut_recording_step, potential_energy, 1)},
    {"elastic_energy", REALS(abut_recording_step, elastic_energy, 1)},
    {"quality", REALS(abut_recording_step, quality, 1)},
};

#define CONTACT(member) item.contact.member
static const abut_field contact_fields[] = {
    {"body_a", INTS(abut_recording_contact, item.body_a, 1)},
    {"body_b", INTS(abut_recording_contact, item.body_b, 1)},
    {"position", REALS(abut_recording_contact, CONTACT(position), 3)},
    {"position_a", REALS(abut_recording_contact, CONTACT(position_a), 3)},
    {"position_b", REALS(abut_recording_contact, CONTACT(position_b), 3)},
    {"normal", REALS(abut_recording_contact, CONTACT(normal), 3)},
    {"gap", REALS(abut_recording_contact, CONTACT(gap), 1)},
    {"normal_speed", REALS(abut_recording_contact, CONTACT(normal_speed), 1)},
    {"time", REALS(abut_recording_contact, CONTACT(time), 1)},
    {"feature_a", INTS(abut_recording_contact, CONTACT(feature_a), 5)},
    {"feature_b", INTS(abut_recording_contact, CONTACT(feature_b), 5)},
    {"normal_feature", INTS(abut_recording_contact, CONTACT(normal_feature), 5)},
    {"normal_side", INTS(abut_recording_contact, CONTACT(normal_side), 1)},
    {"vertices_a", INTS(abut_recording_contact, CONTACT(anchor_a.vertices), 4)},
    {"weights_a", REALS(abut_recording_contact, CONTACT(anchor_a.weights), 4)},
    {"vertices_b", INTS(abut_recording_contact, CONTACT(anchor_b.vertices), 4)},
    {"weights_b", REALS(abut_recording_contact, CONTACT(anchor_b.weights), 4)},
    {"rule", INTS(abut_recording_contact, CONTACT(rule), 1)},
    {"region", INTS(abut_recording_contact, CONTACT(region), 1)},
    {"flags", INTS(abut_recording_contact, CONTACT(flags), 1)},
    {"id", offsetof(abut_recording_contact, CONTACT(id)), ABUT_FIELD_ID, 1},
    {"friction", REALS(abut_recording_contact, item.friction, 1)},
    {"restitution", REALS(abut_recording_contact, item.restitution, 1)},
    {"normal_impulse", REALS(abut_recording_contact, item.impulse.normal, 1)},
    {"tangent_impulse", REALS(abut_recording_contact, item.impulse.tangent, 3)},
    {"torsion_impulse", REALS(abut_recording_contact, item.impulse.torsion, 1)},
    {"truth", INTS(abut_recording_contact, truth, 1)},
};

#define REGION(member) region.member
static const abut_field region_fields[] = {
    {"body_a", INTS(abut_region_row, body_a, 1)},
    {"body_b", INTS(abut_region_row, body_b, 1)},
    {"kind", INTS(abut_region_row, REGION(kind), 1)},
    {"feature_a", INTS(abut_region_row, REGION(feature_a), 5)},
    {"feature_b", INTS(abut_region_row, REGION(feature_b), 5)},
    {"loops", INTS(abut_region_row, REGION(loop_count), 1)},
    {"normals", INTS(abut_region_row, REGION(normal_count), 1)},
    {"cones", INTS(abut_region_row, REGION(cone_count), 1)},
    {"measure", REALS(abut_region_row, REGION(measure), 1)},
    {"rule", INTS(abut_region_row, REGION(rule), 1)},
    {"life", INTS(abut_region_row, REGION(life), 1)},
    {"id", offsetof(abut_region_row, REGION(id)), ABUT_FIELD_ID, 1},
};

static const abut_field loop_fields[] = {
    {"points", INTS(abut_loop_row, point_count, 1)},
    {"hole", INTS(abut_loop_row, is_hole, 1)},
};

static const abut_field timing_fields[] = {
    {"move", REALS(abut_recording_timing, move, 1)},
    {"broad", REALS(abut_recording_timing, broad, 1)},
    {"narrow", REALS(abut_recording_timing, narrow, 1)},
    {"solve", REALS(abut_recording_timing, solve, 1)},
};

static const abut_field one_real[] = {{NULL, 0, ABUT_FIELD_REAL, 1}};
static const abut_field three_reals[] = {{NULL, 0, ABUT_FIELD_REAL, 3}};
static const abut_field one_int[] = {{NULL, 0, ABUT_FIELD_INT, 1}};
static const abut_field change_fields[] = {
    {"body_a", INTS(abut_world_change, body_a, 1)},
    {"body_b", INTS(abut_world_change, body_b, 1)},
    {"kind", INTS(abut_world_change, event.kind, 1)},
    {"is_region", INTS(abut_world_change, event.is_region, 1)},
    {"id", offsetof(abut_world_change, event.id), ABUT_FIELD_ID, 1},
    {"other_id", offsetof(abut_world_change, event.other_id), ABUT_FIELD_ID, 1},
};

static const abut_field event_fields[] = {
    {"kind", INTS(abut_world_event, kind, 1)},
    {"time", REALS(abut_world_event, time, 1)},
    {"body_a", INTS(abut_world_event, body_a, 1)},
    {"body_b", INTS(abut_world_event, body_b, 1)},
    {"contacts", INTS(abut_world_event, contact_count, 1)},
    {"speed", REALS(abut_world_event, speed, 1)},
};

static const abut_field two_ints[] = {{NULL, 0, ABUT_FIELD_INT, 2}};
static const abut_field four_ints[] = {{NULL, 0, ABUT_FIELD_INT, 4}};

#define FIELDS(array) array, (int)(sizeof array / sizeof array[0])

const abut_table abut_recording_tables[ABUT_TABLE_COUNT] = {
    [ABUT_TABLE_ABOUT] = {NULL, "about", FIELDS(about_fields), sizeof(abut_recording_about), 0},
    [ABUT_TABLE_MESHES] = {"meshes", "table", FIELDS(mesh_fields), sizeof(abut_mesh_row), 0},
    [ABUT_TABLE_VERTICES] = {"meshes", "vertices", FIELDS(three_reals), sizeof(abut_vec3), 0},
    [ABUT_TABLE_POINTS] = {"meshes", "points", FIELDS(one_int), sizeof(int32_t), 0},
    [ABUT_TABLE_SEGMENTS] = {"meshes", "segments", FIELDS(two_ints), 2 * sizeof(int32_t), 0},
    [ABUT_TABLE_FACE_SIZES] = {"meshes", "face_sizes", FIELDS(one_int), sizeof(int32_t), 0},
    [ABUT_TABLE_FACE_VERTICES] = {"meshes", "face_vertices", FIELDS(one_int), sizeof(int32_t), 0},
    [ABUT_TABLE_TETS] = {"meshes", "tets", FIELDS(four_ints), 4 * sizeof(int32_t), 0},
    [ABUT_TABLE_MATERIALS] = {NULL, "materials", FIELDS(material_fields), sizeof(abut_recording_material), 0},
    [ABUT_TABLE_PAIRS] = {NULL, "pairs", FIELDS(pair_fields), sizeof(abut_recording_pair), 0},
    [ABUT_TABLE_BODIES] = {NULL, "bodies", FIELDS(body_fields), sizeof(abut_recording_body), 0},
    [ABUT_TABLE_STATES] = {NULL, "states", FIELDS(state_fields), sizeof(abut_recording_state), 1},
    [ABUT_TABLE_SOFT_VERTICES] = {NULL, "soft_vertices", FIELDS(three_reals), sizeof(abut_vec3), 1},
    [ABUT_TABLE_STEPS] = {NULL, "steps", FIELDS(step_fields), sizeof(abut_recording_step), 1},
    [ABUT_TABLE_CONTACTS] = {NULL, "contacts", FIELDS(contact_fields), sizeof(abut_recording_contact), 1},
    [ABUT_TABLE_REGIONS] = {"regions", "table", FIELDS(region_fields), sizeof(abut_region_row), 1},
    [ABUT_TABLE_REGION_LOOPS] = {"regions", "loops", FIELDS(loop_fields), sizeof(abut_loop_row), 1},
    [ABUT_TABLE_REGION_POINTS] = {"regions", "points", FIELDS(three_reals), sizeof(abut_vec3), 1},
    [ABUT_TABLE_REGION_NORMALS] = {"regions", "normals", FIELDS(three_reals), sizeof(abut_vec3), 1},
    [ABUT_TABLE_REGION_CONES] = {"regions", "cones", FIELDS(one_int), sizeof(int32_t), 1},
    [ABUT_TABLE_REGION_DIRECTIONS] = {"regions", "directions", FIELDS(three_reals), sizeof(abut_vec3), 1},
    [ABUT_TABLE_CHANGES] = {NULL, "changes", FIELDS(change_fields), sizeof(abut_world_change), 1},
    [ABUT_TABLE_EVENTS] = {NULL, "events", FIELDS(event_fields), sizeof(abut_world_event), 1},
    [ABUT_TABLE_RESIDUALS] = {NULL, "residuals", FIELDS(one_real), sizeof(double), 1},
    [ABUT_TABLE_TIMINGS] = {"timings", "steps", FIELDS(timing_fields), sizeof(abut_recording_timing), 1},
};

// ---------------------------------------------------------------------------------------------------------------
// Types of HDF5

static size_t size_of(const abut_field *field)
{
    static const size_t sizes[] = {[ABUT_FIELD_REAL] = 8,
                                   [ABUT_FIELD_INT] = 4,
                                   [ABUT_FIELD_LONG] = 8,
                                   [ABUT_FIELD_ID] = 8,
                                   [ABUT_FIELD_TEXT] = 1};
    return sizes[field->kind] * (size_t)field->count;
}

/// A new type, to be closed by the caller.
static hid_t field_type(const abut_field *field, int is_file)
{
    hid_t single = -1;
    switch (field->kind) {
    case ABUT_FIELD_REAL: single = is_file ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE; break;
    case ABUT_FIELD_INT: single = is_file ? H5T_STD_I32LE : H5T_NATIVE_INT32; break;
    case ABUT_FIELD_LONG: single = is_file ? H5T_STD_I64LE : H5T_NATIVE_INT64; break;
    case ABUT_FIELD_ID: single = is_file ? H5T_STD_U64LE : H5T_NATIVE_UINT64; break;
    case ABUT_FIELD_TEXT: single = H5T_C_S1; break;
    }
    if (field->kind == ABUT_FIELD_TEXT) {
        hid_t text = H5Tcopy(single);
        if (text >= 0 &&
            (H5Tset_size(text, (size_t)field->count) < 0 || H5Tset_strpad(text, H5T_STR_NULLPAD) < 0)) {
            (void)H5Tclose(text);
            return -1;
        }
        return text;
    }
    hsize_t count = (hsize_t)field->count;
    return field->count > 1 ? H5Tarray_create2(single, 1, &count) : H5Tcopy(single);
}

static hid_t row_type(const abut_table *table, int is_file)
{
    if (table->fields[0].name == NULL) {
        return field_type(&table->fields[0], is_file);
    }
    size_t packed = 0;
    for (int i = 0; i < table->field_count; ++i) {
        packed += size_of(&table->fields[i]);
    }
    hid_t row = H5Tcreate(H5T_COMPOUND, is_file ? packed : table->row_size);
    size_t offset = 0;
    for (int i = 0; i < table->field_count && row >= 0; ++i) {
        const abut_field *field = &table->fields[i];
        hid_t type = field_type(field, is_file);
        int is_added = type >= 0 && H5Tinsert(row, field->name, is_file ? offset : field->offset, type) >= 0;
        if (type >= 0) {
            (void)H5Tclose(type);
        }
        if (!is_added) {
            (void)H5Tclose(row);
            return -1;
        }
        offset += size_of(field);
    }
    return row;
}

hid_t abut_table_file_type(const abut_table *table)
{
    return row_type(table, 1);
}

hid_t abut_table_memory_type(const abut_table *table)
{
    return row_type(table, 0);
}

// ---------------------------------------------------------------------------------------------------------------
// The hash

uint64_t abut_table_hash(const abut_table *table, const void *rows, int64_t count, uint64_t hash)
{
    for (int64_t i = 0; i < count; ++i) {
        const unsigned char *row = (const unsigned char *)rows + (size_t)i * table->row_size;
        for (int k = 0; k < table->field_count; ++k) {
            const abut_field *field = &table->fields[k];
            for (size_t b = 0; b < size_of(field); ++b) {
                hash = (hash ^ row[field->offset + b]) * UINT64_C(0x100000001b3);
            }
        }
    }
    return hash;
}

const char *abut_recording_end_text(abut_recording_end end)
{
    switch (end) {
    case ABUT_RECORDING_UNFINISHED: return "unfinished";
    case ABUT_RECORDING_DONE: return "done";
    case ABUT_RECORDING_INTERRUPTED: return "interrupted";
    case ABUT_RECORDING_FAILED: return "failed";
    }
    return NULL;
}
