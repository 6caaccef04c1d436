// SPDX-License-Identifier: MIT
// test_number.c: decimal numbers against strtod(), which rounds correctly in the C library of the tests
#include "io/number.h"

#include "check.h"
#include "random.h"

#include <stdlib.h>

static abut_number_status parse(const char *text, double *value)
{
    return abut_number_parse(text, text + strlen(text), value);
}

static void check_against_strtod(const char *text)
{
    double expected = strtod(text, NULL), value = 0.0;
    abut_number_status status = parse(text, &value);
    if (isinf(expected)) {
        CHECK(status == ABUT_NUMBER_TOO_LARGE, "%s", text);
        return;
    }
    CHECK(status == ABUT_NUMBER_OK && memcmp(&value, &expected, sizeof value) == 0, "%s: %.17g, expected %.17g",
          text, value, expected);
}

// Known hard cases: halfway points, the limits of normal and subnormal numbers, the largest double and half an ulp
// more.
static void hard_numbers_round_right(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "+0.0e5",
        "1",
        ".5",
        "5.",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740993.00000000000000000000000000000001",
        "9007199254740992.99999999999999999999999999999999",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "2.2250738585072012e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e400",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "123456789012345678",
        "1234567890123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000000000000000000001",
        "6.9294956446009195e15",
        "3.5844466002796428e298",
        "17976931348623157000000000000000000000000000000000000000e253",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        check_against_strtod(texts[i]);
    }
    CHECK_DONE();
}

// 1 + 2^-53 is halfway between 1 and the next double. With its 53 decimals, then zeros, then a nonzero digit, it
// must be rounded up.
static void digits_far_behind_break_ties(void **state)
{
    (void)state;
    char text[2100];
    int length = snprintf(text, sizeof text, "1.00000000000000011102230246251565404236316680908203125");
    double value = 0.0;
    CHECK(parse(text, &value) == ABUT_NUMBER_OK && value == 1.0, "a tie goes to even");
    memset(text + length, '0', 2000);
    text[length + 2000] = '\0';
    CHECK(parse(text, &value) == ABUT_NUMBER_OK && value == 1.0, "still a tie");
    text[length + 1999] = '1';
    CHECK(parse(text, &value) == ABUT_NUMBER_OK && value == 1.0 + 0x1p-52, "more than a tie goes up");
    CHECK_DONE();
}

static void malformed_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",     "-",     "+",   ".",    "e5",  "1e",    "1e+",     "1.2.3",
                                        "0x10", "nan",   "inf", "1,5",  "--1", "1 ",    " 1",      "1f",
                                        "1d5",  "1e5.0", "NaN", "-inf", "1_0", "1e1e1", "infinity"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        double value;
        int64_t integer;
        CHECK(parse(texts[i], &value) == ABUT_NUMBER_MALFORMED, "'%s'", texts[i]);
        CHECK(abut_integer_parse(texts[i], texts[i] + strlen(texts[i]), &integer) == ABUT_NUMBER_MALFORMED, "'%s'",
              texts[i]);
    }
    CHECK_DONE();
}

// Random bits, random digits and random exponents, in the formats of printf().
static void random_numbers_round_right(void **state)
{
    (void)state;
    test_random random = {20};
    for (int i = 0; i < 100000; ++i) {
        char text[1200];
        uint64_t bits = random_bits(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        switch (i % 4) {
        case 0: (void)snprintf(text, sizeof text, "%.*e", random_below(&random, 25), value); break;
        case 1:
            (void)snprintf(text, sizeof text, "%.*g", 1 + random_below(&random, 18), (double)(int64_t)bits * 1e-17);
            break;
        case 2:
            (void)snprintf(text, sizeof text, "%llu.%llue%d",
                           (unsigned long long)(random_bits(&random) >> random_below(&random, 64)),
                           (unsigned long long)random_bits(&random), random_below(&random, 700) - 350);
            break;
        default: (void)snprintf(text, sizeof text, "%.*f", random_below(&random, 800), value * 0x1p-600); break;
        }
        check_against_strtod(text);
    }
    CHECK_DONE();
}

// Every double is printed so that it reads back to the same bits. A number with few digits is printed with few
// digits.
static void printed_numbers_read_back(void **state)
{
    (void)state;
    test_random random = {21};
    for (int i = 0; i < 50000; ++i) {
        uint64_t bits = random_bits(&random);
        double value, back = 0.0;
        memcpy(&value, &bits, sizeof value);
        value = i % 2 == 0 ? value : random_in(&random, -100.0, 100.0);
        if (!isfinite(value)) {
            continue;
        }
        char text[ABUT_NUMBER_SIZE];
        int length = abut_number_print(value, text);
        CHECK_INT(length, strlen(text), "length");
        CHECK(parse(text, &back) == ABUT_NUMBER_OK && memcmp(&back, &value, sizeof value) == 0, "%s", text);
    }
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "-0"},
                 {0.1, "0.1"},
                 {-2.5, "-2.5"},
                 {100.0, "100"},
                 {1e16, "10000000000000000"},
                 {1e17, "1e17"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {0.00001, "0.00001"},
                 {1.5e-6, "1.5e-6"},
                 {123456.789, "123456.789"},
                 {5e-324, "4.94065645841247e-324"},
                 {1.7976931348623157e308, "1.7976931348623157e308"},
                 {0.1 + 0.2, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[ABUT_NUMBER_SIZE];
        (void)abut_number_print(cases[i].value, text);
        CHECK(strcmp(text, cases[i].text) == 0, "'%s', expected '%s'", text, cases[i].text);
    }
    CHECK_DONE();
}

static void integers_stop_at_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {{"0", 0},
                 {"-17", -17},
                 {"+5", 5},
                 {"2147483648", 2147483648},
                 {"99999999999999999999999", INT64_MAX},
                 {"-99999999999999999999999", -INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int64_t value = 1;
        CHECK(abut_integer_parse(cases[i].text, cases[i].text + strlen(cases[i].text), &value) == ABUT_NUMBER_OK,
              "%s", cases[i].text);
        CHECK_INT(value, cases[i].value, cases[i].text);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_numbers_round_right),      cmocka_unit_test(digits_far_behind_break_ties),
        cmocka_unit_test(malformed_numbers_are_refused), cmocka_unit_test(random_numbers_round_right),
        cmocka_unit_test(printed_numbers_read_back),     cmocka_unit_test(integers_stop_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
