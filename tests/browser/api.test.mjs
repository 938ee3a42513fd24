//! The package's public API in real browsers: results, streams, input, cancelling, files.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { root } from "../../scripts/say.mjs";
import { serve } from "../../scripts/serve.mjs";
import { launch, names, newProfile, until } from "./drivers.mjs";

for (const name of names) {
  describe(name, () => {
    let site;
    let profile;
    let browser;
    let page;

    /** Runs an async function on the page with a fresh shell `sh`. */
    const on = (code, argument) =>
      page.evaluate(
        async ({ code, argument }) => {
          const sh = await globalThis.createShell();
          try {
            // The code comes from this file; the fixture page has no content security policy.
            return await new Function("sh", "argument", `return (${code})(sh, argument)`)(sh, argument);
          } finally {
            sh.close();
          }
        },
        { code: String(code), argument },
      );

    before(async () => {
      site = await serve({ folder: root });
      profile = newProfile();
      browser = await launch(name, profile.folder);
      page = await browser.newPage();
      await page.goto(`${site.url}tests/browser/fixture.html`);
      await until(
        () => page.evaluate(() => "createShell" in globalThis),
        () => "the fixture did not load",
      );
    });

    after(async () => {
      await browser?.close();
      await site?.close();
      profile?.remove();
    });

    test("a result has code, output and errors", async () => {
      const result = await on(async (sh) => ({
        ...(await sh.exec("echo out; echo err >&2; exit 3")),
        stdoutBytes: null,
      }));
      assert.equal(result.kind, "exit");
      assert.equal(result.code, 3);
      assert.equal(result.stdout, "out\n");
      assert.equal(result.stderr, "err\n");
    });

    test("a program that does not parse is rejected with its issues, and nothing runs", async () => {
      const { kind, code, stdout, issues } = await on((sh) => sh.exec("echo one; if then"));
      assert.deepEqual({ kind, code, stdout }, { kind: "rejected", code: 2, stdout: "" });
      assert.ok(issues.length > 0 && issues[0].message !== "" && issues[0].span.length === 2);
    });

    test("state lasts from call to call, and shells are apart", async () => {
      const seen = await on(async (sh) => {
        await sh.exec("cd /tmp; x=1; f() { echo f-$x; }");
        const other = await globalThis.createShell();
        const second = await other.exec("echo [$x] $PWD");
        other.close();
        return [(await sh.exec("f; pwd")).stdout, second.stdout];
      });
      assert.deepEqual(seen, ["f-1\n/tmp\n", "[] /home/user\n"]);
    });

    test("options set variables, directory and files", async () => {
      const seen = await on(async () => {
        const sh = await globalThis.createShell({
          env: { GREETING: "hi" },
          cwd: "/work",
          files: { "a.txt": "text\n", "sub/b.bin": new Uint8Array([0, 255]) },
        });
        const { stdout } = await sh.exec("echo $GREETING; pwd; cat a.txt; wc -c < sub/b.bin");
        sh.close();
        return stdout;
      });
      assert.equal(seen, "hi\n/work\ntext\n2\n");
    });

    test("output is iterable while the program runs, and whole characters come", async () => {
      const seen = await on(async (sh) => {
        const start = performance.now();
        const chunks = [];
        for await (const { stream, text } of sh.exec("printf 'é1\\n'; sleep 0.5; printf 'ü2\\n' >&2")) {
          chunks.push({ stream, text, late: performance.now() - start > 400 });
        }
        return chunks;
      });
      assert.deepEqual(seen, [
        { stream: "stdout", text: "é1\n", late: false },
        { stream: "stderr", text: "ü2\n", late: true },
      ]);
    });

    test("leaving the loop stops an endless program", async () => {
      const seen = await on(async (sh) => {
        const run = sh.exec("yes");
        for await (const { text } of run) if (text.includes("y")) break;
        return (await run).kind;
      });
      assert.equal(seen, "aborted");
    });

    test("an endless program waits for its reader", async () => {
      const held = await on(async (sh) => {
        let bytes = 0;
        const run = sh.exec("yes");
        for await (const chunk of run) {
          bytes += chunk.bytes.length;
          if (bytes > 100_000) break;
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
        return (await run).stdout.length;
      });
      assert.ok(held < 4 * 1024 * 1024, `${held} bytes were produced for a slow reader`);
    });

    test("input comes from text, bytes and streams", async () => {
      const seen = await on(async (sh) => {
        async function* slowly() {
          for (const part of ["one\n", "two\n"]) {
            await new Promise((resolve) => setTimeout(resolve, 50));
            yield part;
          }
        }
        const inputs = ["text\n", new Uint8Array([98, 10]), slowly()];
        const out = [];
        for (const stdin of inputs) out.push((await sh.exec("cat", { stdin })).stdout);
        return out;
      });
      assert.deepEqual(seen, ["text\n", "b\n", "one\ntwo\n"]);
    });

    test("a signal stops a run, a timeout too, and an aborted signal runs nothing", async () => {
      const seen = await on(async (sh) => {
        const stopping = new AbortController();
        setTimeout(() => stopping.abort(), 200);
        const stopped = await sh.exec("x=before; while true; do :; done", { signal: stopping.signal });
        const late = await sh.exec("sleep 30", { timeoutMs: 100 });
        const never = await sh.exec("echo ran > /tmp/ran", { signal: AbortSignal.abort() });
        const after = await sh.exec("echo $x; test -e /tmp/ran; echo $?");
        return [stopped.kind, stopped.code, late.kind, late.code, never.kind, after.stdout];
      });
      assert.deepEqual(seen, ["aborted", 130, "limit", 124, "aborted", "before\n1\n"]);
    });

    test("files: read, write, list, stat, mkdir, move, remove", async () => {
      const seen = await on(async (sh) => {
        await sh.fs.mkdir("/tmp/a/b", { recursive: true });
        await sh.fs.write("/tmp/a/b/f", "é");
        await sh.fs.write("/tmp/a/b/g", new Uint8Array([0, 1, 255]));
        await sh.fs.move("/tmp/a/b/f", "/tmp/a/f");
        const list = (await sh.fs.list("/tmp/a")).map(({ name, kind, size }) => [name, kind, size]);
        const bytes = [...(await sh.fs.read("/tmp/a/b/g"))];
        const text = await sh.fs.readText("/tmp/a/f");
        const { kind, modified } = await sh.fs.stat("/tmp/a");
        await sh.fs.remove("/tmp/a", { recursive: true });
        const errors = [];
        for (const attempt of [
          () => sh.fs.read("/tmp/a"),
          () => sh.fs.mkdir("/tmp"),
          () => sh.fs.write("/no/way", "x"),
        ]) {
          await attempt().catch((error) => errors.push([error.name, error.code]));
        }
        return { list, bytes, text, kind, recent: Math.abs(Date.now() - modified) < 60_000, errors };
      });
      assert.deepEqual(seen, {
        list: [
          ["b", "directory", 0],
          ["f", "file", 2],
        ],
        bytes: [0, 1, 255],
        text: "é",
        kind: "directory",
        recent: true,
        errors: [
          ["TabshError", "ENOENT"],
          ["TabshError", "EEXIST"],
          ["TabshError", "ENOENT"],
        ],
      });
    });

    test("__proto__ is a name like any other", async () => {
      const seen = await on(async (sh) => {
        await sh.fs.write("/tmp/__proto__", "data");
        return [(await sh.exec("cat /tmp/__proto__; ls /tmp")).stdout, {}.polluted ?? null];
      });
      assert.deepEqual(seen, ["data__proto__\n", null]);
    });

    test("a crash ends runs with the kind `crash`, and the next one works", async () => {
      const seen = await on(async (sh) => {
        const run = sh.exec("sleep 30");
        const Real = Worker.prototype.postMessage;
        let worker = null;
        Worker.prototype.postMessage = function (...parameters) {
          worker = this;
          return Real.apply(this, parameters);
        };
        await sh.exec("true");
        Worker.prototype.postMessage = Real;
        worker.postMessage({ type: "panic" });
        const { kind, stderr } = await run;
        return [kind, stderr.includes("restarted"), (await sh.exec("echo back")).stdout];
      });
      assert.deepEqual(seen, ["crash", true, "back\n"]);
    });
  });
}
