//! A shell's files from the page: bytes and text in and out, directories, and what paths name.

import type { Link } from "./link.ts";
import type { Entry, FsRequest, PatchEdit, ReadRange, WriteMode } from "./protocol.ts";

/** Adds a listener of changed paths; the answer removes it. */
type OnChange = (listener: (detail: { readonly paths: readonly string[] }) => void) => () => void;

/** The file system of a shell. Relative paths are below its current directory; failures throw a `TabshError` with an errno name. */
export class ShellFiles {
  readonly #link: Link;
  readonly #shell: number;
  readonly #onChange: OnChange;

  /** @internal */
  constructor(link: Link, shell: number, onChange: OnChange) {
    this.#link = link;
    this.#shell = shell;
    this.#onChange = onChange;
  }

  #ask(request: FsRequest): Promise<unknown> {
    return this.#link.fs(this.#shell, request);
  }

  /** The content of a file, or a part of it. */
  async read(path: string, range?: ReadRange): Promise<Uint8Array> {
    return (await this.#ask({ op: "read", path, ...(range ? { range } : {}) })) as Uint8Array;
  }

  /** The content of a file as UTF-8 text. */
  async readText(path: string): Promise<string> {
    return new TextDecoder().decode(await this.read(path));
  }

  /** Creates or overwrites a file, whole or not at all. */
  async write(path: string, content: string | Uint8Array | Blob, mode?: WriteMode): Promise<void> {
    const bytes =
      typeof content === "string"
        ? new TextEncoder().encode(content)
        : content instanceof Uint8Array
          ? content
          : new Uint8Array(await content.arrayBuffer());
    await this.#ask({ op: "write", path, bytes, ...(mode ? { mode } : {}) });
  }

  /** The entries of a directory, sorted by name. */
  async list(path: string): Promise<Entry[]> {
    return (await this.#ask({ op: "list", path })) as Entry[];
  }

  /** What a path names, links followed. */
  async stat(path: string): Promise<Entry> {
    return (await this.#ask({ op: "stat", path })) as Entry;
  }

  /** Creates a directory; with `recursive` its parents too, and an existing one is no failure. */
  async mkdir(path: string, { recursive = false }: { readonly recursive?: boolean } = {}): Promise<void> {
    await this.#ask({ op: "mkdir", path, recursive });
  }

  /** Removes a file, a link or an empty directory; with `recursive` a directory with everything in it. */
  async remove(path: string, { recursive = false }: { readonly recursive?: boolean } = {}): Promise<void> {
    await this.#ask({ op: "remove", path, recursive });
  }

  /** Renames or moves; an existing file at `to` is replaced. */
  async move(from: string, to: string): Promise<void> {
    await this.#ask({ op: "move", path: from, to });
  }

  /** What an entry is, a link not followed but with its target. */
  async entry(path: string): Promise<Entry> {
    return (await this.#ask({ op: "entry", path })) as Entry;
  }

  /** Creates a link at `path`; an absolute target on the same mount is stored relative. */
  async symlink(target: string, path: string): Promise<void> {
    await this.#ask({ op: "symlink", path, to: target });
  }

  /** Sets permission bits, and the time of last modification in milliseconds since 1970. */
  async set(path: string, { mode, modified }: { readonly mode?: number; readonly modified?: number }): Promise<void> {
    const set = { ...(mode === undefined ? {} : { bits: mode }), ...(modified === undefined ? {} : { modified }) };
    await this.#ask({ op: "set", path, ...set });
  }

  /** Applies edits in order, all or none: a failed `expected` or a place past the end leaves every byte. */
  async patch(path: string, ops: readonly PatchEdit[]): Promise<void> {
    await this.#ask({ op: "patch", path, ops });
  }

  /** Makes everything written durable, against the loss of power too. */
  async sync(): Promise<void> {
    await this.#ask({ op: "sync", path: "/" });
  }

  /** Calls `listener` with the changed paths at and below an absolute path; the answer ends it. */
  watch(path: string, listener: (paths: readonly string[]) => void): () => void {
    const top = path.replace(/\/+$/, "");
    return this.#onChange(({ paths }) => {
      const within = paths.filter(
        (one) => one === top || one.startsWith(`${top}/`) || top.startsWith(`${one === "/" ? "" : one}/`),
      );
      if (within.length > 0) listener(within);
    });
  }
}
