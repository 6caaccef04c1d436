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
  /** Values that the chart shows at least. */
  range: number[];
  isLogarithmic: boolean;
  /** Columns of the series whose sum is shown. */
  columns: number[];
}

const CHARTS: Chart[] = [
  { name: "contacts", title: "Contacts", about: "contacts of the step", range: [0], isLogarithmic: false, columns: [SERIES.contacts] },
  {
    name: "quality",
    title: "Quality %",
    about: "contacts with a right normal, of those whose truth is known",
    range: [0, 100],
    isLogarithmic: false,
    columns: [SERIES.quality],
  },
  { name: "energy", title: "Energy", about: "kinetic and potential energy", range: [], isLogarithmic: false, columns: [SERIES.kinetic, SERIES.potential] },
  { name: "residual", title: "Residual", about: "what the solver left, logarithmic", range: [], isLogarithmic: true, columns: [SERIES.residual] },
  { name: "churn", title: "Churn", about: "contacts that began or ended in the step", range: [0], isLogarithmic: false, columns: [SERIES.churn] },
];

/** Of the ends of a chart. */
const MOST_DIGITS = 12;

const sumOf = (chart: Chart, track: Track, position: number): number => chart.columns.reduce((sum, column) => sum + track.value(position, column), 0);

/** A number in few letters. */
function brief(value: number, digits: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(digits > 3 ? 2 : 0) : String(Number(value.toPrecision(digits)));
}

class Plot {
  readonly element: HTMLElement;
  private readonly canvas = make("canvas", {});
  private readonly figure = make("span", { class: "figures" });
  private readonly low: number;
  private readonly high: number;
  private readonly hasData: boolean;
  private background: ImageData | undefined;

  constructor(
    private readonly chart: Chart,
    private readonly store: Store,
    private readonly stage: Stage,
  ) {
    this.element = make("figure", { "data-chart": chart.name }, make("figcaption", { title: chart.about }, make("span", {}, chart.title), this.figure), this.canvas);
    let low = Math.min(...chart.range);
    let high = Math.max(...chart.range);
    let hasData = false;
    for (const track of stage.tracks) {
      for (let i = 0; i < track.length; ++i) {
        const value = this.value(track, i);
        if (Number.isFinite(value)) {
          low = Math.min(low, value);
          high = Math.max(high, value);
          hasData = true;
        }
      }
    }
    this.low = low;
    this.high = high;
    this.hasData = hasData;
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
    const value = sumOf(this.chart, track, position);
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
    this.drawRange(pen, ratio, style);
    this.background = pen.getImageData(0, 0, canvas.width, canvas.height);
    this.mark();
  }

  /** As many as tell the upper and the lower end apart. */
  private get digits(): number {
    const [low, high] = this.ends;
    let digits = 3;
    while (digits < MOST_DIGITS && low < high && brief(low, digits) === brief(high, digits)) {
      ++digits;
    }
    return digits;
  }

  private get ends(): [low: number, high: number] {
    return this.chart.isLogarithmic ? [10 ** this.low, 10 ** this.high] : [this.low, this.high];
  }

  /** Writes the values of the upper and the lower end. */
  private drawRange(pen: CanvasRenderingContext2D, ratio: number, style: CSSStyleDeclaration): void {
    if (!this.hasData || !(this.low < this.high)) {
      return;
    }
    const [low, high] = this.ends;
    const { digits } = this;
    pen.font = `${10 * ratio}px system-ui, sans-serif`;
    pen.textAlign = "right";
    pen.fillStyle = style.getPropertyValue("--dim");
    pen.strokeStyle = style.getPropertyValue("--card");
    pen.lineWidth = 4 * ratio;
    pen.lineJoin = "round";
    for (const [value, y] of [
      [high, 12],
      [low, this.canvas.height / ratio - 4],
    ]) {
      pen.strokeText(brief(value, digits), this.canvas.width - 4 * ratio, y * ratio);
      pen.fillText(brief(value, digits), this.canvas.width - 4 * ratio, y * ratio);
    }
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
    // Above a chart there is room for one long number, or a few short ones.
    const count = this.stage.tracks.length;
    const most = [9, 6][count - 1] ?? 3;
    const digits = Math.min(Math.max(count === 1 ? 4 : 3, this.digits), most);
    this.figure.replaceChildren(
      ...this.stage.tracks.map((track, i) => {
        const value = sumOf(this.chart, track, this.stage.positionIn(track));
        const item = make("b", {}, Number.isFinite(value) ? brief(value, digits) : "–");
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
