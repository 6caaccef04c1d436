// SPDX-License-Identifier: MIT
// track.ts: a recording or still, of which only the pieces that are shown are loaded
import { decodeMesh, decodePiece, type Frame, type Mesh, SERIES, SERIES_WIDTH, type TrackInfo } from "./format";
import type { Source } from "./source";

interface Piece {
  frames: Frame[];
  bytes: number;
}

export class Track {
  meshes: Mesh[] = [];
  series: Float64Array = new Float64Array(0);
  /** Pieces beyond this many bytes are dropped, the longest unused first. */
  keptBytes = 48e6;
  private pieces = new Map<number, Piece>();
  private pending = new Map<number, Promise<void>>();
  private bytes = 0;

  constructor(
    readonly number: number,
    readonly info: TrackInfo,
    private readonly source: Source,
  ) {}

  async open(): Promise<void> {
    const meshes = this.info.meshes.map(async (_, i) => decodeMesh(await this.source.binary(`${this.number}/mesh/${i}`)));
    this.meshes = await Promise.all(meshes);
    this.series = new Float64Array(await this.source.binary(`${this.number}/series`));
  }

  get length(): number {
    return this.info.states.length;
  }

  value(position: number, column: number): number {
    return this.series[SERIES_WIDTH * position + column];
  }

  time(position: number): number {
    return this.value(position, SERIES.time);
  }

  /** The position whose time is nearest. */
  positionAt(time: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && time - this.time(low - 1) < this.time(low) - time ? low - 1 : low;
  }

  /** The frame at a position, if its piece is loaded. */
  frame(position: number): Frame | undefined {
    const number = Math.floor(position / this.info.pieceStates);
    const piece = this.pieces.get(number);
    if (!piece) {
      return undefined;
    }
    this.pieces.delete(number);
    this.pieces.set(number, piece);
    return piece.frames[position - number * this.info.pieceStates];
  }

  get loadedBytes(): number {
    return this.bytes;
  }

  /** Loads the piece of a position. */
  load(position: number): Promise<void> {
    const number = Math.floor(position / this.info.pieceStates);
    if (this.pieces.has(number)) {
      return Promise.resolve();
    }
    let loading = this.pending.get(number);
    if (!loading) {
      loading = this.fetch(number).finally(() => this.pending.delete(number));
      this.pending.set(number, loading);
    }
    return loading;
  }

  private async fetch(number: number): Promise<void> {
    const data = await this.source.binary(`${this.number}/piece/${number}`);
    const piece = { frames: decodePiece(data, this.info), bytes: data.byteLength };
    this.pieces.set(number, piece);
    this.bytes += piece.bytes;
    for (const [old, { bytes }] of this.pieces) {
      if (this.bytes <= this.keptBytes || old === number) {
        break;
      }
      this.pieces.delete(old);
      this.bytes -= bytes;
    }
  }
}

/** The longest track: the others follow its time. */
export function leaderOf(tracks: Track[]): Track {
  return tracks.reduce((best, track) => (track.length > best.length ? track : best));
}

/** The position in a track when the leader is at `position`. */
export function positionIn(track: Track, tracks: Track[], position: number): number {
  const leader = leaderOf(tracks);
  const leading = Math.min(position, leader.length - 1);
  return track === leader ? leading : track.positionAt(leader.time(leading));
}
