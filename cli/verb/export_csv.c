// SPDX-License-Identifier: MIT
// export_csv.c: a recording as CSV files: steps, bodies, contacts, regions and their outlines
#include "shared/contact_json.h"
#include "shared/files.h"
#include "verb/export.h"

#define NUMBER(name)                                                                                               \
    {                                                                                                              \
        name, NULL, ABUT_CLI_NUMBER                                                                                \
    }
#define WORDS(name)                                                                                                \
    {                                                                                                              \
        name, NULL, ABUT_CLI_WORDS                                                                                 \
    }
#define VECTOR(name) NUMBER(name "_x"), NUMBER(name "_y"), NUMBER(name "_z")
#define FEATURE(name) WORDS(name "_kind"), NUMBER(name "_index")
#define COLUMNS(list) list, (int)(sizeof list / sizeof list[0])

static const abut_cli_column step_columns[] = {
    NUMBER("step"),
    NUMBER("time"),
    NUMBER("contacts"),
    NUMBER("regions"),
    NUMBER("pairs"),
    NUMBER("fallbacks"),
    WORDS("outcome"),
    NUMBER("iterations"),
    NUMBER("matched"),
    NUMBER("residual"),
    NUMBER("residual_scale"),
    NUMBER("kinetic_energy"),
    NUMBER("potential_energy"),
    NUMBER("quality"),
    NUMBER("seconds_move"),
    NUMBER("seconds_broad"),
    NUMBER("seconds_narrow"),
    NUMBER("seconds_solve"),
};

static const abut_cli_column body_columns[] = {
    NUMBER("step"),
    NUMBER("time"),
    NUMBER("body"),
    WORDS("name"),
    VECTOR("position"),
    NUMBER("rotation_w"),
    VECTOR("rotation"),
    VECTOR("linear_velocity"),
    VECTOR("angular_velocity"),
};

static const abut_cli_column contact_columns[] = {
    NUMBER("step"),
    NUMBER("body_a"),
    NUMBER("body_b"),
    VECTOR("position"),
    VECTOR("position_a"),
    VECTOR("position_b"),
    VECTOR("normal"),
    NUMBER("gap"),
    NUMBER("normal_speed"),
    FEATURE("feature_a"),
    FEATURE("feature_b"),
    WORDS("rule"),
    NUMBER("region"),
    WORDS("flags"),
    WORDS("id"),
    NUMBER("fallback"),
    NUMBER("friction"),
    NUMBER("restitution"),
    NUMBER("normal_impulse"),
    VECTOR("tangent_impulse"),
    NUMBER("torsion_impulse"),
    WORDS("truth"),
};

static const abut_cli_column region_columns[] = {
    NUMBER("step"),       NUMBER("region"),     NUMBER("body_a"), NUMBER("body_b"), WORDS("kind"),
    FEATURE("feature_a"), FEATURE("feature_b"), NUMBER("loops"),  NUMBER("points"), NUMBER("measure"),
    NUMBER("normals"),    VECTOR("normal"),     NUMBER("cones"),  WORDS("rule"),    WORDS("id"),
};

static const abut_cli_column outline_columns[] = {
    NUMBER("step"), NUMBER("region"), NUMBER("loop"), NUMBER("hole"), NUMBER("point"), VECTOR("position"),
};

static double time_of(const abut_recording *recording, int k)
{
    return k == 0 ? 0.0 : recording->steps[k - 1].time;
}

static void add_step(const abut_recording *recording, int k, abut_cli_table *table)
{
    if (k == 0) {
        return;
    }
    const abut_recording_step *step = &recording->steps[k - 1];
    const abut_recording_timing none = {NAN, NAN, NAN, NAN};
    const abut_recording_timing *timing = recording->timings != NULL ? &recording->timings[k - 1] : &none;
    abut_cli_add_number(table, (double)step->step);
    abut_cli_add_number(table, step->time);
    abut_cli_add_number(table, step->contact_count);
    abut_cli_add_number(table, step->region_count);
    abut_cli_add_number(table, step->pair_count);
    abut_cli_add_number(table, step->fallback_count);
    abut_cli_add_text(table, abut_solve_outcome_text(step->outcome));
    abut_cli_add_number(table, step->iterations);
    abut_cli_add_number(table, step->matched);
    abut_cli_add_number(table, step->residual);
    abut_cli_add_number(table, step->residual_scale);
    abut_cli_add_number(table, step->kinetic_energy);
    abut_cli_add_number(table, step->potential_energy);
    abut_cli_add_number(table, step->quality);
    abut_cli_add_number(table, timing->move);
    abut_cli_add_number(table, timing->broad);
    abut_cli_add_number(table, timing->narrow);
    abut_cli_add_number(table, timing->solve);
}

static void add_bodies(const abut_recording *recording, int k, abut_cli_table *table)
{
    for (int i = 0; i < recording->body_count; ++i) {
        const abut_recording_state *state =
            &recording->states[(size_t)k * (size_t)recording->body_count + (size_t)i];
        abut_quat q = state->pose.rotation;
        abut_cli_add_number(table, k);
        abut_cli_add_number(table, time_of(recording, k));
        abut_cli_add_number(table, i);
        abut_cli_add_text(table, recording->bodies[i].name);
        abut_cli_add_vec3(table, state->pose.position);
        abut_cli_add_number(table, q.w);
        abut_cli_add_vec3(table, abut_vec3_make(q.x, q.y, q.z));
        abut_cli_add_vec3(table, state->linear_velocity);
        abut_cli_add_vec3(table, state->angular_velocity);
    }
}

static void add_contact(int k, const abut_recording_contact *from, abut_cli_table *table)
{
    static const char *const truths[] = {"unknown", "wrong", "right"};
    const abut_world_contact *c = &from->item;
    char id[ABUT_CLI_ID_SIZE];
    abut_cli_id_print(c->contact.id, id);
    abut_cli_add_number(table, k);
    abut_cli_add_number(table, c->body_a);
    abut_cli_add_number(table, c->body_b);
    abut_cli_add_vec3(table, c->contact.position);
    abut_cli_add_vec3(table, c->contact.position_a);
    abut_cli_add_vec3(table, c->contact.position_b);
    abut_cli_add_vec3(table, c->contact.normal);
    abut_cli_add_number(table, c->contact.gap);
    abut_cli_add_number(table, c->contact.normal_speed);
    abut_cli_add_text(table, abut_cli_feature_word(c->contact.feature_a.kind));
    abut_cli_add_number(table, c->contact.feature_a.index);
    abut_cli_add_text(table, abut_cli_feature_word(c->contact.feature_b.kind));
    abut_cli_add_number(table, c->contact.feature_b.index);
    abut_cli_add_text(table, abut_cli_rule_word(c->contact.rule));
    abut_cli_add_number(table, c->contact.region);
    abut_cli_add_text(table, abut_cli_flag_words(c->contact.flags));
    abut_cli_add_text(table, id);
    abut_cli_add_number(table, c->is_fallback);
    abut_cli_add_number(table, c->friction);
    abut_cli_add_number(table, c->restitution);
    abut_cli_add_number(table, c->impulse.normal);
    abut_cli_add_vec3(table, c->impulse.tangent);
    abut_cli_add_number(table, c->impulse.torsion);
    abut_cli_add_text(table, truths[from->truth - ABUT_TRUTH_UNKNOWN]);
}

static void add_contacts(const abut_recording *recording, int k, abut_cli_table *table)
{
    for (int i = k == 0 ? 0 : recording->contact_begins[k - 1]; i < recording->contact_begins[k]; ++i) {
        add_contact(k, &recording->contacts[i], table);
    }
}

/// The first normal of a region, or NaN.
static abut_vec3 first_normal(const abut_world_regions *regions, const abut_region *region)
{
    return region->normal_count > 0 ? regions->directions[region->normal_begin] : abut_vec3_make(NAN, NAN, NAN);
}

static void add_region(const abut_world_regions *regions, int k, int number, const abut_world_region *from,
                       abut_cli_table *table)
{
    const abut_region *region = &from->region;
    char id[ABUT_CLI_ID_SIZE];
    int points = 0;
    for (int i = 0; i < region->loop_count; ++i) {
        points += regions->loops[region->loop_begin + i].point_count;
    }
    abut_cli_id_print(region->id, id);
    abut_cli_add_number(table, k);
    abut_cli_add_number(table, number);
    abut_cli_add_number(table, from->body_a);
    abut_cli_add_number(table, from->body_b);
    abut_cli_add_text(table, abut_cli_region_word(region->kind));
    abut_cli_add_text(table, abut_cli_feature_word(region->feature_a.kind));
    abut_cli_add_number(table, region->feature_a.index);
    abut_cli_add_text(table, abut_cli_feature_word(region->feature_b.kind));
    abut_cli_add_number(table, region->feature_b.index);
    abut_cli_add_number(table, region->loop_count);
    abut_cli_add_number(table, points);
    abut_cli_add_number(table, region->measure);
    abut_cli_add_number(table, region->normal_count);
    abut_cli_add_vec3(table, first_normal(regions, region));
    abut_cli_add_number(table, region->cone_count);
    abut_cli_add_text(table, abut_cli_rule_word(region->rule));
    abut_cli_add_text(table, id);
}

static void add_regions(const abut_recording *recording, int k, abut_cli_table *table)
{
    int begin = k == 0 ? 0 : recording->region_begins[k - 1];
    for (int i = begin; i < recording->region_begins[k]; ++i) {
        add_region(&recording->regions, k, i - begin, &recording->regions.items[i], table);
    }
}

static void add_outlines(const abut_recording *recording, int k, abut_cli_table *table)
{
    const abut_world_regions *regions = &recording->regions;
    int begin = k == 0 ? 0 : recording->region_begins[k - 1];
    for (int i = begin; i < recording->region_begins[k]; ++i) {
        const abut_region *region = &regions->items[i].region;
        for (int l = 0; l < region->loop_count; ++l) {
            const abut_region_loop *loop = &regions->loops[region->loop_begin + l];
            for (int v = 0; v < loop->point_count; ++v) {
                abut_cli_add_number(table, k);
                abut_cli_add_number(table, i - begin);
                abut_cli_add_number(table, l);
                abut_cli_add_number(table, loop->is_hole);
                abut_cli_add_number(table, v);
                abut_cli_add_vec3(table, regions->points[loop->point_begin + v]);
            }
        }
    }
}

/// What goes to one file: adds the rows of state `k`.
typedef void add_function(const abut_recording *recording, int k, abut_cli_table *table);

typedef struct csv_file {
    const char *name;
    const abut_cli_column *columns;
    int column_count;
    add_function *add;
} csv_file;

/// One state's rows after the other, so that no table of the whole is needed.
static abut_cli_exit write_file(const abut_recording *recording, const char *folder, const csv_file *file,
                                abut_cli_list *files)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    for (int k = 0; k <= recording->step_count; ++k) {
        abut_cli_table table;
        abut_cli_table_open(&table, file->columns, file->column_count);
        file->add(recording, k, &table);
        if (k == 0) {
            abut_cli_csv_head(&table, text.stream);
        }
        abut_cli_csv_rows(&table, text.stream);
        abut_cli_table_release(&table);
    }
    return abut_cli_export_text(folder, file->name, &text, files);
}

abut_cli_exit abut_cli_export_csv(const abut_recording *recording, const char *folder, abut_cli_list *files)
{
    static const csv_file list[] = {
        {"steps.csv", COLUMNS(step_columns), add_step},
        {"bodies.csv", COLUMNS(body_columns), add_bodies},
        {"contacts.csv", COLUMNS(contact_columns), add_contacts},
        {"regions.csv", COLUMNS(region_columns), add_regions},
        {"outlines.csv", COLUMNS(outline_columns), add_outlines},
    };
    abut_cli_exit code = abut_cli_make_folder(folder);
    for (size_t i = 0; i < sizeof list / sizeof list[0] && code == ABUT_CLI_DONE; ++i) {
        code = write_file(recording, folder, &list[i], files);
    }
    return code;
}
