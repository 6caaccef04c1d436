// SPDX-License-Identifier: MIT
// pointer.ts: turns, moves and zooms the camera, and picks contacts
import * as three from "three";
import { idOf } from "./format";
import type { Cell, Stage } from "./stage";
import type { Store } from "./state";

/** Clicks this close to a contact pick it. */
const PICK_PIXELS = 16;

function cellAt(stage: Stage, x: number, y: number): Cell | undefined {
  return stage.cells.find((cell) => x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height);
}

/** Where a contact is on the screen, in pixels of the stage. */
export function screenOf(stage: Stage, cell: Cell, k: number, out: three.Vector3): three.Vector3 {
  out.fromArray(cell.view.places, 3 * k).project(stage.camera.object);
  return out.set(cell.x + (0.5 + 0.5 * out.x) * cell.width, cell.y + (0.5 - 0.5 * out.y) * cell.height, out.z);
}

/** The contact nearest to a point of the screen; of those equally near, the one in front. */
export function pickAt(stage: Stage, store: Store, x: number, y: number): void {
  const cell = cellAt(stage, x, y);
  const frame = cell?.view.frame;
  if (!cell || !frame) {
    return;
  }
  const at = new three.Vector3();
  let best = PICK_PIXELS;
  let picked: string | null = null;
  cell.view.shown.forEach((contact, k) => {
    screenOf(stage, cell, k, at);
    const distance = Math.hypot(at.x - x, at.y - y) + 1e-3 * at.z;
    if (distance < best && at.z < 1) {
      best = distance;
      picked = idOf(frame, contact);
    }
  });
  store.set({ picked: picked === null ? null : { track: cell.view.track.number, id: picked } });
}

/** Picks the next shown contact. */
export function pickNext(stage: Stage, store: Store, by: number): void {
  const { picked } = store.state;
  const cell = stage.cells.find(({ view }) => view.track.number === picked?.track) ?? stage.cells[0];
  const { frame, shown } = cell.view;
  if (!frame || shown.length === 0) {
    return;
  }
  const at = shown.indexOf(cell.view.chosen(store.state));
  const next = shown[(at + by + shown.length) % shown.length] ?? shown[0];
  store.set({ picked: { track: cell.view.track.number, id: idOf(frame, next) } });
}

export function followPointer(stage: Stage, store: Store): void {
  const { canvas, camera } = stage;
  const held = new Map<number, { x: number; y: number }>();
  let travel = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    travel = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const from = held.get(event.pointerId);
    if (!from) {
      return;
    }
    const dx = event.offsetX - from.x;
    const dy = event.offsetY - from.y;
    travel += Math.abs(dx) + Math.abs(dy);
    from.x = event.offsetX;
    from.y = event.offsetY;
    const height = stage.cells[0].height;
    if (event.shiftKey || event.buttons & 6 || held.size > 1) {
      camera.move(dx / height, -dy / height);
    } else {
      camera.turn((3 * dx) / height, (3 * dy) / height);
    }
  });
  const end = (event: PointerEvent) => {
    if (held.delete(event.pointerId) && event.type === "pointerup" && travel < 4 && event.button === 0) {
      pickAt(stage, store, event.offsetX, event.offsetY);
    }
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      camera.zoom(Math.exp(0.0012 * event.deltaY));
    },
    { passive: false },
  );
}
