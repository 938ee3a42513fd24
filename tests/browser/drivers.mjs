//! Chromium (by Playwright) and Firefox (by WebDriver BiDi) behind one small interface, so that each test runs in both.

import { mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";
import { browser as find } from "../../scripts/setup/browsers.mjs";

const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A folder for a profile that outlives its browser. */
export function newProfile() {
  const folder = mkdtempSync(join(tmpdir(), "tabsh-profile-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** What the two libraries name differently. */
function playwrightPage(page) {
  return {
    raw: page,
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    close: () => page.close(),
    front: () => page.bringToFront(),
    evaluate: (code, argument) => page.evaluate(code, argument),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    chord: (modifier, key) => page.keyboard.press(`${modifier}+${key}`),
    click: (selector) => page.click(selector),
    size: (width, height) => page.setViewportSize({ width, height }),
    beforeLoad: (code) => page.addInitScript(code),
    choose: (selector, paths) => page.setInputFiles(selector, paths),
    screenshot: (path) => page.screenshot({ path }),
  };
}

function puppeteerPage(page) {
  return {
    raw: page,
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    close: () => page.close(),
    front: () => page.bringToFront(),
    evaluate: (code, argument) => page.evaluate(code, argument),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    chord: async (modifier, key) => {
      await page.keyboard.down(modifier);
      await page.keyboard.press(key);
      await page.keyboard.up(modifier);
    },
    click: (selector) => page.click(selector),
    size: (width, height) => page.setViewport({ width, height }),
    beforeLoad: (code) => page.evaluateOnNewDocument(code),
    choose: async (selector, paths) => (await page.$(selector)).uploadFile(...paths),
    screenshot: (path) => page.screenshot({ path }),
  };
}

async function launchChromium(profile) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await find("chromium"),
    headless: true,
    args: chromiumFlags,
  });
  return {
    newPage: async () => playwrightPage(await context.newPage()),
    close: () => context.close(),
    // Chromium names its process in the lock of its profile.
    kill: () => process.kill(Number(readlinkSync(join(profile, "SingletonLock")).split("-").pop()), "SIGKILL"),
  };
}

async function launchFirefox(profile) {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: await find("firefox"),
    headless: true,
    userDataDir: profile,
    args: ["--no-remote"],
    extraPrefsFirefox: { "datareporting.policy.dataSubmissionEnabled": false, "app.update.enabled": false },
  });
  return {
    newPage: async () => puppeteerPage(await browser.newPage()),
    close: () => browser.close(),
    kill: () => browser.process().kill("SIGKILL"),
  };
}

/** The browsers that tests run in; `TABSH_BROWSERS=chromium` limits them. */
export const names = (process.env.TABSH_BROWSERS ?? "chromium,firefox").split(",");

/** Starts a browser on a profile folder: `{ newPage, close, kill }`. */
export function launch(name, profile) {
  return name === "firefox" ? launchFirefox(profile) : launchChromium(profile);
}

/** Waits until `check` answers something true; the failure shows `describe`'s answer. */
export async function until(check, describe, limit = 15_000) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${limit} ms; last seen:\n${await describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
