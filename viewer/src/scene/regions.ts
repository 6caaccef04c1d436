// SPDX-License-Identifier: MIT
// regions.ts: contact regions as filled outlines
import * as three from "three";
import type { Frame } from "../format";
import type { State } from "../state";
import type { Overlay } from "./overlay";

type Loop = three.Vector3[];

/** The normal of an outline, by Newell's sum. */
function normalOf(loop: Loop): three.Vector3 {
  const n = new three.Vector3();
  loop.forEach((p, i) => {
    const q = loop[(i + 1) % loop.length];
    n.x += (p.y - q.y) * (p.z + q.z);
    n.y += (p.z - q.z) * (p.x + q.x);
    n.z += (p.x - q.x) * (p.y + q.y);
  });
  return n.normalize();
}

function fillPolygon(outer: Loop, holes: Loop[], out: Overlay): void {
  const n = normalOf(outer);
  const u = new three.Vector3(Math.abs(n.x) < 0.6 ? 1 : 0, Math.abs(n.x) < 0.6 ? 0 : 1, 0).cross(n).normalize();
  const v = new three.Vector3().crossVectors(n, u);
  const flat = (loop: Loop) => loop.map((p) => new three.Vector2(p.dot(u), p.dot(v)));
  const all = [outer, ...holes].flat();
  for (const triangle of three.ShapeUtils.triangulateShape(flat(outer), holes.map(flat))) {
    for (const corner of triangle) {
      out.faces.add(all[corner].x, all[corner].y, all[corner].z);
    }
  }
}

function drawLoops(loops: Loop[], isHole: boolean[], dimension: number, out: Overlay): void {
  for (const loop of loops) {
    for (let i = 0; i < loop.length && loop.length > 1; ++i) {
      const p = loop[i];
      const q = loop[(i + 1) % loop.length];
      out.lines.add(p.x, p.y, p.z);
      out.lines.add(q.x, q.y, q.z);
    }
  }
  for (let i = 0; i < loops.length && dimension === 2; ++i) {
    if (!isHole[i] && loops[i].length > 2) {
      const end = isHole.indexOf(false, i + 1);
      fillPolygon(loops[i], loops.slice(i + 1, end < 0 ? loops.length : end), out);
    }
  }
}

/** Adds the regions of a frame, on both bodies where they are pulled apart. */
export function fillRegions(frame: Frame, state: State, origin: Float64Array, moves: Float64Array, out: Overlay): void {
  let loopAt = 0;
  let pointAt = 0;
  for (let r = 0; r < frame.regionCount; ++r) {
    const [a, b, dimension, loopCount] = frame.regions.subarray(4 * r, 4 * r + 4);
    const loops: Loop[] = [];
    const isHole: boolean[] = [];
    for (let k = 0; k < loopCount; ++k, ++loopAt) {
      const loop: Loop = [];
      for (let p = 0; p < frame.loops[2 * loopAt]; ++p, ++pointAt) {
        const { points } = frame;
        loop.push(new three.Vector3(points[3 * pointAt] - origin[0], points[3 * pointAt + 1] - origin[1], points[3 * pointAt + 2] - origin[2]));
      }
      loops.push(loop);
      isHole.push(frame.loops[2 * loopAt + 1] !== 0);
    }
    if (state.pair !== "" && state.pair !== `${a}-${b}`) {
      continue;
    }
    for (const body of state.explode > 0 ? [a, b] : [a]) {
      const move = new three.Vector3().fromArray(moves, 3 * body);
      drawLoops(
        loops.map((loop) => loop.map((p) => p.clone().add(move))),
        isHole,
        dimension,
        out,
      );
    }
  }
}
