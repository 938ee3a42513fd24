//! Runs case lines from standard input through the wasm in Node, each in a fresh kernel, and prints a result line for each.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const caseLimit = 10_000;
const here = fileURLToPath(import.meta.url);

/** The files of a case as the kernel takes them. */
export function filesOf(files = {}) {
  const content = (value) => (typeof value === "string" ? value : new Uint8Array(Buffer.from(value.base64, "base64")));
  return Object.fromEntries(Object.entries(files).map(([path, value]) => [path, content(value)]));
}

/** Runs one case in a kernel of its own. */
async function runCase({ Shell, Mounts }, { id, script, files, stdin }) {
  const output = { 1: [], 2: [] };
  const options = { cwd: "/home/user", files: filesOf(files), columns: 80 };
  const shell = await Shell.create(options, new Mounts(), () => {});
  const send = (stream, bytes) => {
    output[stream].push(bytes);
    shell.taken(1, bytes.length);
  };
  const { code } = await shell.exec(1, script, { stdin: stdin ?? "" }, send);
  shell.free();
  const text = (stream) => Buffer.concat(output[stream]).toString();
  return { id, code, stdout: text(1), stderr: text(2) };
}

/** A worker of Node's on a module's script; the wasm is read from its file. */
async function spawnModule(script, failed) {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    const { readFile } = require("node:fs/promises");
    globalThis.fetch = async (url) => new Response(await readFile(new URL(url)));
    const held = [];
    let take = (message) => held.push(message);
    parentPort.on("message", (message) => take(message));
    const listen = (listener) => { take = listener; held.splice(0).forEach(listener); };
    import(workerData).then(({ serveModule }) =>
      serveModule({ post: (reply) => parentPort.postMessage(reply), listen, close() {} }, false));`;
  const worker = new Worker(code, { eval: true, workerData: script });
  worker.on("error", (error) => failed(error.message));
  worker.unref();
  return {
    post: (request) => worker.postMessage(request),
    listen: (take) => worker.on("message", take),
    close: () => void worker.terminate(),
  };
}

/** The worker's part: one case at a time. */
async function serveCases(module) {
  const kernel = await import("../pkg/generated/kernel.js");
  const { Modules } = await import("../pkg/dist/modules.js");
  kernel.initSync({ module });
  const modules = new Modules(new URL("../pkg/dist/", import.meta.url).href, spawnModule);
  kernel.useModules((name, request) => modules.start(name, request));
  parentPort.on("message", async (one) => {
    let result;
    try {
      result = await runCase(kernel, one);
    } catch (error) {
      // A trap leaves the module unusable: the whole worker goes.
      if (error instanceof WebAssembly.RuntimeError) throw error;
      result = { id: one.id, code: 125, stdout: "", stderr: `cases: ${error.message}` };
    }
    parentPort.postMessage(result);
  });
}

/** Cases in, results out, over one worker at a time that is replaced where it hangs or dies. */
class Lane {
  #module;
  #worker = null;

  constructor(module) {
    this.#module = module;
  }

  run(one) {
    return new Promise((resolve) => {
      this.#worker ??= new Worker(here, { workerData: { module: this.#module } });
      const worker = this.#worker;
      const finish = (result) => {
        clearTimeout(timer);
        worker.off("message", finish);
        worker.off("error", died);
        resolve(result);
      };
      const replace = (code, stderr) => {
        this.close();
        finish({ id: one.id, code, stdout: "", stderr });
      };
      const died = (error) => replace(134, `cases: ${error.message}`);
      const timer = setTimeout(() => replace(124, `cases: not done within ${caseLimit} ms`), caseLimit);
      worker.on("message", finish);
      worker.on("error", died);
      worker.postMessage(one);
    });
  }

  close() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

async function main() {
  const wasm = readFileSync(new URL("../pkg/dist/kernel.wasm", import.meta.url));
  const module = await WebAssembly.compile(wasm);
  const lines = [];
  for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== "") lines.push(line);
  const lane = async () => {
    const own = new Lane(module);
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      process.stdout.write(`${JSON.stringify(await own.run(JSON.parse(line)))}\n`);
    }
    own.close();
  };
  await Promise.all([lane(), lane()]);
}

if (!isMainThread && workerData?.module) await serveCases(workerData.module);
else if (process.argv[1] === here) await main();
