//! A shell's files from the page: bytes and text in and out, directories, and what paths name.

import type { Link } from "./link.ts";
import type { Entry, FsRequest } from "./protocol.ts";

/** The file system of a shell. Relative paths are below its current directory; failures throw a `TabshError` with an errno name. */
export class ShellFiles {
  readonly #link: Link;
  readonly #shell: number;

  /** @internal */
  constructor(link: Link, shell: number) {
    this.#link = link;
    this.#shell = shell;
  }

  #ask(request: FsRequest): Promise<unknown> {
    return this.#link.fs(this.#shell, request);
  }

  /** The content of a file. */
  async read(path: string): Promise<Uint8Array> {
    return (await this.#ask({ op: "read", path })) as Uint8Array;
  }

  /** The content of a file as UTF-8 text. */
  async readText(path: string): Promise<string> {
    return new TextDecoder().decode(await this.read(path));
  }

  /** Creates or overwrites a file, whole or not at all. */
  async write(path: string, content: string | Uint8Array | Blob): Promise<void> {
    const bytes =
      typeof content === "string"
        ? new TextEncoder().encode(content)
        : content instanceof Uint8Array
          ? content
          : new Uint8Array(await content.arrayBuffer());
    await this.#ask({ op: "write", path, bytes });
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
}
