// SPDX-License-Identifier: MIT
// timeline.ts: plays and scrubs recordings
import { button, ICONS, icon, make, show } from "./dom";
import type { Stage } from "./stage";
import { SPEEDS, type Store } from "./state";

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider = make("input", { type: "range", min: "0", step: "1", name: "position", "aria-label": "step" });
  private readonly label = make("output", { class: "clock" });
  private readonly play: HTMLButtonElement;
  private last = 0;
  private elapsed = 0;

  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
  ) {
    this.play = button("Play or pause (space)", ICONS.play, () => this.toggle(), true);
    this.play.classList.add("play");
    this.slider.max = String(stage.leader.length - 1);
    this.slider.addEventListener("input", () => store.set({ position: Number(this.slider.value), playing: false }));
    const speed = make("select", { name: "speed", title: "Speed" }, ...SPEEDS.map((value) => make("option", { value: String(value) }, `${value}×`)));
    const showSpeed = () => {
      speed.value = String(store.state.speed);
    };
    showSpeed();
    speed.addEventListener("change", () => store.set({ speed: Number(speed.value) }));
    this.element = make(
      "div",
      { class: "timeline" },
      button("Previous step (left arrow)", ICONS.back, () => this.step(-1)),
      this.play,
      button("Next step (right arrow)", ICONS.forward, () => this.step(1)),
      this.slider,
      this.label,
      speed,
    );
    store.listen((changed) => {
      if (changed.has("speed")) {
        showSpeed();
      }
      if (changed.has("position") || changed.has("playing")) {
        this.show();
      }
      if (changed.has("playing") && store.state.playing) {
        this.last = performance.now();
        this.elapsed = stage.leader.time(store.state.position);
        requestAnimationFrame(this.tick);
      }
    });
    this.show();
  }

  toggle(): void {
    const { playing, position } = this.store.state;
    const isAtEnd = position >= this.stage.leader.length - 1;
    this.store.set(playing ? { playing: false } : { playing: true, position: isAtEnd ? 0 : position });
  }

  step(by: number): void {
    this.go(this.store.state.position + by);
  }

  go(position: number): void {
    this.store.set({ position: Math.min(Math.max(position, 0), this.stage.leader.length - 1), playing: false });
  }

  /** Plays in the time of the recording, but never skips ahead of what is loaded. */
  private readonly tick = (now: number): void => {
    const { playing, speed, position } = this.store.state;
    if (!playing) {
      return;
    }
    const { leader } = this.stage;
    const isLoaded = this.stage.tracks.every((track) => track.frame(this.stage.positionIn(track)));
    if (isLoaded) {
      this.elapsed += (speed * (now - this.last)) / 1000;
    }
    this.last = now;
    let next = position;
    while (next < leader.length - 1 && leader.time(next + 1) <= this.elapsed) {
      ++next;
    }
    const isOver = next >= leader.length - 1;
    this.store.set({ position: next, playing: !isOver });
    requestAnimationFrame(this.tick);
  };

  private show(): void {
    const { position, playing } = this.store.state;
    const { leader } = this.stage;
    this.slider.value = String(position);
    this.slider.style.setProperty("--part", `${(100 * position) / Math.max(leader.length - 1, 1)}%`);
    this.label.textContent = `step ${leader.info.states[position]} / ${leader.info.steps}   t = ${show(leader.time(position))}`;
    this.play.replaceChildren(icon(playing ? ICONS.pause : ICONS.play, true));
  }
}
