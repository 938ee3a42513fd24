//! jq's module in real browsers: loaded on first use, interrupted amid a step, missing, and in every place the kernel runs in.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { root } from "../../scripts/say.mjs";
import { serve } from "../../scripts/serve.mjs";
import { launch, names, newProfile, until } from "./drivers.mjs";

const loaded = (page) =>
  until(
    () => page.evaluate(() => "createShell" in globalThis),
    () => "the fixture did not load",
  );

/** Runs one program in a fresh shell of the page. */
const exec = (page, source) =>
  page.evaluate(async (source) => {
    const sh = await globalThis.createShell();
    const { code, stdout, stderr } = await sh.exec(source);
    sh.close();
    return { code, stdout, stderr, mode: sh.mode };
  }, source);

/** The fixture and the package as a server finds them, without some files. */
function siteWithout(...missing) {
  const folder = mkdtempSync(join(tmpdir(), "tabsh-site-"));
  const kept = (path) => !missing.some((name) => path.endsWith(`/dist/${name}`));
  cpSync(join(root, "tests/browser/fixture.html"), join(folder, "tests/browser/fixture.html"));
  cpSync(join(root, "pkg/dist"), join(folder, "pkg/dist"), { recursive: true, filter: kept });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

for (const name of names) {
  describe(name, () => {
    let profile;
    let browser;
    let site;

    before(async () => {
      profile = newProfile();
      browser = await launch(name, profile.folder);
      site = await serve({ folder: root, headers: { "access-control-allow-origin": "*" } });
    });

    after(async () => {
      await browser?.close();
      await site?.close();
      profile?.remove();
    });

    const open = async (url, prepare) => {
      const page = await browser.newPage();
      if (prepare) await page.beforeLoad(prepare);
      await page.goto(url);
      await loaded(page);
      return page;
    };

    test("the module is fetched once, and many runs share its workers", async () => {
      const page = await open(`${site.url}tests/browser/fixture.html`);
      const result = await exec(
        page,
        `i=0; while [ $i -lt 100 ]; do x=$(jq -n "$i + 1"); i=$x; done; echo $i; yes '{"a":1}' | head -n 1000 | jq -c .a | jq -s length`,
      );
      assert.deepEqual([result.code, result.stdout, result.stderr], [0, "100\n1000\n", ""]);
      const fetched = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name));
      assert.ok(!fetched.some((url) => url.endsWith("jq.wasm")), "the page itself fetched the module");
      await page.close();
    });

    test("an endless filter is interrupted within 300 ms, and jq runs again", async () => {
      const page = await open(`${site.url}tests/browser/fixture.html`);
      const seen = await page.evaluate(async () => {
        const sh = await globalThis.createShell();
        await sh.exec("jq -n 1");
        const out = [];
        for (const filter of ["def f: f; f", "[range(1e9)] | length", "def f: 1 + f; f", "range(1e12)"]) {
          const stop = new AbortController();
          let stopped = 0;
          const run = sh.exec(`jq -n '${filter}' > /dev/null`, { signal: stop.signal });
          setTimeout(() => {
            stopped = performance.now();
            stop.abort();
          }, 400);
          const { kind, code, stderr } = await run;
          const took = stopped === 0 ? 0 : performance.now() - stopped;
          const again = await sh.exec("echo '[1,2]' | jq length");
          out.push({ filter, kind, code, stderr, took, again: again.stdout });
        }
        const late = await sh.exec("timeout 0.3 jq -n 'def f: f; f'; echo $?; jq -n 7");
        out.push({
          filter: "timeout",
          kind: "aborted",
          code: 130,
          took: 0,
          again: late.stdout === "124\n7\n" ? "2\n" : late.stdout,
        });
        sh.close();
        return out;
      });
      for (const { filter, kind, code, stderr, took, again } of seen) {
        assert.ok(took < 300, `${filter}: ${took} ms`);
        assert.equal(again, "2\n", filter);
        // What nests without end may end by itself, with a message.
        if (filter.includes("1 + f") && kind === "exit") assert.match(stderr, /nested too deeply/);
        else assert.deepEqual([filter, kind, code], [filter, "aborted", 130]);
      }
      await page.close();
    });

    test("a pipeline of more modules than there are workers", async () => {
      const page = await open(`${site.url}tests/browser/fixture.html`);
      const stages = Array.from({ length: 40 }, () => "jq '. + 1'").join(" | ");
      const result = await exec(page, `echo 0 | ${stages}`);
      assert.deepEqual([result.code, result.stdout, result.stderr], [0, "40\n", ""]);
      await page.close();
    });

    test("a file that is missing is an error of the command, which names it; the shell goes on", async () => {
      for (const missing of ["jq.js", "jq.wasm"]) {
        const partial = siteWithout(missing);
        const other = await serve({ folder: partial.folder });
        const page = await open(`${other.url}tests/browser/fixture.html`);
        const { code, stdout, stderr } = await exec(page, "echo 1 | jq . || echo failed; echo on");
        assert.deepEqual([code, stdout], [0, "failed\non\n"]);
        assert.match(stderr, /^jq: .*jq\.wasm could not be loaded.*belong beside kernel\.wasm/);
        await page.close();
        await other.close();
        partial.remove();
      }
    });

    test("scripts from another origin, and pages without workers", async () => {
      const other = await serve({ folder: root });
      const fixture = `${other.url}tests/browser/fixture.html?from=${encodeURIComponent(site.url)}`;
      const far = await open(fixture);
      const blob = await exec(far, "jq -n '1 + 1'");
      assert.deepEqual([blob.mode, blob.stdout, blob.stderr], ["blob-worker", "2\n", ""]);
      await far.close();
      const bare = await open(`${site.url}tests/browser/fixture.html`, () => {
        delete globalThis.Worker;
      });
      const here = await exec(bare, "jq -n '1 + 1'; jq -n 'def f: f; f'; echo $?");
      assert.deepEqual([here.mode, here.stdout], ["main-thread", "2\n5\n"]);
      assert.match(here.stderr, /more steps than the limit/);
      await bare.close();
      await other.close();
    });
  });
}
