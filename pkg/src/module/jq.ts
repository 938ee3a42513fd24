//! The script of jq's module: a worker's, or imported where there are no workers.

import init, { Run } from "../../generated/jq.js";
import type { ModuleReply, ModuleRequest } from "../modules.ts";
import type { Port } from "../protocol.ts";
import { serveOver, serveWorker, type WasmModule } from "./serve.ts";

const wasm: WasmModule = {
  init: (module) => init({ module_or_path: module }),
  run: (request, steps) => new Run(request, steps),
};

/** Serves the module over a port; `limited` counts the steps of its runs. */
export function serveModule(port: Port<ModuleReply, ModuleRequest>, limited: boolean): void {
  serveOver(wasm, port, limited);
}

serveWorker(wasm);
