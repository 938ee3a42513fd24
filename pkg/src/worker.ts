//! The worker's script: serves the kernel to the page that started it, and reports whatever ends it.

import type { Reply, Request } from "./protocol.ts";
import { serve } from "./serve.ts";

interface WorkerScope {
  postMessage(message: Reply, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<Request>) => void): void;
  addEventListener(type: "error", listener: (event: ErrorEvent) => void): void;
  addEventListener(type: "unhandledrejection", listener: (event: PromiseRejectionEvent) => void): void;
}

/** The DOM library describes a page's global; this is a dedicated worker's. */
const scope = globalThis as unknown as WorkerScope;

const crash = (message: string) => scope.postMessage({ type: "crash", message }, []);
scope.addEventListener("error", (event) => crash(event.message));
scope.addEventListener("unhandledrejection", (event) => crash(String(event.reason)));

serve({
  post: (reply, transfer = []) => scope.postMessage(reply, transfer),
  listen: (take) => scope.addEventListener("message", (event) => take(event.data)),
  close: () => {},
});
