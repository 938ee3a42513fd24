//! Writes a zip archive: entries deflated where that is shorter, with Unix modes, times and links, as unzip reads them.

import { crc32 } from "./crc.ts";

/** One entry of a new archive; a directory's name ends in a slash, a link's content is its target. */
export interface ZipEntry {
  readonly path: string;
  readonly kind: "file" | "directory" | "symlink";
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly content: Uint8Array;
}

const encoder = new TextEncoder();
const formats = { file: 0o100000, directory: 0o040000, symlink: 0o120000 };

async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Little-endian fields: `[size in bytes, value]`. */
function fields(list: readonly (readonly [2 | 4 | 8, number])[]): Uint8Array {
  const bytes = new Uint8Array(list.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of list) {
    if (size === 2) view.setUint16(at, value, true);
    else if (size === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += size;
  }
  return bytes;
}

/** Date and time as MS-DOS has them, from 1980 on. */
function dosTime(modified: number): readonly [number, number] {
  const date = new Date(Math.min(Math.max(modified, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)));
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return [(date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1), day];
}

const wide = (value: number) => Math.min(value, 0xffffffff);

/** An archive that entries are added to. */
export class ZipWriter {
  readonly #parts: BlobPart[] = [];
  readonly #directory: Uint8Array[] = [];
  #at = 0;

  #put(bytes: Uint8Array): void {
    this.#parts.push(bytes.slice());
    this.#at += bytes.length;
  }

  async add({ path, kind, mode, modified, content }: ZipEntry): Promise<void> {
    const name = encoder.encode(path);
    const deflated = content.length > 64 ? await deflate(content) : content;
    const [method, packed] = deflated.length < content.length ? [8, deflated] : [0, content];
    const header = this.#at;
    const seconds = Math.floor(modified / 1000);
    const timed = seconds >= -(2 ** 31) && seconds < 2 ** 31;
    const time = timed
      ? fields([
          [2, 0x5455],
          [2, 5],
        ])
      : new Uint8Array();
    const stamp = timed ? Uint8Array.of(...time, 1, ...fields([[4, seconds >>> 0]])) : time;
    // Contents are held whole in memory, so that only offsets can outgrow 32 bits.
    const offset =
      header > 0xffffffff
        ? fields([
            [2, 1],
            [2, 8],
            [8, header],
          ])
        : new Uint8Array();
    const common = [
      [2, 0x0800],
      [2, method],
      [2, dosTime(modified)[0]],
      [2, dosTime(modified)[1]],
      [4, crc32(content)],
      [4, packed.length],
      [4, content.length],
      [2, name.length],
    ] as const;
    this.#put(fields([[4, 0x04034b50], [2, 20], ...common, [2, stamp.length]]));
    for (const bytes of [name, stamp, packed]) this.#put(bytes);
    const attributes = ((formats[kind] | (mode & 0o7777)) << 16) | (kind === "directory" ? 0x10 : 0);
    const entry = [
      [4, 0x02014b50],
      [2, (3 << 8) | 45],
      [2, offset.length > 0 ? 45 : 20],
      ...common,
      [2, stamp.length + offset.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, attributes >>> 0],
      [4, wide(header)],
    ] as const;
    this.#directory.push(fields(entry), name, stamp, offset);
  }

  /** The archive. */
  finish(): Blob {
    const start = this.#at;
    const count = this.#directory.length / 4;
    for (const bytes of this.#directory) this.#put(bytes);
    const size = this.#at - start;
    if (count > 0xfffe || this.#at > 0xfffffffe) {
      const end = this.#at;
      const versions = [
        [2, 45],
        [2, 45],
        [4, 0],
        [4, 0],
      ] as const;
      this.#put(fields([[4, 0x06064b50], [8, 44], ...versions, [8, count], [8, count], [8, size], [8, start]]));
      this.#put(
        fields([
          [4, 0x07064b50],
          [4, 0],
          [8, end],
          [4, 1],
        ]),
      );
    }
    const short = Math.min(count, 0xffff);
    this.#put(
      fields([
        [4, 0x06054b50],
        [2, 0],
        [2, 0],
        [2, short],
        [2, short],
        [4, wide(size)],
        [4, wide(start)],
        [2, 0],
      ]),
    );
    return new Blob(this.#parts, { type: "application/zip" });
  }
}
