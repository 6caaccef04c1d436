// SPDX-License-Identifier: MIT
// panel.ts: the controls beside the picture
import { make } from "./dom";
import { kindOf, pairOf } from "./filter";
import type { Index } from "./format";
import { legend } from "./legend";
import { Selection } from "./selection";
import type { Stage } from "./stage";
import type { BodyMode, ColourMode, Key, State, Store } from "./state";

function section(title: string, ...children: Node[]): HTMLElement {
  return make("section", {}, make("h2", {}, title), ...children);
}

/** Buttons of which one is pressed. */
function choice<K extends "bodies" | "colour">(store: Store, key: K, words: [State[K], string][]): HTMLElement {
  const group = make("div", { class: "choice", role: "group" });
  for (const [value, text] of words) {
    const item = make("button", { type: "button", "data-value": value }, text);
    item.addEventListener("click", () => store.set({ [key]: value }));
    group.append(item);
  }
  const show = () => {
    for (const item of group.querySelectorAll("button")) {
      item.setAttribute("aria-pressed", String(item.dataset.value === store.state[key]));
    }
  };
  show();
  store.listen((changed) => changed.has(key) && show());
  return group;
}

type Flag = "contacts" | "arrows" | "regions" | "gaps" | "features" | "edges" | "wrong";

function flag(store: Store, key: Flag, text: string): HTMLElement {
  const box = make("input", { type: "checkbox", name: key });
  box.checked = store.state[key];
  box.addEventListener("change", () => store.set({ [key]: box.checked }));
  store.listen(() => {
    box.checked = store.state[key];
  });
  return make("label", { class: "flag" }, box, text);
}

function slider(store: Store, key: "explode" | "size", text: string, from: number, to: number): HTMLElement {
  const input = make("input", { type: "range", name: key, min: String(from), max: String(to), step: "0.01" });
  const value = make("output", {});
  const show = () => {
    input.value = String(store.state[key]);
    value.textContent = store.state[key].toFixed(2);
    input.style.setProperty("--part", `${(100 * (store.state[key] - from)) / (to - from)}%`);
  };
  show();
  input.addEventListener("input", () => store.set({ [key]: Number(input.value) }));
  store.listen((changed) => changed.has(key) && show());
  return make("label", { class: "slider" }, make("span", {}, text), input, value);
}

/** A list whose entries are those of the present contacts. */
class Filter {
  readonly element: HTMLElement;
  private readonly list = make("select", {});
  private entries = "";

  constructor(
    private readonly store: Store,
    private readonly key: "pair" | "kind",
    text: string,
    private readonly name: (value: string) => string,
  ) {
    this.list.name = key;
    this.list.addEventListener("change", () => store.set({ [key]: this.list.value }));
    this.element = make("label", { class: "field" }, make("span", {}, text), this.list);
  }

  show(values: Map<string, number>): void {
    const value = this.store.state[this.key];
    const all = [...values].sort((a, b) => a[0].localeCompare(b[0], "en", { numeric: true }));
    if (value && !values.has(value)) {
      all.push([value, 0]);
    }
    const entries = JSON.stringify(all);
    if (entries !== this.entries) {
      this.entries = entries;
      const total = all.reduce((sum, entry) => sum + entry[1], 0);
      this.list.replaceChildren(make("option", { value: "" }, `all (${total})`), ...all.map(([v, n]) => make("option", { value: v }, `${this.name(v)} (${n})`)));
    }
    this.list.value = value;
  }
}

export class Panel {
  readonly element: HTMLElement;
  private readonly pair: Filter;
  private readonly kind: Filter;
  private readonly key = make("div", { class: "legend" });
  private readonly selection: Selection;

  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
    private readonly index: Index,
  ) {
    const bodies: [BodyMode, string][] = [
      ["shaded", "Shaded"],
      ["clear", "Clear"],
      ["wire", "Wire"],
    ];
    const colours: [ColourMode, string][] = [
      ["truth", "Truth"],
      ["gap", "Gap"],
      ["impulse", "Impulse"],
      ["pair", "Pair"],
      ["rule", "Rule"],
    ];
    const names = stage.tracks[0].info.bodies;
    this.pair = new Filter(store, "pair", "Pair", (value) =>
      value
        .split("-")
        .map((body) => names[Number(body)]?.name || `body ${body}`)
        .join(" – "),
    );
    this.kind = new Filter(store, "kind", "Features", (value) => value.replace("-", " – "));
    this.selection = new Selection(store, stage, index);
    this.element = make(
      "aside",
      { class: "panel" },
      section("Bodies", choice(store, "bodies", bodies), make("div", { class: "flags" }, flag(store, "edges", "Edges")), slider(store, "explode", "Explode", 0, 1)),
      section(
        "Contacts",
        choice(store, "colour", colours),
        this.key,
        make(
          "div",
          { class: "flags" },
          flag(store, "contacts", "Points"),
          flag(store, "arrows", "Normals"),
          flag(store, "regions", "Regions"),
          flag(store, "gaps", "Gaps"),
          flag(store, "features", "Features"),
        ),
        slider(store, "size", "Size", 0.2, 4),
      ),
      section("Filter", this.pair.element, this.kind.element, make("div", { class: "flags" }, flag(store, "wrong", "Wrong ones only"))),
      this.selection.element,
    );
    store.listen((changed) => this.onChange(changed));
    stage.onDraw(() => this.showFrame());
    this.showLegend();
  }

  private onChange(changed: ReadonlySet<Key>): void {
    if (changed.has("colour") || changed.has("theme")) {
      this.showLegend();
    }
  }

  private showLegend(): void {
    this.key.replaceChildren(...legend(this.store.state, this.index));
  }

  private lastFrames: unknown[] = [];
  private lastPick = "";

  /** Fills the lists and the numbers of the picked contact, if the frames or the filters have changed. */
  private showFrame(): void {
    const { state } = this.store;
    const frames = this.stage.views.map((view) => view.frame);
    const pick = JSON.stringify([state.picked, state.pair, state.kind]);
    if (pick === this.lastPick && frames.every((frame, i) => frame === this.lastFrames[i])) {
      return;
    }
    this.lastFrames = frames;
    this.lastPick = pick;
    const pairs = new Map<string, number>();
    const kinds = new Map<string, number>();
    for (const frame of frames) {
      for (let i = 0; frame && i < frame.contactCount; ++i) {
        const pair = pairOf(frame, i);
        const kind = kindOf(frame, i, this.index);
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }
    this.pair.show(pairs);
    this.kind.show(kinds);
    this.selection.show();
  }
}
