// SPDX-License-Identifier: MIT
// consumer_lab.c: a user's C program with the laboratory, which knows ten cases or more
#include <abut-lab/lab.h>
#include <stdio.h>

int main(void)
{
    int count = 0;
    const char *const *names = abut_case_names(&count);
    printf("%d cases, the first is %s\n", count, count > 0 ? names[0] : "none");
    return count >= 10 ? 0 : 1;
}
