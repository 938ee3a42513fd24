//! The error that the API throws: a stable code and a sentence for people.

import type { Failure } from "./protocol.ts";

/** A failed call; `code` is an errno name such as `ENOENT`, or a word of this package such as `crash`. */
export class TabshError extends Error {
  readonly code: string;

  constructor({ code, message }: Failure) {
    super(message);
    this.name = "TabshError";
    this.code = code;
  }
}

/** Anything thrown, as a record that can cross. */
export function failureOf(error: unknown): Failure {
  if (typeof error === "object" && error !== null && "message" in error) {
    const code = "code" in error && typeof error.code === "string" ? error.code : "internal";
    return { code, message: String(error.message) };
  }
  return { code: "internal", message: String(error) };
}
