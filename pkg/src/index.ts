//! The package's main entry: `createShell` and the types around it.

export { TabshError } from "./failure.ts";
export type { ShellFiles } from "./files.ts";
export type { Interactive, TerminalOptions } from "./interactive.ts";
export type { Answer, DriverEntry, DriverStat, MountDriver } from "./mounts/driver.ts";
export type { MountSpec, Mounts } from "./mounts/specs.ts";
export type {
  Entry,
  ExitKind,
  Issue,
  KernelEvents,
  KernelOptions,
  PatchEdit,
  ReadRange,
  StorageState,
  WasmSource,
  WriteMode,
} from "./protocol.ts";
export type { Chunk, ExecOptions, Run, RunResult } from "./run.ts";
export { createShell, type Shell, type ShellEvents, type ShellOptions } from "./shell.ts";
export type { Mode } from "./ways.ts";
export type { ZipLimits } from "./zip/read.ts";
