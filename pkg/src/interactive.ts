//! An interactive session: key bytes in, terminal bytes out, opened again where the kernel was restarted.

import type { Link, RunClient } from "./link.ts";

/** The page's terminal behind a session. */
export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  /** Takes output; the kernel waits while more than its window is unresolved. */
  readonly write: (bytes: Uint8Array) => void | Promise<void>;
  /** The session has ended (`exit`, Ctrl-D). */
  readonly exited?: (code: number) => void;
}

const encoder = new TextEncoder();
const interruptByte = 3;

/** An open terminal session of a shell. */
export class Interactive {
  readonly #link: Link;
  readonly #shell: number;
  readonly #options: TerminalOptions;
  readonly #closed: () => void;
  #run = 0;
  #columns: number;
  #rows: number;
  #open = true;

  /** @internal */
  constructor(link: Link, shell: number, options: TerminalOptions, closed: () => void) {
    this.#link = link;
    this.#shell = shell;
    this.#options = options;
    this.#closed = closed;
    this.#columns = options.columns;
    this.#rows = options.rows;
    this.reopen();
  }

  /** @internal Opens the session, at first and after a restart. */
  reopen(): void {
    if (!this.#open) return;
    const place = { shell: this.#shell, columns: this.#columns, rows: this.#rows };
    this.#run = this.#link.run(this.#client(), (run) => ({ type: "open", run, ...place }));
  }

  #client(): RunClient {
    return {
      output: (_stream, bytes) => void this.#output(bytes),
      inputTaken: () => {},
      done: (record) => {
        this.#open = false;
        this.#closed();
        this.#options.exited?.(record.code);
      },
      crashed: (notice) => void this.#options.write(encoder.encode(`\r\n${notice}\r\n`)),
    };
  }

  async #output(bytes: Uint8Array): Promise<void> {
    const count = bytes.length;
    const run = this.#run;
    await this.#options.write(bytes);
    if (run === this.#run) this.#link.tell({ type: "taken", shell: this.#shell, run, count });
  }

  /** Types: text or bytes as a terminal sends them. */
  input(data: string | Uint8Array): void {
    if (!this.#open) return;
    const bytes = typeof data === "string" ? encoder.encode(data) : data;
    const interrupts = bytes.includes(interruptByte);
    this.#link.tell({ type: "input", shell: this.#shell, run: this.#run, bytes });
    if (interrupts) this.#link.watch();
  }

  /** Tells the new size in characters. */
  resize(columns: number, rows: number): void {
    this.#columns = columns;
    this.#rows = rows;
    if (this.#open) this.#link.tell({ type: "resize", shell: this.#shell, run: this.#run, columns, rows });
  }

  /** Ends the session and what runs in its foreground. */
  close(): void {
    if (!this.#open) return;
    this.#link.tell({ type: "input", shell: this.#shell, run: this.#run, bytes: null });
    this.#open = false;
    this.#closed();
  }
}
