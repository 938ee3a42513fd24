//! Files from the person: dropped or picked, written to the shell's current directory without replacing what is there.

import { type Shell, TabshError } from "tabsh";

/** A file with the path it gets below the current directory. */
export interface Upload {
  readonly path: string;
  readonly file: File;
}

/** A folder's entries; the browser hands them out in portions. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function walk(entry: FileSystemEntry, prefix: string): Promise<Upload[]> {
  const path = `${prefix}${entry.name}`;
  if (entry.isDirectory) {
    const inside: Upload[] = [];
    for (const child of await entriesOf(entry as FileSystemDirectoryEntry))
      inside.push(...(await walk(child, `${path}/`)));
    return inside;
  }
  const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
  return [{ path, file }];
}

/** What a drop brought, folders included. */
export async function dropped(transfer: DataTransfer): Promise<Upload[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return picked(transfer.files);
  const uploads: Upload[] = [];
  for (const entry of entries) uploads.push(...(await walk(entry, "")));
  return uploads;
}

/** What the file dialog brought. */
export function picked(files: FileList): Upload[] {
  return [...files].map((file) => ({ path: file.name, file }));
}

async function exists(shell: Shell, path: string): Promise<boolean> {
  try {
    await shell.fs.stat(path);
    return true;
  } catch (error) {
    if (error instanceof TabshError && error.code === "ENOENT") return false;
    throw error;
  }
}

/** The path itself, or one with a number before the extension where it is taken. */
async function freePath(shell: Shell, path: string): Promise<string> {
  const dot = path.lastIndexOf(".");
  const cut = dot > path.lastIndexOf("/") + 1 ? dot : path.length;
  let free = path;
  for (let number = 1; await exists(shell, free); number += 1) {
    free = `${path.slice(0, cut)}-${number}${path.slice(cut)}`;
  }
  return free;
}

/** Writes the files; answers the paths they got. */
export async function upload(shell: Shell, uploads: readonly Upload[]): Promise<string[]> {
  const paths: string[] = [];
  for (const { path, file } of uploads) {
    const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    if (folder !== "") await shell.fs.mkdir(folder, { recursive: true });
    const free = await freePath(shell, path);
    await shell.fs.write(free, file);
    paths.push(free);
  }
  return paths;
}
