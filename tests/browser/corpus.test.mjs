//! The case corpus through the public API in real browsers: each case in a shell of its own.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { root } from "../../scripts/say.mjs";
import { serve } from "../../scripts/serve.mjs";
import { corpus, judge } from "../corpus.mjs";
import { launch, names, newProfile, until } from "./drivers.mjs";

const atOnce = 40;

/** Runs cases on the page and answers their results in order. */
function runOnPage(cases) {
  const bytes = (text) => Uint8Array.from(atob(text), (ch) => ch.charCodeAt(0));
  const content = (value) => (typeof value === "string" ? value : bytes(value.base64));
  const runOne = async ({ script, files, stdin }) => {
    const entries = Object.entries(files).map(([path, value]) => [path, content(value)]);
    const sh = await globalThis.createShell({ cwd: "/home/user", columns: 80, files: Object.fromEntries(entries) });
    const { code, stdout, stderr } = await sh.exec(script, { stdin: stdin ?? "", timeoutMs: 10_000 });
    sh.close();
    return { code, stdout, stderr };
  };
  return Promise.all(cases.map(runOne));
}

for (const name of names) {
  describe(name, () => {
    test("every case of the corpus", async () => {
      const site = await serve({ folder: root });
      const profile = newProfile();
      const browser = await launch(name, profile.folder);
      try {
        const page = await browser.newPage();
        await page.goto(`${site.url}tests/browser/fixture.html`);
        await until(
          () => page.evaluate(() => "createShell" in globalThis),
          () => "the fixture did not load",
        );
        const cases = corpus();
        const wrong = [];
        for (let at = 0; at < cases.length; at += atOnce) {
          const some = cases.slice(at, at + atOnce);
          const results = await page.evaluate(runOnPage, some);
          for (const [index, one] of some.entries()) wrong.push(...judge(one, results[index]));
        }
        console.log(`${name}: ${cases.length - wrong.length} of ${cases.length} cases hold`);
        assert.deepEqual(wrong, []);
      } finally {
        await browser.close();
        await site.close();
        profile.remove();
      }
    });
  });
}
