//! Finds or installs what compiles Rust: natively, to wasm32 (rustup's target, else Debian's compiler with its library sources), and wasm-bindgen.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { cacheFolder } from "../cache.mjs";
import { ask, Blocked, root, run, say } from "../say.mjs";
import { aptInstall, aptLine } from "./apt.mjs";

const target = "wasm32-unknown-unknown";
const debianPackages = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
const debianSources = "/usr/lib/rustlib/src/rust/library/std";

const versionOf = (text) =>
  /(\d+)\.(\d+)\.\d+/
    .exec(text ?? "")
    ?.slice(1, 3)
    .map(Number) ?? null;

/** The least Rust version, out of Cargo.toml. */
function needed() {
  return versionOf(`${/rust-version = "([\d.]+)"/.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))?.[1]}.0`);
}

function recentEnough(version) {
  const least = needed();
  return version !== null && (version[0] > least[0] || (version[0] === least[0] && version[1] >= least[1]));
}

/** A compiler pair of one folder, or null where it is missing or too old. */
function pairIn(folder) {
  const cargo = join(folder, "cargo");
  const rustc = join(folder, "rustc");
  if (!existsSync(cargo) || !existsSync(rustc)) return null;
  return recentEnough(versionOf(ask(rustc, ["--version"], { cwd: root }))) ? { cargo, rustc, folder } : null;
}

function findNative() {
  const folders = [...(process.env.PATH ?? "").split(delimiter), join(homedir(), ".cargo/bin"), "/usr/bin"];
  for (const folder of new Set(folders.filter(Boolean))) {
    const pair = pairIn(folder);
    if (pair) return pair;
  }
  return null;
}

/** The environment in which `cargo` is the one that was found. */
function environment(pair) {
  return { ...process.env, PATH: `${pair.folder}${delimiter}${process.env.PATH ?? ""}` };
}

/** The native toolchain: `{ cargo, env }`. */
export async function nativeRust() {
  let pair = findNative();
  if (!pair && ask("rustup", ["--version"]) === null && (await aptInstall(["rustc-web", "cargo-web"])))
    pair = pairIn("/usr/bin");
  if (!pair) {
    throw new Blocked(
      `Rust ${needed().join(".")} or newer is missing. Get it from https://rustup.rs (or \`rustup update\`), on Debian also with \`${aptLine(["rustc-web", "cargo-web"])}\`, then run this again.`,
    );
  }
  return { cargo: pair.cargo, env: environment(pair) };
}

function hasTarget(rustc) {
  const sysroot = ask(rustc, ["--print", "sysroot"], { cwd: root });
  return sysroot !== null && existsSync(join(sysroot, "lib/rustlib", target, "lib"));
}

function rustupAdd() {
  if (ask("rustup", ["--version"]) === null) return false;
  say(`rustup target add ${target}`);
  return ask("rustup", ["target", "add", target], { cwd: root, timeout: 180_000 }) !== null;
}

/** A linker for wasm: LLVM's of the distribution, or the one inside a rustup toolchain. */
function findLinker() {
  for (const version of ["", ...Array.from({ length: 10 }, (_, index) => `-${23 - index}`)]) {
    const path = `/usr/bin/wasm-ld${version}`;
    if (existsSync(path)) return path;
  }
  const toolchains = join(process.env.RUSTUP_HOME || join(homedir(), ".rustup"), "toolchains");
  for (const name of existsSync(toolchains) ? readdirSync(toolchains) : []) {
    const lib = join(toolchains, name, "lib/rustlib");
    for (const host of existsSync(lib) ? readdirSync(lib) : []) {
      const path = join(lib, host, "bin/rust-lld");
      if (existsSync(path)) return path;
    }
  }
  return null;
}

function debianReady() {
  const pair = pairIn("/usr/bin");
  const linker = findLinker();
  return pair && linker && existsSync(debianSources) ? { pair, linker } : null;
}

async function debianWasm() {
  const ready = debianReady() ?? ((await aptInstall(debianPackages)) ? debianReady() : null);
  if (!ready) return null;
  const env = {
    ...environment(ready.pair),
    RUSTC: ready.pair.rustc,
    RUSTC_BOOTSTRAP: "1",
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: ready.linker,
  };
  return {
    cargo: ready.pair.cargo,
    env,
    args: ["-Zbuild-std=std,panic_abort"],
    way: "Debian's compiler",
    clippy: false,
  };
}

/**
 * The toolchain for wasm32: `{ cargo, env, args, way, clippy }`. `TABSH_WASM_RUST=rustup|debian` forces one of the two ways.
 */
export async function wasmRust() {
  const forced = process.env.TABSH_WASM_RUST;
  const native = findNative();
  if (forced !== "debian" && native && (hasTarget(native.rustc) || rustupAdd()) && hasTarget(native.rustc)) {
    return { cargo: native.cargo, env: environment(native), args: [], way: "the installed target", clippy: true };
  }
  const debian = forced === "rustup" ? null : await debianWasm();
  if (debian) return debian;
  throw new Blocked(
    `No Rust compiler for ${target}. With rustup: \`rustup target add ${target}\`; on Debian: \`${aptLine(debianPackages)}\`. Then run this again.`,
  );
}

/** The version of wasm-bindgen that Cargo.lock asks for. */
function bindgenVersion() {
  const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
  const version = /name = "wasm-bindgen"\nversion = "([^"]+)"/.exec(lock)?.[1];
  if (!version) throw new Blocked("Cargo.lock names no version of wasm-bindgen.");
  return version;
}

/** The path of the wasm-bindgen program in the locked version; compiled once per machine. */
export async function wasmBindgen() {
  const version = bindgenVersion();
  if (ask("wasm-bindgen", ["--version"])?.endsWith(` ${version}`)) return "wasm-bindgen";
  const folder = join(cacheFolder, `wasm-bindgen-${version}`);
  const program = join(folder, "bin/wasm-bindgen");
  if (existsSync(program)) return program;
  const { cargo, env } = await nativeRust();
  say(`compiling wasm-bindgen ${version} (once per machine, some minutes)`);
  const install = (...extra) => {
    const args = ["install", "wasm-bindgen-cli", "--version", version, "--root", folder, "--quiet", ...extra];
    return run(cargo, args, { env: { ...env, CARGO_TARGET_DIR: undefined } });
  };
  // The published lock file may name a crate that the registry at hand does not have.
  if ((await install("--locked")) !== 0 && (await install()) !== 0) {
    throw new Blocked(
      `wasm-bindgen ${version} could not be compiled (the lines above say why). \`cargo install wasm-bindgen-cli --version ${version}\` is the way by hand.`,
    );
  }
  return program;
}
