// SPDX-License-Identifier: MIT
// main.ts: starts the viewer
import "./style.css";
import { followAddress, readAddress } from "./address";
import { Charts } from "./charts";
import { button, ICONS, make } from "./dom";
import type { Index } from "./format";
import { followKeys } from "./keys";
import { Labels } from "./labels";
import { Panel } from "./panel";
import { followPointer, screenOf } from "./pointer";
import { saveScreenshot } from "./screenshot";
import { findSource } from "./source";
import { Stage } from "./stage";
import { checked, defaultState, type State, Store } from "./state";
import { Timeline } from "./timeline";
import { positionIn, Track } from "./track";
import { Vector3 } from "three";

function titleOf(index: Index): [string, string] {
  const [info] = index.tracks;
  const name = info.scene || info.label;
  const bodies = `${info.bodies.length} bodies`;
  const triangles = info.bodies.reduce((sum, body) => sum + info.meshes[body.mesh].triangles, 0);
  return [name, `${bodies} · ${triangles.toLocaleString("en")} triangles${info.still ? "" : ` · ${info.steps} steps`}`];
}

function bar(store: Store, stage: Stage, index: Index): HTMLElement {
  const [name, about] = titleOf(index);
  const presets = make("div", { class: "choice presets", role: "group" });
  for (const [key, text] of [["iso", "Iso"], ["front", "Front"], ["right", "Right"], ["top", "Top"]]) {
    const item = make("button", { type: "button", "data-preset": key }, text);
    item.addEventListener("click", () => stage.preset(key));
    presets.append(item);
  }
  return make(
    "header",
    {},
    make("span", { class: "brand" }, "abut"),
    make("h1", {}, name),
    make("span", { class: "about" }, about),
    make("span", { class: "space" }),
    presets,
    button("Fit all bodies (F)", ICONS.fit, () => stage.fit()),
    button("Save the picture (P)", ICONS.camera, () => void saveScreenshot(stage)),
    button("Light or dark (L)", ICONS.light, () => store.set({ theme: store.state.theme === "dark" ? "light" : "dark" })),
    button("Keys (?)", ICONS.help, () => store.set({ help: !store.state.help })),
  );
}

/** A line over the picture that says what went wrong. */
function problemOf(store: Store): HTMLElement {
  const line = make("p", { class: "problem", role: "alert" });
  const show = () => {
    line.textContent = store.state.problem;
    line.hidden = store.state.problem === "";
  };
  store.listen(show);
  show();
  return line;
}

/** The state to begin with: what the address says, else what suits the data. */
function firstState(tracks: Track[]): State {
  const state = defaultState();
  const isStill = tracks.every((track) => track.info.still);
  const isKnown = tracks.some((track) => track.info.ranges.truth);
  const last = Math.max(...tracks.map((track) => track.length)) - 1;
  Object.assign(state, { colour: isKnown ? "truth" : "pair", charts: !isStill, position: Math.min(1, last) });
  return Object.assign(state, checked(readAddress(location.hash), last + 1, tracks.length));
}

/** For the tests. */
function publish(store: Store, stage: Stage): void {
  const at = new Vector3();
  Object.assign(window, {
    abut: {
      state: store.state,
      set: (patch: Partial<State>) => store.set(patch),
      stage,
      /** Where the contacts of a view are on the screen. */
      places: (cell: number) => stage.cells[cell].view.shown.map((contact, k) => ({ contact, ...screenOf(stage, stage.cells[cell], k, at) })),
    },
  });
}

async function start(): Promise<void> {
  const source = findSource();
  const index = JSON.parse(await source.text("index.json")) as Index;
  const tracks = index.tracks.map((info, i) => new Track(i, info, source));
  await Promise.all(tracks.map((track) => track.open()));
  const store = new Store(firstState(tracks));
  const root = make("main", { class: "stage" });
  // The first picture is complete.
  await Promise.all(tracks.map((track) => track.load(positionIn(track, tracks, store.state.position))));
  const stage = new Stage(root, store, tracks, index);
  void stage.loadFrames();
  const timeline = new Timeline(store, stage);
  const isStill = tracks.every((track) => track.length === 1);
  const setTheme = () => {
    document.documentElement.dataset.theme = store.state.theme;
  };
  setTheme();
  store.listen((changed) => changed.has("theme") && setTheme());
  root.append(new Labels(store, stage).element, followKeys(store, stage, timeline), problemOf(store));
  document.body.append(bar(store, stage, index), root, new Panel(store, stage, index).element);
  if (!isStill) {
    document.body.append(make("footer", {}, new Charts(store, stage).element, timeline.element));
  }
  followPointer(stage, store);
  stage.start();
  stage.measure();
  if (store.state.camera.distance === 0) {
    stage.fit();
  }
  followAddress(store, (state) => checked(state, stage.leader.length, tracks.length));
  publish(store, stage);
}

start().catch((error: unknown) => {
  document.body.replaceChildren(make("p", { class: "failure" }, `The viewer could not start: ${error instanceof Error ? error.message : String(error)}`));
  throw error;
});
