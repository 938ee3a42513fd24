//! Keeps the style elements that xterm.js creates out of the page: their text goes to adopted style sheets, which no content security policy forbids.

/** A document for xterm's `documentOverride` whose style elements write to sheets of `root`. */
export function documentWithSheets(root: ShadowRoot): Document {
  const redirect = (style: HTMLElement): void => {
    const sheet = new CSSStyleSheet();
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    let held = "";
    Object.defineProperty(style, "textContent", {
      get: () => held,
      set: (text: string) => {
        held = text;
        sheet.replaceSync(text);
      },
    });
    style.remove = () => {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  };
  const createElement = (name: string): HTMLElement => {
    const element = document.createElement(name);
    // Some style elements are made by the real document: they are caught where they are put in.
    element.appendChild = <T extends Node>(child: T): T => {
      if (!(child instanceof HTMLStyleElement)) return Node.prototype.appendChild.call(element, child) as T;
      redirect(child);
      return child;
    };
    return element;
  };
  return new Proxy(document, {
    get: (target, name) => {
      if (name === "createElement") return createElement;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
