//! The playground as a test sees it: what is on the terminal, typing, waiting.

import { until } from "./drivers.mjs";

const promptMark = "$";

/** Wraps `Worker` on the page so that tests reach the kernel's worker and can cut its messages off. */
function watchWorkers() {
  const Real = globalThis.Worker;
  globalThis.testWorkers = [];
  globalThis.testMute = false;
  globalThis.testCommands = 0;
  addEventListener("tabsh-command", () => {
    globalThis.testCommands += 1;
  });
  globalThis.Worker = class extends Real {
    constructor(...parameters) {
      super(...parameters);
      globalThis.testWorkers.push(this);
    }

    postMessage(...parameters) {
      if (!globalThis.testMute) super.postMessage(...parameters);
    }
  };
}

/** A playground page with its helpers. */
export class Playground {
  constructor(page) {
    this.page = page;
  }

  /** Opens the playground and waits for its prompt. */
  static async open(browser, url, beforeLoad = () => {}) {
    const page = await browser.newPage();
    await page.beforeLoad(watchWorkers);
    await page.beforeLoad(beforeLoad);
    await page.size(1000, 700);
    await page.goto(url);
    const playground = new Playground(page);
    await playground.ready();
    return playground;
  }

  text() {
    return this.page.evaluate(() => document.querySelector("tabsh-terminal")?.text() ?? "");
  }

  /** Waits until the last line is a prompt without a command. */
  ready() {
    return this.until((text) => text.split("\n").pop().trimEnd().endsWith(promptMark));
  }

  until(check, limit) {
    return until(
      async () => check(await this.text()),
      () => this.text(),
      limit,
    );
  }

  sees(fragment, limit) {
    return this.until((text) => text.includes(fragment), limit);
  }

  /** Types a line and Enter. */
  async enter(line) {
    await this.page.type(line);
    await this.page.press("Enter");
  }

  /** Types a line, Enter, and waits for the next prompt; answers what came between. */
  async run(line, limit) {
    const commands = () => this.page.evaluate(() => globalThis.testCommands);
    const before = await commands();
    await this.enter(line);
    await until(
      async () => (await commands()) > before,
      () => this.text(),
      limit,
    );
    await this.ready();
    const text = await this.text();
    const typed = text.lastIndexOf(`${promptMark} ${line}`);
    return text.slice(typed).split("\n").slice(1, -1).join("\n");
  }

  async reload() {
    await this.page.reload();
    await this.ready();
  }

  /** Puts bytes made on the page into a dropped file. */
  drop(name, content) {
    return this.page.evaluate(
      ({ name, content }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], name));
        const event = (type) => new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event("dragover"));
        document.body.dispatchEvent(event("drop"));
      },
      { name, content },
    );
  }

  notice(fragment) {
    const read = () => this.page.evaluate(() => document.getElementById("notice").textContent);
    return until(async () => (await read()).includes(fragment), read);
  }
}
