//! The xterm.js terminal inside the element: made, sized, read and written.

import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { SerializeAddon } from "@xterm/addon-serialize";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import xtermStyle from "@xterm/xterm/css/xterm.css";
import { documentWithSheets } from "./sheets.ts";
import { dark, light } from "./themes.ts";

/** How a screen looks. */
export interface Look {
  readonly fontSize: number;
  readonly theme: "light" | "dark";
}

const font = 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';

/** A terminal in a shadow root. */
export class Screen {
  readonly terminal: Terminal;
  readonly search = new SearchAddon();
  readonly #fit = new FitAddon();
  readonly #serialize = new SerializeAddon();

  constructor(root: ShadowRoot, parent: HTMLElement, look: Look) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(xtermStyle);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    this.terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      documentOverride: documentWithSheets(root),
      fontFamily: font,
      fontSize: look.fontSize,
      lineHeight: 1.2,
      macOptionIsMeta: true,
      minimumContrastRatio: 4.5,
      scrollback: 10_000,
      theme: look.theme === "light" ? light : dark,
    });
    for (const addon of [this.#fit, this.search, this.#serialize, new UnicodeGraphemesAddon(), new WebLinksAddon()]) {
      this.terminal.loadAddon(addon);
    }
    this.terminal.open(parent);
  }

  /** Changes size and colours. */
  restyle(look: Look): void {
    this.terminal.options.fontSize = look.fontSize;
    this.terminal.options.theme = look.theme === "light" ? light : dark;
  }

  /** Takes the size of the parent, or the given columns and rows. */
  fit(columns: number | null, rows: number | null): void {
    const proposed = this.#fit.proposeDimensions();
    const usable = (count: number | undefined, least: number) =>
      count !== undefined && Number.isFinite(count) ? Math.max(count, least) : null;
    const width = columns ?? usable(proposed?.cols, 20) ?? this.terminal.cols;
    const height = rows ?? usable(proposed?.rows, 4) ?? this.terminal.rows;
    if (width !== this.terminal.cols || height !== this.terminal.rows) this.terminal.resize(width, height);
  }

  /** Writes bytes; resolves once they are on the screen. */
  write(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.terminal.write(data, resolve));
  }

  /** What a person sees, scrollback included; wrapped rows are one line. */
  text(): string {
    const buffer = this.terminal.buffer.active;
    const lines: string[] = [];
    for (let row = 0; row < buffer.length; row += 1) {
      const line = buffer.getLine(row);
      if (!line) continue;
      const continues = buffer.getLine(row + 1)?.isWrapped ?? false;
      const text = line.translateToString(!continues);
      if (line.isWrapped) lines.push(`${lines.pop() ?? ""}${text}`);
      else lines.push(text);
    }
    return lines.join("\n").trimEnd();
  }

  /** The screen with its colours, as a text of escape sequences. */
  serialize(): string {
    return this.#serialize.serialize();
  }
}
