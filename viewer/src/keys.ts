// SPDX-License-Identifier: MIT
// keys.ts: the keyboard, and the page that lists it
import { make } from "./dom";
import { pickNext } from "./pointer";
import { saveScreenshot } from "./screenshot";
import type { Stage } from "./stage";
import type { Store } from "./state";
import type { Timeline } from "./timeline";

interface Shortcut {
  /** As the event names it, letters in lower case. */
  key: string;
  shown: string;
  text: string;
  run(event: KeyboardEvent): void;
}

function shortcuts(store: Store, stage: Stage, timeline: Timeline): Shortcut[] {
  const { state } = store;
  const flip = (key: "arrows" | "regions" | "gaps" | "wrong" | "charts" | "help") => () => store.set({ [key]: !state[key] });
  const preset = (name: string) => () => stage.preset(name);
  return [
    { key: " ", shown: "space", text: "play or pause", run: () => timeline.toggle() },
    { key: "ArrowLeft", shown: "← (Shift: ten)", text: "previous step", run: (event) => timeline.step(event.shiftKey ? -10 : -1) },
    { key: "ArrowRight", shown: "→ (Shift: ten)", text: "next step", run: (event) => timeline.step(event.shiftKey ? 10 : 1) },
    { key: "Home", shown: "Home", text: "first step", run: () => timeline.go(0) },
    { key: "End", shown: "End", text: "last step", run: () => timeline.go(stage.leader.length - 1) },
    { key: "1", shown: "1", text: "look from above a corner", run: preset("iso") },
    { key: "2", shown: "2", text: "from the front", run: preset("front") },
    { key: "3", shown: "3", text: "from the right", run: preset("right") },
    { key: "4", shown: "4", text: "from the back", run: preset("back") },
    { key: "5", shown: "5", text: "from the left", run: preset("left") },
    { key: "6", shown: "6", text: "from above", run: preset("top") },
    { key: "7", shown: "7", text: "from below", run: preset("below") },
    { key: "f", shown: "F", text: "fit all bodies", run: () => stage.fit() },
    { key: "s", shown: "S", text: "bodies shaded", run: () => store.set({ bodies: "shaded" }) },
    { key: "c", shown: "C", text: "bodies clear", run: () => store.set({ bodies: "clear" }) },
    { key: "w", shown: "W", text: "bodies as wires", run: () => store.set({ bodies: "wire" }) },
    { key: "a", shown: "A", text: "normals", run: flip("arrows") },
    { key: "r", shown: "R", text: "regions", run: flip("regions") },
    { key: "g", shown: "G", text: "gaps", run: flip("gaps") },
    { key: "x", shown: "X", text: "only wrong contacts", run: flip("wrong") },
    { key: "e", shown: "E", text: "explode", run: () => store.set({ explode: state.explode > 0 ? 0 : 0.5 }) },
    { key: "n", shown: "N (Shift: back)", text: "next contact", run: (event) => pickNext(stage, store, event.shiftKey ? -1 : 1) },
    { key: "h", shown: "H", text: "charts", run: flip("charts") },
    { key: "l", shown: "L", text: "light or dark", run: () => store.set({ theme: state.theme === "dark" ? "light" : "dark" }) },
    { key: "p", shown: "P", text: "save the picture", run: () => void saveScreenshot(stage) },
    { key: "?", shown: "?", text: "this list", run: flip("help") },
    { key: "Escape", shown: "Esc", text: "nothing selected", run: () => store.set({ help: false, picked: null }) },
  ];
}

/** Whether a control takes a key itself: a list all of them, a slider its arrows, and one that was reached by the
 * keyboard the space bar. */
function isForControl(control: HTMLElement, key: string): boolean {
  const isSlider = control instanceof HTMLInputElement && control.type === "range";
  return control.tagName === "SELECT" || (isSlider && /^Arrow|^Home$|^End$/.test(key)) || (key === " " && control.matches("button:focus-visible, input:focus-visible"));
}

/** Follows the keyboard. Returns the list of keys. */
export function followKeys(store: Store, stage: Stage, timeline: Timeline): HTMLElement {
  const all = shortcuts(store, stage, timeline);
  addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const shortcut = all.find((item) => item.key === key);
    if (!shortcut || isForControl(event.target as HTMLElement, key) || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
    shortcut.run(event);
  });
  const page = make(
    "div",
    { class: "help", role: "dialog", "aria-label": "Keys" },
    make("h2", {}, "Keys"),
    make("dl", {}, ...all.flatMap(({ shown, text }) => [make("dt", {}, make("kbd", {}, shown)), make("dd", {}, text)])),
    make("p", {}, "Drag to turn, Shift or the right button to move, wheel to zoom. Click a contact to see its numbers."),
  );
  const show = () => {
    page.hidden = !store.state.help;
  };
  store.listen(show);
  page.addEventListener("click", () => store.set({ help: false }));
  show();
  return page;
}
