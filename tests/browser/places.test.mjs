//! Where the kernel runs: a worker by URL, a worker from another origin, the page itself; and what a strict policy allows.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { root } from "../../scripts/say.mjs";
import { serve } from "../../scripts/serve.mjs";
import { launch, names, newProfile, until } from "./drivers.mjs";
import { Playground } from "./playground.mjs";

const loaded = (page) =>
  until(
    () => page.evaluate(() => "createShell" in globalThis),
    () => "the fixture did not load",
  );

/** Echoes in a fresh shell of the page and answers where it ran. */
const modeOf = (page) =>
  page.evaluate(async () => {
    const sh = await globalThis.createShell();
    const { stdout } = await sh.exec("echo here");
    return [sh.mode, stdout];
  });

for (const name of names) {
  describe(name, () => {
    let profile;
    let browser;
    let site;
    let page;

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

    test("scripts from the page's origin start a worker by URL", async () => {
      page = await browser.newPage();
      await page.goto(`${site.url}tests/browser/fixture.html`);
      await loaded(page);
      assert.deepEqual(await modeOf(page), ["worker", "here\n"]);
      await page.close();
    });

    test("scripts from another origin start a worker from a blob", async () => {
      const other = await serve({ folder: root });
      page = await browser.newPage();
      await page.goto(`${other.url}tests/browser/fixture.html?from=${encodeURIComponent(site.url)}`);
      await loaded(page);
      assert.deepEqual(await modeOf(page), ["blob-worker", "here\n"]);
      await page.close();
      await other.close();
    });

    test("without workers the kernel runs on the page, which stays responsive", async () => {
      page = await browser.newPage();
      await page.beforeLoad(() => {
        delete globalThis.Worker;
      });
      await page.goto(`${site.url}tests/browser/fixture.html`);
      await loaded(page);
      assert.deepEqual(await modeOf(page), ["main-thread", "here\n"]);
      const longest = await page.evaluate(async () => {
        const sh = await globalThis.createShell();
        const stop = new AbortController();
        const run = sh.exec("while true; do :; done", { signal: stop.signal });
        let last = performance.now();
        let gap = 0;
        for (let turn = 0; turn < 20; turn += 1) {
          await new Promise((resolve) => setTimeout(resolve, 10));
          gap = Math.max(gap, performance.now() - last);
          last = performance.now();
        }
        stop.abort();
        await run;
        return gap;
      });
      assert.ok(longest < 100, `the page was busy for ${Math.round(longest)} ms`);
      await page.close();
    });

    test("a strict content security policy is not violated", async () => {
      const policy =
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'";
      const strict = await serve({
        headers: (file) => (file.endsWith(".html") ? { "content-security-policy": policy } : {}),
      });
      const playground = await Playground.open(browser, strict.url, () => {
        globalThis.violations = [];
        addEventListener("securitypolicyviolation", (event) =>
          globalThis.violations.push(
            `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
          ),
        );
      });
      assert.equal(await playground.run("printf '\\033[31mred\\033[0m\\n'"), "red");
      assert.deepEqual(await playground.page.evaluate(() => globalThis.violations), []);
      await playground.page.close();
      await strict.close();
    });
  });
}
