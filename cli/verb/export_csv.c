// SPDX-License-Identifier: MIT
// export_csv.c: a recording as CSV files: steps, bodies, contacts, regions and their outlines
#include "shared/contact_layout.h"
#include "shared/files.h"
#include "verb/export.h"

// ---------------------------------------------------------------------------------------------------------------
// Steps

typedef struct step_row {
    const abut_recording_step *step;
    const abut_recording_timing *timing; ///< or NULL
} step_row;

static const abut_cli_member step_members[] = {
    {"step", NULL, ABUT_CLI_AT(abut_recording_step, step)},
    {"time", NULL, ABUT_CLI_AT(abut_recording_step, time)},
    {"contacts", NULL, ABUT_CLI_AT(abut_recording_step, contact_count)},
    {"regions", NULL, ABUT_CLI_AT(abut_recording_step, region_count)},
    {"pairs", NULL, ABUT_CLI_AT(abut_recording_step, pair_count)},
    {"outcome", NULL, ABUT_CLI_TEXT_OF(abut_recording_step, outcome, abut_cli_solve_words)},
    {"iterations", NULL, ABUT_CLI_AT(abut_recording_step, iterations)},
    {"matched", NULL, ABUT_CLI_AT(abut_recording_step, matched)},
    {"changes", NULL, ABUT_CLI_AT(abut_recording_step, change_count)},
    {"events", NULL, ABUT_CLI_AT(abut_recording_step, event_count)},
    {"stepped_time", NULL, ABUT_CLI_AT(abut_recording_step, stepped_time)},
    {"churn", NULL, ABUT_CLI_AT(abut_recording_step, churn)},
    {"residual", NULL, ABUT_CLI_AT(abut_recording_step, residual)},
    {"residual_scale", NULL, ABUT_CLI_AT(abut_recording_step, residual_scale)},
    {"kinetic_energy", NULL, ABUT_CLI_AT(abut_recording_step, kinetic_energy)},
    {"potential_energy", NULL, ABUT_CLI_AT(abut_recording_step, potential_energy)},
    {"elastic_energy", NULL, ABUT_CLI_AT(abut_recording_step, elastic_energy)},
    {"quality", NULL, ABUT_CLI_AT(abut_recording_step, quality)},
};
static const abut_cli_layout step_layout = ABUT_CLI_LAYOUT(step_members);

static const abut_cli_member timing_members[] = {
    {"seconds_move", NULL, ABUT_CLI_AT(abut_recording_timing, move)},
    {"seconds_broad", NULL, ABUT_CLI_AT(abut_recording_timing, broad)},
    {"seconds_narrow", NULL, ABUT_CLI_AT(abut_recording_timing, narrow)},
    {"seconds_solve", NULL, ABUT_CLI_AT(abut_recording_timing, solve)},
};
static const abut_cli_layout timing_layout = ABUT_CLI_LAYOUT(timing_members);

static const abut_cli_member timed_step_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(step_row, step, step_layout)},
    {NULL, NULL, ABUT_CLI_PART_TO(step_row, timing, timing_layout)},
};
static const abut_cli_layout timed_step_layout = ABUT_CLI_LAYOUT(timed_step_members);

static void add_step(const abut_recording *recording, int k, abut_cli_table *table)
{
    if (k > 0) {
        step_row row = {&recording->steps[k - 1], recording->timings != NULL ? &recording->timings[k - 1] : NULL};
        abut_cli_add_row(table, &timed_step_layout, &row);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies

typedef struct body_row {
    int step;
    double time;
    int body;
    const char *name;
    abut_recording_state state;
} body_row;

static const abut_cli_member body_members[] = {
    {"step", NULL, ABUT_CLI_AT(body_row, step)},
    {"time", NULL, ABUT_CLI_AT(body_row, time)},
    {"body", NULL, ABUT_CLI_AT(body_row, body)},
    {"name", NULL, ABUT_CLI_AT(body_row, name)},
    {"position", NULL, ABUT_CLI_AT(body_row, state.pose.position)},
    {"rotation", NULL, ABUT_CLI_AT(body_row, state.pose.rotation)},
    {"linear_velocity", NULL, ABUT_CLI_AT(body_row, state.linear_velocity)},
    {"angular_velocity", NULL, ABUT_CLI_AT(body_row, state.angular_velocity)},
};
static const abut_cli_layout body_layout = ABUT_CLI_LAYOUT(body_members);

static void add_bodies(const abut_recording *recording, int k, abut_cli_table *table)
{
    for (int i = 0; i < recording->body_count; ++i) {
        body_row row = {.step = k,
                        .time = k == 0 ? 0.0 : recording->steps[k - 1].time,
                        .body = i,
                        .name = recording->bodies[i].name,
                        .state = recording->states[(size_t)k * (size_t)recording->body_count + (size_t)i]};
        abut_cli_add_row(table, &body_layout, &row);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

typedef struct contact_row {
    int step;
    const abut_recording_contact *contact;
} contact_row;

static const char *truth_text(const void *truth)
{
    static const char *const words[] = {"unknown", "wrong", "right"};
    return words[*(const abut_recording_truth *)truth - ABUT_TRUTH_UNKNOWN];
}

#define CONTACT(member) ABUT_CLI_AT(abut_recording_contact, item.member)
#define FEATURE_KIND(type, member) ABUT_CLI_WORD_AT(type, member.kind, abut_cli_feature_words)

static const abut_cli_member contact_members[] = {
    {"body_a", NULL, CONTACT(body_a)},
    {"body_b", NULL, CONTACT(body_b)},
    {"position", NULL, CONTACT(contact.position)},
    {"position_a", NULL, CONTACT(contact.position_a)},
    {"position_b", NULL, CONTACT(contact.position_b)},
    {"normal", NULL, CONTACT(contact.normal)},
    {"gap", NULL, CONTACT(contact.gap)},
    {"normal_speed", NULL, CONTACT(contact.normal_speed)},
    {"feature_a_kind", NULL, FEATURE_KIND(abut_recording_contact, item.contact.feature_a)},
    {"feature_a_index", NULL, CONTACT(contact.feature_a.index)},
    {"feature_b_kind", NULL, FEATURE_KIND(abut_recording_contact, item.contact.feature_b)},
    {"feature_b_index", NULL, CONTACT(contact.feature_b.index)},
    {"rule", NULL, ABUT_CLI_WORD_AT(abut_recording_contact, item.contact.rule, abut_cli_rule_words)},
    {"region", NULL, CONTACT(contact.region)},
    {"flags", NULL, ABUT_CLI_TEXT_OF(abut_recording_contact, item.contact.flags, abut_cli_flag_words)},
    {"id", NULL, CONTACT(contact.id)},
    {"friction", NULL, CONTACT(friction)},
    {"restitution", NULL, CONTACT(restitution)},
    {"normal_impulse", NULL, CONTACT(impulse.normal)},
    {"tangent_impulse", NULL, CONTACT(impulse.tangent)},
    {"torsion_impulse", NULL, CONTACT(impulse.torsion)},
    {"truth", NULL, ABUT_CLI_TEXT_OF(abut_recording_contact, truth, truth_text)},
};
static const abut_cli_layout contact_layout = ABUT_CLI_LAYOUT(contact_members);

static const abut_cli_member step_contact_members[] = {
    {"step", NULL, ABUT_CLI_AT(contact_row, step)},
    {NULL, NULL, ABUT_CLI_PART_TO(contact_row, contact, contact_layout)},
};
static const abut_cli_layout step_contact_layout = ABUT_CLI_LAYOUT(step_contact_members);

static void add_contacts(const abut_recording *recording, int k, abut_cli_table *table)
{
    for (int i = k == 0 ? 0 : recording->contact_begins[k - 1]; i < recording->contact_begins[k]; ++i) {
        contact_row row = {k, &recording->contacts[i]};
        abut_cli_add_row(table, &step_contact_layout, &row);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Regions

typedef struct region_row {
    int step, number, points;
    abut_world_region item;
    abut_vec3 normal; ///< the first one, or NaN
} region_row;

static const abut_cli_member region_members[] = {
    {"step", NULL, ABUT_CLI_AT(region_row, step)},
    {"region", NULL, ABUT_CLI_AT(region_row, number)},
    {"body_a", NULL, ABUT_CLI_AT(region_row, item.body_a)},
    {"body_b", NULL, ABUT_CLI_AT(region_row, item.body_b)},
    {"kind", NULL, ABUT_CLI_WORD_AT(region_row, item.region.kind, abut_cli_region_words)},
    {"feature_a_kind", NULL, FEATURE_KIND(region_row, item.region.feature_a)},
    {"feature_a_index", NULL, ABUT_CLI_AT(region_row, item.region.feature_a.index)},
    {"feature_b_kind", NULL, FEATURE_KIND(region_row, item.region.feature_b)},
    {"feature_b_index", NULL, ABUT_CLI_AT(region_row, item.region.feature_b.index)},
    {"loops", NULL, ABUT_CLI_AT(region_row, item.region.loop_count)},
    {"points", NULL, ABUT_CLI_AT(region_row, points)},
    {"measure", NULL, ABUT_CLI_AT(region_row, item.region.measure)},
    {"normals", NULL, ABUT_CLI_AT(region_row, item.region.normal_count)},
    {"normal", NULL, ABUT_CLI_AT(region_row, normal)},
    {"cones", NULL, ABUT_CLI_AT(region_row, item.region.cone_count)},
    {"rule", NULL, ABUT_CLI_WORD_AT(region_row, item.region.rule, abut_cli_rule_words)},
    {"life", NULL, ABUT_CLI_WORD_AT(region_row, item.region.life, abut_cli_life_words)},
    {"id", NULL, ABUT_CLI_AT(region_row, item.region.id)},
};
static const abut_cli_layout region_layout = ABUT_CLI_LAYOUT(region_members);

static void add_regions(const abut_recording *recording, int k, abut_cli_table *table)
{
    const abut_world_regions *regions = &recording->regions;
    int begin = k == 0 ? 0 : recording->region_begins[k - 1];
    for (int i = begin; i < recording->region_begins[k]; ++i) {
        region_row row = {.step = k, .number = i - begin, .item = regions->items[i]};
        const abut_region *region = &row.item.region;
        for (int l = 0; l < region->loop_count; ++l) {
            row.points += regions->loops[region->loop_begin + l].point_count;
        }
        row.normal =
            region->normal_count > 0 ? regions->directions[region->normal_begin] : abut_vec3_make(NAN, NAN, NAN);
        abut_cli_add_row(table, &region_layout, &row);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Outlines of regions

typedef struct outline_row {
    int step, region, loop, is_hole, point;
    abut_vec3 position;
} outline_row;

static const abut_cli_member outline_members[] = {
    {"step", NULL, ABUT_CLI_AT(outline_row, step)},   {"region", NULL, ABUT_CLI_AT(outline_row, region)},
    {"loop", NULL, ABUT_CLI_AT(outline_row, loop)},   {"hole", NULL, ABUT_CLI_AT(outline_row, is_hole)},
    {"point", NULL, ABUT_CLI_AT(outline_row, point)}, {"position", NULL, ABUT_CLI_AT(outline_row, position)},
};
static const abut_cli_layout outline_layout = ABUT_CLI_LAYOUT(outline_members);

static void add_outlines(const abut_recording *recording, int k, abut_cli_table *table)
{
    const abut_world_regions *regions = &recording->regions;
    int begin = k == 0 ? 0 : recording->region_begins[k - 1];
    for (int i = begin; i < recording->region_begins[k]; ++i) {
        const abut_region *region = &regions->items[i].region;
        for (int l = 0; l < region->loop_count; ++l) {
            const abut_region_loop *loop = &regions->loops[region->loop_begin + l];
            for (int v = 0; v < loop->point_count; ++v) {
                outline_row row = {k, i - begin, l, loop->is_hole, v, regions->points[loop->point_begin + v]};
                abut_cli_add_row(table, &outline_layout, &row);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Changes

typedef struct change_row {
    int step;
    abut_world_change item;
} change_row;

static const char *const change_words[] = {"begin", "persist", "split", "merge", "end", "shrink", NULL};
static const char *const subject_words[] = {"contact", "region", NULL};

static const abut_cli_member change_members[] = {
    {"step", NULL, ABUT_CLI_AT(change_row, step)},
    {"body_a", NULL, ABUT_CLI_AT(change_row, item.body_a)},
    {"body_b", NULL, ABUT_CLI_AT(change_row, item.body_b)},
    {"of", NULL, ABUT_CLI_WORD_AT(change_row, item.event.is_region, subject_words)},
    {"kind", NULL, ABUT_CLI_WORD_AT(change_row, item.event.kind, change_words)},
    {"id", NULL, ABUT_CLI_AT(change_row, item.event.id)},
    {"other_id", NULL, ABUT_CLI_AT(change_row, item.event.other_id)},
};
static const abut_cli_layout change_layout = ABUT_CLI_LAYOUT(change_members);

static void add_changes(const abut_recording *recording, int k, abut_cli_table *table)
{
    for (int i = k == 0 ? 0 : recording->change_begins[k - 1]; i < recording->change_begins[k]; ++i) {
        change_row row = {k, recording->changes[i]};
        abut_cli_add_row(table, &change_layout, &row);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Events

typedef struct event_row {
    int step;
    abut_world_event item;
} event_row;

static const abut_cli_member event_members[] = {
    {"step", NULL, ABUT_CLI_AT(event_row, step)},
    {"kind", NULL, ABUT_CLI_WORD_AT(event_row, item.kind, abut_cli_event_words)},
    {"time", NULL, ABUT_CLI_AT(event_row, item.time)},
    {"body_a", NULL, ABUT_CLI_AT(event_row, item.body_a)},
    {"body_b", NULL, ABUT_CLI_AT(event_row, item.body_b)},
    {"contacts", NULL, ABUT_CLI_AT(event_row, item.contact_count)},
    {"speed", NULL, ABUT_CLI_AT(event_row, item.speed)},
};
static const abut_cli_layout event_layout = ABUT_CLI_LAYOUT(event_members);

static void add_events(const abut_recording *recording, int k, abut_cli_table *table)
{
    for (int i = k == 0 ? 0 : recording->event_begins[k - 1]; i < recording->event_begins[k]; ++i) {
        event_row row = {k, recording->events[i]};
        abut_cli_add_row(table, &event_layout, &row);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Files

/// Adds the rows of state `k`.
typedef void add_function(const abut_recording *recording, int k, abut_cli_table *table);

typedef struct csv_file {
    const char *name;
    const abut_cli_layout *layout;
    add_function *add;
} csv_file;

/// Prints state by state, to save memory.
static abut_cli_exit write_file(const abut_recording *recording, const char *folder, const csv_file *file,
                                abut_cli_list *files)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    for (int k = 0; k <= recording->step_count; ++k) {
        abut_cli_table table;
        abut_cli_table_begin(&table, file->layout);
        file->add(recording, k, &table);
        if (k == 0) {
            abut_cli_csv_head(&table, text.stream);
        }
        abut_cli_csv_rows(&table, text.stream);
        abut_cli_table_release(&table);
    }
    return abut_cli_export_text(folder, file->name, &text, files);
}

abut_cli_exit abut_cli_export_csv(const abut_recording *recording, const char *folder, int every,
                                  abut_cli_list *files)
{
    (void)every;
    static const csv_file list[] = {
        {"steps.csv", &timed_step_layout, add_step},
        {"bodies.csv", &body_layout, add_bodies},
        {"contacts.csv", &step_contact_layout, add_contacts},
        {"regions.csv", &region_layout, add_regions},
        {"outlines.csv", &outline_layout, add_outlines},
        {"changes.csv", &change_layout, add_changes},
        {"events.csv", &event_layout, add_events},
    };
    abut_cli_exit code = abut_cli_make_folder(folder);
    for (size_t i = 0; i < sizeof list / sizeof list[0] && code == ABUT_CLI_DONE; ++i) {
        code = write_file(recording, folder, &list[i], files);
    }
    return code;
}
