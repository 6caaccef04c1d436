// SPDX-License-Identifier: MIT
// assess_peers.c: abut assess --compare peers: other libraries beside our methods, on the ten cases and on overlaps
#include "verb/assess_modes.h"
#include "verb/assess_parts.h"
#include "verb/assessment.h"

#ifdef ABUT_CLI_BENCH
#include <peer_contacts.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_CONTACTS = 4096 };

/// Options of `abut assess --compare` that have no meaning here.
static abut_cli_exit check_options(const abut_cli_arguments *arguments)
{
    static const char *const others[] = {"state", "step", "states", "settings", "refine"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        if (abut_cli_value_of(arguments, others[i]) != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s has no effect on --compare peers: leave it out",
                                 others[i]);
        }
    }
    return ABUT_CLI_DONE;
}

int abut_cli_peer_count(void)
{
    return bench_contact_peer_count();
}

const char *abut_cli_peer_name(int peer)
{
    return bench_contact_peer_name(peer);
}

abut_status abut_cli_peer_overlap(const abut_overlap_set *set, int placement, int peer, abut_overlap_row *row)
{
    const abut_overlap_placement *p = &set->placements[placement];
    bench_peer_contact *contacts = abut_cli_resize(NULL, MOST_CONTACTS, sizeof *contacts);
    abut_half_space *sides = abut_cli_resize(NULL, MOST_CONTACTS, sizeof *sides);
    *row = (abut_overlap_row){.status = ABUT_OK};
    int count = bench_contact_peer_find(peer, set->meshes[p->a], p->pose_a, set->meshes[p->b], p->pose_b, contacts,
                                        MOST_CONTACTS);
    for (int i = 0; i < count; ++i) {
        sides[i] = (abut_half_space){contacts[i].normal, -contacts[i].gap};
    }
    row->contacts = count < 0 ? 0 : count;
    abut_status status = abut_overlap_resolve(set, placement, sides, row->contacts, &row->resolution, &row->error);
    if (status == ABUT_OK && count < 0) {
        status = ABUT_UNSUPPORTED;
    }
    free(sides);
    free(contacts);
    return row->status = status;
}

/// Scores the contacts of a peer on a case where it touches.
static void score_case(int peer, const abut_cli_subject *subject, abut_assess_row *score)
{
    const abut_case *item = subject->own_case;
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    bench_peer_contact *contacts = abut_cli_resize(NULL, MOST_CONTACTS, sizeof *contacts);
    abut_sample *samples = abut_cli_resize(NULL, MOST_CONTACTS, sizeof *samples);
    int count = bench_contact_peer_find(peer, item->a.mesh, item->a.pose, item->b.mesh, item->b.pose, contacts,
                                        MOST_CONTACTS);
    for (int i = 0; i < count; ++i) {
        samples[i] = (abut_sample){.position = contacts[i].position, .normal = contacts[i].normal};
    }
    (void)abut_assess_contacts(subject->item, touching, samples, count < 0 ? 0 : count, score); // has the status
    free(samples);
    free(contacts);
}

static abut_cli_exit score_method(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                  const abut_cli_subject *subject, abut_assess_row *score)
{
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    abut_cli_query query;
    abut_cli_exit code = abut_cli_assessed_query(arguments, method, &query);
    if (code == ABUT_CLI_DONE) {
        abut_assess_params params = abut_cli_assess_params(&query);
        (void)abut_assess(subject->item, method->row, &params, touching, score); // the row has the status
    }
    abut_cli_query_release(&query);
    return code;
}

static abut_cli_exit compare_cases(const abut_cli_arguments *arguments, const abut_cli_methods *methods,
                                   abut_cli_format format)
{
    abut_cli_subjects subjects = {0};
    abut_cli_assessment assessment = {0};
    abut_cli_exit code = abut_cli_subjects_load(arguments, &subjects);
    for (int m = 0; m < methods->count && code == ABUT_CLI_DONE; ++m) {
        for (int i = 0; i < subjects.case_count && code == ABUT_CLI_DONE; ++i) {
            abut_cli_row *row = abut_cli_assessment_add(&assessment, subjects.items[i].name,
                                                        methods->items[m].row->name, "touching");
            code = score_method(arguments, &methods->items[m], &subjects.items[i], &row->score);
        }
    }
    for (int peer = 0; peer < bench_contact_peer_count() && code == ABUT_CLI_DONE; ++peer) {
        for (int i = 0; i < subjects.case_count; ++i) {
            abut_cli_row *row = abut_cli_assessment_add(&assessment, subjects.items[i].name,
                                                        bench_contact_peer_name(peer), "touching");
            score_case(peer, &subjects.items[i], &row->score);
        }
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_assessment_print(&assessment, format);
    abut_cli_assessment_release(&assessment);
    abut_cli_subjects_release(&subjects);
    return code;
}

abut_cli_exit abut_cli_assess_peers(const abut_cli_arguments *arguments)
{
    if (bench_contact_peer_count() == 0) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --compare peers: this build has no other libraries: configure it with "
                             "-DABUT_PEERS=ON");
    }
    abut_cli_methods methods = {0};
    abut_cli_format format;
    abut_cli_exit code = check_options(arguments);
    if (code == ABUT_CLI_DONE && abut_cli_assesses_overlap(arguments)) {
        return abut_cli_assess_overlap(arguments);
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_format_of(arguments, &format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_methods_select(arguments, ABUT_CLI_DEFAULT_METHOD, &methods);
    code = code != ABUT_CLI_DONE ? code : compare_cases(arguments, &methods, format);
    abut_cli_methods_release(&methods);
    return code;
}

#else

int abut_cli_peer_count(void)
{
    return 0;
}

const char *abut_cli_peer_name(int peer)
{
    (void)peer;
    return "";
}

abut_status abut_cli_peer_overlap(const abut_overlap_set *set, int placement, int peer, abut_overlap_row *row)
{
    (void)set;
    (void)placement;
    (void)peer;
    *row = (abut_overlap_row){.status = ABUT_UNSUPPORTED};
    return row->status;
}

abut_cli_exit abut_cli_assess_peers(const abut_cli_arguments *arguments)
{
    (void)arguments;
    return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --compare peers: this build has no benchmarks");
}

#endif
