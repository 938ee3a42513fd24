//! The workers of modules, which the page starts for its kernel: a worker within a worker makes Firefox's hang now and then.

import { failureOf } from "./failure.ts";

/** How many modules' workers run at once; what comes beyond them runs on the kernel's thread, so that a long pipeline never waits. */
const most = 16;

/** Modules' workers by the kernel's numbers. */
export class ModuleWorkers {
  readonly #workers = new Map<number, Worker | null>();

  /** Starts a worker that serves `port`; `failed` is called where it does not start, or breaks. */
  async start(id: number, script: string, port: MessagePort, failed: (message: string) => void): Promise<void> {
    try {
      if (this.#workers.size >= most) throw new Error(`${most} workers are busy`);
      this.#workers.set(id, null);
      const worker = await begin(script);
      if (!this.#workers.has(id)) {
        worker.terminate();
        return;
      }
      this.#workers.set(id, worker);
      worker.addEventListener("error", (event) => failed(event.message || `${script} did not load`));
      worker.postMessage(port, [port]);
    } catch (error) {
      this.#workers.delete(id);
      failed(failureOf(error).message);
    }
  }

  end(id: number): void {
    this.#workers.get(id)?.terminate();
    this.#workers.delete(id);
  }

  endAll(): void {
    for (const id of [...this.#workers.keys()]) this.end(id);
  }
}

/** A worker by URL, or where the script is of another origin from a blob. */
async function begin(script: string): Promise<Worker> {
  // The script serves what it is sent where it finds itself under this name.
  const options: WorkerOptions = { type: "module", name: "tabsh-module" };
  if (new URL(script).origin === globalThis.origin) return new Worker(script, options);
  const response = await fetch(script);
  if (!response.ok) throw new Error(`${script} answered ${response.status}`);
  const blob = URL.createObjectURL(new Blob([await response.text()], { type: "text/javascript" }));
  try {
    return new Worker(blob, options);
  } finally {
    URL.revokeObjectURL(blob);
  }
}
