// SPDX-License-Identifier: MIT
// features.ts: highlights the vertex, edge or face that a contact lies on
import * as three from "three";
import { type Frame, INTS, type Mesh, type TrackInfo } from "../format";
import type { Bodies } from "./bodies";
import type { Overlay } from "./overlay";

const VERTEX = 1;
const EDGE = 2;
const FACE = 3;

const corner = (mesh: Mesh, vertex: number) => new three.Vector3().fromArray(mesh.positions, 3 * vertex);

/** All triangles that lie in the plane of a face and are connected with it by edges: a face that the B-rep has merged. */
function coplanar(mesh: Mesh, seeds: number[]): number[] {
  const { triangles } = mesh;
  const points = [0, 1, 2].map((k) => corner(mesh, triangles[3 * seeds[0] + k]));
  const plane = new three.Plane().setFromCoplanarPoints(points[0], points[1], points[2]);
  const size = Math.max(...points.map((p) => p.length()));
  const vertex = new three.Vector3();
  const isFlat = (t: number) =>
    [0, 1, 2].every((k) => Math.abs(plane.distanceToPoint(vertex.fromArray(mesh.positions, 3 * triangles[3 * t + k]))) < 1e-5 * size);
  const count = mesh.positions.length / 3;
  const edgesOf = (t: number) => [0, 1, 2].map((k) => [triangles[3 * t + k], triangles[3 * t + ((k + 1) % 3)]]).map(([a, b]) => Math.min(a, b) * count + Math.max(a, b));
  const beside = new Map<number, number[]>();
  for (let t = 0; t < triangles.length / 3; ++t) {
    for (const edge of isFlat(t) ? edgesOf(t) : []) {
      beside.set(edge, [...(beside.get(edge) ?? []), t]);
    }
  }
  const found = new Set(seeds);
  for (const t of found) {
    for (const next of edgesOf(t).flatMap((edge) => beside.get(edge) ?? [])) {
      found.add(next);
    }
  }
  return [...found];
}

/** Adds the feature of one side of a contact. */
export function highlight(frame: Frame, contact: number, feature: number, side: number, info: TrackInfo, meshes: Mesh[], bodies: Bodies, out: Overlay): void {
  const row = INTS * contact;
  const [packed, index, v0, v1] = frame.ints.subarray(row + feature, row + feature + 4);
  const kind = packed & 255;
  const body = frame.ints[row + side];
  const mesh = meshes[info.bodies[body].mesh];
  const at = new three.Vector3();
  if (kind === VERTEX && index >= 0) {
    bodies.vertex(body, index, at);
    out.points.add(at.x, at.y, at.z);
  } else if (kind === EDGE && v0 >= 0 && v1 >= 0) {
    for (const vertex of [v0, v1]) {
      bodies.vertex(body, vertex, at);
      out.lines.add(at.x, at.y, at.z);
      out.points.add(at.x, at.y, at.z);
    }
  } else if (kind === FACE) {
    const seeds: number[] = [];
    for (let t = mesh.faces.indexOf(index); t >= 0 && t < mesh.faces.length && mesh.faces[t] === index; ++t) {
      seeds.push(t);
    }
    for (const t of seeds.length > 0 && packed >> 8 ? coplanar(mesh, seeds) : seeds) {
      for (let k = 0; k < 3; ++k) {
        bodies.vertex(body, mesh.triangles[3 * t + k], at);
        out.faces.add(at.x, at.y, at.z);
      }
    }
  }
}
