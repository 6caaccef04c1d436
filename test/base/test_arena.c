// SPDX-License-Identifier: MIT
// test_arena.c: how much memory an arena asks for
#include "base/memory.h"
#include "check.h"

typedef struct ledger {
    size_t asked; ///< bytes of all blocks so far
    int live;     ///< blocks that were not freed
} ledger;

static void *counted_resize(void *user, void *block, size_t size)
{
    ledger *book = user;
    book->asked += size;
    book->live += (block == NULL) - (size == 0);
    return abut_context_default().resize(NULL, block, size);
}

// A released arena starts again: the same pieces need the same memory, to the byte, and nothing leaks. The pieces
// take 300 KB, and a block is at least 4 KB or as large as all blocks before it. So there are at least 5 blocks.
static void released_arena_starts_again(void **state)
{
    (void)state;
    ledger book = {0, 0};
    abut_context context = abut_context_default();
    context.resize = counted_resize;
    context.user = &book;
    abut_arena arena;
    abut_arena_init(&arena, &context);
    size_t first = 0;
    for (int round = 0; round < 3; ++round) {
        book.asked = 0;
        for (int i = 0; i < 300; ++i) {
            assert_non_null(abut_arena_take(&arena, 1024));
        }
        CHECK(book.live >= 5, "%d blocks", book.live);
        first = round == 0 ? book.asked : first;
        CHECK(book.asked == first, "round %d: %zu bytes, in the first round %zu", round, book.asked, first);
        abut_arena_release(&arena);
        CHECK_INT(book.live, 0, "blocks after release");
    }
    CHECK_DONE();
}

// Each block is as large as all blocks before it. So all blocks together are at most twice the pieces plus the first
// block, and their number is logarithmic: 2^20 bytes are 2^8 times 4096 bytes, so 9 or 10 blocks.
static void blocks_double(void **state)
{
    (void)state;
    ledger book = {0, 0};
    abut_context context = abut_context_default();
    context.resize = counted_resize;
    context.user = &book;
    abut_arena arena;
    abut_arena_init(&arena, &context);
    for (int i = 0; i < 1 << 14; ++i) {
        assert_non_null(abut_arena_take(&arena, 64));
    }
    CHECK(book.live <= 10, "%d blocks", book.live);
    CHECK(book.asked <= ((size_t)2 << 20) + 4096, "%zu bytes", book.asked);
    abut_arena_release(&arena);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(released_arena_starts_again),
        cmocka_unit_test(blocks_double),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
