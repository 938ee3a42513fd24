//! Reads case lines on standard input, runs each in a fresh kernel, prints result lines.
#![expect(clippy::print_stdout, reason = "its output is its purpose")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::io::BufRead as _;

use tabsh::value::{Value, from_json};

fn main() {
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if let Ok(case) = from_json(&line) {
            println!("{}", run(&case));
        }
    }
}

fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Record(record) => record.get(name),
        _ => None,
    }
}

fn run(case: &Value) -> String {
    let script = field(case, "script").and_then(Value::as_str).unwrap_or_default();
    let stdin = field(case, "stdin").map(Value::to_bytes).unwrap_or_default();
    let files = match field(case, "files") {
        Some(Value::Record(files)) => {
            files.iter().map(|(name, content)| (name.to_string(), bytes(content))).collect()
        }
        _ => Vec::new(),
    };
    let result = support::run(script, &files, stdin);
    serde_json::json!({
        "id": field(case, "id").and_then(Value::as_str),
        "code": result.code,
        "stdout": String::from_utf8_lossy(&result.stdout),
        "stderr": String::from_utf8_lossy(&result.stderr),
    })
    .to_string()
}

fn bytes(content: &Value) -> Vec<u8> {
    match field(content, "base64").and_then(Value::as_str) {
        Some(text) => support::decode_base64(text),
        None => content.to_bytes(),
    }
}
