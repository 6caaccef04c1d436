// SPDX-License-Identifier: MIT
// test_large.mjs: a large model and a long recording in the viewer: draw calls, memory, and what is loaded
//
// The long form has the sizes that docs/viewer.md promises: a million triangles, 600 frames of orbiting, 500 steps.
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Folder, launch, obstacle, open, PATIENCE, Server, settle, stopAll } from "./chromium.mjs";

const reason = obstacle();
if (reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

const LONG = Boolean(process.env.ABUT_TEST_LONG);
const RINGS = LONG ? 501 : 101;
/** Of two balls. */
const TRIANGLES = 4 * (RINGS - 1) ** 2;
const FRAMES = LONG ? 600 : 60;
const STEPS = LONG ? 500 : 60;
const MEGABYTE = 1e6;
let folder;
let browser;

before(async () => {
  folder = new Folder();
  browser = await launch();
}, { timeout: PATIENCE });

after(async () => {
  await stopAll();
  await browser?.close();
  folder?.remove();
});

/** A ball of radius 1; the poles are its first two vertices. */
function writeBall(name, height) {
  const columns = RINGS - 1;
  const lines = [`v 0 ${height + 1} 0`, `v 0 ${height - 1} 0`];
  for (let i = 1; i < RINGS; ++i) {
    const angle = (Math.PI * i) / RINGS;
    for (let j = 0; j < columns; ++j) {
      const turn = (2 * Math.PI * j) / columns;
      lines.push(`v ${Math.sin(angle) * Math.cos(turn)} ${height + Math.cos(angle)} ${Math.sin(angle) * Math.sin(turn)}`);
    }
  }
  const at = (i, j) => (i === 0 ? 1 : i === RINGS ? 2 : 3 + (i - 1) * columns + (j % columns));
  for (let i = 0; i < RINGS; ++i) {
    for (let j = 0; j < columns; ++j) {
      if (i < RINGS - 1) {
        lines.push(`f ${at(i, j)} ${at(i + 1, j + 1)} ${at(i + 1, j)}`);
      }
      if (i > 0) {
        lines.push(`f ${at(i, j)} ${at(i, j + 1)} ${at(i + 1, j + 1)}`);
      }
    }
  }
  writeFileSync(folder.file(name), `${lines.join("\n")}\n`);
}

/** Bytes of all objects and arrays of a page that are still in use: `objects` without the contents of arrays. */
async function heap(session) {
  for (let i = 0; i < 2; ++i) {
    await session.send("HeapProfiler.collectGarbage");
  }
  const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
  return { objects: usedSize, all: usedSize + embedderHeapUsedSize + backingStorageSize };
}

function orbit(page, frames) {
  return page.evaluate(
    (limit) =>
      new Promise((done) => {
        let i = 0;
        const next = () => {
          if (i++ === limit) {
            done();
          } else {
            window.abut.stage.camera.turn(0.02, 0);
            requestAnimationFrame(next);
          }
        };
        next();
      }),
    frames,
  );
}

test("a large model: first picture, draw calls and memory", { timeout: (LONG ? 15 : 2) * PATIENCE }, async (context) => {
  writeBall("a.obj", 0);
  writeBall("b.obj", 2);
  const server = await new Server().start(folder, "a.obj", "b.obj", "--method", "regions");
  const begin = performance.now();
  const page = await open(browser, `${server.address}#bodies=shaded`, { width: 640, height: 400 });
  const first = (performance.now() - begin) / 1000;
  const session = await page.context().newCDPSession(page);
  assert.match(await page.locator(".about").textContent(), new RegExp(`${TRIANGLES.toLocaleString("en")} triangles`));
  const calls = {};
  for (const bodies of ["clear", "wire", "shaded"]) {
    await page.evaluate((mode) => window.abut.set({ bodies: mode }), bodies);
    await settle(page);
    calls[bodies] = await page.evaluate(() => window.abut.stage.calls);
    assert.ok(calls[bodies] <= 30, `${calls[bodies]} draw calls`);
  }
  await orbit(page, 10);
  const start = await heap(session);
  const drawn = await page.evaluate(() => window.abut.stage.frames);
  await orbit(page, FRAMES);
  // Every frame was drawn, and drew anew.
  assert.ok((await page.evaluate(() => window.abut.stage.frames)) - drawn >= FRAMES - 1);
  const end = await heap(session);
  context.diagnostic(
    `first picture after ${first.toFixed(1)} s; draw calls ${JSON.stringify(calls)}; heap ${(end.all / MEGABYTE).toFixed(1)} MB; ` +
      `grew by ${((end.all - start.all) / 1000).toFixed(0)} kB in ${FRAMES} frames`,
  );
  assert.ok(end.all < 250 * MEGABYTE, `heap of ${end.all} bytes`);
  assert.ok(end.all - start.all < MEGABYTE, `the heap grew by ${end.all - start.all} bytes`);
  assert.ok(!LONG || first < 5, `first picture after ${first} s`);
  assert.deepEqual(page.complaints, []);
  await page.close();
  await server.stop();
});

test("a recording is loaded in pieces as they are shown, and old pieces are dropped", { timeout: (LONG ? 10 : 2) * PATIENCE }, async (context) => {
  folder.abut("simulate", "wall", "--method", "opposing", "--steps", String(STEPS), "--out", "wall.h5");
  folder.abut("export", "wall.h5", "--csv", "csv");
  const rows = folder.rows("csv/steps.csv");
  assert.ok(rows.every((row) => Number(row.contacts) > 1300));
  const server = await new Server().start(folder, "wall.h5");
  const page = await open(browser, server.address);
  const session = await page.context().newCDPSession(page);
  const pieces = () =>
    page.evaluate(() => {
      const entries = performance.getEntriesByType("resource").filter((entry) => entry.name.includes("/piece/"));
      return { count: entries.length, bytes: entries.reduce((sum, entry) => sum + entry.decodedBodySize, 0) };
    });
  const { pieceStates, count } = await page.evaluate(() => {
    const { info, length } = window.abut.stage.tracks[0];
    return { pieceStates: info.pieceStates, count: length };
  });
  // The pieces of the start and of what follows; a jump needs two more. All would be 216 bytes and more a contact.
  const atFirst = await pieces();
  assert.ok(atFirst.count <= 2 && atFirst.count < Math.ceil(count / pieceStates), `${atFirst.count} pieces`);
  await page.locator("input[name=position]").fill(String(STEPS));
  await settle(page);
  assert.equal(await page.evaluate(() => window.abut.stage.views[0].frame.contactCount), Number(rows.at(-1).contacts));
  const afterJump = await pieces();
  assert.ok(afterJump.count <= 4);
  const whole = rows.reduce((sum, row) => sum + 216 * Number(row.contacts), 0);
  assert.ok(LONG ? afterJump.bytes < 0.05 * whole : afterJump.bytes < 0.3 * whole, `${afterJump.bytes} of ${whole} bytes`);
  // Then the whole recording is seen: the pieces that are kept stay within their limit.
  const limit = LONG ? 48 * MEGABYTE : 4 * MEGABYTE;
  if (!LONG) {
    await page.evaluate((bytes) => {
      window.abut.stage.tracks[0].keptBytes = bytes;
    }, limit);
  }
  const start = await heap(session);
  for (let position = 0; position <= STEPS; position += pieceStates) {
    await page.evaluate((value) => window.abut.set({ position: value }), position);
    await settle(page);
  }
  const seen = await pieces();
  assert.ok(seen.bytes > 0.9 * whole && whole > 2 * limit, `${seen.bytes} of ${whole} bytes, limit ${limit}`);
  const kept = await page.evaluate(() => window.abut.stage.tracks[0].loadedBytes);
  assert.ok(kept <= limit, `${kept} bytes are kept`);
  const end = await heap(session);
  context.diagnostic(
    `${(statSync(folder.file("wall.h5")).size / MEGABYTE).toFixed(0)} MB in the file, ${(whole / MEGABYTE).toFixed(0)} MB of contacts; ` +
      `${atFirst.count} pieces (${(atFirst.bytes / MEGABYTE).toFixed(1)} MB) for the first picture; ` +
      `heap ${(start.all / MEGABYTE).toFixed(0)} MB, after all steps ${(end.all / MEGABYTE).toFixed(0)} MB`,
  );
  assert.ok(end.all - start.all < limit + 10 * MEGABYTE, `the heap grew by ${end.all - start.all} bytes`);
  assert.deepEqual(page.complaints, []);
  await page.close();
  await server.stop();
});
