//! `npm run bench`: measures the kernel natively and in Chromium beside dash and coreutils, and prints one table; `--browser-only` leaves the native kernel out.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { brotliCompressSync } from "node:zlib";
import { buildAll } from "../scripts/build.mjs";
import { guarded, must, root, say } from "../scripts/say.mjs";
import { serve } from "../scripts/serve.mjs";
import { nativeRust } from "../scripts/setup/rust.mjs";
import { launch, newProfile, until } from "../tests/browser/drivers.mjs";
import { rows } from "./rows.mjs";

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const shown = (value) => (value === undefined ? "–" : value < 10 ? value.toFixed(1) : value.toFixed(0));

/** The native kernel over the case-line runner; one process, a fresh kernel per run. */
async function natively() {
  say("measuring natively");
  const { cargo, env } = await nativeRust();
  const args = ["build", "--release", "--locked", "--example", "cases"];
  await must(cargo, args, "the native kernel does not compile", { env });
  const program = join(process.env.CARGO_TARGET_DIR || join(root, "target"), "release/examples/cases");
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const times = new Map();
  for (const { name, script, files = {}, browserOnly } of rows) {
    if (browserOnly) continue;
    const once = async () => {
      const start = performance.now();
      child.stdin.write(`${JSON.stringify({ id: name, script, files, expect: {} })}\n`);
      await lines.next();
      return performance.now() - start;
    };
    await once();
    times.set(name, median([await once(), await once(), await once()]));
  }
  child.stdin.end();
  return times;
}

/** dash with the machine's own tools, where dash is there. */
function inDash() {
  const times = new Map();
  if (spawnSync("dash", ["-c", "true"]).status !== 0) return times;
  const folder = mkdtempSync(join(tmpdir(), "tabsh-bench-"));
  for (const { name, script, files = {}, browserOnly } of rows) {
    if (browserOnly) continue;
    for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
    const once = () => {
      const start = performance.now();
      spawnSync("dash", ["-c", script], { cwd: folder, stdio: "ignore", env: { ...process.env, LC_ALL: "C.UTF-8" } });
      return performance.now() - start;
    };
    times.set(name, median([once(), once(), once()]));
  }
  rmSync(folder, { recursive: true });
  return times;
}

/** Runs a row on the page: the median of runs after the first, all in one worker. */
async function onPage({ script, files, persist }) {
  const sh = await globalThis.createShell({ files: files ?? {}, ...(persist ? { persist: "bench" } : {}) });
  const times = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const start = performance.now();
    await sh.exec(script);
    times.push(performance.now() - start);
  }
  sh.close();
  return times.slice(1).toSorted((a, b) => a - b)[1];
}

/** Opens the playground and waits for its prompt. */
async function toPrompt(browser, url) {
  const page = await browser.newPage();
  const start = performance.now();
  await page.goto(url);
  await until(
    () => page.evaluate(() => document.querySelector("tabsh-terminal")?.text?.().trimEnd().endsWith("$")),
    () => "no prompt",
  );
  const took = performance.now() - start;
  await page.close();
  return took;
}

async function inChromium() {
  const site = await serve({ folder: root });
  const playground = await serve();
  const profile = newProfile();
  const browser = await launch("chromium", profile.folder);
  const prompt = [];
  for (let turn = 0; turn < 4; turn += 1) prompt.push(await toPrompt(browser, playground.url));
  const page = await browser.newPage();
  await page.goto(`${site.url}tests/browser/fixture.html`);
  await until(
    () => page.evaluate(() => "createShell" in globalThis),
    () => "the fixture did not load",
  );
  const first = await page.evaluate(async () => {
    const start = performance.now();
    await (await globalThis.createShell()).exec("echo first");
    return performance.now() - start;
  });
  const times = new Map();
  for (const row of rows) {
    say(`measuring: ${row.name}`);
    times.set(row.name, await page.evaluate(onPage, row));
  }
  const call = await page.evaluate(
    (url) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(url, { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
      }),
    `${site.url}benches/in-worker.mjs`,
  );
  await browser.close();
  profile.remove();
  await Promise.all([site.close(), playground.close()]);
  return { times, first, call, prompt };
}

function print(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const cell = (text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]));
  for (const line of lines) console.log(line.map(cell).join("  "));
}

await guarded(async () => {
  await buildAll();
  say("measuring in Chromium");
  const browser = await inChromium();
  const native = process.argv.includes("--browser-only") ? new Map() : await natively();
  say("measuring dash");
  const dash = inDash();
  const [wasm, jq] = ["kernel", "jq"].map((name) => readFileSync(join(root, `pkg/dist/${name}.wasm`)));
  const line = ({ name, goal }) => {
    const [wasmTime, nativeTime, dashTime] = [browser.times, native, dash].map((times) => times.get(name));
    const ratio = wasmTime && dashTime ? (wasmTime / dashTime).toFixed(2) : "–";
    return [name, shown(wasmTime), shown(nativeTime), shown(dashTime), ratio, shown(goal)];
  };
  const single = (name, value, goal) => [name, shown(value), "–", "–", "–", shown(goal)];
  print([
    ["milliseconds, median of 3", "wasm", "native", "dash+GNU", "wasm/dash", "to reach"],
    single("kernel: worker start to first echo", browser.first, 150),
    single("playground to prompt, cold", browser.prompt[0], 500),
    single("playground to prompt, warm", median(browser.prompt.slice(1)), 300),
    ...rows.map(line),
    single("one `echo hi` call in the worker, µs", browser.call, 30),
    single("kernel.wasm, KB raw", wasm.length / 1024),
    single("kernel.wasm, KB brotli", brotliCompressSync(wasm).length / 1024, 600),
    single("jq.wasm (on first use), KB brotli", brotliCompressSync(jq).length / 1024),
  ]);
});
