//! The playground in real browsers: typing, pasting, streaming, interrupting, dropping, reloading, crashing.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { launch, names, newProfile, until } from "./drivers.mjs";
import { accessLog, topFive } from "./log.mjs";
import { Playground } from "./playground.mjs";

for (const name of names) {
  describe(name, () => {
    let site;
    let profile;
    let browser;
    let shell;

    before(async () => {
      site = await serve({ base: "/some/where/" });
      profile = newProfile();
      browser = await launch(name, profile.folder);
      shell = await Playground.open(browser, site.url);
    });

    after(async () => {
      await browser?.close();
      await site?.close();
      profile?.remove();
    });

    test("runs without cross-origin isolation, in a worker", async () => {
      assert.equal(await shell.page.evaluate(() => crossOriginIsolated), false);
      assert.equal(await shell.page.evaluate(() => typeof SharedArrayBuffer), "undefined");
      assert.match(await shell.page.evaluate(() => document.getElementById("mode").textContent), /worker/);
    });

    test("a typed line runs", async () => {
      assert.equal(await shell.run("echo hello $((6 * 7))"), "hello 42");
    });

    test("pasted lines run", async () => {
      await shell.page.evaluate(() =>
        document.querySelector("tabsh-terminal").paste("for i in a b\ndo echo got-$i\ndone"),
      );
      await shell.page.press("Enter");
      await shell.sees("got-a\ngot-b");
      await shell.ready();
    });

    test("output appears while it is produced", async () => {
      await shell.run("clear");
      await shell.enter("for i in 1 2 3; do echo tick-$i; sleep 1; done");
      await shell.sees("tick-1\n");
      assert.ok(!(await shell.text()).includes("tick-2\n"), "the second line came with the first");
      await shell.sees("tick-2");
      await shell.sees("tick-3");
      await shell.ready();
    });

    for (const endless of ["while true; do :; done", "yes"]) {
      test(`Ctrl-C stops ${endless} within 300 ms, the session intact`, async () => {
        await shell.run("kept=still-here; clear");
        await shell.enter(endless);
        await new Promise((resolve) => setTimeout(resolve, 700));
        const millis = await shell.page.evaluate(async () => {
          const terminal = document.querySelector("tabsh-terminal");
          const atPrompt = () => terminal.text().split("\n").pop().trimEnd().endsWith("$");
          const start = performance.now();
          terminal.shadowRoot
            .querySelector("textarea")
            .dispatchEvent(
              new KeyboardEvent("keydown", { key: "c", code: "KeyC", keyCode: 67, ctrlKey: true, bubbles: true }),
            );
          while (!atPrompt()) {
            if (performance.now() - start > 10_000) throw new Error(`no prompt: ${terminal.text().slice(-200)}`);
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
          return performance.now() - start;
        });
        assert.equal(await shell.run("echo $kept"), "still-here");
        assert.ok(millis < 300, `the prompt came after ${Math.round(millis)} ms`);
      });
    }

    test("a program reads what is typed", async () => {
      await shell.enter("read -r word; echo read-$word");
      await shell.page.type("typed");
      await shell.page.press("Enter");
      await shell.sees("read-typed");
      await shell.ready();
      await shell.enter("cat");
      await shell.enter("line for cat");
      await shell.page.chord("Control", "d");
      await shell.until((text) => text.split("line for cat").length === 3);
      await shell.ready();
    });

    test("a dropped file lands in the current directory, and never on another", async () => {
      await shell.run("mkdir -p sub; cd sub; rm -f *");
      await shell.drop("note.txt", "dropped\n");
      await shell.notice("note.txt");
      assert.equal(await shell.run("cat note.txt; pwd"), "dropped\n/home/user/sub");
      await shell.drop("note.txt", "second\n");
      await shell.notice("note-1.txt");
      assert.equal(await shell.run("cat note.txt note-1.txt; cd"), "dropped\nsecond");
    });

    test("five megabytes of log, picked, counted, and still there after a reload", async () => {
      const folder = mkdtempSync(join(tmpdir(), "tabsh-upload-"));
      const log = accessLog(5 * 1024 * 1024);
      writeFileSync(join(folder, "access.log"), log);
      await shell.run("rm -f access.log top.txt");
      await shell.page.choose("#files", [join(folder, "access.log")]);
      await shell.notice("Added access.log");
      await shell.page.evaluate(() => document.querySelector("tabsh-terminal").focus());
      const pipeline =
        "grep -v bot access.log | cut -d' ' -f1 | sort | uniq -c | sort -rn | head -5 > top.txt; cat top.txt";
      await shell.run("clear");
      const seen = await shell.run(pipeline, 60_000);
      assert.equal(seen.trimEnd(), topFive(log));
      await shell.reload();
      assert.equal((await shell.run("cat /home/user/top.txt")).trimEnd(), topFive(log));
      rmSync(folder, { recursive: true });
    });

    test("a panic restarts the kernel, says so in one line, and keeps the files", async () => {
      await shell.run("echo precious > precious.txt");
      await shell.run("clear");
      await shell.page.evaluate(() => globalThis.testWorkers.at(-1).postMessage({ type: "panic" }));
      await shell.sees("tabsh: the kernel was restarted");
      await shell.ready();
      assert.equal((await shell.text()).split("the kernel was restarted").length, 2);
      assert.equal(await shell.run("cat precious.txt"), "precious");
      assert.equal(await shell.page.evaluate(() => globalThis.testWorkers.length), 2);
    });

    test("a kernel that does not answer an interrupt is replaced after 2 seconds", async () => {
      await shell.run("clear");
      await shell.page.evaluate(() => {
        globalThis.testMute = true;
      });
      const start = Date.now();
      await shell.page.chord("Control", "c");
      await shell.page.evaluate(() =>
        setTimeout(() => {
          globalThis.testMute = false;
        }, 1000),
      );
      await shell.sees("did not answer an interrupt for 2 seconds");
      assert.ok(Date.now() - start >= 1900);
      await shell.ready();
      assert.equal(await shell.run("cat precious.txt"), "precious");
    });

    test("works at 390 pixels and by keyboard alone", async () => {
      await shell.page.size(390, 700);
      await until(
        async () => (await shell.run("echo $COLUMNS")) < 60,
        () => shell.text(),
      );
      assert.ok(await shell.page.evaluate(() => document.documentElement.scrollWidth <= 390));
      await shell.page.press("Escape");
      await shell.page.press("Tab");
      assert.notEqual(await shell.page.evaluate(() => document.activeElement?.tagName), "TABSH-TERMINAL");
    });
  });
}
