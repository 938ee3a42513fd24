//! Modules of commands that are loaded on first use: each run in a worker of its own, which is ended where it is interrupted.

import { compile } from "./compile.ts";
import { failureOf } from "./failure.ts";
import type { Port } from "./protocol.ts";

/** Kernel → module's worker. */
export type ModuleRequest =
  | { readonly type: "load"; readonly wasm: string | WebAssembly.Module }
  | { readonly type: "start"; readonly request: string }
  | { readonly type: "step"; readonly kind: number; readonly bytes: Uint8Array };

/** What a step did: see `Module` in the kernel's `host` room. */
export interface ModuleStep {
  readonly out: Uint8Array;
  readonly err: Uint8Array;
  /** The exit status; -1 for another step, -2 for another one with input. */
  readonly next: number;
}

/** Module's worker → kernel. */
export type ModuleReply =
  | { readonly type: "loaded"; readonly module: WebAssembly.Module }
  | { readonly type: "stepped"; readonly step: ModuleStep }
  | { readonly type: "failed"; readonly message: string };

/** Starts a worker on a module's script; `failed` is called where it breaks outside of any message. */
export type SpawnModule = (
  script: string,
  failed: (message: string) => void,
) => Promise<Port<ModuleRequest, ModuleReply>>;

/** A run as the kernel's wasm calls it. */
export interface ModuleRun {
  step(kind: number, bytes: Uint8Array): Promise<ModuleStep>;
  /** Ends the run; its worker stays for the next one only where it has ended by itself. */
  close(): void;
}

/** How many workers wait for their next run. */
const spares = 2;
/** Milliseconds that a worker may take to start. */
const patience = 3000;

interface Waiting {
  resolve(reply: ModuleReply): void;
  reject(error: Error): void;
}

/** One worker with a module in it; it does one thing at a time. */
class ModuleWorker {
  readonly #port: Port<ModuleRequest, ModuleReply>;
  #waiting: Waiting | null = null;
  #broken: string | null = null;

  constructor(port: Port<ModuleRequest, ModuleReply>) {
    this.#port = port;
    port.listen((reply) => {
      if (reply.type === "failed") this.fail(reply.message);
      else this.#settle()?.resolve(reply);
    });
  }

  get isFree(): boolean {
    return this.#waiting === null && this.#broken === null;
  }

  post(request: ModuleRequest): void {
    this.#port.post(request);
  }

  ask(request: ModuleRequest): Promise<ModuleReply> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== null) throw new Error(this.#broken);
      this.#waiting = { resolve, reject };
      this.#port.post(request);
    });
  }

  fail(message: string): void {
    this.#broken = message;
    this.#settle()?.reject(new Error(message));
  }

  close(): void {
    this.#broken ??= "it was ended";
    this.#port.close();
  }

  #settle(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }
}

/** The workers of the modules beside a kernel. */
export class Modules {
  readonly #base: string;
  readonly #spawn: SpawnModule;
  readonly #compiled = new Map<string, WebAssembly.Module>();
  readonly #free = new Map<string, ModuleWorker[]>();
  /** Ends when the load before does: dozens of workers that start at once stall in Firefox. */
  #loading: Promise<unknown> = Promise.resolve();

  /** `base` is the folder's URL, with its slash. */
  constructor(base: string, spawn: SpawnModule = spawnModule) {
    this.#base = base;
    this.#spawn = spawn;
  }

  /** Starts a run; rejects with what is missing and how to mend it. */
  async start(name: string, request: string): Promise<ModuleRun> {
    const worker = this.#free.get(name)?.pop() ?? (await this.#loadInTurn(name));
    worker.post({ type: "start", request });
    let ended = false;
    return {
      step: async (kind, bytes) => {
        const reply = await worker.ask({ type: "step", kind, bytes });
        if (reply.type !== "stepped") throw new Error("it answers out of turn");
        ended = reply.step.next >= 0;
        return reply.step;
      },
      close: () => this.#release(name, worker, ended),
    };
  }

  #release(name: string, worker: ModuleWorker, ended: boolean): void {
    const free = this.#free.get(name) ?? [];
    this.#free.set(name, free);
    if (ended && worker.isFree && free.length < spares) free.push(worker);
    else worker.close();
  }

  #loadInTurn(name: string): Promise<ModuleWorker> {
    const load = this.#loading.then(() => this.#free.get(name)?.pop() ?? this.#load(name));
    this.#loading = load.catch(() => undefined);
    return load;
  }

  async #load(name: string): Promise<ModuleWorker> {
    const wasm = `${this.#base}${name}.wasm`;
    try {
      // What a worker then waits for is its own start alone.
      if (this.#spawn === spawnModule && !this.#compiled.has(name)) this.#compiled.set(name, await compile(wasm));
      const worker = (await this.#begin(name, this.#spawn)) ?? (await this.#begin(name, onThisThread));
      if (worker === null) throw new Error("it does not start");
      return worker;
    } catch (error) {
      const cure = `${name}.js and ${name}.wasm belong beside kernel.wasm; offline, try again with a connection`;
      throw new Error(`${wasm} could not be loaded: ${failureOf(error).message} (${cure})`);
    }
  }

  /** A worker with its module; null where it does not start in time, as Firefox's at times do not. */
  async #begin(name: string, spawn: SpawnModule): Promise<ModuleWorker | null> {
    let worker: ModuleWorker | null = null;
    try {
      const port = await spawn(`${this.#base}${name}.js`, (message) => worker?.fail(message));
      worker = new ModuleWorker(port);
      const wasm = this.#compiled.get(name) ?? `${this.#base}${name}.wasm`;
      const late = new Promise<null>((resolve) => setTimeout(resolve, patience, null));
      const reply = await Promise.race([worker.ask({ type: "load", wasm }), late]);
      if (reply === null) {
        worker.close();
        return null;
      }
      if (reply.type !== "loaded") throw new Error("it answers out of turn");
      this.#compiled.set(name, reply.module);
      return worker;
    } catch (error) {
      worker?.close();
      throw error;
    }
  }
}

/** How many workers run at once; what comes beyond them runs on this thread, so that long pipelines never wait. */
const mostWorkers = 4;
const running = new Set<Worker>();

function overWorker(worker: Worker, failed: (message: string) => void): Port<ModuleRequest, ModuleReply> {
  running.add(worker);
  worker.addEventListener("error", (event) => failed(event.message || "its script did not load"));
  return {
    post: (request) => worker.postMessage(request),
    listen: (take) => worker.addEventListener("message", (event: MessageEvent<ModuleReply>) => take(event.data)),
    close: () => {
      running.delete(worker);
      worker.terminate();
    },
  };
}

interface ModuleScript {
  serveModule(port: Port<ModuleReply, ModuleRequest>, limited: boolean): void;
}

/** Without workers a module runs on this thread; its steps are counted, since nothing can end them. */
async function onThisThread(script: string): Promise<Port<ModuleRequest, ModuleReply>> {
  const { serveModule }: ModuleScript = await import(/* @vite-ignore */ /* webpackIgnore: true */ script);
  const { port1, port2 } = new MessageChannel();
  const close = () => port1.close();
  const other: Port<ModuleReply, ModuleRequest> = {
    post: (reply) => port2.postMessage(reply),
    listen: (take) => {
      port2.onmessage = (event: MessageEvent<ModuleRequest>) => take(event.data);
    },
    close,
  };
  serveModule(other, true);
  return {
    post: (request) => port1.postMessage(request),
    listen: (take) => {
      port1.onmessage = (event: MessageEvent<ModuleReply>) => take(event.data);
    },
    close,
  };
}

/** A worker by URL, or where the script is of another origin from a blob. */
async function spawnModule(
  script: string,
  failed: (message: string) => void,
): Promise<Port<ModuleRequest, ModuleReply>> {
  if (typeof Worker === "undefined" || running.size >= mostWorkers) return await onThisThread(script);
  // The script serves at once where it finds itself under this name.
  const options: WorkerOptions = { type: "module", name: "tabsh-module" };
  // Firefox tells a worker within a worker of no script that is missing: it is asked for here.
  const response = await fetch(script);
  if (!response.ok) throw new Error(`${script} answered ${response.status}`);
  if (new URL(script).origin === globalThis.origin) return overWorker(new Worker(script, options), failed);
  const blob = URL.createObjectURL(new Blob([await response.text()], { type: "text/javascript" }));
  return overWorker(new Worker(blob, options), failed);
}
