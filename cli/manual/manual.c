// SPDX-License-Identifier: MIT
// manual.c: prints the man page or the bash completion; runs in the build
//
// usage: abut_manual man DATE | abut_manual bash
#include "manual/manual.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "man") == 0) {
        abut_manual_print_page(argv[2], stdout);
    } else if (argc == 2 && strcmp(argv[1], "bash") == 0) {
        abut_manual_print_completion(stdout);
    } else {
        (void)fputs("usage: abut_manual man DATE | abut_manual bash\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
