//! The ways to start the kernel, in the order they are tried: a worker by URL, a worker from a blob, this thread.

import type { Port, Reply, Request } from "./protocol.ts";

/** Where the kernel runs. */
export type Mode = "worker" | "blob-worker" | "main-thread";

/** A started place for the kernel; `failed` is called where it breaks outside of any message. */
export interface Place {
  readonly mode: Mode;
  readonly port: Port<Request, Reply>;
}

type Failed = (message: string) => void;

function overWorker(mode: Mode, worker: Worker, failed: Failed): Place {
  worker.addEventListener("error", (event) => failed(event.message || "the worker's script did not load"));
  const port: Port<Request, Reply> = {
    post: (request, transfer = []) => worker.postMessage(request, transfer),
    listen: (take) => worker.addEventListener("message", (event: MessageEvent<Reply>) => take(event.data)),
    close: () => worker.terminate(),
  };
  return { mode, port };
}

async function fromBlob(url: string, failed: Failed): Promise<Place> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const script = URL.createObjectURL(new Blob([await response.text()], { type: "text/javascript" }));
  try {
    return overWorker("blob-worker", new Worker(script), failed);
  } finally {
    URL.revokeObjectURL(script);
  }
}

interface MainThread {
  serveHere(port: MessagePort): void;
}

async function onThisThread(url: string): Promise<Place> {
  // Each start gets a module instance of its own: a kernel that crashed cannot be used again.
  const module: MainThread = await import(/* @vite-ignore */ /* webpackIgnore: true */ `${url}?${crypto.randomUUID()}`);
  const { port1, port2 } = new MessageChannel();
  module.serveHere(port2);
  const port: Port<Request, Reply> = {
    post: (request, transfer = []) => port1.postMessage(request, transfer),
    listen: (take) => {
      port1.onmessage = (event: MessageEvent<Reply>) => take(event.data);
    },
    close: () => port1.close(),
  };
  return { mode: "main-thread", port };
}

/** One function per way; each may throw or call `failed`. */
export function ways(worker: string, mainThread: string): ((failed: Failed) => Place | Promise<Place>)[] {
  return [
    (failed) => overWorker("worker", new Worker(worker), failed),
    (failed) => fromBlob(worker, failed),
    () => onThisThread(mainThread),
  ];
}
