// SPDX-License-Identifier: MIT
// keys.ts: the keyboard, and the page that lists it
import { make } from "./dom";
import { pickNext } from "./pointer";
import { saveScreenshot } from "./screenshot";
import type { Stage } from "./stage";
import type { Store } from "./state";
import type { Timeline } from "./timeline";

interface Shortcut {
  keys: string[];
  shown: string;
  text: string;
  run(event: KeyboardEvent): void;
}

function shortcuts(store: Store, stage: Stage, timeline: Timeline): Shortcut[] {
  const { state } = store;
  const flip = (key: "arrows" | "regions" | "gaps" | "features" | "edges" | "wrong" | "contacts" | "charts" | "help") => () => store.set({ [key]: !state[key] });
  const preset = (name: string) => () => stage.preset(name);
  return [
    { keys: [" "], shown: "space", text: "play or pause", run: () => timeline.toggle() },
    { keys: ["ArrowLeft"], shown: "← (Shift: ten)", text: "previous step", run: (event) => timeline.step(event.shiftKey ? -10 : -1) },
    { keys: ["ArrowRight"], shown: "→ (Shift: ten)", text: "next step", run: (event) => timeline.step(event.shiftKey ? 10 : 1) },
    { keys: ["Home"], shown: "Home", text: "first step", run: () => timeline.go(0) },
    { keys: ["End"], shown: "End", text: "last step", run: () => timeline.go(stage.leader.length - 1) },
    { keys: ["1"], shown: "1", text: "look from above a corner", run: preset("iso") },
    { keys: ["2"], shown: "2", text: "from the front", run: preset("front") },
    { keys: ["3"], shown: "3", text: "from the right", run: preset("right") },
    { keys: ["4"], shown: "4", text: "from the back", run: preset("back") },
    { keys: ["5"], shown: "5", text: "from the left", run: preset("left") },
    { keys: ["6"], shown: "6", text: "from above", run: preset("top") },
    { keys: ["7"], shown: "7", text: "from below", run: preset("below") },
    { keys: ["f", "F"], shown: "F", text: "fit all bodies", run: () => stage.fit() },
    { keys: ["s"], shown: "S", text: "bodies shaded", run: () => store.set({ bodies: "shaded" }) },
    { keys: ["c"], shown: "C", text: "bodies clear", run: () => store.set({ bodies: "clear" }) },
    { keys: ["w"], shown: "W", text: "bodies as wires", run: () => store.set({ bodies: "wire" }) },
    { keys: ["a"], shown: "A", text: "normals", run: flip("arrows") },
    { keys: ["r"], shown: "R", text: "regions", run: flip("regions") },
    { keys: ["g"], shown: "G", text: "gaps", run: flip("gaps") },
    { keys: ["x"], shown: "X", text: "only wrong contacts", run: flip("wrong") },
    { keys: ["e"], shown: "E", text: "explode", run: () => store.set({ explode: state.explode > 0 ? 0 : 0.5 }) },
    { keys: ["n", "N"], shown: "N (Shift: back)", text: "next contact", run: (event) => pickNext(stage, store, event.shiftKey ? -1 : 1) },
    { keys: ["h"], shown: "H", text: "charts", run: flip("charts") },
    { keys: ["l"], shown: "L", text: "light or dark", run: () => store.set({ theme: state.theme === "dark" ? "light" : "dark" }) },
    { keys: ["p"], shown: "P", text: "save the picture", run: () => void saveScreenshot(stage) },
    { keys: ["?"], shown: "?", text: "this list", run: flip("help") },
    { keys: ["Escape"], shown: "Esc", text: "nothing selected", run: () => store.set({ help: false, picked: null }) },
  ];
}

/** Follows the keyboard. Returns the list of keys. */
export function followKeys(store: Store, stage: Stage, timeline: Timeline): HTMLElement {
  const all = shortcuts(store, stage, timeline);
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isTyping = target.tagName === "SELECT" || (target.tagName === "INPUT" && event.key.startsWith("Arrow"));
    const shortcut = all.find(({ keys }) => keys.includes(event.key));
    if (!shortcut || isTyping || event.ctrlKey || event.metaKey || event.altKey) {
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
