//! Runs the corpus cases marked `bash: same` in the real bash and prints those that differ.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { corpus, differences } from "./corpus.mjs";

/** Writes a case's files below a directory. */
function writeFiles(home, files) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, name);
    if (name.endsWith("/")) mkdirSync(path, { recursive: true });
    else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === "string" ? content : Buffer.from(content.base64, "base64"));
    }
  }
}

/** Runs one case in a directory of its own. */
function runInBash(one) {
  const home = mkdtempSync(join(tmpdir(), "tabsh-bash-"));
  try {
    writeFiles(home, one.files);
    const done = spawnSync("bash", ["-c", one.script], {
      cwd: home,
      input: one.stdin ?? "",
      env: { HOME: home, PATH: process.env.PATH, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
      timeout: 10_000,
    });
    // Cases are written for /home/user; a directory's own name must not show.
    const text = (bytes) => bytes.toString().replaceAll(home, "/home/user");
    return { code: done.status, stdout: text(done.stdout), stderr: text(done.stderr) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

let passed = 0;
const failed = [];
try {
  execFileSync("bash", ["--version"]);
} catch {
  process.stdout.write("bash is missing here: the cases marked `bash: same` are not compared\n");
  process.exit(0);
}
for (const one of corpus().filter(({ bash }) => bash === "same")) {
  const wrong = differences(one, runInBash(one)).filter((difference) => !difference.startsWith("stderr"));
  if (wrong.length === 0) passed += 1;
  else failed.push(`${one.id}\n${one.script}\n${wrong.join("\n")}`);
}
for (const text of failed) process.stdout.write(`${text}\n\n`);
process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
process.exit(failed.length === 0 ? 0 : 1);
