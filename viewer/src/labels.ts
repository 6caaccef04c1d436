// SPDX-License-Identifier: MIT
// labels.ts: what is written over the picture: the method of each view and its counts, and the axes
import * as three from "three";
import { category, css } from "./colours";
import { make } from "./dom";
import { SERIES } from "./format";
import type { Stage } from "./stage";
import type { Store } from "./state";

const AXES: [string, three.Vector3][] = [
  ["x", new three.Vector3(1, 0, 0)],
  ["y", new three.Vector3(0, 1, 0)],
  ["z", new three.Vector3(0, 0, 1)],
];

export class Labels {
  readonly element = make("div", { class: "labels" });
  private readonly cards: { root: HTMLElement; counts: HTMLElement }[];
  private readonly axes = make("canvas", { class: "axes" });
  private readonly at = new three.Vector3();
  private lastAxes = "";

  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
  ) {
    this.cards = stage.tracks.map((track, i) => {
      const counts = make("span", { class: "counts" });
      const dot = make("i", { class: "dot" });
      dot.style.background = css(category(i));
      const name = make("strong", {}, track.info.method || track.info.label);
      const root = make("button", { type: "button", class: "card", title: "Show this alone, or all" }, ...(stage.tracks.length > 1 ? [dot] : []), name, counts);
      root.addEventListener("click", () => store.set({ solo: store.state.solo === i || stage.tracks.length === 1 ? -1 : i }));
      this.element.append(root);
      return { root, counts };
    });
    this.element.append(this.axes);
    stage.onDraw(() => this.show());
  }

  private show(): void {
    for (const { root } of this.cards) {
      root.hidden = true;
    }
    for (const cell of this.stage.cells) {
      const { view } = cell;
      const card = this.cards[view.track.number];
      card.root.hidden = false;
      card.root.style.maxWidth = `${cell.width - 24}px`;
      card.root.style.transform = `translate(${cell.x + 12}px, ${cell.y + 12}px)`;
      const text = this.countsText(view.track.number);
      if (card.counts.textContent !== text) {
        card.counts.textContent = text;
      }
    }
    this.drawAxes();
  }

  private countsText(i: number): string {
    const view = this.stage.views[i];
    const count = view.frame?.contactCount ?? 0;
    const shown = view.shown.length === count ? "" : `${view.shown.length} of `;
    const quality = view.track.value(this.stage.positionIn(view.track), SERIES.quality);
    return `${shown}${count} contact${count === 1 ? "" : "s"}${Number.isFinite(quality) ? ` · ${quality.toFixed(1)} % right` : ""}`;
  }

  private drawAxes(): void {
    const { camera, theme } = this.store.state;
    const key = `${camera.yaw} ${camera.pitch} ${theme}`;
    const ratio = Math.min(devicePixelRatio, 2);
    if (key === this.lastAxes) {
      return;
    }
    this.lastAxes = key;
    this.axes.width = this.axes.height = 72 * ratio;
    const pen = this.axes.getContext("2d");
    if (!pen) {
      return;
    }
    pen.scale(ratio, ratio);
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const style = getComputedStyle(this.element);
    const inverse = this.stage.camera.object.matrixWorldInverse;
    for (const [name, axis] of AXES) {
      this.at.copy(axis).transformDirection(inverse);
      pen.strokeStyle = pen.fillStyle = style.getPropertyValue("--dim");
      pen.lineWidth = 1.5;
      pen.globalAlpha = this.at.z < -0.05 ? 0.45 : 1;
      pen.beginPath();
      pen.moveTo(36, 36);
      pen.lineTo(36 + 22 * this.at.x, 36 - 22 * this.at.y);
      pen.stroke();
      pen.fillText(name, 36 + 30 * this.at.x, 36 - 30 * this.at.y);
    }
  }
}
