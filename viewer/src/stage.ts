// SPDX-License-Identifier: MIT
// stage.ts: draws all tracks side by side with one camera, only when something has changed
import * as three from "three";
import { Camera } from "./camera";
import { PALETTES } from "./colours";
import type { Index } from "./format";
import { placedCentre } from "./poses";
import type { Key, Store } from "./state";
import { leaderOf, positionIn, type Track } from "./track";
import { TrackView } from "./trackview";

three.ColorManagement.enabled = false;

/** Width of a cell that has room for its label, in pixels. */
const NARROWEST = 190;
/** Of a label with two lines and its margin. */
const LABEL_HEIGHT = 60;

export interface Cell {
  view: TrackView;
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Stage {
  readonly canvas = document.createElement("canvas");
  readonly camera: Camera;
  readonly views: TrackView[];
  cells: Cell[] = [];
  /** Draw calls of the last picture, and how many pictures there were. */
  calls = 0;
  frames = 0;
  private readonly renderer: three.WebGLRenderer;
  private readonly changed = new Set<Key>();
  private isDirty = true;
  private reach = 1;
  private readonly back = new three.Color();
  private listeners: (() => void)[] = [];

  constructor(
    readonly root: HTMLElement,
    private readonly store: Store,
    readonly tracks: Track[],
    private readonly index: Index,
  ) {
    root.append(this.canvas);
    this.renderer = new three.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: false, preserveDrawingBuffer: false });
    this.renderer.outputColorSpace = three.LinearSRGBColorSpace;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.info.autoReset = false;
    this.renderer.setScissorTest(true);
    const origin = originOf(tracks[0], this.positionIn(tracks[0]));
    this.views = tracks.map((track) => new TrackView(track, index, origin));
    this.camera = new Camera(store, index.up);
    new ResizeObserver(() => this.layOut()).observe(root);
    store.listen((keys) => this.onChange(keys));
  }

  /** Called after every picture. */
  onDraw(listener: () => void): void {
    this.listeners.push(listener);
  }

  private onChange(keys: ReadonlySet<Key>): void {
    for (const key of keys) {
      this.changed.add(key);
    }
    if (keys.has("position")) {
      void this.loadFrames();
    }
    if (keys.has("solo")) {
      this.layOut();
    }
    this.request();
  }

  request(): void {
    if (!this.isDirty) {
      this.isDirty = true;
      requestAnimationFrame(this.draw);
    }
  }

  /** The present position in a track. */
  positionIn(track: Track): number {
    return positionIn(track, this.tracks, this.store.state.position);
  }

  get leader(): Track {
    return leaderOf(this.tracks);
  }

  /** Loads the frames of the present position, and then those that follow. */
  async loadFrames(): Promise<void> {
    const { position } = this.store.state;
    try {
      await Promise.all(this.tracks.map((track) => track.load(this.positionIn(track)).then(() => this.request())));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.store.set({ problem: `Data could not be loaded (${reason}). Is abut view still running?`, playing: false });
      return;
    }
    if (position === this.store.state.position) {
      this.store.set({ problem: "" });
    }
    // What fails here is reported when it is to be shown.
    void Promise.allSettled(this.tracks.map((track) => track.load(Math.min(this.positionIn(track) + track.info.pieceStates, track.length - 1))));
  }

  start(): void {
    this.update(null);
    this.isDirty = false;
    this.layOut();
  }

  private update(changed: ReadonlySet<Key> | null): void {
    for (const view of this.views) {
      // Until the piece arrives, the last frame stays.
      const frame = view.track.frame(this.positionIn(view.track)) ?? view.frame;
      view.update(frame, this.store.state, changed);
    }
  }

  layOut(): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width === 0 || height === 0) {
      return;
    }
    this.renderer.setSize(width, height, false);
    const { solo } = this.store.state;
    const views = solo >= 0 && solo < this.views.length ? [this.views[solo]] : this.views;
    const columns = this.columnsFor(views.length, width, height);
    const rows = Math.ceil(views.length / columns);
    this.cells = views.map((view, i) => ({
      view,
      x: Math.round((width * (i % columns)) / columns),
      y: Math.round((height * Math.floor(i / columns)) / rows),
      width: Math.round(width / columns) - (columns > 1 ? 1 : 0),
      height: Math.round(height / rows) - (rows > 1 ? 1 : 0),
    }));
    this.request();
  }

  /** The columns that show the bodies large. */
  private columnsFor(count: number, width: number, height: number): number {
    const size = this.box().getSize(new three.Vector3());
    const up = this.index.up.findIndex((value) => value !== 0);
    const tall = size.getComponent(up) || 1e-3;
    const wide = Math.hypot(size.getComponent((up + 1) % 3), size.getComponent((up + 2) % 3)) || 1e-3;
    let best = 1;
    let largest = 0;
    // Few rows are better: side by side, views can be compared.
    for (let rows = 1; rows <= count; ++rows) {
      const columns = Math.ceil(count / rows);
      const scale = Math.min(width / columns / wide, height / rows / tall);
      if (scale > 1.3 * largest && (width / columns >= NARROWEST || columns === 1)) {
        largest = scale;
        best = columns;
      }
    }
    return best;
  }

  /** What moves, in all views. */
  private box(): three.Box3 {
    const box = new three.Box3();
    for (const view of this.views) {
      view.bound(box, false);
    }
    return box;
  }

  fit(): void {
    const cell = this.cells[0];
    this.camera.fit(this.box(), cell.width / cell.height, Math.min(LABEL_HEIGHT / cell.height, 0.3));
  }

  /** Looks from a side, at everything. */
  preset(name: string): void {
    this.camera.preset(name);
    this.fit();
  }

  private readonly draw = (): void => {
    this.isDirty = false;
    this.update(this.changed);
    this.changed.clear();
    this.paint();
    for (const listener of this.listeners) {
      listener();
    }
    ++this.frames;
  };

  private paint(): void {
    const { renderer, canvas } = this;
    const back = PALETTES[this.store.state.theme].back;
    const height = this.root.clientHeight;
    renderer.info.reset();
    renderer.setClearColor(this.back.setRGB(...back));
    for (const { view, x, y, width, height: tall } of this.cells) {
      this.camera.place(width / tall, this.reach);
      view.scale(this.camera.pixel(tall));
      renderer.setViewport(x, height - y - tall, width, tall);
      renderer.setScissor(x, height - y - tall, width, tall);
      renderer.render(view.scene, this.camera.object);
    }
    this.calls = renderer.info.render.calls;
    canvas.dataset.ready = "1";
  }

  /** How far the bodies reach from their middle, for the near and far planes. */
  measure(): void {
    const box = new three.Box3();
    for (const view of this.views) {
      view.bound(box, true);
    }
    this.reach = box.getSize(new three.Vector3()).length() || 1;
  }

  /** The picture as it is shown. */
  picture(): Promise<Blob> {
    this.paint();
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))), "image/png");
    });
  }
}

/** The middle of a track's bodies: positions on the graphics card are relative to it. */
function originOf(track: Track, position: number): Float64Array {
  const frame = track.frame(position);
  const origin = new Float64Array(3);
  const middle = new Float64Array(3);
  const count = track.info.bodies.length;
  for (let i = 0; i < count && frame; ++i) {
    placedCentre(frame, i, track.meshes[track.info.bodies[i].mesh], middle);
    for (let k = 0; k < 3; ++k) {
      origin[k] += middle[k] / count;
    }
  }
  return origin;
}
