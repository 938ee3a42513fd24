//! `npm test`: sets up what is missing and runs every check and test; the last line counts them.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildAll } from "./build.mjs";
import { ask, Blocked, guarded, root, runKeeping, say } from "./say.mjs";
import { browser } from "./setup/browsers.mjs";
import { bin, npmPackages } from "./setup/node.mjs";
import { nativeRust, wasmRust } from "./setup/rust.mjs";

const totals = { passed: 0, failed: 0 };
const failures = [];

/** Adds up the closing lines of cargo's, Node's and our own runners. */
function countIn(output) {
  const counts = { passed: 0, failed: 0 };
  const add = (pattern, key) => {
    for (const match of output.matchAll(pattern)) counts[key] += Number(match[1]);
  };
  add(/^test result: \S+ (\d+) passed/gm, "passed");
  add(/^test result: .*?(\d+) failed/gm, "failed");
  add(/^(?:#|ℹ) pass (\d+)/gm, "passed");
  add(/^(?:#|ℹ) fail (\d+)/gm, "failed");
  add(/^(?:\w+: )?(\d+) passed, \d+ failed/gm, "passed");
  add(/^(?:\w+: )?\d+ passed, (\d+) failed/gm, "failed");
  return counts;
}

/** Runs one step; a step without counted tests is one check. */
async function step(name, program, args, options) {
  say(`${name}: ${program.split("/").pop()} ${args.join(" ")}`);
  const { code, output } = await runKeeping(program, args, options);
  const counts = countIn(output);
  if (counts.passed + counts.failed === 0) counts[code === 0 ? "passed" : "failed"] = 1;
  else if (code !== 0 && counts.failed === 0) counts.failed = 1;
  totals.passed += counts.passed;
  totals.failed += counts.failed;
  if (counts.failed > 0) failures.push(name);
}

async function rustChecks() {
  const { cargo, env } = await nativeRust();
  const has = (tool) => ask(cargo, [tool, "--version"], { env, cwd: root }) !== null;
  if (has("fmt")) await step("formatting of the Rust code", cargo, ["fmt", "--all", "--check"], { env });
  else say("no rustfmt beside this compiler: formatting of the Rust code is not checked");
  if (has("clippy")) {
    await step("lints, native", cargo, ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], {
      env,
    });
    const wasm = await wasmRust();
    const args = [
      "clippy",
      "--workspace",
      "--lib",
      "--locked",
      "--target",
      "wasm32-unknown-unknown",
      "--",
      "-D",
      "warnings",
    ];
    if (wasm.clippy) await step("lints, wasm", wasm.cargo, args, { env: wasm.env });
  } else say("no clippy beside this compiler: lints of the Rust code are not checked");
  await step("native tests", cargo, ["test", "--workspace", "--locked", "--no-fail-fast"], { env });
}

async function webChecks() {
  await step("formatting and lints of the web code", bin("biome"), ["check", "--error-on-warnings", "."]);
  await step("types of the package", bin("tsc"), ["-p", "pkg", "--noEmit", "--emitDeclarationOnly", "false"]);
  await step("types of the site", bin("tsc"), ["-p", "www"]);
}

const testsIn = (folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .filter((name) => name.endsWith(".test.mjs"))
        .map((name) => join(folder, name))
    : [];

async function nodeTests(name, folder) {
  const files = testsIn(folder);
  if (files.length > 0)
    await step(name, process.execPath, ["--test", "--test-timeout=900000", "--test-concurrency=1", ...files]);
}

await guarded(async () => {
  await npmPackages();
  for (const name of ["chromium", "firefox"]) say(`${name}: ${await browser(name)}`);
  await rustChecks();
  await buildAll();
  await webChecks();
  await step("the corpus in the real bash", process.execPath, ["tests/bash.mjs"]);
  await nodeTests("tests in Node", "tests/node");
  await nodeTests("tests in browsers", "tests/browser");
  if (failures.length > 0) console.log(`\ntabsh: failed: ${failures.join("; ")}`);
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
  if (totals.passed === 0) throw new Blocked("no test ran");
  if (totals.failed > 0) process.exitCode = 1;
});
