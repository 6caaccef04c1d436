// SPDX-License-Identifier: MIT
// colours.ts: colours that the colour-blind can tell apart (Okabe and Ito's set, and a scale of rising lightness)
import type { Theme } from "./state";

export type Rgb = readonly [number, number, number];

export function rgb(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16);
  return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}

export function css(colour: Rgb): string {
  return `rgb(${colour.map((c) => Math.round(255 * c)).join(" ")})`;
}

const CATEGORIES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#6a51a3"].map(rgb);

export const category = (index: number): Rgb => CATEGORIES[((index % CATEGORIES.length) + CATEGORIES.length) % CATEGORIES.length];

/** Right is blue, wrong vermilion; wrong contacts also have a cross. */
export const TRUTH: Record<number, Rgb> = { [-1]: rgb("#8a93a0"), 0: rgb("#d55e00"), 1: rgb("#0072b2") };

/** A colour that can be read on the background of a theme. */
export const readable = (colour: Rgb, theme: Theme): Rgb => (theme === "dark" ? (colour.map((c) => 0.62 * c + 0.38) as unknown as Rgb) : colour);

const RISING = ["#4a3aa0", "#4656b4", "#3f6fa8", "#2f9a98", "#5dbb6a", "#b4cf3f", "#fde046"].map(rgb);
const FALLING = ["#8c1d40", "#d55e00", "#f2b279", "#c9ccd1", "#8dbbe0", "#2f7fc1", "#0b3c78"].map(rgb);

function along(stops: readonly Rgb[], t: number): Rgb {
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  const s = at - i;
  return [0, 1, 2].map((k) => stops[i][k] * (1 - s) + stops[i + 1][k] * s) as unknown as Rgb;
}

/** From 0 to 1. */
export const rising = (t: number): Rgb => along(RISING, t);
/** From -1 (overlap) through 0 (touching) to 1 (apart). */
export const balanced = (t: number): Rgb => along(FALLING, 0.5 + 0.5 * t);

const STONES = ["#cbc3b5", "#b4bec4", "#c6b59f", "#a9b5ac", "#d3cabe", "#b0a99f", "#bfc6cc", "#c2ab92"].map(rgb);
const FIXED = rgb("#8d949c");

export const bodyColour = (index: number, fixed: boolean): Rgb => (fixed ? FIXED : STONES[index % STONES.length]);

export interface Palette {
  back: Rgb;
  wire: Rgb;
  edge: Rgb;
  /** Of bodies that one can see through. */
  clearEdge: Rgb;
  gap: Rgb;
  region: Rgb;
  featureA: Rgb;
  featureB: Rgb;
}

export const PALETTES: Record<Theme, Palette> = {
  light: {
    back: rgb("#f4f5f7"),
    wire: rgb("#c4161c"),
    edge: rgb("#3c4148"),
    clearEdge: rgb("#3c4148"),
    gap: rgb("#16181c"),
    region: rgb("#0072b2"),
    featureA: rgb("#b8860b"),
    featureB: rgb("#8b3fa0"),
  },
  dark: {
    back: rgb("#16181d"),
    wire: rgb("#ff5a52"),
    edge: rgb("#0c0e11"),
    clearEdge: rgb("#c3cad4"),
    gap: rgb("#f1f3f5"),
    region: rgb("#56b4e9"),
    featureA: rgb("#f0c040"),
    featureB: rgb("#d78ae6"),
  },
};
