//! An unbounded queue with one consumer: items in order, then the end.

/** Items that are put in by one side and awaited by the other. */
export class Queue<Item> {
  readonly #items: Item[] = [];
  #ended = false;
  #wake: (() => void) | null = null;

  put(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** The next item, or null after the last. */
  async take(): Promise<Item | null> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) return item;
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
