//! `npm start`: sets up what is missing, builds, and serves the playground until it is stopped.

import { buildAll } from "./build.mjs";
import { guarded } from "./say.mjs";
import { serve } from "./serve.mjs";

await guarded(async () => {
  await buildAll();
  const { url } = await serve({ port: Number(process.env.PORT || 8080) });
  console.log(`\ntabsh: the playground is at ${url}  (Ctrl-C stops the server)`);
});
