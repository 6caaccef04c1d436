// SPDX-License-Identifier: MIT
// camera.ts: one camera for all views: turns about a target, moves it, zooms
import * as three from "three";
import type { CameraState, Store } from "./state";

const FIELD = 32;
const STEEPEST = 1.5533;
/** Share of the picture that a box fills. */
const MARGIN = 0.92;

/** Directions to look from, by name. */
export const PRESETS: Record<string, { yaw: number; pitch: number }> = {
  iso: { yaw: 0.7, pitch: 0.42 },
  front: { yaw: 0, pitch: 0 },
  right: { yaw: Math.PI / 2, pitch: 0 },
  back: { yaw: Math.PI, pitch: 0 },
  left: { yaw: -Math.PI / 2, pitch: 0 },
  top: { yaw: 0, pitch: STEEPEST },
  below: { yaw: 0, pitch: -STEEPEST },
};

export class Camera {
  readonly object = new three.PerspectiveCamera(FIELD, 1, 0.01, 100);
  private readonly up: three.Vector3;
  private readonly ahead: three.Vector3;
  private readonly aside: three.Vector3;
  private readonly target = new three.Vector3();
  private readonly direction = new three.Vector3();

  constructor(
    private readonly store: Store,
    up: number[],
  ) {
    this.up = new three.Vector3().fromArray(up);
    // y up: z points to the viewer, x to the right
    this.ahead = Math.abs(this.up.y) > 0.5 ? new three.Vector3(0, 0, 1) : Math.abs(this.up.z) > 0.5 ? new three.Vector3(0, -1, 0) : new three.Vector3(0, 0, 1);
    this.aside = new three.Vector3().crossVectors(this.up, this.ahead);
  }

  /** Sets the direction from the target to the camera, and turns the camera to the target. */
  private aim(): void {
    const { yaw, pitch, distance, x, y, z } = this.store.state.camera;
    this.target.set(x, y, z);
    this.direction.copy(this.ahead).multiplyScalar(Math.cos(pitch) * Math.cos(yaw));
    this.direction.addScaledVector(this.aside, Math.cos(pitch) * Math.sin(yaw));
    this.direction.addScaledVector(this.up, Math.sin(pitch));
    const { object } = this;
    object.position.copy(this.target).addScaledVector(this.direction, distance || 1);
    object.up.copy(this.up);
    object.lookAt(this.target);
  }

  /** Places the camera as the state says. */
  place(aspect: number, reach: number): void {
    this.aim();
    const { object } = this;
    const { distance } = this.store.state.camera;
    object.aspect = aspect;
    object.near = Math.max(distance - 2 * reach, 0.002 * distance);
    object.far = distance + 6 * reach;
    object.updateProjectionMatrix();
    object.updateMatrixWorld();
  }

  private change(patch: Partial<CameraState>): void {
    this.store.set({ camera: { ...this.store.state.camera, ...patch } });
  }

  turn(right: number, up: number): void {
    const { yaw, pitch } = this.store.state.camera;
    this.change({ yaw: yaw - right, pitch: Math.min(Math.max(pitch + up, -STEEPEST), STEEPEST) });
  }

  /** Moves the target across the picture, by parts of its height. */
  move(right: number, up: number): void {
    const { distance, x, y, z } = this.store.state.camera;
    const height = 2 * distance * Math.tan((FIELD * Math.PI) / 360);
    const e = this.object.matrixWorld.elements;
    this.change({
      x: x - height * (right * e[0] + up * e[4]),
      y: y - height * (right * e[1] + up * e[5]),
      z: z - height * (right * e[2] + up * e[6]),
    });
  }

  zoom(factor: number): void {
    this.change({ distance: this.store.state.camera.distance * factor });
  }

  preset(name: string): void {
    this.change({ ...PRESETS[name] });
  }

  /** Shows a box whole, in the present direction; the share `top` of the picture is left to the label above it. */
  fit(box: three.Box3, aspect: number, top: number): void {
    const middle = box.getCenter(new three.Vector3());
    const half = box.getSize(new three.Vector3()).multiplyScalar(0.5);
    this.aim();
    this.object.updateMatrixWorld();
    const right = new three.Vector3().setFromMatrixColumn(this.object.matrixWorld, 0);
    const above = new three.Vector3().setFromMatrixColumn(this.object.matrixWorld, 1);
    const slope = Math.tan((FIELD * Math.PI) / 360);
    const corner = new three.Vector3();
    let distance = 0;
    for (let k = 0; k < 8; ++k) {
      corner.set(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
      const wide = Math.abs(corner.dot(right)) / (MARGIN * slope * aspect);
      const high = Math.abs(corner.dot(above)) / (MARGIN * slope * (1 - top));
      distance = Math.max(distance, corner.dot(this.direction) + Math.max(wide, high));
    }
    distance ||= 1;
    middle.addScaledVector(above, top * slope * distance);
    this.change({ x: middle.x, y: middle.y, z: middle.z, distance });
  }

  /** Half the height of a pixel at distance 1. */
  pixel(height: number): number {
    return Math.tan((FIELD * Math.PI) / 360) / height;
  }
}
