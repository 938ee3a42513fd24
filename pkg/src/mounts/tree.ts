//! A read-only tree made of paths, checked as they are added: what archives and indexes list.

import type { DriverEntry, DriverStat } from "./driver.ts";

/** A list of files that cannot be taken, and why. */
export class BadListing extends Error {
  readonly code = "EINVAL";
}

/** Something at a path of the tree. */
export interface TreeNode<T> {
  readonly stat: DriverStat;
  /** Where its content is; null for a directory. */
  readonly content: T | null;
  readonly children: Map<string, TreeNode<T>> | null;
  /** Whether only something below it was listed. */
  implied: boolean;
}

const encoder = new TextEncoder();

/** The components of a listed path; throws for one that does not lie below the root. */
export function components(path: string): string[] {
  const names = path.replace(/\/$/, "").split("/");
  const shown = JSON.stringify(path.slice(0, 200));
  if (path.startsWith("/")) throw new BadListing(`absolute name ${shown}`);
  if (encoder.encode(path).length > 3800) throw new BadListing(`name of over 3,800 bytes ${shown}`);
  for (const name of names) {
    if (name === ".." || name === ".") throw new BadListing(`name with ${name} in it ${shown}`);
    if (name === "" || name.includes("\0") || !name.isWellFormed()) throw new BadListing(`no name ${shown}`);
    if (encoder.encode(name).length > 255) throw new BadListing(`name of over 255 bytes ${shown}`);
  }
  return names;
}

/** Entries by path; nothing is listed twice, and nothing lies below what is no directory. */
export class Tree<T> {
  readonly root: TreeNode<T>;

  constructor(modified: number) {
    this.root = directory({ kind: "directory", mode: 0o755, modified }, true);
  }

  /** Adds an entry; directories on its way that were not listed get the time of the root. */
  add(path: string, stat: DriverStat, content: T | null): void {
    const names = components(path);
    const last = names.pop() ?? "";
    let at = this.root;
    for (const name of names) {
      let next = at.children?.get(name);
      if (next === undefined) {
        next = directory(this.root.stat, true);
        at.children?.set(name, next);
      }
      if (next.children === null) throw new BadListing(`a name below what is no directory ${JSON.stringify(path)}`);
      at = next;
    }
    const old = at.children?.get(last);
    if (old !== undefined && !(old.implied && stat.kind === "directory"))
      throw new BadListing(`the same name twice ${JSON.stringify(path)}`);
    const children = stat.kind === "directory" ? (old?.children ?? new Map<string, TreeNode<T>>()) : null;
    at.children?.set(last, { stat, content, children, implied: false });
  }

  /** The node at a mount's path. */
  find(path: string): TreeNode<T> | null {
    let at: TreeNode<T> | undefined = this.root;
    for (const name of path.split("/")) if (name !== "") at = at?.children?.get(name);
    return at ?? null;
  }

  /** The entries of a directory. */
  list(path: string): DriverEntry[] {
    return [...(this.find(path)?.children ?? [])].map(([name, { stat }]) => ({ ...stat, name }));
  }
}

function directory<T>(stat: DriverStat, implied: boolean): TreeNode<T> {
  return { stat, content: null, children: new Map(), implied };
}
