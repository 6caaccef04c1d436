// SPDX-License-Identifier: MIT
// requirement.c: conditions on measures, such as "spikes:coverage>=50"
#include "verb/requirement.h"

#include "shared/parse.h"

#include <string.h>

static const char *const field_names[] = {"quality", "coverage", "coverage_normals", "excess", "contacts"};
enum { FIELD_COUNT = sizeof field_names / sizeof field_names[0] };

// Longer signs first: ">=" begins with ">".
static const struct {
    const char *sign;
    abut_cli_relation relation;
} relations[] = {
    {">=", ABUT_CLI_AT_LEAST}, {"<=", ABUT_CLI_AT_MOST}, {"==", ABUT_CLI_EQUAL},
    {"!=", ABUT_CLI_UNEQUAL},  {">", ABUT_CLI_MORE},     {"<", ABUT_CLI_LESS},
};
enum { RELATION_COUNT = sizeof relations / sizeof relations[0] };

const char *abut_cli_field_name(abut_cli_field field)
{
    return field_names[field];
}

static int copy_name(char target[ABUT_CLI_NAME_SIZE], const char *begin, size_t length)
{
    size_t letters = strspn(begin, "abcdefghijklmnopqrstuvwxyz0123456789-_");
    if (length == 0 || length >= ABUT_CLI_NAME_SIZE || letters < length) {
        return 0;
    }
    memcpy(target, begin, length);
    target[length] = '\0';
    return 1;
}

static int read_prefix(const char *text, size_t length, abut_cli_requirement *requirement)
{
    const char *slash = memchr(text, '/', length);
    if (slash == NULL) {
        return copy_name(requirement->case_name, text, length);
    }
    size_t first = (size_t)(slash - text);
    return copy_name(requirement->method, text, first) &&
           copy_name(requirement->case_name, slash + 1, length - first - 1);
}

const char *abut_cli_requirement_parse(const char *text, abut_cli_requirement *requirement)
{
    *requirement = (abut_cli_requirement){0};
    const char *rest = text + strspn(text, " ");
    const char *colon = strchr(rest, ':');
    if (colon != NULL) {
        if (!read_prefix(rest, (size_t)(colon - rest), requirement)) {
            return "the part before the colon must be CASE or METHOD/CASE";
        }
        rest = colon + 1;
        rest += strspn(rest, " ");
    }
    size_t length = strspn(rest, "abcdefghijklmnopqrstuvwxyz_");
    int field = 0;
    while (field < FIELD_COUNT &&
           (strlen(field_names[field]) != length || memcmp(field_names[field], rest, length) != 0)) {
        ++field;
    }
    if (field == FIELD_COUNT) {
        return "the field must be quality, coverage, coverage_normals, excess or contacts";
    }
    requirement->field = (abut_cli_field)field;
    rest += length;
    rest += strspn(rest, " ");
    int relation = 0;
    while (relation < RELATION_COUNT &&
           strncmp(rest, relations[relation].sign, strlen(relations[relation].sign)) != 0) {
        ++relation;
    }
    if (relation == RELATION_COUNT) {
        return "the operator after the field must be >=, <=, ==, !=, > or <";
    }
    requirement->relation = relations[relation].relation;
    rest += strlen(relations[relation].sign);
    return abut_cli_parse_number(rest, &requirement->bound) ? NULL : "the operator must be followed by a number";
}

int abut_cli_requirement_matches(const abut_cli_requirement *requirement, const char *method, const char *case_name)
{
    return (requirement->method[0] == '\0' || strcmp(requirement->method, method) == 0) &&
           (requirement->case_name[0] == '\0' || strcmp(requirement->case_name, case_name) == 0);
}

double abut_cli_requirement_value(const abut_cli_requirement *requirement, const abut_measures *measures)
{
    if (measures == NULL) {
        return (double)NAN;
    }
    switch (requirement->field) {
    case ABUT_CLI_QUALITY: return measures->quality;
    case ABUT_CLI_COVERAGE: return measures->coverage;
    case ABUT_CLI_COVERAGE_NORMALS: return measures->coverage_normals;
    case ABUT_CLI_EXCESS: return measures->excess;
    case ABUT_CLI_CONTACTS: return measures->contacts;
    }
    return (double)NAN;
}

int abut_cli_requirement_holds(const abut_cli_requirement *requirement, double value)
{
    if (isnan(value)) {
        return 0;
    }
    switch (requirement->relation) {
    case ABUT_CLI_AT_LEAST: return value >= requirement->bound;
    case ABUT_CLI_AT_MOST: return value <= requirement->bound;
    case ABUT_CLI_EQUAL: return value == requirement->bound;
    case ABUT_CLI_UNEQUAL: return value != requirement->bound;
    case ABUT_CLI_MORE: return value > requirement->bound;
    case ABUT_CLI_LESS: return value < requirement->bound;
    }
    return 0;
}
