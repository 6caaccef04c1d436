// SPDX-License-Identifier: MIT
// driver.c: runs a fuzz target on a folder of files and on thousands of mutated copies, the same in every run
//
// Usage: fuzz_obj FOLDER COUNT. It replaces libFuzzer for compilers without it, but is not guided by coverage.
#define _POSIX_C_SOURCE 200809L // scandir, alphasort

#include "fuzz.h"
#include "random.h"

#include <dirent.h>
#include <stdio.h>

enum { FILE_LIMIT = 256, SIZE_LIMIT = 1 << 16 };

typedef struct input {
    uint8_t *data;
    size_t size;
} input;

typedef struct corpus {
    input files[FILE_LIMIT];
    int count;
} corpus;

// Fragments that often expose bugs in readers.
static const char *const nasty[] = {"\n",
                                    "\r",
                                    "\\\n",
                                    "#",
                                    "/",
                                    "//",
                                    "-1",
                                    "0",
                                    "1",
                                    "2147483647",
                                    " ",
                                    "nan",
                                    "inf",
                                    "-0",
                                    "1e999",
                                    "1e-999",
                                    "4294967296",
                                    "f 1 2 3\n",
                                    "v 0 0 0\n",
                                    "%",
                                    "\xff",
                                    "solid",
                                    "endsolid",
                                    "facet",
                                    "vertex",
                                    "99999999999999999999",
                                    "1.0000000000000000000001"};

static int load(corpus *all, const char *folder, const char *name)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    uint8_t *data = malloc(SIZE_LIMIT);
    if (stream == NULL || data == NULL || all->count == FILE_LIMIT) {
        return 0;
    }
    all->files[all->count].data = data;
    all->files[all->count].size = fread(data, 1, SIZE_LIMIT, stream);
    ++all->count;
    return fclose(stream) == 0;
}

static int load_all(corpus *all, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort); // sorted: the same inputs on every machine
    int loaded = count > 0;
    for (int i = 0; i < count; ++i) {
        if (entries[i]->d_name[0] != '.') {
            loaded &= load(all, folder, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    return loaded && all->count > 0;
}

// Inserts up to `count` bytes at `at`, as far as there is room.
static void insert(input *to, size_t at, const uint8_t *bytes, size_t count)
{
    if (to->size + count > SIZE_LIMIT) {
        return;
    }
    memmove(to->data + at + count, to->data + at, to->size - at);
    memcpy(to->data + at, bytes, count);
    to->size += count;
}

static void change(input *it, const corpus *all, test_random *random)
{
    size_t at = (size_t)random_below(random, (int)it->size + 1);
    size_t rest = it->size - at;
    size_t length = rest > 0 ? 1 + (size_t)random_below(random, rest < 32 ? (int)rest : 32) : 0;
    const char *word = nasty[random_below(random, (int)(sizeof nasty / sizeof *nasty))];
    const input *other = &all->files[random_below(random, all->count)];
    switch (random_below(random, 6)) {
    case 0: // change one byte
        if (rest > 0) {
            it->data[at] = (uint8_t)random_bits(random);
        }
        break;
    case 1: // remove a piece
        memmove(it->data + at, it->data + at + length, rest - length);
        it->size -= length;
        break;
    case 2: // truncate
        it->size = random_below(random, 4) == 0 ? at : it->size;
        break;
    case 3: insert(it, at, (const uint8_t *)word, strlen(word)); break;
    case 4: { // replace a piece by a fragment
        memmove(it->data + at, it->data + at + length, rest - length);
        it->size -= length;
        insert(it, at, (const uint8_t *)word, strlen(word));
        break;
    }
    default: { // insert a piece of another file
        size_t from = (size_t)random_below(random, (int)other->size + 1);
        size_t most = other->size - from;
        insert(it, at, other->data + from, most < 64 ? most : 64);
        break;
    }
    }
}

// Runs the target on a copy of exactly the size of the input, so that a sanitizer detects reads beyond it.
static void run(const input *it)
{
    uint8_t *copy = malloc(it->size > 0 ? it->size : 1);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, it->data, it->size);
    (void)LLVMFuzzerTestOneInput(copy, it->size);
    free(copy);
}

int main(int count, char **arguments)
{
    static corpus all;
    static uint8_t scratch[SIZE_LIMIT];
    if (count != 3 || !load_all(&all, arguments[1])) {
        (void)fprintf(stderr, "usage: %s FOLDER COUNT\n", arguments[0]);
        return 2;
    }
    int rounds = atoi(arguments[2]);
    test_random random = {1};
    for (int i = 0; i < all.count; ++i) {
        run(&all.files[i]);
    }
    for (int i = 0; i < rounds; ++i) {
        const input *from = &all.files[random_below(&random, all.count)];
        input changed = {scratch, from->size};
        memcpy(scratch, from->data, from->size);
        for (int k = random_below(&random, 5); k >= 0; --k) {
            change(&changed, &all, &random);
        }
        run(&changed);
    }
    for (int i = 0; i < all.count; ++i) {
        free(all.files[i].data);
    }
    (void)printf("%d files, %d changed copies\n", all.count, rounds);
    return 0;
}
