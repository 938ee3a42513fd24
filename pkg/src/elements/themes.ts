//! The terminal's two colour schemes; every colour has a contrast of at least 4.5 to 1 on its background.

import type { ITheme } from "@xterm/xterm";

/** Light on dark. */
export const dark: ITheme = {
  background: "#10141b",
  foreground: "#dde3ee",
  cursor: "#7fd1b9",
  cursorAccent: "#10141b",
  selectionBackground: "#33507a",
  black: "#7b8596",
  red: "#ff8080",
  green: "#8fd18f",
  yellow: "#e6c86e",
  blue: "#84b6ff",
  magenta: "#d9a3f0",
  cyan: "#74d3d6",
  white: "#dde3ee",
  brightBlack: "#8d98ab",
  brightRed: "#ffa3a3",
  brightGreen: "#aee6ae",
  brightYellow: "#f5dc92",
  brightBlue: "#a9ccff",
  brightMagenta: "#e8c2f7",
  brightCyan: "#9fe6e8",
  brightWhite: "#ffffff",
};

/** Dark on light. */
export const light: ITheme = {
  background: "#fbfaf7",
  foreground: "#1f2530",
  cursor: "#0c6b58",
  cursorAccent: "#fbfaf7",
  selectionBackground: "#bcd6f5",
  black: "#1f2530",
  red: "#b3261e",
  green: "#25692f",
  yellow: "#795500",
  blue: "#1a55b0",
  magenta: "#84329b",
  cyan: "#0b6670",
  white: "#5a6270",
  brightBlack: "#5a6270",
  brightRed: "#9c1f18",
  brightGreen: "#1d5827",
  brightYellow: "#664800",
  brightBlue: "#144694",
  brightMagenta: "#6f2784",
  brightCyan: "#08545d",
  brightWhite: "#1f2530",
};
