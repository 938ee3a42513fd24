//! A directory handle as a mount: a folder that the person picked, or the origin's private file system.

import { type DriverEntry, DriverError, type DriverStat, type MountDriver } from "./driver.ts";

type Found = { readonly file: FileSystemFileHandle } | { readonly directory: FileSystemDirectoryHandle };

const split = (path: string) => path.split("/").filter((name) => name !== "");

const is = (error: unknown, name: string) => error instanceof DOMException && error.name === name;

/** Names that the browser refuses arrive as a `TypeError`. */
async function named<T>(ask: Promise<T>): Promise<T> {
  try {
    return await ask;
  } catch (error) {
    throw error instanceof TypeError ? new DriverError("EINVAL", error.message) : error;
  }
}

async function statOf(found: Found): Promise<DriverStat> {
  if ("directory" in found) return { kind: "directory" };
  const { size, lastModified } = await found.file.getFile();
  return { kind: "file", size, modified: lastModified };
}

class DirectoryReader implements MountDriver {
  readonly root: FileSystemDirectoryHandle;

  constructor(root: FileSystemDirectoryHandle) {
    this.root = root;
  }

  async directory(names: readonly string[]): Promise<FileSystemDirectoryHandle> {
    let at = this.root;
    for (const name of names) at = await named(at.getDirectoryHandle(name));
    return at;
  }

  async parent(path: string): Promise<[FileSystemDirectoryHandle, string]> {
    const names = split(path);
    const name = names.pop();
    if (name === undefined) throw new DriverError("EBUSY");
    return [await this.directory(names), name];
  }

  async find(path: string): Promise<Found> {
    if (path === "/") return { directory: this.root };
    const [parent, name] = await this.parent(path);
    try {
      return { file: await named(parent.getFileHandle(name)) };
    } catch (error) {
      if (!is(error, "TypeMismatchError")) throw error;
      return { directory: await parent.getDirectoryHandle(name) };
    }
  }

  async stat(path: string): Promise<DriverStat | null> {
    try {
      return await statOf(await this.find(path));
    } catch (error) {
      if (is(error, "NotFoundError") || (error instanceof DriverError && error.code === "EINVAL")) return null;
      throw error;
    }
  }

  async list(path: string): Promise<DriverEntry[]> {
    const entries: Promise<DriverEntry>[] = [];
    const described = async (name: string, handle: FileSystemHandle): Promise<DriverEntry> => {
      const found =
        handle.kind === "file"
          ? { file: handle as FileSystemFileHandle }
          : { directory: handle as FileSystemDirectoryHandle };
      return { ...(await statOf(found)), name };
    };
    for await (const [name, handle] of (await this.directory(split(path))).entries())
      entries.push(described(name, handle));
    return await Promise.all(entries);
  }

  async read(path: string, offset: number, length: number): Promise<Uint8Array> {
    const found = await this.find(path);
    if ("directory" in found) throw new DriverError("EISDIR");
    const file = await found.file.getFile();
    return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  }
}

class DirectoryWriter extends DirectoryReader {
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const [parent, name] = await this.parent(path);
    await put(parent, name, new Blob([bytes.slice()]));
  }

  async mkdir(path: string): Promise<void> {
    const [parent, name] = await this.parent(path);
    await named(parent.getDirectoryHandle(name, { create: true }));
  }

  async remove(path: string): Promise<void> {
    const [parent, name] = await this.parent(path);
    await parent.removeEntry(name, { recursive: true });
  }

  /** There is no moving by handle in every browser: the copy is complete before the original goes. */
  async rename(from: string, to: string): Promise<void> {
    const found = await this.find(from);
    const [parent, name] = await this.parent(to);
    if ("file" in found) await put(parent, name, await found.file.getFile());
    else await copyTree(found.directory, await named(parent.getDirectoryHandle(name, { create: true })));
    await this.remove(from);
  }
}

/** Creates or replaces a file; its content appears at the close. */
async function put(parent: FileSystemDirectoryHandle, name: string, content: Blob): Promise<void> {
  const file = await named(parent.getFileHandle(name, { create: true }));
  const writer = await file.createWritable();
  try {
    await writer.write(content);
    await writer.close();
  } catch (error) {
    await writer.abort().catch(() => {});
    throw error;
  }
}

async function copyTree(from: FileSystemDirectoryHandle, to: FileSystemDirectoryHandle): Promise<void> {
  const pending = [{ from, to }];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    for await (const [name, handle] of pair.from.entries()) {
      if (handle.kind === "file") await put(pair.to, name, await (handle as FileSystemFileHandle).getFile());
      else
        pending.push({
          from: handle as FileSystemDirectoryHandle,
          to: await pair.to.getDirectoryHandle(name, { create: true }),
        });
    }
  }
}

/** The driver of a directory. */
export function directoryDriver(root: FileSystemDirectoryHandle, readOnly: boolean): MountDriver {
  return readOnly ? new DirectoryReader(root) : new DirectoryWriter(root);
}
