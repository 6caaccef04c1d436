// SPDX-License-Identifier: MIT
// test_lint.mjs: checks the types and the style of the viewer and of its tests
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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

// Any registry can serve the packages: the lock file names no host, and every package has a checksum.
const lock = readFileSync(join(viewer, "package-lock.json"), "utf8");
const packages = Object.entries(JSON.parse(lock).packages).filter(([name]) => name !== "");
if (/https?:|"resolved"/.test(lock) || !packages.every(([, { integrity }]) => integrity?.startsWith("sha512-"))) {
  console.error("package-lock.json: names a host, or a package has no checksum");
  process.exitCode = 1;
}
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(viewer, "package.json"), "utf8"));
for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
    console.error(`package.json: ${name} has no exact version`);
    process.exitCode = 1;
  }
}
run(build, join(build, "node_modules/typescript/bin/tsc"), "--noEmit");
run(viewer, biome, "lint", "--error-on-warnings");
