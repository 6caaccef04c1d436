// SPDX-License-Identifier: MIT
// bodies.ts: all bodies of a track in one mesh, drawn by one call for faces and one for edges
//
// Each vertex knows its body, and a texture has the pose and colour of each body. So a step changes a few numbers for
// each body, and the number of draw calls does not depend on the number of bodies. The vertices of soft bodies are
// written anew at every step.
import * as three from "three";
import { bodyColour, type Palette } from "../colours";
import type { Frame, Mesh, TrackInfo } from "../format";
import { placedCentre } from "../poses";
import type { BodyMode } from "../state";

const PLACE = /* glsl */ `
  uniform highp sampler2D bodies;
  in float body;
  vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
  vec3 place(vec3 v) {
    int row = int(body + 0.5);
    return texelFetch(bodies, ivec2(0, row), 0).xyz + turn(texelFetch(bodies, ivec2(1, row), 0), v);
  }`;

const FACE_VERTEX = /* glsl */ `
  ${PLACE}
  out vec3 seen;
  flat out vec3 colour;
  void main() {
    vec4 view = modelViewMatrix * vec4(place(position), 1.0);
    seen = view.xyz;
    colour = texelFetch(bodies, ivec2(2, int(body + 0.5)), 0).rgb;
    gl_Position = projectionMatrix * view;
  }`;

// The normal is that of the triangle, from derivatives: no array of normals is needed. The light comes from above the
// viewer's left shoulder, with some light from all sides.
const FACE_FRAGMENT = /* glsl */ `
  precision highp float;
  uniform float opacity;
  in vec3 seen;
  flat in vec3 colour;
  out vec4 result;
  void main() {
    vec3 n = normalize(cross(dFdx(seen), dFdy(seen)));
    float key = max(dot(n, normalize(vec3(-0.45, 0.75, 0.6))), 0.0);
    float fill = max(dot(n, normalize(vec3(0.7, 0.1, 0.5))), 0.0);
    vec3 lit = colour * (0.54 + 0.12 * n.y + 0.4 * key + 0.14 * fill);
    result = vec4(min(lit, vec3(1.0)), opacity);
  }`;

const EDGE_VERTEX = /* glsl */ `
  ${PLACE}
  void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(place(position), 1.0); gl_PointSize = 4.0; }`;

const EDGE_FRAGMENT = /* glsl */ `
  precision highp float;
  uniform vec3 colour;
  uniform float opacity;
  out vec4 result;
  void main() { result = vec4(colour, opacity); }`;

function shader(vertexShader: string, fragmentShader: string, uniforms: Record<string, three.IUniform>): three.ShaderMaterial {
  return new three.ShaderMaterial({ glslVersion: three.GLSL3, vertexShader, fragmentShader, uniforms });
}

interface Merged {
  positions: Float32Array;
  bodies: Float32Array | Uint16Array;
  triangles: Uint32Array;
  edges: Uint32Array;
  sharpCount: number;
  points: Uint32Array;
  /** The first vertex of each body. */
  firsts: number[];
}

/** All bodies in one set of arrays, sharp edges of all bodies first. */
function merge(info: TrackInfo, meshes: Mesh[]): Merged {
  const parts = info.bodies.map((body) => meshes[body.mesh]);
  const sum = (count: (mesh: Mesh) => number) => parts.reduce((total, mesh) => total + count(mesh), 0);
  const vertices = sum((mesh) => mesh.positions.length / 3);
  const merged: Merged = {
    positions: new Float32Array(3 * vertices),
    bodies: parts.length < 65536 ? new Uint16Array(vertices) : new Float32Array(vertices),
    triangles: new Uint32Array(sum((mesh) => mesh.triangles.length)),
    edges: new Uint32Array(sum((mesh) => mesh.edges.length)),
    sharpCount: sum((mesh) => mesh.sharpCount),
    points: new Uint32Array(sum((mesh) => mesh.points.length)),
    firsts: [],
  };
  let first = 0;
  let triangle = 0;
  let sharp = 0;
  let fine = 2 * merged.sharpCount;
  let point = 0;
  parts.forEach((mesh, body) => {
    merged.firsts.push(first);
    merged.positions.set(mesh.positions, 3 * first);
    merged.bodies.fill(body, first, first + mesh.positions.length / 3);
    for (const vertex of mesh.triangles) {
      merged.triangles[triangle++] = first + vertex;
    }
    for (let i = 0; i < mesh.edges.length; ++i) {
      const vertex = first + mesh.edges[i];
      if (i < 2 * mesh.sharpCount) {
        merged.edges[sharp++] = vertex;
      } else {
        merged.edges[fine++] = vertex;
      }
    }
    for (const vertex of mesh.points) {
      merged.points[point++] = first + vertex;
    }
    first += mesh.positions.length / 3;
  });
  return merged;
}

/** Releases the arrays once the graphics card has them. */
function forget(this: three.BufferAttribute): void {
  this.array = new (this.array.constructor as new (size: number) => three.TypedArray)(0);
}

export class Bodies {
  readonly group = new three.Group();
  /** Where the centre of each body is, relative to the origin of the view, and its rotation: eight numbers each. */
  private readonly texels: Float32Array;
  private readonly texture: three.DataTexture;
  private readonly faces: three.Mesh;
  private readonly edges: three.LineSegments;
  private readonly sharpCount: number;
  private readonly edgeCount: number;
  private readonly middle = new Float64Array(3);
  /** Positions of all vertices, and the first vertex of each body; null if no body is soft. */
  private readonly soft: { attribute: three.BufferAttribute; firsts: number[] } | null;

  constructor(
    private readonly info: TrackInfo,
    private readonly meshes: Mesh[],
  ) {
    const count = Math.max(info.bodies.length, 1);
    this.texels = new Float32Array(12 * count);
    info.bodies.forEach((body, i) => {
      this.texels.set(bodyColour(i, body.fixed), 12 * i + 8);
    });
    this.texture = new three.DataTexture(this.texels, 3, count, three.RGBAFormat, three.FloatType);
    const merged = merge(info, meshes);
    this.sharpCount = merged.sharpCount;
    this.edgeCount = merged.edges.length / 2;
    const position = new three.BufferAttribute(merged.positions, 3);
    this.soft = info.bodies.some((item) => item.soft) ? { attribute: position, firsts: merged.firsts } : null;
    if (this.soft) {
      position.setUsage(three.DynamicDrawUsage);
    } else {
      position.onUpload(forget);
    }
    const body = new three.BufferAttribute(merged.bodies, 1).onUpload(forget);
    const geometry = (indices: Uint32Array) => {
      const result = new three.BufferGeometry();
      result.boundingSphere = new three.Sphere();
      result.setAttribute("position", position);
      result.setAttribute("body", body);
      result.setIndex(new three.BufferAttribute(indices, 1).onUpload(forget));
      return result;
    };
    const bodies = { value: this.texture };
    const edge = () => shader(EDGE_VERTEX, EDGE_FRAGMENT, { bodies, colour: { value: new three.Color() }, opacity: { value: 1 } });
    this.faces = new three.Mesh(geometry(merged.triangles), shader(FACE_VERTEX, FACE_FRAGMENT, { bodies, opacity: { value: 1 } }));
    this.faces.geometry.setDrawRange(0, merged.triangles.length);
    this.edges = new three.LineSegments(geometry(merged.edges), edge());
    this.edges.renderOrder = 1;
    this.group.add(this.faces, this.edges);
    if (merged.points.length > 0) {
      const points = new three.Points(geometry(merged.points), edge());
      points.geometry.setDrawRange(0, merged.points.length);
      this.group.add(points);
    }
    this.group.traverse((part) => {
      part.frustumCulled = false;
      part.matrixAutoUpdate = false;
    });
  }

  /** Places the bodies. `moves` are displacements, three numbers for each body. */
  place(frame: Frame, origin: Float64Array, moves: Float64Array): void {
    const { poses } = frame;
    const { texels } = this;
    for (let i = 0; i < this.info.bodies.length; ++i) {
      placedCentre(frame, i, this.meshes[this.info.bodies[i].mesh], this.middle);
      for (let k = 0; k < 3; ++k) {
        texels[12 * i + k] = this.middle[k] - origin[k] + moves[3 * i + k];
      }
      for (let k = 0; k < 4; ++k) {
        texels[12 * i + 4 + k] = poses[7 * i + 3 + k];
      }
    }
    this.texture.needsUpdate = true;
    if (this.soft) {
      this.bend(frame, this.soft.attribute, this.soft.firsts);
    }
  }

  /** Moves the vertices of soft bodies to where they are in a frame. */
  private bend(frame: Frame, attribute: three.BufferAttribute, firsts: number[]): void {
    attribute.clearUpdateRanges();
    frame.vertices.forEach((positions, body) => {
      if (positions) {
        (attribute.array as Float32Array).set(positions, 3 * firsts[body]);
        attribute.addUpdateRange(3 * firsts[body], positions.length);
      }
    });
    attribute.needsUpdate = true;
  }

  /** The position of a vertex as it was last drawn. */
  vertex(body: number, vertex: number, out: three.Vector3): three.Vector3 {
    const t = this.texels;
    const at = 12 * body;
    if (this.soft) {
      out.fromBufferAttribute(this.soft.attribute, this.soft.firsts[body] + vertex);
    } else {
      out.fromArray(this.meshes[this.info.bodies[body].mesh].positions, 3 * vertex);
    }
    out.applyQuaternion(new three.Quaternion(t[at + 4], t[at + 5], t[at + 6], t[at + 7]));
    return out.add(new three.Vector3(t[at], t[at + 1], t[at + 2]));
  }

  /** Adds a body to a box, as it was last drawn. */
  bound(body: number, box: three.Box3): void {
    const { mesh, soft } = this.info.bodies[body];
    const { lower, upper, vertices } = this.info.meshes[mesh];
    if (soft) {
      const at = new three.Vector3();
      for (let vertex = 0; vertex < vertices; ++vertex) {
        box.expandByPoint(this.vertex(body, vertex, at));
      }
      return;
    }
    const t = this.texels;
    const at = 12 * body;
    const middle = new three.Vector3().fromArray(t, at);
    const turn = new three.Quaternion(t[at + 4], t[at + 5], t[at + 6], t[at + 7]);
    const corner = new three.Vector3();
    for (let k = 0; k < 8; ++k) {
      corner.set(...([0, 1, 2].map((axis) => (k & (1 << axis) ? 0.5 : -0.5) * (upper[axis] - lower[axis])) as [number, number, number]));
      box.expandByPoint(corner.applyQuaternion(turn).add(middle));
    }
  }

  style(mode: BodyMode, hasEdges: boolean, palette: Palette): void {
    const face = this.faces.material as three.ShaderMaterial;
    const isClear = mode === "clear";
    this.faces.visible = mode !== "wire";
    face.uniforms.opacity.value = isClear ? 0.3 : 1;
    face.transparent = isClear;
    face.depthWrite = !isClear;
    face.side = isClear ? three.FrontSide : three.DoubleSide;
    face.polygonOffset = true;
    face.polygonOffsetFactor = 1;
    face.polygonOffsetUnits = 1;
    face.needsUpdate = true;
    const isWire = mode === "wire";
    this.edges.visible = isWire || hasEdges;
    this.edges.geometry.setDrawRange(0, 2 * (isWire ? this.edgeCount : this.sharpCount));
    for (const part of this.group.children) {
      const { uniforms } = (part as three.Mesh).material as three.ShaderMaterial;
      if (uniforms.colour) {
        (uniforms.colour.value as three.Color).setRGB(...(isWire ? palette.wire : isClear ? palette.clearEdge : palette.edge));
        uniforms.opacity.value = isWire ? 0.85 : isClear ? 0.45 : 0.8;
      }
    }
    const line = this.edges.material as three.ShaderMaterial;
    line.transparent = true;
    line.depthWrite = false;
  }
}
