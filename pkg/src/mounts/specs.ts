//! What a page may mount, and the form in which it crosses to the kernel's worker.

import type { MountDriver } from "./driver.ts";

/** A mount of a shell. */
export type MountSpec =
  /** An empty tree in memory. */
  | { readonly type: "memory" }
  /** A named volume in this browser. */
  | { readonly type: "persistent"; readonly name: string }
  /** An archive, read-only. */
  | { readonly type: "zip"; readonly source: Blob | ArrayBuffer | Uint8Array | string | URL }
  /** Files of a server by a JSON record of paths and sizes, read-only; beside the index unless `base` says otherwise. */
  | { readonly type: "http"; readonly index: string | URL; readonly base?: string | URL }
  /** A folder the person picked, or without a handle the origin's private file system (`path` below it). */
  | {
      readonly type: "directory";
      readonly handle?: FileSystemDirectoryHandle;
      readonly path?: string;
      readonly readOnly?: boolean;
    }
  /** The page's own driver; an answer may take 30 seconds unless `timeoutMs` says otherwise. */
  | { readonly type: "driver"; readonly driver: MountDriver; readonly timeoutMs?: number };

/** A mount that can be sent. */
export type SentMount =
  | { readonly type: "memory" }
  | { readonly type: "persistent"; readonly name: string }
  | { readonly type: "zip"; readonly source: Blob | Uint8Array | string }
  | { readonly type: "http"; readonly index: string; readonly base: string }
  | {
      readonly type: "directory";
      readonly handle: FileSystemDirectoryHandle | null;
      readonly path: string;
      readonly readOnly: boolean;
    }
  | { readonly type: "page"; readonly door: number; readonly able: number; readonly seconds: number };

/** Mounts by path. */
export type Mounts = Readonly<Record<string, MountSpec>>;
