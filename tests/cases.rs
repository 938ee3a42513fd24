//! The native driver of the case corpus, and of every example in a builtin's spec.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it cannot go on")]

#[path = "support/corpus.rs"]
mod corpus;
mod support;

use std::fmt::Write as _;

use corpus::{Case, Status};
use support::decode_base64;

/// Every case file below `tests/cases`, by path.
#[expect(clippy::disallowed_types, reason = "a test reads the machine's own files")]
fn case_files() -> Vec<(String, String)> {
    let root = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"));
    let mut files = Vec::new();
    for room in std::fs::read_dir(root).unwrap().flatten().filter(|room| room.path().is_dir()) {
        for file in std::fs::read_dir(room.path()).unwrap().flatten() {
            let path = file.path();
            files.push((path.display().to_string(), std::fs::read_to_string(path).unwrap()));
        }
    }
    files.sort();
    files
}

/// What is wrong with a case; empty where it holds.
fn differences(case: &Case) -> String {
    let result = support::run(&case.script, &case.files, case.stdin.clone());
    let stdout = String::from_utf8_lossy(&result.stdout);
    let stderr = String::from_utf8_lossy(&result.stderr);
    let mut wrong = String::new();
    let status_holds = match case.status {
        Status::Is(code) => result.code == code,
        Status::NonZero => result.code != 0,
    };
    if !status_holds {
        let _ = writeln!(wrong, "status {}, expected {:?}", result.code, case.status);
    }
    if stdout != case.stdout {
        let _ = writeln!(wrong, "stdout {stdout:?}\nexpected {:?}", case.stdout);
    }
    for fragment in case.stderr.iter().filter(|fragment| !stderr.contains(fragment.as_str())) {
        let _ = writeln!(wrong, "stderr lacks {fragment:?}");
    }
    if !wrong.is_empty() {
        let _ = writeln!(wrong, "stderr was {stderr:?}");
    }
    wrong
}

#[test]
fn corpus() {
    let mut failures = String::new();
    let mut count = 0;
    for (path, text) in case_files() {
        for case in corpus::read(&text) {
            count += 1;
            let wrong = differences(&case);
            match (&case.known_failure, wrong.is_empty()) {
                (None, false) => {
                    let _ = writeln!(failures, "{path}: {}\n{}\n{wrong}", case.name, case.script);
                }
                (Some(why), true) => {
                    let _ = writeln!(failures, "{path}: {} passes now, though: {why}", case.name);
                }
                _ => {}
            }
        }
    }
    assert!(count > 900, "only {count} cases were found");
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn examples_of_builtins() {
    let mut failures = String::new();
    for builtin in tabsh::builtins::ALL {
        for example in builtin.spec.examples {
            let result = support::run(example.script, &[], Vec::new());
            let output = String::from_utf8_lossy(&result.stdout);
            if output != example.output {
                let name = builtin.spec.name;
                let error = String::from_utf8_lossy(&result.stderr);
                let _ = writeln!(
                    failures,
                    "{name}: {}\n{output:?}\nexpected {:?}\n{error}",
                    example.script, example.output
                );
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn base64_of_cases() {
    assert_eq!(decode_base64("AP8QgA=="), [0, 255, 16, 128]);
}
