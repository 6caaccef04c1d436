// SPDX-License-Identifier: MIT
// world_events.h: the time of an event, of worlds that go from event to event
#ifndef ABUT_BENCH_WORLD_EVENTS_H
#define ABUT_BENCH_WORLD_EVENTS_H

#include "bench.h"

/// Adds a row for each scene.
int bench_world_events(bench_report *report, const bench_options *options);

#endif
