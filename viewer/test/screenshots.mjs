// SPDX-License-Identifier: MIT
// screenshots.mjs: makes the pictures of docs/viewer.md
//
// usage: ABUT=... ABUT_VIEWER_BUILD=... node screenshots.mjs DOCS
import { join } from "node:path";
import { Folder, launch, obstacle, open, Server, settle, stopAll } from "./chromium.mjs";

const PICTURES = [
  {
    name: "viewer-methods.png",
    runs: ["regions.h5", "opposing.h5"],
    state: "#theme=light&bodies=shaded&explode=0.6&position=60",
    keys: [],
  },
  { name: "viewer-contact.png", runs: ["opposing.h5"], state: "#theme=light&bodies=clear&position=60&size=1.4", keys: ["x", "n"] },
  { name: "viewer-wires.png", runs: ["arch.h5"], state: "#theme=dark&bodies=wire&position=30&colour=impulse&size=0.7", keys: [] },
];

const reason = obstacle();
if (reason) {
  throw new Error(reason);
}
const folder = new Folder();
for (const method of ["regions", "opposing"]) {
  folder.abut("simulate", "pillar", "--method", method, "--steps", "120", "--out", `${method}.h5`);
}
folder.abut("simulate", "arch", "--steps", "60", "--out", "arch.h5");
const browser = await launch();
for (const { name, runs, state, keys } of PICTURES) {
  const server = await new Server().start(folder, ...runs);
  const page = await open(browser, server.address + state, { width: 1280, height: 720 });
  for (const key of keys) {
    await page.keyboard.press(key);
    await settle(page);
  }
  await settle(page);
  await page.screenshot({ path: join(process.argv[2], name) });
  await page.close();
}
stopAll();
await browser.close();
folder.remove();
