//! Finds Chromium and Firefox for the browser tests, or installs Debian's.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Blocked } from "../say.mjs";
import { aptInstall, aptLine } from "./apt.mjs";

const known = {
  chromium: {
    variable: "TABSH_CHROMIUM",
    packages: ["chromium"],
    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    others: [
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ],
  },
  firefox: {
    variable: "TABSH_FIREFOX",
    packages: ["firefox-esr"],
    names: ["firefox-esr", "firefox"],
    others: ["/Applications/Firefox.app/Contents/MacOS/firefox"],
  },
};

function find({ variable, names, others }) {
  const set = process.env[variable];
  if (set) return existsSync(set) ? set : null;
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"].filter(Boolean);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...paths, ...others].find((path) => existsSync(path)) ?? null;
}

/** The path of `chromium` or `firefox`; installs it where it is missing and apt-get can. */
export async function browser(name) {
  const one = known[name];
  const path = find(one) ?? ((await aptInstall(one.packages)) ? find(one) : null);
  if (path) return path;
  throw new Blocked(
    `No ${name} was found. Install it (Debian: \`${aptLine(one.packages)}\`) or set ${one.variable} to its path, then run this again.`,
  );
}
