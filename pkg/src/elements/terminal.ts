//! `<tabsh-terminal>`: a terminal on a page, with a shell of its own or one that it is given.

import type { Interactive } from "../interactive.ts";
import { createShell, type Shell, type ShellOptions } from "../shell.ts";
import type { Look, Screen } from "./screen.ts";

const style = `
:host { display: block; position: relative; min-height: 6em; overflow: hidden; background: #10141b; }
:host([theme="light"]) { background: #fbfaf7; }
:host(:focus-visible) { outline: 2px solid var(--tabsh-focus, #7fd1b9); outline-offset: 2px; }
[part="screen"] { position: absolute; inset: 0; padding: var(--tabsh-padding, 10px); box-sizing: border-box; }
.xterm { height: 100%; }
`;

/** On a server there is no such class; the element is only defined in a browser. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** Text cannot end the block it is pasted as. */
const withoutMarkers = (text: string) => text.replaceAll("\u001b[200~", "").replaceAll("\u001b[201~", "");

/** The terminal element. Attributes: session, persist, rows, cols, banner, readonly, font-size, theme. */
export class TabshTerminal extends Base {
  static readonly observedAttributes = ["font-size", "theme", "rows", "cols", "readonly"];

  #screen: Screen | null = null;
  #session: Interactive | null = null;
  #starting: Promise<Shell> | null = null;
  #disposers: (() => void)[] = [];
  /** Esc was the last key: Tab now leaves. */
  #leaving = false;

  /** The shell behind the terminal; starts it where it is not running yet. */
  get shell(): Promise<Shell> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Uses a shell that exists, in place of one of its own; only before the element is connected. */
  set shell(shell: Shell | Promise<Shell>) {
    this.#starting = Promise.resolve(shell).then((given) => this.#adopt(given));
  }

  connectedCallback(): void {
    if (!this.hasAttribute("tabindex")) this.tabIndex = 0;
    this.shell.catch((error: unknown) => this.#showFailure(error));
  }

  disconnectedCallback(): void {
    // Moving the element disconnects and connects it in one turn: only a lasting removal ends the session.
    queueMicrotask(() => {
      if (this.isConnected) return;
      for (const dispose of this.#disposers.splice(0)) dispose();
      this.#session?.close();
      this.#screen?.terminal.dispose();
      this.shadowRoot?.replaceChildren();
      this.#screen = null;
      this.#session = null;
      this.#starting = null;
    });
  }

  attributeChangedCallback(): void {
    if (!this.#screen) return;
    this.#screen.restyle(this.#look());
    this.#screen.terminal.options.disableStdin = this.hasAttribute("readonly");
    this.fit();
  }

  #options(): ShellOptions {
    const persist = this.getAttribute("persist");
    return persist === null ? {} : { persist: persist || "home" };
  }

  async #start(): Promise<Shell> {
    const [shell] = await Promise.all([createShell(this.#options()), this.#show()]);
    return this.#adopt(shell);
  }

  async #adopt(shell: Shell): Promise<Shell> {
    const screen = await this.#show();
    const banner = this.getAttribute("banner");
    if (banner) await screen.write(`${banner.replaceAll("\n", "\r\n")}\r\n`);
    const { storage } = shell;
    if (storage && storage.state !== "saved" && storage.state !== "saving")
      await screen.write(`tabsh: ${storage.message}\r\n`);
    this.#listen(shell, screen);
    this.#session = shell.open({
      columns: screen.terminal.cols,
      rows: screen.terminal.rows,
      write: (bytes) => screen.write(bytes),
      exited: (code) => this.#announce("tabsh-exit", { code }),
    });
    return shell;
  }

  /** Makes the screen once; xterm.js is loaded here and not before. */
  async #show(): Promise<Screen> {
    if (this.#screen) return this.#screen;
    const { Screen } = await import("./screen.ts");
    if (this.#screen) return this.#screen;
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    const parent = document.createElement("div");
    parent.setAttribute("part", "screen");
    root.replaceChildren(parent);
    const screen = new Screen(root, parent, this.#look());
    screen.terminal.options.disableStdin = this.hasAttribute("readonly");
    if (screen.terminal.textarea) screen.terminal.textarea.tabIndex = -1;
    this.#screen = screen;
    this.#keys(screen);
    this.#pasting(parent);
    const observer = new ResizeObserver(() => this.fit());
    observer.observe(this);
    this.#disposers.push(() => observer.disconnect());
    this.#followScheme();
    this.fit();
    return screen;
  }

  #listen(shell: Shell, screen: Screen): void {
    const input = screen.terminal.onData((data) => this.#session?.input(data));
    const size = screen.terminal.onResize(({ cols, rows }) => this.#session?.resize(cols, rows));
    this.#disposers.push(
      () => input.dispose(),
      () => size.dispose(),
      shell.on("command", (detail) => this.#announce("tabsh-command", detail)),
      shell.on("storage", (detail) => this.#announce("tabsh-storage", detail)),
    );
  }

  /** Keys that belong to the page or to the browser and not to the program. */
  #keys(screen: Screen): void {
    screen.terminal.attachCustomKeyEventHandler((event) => {
      if (event.type !== "keydown") return true;
      const leaves = this.#leaving && event.key === "Tab";
      this.#leaving = event.key === "Escape";
      if (leaves) return false;
      const key = event.key.toLowerCase();
      const control = event.ctrlKey && !event.altKey && !event.metaKey;
      if (control && key === "c" && (event.shiftKey || screen.terminal.hasSelection())) {
        void navigator.clipboard?.writeText(screen.terminal.getSelection());
        screen.terminal.clearSelection();
        event.preventDefault();
        return false;
      }
      // The browser's own paste event brings the text.
      return !(control && key === "v");
    });
    const enter = (event: KeyboardEvent) => {
      if (event.key === "Enter" && event.composedPath()[0] === this) {
        event.preventDefault();
        this.#screen?.terminal.focus();
      }
    };
    this.addEventListener("keydown", enter);
    this.#disposers.push(() => this.removeEventListener("keydown", enter));
  }

  #pasting(parent: HTMLElement): void {
    const paste = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      this.paste(event.clipboardData?.getData("text/plain") ?? "");
    };
    parent.addEventListener("paste", paste, { capture: true });
    this.#disposers.push(() => parent.removeEventListener("paste", paste, { capture: true }));
  }

  #followScheme(): void {
    const scheme = matchMedia("(prefers-color-scheme: light)");
    const change = () => this.#screen?.restyle(this.#look());
    scheme.addEventListener("change", change);
    this.#disposers.push(() => scheme.removeEventListener("change", change));
  }

  #look(): Look {
    const theme = this.getAttribute("theme") ?? "dark";
    const light = theme === "light" || (theme === "auto" && matchMedia("(prefers-color-scheme: light)").matches);
    return { fontSize: this.#number("font-size") ?? 15, theme: light ? "light" : "dark" };
  }

  #number(attribute: string): number | null {
    const value = Number.parseInt(this.getAttribute(attribute) ?? "", 10);
    return value > 0 ? value : null;
  }

  #announce(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  async #showFailure(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    const screen = await this.#show();
    await screen.write(`tabsh: ${message}\r\n`);
  }

  /** Types text as a paste: one block where the program asked for bracketed paste. */
  paste(text: string): void {
    if (!this.hasAttribute("readonly")) this.#screen?.terminal.paste(withoutMarkers(text));
  }

  /** Writes to the screen, past the shell. */
  write(data: string | Uint8Array): Promise<void> {
    return this.#screen?.write(data) ?? Promise.resolve();
  }

  /** Empties the screen and the scrollback but for the present line. */
  clear(): void {
    this.#screen?.terminal.clear();
  }

  /** Fits columns and rows to the element's size. */
  fit(): void {
    this.#screen?.fit(this.#number("cols"), this.#number("rows"));
  }

  /** Puts the keyboard into the terminal. */
  override focus(options?: FocusOptions): void {
    if (this.#screen) this.#screen.terminal.focus();
    else super.focus(options);
  }

  /** What a person sees, scrollback included. */
  text(): string {
    return this.#screen?.text() ?? "";
  }
}
