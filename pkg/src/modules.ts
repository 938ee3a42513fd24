//! Modules of commands that are loaded on first use: each run in a worker of its own, which is ended where it is interrupted.

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

/** Starts a worker on a module's script; `failed` is called where it does not start or breaks outside of any message. */
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

  /** `base` is the folder's URL, with its slash. */
  constructor(base: string, spawn: SpawnModule) {
    this.#base = base;
    this.#spawn = spawn;
  }

  /** Starts a run; rejects with what is missing and how to mend it. */
  async start(name: string, request: string): Promise<ModuleRun> {
    const worker = this.#free.get(name)?.pop() ?? (await this.#load(name));
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

  async #load(name: string): Promise<ModuleWorker> {
    const wasm = `${this.#base}${name}.wasm`;
    try {
      try {
        return await this.#begin(name, this.#spawn);
      } catch {
        return await this.#begin(name, onThisThread);
      }
    } catch (error) {
      const cure = `${name}.js and ${name}.wasm belong beside kernel.wasm; offline, try again with a connection`;
      throw new Error(`${wasm} could not be loaded: ${failureOf(error).message} (${cure})`);
    }
  }

  /** A worker with its module. */
  async #begin(name: string, spawn: SpawnModule): Promise<ModuleWorker> {
    let worker: ModuleWorker | null = null;
    try {
      const port = await spawn(`${this.#base}${name}.js`, (message) => worker?.fail(message));
      worker = new ModuleWorker(port);
      const wasm = this.#compiled.get(name) ?? `${this.#base}${name}.wasm`;
      const reply = await worker.ask({ type: "load", wasm });
      if (reply.type !== "loaded") throw new Error("it answers out of turn");
      this.#compiled.set(name, reply.module);
      return worker;
    } catch (error) {
      worker?.close();
      throw error;
    }
  }
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
