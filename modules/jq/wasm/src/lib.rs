//! The engine's boundary in a browser: one class; steps are numbers and bytes.
#![cfg(target_arch = "wasm32")]

use tabsh_jq::{Feed, Next};
use wasm_bindgen::prelude::wasm_bindgen;

/// One call of jq.
#[wasm_bindgen]
pub struct Run {
    run: tabsh_jq::Run,
    out: Vec<u8>,
    err: Vec<u8>,
}

#[wasm_bindgen]
impl Run {
    /// Starts a call that may take so many steps of evaluation.
    #[wasm_bindgen(constructor)]
    pub fn new(request: &str, steps: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let run = tabsh_jq::Run::limited(request, steps as u64);
        Self { run, out: Vec::new(), err: Vec::new() }
    }

    /// Goes on with nothing (0), bytes (1), the name of the file that follows (2), or the end of input (3).
    /// Answers the exit status, -1 where another step is to follow, -2 where it is to bring input.
    pub fn step(&mut self, kind: u8, bytes: &[u8]) -> i32 {
        let name = String::from_utf8_lossy(bytes);
        let step = self.run.step(match kind {
            1 => Feed::Bytes(bytes),
            2 => Feed::File(&name),
            3 => Feed::End,
            _ => Feed::Nothing,
        });
        (self.out, self.err) = (step.out, step.err);
        match step.next {
            Next::More => -1,
            Next::Input => -2,
            Next::Done(status) => i32::from(status),
        }
    }

    /// What the last step wrote to standard output.
    pub fn out(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// What the last step wrote to standard error.
    pub fn err(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.err)
    }
}
