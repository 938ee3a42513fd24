//! Debian packages: installs names where this is possible without a question, and says whether it was.

import { ask, run, say } from "../say.mjs";

let updated = false;

/** The words in front of apt-get (`sudo -n` for a user who may), or null where apt-get cannot be used. */
function prefix() {
  if (ask("apt-get", ["--version"]) === null) return null;
  if (process.getuid?.() === 0) return [];
  return ask("sudo", ["-n", "true"]) === null ? null : ["sudo", "-n"];
}

/** What a person has to type to get the packages. */
export function aptLine(names) {
  return `sudo apt-get install ${names.join(" ")}`;
}

/** Installs packages; answers whether they are there afterwards. */
export async function aptInstall(names) {
  const before = prefix();
  if (before === null) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => {
    const [program, ...rest] = [...before, "apt-get", ...args];
    return run(program, rest, { env, stdio: ["ignore", "ignore", "inherit"] });
  };
  if (!updated) {
    say("apt-get update");
    updated = (await apt("update", "-qq")) === 0;
  }
  say(`apt-get install ${names.join(" ")}`);
  return (await apt("install", "-y", "-qq", "--no-install-recommends", ...names)) === 0;
}
