//! The measured programs: each as script, the files it reads, and the figure to reach in wasm in milliseconds.

import { accessLog } from "../tests/browser/log.mjs";

const log = { "access.log": accessLog(5 * 1024 * 1024) };
const loop = (count, body = "") => `i=0; while [ $i -lt ${count} ]; do ${body}i=$((i+1)); done`;
const files = (folder) =>
  `rm -rf ${folder}; mkdir -p ${folder}; ${loop(10_000, `echo $i > ${folder}/$i; `)}; cat ${folder}/* | wc -l`;

const records = {
  "records.json": JSON.stringify(
    Array.from({ length: 20_000 }, (_, n) => ({ n, name: `item ${n}`, tags: ["a", "b"] })),
  ),
};

/** `browserOnly` marks what has no native counterpart. */
export const rows = [
  { name: "echo × 1,000 in one program", script: loop(1000, "echo hi; ") },
  { name: "counting loop to 1,000,000", script: loop(1_000_000) },
  { name: "a: while to 100,000", script: loop(100_000), goal: 40 },
  { name: "b: 20,000 appends to a text", script: `s=; ${loop(20_000, 's="$s"x; ')}; echo $\{#s}`, goal: 30 },
  { name: "c: 20,000 function calls", script: `f() { :; }; ${loop(20_000, "f; ")}`, goal: 30 },
  {
    name: "d: recursive fib(16)",
    script:
      'fib() { if [ "$1" -lt 2 ]; then r=$1; return; fi; local n=$1; fib $((n-1)); local a=$r; fib $((n-2)); r=$((a+r)); }; fib 16; echo $r',
    goal: 10,
  },
  { name: "e: 5,000 × x=$(echo $i)", script: loop(5000, "x=$(echo $i); "), goal: 20 },
  {
    name: "f: cat grep sed sort uniq sort head, 5 MB",
    script: "cat access.log | grep -v bot | sed 's/ .*//' | sort | uniq -c | sort -rn | head -5",
    files: log,
    goal: 78,
  },
  {
    name: "log pipeline over 5 MB",
    script: "grep -v bot access.log | cut -d' ' -f1 | sort | uniq -c | sort -rn | head -5",
    files: log,
  },
  { name: "j: 10,000 small files, memory", script: files("/tmp/tabsh-bench"), goal: 200 },
  { name: "10,000 small files, IndexedDB", script: files("small"), persist: true, browserOnly: true },
  {
    name: "jq over 20,000 records",
    script: "jq -c '.[] | select(.n % 2 == 0) | .name' records.json | wc -l",
    files: records,
  },
  { name: "20 calls of jq", script: loop(20, "jq -n 1; ") },
  { name: "m: yes | head -n 1000000 | wc -l", script: "yes | head -n 1000000 | wc -l", goal: 80 },
  { name: "m: seq 1 3000000 | head -n 5", script: "seq 1 3000000 | head -n 5", goal: 5 },
];
