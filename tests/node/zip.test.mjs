//! Zip archives in Node: what is written is what others read, and what others wrote is read; hostile archives are refused whole.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { deflateRawSync, crc32 as nodeCrc } from "node:zlib";
import { build } from "esbuild";
import { root } from "../../scripts/say.mjs";

let zip;
let folder;

before(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from "./zip/read.ts"; export * from "./zip/write.ts"; export * from "./zip/crc.ts";
        export * from "./mounts/zip.ts"; export * from "./transfer.ts";`,
      resolveDir: join(root, "pkg/src"),
    },
    bundle: true,
    format: "esm",
    write: false,
  });
  folder = mkdtempSync(join(tmpdir(), "tabsh-zip-"));
  const script = join(folder, "zip.mjs");
  writeFileSync(script, outputFiles[0].contents);
  zip = await import(script);
});

after(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text) => new TextEncoder().encode(text);
const text = (content) => new TextDecoder().decode(content);
const le = (size, value) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer.subarray(0, size);
};
const crcOf = (content) => (nodeCrc ? nodeCrc(content) : zip.crc32(content));

/** An archive by hand: each entry says what its headers claim. */
function archive(entries, { comment = "", lie = {} } = {}) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const entry of entries) {
    const {
      name,
      content = bytes("x"),
      method = 0,
      flags = 0x800,
      mode = 0o100644,
      system = 3,
      extra = Buffer.alloc(0),
    } = entry;
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(content) : content);
    const raw = typeof name === "string" ? bytes(name) : name;
    const crc = entry.crc ?? crcOf(content);
    const size = entry.size ?? content.length;
    const middle = Buffer.concat([
      le(2, flags),
      le(2, method),
      le(4, 0x21 << 16),
      le(4, crc),
      le(4, packed.length),
      le(4, size),
      le(2, raw.length),
    ]);
    const header = entry.header ?? at;
    if (entry.header === undefined) {
      const local = Buffer.concat([le(4, 0x04034b50), le(2, 20), middle, le(2, 0), raw, packed]);
      parts.push(local);
      at += local.length;
    }
    directory.push(
      Buffer.concat([
        le(4, 0x02014b50),
        le(2, (system << 8) | 20),
        le(2, 20),
        middle,
        le(2, extra.length),
        le(2, 0),
        le(2, 0),
        le(2, 0),
        le(4, (mode << 16) >>> 0),
        le(4, header),
        raw,
        extra,
      ]),
    );
  }
  const central = Buffer.concat(directory);
  const count = lie.count ?? entries.length;
  const end = Buffer.concat([
    le(4, 0x06054b50),
    le(4, 0),
    le(2, count),
    le(2, count),
    le(4, lie.size ?? central.length),
    le(4, at),
    le(2, comment.length),
    bytes(comment),
  ]);
  return new Uint8Array(Buffer.concat([...parts, central, end]));
}

/** Files in a map, asked as a shell's files are. */
function files() {
  const all = new Map([["/", { kind: "directory" }]]);
  const ask = async ({ op, path, to, bytes: content, bits, modified }) => {
    const plain = path.replace(/\/$/, "") || "/";
    if (op === "mkdir") {
      const names = plain.split("/");
      for (let n = 1; n <= names.length; n += 1) {
        const at = names.slice(0, n).join("/") || "/";
        if (!all.has(at)) all.set(at, { kind: "directory" });
      }
    } else if (op === "write") all.set(plain, { kind: "file", content });
    else if (op === "symlink") all.set(plain, { kind: "symlink", target: to });
    else if (op === "set") Object.assign(all.get(plain), bits === undefined ? { modified } : { mode: bits });
    else if (op === "entry") {
      if (!all.has(plain)) throw Object.assign(new Error("no"), { code: "ENOENT" });
      return all.get(plain);
    }
  };
  return { all, ask };
}

describe("an archive that is written", () => {
  const modified = Date.UTC(2024, 1, 29, 12, 34, 56);
  const entries = () => [
    { path: "docs/", kind: "directory", mode: 0o750, modified, content: new Uint8Array() },
    { path: "docs/café 😀.txt", kind: "file", mode: 0o640, modified, content: bytes("hello\n".repeat(1000)) },
    { path: "docs/empty", kind: "file", mode: 0o644, modified, content: new Uint8Array() },
    { path: "docs/link", kind: "symlink", mode: 0o777, modified, content: bytes("../run") },
    { path: "run", kind: "file", mode: 0o755, modified, content: crypto.getRandomValues(new Uint8Array(5000)) },
  ];
  const written = async (list) => {
    const writer = new zip.ZipWriter();
    for (const entry of list) await writer.add(entry);
    return await writer.finish();
  };

  test("is read by python's zipfile, and by unzip where there is one", async () => {
    const path = join(folder, "out.zip");
    const list = entries();
    writeFileSync(path, Buffer.from(await (await written(list)).arrayBuffer()));
    const script = `import sys, zipfile, json
z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
print(json.dumps([[i.filename, i.file_size, oct(i.external_attr >> 16), i.date_time[:6]] for i in z.infolist()]))`;
    const python = spawnSync("python3", ["-c", script, path], { encoding: "utf8" });
    if (python.error === undefined) {
      assert.equal(python.status, 0, python.stderr);
      const time = [2024, 2, 29, 12, 34, 56];
      assert.deepEqual(JSON.parse(python.stdout), [
        ["docs/", 0, "0o40750", time],
        ["docs/café 😀.txt", 6000, "0o100640", time],
        ["docs/empty", 0, "0o100644", time],
        ["docs/link", 6, "0o120777", time],
        ["run", 5000, "0o100755", time],
      ]);
    }
    const unzip = spawnSync("unzip", ["-tq", path], { encoding: "utf8" });
    if (unzip.error === undefined) assert.equal(unzip.status, 0, unzip.stdout + unzip.stderr);
    assert.ok(python.error === undefined || unzip.error === undefined, "neither python3 nor unzip is here to read it");
  });

  test("comes back whole", async () => {
    const list = entries();
    const { all, ask } = files();
    await zip.importZip(ask, await written(list), "/in");
    assert.equal(text(all.get("/in/docs/café 😀.txt").content), "hello\n".repeat(1000));
    assert.deepEqual([...all.get("/in/run").content], [...list[4].content]);
    assert.equal(all.get("/in/docs/link").target, "../run");
    assert.deepEqual(
      ["/in/docs", "/in/run", "/in/docs/empty"].map((path) => [all.get(path).mode, all.get(path).modified]),
      [
        [0o750, modified],
        [0o755, modified],
        [0o644, modified],
      ],
    );
  });

  test("of more than 65,535 entries too", async () => {
    const many = Array.from({ length: 70_000 }, (_, n) => ({
      path: `f${n}`,
      kind: "file",
      mode: 0o644,
      modified,
      content: new Uint8Array(),
    }));
    const blob = await written(many);
    const found = await zip.Archive.open(zip.slicesOf(blob));
    assert.equal(found.tree.list("/").length, 70_000);
  });
});

test("archives of other programs are read", async () => {
  const tree = join(folder, "tree");
  mkdirSync(join(tree, "a/b"), { recursive: true });
  writeFileSync(join(tree, "a/b/deep.txt"), "deep\n".repeat(5000));
  writeFileSync(join(tree, "top"), "top");
  symlinkSync("a/b/deep.txt", join(tree, "l"));
  const path = join(folder, "other.zip");
  const script = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED)
z.write(sys.argv[1] + "/a/b/deep.txt", "a/b/deep.txt"); z.write(sys.argv[1] + "/top", "top"); z.comment = b"a comment"; z.close()`;
  execFileSync("python3", ["-c", script, tree, path]);
  const driver = await zip.zipDriver(zip.slicesOf(new Uint8Array(readFileSync(path))));
  assert.deepEqual(
    driver
      .list("/")
      .map(({ name, kind }) => [name, kind])
      .sort(),
    [
      ["a", "directory"],
      ["top", "file"],
    ],
  );
  assert.equal(text(await driver.read("/a/b/deep.txt", 5, 10)), "deep\ndeep\n");
  assert.equal((await driver.read("/a/b/deep.txt", 99_999, 10)).length, 0);
  assert.equal(driver.stat("/none"), null);
});

test("long contents are read in part without being unpacked whole", async () => {
  const content = Buffer.alloc(20 << 20);
  for (let at = 0; at < content.length; at += 1000) content.writeUInt32LE(at, at);
  const driver = await zip.zipDriver(
    zip.slicesOf(
      archive([
        { name: "big", content, method: 8 },
        { name: "raw", content },
      ]),
    ),
  );
  for (const name of ["/big", "/raw"]) {
    for (const at of [0, 1000, 12_345_000, 5_000_000, 5_000_004, 20_000_000]) {
      const read = await driver.read(name, at, 4);
      assert.deepEqual([...read], [...content.subarray(at, at + read.length)], `${name} ${at}`);
      assert.ok(read.length > 0);
    }
    assert.equal((await driver.read(name, content.length, 4)).length, 0);
  }
});

describe("a hostile archive is refused whole", () => {
  const fine = { name: "fine.txt", content: bytes("fine") };
  const zeros = new Uint8Array(20 << 20);
  const cases = {
    "a name that leads out": [[fine, { name: "../x" }], /name with \.\./],
    "a name that leads out further down": [[fine, { name: "a/../../x" }], /name with \.\./],
    "a name with a dot component": [[{ name: "a/./x" }], /name with \./],
    "an absolute name": [[fine, { name: "/etc/x" }], /absolute name/],
    "an empty component": [[{ name: "a//x" }], /no name/],
    "a name with NUL": [[{ name: "a\0b" }], /no name/],
    "a name of 256 bytes": [[{ name: "n".repeat(256) }], /255 bytes/],
    "a path of over 4,000 bytes": [[{ name: `${"d/".repeat(2500)}x` }], /3,800 bytes/],
    "the same name twice": [[fine, { ...fine, content: bytes("other") }], /same name twice/],
    "a file that is a directory too": [[{ name: "a" }, { name: "a/b" }], /below what is no directory/],
    "a directory that is a file too": [[{ name: "a/b" }, { name: "a" }], /same name twice/],
    "something written through a link": [
      [{ name: "l", content: bytes("."), mode: 0o120777 }, { name: "l/x" }],
      /below what is no directory/,
    ],
    "a link that leads out": [[{ name: "d/l", content: bytes("../../x"), mode: 0o120777 }], /link that leads out/],
    "an absolute link": [[{ name: "l", content: bytes("/etc/passwd"), mode: 0o120777 }], /link that leads out/],
    "a device": [[{ name: "tty", mode: 0o020666 }], /neither file/],
    "a wrong checksum": [[fine, { name: "bad", crc: 1 }], /checksum/],
    "more content than it says": [
      [{ name: "bad", content: zeros.subarray(0, 100_000), method: 8, size: 1000 }],
      /more content/,
    ],
    "less content than it says": [[{ name: "bad", content: bytes("abc"), method: 8, size: 1000 }], /less content/],
    "content that cannot be unpacked": [
      [{ name: "bad", content: bytes("abc"), method: 8, packed: bytes("\xff\xff\xff\xff") }],
      /unpacked/,
    ],
    "a bomb by ratio": [[{ name: "bomb", content: zeros, method: 8 }], /over 250 times/],
    "a bomb by total": [[{ name: "bomb", content: bytes("x"), method: 8, size: 0x7fffffff }], /more than 1073741824/],
    "contents that overlap": [[fine, { ...fine, name: "again", header: 0 }], /overlap/],
    "an encrypted content": [[{ name: "secret", flags: 0x801 }], /encrypted/],
    "another packing": [[{ name: "lzma", method: 14 }], /neither stored nor deflated/],
  };
  for (const [name, [entries, why]] of Object.entries(cases)) {
    test(name, async () => {
      const { all, ask } = files();
      await assert.rejects(zip.importZip(ask, archive(entries), "/in"), why);
      assert.deepEqual([...all.keys()], ["/"]);
    });
  }

  test("what is no archive, or only a part of one", async () => {
    const whole = archive([fine]);
    for (const part of [bytes("hello"), new Uint8Array(), whole.subarray(0, whole.length - 5), whole.subarray(20)]) {
      await assert.rejects(zip.importZip(files().ask, part, "/in"), /not a zip archive/);
    }
    for (const lie of [{ count: 5 }, { size: 4 }, { count: 0 }]) {
      await assert.rejects(zip.importZip(files().ask, archive([fine], { lie }), "/in"), /not a zip archive/);
    }
  });

  test("nothing is written over a link or over another kind that is there", async () => {
    const { all, ask } = files();
    all.set("/in", { kind: "directory" });
    all.set("/in/a", { kind: "symlink", target: "/etc" });
    await assert.rejects(zip.importZip(ask, archive([{ name: "a/x" }]), "/in"), /is there already, as a symlink/);
    assert.equal(all.size, 3);
  });

  test("limits can be set", async () => {
    const { all, ask } = files();
    await zip.importZip(ask, archive([{ name: "zeros", content: zeros, method: 8 }]), "/in", { ratio: 2000 });
    assert.equal(all.get("/in/zeros").content.length, zeros.length);
    await assert.rejects(zip.importZip(ask, archive([fine]), "/in", { total: 3 }), /more than 3/);
    await assert.rejects(zip.importZip(ask, archive([fine, { name: "b" }]), "/in", { entries: 1 }), /2 entries/);
  });
});
