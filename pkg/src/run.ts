//! One run of a program: awaitable for its result, iterable for its output as it comes.

import type { Link, RunClient } from "./link.ts";
import type { ExitKind, Issue, RunRecord } from "./protocol.ts";
import { Queue } from "./queue.ts";

/** A piece of output; `text` holds whole characters only. */
export interface Chunk {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** How a run ended, with what it printed. */
export interface RunResult {
  readonly kind: ExitKind;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Uint8Array;
  /** What was found wrong before anything ran. */
  readonly issues: readonly Issue[];
  /** The typed value of the last command, where it left one. */
  readonly data?: unknown;
  /** Whether output beyond the limit of a result was left out of it. */
  readonly truncated: boolean;
}

/** Options of one run. */
export interface ExecOptions {
  readonly stdin?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly columns?: number;
}

/** The most bytes of one stream that a result holds. */
const resultLimit = 64 * 1024 * 1024;

class Collected {
  readonly #parts: Uint8Array[] = [];
  readonly #decoder = new TextDecoder();
  #size = 0;
  truncated = false;

  /** Keeps the bytes and answers their text. */
  add(bytes: Uint8Array): string {
    if (this.#size + bytes.length > resultLimit) this.truncated = true;
    else {
      this.#size += bytes.length;
      this.#parts.push(bytes);
    }
    return this.#decoder.decode(bytes, { stream: true });
  }

  /** Text of a character that was never finished. */
  rest(): string {
    return this.#decoder.decode();
  }

  bytes(): Uint8Array {
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}

const encoder = new TextEncoder();
const toBytes = (input: string | Uint8Array) => (typeof input === "string" ? encoder.encode(input) : input.slice());

/** A started program. Output is bounded: it waits until the result is awaited or the output is read. */
export class Run implements PromiseLike<RunResult>, AsyncIterable<Chunk> {
  readonly #link: Link;
  readonly #shell: number;
  readonly #number: number;
  readonly #collected = { stdout: new Collected(), stderr: new Collected() };
  readonly #chunks = new Queue<Chunk>();
  readonly #signal: AbortSignal | undefined;
  readonly #result: Promise<RunResult>;
  #settle: (result: RunResult) => void = () => {};
  #inputTaken: () => void = () => {};
  /** Bytes that arrived and were not yet reported as used. */
  #held = 0;
  #reader: "none" | "result" | "iterator" = "none";
  #ended = false;

  /** @internal */
  constructor(link: Link, shell: number, source: string, options: ExecOptions) {
    this.#link = link;
    this.#shell = shell;
    this.#signal = options.signal;
    this.#result = new Promise((resolve) => {
      this.#settle = resolve;
    });
    if (options.signal?.aborted) {
      this.#number = 0;
      this.#finish({ kind: "aborted", code: 130, issues: [] });
      return;
    }
    options.signal?.addEventListener("abort", this.#abort);
    const { stdin } = options;
    const streamed = typeof stdin === "object" && !(stdin instanceof Uint8Array) ? stdin : null;
    const request = {
      ...(typeof stdin === "string" || stdin instanceof Uint8Array ? { stdin: toBytes(stdin) } : {}),
      ...(streamed ? { stdinOpen: true } : {}),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      ...(options.columns === undefined ? {} : { columns: options.columns }),
    };
    this.#number = link.run(this.#client(), (run) => ({ type: "exec", shell, run, source, request }));
    if (streamed) void this.#feed(streamed);
  }

  #client(): RunClient {
    return {
      output: (stream, bytes) => this.#output(stream === 1 ? "stdout" : "stderr", bytes),
      inputTaken: () => this.#inputTaken(),
      done: (record) => this.#finish(record),
      crashed: (notice) => {
        this.#output("stderr", encoder.encode(`${notice}\n`));
        this.#finish({ kind: "crash", code: 134, issues: [] });
      },
    };
  }

  /** Stops the program as Ctrl-C does; the result says `aborted`. */
  abort(): void {
    if (!this.#ended) this.#link.abort(this.#shell, this.#number);
  }

  readonly #abort = () => this.abort();

  async #feed(input: AsyncIterable<string | Uint8Array>): Promise<void> {
    try {
      for await (const piece of input) {
        if (this.#ended) return;
        const taken = new Promise<void>((resolve) => {
          this.#inputTaken = resolve;
        });
        this.#tellInput(toBytes(piece));
        await taken;
      }
    } finally {
      if (!this.#ended) this.#tellInput(null);
    }
  }

  #tellInput(bytes: Uint8Array | null): void {
    this.#link.tell({ type: "input", shell: this.#shell, run: this.#number, bytes });
  }

  #output(stream: "stdout" | "stderr", bytes: Uint8Array): void {
    const text = this.#collected[stream].add(bytes);
    if (this.#reader === "result") {
      this.#taken(bytes.length);
      return;
    }
    this.#held += bytes.length;
    this.#chunks.put({ stream, text, bytes });
  }

  #taken(count: number): void {
    if (count > 0 && !this.#ended) {
      this.#link.tell({ type: "taken", shell: this.#shell, run: this.#number, count });
    }
  }

  #finish(record: RunRecord): void {
    this.#ended = true;
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#inputTaken();
    for (const stream of ["stdout", "stderr"] as const) {
      const text = this.#collected[stream].rest();
      if (text !== "") this.#chunks.put({ stream, text, bytes: new Uint8Array() });
    }
    this.#chunks.end();
    const stdoutBytes = this.#collected.stdout.bytes();
    const decoder = new TextDecoder();
    this.#settle({
      ...record,
      stdout: decoder.decode(stdoutBytes),
      stderr: decoder.decode(this.#collected.stderr.bytes()),
      stdoutBytes,
      truncated: this.#collected.stdout.truncated || this.#collected.stderr.truncated,
    });
  }

  /** Waits for the end; output that nobody iterates flows into the result. */
  // biome-ignore lint/suspicious/noThenProperty: a run is awaitable by design
  then<A = RunResult, B = never>(
    fulfilled?: ((result: RunResult) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    if (this.#reader === "none") {
      this.#reader = "result";
      this.#taken(this.#held);
      this.#held = 0;
    }
    return this.#result.then(fulfilled, rejected);
  }

  /** The output as it comes; leaving the loop early stops the program. */
  async *[Symbol.asyncIterator](): AsyncIterator<Chunk> {
    this.#reader = "iterator";
    try {
      for (let chunk = await this.#chunks.take(); chunk !== null; chunk = await this.#chunks.take()) {
        this.#taken(chunk.bytes.length);
        yield chunk;
      }
    } finally {
      this.abort();
      this.#reader = "result";
      this.#taken(this.#held);
    }
  }
}
