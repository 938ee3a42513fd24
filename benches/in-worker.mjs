//! Runs in a worker of its own: how long one `echo hi` takes as a separate call, without messages to a page.

import init, { Mounts, Shell } from "../pkg/generated/kernel.js";

await init({ module_or_path: new URL("../pkg/dist/kernel.wasm", import.meta.url) });
const shell = await Shell.create({}, new Mounts(), () => {});
const send = () => {};
const measure = async (count) => {
  const start = performance.now();
  for (let turn = 0; turn < count; turn += 1) await shell.exec(turn, "echo hi", {}, send);
  return ((performance.now() - start) / count) * 1000;
};
await measure(2000);
postMessage(await measure(2000));
