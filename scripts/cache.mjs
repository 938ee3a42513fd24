//! What the scripts remember between runs: a cache folder outside the clone, and stamps that say a step is up to date.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "./say.mjs";

/** Downloads and tools that every clone on this machine may share. */
export const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tabsh");

/** A hash over the contents of files and folders (recursively) and extra strings. */
export function fingerprint(paths, ...extra) {
  const hash = createHash("sha256");
  const visit = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) visit(join(path, name));
    } else {
      hash.update(`${path.slice(root.length)}\0`);
      hash.update(readFileSync(path));
    }
  };
  for (const path of paths) visit(join(root, path));
  for (const text of extra) hash.update(`\0${text}`);
  return hash.digest("hex");
}

/** Runs `step` unless the stamp holds `key` and every file of `outputs` exists; answers whether it ran. */
export async function unlessDone(stamp, key, outputs, step) {
  const path = join(root, stamp);
  const fresh = existsSync(path) && readFileSync(path, "utf8") === key;
  if (fresh && outputs.every((output) => existsSync(join(root, output)))) return false;
  await step();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, key);
  return true;
}
