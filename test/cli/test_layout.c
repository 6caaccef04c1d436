// SPDX-License-Identifier: MIT
// test_layout.c: columns, CSV and JSON of one table of members
#define _POSIX_C_SOURCE 200809L
#include "shared/layout.h"

#include "check.h"

#include <stdlib.h>

typedef struct inner_row {
    int depth;
    const char *note;
} inner_row;

typedef struct test_row {
    int count;
    int64_t large;
    double share, total;
    const char *name;
    char tag[4];
    int is_open;
    enum { COLOUR_RED, COLOUR_BLUE } colour;
    uint64_t id;
    abut_vec3 normal;
    abut_quat turn;
    abut_pose pose;
    inner_row inner;
    const inner_row *other; ///< or NULL
} test_row;

static const char *const colours[] = {"red", "blue", NULL};

static const abut_cli_member inner_members[] = {
    {"depth", "depth", ABUT_CLI_AT(inner_row, depth)},
    {"note", NULL, ABUT_CLI_AT(inner_row, note), .is_null_if_zero = 1},
};
static const abut_cli_layout inner_layout = ABUT_CLI_LAYOUT(inner_members);

static const abut_cli_member other_members[] = {
    {"other_depth", "other", ABUT_CLI_AT(inner_row, depth)},
};
static const abut_cli_layout other_layout = ABUT_CLI_LAYOUT(other_members);

static char *doubled(const void *row)
{
    return abut_cli_print("%d%d", ((const test_row *)row)->count, ((const test_row *)row)->count);
}

static double half(const void *row)
{
    return 0.5 * ((const test_row *)row)->count;
}

static int is_blue(const void *row)
{
    return ((const test_row *)row)->colour == COLOUR_BLUE;
}

static abut_cli_rows inner_rows(const void *row)
{
    const test_row *from = row;
    return (abut_cli_rows){&inner_layout, &from->inner, 1, sizeof from->inner};
}

static const abut_cli_member members[] = {
    {"name", "name", ABUT_CLI_AT(test_row, name), .json_rank = 1},
    {"count", "count", ABUT_CLI_AT(test_row, count)},
    {"large", NULL, ABUT_CLI_AT(test_row, large)},
    {"share", "share", ABUT_CLI_AT(test_row, share), .has_tenths = 1},
    {"total", NULL, ABUT_CLI_COUNT_AT(test_row, total)},
    {"tag", NULL, ABUT_CLI_CHARS_AT(test_row, tag)},
    {"open", "open", ABUT_CLI_FLAG_AT(test_row, is_open)},
    {"colour", NULL, ABUT_CLI_WORD_AT(test_row, colour, colours)},
    {"id", NULL, ABUT_CLI_AT(test_row, id)},
    {"normal", "normal x", ABUT_CLI_AT(test_row, normal)},
    {"turn", NULL, ABUT_CLI_AT(test_row, turn)},
    {"pose", NULL, ABUT_CLI_AT(test_row, pose)},
    {"inner", NULL, ABUT_CLI_OBJECT_AT(test_row, inner, inner_layout)},
    {NULL, NULL, ABUT_CLI_PART_TO(test_row, other, other_layout)},
    {"object", NULL, ABUT_CLI_OBJECT_TO(test_row, other, other_layout), .place = ABUT_CLI_JSON_ONLY},
    {"doubled", NULL, ABUT_CLI_NEW_TEXT_BY(doubled), .place = ABUT_CLI_COLUMNS_ONLY},
    {"half", NULL, ABUT_CLI_REAL_BY(half), .applies = is_blue},
    {NULL, "twice", ABUT_CLI_NEW_TEXT_BY(doubled)},
    {"list", NULL, ABUT_CLI_ROWS_BY(inner_rows)},
};
static const abut_cli_layout layout = ABUT_CLI_LAYOUT(members);

static const inner_row other = {9, NULL};

// The first row has all values, the second one as few as possible.
static const test_row rows[] = {
    {7,
     1000000000000,
     0.25,
     3.0,
     "a, b",
     "tag",
     1,
     COLOUR_BLUE,
     0x2a,
     {1.0, 2.0, 3.0},
     {1.0, 0.0, 0.5, 0.0},
     {{1.0, 2.0, 3.0}, {1.0, 0.0, 0.0, 0.0}},
     {4, "note"},
     &other},
    {.count = -1, .share = NAN, .total = NAN, .normal = {NAN, 0.0, 0.0}, .inner = {0, ""}},
};

static char *report_text(const abut_cli_report *report, abut_cli_format format)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    abut_cli_report_write(report, format, text.stream);
    return abut_cli_text_take(&text);
}

static char *written(abut_cli_format format)
{
    abut_cli_report report = {&layout, &rows[0], {&layout, rows, 2, sizeof rows[0]}, NULL};
    return report_text(&report, format);
}

// A member of rank 1 comes last; a part stands among the others, an object apart; columns-only members are missing.
static void json_has_the_members_in_order_of_rank(void **state)
{
    (void)state;
    json_t *object = abut_cli_json_of(&layout, &rows[0]);
    char *text = json_dumps(object, JSON_COMPACT);
    assert_string_equal(text, "{\"count\":7,\"large\":1000000000000,\"share\":0.25,\"total\":3,\"tag\":\"tag\","
                              "\"open\":true,\"colour\":\"blue\",\"id\":\"000000000000002a\","
                              "\"normal\":[1.0,2.0,3.0],\"turn\":[1.0,0.0,0.5,0.0],"
                              "\"pose\":[1.0,2.0,3.0,1.0,0.0,0.0,0.0],\"inner\":{\"depth\":4,\"note\":\"note\"},"
                              "\"other_depth\":9,\"object\":{\"other_depth\":9},\"half\":3.5,"
                              "\"list\":[{\"depth\":4,\"note\":\"note\"}],\"name\":\"a, b\"}");
    free(text);
    json_decref(object);
}

// NaN, NULL, an empty text if the member says so, and all members of a struct that is NULL give null. A member that
// does not apply is left out. The depth 0 stays: only `note` is null if it is empty.
static void json_has_null_for_what_is_missing(void **state)
{
    (void)state;
    json_t *object = abut_cli_json_of(&layout, &rows[1]);
    char *text = json_dumps(object, JSON_COMPACT);
    assert_string_equal(text, "{\"count\":-1,\"large\":0,\"share\":null,\"total\":null,\"tag\":\"\",\"open\":false,"
                              "\"colour\":\"red\",\"id\":\"0000000000000000\",\"normal\":[null,0.0,0.0],"
                              "\"turn\":[0.0,0.0,0.0,0.0],\"pose\":[0.0,0.0,0.0,0.0,0.0,0.0,0.0],"
                              "\"inner\":{\"depth\":0,\"note\":null},\"other_depth\":null,\"object\":null,"
                              "\"list\":[{\"depth\":0,\"note\":null}],\"name\":null}");
    free(text);
    json_decref(object);
}

// A document begins with its schema.
static void a_report_in_json_is_its_document(void **state)
{
    (void)state;
    char *text = written(ABUT_CLI_JSON);
    json_t *document = json_loads(text, 0, NULL);
    assert_non_null(document);
    assert_int_equal(json_integer_value(json_object_get(document, "schema")), 1);
    json_object_del(document, "schema");
    json_t *object = abut_cli_json_of(&layout, &rows[0]);
    assert_true(json_equal(document, object));
    json_decref(object);
    json_decref(document);
    free(text);
}

// Columns in the order of the table; vectors have one for each coordinate; null is nothing.
static void csv_has_a_column_for_each_value(void **state)
{
    (void)state;
    char *text = written(ABUT_CLI_CSV);
    assert_string_equal(text,
                        "name,count,large,share,total,tag,open,colour,id,normal_x,normal_y,normal_z,"
                        "turn_w,turn_x,turn_y,turn_z,depth,note,other_depth,doubled,half\n"
                        "\"a, b\",7,1000000000000,0.25,3,tag,yes,blue,000000000000002a,1,2,3,1,0,0.5,0,4,note,"
                        "9,77,3.5\n"
                        ",-1,0,,,,no,red,0000000000000000,,0,0,0,0,0,0,0,,,-1-1,\n");
    free(text);
}

// Only members with a heading; null is "-".
static void a_table_has_the_members_with_a_heading(void **state)
{
    (void)state;
    char *text = written(ABUT_CLI_TABLE);
    assert_string_equal(text, "name  count  share  open  normal x  y  z  depth  other  twice\n"
                              "a, b      7    0.2  yes          1  2  3      4      9  77\n"
                              "-        -1      -  no           -  0  0      0      -  -1-1\n");
    free(text);
}

// The row of a plug-in may hold any number.
static void a_word_that_does_not_exist_is_unknown(void **state)
{
    (void)state;
    test_row row = rows[0];
    row.colour = 2;
    json_t *object = abut_cli_json_of(&layout, &row);
    assert_string_equal(json_string_value(json_object_get(object, "colour")), "unknown");
    json_decref(object);
}

// An optional member has no column in the table of a layout that hides them; in CSV it stays.
static void optional_members_are_hidden_in_tables(void **state)
{
    (void)state;
    static const abut_cli_member two[] = {
        {"depth", "depth", ABUT_CLI_AT(inner_row, depth)},
        {"note", "note", ABUT_CLI_AT(inner_row, note), .is_optional = 1},
    };
    const inner_row row = {4, "text"};
    for (int is_hidden = 0; is_hidden < 2; ++is_hidden) {
        abut_cli_layout both = ABUT_CLI_LAYOUT(two);
        both.hides_optional = is_hidden;
        abut_cli_report report = {&both, &row, {&both, &row, 1, sizeof row}, NULL};
        char *table = report_text(&report, ABUT_CLI_TABLE), *csv = report_text(&report, ABUT_CLI_CSV);
        assert_string_equal(table, is_hidden ? "depth\n    4\n" : "depth  note\n    4  text\n");
        assert_string_equal(csv, "depth,note\n4,text\n");
        free(table);
        free(csv);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_members_in_order_of_rank),
        cmocka_unit_test(json_has_null_for_what_is_missing),
        cmocka_unit_test(a_report_in_json_is_its_document),
        cmocka_unit_test(csv_has_a_column_for_each_value),
        cmocka_unit_test(a_table_has_the_members_with_a_heading),
        cmocka_unit_test(optional_members_are_hidden_in_tables),
        cmocka_unit_test(a_word_that_does_not_exist_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
