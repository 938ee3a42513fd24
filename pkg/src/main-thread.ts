//! The last resort where no worker can be started: the kernel on the page itself, in its time slices.

import type { Reply, Request } from "./protocol.ts";
import { serve } from "./serve.ts";

/** Serves the kernel on this thread over a message port. */
export function serveHere(port: MessagePort): void {
  serve({
    post: (reply: Reply, transfer = []) => port.postMessage(reply, transfer),
    listen: (take) => {
      port.onmessage = (event: MessageEvent<Request>) => take(event.data);
    },
    close: () => port.close(),
  });
}
