//! A tree of a shell's files to a zip archive and back.

import { BadListing, type TreeNode } from "./mounts/tree.ts";
import type { Entry, FsRequest } from "./protocol.ts";
import { Archive, type Packed, slicesOf, type ZipLimits, zipLimits } from "./zip/read.ts";
import { ZipWriter } from "./zip/write.ts";

/** Asks the shell's files; the requests need not wait for the store one by one. */
export type AskFiles = (request: FsRequest) => Promise<unknown>;

const below = (dir: string, name: string) => `${dir === "/" ? "" : dir}/${name}`;

/** Everything below a directory as an archive; devices are left out. */
export async function exportZip(ask: AskFiles, top: string): Promise<Blob> {
  const writer = new ZipWriter();
  const pending = [""];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const dir = at === "" ? top : below(top, at);
    const directories: string[] = [];
    for (const { name, kind, mode, modified } of (await ask({ op: "list", path: dir })) as Entry[]) {
      const path = at === "" ? name : `${at}/${name}`;
      const about = { mode, modified };
      if (kind === "directory") {
        directories.push(path);
        await writer.add({ ...about, path: `${path}/`, kind, content: new Uint8Array() });
      } else if (kind === "symlink") {
        const { target = "" } = (await ask({ op: "entry", path: below(dir, name) })) as Entry;
        await writer.add({ ...about, path, kind, content: new TextEncoder().encode(target) });
      } else if (kind === "file") {
        const content = (await ask({ op: "read", path: below(dir, name) })) as Uint8Array;
        await writer.add({ ...about, path, kind, content });
      }
    }
    pending.push(...directories.reverse());
  }
  return writer.finish();
}

/** A node of the archive on its way to a path. */
interface Coming {
  readonly path: string;
  readonly node: TreeNode<Packed>;
}

/** Every node, directories before what is in them. */
function* nodes(tree: TreeNode<Packed>, at: string): Generator<Coming, void, undefined> {
  const pending: Coming[] = [{ path: at, node: tree }];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (one.node !== tree) yield one;
    for (const [name, node] of one.node.children ?? []) pending.push({ path: below(one.path, name), node });
  }
}

/** Refuses what would change the kind of something that is there, or be written through a link. */
async function checkPlaces(ask: AskFiles, all: readonly Coming[]): Promise<void> {
  const missing = new Set<string>();
  for (const { path, node } of all) {
    if (missing.has(path.slice(0, path.lastIndexOf("/")))) {
      missing.add(path);
      continue;
    }
    let there: Entry;
    try {
      there = (await ask({ op: "entry", path })) as Entry;
    } catch {
      missing.add(path);
      continue;
    }
    if (there.kind === "symlink" || (there.kind === "directory") !== (node.children !== null))
      throw new BadListing(`${path} is there already, as a ${there.kind}`);
  }
}

/** Unpacks an archive below a directory: all of it, or where anything about it is wrong, nothing. */
export async function importZip(
  ask: AskFiles,
  blob: Blob | Uint8Array,
  at: string,
  limits: Partial<ZipLimits> = {},
): Promise<void> {
  const archive = await Archive.open(slicesOf(blob), { ...zipLimits, ...limits });
  const all = [...nodes(archive.tree.root, at.replace(/\/+$/, "") || "/")];
  await checkPlaces(ask, all);
  const contents = new Map<string, Uint8Array>();
  for (const { path, node } of all) if (node.content) contents.set(path, await archive.content(node.content));
  await ask({ op: "mkdir", path: at, recursive: true });
  const directories: Coming[] = [];
  for (const one of all) {
    const { path, node } = one;
    const bytes = contents.get(path);
    contents.delete(path);
    if (bytes === undefined) {
      await ask({ op: "mkdir", path, recursive: true });
      directories.push(one);
    } else if (node.stat.kind === "symlink") {
      await ask({ op: "symlink", path, to: new TextDecoder().decode(bytes) });
    } else {
      await ask({ op: "write", path, bytes });
      await attributes(ask, one);
    }
  }
  // A directory gets its time after what was written into it, and its mode when nothing more is.
  for (const one of directories.reverse()) if (!one.node.implied) await attributes(ask, one);
}

/** Mode and time where the mount keeps them. */
async function attributes(ask: AskFiles, { path, node: { stat } }: Coming): Promise<void> {
  const { mode, modified } = stat;
  for (const set of [mode === undefined ? null : { bits: mode }, modified ? { modified } : null]) {
    if (set === null) continue;
    try {
      await ask({ op: "set", path, ...set });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EPERM")) throw error;
    }
  }
}
