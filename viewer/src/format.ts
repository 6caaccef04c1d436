// SPDX-License-Identifier: MIT
// format.ts: the data of a track as the command writes it; docs/viewer.md describes the layout

export interface BodyInfo {
  name: string;
  mesh: number;
  material: string;
  fixed: boolean;
  /** Its vertices move: each state has their positions. */
  soft: boolean;
  mass: number | null;
}

export interface MeshInfo {
  name: string;
  vertices: number;
  triangles: number;
  lower: number[];
  upper: number[];
}

export interface TrackInfo {
  label: string;
  scene: string;
  method: string;
  params: string;
  /** Mesh files at one moment, not a recording. */
  still: boolean;
  dt: number;
  end: string;
  reason: string;
  hash: string;
  steps: number;
  pieceStates: number;
  states: number[];
  bodies: BodyInfo[];
  meshes: MeshInfo[];
  ranges: { gap: number[]; impulse: number; truth: boolean };
}

export interface Index {
  rules: string[];
  features: string[];
  /** The axis that is up in the picture. */
  up: number[];
  tracks: TrackInfo[];
}

export interface Mesh {
  /** Relative to the centre. */
  positions: Float32Array;
  centre: Float64Array;
  triangles: Uint32Array;
  /** The face of each triangle, in the numbering of the file. */
  faces: Uint32Array;
  /** Pairs of vertices, sharp edges first. */
  edges: Uint32Array;
  sharpCount: number;
  points: Uint32Array;
}

export function decodeMesh(data: ArrayBuffer): Mesh {
  const [vertices, triangles, sharp, fine, points] = new Uint32Array(data, 0, 6);
  let at = 24;
  const centre = new Float64Array(data, at, 3);
  at += 24;
  const take = (count: number) => {
    const array = new Uint32Array(data, at, count);
    at += 4 * count;
    return array;
  };
  const positions = new Float32Array(data, at, 3 * vertices);
  at += 12 * vertices;
  return {
    positions,
    centre,
    triangles: take(3 * triangles),
    faces: take(triangles),
    edges: take(2 * (sharp + fine)),
    sharpCount: sharp,
    points: take(points),
  };
}

/** Columns of the series: one row for each state. */
export const SERIES = { time: 0, contacts: 1, quality: 2, kinetic: 3, potential: 4, residual: 5, churn: 6, iterations: 7 };
export const SERIES_WIDTH = 8;

/** Where the numbers of a contact are in its row. */
export const REAL = { position: 0, normal: 3, positionA: 6, positionB: 9, gap: 12, speed: 13, friction: 14, impulse: 15, tangent: 16 };
export const REALS = 19;
export const INT = { bodyA: 0, bodyB: 1, truth: 2, rule: 3, region: 4, featureA: 6, featureB: 10, id: 14 };
export const INTS = 16;

export interface Frame {
  state: number;
  contactCount: number;
  /** Seven numbers for each body: position, then rotation as x y z w. */
  poses: Float64Array;
  /** For each body, the positions of its vertices relative to its centre, or null if it is rigid. */
  vertices: (Float32Array | null)[];
  reals: Float64Array;
  ints: Int32Array;
  regionCount: number;
  /** Four numbers for each region: body A, body B, dimension, loops. */
  regions: Int32Array;
  /** Two numbers for each loop: points, whether it is a hole. */
  loops: Int32Array;
  points: Float64Array;
}

export function decodePiece(data: ArrayBuffer, info: TrackInfo): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at < data.byteLength) {
    const [state, contactCount, regionCount, loopCount, pointCount] = new Int32Array(data, at, 8);
    at += 32;
    const reals = (count: number) => {
      const array = new Float64Array(data, at, count);
      at += 8 * count;
      return array;
    };
    const ints = (count: number) => {
      const array = new Int32Array(data, at, count);
      at += 4 * count;
      return array;
    };
    const floats = (count: number) => {
      const array = new Float32Array(data, at, count);
      at += 4 * (count + (count & 1)); // what follows begins at a multiple of 8
      return array;
    };
    frames.push({
      state,
      contactCount,
      regionCount,
      poses: reals(7 * info.bodies.length),
      vertices: info.bodies.map((body) => (body.soft ? floats(3 * info.meshes[body.mesh].vertices) : null)),
      reals: reals(REALS * contactCount),
      ints: ints(INTS * contactCount),
      regions: ints(4 * regionCount),
      loops: ints(2 * loopCount),
      points: reals(3 * pointCount),
    });
  }
  return frames;
}

/** The id of a contact, as the command prints it: 16 hexadecimal digits. */
export function idOf(frame: Frame, contact: number): string {
  const at = INTS * contact + INT.id;
  const digits = (bits: number) => (bits >>> 0).toString(16).padStart(8, "0");
  return digits(frame.ints[at + 1]) + digits(frame.ints[at]);
}
