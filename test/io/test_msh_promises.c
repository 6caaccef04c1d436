// SPDX-License-Identifier: MIT
// test_msh_promises.c: counts in binary .msh files of version 4.1 that exceed the rest of the file
#include "byte_helper.h"

static void begin(bytes *made)
{
    made->size = 0;
    made->is_big = 0;
    put_text(made, "$MeshFormat\n4.1 1 8\n");
    put_whole(made, 1, 4);
    put_text(made, "\n$EndMeshFormat\n$Nodes\n");
}

static void put_counts(bytes *made, int64_t blocks, int64_t items)
{
    put_whole(made, blocks, 8);
    put_whole(made, items, 8);
    put_whole(made, 1, 8);
    put_whole(made, items, 8);
}

// Four nodes in one block: dimension, tag, whether parametric, the count, the numbers, the coordinates.
static void put_nodes(bytes *made)
{
    put_counts(made, 1, 4);
    for (int k = 0; k < 3; ++k) {
        put_whole(made, k == 0 ? 3 : 0, 4);
    }
    put_whole(made, 4, 8);
    for (int i = 0; i < 4; ++i) {
        put_whole(made, i + 1, 8);
    }
    for (int i = 0; i < 12; ++i) {
        put_double(made, i == 3 || i == 7 || i == 11);
    }
    put_text(made, "\n$EndNodes\n$Elements\n");
}

// Checks whether a file is rejected because of this count, and not because of what is read after it.
static void check_promise(const bytes *made, const char *what, int is_broken)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    abut_status status = parse_bytes(made->data, made->size, "a.msh", &mesh, &error);
    CHECK(status != ABUT_OK && (!is_broken || status == ABUT_BAD_DATA), "%s: '%s'", what, error.text);
    int is_named = strstr(error.text, what) != NULL && strstr(error.text, "bytes follow") != NULL;
    CHECK(is_named == is_broken, "%s: '%s'", what, error.text);
    abut_mesh_destroy(mesh);
}

// The head of a block has three numbers of 4 bytes and a count of 8: 20 bytes. A node has 3 doubles, 24 bytes; an
// element at least its own number and one node, 16 bytes. Ten of them need 200, 240 and 160 bytes. One byte less is
// noticed at once, before any memory is allocated. With enough bytes, all zero, reading continues and fails with
// another message.
static void promises_need_bytes(void **state)
{
    (void)state;
    static bytes made;
    const struct {
        const char *what;
        int is_block, is_element, need;
    } cases[] = {{"blocks of nodes", 1, 0, 200},
                 {"nodes", 0, 0, 240},
                 {"blocks of elements", 1, 1, 200},
                 {"elements", 0, 1, 160}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int more = -1; more < 1; ++more) {
            begin(&made);
            if (cases[i].is_element) {
                put_nodes(&made);
            }
            put_counts(&made, cases[i].is_block ? 10 : 1, cases[i].is_block ? 1 : 10);
            for (int k = 0; k < cases[i].need + more; ++k) {
                put_whole(&made, 0, 1);
            }
            check_promise(&made, cases[i].what, more < 0);
        }
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_need_bytes),
    };
    return cmocka_run_group_tests_name("promises of .msh files", tests, NULL, NULL);
}
