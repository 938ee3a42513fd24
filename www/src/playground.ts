//! The playground: a terminal that fills the page, files dropped into it, and what is saved in plain sight.

import type { Mode, Shell, StorageState } from "tabsh";
import { defineElements } from "tabsh/elements";
import { dropped, picked, type Upload, upload } from "./uploads.ts";

function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`the page has no #${id}`);
}

const modes: Record<Mode, string> = {
  worker: "kernel: worker",
  "blob-worker": "kernel: worker (blob)",
  "main-thread": "kernel: this page, in slices",
};

const notice = byId("notice", HTMLParagraphElement);

function tell(text: string, kind: "good" | "bad" = "good"): void {
  notice.textContent = text;
  notice.dataset["kind"] = kind;
}

function showStorage({ state, message }: StorageState): void {
  byId("storage", HTMLParagraphElement).dataset["state"] = state;
  byId("storage-text", HTMLSpanElement).textContent = message;
}

function showPersisted({ persisted }: { readonly persisted: boolean }): void {
  byId("storage", HTMLParagraphElement).title = persisted
    ? "The browser keeps these files until you clear them."
    : "The browser may delete these files when space runs short.";
}

function showMode(mode: Mode | null): void {
  byId("mode", HTMLParagraphElement).textContent = mode === null ? "" : modes[mode];
}

async function take(shell: Shell, uploads: readonly Upload[]): Promise<void> {
  if (uploads.length === 0) return;
  tell(`Adding ${uploads.length === 1 ? uploads[0]?.path : `${uploads.length} files`}…`);
  try {
    const paths = await upload(shell, uploads);
    tell(`Added ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`);
  } catch (error) {
    tell(`Not added: ${error instanceof Error ? error.message : String(error)}`, "bad");
  }
}

function acceptFiles(shell: Promise<Shell>, done: () => void): void {
  const overlay = byId("drop", HTMLDivElement);
  const accept = async (uploads: Upload[] | Promise<Upload[]>) => {
    await take(await shell, await uploads);
    done();
  };
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    overlay.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) overlay.hidden = true;
  });
  addEventListener("drop", (event) => {
    overlay.hidden = true;
    if (!carriesFiles(event) || event.dataTransfer === null) return;
    event.preventDefault();
    void accept(dropped(event.dataTransfer));
  });
  const input = byId("files", HTMLInputElement);
  byId("pick", HTMLButtonElement).addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    if (input.files === null) return;
    void accept(picked(input.files));
    input.value = "";
  });
}

function switchTheme(terminal: HTMLElement): void {
  const button = byId("theme", HTMLButtonElement);
  const apply = (theme: string) => {
    document.documentElement.dataset["theme"] = theme;
    terminal.setAttribute("theme", theme);
    button.setAttribute("aria-pressed", String(theme === "light"));
  };
  const remembered = localStorage.getItem("tabsh-theme");
  apply(remembered ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark"));
  button.addEventListener("click", () => {
    const theme = document.documentElement.dataset["theme"] === "light" ? "dark" : "light";
    localStorage.setItem("tabsh-theme", theme);
    apply(theme);
  });
}

async function main(): Promise<void> {
  defineElements();
  const terminal = byId(
    "terminal",
    customElements.get("tabsh-terminal") as typeof HTMLElement,
  ) as HTMLElementTagNameMap["tabsh-terminal"];
  switchTheme(terminal);
  acceptFiles(terminal.shell, () => terminal.focus());
  const shell = await terminal.shell;
  showMode(shell.mode);
  if (shell.storage) showStorage(shell.storage);
  shell.on("storage", showStorage);
  shell.on("persisted", showPersisted);
  shell.on("respawn", ({ mode }) => showMode(mode));
  terminal.focus();
}

main().catch((error: unknown) => tell(error instanceof Error ? error.message : String(error), "bad"));
