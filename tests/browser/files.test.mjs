//! The file API and the page's own mounts in real browsers: edits, watching, archives, drivers that misbehave, a server's files.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { root } from "../../scripts/say.mjs";
import { serve } from "../../scripts/serve.mjs";
import { launch, names, newProfile, until } from "./drivers.mjs";

/** A server of files by path that notes what it was asked; with or without parts of files. */
async function fileServer(files, { ranges }) {
  const asked = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url);
    asked.push(`${request.method} ${path} ${request.headers.range ?? ""}`.trim());
    const body = files[path];
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "range");
    response.setHeader("access-control-expose-headers", "content-range");
    if (request.method === "OPTIONS") response.writeHead(204).end();
    else if (body === undefined) response.writeHead(path.includes("secret") ? 403 : 404).end();
    else if (ranges && request.headers.range) {
      const [from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range).slice(1).map(Number);
      const part = body.subarray(from, to + 1);
      if (part.length === 0) response.writeHead(416).end();
      else
        response
          .writeHead(206, { "content-range": `bytes ${from}-${from + part.length - 1}/${body.length}` })
          .end(part);
    } else response.writeHead(200, { "content-length": body.length }).end(request.method === "HEAD" ? undefined : body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, asked, close: () => server.close() };
}

for (const name of names) {
  describe(name, () => {
    let site;
    let profile;
    let browser;
    let page;

    const on = (code, argument) => page.evaluate(code, argument);

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
      await page.evaluate(() => {
        globalThis.codeOf = async (promise) => {
          try {
            await promise;
            return "done";
          } catch (error) {
            return error.code;
          }
        };
      });
    });

    after(async () => {
      await browser?.close();
      await site?.close();
      profile?.remove();
    });

    test("parts are read, and files are written as they are or are not there", async () => {
      const seen = await on(async () => {
        const { codeOf } = globalThis;
        const sh = await globalThis.createShell({ files: { f: "one\ntwo\nthree\n" } });
        const part = async (range) => new TextDecoder().decode(await sh.fs.read("f", range));
        return [
          await part({ offset: 4, length: 3 }),
          await part({ offset: 100 }),
          await part({ startLine: 2, endLine: 3 }),
          await part({ startLine: 9 }),
          await codeOf(sh.fs.write("f", "x", "create")),
          await codeOf(sh.fs.write("new", "x", "update")),
          await codeOf(sh.fs.write("new", "x", "create")),
          await codeOf(sh.fs.write("new", "y", "append")),
          await sh.fs.readText("new"),
          await codeOf(sh.fs.symlink("new", "link")),
          (await sh.fs.entry("link")).target,
          await codeOf(sh.fs.set("new", { mode: 0o600, modified: 1e12 })),
          (await sh.fs.stat("link")).mode,
          (await sh.fs.stat("link")).modified,
        ];
      });
      assert.deepEqual(seen, [
        ...[
          "two",
          "",
          "two\nthree\n",
          "",
          "EEXIST",
          "ENOENT",
          "done",
          "done",
          "xy",
          "done",
          "new",
          "done",
          0o600,
          1e12,
        ],
      ]);
    });

    test("edits are made together or not at all", async () => {
      const seen = await on(async () => {
        const sh = await globalThis.createShell({ files: { f: "alpha\r\nbeta\r\n" } });
        await sh.fs.patch("f", [
          { op: "insert", offset: 0, content: "> " },
          { op: "replace", line: 2, content: "BETA", expected: "beta" },
          { op: "insert", line: 3, content: "gamma" },
          { op: "delete", offset: 0, length: 2, expected: "> " },
          { op: "append", content: "end" },
        ]);
        const after = await sh.fs.readText("f");
        const refused = [];
        for (const edit of [
          { op: "replace", line: 1, content: "x", expected: "not this" },
          { op: "delete", line: 99 },
          { op: "insert", offset: 9999, content: "x" },
          { op: "delete", offset: 0, length: 5, expected: "other" },
        ]) {
          const both = sh.fs.patch("f", [{ op: "append", content: "lost" }, edit]);
          refused.push(
            await both.then(
              () => "done",
              (error) => `${error.code} ${error.message}`,
            ),
          );
        }
        return { after, refused, still: await sh.fs.readText("f") };
      });
      assert.equal(seen.after, "alpha\r\nBETA\r\ngamma\r\nend");
      assert.equal(seen.still, seen.after);
      assert.match(seen.refused[0], /^EINVAL .*conflict at line 1: expected "not this", found "alpha"/);
      for (const one of seen.refused) assert.match(one, /^EINVAL /);
    });

    test("changes below a path are told, whoever makes them", async () => {
      const seen = await on(async () => {
        const sh = await globalThis.createShell();
        await sh.fs.mkdir("/tmp/d");
        const told = new Set();
        const elsewhere = [];
        const stop = sh.fs.watch("/tmp/d", (paths) => {
          for (const path of paths) told.add(path);
        });
        const stopOther = sh.fs.watch("/home", (paths) => elsewhere.push(...paths));
        await sh.fs.write("/tmp/d/by-page", "x");
        await sh.exec("echo x > /tmp/d/by-shell; mkdir /tmp/d/sub; mv /tmp/d/by-shell /tmp/d/moved; rm /tmp/d/by-page");
        await new Promise((resolve) => setTimeout(resolve, 200));
        stop();
        stopOther();
        await sh.exec("echo x > /tmp/d/later");
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { told: [...told].sort(), elsewhere };
      });
      assert.deepEqual(
        seen.told,
        ["by-page", "by-shell", "moved", "sub"].map((one) => `/tmp/d/${one}`),
      );
      assert.deepEqual(seen.elsewhere, []);
    });

    test("a tree goes out as an archive and comes back, and a bad archive changes nothing", async () => {
      const seen = await on(async () => {
        const sh = await globalThis.createShell();
        await sh.exec(
          "mkdir -p a/b; echo deep > a/b/f; ln -s b/f a/l; chmod 750 a/b; : > 'ä empty'; seq 1 100000 > big",
        );
        const blob = await sh.export({ format: "zip" });
        await sh.import(blob, "/tmp/copy");
        const same = await sh.exec("diff -r /home/user /tmp/copy; readlink /tmp/copy/a/l; stat -c %a /tmp/copy/a/b");
        const bytes = new Uint8Array(await blob.arrayBuffer());
        const at = bytes.length - 300;
        const bad = bytes.slice();
        for (let n = 0; n < 40; n += 1) bad[at + n] ^= 0xff;
        const refused = await globalThis.codeOf(sh.import(bad, "/tmp/bad"));
        return [same.stdout, refused, await globalThis.codeOf(sh.fs.stat("/tmp/bad")), blob.type];
      });
      assert.deepEqual(seen, ["b/f\n750\n", "EINVAL", "ENOENT", "application/zip"]);
    });

    test("a page can hold the whole tree", async () => {
      const seen = await on(async () => {
        const kept = new Map([["/note", new TextEncoder().encode("of the page\n")]]);
        const driver = {
          stat: (path) => {
            if (path === "/" || path === "/home" || path === "/home/user") return { kind: "directory" };
            const bytes = kept.get(path);
            return bytes ? { kind: "file", size: bytes.length } : null;
          },
          list: (path) =>
            path === "/"
              ? [...kept].map(([name, { length }]) => ({ name: name.slice(1), kind: "file", size: length }))
              : [],
          read: (path, offset, length) => kept.get(path).slice(offset, offset + length),
          write: (path, bytes) => void kept.set(path, bytes),
          mkdir: () => {},
          remove: (path) => void kept.delete(path),
          rename: (from, to) => {
            kept.set(to, kept.get(from));
            kept.delete(from);
          },
        };
        const sh = await globalThis.createShell({ mounts: { "/": { type: "driver", driver } } });
        const { stdout } = await sh.exec(
          "cat /note; echo more >> /note; mv /note /moved; echo x | tee /new > /dev/null; ls /; kaish-status | grep backend",
        );
        return [stdout, [...kept].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])];
      });
      assert.match(seen[0], /^of the page\ndev\nhome\nmoved\nnew\ntmp\nv\nbackend +js\n$/);
      assert.deepEqual(seen[1], [
        ["/moved", "of the page\nmore\n"],
        ["/new", "x\n"],
      ]);
    });

    test("a driver that throws, hangs or answers rubbish fails that operation only", async () => {
      const seen = await on(async () => {
        const thrown = Object.assign(new Error("not yours"), { code: "EACCES" });
        const file = { kind: "file", size: 4 };
        const answers = {
          throws: () => {
            throw new Error("a page's own trouble");
          },
          "throws-code": () => {
            throw thrown;
          },
          "throws-null": () => {
            throw null;
          },
          rejects: () => Promise.reject(new DOMException("full", "QuotaExceededError")),
          hangs: () => new Promise(() => {}),
          undefined: () => undefined,
          text: () => "text",
          long: (_, __, length) => new Uint8Array(length + 1),
          detached: () => {
            const bytes = new Uint8Array(4);
            structuredClone(bytes, { transfer: [bytes.buffer] });
            return bytes;
          },
          uncloneable: (_, offset) => Object.assign(new Uint8Array(4).fill(120).slice(offset), { f() {} }),
          good: (_, offset, length) => new TextEncoder().encode("good").slice(offset, offset + length),
        };
        const stats = {
          ...Object.fromEntries(Object.keys(answers).map((name) => [`/${name}`, file])),
          "/": { kind: "directory" },
          "/bad-kind": { kind: "socket" },
          "/bad-size": { kind: "file", size: -1 },
          "/bad-time": { kind: "file", size: 1, modified: Number.NaN },
          "/number": 17,
        };
        const driver = {
          stat: (path) => stats[path],
          list: () => [
            { name: "good", kind: "file" },
            { name: "../up", kind: "file" },
          ],
          read: (path, offset, length) => answers[path.slice(1)](path, offset, length),
        };
        const sh = await globalThis.createShell({ mounts: { "/m": { type: "driver", driver, timeoutMs: 300 } } });
        const results = {};
        for (const path of [...Object.keys(stats), "/"].filter((path) => path !== "/")) {
          const { code, stdout, stderr } = await sh.exec(`cat /m${path}`);
          results[path.slice(1)] = code === 0 ? stdout : stderr.replace(/^.*: /, "").trim();
        }
        results.list = (await sh.exec("ls /m")).stderr.trim();
        results.write = (await sh.exec("echo x > /m/new")).stderr.trim();
        results.still = (await sh.exec("cat /m/good; echo; echo alive")).stdout;
        return results;
      });
      const io = "Input/output error";
      assert.deepEqual(
        { ...seen, list: io, write: "" },
        {
          throws: io,
          "throws-code": "Permission denied",
          "throws-null": io,
          rejects: "No space left on device",
          hangs: "Connection timed out",
          undefined: io,
          text: io,
          long: io,
          detached: io,
          uncloneable: "xxxx",
          good: "good",
          "bad-kind": io,
          "bad-size": io,
          "bad-time": io,
          number: io,
          list: io,
          write: "",
          still: "good\nalive\n",
        },
      );
      assert.match(seen.list, /Input\/output error/);
      assert.match(seen.write, /Read-only file system/);
    });

    for (const ranges of [true, false]) {
      test(`files of a server that ${ranges ? "sends parts" : "sends no parts"}`, async () => {
        const big = Buffer.alloc(5_000_000, "0123456789");
        const server = await fileServer(
          {
            "/index.json": Buffer.from(
              JSON.stringify({
                "a.txt": 6,
                "big.bin": { size: big.length, modified: 1e12, mode: 0o600 },
                "docs/ü #?.md": {},
                "docs/gone": 3,
                "docs/secret": 3,
                "empty/": {},
              }),
            ),
            "/a.txt": Buffer.from("hello\n"),
            "/big.bin": big,
            "/docs/ü #?.md": Buffer.from("odd name\n"),
          },
          { ranges },
        );
        const seen = await on(async (url) => {
          const sh = await globalThis.createShell({ mounts: { "/srv": { type: "http", index: `${url}index.json` } } });
          const run = async (script) => {
            const { stdout, stderr } = await sh.exec(script);
            return stdout + stderr;
          };
          return {
            list: await run("cd /srv; find . | sort; stat -c '%a %s %Y' big.bin"),
            lazy: await run("head -c 4 big.bin; echo; tail -c 3 big.bin; echo; cat a.txt 'docs/ü #?.md'"),
            failures: await run("cat docs/gone; cat docs/secret; cat docs/none; echo x > a.txt; ls empty"),
            sum: await run("wc -c < big.bin"),
          };
        }, server.url);
        server.close();
        assert.equal(
          seen.list,
          `${[".", "./a.txt", "./big.bin", "./docs", "./docs/gone", "./docs/secret", "./docs/ü #?.md", "./empty"].join("\n")}\n600 5000000 1000000000\n`,
        );
        assert.equal(seen.lazy, "0123\n789\nhello\nodd name\n");
        assert.match(
          seen.failures,
          /No such file.*\n.*Permission denied\n.*none: No such file.*\n.*Read-only file system/,
        );
        assert.equal(seen.sum, "5000000\n");
        const whole = server.asked.filter((one) => one === "GET /big.bin").length;
        assert.equal(whole, 0, "a whole file is asked for only by a server's choice");
        if (ranges)
          assert.match(
            server.asked.find((one) => one.includes("big.bin bytes=0-")),
            /bytes=0-\d{1,7}$/,
          );
      });
    }

    test("what cannot be mounted says why", async () => {
      const seen = await on(async () => {
        const why = async (mounts) =>
          globalThis.createShell({ mounts }).then(
            () => "mounted",
            (error) => error.message,
          );
        return [
          await why({ "/z": { type: "zip", source: new Uint8Array([1, 2, 3]) } }),
          await why({ "/z": { type: "zip", source: "no-such.zip" } }),
          await why({ relative: { type: "memory" } }),
        ];
      });
      assert.match(seen[0], /not a zip archive/);
      assert.match(seen[1], /no-such.zip answered 404/);
      assert.match(seen[2], /absolute/);
    });
  });
}
