//! A module's side of the messages: loads its wasm, runs one call at a time in steps.

import { compile } from "../compile.ts";
import { failureOf } from "../failure.ts";
import type { ModuleReply, ModuleRequest } from "../modules.ts";
import type { Port } from "../protocol.ts";

/** The class that each module's wasm has. */
export interface WasmRun {
  step(kind: number, bytes: Uint8Array): number;
  out(): Uint8Array;
  err(): Uint8Array;
  free(): void;
}

/** A module's glue. */
export interface WasmModule {
  init(module: WebAssembly.Module): Promise<unknown>;
  run(request: string, steps: number): WasmRun;
}

/** Steps of evaluation that a run may take where it cannot be ended from outside: some seconds. */
const fewSteps = 20_000_000;

/** Words for what ends a run and its module with it. */
function ending(error: unknown): string {
  if (error instanceof RangeError) return "its calls are nested too deeply";
  if (error instanceof WebAssembly.RuntimeError) return `it ran out of memory or failed (${error.message})`;
  return failureOf(error).message;
}

/** Serves a module over a port; `limited` counts the steps of its runs. */
export function serveOver(wasm: WasmModule, port: Port<ModuleReply, ModuleRequest>, limited: boolean): void {
  let run: WasmRun | null = null;
  const take = async (request: ModuleRequest): Promise<void> => {
    switch (request.type) {
      case "load": {
        const module = await compile(request.wasm);
        await wasm.init(module);
        port.post({ type: "loaded", module });
        return;
      }
      case "start":
        run?.free();
        run = wasm.run(request.request, limited ? fewSteps : Number.MAX_SAFE_INTEGER);
        return;
      case "step": {
        const next = run?.step(request.kind, request.bytes) ?? 0;
        const none = new Uint8Array();
        port.post({ type: "stepped", step: { out: run?.out() ?? none, err: run?.err() ?? none, next } });
      }
    }
  };
  port.listen((request) => {
    take(request).catch((error: unknown) => port.post({ type: "failed", message: ending(error) }));
  });
}

interface WorkerScope {
  readonly name?: string;
  addEventListener(type: "message", listener: (event: MessageEvent<MessagePort>) => void): void;
}

/** Serves a module over the port that comes first, where this script was started as a module's worker. */
export function serveWorker(wasm: WasmModule): void {
  // The DOM library describes a page's global; this may be a dedicated worker's.
  const scope = globalThis as unknown as WorkerScope;
  if (typeof document !== "undefined" || scope.name !== "tabsh-module") return;
  scope.addEventListener("message", ({ data: port }) => {
    const other: Port<ModuleReply, ModuleRequest> = {
      post: (reply) => port.postMessage(reply),
      listen: (listener) => {
        port.onmessage = (event: MessageEvent<ModuleRequest>) => listener(event.data);
      },
      close: () => port.close(),
    };
    serveOver(wasm, other, false);
  });
}
