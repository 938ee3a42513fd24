//! Opens the mounts that carry their own content: archives, indexes, directories.

import { slicesOf } from "../zip/read.ts";
import { directoryDriver } from "./directory.ts";
import { DriverError, type MountDriver } from "./driver.ts";
import { httpDriver } from "./http.ts";
import type { SentMount } from "./specs.ts";
import { zipDriver } from "./zip.ts";

async function download(url: string): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new DriverError("EIO", `${url} answered ${response.status}`);
  return await response.blob();
}

/** The directory below the origin's private one, made where it is missing. */
async function privateDirectory(path: string): Promise<FileSystemDirectoryHandle> {
  let at = await navigator.storage.getDirectory();
  for (const name of path.split("/")) if (name !== "") at = await at.getDirectoryHandle(name, { create: true });
  return at;
}

/** The driver of a mount, and what `mount` calls it. */
export async function openMount(
  mount: Extract<SentMount, { type: "zip" | "http" | "directory" }>,
): Promise<MountDriver> {
  switch (mount.type) {
    case "zip":
      return await zipDriver(slicesOf(typeof mount.source === "string" ? await download(mount.source) : mount.source));
    case "http":
      return await httpDriver(mount.index, mount.base);
    case "directory":
      return directoryDriver(mount.handle ?? (await privateDirectory(mount.path)), mount.readOnly);
  }
}
