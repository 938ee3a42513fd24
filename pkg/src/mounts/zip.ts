//! A zip archive as a read-only mount: contents are unpacked when they are read, the last ones kept.

import { Archive, type Packed, type Slices } from "../zip/read.ts";
import { DriverError, type MountDriver } from "./driver.ts";

/** Contents up to this size are unpacked whole and kept. */
const keptSize = 8 << 20;
/** Bytes of contents kept. */
const keptBytes = 32 << 20;

/** A long content that is read on from where the last read ended. */
interface Cursor {
  readonly packed: Packed;
  readonly pieces: AsyncGenerator<Uint8Array, void, undefined>;
  at: number;
  rest: Uint8Array;
}

const empty = new Uint8Array();

class ZipDriver implements MountDriver {
  readonly #archive: Archive;
  readonly #kept = new Map<Packed, Uint8Array>();
  #bytes = 0;
  #cursor: Cursor | null = null;

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  #file(path: string): Packed {
    const packed = this.#archive.tree.find(path)?.content;
    if (!packed) throw new DriverError("ENOENT");
    return packed;
  }

  stat(path: string) {
    return this.#archive.tree.find(path)?.stat ?? null;
  }

  list(path: string) {
    return this.#archive.tree.list(path);
  }

  async readLink(path: string): Promise<string> {
    return await this.#archive.target(this.#file(path));
  }

  async read(path: string, offset: number, length: number): Promise<Uint8Array> {
    const packed = this.#file(path);
    if (offset >= packed.size) return empty;
    if (packed.size <= keptSize) return (await this.#whole(packed)).slice(offset, offset + length);
    if (packed.method === 0) return await this.#archive.stored(packed, offset, length);
    return await this.#onwards(packed, offset, length);
  }

  async #whole(packed: Packed): Promise<Uint8Array> {
    const kept = this.#kept.get(packed);
    if (kept) {
      // The map's order is that of use.
      this.#kept.delete(packed);
      this.#kept.set(packed, kept);
      return kept;
    }
    const bytes = await this.#archive.content(packed);
    this.#kept.set(packed, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, content] of this.#kept) {
      if (this.#bytes <= keptBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= content.length;
    }
    return bytes;
  }

  async #onwards(packed: Packed, offset: number, length: number): Promise<Uint8Array> {
    let cursor = this.#cursor;
    this.#cursor = null;
    if (cursor?.packed !== packed || cursor.at > offset) {
      await cursor?.pieces.return();
      cursor = { packed, pieces: this.#archive.pieces(packed), at: 0, rest: empty };
    }
    for (;;) {
      const skipped = Math.min(cursor.rest.length, offset - cursor.at);
      cursor.rest = cursor.rest.subarray(skipped);
      cursor.at += skipped;
      if (cursor.rest.length > 0) break;
      const next = await cursor.pieces.next();
      if (next.done) return empty;
      cursor.rest = next.value;
    }
    const bytes = cursor.rest.slice(0, length);
    cursor.rest = cursor.rest.subarray(bytes.length);
    cursor.at += bytes.length;
    this.#cursor = cursor;
    return bytes;
  }
}

/** The driver of an archive; throws where the archive cannot be trusted. */
export async function zipDriver(source: Slices): Promise<MountDriver> {
  return new ZipDriver(await Archive.open(source));
}
