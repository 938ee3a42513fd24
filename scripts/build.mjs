//! Builds everything a page needs: kernel to wasm, the npm package to pkg/dist, the site to www/dist. Steps whose inputs are unchanged are skipped.

import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fingerprint, unlessDone } from "./cache.mjs";
import { guarded, must, root, say } from "./say.mjs";
import { bin, npmPackages } from "./setup/node.mjs";
import { wasmBindgen, wasmRust } from "./setup/rust.mjs";

const wasmFlags = "-C target-feature=+simd128,+bulk-memory";
/** For `--quick` builds while developing: fast to compile, slow to run. */
const quickProfile = {
  CARGO_PROFILE_WASM_LTO: "off",
  CARGO_PROFILE_WASM_CODEGEN_UNITS: "64",
  CARGO_PROFILE_WASM_OPT_LEVEL: "1",
  CARGO_PROFILE_WASM_INCREMENTAL: "true",
};
const scripts = ["scripts/build.mjs", "package-lock.json"];
const kilobytes = (path) => `${Math.round(statSync(join(root, path)).size / 1024)} KB`;

/** The wasm files: the kernel, and what a page loads on first use of a command. Names of Rust's outputs and packages. */
const wasmFiles = [
  { name: "kernel", package: "tabsh", output: "tabsh" },
  { name: "jq", package: "tabsh-module-jq", output: "jq" },
];

/** Compiles all of it in one go and writes the glue and the wasm to pkg/generated. */
async function compileWasm(rust, bindgen, optimise) {
  say(`compiling the kernel and its modules to wasm with ${rust.way}`);
  const targetFolder = process.env.CARGO_TARGET_DIR || join(root, "target");
  const packages = wasmFiles.flatMap((file) => ["--package", file.package]);
  const args = [
    "build",
    ...packages,
    "--lib",
    "--locked",
    "--target",
    "wasm32-unknown-unknown",
    "--profile",
    "wasm",
    ...rust.args,
  ];
  await must(rust.cargo, args, "the kernel does not compile for wasm", {
    env: {
      ...rust.env,
      ...(optimise ? {} : quickProfile),
      CARGO_TARGET_DIR: targetFolder,
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: wasmFlags,
    },
  });
  for (const { name, output } of wasmFiles) {
    const compiled = join(targetFolder, `wasm32-unknown-unknown/wasm/${output}.wasm`);
    await must(bindgen, ["--target", "web", "--out-dir", "pkg/generated", "--out-name", name, compiled]);
  }
}

/** Each wasm file as `pkg/generated/NAME.{js,d.ts}` and the optimised `pkg/dist/NAME.wasm`. */
export async function buildWasm({ optimise = true } = {}) {
  const key = fingerprint(["src", "modules", "Cargo.toml", "Cargo.lock", ...scripts], String(optimise));
  const outputs = wasmFiles.flatMap(({ name }) => [`pkg/generated/${name}.js`, `pkg/dist/${name}.wasm`]);
  const built = await unlessDone("pkg/generated/stamp", key, outputs, async () => {
    await compileWasm(await wasmRust(), await wasmBindgen(), optimise);
    mkdirSync(join(root, "pkg/dist"), { recursive: true });
    if (!optimise) {
      for (const { name } of wasmFiles)
        cpSync(join(root, `pkg/generated/${name}_bg.wasm`), join(root, `pkg/dist/${name}.wasm`));
      return;
    }
    say("optimising the wasm");
    const features = [
      "--enable-simd",
      "--enable-bulk-memory",
      "--enable-nontrapping-float-to-int",
      "--enable-sign-ext",
      "--enable-mutable-globals",
      "--enable-reference-types",
      "--enable-multivalue",
      "--enable-bulk-memory-opt",
    ];
    for (const { name } of wasmFiles) {
      const [from, to] = [`pkg/generated/${name}_bg.wasm`, `pkg/dist/${name}.wasm`];
      await must(bin("wasm-opt"), ["-Os", ...features, from, "-o", to]);
    }
  });
  for (const { name } of wasmFiles)
    say(built ? `${name}.wasm: ${kilobytes(`pkg/dist/${name}.wasm`)}` : `${name}.wasm is up to date`);
}

const common = {
  bundle: true,
  minify: true,
  sourcemap: false,
  target: "es2022",
  logLevel: "warning",
  absWorkingDir: root,
  legalComments: "none",
  loader: { ".css": "text" },
};

/** The npm package: scripts by esbuild, declarations by tsc. */
export async function buildPackage() {
  const glue = wasmFiles.map(({ name }) => `pkg/generated/${name}.js`);
  const key = fingerprint(["pkg/src", "pkg/tsconfig.json", "pkg/package.json", ...glue, ...scripts]);
  const built = await unlessDone(
    "pkg/dist/stamp",
    key,
    ["pkg/dist/index.js", "pkg/dist/worker.js", "pkg/dist/jq.js", "pkg/dist/index.d.ts"],
    async () => {
      const { build } = await import("esbuild");
      await build({
        ...common,
        entryPoints: ["pkg/src/worker.ts"],
        outfile: "pkg/dist/worker.js",
        format: "iife",
        define: { "import.meta.url": '""' },
      });
      await build({
        ...common,
        entryPoints: ["pkg/src/index.ts", "pkg/src/elements.ts", "pkg/src/auto.ts"],
        outdir: "pkg/dist",
        format: "esm",
        splitting: true,
        chunkNames: "chunk-[hash]",
        external: ["./main-thread.js"],
      });
      await build({
        ...common,
        entryPoints: ["pkg/src/main-thread.ts", "pkg/src/module/jq.ts", "pkg/src/modules.ts"],
        outdir: "pkg/dist",
        entryNames: "[name]",
        format: "esm",
        define: { "import.meta.url": '""' },
      });
      await must(bin("tsc"), ["-p", "pkg", "--emitDeclarationOnly"], "the package's types do not check");
    },
  );
  say(built ? "pkg/dist is built" : "pkg/dist is up to date");
}

/** The site: a static folder that works at any path. */
export async function buildSite() {
  const key = fingerprint(["www/src", "www/index.html", "www/style.css", "www/icon.svg", "pkg/dist", ...scripts]);
  const built = await unlessDone("www/dist/stamp", key, ["www/dist/index.html", "www/dist/playground.js"], async () => {
    rmSync(join(root, "www/dist"), { recursive: true, force: true });
    const { build } = await import("esbuild");
    await build({
      ...common,
      entryPoints: ["www/src/playground.ts"],
      outdir: "www/dist",
      format: "esm",
      external: ["./main-thread.js"],
    });
    for (const name of ["worker.js", "kernel.wasm", "main-thread.js", "jq.js", "jq.wasm"])
      cpSync(join(root, "pkg/dist", name), join(root, "www/dist", name));
    for (const name of ["index.html", "style.css", "icon.svg"])
      writeFileSync(join(root, "www/dist", name), readFileSync(join(root, "www", name)));
  });
  say(built ? "www/dist is built" : "www/dist is up to date");
}

/** Everything, in order. */
export async function buildAll(options) {
  await npmPackages();
  await buildWasm(options);
  await buildPackage();
  await buildSite();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await guarded(() => buildAll({ optimise: !process.argv.includes("--quick") }));
}
