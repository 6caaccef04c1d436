// SPDX-License-Identifier: MIT
// contacts.c: prints where two mesh files touch. The README shows the part between the two marks.
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

static void check(abut_status status, const abut_error *error)
{
    if (status != ABUT_OK) {
        (void)fprintf(stderr, "contacts: %s\n", error->text);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    abut_mesh *a, *b;
    abut_answer *answer;
    abut_error error;
    if (argc != 3) {
        (void)fprintf(stderr, "usage: contacts A.obj B.obj\n");
        return 2;
    }
    // --- README
    check(abut_mesh_read(NULL, argv[1], ABUT_FORMAT_AUTO, &a, &error), &error);
    check(abut_mesh_read(NULL, argv[2], ABUT_FORMAT_AUTO, &b, &error), &error);
    abut_mesh_pair pair = abut_mesh_pair_default(a, b); // pair.pose_b places B, pair.method selects another method
    check(abut_find_mesh_contacts(NULL, &pair, &answer, &error), &error);
    const abut_result *result = abut_answer_result(answer);
    for (int i = 0; i < result->contacts.count; ++i) {
        const abut_contact *c = &result->contacts.items[i];
        printf("at %g %g %g, normal %g %g %g, gap %g\n", c->position.x, c->position.y, c->position.z, c->normal.x,
               c->normal.y, c->normal.z, c->gap);
    }
    abut_answer_destroy(answer);
    abut_mesh_destroy(a);
    abut_mesh_destroy(b);
    // --- README
    return 0;
}
