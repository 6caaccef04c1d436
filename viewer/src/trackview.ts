// SPDX-License-Identifier: MIT
// trackview.ts: one track in the picture: its bodies, contacts, regions, gaps and highlighted features
import * as three from "three";
import { PALETTES } from "./colours";
import { explodedBy, typicalSize } from "./explode";
import { colourOf, isShown, scalesOf } from "./filter";
import { type Frame, idOf, type Index, INT, INTS, REAL, REALS } from "./format";
import { Bodies } from "./scene/bodies";
import { highlight } from "./scene/features";
import { MARK, Marks } from "./scene/marks";
import { Overlay } from "./scene/overlay";
import { fillRegions } from "./scene/regions";
import type { Key, State } from "./state";
import type { Track } from "./track";

/** Changes of these need a new look at the contacts. */
const CONTACT_KEYS: Key[] = ["position", "colour", "theme", "explode", "pair", "kind", "wrong", "picked", "regions", "gaps", "features"];

export class TrackView {
  readonly scene = new three.Scene();
  readonly size: number;
  frame: Frame | undefined;
  /** Contacts that the filter lets through, and where they are drawn: three numbers for each. */
  shown: number[] = [];
  places = new Float32Array(0);
  private readonly bodies: Bodies;
  private readonly marks = new Marks();
  private readonly regions = new Overlay(3, 0.3, 0.9, false);
  private readonly gaps = new Overlay(6, 1, 0.55, false);
  private readonly featuresA = new Overlay(7, 0.55, 1, true);
  private readonly featuresB = new Overlay(7, 0.55, 1, true);
  private readonly moves: Float64Array;
  private directions: Float64Array | undefined;

  constructor(
    readonly track: Track,
    private readonly index: Index,
    private readonly origin: Float64Array,
  ) {
    this.size = typicalSize(track.info);
    this.bodies = new Bodies(track.info, track.meshes);
    this.moves = new Float64Array(3 * track.info.bodies.length);
    this.scene.matrixWorldAutoUpdate = false;
    this.scene.add(this.bodies.group, this.marks.group, this.regions.group, this.gaps.group, this.featuresA.group, this.featuresB.group);
  }

  /** Shows a frame in a state; `changed` is null at first. */
  update(frame: Frame | undefined, state: State, changed: ReadonlySet<Key> | null): void {
    const isNew = frame !== this.frame;
    this.frame = frame;
    if (!frame) {
      return;
    }
    if (isNew) {
      this.directions = undefined;
    }
    const has = (key: Key) => changed === null || changed.has(key);
    if (isNew || has("explode")) {
      this.place(frame, state);
    }
    if (has("bodies") || has("edges") || has("theme")) {
      this.bodies.style(state.bodies, state.edges, PALETTES[state.theme]);
    }
    if (isNew || CONTACT_KEYS.some(has)) {
      this.fill(frame, state);
    }
    this.marks.style(0.03 * this.size * state.size, state.contacts, state.arrows);
    if (has("theme")) {
      const palette = PALETTES[state.theme];
      this.regions.style(palette.region);
      this.gaps.style(palette.gap);
      this.featuresA.style(palette.featureA);
      this.featuresB.style(palette.featureB);
    }
  }

  private place(frame: Frame, state: State): void {
    if (state.explode > 0) {
      this.directions ??= explodedBy(frame, this.track.info);
      const length = 0.6 * state.explode * this.size;
      for (let i = 0; i < this.moves.length; ++i) {
        this.moves[i] = length * this.directions[i];
      }
    } else {
      this.moves.fill(0);
    }
    this.bodies.place(frame, this.origin, this.moves);
  }

  private fill(frame: Frame, state: State): void {
    this.shown = [];
    for (let i = 0; i < frame.contactCount; ++i) {
      if (isShown(frame, i, state, this.index)) {
        this.shown.push(i);
      }
    }
    this.fillContacts(frame, state);
    this.regions.clear();
    if (state.regions) {
      fillRegions(frame, state, this.origin, this.moves, this.regions);
    }
    this.regions.finish();
    this.featuresA.clear();
    this.featuresB.clear();
    const chosen = this.chosen(state);
    if (state.features && chosen >= 0) {
      const info = this.track.info;
      highlight(frame, chosen, INT.featureA, INT.bodyA, info, this.track.meshes, this.bodies, this.featuresA);
      highlight(frame, chosen, INT.featureB, INT.bodyB, info, this.track.meshes, this.bodies, this.featuresB);
    }
    this.featuresA.finish();
    this.featuresB.finish();
  }

  /** When bodies are pulled apart, a contact is drawn on both, with a line between. */
  private fillContacts(frame: Frame, state: State): void {
    const { reals, ints } = frame;
    const [ox, oy, oz] = this.origin;
    const isApart = state.explode > 0;
    const chosen = this.chosen(state);
    const scales = scalesOf(this.index);
    this.marks.begin((isApart ? 2 : 1) * this.shown.length);
    this.gaps.clear();
    this.places = this.places.length >= 3 * this.shown.length ? this.places : new Float32Array(3 * this.shown.length);
    this.shown.forEach((i, k) => {
      const row = REALS * i;
      const a = 3 * ints[INTS * i + INT.bodyA];
      const b = 3 * ints[INTS * i + INT.bodyB];
      const colour = colourOf(frame, i, state, scales);
      const kind = ints[INTS * i + INT.truth] === 0 ? MARK.wrong : MARK.plain;
      const normal = reals.subarray(row + REAL.normal, row + REAL.normal + 3);
      const ax = reals[row + REAL.positionA] - ox + this.moves[a];
      const ay = reals[row + REAL.positionA + 1] - oy + this.moves[a + 1];
      const az = reals[row + REAL.positionA + 2] - oz + this.moves[a + 2];
      const bx = reals[row + REAL.positionB] - ox + this.moves[b];
      const by = reals[row + REAL.positionB + 1] - oy + this.moves[b + 1];
      const bz = reals[row + REAL.positionB + 2] - oz + this.moves[b + 2];
      if (isApart) {
        this.marks.add(ax, ay, az, kind, colour, i === chosen, normal, 1);
        this.marks.add(bx, by, bz, kind, colour, i === chosen, normal, 0);
        this.places.set([ax, ay, az], 3 * k);
      } else {
        const x = reals[row] - ox;
        const y = reals[row + 1] - oy;
        const z = reals[row + 2] - oz;
        this.marks.add(x, y, z, kind, colour, i === chosen, normal, 1);
        this.places.set([x, y, z], 3 * k);
      }
      if (state.gaps) {
        this.gaps.lines.add(ax, ay, az);
        this.gaps.lines.add(bx, by, bz);
      }
    });
    this.marks.end();
    this.gaps.finish();
  }

  /** The contact that is picked, or -1. */
  chosen(state: State): number {
    const { frame } = this;
    if (!frame || state.picked?.track !== this.track.number) {
      return -1;
    }
    for (let i = 0; i < frame.contactCount; ++i) {
      if (idOf(frame, i) === state.picked.id) {
        return i;
      }
    }
    return -1;
  }

  /** Half the height of a pixel at distance 1. */
  scale(pixel: number): void {
    this.marks.scale(pixel);
  }

  /** Adds the bodies to a box: all of them, or only those that move, if there are any. */
  bound(box: three.Box3, hasFixed: boolean): void {
    const { bodies } = this.track.info;
    const isAll = hasFixed || bodies.every((body) => body.fixed);
    bodies.forEach((body, i) => {
      if (isAll || !body.fixed) {
        this.bodies.bound(i, box);
      }
    });
  }
}
