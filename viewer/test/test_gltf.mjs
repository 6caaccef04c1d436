// SPDX-License-Identifier: MIT
// test_gltf.mjs: the files of abut export --gltf, checked by the validator of the standard's authors
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { Folder } from "./chromium.mjs";

const build = process.env.ABUT_VIEWER_BUILD;
if (!existsSync(join(build, "node_modules/gltf-validator"))) {
  console.log("skipped: the packages of viewer/package-lock.json are not installed");
  process.exit(77);
}
const validator = createRequire(join(build, "package.json"))("gltf-validator");

async function validate(folder, name) {
  const { issues, info } = await validator.validateBytes(new Uint8Array(readFileSync(folder.file(name))), { uri: name });
  assert.deepEqual(issues.messages, [], name);
  return info;
}

test("recordings are valid glTF, with bodies, colours and contacts", async () => {
  const folder = new Folder();
  folder.abut("simulate", "pillar", "--method", "opposing", "--steps", "5", "--out", "run.h5");
  for (const name of ["run.glb", "run.gltf"]) {
    folder.abut("export", "run.h5", "--gltf", name);
    const info = await validate(folder, name);
    // Eight bodies, and the points and lines of the contacts of five steps.
    assert.equal(info.drawCallCount, 8 + 2 * 5);
    assert.equal(info.animationCount, 1);
  }
  folder.remove();
});
