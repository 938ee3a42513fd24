//! Checks Node and installs the npm packages that package-lock.json names, when they differ from what is there.

import { join } from "node:path";
import { fingerprint, unlessDone } from "../cache.mjs";
import { Blocked, must, root, say } from "../say.mjs";

/** Throws where Node is older than 20. */
export function checkNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20)
    throw new Blocked(
      `Node 20 or newer is needed, this is ${process.versions.node}. Get it from https://nodejs.org or your distribution.`,
    );
}

/** Installs the npm packages where package-lock.json changed since the last time. */
export async function npmPackages() {
  checkNode();
  const key = fingerprint(["package.json", "package-lock.json", "pkg/package.json"]);
  await unlessDone("node_modules/.tabsh-stamp", key, ["node_modules/.bin/esbuild"], async () => {
    say("npm ci");
    await must(
      "npm",
      ["ci", "--no-audit", "--no-fund", "--loglevel=error"],
      "npm ci failed: the lines above say why (no network?).",
    );
  });
}

/** The path of a program of an npm package. */
export function bin(name) {
  return join(root, "node_modules/.bin", name);
}
