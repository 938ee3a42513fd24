//! Reads the case corpus: files of `tests/cases` in, cases in the shape of the case-line protocol out.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("cases/", import.meta.url));

/** Puts the text of a section where it belongs. */
function fill(one, head, text, last) {
  let body = text;
  if (last && (body === "\n" || body.endsWith("\n\n"))) body = body.slice(0, -1);
  let name = head;
  if (name.endsWith(" no-newline")) {
    body = body.slice(0, -1);
    name = name.slice(0, -" no-newline".length);
  }
  const [kind, ...rest] = name.split(" ");
  const argument = rest.join(" ");
  switch (kind) {
    case "file":
      if (argument.endsWith(" base64")) one.files[argument.slice(0, -" base64".length)] = { base64: body.trim() };
      else one.files[argument] = body;
      break;
    case "stdin":
    case "script":
      one[kind] = body;
      break;
    case "stdout":
      one.expect.stdout = body;
      break;
    case "stderr":
      one.expect.stderr_has = body.split("\n").filter((line) => line !== "");
      break;
    case "status":
      one.expect.code = argument === "nonzero" ? argument : Number(argument);
      break;
    default:
      throw new Error(`${one.id}: unknown section '${kind}'`);
  }
}

/** The cases of one file's text. */
export function parseCases(text) {
  const cases = [];
  let one = null;
  let section = null;
  for (const line of text.split(/(?<=\n)/)) {
    const plain = line.replace(/\n$/, "");
    const begins = plain.startsWith("### ");
    if (!begins && !plain.startsWith("--- ")) {
      if (section !== null) section.body += line.startsWith("\\") ? line.slice(1) : line;
      else if (one !== null && plain.includes(": ")) one[plain.split(": ")[0]] = plain.slice(plain.indexOf(": ") + 2);
      continue;
    }
    if (section !== null) fill(one, section.head, section.body, begins);
    section = null;
    if (begins) {
      one = { id: plain.slice(4), files: {}, expect: { code: 0, stdout: "" } };
      cases.push(one);
    } else section = { head: plain.slice(4), body: "" };
  }
  if (section !== null) fill(one, section.head, section.body, false);
  return cases;
}

/** Every case of the corpus, in order of path, each with its room as `area` and its file in its id. */
export function corpus() {
  return readdirSync(folder, { withFileTypes: true })
    .filter((room) => room.isDirectory())
    .flatMap((room) =>
      readdirSync(join(folder, room.name))
        .sort()
        .flatMap((file) =>
          parseCases(readFileSync(join(folder, room.name, file), "utf8")).map((one) => ({
            ...one,
            area: room.name,
            id: `${room.name}/${file.replace(/\.test$/, "")}: ${one.id}`,
          })),
        ),
    );
}

/** What a result differs in from what its case expects; empty where it holds. */
export function differences(one, result) {
  const { code, stdout, stderr_has: fragments = [] } = one.expect;
  const wrong = [];
  if (code === "nonzero" ? result.code === 0 : result.code !== code)
    wrong.push(`status ${result.code}, expected ${code}`);
  if (result.stdout !== stdout)
    wrong.push(`stdout ${JSON.stringify(result.stdout)}\nexpected ${JSON.stringify(stdout)}`);
  for (const fragment of fragments)
    if (!result.stderr.includes(fragment)) wrong.push(`stderr lacks ${JSON.stringify(fragment)}`);
  return wrong;
}

/** At most one line that says what is wrong with a case; a known failure is wrong once it holds. */
export function judge(one, result) {
  const wrong = differences(one, result);
  if (one.known_failure !== undefined) return wrong.length === 0 ? [`${one.id} holds now: ${one.known_failure}`] : [];
  return wrong.length === 0 ? [] : [`${one.id}: ${wrong.join("; ")}`];
}
