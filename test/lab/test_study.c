// SPDX-License-Identifier: MIT
// test_study.c: plans, results, runs in child processes, parts and their merging; the studies of Erleben 2018
#define _XOPEN_SOURCE 700
#include "check.h"
#include "failing.h"

#include <abut-lab/study.h>

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/abut-study-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/// The path of a file in the folder, valid for the next three calls.
static const char *path_of(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static char *read_text(const char *path)
{
    static char text[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return text;
}

// ---------------------------------------------------------------------------------------------------------------
// A kind of study whose runs end as their parameter says

static int dummy_data;

static abut_status run_dummy(const abut_study *study, int run, const abut_context *context,
                             abut_study_result *result, abut_error *error)
{
    const char *way = abut_study_run_parameters(study, run)[0].word;
    const double series[] = {1.0 / 3.0, -0.0, NAN, 1e300};
    if (strcmp(way, "crash") == 0) {
        (void)raise(SIGKILL);
    } else if (strcmp(way, "hang") == 0) {
        for (;;) {
            (void)pause();
        }
    } else if (strcmp(way, "leave") == 0) {
        exit(0);
    } else if (strcmp(way, "fail") == 0) {
        (void)snprintf(error->text, sizeof error->text, "it cannot\nbe done \x80");
        return ABUT_UNSUPPORTED;
    }
    if (context->worker_count != 1) {
        return ABUT_METHOD_FAULT; // a child must have one thread
    }
    abut_status status = abut_study_add_value(result, abut_study_number("tenth", 0.1), error);
    status = status != ABUT_OK ? status : abut_study_add_value(result, abut_study_word("end", "stands"), error);
    return status != ABUT_OK ? status : abut_study_add_series(context, result, "curve", series, 4, error);
}

static const abut_study_kind dummy_kind = {sizeof(abut_study_kind), "dummy", "For tests.", "seed", run_dummy, NULL};

static const char *const WAYS[] = {"done", "crash", "fail", "hang", "leave", "done", "done"};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0] };

static abut_study *make_dummy(int run_count)
{
    abut_study *study = NULL;
    assert_int_equal(abut_study_create(NULL, &dummy_kind, &study, NULL), ABUT_OK);
    assert_int_equal(abut_study_set(study, abut_study_number("friction", 0.5), NULL), ABUT_OK);
    assert_int_equal(abut_study_set(study, abut_study_word("scene", "pillar"), NULL), ABUT_OK);
    for (int i = 0; i < run_count; ++i) {
        const abut_study_value row[] = {abut_study_word("way", WAYS[i % WAY_COUNT]), abut_study_number("seed", i)};
        assert_int_equal(abut_study_add_run(study, row, 2, NULL), ABUT_OK);
    }
    study->data = &dummy_data;
    return study;
}

/// The time limit of a run counts also while the machine is busy with others: it is short only if a run hangs.
static double seconds_of(const abut_study *study)
{
    for (int i = 0; i < study->run_count; ++i) {
        if (strcmp(abut_study_run_parameters(study, i)[0].word, "hang") == 0) {
            return 1.5;
        }
    }
    return 60.0;
}

static abut_status execute(abut_study *study, int jobs, int shard, int shard_count, abut_study_part *part)
{
    abut_study_pool *pool = NULL;
    abut_error error = {0};
    assert_int_equal(abut_study_pool_create(study, jobs, seconds_of(study), &pool, &error), ABUT_OK);
    abut_study_execution how = abut_study_execution_default();
    how.crew = abut_study_pool_crew(pool);
    how.shard = shard;
    how.shard_count = shard_count;
    how.part = part;
    abut_status status = abut_study_execute(study, &how, &error);
    abut_study_pool_destroy(pool);
    return status;
}

static int has_text(const abut_study *study, int run, const char *expected)
{
    char *text = NULL;
    assert_int_equal(abut_study_print_result(study, run, &text, NULL), ABUT_OK);
    int is_same = strcmp(text, expected) == 0;
    CHECK(is_same, "%s is not %s", text, expected);
    abut_study_text_release(study, text);
    return is_same;
}

static const char DONE[] = "\"values\":{\"tenth\":0.10000000000000001,\"end\":\"stands\"},"
                           "\"series\":{\"curve\":[0.33333333333333331,0,null,1.0000000000000001e300]}}";

// ---------------------------------------------------------------------------------------------------------------
// Plans and results

/// The whole text of a plan. Numbers have 17 digits, whole numbers no decimal point.
static void a_plan_has_one_text(void **state)
{
    (void)state;
    abut_study *study = make_dummy(2);
    char *text = NULL;
    assert_int_equal(abut_study_print_plan(study, &text, NULL), ABUT_OK);
    assert_string_equal(text,
                        "{\"schema\":1,\"study\":\"dummy\",\"settings\":{\"friction\":0.5,\"scene\":\"pillar\"},"
                        "\"parameters\":[\"way\",\"seed\"],\"runs\":[[\"done\",0],[\"crash\",1]]}");
    abut_study_text_release(study, text);
    char name[64];
    abut_study_run_name(study, 1, name, sizeof name);
    assert_string_equal(name, "way crash, seed 1");
    abut_study_run_name(study, 1, name, 8);
    assert_string_equal(name, "way cra");
    abut_study_destroy(study);
    // A plan of a kind in the table reads back to the same text.
    static const char plan[] =
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{\"a\":1.5},\"parameters\":[\"dt\"],"
        "\"runs\":[[0.10000000000000001],[null],[\"x\"]]}";
    assert_int_equal(abut_study_parse_plan(NULL, plan, strlen(plan), &study, NULL), ABUT_OK);
    assert_int_equal(abut_study_print_plan(study, &text, NULL), ABUT_OK);
    assert_string_equal(text, plan);
    CHECK(abut_study_run_number(study, 0, "dt") == 0.1 && isnan(abut_study_run_number(study, 1, "dt")), "numbers");
    abut_study_text_release(study, text);
    // A plan that was read from a file cannot be run.
    abut_study_pool *pool;
    CHECK_STATUS(abut_study_pool_create(study, 1, 1.0, &pool, NULL), ABUT_BAD_ARGUMENT, "pool of a text");
    abut_study_destroy(study);
    CHECK_DONE();
}

static void bad_plans_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "null",
        "{}",
        "\"study\"",
        "{\"schema\":1,\"study\":\"timestep\"}",
        "{\"schema\":2,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"a\"],\"runs\":[[1]]}",
        "{\"schema\":1,\"study\":\"none\",\"settings\":{},\"parameters\":[\"a\"],\"runs\":[[1]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":[],\"parameters\":[\"a\"],\"runs\":[[1]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{\"A\":1},\"parameters\":[\"a\"],\"runs\":[[1]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{\"a\":[]},\"parameters\":[\"a\"],\"runs\":[[1]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{\"a\":\"\\n\"},\"parameters\":[\"a\"],\"runs\":[[1]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"a\",\"a\"],\"runs\":[[1,1]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[1],\"runs\":[[1]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[],\"runs\":[[]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"a\"],\"runs\":[]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"a\"],\"runs\":[[1],[]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"a\"],\"runs\":[1]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"a\"],\"runs\":[[1e999]]}",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"a\"],\"runs\":[[1]],\"more\":1}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        abut_study *study;
        abut_error error = {0};
        abut_status status = abut_study_parse_plan(NULL, texts[i], strlen(texts[i]), &study, &error);
        CHECK(status == ABUT_BAD_DATA && study == NULL && error.text[0] != '\0' && strchr(error.text, '\n') == NULL,
              "%s", texts[i]);
    }
    CHECK_DONE();
}

static void bad_results_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"run\":0}",
        "{\"run\":-1,\"failed\":\"x\"}",
        "{\"run\":2,\"failed\":\"x\"}",
        "{\"run\":0.0,\"failed\":\"x\"}",
        "{\"run\":99999999999999999999,\"failed\":\"x\"}",
        "{\"run\":0,\"failed\":\"\"}",
        "{\"run\":0,\"failed\":1}",
        "{\"run\":0,\"failed\":\"x\",\"values\":{}}",
        "{\"run\":0,\"values\":{}}",
        "{\"run\":0,\"values\":[],\"series\":{}}",
        "{\"run\":0,\"values\":{\"a\":{}},\"series\":{}}",
        "{\"run\":0,\"values\":{\"\":1},\"series\":{}}",
        "{\"run\":0,\"values\":{\"a\":1,\"a\":1},\"series\":{}}",
        "{\"run\":0,\"values\":{},\"series\":{\"a\":1}}",
        "{\"run\":0,\"values\":{},\"series\":{\"a\":[\"x\"]}}",
        "{\"run\":0,\"values\":{},\"series\":{\"a\":[],\"b\":[],\"c\":[],\"d\":[],\"e\":[]}}",
        "{\"run\":0,\"values\":{},\"series\":{}} {}",
        // A name of 32 letters; 31 fit.
        "{\"run\":0,\"values\":{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\":1},\"series\":{}}",
    };
    abut_study *study = make_dummy(2);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        abut_error error = {0};
        int run = -1;
        CHECK_STATUS(abut_study_parse_result(study, texts[i], strlen(texts[i]), &run, &error), ABUT_BAD_DATA,
                     texts[i]);
        CHECK(error.text[0] != '\0' && strchr(error.text, '\n') == NULL, "%s", texts[i]);
        CHECK_INT(abut_study_count(study, 0, 1, ABUT_STUDY_OPEN), 2, texts[i]);
    }
    // A run that is not in the plan is refused. A failure may be replaced, a result may not.
    static const char failed[] = "{\"run\":1,\"failed\":\"x\"}", done[] = "{\"run\":1,\"values\":{},\"series\":{}}";
    int run = 0;
    CHECK_STATUS(abut_study_parse_result(study, failed, strlen(failed), &run, NULL), ABUT_BAD_DATA, "another run");
    run = 1;
    CHECK_STATUS(abut_study_parse_result(study, failed, strlen(failed), &run, NULL), ABUT_OK, "failed");
    CHECK_STATUS(abut_study_parse_result(study, done, strlen(done), &run, NULL), ABUT_OK, "mended");
    run = -1;
    CHECK_STATUS(abut_study_parse_result(study, done, strlen(done), &run, NULL), ABUT_BAD_DATA, "twice");
    CHECK_INT(run, 1, "the run that is there twice");
    abut_study_destroy(study);
    CHECK_DONE();
}

static void limits_of_values(void **state)
{
    (void)state;
    abut_study *study = make_dummy(1);
    const abut_study_value other[] = {abut_study_word("way", "done")}, same[] = {other[0], other[0]};
    CHECK_STATUS(abut_study_add_run(study, other, 1, NULL), ABUT_BAD_ARGUMENT, "other parameters");
    CHECK_STATUS(abut_study_add_run(study, other, 0, NULL), ABUT_LIMIT, "no parameters");
    CHECK_STATUS(abut_study_set(study, abut_study_number("scene", 1.0), NULL), ABUT_BAD_ARGUMENT, "setting twice");
    CHECK_STATUS(abut_study_set(study, abut_study_number("Scene", 1.0), NULL), ABUT_BAD_ARGUMENT, "no name");
    abut_study *empty = NULL;
    assert_int_equal(abut_study_create(NULL, &dummy_kind, &empty, NULL), ABUT_OK);
    CHECK_STATUS(abut_study_add_run(empty, same, 2, NULL), ABUT_BAD_ARGUMENT, "parameter twice");
    abut_study_destroy(empty);
    abut_study_result *result = &study->results[0];
    const abut_context context = abut_context_default();
    for (int i = 0; i <= ABUT_STUDY_MAX_VALUES; ++i) {
        char name[16];
        (void)snprintf(name, sizeof name, "v%d", i);
        CHECK_STATUS(abut_study_add_value(result, abut_study_number(name, i), NULL),
                     i < ABUT_STUDY_MAX_VALUES ? ABUT_OK : ABUT_LIMIT, name);
        CHECK_STATUS(abut_study_add_series(&context, result, name, NULL, 0, NULL),
                     i < ABUT_STUDY_MAX_SERIES ? ABUT_OK : ABUT_LIMIT, name);
    }
    abut_study_destroy(study);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Runs

/// A run that crashes, hangs, exits or fails is a failed run, and the others continue, with any number of children.
static void every_run_has_an_end(void **state)
{
    (void)state;
    for (int jobs = 1; jobs <= 4; jobs += 3) {
        abut_study *study = make_dummy(WAY_COUNT);
        CHECK_STATUS(execute(study, jobs, 0, 1, NULL), ABUT_OK, "execute");
        char expected[256];
        (void)snprintf(expected, sizeof expected, "{\"run\":0,%s", DONE);
        (void)has_text(study, 0, expected);
        (void)has_text(study, 1, "{\"run\":1,\"failed\":\"the run was ended by signal 9 (Killed)\"}");
        (void)has_text(study, 2, "{\"run\":2,\"failed\":\"it cannot?be done ?\"}");
        (void)has_text(study, 3, "{\"run\":3,\"failed\":\"the run took more than 1.5 seconds\"}");
        (void)has_text(study, 4, "{\"run\":4,\"failed\":\"the run ended its process with exit code 3\"}");
        CHECK_INT(abut_study_count(study, 0, 1, ABUT_STUDY_DONE), 3, "done");
        CHECK_INT(abut_study_count(study, 0, 1, ABUT_STUDY_FAILED), 4, "failed");
        abut_study_destroy(study);
    }
    CHECK_DONE();
}

static int stop_after_two(void *user, int done, int total)
{
    CHECK_INT(total, 7, "total");
    *(int *)user = done;
    return done < 2;
}

static abut_status lie(void *user, abut_study_line *line, abut_error *error)
{
    (void)error;
    static char text[] = "{\"run\":1,\"values\":{},\"series\":{}}";
    *line = (abut_study_line){*(int *)user, text, strlen(text)};
    return ABUT_OK;
}

static abut_status take_note(void *user, int run, abut_error *error)
{
    (void)error;
    *(int *)user = run;
    return ABUT_OK;
}

/// An execution stops if on_progress says so. If a crew returns the result of another run, this run has failed.
static void executions_are_checked(void **state)
{
    (void)state;
    abut_study *study = make_dummy(WAY_COUNT);
    abut_study_pool *pool = NULL;
    int done = 0;
    assert_int_equal(abut_study_pool_create(study, 1, 60.0, &pool, NULL), ABUT_OK);
    abut_study_execution how = abut_study_execution_default();
    how.crew = abut_study_pool_crew(pool);
    how.on_progress = stop_after_two;
    how.user = &done;
    CHECK_STATUS(abut_study_execute(study, &how, NULL), ABUT_LIMIT, "stopped");
    CHECK_INT(done, 2, "done");
    CHECK_INT(abut_study_count(study, 0, 1, ABUT_STUDY_OPEN), 5, "open");
    how.shard = 1;
    CHECK_STATUS(abut_study_execute(study, &how, NULL), ABUT_BAD_ARGUMENT, "no such shard");
    abut_study_pool_destroy(pool); // while a run is in progress
    abut_study_destroy(study);
    study = make_dummy(2);
    int at = -1;
    how = abut_study_execution_default();
    how.crew = (abut_study_crew){1, take_note, lie, &at};
    CHECK_STATUS(abut_study_execute(study, &how, NULL), ABUT_OK, "a crew that lies");
    CHECK(study->results[0].outcome == ABUT_STUDY_FAILED && strstr(study->results[0].reason, "result") != NULL,
          "%s", study->results[0].reason);
    (void)has_text(study, 1, "{\"run\":1,\"values\":{},\"series\":{}}");
    abut_study_destroy(study);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

/// Runs of a part are not repeated, except for a last line without a line break.
static void parts_are_taken_up(void **state)
{
    (void)state;
    const char *path = path_of("part");
    abut_study_part *part = NULL;
    abut_study *study = make_dummy(3); // done, crash, fail
    assert_int_equal(abut_study_part_open(study, path, &part, NULL), ABUT_OK);
    CHECK_STATUS(execute(study, 1, 0, 1, part), ABUT_OK, "execute");
    abut_study_part_close(part);
    abut_study_destroy(study);
    char whole[4096];
    (void)snprintf(whole, sizeof whole, "%s", read_text(path));
    // Cut anywhere, the part gives its complete lines; after another execution it is complete again.
    for (size_t length = strlen(whole); length > 0; length -= length > 5 ? 5 : length) {
        char cut[4096];
        (void)snprintf(cut, sizeof cut, "%.*s", (int)length, whole);
        write_text(path, cut);
        study = make_dummy(3);
        int breaks = 0;
        for (const char *c = cut; *c != '\0'; ++c) {
            breaks += *c == '\n';
        }
        CHECK_STATUS(abut_study_part_open(study, path, &part, NULL), ABUT_OK, "open");
        CHECK_INT(3 - abut_study_count(study, 0, 1, ABUT_STUDY_OPEN), breaks > 0 ? breaks - 1 : 0, "taken up");
        if (length % 4 == 0) {
            CHECK_STATUS(execute(study, 1, 0, 1, part), ABUT_OK, "go on");
            CHECK(strcmp(read_text(path), whole) == 0, "cut at %zu", length);
        }
        abut_study_part_close(part);
        abut_study_destroy(study);
    }
    // Failed runs are repeated on request, and the last result counts.
    write_text(path, whole);
    study = make_dummy(3);
    assert_int_equal(abut_study_part_open(study, path, &part, NULL), ABUT_OK);
    abut_study_reopen_failed(study);
    CHECK_INT(abut_study_count(study, 0, 1, ABUT_STUDY_OPEN), 2, "open again");
    CHECK_STATUS(execute(study, 1, 0, 1, part), ABUT_OK, "again");
    abut_study_part_close(part);
    abut_study_destroy(study);
    study = make_dummy(3);
    CHECK_STATUS(abut_study_part_open(study, path, &part, NULL), ABUT_OK, "open");
    CHECK_INT(abut_study_count(study, 0, 1, ABUT_STUDY_FAILED), 2, "failed");
    abut_study_part_close(part);
    abut_study_destroy(study);
    assert_int_equal(remove(path), 0);
    CHECK_DONE();
}

/// A file that is not a part of this plan is not overwritten.
static void other_files_are_left_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "notes of mine", "notes\n", "{\"schema\":1", "{\"schema\":1,\"study\":\"dummy\"}\n",
        "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"a\"],\"runs\":[[1]]}\n"};
    const char *path = path_of("other");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        abut_study *study = make_dummy(2);
        abut_study_part *part;
        abut_error error = {0};
        write_text(path, texts[i]);
        abut_status status = abut_study_part_open(study, path, &part, &error);
        int is_begin = i == 2; // the first bytes of this plan: its writer was killed
        CHECK_STATUS(status, is_begin ? ABUT_OK : ABUT_BAD_DATA, texts[i]);
        CHECK(is_begin || strcmp(read_text(path), texts[i]) == 0, "%s was changed", texts[i]);
        CHECK(i != 4 || strstr(error.text, "another plan (of the study timestep)") != NULL, "%s", error.text);
        abut_study_part_close(part);
        abut_study_destroy(study);
    }
    assert_int_equal(remove(path), 0);
    abut_study *study = make_dummy(1);
    abut_study_part *part;
    CHECK_STATUS(abut_study_part_open(study, folder, &part, NULL), ABUT_IO, "a folder");
    CHECK_STATUS(abut_study_part_open(study, path_of("no/part"), &part, NULL), ABUT_IO, "no folder");
    abut_study_destroy(study);
    CHECK_DONE();
}

#define PLAN                                                                                                       \
    "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"dt\"],\"runs\":[[1],[2],[3]]}\n"
#define RESULT(N) "{\"run\":" #N ",\"values\":{},\"series\":{}}\n"

static abut_status merge(const char *a, const char *b, abut_study **study, abut_error *error)
{
    const char *const paths[] = {path_of("a"), path_of("b")};
    write_text(paths[0], a);
    write_text(paths[1], b);
    abut_status status = abut_study_merge(NULL, paths, 2, study, error);
    assert_int_equal(remove(paths[0]) + remove(paths[1]), 0);
    return status;
}

static void parts_are_merged(void **state)
{
    (void)state;
    abut_study *study;
    abut_error error = {0};
    CHECK_STATUS(merge(PLAN RESULT(2) RESULT(0), PLAN "{\"run\":1,\"failed\":\"x\"}\n", &study, &error), ABUT_OK,
                 "all");
    CHECK_INT(abut_study_count(study, 0, 1, ABUT_STUDY_DONE), 2, "done");
    CHECK_INT(study->results[1].outcome, ABUT_STUDY_FAILED, "failed");
    abut_study_destroy(study);
    CHECK_STATUS(merge(PLAN RESULT(2), PLAN "{\"run\":1,\"val", &study, &error), ABUT_OK, "cut");
    CHECK_INT(abut_study_count(study, 0, 1, ABUT_STUDY_OPEN), 2, "missing");
    abut_study_destroy(study);
    static const struct {
        const char *a, *b, *says;
    } bad[] = {
        {PLAN RESULT(2), PLAN RESULT(2), "b: has run 2, "},
        {PLAN "{\"run\":1,\"failed\":\"x\"}\n", PLAN RESULT(1), "b: has run 1, "},
        {PLAN RESULT(2) RESULT(2), PLAN, "a:3: has run 2"},
        {PLAN, "{\"schema\":1,\"study\":\"timestep\",\"settings\":{},\"parameters\":[\"dt\"],\"runs\":[[1]]}\n",
         "b: has another plan"},
        {"", PLAN, "a: is not a part of a study"},
        {"x\n", PLAN, "a:1: is not JSON"},
        {PLAN "x\n", PLAN, "a:2: is not JSON"},
        {PLAN RESULT(7), PLAN, "a:2: is not a result"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        CHECK_STATUS(merge(bad[i].a, bad[i].b, &study, &error), ABUT_BAD_DATA, bad[i].says);
        CHECK(study == NULL && strstr(error.text, bad[i].says) != NULL, "%s is not %s", error.text, bad[i].says);
    }
    const char *const none[] = {path_of("none")}, *const no_file[] = {folder};
    CHECK_STATUS(abut_study_merge(NULL, none, 1, &study, &error), ABUT_IO, "no file");
    CHECK_STATUS(abut_study_merge(NULL, no_file, 1, &study, &error), ABUT_IO, "a folder");
    CHECK_STATUS(abut_study_merge(NULL, none, 0, &study, &error), ABUT_BAD_ARGUMENT, "nothing");
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// The studies of the paper

static abut_quality_method method_of(const char *name)
{
    return (abut_quality_method){abut_method_find(name), NULL};
}

/// Numbers that are uniform in [-1, 1] have mean 0 and mean square 1/3, here within four standard errors of 3 x 4096
/// numbers.
static void shifts_are_uniform(void **state)
{
    (void)state;
    double sum = 0.0, squares = 0.0;
    for (int seed = 1; seed <= 64; ++seed) {
        for (int body = 0; body < 64; ++body) {
            for (int axis = 0; axis < 3; ++axis) {
                double shift = abut_quality_shift(seed, body, axis);
                CHECK(shift >= -1.0 && shift < 1.0, "seed %d, body %d: %g", seed, body, shift);
                sum += shift;
                squares += shift * shift;
            }
        }
    }
    double count = 3.0 * 4096.0;
    CHECK_NEAR(sum / count, 0.0, 4.0 * sqrt(1.0 / 3.0 / count), "mean");
    CHECK_NEAR(squares / count, 1.0 / 3.0, 4.0 * sqrt(4.0 / 45.0 / count), "mean square");
    CHECK_DONE();
}

/// The Pillar as built has 40 contacts, at its corners. After a small displacement `regions` finds 42, because corners
/// no longer coincide. All normals are right, so the curve has a 1 for each contact.
static void the_pillar_is_perturbed(void **state)
{
    (void)state;
    const double scales[] = {0.0, 0.01};
    const abut_quality_method methods[] = {method_of("regions")};
    abut_quality_def def = abut_quality_def_default(abut_study_find_kind("perturbation"));
    CHECK_INT(def.value_count, 3, "the paper's scales");
    def.methods = methods;
    def.method_count = 1;
    def.values = scales;
    def.value_count = 2;
    def.seed_count = 2;
    abut_study *study = NULL;
    abut_error error = {0};
    assert_int_equal(abut_quality_study_create(NULL, abut_study_find_kind("perturbation"), &def, &study, &error),
                     ABUT_OK);
    CHECK_INT(study->run_count, 4, "runs");
    abut_study_pool *pool = NULL;
    assert_int_equal(abut_study_pool_create(study, 2, 60.0, &pool, &error), ABUT_OK);
    abut_study_execution how = abut_study_execution_default();
    how.crew = abut_study_pool_crew(pool);
    CHECK_STATUS(abut_study_execute(study, &how, &error), ABUT_OK, "execute");
    for (int run = 0; run < 4; ++run) {
        const abut_study_result *r = &study->results[run];
        assert_int_equal(r->outcome, ABUT_STUDY_DONE);
        CHECK_INT(abut_study_find_value(r->values, r->value_count, "contacts")->number, run < 2 ? 40 : 42,
                  "contacts");
        CHECK_NEAR(abut_study_find_value(r->values, r->value_count, "exact")->number, 100.0, 0.0, "exact");
        CHECK_INT(r->series[0].count, run < 2 ? 40 : 42, "curve");
        CHECK(r->series[0].values[0] > 1.0 - 1e-9, "worst is %g", r->series[0].values[0]);
    }
    abut_study_pool_destroy(pool);
    abut_study_destroy(study);
    CHECK_DONE();
}

static void bad_studies_are_refused(void **state)
{
    (void)state;
    const abut_study_kind *kind = abut_study_find_kind("timestep");
    const abut_quality_method methods[] = {method_of("regions"), method_of("regions")};
    abut_quality_def good = abut_quality_def_default(kind);
    good.methods = methods;
    good.method_count = 1;
    const double zero[] = {0.0}, nan[] = {NAN}, below[] = {0.5}, huge[] = {1e300}, fine[] = {1.1};
    abut_quality_def bad[11];
    for (int i = 0; i < 11; ++i) {
        bad[i] = good;
    }
    bad[0].scene = "tower";
    bad[1].method_count = 0;
    bad[2].method_count = 2; // the same method twice
    bad[3].value_count = 0;
    bad[4].step = 0;
    bad[5].friction = NAN;
    bad[6].axes[1] = 3;
    bad[7].values = zero;
    bad[8].values = nan;
    bad[9].scene = "saddles-3"; // a case without known normals
    bad[10].struct_size = sizeof good + 8;
    abut_study *study;
    for (int i = 0; i < 11; ++i) {
        abut_error error = {0};
        CHECK(abut_quality_study_create(NULL, kind, &bad[i], &study, &error) == ABUT_BAD_ARGUMENT &&
                  study == NULL && error.text[0] != '\0',
              "definition %d", i);
    }
    good.values = below; // not a valid ratio of tetgen
    good.value_count = 1;
    CHECK_STATUS(abut_quality_study_create(NULL, abut_study_find_kind("refinement"), &good, &study, NULL),
                 ABUT_BAD_ARGUMENT, "ratio");
    good.values = fine;
    good.scene = "spikes"; // the meshes of a case cannot be refined
    CHECK_STATUS(abut_quality_study_create(NULL, abut_study_find_kind("refinement"), &good, &study, NULL),
                 ABUT_BAD_ARGUMENT, "finer");
    good.values = huge;
    CHECK_STATUS(abut_quality_study_create(NULL, abut_study_find_kind("perturbation"), &good, &study, NULL),
                 ABUT_BAD_ARGUMENT, "scale");
    abut_study_kind other = dummy_kind;
    other.struct_size = 8;
    CHECK_STATUS(abut_study_create(NULL, &other, &study, NULL), ABUT_BAD_ARGUMENT, "kind of another size");
    abut_spin_study_def spin = abut_spin_study_def_default();
    const double tiny[] = {0.001, 1e-300};
    spin.dts = tiny;
    abut_error error = {0};
    CHECK_STATUS(abut_spin_study_create(NULL, &spin, &study, &error), ABUT_BAD_ARGUMENT, "dt");
    CHECK(strstr(error.text, "dt 1e-300") != NULL, "%s", error.text);
    CHECK_DONE();
}

/// The text of a plan with one method, in a buffer.
static const char *plan_text(const abut_quality_def *def, const char *kind, char text[1024])
{
    abut_study *study = NULL;
    char *made = NULL;
    assert_int_equal(abut_quality_study_create(NULL, abut_study_find_kind(kind), def, &study, NULL), ABUT_OK);
    assert_int_equal(abut_study_print_plan(study, &made, NULL), ABUT_OK);
    (void)snprintf(text, 1024, "%s", made);
    abut_study_text_release(study, made);
    abut_study_destroy(study);
    return text;
}

/// The text of a plan has everything that a result depends on, so each change gives another text. The last text has
/// all changes.
static void plans_differ_in_all_that_matters(void **state)
{
    (void)state;
    const double values[] = {2.0};
    const abut_option options[] = {{"epsilon", 0.25}, {"reading", 1.0}};
    abut_params params = abut_params_default();
    const abut_quality_method method = {abut_method_find("closest-points"), &params};
    abut_quality_def def = abut_quality_def_default(abut_study_find_kind("refinement"));
    def.methods = &method;
    def.method_count = def.value_count = 1;
    def.values = values;
    char usual[1024], last[1024], now[1024];
    (void)plan_text(&def, "refinement", usual);
    CHECK(strstr(usual, "\"with-closest-points\":\"defaults\"") != NULL, "%s", usual);
    (void)snprintf(last, sizeof last, "%s", usual);
    for (int change = 0; change < 10; ++change) {
        switch (change) {
        case 0: params.tolerance = abut_absolute(0.5); break;
        case 1: params.envelope = abut_relative(0.5); break;
        case 2: params.merge = abut_relative(0.0); break;
        case 3: params.angle = 0.5; break;
        case 4: params.flags = ABUT_PARAMS_KEEP_REDUNDANT; break;
        case 5:
            params.options = options;
            params.option_count = 2;
            break;
        case 6: def.step = 5; break;
        case 7: def.friction = 0.75; break;
        case 8: def.iterations = 10; break;
        default: def.refine_seconds = 7.0; break;
        }
        CHECK(strcmp(plan_text(&def, "refinement", now), last) != 0, "change %d", change);
        (void)snprintf(last, sizeof last, "%s", now);
    }
    CHECK(strstr(last, "\"with-closest-points\":\"tolerance=0.5 envelope=0.5r merge=0r angle=0.5 raw epsilon=0.25 "
                       "reading=program\"") != NULL,
          "%s", last);
    CHECK(strstr(last, "\"step\":5,\"friction\":0.75,\"iterations\":10,\"seconds\":7,") != NULL, "%s", last);
    CHECK(strstr(last, "\"runs\":[[2,\"closest-points\"]]}") != NULL, "%s", last);
    // A choice that does not exist.
    const abut_option odd = {"reading", 1e300};
    params.options = &odd;
    params.option_count = 1;
    CHECK(strstr(plan_text(&def, "refinement", now), "reading=1.0000000000000001e+300") != NULL, "%s", now);
    params.options = options;
    (void)plan_text(&def, "perturbation", last);
    def.axes[1] = 1;
    CHECK(strcmp(plan_text(&def, "perturbation", now), last) != 0, "axes");
    CHECK_DONE();
}

/// Each allocation fails in turn: ABUT_NO_MEMORY, and nothing leaks.
static void memory_may_run_out(void **state)
{
    (void)state;
    const abut_study_kind *kind = abut_study_find_kind("perturbation");
    const abut_option option = {"reading", 1.0};
    abut_params params = abut_params_default();
    params.options = &option;
    params.option_count = 1;
    const abut_quality_method methods[] = {{abut_method_find("opposing"), &params}, method_of("regions")};
    abut_quality_def def = abut_quality_def_default(kind);
    def.methods = methods;
    def.method_count = 2;
    const char *path = path_of("part");
    abut_status status = ABUT_NO_MEMORY;
    for (int fail_at = 1; status != ABUT_OK; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at};
        abut_context context = failing_context(&heap);
        abut_study *study = NULL;
        abut_study_part *part = NULL;
        abut_study_pool *pool = NULL;
        status = abut_quality_study_create(&context, kind, &def, &study, NULL);
        status = status != ABUT_OK ? status : abut_study_part_open(study, path, &part, NULL);
        status = status != ABUT_OK ? status : abut_study_pool_create(study, 3, 1.0, &pool, NULL);
        CHECK(status == (heap.calls < fail_at ? ABUT_OK : ABUT_NO_MEMORY), "allocation %d: %s", fail_at,
              abut_status_text(status));
        abut_study_pool_destroy(pool);
        abut_study_part_close(part);
        abut_study_destroy(study);
        CHECK_INT(heap.live, 0, "blocks left");
    }
    status = ABUT_NO_MEMORY;
    const char *const paths[] = {path};
    write_text(path, PLAN "{\"run\":1,\"values\":{\"a\":1},\"series\":{\"b\":[1,2]}}\n");
    for (int fail_at = 1; status != ABUT_OK; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at};
        abut_context context = failing_context(&heap);
        abut_study *study = NULL;
        status = abut_study_merge(&context, paths, 1, &study, NULL);
        CHECK(status == (heap.calls < fail_at ? ABUT_OK : ABUT_NO_MEMORY), "allocation %d: %s", fail_at,
              abut_status_text(status));
        abut_study_destroy(study);
        CHECK_INT(heap.live, 0, "blocks left");
    }
    assert_int_equal(remove(path), 0);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_has_one_text),
        cmocka_unit_test(bad_plans_are_refused),
        cmocka_unit_test(bad_results_are_refused),
        cmocka_unit_test(limits_of_values),
        cmocka_unit_test(every_run_has_an_end),
        cmocka_unit_test(executions_are_checked),
        cmocka_unit_test(parts_are_taken_up),
        cmocka_unit_test(other_files_are_left_alone),
        cmocka_unit_test(parts_are_merged),
        cmocka_unit_test(shifts_are_uniform),
        cmocka_unit_test(the_pillar_is_perturbed),
        cmocka_unit_test(bad_studies_are_refused),
        cmocka_unit_test(plans_differ_in_all_that_matters),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
