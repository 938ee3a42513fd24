//! The page's end of the kernel: starts it, routes what it says, watches that it answers, and starts it again where it died.

import { failureOf, TabshError } from "./failure.ts";
import { ModuleWorkers } from "./module-workers.ts";
import { type Door, errnoOf } from "./mounts/driver.ts";
import type { FsRequest, KernelEvent, Reply, Request, RunRecord, SentOptions, WasmSource } from "./protocol.ts";
import { type Mode, type Place, ways } from "./ways.ts";

/** How long the kernel may take to answer an interrupt. */
const patience = 2000;

/** Restarts within this time count together; more than `mostRestarts` of them end the link. */
const restartWindow = 10_000;
const mostRestarts = 4;

/** What a run's owner is told. */
export interface RunClient {
  output(stream: 1 | 2, bytes: Uint8Array): void;
  inputTaken(): void;
  done(record: RunRecord): void;
  /** The kernel died under the run. */
  crashed(notice: string): void;
}

/** What a shell's owner is told. */
export interface ShellClient {
  readonly options: SentOptions;
  event(event: KernelEvent): void;
  crashed(notice: string): void;
  /** The shell exists again, as it was created. */
  respawned(): void;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Where the scripts and the wasm are. */
export interface Sources {
  readonly worker: string;
  readonly mainThread: string;
  readonly wasm: WasmSource;
  /** The folder of what is loaded on first use. */
  readonly modules: string;
}

/** A connection to one kernel worker that outlives the worker. */
export class Link {
  readonly #sources: Sources;
  readonly #shells = new Map<number, ShellClient>();
  readonly #runs = new Map<number, RunClient>();
  readonly #calls = new Map<number, Pending>();
  readonly #creating = new Map<number, Pending>();
  readonly #pings = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #doors = new Map<number, Door>();
  readonly #modules = new ModuleWorkers();
  readonly #restarts: number[] = [];
  #module: WebAssembly.Module | null = null;
  #place: Place | null = null;
  #started: Promise<void> | null = null;
  /** What was asked for while the kernel is being restarted. */
  #outbox: [Request, Transferable[]][] = [];
  /** Why the kernel is not started again. */
  #dead: string | null = null;
  #next = 1;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Where the kernel runs; null before it has started. */
  get mode(): Mode | null {
    return this.#place?.mode ?? null;
  }

  /** Starts the kernel once; throws where no way works. */
  start(): Promise<void> {
    this.#started ??= this.#tryAll().catch((error: unknown) => {
      this.#started = null;
      throw error;
    });
    return this.#started;
  }

  async #tryAll(): Promise<void> {
    const reasons: string[] = [];
    for (const way of ways(this.#sources.worker, this.#sources.mainThread)) {
      try {
        await this.#tryWay(way);
        return;
      } catch (error) {
        if (error instanceof TabshError) throw error;
        reasons.push(failureOf(error).message);
      }
    }
    throw new TabshError({ code: "load", message: `the kernel could not be started: ${reasons.join("; ")}` });
  }

  /** A `TabshError` is the wasm's own failure, which no other way would mend. */
  #tryWay(way: ReturnType<typeof ways>[number]): Promise<void> {
    return new Promise((resolve, reject) => {
      let place: Place | null = null;
      const failed = (message: string) => {
        reject(new Error(message));
        if (place !== null && this.#place === place) this.#crash(message);
      };
      const take = (started: Place, reply: Reply) => {
        if (reply.type === "loaded") {
          this.#module = reply.module;
          this.#place = started;
          resolve();
        } else if (reply.type === "load-failed") {
          started.port.close();
          reject(new TabshError(reply.failure));
        } else if (this.#place === started) {
          this.#take(reply);
        }
      };
      const begin = async () => {
        const started = await way(failed);
        place = started;
        started.port.listen((reply) => take(started, reply));
        started.port.post({ type: "load", wasm: this.#module ?? this.#sources.wasm, modules: this.#sources.modules });
      };
      begin().catch(reject);
    });
  }

  #take(reply: Exclude<Reply, { type: "loaded" | "load-failed" }>): void {
    switch (reply.type) {
      case "output":
        this.#runs.get(reply.run)?.output(reply.stream, reply.bytes);
        return;
      case "input-taken":
        this.#runs.get(reply.run)?.inputTaken();
        return;
      case "done":
        this.#settleRun(reply.run, reply.record);
        return;
      case "ask":
        void this.#answer(reply);
        return;
      case "module": {
        const { id, script, port } = reply;
        const place = this.#place;
        const failed = (message: string) => place?.port.post({ type: "module-failed", id, message });
        void this.#modules.start(id, script, port, failed);
        return;
      }
      case "module-end":
        this.#modules.end(reply.id);
        return;
      case "event":
        this.#shells.get(reply.shell)?.event(reply.event);
        return;
      case "pong":
        clearTimeout(this.#pings.get(reply.nonce));
        this.#pings.delete(reply.nonce);
        return;
      case "crash":
        this.#crash(reply.message);
        return;
      case "created":
        settle(this.#creating, reply.shell)?.resolve(undefined);
        return;
      case "create-failed":
        settle(this.#creating, reply.shell)?.reject(new TabshError(reply.failure));
        return;
      case "fs-done":
        settle(this.#calls, reply.call)?.resolve(reply.value);
        return;
      case "fs-failed":
        settle(this.#calls, reply.call)?.reject(new TabshError(reply.failure));
        return;
    }
  }

  /** Keeps a door that the kernel may ask; answers its number. */
  addDoor(door: Door): number {
    const number = this.#next++;
    this.#doors.set(number, door);
    return number;
  }

  async #answer({ door, call, op, path, a, b }: Extract<Reply, { type: "ask" }>): Promise<void> {
    const place = this.#place;
    const post = (value: unknown, errno: string | null) => place?.port.post({ type: "answer", call, value, errno });
    try {
      const value = await this.#doors.get(door)?.ask(op, path, a, b);
      post(value, null);
    } catch (error) {
      // What the door rejects with, or what could not be cloned.
      post(null, typeof error === "string" ? error : errnoOf(error));
    }
  }

  #settleRun(run: number, record: RunRecord): void {
    const client = this.#runs.get(run);
    this.#runs.delete(run);
    client?.done(record);
  }

  #post(request: Request, transfer: Transferable[] = []): void {
    if (this.#place !== null) this.#place.port.post(request, transfer);
    else this.#outbox.push([request, transfer]);
  }

  /** Creates a shell; resolves with its number. */
  async create(client: ShellClient): Promise<number> {
    await this.start();
    const shell = this.#next++;
    await this.#createAs(shell, client);
    return shell;
  }

  #createAs(shell: number, client: ShellClient): Promise<unknown> {
    this.#shells.set(shell, client);
    return new Promise((resolve, reject) => {
      this.#creating.set(shell, { resolve, reject });
      this.#place?.port.post({ type: "create", shell, options: client.options });
    });
  }

  /** Frees a shell and stops what runs in it. */
  drop(shell: number): void {
    this.#shells.delete(shell);
    this.#post({ type: "drop", shell });
  }

  /** Starts a run: `request` gets the number that is answered. */
  run(client: RunClient, request: (run: number) => Request): number {
    const run = this.#next++;
    if (this.#dead !== null) {
      client.crashed(this.#dead);
      return run;
    }
    this.#runs.set(run, client);
    this.#post(request(run));
    return run;
  }

  /** Sends a message to a run under way. */
  tell(request: Extract<Request, { type: "input" | "taken" | "resize" }>): void {
    this.#post(request);
  }

  /** Interrupts a run, and the worker too where it does not answer in time. */
  abort(shell: number, run: number): void {
    this.#post({ type: "abort", shell, run });
    this.watch();
  }

  /** Expects a sign of life within two seconds. */
  watch(): void {
    if (this.#place === null || this.#place.mode === "main-thread") return;
    const nonce = this.#next++;
    const timer = setTimeout(() => this.#crash("it did not answer an interrupt for 2 seconds"), patience);
    this.#pings.set(nonce, timer);
    this.#post({ type: "ping", nonce });
  }

  /** A request to a shell's file system. */
  fs(shell: number, request: FsRequest): Promise<unknown> {
    return this.call((call) => ({ type: "fs", shell, call, request }));
  }

  /** A request that is answered by its number. */
  call(request: (call: number) => Request): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#dead !== null) throw new TabshError({ code: "crash", message: this.#dead });
      const call = this.#next++;
      this.#calls.set(call, { resolve, reject });
      this.#post(request(call));
    });
  }

  #crash(reason: string): void {
    if (this.#place === null) return;
    this.#place.port.close();
    this.#place = null;
    this.#modules.endAll();
    for (const timer of this.#pings.values()) clearTimeout(timer);
    this.#pings.clear();
    const cause = reason.trim().split("\n")[0] ?? "";
    this.#fail(`tabsh: the kernel was restarted (${cause}); saved files are intact, what was only in memory is lost`);
    void this.#restart();
  }

  /** Ends everything under way with a notice. */
  #fail(notice: string): void {
    const runs = [...this.#runs.values()];
    const calls = [...this.#calls.values(), ...this.#creating.values()];
    this.#runs.clear();
    this.#calls.clear();
    this.#creating.clear();
    this.#outbox = [];
    for (const run of runs) run.crashed(notice);
    for (const call of calls) call.reject(new TabshError({ code: "crash", message: notice }));
    for (const shell of this.#shells.values()) shell.crashed(notice);
  }

  async #restart(): Promise<void> {
    const now = Date.now();
    this.#restarts.push(now);
    try {
      if (this.#restarts.filter((time) => now - time < restartWindow).length > mostRestarts) {
        throw new Error("it keeps crashing");
      }
      this.#started = null;
      await this.start();
      for (const [shell, client] of this.#shells) await this.#createAs(shell, client);
    } catch (error) {
      if (this.#place === null) this.#giveUp(failureOf(error).message);
      return;
    }
    const waiting = this.#outbox;
    this.#outbox = [];
    for (const [request, transfer] of waiting) this.#post(request, transfer);
    for (const client of this.#shells.values()) client.respawned();
  }

  #giveUp(reason: string): void {
    this.#dead = `tabsh: the kernel could not be restarted (${reason}); reload the page`;
    this.#fail(this.#dead);
  }
}

function settle(map: Map<number, Pending>, key: number): Pending | undefined {
  const pending = map.get(key);
  map.delete(key);
  return pending;
}
