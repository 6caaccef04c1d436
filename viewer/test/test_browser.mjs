// SPDX-License-Identifier: MIT
// test_browser.mjs: the viewer in a browser, from end to end
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { ABUT, Folder, launch, obstacle, open, PATIENCE, Server, settle, stopAll } from "./chromium.mjs";

const reason = obstacle();
if (reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

const STEPS = 40;
let folder;
let browser;
let server;
let page;
let rows;
let report;

before(async () => {
  folder = new Folder();
  report = spawn(ABUT, ["report", "--out", "report"], { cwd: folder.path, stdio: "ignore" });
  folder.abut("simulate", "pillar", "--method", "opposing", "--steps", String(STEPS), "--out", "opposing.h5");
  folder.abut("simulate", "pillar", "--method", "regions", "--steps", String(STEPS), "--out", "regions.h5");
  folder.abut("export", "opposing.h5", "--csv", "csv");
  rows = folder.rows("csv/contacts.csv");
  browser = await launch();
  server = await new Server().start(folder, "opposing.h5");
  page = await open(browser, server.address);
}, { timeout: 3 * PATIENCE });

after(async () => {
  await stopAll();
  await browser?.close();
  report?.kill();
  folder?.remove();
});

const ofStep = (step) => rows.filter((row) => row.step === String(step));
const shown = () => page.evaluate(() => window.abut.stage.views[0].shown.length);
const goTo = async (position) => {
  await page.locator("input[name=position]").fill(String(position));
  await settle(page);
};

test("scrubbing shows the contacts of the step", { timeout: PATIENCE }, async () => {
  for (const step of [5, STEPS, 1]) {
    await goTo(step);
    assert.match(await page.locator(".clock").textContent(), new RegExp(`^step ${step} / ${STEPS} `));
    assert.equal(await shown(), ofStep(step).length);
    assert.match(await page.locator(".card .counts").textContent(), new RegExp(`^${ofStep(step).length} contacts`));
    assert.equal(await page.locator("[data-chart=contacts] b").textContent(), String(ofStep(step).length));
  }
});

test("numbers above charts have enough digits to lie in their chart", { timeout: PATIENCE }, async () => {
  await goTo(20);
  // On paper: the pillar rests, so its energy, of 10,000 J, changes in the last digits only.
  const energies = await page.evaluate(() => {
    const { series, length } = window.abut.stage.tracks[0];
    return Array.from({ length }, (_, i) => series[8 * i + 3] + series[8 * i + 4]);
  });
  const known = energies.filter(Number.isFinite); // the start has none
  const range = Math.max(...known) - Math.min(...known);
  assert.ok(range > 0 && range < 1e-3 * energies[20]);
  const text = await page.locator("[data-chart=energy] b").textContent();
  assert.ok(Math.abs(Number(text) - energies[20]) <= range, `${text}, not ${energies[20]}`);
});

test("a picked contact has the numbers of the recording", { timeout: PATIENCE }, async () => {
  await goTo(20);
  const box = await page.locator("main canvas").first().boundingBox();
  const places = await page.evaluate(() => window.abut.places(0));
  // The contact that is farthest from all others can be hit without doubt.
  const distance = (p) => Math.min(...places.filter((q) => q !== p).map((q) => Math.hypot(p.x - q.x, p.y - q.y)));
  const lonely = places.reduce((best, place) => (distance(place) > distance(best) ? place : best));
  await page.mouse.click(box.x + lonely.x, box.y + lonely.y);
  await settle(page);
  const value = (key) => page.locator(`dd[data-key=${key}]`).textContent();
  const row = ofStep(20)[lonely.contact];
  assert.equal(await value("id"), row.id);
  const near = (text, numbers) =>
    text.split(/\s+/).forEach((word, i) => {
      assert.ok(Math.abs(Number(word) - Number(numbers[i])) <= 1e-5 * Math.max(1, Math.abs(numbers[i])), `${text}: ${numbers}`);
    });
  near(await value("position"), [row.position_x, row.position_y, row.position_z]);
  near(await value("normal"), [row.normal_x, row.normal_y, row.normal_z]);
  near(await value("gap"), [row.gap]);
  near(await value("impulse"), [row.normal_impulse]);
  // Numbers stay in one piece, however narrow the panel is.
  await page.evaluate(() => document.querySelector("dl").style.setProperty("width", "130px"));
  const lines = await page.evaluate(() => [...document.querySelectorAll("dd .number")].map((item) => item.getClientRects().length));
  assert.deepEqual(lines, Array(9).fill(1));
  await page.evaluate(() => document.querySelector("dl").style.removeProperty("width"));
  assert.equal(await value("truth"), row.truth);
  assert.equal(await value("rule"), row.rule);
  await page.keyboard.press("Escape");
});

test("explode opens the stack evenly and leaves the ground", { timeout: PATIENCE }, async () => {
  await page.locator("input[name=explode]").fill("0.5");
  await settle(page);
  const { moves, size } = await page.evaluate(() => ({ moves: [...window.abut.stage.views[0].moves], size: window.abut.stage.views[0].size }));
  // On paper: of a stack, body k rises by k times the length of the slider.
  for (let body = 0; body < moves.length / 3; ++body) {
    assert.ok(Math.abs(moves[3 * body + 1] - body * 0.6 * 0.5 * size) < 1e-3 * size, `body ${body}: ${moves[3 * body + 1]}`);
    assert.ok(Math.abs(moves[3 * body]) < 1e-3 * size);
  }
  await page.locator("input[name=explode]").fill("0");
});

test("filters leave the contacts that they name", { timeout: PATIENCE }, async () => {
  await goTo(20);
  const wrong = ofStep(20).filter((row) => row.truth === "wrong").length;
  assert.ok(wrong > 0);
  await page.locator("input[name=wrong]").check();
  await settle(page);
  assert.equal(await shown(), wrong);
  await page.locator("input[name=wrong]").uncheck();
  await page.locator("select[name=pair]").selectOption("0-1");
  await settle(page);
  assert.equal(await shown(), ofStep(20).filter((row) => row.body_a === "0" && row.body_b === "1").length);
  await page.locator("select[name=pair]").selectOption("");
  await settle(page);
});

test("keys step, play, change the look and the camera", { timeout: PATIENCE }, async () => {
  await goTo(3);
  await page.locator("h1").click();
  const state = (key) => page.evaluate((name) => window.abut.state[name], key);
  await page.keyboard.press("ArrowRight");
  assert.equal(await state("position"), 4);
  await page.keyboard.press("Shift+ArrowLeft");
  assert.equal(await state("position"), 0);
  await page.keyboard.press("w");
  assert.equal(await state("bodies"), "wire");
  await page.keyboard.press("s");
  assert.equal(await state("bodies"), "shaded");
  await page.keyboard.press("e");
  assert.equal(await state("explode"), 0.5);
  await page.keyboard.press("e");
  await page.keyboard.press("6");
  assert.ok((await state("camera")).pitch > 1.5);
  await page.keyboard.press("1");
  await page.keyboard.press("?");
  assert.ok(await page.locator(".help").isVisible());
  await page.keyboard.press("Escape");
  // Letters with Shift or Caps Lock too; a control that was reached by Tab keeps the space bar.
  await page.keyboard.press("C");
  assert.equal(await state("bodies"), "clear");
  await page.locator("input[name=contacts]").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.deepEqual([await state("arrows"), await state("playing")], [false, false]);
  await page.keyboard.press("a");
  assert.equal(await state("arrows"), true);
  await page.locator("h1").click();
  await page.keyboard.press("Space");
  await page.waitForFunction((last) => !window.abut.state.playing && window.abut.state.position === last, STEPS);
});

test("the address keeps the state", { timeout: PATIENCE }, async () => {
  await page.evaluate(() => window.abut.set({ position: 7, colour: "gap", theme: "dark", explode: 0.25 }));
  await page.waitForFunction(() => location.hash.includes("position=7") && location.hash.includes("explode=0.25"));
  const other = await open(browser, await page.evaluate(() => location.href));
  const { position, colour, theme, explode } = await other.evaluate(() => window.abut.state);
  assert.deepEqual({ position, colour, theme, explode }, { position: 7, colour: "gap", theme: "dark", explode: 0.25 });
  // A new address in the same window changes the state; what is out of range is brought into it.
  await other.evaluate(() => {
    location.hash = "#position=9999&speed=3&size=-1&solo=7&explode=nonsense&bodies=wire&picked=5:0123456789abcdef";
  });
  await other.waitForFunction(() => window.abut.state.bodies === "wire");
  const { speed, size, solo, picked, ...rest } = await other.evaluate(() => window.abut.state);
  assert.deepEqual({ position: rest.position, speed, size, solo, explode: rest.explode, picked }, { position: STEPS, speed: 1, size: 0.2, solo: 0, explode: 0.25, picked: null });
  // An address without filters and without a contact shows all, as when it was kept.
  const plain = await other.evaluate(() => location.href);
  await other.evaluate(() => {
    window.abut.set({ pair: "0-1", kind: "vertex-face", picked: { track: 0, id: "0123456789abcdef" } });
  });
  await other.waitForFunction(() => location.hash.includes("pair=0-1"));
  await other.evaluate((address) => {
    location.href = address;
  }, plain);
  await other.waitForFunction(() => window.abut.state.pair === "");
  assert.deepEqual(await other.evaluate(() => [window.abut.state.kind, window.abut.state.picked]), ["", null]);
  assert.deepEqual(other.complaints, []);
  await other.close();
});

test("two methods stand side by side with one camera", { timeout: PATIENCE }, async () => {
  const both = await new Server().start(folder, "regions.h5", "opposing.h5");
  const view = await open(browser, `${both.address}#position=20`);
  assert.deepEqual(await view.locator(".card strong").allTextContents(), ["regions", "opposing"]);
  const { cells, calls } = await view.evaluate(() => ({
    cells: window.abut.stage.cells.map(({ x, width, view: item }) => ({ x, width, count: item.frame.contactCount })),
    calls: window.abut.stage.calls,
  }));
  assert.equal(cells[1].count, ofStep(20).length);
  assert.ok(cells[0].count !== cells[1].count && cells[1].x >= cells[0].width);
  assert.ok(calls <= 30, `${calls} draw calls`);
  // One scale of colours: over the contacts of both views, the green of a contact never falls with its impulse.
  await view.evaluate(() => window.abut.set({ colour: "impulse" }));
  await settle(view);
  const marks = await view.evaluate(() =>
    window.abut.stage.views.flatMap(({ shown, marks: { rows }, frame }) => shown.map((contact, k) => ({ impulse: frame.reals[19 * contact + 15], green: rows[12 * k + 5] }))),
  );
  marks.sort((a, b) => a.impulse - b.impulse);
  assert.ok(marks.length > 100 && marks.at(-1).green > marks[0].green + 0.2);
  assert.ok(marks.every(({ green }, i) => i === 0 || green >= marks[i - 1].green - 1e-6));
  await view.locator(".card").first().click();
  await settle(view);
  assert.equal(await view.evaluate(() => window.abut.stage.cells.length), 1);
  assert.deepEqual(view.complaints, []);
  // Without the server, what is not loaded cannot be shown: the viewer says so.
  await both.stop();
  await view.evaluate(async () => {
    const [track] = window.abut.stage.tracks;
    await Promise.allSettled(track.pending.values());
    track.pieces.clear();
  });
  await view.locator("input[name=position]").fill("30");
  await view.locator(".problem").waitFor();
  assert.match(await view.locator(".problem").textContent(), /could not be loaded .* Is abut view still running/);
  await view.close();
});

test("a page from disk needs no server", { timeout: PATIENCE }, async () => {
  folder.abut("view", "opposing.h5", "--every", "20", "--out", "page.html");
  const view = await open(browser, `file://${folder.file("page.html")}#position=1`);
  assert.equal(await view.evaluate(() => window.abut.stage.views[0].frame.contactCount), ofStep(20).length);
  assert.deepEqual(view.complaints, []);
  await view.close();
});

test("names from files are shown as text", { timeout: PATIENCE }, async () => {
  const name = "</script><img src=x onerror=stolen=1><script>stolen=1</script>";
  const box = { mesh: "box", material: name };
  const scene = {
    schema: 1,
    name,
    steps: 2,
    materials: { [name]: {} },
    meshes: { box: { box: [1, 1, 1] } },
    bodies: [
      { name, ...box, fixed: true },
      { name: `b${name}`, ...box, position: [0, 1, 0] },
    ],
  };
  writeFileSync(folder.file("evil.json"), JSON.stringify(scene));
  folder.abut("simulate", "evil.json", "--out", "evil.h5");
  folder.abut("view", "evil.h5", "--out", "evil.html");
  const evil = await new Server().start(folder, "evil.h5");
  for (const address of [`file://${folder.file("evil.html")}`, evil.address]) {
    const view = await open(browser, address);
    await view.keyboard.press("n");
    await settle(view);
    assert.equal(await view.locator("h1").textContent(), name);
    assert.ok((await view.locator("aside").textContent()).includes(`b${name}`));
    assert.equal(await view.evaluate(() => window.stolen), undefined);
    assert.equal(await view.locator("img").count(), 0);
    assert.deepEqual(view.complaints, []);
    await view.close();
  }
  await evil.stop();
});

test("requests without the token or with a foreign host are refused", { timeout: PATIENCE }, async () => {
  const { origin } = new URL(server.address);
  const answer = await page.evaluate(async (address) => (await fetch(address)).status, `${origin}/data/index.json`);
  assert.equal(answer, 403);
  page.complaints.length = 0; // the browser reports the refusal
  const other = await browser.newPage();
  await other.goto("data:text/html,<title>elsewhere</title>");
  const read = await other.evaluate((address) => fetch(address).then(() => "read", () => "refused"), `${server.address}data/index.json`);
  assert.equal(read, "refused");
  await other.close();
});

test("the report page shows its pictures without complaints", { timeout: 3 * PATIENCE }, async () => {
  if (report.exitCode === null) {
    await new Promise((done) => report.once("exit", done));
  }
  assert.equal(report.exitCode, 0);
  const view = await browser.newPage();
  const complaints = [];
  view.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  view.on("request", (request) => request.url().startsWith("http") && complaints.push(request.url()));
  await view.goto(`file://${folder.file("report/index.html")}`);
  assert.ok((await view.locator("svg").count()) > 10);
  assert.deepEqual(complaints, []);
  await view.close();
});

test("a soft body bends as it was recorded", { timeout: PATIENCE }, async () => {
  // A cloth of 9 vertices hangs from vertex 0: this one stays, the corner across falls, at most as freely as a stone.
  const places = [0, 1, 2].flatMap((z) => [0, 1, 2].map((x) => `v ${x} 5 ${z}`));
  const cells = [0, 1, 3, 4].flatMap((i) => [`f ${i + 1} ${i + 4} ${i + 2}`, `f ${i + 2} ${i + 4} ${i + 5}`]);
  writeFileSync(folder.file("cloth.obj"), [...places, ...cells, ""].join("\n"));
  const scene = {
    schema: 1,
    gravity: [0, -10, 0],
    dt: 0.01,
    steps: 50,
    materials: { m: {} },
    meshes: { ground: { box: [9, 1, 9] }, cloth: { file: "cloth.obj" } },
    bodies: [
      { name: "ground", mesh: "ground", material: "m", position: [0, -9, 0], fixed: true },
      { name: "cloth", mesh: "cloth", material: "m", position: [1, 2, 3], soft: { stretch: 200, shear: 100, bend: 0.001, area_density: 0.3, pins: [0] } },
    ],
  };
  writeFileSync(folder.file("soft.json"), JSON.stringify(scene));
  folder.abut("simulate", "soft.json", "--out", "soft.h5");
  folder.abut("view", "soft.h5", "--out", "soft.html");
  const view = await open(browser, `file://${folder.file("soft.html")}#position=50`);
  await settle(view);
  const vertex = (index) =>
    view.evaluate((i) => {
      const { bodies, origin } = window.abut.stage.views[0];
      const { array } = bodies.soft.attribute;
      return [0, 1, 2].map((k) => array[3 * (bodies.soft.firsts[1] + i) + k] + bodies.texels[12 + k] + origin[k]);
    }, index);
  const held = await vertex(0);
  assert.ok(Math.hypot(held[0] - 1, held[1] - 7, held[2] - 3) < 1e-4, `${held}`);
  const [, fallen] = await vertex(8);
  assert.ok(fallen < 7 - 0.5 && fallen > 7 - 0.5 * 10 * 0.51 ** 2 - 1e-4, `the corner is at ${fallen}`);
  assert.deepEqual(view.complaints, []);
  await view.close();
});
