// SPDX-License-Identifier: MIT
// legend.ts: what the colours of contacts mean
import { balanced, category, css, type Rgb, rising, TRUTH } from "./colours";
import { make, show } from "./dom";
import { gapReach } from "./filter";
import type { Index } from "./format";
import type { ColourMode } from "./state";
import type { Track } from "./track";

function swatch(colour: Rgb, text: string, isWrong = false): HTMLElement {
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

export function legend(mode: ColourMode, index: Index, tracks: Track[]): HTMLElement[] {
  const infos = tracks.map((track) => track.info);
  switch (mode) {
    case "truth": {
      const isKnown = infos.some((info) => info.ranges.truth);
      const known = [swatch(TRUTH[1], "right"), swatch(TRUTH[0], "wrong", true)];
      return [...(isKnown ? known : []), swatch(TRUTH[-1], isKnown ? "unknown" : "no truth is known here")];
    }
    case "rule":
      return index.rules.map((rule, i) => swatch(category(i), rule === "none" ? "arbitrary" : rule));
    case "pair":
      return [make("span", { class: "hint" }, "one colour for each pair of bodies; eight colours in turn")];
    case "impulse":
      return [scale(rising, "0", "", show(Math.max(...infos.map((info) => info.ranges.impulse))))];
    case "gap": {
      const reach = Math.max(...infos.map(gapReach));
      return [scale((t) => balanced(2 * t - 1), `${show(-reach)} overlap`, "0", `${show(reach)} apart`)];
    }
  }
}
