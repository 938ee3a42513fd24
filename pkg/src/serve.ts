//! The kernel's side of the messages: loads the wasm and passes what arrives to it, in a worker or on the page.

import init, { Mounts, onPanic, panicForTest, Shell, useModules, Volume } from "../generated/kernel.js";
import { compile } from "./compile.ts";
import { failureOf } from "./failure.ts";
import { type ModuleReply, Modules, type SpawnModule } from "./modules.ts";
import { type Door, doorTo } from "./mounts/driver.ts";
import { openMount } from "./mounts/open.ts";
import type { SentMount } from "./mounts/specs.ts";
import type { FsRequest, KernelEvent, Port, Reply, Request, SentOptions, StorageState } from "./protocol.ts";
import { type AskFiles, exportZip, importZip } from "./transfer.ts";

/** Words for a failure to load; a content security policy is named with the directive that is missing. */
function loadFailure(error: unknown): Reply {
  const { message } = failureOf(error);
  const blocked = /content security policy|unsafe-eval|blocked by csp/i.test(message);
  const failure = blocked
    ? { code: "csp", message: `the page's Content-Security-Policy lacks script-src 'wasm-unsafe-eval' (${message})` }
    : { code: "load", message: `the kernel could not be loaded: ${message}` };
  return { type: "load-failed", failure };
}

/** A volume and who wants to know of its state. */
interface SharedVolume {
  readonly files: Volume;
  readonly listeners: Set<(state: StorageState) => void>;
}

class Server {
  readonly #port: Port<Reply, Request>;
  readonly #shells = new Map<number, Shell>();
  readonly #volumes = new Map<string, Promise<SharedVolume>>();
  readonly #asked = new Map<number, { resolve(value: unknown): void; reject(errno: string): void }>();
  /** What is told where a module's worker breaks. */
  readonly #modules = new Map<number, (message: string) => void>();
  #next = 1;

  constructor(port: Port<Reply, Request>) {
    this.#port = port;
  }

  take(request: Request): void {
    switch (request.type) {
      case "load":
        void this.#load(request);
        return;
      case "create":
        void this.#create(request);
        return;
      case "exec":
        void this.#exec(request);
        return;
      case "open":
        void this.#open(request);
        return;
      case "fs":
        void this.#fs(request);
        return;
      case "watch":
        void this.#reply(request, async (shell) => await shell.watch());
        return;
      case "export":
        void this.#reply(request, async (shell) => await exportZip(asking(shell), request.path));
        return;
      case "import":
        void this.#reply(request, async (shell) => {
          await importZip(asking(shell), request.blob, request.path, request.limits);
          // What the page is told is done has been handed to the store.
          await shell.fs({ op: "mkdir", path: request.path, recursive: true });
        });
        return;
      case "answer": {
        const asked = this.#asked.get(request.call);
        this.#asked.delete(request.call);
        if (request.errno === null) asked?.resolve(request.value);
        else asked?.reject(request.errno);
        return;
      }
      case "module-failed":
        this.#modules.get(request.id)?.(request.message);
        return;
      case "ping":
        this.#port.post({ type: "pong", nonce: request.nonce });
        return;
      case "panic":
        panicForTest();
        return;
      case "drop":
        this.#shells.get(request.shell)?.free();
        this.#shells.delete(request.shell);
        return;
      default:
        this.#running(request);
    }
  }

  /** Messages to a run under way. */
  #running(request: Extract<Request, { type: "input" | "abort" | "taken" | "resize" }>): void {
    const shell = this.#shells.get(request.shell);
    if (!shell) return;
    switch (request.type) {
      case "input":
        void this.#input(shell, request.run, request.bytes);
        return;
      case "abort":
        shell.abort(request.run);
        return;
      case "taken":
        shell.taken(request.run, request.count);
        return;
      case "resize":
        shell.resize(request.run, request.columns, request.rows);
        return;
    }
  }

  async #load({ wasm, modules }: Extract<Request, { type: "load" }>): Promise<void> {
    try {
      const module = await compile(wasm);
      await init({ module_or_path: module });
      onPanic((message: string) => this.#port.post({ type: "crash", message }));
      const all = new Modules(modules, this.#spawnModule);
      useModules((name: string, request: string) => all.start(name, request));
      this.#port.post({ type: "loaded", module });
    } catch (error) {
      this.#port.post(loadFailure(error));
    }
  }

  /** The page starts the worker, and the two talk over a channel of their own. */
  readonly #spawnModule: SpawnModule = async (script, failed) => {
    const id = this.#next++;
    const { port1, port2 } = new MessageChannel();
    this.#modules.set(id, failed);
    this.#port.post({ type: "module", id, script, port: port2 }, [port2]);
    return {
      post: (request) => port1.postMessage(request),
      listen: (take) => {
        port1.onmessage = (event: MessageEvent<ModuleReply>) => take(event.data);
      },
      close: () => {
        port1.close();
        this.#modules.delete(id);
        this.#port.post({ type: "module-end", id });
      },
    };
  };

  async #create({ shell, options }: Extract<Request, { type: "create" }>): Promise<void> {
    const emit = (event: KernelEvent) => this.#port.post({ type: "event", shell, event });
    try {
      this.#shells.set(shell, await this.#make(options, emit));
      this.#port.post({ type: "created", shell });
    } catch (error) {
      this.#port.post({ type: "create-failed", shell, failure: failureOf(error) });
    }
  }

  async #make({ persist, mounts = {}, ...options }: SentOptions, emit: (event: KernelEvent) => void): Promise<Shell> {
    const table = new Mounts();
    const all = {
      ...(persist === undefined ? {} : { "/home/user": { type: "persistent", name: persist } as const }),
      ...mounts,
    };
    for (const [path, mount] of Object.entries(all)) await this.#mount(table, path, mount, emit);
    // The kernel's names and details belong together.
    const tell = (name: string, detail: unknown) => emit({ name, detail } as KernelEvent);
    return await Shell.create(options, table, tell);
  }

  async #mount(table: Mounts, path: string, mount: SentMount, emit: (event: KernelEvent) => void): Promise<void> {
    switch (mount.type) {
      case "memory":
        table.memory(path);
        return;
      case "persistent": {
        const volume = await this.#volume(mount.name);
        volume.listeners.add((detail) => emit({ name: "storage", detail }));
        volume.files.report();
        table.volume(path, volume.files);
        return;
      }
      case "page":
        table.door(path, this.#doorOnPage(mount));
        return;
      default: {
        const driver = await openMount(mount);
        table.door(path, doorTo(driver, mount.type));
      }
    }
  }

  /** A door whose driver lives on the page. */
  #doorOnPage({ door, able, seconds }: Extract<SentMount, { type: "page" }>): Door {
    return {
      kind: "js",
      able,
      seconds,
      ask: (op, path, a, b) =>
        new Promise((resolve, reject) => {
          const call = this.#next++;
          this.#asked.set(call, { resolve, reject });
          this.#port.post({ type: "ask", door, call, op, path, a, b });
        }),
    };
  }

  /** Shells that name the same volume share it. */
  #volume(name: string): Promise<SharedVolume> {
    const open = async (): Promise<SharedVolume> => {
      const listeners = new Set<(state: StorageState) => void>();
      const tell = (state: StorageState) => {
        for (const listener of listeners) listener(state);
      };
      return { files: await Volume.open(name, tell), listeners };
    };
    const volume = this.#volumes.get(name) ?? open();
    this.#volumes.set(name, volume);
    return volume;
  }

  #output(run: number): (stream: 1 | 2, bytes: Uint8Array) => void {
    return (stream, bytes) => this.#port.post({ type: "output", run, stream, bytes }, [bytes.buffer]);
  }

  async #exec({ shell, run, source, request }: Extract<Request, { type: "exec" }>): Promise<void> {
    const record = await this.#shells.get(shell)?.exec(run, source, request, this.#output(run));
    if (record) this.#port.post({ type: "done", run, record });
  }

  async #open({ shell, run, columns, rows }: Extract<Request, { type: "open" }>): Promise<void> {
    const record = await this.#shells.get(shell)?.open(run, columns, rows, this.#output(run));
    if (record) this.#port.post({ type: "done", run, record });
  }

  async #input(shell: Shell, run: number, bytes: Uint8Array | null): Promise<void> {
    await shell.input(run, bytes ?? undefined);
    this.#port.post({ type: "input-taken", run });
  }

  async #fs(request: Extract<Request, { type: "fs" }>): Promise<void> {
    await this.#reply(request, async (shell) => await shell.fs(request.request));
  }

  /** Answers a call with what `work` comes to. */
  async #reply(
    { shell, call }: { readonly shell: number; readonly call: number },
    work: (shell: Shell) => Promise<unknown>,
  ): Promise<void> {
    try {
      const target = this.#shells.get(shell);
      const value: unknown = target === undefined ? undefined : await work(target);
      this.#port.post({ type: "fs-done", call, value });
    } catch (error) {
      this.#port.post({ type: "fs-failed", call, failure: failureOf(error) });
    }
  }
}

const asking =
  (shell: Shell): AskFiles =>
  (request: FsRequest) =>
    shell.fs({ ...request, lazy: true });

/** Serves a port until its other side closes it. */
export function serve(port: Port<Reply, Request>): void {
  const server = new Server(port);
  port.listen((request) => server.take(request));
}
