// SPDX-License-Identifier: MIT
// state.ts: everything that the user can change, in one place

export type BodyMode = "shaded" | "wire" | "clear";
export type ColourMode = "truth" | "gap" | "impulse" | "pair" | "rule";
export type Theme = "light" | "dark";

/** How many times faster than the recording's time it is played. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];

/** The camera looks at `target` from `distance`, by angles about the up axis and above the ground. */
export interface CameraState {
  yaw: number;
  pitch: number;
  distance: number;
  x: number;
  y: number;
  z: number;
}

export interface Picked {
  track: number;
  id: string;
}

export interface State {
  position: number;
  playing: boolean;
  speed: number;
  bodies: BodyMode;
  colour: ColourMode;
  contacts: boolean;
  arrows: boolean;
  regions: boolean;
  gaps: boolean;
  features: boolean;
  edges: boolean;
  /** Of contacts, relative to the default. */
  size: number;
  explode: number;
  /** "A-B" or "": all. */
  pair: string;
  /** Of features, such as "vertex-face", or "": all. */
  kind: string;
  wrong: boolean;
  picked: Picked | null;
  theme: Theme;
  charts: boolean;
  help: boolean;
  /** What went wrong, for the user to read; "": nothing. */
  problem: string;
  /** Only this track is shown; -1: all. */
  solo: number;
  camera: CameraState;
}

export type Key = keyof State;
type Listener = (changed: ReadonlySet<Key>) => void;

export class Store {
  private listeners: Listener[] = [];

  constructor(readonly state: State) {}

  /** Changes the state, and tells all listeners what has changed. */
  set(patch: Partial<State>): void {
    const changed = new Set<Key>();
    for (const key of Object.keys(patch) as Key[]) {
      if (this.state[key] !== patch[key]) {
        changed.add(key);
      }
    }
    if (changed.size > 0) {
      Object.assign(this.state, patch);
      for (const listener of this.listeners) {
        listener(changed);
      }
    }
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }
}

/** Brings numbers into their ranges: an address may say anything. */
export function checked(state: Partial<State>, positions: number, tracks: number): Partial<State> {
  const limits: [key: "position" | "speed" | "size" | "explode" | "solo", least: number, most: number][] = [
    ["position", 0, positions - 1],
    ["speed", SPEEDS[0], SPEEDS[SPEEDS.length - 1]],
    ["size", 0.2, 4],
    ["explode", 0, 1],
    ["solo", -1, tracks - 1],
  ];
  const result = { ...state };
  for (const [key, least, most] of limits) {
    const value = result[key];
    if (value !== undefined) {
      const whole = key === "position" || key === "solo" ? Math.round(value) : value;
      result[key] = Math.min(Math.max(whole, least), most);
    }
  }
  if (result.speed !== undefined && !SPEEDS.includes(result.speed)) {
    result.speed = 1;
  }
  if (result.picked && result.picked.track >= tracks) {
    result.picked = null;
  }
  return result;
}

export function defaultState(): State {
  return {
    position: 0,
    playing: false,
    speed: 1,
    bodies: "clear",
    colour: "truth",
    contacts: true,
    arrows: true,
    regions: true,
    gaps: true,
    features: true,
    edges: true,
    size: 1,
    explode: 0,
    pair: "",
    kind: "",
    wrong: false,
    picked: null,
    theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
    charts: true,
    help: false,
    problem: "",
    solo: -1,
    camera: { yaw: 0.7, pitch: 0.42, distance: 0, x: 0, y: 0, z: 0 },
  };
}
