//! Runs in a worker of its own: one phase of the file bench with one library, each row timed.

import LightningFS from "@isomorphic-git/lightning-fs";
import { configureSingle, umount, fs as zenfs } from "@zenfs/core";
import { IndexedDB } from "@zenfs/dom";
import init, { Mounts, Shell, Volume } from "../pkg/generated/kernel.js";

const small = (n) => new Uint8Array(1024).fill(n % 251);
const bigBytes = 64 << 20;
const piece = new Uint8Array(1 << 20).map((_, at) => at * 7);

/** Files of a library in terms of whole files; `sync` returns once everything is stored. */
const libraries = {
  async tabsh(name) {
    const volume = await Volume.open(name, () => {});
    const mounts = new Mounts();
    mounts.volume("/home/user", volume);
    const shell = await Shell.create({}, mounts, () => {});
    const ask = (request) => shell.fs({ lazy: true, ...request, path: `/home/user${request.path}` });
    return {
      sync: () => ask({ op: "mkdir", path: "", recursive: true, lazy: false }),
      mkdir: (path) => ask({ op: "mkdir", path }),
      write: (path, bytes) => ask({ op: "write", path, bytes }),
      writeSynced: (path, bytes) => ask({ op: "write", path, bytes, lazy: false }),
      append: (path, bytes) => ask({ op: "write", path, bytes, mode: "append" }),
      read: (path) => ask({ op: "read", path }),
      stat: (path) => ask({ op: "stat", path }),
      list: (path) => ask({ op: "list", path }),
      rename: (path, to) => ask({ op: "move", path, to: `/home/user${to}` }),
      removeTree: (path) => ask({ op: "remove", path, recursive: true }),
    };
  },

  async "lightning-fs"(name) {
    const fs = new LightningFS(name).promises;
    await fs.readdir("/");
    const removeTree = async (path) => {
      for (const entry of await fs.readdir(path)) {
        const below = `${path}/${entry}`;
        if ((await fs.lstat(below)).type === "dir") await removeTree(below);
        else await fs.unlink(below);
      }
      await fs.rmdir(path);
    };
    return {
      sync: () => fs.flush(),
      mkdir: (path) => fs.mkdir(path),
      write: (path, bytes) => fs.writeFile(path, bytes),
      writeSynced: async (path, bytes) => {
        await fs.writeFile(path, bytes);
        await fs.flush();
      },
      // It has no appending of its own.
      append: async (path, bytes) => {
        const before = await fs.readFile(path).catch(() => new Uint8Array());
        const whole = new Uint8Array(before.length + bytes.length);
        whole.set(before);
        whole.set(bytes, before.length);
        await fs.writeFile(path, whole);
      },
      read: (path) => fs.readFile(path),
      stat: (path) => fs.stat(path),
      list: (path) => fs.readdir(path),
      rename: (path, to) => fs.rename(path, to),
      removeTree,
    };
  },

  async zenfs(name) {
    umount("/");
    await configureSingle({ backend: IndexedDB, storeName: name });
    const fs = zenfs.promises;
    const removeTree = (path) => fs.rm(path, { recursive: true });
    return {
      sync: async () => {},
      mkdir: (path) => fs.mkdir(path),
      write: (path, bytes) => fs.writeFile(path, bytes),
      writeSynced: (path, bytes) => fs.writeFile(path, bytes),
      append: (path, bytes) => fs.appendFile(path, bytes),
      read: (path) => fs.readFile(path),
      stat: (path) => fs.stat(path),
      list: (path) => fs.readdir(path),
      rename: (path, to) => fs.rename(path, to),
      removeTree,
    };
  },
};

/** A row: does up to `count` things within the time limit, and says how long all would have taken. */
async function timed(count, limit, one) {
  const start = performance.now();
  let n = 0;
  while (n < count && (limit === null || performance.now() - start < limit)) {
    await one(n);
    n += 1;
  }
  const took = performance.now() - start;
  return { ms: n === count ? took : (took * count) / n, whole: n === count, done: n };
}

const path = (n) => `/dir-${n % 100}/file-${n}`;
const dirs = Array.from({ length: 100 }, (_, n) => `/dir-${n}`);

/** The rows of the first phase, on an empty store. */
async function fresh(fs, { count, tell }) {
  for (const dir of dirs) await fs.mkdir(dir);
  await fs.sync();
  await tell("create, batched", count, async (n) => {
    await fs.write(path(n), small(n));
    if (n === count - 1) await fs.sync();
  });
  await fs.mkdir("/synced");
  await tell("create 1,000, each synced", 1000, (n) => fs.writeSynced(`/synced/${n}`, small(n)));
  await tell("append 1,000 × 100 bytes", 1000, async (n) => {
    await fs.append("/log", small(n).subarray(0, 100));
    if (n === 999) await fs.sync();
  });
  const big = new Uint8Array(bigBytes);
  for (let at = 0; at < bigBytes; at += piece.length) big.set(piece, at);
  await tell("write 64 MB", 1, async () => {
    await fs.write("/big", big);
    await fs.sync();
  });
}

/** The rows of the second phase, on what the first has left, just opened. */
async function again(fs, { tell: told, have }) {
  // What was not created in time is not there: the rest is reckoned.
  const count = have;
  const tell = (row, ...rest) =>
    told(row, ...rest, row.endsWith("cold") || row.endsWith(" all") || row.endsWith("tree") ? 10_000 / have : 1);
  await tell("read all, cold", count, async (n) => {
    const bytes = await fs.read(path(n));
    if (bytes.length !== 1024) throw new Error(`${path(n)} has ${bytes.length} bytes`);
  });
  await tell("stat all", count, (n) => fs.stat(path(n)));
  await tell("list 100 directories", 100, (n) => fs.list(`/dir-${n}`));
  await tell("read 64 MB", 1, () => fs.read("/big"));
  await tell("rename a directory of 1,000", 1, async () => {
    await fs.rename("/synced", "/moved");
    await fs.sync();
  });
  await tell("remove the tree", 100, async (n) => {
    await fs.removeTree(`/dir-${n}`);
    if (n === 99) await fs.sync();
  });
}

/** The same work with requests to IndexedDB alone: as few as can be, or one transaction each. */
async function raw(phase, { name, tell, open }) {
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const complete = (transaction) =>
    new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  const db = await open("reopen", async () => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("f");
    const opened = await done(request);
    await done(opened.transaction("f").objectStore("f").count());
    return opened;
  });
  const write = async (work) => {
    const transaction = db.transaction("f", "readwrite", { durability: "relaxed" });
    work(transaction.objectStore("f"));
    await complete(transaction);
  };
  const key = (n) => path(n);
  if (phase === "fresh") {
    await tell("create, batched", 1, () =>
      write((store) => {
        for (let n = 0; n < 10_000; n += 1) store.put(small(n), key(n));
      }),
    );
    await tell("create 1,000, each synced", 1000, (n) => write((store) => store.put(small(n), `/synced/${n}`)));
    await tell("append 1,000 × 100 bytes", 1, () =>
      write((store) => {
        for (let n = 0; n < 1000; n += 1) store.put(small(n).slice(0, 100), `/log/${n}`);
      }),
    );
    await tell("write 64 MB", 1, () =>
      write((store) => {
        for (let at = 0; at < bigBytes; at += piece.length) store.put(piece, `/big/${at}`);
      }),
    );
    return;
  }
  const all = (prefix) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const reading = () => db.transaction("f").objectStore("f");
  await tell("read all, cold", 1, () => done(reading().getAll(all("/dir-"))));
  await tell("stat all", 1, () => done(reading().getAllKeys(all("/dir-"))));
  await tell("list 100 directories", 100, (n) => done(reading().getAllKeys(all(`/dir-${n}/`))));
  await tell("read 64 MB", 1, () => done(reading().getAll(all("/big/"))));
  await tell("rename a directory of 1,000", 1, async () => {
    const [keys, values] = await Promise.all([
      done(reading().getAllKeys(all("/synced/"))),
      done(reading().getAll(all("/synced/"))),
    ]);
    await write((store) => {
      store.delete(all("/synced/"));
      for (const [index, one] of keys.entries()) store.put(values[index], one.replace("/synced", "/moved"));
    });
  });
  await tell("remove the tree", 1, () => write((store) => store.delete(all("/dir-"))));
}

addEventListener("message", async ({ data: { library, phase, name, limit, wasm, have } }) => {
  try {
    if (library === "tabsh") await init({ module_or_path: wasm });
    const rows = {};
    const tell = async (row, count, one, scale = 1) => {
      const time = await timed(count, limit, one);
      rows[row] = { ...time, ms: time.ms * scale, whole: time.whole && scale === 1 };
    };
    const open = async (row, work) => {
      const start = performance.now();
      const opened = await work();
      if (phase === "again") rows[row] = { ms: performance.now() - start, whole: true };
      return opened;
    };
    if (library === "IndexedDB") await raw(phase, { name, tell, open });
    else {
      const fs = await open("reopen", async () => {
        const opened = await libraries[library](name);
        await opened.list("/");
        return opened;
      });
      await (phase === "fresh" ? fresh : again)(fs, { count: 10_000, have, tell });
    }
    postMessage({ rows });
  } catch (error) {
    postMessage({ error: String(error?.stack ?? error) });
  }
});
