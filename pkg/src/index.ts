//! The package's main entry: `createShell` and the types around it.

export { TabshError } from "./failure.ts";
export type { ShellFiles } from "./files.ts";
export type { Interactive, TerminalOptions } from "./interactive.ts";
export type { Entry, ExitKind, Issue, KernelEvents, KernelOptions, StorageState, WasmSource } from "./protocol.ts";
export type { Chunk, ExecOptions, Run, RunResult } from "./run.ts";
export { createShell, type Shell, type ShellEvents, type ShellOptions } from "./shell.ts";
export type { Mode } from "./ways.ts";
