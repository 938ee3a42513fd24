//! A shell as a page sees it: programs, terminal sessions, files and events over one kernel.

import { Emitter } from "./emitter.ts";
import { TabshError } from "./failure.ts";
import { ShellFiles } from "./files.ts";
import { Interactive, type TerminalOptions } from "./interactive.ts";
import { Link, type ShellClient, type Sources } from "./link.ts";
import { sentMounts } from "./mounts/send.ts";
import type { Mounts } from "./mounts/specs.ts";
import type { KernelEvents, KernelOptions, SentOptions, StorageState, WasmSource } from "./protocol.ts";
import { type ExecOptions, Run } from "./run.ts";
import type { Mode } from "./ways.ts";
import type { ZipLimits } from "./zip/read.ts";

/** Options of a new shell. */
export interface ShellOptions extends KernelOptions {
  /** What to mount where; a driver at `/` holds everything but the standard mounts below it. */
  readonly mounts?: Mounts;
  /** Gives the shell up. */
  readonly signal?: AbortSignal;
  /**
   * Where the wasm is, or the wasm itself; beside this module by default. What commands load on first use
   * (`jq.js`, `jq.wasm`) is looked for beside it, or beside the worker's script.
   */
  readonly wasm?: WasmSource | URL;
  /** Where the worker's script is; beside this module by default. */
  readonly worker?: string | URL;
}

/** What a shell reports. */
export interface ShellEvents extends KernelEvents {
  /** The kernel died and is being restarted. */
  crash: { readonly notice: string };
  /** The browser's answer to the request to keep the files. */
  persisted: { readonly persisted: boolean };
  /** The shell runs again. */
  respawn: { readonly mode: Mode | null };
}

/** A shell: its working directory, variables and functions last from call to call. */
export class Shell {
  readonly #link: Link;
  readonly #events = new Emitter<ShellEvents>();
  readonly #terminals = new Set<Interactive>();
  #number = 0;
  #files: ShellFiles | null = null;
  #storage: StorageState | null = null;
  #persisted: boolean | null = null;
  #watching = false;

  private constructor(link: Link) {
    this.#link = link;
  }

  /** @internal */
  static async create(link: Link, options: SentOptions): Promise<Shell> {
    const shell = new Shell(link);
    shell.#number = await link.create(shell.#client(options));
    shell.#files = new ShellFiles(link, shell.#number, (listener) => shell.on("change", listener));
    return shell;
  }

  #client(options: SentOptions): ShellClient {
    return {
      options,
      event: (event) => {
        if (event.name === "storage") this.#follow(event.detail);
        // A union's name and detail belong together; the emitter's signature cannot say so.
        this.#events.emit<keyof KernelEvents>(event.name, event.detail);
      },
      crashed: (notice) => this.#events.emit("crash", { notice }),
      respawned: () => {
        for (const terminal of this.#terminals) terminal.reopen();
        if (this.#watching) this.#watch();
        this.#events.emit("respawn", { mode: this.mode });
      },
    };
  }

  /** Asks the browser to keep the files once there is something to keep. */
  #follow(state: StorageState): void {
    this.#storage = state;
    if (state.state !== "saving" || this.#persisted !== null) return;
    this.#persisted = false;
    void navigator.storage?.persist?.().then((persisted) => {
      this.#persisted = persisted;
      this.#events.emit("persisted", { persisted });
    });
  }

  /** Whether the browser has promised to keep the files until the person clears them; null where it was not asked. */
  get persisted(): boolean | null {
    return this.#persisted;
  }

  /** Where the kernel runs. */
  get mode(): Mode | null {
    return this.#link.mode;
  }

  /** The last reported state of the persistent files. */
  get storage(): StorageState | null {
    return this.#storage;
  }

  /** The shell's files. */
  get fs(): ShellFiles {
    if (this.#files === null) throw new TabshError({ code: "closed", message: "this shell is not open" });
    return this.#files;
  }

  /** Runs a program. Await it for the result, or iterate over its output. */
  exec(source: string, options: ExecOptions = {}): Run {
    return new Run(this.#link, this.#number, source, options);
  }

  /** Opens an interactive session with prompt and line editor. */
  open(options: TerminalOptions): Interactive {
    const terminal: Interactive = new Interactive(this.#link, this.#number, options, () =>
      this.#terminals.delete(terminal),
    );
    this.#terminals.add(terminal);
    return terminal;
  }

  /** Adds a listener; the answer removes it. */
  on<Name extends keyof ShellEvents>(name: Name, listener: (detail: ShellEvents[Name]) => void): () => void {
    if (name === "change" && !this.#watching) this.#watch();
    return this.#events.on(name, listener);
  }

  #watch(): void {
    this.#watching = true;
    const asked = this.#link.call((call) => ({ type: "watch", shell: this.#number, call }));
    // Where the kernel died, its restart asks again.
    asked.catch(() => {});
  }

  /** Everything below a directory (the current one) as a zip archive with modes, times and links. */
  async export({ path = "." }: { readonly format?: "zip"; readonly path?: string } = {}): Promise<Blob> {
    return (await this.#link.call((call) => ({ type: "export", shell: this.#number, call, path }))) as Blob;
  }

  /** Unpacks a zip archive below a directory; one that cannot be trusted in any part is refused whole. */
  async import(blob: Blob | Uint8Array, at = ".", limits: Partial<ZipLimits> = {}): Promise<void> {
    await this.#link.call((call) => ({ type: "import", shell: this.#number, call, blob, path: at, limits }));
  }

  /** Ends the shell: its sessions close and its memory is freed. */
  close(): void {
    for (const terminal of this.#terminals) terminal.close();
    this.#link.drop(this.#number);
  }
}

const links = new Map<string, Link>();

/** One link per worker script: all shells of a page share it. */
function linkFor(sources: Sources): Link {
  const known = links.get(sources.worker);
  if (known) return known;
  const link = new Link(sources);
  links.set(sources.worker, link);
  return link;
}

/** Starts a shell; the first one of a page starts the kernel's worker. */
export async function createShell(options: ShellOptions = {}): Promise<Shell> {
  const { signal, wasm: source, worker: workerUrl, mounts = {}, ...kernel } = options;
  signal?.throwIfAborted();
  const base = typeof document === "undefined" ? import.meta.url : document.baseURI;
  const absolute = (url: string | URL) => new URL(url, base).href;
  const worker = workerUrl === undefined ? new URL("./worker.js", import.meta.url).href : absolute(workerUrl);
  const wasm =
    source === undefined
      ? new URL("./kernel.wasm", import.meta.url).href
      : typeof source === "string" || source instanceof URL
        ? absolute(source)
        : source;
  const link = linkFor({
    worker,
    mainThread: new URL("./main-thread.js", import.meta.url).href,
    wasm,
    modules: new URL(".", typeof wasm === "string" ? wasm : worker).href,
  });
  const shell = await Shell.create(link, { ...kernel, mounts: sentMounts(mounts, base, link) });
  signal?.addEventListener("abort", () => shell.close(), { once: true });
  return shell;
}
