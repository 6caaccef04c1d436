// SPDX-License-Identifier: MIT
// test_float4.c: the SIMD and scalar versions of float4.h give the same bits
#include "check.h"
#include "math/float4_answers.h"
#include "random.h"
#include <string.h>

static float random_float(test_random *random)
{
    static const float special[] = {0.0f, -0.0f, 1.0f, HUGE_VALF, -HUGE_VALF, NAN, 1e-40f, -3e38f};
    return random_below(random, 4) == 0
               ? special[random_below(random, 8)]
               : (float)(random_in(random, -1.0, 1.0) * pow(2.0, random_in(random, -70, 70)));
}

// All bits are equal, except those of NaN.
static void twins_agree(void **state)
{
    (void)state;
    test_random random = {51};
    for (int i = 0; i < 20000; ++i) {
        float in[FLOAT4_INPUTS], vector[FLOAT4_ANSWERS], scalar[FLOAT4_ANSWERS];
        for (int k = 0; k < FLOAT4_INPUTS; ++k) {
            in[k] = random_float(&random);
        }
        find_float4_answers(in, vector);
        find_scalar_answers(in, scalar);
        for (int k = 0; k < FLOAT4_ANSWERS; ++k) {
            int is_same = memcmp(&vector[k], &scalar[k], sizeof vector[k]) == 0;
            CHECK(is_same || (isnan(vector[k]) && isnan(scalar[k])), "answer %d: %a and %a", k, (double)vector[k],
                  (double)scalar[k]);
        }
    }
    CHECK_DONE();
}

// a + b, min and max with NaN, and the mask of 1 <= 1, 2 <= 1, NaN <= 1, -1 <= 1, on paper.
static void answers_on_paper(void **state)
{
    (void)state;
    const float in[FLOAT4_INPUTS] = {1.0f, 2.0f, NAN, -1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    float out[FLOAT4_ANSWERS];
    find_float4_answers(in, out);
    CHECK(out[4] == 1.0f && out[5] == 1.0f && out[6] == 2.0f && out[7] == 2.0f, "twice each");
    CHECK(out[8] == 1.0f && out[9] == 2.0f && out[10] == 1.0f && out[11] == 2.0f, "twice both");
    CHECK(out[12] == 2.0f && out[13] == 3.0f && isnan(out[14]) && out[15] == 0.0f, "sum");
    CHECK(out[24] == 1.0f && out[25] == 1.0f && out[26] == 1.0f && out[27] == -1.0f, "min");
    CHECK(out[28] == 1.0f && out[29] == 2.0f && out[30] == 1.0f && out[31] == 1.0f, "max");
    CHECK(out[40] == 9.0f, "mask %g", (double)out[40]);
    CHECK_DONE();
}

static int is_four(const float out[4], float a, float b, float c, float d)
{
    return out[0] == a && out[1] == b && out[2] == c && out[3] == d;
}

// a = 1 4 9 0 and b = 2 2 3 2: their quotient, the root of a, how they are mixed and turned, their cross product
// (4 3 - 9 2, 9 2 - 1 3, 1 2 - 4 2) and 2 (a - b); and the columns of a, b, a turned and b turned.
static void more_answers_on_paper(void **state)
{
    (void)state;
    const float in[FLOAT4_INPUTS] = {1.0f, 4.0f, 9.0f, 0.0f, 2.0f, 2.0f, 3.0f, 2.0f};
    float out[FLOAT4_ANSWERS];
    find_float4_answers(in, out);
    CHECK(out[41] == 0.0f && out[42] == 9.0f, "least and greatest");
    CHECK(out[43] == 1.0f && out[44] == 4.0f, "store two");
    CHECK(is_four(out + 45, 0.5f, 2.0f, 3.0f, 0.0f), "quotient");
    CHECK(is_four(out + 49, 1.0f, 2.0f, 3.0f, 0.0f), "root");
    CHECK(is_four(out + 53, 4.0f, 9.0f, 1.0f, 0.0f), "turned");
    CHECK(is_four(out + 57, 9.0f, 0.0f, 1.0f, 4.0f), "halves swapped");
    CHECK(is_four(out + 61, 1.0f, 4.0f, 2.0f, 2.0f), "halves mixed");
    CHECK(is_four(out + 65, 1.0f, 2.0f, 4.0f, 2.0f), "low halves mixed");
    CHECK(is_four(out + 69, 9.0f, 3.0f, 0.0f, 2.0f), "high halves mixed");
    CHECK(is_four(out + 73, -6.0f, 15.0f, -6.0f, 0.0f), "cross product");
    CHECK(is_four(out + 77, -2.0f, 4.0f, 12.0f, 0.0f), "place");
    CHECK(is_four(out + 81, 1.0f, 2.0f, 4.0f, 2.0f), "first column");
    CHECK(is_four(out + 85, 4.0f, 2.0f, 9.0f, 3.0f), "second column");
    CHECK(is_four(out + 89, 9.0f, 3.0f, 1.0f, 2.0f), "third column");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_agree),
        cmocka_unit_test(answers_on_paper),
        cmocka_unit_test(more_answers_on_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
