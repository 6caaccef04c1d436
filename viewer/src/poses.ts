// SPDX-License-Identifier: MIT
// poses.ts: where the middle of a body is, in double precision
import type { Frame, Mesh } from "./format";

/** The position of a mesh's centre in the pose of a body. */
export function placedCentre(frame: Frame, body: number, mesh: Mesh, out: Float64Array): Float64Array {
  const { poses } = frame;
  const at = 7 * body;
  const x = poses[at + 3];
  const y = poses[at + 4];
  const z = poses[at + 5];
  const w = poses[at + 6];
  const [cx, cy, cz] = mesh.centre;
  // The rotation of c is c + 2 q x (q x c + w c).
  const ax = y * cz - z * cy + w * cx;
  const ay = z * cx - x * cz + w * cy;
  const az = x * cy - y * cx + w * cz;
  out[0] = poses[at] + cx + 2 * (y * az - z * ay);
  out[1] = poses[at + 1] + cy + 2 * (z * ax - x * az);
  out[2] = poses[at + 2] + cz + 2 * (x * ay - y * ax);
  return out;
}
