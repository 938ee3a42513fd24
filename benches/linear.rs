//! What ten times the work costs: each row runs at a size and at ten times that; linear is 10.
//!
//! `cargo bench --bench linear [-- WORD]` prints milliseconds and the ratio, and fails above 14
//! (small runs are noisy); the language's costs are meant to stay below 11.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program that measures")]

#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "shared by programs of which each uses a part")]
mod support;

use std::time::Instant;

/// A name, the size of the small run, and the program, in which N stands for the size.
const ROWS: &[(&str, usize, &str)] = &[
    ("a: while with $((i+1))", 20_000, "i=0; while [ $i -lt N ]; do i=$((i+1)); done"),
    ("a: while with ((i++))", 20_000, "i=0; while ((i < N)); do ((i++)); done"),
    ("a: C-style for", 20_000, "for ((i=0; i<N; i++)); do :; done"),
    ("b: s=\"$s\"x", 20_000, "s=; for ((i=0; i<N; i++)); do s=\"$s\"x; done; echo ${#s}"),
    ("b: s=$s$i", 20_000, "s=; for ((i=0; i<N; i++)); do s=$s$i; done; echo ${#s}"),
    ("b: s+=x", 20_000, "s=; for ((i=0; i<N; i++)); do s+=x; done; echo ${#s}"),
    (
        "b: s=\"${s}line\\n\"",
        20_000,
        "s=; for ((i=0; i<N; i++)); do s=\"${s}line\n\"; done; echo ${#s}",
    ),
    (
        "b: local s+=x",
        20_000,
        "f() { local s i; for ((i=0; i<N; i++)); do s+=x; done; echo ${#s}; }; f",
    ),
    ("b: r[k]+=x", 20_000, "r={k: \"\"}; for ((i=0; i<N; i++)); do r[k]+=x; done; echo ${#r[k]}"),
    ("c: function calls", 10_000, "f() { :; }; for ((i=0; i<N; i++)); do f; done"),
    (
        "c: calls with arguments and locals",
        10_000,
        "f() { local a=$1 b; b=$2; }; for ((i=0; i<N; i++)); do f $i x; done",
    ),
    ("c: recursion", 900, "f() { if (($1 > 0)); then f $(($1 - 1)); fi; }; f N"),
    ("e: x=$(echo $i)", 5_000, "for ((i=0; i<N; i++)); do x=$(echo $i); done"),
    ("e: x=$(f)", 5_000, "f() { echo hi; }; for ((i=0; i<N; i++)); do x=$(f); done"),
    ("e: pipes", 1_000, "for ((i=0; i<N; i++)); do echo $i | cat >/dev/null; done"),
    ("e: subshells", 5_000, "for ((i=0; i<N; i++)); do (:); done"),
    (
        "case dispatch",
        20_000,
        "for ((i=0; i<N; i++)); do case $((i % 7)) in 0|1) :;; [2-3]) :;; 4*) :;; *) :;; esac; done",
    ),
    (
        "[[ ]] and globs",
        20_000,
        "for ((i=0; i<N; i++)); do [[ file$i.txt == *.txt && $i =~ ^[0-9]+$ ]] || echo no; done",
    ),
    ("push", 20_000, "xs=[]; for ((i=0; i<N; i++)); do push xs $i; done; echo ${#xs}"),
    ("xs+=[$i]", 20_000, "xs=[]; for ((i=0; i<N; i++)); do xs+=[$i]; done; echo ${#xs}"),
    ("xs+=($i)", 20_000, "xs=(); for ((i=0; i<N; i++)); do xs+=($i); done; echo ${#xs[@]}"),
    (
        "push records",
        10_000,
        "xs=[]; for ((i=0; i<N; i++)); do r={i: $i, name: \"n$i\"}; push xs $r; done; echo ${#xs}",
    ),
    (
        "xs[i] read",
        20_000,
        "xs=$(seq 1 N | split); n=0; for ((i=0; i<N; i++)); do n=$((n + ${xs[$i]})); done; echo $n",
    ),
    (
        "xs[i] in arithmetic",
        20_000,
        "xs=$(seq 1 N | split); n=0; for ((i=0; i<N; i++)); do ((n += xs[i])); done; echo $n",
    ),
    (
        "xs[i] written",
        20_000,
        "xs=$(seq 1 N | split); for ((i=0; i<N; i++)); do xs[$i]=x; done; echo ${xs[-1]}",
    ),
    (
        "xs passed to a function",
        10_000,
        "xs=$(seq 1 N | split); f() { local l=$1; x=${l[0]}; }; for ((i=0; i<N; i++)); do f $xs; done",
    ),
    (
        "counting in a record",
        20_000,
        "c={}; for ((i=0; i<N; i++)); do k=k$((i % 100)); n=${c[$k]:-0}; c[$k]=$((n + 1)); done; echo ${#c}",
    ),
    ("new keys in a record", 20_000, "c={}; for ((i=0; i<N; i++)); do c[k$i]=$i; done; echo ${#c}"),
    (
        "declare -A",
        20_000,
        "declare -A c; for ((i=0; i<N; i++)); do c[k$i]=$i; done; echo ${#c[@]}",
    ),
    (
        "nested path",
        20_000,
        "s={a: {b: []}}; for ((i=0; i<N; i++)); do push s[a][b] $i; done; echo ${#s[a][b]}",
    ),
    (
        "slices of a short text",
        20_000,
        "s=hello; for ((i=0; i<N; i++)); do x=${s:1:3}${s[0:2]}; done",
    ),
    ("read lines", 20_000, "n=0; seq 1 N | while read -r l; do n=$((n + l)); done; echo $n"),
    (
        "read lines of a file",
        20_000,
        "seq 1 N > f; n=0; while IFS= read -r l; do n=$((n + 1)); done < f; echo $n",
    ),
    ("for over a substitution", 20_000, "n=0; for l in $(seq 1 N); do n=$((n + l)); done; echo $n"),
    (
        "for over values",
        20_000,
        "xs=$(seq 1 N | split); n=0; for x in $(values $xs); do n=$((n + x)); done; echo $n",
    ),
    (
        "shift",
        5_000,
        "set -- $(seq 1 N); set -- ...$(seq 1 N | split); while (($# > 1)); do shift; done; echo $1",
    ),
    (
        "here-documents",
        3_000,
        "for ((i=0; i<N; i++)); do read x <<EOF\nline $i\nEOF\ndone; echo $x",
    ),
    ("here-strings", 3_000, "for ((i=0; i<N; i++)); do read x <<< \"line $i\"; done; echo $x"),
    ("replacements", 20_000, "s=$(head -c N /dev/zero | tr '\\0' a); t=${s//a/bc}; echo ${#t}"),
    (
        "prefix and suffix",
        2_000,
        "s=$(head -c N /dev/zero | tr '\\0' a); for i in 1 2 3; do t=${s#*b}; t=${s%b*}; t=${s##*a}; t=${s%%a*}; done; echo ${#t}",
    ),
    ("case of a text", 100_000, "s=$(head -c N /dev/zero | tr '\\0' a); t=${s^^}; echo ${#t}"),
    (
        "appended redirects",
        2_000,
        "for ((i=0; i<N; i++)); do echo line $i >> log; done; wc -l < log",
    ),
    ("jobs", 200, "for ((i=0; i<N; i++)); do : & wait $!; done"),
    (
        "assigned variables",
        10_000,
        "for ((i=0; i<N; i++)); do printf -v v$((i % 1000)) %s $i; done",
    ),
    ("printf", 20_000, "for ((i=0; i<N; i++)); do printf '%05d %s\\n' $i x; done | wc -l"),
];

fn milliseconds(script: &str, size: usize) -> f64 {
    let script = script.replace('N', &size.to_string());
    let start = Instant::now();
    let result = support::run_limited(&script, &[], Vec::new(), |limits| limits.recursion = 20_000);
    let took = start.elapsed().as_secs_f64() * 1000.0;
    assert!(result.code == 0, "{script}: {}", String::from_utf8_lossy(&result.stderr));
    took
}

fn main() {
    let wanted = std::env::args().nth(1).filter(|word| !word.starts_with('-')).unwrap_or_default();
    let mut steep = Vec::new();
    for (name, size, script) in ROWS.iter().filter(|(name, ..)| name.contains(&wanted)) {
        let best =
            |size: usize| (0..3).map(|_| milliseconds(script, size)).fold(f64::INFINITY, f64::min);
        let (small, large) = (best(*size), best(size * 10));
        let ratio = large / small.max(0.05);
        println!("{name:36} {small:8.1} ms {large:9.1} ms   ×{ratio:.1}");
        if ratio > 14.0 && large > 20.0 {
            steep.push(*name);
        }
    }
    assert!(steep.is_empty(), "more than linear: {steep:?}");
}
