//! A made-up access log, the same each time, and the answer to who asks most in it.

/** Random numbers in [0, 1) from a seed (mulberry32). */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A log of at least `bytes` bytes. */
export function accessLog(bytes) {
  const next = numbers(7);
  const agents = [
    "Mozilla/5.0 (X11; Linux x86_64)",
    "Mozilla/5.0 (compatible; Googlebot/2.1)",
    "curl/8.5.0",
    "somebot/1.0",
  ];
  const lines = [];
  for (let size = 0; size < bytes; ) {
    // Squaring makes some addresses much busier than others: the top five are well apart.
    const host = `10.0.${Math.floor(next() ** 2 * 8)}.${Math.floor(next() ** 3 * 250)}`;
    const agent = agents[Math.floor(next() ** 2 * agents.length)];
    const second = String(Math.floor(next() * 60)).padStart(2, "0");
    const line = `${host} - - [30/Nov/2025:12:00:${second} +0000] "GET /page/${Math.floor(next() * 5000)} HTTP/1.1" 200 ${Math.floor(next() * 90000)} "-" "${agent}"\n`;
    lines.push(line);
    size += line.length;
  }
  return lines.join("");
}

/** What `grep -v bot | cut -d' ' -f1 | sort | uniq -c | sort -rn | head -5` prints. */
export function topFive(log) {
  const counts = new Map();
  for (const line of log.split("\n")) {
    if (line === "" || line.includes("bot")) continue;
    const host = line.slice(0, line.indexOf(" "));
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  const rows = [...counts].map(([host, count]) => `${String(count).padStart(7)} ${host}`);
  return rows.sort().reverse().slice(0, 5).join("\n");
}
