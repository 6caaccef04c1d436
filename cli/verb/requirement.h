// SPDX-License-Identifier: MIT
// requirement.h: conditions on measures, such as "spikes:coverage>=50"
#ifndef ABUT_CLI_REQUIREMENT_H
#define ABUT_CLI_REQUIREMENT_H

#include <abut-lab/measure.h>

enum { ABUT_CLI_NAME_SIZE = 64 };

typedef enum abut_cli_field {
    ABUT_CLI_QUALITY = 0,
    ABUT_CLI_COVERAGE = 1,
    ABUT_CLI_COVERAGE_NORMALS = 2,
    ABUT_CLI_EXCESS = 3,
    ABUT_CLI_CONTACTS = 4
} abut_cli_field;

typedef enum abut_cli_relation {
    ABUT_CLI_AT_LEAST = 0,
    ABUT_CLI_AT_MOST = 1,
    ABUT_CLI_EQUAL = 2,
    ABUT_CLI_UNEQUAL = 3,
    ABUT_CLI_MORE = 4,
    ABUT_CLI_LESS = 5
} abut_cli_relation;

/// A condition on rows of one method or case, or of all.
typedef struct abut_cli_requirement {
    char method[ABUT_CLI_NAME_SIZE];    ///< "": any
    char case_name[ABUT_CLI_NAME_SIZE]; ///< "": any
    abut_cli_field field;
    abut_cli_relation relation;
    double bound;
} abut_cli_requirement;

/// Reads "FIELD OPERATOR NUMBER", with "CASE:" or "METHOD/CASE:" before it or not. Returns NULL, or what is wrong.
const char *abut_cli_requirement_parse(const char *text, abut_cli_requirement *requirement);

/// Whether the condition is about rows of this method and case.
int abut_cli_requirement_matches(const abut_cli_requirement *requirement, const char *method,
                                 const char *case_name);

/// The value of the condition's field; NaN if `measures` is NULL.
double abut_cli_requirement_value(const abut_cli_requirement *requirement, const abut_measures *measures);

/// Whether a value meets the condition. NaN never does.
int abut_cli_requirement_holds(const abut_cli_requirement *requirement, double value);

const char *abut_cli_field_name(abut_cli_field field);

#endif
