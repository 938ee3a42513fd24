//! A static file server for www/dist: no special headers, any sub-path, a free port where the usual one is taken.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve as resolvePath, sep } from "node:path";
import { root } from "./say.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};

/** The file for a request path, or null where it is not below `folder`. */
function locate(folder, base, url) {
  const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  if (!path.startsWith(base)) return null;
  const file = join(folder, path.slice(base.length)).replace(/\/$/, "");
  if (file !== folder && !file.startsWith(folder + sep)) return null;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory())
    return statSync(join(file, "index.html"), { throwIfNoEntry: false }) ? join(file, "index.html") : null;
  return found ? file : null;
}

/**
 * Serves `folder` below the path `base`; `headers` (or what it answers for a file) are added to every answer. Resolves with `{ url, close }`.
 */
export function serve({ folder = join(root, "www/dist"), base = "/", port = 0, headers = {} } = {}) {
  const server = createServer((request, response) => {
    let file = null;
    try {
      file = locate(resolvePath(folder), base, request.url ?? "/");
    } catch {
      // A malformed escape in the path is simply not found.
    }
    if (file === null) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
      return;
    }
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "cache-control": "no-cache",
      ...(typeof headers === "function" ? headers(file) : headers),
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if (error.code === "EADDRINUSE" && port !== 0) resolve(serve({ folder, base, port: 0, headers }));
      else reject(error);
    });
    server.listen(port, "127.0.0.1", () => {
      const close = () => {
        server.closeAllConnections();
        return new Promise((done) => server.close(done));
      };
      resolve({ url: `http://localhost:${server.address().port}${base}`, close });
    });
  });
}
