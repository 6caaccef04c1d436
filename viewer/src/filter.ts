// SPDX-License-Identifier: MIT
// filter.ts: which contacts are shown, in which colour, and what they are called
import { balanced, category, readable, type Rgb, rising, TRUTH } from "./colours";
import { type Frame, type Index, INT, INTS, REAL, REALS } from "./format";
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

/** The ends of the colour scales: the largest gap or overlap, and the largest impulse, of all tracks and times. */
export interface Scales {
  gap: number;
  impulse: number;
}

/** One scale for all tracks: side by side, equal colours mean equal numbers. */
export function scalesOf(index: Index): Scales {
  const ranges = index.tracks.map((track) => track.ranges);
  return {
    gap: Math.max(...ranges.map(({ gap: [least, most] }) => Math.max(-least, most))) || 1,
    impulse: Math.max(...ranges.map(({ impulse }) => impulse)) || 1,
  };
}

export function colourOf(frame: Frame, i: number, state: State, scales: Scales): Rgb {
  const { ints, reals } = frame;
  switch (state.colour) {
    case "truth":
      return readable(TRUTH[ints[INTS * i + INT.truth]] ?? TRUTH[-1], state.theme);
    case "rule":
      return readable(category(ints[INTS * i + INT.rule]), state.theme);
    case "pair":
      return readable(pairColour(ints[INTS * i + INT.bodyA], ints[INTS * i + INT.bodyB]), state.theme);
    case "impulse":
      return rising(reals[REALS * i + REAL.impulse] / scales.impulse);
    case "gap":
      return balanced(reals[REALS * i + REAL.gap] / scales.gap);
  }
}
