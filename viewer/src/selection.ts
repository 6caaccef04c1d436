// SPDX-License-Identifier: MIT
// selection.ts: the numbers of the picked contact
import { make, show } from "./dom";
import { type Frame, type Index, INT, INTS, REAL, REALS, type TrackInfo } from "./format";
import type { Stage } from "./stage";
import type { Store } from "./state";

const TRUTH_WORDS: Record<number, string> = { [-1]: "unknown", 0: "wrong", 1: "right" };

/** Three numbers; lines break between them only. */
function vector(frame: Frame, contact: number, at: number): (string | Node)[] {
  const begin = REALS * contact + at;
  return [0, 1, 2].flatMap((k) => [k > 0 ? "  " : "", make("span", { class: "number" }, show(frame.reals[begin + k]))]);
}

/** As the command prints it: "edge 3-5*". */
function featureText(frame: Frame, contact: number, at: number, index: Index): string {
  const [packed, number, v0, v1] = frame.ints.subarray(INTS * contact + at, INTS * contact + at + 4);
  const kind = index.features[packed & 255];
  const mark = packed >> 8 ? "*" : "";
  return kind === "none" ? "–" : kind === "edge" ? `edge ${v0}-${v1}${mark}` : `${kind} ${number}${mark}`;
}

export class Selection {
  readonly element = make("section", { class: "selection" });

  constructor(
    private readonly store: Store,
    private readonly stage: Stage,
    private readonly index: Index,
  ) {
    this.show();
  }

  show(): void {
    const { picked } = this.store.state;
    const view = picked ? this.stage.views[picked.track] : undefined;
    const contact = view?.chosen(this.store.state) ?? -1;
    const title = make("h2", {}, "Selected contact");
    if (!picked || !view?.frame) {
      this.element.replaceChildren(title, make("p", { class: "hint" }, "Click a contact to see its numbers. N goes to the next one."));
      return;
    }
    if (contact < 0) {
      this.element.replaceChildren(title, make("p", { class: "hint" }, `Contact ${picked.id} does not exist at this step.`));
      return;
    }
    this.element.replaceChildren(title, this.table(view.frame, contact, picked.id, view.track.info));
  }

  private table(frame: Frame, i: number, id: string, { bodies, still }: TrackInfo): HTMLElement {
    const { reals, ints } = frame;
    const name = (at: number) => bodies[ints[INTS * i + at]].name || `body ${ints[INTS * i + at]}`;
    const truth = ints[INTS * i + INT.truth];
    // Mesh files at one moment have no impulses.
    const impulses: [string, string, string | (string | Node)[]][] = [
      ["impulse", "impulse", show(reals[REALS * i + REAL.impulse])],
      ["tangent", "friction", vector(frame, i, REAL.tangent)],
    ];
    const rows: [string, string, string | (string | Node)[]][] = [
      ["id", "id", id],
      ["bodies", "A, B", `${name(INT.bodyA)}, ${name(INT.bodyB)}`],
      ["position", "position", vector(frame, i, REAL.position)],
      ["normal", "normal", vector(frame, i, REAL.normal)],
      ["gap", "gap", show(reals[REALS * i + REAL.gap])],
      ["speed", "speed", show(reals[REALS * i + REAL.speed])],
      ...(still ? [] : impulses),
      ["featureA", "on A", featureText(frame, i, INT.featureA, this.index)],
      ["featureB", "on B", featureText(frame, i, INT.featureB, this.index)],
      ["rule", "rule", this.index.rules[ints[INTS * i + INT.rule]]],
      ["truth", "truth", TRUTH_WORDS[truth]],
    ];
    return make(
      "dl",
      {},
      ...rows.flatMap(([key, text, value]) => [make("dt", {}, text), make("dd", { "data-key": key, class: key === "truth" && truth === 0 ? "bad" : "" }, ...[value].flat())]),
    );
  }
}
