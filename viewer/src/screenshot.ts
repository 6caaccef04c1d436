// SPDX-License-Identifier: MIT
// screenshot.ts: saves the picture
import { make } from "./dom";
import type { Stage } from "./stage";

export async function saveScreenshot(stage: Stage): Promise<void> {
  const address = URL.createObjectURL(await stage.picture());
  const { info } = stage.leader;
  const name = (info.scene || info.label).replaceAll(/[^\w.-]+/g, "-");
  const step = info.states[stage.positionIn(stage.leader)];
  make("a", { href: address, download: `${name}-${step}.png` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
