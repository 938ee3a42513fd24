//! Reads case lines on standard input, runs each in a fresh kernel, prints result lines.
#![expect(clippy::print_stdout, reason = "its output is its purpose")]

mod support;

use std::io::BufRead as _;

use tabsh::io::Stream;
use tabsh::kernel::{ExecuteOptions, Kernel, KernelConfig, KernelError};
use tabsh::tool::KernelBackend;
use tabsh::value::{Value, from_json};
use tabsh::vfs::{Path, PathBuf, WriteMode};

const HOME: &str = "/home/user";
const TIME_LIMIT: std::time::Duration = std::time::Duration::from_secs(9);

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
    let host = support::host();
    let kernel = Kernel::new(KernelConfig::new(support::shared(&host)));
    let script = field(case, "script").and_then(Value::as_str).unwrap_or_default().to_string();
    let stdin = field(case, "stdin").map(Value::to_bytes).unwrap_or_default();
    let options = ExecuteOptions {
        stdin: Some(Stream::from_bytes(stdin)),
        timeout: Some(TIME_LIMIT),
        ..ExecuteOptions::default()
    };
    let files = field(case, "files").cloned().unwrap_or_default();
    let done = host.run(async {
        write_files(kernel.services().backend.as_ref(), &files).await;
        kernel.execute(&script, options).await
    });
    let (code, stdout, stderr) = match done {
        Some(Ok(result)) => (result.code, result.stdout, result.stderr),
        Some(Err(KernelError::Rejected { rendered, .. })) => (2, Vec::new(), rendered.into_bytes()),
        None => (254, Vec::new(), b"deadlock: everything waits".to_vec()),
    };
    serde_json::json!({
        "id": field(case, "id").and_then(Value::as_str),
        "code": code,
        "stdout": String::from_utf8_lossy(&stdout),
        "stderr": String::from_utf8_lossy(&stderr),
    })
    .to_string()
}

async fn write_files(backend: &dyn KernelBackend, files: &Value) {
    let Value::Record(files) = files else { return };
    for (name, content) in files.iter() {
        let path = Path::new(HOME).join(name.as_str());
        if name.ends_with('/') {
            make_all(backend, &path).await;
            continue;
        }
        if let Some(parent) = path.parent() {
            make_all(backend, &parent.to_path_buf()).await;
        }
        let bytes = match field(content, "base64").and_then(Value::as_str) {
            Some(text) => decode_base64(text),
            None => content.to_bytes(),
        };
        let written = backend.write(&path, &bytes, WriteMode::Overwrite).await;
        assert!(written.is_ok(), "{name}: {written:?}");
    }
}

async fn make_all(backend: &dyn KernelBackend, path: &PathBuf) {
    let mut above: Vec<&Path> = path.ancestors().collect();
    above.reverse();
    for directory in above {
        // What exists already is what was wanted.
        let _ = backend.mkdir(directory).await;
    }
}

fn decode_base64(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for digit in text.bytes().filter_map(value) {
        bits = (bits << 6) | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).unwrap_or(0));
        }
    }
    bytes
}
