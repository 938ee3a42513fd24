//! Reads a zip archive: its directory checked as a whole before anything else, then contents one by one.

import type { DriverStat } from "../mounts/driver.ts";
import { BadListing, Tree } from "../mounts/tree.ts";
import { crc32 } from "./crc.ts";

/** Bytes that can be had in part. */
export interface Slices {
  readonly size: number;
  slice(start: number, end: number): Promise<Uint8Array>;
}

/** Where a file's content is in the archive. */
export interface Packed {
  readonly path: string;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly header: number;
}

/** What an archive may come to. */
export interface ZipLimits {
  /** Bytes of all contents together. */
  readonly total: number;
  /** Bytes of content per byte of archive, for an archive of more than 16 MiB of content. */
  readonly ratio: number;
  readonly entries: number;
}

export const zipLimits: ZipLimits = { total: 1 << 30, ratio: 250, entries: 1_000_000 };

/** Below this an archive may be packed as tightly as it likes. */
const smallTotal = 16 << 20;

const bad = (why: string) => new BadListing(`not a zip archive that can be taken: ${why}`);

export const slicesOf = (source: Blob | Uint8Array): Slices =>
  source instanceof Uint8Array
    ? { size: source.length, slice: async (start, end) => source.subarray(start, end) }
    : { size: source.size, slice: async (start, end) => new Uint8Array(await source.slice(start, end).arrayBuffer()) };

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const long = (view: DataView, at: number): number => {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw bad("a size beyond what numbers hold");
  return Number(value);
};

interface Directory {
  readonly start: number;
  readonly size: number;
  readonly count: number;
}

/** Finds the record at the archive's end, or its 64-bit form. */
async function findDirectory(source: Slices): Promise<Directory> {
  const from = Math.max(0, source.size - 65_557);
  const tail = await source.slice(from, source.size);
  const view = viewOf(tail);
  let at = tail.length - 22;
  while (
    at >= 0 &&
    !(view.getUint32(at, true) === 0x06054b50 && at + 22 + view.getUint16(at + 20, true) === tail.length)
  )
    at -= 1;
  if (at < 0) throw bad("no end of a directory");
  const found = {
    count: view.getUint16(at + 10, true),
    size: view.getUint32(at + 12, true),
    start: view.getUint32(at + 16, true),
  };
  if (view.getUint16(at + 4, true) !== 0 && view.getUint16(at + 4, true) !== 0xffff) throw bad("in several parts");
  const wide = found.count === 0xffff || found.size === 0xffffffff || found.start === 0xffffffff;
  if (!wide || at < 20 || view.getUint32(at - 20, true) !== 0x07064b50) return found;
  const record = long(view, at - 12);
  const bytes = await source.slice(record, record + 56);
  if (bytes.length < 56 || viewOf(bytes).getUint32(0, true) !== 0x06064b50) throw bad("no 64-bit end of a directory");
  const end = viewOf(bytes);
  return { count: long(end, 32), size: long(end, 40), start: long(end, 48) };
}

/** The characters of code page 437 above ASCII, in which archives without the UTF-8 flag name files. */
const cp437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : (cp437[byte - 128] ?? ""))).join("");
  }
}

/** Sizes, place and time that extra fields say better. */
function extras(
  extra: Uint8Array,
  entry: { size: number; packedSize: number; header: number; modified: number },
): void {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; ) {
    const [id, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    let field = at + 4;
    at = field + length;
    if (at > extra.length) return;
    if (id === 0x5455 && length >= 5 && ((extra[field] ?? 0) & 1) === 1)
      entry.modified = view.getInt32(field + 1, true) * 1000;
    if (id !== 1) continue;
    for (const key of ["size", "packedSize", "header"] as const) {
      if (entry[key] !== 0xffffffff) continue;
      if (field + 8 > at) throw bad("a 64-bit size is missing");
      entry[key] = long(view, field);
      field += 8;
    }
  }
}

function dosTime(date: number, time: number): number {
  return Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

/** One entry of the directory. */
interface Listed {
  readonly stat: DriverStat;
  readonly packed: Packed;
}

function entryAt(view: DataView, bytes: Uint8Array, at: number): { entry: Listed; next: number } {
  if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw bad("its directory is damaged");
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
    number,
    number,
    number,
  ];
  const next = at + 46 + nameLength + extraLength + commentLength;
  if (next > bytes.length) throw bad("its directory is damaged");
  const sizes = {
    packedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    header: view.getUint32(at + 42, true),
    modified: dosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
  };
  extras(bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength), sizes);
  const path = nameOf(bytes.subarray(at + 46, at + 46 + nameLength));
  const shown = JSON.stringify(path.slice(0, 200));
  if ((view.getUint16(at + 8, true) & 1) !== 0) throw bad(`encrypted: ${shown}`);
  const method = view.getUint16(at + 10, true);
  if (method !== 0 && method !== 8)
    throw bad(`packed by method ${method}, which is neither stored nor deflated: ${shown}`);
  const unix = view.getUint16(at + 4, true) >> 8 === 3 ? view.getUint32(at + 38, true) >>> 16 : 0;
  const format = unix & 0o170000;
  if (format !== 0 && ![0o040000, 0o100000, 0o120000].includes(format))
    throw bad(`neither file, directory nor link: ${shown}`);
  const kind = path.endsWith("/") || format === 0o040000 ? "directory" : format === 0o120000 ? "symlink" : "file";
  if (method === 0 && sizes.size !== sizes.packedSize) throw bad(`sizes that differ: ${shown}`);
  if (kind === "directory" && sizes.size > 0) throw bad(`a directory with content: ${shown}`);
  const stat = {
    kind,
    size: sizes.size,
    modified: sizes.modified,
    ...(format === 0 ? {} : { mode: unix & 0o7777 }),
  } as const;
  const packed = { path, method, crc: view.getUint32(at + 16, true), ...sizes };
  return { entry: { stat, packed }, next };
}

/** Contents that share bytes of the archive are how small archives become huge. */
function refuseOverlaps(all: Packed[], directory: number): void {
  const sorted = all.toSorted((a, b) => a.header - b.header);
  for (const [index, one] of sorted.entries()) {
    // A local header has at least 30 bytes and the name.
    const end = one.header + 30 + one.packedSize;
    if (end > (sorted[index + 1]?.header ?? directory)) throw bad(`contents that overlap: ${JSON.stringify(one.path)}`);
  }
}

/** An archive's files. */
export class Archive {
  readonly #source: Slices;
  readonly tree: Tree<Packed>;

  private constructor(source: Slices, tree: Tree<Packed>) {
    this.#source = source;
    this.tree = tree;
  }

  /** Reads and checks the whole directory; throws where any part of it cannot be trusted. */
  static async open(source: Slices, limits: ZipLimits = zipLimits): Promise<Archive> {
    const { start, size, count } = await findDirectory(source);
    if (count > limits.entries) throw bad(`${count} entries, more than ${limits.entries}`);
    const bytes = await source.slice(start, start + size);
    if (bytes.length !== size) throw bad("its directory is cut off");
    const tree = new Tree<Packed>(0);
    const archive = new Archive(source, tree);
    const links: Packed[] = [];
    const all: Packed[] = [];
    let [at, total] = [0, 0];
    for (let index = 0; index < count; index += 1) {
      const { entry, next } = entryAt(viewOf(bytes), bytes, at);
      at = next;
      total += entry.packed.size;
      all.push(entry.packed);
      if (entry.stat.kind === "symlink") links.push(entry.packed);
      tree.add(entry.packed.path, entry.stat, entry.stat.kind === "directory" ? null : entry.packed);
    }
    if (at !== size) throw bad("its directory holds more than it says");
    if (total > limits.total) throw bad(`${total} bytes of content, more than ${limits.total}`);
    if (total > smallTotal && total > source.size * limits.ratio)
      throw bad(`content over ${limits.ratio} times its own size`);
    refuseOverlaps(all, start);
    for (const link of links) await archive.#checkLink(link);
    return archive;
  }

  /** A link must lead to somewhere below the root. */
  async #checkLink(link: Packed): Promise<void> {
    const target = await this.target(link);
    const depth = link.path.split("/").length - 1;
    let at = depth;
    let escapes = target.startsWith("/") || target === "" || target.includes("\0");
    for (const name of target.split("/")) {
      if (name === "..") at -= 1;
      else if (name !== "" && name !== ".") at += 1;
      escapes ||= at < 0;
    }
    if (escapes) throw bad(`a link that leads out of it: ${JSON.stringify(link.path)}`);
  }

  /** A link's target. */
  async target(link: Packed): Promise<string> {
    if (link.size > 4096) throw bad(`a link of ${link.size} bytes: ${JSON.stringify(link.path)}`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await this.content(link));
  }

  /** The packed bytes of a content. */
  async #packed({ header, packedSize, path }: Packed): Promise<{ start: number; end: number }> {
    const bytes = await this.#source.slice(header, header + 30);
    const view = viewOf(bytes);
    if (bytes.length < 30 || view.getUint32(0, true) !== 0x04034b50) throw bad(`no content of ${JSON.stringify(path)}`);
    const start = header + 30 + view.getUint16(26, true) + view.getUint16(28, true);
    if (start + packedSize > this.#source.size) throw bad(`the content of ${JSON.stringify(path)} is cut off`);
    return { start, end: start + packedSize };
  }

  /** A content from its beginning, piece by piece; throws at the end where length or checksum differ. */
  async *pieces(packed: Packed): AsyncGenerator<Uint8Array, void, undefined> {
    const { start, end } = await this.#packed(packed);
    const source = this.#source;
    async function* raw(): AsyncGenerator<Uint8Array, void, undefined> {
      for (let at = start; at < end; at += 1 << 20) yield await source.slice(at, Math.min(end, at + (1 << 20)));
    }
    let [length, crc] = [0, 0];
    for await (const piece of packed.method === 0 ? raw() : inflate(raw())) {
      length += piece.length;
      if (length > packed.size) throw bad(`more content than it says: ${JSON.stringify(packed.path)}`);
      crc = crc32(piece, crc);
      yield piece;
    }
    if (length !== packed.size) throw bad(`less content than it says: ${JSON.stringify(packed.path)}`);
    if (crc !== packed.crc) throw bad(`a checksum that is wrong: ${JSON.stringify(packed.path)}`);
  }

  /** A whole content. */
  async content(packed: Packed): Promise<Uint8Array> {
    const whole = new Uint8Array(packed.size);
    let at = 0;
    for await (const piece of this.pieces(packed)) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  /** Part of a stored content. */
  async stored(packed: Packed, offset: number, length: number): Promise<Uint8Array> {
    const { start, end } = await this.#packed(packed);
    const from = Math.min(end, start + offset);
    return (await this.#source.slice(from, Math.min(end, from + length))).slice();
  }
}

async function* inflate(
  packed: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  const feed = async () => {
    try {
      for await (const piece of packed) await writer.write(piece.slice());
      await writer.close();
    } catch {
      // The reader is told, or has gone.
    }
  };
  void feed();
  const reader = stream.readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch {
    throw bad("content that cannot be unpacked");
  } finally {
    await reader.cancel().catch(() => {});
  }
}
