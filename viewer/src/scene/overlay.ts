// SPDX-License-Identifier: MIT
// overlay.ts: triangles, lines and points in one colour: regions, gaps, features
import * as three from "three";
import type { Rgb } from "../colours";

/** Positions that grow as needed and are drawn as one object. */
class Part<T extends three.Mesh | three.LineSegments | three.Points> {
  private values = new Float32Array(0);
  private count = 0;

  constructor(readonly object: T) {
    // Its order is that of renderOrder: where it is does not matter.
    object.geometry.boundingSphere = new three.Sphere();
    object.frustumCulled = false;
    object.matrixAutoUpdate = false;
  }

  clear(): void {
    this.count = 0;
  }

  add(x: number, y: number, z: number): void {
    if (3 * this.count + 3 > this.values.length) {
      const values = new Float32Array(Math.max(2 * this.values.length, 192));
      values.set(this.values);
      this.values = values;
    }
    this.values[3 * this.count] = x;
    this.values[3 * this.count + 1] = y;
    this.values[3 * this.count + 2] = z;
    ++this.count;
  }

  finish(): void {
    const { geometry } = this.object;
    const attribute = geometry.getAttribute("position") as three.BufferAttribute | undefined;
    if (attribute?.array === this.values) {
      attribute.needsUpdate = true;
    } else {
      geometry.dispose();
      geometry.setAttribute("position", new three.BufferAttribute(this.values, 3));
    }
    geometry.setDrawRange(0, this.count);
    this.object.visible = this.count > 0;
  }
}

/** A ring: what it marks stays visible. */
function ringTexture(): three.CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.strokeStyle = "#fff";
    pen.lineWidth = 5;
    pen.arc(16, 16, 13, 0, 2 * Math.PI);
    pen.stroke();
  }
  return new three.CanvasTexture(canvas);
}

export class Overlay {
  readonly group = new three.Group();
  readonly faces: Part<three.Mesh>;
  readonly lines: Part<three.LineSegments>;
  readonly points: Part<three.Points>;
  private readonly materials: three.Material[];

  /** `isOnTop`: bodies do not hide it. */
  constructor(order: number, faceOpacity: number, lineOpacity: number, isOnTop: boolean) {
    const common = { depthTest: !isOnTop, depthWrite: false, transparent: true };
    const face = new three.MeshBasicMaterial({ ...common, opacity: faceOpacity, side: three.DoubleSide });
    const line = new three.LineBasicMaterial({ ...common, opacity: lineOpacity });
    const point = new three.PointsMaterial({ ...common, size: 18, sizeAttenuation: false, map: ringTexture() });
    this.materials = [face, line, point];
    this.faces = new Part(new three.Mesh(new three.BufferGeometry(), face));
    this.lines = new Part(new three.LineSegments(new three.BufferGeometry(), line));
    this.points = new Part(new three.Points(new three.BufferGeometry(), point));
    for (const part of [this.faces, this.lines, this.points]) {
      part.object.renderOrder = order;
      this.group.add(part.object);
    }
  }

  clear(): void {
    this.faces.clear();
    this.lines.clear();
    this.points.clear();
  }

  finish(): void {
    this.faces.finish();
    this.lines.finish();
    this.points.finish();
  }

  style(colour: Rgb): void {
    for (const material of this.materials) {
      (material as three.MeshBasicMaterial).color.setRGB(...colour);
    }
  }
}
