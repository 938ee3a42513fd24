//! How the scripts speak and run programs: one line per step, and one clear sentence where they cannot go on.

import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of the clone, with a trailing slash. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** A failure that a person can act on: printed without a stack. */
export class Blocked extends Error {}

/** Prints one step. */
export function say(text) {
  console.log(`tabsh: ${text}`);
}

/** Runs `main` and turns a failure into its message and exit status 1. */
export async function guarded(main) {
  try {
    await main();
  } catch (error) {
    console.error(`\ntabsh: ${error instanceof Blocked ? error.message : error.stack}`);
    process.exitCode = 1;
  }
}

/** The program's trimmed standard output, or null where it is missing or fails. */
export function ask(program, args = [], options = {}) {
  const done = spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], ...options });
  return done.status === 0 ? done.stdout.trim() : null;
}

/** Runs a program with its output shown; resolves with its exit status (127 where it cannot start). */
export function run(program, args = [], options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], ...options });
    child.on("error", () => resolve(127));
    child.on("close", (code, signal) => resolve(code ?? (signal ? 128 : 1)));
  });
}

/** Runs a program, passes its output on and keeps it; resolves with `{ code, output }`. */
export function runKeeping(program, args = [], options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    const keep = (to) => (chunk) => {
      output += chunk;
      to.write(chunk);
    };
    child.stdout.on("data", keep(process.stdout));
    child.stderr.on("data", keep(process.stderr));
    child.on("error", (error) => resolve({ code: 127, output: String(error) }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a program that must succeed; `otherwise` is the sentence for the person when it does not. */
export async function must(program, args, otherwise, options = {}) {
  const code = await run(program, args, options);
  if (code !== 0) throw new Blocked(otherwise ?? `${program} ${args.join(" ")} ended with status ${code}`);
}
