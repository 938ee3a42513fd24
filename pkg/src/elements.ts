//! The package's elements as classes, and one function that registers them; importing this does nothing.

import { TabshTerminal } from "./elements/terminal.ts";

export { TabshTerminal };

/** Registers the elements under their names; again is no failure. */
export function defineElements(): void {
  if (!customElements.get("tabsh-terminal")) customElements.define("tabsh-terminal", TabshTerminal);
}

declare global {
  interface HTMLElementTagNameMap {
    "tabsh-terminal": TabshTerminal;
  }
}
