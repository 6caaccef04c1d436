// SPDX-License-Identifier: MIT
// filter.ts: which contacts are shown, in which colour, and what they are called
import { balanced, category, type Rgb, rising, TRUTH } from "./colours";
import { type Frame, type Index, INT, INTS, REAL, REALS, type TrackInfo } from "./format";
import type { State } from "./state";

export const pairOf = (frame: Frame, i: number): string => `${frame.ints[INTS * i + INT.bodyA]}-${frame.ints[INTS * i + INT.bodyB]}`;

/** The kinds of the two features, such as "vertex-face", in an order that does not depend on the bodies. */
export function kindOf(frame: Frame, i: number, index: Index): string {
  const a = frame.ints[INTS * i + INT.featureA] & 255;
  const b = frame.ints[INTS * i + INT.featureB] & 255;
  return `${index.features[Math.min(a, b)]}-${index.features[Math.max(a, b)]}`;
}

export function isShown(frame: Frame, i: number, state: State, index: Index): boolean {
  return (
    (!state.wrong || frame.ints[INTS * i + INT.truth] === 0) &&
    (state.pair === "" || pairOf(frame, i) === state.pair) &&
    (state.kind === "" || kindOf(frame, i, index) === state.kind)
  );
}

/** A colour for a pair that does not depend on the other pairs. */
export const pairColour = (a: number, b: number): Rgb => category((a * 5 + b * 3) | 0);

export function colourOf(frame: Frame, i: number, state: State, info: TrackInfo): Rgb {
  const { ints, reals } = frame;
  switch (state.colour) {
    case "truth":
      return TRUTH[ints[INTS * i + INT.truth]] ?? TRUTH[-1];
    case "rule":
      return category(ints[INTS * i + INT.rule]);
    case "pair":
      return pairColour(ints[INTS * i + INT.bodyA], ints[INTS * i + INT.bodyB]);
    case "impulse":
      return rising(info.ranges.impulse > 0 ? reals[REALS * i + REAL.impulse] / info.ranges.impulse : 0);
    case "gap":
      return balanced(reals[REALS * i + REAL.gap] / gapReach(info));
  }
}

/** The largest gap or overlap of the track. */
export function gapReach(info: TrackInfo): number {
  return Math.max(-info.ranges.gap[0], info.ranges.gap[1]) || 1;
}
