//! Turns mounts into what can be sent: addresses become absolute, drivers stay here behind a number.

import { type Door, doorTo } from "./driver.ts";
import type { MountSpec, Mounts, SentMount } from "./specs.ts";

/** Keeps the doors that the kernel asks by number. */
export interface Doors {
  addDoor(door: Door): number;
}

function sent(spec: MountSpec, base: string, doors: Doors): SentMount {
  const absolute = (url: string | URL) => new URL(url, base).href;
  switch (spec.type) {
    case "memory":
    case "persistent":
      return spec;
    case "zip": {
      const { source } = spec;
      if (typeof source === "string" || source instanceof URL) return { type: "zip", source: absolute(source) };
      return { type: "zip", source: source instanceof ArrayBuffer ? new Uint8Array(source) : source };
    }
    case "http": {
      const index = absolute(spec.index);
      return { type: "http", index, base: new URL(spec.base ?? ".", index).href };
    }
    case "directory":
      return {
        type: "directory",
        handle: spec.handle ?? null,
        path: spec.path ?? "",
        readOnly: spec.readOnly ?? false,
      };
    case "driver": {
      const { driver, timeoutMs = 30_000 } = spec;
      const door = doorTo(driver, "js", timeoutMs / 1000);
      return { type: "page", door: doors.addDoor(door), able: door.able, seconds: door.seconds };
    }
  }
}

/** Every mount in the form that is sent, by path. */
export function sentMounts(mounts: Mounts, base: string, doors: Doors): Record<string, SentMount> {
  const all = Object.entries(mounts).map(([path, spec]) => {
    if (!path.startsWith("/")) throw new TypeError(`a mount's path is absolute: ${path}`);
    return [path, sent(spec, base, doors)];
  });
  return Object.fromEntries(all);
}
