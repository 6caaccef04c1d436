// SPDX-License-Identifier: MIT
// chromium.mjs: starts the command and a browser for the tests
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ABUT = process.env.ABUT;
/** The machine may be busy, and may draw without a graphics card: then a picture that takes 0.2 s may take 20. */
export const PATIENCE = 300000;

/** Why there is no browser test here, or null. */
export function obstacle() {
  if (!findBrowser()) {
    return "no browser: install Debian's chromium";
  }
  const probe = spawnSync(ABUT, ["view", "missing.h5"], { encoding: "utf8" });
  return probe.stderr.includes("built without") ? probe.stderr.trim() : null;
}

function findBrowser() {
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
    if (found.status === 0) {
      return found.stdout.trim();
    }
  }
  return null;
}

export async function launch() {
  const { chromium } = createRequire(join(process.env.ABUT_VIEWER_BUILD, "package.json"))("playwright-core");
  return chromium.launch({
    executablePath: findBrowser(),
    timeout: PATIENCE,
    // Drawing by the processor; tests run as root in containers.
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"],
  });
}

/** A folder for the files of the tests, and the command in it. */
export class Folder {
  path = mkdtempSync(join(tmpdir(), "abut-viewer-"));

  abut(...words) {
    return execFileSync(ABUT, words, { cwd: this.path, encoding: "utf8" });
  }

  file(name) {
    return join(this.path, name);
  }

  /** The rows of a CSV file without quotes, as objects. */
  rows(name) {
    const [head, ...lines] = readFileSync(this.file(name), "utf8").trim().split("\n");
    const names = head.split(",");
    return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i], value])));
  }

  remove() {
    rmSync(this.path, { recursive: true });
  }
}

const started = new Set();

/** Stops the servers of tests that failed. */
export async function stopAll() {
  await Promise.all([...started].map((server) => server.stop()));
}

/** A running `abut view`. */
export class Server {
  async start(folder, ...words) {
    started.add(this);
    this.process = spawn(ABUT, ["view", "--no-open", ...words], { cwd: folder.path });
    this.address = await new Promise((resolve, reject) => {
      this.process.stdout.once("data", (text) => resolve(String(text).trim()));
      this.process.once("exit", (code) => reject(new Error(`abut view ended with ${code}`)));
    });
    return this;
  }

  /** Resolves when the process is gone, so that a request after it cannot be answered. */
  async stop() {
    started.delete(this);
    this.process.removeAllListeners("exit");
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill("SIGINT");
    await gone;
  }
}

/** Opens an address and waits for the first picture. `page.complaints` collects errors. */
export async function open(browser, address, size = { width: 860, height: 520 }) {
  const page = await browser.newPage({ viewport: size });
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  await page.goto(address);
  await page.waitForSelector("canvas[data-ready]");
  return page;
}

/** Waits until all changes are in the picture. */
export async function settle(page) {
  await page.evaluate(async () => {
    await window.abut.stage.loadFrames();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}
