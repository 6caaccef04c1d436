// SPDX-License-Identifier: MIT
// test_lint.mjs: checks the types and the style of the viewer and of its tests
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const viewer = dirname(dirname(fileURLToPath(import.meta.url)));
const build = process.env.ABUT_VIEWER_BUILD;
const biome = join(build, "node_modules/@biomejs/biome/bin/biome");
if (!existsSync(biome)) {
  console.log("skipped: the packages of viewer/package-lock.json are not installed");
  process.exit(77);
}

function run(folder, ...words) {
  const done = spawnSync(process.execPath, words, { cwd: folder, stdio: "inherit" });
  process.exitCode ||= done.status ?? 1;
}

run(build, join(build, "node_modules/typescript/bin/tsc"), "--noEmit");
run(viewer, biome, "lint", "--error-on-warnings");
