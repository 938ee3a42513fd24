//! Files of a server by an index of their paths, as a read-only mount: fetched when they are read, in parts where the server can.

import { DriverError, type DriverStat, type MountDriver } from "./driver.ts";
import { BadListing, Tree } from "./tree.ts";

/** Bytes of whole files kept from servers that send no parts. */
const keptBytes = 32 << 20;

/** What an index says of a path: its size, or more; a path ending in a slash is a directory. */
interface Indexed {
  readonly size?: unknown;
  readonly mode?: unknown;
  readonly modified?: unknown;
}

const codes: Readonly<Record<number, string>> = { 401: "EACCES", 403: "EACCES", 404: "ENOENT", 410: "ENOENT" };

class HttpDriver implements MountDriver {
  readonly #base: string;
  readonly #tree: Tree<string>;
  readonly #sizes = new Map<string, number>();
  readonly #kept = new Map<string, Uint8Array>();

  constructor(base: string, tree: Tree<string>) {
    this.#base = base;
    this.#tree = tree;
  }

  #url(path: string): string {
    const listed = this.#tree.find(path)?.content;
    if (typeof listed !== "string") throw new DriverError("ENOENT");
    return new URL(listed.split("/").map(encodeURIComponent).join("/"), this.#base).href;
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const response = await fetch(url, init);
    if (response.ok || response.status === 416) return response;
    throw new DriverError(codes[response.status] ?? "EIO", `${url} answered ${response.status}`);
  }

  async stat(path: string): Promise<DriverStat | null> {
    const stat = this.#tree.find(path)?.stat;
    if (stat?.kind !== "file" || stat.size !== undefined) return stat ?? null;
    const known = this.#sizes.get(path);
    if (known !== undefined) return { ...stat, size: known };
    const response = await this.#fetch(this.#url(path), { method: "HEAD" });
    const told = response.headers.get("content-length");
    // A length of what was compressed on the way says nothing of the file.
    const plain = told !== null && !response.headers.has("content-encoding");
    const size = plain ? Number(told) : (await this.#whole(path)).length;
    this.#sizes.set(path, size);
    return { ...stat, size };
  }

  list(path: string) {
    return this.#tree.list(path);
  }

  #keep(path: string, bytes: Uint8Array): Uint8Array {
    this.#kept.set(path, bytes);
    let sum = [...this.#kept.values()].reduce((total, { length }) => total + length, 0);
    for (const [oldest, { length }] of this.#kept) {
      if (sum <= keptBytes || oldest === path) break;
      this.#kept.delete(oldest);
      sum -= length;
    }
    return bytes;
  }

  async #whole(path: string): Promise<Uint8Array> {
    const response = await this.#fetch(this.#url(path), {});
    return this.#keep(path, new Uint8Array(await response.arrayBuffer()));
  }

  async read(path: string, offset: number, length: number): Promise<Uint8Array> {
    const kept = this.#kept.get(path);
    if (kept) return kept.slice(offset, offset + length);
    const range = `bytes=${offset}-${offset + length - 1}`;
    const response = await this.#fetch(this.#url(path), { headers: { range } });
    if (response.status === 416) return new Uint8Array();
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 206) return this.#keep(path, bytes).slice(offset, offset + length);
    const told = response.headers.get("content-range");
    if (told !== null && !told.startsWith(`bytes ${offset}-`)) throw new DriverError("EIO", `${path}: ${told}`);
    return bytes.slice(0, length);
  }
}

function statOf(path: string, said: unknown): DriverStat {
  if (path.endsWith("/")) return { kind: "directory" };
  const { size, mode, modified }: Indexed = typeof said === "object" && said !== null ? said : { size: said };
  const number = (value: unknown, name: string) => {
    if (value === undefined || value === null) return {};
    if (typeof value !== "number" || !(value >= 0))
      throw new BadListing(`${name} of ${JSON.stringify(path)} is no number`);
    return { [name]: value };
  };
  return { kind: "file", ...number(size, "size"), ...number(mode, "mode"), ...number(modified, "modified") };
}

/** The driver of an index: a record of paths and sizes (or `{ size, mode, modified }`), or a list of paths. */
export async function httpDriver(index: string, base: string): Promise<MountDriver> {
  const response = await fetch(index);
  if (!response.ok) throw new DriverError(codes[response.status] ?? "EIO", `${index} answered ${response.status}`);
  const said: unknown = await response.json();
  if (typeof said !== "object" || said === null) throw new BadListing(`${index} holds no record of paths`);
  const listed: [unknown, unknown][] = Array.isArray(said)
    ? said.map((path) => [path, undefined])
    : Object.entries(said);
  const tree = new Tree<string>(0);
  for (const [path, about] of listed) {
    if (typeof path !== "string") throw new BadListing(`${index} lists what is no path`);
    tree.add(path, statOf(path, about), path.endsWith("/") ? null : path);
  }
  return new HttpDriver(base, tree);
}
