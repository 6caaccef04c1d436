// SPDX-License-Identifier: MIT
// methods_verb.c: abut methods
#include "shared/output.h"
#include "shared/selection.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>

// The row of a plug-in may hold any number.
static const char *word_of(const char *const *words, int count, int index)
{
    return index >= 0 && index < count ? words[index] : "unknown";
}

static const char *locality_word(abut_locality locality)
{
    static const char *const words[] = {"local", "semi-local", "global"};
    return word_of(words, 3, (int)locality);
}

static const char *representation_word(abut_representation representation)
{
    static const char *const words[] = {"surface", "volume", "approximation", "implicit-field", "temporal"};
    return word_of(words, 5, (int)representation);
}

static const char *normals_word(abut_normal_source source)
{
    static const char *const words[] = {"feature-types", "closest-points", "field", "volume-points", "regions"};
    return word_of(words, 5, (int)source);
}

static json_t *json_taxonomy(const abut_taxonomy *taxonomy)
{
    static const char *const names[] = {"exact_geometry", "continuous_detection", "deformable_models",
                                        "topology_changes"};
    static const char *const words[] = {"not-possible", "with-effort", "trivial"};
    json_t *object = json_object(), *traits = json_object();
    for (int i = 0; i < 4; ++i) {
        json_object_set_new(traits, names[i], json_string(word_of(words, 3, taxonomy->traits[i])));
    }
    json_object_set_new(object, "locality", json_string(locality_word(taxonomy->locality)));
    json_object_set_new(object, "accuracy", json_string(taxonomy->is_exact ? "exact" : "approximate"));
    json_object_set_new(object, "time", json_string(taxonomy->is_continuous ? "continuous" : "discrete"));
    json_object_set_new(object, "geometry", json_string(representation_word(taxonomy->representation)));
    json_object_set_new(object, "normals", json_string(normals_word(taxonomy->normals)));
    json_object_set_new(object, "traits", traits);
    json_object_set_new(object, "origin", json_string(taxonomy->is_ours ? "ours" : "paper"));
    return object;
}

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
    {ABUT_NEEDS_HULL, "hull"},
    {ABUT_NEEDS_VELOCITY, "velocity"},
    {ABUT_NEEDS_MEMORY, "memory"},
};

static json_t *json_needs(uint32_t needs)
{
    json_t *array = json_array();
    for (size_t i = 0; i < sizeof need_words / sizeof need_words[0]; ++i) {
        if ((needs & need_words[i].bit) != 0) {
            json_array_append_new(array, json_string(need_words[i].word));
        }
    }
    return array;
}

// What a user must bring, and in brackets what makes the answer better; trees and the like are made by the library.
static char *needs_text(uint32_t needs)
{
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

static json_t *json_option(const abut_option_info *info)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(info->name));
    json_object_set_new(object, "help", abut_cli_json_text(info->help));
    if (info->choices == NULL) {
        json_object_set_new(object, "default", abut_cli_json_number(info->value));
        json_object_set_new(object, "lower", abut_cli_json_number(info->lower));
        json_object_set_new(object, "upper", abut_cli_json_number(info->upper));
        return object;
    }
    json_t *choices = json_array();
    for (int i = 0; info->choices[i] != NULL; ++i) {
        json_array_append_new(choices, json_string(info->choices[i]));
    }
    json_object_set_new(object, "default", json_string(info->choices[(int)info->value]));
    json_object_set_new(object, "choices", choices);
    return object;
}

static json_t *json_method(const abut_method *row)
{
    json_t *object = json_object(), *options = json_array();
    for (int i = 0; i < row->option_count; ++i) {
        json_array_append_new(options, json_option(&row->options[i]));
    }
    json_object_set_new(object, "name", json_string(row->name));
    json_object_set_new(object, "summary", abut_cli_json_text(row->summary));
    json_object_set_new(object, "source", abut_cli_json_text(row->source));
    json_object_set_new(object, "default", json_boolean(strcmp(row->name, ABUT_CLI_DEFAULT_METHOD) == 0));
    json_object_set_new(object, "taxonomy", json_taxonomy(&row->taxonomy));
    json_object_set_new(object, "needs", json_needs(row->needs));
    json_object_set_new(object, "options", options);
    return object;
}

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

static const abut_cli_column columns[] = {
    {"name", "method", ABUT_CLI_WORDS},
    {"origin", "origin", ABUT_CLI_WORDS},
    {"locality", "locality", ABUT_CLI_WORDS},
    {"accuracy", "accuracy", ABUT_CLI_WORDS},
    {"time", "time", ABUT_CLI_WORDS},
    {"geometry", "geometry", ABUT_CLI_WORDS},
    {"normals", "normals from", ABUT_CLI_WORDS},
    {"needs", "needs", ABUT_CLI_WORDS},
    {"summary", "summary", ABUT_CLI_WORDS},
    {"source", NULL, ABUT_CLI_WORDS},
};

static void add_row(abut_cli_table *table, const abut_method *row)
{
    char *needs = needs_text(row->needs);
    abut_cli_add_text(table, row->name);
    abut_cli_add_text(table, row->taxonomy.is_ours ? "ours" : "paper");
    abut_cli_add_text(table, locality_word(row->taxonomy.locality));
    abut_cli_add_text(table, row->taxonomy.is_exact ? "exact" : "approximate");
    abut_cli_add_text(table, row->taxonomy.is_continuous ? "continuous" : "discrete");
    abut_cli_add_text(table, representation_word(row->taxonomy.representation));
    abut_cli_add_text(table, normals_word(row->taxonomy.normals));
    abut_cli_add_text(table, needs);
    abut_cli_add_text(table, row->summary);
    abut_cli_add_text(table, row->source);
    free(needs);
}

static void print_table(const abut_cli_methods *methods, const abut_cli_table *table, FILE *out)
{
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

static abut_cli_exit print_methods(const abut_cli_methods *methods, abut_cli_format format)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (format == ABUT_CLI_JSON) {
        json_t *document = abut_cli_json_document(), *array = json_array();
        for (int i = 0; i < methods->count; ++i) {
            json_array_append_new(array, json_method(methods->items[i].row));
        }
        json_object_set_new(document, "methods", array);
        abut_cli_json_print(document, text.stream);
        return abut_cli_text_finish(&text);
    }
    abut_cli_table table;
    abut_cli_table_open(&table, columns, (int)(sizeof columns / sizeof columns[0]));
    for (int i = 0; i < methods->count; ++i) {
        add_row(&table, methods->items[i].row);
    }
    if (format == ABUT_CLI_CSV) {
        abut_cli_csv_print(&table, text.stream);
    } else {
        print_table(methods, &table, text.stream);
    }
    abut_cli_table_release(&table);
    return abut_cli_text_finish(&text);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    abut_cli_format format;
    abut_cli_methods methods = {0};
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_methods_select(arguments, "all", &methods);
    code = code != ABUT_CLI_DONE ? code : print_methods(&methods, format);
    abut_cli_methods_release(&methods);
    return code;
}

static const abut_cli_option options[] = {
    {"plugin", "./FILE.so", "also show the method of a shared object; repeatable", 1, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_methods_verb = {
    .name = "methods",
    .summary = "List the contact methods, their place in the taxonomy, and their options.",
    .usage = "[options]",
    .details = "The terms are those of Erleben 2018, Tables 1, 2, 3 and 5. JSON has everything, CSV one row per\n"
               "method.\n",
    .example = "  abut methods --format json\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = 0,
    .run = run,
};
