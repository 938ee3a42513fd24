//! The messages between a page and the kernel's worker: plain records, bytes as bytes.

import type { SentMount } from "./mounts/specs.ts";
import type { ZipLimits } from "./zip/read.ts";

/** How a run ended. */
export type ExitKind = "exit" | "rejected" | "aborted" | "limit" | "crash";

/** One finding of the parser or the validator. */
export interface Issue {
  readonly code: string;
  readonly message: string;
  /** Start and end in bytes of the source. */
  readonly span: readonly [number, number];
  readonly fix?: string;
}

/** What the kernel says of a finished run; its output has gone ahead in `output` messages. */
export interface RunRecord {
  readonly kind: ExitKind;
  readonly code: number;
  readonly issues: readonly Issue[];
  /** The typed value of the last command, where it left one. */
  readonly data?: unknown;
}

/** What a kernel is created with. */
export interface KernelOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Path → content, written before the first command. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Name of the persistent volume at /home/user; without it everything is in memory. */
  readonly persist?: string;
  readonly columns?: number;
}

/** The same in the form that is sent. */
export interface SentOptions extends KernelOptions {
  readonly mounts?: Readonly<Record<string, SentMount>>;
}

/** What a run is started with, besides its source. */
export interface RunRequest {
  readonly stdin?: Uint8Array;
  /** More input follows in `stdin` messages. */
  readonly stdinOpen?: boolean;
  readonly timeoutMs?: number;
  readonly columns?: number;
}

/** One entry of a directory, or what a path names. */
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "directory" | "symlink" | "device";
  readonly size: number;
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Where a link leads, if it was asked for itself. */
  readonly target?: string;
}

/** Part of a file, by bytes or by lines (1-based, the end inclusive); bytes win, what lies outside is empty. */
export interface ReadRange {
  readonly offset?: number;
  readonly length?: number;
  readonly startLine?: number;
  readonly endLine?: number;
}

/** One edit, at a byte `offset` or at a `line` (1-based); edits see those before them. */
export type PatchEdit =
  | { readonly op: "insert"; readonly offset: number; readonly content: string }
  | { readonly op: "delete"; readonly offset: number; readonly length: number; readonly expected?: string }
  | {
      readonly op: "replace";
      readonly offset: number;
      readonly length: number;
      readonly content: string;
      readonly expected?: string;
    }
  | { readonly op: "insert"; readonly line: number; readonly content: string }
  | { readonly op: "delete"; readonly line: number; readonly expected?: string }
  | { readonly op: "replace"; readonly line: number; readonly content: string; readonly expected?: string }
  | { readonly op: "append"; readonly content: string };

/** What a write does about a file that is there or not: `create` wants none, `update` wants one. */
export type WriteMode = "create" | "replace" | "update" | "append";

/** A request to the file system. */
export type FsRequest =
  | { readonly op: "read"; readonly path: string; readonly range?: ReadRange }
  | { readonly op: "write"; readonly path: string; readonly bytes: Uint8Array; readonly mode?: WriteMode }
  | { readonly op: "list"; readonly path: string }
  | { readonly op: "stat"; readonly path: string }
  | { readonly op: "mkdir"; readonly path: string; readonly recursive: boolean }
  | { readonly op: "remove"; readonly path: string; readonly recursive: boolean }
  | { readonly op: "move"; readonly path: string; readonly to: string }
  | { readonly op: "entry"; readonly path: string }
  | { readonly op: "symlink"; readonly path: string; readonly to: string }
  | { readonly op: "set"; readonly path: string; readonly bits?: number; readonly modified?: number }
  | { readonly op: "patch"; readonly path: string; readonly ops: readonly PatchEdit[] }
  | { readonly op: "sync"; readonly path: string };

/** Whether what was written would survive the tab. */
export interface StorageState {
  readonly state: "memory" | "saved" | "saving" | "unsaved" | "readonly";
  /** In words, for a person. */
  readonly message: string;
}

/** What a kernel reports unasked. */
export interface KernelEvents {
  /** An interactive command has ended. */
  command: { readonly source: string; readonly code: number; readonly cwd: string };
  /** Files below a path may have changed. */
  change: { readonly paths: readonly string[] };
  storage: StorageState;
}

/** An event with its name. */
export type KernelEvent = {
  [Name in keyof KernelEvents]: { readonly name: Name; readonly detail: KernelEvents[Name] };
}[keyof KernelEvents];

/** Where the kernel's wasm comes from. */
export type WasmSource = string | ArrayBuffer | WebAssembly.Module;

/** Page → worker. */
export type Request =
  /** `modules` is the URL of the folder with what is loaded on first use. */
  | { readonly type: "load"; readonly wasm: WasmSource; readonly modules: string }
  | { readonly type: "create"; readonly shell: number; readonly options: SentOptions }
  | { readonly type: "drop"; readonly shell: number }
  | {
      readonly type: "exec";
      readonly shell: number;
      readonly run: number;
      readonly source: string;
      readonly request: RunRequest;
    }
  | {
      readonly type: "open";
      readonly shell: number;
      readonly run: number;
      readonly columns: number;
      readonly rows: number;
    }
  | {
      readonly type: "resize";
      readonly shell: number;
      readonly run: number;
      readonly columns: number;
      readonly rows: number;
    }
  /** Bytes for a run's or a terminal's input; null ends it. */
  | {
      readonly type: "input";
      readonly shell: number;
      readonly run: number;
      readonly bytes: Uint8Array | null;
    }
  | { readonly type: "abort"; readonly shell: number; readonly run: number }
  /** The page has used up this many bytes of a run's output. */
  | { readonly type: "taken"; readonly shell: number; readonly run: number; readonly count: number }
  | { readonly type: "fs"; readonly shell: number; readonly call: number; readonly request: FsRequest }
  /** Begins to report changed files. */
  | { readonly type: "watch"; readonly shell: number; readonly call: number }
  | { readonly type: "export"; readonly shell: number; readonly call: number; readonly path: string }
  | {
      readonly type: "import";
      readonly shell: number;
      readonly call: number;
      readonly blob: Blob | Uint8Array;
      readonly path: string;
      readonly limits: Partial<ZipLimits>;
    }
  /** What a driver of the page answers: its value, or the name of an error number. */
  | { readonly type: "answer"; readonly call: number; readonly value: unknown; readonly errno: string | null }
  | { readonly type: "ping"; readonly nonce: number }
  /** A module's worker does not start, or broke. */
  | { readonly type: "module-failed"; readonly id: number; readonly message: string }
  /** Makes the kernel panic, so that tests can see what follows. */
  | { readonly type: "panic" };

/** A failure that crosses as a record. */
export interface Failure {
  /** Stable: an errno name such as `ENOENT`, or a word of this package. */
  readonly code: string;
  readonly message: string;
}

/** Worker → page. */
export type Reply =
  | { readonly type: "loaded"; readonly module: WebAssembly.Module | null }
  | { readonly type: "load-failed"; readonly failure: Failure }
  | { readonly type: "created"; readonly shell: number }
  | { readonly type: "create-failed"; readonly shell: number; readonly failure: Failure }
  | { readonly type: "output"; readonly run: number; readonly stream: 1 | 2; readonly bytes: Uint8Array }
  | { readonly type: "input-taken"; readonly run: number }
  | { readonly type: "done"; readonly run: number; readonly record: RunRecord }
  | { readonly type: "fs-done"; readonly call: number; readonly value: unknown }
  | { readonly type: "fs-failed"; readonly call: number; readonly failure: Failure }
  /** Asks a driver of the page; see `Door`. */
  | {
      readonly type: "ask";
      readonly door: number;
      readonly call: number;
      readonly op: string;
      readonly path: string;
      readonly a: unknown;
      readonly b: unknown;
    }
  | { readonly type: "event"; readonly shell: number; readonly event: KernelEvent }
  | { readonly type: "pong"; readonly nonce: number }
  /** Asks for a worker on a module's script that serves the port. */
  | { readonly type: "module"; readonly id: number; readonly script: string; readonly port: MessagePort }
  | { readonly type: "module-end"; readonly id: number }
  | { readonly type: "crash"; readonly message: string };

/** What both a `Worker` and a `MessagePort` can do. */
export interface Port<Out, In> {
  post(message: Out, transfer?: Transferable[]): void;
  listen(take: (message: In) => void): void;
  close(): void;
}
