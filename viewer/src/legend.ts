// SPDX-License-Identifier: MIT
// legend.ts: what the colours of contacts mean
import { balanced, category, css, readable, type Rgb, rising, TRUTH } from "./colours";
import { make, show } from "./dom";
import { scalesOf } from "./filter";
import type { Index } from "./format";
import type { State } from "./state";

function makeSwatch(colour: Rgb, text: string, isWrong: boolean): HTMLElement {
  const dot = make("i", { class: isWrong ? "dot wrong" : "dot" });
  dot.style.background = css(colour);
  return make("span", { class: "swatch" }, dot, text);
}

function scale(colour: (t: number) => Rgb, from: string, middle: string, to: string): HTMLElement {
  const bar = make("div", { class: "scale" });
  const stops = Array.from({ length: 13 }, (_, i) => css(colour(i / 12)));
  bar.style.background = `linear-gradient(90deg, ${stops.join(",")})`;
  return make("div", { class: "ramp" }, bar, make("div", { class: "ends" }, make("span", {}, from), make("span", {}, middle), make("span", {}, to)));
}

export function legend({ colour: mode, theme }: State, index: Index): HTMLElement[] {
  const scales = scalesOf(index);
  const swatch = (colour: Rgb, text: string, isWrong = false) => makeSwatch(readable(colour, theme), text, isWrong);
  switch (mode) {
    case "truth": {
      const isKnown = index.tracks.some((track) => track.ranges.truth);
      const known = [swatch(TRUTH[1], "right"), swatch(TRUTH[0], "wrong", true)];
      return [...(isKnown ? known : []), swatch(TRUTH[-1], isKnown ? "unknown" : "no truth is known here")];
    }
    case "rule":
      return index.rules.map((rule, i) => swatch(category(i), rule === "none" ? "arbitrary" : rule));
    case "pair":
      return [make("span", { class: "hint" }, "one colour for each pair of bodies; eight colours in turn")];
    case "impulse":
      return [scale(rising, "0", "", show(scales.impulse))];
    case "gap":
      return [scale((t) => balanced(2 * t - 1), `${show(-scales.gap)} overlap`, "0", `${show(scales.gap)} apart`)];
  }
}
