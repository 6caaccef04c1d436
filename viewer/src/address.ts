// SPDX-License-Identifier: MIT
// address.ts: the state in the address, so that a view can be kept and sent
import type { CameraState, State, Store } from "./state";

const NUMBERS = ["position", "speed", "size", "explode", "solo"] as const;
const WORDS = { bodies: ["shaded", "wire", "clear"], colour: ["truth", "gap", "impulse", "pair", "rule"], theme: ["light", "dark"] } as const;
const FLAGS = ["contacts", "arrows", "regions", "gaps", "features", "edges", "wrong", "charts"] as const;
const TEXTS = ["pair", "kind"] as const;
const CAMERA: (keyof CameraState)[] = ["yaw", "pitch", "distance", "x", "y", "z"];

/** What the address says. Anything that is not understood is left out. Addresses name filters and the picked contact
 * only if there are any. */
export function readAddress(hash: string): Partial<State> {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const state: Record<string, unknown> = {};
  for (const key of NUMBERS) {
    const number = Number(values.get(key));
    if (values.has(key) && Number.isFinite(number)) {
      state[key] = number;
    }
  }
  for (const [key, words] of Object.entries(WORDS)) {
    if ((words as readonly string[]).includes(values.get(key) ?? "")) {
      state[key] = values.get(key);
    }
  }
  for (const key of FLAGS) {
    if (values.has(key)) {
      state[key] = values.get(key) === "1";
    }
  }
  for (const key of TEXTS) {
    state[key] = values.get(key) ?? "";
  }
  state.picked = null;
  const [track, id] = (values.get("picked") ?? "").split(":");
  if (id && /^\d+$/.test(track) && /^[0-9a-f]{16}$/.test(id)) {
    state.picked = { track: Number(track), id };
  }
  const camera = (values.get("camera") ?? "").split(",").map(Number);
  if (camera.length === CAMERA.length && camera.every(Number.isFinite) && camera[2] > 0) {
    state.camera = Object.fromEntries(CAMERA.map((key, i) => [key, camera[i]]));
  }
  return state as Partial<State>;
}

export function writeAddress(state: State): string {
  const values = new URLSearchParams();
  const short = (number: number) => String(Number(number.toPrecision(6)));
  for (const key of NUMBERS) {
    values.set(key, short(state[key]));
  }
  for (const key of Object.keys(WORDS) as (keyof typeof WORDS)[]) {
    values.set(key, state[key]);
  }
  for (const key of FLAGS) {
    values.set(key, state[key] ? "1" : "0");
  }
  for (const key of TEXTS) {
    if (state[key]) {
      values.set(key, state[key]);
    }
  }
  if (state.picked) {
    values.set("picked", `${state.picked.track}:${state.picked.id}`);
  }
  values.set("camera", CAMERA.map((key) => short(state.camera[key])).join(","));
  return `#${values}`;
}

/** Keeps the address up to date, a little later than the state: browsers limit how often it may change. An address that
 * the user changes changes the state. */
export function followAddress(store: Store, check: (state: Partial<State>) => Partial<State>): void {
  let timer = 0;
  addEventListener("hashchange", () => store.set(check(readAddress(location.hash))));
  store.listen(() => {
    if (timer === 0) {
      timer = window.setTimeout(() => {
        timer = 0;
        history.replaceState(null, "", writeAddress(store.state));
      }, 400);
    }
  });
}
