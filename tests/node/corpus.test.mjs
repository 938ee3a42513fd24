//! The case corpus through the wasm in Node, by the program that reads case lines.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { corpus, judge } from "../corpus.mjs";

test("every case of the corpus", () => {
  const cases = corpus();
  const input = cases.map((one) => JSON.stringify(one)).join("\n");
  const program = fileURLToPath(new URL("../cases.mjs", import.meta.url));
  const done = spawnSync(process.execPath, [program], { input, encoding: "utf8", maxBuffer: 1 << 28 });
  const results = new Map(
    done.stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => [JSON.parse(line).id, JSON.parse(line)]),
  );
  const missing = { code: null, stdout: "", stderr: "no result" };
  assert.deepEqual(
    cases.flatMap((one) => judge(one, results.get(one.id) ?? missing)),
    [],
  );
});
