//! A host on the machine's own clock and what native programs need to run cases in a kernel.

use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tabsh::host::{Clock, FakeHost, Timestamp};
use tabsh::io::Stream;
use tabsh::kernel::{ExecResult, ExecuteOptions, Kernel, KernelConfig, KernelError};
use tabsh::tool::{KernelBackend, Limits};
use tabsh::vfs::{Path, WriteMode};

const HOME: &str = "/home/user";
const TIME_LIMIT: Duration = Duration::from_secs(9);

struct SystemClock(Instant);

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn wait_until(&self, at: Duration) {
        std::thread::sleep(at.saturating_sub(self.0.elapsed()));
    }
}

/// A host that runs in real time.
#[expect(clippy::disallowed_methods, reason = "this is where native programs meet the system")]
pub(crate) fn host() -> FakeHost {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let start = Timestamp::default().after(since);
    FakeHost::with_clock(start, since.subsec_nanos().into(), Box::new(SystemClock(Instant::now())))
}

/// Runs a script in a fresh kernel over these files; a rejected program is status 2.
#[allow(dead_code, reason = "shared by test programs of which each uses a part")]
pub(crate) fn run(script: &str, files: &[(String, Vec<u8>)], stdin: Vec<u8>) -> ExecResult {
    run_limited(script, files, stdin, |_| {})
}

/// Like [`run`], with other limits.
pub(crate) fn run_limited(
    script: &str,
    files: &[(String, Vec<u8>)],
    stdin: Vec<u8>,
    limit: impl FnOnce(&mut Limits),
) -> ExecResult {
    let host = host();
    let mut config = KernelConfig::new(Rc::new(host.clone()));
    limit(&mut config.limits);
    let kernel = Kernel::new(config);
    let options = ExecuteOptions {
        stdin: Some(Stream::from_bytes(stdin)),
        timeout: Some(TIME_LIMIT),
        ..ExecuteOptions::default()
    };
    let done = host.run(async {
        write_files(kernel.services().backend.as_ref(), files).await;
        kernel.execute(script, options).await
    });
    match done {
        Some(Ok(result)) => result,
        Some(Err(KernelError::Rejected { rendered, .. })) => {
            ExecResult { code: 2, stderr: rendered.into_bytes(), ..ExecResult::default() }
        }
        None => ExecResult {
            code: 254,
            stderr: b"deadlock: everything waits".to_vec(),
            ..ExecResult::default()
        },
    }
}

async fn write_files(backend: &dyn KernelBackend, files: &[(String, Vec<u8>)]) {
    for (name, content) in files {
        let path = Path::new(HOME).join(name);
        let directory = if name.ends_with('/') { Some(path.as_path()) } else { path.parent() };
        let mut above: Vec<&Path> =
            directory.map(|path| path.ancestors().collect()).unwrap_or_default();
        above.reverse();
        for directory in above {
            // What exists already is what was wanted.
            let _ = backend.mkdir(directory).await;
        }
        if !name.ends_with('/') {
            let written = backend.write(&path, content, WriteMode::Overwrite).await;
            assert!(written.is_ok(), "{name}: {written:?}");
        }
    }
}

#[allow(dead_code, reason = "shared by test programs of which each uses a part")]
/// The bytes of base64 text; other characters are passed over.
pub(crate) fn decode_base64(text: &str) -> Vec<u8> {
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
