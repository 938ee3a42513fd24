//! Typed events: listeners by name, each with a disposer.

/** Events of the map `Map`, name → detail. */
export class Emitter<Map> {
  readonly #listeners: { [Name in keyof Map]?: Set<(detail: Map[Name]) => void> } = {};

  /** Adds a listener; the answer removes it. */
  on<Name extends keyof Map>(name: Name, listener: (detail: Map[Name]) => void): () => void {
    const set: Set<(detail: Map[Name]) => void> = this.#listeners[name] ?? new Set();
    this.#listeners[name] = set;
    set.add(listener);
    return () => set.delete(listener);
  }

  /** Calls the listeners in order; one that throws does not stop the others. */
  emit<Name extends keyof Map>(name: Name, detail: Map[Name]): void {
    for (const listener of this.#listeners[name] ?? []) {
      try {
        listener(detail);
      } catch (error) {
        reportError(error);
      }
    }
  }
}
