//! Wasm from where it is to a compiled module.

import type { WasmSource } from "./protocol.ts";

/** Compiles wasm; a URL is streamed where the server names the type. */
export async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer) return await WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} answered ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm")) {
    return await WebAssembly.compileStreaming(response);
  }
  return await WebAssembly.compile(await response.arrayBuffer());
}
