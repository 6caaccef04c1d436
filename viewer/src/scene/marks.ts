// SPDX-License-Identifier: MIT
// marks.ts: contacts as spheres and arrows, drawn by instances
//
// Both are drawn twice: where bodies hide them, faintly, so that contacts inside a joint can be found.
import * as three from "three";

/** A row of an instance: place and kind, colour and whether it is chosen, direction. */
const ROW = 12;
export const MARK = { plain: 0, wrong: 1 };

const SPHERE_VERTEX = /* glsl */ `
  in vec4 centre;
  in vec4 tint;
  uniform float radius;
  uniform float pixel;
  out vec2 at;
  flat out vec4 look;
  flat out float kind;
  void main() {
    vec4 view = modelViewMatrix * vec4(centre.xyz, 1.0);
    float size = clamp(radius, -5.0 * pixel * view.z, -20.0 * pixel * view.z) * (tint.w > 0.5 ? 1.7 : 1.0);
    at = position.xy;
    look = tint;
    kind = centre.w;
    view.xyz += vec3(position.xy * size, size);
    gl_Position = projectionMatrix * view;
  }`;

const SPHERE_FRAGMENT = /* glsl */ `
  precision highp float;
  uniform float opacity;
  in vec2 at;
  flat in vec4 look;
  flat in float kind;
  out vec4 result;
  void main() {
    float r = dot(at, at);
    if (r > 1.0) discard;
    float chosen = step(0.5, look.w);
    vec3 n = vec3(at, sqrt(1.0 - r));
    vec3 colour = look.rgb * (0.55 + 0.5 * max(dot(n, normalize(vec3(-0.4, 0.6, 0.7))), 0.0));
    float inner = mix(1.0, 0.48, chosen);
    if (chosen > 0.5 && r > inner) colour = r > 0.8 || r < 0.56 ? vec3(0.05) : vec3(1.0);
    if (kind > 0.5) {
      float arm = min(abs(at.x - at.y), abs(at.x + at.y));
      if (arm < 0.22 && r < 0.55) colour = vec3(1.0);
    }
    result = vec4(colour, opacity);
  }`;

const ARROW_VERTEX = /* glsl */ `
  in vec4 centre;
  in vec4 tint;
  in vec4 along;
  uniform float radius;
  uniform float pixel;
  out vec3 seen;
  flat out vec3 colour;
  void main() {
    vec3 n = along.xyz;
    vec3 side = normalize(abs(n.x) < 0.6 ? cross(n, vec3(1.0, 0.0, 0.0)) : cross(n, vec3(0.0, 1.0, 0.0)));
    vec3 other = cross(n, side);
    vec4 middle = modelViewMatrix * vec4(centre.xyz, 1.0);
    float size = clamp(radius, -5.0 * pixel * middle.z, -20.0 * pixel * middle.z);
    vec3 p = size * (5.2 * along.w * position.y * n + 0.9 * (position.x * side + position.z * other));
    vec4 view = modelViewMatrix * vec4(centre.xyz + p, 1.0);
    seen = view.xyz;
    colour = tint.rgb;
    gl_Position = projectionMatrix * view;
  }`;

const ARROW_FRAGMENT = /* glsl */ `
  precision highp float;
  uniform float opacity;
  in vec3 seen;
  flat in vec3 colour;
  out vec4 result;
  void main() {
    vec3 n = normalize(cross(dFdx(seen), dFdy(seen)));
    result = vec4(colour * (0.55 + 0.45 * max(dot(n, normalize(vec3(-0.4, 0.6, 0.7))), 0.0)), opacity);
  }`;

/** A shaft and a head along y, from 0 to 1. */
function arrowShape(): { positions: number[]; indices: number[] } {
  const sides = 8;
  const rings: [number, number][] = [
    [0.28, 0],
    [0.28, 0.68],
    [0.75, 0.68],
    [0, 1],
  ];
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [radius, height] of rings) {
    for (let i = 0; i < sides; ++i) {
      const angle = (2 * Math.PI * i) / sides;
      positions.push(radius * Math.cos(angle), height, radius * Math.sin(angle));
    }
  }
  for (let ring = 0; ring + 1 < rings.length; ++ring) {
    for (let i = 0; i < sides; ++i) {
      const a = ring * sides + i;
      const b = ring * sides + ((i + 1) % sides);
      indices.push(a, a + sides, b, b, a + sides, b + sides);
    }
  }
  return { positions, indices };
}

export class Marks {
  readonly group = new three.Group();
  private buffer: three.InstancedInterleavedBuffer;
  private readonly geometries: three.InstancedBufferGeometry[];
  private readonly uniforms = { radius: { value: 1 }, pixel: { value: 0.001 } };
  private readonly spheres: three.Mesh[];
  private readonly arrows: three.Mesh[];
  private capacity = 0;
  private rows = new Float32Array(0);
  private count = 0;

  constructor() {
    const quad = new three.InstancedBufferGeometry();
    quad.setAttribute("position", new three.Float32BufferAttribute([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 3));
    quad.setIndex([0, 1, 2, 0, 2, 3]);
    const shape = arrowShape();
    const arrow = new three.InstancedBufferGeometry();
    arrow.setAttribute("position", new three.Float32BufferAttribute(shape.positions, 3));
    arrow.setIndex(shape.indices);
    quad.boundingSphere = new three.Sphere();
    arrow.boundingSphere = new three.Sphere();
    this.geometries = [quad, arrow];
    this.buffer = new three.InstancedInterleavedBuffer(this.rows, ROW);
    this.spheres = this.pair(quad, SPHERE_VERTEX, SPHERE_FRAGMENT, 5);
    this.arrows = this.pair(arrow, ARROW_VERTEX, ARROW_FRAGMENT, 4);
  }

  /** A mesh for what is seen and one for what is hidden. */
  private pair(geometry: three.InstancedBufferGeometry, vertexShader: string, fragmentShader: string, order: number): three.Mesh[] {
    return [false, true].map((isHidden) => {
      const material = new three.ShaderMaterial({
        glslVersion: three.GLSL3,
        vertexShader,
        fragmentShader,
        side: three.DoubleSide,
        uniforms: { ...this.uniforms, opacity: { value: isHidden ? 0.28 : 1 } },
        transparent: true,
        depthWrite: !isHidden,
        depthFunc: isHidden ? three.GreaterDepth : three.LessEqualDepth,
      });
      const mesh = new three.Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      // Hidden ones first: what is seen covers them.
      mesh.renderOrder = isHidden ? 2 : order;
      this.group.add(mesh);
      return mesh;
    });
  }

  private reserve(count: number): void {
    if (count <= this.capacity) {
      return;
    }
    this.capacity = Math.max(count, 2 * this.capacity, 64);
    this.rows = new Float32Array(ROW * this.capacity);
    this.buffer = new three.InstancedInterleavedBuffer(this.rows, ROW);
    this.buffer.setUsage(three.DynamicDrawUsage);
    for (const geometry of this.geometries) {
      geometry.dispose();
      geometry.setAttribute("centre", new three.InterleavedBufferAttribute(this.buffer, 4, 0));
      geometry.setAttribute("tint", new three.InterleavedBufferAttribute(this.buffer, 4, 4));
      geometry.setAttribute("along", new three.InterleavedBufferAttribute(this.buffer, 4, 8));
    }
  }

  begin(count: number): void {
    this.reserve(count);
    this.count = 0;
  }

  /** `direction` is 1, -1, or 0: no arrow. */
  add(x: number, y: number, z: number, kind: number, colour: readonly number[], isChosen: boolean, n: ArrayLike<number>, direction: number): void {
    const rows = this.rows;
    const at = ROW * this.count++;
    rows[at] = x;
    rows[at + 1] = y;
    rows[at + 2] = z;
    rows[at + 3] = kind;
    rows[at + 4] = colour[0];
    rows[at + 5] = colour[1];
    rows[at + 6] = colour[2];
    rows[at + 7] = isChosen ? 1 : 0;
    rows[at + 8] = n[0];
    rows[at + 9] = n[1];
    rows[at + 10] = n[2];
    rows[at + 11] = direction;
  }

  end(): void {
    for (const geometry of this.geometries) {
      geometry.instanceCount = this.count;
    }
    this.buffer.needsUpdate = true;
  }

  style(radius: number, hasSpheres: boolean, hasArrows: boolean): void {
    this.uniforms.radius.value = radius;
    for (const mesh of this.spheres) {
      mesh.visible = hasSpheres;
    }
    for (const mesh of this.arrows) {
      mesh.visible = hasSpheres && hasArrows;
    }
  }

  /** Half the height of a pixel at distance 1. */
  scale(pixel: number): void {
    this.uniforms.pixel.value = pixel;
  }
}
