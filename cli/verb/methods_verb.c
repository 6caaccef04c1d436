// SPDX-License-Identifier: MIT
// methods_verb.c: abut methods
#include "shared/layout.h"
#include "shared/selection.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>

static const char *accuracy_text(const void *row)
{
    return ((const abut_taxonomy *)row)->is_exact ? "exact" : "approximate";
}

static const char *time_text(const void *row)
{
    return ((const abut_taxonomy *)row)->is_continuous ? "continuous" : "discrete";
}

static const char *origin_text(const void *row)
{
    return ((const abut_taxonomy *)row)->is_ours ? "ours" : "paper";
}

static const char *const localities[] = {"local", "semi-local", "global", NULL};
static const char *const representations[] = {"surface",        "volume",   "approximation",
                                              "implicit-field", "temporal", NULL};
static const char *const normal_sources[] = {"feature-types", "closest-points", "field",
                                             "volume-points", "regions",        NULL};
static const char *const efforts[] = {"not-possible", "with-effort", "trivial", NULL};

/// What Table 2 says of a representation, in our words.
static const struct {
    const char *benefits, *drawbacks;
} representation_notes[] = {
    {"fast; widely available",
     "the same contact several times; normals that are not defined; fast bodies pass through each other"},
    {"fast; reliable about what is inside", "as for surfaces, and more pairs to test"},
    {"fast; mostly smooth normals", "the true contact area is not known; fast bodies pass through each other"},
    {"fast; reliable about what is inside; gaps and mostly smooth normals are easy to get",
     "much memory; hard to update when bodies deform; rounded surfaces; gaps that jump; local normals; fast bodies "
     "pass "
     "through each other"},
    {"bodies do not pass through each other; larger time steps; extends the other representations",
     "may get stuck in ever smaller steps; costly; sensitive to rounding; sliding is hard"},
};

static const char *benefits_text(const void *row)
{
    return representation_notes[((const abut_taxonomy *)row)->representation].benefits;
}

static const char *drawbacks_text(const void *row)
{
    return representation_notes[((const abut_taxonomy *)row)->representation].drawbacks;
}

/// What Table 3 says of a method, in our words.
static const struct {
    const char *method, *limitations;
} limitation_rows[] = {
    {"intersection", "surface meshes only"},
    {"surface-sat", "surface meshes only"},
    {"volume-sat", "volume meshes only"},
    {"closest-points", "sensitive to rounding"},
    {"implicit-field", "memory; updating the field costs time; surprising normals"},
    {"vertex-only", "volume meshes only; poor on coarse meshes"},
    {"consistent-vertex", "volume meshes only; poor on coarse meshes"},
};

/// NULL if the table does not have the method.
static const char *limitations_text(const void *row)
{
    const abut_method *method = row;
    for (size_t i = 0; i < sizeof limitation_rows / sizeof limitation_rows[0]; ++i) {
        if (strcmp(limitation_rows[i].method, method->name) == 0) {
            return limitation_rows[i].limitations;
        }
    }
    return NULL;
}

static const abut_cli_member trait_members[] = {
    {"exact_geometry", NULL, ABUT_CLI_WORD_AT(abut_taxonomy, traits[0], efforts)},
    {"continuous_detection", NULL, ABUT_CLI_WORD_AT(abut_taxonomy, traits[1], efforts)},
    {"deformable_models", NULL, ABUT_CLI_WORD_AT(abut_taxonomy, traits[2], efforts)},
    {"topology_changes", NULL, ABUT_CLI_WORD_AT(abut_taxonomy, traits[3], efforts)},
};
static const abut_cli_layout trait_layout = ABUT_CLI_LAYOUT(trait_members);

static const abut_cli_member taxonomy_members[] = {
    {"origin", "origin", ABUT_CLI_TEXT_BY(origin_text), .json_rank = 1},
    {"locality", "locality", ABUT_CLI_WORD_AT(abut_taxonomy, locality, localities)},
    {"accuracy", "accuracy", ABUT_CLI_TEXT_BY(accuracy_text)},
    {"time", "time", ABUT_CLI_TEXT_BY(time_text)},
    {"geometry", "geometry", ABUT_CLI_WORD_AT(abut_taxonomy, representation, representations)},
    {"normals", "normals from", ABUT_CLI_WORD_AT(abut_taxonomy, normals, normal_sources)},
    {"traits", NULL, ABUT_CLI_OBJECT_OF(trait_layout), .place = ABUT_CLI_JSON_ONLY},
    {"benefits", NULL, ABUT_CLI_TEXT_BY(benefits_text), .place = ABUT_CLI_JSON_ONLY},
    {"drawbacks", NULL, ABUT_CLI_TEXT_BY(drawbacks_text), .place = ABUT_CLI_JSON_ONLY},
};
static const abut_cli_layout taxonomy_layout = ABUT_CLI_LAYOUT(taxonomy_members);

static const struct {
    uint32_t bit;
    const char *word;
} need_words[] = {
    {ABUT_NEEDS_TRIANGLES, "triangles"},
    {ABUT_NEEDS_CLOSED, "closed"},
    {ABUT_NEEDS_TETS, "tets"},
    {ABUT_NEEDS_TRIANGLE_TREE, "triangle-tree"},
    {ABUT_NEEDS_TET_TREE, "tet-tree"},
    {ABUT_NEEDS_SEGMENT_TREE, "segment-tree"},
    {ABUT_NEEDS_POINT_TREE, "point-tree"},
    {ABUT_NEEDS_BREP, "brep"},
    {ABUT_NEEDS_VELOCITY, "velocity"},
    {ABUT_NEEDS_MEMORY, "memory"},
};

static json_t *json_needs(const void *row)
{
    const abut_method *method = row;
    json_t *array = json_array();
    for (size_t i = 0; i < sizeof need_words / sizeof need_words[0]; ++i) {
        if ((method->needs & need_words[i].bit) != 0) {
            json_array_append_new(array, json_string(need_words[i].word));
        }
    }
    return array;
}

// What the user must provide and, in brackets, what improves the answer. The library builds trees and the like itself.
static char *needs_text(const void *row)
{
    uint32_t needs = ((const abut_method *)row)->needs;
    uint32_t inputs = ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_CLOSED | ABUT_NEEDS_TETS | ABUT_NEEDS_VELOCITY;
    char *text = abut_cli_copy("");
    for (size_t i = 0; i < sizeof need_words / sizeof need_words[0]; ++i) {
        if ((needs & inputs & need_words[i].bit) != 0) {
            int is_needed = need_words[i].bit != ABUT_NEEDS_VELOCITY;
            char *longer = abut_cli_print("%s%s%s%s%s", text, text[0] != '\0' ? " " : "", is_needed ? "" : "(",
                                          need_words[i].word, is_needed ? "" : ")");
            free(text);
            text = longer;
        }
    }
    return text;
}

static int has_choices(const void *row)
{
    return ((const abut_option_info *)row)->choices != NULL;
}

static int has_range(const void *row)
{
    return !has_choices(row);
}

static const char *default_choice(const void *row)
{
    const abut_option_info *info = row;
    return info->choices[(int)info->value];
}

static json_t *json_choices(const void *row)
{
    const abut_option_info *info = row;
    json_t *choices = json_array();
    for (int i = 0; info->choices[i] != NULL; ++i) {
        json_array_append_new(choices, json_string(info->choices[i]));
    }
    return choices;
}

static const abut_cli_member option_members[] = {
    {"name", NULL, ABUT_CLI_AT(abut_option_info, name)},
    {"help", NULL, ABUT_CLI_AT(abut_option_info, help)},
    {"default", NULL, ABUT_CLI_AT(abut_option_info, value), .applies = has_range},
    {"lower", NULL, ABUT_CLI_AT(abut_option_info, lower), .applies = has_range},
    {"upper", NULL, ABUT_CLI_AT(abut_option_info, upper), .applies = has_range},
    {"default", NULL, ABUT_CLI_TEXT_BY(default_choice), .applies = has_choices},
    {"choices", NULL, ABUT_CLI_JSON_BY(json_choices), .applies = has_choices},
};
static const abut_cli_layout option_layout = ABUT_CLI_LAYOUT(option_members);

static abut_cli_rows option_rows(const void *row)
{
    const abut_method *method = row;
    return (abut_cli_rows){&option_layout, method->options, method->option_count, sizeof *method->options};
}

static int is_default(const void *row)
{
    return strcmp(((const abut_method *)row)->name, ABUT_CLI_DEFAULT_METHOD) == 0;
}

static const abut_cli_member method_members[] = {
    {"name", "method", ABUT_CLI_AT(abut_method, name)},
    {"taxonomy", NULL, ABUT_CLI_OBJECT_AT(abut_method, taxonomy, taxonomy_layout), .json_rank = 1},
    {"needs", NULL, ABUT_CLI_JSON_BY(json_needs), .json_rank = 1},
    {"needs", "needs", ABUT_CLI_NEW_TEXT_BY(needs_text), .place = ABUT_CLI_COLUMNS_ONLY},
    {"summary", "summary", ABUT_CLI_AT(abut_method, summary)},
    {"source", NULL, ABUT_CLI_AT(abut_method, source)},
    {"limitations", NULL, ABUT_CLI_TEXT_BY(limitations_text), .place = ABUT_CLI_JSON_ONLY},
    {"default", NULL, ABUT_CLI_FLAG_BY(is_default), .place = ABUT_CLI_JSON_ONLY},
    {"options", NULL, ABUT_CLI_ROWS_BY(option_rows), .json_rank = 1},
};
static const abut_cli_layout method_layout = ABUT_CLI_LAYOUT(method_members);

static const abut_cli_member chosen_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(abut_cli_method, row, method_layout)}};
static const abut_cli_layout chosen_layout = ABUT_CLI_LAYOUT(chosen_members);

static abut_cli_rows chosen_rows(const void *row)
{
    const abut_cli_methods *methods = row;
    return (abut_cli_rows){&chosen_layout, methods->items, methods->count, sizeof *methods->items};
}

static const abut_cli_member document_members[] = {{"methods", NULL, ABUT_CLI_ROWS_BY(chosen_rows)}};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

static char *text_of_option(const abut_option_info *info)
{
    if (info->choices == NULL) {
        return abut_cli_print("--option %s=%g: %s, %g to %g", info->name, info->value, info->help, info->lower,
                              info->upper);
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fprintf(text.stream, "--option %s=%s: %s (", info->name, info->choices[(int)info->value], info->help);
    for (int j = 0; info->choices[j] != NULL; ++j) {
        (void)fprintf(text.stream, "%s%s", j > 0 ? ", " : "", info->choices[j]);
    }
    (void)fputs(")", text.stream);
    return abut_cli_text_take(&text);
}

static void print_options(const abut_method *row, FILE *out)
{
    for (int i = 0; i < row->option_count; ++i) {
        char *text = text_of_option(&row->options[i]);
        abut_cli_wrap_print(text, fprintf(out, "  "), 6, out);
        free(text);
    }
}

static void write_table(const void *data, const abut_cli_table *table, FILE *out)
{
    const abut_cli_methods *methods = data;
    abut_cli_table_print(table, 0, abut_cli_row_count(table), out);
    (void)fprintf(
        out,
        "\nThe default method is %s. Groups: erleben, all. origin: paper, a row of the tables of Erleben\n"
        "2018; ours, a method that the paper does not have, placed in its terms.\n",
        ABUT_CLI_DEFAULT_METHOD);
    for (int i = 0; i < methods->count; ++i) {
        const abut_method *row = methods->items[i].row;
        if (row->option_count > 0) {
            (void)fprintf(out, "\nOptions of %s, with their defaults:\n", row->name);
            print_options(row, out);
        }
    }
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    abut_cli_format format;
    abut_cli_methods methods = {0};
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_methods_list(arguments, &methods);
    if (code == ABUT_CLI_DONE) {
        abut_cli_report report = {&document_layout, &methods, chosen_rows(&methods), write_table};
        code = abut_cli_report_print(&report, format);
    }
    abut_cli_methods_release(&methods);
    return code;
}

static const abut_cli_option options[] = {
    {"plugin", "./FILE.so", "also show the method of a shared object; repeatable", 1, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_methods_verb = {
    .name = "methods",
    .summary = "List the contact methods, how they are classified, and their options.",
    .usage = "[options]",
    .details = "The classification is that of Erleben 2018, Tables 1, 2, 3 and 5. JSON has all details, benefits,\n"
               "drawbacks and limitations among them, CSV one row per method.\n",
    .example = "  abut methods --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run,
};
