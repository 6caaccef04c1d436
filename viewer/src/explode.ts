// SPDX-License-Identifier: MIT
// explode.ts: pulls bodies apart along their contact normals
//
// Each pair in contact wishes that B moves by one unit relative to A, along the mean normal of its contacts. The
// displacements fit all wishes in the least squares sense, so that a stack opens evenly; fixed bodies stay.
import { type Frame, INT, INTS, REAL, REALS, type TrackInfo } from "./format";

interface Wish {
  a: number;
  b: number;
  n: [number, number, number];
}

function wishesOf(frame: Frame): Wish[] {
  const wishes = new Map<number, Wish>();
  for (let i = 0; i < frame.contactCount; ++i) {
    const a = frame.ints[INTS * i + INT.bodyA];
    const b = frame.ints[INTS * i + INT.bodyB];
    const key = a * 65536 + b;
    const wish = wishes.get(key) ?? { a, b, n: [0, 0, 0] };
    for (let k = 0; k < 3; ++k) {
      wish.n[k] += frame.reals[REALS * i + REAL.normal + k];
    }
    wishes.set(key, wish);
  }
  for (const { n } of wishes.values()) {
    const length = Math.hypot(n[0], n[1], n[2]);
    for (let k = 0; k < 3; ++k) {
      n[k] = length > 1e-9 ? n[k] / length : 0;
    }
  }
  return [...wishes.values()];
}

/** Solves the normal equations by conjugate gradients, one coordinate at a time. */
function fit(wishes: Wish[], isFixed: (body: number) => boolean, count: number, axis: number): Float64Array {
  const x = new Float64Array(count);
  const r = new Float64Array(count);
  const q = new Float64Array(count);
  const diagonal = new Float64Array(count);
  for (const { a, b, n } of wishes) {
    r[a] -= n[axis];
    r[b] += n[axis];
    diagonal[a] += 1;
    diagonal[b] += 1;
  }
  for (let i = 0; i < count; ++i) {
    r[i] = isFixed(i) ? 0 : r[i];
  }
  const p = Float64Array.from(r);
  let norm = r.reduce((sum, value) => sum + value * value, 0);
  const goal = 1e-12 * norm;
  for (let round = 0; round < 2 * count && norm > goal; ++round) {
    for (let i = 0; i < count; ++i) {
      q[i] = isFixed(i) ? 0 : diagonal[i] * p[i];
    }
    for (const { a, b } of wishes) {
      q[a] -= isFixed(a) ? 0 : p[b];
      q[b] -= isFixed(b) ? 0 : p[a];
    }
    let curve = 0;
    for (let i = 0; i < count; ++i) {
      curve += p[i] * q[i];
    }
    if (!(curve > 0)) {
      break;
    }
    const step = norm / curve;
    let next = 0;
    for (let i = 0; i < count; ++i) {
      x[i] += step * p[i];
      r[i] -= step * q[i];
      next += r[i] * r[i];
    }
    for (let i = 0; i < count; ++i) {
      p[i] = r[i] + (next / norm) * p[i];
    }
    norm = next;
  }
  return x;
}

/** The displacement of each body, in units of the slider. */
export function explodedBy(frame: Frame, info: TrackInfo): Float64Array {
  const count = info.bodies.length;
  const wishes = wishesOf(frame);
  const moves = new Float64Array(3 * count);
  for (let axis = 0; axis < 3; ++axis) {
    const x = fit(wishes, (body) => info.bodies[body].fixed, count, axis);
    for (let i = 0; i < count; ++i) {
      moves[3 * i + axis] = x[i];
    }
  }
  return moves;
}

/** A length that suits the slider: the median size of the bodies. */
export function typicalSize(info: TrackInfo): number {
  const sizes = info.bodies
    .filter((body) => !body.fixed || info.bodies.every((other) => other.fixed))
    .map(({ mesh }) => {
      const { lower, upper } = info.meshes[mesh];
      return Math.hypot(upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]);
    })
    .sort((a, b) => a - b);
  return sizes[sizes.length >> 1] || 1;
}
