//! Two tabs on one volume, and tabs and browsers that die while they write.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { launch, names, newProfile, until } from "./drivers.mjs";
import { Playground } from "./playground.mjs";

const writing =
  'i=0; while true; do i=$((i+1)); echo "number $i" > n-$((i % 20)); echo "line $i" >> lines; [ -e moved ] && mv moved there || mv there moved; done';

/** What the files must look like whatever was killed: whole lines, in order, one of two names. */
async function checkWhole(shell) {
  const lines = (await shell.run("wc -l < lines")).trim();
  assert.equal(
    await shell.run('i=0; while read -r w n; do i=$((i+1)); [ "$n" = $i ] || echo bad $n; done < lines; echo $i'),
    lines,
  );
  assert.equal(await shell.run("cat n-* | grep -cv '^number [0-9][0-9]*$'"), "0");
  assert.equal(await shell.run("ls moved there 2>/dev/null | wc -l"), "1");
  assert.equal(await shell.run("cat moved there 2>/dev/null"), "the one");
}

for (const name of names) {
  describe(name, () => {
    let site;
    let profile;
    let browser;

    before(async () => {
      site = await serve();
      profile = newProfile();
      browser = await launch(name, profile.folder);
    });

    after(async () => {
      await browser?.close().catch(() => {});
      await site?.close();
      profile?.remove();
    });

    const storage = (shell) => shell.page.evaluate(() => document.getElementById("storage").dataset.state);

    test("a second tab reads, says so, and takes over when the first closes", async () => {
      const first = await Playground.open(browser, site.url);
      await first.run("echo from-first > shared.txt");
      const second = await Playground.open(browser, site.url);
      assert.match(await second.text(), /read-only: another tab/);
      assert.equal(await storage(second), "readonly");
      assert.equal(await second.run("cat shared.txt"), "from-first");
      assert.match(await second.run("echo from-second > shared.txt"), /Read-only file system/);
      await first.page.front();
      assert.equal(await first.run("echo again >> shared.txt; cat shared.txt"), "from-first\nagain");
      await first.page.close();
      await second.page.front();
      await until(
        async () => (await storage(second)) === "saved",
        () => storage(second),
      );
      assert.equal(
        await second.run("echo from-second >> shared.txt; cat shared.txt"),
        "from-first\nagain\nfrom-second",
      );
      await second.page.close();
    });

    test("a tab that dies while it writes loses no finished command and tears nothing", async () => {
      const shell = await Playground.open(browser, site.url);
      await shell.run("rm -rf kill; mkdir kill; cd kill; echo 'the one' > there; echo finished > finished.txt");
      await shell.enter(writing);
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await shell.page.close();
      const again = await Playground.open(browser, site.url);
      assert.equal(await again.run("cd kill; cat finished.txt"), "finished");
      await checkWhole(again);
      await again.page.close();
    });

    test("a browser that is killed while it writes, too", async () => {
      const shell = await Playground.open(browser, site.url);
      await shell.run("rm -rf kill; mkdir kill; cd kill; echo 'the one' > there; echo finished > finished.txt");
      await shell.enter(writing);
      await new Promise((resolve) => setTimeout(resolve, 2500));
      browser.kill();
      await browser.close().catch(() => {});
      browser = await launch(name, profile.folder);
      const again = await Playground.open(browser, site.url);
      assert.equal(await again.run("cd kill; cat finished.txt"), "finished");
      await checkWhole(again);
    });
  });
}
