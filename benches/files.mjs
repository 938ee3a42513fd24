//! `npm run bench:files`: the persistent mount in Chromium beside raw IndexedDB, lightning-fs and zenfs on the same work; prints one table.

import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { buildAll } from "../scripts/build.mjs";
import { guarded, must, root, say } from "../scripts/say.mjs";
import { serve } from "../scripts/serve.mjs";
import { launch, newProfile } from "../tests/browser/drivers.mjs";

/** zenfs takes minutes for the whole work: what it does not finish in time is reckoned from what it did. */
const limits = { zenfs: 10_000 };
const libraries = ["tabsh", "IndexedDB", "lightning-fs", "zenfs"];
const turns = Number(process.argv[2] ?? 3);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const shown = (ms) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0));

/** Runs one phase in a worker of its own. */
function inWorker({ script, ...data }) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { type: "module" });
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data: answer }) => {
      worker.terminate();
      if (answer.error) reject(new Error(answer.error));
      else resolve(answer.rows);
    };
    worker.postMessage(data);
  });
}

/** Times by row: the rows of both phases in a browser with an empty profile. */
async function once(library, folder) {
  const site = await serve({ folder });
  const profile = newProfile();
  const browser = await launch("chromium", profile.folder);
  try {
    const page = await browser.newPage();
    await page.goto(`${site.url}index.html`);
    const limit = limits[library] ?? null;
    const common = { script: "worker.js", wasm: "kernel.wasm", library, name: "bench", limit };
    const fresh = await page.evaluate(inWorker, { ...common, phase: "fresh" });
    const again = await page.evaluate(inWorker, { ...common, phase: "again", have: fresh["create, batched"].done });
    return { ...fresh, ...again };
  } finally {
    await browser.close();
    profile.remove();
    await site.close();
  }
}

await guarded(async () => {
  if (!process.argv.includes("--as-built")) await buildAll();
  if (!existsSync(join(root, "benches/node_modules/@zenfs/dom"))) {
    const args = [
      "install",
      "--prefix",
      "benches",
      "--no-audit",
      "--no-fund",
      "--no-save",
      "--workspaces=false",
      "--loglevel=error",
    ];
    await must("npm", args, "what the benches compare with could not be installed");
  }
  const folder = mkdtempSync(join(tmpdir(), "tabsh-bench-"));
  const entry = join(root, "benches/files-in-worker.mjs");
  await build({
    entryPoints: [entry],
    outfile: join(folder, "worker.js"),
    bundle: true,
    format: "esm",
    logLevel: "error",
  });
  cpSync(join(root, "pkg/dist/kernel.wasm"), join(folder, "kernel.wasm"));
  await build({
    stdin: { contents: "" },
    outfile: join(folder, "index.html"),
    loader: { ".html": "copy" },
    logLevel: "error",
  });
  const times = new Map();
  for (let turn = 0; turn < turns; turn += 1) {
    for (const library of libraries) {
      if (library === "zenfs" && turn > 0) continue;
      say(`${library}, turn ${turn + 1}`);
      const rows = await once(library, folder);
      for (const [row, time] of Object.entries(rows)) {
        const of = times.get(row) ?? new Map();
        times.set(row, of.set(library, [...(of.get(library) ?? []), time]));
      }
    }
  }
  rmSync(folder, { recursive: true, force: true });
  const cell = (all) =>
    all ? `${all.every(({ whole }) => whole) ? "" : "~"}${shown(median(all.map(({ ms }) => ms)))}` : "–";
  const ratio = (row, library) => {
    const [ours, theirs] = ["tabsh", library].map((one) => times.get(row).get(one));
    return ours && theirs
      ? `${(median(theirs.map(({ ms }) => ms)) / median(ours.map(({ ms }) => ms))).toFixed(1)}×`
      : "–";
  };
  const lines = [["milliseconds, medians", ...libraries, "raw/tabsh", "lightning/tabsh", "zenfs/tabsh"]];
  for (const [row, of] of times)
    lines.push([
      row,
      ...libraries.map((library) => cell(of.get(library))),
      ...["IndexedDB", "lightning-fs", "zenfs"].map((library) => ratio(row, library)),
    ]);
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines)
    console.log(
      line.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join("  "),
    );
});
