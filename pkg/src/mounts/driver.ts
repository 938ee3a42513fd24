//! What a mount's driver implements, and the door through which the kernel asks it: answers are checked, errors become errno names.

/** A value now or later. */
export type Answer<T> = T | Promise<T>;

/** What an entry is; links are not followed. */
export interface DriverStat {
  readonly kind: "file" | "directory" | "symlink";
  /** Bytes of content; 0 where it is left out. */
  readonly size?: number;
  readonly mode?: number;
  /** Milliseconds since 1970. */
  readonly modified?: number;
  /** A number that stays with the file when it moves. */
  readonly id?: number;
}

/** An entry with its name. */
export interface DriverEntry extends DriverStat {
  readonly name: string;
}

/**
 * Files that somebody else holds. Paths are absolute within the mount, without `.`, `..` and links; the root is `/`.
 * The methods it has are its capabilities: without `write`, `mkdir`, `remove` and `rename` the mount is read-only.
 * A failure is thrown; its `code` may be an errno name such as `EACCES`.
 */
export interface MountDriver {
  /** What an entry is; null where there is none. */
  stat(path: string): Answer<DriverStat | null>;
  /** The entries of a directory, in any order. */
  list(path: string): Answer<readonly DriverEntry[]>;
  /** At most `length` bytes from `offset`; fewer, but not none, before the end of the file. */
  read(path: string, offset: number, length: number): Answer<Uint8Array>;
  readLink?(path: string): Answer<string>;
  /** Creates a file or replaces its content in one step. */
  write?(path: string, bytes: Uint8Array): Answer<void>;
  mkdir?(path: string): Answer<void>;
  /** Removes an entry, a directory with everything below it. */
  remove?(path: string): Answer<void>;
  /** Moves an entry; a file or an empty directory at `to` goes. */
  rename?(from: string, to: string): Answer<void>;
  symlink?(target: string, path: string): Answer<void>;
  setMode?(path: string, mode: number): Answer<void>;
  /** Sets the time of last modification, in milliseconds since 1970. */
  setModified?(path: string, modified: number): Answer<void>;
  /** Makes what was done durable. */
  flush?(): Answer<void>;
}

/** The kernel's side of a driver. */
export interface Door {
  readonly kind: string;
  /** See `abilities`. */
  readonly able: number;
  /** How long an answer may take. */
  readonly seconds: number;
  ask(op: string, path: string, a: unknown, b: unknown): Promise<unknown>;
}

const errnos =
  /^E(NOENT|EXIST|ACCES|PERM|ISDIR|NOTDIR|NOTEMPTY|ROFS|NOSPC|FBIG|XDEV|LOOP|NAMETOOLONG|INVAL|BUSY|NOTSUP|IO|TIMEDOUT)$/;

/** What browsers' exceptions mean for files. */
const exceptions: Readonly<Record<string, string>> = {
  InvalidModificationError: "ENOTEMPTY",
  NoModificationAllowedError: "EBUSY",
  NotAllowedError: "EACCES",
  NotFoundError: "ENOENT",
  NotSupportedError: "ENOTSUP",
  QuotaExceededError: "ENOSPC",
  SecurityError: "EACCES",
  TimeoutError: "ETIMEDOUT",
  TypeMismatchError: "ENOTDIR",
};

/** An error of a file operation. */
export class DriverError extends Error {
  readonly code: string;

  constructor(code: string, message = code) {
    super(message);
    this.code = code;
  }
}

/** The errno name for whatever was thrown. */
export function errnoOf(error: unknown): string {
  if (typeof error === "object" && error !== null) {
    if ("code" in error && typeof error.code === "string" && errnos.test(error.code)) return error.code;
    if ("name" in error && typeof error.name === "string" && Object.hasOwn(exceptions, error.name))
      return exceptions[error.name] ?? "EIO";
  }
  return "EIO";
}

const kinds = ["file", "directory", "symlink"];

const count = (value: unknown, otherwise: number): number => {
  if (value === undefined) return otherwise;
  if (typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER) return Math.floor(value);
  throw new DriverError("EIO");
};

/** Kind, size, mode, modified, id. */
function fields(stat: DriverStat): number[] {
  const kind = kinds.indexOf(stat.kind);
  if (kind < 0) throw new DriverError("EIO");
  const modified = stat.modified ?? 0;
  if (typeof modified !== "number" || !Number.isFinite(modified)) throw new DriverError("EIO");
  const mode = count(stat.mode, kind === 0 ? 0o644 : kind === 1 ? 0o755 : 0o777);
  return [kind, kind === 1 ? 0 : count(stat.size, 0), mode & 0o7777, modified, count(stat.id, 0)];
}

function flat(entries: readonly DriverEntry[]): (string | number)[] {
  const all: (string | number)[] = [];
  for (const entry of entries) {
    if (typeof entry.name !== "string" || !entry.name.isWellFormed()) throw new DriverError("EIO");
    all.push(entry.name, ...fields(entry));
  }
  return all;
}

async function answer(driver: MountDriver, op: string, path: string, a: unknown): Promise<unknown> {
  switch (op) {
    case "stat": {
      const stat = await driver.stat(path);
      if (stat === null || stat === undefined) throw new DriverError("ENOENT");
      return fields(stat);
    }
    case "list":
      return flat(await driver.list(path));
    case "read": {
      const [offset, length] = a as [number, number];
      const bytes: unknown = await driver.read(path, offset, length);
      if (!(bytes instanceof Uint8Array)) throw new DriverError("EIO");
      return bytes;
    }
    case "readLink": {
      const target: unknown = await driver.readLink?.(path);
      if (typeof target !== "string" || !target.isWellFormed()) throw new DriverError("EIO");
      return target;
    }
    case "write":
      return await driver.write?.(path, a as Uint8Array);
    case "mkdir":
      return await driver.mkdir?.(path);
    case "remove":
      return await driver.remove?.(path);
    case "rename":
      return await driver.rename?.(path, a as string);
    case "symlink":
      return await driver.symlink?.(a as string, path);
    case "setMode":
      return await driver.setMode?.(path, a as number);
    case "setModified":
      return await driver.setModified?.(path, a as number);
    case "flush":
      return await driver.flush?.();
    default:
      throw new DriverError("ENOTSUP");
  }
}

/** A bit each for writing, links, modes and times. */
export function abilities(driver: MountDriver): number {
  const has = (...methods: (keyof MountDriver)[]) => methods.every((name) => typeof driver[name] === "function");
  const writing = has("write", "mkdir", "remove", "rename");
  return (
    (writing ? 1 : 0) |
    (has("readLink") && (has("symlink") || !writing) ? 2 : 0) |
    (has("setMode") ? 4 : 0) |
    (has("setModified") ? 8 : 0)
  );
}

/** A door to a driver: rejects with an errno name. */
export function doorTo(driver: MountDriver, kind = "js", seconds = 30): Door {
  return {
    kind,
    able: abilities(driver),
    seconds,
    ask: async (op, path, a, b) => {
      try {
        return await answer(driver, op, path, op === "read" ? [a, b] : a);
      } catch (error) {
        throw errnoOf(error);
      }
    },
  };
}
