// SPDX-License-Identifier: MIT
// assess_modes.h: the modes of `abut assess`, each selected by the option of its name
#ifndef ABUT_CLI_ASSESS_MODES_H
#define ABUT_CLI_ASSESS_MODES_H

#include "shared/options.h"

#include <abut-lab/overlap.h>

extern const abut_cli_verb abut_cli_assess_compare_mode;
extern const abut_cli_verb abut_cli_assess_contacts_mode;
extern const abut_cli_verb abut_cli_assess_steps_mode; ///< has --compare, too

/// Whether --case names the placements of bodies that overlap, which have a measure of their own.
int abut_cli_assesses_overlap(const abut_cli_arguments *arguments);
/// abut assess --case overlap, with the options of `abut assess`.
abut_cli_exit abut_cli_assess_overlap(const abut_cli_arguments *arguments);

/// abut assess --compare peers, with the options of `abut assess --compare`.
abut_cli_exit abut_cli_assess_peers(const abut_cli_arguments *arguments);
/// The other libraries of this build, and their contacts on a placement.
int abut_cli_peer_count(void);
const char *abut_cli_peer_name(int peer);
abut_status abut_cli_peer_overlap(const abut_overlap_set *set, int placement, int peer, abut_overlap_row *row);

#endif
