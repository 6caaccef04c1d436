// SPDX-License-Identifier: MIT
// screenshots.mjs: makes the pictures of docs/viewer.md
//
// usage: ABUT=... ABUT_VIEWER_BUILD=... node screenshots.mjs DOCS
import { join } from "node:path";
import { Folder, launch, obstacle, open, Server, settle, stopAll } from "./chromium.mjs";

/** The methods of Erleben 2018 in the order of its Figures 10 to 20, and its solver: plain sweeps from zero. */
const METHODS = ["intersection", "closest-points", "vertex-only", "consistent-vertex", "volume-sat", "surface-sat", "opposing", "growth"];
const SOLVER = ["--sweep", "forward", "--residual", "0", "--warm-start", "off"];

const PICTURES = [
  {
    name: "viewer-erleben.png",
    runs: METHODS.map((method) => `${method}-3.h5`),
    state: "#theme=light&bodies=wire&explode=0.5&position=1&charts=0&size=1.2",
    keys: [],
    size: { width: 1600, height: 1000 },
  },
  { name: "viewer-collapse.png", runs: ["vertex-only-500.h5"], state: "#theme=light&bodies=shaded&position=500", keys: [] },
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
for (const method of METHODS) {
  folder.abut("simulate", "pillar", "--method", method, "--steps", "3", ...SOLVER, "--out", `${method}-3.h5`);
}
folder.abut("simulate", "pillar", "--method", "vertex-only", "--steps", "500", ...SOLVER, "--out", "vertex-only-500.h5");
folder.abut("simulate", "arch", "--steps", "60", "--out", "arch.h5");
const browser = await launch();
for (const { name, runs, state, keys, size } of PICTURES) {
  const server = await new Server().start(folder, ...runs);
  const page = await open(browser, server.address + state, size ?? { width: 1280, height: 720 });
  for (const key of keys) {
    await page.keyboard.press(key);
    await settle(page);
  }
  await settle(page);
  await page.screenshot({ path: join(process.argv[2], name) });
  await page.close();
}
await stopAll();
await browser.close();
folder.remove();
