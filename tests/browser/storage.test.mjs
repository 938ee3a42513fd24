//! What goes wrong with a browser's storage: quota, deletion, another tab in the way, denial. Each is told, loses nothing acknowledged, and the shell goes on.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { root } from "../../scripts/say.mjs";
import { serve } from "../../scripts/serve.mjs";
import { launch, names, newProfile, until } from "./drivers.mjs";

/** Runs a program in the page's shell and answers all it printed. */
const run = (page, script) =>
  page.evaluate(async (script) => {
    const { stdout, stderr } = await globalThis.sh.exec(script);
    return stdout + stderr;
  }, script);

const storage = (page) => page.evaluate(() => globalThis.sh.storage);

for (const name of names) {
  describe(name, () => {
    let site;
    let profile;
    let browser;

    const open = async (volume) => {
      const page = await browser.newPage();
      await page.goto(`${site.url}tests/browser/fixture.html`);
      await until(
        () => page.evaluate(() => "createShell" in globalThis),
        () => "the fixture did not load",
      );
      if (volume !== null)
        await page.evaluate(async (volume) => {
          globalThis.sh = await globalThis.createShell({ persist: volume });
        }, volume);
      return page;
    };

    before(async () => {
      site = await serve({ folder: root, headers: { "access-control-allow-origin": "*" } });
      profile = newProfile();
      browser = await launch(name, profile.folder);
    });

    after(async () => {
      await browser?.close();
      await site?.close();
      profile?.remove();
    });

    // Firefox has no way to set the quota of one origin from outside.
    test("a full quota is told, removing makes room, nothing acknowledged is lost", {
      skip: name !== "chromium",
    }, async () => {
      const page = await open(null);
      const session = await page.raw.context().newCDPSession(page.raw);
      const { origin } = new URL(site.url);
      // Before the first write: Chromium remembers for a while how much room there was.
      await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 4_000_000 });
      await page.evaluate(async () => {
        globalThis.sh = await globalThis.createShell({ persist: "quota" });
      });
      await run(page, "echo kept > kept; seq 1 100000 > numbers");
      const full = await run(page, "head -c 20000000 /dev/urandom > big; echo rc=$?");
      assert.match(full, /No space left on device/);
      assert.match(full, /rc=1/);
      assert.equal(await run(page, "cat kept; tail -n 1 numbers"), "kept\n100000\n");
      assert.equal(await run(page, "rm -f big numbers; echo rc=$?; echo still > still; cat still"), "rc=0\nstill\n");
      await session.send("Storage.overrideQuotaForOrigin", { origin });
      assert.equal(await run(page, "head -c 8000000 /dev/zero > big; wc -c < big; echo more >> kept"), "8000000\n");
      assert.equal((await storage(page)).state, "saved");
      await page.close();
      const again = await open("quota");
      assert.equal(
        await run(again, "cat kept still; wc -c < big; ls; fsck | cut -d, -f1"),
        "kept\nmore\nstill\n8000000\nbig\nkept\nstill\n/home/user: clean\n",
      );
      await again.close();
    });

    test("a database that is deleted while it is open is told, and the shell goes on in memory", async () => {
      const page = await open("deleted");
      await run(page, "echo one > one");
      await page.evaluate(
        () =>
          new Promise((resolve, reject) => {
            const request = indexedDB.deleteDatabase("tabsh:deleted");
            request.onsuccess = resolve;
            request.onerror = () => reject(request.error);
          }),
      );
      const after = await run(page, "echo two > two; cat two; echo alive");
      assert.match(after, /^two\nalive\n/);
      const { state, message } = await storage(page);
      assert.equal(state, "unsaved");
      assert.match(message, /not saved: the volume was closed by the browser/);
      assert.match(await run(page, "echo three > three; cat three one"), /^three\none\n/);
      await page.close();
      const again = await open("deleted");
      assert.equal(await run(again, "ls; echo new > new; cat new"), "new\n");
      assert.equal((await storage(again)).state, "saved");
      await again.close();
    });

    test("a volume that another tab keeps from being opened is told within seconds, and the shell is in memory", async () => {
      const holder = await open(null);
      await holder.evaluate(async () => {
        // Open and deaf to requests to close, so that the deletion waits, and all who come after it.
        globalThis.held = await new Promise((resolve) => {
          const request = indexedDB.open("tabsh:blocked", 1);
          request.onsuccess = () => resolve(request.result);
        });
        globalThis.deletion = indexedDB.deleteDatabase("tabsh:blocked");
        await new Promise((resolve) => {
          globalThis.deletion.onblocked = resolve;
        });
      });
      const start = Date.now();
      const page = await open("blocked");
      assert.ok(Date.now() - start < 15_000);
      const { state, message } = await storage(page);
      assert.equal(state, "memory");
      assert.match(message, /kept in memory only: another tab keeps the volume from being opened/);
      assert.equal(await run(page, "echo x > f; cat f"), "x\n");
      await holder.evaluate(() => globalThis.held.close());
      await page.close();
      const again = await open("blocked");
      assert.equal(await run(again, "echo y > f; cat f"), "y\n");
      assert.equal((await storage(again)).state, "saved");
      await again.close();
      await holder.close();
    });

    test("a database of a later version is left alone", async () => {
      const page = await open(null);
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const request = indexedDB.open("tabsh:later", 99);
            request.onsuccess = () => {
              request.result.close();
              resolve();
            };
          }),
      );
      await page.evaluate(async () => {
        globalThis.sh = await globalThis.createShell({ persist: "later" });
      });
      const { state, message } = await storage(page);
      assert.equal(state, "memory");
      assert.match(message, /written by a newer version/);
      assert.equal(await run(page, "echo x > f; cat f"), "x\n");
      await page.close();
    });

    test("where storage is denied the shell is in memory and says so", async () => {
      const page = await open(null);
      const seen = await page.evaluate(
        (url) =>
          new Promise((resolve) => {
            addEventListener("message", ({ data }) => resolve(data), { once: true });
            const frame = document.createElement("iframe");
            // An origin of its own has no storage.
            frame.sandbox.add("allow-scripts");
            frame.srcdoc = `<script type="module">
              const { createShell } = await import("${url}pkg/dist/index.js");
              try {
                const sh = await createShell({ persist: "denied" });
                const { stdout } = await sh.exec("echo x > f; cat f");
                parent.postMessage([sh.storage, stdout, sh.mode], "*");
              } catch (error) { parent.postMessage([String(error)], "*"); }
            </script>`;
            document.body.append(frame);
          }),
        site.url,
      );
      assert.equal(seen[0]?.state, "memory", JSON.stringify(seen));
      assert.match(seen[0].message, /kept in memory only: the browser does not allow storage here/);
      assert.equal(seen[1], "x\n");
      await page.close();
    });

    test("many tabs at once lose no update: one writes, the others say that they only read", async () => {
      const pages = await Promise.all([1, 2, 3].map(() => open("tabs")));
      const states = await Promise.all(pages.map(storage));
      assert.deepEqual(states.map(({ state }) => state).sort(), ["readonly", "readonly", "saved"]);
      const answers = await Promise.all(
        pages.map((page, index) => run(page, `for i in 1 2 3 4 5; do echo ${index}-$i >> log; done; echo rc=$?`)),
      );
      const writers = answers.filter((answer) => answer === "rc=0\n").length;
      assert.equal(writers, 1);
      // The writer goes; the next in line writes, after what was written.
      const writer = answers.indexOf("rc=0\n");
      await pages[writer].close();
      const rest = pages.filter((_, index) => index !== writer);
      let next;
      await until(
        async () => {
          const now = await Promise.all(rest.map(storage));
          next = rest[now.findIndex(({ state }) => state === "saved")];
          return next !== undefined;
        },
        () => "nobody took over",
      );
      assert.equal(await run(next, "echo next >> log; wc -l < log; tail -n 1 log"), "6\nnext\n");
      for (const page of rest) await page.close();
      const again = await open("tabs");
      assert.equal(await run(again, "wc -l < log"), "6\n");
      await again.close();
    });
  });
}
