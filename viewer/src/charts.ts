// SPDX-License-Identifier: MIT
// charts.ts: numbers over time, linked to the time line
import { category, css, readable } from "./colours";
import { make } from "./dom";
import { SERIES } from "./format";
import type { Stage } from "./stage";
import type { Store } from "./state";
import type { Track } from "./track";

interface Chart {
  name: string;
  title: string;
  about: string;
  isLogarithmic: boolean;
  value(track: Track, position: number): number;
}

const plain = (name: string, title: string, about: string, column: number, isLogarithmic = false): Chart => ({
  name,
  title,
  about,
  isLogarithmic,
  value: (track, position) => track.value(position, column),
});

const CHARTS: Chart[] = [
  plain("contacts", "Contacts", "contacts of the step", SERIES.contacts),
  plain("quality", "Quality %", "contacts with a right normal, of those whose truth is known", SERIES.quality),
  {
    name: "energy",
    title: "Energy",
    about: "kinetic and potential energy",
    isLogarithmic: false,
    value: (track, position) => track.value(position, SERIES.kinetic) + track.value(position, SERIES.potential),
  },
  plain("residual", "Residual", "what the solver left, logarithmic", SERIES.residual, true),
  plain("churn", "Churn", "contacts that began or ended in the step", SERIES.churn),
];

class Plot {
  readonly element: HTMLElement;
  private readonly canvas = make("canvas", {});
  private readonly figure = make("span", { class: "figures" });
  private low = Number.POSITIVE_INFINITY;
  private high = Number.NEGATIVE_INFINITY;
  private background: ImageData | undefined;

  constructor(
    private readonly chart: Chart,
    private readonly store: Store,
    private readonly stage: Stage,
  ) {
    this.element = make("figure", { "data-chart": chart.name }, make("figcaption", { title: chart.about }, make("span", {}, chart.title), this.figure), this.canvas);
    for (const track of stage.tracks) {
      for (let i = 0; i < track.length; ++i) {
        const value = this.value(track, i);
        if (Number.isFinite(value)) {
          this.low = Math.min(this.low, value);
          this.high = Math.max(this.high, value);
        }
      }
    }
    const seek = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      const part = (event.clientX - box.left) / box.width;
      store.set({ position: stage.leader.positionAt(part * this.end), playing: false });
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons === 1 && seek(event));
  }

  private colour(track: number): string {
    return css(readable(category(track), this.store.state.theme));
  }

  private get end(): number {
    return this.stage.leader.time(this.stage.leader.length - 1) || 1;
  }

  private value(track: Track, position: number): number {
    const value = this.chart.value(track, position);
    return this.chart.isLogarithmic ? (value > 0 ? Math.log10(value) : Number.NaN) : value;
  }

  /** Draws the curves anew: after a change of size or theme. */
  draw(): void {
    const { canvas } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = Math.max(Math.round(canvas.clientWidth * ratio), 1);
    canvas.height = Math.max(Math.round(canvas.clientHeight * ratio), 1);
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    if (!pen) {
      return;
    }
    const style = getComputedStyle(this.element);
    pen.lineWidth = ratio;
    pen.strokeStyle = style.getPropertyValue("--line");
    pen.strokeRect(0.5, 0.5, canvas.width - 1, canvas.height - 1);
    this.stage.tracks.forEach((track, i) => {
      pen.strokeStyle = this.stage.tracks.length > 1 ? this.colour(i) : style.getPropertyValue("--accent");
      pen.lineWidth = 1.4 * ratio;
      pen.beginPath();
      let isOpen = false;
      for (let position = 0; position < track.length; ++position) {
        const value = this.value(track, position);
        if (!Number.isFinite(value)) {
          isOpen = false;
          continue;
        }
        const x = (track.time(position) / this.end) * canvas.width;
        const y = this.height(value) * canvas.height;
        if (isOpen) {
          pen.lineTo(x, y);
        } else {
          pen.moveTo(x, y);
        }
        isOpen = true;
      }
      pen.stroke();
    });
    this.background = pen.getImageData(0, 0, canvas.width, canvas.height);
    this.mark();
  }

  private height(value: number): number {
    const range = this.high - this.low;
    return range > 0 ? 0.92 - (0.84 * (value - this.low)) / range : 0.5;
  }

  /** Draws the time and writes the numbers. */
  mark(): void {
    const { leader } = this.stage;
    const { position } = this.store.state;
    const pen = this.canvas.getContext("2d");
    if (!pen || !this.background) {
      return;
    }
    pen.putImageData(this.background, 0, 0);
    const x = (leader.time(Math.min(position, leader.length - 1)) / this.end) * this.canvas.width;
    pen.strokeStyle = getComputedStyle(this.element).getPropertyValue("--text");
    pen.lineWidth = Math.min(devicePixelRatio, 2);
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, this.canvas.height);
    pen.stroke();
    const isShort = this.stage.tracks.length > 1;
    const text = (value: number) => (isShort && value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(0) : String(Number(value.toPrecision(isShort ? 3 : 4))));
    this.figure.replaceChildren(
      ...this.stage.tracks.map((track, i) => {
        const value = this.chart.value(track, this.stage.positionIn(track));
        const item = make("b", {}, Number.isFinite(value) ? text(value) : "–");
        item.style.color = this.stage.tracks.length > 1 ? this.colour(i) : "";
        return item;
      }),
    );
  }
}

export class Charts {
  readonly element: HTMLElement;

  constructor(store: Store, stage: Stage) {
    const plots = CHARTS.map((chart) => new Plot(chart, store, stage));
    this.element = make("div", { class: "charts" }, ...plots.map((plot) => plot.element));
    new ResizeObserver(() => {
      for (const plot of plots) {
        plot.draw();
      }
    }).observe(this.element);
    store.listen((changed) => {
      this.element.hidden = !store.state.charts;
      for (const plot of plots) {
        if (changed.has("theme")) {
          plot.draw();
        } else if (changed.has("position")) {
          plot.mark();
        }
      }
    });
    this.element.hidden = !store.state.charts;
  }
}
