//! `npm run test:kill [CHROMIUM [FIREFOX]]`: kills browsers while they write, that many times each, and checks what is there afterwards.
//!
//! The page makes numbered changes and has each acknowledged by this program before the next. So after the
//! kill the files are as after the last acknowledged change or the one after it, and nothing in between.

import { createServer } from "node:http";
import { Blocked, guarded, root, say } from "../scripts/say.mjs";
import { serve } from "../scripts/serve.mjs";
import { launch, newProfile, until } from "./browser/drivers.mjs";

const rounds = { chromium: Number(process.argv[2] ?? 100), firefox: Number(process.argv[3] ?? 20) };
const bigBytes = 6_000_000;

/** Counts acknowledgements. */
function acknowledger() {
  const state = { last: 0, url: "" };
  const server = createServer((request, response) => {
    const number = Number(/^\/ack\/(\d+)$/.exec(request.url)?.[1] ?? 0);
    if (request.method === "POST" && number > 0) state.last = number;
    response.writeHead(200, { "access-control-allow-origin": "*" }).end();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      state.url = `http://127.0.0.1:${server.address().port}/ack/`;
      resolve({ state, close: () => server.close() });
    });
  });
}

/** What the files are after a number of changes, from 0 on; the page makes the same changes. */
function after(count) {
  const small = {};
  let [big, patched, log, dir, removed] = [0, 0, 0, "a", 0];
  for (let n = 1; n <= count; n += 1) {
    switch (n % 10) {
      case 0:
        dir = dir === "a" ? "b" : "a";
        break;
      case 2:
      case 7:
        patched = n;
        break;
      case 4:
        big = n;
        break;
      case 5:
        // Odd: a tree comes by one rename; even: it goes by one recursive removal.
        removed += 1;
        break;
      case 8:
        log += 1;
        break;
      default:
        small[n % 40] = n;
    }
  }
  return { small, big, patched, log, dir, tree: removed % 2 === 1 };
}

/** On the page: brings the files to the beginning, or goes on where they are. */
async function prepare() {
  const sh = await globalThis.createShell({ persist: "kill" });
  globalThis.sh = sh;
  const run = async (script) => {
    const { code, stdout, stderr } = await sh.exec(script);
    if (code !== 0) throw new Error(`${script}: ${code} ${stdout} ${stderr}`);
    return stdout;
  };
  globalThis.run = run;
  const state = sh.storage?.state;
  const checked = await sh.exec("fsck");
  await run(`if [ ! -e ready ]; then
    rm -rf dir-a dir-b tree spare log small big patched; mkdir dir-a small spare
    i=0; while [ $i -lt 1000 ]; do echo $i > dir-a/$i; i=$((i+1)); done
    printf '0\\nmiddle\\n0\\n' > patched; : > log; : > big
    : > ready; sync
  fi; [ -e spare/49 ] || { rm -rf spare; mkdir spare; i=0; while [ $i -lt 50 ]; do echo tree > spare/$i; i=$((i+1)); done; }`);
  return { state, fsck: checked.stdout + checked.stderr, code: checked.code };
}

/** On the page: what the files are, in the shape of `after`. */
async function look() {
  const text = (path) => globalThis.sh.fs.readText(path);
  const small = {};
  const wrong = [];
  const told = (holds, what) => {
    if (!holds) wrong.push(what);
  };
  for (const { name } of await globalThis.sh.fs.list("small")) {
    const lines = (await text(`small/${name}`)).split("\n");
    small[name] = Number(lines[0]);
    told(
      lines.length === 101 && lines.every((line, at) => line === (at === 100 ? "" : lines[0])),
      `small/${name} is torn`,
    );
  }
  const names = new Set((await globalThis.sh.fs.list(".")).map(({ name }) => name));
  told(names.has("dir-a") !== names.has("dir-b"), "the directory has two names or none");
  const dir = names.has("dir-a") ? "a" : "b";
  told((await globalThis.sh.fs.list(`dir-${dir}`)).length === 1000, "the directory lost entries");
  for (const at of [0, 500, 999]) told((await text(`dir-${dir}/${at}`)) === `${at}\n`, `dir/${at} is torn`);
  const bytes = await globalThis.sh.fs.read("big");
  const line = new TextDecoder().decode(bytes.subarray(0, 20)).split("\n")[0] ?? "";
  const repeated = new TextEncoder().encode(`${line}\n`);
  told(bytes.length === 0 || bytes.length === globalThis.bigBytes, `big has ${bytes.length} bytes`);
  told(
    bytes.every((byte, at) => byte === repeated[at % repeated.length]),
    "big is torn",
  );
  const edited = (await text("patched")).split("\n");
  told(edited.length === 4 && edited[0] === edited[2] && edited[1] === "middle", `patched is torn: ${edited}`);
  const log = (await text("log")).split("\n");
  told(
    log.every((one, at) => one === (at === log.length - 1 ? "" : `line ${at + 1}`)),
    "log is torn",
  );
  const tree = names.has("tree");
  if (tree) told((await globalThis.sh.fs.list("tree")).length === 50, "the tree is not whole");
  return { wrong, seen: { small, big: Number(line), patched: Number(edited[0]), log: log.length - 1, dir, tree } };
}

/** On the page: makes changes from one number on until it dies. */
async function work({ from, ack }) {
  const { sh, run } = globalThis;
  let [patched, tree] = [
    (await sh.fs.readText("patched")).split("\n")[0],
    (await sh.fs.list(".")).some(({ name }) => name === "tree"),
  ];
  let dir = (await sh.fs.list(".")).some(({ name }) => name === "dir-a") ? "a" : "b";
  let log = (await sh.fs.readText("log")).split("\n").length - 1;
  const change = async (n) => {
    switch (n % 10) {
      case 0: {
        const to = dir === "a" ? "b" : "a";
        await sh.fs.move(`dir-${dir}`, `dir-${to}`);
        dir = to;
        return;
      }
      case 2:
      case 7:
        await sh.fs.patch("patched", [
          { op: "replace", line: 1, content: `${n}`, expected: patched },
          { op: "replace", line: 3, content: `${n}`, expected: patched },
        ]);
        patched = `${n}`;
        return;
      case 4:
        await run(`yes ${n} | head -c ${globalThis.bigBytes} > big`);
        return;
      case 5:
        if (tree) {
          await sh.fs.remove("tree", { recursive: true });
        } else {
          // Only the rename is the change; what it renames is made before.
          await run(
            "[ -e spare/49 ] || { rm -rf spare; mkdir spare; i=0; while [ $i -lt 50 ]; do echo tree > spare/$i; i=$((i+1)); done; }",
          );
          await sh.fs.move("spare", "tree");
        }
        tree = !tree;
        return;
      case 8:
        log += 1;
        await run(`echo line ${log} >> log`);
        if (n % 40 === 8) await sh.fs.sync();
        return;
      default:
        await sh.fs.write(`small/${n % 40}`, `${n}\n`.repeat(100));
    }
  };
  for (let n = from + 1; ; n += 1) {
    await change(n);
    await fetch(`${ack}${n}`, { method: "POST" });
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Opens the page, checks the files against what was acknowledged, and answers the number they are at. */
async function check(page, url, acknowledged) {
  await page.goto(`${url}tests/browser/fixture.html`);
  await until(
    () => page.evaluate(() => "createShell" in globalThis),
    () => "the fixture did not load",
  );
  await page.evaluate((bytes) => {
    globalThis.bigBytes = bytes;
  }, bigBytes);
  const { fsck, code, state } = await page.evaluate(prepare);
  const { wrong, seen } = await page.evaluate(look);
  if (code !== 0) wrong.push(`fsck: ${fsck}`);
  if (state !== "saved") wrong.push(`the volume is ${state}`);
  const at = [acknowledged, acknowledged + 1].find((count) => same(after(count), seen));
  if (at === undefined)
    wrong.push(
      `after ${acknowledged} changes: ${JSON.stringify(seen)}, expected ${JSON.stringify(after(acknowledged))}`,
    );
  return { wrong, at };
}

async function kills(name, count) {
  const site = await serve({ folder: root });
  const acks = await acknowledger();
  const profile = newProfile();
  let [failed, inFlight, at] = [0, 0, 0];
  const start = Date.now();
  for (let round = 1; round <= count + 1; round += 1) {
    const browser = await launch(name, profile.folder);
    try {
      const page = await browser.newPage();
      const result = await check(page, site.url, at);
      if (result.wrong.length > 0) {
        failed += 1;
        say(`${name}, kill ${round - 1}: ${result.wrong.join("; ")}`);
        if (result.at === undefined) throw new Blocked(`${name}: nothing more can be told after this`);
      }
      if (result.at > at) inFlight += 1;
      at = result.at;
      acks.state.last = at;
      if (round > count) break;
      // It ends with the browser.
      page.evaluate(work, { from: at, ack: acks.state.url }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 1500));
    } finally {
      browser.kill();
      await browser.close().catch(() => {});
    }
    at = acks.state.last;
    if (round % 10 === 0) say(`${name}: ${round} kills, ${at} changes, ${failed} failures`);
  }
  acks.close();
  await site.close();
  profile.remove();
  const seconds = Math.round((Date.now() - start) / 1000);
  say(
    `${name}: killed ${count} times in ${seconds} s; ${at} changes, ${inFlight} of them whole without an answer; ${failed} failures`,
  );
  console.log(`${name}: ${count - failed} passed, ${failed} failed`);
  return failed;
}

await guarded(async () => {
  let failed = 0;
  for (const [name, count] of Object.entries(rounds)) if (count > 0) failed += await kills(name, count);
  if (failed > 0) process.exitCode = 1;
});
